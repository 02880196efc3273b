/* SPDX-License-Identifier: MIT
 * ribbon_state.h - what a ribbon filter knows, and which equation a key is: shared by
 * the questions (ribbon.c) and the building (ribbon_build.c, ribbon_size.c). */
#ifndef BP_RIBBON_STATE_H
#define BP_RIBBON_STATE_H

#include "core/object.h"

#include <ballpark/ribbon.h>

enum {
    RIBBON_BLOCK = 64, /* slots of which a column is one word              */
    RIBBON_LAYERS = 3, /* those that bump, and the last, homogeneous       */
    RIBBON_LAST = RIBBON_LAYERS - 1,
    RIBBON_COLUMNS_MAX = 31, /* a rate of 1e-9 takes 30, and less than one more */
    RIBBON_BUMPED_PART = 8,  /* a layer bumps at most one key in so many         */
    RIBBON_SEEDS = 16        /* attempts, at most */
};
#define RIBBON_ITEMS_MAX (UINT64_C(1) << 40)
#define RIBBON_BLOCKS_MAX (UINT64_C(1) << 35)
#define RIBBON_FPR_MIN 1e-9
#define RIBBON_FPR_MAX 0.5

/* What is stored. A set of no keys has no blocks. */
typedef struct ribbon_design {
    double fpr;                     /* asked for */
    uint64_t items;                 /* different hashes */
    uint64_t blocks[RIBBON_LAYERS]; /* 0: the layer is not there */
    uint32_t share;                 /* of the places a key can begin, in units of
                                     * 2^-32: those with one column less          */
    uint32_t columns;
    uint32_t width;
    uint32_t seed; /* the attempt that succeeded */
    bool compact;
} ribbon_design;

typedef struct ribbon_head {
    bp_head base;
    ribbon_design design;
    uint64_t most; /* keys there is room for in the caller's memory; 0: not said */
} ribbon_head;

/* --------------------------------------------------------------------- a key's words */

/* What is mixed of a hash. */
static BP_ALWAYS_INLINE uint64_t ribbon_seeded(uint64_t h, uint32_t seed)
{
    return h ^ seed * UINT64_C(0xA24BAED4963EE407);
}

/* So that its high bits depend on all of it, and once more for the layer after one that
 * bumped it. Each step can be undone: different hashes stay so. */
static BP_ALWAYS_INLINE uint64_t ribbon_mix(uint64_t h)
{
    return (h ^ h >> 32) * UINT64_C(0x9E3779B97F4A7C15);
}

/* The coefficients of the 64 slots from where a key begins; of the first it is 1. */
static BP_ALWAYS_INLINE uint64_t ribbon_low(uint64_t x)
{
    const uint64_t y = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return y ^ y >> 32;
}

/* Of the 64 slots behind them, from what ribbon_low answered. */
static BP_ALWAYS_INLINE uint64_t ribbon_high(uint64_t y)
{
    const uint64_t z = y * UINT64_C(0xC2B2AE3D27D4EB4F);
    return z ^ z >> 32;
}

/* The fingerprint, from what ribbon_low answered: one bit a column. */
static BP_ALWAYS_INLINE uint32_t ribbon_mark(uint64_t y)
{
    return (uint32_t)(y * UINT64_C(0x9FB21C651E98DF25) >> 32);
}

/* ------------------------------------------------------------------------- the cells */

/* A layer: `blocks` of 64 slots, then, unless it is the last, its bumps. A block is a
 * word for each of its columns, bit i of which is slot i's. */
typedef struct ribbon_layer {
    const uint8_t *words;
    const uint8_t *bumps; /* NULL: nothing is bumped, and fingerprints are 0 */
    uint64_t starts;      /* slots that a key can begin at; 0: no such layer */
    uint64_t lower;       /* blocks with one column less: the first ones     */
} ribbon_layer;

static inline uint64_t ribbon_starts(const ribbon_design *d, uint64_t blocks)
{
    return blocks ? (blocks - d->width / RIBBON_BLOCK) * RIBBON_BLOCK : 0;
}

static inline uint64_t ribbon_lower(const ribbon_design *d, uint64_t blocks)
{
    return bp_range((uint64_t)d->share << 32, ribbon_starts(d, blocks) / RIBBON_BLOCK);
}

static inline uint64_t ribbon_words(const ribbon_design *d, uint64_t blocks)
{
    return blocks * d->columns - ribbon_lower(d, blocks);
}

/* Keys are bumped by the bucket of 2 * width slots that they begin in, if they begin
 * among the first so many of it: two bits a bucket say how many. */
static inline uint64_t ribbon_bump_bytes(const ribbon_design *d, uint64_t blocks)
{
    const uint64_t buckets = blocks * RIBBON_BLOCK / (2 * d->width) + 1;
    return bp_round_up(buckets, 32) / 4;
}

static BP_ALWAYS_INLINE uint32_t ribbon_bump(uint32_t which, uint32_t width)
{
    return which == 0   ? 0
           : which == 1 ? width / 4
           : which == 2 ? 3 * width / 4
                        : 2 * width;
}

static inline uint64_t ribbon_layer_bytes(const ribbon_design *d, uint32_t layer)
{
    const uint64_t blocks = d->blocks[layer];
    if (blocks == 0)
        return 0;
    return 8 * ribbon_words(d, blocks) +
           (layer < RIBBON_LAST ? ribbon_bump_bytes(d, blocks) : 0);
}

/* Where a layer is among the cells; of RIBBON_LAYERS, all of them. */
static inline uint64_t ribbon_offset(const ribbon_design *d, uint32_t layer)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < layer; i++)
        sum += ribbon_layer_bytes(d, i);
    return sum;
}

static inline uint64_t ribbon_bytes(const ribbon_design *d)
{
    return ribbon_offset(d, RIBBON_LAYERS);
}

static inline ribbon_layer ribbon_layer_of(const ribbon_design *d, const uint8_t *cells,
                                           uint32_t layer)
{
    const uint64_t blocks = d->blocks[layer];
    cells += ribbon_offset(d, layer);
    return (ribbon_layer){
        cells, layer < RIBBON_LAST ? cells + 8 * ribbon_words(d, blocks) : NULL,
        ribbon_starts(d, blocks), ribbon_lower(d, blocks)};
}

/* The first word of a block. */
static BP_ALWAYS_INLINE uint64_t ribbon_base(uint64_t block, uint64_t lower,
                                             uint32_t columns)
{
    return block * columns - (block < lower ? block : lower);
}

/* Is the key that begins at `start` bumped? */
static BP_ALWAYS_INLINE bool ribbon_is_bumped(const uint8_t *bumps, uint64_t start,
                                              uint32_t width)
{
    const uint64_t bucket = start / (2 * width);
    const uint32_t which = bumps[bucket / 4] >> bucket % 4 * 2 & 3;
    return start % (2 * width) < ribbon_bump(which, width);
}

/* -------------------------------------------------------------------------- building */

/* ribbon_size.c: columns and share for the rate asked for; `excess`, of that rate, is
 * left for strangers that are sums of keys. */
BP_INTERNAL void bp_ribbon_set_columns(ribbon_design *d, bool bumps);
BP_INTERNAL double bp_ribbon_excess(const ribbon_design *d, bool bumps);
/* Blocks of a homogeneous layer of n keys, and of one that bumps. */
BP_INTERNAL uint64_t bp_ribbon_blocks(const ribbon_design *d, uint64_t n);
BP_INTERNAL uint64_t bp_ribbon_bumping_blocks(const ribbon_design *d, uint64_t n);
/* Bytes of cells of the largest filter that up to n keys may need. */
BP_INTERNAL uint64_t bp_ribbon_most_bytes(const ribbon_design *d, uint64_t n);

/* ribbon_build.c: makes o the filter of n keys, or of n hashes where keys is NULL. */
BP_INTERNAL bp_status bp_ribbon_build_from(bp_object *o, const bp_bytes *keys,
                                           const uint64_t *hashes, size_t n,
                                           void *scratch, size_t size, bp_detail *why);
BP_INTERNAL size_t bp_ribbon_scratch_of(const ribbon_design *d, size_t n);

#endif
