/* SPDX-License-Identifier: MIT
 * binary_fuse_state.h - what a binary fuse filter knows, and where a key's cells are:
 * shared by the questions (binary_fuse.c), the building (binary_fuse_build.c) and the
 * shards (binary_fuse_shards.c). */
#ifndef BP_BINARY_FUSE_STATE_H
#define BP_BINARY_FUSE_STATE_H

#include "core/object.h"

#include <ballpark/binary_fuse.h>

enum {
    FUSE_ARITY_MAX = 4,
    FUSE_LENGTH_MAX = 18,
    FUSE_SHARDS_MAX = 4096,
    FUSE_ENTRY = 32,  /* bytes of a shard's entry in the table */
    FUSE_SHARDED = 1, /* required flag: the cells begin with a table */
    FUSE_FEW = 512    /* first cells from which on a cell tells a key's high bits */
};
#define FUSE_ITEMS_MAX (UINT64_C(1) << 40)

/* What is stored of a filter, or of a shard. A set of no keys has no cells: all but bits
 * and arity are 0. Of a filter of several shards only items, bits and arity are said
 * here, the rest in its table. */
typedef struct fuse_design {
    uint64_t seed;
    uint64_t items;  /* different hashes                                           */
    uint64_t starts; /* segments that a key's first cell may be in                 */
    uint32_t length; /* a segment has 2^length cells                               */
    uint32_t bits;
    uint32_t arity;
} fuse_design;

typedef struct fuse_head {
    bp_head base;
    fuse_design design;
    uint64_t most;   /* keys there is room for in the caller's memory; 0: not said */
    uint32_t shards; /* a power of two                                             */
} fuse_head;

/* A fuse's cells stand in a row of segments; a key has one in each of `arity` segments
 * that follow each other. What the loops need, in registers. */
typedef struct fuse_map {
    uint64_t seed;
    uint64_t firsts; /* cells that may be a first one */
    uint64_t mask;
    uint64_t base; /* of the shard: its first cell */
    uint32_t length;
    uint32_t arity;
} fuse_map;

typedef struct fuse_place {
    uint64_t cell[FUSE_ARITY_MAX];
    uint32_t mark; /* the fingerprint is its high bits */
} fuse_place;

static inline fuse_map fuse_map_of(const fuse_design *d)
{
    return (fuse_map){.seed = d->seed,
                      .firsts = d->starts << d->length,
                      .mask = (UINT64_C(1) << d->length) - 1,
                      .length = d->length,
                      .arity = d->arity};
}

static inline uint64_t fuse_cells(const fuse_design *d)
{
    return d->starts ? (d->starts + d->arity - 1) << d->length : 0;
}

/* The hash under a seed: each step can be undone, so that different hashes stay different
 * under every seed. */
static BP_ALWAYS_INLINE uint64_t fuse_mix(uint64_t h, uint64_t seed)
{
    h = (h ^ seed) * UINT64_C(0xD6E8FEB86659FD93);
    h = (h ^ h >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 32;
}

/* What the fingerprint and a fourth cell are taken from. */
static BP_ALWAYS_INLINE uint64_t fuse_spread(uint64_t x)
{
    return x * UINT64_C(0xC2B2AE3D27D4EB4F);
}

/* Where a mixed hash belongs: `arity` is given apart, so that it is a constant in the
 * loops. Cells of one key differ, because they lie in different segments. */
static BP_ALWAYS_INLINE fuse_place fuse_place_of(const fuse_map *m, uint64_t x,
                                                 uint32_t arity)
{
    const uint64_t p = fuse_spread(x);
    const uint64_t first = bp_range(x, m->firsts);
    const uint64_t next = first + (UINT64_C(1) << m->length);
    const uint64_t third = next + (UINT64_C(1) << m->length);
    const uint64_t fourth = third + (UINT64_C(1) << m->length);
    return (fuse_place){{first, next ^ (x & m->mask), third ^ (x >> 18 & m->mask),
                         arity == 4 ? fourth ^ (p >> 14 & m->mask) : 0},
                        (uint32_t)(p >> 32)};
}

/* A fingerprint; at any address, because a view's bytes may lie anywhere. */
static BP_ALWAYS_INLINE uint32_t fuse_load(const uint8_t *p, uint32_t bits)
{
    return bits == 8 ? *p : bits == 16 ? bp_load16(p) : bp_load32(p);
}

static BP_ALWAYS_INLINE void fuse_store(uint8_t *p, uint32_t bits, uint32_t v)
{
    if (bits == 8)
        *p = (uint8_t)v;
    else if (bits == 16)
        bp_store16(p, (uint16_t)v);
    else
        bp_store32(p, v);
}

/* -------------------------------------------------------------------------- building */

/* The least filter for n keys after `extra` rounds of failing. */
BP_INTERNAL fuse_design bp_fuse_plan(uint64_t n, uint32_t bits, uint32_t arity,
                                     uint32_t extra);
/* Cells of the largest filter that up to n keys may need. */
BP_INTERNAL uint64_t bp_fuse_most_cells(uint64_t n, uint32_t arity);

/* One set in work. */
typedef struct fuse_work {
    const bp_hash_spec *spec;
    const bp_bytes *keys; /* NULL: the caller gave hashes   */
    const uint64_t *hashes;
    size_t given;
    size_t n; /* different ones, once `sorted`  */
    bool sorted;
    fuse_design design;
    uint64_t *row;  /* mixed hashes by group; the queue, and behind it those peeled */
    uint64_t *cell; /* keys of a cell (binary_fuse_build.c); and room to stage hashes */
    uint8_t *which; /* of its cells a key was peeled from                           */
    uint64_t few[FUSE_FEW]; /* the keys, where cells keep their numbers */
} fuse_work;

/* Working memory for n keys, at any address: bytes, and the arrays in them for the set of
 * w->given. SIZE_MAX: more than this machine can address. */
BP_INTERNAL size_t bp_fuse_room(uint64_t n, uint32_t arity);
BP_INTERNAL void bp_fuse_lay_out(fuse_work *w, void *room);
/* Finds the filter of a set that is not empty: w->design and w->n. Always ends well. */
BP_INTERNAL void bp_fuse_solve(fuse_work *w);
/* Then the fingerprints, into cells that are 0. */
BP_INTERNAL void bp_fuse_fill(const fuse_work *w, uint8_t *to);

/* Makes o the filter of n keys, or of n hashes where keys is NULL. */
BP_INTERNAL bp_status bp_fuse_build(bp_object *o, const bp_bytes *keys,
                                    const uint64_t *hashes, size_t n, void *scratch,
                                    size_t size, bp_detail *why);
BP_INTERNAL size_t bp_fuse_scratch(const fuse_head *h, size_t n);

/* ---------------------------------------------------------------------------- shards */

/* Of o's n hashes (n > 0), in working memory of bp_fuse_scratch() bytes. */
BP_INTERNAL bp_status bp_fuse_build_shards(bp_object *o, const bp_bytes *keys,
                                           const uint64_t *hashes, size_t n,
                                           void *scratch, bp_detail *why);
/* Whether a payload of so many bytes begins with the table of h's shards, and their cells
 * are all of it. Offsets in `at` count from the payload. */
BP_INTERNAL bp_status bp_fuse_check_table(const fuse_head *h, const uint8_t *payload,
                                          uint64_t size, bp_detail *why);
/* Whether this many items can be in a filter, or shard, of this shape. Offsets in `at`
 * as given. */
typedef struct fuse_offsets {
    uint64_t items, starts, length;
} fuse_offsets;
BP_INTERNAL bp_status bp_fuse_check_design(const fuse_design *d, const fuse_offsets *at,
                                           bp_detail *why);

static inline uint64_t fuse_table_size(const fuse_head *h)
{
    return h->shards > 1 ? (uint64_t)h->shards * FUSE_ENTRY : 0;
}

/* Which of S = 2^log shards a hash belongs to: its highest bits. */
static BP_ALWAYS_INLINE size_t fuse_shard_of(uint64_t hash, uint32_t shards)
{
    return (size_t)bp_range(hash, shards);
}

/* An entry: seed; items; the shard's first cell; starts and length. */
static BP_ALWAYS_INLINE fuse_map fuse_map_at(const uint8_t *entry)
{
    const uint64_t shape = bp_load64(entry + 24);
    const uint32_t length = shape & 255;
    return (fuse_map){.seed = bp_load64(entry),
                      .firsts = (shape >> 8) << length,
                      .mask = (UINT64_C(1) << length) - 1,
                      .base = bp_load64(entry + 16),
                      .length = length};
}

#endif
