/* SPDX-License-Identifier: MIT
 * ribbon_build.c - solving the equations of a set of keys.
 *
 * Each key is an equation over bits: the slots that its coefficients name, of the
 * `width` from where it begins, add up to its fingerprint, in every column. Equations
 * are kept by the first slot that each names, one a slot. A new one whose slot is taken
 * is added to what is there, which takes that slot out of it, and goes on to the next
 * it names (Gauss's elimination, on the fly); with keys in the order of their first
 * slots that is a walk over memory. At the end slots are filled in from the last to the
 * first: one with an equation gets the bit that makes it right, one without any bit.
 *
 *     stage      the hashes, mixed; sorted, which is the order of their first slots;
 *                repeats removed
 *     enter      the equations, of one layer
 *     fill in    its slots (ribbon_fill.c)
 *
 * What happens when an equation has lost all its slots, being a sum of others:
 *
 *  - In a homogeneous layer nothing. All fingerprints are 0, the sum of others is right
 *    already, and no set can fail. What it costs is in ribbon_size.c.
 *  - In a layer that bumps, it is a contradiction unless its fingerprint came out 0 as
 *    well. Then the key, and those of its bucket that begin before it, go to the next
 *    layer: buckets are entered in ascending order, the keys of each in descending
 *    order, so that what is entered of these is what came last, and is easily taken out
 *    again. Two bits a bucket tell the reader (Dillinger et al., section 4). After two
 *    such layers the few keys that are left go to a homogeneous one.
 *
 * That is all there would be to say of sets without end. In one of some thousand keys it
 * happens to one in a hundred that keys crowd somewhere so much that in some hundred
 * slots every stranger is a sum of them: the rate holds over many filters, and not for
 * this one. So strangers are tried before a layer is filled in, and when too many are
 * sums, all begins anew under the next of 16 seeds; so it does when a layer bumps too
 * many. A set made so that this happens every time gets a homogeneous filter under the
 * last seed. So nothing fails, and the bytes follow from the set alone. */
#include "sketches/ribbon/ribbon_fill.h"

#include "hash/hash.h"
#include "parts/unique.h"

enum { RIBBON_STRANGERS = 32 }; /* slots of which one is asked for a stranger */

typedef struct ribbon_work {
    bp_hash_spec spec;    /* a copy: the head moves when the cells grow */
    const bp_bytes *keys; /* NULL: the caller gave hashes */
    const uint64_t *hashes;
    size_t given;
    size_t n; /* different ones that still have no layer */
    ribbon_design design;
    uint64_t *key; /* them, mixed and in order           */
    ribbon_system system;
    uint32_t *marks; /* room for the system's, of a compact filter */
} ribbon_work;

/* ------------------------------------------------------------------------ the set */

static void ribbon_sort(ribbon_work *w)
{
    w->n = bp_sort_unique(w->key, w->system.rows, w->n);
}

static void ribbon_stage(ribbon_work *w)
{
    w->n = w->given;
    if (w->keys)
        bp_hash_n(&w->spec, w->keys, w->given, w->key);
    const uint64_t *from = w->keys ? w->key : w->hashes;
    for (size_t i = 0; i < w->n; i++)
        w->key[i] = ribbon_mix(ribbon_seeded(from[i], w->design.seed));
    ribbon_sort(w);
}

/* ---------------------------------------------------------------------- equations */

typedef struct ribbon_row {
    uint64_t slot; /* its first one */
    uint64_t low, high;
    uint32_t mark;
} ribbon_row;

static BP_ALWAYS_INLINE ribbon_row ribbon_row_of(uint64_t x, uint64_t starts,
                                                 uint32_t width, bool marked)
{
    const uint64_t y = ribbon_low(x);
    return (ribbon_row){bp_range(x, starts), y | 1, width == 128 ? ribbon_high(y) : 0,
                        marked ? ribbon_mark(y) : 0};
}

/* Moves on to the first slot that r still names; false when there is none. */
static BP_ALWAYS_INLINE bool ribbon_move(ribbon_row *r, uint32_t width)
{
    if (width == 128 && r->low == 0) {
        r->low = r->high;
        r->high = 0;
        r->slot += 64;
    }
    if (r->low == 0)
        return false;
    const uint32_t by = (uint32_t)BP_CTZ64(r->low);
    r->low >>= by;
    if (width == 128) {
        r->low |= (r->high << 1) << (63 - by);
        r->high >>= by;
    }
    r->slot += by;
    return true;
}

/* True when r has found a slot of its own; false when it is a sum of equations that are
 * there, and r->mark what it contradicts them by. */
static BP_ALWAYS_INLINE bool ribbon_reduce(const ribbon_system *e, ribbon_row *r,
                                           uint32_t width, bool marked)
{
    for (;;) {
        const uint64_t *row = e->rows + r->slot * (width / 64);
        if (row[0] == 0)
            return true;
        r->low ^= row[0];
        if (width == 128)
            r->high ^= row[1];
        if (marked)
            r->mark ^= e->marks[r->slot];
        if (!ribbon_move(r, width))
            return false;
    }
}

static BP_ALWAYS_INLINE bool ribbon_enter(const ribbon_system *e, ribbon_row *r,
                                          uint32_t width, bool marked)
{
    if (!ribbon_reduce(e, r, width, marked))
        return false;
    uint64_t *row = e->rows + r->slot * (width / 64);
    row[0] = r->low;
    if (width == 128)
        row[1] = r->high;
    if (marked)
        e->marks[r->slot] = r->mark;
    return true;
}

/* -------------------------------------------------------------------------- layers */

/* All keys; then how many of a stranger every RIBBON_STRANGERS slots are sums of them. */
static BP_ALWAYS_INLINE uint64_t ribbon_enter_all(const ribbon_work *w, uint64_t starts,
                                                  uint32_t width)
{
    uint64_t sums = 0;
    for (size_t i = 0; i < w->n; i++) {
        ribbon_row r = ribbon_row_of(w->key[i], starts, width, false);
        ribbon_enter(&w->system, &r, width, false);
    }
    for (uint64_t slot = 0; slot < starts; slot += RIBBON_STRANGERS) {
        ribbon_row r = ribbon_row_of(ribbon_mix(slot), starts, width, false);
        r.slot = slot;
        sums += !ribbon_reduce(&w->system, &r, width, false);
    }
    return sums;
}

/* The keys of one bucket, from .. to, in descending order; returns which of the bumps it
 * takes. Those that it bumps have left no trace. */
static BP_ALWAYS_INLINE uint32_t ribbon_enter_bucket(const ribbon_work *w, size_t from,
                                                     size_t to, uint64_t starts,
                                                     uint32_t width)
{
    struct {
        uint64_t slot;
        uint32_t begins;
    } entered[3 * 128]; /* no more slots can be reached from one bucket */
    uint32_t n = 0, which = 0;
    for (size_t i = to; i-- > from;) {
        ribbon_row r = ribbon_row_of(w->key[i], starts, width, true);
        const uint32_t begins = (uint32_t)(r.slot % (2 * width));
        if (begins < ribbon_bump(which, width))
            break;
        if (ribbon_enter(&w->system, &r, width, true)) {
            entered[n].slot = r.slot;
            entered[n++].begins = begins;
        } else if (r.mark & ((UINT32_C(1) << w->design.columns) - 1)) {
            while (begins >= ribbon_bump(which, width))
                which++;
            break;
        }
    }
    for (; n > 0 && entered[n - 1].begins < ribbon_bump(which, width); n--)
        w->system.rows[entered[n - 1].slot * (width / 64)] = 0;
    return which;
}

/* A layer of all keys but those it bumps, which are then what is left; how many. */
static BP_ALWAYS_INLINE size_t ribbon_enter_most(ribbon_work *w, uint64_t starts,
                                                 uint8_t *bumps, uint32_t width)
{
    size_t left = 0;
    for (size_t from = 0, to = 0; from < w->n; from = to) {
        const uint64_t bucket = bp_range(w->key[from], starts) / (2 * width);
        while (to < w->n && bp_range(w->key[to], starts) / (2 * width) == bucket)
            to++;
        const uint32_t which = ribbon_enter_bucket(w, from, to, starts, width);
        bumps[bucket / 4] |= (uint8_t)(which << bucket % 4 * 2);
        for (size_t i = from; i < to; i++) {
            const uint64_t begins = bp_range(w->key[i], starts) % (2 * width);
            if (begins >= ribbon_bump(which, width))
                break;
            w->key[left++] = ribbon_mix(w->key[i]);
        }
    }
    return left;
}

static ribbon_layer ribbon_begin(ribbon_work *w, uint8_t *cells, uint32_t layer)
{
    const ribbon_design *d = &w->design;
    w->system.columns = d->columns;
    w->system.width = d->width;
    w->system.marks = layer < RIBBON_LAST ? w->marks : NULL;
    memset(w->system.rows, 0, (size_t)(d->blocks[layer] * d->width * 8));
    return ribbon_layer_of(d, cells, layer);
}

/* False when more strangers would be answered yes than the rate has room for: their part
 * of it, by how many strangers come to this layer at all. */
static bool ribbon_last(ribbon_work *w, uint8_t *cells, bool whatever)
{
    ribbon_design *d = &w->design;
    d->blocks[RIBBON_LAST] = bp_ribbon_blocks(d, w->n);
    const ribbon_layer l = ribbon_begin(w, cells, RIBBON_LAST);
    const uint64_t sums = d->width == 64 ? ribbon_enter_all(w, l.starts, 64)
                                         : ribbon_enter_all(w, l.starts, 128);
    const double room = d->fpr * bp_ribbon_excess(d, d->blocks[0] > 0);
    const double come = (double)w->n / (double)d->items;
    const uint64_t tried = l.starts / RIBBON_STRANGERS;
    if (!whatever && (double)sums * come > room * (double)tried)
        return false;
    bp_ribbon_fill(&w->system, &l, cells + ribbon_offset(d, RIBBON_LAST));
    return true;
}

/* False when too many keys would be bumped. */
static bool ribbon_bumping(ribbon_work *w, uint8_t *cells, uint32_t layer)
{
    w->design.blocks[layer] = bp_ribbon_bumping_blocks(&w->design, w->n);
    if (w->design.blocks[layer] == 0)
        return true;
    const ribbon_layer l = ribbon_begin(w, cells, layer);
    const size_t bump_bytes =
        (size_t)ribbon_bump_bytes(&w->design, w->design.blocks[layer]);
    uint8_t *bumps = cells + ribbon_offset(&w->design, layer + 1) - bump_bytes;
    const size_t before = w->n;
    memset(bumps, 0, bump_bytes);
    w->n = w->design.width == 64 ? ribbon_enter_most(w, l.starts, bumps, 64)
                                 : ribbon_enter_most(w, l.starts, bumps, 128);
    if (w->n > before / RIBBON_BUMPED_PART)
        return false;
    bp_ribbon_fill(&w->system, &l, cells + ribbon_offset(&w->design, layer));
    ribbon_sort(w);
    return true;
}

static bool ribbon_attempt(ribbon_work *w, uint8_t *cells, bool whatever)
{
    ribbon_design *d = &w->design;
    const bool bumps = d->compact && !whatever && bp_ribbon_bumping_blocks(d, w->n) > 0;
    d->blocks[0] = d->blocks[1] = 0;
    bp_ribbon_set_columns(d, bumps);
    if (bumps && !(ribbon_bumping(w, cells, 0) && ribbon_bumping(w, cells, 1)))
        return false;
    return ribbon_last(w, cells, whatever);
}

/* A set made so that it never succeeds gets a filter nevertheless. */
static void ribbon_solve(ribbon_work *w, uint8_t *cells)
{
    while (!ribbon_attempt(w, cells, w->design.seed == RIBBON_SEEDS - 1)) {
        w->design.seed++;
        ribbon_stage(w);
    }
}

/* ------------------------------------------------------------------------ together */

static uint64_t ribbon_rows_most(const ribbon_design *d, uint64_t n)
{
    return bp_ribbon_blocks(d, n) * d->width;
}

size_t bp_ribbon_scratch_of(const ribbon_design *d, size_t n)
{
    const uint64_t keys = n;
    if (keys > RIBBON_ITEMS_MAX)
        return SIZE_MAX;
    const uint64_t marks = d->compact ? bp_ribbon_blocks(d, n) * RIBBON_BLOCK * 4 : 0;
    const uint64_t bytes = 8 * keys + 8 * ribbon_rows_most(d, keys) + marks + 7;
    return bytes < SIZE_MAX / 4 ? (size_t)bytes : SIZE_MAX;
}

/* The arrays, in memory of bp_ribbon_scratch_of() bytes at any address. */
static void ribbon_lay_out(ribbon_work *w, void *scratch)
{
    w->key = (uint64_t *)(((uintptr_t)scratch + 7) & ~(uintptr_t)7);
    w->system.rows = w->key + w->given;
    w->marks =
        (uint32_t *)(w->system.rows + (size_t)ribbon_rows_most(&w->design, w->given));
}

/* Only room for the cells can be lacking now; without it, nothing has changed. */
static bp_status ribbon_put(bp_object *o, ribbon_work *w, bp_detail *why)
{
    if (w->n) {
        const uint64_t most = bp_ribbon_most_bytes(&w->design, w->n);
        const bp_status st = bp_object_resize(o, (size_t)most, why);
        if (st)
            return st;
        w->design.items = w->n;
        ribbon_solve(w, o->cells);
    }
    ((ribbon_head *)o->head)->design = w->design;
    bp_object_resize(o, (size_t)ribbon_bytes(&w->design), NULL); /* less than it has */
    bp_object_trim(o);
    bp_object_unreport(o);
    return BP_OK;
}

bp_status bp_ribbon_build_from(bp_object *o, const bp_bytes *keys, const uint64_t *hashes,
                               size_t n, void *scratch, size_t size, bp_detail *why)
{
    const ribbon_head *head = (const ribbon_head *)o->head;
    ribbon_work w = {.spec = head->base.hash,
                     .keys = keys,
                     .hashes = hashes,
                     .given = n,
                     .design = head->design};
    const size_t want = bp_ribbon_scratch_of(&w.design, n);
    w.design.items = w.design.seed = 0;
    memset(w.design.blocks, 0, sizeof w.design.blocks);
    bp_ribbon_set_columns(&w.design, false);
    if (n == 0)
        return ribbon_put(o, &w, why);
    if (scratch && size < want)
        return bp_fail(why, BP_FULL, "the working memory is smaller than scratch says",
                       size, want);
    void *own = scratch || want == SIZE_MAX ? NULL : bp_allocate(&o->alloc, want);
    if (!scratch && !own)
        return bp_fail(why, BP_NOMEM, "out of memory", 0, want);
    ribbon_lay_out(&w, scratch ? scratch : own);
    ribbon_stage(&w);
    const bp_status st = ribbon_put(o, &w, why);
    bp_release(&o->alloc, own, want);
    return st;
}
