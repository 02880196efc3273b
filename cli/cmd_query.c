/* SPDX-License-Identifier: MIT
 * cmd_query.c - `ballpark query`: asks a sketch that an earlier run saved.
 *
 * Without keys it says what the command that saved it had said; with keys, what it knows
 * of each of them. */
#include "answers.h"
#include "ask.h"
#include "explain.h"

#include <string.h>

static const char *const examples[] = {
    "ballpark query monday.bp",
    "what `distinct -o monday.bp` or `top -o monday.bp` printed, again",
    "ballpark query -n3 --format json top.bp",
    "the first three rows of a saved top",
    "ballpark query seen.bp alice bob",
    "whether a filter knows alice and bob: maybe, or surely no",
    "ballpark query --keys-from users.txt counts.bp",
    "how often each of these lines came",
    NULL};

static const cli_use uses[] = {
    {OPT_KEYS_FROM, NULL},
    {OPT_ZERO, "keys of --keys-from, and rows, end with a NUL byte, not a newline"},
    {OPT_SEED, "with keys: refuse a sketch of another seed"},
    {OPT_EXPLAIN, NULL},
    {OPT_KEY_FILE, "with keys: the key that a keyed sketch was made with"},
    {OPT_ITEMS, "of a top_k: rows to print, 10 unless given; of groups of an hll: only "
                "the N largest"},
    {OPT_ONLY, NULL},
    {OPT_CONFIDENCE, NULL},
    {OPT_FORMAT, NULL},
    {OPT_COLOR, NULL},
    {OPT_QUIET, NULL},
    {OPT_END, NULL}};

static const char *const exits[] = {
    "0  answered; with keys: some key may be in, or its count is above zero",
    "1  with keys: none is in, all counts are zero",
    "2  something was wrong: the sketch, an option, an input; stderr says what", NULL};

const cli_page page_query = {
    .usage = "[OPTION]... SKETCH [KEY]...",
    .about =
        "Asks a saved sketch of any kind. An hll answers as `distinct` does, a top_k "
        "as `top`. A filter tells how many items it holds and how often it takes a "
        "stranger for a member; asked for KEYs it prints `maybe` (a member, or a "
        "false positive) or `no` (certain) before each, and of a counting_bloom or a "
        "cuckoo, before that, how many copies there are at most. A count_min tells how "
        "much "
        "was counted and how far over a count may be; asked for KEYs it answers as "
        "`count`, and so does a top_k.",
    .examples = examples,
    .uses = uses,
    .exits = exits,
    .notes =
        "A KEY is an item as the sketch was given it: a whole line, or the field of "
        "-f. `--` stands before keys that begin with a dash. Keys are answered in "
        "order, those of --keys-from last. They are strings: a filter that was built "
        "with another --type is asked by `filter test --type`. `ballpark info` tells "
        "what a sketch is rather than what it answers."};

static int refuse_keys(const cli_options *o, const cli_asked *a)
{
    cli_error("%s: holds a sketch of kind %s, which knows no single items", a->name,
              a->kind->name);
    if (cli_ask_names_file(o))
        cli_hint("several sketches are asked as one: ballpark merge %s %s | ballpark "
                 "query -",
                 a->name, o->n_files > 1 ? "..." : o->files[0].name);
    else
        cli_hint("`filter build` makes one that knows which were there, `count build` "
                 "one that knows how often");
    return CLI_ERROR;
}

/* -n: rows of a list; or of groups the largest. */
static int check_items(const cli_options *o, const cli_asked *a, bool is_top)
{
    if (!cli_given(o, OPT_ITEMS) || is_top ||
        (!a->sketch && a->kind->family == BP_FAMILY_DISTINCT))
        return CLI_OK;
    return cli_error("%s: --items: %s holds a sketch of kind %s, which lists none",
                     o->command->name, a->name, a->kind->name);
}

/* More rows asked for than there ever will be. */
static void remark_rows(const cli_options *o, const cli_asked *a)
{
    bp_top_k_config c;
    bp_top_k_config_of((const bp_top_k *)a->sketch, &c);
    if (o->items > c.k)
        cli_note(o, "%s keeps %u row%s: -n of the `top` that made it says how many",
                 a->name, (unsigned)c.k, c.k == 1 ? "" : "s");
}

static int answer(cli_options *o, const cli_asked *a)
{
    const size_t most = cli_given(o, OPT_ITEMS) ? (size_t)o->items : 10;
    cli_count c = {.o = o, .own = &most};
    const bool is_top = strcmp(a->kind->name, "top_k") == 0;
    if (!cli_answer_of(a->kind, &c))
        return cli_error("%s: holds a sketch of kind %s; see `ballpark info`", a->name,
                         a->kind->name);
    if (check_items(o, a, is_top))
        return CLI_ERROR;
    if (!a->sketch)
        return cli_group_show(&c, a->groups, is_top ? 0 : o->items);
    if (c.settle)
        c.settle(a->sketch);
    const int code = cli_count_show(&c, a->sketch);
    if (is_top) {
        remark_rows(o, a);
        cli_top_warn(o, (const bp_top_k *)a->sketch);
    }
    return code;
}

int cmd_query(cli_options *o)
{
    cli_asked a;
    if (o->items > CLI_TOP_MOST)
        return cli_error("%s: --items %llu: the most rows are %d", o->command->name,
                         (unsigned long long)o->items, CLI_TOP_MOST);
    int code = cli_ask_open(o, &a);
    if (!code && a.sketch)
        cli_explain(o, a.sketch, a.name, false);
    if (!code && !cli_ask_has_keys(o))
        code = answer(o, &a);
    else if (!code)
        code = cli_ask_counts(a.kind) || cli_ask_members(a.kind) ? cli_ask_keys(o, &a)
                                                                 : refuse_keys(o, &a);
    cli_ask_close(&a);
    return code;
}
