/* SPDX-License-Identifier: MIT
 * exact.h - exact answers: every different item is kept, with its count. */
#ifndef CLI_EXACT_H
#define CLI_EXACT_H

#include "map.h"

typedef struct cli_exact {
    const cli_options *o;
    cli_map *items; /* each with a uint64_t, its count           */
    uint64_t limit; /* bytes; past it the run ends with an error */
    uint64_t total; /* of all counts                             */
} cli_exact;

/* Refuses, with its words, whatever makes no sense beside --exact; limit 0: 1 GiB.
 * CLI_OK or CLI_ERROR, printed. */
int cli_exact_begin(cli_exact *e, const cli_options *o, uint64_t limit);
void cli_exact_end(cli_exact *e);

/* weights NULL: 1 each. fresh, unless NULL, gets 1 for the first occurrence of an item, 0
 * for others. Ends the run, with its words, when the limit is reached. */
bp_status cli_exact_add(cli_exact *e, const bp_bytes *keys, const uint64_t *weights,
                        size_t n, uint8_t *fresh);
uint64_t cli_exact_count(const cli_exact *e, size_t i);
/* What cli_read fills it through. */
cli_sink cli_exact_sink(cli_exact *e);

/* distinct --exact, and top --exact with so many rows. Return exit codes. */
int cli_exact_distinct(const cli_options *o);
int cli_exact_top(const cli_options *o, size_t rows);

#endif
