/* SPDX-License-Identifier: MIT
 * cmd_filter.c - `ballpark filter build`: a filter of the input's items, plain, blocked
 * or of a complete set.
 *
 * How many different items there are decides the size. With -n the user says; without, a
 * first pass counts them with a HyperLogLog sketch, so that repeated lines cost nothing,
 * and the filter is made for an eighth and 2 sqrt(n) more than the upper end n of what
 * that says: 4 standard errors above, 3.3 %, which is exceeded once in 30,000 runs. The
 * headroom is so that a new filter is not called nearly full. */
#include "column.h"
#include "complete.h"
#include "explain.h"
#include "filter.h"
#include "plan.h"
#include "regions.h"
#include "state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const build_examples[] = {
    "ballpark filter build -p 0.1% -o seen.bp seen.txt",
    "a filter of all lines; wrong one time in 1000",
    "cut -f2 log | ballpark filter build -n 1e6 -o ids.bp",
    "sized for a million different items, read once",
    "ballpark filter test seen.bp new.txt",
    "then: the lines that were in it",
    NULL};

static const cli_use build_uses[] = {
    {OPT_ITEMS, "different items to make room for; counted in a first pass unless given"},
    {OPT_FPR, "false positive rate at that many: 1% (the default), 0.01 or 1e-3"},
    {OPT_MEMORY,
     "size, instead of a rate: 64K, 1.5MiB (1024-based), 1MB (1000-based); of a "
     "fuse or ribbon: for the items while they are read (a quarter of the machine's)"},
    {OPT_BITS, "size in bits, instead of a rate"},
    {OPT_HASHES, "probes an item; the best number unless given"},
    {OPT_KIND, "bloom, blocked, fuse, ribbon, cuckoo, counting or scalable; see below"},
    {OPT_STATIC, NULL},
    {OPT_LAYOUT, NULL},
    {OPT_DELETABLE, NULL},
    {OPT_GROWING, NULL},
    {OPT_SEED, NULL},
    {OPT_KEY_FILE, NULL},
    {OPT_STATE, NULL},
    {OPT_OUTPUT, "the filter; replaced whole or not at all"},
    {OPT_FIELD, NULL},
    {OPT_TYPE, "items are values of a column of this type, as in Parquet files: string "
               "(the default), int32, int64, float or double"},
    CLI_USES_OF_LINES,
    {OPT_THREADS, NULL},
    {OPT_SKIP_BAD, NULL},
    {OPT_QUIET, NULL},
    {OPT_EXPLAIN, NULL},
    {OPT_VERBOSE, NULL},
    {OPT_END, NULL}};

static const char *const build_exits[] = {
    "0  built",
    "2  something was wrong: an option, an input, a line; nothing was written", NULL};

const cli_page page_filter_build = {
    .usage = "[OPTION]... [-o FILTER] [FILE]...",
    .about =
        "Makes a filter of all lines (or fields) of the FILEs: about 10 bits for "
        "each "
        "different item, and 1% of the others are taken for members. `filter test` asks "
        "it.",
    .examples = build_examples,
    .uses = build_uses,
    .exits = build_exits,
    .notes =
        "Without -n (and without both --bits and --hashes) the input is read twice: "
        "first to count its different items, to within 3%, and the filter is made for "
        "at least an eighth more than the upper end of that. A pipe is then copied to a "
        "temporary file in TMPDIR. A filter that gets more items than it was made for "
        "keeps every member but takes more strangers for members; that is said, with the "
        "rate. When an input cannot be read, or a line has no such field (unless "
        "--skip-bad), no filter is written: one with items missing would answer no for "
        "them. Without -o the filter goes to standard output. Filters that are to be "
        "merged need the same -n and -p, large enough for all of them together. "
        "With -s, which a bloom and a blocked_bloom have (`filter add` puts more into "
        "a cuckoo, counting_bloom or scalable_bloom), give -n, with room for all runs: "
        "else the first input decides.\n\n"
        "Without -k, --static, --deletable (a cuckoo), --growing (a scalable_bloom) or a "
        "size in bits or probes, the kind is blocked_bloom for rates of 0.1% and above, "
        "bloom below. Of a cuckoo or counting_bloom, which count copies, repeated lines "
        "are one; the different items take 8 bytes of memory each while they are read, "
        "once. A scalable_bloom is read once, too; -n is what its first layer takes. A "
        "fuse or ribbon has no -n: it is built once, of everything. While it is built, "
        "different items take 8 bytes each, and "
        "shards of 2 million of a fuse are built on each thread in some 100 MB; what is "
        "more than "
        "--memory waits in a temporary file in TMPDIR. --layout parquet makes what "
        "`convert --to parquet` writes as a Parquet file has it. A filter does not know "
        "its --type: without it, or with another, `filter test` says no to members. "
        "`ballpark help kinds` tells the kinds apart, `ballpark size` says what each "
        "takes. " CLI_NOTE_ON_STATE CLI_NOTE_ON_LINES};

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
    return cli_unite((bp_any *)*(bp_hll **)ctx, worker, failed);
}

/* 4 standard errors: the confidence 1 - 6.3e-5, half of it above. */
static const double confidence = 0.999936657516334;

/* Room for so many: a filter is near its capacity from nine tenths of it on, and a new
 * one should be below that. What it holds is judged by its bits, whose chance matters
 * while they are few: about 0.3 sqrt(items), and seven times that is left. */
static uint64_t with_headroom(double upper)
{
    return (uint64_t)ceil(ceil(upper) * 1.125 + 2 * sqrt(upper)) + 2;
}

/* Lines without the field are left to the second pass to complain about. */
int cli_count_items(const cli_options *o, const bp_hash_spec *hash, uint64_t *items)
{
    bp_hll *all = NULL;
    bp_estimate e;
    cli_tally tally;
    bool fatal = false;
    if (bp_hll_new(&all, NULL, NULL))
        return cli_error("%s: out of memory", o->command->name);
    const cli_sink sink = {.ctx = &all,
                           .open = open_count,
                           .hashes = count_hashes,
                           .hash = hash,
                           .close = close_count};
    cli_options quiet = *o;
    quiet.skip_bad = quiet.quiet = true;
    const off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR); /* a file is read once more */
    const int code = cli_read(&quiet, &sink, &tally, &fatal);
    if (at >= 0)
        lseek(STDIN_FILENO, at, SEEK_SET);
    *items = 1;
    if (!code && !bp_hll_estimate(all, confidence, &e, NULL) && e.upper < 0x1p61)
        *items = with_headroom(e.upper);
    bp_hll_free(all);
    return code;
}

/* --------------------------------------------------------------------------- building */

/* Adding to one filter at the same time costs each thread three times the work (every
 * bit is set by a locked instruction), so that it pays from many threads on only. A
 * filter for each, united at the end, costs memory instead. What is neither small nor
 * shared by many is filled by one thread; what is large, where it can be, region by
 * region. */
static const uint64_t own_filters_most = 512u << 20; /* bytes of all of them */
enum { SHARED_FROM = 8 };

typedef struct building {
    bp_any *filter;
    bool is_shared;
    bool is_taken; /* by the first worker */
} building;

static void *open_filter(void *ctx, bp_status *st)
{
    building *b = ctx;
    bp_any *s = b->filter;
    *st = BP_OK;
    if (b->is_taken && !b->is_shared) {
        cli_config cfg;
        bp_any_config_of(b->filter, &cfg);
        *st = bp_any_new(&s, bp_any_kind(b->filter)->id, &cfg, NULL);
    }
    b->is_taken = true;
    return s;
}

static bp_status add_hashes(void *worker, const uint64_t *hashes, size_t n)
{
    return bp_any_add_hashes(worker, hashes, n, NULL);
}

static bp_status close_filter(void *ctx, void *worker, bool failed)
{
    return cli_unite(((building *)ctx)->filter, worker, failed);
}

static int read_into(const cli_options *o, building *b, unsigned threads,
                     cli_tally *tally)
{
    bool fatal = false;
    cli_options with = *o;
    with.threads = threads;
    const bp_hash_spec hash = cli_hash_of(b->filter);
    const cli_sink sink = {.ctx = b,
                           .open = open_filter,
                           .hashes = add_hashes,
                           .hash = &hash,
                           .close = close_filter};
    return cli_regions_pay(b->filter) ? cli_read_into_regions(o, b->filter, tally, &fatal)
                                      : cli_read_values(&with, &sink, tally, &fatal);
}

int cli_fill_filter(const cli_options *o, bp_any *s, uint64_t memory, cli_tally *tally)
{
    building b = {s, false, false};
    return read_into(o, &b, memory <= own_filters_most / o->threads ? o->threads : 1,
                     tally);
}

static int fill(const cli_options *o, building *b, unsigned threads, cli_tally *tally)
{
    const int code = read_into(o, b, threads, tally);
    if (code)
        cli_hint("%s: it would answer no for the items that are missing",
                 o->state ? "the state is as it was" : "no filter was written");
    return code;
}

void cli_warn_when_over(const char *name, const bp_any *s, bool is_state)
{
    cli_text a, b, c, d;
    static bp_description about;
    bp_estimate e;
    bp_any_describe(s, &about);
    if (about.health != BP_HEALTH_OVER || bp_any_estimate(s, 0.95, &e, NULL))
        return;
    const double rate = cli_figure(&about, "fpr_design")->real;
    cli_warn("%s was made for %s items at %s but holds %s%s; now %s of all others are "
             "taken for members",
             name, cli_grouped(a, cli_figure(&about, "items")->whole),
             cli_percent(b, rate), isfinite(e.value) ? "about " : "far more",
             isfinite(e.value) ? cli_grouped_real(c, e.value) : "",
             cli_percent(d, cli_figure(&about, "fpr_now")->real));
    if (is_state)
        cli_hint("begin a new state, with -n for the items of all runs together");
    else if (isfinite(e.upper))
        cli_hint("build it again with -n %.0f -p %.3g", ceil(e.upper), rate);
    else
        cli_hint("build it again with a larger -n, or with none: then its items are "
                 "counted first");
}

/* What was made, for a person who asked. */
static void tell(const cli_options *o, const bp_any *s, const cli_tally *tally)
{
    cli_text lines, items, size, capacity, rate;
    bp_estimate e;
    static bp_description d;
    const char *file = o->output ? o->output : o->state;
    bp_any_describe(s, &d);
    const bp_figure *room = cli_figure(&d, "capacity"); /* of what has grown */
    if (o->verbose && !bp_any_estimate(s, 0.95, &e, NULL))
        cli_note(o, "%s lines, about %s different, in a filter of %s for %s at %s",
                 cli_grouped(lines, tally->lines), cli_grouped_real(items, e.value),
                 cli_size_text(size, (double)cli_figure(&d, "bits")->whole / 8),
                 cli_grouped(capacity, (room ? room : cli_figure(&d, "items"))->whole),
                 cli_percent(rate, cli_figure(&d, "fpr_design")->real));
    if (!o->quiet)
        cli_warn_when_over(file && strcmp(file, "-") != 0 ? file : "the filter", s,
                           o->state);
}

/* Into the state, if there is one, and into FILE or the pipe. */
static int keep(const cli_options *o, const cli_state *state, bp_any *s, bool *other)
{
    if (cli_state_join(state, s, true, other))
        return CLI_ERROR;
    if ((other && *other) || (o->state && !o->output))
        return CLI_OK;
    return cli_write_sketch(o, s);
}

/* Whether threads fill it together, for kinds that can be filled so. */
static void set_shared(cli_config *cfg, uint32_t kind, bool is_shared)
{
    if (kind == bp_any_kind_by_name("bloom")->id)
        cfg->bloom.concurrent = is_shared;
    if (kind == bp_any_kind_by_name("blocked_bloom")->id)
        cfg->blocked_bloom.concurrent = is_shared;
}

static int refuse_size(const cli_options *o, uint64_t memory)
{
    cli_text size;
    cli_error("%s: out of memory for a filter of %s", o->command->name,
              cli_size_text(size, (double)memory));
    cli_hint("a smaller -n, or a higher --fpr, makes a smaller one");
    return CLI_ERROR;
}

/* Bytes of what is made first, which a kind that grows keeps outside its footprint. */
static uint64_t cells_of(uint32_t kind, const cli_config *config)
{
    cli_plan p;
    cli_plan_of(&p, cli_filter_of(bp_any_kind_by_id(kind)->name), config);
    return p.bytes;
}

/* other: as of cli_state_join; then nothing was written. */
static int build(const cli_options *o, uint32_t kind, const cli_config *config,
                 const cli_state *state, bool *other)
{
    building b = {NULL, false, false};
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    cli_config cfg = *config;
    const uint64_t memory = bp_any_footprint(kind, &cfg);
    const bool is_united = cli_filter_of(bp_any_kind_by_id(kind)->name)->is_united;
    const bool each = is_united && memory <= own_filters_most / o->threads;
    b.is_shared = is_united && !each && o->threads >= SHARED_FROM;
    set_shared(&cfg, kind, b.is_shared);
    const bp_status st = bp_any_new(&b.filter, kind, &cfg, &why);
    cli_tally tally;
    if (st)
        return st == BP_NOMEM ? refuse_size(o, cells_of(kind, &cfg))
                              : cli_library_error(o->command->name, st, &why);
    cli_explain(o, b.filter, state->found.sketch ? o->state : NULL, true);
    int code = fill(o, &b, each || b.is_shared ? o->threads : 1, &tally);
    if (!code)
        code = keep(o, state, b.filter, other);
    if (!code && !(other && *other))
        tell(o, b.filter, &tally);
    bp_any_free(b.filter);
    return code;
}

/* ---------------------------------------------------------------- a complete set */

static int build_complete(const cli_options *o, const cli_filter_kind *kind)
{
    static const cli_opt foreign[] = {OPT_ITEMS, OPT_BITS, OPT_HASHES, OPT_STATE};
    cli_options sized = *o; /* --memory is for the items, while they are read */
    cli_plan p;
    sized.memory = 0;
    sized.given &= ~((uint64_t)1 << OPT_MEMORY);
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        if (!cli_given(o, foreign[i]))
            continue;
        cli_error("%s: --%s means nothing for the kind %s", o->command->name,
                  cli_option(foreign[i])->name, kind->name);
        cli_hint("it is built once, from the whole input, for a rate (--fpr)");
        return CLI_ERROR;
    }
    if (cli_plan_filter(&p, kind, &sized, 0) || cli_hash_spec(o, &p.config.hash))
        return CLI_ERROR;
    return cli_build_complete(o, bp_any_kind_by_name(kind->name)->id, &p.config);
}

/* ------------------------------------------------------------------------- what to make
 */

/* Whether the size depends on how many items there are, and nobody said. */
static bool wants_count(const cli_options *o)
{
    const bool has_size = o->bits || o->memory;
    const bool grows = o->growing || (o->kind && cli_filter_of(o->kind->name)->grows);
    return !o->items && !grows && !(has_size && (o->hashes || o->fpr > 0));
}

/* items: as they were counted, or 0. */
static int plan(const cli_options *o, uint64_t items, uint32_t *kind, cli_config *config)
{
    const bp_hash_spec hash = config->hash;
    const cli_filter_kind *chosen;
    cli_plan p;
    cli_options with = *o;
    with.items = items ? items : o->items;
    if (cli_filter_choose(&with, &chosen) || cli_plan_filter(&p, chosen, &with, 0))
        return CLI_ERROR;
    *kind = bp_any_kind_by_name(p.name)->id;
    *config = p.config;
    config->hash = hash;
    return CLI_OK;
}

/* As the state has it, or as the options and the input ask for. */
static int choose(cli_options *o, cli_state *state, uint32_t *kind, cli_config *config)
{
    uint64_t items = 0;
    if (!o->kind)
        o->kind = cli_state_filter(o);
    if (cli_hash_spec(o, &config->hash) || plan(o, 0, kind, config) ||
        cli_state_open(state, o, *kind, config))
        return CLI_ERROR;
    if (state->found.sketch || !wants_count(o))
        return CLI_OK;
    return cli_spool(o) || cli_count_items(o, &config->hash, &items) ||
                   plan(o, items, kind, config)
               ? CLI_ERROR
               : CLI_OK;
}

/* A filter whose size was counted goes by what was there first: when two runs make one
 * state, the second reads its input once more, for a filter of that size. */
static int run(cli_options *o, bool is_last)
{
    cli_state state = {.o = NULL};
    cli_config config;
    uint32_t kind = 0;
    bool other = false;
    int code = choose(o, &state, &kind, &config);
    const bool may_differ = !is_last && !state.found.sketch && wants_count(o);
    const off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR);
    if (!code)
        code = build(o, kind, &config, &state, may_differ ? &other : NULL);
    cli_state_close(&state);
    if (code || !other)
        return code;
    if (at >= 0)
        lseek(STDIN_FILENO, at, SEEK_SET);
    return run(o, true);
}

/* ------------------------------------------------------- items that can be taken out
 */

typedef struct putting {
    bp_any *filter;
    uint64_t items;
    bool is_full;
    bp_detail why;
} putting;

static bp_status put(void *ctx, const uint64_t *hashes, size_t n)
{
    putting *p = ctx;
    size_t did = 0;
    p->items += n;
    if (p->is_full)
        return BP_OK;
    const bp_status st = bp_any_add_new_hashes(p->filter, hashes, n, NULL, &did, &p->why);
    p->is_full = st == BP_FULL;
    return p->is_full ? BP_OK : st;
}

static int refuse_full(const cli_options *o, const cli_plan *plan, const putting *p)
{
    cli_text items, room;
    cli_error("%s: room for %s items, and there are %s different ones", o->command->name,
              cli_grouped(room, plan->items), cli_grouped(items, p->items));
    cli_hint("no filter was written; give -n %llu, or none: then they are counted",
             (unsigned long long)p->items);
    return CLI_ERROR;
}

/* All of them into a filter that has room for them. */
static int put_all(const cli_options *o, const cli_filter_kind *kind,
                   const cli_collection *c, const cli_tally *tally)
{
    putting p = {.items = 0};
    bp_estimate e;
    cli_plan plan;
    const bool is_counted =
        wants_count(o) && !bp_hll_estimate(c->seen, confidence, &e, NULL);
    if (cli_plan_filter(&plan, kind, o, is_counted ? with_headroom(e.upper) : 0))
        return CLI_ERROR;
    plan.config.hash = c->hash;
    bp_status st =
        bp_any_new(&p.filter, bp_any_kind_by_name(kind->name)->id, &plan.config, &p.why);
    if (st)
        return st == BP_NOMEM ? refuse_size(o, plan.bytes)
                              : cli_library_error(o->command->name, st, &p.why);
    cli_explain(o, p.filter, NULL, true);
    st = cli_collected(c, put, &p);
    int code = st          ? cli_library_error(o->command->name, st, &p.why)
               : p.is_full ? refuse_full(o, &plan, &p)
                           : cli_write_sketch(o, p.filter);
    if (!code)
        tell(o, p.filter, tally);
    bp_any_free(p.filter);
    return code;
}

/* Each different item once, so that it is out when it is taken out once. */
static int build_deletable(const cli_options *o, const cli_filter_kind *kind)
{
    cli_options reading = *o;
    cli_collection c;
    bp_hash_spec hash;
    cli_tally tally;
    cli_plan p;
    if (cli_plan_filter(&p, kind, o, 0) || cli_hash_spec(o, &hash))
        return CLI_ERROR;
    reading.memory = 0; /* it is the filter's */
    cli_collect_begin(&c, &reading, &hash);
    int code = cli_collect(&reading, &c, &tally);
    if (code)
        cli_hint("no filter was written: it would answer no for the items that are "
                 "missing");
    else
        code = put_all(o, kind, &c, &tally);
    cli_collect_end(&c);
    return code;
}

static int refuse_state(const cli_options *o, const cli_filter_kind *kind)
{
    cli_error("%s: --state means nothing for the kind %s", o->command->name, kind->name);
    cli_hint("`ballpark filter add %s` adds to one that is there", o->state);
    return CLI_ERROR;
}

int cmd_filter_build(cli_options *o)
{
    const cli_filter_kind *kind;
    cli_default_stdin(o);
    if (cli_given(o, OPT_ITEMS) && !o->items)
        return cli_error("%s: --items 0: must be at least 1", o->command->name);
    if (cli_filter_choose(o, &kind) || cli_check_output(o, NULL) ||
        cli_check_not_input(o))
        return CLI_ERROR;
    if (kind->is_static)
        return build_complete(o, kind);
    if (o->state && !kind->is_united)
        return refuse_state(o, kind);
    return kind->deletes ? build_deletable(o, kind) : run(o, false);
}
