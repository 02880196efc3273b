/* SPDX-License-Identifier: MIT
 * peer_libbloom.c - ballpark's bloom and blocked_bloom beside Debian's libbloom, in one
 * program.
 *
 *     cc -O2 -Iinclude -Isrc bench/peer_libbloom.c -o peer_libbloom \
 *         -L BUILD_DIRECTORY -lballpark -lbloom -lm
 *     ./peer_libbloom [items] [fpr]        default: 10,000,000 at 0.01
 *
 * All filters hold the same 16-byte keys. Each round measures all contenders one after
 * the other, so that a noisy moment hits them alike; the best of nine rounds counts.
 * Figures are nanoseconds of CPU time a key, hashing included except in the rows that say
 * "hashes". */
#define _POSIX_C_SOURCE 200809L
#include <ballpark/ballpark.h>

#include "core/rng.h"
#include "core/xxh.h"

#include <bloom.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KEY = 16, BATCH = 4096, ASKED = 1 << 18, ROUNDS = 9, ROWS = 20, BLOCKED_ROWS = 6 };

static uint8_t *members, *strangers; /* ASKED keys each */
static uint64_t items;
static struct bloom peer;
static bp_bloom *ours;
static bp_blocked_bloom *blocked; /* NULL: not at this rate */
static bp_bloom_config config;
static uint8_t *lines; /* as many bytes as the filter has */
static bp_bytes batch_keys[BATCH];
static uint64_t batch_hashes[ASKED];
static volatile uint64_t sink;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Key i: two SplitMix64 values of stream `which`. */
static void make_key(uint8_t *key, uint64_t which, uint64_t i)
{
    uint64_t state = which + i * 2 * UINT64_C(0x9E3779B97F4A7C15);
    bp_store64(key, bp_rng_next(&state));
    bp_store64(key + 8, bp_rng_next(&state));
}

static uint64_t run_hash(const uint8_t *keys)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < ASKED; i++)
        sum += XXH3_64bits(keys + i * KEY, KEY);
    return sum;
}

/* What no Bloom filter of this size can be faster than where every bit is needed: as many
 * random lines of memory as there are probes, 32 keys' under way at once, nothing else.
 */
static uint64_t run_lines(const uint8_t *keys)
{
    static size_t at[64 * 32];
    const size_t n = config.hashes * 32;
    uint64_t sum = 0, state = keys[0];
    for (size_t i = 0; i < ASKED; i += 32) {
        for (size_t j = 0; j < n; j++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            at[j] = (size_t)bp_range(state, config.memory);
            BP_PREFETCH(lines + at[j]);
        }
        for (size_t j = 0; j < n; j++)
            sum += lines[at[j]];
    }
    return sum;
}

static uint64_t run_peer(const uint8_t *keys)
{
    uint64_t yes = 0;
    for (size_t i = 0; i < ASKED; i++)
        yes += bloom_check(&peer, keys + i * KEY, KEY) != 0;
    return yes;
}

/* The keys of one batch, as a caller would gather them. */
static const bp_bytes *gather(const uint8_t *keys)
{
    for (size_t i = 0; i < BATCH; i++)
        batch_keys[i] = (bp_bytes){keys + i * KEY, KEY};
    return batch_keys;
}

static uint64_t run_batch(const uint8_t *keys)
{
    static uint8_t hit[BATCH];
    uint64_t yes = 0;
    for (size_t i = 0; i < ASKED; i += BATCH)
        yes += bp_bloom_has_n(ours, gather(keys + i * KEY), BATCH, hit);
    return yes;
}

static uint64_t run_hashes(const uint8_t *keys)
{
    static uint8_t hit[BATCH];
    uint64_t yes = 0;
    (void)keys;
    for (size_t i = 0; i < ASKED; i += BATCH)
        yes += bp_bloom_has_hashes(ours, batch_hashes + i, BATCH, hit);
    return yes;
}

static uint64_t run_single(const uint8_t *keys)
{
    uint64_t yes = 0;
    for (size_t i = 0; i < ASKED; i++)
        yes += bp_bloom_has(ours, keys + i * KEY, KEY);
    return yes;
}

/* Adding members again touches memory as the first time did and changes nothing. */
static uint64_t run_peer_add(const uint8_t *keys)
{
    uint64_t old = 0;
    for (size_t i = 0; i < ASKED; i++)
        old += bloom_add(&peer, keys + i * KEY, KEY) != 0;
    return old;
}

static uint64_t run_add(const uint8_t *keys)
{
    uint64_t fresh = 0;
    for (size_t i = 0; i < ASKED; i += BATCH)
        fresh += bp_bloom_add_n(ours, gather(keys + i * KEY), BATCH, NULL);
    return fresh;
}

static uint64_t run_blocked(const uint8_t *keys)
{
    static uint8_t hit[BATCH];
    uint64_t yes = 0;
    for (size_t i = 0; i < ASKED; i += BATCH)
        yes += bp_blocked_bloom_has_n(blocked, gather(keys + i * KEY), BATCH, hit);
    return yes;
}

static uint64_t run_blocked_hashes(const uint8_t *keys)
{
    static uint8_t hit[BATCH];
    uint64_t yes = 0;
    (void)keys;
    for (size_t i = 0; i < ASKED; i += BATCH)
        yes += bp_blocked_bloom_has_hashes(blocked, batch_hashes + i, BATCH, hit);
    return yes;
}

static uint64_t run_blocked_single(const uint8_t *keys)
{
    uint64_t yes = 0;
    for (size_t i = 0; i < ASKED; i++)
        yes += bp_blocked_bloom_has(blocked, keys + i * KEY, KEY);
    return yes;
}

static uint64_t run_blocked_add(const uint8_t *keys)
{
    uint64_t fresh = 0;
    for (size_t i = 0; i < ASKED; i += BATCH)
        fresh += bp_blocked_bloom_add_n(blocked, gather(keys + i * KEY), BATCH, NULL);
    return fresh;
}

static const struct row {
    const char *name;
    uint64_t (*run)(const uint8_t *keys);
    int strangers;
    int against; /* the row of the peer to compare with */
} rows[] = {
    {"XXH3 alone", run_hash, 0, -1},
    {"memory alone, all probes", run_lines, 0, -1},
    {"libbloom has, members", run_peer, 0, -1},
    {"libbloom has, others", run_peer, 1, -1},
    {"libbloom add, members", run_peer_add, 0, -1},
    {"ballpark has_n, members", run_batch, 0, 2},
    {"ballpark has_n, others", run_batch, 1, 3},
    {"ballpark has_hashes, others", run_hashes, 1, 3},
    {"ballpark has, members", run_single, 0, 2},
    {"ballpark has, others", run_single, 1, 3},
    {"ballpark add_n, members", run_add, 0, 4},
    {"blocked has_n, members", run_blocked, 0, 2},
    {"blocked has_n, others", run_blocked, 1, 3},
    {"blocked has_hashes, others", run_blocked_hashes, 1, 3},
    {"blocked has, members", run_blocked_single, 0, 2},
    {"blocked has, others", run_blocked_single, 1, 3},
    {"blocked add_n, members", run_blocked_add, 0, 4},
};

static void fill(uint64_t n, double fpr)
{
    bp_detail why;
    uint8_t key[KEY];
    if (bp_bloom_new(&ours, &(bp_bloom_config){.items = n, .fpr = fpr}, &why)) {
        fprintf(stderr, "peer_libbloom: %s\n", why.what);
        exit(2);
    }
    bp_bloom_config_of(ours, &config);
    if (bp_blocked_bloom_new(&blocked, &(bp_blocked_bloom_config){.items = n, .fpr = fpr},
                             &why))
        fprintf(stderr, "peer_libbloom: blocked_bloom: %s\n", why.what);
    lines = (uint8_t *)malloc((size_t)config.memory);
    if (!lines)
        exit(2);
    memset(lines, 1, (size_t)config.memory);
    if (n > INT32_MAX || bloom_init(&peer, (int)n, fpr)) {
        fprintf(stderr, "peer_libbloom: libbloom cannot hold that many items\n");
        exit(2);
    }
    for (uint64_t i = 0; i < n; i++) {
        make_key(key, 1, i);
        bp_bloom_add(ours, key, KEY);
        if (blocked)
            bp_blocked_bloom_add(blocked, key, KEY);
        bloom_add(&peer, key, KEY);
    }
}

static void measure(void)
{
    double best[ROWS];
    uint64_t answer[ROWS] = {0};
    const int n = (int)(sizeof rows / sizeof *rows) - (blocked ? 0 : BLOCKED_ROWS);
    for (int i = 0; i < n; i++)
        best[i] = 1e300;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < n; i++) {
            const double start = now();
            answer[i] = rows[i].run(rows[i].strangers ? strangers : members);
            const double t = (now() - start) / ASKED;
            best[i] = t < best[i] ? t : best[i];
            sink += answer[i];
        }
    for (int i = 0; i < n; i++) {
        printf("%-28s %8.2f ns %8.2f x XXH3", rows[i].name, best[i], best[i] / best[0]);
        if (rows[i].against >= 0)
            printf("   %5.2f times faster", best[rows[i].against] / best[i]);
        printf(i > 1 ? "   yes %.4f %%\n" : "\n", 100.0 * (double)answer[i] / ASKED);
    }
}

int main(int argc, char **argv)
{
    items = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
    const double fpr = argc > 2 ? strtod(argv[2], NULL) : 0.01;
    members = (uint8_t *)malloc((size_t)ASKED * KEY);
    strangers = (uint8_t *)malloc((size_t)ASKED * KEY);
    if (!members || !strangers)
        return 2;
    fill(items, fpr);
    uint64_t pick = 42;
    for (size_t i = 0; i < ASKED; i++) {
        make_key(members + i * KEY, 1, bp_range(bp_rng_next(&pick), items));
        make_key(strangers + i * KEY, 2, i);
        batch_hashes[i] = XXH3_64bits(strangers + i * KEY, KEY);
    }
    printf("ballpark %s, libbloom %s, %llu items at %g\n", bp_version(), bloom_version(),
           (unsigned long long)items, fpr);
    measure();
    bp_bloom_free(ours);
    bp_blocked_bloom_free(blocked);
    bloom_free(&peer);
    free(lines);
    free(members);
    free(strangers);
    return 0;
}
