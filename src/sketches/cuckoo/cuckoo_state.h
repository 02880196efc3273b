/* SPDX-License-Identifier: MIT
 * cuckoo_state.h - what a cuckoo filter knows, where a key's two buckets are, and the
 * arithmetic of a bucket's four tags in one word: shared by cuckoo.c, cuckoo_add.c and
 * cuckoo_size.c. */
#ifndef BP_CUCKOO_STATE_H
#define BP_CUCKOO_STATE_H

#include "core/object.h"

#include <ballpark/cuckoo.h>

enum {
    CUCKOO_SLOTS = 4,
    CUCKOO_NEAR = 256, /* buckets of a neighbourhood                            */
    CUCKOO_NEAR_FROM = 1 << 13, /* no neighbourhoods in filters of at most that many    */
    CUCKOO_CHUNK = 1 << 17, /* the fewest buckets of a chunk, where there are several */
    CUCKOO_CLOSE = 256 * 1024, /* filters of at most that many bytes are not fetched    */
    CUCKOO_LOOKS = 2000        /* tags that a search for room looks behind              */
};
#define CUCKOO_ITEMS_MAX (UINT64_C(1) << 40)

typedef struct cuckoo_design {
    uint64_t items;  /* capacity                            */
    uint64_t chunks; /* parts that know nothing of another  */
    uint32_t length; /* buckets of a chunk, an even number  */
    uint32_t bits;   /* of a tag: 8, 12 or 16               */
} cuckoo_design;

typedef struct cuckoo_head {
    bp_head base;
    cuckoo_design design;
    uint64_t stored; /* tags in it                     */
    uint64_t failed; /* adds that found no room        */
} cuckoo_head;

/* What the loops need, in registers. */
typedef struct cuckoo_map {
    uint8_t *cells;
    uint64_t chunks;
    uint32_t length;
    uint32_t half;
    uint32_t far; /* tags below have their other bucket anywhere in the chunk */
} cuckoo_map;

/* Where a key may be: two buckets of a chunk whose first bucket is `base`. */
typedef struct cuckoo_place {
    uint64_t base;
    uint32_t at[2];
    uint32_t tag;
} cuckoo_place;

static inline cuckoo_map cuckoo_map_of(const bp_object *o)
{
    const cuckoo_design *d = &((const cuckoo_head *)o->head)->design;
    const uint32_t tags = UINT32_C(1) << d->bits;
    return (cuckoo_map){o->cells, d->chunks, d->length, d->length / 2,
                        d->length > CUCKOO_NEAR_FROM ? tags / 4 : tags};
}

static inline uint64_t cuckoo_buckets(const cuckoo_design *d)
{
    return d->chunks * d->length;
}

/* 1 .. 2^bits - 1, all alike, from the lowest 24 bits of the hash: 0 is an empty slot. */
static BP_ALWAYS_INLINE uint32_t cuckoo_tag(uint64_t hash, uint32_t bits)
{
    const uint64_t low = hash & 0xFFFFFF;
    return (uint32_t)(low * ((1u << bits) - 1) >> 24) + 1;
}

/* The other bucket of a tag in bucket `at` of a chunk, found without the key; the other's
 * other is `at` again, and is never the same. Three tags of four stay in their
 * neighbourhood: `at` with some of its low 8 bits turned. The rest are mirrored at a
 * point of the chunk that depends on the tag. */
static BP_ALWAYS_INLINE uint32_t cuckoo_other(const cuckoo_map *m, uint32_t at,
                                              uint32_t tag)
{
    uint32_t x = tag * UINT32_C(0x9E3779B1);
    x ^= x << 16;
    const uint32_t mirrored = (uint32_t)((uint64_t)x * m->half >> 32) * 2 + 1 - at;
    const uint32_t far = mirrored + ((0 - (mirrored >> 31)) & m->length);
    const uint32_t near = at ^ ((tag & (CUCKOO_NEAR - 1)) | 1);
    return near ^ ((near ^ far) & (0 - (uint32_t)(tag < m->far)));
}

static BP_ALWAYS_INLINE cuckoo_place cuckoo_place_of(const cuckoo_map *m, uint64_t hash,
                                                     uint32_t bits)
{
    uint64_t rest = hash, base = 0;
    if (m->chunks > 1)
        base = bp_mul128(hash, m->chunks, &rest) * m->length;
    const uint32_t tag = cuckoo_tag(hash, bits), at = (uint32_t)bp_range(rest, m->length);
    return (cuckoo_place){base, {at, cuckoo_other(m, at, tag)}, tag};
}

/* ---------------------------------------------------------------------------- buckets */

/* A bucket is a word of four lanes of `bits` bits, filled from the lowest one on; at any
 * address, because a view's bytes may lie anywhere. Twelve bits are read with two bytes
 * too many: behind the last bucket there are some. */
static BP_ALWAYS_INLINE uint64_t cuckoo_load(const cuckoo_map *m, uint64_t bucket,
                                             uint32_t bits)
{
    const uint8_t *p = m->cells + (size_t)bucket * (bits / 2);
    return bits == 8    ? bp_load32(p)
           : bits == 12 ? bp_load64(p) & UINT64_C(0xFFFFFFFFFFFF)
                        : bp_load64(p);
}

static BP_ALWAYS_INLINE void cuckoo_store(const cuckoo_map *m, uint64_t bucket,
                                          uint64_t word, uint32_t bits)
{
    uint8_t *p = m->cells + (size_t)bucket * (bits / 2);
    if (bits == 16) {
        bp_store64(p, word);
    } else {
        bp_store32(p, (uint32_t)word);
        if (bits == 12)
            bp_store16(p + 4, (uint16_t)(word >> 32));
    }
}

static BP_ALWAYS_INLINE void cuckoo_fetch(const cuckoo_map *m, uint64_t bucket,
                                          uint32_t bits)
{
    const uint8_t *p = m->cells + (size_t)bucket * (bits / 2);
    BP_PREFETCH(p);
    if (bits == 12)
        BP_PREFETCH(p + 7); /* one in nine lies across two lines */
}

/* Where a hash belongs, with both buckets on their way. */
static BP_ALWAYS_INLINE cuckoo_place cuckoo_ask(const cuckoo_map *m, uint64_t hash,
                                                uint32_t bits)
{
    const cuckoo_place p = cuckoo_place_of(m, hash, bits);
    cuckoo_fetch(m, p.base + p.at[0], bits);
    cuckoo_fetch(m, p.base + p.at[1], bits);
    return p;
}

/* The lowest bit of each lane, and the highest. */
static BP_ALWAYS_INLINE uint64_t cuckoo_ones(uint32_t bits)
{
    return bits == 8    ? UINT64_C(0x01010101)
           : bits == 12 ? UINT64_C(0x001001001001)
                        : UINT64_C(0x0001000100010001);
}

static BP_ALWAYS_INLINE uint64_t cuckoo_tops(uint32_t bits)
{
    return cuckoo_ones(bits) << (bits - 1);
}

/* Not 0 when some lane is 0; the lowest bit that is set is then the top bit of the lowest
 * lane of 0 (Mycroft's test; lanes above that one may be marked wrongly). */
static BP_ALWAYS_INLINE uint64_t cuckoo_zero(uint64_t word, uint32_t bits)
{
    return (word - cuckoo_ones(bits)) & ~word & cuckoo_tops(bits);
}

/* The top bits of exactly the lanes that are 0. */
static BP_ALWAYS_INLINE uint64_t cuckoo_zeros(uint64_t word, uint32_t bits)
{
    const uint64_t tops = cuckoo_tops(bits), low = tops - cuckoo_ones(bits);
    return ~(((word & low) + low) | word) & tops;
}

/* Bits below the lowest lane of 0; there must be one. */
static BP_ALWAYS_INLINE uint32_t cuckoo_shift(uint64_t zero, uint32_t bits)
{
    return (uint32_t)BP_CTZ64(zero) + 1 - bits;
}

static BP_ALWAYS_INLINE bool cuckoo_is_full(uint64_t word, uint32_t bits)
{
    return word >> (3 * bits) != 0;
}

static BP_ALWAYS_INLINE uint64_t cuckoo_put(uint64_t word, uint32_t shift, uint64_t tag,
                                            uint32_t bits)
{
    const uint64_t lane = (UINT64_C(1) << bits) - 1;
    return (word & ~(lane << shift)) | tag << shift;
}

/* ------------------------------------------------------------------------------ files */

/* cuckoo_add.c. n hashes, in order, until one finds no room; returns how many did, and
 * sums up stored and failed. once: only those that are not in. was_new may be NULL. */
BP_INTERNAL size_t bp_cuckoo_take(bp_object *o, const uint64_t *hashes, size_t n,
                                  uint8_t *was_new, bool once, bp_detail *why);
BP_INTERNAL bp_status bp_cuckoo_unite(bp_object *dst, const bp_object *src,
                                      bp_detail *why);

/* cuckoo_size.c */
BP_INTERNAL bp_status bp_cuckoo_solve(const bp_cuckoo_config *cfg, cuckoo_design *d,
                                      bp_detail *why);
/* The filter for that many items, which must be 1 to CUCKOO_ITEMS_MAX. */
BP_INTERNAL cuckoo_design bp_cuckoo_plan(uint64_t items, uint32_t bits);
BP_INTERNAL uint64_t bp_cuckoo_bytes(const cuckoo_design *d);
BP_INTERNAL double bp_cuckoo_design_rate(const cuckoo_design *d);

#endif
