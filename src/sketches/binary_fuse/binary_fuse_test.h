/* SPDX-License-Identifier: MIT
 * binary_fuse_test.h - the tests of the binary_fuse suite that live in other files than
 * its list, and what they share. Test code only. */
#ifndef BP_BINARY_FUSE_TEST_H
#define BP_BINARY_FUSE_TEST_H

#include "suite.h"
#include "harness.h"

#include "core/rng.h"

/* A filter of the next n hashes of the stream *state (SplitMix64); fails the test when
 * that fails. */
bp_binary_fuse *fuse_make_random(bp_binary_fuse_config cfg, uint64_t *state, size_t n);
/* How many of the next n hashes of the stream are answered yes. */
uint64_t fuse_yes_of_random(const bp_binary_fuse *s, uint64_t *state, uint64_t n);

uint64_t *fuse_random_hashes(uint64_t *state, size_t n);
void fuse_same_bytes(const bp_binary_fuse *a, const bp_binary_fuse *b);
/* Where the encoded bytes b have the cells of a hash, the fourth also where there is
 * none; and its fingerprint. */
uint32_t fuse_find_by_hand(const uint8_t *b, uint64_t h, uint64_t at[4]);

/* binary_fuse_shards_test.c */
void shards_that_were_built_apart_are_joined_to_the_same_bytes(void **state);
void shards_with_no_keys_or_with_all_of_them_are_no_trouble(void **state);
void shards_that_do_not_go_together_are_refused(void **state);
void tables_that_encode_would_not_write_are_refused(void **state);
void shards_past_two_to_the_32_cells_are_asked_in_place(void **state);

/* binary_fuse_accuracy_test.c */
void strangers_are_taken_for_keys_once_in_two_to_the_bits(void **state);
void a_fuse_rate_three_percent_off_would_be_caught(void **state);
void fingerprints_of_strangers_are_uniform(void **state);
void bits_a_key_are_those_that_are_stated(void **state);

#endif
