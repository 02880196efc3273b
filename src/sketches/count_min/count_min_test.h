/* SPDX-License-Identifier: MIT
 * count_min_test.h - the tests of the count_min suite that live in another file than its
 * list, and what they share. Test code only. */
#ifndef BP_COUNT_MIN_TEST_H
#define BP_COUNT_MIN_TEST_H

#include "suite.h"
#include "harness.h"

#include "sketches/count_min/count_min_state.h"

#include "core/rng.h"

/* Makes a sketch; fails the test when that fails. */
bp_count_min *count_min_make(bp_count_min_config cfg);
/* Adds and asks by the 8 bytes of a whole number. */
uint64_t count_min_add_u64(bp_count_min *s, uint64_t key, uint64_t by);
uint64_t count_min_count_u64(const bp_count_min *s, uint64_t key);
/* Keys and weights from a seed. */
void count_min_add_some(bp_count_min *s, uint64_t seed, int n);
/* The encoded bytes; bp_buf_free them. Both encode to the same. */
bp_buf count_min_bytes(const bp_count_min *s);
void count_min_same(const bp_count_min *a, const bp_count_min *b);

/* Every update rule, counter and loop there is. */
enum { COUNT_MIN_SHAPES = 12 };
extern const bp_count_min_config count_min_shapes[COUNT_MIN_SHAPES];

/* count_min_bytes_test.c */
void many_threads_add_what_one_would(void **state);
void no_add_is_lost_on_a_counter_that_all_raise(void **state);
void impossible_parameters_are_refused_where_they_are(void **state);
void a_view_at_any_address_answers_as_the_sketch(void **state);
void tables_beyond_two_to_the_32_counters_are_right(void **state);
void place_works_in_the_callers_memory(void **state);

/* count_min_accuracy_test.c */
void counts_exceed_epsilon_total_at_most_delta_of_the_time(void **state);
void one_row_fewer_would_be_caught(void **state);
void lower_bounds_hold_at_their_confidence(void **state);
void a_bound_three_percent_off_would_be_caught(void **state);
void double_hashing_would_break_delta(void **state);
void the_bookstore_counts_views_within_the_bound(void **state);
void items_in_ten_rounds_rank_and_err_as_published(void **state);
void the_table_in_class_reads_two_one_and_perhaps_one(void **state);

#endif
