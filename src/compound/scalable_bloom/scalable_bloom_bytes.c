/* SPDX-License-Identifier: MIT
 * scalable_bloom_bytes.c - the bytes: see FORMAT.md.
 *
 * Each layer is written whole, as the sketch that it is, behind a line that says which
 * layer of the series it is. All begin at multiples of 64, so that they can be asked in
 * place, or cut out and used alone.
 *
 *    0   8   E, bytes of the encoded layer
 *    8   8   keys that were added to it
 *   16   4   its index in the series
 *   20  44   zero
 *   64   E   the layer, then zeros to a multiple of 64 */
#include "compound/scalable_bloom/scalable_bloom_state.h"

enum { ENTRY = 64, AT_ADDED = 8, AT_INDEX = 16, AT_ZERO = 20, RESERVED_AT = 36 };

void bp_scalable_put_params(const bp_object *o, bp_writer *w)
{
    const scalable_design *d = &scalable_head_of(o)->design;
    bp_put64(w, d->items);
    bp_put_double(w, d->fpr);
    bp_put_double(w, d->tightening);
    bp_put32(w, d->growth);
    bp_put32(w, d->layers);
    bp_put32(w, d->layout);
    bp_put32(w, 0);
}

bp_status bp_scalable_get_params(void *head, bp_reader *r, const bp_envelope *e,
                                 bp_detail *why)
{
    scalable_design *d = &((scalable_head *)head)->design;
    bp_detail fault;
    (void)e;
    d->items = bp_get64(r);
    d->fpr = bp_get_double(r);
    d->tightening = bp_get_double(r);
    d->growth = bp_get32(r);
    d->layers = bp_get32(r);
    d->layout = bp_get32(r);
    const uint32_t zero = bp_get32(r);
    if (r->short_)
        return BP_OK; /* the caller says so */
    if (zero)
        return bp_fail_at(why, BP_CORRUPT, "reserved parameter bytes are not zero",
                          RESERVED_AT, zero, 0);
    if (bp_scalable_check(d, &fault))
        return bp_fail_at(why, BP_CORRUPT, fault.what, fault.at, fault.have, fault.want);
    return BP_OK;
}

/* --------------------------------------------------------------------------- writing */

static bp_status scalable_layer_size(const scalable_layer *l, size_t *size,
                                     bp_detail *why)
{
    return bp_object_encode(l->filter, NULL, 0, size, why);
}

bp_status bp_scalable_payload_size(const bp_object *o, uint64_t *size, bp_detail *why)
{
    const scalable_head *h = scalable_head_of(o);
    bp_status st = BP_OK;
    *size = 0;
    for (uint32_t i = 0; i < h->count && !st; i++) {
        size_t n = 0;
        st = scalable_layer_size(&h->layers[i], &n, why);
        *size += ENTRY + bp_round_up(n, ENTRY);
    }
    return st;
}

bp_status bp_scalable_put_payload(const bp_object *o, uint8_t *payload, size_t size,
                                  bp_detail *why)
{
    const scalable_head *h = scalable_head_of(o);
    size_t at = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        const scalable_layer *l = &h->layers[i];
        size_t n = 0;
        const bp_status st =
            bp_object_encode(l->filter, payload + at + ENTRY, size - at - ENTRY, &n, why);
        if (st)
            return st;
        memset(payload + at, 0, ENTRY);
        bp_store64(payload + at, n);
        bp_store64(payload + at + AT_ADDED, l->is.added);
        bp_store32(payload + at + AT_INDEX, l->is.index);
        const size_t end = at + ENTRY + n;
        at += ENTRY + (size_t)bp_round_up(n, ENTRY);
        memset(payload + end, 0, at - end);
    }
    return BP_OK;
}

/* --------------------------------------------------------------------------- reading */

/* What is being read. */
typedef struct scalable_source {
    const uint8_t *payload;
    size_t size;
    size_t at; /* of the next layer's line */
    bool view;
    uint32_t flags;
} scalable_source;

static bp_status scalable_not_zero(const uint8_t *p, size_t from, size_t to,
                                   bp_detail *why)
{
    for (size_t i = from; i < to; i++)
        if (p[i])
            return bp_fail_at(why, BP_CORRUPT, "reserved bytes are not zero", i, p[i], 0);
    return BP_OK;
}

/* The line in front of a layer, and the padding behind it. */
static bp_status scalable_read_line(const scalable_source *s, size_t *n,
                                    scalable_layer *l, bp_detail *why)
{
    const uint8_t *p = s->payload + s->at;
    const size_t left = s->size - s->at;
    if (left < ENTRY || bp_load64(p) == 0 || bp_load64(p) > left - ENTRY)
        return bp_fail_at(why, BP_CORRUPT, "a layer is cut short", s->at,
                          left < ENTRY ? 0 : bp_load64(p), left);
    *n = (size_t)bp_load64(p);
    const uint64_t end = s->at + ENTRY + bp_round_up(*n, ENTRY);
    if (end > s->size)
        return bp_fail_at(why, BP_CORRUPT, "a layer is cut short", s->at, *n, left);
    l->is.added = bp_load64(p + AT_ADDED);
    l->is.index = bp_load32(p + AT_INDEX);
    bp_status st = scalable_not_zero(s->payload, s->at + AT_ZERO, s->at + ENTRY, why);
    if (!st)
        st = scalable_not_zero(s->payload, s->at + ENTRY + *n, (size_t)end, why);
    return st;
}

/* A layer's index and keys are possible after those before it. */
static bp_status scalable_check_line(const scalable_head *h, const scalable_layer *l,
                                     const scalable_plan *p, size_t at, bp_detail *why)
{
    const uint32_t next = h->count ? h->layers[h->count - 1].is.index + 1 : 0;
    if (l->is.index > next)
        return bp_fail_at(why, BP_CORRUPT, "a layer of the series is left out",
                          at + AT_INDEX, l->is.index, next);
    if (l->is.added > p->is.items)
        return bp_fail_at(why, BP_CORRUPT, "more keys than the layer takes",
                          at + AT_ADDED, l->is.added, p->is.items);
    if (l->is.added == 0 && h->count)
        return bp_fail_at(why, BP_CORRUPT, "an empty layer beside others", at + AT_ADDED,
                          0, 1);
    if (h->count == SCALABLE_LAYERS_MAX)
        return bp_fail_at(why, BP_CORRUPT, "more than 64 layers", at, h->count,
                          SCALABLE_LAYERS_MAX);
    return BP_OK;
}

/* The filter is the one planned, and hashes keys as we do. */
static bool scalable_is_planned(const bp_object *o, const bp_object *filter,
                                const scalable_plan *p)
{
    const bp_head *a = &scalable_head_of(o)->base, *b = (const bp_head *)filter->head;
    if (a->hash.id != b->hash.id || a->hash.seed != b->hash.seed)
        return false;
    if (p->blocked) {
        const bp_blocked_bloom_config *want = &p->config.blocked;
        bp_blocked_bloom_config c;
        bp_blocked_bloom_config_of((const bp_blocked_bloom *)filter, &c);
        return c.blocks == want->blocks && c.items == want->items &&
               c.hashes == want->hashes && c.layout == want->layout;
    }
    const bp_bloom_config *want = &p->config.bloom;
    bp_bloom_config c;
    bp_bloom_config_of((const bp_bloom *)filter, &c);
    return c.bits == want->bits && c.items == want->items && c.hashes == want->hashes &&
           c.fpr <= want->fpr && c.fpr >= want->fpr;
}

static bp_status scalable_open_filter(const bp_object *o, const scalable_source *s,
                                      bool blocked, const uint8_t *bytes, size_t n,
                                      bp_object **out, bp_detail *why)
{
    const bp_head *base = &scalable_head_of(o)->base;
    const bool keyed = o->kind->hashing->is_keyed(base->hash.id) && !base->keyless;
    const bp_open how = {.alloc = o->alloc,
                         .key = keyed ? base->hash.key : NULL,
                         .flags = s->flags | (base->keyless ? BP_OPEN_KEYLESS : 0u)};
    /* Flags of its own would be dropped, and the bytes not come out as they went in. */
    if (n >= BP_ENVELOPE_MIN && bp_load64(bytes + 12) != 0)
        return bp_fail_at(why, BP_CORRUPT, "a layer has flags", 12, bp_load64(bytes + 12),
                          0);
    if (blocked)
        return s->view ? bp_blocked_bloom_view((const bp_blocked_bloom **)out, bytes, n,
                                               &how, why)
                       : bp_blocked_bloom_decode((bp_blocked_bloom **)out, bytes, n, &how,
                                                 why);
    return s->view ? bp_bloom_view((const bp_bloom **)out, bytes, n, &how, why)
                   : bp_bloom_decode((bp_bloom **)out, bytes, n, &how, why);
}

static bp_status scalable_read_layer(bp_object *o, scalable_source *s, bp_detail *why)
{
    scalable_head *h = scalable_head_of(o);
    scalable_layer l;
    scalable_plan p;
    bp_detail own;
    size_t n = 0;
    bp_status st = scalable_read_line(s, &n, &l, why);
    if (st)
        return st;
    if (bp_scalable_plan(&h->design, l.is.index, &p, &own))
        return bp_fail_at(why, BP_CORRUPT, "a layer past the last", s->at + AT_INDEX,
                          l.is.index, h->design.layers);
    st = scalable_check_line(h, &l, &p, s->at, why);
    if (!st)
        st = bp_scalable_reserve(o, h->count + 1, why);
    if (st)
        return st;
    st = scalable_open_filter(o, s, p.blocked, s->payload + s->at + ENTRY, n, &l.filter,
                              why);
    if (st) {
        if (why && st != BP_NOMEM)
            why->at += s->at + ENTRY;
        return st;
    }
    p.is.added = l.is.added;
    l.is = p.is;
    h->layers[h->count++] = l; /* whatever is wrong with it: it is freed with the rest */
    if (!scalable_is_planned(o, l.filter, &p))
        return bp_fail_at(why, BP_CORRUPT, "a layer is not that of the series",
                          s->at + ENTRY, l.is.index, 0);
    if (h->count > 1 && bp_scalable_compare(&h->layers[h->count - 2], &l) >= 0)
        return bp_fail_at(why, BP_CORRUPT, "layers are not in order", s->at, l.is.index,
                          0);
    s->at += ENTRY + (size_t)bp_round_up(n, ENTRY);
    return BP_OK;
}

static bool scalable_is_clear(const uint8_t *cells, size_t n)
{
    size_t i = 0;
    while (i < n && cells[i] == 0)
        i++;
    return i == n;
}

static bp_status scalable_read(bp_object *o, scalable_source *s, bp_detail *why)
{
    const scalable_head *h = scalable_head_of(o);
    bp_status st = BP_OK;
    do
        st = scalable_read_layer(o, s, why);
    while (!st && s->at < s->size);
    if (st || h->layers[0].is.added)
        return st;
    if (h->count > 1)
        return bp_fail_at(why, BP_CORRUPT, "an empty layer beside others", AT_ADDED, 0,
                          1);
    const bp_object *empty = h->layers[0].filter;
    if ((!s->view || s->flags) && !scalable_is_clear(empty->cells, empty->cells_size))
        return bp_fail_at(why, BP_CORRUPT, "bits of keys that were never added", AT_ADDED,
                          0, 1);
    return BP_OK;
}

bp_status bp_scalable_get_payload(bp_object *o, const uint8_t *payload, size_t n,
                                  bp_detail *why)
{
    scalable_source s = {.payload = payload, .size = n};
    return scalable_read(o, &s, why);
}

/* The layers lie over the payload, so nothing of it is a cell of ours. */
bp_status bp_scalable_open_view(bp_object *o, const bp_open *how, bp_detail *why)
{
    scalable_source s = {.payload = o->cells,
                         .size = o->cells_size,
                         .view = true,
                         .flags = how->flags & BP_OPEN_VERIFY};
    o->cells_size = 0;
    return scalable_read(o, &s, why);
}
