/* SPDX-License-Identifier: MIT
 * hll_state.h - what a HyperLogLog knows, for its own files, its tests and the rooms
 * that translate foreign formats. */
#ifndef BP_HLL_STATE_H
#define BP_HLL_STATE_H

#include "core/object.h"
#include "parts/packed6.h"
#include "parts/tokens.h"

#include <ballpark/hll.h>

enum {
    BP_HLL_PRECISION_MIN = 4,
    BP_HLL_PRECISION_MAX = 18,
    BP_HLL_PRECISION_DEFAULT = 14,
    BP_HLL_TAIL_MAX = 256 /* tokens in the second run, see hll.c */
};

/* What the cells are. The first two are also what the bytes say. */
typedef enum bp_hll_form {
    BP_HLL_SPARSE = 0, /* tokens                                           */
    BP_HLL_DENSE = 1,  /* packed registers (and spare bytes when writable) */
    BP_HLL_BYTES = 2   /* one register a byte, for concurrent adds         */
} bp_hll_form;

typedef struct bp_hll_head {
    bp_head head;
    uint8_t precision;
    uint8_t form;    /* a bp_hll_form                               */
    uint8_t dense;   /* was asked for: never sparse                 */
    uint8_t floor;   /* dense: no register is lower (0 is always true) */
    uint32_t sorted; /* sparse: tokens in the first run; the rest is the second */
    uint32_t tried;  /* dense: hashes added since floor was found, sifted ones not */
} bp_hll_head;

BP_INTERNAL extern const bp_kind bp_kind_hll;

static inline size_t bp_hll_registers(unsigned precision)
{
    return (size_t)1 << precision;
}

/* The largest value a register can have: every bit after the index is zero. */
static inline unsigned bp_hll_top(unsigned precision)
{
    return 64 - precision + 1;
}

static inline size_t bp_hll_dense_size(unsigned precision)
{
    return bp_packed6_size(bp_hll_registers(precision));
}

/* The most tokens a sparse sketch holds: as many as fit into the registers' bytes, and
 * at least 128. One more and it is dense. */
static inline size_t bp_hll_tokens_max(unsigned precision)
{
    const size_t fit = bp_hll_dense_size(precision) / 4;
    return fit > 128 ? fit : 128;
}

/* Ertl's estimator, from the sums over 2^precision registers. */
BP_INTERNAL double bp_hll_from_sums(unsigned precision, const bp_packed6_sums *sums);
/* The range around a dense estimate. */
BP_INTERNAL void bp_hll_dense_range(unsigned precision, double confidence,
                                    bp_estimate *e);
/* Value and range from the number of different tokens. */
BP_INTERNAL void bp_hll_from_tokens(size_t tokens, double confidence, bp_estimate *e);
/* The variance of the dense estimate of n keys, relative to n^2, times 2^precision; x is
 * n / 2^precision. */
BP_INTERNAL double bp_hll_variance(double x);

#endif
