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
 * fails; the bytes follow from the set alone, in whatever order it came; and a filter may
 * consist of shards that were built apart (binary_fuse_shards.c). */
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

/* What is asked: of one shard all is known, of several only where their table is. */
typedef struct fuse_asked {
    const uint8_t *table, *cells;
    uint32_t shards;
    fuse_map map;
} fuse_asked;

static BP_ALWAYS_INLINE fuse_asked fuse_asked_of(const bp_object *o, bool sharded)
{
    const fuse_head *h = (const fuse_head *)o->head;
    fuse_asked a = {.table = o->cells, .cells = o->cells, .shards = h->shards};
    if (sharded)
        a.cells += fuse_table_size(h);
    else
        a.map = fuse_map_of(&h->design);
    return a;
}

static BP_ALWAYS_INLINE fuse_place fuse_find(const fuse_asked *a, uint64_t hash,
                                             uint32_t arity, bool sharded)
{
    const fuse_map m =
        sharded ? fuse_map_at(a->table + fuse_shard_of(hash, a->shards) * FUSE_ENTRY)
                : a->map;
    fuse_place p = fuse_place_of(&m, fuse_mix(hash, m.seed), arity);
    for (uint32_t j = 0; j < arity && sharded; j++)
        p.cell[j] += m.base;
    return p;
}

static BP_ALWAYS_INLINE fuse_place fuse_fetch(const fuse_asked *a, uint64_t hash,
                                              uint32_t arity, uint32_t bits, bool sharded)
{
    const fuse_place p = fuse_find(a, hash, arity, sharded);
    for (uint32_t j = 0; j < arity; j++)
        BP_PREFETCH(a->cells + p.cell[j] * (bits / 8));
    return p;
}

static BP_ALWAYS_INLINE size_t fuse_close(const fuse_asked *a, const uint64_t *hashes,
                                          size_t n, uint8_t *hit, uint32_t arity,
                                          uint32_t bits, bool sharded)
{
    size_t yes = 0;
    for (size_t i = 0; i < n; i++) {
        const fuse_place p = fuse_find(a, hashes[i], arity, sharded);
        const bool is = fuse_agrees(a->cells, &p, arity, bits);
        if (hit)
            hit[i] = is;
        yes += is;
    }
    return yes;
}

/* A ring of places: those of the key FUSE_RING ahead are fetched before this one's are
 * read. */
static BP_ALWAYS_INLINE size_t fuse_far(const fuse_asked *a, const uint64_t *hashes,
                                        size_t n, uint8_t *hit, uint32_t arity,
                                        uint32_t bits, bool sharded)
{
    fuse_place ring[FUSE_RING];
    size_t yes = 0;
    for (size_t i = 0; i < n && i < FUSE_RING; i++)
        ring[i] = fuse_fetch(a, hashes[i], arity, bits, sharded);
    for (size_t i = 0; i < n; i++) {
        fuse_place *p = &ring[i % FUSE_RING];
        const bool is = fuse_agrees(a->cells, p, arity, bits);
        if (i + FUSE_RING < n)
            *p = fuse_fetch(a, hashes[i + FUSE_RING], arity, bits, sharded);
        if (hit)
            hit[i] = is;
        yes += is;
    }
    return yes;
}

static BP_ALWAYS_INLINE size_t fuse_loop(const bp_object *o, const uint64_t *hashes,
                                         size_t n, uint8_t *hit, uint32_t arity,
                                         uint32_t bits, bool sharded)
{
    const fuse_asked a = fuse_asked_of(o, sharded);
    return o->cells_size <= FUSE_CLOSE
               ? fuse_close(&a, hashes, n, hit, arity, bits, sharded)
               : fuse_far(&a, hashes, n, hit, arity, bits, sharded);
}

/* The fewer instructions between two calls' reads, the more of them are under way. */
static BP_ALWAYS_INLINE bool fuse_one(const bp_object *o, uint64_t hash, uint32_t arity,
                                      uint32_t bits, bool sharded)
{
    const fuse_asked a = fuse_asked_of(o, sharded);
    const fuse_place p = fuse_find(&a, hash, arity, sharded);
    return fuse_agrees(a.cells, &p, arity, bits);
}

/* One loop for each shape, so that none decides while it runs. */
#define FUSE_SHAPE(arity, bits, sharded) ((arity) << 8 | (bits) << 1 | (sharded))
#define FUSE_CASE(arity, bits, call)                                                     \
    case FUSE_SHAPE(arity, bits, 0):                                                     \
        return call(arity, bits, false);                                                 \
    case FUSE_SHAPE(arity, bits, 1):                                                     \
        return call(arity, bits, true)
#define FUSE_EACH_SHAPE(h, call)                                                         \
    switch (FUSE_SHAPE((h)->design.arity, (h)->design.bits, (h)->shards > 1)) {          \
        FUSE_CASE(3, 8, call);                                                           \
        FUSE_CASE(3, 16, call);                                                          \
        FUSE_CASE(3, 32, call);                                                          \
        FUSE_CASE(4, 8, call);                                                           \
        FUSE_CASE(4, 16, call);                                                          \
        FUSE_CASE(4, 32, call);                                                          \
    }

static bool fuse_has_one(const bp_object *o, uint64_t hash)
{
    const fuse_head *h = (const fuse_head *)o->head;
    if (h->design.items == 0)
        return false;
#define FUSE_ONE(arity, bits, sharded) fuse_one(o, hash, arity, bits, sharded)
    FUSE_EACH_SHAPE(h, FUSE_ONE)
#undef FUSE_ONE
    return false;
}

static size_t fuse_has(const bp_object *o, const uint64_t *hashes, size_t n, uint8_t *hit)
{
    const fuse_head *h = (const fuse_head *)o->head;
    if (h->design.items == 0) {
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
#define FUSE_LOOP(arity, bits, sharded) fuse_loop(o, hashes, n, hit, arity, bits, sharded)
    FUSE_EACH_SHAPE(h, FUSE_LOOP)
#undef FUSE_LOOP
    return 0;
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
    return bp_fuse_scratch((const fuse_head *)((const bp_object *)s)->head, n);
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
    const fuse_head *h = (const fuse_head *)o->head;
    const fuse_design *d = &h->design;
    const double items = (double)d->items, bytes = (double)o->cells_size;
    const uint64_t table = o->cells_size ? fuse_table_size(h) : 0;
    bp_say_whole(out, "fingerprint", "bits", d->bits, true);
    bp_say_whole(out, "arity", "", d->arity, true);
    if (h->shards > 1)
        bp_say_whole(out, "shards", "", h->shards, true);
    bp_say_real(out, "fpr_design", "fraction", ldexp(1, -(int)d->bits), true);
    bp_say_whole(out, "items", "items", d->items, false);
    bp_say_whole(out, "cells", "", (o->cells_size - table) / (d->bits / 8), false);
    bp_say_real(out, "bits_per_item", "bits", d->items ? 8 * bytes / items : 0, false);
    bp_say_real(out, "fpr_now", "fraction", bp_binary_fuse_fpr((const bp_binary_fuse *)o),
                false);
    bp_say_real(out, "estimate", "items", items, false);
}

/* ------------------------------------------------------------------------------ bytes */

/* A filter of several shards has the rest in its table. */
static void fuse_put_params(const bp_object *o, bp_writer *w)
{
    const fuse_head *h = (const fuse_head *)o->head;
    const fuse_design *d = &h->design;
    bp_put64(w, d->seed);
    bp_put64(w, d->items);
    bp_put64(w, h->shards > 1 ? h->shards : d->starts);
    bp_put32(w, d->length);
    bp_put16(w, (uint16_t)d->bits);
    bp_put16(w, (uint16_t)d->arity);
}

static void fuse_flags(const bp_object *o, uint32_t *required, uint32_t *optional)
{
    *optional = 0;
    *required = ((const fuse_head *)o->head)->shards > 1 ? FUSE_SHARDED : 0;
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

static bool fuse_is_shards(uint64_t n)
{
    return n > 0 && n <= FUSE_SHARDS_MAX && (n & (n - 1)) == 0;
}

static bp_status fuse_get_one(fuse_head *h, const bp_envelope *e, bp_detail *why)
{
    const fuse_design *d = &h->design;
    const fuse_offsets at = {AT_ITEMS, AT_STARTS, AT_LENGTH};
    if (d->items == 0 && (d->starts || d->length || d->seed))
        return bp_fail_at(why, BP_CORRUPT,
                          "a filter of no items has no cells and no seed", AT_ITEMS,
                          d->starts, 0);
    const bp_status st = d->items ? bp_fuse_check_design(d, &at, why) : BP_OK;
    if (st)
        return st;
    const uint64_t bytes = fuse_cells(d) * (d->bits / 8);
    if (e->payload_size != bytes)
        return bp_fail_at(why, BP_CORRUPT, "the payload is not as long as the cells take",
                          AT_STARTS, e->payload_size, bytes);
    return BP_OK;
}

/* The table is looked at now, because every question goes through it. */
static bp_status fuse_get_shards(fuse_head *h, const bp_envelope *e, bp_detail *why)
{
    fuse_design *d = &h->design;
    const uint64_t shards = d->starts;
    if (shards < 2 || !fuse_is_shards(shards))
        return bp_fail_at(why, BP_CORRUPT, "no such number of shards", AT_STARTS, shards,
                          2);
    if (d->seed || d->length)
        return bp_fail_at(why, BP_CORRUPT, "shards have seeds and lengths of their own",
                          d->seed ? 0 : AT_LENGTH, d->seed ? d->seed : d->length, 0);
    h->shards = (uint32_t)shards;
    d->starts = 0;
    if (d->items == 0)
        return e->payload_size
                   ? bp_fail_at(why, BP_CORRUPT, "a filter of no items has no cells",
                                AT_ITEMS, e->payload_size, 0)
                   : BP_OK;
    if (d->items > FUSE_ITEMS_MAX)
        return bp_fail_at(why, BP_CORRUPT, "more than 2^40 items", AT_ITEMS, d->items,
                          FUSE_ITEMS_MAX);
    const bp_status st = bp_fuse_check_table(h, e->payload, e->payload_size, why);
    if (st && why)
        why->at += e->payload_at - BP_ENVELOPE_FIXED;
    return st;
}

static bp_status fuse_get_params(void *head, bp_reader *r, const bp_envelope *e,
                                 bp_detail *why)
{
    fuse_head *h = (fuse_head *)head;
    fuse_design *d = &h->design;
    d->seed = bp_get64(r);
    d->items = bp_get64(r);
    d->starts = bp_get64(r);
    d->length = bp_get32(r);
    d->bits = bp_get16(r);
    d->arity = bp_get16(r);
    h->shards = 1;
    if (r->short_)
        return BP_OK; /* the caller says so */
    bp_detail fault;
    if (fuse_check_shape(d->bits, d->arity, &fault))
        return bp_fail_at(why, BP_CORRUPT, fault.what, fault.at, fault.have, fault.want);
    return e->required & FUSE_SHARDED ? fuse_get_shards(h, e, why)
                                      : fuse_get_one(h, e, why);
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
    if (c->shards && !fuse_is_shards(c->shards))
        return bp_fail(why, BP_PARAM, "shards must be a power of two, at most 4,096",
                       c->shards, FUSE_SHARDS_MAX);
    h->design = bp_fuse_plan(0, bits, arity, 0);
    h->most = c->items;
    h->shards = c->shards ? (uint32_t)c->shards : 1;
    return BP_OK;
}

static void fuse_config(const void *head, void *cfg)
{
    const fuse_head *h = (const fuse_head *)head;
    bp_binary_fuse_config *c = (bp_binary_fuse_config *)cfg;
    c->items = h->most;
    c->shards = h->shards;
    c->bits = h->design.bits;
    c->arity = h->design.arity;
}

static size_t fuse_none(const void *head)
{
    (void)head;
    return 0;
}

/* The most keys a shard will have of the most there are: what hashes give it, and eight
 * standard deviations. */
static uint64_t fuse_shard_most(const fuse_head *h)
{
    const double mean = ceil((double)h->most / h->shards);
    return h->shards == 1 ? h->most : (uint64_t)(mean + 8 * sqrt(mean)) + 8;
}

static size_t fuse_cells_max(const void *head)
{
    const fuse_head *h = (const fuse_head *)head;
    const uint64_t cells = bp_fuse_most_cells(fuse_shard_most(h), h->design.arity);
    const uint64_t n = fuse_table_size(h) + h->shards * cells * (h->design.bits / 8);
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
    .required_known = FUSE_SHARDED,
    .config_size = sizeof(bp_binary_fuse_config),
    .head_size = sizeof(fuse_head),
    .hashing = &bp_hashing_all,
    .setup = fuse_setup,
    .config = fuse_config,
    .cells_size = fuse_none,
    .cells_max = fuse_cells_max,
    .put_params = fuse_put_params,
    .flags = fuse_flags,
    .get_params = fuse_get_params,
    .describe = fuse_describe,
    .build = fuse_build_any,
    .build_hashes = fuse_build_hashes_any,
    .estimate = fuse_estimate_any,
    .has_hashes = fuse_has_any,
    .fpr = fuse_fpr_any,
};

BP_SKETCH_IMPL(binary_fuse);
