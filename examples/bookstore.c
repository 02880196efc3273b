/* SPDX-License-Identifier: MIT
 * bookstore.c - two days of a web shop's log, the same on every machine.
 *
 *     bookstore monday > monday.tsv        bookstore tuesday > tuesday.tsv
 *
 * 1,500,000 lines of `time TAB visitor TAB book`. Visitors are uniform in [0, 400000)
 * on Monday and [200000, 600000) on Tuesday: about 390,600 different ones each day and
 * 590,500 together. Books are Zipf over 100,000: the r-th sells in proportion to 1/r. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 1500000, VISITORS = 400000, BOOKS = 100000 };

static uint64_t next(uint64_t *state) /* SplitMix64 */
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static double unit(uint64_t *state)
{
    return (double)(next(state) >> 11) * 0x1p-53;
}

/* The rank whose share of the cumulated 1/r weights holds x, by bisection. */
static int rank_of(const double *cumulated, double x)
{
    int low = 1, high = BOOKS;
    while (low < high) {
        const int mid = (low + high) / 2;
        if (cumulated[mid] > x)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

int main(int argc, char **argv)
{
    static double cumulated[BOOKS + 1];
    const int tuesday = argc == 2 && strcmp(argv[1], "tuesday") == 0;
    if (argc != 2 || (!tuesday && strcmp(argv[1], "monday") != 0)) {
        fprintf(stderr, "usage: bookstore monday|tuesday\n");
        return 2;
    }
    for (int r = 1; r <= BOOKS; r++)
        cumulated[r] = cumulated[r - 1] + 1.0 / r;
    uint64_t state = tuesday ? 2 : 1;
    for (int i = 0; i < LINES; i++) {
        const int second = (int)((int64_t)i * 86400 / LINES);
        const int visitor = (int)(unit(&state) * VISITORS) + (tuesday ? VISITORS / 2 : 0);
        const int book = rank_of(cumulated, unit(&state) * cumulated[BOOKS]);
        printf("2026-11-%dT%02d:%02d:%02d\tvisitor-%06d\tbook-%05d\n", tuesday ? 24 : 23,
               second / 3600, second / 60 % 60, second % 60, visitor, book);
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 2;
}
