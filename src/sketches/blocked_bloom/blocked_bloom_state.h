/* SPDX-License-Identifier: MIT
 * blocked_bloom_state.h - what a blocked Bloom filter knows, shared by its arithmetic
 * (blocked_bloom_size.c), its counts (blocked_bloom_fill.c) and its bits
 * (blocked_bloom.c). */
#ifndef BP_BLOCKED_BLOOM_STATE_H
#define BP_BLOCKED_BLOOM_STATE_H

#include "core/object.h"

#include <ballpark/blocked_bloom.h>

enum { BLOCKED_WORDS_MAX = 8 };

/* All that is stored. The rate is what follows from it. */
typedef struct blocked_design {
    uint64_t blocks;
    uint64_t items;
    uint32_t layout; /* never BP_BLOCKED_BLOOM_DEFAULT */
    uint32_t hashes;
} blocked_design;

typedef struct blocked_head {
    bp_head base;
    blocked_design design;
} blocked_head;

/* The lanes of a block, one bit a key in each: 64-bit words, of which the first 2 * pairs
 * are joined to lanes of 128 bits, or the first `halved` cut into lanes of 32. */
typedef struct blocked_shape {
    uint32_t words;
    uint32_t pairs;
    uint32_t halved;
} blocked_shape;

static BP_ALWAYS_INLINE blocked_shape blocked_shape_of(uint32_t layout, uint32_t hashes)
{
    if (layout == BP_BLOCKED_BLOOM_SPLIT256)
        return (blocked_shape){4, 0, 4};
    return hashes < 8 ? (blocked_shape){8, 8 - hashes, 0}
                      : (blocked_shape){8, 0, hashes - 8};
}

/* Lanes of 128, 64 and 32 bits. */
static inline void blocked_lanes(const blocked_shape *s, uint32_t lanes[3])
{
    lanes[0] = s->pairs;
    lanes[1] = s->words - 2 * s->pairs - s->halved;
    lanes[2] = 2 * s->halved;
}

static inline uint32_t blocked_block_size(uint32_t layout)
{
    return layout == BP_BLOCKED_BLOOM_SPLIT256 ? 32 : 64;
}

/* Solves cfg; BP_PARAM says what is contradictory or out of range. */
BP_INTERNAL bp_status bp_blocked_solve(const bp_blocked_bloom_config *cfg,
                                       blocked_design *d, bp_detail *why);
/* BP_OK when d is one that bp_blocked_solve could have answered; why->at is where among
 * the encoded parameters the one at fault stands. */
BP_INTERNAL bp_status bp_blocked_check_design(const blocked_design *d, bp_detail *why);
/* The false positive rate with d->items in it. */
BP_INTERNAL double bp_blocked_design_rate(const blocked_design *d);

/* What the bits of a filter say: how many are set, and the chance that a stranger finds
 * all of its own set. */
typedef struct blocked_fill {
    uint64_t set;
    double rate;
} blocked_fill;

/* The keys that left `set` bits set, and bounds. */
BP_INTERNAL void bp_blocked_estimate(const blocked_design *d, uint64_t set,
                                     double confidence, bp_estimate *out);
/* The rate from the fill, or from collisions of the hash where those are more. */
BP_INTERNAL double bp_blocked_rate_now(const blocked_design *d, const blocked_fill *f);

#endif
