/* SPDX-License-Identifier: MIT
 * bloom_test.h - the tests of the bloom suite that live in other files than its list,
 * and what they share. Test code only. */
#ifndef BP_BLOOM_TEST_H
#define BP_BLOOM_TEST_H

#include "suite.h"
#include "harness.h"

#include "core/rng.h"

/* Makes a filter; fails the test when that fails. */
bp_bloom *bloom_make(bp_bloom_config cfg);
/* Adds n hashes of the stream *state (SplitMix64): hashes, so that tests on millions of
 * keys cost no hashing; that hashes equal keys is a law of its own. */
void bloom_add_random(bp_bloom *s, uint64_t *state, uint64_t n);
/* How many of the next n hashes of the stream are answered yes. */
uint64_t bloom_yes_of_random(const bp_bloom *s, uint64_t *state, uint64_t n);

/* bloom_size_test.c */
void the_sizes_of_the_literature_are_exact(void **state);
void rate_and_fill_follow_the_formula_past_capacity(void **state);
void whole_number_sizing_agrees_with_floating_point(void **state);
void what_is_given_decides_the_rest(void **state);
void size_and_config_of_make_the_same_filter_again(void **state);
void contradictions_and_ranges_are_refused_in_words(void **state);

/* bloom_accuracy_test.c */
void false_positives_come_at_the_published_rate(void **state);
void two_terms_would_miss_the_rate_of_small_filters(void **state);
void a_rate_three_percent_off_would_be_caught(void **state);
void overfull_filters_fill_and_err_as_predicted(void **state);
void estimates_are_unbiased_and_their_bounds_hold(void **state);
void an_estimate_three_percent_off_would_be_caught(void **state);
void the_bookstore_keeps_every_address_and_says_when_it_is_over(void **state);
void filters_beyond_two_to_the_32_bits_are_right(void **state);

#endif
