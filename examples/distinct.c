/* SPDX-License-Identifier: MIT
 * distinct.c - how many different lines on standard input, in 12 KB.
 *
 *     cc distinct.c $(pkg-config --cflags --libs ballpark) -o distinct
 *     seq 100000 | ./distinct */
#include <ballpark/hll.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[4096];
    bp_hll *h;
    bp_detail why;
    bp_estimate e;
    if (bp_hll_new(&h, &(bp_hll_config){.precision = 14}, &why)) {
        fprintf(stderr, "distinct: %s\n", why.what);
        return 2;
    }
    while (fgets(line, sizeof line, stdin))
        if (bp_hll_add(h, line, strcspn(line, "\n"))) {
            fprintf(stderr, "distinct: out of memory\n");
            return 2;
        }
    bp_hll_estimate(h, 0.95, &e, NULL);
    printf("%.0f different lines, 95 %% sure of %.0f to %.0f\n", e.value, e.lower,
           e.upper);
    bp_hll_free(h);
    return 0;
}
