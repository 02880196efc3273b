/* SPDX-License-Identifier: MIT
 * count_min_state.h - what count_min.c shows to its own test: where keys go. */
#ifndef BP_COUNT_MIN_STATE_H
#define BP_COUNT_MIN_STATE_H

#include "core/core.h"

/* Keys whose cells are computed together, before any of them is touched. */
enum { CM_BLOCK = 64, CM_DEPTH_MAX = 32 };

/* out[row * CM_BLOCK + k] = the cell, counted from the first of row 0, of hashes[k] in
 * each row; n <= CM_BLOCK. */
BP_INTERNAL void bp_count_min_cells(const uint64_t *hashes, size_t n, uint64_t width,
                                    uint32_t depth, uint64_t *out);

#endif
