/* SPDX-License-Identifier: MIT
 * cmd_merge.c - `ballpark merge`: one sketch of everything that several have seen. */
#include "groups.h"

#include <stdlib.h>

static const char *const examples[] = {"ballpark merge mon.bp tue.bp -o week.bp",
                                       "both days as one; who came twice counts once",
                                       "ballpark merge day*.bp | ballpark info -",
                                       "without -o the sketch goes into the pipe", NULL};

static const cli_use uses[] = {{OPT_OUTPUT, NULL}, {OPT_QUIET, NULL}, {OPT_END, NULL}};

static const char *const exits[] = {
    "0  merged", "2  a file that is no sketch, or sketches that do not go together",
    NULL};

const cli_page page_merge = {
    .usage = "[OPTION]... FILE...",
    .about =
        "Makes one sketch out of several: as if it had seen all that they have seen. The "
        "answer is as good as that of a sketch that read everything in one go.",
    .examples = examples,
    .uses = uses,
    .exits = exits,
    .notes =
        "Kind, parameters, hash and seed must be the same in all of them; where they "
        "are not, both values are named and nothing is written. Distinct items and "
        "filters are united (merging a file twice changes nothing); counts and top "
        "lists add up, and so do the copies in a counting_bloom and a cuckoo, which is "
        "refused when it has no room for both. A scalable_bloom gets the layers of both. "
        "A binary_fuse or a ribbon is not merged: build one from all inputs. FILE - is "
        "stdin, which can hold one sketch. Files of groups, from "
        "-g, are merged group by group; a group that only one of them has stays as it "
        "is."};

static int refuse_mixture(const char *groups, const char *plain)
{
    cli_error("merge: %s holds groups, and %s a single sketch", groups, plain);
    cli_hint("files of groups are merged group by group; --output-dir writes each group "
             "as a sketch of its own");
    return CLI_ERROR;
}

/* ----------------------------------------------------------------------- two sketches */

static int merge_into(cli_saved *all, const char *all_name, const char *name)
{
    cli_saved next;
    cli_group_list *list;
    if (cli_view_groups(&next, name, false, &list))
        return CLI_ERROR;
    if (list) {
        cli_group_close(list);
        return refuse_mixture(name, all_name);
    }
    bp_detail why = {BP_OK, "", 0, 0, 0};
    const bp_status st = bp_any_merge(all->sketch, next.sketch, &why);
    const cli_side a = {all_name, all->sketch}, b = {name, next.sketch};
    const int code = st ? cli_mismatch("merge", NULL, a, b, st, &why) : CLI_OK;
    cli_close(&next);
    return code;
}

static void warn_of_health(const bp_any *s)
{
    static bp_description d;
    bp_any_describe(s, &d);
    if (d.health != BP_HEALTH_OVER)
        return;
    cli_warn("the merged sketch holds more than it was made for");
    cli_hint("%s", d.advice);
}

static int merge_sketches(const cli_options *o, cli_saved *all)
{
    int code = CLI_OK;
    for (size_t i = 1; i < o->n_files && !code; i++)
        code = merge_into(all, o->files[0].name, o->files[i].name);
    if (!code)
        code = cli_write_sketch(o, all->sketch);
    if (!code && !o->quiet)
        warn_of_health(all->sketch);
    return code;
}

/* ------------------------------------------------------------------------- of groups */

static int open_list(const cli_options *o, size_t i, cli_group_list **list)
{
    cli_saved s;
    if (cli_view_groups(&s, o->files[i].name, false, list))
        return CLI_ERROR;
    if (*list)
        return CLI_OK;
    cli_close(&s);
    return refuse_mixture(o->files[0].name, o->files[i].name);
}

/* All files are read side by side: what they hold is never in memory together. */
static int merge_lists(const cli_options *o, cli_group_list *first)
{
    cli_group_list **lists = calloc(o->n_files, sizeof *lists);
    int code = lists ? CLI_OK : cli_error("merge: out of memory");
    if (!lists) {
        cli_group_close(first);
        return code;
    }
    lists[0] = first;
    for (size_t i = 1; i < o->n_files && !code; i++)
        code = open_list(o, i, &lists[i]);
    cli_group_reader *r = code ? NULL : cli_group_read("merge", lists, o->n_files);
    code = r ? cli_group_save("merge", r, first->kind, o->output ? o->output : "-")
             : CLI_ERROR;
    cli_group_read_end(r);
    for (size_t i = 0; i < o->n_files; i++)
        cli_group_close(lists[i]);
    free(lists);
    return code;
}

int cmd_merge(cli_options *o)
{
    if (o->n_files == 0) {
        cli_error("merge: no sketches named");
        cli_hint("ballpark merge A B... -o C; - is stdin");
        return CLI_ERROR;
    }
    cli_saved all;
    cli_group_list *list;
    if (cli_check_output(o, NULL) || cli_view_groups(&all, o->files[0].name, true, &list))
        return CLI_ERROR;
    if (list)
        return merge_lists(o, list);
    const int code = merge_sketches(o, &all);
    cli_close(&all);
    return code;
}
