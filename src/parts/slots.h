/* SPDX-License-Identifier: MIT
 * slots.h - an index from hashes to references: open addressing, linear probing.
 *
 * It owns nothing: what a reference points at, and whether the key there is the one
 * looked for, is the caller's. A slot is one word: 24 bits of the hash, so that most
 * strangers are turned away without touching what they refer to, and the reference
 * plus one in 40 bits; zero is an empty slot. */
#ifndef BP_SLOTS_H
#define BP_SLOTS_H

#include "core/core.h"

#define BP_SLOT_REF_MAX ((UINT64_C(1) << 40) - 2)

typedef struct bp_slots {
    uint64_t *words;
    uint64_t mask; /* slots - 1; their number is a power of two */
} bp_slots;

/* Slots for n references: between a third and two thirds of them are used. */
static inline uint64_t bp_slots_for(uint64_t n)
{
    uint64_t slots = 8;
    while (slots * 2 < n * 3)
        slots *= 2;
    return slots;
}

static inline uint64_t bp_slots_home(bp_slots s, uint64_t hash)
{
    return hash & s.mask;
}

/* From *at on, the next slot that may be the hash's: true and its reference. False at
 * the first empty slot. To look further, start at the slot after *at. */
static BP_ALWAYS_INLINE bool bp_slots_seek(bp_slots s, uint64_t hash, uint64_t *at,
                                           uint64_t *ref)
{
    uint64_t i = *at;
    for (;;) {
        const uint64_t word = s.words[i];
        if (word == 0)
            return false;
        if ((word ^ hash) >> 40 == 0) {
            *at = i;
            *ref = (word & (BP_SLOT_REF_MAX + 1)) - 1;
            return true;
        }
        i = (i + 1) & s.mask;
    }
}

static inline void bp_slots_insert(bp_slots s, uint64_t hash, uint64_t ref)
{
    uint64_t i = bp_slots_home(s, hash);
    while (s.words[i])
        i = (i + 1) & s.mask;
    s.words[i] = hash >> 40 << 40 | (ref + 1);
}

/* Empties slot `at` and moves back those that had to step over it (Knuth 6.4,
 * algorithm R), so that no tombstones are left. hash_of: the hash of a reference. */
static inline void bp_slots_remove(bp_slots s, uint64_t at, const void *ctx,
                                   uint64_t (*hash_of)(const void *ctx, uint64_t ref))
{
    uint64_t hole = at;
    for (uint64_t i = (at + 1) & s.mask; s.words[i]; i = (i + 1) & s.mask) {
        const uint64_t ref = (s.words[i] & (BP_SLOT_REF_MAX + 1)) - 1;
        const uint64_t home = bp_slots_home(s, hash_of(ctx, ref));
        if (((i - home) & s.mask) < ((i - hole) & s.mask))
            continue; /* it would land before its home */
        s.words[hole] = s.words[i];
        hole = i;
    }
    s.words[hole] = 0;
}

#endif
