/* SPDX-License-Identifier: MIT
 * count_min_state.h - the table of a Count-Min sketch, between count_min_table.c, which
 * knows where keys go and how counters are raised, and count_min.c, which knows sketches.
 */
#ifndef BP_COUNT_MIN_STATE_H
#define BP_COUNT_MIN_STATE_H

#include "core/core.h"

/* Keys whose cells are computed together, before any of them is touched. */
enum { CM_BLOCK = 64, CM_DEPTH_MAX = 32 };

typedef struct cm_table {
    uint64_t width;
    uint32_t depth;
    bool wide; /* 64-bit counters */
    bool conservative;
    bool concurrent; /* counters are raised by compare-exchange and read relaxed */
} cm_table;

/* --------------------------------------------------------------------- one counter */

static BP_ALWAYS_INLINE size_t cm_size(bool wide)
{
    return wide ? 8 : 4;
}

/* Where a counter stays once it is there: "this or more". */
static BP_ALWAYS_INLINE uint64_t cm_most(bool wide)
{
    return wide ? UINT64_MAX : UINT32_MAX;
}

/* Saturation is rare enough for a branch. */
static BP_ALWAYS_INLINE uint64_t cm_raised(uint64_t c, uint64_t by, bool wide)
{
    return BP_UNLIKELY(by > cm_most(wide) - c) ? cm_most(wide) : c + by;
}

/* Counters lie at any address in a view. */
static BP_ALWAYS_INLINE uint64_t cm_load(const uint8_t *p, bool wide)
{
    return wide ? bp_load64(p) : bp_load32(p);
}

static BP_ALWAYS_INLINE void cm_store(uint8_t *p, bool wide, uint64_t c)
{
    if (wide)
        bp_store64(p, c);
    else
        bp_store32(p, (uint32_t)c);
}

static BP_ALWAYS_INLINE uint64_t cm_load_shared(const uint8_t *p, bool wide)
{
    if (wide)
        return bp_le64(BP_LOAD_RELAXED((const uint64_t *)(const void *)p));
    return bp_le32(BP_LOAD_RELAXED((const uint32_t *)(const void *)p));
}

/* ----------------------------------------------------------------------- the table */

/* out[row * CM_BLOCK + k] = the cell of hashes[k] in each row, counted from the first of
 * row 0; n <= CM_BLOCK. */
BP_INTERNAL void bp_count_min_cells(const uint64_t *hashes, size_t n, uint64_t width,
                                    uint32_t depth, uint64_t *out);

/* Adds hashes[k] by[k] times (by NULL: once), in order; counts, unless NULL, gets the
 * estimate after each. Any n. */
BP_INTERNAL void bp_count_min_raise(uint8_t *cells, const cm_table *t,
                                    const uint64_t *hashes, size_t n, const uint64_t *by,
                                    uint64_t *counts);
BP_INTERNAL uint64_t bp_count_min_raise_one(uint8_t *cells, const cm_table *t,
                                            uint64_t hash, uint64_t by);

/* The same until an estimate would be above `most`: returns how many were added. The
 * table must not be concurrent. */
BP_INTERNAL size_t bp_count_min_raise_upto(uint8_t *cells, const cm_table *t,
                                           const uint64_t *hashes, size_t n,
                                           const uint64_t *by, uint64_t most);

BP_INTERNAL bool bp_count_min_raise_one_upto(uint8_t *cells, const cm_table *t,
                                             uint64_t hash, uint64_t by, uint64_t most);

/* counts[k] = the estimate of hashes[k]. Any n. */
BP_INTERNAL void bp_count_min_ask(const uint8_t *cells, const cm_table *t,
                                  const uint64_t *hashes, size_t n, uint64_t *counts);
BP_INTERNAL uint64_t bp_count_min_ask_one(const uint8_t *cells, const cm_table *t,
                                          uint64_t hash);

#endif
