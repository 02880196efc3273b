/* SPDX-License-Identifier: MIT
 * bloom_state.h - what a Bloom filter knows, shared by its arithmetic (bloom_size.c)
 * and its bits (bloom.c). */
#ifndef BP_BLOOM_STATE_H
#define BP_BLOOM_STATE_H

#include "core/core.h"
#include "parts/probe_design.h"

#include <ballpark/bloom.h>

/* Solves cfg; BP_PARAM says what is contradictory or out of range. */
BP_INTERNAL bp_status bp_bloom_solve(const bp_bloom_config *cfg, bp_probe_design *d,
                                     bp_detail *why);
/* Bytes of cells: the bits, rounded up to whole 8-byte words. */
BP_INTERNAL uint64_t bp_bloom_bytes(uint64_t bits);

#endif
