/* SPDX-License-Identifier: MIT
 * cuckoo_test.h - the tests of the cuckoo suite that live in other files than its list,
 * and what they share. Test code only. */
#ifndef BP_CUCKOO_TEST_H
#define BP_CUCKOO_TEST_H

#include "suite.h"
#include "harness.h"

#include "core/rng.h"

/* Makes a filter; fails the test when that fails. */
bp_cuckoo *cuckoo_make(bp_cuckoo_config cfg);
/* The next n hashes of the stream *state (SplitMix64); free them. */
uint64_t *cuckoo_random(uint64_t *state, size_t n);
/* How many of the next n hashes of the stream are answered yes. */
uint64_t cuckoo_yes_of_random(const bp_cuckoo *s, uint64_t *state, uint64_t n);
uint64_t cuckoo_figure(const bp_cuckoo *s, const char *name);
bp_health cuckoo_health(const bp_cuckoo *s);

/* cuckoo_size_test.c */
void each_number_given_is_a_limit_that_holds(void **state);
void cuckoo_size_and_config_of_make_the_same_filter_again(void **state);
void what_cannot_be_had_is_refused_with_the_mend(void **state);
void bits_an_item_are_those_that_are_stated(void **state);

/* cuckoo_accuracy_test.c */
void cuckoo_strangers_are_taken_for_keys_at_the_stated_rate(void **state);
void a_cuckoo_rate_three_percent_off_would_be_caught(void **state);
void capacity_is_reached_without_a_refusal(void **state);
void the_first_refusal_comes_at_the_measured_load(void **state);
void filters_beyond_two_to_the_32_slots_are_right(void **state);

#endif
