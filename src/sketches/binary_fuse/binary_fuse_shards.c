/* SPDX-License-Identifier: MIT
 * binary_fuse_shards.c - a filter of several parts.
 *
 * Building wants all keys of a filter in memory, and one core. So the set is cut by the
 * highest bits of the hash into S = 2^s shards, each a filter of its own, with its own
 * seed and size, and their cells stand one behind the other:
 *
 *     | entry 0 | entry 1 | ... | entry S-1 | cells of 0 | cells of 1 | ...
 *          seed, items, first cell, starts and length: 32 bytes
 *
 * A question reads one entry more; the table is small and stays near. Shards may be built
 * apart, by several cores or one after the other as memory allows, and joined; what comes
 * out is the same as when one call builds them all, which itself stays in the cache.
 *
 * A shard of no keys has the cells of one, all 0: a question there is answered like any
 * stranger's, without asking first whether there is anything. */
#include "sketches/binary_fuse/binary_fuse_state.h"

#include "hash/hash.h"

/* -------------------------------------------------------------------------- the table */

static void fuse_put_entry(uint8_t *entry, const fuse_design *d, uint64_t first)
{
    bp_store64(entry, d->seed);
    bp_store64(entry + 8, d->items);
    bp_store64(entry + 16, first);
    bp_store64(entry + 24, d->starts << 8 | d->length);
}

/* What stands in the table of a shard: of one without keys, what one key would have. */
static fuse_design fuse_shard_design(const fuse_design *d)
{
    fuse_design shard = d->items ? *d : bp_fuse_plan(1, d->bits, d->arity, 0);
    shard.items = d->items;
    return shard;
}

bp_status bp_fuse_check_design(const fuse_design *d, const fuse_offsets *at,
                               bp_detail *why)
{
    if (d->items > FUSE_ITEMS_MAX)
        return bp_fail_at(why, BP_CORRUPT, "more than 2^40 items", at->items, d->items,
                          FUSE_ITEMS_MAX);
    if (d->length > FUSE_LENGTH_MAX)
        return bp_fail_at(why, BP_CORRUPT, "a segment has at most 2^18 cells", at->length,
                          d->length, FUSE_LENGTH_MAX);
    if (d->starts > 4 * FUSE_ITEMS_MAX || !d->starts)
        return bp_fail_at(why, BP_CORRUPT, "no such number of segments", at->starts,
                          d->starts, 1);
    /* Keys can be peeled only from cells of their own. */
    if (d->items > fuse_cells(d))
        return bp_fail_at(why, BP_CORRUPT, "fewer cells than items", at->items,
                          fuse_cells(d), d->items);
    return BP_OK;
}

bp_status bp_fuse_check_table(const fuse_head *h, const uint8_t *payload, uint64_t size,
                              bp_detail *why)
{
    const uint64_t table = fuse_table_size(h), width = h->design.bits / 8;
    uint64_t items = 0, first = 0;
    if (size < table || (size - table) % width != 0)
        return bp_fail_at(why, BP_CORRUPT, "the payload has no whole table and cells", 0,
                          size, table);
    const uint64_t cells = (size - table) / width;
    for (uint64_t at = 0; at < table; at += FUSE_ENTRY) {
        const uint8_t *entry = payload + at;
        const uint64_t shape = bp_load64(entry + 24);
        const fuse_design d = {.items = bp_load64(entry + 8),
                               .starts = shape >> 8,
                               .length = shape & 255,
                               .arity = h->design.arity};
        const fuse_offsets where = {at + 8, at + 24, at + 24};
        const bp_status st = bp_fuse_check_design(&d, &where, why);
        if (st)
            return st;
        if (bp_load64(entry + 16) != first)
            return bp_fail_at(why, BP_CORRUPT,
                              "a shard's cells do not follow the one's before", at + 16,
                              bp_load64(entry + 16), first);
        if (fuse_cells(&d) > cells - first)
            return bp_fail_at(why, BP_CORRUPT, "fewer cells than the shards take",
                              at + 24, cells - first, fuse_cells(&d));
        items += d.items;
        first += fuse_cells(&d);
    }
    if (first != cells)
        return bp_fail_at(why, BP_CORRUPT, "more cells than the shards take", 0, cells,
                          first);
    if (items != h->design.items)
        return bp_fail_at(why, BP_CORRUPT, "the shards hold another number of items", 8,
                          items, h->design.items);
    return BP_OK;
}

/* --------------------------------------------------------------------------- building */

/* Copies the hashes in the order of their shards; end[i] is where shard i ends. */
static void fuse_split(const uint64_t *hashes, size_t n, uint32_t shards, uint64_t *to,
                       size_t *end)
{
    size_t sum = 0;
    memset(end, 0, shards * sizeof *end);
    for (size_t i = 0; i < n; i++)
        end[fuse_shard_of(hashes[i], shards)]++;
    for (uint32_t i = 0; i < shards; i++) {
        const size_t here = end[i];
        end[i] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++)
        to[end[fuse_shard_of(hashes[i], shards)]++] = hashes[i];
}

/* Room for the table and for any cells the shards may take. */
static bp_status fuse_make_room(bp_object *o, const size_t *end, bp_detail *why)
{
    const fuse_head *h = (const fuse_head *)o->head;
    uint64_t cells = 0;
    for (uint32_t i = 0; i < h->shards; i++) {
        const size_t n = end[i] - (i ? end[i - 1] : 0);
        cells += bp_fuse_most_cells(n ? n : 1, h->design.arity);
    }
    const uint64_t bytes = fuse_table_size(h) + cells * (h->design.bits / 8);
    return bytes > SIZE_MAX / 4 ? bp_fail(why, BP_NOMEM, "out of memory", 0, bytes)
                                : bp_object_resize(o, (size_t)bytes, why);
}

/* The i-th shard's entry and, from cell `first` on, its cells; what it holds. */
static fuse_design fuse_add_shard(bp_object *o, uint32_t i, const uint64_t *hashes,
                                  size_t n, void *room, uint64_t first)
{
    const fuse_head *h = (const fuse_head *)o->head;
    fuse_work w = {.hashes = hashes,
                   .given = n,
                   .n = n,
                   .design = {.bits = h->design.bits, .arity = h->design.arity}};
    const size_t width = h->design.bits / 8;
    uint8_t *cells = o->cells + fuse_table_size(h) + first * width;
    if (n) {
        bp_fuse_lay_out(&w, room);
        bp_fuse_solve(&w);
    }
    const fuse_design d = fuse_shard_design(&w.design);
    memset(cells, 0, fuse_cells(&d) * width);
    if (n)
        bp_fuse_fill(&w, cells);
    fuse_put_entry(o->cells + (size_t)i * FUSE_ENTRY, &d, first);
    return d;
}

/* What is in it now. Cells that repeated keys turned out not to need are given back. */
static void fuse_settle(bp_object *o, uint64_t items, uint64_t cells)
{
    fuse_head *h = (fuse_head *)o->head;
    h->design.items = items;
    bp_object_unreport(o);
    o->cells_size = (size_t)(fuse_table_size(h) + cells * (h->design.bits / 8));
    if (o->cells_cap - o->cells_size > o->cells_size / 4)
        bp_object_trim(o);
}

bp_status bp_fuse_build_shards(bp_object *o, const bp_bytes *keys, const uint64_t *hashes,
                               size_t n, void *scratch, bp_detail *why)
{
    const fuse_head *h = (const fuse_head *)o->head;
    const uint32_t shards = h->shards;
    uint64_t *split = (uint64_t *)(((uintptr_t)scratch + 7) & ~(uintptr_t)7);
    size_t end[FUSE_SHARDS_MAX], from = 0;
    uint64_t items = 0, cells = 0;
    if (keys) {
        bp_hash_n(&h->base.hash, keys, n, split + n);
        hashes = split + n;
    }
    fuse_split(hashes, n, shards, split, end);
    const bp_status st = fuse_make_room(o, end, why);
    for (uint32_t i = 0; i < shards && !st; i++) {
        const fuse_design d =
            fuse_add_shard(o, i, split + from, end[i] - from, split + n, cells);
        from = end[i];
        items += d.items;
        cells += fuse_cells(&d);
    }
    if (!st)
        fuse_settle(o, items, cells);
    return st;
}

/* ---------------------------------------------------------------------------- joining */

static bp_status fuse_check_shard(const bp_object *o, const bp_object *shard,
                                  bp_detail *why)
{
    const fuse_head *h = (const fuse_head *)o->head, *g = (const fuse_head *)shard->head;
    const bp_status st = bp_object_same(o, shard, why);
    if (st)
        return st;
    if (g->design.bits != h->design.bits)
        return bp_fail(why, BP_MISMATCH, "the fingerprints differ", h->design.bits,
                       g->design.bits);
    if (g->design.arity != h->design.arity)
        return bp_fail(why, BP_MISMATCH, "the places a key differ", h->design.arity,
                       g->design.arity);
    if (g->shards != 1)
        return bp_fail(why, BP_PARAM, "a shard is a filter of one shard", g->shards, 1);
    return BP_OK;
}

/* All of them go together; how much they are. */
static bp_status fuse_check_shards(const bp_object *o,
                                   const bp_binary_fuse *const *shards, size_t n,
                                   uint64_t *items, uint64_t *cells, bp_detail *why)
{
    *items = *cells = 0;
    for (size_t i = 0; i < n; i++) {
        const bp_object *shard = (const bp_object *)shards[i];
        const bp_status st = fuse_check_shard(o, shard, why);
        if (st)
            return st;
        const fuse_design d =
            fuse_shard_design(&((const fuse_head *)shard->head)->design);
        *items += d.items;
        *cells += fuse_cells(&d);
    }
    return *items > FUSE_ITEMS_MAX
               ? bp_fail(why, BP_PARAM, "more than 2^40 items", *items, FUSE_ITEMS_MAX)
               : BP_OK;
}

static void fuse_copy_shards(bp_object *o, const bp_binary_fuse *const *shards, size_t n)
{
    const fuse_head *h = (const fuse_head *)o->head;
    uint8_t *to = o->cells + fuse_table_size(h);
    uint64_t first = 0;
    for (size_t i = 0; i < n; i++) {
        const bp_object *shard = (const bp_object *)shards[i];
        const fuse_design d =
            fuse_shard_design(&((const fuse_head *)shard->head)->design);
        const size_t bytes = (size_t)(fuse_cells(&d) * (h->design.bits / 8));
        fuse_put_entry(o->cells + i * FUSE_ENTRY, &d, first);
        if (d.items)
            memcpy(to, shard->cells, bytes);
        else
            memset(to, 0, bytes);
        first += fuse_cells(&d);
        to += bytes;
    }
}

bp_status bp_binary_fuse_join(bp_binary_fuse *s, const bp_binary_fuse *const *shards,
                              size_t n, bp_detail *why)
{
    bp_object *o = (bp_object *)s;
    const fuse_head *h = (const fuse_head *)o->head;
    const uint64_t table = fuse_table_size(h), width = h->design.bits / 8;
    uint64_t items, cells;
    if (n != h->shards || n == 1)
        return bp_fail(why, BP_PARAM, "made for another number of shards", h->shards, n);
    bp_status st = fuse_check_shards(o, shards, n, &items, &cells, why);
    if (st)
        return st;
    if (items == 0)
        return bp_fuse_build(o, NULL, NULL, 0, NULL, 0, why);
    st = cells > (SIZE_MAX / 4 - table) / width
             ? bp_fail(why, BP_NOMEM, "out of memory", 0, cells)
             : bp_object_resize(o, (size_t)(table + cells * width), why);
    if (st)
        return st;
    fuse_copy_shards(o, shards, n);
    fuse_settle(o, items, cells);
    return BP_OK;
}
