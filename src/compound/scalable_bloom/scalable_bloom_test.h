/* SPDX-License-Identifier: MIT
 * scalable_bloom_test.h - the tests of the scalable_bloom suite that live in other files
 * than its list, and what they share. Test code only. */
#ifndef BP_SCALABLE_BLOOM_TEST_H
#define BP_SCALABLE_BLOOM_TEST_H

#include "suite.h"
#include "harness.h"

#include "core/rng.h"

/* Makes a filter; fails the test when that fails. */
bp_scalable_bloom *scalable_make_test(bp_scalable_bloom_config cfg);
/* Adds n hashes of the stream *state (SplitMix64); returns how many were new. */
uint64_t scalable_add_random(bp_scalable_bloom *s, uint64_t *state, uint64_t n);
/* How many of the next n hashes of the stream are answered yes. */
uint64_t scalable_yes_of_random(const bp_scalable_bloom *s, uint64_t *state, uint64_t n);
/* What a layer errs, by its size and the keys it took. */
double scalable_formula(const bp_scalable_bloom_layer *l);

/* scalable_bloom_series_test.c */
void layers_grow_and_tighten_as_configured(void **state);
void the_formulas_of_all_layers_add_up_to_less_than_was_asked(void **state);
void a_limited_filter_shares_the_whole_rate_out(void **state);
void a_blocked_layer_gives_way_to_a_classic_one_below_its_least_rate(void **state);
void the_series_of_redisbloom_is_that_of_its_replies(void **state);
void the_series_of_redisbloom_agrees_with_floating_point(void **state);
void configurations_out_of_range_are_refused_in_words(void **state);

/* scalable_bloom_bytes_test.c */
void bytes_of_layers_that_encode_would_not_write_are_refused(void **state);
void a_layer_can_be_cut_out_and_asked_alone(void **state);
void a_view_asks_the_layers_where_they_lie(void **state);
void an_unverified_view_of_any_bits_is_safe(void **state);
void layers_and_bytes_are_those_of_the_vectors(void **state);

/* scalable_bloom_accuracy_test.c */
void a_thousand_times_the_first_capacity_keeps_the_rate(void **state);
void a_rate_of_layers_three_percent_off_would_be_caught(void **state);
void estimates_of_layers_are_unbiased_and_their_bounds_hold(void **state);
void an_estimate_of_layers_three_percent_off_would_be_caught(void **state);

#endif
