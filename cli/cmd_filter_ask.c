/* SPDX-License-Identifier: MIT
 * cmd_filter_ask.c - `ballpark filter test`: the lines that a filter knows.
 *
 * As grep: lines go out in the order they came in, the exit code says whether there was
 * one. The filter is mapped and asked in place; all the lines of a batch are hashed and
 * asked together, so that their cache misses overlap. With --exact each yes is checked
 * (check.c), and the filter is told what came out of that (feedback.c). */
#include "check.h"
#include "column.h"
#include "explain.h"
#include "feedback.h"
#include "filter.h"

#include <string.h>

static const char *const test_examples[] = {
    "ballpark filter test seen.bp new.txt",
    "the lines that are in the filter",
    "ballpark filter test -v seen.bp new.txt",
    "those that surely are not",
    "ballpark filter test -c -d, -f3 seen.bp users.csv",
    "how many lines have a third field that is",
    "ballpark filter test seen.bp --exact seen.txt new.txt",
    "only those that really are: each yes is looked up in seen.txt",
    NULL};

static const cli_use test_uses[] = {
    {OPT_INVERT, "select the lines that are surely not in the filter"},
    {OPT_COUNT, NULL},
    {OPT_QUIET, "print nothing; the exit code tells"},
    {OPT_EXACT_FILE,
     "check each yes against FILE, the input that the filter was built of"},
    {OPT_OTHER_FIELD,
     "with --exact: the items of FILE are these fields, not its whole lines"},
    {OPT_NO_FEEDBACK, "with --exact: do not keep in FILTER how often it was wrong"},
    {OPT_MEMORY, "with --exact: memory for the lines to check, 256M unless given"},
    {OPT_FIELD, "ask for these fields; the whole line is printed"},
    CLI_USES_OF_LINES,
    {OPT_TYPE, "lines are values of a column of this type: string (the default), int32, "
               "int64, float or double"},
    {OPT_SEED, "refuse a filter of another seed"},
    {OPT_KEY_FILE, "the key that a keyed filter was made with"},
    {OPT_EXPLAIN, NULL},
    {OPT_SKIP_BAD, NULL},
    {OPT_THREADS, "threads that read FILE of --exact (default: one a core)"},
    {OPT_VERBOSE, "with --exact: say on stderr what was checked, and what was wrong"},
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
        "false positive rate, so what -v prints is certain and what stands without it is "
        "not, unless --exact checks it.",
    .examples = test_examples,
    .uses = test_uses,
    .exits = test_exits,
    .notes =
        "A filter that holds more than it was made for still finds all its members; "
        "that it takes more strangers for members is said on stderr, with the rate. "
        "Before the first line is read the filter's checksums are verified; a filter of "
        "64 MiB or more answers at once: each MiB is verified when the first answer "
        "comes from it, and `info` tells whether it is over. Lines without the field are "
        "selected neither with nor without -v. With -H the "
        "header is printed first, unless -c or -q; of several files, that of the "
        "first. "
        "--exact FILE takes what FILTER was built of and prints what really is in it "
        "(with -v, all else), in the same order. FILE is read when the input ends, "
        "or when the different lines to check outgrow -m, or when what waits behind "
        "them outgrows FILE; meanwhile that is in TMPDIR, once there is more than 8 "
        "MiB. While a pipe is read nothing waits, if FILE's items fit in -m. "
        "FILTER may be Parquet's, bare or as FILE@OFFSET+LENGTH inside a Parquet file, "
        "whose metadata have them as bloom_filter_offset and bloom_filter_length. Keys "
        "of "
        "a column of numbers are their 4 or 8 bytes: --type reads them from the lines. "
        "Whole lines of FILE are its items, or the fields of --other-field; -z, "
        "--trim and -i hold for both sides, -d, --csv and -H too when there are "
        "such fields. How often FILTER was asked for what is not in it, and how "
        "often it said yes, is then added to what its file holds, unless "
        "--no-feedback, and `ballpark info` shows it as fpr_measured; that is done "
        "under FILTER.lock, as with -s, and left out where it cannot be written. "
        "An item of FILE that FILTER says no to is an error: it was made of "
        "something else. " CLI_NOTE_ON_LINES,
    .operands = 1};

/* ---------------------------------------------------------------------------- testing */

typedef struct tester {
    const cli_options *o;
    const char *name;
    const bp_any *filter;
    cli_column_values values;
    cli_check *check; /* NULL: without --exact */
    uint64_t selected;
} tester;

static void print_header(void *ctx, bp_bytes line)
{
    const tester *t = ctx;
    if (!t->o->count && !t->o->quiet)
        cli_print_line(t->o, line);
}

static void print_lines(tester *t, const bp_bytes *lines, size_t n, const uint8_t *bits,
                        size_t yes)
{
    t->selected += t->o->invert ? n - yes : yes;
    for (size_t i = 0; i < n && !t->o->count && !t->o->quiet; i++)
        if ((bits[i / 8] >> i % 8 & 1) != t->o->invert)
            cli_print_line(t->o, lines[i]);
}

/* The filter is told, unless FILE was not what it was made of. */
static void feed_back(const tester *t)
{
    const cli_check *c = t->check;
    if (c && !c->foreign && !t->o->no_feedback)
        cli_feed_back(t->o, t->name, c->strangers, c->false_yes);
}

static bp_status test_keys(void *worker, const cli_batch *batch)
{
    tester *t = worker;
    uint8_t bits[CLI_CHECK_MOST / 8];
    for (size_t at = 0; at < batch->n; at += CLI_CHECK_MOST) {
        const size_t n = batch->n - at < CLI_CHECK_MOST ? batch->n - at : CLI_CHECK_MOST;
        size_t yes = 0;
        bp_any_has_n(t->filter, cli_column_keys(&t->values, batch->keys + at, n), n, bits,
                     &yes, NULL);
        yes = cli_column_only(&t->values, n, bits, yes);
        if (!t->check) {
            print_lines(t, batch->lines + at, n, bits, yes);
        } else {
            const bp_status st = cli_check_lines(t->check, batch->keys + at,
                                                 batch->lines + at, n, bits, yes);
            if (st)
                return st;
            t->selected = cli_check_selected(t->check);
        }
        if (t->o->quiet && t->selected) {
            feed_back(t);
            cli_stop(CLI_OK);
        }
        if (ferror(stdout))
            cli_stop(CLI_ERROR);
    }
    return BP_OK;
}

/* What --exact found, for a person who asked; and whether it was exact. */
static int judge(const tester *t)
{
    const cli_check *c = t->check;
    cli_text a, b, rate;
    if (t->o->verbose && c->strangers)
        cli_note(t->o, "%s questions about strangers, %s of them answered yes: %s",
                 cli_grouped(a, c->strangers), cli_grouped(b, c->false_yes),
                 cli_percent(rate, (double)c->false_yes / (double)c->strangers));
    if (!c->foreign)
        return CLI_OK;
    cli_error(
        "%s: --exact %s: %s of its items are not in %s, which was made of something "
        "else",
        t->o->command->name, t->o->exact_file, cli_grouped(a, c->foreign), t->name);
    if (t->o->field && !t->o->other_field)
        cli_hint("its whole lines are its items; --other-field %s takes that field of it",
                 t->o->field);
    else
        cli_hint("lines like them were taken for strangers; `ballpark filter build -o %s "
                 "%s` makes it anew",
                 t->name, t->o->exact_file);
    return CLI_ERROR;
}

static int test(cli_options *o, tester *t)
{
    cli_tally tally;
    bool fatal = false;
    const cli_sink sink = {.ctx = t,
                           .keys = test_keys,
                           .header = print_header,
                           .ordered = true,
                           .partial = true};
    int code = cli_read(o, &sink, &tally, &fatal);
    if (t->check && !fatal) {
        if (cli_check_rest(t->check))
            return CLI_ERROR;
        t->selected = t->check->selected;
        code = judge(t) ? CLI_ERROR : code;
        feed_back(t);
    }
    cli_column_warn(&t->values);
    if (o->count && !o->quiet && !fatal)
        printf("%llu\n", (unsigned long long)t->selected);
    if (tally.interrupted)
        return CLI_INTERRUPTED;
    return code ? code : t->selected ? CLI_OK : CLI_NONE;
}

static int test_exactly(cli_options *o, tester *t)
{
    static cli_check check;
    t->check = &check;
    int code = cli_check_begin(&check, o, t->filter);
    if (!code)
        code = test(o, t);
    cli_check_end(&check);
    return code;
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

/* One stream cannot be two of them. */
static int check_stdin(const cli_options *o, const char *filter)
{
    const char *const exact = o->exact_file ? o->exact_file : "";
    size_t others = 0;
    for (size_t i = 0; i < o->n_files; i++)
        others += cli_is_stdin(o->files[i].name);
    if (cli_is_stdin(filter) && others > 0)
        return cli_error("%s: the filter and the lines cannot both be standard input",
                         o->command->name);
    if (cli_is_stdin(exact) && (others > 0 || cli_is_stdin(filter)))
        return cli_error("%s: --exact %s: standard input is read for something else",
                         o->command->name, exact);
    return CLI_OK;
}

/* Options that say something of the check, when there is none. */
static int check_options(const cli_options *o)
{
    static const cli_opt of_check[] = {OPT_OTHER_FIELD, OPT_NO_FEEDBACK, OPT_MEMORY};
    for (size_t i = 0; i < sizeof of_check / sizeof *of_check; i++) {
        if (o->exact_file || !cli_given(o, of_check[i]))
            continue;
        cli_error("%s: --%s: means nothing without --exact", o->command->name,
                  cli_option(of_check[i])->name);
        cli_hint("add --exact FILE, or leave it away");
        return CLI_ERROR;
    }
    if (!o->exact_file || !o->type)
        return CLI_OK;
    cli_error("%s: --exact and --type: FILE's items are text", o->command->name);
    cli_hint("leave one of them away");
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
    if (check_stdin(o, name) || check_options(o))
        return CLI_ERROR;
    cli_saved s;
    bp_hash_spec hash;
    if (cli_hash_spec(o, &hash) || cli_open(&s, o, &hash, name, false))
        return CLI_ERROR;
    int code = refuse_other(&s, name);
    if (!code) {
        /* A large one would be read whole for that. */
        if (!o->quiet && !s.is_lazy && !s.is_foreign)
            cli_warn_when_over(name, s.sketch, false);
        cli_explain(o, s.sketch, name, true);
        static tester t;
        t = (tester){.o = o, .name = name, .filter = s.sketch};
        t.values.type = (cli_value_type)o->type;
        code = o->exact_file ? test_exactly(o, &t) : test(o, &t);
    }
    cli_close(&s);
    return code;
}
