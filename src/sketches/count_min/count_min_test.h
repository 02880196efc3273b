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
