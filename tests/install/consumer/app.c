/* SPDX-License-Identifier: MIT
 * app.c - a program of someone else's: prints the version, and `ok` when a thousand
 * keys are counted right and found again in what was saved. */
#include <ballpark/ballpark.h>

#include <stdio.h>
#include <stdlib.h>

static int round_trip(const bp_hll *h, size_t *size)
{
    bp_hll *again;
    bp_estimate e;
    void *bytes;
    if (bp_hll_encode(h, NULL, 0, size, NULL))
        return 1;
    bytes = malloc(*size);
    if (!bytes || bp_hll_encode(h, bytes, *size, size, NULL) ||
        bp_hll_decode(&again, bytes, *size, NULL, NULL))
        return 1;
    free(bytes);
    bp_any_estimate((const bp_any *)again, 0.95, &e, NULL);
    bp_hll_free(again);
    return !(e.lower <= 1000 && 1000 <= e.upper);
}

int main(void)
{
    bp_hll *h;
    bp_bloom *b;
    size_t size;
    unsigned i;
    if (bp_hll_new(&h, NULL, NULL) || bp_bloom_new(&b, NULL, NULL))
        return 1;
    for (i = 0; i < 1000; i++) {
        bp_hll_add(h, &i, sizeof i);
        bp_bloom_add(b, &i, sizeof i);
    }
    for (i = 0; i < 1000; i++)
        if (!bp_bloom_has(b, &i, sizeof i))
            return 1;
    if (round_trip(h, &size))
        return 1;
    bp_bloom_free(b);
    bp_hll_free(h);
    printf("%s ok\n", bp_version());
    return 0;
}
