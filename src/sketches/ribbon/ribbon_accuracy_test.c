/* SPDX-License-Identifier: MIT
 * ribbon_accuracy_test.c - the rate is the one asked for, from 50 % down, and the memory
 * is what is stated.
 *
 * A stranger is answered yes with the rate of the block it begins in, independently of
 * the others given the filter: the number of yes is binomial. Homogeneous layers leave a
 * share of the rate to sums of keys, which few filters use up: their rate lies between
 * the one of their columns and the one asked for. One false alarm in a million for the
 * suite, shared by its 80 comparisons. Rates below 1e-6 would need too many questions;
 * that all columns of strangers are uniform, each and together, is asked instead. */
#include "sketches/ribbon/ribbon_state.h"
#include "sketches/ribbon/ribbon_test.h"

#include "accuracy/accuracy.h"

#include <math.h>
#include <stdlib.h>

#define ALARM (BP_ALARM_SUITE / 80)

static uint64_t yes_of_filters(bp_ribbon_config cfg, size_t n, uint64_t filters,
                               uint64_t asked, uint64_t seed)
{
    uint64_t yes = 0;
    for (uint64_t i = 0; i < filters; i++) {
        bp_ribbon *s = ribbon_make_random(cfg, &seed, n);
        yes += ribbon_yes_of_random(s, &seed, asked / filters);
        bp_ribbon_free(s);
    }
    return yes;
}

/* `least`: of the rate, in filters of few blocks, whose shares of columns are coarse. */
static void rate_is_met(bp_ribbon_config cfg, size_t n, uint64_t filters, uint64_t asked,
                        double least)
{
    const uint64_t yes = yes_of_filters(cfg, n, filters, asked, n + cfg.width);
    const bool is_met = bp_rate_at_most(yes, asked, cfg.fpr, ALARM) &&
                        bp_rate_at_least(yes, asked, cfg.fpr * least, ALARM);
    if (!is_met)
        fail_msg("%zu keys, width %u%s, rate %g: %llu yes of %llu", n, cfg.width,
                 cfg.compact ? ", compact" : "", cfg.fpr, (unsigned long long)yes,
                 (unsigned long long)asked);
}

void rates_asked_for_are_met(void **state)
{
    (void)state;
    static const double rates[] = {0.5, 0.3, 0.1, 0.01, 0.001, 1e-4, 1e-6};
    for (uint32_t width = 64; width <= 128; width += 64)
        for (int compact = 0; compact < 2; compact++)
            for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
                const bp_ribbon_config cfg = {
                    .fpr = rates[i], .width = width, .compact = compact};
                const uint64_t often = rates[i] < 1e-5 ? 40000000 : 4000000;
                const double least = compact ? 0.98 : 1 - 1.2 * log2(1 / rates[i]) / 128;
                rate_is_met(cfg, 10, 40, bp_test_quick ? 200000 : 2000000, 0.5);
                rate_is_met(cfg, 100000, 4, bp_test_quick ? 200000 : often, least);
            }
    rate_is_met((bp_ribbon_config){.fpr = 0.01}, 1000000, 4,
                bp_test_quick ? 400000 : 8000000, 0.9);
}

void a_ribbon_rate_three_percent_off_would_be_caught(void **state)
{
    (void)state;
    const uint64_t asked = 16000000;
    const bp_ribbon_config cfg = {.fpr = 0.01, .compact = true};
    const double yes = (double)yes_of_filters(cfg, 100000, 4, asked, 3);
    assert_true(bp_rate_at_most((uint64_t)yes, asked, 0.01, ALARM));
    assert_true(bp_rate_at_least((uint64_t)yes, asked, 0.0098, ALARM));
    assert_false(bp_rate_at_most((uint64_t)(yes * 1.03), asked, 0.01, ALARM));
    assert_false(bp_rate_at_least((uint64_t)(yes * 0.95), asked, 0.0098, ALARM));
}

/* 24 columns, as bytes. */
void columns_of_strangers_are_uniform(void **state)
{
    (void)state;
    for (uint32_t width = 64; width <= 128; width += 64)
        for (int compact = 0; compact < 2; compact++) {
            static uint64_t seen[3][256];
            uint64_t seed = width;
            memset(seen, 0, sizeof seen);
            bp_ribbon *s = ribbon_make_random(
                (bp_ribbon_config){.fpr = 1e-9, .width = width, .compact = compact},
                &seed, 50000);
            bp_buf b = bp_encoded((bp_any *)s);
            for (int i = 0; i < (bp_test_quick ? 20000 : 200000); i++) {
                uint32_t columns;
                const uint32_t x = ribbon_by_hand(b.p, bp_rng_next(&seed), &columns);
                assert_true(columns >= 29);
                for (int j = 0; j < 3; j++)
                    seen[j][x >> 8 * j & 255]++;
            }
            for (int j = 0; j < 3; j++)
                assert_true(bp_uniform_ok(seen[j], 256, ALARM));
            bp_buf_free(&b);
            bp_ribbon_free(s);
        }
}

static double bits_of(const bp_ribbon *s, double n)
{
    const bp_object *o = (const bp_object *)s;
    return 8 * (double)o->cells_size / n;
}

/* Homogeneous ones by the arithmetic alone, so that large sizes cost nothing. */
void bits_a_key_of_ribbons_are_those_that_are_stated(void **state)
{
    (void)state;
    static const struct {
        uint64_t n;
        double fpr, narrow, wide;
    } row[] = {{1000, 0.01, 7.9, 7.9},
               {100000, 0.01, 7.41, 7.09},
               {10000000, 0.01, 7.41, 7.08},
               {10000000, 0.001, 11.2, 10.6},
               {UINT64_C(1) << 40, 0.01, 7.41, 7.08}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (uint32_t width = 64; width <= 128; width += 64) {
            ribbon_design d = {.fpr = row[i].fpr, .width = width};
            bp_ribbon_set_columns(&d, false);
            d.blocks[RIBBON_LAST] = bp_ribbon_blocks(&d, row[i].n);
            const double bits = 8 * (double)ribbon_bytes(&d) / (double)row[i].n;
            const double most = width == 64 ? row[i].narrow : row[i].wide;
            if (bits > most || bits < most * 0.95)
                fail_msg("%llu keys, width %u: %.3f bits a key, stated are %.2f",
                         (unsigned long long)row[i].n, width, bits, most);
        }
    for (uint32_t width = 64; width <= 128; width += 64) {
        uint64_t seed = 4;
        bp_ribbon *s = ribbon_make_random(
            (bp_ribbon_config){.fpr = 0x1p-8, .width = width, .compact = true}, &seed,
            1000000);
        assert_true(bits_of(s, 1000000) < (width == 64 ? 1.006 : 1.004) * 8);
        bp_ribbon_free(s);
    }
}
