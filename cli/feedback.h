/* SPDX-License-Identifier: MIT
 * feedback.h - how often a filter was wrong, kept in its file. */
#ifndef CLI_FEEDBACK_H
#define CLI_FEEDBACK_H

#include "cli.h"

/* Adds to what the filter at path was told before: so many questions about strangers, so
 * many of them answered yes. Where that cannot be written it is no error, and said with
 * --verbose. */
void cli_feed_back(const cli_options *o, const char *path, uint64_t strangers,
                   uint64_t false_yes);

#endif
