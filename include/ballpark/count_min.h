/* SPDX-License-Identifier: MIT
 * ballpark/count_min.h - how often? 54 kB for counts over by at most 0.1 % of all.
 *
 * Answers    bp_count_min_count(): never below the truth, for certain; above it by
 *            more than epsilon * total with probability at most delta.
 * Memory     width * depth counters of 4 or 8 bytes, width = ceil(e / epsilon), depth =
 *            ceil(ln 1/delta), fixed: 2719 x 5 and 54 kB for (0.001, 0.01). Time: one
 *            hash of the key and depth counters.
 * Threads    const functions together; with .concurrent (plain update only) adds at
 *            the same time too. Bytes encoded or a copy taken while adds run may hold
 *            some of an add's counters and not yet the others: counts are right for
 *            every add that had returned before.
 * Merge      adds up: same width, depth, counter size, update rule and hashing.
 *            Merged conservative sketches stay upper bounds, a little looser.
 * Saturates  A counter stays at its largest value, 2^32 - 1 or 2^64 - 1, total at 2^64 -
 *            1: a count that says so means that or more. describe is over then, and
 *            near when the highest counter is past half of its range.
 * Beware     rare keys: each answer carries the noise of epsilon * total. Never bill
 *            or judge on a small count without looking at the bound.
 * Paper      Cormode and Muthukrishnan, J. Algorithms 55, 2005, section 4.1;
 *            conservative update: Estan and Varghese, SIGCOMM 2002, section 3.3.
 * Bytes      src/sketches/count_min/FORMAT.md.
 */
#ifndef BALLPARK_COUNT_MIN_H
#define BALLPARK_COUNT_MIN_H

#include <ballpark/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_count_min bp_count_min;

/* The width comes from epsilon or is given, the depth from delta or is given; both may
 * be given where they agree. All zero means (0.001, 0.01). */
typedef struct bp_count_min_config {
    bp_alloc alloc;
    bp_hash_spec hash;
    double epsilon;        /* error as a share of the total; 0 without width: 0.001 */
    double delta;          /* how often it may be more; 0 without depth: 0.01       */
    uint64_t width;        /* counters a row, 1 .. 2^40                   */
    uint32_t depth;        /* rows, 1 .. 32                               */
    uint32_t counter_bits; /* 32 or 64; 0 means 32                     */
    bool conservative;     /* raise only the smallest counters of a key             */
    bool concurrent;       /* plain update only; not kept in encoded bytes          */
    uint8_t reserved8[6];
    uint64_t reserved[4]; /* must be zero */
} bp_count_min_config;

BP_SKETCH_API(count_min);

/* Adds a key `by` times (0 asks only); returns the new estimate of its count.
 * Counters that reach their largest value stay there and describe says so; total
 * saturates the same way at 2^64 - 1. Opened BP_OPEN_KEYLESS it takes no keys and answers
 * the largest value for all. */
BP_API uint64_t bp_count_min_add(bp_count_min *s, const void *key, size_t n, uint64_t by);
/* The same for n keys: by NULL means 1 each; counts, unless NULL, gets the new
 * estimate after each add. */
BP_API void bp_count_min_add_n(bp_count_min *s, const bp_bytes *keys, size_t n,
                               const uint64_t *by, uint64_t *counts);
BP_API void bp_count_min_add_hashes(bp_count_min *s, const uint64_t *hashes, size_t n,
                                    const uint64_t *by, uint64_t *counts);

/* Adds keys in order for as long as their new estimates stay at or below `most`; the
 * first that would be above is not added, nor is any after it. Returns how many were: a
 * heavy hitter is met before it is counted. Adds nothing to a concurrent sketch. */
BP_API size_t bp_count_min_add_hashes_upto(bp_count_min *s, const uint64_t *hashes,
                                           size_t n, const uint64_t *by, uint64_t most);

/* An upper bound of the key's count, for certain. 2^32 - 1 (32-bit counters) or 2^64 - 1
 * (64-bit) means that or more. */
BP_API uint64_t bp_count_min_count(const bp_count_min *s, const void *key, size_t n);
BP_API void bp_count_min_count_n(const bp_count_min *s, const bp_bytes *keys, size_t n,
                                 uint64_t *counts);
BP_API void bp_count_min_count_hashes(const bp_count_min *s, const uint64_t *hashes,
                                      size_t n, uint64_t *counts);

/* value = upper = count (certain, but for an infinite upper when saturated); lower =
 * max(0, value - a * total), a = (1 - confidence)^(-1/depth) / width, holds with the
 * confidence for a key chosen before looking; 0 when total is saturated. */
BP_API bp_status bp_count_min_bounds(const bp_count_min *s, const void *key, size_t n,
                                     double confidence, bp_estimate *out, bp_detail *why);

/* Everything added so far: the sum of all `by`. */
BP_API uint64_t bp_count_min_total(const bp_count_min *s);

/* Takes src out of dst again, as a window does with its oldest part. Plain sketches
 * only, and only one that was merged in: BP_UNSUPPORTED when either is conservative
 * or saturated, BP_PARAM when a counter of src is larger than dst's; dst is unchanged
 * then. src must not be added to meanwhile. */
BP_API bp_status bp_count_min_subtract(bp_count_min *dst, const bp_count_min *src,
                                       bp_detail *why);

/* The arithmetic of a configuration: *out is cfg (NULL: all zero) with width, depth,
 * counter_bits, epsilon and delta filled in; the last two as given, or what the table
 * keeps: e / width and e^-depth. */
BP_API bp_status bp_count_min_size(const bp_count_min_config *cfg,
                                   bp_count_min_config *out, bp_detail *why);

#ifdef __cplusplus
}
#endif
#endif
