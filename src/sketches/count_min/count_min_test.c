/* SPDX-License-Identifier: MIT
 * count_min_test.c - what a Count-Min sketch does; how wrong it is, is tested in
 * count_min_accuracy_test.c. */
#include "sketches/count_min/count_min_test.h"

#include "core/cpu.h"
#include "vectors/vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bp_count_min *count_min_make(bp_count_min_config cfg)
{
    bp_count_min *s = NULL;
    bp_detail why = {BP_OK, "", 0, 0, 0};
    if (bp_count_min_new(&s, &cfg, &why))
        fail_msg("new: %s", why.what);
    return s;
}

uint64_t count_min_add_u64(bp_count_min *s, uint64_t key, uint64_t by)
{
    uint8_t bytes[8];
    bp_store64(bytes, key);
    return bp_count_min_add(s, bytes, 8, by);
}

uint64_t count_min_count_u64(const bp_count_min *s, uint64_t key)
{
    uint8_t bytes[8];
    bp_store64(bytes, key);
    return bp_count_min_count(s, bytes, 8);
}

bp_buf count_min_bytes(const bp_count_min *s)
{
    return bp_encoded((const bp_any *)s);
}

void count_min_same(const bp_count_min *a, const bp_count_min *b)
{
    bp_buf x = count_min_bytes(a), y = count_min_bytes(b);
    assert_true(bp_buf_equal(x, y));
    bp_buf_free(&x);
    bp_buf_free(&y);
}

static const bp_figure *figure(const bp_description *d, const char *name)
{
    for (size_t i = 0; i < d->count; i++)
        if (strcmp(d->figures[i].name, name) == 0)
            return &d->figures[i];
    fail_msg("no figure %s", name);
    return NULL;
}

/* ------------------------------------------------------------------ configurations */

static void the_sizes_of_the_literature_are_exact(void **state)
{
    (void)state;
    static const struct {
        double epsilon, delta;
        uint64_t width;
        uint32_t depth, bits;
        size_t bytes;
    } rows[] = {{0.01, 0.01, 272, 5, 32, 5440},     {0.001, 0.01, 2719, 5, 32, 54380},
                {0.001, 0.01, 2719, 5, 64, 108760}, {1e-5, 0.01, 271829, 5, 32, 5436580},
                {0.005, 0.01, 544, 5, 32, 10880},   {0, 0, 2719, 5, 0, 54380},
                {0.001, 0.001, 2719, 7, 32, 76132}, {0.001, 0.5, 2719, 1, 32, 10876}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bp_count_min_config cfg = {.epsilon = rows[i].epsilon,
                                         .delta = rows[i].delta,
                                         .counter_bits = rows[i].bits};
        bp_count_min_config c;
        assert_int_equal(bp_count_min_size(&cfg, &c, NULL), BP_OK);
        assert_int_equal(c.width, rows[i].width);
        assert_int_equal(c.depth, rows[i].depth);
        assert_int_equal(c.width * c.depth * c.counter_bits / 8, rows[i].bytes);
        const size_t memory = bp_count_min_footprint(&cfg);
        assert_true(memory >= rows[i].bytes && memory < rows[i].bytes + 512);
    }
    bp_count_min_config c;
    assert_int_equal(bp_count_min_size(NULL, &c, NULL), BP_OK);
    assert_true(c.epsilon == 0.001 && c.delta == 0.01);
}

/* What a sketch says of itself makes the same sketch again, at every width and depth. */
static void config_of_and_size_make_the_same_sketch_again(void **state)
{
    (void)state;
    uint64_t rng = 1;
    for (int i = 0; i < 20000; i++) {
        const unsigned bits = (unsigned)(bp_rng_next(&rng) % 41);
        uint64_t width = bp_rng_next(&rng) >> (63 - bits) >> 1;
        width = width ? width : UINT64_C(1) << bits;
        bp_count_min_config cfg = {.width = width, .depth = (uint32_t)i % 32 + 1}, c, d;
        assert_int_equal(bp_count_min_size(&cfg, &c, NULL), BP_OK);
        assert_true(c.epsilon > 0 && c.delta > 0);
        assert_int_equal(bp_count_min_size(&c, &d, NULL), BP_OK);
        assert_memory_equal(&c, &d, sizeof c);
        c.width = c.depth = 0;
        assert_int_equal(bp_count_min_size(&c, &d, NULL), BP_OK);
        assert_int_equal(d.width, width);
        assert_int_equal(d.depth, cfg.depth);
    }
    bp_count_min *s = count_min_make((bp_count_min_config){
        .epsilon = 0.02, .delta = 0.1, .counter_bits = 64, .conservative = true});
    bp_count_min_config c;
    bp_count_min_config_of(s, &c);
    assert_int_equal(c.width, 136);
    assert_int_equal(c.depth, 3);
    assert_int_equal(c.counter_bits, 64);
    assert_true(c.conservative && !c.concurrent);
    bp_count_min *again = count_min_make(c);
    count_min_same(s, again);
    bp_count_min_free(s);
    bp_count_min_free(again);
}

static void refuse(bp_count_min_config cfg, const char *what)
{
    bp_count_min *s = (bp_count_min *)(void *)&cfg;
    bp_detail why = {BP_OK, "", 0, 0, 0};
    assert_int_equal(bp_count_min_new(&s, &cfg, &why), BP_PARAM);
    assert_null(s);
    assert_int_equal(why.status, BP_PARAM);
    if (!strstr(why.what, what))
        fail_msg("\"%s\" does not say \"%s\"", why.what, what);
    assert_int_equal(bp_count_min_footprint(&cfg), 0);
}

static void contradictions_and_ranges_are_refused_in_words(void **state)
{
    (void)state;
    refuse((bp_count_min_config){.epsilon = -0.1}, "epsilon must be");
    refuse((bp_count_min_config){.epsilon = (double)NAN}, "epsilon must be");
    refuse((bp_count_min_config){.epsilon = 3}, "epsilon must be");
    refuse((bp_count_min_config){.epsilon = 1e-13}, "epsilon must be");
    refuse((bp_count_min_config){.delta = 1}, "delta must lie");
    refuse((bp_count_min_config){.delta = -1}, "delta must lie");
    refuse((bp_count_min_config){.delta = (double)NAN}, "delta must lie");
    refuse((bp_count_min_config){.delta = 1e-14}, "too many rows");
    refuse((bp_count_min_config){.epsilon = 0.01, .width = 271}, "disagree");
    refuse((bp_count_min_config){.delta = 0.01, .depth = 4}, "disagree");
    refuse((bp_count_min_config){.width = (UINT64_C(1) << 40) + 1}, "width must be");
    refuse((bp_count_min_config){.depth = 33}, "depth must be");
    refuse((bp_count_min_config){.counter_bits = 16}, "32 or 64");
    refuse((bp_count_min_config){.conservative = true, .concurrent = true}, "choose one");
    refuse((bp_count_min_config){.reserved8 = {0, 0, 0, 0, 0, 1}}, "reserved");
    refuse((bp_count_min_config){.reserved = {0, 0, 0, 1}}, "reserved");
    refuse((bp_count_min_config){.hash = {.id = 99}}, "hash");
    if (SIZE_MAX == UINT32_MAX)
        refuse((bp_count_min_config){.width = UINT64_C(1) << 30}, "larger than this");
}

/* -------------------------------------------------------------- adding and counting */

const bp_count_min_config count_min_shapes[COUNT_MIN_SHAPES] = {
    {.width = 50, .depth = 5},
    {.width = 50, .depth = 4, .conservative = true},
    {.width = 50, .depth = 5, .conservative = true},
    {.width = 33, .depth = 5, .counter_bits = 64},
    {.width = 33, .depth = 4, .counter_bits = 64, .conservative = true},
    {.width = 1, .depth = 1},
    {.width = 7, .depth = 32},
    {.width = 7, .depth = 31, .counter_bits = 64, .conservative = true},
    {.width = 50, .depth = 5, .concurrent = true},
    {.width = 50, .depth = 3, .concurrent = true, .counter_bits = 64},
    {.width = 50, .depth = 2, .hash = {.id = BP_HASH_SIPHASH24, .key = {1, 2, 3}}},
    {.width = 100000, .depth = 4}, /* beyond what is fetched ahead */
};

static void an_empty_sketch_counts_zero_and_a_lone_key_exactly(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_MIN_SHAPES; i++) {
        bp_count_min *s = count_min_make(count_min_shapes[i]);
        assert_int_equal(bp_count_min_count(s, NULL, 0), 0);
        assert_int_equal(bp_count_min_add(s, NULL, 0, 0), 0);
        assert_int_equal(bp_count_min_total(s), 0);
        assert_int_equal(bp_count_min_add(s, NULL, 0, 5), 5);
        assert_int_equal(bp_count_min_add(s, NULL, 0, 0), 5);
        assert_int_equal(bp_count_min_add(s, "", 0, 2), 7);
        assert_int_equal(bp_count_min_count(s, NULL, 0), 7);
        assert_int_equal(bp_count_min_total(s), 7);
        bp_count_min_reset(s);
        assert_int_equal(bp_count_min_count(s, NULL, 0), 0);
        assert_int_equal(bp_count_min_total(s), 0);
        bp_count_min_free(s);
    }
}

static void counts_are_never_below_the_truth(void **state)
{
    (void)state;
    enum { KEYS = 500 };
    for (size_t i = 0; i < COUNT_MIN_SHAPES; i++) {
        uint64_t truth[KEYS] = {0}, rng = i, total = 0;
        bp_count_min *s = count_min_make(count_min_shapes[i]);
        for (int n = 0; n < 5000; n++) {
            const uint64_t key = bp_rng_next(&rng) % (bp_rng_next(&rng) % KEYS + 1);
            const uint64_t by = bp_rng_next(&rng) % 4;
            const uint64_t before = count_min_count_u64(s, key);
            const uint64_t said = count_min_add_u64(s, key, by);
            truth[key] += by;
            total += by;
            assert_true(said >= truth[key]);
            assert_true(said == before + by);
            assert_true(said == count_min_count_u64(s, key));
        }
        for (uint64_t key = 0; key < KEYS; key++)
            assert_true(count_min_count_u64(s, key) >= truth[key]);
        assert_int_equal(bp_count_min_total(s), total);
        bp_count_min_free(s);
    }
}

/* Conservative counts are never above plain ones of the same stream. */
static void conservative_counts_are_never_above_plain_ones(void **state)
{
    (void)state;
    bp_count_min *plain = count_min_make((bp_count_min_config){.width = 40, .depth = 3});
    bp_count_min *careful = count_min_make(
        (bp_count_min_config){.width = 40, .depth = 3, .conservative = true});
    uint64_t rng = 3, lower = 0;
    for (int n = 0; n < 20000; n++) {
        const uint64_t key = bp_rng_next(&rng) % 300, by = bp_rng_next(&rng) % 3;
        const uint64_t a = count_min_add_u64(plain, key, by);
        const uint64_t b = count_min_add_u64(careful, key, by);
        assert_true(b <= a);
        lower += b < a;
    }
    assert_true(lower > 10000);
    bp_count_min_free(plain);
    bp_count_min_free(careful);
}

enum { STREAM = 700 };

/* Keys that come again inside a block and across blocks, with weights. */
static void make_stream(uint8_t (*bytes)[8], bp_bytes *keys, uint64_t *by)
{
    uint64_t rng = 9;
    for (size_t i = 0; i < STREAM; i++) {
        bp_store64(bytes[i], bp_rng_next(&rng) % 90);
        keys[i] = (bp_bytes){bytes[i], i % 9};
        by[i] = bp_rng_next(&rng) % 5;
    }
}

static void check_batches(const bp_count_min_config *cfg, const uint64_t *by)
{
    static uint8_t bytes[STREAM][8];
    static bp_bytes keys[STREAM];
    static uint64_t weights[STREAM], hashes[STREAM], one[STREAM], many[STREAM];
    make_stream(bytes, keys, weights);
    const bool keyed = bp_is_keyed(&cfg->hash);
    bp_hash_n(keyed ? &cfg->hash : NULL, keys, STREAM, hashes);
    bp_count_min *a = count_min_make(*cfg), *b = count_min_make(*cfg);
    bp_count_min *c = count_min_make(*cfg), *d = count_min_make(*cfg);
    if (by)
        by = weights;
    for (size_t i = 0; i < STREAM; i++)
        one[i] = bp_count_min_add(a, keys[i].ptr, keys[i].len, by ? by[i] : 1);
    bp_count_min_add_n(b, keys, STREAM, by, many);
    assert_memory_equal(one, many, sizeof one);
    bp_count_min_add_hashes(c, hashes, STREAM, by, many);
    assert_memory_equal(one, many, sizeof one);
    for (size_t i = 0, n = 0; i < STREAM; i += n, n = (n + 1) % 70) /* and in pieces */
        bp_count_min_add_n(d, keys + i, n < STREAM - i ? n : STREAM - i,
                           by ? by + i : NULL, NULL);
    count_min_same(a, b);
    count_min_same(a, c);
    count_min_same(a, d);
    for (size_t i = 0; i < STREAM; i++)
        one[i] = bp_count_min_count(a, keys[i].ptr, keys[i].len);
    bp_count_min_count_n(b, keys, STREAM, many);
    assert_memory_equal(one, many, sizeof one);
    bp_count_min_count_hashes(c, hashes, STREAM, many);
    assert_memory_equal(one, many, sizeof one);
    bp_count_min_free(a);
    bp_count_min_free(b);
    bp_count_min_free(c);
    bp_count_min_free(d);
}

static void a_batch_is_its_keys_one_after_another(void **state)
{
    (void)state;
    static const uint64_t weighted[1];
    for (size_t i = 0; i < COUNT_MIN_SHAPES; i++) {
        check_batches(&count_min_shapes[i], NULL);
        check_batches(&count_min_shapes[i], weighted);
    }
    for (uint32_t depth = 1; depth <= 32; depth++)
        for (int kind = 0; kind < 4; kind++) {
            const bp_count_min_config cfg = {.width = 11,
                                             .depth = depth,
                                             .counter_bits = kind & 1 ? 64 : 32,
                                             .conservative = kind & 2};
            check_batches(&cfg, NULL);
            check_batches(&cfg, weighted);
        }
}

/* ------------------------------------------------------------------------ positions */

/* floor(a * width / 2^64), from 16-bit digits: not the code under test. */
static uint64_t place_of(uint64_t a, uint64_t width)
{
    uint64_t digits[9] = {0};
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++) {
            const uint64_t p = (a >> 16 * i & 0xFFFF) * (width >> 16 * j & 0xFFFF);
            digits[i + j] += p & 0xFFFF;
            digits[i + j + 1] += p >> 16;
        }
    for (unsigned i = 0; i < 8; i++)
        digits[i + 1] += digits[i] >> 16;
    return (digits[4] & 0xFFFF) | (digits[5] & 0xFFFF) << 16 |
           (digits[6] & 0xFFFF) << 32 | (digits[7] & 0xFFFF) << 48;
}

static void check_cells(uint64_t width, uint32_t depth, uint64_t *rng)
{
    uint64_t hashes[CM_BLOCK] = {0};
    static uint64_t cells[CM_BLOCK * CM_DEPTH_MAX];
    const size_t n = bp_rng_next(rng) % (CM_BLOCK + 1);
    for (size_t k = 0; k < n; k++)
        hashes[k] = k < 2 ? 0 - (uint64_t)k : bp_rng_next(rng);
    bp_count_min_cells(hashes, n, width, depth, cells);
    for (size_t k = 0; k < n; k++) {
        uint64_t a = hashes[k];
        for (uint32_t i = 0; i < depth; i++, a *= 0xFBB42D9Du) {
            assert_true(cells[i * CM_BLOCK + k] == i * width + place_of(a, width));
            assert_true(cells[i * CM_BLOCK + k] / width == i);
        }
    }
}

/* 2^40 counters in 32 rows are 256 TiB: only their places can be tested. */
static void every_variant_places_keys_by_the_rule_at_every_width(void **state)
{
    (void)state;
    static const uint64_t widths[] = {1,
                                      2,
                                      3,
                                      2719,
                                      UINT32_MAX - 1,
                                      UINT32_MAX,
                                      UINT64_C(1) << 32,
                                      (UINT64_C(1) << 32) + 1,
                                      UINT64_C(12345678901),
                                      (UINT64_C(1) << 40) - 1,
                                      UINT64_C(1) << 40};
    static const struct {
        uint32_t set;
        const char *name;
    } variants[] = {{0, "portable"}, {BP_CPU_AVX2, "avx2"}};
    uint64_t rng = 5;
    printf("          variants run:");
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        bp_cpu_allow(UINT32_MAX);
        if (variants[v].set && !(bp_cpu() & variants[v].set))
            continue;
        printf(" %s", variants[v].name);
        bp_cpu_allow(variants[v].set);
        for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
            for (uint32_t depth = 1; depth <= 32; depth++)
                check_cells(widths[i], depth, &rng);
        for (int i = 0; i < 2000; i++)
            check_cells((bp_rng_next(&rng) >> (24 + i % 40)) + 1, 5, &rng);
    }
    bp_cpu_allow(UINT32_MAX);
    printf("\n");
}

static void configure(const json_t *json, void *cfg)
{
    bp_count_min_config *c = (bp_count_min_config *)cfg;
    c->width = bp_json_whole(json, "width");
    c->depth = (uint32_t)bp_json_whole(json, "depth");
    c->counter_bits = (uint32_t)bp_json_whole_or(json, "counter_bits", 32);
    c->conservative = bp_json_bool_or(json, "conservative", false);
}

static void places(const bp_any *s, uint64_t hash, const json_t *expected)
{
    uint64_t cells[CM_BLOCK * CM_DEPTH_MAX];
    bp_count_min_config c;
    bp_any_config_of(s, &c);
    bp_count_min_cells(&hash, 1, c.width, c.depth, cells);
    for (uint32_t i = 0; i < c.depth; i++)
        if (bp_json_number(json_array_get(expected, i)) !=
            cells[i * CM_BLOCK] - i * c.width)
            fail_msg("row %u: is at %llu", i,
                     (unsigned long long)(cells[i * CM_BLOCK] - i * c.width));
    assert_int_equal(json_array_size(expected), c.depth);
}

static void vectors_are_reproduced(void **state)
{
    (void)state;
    bp_vectors_check("count_min", configure, places);
}

/* ------------------------------------------------------------------------ saturation */

static void saturate(bp_count_min_config cfg)
{
    const uint64_t most = cfg.counter_bits == 64 ? UINT64_MAX : UINT32_MAX;
    bp_count_min *s = count_min_make(cfg);
    bp_description d;
    bp_estimate e;
    assert_int_equal(count_min_add_u64(s, 1, most / 2), most / 2);
    bp_count_min_describe(s, &d);
    assert_int_equal(d.health, BP_HEALTH_OK);
    count_min_add_u64(s, 1, 1);
    bp_count_min_describe(s, &d);
    assert_int_equal(d.health, BP_HEALTH_NEAR);
    assert_true(strlen(d.advice) > 20);
    assert_true(count_min_add_u64(s, 1, most / 2 - 1) == most - 1);
    assert_int_equal(bp_count_min_bounds(s, "\1\0\0\0\0\0\0\0", 8, 0.9, &e, NULL), BP_OK);
    assert_true(e.value == e.upper && e.value >= (double)(most - 1) && !isinf(e.upper));
    bp_count_min_describe(s, &d);
    assert_int_equal(figure(&d, "saturated")->whole, 0);
    assert_true(figure(&d, "highest")->whole == most - 1);
    assert_true(count_min_add_u64(s, 1, 1) == most);
    assert_true(count_min_add_u64(s, 1, 1) == most);
    assert_true(count_min_add_u64(s, 1, UINT64_MAX) == most);
    assert_true(count_min_count_u64(s, 1) == most);
    assert_int_equal(bp_count_min_bounds(s, "\1\0\0\0\0\0\0\0", 8, 0.9, &e, NULL), BP_OK);
    assert_true(isinf(e.upper) && e.value == (double)most && e.lower == 0);
    assert_true(bp_count_min_total(s) == UINT64_MAX);
    bp_count_min_describe(s, &d);
    assert_int_equal(d.health, BP_HEALTH_OVER);
    assert_int_equal(figure(&d, "saturated")->whole, cfg.depth);
    bp_count_min_free(s);
    s = count_min_make(cfg); /* at once, past both ends */
    assert_true(count_min_add_u64(s, 1, UINT64_MAX) == most);
    assert_true(count_min_add_u64(s, 1, UINT64_MAX) == most);
    bp_count_min_free(s);
}

static void counters_stay_at_their_largest_value_and_say_so(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++)
        saturate((bp_count_min_config){.width = 20,
                                       .depth = 3 + (uint32_t)i % 3,
                                       .counter_bits = i & 1 ? 64 : 32,
                                       .conservative = i / 2 == 1,
                                       .concurrent = i / 2 == 2});
    bp_count_min *s = count_min_make((bp_count_min_config){.width = 4, .depth = 2});
    const uint64_t by[3] = {UINT32_MAX, UINT64_C(1) << 33, 7}, h[3] = {1, 1, 1};
    uint64_t counts[3];
    bp_count_min_add_hashes(s, h, 3, by, counts);
    assert_true(counts[0] == UINT32_MAX && counts[1] == UINT32_MAX &&
                counts[2] == UINT32_MAX);
    assert_true(bp_count_min_total(s) == UINT32_MAX + (UINT64_C(1) << 33) + 7);
    bp_count_min_free(s);
}

/* ---------------------------------------------------------------------------- bounds */

static void bounds_follow_the_formula(void **state)
{
    (void)state;
    bp_count_min *s = count_min_make((bp_count_min_config){.width = 1000, .depth = 4});
    bp_estimate e = {1, 2, 3}, any;
    bp_detail why;
    for (int bad = 0; bad < 4; bad++) {
        const double confidence[] = {0, 1, -0.5, (double)NAN};
        assert_int_equal(bp_count_min_bounds(s, "x", 1, confidence[bad], &e, &why),
                         BP_PARAM);
        assert_true(e.value == 1 && e.lower == 2 && e.upper == 3);
    }
    bp_count_min_add(s, "x", 1, 500);
    bp_count_min_add(s, "y", 1, 99500);
    assert_int_equal(bp_count_min_bounds(s, "x", 1, 0.9375, &e, NULL), BP_OK);
    assert_true(e.value == 500 && e.upper == 500);
    assert_true(fabs(e.lower - (500 - 2.0 / 1000 * 100000)) < 1e-9); /* 16^(1/4) = 2 */
    assert_int_equal(bp_count_min_bounds(s, "x", 1, 0.9999, &e, NULL), BP_OK);
    assert_true(e.lower == 0);
    assert_int_equal(bp_any_estimate((bp_any *)s, 0.5, &any, NULL), BP_OK);
    assert_true(any.value == 100000 && any.lower == 100000 && any.upper == 100000);
    assert_int_equal(bp_any_estimate((bp_any *)s, 2, &any, NULL), BP_PARAM);
    bp_count_min_add(s, "y", 1, UINT64_MAX);
    assert_int_equal(bp_any_estimate((bp_any *)s, 0.5, &any, NULL), BP_OK);
    assert_true(isinf(any.upper));
    bp_count_min_free(s);
}

/* A double cannot hold 2^53 + 1: the upper bound must round up. */
static void upper_bounds_hold_beyond_what_doubles_count(void **state)
{
    (void)state;
    static const uint64_t counts[] = {(UINT64_C(1) << 53) + 1, (UINT64_C(1) << 60) + 1,
                                      UINT64_MAX - 1, UINT64_MAX - 2047};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        bp_count_min *s = count_min_make(
            (bp_count_min_config){.width = 9, .depth = 2, .counter_bits = 64});
        bp_estimate e;
        bp_count_min_add(s, "x", 1, counts[i]);
        assert_int_equal(bp_count_min_bounds(s, "x", 1, 0.5, &e, NULL), BP_OK);
        assert_true(e.upper >= 0x1p64 || (uint64_t)e.upper >= counts[i]);
        assert_true(e.lower <= e.value);
        bp_count_min_free(s);
    }
}

static void describe_names_the_sketch_and_its_state(void **state)
{
    (void)state;
    bp_count_min *s = count_min_make((bp_count_min_config){
        .width = 100, .depth = 2, .counter_bits = 64, .conservative = true});
    bp_description d;
    count_min_add_u64(s, 1, 30);
    count_min_add_u64(s, 1, 12);
    bp_count_min_describe(s, &d);
    assert_int_equal(d.health, BP_HEALTH_OK);
    assert_string_equal(d.advice, "");
    assert_int_equal(figure(&d, "width")->whole, 100);
    assert_int_equal(figure(&d, "depth")->whole, 2);
    assert_int_equal(figure(&d, "counter_bits")->whole, 64);
    assert_string_equal(figure(&d, "update")->text, "conservative");
    assert_true(fabs(figure(&d, "epsilon")->real - 0.0271828) < 1e-6);
    assert_true(fabs(figure(&d, "delta")->real - 0.1353353) < 1e-6);
    assert_int_equal(figure(&d, "total")->whole, 42);
    assert_true(fabs(figure(&d, "epsilon_total")->real - 42 * 0.0271828) < 1e-4);
    assert_true(fabs(figure(&d, "fill")->real - 0.01) < 1e-12);
    assert_int_equal(figure(&d, "highest")->whole, 42);
    assert_int_equal(figure(&d, "saturated")->whole, 0);
    bp_count_min_free(s);
}

/* ---------------------------------------------------------------- merge and subtract */

void count_min_add_some(bp_count_min *s, uint64_t seed, int n)
{
    for (int i = 0; i < n; i++) {
        const uint64_t key = bp_rng_next(&seed) % 200;
        count_min_add_u64(s, key, bp_rng_next(&seed) % 3);
    }
}

static void a_merge_is_both_streams_and_subtract_takes_one_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_MIN_SHAPES; i++) {
        bp_count_min *a = count_min_make(count_min_shapes[i]),
                     *b = count_min_make(count_min_shapes[i]);
        bp_count_min *both = count_min_make(count_min_shapes[i]), *before;
        count_min_add_some(a, 1, 300);
        count_min_add_some(b, 2, 400);
        count_min_add_some(both, 1, 300);
        count_min_add_some(both, 2, 400);
        assert_int_equal(bp_count_min_clone(&before, a, NULL), BP_OK);
        assert_int_equal(bp_count_min_merge(a, b, NULL), BP_OK);
        assert_int_equal(bp_count_min_total(a), bp_count_min_total(both));
        if (count_min_shapes[i].conservative) {
            for (uint64_t key = 0; key < 200; key++)
                assert_true(count_min_count_u64(a, key) >=
                            count_min_count_u64(before, key) +
                                count_min_count_u64(b, key));
            assert_int_equal(bp_count_min_subtract(a, b, NULL), BP_UNSUPPORTED);
        } else {
            count_min_same(a, both);
            assert_int_equal(bp_count_min_subtract(a, b, NULL), BP_OK);
            count_min_same(a, before);
            assert_int_equal(bp_count_min_merge(a, a, NULL), BP_OK);
            assert_int_equal(bp_count_min_total(a), 2 * bp_count_min_total(before));
            assert_int_equal(bp_count_min_subtract(a, before, NULL), BP_OK);
            count_min_same(a, before);
            assert_int_equal(bp_count_min_subtract(a, a, NULL), BP_OK);
            bp_count_min_reset(before);
            count_min_same(a, before);
        }
        bp_count_min_free(a);
        bp_count_min_free(b);
        bp_count_min_free(both);
        bp_count_min_free(before);
    }
}

static void other_parameters_are_a_mismatch_with_both_values(void **state)
{
    (void)state;
    const bp_count_min_config base = {.width = 10, .depth = 2};
    const struct {
        bp_count_min_config cfg;
        const char *what;
        uint64_t have, want;
    } others[] = {
        {{.width = 11, .depth = 2}, "widths", 10, 11},
        {{.width = 10, .depth = 3}, "depths", 2, 3},
        {{.width = 10, .depth = 2, .counter_bits = 64}, "counter_bits", 32, 64},
        {{.width = 10, .depth = 2, .conservative = true}, "conservative", 0, 1},
        {{.width = 10, .depth = 2, .hash = {.id = BP_HASH_XXH64}}, "hashes", 1, 3},
        {{.width = 10, .depth = 2, .hash = {.seed = 5}}, "seeds", 0, 5},
    };
    bp_count_min *a = count_min_make(base), *before;
    count_min_add_u64(a, 1, 1);
    assert_int_equal(bp_count_min_clone(&before, a, NULL), BP_OK);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        bp_count_min *b = count_min_make(others[i].cfg);
        bp_detail why;
        assert_int_equal(bp_count_min_merge(a, b, &why), BP_MISMATCH);
        assert_non_null(strstr(why.what, others[i].what));
        assert_int_equal(why.have, others[i].have);
        assert_int_equal(why.want, others[i].want);
        assert_int_equal(bp_count_min_subtract(a, b, &why),
                         others[i].cfg.conservative ? BP_UNSUPPORTED : BP_MISMATCH);
        count_min_same(a, before);
        bp_count_min_free(b);
    }
    bp_count_min_free(a);
    bp_count_min_free(before);
}

static void merging_saturates_and_then_nothing_is_taken_out(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        const uint64_t most = wide ? UINT64_MAX : UINT32_MAX;
        const bp_count_min_config cfg = {
            .width = 10, .depth = 3, .counter_bits = wide ? 64 : 32};
        bp_count_min *a = count_min_make(cfg), *b = count_min_make(cfg), *before;
        bp_detail why;
        count_min_add_u64(a, 1, most - 5);
        count_min_add_u64(b, 1, 5);
        assert_int_equal(bp_count_min_merge(a, b, NULL), BP_OK);
        assert_true(count_min_count_u64(a, 1) == most);
        assert_int_equal(bp_count_min_merge(a, b, NULL), BP_OK);
        assert_true(count_min_count_u64(a, 1) == most);
        assert_int_equal(bp_count_min_clone(&before, a, NULL), BP_OK);
        assert_int_equal(bp_count_min_subtract(a, b, &why), BP_UNSUPPORTED);
        assert_non_null(strstr(why.what, "saturated"));
        assert_int_equal(bp_count_min_subtract(b, a, NULL), BP_UNSUPPORTED);
        count_min_same(a, before);
        assert_true(bp_count_min_total(a) == (wide ? most : most + 5));
        bp_count_min_free(a);
        bp_count_min_free(b);
        bp_count_min_free(before);
    }
}

static void what_was_never_merged_in_is_not_taken_out(void **state)
{
    (void)state;
    const bp_count_min_config cfg = {.width = 10, .depth = 3};
    bp_count_min *a = count_min_make(cfg), *b = count_min_make(cfg), *before;
    bp_detail why;
    count_min_add_u64(a, 1, 3);
    count_min_add_u64(b, 1, 4);
    assert_int_equal(bp_count_min_clone(&before, a, NULL), BP_OK);
    assert_int_equal(bp_count_min_subtract(a, b, &why), BP_PARAM);
    assert_int_equal(why.have, 4);
    assert_int_equal(why.want, 3);
    count_min_same(a, before);
    bp_count_min_reset(b); /* a total that would do, but other keys */
    count_min_add_u64(b, 2, 2);
    assert_int_equal(bp_count_min_subtract(a, b, &why), BP_PARAM);
    assert_int_equal(why.have, 2);
    assert_int_equal(why.want, 0);
    count_min_same(a, before);
    bp_count_min_free(a);
    bp_count_min_free(b);
    bp_count_min_free(before);
}

/* ----------------------------------------------------------------------------- suite */

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_sizes_of_the_literature_are_exact),
    cmocka_unit_test(config_of_and_size_make_the_same_sketch_again),
    cmocka_unit_test(contradictions_and_ranges_are_refused_in_words),
    cmocka_unit_test(an_empty_sketch_counts_zero_and_a_lone_key_exactly),
    cmocka_unit_test(counts_are_never_below_the_truth),
    cmocka_unit_test(conservative_counts_are_never_above_plain_ones),
    cmocka_unit_test(a_batch_is_its_keys_one_after_another),
    cmocka_unit_test(every_variant_places_keys_by_the_rule_at_every_width),
    cmocka_unit_test(vectors_are_reproduced),
    cmocka_unit_test(counters_stay_at_their_largest_value_and_say_so),
    cmocka_unit_test(bounds_follow_the_formula),
    cmocka_unit_test(upper_bounds_hold_beyond_what_doubles_count),
    cmocka_unit_test(describe_names_the_sketch_and_its_state),
    cmocka_unit_test(a_merge_is_both_streams_and_subtract_takes_one_out),
    cmocka_unit_test(other_parameters_are_a_mismatch_with_both_values),
    cmocka_unit_test(merging_saturates_and_then_nothing_is_taken_out),
    cmocka_unit_test(what_was_never_merged_in_is_not_taken_out),
    cmocka_unit_test(many_threads_add_what_one_would),
    cmocka_unit_test(no_add_is_lost_on_a_counter_that_all_raise),
    cmocka_unit_test(impossible_parameters_are_refused_where_they_are),
    cmocka_unit_test(a_view_at_any_address_answers_as_the_sketch),
    cmocka_unit_test(tables_beyond_two_to_the_32_counters_are_right),
    cmocka_unit_test(place_works_in_the_callers_memory),
    cmocka_unit_test(counts_exceed_epsilon_total_at_most_delta_of_the_time),
    cmocka_unit_test(one_row_fewer_would_be_caught),
    cmocka_unit_test(lower_bounds_hold_at_their_confidence),
    cmocka_unit_test(a_bound_three_percent_off_would_be_caught),
    cmocka_unit_test(double_hashing_would_break_delta),
    cmocka_unit_test(the_bookstore_counts_views_within_the_bound),
    cmocka_unit_test(items_in_ten_rounds_rank_and_err_as_published),
    cmocka_unit_test(the_table_in_class_reads_two_one_and_perhaps_one),
};

static const bp_count_min_config plain = {.width = 50, .depth = 4};
static const bp_count_min_config conservative = {
    .width = 50, .depth = 5, .conservative = true};
static const bp_count_min_config wide = {.width = 31, .depth = 3, .counter_bits = 64};
static const bp_count_min_config wide_conservative = {
    .width = 9, .depth = 7, .counter_bits = 64, .conservative = true};
static const bp_count_min_config concurrent = {
    .width = 50, .depth = 4, .concurrent = true};
static const bp_count_min_config tiny = {.width = 4, .depth = 2};
static const bp_count_min_config one_cell = {.width = 1, .depth = 1};
static const bp_count_min_config keyed = {
    .width = 20, .depth = 5, .hash = {.id = BP_HASH_SIPHASH24, .key = {9, 8, 7}}};
static const bp_count_min_config sized = {.epsilon = 0.01, .delta = 0.01};

static const bp_sample samples[] = {
    {"plain", &plain, {1, 100, 5000}},
    {"conservative", &conservative, {1, 100, 5000}},
    {"wide", &wide, {100, 3000}},
    {"wide_conservative", &wide_conservative, {100}},
    {"concurrent", &concurrent, {100, 3000}},
    {"tiny", &tiny, {5, 2000}},
    {"one_cell", &one_cell, {1, 1000}},
    {"keyed", &keyed, {100}},
    {"sized", &sized, {1000}},
};

extern const bp_suite bp_suite_count_min;
const bp_suite bp_suite_count_min = {"count_min", tests, sizeof tests / sizeof *tests,
                                     samples, sizeof samples / sizeof *samples};
