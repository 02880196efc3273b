/* SPDX-License-Identifier: MIT
 * blocked_bloom_size_test.c - the arithmetic: figures of the exact sum, and what is
 * refused. */
#include "sketches/blocked_bloom/blocked_bloom_test.h"

#include <math.h>
#include <stdio.h>

enum { S512 = BP_BLOCKED_BLOOM_SPLIT512, S256 = BP_BLOCKED_BLOOM_SPLIT256 };

bp_blocked_bloom_config blocked_solved(bp_blocked_bloom_config cfg)
{
    bp_blocked_bloom_config out;
    bp_detail why = {BP_OK, "", 0, 0, 0};
    if (bp_blocked_bloom_size(&cfg, &out, &why))
        fail_msg("size: %s", why.what);
    return out;
}

static double bits_a_key(const bp_blocked_bloom_config *c)
{
    return (double)c->memory * 8 / (double)c->items;
}

/* Bits a key for a rate, from a sum made elsewhere; a size comes in 64ths of a bit. */
void bits_a_key_are_those_of_the_exact_sum(void **state)
{
    (void)state;
    static const struct {
        uint32_t layout, hashes;
        double fpr, bits;
    } row[] = {
        {S256, 8, 0.1, 5.99},      {S256, 8, 0.03, 8.20},    {S256, 8, 0.01, 10.53},
        {S256, 8, 0.001, 16.89},   {S512, 8, 0.1, 5.88},     {S512, 8, 0.03, 7.96},
        {S512, 8, 0.01, 10.10},    {S512, 8, 0.001, 15.72},  {S512, 8, 0.0001, 23.61},
        {S512, 16, 0.01, 12.46},   {S512, 16, 0.001, 17.24}, {S512, 16, 0.0001, 23.01},
        {S512, 4, 0.1, 4.89},      {S512, 4, 0.02, 8.65},    {S512, 6, 0.01, 10.35},
        {S512, 12, 0.0002, 20.96},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const bp_blocked_bloom_config c =
            blocked_solved((bp_blocked_bloom_config){.items = 100000000,
                                                     .fpr = row[i].fpr,
                                                     .layout = row[i].layout,
                                                     .hashes = row[i].hashes,
                                                     .exact_size = true});
        const double bits = bits_a_key(&c);
        if (bits < row[i].bits - 0.006 || bits > row[i].bits + 0.006 + 1.0 / 64)
            fail_msg("row %zu: %.3f bits a key, not %.2f", i, bits, row[i].bits);
        assert_true(c.fpr <= row[i].fpr * (1 + 1e-8) && c.fpr > 0.99 * row[i].fpr);
    }
    /* The best number of hashes, and what it then takes beside a plain filter. */
    static const struct {
        double fpr;
        uint32_t hashes;
        double times;
    } best[] = {{0.1, 4, 1.03},   {0.03, 4, 1.04},   {0.02, 4, 1.07},   {0.01, 8, 1.06},
                {0.001, 8, 1.10}, {0.0005, 8, 1.13}, {0.0001, 16, 1.21}};
    for (size_t i = 0; i < sizeof best / sizeof *best; i++) {
        const double plain = -log(best[i].fpr) / (log(2) * log(2));
        const bp_blocked_bloom_config c = blocked_solved(
            (bp_blocked_bloom_config){.items = 100000000, .fpr = best[i].fpr});
        assert_int_equal(c.hashes, best[i].hashes);
        assert_true(bits_a_key(&c) < best[i].times * plain);
    }
}

static double binomial(unsigned n, unsigned k)
{
    double b = 1;
    for (unsigned i = 0; i < k; i++)
        b = b * (n - i) / (i + 1);
    return b;
}

/* Multiplied out, the product over lanes is a sum of powers, whose mean over the Poisson
 * distribution is an exponential each: the same rate another way, if less exact where the
 * terms cancel. */
static double closed_form(uint32_t hashes, double load)
{
    const unsigned joined = hashes < 8 ? 8 - hashes : 0;
    const unsigned halves = hashes > 8 ? 2 * (hashes - 8) : 0;
    const unsigned words = 8 - 2 * joined - halves / 2;
    double sum = 0;
    for (unsigned a = 0; a <= joined; a++)
        for (unsigned b = 0; b <= words; b++)
            for (unsigned c = 0; c <= halves; c++) {
                const double keeps =
                    pow(127.0 / 128, a) * pow(63.0 / 64, b) * pow(31.0 / 32, c);
                const double sign = (a + b + c) % 2 ? -1 : 1;
                sum += sign * binomial(joined, a) * binomial(words, b) *
                       binomial(halves, c) * exp(-load * (1 - keeps));
            }
    return sum;
}

void the_rate_is_the_sum_in_closed_form(void **state)
{
    (void)state;
    for (uint32_t hashes = 4; hashes <= 16; hashes++)
        for (double load = 8; load < 900; load *= 1.3) {
            const double have = bp_blocked_bloom_fpr_at(S512, hashes, 1000, load * 1000);
            const double want = closed_form(hashes, load);
            if (!(fabs(have - want) <= 1e-9 * want + 1e-10))
                fail_msg("%u hashes, load %.1f: %.12g, not %.12g", hashes, load, have,
                         want);
        }
    const double few = bp_blocked_bloom_fpr_at(S512, 8, 1000000, 1);
    assert_true(fabs(few / (1e-6 * 0x1p-48) - 1) < 1e-3); /* all bits of the only key */
    assert_true(bp_blocked_bloom_fpr_at(S512, 8, 10, 0) == 0);
    assert_true(bp_blocked_bloom_fpr_at(S512, 8, 10, -1) == 0);
    assert_true(bp_blocked_bloom_fpr_at(S512, 8, 10, INFINITY) == 1);
    assert_true(bp_blocked_bloom_fpr_at(0, 0, 10, 500) ==
                bp_blocked_bloom_fpr_at(S512, 8, 10, 500));
    assert_true(bp_blocked_bloom_fill_at(S512, 8, 10, 0) == 0);
    assert_true(bp_blocked_bloom_fill_at(S512, 8, 10, 1e9) == 1);
    assert_true(fabs(bp_blocked_bloom_fill_at(S256, 8, 1000, 22181) - 0.5) < 1e-4);
    assert_true(fabs(bp_blocked_bloom_fill_at(S512, 4, 1000, 88723) - 0.5) < 1e-4);
    assert_true(isnan(bp_blocked_bloom_fpr_at(3, 8, 10, 5)));
    assert_true(isnan(bp_blocked_bloom_fpr_at(S512, 17, 10, 5)));
    assert_true(isnan(bp_blocked_bloom_fill_at(S256, 7, 10, 5)));
}

/* Bits = -8 n / ln(1 - p^(1/8)), as Parquet's writers have it. */
void the_usual_formula_would_err_half_as_often_again(void **state)
{
    (void)state;
    static const struct {
        double fpr, times;
    } row[] = {{0.1, 1.13}, {0.01, 1.46}, {0.001, 2.08}};
    for (size_t i = 0; i < 3; i++) {
        const double bits = -8 / log(1 - pow(row[i].fpr, 1.0 / 8));
        const double rate = bp_blocked_bloom_fpr_at(S256, 8, 1000000, 256e6 / bits);
        assert_true(fabs(rate / row[i].fpr - row[i].times) < 0.01);
    }
}

void what_is_given_decides_the_rest_of_a_blocked_filter(void **state)
{
    (void)state;
    bp_blocked_bloom_config c = blocked_solved((bp_blocked_bloom_config){.items = 0});
    assert_int_equal(c.items, 1000000); /* all zero: a million at 1 % */
    assert_int_equal(c.layout, S512);
    assert_int_equal(c.hashes, 8);
    assert_int_equal(c.memory, c.blocks * 64);
    assert_true(bits_a_key(&c) > 10.09 && bits_a_key(&c) < 10.13);
    const uint64_t blocks = c.blocks;
    c = blocked_solved((bp_blocked_bloom_config){.memory = blocks * 64 + 63});
    assert_int_equal(c.blocks, blocks); /* memory alone: 1 % */
    assert_true(c.items >= 1000000 && c.items < 1000060);
    c = blocked_solved((bp_blocked_bloom_config){.memory = 64000, .fpr = 0.1});
    assert_int_equal(c.hashes, 4);
    c = blocked_solved((bp_blocked_bloom_config){.blocks = 1000, .items = 22000});
    assert_int_equal(c.hashes, 16);
    c = blocked_solved((bp_blocked_bloom_config){.blocks = 1000, .items = 50000});
    assert_int_equal(c.hashes, 8);
    c = blocked_solved((bp_blocked_bloom_config){.blocks = 1000, .items = 90000});
    assert_int_equal(c.hashes, 4);
    c = blocked_solved((bp_blocked_bloom_config){.items = 1});
    assert_int_equal(c.blocks, 1);
    c = blocked_solved((bp_blocked_bloom_config){.items = 1000, .layout = S256});
    assert_int_equal(c.blocks, 64); /* a power of two of them, */
    c = blocked_solved(
        (bp_blocked_bloom_config){.items = 1000, .layout = S256, .exact_size = true});
    assert_int_equal(c.blocks, 42); /* unless told otherwise */
    c = blocked_solved((bp_blocked_bloom_config){.memory = 1000, .layout = S256});
    assert_int_equal(c.blocks, 16);
    c = blocked_solved(
        (bp_blocked_bloom_config){.memory = 1000, .layout = S256, .exact_size = true});
    assert_int_equal(c.blocks, 31);
    c = blocked_solved((bp_blocked_bloom_config){.blocks = 3, .layout = S256});
    assert_int_equal(c.items, 72);
}

static void same_filter(const bp_blocked_bloom_config *a,
                        const bp_blocked_bloom_config *b)
{
    bp_blocked_bloom *x = blocked_make(*a), *y = blocked_make(*b);
    assert_int_equal(bp_blocked_bloom_merge(x, y, NULL), BP_OK);
    bp_buf p = bp_encoded((bp_any *)x), q = bp_encoded((bp_any *)y);
    assert_true(bp_buf_equal(p, q));
    bp_buf_free(&p);
    bp_buf_free(&q);
    bp_blocked_bloom_free(x);
    bp_blocked_bloom_free(y);
}

void size_and_config_of_make_the_same_blocked_filter_again(void **state)
{
    (void)state;
    const bp_blocked_bloom_config given[] = {
        {.items = 0},
        {.items = 1, .fpr = 0.5},
        {.items = 5000, .fpr = 1e-4},
        {.items = 5000, .fpr = 1e-3, .layout = S256},
        {.items = 5000, .fpr = 0.02, .layout = S256, .exact_size = true},
        {.items = 100, .fpr = 0.02, .hashes = 13},
        {.blocks = 1000, .hashes = 5},
        {.blocks = 77, .items = 400},
        {.blocks = 3, .layout = S256},
        {.memory = 1 << 16},
        {.memory = 99999, .fpr = 0.1},
        {.memory = 1 << 16, .items = 10},
    };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        const bp_blocked_bloom_config full = blocked_solved(given[i]);
        const bp_blocked_bloom_config again = blocked_solved(full);
        assert_memory_equal(&full, &again, sizeof full);
        same_filter(&given[i], &full);
        bp_blocked_bloom *s = blocked_make(given[i]);
        bp_blocked_bloom_config of;
        bp_blocked_bloom_config_of(s, &of);
        same_filter(&given[i], &of);
        bp_blocked_bloom_free(s);
    }
}

typedef struct refusal {
    bp_blocked_bloom_config cfg;
    const char *what;
} refusal;

static void all_refused(const refusal *row, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bp_blocked_bloom_config out = {.items = 4711};
        bp_blocked_bloom *s = (bp_blocked_bloom *)&out;
        bp_detail why = {BP_OK, "", 7, 0, 0};
        if (bp_blocked_bloom_size(&row[i].cfg, &out, &why) != BP_PARAM)
            fail_msg("row %zu is taken", i);
        assert_string_equal(why.what, row[i].what);
        assert_int_equal(why.at, 0);
        assert_int_equal(out.items, 4711);
        assert_int_equal(bp_blocked_bloom_new(&s, &row[i].cfg, NULL), BP_PARAM);
        assert_null(s);
        assert_int_equal(bp_blocked_bloom_footprint(&row[i].cfg), 0);
    }
}

void rates_that_waste_memory_are_refused_with_advice(void **state)
{
    (void)state;
    static const char *const in512 =
        "rates below 0.01 % waste memory in blocks: take a bloom";
    static const char *const in256 =
        "rates below 0.1 % waste memory in blocks of 256 bits: take a bloom, or split512";
    const refusal row[] = {
        {{.fpr = 0.99e-4}, in512},
        {{.fpr = 1e-15}, in512},
        {{.memory = 1 << 20, .fpr = 1e-5}, in512},
        {{.items = 5, .fpr = 9e-5, .hashes = 16}, in512},
        {{.fpr = 0.99e-3, .layout = S256}, in256},
        {{.fpr = 1e-4, .layout = S256}, in256},
        {{.blocks = 64, .fpr = 1e-9, .layout = S256}, in256},
    };
    all_refused(row, sizeof row / sizeof *row);
    /* The limits themselves are served. */
    assert_true(blocked_solved((bp_blocked_bloom_config){.fpr = 1e-4}).fpr <= 1e-4);
    assert_true(
        blocked_solved((bp_blocked_bloom_config){.fpr = 1e-3, .layout = S256}).fpr <=
        1e-3);
    /* A tenth of them would take more than a quarter above a plain filter's memory. */
    static const struct {
        uint32_t layout, hashes;
        double fpr, bits;
    } beyond[] = {
        {S256, 8, 1e-4, 26.30}, {S512, 8, 1e-5, 30.10}, {S512, 16, 1e-5, 30.10}};
    for (size_t i = 0; i < 3; i++) {
        const double load = (beyond[i].layout == S256 ? 256 : 512) / beyond[i].bits;
        assert_true(bp_blocked_bloom_fpr_at(beyond[i].layout, beyond[i].hashes, 1, load) >
                    beyond[i].fpr);
        assert_true(beyond[i].bits > -1.25 * log(beyond[i].fpr) / (log(2) * log(2)));
    }
}

void contradictions_of_blocks_are_refused_in_words(void **state)
{
    (void)state;
    static const char *const rate =
        "the false positive rate must lie between 0 and 0.5 (1 % is 0.01)";
    static const char *const contradict =
        "items, rate and size contradict each other: leave one out";
    static const char *const hashes =
        "hashes must be 4 to 16 in a split512 and 8 in a split256";
    static const char *const parquet =
        "a split256 has 1 to 2^27 blocks, or a power of two up to 2^30";
    const refusal row[] = {
        {{.fpr = 1}, rate},
        {{.fpr = 0.51}, rate},
        {{.fpr = -0.01}, rate},
        {{.fpr = NAN}, rate},
        {{.fpr = INFINITY}, rate},
        {{.blocks = 1000, .fpr = 7}, rate},
        {{.blocks = 100, .items = 1000, .fpr = NAN}, contradict},
        {{.blocks = 100, .items = 1000, .fpr = 0.01}, contradict},
        {{.items = (UINT64_C(1) << 62) + 1}, "items must be 1 to 2^62"},
        {{.hashes = 3}, hashes},
        {{.hashes = 17}, hashes},
        {{.hashes = 9, .layout = S256}, hashes},
        {{.layout = 3}, "there is no such layout"},
        {{.blocks = (UINT64_C(1) << 47) + 1}, "a split512 has 1 to 2^47 blocks"},
        {{.memory = UINT64_MAX}, "a split512 has 1 to 2^47 blocks"},
        {{.items = UINT64_C(1) << 58, .fpr = 0.5}, "a split512 has 1 to 2^47 blocks"},
        {{.blocks = (UINT64_C(1) << 27) + 1, .layout = S256}, parquet},
        {{.blocks = UINT64_C(1) << 31, .layout = S256}, parquet},
        {{.items = UINT64_C(1) << 40, .layout = S256}, parquet},
        {{.memory = 63}, "less memory than one block"},
        {{.memory = 31, .layout = S256}, "less memory than one block"},
        {{.blocks = 1000, .memory = 64}, "blocks and memory disagree: give one of them"},
        {{.blocks = 1, .items = 1000000},
         "too few blocks for so many items: nearly every key would be answered yes"},
        {{.items = UINT64_C(1) << 54, .fpr = 0.01},
         "a 64-bit hash cannot keep so low a false positive rate for so many items"},
        {{.items = 10, .reserved8 = {0, 0, 1}}, "a reserved configuration field is set"},
    };
    all_refused(row, sizeof row / sizeof *row);
}
