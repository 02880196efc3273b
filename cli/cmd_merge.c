/* SPDX-License-Identifier: MIT
 * cmd_merge.c - `ballpark merge`: one sketch of everything that several have seen. */
#include "cli.h"

#include <string.h>

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
        "lists add up. FILE - is stdin, which can hold one sketch."};

static int merge_into(cli_saved *all, const char *all_name, const char *name)
{
    cli_saved next;
    if (cli_view(&next, name, true))
        return CLI_ERROR;
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

int cmd_merge(cli_options *o)
{
    if (o->n_files == 0) {
        cli_error("merge: no sketches named");
        cli_hint("ballpark merge A B... -o C; - is stdin");
        return CLI_ERROR;
    }
    cli_saved all;
    if (cli_check_output(o, NULL))
        return CLI_ERROR;
    if (cli_load(&all, o->files[0].name))
        return CLI_ERROR;
    int code = CLI_OK;
    for (size_t i = 1; i < o->n_files && !code; i++)
        code = merge_into(&all, o->files[0].name, o->files[i].name);
    if (!code)
        code = cli_write_sketch(o, all.sketch);
    if (!code && !o->quiet)
        warn_of_health(all.sketch);
    cli_close(&all);
    return code;
}
