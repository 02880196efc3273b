/* SPDX-License-Identifier: MIT
 * cmd_filter_test.c - `ballpark filter test`: the lines that a filter knows.
 *
 * As grep: lines go out in the order they came in, the exit code says whether there was
 * one. The filter is mapped and asked in place; all the lines of a batch are hashed and
 * asked together, so that their cache misses overlap. */
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const examples[] = {
    "ballpark filter test seen.bp new.txt",
    "the lines that are in the filter",
    "ballpark filter test -v seen.bp new.txt",
    "those that surely are not",
    "ballpark filter test -c -d, -f3 seen.bp users.csv",
    "how many lines have a third field that is",
    NULL};

static const cli_use uses[] = {
    {OPT_INVERT, "select the lines that are surely not in the filter"},
    {OPT_COUNT, NULL},
    {OPT_QUIET, "print nothing; the exit code tells"},
    {OPT_FIELD, "ask for the N-th field; the whole line is printed"},
    {OPT_DELIMITER, NULL},
    {OPT_SKIP_BAD, NULL},
    {OPT_END, NULL}};

static const char *const exits[] = {"0  some line was selected", "1  none was",
                                    "2  something was wrong: the filter, an option, an "
                                    "input, a line; stderr says what",
                                    NULL};

const cli_page page_filter_test = {
    .usage = "[OPTION]... FILTER [FILE]...",
    .about =
        "Prints the lines of the FILEs that may be in the FILTER, in their order. A line "
        "that was put in is always found. One that was not is found at the filter's "
        "false "
        "positive rate, so what -v prints is certain and what stands without it is not.",
    .examples = examples,
    .uses = uses,
    .exits = exits,
    .notes = "A filter that holds more than it was made for still finds all its members; "
             "that it takes more strangers for members is said on stderr, with the rate. "
             "Before the first line is read the filter's checksums are verified. Lines "
             "without the field are selected neither with nor without -v."};

/* ---------------------------------------------------------------------------- testing */

enum { BATCH = 4096 };

typedef struct tester {
    const cli_options *o;
    const bp_bloom *filter;
    uint64_t selected;
    bool done; /* -q, and a line was found: the rest cannot change the answer */
} tester;

static void *open_test(void *ctx, bp_status *st)
{
    *st = BP_OK;
    return ctx;
}

static bp_status close_test(void *ctx, void *worker, bool failed)
{
    (void)ctx;
    (void)worker;
    (void)failed;
    return BP_OK;
}

/* What cannot be written is stdout's error, which the end of the run reports. */
static void print_line(bp_bytes line)
{
    fwrite_unlocked(line.ptr, 1, line.len, stdout);
    putc_unlocked('\n', stdout);
}

static bp_status test_keys(void *worker, const cli_batch *batch)
{
    tester *t = worker;
    uint8_t hit[BATCH];
    for (size_t at = 0; at < batch->n && !t->done; at += BATCH) {
        const size_t n = batch->n - at < BATCH ? batch->n - at : BATCH;
        const size_t hits = bp_bloom_has_n(t->filter, batch->keys + at, n, hit);
        t->selected += t->o->invert ? n - hits : hits;
        t->done = t->o->quiet && t->selected;
        for (size_t i = 0; i < n && !t->o->count && !t->o->quiet; i++)
            if (hit[i] != t->o->invert)
                print_line(batch->lines[at + i]);
    }
    return t->done || ferror(stdout) ? BP_FULL : BP_OK;
}

static int test(cli_options *o, const bp_bloom *filter)
{
    tester t = {.o = o, .filter = filter};
    cli_tally tally;
    bool fatal = false;
    const cli_sink sink = {.ctx = &t,
                           .open = open_test,
                           .keys = test_keys,
                           .close = close_test,
                           .ordered = true};
    const int code = cli_read(o, &sink, &tally, &fatal);
    if (t.done)
        return CLI_OK;
    if (o->count && !o->quiet && !fatal)
        printf("%llu\n", (unsigned long long)t.selected);
    return code ? code : t.selected ? CLI_OK : CLI_NONE;
}

/* ----------------------------------------------------------------------------- filter */

static int as_filter(const cli_saved *s, const char *name, const bp_bloom **filter)
{
    bp_bloom_config made;
    if (strcmp(s->kind->name, "bloom") != 0) {
        cli_error("%s: holds a sketch of kind %s, which cannot say whether an item is in",
                  name, s->kind->name);
        cli_hint("`ballpark filter build -o FILTER FILE` makes one that can");
        return CLI_ERROR;
    }
    *filter = (const bp_bloom *)s->sketch;
    bp_bloom_config_of(*filter, &made);
    if (made.hash.id == BP_HASH_XXH3 && made.hash.seed == 0)
        return CLI_OK;
    cli_error("%s: its items were hashed with %s, seed or key of its own; this command "
              "hashes with xxh3, seed 0",
              name, bp_hash_name(made.hash.id));
    cli_hint("ask it through the library");
    return CLI_ERROR;
}

/* What a person would want to know before trusting a yes. */
static void warn_when_over(const char *name, const bp_bloom *s)
{
    cli_text a, b, c, d;
    static bp_description about;
    bp_bloom_config made;
    bp_estimate e;
    bp_bloom_describe(s, &about);
    bp_bloom_config_of(s, &made);
    if (about.health != BP_HEALTH_OVER || bp_bloom_estimate(s, 0.95, &e, NULL))
        return;
    cli_warn(
        "%s was made for %s items at %s but holds about %s; now %s of all others are "
        "taken for members",
        name, cli_grouped(a, made.items), cli_percent(b, cli_bloom_rate(&made)),
        cli_grouped_real(c, e.value), cli_percent(d, bp_bloom_fpr(s)));
    if (isfinite(e.upper))
        cli_hint("build it again with -n %.0f -p %g", ceil(e.upper),
                 cli_bloom_rate(&made));
    else
        cli_hint("build it again, larger: every bit is set");
}

int cmd_filter_test(cli_options *o)
{
    if (o->n_files == 0) {
        cli_error("%s: names no filter", o->command->name);
        cli_hint("ballpark filter test FILTER [FILE]...");
        return CLI_ERROR;
    }
    const char *name = o->files[0].name;
    memmove(o->files, o->files + 1, (o->n_files - 1) * sizeof *o->files);
    o->n_files--;
    cli_default_stdin(o);
    for (size_t i = 0; i < o->n_files; i++)
        if (strcmp(name, "-") == 0 && strcmp(o->files[i].name, "-") == 0)
            return cli_error("%s: the filter and the lines cannot both be standard input",
                             o->command->name);
    cli_saved s;
    const bp_bloom *filter = NULL;
    if (cli_view(&s, name, true))
        return CLI_ERROR;
    int code = as_filter(&s, name, &filter);
    if (!code) {
        if (!o->quiet)
            warn_when_over(name, filter);
        code = test(o, filter);
    }
    cli_close(&s);
    return code;
}
