/* SPDX-License-Identifier: MIT
 * hll_test.h - what the three files of HyperLogLog's tests share. */
#ifndef BP_HLL_TEST_H
#define BP_HLL_TEST_H

#include "suite.h"

#include "sketches/hll/hll_state.h"

#include "harness.h"

static inline bp_hll *make(unsigned p, bool dense)
{
    bp_hll *s;
    const bp_hll_config cfg = {.precision = p, .dense = dense};
    assert_int_equal(bp_hll_new(&s, &cfg, NULL), BP_OK);
    return s;
}

static inline void add(bp_hll *s, uint64_t first, size_t n)
{
    assert_int_equal(bp_add_range((bp_any *)s, first, n), BP_OK);
}

static inline bp_buf bytes_of(const bp_hll *s)
{
    return bp_encoded((const bp_any *)s);
}

static inline void expect_same(const bp_hll *a, const bp_hll *b)
{
    bp_buf x = bytes_of(a), y = bytes_of(b);
    assert_int_equal(x.n, y.n);
    assert_memory_equal(x.p, y.p, x.n);
    bp_buf_free(&x);
    bp_buf_free(&y);
}

static inline double value_of(const bp_hll *s)
{
    bp_estimate e;
    assert_int_equal(bp_hll_estimate(s, 0.95, &e, NULL), BP_OK);
    assert_true(e.lower <= e.value && e.value <= e.upper);
    return e.value;
}

static inline unsigned form_of(const bp_hll *s)
{
    return ((const bp_hll_head *)((const bp_object *)s)->head)->form;
}

/* hll_bytes_test.c */
void a_sketch_of_5_keys_takes_under_300_bytes(void **state);
void without_memory_nothing_is_lost(void **state);
void merging_and_folding_without_memory_change_nothing(void **state);
void a_placed_sketch_grows_in_the_callers_memory_alone(void **state);
void views_of_both_forms_answer_as_the_sketch_does(void **state);
void unverified_garbage_is_safe_and_stays_where_it_is(void **state);
void bytes_that_no_sketch_writes_are_refused(void **state);
void a_history_flag_of_a_later_version_is_read_past(void **state);
void without_its_key_a_sketch_estimates_and_merges_but_takes_no_keys(void **state);

/* hll_accuracy_test.c */
void streams_keep_bias_error_and_coverage(void **state);
void dense_sketches_cover_at_few_keys(void **state);
void simulated_registers_keep_bias_error_and_coverage(void **state);
void other_confidences_cover_too(void **state);
void an_estimator_3_percent_wrong_is_caught(void **state);
void ranges_twice_or_half_as_wide_are_caught(void **state);
void variance_formula_follows_the_delta_method(void **state);
void tokens_are_far_better_than_registers(void **state);
void spread_over_20_seeds_matches_the_standard_error(void **state);
void monday_and_tuesday_merge_to_their_union(void **state);
void overlapping_shards_merge_to_250000(void **state);

#endif
