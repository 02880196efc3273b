/* SPDX-License-Identifier: MIT
 * bloom_accuracy_test.c - the published rates and the bounds of the estimate, as
 * hypothesis tests. The suite's false alarm rate is 1e-6, shared by its COMPARISONS. */
#include "sketches/bloom/bloom_test.h"

#include "accuracy/accuracy.h"
#include "accuracy/probes.h"

#include <math.h>
#include <stdio.h>

enum { COMPARISONS = 100, CHUNK = 4096 };
#define ALARM (BP_ALARM_SUITE / COMPARISONS)

bp_bloom *bloom_make(bp_bloom_config cfg)
{
    bp_bloom *s;
    bp_detail why = {BP_OK, "", 0, 0, 0};
    if (bp_bloom_new(&s, &cfg, &why))
        fail_msg("new: %s", why.what);
    return s;
}

static uint64_t each_random(uint64_t *state, uint64_t n, bp_bloom *add,
                            const bp_bloom *ask)
{
    static uint64_t hashes[CHUNK];
    uint64_t sum = 0;
    while (n > 0) {
        const size_t m = n < CHUNK ? (size_t)n : CHUNK;
        for (size_t i = 0; i < m; i++)
            hashes[i] = bp_rng_next(state);
        sum += add ? bp_bloom_add_hashes(add, hashes, m, NULL)
                   : bp_bloom_has_hashes(ask, hashes, m, NULL);
        n -= m;
    }
    return sum;
}

void bloom_add_random(bp_bloom *s, uint64_t *state, uint64_t n)
{
    each_random(state, n, s, NULL);
}

uint64_t bloom_yes_of_random(const bp_bloom *s, uint64_t *state, uint64_t n)
{
    return each_random(state, n, NULL, s);
}

/* ------------------------------------------------------------- false positive rates */

static double yes_of_filters(const bp_bloom_config *c, uint64_t n, uint64_t asked,
                             int filters, uint64_t seed)
{
    bp_bloom *s = bloom_make(*c);
    double yes = 0;
    for (int i = 0; i < filters; i++) {
        bp_bloom_reset(s);
        bloom_add_random(s, &seed, n);
        yes += (double)bloom_yes_of_random(s, &seed, asked);
    }
    bp_bloom_free(s);
    return yes;
}

void false_positives_come_at_the_published_rate(void **state)
{
    (void)state;
    static const struct {
        uint64_t items;
        int filters;
    } sizes[] = {{100, 400}, {1000, 100}, {100000, 4}};
    for (size_t i = 0; i < 3; i++)
        for (int power = 1; power <= 6; power++) {
            bp_bloom_config c;
            const bp_bloom_config ask = {.items = sizes[i].items, .fpr = pow(10, -power)};
            assert_int_equal(bp_bloom_size(&ask, &c, NULL), BP_OK);
            const int filters =
                bp_test_quick ? (sizes[i].filters + 9) / 10 : sizes[i].filters;
            /* 40,000 answers, but not more than 60 million questions */
            const double questions = fmin(4e4 / c.fpr, 6e7) * (bp_test_quick ? 0.02 : 1);
            const uint64_t asked = (uint64_t)(questions / sizes[i].filters);
            double variance;
            const double mean = bp_expected_yes(c.bits, c.hashes, (double)c.items,
                                                (double)asked, filters, &variance);
            const double yes =
                yes_of_filters(&c, c.items, asked, filters, 1000 * i + (size_t)power);
            if (!bp_yes_is_credible(yes, mean, variance, ALARM))
                fail_msg("%llu items at 1e-%d: %.0f yes, expected %.1f +- %.1f",
                         (unsigned long long)c.items, power, yes, mean, sqrt(variance));
        }
}

/* The rule of most filters, a + i b, as a filter of its own: sets the bits of a hash, or
 * says whether they are set. */
static bool double_hashed(uint8_t *cells, const bp_bloom_config *c, uint64_t h, bool set)
{
    uint64_t a = h;
    for (uint32_t i = 0; i < c->hashes; i++, a += bp_second(h)) {
        const uint64_t p = bp_range(a, c->bits);
        if (set)
            cells[p / 8] |= (uint8_t)(1u << p % 8);
        else if (!(cells[p / 8] >> p % 8 & 1))
            return false;
    }
    return true;
}

/* Why positions have four terms: 100 items at 1e-5 are answered wrong 8 times as often as
 * they should be when there are two. */
void two_terms_would_miss_the_rate_of_small_filters(void **state)
{
    (void)state;
    enum { FILTERS = 40, ASKED = 100000 };
    static uint8_t cells[1024];
    const bp_bloom_config ask = {.items = 100, .fpr = 1e-5};
    bp_bloom_config c;
    uint64_t yes = 0, rng = 11;
    assert_int_equal(bp_bloom_size(&ask, &c, NULL), BP_OK);
    assert_true(c.memory <= sizeof cells);
    for (int f = 0; f < FILTERS; f++) {
        memset(cells, 0, sizeof cells);
        for (int i = 0; i < 100; i++)
            double_hashed(cells, &c, bp_rng_next(&rng), true);
        for (int i = 0; i < ASKED; i++)
            yes += double_hashed(cells, &c, bp_rng_next(&rng), false);
    }
    double variance;
    const double mean = bp_expected_yes(c.bits, c.hashes, 100, ASKED, FILTERS, &variance);
    assert_true((double)yes > 6 * mean && (double)yes < 10 * mean);
    assert_false(bp_yes_is_credible((double)yes, mean, variance, ALARM));
}

void a_rate_three_percent_off_would_be_caught(void **state)
{
    (void)state;
    bp_bloom_config c;
    const bp_bloom_config ask = {.items = 100000, .fpr = 0.1};
    const uint64_t asked = 2000000; /* few enough for an emulator, too */
    double variance;
    assert_int_equal(bp_bloom_size(&ask, &c, NULL), BP_OK);
    const double mean =
        bp_expected_yes(c.bits, c.hashes, 1e5, (double)asked, 2, &variance);
    const double yes = yes_of_filters(&c, 100000, asked, 2, 5);
    assert_true(bp_yes_is_credible(yes, mean, variance, ALARM));
    assert_false(bp_yes_is_credible(yes * 1.03, mean, variance, ALARM));
    assert_false(bp_yes_is_credible(yes * 0.97, mean, variance, ALARM));
}

void overfull_filters_fill_and_err_as_predicted(void **state)
{
    (void)state;
    static const double times[] = {1, 1.25, 1.5, 2, 3};
    bp_bloom_config c;
    const bp_bloom_config ask = {.items = 100000, .fpr = 0.01};
    assert_int_equal(bp_bloom_size(&ask, &c, NULL), BP_OK);
    for (size_t i = 0; i < 5; i++) {
        const double n = 1e5 * times[i], m = (double)c.bits;
        const uint64_t asked = bp_test_quick ? 50000 : 1000000;
        uint64_t seed = 77 + i;
        bp_bloom *s = bloom_make(c);
        bloom_add_random(s, &seed, (uint64_t)n);
        double variance;
        const double mean =
            bp_expected_yes(c.bits, c.hashes, n, (double)asked, 1, &variance);
        assert_true(bp_yes_is_credible((double)bloom_yes_of_random(s, &seed, asked), mean,
                                       variance, ALARM));
        const double fill = pow(bp_bloom_fpr(s), 1.0 / c.hashes);
        const double expected = bp_bloom_fill_at(c.bits, c.hashes, n);
        const double z = bp_normal_upper(ALARM / 2);
        assert_true(fabs(fill - expected) <=
                    z * sqrt(bp_fill_variance(m, c.hashes * n / m)) + 1 / m);
        bp_bloom_free(s);
    }
}

/* ------------------------------------------------------------------------ estimates */

static const struct load {
    bp_bloom_config cfg;
    uint64_t n;
} loads[] = {
    {{.items = 100, .fpr = 0.01}, 3},      {{.items = 100, .fpr = 0.01}, 30},
    {{.items = 100, .fpr = 0.01}, 100},    {{.items = 100, .fpr = 0.01}, 300},
    {{.items = 1000, .fpr = 0.001}, 100},  {{.items = 1000, .fpr = 0.001}, 1000},
    {{.items = 1000, .fpr = 0.001}, 3000}, {{.bits = 20000, .hashes = 1}, 10000},
    {{.bits = 20000, .hashes = 1}, 60000}, {{.bits = 4096, .hashes = 16}, 150},
};

typedef struct seen {
    bp_errors errors; /* of the value, in units of its predicted standard deviation */
    uint64_t trials, covered, covered99;
} seen;

static seen try_load(const struct load *load, uint64_t trials, double factor)
{
    seen r = {.trials = trials};
    bp_bloom *s = bloom_make(load->cfg);
    bp_bloom_config c;
    uint64_t rng = load->n;
    bp_bloom_config_of(s, &c);
    const double n = (double)load->n, m = (double)c.bits, t = c.hashes * n / m;
    /* Var[n] = Var[X] (dn/dX)^2, to first order; a hundredth of an item is forgiven,
     * which matters where hardly any bits coincide */
    const double sd = sqrt(m * (expm1(t) - t)) / c.hashes + 0.01;
    for (uint64_t i = 0; i < trials; i++) {
        bp_estimate e, e99;
        bp_bloom_reset(s);
        bloom_add_random(s, &rng, load->n);
        assert_int_equal(bp_bloom_estimate(s, 0.95, &e, NULL), BP_OK);
        assert_int_equal(bp_bloom_estimate(s, 0.99, &e99, NULL), BP_OK);
        bp_errors_add(&r.errors, (e.value * factor - n) / sd);
        r.covered += e.lower * factor <= n && n <= e.upper * factor;
        r.covered99 += e99.lower * factor <= n && n <= e99.upper * factor;
    }
    bp_bloom_free(s);
    return r;
}

/* The value's mean strays by less than a fifth, and its rmse is at most 1.05 times, the
 * standard deviation that is derived for it; the bounds hold at least as often as they
 * say. */
static bool load_is_credible(const seen *r)
{
    return bp_bias_at_most(&r->errors, 0.2, ALARM) &&
           bp_rmse_at_most(&r->errors, 1.05, ALARM) &&
           bp_rate_at_least(r->covered, r->trials, 0.95, ALARM) &&
           bp_rate_at_least(r->covered99, r->trials, 0.99, ALARM);
}

void estimates_are_unbiased_and_their_bounds_hold(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        const seen r = try_load(&loads[i], bp_test_quick ? 200 : 4000, 1);
        if (!load_is_credible(&r))
            fail_msg("load %zu: bias %.3f rmse %.3f, covered %llu and %llu of %llu", i,
                     bp_errors_mean(&r.errors), bp_errors_rmse(&r.errors),
                     (unsigned long long)r.covered, (unsigned long long)r.covered99,
                     (unsigned long long)r.trials);
    }
}

void an_estimate_three_percent_off_would_be_caught(void **state)
{
    (void)state;
    for (int up = 0; up < 2; up++) {
        const seen r = try_load(&loads[5], bp_test_quick ? 200 : 4000, up ? 1.03 : 0.97);
        assert_false(load_is_credible(&r));
    }
}

/* ------------------------------------------------------------------------ scenarios */

static const bp_figure *figure(const bp_description *d, const char *name)
{
    for (size_t i = 0; i < d->count; i++)
        if (strcmp(d->figures[i].name, name) == 0)
            return &d->figures[i];
    fail_msg("no figure %s", name);
    return NULL;
}

static size_t address(char text[48], const char *name, uint64_t i)
{
    return (size_t)snprintf(text, 48, "%s%llu@bookstore.example", name,
                            (unsigned long long)i);
}

void the_bookstore_keeps_every_address_and_says_when_it_is_over(void **state)
{
    (void)state;
    const uint64_t n = bp_test_quick ? 20000 : 1000000;
    const bp_bloom_config ask = {.items = n, .fpr = 0.01};
    bp_bloom_config c;
    bp_bloom *s = bloom_make(ask);
    char text[48];
    assert_int_equal(bp_bloom_size(&ask, &c, NULL), BP_OK);
    for (uint64_t times = 1; times <= 3; times++) {
        bp_description d;
        double variance;
        uint64_t yes = 0, missing = 0;
        for (uint64_t i = (times - 1) * n; i < times * n; i++)
            bp_bloom_add(s, text, address(text, "reader", i));
        for (uint64_t i = 0; i < times * n; i++)
            missing += !bp_bloom_has(s, text, address(text, "reader", i));
        for (uint64_t i = 0; i < n; i++)
            yes += bp_bloom_has(s, text, address(text, "stranger", i));
        assert_int_equal(missing, 0);
        const double mean = bp_expected_yes(c.bits, c.hashes, (double)(times * n),
                                            (double)n, 1, &variance);
        assert_true(bp_yes_is_credible((double)yes, mean, variance, ALARM));
        bp_bloom_describe(s, &d);
        assert_int_equal(d.health, times == 1 ? BP_HEALTH_NEAR : BP_HEALTH_OVER);
        if (times == 3) {
            assert_true(fabs(figure(&d, "fpr_now")->real - 0.436) < 0.02);
            assert_true(figure(&d, "fpr_design")->real == 0.01);
            assert_int_equal(figure(&d, "items")->whole, n);
            assert_int_equal(figure(&d, "capacity_left")->whole, 0);
            assert_non_null(strstr(d.advice, "over capacity"));
        }
    }
    bp_bloom_free(s);
}

/* ------------------------------------------------------------------- 2^33 bits, 1 GiB */

/* Members of the stream from seed 1 that are answered no. */
static uint64_t members_missing(const bp_bloom *s, uint64_t n)
{
    uint64_t seed = 1;
    return n - bloom_yes_of_random(s, &seed, n);
}

static void check_huge(const bp_bloom *s, uint64_t n)
{
    uint64_t seed = 999;
    double variance;
    bp_bloom_config c;
    bp_estimate e;
    bp_bloom_config_of(s, &c);
    assert_int_equal(members_missing(s, n), 0);
    const double mean =
        bp_expected_yes(c.bits, c.hashes, (double)n, (double)n, 1, &variance);
    assert_true(bp_yes_is_credible((double)bloom_yes_of_random(s, &seed, n), mean,
                                   variance, ALARM));
    assert_int_equal(bp_bloom_estimate(s, 0.999999, &e, NULL), BP_OK);
    assert_true(e.lower <= (double)n && (double)n <= e.upper);
}

void filters_beyond_two_to_the_32_bits_are_right(void **state)
{
    (void)state;
    const bp_bloom_config cfg = {.bits = UINT64_C(1) << 33, .hashes = 2};
    const uint64_t n = UINT64_C(1) << 24;
    bp_bloom *s;
    if (sizeof(size_t) < 8) {
        bp_detail why;
        assert_int_equal(bp_bloom_new(&s, &cfg, &why), BP_PARAM);
        assert_string_equal(why.what, "larger than this machine can address");
        assert_int_equal(bp_bloom_footprint(&cfg), 0);
        return;
    }
    assert_true((uint64_t)bp_bloom_footprint(&cfg) >= UINT64_C(1) << 30);
    if (bp_test_quick) /* an emulator, or a sanitizer with its own gigabytes */
        return;
    s = bloom_make(cfg);
    uint64_t seed = 1;
    bloom_add_random(s, &seed, n);
    check_huge(s, n);
    bp_buf b = bp_encoded((bp_any *)s);
    bp_bloom_free(s);
    uint64_t slices[64] = {0};
    const size_t slice = ((size_t)1 << 30) / 64;
    for (size_t i = 0; i < (size_t)1 << 30; i += 8) {
        uint64_t word;
        memcpy(&word, b.p + b.n - 8 * 1024 - ((size_t)1 << 30) + i, 8);
        slices[i / slice] += (uint64_t)__builtin_popcountll(word);
    }
    assert_true(bp_uniform_ok(slices, 64, ALARM));
    assert_int_equal(bp_bloom_decode(&s, b.p, b.n, NULL, NULL), BP_OK);
    bp_buf_free(&b);
    check_huge(s, n);
    bp_bloom_free(s);
}
