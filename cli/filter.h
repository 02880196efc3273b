/* SPDX-License-Identifier: MIT
 * filter.h - what the commands of the filter family do alike. */
#ifndef CLI_FILTER_H
#define CLI_FILTER_H

#include "cli.h"

/* What a person would want to know before trusting a yes: that it holds more than it was
 * made for, and the rate. */
void cli_warn_when_over(const char *name, const bp_any *s, bool is_state);

/* What to make a filter of the input for: the upper end of its different items, and
 * headroom. CLI_OK or CLI_ERROR, printed. */
int cli_count_items(const cli_options *o, const bp_hash_spec *hash, uint64_t *items);
/* Adds all items of the input to a filter of so many bytes. As cli_read. */
int cli_fill_filter(const cli_options *o, bp_any *s, uint64_t memory, cli_tally *tally);

#endif
