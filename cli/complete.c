/* SPDX-License-Identifier: MIT
 * complete.c - a filter of a set that is complete: `filter build` for kinds that are
 * built of all their items at once.
 *
 * The hashes of the items are put into drawers by their highest bits while the input is
 * read (drawers.h); what does not fit in the memory that is allowed goes to a temporary
 * file. Then a binary_fuse is built shard by shard, each of a few drawers, by as many
 * threads as there are, and joined. How many shards there are follows from how many
 * different items there are, which a HyperLogLog sketch of them says: from the set alone,
 * so that the same set gives the same bytes, whatever the threads and the memory. */
#include "column.h"
#include "complete.h"

#include "drawers.h"
#include "explain.h"
#include "platform/lines.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHARD_ITEMS = 1 << 21,   /* at most, on average */
    SHARD_MEMORY = 96 << 20, /* what building one takes of a thread */
    BUDGET_SHARE = 4         /* of the machine's memory, unless said */
};

/* ------------------------------------------------------------------------ collecting */

typedef struct collector {
    cli_drawer_hand *hand;
    bp_hll *seen;
} collector;

static void *open_collector(void *ctx, bp_status *st)
{
    const cli_collection *c = ctx;
    collector *w = malloc(sizeof *w);
    *st = w ? bp_hll_new(&w->seen, &(bp_hll_config){.hash = c->hash}, NULL) : BP_NOMEM;
    if (*st == BP_OK && !(w->hand = cli_drawer_hand_new(c->drawers))) {
        bp_hll_free(w->seen);
        *st = BP_NOMEM;
    }
    if (*st == BP_OK)
        return w;
    free(w);
    return NULL;
}

static bp_status collect(void *worker, const uint64_t *hashes, size_t n)
{
    collector *w = worker;
    const bp_status st = bp_hll_add_hashes(w->seen, hashes, n);
    return st ? st : cli_drawers_put(w->hand, hashes, n);
}

static bp_status close_collector(void *ctx, void *worker, bool failed)
{
    collector *w = worker;
    const bp_status st = cli_drawer_hand_free(w->hand);
    const bp_status joined =
        cli_unite((bp_any *)((cli_collection *)ctx)->seen, (bp_any *)w->seen, failed);
    free(w);
    return st ? st : joined;
}

int cli_collect(const cli_options *o, cli_collection *c, cli_tally *tally)
{
    bool fatal = false;
    if (!c->drawers || !c->seen)
        return cli_error("%s: out of memory", o->command->name);
    const cli_sink sink = {.ctx = c,
                           .open = open_collector,
                           .hashes = collect,
                           .hash = &c->hash,
                           .close = close_collector};
    return cli_read_values(o, &sink, tally, &fatal);
}

/* Bytes that items may take while they are read. */
static uint64_t budget(const cli_options *o)
{
    return o->memory ? o->memory : cli_memory() / BUDGET_SHARE;
}

void cli_collect_begin(cli_collection *c, const cli_options *o, const bp_hash_spec *hash)
{
    *c = (cli_collection){.drawers = cli_drawers_new(o->command->name, budget(o)),
                          .hash = *hash};
    bp_hll_new(&c->seen, &(bp_hll_config){.hash = *hash}, NULL);
}

void cli_collect_end(cli_collection *c)
{
    bp_hll_free(c->seen);
    cli_drawers_free(c->drawers);
}

bp_status cli_collected(const cli_collection *c, cli_take_hashes *take, void *ctx)
{
    cli_hashes h = {NULL, 0, 0, 0};
    bp_status st = BP_OK;
    for (size_t i = 0; i < CLI_DRAWERS && !st; i++) {
        h.n = h.clean = 0;
        st = cli_drawers_take(c->drawers, i, 1, &h);
        if (!st)
            st = cli_hashes_unique(&h);
        if (!st)
            st = take(ctx, h.p, h.n);
    }
    free(h.p);
    return st;
}

static size_t shards_for(const bp_hll *seen)
{
    bp_estimate e;
    size_t shards = 1;
    if (bp_hll_estimate(seen, 0.95, &e, NULL) == BP_OK)
        while (shards < CLI_DRAWERS && e.value > (double)SHARD_ITEMS * (double)shards)
            shards *= 2;
    return shards;
}

/* -------------------------------------------------------------------------- building */

typedef struct crew {
    cli_drawers *drawers;
    const bp_binary_fuse_config *config; /* of one shard */
    bp_binary_fuse **shards;
    size_t n, next;
    bp_status st;
    bp_detail why;
} crew;

/* A thread's memory, used again for each of its shards. */
typedef struct bench {
    cli_hashes hashes;
    void *scratch;
    size_t room;
} bench;

static bp_status build_shard(crew *c, bench *b, size_t i, bp_detail *why)
{
    const size_t each = CLI_DRAWERS / c->n;
    bp_binary_fuse **s = &c->shards[i];
    b->hashes.n = b->hashes.clean = 0;
    bp_status st = cli_drawers_take(c->drawers, i * each, each, &b->hashes);
    if (!st)
        st = bp_binary_fuse_new(s, c->config, why);
    const size_t want = st ? 0 : bp_binary_fuse_scratch(*s, b->hashes.n);
    if (want > b->room) {
        free(b->scratch);
        b->scratch = cli_huge(want);
        b->room = b->scratch ? want : 0;
    }
    if (!st && want > b->room)
        st = BP_NOMEM;
    return st ? st
              : bp_binary_fuse_build_hashes(*s, b->hashes.p, b->hashes.n, b->scratch,
                                            b->room, why);
}

static void *build_some(void *ctx)
{
    crew *c = ctx;
    bench b = {.room = 0};
    for (;;) {
        const size_t i = __atomic_fetch_add(&c->next, 1, __ATOMIC_RELAXED);
        if (i >= c->n)
            break;
        bp_detail why = {.what = NULL};
        bp_status none = BP_OK;
        const bp_status st = build_shard(c, &b, i, &why);
        if (st && __atomic_compare_exchange_n(&c->st, &none, st, false, __ATOMIC_RELAXED,
                                              __ATOMIC_RELAXED))
            c->why = why;
    }
    free(b.hashes.p);
    free(b.scratch);
    return NULL;
}

/* The calling thread works, too; one that cannot be had is no error. */
static void build_all(crew *c, size_t threads)
{
    pthread_t *others = calloc(threads, sizeof *others);
    size_t n = 0;
    while (others && n + 1 < threads && n + 1 < c->n &&
           pthread_create(&others[n], NULL, build_some, c) == 0)
        n++;
    build_some(c);
    for (size_t i = 0; i < n; i++)
        pthread_join(others[i], NULL);
    free(others);
}

/* *s becomes a filter of n shards; what was there is the filter of none. */
static bp_status build_fuse(cli_drawers *d, bp_binary_fuse **s, size_t n, size_t threads,
                            bp_detail *why)
{
    bp_binary_fuse *shards[CLI_DRAWERS] = {NULL};
    bp_binary_fuse_config config;
    bp_binary_fuse_config_of(*s, &config);
    crew c = {.drawers = d, .config = &config, .shards = shards, .n = n};
    build_all(&c, threads);
    *why = c.why;
    bp_status st = c.st;
    bp_binary_fuse_config joined = config;
    joined.shards = n;
    bp_binary_fuse_free(*s);
    *s = NULL;
    if (!st && n > 1)
        st = bp_binary_fuse_new(s, &joined, why);
    if (!st && n > 1)
        st = bp_binary_fuse_join(*s, (const bp_binary_fuse *const *)shards, n, why);
    else if (!st)
        *s = shards[0];
    for (size_t i = 0; i < n; i++)
        if (shards[i] != *s)
            bp_binary_fuse_free(shards[i]);
    return st;
}

/* Of another kind: all at once. */
static bp_status build_whole(cli_drawers *d, bp_any *s, bp_detail *why)
{
    cli_hashes h = {NULL, 0, 0, 0};
    bp_status st = cli_drawers_take(d, 0, CLI_DRAWERS, &h);
    if (!st)
        st = bp_any_build_hashes(s, h.p, h.n, why);
    free(h.p);
    return st;
}

/* --------------------------------------------------------------------------- together */

static void tell(const cli_options *o, const bp_any *s, const cli_drawers *d,
                 const cli_tally *tally)
{
    cli_text lines, items, size, rate, spilled;
    static bp_description about;
    if (!o->verbose)
        return;
    bp_any_describe(s, &about);
    const bp_figure *shards = cli_figure(&about, "shards");
    const uint64_t n = cli_figure(&about, "items")->whole;
    const double bits = cli_figure(&about, "bits_per_item")->real * (double)n;
    cli_note(o, "%s lines, %s different, in a filter of %s at %s",
             cli_grouped(lines, tally->lines), cli_grouped(items, n),
             cli_size_text(size, bits / 8),
             cli_percent(rate, cli_figure(&about, "fpr_design")->real));
    if (shards)
        cli_note(o, "%s shards, %s of hashes in the temporary file",
                 cli_grouped(items, shards->whole),
                 cli_size_text(spilled, (double)cli_drawers_spilled(d)));
}

static bp_status build(const cli_options *o, const cli_collection *c, bp_any **s,
                       bp_detail *why)
{
    const uint64_t at_once = budget(o) / SHARD_MEMORY;
    const size_t threads = at_once < o->threads ? (size_t)at_once : o->threads;
    if (strcmp(bp_any_kind(*s)->name, "binary_fuse") != 0)
        return build_whole(c->drawers, *s, why);
    return build_fuse(c->drawers, (bp_binary_fuse **)s, shards_for(c->seen), threads,
                      why);
}

static int make(const cli_options *o, cli_collection *c, bp_any **s)
{
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    cli_tally tally = {0};
    if (cli_collect(o, c, &tally)) {
        cli_hint("no filter was written: it would answer no for the items that are "
                 "missing");
        return CLI_ERROR;
    }
    const bp_status st = build(o, c, s, &why);
    if (st)
        return cli_library_error(o->command->name, st, why.what ? &why : NULL);
    const int code = cli_write_sketch(o, *s);
    if (!code)
        tell(o, *s, c->drawers, &tally);
    return code;
}

int cli_build_complete(const cli_options *o, uint32_t kind, const cli_config *config)
{
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    bp_any *s = NULL;
    const bp_status st = bp_any_new(&s, kind, config, &why);
    if (st)
        return cli_library_error(o->command->name, st, &why);
    cli_collection c;
    const bp_hash_spec hash = cli_hash_of(s);
    cli_collect_begin(&c, o, &hash);
    cli_explain(o, s, NULL, true);
    const int code = make(o, &c, &s);
    cli_collect_end(&c);
    bp_any_free(s);
    return code;
}
