/* SPDX-License-Identifier: MIT
 * ribbon_test.h - the tests of the ribbon suite that live in other files than
 * its list, and what they share. Test code only. */
#ifndef BP_RIBBON_TEST_H
#define BP_RIBBON_TEST_H

#include "suite.h"
#include "harness.h"

#include "core/rng.h"

/* A filter of the next n hashes of the stream *state (SplitMix64); fails the test when
 * that fails. */
bp_ribbon *ribbon_make_random(bp_ribbon_config cfg, uint64_t *state, size_t n);
/* How many of the next n hashes of the stream are answered yes. */
uint64_t ribbon_yes_of_random(const bp_ribbon *s, uint64_t *state, uint64_t n);

/* What the columns of encoded bytes add up to for a hash, less its fingerprint: 0 is yes.
 * *columns: how many there are where it begins. */
uint32_t ribbon_by_hand(const uint8_t *bytes, uint64_t hash, uint32_t *columns);

/* ribbon_accuracy_test.c */
void rates_asked_for_are_met(void **state);
void a_ribbon_rate_three_percent_off_would_be_caught(void **state);
void columns_of_strangers_are_uniform(void **state);
void bits_a_key_of_ribbons_are_those_that_are_stated(void **state);

#endif
