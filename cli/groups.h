/* SPDX-License-Identifier: MIT
 * groups.h - a sketch a group: filled from the input (groups.c), kept in one file
 * (group_file.c), and read, joined, shown and written (group_list.c).
 *
 *   input --> table --+                            +--> rows of a table
 *                     +--> list .. --> reader -----+--> one file
 *   file -------------+                            +--> a file a group
 *
 * A list knows its groups by number, in the order of their names' bytes. A reader goes
 * over one or more lists at once: what has one name is merged. A million groups are
 * handed out one at a time, so that what reads them needs no memory for them. */
#ifndef CLI_GROUPS_H
#define CLI_GROUPS_H

#include "map.h"

typedef struct cli_group {
    bp_bytes name;
    bp_any *sketch; /* to be settled, and not changed */
} cli_group;

/* ------------------------------------------------------------------------- the lists */

/* What a function of a list may return beside CLI_OK is CLI_ERROR, printed. */
typedef struct cli_group_list cli_group_list;
struct cli_group_list {
    const char *where;        /* a file's name, or "the input": for messages  */
    const bp_kind_info *kind; /* of all its sketches                          */
    uint64_t count;
    uint64_t bytes; /* of its file, and the version of that one's format; else 0 */
    unsigned format;
    /* The name of group i, which stays as long as the list. */
    int (*name)(cli_group_list *l, uint64_t i, bp_bytes *out);
    /* Its sketch: the caller's own, to change and to free, or one that stays until the
     * next call. */
    int (*sketch)(cli_group_list *l, uint64_t i, bool own, bp_any **out);
    void (*close)(cli_group_list *l);
};
/* NULL is fine. */
void cli_group_close(cli_group_list *l);
/* The number of a name; CLI_NONE: there is no such group. */
int cli_group_number(cli_group_list *l, bp_bytes name, uint64_t *out);

/* ------------------------------------------------------------- from input (groups.c) */

typedef struct cli_group_table cli_group_table;
/* For the sketches that c describes. NULL: out of memory, printed. */
cli_group_table *cli_group_table_new(const cli_count *c);
void cli_group_table_free(cli_group_table *t);
/* What a thread fills it through, for a cli_sink. NULL: *st says why. */
void *cli_group_adder(cli_group_table *t, bp_status *st);
bp_status cli_group_add(void *adder, const cli_batch *batch);
bp_status cli_group_adder_close(void *unused, void *adder, bool failed);
/* All that was added, as a list; the table must outlive it, and gets nothing meanwhile.
 * NULL: printed. */
cli_group_list *cli_group_table_list(cli_group_table *t);

/* --------------------------------------------------------- from a file (group_file.c) */

/* Whether bytes begin as a file of groups does. */
bool cli_has_groups(const void *bytes, size_t n);
/* The list of a file that saved.c has opened, which it takes over, on failure too. Header
 * and index are checked now, each group when it is asked for. how: as for bp_any_decode;
 * its key must outlive the list. NULL: printed. */
cli_group_list *cli_group_file(cli_saved *s, const char *path, const bp_open *how);

/* Open a file of either sort: *list is NULL, and *out opened, or the other way round.
 * view: to be told of and merged, without its key if it has one, all of it verified;
 * change: it may be changed, else it is in place where its kind can be. CLI_OK or
 * CLI_ERROR, printed: truncated, foreign, newer, corrupt each with its words and the
 * byte. open: as cli_open. */
int cli_view_groups(cli_saved *out, const char *path, bool change, cli_group_list **list);
int cli_open_groups(cli_saved *out, const cli_options *o, const bp_hash_spec *hash,
                    const char *path, bool change, cli_group_list **list);

/* --------------------------------------------------------- the reader (group_list.c) */

typedef struct cli_group_reader cli_group_reader;
/* Over n lists, which stay the caller's. Their sketches must go together: those that do
 * not are named, with both values, here or where they meet. command: for messages. NULL:
 * printed. */
cli_group_reader *cli_group_read(const char *command, cli_group_list *const *lists,
                                 size_t n);
void cli_group_read_end(cli_group_reader *r);
/* The next group in order; its sketch stays until the next call, its name as long as the
 * lists. CLI_OK; CLI_NONE: there is none; CLI_ERROR: printed. */
int cli_group_next(cli_group_reader *r, cli_group *out);
int cli_group_rewind(cli_group_reader *r);
/* The group of that name, in the same way; the order is not disturbed. */
int cli_group_find(cli_group_reader *r, bp_bytes name, cli_group *out);

/* The rows of all groups, in order, or of the `most` with the largest estimates, the
 * largest first. 0: all, in order. */
int cli_group_show(const cli_count *c, cli_group_reader *r, uint64_t most);
/* All groups as one file, written as cli_save does. */
int cli_group_save(const char *command, cli_group_reader *r, const bp_kind_info *kind,
                   const char *path);

/* -------------------------------------------------------------------- --output-dir */

/* Before the input is read: makes the directory when it is missing. */
int cli_group_check_dir(const cli_options *o);
/* Each group's sketch as a file of its own in the directory, made when it is missing. The
 * file's name is the group's, percent-encoded, and .bp; when that is too long for one
 * group, nothing is written. */
int cli_group_save_dir(const cli_options *o, cli_group_reader *r);

#endif
