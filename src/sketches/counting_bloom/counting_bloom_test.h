/* SPDX-License-Identifier: MIT
 * counting_bloom_test.h - the tests of the counting_bloom suite that live in other files
 * than its list, and what they share. Test code only. */
#ifndef BP_COUNTING_BLOOM_TEST_H
#define BP_COUNTING_BLOOM_TEST_H

#include "suite.h"
#include "harness.h"

#include "core/rng.h"

/* Where the payload begins. */
enum { COUNTING_PAYLOAD = 128 };

/* Makes a filter; fails the test when that fails. */
bp_counting_bloom *counting_make(bp_counting_bloom_config cfg);
/* Every counter that is used or saturated, by describe. */
uint64_t counting_figure(const bp_counting_bloom *s, const char *name);

/* counting_bloom_model_test.c */
void random_adds_and_removes_do_what_plain_counters_do(void **state);
void a_member_is_found_whatever_happens_to_others(void **state);
void once_removed_keys_leave_no_trace(void **state);
void a_merge_adds_every_counter_up_to_15(void **state);
void it_answers_as_the_bloom_of_the_keys_that_are_still_in(void **state);

/* counting_bloom_accuracy_test.c */
void false_positives_of_what_is_left_come_at_the_published_rate(void **state);
void a_counting_rate_three_percent_off_would_be_caught(void **state);
void counters_beyond_two_to_the_32_are_right(void **state);

#endif
