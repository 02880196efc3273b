/* SPDX-License-Identifier: MIT
 * cmd_filter_build.c - `ballpark filter build`: a Bloom filter of the input's items.
 *
 * How many different items there are decides the size. With -n the user says; without,
 * a first pass counts them with a HyperLogLog sketch, so that repeated lines cost
 * nothing, and the filter is made for the upper end of what that says: 4 standard errors
 * above, 1.6 %, which is exceeded once in 30,000 runs. All threads then add to one
 * filter at the same time. */
#include "plan.h"

#include <math.h>
#include <unistd.h>

static const char *const examples[] = {
    "ballpark filter build -p 0.1% -o seen.bp seen.txt",
    "a filter of all lines; wrong one time in 1000",
    "cut -f2 log | ballpark filter build -n 1e6 -o ids.bp",
    "sized for a million different items, read once",
    "ballpark filter test seen.bp new.txt",
    "then: the lines that were in it",
    NULL};

static const cli_use uses[] = {
    {OPT_ITEMS, "different items to make room for; counted in a first pass unless given"},
    {OPT_FPR, "false positive rate at that many: 1% (the default), 0.01 or 1e-3"},
    {OPT_MEMORY, "size, instead of a rate: 64K, 1.5MiB (1024-based), 1MB (1000-based)"},
    {OPT_BITS, "size in bits, instead of a rate"},
    {OPT_HASHES, "probes an item; the best number unless given"},
    {OPT_OUTPUT, "the filter; replaced whole or not at all"},
    {OPT_FIELD, NULL},
    {OPT_DELIMITER, NULL},
    {OPT_THREADS, NULL},
    {OPT_SKIP_BAD, NULL},
    {OPT_QUIET, NULL},
    {OPT_VERBOSE, NULL},
    {OPT_END, NULL}};

static const char *const exits[] = {
    "0  built",
    "2  something was wrong: an option, an input, a line; nothing was written", NULL};

const cli_page page_filter_build = {
    .usage = "[OPTION]... -o FILTER [FILE]...",
    .about =
        "Makes a Bloom filter of all lines (or fields) of the FILEs: about 10 bits for "
        "each "
        "different item, and 1% of the others are taken for members. `filter test` asks "
        "it.",
    .examples = examples,
    .uses = uses,
    .exits = exits,
    .notes =
        "Without -n (and without both --bits and --hashes) the input is read twice: "
        "first to count its different items, to within 1.6%. A pipe is then copied to a "
        "temporary file in TMPDIR. A filter that gets more items than it was made for "
        "keeps every member but takes more strangers for members; that is said, with the "
        "rate. When an input cannot be read, or a line has no such field (unless "
        "--skip-bad), no filter is written: one with items missing would answer no for "
        "them. `ballpark size` works out rates and sizes."};

/* ------------------------------------------------------------ counting, the first pass
 */

static void *open_count(void *ctx, bp_status *st)
{
    bp_hll *s = NULL;
    (void)ctx;
    *st = bp_hll_new(&s, NULL, NULL);
    return s;
}

static bp_status count_hashes(void *worker, const uint64_t *hashes, size_t n)
{
    return bp_hll_add_hashes((bp_hll *)worker, hashes, n);
}

static bp_status close_count(void *ctx, void *worker, bool failed)
{
    const bp_status st = failed ? BP_OK : bp_hll_merge(*(bp_hll **)ctx, worker, NULL);
    bp_hll_free(worker);
    return st;
}

/* 4 standard errors: the confidence 1 - 6.3e-5, half of it above. */
static const double confidence = 0.999936657516334;

/* The number of different items, at the upper end. Lines without the field are left to
 * the second pass to complain about. */
static int count_items(const cli_options *o, uint64_t *items)
{
    bp_hll *all = NULL;
    bp_estimate e;
    cli_tally tally;
    bool fatal = false;
    if (bp_hll_new(&all, NULL, NULL))
        return cli_error("%s: out of memory", o->command->name);
    const cli_sink sink = {
        .ctx = &all, .open = open_count, .hashes = count_hashes, .close = close_count};
    cli_options quiet = *o;
    quiet.skip_bad = quiet.quiet = true;
    const int code = cli_read(&quiet, &sink, &tally, &fatal);
    *items = 1;
    if (!code && !bp_hll_estimate(all, confidence, &e, NULL) && e.upper < 0x1p62)
        *items = e.upper > 1 ? (uint64_t)ceil(e.upper) : 1;
    bp_hll_free(all);
    return code;
}

/* --------------------------------------------------------------------------- building */

static void *open_filter(void *ctx, bp_status *st)
{
    *st = BP_OK;
    return ctx;
}

static bp_status add_hashes(void *worker, const uint64_t *hashes, size_t n)
{
    bp_bloom_add_hashes((bp_bloom *)worker, hashes, n, NULL);
    return BP_OK;
}

static bp_status close_filter(void *ctx, void *worker, bool failed)
{
    (void)ctx;
    (void)worker;
    (void)failed;
    return BP_OK;
}

static int fill(const cli_options *o, bp_bloom *s, cli_tally *tally)
{
    bool fatal = false;
    const cli_sink sink = {
        .ctx = s, .open = open_filter, .hashes = add_hashes, .close = close_filter};
    const int code = cli_read(o, &sink, tally, &fatal);
    if (code)
        cli_hint("no filter was written: it would answer no for the items that are "
                 "missing");
    return code;
}

/* What was made, for a person who asked; and a warning when it holds too much. */
static void tell(const cli_options *o, const bp_bloom *s, const cli_tally *tally)
{
    cli_text a, b, c, d, rate;
    static bp_description about;
    bp_bloom_config made;
    bp_estimate e;
    bp_bloom_config_of(s, &made);
    bp_bloom_describe(s, &about);
    if (bp_bloom_estimate(s, 0.95, &e, NULL))
        return;
    if (o->verbose)
        cli_note(o, "%s lines, about %s different, in a filter of %s for %s at %s",
                 cli_grouped(a, tally->lines), cli_grouped_real(b, e.value),
                 cli_size_text(c, (double)made.bits / 8), cli_grouped(d, made.items),
                 cli_percent(rate, cli_bloom_rate(&made)));
    if (about.health != BP_HEALTH_OVER || o->quiet)
        return;
    cli_warn("the filter was made for %s items at %s but holds about %s; now %s of all "
             "others are taken for members",
             cli_grouped(a, made.items), cli_percent(b, cli_bloom_rate(&made)),
             cli_grouped_real(c, e.value), cli_percent(d, bp_bloom_fpr(s)));
    cli_hint("build it again with -n %.0f, or without -n", ceil(e.upper));
}

static int build(const cli_options *o, const cli_plan *p)
{
    bp_bloom *s = NULL;
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    bp_bloom_config cfg = p->bloom;
    cfg.concurrent = o->threads > 1;
    const bp_status st = bp_bloom_new(&s, &cfg, &why);
    cli_text size;
    cli_tally tally;
    if (st == BP_NOMEM) {
        cli_error("%s: out of memory for a filter of %s", o->command->name,
                  cli_size_text(size, (double)p->bytes));
        cli_hint("a higher --fpr, or --memory, makes a smaller one");
        return CLI_ERROR;
    }
    if (st)
        return cli_library_error(o->command->name, st, &why);
    int code = fill(o, s, &tally);
    if (!code)
        code = cli_write_sketch(o, (const bp_any *)s);
    if (!code)
        tell(o, s, &tally);
    bp_bloom_free(s);
    return code;
}

/* Said before the input is read, not after. */
static int refuse_terminal(const cli_options *o)
{
    if (o->output || !isatty(STDOUT_FILENO))
        return CLI_OK;
    cli_error("%s: a filter is not text, and this is a terminal", o->command->name);
    cli_hint("add -o FILE, or > FILE");
    return CLI_ERROR;
}

/* Whether the size depends on how many items there are, and nobody said. */
static bool wants_count(const cli_options *o)
{
    const bool has_size = o->bits || o->memory;
    return !o->items && !(has_size && (o->hashes || o->fpr > 0));
}

int cmd_filter_build(cli_options *o)
{
    cli_plan p;
    uint64_t items = 0;
    cli_default_stdin(o);
    if (cli_given(o, OPT_ITEMS) && !o->items)
        return cli_error("%s: --items 0: must be at least 1", o->command->name);
    if (refuse_terminal(o) || cli_plan_bloom(&p, o, 0))
        return CLI_ERROR;
    if (wants_count(o) &&
        (cli_spool(o) || count_items(o, &items) || cli_plan_bloom(&p, o, items)))
        return CLI_ERROR;
    return build(o, &p);
}
