/* SPDX-License-Identifier: MIT
 * counting_bloom_test.c - what a filter answers, saturation, bytes, and the suite's list.
 */
#include "sketches/counting_bloom/counting_bloom_test.h"

#include "core/cpu.h"
#include "keys.h"
#include "vectors/vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const bp_counting_bloom_config plain = {.items = 1000, .fpr = 0.01};
static const bp_counting_bloom_config two_words = {
    .counters = 20, .hashes = 3, .items = 5};
static const bp_counting_bloom_config one_counter = {.counters = 1, .hashes = 1};
static const bp_counting_bloom_config one_hash = {
    .counters = 3000, .hashes = 1, .items = 500};
static const bp_counting_bloom_config many_hashes = {.items = 100, .fpr = 1e-15};
static const bp_counting_bloom_config most_hashes = {
    .memory = 2048, .hashes = 64, .items = 50};
static const bp_counting_bloom_config seeded = {
    .hash = {.seed = 42}, .items = 500, .fpr = 0.1};
static const bp_counting_bloom_config keyed = {
    .hash = {.id = BP_HASH_SIPHASH24, .key = "a secret, 16 byt"}, .items = 300};

static const bp_sample samples[] = {
    {"plain", &plain, {1, 100, 1000, 3000}},
    {"two_words", &two_words, {1, 5, 60}},
    {"one_counter", &one_counter, {1, 14, 15, 16}},
    {"one_hash", &one_hash, {500}},
    {"many_hashes", &many_hashes, {100, 300}},
    {"most_hashes", &most_hashes, {50}},
    {"seeded", &seeded, {500}},
    {"keyed", &keyed, {300}},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static const bp_counting_bloom_config *sample(size_t i)
{
    return (const bp_counting_bloom_config *)samples[i].config;
}

/* 400 KB: past the size from which batches prefetch. */
static bp_counting_bloom_config large(uint32_t hashes)
{
    return (bp_counting_bloom_config){.counters = 800003, .hashes = hashes};
}

bp_counting_bloom *counting_make(bp_counting_bloom_config cfg)
{
    bp_counting_bloom *s;
    bp_detail why = {BP_OK, "", 0, 0, 0};
    if (bp_counting_bloom_new(&s, &cfg, &why))
        fail_msg("new: %s", why.what);
    return s;
}

uint64_t counting_figure(const bp_counting_bloom *s, const char *name)
{
    bp_description d;
    bp_counting_bloom_describe(s, &d);
    for (size_t i = 0; i < d.count; i++)
        if (strcmp(d.figures[i].name, name) == 0)
            return d.figures[i].whole;
    fail_msg("no figure %s", name);
    return 0;
}

static void assert_same(const bp_counting_bloom *a, const bp_counting_bloom *b)
{
    bp_buf x = bp_encoded((const bp_any *)a), y = bp_encoded((const bp_any *)b);
    assert_true(bp_buf_equal(x, y));
    bp_buf_free(&x);
    bp_buf_free(&y);
}

enum { MANY = 20000 };
static uint8_t key_bytes[MANY][8];
static bp_bytes keys[MANY];
static uint64_t hashes[MANY];
static uint8_t flags[MANY], other_flags[MANY];

/* ----------------------------------------------------------------------------- sizes */

static void a_counter_stands_for_each_bit_of_a_bloom(void **state)
{
    (void)state;
    const struct {
        uint64_t items, cells;
        double fpr;
        uint32_t hashes;
    } row[] = {{0, 0, 0, 0},
               {1000, 0, 0.001, 0},
               {1, 0, 0.5, 0},
               {100, 0, 0.02, 2},
               {0, 1000, 0, 64},
               {400, 1000, 0, 0},
               {0, 1 << 20, 0, 0},
               {0, 1, 0, 1},
               {25469, 0, 0.5, 0},
               {1, 0, 1e-15, 0},
               {UINT64_C(10000000000), 0, 0.01, 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const bp_bloom_config ask = {.items = row[i].items,
                                     .fpr = row[i].fpr,
                                     .bits = row[i].cells,
                                     .hashes = row[i].hashes};
        const bp_counting_bloom_config cfg = {.items = row[i].items,
                                              .fpr = row[i].fpr,
                                              .counters = row[i].cells,
                                              .hashes = row[i].hashes};
        bp_bloom_config want;
        bp_counting_bloom_config have, again;
        assert_int_equal(bp_bloom_size(&ask, &want, NULL), BP_OK);
        assert_int_equal(bp_counting_bloom_size(&cfg, &have, NULL), BP_OK);
        assert_int_equal(have.counters, want.bits);
        assert_int_equal(have.items, want.items);
        assert_int_equal(have.hashes, want.hashes);
        assert_true(have.fpr >= want.fpr && have.fpr <= want.fpr);
        assert_int_equal(have.memory, (have.counters + 15) / 16 * 8);
        assert_int_equal(bp_counting_bloom_size(&have, &again, NULL), BP_OK);
        assert_memory_equal(&have, &again, sizeof have);
    }
}

static void contradictions_and_ranges_of_counters_are_refused_in_words(void **state)
{
    (void)state;
    const struct {
        bp_counting_bloom_config cfg;
        const char *what;
    } row[] = {
        {{.counters = (UINT64_C(1) << 56) + 1, .hashes = 1},
         "a filter has 1 to 2^56 counters"},
        {{.memory = UINT64_MAX}, "a filter has 1 to 2^56 counters"},
        {{.memory = 7}, "a filter takes at least 8 bytes"},
        {{.counters = 1000, .memory = 8},
         "counters and memory disagree: give one of them"},
        {{.counters = 100, .items = 1000000},
         "too small for so many items: nearly every key would be answered yes"},
        {{.fpr = NAN},
         "the false positive rate must lie between 1e-15 and 0.5 (1 % is 0.01)"},
        {{.hashes = 65}, "hashes must be 1 to 64"},
        {{.items = 10, .reserved32 = 1}, "a reserved configuration field is set"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        bp_counting_bloom_config out = {.items = 4711};
        bp_counting_bloom *s = (bp_counting_bloom *)&out;
        bp_detail why = {BP_OK, "", 0, 0, 0};
        if (bp_counting_bloom_size(&row[i].cfg, &out, &why) != BP_PARAM)
            fail_msg("row %zu is taken", i);
        assert_string_equal(why.what, row[i].what);
        assert_int_equal(out.items, 4711);
        assert_int_equal(bp_counting_bloom_new(&s, &row[i].cfg, NULL), BP_PARAM);
        assert_null(s);
    }
}

static void counting_filters_of_other_designs_are_refused_with_both_values(void **state)
{
    (void)state;
    bp_counting_bloom *a = counting_make(plain);
    bp_counting_bloom *b = counting_make((bp_counting_bloom_config){.items = 1001});
    bp_detail why;
    assert_int_equal(bp_counting_bloom_merge(a, b, &why), BP_MISMATCH);
    assert_string_equal(why.what, "the filters differ in counters");
    assert_int_equal(why.have, 9586);
    assert_int_equal(why.want, 9595);
    bp_counting_bloom_free(a);
    bp_counting_bloom_free(b);
}

/* --------------------------------------------------------------------------- answers */

static void an_empty_filter_answers_no_and_gives_nothing(void **state)
{
    (void)state;
    bp_test_keys(0, 1000, key_bytes, keys);
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_counting_bloom *s = counting_make(*sample(i)),
                          *was = counting_make(*sample(i));
        assert_int_equal(bp_counting_bloom_has_n(s, keys, 1000, NULL), 0);
        assert_int_equal(bp_counting_bloom_remove_n(s, keys, 1000, NULL), 0);
        assert_false(bp_counting_bloom_has(s, NULL, 0));
        assert_false(bp_counting_bloom_remove(s, "a", 1));
        assert_int_equal(bp_counting_bloom_count(s, "a", 1), 0);
        assert_true(bp_counting_bloom_fpr(s) == 0);
        assert_same(s, was);
        bp_counting_bloom_free(s);
        bp_counting_bloom_free(was);
    }
}

static bp_counting_bloom *with_copies(bp_counting_bloom_config cfg, int copies)
{
    bp_counting_bloom *s = counting_make(cfg);
    for (int i = 0; i < copies; i++)
        assert_int_equal(bp_counting_bloom_add(s, "hot", 3), i == 0);
    return s;
}

static void fourteen_copies_are_counted_and_taken_out_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_counting_bloom *s = with_copies(*sample(i), 14),
                          *was = counting_make(*sample(i));
        for (uint64_t left = 14; left > 0; left--) {
            assert_true(bp_counting_bloom_count(s, "hot", 3) == left);
            assert_true(bp_counting_bloom_has(s, "hot", 3));
            assert_true(bp_counting_bloom_remove(s, "hot", 3));
        }
        assert_false(bp_counting_bloom_has(s, "hot", 3));
        assert_false(bp_counting_bloom_remove(s, "hot", 3));
        assert_int_equal(counting_figure(s, "counters_saturated"), 0);
        assert_same(s, was);
        bp_counting_bloom_free(s);
        bp_counting_bloom_free(was);
    }
}

static void from_fifteen_copies_on_counters_stay_for_ever(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++)
        for (int copies = 15; copies <= 16; copies++) {
            bp_counting_bloom *s = with_copies(*sample(i), copies);
            bp_counting_bloom *was = with_copies(*sample(i), copies);
            assert_true(counting_figure(s, "counters_saturated") > 0);
            for (int left = copies + 3; left > 0; left--) {
                assert_true(bp_counting_bloom_count(s, "hot", 3) == UINT64_MAX);
                assert_true(bp_counting_bloom_remove(s, "hot", 3));
            }
            assert_true(bp_counting_bloom_has(s, "hot", 3));
            assert_same(s, was);
            bp_counting_bloom_free(s);
            bp_counting_bloom_free(was);
        }
}

static void merging_saturates_as_adding_does(void **state)
{
    (void)state;
    for (int a = 0; a <= 16; a++)
        for (int b = 0; b <= 16; b++) {
            bp_counting_bloom *x = with_copies(plain, a), *y = with_copies(plain, b);
            bp_counting_bloom *both = with_copies(plain, a + b);
            assert_int_equal(bp_counting_bloom_merge(x, y, NULL), BP_OK);
            assert_same(x, both);
            bp_counting_bloom_free(x);
            bp_counting_bloom_free(y);
            bp_counting_bloom_free(both);
        }
}

/* The danger, as the header tells it: a stranger whose counters others have raised. */
static void taking_out_a_stranger_that_looks_like_a_member_costs_that_one(void **state)
{
    (void)state;
    bp_counting_bloom *s = counting_make(one_counter);
    bp_counting_bloom_add(s, "member", 6);
    assert_true(bp_counting_bloom_remove(s, "stranger", 8));
    assert_false(bp_counting_bloom_has(s, "member", 6));
    bp_counting_bloom_free(s);
}

/* In one batch with every third key twice, the flags are those of single calls, whichever
 * instructions are used; the same for asking and taking out, with strangers among them.
 */
static void compare_batches(bp_counting_bloom_config cfg, size_t n, const char *variant)
{
    bp_counting_bloom *one = counting_make(cfg), *batch = counting_make(cfg);
    size_t sum = 0;
    bp_test_keys(0, n, key_bytes, keys);
    for (size_t i = 0; i < n; i++) {
        if (i % 3 == 2)
            keys[i] = keys[i / 2];
        hashes[i] = bp_hash(&cfg.hash, keys[i].ptr, 8);
        other_flags[i] = bp_counting_bloom_add(one, keys[i].ptr, 8);
        sum += other_flags[i];
    }
    memset(flags, 7, n);
    assert_int_equal(bp_counting_bloom_add_n(batch, keys, n, flags), sum);
    assert_memory_equal(flags, other_flags, n);
    assert_same(one, batch);
    sum = 0;
    for (size_t i = 0; i < n; i++) { /* every other one a stranger */
        hashes[i] += i % 2 ? UINT64_C(0x123456789ABCDEF) : 0;
        other_flags[i] = (uint8_t)bp_counting_bloom_has_hashes(one, hashes + i, 1, NULL);
        sum += other_flags[i];
    }
    memset(flags, 7, n);
    assert_int_equal(bp_counting_bloom_has_hashes(batch, hashes, n, flags), sum);
    assert_memory_equal(flags, other_flags, n);
    assert_int_equal(bp_counting_bloom_has_hashes(batch, hashes, n, NULL), sum);
    sum = 0;
    for (size_t i = 0; i < n; i++) {
        other_flags[i] =
            (uint8_t)bp_counting_bloom_remove_hashes(one, hashes + i, 1, NULL);
        sum += other_flags[i];
    }
    memset(flags, 7, n);
    assert_int_equal(bp_counting_bloom_remove_hashes(batch, hashes, n, flags), sum);
    assert_memory_equal(flags, other_flags, n);
    if (sum == 0)
        fail_msg("%s: nothing was taken out", variant);
    assert_same(one, batch);
    bp_counting_bloom_free(one);
    bp_counting_bloom_free(batch);
}

static void
counting_batches_answer_as_single_calls_with_every_instruction_set(void **state)
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
        for (uint32_t k = 1; k <= 64; k += k < 9 ? 1 : 11) {
            compare_batches(large(k), MANY, sets[i].name);
            compare_batches(large(k), 33, sets[i].name);
        }
        printf("counting_bloom: %s\n", sets[i].name);
    }
    bp_cpu_allow(UINT32_MAX);
}

static void tallies_are_the_same_with_every_instruction_set(void **state)
{
    (void)state;
    for (uint64_t words = 1; words < 40; words++) {
        bp_counting_bloom *s = counting_make(
            (bp_counting_bloom_config){.counters = words * 16 - 3, .hashes = 2});
        uint64_t rng = words, used = 0, full = 0;
        for (size_t i = 0; i < words * 40; i++)
            hashes[i] = bp_rng_next(&rng);
        bp_counting_bloom_add_hashes(s, hashes, words * 40, NULL);
        bp_buf b = bp_encoded((bp_any *)s);
        for (size_t i = 0; i < words * 16; i++) {
            const unsigned counter = b.p[COUNTING_PAYLOAD + i / 2] >> (i % 2 * 4) & 15;
            used += counter != 0;
            full += counter == 15;
        }
        for (uint32_t allow = 0; allow < 2; allow++) {
            bp_cpu_allow(allow ? UINT32_MAX : 0);
            assert_int_equal(counting_figure(s, "counters_used"), used);
            assert_int_equal(counting_figure(s, "counters_saturated"), full);
        }
        bp_buf_free(&b);
        bp_counting_bloom_free(s);
    }
}

/* ---------------------------------------------------------------------------- health */

static bp_health health(const bp_counting_bloom *s)
{
    bp_description d;
    bp_counting_bloom_describe(s, &d);
    return d.health;
}

static void health_follows_what_is_in_and_not_what_ever_was(void **state)
{
    (void)state;
    bp_counting_bloom *s =
        counting_make((bp_counting_bloom_config){.items = 10000, .fpr = 0.01});
    uint64_t rng = 3;
    for (size_t i = 0; i < 12000; i++)
        hashes[i] = bp_rng_next(&rng);
    bp_counting_bloom_add_hashes(s, hashes, 8500, NULL);
    assert_int_equal(health(s), BP_HEALTH_OK);
    bp_counting_bloom_add_hashes(s, hashes, 5000, NULL); /* second copies weigh nothing */
    assert_int_equal(health(s), BP_HEALTH_OK);
    bp_counting_bloom_add_hashes(s, hashes + 8500, 1000, NULL);
    assert_int_equal(health(s), BP_HEALTH_NEAR);
    bp_counting_bloom_add_hashes(s, hashes + 9500, 2500, NULL);
    assert_int_equal(health(s), BP_HEALTH_OVER);
    bp_counting_bloom_remove_hashes(s, hashes + 8500, 3500, NULL);
    assert_int_equal(health(s), BP_HEALTH_OK);
    bp_counting_bloom_free(s);
}

static void counters_that_are_stuck_are_told(void **state)
{
    (void)state;
    bp_counting_bloom *s = with_copies(plain, 14);
    bp_description d;
    assert_int_equal(health(s), BP_HEALTH_OK);
    bp_counting_bloom_add(s, "hot", 3);
    bp_counting_bloom_describe(s, &d);
    assert_int_equal(d.health, BP_HEALTH_NEAR);
    assert_non_null(strstr(d.advice, "15"));
    assert_int_equal(counting_figure(s, "counters_saturated"), 7);
    assert_int_equal(counting_figure(s, "bits"), 4 * 9586);
    bp_counting_bloom_free(s);
}

/* ----------------------------------------------------------------------------- bytes */

enum { PARAMS = 56 };

static bp_status opened(bp_buf b, bp_detail *why)
{
    bp_counting_bloom *s;
    bp_repair(b.p, b.n);
    const bp_status st = bp_counting_bloom_decode(&s, b.p, b.n, NULL, why);
    bp_counting_bloom_free(s);
    return st;
}

static void counters_that_encode_would_not_write_are_refused(void **state)
{
    (void)state;
    const struct {
        uint64_t at;    /* the offset that is blamed */
        size_t poke;    /* the 8 bytes that change   */
        uint64_t value; /* to this                   */
        const char *what;
    } row[] = {
        {PARAMS, PARAMS, 0, "a filter has 1 to 2^56 counters"},
        {PARAMS, PARAMS, UINT64_MAX, "a filter has 1 to 2^56 counters"},
        {PARAMS, PARAMS, 33, "the payload is not as long as the counters say"},
        {PARAMS, PARAMS, 16, "the payload is not as long as the counters say"},
        {PARAMS + 8, PARAMS + 8, 0, "items must be 1 to 2^62"},
        {PARAMS + 8, PARAMS + 8, 1000,
         "too small for so many items: nearly every key would be answered yes"},
        {PARAMS + 16, PARAMS + 16, UINT64_C(1) << 63, "a rate of minus zero"},
        {PARAMS + 16, PARAMS + 16, UINT64_C(0x3FE0000000000000),
         "size and hashes are not those of the items and the rate"},
        {PARAMS + 24, PARAMS + 24, 65, "hashes must be 1 to 64"},
        {PARAMS + 28, PARAMS + 24, UINT64_C(3) << 32 | 3,
         "reserved parameter bytes are not zero"},
        {COUNTING_PAYLOAD + 8, COUNTING_PAYLOAD + 8, UINT64_C(1) << 16,
         "a padding counter is not 0"},
        {COUNTING_PAYLOAD + 8, COUNTING_PAYLOAD + 8, UINT64_C(1) << 63,
         "a padding counter is not 0"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        bp_counting_bloom *s = counting_make(two_words);
        bp_buf b = bp_encoded((bp_any *)s);
        bp_detail why = {BP_OK, "", 0, 0, 0};
        bp_counting_bloom_free(s);
        bp_store64(b.p + COUNTING_PAYLOAD + 8, 0xFFFF); /* the last four counters */
        assert_int_equal(opened(b, &why), BP_OK);
        bp_store64(b.p + row[i].poke, row[i].value);
        if (opened(b, &why) != BP_CORRUPT)
            fail_msg("row %zu is taken", i);
        assert_string_equal(why.what, row[i].what);
        assert_int_equal(why.at, row[i].at);
        bp_buf_free(&b);
    }
}

/* Const functions of a view that nobody verified: any payload, at any address. */
static void an_unverified_view_of_counters_is_safe_on_any_payload(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_counting_bloom *made = counting_make(*sample(i));
        bp_buf b = bp_encoded((bp_any *)made);
        uint8_t *moved = malloc(b.n + 1);
        assert_non_null(moved);
        memcpy(moved + 1, b.p, b.n);
        memset(moved + 1 + COUNTING_PAYLOAD, 0xFF, b.n - COUNTING_PAYLOAD);
        const bp_counting_bloom *s;
        const bp_open how = {.key = sample(i)->hash.id ? sample(i)->hash.key : NULL};
        assert_int_equal(bp_counting_bloom_view(&s, moved + 1, b.n, &how, NULL), BP_OK);
        bp_estimate e;
        bp_counting_bloom_config c;
        bp_counting_bloom_config_of(s, &c);
        assert_true(bp_counting_bloom_has(s, "key", 3));
        assert_true(bp_counting_bloom_count(s, "key", 3) == UINT64_MAX);
        assert_true(bp_counting_bloom_fpr(s) == 1);
        assert_int_equal(counting_figure(s, "counters_saturated"), c.counters);
        assert_int_equal(bp_counting_bloom_estimate(s, 0.95, &e, NULL), BP_OK);
        assert_true(isinf(e.value));
        assert_int_equal(bp_counting_bloom_merge(made, s, NULL), BP_OK);
        bp_counting_bloom_free(s);
        bp_counting_bloom_free(made);
        bp_buf_free(&b);
        free(moved);
    }
}

static void without_its_key_a_filter_neither_says_no_nor_moves_keys(void **state)
{
    (void)state;
    bp_counting_bloom *made = counting_make(keyed), *s;
    bp_add_range((bp_any *)made, 0, 100);
    bp_buf b = bp_encoded((bp_any *)made);
    const bp_open how = {.flags = BP_OPEN_KEYLESS};
    uint8_t flag[2] = {7, 7};
    const bp_bytes two[2] = {{"a", 1}, {"b", 1}};
    assert_int_equal(bp_counting_bloom_decode(&s, b.p, b.n, &how, NULL), BP_OK);
    assert_true(bp_counting_bloom_has(s, "a", 1));
    assert_true(bp_counting_bloom_count(s, "a", 1) == UINT64_MAX);
    assert_int_equal(bp_counting_bloom_has_n(s, two, 2, flag), 2);
    assert_int_equal(flag[0] + flag[1], 2);
    assert_false(bp_counting_bloom_add(s, "a", 1));
    assert_false(bp_counting_bloom_remove(s, "a", 1));
    assert_int_equal(bp_counting_bloom_add_n(s, two, 2, flag), 0);
    assert_int_equal(flag[0] + flag[1], 0);
    assert_int_equal(bp_counting_bloom_remove_n(s, two, 2, NULL), 0);
    assert_same(s, made);
    const uint64_t hash = bp_hash(&keyed.hash, "a", 1); /* made with the key elsewhere */
    assert_int_equal(bp_counting_bloom_add_hashes(s, &hash, 1, NULL), 1);
    assert_int_equal(bp_counting_bloom_merge(made, s, NULL), BP_OK);
    assert_true(bp_counting_bloom_has(made, "a", 1));
    assert_int_equal(bp_counting_bloom_remove_hashes(s, &hash, 1, NULL), 1);
    bp_counting_bloom_free(made);
    bp_counting_bloom_free(s);
    bp_buf_free(&b);
}

/* --------------------------------------------------------------------------- vectors */

static void configure(const json_t *json, void *cfg)
{
    bp_counting_bloom_config *c = (bp_counting_bloom_config *)cfg;
    c->items = bp_json_whole_or(json, "items", 0);
    c->fpr = bp_json_real_or(json, "fpr", 0);
    c->counters = bp_json_whole_or(json, "counters", 0);
    c->hashes = (uint32_t)bp_json_whole_or(json, "hashes", 0);
}

/* A filter with that hash alone has 1 in exactly the counters that the vector lists. */
static void positions(const bp_any *s, uint64_t hash, const json_t *expected)
{
    bp_any *only;
    bp_counting_bloom_config c;
    assert_int_equal(bp_any_clone(&only, s, NULL), BP_OK);
    bp_any_reset(only);
    assert_int_equal(bp_any_add_hashes(only, &hash, 1, NULL), BP_OK);
    bp_buf b = bp_encoded(only);
    bp_any_free(only);
    bp_any_config_of(s, &c);
    assert_int_equal(json_array_size(expected), c.hashes);
    uint8_t *want = calloc(1, (size_t)c.memory);
    assert_non_null(want);
    for (size_t i = 0; i < c.hashes; i++) {
        const uint64_t p = bp_json_number(json_array_get(expected, i));
        assert_true(p < c.counters);
        want[p / 2] |= (uint8_t)(1u << (p % 2 * 4)); /* once, even if it comes twice */
    }
    assert_memory_equal(b.p + COUNTING_PAYLOAD, want, (size_t)c.memory);
    free(want);
    bp_buf_free(&b);
}

static void counters_and_bytes_are_those_of_the_vectors(void **state)
{
    (void)state;
    bp_vectors_check("counting_bloom", configure, positions);
}

/* ------------------------------------------------------------------------- the suite */

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_counter_stands_for_each_bit_of_a_bloom),
    cmocka_unit_test(contradictions_and_ranges_of_counters_are_refused_in_words),
    cmocka_unit_test(counting_filters_of_other_designs_are_refused_with_both_values),
    cmocka_unit_test(an_empty_filter_answers_no_and_gives_nothing),
    cmocka_unit_test(fourteen_copies_are_counted_and_taken_out_again),
    cmocka_unit_test(from_fifteen_copies_on_counters_stay_for_ever),
    cmocka_unit_test(merging_saturates_as_adding_does),
    cmocka_unit_test(taking_out_a_stranger_that_looks_like_a_member_costs_that_one),
    cmocka_unit_test(counting_batches_answer_as_single_calls_with_every_instruction_set),
    cmocka_unit_test(tallies_are_the_same_with_every_instruction_set),
    cmocka_unit_test(health_follows_what_is_in_and_not_what_ever_was),
    cmocka_unit_test(counters_that_are_stuck_are_told),
    cmocka_unit_test(counters_that_encode_would_not_write_are_refused),
    cmocka_unit_test(an_unverified_view_of_counters_is_safe_on_any_payload),
    cmocka_unit_test(without_its_key_a_filter_neither_says_no_nor_moves_keys),
    cmocka_unit_test(counters_and_bytes_are_those_of_the_vectors),
    cmocka_unit_test(random_adds_and_removes_do_what_plain_counters_do),
    cmocka_unit_test(a_member_is_found_whatever_happens_to_others),
    cmocka_unit_test(once_removed_keys_leave_no_trace),
    cmocka_unit_test(a_merge_adds_every_counter_up_to_15),
    cmocka_unit_test(it_answers_as_the_bloom_of_the_keys_that_are_still_in),
    cmocka_unit_test(false_positives_of_what_is_left_come_at_the_published_rate),
    cmocka_unit_test(a_counting_rate_three_percent_off_would_be_caught),
    cmocka_unit_test(counters_beyond_two_to_the_32_are_right),
};

const bp_suite bp_suite_counting_bloom = {
    .name = "counting_bloom",
    .tests = tests,
    .test_count = sizeof tests / sizeof *tests,
    .samples = samples,
    .sample_count = SAMPLES,
};
