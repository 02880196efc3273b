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
    const bp_any *sketch;
} cli_group;

/* ------------------------------------------------------------------------- the lists */

typedef struct cli_group_list cli_group_list;
struct cli_group_list {
    const char *where;        /* a file's name, or "the input": for messages  */
    const bp_kind_info *kind; /* of all its sketches                          */
    uint64_t count;
    bp_bytes (*name)(const cli_group_list *l, uint64_t i);
    /* The sketch of group i: the caller's own, to change and to free, or one that stays
     * until the next call. CLI_OK or CLI_ERROR, printed. */
    int (*sketch)(cli_group_list *l, uint64_t i, bool own, bp_any **out);
    void (*close)(cli_group_list *l);
};
/* NULL is fine. */
void cli_group_close(cli_group_list *l);
/* The number of a name, or UINT64_MAX. */
uint64_t cli_group_number(const cli_group_list *l, bp_bytes name);

/* ------------------------------------------------------------- from input (groups.c) */

typedef struct cli_group_table cli_group_table;
/* For the sketches that c describes. NULL: out of memory, printed. */
cli_group_table *cli_group_table_new(const cli_count *c);
void cli_group_table_free(cli_group_table *t);
/* What cli_read fills it through. */
cli_sink cli_group_sink(cli_group_table *t);
/* All that was added, as a list, which takes the table over; it is freed on failure too.
 * NULL: printed. */
cli_group_list *cli_group_table_list(cli_group_table *t);

/* --------------------------------------------------------- from a file (group_file.c) */

/* Whether a file that cli_map_file opened holds groups. */
bool cli_has_groups(const cli_saved *s);
/* Its list; header and index are checked now, each group when it is asked for. The list
 * takes s over and is named `path`; s is closed on failure too. how: as for
 * bp_any_decode; for keyed sketches. NULL: printed. */
cli_group_list *cli_group_file(cli_saved *s, const char *path, const bp_open *how);
/* A saved file of either sort, opened: a list, or NULL with *out opened as by cli_view
 * and verified. CLI_OK or CLI_ERROR, printed. */
int cli_view_groups(cli_saved *out, const char *path, cli_group_list **list);

/* --------------------------------------------------------- the reader (group_list.c) */

typedef struct cli_group_reader cli_group_reader;
/* Over n lists, which stay the caller's. Their sketches must go together: the first two
 * that do not are named, with both values, here or where they meet. NULL: printed. */
cli_group_reader *cli_group_read(cli_group_list *const *lists, size_t n);
void cli_group_read_end(cli_group_reader *r);
/* The next group in order, until the next call. CLI_OK; CLI_NONE: there is none;
 * CLI_ERROR: printed. */
int cli_group_next(cli_group_reader *r, cli_group *out);
void cli_group_rewind(cli_group_reader *r);
/* The group of that name, in the same way; the order is not disturbed. */
int cli_group_find(cli_group_reader *r, bp_bytes name, cli_group *out);

/* The rows of all groups, in order; most > 0: of the so many with the largest estimates,
 * the largest first. The table is one of c->columns. */
int cli_group_show(const cli_count *c, cli_group_reader *r, uint64_t most);
/* All groups as one file, written as cli_save does. */
int cli_group_save(cli_group_reader *r, const char *path);
/* Each group's sketch as a file of its own in the directory, made when it is missing. The
 * file's name is the group's, percent-encoded, and .bp. */
int cli_group_save_dir(const char *command, cli_group_reader *r, const char *dir);

#endif
