/* SPDX-License-Identifier: MIT
 * plan.h - how large a sketch has to be: the arithmetic that `size` explains and that
 * `filter build` acts on. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "cli.h"

typedef enum cli_plan_kind { PLAN_FILTER, PLAN_COUNT_MIN, PLAN_HLL } cli_plan_kind;
typedef struct cli_filter_kind cli_filter_kind;

/* What was asked for and what follows from it; fields of other kinds are 0. */
typedef struct cli_plan {
    cli_plan_kind kind;
    const char *name; /* of the kind, in the registry */
    uint64_t items;   /* count_min: everything counted; hll: 0 when not asked */
    uint64_t bytes;
    cli_config config; /* filters: to be made with */
    const cli_filter_kind *filter;
    double fpr;     /* at that many items */
    uint64_t build; /* the memory that takes, with the filter */
    uint32_t lines; /* of the cache that a question looks at, at most */
    uint64_t bits;  /* bloom, blocked_bloom */
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
 * follows. CLI_OK or CLI_ERROR, printed. Of several filters none is chosen where the
 * options leave it open: then p->filter is NULL, and p->kind PLAN_FILTER. */
int cli_plan_make(cli_plan *p, const cli_options *o);

/* ----------------------------------------------------------- filters (plan_filter.c) */

/* What a person who chooses a filter wants to know of a kind. */
struct cli_filter_kind {
    const char *name; /* in the registry */
    uint64_t takes;   /* options that mean something for it: bits OPT_... */
    cli_opt option;   /* that asks for it without naming it; 0: none */
    bool is_static;   /* built of all its items at once */
    bool deletes;     /* items can be taken out again */
    bool grows;       /* takes more items than it was made for */
    bool is_united;   /* parts that threads fill are united at the end */
    /* What it is to be made with, for the options; and what follows from that. */
    bp_status (*size)(cli_config *made, const cli_options *o, bp_detail *why);
    void (*read)(cli_plan *p);
    /* The rate, and the fraction of cells in use, when n items are in; NULL for what is
     * never over its capacity. */
    double (*fpr_at)(const cli_plan *p, double n);
    double (*fill_at)(const cli_plan *p, double n);
};

/* The kinds, i = 0, 1, ...; NULL past the end. And by its name in the registry. */
const cli_filter_kind *cli_filter_at(size_t i);
const cli_filter_kind *cli_filter_of(const char *name);
/* The kind that -k or --static, --deletable, --growing ask for, or the usual one for the
 * rate; and in words, why that one. CLI_OK or CLI_ERROR, printed. */
int cli_filter_choose(const cli_options *o, const cli_filter_kind **kind);
const char *cli_filter_reason(const cli_options *o);

/* The plan of a filter that is there. */
void cli_plan_of(cli_plan *p, const cli_filter_kind *kind, const cli_config *config);
/* The sums for one kind. Prints nothing: what is wrong is in *why. */
bp_status cli_plan_try(cli_plan *p, const cli_filter_kind *kind, const cli_options *o,
                       bp_detail *why);
/* The same, with options that mean nothing for the kind refused. items: 0, or a count
 * that takes the place of -n. CLI_OK or CLI_ERROR, printed. */
int cli_plan_filter(cli_plan *p, const cli_filter_kind *kind, const cli_options *o,
                    uint64_t items);

/* For whoever does not say how many, or how good. */
#define CLI_ITEMS_USUAL UINT64_C(1000000)
#define CLI_FPR_USUAL 0.01
double cli_bits_per_item(const cli_plan *p);

/* All kinds in a table, for -n and -p; those that cannot keep the rate say why on stderr.
 * And on one line of stderr what an item would take in those that were not chosen.
 * (compare.c) */
int cli_compare_filters(const cli_options *o);
void cli_filter_others(const cli_options *o, const char *chosen);

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

#endif
