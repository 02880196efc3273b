/* SPDX-License-Identifier: MIT
 * blocked_bloom_accuracy_test.c - the exact rates and the bounds of the estimate, as
 * hypothesis tests. The suite's false alarm rate is 1e-6, shared by its COMPARISONS. */
#include "sketches/blocked_bloom/blocked_bloom_test.h"

#include "accuracy/accuracy.h"

#include <math.h>
#include <stdio.h>

enum { COMPARISONS = 100, CHUNK = 4096, S256 = BP_BLOCKED_BLOOM_SPLIT256 };
#define ALARM (BP_ALARM_SUITE / COMPARISONS)

bp_blocked_bloom *blocked_make(bp_blocked_bloom_config cfg)
{
    bp_blocked_bloom *s;
    bp_detail why = {BP_OK, "", 0, 0, 0};
    if (bp_blocked_bloom_new(&s, &cfg, &why))
        fail_msg("new: %s", why.what);
    return s;
}

static uint64_t each_random(uint64_t *state, uint64_t n, bp_blocked_bloom *add,
                            const bp_blocked_bloom *ask)
{
    static uint64_t hashes[CHUNK];
    uint64_t sum = 0;
    while (n > 0) {
        const size_t m = n < CHUNK ? (size_t)n : CHUNK;
        for (size_t i = 0; i < m; i++)
            hashes[i] = bp_rng_next(state);
        sum += add ? bp_blocked_bloom_add_hashes(add, hashes, m, NULL)
                   : bp_blocked_bloom_has_hashes(ask, hashes, m, NULL);
        n -= m;
    }
    return sum;
}

void blocked_add_random(bp_blocked_bloom *s, uint64_t *state, uint64_t n)
{
    each_random(state, n, s, NULL);
}

uint64_t blocked_yes_of_random(const bp_blocked_bloom *s, uint64_t *state, uint64_t n)
{
    return each_random(state, n, NULL, s);
}

/* ------------------------------------------------------------- false positive rates */

/* The chance that `probes` random bits of a lane of w, into which i keys set one each,
 * are all set. */
static double lane_hit(double w, double i, int probes)
{
    const double one = pow(1 - 1 / w, i), two = pow(1 - 2 / w, i);
    return probes == 1 ? 1 - one : 1 - 2 * one + one / w + two * (1 - 1 / w);
}

/* The mean over blocks (probes 1), or of its square (2), of the chance that a stranger is
 * answered yes: Poisson weights by lgamma, lanes by the definition. */
static double moment(const bp_blocked_bloom_config *c, double n, int probes)
{
    const double load = n / (double)c->blocks;
    const double k = c->hashes, wide = k < 8 ? 8 - k : 0;
    const double halves = c->layout == S256 ? 8 : k > 8 ? 2 * (k - 8) : 0;
    const double words = c->layout == S256 ? 0 : 8 - 2 * wide - halves / 2;
    double sum = 0;
    for (double i = 0; i < load + 12 * sqrt(load) + 30; i++)
        sum += exp(i * log(load) - load - lgamma(i + 1)) *
               pow(lane_hit(128, i, probes), wide) * pow(lane_hit(64, i, probes), words) *
               pow(lane_hit(32, i, probes), halves);
    return sum;
}

/* Yes answers expected of `asked` strangers to each of `filters` filters with n keys, and
 * their variance: that of the questions, and that of the filters' own rates. */
static double expected_yes(const bp_blocked_bloom_config *c, double n, double asked,
                           double filters, double *variance)
{
    const double p = moment(c, n, 1);
    const double own = (moment(c, n, 2) - p * p) / (double)c->blocks;
    *variance = filters * (asked * p + asked * asked * own);
    return filters * asked * p;
}

/* Were `yes` answers too many or too few, at the alarm rate? The normal bound, widened
 * for the skew of small counts (Bernstein). */
static bool yes_is_credible(double yes, double mean, double variance)
{
    const double z = bp_normal_upper(ALARM / 2);
    return fabs(yes - mean) <= z * sqrt(variance) + z * z / 3;
}

static double yes_of_filters(const bp_blocked_bloom_config *c, uint64_t n, uint64_t asked,
                             int filters, uint64_t seed)
{
    bp_blocked_bloom *s = blocked_make(*c);
    double yes = 0;
    for (int i = 0; i < filters; i++) {
        bp_blocked_bloom_reset(s);
        blocked_add_random(s, &seed, n);
        yes += (double)blocked_yes_of_random(s, &seed, asked);
    }
    bp_blocked_bloom_free(s);
    return yes;
}

void blocked_false_positives_come_at_the_exact_rate(void **state)
{
    (void)state;
    static const bp_blocked_bloom_config ask[] = {
        {.fpr = 0.1},
        {.fpr = 0.03},
        {.fpr = 0.01},
        {.fpr = 1e-3},
        {.fpr = 1e-4},
        {.fpr = 1e-4, .hashes = 8},
        {.fpr = 0.02, .hashes = 5},
        {.fpr = 0.005, .hashes = 6},
        {.fpr = 0.005, .hashes = 7},
        {.fpr = 5e-4, .hashes = 9},
        {.fpr = 2e-4, .hashes = 12},
        {.fpr = 2e-4, .hashes = 15},
        {.fpr = 0.1, .layout = S256, .exact_size = true},
        {.fpr = 0.01, .layout = S256, .exact_size = true},
        {.fpr = 1e-3, .layout = S256, .exact_size = true},
        {.fpr = 1e-3, .layout = S256},
    };
    for (size_t i = 0; i < sizeof ask / sizeof *ask; i++) {
        bp_blocked_bloom_config c = ask[i];
        c.items = bp_test_quick ? 50000 : 1000000;
        c = blocked_solved(c);
        const double questions = fmin(4e4 / c.fpr, 4e7) * (bp_test_quick ? 0.02 : 1);
        const int filters = 2;
        const uint64_t asked = (uint64_t)(questions / filters);
        double variance;
        const double mean =
            expected_yes(&c, (double)c.items, (double)asked, filters, &variance);
        const double yes = yes_of_filters(&c, c.items, asked, filters, 1000 + i);
        if (!yes_is_credible(yes, mean, variance))
            fail_msg("row %zu: %.0f yes, expected %.1f +- %.1f", i, yes, mean,
                     sqrt(variance));
    }
}

void a_blocked_rate_three_percent_off_would_be_caught(void **state)
{
    (void)state;
    for (uint32_t layout = 1; layout <= 2; layout++) {
        const bp_blocked_bloom_config c = blocked_solved((bp_blocked_bloom_config){
            .items = 1500000, .fpr = 0.1, .layout = layout, .exact_size = true});
        const uint64_t asked = 2000000; /* few enough for an emulator, too */
        double variance;
        const double mean =
            expected_yes(&c, (double)c.items, (double)asked, 2, &variance);
        const double yes = yes_of_filters(&c, c.items, asked, 2, 5);
        assert_true(yes_is_credible(yes, mean, variance));
        assert_false(yes_is_credible(yes * 1.03, mean, variance));
        assert_false(yes_is_credible(yes * 0.97, mean, variance));
    }
}

/* Past capacity too; given its bits, a filter's rate has no chance of its own left. */
void the_rate_now_is_that_of_strangers_asked(void **state)
{
    (void)state;
    static const uint32_t hashes[] = {4, 6, 8, 13, 16};
    for (size_t i = 0; i < 2 * sizeof hashes / sizeof *hashes; i++) {
        const bool is_over = i % 2;
        bp_blocked_bloom *s = blocked_make((bp_blocked_bloom_config){
            .items = 20000, .fpr = 0.02, .hashes = hashes[i / 2]});
        const double asked = bp_test_quick ? 200000 : 2000000;
        uint64_t seed = 77 + i;
        blocked_add_random(s, &seed, is_over ? 50000 : 20000);
        const double mean = asked * bp_blocked_bloom_fpr(s);
        const double yes = (double)blocked_yes_of_random(s, &seed, (uint64_t)asked);
        assert_true(mean > asked * (is_over ? 0.1 : 0.015));
        assert_true(yes_is_credible(yes, mean, mean));
        bp_blocked_bloom_free(s);
    }
}

/* ------------------------------------------------------------------------ estimates */

static const struct load {
    bp_blocked_bloom_config cfg;
    uint64_t n;
} loads[] = {
    {{.items = 1000}, 300},
    {{.items = 1000}, 1000},
    {{.items = 1000}, 3000},
    {{.items = 5000, .fpr = 0.1}, 5000},
    {{.blocks = 40, .hashes = 6}, 2000},
    {{.blocks = 60, .hashes = 11}, 1500},
    {{.items = 1000, .fpr = 1e-4}, 1000},
    {{.blocks = 100, .layout = S256}, 2400},
    {{.blocks = 100, .layout = S256}, 7000},
};

typedef struct seen {
    bp_errors errors;
    double width; /* of the 95 % bounds, summed */
    uint64_t trials, covered, covered99;
} seen;

static seen try_load(const struct load *load, uint64_t trials, double factor)
{
    seen r = {.trials = trials};
    bp_blocked_bloom *s = blocked_make(load->cfg);
    uint64_t rng = load->n;
    const double n = (double)load->n;
    for (uint64_t i = 0; i < trials; i++) {
        bp_estimate e, e99;
        bp_blocked_bloom_reset(s);
        blocked_add_random(s, &rng, load->n);
        assert_int_equal(bp_blocked_bloom_estimate(s, 0.95, &e, NULL), BP_OK);
        assert_int_equal(bp_blocked_bloom_estimate(s, 0.99, &e99, NULL), BP_OK);
        bp_errors_add(&r.errors, e.value * factor - n);
        r.width += e.upper - e.lower;
        r.covered += e.lower * factor <= n && n <= e.upper * factor;
        r.covered99 += e99.lower * factor <= n && n <= e99.upper * factor;
    }
    bp_blocked_bloom_free(s);
    return r;
}

/* The rmse is that which the bounds are made for (half of their width is 1.96 of it, and
 * a little for bits that come whole), the mean strays by less than a fifth of it, and the
 * bounds hold at least as often as they say. */
static bool load_is_credible(const seen *r)
{
    const double sd = r->width / (double)r->trials / 2 / 1.96;
    return bp_bias_at_most(&r->errors, 0.2 * sd, ALARM) &&
           bp_rmse_at_most(&r->errors, 1.05 * sd, ALARM) &&
           bp_errors_rmse(&r->errors) > 0.8 * sd - 0.5 &&
           bp_rate_at_least(r->covered, r->trials, 0.95, ALARM) &&
           bp_rate_at_least(r->covered99, r->trials, 0.99, ALARM);
}

void estimates_from_blocks_are_unbiased_and_their_bounds_hold(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        const seen r = try_load(&loads[i], bp_test_quick ? 200 : 4000, 1);
        if (!load_is_credible(&r))
            fail_msg(
                "load %zu: bias %.3f rmse %.3f of %.3f, covered %llu and %llu of %llu", i,
                bp_errors_mean(&r.errors), bp_errors_rmse(&r.errors),
                r.width / (double)r.trials / 3.92, (unsigned long long)r.covered,
                (unsigned long long)r.covered99, (unsigned long long)r.trials);
    }
}

void an_estimate_from_blocks_three_percent_off_would_be_caught(void **state)
{
    (void)state;
    for (int up = 0; up < 2; up++) {
        const seen r = try_load(&loads[1], bp_test_quick ? 200 : 4000, up ? 1.03 : 0.97);
        assert_false(load_is_credible(&r));
    }
}

/* ------------------------------------------------------------------- 2^33 bits, 1 GiB */

static void check_huge(const bp_blocked_bloom *s, uint64_t n)
{
    uint64_t members = 1, strangers = 999;
    double variance;
    bp_blocked_bloom_config c;
    bp_estimate e;
    bp_blocked_bloom_config_of(s, &c);
    assert_int_equal(blocked_yes_of_random(s, &members, n), n);
    const double mean = expected_yes(&c, (double)n, (double)n, 1, &variance);
    const double yes = (double)blocked_yes_of_random(s, &strangers, n);
    assert_true(yes_is_credible(yes, mean, variance));
    assert_int_equal(bp_blocked_bloom_estimate(s, 0.999999, &e, NULL), BP_OK);
    assert_true(e.lower <= (double)n && (double)n <= e.upper);
}

void blocked_filters_beyond_two_to_the_32_bits_are_right(void **state)
{
    (void)state;
    const bp_blocked_bloom_config cfg = {.memory = UINT64_C(1) << 30, .hashes = 4};
    const uint64_t n = UINT64_C(1) << 24;
    bp_blocked_bloom *s;
    if (sizeof(size_t) < 8) {
        bp_detail why;
        assert_int_equal(bp_blocked_bloom_new(&s, &cfg, &why), BP_PARAM);
        assert_string_equal(why.what, "larger than this machine can address");
        assert_int_equal(bp_blocked_bloom_footprint(&cfg), 0);
        return;
    }
    assert_true((uint64_t)bp_blocked_bloom_footprint(&cfg) >= UINT64_C(1) << 30);
    if (bp_test_quick) /* an emulator, or a sanitizer with its own gigabytes */
        return;
    s = blocked_make(cfg);
    uint64_t seed = 1;
    blocked_add_random(s, &seed, n);
    check_huge(s, n);
    bp_buf b = bp_encoded((bp_any *)s);
    bp_blocked_bloom_free(s);
    uint64_t slices[64] = {0};
    const size_t slice = ((size_t)1 << 30) / 64;
    for (size_t i = 0; i < (size_t)1 << 30; i += 8)
        slices[i / slice] += bp_load64(b.p + 128 + i) != 0;
    /* A word is as good as an independent bit of the key at so thin a load. */
    assert_true(bp_uniform_ok(slices, 64, ALARM));
    assert_int_equal(bp_blocked_bloom_decode(&s, b.p, b.n, NULL, NULL), BP_OK);
    bp_buf_free(&b);
    assert_int_equal(bp_blocked_bloom_fold(s, 1 << 23, NULL), BP_OK);
    check_huge(s, n);
    bp_blocked_bloom_free(s);
}
