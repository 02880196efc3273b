/* SPDX-License-Identifier: MIT
 * bits.h - little-endian loads and stores, rotations, products, ranges.
 *
 * Cells are kept in memory as they are in the encoded bytes, little-endian on every
 * machine: encoding is a copy, and a mapped file can be asked in place. */
#ifndef BP_BITS_H
#define BP_BITS_H

#include "core/platform.h"

#include <string.h>

static BP_ALWAYS_INLINE uint16_t bp_load16(const void *p)
{
    uint8_t b[2];
    memcpy(b, p, 2);
    return (uint16_t)(b[0] | b[1] << 8);
}

static BP_ALWAYS_INLINE uint32_t bp_load32(const void *p)
{
    uint32_t v;
    memcpy(&v, p, 4);
    return BP_BIG_ENDIAN ? BP_BSWAP32(v) : v;
}

static BP_ALWAYS_INLINE uint64_t bp_load64(const void *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return BP_BIG_ENDIAN ? BP_BSWAP64(v) : v;
}

static BP_ALWAYS_INLINE void bp_store16(void *p, uint16_t v)
{
    const uint8_t b[2] = {(uint8_t)v, (uint8_t)(v >> 8)};
    memcpy(p, b, 2);
}

static BP_ALWAYS_INLINE void bp_store32(void *p, uint32_t v)
{
    v = BP_BIG_ENDIAN ? BP_BSWAP32(v) : v;
    memcpy(p, &v, 4);
}

static BP_ALWAYS_INLINE void bp_store64(void *p, uint64_t v)
{
    v = BP_BIG_ENDIAN ? BP_BSWAP64(v) : v;
    memcpy(p, &v, 8);
}

/* A little-endian word as it lies in memory, for atomics on cells. */
static BP_ALWAYS_INLINE uint32_t bp_le32(uint32_t v)
{
    return BP_BIG_ENDIAN ? BP_BSWAP32(v) : v;
}

static BP_ALWAYS_INLINE uint64_t bp_le64(uint64_t v)
{
    return BP_BIG_ENDIAN ? BP_BSWAP64(v) : v;
}

static BP_ALWAYS_INLINE uint64_t bp_rotl64(uint64_t x, unsigned r)
{
    return x << r | x >> ((64 - r) & 63);
}

/* Both halves of a 64 x 64 bit product; returns the high one. For machines without
 * 128-bit products; compiled, and tested against the other, on all. */
static BP_ALWAYS_INLINE uint64_t bp_mul128_portable(uint64_t a, uint64_t b, uint64_t *low)
{
    const uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    const uint64_t ll = al * bl, lh = al * bh, hl = ah * bl;
    const uint64_t mid = (ll >> 32) + (uint32_t)lh + (uint32_t)hl;
    *low = mid << 32 | (uint32_t)ll;
    return ah * bh + (lh >> 32) + (hl >> 32) + (mid >> 32);
}

static BP_ALWAYS_INLINE uint64_t bp_mul128(uint64_t a, uint64_t b, uint64_t *low)
{
#if BP_HAVE_INT128
    const bp_uint128 p = (bp_uint128)a * b;
    *low = (uint64_t)p;
    return (uint64_t)(p >> 64);
#else
    return bp_mul128_portable(a, b, low);
#endif
}

/* The hash h brought into [0, n) by its high bits (Lemire, ACM TOMS 2019): no
 * division, and right for any n up to 2^64 - 1. */
static BP_ALWAYS_INLINE uint64_t bp_range(uint64_t h, uint64_t n)
{
    uint64_t low;
    return bp_mul128(h, n, &low);
}

/* The second word of a hash, where a sketch needs one: one multiply, and the folded
 * product so that every bit of h reaches every bit of the result. */
static BP_ALWAYS_INLINE uint64_t bp_second(uint64_t h)
{
    uint64_t low;
    const uint64_t high = bp_mul128(h ^ 0x9E3779B97F4A7C15u, 0xD6E8FEB86659FD93u, &low);
    return high ^ low;
}

/* a + b, or the largest number when that overflows. */
static BP_ALWAYS_INLINE uint64_t bp_add_sat64(uint64_t a, uint64_t b)
{
    const uint64_t s = a + b;
    return s < a ? UINT64_MAX : s;
}

/* n rounded up to a multiple of a power of two; n must be below 2^64 - to. */
static BP_ALWAYS_INLINE uint64_t bp_round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) & ~(to - 1);
}

#endif
