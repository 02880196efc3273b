/* SPDX-License-Identifier: MIT
 * ask.h - asking a saved sketch for keys: what `count` does, and `query` with keys. */
#ifndef CLI_ASK_H
#define CLI_ASK_H

#include "groups.h"

/* What is asked: one sketch, or a file of groups without --only, whose sketch is NULL. */
typedef struct cli_asked {
    const char *name; /* of the file */
    const bp_kind_info *kind;
    bp_any *sketch;           /* to be settled, and not changed */
    cli_group_reader *groups; /* NULL: a file of one sketch */
    /* what the others are kept by */
    cli_saved saved;
    cli_group_list *list;
    bp_hash_spec hash;
} cli_asked;

/* Opens the sketch that the first operand names, or with --only one of its groups, and
 * takes the name off o->files; what is left of them are keys. CLI_OK or CLI_ERROR,
 * printed; cli_ask_close either way. */
int cli_ask_open(cli_options *o, cli_asked *a);
void cli_ask_close(cli_asked *a);

/* Whether the command line has keys: operands, or --keys-from. */
bool cli_ask_has_keys(const cli_options *o);

/* Whether the first key is a file's name, too. */
bool cli_ask_names_file(const cli_options *o);

/* Whether sketches of the kind answer for a key how often it came, or whether it is in.
 */
bool cli_ask_counts(const bp_kind_info *kind);
bool cli_ask_members(const bp_kind_info *kind);

/* Prints a row for each key, of one sketch of a kind that answers for keys. CLI_OK when
 * one of them was found (its count is above zero, or it may be in), CLI_NONE when none
 * was, CLI_ERROR, printed. */
int cli_ask_keys(const cli_options *o, const cli_asked *asked);

#endif
