/* SPDX-License-Identifier: MIT
 * blocked_bloom_test.c - what a blocked filter answers, its unions and bytes, and the
 * suite's list. */
#include "sketches/blocked_bloom/blocked_bloom_test.h"

#include "core/cpu.h"
#include "keys.h"
#include "vectors/vectors.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { S256 = BP_BLOCKED_BLOOM_SPLIT256 };

static const bp_blocked_bloom_config plain = {.items = 1000};
static const bp_blocked_bloom_config one_block = {.blocks = 1, .items = 20, .hashes = 8};
static const bp_blocked_bloom_config four = {.items = 300, .fpr = 0.1};
static const bp_blocked_bloom_config seven = {.blocks = 5, .hashes = 7};
static const bp_blocked_bloom_config eleven = {.blocks = 6, .hashes = 11};
static const bp_blocked_bloom_config sixteen = {.items = 200, .fpr = 1e-4};
static const bp_blocked_bloom_config parquet = {
    .hash = {.id = BP_HASH_XXH64}, .items = 500, .layout = S256};
static const bp_blocked_bloom_config parquet_odd = {
    .hash = {.id = BP_HASH_XXH64}, .blocks = 3, .layout = S256};
static const bp_blocked_bloom_config split256 = {.memory = 1000, .layout = S256};
static const bp_blocked_bloom_config seeded = {.hash = {.seed = 42}, .items = 500};
static const bp_blocked_bloom_config keyed = {
    .hash = {.id = BP_HASH_SIPHASH24, .key = "a secret, 16 byt"}, .items = 300};
static const bp_blocked_bloom_config concurrent = {.items = 400, .concurrent = true};
static const bp_blocked_bloom_config concurrent_split256 = {
    .items = 400, .layout = S256, .concurrent = true};

static const bp_sample samples[] = {
    {"plain", &plain, {1, 100, 1000, 3000}},
    {"one_block", &one_block, {1, 20, 300}},
    {"four", &four, {300}},
    {"seven", &seven, {100}},
    {"eleven", &eleven, {100}},
    {"sixteen", &sixteen, {200}},
    {"parquet", &parquet, {500}},
    {"parquet_odd", &parquet_odd, {50}},
    {"split256", &split256, {100}},
    {"seeded", &seeded, {500}},
    {"keyed", &keyed, {300}},
    {"concurrent", &concurrent, {400, 900}},
    {"concurrent_split256", &concurrent_split256, {400}},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static const bp_blocked_bloom_config *sample(size_t i)
{
    return (const bp_blocked_bloom_config *)samples[i].config;
}

/* 400 KB and more: past the size from which batches prefetch. hashes 0: a split256. */
static bp_blocked_bloom_config large(uint32_t hashes)
{
    return (bp_blocked_bloom_config){
        .blocks = hashes ? 6251 : 16384, .hashes = hashes, .layout = hashes ? 0 : S256};
}

enum { MANY = 20000 };
static uint8_t key_bytes[MANY][8];
static bp_bytes keys[MANY];
static uint8_t flags[MANY], other_flags[MANY];

/* ------------------------------------------------------------------------- answers */

static void every_added_key_is_found(void **state)
{
    (void)state;
    bp_test_keys(0, MANY, key_bytes, keys);
    for (size_t i = 0; i < SAMPLES + 5; i++) {
        static const uint32_t hashes[5] = {0, 4, 7, 8, 16};
        bp_blocked_bloom *s =
            blocked_make(i < SAMPLES ? *sample(i) : large(hashes[i - SAMPLES]));
        const size_t n = i < SAMPLES ? 2000 : MANY;
        for (size_t from = 0; from < n; from += 500) {
            bp_blocked_bloom_add_n(s, keys + from, 500, NULL);
            assert_int_equal(bp_blocked_bloom_has_n(s, keys, from + 500, flags),
                             from + 500);
            for (size_t j = 0; j < from + 500; j++)
                assert_int_equal(flags[j], 1);
        }
        for (size_t j = 0; j < n; j++)
            assert_true(bp_blocked_bloom_has(s, keys[j].ptr, 8));
        bp_blocked_bloom_free(s);
    }
}

static void an_empty_filter_answers_no(void **state)
{
    (void)state;
    bp_test_keys(0, MANY, key_bytes, keys);
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_blocked_bloom *s = blocked_make(*sample(i));
        bp_estimate e;
        assert_int_equal(bp_blocked_bloom_has_n(s, keys, MANY, NULL), 0);
        assert_false(bp_blocked_bloom_has(s, "", 0));
        assert_false(bp_blocked_bloom_has(s, NULL, 0));
        assert_true(bp_blocked_bloom_fpr(s) == 0);
        assert_int_equal(bp_blocked_bloom_estimate(s, 0.95, &e, NULL), BP_OK);
        assert_true(e.value == 0 && e.lower == 0 && e.upper == 0);
        assert_int_equal(bp_blocked_bloom_estimate(s, 1, &e, NULL), BP_PARAM);
        bp_blocked_bloom_free(s);
    }
}

static void add_says_whether_the_key_was_new(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_blocked_bloom *s = blocked_make(*sample(i));
        for (uint64_t j = 0; j < 3000; j++) {
            uint8_t key[8];
            bp_test_key(j, key);
            const bool had = bp_blocked_bloom_has(s, key, 8);
            assert_int_equal(bp_blocked_bloom_add(s, key, 8), !had);
            assert_false(bp_blocked_bloom_add(s, key, 8));
        }
        bp_blocked_bloom_free(s);
    }
}

/* In one batch with keys twice, near and far apart, and some of them there already, the
 * flags are those of single calls, whichever instructions are used. */
static void compare_batches(bp_blocked_bloom_config cfg, size_t n, const char *variant)
{
    bp_blocked_bloom *one = blocked_make(cfg), *batch = blocked_make(cfg);
    static uint64_t hashes[MANY];
    size_t fresh = 0, yes = 0;
    bp_test_keys(0, n, key_bytes, keys);
    for (size_t i = 0; i < n; i++) {
        if (i % 3 == 2)
            keys[i] = keys[i % 2 ? i - 1 : i / 2];
        hashes[i] = bp_hash(&cfg.hash, keys[i].ptr, 8);
        bp_cpu_allow(0);
        other_flags[i] = bp_blocked_bloom_add(one, keys[i].ptr, 8);
        fresh += other_flags[i];
    }
    bp_cpu_allow(strcmp(variant, "portable") == 0 ? 0 : UINT32_MAX);
    memset(flags, 7, n);
    assert_int_equal(bp_blocked_bloom_add_n(batch, keys, n, flags), fresh);
    assert_memory_equal(flags, other_flags, n);
    assert_int_equal(bp_blocked_bloom_add_n(batch, keys, n, NULL), 0);
    bp_buf a = bp_encoded((bp_any *)one), b = bp_encoded((bp_any *)batch);
    if (!bp_buf_equal(a, b))
        fail_msg("%s: batch and single adds differ", variant);
    bp_buf_free(&a);
    bp_buf_free(&b);
    for (size_t i = 0; i < n; i++) { /* every other one a stranger */
        hashes[i] += i % 2 ? UINT64_C(0x123456789ABCDEF) : 0;
        other_flags[i] = (uint8_t)bp_blocked_bloom_has_hashes(one, hashes + i, 1, NULL);
        yes += other_flags[i];
    }
    memset(flags, 7, n);
    assert_int_equal(bp_blocked_bloom_has_hashes(batch, hashes, n, flags), yes);
    assert_memory_equal(flags, other_flags, n);
    assert_int_equal(bp_blocked_bloom_has_hashes(batch, hashes, n, NULL), yes);
    bp_blocked_bloom_reset(batch);
    memset(flags, 7, n);
    for (size_t i = 0; i < n; i++)
        hashes[i] = bp_hash(&cfg.hash, keys[i].ptr, 8);
    assert_int_equal(bp_blocked_bloom_add_hashes(batch, hashes, n, flags), fresh);
    bp_blocked_bloom_free(one);
    bp_blocked_bloom_free(batch);
}

static void batches_answer_as_single_calls_with_every_instruction_set(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t need;
    } sets[] = {{"portable", 0}, {"avx2", BP_CPU_AVX2}};
    bp_cpu_allow(UINT32_MAX);
    const uint32_t has = bp_cpu();
    for (size_t i = 0; i < 2; i++) {
        if ((has & sets[i].need) != sets[i].need)
            continue;
        for (size_t j = 0; j < SAMPLES; j++)
            compare_batches(*sample(j), 1024, sets[i].name);
        for (uint32_t hashes = 3; hashes <= 16; hashes++) {
            compare_batches(large(hashes == 3 ? 0 : hashes), MANY, sets[i].name);
            compare_batches(large(hashes == 3 ? 0 : hashes), 33, sets[i].name);
        }
        printf("blocked_bloom: %s\n", sets[i].name);
    }
    bp_cpu_allow(UINT32_MAX);
}

static void looking_at_the_bits_is_the_same_with_every_instruction_set(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_blocked_bloom *s = blocked_make(*sample(i));
        bp_estimate e, portable;
        bp_add_range((bp_any *)s, 0, 150);
        bp_cpu_allow(0);
        const double rate = bp_blocked_bloom_fpr(s);
        assert_int_equal(bp_blocked_bloom_estimate(s, 0.95, &portable, NULL), BP_OK);
        bp_cpu_allow(UINT32_MAX);
        assert_true(bp_blocked_bloom_fpr(s) == rate);
        assert_int_equal(bp_blocked_bloom_estimate(s, 0.95, &e, NULL), BP_OK);
        assert_true(e.value == portable.value && e.upper == portable.upper);
        bp_blocked_bloom_free(s);
    }
}

/* ------------------------------------------------------------------ union and health */

static void filters_of_other_designs_are_refused_with_both_values(void **state)
{
    (void)state;
    const bp_blocked_bloom_config c = blocked_solved(plain);
    const struct {
        bp_blocked_bloom_config cfg;
        const char *what;
        uint64_t have, want;
    } row[] = {
        {{.blocks = 32, .items = 1000, .layout = S256},
         "the filters differ in layout",
         1,
         2},
        {{.blocks = c.blocks + 1, .items = 1000},
         "the filters differ in blocks",
         c.blocks,
         c.blocks + 1},
        {{.blocks = c.blocks, .items = 1000, .hashes = 6},
         "the filters differ in hashes",
         8,
         6},
        {{.blocks = c.blocks, .items = 900, .hashes = 8},
         "the filters were made for different items",
         1000,
         900},
        {{.hash = {.seed = 1}, .items = 1000}, "the hash seeds or keys differ", 0, 1},
    };
    bp_blocked_bloom *a = blocked_make(plain);
    bp_add_range((bp_any *)a, 0, 10);
    bp_buf before = bp_encoded((bp_any *)a);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        bp_blocked_bloom *b = blocked_make(row[i].cfg);
        bp_detail why;
        bp_add_range((bp_any *)b, 10, 10);
        assert_int_equal(bp_blocked_bloom_merge(a, b, &why), BP_MISMATCH);
        assert_string_equal(why.what, row[i].what);
        assert_int_equal(why.have, row[i].have);
        assert_int_equal(why.want, row[i].want);
        bp_blocked_bloom_free(b);
    }
    bp_buf after = bp_encoded((bp_any *)a);
    assert_true(bp_buf_equal(before, after));
    bp_buf_free(&before);
    bp_buf_free(&after);
    bp_blocked_bloom_free(a);
}

static bp_health health(const bp_blocked_bloom *s)
{
    bp_description d;
    bp_blocked_bloom_describe(s, &d);
    return d.health;
}

static void health_goes_from_ok_to_near_to_over(void **state)
{
    (void)state;
    for (uint32_t layout = 1; layout <= 2; layout++) {
        bp_blocked_bloom *s = blocked_make((bp_blocked_bloom_config){
            .items = 10000, .layout = layout, .exact_size = true});
        uint64_t seed = 3;
        assert_int_equal(health(s), BP_HEALTH_OK);
        blocked_add_random(s, &seed, 8500);
        assert_int_equal(health(s), BP_HEALTH_OK);
        blocked_add_random(s, &seed, 1000);
        assert_int_equal(health(s), BP_HEALTH_NEAR);
        blocked_add_random(s, &seed, 500); /* full to the last item: not over */
        assert_int_equal(health(s), BP_HEALTH_NEAR);
        blocked_add_random(s, &seed, 1000);
        assert_int_equal(health(s), BP_HEALTH_OVER);
        bp_blocked_bloom_free(s);
    }
}

static void a_full_filter_holds_infinitely_many(void **state)
{
    (void)state;
    static const bp_blocked_bloom_config *const small[] = {&one_block, &seven,
                                                           &parquet_odd};
    for (size_t i = 0; i < 3; i++) {
        bp_blocked_bloom *s = blocked_make(*small[i]);
        bp_estimate e;
        uint64_t seed = 1;
        blocked_add_random(s, &seed, 20000);
        assert_int_equal(bp_blocked_bloom_estimate(s, 0.95, &e, NULL), BP_OK);
        assert_true(isinf(e.value) && isinf(e.upper));
        assert_true(e.lower > 0 && !isinf(e.lower));
        assert_true(bp_blocked_bloom_fpr(s) == 1);
        assert_int_equal(health(s), BP_HEALTH_OVER);
        bp_blocked_bloom_free(s);
    }
}

/* ------------------------------------------------------------------------------ bytes */

/* Where the parameters and the payload begin. */
enum { PARAMS = 56, PAYLOAD = 128 };

static void bytes_that_encode_would_not_write_are_refused(void **state)
{
    (void)state;
    static const char *const length = "the payload is not as long as the blocks say";
    static const char *const hashes =
        "hashes must be 4 to 16 in a split512 and 8 in a split256";
    const struct {
        uint64_t at;    /* the offset that is blamed, from PARAMS */
        size_t poke;    /* the 8 bytes from there that change     */
        uint64_t value; /* to this                                */
        const char *what;
    } row[] = {
        {0, 0, 0, "a split512 has 1 to 2^47 blocks"},
        {0, 0, UINT64_MAX, "a split512 has 1 to 2^47 blocks"},
        {0, 0, 2, length},
        {8, 8, 0, "items must be 1 to 2^62"},
        {8, 8, UINT64_MAX, "items must be 1 to 2^62"},
        {8, 8, 1000,
         "too few blocks for so many items: nearly every key would be answered yes"},
        {16, 16, UINT64_C(8) << 32, "a default, where bytes say what it was"},
        {20, 16, 1, "a default, where bytes say what it was"},
        {16, 16, UINT64_C(8) << 32 | 3, "there is no such layout"},
        {20, 16, UINT64_C(3) << 32 | 1, hashes},
        {20, 16, UINT64_C(17) << 32 | 1, hashes},
        {20, 16, UINT64_C(9) << 32 | 2, hashes},
        {0, 16, UINT64_C(8) << 32 | 2, length},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        bp_blocked_bloom *s = blocked_make(one_block);
        bp_buf b = bp_encoded((bp_any *)s);
        bp_detail why;
        bp_blocked_bloom_free(s);
        bp_store64(b.p + PARAMS + row[i].poke, row[i].value);
        bp_repair(b.p, b.n);
        assert_int_equal(bp_blocked_bloom_decode(&s, b.p, b.n, NULL, &why), BP_CORRUPT);
        assert_string_equal(why.what, row[i].what);
        assert_int_equal(why.at, PARAMS + row[i].at);
        bp_buf_free(&b);
    }
}

/* Const functions of a view that nobody verified: any payload, at any address. */
static void an_unverified_view_is_safe_on_any_payload(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_blocked_bloom *made = blocked_make(*sample(i));
        bp_buf b = bp_encoded((bp_any *)made);
        uint8_t *moved = malloc(b.n + 1);
        assert_non_null(moved);
        memcpy(moved + 1, b.p, b.n);
        memset(moved + 1 + PAYLOAD, 0xFF, b.n - PAYLOAD);
        const bp_blocked_bloom *s;
        const bp_open how = {
            .key = sample(i)->hash.id == BP_HASH_SIPHASH24 ? sample(i)->hash.key : NULL};
        assert_int_equal(bp_blocked_bloom_view(&s, moved + 1, b.n, &how, NULL), BP_OK);
        bp_estimate e;
        bp_description d;
        assert_true(bp_blocked_bloom_has(s, "key", 3));
        assert_true(bp_blocked_bloom_fpr(s) == 1);
        assert_int_equal(bp_blocked_bloom_estimate(s, 0.95, &e, NULL), BP_OK);
        assert_true(isinf(e.value));
        bp_blocked_bloom_describe(s, &d);
        assert_int_equal(bp_blocked_bloom_merge(made, s, NULL), BP_OK);
        assert_true(bp_blocked_bloom_fpr(made) == 1);
        bp_blocked_bloom_free(s);
        bp_blocked_bloom_free(made);
        bp_buf_free(&b);
        free(moved);
    }
}

static void without_its_key_a_filter_neither_says_no_nor_takes_keys(void **state)
{
    (void)state;
    bp_blocked_bloom *made = blocked_make(keyed), *s;
    bp_add_range((bp_any *)made, 0, 100);
    bp_buf b = bp_encoded((bp_any *)made);
    const bp_open how = {.flags = BP_OPEN_KEYLESS};
    bp_detail why;
    uint8_t flag[2] = {7, 7};
    const bp_bytes two[2] = {{"a", 1}, {"b", 1}};
    assert_int_equal(bp_blocked_bloom_decode(&s, b.p, b.n, &how, NULL), BP_OK);
    assert_true(bp_blocked_bloom_has(s, "a", 1));
    assert_int_equal(bp_blocked_bloom_has_n(s, two, 2, flag), 2);
    assert_int_equal(flag[0] + flag[1], 2);
    assert_false(bp_blocked_bloom_add(s, "a", 1));
    assert_int_equal(bp_blocked_bloom_add_n(s, two, 2, flag), 0);
    assert_int_equal(flag[0] + flag[1], 0);
    assert_int_equal(bp_any_add_n((bp_any *)s, two, 2, &why), BP_UNSUPPORTED);
    bp_buf after = bp_encoded((bp_any *)s);
    assert_true(bp_buf_equal(b, after));
    const uint64_t hash = bp_hash(&keyed.hash, "a", 1); /* made with the key elsewhere */
    assert_int_equal(bp_blocked_bloom_add_hashes(s, &hash, 1, NULL), 1);
    assert_int_equal(bp_blocked_bloom_merge(made, s, NULL), BP_OK);
    assert_true(bp_blocked_bloom_has(made, "a", 1));
    bp_blocked_bloom_free(made);
    bp_blocked_bloom_free(s);
    bp_buf_free(&b);
    bp_buf_free(&after);
}

/* ---------------------------------------------------------------------------- threads */

enum { THREADS = 4 };

typedef struct work {
    bp_blocked_bloom *s;
    uint64_t first, n;
    size_t fresh;
} work;

static void *add_range(void *arg)
{
    work *w = (work *)arg;
    for (uint64_t i = 0; i < w->n; i++) {
        uint8_t key[8];
        bp_test_key(w->first + i, key);
        w->fresh += bp_blocked_bloom_add(w->s, key, 8);
    }
    return NULL;
}

/* Every key by two threads, which the harness of threads does not do: the bytes are those
 * of one thread, and each key was new to one of the two at least. */
static void threads_that_add_the_same_keys_lose_none(void **state)
{
    (void)state;
    const uint64_t each = bp_test_quick ? 2000 : 50000;
    for (uint32_t layout = 1; layout <= 2; layout++) {
        bp_blocked_bloom_config cfg = {
            .items = 2 * each, .layout = layout, .concurrent = true};
        bp_blocked_bloom *s = blocked_make(cfg);
        pthread_t thread[THREADS];
        work w[THREADS];
        for (size_t i = 0; i < THREADS; i++) {
            w[i] = (work){s, i / 2 * each, each, 0};
            pthread_create(&thread[i], NULL, add_range, &w[i]);
        }
        size_t fresh = 0;
        for (size_t i = 0; i < THREADS; i++) {
            pthread_join(thread[i], NULL);
            fresh += w[i].fresh;
        }
        cfg.concurrent = false;
        bp_blocked_bloom *alone = blocked_make(cfg);
        work all = {alone, 0, 2 * each, 0};
        add_range(&all);
        bp_buf a = bp_encoded((bp_any *)s), b = bp_encoded((bp_any *)alone);
        assert_true(bp_buf_equal(a, b));
        assert_true((double)fresh >= 0.99 * (double)all.fresh);
        bp_buf_free(&a);
        bp_buf_free(&b);
        bp_blocked_bloom_free(s);
        bp_blocked_bloom_free(alone);
    }
}

/* Two threads in the same few blocks at the same moment, each bit set by one of them and
 * never again: an update that is lost stays lost. */
enum { ROUNDS = 256, EACH = 320 };

typedef struct rival {
    bp_blocked_bloom *s;
    uint64_t seed;
    unsigned *arrived; /* NULL: alone */
} rival;

static void *add_among_rivals(void *arg)
{
    const rival *r = (const rival *)arg;
    uint64_t rng = r->seed;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t hashes[EACH];
        for (size_t i = 0; i < EACH; i++) {
            const uint64_t block = round * 16 + bp_rng_next(&rng) % 16; /* of 4,096 */
            hashes[i] = block << 52 | bp_rng_next(&rng) >> 12;
        }
        if (r->arrived) {
            __atomic_add_fetch(r->arrived, 1, __ATOMIC_RELAXED);
            while (__atomic_load_n(r->arrived, __ATOMIC_RELAXED) < 2 * (round + 1))
                sched_yield();
        }
        bp_blocked_bloom_add_hashes(r->s, hashes, EACH, NULL);
    }
    return NULL;
}

static void no_update_is_lost_where_threads_meet(void **state)
{
    (void)state;
    static const bp_blocked_bloom_config kinds[] = {
        {.blocks = 4096, .concurrent = true},
        {.blocks = 4096, .hashes = 16, .concurrent = true},
        {.blocks = 4096, .layout = S256, .concurrent = true},
    };
    for (size_t i = 0; i < 3; i++) {
        bp_blocked_bloom *both = blocked_make(kinds[i]), *alone = blocked_make(kinds[i]);
        unsigned arrived = 0;
        rival a = {both, 1, &arrived}, b = {both, 2, &arrived};
        pthread_t thread;
        pthread_create(&thread, NULL, add_among_rivals, &a);
        add_among_rivals(&b);
        pthread_join(thread, NULL);
        a = (rival){alone, 1, NULL};
        b = (rival){alone, 2, NULL};
        add_among_rivals(&a);
        add_among_rivals(&b);
        bp_buf x = bp_encoded((bp_any *)both), y = bp_encoded((bp_any *)alone);
        assert_true(bp_buf_equal(x, y));
        bp_buf_free(&x);
        bp_buf_free(&y);
        bp_blocked_bloom_free(both);
        bp_blocked_bloom_free(alone);
    }
}

/* ---------------------------------------------------------------------------- vectors */

static void configure(const json_t *json, void *cfg)
{
    bp_blocked_bloom_config *c = (bp_blocked_bloom_config *)cfg;
    c->items = bp_json_whole_or(json, "items", 0);
    c->fpr = bp_json_real_or(json, "fpr", 0);
    c->blocks = bp_json_whole_or(json, "blocks", 0);
    c->hashes = (uint32_t)bp_json_whole_or(json, "hashes", 0);
    c->layout = (uint32_t)bp_json_whole_or(json, "layout", 0);
}

/* A filter with that hash alone has exactly the bits set that the vector lists. */
static void positions(const bp_any *s, uint64_t hash, const json_t *expected)
{
    bp_any *only;
    assert_int_equal(bp_any_clone(&only, s, NULL), BP_OK);
    bp_any_reset(only);
    assert_int_equal(bp_any_add_hashes(only, &hash, 1, NULL), BP_OK);
    bp_buf b = bp_encoded(only);
    bp_any_free(only);
    bp_blocked_bloom_config c;
    bp_any_config_of(s, &c);
    assert_int_equal(json_array_size(expected), c.hashes);
    for (size_t i = 0; i < c.hashes; i++) {
        const uint64_t p = bp_json_number(json_array_get(expected, i));
        assert_true(p < c.memory * 8);
        assert_true(b.p[PAYLOAD + p / 8] >> (p % 8) & 1);
        b.p[PAYLOAD + p / 8] &= (uint8_t) ~(1u << (p % 8));
    }
    for (size_t i = 0; i < c.memory; i++)
        assert_int_equal(b.p[PAYLOAD + i], 0);
    bp_buf_free(&b);
}

static void positions_and_bytes_are_those_of_the_vectors(void **state)
{
    (void)state;
    bp_vectors_check("blocked_bloom", configure, positions);
}

/* ------------------------------------------------------------------------- the suite */

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bits_a_key_are_those_of_the_exact_sum),
    cmocka_unit_test(the_rate_is_the_sum_in_closed_form),
    cmocka_unit_test(the_usual_formula_would_err_half_as_often_again),
    cmocka_unit_test(what_is_given_decides_the_rest_of_a_blocked_filter),
    cmocka_unit_test(size_and_config_of_make_the_same_blocked_filter_again),
    cmocka_unit_test(rates_that_waste_memory_are_refused_with_advice),
    cmocka_unit_test(contradictions_of_blocks_are_refused_in_words),
    cmocka_unit_test(every_added_key_is_found),
    cmocka_unit_test(an_empty_filter_answers_no),
    cmocka_unit_test(add_says_whether_the_key_was_new),
    cmocka_unit_test(batches_answer_as_single_calls_with_every_instruction_set),
    cmocka_unit_test(looking_at_the_bits_is_the_same_with_every_instruction_set),
    cmocka_unit_test(filters_of_other_designs_are_refused_with_both_values),
    cmocka_unit_test(health_goes_from_ok_to_near_to_over),
    cmocka_unit_test(a_full_filter_holds_infinitely_many),
    cmocka_unit_test(a_folded_filter_is_the_smaller_one_with_the_same_keys),
    cmocka_unit_test(a_filter_folds_to_divisors_of_its_blocks_alone),
    cmocka_unit_test(the_rate_measured_before_a_fold_is_not_said_of_the_folded),
    cmocka_unit_test(a_split256_is_parquets_filter_byte_for_byte),
    cmocka_unit_test(bytes_that_encode_would_not_write_are_refused),
    cmocka_unit_test(an_unverified_view_is_safe_on_any_payload),
    cmocka_unit_test(without_its_key_a_filter_neither_says_no_nor_takes_keys),
    cmocka_unit_test(threads_that_add_the_same_keys_lose_none),
    cmocka_unit_test(no_update_is_lost_where_threads_meet),
    cmocka_unit_test(positions_and_bytes_are_those_of_the_vectors),
    cmocka_unit_test(blocked_false_positives_come_at_the_exact_rate),
    cmocka_unit_test(a_blocked_rate_three_percent_off_would_be_caught),
    cmocka_unit_test(the_rate_now_is_that_of_strangers_asked),
    cmocka_unit_test(estimates_from_blocks_are_unbiased_and_their_bounds_hold),
    cmocka_unit_test(an_estimate_from_blocks_three_percent_off_would_be_caught),
    cmocka_unit_test(blocked_filters_beyond_two_to_the_32_bits_are_right),
};

const bp_suite bp_suite_blocked_bloom = {
    .name = "blocked_bloom",
    .tests = tests,
    .test_count = sizeof tests / sizeof *tests,
    .samples = samples,
    .sample_count = SAMPLES,
};
