/* SPDX-License-Identifier: MIT
 * ballpark/binary_fuse.h - is it in the set? For a set that is known whole.
 *
 * Answers    bp_binary_fuse_has() is certain when it says no. A yes is wrong at the false
 *            positive rate 2^-bits, exactly: 0.39 %, 0.0015 % or 2.3e-10; never more,
 *            because the filter is built from all of its keys at once and is never full.
 * Instead    of a bloom, for sets that do not change: a quarter less memory at 0.4 %, and
 *            three places in memory a question, whatever the rate.
 * Memory     3 places: 9.0 bits a key at 1e7 keys (18 and 36 with fingerprints of 16 and
 *            32 bits), 9.5 at 1e5, 11 at 1e3. 4 places: 8.6 (17.2, 34.5), 9.0, 11.
 *            Building takes about 19 bytes a key more, which may be the caller's.
 * Time       one hash of the key, then 3 (4) reads that do not wait for each other.
 * Threads    const functions together.
 * Shards     a filter may consist of parts, so that its keys need not be in memory at
 *            once, nor on one core: build each, join them. A question reads 32 bytes
 *            more, of a table that stays near.
 * Build      takes the whole set, in any order and with repeats, and replaces what was
 *            there: the same set always gives the same bytes. It has no add, no remove
 *            and no merge: build again from all keys (BP_UNSUPPORTED).
 * Errors     BP_NOMEM, and BP_FULL when the caller's memory is too small; the filter is
 *            then as it was.
 * Paper      Graf and Lemire, "Binary Fuse Filters", ACM JEA 27, 2022.
 * Bytes      src/sketches/binary_fuse/FORMAT.md.
 */
#ifndef BALLPARK_BINARY_FUSE_H
#define BALLPARK_BINARY_FUSE_H

#include <ballpark/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_binary_fuse bp_binary_fuse;

/* new makes an empty filter, which answers no; build fills it. */
typedef struct bp_binary_fuse_config {
    bp_alloc alloc;
    bp_hash_spec hash;
    uint64_t items;       /* for place and footprint alone: the most keys that will be
                           * built from, up to 2^40; footprint is 0 without           */
    uint32_t bits;        /* of a fingerprint: 8 (the default), 16 or 32              */
    uint32_t arity;       /* places a key: 3 (the default), or 4: less memory, and one
                           * more read a question                                     */
    uint64_t shards;      /* parts, each of the keys whose hashes have the same highest
                           * bits: 1 (the default), 2, 4, ... 4,096                   */
    uint64_t reserved[4]; /* must be zero */
} bp_binary_fuse_config;

BP_SKETCH_API(binary_fuse);

/* Makes s the filter of these n keys; equal ones count once. scratch is working memory of
 * bp_binary_fuse_scratch() bytes, to be used again for the next filter; NULL: it is taken
 * from the filter's allocator and given back. A filter opened without its secret key
 * (BP_OPEN_KEYLESS) takes no keys; hashes it takes. */
BP_API bp_status bp_binary_fuse_build(bp_binary_fuse *s, const bp_bytes *keys, size_t n,
                                      void *scratch, size_t size, bp_detail *why);
BP_API bp_status bp_binary_fuse_build_hashes(bp_binary_fuse *s, const uint64_t *hashes,
                                             size_t n, void *scratch, size_t size,
                                             bp_detail *why);
/* Working memory for a filter like s of up to n keys; SIZE_MAX when this machine cannot
 * address so much. */
BP_API size_t bp_binary_fuse_scratch(const bp_binary_fuse *s, size_t n);

/* Makes s, made for n shards (n > 1), the filter of all that they hold: the same bytes as
 * when it is built from all keys. shards[i] is a filter of one shard, of the same bits,
 * arity and hash, built from the keys whose hash / 2^64 * n is i, rounded down; it may be
 * a view, and stays. BP_MISMATCH, BP_PARAM, BP_NOMEM: s is as it was. */
BP_API bp_status bp_binary_fuse_join(bp_binary_fuse *s,
                                     const bp_binary_fuse *const *shards, size_t n,
                                     bp_detail *why);

/* false: surely not among the keys. true: one of them, or a false positive. Without its
 * secret key a filter answers yes to all. */
BP_API bool bp_binary_fuse_has(const bp_binary_fuse *s, const void *key, size_t n);
/* The same for n keys; returns the number of yes. hit, unless NULL, gets 0 or 1. */
BP_API size_t bp_binary_fuse_has_n(const bp_binary_fuse *s, const bp_bytes *keys,
                                   size_t n, uint8_t *hit);
BP_API size_t bp_binary_fuse_has_hashes(const bp_binary_fuse *s, const uint64_t *hashes,
                                        size_t n, uint8_t *hit);

/* How many different keys it was built from (different hashes, to be exact: two of 2^32
 * keys have the same one); value and bounds are the same. BP_PARAM for a confidence that
 * is not inside (0, 1). */
BP_API bp_status bp_binary_fuse_estimate(const bp_binary_fuse *s, double confidence,
                                         bp_estimate *out, bp_detail *why);

/* The false positive rate: 2^-bits, and the chance items / 2^64 that a stranger has the
 * hash of a key; 0 for an empty filter. */
BP_API double bp_binary_fuse_fpr(const bp_binary_fuse *s);

#ifdef __cplusplus
}
#endif
#endif
