/* SPDX-License-Identifier: MIT
 * ballpark/counting_bloom.h - is it in the set, when keys are also taken out again?
 *
 * Answers    bp_counting_bloom_has() is certain when it says no, as long as only keys
 *            that were added are taken out. A yes is wrong at the false positive rate
 *            (fpr) of a bloom with as many bits as this has counters: the one asked for
 *            while no more than `items` different keys are in. describe says when.
 * Counts     bp_counting_bloom_count() is an upper bound of a key's copies: how often it
 *            was added and not taken out. The bound is exact but for keys that share all
 *            their counters with others, at the false positive rate.
 * 15         A counter goes up to 15 and then stays there for ever: what it counted is
 * not known any more. Never a wrong no; but a key whose counters are all at 15 cannot be
 * taken out any more, and has no bound to its copies. By different keys alone that
 * happens to 1 counter of 1e16; by one key, when it is added 15 times. describe says how
 * many. Danger     Taking out a key that was never added. Where one of its counters is 0
 * that is noticed, refused, and nothing changes. Where none is (a false positive) it
 * takes the counts of other keys, which may then be answered no while they are in. Ask
 * the truth first, not this filter, whether a key is in. Memory     4 times a bloom:
 * ceil(-items * ln fpr / ln(2)^2) counters of 4 bits, fixed; 38.3 bits an item at 1
 * %, 57.5 at 0.1 %. Where counts are not needed, a cuckoo filter takes a third of that.
 * Time       as a bloom four times as large.
 * Threads    const functions together.
 * Merge      adds the counters up (a union of multisets): same counters, hashes, items,
 *            fpr and hashing.
 * Paper      Fan, Cao, Almeida and Broder, IEEE/ACM ToN 8(3), 2000: Summary Cache.
 * Bytes      src/sketches/counting_bloom/FORMAT.md.
 */
#ifndef BALLPARK_COUNTING_BLOOM_H
#define BALLPARK_COUNTING_BLOOM_H

#include <ballpark/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_counting_bloom bp_counting_bloom;

/* As bp_bloom_config, in counters: give (items, fpr), (counters, hashes) or (memory,
 * items), or others of the four numbers, and the rest follows. Size or items are enough,
 * at 1 %; all zero is 1,000,000 items at 1 %. More than is needed is BP_PARAM unless it
 * agrees, as what bp_counting_bloom_size and config_of answer does. */
typedef struct bp_counting_bloom_config {
    bp_alloc alloc;
    bp_hash_spec hash;
    uint64_t items;    /* capacity in different keys it is sized for, 1 .. 2^62       */
    double fpr;        /* false positive rate at capacity, 1e-15 .. 0.5, and at least
                        * items / 2^60                                                */
    uint64_t counters; /* size in counters, 1 .. 2^56                                 */
    uint64_t memory;   /* size in bytes, from 8, instead of counters: whole words of 16
                        * counters                                                    */
    uint32_t hashes;   /* probes per key, 1 .. 64; 0: the best for items and size     */
    uint32_t reserved32;
    uint64_t reserved[4]; /* must be zero */
} bp_counting_bloom_config;

BP_SKETCH_API(counting_bloom);

/* Adds one copy of a key; true when it was surely not in (a counter was still 0). A
 * filter opened without its secret key (BP_OPEN_KEYLESS) takes no keys in or out, and
 * answers yes to all; hashes it takes. */
BP_API bool bp_counting_bloom_add(bp_counting_bloom *s, const void *key, size_t n);
/* The same for n keys; returns how many were surely new. fresh, unless NULL, gets
 * one byte (0 or 1) a key, as if they had been added in order. */
BP_API size_t bp_counting_bloom_add_n(bp_counting_bloom *s, const bp_bytes *keys,
                                      size_t n, uint8_t *fresh);
BP_API size_t bp_counting_bloom_add_hashes(bp_counting_bloom *s, const uint64_t *hashes,
                                           size_t n, uint8_t *fresh);

/* Takes one copy of a key out; false when it was surely not in: nothing changes. Counters
 * at 15 stay (see above). */
BP_API bool bp_counting_bloom_remove(bp_counting_bloom *s, const void *key, size_t n);
/* The same for n keys; returns how many were taken out. was_there, unless NULL, gets one
 * byte (0 or 1) a key, as if they had been taken out in order. */
BP_API size_t bp_counting_bloom_remove_n(bp_counting_bloom *s, const bp_bytes *keys,
                                         size_t n, uint8_t *was_there);
BP_API size_t bp_counting_bloom_remove_hashes(bp_counting_bloom *s,
                                              const uint64_t *hashes, size_t n,
                                              uint8_t *was_there);

/* false: surely not in. true: in, or a false positive. */
BP_API bool bp_counting_bloom_has(const bp_counting_bloom *s, const void *key, size_t n);
/* The same for n keys; returns the number of yes. hit, unless NULL, gets 0 or 1. */
BP_API size_t bp_counting_bloom_has_n(const bp_counting_bloom *s, const bp_bytes *keys,
                                      size_t n, uint8_t *hit);
BP_API size_t bp_counting_bloom_has_hashes(const bp_counting_bloom *s,
                                           const uint64_t *hashes, size_t n,
                                           uint8_t *hit);

/* The most copies of the key that can be in: the smallest of its counters. UINT64_MAX, no
 * bound, when that is at 15, or without the secret key. */
BP_API uint64_t bp_counting_bloom_count(const bp_counting_bloom *s, const void *key,
                                        size_t n);

/* How many different keys are in, from the counters that are not 0: as
 * bp_bloom_estimate(). Reads every counter. */
BP_API bp_status bp_counting_bloom_estimate(const bp_counting_bloom *s, double confidence,
                                            bp_estimate *out, bp_detail *why);

/* The false positive rate now, (used/m)^hashes, from the counters that are not 0, or
 * items / 2^64 where that is larger. Reads every counter. */
BP_API double bp_counting_bloom_fpr(const bp_counting_bloom *s);

/* The arithmetic of a configuration, without making a filter: fills in items, fpr,
 * counters, hashes and memory (bytes of the counters alone) from whichever were given.
 * The answer makes the same filter as the question. bp_bloom_fpr_at(counters, hashes, n)
 * and bp_bloom_fill_at() are right for these filters, too. */
BP_API bp_status bp_counting_bloom_size(const bp_counting_bloom_config *cfg,
                                        bp_counting_bloom_config *out, bp_detail *why);

#ifdef __cplusplus
}
#endif
#endif
