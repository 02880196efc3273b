/* SPDX-License-Identifier: MIT
 * tokens.h - a 64-bit hash shortened to 32 bits without loss for registers.
 *
 *   token = top 26 bits of the hash << 6 | leading zeros of the other 38 (0 .. 38)
 *
 * Any register sketch whose index is the top p <= 26 bits and whose value depends on
 * the leading zeros of the rest comes out the same from tokens as from the hashes
 * (Heule et al., EDBT 2013, had 25 bits; this form is hash4j's). Two keys share a token
 * with odds of 1 in 3 * 2^26, so counting different tokens counts keys exactly while
 * they are few.
 *
 * A run is an ascending array of different tokens, little-endian. */
#ifndef BP_TOKENS_H
#define BP_TOKENS_H

#include "core/core.h"

enum { BP_TOKEN_ZEROS_MAX = 38 };

static BP_ALWAYS_INLINE uint32_t bp_token(uint64_t hash)
{
    const uint64_t rest = hash << 26 | UINT64_C(1) << 25; /* a stop for all zeros */
    return (uint32_t)(hash >> 38) << 6 | (uint32_t)BP_CLZ64(rest);
}

/* A hash that any such sketch takes as it takes the token's own. */
static BP_ALWAYS_INLINE uint64_t bp_token_hash(uint32_t token)
{
    const unsigned zeros = token & 63;
    const uint64_t rest =
        zeros < BP_TOKEN_ZEROS_MAX ? UINT64_C(1) << (BP_TOKEN_ZEROS_MAX - 1 - zeros) : 0;
    return (uint64_t)(token >> 6) << 38 | rest;
}

static BP_ALWAYS_INLINE uint32_t bp_token_at(const uint8_t *run, size_t i)
{
    return bp_load32(run + 4 * i);
}

/* The first of n tokens that is not below t, or n. Safe on any bytes. */
BP_INTERNAL size_t bp_tokens_find(const uint8_t *run, size_t n, uint32_t t);
/* How many of run b's tokens run a lacks. */
BP_INTERNAL size_t bp_tokens_lacking(const uint8_t *a, size_t na, const uint8_t *b,
                                     size_t nb);
/* Run a becomes the union of a and b in place; a has room for it, `all` is its size as
 * bp_tokens_lacking counts it, and b lies elsewhere. */
BP_INTERNAL void bp_tokens_unite(uint8_t *a, size_t na, const uint8_t *b, size_t nb,
                                 size_t all);
/* Index of the first token that no run has there (out of order, or too many zeros), or
 * n when these bytes are a run. */
BP_INTERNAL size_t bp_tokens_bad(const uint8_t *run, size_t n);

#endif
