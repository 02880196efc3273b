/* SPDX-License-Identifier: MIT
 * scalable_bloom_accuracy_test.c - the rate while the filter grows a thousandfold, and
 * the bounds of the estimate, as hypothesis tests. The suite's false alarm rate is 1e-6,
 * shared by its COMPARISONS. */
#include "compound/scalable_bloom/scalable_bloom_test.h"

#include "accuracy/accuracy.h"

#include <math.h>
#include <stdio.h>

enum { COMPARISONS = 200, CHUNK = 4096, FIRST = 1000 };
#define ALARM (BP_ALARM_SUITE / COMPARISONS)

static uint64_t each_random(uint64_t *state, uint64_t n, bp_scalable_bloom *add,
                            const bp_scalable_bloom *ask)
{
    static uint64_t hashes[CHUNK];
    static uint8_t fresh[CHUNK];
    uint64_t sum = 0;
    while (n > 0) {
        const size_t m = n < CHUNK ? (size_t)n : CHUNK;
        for (size_t i = 0; i < m; i++)
            hashes[i] = bp_rng_next(state);
        if (ask) {
            sum += bp_scalable_bloom_has_hashes(ask, hashes, m, NULL);
        } else {
            assert_int_equal(bp_scalable_bloom_add_hashes(add, hashes, m, fresh, NULL),
                             BP_OK);
            for (size_t i = 0; i < m; i++)
                sum += fresh[i];
        }
        n -= m;
    }
    return sum;
}

uint64_t scalable_add_random(bp_scalable_bloom *s, uint64_t *state, uint64_t n)
{
    return each_random(state, n, s, NULL);
}

uint64_t scalable_yes_of_random(const bp_scalable_bloom *s, uint64_t *state, uint64_t n)
{
    return each_random(state, n, NULL, s);
}

/* ------------------------------------------------------------- false positive rates */

/* The rate by formula, of all layers as full as they are; and their bits. */
static double formula_of(const bp_scalable_bloom *s, double *bits)
{
    bp_scalable_bloom_layer l[64];
    const size_t n = bp_scalable_bloom_layers(s, l, 64);
    double none = 0;
    *bits = 0;
    for (size_t i = 0; i < n; i++) {
        none += log1p(-scalable_formula(&l[i]));
        *bits += (double)l[i].bits;
    }
    return -expm1(none);
}

/* Given its bits a filter's rate has no chance of its own left: yes answers are binomial.
 */
static bool yes_is_credible(double yes, double asked, double rate)
{
    const double z = bp_normal_upper(ALARM / 2), mean = asked * rate;
    return fabs(yes - mean) <= z * sqrt(mean) + z * z / 3;
}

/* A filter with `times` the keys of its first layer: what strangers are told agrees with
 * the rate it states, is not above the one asked for (RedisBloom's may be, by 5 %), and
 * the formula says the same. */
static void check_rate(const bp_scalable_bloom *s, double most_rate, uint64_t times,
                       uint64_t *rng)
{
    double bits;
    const double now = bp_scalable_bloom_fpr(s), formula = formula_of(s, &bits);
    const double most = bp_test_quick ? 50000 : 4e6;
    const double asked = fmin(most, fmax(50000, 40000 / formula));
    const double yes = (double)scalable_yes_of_random(s, rng, (uint64_t)asked);
    printf("  %8.1e  %6llu  %6.2f  %9.3e  %9.3e  %9.3e\n", most_rate,
           (unsigned long long)times, bits / (double)times / FIRST, formula, now,
           yes / asked);
    if (!yes_is_credible(yes, asked, now))
        fail_msg("%.0f of %.0f yes, the filter says %g", yes, asked, now);
    if (!bp_rate_at_most((uint64_t)yes, (uint64_t)asked, most_rate, ALARM))
        fail_msg("%.0f of %.0f yes, more than %g", yes, asked, most_rate);
    assert_true(formula <= most_rate);
    assert_true(fabs(now - formula) <= 0.25 * formula);
}

static void grow_a_thousandfold(bp_scalable_bloom_config c)
{
    static const uint64_t times[] = {1, 10, 100, 1000};
    const size_t steps = bp_test_quick ? 2 : 4;
    uint64_t adds = 1, members = 1, strangers = 4242, n = 0;
    c.items = FIRST;
    bp_scalable_bloom *s = scalable_make_test(c);
    for (size_t i = 0; i < steps; i++) {
        scalable_add_random(s, &adds, times[i] * FIRST - n);
        n = times[i] * FIRST;
        check_rate(s, c.fpr * (c.layout == BP_SCALABLE_BLOOM_REDIS ? 1.05 : 1), times[i],
                   &strangers);
    }
    assert_int_equal(scalable_yes_of_random(s, &members, n), n);
    bp_scalable_bloom_free(s);
}

void a_thousand_times_the_first_capacity_keeps_the_rate(void **state)
{
    (void)state;
    static const double rates[] = {0.25, 0.1, 0.01, 1e-3, 1e-4, 1e-6};
    static const char *const layouts[] = {"", "blocked", "classic", "redis"};
    for (uint32_t layout = 1; layout <= 3; layout++) {
        printf("%s: asked, times, bits a key, rate by formula, by bits, measured\n",
               layouts[layout]);
        for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
            grow_a_thousandfold(
                (bp_scalable_bloom_config){.fpr = rates[i], .layout = layout});
    }
}

void a_rate_of_layers_three_percent_off_would_be_caught(void **state)
{
    (void)state;
    uint64_t rng = 9;
    const double asked = 2e6;
    bp_scalable_bloom *s =
        scalable_make_test((bp_scalable_bloom_config){.items = FIRST, .fpr = 0.1});
    scalable_add_random(s, &rng, 15 * FIRST);
    const double yes = (double)scalable_yes_of_random(s, &rng, (uint64_t)asked);
    const double now = bp_scalable_bloom_fpr(s);
    assert_true(yes_is_credible(yes, asked, now));
    assert_false(yes_is_credible(yes, asked, now * 1.03));
    assert_false(yes_is_credible(yes, asked, now * 0.97));
    bp_scalable_bloom_free(s);
}

/* ------------------------------------------------------------------------- estimates */

static const struct load {
    bp_scalable_bloom_config cfg;
    uint64_t n;
} loads[] = {
    {{.items = 1000, .fpr = 0.2}, 900},
    {{.items = 200}, 3000},
    {{.items = 100, .fpr = 0.2}, 3000},
    {{.items = 100, .fpr = 0.2, .layout = BP_SCALABLE_BLOOM_CLASSIC}, 2000},
    {{.items = 50, .growth = 4, .layout = BP_SCALABLE_BLOOM_REDIS}, 2000},
};

typedef struct seen {
    bp_errors errors;
    double width; /* of the 95 % bounds, summed */
    uint64_t trials, covered, covered99;
} seen;

static seen try_load(const struct load *load, uint64_t trials, double factor)
{
    seen r = {.trials = trials};
    bp_scalable_bloom *s = scalable_make_test(load->cfg);
    uint64_t rng = load->n;
    const double n = (double)load->n;
    for (uint64_t i = 0; i < trials; i++) {
        bp_estimate e, e99;
        bp_scalable_bloom_reset(s);
        scalable_add_random(s, &rng, load->n);
        assert_int_equal(bp_scalable_bloom_estimate(s, 0.95, &e, NULL), BP_OK);
        assert_int_equal(bp_scalable_bloom_estimate(s, 0.99, &e99, NULL), BP_OK);
        bp_errors_add(&r.errors, e.value * factor - n);
        r.width += e.upper - e.lower;
        r.covered += e.lower * factor <= n && n <= e.upper * factor;
        r.covered99 += e99.lower * factor <= n && n <= e99.upper * factor;
    }
    bp_scalable_bloom_free(s);
    return r;
}

/* The rmse is that which the bounds are made for, the mean strays by less than a fifth of
 * it, and the bounds hold at least as often as they say. */
static bool load_is_credible(const seen *r)
{
    const double sd = r->width / (double)r->trials / 2 / 1.96;
    return bp_bias_at_most(&r->errors, 0.2 * sd, ALARM) &&
           bp_rmse_at_most(&r->errors, 1.05 * sd, ALARM) &&
           bp_rate_at_least(r->covered, r->trials, 0.95, ALARM) &&
           bp_rate_at_least(r->covered99, r->trials, 0.99, ALARM);
}

void estimates_of_layers_are_unbiased_and_their_bounds_hold(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        const seen r = try_load(&loads[i], bp_test_quick ? 200 : 4000, 1);
        printf("load %zu: bias %.3f rmse %.3f of %.3f, covered %llu and %llu of %llu\n",
               i, bp_errors_mean(&r.errors), bp_errors_rmse(&r.errors),
               r.width / (double)r.trials / 3.92, (unsigned long long)r.covered,
               (unsigned long long)r.covered99, (unsigned long long)r.trials);
        if (!load_is_credible(&r))
            fail_msg("load %zu", i);
    }
}

void an_estimate_of_layers_three_percent_off_would_be_caught(void **state)
{
    (void)state;
    for (int up = 0; up < 2; up++) {
        const seen r = try_load(&loads[1], bp_test_quick ? 200 : 4000, up ? 1.03 : 0.97);
        assert_false(load_is_credible(&r));
    }
}
