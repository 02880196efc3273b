/* SPDX-License-Identifier: MIT
 * scalable_bloom_layers.c - making, copying, emptying and joining the layers.
 *
 * A filter is a set of layers, and a union of two filters the union of these sets: asked
 * together they answer as both did. So merging is commutative, associative and
 * idempotent, whatever was added where. What is in no set twice needs an order to find
 * it in, which is also the order in which layers are asked (backwards) and written:
 * by index in the series, then by keys added, then by bits. Only the last layer takes
 * keys, and it stays the last when it does.
 *
 * Uniting the layers of one size bit by bit, instead, would leave them with more keys
 * than they were made for: two full layers of 10 hashes err 55 times as often as one.
 * Side by side they err twice as often. */
#include "compound/scalable_bloom/scalable_bloom_state.h"

int bp_scalable_compare(const scalable_layer *a, const scalable_layer *b)
{
    if (a->is.index != b->is.index)
        return a->is.index < b->is.index ? -1 : 1;
    if (a->is.added != b->is.added)
        return a->is.added < b->is.added ? -1 : 1;
    return memcmp(a->filter->cells, b->filter->cells, a->filter->cells_size);
}

bool bp_scalable_is_merged(const scalable_head *h)
{
    for (uint32_t i = 1; i < h->count; i++)
        if (h->layers[i].is.index == h->layers[i - 1].is.index)
            return true;
    return false;
}

/* ---------------------------------------------------------------------------- making */

bp_status bp_scalable_reserve(bp_object *o, uint32_t layers, bp_detail *why)
{
    scalable_head *h = scalable_head_of(o);
    const size_t have = h->room * sizeof *h->layers, want = layers * sizeof *h->layers;
    if (layers <= h->room)
        return BP_OK;
    void *p = bp_reallocate(&o->alloc, h->layers, have, want);
    if (!p)
        return bp_fail(why, BP_NOMEM, "out of memory", 0, want);
    h->layers = (scalable_layer *)p;
    h->room = layers;
    return BP_OK;
}

/* An empty filter as planned. One that is opened without its key gets layers that are,
 * too: their check of the key is ours. */
static bp_status scalable_make(const bp_object *o, scalable_plan *p, bp_object **out,
                               bp_detail *why)
{
    const bp_head *base = &scalable_head_of(o)->base;
    p->config.prefix.alloc = o->alloc;
    p->config.prefix.hash = base->hash;
    if (base->keyless)
        p->config.prefix.hash = (bp_hash_spec){.id = base->hash.id};
    const bp_status st =
        p->blocked
            ? bp_blocked_bloom_new((bp_blocked_bloom **)out, &p->config.blocked, why)
            : bp_bloom_new((bp_bloom **)out, &p->config.bloom, why);
    if (!st && base->keyless) {
        ((bp_head *)(*out)->head)->hash = base->hash;
        ((bp_head *)(*out)->head)->keyless = true;
    }
    return st;
}

static bp_status scalable_append(bp_object *o, uint32_t index, bp_detail *why)
{
    scalable_head *h = scalable_head_of(o);
    scalable_plan p;
    bp_object *filter;
    bp_status st = bp_scalable_plan(&h->design, index, &p, why);
    if (!st)
        st = bp_scalable_reserve(o, h->count + 1, why);
    if (!st)
        st = scalable_make(o, &p, &filter, why);
    if (!st)
        h->layers[h->count++] = (scalable_layer){filter, p.is};
    return st;
}

bp_status bp_scalable_grow(bp_object *o, bp_detail *why)
{
    const scalable_head *h = scalable_head_of(o);
    if (h->count == SCALABLE_LAYERS_MAX)
        return bp_fail(why, BP_FULL, "full: it has 64 layers", h->count, h->count);
    return scalable_append(o, h->layers[h->count - 1].is.index + 1, why);
}

/* ------------------------------------------------------------------------------ life */

void bp_scalable_fini(bp_object *o)
{
    scalable_head *h = scalable_head_of(o);
    for (uint32_t i = 0; i < h->count; i++)
        bp_object_free(h->layers[i].filter);
    bp_release(&o->alloc, h->layers, h->room * sizeof *h->layers);
    h->layers = NULL;
    h->count = h->room = 0;
}

bp_status bp_scalable_begin(bp_object *o, bp_detail *why)
{
    const bp_status st = scalable_append(o, 0, why);
    if (st)
        bp_scalable_fini(o);
    return st;
}

void bp_scalable_clear(bp_object *o)
{
    scalable_head *h = scalable_head_of(o);
    while (h->count > 1)
        bp_object_free(h->layers[--h->count].filter);
    bp_object_reset(h->layers[0].filter);
    h->layers[0].is.added = 0;
}

bp_status bp_scalable_copy(bp_object *dst, const bp_object *src, bp_detail *why)
{
    scalable_head *h = scalable_head_of(dst);
    const scalable_head *from = scalable_head_of(src);
    h->layers = NULL;
    h->count = h->room = 0;
    bp_status st = bp_scalable_reserve(dst, from->count, why);
    while (!st && h->count < from->count) {
        scalable_layer *l = &h->layers[h->count];
        *l = from->layers[h->count];
        st = bp_object_clone(&l->filter, l->filter, why);
        h->count += !st;
    }
    if (st)
        bp_scalable_fini(dst);
    return st;
}

/* --------------------------------------------------------------------------- merging */

static bool scalable_has_layer(const scalable_head *h, const scalable_layer *l)
{
    for (uint32_t i = 0; i < h->count; i++)
        if (bp_scalable_compare(&h->layers[i], l) == 0)
            return true;
    return false;
}

/* Copies of src's layers that dst has not, in dst's memory: brought's head is its own. */
static bp_status scalable_bring(bp_object *brought, const scalable_head *dst,
                                const scalable_head *src, bp_detail *why)
{
    scalable_head *h = scalable_head_of(brought);
    bp_status st = BP_OK;
    for (uint32_t i = 0; i < src->count && !st; i++) {
        const scalable_layer *l = &src->layers[i];
        if (l->is.added == 0 || scalable_has_layer(dst, l))
            continue;
        st = scalable_append(brought, l->is.index, why);
        if (!st)
            st = bp_object_merge(h->layers[h->count - 1].filter, l->filter, why);
        if (!st)
            h->layers[h->count - 1].is.added = l->is.added;
    }
    return st;
}

/* dst's own layers join them, but for one that is empty. There is room. */
static void scalable_join(scalable_head *h, scalable_head *own)
{
    for (uint32_t i = 0; i < own->count; i++)
        if (own->layers[i].is.added)
            h->layers[h->count++] = own->layers[i];
        else
            bp_object_free(own->layers[i].filter);
    for (uint32_t i = 1; i < h->count; i++) {
        const scalable_layer l = h->layers[i];
        uint32_t at = i;
        for (; at > 0 && bp_scalable_compare(&l, &h->layers[at - 1]) < 0; at--)
            h->layers[at] = h->layers[at - 1];
        h->layers[at] = l;
    }
}

bp_status bp_scalable_merge(bp_object *dst, const bp_object *src, bp_detail *why)
{
    scalable_head *own = scalable_head_of(dst);
    scalable_head sum = *own;
    bp_object brought = *dst;
    sum.layers = NULL;
    sum.count = sum.room = 0;
    brought.head = &sum;
    bp_status st = scalable_bring(&brought, own, scalable_head_of(src), why);
    if (!st && sum.count + own->count > SCALABLE_LAYERS_MAX)
        st = bp_fail(why, BP_FULL, "together they have more than 64 layers",
                     sum.count + own->count, SCALABLE_LAYERS_MAX);
    if (!st && sum.count)
        st = bp_scalable_reserve(&brought, sum.count + own->count, why);
    if (st || sum.count == 0) {
        bp_scalable_fini(&brought);
        return st;
    }
    scalable_join(&sum, own);
    bp_release(&dst->alloc, own->layers, own->room * sizeof *own->layers);
    *own = sum;
    return BP_OK;
}
