/* SPDX-License-Identifier: MIT
 * drawers.h - many hashes, sorted into drawers by their highest bits. */
#ifndef CLI_DRAWERS_H
#define CLI_DRAWERS_H

#include "cli.h"

enum { CLI_DRAWERS = 256 };

typedef struct cli_drawers cli_drawers;

/* memory: bytes that the drawers may take; what is more goes to a temporary file. NULL:
 * out of memory. what: the command, for its errors. */
cli_drawers *cli_drawers_new(const char *what, uint64_t memory);
void cli_drawers_free(cli_drawers *d);

/* A thread's own; NULL: out of memory. cli_drawer_hand_free hands all on. */
typedef struct cli_drawer_hand cli_drawer_hand;
cli_drawer_hand *cli_drawer_hand_new(cli_drawers *d);
bp_status cli_drawer_hand_free(cli_drawer_hand *h);
bp_status cli_drawers_put(cli_drawer_hand *h, const uint64_t *hashes, size_t n);

/* Hashes in an array that grows. */
typedef struct cli_hashes {
    uint64_t *p;
    size_t n, room;
    size_t clean; /* the first so many are different and ascending */
} cli_hashes;
bp_status cli_hashes_add(cli_hashes *h, const uint64_t *more, size_t n);
/* Leaves one of each. */
bp_status cli_hashes_unique(cli_hashes *h);

/* Adds what n drawers from the first-th on hold, of repeated hashes no more than as many
 * as there are others, where they are many. After the last put; empties what was in
 * memory. From any thread. */
bp_status cli_drawers_take(cli_drawers *d, size_t first, size_t n, cli_hashes *to);
/* How many bytes went to the temporary file. */
uint64_t cli_drawers_spilled(const cli_drawers *d);

#endif
