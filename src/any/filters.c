/* SPDX-License-Identifier: MIT
 * filters.c - asking, filling and emptying a filter of unknown kind.
 *
 * Keys, numbers and hashes come to the same: a block of hashes at a time, for which the
 * kind answers with a byte each, packed into a bitmap here. Blocks are whole bytes of
 * it, so that nothing is carried from one to the next. */
#include "core/object.h"
#include "hash/hash.h"

#include <ballpark/any.h>

/* Where hashes come from: one of the three. */
typedef struct source {
    const uint64_t *hashes;
    const bp_bytes *keys;
    const uint8_t *column;
    bp_int_type type;
} source;

typedef struct block {
    const uint64_t *hashes;
    uint64_t room[BP_HASH_BATCH];
    uint8_t flags[BP_HASH_BATCH];
} block;

/* The one thing that differs: n hashes in, *done dealt with, flags of them set. */
typedef bp_status step(bp_object *o, block *b, size_t n, size_t *done, bp_detail *why);

static void fetch(const bp_object *o, const source *from, size_t at, size_t n, block *b)
{
    const bp_hash_spec *spec = &((const bp_head *)o->head)->hash;
    b->hashes = from->hashes ? from->hashes + at : b->room;
    if (from->keys)
        bp_hash_n(spec, from->keys + at, n, b->room);
    else if (from->column)
        bp_hash_ints(spec, from->column + at * bp_hash_int_size(from->type), from->type,
                     n, b->room, NULL);
}

/* n bytes of 0 or 1 to bits, eight by one multiplication; returns how many are 1. */
static size_t pack(const uint8_t *flags, size_t n, uint8_t *bits)
{
    size_t ones = 0;
    for (size_t i = 0; i < n; i += 8) {
        uint8_t eight[8] = {0};
        memcpy(eight, flags + i, n - i < 8 ? n - i : 8);
        const uint64_t word = bp_load64(eight);
        ones += (size_t)(word * UINT64_C(0x0101010101010101) >> 56);
        if (bits)
            bits[i / 8] = (uint8_t)(word * UINT64_C(0x0102040810204080) >> 56);
    }
    return ones;
}

/* All n through `each`; *done and *ones even when it stops half way. */
static bp_status in_blocks(bp_object *o, const source *from, size_t n, step *each,
                           uint8_t *bits, size_t *done, size_t *ones, bp_detail *why)
{
    block b;
    bp_status st = BP_OK;
    *done = *ones = 0;
    while (*done < n && !st) {
        const size_t m = n - *done < BP_HASH_BATCH ? n - *done : BP_HASH_BATCH;
        size_t did = 0;
        fetch(o, from, *done, m, &b);
        st = each(o, &b, m, &did, why);
        *ones += pack(b.flags, did, bits ? bits + *done / 8 : NULL);
        *done += did;
    }
    return st;
}

static bp_status has_block(bp_object *o, block *b, size_t n, size_t *done, bp_detail *why)
{
    (void)why;
    o->kind->has_hashes(o, b->hashes, n, b->flags);
    *done = n;
    return BP_OK;
}

static bp_status add_block(bp_object *o, block *b, size_t n, size_t *done, bp_detail *why)
{
    return o->kind->add_new(o, b->hashes, n, b->flags, done, why);
}

static bp_status remove_block(bp_object *o, block *b, size_t n, size_t *done,
                              bp_detail *why)
{
    return o->kind->remove_hashes(o, b->hashes, n, b->flags, done, why);
}

static bp_status unsupported(bp_detail *why, const char *what)
{
    return bp_fail(why, BP_UNSUPPORTED, what, 0, 0);
}

static const char no_filter[] = "this kind does not say whether a key is in";

/* A filter whose secret key is not known takes hashes only. */
static bp_status check_key(const bp_object *o, const source *from, bp_detail *why)
{
    if (!from->hashes && ((const bp_head *)o->head)->keyless)
        return unsupported(why, "opened without its key: only hashes can be dealt with");
    return BP_OK;
}

static bp_status check_type(const source *from, bp_detail *why)
{
    return from->column ? bp_hash_ints(NULL, from->column, from->type, 0, NULL, why)
                        : BP_OK;
}

/* ------------------------------------------------------------------------- asking */

static void all_yes(size_t n, uint8_t *bits)
{
    if (!bits)
        return;
    memset(bits, 0xFF, n / 8);
    if (n % 8)
        bits[n / 8] = (uint8_t)((1u << n % 8) - 1);
}

static bp_status has(const bp_any *s, const source *from, size_t n, uint8_t *bits,
                     size_t *yes, bp_detail *why)
{
    bp_object *o = (bp_object *)s; /* has_block changes nothing */
    size_t done = n, ones = n;
    if (!o->kind->has_hashes)
        return unsupported(why, no_filter);
    const bp_status st = check_type(from, why);
    if (st)
        return st;
    if (check_key(o, from, NULL))
        all_yes(n, bits);
    else
        in_blocks(o, from, n, has_block, bits, &done, &ones, NULL);
    if (yes)
        *yes = ones;
    return BP_OK;
}

bp_status bp_any_has_n(const bp_any *s, const bp_bytes *keys, size_t n, uint8_t *bits,
                       size_t *yes, bp_detail *why)
{
    return has(s, &(source){.keys = keys}, n, bits, yes, why);
}

bp_status bp_any_has_hashes(const bp_any *s, const uint64_t *hashes, size_t n,
                            uint8_t *bits, size_t *yes, bp_detail *why)
{
    return has(s, &(source){.hashes = hashes}, n, bits, yes, why);
}

bp_status bp_any_has_ints(const bp_any *s, const void *column, bp_int_type type, size_t n,
                          uint8_t *bits, size_t *yes, bp_detail *why)
{
    return has(s, &(source){.column = (const uint8_t *)column, .type = type}, n, bits,
               yes, why);
}

bp_status bp_any_count(const bp_any *s, const void *key, size_t n, uint64_t *copies,
                       bp_detail *why)
{
    const bp_object *o = (const bp_object *)s;
    const bp_head *head = (const bp_head *)o->head;
    if (!o->kind->count_hash)
        return unsupported(why, "this kind does not count copies");
    if (head->keyless)
        return unsupported(why, "opened without its key: nothing to count with");
    *copies = o->kind->count_hash(o, bp_hash(&head->hash, key, n));
    return BP_OK;
}

bp_status bp_any_fpr(const bp_any *s, double *fpr, bp_detail *why)
{
    const bp_object *o = (const bp_object *)s;
    if (!o->kind->fpr)
        return unsupported(why, no_filter);
    *fpr = o->kind->fpr(o);
    return BP_OK;
}

/* ----------------------------------------------------------------------- changing */

static bp_status change(bp_any *s, const source *from, size_t n, step *each,
                        uint8_t *bits, size_t *done, bp_detail *why)
{
    bp_object *o = (bp_object *)s;
    size_t did = 0, ones = 0;
    bp_status st = check_type(from, why);
    if (!st)
        st = check_key(o, from, why);
    if (!st)
        st = in_blocks(o, from, n, each, bits, &did, &ones, why);
    if (done)
        *done = did;
    return st;
}

static bp_status add_new(bp_any *s, const source *from, size_t n, uint8_t *bits,
                         size_t *done, bp_detail *why)
{
    const bp_kind *k = ((bp_object *)s)->kind;
    if (!k->has_hashes)
        return unsupported(why, no_filter);
    if (!k->add_new)
        return unsupported(why,
                           "this kind is built from all its keys at once, not added to");
    return change(s, from, n, add_block, bits, done, why);
}

bp_status bp_any_add_new_n(bp_any *s, const bp_bytes *keys, size_t n, uint8_t *bits,
                           size_t *done, bp_detail *why)
{
    return add_new(s, &(source){.keys = keys}, n, bits, done, why);
}

bp_status bp_any_add_new_hashes(bp_any *s, const uint64_t *hashes, size_t n,
                                uint8_t *bits, size_t *done, bp_detail *why)
{
    return add_new(s, &(source){.hashes = hashes}, n, bits, done, why);
}

bp_status bp_any_add_new_ints(bp_any *s, const void *column, bp_int_type type, size_t n,
                              uint8_t *bits, size_t *done, bp_detail *why)
{
    return add_new(s, &(source){.column = (const uint8_t *)column, .type = type}, n, bits,
                   done, why);
}

static bp_status take_out(bp_any *s, const source *from, size_t n, uint8_t *bits,
                          size_t *done, bp_detail *why)
{
    if (!((bp_object *)s)->kind->remove_hashes)
        return unsupported(why, "nothing can be taken out of this kind");
    return change(s, from, n, remove_block, bits, done, why);
}

bp_status bp_any_remove_n(bp_any *s, const bp_bytes *keys, size_t n, uint8_t *bits,
                          size_t *done, bp_detail *why)
{
    return take_out(s, &(source){.keys = keys}, n, bits, done, why);
}

bp_status bp_any_remove_hashes(bp_any *s, const uint64_t *hashes, size_t n, uint8_t *bits,
                               size_t *done, bp_detail *why)
{
    return take_out(s, &(source){.hashes = hashes}, n, bits, done, why);
}

bp_status bp_any_report(bp_any *s, uint64_t strangers, uint64_t false_yes, bp_detail *why)
{
    return bp_object_report((bp_object *)s, strangers, false_yes, why);
}
