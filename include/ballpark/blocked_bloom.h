/* SPDX-License-Identifier: MIT
 * ballpark/blocked_bloom.h - is it in the set? In one cache line a key.
 *
 * Answers    bp_blocked_bloom_has() is certain when it says no. A yes is wrong at the
 *            false positive rate (fpr): the one asked for while the filter holds no more
 *            than `items` keys, rising steeply after. describe says when.
 * Instead    of a bloom: several times as fast once the filter is larger than the
 *            cache, for 5 % more memory at 1 %, 9 % at 0.1 %, 20 % at 0.01 %. Lower rates
 *            would waste more and are refused: for them, take a bloom.
 * Layouts    SPLIT512, the default: 64-byte blocks. SPLIT256: 32-byte blocks, byte for
 *            byte Parquet's split-block Bloom filter when the hash is XXH64 with seed 0;
 *            10 % more memory than a bloom at 1 %, 17 % at 0.1 %, refused below that.
 * Memory     blocks of 64 (32) bytes, fixed. Time: one block to add or ask, whatever the
 *            answer; one hash of the key.
 * Threads    const functions together; with .concurrent, adds at the same time too: of
 *            threads that add the same new key at once, at least one is told it was new.
 * Merge      is union: same layout, blocks, hashes, items and hashing. A union of two
 *            full filters is over capacity and says so.
 * Fold       makes a filter that came out too large smaller, without its keys.
 * Paper      Putze, Sanders and Singler, ACM JEA 14, 2009, section 3; split blocks: the
 *            Apache Parquet format, "Parquet Bloom Filter".
 * Bytes      src/sketches/blocked_bloom/FORMAT.md.
 */
#ifndef BALLPARK_BLOCKED_BLOOM_H
#define BALLPARK_BLOCKED_BLOOM_H

#include <ballpark/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_blocked_bloom bp_blocked_bloom;

typedef enum bp_blocked_bloom_layout {
    BP_BLOCKED_BLOOM_DEFAULT = 0,  /* SPLIT512 */
    BP_BLOCKED_BLOOM_SPLIT512 = 1, /* blocks of 64 bytes; rates from 0.01 %         */
    BP_BLOCKED_BLOOM_SPLIT256 = 2  /* blocks of 32 bytes, Parquet's; from 0.1 %     */
} bp_blocked_bloom_layout;

/* Give (items, fpr), (blocks, items) or (memory, fpr): the rest follows. Size or items
 * are enough, at 1 %; all zero is 1,000,000 items at 1 %. More than is needed is BP_PARAM
 * unless it agrees, as what bp_blocked_bloom_size and config_of answer does. */
typedef struct bp_blocked_bloom_config {
    bp_alloc alloc;
    bp_hash_spec hash;
    uint64_t items;  /* capacity it is sized for, 1 .. 2^62                            */
    double fpr;      /* false positive rate at capacity, up to 0.5; see layout         */
    uint64_t blocks; /* size in blocks: SPLIT512 up to 2^47; SPLIT256 up to 2^27, or a
                      * power of two up to 2^30                                        */
    uint64_t memory; /* size in bytes, instead of blocks: whole blocks of it           */
    uint32_t hashes; /* bits a key: SPLIT512 4 .. 16, 0: the best; SPLIT256 has 8      */
    uint32_t layout; /* a bp_blocked_bloom_layout                                      */
    bool concurrent; /* many threads may add while const calls run                     */
    bool exact_size; /* SPLIT256: as many blocks as are needed (or memory has). Without,
                      * a power of two of them, as some readers of Parquet demand      */
    uint8_t reserved8[6];
    uint64_t reserved[4]; /* must be zero */
} bp_blocked_bloom_config;

BP_SKETCH_API(blocked_bloom);

/* Adds a key; true when it was surely new (a bit was still clear), false when the
 * filter already answered yes for it. A filter opened without its secret key
 * (BP_OPEN_KEYLESS) takes no keys, and answers yes to all; hashes it takes. */
BP_API bool bp_blocked_bloom_add(bp_blocked_bloom *s, const void *key, size_t n);
/* The same for n keys; returns how many were surely new. was_new, unless NULL, gets one
 * byte (0 or 1) a key, as if they had been added in order: the second of two equal keys
 * is not new. */
BP_API size_t bp_blocked_bloom_add_n(bp_blocked_bloom *s, const bp_bytes *keys, size_t n,
                                     uint8_t *was_new);
BP_API size_t bp_blocked_bloom_add_hashes(bp_blocked_bloom *s, const uint64_t *hashes,
                                          size_t n, uint8_t *was_new);

/* false: surely never added. true: added, or a false positive. */
BP_API bool bp_blocked_bloom_has(const bp_blocked_bloom *s, const void *key, size_t n);
/* The same for n keys; returns the number of yes. hit, unless NULL, gets 0 or 1. */
BP_API size_t bp_blocked_bloom_has_n(const bp_blocked_bloom *s, const bp_bytes *keys,
                                     size_t n, uint8_t *hit);
BP_API size_t bp_blocked_bloom_has_hashes(const bp_blocked_bloom *s,
                                          const uint64_t *hashes, size_t n, uint8_t *hit);

/* How many different keys were added, from the bits that are set, and a range that holds
 * the truth at the confidence (0.95). Reads every bit. A full filter: value and upper are
 * infinite. BP_PARAM for a confidence that is not inside (0, 1). */
BP_API bp_status bp_blocked_bloom_estimate(const bp_blocked_bloom *s, double confidence,
                                           bp_estimate *out, bp_detail *why);

/* The false positive rate now: the chance that a key which was never added is answered
 * yes, exactly, from the bits of every block; or items / 2^64 where that is larger. */
BP_API double bp_blocked_bloom_fpr(const bp_blocked_bloom *s);

/* Makes s the filter that its keys would have made in `blocks` blocks, which must divide
 * those it has: neighbours are united. items shrinks with them, so that the rate that it
 * was made for stays. So a filter for a number of keys nobody knows is made too large,
 * and folded once they are in. BP_PARAM, and nothing changed, for another number. */
BP_API bp_status bp_blocked_bloom_fold(bp_blocked_bloom *s, uint64_t blocks,
                                       bp_detail *why);

/* The arithmetic of a configuration, without making a filter: fills in items, fpr,
 * blocks, memory (bytes of the blocks alone), hashes and layout from whichever were
 * given. The answer makes the same filter as the question. */
BP_API bp_status bp_blocked_bloom_size(const bp_blocked_bloom_config *cfg,
                                       bp_blocked_bloom_config *out, bp_detail *why);
/* The expected rate when n keys are in a filter of that layout, hashes (0: 8) and blocks:
 * the mean over the Poisson distribution of a block's keys. And of bits, the fraction
 * set. NaN for a layout or number of hashes that there is not. */
BP_API double bp_blocked_bloom_fpr_at(uint32_t layout, uint32_t hashes, uint64_t blocks,
                                      double n);
BP_API double bp_blocked_bloom_fill_at(uint32_t layout, uint32_t hashes, uint64_t blocks,
                                       double n);

#ifdef __cplusplus
}
#endif
#endif
