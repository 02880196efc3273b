/* SPDX-License-Identifier: MIT
 * binary_fuse.c - is it in a set that is known whole?
 *
 * Who knows all the keys beforehand can do better than set bits: an array of fingerprints
 * is filled so that the cells of each key give, XORed, the key's own fingerprint. For any
 * other key they give what chance has it, and chance agrees once in 2^bits:
 *
 *     key --hash--> h --seed--> x     first = the high 64 bits of x * (starts * length)
 *
 *     segments   | . . a . | . . . b | c . . . | . . . . | ...    of 2^length cells each
 *                      ^ first     ^ next    ^ third
 *
 *     fingerprint(x) == a ^ b ^ c       fpr = 2^-bits, whatever the number of keys
 *
 * (Botelho, Pagh and Ziviani, WADS 2007; as a filter: Graf and Lemire, "Xor Filters", ACM
 * JEA 25, 2020). In a binary fuse filter (Graf and Lemire, ACM JEA 27, 2022; after
 * Dietzfelbinger and Walzer, ESA 2019) a key's cells lie in neighbouring segments. Then
 * the ends of the row have few keys, the system can be solved from there inwards at
 * nearly a key a cell (1.13 cells a key with three places, 1.08 with four; without
 * neighbourhood 1.23 and more), and building stays where memory is warm.
 *
 * A Bloom filter takes 1.44 bits for each bit of the rate's logarithm, this one 1.13, and
 * a question reads three cells (four), all at once and with no branch. The price: all the
 * keys must be there at once, about 19 bytes for each of them while it is built
 * (binary_fuse_build.c), and nothing can be added.
 *
 * What we do differently: places come from one 64-bit hash by multiply-shift, so that
 * there may be more than 2^32 cells; repeated keys are taken out; no number of keys
 * fails; and the bytes follow from the set alone, in whatever order it came. */
#include "sketches/binary_fuse/binary_fuse_state.h"

#include "core/mathx.h"
#include "hash/hash.h"

#include <math.h>

BP_INTERNAL extern const bp_kind bp_kind_binary_fuse;

enum {
    FUSE_RING = 32,           /* keys whose cells are under way at once              */
    FUSE_CLOSE = 256 * 1024,  /* filters of at most that many bytes are not fetched  */
    FUSE_KEYS = BP_HASH_BATCH /* keys hashed at once                                 */
};

static const fuse_design *fuse_design_of(const bp_object *o)
{
    return &((const fuse_head *)o->head)->design;
}

/* ------------------------------------------------------------------------- questions */

static BP_ALWAYS_INLINE bool fuse_agrees(const uint8_t *cells, const fuse_place *p,
                                         uint32_t arity, uint32_t bits)
{
    uint32_t found = p->mark >> (32 - bits);
    for (uint32_t j = 0; j < arity; j++)
        found ^= fuse_load(cells + p->cell[j] * (bits / 8), bits);
    return found == 0;
}

static BP_ALWAYS_INLINE fuse_place fuse_ask(const uint8_t *cells, const fuse_map *m,
                                            uint64_t hash, uint32_t arity, uint32_t bits)
{
    const fuse_place p = fuse_place_of(m, fuse_mix(hash, m->seed), arity);
    for (uint32_t j = 0; j < arity; j++)
        BP_PREFETCH(cells + p.cell[j] * (bits / 8));
    return p;
}

static BP_ALWAYS_INLINE size_t fuse_close(const uint8_t *cells, const fuse_map *m,
                                          const uint64_t *hashes, size_t n, uint8_t *hit,
                                          uint32_t arity, uint32_t bits)
{
    size_t yes = 0;
    for (size_t i = 0; i < n; i++) {
        const fuse_place p = fuse_place_of(m, fuse_mix(hashes[i], m->seed), arity);
        const bool is = fuse_agrees(cells, &p, arity, bits);
        if (hit)
            hit[i] = is;
        yes += is;
    }
    return yes;
}

/* A ring of places: those of the key FUSE_RING ahead are fetched before this one's are
 * read. */
static BP_ALWAYS_INLINE size_t fuse_far(const uint8_t *cells, const fuse_map *m,
                                        const uint64_t *hashes, size_t n, uint8_t *hit,
                                        uint32_t arity, uint32_t bits)
{
    fuse_place ring[FUSE_RING];
    size_t yes = 0;
    for (size_t i = 0; i < n && i < FUSE_RING; i++)
        ring[i] = fuse_ask(cells, m, hashes[i], arity, bits);
    for (size_t i = 0; i < n; i++) {
        fuse_place *p = &ring[i % FUSE_RING];
        const bool is = fuse_agrees(cells, p, arity, bits);
        if (i + FUSE_RING < n)
            *p = fuse_ask(cells, m, hashes[i + FUSE_RING], arity, bits);
        if (hit)
            hit[i] = is;
        yes += is;
    }
    return yes;
}

static BP_ALWAYS_INLINE size_t fuse_loop(const bp_object *o, const uint64_t *hashes,
                                         size_t n, uint8_t *hit, uint32_t arity,
                                         uint32_t bits)
{
    const fuse_map m = fuse_map_of(fuse_design_of(o));
    return o->cells_size <= FUSE_CLOSE
               ? fuse_close(o->cells, &m, hashes, n, hit, arity, bits)
               : fuse_far(o->cells, &m, hashes, n, hit, arity, bits);
}

/* One loop for each shape, so that none decides while it runs. */
#define FUSE_EACH_SHAPE(d, call)                                                         \
    switch ((d)->arity << 8 | (d)->bits) {                                               \
    case 3 << 8 | 8:                                                                     \
        return call(3, 8);                                                               \
    case 3 << 8 | 16:                                                                    \
        return call(3, 16);                                                              \
    case 3 << 8 | 32:                                                                    \
        return call(3, 32);                                                              \
    case 4 << 8 | 8:                                                                     \
        return call(4, 8);                                                               \
    case 4 << 8 | 16:                                                                    \
        return call(4, 16);                                                              \
    default:                                                                             \
        return call(4, 32);                                                              \
    }

/* The fewer instructions between two calls' reads, the more of them are under way. */
static BP_ALWAYS_INLINE bool fuse_one(const uint8_t *cells, const fuse_design *d,
                                      uint64_t hash, uint32_t arity, uint32_t bits)
{
    const fuse_map m = fuse_map_of(d);
    const fuse_place p = fuse_place_of(&m, fuse_mix(hash, m.seed), arity);
    return fuse_agrees(cells, &p, arity, bits);
}

static bool fuse_has_one(const bp_object *o, uint64_t hash)
{
    const fuse_design *d = fuse_design_of(o);
    if (d->items == 0)
        return false;
#define FUSE_ONE(arity, bits) fuse_one(o->cells, d, hash, arity, bits)
    FUSE_EACH_SHAPE(d, FUSE_ONE)
#undef FUSE_ONE
}

static size_t fuse_has(const bp_object *o, const uint64_t *hashes, size_t n, uint8_t *hit)
{
    const fuse_design *d = fuse_design_of(o);
    if (d->items == 0) {
        if (hit)
            memset(hit, 0, n);
        return 0;
    }
    if (n == 1) {
        const bool is = fuse_has_one(o, hashes[0]);
        if (hit)
            *hit = is;
        return is;
    }
#define FUSE_LOOP(arity, bits) fuse_loop(o, hashes, n, hit, arity, bits)
    FUSE_EACH_SHAPE(d, FUSE_LOOP)
#undef FUSE_LOOP
}

/* Without its secret key a filter cannot say no. */
static bool fuse_keyless(const bp_object *o)
{
    return ((const bp_head *)o->head)->keyless;
}

bool bp_binary_fuse_has(const bp_binary_fuse *s, const void *key, size_t n)
{
    const bp_object *o = (const bp_object *)s;
    const uint64_t hash = bp_hash(&((const bp_head *)o->head)->hash, key, n);
    return fuse_keyless(o) || fuse_has_one(o, hash);
}

size_t bp_binary_fuse_has_n(const bp_binary_fuse *s, const bp_bytes *keys, size_t n,
                            uint8_t *hit)
{
    const bp_object *o = (const bp_object *)s;
    uint64_t hashes[FUSE_KEYS];
    size_t yes = 0;
    if (fuse_keyless(o)) {
        if (hit)
            memset(hit, 1, n);
        return n;
    }
    for (size_t i = 0; i < n; i += FUSE_KEYS) {
        const size_t m = n - i < FUSE_KEYS ? n - i : FUSE_KEYS;
        bp_hash_n(&((const bp_head *)o->head)->hash, keys + i, m, hashes);
        yes += fuse_has(o, hashes, m, hit ? hit + i : NULL);
    }
    return yes;
}

size_t bp_binary_fuse_has_hashes(const bp_binary_fuse *s, const uint64_t *hashes,
                                 size_t n, uint8_t *hit)
{
    return fuse_has((const bp_object *)s, hashes, n, hit);
}

/* -------------------------------------------------------------------------- building */

bp_status bp_binary_fuse_build(bp_binary_fuse *s, const bp_bytes *keys, size_t n,
                               void *scratch, size_t size, bp_detail *why)
{
    bp_object *o = (bp_object *)s;
    if (fuse_keyless(o))
        return bp_fail(why, BP_UNSUPPORTED,
                       "opened without its key: nothing to build with", 0, 0);
    return bp_fuse_build(o, keys, NULL, n, scratch, size, why);
}

bp_status bp_binary_fuse_build_hashes(bp_binary_fuse *s, const uint64_t *hashes, size_t n,
                                      void *scratch, size_t size, bp_detail *why)
{
    return bp_fuse_build((bp_object *)s, NULL, hashes, n, scratch, size, why);
}

size_t bp_binary_fuse_scratch(const bp_binary_fuse *s, size_t n)
{
    return bp_fuse_scratch(fuse_design_of((const bp_object *)s), n);
}

/* ------------------------------------------------------------------------- describing */

bp_status bp_binary_fuse_estimate(const bp_binary_fuse *s, double confidence,
                                  bp_estimate *out, bp_detail *why)
{
    const double items = (double)fuse_design_of((const bp_object *)s)->items;
    const bp_status st = bp_check_confidence(confidence, why);
    if (!st)
        *out = (bp_estimate){items, items, items};
    return st;
}

double bp_binary_fuse_fpr(const bp_binary_fuse *s)
{
    const fuse_design *d = fuse_design_of((const bp_object *)s);
    const double same = (double)d->items * 0x1p-64;
    return d->items ? same + (1 - same) * ldexp(1, -(int)d->bits) : 0;
}

static void fuse_describe(const bp_object *o, bp_description *out)
{
    const fuse_design *d = fuse_design_of(o);
    const double items = (double)d->items;
    bp_say_whole(out, "fingerprint", "bits", d->bits, true);
    bp_say_whole(out, "arity", "", d->arity, true);
    bp_say_real(out, "fpr_design", "fraction", ldexp(1, -(int)d->bits), true);
    bp_say_whole(out, "items", "items", d->items, false);
    bp_say_whole(out, "cells", "", fuse_cells(d), false);
    bp_say_real(out, "bits_per_item", "bits",
                d->items ? (double)(fuse_cells(d) * d->bits) / items : 0, false);
    bp_say_real(out, "fpr_now", "fraction", bp_binary_fuse_fpr((const bp_binary_fuse *)o),
                false);
    bp_say_real(out, "estimate", "items", items, false);
}

/* ------------------------------------------------------------------------------ bytes */

static void fuse_put_params(const bp_object *o, bp_writer *w)
{
    const fuse_design *d = fuse_design_of(o);
    bp_put64(w, d->seed);
    bp_put64(w, d->items);
    bp_put64(w, d->starts);
    bp_put32(w, d->length);
    bp_put16(w, (uint16_t)d->bits);
    bp_put16(w, (uint16_t)d->arity);
}

enum { AT_ITEMS = 8, AT_STARTS = 16, AT_LENGTH = 24, AT_BITS = 28, AT_ARITY = 30 };

static bp_status fuse_check_shape(uint64_t bits, uint64_t arity, bp_detail *why)
{
    if (bits != 8 && bits != 16 && bits != 32)
        return bp_fail_at(why, BP_PARAM, "fingerprints have 8, 16 or 32 bits", AT_BITS,
                          bits, 8);
    if (arity != 3 && arity != 4)
        return bp_fail_at(why, BP_PARAM, "a key has 3 or 4 places", AT_ARITY, arity, 3);
    return BP_OK;
}

/* Keys can be peeled only from cells of their own, so there are as many cells at least.
 */
static bp_status fuse_check_design(const fuse_design *d, bp_detail *why)
{
    if (d->items > FUSE_ITEMS_MAX)
        return bp_fail_at(why, BP_CORRUPT, "more than 2^40 items", AT_ITEMS, d->items,
                          FUSE_ITEMS_MAX);
    if (d->items == 0 && (d->starts || d->length || d->seed))
        return bp_fail_at(why, BP_CORRUPT,
                          "a filter of no items has no cells and no seed", AT_ITEMS,
                          d->starts, 0);
    if (d->length > FUSE_LENGTH_MAX)
        return bp_fail_at(why, BP_CORRUPT, "a segment has at most 2^18 cells", AT_LENGTH,
                          d->length, FUSE_LENGTH_MAX);
    if (d->starts > 4 * FUSE_ITEMS_MAX || (d->items && !d->starts))
        return bp_fail_at(why, BP_CORRUPT, "no such number of segments", AT_STARTS,
                          d->starts, 1);
    if (d->items > fuse_cells(d))
        return bp_fail_at(why, BP_CORRUPT, "fewer cells than items", AT_ITEMS,
                          fuse_cells(d), d->items);
    return BP_OK;
}

static bp_status fuse_get_params(void *head, bp_reader *r, const bp_envelope *e,
                                 bp_detail *why)
{
    fuse_design *d = &((fuse_head *)head)->design;
    d->seed = bp_get64(r);
    d->items = bp_get64(r);
    d->starts = bp_get64(r);
    d->length = bp_get32(r);
    d->bits = bp_get16(r);
    d->arity = bp_get16(r);
    if (r->short_)
        return BP_OK; /* the caller says so */
    bp_detail fault;
    if (fuse_check_shape(d->bits, d->arity, &fault))
        return bp_fail_at(why, BP_CORRUPT, fault.what, fault.at, fault.have, fault.want);
    const bp_status st = fuse_check_design(d, why);
    if (st)
        return st;
    const uint64_t bytes = fuse_cells(d) * (d->bits / 8);
    if (e->payload_size != bytes)
        return bp_fail_at(why, BP_CORRUPT, "the payload is not as long as the cells take",
                          AT_STARTS, e->payload_size, bytes);
    return BP_OK;
}

/* ------------------------------------------------------------------------------ table */

static bp_status fuse_setup(void *head, const void *cfg, bp_detail *why)
{
    fuse_head *h = (fuse_head *)head;
    const bp_binary_fuse_config *c = (const bp_binary_fuse_config *)cfg;
    const uint32_t bits = c->bits ? c->bits : 8, arity = c->arity ? c->arity : 3;
    bp_detail fault;
    if (fuse_check_shape(bits, arity, &fault))
        return bp_fail(why, BP_PARAM, fault.what, fault.have, fault.want);
    if (c->items > FUSE_ITEMS_MAX)
        return bp_fail(why, BP_PARAM, "items must be at most 2^40", c->items,
                       FUSE_ITEMS_MAX);
    h->design = bp_fuse_plan(0, bits, arity, 0);
    h->most = c->items;
    return BP_OK;
}

static void fuse_config(const void *head, void *cfg)
{
    const fuse_head *h = (const fuse_head *)head;
    bp_binary_fuse_config *c = (bp_binary_fuse_config *)cfg;
    c->items = h->most;
    c->bits = h->design.bits;
    c->arity = h->design.arity;
}

static size_t fuse_none(const void *head)
{
    (void)head;
    return 0;
}

static size_t fuse_cells_max(const void *head)
{
    const fuse_head *h = (const fuse_head *)head;
    const uint64_t n = bp_fuse_most_bytes(h->most, h->design.bits, h->design.arity);
    return h->most == 0 || n > SIZE_MAX ? SIZE_MAX : (size_t)n;
}

static bp_status fuse_build_any(bp_object *o, const bp_bytes *keys, size_t n,
                                bp_detail *why)
{
    return bp_binary_fuse_build((bp_binary_fuse *)o, keys, n, NULL, 0, why);
}

static bp_status fuse_build_hashes_any(bp_object *o, const uint64_t *hashes, size_t n,
                                       bp_detail *why)
{
    return bp_fuse_build(o, NULL, hashes, n, NULL, 0, why);
}

static bp_status fuse_estimate_any(const bp_object *o, double confidence,
                                   bp_estimate *out, bp_detail *why)
{
    return bp_binary_fuse_estimate((const bp_binary_fuse *)o, confidence, out, why);
}

static size_t fuse_has_any(const bp_object *o, const uint64_t *hashes, size_t n,
                           uint8_t *hit)
{
    return bp_binary_fuse_has_hashes((const bp_binary_fuse *)o, hashes, n, hit);
}

static double fuse_fpr_any(const bp_object *o)
{
    return bp_binary_fuse_fpr((const bp_binary_fuse *)o);
}

const bp_kind bp_kind_binary_fuse = {
    .name = "binary_fuse",
    .id = 0x0003,
    .rule = 1,
    .config_size = sizeof(bp_binary_fuse_config),
    .head_size = sizeof(fuse_head),
    .hashing = &bp_hashing_all,
    .setup = fuse_setup,
    .config = fuse_config,
    .cells_size = fuse_none,
    .cells_max = fuse_cells_max,
    .put_params = fuse_put_params,
    .get_params = fuse_get_params,
    .describe = fuse_describe,
    .build = fuse_build_any,
    .build_hashes = fuse_build_hashes_any,
    .estimate = fuse_estimate_any,
    .has_hashes = fuse_has_any,
    .fpr = fuse_fpr_any,
};

BP_SKETCH_IMPL(binary_fuse);
