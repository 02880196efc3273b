/* SPDX-License-Identifier: MIT
 * complete.h - filters of a set that is complete when they are built. */
#ifndef CLI_COMPLETE_H
#define CLI_COMPLETE_H

#include "cli.h"

/* Reads the input, makes the filter of a kind that is built of all its items at once,
 * writes it to -o, and explains and tells what was asked for. CLI_OK or CLI_ERROR,
 * printed; then nothing was written. */
int cli_build_complete(const cli_options *o, uint32_t kind, const cli_config *config);

#endif
