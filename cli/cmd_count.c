/* SPDX-License-Identifier: MIT
 * cmd_count.c - `ballpark count build` and `count`: a Count-Min of all lines, and how
 * often given ones came.
 *
 * build  Only the smallest counters of a line are raised (conservative update), which
 *        makes counts several times closer. What that counts depends on the order, so one
 *        thread reads: the same input makes the same file on every machine.
 * count  Never under the truth, for certain; over it by more than the bound at most as
 *        often as the confidence allows. A top_k is asked the same way. */
#include "ask.h"
#include "explain.h"
#include "plan.h"

/* ===================================================================== count build */

static const char *const build_examples[] = {
    "ballpark count build -o urls.bp urls.txt",
    "54 KB: each count is over by at most 0.1% of all lines, for 99 in 100 lines",
    "ballpark count urls.bp '/index.html' '/login'",
    "then: how often those two came",
    "ballpark count build -f7 -e 0.001% -o urls.bp access.log",
    "the seventh field; a hundred times closer in a hundred times the memory",
    NULL};

static const cli_use build_uses[] = {
    {OPT_ERROR,
     "how far over a count may be, as a share of all lines; 0.1% unless given"},
    {OPT_DELTA, "how often it may be more; 1% unless given"},
    {OPT_MEMORY, "memory of the counters, instead of an error"},
    {OPT_WIDTH, "counters a row, instead of an error"},
    {OPT_DEPTH, "rows of counters, instead of --delta"},
    {OPT_STATE, NULL},
    {OPT_OUTPUT, "the sketch; replaced whole or not at all"},
    {OPT_FIELD, NULL},
    CLI_USES_OF_LINES,
    {OPT_WEIGHT, NULL},
    {OPT_SEED, NULL},
    {OPT_KEY_FILE, NULL},
    {OPT_SKIP_BAD, NULL},
    {OPT_QUIET, NULL},
    {OPT_EXPLAIN, NULL},
    {OPT_VERBOSE, NULL},
    {OPT_END, NULL}};

static const char *const build_exits[] = {
    "0  built",
    "2  something was wrong: an option, an input, a line; nothing was written", NULL};

const cli_page page_count_build = {
    .usage = "[OPTION]... [-o SKETCH] [FILE]...",
    .about =
        "Counts all lines (or fields) of the FILEs in a Count-Min sketch, whose size "
        "does not depend on how many there are. `count` asks it how often a line "
        "came: the answer is never too low, and too high by more than --error of "
        "all lines for at most --delta of the lines one may ask for.",
    .examples = build_examples,
    .uses = build_uses,
    .exits = build_exits,
    .notes =
        "To list the most frequent lines without knowing them, use `top`. Rare lines "
        "carry the noise of all others: at 0.1% of 1,000,000 lines a count of 1,000 "
        "may mean none at all; `count` prints the lower bound, too. Without -o the "
        "sketch "
        "goes to standard output. Sketches of the same size can be merged. When an input "
        "cannot be read, or a line has no such field (unless --skip-bad), nothing is "
        "written: it would answer too low. " CLI_NOTE_ON_STATE CLI_NOTE_ON_LINES};

static bp_status add_keys(bp_any *s, const bp_bytes *keys, const uint64_t *weights,
                          size_t n)
{
    bp_count_min_add_n((bp_count_min *)s, keys, n, weights, NULL);
    return BP_OK;
}

static void remark(const cli_count *c, const bp_any *s)
{
    cli_text lines, size, seconds;
    bp_count_min_config made;
    bp_count_min_config_of((const bp_count_min *)s, &made);
    if (c->o->verbose)
        cli_note(
            c->o, "%s lines, in %s of counters (%llu x %u); %s",
            cli_grouped(lines, c->tally->lines),
            cli_size_text(size, (double)made.width * made.depth * made.counter_bits / 8),
            (unsigned long long)made.width, (unsigned)made.depth,
            cli_seconds(seconds, c->tally->seconds));
}

int cmd_count_build(cli_options *o)
{
    cli_config config = {.room = {0}};
    o->kind = bp_any_kind_by_name("count_min");
    if (cli_check_output(o, NULL) || cli_check_not_input(o) ||
        cli_plan_counts(o, &config.count_min))
        return CLI_ERROR;
    cli_default_stdin(o);
    o->threads = 1;
    if (cli_hash_spec(o, &config.hash))
        return CLI_ERROR;
    cli_count c = {.o = o,
                   .kind = o->kind->id,
                   .config = &config,
                   .add_keys = add_keys,
                   .remark = remark};
    return cli_count_run(&c);
}

/* =========================================================================== count */

static const char *const examples[] = {
    "ballpark count urls.bp '/index.html' '/login'",
    "how often each of the two came",
    "ballpark count --format csv --keys-from watched.txt urls.bp",
    "each line of watched.txt, with its bounds",
    "ballpark top -o top.bp urls.txt && ballpark count top.bp '/login'",
    "a sketch that `top` saved knows counts as well",
    NULL};

static const cli_use uses[] = {
    {OPT_KEYS_FROM, NULL},
    {OPT_ZERO, "keys of --keys-from, and rows, end with a NUL byte, not a newline"},
    {OPT_ONLY, NULL},
    {OPT_SEED, "refuse a sketch of another seed"},
    {OPT_KEY_FILE, "the key that a keyed sketch was made with"},
    {OPT_EXPLAIN, NULL},
    {OPT_CONFIDENCE, "confidence of the lower bound: 95 (the "
                     "default) or 0.95"},
    {OPT_FORMAT, NULL},
    {OPT_COLOR, NULL},
    {OPT_QUIET, NULL},
    {OPT_END, NULL}};

static const char *const exits[] = {
    "0  some count is above zero", "1  all are zero: none of the keys ever came",
    "2  something was wrong: the sketch, an option, an input; stderr says what", NULL};

const cli_page page_count = {
    .usage = "[OPTION]... SKETCH [KEY]...",
    .about =
        "Asks a sketch that `count build` or `top` saved how often each KEY came. The "
        "count is an upper bound for certain: never less than the truth, so that a zero "
        "means never. The lower bound (`at least`) holds with the confidence, for a key "
        "that was chosen before looking. A terminal gets count, lower bound and item; "
        "anything else gets `count TAB item`; csv and json have all bounds.",
    .examples = examples,
    .uses = uses,
    .exits = exits,
    .notes =
        "A KEY is an item as the sketch was given it: a whole line, or the field of "
        "-f. `--` stands before keys that begin with a dash. Keys are answered in "
        "order, those of --keys-from last. Of a sketch that `top` saved while it was "
        "exact both bounds are the truth."};

static int refuse_kind(const cli_asked *a)
{
    if (cli_ask_counts(a->kind))
        return CLI_OK;
    cli_error("%s: holds a sketch of kind %s, which does not count single items", a->name,
              a->kind->name);
    if (cli_ask_members(a->kind))
        cli_hint("`ballpark query %s KEY...` says whether an item is in it", a->name);
    else
        cli_hint("`ballpark query %s` prints what it knows", a->name);
    return CLI_ERROR;
}

int cmd_count(cli_options *o)
{
    cli_asked a;
    int code = cli_ask_open(o, &a);
    if (!code && a.sketch)
        cli_explain(o, a.sketch, a.name, false);
    code = code ? code : refuse_kind(&a);
    if (!code && !cli_ask_has_keys(o)) {
        code = cli_error("%s: names no key", o->command->name);
        cli_hint("ballpark count %s KEY..., or --keys-from FILE", a.name);
    }
    code = code ? code : cli_ask_keys(o, &a);
    cli_ask_close(&a);
    return code;
}
