/* SPDX-License-Identifier: MIT
 * slots.h - an index from hashes to references: open addressing, linear probing.
 *
 * It owns nothing: what a reference points at, and whether the key there is the one
 * looked for, is the caller's. A slot is one word, zero when it is empty:
 *
 *     63 .. 42   bits of the hash: most strangers are turned away by them
 *     41         crowded: a key whose home is this slot lies further on
 *     40         1: an empty slot agrees with no hash
 *     39 .. 0    the reference plus one
 *
 * Crowded makes the search for what is not there end at home nearly always, so that
 * many keys can be looked up without a branch that depends on which of them are there. */
#ifndef BP_SLOTS_H
#define BP_SLOTS_H

#include "core/core.h"

#define BP_SLOT_REF_MAX ((UINT64_C(1) << 40) - 2)
#define BP_SLOT_USED (UINT64_C(1) << 40)
#define BP_SLOT_CROWDED (UINT64_C(1) << 41)
#define BP_SLOT_TAG (UINT64_MAX << 42 | BP_SLOT_USED)

typedef struct bp_slots {
    uint64_t *words;
    uint64_t mask; /* slots - 1; their number is a power of two */
} bp_slots;

/* The hash of what a reference refers to; ctx is the caller's. */
typedef uint64_t (*bp_slots_hash)(const void *ctx, uint64_t ref);

/* Slots for n references: between a third and two thirds of them are used. */
static inline uint64_t bp_slots_for(uint64_t n)
{
    uint64_t slots = 8;
    while (slots * 2 < n * 3)
        slots *= 2;
    return slots;
}

static BP_ALWAYS_INLINE uint64_t bp_slots_home(bp_slots s, uint64_t hash)
{
    return hash & s.mask;
}

static BP_ALWAYS_INLINE uint64_t bp_slots_ref(uint64_t word)
{
    return (word & (BP_SLOT_USED - 1)) - 1;
}

/* The word may be the hash's: what it refers to is still to be compared. */
static BP_ALWAYS_INLINE bool bp_slots_agree(uint64_t word, uint64_t hash)
{
    return ((word ^ (hash | BP_SLOT_USED)) & BP_SLOT_TAG) == 0;
}

/* From *at on, the next slot that may be the hash's: true and its reference. False at
 * the first empty slot. To look further, start at the slot after *at. */
static BP_ALWAYS_INLINE bool bp_slots_seek(bp_slots s, uint64_t hash, uint64_t *at,
                                           uint64_t *ref)
{
    for (uint64_t i = *at; s.words[i]; i = (i + 1) & s.mask)
        if (bp_slots_agree(s.words[i], hash)) {
            *at = i;
            *ref = bp_slots_ref(s.words[i]);
            return true;
        }
    return false;
}

static inline void bp_slots_insert(bp_slots s, uint64_t hash, uint64_t ref)
{
    const uint64_t home = bp_slots_home(s, hash);
    uint64_t i = home;
    while (s.words[i])
        i = (i + 1) & s.mask;
    s.words[i] = (hash & BP_SLOT_TAG) | BP_SLOT_USED | (ref + 1);
    if (i != home)
        s.words[home] |= BP_SLOT_CROWDED;
}

/* Lets what was found at `at` change places with what lies at its home, so that keys
 * that are asked for often are found there. Whether a slot is crowded stays with the
 * slot. */
static inline void bp_slots_bring_home(bp_slots s, uint64_t hash, uint64_t at)
{
    uint64_t *a = &s.words[at], *b = &s.words[bp_slots_home(s, hash)];
    const uint64_t differ = (*a ^ *b) & ~BP_SLOT_CROWDED;
    *a ^= differ;
    *b ^= a == b ? 0 : differ;
}

/* Says anew which slots of the run around `at` are crowded. */
static inline void bp_slots_mark(bp_slots s, uint64_t at, const void *ctx,
                                 bp_slots_hash hash_of)
{
    while (s.words[(at - 1) & s.mask])
        at = (at - 1) & s.mask;
    for (uint64_t i = at; s.words[i]; i = (i + 1) & s.mask) {
        const uint64_t home = bp_slots_home(s, hash_of(ctx, bp_slots_ref(s.words[i])));
        s.words[i] &= ~BP_SLOT_CROWDED; /* those that live here all come later */
        if (home != i)
            s.words[home] |= BP_SLOT_CROWDED;
    }
}

/* Empties slot `at` and moves back those that had to step over it (Knuth 6.4,
 * algorithm R), so that no tombstones are left. */
static inline void bp_slots_remove(bp_slots s, uint64_t at, const void *ctx,
                                   bp_slots_hash hash_of)
{
    uint64_t hole = at;
    for (uint64_t i = (at + 1) & s.mask; s.words[i]; i = (i + 1) & s.mask) {
        const uint64_t home = bp_slots_home(s, hash_of(ctx, bp_slots_ref(s.words[i])));
        if (((i - home) & s.mask) < ((i - hole) & s.mask))
            continue; /* it would land before its home */
        s.words[hole] = s.words[i];
        hole = i;
    }
    s.words[hole] = 0;
    bp_slots_mark(s, at, ctx, hash_of);
    bp_slots_mark(s, (hole + 1) & s.mask, ctx, hash_of);
}

#endif
