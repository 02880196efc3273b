/* SPDX-License-Identifier: MIT
 * top_k_list.c - top-k while every key is kept: a list and, when it is long, an index.
 *
 * The cells are the rows one after another, just as the payload has them except for
 * their order: count (8), length of the key (4), its hash (8, keyed hashes only), the
 * key. Up to INDEX_FROM rows are looked through; from there on slots hold offsets. */
#include "compound/top_k/top_k_state.h"

#include "parts/order.h"

enum { INDEX_FROM = 16 };

static const uint64_t nowhere = UINT64_MAX;

static size_t row_head(const top_k_head *h)
{
    return TOP_K_ROW + top_k_kept_hash(h);
}

static void read_row(const top_k_head *h, const uint8_t *p, top_k_row *row)
{
    *row = (top_k_row){.key = p + row_head(h),
                       .len = bp_load32(p + 8),
                       .hash = top_k_kept_hash(h) ? bp_load64(p + 12) : 0,
                       .base = 0,
                       .since = bp_load64(p)};
}

bool bp_top_k_list_walk(const bp_object *o, uint64_t *at, top_k_row *row)
{
    if (*at >= o->cells_size)
        return false;
    read_row(top_k_head_of(o), o->cells + *at, row);
    *at += row_head(top_k_head_of(o)) + row->len;
    return true;
}

/* --------------------------------------------------------------------------- finding */

static bp_slots slots_of(const top_k_head *h)
{
    top_k_index *x = (top_k_index *)h->more;
    return (bp_slots){x->words, x->mask};
}

static bool is_row(const bp_object *o, uint64_t at, const uint8_t *key, size_t n)
{
    const uint8_t *p = o->cells + at;
    return bp_load32(p + 8) == n &&
           (n == 0 || memcmp(p + row_head(top_k_head_of(o)), key, n) == 0);
}

static uint64_t find(const bp_object *o, uint64_t hash, const uint8_t *key, size_t n)
{
    const top_k_head *h = top_k_head_of(o);
    if (!h->more) {
        for (uint64_t at = 0; at < o->cells_size;) {
            if (is_row(o, at, key, n))
                return at;
            at += row_head(h) + bp_load32(o->cells + at + 8);
        }
        return nowhere;
    }
    const bp_slots s = slots_of(h);
    uint64_t ref, slot = bp_slots_home(s, hash);
    for (; bp_slots_seek(s, hash, &slot, &ref); slot = (slot + 1) & s.mask)
        if (is_row(o, ref, key, n))
            return ref;
    return nowhere;
}

bool bp_top_k_list_find(const bp_object *o, uint64_t hash, const uint8_t *key, size_t n,
                        top_k_row *row)
{
    const uint64_t at = find(o, hash, key, n);
    if (at == nowhere)
        return false;
    read_row(top_k_head_of(o), o->cells + at, row);
    return true;
}

void bp_top_k_list_prefetch(const bp_object *o, uint64_t hash)
{
    const top_k_head *h = top_k_head_of(o);
    if (h->more)
        BP_PREFETCH(slots_of(h).words + bp_slots_home(slots_of(h), hash));
}

/* --------------------------------------------------------------------------- growing */

static size_t index_size(uint64_t slots)
{
    return sizeof(top_k_index) + (size_t)slots * 8;
}

void bp_top_k_list_drop(bp_object *o)
{
    top_k_head *h = top_k_head_of(o);
    top_k_index *x = (top_k_index *)h->more;
    if (x)
        bp_release(&o->alloc, x, index_size(x->mask + 1));
    h->more = NULL;
}

size_t bp_top_k_list_memory(const bp_object *o)
{
    const top_k_index *x = (const top_k_index *)top_k_head_of(o)->more;
    return x ? index_size(x->mask + 1) : 0;
}

static void fill_index(bp_object *o)
{
    top_k_head *h = top_k_head_of(o);
    const bp_slots s = slots_of(h);
    memset(s.words, 0, (size_t)(s.mask + 1) * 8);
    top_k_row row;
    for (uint64_t at = 0, next = 0; bp_top_k_list_walk(o, &next, &row); at = next)
        bp_slots_insert(s, bp_top_k_hash_of(h, &row), at);
}

bp_status bp_top_k_list_index(bp_object *o, uint64_t keys, bp_detail *why)
{
    if (keys <= INDEX_FROM)
        return BP_OK;
    const uint64_t slots = bp_slots_for(keys);
    top_k_index *x = NULL;
    if (slots < SIZE_MAX / 16)
        x = (top_k_index *)bp_allocate(&o->alloc, index_size(slots));
    if (!x)
        return bp_fail(why, BP_NOMEM, "out of memory", 0, slots);
    bp_top_k_list_drop(o);
    x->mask = slots - 1;
    top_k_head_of(o)->more = x;
    fill_index(o);
    return BP_OK;
}

/* Room for `keys` in the index and `bytes` in the cells; what is there stays. */
static bp_status reserve(bp_object *o, uint64_t keys, size_t bytes, bp_detail *why)
{
    const top_k_index *x = (const top_k_index *)top_k_head_of(o)->more;
    bp_status st = BP_OK;
    if (keys > INDEX_FROM && (!x || (x->mask + 1) * 2 < keys * 3))
        st = bp_top_k_list_index(o, keys + keys / 4, why);
    if (st || bytes <= o->cells_cap)
        return st;
    const size_t used = o->cells_size;
    const size_t grown = bytes < 256 ? (size_t)bp_round_up(bytes, 16) : bytes + bytes / 2;
    st = bp_object_resize(o, grown, why);
    return st ? st : bp_object_resize(o, used, why);
}

static void append(bp_object *o, uint64_t hash, const uint8_t *key, size_t n, uint64_t by)
{
    top_k_head *h = top_k_head_of(o);
    const size_t at = o->cells_size;
    uint8_t *p = o->cells + at;
    bp_store64(p, by);
    bp_store32(p + 8, (uint32_t)n);
    if (top_k_kept_hash(h))
        bp_store64(p + 12, hash);
    if (n)
        memcpy(p + row_head(h), key, n);
    o->cells_size += row_head(h) + n;
    h->keys++;
    if (h->more)
        bp_slots_insert(slots_of(h), hash, at);
}

/* Bytes there may be, of the list and of this machine. */
static uint64_t most_bytes(const top_k_head *h)
{
    return h->memory < SIZE_MAX / 8 ? h->memory : SIZE_MAX / 8;
}

bp_status bp_top_k_list_add(bp_object *o, uint64_t hash, const uint8_t *key, size_t n,
                            uint64_t by, bp_detail *why)
{
    const uint64_t at = find(o, hash, key, n);
    if (at != nowhere) {
        bp_store64(o->cells + at, bp_add_sat64(bp_load64(o->cells + at), by));
        return BP_OK;
    }
    const top_k_head *h = top_k_head_of(o);
    const uint64_t bytes = (uint64_t)o->cells_size + row_head(h) + n;
    if (bytes > most_bytes(h))
        return BP_FULL;
    bp_status st = reserve(o, h->keys + 1, (size_t)bytes, why);
    if (!st)
        append(o, hash, key, n, by);
    return st;
}

/* --------------------------------------------------------------------------- merging */

bp_status bp_top_k_list_merge(bp_object *dst, const bp_object *src, bp_detail *why)
{
    const top_k_head *h = top_k_head_of(src);
    uint64_t bytes = dst->cells_size, keys = top_k_head_of(dst)->keys, at = 0;
    top_k_row row, mine;
    while (bp_top_k_list_walk(src, &at, &row))
        if (!bp_top_k_list_find(dst, bp_top_k_hash_of(h, &row), row.key, row.len,
                                &mine)) {
            bytes += row_head(h) + row.len;
            keys++;
        }
    if (bytes > most_bytes(h))
        return BP_FULL;
    bp_status st = reserve(dst, keys, (size_t)bytes, why);
    if (st)
        return st;
    for (at = 0; bp_top_k_list_walk(src, &at, &row);)
        bp_top_k_list_add(dst, bp_top_k_hash_of(h, &row), row.key, row.len, row.since,
                          NULL);
    return BP_OK;
}

/* ---------------------------------------------------------------------------- orders */

static bool by_key(const void *ctx, const void *a, const void *b)
{
    const bp_object *o = (const bp_object *)ctx;
    top_k_row x, y;
    read_row(top_k_head_of(o), o->cells + bp_load64(a), &x);
    read_row(top_k_head_of(o), o->cells + bp_load64(b), &y);
    return bp_top_k_compare(x.key, x.len, y.key, y.len) < 0;
}

static bool by_count(const void *ctx, const void *a, const void *b)
{
    const bp_object *o = (const bp_object *)ctx;
    top_k_row x, y;
    read_row(top_k_head_of(o), o->cells + bp_load64(a), &x);
    read_row(top_k_head_of(o), o->cells + bp_load64(b), &y);
    return bp_top_k_before(&x, &y);
}

/* Writes the rows in order to out, which has room for just them. Their offsets are
 * sorted in the last bytes of out: a row takes more room than an offset, so that those
 * still to come are never written over. */
static void write_in_order(const bp_object *o, uint8_t *out, size_t size,
                           bool (*before)(const void *, const void *, const void *))
{
    const size_t n = (size_t)top_k_head_of(o)->keys;
    uint8_t *offsets = out + size - n * 8;
    const bp_order order = {8, o, before};
    top_k_row row;
    uint64_t next = 0, at = 0;
    for (size_t i = 0; bp_top_k_list_walk(o, &next, &row); i++, at = next)
        bp_store64(offsets + i * 8, at);
    bp_order_sort(&order, offsets, n);
    for (size_t i = 0; i < n; i++) {
        const uint8_t *from = o->cells + bp_load64(offsets + i * 8);
        const size_t bytes = row_head(top_k_head_of(o)) + bp_load32(from + 8);
        memcpy(out, from, bytes);
        out += bytes;
    }
}

bp_status bp_top_k_list_settle(bp_object *o, bp_detail *why)
{
    if (o->cells_size == 0)
        return BP_OK;
    uint8_t *sorted = (uint8_t *)bp_allocate(&o->alloc, o->cells_size);
    if (!sorted)
        return bp_fail(why, BP_NOMEM, "out of memory", 0, o->cells_size);
    write_in_order(o, sorted, o->cells_size, by_count);
    memcpy(o->cells, sorted, o->cells_size);
    bp_release(&o->alloc, sorted, o->cells_size);
    if (top_k_head_of(o)->more)
        fill_index(o);
    return BP_OK;
}

/* ----------------------------------------------------------------------------- bytes */

void bp_top_k_list_put(const bp_object *o, uint8_t *payload, size_t size)
{
    if (size)
        write_in_order(o, payload, size, by_key);
}

/* Rows within n, in order, none twice, none of nothing. */
bp_status bp_top_k_list_check(const top_k_head *h, const uint8_t *payload, size_t n,
                              bp_detail *why)
{
    const size_t head = row_head(h);
    top_k_row row, last = {NULL, 0, 0, 0, 0};
    for (size_t at = 0; at < n; at += head + row.len) {
        if (n - at < head)
            return bp_fail_at(why, BP_CORRUPT, "a row is cut short", at, n - at, head);
        read_row(h, payload + at, &row);
        if (row.len > TOP_K_KEY_MAX || row.len > n - at - head)
            return bp_fail_at(why, BP_CORRUPT, "a key is longer than what is left",
                              at + 8, row.len, n - at - head);
        if (row.since == 0)
            return bp_fail_at(why, BP_CORRUPT, "a key that never came", at, 0, 1);
        if (at && bp_top_k_compare(last.key, last.len, row.key, row.len) >= 0)
            return bp_fail_at(why, BP_CORRUPT, "keys are not in order", at + head, 0, 0);
        last = row;
    }
    return BP_OK;
}

bp_status bp_top_k_list_get(bp_object *o, const uint8_t *payload, size_t n,
                            bp_detail *why)
{
    bp_status st = bp_object_resize(o, n, why);
    if (st)
        return st;
    if (n)
        memcpy(o->cells, payload, n);
    top_k_head *h = top_k_head_of(o);
    top_k_row row;
    for (uint64_t at = 0; bp_top_k_list_walk(o, &at, &row); h->keys++) {
        h->total = bp_add_sat64(h->total, row.since);
        if (top_k_kept_hash(h) && !h->base.keyless &&
            row.hash != bp_hash(&h->base.hash, row.key, row.len))
            return bp_fail_at(why, BP_CORRUPT, "a hash that is not its key's",
                              (uint64_t)(row.key - 8 - o->cells), 0, 0);
    }
    return bp_top_k_list_index(o, h->keys, why);
}
