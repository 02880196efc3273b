/* SPDX-License-Identifier: MIT
 * top_k_state.h - what the files of top_k share. The picture is in top_k.c. */
#ifndef BP_TOP_K_STATE_H
#define BP_TOP_K_STATE_H

#include "core/object.h"
#include "hash/hash.h"
#include "parts/slots.h"

#include <ballpark/count_min.h>
#include <ballpark/top_k.h>

enum {
    TOP_K_ROW = 12,             /* bytes of a listed key beside the key    */
    TOP_K_CANDIDATE = 20,       /* bytes of a candidate beside the key     */
    TOP_K_TABLE_AT = 64,        /* where the table begins in the payload   */
    TOP_K_BLOCK = 64,           /* keys looked up before the first is added */
    TOP_K_INLINE = 32,          /* longest key that needs no allocation    */
    TOP_K_KEY_MAX = 0x7fffffff, /* longest key                             */
    TOP_K_NOWHERE = -1
};

typedef struct top_k_head {
    bp_head base;
    uint64_t memory;
    uint64_t total; /* saturating */
    uint32_t k;
    uint8_t depth;
    bool in_table; /* `more` is a top_k_table; else the cells are the list         */
    bool in_order; /* settled: rows lie in the order they are listed in            */
    uint64_t keys; /* in the list */
    void *more;    /* list: its index, a top_k_index, or NULL while it is short    */
} top_k_head;

/* One key as both modes show it: at most base + since, at least since. */
typedef struct top_k_row {
    const uint8_t *key;
    size_t len;
    uint64_t hash; /* 0 in the list of an unkeyed sketch: see bp_top_k_hash_of */
    uint64_t base;
    uint64_t since;
} top_k_row;

/* The index of a list with more than a few keys. */
typedef struct top_k_index {
    uint64_t mask;
    uint64_t words[];
} top_k_index;

/* A candidate: counted exactly since it was admitted. A line of the cache. */
typedef struct top_k_candidate {
    uint64_t hash;
    uint64_t since;
    uint64_t base; /* the table's answer when it was admitted */
    uint32_t len;
    uint32_t next_free;
    union {
        uint8_t in[TOP_K_INLINE]; /* zeros after the key */
        uint8_t *out;
    } key;
} top_k_candidate;
_Static_assert(sizeof(top_k_candidate) == 64, "a candidate is a line of the cache");

/* One of the heap of candidates; count is what it was when last looked at. */
typedef struct top_k_node {
    uint64_t count;
    uint32_t prefix; /* first 4 bytes of the key, big-endian */
    uint32_t at;
} top_k_node;

typedef struct top_k_table {
    bp_alloc alloc;
    bp_count_min *counts;
    uint64_t tail;      /* mass counted in the table, saturating */
    uint64_t key_bytes; /* of the candidates                     */
    uint64_t memory;
    uint32_t k;
    uint32_t most; /* candidates there may be */
    uint32_t n;
    uint32_t cap;
    uint32_t used;   /* candidates ever used of cap; the rest of them is in `vacant` */
    uint32_t vacant; /* list of holes below used, plus one; 0: none */
    bp_slots slots;
    top_k_node *heap;
    top_k_candidate *candidates; /* on lines of their own */
    void *block;                 /* holds candidates, heap and slots */
} top_k_table;

static inline top_k_head *top_k_head_of(const bp_object *o)
{
    return (top_k_head *)o->head;
}

static inline const uint8_t *top_k_key_of(const top_k_candidate *c)
{
    return c->len <= TOP_K_INLINE ? c->key.in : c->key.out;
}

/* Keyed hashes are kept beside the key, so that sketches merge without the secret. */
static inline size_t top_k_kept_hash(const top_k_head *h)
{
    return bp_hashing_all.is_keyed(h->base.hash.id) ? 8 : 0;
}

static inline uint64_t top_k_value(const top_k_row *r)
{
    return bp_add_sat64(r->base, r->since);
}

/* a - b as memcmp has it, a prefix before what it begins. */
BP_INTERNAL int bp_top_k_compare(const uint8_t *a, size_t an, const uint8_t *b,
                                 size_t bn);
/* a is listed before b: a larger value, or an equal one and smaller bytes. */
BP_INTERNAL bool bp_top_k_before(const top_k_row *a, const top_k_row *b);
BP_INTERNAL uint64_t bp_top_k_hash_of(const top_k_head *h, const top_k_row *r);

/* The rows of either mode, in no order: *at starts at 0 and is where the next one is. */
BP_INTERNAL bool bp_top_k_walk(const bp_object *o, uint64_t *at, top_k_row *row);
/* The row of a key, if it is one. */
BP_INTERNAL bool bp_top_k_find(const bp_object *o, uint64_t hash, const uint8_t *key,
                               size_t n, top_k_row *row);

/* top_k_list.c: while every key is kept. */
BP_INTERNAL bool bp_top_k_list_walk(const bp_object *o, uint64_t *at, top_k_row *row);
BP_INTERNAL bool bp_top_k_list_find(const bp_object *o, uint64_t hash, const uint8_t *key,
                                    size_t n, top_k_row *row);
BP_INTERNAL void bp_top_k_list_prefetch(const bp_object *o, uint64_t hash);
/* BP_FULL when the key is new and the list has no room for it. */
BP_INTERNAL bp_status bp_top_k_list_add(bp_object *o, uint64_t hash, const uint8_t *key,
                                        size_t n, uint64_t by, bp_detail *why);
/* BP_FULL when the union would not fit. dst may be src. */
BP_INTERNAL bp_status bp_top_k_list_merge(bp_object *dst, const bp_object *src,
                                          bp_detail *why);
BP_INTERNAL bp_status bp_top_k_list_settle(bp_object *o, bp_detail *why);
/* The index anew, after the cells were filled or moved about; room for `keys`. */
BP_INTERNAL bp_status bp_top_k_list_index(bp_object *o, uint64_t keys, bp_detail *why);
BP_INTERNAL void bp_top_k_list_drop(bp_object *o);
/* The rows in the order of their keys' bytes. */
BP_INTERNAL void bp_top_k_list_put(const bp_object *o, uint8_t *payload, size_t size);
BP_INTERNAL bp_status bp_top_k_list_check(const top_k_head *h, const uint8_t *payload,
                                          size_t n, bp_detail *why);
BP_INTERNAL bp_status bp_top_k_list_get(bp_object *o, const uint8_t *payload, size_t n,
                                        bp_detail *why);
BP_INTERNAL size_t bp_top_k_list_memory(const bp_object *o);

/* top_k_table.c: candidates in front of a Count-Min. */
BP_INTERNAL uint32_t bp_top_k_most(uint32_t k, uint64_t memory);
/* With no candidates. Takes over `counts`, also when it fails; NULL: makes one. */
BP_INTERNAL bp_status bp_top_k_table_new(top_k_table **out, const bp_object *o,
                                         bp_count_min *counts, bp_detail *why);
BP_INTERNAL void bp_top_k_table_free(top_k_table *t);
BP_INTERNAL bp_status bp_top_k_table_clone(top_k_table **out, const top_k_table *t,
                                           bp_detail *why);
BP_INTERNAL bool bp_top_k_table_walk(const top_k_table *t, uint64_t *at, top_k_row *row);
BP_INTERNAL bool bp_top_k_table_find(const top_k_table *t, uint64_t hash,
                                     const uint8_t *key, size_t n, top_k_row *row);
/* An upper bound for a key that is no candidate. */
BP_INTERNAL uint64_t bp_top_k_table_count(const top_k_table *t, uint64_t hash);
/* Adds up to TOP_K_BLOCK keys one after another; *done of them when memory ends. No
 * weight may be 0, and several only while they cannot saturate what is counted. */
BP_INTERNAL bp_status bp_top_k_table_add(top_k_table *t, const uint64_t *hashes,
                                         const bp_bytes *keys, const uint64_t *by,
                                         size_t n, size_t *done, bp_detail *why);
BP_INTERNAL bp_status bp_top_k_table_add_one(top_k_table *t, uint64_t hash, bp_bytes key,
                                             uint64_t by, bp_detail *why);
/* n candidates with key_bytes of keys are not too many. */
BP_INTERNAL bool bp_top_k_table_holds(const top_k_table *t, uint64_t n,
                                      uint64_t key_bytes);
BP_INTERNAL bp_status bp_top_k_table_reserve(top_k_table *t, uint32_t cap,
                                             bp_detail *why);
/* Makes the row, which is not one yet, a candidate; there must be room. */
BP_INTERNAL bp_status bp_top_k_table_take(top_k_table *t, const top_k_row *row,
                                          bp_detail *why);
/* Counts a row that is no candidate (any more) in the table. */
BP_INTERNAL void bp_top_k_table_sink(top_k_table *t, const top_k_row *row);
BP_INTERNAL void bp_top_k_table_settle(top_k_table *t);
BP_INTERNAL uint64_t bp_top_k_table_memory(const top_k_table *t);
BP_INTERNAL bp_status bp_top_k_table_size(const top_k_table *t, const top_k_head *h,
                                          uint64_t *size, bp_detail *why);
BP_INTERNAL bp_status bp_top_k_table_put(const top_k_table *t, const top_k_head *h,
                                         uint8_t *payload, size_t size, bp_detail *why);
BP_INTERNAL bp_status bp_top_k_table_check(const top_k_head *h, const uint8_t *payload,
                                           size_t n, bp_detail *why);
BP_INTERNAL bp_status bp_top_k_table_get(bp_object *o, const uint8_t *payload, size_t n,
                                         bp_detail *why);

/* top_k_merge.c: a new table that has seen what a and b have (b may be NULL or a). */
BP_INTERNAL bp_status bp_top_k_join(top_k_table **out, const bp_object *a,
                                    const bp_object *b, bp_detail *why);

#endif
