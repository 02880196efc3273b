/* SPDX-License-Identifier: MIT
 * plan.h - how large a sketch has to be: the arithmetic that `size` explains and that
 * `filter build` acts on. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "cli.h"

typedef enum cli_plan_kind {
    PLAN_BLOOM,
    PLAN_BLOCKED,
    PLAN_COUNT_MIN,
    PLAN_HLL
} cli_plan_kind;

/* What was asked for and what follows from it; fields of other kinds are 0. */
typedef struct cli_plan {
    cli_plan_kind kind;
    const char *name; /* of the kind, in the registry */
    uint64_t items;   /* count_min: everything counted; hll: 0 when not asked */
    uint64_t bytes;
    bp_bloom_config bloom; /* bloom: to be made with */
    bp_blocked_bloom_config blocked;
    double fpr; /* bloom, blocked_bloom */
    uint64_t bits;
    uint32_t hashes;
    uint64_t blocks;
    uint64_t width; /* count_min */
    uint32_t depth;
    double epsilon;
    double delta;
    uint32_t precision; /* hll */
    double standard_error;
} cli_plan;

/* Chooses the kind (-k, or by the options that were given) and fills in all that
 * follows. CLI_OK or CLI_ERROR, printed. */
int cli_plan_make(cli_plan *p, const cli_options *o);
/* The same for a bloom alone. items: 0, or a count that takes the place of -n. */
int cli_plan_bloom(cli_plan *p, const cli_options *o, uint64_t items);

/* The same for a filter: a bloom, or what -k asks for. */
int cli_plan_filter(cli_plan *p, const cli_options *o, uint64_t items);

/* The rate, and the fraction of bits set, when n items are in the filter of a plan. */
double cli_plan_fpr_at(const cli_plan *p, double n);
double cli_plan_fill_at(const cli_plan *p, double n);

/* The number of hashes (1 .. 64) with the lowest false positive rate. */
uint32_t cli_best_hashes(uint64_t bits, uint64_t items);

/* A count_min as commands fill it: for weights, with counters that hold their sums.
 * CLI_OK or CLI_ERROR, printed. */
int cli_plan_counts(const cli_options *o, bp_count_min_config *out);

/* How far over its truth a count of the list may be at most, as a share of all lines, for
 * all rows together at the confidence: ((1 - confidence) / k)^(-1 / depth) / width. */
double cli_top_k_share(const bp_top_k_config *made, double confidence);
/* The memory that keeps the share at --error; made: k and depth. CLI_OK or CLI_ERROR,
 * printed. */
int cli_plan_top_k(const cli_options *o, const bp_top_k_config *made, uint64_t *memory);

/* The rate a filter was made for: as asked, or as its size makes it. */
double cli_bloom_rate(const bp_bloom_config *made);

#endif
