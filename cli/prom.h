/* SPDX-License-Identifier: MIT
 * prom.h - between table.c and prom.c; and the metrics, so that each has the same words
 * wherever it is printed, as the collector wants it. */
#ifndef CLI_PROM_H
#define CLI_PROM_H

#include "cli.h"

/* The metric and help of a cli_column. */
#define CLI_METRIC_INFO "ballpark_sketch_info", "What the sketch is."
#define CLI_METRIC_MEMORY                                                                \
    "ballpark_sketch_memory_bytes", "Size of the sketch as it is saved."
#define CLI_METRIC_HEALTH                                                                \
    "ballpark_sketch_health",                                                            \
        "0: ok, 1: near to what the sketch was made for, 2: over it."
#define CLI_METRIC_ITEMS                                                                 \
    "ballpark_sketch_items", "Items the sketch was given, as far as it knows: all of "   \
                             "them, or the different ones."
#define CLI_METRIC_CAPACITY                                                              \
    "ballpark_filter_capacity_items", "Different items the filter was made for."
#define CLI_METRIC_FILL "ballpark_filter_fill_ratio", "Share of the filter's bits set."
#define CLI_METRIC_FPR_NOW                                                               \
    "ballpark_filter_fpr_estimated_ratio", "False positive rate of the filter now."
#define CLI_METRIC_FPR_DESIGN                                                            \
    "ballpark_filter_fpr_target_ratio",                                                  \
        "False positive rate that the filter was made for."
#define CLI_METRIC_DISTINCT "ballpark_distinct_estimate", "Different items, estimated."
#define CLI_METRIC_DISTINCT_LOWER                                                        \
    "ballpark_distinct_estimate_lower",                                                  \
        "Lower end of the range that holds the different items at the confidence."
#define CLI_METRIC_DISTINCT_UPPER                                                        \
    "ballpark_distinct_estimate_upper",                                                  \
        "Upper end of the range that holds the different items at the confidence."
#define CLI_METRIC_SHARE                                                                 \
    "ballpark_topk_share_ratio", "Share of all, of the most frequent items by rank."

typedef struct cli_prom cli_prom;
/* NULL: out of memory. */
cli_prom *cli_prom_begin(const cli_column *columns, size_t n);
/* A real that is not a number is no sample. */
void cli_prom_row(cli_prom *p, const cli_cell *cells);
/* Prints, to NULL: only frees. CLI_OK or CLI_ERROR, printed. */
int cli_prom_end(cli_prom *p, FILE *to);

#endif
