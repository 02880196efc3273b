/* SPDX-License-Identifier: MIT
 * cmd_filter_ask.c - `ballpark filter test`: the lines that a filter knows.
 *
 * As grep: lines go out in the order they came in, the exit code says whether there was
 * one. The filter is mapped and asked in place; all the lines of a batch are hashed and
 * asked together, so that their cache misses overlap. */
#include "explain.h"
#include "filter.h"

#include <string.h>

static const char *const test_examples[] = {
    "ballpark filter test seen.bp new.txt",
    "the lines that are in the filter",
    "ballpark filter test -v seen.bp new.txt",
    "those that surely are not",
    "ballpark filter test -c -d, -f3 seen.bp users.csv",
    "how many lines have a third field that is",
    NULL};

static const cli_use test_uses[] = {
    {OPT_INVERT, "select the lines that are surely not in the filter"},
    {OPT_COUNT, NULL},
    {OPT_QUIET, "print nothing; the exit code tells"},
    {OPT_FIELD, "ask for these fields; the whole line is printed"},
    CLI_USES_OF_LINES,
    {OPT_SEED, "refuse a filter of another seed"},
    {OPT_KEY_FILE, "the key that a keyed filter was made with"},
    {OPT_EXPLAIN, NULL},
    {OPT_SKIP_BAD, NULL},
    {OPT_END, NULL}};

static const char *const test_exits[] = {
    "0  some line was selected", "1  none was",
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
    .examples = test_examples,
    .uses = test_uses,
    .exits = test_exits,
    .notes = "A filter that holds more than it was made for still finds all its members; "
             "that it takes more strangers for members is said on stderr, with the rate. "
             "Before the first line is read the filter's checksums are verified. Lines "
             "without the field are selected neither with nor without -v. With -H the "
             "header is printed first, unless -c or -q; of several files, that of the "
             "first. " CLI_NOTE_ON_LINES CLI_NOTE_ON_FOLLOW,
    .operands = 1};

/* ---------------------------------------------------------------------------- testing */

enum { BATCH = 4096 };

typedef struct tester {
    const cli_options *o;
    const bp_any *filter;
    uint64_t selected;
} tester;

/* What cannot be written is stdout's error, which the end of the run reports. */
static void print_line(const cli_options *o, bp_bytes line)
{
    fwrite_unlocked(line.ptr, 1, line.len, stdout);
    putc_unlocked(o->zero ? '\0' : '\n', stdout);
}

static void print_header(void *ctx, bp_bytes line)
{
    const tester *t = ctx;
    if (!t->o->count && !t->o->quiet)
        print_line(t->o, line);
}

static bp_status test_keys(void *worker, const cli_batch *batch)
{
    tester *t = worker;
    uint8_t hits[BATCH / 8];
    for (size_t at = 0; at < batch->n; at += BATCH) {
        const size_t n = batch->n - at < BATCH ? batch->n - at : BATCH;
        size_t yes = 0;
        bp_any_has_n(t->filter, batch->keys + at, n, hits, &yes, NULL);
        t->selected += t->o->invert ? n - yes : yes;
        if (t->o->quiet && t->selected)
            cli_stop(CLI_OK);
        for (size_t i = 0; i < n && !t->o->count && !t->o->quiet; i++)
            if ((hits[i / 8] >> i % 8 & 1) != t->o->invert)
                print_line(t->o, batch->lines[at + i]);
        if (ferror(stdout))
            cli_stop(CLI_ERROR);
    }
    return BP_OK;
}

static int test(cli_options *o, const cli_saved *s)
{
    tester t = {.o = o, .filter = s->sketch};
    cli_tally tally;
    bool fatal = false;
    const cli_sink sink = {.ctx = &t,
                           .keys = test_keys,
                           .header = print_header,
                           .ordered = true,
                           .partial = true};
    const int code = cli_read(o, &sink, &tally, &fatal);
    if (o->count && !o->quiet && !fatal)
        printf("%llu\n", (unsigned long long)t.selected);
    if (tally.interrupted)
        return CLI_INTERRUPTED;
    return code ? code : t.selected ? CLI_OK : CLI_NONE;
}

/* ---------------------------------------------------------------------------- filter */

static int refuse_other(const cli_saved *s, const char *name)
{
    if (cli_is_filter(s->kind))
        return CLI_OK;
    cli_error("%s: holds a sketch of kind %s, which cannot say whether an item is in",
              name, s->kind->name);
    cli_hint("`ballpark filter build -o FILTER FILE` makes one that can");
    return CLI_ERROR;
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
    bp_hash_spec hash;
    if (cli_hash_spec(o, &hash) || cli_open(&s, o, &hash, name, false))
        return CLI_ERROR;
    int code = refuse_other(&s, name);
    if (!code) {
        if (!o->quiet)
            cli_warn_when_over(name, s.sketch, false);
        cli_explain(o, s.sketch, name, true);
        code = test(o, &s);
    }
    cli_close(&s);
    return code;
}
