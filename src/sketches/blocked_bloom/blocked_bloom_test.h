/* SPDX-License-Identifier: MIT
 * blocked_bloom_test.h - the tests of the blocked_bloom suite that live in other files
 * than its list, and what they share. Test code only. */
#ifndef BP_BLOCKED_BLOOM_TEST_H
#define BP_BLOCKED_BLOOM_TEST_H

#include "suite.h"
#include "harness.h"

#include "core/rng.h"

/* Makes a filter; fails the test when that fails. */
bp_blocked_bloom *blocked_make(bp_blocked_bloom_config cfg);
/* What a configuration comes to; fails the test when it is refused. */
bp_blocked_bloom_config blocked_solved(bp_blocked_bloom_config cfg);
/* Adds n hashes of the stream *state (SplitMix64): hashes, so that tests on millions of
 * keys cost no hashing; that hashes equal keys is a law of its own. */
void blocked_add_random(bp_blocked_bloom *s, uint64_t *state, uint64_t n);
/* How many of the next n hashes of the stream are answered yes. */
uint64_t blocked_yes_of_random(const bp_blocked_bloom *s, uint64_t *state, uint64_t n);

/* blocked_bloom_size_test.c */
void bits_a_key_are_those_of_the_exact_sum(void **state);
void the_rate_is_the_sum_in_closed_form(void **state);
void the_usual_formula_would_err_half_as_often_again(void **state);
void what_is_given_decides_the_rest_of_a_blocked_filter(void **state);
void size_and_config_of_make_the_same_blocked_filter_again(void **state);
void rates_that_waste_memory_are_refused_with_advice(void **state);
void contradictions_of_blocks_are_refused_in_words(void **state);

/* blocked_bloom_accuracy_test.c */
void blocked_false_positives_come_at_the_exact_rate(void **state);
void a_blocked_rate_three_percent_off_would_be_caught(void **state);
void the_rate_now_is_that_of_strangers_asked(void **state);
void estimates_from_blocks_are_unbiased_and_their_bounds_hold(void **state);
void an_estimate_from_blocks_three_percent_off_would_be_caught(void **state);
void blocked_filters_beyond_two_to_the_32_bits_are_right(void **state);

/* blocked_bloom_fold_test.c */
void a_folded_filter_is_the_smaller_one_with_the_same_keys(void **state);
void a_filter_folds_to_divisors_of_its_blocks_alone(void **state);
void the_rate_measured_before_a_fold_is_not_said_of_the_folded(void **state);
void a_split256_is_parquets_filter_byte_for_byte(void **state);

#endif
