/* SPDX-License-Identifier: MIT
 * ballpark/ribbon.h - is it in the set? In the fewest bits, at any rate.
 *
 * Answers    bp_ribbon_has() is certain when it says no. A yes is wrong at the false
 *            positive rate asked for, any from 0.5 to 1e-9, not the nearest power of two:
 *            the filter is built from all of its keys at once and is never full.
 * Instead    of a binary_fuse, where memory counts more than time: 10 % over the
 *            theoretical minimum of log2(1/fpr) bits a key, 5 % with width 128, and
 *            0.5 % when compact (a binary_fuse: 13 %, and rates of 2^-8, 2^-16, 2^-32).
 *            Between powers of two up to 0.09 bits a key more: a compact one then takes
 *            1.6 % over the minimum at 1 %, 3 % at 10 %.
 * Memory     at 1 %: 7.4 bits a key, 7.1 with width 128, 6.75 compact; at 0.1 %: 11.2,
 *            10.6, 10.0. Below some 10,000 keys more. Building takes about 17 bytes a
 *            key (width 128: 25; compact: 4 more), which may be the caller's.
 * Time       one hash of the key, then 2 * log2(1/fpr) words that lie together (3 * with
 *            width 128): one to three cache lines. A compact filter asks its table of
 *            bumps first, a quarter of a bit for 16 keys.
 * Threads    const functions together.
 * Build      takes the whole set, in any order and with repeats, and replaces what was
 *            there: the same set always gives the same bytes, and no set fails. It has no
 *            add, no remove and no merge: build again from all keys (BP_UNSUPPORTED).
 * Errors     BP_NOMEM, and BP_FULL when the caller's memory is too small; the filter is
 *            then as it was.
 * Paper      Dillinger, Hübschle-Schneider, Sanders and Walzer, "Fast Succinct Retrieval
 *            and Approximate Membership Using Ribbon", SEA 2022.
 * Bytes      src/sketches/ribbon/FORMAT.md.
 */
#ifndef BALLPARK_RIBBON_H
#define BALLPARK_RIBBON_H

#include <ballpark/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_ribbon bp_ribbon;

/* new makes an empty filter, which answers no; build fills it. */
typedef struct bp_ribbon_config {
    bp_alloc alloc;
    bp_hash_spec hash;
    uint64_t items; /* for place and footprint alone: the most keys that will be
                     * built from, up to 2^40; footprint is 0 without             */
    double fpr;     /* false positive rate, 1e-9 .. 0.5; 0: 1 %                   */
    uint32_t width; /* slots a key's equation spans: 64 (the default), or 128:
                     * less memory, slower to build and to ask                    */
    bool compact;   /* for data that is kept more than asked: slower to build, and
                     * asked in two steps; less memory than all others            */
    uint8_t reserved8[3];
    uint64_t reserved[4]; /* must be zero */
} bp_ribbon_config;

BP_SKETCH_API(ribbon);

/* Makes s the filter of these n keys; equal ones count once. scratch is working memory of
 * bp_ribbon_scratch() bytes, to be used again for the next filter; NULL: it is taken from
 * the filter's allocator and given back. A filter opened without its secret key
 * (BP_OPEN_KEYLESS) takes no keys; hashes it takes. */
BP_API bp_status bp_ribbon_build(bp_ribbon *s, const bp_bytes *keys, size_t n,
                                 void *scratch, size_t size, bp_detail *why);
BP_API bp_status bp_ribbon_build_hashes(bp_ribbon *s, const uint64_t *hashes, size_t n,
                                        void *scratch, size_t size, bp_detail *why);
/* Working memory for a filter like s of up to n keys; SIZE_MAX when this machine cannot
 * address so much. */
BP_API size_t bp_ribbon_scratch(const bp_ribbon *s, size_t n);

/* false: surely not among the keys. true: one of them, or a false positive. Without its
 * secret key a filter answers yes to all. */
BP_API bool bp_ribbon_has(const bp_ribbon *s, const void *key, size_t n);
/* The same for n keys; returns the number of yes. hit, unless NULL, gets 0 or 1. */
BP_API size_t bp_ribbon_has_n(const bp_ribbon *s, const bp_bytes *keys, size_t n,
                              uint8_t *hit);
BP_API size_t bp_ribbon_has_hashes(const bp_ribbon *s, const uint64_t *hashes, size_t n,
                                   uint8_t *hit);

/* How many different keys it was built from (different hashes, to be exact: two of 2^32
 * keys have the same one); value and bounds are the same. BP_PARAM for a confidence that
 * is not inside (0, 1). */
BP_API bp_status bp_ribbon_estimate(const bp_ribbon *s, double confidence,
                                    bp_estimate *out, bp_detail *why);

/* The false positive rate: at most the one asked for, plus the chance items / 2^64 that a
 * stranger has the hash of a key; 0 for an empty filter. */
BP_API double bp_ribbon_fpr(const bp_ribbon *s);

#ifdef __cplusplus
}
#endif
#endif
