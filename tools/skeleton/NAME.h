/* SPDX-License-Identifier: MIT
 * ballpark/@NAME@.h - how many different keys, by linear counting: a table of bits.
 *
 * Answers    bp_@NAME@_estimate(): the different keys added, with bounds. Good until
 *            about three keys a bit; `describe` says when it is past that.
 * Memory     bits / 8 bytes, fixed. One bit written per add.
 * Threads    const functions together.
 * Merge      the union of both streams; bits and hashing must be the same.
 * Paper      Whang, Vander-Zanden and Taylor, ACM TODS 15(2), 1990, sections 2 and 4.
 * Bytes      src/@ROOM@/@NAME@/FORMAT.md.
 */
#ifndef BALLPARK_@UPPER@_H
#define BALLPARK_@UPPER@_H

#include <ballpark/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_@NAME@ bp_@NAME@;

typedef struct bp_@NAME@_config {
    bp_alloc alloc;
    bp_hash_spec hash;
    uint64_t bits;        /* a multiple of 64, 64 .. 2^32; 0 means 8192 */
    uint64_t reserved[4]; /* must be zero */
} bp_@NAME@_config;

BP_SKETCH_API(@NAME@);

/* Adds a key; true when it was surely new. */
BP_API bool bp_@NAME@_add(bp_@NAME@ *s, const void *key, size_t n);

/* The different keys added. BP_PARAM for a confidence outside (0, 1). */
BP_API bp_status bp_@NAME@_estimate(const bp_@NAME@ *s, double confidence,
                                    bp_estimate *out, bp_detail *why);

#ifdef __cplusplus
}
#endif
#endif
