/* SPDX-License-Identifier: MIT
 * binary_fuse_test.c - what a filter answers, how it is built, its bytes; and the suite's
 * list. */
#include "sketches/binary_fuse/binary_fuse_state.h"
#include "sketches/binary_fuse/binary_fuse_test.h"

#include "keys.h"
#include "oom/oom.h"
#include "vectors/vectors.h"

#include <math.h>
#include <stdlib.h>

static const bp_binary_fuse_config plain = {.items = 5000};
static const bp_binary_fuse_config four = {.items = 5000, .arity = 4};
static const bp_binary_fuse_config wide = {.items = 3000, .bits = 16};
static const bp_binary_fuse_config widest = {.items = 3000, .bits = 32};
static const bp_binary_fuse_config four_wide = {.items = 3000, .bits = 16, .arity = 4};
static const bp_binary_fuse_config four_widest = {.items = 3000, .bits = 32, .arity = 4};
static const bp_binary_fuse_config seeded = {.hash = {.seed = 42}, .items = 3000};
static const bp_binary_fuse_config keyed = {
    .hash = {.id = BP_HASH_SIPHASH24, .key = "a secret, 16 byt"}, .items = 3000};
static const bp_binary_fuse_config sharded = {.items = 5000, .shards = 8};
static const bp_binary_fuse_config sharded_four = {
    .items = 3000, .shards = 2, .bits = 16, .arity = 4};

static const bp_sample samples[] = {
    {"plain", &plain, {1, 2, 3, 10, 100, 1000, 5000}},
    {"four", &four, {1, 2, 10, 1000, 5000}},
    {"wide", &wide, {1, 1000}},
    {"widest", &widest, {1, 500}},
    {"four_wide", &four_wide, {500}},
    {"four_widest", &four_widest, {500}},
    {"seeded", &seeded, {500}},
    {"keyed", &keyed, {300}},
    {"sharded", &sharded, {1, 10, 5000}},
    {"sharded_four", &sharded_four, {1000}},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static const bp_binary_fuse_config *sample(size_t i)
{
    return (const bp_binary_fuse_config *)samples[i].config;
}

static bp_binary_fuse *make(bp_binary_fuse_config cfg)
{
    bp_binary_fuse *s;
    cfg.items = 0;
    assert_int_equal(bp_binary_fuse_new(&s, &cfg, NULL), BP_OK);
    return s;
}

uint64_t *fuse_random_hashes(uint64_t *state, size_t n)
{
    uint64_t *h = malloc(8 * n + 8);
    assert_non_null(h);
    for (size_t i = 0; i < n; i++)
        h[i] = bp_rng_next(state);
    return h;
}

static void build(bp_binary_fuse *s, const uint64_t *h, size_t n)
{
    bp_detail why = {BP_OK, "", 0, 0, 0};
    if (bp_binary_fuse_build_hashes(s, h, n, NULL, 0, &why))
        fail_msg("build of %zu: %s", n, why.what);
}

bp_binary_fuse *fuse_make_random(bp_binary_fuse_config cfg, uint64_t *state, size_t n)
{
    bp_binary_fuse *s = make(cfg);
    uint64_t *h = fuse_random_hashes(state, n);
    build(s, h, n);
    free(h);
    return s;
}

uint64_t fuse_yes_of_random(const bp_binary_fuse *s, uint64_t *state, uint64_t n)
{
    uint64_t block[4096], yes = 0;
    for (uint64_t i = 0; i < n; i += 4096) {
        const size_t m = n - i < 4096 ? (size_t)(n - i) : 4096;
        for (size_t j = 0; j < m; j++)
            block[j] = bp_rng_next(state);
        yes += bp_binary_fuse_has_hashes(s, block, m, NULL);
    }
    return yes;
}

void fuse_same_bytes(const bp_binary_fuse *a, const bp_binary_fuse *b)
{
    bp_buf x = bp_encoded((const bp_any *)a), y = bp_encoded((const bp_any *)b);
    assert_true(bp_buf_equal(x, y));
    bp_buf_free(&x);
    bp_buf_free(&y);
}

static double items_of(const bp_binary_fuse *s)
{
    bp_estimate e;
    assert_int_equal(bp_binary_fuse_estimate(s, 0.95, &e, NULL), BP_OK);
    return e.value;
}

/* ------------------------------------------------------------------------- answers */

/* Batches, single calls, by keys and by hashes, of members and of strangers. */
static void compare_calls(const bp_binary_fuse_config *cfg, size_t n)
{
    enum { ASK = 3000 };
    static uint8_t bytes[ASK][8], hit[ASK];
    static bp_bytes keys[ASK];
    static uint64_t hashes[ASK];
    bp_binary_fuse *s = make(*cfg);
    assert_int_equal(bp_add_range((bp_any *)s, 0, n), BP_OK);
    const size_t m = n < ASK / 2 ? n : ASK / 2;
    bp_test_keys(n - m, ASK, bytes, keys); /* the last m are members */
    bp_hash_n(&cfg->hash, keys, ASK, hashes);
    memset(hit, 7, ASK);
    const size_t yes = bp_binary_fuse_has_n(s, keys, ASK, hit);
    size_t sum = 0;
    for (size_t i = 0; i < ASK; i++) {
        assert_true(hit[i] <= 1 && (hit[i] || i >= m));
        assert_int_equal(bp_binary_fuse_has(s, keys[i].ptr, 8), hit[i]);
        assert_int_equal(bp_binary_fuse_has_hashes(s, hashes + i, 1, NULL), hit[i]);
        sum += hit[i];
    }
    assert_int_equal(sum, yes);
    assert_int_equal(bp_binary_fuse_has_n(s, keys, ASK, NULL), yes);
    assert_int_equal(bp_binary_fuse_has_hashes(s, hashes, ASK, NULL), yes);
    bp_binary_fuse_free(s);
}

static void every_key_is_found_by_every_call(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 31, 33, 5000, 300000}; /* the last is fetched */
    for (size_t i = 0; i < SAMPLES; i++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes - bp_test_quick; j++)
            compare_calls(sample(i), sizes[j]);
}

static void an_empty_filter_answers_no(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_binary_fuse *s = make(*sample(i));
        assert_int_equal(fuse_yes_of_random(s, &seed, 10000), 0);
        assert_false(bp_binary_fuse_has(s, NULL, 0));
        assert_true(bp_binary_fuse_fpr(s) == 0 && items_of(s) == 0);
        bp_binary_fuse_free(s);
    }
}

/* ------------------------------------------------------------------------- building */

/* All keys are found; and there were few attempts: after four that failed there is one
 * more start, and again after each eight, up to `most`. */
static void build_easily(bp_binary_fuse *s, const uint64_t *h, size_t n, uint64_t most)
{
    bp_binary_fuse_config cfg;
    build(s, h, n);
    assert_int_equal(bp_binary_fuse_has_hashes(s, h, n, NULL), n);
    bp_binary_fuse_config_of(s, &cfg);
    const fuse_design plan = bp_fuse_plan(n, cfg.bits, cfg.arity, 0);
    bp_description d;
    bp_binary_fuse_describe(s, &d);
    for (size_t i = 0; i < d.count; i++)
        if (strcmp(d.figures[i].name, "cells") == 0) {
            const uint64_t more = d.figures[i].whole - fuse_cells(&plan);
            assert_in_range(more >> plan.length, 0, most);
        }
}

/* Every small number of keys; every one near 11,500, where the published sizes fail; some
 * that are large. Of the seeds of no size more than half fail, so that 64 in a row do
 * once in 2^64 builds. */
static void no_number_of_keys_fails(void **state)
{
    (void)state;
    const size_t again = bp_test_quick ? 1 : 20;
    static const size_t spots[] = {12226, 12325, 39087, 47821, 100000, 262144, 1000000};
    enum { SPOTS = sizeof spots / sizeof *spots };
    uint64_t seed = 5;
    bp_binary_fuse *s[2] = {make(plain), make(four)};
    uint64_t *h = fuse_random_hashes(&seed, 1000000);
    for (size_t i = 0; i < 2; i++) {
        for (size_t n = 0; n < 700; n += bp_test_quick ? 37 : 1)
            build_easily(s[i], h + n, n, 2);
        for (size_t n = 11480; n <= 11521; n += bp_test_quick ? 7 : 1)
            for (size_t j = 0; j < again; j++)
                build_easily(s[i], h + 211 * n * (j + 1) % 900000, n, 0);
        for (size_t j = 0; j < SPOTS - 3u * bp_test_quick; j++)
            build_easily(s[i], h, spots[j], 0);
        bp_binary_fuse_free(s[i]);
    }
    free(h);
}

static void repeated_keys_count_once(void **state)
{
    (void)state;
    static const struct {
        size_t n, different;
    } row[] = {{2, 1},      {3, 1},         {1000, 1},       {300, 299},
               {100000, 3}, {50000, 20000}, {115000, 11500}, {400000, 40000}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint64_t seed = i;
        uint64_t *h = fuse_random_hashes(&seed, row[i].n);
        bp_binary_fuse *all = make(plain), *set = make(plain);
        for (size_t j = row[i].different; j < row[i].n; j++)
            h[j] = h[j % row[i].different];
        build(set, h, row[i].different);
        build(all, h, row[i].n);
        assert_true(items_of(all) == (double)row[i].different);
        fuse_same_bytes(all, set);
        bp_binary_fuse_free(all);
        bp_binary_fuse_free(set);
        free(h);
    }
}

static void building_again_replaces_what_was_there(void **state)
{
    (void)state;
    uint64_t seed = 8;
    uint64_t *h = fuse_random_hashes(&seed, 20000);
    static const size_t sizes[] = {20000, 10, 0, 5000, 20000};
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_binary_fuse *s = make(*sample(i));
        for (size_t j = 0; j < 5; j++) {
            bp_binary_fuse *fresh = make(*sample(i));
            build(s, h + j, sizes[j] - (sizes[j] ? j : 0));
            build(fresh, h + j, sizes[j] - (sizes[j] ? j : 0));
            fuse_same_bytes(s, fresh);
            bp_binary_fuse_free(fresh);
        }
        bp_binary_fuse_free(s);
    }
    free(h);
}

static void the_callers_memory_is_enough_at_any_address_and_not_overrun(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++)
        for (size_t n = 1; n < 3000; n = 3 * n + 1) {
            bp_test_alloc alloc = {0};
            bp_binary_fuse_config cfg = *sample(i);
            cfg.alloc = bp_test_allocator(&alloc);
            bp_binary_fuse *s = make(cfg), *want = make(*sample(i));
            uint64_t seed = n;
            uint64_t *h = fuse_random_hashes(&seed, n);
            const size_t room = bp_binary_fuse_scratch(s, n);
            uint8_t *mem = malloc(room + 16);
            assert_non_null(mem);
            memset(mem, 0xC5, room + 16);
            build(want, h, n);
            bp_detail why;
            assert_int_equal(bp_binary_fuse_build_hashes(s, h, n, mem, room - 1, &why),
                             BP_FULL);
            assert_int_equal(why.want, room);
            alloc.most = 0;
            assert_int_equal(bp_binary_fuse_build_hashes(s, h, n, mem + 3, room, NULL),
                             BP_OK);
            assert_true(alloc.most <= 4 * room); /* the cells alone */
            for (size_t j = 0; j < 16; j++)
                assert_int_equal(j < 3 ? mem[j] : mem[room + j], 0xC5);
            fuse_same_bytes(s, want);
            bp_binary_fuse_free(s);
            bp_binary_fuse_free(want);
            bp_test_alloc_done(&alloc);
            free(h);
            free(mem);
        }
}

static void what_does_not_fit_in_placed_memory_is_refused(void **state)
{
    (void)state;
    const bp_binary_fuse_config cfg = {.items = 100}, unsaid = {.items = 0};
    bp_binary_fuse *s;
    bp_detail why;
    assert_int_equal(bp_binary_fuse_footprint(&unsaid), 0);
    const size_t room = bp_binary_fuse_footprint(&cfg);
    void *mem = malloc(room);
    assert_int_equal(bp_binary_fuse_place(&s, mem, room, &cfg, NULL), BP_OK);
    assert_int_equal(bp_add_range((bp_any *)s, 0, 100), BP_OK);
    bp_buf before = bp_encoded((bp_any *)s);
    uint64_t seed = 1;
    uint64_t *h = fuse_random_hashes(&seed, 1000);
    assert_int_equal(bp_binary_fuse_build_hashes(s, h, 1000, NULL, 0, &why), BP_FULL);
    bp_buf after = bp_encoded((bp_any *)s);
    assert_true(bp_buf_equal(before, after));
    bp_buf_free(&before);
    bp_buf_free(&after);
    bp_binary_fuse_free(s);
    free(mem);
    free(h);
}

static void sizes_out_of_range_are_refused(void **state)
{
    (void)state;
    static const bp_binary_fuse_config bad[] = {
        {.bits = 7},           {.bits = 64},  {.arity = 2},    {.arity = 5},
        {.items = UINT64_MAX}, {.shards = 3}, {.shards = 8192}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bp_binary_fuse *s;
        bp_detail why = {BP_OK, NULL, 0, 0, 0};
        assert_int_equal(bp_binary_fuse_new(&s, &bad[i], &why), BP_PARAM);
        assert_null(s);
        assert_non_null(why.what);
    }
    bp_binary_fuse *s = make(plain);
    const uint64_t hash = 1;
    if (sizeof(size_t) == 8) {
        const size_t many = (size_t)1 << 41 % (8 * sizeof(size_t));
        assert_true(bp_binary_fuse_scratch(s, many) == SIZE_MAX);
        assert_int_equal(bp_binary_fuse_build_hashes(s, &hash, many, NULL, 0, NULL),
                         BP_NOMEM);
    }
    bp_binary_fuse_free(s);
}

static bp_status act_build(const bp_case *c, bp_test_alloc *alloc, bp_any *s,
                           bp_any **out)
{
    uint64_t h[400];
    (void)c;
    (void)alloc;
    (void)out;
    for (size_t i = 0; i < 400; i++)
        h[i] = bp_test_word(i % 300);
    return bp_binary_fuse_build_hashes((bp_binary_fuse *)s, h, 400, NULL, 0, NULL);
}

static void a_build_without_memory_leaves_the_filter_as_it_was(void **state)
{
    (void)state;
    const bp_oom_verb verb = {"build", act_build, true, true};
    uint64_t refused = 0;
    bp_case c;
    for (size_t i = 0; bp_case_at("binary_fuse", i, &c); i++)
        refused += bp_oom_run(&c, &verb);
    assert_true(refused > 0);
}

/* ------------------------------------------------------------------------------ bytes */

enum { PARAMS = 56, PAYLOAD = 128 };

static bp_status opened(bp_buf b, bp_detail *why)
{
    bp_binary_fuse *s;
    bp_repair(b.p, b.n);
    const bp_status st = bp_binary_fuse_decode(&s, b.p, b.n, NULL, why);
    bp_binary_fuse_free(s);
    return st;
}

static void parameters_that_encode_would_not_write_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t n, at, width;
        uint64_t value;
        const char *what;
    } row[] = {
        {0, 0, 8, 1, "a filter of no items has no cells and no seed"},
        {0, 8, 8, 1, "no such number of segments"},
        {0, 16, 8, 1, "a filter of no items has no cells and no seed"},
        {9, 8, 8, 0, "a filter of no items has no cells and no seed"},
        {9, 8, 8, 49, "fewer cells than items"},
        {9, 8, 8, UINT64_MAX, "more than 2^40 items"},
        {9, 16, 8, 0, "no such number of segments"},
        {9, 16, 8, UINT64_MAX, "no such number of segments"},
        {9, 16, 8, 2, "the payload is not as long as the cells take"},
        {9, 24, 4, 19, "a segment has at most 2^18 cells"},
        {9, 28, 2, 9, "fingerprints have 8, 16 or 32 bits"},
        {9, 28, 2, 16, "the payload is not as long as the cells take"},
        {9, 30, 2, 5, "a key has 3 or 4 places"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        bp_binary_fuse *s = make(plain);
        bp_detail why = {BP_OK, "", 0, 0, 0};
        uint8_t word[8];
        assert_int_equal(bp_add_range((bp_any *)s, 0, row[i].n), BP_OK);
        bp_buf b = bp_encoded((bp_any *)s);
        assert_int_equal(opened(b, NULL), BP_OK);
        bp_store64(word, row[i].value);
        memcpy(b.p + PARAMS + row[i].at, word, row[i].width);
        assert_int_equal(opened(b, &why), BP_CORRUPT);
        assert_string_equal(why.what, row[i].what);
        assert_in_range(why.at, PARAMS, PARAMS + 30);
        bp_buf_free(&b);
        bp_binary_fuse_free(s);
    }
}

static void a_filter_without_its_key_says_yes_and_takes_hashes_alone(void **state)
{
    (void)state;
    bp_binary_fuse *s = make(keyed), *d;
    const bp_open keyless = {.flags = BP_OPEN_KEYLESS};
    const bp_bytes key = {"a", 1};
    const uint64_t hash = 77;
    uint8_t hit = 7;
    assert_int_equal(bp_add_range((bp_any *)s, 0, 50), BP_OK);
    bp_buf b = bp_encoded((bp_any *)s);
    assert_int_equal(bp_binary_fuse_decode(&d, b.p, b.n, &keyless, NULL), BP_OK);
    assert_true(bp_binary_fuse_has(d, "stranger", 8));
    assert_int_equal(bp_binary_fuse_has_n(d, &key, 1, &hit), 1);
    assert_int_equal(hit, 1);
    assert_int_equal(bp_binary_fuse_build(d, &key, 1, NULL, 0, NULL), BP_UNSUPPORTED);
    fuse_same_bytes(d, s);
    assert_int_equal(bp_binary_fuse_build_hashes(d, &hash, 1, NULL, 0, NULL), BP_OK);
    assert_int_equal(bp_binary_fuse_has_hashes(d, &hash, 1, NULL), 1);
    bp_buf_free(&b);
    bp_binary_fuse_free(s);
    bp_binary_fuse_free(d);
}

/* ---------------------------------------------------------------------------- vectors */

static void configure(const json_t *config, void *cfg)
{
    bp_binary_fuse_config *c = (bp_binary_fuse_config *)cfg;
    c->bits = (uint32_t)bp_json_whole_or(config, "bits", 0);
    c->arity = (uint32_t)bp_json_whole_or(config, "arity", 0);
    c->shards = bp_json_whole_or(config, "shards", 0);
}

static void bytes_are_those_of_the_vectors(void **state)
{
    (void)state;
    bp_vectors_check("binary_fuse", configure, NULL);
}

/* FORMAT.md's rule, written down a second time, over the bytes alone. */
uint32_t fuse_find_by_hand(const uint8_t *b, uint64_t h, uint64_t at[4])
{
    uint64_t seed = bp_load64(b + PARAMS), starts = bp_load64(b + PARAMS + 16), low;
    uint64_t length = UINT64_C(1) << bp_load32(b + PARAMS + 24), from = PAYLOAD;
    const uint32_t bits = bp_load16(b + PARAMS + 28);
    if (bp_load32(b + 12) == 1) { /* several shards: starts is how many */
        const uint8_t *entry = b + PAYLOAD + 32 * bp_mul128_portable(h, starts, &low);
        from += 32 * starts + bp_load64(entry + 16) * (bits / 8);
        seed = bp_load64(entry);
        starts = bp_load64(entry + 24) / 256;
        length = UINT64_C(1) << bp_load64(entry + 24) % 256;
    }
    uint64_t x = (h ^ seed) * UINT64_C(0xD6E8FEB86659FD93);
    x = (x ^ x / 4294967296) * UINT64_C(0x9E3779B97F4A7C15);
    x ^= x / 4294967296;
    const uint64_t p = x * UINT64_C(0xC2B2AE3D27D4EB4F);
    const uint64_t first = bp_mul128_portable(x, starts * length, &low);
    const uint64_t cell[4] = {first, (first + length) ^ (x % length),
                              (first + 2 * length) ^ ((x >> 18) % length),
                              (first + 3 * length) ^ ((p >> 14) % length)};
    for (uint32_t j = 0; j < 4; j++)
        at[j] = from + cell[j] * (bits / 8);
    return (uint32_t)(p >> (64 - bits));
}

static bool asked_by_hand(const uint8_t *b, uint64_t h)
{
    uint64_t at[4];
    uint32_t found = fuse_find_by_hand(b, h, at);
    for (uint32_t j = 0; j < bp_load16(b + PARAMS + 30); j++)
        for (uint32_t i = 0; i < bp_load16(b + PARAMS + 28) / 8u; i++)
            found ^= (uint32_t)b[at[j] + i] << 8 * i;
    return found == 0;
}

static void cells_are_where_the_format_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_binary_fuse *s = make(*sample(i));
        uint64_t seed = i;
        uint64_t *h = fuse_random_hashes(&seed, 2000);
        build(s, h, 1000);
        bp_buf b = bp_encoded((bp_any *)s);
        for (size_t j = 0; j < 2000; j++)
            assert_int_equal(asked_by_hand(b.p, h[j]),
                             bp_binary_fuse_has_hashes(s, h + j, 1, NULL));
        for (size_t j = 0; j < 1000; j++)
            assert_true(asked_by_hand(b.p, h[j]));
        bp_buf_free(&b);
        bp_binary_fuse_free(s);
        free(h);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_key_is_found_by_every_call),
    cmocka_unit_test(an_empty_filter_answers_no),
    cmocka_unit_test(no_number_of_keys_fails),
    cmocka_unit_test(repeated_keys_count_once),
    cmocka_unit_test(building_again_replaces_what_was_there),
    cmocka_unit_test(the_callers_memory_is_enough_at_any_address_and_not_overrun),
    cmocka_unit_test(what_does_not_fit_in_placed_memory_is_refused),
    cmocka_unit_test(sizes_out_of_range_are_refused),
    cmocka_unit_test(a_build_without_memory_leaves_the_filter_as_it_was),
    cmocka_unit_test(parameters_that_encode_would_not_write_are_refused),
    cmocka_unit_test(a_filter_without_its_key_says_yes_and_takes_hashes_alone),
    cmocka_unit_test(bytes_are_those_of_the_vectors),
    cmocka_unit_test(cells_are_where_the_format_says),
    cmocka_unit_test(shards_that_were_built_apart_are_joined_to_the_same_bytes),
    cmocka_unit_test(shards_with_no_keys_or_with_all_of_them_are_no_trouble),
    cmocka_unit_test(shards_that_do_not_go_together_are_refused),
    cmocka_unit_test(tables_that_encode_would_not_write_are_refused),
    cmocka_unit_test(shards_past_two_to_the_32_cells_are_asked_in_place),
    cmocka_unit_test(strangers_are_taken_for_keys_once_in_two_to_the_bits),
    cmocka_unit_test(a_fuse_rate_three_percent_off_would_be_caught),
    cmocka_unit_test(fingerprints_of_strangers_are_uniform),
    cmocka_unit_test(bits_a_key_are_those_that_are_stated),
};

const bp_suite bp_suite_binary_fuse = {
    .name = "binary_fuse",
    .tests = tests,
    .test_count = sizeof tests / sizeof *tests,
    .samples = samples,
    .sample_count = sizeof samples / sizeof *samples,
};
