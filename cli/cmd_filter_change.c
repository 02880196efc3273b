/* SPDX-License-Identifier: MIT
 * cmd_filter_change.c - `ballpark filter add` and `filter remove`: items into a saved
 * filter, and out of it again.
 *
 * The input is read first, with nothing held, and of each different item its hash is
 * kept; only then
 *
 *     lock FILTER.lock - load FILTER - change - save as a new file - rename - unlock
 *
 * as with -s (state.c): two runs lose nothing of either, and who is killed leaves the old
 * filter or the new one. An item counts once a run however often its line comes. That is
 * what a set means, and it matters where copies are counted: a line repeated ten times
 * would fill a cuckoo filter's places for it, and taken out ten times it would take the
 * places of others that look like it. */
#include "complete.h"
#include "explain.h"
#include "filter.h"
#include "plan.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const add_examples[] = {
    "ballpark filter add --verbose seen.bp new.txt",
    "from now on seen.bp knows these lines too",
    "ballpark filter add -o both.bp seen.bp new.txt", "seen.bp is left as it is", NULL};

static const char *const remove_examples[] = {
    "ballpark filter build -q --deletable -o live.bp seen.txt",
    "a filter that items can be taken out of", "ballpark filter remove live.bp gone.txt",
    "takes these lines out of it", NULL};

#define USES(output)                                                                     \
    {OPT_SEED, "refuse a filter of another seed"},                                       \
        {OPT_KEY_FILE, "the key that a keyed filter was made with"},                     \
        {OPT_OUTPUT, output}, {OPT_FIELD, NULL}, CLI_USES_OF_LINES, {OPT_TYPE, NULL},    \
        {OPT_THREADS, NULL}, {OPT_SKIP_BAD, NULL}, {OPT_QUIET, NULL},                    \
        {OPT_EXPLAIN, NULL}, {OPT_VERBOSE, NULL},                                        \
    {                                                                                    \
        OPT_END, NULL                                                                    \
    }

static const cli_use add_uses[] = {
    USES("write the filter with these items there, and leave FILTER alone")};
static const cli_use remove_uses[] = {
    USES("write the filter without these items there, and leave FILTER alone")};

static const char *const add_exits[] = {
    "0  added, or there already",
    "2  something was wrong: the filter, an option, an input, a line; it is as it was",
    NULL};

static const char *const remove_exits[] = {
    "0  some item was taken out", "1  none was in it",
    "2  something was wrong: the filter, an option, an input, a line; it is as it was",
    NULL};

#define NOTE_ON_CHANGE                                                                   \
    "A line counts once, however often it comes in the input. FILTER is replaced whole " \
    "or not at all, under FILTER.lock as with -s, so that several runs may change it "   \
    "at "                                                                                \
    "the same time. The hashes of the different items are kept in memory until all are " \
    "read, 8 bytes each. When an input cannot be read, or a line has no such field "     \
    "(unless --skip-bad), FILTER is left as it was. "

const cli_page page_filter_add = {
    .usage = "[OPTION]... FILTER [FILE]...",
    .about = "Puts all lines (or fields) of the FILEs into the FILTER, which is changed "
             "in place. --verbose says how many were new.",
    .examples = add_examples,
    .uses = add_uses,
    .exits = add_exits,
    .notes = NOTE_ON_CHANGE
    "A bloom or blocked_bloom that gets more items than it was made for keeps them all, "
    "takes more strangers for members, and that is said; a scalable_bloom grows; a "
    "cuckoo that has no room for them is left as it was. A counting_bloom and a cuckoo "
    "get another copy of an item that may be in already, and it is in until each copy is "
    "taken out. A binary_fuse and a ribbon are built of a complete set and take no "
    "more. " CLI_NOTE_ON_LINES,
    .operands = 1};

const cli_page page_filter_remove = {
    .usage = "[OPTION]... FILTER [FILE]...",
    .about =
        "Takes all lines (or fields) of the FILEs out of the FILTER, a counting_bloom or "
        "a cuckoo, which is changed in place: a copy of each. How many were not in it is "
        "said on stderr.",
    .examples = remove_examples,
    .uses = remove_uses,
    .exits = remove_exits,
    .notes = NOTE_ON_CHANGE
    "Only remove what was added. What never was is mostly noticed and changes nothing, "
    "but at the false positive rate it looks like a member, and what it takes out is "
    "another item's: FILTER then may say no to that one. A counter of a counting_bloom "
    "that has reached 15 stays there: such an item cannot be taken out any "
    "more. " CLI_NOTE_ON_LINES,
    .operands = 1};

/* ---------------------------------------------------------------------------- changing
 */

typedef struct changing {
    cli_options *o;
    const char *name; /* of the filter */
    bool removes;
    bp_any *filter;
    uint64_t items; /* that were to be put in or taken out */
    uint64_t done;  /* of them new, or there */
    uint64_t room;  /* for so many more, where it is bounded */
    bool is_full;
    bp_detail why;
} changing;

static uint64_t ones(const uint8_t *bits, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += cli_bit(bits, i);
    return sum;
}

static uint64_t room_of(const bp_any *s)
{
    static bp_description about;
    bp_any_describe(s, &about);
    const bp_figure *left = cli_figure(&about, "capacity_left");
    return left ? left->whole : 0;
}

/* A filter that is full fits no more, but how many there are is to be known. */
static bp_status change(void *ctx, const uint64_t *hashes, size_t n)
{
    enum { BATCH = 4096 };
    changing *c = ctx;
    uint8_t bits[BATCH / 8];
    bp_status st = BP_OK;
    c->items += n;
    for (size_t at = 0, did = 0; at < n && !st && !c->is_full; at += did) {
        const size_t m = n - at < BATCH ? n - at : BATCH;
        st = c->removes
                 ? bp_any_remove_hashes(c->filter, hashes + at, m, bits, &did, &c->why)
                 : bp_any_add_new_hashes(c->filter, hashes + at, m, bits, &did, &c->why);
        c->done += ones(bits, did);
        c->is_full = st == BP_FULL;
    }
    return c->is_full ? BP_OK : st;
}

/* How many it has room for is said of the filter as it was: items come in the order of
 * their hashes, and the first that found no room tells nothing of the rest. Where there
 * would be room for all, it was one item that did not fit: it has all its copies. */
static int refuse_full(const changing *c)
{
    cli_text items, room;
    if (c->items <= c->room) {
        cli_error("%s: %s: %s", c->o->command->name, c->name, c->why.what);
        cli_hint("it is as it was; leave out what it has, as `filter test -v` does, or "
                 "build a larger one");
        return CLI_ERROR;
    }
    cli_error("%s: %s: has room for %s items more, and not for %s", c->o->command->name,
              c->name, cli_grouped(room, c->room), cli_grouped(items, c->items));
    cli_hint("it is as it was; build a larger one, or one that grows (--growing)");
    return CLI_ERROR;
}

static void tell(const changing *c)
{
    cli_text items, done, rest;
    cli_grouped(items, c->items);
    cli_grouped(done, c->done);
    cli_grouped(rest, c->items - c->done);
    if (c->removes && c->done < c->items)
        cli_note(c->o, "%s of %s different items were not in it", rest, items);
    if (!c->o->verbose)
        return;
    if (c->removes)
        cli_note(c->o, "%s of %s different items were taken out", done, items);
    else
        cli_note(c->o, "%s of %s different items were new, %s may have been in", done,
                 items, rest);
}

/* ---------------------------------------------------------------------------- the file
 */

static int refuse_kind(const changing *c, const cli_saved *s)
{
    const cli_filter_kind *kind = cli_filter_of(s->kind->name);
    if (s->is_foreign) {
        cli_error("%s: %s: is another program's filter, and is not written here",
                  c->o->command->name, c->name);
        cli_hint("`ballpark convert` makes one of ours of it");
        return CLI_ERROR;
    }
    if (s->is_piece && !c->o->output) {
        cli_error("%s: %s: is a part of another file, which is not written here",
                  c->o->command->name, c->name);
        cli_hint("-o FILE writes the changed filter there");
        return CLI_ERROR;
    }
    if (kind && (c->removes ? kind->deletes : !(s->kind->without & BP_WITHOUT_ADD)))
        return CLI_OK;
    if (c->removes && kind) {
        cli_error("%s: %s: items cannot be taken out of a %s", c->o->command->name,
                  c->name, kind->name);
        cli_hint(
            "they can of a cuckoo (`filter build --deletable`) and a counting_bloom");
    } else if (kind) {
        cli_error("%s: %s: a %s is built of all its items at once, and takes no more",
                  c->o->command->name, c->name, kind->name);
        cli_hint("build it again, of the old items and the new ones; a blocked_bloom can "
                 "be added to");
    } else {
        cli_error("%s: holds a sketch of kind %s, which is no filter", c->name,
                  s->kind->name);
        cli_hint("`ballpark filter build -o FILTER FILE` makes one");
    }
    return CLI_ERROR;
}

/* A first look: which kind it is, and how its items are hashed. */
static int look(const changing *c, const bp_hash_spec *asked, bp_hash_spec *made)
{
    cli_saved s;
    if (cli_open(&s, c->o, asked, c->name, false))
        return CLI_ERROR;
    const int code = refuse_kind(c, &s);
    *made = cli_hash_of(s.sketch);
    if (!code)
        cli_explain(c->o, s.sketch, c->name, true);
    cli_close(&s);
    return code;
}

static bool is_same_hash(const bp_hash_spec *a, const bp_hash_spec *b)
{
    return a->id == b->id && a->seed == b->seed &&
           memcmp(a->key, b->key, sizeof a->key) == 0;
}

/* As it is by now: another run may have put something else in its place. */
static int load(const changing *c, const cli_collection *all, cli_saved *s)
{
    if (cli_open(s, c->o, &all->hash, c->name, true))
        return CLI_ERROR;
    const bp_hash_spec now = cli_hash_of(s->sketch);
    int code = refuse_kind(c, s);
    if (!code && !is_same_hash(&now, &all->hash))
        code = cli_error("%s: %s: was replaced by a filter of another hash meanwhile",
                         c->o->command->name, c->name);
    if (code)
        cli_close(s);
    return code;
}

static int save(const changing *c)
{
    const char *to = c->o->output ? c->o->output : c->name;
    if (!(c->removes ? c->done : c->items) && !c->o->output)
        return CLI_OK;
    if (cli_write_sketch_to(to, c->filter))
        return CLI_ERROR;
    if (!c->removes && !c->o->quiet)
        cli_warn_when_over(to, c->filter, false);
    return CLI_OK;
}

/* The filter is loaded, changed and saved, while no other run can unless -o leaves it
 * alone. */
static int apply(changing *c, const cli_collection *all)
{
    cli_saved s;
    const int lock = c->o->output ? -1 : cli_lock(c->o, c->name, true);
    if (!c->o->output && lock < 0)
        return CLI_ERROR;
    int code = load(c, all, &s);
    if (!code) {
        c->filter = s.sketch;
        c->room = room_of(s.sketch);
        const bp_status st = cli_collected(all, change, c);
        if (st)
            code = cli_library_error(c->name, st, &c->why);
        else
            code = c->is_full ? refuse_full(c) : save(c);
        cli_close(&s);
    }
    if (lock >= 0)
        close(lock);
    return code;
}

static int run(changing *c)
{
    bp_hash_spec asked, made;
    cli_collection all;
    cli_tally tally;
    if (cli_hash_spec(c->o, &asked) || look(c, &asked, &made))
        return CLI_ERROR;
    cli_collect_begin(&all, c->o, &made);
    int code = cli_collect(c->o, &all, &tally);
    if (code)
        cli_hint("%s is as it was", c->name);
    else
        code = apply(c, &all);
    cli_collect_end(&all);
    if (code)
        return code;
    tell(c);
    return c->removes && !c->done ? CLI_NONE : CLI_OK;
}

/* FILTER by the name of -o is FILTER in place. */
static void forget_same_output(cli_options *o, const char *name)
{
    struct stat a, b;
    if (o->output && stat(o->output, &a) == 0 && stat(name, &b) == 0 &&
        a.st_dev == b.st_dev && a.st_ino == b.st_ino)
        o->output = NULL;
}

static int begin(cli_options *o, bool removes)
{
    changing c = {.o = o, .removes = removes};
    if (o->n_files == 0 || strcmp(o->files[0].name, "-") == 0) {
        cli_error("%s: names no filter", o->command->name);
        cli_hint("ballpark %s FILTER [FILE]...: a file, which is changed",
                 o->command->name);
        return CLI_ERROR;
    }
    c.name = o->files[0].name;
    memmove(o->files, o->files + 1, (o->n_files - 1) * sizeof *o->files);
    o->n_files--;
    cli_default_stdin(o);
    forget_same_output(o, c.name);
    if (o->output && (cli_check_output(o, NULL) || cli_check_not_input(o)))
        return CLI_ERROR;
    if (!o->output && !cli_is_place(c.name))
        return cli_errno(c.name);
    return run(&c);
}

int cmd_filter_add(cli_options *o)
{
    return begin(o, false);
}

int cmd_filter_remove(cli_options *o)
{
    return begin(o, true);
}
