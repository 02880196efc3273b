/* SPDX-License-Identifier: MIT
 * count_min_accuracy_test.c - how wrong Count-Min is, as hypothesis tests.
 *
 *   count > truth + epsilon * total   at most delta of the time
 *   lower > truth                     at most 1 - confidence of the time
 *
 * for a key chosen before looking, over seeds: each trial is a sketch with another seed
 * and one question, so that trials are independent. Markov's bound is worst when the
 * others are few and equal; so the streams are heavy keys of the same weight, just above
 * epsilon * total, and, where the bound is met with equality, a single key. That the
 * count is never below the truth is certain and tested as such in count_min_test.c. */
#include "sketches/count_min/count_min_test.h"

#include "accuracy/accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Fewer than 100 comparisons share the suite's rate of false alarms. */
#define ALARM (BP_ALARM_SUITE / 100)

static const double EULER = 2.71828182845904523536;

enum { ASKED = 1000000, WEIGHT = 1000, TRUTH = 7 };

/* A sketch whose stream is `heavy` keys of WEIGHT each and ASKED, TRUTH times. */
static bp_count_min *trial(bp_count_min_config cfg, uint64_t seed, uint64_t heavy)
{
    cfg.hash.seed = seed;
    bp_count_min *s = count_min_make(cfg);
    count_min_add_u64(s, ASKED, 4);
    for (uint64_t i = 0; i < heavy; i++)
        count_min_add_u64(s, i, WEIGHT);
    count_min_add_u64(s, ASKED, TRUTH - 4);
    return s;
}

/* In how many of n trials the count exceeded the truth by more than epsilon * total. */
static uint64_t exceeded(bp_count_min_config cfg, uint64_t n)
{
    const double epsilon = EULER / (double)cfg.width;
    /* as many keys as weigh more than epsilon * total each */
    const uint64_t heavy = (uint64_t)((double)(cfg.width - 1) / EULER);
    uint64_t k = 0;
    for (uint64_t seed = 1; seed <= n; seed++) {
        bp_count_min *s = trial(cfg, seed, heavy);
        const double over = (double)(count_min_count_u64(s, ASKED) - TRUTH);
        k += over > epsilon * (double)bp_count_min_total(s);
        bp_count_min_free(s);
    }
    return k;
}

void counts_exceed_epsilon_total_at_most_delta_of_the_time(void **state)
{
    (void)state;
    static const bp_count_min_config cfgs[] = {
        {.width = 28, .depth = 1},
        {.width = 28, .depth = 2},
        {.width = 28, .depth = 3, .conservative = true},
        {.width = 28, .depth = 5},
        {.width = 28, .depth = 5, .conservative = true},
        {.width = 28, .depth = 7, .counter_bits = 64},
        {.width = 8, .depth = 10},
        {.width = 272, .depth = 5},
    };
    for (size_t i = 0; i < sizeof cfgs / sizeof *cfgs; i++) {
        const double delta = exp(-(double)cfgs[i].depth);
        const uint64_t n =
            (cfgs[i].width > 100 ? 10000 : 40000) / (bp_test_quick ? 8 : 1);
        const uint64_t k = exceeded(cfgs[i], n);
        printf("          %4u x %-2u %-12s %.5f of the time, delta %.5f\n",
               (unsigned)cfgs[i].width, cfgs[i].depth,
               cfgs[i].conservative ? "conservative" : "plain", (double)k / (double)n,
               delta);
        assert_true(bp_rate_at_most(k, n, delta, ALARM));
    }
}

/* A table of 4 rows, held to the delta of 5. */
void one_row_fewer_would_be_caught(void **state)
{
    (void)state;
    const uint64_t n = 100000;
    const uint64_t k = exceeded((bp_count_min_config){.width = 272, .depth = 4}, n);
    assert_true(bp_rate_at_most(k, n, exp(-4), ALARM));
    assert_false(bp_rate_at_most(k, n, exp(-5), ALARM));
}

void lower_bounds_hold_at_their_confidence(void **state)
{
    (void)state;
    static const double confidences[] = {0.1, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999};
    enum { CONFIDENCES = sizeof confidences / sizeof *confidences };
    static const struct {
        bp_count_min_config cfg;
        uint64_t heavy;
    } cases[] = {{{.width = 28, .depth = 5}, 9},
                 {{.width = 28, .depth = 5, .conservative = true}, 30},
                 {{.width = 10, .depth = 2}, 1},
                 {{.width = 10, .depth = 3}, 4},
                 {{.width = 2, .depth = 8, .counter_bits = 64}, 1},
                 {{.width = 100, .depth = 1}, 50}};
    const uint64_t n = bp_test_quick ? 5000 : 30000;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t missed[CONFIDENCES] = {0};
        uint8_t key[8];
        bp_store64(key, ASKED);
        for (uint64_t seed = 1; seed <= n; seed++) {
            bp_count_min *s = trial(cases[i].cfg, seed, cases[i].heavy);
            for (size_t c = 0; c < CONFIDENCES; c++) {
                bp_estimate e;
                assert_int_equal(bp_count_min_bounds(s, key, 8, confidences[c], &e, NULL),
                                 BP_OK);
                assert_true(e.upper >= TRUTH && e.lower <= e.value);
                missed[c] += e.lower > TRUTH;
            }
            bp_count_min_free(s);
        }
        for (size_t c = 0; c < CONFIDENCES; c++)
            assert_true(bp_rate_at_most(missed[c], n, 1 - confidences[c], ALARM));
    }
}

/* Two counters in one row and one other key: half of the time it is in the way, whole.
 * At the confidence where a = 1.02 the range just reaches down to the truth. */
void a_bound_three_percent_off_would_be_caught(void **state)
{
    (void)state;
    const uint64_t n = 120000;
    const double confidence = 1 - 1 / (1.02 * 2);
    uint64_t missed = 0, narrow = 0, high = 0;
    for (uint64_t seed = 1; seed <= n; seed++) {
        bp_count_min *s = count_min_make(
            (bp_count_min_config){.width = 2, .depth = 1, .hash.seed = seed});
        bp_estimate e;
        count_min_add_u64(s, 1, 100000);
        assert_int_equal(
            bp_count_min_bounds(s, "\2\0\0\0\0\0\0\0", 8, confidence, &e, NULL), BP_OK);
        missed += e.lower > 0;
        narrow += e.value - 0.97 * 1.02 * 100000 > 0;
        high += 1.03 * e.value - 1.02 * 100000 > 0;
        bp_count_min_free(s);
    }
    assert_true(bp_rate_at_most(missed, n, 1 - confidence, ALARM));
    assert_false(bp_rate_at_most(narrow, n, 1 - confidence, ALARM));
    assert_false(bp_rate_at_most(high, n, 1 - confidence, ALARM));
}

/* --------------------------------------------------------------------- why this rule */

/* Cells of n keys when row i takes the word a + i b, b a second word of the hash. */
static void cells_by_double_hashing(const uint64_t *hashes, size_t n, uint64_t width,
                                    uint32_t depth, uint64_t *out)
{
    for (size_t k = 0; k < n; k++) {
        uint64_t a = hashes[k];
        const uint64_t b = bp_second(a) | 1;
        for (uint32_t i = 0; i < depth; i++, a += b)
            out[i * CM_BLOCK + k] = i * width + bp_range(a, width);
    }
}

/* In how many of n trials the last of 10 random keys meets one of the others in each of
 * 10 rows of 28. */
static uint64_t met(void (*cells_of)(const uint64_t *, size_t, uint64_t, uint32_t,
                                     uint64_t *),
                    uint64_t n)
{
    enum { WIDTH = 28, DEPTH = 10, HEAVY = 9 };
    static uint64_t cells[CM_BLOCK * CM_DEPTH_MAX];
    uint64_t rng = 11, total = 0, hashes[HEAVY + 1];
    for (uint64_t t = 0; t < n; t++) {
        for (int k = 0; k <= HEAVY; k++)
            hashes[k] = bp_rng_next(&rng);
        cells_of(hashes, HEAVY + 1, WIDTH, DEPTH, cells);
        uint32_t row = 0;
        for (bool hit = true; hit && row < DEPTH; row += hit) {
            const uint64_t *r = cells + row * CM_BLOCK;
            hit = false;
            for (int k = 0; k < HEAVY; k++)
                hit |= r[k] == r[HEAVY];
        }
        total += row == DEPTH;
    }
    return total;
}

void double_hashing_would_break_delta(void **state)
{
    (void)state;
    const uint64_t n = 1000000 / (bp_test_quick ? 8 : 1);
    const uint64_t ours = met(bp_count_min_cells, n);
    const uint64_t usual = met(cells_by_double_hashing, n);
    printf("          28 x 10, nine heavy keys: %.5f %%, double hashing %.5f %%, delta "
           "%.5f %%\n",
           100.0 * (double)ours / (double)n, 100.0 * (double)usual / (double)n,
           100 * exp(-10));
    assert_true(bp_rate_at_most(ours, n, exp(-10), ALARM));
    assert_false(bp_rate_at_most(usual, n, exp(-10), ALARM));
}

/* ------------------------------------------------------------------------- scenarios */

enum { BOOKS = 100000, VIEWS = 2000000 };

/* VIEWS views over books of popularity 1 / rank, as a book for each view. */
static uint32_t *make_views(uint32_t *truth)
{
    double *upto = (double *)malloc(BOOKS * sizeof *upto);
    uint32_t *views = (uint32_t *)malloc(VIEWS * sizeof *views);
    uint64_t rng = 2026;
    assert_true(upto && views);
    for (uint32_t i = 0; i < BOOKS; i++)
        upto[i] = (i ? upto[i - 1] : 0) + 1.0 / (i + 1);
    for (uint32_t v = 0; v < VIEWS; v++) {
        const double u = bp_rng_unit(&rng) * upto[BOOKS - 1];
        uint32_t low = 0, high = BOOKS - 1;
        while (low < high) {
            const uint32_t middle = (low + high) / 2;
            if (upto[middle] > u)
                high = middle;
            else
                low = middle + 1;
        }
        views[v] = low;
        truth[low]++;
    }
    free(upto);
    return views;
}

typedef struct errors {
    double mean;  /* over all books           */
    double rare;  /* over books viewed once   */
    double worst; /* of any                  */
} errors;

static errors browse(const uint32_t *views, const uint32_t *truth, bool conservative)
{
    bp_count_min *s = count_min_make((bp_count_min_config){
        .epsilon = 0.001, .delta = 0.01, .conservative = conservative});
    errors e = {0, 0, 0};
    uint64_t hashes[1000], once = 0;
    for (uint32_t v = 0; v < VIEWS; v += 1000) {
        for (uint32_t k = 0; k < 1000; k++)
            hashes[k] = bp_hash_u64(NULL, views[v + k]);
        bp_count_min_add_hashes(s, hashes, 1000, NULL, NULL);
    }
    assert_int_equal(bp_count_min_total(s), VIEWS);
    for (uint32_t i = 0; i < BOOKS; i++) {
        const uint64_t count = count_min_count_u64(s, i);
        assert_true(count >= truth[i]);
        const double over = (double)(count - truth[i]);
        e.mean += over / BOOKS;
        e.worst = over > e.worst ? over : e.worst;
        once += truth[i] == 1;
        e.rare += truth[i] == 1 ? (double)count : 0;
    }
    e.rare /= (double)once;
    bp_count_min_free(s);
    return e;
}

void the_bookstore_counts_views_within_the_bound(void **state)
{
    (void)state;
    uint32_t *truth = (uint32_t *)calloc(BOOKS, sizeof *truth);
    assert_non_null(truth);
    uint32_t *views = make_views(truth);
    const errors plain = browse(views, truth, false);
    const errors careful = browse(views, truth, true);
    printf("          plain: over by %.0f on average, %.0f at worst, once reads %.0f\n",
           plain.mean, plain.worst, plain.rare);
    printf("          conservative:  %.0f on average, %.0f at worst, once reads %.0f\n",
           careful.mean, careful.worst, careful.rare);
    assert_true(plain.worst < 2000 && careful.worst < 2000);
    assert_true(plain.mean > 150 && plain.mean < 250);
    assert_true(plain.rare > 100 && plain.rare < 250);
    assert_true(careful.mean < 0.6 * plain.mean && careful.rare < 0.65 * plain.rare);
    free(truth);
    free(views);
}

/* item:i comes floor(10000 / i) times, i = 1 .. 2000, a tenth in each of ten rounds. */
static bp_count_min *count_items(bool conservative)
{
    bp_count_min *s = count_min_make((bp_count_min_config){
        .epsilon = 0.005, .delta = 0.01, .conservative = conservative});
    char key[16];
    for (uint64_t round = 0; round < 10; round++)
        for (uint64_t i = 1; i <= 2000; i++) {
            const uint64_t c = 10000 / i;
            const int n = snprintf(key, sizeof key, "item:%u", (unsigned)i);
            bp_count_min_add(s, key, (size_t)n, c * (round + 1) / 10 - c * round / 10);
        }
    return s;
}

/* The mean excess of items that came 5 to 9 times; checks the bound and the top three. */
static double item_errors(bool conservative)
{
    bp_count_min *s = count_items(conservative);
    uint64_t best[4] = {UINT64_MAX, 0, 0, 0}, over = 0, tail = 0, rest = 0;
    char key[16];
    assert_int_equal(bp_count_min_total(s), 80835);
    for (uint64_t i = 1; i <= 2000; i++) {
        const int n = snprintf(key, sizeof key, "item:%u", (unsigned)i);
        const uint64_t count = bp_count_min_count(s, key, (size_t)n), c = 10000 / i;
        assert_true(count >= c && count - c <= 404);
        if (i <= 3)
            best[i] = count;
        else
            rest = count > rest ? count : rest;
        if (c <= 9) {
            over += count - c;
            tail++;
        }
    }
    assert_true(best[1] > best[2] && best[2] > best[3] && best[3] > rest);
    bp_count_min_free(s);
    return (double)over / (double)tail;
}

void items_in_ten_rounds_rank_and_err_as_published(void **state)
{
    (void)state;
    const double plain = item_errors(false), careful = item_errors(true);
    printf("          tail over by %.1f, conservative %.1f\n", plain, careful);
    assert_true(plain > 12 && plain < 25);
    assert_true(careful > 5 && careful < 13);
}

void the_table_in_class_reads_two_one_and_perhaps_one(void **state)
{
    (void)state;
    bp_count_min *s = count_min_make((bp_count_min_config){.width = 6, .depth = 3});
    assert_int_equal(bp_count_min_add(s, "a", 1, 1), 1);
    assert_int_equal(bp_count_min_add(s, "b", 1, 1), 1);
    assert_int_equal(bp_count_min_add(s, "a", 1, 1), 2);
    assert_int_equal(bp_count_min_count(s, "a", 1), 2);
    assert_int_equal(bp_count_min_count(s, "b", 1), 1);
    int zero = 0, one = 0;
    for (uint64_t never = 0; never < 1000; never++) {
        const uint64_t count = count_min_count_u64(s, never);
        assert_true(count <= 2);
        zero += count == 0;
        one += count == 1;
    }
    assert_true(zero > 800 && one > 5);
    bp_count_min_free(s);
}
