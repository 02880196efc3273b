/* SPDX-License-Identifier: MIT
 * cmd_distinct.c - how many different lines there are. */
#include "cli.h"

#include <math.h>
#include <string.h>

static const char *const examples[] = {
    "ballpark distinct access.log",
    "as sort -u | wc -l, in 12 KB and one pass",
    "ballpark distinct -f1 monday.log tuesday.log",
    "different first fields of both files together",
    "ballpark distinct -d, -f3 -e 0.5% users.csv",
    "the third comma-separated field, with a standard error of 0.5 % or less",
    "ballpark distinct -f1 -o monday.bp monday.log",
    "the number, and the sketch for a later `ballpark merge`",
    NULL};
static const cli_use uses[] = {
    {OPT_FIELD, NULL},
    {OPT_DELIMITER, NULL},
    {OPT_ERROR, "relative standard error, 0.21% to 26%; 0.81% unless given"},
    {OPT_MEMORY, "at most this much memory for the sketch"},
    {OPT_PRECISION, "2^P registers, 4 to 18; 14 unless given"},
    {OPT_KIND, "kind of sketch: hll"},
    {OPT_CONFIDENCE, NULL},
    {OPT_OUTPUT, "also write the sketch to FILE, replaced whole or not at all"},
    {OPT_THREADS, NULL},
    {OPT_FORMAT, NULL},
    {OPT_SKIP_BAD, NULL},
    {OPT_QUIET, NULL},
    {OPT_VERBOSE, NULL},
    {OPT_END, NULL}};

const cli_page page_distinct = {
    "[OPTION]... [FILE]...",
    "Counts the different lines of all FILEs together, in one pass and a few kilobytes, "
    "by a HyperLogLog sketch: standard error 0.81%; up to 100, exact but for odds of 1 "
    "in "
    "40,000. An item is the line without its line end; empty lines count, and so does a "
    "last line without a line end. A terminal gets the number with the range "
    "that holds the truth at the confidence, anything else the bare number.",
    examples,
    uses,
    NULL,
    "Give at most one of --error, --memory and --precision. FILE is not written when an "
    "input could not be read or lines were without the field, unless --skip-bad says "
    "that those are expected. A carriage return before the line end is part of the "
    "item; fields are split at every delimiter, inside quotes too."};

enum { PRECISION_LEAST = 4, PRECISION_MOST = 18 };

/* ------------------------------------------------------------------ choosing the size */

static int precision_for_error(const cli_options *o, uint32_t *p)
{
    for (*p = PRECISION_LEAST; *p <= PRECISION_MOST; ++*p)
        if (bp_hll_standard_error(*p) <= o->error)
            return CLI_OK;
    return cli_error("%s: --error %.6g%%: the least is %.2f%%, with --precision %d",
                     o->command->name, o->error * 100,
                     ceil(bp_hll_standard_error(PRECISION_MOST) * 1e4) / 100,
                     PRECISION_MOST);
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

/* -------------------------------------------------------------------------- the answer
 */

static int ask(const cli_count *c, const bp_any *s, bp_estimate *e)
{
    bp_detail why = {0};
    bp_status st = bp_hll_estimate((const bp_hll *)s, c->o->confidence, e, &why);
    return st ? cli_library_error(c->o->command->name, st, &why) : CLI_OK;
}

static const cli_column columns[] = {
    {"kind", NULL, CLI_TEXT, false, NULL, NULL},
    {"estimate", "distinct", CLI_WHOLE, true, "ballpark_distinct_estimate",
     "Different items, estimated."},
    {"lower", "at least", CLI_WHOLE, false, "ballpark_distinct_estimate_lower",
     "Lower end of the range that holds the truth at the confidence."},
    {"upper", "at most", CLI_WHOLE, false, "ballpark_distinct_estimate_upper",
     "Upper end of the range that holds the truth at the confidence."},
    {"confidence", NULL, CLI_REAL, false, NULL, NULL},
    {"lines", NULL, CLI_COUNT, false, NULL, NULL},
    {"bytes", NULL, CLI_COUNT, false, NULL, NULL},
};

static int rows(const cli_count *c, cli_table *t, const bp_any *s, const bp_bytes *group)
{
    (void)group;
    bp_estimate e = {0};
    if (ask(c, s, &e))
        return CLI_ERROR;
    const cli_cell cells[] = {{.text = "hll"},
                              {.real = floor(e.value + 0.5)},
                              {.real = floor(e.lower)},
                              {.real = ceil(e.upper)},
                              {.real = c->o->confidence},
                              {.count = c->tally->lines},
                              {.count = c->tally->bytes}};
    return cli_table_row(t, cells);
}

static int say(const cli_count *c, const bp_any *s)
{
    const cli_options *o = c->o;
    cli_text value, low, high, off, sure, lines, size, seconds;
    bp_estimate e = {0};
    if (ask(c, s, &e))
        return CLI_ERROR;
    double half = (e.upper - e.lower) / 2;
    cli_grouped_real(value, e.value);
    if (!(half >= 0.5))
        printf("%s\n", value);
    else
        printf("%s  \302\261%s  (%s to %s, %s confidence)\n", value,
               cli_percent(off, half / e.value), cli_grouped_real(low, floor(e.lower)),
               cli_grouped_real(high, ceil(e.upper)), cli_percent(sure, o->confidence));
    cli_note(o, "%s lines, %s in %s", cli_grouped(lines, c->tally->lines),
             cli_size_text(size, (double)c->tally->bytes),
             cli_seconds(seconds, c->tally->seconds));
    return CLI_OK;
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
    bp_hll_config config = {.precision = 0};
    if (choose(o, &config.precision) != CLI_OK)
        return CLI_ERROR;
    cli_default_stdin(o);
    cli_count c = {.o = o,
                   .kind = bp_any_kind_by_name("hll")->id,
                   .config = &config,
                   .answer = "number",
                   .add_hashes = add_hashes,
                   .columns = columns,
                   .n_columns = sizeof columns / sizeof *columns,
                   .rows = rows,
                   .say = say,
                   .remark = remark};
    return cli_count_run(&c);
}
