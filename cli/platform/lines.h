/* SPDX-License-Identifier: MIT
 * lines.h - what depends on the machine: finding line ends, counting cores. */
#ifndef CLI_LINES_H
#define CLI_LINES_H

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

/* Cores this process may use, at least 1. */
unsigned cli_cores(void);

#endif
