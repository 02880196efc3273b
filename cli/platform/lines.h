/* SPDX-License-Identifier: MIT
 * lines.h - what depends on the machine: finding line ends, counting cores and memory. */
#ifndef CLI_LINES_H
#define CLI_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Line ends are found in steps of this many bytes, so out needs room for as many. */
enum { CLI_LINES_STEP = 64 };

/* Writes, for every byte `end` in the first bytes of text, the offset just after it,
 * until `most` or more are found (never more than most + CLI_LINES_STEP - 1) or n bytes
 * are seen. Returns how many; *scanned says how far it looked. out needs room for most +
 * 2 * CLI_LINES_STEP. */
size_t cli_line_ends(const char *text, size_t n, char end, uint32_t *out, size_t most,
                     size_t *scanned);

/* The same, one byte at a time; and by name what cli_line_ends uses here. */
size_t cli_line_ends_portable(const char *text, size_t n, char end, uint32_t *out,
                              size_t most, size_t *scanned);
const char *cli_line_ends_name(void);

/* Where in CSV a text stands: at its first byte, when it is all false and '\n'. */
typedef struct cli_quotes {
    bool inside; /* a quoted part of a field                              */
    bool closed; /* the byte before ended one: another quote is a doubled */
    char before; /* the byte before                                       */
} cli_quotes;

/* As cli_line_ends for '\n', but those inside quotes are none (RFC 4180). A quote opens
 * at the beginning of a field only; elsewhere it is a byte like any other. *q goes on
 * from call to call, with the bytes that were scanned. */
size_t cli_record_ends(const char *text, size_t n, char delimiter, cli_quotes *q,
                       uint32_t *out, size_t most, size_t *scanned);
size_t cli_record_ends_portable(const char *text, size_t n, char delimiter, cli_quotes *q,
                                uint32_t *out, size_t most, size_t *scanned);

/* How many bytes `end` there are. */
uint64_t cli_count_ends(const char *text, size_t n, char end);

/* Cores this process may use, at least 1. */
unsigned cli_cores(void);
/* Bytes of memory it may take at most: the machine's, or what a limit leaves. */
uint64_t cli_memory(void);
/* As malloc, in the largest pages there are: for much memory that is read at random. */
void *cli_huge(size_t n);

#endif
