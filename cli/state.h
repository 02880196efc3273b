/* SPDX-License-Identifier: MIT
 * state.h - -s STATE: a sketch, or one a group, that grows from run to run. */
#ifndef CLI_STATE_H
#define CLI_STATE_H

#include "groups.h"

typedef struct cli_state {
    const cli_options *o; /* NULL when there is no -s: then nothing below does anything */
    uint32_t kind;
    bp_hash_spec hash;
    cli_saved found; /* .sketch is NULL when there is none yet; const, may be cloned */
    cli_group_list *groups; /* with -g, in its stead */
    int held;               /* the lock's descriptor, plus 1; 0: not held */
} cli_state;

/* The kind of filter that -s names, or NULL: of several, a state's own goes on. */
const bp_kind_info *cli_state_filter(const cli_options *o);

/* Before the input is read: looks at what -s names, and refuses what is not a whole
 * sketch of the kind, a place that cannot be written, and options that ask for another
 * sketch. config: what the options ask for; becomes what the state has when there is
 * one. CLI_OK or CLI_ERROR, printed; cli_state_close either way. */
int cli_state_open(cli_state *s, const cli_options *o, uint32_t kind, cli_config *config);
/* The same, and no other run changes the state before cli_state_close: for one whose
 * answers depend on what is in it. */
int cli_state_hold(cli_state *s, const cli_options *o, uint32_t kind, cli_config *config);

/* After: adds to `total` all that the state holds by now and, with save, puts the sum in
 * its place, while no other run can. other: NULL, or set, in the place of an error, when
 * the state has other parameters by now. Without save a hint says that the state is as it
 * was. CLI_OK or CLI_ERROR, printed; on an error the state is as it was. */
int cli_state_join(const cli_state *s, bp_any *total, bool save, bool *other);
/* The same with -g: the state's groups by now (*more, for the caller to close; NULL:
 * none) and a reader over both lists, *sum. */
int cli_state_join_groups(const cli_state *s, cli_group_list *met, bool save,
                          cli_group_list **more, cli_group_reader **sum);
void cli_state_close(cli_state *s);

/* Holds what is saved at path against other runs, until the descriptor is closed. -1: not
 * to be had; waits: then that was printed, else it was tried for a second (errno). */
int cli_lock(const cli_options *o, const char *path, bool waits);

/* The option that decided a parameter of a kind; "": one might have, NULL: none can. */
const char *cli_decided_by(const cli_options *o, const char *kind, const char *figure);

#endif
