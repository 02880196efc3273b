/* SPDX-License-Identifier: MIT
 * bloom_state.h - what a Bloom filter knows, shared by its arithmetic (bloom_size.c)
 * and its bits (bloom.c). */
#ifndef BP_BLOOM_STATE_H
#define BP_BLOOM_STATE_H

#include "core/core.h"

#include <ballpark/bloom.h>

/* The four numbers of a filter, after whichever were given have been solved for the
 * rest. fpr is the rate that was asked for, or 0 when it follows from the other three:
 * a computed rate is never stored, because libm may differ in its last bit. */
typedef struct bloom_design {
    uint64_t bits;
    uint64_t items;
    double fpr;
    uint32_t hashes;
} bloom_design;

enum { BLOOM_HASHES_MAX = 64 };
#define BLOOM_BITS_MAX (UINT64_C(1) << 56)
#define BLOOM_ITEMS_MAX (UINT64_C(1) << 62)

/* Solves cfg; BP_PARAM says what is contradictory or out of range. */
BP_INTERNAL bp_status bp_bloom_solve(const bp_bloom_config *cfg, bloom_design *d,
                                     bp_detail *why);
/* BP_OK when d is one that bp_bloom_solve could have answered. */
BP_INTERNAL bp_status bp_bloom_check_design(const bloom_design *d, bp_detail *why);
/* The false positive rate with d->items in it. */
BP_INTERNAL double bp_bloom_design_rate(const bloom_design *d);
/* Bytes of cells: the bits, rounded up to whole 8-byte words. */
BP_INTERNAL uint64_t bp_bloom_bytes(uint64_t bits);

#endif
