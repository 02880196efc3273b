/* SPDX-License-Identifier: MIT
 * top_k_accuracy_test.c - how wrong top-k can be, as certain bounds, as hypothesis tests
 * and against published recall. */
#include "compound/top_k/top_k_test.h"

#include "accuracy/accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Fewer than 100 comparisons share the suite's rate of false alarms. */
#define ALARM (BP_ALARM_SUITE / 100)

zipf zipf_make(double s, size_t n)
{
    zipf z = {malloc(n * sizeof(double)), n};
    assert_non_null(z.cumulated);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        z.cumulated[i] = sum += pow((double)(i + 1), -s);
    return z;
}

void zipf_free(zipf *z)
{
    free(z->cumulated);
}

uint64_t zipf_next(const zipf *z, uint64_t *rng)
{
    const double u = bp_rng_unit(rng) * z->cumulated[z->n - 1];
    size_t low = 0, high = z->n - 1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (z->cumulated[middle] > u)
            high = middle;
        else
            low = middle + 1;
    }
    return low + 1;
}

/* A stream of n ranks, counted exactly in truth[1 .. universe]. */
typedef struct stream {
    uint64_t *ranks;
    size_t n;
    uint64_t *truth;
    size_t universe;
} stream;

static stream draw(double s, size_t universe, size_t n, uint64_t seed)
{
    stream x = {malloc(n * 8), n, calloc(universe + 1, 8), universe};
    assert_true(x.ranks && x.truth);
    zipf z = zipf_make(s, universe);
    for (size_t i = 0; i < n; i++)
        x.truth[x.ranks[i] = zipf_next(&z, &seed)]++;
    zipf_free(&z);
    return x;
}

static void stream_free(stream *x)
{
    free(x->ranks);
    free(x->truth);
}

static void pour(bp_top_k *s, const stream *x, size_t from, size_t end)
{
    uint8_t bytes[512][8];
    bp_bytes keys[512];
    for (size_t i = from; i < end;) {
        size_t m = 0;
        for (; m < 512 && i < end; m++, i++) {
            bp_store64(bytes[m], x->ranks[i]);
            keys[m] = (bp_bytes){bytes[m], 8};
        }
        assert_int_equal(bp_top_k_add_n(s, keys, m, NULL, NULL), BP_OK);
    }
}

static bp_top_k_item ask_rank(const bp_top_k *s, uint64_t rank, double confidence)
{
    uint8_t bytes[8];
    bp_store64(bytes, rank);
    return top_k_ask(s, bytes, 8, confidence);
}

/* Keys whose upper bound, times `scale`, is below the truth; or whose lower bound is
 * above it at a confidence so near 1 that only what is certain counts. */
static size_t violations(const bp_top_k *s, const stream *x, double scale)
{
    size_t n = 0;
    for (uint64_t r = 1; r <= x->universe; r++) {
        const bp_top_k_item item = ask_rank(s, r, 1 - 1e-15);
        const double truth = (double)x->truth[r];
        n += (double)item.upper * scale < truth || (double)item.lower > truth;
    }
    return n;
}

static const double shapes[] = {0, 1.0, 1.1, 1.5};

void upper_bounds_are_certain_and_so_is_what_was_counted(void **state)
{
    (void)state;
    static const uint64_t memories[] = {256, 4096, 65536, 1 << 20};
    for (size_t i = 0; i < 4; i++) {
        stream x = draw(shapes[i], 20000, bp_test_quick ? 50000 : 200000, 10 + i);
        for (size_t m = 0; m < 4; m++) {
            bp_top_k *s = top_k_make((bp_top_k_config){.k = 20, .memory = memories[m]});
            pour(s, &x, 0, x.n);
            assert_true(m == 0 || m == 3 ? bp_top_k_is_exact(s) == (m == 3) : true);
            assert_true(bp_top_k_total(s) == x.n);
            assert_int_equal(violations(s, &x, 1), 0);
            bp_top_k_free(s);
        }
        stream_free(&x);
    }
}

void an_estimator_three_percent_low_is_caught(void **state)
{
    (void)state;
    stream x = draw(1.1, 20000, 200000, 7);
    bp_top_k *s = top_k_make((bp_top_k_config){.k = 20, .memory = 4096});
    pour(s, &x, 0, x.n);
    assert_true(violations(s, &x, 0.97) > 0);
    bp_top_k_free(s);
    stream_free(&x);
}

static int falling(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x < y) - (x > y);
}

/* How many of the rows are among the k most frequent keys. */
static size_t recalled(bp_top_k *s, const stream *x, size_t k)
{
    uint64_t *sorted = malloc((x->universe + 1) * 8);
    assert_non_null(sorted);
    memcpy(sorted, x->truth, (x->universe + 1) * 8);
    qsort(sorted, x->universe + 1, 8, falling);
    const uint64_t kth = sorted[k - 1];
    free(sorted);
    bp_top_k_cursor c;
    bp_top_k_item item;
    size_t n = 0;
    assert_int_equal(bp_top_k_top(s, k, 0.95, &c, NULL), BP_OK);
    while (bp_top_k_next(s, &c, &item))
        n += x->truth[bp_load64(item.key.ptr)] >= kth;
    return n;
}

/* The top 100 of 3 million events over a million keys, at equal memory of the table,
 * where a conservative Count-Min with a heap was measured at `peer` of 100. Our 200
 * candidates come on top of the table's memory, as the peer's heap does. */
void recall_is_at_least_that_of_a_count_min_with_a_heap(void **state)
{
    (void)state;
    static const struct {
        double s;
        uint64_t memory;
        uint32_t depth;
        size_t peer;
    } rows[] = {{1.1, 8192, 2, 60},  {1.1, 32768, 2, 99},   {1.1, 131072, 2, 100},
                {1.0, 8192, 2, 56},  {1.0, 8192, 3, 56},    {1.0, 8192, 4, 56},
                {1.0, 32768, 2, 95}, {1.0, 131072, 2, 100}, {1.5, 8192, 2, 85},
                {1.5, 32768, 2, 100}};
    const size_t n = bp_test_quick ? 300000 : 3000000;
    double s_of = -1;
    stream x = {NULL, 0, NULL, 0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].s != s_of) {
            stream_free(&x);
            x = draw(s_of = rows[i].s, 1000000, n, 77);
        }
        bp_top_k *s = top_k_make((bp_top_k_config){
            .k = 100, .depth = rows[i].depth, .memory = rows[i].memory});
        pour(s, &x, 0, x.n);
        const size_t have = recalled(s, &x, 100);
        printf(
            "    recall, Zipf %.1f, %6u bytes in %u rows: %zu of 100 (the peer: %zu)\n",
            rows[i].s, (unsigned)rows[i].memory, (unsigned)rows[i].depth, have,
            rows[i].peer);
        assert_true(have >= (bp_test_quick ? 40 : rows[i].peer));
        bp_top_k_free(s);
    }
    stream_free(&x);
}

/* item:i comes floor(10,000 / i) times, i = 1 .. 2000, interleaved in 10 rounds. */
void items_in_ten_rounds_are_ranked_as_published(void **state)
{
    (void)state;
    bp_top_k *s = top_k_make((bp_top_k_config){.k = 3, .depth = 5, .memory = 544 * 40});
    for (uint64_t round = 0; round < 10; round++)
        for (uint64_t i = 1; i <= 2000; i++) {
            const uint64_t all = 10000 / i;
            char key[16];
            const int n = snprintf(key, sizeof key, "item:%u", (unsigned)i);
            top_k_add(s, key, (size_t)n, all * (round + 1) / 10 - all * round / 10);
        }
    assert_true(bp_top_k_total(s) == 80835);
    assert_false(bp_top_k_is_exact(s));
    bp_top_k_cursor c;
    bp_top_k_item item;
    assert_int_equal(bp_top_k_top(s, 0, 0.95, &c, NULL), BP_OK);
    for (uint64_t i = 1; i <= 3; i++) {
        char key[16];
        const int n = snprintf(key, sizeof key, "item:%u", (unsigned)i);
        assert_true(bp_top_k_next(s, &c, &item));
        assert_int_equal(item.key.len, n);
        assert_memory_equal(item.key.ptr, key, (size_t)n);
        assert_true(item.lower <= 10000 / i && 10000 / i <= item.upper);
        assert_true(item.upper - item.lower <= 404);
    }
    uint64_t over = 0, tail = 0;
    for (uint64_t i = 1001; i <= 2000; i++, tail++) {
        char key[16];
        const int n = snprintf(key, sizeof key, "item:%u", (unsigned)i);
        over += top_k_ask(s, key, (size_t)n, 0.95).upper - 10000 / i;
    }
    printf("    the tail is over by %.1f (a conservative Count-Min: about 9)\n",
           (double)over / (double)tail);
    assert_true(over <= 9 * tail);
    bp_top_k_free(s);
}

void a_flat_stream_has_no_heavy_hitters_and_a_steep_one_has(void **state)
{
    (void)state;
    const bp_top_k_config cfg = {.k = 10, .memory = 16384};
    for (size_t i = 0; i < 4; i++) {
        stream x = draw(shapes[i], 100000, 300000, 5);
        bp_top_k *s = top_k_make(cfg);
        assert_false(bp_top_k_verdict(s, 0.95)); /* nothing yet */
        pour(s, &x, 0, 100);
        assert_true(bp_top_k_verdict(s, 0.95)); /* exact */
        pour(s, &x, 100, x.n);
        assert_true(bp_top_k_verdict(s, 0.95) == (shapes[i] > 0));
        bp_description d;
        bp_top_k_describe(s, &d);
        assert_int_equal(d.health, shapes[i] > 0 ? BP_HEALTH_OK : BP_HEALTH_OVER);
        bp_top_k_free(s);
        stream_free(&x);
    }
}

/* One trial: a key chosen before looking, among keys that are too many to be candidates;
 * a narrow table, so that much is counted on top of it. */
static bp_top_k *trial(uint64_t seed, uint64_t memory, uint32_t depth)
{
    enum { KEYS = 400, ASKED = 123456, TRUTH = 4 };
    bp_top_k *s = top_k_make((bp_top_k_config){
        .hash = {.seed = seed}, .k = 1, .depth = depth, .memory = memory});
    uint64_t rng = seed;
    for (int i = 0; i < TRUTH; i++) {
        for (uint64_t k = 0; k < KEYS / TRUTH; k++)
            top_k_add_u64(s, bp_rng_next(&rng) % KEYS, 1 + bp_rng_next(&rng) % 50);
        top_k_add_u64(s, ASKED, 1);
    }
    return s;
}

static uint64_t above_truth(uint64_t n, uint32_t depth, double confidence,
                            double sabotage)
{
    uint64_t k = 0;
    for (uint64_t seed = 1; seed <= n; seed++) {
        bp_top_k *s = trial(seed, 256, depth);
        const bp_top_k_item item = ask_rank(s, 123456, confidence);
        /* what the lower bound would be were the error only `sabotage` of what it is */
        const double error = (double)(item.upper - item.lower) * sabotage;
        k += (double)item.upper - error > 4;
        bp_top_k_free(s);
    }
    return k;
}

/* In how many of n trials a row of the list had a lower bound above the truth. */
static uint64_t lists_above_truth(uint64_t n, double confidence)
{
    uint64_t k = 0;
    const size_t adds = bp_test_quick ? 500 : 2000;
    for (uint64_t seed = 1; seed <= n; seed++) {
        stream x = draw(1.0, 300, adds, seed);
        bp_top_k *s = top_k_make(
            (bp_top_k_config){.hash = {.seed = seed}, .k = 8, .depth = 2, .memory = 256});
        pour(s, &x, 0, x.n);
        bp_top_k_cursor c;
        bp_top_k_item item;
        assert_int_equal(bp_top_k_top(s, 0, confidence, &c, NULL), BP_OK);
        bool above = false;
        while (bp_top_k_next(s, &c, &item))
            above |= item.lower > x.truth[bp_load64(item.key.ptr)];
        k += above;
        bp_top_k_free(s);
        stream_free(&x);
    }
    return k;
}

void lower_bounds_of_a_chosen_key_hold_at_their_confidence(void **state)
{
    (void)state;
    static const double confidences[] = {0.5, 0.9, 0.99};
    const uint64_t n = bp_test_quick ? 400 : 4000;
    for (uint32_t depth = 1; depth <= 4; depth++)
        for (size_t i = 0; i < 3; i++)
            assert_true(bp_rate_at_most(above_truth(n, depth, confidences[i], 1), n,
                                        1 - confidences[i], ALARM));
    assert_false(bp_rate_at_most(above_truth(n, 2, 0.9, 0.1), n, 0.1, ALARM));
    for (size_t i = 0; i < 3; i++)
        assert_true(bp_rate_at_most(lists_above_truth(n / 4, confidences[i]), n / 4,
                                    1 - confidences[i], ALARM));
}

void merged_shards_keep_their_bounds_and_find_the_heavy_keys(void **state)
{
    (void)state;
    enum { SHARDS = 5 };
    for (size_t i = 1; i < 4; i++) {
        stream x = draw(shapes[i], 50000, bp_test_quick ? 100000 : 500000, 20 + i);
        const bp_top_k_config cfg = {.k = 50, .memory = 32768};
        bp_top_k *all = top_k_make(cfg);
        for (size_t j = 0; j < SHARDS; j++) {
            bp_top_k *shard = top_k_make(cfg);
            pour(shard, &x, x.n * j / SHARDS, x.n * (j + 1) / SHARDS);
            assert_int_equal(bp_top_k_merge(all, shard, NULL), BP_OK);
            bp_top_k_free(shard);
        }
        assert_true(bp_top_k_total(all) == x.n);
        assert_int_equal(violations(all, &x, 1), 0);
        const size_t have = recalled(all, &x, 50);
        printf("    recall of %d merged shards, Zipf %.1f: %zu of 50\n", SHARDS,
               shapes[i], have);
        assert_true(have >= 49);
        bp_top_k_free(all);
        stream_free(&x);
    }
}
