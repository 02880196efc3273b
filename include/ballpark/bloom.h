/* SPDX-License-Identifier: MIT
 * ballpark/bloom.h - is it in the set? In about 10 bits a member for 1 % wrong.
 *
 * Answers    bp_bloom_has() is certain when it says no. A yes is wrong at the false
 *            positive rate (fpr): the one asked for while the filter holds no more
 *            than `items` keys, rising steeply after (1 %: 2.8 % at 1.25 times,
 *            15.7 % at twice, 43.6 % at three times). describe says when.
 * Memory     ceil(-items * ln fpr / ln(2)^2) bits, fixed. Time: `hashes` probes to
 *            add, about 2 for a no, `hashes` for a yes; one hash of the key.
 * Threads    const functions together; with .concurrent, adds at the same time too: of
 *            threads that add the same new key at once, at least one is told it was new.
 * Merge      is union: same bits, hashes, items, fpr and hashing. A union of two full
 *            filters is over capacity and says so.
 * Limits     a 64-bit hash: no rate below items / 2^64, however large the filter.
 * Not here   Removing: clearing a key's bits would lose other members that share
 *            them. Intersecting: the AND of two filters answers yes more often than a
 *            filter of the intersection would, at a rate it cannot state.
 * Paper      Bloom, CACM 13(7), 1970; double hashing: Kirsch and Mitzenmacher, ESA
 *            2006, extended by further terms as in Dillinger and Manolios, FMCAD 2004.
 * Bytes      src/sketches/bloom/FORMAT.md.
 */
#ifndef BALLPARK_BLOOM_H
#define BALLPARK_BLOOM_H

#include <ballpark/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_bloom bp_bloom;

/* Give (items, fpr), (bits, hashes) or (memory, items), or others of the four numbers:
 * the rest follows. Size or items are enough, at 1 %; all zero is 1,000,000 items at
 * 1 %. (bits, hashes) alone is good for as many items as set half of the bits, at the
 * rate 2^-hashes. More than is needed is BP_PARAM unless it agrees, as what
 * bp_bloom_size and config_of answer does. */
typedef struct bp_bloom_config {
    bp_alloc alloc;
    bp_hash_spec hash;
    uint64_t items;  /* capacity it is sized for, 1 .. 2^62                        */
    double fpr;      /* false positive rate at capacity, 1e-15 .. 0.5, and at least
                      * items / 2^60                                               */
    uint64_t bits;   /* size in bits, 1 .. 2^56                                    */
    uint64_t memory; /* size in bytes, from 8, instead of bits: whole words of it  */
    uint32_t hashes; /* probes per key, 1 .. 64; 0: the best for items and size    */
    bool concurrent; /* many threads may add while const calls run                 */
    uint8_t reserved8[3];
    uint64_t reserved[4]; /* must be zero */
} bp_bloom_config;

BP_SKETCH_API(bloom);

/* Adds a key; true when it was surely new (a bit was still clear), false when the
 * filter already answered yes for it. A filter opened without its secret key
 * (BP_OPEN_KEYLESS) takes no keys, and answers yes to all; hashes it takes. */
BP_API bool bp_bloom_add(bp_bloom *s, const void *key, size_t n);
/* The same for n keys; returns how many were surely new. fresh, unless NULL, gets
 * one byte (0 or 1) a key, as if they had been added in order. */
BP_API size_t bp_bloom_add_n(bp_bloom *s, const bp_bytes *keys, size_t n, uint8_t *fresh);
BP_API size_t bp_bloom_add_hashes(bp_bloom *s, const uint64_t *hashes, size_t n,
                                  uint8_t *fresh);

/* false: surely never added. true: added, or a false positive. */
BP_API bool bp_bloom_has(const bp_bloom *s, const void *key, size_t n);
/* The same for n keys; returns the number of yes. hit, unless NULL, gets 0 or 1. */
BP_API size_t bp_bloom_has_n(const bp_bloom *s, const bp_bytes *keys, size_t n,
                             uint8_t *hit);
BP_API size_t bp_bloom_has_hashes(const bp_bloom *s, const uint64_t *hashes, size_t n,
                                  uint8_t *hit);

/* How many different keys were added, from the bits that are set: value
 * -(m/k) ln(1 - set/m), and a range that holds the truth at the confidence (0.95).
 * Reads every bit. A full filter: value and upper are infinite. BP_PARAM for a
 * confidence that is not inside (0, 1). */
BP_API bp_status bp_bloom_estimate(const bp_bloom *s, double confidence, bp_estimate *out,
                                   bp_detail *why);

/* The false positive rate now, (set/m)^hashes, from the bits that are set, or items /
 * 2^64 where that is larger. Reads every bit. */
BP_API double bp_bloom_fpr(const bp_bloom *s);

/* The arithmetic of a configuration, without making a filter: fills in items, fpr,
 * bits, hashes and memory (bytes of the bits alone) from whichever were given. The
 * answer makes the same filter as the question. */
BP_API bp_status bp_bloom_size(const bp_bloom_config *cfg, bp_bloom_config *out,
                               bp_detail *why);
/* The expected rate and fraction of bits set when n keys are in: (1 - e^(-kn/m))^k. */
BP_API double bp_bloom_fpr_at(uint64_t bits, uint32_t hashes, double n);
BP_API double bp_bloom_fill_at(uint64_t bits, uint32_t hashes, double n);

#ifdef __cplusplus
}
#endif
#endif
