/* SPDX-License-Identifier: MIT
 * top_k_parts_test.c - the mechanisms below top-k: slots, orders, counting to a limit. */
#include "compound/top_k/top_k_test.h"

#include "parts/order.h"

#include <stdlib.h>

/* Hashes whose homes are few, so that runs are long, and whose tags are few, too. */
static uint64_t few(uint64_t *rng)
{
    const uint64_t r = bp_rng_next(rng);
    return (r & 3) << 42 | (r >> 20 & 15);
}

static uint64_t of_ref(const void *ctx, uint64_t ref)
{
    return ((const uint64_t *)ctx)[ref];
}

/* Where `ref` is found, or the slots' number. */
static uint64_t seek(bp_slots s, uint64_t hash, uint64_t want)
{
    uint64_t ref, at = bp_slots_home(s, hash);
    for (; bp_slots_seek(s, hash, &at, &ref); at = (at + 1) & s.mask)
        if (ref == want)
            return at;
    return s.mask + 1;
}

static void check_slots(bp_slots s, const uint64_t *hashes, const bool *is_in, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint64_t at = seek(s, hashes[i], i);
        assert_true(is_in[i] == (at <= s.mask));
        const uint64_t home = bp_slots_home(s, hashes[i]);
        if (is_in[i] && at != home)
            assert_true(s.words[home] & BP_SLOT_CROWDED);
    }
}

void slots_find_what_is_in_them_whatever_comes_and_goes(void **state)
{
    (void)state;
    enum { REFS = 40, TURNS = 20000 };
    uint64_t rng = 1, hashes[REFS], words[64] = {0};
    bool is_in[REFS] = {false};
    const bp_slots s = {words, 63};
    for (size_t i = 0; i < REFS; i++)
        hashes[i] = few(&rng);
    for (int turn = 0; turn < TURNS; turn++) {
        const size_t i = (size_t)(bp_rng_next(&rng) % REFS);
        const uint64_t at = seek(s, hashes[i], i);
        if (!is_in[i])
            bp_slots_insert(s, hashes[i], i);
        else if (bp_rng_next(&rng) & 1)
            bp_slots_remove(s, at, hashes, of_ref);
        else {
            bp_slots_bring_home(s, hashes[i], at);
            check_slots(s, hashes, is_in, REFS);
            continue;
        }
        is_in[i] = !is_in[i];
        check_slots(s, hashes, is_in, REFS);
    }
}

static bool smaller(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return bp_load64(a) < bp_load64(b);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = bp_load64(a), y = bp_load64(b);
    return (x > y) - (x < y);
}

void sorting_and_choosing_agree_with_a_plain_search(void **state)
{
    (void)state;
    const bp_order order = {8, NULL, smaller};
    uint64_t rng = 2;
    for (size_t n = 0; n < 70; n++) {
        uint8_t have[70 * 8 + 1], want[70 * 8], best[70 * 8];
        uint8_t *odd = have + 1; /* elements need no alignment */
        for (size_t i = 0; i < n; i++)
            bp_store64(want + 8 * i, bp_rng_next(&rng) % 32);
        memcpy(odd, want, 8 * n);
        qsort(want, n, 8, by_value);
        for (size_t most = 0; most <= n + 1 && most <= 70; most++) {
            size_t kept = 0;
            for (size_t i = 0; i < n; i++)
                bp_order_offer(&order, best, most, &kept, odd + 8 * i);
            bp_order_sort(&order, best, kept);
            assert_int_equal(kept, most < n ? most : n);
            assert_memory_equal(best, want, 8 * kept);
        }
        bp_order_sort(&order, odd, n);
        assert_memory_equal(odd, want, 8 * n);
    }
}

/* What add_hashes_upto promises, by the other calls. */
static size_t one_by_one(bp_count_min *s, const uint64_t *hashes, size_t n,
                         const uint64_t *by, uint64_t most)
{
    for (size_t i = 0; i < n; i++) {
        const uint64_t w = by ? by[i] : 1;
        uint64_t count;
        bp_count_min_count_hashes(s, hashes + i, 1, &count);
        if (bp_add_sat64(count, w) > most)
            return i;
        bp_count_min_add_hashes(s, hashes + i, 1, &w, NULL);
    }
    return n;
}

static void check_upto(bp_count_min_config cfg, bool weighted)
{
    bp_count_min *a, *b;
    assert_int_equal(bp_count_min_new(&a, &cfg, NULL), BP_OK);
    assert_int_equal(bp_count_min_new(&b, &cfg, NULL), BP_OK);
    uint64_t rng = 3, hashes[200], by[200];
    for (uint64_t most = 0; most < 300; most++) {
        const size_t n = (size_t)(bp_rng_next(&rng) % 200);
        for (size_t i = 0; i < n; i++) {
            hashes[i] = bp_hash_u64(NULL, bp_rng_next(&rng) % 300);
            by[i] = bp_rng_next(&rng) % 4;
        }
        const size_t x =
            bp_count_min_add_hashes_upto(a, hashes, n, weighted ? by : NULL, most);
        assert_int_equal(x, one_by_one(b, hashes, n, weighted ? by : NULL, most));
    }
    bp_buf p = bp_encoded((const bp_any *)a), q = bp_encoded((const bp_any *)b);
    assert_true(bp_buf_equal(p, q));
    bp_buf_free(&p);
    bp_buf_free(&q);
    bp_count_min_free(a);
    bp_count_min_free(b);
}

void counting_up_to_a_limit_equals_counting_one_by_one(void **state)
{
    (void)state;
    for (uint32_t depth = 1; depth <= 6; depth++)
        for (int form = 0; form < 8; form++)
            check_upto((bp_count_min_config){.width = 37,
                                             .depth = depth,
                                             .counter_bits = form & 1 ? 64 : 32,
                                             .conservative = form & 2},
                       form & 4);
}
