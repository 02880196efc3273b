/* SPDX-License-Identifier: MIT
 * cmd_distinct.c - how many different lines there are. */
#include "answers.h"
#include "exact.h"

#include <math.h>
#include <string.h>

static const char *const examples[] = {
    "ballpark distinct access.log",
    "as sort -u | wc -l, in 12 KB and one pass",
    "ballpark distinct -f1 monday.log tuesday.log",
    "different first fields of both files together",
    "ballpark distinct -d, -f3 -e 0.5% users.csv",
    "the third comma-separated field, with a standard error of 0.5 % or less",
    "ballpark distinct -g7 -f1 -n3 access.log",
    "the three seventh fields with the most different first fields",
    "ballpark distinct --exact access.log",
    "the exact number, in as much memory as the different lines take",
    "ballpark distinct -f1 -o monday.bp monday.log",
    "the number, and the sketch for a later `ballpark merge`",
    NULL};
static const cli_use uses[] = {
    {OPT_FIELD, NULL},
    CLI_USES_OF_LINES,
    {OPT_GROUP, NULL},
    {OPT_ITEMS, "with -g: only the N groups with the largest numbers, largest first"},
    {OPT_ERROR, "relative standard error, 0.21% to 26%; 0.81% unless given"},
    {OPT_MEMORY,
     "at most this much memory for the sketch; with --exact for the items, 1G "
     "unless given"},
    {OPT_PRECISION, "2^P registers, 4 to 18; 14 unless given"},
    {OPT_KIND, "kind of sketch: hll"},
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

const cli_page page_distinct = {
    .usage = "[OPTION]... [FILE]...",
    .about =
        "Counts the different lines of all FILEs together, in one pass and a few "
        "kilobytes, by a HyperLogLog sketch: standard error 0.81%; up to 100, exact "
        "but for odds of 1 in 40,000. An item is the line without its line end; empty "
        "lines count, and so does a last line without a line end. A terminal gets the "
        "number with the range that holds the truth at the confidence, anything else "
        "the bare number.",
    .examples = examples,
    .uses = uses,
    .notes =
        "Give at most one of --error, --memory and --precision. FILE is not written when "
        "an "
        "input could not be read or lines were without the field, unless --skip-bad says "
        "that those are expected. " CLI_NOTE_ON_STATE CLI_NOTE_ON_LINES CLI_NOTE_ON_GROUPS
            CLI_NOTE_ON_FOLLOW};

enum { PRECISION_LEAST = 4, PRECISION_MOST = 18 };

/* ------------------------------------------------------------------ choosing the size */

static int precision_for_error(const cli_options *o, uint32_t *p)
{
    for (*p = PRECISION_LEAST; *p <= PRECISION_MOST; ++*p)
        if (bp_hll_standard_error(*p) <= o->error)
            return CLI_OK;
    cli_error("%s: --error %.6g%%: the least is %.2f%%, with --precision %d",
              o->command->name, o->error * 100,
              ceil(bp_hll_standard_error(PRECISION_MOST) * 1e4) / 100, PRECISION_MOST);
    cli_hint("--exact has none, in memory that grows with the different items");
    return CLI_ERROR;
}

/* Six bits a register. */
static int precision_for_memory(const cli_options *o, uint32_t *p)
{
    for (*p = PRECISION_MOST; *p >= PRECISION_LEAST; --*p)
        if (((uint64_t)3 << *p) / 4 <= o->memory)
            return CLI_OK;
    return cli_error("%s: --memory %llu: the least is 12 bytes, with --precision %d",
                     o->command->name, (unsigned long long)o->memory, PRECISION_LEAST);
}

static int choose(const cli_options *o, uint32_t *precision)
{
    int n =
        cli_given(o, OPT_ERROR) + cli_given(o, OPT_MEMORY) + cli_given(o, OPT_PRECISION);
    if (o->kind && strcmp(o->kind->name, "hll") != 0)
        return cli_error("%s: --kind %s: does not count different items; hll does",
                         o->command->name, o->kind->name);
    if (n > 1)
        return cli_error("%s: --error, --memory and --precision each decide the size: "
                         "give one of them",
                         o->command->name);
    if (cli_given(o, OPT_ITEMS) && (!o->group || !o->items))
        return cli_error(
            "%s: --items %llu: %s", o->command->name, (unsigned long long)o->items,
            o->group ? "must be at least 1"
                     : "how many groups to show; without --group there are none");
    if (cli_check_output(o, "number") || cli_check_not_input(o))
        return CLI_ERROR;
    *precision = o->precision;
    if (cli_given(o, OPT_ERROR))
        return precision_for_error(o, precision);
    if (cli_given(o, OPT_MEMORY))
        return precision_for_memory(o, precision);
    return CLI_OK;
}

/* ------------------------------------------------------------------------ the counting
 */

static bp_status add_hashes(bp_any *s, const uint64_t *hashes, size_t n)
{
    return bp_hll_add_hashes((bp_hll *)s, hashes, n);
}

static void remark(const cli_count *c, const bp_any *s)
{
    bp_hll_config made;
    cli_text error, seconds;
    if (!c->o->verbose)
        return;
    bp_hll_config_of((const bp_hll *)s, &made);
    fprintf(stderr, "hll, precision %u: standard error %s; %u threads, %s\n",
            (unsigned)made.precision,
            cli_percent(error, bp_hll_standard_error(made.precision)), c->o->threads,
            cli_seconds(seconds, c->tally->seconds));
}

int cmd_distinct(cli_options *o)
{
    cli_config config = {.hll = {.precision = 0}};
    cli_default_stdin(o);
    if (o->exact)
        return cli_exact_distinct(o);
    if (choose(o, &config.hll.precision) || cli_hash_spec(o, &config.hash))
        return CLI_ERROR;
    cli_count c = {.o = o,
                   .kind = bp_any_kind_by_name("hll")->id,
                   .config = &config,
                   .answer = "number",
                   .add_hashes = add_hashes,
                   .columns = cli_distinct_columns,
                   .n_columns = o->group ? CLI_DISTINCT_SAVED : CLI_DISTINCT_COLUMNS,
                   .most_groups = o->items,
                   .rows = cli_distinct_rows,
                   .say = cli_distinct_say,
                   .remark = remark};
    return cli_count_run(&c);
}
