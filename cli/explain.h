/* SPDX-License-Identifier: MIT
 * explain.h - --explain. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "cli.h"

/* With --explain, before the answer, on stderr and a line each: the kind of s, its
 * parameters and why they are so, its memory, bound and hash, how the input is handled
 * (reads: there is one), and what the environment said. from: the file that s was opened
 * from or is added to, or NULL when it is made for this run. s may be NULL: nothing. */
void cli_explain(const cli_options *o, const bp_any *s, const char *from, bool reads);

/* The same for a run that makes no sketch to tell of: a line of what it does, the input,
 * the environment. */
void cli_explain_plan(const cli_options *o, const char *plan);

#endif
