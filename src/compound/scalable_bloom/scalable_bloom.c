/* SPDX-License-Identifier: MIT
 * scalable_bloom.c - is it in the set, when nobody knows how large the set will be?
 *
 * A Bloom filter is made for a number of keys and errs ever more with each one past it.
 * So when it is full another one is made beside it, larger and at a lower rate, and a key
 * is in when any of these layers says so (Almeida, Baquero, Preguica and Hutchison,
 * "Scalable Bloom Filters", Information Processing Letters 101(6), 2007):
 *
 *     layer    0  1   2      3              4, takes the new keys
 *             [..][...][......][............][.......          ]
 *     keys     n  2n    4n       8n             16n
 *     rate     p  rp    r2p      r3p            r4p           p = P (1 - r)
 *
 *     rate of all    1 - (1 - p0)(1 - p1)...   <   p0 + p1 + ...   =   P,  for ever
 *
 * scalable_bloom_series.c has the arithmetic, and why r = 0.8. The layers are ordinary
 * blooms and blocked blooms, asked from the last to the first: the last two hold three
 * keys of four, so that members are found soon. A batch is asked of a layer whole; those
 * of its keys that got a no move up and are asked of the next.
 *
 * A key that some layer has, or seems to have, is not added again: duplicates cost no
 * room. A layer is full when it took as many keys as it was made for; each one counted
 * was new for certain, as it set a bit.
 *
 * How many keys came is counted, but for those that were taken for members: by the layer
 * that they came to, a share that grows from 0 to its rate f_i while it fills, and by the
 * layers before it, a share F of all that came, as their bits say. With m_i keys counted
 * in layer i
 *
 *     n = sum of (m_i + integral of f_i) / (1 - F),   F = 1 - (1 - f0)...(1 - f(i-1))
 *
 * What was lost is small, and nearly Poisson: its variance is its mean. */
#include "compound/scalable_bloom/scalable_bloom_state.h"

#include "core/mathx.h"
#include "hash/hash.h"

#include <math.h>

BP_INTERNAL extern const bp_kind bp_kind_scalable_bloom;

/* --------------------------------------------------------------------------- a batch */

/* The keys of a block that no layer has said yes to so far, and where they stood. */
typedef struct scalable_asked {
    uint64_t hashes[BP_HASH_BATCH];
    uint16_t at[BP_HASH_BATCH];
    size_t n;
} scalable_asked;

static void scalable_ask_for(scalable_asked *a, const uint64_t *hashes, size_t n)
{
    memcpy(a->hashes, hashes, n * sizeof *hashes);
    for (size_t i = 0; i < n; i++)
        a->at[i] = (uint16_t)i;
    a->n = n;
}

/* Those from `from` on that the layer knows are dropped; the others move up. */
static void scalable_drop_known(scalable_asked *a, size_t from, const bp_object *filter)
{
    uint8_t yes[BP_HASH_BATCH];
    size_t keep = from;
    filter->kind->has_hashes(filter, a->hashes + from, a->n - from, yes);
    for (size_t i = from; i < a->n; i++) {
        a->hashes[keep] = a->hashes[i];
        a->at[keep] = a->at[i];
        keep += !yes[i - from];
    }
    a->n = keep;
}

/* ------------------------------------------------------------------------------- has */

static size_t scalable_has_block(const scalable_head *h, const uint64_t *hashes, size_t n,
                                 uint8_t *hit)
{
    scalable_asked a;
    scalable_ask_for(&a, hashes, n);
    for (uint32_t i = h->count; i > 0 && a.n; i--)
        scalable_drop_known(&a, 0, h->layers[i - 1].filter);
    if (hit) {
        memset(hit, 1, n);
        for (size_t i = 0; i < a.n; i++)
            hit[a.at[i]] = 0;
    }
    return n - a.n;
}

/* One hash takes the short way: it should not cost what a block does. */
static bool scalable_knows(const scalable_layer *l, uint64_t hash)
{
    uint8_t yes;
    return l->filter->kind->has_hashes(l->filter, &hash, 1, &yes) != 0;
}

/* Any of the oldest n layers. */
static bool scalable_has_one(const scalable_head *h, uint32_t n, uint64_t hash)
{
    bool yes = false;
    while (n > 0 && !yes)
        yes = scalable_knows(&h->layers[--n], hash);
    return yes;
}

static size_t scalable_has_hashes(const bp_object *o, const uint64_t *hashes, size_t n,
                                  uint8_t *hit)
{
    const scalable_head *h = scalable_head_of(o);
    size_t sum = 0;
    if (n == 1) {
        sum = scalable_has_one(h, h->count, *hashes);
        if (hit)
            *hit = (uint8_t)sum;
        return sum;
    }
    for (size_t i = 0; i < n; i += BP_HASH_BATCH) {
        const size_t m = n - i < BP_HASH_BATCH ? n - i : BP_HASH_BATCH;
        sum += scalable_has_block(h, hashes + i, m, hit ? hit + i : NULL);
    }
    return sum;
}

bool bp_scalable_bloom_has(const bp_scalable_bloom *s, const void *key, size_t n)
{
    const scalable_head *h = scalable_head_of((const bp_object *)s);
    return h->base.keyless ||
           scalable_has_one(h, h->count, bp_hash(&h->base.hash, key, n));
}

/* Without its secret key a filter cannot say no. */
size_t bp_scalable_bloom_has_n(const bp_scalable_bloom *s, const bp_bytes *keys, size_t n,
                               uint8_t *hit)
{
    const scalable_head *h = scalable_head_of((const bp_object *)s);
    uint64_t hashes[BP_HASH_BATCH];
    size_t sum = 0;
    if (h->base.keyless) {
        if (hit)
            memset(hit, 1, n);
        return n;
    }
    for (size_t i = 0; i < n; i += BP_HASH_BATCH) {
        const size_t m = n - i < BP_HASH_BATCH ? n - i : BP_HASH_BATCH;
        bp_hash_n(&h->base.hash, keys + i, m, hashes);
        sum += scalable_has_block(h, hashes, m, hit ? hit + i : NULL);
    }
    return sum;
}

size_t bp_scalable_bloom_has_hashes(const bp_scalable_bloom *s, const uint64_t *hashes,
                                    size_t n, uint8_t *hit)
{
    return scalable_has_hashes((const bp_object *)s, hashes, n, hit);
}

/* ------------------------------------------------------------------------------- add */

/* The last layer takes keys of a from `from` on, as many as it has room for; returns how
 * many it dealt with. It answers for itself which of them it had. */
static size_t scalable_fill(scalable_layer *last, const scalable_asked *a, size_t from,
                            uint8_t *was_new)
{
    uint8_t fresh[BP_HASH_BATCH];
    const uint64_t room = last->is.items - last->is.added;
    const size_t n = a->n - from < room ? a->n - from : (size_t)room;
    size_t done = 0;
    last->filter->kind->add_new(last->filter, a->hashes + from, n, fresh, &done, NULL);
    for (size_t i = 0; i < n; i++) {
        last->is.added += fresh[i];
        if (was_new)
            was_new[a->at[from + i]] = fresh[i];
    }
    return n;
}

/* At most BP_HASH_BATCH hashes, in order: what older layers know is left out, the last
 * takes the rest, and when it is full and another new key comes, the next one is made. */
static bp_status scalable_add_block(bp_object *o, const uint64_t *hashes, size_t n,
                                    uint8_t *was_new, size_t *done, bp_detail *why)
{
    scalable_head *h = scalable_head_of(o);
    scalable_asked a;
    size_t from = 0;
    bp_status st = BP_OK;
    if (was_new)
        memset(was_new, 0, n);
    scalable_ask_for(&a, hashes, n);
    for (uint32_t i = h->count - 1; i > 0 && a.n; i--)
        scalable_drop_known(&a, 0, h->layers[i - 1].filter);
    while (from < a.n && !st) {
        scalable_layer *last = &h->layers[h->count - 1];
        if (last->is.added < last->is.items) {
            from += scalable_fill(last, &a, from, was_new);
            continue;
        }
        scalable_drop_known(&a, from, last->filter);
        if (from < a.n)
            st = bp_scalable_grow(o, why);
    }
    *done = st ? a.at[from] : n;
    return st;
}

static bp_status scalable_add_one(bp_object *o, uint64_t hash, uint8_t *was_new,
                                  bp_detail *why)
{
    scalable_head *h = scalable_head_of(o);
    scalable_layer *last = &h->layers[h->count - 1];
    bp_status st = BP_OK;
    size_t done;
    *was_new = 0;
    if (scalable_has_one(h, h->count - 1, hash))
        return BP_OK;
    if (last->is.added == last->is.items) {
        if (scalable_knows(last, hash))
            return BP_OK;
        st = bp_scalable_grow(o, why);
        last = &h->layers[h->count - 1];
    }
    if (st)
        return st;
    last->filter->kind->add_new(last->filter, &hash, 1, was_new, &done, NULL);
    last->is.added += *was_new;
    return BP_OK;
}

static bp_status scalable_add_hashes(bp_object *o, const uint64_t *hashes, size_t n,
                                     uint8_t *was_new, size_t *done, bp_detail *why)
{
    bp_status st = BP_OK;
    for (*done = 0; *done < n && !st;) {
        const size_t m = n - *done < BP_HASH_BATCH ? n - *done : BP_HASH_BATCH;
        size_t some;
        st = scalable_add_block(o, hashes + *done, m, was_new ? was_new + *done : NULL,
                                &some, why);
        *done += some;
    }
    return st;
}

/* Without the secret there is no telling where a key belongs. */
static bp_status scalable_add_keys(bp_object *o, const bp_bytes *keys, size_t n,
                                   uint8_t *was_new, size_t *done, bp_detail *why)
{
    const scalable_head *h = scalable_head_of(o);
    uint64_t hashes[BP_HASH_BATCH];
    bp_status st = BP_OK;
    *done = 0;
    if (h->base.keyless)
        return bp_fail(why, BP_UNSUPPORTED, "opened without its key: nothing to add with",
                       0, 0);
    while (*done < n && !st) {
        const size_t m = n - *done < BP_HASH_BATCH ? n - *done : BP_HASH_BATCH;
        size_t some;
        bp_hash_n(&h->base.hash, keys + *done, m, hashes);
        st = scalable_add_block(o, hashes, m, was_new ? was_new + *done : NULL, &some,
                                why);
        *done += some;
    }
    return st;
}

bp_status bp_scalable_bloom_add(bp_scalable_bloom *s, const void *key, size_t n,
                                bool *was_new)
{
    bp_object *o = (bp_object *)s;
    const bp_head *base = &scalable_head_of(o)->base;
    uint8_t fresh = 0;
    if (base->keyless)
        return BP_UNSUPPORTED;
    const bp_status st = scalable_add_one(o, bp_hash(&base->hash, key, n), &fresh, NULL);
    if (!st && was_new)
        *was_new = fresh;
    return st;
}

bp_status bp_scalable_bloom_add_n(bp_scalable_bloom *s, const bp_bytes *keys, size_t n,
                                  uint8_t *was_new, size_t *done)
{
    size_t all;
    return scalable_add_keys((bp_object *)s, keys, n, was_new, done ? done : &all, NULL);
}

bp_status bp_scalable_bloom_add_hashes(bp_scalable_bloom *s, const uint64_t *hashes,
                                       size_t n, uint8_t *was_new, size_t *done)
{
    size_t all;
    return scalable_add_hashes((bp_object *)s, hashes, n, was_new, done ? done : &all,
                               NULL);
}

/* ------------------------------------------------------------------------- estimates */

/* What a layer errs when n keys have come to it. */
static double scalable_rate_at(const scalable_layer *l, double n)
{
    if (l->is.kind == SCALABLE_BLOCKED)
        return bp_blocked_bloom_fpr_at(BP_BLOCKED_BLOOM_SPLIT512, l->is.hashes,
                                       l->is.bits / 512, n);
    return bp_bloom_fpr_at(l->is.bits, l->is.hashes, n);
}

/* How many keys were not counted because the layer itself took them for members, until it
 * had counted what it has: the integral of its rate (Simpson), and what came with those
 * keys beside the others. */
static double scalable_lost_within(const scalable_layer *l)
{
    enum { STEPS = 16 };
    const double n = (double)l->is.added, last = scalable_rate_at(l, n);
    double sum = last;
    for (int i = 1; i < STEPS; i++)
        sum += (i % 2 ? 4 : 2) * scalable_rate_at(l, n * i / STEPS);
    return sum * n / (3 * STEPS) / (1 - last);
}

/* Of each layer, by its bits. */
static void scalable_rates(const scalable_head *h, double *fpr)
{
    for (uint32_t i = 0; i < h->count; i++)
        fpr[i] = h->layers[i].filter->kind->fpr(h->layers[i].filter);
}

/* In a merged filter keys may be in layers of both sides, and only those of the largest
 * layer are sure to differ. */
static void scalable_estimate(const scalable_head *h, const double *fpr,
                              double confidence, bp_estimate *out)
{
    const double z = bp_normal_two_sided(confidence);
    double none = 1, counted = 0, lost = 0, variance = 0, most = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        const scalable_layer *l = &h->layers[i];
        const double added = (double)l->is.added;
        const double came = added + scalable_lost_within(l);
        counted += added;
        lost += came / none - added;
        variance += (came / none - added) / none;
        most = added > most ? added : most;
        none *= 1 - fpr[i];
    }
    const double sure = bp_scalable_is_merged(h) ? most : counted;
    const double whole = lost > (1 - confidence) / 2 ? 1 : 0;
    const double spread = z * sqrt(variance) + whole;
    if (!isfinite(lost)) { /* a layer of which all bits are set */
        *out = (bp_estimate){INFINITY, sure, INFINITY};
        return;
    }
    *out =
        (bp_estimate){counted + lost, counted + lost - spread, counted + lost + spread};
    if (out->lower < sure || bp_scalable_is_merged(h))
        out->lower = sure;
}

bp_status bp_scalable_bloom_estimate(const bp_scalable_bloom *s, double confidence,
                                     bp_estimate *out, bp_detail *why)
{
    const scalable_head *h = scalable_head_of((const bp_object *)s);
    double fpr[SCALABLE_LAYERS_MAX];
    const bp_status st = bp_check_confidence(confidence, why);
    if (st)
        return st;
    scalable_rates(h, fpr);
    scalable_estimate(h, fpr, confidence, out);
    return BP_OK;
}

/* By way of logarithms: a rate may be far below what 1 - x can tell. */
static double scalable_any(const scalable_head *h, const double *fpr)
{
    double none = 0;
    for (uint32_t i = 0; i < h->count; i++)
        none += log1p(-fpr[i]);
    return 0 - expm1(none);
}

static double scalable_fpr(const bp_object *o)
{
    const scalable_head *h = scalable_head_of(o);
    double fpr[SCALABLE_LAYERS_MAX];
    scalable_rates(h, fpr);
    return scalable_any(h, fpr);
}

double bp_scalable_bloom_fpr(const bp_scalable_bloom *s)
{
    return scalable_fpr((const bp_object *)s);
}

/* ------------------------------------------------------------------------ describing */

size_t bp_scalable_bloom_layers(const bp_scalable_bloom *s, bp_scalable_bloom_layer *out,
                                size_t most)
{
    const scalable_head *h = scalable_head_of((const bp_object *)s);
    for (uint32_t i = 0; i < h->count && i < most; i++)
        out[i] = h->layers[i].is;
    return h->count;
}

/* Of all layers together. */
typedef struct scalable_figures {
    uint64_t bits, bits_set, memory, items, added;
    double fpr_layers; /* the sum of what each layer may err */
    double fpr[SCALABLE_LAYERS_MAX];
} scalable_figures;

static const bp_figure *scalable_figure(const bp_description *d, const char *name)
{
    size_t i = 0;
    while (i + 1 < d->count && strcmp(d->figures[i].name, name) != 0)
        i++;
    return &d->figures[i];
}

/* What the layers say of themselves: one look at their bits. */
static void scalable_look(const scalable_head *h, scalable_figures *f)
{
    memset(f, 0, sizeof *f);
    for (uint32_t i = 0; i < h->count; i++) {
        const bp_scalable_bloom_layer *is = &h->layers[i].is;
        bp_description d;
        bp_object_describe(h->layers[i].filter, &d);
        f->bits += is->bits;
        f->bits_set += scalable_figure(&d, "bits_set")->whole;
        f->memory += scalable_figure(&d, "memory")->whole;
        f->items += is->items;
        f->added = bp_add_sat64(f->added, is->added);
        f->fpr_layers += is->fpr;
        f->fpr[i] = scalable_figure(&d, "fpr_now")->real;
    }
}

static bool scalable_is_limited(const scalable_design *d)
{
    return d->layers < SCALABLE_LAYERS_MAX || d->growth == 1;
}

/* Keys that the last layer and those still to come take. */
static uint64_t scalable_left(const scalable_head *h)
{
    const scalable_layer *last = &h->layers[h->count - 1];
    const uint32_t more = SCALABLE_LAYERS_MAX - h->count;
    uint64_t left = last->is.items - last->is.added;
    scalable_plan p;
    for (uint32_t i = 1; i <= more; i++) {
        if (bp_scalable_plan(&h->design, last->is.index + i, &p, NULL))
            break;
        left = bp_add_sat64(left, p.is.items);
    }
    return left;
}

static void scalable_judge(const scalable_head *h, const scalable_figures *f,
                           bp_description *out)
{
    const uint64_t left = scalable_is_limited(&h->design) ? scalable_left(h) : UINT64_MAX;
    if (left < UINT64_MAX)
        bp_say_whole(out, "capacity_left", "items", left, false);
    if (f->fpr_layers > h->design.fpr * (1 + 1e-9)) {
        out->health = BP_HEALTH_OVER;
        out->advice = "merged filters are wrong as often as both together, which is more "
                      "than was asked: build one from all the keys";
    } else if (left <= f->added / 9) {
        out->health = BP_HEALTH_NEAR;
        out->advice = "nearly full, and it has all its layers: new keys will be refused; "
                      "make one with more layers or items";
    }
}

static void scalable_describe(const bp_object *o, bp_description *out)
{
    static const char *const layouts[] = {"", "blocked", "classic", "redis"};
    const scalable_head *h = scalable_head_of(o);
    const scalable_design *d = &h->design;
    const bp_figure own = *scalable_figure(out, "memory");
    scalable_figures f;
    bp_estimate e;
    scalable_look(h, &f);
    scalable_estimate(h, f.fpr, 0.95, &e);
    bp_say_whole(out, "memory", "bytes",
                 own.whole + h->room * sizeof *h->layers + f.memory, false);
    bp_say_text(out, "layout", layouts[d->layout], true);
    bp_say_whole(out, "items", "items", d->items, true);
    bp_say_real(out, "fpr_design", "fraction", d->fpr, true);
    bp_say_real(out, "tightening", "", d->tightening, true);
    bp_say_whole(out, "growth", "", d->growth, true);
    bp_say_whole(out, "layers_max", "layers", d->layers, true);
    bp_say_whole(out, "layers", "layers", h->count, false);
    bp_say_whole(out, "capacity", "items", f.items, false);
    bp_say_whole(out, "added", "items", f.added, false);
    bp_say_whole(out, "bits", "bits", f.bits, false);
    bp_say_whole(out, "bits_set", "bits", f.bits_set, false);
    bp_say_real(out, "bits_per_item", "bits",
                f.added ? (double)f.bits / (double)f.added : 0, false);
    bp_say_real(out, "fill", "fraction", (double)f.bits_set / (double)f.bits, false);
    bp_say_real(out, "fpr_layers", "fraction", f.fpr_layers, false);
    bp_say_real(out, "fpr_now", "fraction", scalable_any(h, f.fpr), false);
    bp_say_real(out, "estimate", "items", e.value, false);
    scalable_judge(h, &f, out);
}

/* ------------------------------------------------------------------------------ table */

static bp_status scalable_setup(void *head, const void *cfg, bp_detail *why)
{
    return bp_scalable_solve((const bp_scalable_bloom_config *)cfg,
                             &((scalable_head *)head)->design, why);
}

static void scalable_config(const void *head, void *cfg)
{
    const scalable_design *d = &((const scalable_head *)head)->design;
    bp_scalable_bloom_config *c = (bp_scalable_bloom_config *)cfg;
    c->items = d->items;
    c->fpr = d->fpr;
    c->tightening = d->tightening;
    c->growth = d->growth;
    c->layers = d->layers;
    c->layout = d->layout;
}

static size_t scalable_cells_size(const void *head)
{
    (void)head;
    return 0;
}

/* Units of 1e-18, as whole numbers are what a detail has room for. */
static bp_status scalable_same(const bp_object *dst, const bp_object *src, bp_detail *why)
{
    const scalable_design *a = &scalable_head_of(dst)->design;
    const scalable_design *b = &scalable_head_of(src)->design;
    if (a->layout != b->layout)
        return bp_fail(why, BP_MISMATCH, "the filters differ in layout", a->layout,
                       b->layout);
    if (a->items != b->items)
        return bp_fail(why, BP_MISMATCH, "the first layers were made for different items",
                       a->items, b->items);
    if (a->growth != b->growth)
        return bp_fail(why, BP_MISMATCH, "the filters differ in growth", a->growth,
                       b->growth);
    if (a->layers != b->layers)
        return bp_fail(why, BP_MISMATCH,
                       "the filters may have different numbers of layers", a->layers,
                       b->layers);
    if (a->fpr < b->fpr || a->fpr > b->fpr)
        return bp_fail(why, BP_MISMATCH,
                       "the filters were made for different rates (in units of 1e-18)",
                       (uint64_t)(a->fpr * 1e18), (uint64_t)(b->fpr * 1e18));
    if (a->tightening < b->tightening || a->tightening > b->tightening)
        return bp_fail(
            why, BP_MISMATCH, "the filters differ in tightening (in units of 1e-18)",
            (uint64_t)(a->tightening * 1e18), (uint64_t)(b->tightening * 1e18));
    return BP_OK;
}

static bp_status scalable_add_any(bp_object *o, const bp_bytes *keys, size_t n,
                                  bp_detail *why)
{
    size_t done;
    return scalable_add_keys(o, keys, n, NULL, &done, why);
}

static bp_status scalable_add_hashes_any(bp_object *o, const uint64_t *hashes, size_t n,
                                         bp_detail *why)
{
    size_t done;
    return scalable_add_hashes(o, hashes, n, NULL, &done, why);
}

static bp_status scalable_estimate_any(const bp_object *o, double confidence,
                                       bp_estimate *out, bp_detail *why)
{
    return bp_scalable_bloom_estimate((const bp_scalable_bloom *)o, confidence, out, why);
}

const bp_kind bp_kind_scalable_bloom = {
    .name = "scalable_bloom",
    .id = 0x0007,
    .rule = 1,
    .config_size = sizeof(bp_scalable_bloom_config),
    .head_size = sizeof(scalable_head),
    .hashing = &bp_hashing_all,
    .setup = scalable_setup,
    .config = scalable_config,
    .cells_size = scalable_cells_size,
    .same = scalable_same,
    .merge = bp_scalable_merge,
    .put_params = bp_scalable_put_params,
    .payload_size = bp_scalable_payload_size,
    .put_payload = bp_scalable_put_payload,
    .get_params = bp_scalable_get_params,
    .get_payload = bp_scalable_get_payload,
    .describe = scalable_describe,
    .add_n = scalable_add_any,
    .add_hashes = scalable_add_hashes_any,
    .estimate = scalable_estimate_any,
    .has_hashes = scalable_has_hashes,
    .add_new = scalable_add_hashes,
    .fpr = scalable_fpr,
    .begin = bp_scalable_begin,
    .fini = bp_scalable_fini,
    .copy = bp_scalable_copy,
    .clear = bp_scalable_clear,
    .open_view = bp_scalable_open_view,
    .without_place = true,
};

BP_SKETCH_IMPL(scalable_bloom);
