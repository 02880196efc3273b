/* SPDX-License-Identifier: MIT
 * seen_before.c - prints each argument once, from a filter that it also saves and maps.
 *
 *     ./seen_before red green red blue */
#include <ballpark/bloom.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    bp_bloom *seen;
    size_t size;
    if (bp_bloom_new(&seen, &(bp_bloom_config){.items = 1000, .fpr = 1e-6}, NULL))
        return 2;
    for (int i = 1; i < argc; i++)
        if (bp_bloom_add(seen, argv[i], strlen(argv[i])))
            puts(argv[i]); /* surely new; a repeat is left out */

    /* Save it to memory and ask those bytes in place, as one would a mapped file. */
    bp_bloom_encode(seen, NULL, 0, &size, NULL);
    void *bytes = malloc(size);
    const bp_bloom *view;
    if (!bytes || bp_bloom_encode(seen, bytes, size, &size, NULL) ||
        bp_bloom_view(&view, bytes, size, NULL, NULL))
        return 2;
    printf("%zu bytes; purple: %s\n", size,
           bp_bloom_has(view, "purple", 6) ? "maybe" : "surely not");
    bp_bloom_free(view);
    free(bytes);
    bp_bloom_free(seen);
    return 0;
}
