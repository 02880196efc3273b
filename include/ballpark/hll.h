/* SPDX-License-Identifier: MIT
 * ballpark/hll.h - how many different? 12 KB for 0.81 % at any count up to 10^18.
 *
 * Answers    bp_hll_estimate(): standard error 1.04 / sqrt(2^precision) (4: 26 %,
 *            10: 3.25 %, 12: 1.63 %, 14: 0.81 %, 16: 0.41 %, 18: 0.2 %) and a bias of
 *            at most 1.1 / 2^precision at every count. While few, at most
 *            max(128, 3/16 * 2^precision), keys are counted all but exactly: n of them
 *            come out as n but for odds of n^2 / (6 * 2^26), 1 in 40,000 for 100.
 *            Ranges hold the truth as often as the confidence says, at every count.
 * Memory     grows: 4 bytes a key while few, then 3/4 byte a register: 2^precision *
 *            3/4 bytes. A sketch of 5 keys takes under 300 bytes in all. Becoming
 *            dense needs both for a moment, which is why footprint is larger; with
 *            .dense it is not. Adds may fail with BP_NOMEM on the way, once dense they
 *            cannot. Time: in batches about 1 ns an add beside the hash, less past 4
 *            keys a register; a few ns one by one; 30 to 110 ns while few.
 * Threads    const functions together; with .concurrent (dense from the start, one
 *            byte a register in memory) adds at the same time too.
 * Merge      any order, any number of times: the union of the streams, to the byte.
 *            (What a .dense or .concurrent sketch is merged into becomes dense.)
 *            Precisions must be equal; bp_hll_fold lowers one when that is wanted.
 * Paper      Flajolet et al., AofA 2007; 64-bit hashes and the sparse form after
 *            Heule et al., EDBT 2013; estimator: Ertl, arXiv:1702.01284, section 4.
 * Bytes      src/sketches/hll/FORMAT.md.
 */
#ifndef BALLPARK_HLL_H
#define BALLPARK_HLL_H

#include <ballpark/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_hll bp_hll;

typedef struct bp_hll_config {
    bp_alloc alloc;
    bp_hash_spec hash;
    uint32_t precision; /* 4 .. 18: 2^precision registers; 0 means 14 */
    bool concurrent;    /* many threads may add while const calls run */
    bool dense;         /* no sparse form: adds can never fail        */
    uint8_t reserved8[2];
    uint64_t reserved[4]; /* must be zero */
} bp_hll_config;

BP_SKETCH_API(hll);

/* Adds a key. BP_OK, or BP_NOMEM and nothing changed; BP_UNSUPPORTED for a sketch that
 * was opened without its key. */
BP_API bp_status bp_hll_add(bp_hll *s, const void *key, size_t n);
/* The same for n keys. On BP_NOMEM some of them may have been added; adding them
 * all again does no harm. */
BP_API bp_status bp_hll_add_n(bp_hll *s, const bp_bytes *keys, size_t n);
BP_API bp_status bp_hll_add_hashes(bp_hll *s, const uint64_t *hashes, size_t n);

/* How many different keys were added, with a range that holds the truth at the
 * confidence (0.95). While few, lower is certain. When all registers are saturated, past
 * 10^19, value and range are infinite. BP_PARAM for a confidence not inside (0, 1). */
BP_API bp_status bp_hll_estimate(const bp_hll *s, double confidence, bp_estimate *out,
                                 bp_detail *why);

/* 1.04 / sqrt(2^precision): the relative standard error, once dense. */
BP_API double bp_hll_standard_error(uint32_t precision);

/* Lowers the precision, to what a sketch of that precision would have been. BP_PARAM
 * unless 4 <= precision <= the sketch's own. Concurrent sketches: BP_UNSUPPORTED.
 * BP_NOMEM when it must become dense for that, and nothing changed. */
BP_API bp_status bp_hll_fold(bp_hll *s, uint32_t precision, bp_detail *why);

/* Tidies a sparse sketch (sorts its keys), so that const calls are fastest. Never
 * needed for right answers. */
BP_API void bp_hll_settle(bp_hll *s);

#ifdef __cplusplus
}
#endif
#endif
