/* SPDX-License-Identifier: MIT
 * cmd_top.c - which lines come most often. */
#include "answers.h"
#include "exact.h"
#include "plan.h"

#include <string.h>

static const char *const examples[] = {
    "ballpark top urls.txt",
    "as sort | uniq -c | sort -rn | head, in one pass",
    "ballpark top -f1 -n5 access.log",
    "the five most frequent first fields",
    "ballpark top -d, -f3 -n100 -m 16M users.csv",
    "the third comma-separated field; more memory, closer bounds",
    "ballpark top -g9 -f7 -n2 access.log",
    "for each ninth field the two most frequent seventh ones",
    "ballpark top --format json -n2 -f7 access.log",
    "one JSON object a row",
    NULL};
static const cli_use uses[] = {
    {OPT_ITEMS,
     "rows to print, as in head, and to keep in what is saved; 10 unless given"},
    {OPT_FIELD, NULL},
    CLI_USES_OF_LINES,
    {OPT_WEIGHT, NULL},
    {OPT_GROUP, NULL},
    {OPT_ERROR,
     "how far over a count may be, as a share of all lines, at the confidence: "
     "1% or 0.01"},
    {OPT_MEMORY,
     "memory of the counters; 128K, or 2K a row if that is more; with --exact "
     "of the items, 1G unless given"},
    {OPT_KIND, "kind of sketch: top_k"},
    {OPT_SEED, NULL},
    {OPT_KEY_FILE, NULL},
    {OPT_EXACT, NULL},
    {OPT_CONFIDENCE, NULL},
    {OPT_STATE, NULL},
    {OPT_OUTPUT, "also write the sketch to FILE, replaced whole or not at all"},
    {OPT_OUTPUT_DIR, NULL},
    {OPT_FOLLOW, NULL},
    {OPT_EVERY, NULL},
    {OPT_THREADS, NULL},
    {OPT_FORMAT, NULL},
    {OPT_COLOR, NULL},
    {OPT_SKIP_BAD, NULL},
    {OPT_QUIET, NULL},
    {OPT_EXPLAIN, NULL},
    {OPT_VERBOSE, NULL},
    {OPT_END, NULL}};

const cli_page page_top = {
    .usage = "[OPTION]... [FILE]...",
    .about =
        "Lists the most frequent lines of all FILEs together, in one pass and fixed "
        "memory. While there are few different lines the counts are exact; afterwards "
        "each count is an upper bound, never under the truth, and the lower bound "
        "holds at the confidence. An item is the line without its line end. A terminal "
        "gets count, lower bound, share of all lines and item; anything else gets "
        "`count TAB item`.",
    .examples = examples,
    .uses = uses,
    .notes =
        "On a flat stream no line stands out, and the command says so: then the rows are "
        "noise. More memory (-m) makes the bounds closer; -e E takes as much as it takes "
        "for no row to be over by more than E of all lines, at the confidence and for "
        "all rows together. FILE is not written when an input could not be read or lines "
        "were without the field, unless --skip-bad says that those are expected. "
        "With -s the counts add up; a line that neither the state nor this run had among "
        "its candidates (512 at the usual size, at least twice -n) can be "
        "missed. " CLI_NOTE_ON_STATE CLI_NOTE_ON_LINES CLI_NOTE_ON_GROUPS
            CLI_NOTE_ON_FOLLOW};

enum { MEMORY_LEAST = 256 };

/* ------------------------------------------------------------------------ the counting
 */

static bp_status add_keys(bp_any *s, const bp_bytes *keys, const uint64_t *weights,
                          size_t n)
{
    return bp_top_k_add_n((bp_top_k *)s, keys, n, weights, NULL);
}

static void remark(const cli_count *count, const bp_any *any)
{
    const cli_options *o = count->o;
    const cli_tally *t = count->tally;
    const bp_top_k *s = (const bp_top_k *)any;
    cli_text size, seconds;
    bp_top_k_config c;
    bp_top_k_config_of(s, &c);
    cli_top_warn(o, s);
    if (o->verbose)
        fprintf(stderr, "top_k, k %u, %s of counters, counts %s; %u threads, %s\n",
                (unsigned)c.k, cli_size_text(size, (double)c.memory),
                bp_top_k_is_exact(s) ? "exact" : "bounded", o->threads,
                cli_seconds(seconds, t->seconds));
}

static int check(const cli_options *o, bp_top_k_config *config, size_t *rows)
{
    bp_detail why = {0};
    bp_top_k *probe = NULL;
    const char *name = o->command->name;
    if (o->kind && strcmp(o->kind->name, "top_k") != 0)
        return cli_error("%s: --kind %s: does not list items; top_k does", name,
                         o->kind->name);
    if (o->items > CLI_TOP_MOST)
        return cli_error("%s: --items %llu: the most rows are %d", name,
                         (unsigned long long)o->items, CLI_TOP_MOST);
    if (cli_check_output(o, "rows") || cli_check_not_input(o))
        return CLI_ERROR;
    if (cli_given(o, OPT_MEMORY) &&
        (o->memory < MEMORY_LEAST || o->memory > (uint64_t)1 << 40))
        return cli_error("%s: --memory %llu: must be %d bytes to 1 TiB", name,
                         (unsigned long long)o->memory, MEMORY_LEAST);
    if (cli_given(o, OPT_MEMORY) && cli_given(o, OPT_ERROR))
        return cli_error(
            "%s: --error and --memory each decide the size: give one of them", name);
    /* All that a state was made for, unless it is said. */
    *rows = cli_given(o, OPT_ITEMS) ? (size_t)o->items : o->state ? CLI_TOP_MOST : 10;
    *config = (bp_top_k_config){.k = (uint32_t)o->items, .memory = o->memory};
    bp_status st = bp_top_k_new(&probe, config, &why);
    if (st)
        return cli_library_error(name, st, &why);
    bp_top_k_config made;
    bp_top_k_config_of(probe, &made);
    bp_top_k_free(probe);
    return o->error > 0 ? cli_plan_top_k(o, &made, &config->memory) : CLI_OK;
}

int cmd_top(cli_options *o)
{
    cli_config config = {.room = {0}};
    size_t most = 0;
    if (check(o, &config.top_k, &most) || cli_hash_spec(o, &config.hash))
        return CLI_ERROR;
    cli_default_stdin(o);
    if (o->exact)
        return cli_exact_top(o, most);
    cli_count c = {.o = o,
                   .kind = bp_any_kind_by_name("top_k")->id,
                   .config = &config,
                   .answer = "rows",
                   .add_keys = add_keys,
                   .columns = cli_top_columns,
                   .n_columns = CLI_TOP_COLUMNS,
                   .rows = cli_top_rows,
                   .settle = cli_top_settle,
                   .remark = remark,
                   .own = &most};
    return cli_count_run(&c);
}
