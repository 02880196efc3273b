/* SPDX-License-Identifier: MIT
 * top_k_test.h - what the files of top-k's tests share. Test code only. */
#ifndef BP_TOP_K_TEST_H
#define BP_TOP_K_TEST_H

#include "suite.h"
#include "harness.h"

#include "compound/top_k/top_k_state.h"
#include "core/rng.h"

#include <string.h>

static inline bp_top_k *top_k_make(bp_top_k_config cfg)
{
    bp_top_k *s = NULL;
    bp_detail why = {BP_OK, "", 0, 0, 0};
    if (bp_top_k_new(&s, &cfg, &why))
        fail_msg("new: %s", why.what);
    return s;
}

static inline void top_k_add(bp_top_k *s, const void *key, size_t n, uint64_t by)
{
    assert_int_equal(bp_top_k_add(s, key, n, by), BP_OK);
}

static inline void top_k_add_u64(bp_top_k *s, uint64_t key, uint64_t by)
{
    uint8_t bytes[8];
    bp_store64(bytes, key);
    top_k_add(s, bytes, 8, by);
}

static inline bp_top_k_item top_k_ask(const bp_top_k *s, const void *key, size_t n,
                                      double confidence)
{
    bp_top_k_item item;
    assert_int_equal(bp_top_k_bounds(s, key, n, confidence, &item, NULL), BP_OK);
    return item;
}

static inline bp_buf top_k_bytes(const bp_top_k *s)
{
    return bp_encoded((const bp_any *)s);
}

/* Both encode to the same bytes; frees neither. */
static inline void top_k_same(const bp_top_k *a, const bp_top_k *b)
{
    bp_buf x = top_k_bytes(a), y = top_k_bytes(b);
    assert_int_equal(x.n, y.n);
    assert_memory_equal(x.p, y.p, x.n);
    bp_buf_free(&x);
    bp_buf_free(&y);
}

/* Ranks 1 .. n with probability proportional to rank^-s, by binary search. */
typedef struct zipf {
    double *cumulated;
    size_t n;
} zipf;
zipf zipf_make(double s, size_t n);
void zipf_free(zipf *z);
uint64_t zipf_next(const zipf *z, uint64_t *rng);

/* top_k_accuracy_test.c */
void upper_bounds_are_certain_and_so_is_what_was_counted(void **state);
void an_estimator_three_percent_low_is_caught(void **state);
void recall_is_at_least_that_of_a_count_min_with_a_heap(void **state);
void items_in_ten_rounds_are_ranked_as_published(void **state);
void a_flat_stream_has_no_heavy_hitters_and_a_steep_one_has(void **state);
void lower_bounds_of_a_chosen_key_hold_at_their_confidence(void **state);
void merged_shards_keep_their_bounds_and_find_the_heavy_keys(void **state);

/* top_k_bytes_test.c */
void a_list_that_no_sketch_writes_is_refused(void **state);
void a_table_that_no_sketch_writes_is_refused(void **state);
void a_decoded_sketch_goes_on_as_the_original_does(void **state);
void the_bytes_of_a_list_do_not_depend_on_the_order_of_adds(void **state);
void keyed_sketches_merge_without_their_key(void **state);
void positions_and_bytes_are_those_of_the_vectors(void **state);

/* top_k_parts_test.c */
void slots_find_what_is_in_them_whatever_comes_and_goes(void **state);
void sorting_and_choosing_agree_with_a_plain_search(void **state);
void counting_up_to_a_limit_equals_counting_one_by_one(void **state);

#endif
