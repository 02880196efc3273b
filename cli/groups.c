/* SPDX-License-Identifier: MIT
 * groups.c - -g: a sketch for each group, filled by many threads at once.
 *
 * There may be three groups or three million, and most of many are small. A real sketch
 * costs a few hundred bytes however little it holds, so a group begins as a few items in
 * a row: hashes, or keys and their counts. That is what the sketch would be given, so it
 * answers the same when it is made after all: when the row becomes long, or for a moment
 * when the group is asked. The row stays, and what comes waits there until it is worth a
 * visit to the sketch: a thousand sketches do not fit into the cache.
 *
 * All threads share one table, so that memory does not depend on their number. It is cut
 * into shards by the hash of the group's name, a lock each; a thread sorts a batch by
 * shard and takes each lock once.
 *
 * Rows grow by moving, and what is left behind is dead. When half as much is dead as
 * alive, a shard moves all its rows into a new arena: no free lists, and no more than
 * half again for any order in which groups grow. */
#include "groups.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHARDS_LOG = 6,
    SHARDS = 1 << SHARDS_LOG,
    SHARD_SHIFT = 64 - SHARDS_LOG,
    BLOCK = 1024,                    /* items sorted at a time                         */
    ROW_MOST = 248,                  /* bytes of items; what needs more gets a sketch  */
    WAITING_MOST = 1024,             /* bytes of items that wait for it                */
    ITEM_HEAD = 5,                   /* before a key: its count in 4 bytes, its length */
    KEY_MOST = ROW_MOST - ITEM_HEAD, /* of a key in a row */
    ITEMS_MOST = WAITING_MOST / ITEM_HEAD
};

/* The items of a small group: hashes, or a count, a length and a key each. */
typedef struct row {
    uint16_t used, room; /* bytes of items */
    unsigned char items[];
} row;

/* A group's value in the map: nothing yet, a row, or a sketch and what waits for it. */
typedef struct group {
    row *few;
    bp_any *sketch;
} group;

typedef struct shard {
    pthread_mutex_t lock;
    cli_map *map;
    cli_arena rows;
    size_t alive, dead; /* bytes of rows */
} shard;

struct cli_group_table {
    const cli_count *c;
    shard shards[SHARDS];
};

cli_group_table *cli_group_table_new(const cli_count *c)
{
    cli_group_table *t = calloc(1, sizeof *t);
    bool ok = t != NULL;
    for (size_t i = 0; t && i < SHARDS; i++) {
        pthread_mutex_init(&t->shards[i].lock, NULL);
        t->shards[i].map = cli_map_new(sizeof(group));
        ok = ok && t->shards[i].map;
    }
    if (!ok) {
        cli_group_table_free(t);
        cli_error("%s: out of memory", c->o->command->name);
        return NULL;
    }
    t->c = c;
    return t;
}

void cli_group_table_free(cli_group_table *t)
{
    for (size_t s = 0; t && s < SHARDS; s++) {
        shard *d = &t->shards[s];
        for (size_t i = 0; d->map && i < cli_map_count(d->map); i++)
            bp_any_free(((group *)cli_map_value(d->map, i))->sketch);
        cli_map_free(d->map);
        cli_arena_free(&d->rows);
        pthread_mutex_destroy(&d->lock);
    }
    free(t);
}

/* ------------------------------------------------------------------------------- rows */

static size_t row_bytes(size_t room)
{
    return sizeof(row) + room;
}

static row *move_row(cli_arena *to, const row *old, size_t room)
{
    row *r = cli_arena_take(to, row_bytes(room), 2);
    if (!r)
        return NULL;
    r->used = old ? old->used : 0;
    r->room = (uint16_t)room;
    if (old)
        memcpy(r->items, old->items, old->used);
    return r;
}

/* When there is no memory for it, it goes on as it was. */
static void collect(shard *d)
{
    cli_arena fresh = {0};
    const size_t n = cli_map_count(d->map);
    row **moved = malloc(n * sizeof *moved);
    bool ok = moved != NULL;
    for (size_t i = 0; ok && i < n; i++) {
        const row *old = ((group *)cli_map_value(d->map, i))->few;
        moved[i] = old ? move_row(&fresh, old, old->room) : NULL;
        ok = moved[i] || !old;
    }
    for (size_t i = 0; ok && i < n; i++)
        ((group *)cli_map_value(d->map, i))->few = moved[i];
    cli_arena_free(ok ? &d->rows : &fresh);
    if (ok)
        d->rows = fresh;
    d->dead = 0;
    free(moved);
}

static void bury(shard *d, group *g)
{
    if (!g->few)
        return;
    d->alive -= row_bytes(g->few->room);
    d->dead += row_bytes(g->few->room);
    g->few = NULL;
}

static row *resize_row(shard *d, group *g, size_t room)
{
    enum { DEAD_LEAST = 4096 };
    row *r = move_row(&d->rows, g->few, room);
    if (!r)
        return NULL;
    bury(d, g);
    g->few = r;
    d->alive += row_bytes(room);
    if (d->dead > DEAD_LEAST && d->dead > d->alive / 2)
        collect(d);
    return g->few;
}

/* Room for n more bytes of items in a row that may not exist; grown by half. NULL: out of
 * memory. */
static row *grow_row(shard *d, group *g, size_t n)
{
    const row *old = g->few;
    if (old && (size_t)(old->room - old->used) >= n)
        return g->few;
    const size_t used = old ? old->used : 0;
    const size_t room = used + (n > used / 2 ? n : used / 2 / n * n);
    return resize_row(d, g, room > ROW_MOST ? used + n : room);
}

/* ------------------------------------------------------------------------- small groups
 */

static bp_status give_keys(const cli_count *c, bp_any *s, const row *r)
{
    bp_bytes keys[ITEMS_MOST];
    uint64_t weights[ITEMS_MOST];
    size_t n = 0;
    for (size_t at = 0; at < r->used; n++) {
        uint32_t count;
        memcpy(&count, r->items + at, sizeof count);
        keys[n] = (bp_bytes){r->items + at + ITEM_HEAD, r->items[at + 4]};
        weights[n] = count;
        at += ITEM_HEAD + keys[n].len;
    }
    return c->add_keys(s, keys, weights, n);
}

/* What a row holds, into a sketch. */
static bp_status give_row(const cli_count *c, bp_any *s, const row *r)
{
    uint64_t hashes[WAITING_MOST / sizeof(uint64_t)];
    if (!r)
        return BP_OK;
    if (!c->add_hashes)
        return give_keys(c, s, r);
    memcpy(hashes, r->items, r->used);
    return c->add_hashes(s, hashes, r->used / sizeof *hashes);
}

static bp_status make_sketch(const cli_count *c, group *g)
{
    bp_any *s;
    bp_status st = bp_any_new(&s, c->kind, c->config, NULL);
    if (!st)
        st = give_row(c, s, g->few);
    if (st) {
        bp_any_free(s);
        return st;
    }
    g->sketch = s;
    if (g->few)
        g->few->used = 0;
    return BP_OK;
}

static void put_hash(row *r, uint64_t hash)
{
    memcpy(r->items + r->used, &hash, sizeof hash);
    r->used = (uint16_t)(r->used + sizeof hash);
}

static void put_key(row *r, bp_bytes key, uint32_t count)
{
    unsigned char *item = r->items + r->used;
    memcpy(item, &count, sizeof count);
    item[4] = (uint8_t)key.len;
    if (key.len > 0)
        memcpy(item + ITEM_HEAD, key.ptr, key.len);
    r->used = (uint16_t)(r->used + ITEM_HEAD + key.len);
}

/* Whether the row has the hash, or takes it. FULL: it does not. */
static bp_status row_add_hash(shard *d, group *g, uint64_t hash)
{
    const size_t used = g->few ? g->few->used : 0;
    for (size_t at = 0; at < used; at += sizeof hash)
        if (memcmp(g->few->items + at, &hash, sizeof hash) == 0)
            return BP_OK;
    if (used + sizeof hash > ROW_MOST)
        return BP_FULL;
    row *r = grow_row(d, g, sizeof hash);
    if (!r)
        return BP_NOMEM;
    put_hash(r, hash);
    return BP_OK;
}

static bp_status row_add_key(shard *d, group *g, bp_bytes key, uint64_t weight)
{
    const size_t used = g->few ? g->few->used : 0, size = ITEM_HEAD + key.len;
    uint32_t count;
    if (weight > UINT32_MAX || key.len > KEY_MOST)
        return BP_FULL;
    for (size_t at = 0; at < used; at += ITEM_HEAD + g->few->items[at + 4]) {
        unsigned char *item = g->few->items + at;
        if (item[4] != key.len ||
            (key.len && memcmp(item + ITEM_HEAD, key.ptr, key.len) != 0))
            continue;
        memcpy(&count, item, sizeof count);
        if (count > UINT32_MAX - weight)
            return BP_FULL;
        count += (uint32_t)weight;
        memcpy(item, &count, sizeof count);
        return BP_OK;
    }
    if (used + size > ROW_MOST)
        return BP_FULL;
    row *r = grow_row(d, g, size);
    if (!r)
        return BP_NOMEM;
    put_key(r, key, (uint32_t)weight);
    return BP_OK;
}

/* ------------------------------------------------------------------------- the adding */

/* A thread's own: a block of items in the order of their groups' hashes. */
typedef struct adder {
    cli_group_table *table;
    size_t first_shard; /* each begins at another, so as not to wait for one lock */
    size_t n;
    uint64_t group_hashes[BLOCK];
    bp_bytes groups[BLOCK];
    uint64_t hashes[BLOCK];
    bp_bytes keys[BLOCK];
    uint64_t weights[BLOCK];
    group *of[BLOCK];
} adder;

void *cli_group_adder(cli_group_table *t, bp_status *st)
{
    adder *a = malloc(sizeof *a);
    *st = a ? BP_OK : BP_NOMEM;
    if (!a)
        return NULL;
    a->table = t;
    a->first_shard = (uintptr_t)a / sizeof *a % SHARDS;
    return a;
}

bp_status cli_group_adder_close(void *unused, void *state, bool failed)
{
    (void)unused;
    (void)failed;
    free(state);
    return BP_OK;
}

/* The items of one shard after another: a counting sort. */
static void sort_by_shard(const uint64_t *hashes, size_t n, uint16_t *order)
{
    uint16_t at[SHARDS + 1] = {0};
    for (size_t i = 0; i < n; i++)
        at[(hashes[i] >> SHARD_SHIFT) + 1]++;
    for (size_t i = 1; i < SHARDS; i++)
        at[i] = (uint16_t)(at[i] + at[i - 1]);
    for (size_t i = 0; i < n; i++)
        order[at[hashes[i] >> SHARD_SHIFT]++] = (uint16_t)i;
}

static void load_block(adder *a, const cli_batch *b, size_t from)
{
    const cli_count *c = a->table->c;
    uint64_t group_hashes[BLOCK], hashes[BLOCK];
    uint16_t order[BLOCK];
    cli_map_hash_n(b->groups + from, a->n, group_hashes);
    if (c->add_hashes)
        bp_hash_n(&c->config->hash, b->keys + from, a->n, hashes);
    sort_by_shard(group_hashes, a->n, order);
    for (size_t i = 0; i < a->n; i++) {
        const size_t at = order[i];
        a->groups[i] = b->groups[from + at];
        a->group_hashes[i] = group_hashes[at];
        if (c->add_hashes)
            a->hashes[i] = hashes[at];
        else
            a->keys[i] = b->keys[from + at];
        a->weights[i] = b->weights ? b->weights[from + at] : 1;
    }
}

/* What waits for a sketch, into it. */
static bp_status flush(const cli_count *c, group *g)
{
    if (!g->few)
        return BP_OK;
    const bp_status st = give_row(c, g->sketch, g->few);
    g->few->used = 0;
    return st;
}

/* Room for n more bytes of what waits: the sketch gets what did, and the row grows as
 * long as it is short. */
static bp_status make_room(const cli_count *c, shard *d, group *g, size_t n)
{
    const size_t room = g->few ? g->few->room : 0;
    if (g->few && g->few->used + n <= room)
        return BP_OK;
    const bp_status st = flush(c, g);
    if (st || 2 * room > WAITING_MOST)
        return st;
    return resize_row(d, g, 2 * room < ROW_MOST ? ROW_MOST : 2 * room) ? BP_OK : BP_NOMEM;
}

static bp_status add_hash(const cli_count *c, shard *d, group *g, uint64_t hash)
{
    bp_status st = g->sketch ? BP_OK : row_add_hash(d, g, hash);
    if (!g->sketch && st != BP_FULL)
        return st;
    if (!g->sketch && (st = make_sketch(c, g)))
        return st;
    st = make_room(c, d, g, sizeof hash);
    if (!st)
        put_hash(g->few, hash);
    return st;
}

static bp_status add_key(const cli_count *c, shard *d, group *g, bp_bytes key,
                         uint64_t weight)
{
    bp_status st = g->sketch ? BP_OK : row_add_key(d, g, key, weight);
    if (!g->sketch && st != BP_FULL)
        return st;
    if (!g->sketch && (st = make_sketch(c, g)))
        return st;
    if (weight > UINT32_MAX || key.len > KEY_MOST) {
        st = flush(c, g);
        return st ? st : c->add_keys(g->sketch, &key, &weight, 1);
    }
    st = make_room(c, d, g, ITEM_HEAD + key.len);
    if (!st)
        put_key(g->few, key, (uint32_t)weight);
    return st;
}

/* Under lock: items [from, to) into their groups, which are made when they are new. */
static bp_status add_to_shard(adder *a, shard *d, size_t from, size_t to)
{
    if (!cli_map_add_n(d->map, a->groups + from, a->group_hashes + from, to - from,
                       (void **)a->of + from))
        return BP_NOMEM;
    for (size_t i = from; i < to; i++)
        __builtin_prefetch(a->of[i]->few ? (void *)a->of[i]->few
                                         : (void *)a->of[i]->sketch);
    const cli_count *c = a->table->c;
    bp_status st = BP_OK;
    for (size_t i = from; i < to && !st; i++)
        st = c->add_hashes ? add_hash(c, d, a->of[i], a->hashes[i])
                           : add_key(c, d, a->of[i], a->keys[i], a->weights[i]);
    return st;
}

static size_t shard_of(const adder *a, size_t i)
{
    return a->group_hashes[i] >> SHARD_SHIFT;
}

static bp_status add_block(adder *a)
{
    size_t ends[SHARDS] = {0}, end = 0;
    for (size_t s = 0; s < SHARDS; s++) {
        while (end < a->n && shard_of(a, end) == s)
            end++;
        ends[s] = end;
    }
    bp_status st = BP_OK;
    for (size_t i = 0; i < SHARDS && !st; i++) {
        const size_t s = (a->first_shard + i) % SHARDS, from = s ? ends[s - 1] : 0;
        shard *d = &a->table->shards[s];
        if (from == ends[s])
            continue;
        pthread_mutex_lock(&d->lock);
        st = add_to_shard(a, d, from, ends[s]);
        pthread_mutex_unlock(&d->lock);
    }
    return st;
}

bp_status cli_group_add(void *state, const cli_batch *batch)
{
    adder *a = state;
    bp_status st = BP_OK;
    for (size_t from = 0; from < batch->n && !st; from += a->n) {
        a->n = batch->n - from < BLOCK ? batch->n - from : BLOCK;
        load_block(a, batch, from);
        st = add_block(a);
    }
    return st;
}

/* --------------------------------------------------------------------------- the list */

typedef struct table_list {
    cli_group_list list;
    const cli_count *c;
    bp_any *scratch; /* what a row is for a moment */
    cli_sortable *sorted;
} table_list;

static int list_name(cli_group_list *l, uint64_t i, bp_bytes *out)
{
    *out = ((table_list *)l)->sorted[i].key;
    return CLI_OK;
}

static bp_status sketch_of(table_list *t, group *g, bool own, bp_any **out)
{
    const cli_count *c = t->c;
    bp_status st;
    *out = NULL;
    if (g->sketch && (st = flush(c, g)))
        return st;
    if (g->sketch && own)
        return bp_any_clone(out, g->sketch, NULL);
    if (own && (st = bp_any_new(out, c->kind, c->config, NULL)))
        return st;
    if (!own)
        *out = g->sketch ? g->sketch : t->scratch;
    if (*out == t->scratch)
        bp_any_reset(t->scratch);
    st = g->sketch ? BP_OK : give_row(c, *out, g->few);
    if (st && own)
        bp_any_free(*out);
    return st;
}

static int list_sketch(cli_group_list *l, uint64_t i, bool own, bp_any **out)
{
    table_list *t = (table_list *)l;
    const bp_status st = sketch_of(t, t->sorted[i].of, own, out);
    return st ? cli_library_error(t->c->o->command->name, st, NULL) : CLI_OK;
}

static void list_close(cli_group_list *l)
{
    table_list *t = (table_list *)l;
    bp_any_free(t->scratch);
    free(t->sorted);
    free(t);
}

static void list_sorted(const cli_group_table *t, cli_sortable *to)
{
    size_t n = 0;
    for (size_t s = 0; s < SHARDS; s++)
        for (size_t i = 0; i < cli_map_count(t->shards[s].map); i++)
            to[n++] = (cli_sortable){cli_map_key(t->shards[s].map, i),
                                     cli_map_value(t->shards[s].map, i)};
    cli_sort(to, n);
}

cli_group_list *cli_group_table_list(cli_group_table *t)
{
    const cli_count *c = t->c;
    table_list *l = calloc(1, sizeof *l);
    size_t n = 0;
    for (size_t s = 0; s < SHARDS; s++)
        n += cli_map_count(t->shards[s].map);
    if (l)
        l->sorted = malloc((n + 1) * sizeof *l->sorted);
    if (!l || !l->sorted || bp_any_new(&l->scratch, c->kind, c->config, NULL)) {
        if (l)
            list_close(&l->list);
        cli_error("%s: out of memory", c->o->command->name);
        return NULL;
    }
    list_sorted(t, l->sorted);
    l->c = c;
    l->list = (cli_group_list){.where = "the input",
                               .kind = bp_any_kind_by_id(c->kind),
                               .count = n,
                               .name = list_name,
                               .sketch = list_sketch,
                               .close = list_close};
    return &l->list;
}
