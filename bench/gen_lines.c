/* SPDX-License-Identifier: MIT
 * gen_lines.c - the lines that bench/README.md measures the command on.
 *
 *   gen_lines [LINES [IDS [EXPONENT]]]  > lines.txt
 *
 * 15,000,000 lines of 12 bytes (`uNNNNNNNNNN`), visitor ids drawn by a Zipf law of
 * exponent 1.05 over 8,000,000 ids: about 1.88 million different ones, the most frequent
 * about 6 % of all. The same arguments give the same lines. Sampling is the
 * rejection-inversion of Hoermann and Derflinger, ACM TOMACS 6(3), 1996. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state = 1;

static uint64_t next_random(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The integral of x^-s, and its inverse; s is never 1 here. */
static double integral(double x, double s)
{
    return (pow(x, 1 - s) - 1) / (1 - s);
}

static double inverse(double y, double s)
{
    return pow(1 + y * (1 - s), 1 / (1 - s));
}

static uint64_t zipf(uint64_t n, double s)
{
    double low = integral(1.5, s) - 1, high = integral((double)n + 0.5, s);
    for (;;) {
        double u = high + (double)(next_random() >> 11) * 0x1p-53 * (low - high);
        double x = inverse(u, s), k = floor(x + 0.5);
        k = k < 1 ? 1 : k > (double)n ? (double)n : k;
        if (u >= integral(k + 0.5, s) - pow(k, -s))
            return (uint64_t)k;
    }
}

int main(int argc, char **argv)
{
    uint64_t lines = argc > 1 ? strtoull(argv[1], NULL, 10) : 15000000;
    uint64_t ids = argc > 2 ? strtoull(argv[2], NULL, 10) : 8000000;
    double s = argc > 3 ? strtod(argv[3], NULL) : 1.05;
    for (uint64_t i = 0; i < lines; i++) {
        /* Ranks are scattered over ten digits, so that neighbours share no prefix. */
        uint64_t id = zipf(ids, s) * UINT64_C(6180339887) % UINT64_C(10000000000);
        printf("u%010llu\n", (unsigned long long)id);
    }
    return ferror(stdout) || fclose(stdout) ? 1 : 0;
}
