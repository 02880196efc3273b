/* SPDX-License-Identifier: MIT
 * ballpark/top_k.h - which k keys come most often, with a bound on each count.
 *
 * Answers    bp_top_k_next() lists up to k keys, most frequent first, each with
 *            [lower, upper]. upper is certain: the truth is never above it. While
 *            the sketch is exact (few different keys) lower == upper == the truth;
 *            afterwards lower is the larger of what was counted for certain since the
 *            key became a candidate, and upper less the table's error bound, which holds
 *            with the confidence asked for: in a list, for all keys together that belong
 *            there.
 * Memory     grows: an exact list of keys and counts (12 bytes and the key each, 20 with
 *            a keyed hash) while that is not more than `memory`, then a conservative
 *            Count-Min of that size and the best keys: up to max(2k, 16, min(512,
 *            memory / 256)) of them, but beyond k only while their bytes fit `memory`,
 *            too. About 150 bytes a key and, over 32 bytes, the key. So adds may fail
 *            with BP_NOMEM. Keys are kept whole, up to 2 GiB - 1 each.
 * Time       An add of a key that is kept touches one slot and the key; any other
 *            `depth` counters. Batches are looked up 64 at a time.
 * Threads    const functions together.
 * Merge      adds the tables and joins the candidates of both; k, memory, depth and
 *            hashing must be the same. Two lists stay a list while it fits. A key that is
 *            a candidate of neither side can be missed. Sketches opened BP_OPEN_KEYLESS
 *            merge too, but for two lists that no longer fit: BP_UNSUPPORTED.
 * Says       when there is nothing to say: on a flat stream the bound swallows the
 *            counts, and bp_top_k_verdict says that no key stands out.
 * Paper      Cormode and Muthukrishnan, J. Algorithms 55, 2005, section 4.1 with a
 *            heap; conservative update: Estan and Varghese, SIGCOMM 2002; candidates
 *            counted apart: Roy, Khan and Alonso, SIGMOD 2016.
 * Bytes      src/compound/top_k/FORMAT.md.
 */
#ifndef BALLPARK_TOP_K_H
#define BALLPARK_TOP_K_H

#include <ballpark/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_top_k bp_top_k;

typedef struct bp_top_k_config {
    bp_alloc alloc;
    bp_hash_spec hash;
    uint32_t k;      /* keys to report, 1 .. 2^20; 0 means 10                       */
    uint32_t depth;  /* rows of the table, 1 .. 32; 0 means 2                       */
    uint64_t memory; /* bytes of the table, 256 .. 2^40; 0 chooses from k: the
                      * larger of 128 KiB and 2 KiB a key                          */
    uint64_t reserved[4]; /* must be zero */
} bp_top_k_config;

BP_SKETCH_API(top_k);

/* Adds a key `by` times (0 does nothing). BP_OK, or nothing changed: BP_NOMEM, or
 * BP_PARAM for a key of 2 GiB or more, BP_UNSUPPORTED for a sketch opened
 * BP_OPEN_KEYLESS. Counts saturate at 2^64 - 1: that or more. */
BP_API bp_status bp_top_k_add(bp_top_k *s, const void *key, size_t n, uint64_t by);
/* The same for n keys, by NULL meaning 1 each. *done, unless NULL, gets how many were
 * added: n on BP_OK, fewer otherwise, and those are whole. */
BP_API bp_status bp_top_k_add_n(bp_top_k *s, const bp_bytes *keys, size_t n,
                                const uint64_t *by, size_t *done);

typedef struct bp_top_k_item {
    bp_bytes key; /* borrowed from the sketch, until it changes        */
    uint64_t count;
    uint64_t lower;
    uint64_t upper;
} bp_top_k_item;

/* A walk over the top keys: top fills the cursor's order, next hands out one row and
 * answers false at the end. Ties are in the order of the keys' bytes. A sketch that
 * changes ends its cursors. */
typedef struct bp_top_k_cursor {
    uint64_t private_[6];
} bp_top_k_cursor;
/* Puts the rows in their order, until the next add or merge. Without it a walk is right
 * too, but every row costs a look at all keys that are kept: worth it for long lists. */
BP_API bp_status bp_top_k_settle(bp_top_k *s, bp_detail *why);
/* Starts a walk over at most `rows` rows (0: k). BP_PARAM for a bad confidence. */
BP_API bp_status bp_top_k_top(const bp_top_k *s, size_t rows, double confidence,
                              bp_top_k_cursor *out, bp_detail *why);
BP_API bool bp_top_k_next(const bp_top_k *s, bp_top_k_cursor *c, bp_top_k_item *item);

/* Bounds of any key, listed or not, chosen before looking; out->key is the caller's.
 * BP_UNSUPPORTED for a sketch opened BP_OPEN_KEYLESS. */
BP_API bp_status bp_top_k_bounds(const bp_top_k *s, const void *key, size_t n,
                                 double confidence, bp_top_k_item *out, bp_detail *why);

/* Everything added so far; saturates at 2^64 - 1. */
BP_API uint64_t bp_top_k_total(const bp_top_k *s);

/* true while every different key is kept with its exact count. */
BP_API bool bp_top_k_is_exact(const bp_top_k *s);

/* true when the largest count is above the table's error bound at the confidence, as it
 * always is while exact and not empty; false: no heavy hitters at this memory. */
BP_API bool bp_top_k_verdict(const bp_top_k *s, double confidence);

#ifdef __cplusplus
}
#endif
#endif
