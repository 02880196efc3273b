/* SPDX-License-Identifier: MIT
 * bench.c - nanoseconds a key (or a call) for every kind in the registry.
 *
 *     bench [--json] [--cpu N] [--quick] [KIND...]
 *
 * Each row is the best of nine rounds; in a round every operation of a configuration runs
 * once, one after the other, so that a noisy moment hits them alike, and XXH3 alone over
 * such keys beside them: `x xxh3` is the ratio to it. Keys have 16 bytes and are new in
 * every operation; batches are 4,096 keys. The process is pinned to one core. A kind that
 * is not in the table below is measured with its default configuration. */
#define _GNU_SOURCE
#include <ballpark/ballpark.h>

#include "core/rng.h"
#include "core/xxh.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KEY = 16, KEYS = 1 << 16, BATCH = 4096, ROUNDS = 9, OPS_MAX = 16 };

static uint8_t text[KEYS][KEY];
static bp_bytes keys[KEYS];
static uint64_t hashes[KEYS];
static uint8_t hit[BATCH];
static uint64_t counts[BATCH];
static volatile uint64_t sink;
static int rounds = ROUNDS;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Keys that no operation has had before. */
static void fresh_keys(void)
{
    static uint64_t state = 1;
    for (size_t i = 0; i < KEYS; i++) {
        bp_store64(text[i], bp_rng_next(&state));
        bp_store64(text[i] + 8, bp_rng_next(&state));
        keys[i] = (bp_bytes){text[i], KEY};
    }
    bp_hash_n(NULL, keys, KEYS, hashes);
}

/* --------------------------------------------------------------------- the operations */

typedef struct subject {
    bp_any *s;
    bp_any *other; /* of the same configuration, for merges */
} subject;

/* Runs once; returns how many keys or calls that were. 0: this kind does not do it. */
typedef size_t operation(subject *b);

static size_t xxh3(subject *b)
{
    uint64_t sum = 0;
    (void)b;
    for (size_t i = 0; i < KEYS; i++)
        sum += XXH3_64bits(text[i], KEY);
    sink += sum;
    return KEYS;
}

static size_t add_n(subject *b)
{
    for (size_t i = 0; i < KEYS; i += BATCH)
        if (bp_any_add_n(b->s, keys + i, BATCH, NULL))
            return 0;
    return KEYS;
}

static size_t add_hashes(subject *b)
{
    for (size_t i = 0; i < KEYS; i += BATCH)
        if (bp_any_add_hashes(b->s, hashes + i, BATCH, NULL))
            return 0;
    return KEYS;
}

static size_t add_any(subject *b)
{
    for (size_t i = 0; i < KEYS; i++)
        if (bp_any_add_n(b->s, keys + i, 1, NULL))
            return 0;
    return KEYS;
}

static size_t estimate(subject *b)
{
    bp_estimate e;
    for (int i = 0; i < 16; i++) {
        if (bp_any_estimate(b->s, 0.95, &e, NULL))
            return 0;
        sink += (uint64_t)e.value;
    }
    return 16;
}

/* Calls on small sketches are repeated, so that the clock's own time does not show. */
static size_t repeats(const subject *b)
{
    size_t n = 0;
    (void)bp_any_encode(b->s, NULL, 0, &n, NULL);
    return n < 1 << 17 ? 64 : 1;
}

static size_t merge(subject *b)
{
    const size_t n = repeats(b);
    for (size_t i = 0; i < n; i++)
        if (bp_any_merge(b->other, b->s, NULL))
            return 0;
    return n;
}

static size_t copy(subject *b)
{
    const size_t n = repeats(b);
    for (size_t i = 0; i < n; i++) {
        bp_any *c;
        if (bp_any_clone(&c, b->s, NULL))
            return 0;
        bp_any_free(c);
    }
    return n;
}

static size_t encode(subject *b)
{
    static uint8_t *room;
    static size_t have;
    const size_t n = repeats(b);
    size_t size;
    if (bp_any_encode(b->s, NULL, 0, &size, NULL))
        return 0;
    if (size > have) {
        free(room);
        room = (uint8_t *)calloc(1, size);
        have = room ? size : 0;
    }
    for (size_t i = 0; i < n; i++)
        if (bp_any_encode(b->s, room, have, &size, NULL))
            return 0;
    return n;
}

/* Typed calls: one key at a time, and the questions. */

#define EACH(call)                                                                       \
    uint64_t sum = 0;                                                                    \
    for (size_t i = 0; i < KEYS; i++)                                                    \
        sum += (uint64_t)(call);                                                         \
    sink += sum;                                                                         \
    return KEYS

#define BATCHES(call)                                                                    \
    for (size_t i = 0; i < KEYS; i += BATCH)                                             \
        call;                                                                            \
    return KEYS

static size_t bloom_add(subject *b)
{
    EACH(bp_bloom_add((bp_bloom *)b->s, text[i], KEY));
}

static size_t bloom_has(subject *b)
{
    EACH(bp_bloom_has((bp_bloom *)b->s, text[i], KEY));
}

static size_t bloom_has_n(subject *b)
{
    BATCHES(bp_bloom_has_n((bp_bloom *)b->s, keys + i, BATCH, hit));
}

static size_t bloom_has_hashes(subject *b)
{
    BATCHES(bp_bloom_has_hashes((bp_bloom *)b->s, hashes + i, BATCH, hit));
}

static size_t blocked_bloom_add(subject *b)
{
    EACH(bp_blocked_bloom_add((bp_blocked_bloom *)b->s, text[i], KEY));
}

static size_t blocked_bloom_has(subject *b)
{
    EACH(bp_blocked_bloom_has((bp_blocked_bloom *)b->s, text[i], KEY));
}

static size_t blocked_bloom_has_n(subject *b)
{
    BATCHES(bp_blocked_bloom_has_n((bp_blocked_bloom *)b->s, keys + i, BATCH, hit));
}

static size_t blocked_bloom_has_hashes(subject *b)
{
    BATCHES(
        bp_blocked_bloom_has_hashes((bp_blocked_bloom *)b->s, hashes + i, BATCH, hit));
}

static size_t counting_bloom_add(subject *b)
{
    EACH(bp_counting_bloom_add((bp_counting_bloom *)b->s, text[i], KEY));
}

static size_t counting_bloom_has(subject *b)
{
    EACH(bp_counting_bloom_has((bp_counting_bloom *)b->s, text[i], KEY));
}

static size_t counting_bloom_has_n(subject *b)
{
    BATCHES(bp_counting_bloom_has_n((bp_counting_bloom *)b->s, keys + i, BATCH, hit));
}

static size_t counting_bloom_has_hashes(subject *b)
{
    BATCHES(
        bp_counting_bloom_has_hashes((bp_counting_bloom *)b->s, hashes + i, BATCH, hit));
}

/* Adds keys and takes them out again: what is taken out must have been there. */
static size_t counting_bloom_add_remove(subject *b)
{
    bp_counting_bloom *s = (bp_counting_bloom *)b->s;
    for (size_t i = 0; i < KEYS; i++)
        bp_counting_bloom_add(s, text[i], KEY);
    EACH(bp_counting_bloom_remove(s, text[i], KEY));
}

static size_t counting_bloom_add_remove_n(subject *b)
{
    bp_counting_bloom *s = (bp_counting_bloom *)b->s;
    for (size_t i = 0; i < KEYS; i += BATCH)
        bp_counting_bloom_add_n(s, keys + i, BATCH, NULL);
    BATCHES(bp_counting_bloom_remove_n(s, keys + i, BATCH, hit));
}

/* From empty to capacity: any more might be refused. Making the keys takes 1 ns of each.
 */
static size_t cuckoo_fill(subject *b)
{
    static uint64_t some[BATCH], state = 7;
    bp_cuckoo *s = (bp_cuckoo *)b->s;
    bp_cuckoo_config c;
    bp_cuckoo_config_of(s, &c);
    bp_cuckoo_reset(s);
    for (size_t left = (size_t)c.items, n; left; left -= n) {
        n = left < BATCH ? left : BATCH;
        for (size_t i = 0; i < n; i++)
            some[i] = bp_rng_next(&state);
        if (bp_cuckoo_add_hashes(s, some, n, NULL, NULL, NULL))
            return 0;
    }
    return (size_t)c.items;
}

static size_t cuckoo_has(subject *b)
{
    EACH(bp_cuckoo_has((bp_cuckoo *)b->s, text[i], KEY));
}

static size_t cuckoo_has_n(subject *b)
{
    BATCHES(bp_cuckoo_has_n((bp_cuckoo *)b->s, keys + i, BATCH, hit));
}

static size_t cuckoo_has_hashes(subject *b)
{
    BATCHES(bp_cuckoo_has_hashes((bp_cuckoo *)b->s, hashes + i, BATCH, hit));
}

/* Of keys that are hardly ever in: b->other stays empty but for what is added and
 * removed. */
static size_t cuckoo_add_remove_n(subject *b)
{
    bp_cuckoo *s = (bp_cuckoo *)b->other;
    for (size_t i = 0; i < KEYS; i += BATCH)
        if (bp_cuckoo_add_n(s, keys + i, BATCH, NULL, NULL, NULL))
            return 0;
    BATCHES(bp_cuckoo_remove_n(s, keys + i, BATCH, hit));
}

static size_t scalable_bloom_add(subject *b)
{
    bool was_new;
    EACH(!bp_scalable_bloom_add((bp_scalable_bloom *)b->s, text[i], KEY, &was_new) &&
         was_new);
}

static size_t scalable_bloom_has(subject *b)
{
    EACH(bp_scalable_bloom_has((bp_scalable_bloom *)b->s, text[i], KEY));
}

static size_t scalable_bloom_has_n(subject *b)
{
    BATCHES(bp_scalable_bloom_has_n((bp_scalable_bloom *)b->s, keys + i, BATCH, hit));
}

static size_t scalable_bloom_has_hashes(subject *b)
{
    BATCHES(
        bp_scalable_bloom_has_hashes((bp_scalable_bloom *)b->s, hashes + i, BATCH, hit));
}

/* One filter of KEYS keys, or of as many as the sketch says it is for; making the keys
 * takes 1 ns of each. */
#define BUILDS(T)                                                                        \
    static size_t T##_build(subject *b)                                                  \
    {                                                                                    \
        static uint64_t *all, state = 1;                                                 \
        static void *scratch;                                                            \
        static size_t have;                                                              \
        bp_##T *s = (bp_##T *)b->s;                                                      \
        bp_##T##_config c;                                                               \
        bp_##T##_config_of(s, &c);                                                       \
        const size_t n = c.items ? (size_t)c.items : KEYS;                               \
        const size_t room = bp_##T##_scratch(s, n);                                      \
        if (room != have) {                                                              \
            free(all);                                                                   \
            free(scratch);                                                               \
            all = (uint64_t *)calloc(n, sizeof *all);                                    \
            scratch = calloc(1, room);                                                   \
            have = room;                                                                 \
        }                                                                                \
        for (size_t i = 0; all && i < n; i++)                                            \
            all[i] = bp_rng_next(&state);                                                \
        return all && scratch && !bp_##T##_build_hashes(s, all, n, scratch, room, NULL)  \
                   ? n                                                                   \
                   : 0;                                                                  \
    }
BUILDS(binary_fuse)
BUILDS(ribbon)

static size_t binary_fuse_has(subject *b)
{
    EACH(bp_binary_fuse_has((bp_binary_fuse *)b->s, text[i], KEY));
}

static size_t binary_fuse_has_n(subject *b)
{
    BATCHES(bp_binary_fuse_has_n((bp_binary_fuse *)b->s, keys + i, BATCH, hit));
}

static size_t binary_fuse_has_hashes(subject *b)
{
    BATCHES(bp_binary_fuse_has_hashes((bp_binary_fuse *)b->s, hashes + i, BATCH, hit));
}

static size_t ribbon_has(subject *b)
{
    EACH(bp_ribbon_has((bp_ribbon *)b->s, text[i], KEY));
}

static size_t ribbon_has_n(subject *b)
{
    BATCHES(bp_ribbon_has_n((bp_ribbon *)b->s, keys + i, BATCH, hit));
}

static size_t ribbon_has_hashes(subject *b)
{
    BATCHES(bp_ribbon_has_hashes((bp_ribbon *)b->s, hashes + i, BATCH, hit));
}

static size_t count_min_add(subject *b)
{
    EACH(bp_count_min_add((bp_count_min *)b->s, text[i], KEY, 1));
}

static size_t count_min_count(subject *b)
{
    EACH(bp_count_min_count((bp_count_min *)b->s, text[i], KEY));
}

static size_t count_min_count_n(subject *b)
{
    BATCHES(bp_count_min_count_n((bp_count_min *)b->s, keys + i, BATCH, counts));
}

static size_t hll_add(subject *b)
{
    EACH(bp_hll_add((bp_hll *)b->s, text[i], KEY));
}

static size_t top_k_add(subject *b)
{
    EACH(bp_top_k_add((bp_top_k *)b->s, text[i], KEY, 1));
}

typedef struct named {
    const char *name;
    const char *unit;
    operation *run;
} named;

#define COMMON                                                                           \
    {"xxh3 alone", "key", xxh3}, {"add_n", "key", add_n},                                \
        {"add_hashes", "key", add_hashes}, {"merge", "call", merge},                     \
        {"estimate", "call", estimate}, {"clone", "call", copy},                         \
    {                                                                                    \
        "encode", "call", encode                                                         \
    }

static const named any_ops[OPS_MAX] = {COMMON, {"add", "key", add_any}};
static const named bloom_ops[OPS_MAX] = {COMMON,
                                         {"add", "key", bloom_add},
                                         {"has", "key", bloom_has},
                                         {"has_n", "key", bloom_has_n},
                                         {"has_hashes", "key", bloom_has_hashes}};
static const named blocked_bloom_ops[OPS_MAX] = {
    COMMON,
    {"add", "key", blocked_bloom_add},
    {"has", "key", blocked_bloom_has},
    {"has_n", "key", blocked_bloom_has_n},
    {"has_hashes", "key", blocked_bloom_has_hashes}};
static const named counting_bloom_ops[OPS_MAX] = {
    COMMON,
    {"add", "key", counting_bloom_add},
    {"has", "key", counting_bloom_has},
    {"has_n", "key", counting_bloom_has_n},
    {"has_hashes", "key", counting_bloom_has_hashes},
    {"add+remove", "key", counting_bloom_add_remove},
    {"add+remove_n", "key", counting_bloom_add_remove_n}};
static const named cuckoo_ops[OPS_MAX] = {{"xxh3 alone", "key", xxh3},
                                          {"fill", "key", cuckoo_fill},
                                          {"has", "key", cuckoo_has},
                                          {"has_n", "key", cuckoo_has_n},
                                          {"has_hashes", "key", cuckoo_has_hashes},
                                          {"add+remove_n", "key", cuckoo_add_remove_n},
                                          {"clone", "call", copy},
                                          {"encode", "call", encode}};
static const named scalable_bloom_ops[OPS_MAX] = {
    COMMON,
    {"add", "key", scalable_bloom_add},
    {"has", "key", scalable_bloom_has},
    {"has_n", "key", scalable_bloom_has_n},
    {"has_hashes", "key", scalable_bloom_has_hashes}};
static const named binary_fuse_ops[OPS_MAX] = {
    {"xxh3 alone", "key", xxh3},
    {"build", "key", binary_fuse_build},
    {"has", "key", binary_fuse_has},
    {"has_n", "key", binary_fuse_has_n},
    {"clone", "call", copy},
    {"encode", "call", encode},
    {"has_hashes", "key", binary_fuse_has_hashes}};
static const named ribbon_ops[OPS_MAX] = {{"xxh3 alone", "key", xxh3},
                                          {"build", "key", ribbon_build},
                                          {"has", "key", ribbon_has},
                                          {"has_n", "key", ribbon_has_n},
                                          {"clone", "call", copy},
                                          {"encode", "call", encode},
                                          {"has_hashes", "key", ribbon_has_hashes}};
static const named count_min_ops[OPS_MAX] = {COMMON,
                                             {"add", "key", count_min_add},
                                             {"count", "key", count_min_count},
                                             {"count_n", "key", count_min_count_n}};
static const named hll_ops[OPS_MAX] = {COMMON, {"add", "key", hll_add}};
static const named top_k_ops[OPS_MAX] = {COMMON, {"add", "key", top_k_add}};

/* ----------------------------------------------------------------- the configurations */

static const bp_bloom_config bloom_small = {.items = 100000, .fpr = 0.01};
static const bp_bloom_config bloom_10m = {.items = 10000000, .fpr = 0.01};
static const bp_bloom_config bloom_large = {.items = 200000000, .fpr = 0.01};
static const bp_bloom_config bloom_shared = {
    .items = 10000000, .fpr = 0.01, .concurrent = true};
static const bp_blocked_bloom_config blocked_small = {.items = 100000};
static const bp_blocked_bloom_config blocked_10m = {.items = 10000000};
static const bp_blocked_bloom_config blocked_large = {.items = 200000000};
static const bp_blocked_bloom_config blocked_low = {.items = 10000000, .fpr = 1e-4};
static const bp_blocked_bloom_config blocked_parquet = {
    .items = 10000000,
    .layout = BP_BLOCKED_BLOOM_SPLIT256,
};
static const bp_blocked_bloom_config blocked_shared = {
    .items = 10000000,
    .concurrent = true,
};
static const bp_counting_bloom_config counting_small = {.items = 100000};
static const bp_counting_bloom_config counting_10m = {.items = 10000000};
static const bp_cuckoo_config cuckoo_small = {.items = 100000, .bits = 12};
static const bp_cuckoo_config cuckoo_1m = {.items = 1000000, .bits = 16};
static const bp_cuckoo_config cuckoo_10m = {.items = 10000000, .bits = 16};
static const bp_cuckoo_config cuckoo_eight = {.items = 10000000, .bits = 8};
static const bp_scalable_bloom_config scalable_small = {.items = 1000};
static const bp_scalable_bloom_config scalable_redis = {
    .items = 1000, .layout = BP_SCALABLE_BLOOM_REDIS};
static const bp_scalable_bloom_config scalable_large = {.items = 10000000};
static const bp_binary_fuse_config fuse_small = {.items = 100000};
static const bp_binary_fuse_config fuse_1m = {.items = 1000000};
static const bp_binary_fuse_config fuse_10m = {.items = 10000000};
static const bp_binary_fuse_config fuse_four = {.items = 1000000, .arity = 4};
static const bp_binary_fuse_config fuse_wide = {.items = 1000000, .bits = 16};
static const bp_ribbon_config ribbon_small = {.items = 100000};
static const bp_ribbon_config ribbon_10m = {.items = 10000000};
static const bp_ribbon_config ribbon_wide = {.items = 10000000, .width = 128};
static const bp_ribbon_config ribbon_compact = {.items = 10000000, .compact = true};
static const bp_count_min_config cm_plain = {.width = 2719, .depth = 5};
static const bp_count_min_config cm_conservative = {
    .width = 2719, .depth = 5, .conservative = true};
static const bp_count_min_config cm_large = {.width = 10000000, .depth = 5};
static const bp_hll_config hll_14 = {.precision = 14, .dense = true};
static const bp_hll_config hll_18 = {.precision = 18, .dense = true};
static const bp_hll_config hll_shared = {.precision = 14, .concurrent = true};
static const bp_top_k_config top_10 = {.k = 10};

static const struct variant {
    const char *kind;
    const char *label;
    const void *config;
    const named *ops;
} variants[] = {
    {"bloom", "1 %, 1e5 items, in cache", &bloom_small, bloom_ops},
    {"bloom", "1 %, 1e7 items", &bloom_10m, bloom_ops},
    {"bloom", "1 %, 2e8 items, out of cache", &bloom_large, bloom_ops},
    {"bloom", "1 %, 1e7 items, concurrent", &bloom_shared, bloom_ops},
    {"blocked_bloom", "1 %, 1e5 items, in cache", &blocked_small, blocked_bloom_ops},
    {"blocked_bloom", "1 %, 1e7 items", &blocked_10m, blocked_bloom_ops},
    {"blocked_bloom", "1 %, 2e8 items, out of cache", &blocked_large, blocked_bloom_ops},
    {"blocked_bloom", "0.01 %, 1e7 items", &blocked_low, blocked_bloom_ops},
    {"blocked_bloom", "split256, 1e7 items", &blocked_parquet, blocked_bloom_ops},
    {"blocked_bloom", "1 %, 1e7 items, concurrent", &blocked_shared, blocked_bloom_ops},
    {"counting_bloom", "1 %, 1e5 items, in cache", &counting_small, counting_bloom_ops},
    {"counting_bloom", "1 %, 1e7 items", &counting_10m, counting_bloom_ops},
    {"cuckoo", "12 bits, 1e5 items, in cache", &cuckoo_small, cuckoo_ops},
    {"cuckoo", "16 bits, 1e6 items", &cuckoo_1m, cuckoo_ops},
    {"cuckoo", "16 bits, 1e7 items", &cuckoo_10m, cuckoo_ops},
    {"cuckoo", "8 bits, 1e7 items", &cuckoo_eight, cuckoo_ops},
    {"scalable_bloom", "1 %, grown from 1e3 items", &scalable_small, scalable_bloom_ops},
    {"scalable_bloom", "redis, grown from 1e3 items", &scalable_redis,
     scalable_bloom_ops},
    {"scalable_bloom", "1 %, from 1e7 items", &scalable_large, scalable_bloom_ops},
    {"binary_fuse", "8 bits, 1e5 items, in cache", &fuse_small, binary_fuse_ops},
    {"binary_fuse", "8 bits, 1e6 items", &fuse_1m, binary_fuse_ops},
    {"binary_fuse", "8 bits, 1e7 items", &fuse_10m, binary_fuse_ops},
    {"binary_fuse", "8 bits, 4 places, 1e6 items", &fuse_four, binary_fuse_ops},
    {"binary_fuse", "16 bits, 1e6 items", &fuse_wide, binary_fuse_ops},
    {"ribbon", "1 %, 1e5 items, in cache", &ribbon_small, ribbon_ops},
    {"ribbon", "1 %, 1e7 items", &ribbon_10m, ribbon_ops},
    {"ribbon", "1 %, width 128, 1e7 items", &ribbon_wide, ribbon_ops},
    {"ribbon", "1 %, compact, 1e7 items", &ribbon_compact, ribbon_ops},
    {"count_min", "2719 x 5, plain", &cm_plain, count_min_ops},
    {"count_min", "2719 x 5, conservative", &cm_conservative, count_min_ops},
    {"count_min", "1e7 x 5, out of cache", &cm_large, count_min_ops},
    {"hll", "p 14, dense", &hll_14, hll_ops},
    {"hll", "p 18, dense", &hll_18, hll_ops},
    {"hll", "p 14, concurrent", &hll_shared, hll_ops},
    {"top_k", "k 10, all keys different", &top_10, top_k_ops},
};

/* -------------------------------------------------------------------------- measuring */

static bool json, first = true;

static void report(const char *kind, const char *label, const named *op, double ns,
                   double hash)
{
    if (json) {
        printf("%s\n  {\"kind\": \"%s\", \"config\": \"%s\", \"operation\": \"%s\", "
               "\"per\": \"%s\", \"ns\": %.3f, \"xxh3_ns\": %.3f}",
               first ? "" : ",", kind, label, op->name, op->unit, ns, hash);
        first = false;
        return;
    }
    printf("%-14s %-30s %-12s %10.2f ns/%-4s", kind, label, op->name, ns, op->unit);
    if (strcmp(op->unit, "key") == 0)
        printf(" %6.2f x xxh3", ns / hash);
    printf("\n");
}

static int measure(const bp_kind_info *kind, const char *label, const void *config,
                   const named *ops)
{
    double best[OPS_MAX];
    subject b = {NULL, NULL};
    bp_detail why = {BP_OK, "", 0, 0, 0};
    if (bp_any_new(&b.s, kind->id, config, &why) ||
        bp_any_new(&b.other, kind->id, config, &why)) {
        fprintf(stderr, "bench: %s, %s: %s\n", kind->name, label, why.what);
        bp_any_free(b.s);
        return 1;
    }
    for (size_t i = 0; i < OPS_MAX; i++)
        best[i] = 1e300;
    for (int round = 0; round < rounds; round++)
        for (size_t i = 0; i < OPS_MAX && ops[i].run; i++) {
            fresh_keys();
            const double start = now();
            const size_t n = ops[i].run(&b);
            const double ns = (now() - start) / (double)(n ? n : 1);
            best[i] = n == 0 ? -1 : ns < best[i] ? ns : best[i];
        }
    for (size_t i = 0; i < OPS_MAX && ops[i].run; i++)
        if (best[i] >= 0)
            report(kind->name, label, &ops[i], best[i], best[0]);
    bp_any_free(b.s);
    bp_any_free(b.other);
    return 0;
}

static int measure_kind(const bp_kind_info *kind)
{
    size_t found = 0;
    int bad = 0;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (strcmp(variants[i].kind, kind->name) == 0) {
            bad |= measure(kind, variants[i].label, variants[i].config, variants[i].ops);
            found++;
        }
    return found ? bad : measure(kind, "default", NULL, any_ops);
}

/* To one core, the highest numbered: the first is the busiest. */
static void pin(int cpu)
{
    cpu_set_t set;
    if (cpu < 0 && sched_getaffinity(0, sizeof set, &set) == 0)
        for (int i = 0; i < CPU_SETSIZE; i++)
            cpu = CPU_ISSET(i, &set) ? i : cpu;
    CPU_ZERO(&set);
    CPU_SET(cpu < 0 ? 0 : cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set))
        fprintf(stderr, "bench: cannot stay on core %d; figures are noisier\n", cpu);
}

static bool wanted(const char *name, int n, char **names)
{
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return n == 0;
}

int main(int argc, char **argv)
{
    int cpu = -1, at = 1, bad = 0;
    for (; at < argc && argv[at][0] == '-'; at++) {
        if (strcmp(argv[at], "--json") == 0)
            json = true;
        else if (strcmp(argv[at], "--quick") == 0)
            rounds = 2;
        else if (strcmp(argv[at], "--cpu") == 0 && at + 1 < argc)
            cpu = atoi(argv[++at]);
        else
            return fprintf(stderr, "bench [--json] [--cpu N] [--quick] [KIND...]\n"), 2;
    }
    pin(cpu);
    printf(json ? "[" : "ballpark %s, best of %d, 16-byte keys, batches of 4096\n",
           bp_version(), rounds);
    for (size_t i = 0; bp_any_kind_at(i); i++)
        if (wanted(bp_any_kind_at(i)->name, argc - at, argv + at))
            bad |= measure_kind(bp_any_kind_at(i));
    if (json)
        printf("\n]\n");
    return bad;
}
