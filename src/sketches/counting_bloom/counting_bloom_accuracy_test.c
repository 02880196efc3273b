/* SPDX-License-Identifier: MIT
 * counting_bloom_accuracy_test.c - the published rate, for what is left after taking out,
 * as a hypothesis test. The suite's false alarm rate is 1e-6, shared by its COMPARISONS.
 * That the estimate is bloom's, whose accuracy is tested there, is a test of its own. */
#include "sketches/counting_bloom/counting_bloom_test.h"

#include "accuracy/accuracy.h"
#include "accuracy/probes.h"

#include <math.h>

enum { COMPARISONS = 30, CHUNK = 4096 };
#define ALARM (BP_ALARM_SUITE / COMPARISONS)

typedef size_t verb(void *s, const uint64_t *hashes, size_t n, uint8_t *flags);

static size_t add(void *s, const uint64_t *hashes, size_t n, uint8_t *flags)
{
    return bp_counting_bloom_add_hashes((bp_counting_bloom *)s, hashes, n, flags);
}

static size_t take_out(void *s, const uint64_t *hashes, size_t n, uint8_t *flags)
{
    return bp_counting_bloom_remove_hashes((bp_counting_bloom *)s, hashes, n, flags);
}

static size_t ask(void *s, const uint64_t *hashes, size_t n, uint8_t *flags)
{
    return bp_counting_bloom_has_hashes((bp_counting_bloom *)s, hashes, n, flags);
}

/* The next n hashes of the stream *state, through a verb; the sum of what it answers. */
static uint64_t each_random(bp_counting_bloom *s, verb *with, uint64_t *state, uint64_t n)
{
    static uint64_t hashes[CHUNK];
    uint64_t sum = 0;
    while (n > 0) {
        const size_t m = n < CHUNK ? (size_t)n : CHUNK;
        for (size_t i = 0; i < m; i++)
            hashes[i] = bp_rng_next(state);
        sum += with(s, hashes, m, NULL);
        n -= m;
    }
    return sum;
}

/* Half as many again are added and taken out before strangers are asked for. */
static double yes_of_filters(const bp_counting_bloom_config *c, uint64_t asked,
                             int filters, uint64_t seed)
{
    bp_counting_bloom *s = counting_make(*c);
    double yes = 0;
    for (int i = 0; i < filters; i++) {
        bp_counting_bloom_reset(s);
        uint64_t gone = ~seed, again = gone;
        each_random(s, add, &gone, c->items / 2);
        each_random(s, add, &seed, c->items);
        assert_int_equal(each_random(s, take_out, &again, c->items / 2), c->items / 2);
        yes += (double)each_random(s, ask, &seed, asked);
    }
    bp_counting_bloom_free(s);
    return yes;
}

void false_positives_of_what_is_left_come_at_the_published_rate(void **state)
{
    (void)state;
    static const struct {
        uint64_t items;
        int filters;
    } sizes[] = {{100, 400}, {20000, 10}};
    for (size_t i = 0; i < 2; i++)
        for (int power = 1; power <= 6; power++) {
            bp_counting_bloom_config c;
            const bp_counting_bloom_config want = {.items = sizes[i].items,
                                                   .fpr = pow(10, -power)};
            assert_int_equal(bp_counting_bloom_size(&want, &c, NULL), BP_OK);
            const int filters =
                bp_test_quick ? (sizes[i].filters + 9) / 10 : sizes[i].filters;
            /* 40,000 answers, but not more than 60 million questions */
            const double questions = fmin(4e4 / c.fpr, 6e7) * (bp_test_quick ? 0.02 : 1);
            const uint64_t asked = (uint64_t)(questions / sizes[i].filters);
            double variance;
            const double mean = bp_expected_yes(c.counters, c.hashes, (double)c.items,
                                                (double)asked, filters, &variance);
            const double yes =
                yes_of_filters(&c, asked, filters, 1000 * i + (size_t)power);
            if (!bp_yes_is_credible(yes, mean, variance, ALARM))
                fail_msg("%llu items at 1e-%d: %.0f yes, expected %.1f +- %.1f",
                         (unsigned long long)c.items, power, yes, mean, sqrt(variance));
        }
}

void a_counting_rate_three_percent_off_would_be_caught(void **state)
{
    (void)state;
    bp_counting_bloom_config c;
    const bp_counting_bloom_config want = {.items = 100000, .fpr = 0.1};
    const uint64_t asked = 2000000; /* few enough for an emulator, too */
    double variance;
    assert_int_equal(bp_counting_bloom_size(&want, &c, NULL), BP_OK);
    const double mean =
        bp_expected_yes(c.counters, c.hashes, 1e5, (double)asked, 2, &variance);
    const double yes = yes_of_filters(&c, asked, 2, 5);
    assert_true(bp_yes_is_credible(yes, mean, variance, ALARM));
    assert_false(bp_yes_is_credible(yes * 1.03, mean, variance, ALARM));
    assert_false(bp_yes_is_credible(yes * 0.97, mean, variance, ALARM));
}

/* 2.5 GiB. Were positions cut to 32 bits, the lower fifth of the counters would be twice
 * as full as the rest, and strangers answered yes 1.4 times as often. */
void counters_beyond_two_to_the_32_are_right(void **state)
{
    (void)state;
    const bp_counting_bloom_config cfg = {.counters = UINT64_C(5) << 30, .hashes = 1};
    const uint64_t n = UINT64_C(1) << 21;
    if (sizeof(size_t) < 8) {
        bp_counting_bloom *s;
        bp_detail why;
        assert_int_equal(bp_counting_bloom_new(&s, &cfg, &why), BP_PARAM);
        assert_string_equal(why.what, "larger than this machine can address");
        return;
    }
    assert_true((uint64_t)bp_counting_bloom_footprint(&cfg) >= UINT64_C(5) << 29);
    if (bp_test_quick) /* an emulator, or a sanitizer with its own gigabytes */
        return;
    bp_counting_bloom *s = counting_make(cfg);
    bp_estimate e;
    uint64_t seed = 1, strangers = 999;
    double variance;
    each_random(s, add, &seed, n);
    seed = 1;
    assert_int_equal(each_random(s, ask, &seed, n), n);
    const double mean =
        bp_expected_yes(cfg.counters, 1, (double)n, 4.0 * (double)n, 1, &variance);
    const double yes = (double)each_random(s, ask, &strangers, 4 * n);
    assert_true(bp_yes_is_credible(yes, mean, variance, ALARM));
    assert_false(bp_yes_is_credible(1.4 * yes, mean, variance, ALARM));
    assert_int_equal(bp_counting_bloom_estimate(s, 0.999999, &e, NULL), BP_OK);
    assert_true(e.lower <= (double)n && (double)n <= e.upper);
    seed = 1;
    assert_int_equal(each_random(s, take_out, &seed, n), n);
    assert_int_equal(counting_figure(s, "counters_used"), 0);
    bp_counting_bloom_free(s);
}
