/* SPDX-License-Identifier: MIT
 * hll_accuracy_test.c - how wrong HyperLogLog is, as hypothesis tests.
 *
 * For every precision and n on a grid of four points a decade from 1 to 10^7 (and on to
 * 10^17), at 95 % confidence:
 *   p >= 10   |bias| <= 0.15 %     rmse <= 1.05 * 1.04 / sqrt(2^p)
 *   p <  10   |bias| <= 2 / 2^p    rmse <= 1.25 * 1.04 / sqrt(2^p)
 *   ranges hold the truth at least 93 % of the time, and once dense and n > 4 * 2^p at
 *   most 97 %
 * Up to n = 16 * 2^p real sketches take streams of random hashes and are asked at each
 * grid point on the way; beyond, registers are drawn from their distribution. There n is
 * Poisson in place of fixed, which makes the error larger by 1 / (32 * 1.08) at most. The
 * estimator and the range only ever see sums over registers, so the draw stops there. */
#include "sketches/hll/hll_test.h"

#include "accuracy/accuracy.h"
#include "core/rng.h"

#include <ballpark/hash.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Fewer than 4,000 comparisons share the suite's rate of false alarms. */
#define ALARM (BP_ALARM_SUITE / 4000)

enum { GRID_MAX = 80 };

typedef struct point {
    double n;
    bp_errors errors;
    uint64_t covered;
    bool dense;
} point;

static double standard_error(unsigned p)
{
    return 1.04 / sqrt(ldexp(1, (int)p));
}

static void tally(point *t, const bp_estimate *e)
{
    bp_errors_add(&t->errors, e->value / t->n - 1);
    t->covered += e->lower <= t->n && t->n <= e->upper;
}

/* What is wrong with a point, or NULL. */
static const char *verdict(unsigned p, const point *t)
{
    /* the mean of few trials strays like Student's t, not like a normal one: what 50 do
     * at this rate is what the stricter one asks of a normal one */
    const double alarm = t->errors.n < 1000 ? ALARM / 1e5 : ALARM;
    const double bias = p >= 10 ? 0.0015 : 2 / ldexp(1, (int)p);
    const double rmse = (p >= 10 ? 1.05 : 1.25) * standard_error(p);
    if (!bp_bias_at_most(&t->errors, bias, alarm))
        return "bias";
    if (!bp_rmse_at_most(&t->errors, rmse, alarm))
        return "rmse";
    if (!bp_rate_at_least(t->covered, t->errors.n, 0.93, alarm))
        return "covers too little";
    if (t->dense && t->n > ldexp(4, (int)p) &&
        !bp_rate_at_most(t->covered, t->errors.n, 0.97, alarm))
        return "covers too much";
    return NULL;
}

static void judge(unsigned p, const point *t)
{
    const char *wrong = verdict(p, t);
    if (wrong)
        fail_msg("p %u, n %.0f, %s: %s (bias %+.4f %%, rmse %.3f of theory, covered %.2f "
                 "%% of %u)",
                 p, t->n, t->dense ? "dense" : "sparse", wrong,
                 100 * bp_errors_mean(&t->errors),
                 bp_errors_rmse(&t->errors) / standard_error(p),
                 100.0 * (double)t->covered / (double)t->errors.n, (unsigned)t->errors.n);
}

/* Trials for one precision: 4,000 for all up to the default and fewer where one trial
 * costs a million keys and more; the comparisons allow for the number. None: left out. */
static unsigned trials_at(unsigned p)
{
    if (p <= 12 || p == 14)
        return bp_test_quick ? (p <= 10 ? 200 : 0) : 4000;
    return bp_test_quick ? 0 : p == 13 ? 1000 : p <= 16 ? 250 : 50;
}

static size_t grid(point *points, double from, double to)
{
    size_t count = 0;
    for (double n = 1, last = 0; n <= to && count < GRID_MAX; n *= 1.778279410038923) {
        if (round(n) < from || round(n) == last)
            continue;
        points[count++] = (point){.n = last = round(n)};
    }
    return count;
}

/* Both sides of the switch, in their place. */
static size_t grid_with(point *points, size_t count, double n)
{
    size_t at = count;
    while (at && points[at - 1].n >= n)
        at--;
    if (at < count && points[at].n == n)
        return count;
    memmove(points + at + 1, points + at, (count - at) * sizeof *points);
    points[at] = (point){.n = n};
    return count + 1;
}

static void add_random(bp_hll *s, uint64_t *rng, size_t n)
{
    uint64_t hashes[1024];
    while (n) {
        const size_t some = n < 1024 ? n : 1024;
        for (size_t i = 0; i < some; i++)
            hashes[i] = bp_rng_next(rng);
        assert_int_equal(bp_hll_add_hashes(s, hashes, some), BP_OK);
        n -= some;
    }
}

/* Each trial is one stream, asked at every point; points of one trial depend on each
 * other, which Bonferroni's bound does not mind. */
static void run_streams(const bp_hll_config *cfg, point *points, size_t count,
                        unsigned trials, double wrong)
{
    bp_hll *s;
    assert_int_equal(bp_hll_new(&s, cfg, NULL), BP_OK);
    for (unsigned t = 0; t < trials; t++) {
        uint64_t rng = UINT64_C(0x5EED) << 32 | cfg->precision << 24 | t;
        size_t n = 0;
        for (size_t i = 0; i < count; i++) {
            bp_estimate e;
            add_random(s, &rng, (size_t)points[i].n - n);
            n = (size_t)points[i].n;
            bp_hll_estimate(s, 0.95, &e, NULL);
            e.value *= wrong;
            tally(&points[i], &e);
            points[i].dense =
                ((const bp_hll_head *)((bp_object *)s)->head)->form != BP_HLL_SPARSE;
        }
        bp_hll_reset(s);
    }
    bp_hll_free(s);
}

void streams_keep_bias_error_and_coverage(void **state)
{
    (void)state;
    for (unsigned p = 4; p <= 18; p++) {
        point points[GRID_MAX];
        if (trials_at(p) == 0)
            continue;
        const double most = (double)bp_hll_tokens_max(p);
        size_t count = grid(points, 1, ldexp(16, (int)p));
        count = grid_with(points, count, most);
        count = grid_with(points, count, most + 1);
        const bp_hll_config cfg = {.precision = p};
        run_streams(&cfg, points, count, trials_at(p), 1);
        for (size_t i = 0; i < count; i++)
            judge(p, &points[i]);
    }
}

/* Where a default sketch would still be sparse. Two keys in one register are rare there,
 * and cost a whole key: the error has a heavy tail, so only the range is judged. */
void dense_sketches_cover_at_few_keys(void **state)
{
    (void)state;
    for (unsigned p = 4; p <= 18; p++) {
        point points[GRID_MAX];
        if (trials_at(p) == 0)
            continue;
        const double most = p <= 14 ? (double)bp_hll_tokens_max(p) : 2000;
        size_t count = grid(points, 1, most);
        for (double n = 4; n <= 20; n++)
            count = grid_with(points, count, n);
        const bp_hll_config cfg = {.precision = p, .dense = true};
        run_streams(&cfg, points, count, trials_at(p), 1);
        for (size_t i = 0; i < count; i++)
            assert_true(
                bp_rate_at_least(points[i].covered, points[i].errors.n, 0.93, ALARM));
    }
}

/* ---------------------------------------------------------- registers, drawn at once */

/* P(register <= k) after a Poisson number of keys, x of them a register on average, and
 * where to begin looking for the top byte of a random word. */
typedef struct law {
    uint64_t upto[64];
    uint8_t begin[256];
    unsigned top;
} law;

static void law_of(law *l, unsigned p, double x)
{
    l->top = bp_hll_top(p);
    for (unsigned k = 0; k < l->top; k++)
        l->upto[k] = (uint64_t)(exp(-ldexp(x, -(int)k)) * 0x1.fffffffffffffp63);
    l->upto[l->top] = UINT64_MAX;
    for (unsigned b = 0, k = 0; b < 256; b++) {
        while (l->upto[k] < (uint64_t)b << 56)
            k++;
        l->begin[b] = (uint8_t)k;
    }
}

static void draw(const law *l, unsigned p, uint64_t *rng, bp_packed6_sums *sums)
{
    uint32_t counts[64] = {0};
    *sums = (bp_packed6_sums){0, 0, 0, 0};
    for (size_t i = 0; i < bp_hll_registers(p); i++) {
        const uint64_t u = bp_rng_next(rng);
        unsigned k = l->begin[u >> 56];
        while (l->upto[k] < u)
            k++;
        counts[k]++;
    }
    for (unsigned k = 1; k <= l->top; k++) {
        sums->high += counts[k] * (UINT64_C(1) << (63 - k) >> 32);
        sums->low += counts[k] * (uint64_t)(uint32_t)(UINT64_C(1) << (63 - k));
    }
    sums->zeros = counts[0];
    sums->tops = counts[l->top];
}

static void run_drawn(unsigned p, point *t, unsigned trials, double confidence,
                      double wrong, double wide)
{
    law l;
    law_of(&l, p, ldexp(t->n, -(int)p));
    t->dense = true;
    for (unsigned i = 0; i < trials; i++) {
        uint64_t rng = UINT64_C(0xD4A3) << 40 | (uint64_t)p << 32 | i;
        bp_packed6_sums sums;
        bp_estimate e;
        draw(&l, p, &rng, &sums);
        e.value = bp_hll_from_sums(p, &sums);
        bp_hll_dense_range(p, confidence, &e);
        e.lower = e.value - (e.value - e.lower) * wide;
        e.upper = e.value + (e.upper - e.value) * wide;
        e.value *= wrong;
        tally(t, &e);
    }
}

void simulated_registers_keep_bias_error_and_coverage(void **state)
{
    (void)state;
    for (unsigned p = 4; p <= 18; p++) {
        point points[GRID_MAX];
        if (trials_at(p) == 0)
            continue;
        size_t count = grid(points, ldexp(16, (int)p), 1e7);
        const double far[] = {1e9, 1e13, 1e17};
        for (size_t i = 0; i < sizeof far / sizeof *far; i++)
            count = grid_with(points, count, far[i]);
        for (size_t i = 0; i < count; i++) {
            run_drawn(p, &points[i], trials_at(p), 0.95, 1, 1);
            judge(p, &points[i]);
        }
    }
}

void other_confidences_cover_too(void **state)
{
    (void)state;
    const double confidences[] = {0.5, 0.6827, 0.8, 0.9, 0.99};
    for (unsigned p = 6; p <= 12; p += 2)
        for (size_t c = 0; c < sizeof confidences / sizeof *confidences; c++) {
            point t = {.n = 1e6};
            run_drawn(p, &t, trials_at(p), confidences[c], 1, 1);
            assert_true(
                bp_rate_at_least(t.covered, t.errors.n, confidences[c] - 0.025, ALARM));
            assert_true(
                bp_rate_at_most(t.covered, t.errors.n, confidences[c] + 0.025, ALARM));
        }
}

/* -------------------------------------------------------------------------- sabotage */

void an_estimator_3_percent_wrong_is_caught(void **state)
{
    (void)state;
    for (unsigned p = 10; p <= (bp_test_quick ? 10 : 14); p += 2)
        for (int sign = -1; sign <= 1; sign += 2) {
            point t = {.n = 1e7};
            run_drawn(p, &t, 4000, 0.95, 1 + 0.03 * sign, 1);
            assert_non_null(verdict(p, &t));
            point few = {.n = 5000};
            const bp_hll_config cfg = {.precision = p};
            run_streams(&cfg, &few, 1, 1000, 1 + 0.03 * sign);
            assert_non_null(verdict(p, &few));
        }
}

void ranges_twice_or_half_as_wide_are_caught(void **state)
{
    (void)state;
    const double wide[] = {0.5, 0.8, 1.4, 2};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        point t = {.n = 1e7};
        run_drawn(10, &t, 4000, 0.95, 1, wide[i]);
        assert_non_null(verdict(10, &t));
    }
}

/* ---------------------------------------------------------------- sums and exactness */

/* Var(f) (x / alpha)^2 - 1/x, summed up; see hll_estimate.c. */
static double delta_method(double x)
{
    const double alpha = 0.5 / 0.69314718055994531, zero = exp(-x);
    double slope = 1; /* sigma'(e^-x) */
    for (int k = 1; k < 60; k++)
        slope += ldexp(exp(-x * (ldexp(1, k) - 1)), 2 * k - 1);
    double mean = slope * zero, square = slope * slope * zero;
    for (int k = 1; k < 200; k++) {
        const double each = exp(-ldexp(x, -k)) * -expm1(-ldexp(x, -k));
        mean += ldexp(each, -k);
        square += ldexp(each, -2 * k);
    }
    return (square - mean * mean) * (x / alpha) * (x / alpha) - 1 / x;
}

void variance_formula_follows_the_delta_method(void **state)
{
    (void)state;
    for (double x = 0.05; x < 1e5; x *= 1.1) {
        const double ratio = sqrt(bp_hll_variance(x) / delta_method(x));
        assert_true(ratio > 0.993 && ratio < 1.007);
    }
    assert_true(bp_hll_variance(0) == 0.5);
    assert_true(fabs(bp_hll_variance(1e-7) - 0.5) < 1e-6);
    assert_true(fabs(sqrt(bp_hll_variance(1e12)) - 1.04) < 0.002);
}

/* At p = 18 a sketch holds 49,152 tokens, of which about 6 stand for two keys. */
void tokens_are_far_better_than_registers(void **state)
{
    (void)state;
    const bp_hll_config cfg = {.precision = 18};
    point points[] = {{.n = 1000}, {.n = 10000}, {.n = 49000}};
    run_streams(&cfg, points, 3, bp_test_quick ? 10 : 150, 1);
    for (int i = 0; i < 3; i++) {
        const double hidden = points[i].n * points[i].n / (6.0 * (1 << 26));
        const double theory = sqrt(hidden + 0.25) / points[i].n;
        assert_false(points[i].dense);
        assert_true(bp_rmse_at_most(&points[i].errors, 1.1 * theory, ALARM));
        assert_true(bp_errors_rmse(&points[i].errors) < 0.1 * standard_error(18));
        assert_true(bp_rate_at_least(points[i].covered, points[i].errors.n, 0.93, ALARM));
    }
}

/* ------------------------------------------------------------------- worked examples */

static void add_ids(bp_hll *s, uint64_t first, uint64_t count)
{
    uint64_t hashes[1024];
    bp_hll_config cfg;
    bp_hll_config_of(s, &cfg);
    for (uint64_t i = 0; i < count;) {
        size_t n = 0;
        for (; n < 1024 && i < count; n++, i++)
            hashes[n] = bp_hash_u64(&cfg.hash, first + i);
        assert_int_equal(bp_hll_add_hashes(s, hashes, n), BP_OK);
    }
}

/* The sample deviation of 20 seeds lies within its own chi-square range of theory. */
void spread_over_20_seeds_matches_the_standard_error(void **state)
{
    (void)state;
    for (unsigned p = 10; p <= (bp_test_quick ? 10 : 16); p += 2) {
        bp_errors errors = {0, 0, 0};
        for (uint64_t seed = 1; seed <= 20; seed++) {
            bp_hll *s;
            const bp_hll_config cfg = {.precision = p,
                                       .hash = {.id = BP_HASH_XXH3, .seed = seed}};
            assert_int_equal(bp_hll_new(&s, &cfg, NULL), BP_OK);
            add_ids(s, 0, 300000);
            bp_errors_add(&errors, value_of(s) / 300000 - 1);
            bp_hll_free(s);
        }
        const double theory =
            sqrt(bp_hll_variance(ldexp(300000, -(int)p))) / sqrt(ldexp(1, (int)p));
        const double ratio = bp_errors_rmse(&errors) / theory;
        assert_true(theory <= standard_error(p) * 1.001);
        assert_true(20 * ratio * ratio < bp_chi_square_upper(20, 1e-7));
        assert_true(20 * ratio * ratio > 2.5); /* P(chi-square_20 < 2.5) = 3e-7 */
    }
}

/* 1.5 million visits a day by visitors uniform in 400,000 ids, half of them in common. */
static uint64_t visits(bp_hll *s, uint64_t first, uint8_t *seen, uint64_t seed)
{
    uint64_t different = 0, hashes[1000];
    for (int i = 0; i < 1500; i++) {
        for (int j = 0; j < 1000; j++) {
            const uint64_t id = first + bp_range(bp_rng_next(&seed), 400000);
            different += !seen[id];
            seen[id] = 1;
            hashes[j] = bp_hash_u64(NULL, id);
        }
        assert_int_equal(bp_hll_add_hashes(s, hashes, 1000), BP_OK);
    }
    return different;
}

void monday_and_tuesday_merge_to_their_union(void **state)
{
    (void)state;
    uint8_t *seen = (uint8_t *)calloc(600000, 1);
    uint8_t *alone = (uint8_t *)calloc(600000, 1);
    bp_hll *monday, *tuesday;
    assert_true(seen && alone);
    assert_int_equal(bp_hll_new(&monday, NULL, NULL), BP_OK);
    assert_int_equal(bp_hll_new(&tuesday, NULL, NULL), BP_OK);
    const uint64_t first = visits(monday, 0, seen, 1);
    const uint64_t second = visits(tuesday, 200000, alone, 2);
    uint64_t both = 0;
    for (size_t i = 0; i < 600000; i++)
        both += seen[i] || alone[i];
    assert_true(first > 390000 && first < 391200 && both > 590000 && both < 591200);
    assert_true(fabs(value_of(monday) / (double)first - 1) < 3 * 0.0081);
    assert_true(fabs(value_of(tuesday) / (double)second - 1) < 3 * 0.0081);
    assert_int_equal(bp_hll_merge(monday, tuesday, NULL), BP_OK);
    assert_true(fabs(value_of(monday) / (double)both - 1) < 3 * 0.0081);
    bp_hll_free(monday);
    bp_hll_free(tuesday);
    free(seen);
    free(alone);
}

void overlapping_shards_merge_to_250000(void **state)
{
    (void)state;
    bp_hll *a, *b;
    assert_int_equal(bp_hll_new(&a, NULL, NULL), BP_OK);
    assert_int_equal(bp_hll_new(&b, NULL, NULL), BP_OK);
    add_ids(a, 0, 150000);
    add_ids(b, 100000, 150000);
    assert_true(fabs(value_of(a) / 150000 - 1) < 3 * 0.0081);
    assert_true(fabs(value_of(b) / 150000 - 1) < 3 * 0.0081);
    assert_int_equal(bp_hll_merge(a, b, NULL), BP_OK);
    const double merged = value_of(a);
    assert_true(fabs(merged / 250000 - 1) < 3 * 0.0081);
    add_ids(a, 50000, 100000); /* revisits */
    assert_true(value_of(a) == merged);
    bp_hll_free(a);
    bp_hll_free(b);
}
