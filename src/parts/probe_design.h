/* SPDX-License-Identifier: MIT
 * probe_design.h - the arithmetic of filters that mark k of m cells for each key,
 * whatever a cell is: a bit (bloom) or a counter (counting_bloom). Sizing is in
 * probe_design.c, what can be read off the cells in probe_estimate.c. */
#ifndef BP_PROBE_DESIGN_H
#define BP_PROBE_DESIGN_H

#include "core/cursor.h"
#include "core/object.h"

/* The four numbers of a filter, after whichever were given have been solved for the
 * rest. fpr is the rate that was asked for, or 0 when it follows from the other three:
 * a computed rate is never stored, because libm may differ in its last bit. */
typedef struct bp_probe_design {
    uint64_t cells;
    uint64_t items;
    double fpr;
    uint32_t hashes;
} bp_probe_design;

enum { BP_PROBE_HASHES_MAX = 64 };
#define BP_PROBE_CELLS_MAX (UINT64_C(1) << 56)
#define BP_PROBE_ITEMS_MAX (UINT64_C(1) << 62)

/* log2(1/p) * 2^BP_PROBE_LOG_BITS, to 57 binary places, for 2^-63 < p <= 1/2: the same on
 * every machine. */
enum { BP_PROBE_LOG_BITS = 58 };
BP_INTERNAL uint64_t bp_probe_log2_inverse(double p);

/* Solves what is given for the rest (0: not given; cells at most BP_PROBE_CELLS_MAX).
 * BP_PARAM says what is contradictory or out of range. */
BP_INTERNAL bp_status bp_probe_solve(const bp_probe_design *given, bp_probe_design *d,
                                     bp_detail *why);
/* BP_OK when d is one that bp_probe_solve could have answered. */
BP_INTERNAL bp_status bp_probe_check(const bp_probe_design *d, bp_detail *why);
/* BP_MISMATCH, with both values, when the designs differ. */
BP_INTERNAL bp_status bp_probe_same(const bp_probe_design *a, const bp_probe_design *b,
                                    const char *sizes_differ, bp_detail *why);
/* The false positive rate with d->items in it. */
BP_INTERNAL double bp_probe_rate(const bp_probe_design *d);
/* The expected rate and fraction of cells used when n keys are in. */
BP_INTERNAL double bp_probe_fpr_at(uint64_t cells, uint32_t hashes, double n);
BP_INTERNAL double bp_probe_fill_at(uint64_t cells, uint32_t hashes, double n);

/* A design as 32 bytes of parameters: cells, items, rate, hashes, zero. get refuses what
 * put does not write, and leaves a reader that ran short to its caller. */
BP_INTERNAL void bp_probe_put(const bp_probe_design *d, bp_writer *w);
BP_INTERNAL bp_status bp_probe_get(bp_probe_design *d, bp_reader *r,
                                   const char *size_is_wrong, bp_detail *why);

/* How many different keys left `used` of the cells marked. */
BP_INTERNAL void bp_probe_estimate(const bp_probe_design *d, uint64_t used,
                                   double confidence, bp_estimate *out);
/* The false positive rate with `used` of the cells marked. */
BP_INTERNAL double bp_probe_rate_now(const bp_probe_design *d, uint64_t used);
/* Figures: of the design (hashes, items, fpr_design), then of the state (fill, fpr_now,
 * estimate, capacity_left) with the verdict. */
BP_INTERNAL void bp_probe_say_design(const bp_probe_design *d, bp_description *out);
BP_INTERNAL void bp_probe_say_state(const bp_probe_design *d, uint64_t used,
                                    bp_description *out);

#endif
