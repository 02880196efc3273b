/* SPDX-License-Identifier: MIT
 * keys.h - the keys that every harness and every vector uses: key i is the 8
 * little-endian bytes of the i-th output of SplitMix64 started at 0 (i = 0, 1, ...).
 * SplitMix64 is a bijection, so keys of different i are different. */
#ifndef BP_TESTS_KEYS_H
#define BP_TESTS_KEYS_H

#include <ballpark/core.h>

#include "core/rng.h"

static inline uint64_t bp_test_word(uint64_t i)
{
    uint64_t state = i * 0x9E3779B97F4A7C15u; /* what i steps from 0 leave behind */
    return bp_rng_next(&state);
}

static inline void bp_test_key(uint64_t i, uint8_t key[8])
{
    bp_store64(key, bp_test_word(i));
}

/* Keys first .. first + n - 1: bytes[i] holds one, keys[i] points to it. */
static inline void bp_test_keys(uint64_t first, size_t n, uint8_t (*bytes)[8],
                                bp_bytes *keys)
{
    for (size_t i = 0; i < n; i++) {
        bp_test_key(first + i, bytes[i]);
        keys[i] = (bp_bytes){bytes[i], 8};
    }
}

#endif
