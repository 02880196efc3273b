/* SPDX-License-Identifier: MIT
 * ribbon_test.c - what a filter answers, how it is built, its bytes; and the suite's
 * list. */
#include "sketches/ribbon/ribbon_test.h"

#include "core/cpu.h"
#include "core/xxh.h"
#include "keys.h"
#include "oom/oom.h"
#include "sketches/ribbon/ribbon_state.h"
#include "vectors/vectors.h"

#include <math.h>
#include <stdlib.h>

static const bp_ribbon_config plain = {.items = 5000};
static const bp_ribbon_config wide = {.items = 5000, .width = 128};
static const bp_ribbon_config compact = {.items = 5000, .compact = true};
static const bp_ribbon_config compact_wide = {
    .items = 5000, .width = 128, .compact = true, .fpr = 0.001};
static const bp_ribbon_config half = {.items = 3000, .fpr = 0.5};
static const bp_ribbon_config low = {.items = 3000, .fpr = 1e-9};
static const bp_ribbon_config low_wide = {.items = 3000, .fpr = 1e-6, .width = 128};
static const bp_ribbon_config seeded = {.hash = {.seed = 42}, .items = 3000};
static const bp_ribbon_config keyed = {
    .hash = {.id = BP_HASH_SIPHASH24, .key = "a secret, 16 byt"}, .items = 3000};

static const bp_sample samples[] = {
    {"plain", &plain, {1, 2, 3, 10, 100, 1000, 5000}},
    {"wide", &wide, {1, 2, 1000, 5000}},
    {"compact", &compact, {1, 3000, 5000}},
    {"compact_wide", &compact_wide, {4000}},
    {"half", &half, {1, 1000}},
    {"low", &low, {2, 500}},
    {"low_wide", &low_wide, {500}},
    {"seeded", &seeded, {500}},
    {"keyed", &keyed, {300}},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static const bp_ribbon_config *sample(size_t i)
{
    return (const bp_ribbon_config *)samples[i].config;
}

static bp_ribbon *make(bp_ribbon_config cfg)
{
    bp_ribbon *s;
    cfg.items = 0;
    assert_int_equal(bp_ribbon_new(&s, &cfg, NULL), BP_OK);
    return s;
}

static uint64_t *random_hashes(uint64_t *state, size_t n)
{
    uint64_t *h = malloc(8 * n + 8);
    assert_non_null(h);
    for (size_t i = 0; i < n; i++)
        h[i] = bp_rng_next(state);
    return h;
}

static void build(bp_ribbon *s, const uint64_t *h, size_t n)
{
    bp_detail why = {BP_OK, "", 0, 0, 0};
    if (bp_ribbon_build_hashes(s, h, n, NULL, 0, &why))
        fail_msg("build of %zu: %s", n, why.what);
}

bp_ribbon *ribbon_make_random(bp_ribbon_config cfg, uint64_t *state, size_t n)
{
    bp_ribbon *s = make(cfg);
    uint64_t *h = random_hashes(state, n);
    build(s, h, n);
    free(h);
    return s;
}

uint64_t ribbon_yes_of_random(const bp_ribbon *s, uint64_t *state, uint64_t n)
{
    uint64_t block[4096], yes = 0;
    for (uint64_t i = 0; i < n; i += 4096) {
        const size_t m = n - i < 4096 ? (size_t)(n - i) : 4096;
        for (size_t j = 0; j < m; j++)
            block[j] = bp_rng_next(state);
        yes += bp_ribbon_has_hashes(s, block, m, NULL);
    }
    return yes;
}

static void same_bytes(const bp_ribbon *a, const bp_ribbon *b)
{
    bp_buf x = bp_encoded((const bp_any *)a), y = bp_encoded((const bp_any *)b);
    assert_true(bp_buf_equal(x, y));
    bp_buf_free(&x);
    bp_buf_free(&y);
}

static double items_of(const bp_ribbon *s)
{
    bp_estimate e;
    assert_int_equal(bp_ribbon_estimate(s, 0.95, &e, NULL), BP_OK);
    return e.value;
}

/* ------------------------------------------------------------------------- answers */

/* Batches, single calls, by keys and by hashes, of members and of strangers. */
static void compare_calls(const bp_ribbon_config *cfg, size_t n)
{
    enum { ASK = 3000 };
    static uint8_t bytes[ASK][8], hit[ASK];
    static bp_bytes keys[ASK];
    static uint64_t hashes[ASK];
    bp_ribbon *s = make(*cfg);
    assert_int_equal(bp_add_range((bp_any *)s, 0, n), BP_OK);
    const size_t m = n < ASK / 2 ? n : ASK / 2;
    bp_test_keys(n - m, ASK, bytes, keys); /* the last m are members */
    bp_hash_n(&cfg->hash, keys, ASK, hashes);
    memset(hit, 7, ASK);
    const size_t yes = bp_ribbon_has_n(s, keys, ASK, hit);
    size_t sum = 0;
    for (size_t i = 0; i < ASK; i++) {
        assert_true(hit[i] <= 1 && (hit[i] || i >= m));
        assert_int_equal(bp_ribbon_has(s, keys[i].ptr, 8), hit[i]);
        assert_int_equal(bp_ribbon_has_hashes(s, hashes + i, 1, NULL), hit[i]);
        sum += hit[i];
    }
    assert_int_equal(sum, yes);
    assert_int_equal(bp_ribbon_has_n(s, keys, ASK, NULL), yes);
    assert_int_equal(bp_ribbon_has_hashes(s, hashes, ASK, NULL), yes);
    bp_ribbon_free(s);
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
        bp_ribbon *s = make(*sample(i));
        assert_int_equal(ribbon_yes_of_random(s, &seed, 10000), 0);
        assert_false(bp_ribbon_has(s, NULL, 0));
        assert_true(bp_ribbon_fpr(s) == 0 && items_of(s) == 0);
        bp_ribbon_free(s);
    }
}

/* ------------------------------------------------------------------------- building */

static void no_number_of_keys_fails(void **state)
{
    (void)state;
    uint64_t seed = 5;
    static const size_t some[] = {2047, 2048, 2049, 2500, 60000};
    uint64_t *h = random_hashes(&seed, 60000);
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_ribbon *s = make(*sample(i));
        for (size_t n = 0; n < 700; n += bp_test_quick ? 37 : 1) {
            build(s, h + n, n);
            assert_int_equal(bp_ribbon_has_hashes(s, h + n, n, NULL), n);
        }
        for (size_t j = 0; j < sizeof some / sizeof *some; j++) {
            build(s, h, some[j]);
            assert_int_equal(bp_ribbon_has_hashes(s, h, some[j], NULL), some[j]);
            assert_true(items_of(s) == (double)some[j]);
        }
        bp_ribbon_free(s);
    }
    free(h);
}

/* The hash that ribbon_mix makes x of. */
static uint64_t unmixed(uint64_t x)
{
    uint64_t inverse = UINT64_C(0x9E3779B97F4A7C15);
    for (int i = 0; i < 6; i++)
        inverse *= 2 - UINT64_C(0x9E3779B97F4A7C15) * inverse;
    x *= inverse;
    return x ^ x >> 32;
}

/* All in one slot, in one bucket, in some few: no set fails, and none takes more memory
 * than is said. */
static void no_set_of_keys_fails(void **state)
{
    (void)state;
    enum { N = 20000 };
    static uint64_t h[N];
    for (size_t i = 0; i < SAMPLES; i++)
        for (uint32_t bits = 15; bits < 64; bits += bp_test_quick ? 12 : 3) {
            bp_ribbon_config cfg = *sample(i);
            cfg.items = N;
            bp_ribbon *s;
            void *mem = malloc(bp_ribbon_footprint(&cfg));
            uint64_t seed = bits;
            for (size_t j = 0; j < N; j++)
                h[j] = unmixed((bp_rng_next(&seed) >> (64 - bits)) + (j % 3 << 62));
            assert_int_equal(
                bp_ribbon_place(&s, mem, bp_ribbon_footprint(&cfg), &cfg, NULL), BP_OK);
            build(s, h, N);
            assert_int_equal(bp_ribbon_has_hashes(s, h, N, NULL), N);
            bp_ribbon_free(s);
            free(mem);
        }
}

static void the_order_of_keys_does_not_matter(void **state)
{
    (void)state;
    enum { N = 30000 };
    for (size_t i = 0; i < SAMPLES; i++) {
        uint64_t seed = i;
        uint64_t *h = random_hashes(&seed, N);
        bp_ribbon *a = make(*sample(i)), *b = make(*sample(i));
        build(a, h, N);
        for (size_t j = 0; j < N; j++) {
            const size_t k = (size_t)bp_range(bp_rng_next(&seed), N);
            const uint64_t swap = h[j];
            h[j] = h[k];
            h[k] = swap;
        }
        build(b, h, N);
        same_bytes(a, b);
        bp_ribbon_free(a);
        bp_ribbon_free(b);
        free(h);
    }
}

static void repeated_keys_count_once(void **state)
{
    (void)state;
    static const struct {
        size_t n, different;
    } row[] = {{2, 1}, {3, 1}, {1000, 1}, {300, 299}, {100000, 3}, {50000, 20000}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint64_t seed = i;
        uint64_t *h = random_hashes(&seed, row[i].n);
        bp_ribbon *all = make(plain), *set = make(plain);
        for (size_t j = row[i].different; j < row[i].n; j++)
            h[j] = h[j % row[i].different];
        build(set, h, row[i].different);
        build(all, h, row[i].n);
        assert_true(items_of(all) == (double)row[i].different);
        same_bytes(all, set);
        bp_ribbon_free(all);
        bp_ribbon_free(set);
        free(h);
    }
}

static void building_again_replaces_what_was_there(void **state)
{
    (void)state;
    uint64_t seed = 8;
    uint64_t *h = random_hashes(&seed, 20000);
    static const size_t sizes[] = {20000, 10, 0, 5000, 20000};
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_ribbon *s = make(*sample(i));
        for (size_t j = 0; j < 5; j++) {
            bp_ribbon *fresh = make(*sample(i));
            build(s, h + j, sizes[j] - (sizes[j] ? j : 0));
            build(fresh, h + j, sizes[j] - (sizes[j] ? j : 0));
            same_bytes(s, fresh);
            bp_ribbon_free(fresh);
        }
        bp_ribbon_free(s);
    }
    free(h);
}

static void the_callers_memory_is_enough_at_any_address_and_not_overrun(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++)
        for (size_t n = 1; n < 3000; n = 3 * n + 1) {
            bp_test_alloc alloc = {0};
            bp_ribbon_config cfg = *sample(i);
            cfg.alloc = bp_test_allocator(&alloc);
            bp_ribbon *s = make(cfg), *want = make(*sample(i));
            uint64_t seed = n;
            uint64_t *h = random_hashes(&seed, n);
            const size_t room = bp_ribbon_scratch(s, n);
            uint8_t *mem = malloc(room + 16);
            assert_non_null(mem);
            memset(mem, 0xC5, room + 16);
            build(want, h, n);
            bp_detail why;
            assert_int_equal(bp_ribbon_build_hashes(s, h, n, mem, room - 1, &why),
                             BP_FULL);
            assert_int_equal(why.want, room);
            alloc.most = 0;
            assert_int_equal(bp_ribbon_build_hashes(s, h, n, mem + 3, room, NULL), BP_OK);
            for (size_t j = 0; j < 16; j++)
                assert_int_equal(j < 3 ? mem[j] : mem[room + j], 0xC5);
            same_bytes(s, want);
            bp_ribbon_free(s);
            bp_ribbon_free(want);
            bp_test_alloc_done(&alloc);
            free(h);
            free(mem);
        }
}

static void what_does_not_fit_in_placed_memory_is_refused(void **state)
{
    (void)state;
    const bp_ribbon_config cfg = {.items = 100}, unsaid = {.items = 0};
    bp_ribbon *s;
    bp_detail why;
    assert_int_equal(bp_ribbon_footprint(&unsaid), 0);
    const size_t room = bp_ribbon_footprint(&cfg);
    void *mem = malloc(room);
    assert_int_equal(bp_ribbon_place(&s, mem, room, &cfg, NULL), BP_OK);
    assert_int_equal(bp_add_range((bp_any *)s, 0, 100), BP_OK);
    bp_buf before = bp_encoded((bp_any *)s);
    uint64_t seed = 1;
    uint64_t *h = random_hashes(&seed, 1000);
    assert_int_equal(bp_ribbon_build_hashes(s, h, 1000, NULL, 0, &why), BP_FULL);
    bp_buf after = bp_encoded((bp_any *)s);
    assert_true(bp_buf_equal(before, after));
    bp_buf_free(&before);
    bp_buf_free(&after);
    bp_ribbon_free(s);
    free(mem);
    free(h);
}

static void sizes_out_of_range_are_refused(void **state)
{
    (void)state;
    static const bp_ribbon_config bad[] = {
        {.width = 63},    {.width = 256}, {.fpr = 0.51},        {.fpr = -1},
        {.fpr = 0x1p-30}, {.fpr = NAN},   {.items = UINT64_MAX}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bp_ribbon *s;
        bp_detail why = {BP_OK, NULL, 0, 0, 0};
        assert_int_equal(bp_ribbon_new(&s, &bad[i], &why), BP_PARAM);
        assert_null(s);
        assert_non_null(why.what);
    }
    bp_ribbon *s = make(plain);
    const uint64_t hash = 1;
    if (sizeof(size_t) == 8) {
        const size_t many = (size_t)1 << 41 % (8 * sizeof(size_t));
        assert_true(bp_ribbon_scratch(s, many) == SIZE_MAX);
        assert_int_equal(bp_ribbon_build_hashes(s, &hash, many, NULL, 0, NULL), BP_NOMEM);
    }
    bp_ribbon_free(s);
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
    return bp_ribbon_build_hashes((bp_ribbon *)s, h, 400, NULL, 0, NULL);
}

static void a_build_without_memory_leaves_the_filter_as_it_was(void **state)
{
    (void)state;
    const bp_oom_verb verb = {"build", act_build, true, true};
    uint64_t refused = 0;
    bp_case c;
    for (size_t i = 0; bp_case_at("ribbon", i, &c); i++)
        refused += bp_oom_run(&c, &verb);
    assert_true(refused > 0);
}

/* ------------------------------------------------------------------------------ bytes */

enum { PARAMS = 56, PAYLOAD = 128 };

static bp_status opened(bp_buf b, bp_detail *why)
{
    bp_ribbon *s;
    bp_repair(b.p, b.n);
    const bp_status st = bp_ribbon_decode(&s, b.p, b.n, NULL, why);
    bp_ribbon_free(s);
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
        {9, 0, 8, 0, "fpr must be from 1e-9 to 0.5"},
        {9, 0, 8, UINT64_MAX, "fpr must be from 1e-9 to 0.5"},
        {0, 8, 8, 1, "the items do not go with the blocks"},
        {9, 8, 8, 0, "the items do not go with the blocks"},
        {9, 8, 8, 257, "the items do not go with the blocks"},
        {9, 8, 8, UINT64_MAX, "more than 2^40 items"},
        {9, 16, 8, 2, "layers that bump are for compact filters"},
        {9, 16, 8, UINT64_MAX, "no such number of blocks"},
        {9, 32, 8, 0, "the items do not go with the blocks"},
        {9, 32, 8, 1, "no such number of blocks"},
        {9, 32, 8, 3, "the payload is not as long as the blocks take"},
        {900, 40, 4, 0, "the payload is not as long as the blocks take"},
        {9, 44, 1, 0, "a filter has 1 to 31 columns"},
        {9, 44, 1, 1, "no block has less than one column"},
        {9, 44, 1, 9, "the payload is not as long as the blocks take"},
        {9, 44, 1, 32, "a filter has 1 to 31 columns"},
        {9, 45, 1, 32, "width must be 64 or 128"},
        {9, 45, 1, 128, "no such number of blocks"},
        {9, 46, 1, 2, "compact is 0 or 1"},
        {9, 47, 1, 16, "no such seed"},
        {0, 47, 1, 1, "no such seed"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        bp_ribbon *s = make(plain);
        bp_detail why = {BP_OK, "", 0, 0, 0};
        uint8_t word[8];
        assert_int_equal(bp_add_range((bp_any *)s, 0, row[i].n), BP_OK);
        bp_buf b = bp_encoded((bp_any *)s);
        assert_int_equal(opened(b, NULL), BP_OK);
        bp_store64(word, row[i].value);
        memcpy(b.p + PARAMS + row[i].at, word, row[i].width);
        assert_int_equal(opened(b, &why), BP_CORRUPT);
        assert_string_equal(why.what, row[i].what);
        assert_in_range(why.at, PARAMS, PARAMS + 47);
        bp_buf_free(&b);
        bp_ribbon_free(s);
    }
}

static void a_filter_without_its_key_says_yes_and_takes_hashes_alone(void **state)
{
    (void)state;
    bp_ribbon *s = make(keyed), *d;
    const bp_open keyless = {.flags = BP_OPEN_KEYLESS};
    const bp_bytes key = {"a", 1};
    const uint64_t hash = 77;
    uint8_t hit = 7;
    assert_int_equal(bp_add_range((bp_any *)s, 0, 50), BP_OK);
    bp_buf b = bp_encoded((bp_any *)s);
    assert_int_equal(bp_ribbon_decode(&d, b.p, b.n, &keyless, NULL), BP_OK);
    assert_true(bp_ribbon_has(d, "stranger", 8));
    assert_int_equal(bp_ribbon_has_n(d, &key, 1, &hit), 1);
    assert_int_equal(hit, 1);
    assert_int_equal(bp_ribbon_build(d, &key, 1, NULL, 0, NULL), BP_UNSUPPORTED);
    same_bytes(d, s);
    assert_int_equal(bp_ribbon_build_hashes(d, &hash, 1, NULL, 0, NULL), BP_OK);
    assert_int_equal(bp_ribbon_has_hashes(d, &hash, 1, NULL), 1);
    bp_buf_free(&b);
    bp_ribbon_free(s);
    bp_ribbon_free(d);
}

/* ---------------------------------------------------------------------------- vectors */

static void configure(const json_t *config, void *cfg)
{
    bp_ribbon_config *c = (bp_ribbon_config *)cfg;
    c->fpr = bp_json_real_or(config, "fpr", 0);
    c->width = (uint32_t)bp_json_whole_or(config, "width", 0);
    c->compact = bp_json_bool_or(config, "compact", false);
}

static void bytes_are_those_of_the_vectors(void **state)
{
    (void)state;
    bp_vectors_check("ribbon", configure, NULL);
}

/* FORMAT.md's rule, written down a second time, slot by slot over the bytes alone. */
typedef struct by_hand {
    const uint8_t *payload;
    uint64_t blocks[3], share;
    uint32_t columns, width;
} by_hand;

/* Column j of a slot; words of the layer begin at byte `at` of the payload. */
static uint32_t bit_by_hand(const by_hand *f, uint64_t at, uint64_t lower, uint64_t slot,
                            uint32_t j)
{
    const uint64_t block = slot / 64;
    const uint64_t word = block * f->columns - (block < lower ? block : lower) + j;
    return f->payload[at + 8 * word + slot % 64 / 8] >> slot % 8 & 1;
}

uint32_t ribbon_by_hand(const uint8_t *b, uint64_t h, uint32_t *columns)
{
    static const uint32_t part[4] = {0, 1, 3, 8}; /* quarters of the width */
    by_hand f = {.payload = b + PAYLOAD,
                 .share = bp_load32(b + PARAMS + 40),
                 .columns = b[PARAMS + 44],
                 .width = b[PARAMS + 45]};
    uint64_t at = 0, x = h ^ b[PARAMS + 47] * UINT64_C(0xA24BAED4963EE407), rest;
    for (int layer = 0; layer < 3; layer++) {
        const uint64_t blocks = bp_load64(b + PARAMS + 16 + 8 * layer);
        if (blocks == 0)
            continue;
        const uint64_t starts = 64 * blocks - f.width;
        const uint64_t lower = starts / 64 * f.share / 4294967296;
        const uint64_t words = blocks * f.columns - lower;
        x = (x ^ x / 4294967296) * UINT64_C(0x9E3779B97F4A7C15);
        const uint64_t start = bp_mul128_portable(x, starts, &rest);
        const uint64_t bucket = start / (2 * f.width);
        const uint8_t *bumps = f.payload + at + 8 * words;
        if (layer < 2 &&
            start % (2 * f.width) <
                part[bumps[bucket / 4] >> 2 * (bucket % 4) & 3] * f.width / 4) {
            at += 8 * words + (64 * blocks / (2 * f.width) + 32) / 32 * 8;
            continue;
        }
        uint64_t y = (x ^ x / 4294967296) * UINT64_C(0xD6E8FEB86659FD93);
        y ^= y / 4294967296;
        uint64_t z = y * UINT64_C(0xC2B2AE3D27D4EB4F);
        z ^= z / 4294967296;
        const uint64_t names[2] = {y | 1, z};
        uint32_t found =
            layer < 2 ? (uint32_t)(y * UINT64_C(0x9FB21C651E98DF25) / 4294967296) : 0;
        *columns = f.columns - (start / 64 < lower);
        for (uint32_t j = 0; j < *columns; j++)
            for (uint32_t i = 0; i < f.width; i++)
                if (names[i / 64] >> i % 64 & 1)
                    found ^= bit_by_hand(&f, at, lower, start + i, j) << j;
        return found & ((UINT32_C(1) << *columns) - 1);
    }
    *columns = 1;
    return 1;
}

static void slots_are_where_the_format_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++)
        for (size_t n = 1000; n < 60000; n = n * 29 / 2) {
            bp_ribbon *s = make(*sample(i));
            uint64_t seed = i;
            uint64_t *h = random_hashes(&seed, n + 1000);
            build(s, h, n);
            bp_buf b = bp_encoded((bp_any *)s);
            for (size_t j = n - 1000; j < n + 1000; j++) {
                uint32_t columns;
                const bool is = ribbon_by_hand(b.p, h[j], &columns) == 0;
                assert_int_equal(is, bp_ribbon_has_hashes(s, h + j, 1, NULL));
                assert_true(is || j >= n);
            }
            bp_buf_free(&b);
            bp_ribbon_free(s);
            free(h);
        }
}

/* Two layers that bump, and more than one of sorting: too large for a golden file. */
static void large_filters_are_the_same_everywhere(void **state)
{
    (void)state;
    static const struct {
        bp_ribbon_config config;
        uint64_t encoded;
    } row[] = {
        {{.fpr = 0.01}, UINT64_C(0x660f8bbba976c6a9)},
        {{.compact = true, .fpr = 0.004, .width = 128}, UINT64_C(0x7ece508a08c48319)}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint64_t seed = 99;
        bp_ribbon *s = ribbon_make_random(row[i].config, &seed, 150000);
        bp_buf b = bp_encoded((bp_any *)s);
        assert_int_equal(XXH3_64bits(b.p, b.n), row[i].encoded);
        bp_buf_free(&b);
        bp_ribbon_free(s);
    }
}

static void every_instruction_set_builds_and_answers_the_same(void **state)
{
    (void)state;
    enum { N = 40000 };
    static uint8_t hit[2][N];
    printf("variants: portable%s\n", bp_cpu() & BP_CPU_AVX2 ? ", avx2" : "");
    for (size_t i = 0; i < SAMPLES; i++) {
        uint64_t seed = i;
        uint64_t *h = random_hashes(&seed, N);
        bp_ribbon *s[2] = {make(*sample(i)), make(*sample(i))};
        for (int v = 0; v < 2; v++) {
            bp_cpu_allow(v ? UINT32_MAX : 0);
            build(s[v], h, N / 2);
            bp_ribbon_has_hashes(s[v], h, N, hit[v]);
        }
        same_bytes(s[0], s[1]);
        assert_memory_equal(hit[0], hit[1], N);
        bp_ribbon_free(s[0]);
        bp_ribbon_free(s[1]);
        free(h);
    }
    bp_cpu_allow(UINT32_MAX);
}

/* A second seed hashes the keys again, after head and cells have moved: with an allocator
 * that spoils what was freed. */
static void another_seed_hashes_the_keys_as_the_first_did(void **state)
{
    enum { N = 3000, SETS = 60 };
    static uint8_t bytes[N][8];
    static bp_bytes keys[N];
    static uint64_t h[N];
    const bp_hash_spec spec = {.id = BP_HASH_XXH3, .seed = 77};
    size_t again = 0;
    (void)state;
    for (uint64_t i = 0; i < SETS; i++) {
        bp_test_alloc a = {0};
        bp_ribbon_config cfg = {.fpr = 0.1, .hash = spec};
        bp_ribbon *want = make(cfg);
        cfg.alloc = bp_test_allocator(&a);
        bp_ribbon *s = make(cfg);
        bp_test_keys(i * N, N, bytes, keys);
        bp_hash_n(&spec, keys, N, h);
        build(want, h, N);
        assert_int_equal(bp_ribbon_build(s, keys, N, NULL, 0, NULL), BP_OK);
        same_bytes(s, want);
        again += ((const ribbon_head *)((const bp_object *)s)->head)->design.seed > 0;
        bp_ribbon_free(s);
        bp_ribbon_free(want);
        bp_test_alloc_done(&a);
    }
    assert_true(again > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_key_is_found_by_every_call),
    cmocka_unit_test(another_seed_hashes_the_keys_as_the_first_did),
    cmocka_unit_test(an_empty_filter_answers_no),
    cmocka_unit_test(no_number_of_keys_fails),
    cmocka_unit_test(no_set_of_keys_fails),
    cmocka_unit_test(the_order_of_keys_does_not_matter),
    cmocka_unit_test(repeated_keys_count_once),
    cmocka_unit_test(building_again_replaces_what_was_there),
    cmocka_unit_test(the_callers_memory_is_enough_at_any_address_and_not_overrun),
    cmocka_unit_test(what_does_not_fit_in_placed_memory_is_refused),
    cmocka_unit_test(sizes_out_of_range_are_refused),
    cmocka_unit_test(a_build_without_memory_leaves_the_filter_as_it_was),
    cmocka_unit_test(parameters_that_encode_would_not_write_are_refused),
    cmocka_unit_test(a_filter_without_its_key_says_yes_and_takes_hashes_alone),
    cmocka_unit_test(bytes_are_those_of_the_vectors),
    cmocka_unit_test(slots_are_where_the_format_says),
    cmocka_unit_test(large_filters_are_the_same_everywhere),
    cmocka_unit_test(every_instruction_set_builds_and_answers_the_same),
    cmocka_unit_test(rates_asked_for_are_met),
    cmocka_unit_test(a_ribbon_rate_three_percent_off_would_be_caught),
    cmocka_unit_test(columns_of_strangers_are_uniform),
    cmocka_unit_test(bits_a_key_of_ribbons_are_those_that_are_stated),
};

const bp_suite bp_suite_ribbon = {
    .name = "ribbon",
    .tests = tests,
    .test_count = sizeof tests / sizeof *tests,
    .samples = samples,
    .sample_count = sizeof samples / sizeof *samples,
};
