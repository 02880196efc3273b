/* SPDX-License-Identifier: MIT
 * regions.c - filling a filter that is much larger than the cache.
 *
 * Each item falls on another line of the filter, and on another page: for 1.2 GB the wait
 * for memory and for page tables is most of the work. A blocked_bloom takes the block
 * from the top bits of the hash, so hashes that begin with the same ten bits fall into
 * one region, a thousandth of the filter. They are gathered, some thousands for each
 * region, and then added together: a region's pages are few, and its lines come several
 * at a time and often more than once. That halves the time of an item at 1.2 GB, and is
 * no loss from 64 MiB on (bench/README.md has the figures); a bloom, whose probes fall
 * everywhere, has no regions.
 *
 * Threads read, hash and gather each for itself, and take turns in adding, which is the
 * smaller part. So one filter is enough for all, whatever its size. */
#include "regions.h"

#include "column.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    REGION_BITS = 10,
    REGIONS = 1 << REGION_BITS,
    GATHERED = 4096, /* hashes for a region, of all threads together */
    THREADS_MOST = 8,
    SPREAD = 8 /* so that the gathering places do not share the sets of the cache */
};
static const uint64_t pays_from = 64 << 20;

typedef struct shared {
    bp_any *filter;
    unsigned room; /* hashes for a region, of one thread */
    pthread_mutex_t turn;
} shared;

typedef struct worker {
    shared *all;
    uint64_t *hashes;
    uint32_t n[REGIONS];
} worker;

bool cli_regions_pay(const bp_any *s)
{
    cli_config made;
    if (bp_any_kind(s) != bp_any_kind_by_name("blocked_bloom"))
        return false;
    bp_any_config_of(s, &made);
    return !made.blocked_bloom.concurrent && made.blocked_bloom.memory >= pays_from;
}

static uint64_t *place_of(const worker *w, size_t region)
{
    return w->hashes + region * (w->all->room + SPREAD);
}

static bp_status flush(worker *w, size_t region)
{
    pthread_mutex_lock(&w->all->turn);
    const bp_status st =
        bp_any_add_hashes(w->all->filter, place_of(w, region), w->n[region], NULL);
    pthread_mutex_unlock(&w->all->turn);
    w->n[region] = 0;
    return st;
}

static void *open_worker(void *ctx, bp_status *st)
{
    worker *w = calloc(1, sizeof *w);
    *st = BP_NOMEM;
    if (!w)
        return NULL;
    w->all = ctx;
    w->hashes = malloc(REGIONS * (w->all->room + SPREAD) * sizeof *w->hashes);
    if (!w->hashes) {
        free(w);
        return NULL;
    }
    *st = BP_OK;
    return w;
}

static bp_status gather(void *ctx, const uint64_t *hashes, size_t n)
{
    worker *w = ctx;
    bp_status st = BP_OK;
    for (size_t i = 0; i < n && !st; i++) {
        const size_t region = hashes[i] >> (64 - REGION_BITS);
        place_of(w, region)[w->n[region]++] = hashes[i];
        if (w->n[region] == w->all->room)
            st = flush(w, region);
    }
    return st;
}

static bp_status close_worker(void *ctx, void *state, bool failed)
{
    worker *w = state;
    bp_status st = BP_OK;
    (void)ctx;
    for (size_t i = 0; i < REGIONS && !failed && !st; i++)
        st = flush(w, i);
    free(w->hashes);
    free(w);
    return st;
}

int cli_read_into_regions(const cli_options *o, bp_any *s, cli_tally *tally, bool *fatal)
{
    cli_options with = *o;
    with.threads = o->threads < THREADS_MOST ? o->threads : THREADS_MOST;
    shared all = {.filter = s, .room = GATHERED / with.threads};
    const bp_hash_spec hash = cli_hash_of(s);
    const cli_sink sink = {.ctx = &all,
                           .open = open_worker,
                           .hashes = gather,
                           .hash = &hash,
                           .close = close_worker};
    pthread_mutex_init(&all.turn, NULL);
    const int code = cli_read_values(&with, &sink, tally, fatal);
    pthread_mutex_destroy(&all.turn);
    return code;
}
