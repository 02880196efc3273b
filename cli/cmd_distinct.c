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

typedef struct counting {
    bp_hll_config config;
    bp_hll *total;
} counting;

static void *open_worker(void *ctx, bp_status *st)
{
    const counting *c = ctx;
    bp_hll *s = NULL;
    *st = bp_hll_new(&s, &c->config, NULL);
    return s;
}

static bp_status take_hashes(void *worker, const uint64_t *hashes, size_t n)
{
    return bp_hll_add_hashes(worker, hashes, n);
}

static bp_status close_worker(void *ctx, void *worker, bool failed)
{
    counting *c = ctx;
    if (!failed && !c->total)
        c->total = worker;
    return cli_unite((bp_any *)c->total, worker, failed);
}

/* -------------------------------------------------------------------------- the answer
 */

static int print_json(const cli_options *o, const bp_estimate *e, const cli_tally *t)
{
    json_t *row = json_pack("{s:s}", "kind", "hll");
    if (row && (cli_json_set_estimate(row, e) |
                json_object_set_new(row, "confidence", cli_json_real(o->confidence)) |
                json_object_set_new(row, "lines", cli_json_count(t->lines)) |
                json_object_set_new(row, "bytes", cli_json_count(t->bytes)))) {
        json_decref(row);
        row = NULL;
    }
    return cli_print_json(row);
}

static void print_human(const cli_options *o, const bp_estimate *e, const cli_tally *t)
{
    cli_text value, low, high, off, sure, lines, size, seconds;
    double half = (e->upper - e->lower) / 2;
    cli_grouped_real(value, e->value);
    if (!(half >= 0.5))
        printf("%s\n", value);
    else
        printf("%s  \302\261%s  (%s to %s, %s confidence)\n", value,
               cli_percent(off, half / e->value), cli_grouped_real(low, floor(e->lower)),
               cli_grouped_real(high, ceil(e->upper)), cli_percent(sure, o->confidence));
    cli_note(o, "%s lines, %s in %s", cli_grouped(lines, t->lines),
             cli_size_text(size, (double)t->bytes), cli_seconds(seconds, t->seconds));
}

static int print(const cli_options *o, const bp_hll *s, const cli_tally *t)
{
    bp_estimate e = {0};
    bp_detail why = {0};
    bp_status st = bp_hll_estimate(s, o->confidence, &e, &why);
    if (st)
        return cli_library_error(o->command->name, st, &why);
    if (o->format == CLI_JSON)
        return print_json(o, &e, t);
    if (o->format == CLI_HUMAN)
        print_human(o, &e, t);
    else
        printf("%.0f\n", floor(e.value + 0.5));
    return CLI_OK;
}

static void tell(const cli_options *o, const bp_hll *s, const cli_tally *t)
{
    bp_hll_config c;
    cli_text error, seconds;
    bp_hll_config_of(s, &c);
    fprintf(stderr, "hll, precision %u: standard error %s; %u threads, %s\n",
            (unsigned)c.precision, cli_percent(error, bp_hll_standard_error(c.precision)),
            o->threads, cli_seconds(seconds, t->seconds));
}

/* A sketch of half the input would be taken for one of it all. */
static int save(const cli_options *o, const bp_hll *s, int code)
{
    if (!o->output)
        return code;
    if (code == CLI_OK)
        return cli_write_sketch(o, (const bp_any *)s);
    cli_hint("%s was not written", o->output);
    return code;
}

int cmd_distinct(cli_options *o)
{
    counting c = {.config = {.precision = 0}};
    cli_tally tally;
    bool fatal;
    cli_sink sink = {
        .ctx = &c, .open = open_worker, .hashes = take_hashes, .close = close_worker};
    if (choose(o, &c.config.precision) != CLI_OK)
        return CLI_ERROR;
    cli_default_stdin(o);
    int code = cli_read(o, &sink, &tally, &fatal);
    if (!fatal) {
        /* When no input could be read there is no answer, not the answer 0. */
        bool is_answer = !(tally.failed && tally.lines == 0);
        int printed = is_answer ? print(o, c.total, &tally) : CLI_OK;
        if (o->verbose)
            tell(o, c.total, &tally);
        code = save(o, c.total, printed ? printed : code);
    }
    bp_hll_free(c.total);
    return code;
}
