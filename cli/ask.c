/* SPDX-License-Identifier: MIT
 * ask.c - asking a saved sketch for keys.
 *
 * Keys come from the command line and from --keys-from, which is read as any input is: a
 * key a line, in order, of any length. What a sketch has to say of a key is a row. */
#include "ask.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* ------------------------------------------------------------------------- which kinds
 */

bool cli_ask_counts(const bp_kind_info *kind)
{
    return kind->family == BP_FAMILY_FREQUENCY;
}

bool cli_ask_members(const bp_kind_info *kind)
{
    return cli_is_filter(kind);
}

/* -------------------------------------------------------------------------------- rows
 */

typedef struct asking {
    const cli_options *o;
    const cli_asked *asked;
    cli_table *table;
    bool is_found; /* some key was */
    int code;
} asking;

static const cli_column count_columns[] = {
    {"count", "count", CLI_COUNT, true, NULL, NULL},
    {"lower", "at least", CLI_WHOLE, false, NULL, NULL},
    {"upper", NULL, CLI_WHOLE, false, NULL, NULL},
    {"item", "item", CLI_ITEM, true, NULL, NULL},
};

static const cli_column member_columns[] = {
    {"answer", "answer", CLI_TEXT, true, NULL, NULL},
    {"item", "item", CLI_ITEM, true, NULL, NULL},
};

/* Of filters that count copies. */
static const cli_column copies_columns[] = {
    {"copies", "copies", CLI_WHOLE, true, NULL, NULL},
    {"answer", "answer", CLI_TEXT, true, NULL, NULL},
    {"item", "item", CLI_ITEM, true, NULL, NULL},
};

static int count_row(asking *a, bp_bytes key)
{
    const bp_any *any = a->asked->sketch;
    bp_detail why = {0};
    bp_estimate e = {0};
    bp_top_k_item item = {.count = 0};
    bp_status st;
    if (strcmp(a->asked->kind->name, "top_k") == 0) {
        st = bp_top_k_bounds((const bp_top_k *)any, key.ptr, key.len, a->o->confidence,
                             &item, &why);
        e = (bp_estimate){0, (double)item.lower, (double)item.upper};
    } else {
        const bp_count_min *s = (const bp_count_min *)any;
        st = bp_count_min_bounds(s, key.ptr, key.len, a->o->confidence, &e, &why);
        item.count = bp_count_min_count(s, key.ptr, key.len);
    }
    if (st)
        return cli_library_error(a->o->command->name, st, &why);
    a->is_found |= item.count > 0;
    const cli_cell cells[] = {
        {.count = item.count}, {.real = e.lower}, {.real = e.upper}, {.item = key}};
    return cli_table_row(a->table, cells);
}

static bool counts_copies(const cli_asked *asked)
{
    uint64_t copies;
    return bp_any_count(asked->sketch, "", 0, &copies, NULL) == BP_OK;
}

/* At most so many; infinity: there is no bound. */
static double copies_of(const asking *a, bp_bytes key)
{
    uint64_t copies = 0;
    bp_any_count(a->asked->sketch, key.ptr, key.len, &copies, NULL);
    return copies == UINT64_MAX ? INFINITY : (double)copies;
}

static int member_row(asking *a, bp_bytes key)
{
    size_t may_be = 0;
    bp_any_has_n(a->asked->sketch, &key, 1, NULL, &may_be, NULL);
    a->is_found |= may_be > 0;
    const cli_cell cells[] = {
        {.real = copies_of(a, key)}, {.text = may_be ? "maybe" : "no"}, {.item = key}};
    return cli_table_row(a->table, counts_copies(a->asked) ? cells : cells + 1);
}

static int row(asking *a, bp_bytes key)
{
    return cli_ask_counts(a->asked->kind) ? count_row(a, key) : member_row(a, key);
}

/* -------------------------------------------------------------------------------- keys
 */

bool cli_ask_has_keys(const cli_options *o)
{
    return o->n_files > 0 || o->keys_from;
}

static bp_status ask_batch(void *worker, const cli_batch *batch)
{
    asking *a = worker;
    for (size_t i = 0; i < batch->n && !a->code; i++)
        a->code = row(a, batch->keys[i]);
    if (ferror(stdout))
        cli_stop(CLI_ERROR);
    return a->code ? BP_NOMEM : BP_OK;
}

static int ask_file(asking *a)
{
    cli_file file = {a->o->keys_from, -1};
    cli_options from = *a->o;
    cli_tally tally;
    bool fatal;
    from.files = &file;
    from.n_files = 1;
    const cli_sink sink = {.ctx = a, .keys = ask_batch, .ordered = true};
    return cli_read(&from, &sink, &tally, &fatal);
}

bool cli_ask_names_file(const cli_options *o)
{
    struct stat st;
    return o->n_files > 0 && stat(o->files[0].name, &st) == 0 && S_ISREG(st.st_mode);
}

/* One key that is a file's name too: perhaps its lines were meant. */
static void remark_file(const cli_options *o)
{
    const char *key = o->n_files ? o->files[0].name : "";
    if (o->n_files == 1 && !o->keys_from &&
        (strcmp(key, "-") == 0 || cli_ask_names_file(o)))
        cli_note(o, "%s was taken as a key; --keys-from=%s asks for each line of it", key,
                 key);
}

int cli_ask_keys(const cli_options *o, const cli_asked *asked)
{
    asking a = {.o = o, .asked = asked};
    if (!asked->sketch) {
        cli_error("%s: %s holds groups: whose keys are meant?", o->command->name,
                  asked->name);
        cli_hint("name one with --only GROUP");
        return CLI_ERROR;
    }
    const bool counts = cli_ask_counts(asked->kind);
    a.table = counts_copies(asked)
                  ? cli_table_begin(o, copies_columns,
                                    sizeof copies_columns / sizeof *copies_columns)
              : counts ? cli_table_begin(o, count_columns,
                                         sizeof count_columns / sizeof *count_columns)
                       : cli_table_begin(o, member_columns,
                                         sizeof member_columns / sizeof *member_columns);
    if (!a.table)
        return CLI_ERROR;
    remark_file(o);
    for (size_t i = 0; i < o->n_files && !a.code; i++)
        a.code = row(&a, (bp_bytes){o->files[i].name, strlen(o->files[i].name)});
    if (!a.code && o->keys_from)
        a.code = ask_file(&a);
    const int ended = cli_table_end(a.table);
    if (a.code || ended)
        return CLI_ERROR;
    return a.is_found ? CLI_OK : CLI_NONE;
}

/* -------------------------------------------------------------------------- the sketch
 */

/* What needs no key is told without it. */
static int open_file(const cli_options *o, cli_asked *a)
{
    if (!cli_ask_has_keys(o))
        return cli_view_groups(&a->saved, a->name, false, &a->list);
    if (cli_hash_spec(o, &a->hash))
        return CLI_ERROR;
    return cli_open_groups(&a->saved, o, &a->hash, a->name, false, &a->list);
}

static int open_group(const cli_options *o, cli_asked *a)
{
    cli_group group;
    const bp_bytes only = {o->only, o->only ? strlen(o->only) : 0};
    a->kind = a->list->kind;
    a->groups = cli_group_read(o->command->name, &a->list, 1);
    const int code = !a->groups ? CLI_ERROR
                     : o->only  ? cli_group_find(a->groups, only, &group)
                                : CLI_OK;
    if (code == CLI_NONE)
        return cli_error("%s: --only %s: %s has no such group", o->command->name, o->only,
                         a->name);
    if (!code && o->only)
        a->sketch = group.sketch;
    return code;
}

int cli_ask_open(cli_options *o, cli_asked *a)
{
    *a = (cli_asked){.name = o->n_files ? o->files[0].name : NULL};
    if (!a->name) {
        cli_error("%s: names no sketch", o->command->name);
        cli_hint("ballpark %s %s", o->command->name, o->command->page->usage);
        return CLI_ERROR;
    }
    memmove(o->files, o->files + 1, --o->n_files * sizeof *o->files);
    if (o->keys_from && strcmp(a->name, "-") == 0 && strcmp(o->keys_from, "-") == 0)
        return cli_error("%s: the sketch and the keys cannot both be standard input",
                         o->command->name);
    if (open_file(o, a))
        return CLI_ERROR;
    if (a->list)
        return open_group(o, a);
    a->kind = a->saved.kind;
    a->sketch = a->saved.sketch;
    if (!o->only)
        return CLI_OK;
    cli_error("%s: --only %s: %s holds one sketch, and no groups", o->command->name,
              o->only, a->name);
    cli_hint("leave the option away");
    return CLI_ERROR;
}

void cli_ask_close(cli_asked *a)
{
    cli_group_read_end(a->groups);
    cli_group_close(a->list);
    cli_close(&a->saved);
}
