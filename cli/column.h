/* SPDX-License-Identifier: MIT
 * column.h - the values of a typed column, of which lines are the text. */
#ifndef CLI_COLUMN_H
#define CLI_COLUMN_H

#include "cli.h"

enum { CLI_COLUMN_MOST = 4096 };

typedef struct cli_column_values {
    cli_value_type type;
    uint64_t room[CLI_COLUMN_MOST];
    bp_bytes keys[CLI_COLUMN_MOST];
    uint64_t others; /* texts so far that are no value of the type */
    cli_text first;  /* the first of them, or its beginning          */
} cli_column_values;

/* The keys that n <= CLI_COLUMN_MOST texts stand for, until the next call. */
const bp_bytes *cli_column_keys(cli_column_values *c, const bp_bytes *texts, size_t n);
/* Of the bitmap that a filter answered for those keys: makes the answer no for what is no
 * value of the type. Returns how many of `yes` are left. */
size_t cli_column_only(const cli_column_values *c, size_t n, uint8_t *bits, size_t yes);
/* cli_read for a sink of hashes: with --type, of the values that the lines are the text
 * of. A line that is none ends in an error, unless --skip-bad. */
int cli_read_values(const cli_options *o, const cli_sink *sink, cli_tally *tally,
                    bool *fatal);
/* Says how many there were of those, if any. */
void cli_column_warn(const cli_column_values *c);

#endif
