/* SPDX-License-Identifier: MIT
 * bloom_test.c - what a filter answers, its unions and bytes, and the suite's list. */
#include "sketches/bloom/bloom_test.h"

#include "core/cpu.h"
#include "keys.h"
#include "vectors/vectors.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const bp_bloom_config plain = {.items = 1000, .fpr = 0.01};
static const bp_bloom_config two_words = {.bits = 100, .hashes = 3, .items = 10};
static const bp_bloom_config one_bit = {.bits = 1, .hashes = 1};
static const bp_bloom_config one_hash = {.bits = 3000, .hashes = 1, .items = 500};
static const bp_bloom_config two_hashes = {.memory = 1000, .hashes = 2};
static const bp_bloom_config many_hashes = {.items = 100, .fpr = 1e-15};
static const bp_bloom_config most_hashes = {.memory = 2048, .hashes = 64, .items = 100};
static const bp_bloom_config seeded = {.hash = {.seed = 42}, .items = 500, .fpr = 0.1};
static const bp_bloom_config keyed = {
    .hash = {.id = BP_HASH_SIPHASH24, .key = "a secret, 16 byt"}, .items = 300};
static const bp_bloom_config concurrent = {.items = 400, .concurrent = true};

static const bp_sample samples[] = {
    {"plain", &plain, {1, 100, 1000, 3000}},
    {"two_words", &two_words, {1, 10}},
    {"one_bit", &one_bit, {1}},
    {"one_hash", &one_hash, {500}},
    {"two_hashes", &two_hashes, {1000}},
    {"many_hashes", &many_hashes, {100, 300}},
    {"most_hashes", &most_hashes, {100}},
    {"seeded", &seeded, {500}},
    {"keyed", &keyed, {300}},
    {"concurrent", &concurrent, {400, 900}},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static const bp_bloom_config *sample(size_t i)
{
    return (const bp_bloom_config *)samples[i].config;
}

/* 400 KB: past the size from which batches prefetch. */
static bp_bloom_config large(uint32_t hashes)
{
    return (bp_bloom_config){.bits = 3200003, .hashes = hashes};
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
        static const uint32_t hashes[5] = {1, 2, 3, 7, 64};
        bp_bloom *s = bloom_make(i < SAMPLES ? *sample(i) : large(hashes[i - SAMPLES]));
        const size_t n = i < SAMPLES ? 2000 : MANY;
        for (size_t from = 0; from < n; from += 500) {
            bp_bloom_add_n(s, keys + from, 500, NULL);
            assert_int_equal(bp_bloom_has_n(s, keys, from + 500, flags), from + 500);
            for (size_t j = 0; j < from + 500; j++)
                assert_int_equal(flags[j], 1);
        }
        for (size_t j = 0; j < n; j++)
            assert_true(bp_bloom_has(s, keys[j].ptr, 8));
        bp_bloom_free(s);
    }
}

static void an_empty_filter_answers_no(void **state)
{
    (void)state;
    bp_test_keys(0, MANY, key_bytes, keys);
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_bloom *s = bloom_make(*sample(i));
        assert_int_equal(bp_bloom_has_n(s, keys, MANY, NULL), 0);
        assert_false(bp_bloom_has(s, "", 0));
        assert_false(bp_bloom_has(s, NULL, 0));
        assert_true(bp_bloom_fpr(s) == 0);
        bp_bloom_free(s);
    }
}

static void add_says_whether_the_key_was_new(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_bloom *s = bloom_make(*sample(i));
        for (uint64_t j = 0; j < 3000; j++) {
            uint8_t key[8];
            bp_test_key(j, key);
            const bool had = bp_bloom_has(s, key, 8);
            assert_int_equal(bp_bloom_add(s, key, 8), !had);
            assert_false(bp_bloom_add(s, key, 8));
        }
        bp_bloom_free(s);
    }
}

/* In one batch with every key twice and some of them there already, the flags are those
 * of single calls, whichever instructions are used. */
static void compare_batches(bp_bloom_config cfg, size_t n, const char *variant)
{
    bp_bloom *one = bloom_make(cfg), *batch = bloom_make(cfg);
    static uint64_t hashes[MANY];
    size_t fresh = 0, yes = 0;
    bp_test_keys(0, n, key_bytes, keys);
    for (size_t i = 0; i < n; i++) {
        if (i % 3 == 2)
            keys[i] = keys[i / 2];
        hashes[i] = bp_hash(&cfg.hash, keys[i].ptr, 8);
        other_flags[i] = bp_bloom_add(one, keys[i].ptr, 8);
        fresh += other_flags[i];
    }
    memset(flags, 7, n);
    assert_int_equal(bp_bloom_add_n(batch, keys, n, flags), fresh);
    assert_memory_equal(flags, other_flags, n);
    assert_int_equal(bp_bloom_add_n(batch, keys, n, NULL), 0);
    bp_buf a = bp_encoded((bp_any *)one), b = bp_encoded((bp_any *)batch);
    if (!bp_buf_equal(a, b))
        fail_msg("%s: batch and single adds differ", variant);
    bp_buf_free(&a);
    bp_buf_free(&b);
    for (size_t i = 0; i < n; i++) { /* every other one a stranger */
        hashes[i] += i % 2 ? UINT64_C(0x123456789ABCDEF) : 0;
        other_flags[i] = (uint8_t)bp_bloom_has_hashes(one, hashes + i, 1, NULL);
        yes += other_flags[i];
    }
    memset(flags, 7, n);
    assert_int_equal(bp_bloom_has_hashes(batch, hashes, n, flags), yes);
    assert_memory_equal(flags, other_flags, n);
    assert_int_equal(bp_bloom_has_hashes(batch, hashes, n, NULL), yes);
    bp_bloom_free(one);
    bp_bloom_free(batch);
}

static void batches_answer_as_single_calls_with_every_instruction_set(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t allow, need;
    } sets[] = {{"portable", 0, 0}, {"avx2", BP_CPU_AVX2, BP_CPU_AVX2}};
    bp_cpu_allow(UINT32_MAX);
    const uint32_t has = bp_cpu();
    for (size_t i = 0; i < 2; i++) {
        if ((has & sets[i].need) != sets[i].need)
            continue;
        bp_cpu_allow(sets[i].allow);
        for (size_t j = 0; j < SAMPLES; j++)
            compare_batches(*sample(j), 999, sets[i].name);
        for (uint32_t hashes = 1; hashes <= 64; hashes += hashes < 9 ? 1 : 11) {
            compare_batches(large(hashes), MANY, sets[i].name);
            compare_batches(large(hashes), 33, sets[i].name);
        }
        printf("bloom: %s\n", sets[i].name);
    }
    bp_cpu_allow(UINT32_MAX);
}

static void counting_bits_is_the_same_with_every_instruction_set(void **state)
{
    (void)state;
    for (uint64_t words = 1; words < 40; words++) {
        bp_bloom *s = bloom_make((bp_bloom_config){.bits = words * 64 - 3, .hashes = 2});
        uint64_t seed = words;
        bloom_add_random(s, &seed, words * 10);
        bp_cpu_allow(0);
        const double portable = bp_bloom_fpr(s);
        bp_cpu_allow(UINT32_MAX);
        assert_true(bp_bloom_fpr(s) == portable);
        bp_buf b = bp_encoded((bp_any *)s);
        double set = 0;
        for (size_t i = 0; i < words * 64; i++)
            set += b.p[128 + i / 8] >> (i % 8) & 1;
        assert_true(fabs(portable - pow(set / (double)(words * 64 - 3), 2)) < 1e-12);
        bp_buf_free(&b);
        bp_bloom_free(s);
    }
}

/* ------------------------------------------------------------------ union and health */

static void a_union_is_the_filter_of_both_streams(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_bloom *a = bloom_make(*sample(i)), *b = bloom_make(*sample(i)),
                 *both = bloom_make(*sample(i));
        bp_add_range((bp_any *)a, 0, 60);
        bp_add_range((bp_any *)b, 40, 60);
        bp_add_range((bp_any *)both, 0, 100);
        assert_int_equal(bp_bloom_merge(a, b, NULL), BP_OK);
        bp_buf x = bp_encoded((bp_any *)a), y = bp_encoded((bp_any *)both);
        assert_true(bp_buf_equal(x, y));
        bp_buf_free(&x);
        bp_buf_free(&y);
        bp_bloom_free(a);
        bp_bloom_free(b);
        bp_bloom_free(both);
    }
}

static void filters_of_other_designs_are_refused_with_both_values(void **state)
{
    (void)state;
    static const struct {
        bp_bloom_config cfg;
        const char *what;
        uint64_t have, want;
    } row[] = {
        {{.items = 1001, .fpr = 0.01}, "the filters differ in bits", 9586, 9595},
        {{.bits = 9586, .items = 1000, .hashes = 6},
         "the filters differ in hashes",
         7,
         6},
        {{.bits = 9586, .items = 900, .hashes = 7},
         "the filters were made for different items",
         1000,
         900},
        {{.bits = 9586, .items = 1000, .hashes = 7},
         "the filters were made for different rates (in units of 1e-18)",
         10000000000000000,
         0},
        {{.hash = {.seed = 1}, .items = 1000}, "the hash seeds or keys differ", 0, 1},
    };
    bp_bloom *a = bloom_make(plain);
    bp_add_range((bp_any *)a, 0, 10);
    bp_buf before = bp_encoded((bp_any *)a);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        bp_bloom *b = bloom_make(row[i].cfg);
        bp_detail why;
        bp_add_range((bp_any *)b, 10, 10);
        assert_int_equal(bp_bloom_merge(a, b, &why), BP_MISMATCH);
        assert_string_equal(why.what, row[i].what);
        assert_int_equal(why.have, row[i].have);
        if (row[i].want)
            assert_int_equal(why.want, row[i].want);
        assert_true(why.have != why.want);
        bp_bloom_free(b);
    }
    bp_buf after = bp_encoded((bp_any *)a);
    assert_true(bp_buf_equal(before, after));
    bp_buf_free(&before);
    bp_buf_free(&after);
    bp_bloom_free(a);
}

static bp_health health(const bp_bloom *s)
{
    bp_description d;
    bp_bloom_describe(s, &d);
    return d.health;
}

static void health_goes_from_ok_to_near_to_over(void **state)
{
    (void)state;
    bp_bloom *s = bloom_make((bp_bloom_config){.items = 10000, .fpr = 0.01});
    uint64_t seed = 3;
    assert_int_equal(health(s), BP_HEALTH_OK);
    bloom_add_random(s, &seed, 8500);
    assert_int_equal(health(s), BP_HEALTH_OK);
    bloom_add_random(s, &seed, 1000);
    assert_int_equal(health(s), BP_HEALTH_NEAR);
    bloom_add_random(s, &seed, 500); /* full to the last item: not over */
    assert_int_equal(health(s), BP_HEALTH_NEAR);
    bloom_add_random(s, &seed, 1000);
    assert_int_equal(health(s), BP_HEALTH_OVER);
    bp_bloom_free(s);
}

static void a_union_of_full_filters_says_that_it_is_over(void **state)
{
    (void)state;
    bp_bloom *a = bloom_make(plain), *b = bloom_make(plain);
    uint64_t seed = 5;
    bloom_add_random(a, &seed, 900);
    bloom_add_random(b, &seed, 900);
    assert_true(health(a) != BP_HEALTH_OVER && health(b) != BP_HEALTH_OVER);
    assert_int_equal(bp_bloom_merge(a, b, NULL), BP_OK);
    assert_int_equal(health(a), BP_HEALTH_OVER);
    bp_bloom_free(a);
    bp_bloom_free(b);
}

static void a_full_filter_holds_infinitely_many(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        bp_bloom *s = bloom_make(i ? two_words : one_bit);
        bp_estimate e;
        uint64_t seed = 1;
        bloom_add_random(s, &seed, 10000);
        assert_int_equal(bp_bloom_estimate(s, 0.95, &e, NULL), BP_OK);
        assert_true(isinf(e.value) && isinf(e.upper));
        assert_true(e.lower > 0 && !isinf(e.lower));
        assert_true(bp_bloom_fpr(s) == 1);
        assert_int_equal(health(s), i ? BP_HEALTH_OVER : BP_HEALTH_NEAR);
        bp_bloom_free(s);
    }
}

/* ------------------------------------------------------------------------------ bytes */

/* Where the parameters and the payload begin. */
enum { PARAMS = 56, PAYLOAD = 128 };

static bp_status opened(bp_buf b, bp_detail *why)
{
    bp_bloom *s;
    bp_repair(b.p, b.n);
    const bp_status st = bp_bloom_decode(&s, b.p, b.n, NULL, why);
    bp_bloom_free(s);
    return st;
}

static void bytes_that_encode_would_not_write_are_refused(void **state)
{
    (void)state;
    const uint64_t minus_zero = UINT64_C(1) << 63;
    /* one hash, half of the bits set at capacity, to ten digits */
    static const bp_bloom_config half = {.bits = 36744, .hashes = 1, .items = 25469};
    const struct {
        const bp_bloom_config *cfg;
        uint64_t at;    /* the offset that is blamed */
        size_t poke;    /* the 8 bytes that change   */
        uint64_t value; /* to this                   */
        const char *what;
    } row[] = {
        {&two_words, PARAMS, PARAMS, 0, "a filter has 1 to 2^56 bits"},
        {&two_words, PARAMS, PARAMS, UINT64_MAX, "a filter has 1 to 2^56 bits"},
        {&two_words, PARAMS, PARAMS, 129, "the payload is not as long as the bits say"},
        {&two_words, PARAMS, PARAMS, 64, "the payload is not as long as the bits say"},
        {&two_words, PARAMS + 8, PARAMS + 8, 0, "items must be 1 to 2^62"},
        {&two_words, PARAMS + 8, PARAMS + 8, UINT64_MAX, "items must be 1 to 2^62"},
        {&two_words, PARAMS + 8, PARAMS + 8, 1000,
         "too small for so many items: nearly every key would be answered yes"},
        {&two_words, PARAMS + 16, PARAMS + 16, minus_zero, "a rate of minus zero"},
        {&two_words, PARAMS + 16, PARAMS + 16, UINT64_C(0x3FE0000000000000),
         "size and hashes are not those of the items and the rate"},
        {&two_words, PARAMS + 16, PARAMS + 16, UINT64_C(0x7FF8000000000000),
         "the false positive rate must lie between 1e-15 and 0.5 (1 % is 0.01)"},
        {&half, PARAMS + 16, PARAMS + 16, UINT64_C(0x3FE0000000000000),
         "a rate is stored that follows from the rest"},
        {&two_words, PARAMS + 24, PARAMS + 24, 0, "hashes must be 1 to 64"},
        {&two_words, PARAMS + 24, PARAMS + 24, 65, "hashes must be 1 to 64"},
        {&two_words, PARAMS + 28, PARAMS + 24, UINT64_C(3) << 32 | 3,
         "reserved parameter bytes are not zero"},
        {&two_words, PAYLOAD + 8, PAYLOAD + 8, UINT64_C(1) << 36, "a padding bit is set"},
        {&two_words, PAYLOAD + 8, PAYLOAD + 8, UINT64_C(1) << 63, "a padding bit is set"},
        {&plain, PARAMS + 16, PARAMS, 9587,
         "size and hashes are not those of the items and the rate"},
        {&plain, PARAMS + 16, PARAMS + 24, 6,
         "size and hashes are not those of the items and the rate"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        bp_bloom *s = bloom_make(*row[i].cfg);
        bp_buf b = bp_encoded((bp_any *)s);
        bp_detail why = {BP_OK, "", 0, 0, 0};
        bp_bloom_free(s);
        assert_int_equal(opened(b, &why), BP_OK);
        bp_store64(b.p + row[i].poke, row[i].value);
        if (opened(b, &why) != BP_CORRUPT)
            fail_msg("row %zu is taken", i);
        assert_string_equal(why.what, row[i].what);
        assert_int_equal(why.at, row[i].at);
        bp_buf_free(&b);
    }
}

static void the_last_bits_before_the_padding_are_taken(void **state)
{
    (void)state;
    bp_bloom *s = bloom_make(two_words);
    bp_buf b = bp_encoded((bp_any *)s);
    bp_bloom_free(s);
    bp_store64(b.p + PAYLOAD + 8, (UINT64_C(1) << 36) - 1);
    assert_int_equal(opened(b, NULL), BP_OK);
    bp_buf_free(&b);
}

/* Const functions of a view that nobody verified: any payload, at any address. */
static void an_unverified_view_is_safe_on_any_payload(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_bloom *made = bloom_make(*sample(i));
        bp_buf b = bp_encoded((bp_any *)made);
        uint8_t *moved = malloc(b.n + 1);
        assert_non_null(moved);
        memcpy(moved + 1, b.p, b.n);
        memset(moved + 1 + PAYLOAD, 0xFF, b.n - PAYLOAD);
        const bp_bloom *s;
        const bp_open how = {.key = sample(i)->hash.id ? sample(i)->hash.key : NULL};
        assert_int_equal(bp_bloom_view(&s, moved + 1, b.n, &how, NULL), BP_OK);
        bp_estimate e;
        bp_description d;
        assert_true(bp_bloom_has(s, "key", 3));
        assert_true(bp_bloom_fpr(s) == 1);
        assert_int_equal(bp_bloom_estimate(s, 0.95, &e, NULL), BP_OK);
        assert_true(isinf(e.value));
        bp_bloom_describe(s, &d);
        assert_int_equal(bp_bloom_merge(made, s, NULL), BP_OK);
        bp_bloom_free(s);
        bp_bloom_free(made);
        bp_buf_free(&b);
        free(moved);
    }
}

static void without_its_key_a_filter_neither_says_no_nor_takes_keys(void **state)
{
    (void)state;
    bp_bloom *made = bloom_make(keyed), *s;
    bp_add_range((bp_any *)made, 0, 100);
    bp_buf b = bp_encoded((bp_any *)made);
    const bp_open how = {.flags = BP_OPEN_KEYLESS};
    bp_detail why;
    uint8_t flag[2] = {7, 7};
    const bp_bytes two[2] = {{"a", 1}, {"b", 1}};
    assert_int_equal(bp_bloom_decode(&s, b.p, b.n, &how, NULL), BP_OK);
    assert_true(bp_bloom_has(s, "a", 1));
    assert_int_equal(bp_bloom_has_n(s, two, 2, flag), 2);
    assert_int_equal(flag[0] + flag[1], 2);
    assert_false(bp_bloom_add(s, "a", 1));
    assert_int_equal(bp_bloom_add_n(s, two, 2, flag), 0);
    assert_int_equal(flag[0] + flag[1], 0);
    assert_int_equal(bp_any_add_n((bp_any *)s, two, 2, &why), BP_UNSUPPORTED);
    bp_buf after = bp_encoded((bp_any *)s);
    assert_true(bp_buf_equal(b, after));
    const uint64_t hash = bp_hash(&keyed.hash, "a", 1); /* made with the key elsewhere */
    assert_int_equal(bp_bloom_add_hashes(s, &hash, 1, NULL), 1);
    assert_int_equal(bp_bloom_merge(made, s, NULL), BP_OK);
    assert_true(bp_bloom_has(made, "a", 1));
    bp_bloom_free(made);
    bp_bloom_free(s);
    bp_buf_free(&b);
    bp_buf_free(&after);
}

/* ---------------------------------------------------------------------------- threads */

enum { THREADS = 4 };

typedef struct work {
    bp_bloom *s;
    uint64_t first, n;
    size_t fresh;
} work;

static void *add_range(void *arg)
{
    work *w = (work *)arg;
    for (uint64_t i = 0; i < w->n; i++) {
        uint8_t key[8];
        bp_bytes one = {key, 8};
        bp_test_key(w->first + i, key);
        w->fresh +=
            i % 2 ? bp_bloom_add(w->s, key, 8) : bp_bloom_add_n(w->s, &one, 1, NULL);
    }
    return NULL;
}

/* Every const call, while others add; what was added before they began stays found. */
static void *ask_all(void *arg)
{
    const work *w = (const work *)arg;
    for (int round = 0; round < 20; round++) {
        bp_estimate e;
        bp_description d;
        bp_bloom *copy;
        bp_buf b = bp_encoded((bp_any *)w->s);
        assert_int_equal(bp_bloom_has_n(w->s, keys, 100, NULL), 100);
        assert_true(bp_bloom_has(w->s, keys[7].ptr, 8));
        assert_int_equal(bp_bloom_estimate(w->s, 0.95, &e, NULL), BP_OK);
        bp_bloom_describe(w->s, &d);
        assert_true(bp_bloom_fpr(w->s) <= 1);
        assert_int_equal(bp_bloom_clone(&copy, w->s, NULL), BP_OK);
        assert_int_equal(bp_bloom_merge(copy, w->s, NULL), BP_OK);
        assert_int_equal(bp_bloom_has_n(copy, keys, 100, NULL), 100);
        bp_bloom_free(copy);
        bp_buf_free(&b);
    }
    return NULL;
}

static void concurrent_adds_leave_the_bytes_of_single_threaded_ones(void **state)
{
    (void)state;
    const uint64_t each = bp_test_quick ? 2000 : 50000;
    bp_bloom_config cfg = {.items = 2 * each, .concurrent = true};
    bp_bloom *s = bloom_make(cfg);
    pthread_t thread[THREADS + 1];
    work w[THREADS + 1];
    bp_estimate e;
    bp_test_keys(1u << 30, 100, key_bytes, keys);
    bp_bloom_add_n(s, keys, 100, NULL);
    for (size_t i = 0; i <= THREADS; i++) {
        w[i] = (work){s, i * each / 2, each, 0}; /* every key by two threads */
        pthread_create(&thread[i], NULL, i < THREADS ? add_range : ask_all, &w[i]);
    }
    size_t fresh = 0;
    for (size_t i = 0; i <= THREADS; i++) {
        pthread_join(thread[i], NULL);
        fresh += w[i].fresh;
    }
    cfg.concurrent = false;
    bp_bloom *alone = bloom_make(cfg);
    bp_bloom_add_n(alone, keys, 100, NULL);
    for (size_t i = 0; i < THREADS; i++)
        bp_add_range((bp_any *)alone, w[i].first, each);
    bp_buf a = bp_encoded((bp_any *)s), b = bp_encoded((bp_any *)alone);
    assert_true(bp_buf_equal(a, b));
    /* whoever sets a bit says new, and nobody sets more than `hashes` */
    assert_int_equal(bp_bloom_estimate(s, 0.95, &e, NULL), BP_OK);
    assert_true((double)fresh >= 0.9 * e.value - 100);
    bp_buf_free(&a);
    bp_buf_free(&b);
    bp_bloom_free(s);
    bp_bloom_free(alone);
}

/* ---------------------------------------------------------------------------- vectors */

static void configure(const json_t *json, void *cfg)
{
    bp_bloom_config *c = (bp_bloom_config *)cfg;
    c->items = bp_json_whole_or(json, "items", 0);
    c->fpr = bp_json_real_or(json, "fpr", 0);
    c->bits = bp_json_whole_or(json, "bits", 0);
    c->hashes = (uint32_t)bp_json_whole_or(json, "hashes", 0);
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
    bp_bloom_config c;
    bp_any_config_of(s, &c);
    assert_int_equal(json_array_size(expected), c.hashes);
    for (size_t i = 0; i < c.hashes; i++) {
        const uint64_t p = bp_json_number(json_array_get(expected, i));
        assert_true(p < c.bits);
        if (!(b.p[PAYLOAD + p / 8] >> (p % 8) & 1)) {
            bool seen = false; /* a position may come twice: it was cleared before */
            for (size_t j = 0; j < i; j++)
                seen |= bp_json_number(json_array_get(expected, j)) == p;
            assert_true(seen);
        }
        b.p[PAYLOAD + p / 8] &= (uint8_t) ~(1u << (p % 8));
    }
    for (size_t i = 0; i < (c.bits + 7) / 8; i++)
        assert_int_equal(b.p[PAYLOAD + i], 0);
    bp_buf_free(&b);
}

static void positions_and_bytes_are_those_of_the_vectors(void **state)
{
    (void)state;
    bp_vectors_check("bloom", configure, positions);
}

/* ------------------------------------------------------------------------- the suite */

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_sizes_of_the_literature_are_exact),
    cmocka_unit_test(rate_and_fill_follow_the_formula_past_capacity),
    cmocka_unit_test(whole_number_sizing_agrees_with_floating_point),
    cmocka_unit_test(what_is_given_decides_the_rest),
    cmocka_unit_test(size_and_config_of_make_the_same_filter_again),
    cmocka_unit_test(contradictions_and_ranges_are_refused_in_words),
    cmocka_unit_test(every_added_key_is_found),
    cmocka_unit_test(an_empty_filter_answers_no),
    cmocka_unit_test(add_says_whether_the_key_was_new),
    cmocka_unit_test(batches_answer_as_single_calls_with_every_instruction_set),
    cmocka_unit_test(counting_bits_is_the_same_with_every_instruction_set),
    cmocka_unit_test(a_union_is_the_filter_of_both_streams),
    cmocka_unit_test(filters_of_other_designs_are_refused_with_both_values),
    cmocka_unit_test(health_goes_from_ok_to_near_to_over),
    cmocka_unit_test(a_union_of_full_filters_says_that_it_is_over),
    cmocka_unit_test(a_full_filter_holds_infinitely_many),
    cmocka_unit_test(bytes_that_encode_would_not_write_are_refused),
    cmocka_unit_test(the_last_bits_before_the_padding_are_taken),
    cmocka_unit_test(an_unverified_view_is_safe_on_any_payload),
    cmocka_unit_test(without_its_key_a_filter_neither_says_no_nor_takes_keys),
    cmocka_unit_test(concurrent_adds_leave_the_bytes_of_single_threaded_ones),
    cmocka_unit_test(positions_and_bytes_are_those_of_the_vectors),
    cmocka_unit_test(false_positives_come_at_the_published_rate),
    cmocka_unit_test(two_terms_would_miss_the_rate_of_small_filters),
    cmocka_unit_test(a_rate_three_percent_off_would_be_caught),
    cmocka_unit_test(overfull_filters_fill_and_err_as_predicted),
    cmocka_unit_test(estimates_are_unbiased_and_their_bounds_hold),
    cmocka_unit_test(an_estimate_three_percent_off_would_be_caught),
    cmocka_unit_test(the_bookstore_keeps_every_address_and_says_when_it_is_over),
    cmocka_unit_test(filters_beyond_two_to_the_32_bits_are_right),
};

const bp_suite bp_suite_bloom = {
    .name = "bloom",
    .tests = tests,
    .test_count = sizeof tests / sizeof *tests,
    .samples = samples,
    .sample_count = SAMPLES,
};
