/* SPDX-License-Identifier: MIT
 * answers.h - what a sketch answers, as rows of a table: for the command that fills it
 * and for the one that asks it again. */
#ifndef CLI_ANSWERS_H
#define CLI_ANSWERS_H

#include "cli.h"

/* What distinct prints of an hll. The columns from CLI_DISTINCT_SAVED on tell of the
 * input, of which a saved sketch knows nothing. */
enum { CLI_DISTINCT_SAVED = 5, CLI_DISTINCT_COLUMNS = 7 };
extern const cli_column cli_distinct_columns[CLI_DISTINCT_COLUMNS];
int cli_distinct_row(cli_table *t, const char *kind, const bp_estimate *e,
                     double confidence, const cli_tally *tally);
int cli_distinct_rows(const cli_count *c, cli_table *t, const bp_any *s);
/* "98,304  ±1.6%  (96,732 to 99,876, 95% confidence)" */
int cli_distinct_say(const cli_count *c, const bp_any *s);

/* What top prints of a top_k; c->own is a size_t, the rows at most. */
enum { CLI_TOP_COLUMNS = 6, CLI_TOP_MOST = 1 << 20 };
extern const cli_column cli_top_columns[CLI_TOP_COLUMNS];
int cli_top_row(cli_table *t, uint64_t rank, const bp_top_k_item *item, uint64_t total);
int cli_top_rows(const cli_count *c, cli_table *t, const bp_any *s);
bp_status cli_top_settle(bp_any *s);
/* Warns when no item stands out from the noise; nothing with -q. */
void cli_top_warn(const cli_options *o, const bp_top_k *s);

/* Fills in columns, rows, settle and say of *c for a saved sketch of the kind. false:
 * there is no answer without a question. */
bool cli_answer_of(const bp_kind_info *kind, cli_count *c);

#endif
