/* SPDX-License-Identifier: MIT
 * filter.h - what the commands of the filter family do alike. */
#ifndef CLI_FILTER_H
#define CLI_FILTER_H

#include "cli.h"

/* What a person would want to know before trusting a yes: that it holds more than it was
 * made for, and the rate. */
void cli_warn_when_over(const char *name, const bp_any *s, bool is_state);

#endif
