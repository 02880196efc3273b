/* SPDX-License-Identifier: MIT
 * complete.h - the different items of a whole input, and filters that are built of them
 * all at once. */
#ifndef CLI_COMPLETE_H
#define CLI_COMPLETE_H

#include "drawers.h"

/* Reads the input, makes the filter of a kind that is built of all its items at once,
 * writes it to -o, and explains and tells what was asked for. CLI_OK or CLI_ERROR,
 * printed; then nothing was written. */
int cli_build_complete(const cli_options *o, uint32_t kind, const cli_config *config);

/* The hashes of the different items of an input. */
typedef struct cli_collection {
    cli_drawers *drawers;
    bp_hash_spec hash;
    bp_hll *seen; /* how many there are */
} cli_collection;

void cli_collect_begin(cli_collection *c, const cli_options *o, const bp_hash_spec *hash);
/* Reads the whole input. CLI_OK or CLI_ERROR, printed. */
int cli_collect(const cli_options *o, cli_collection *c, cli_tally *tally);
/* Then gives each of them to `take`, once, in ascending order, until that fails. */
typedef bp_status cli_take_hashes(void *ctx, const uint64_t *hashes, size_t n);
bp_status cli_collected(const cli_collection *c, cli_take_hashes *take, void *ctx);
void cli_collect_end(cli_collection *c);

#endif
