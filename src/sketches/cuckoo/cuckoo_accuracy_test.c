/* SPDX-License-Identifier: MIT
 * cuckoo_accuracy_test.c - the stated rate and the stated capacity, as hypothesis tests.
 * The suite's false alarm rate is 1e-6, shared by its COMPARISONS. */
#include "sketches/cuckoo/cuckoo_test.h"

#include "accuracy/accuracy.h"

#include <math.h>
#include <stdlib.h>

enum { COMPARISONS = 40 };
#define ALARM (BP_ALARM_SUITE / COMPARISONS)

/* ------------------------------------------------------------- false positive rates */

/* Yes answers to `asked` strangers, expected and seen, over filters of n keys. Given the
 * filter, a stranger's rate is the share of (tag, pair of buckets) that is in it: close
 * to its mean over filters, relative variance about 1/n. */
typedef struct rate {
    double yes, mean, variance;
} rate;

static rate rate_of(bp_cuckoo_config cfg, double full, int filters, uint64_t asked)
{
    rate r = {0, 0, 0};
    uint64_t seed = cfg.items + cfg.bits;
    for (int i = 0; i < filters; i++) {
        bp_cuckoo *s = cuckoo_make(cfg);
        const size_t n = (size_t)((double)cfg.items * full);
        uint64_t *h = cuckoo_random(&seed, n);
        assert_int_equal(bp_cuckoo_add_hashes(s, h, n, NULL, NULL, NULL), BP_OK);
        const double p = bp_cuckoo_fpr(s), mean = p * (double)asked;
        r.yes += (double)cuckoo_yes_of_random(s, &seed, asked);
        r.mean += mean;
        r.variance += mean * (1 - p) + mean * mean / (double)n;
        bp_cuckoo_free(s);
        free(h);
    }
    return r;
}

/* The normal bound, widened for the skew of small counts (Bernstein). */
static bool is_credible(const rate *r, double factor)
{
    const double z = bp_normal_upper(ALARM / 2);
    return fabs(r->yes * factor - r->mean) <= z * sqrt(r->variance) + z * z / 3;
}

void cuckoo_strangers_are_taken_for_keys_at_the_stated_rate(void **state)
{
    (void)state;
    static const struct {
        uint64_t items;
        uint32_t bits;
        double full;
        int filters;
    } row[] = {
        {1000, 8, 1, 100},   {1000, 12, 1, 100},  {1000, 8, 0.3, 100},
        {40000, 8, 1, 8},    {40000, 12, 1, 8},   {40000, 16, 1, 8},
        {300000, 8, 0.5, 2}, {1200000, 12, 1, 1}, {1200000, 16, 1, 1},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const bp_cuckoo_config cfg = {.items = row[i].items, .bits = row[i].bits};
        const double p = bp_cuckoo_fpr_at(row[i].bits, row[i].full * 0.9);
        const double questions = fmin(40000 / p, 4e7) * (bp_test_quick ? 0.02 : 1);
        const rate r = rate_of(cfg, row[i].full, row[i].filters,
                               (uint64_t)(questions / row[i].filters));
        if (!is_credible(&r, 1))
            fail_msg("row %zu: %.0f yes, expected %.1f +- %.1f", i, r.yes, r.mean,
                     sqrt(r.variance));
    }
}

void a_cuckoo_rate_three_percent_off_would_be_caught(void **state)
{
    (void)state;
    const bp_cuckoo_config cfg = {.items = 200000, .bits = 8};
    const rate r = rate_of(cfg, 1, 1, 3000000);
    assert_true(is_credible(&r, 1));
    assert_false(is_credible(&r, 1.03));
    assert_false(is_credible(&r, 0.97));
}

/* -------------------------------------------------------------------------- capacity */

/* No refusal before `items` in any of the trials: over all of them, refusals more often
 * than once in ten thousand filters would show with a probability above 0.99. */
void capacity_is_reached_without_a_refusal(void **state)
{
    (void)state;
    static const struct {
        uint64_t items;
        int trials;
    } row[] = {{1, 10},      {8, 3000},    {9, 6000},   {10, 6000},  {26, 6000},
               {41, 6000},   {64, 6000},   {100, 4000}, {316, 2000}, {1000, 1000},
               {3162, 300},  {10000, 100}, {31000, 30}, {33000, 30}, {100000, 10},
               {1000000, 2}, {10000000, 1}};
    for (size_t i = 0; i < sizeof row / sizeof *row - 2 * (size_t)bp_test_quick; i++)
        for (int t = 0; t < (bp_test_quick ? 1 : row[i].trials); t++) {
            const uint32_t bits = 8 + 4 * (uint32_t)(t % 3);
            uint64_t seed = 1000 * i + (uint64_t)t;
            const size_t n = (size_t)row[i].items;
            bp_cuckoo *s = cuckoo_make((bp_cuckoo_config){.items = n, .bits = bits});
            uint64_t *h = cuckoo_random(&seed, n);
            size_t done = 0;
            if (bp_cuckoo_add_hashes(s, h, n, NULL, &done, NULL))
                fail_msg("%zu items of %u bits: full at %zu", n, bits, done);
            assert_int_equal(cuckoo_figure(s, "failed_adds"), 0);
            assert_int_equal(cuckoo_figure(s, "capacity_left"), 0);
            bp_cuckoo_free(s);
            free(h);
        }
}

/* What cuckoo_size.c says of the load at the first refusal, and that 95 % is passed. */
void the_first_refusal_comes_at_the_measured_load(void **state)
{
    (void)state;
    static const struct {
        uint64_t items;
        double least;
    } row[] = {{10000, 0.955}, {33000, 0.952}, {300000, 0.952}, {3000000, 0.952}};
    for (size_t i = 0; i < 4 - 2 * (size_t)bp_test_quick; i++)
        for (uint32_t bits = 8; bits <= 16; bits += 4) {
            bp_cuckoo *s =
                cuckoo_make((bp_cuckoo_config){.items = row[i].items, .bits = bits});
            uint64_t seed = i;
            const double slots = (double)cuckoo_figure(s, "bits") / bits;
            const size_t n = (size_t)slots + 1;
            uint64_t *h = cuckoo_random(&seed, n);
            size_t done = 0;
            assert_int_equal(bp_cuckoo_add_hashes(s, h, n, NULL, &done, NULL), BP_FULL);
            if ((double)done < row[i].least * slots || (double)done > 0.985 * slots)
                fail_msg("%.0f slots of %u bits: full at %.4f", slots, bits,
                         (double)done / slots);
            assert_int_equal(bp_cuckoo_has_hashes(s, h, done, NULL), done);
            bp_cuckoo_free(s);
            free(h);
        }
}

/* ------------------------------------------------------- 2^32 slots and more, 4.3 GiB */

/* Memory that is zero and not there until it is touched. */
static void *sparse(void *ctx, void *p, size_t old_size, size_t new_size)
{
    (void)ctx;
    (void)old_size;
    if (new_size)
        return p ? NULL : calloc(1, new_size);
    free(p);
    return NULL;
}

void filters_beyond_two_to_the_32_slots_are_right(void **state)
{
    (void)state;
    const bp_cuckoo_config cfg = {
        .alloc = {sparse, NULL}, .items = UINT64_C(4100000000), .bits = 8};
    enum { N = 200000 };
    bp_cuckoo *s;
    bp_detail why;
    if (sizeof(size_t) < 8) {
        assert_int_equal(bp_cuckoo_new(&s, &cfg, &why), BP_PARAM);
        assert_string_equal(why.what, "larger than this machine can address");
        return;
    }
    assert_true((uint64_t)bp_cuckoo_footprint(&cfg) > UINT64_C(1) << 32);
    if (bp_test_quick) /* an emulator, or a sanitizer with its own gigabytes */
        return;
    s = cuckoo_make(cfg);
    uint64_t seed = 1, again = 1;
    uint64_t *h = cuckoo_random(&seed, N);
    assert_int_equal(bp_cuckoo_add_hashes(s, h, N, NULL, NULL, NULL), BP_OK);
    assert_int_equal(cuckoo_yes_of_random(s, &again, N), N);
    /* spread over all of it: a tag in each 64th */
    const bp_object *o = (const bp_object *)s;
    size_t used = 0;
    for (size_t i = 0; i < 64; i++) {
        const size_t slice = o->cells_size / 64;
        size_t j = 0;
        while (j < slice && !o->cells[i * slice + j])
            j++;
        used += j < slice;
    }
    assert_int_equal(used, 64);
    assert_true(cuckoo_yes_of_random(s, &seed, 1000000) < 60);
    assert_int_equal(bp_cuckoo_remove_hashes(s, h, N, NULL), N);
    assert_true(bp_cuckoo_fpr(s) == 0);
    bp_cuckoo_free(s);
    free(h);
}
