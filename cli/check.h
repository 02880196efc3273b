/* SPDX-License-Identifier: MIT
 * check.h - each yes of a filter held against the truth: `filter test --exact`. */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "map.h"
#include "other.h"
#include "queue.h"

enum { CLI_CHECK_MOST = 4096 }; /* lines at a time */

typedef struct cli_check {
    const cli_options *o;
    const bp_any *filter;
    cli_other other;
    cli_map *items;    /* what is to be looked up, or all that FILE has */
    bool is_all;       /* the latter                                    */
    cli_queue queue;   /* lines behind a yes that is not yet checked    */
    uint64_t no, yes;  /* answers since FILE was read last              */
    uint64_t patience; /* of -q: so many, then FILE is read            */
    uint64_t bytes;    /* of FILE                                       */
    uint64_t foreign;  /* lines of FILE that the filter says no to      */
    /* what came out */
    uint64_t selected, strangers, false_yes;
} cli_check;

/* CLI_OK or CLI_ERROR, printed; cli_check_end either way. */
int cli_check_begin(cli_check *c, const cli_options *o, const bp_any *filter);
/* At most CLI_CHECK_MOST lines in their order, their keys, and what the filter said of
 * them: bits as of bp_any_has_n, so many of them a yes. Ends the run, with its words,
 * when FILE cannot be read. */
bp_status cli_check_lines(cli_check *c, const bp_bytes *keys, const bp_bytes *lines,
                          size_t n, const uint8_t *bits, size_t yes);
/* Lines that surely are selected by now. */
static inline uint64_t cli_check_selected(const cli_check *c)
{
    return c->selected + (c->o->invert ? c->no : 0);
}
/* Looks up and prints what still waits. CLI_OK or CLI_ERROR, printed. */
int cli_check_rest(cli_check *c);
void cli_check_end(cli_check *c);

#endif
