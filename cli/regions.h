/* SPDX-License-Identifier: MIT
 * regions.h - filling a filter that is much larger than the cache. */
#ifndef CLI_REGIONS_H
#define CLI_REGIONS_H

#include "cli.h"

/* Whether it pays for this one. */
bool cli_regions_pay(const bp_any *s);
/* As cli_read, of all items into s. */
int cli_read_into_regions(const cli_options *o, bp_any *s, cli_tally *tally, bool *fatal);

#endif
