/* SPDX-License-Identifier: MIT
 * distinct.c - how many different lines on standard input, in 12 KB.
 *
 *     cc distinct.c $(pkg-config --cflags --libs ballpark) -o distinct
 *     seq 100000 | ./distinct */
#define _POSIX_C_SOURCE 200809L /* getline: lines of any length and bytes */
#include <ballpark/hll.h>

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    bp_hll *h;
    bp_detail why;
    bp_estimate e;
    if (bp_hll_new(&h, &(bp_hll_config){.precision = 14}, &why)) {
        fprintf(stderr, "distinct: %s\n", why.what);
        return 2;
    }
    while ((n = getline(&line, &room, stdin)) > 0)
        if (bp_hll_add(h, line, (size_t)n - (line[n - 1] == '\n'))) {
            fprintf(stderr, "distinct: out of memory\n");
            return 2;
        }
    bp_hll_estimate(h, 0.95, &e, NULL);
    printf("%.0f different lines, 95 %% sure of %.0f to %.0f\n", e.value, e.lower,
           e.upper);
    free(line);
    bp_hll_free(h);
    return 0;
}
