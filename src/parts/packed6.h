/* SPDX-License-Identifier: MIT
 * packed6.h - arrays of 6-bit registers, four in three bytes, as Redis packs them:
 * register i occupies bits 6i .. 6i+5, counted from the lowest bit of byte 0.
 *
 *   byte      0        1        2
 *   bits  1100 0000 2222 1111 3333 3322      (most significant first, in digits of i)
 *
 * The number of registers is always a multiple of 16. Every function is the same on
 * every machine to the bit; AVX2 and NEON variants are chosen inside. */
#ifndef BP_PACKED6_H
#define BP_PACKED6_H

#include "core/core.h"

/* Zero bytes that must follow registers which are written one at a time: a register is
 * read and written as 16 bits wherever it lies, the last one too. */
enum { BP_PACKED6_SPARE = 8 };

static BP_ALWAYS_INLINE size_t bp_packed6_size(size_t registers)
{
    return registers / 4 * 3;
}

/* Reads no byte past the array. */
static BP_ALWAYS_INLINE unsigned bp_packed6_get(const uint8_t *p, size_t i)
{
    const uint8_t *at = p + (i * 6 >> 3);
    const unsigned shift = (unsigned)(i * 6 & 7);
    return (at[0] >> shift | (shift > 2 ? (unsigned)at[1] << (8 - shift) : 0)) & 63;
}

/* Writes one register; the spare bytes must be there. */
static BP_ALWAYS_INLINE void bp_packed6_set(uint8_t *p, size_t i, unsigned v)
{
    uint8_t *at = p + (i * 6 >> 3);
    const unsigned shift = (unsigned)(i * 6 & 7);
    const unsigned word = bp_load16(at) & ~(63u << shift);
    bp_store16(at, (uint16_t)(word | v << shift));
}

/* Makes register i at least v; the spare bytes must be there. */
static BP_ALWAYS_INLINE void bp_packed6_raise(uint8_t *p, size_t i, unsigned v)
{
    uint8_t *at = p + (i * 6 >> 3);
    const unsigned shift = (unsigned)(i * 6 & 7);
    const unsigned word = bp_load16(at);
    if (v > (word >> shift & 63))
        bp_store16(at, (uint16_t)((word & ~(63u << shift)) | v << shift));
}

/* What an estimator needs of the registers, in whole numbers so that every variant
 * agrees: the sum of 2^(63-k) over registers k > 0, in two halves that cannot
 * overflow, and how many are zero and how many equal `top`. */
typedef struct bp_packed6_sums {
    uint64_t high; /* of the bits from 2^32 up, in units of 2^32 */
    uint64_t low;
    uint64_t zeros;
    uint64_t tops;
} bp_packed6_sums;

/* Adds n registers to *sums, which the caller has zeroed. */
BP_INTERNAL void bp_packed6_sum(bp_packed6_sums *sums, const uint8_t *p, size_t n,
                                unsigned top);
/* dst = max(dst, src), register by register; they may be the same array. */
BP_INTERNAL void bp_packed6_max(uint8_t *dst, const uint8_t *src, size_t n);
/* Packs n bytes, each below 64. */
BP_INTERNAL void bp_packed6_pack(uint8_t *dst, const uint8_t *bytes, size_t n);
/* The first register above `top`, or n. */
BP_INTERNAL size_t bp_packed6_above(const uint8_t *p, size_t n, unsigned top);

#endif
