/* SPDX-License-Identifier: MIT
 * gen_lines.c - the lines that bench/README.md measures the command on.
 *
 *   gen_lines ids [LINES]         > lines.txt
 *   gen_lines log [LINES]         > access.log
 *   gen_lines keys FIRST [LINES]  > keys.txt
 *
 * ids   lines of 12 bytes (`uNNNNNNNNNN`), visitor ids drawn by a Zipf law of exponent
 *       1.05 over 8,000,000 ids: of 15,000,000 lines (what LINES is unless given) about
 *       1.88 million are different, the most frequent is about 6 % of all
 * log   ip, id, time, method, url, status, bytes and seconds, about 81 bytes a line; the
 * ids are those of `ids`, the urls 100,000 by a Zipf law of exponent 1.1 keys  different
 * keys of 28 bytes, numbered from FIRST
 *
 * The same arguments give the same lines. Sampling is the rejection-inversion of Hoermann
 * and Derflinger, ACM TOMACS 6(3), 1996. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Ranks are scattered over ten digits, so that neighbours share no prefix. */
static unsigned long long visitor(void)
{
    return zipf(8000000, 1.05) * UINT64_C(6180339887) % UINT64_C(10000000000);
}

static void put_id(uint64_t i)
{
    (void)i;
    printf("u%010llu\n", visitor());
}

static void put_request(uint64_t i)
{
    static const char *const methods[] = {"GET", "GET", "GET", "GET", "HEAD", "POST"};
    static const int statuses[] = {200, 200, 200, 200, 200, 304, 404, 500};
    const unsigned long long id = visitor();
    const uint64_t url = zipf(100000, 1.1), r = next_random();
    printf(
        "10.%llu.%llu.%llu u%010llu %llu %s /shop/%c/item-%05llu.html %d %llu 0.%03llu\n",
        id >> 16 & 255, id >> 8 & 255, id & 255, id,
        (unsigned long long)(1700000000 + i / 170), methods[r % 6],
        (char)('a' + url % 26), (unsigned long long)url, statuses[r >> 8 & 7],
        (unsigned long long)(r >> 16 & 65535), (unsigned long long)((r >> 32) % 1000));
}

static void put_key(uint64_t i)
{
    uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    printf("user:%016llx-%06llx\n", (unsigned long long)z,
           (unsigned long long)(i & 0xffffff));
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    const int is_keys = strcmp(what, "keys") == 0, at = is_keys ? 3 : 2;
    const uint64_t first = is_keys && argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    const uint64_t lines = argc > at ? strtoull(argv[at], NULL, 10) : 15000000;
    void (*put)(uint64_t) = is_keys                    ? put_key
                            : strcmp(what, "ids") == 0 ? put_id
                            : strcmp(what, "log") == 0 ? put_request
                                                       : NULL;
    if (!put) {
        fputs("usage: gen_lines ids|log [LINES], gen_lines keys FIRST [LINES]\n", stderr);
        return 2;
    }
    for (uint64_t i = first; i < first + lines; i++)
        put(i);
    return ferror(stdout) || fclose(stdout) ? 1 : 0;
}
