/* SPDX-License-Identifier: MIT
 * rng.h - SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): seeded, tiny, the same on
 * every machine. For sketches that flip coins and for tests, never for secrets. */
#ifndef BP_RNG_H
#define BP_RNG_H

#include "core/bits.h"

static inline uint64_t bp_rng_next(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* Uniform in [0, 1), 53 bits. */
static inline double bp_rng_unit(uint64_t *state)
{
    return (double)(bp_rng_next(state) >> 11) * 0x1p-53;
}

#endif
