/* SPDX-License-Identifier: MIT
 * peer_count_min.c - Count-Min update against the textbook, in one run.
 *
 * The peer is the sketch as it is printed in textbooks and found in many programs: one
 * seeded MurmurHash3 (32-bit) of the key for each row, and the remainder by the width.
 * XXH3 alone over the same keys shows how much of the rest is hashing. All take the same
 * 16-byte keys from the same array, in batches of 4096, in turn; the best of 9 counts.
 *
 *     cc -O2 -shared -fPIC -Iinclude -Isrc $(find src -name '*.c' ! -name '*_test.c') \
 *         -o libballpark.so -lm
 *     cc -O2 -Iinclude bench/peer_count_min.c -o peer_count_min -L. -lballpark -lm \
 *         -Wl,-rpath,.
 *     taskset -c 1 ./peer_count_min [width depth]
 */
#define _POSIX_C_SOURCE 199309L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ballpark/count_min.h>
#include <ballpark/hash.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { KEYS = 1 << 16, KEY = 16, BATCH = 4096, ROUNDS = 16, BEST_OF = 9, DEPTH_MAX = 32 };

static uint8_t text[KEYS][KEY];
static bp_bytes keys[KEYS];
static uint64_t hashes[KEYS];
static uint64_t counts[BATCH];
static uint32_t *table;
static uint32_t width = 2719, depth = 5;
static volatile uint64_t sink;

/* ------------------------------------------------------------------------ the textbook
 */

static uint32_t rotl(uint32_t x, int r)
{
    return x << r | x >> (32 - r);
}

/* MurmurHash3_x86_32, Austin Appleby, public domain; whole words, as the keys are. */
static uint32_t murmur3_32(const void *key, size_t n, uint32_t seed)
{
    uint32_t h = seed;
    for (size_t i = 0; i + 4 <= n; i += 4) {
        uint32_t k;
        memcpy(&k, (const uint8_t *)key + i, 4);
        h ^= rotl(k * 0xcc9e2d51u, 15) * 0x1b873593u;
        h = rotl(h, 13) * 5 + 0xe6546b64u;
    }
    h ^= (uint32_t)n;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

static void textbook(size_t at)
{
    for (size_t k = at; k < at + BATCH; k++)
        for (uint32_t i = 0; i < depth; i++)
            table[i * width + murmur3_32(keys[k].ptr, keys[k].len, i) % width]++;
}

/* ------------------------------------------------------------------------ the library */

static bp_count_min *plain, *conservative, *wide, *concurrent;

static void xxh3(size_t at)
{
    uint64_t sum = 0;
    for (size_t k = at; k < at + BATCH; k++)
        sum += XXH3_64bits(keys[k].ptr, keys[k].len);
    sink = sum;
}

static void hash_single(size_t at)
{
    uint64_t sum = 0;
    for (size_t k = at; k < at + BATCH; k++)
        sum += bp_hash(NULL, keys[k].ptr, keys[k].len);
    sink = sum;
}

static void add_plain(size_t at)
{
    bp_count_min_add_n(plain, keys + at, BATCH, NULL, NULL);
}

static void add_plain_counts(size_t at)
{
    bp_count_min_add_n(plain, keys + at, BATCH, NULL, counts);
}

static void add_wide(size_t at)
{
    bp_count_min_add_n(wide, keys + at, BATCH, NULL, NULL);
}

static void add_concurrent(size_t at)
{
    bp_count_min_add_n(concurrent, keys + at, BATCH, NULL, NULL);
}

static void add_conservative(size_t at)
{
    bp_count_min_add_n(conservative, keys + at, BATCH, NULL, NULL);
}

static void add_hashes(size_t at)
{
    bp_count_min_add_hashes(plain, hashes + at, BATCH, NULL, NULL);
}

static void add_hashes_conservative(size_t at)
{
    bp_count_min_add_hashes(conservative, hashes + at, BATCH, NULL, NULL);
}

static void add_single(size_t at)
{
    for (size_t k = at; k < at + BATCH; k++)
        bp_count_min_add(plain, keys[k].ptr, keys[k].len, 1);
}

static void add_single_conservative(size_t at)
{
    for (size_t k = at; k < at + BATCH; k++)
        bp_count_min_add(conservative, keys[k].ptr, keys[k].len, 1);
}

static void count(size_t at)
{
    bp_count_min_count_n(plain, keys + at, BATCH, counts);
}

static void count_single(size_t at)
{
    uint64_t sum = 0;
    for (size_t k = at; k < at + BATCH; k++)
        sum += bp_count_min_count(plain, keys[k].ptr, keys[k].len);
    sink = sum;
}

static const struct row {
    const char *name;
    void (*run)(size_t at);
} rows[] = {
    {"xxh3 alone", xxh3},
    {"textbook, murmur3 per row", textbook},
    {"add_n plain", add_plain},
    {"add_n plain, with counts", add_plain_counts},
    {"add_n plain, 64-bit counters", add_wide},
    {"add_n plain, concurrent", add_concurrent},
    {"add_n conservative", add_conservative},
    {"add_hashes plain", add_hashes},
    {"add_hashes conservative", add_hashes_conservative},
    {"bp_hash, one by one", hash_single},
    {"add plain, one by one", add_single},
    {"add conservative, one by one", add_single_conservative},
    {"count_n", count},
    {"count, one by one", count_single},
};
enum { ROWS = sizeof rows / sizeof *rows };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double time_of(const struct row *r)
{
    const double start = now();
    for (int round = 0; round < ROUNDS; round++)
        for (size_t at = 0; at < KEYS; at += BATCH)
            r->run(at);
    return (now() - start) * 1e9 / ((double)ROUNDS * KEYS);
}

static void prepare(void)
{
    uint64_t x = 1;
    for (size_t k = 0; k < KEYS; k++) {
        for (size_t i = 0; i < KEY; i += 8) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            const uint64_t word = x ^ x >> 31;
            memcpy(text[k] + i, &word, 8);
        }
        keys[k] = (bp_bytes){text[k], KEY};
    }
    bp_hash_n(NULL, keys, KEYS, hashes);
}

int main(int argc, char **argv)
{
    if (argc == 3) {
        width = (uint32_t)strtoul(argv[1], NULL, 10);
        depth = (uint32_t)strtoul(argv[2], NULL, 10);
    }
    prepare();
    bp_count_min_config cfg = {.width = width, .depth = depth};
    bp_status st = bp_count_min_new(&plain, &cfg, NULL);
    cfg.counter_bits = 64;
    st |= bp_count_min_new(&wide, &cfg, NULL);
    cfg.counter_bits = 32;
    cfg.concurrent = true;
    st |= bp_count_min_new(&concurrent, &cfg, NULL);
    cfg.concurrent = false;
    cfg.conservative = true;
    st |= bp_count_min_new(&conservative, &cfg, NULL);
    table = calloc((size_t)width * depth, sizeof *table);
    if (st || !table) {
        fputs("peer_count_min: width and depth out of range, or no memory\n", stderr);
        return 2;
    }
    double best[ROWS];
    for (int i = 0; i < ROWS; i++)
        best[i] = 1e300;
    for (int turn = 0; turn < BEST_OF; turn++)
        for (int i = 0; i < ROWS; i++) {
            const double t = time_of(&rows[i]);
            best[i] = t < best[i] ? t : best[i];
        }
    printf("ballpark %s, xxhash %u.%u.%u, %u x %u, %d-byte keys in batches of %d\n",
           bp_version(), XXH_VERSION_MAJOR, XXH_VERSION_MINOR, XXH_VERSION_RELEASE, width,
           depth, KEY, BATCH);
    printf("%-32s %8s %9s %9s\n", "", "ns/key", "textbook", "xxh3");
    for (int i = 0; i < ROWS; i++)
        printf("%-32s %8.2f %8.2fx %8.2fx\n", rows[i].name, best[i], best[1] / best[i],
               best[i] / best[0]);
    bp_count_min_free(plain);
    bp_count_min_free(conservative);
    bp_count_min_free(wide);
    bp_count_min_free(concurrent);
    free(table);
    return 0;
}
