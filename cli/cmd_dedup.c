/* SPDX-License-Identifier: MIT
 * cmd_dedup.c - `ballpark dedup`: first occurrences only, in order, in constant memory.
 *
 * A filter remembers the items that came. A line whose item it surely has not seen is a
 * first occurrence and goes out. What it may have seen is taken for a repeat; of the
 * first occurrences that is wrong at the rate the filter has by then, and the sum of
 * these rates is how many were lost. How many are in the filter is known all but exactly,
 * since every first occurrence was counted, so that no bits have to be looked at for it.
 *
 * Lines that go out and stand side by side in the input leave in one piece. */
#include "exact.h"
#include "explain.h"
#include "plan.h"
#include "state.h"

#include <math.h>
#include <string.h>

static const char *const examples[] = {
    "ballpark dedup access.log > once.log",
    "each line once, where it came first: no sorting, 27 MiB for 10,000,000 lines",
    "tail -f app.log | ballpark dedup -f5",
    "the first line with each fifth field, as they come",
    "ballpark dedup -n 2e8 -p 1e-6 urls.txt > once.txt",
    "for 200,000,000 different lines, of which about 13 would be lost",
    "ballpark dedup -s seen.state today.log",
    "what neither came today nor in the runs before",
    "ballpark dedup -vc orders.csv",
    "how many lines are repeats of an earlier one",
    NULL};

static const cli_use uses[] = {
    {OPT_ITEMS, "different items to make room for; 10,000,000 unless given"},
    {OPT_FPR, "how often a first occurrence may be taken for a repeat, with that many; "
              "0.01% unless given"},
    {OPT_MEMORY, "size of the filter, instead of -p or -n; with --exact of the items, 1G "
                 "unless given"},
    {OPT_EXACT, "lose nothing, in memory that grows with the different items"},
    {OPT_FIELD, "these fields decide; the whole line is printed"},
    CLI_USES_OF_LINES,
    {OPT_INVERT, "print the repeats instead"},
    {OPT_COUNT, "print only how many lines would be printed"},
    {OPT_STATE, "drop what earlier runs have printed, too"},
    {OPT_SEED, NULL},
    {OPT_KEY_FILE, NULL},
    {OPT_SKIP_BAD, NULL},
    {OPT_QUIET, NULL},
    {OPT_EXPLAIN, NULL},
    {OPT_VERBOSE, NULL},
    {OPT_END, NULL}};

static const char *const exits[] = {
    "0  done", "2  something was wrong: an option, an input, a line; stderr says what",
    "3  there were more different items than -n: too many of them may be missing", NULL};

const cli_page page_dedup = {
    .usage = "[OPTION]... [FILE]...",
    .about =
        "Prints each line of the FILEs where it came first and drops its repeats, in "
        "order, in one pass and in memory that does not grow: as awk '!seen[$0]++'. What "
        "goes out is certain: no line goes out twice. A first occurrence is lost when "
        "the "
        "filter takes it for a repeat, as one in 10,000 is when it is full (-p), and "
        "fewer before; stderr says at the end about how many were.",
    .examples = examples,
    .uses = uses,
    .exits = exits,
    .notes =
        "Memory is 23 bits for each of -n at 0.01%, in one cache line an item (a "
        "blocked_bloom); rates below take a bloom, which is slower: 29 bits at 0.0001%. "
        "With --memory the rate follows from -n, or -n from the rate. What is lost is "
        "far less than -p of the lines: while the filter fills up its rate is lower, and "
        "repeats cannot be lost. Past -n it rises steeply; that is said, with the rate "
        "it "
        "came to, and the exit code is 3. Lines without the field are not printed, with "
        "or without -v. With -H the header is printed first, unless -c; of several "
        "files, that of the first. With -s a line is a repeat when an earlier run had "
        "it; the state is held while the input is read, so that of two runs at once one "
        "waits, and what a run has printed that did not end well is printed "
        "again. " CLI_NOTE_ON_STATE CLI_NOTE_ON_LINES};

static const uint64_t items_usual = 10000000;
static const double rate_usual = 1e-4;
static const double sure = 0.9999; /* confidence that there are more than room is for */
enum { BATCH = 1024, OUTPUT_BUFFER = 128 << 10 };

typedef struct dedup {
    const cli_options *o;
    bp_any *filter; /* NULL with --exact */
    cli_state state;
    bp_estimate before; /* items in the state */
    cli_plan plan;      /* it was made after */
    cli_exact exact;
    double rate, rate_until; /* of a filter that holds up to so many */
    uint64_t fresh;          /* first occurrences that were seen to be such       */
    double lost;             /* expected number of those that were not            */
    uint64_t selected;       /* lines printed, or with -c not                     */
} dedup;

/* ------------------------------------------------------------------------- the output */

typedef struct run {
    const char *begin, *end; /* whole lines but for the last one's end */
    char line_end;
} run;

/* What cannot be written is stdout's error, which the end of the run reports. */
static void put_run(run *r)
{
    if (!r->begin)
        return;
    fwrite_unlocked(r->begin, 1, (size_t)(r->end - r->begin), stdout);
    putc_unlocked(r->line_end, stdout);
    r->begin = NULL;
}

static void put_line(run *r, bp_bytes line)
{
    const char *p = line.ptr;
    if (!r->begin || p != r->end + 1 || *r->end != r->line_end) {
        put_run(r);
        r->begin = p;
    }
    r->end = p + line.len;
}

static void put_lines(const dedup *d, const bp_bytes *lines, const uint8_t *fresh,
                      size_t n)
{
    run r = {.line_end = d->o->zero ? '\0' : '\n'};
    for (size_t i = 0; i < n; i++)
        if (fresh[i] != d->o->invert)
            put_line(&r, lines[i]);
    put_run(&r);
}

static void put_header(void *ctx, bp_bytes line)
{
    const dedup *d = ctx;
    const uint8_t is_wanted = !d->o->invert;
    if (!d->o->count)
        put_lines(d, &line, &is_wanted, 1);
}

/* -------------------------------------------------------------------------- the filter
 */

/* All that is in: those that were lost set no bits, but only because theirs were set. */
static double different(const dedup *d)
{
    return d->before.value + (double)d->fresh + d->lost;
}

static double rate_now(const dedup *d)
{
    return d->plan.filter->fpr_at(&d->plan, different(d));
}

/* Of those that came first, 1 - rate were seen to be new. The rate rises on the way: it
 * is taken anew each time a 64th has come to what is in, in the middle of that. */
static void count_fresh(dedup *d, size_t fresh)
{
    while (fresh > 0) {
        const double n = different(d);
        if (n >= d->rate_until) {
            d->rate_until = n + n / 64 + 1;
            d->rate = d->plan.filter->fpr_at(&d->plan, (n + d->rate_until - 1) / 2);
        }
        const double room = ceil(d->rate_until - n);
        const size_t step = (double)fresh < room ? fresh : (size_t)room;
        if (d->rate < 1)
            d->lost += (double)step * d->rate / (1 - d->rate);
        d->fresh += step;
        fresh -= step;
    }
}

static bp_status add_to_filter(dedup *d, const bp_bytes *keys, size_t n, uint8_t *fresh)
{
    uint8_t bits[BATCH / 8];
    size_t count = 0;
    const bp_status st = bp_any_add_new_n(d->filter, keys, n, bits, NULL, NULL);
    for (size_t i = 0; i < n && !st; i++)
        count += fresh[i] = cli_bit(bits, i);
    count_fresh(d, count);
    return st;
}

static bp_status add(dedup *d, const bp_bytes *keys, size_t n, uint8_t *fresh)
{
    const size_t had = d->filter ? 0 : cli_map_count(d->exact.items);
    if (d->filter)
        return add_to_filter(d, keys, n, fresh);
    const bp_status st = cli_exact_add(&d->exact, keys, NULL, n, fresh);
    d->fresh += cli_map_count(d->exact.items) - had;
    return st;
}

static bp_status take(void *worker, const cli_batch *batch)
{
    dedup *d = worker;
    uint8_t fresh[BATCH];
    for (size_t at = 0; at < batch->n; at += BATCH) {
        const size_t n = batch->n - at < BATCH ? batch->n - at : BATCH;
        const uint64_t had = d->fresh;
        const bp_status st = add(d, batch->keys + at, n, fresh);
        if (st)
            return st;
        d->selected += d->o->invert ? n - (d->fresh - had) : d->fresh - had;
        if (!d->o->count)
            put_lines(d, batch->lines + at, fresh, n);
    }
    /* A full batch is followed by another; after any other one the input may pause. */
    if (batch->n < BATCH)
        fflush_unlocked(stdout);
    if (ferror_unlocked(stdout))
        cli_stop(CLI_ERROR);
    return BP_OK;
}

/* ------------------------------------------------------------------------- the remarks
 */

/* So many different items were there at least. */
static double least(const dedup *d)
{
    return (double)d->fresh + floor(d->before.lower);
}

static bool is_over(const dedup *d)
{
    return d->filter && least(d) > (double)d->plan.items;
}

/* What was expected to be lost, in words. */
static void say_lost(const dedup *d, char *to, size_t room)
{
    cli_text n;
    if (d->lost >= 0.5 && d->lost < 1.5)
        snprintf(to, room, "about 1 first occurrence was taken for a repeat");
    else if (d->lost >= 0.5)
        snprintf(to, room, "about %s first occurrences%s were taken for repeats",
                 cli_grouped_real(n, d->lost), is_over(d) ? " or more" : "");
    else if (d->lost > 1e-9)
        snprintf(to, room,
                 "no first occurrence was taken for a repeat, but for odds of 1 in %s",
                 cli_grouped_real(n, 1 / d->lost));
    else
        snprintf(to, room, "no first occurrence was taken for a repeat");
}

static void tell(const dedup *d, const cli_tally *t)
{
    char lost[160];
    cli_text lines, selected, size, items, rate;
    if (d->o->verbose && d->filter)
        cli_note(d->o, "a %s of %s for %s different items at %s", d->plan.name,
                 cli_size_text(size, (double)d->plan.bytes),
                 cli_grouped(items, d->plan.items), cli_percent(rate, d->plan.fpr));
    say_lost(d, lost, sizeof lost);
    cli_note(d->o, "%s lines, %s %s; %s", cli_grouped(lines, t->lines),
             cli_grouped(selected, d->selected), d->o->count ? "counted" : "printed",
             lost);
}

static void warn_over(const dedup *d)
{
    cli_text items, made, rate;
    if (d->o->quiet)
        return;
    cli_warn("at least %s different items, but room for %s: by now %s of first "
             "occurrences are "
             "taken for repeats",
             cli_grouped_real(items, least(d)), cli_grouped(made, d->plan.items),
             cli_percent(rate, rate_now(d)));
    if (d->before.value > 0)
        cli_hint("name a new state, with a larger -n");
    else
        cli_hint("give -n %.0f or more", least(d));
}

/* ----------------------------------------------------------------------------- the run
 */

/* In one cache line an item where that can keep the rate, else in a bloom. */
static int plan(cli_plan *p, cli_options *o)
{
    if (cli_given(o, OPT_ITEMS) && !o->items)
        return cli_error("%s: --items 0: must be at least 1", o->command->name);
    if (!o->memory && !o->items)
        o->items = items_usual;
    if (!(o->fpr > 0) && !(o->memory && o->items))
        o->fpr = rate_usual;
    if (cli_plan_filter(p, cli_filter_of("bloom"), o, 0))
        return CLI_ERROR;
    o->kind = cli_state_filter(o);
    if (!o->kind)
        o->kind = bp_any_kind_by_name(p->fpr < rate_usual ? "bloom" : "blocked_bloom");
    return cli_plan_filter(p, cli_filter_of(o->kind->name), o, 0);
}

/* A filter as the state has it, with what is in it; or a new one. */
static bp_status start(dedup *d, const bp_kind_info *kind, const cli_config *config,
                       bp_detail *why)
{
    const bp_any *found = d->state.found.sketch;
    if (!found)
        return bp_any_new(&d->filter, kind->id, config, why);
    cli_plan_of(&d->plan, cli_filter_of(kind->name), config);
    bp_any_estimate(found, sure, &d->before, NULL);
    return bp_any_clone(&d->filter, found, why);
}

static int make(dedup *d)
{
    cli_options o = *d->o;
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    cli_text size;
    if (plan(&d->plan, &o))
        return CLI_ERROR;
    cli_config config = d->plan.config;
    if (cli_hash_spec(&o, &config.hash) ||
        cli_state_hold(&d->state, d->o, o.kind->id, &config))
        return CLI_ERROR;
    const bp_status st = start(d, o.kind, &config, &why);
    if (st == BP_NOMEM) {
        cli_error("%s: out of memory for a filter of %s", o.command->name,
                  cli_size_text(size, (double)d->plan.bytes));
        cli_hint("a smaller --items, a higher --fpr, or --memory makes a smaller one");
        return CLI_ERROR;
    }
    return st ? cli_library_error(o.command->name, st, &why) : CLI_OK;
}

static int read_all(dedup *d)
{
    cli_tally tally;
    bool fatal = false;
    const cli_sink sink = {
        .ctx = d, .keys = take, .header = put_header, .ordered = true, .partial = true};
    int code = cli_read(d->o, &sink, &tally, &fatal);
    if (fatal)
        return code;
    if (d->o->count)
        printf("%llu\n", (unsigned long long)d->selected);
    tell(d, &tally);
    if (is_over(d))
        warn_over(d);
    /* What nobody got is to come again. */
    const bool is_out = fflush(stdout) == 0 && !ferror(stdout);
    if (cli_state_join(&d->state, d->filter, !code && !tally.interrupted && is_out, NULL))
        code = CLI_ERROR;
    if (tally.interrupted)
        return CLI_INTERRUPTED;
    return code ? code : is_over(d) ? CLI_OVER : CLI_OK;
}

int cmd_dedup(cli_options *o)
{
    dedup d = {.o = o};
    cli_default_stdin(o);
    if (o->exact && cli_given(o, OPT_ITEMS)) {
        cli_error("%s: --items: has no meaning with --exact, which makes room for all",
                  o->command->name);
        cli_hint("leave one of them away");
        return CLI_ERROR;
    }
    setvbuf(stdout, NULL, _IOFBF, OUTPUT_BUFFER);
    int code = o->exact ? cli_exact_begin(&d.exact, o, o->memory) : make(&d);
    if (!code && d.filter)
        cli_explain(o, d.filter, d.state.found.sketch ? o->state : NULL, true);
    if (!code)
        code = read_all(&d);
    cli_state_close(&d.state);
    bp_any_free(d.filter);
    cli_exact_end(&d.exact);
    return code;
}
