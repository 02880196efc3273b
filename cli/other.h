/* SPDX-License-Identifier: MIT
 * other.h - the file that the input's lines are held against: FILE of `filter test
 * --exact`, B of `filter anti` and `filter semi`. */
#ifndef CLI_OTHER_H
#define CLI_OTHER_H

#include "cli.h"

typedef struct cli_other {
    cli_options o; /* how it is read */
    cli_file file;
    off_t at; /* where it begins, when it is standard input that can be read again */
} cli_other;

/* Bytes of a file; 0: it is none that knows (a pipe), is missing or empty. */
uint64_t cli_file_size(const cli_file *file);

/* Whether what is read from that name is standard input's: it is -, or another name, as
 * /dev/stdin, of the same pipe. (A file by another name is read on its own.) */
bool cli_is_stdin(const char *name);

/* So that it can be read again and again; a pipe is copied first. fields: which of them
 * are the item, split as o says; NULL: the lines as they stand. CLI_OK or CLI_ERROR,
 * printed; cli_other_close either way. */
int cli_other_open(cli_other *x, const cli_options *o, const char *name,
                   const cli_fields *fields);
/* From its beginning, as cli_read. CLI_OK or CLI_ERROR, printed; then something of it is
 * missing. */
int cli_other_read(const cli_other *x, const cli_sink *sink, cli_tally *tally);
void cli_other_close(cli_other *x);

#endif
