/* SPDX-License-Identifier: MIT
 * top_k_bytes.c - the payload of a sketch with a table: see FORMAT.md.
 *
 *    0   8   T, bytes of the encoded count_min
 *    8   8   mass counted in the table
 *   16   8   n, candidates
 *   24  40   zero
 *   64   T   the table: a whole sketch of kind count_min, with its own checksums
 *   64+T     n candidates in the order of their keys' bytes: counted since it was
 *            admitted (8), what the table said then (8), length of the key (4), its
 *            hash (8, keyed hashes only), the key */
#include "compound/top_k/top_k_state.h"

#include "parts/order.h"

static size_t row_head(const top_k_head *h)
{
    return TOP_K_CANDIDATE + top_k_kept_hash(h);
}

bp_status bp_top_k_table_size(const top_k_table *t, const top_k_head *h, uint64_t *size,
                              bp_detail *why)
{
    size_t table = 0;
    bp_status st = bp_count_min_encode(t->counts, NULL, 0, &table, why);
    *size =
        TOP_K_TABLE_AT + (uint64_t)table + (uint64_t)t->n * row_head(h) + t->key_bytes;
    return st;
}

static bool by_key(const void *ctx, const void *a, const void *b)
{
    const top_k_table *t = (const top_k_table *)ctx;
    const top_k_candidate *x = &t->candidates[bp_load64(a)];
    const top_k_candidate *y = &t->candidates[bp_load64(b)];
    return bp_top_k_compare(top_k_key_of(x), x->len, top_k_key_of(y), y->len) < 0;
}

static void put_candidate(const top_k_head *h, const top_k_candidate *c, bp_writer *w)
{
    bp_put64(w, c->since);
    bp_put64(w, c->base);
    bp_put32(w, c->len);
    if (top_k_kept_hash(h))
        bp_put64(w, c->hash);
    bp_put(w, top_k_key_of(c), c->len);
}

/* As in the list, what is sorted lies in the last bytes of the payload itself. */
static void put_candidates(const top_k_table *t, const top_k_head *h, uint8_t *out,
                           size_t size)
{
    uint8_t *sorted = out + size - (size_t)t->n * 8;
    const bp_order order = {8, t, by_key};
    bp_writer w = bp_write(out, size);
    for (uint32_t i = 0; i < t->n; i++)
        bp_store64(sorted + (size_t)i * 8, t->heap[i].at);
    bp_order_sort(&order, sorted, t->n);
    for (uint32_t i = 0; i < t->n; i++)
        put_candidate(h, &t->candidates[bp_load64(sorted + (size_t)i * 8)], &w);
}

bp_status bp_top_k_table_put(const top_k_table *t, const top_k_head *h, uint8_t *payload,
                             size_t size, bp_detail *why)
{
    size_t table = 0;
    bp_status st = bp_count_min_encode(t->counts, payload + TOP_K_TABLE_AT,
                                       size - TOP_K_TABLE_AT, &table, why);
    if (st)
        return st;
    memset(payload, 0, TOP_K_TABLE_AT);
    bp_store64(payload, table);
    bp_store64(payload + 8, t->tail);
    bp_store64(payload + 16, t->n);
    put_candidates(t, h, payload + TOP_K_TABLE_AT + table, size - TOP_K_TABLE_AT - table);
    return BP_OK;
}

/* --------------------------------------------------------------------------- reading */

static bool read_candidate(const top_k_head *h, bp_reader *r, top_k_row *row)
{
    row->since = bp_get64(r);
    row->base = bp_get64(r);
    row->len = bp_get32(r);
    row->hash = top_k_kept_hash(h) ? bp_get64(r) : 0;
    row->key = bp_get(r, row->len);
    return !r->short_;
}

static bp_status check_front(const uint8_t *payload, size_t n, bp_detail *why)
{
    for (size_t i = 24; i < TOP_K_TABLE_AT; i++)
        if (payload[i])
            return bp_fail_at(why, BP_CORRUPT, "reserved bytes are not zero", i,
                              payload[i], 0);
    if (bp_load64(payload) > n - TOP_K_TABLE_AT)
        return bp_fail_at(why, BP_CORRUPT, "the table is longer than what is left", 0,
                          bp_load64(payload), n - TOP_K_TABLE_AT);
    return BP_OK;
}

/* The candidates alone: as many as stated, in order, none twice, none uncounted. */
static bp_status check_candidates(const top_k_head *h, bp_reader *r, uint64_t n,
                                  uint64_t from, bp_detail *why)
{
    const top_k_table limits = {
        .memory = h->memory, .k = h->k, .most = bp_top_k_most(h->k, h->memory)};
    top_k_row row, last = {NULL, 0, 0, 0, 0};
    uint64_t bytes = 0, i = 0;
    for (; bp_left(r); i++, last = row) {
        const uint64_t at = from + r->at;
        if (!read_candidate(h, r, &row) || row.len > TOP_K_KEY_MAX)
            return bp_fail_at(why, BP_CORRUPT, "a candidate is cut short", at, 0, 0);
        if (row.since == 0)
            return bp_fail_at(why, BP_CORRUPT, "a candidate that never came", at, 0, 1);
        if (i && bp_top_k_compare(last.key, last.len, row.key, row.len) >= 0)
            return bp_fail_at(why, BP_CORRUPT, "keys are not in order", at, 0, 0);
        bytes += row.len;
    }
    if (i != n || n == 0)
        return bp_fail_at(why, BP_CORRUPT, "not as many candidates as stated", 16, n, i);
    if (!bp_top_k_table_holds(&limits, n, bytes))
        return bp_fail_at(why, BP_CORRUPT, "more candidates than are kept", 16, n,
                          limits.most);
    return BP_OK;
}

bp_status bp_top_k_table_check(const top_k_head *h, const uint8_t *payload, size_t n,
                               bp_detail *why)
{
    bp_status st = check_front(payload, n, why);
    if (st)
        return st;
    const uint64_t from = TOP_K_TABLE_AT + bp_load64(payload);
    bp_reader r = bp_read(payload + from, n - (size_t)from);
    return check_candidates(h, &r, bp_load64(payload + 16), from, why);
}

/* The table must be the one this sketch would have made. */
static bp_status check_table(const top_k_head *h, const bp_count_min *counts,
                             uint64_t tail, bp_detail *why)
{
    bp_count_min_config c;
    bp_count_min_config_of(counts, &c);
    const uint64_t width = h->memory / 8 / h->depth;
    if (c.width != width || c.depth != h->depth)
        return bp_fail_at(why, BP_CORRUPT, "the table is not of the size stated",
                          TOP_K_TABLE_AT, c.width, width);
    if (c.counter_bits != 64 || !c.conservative || c.hash.id != h->base.hash.id ||
        c.hash.seed != h->base.hash.seed)
        return bp_fail_at(why, BP_CORRUPT, "the table is of another sort", TOP_K_TABLE_AT,
                          0, 0);
    if (bp_count_min_total(counts) > tail)
        return bp_fail_at(why, BP_CORRUPT, "the table holds more than was counted in it",
                          8, tail, bp_count_min_total(counts));
    return BP_OK;
}

static bp_status open_table(const bp_object *o, const uint8_t *payload,
                            bp_count_min **counts, bp_detail *why)
{
    const top_k_head *h = top_k_head_of(o);
    const bool keyed = top_k_kept_hash(h) && !h->base.keyless;
    const bp_open how = {.alloc = o->alloc,
                         .key = keyed ? h->base.hash.key : NULL,
                         .flags = h->base.keyless ? BP_OPEN_KEYLESS : 0};
    bp_status st = bp_count_min_decode(counts, payload + TOP_K_TABLE_AT,
                                       (size_t)bp_load64(payload), &how, why);
    if (st) {
        if (why)
            why->at += TOP_K_TABLE_AT;
        return st;
    }
    st = check_table(h, *counts, bp_load64(payload + 8), why);
    if (st) {
        bp_count_min_free(*counts);
        *counts = NULL;
    }
    return st;
}

/* One candidate; `at` is where it lies in the payload. */
static bp_status get_candidate(top_k_table *t, const top_k_head *h, top_k_row *row,
                               uint64_t at, bp_detail *why)
{
    const uint64_t kept = row->hash;
    if (!h->base.keyless)
        row->hash = bp_hash(&h->base.hash, row->key, row->len);
    if (top_k_kept_hash(h) && row->hash != kept)
        return bp_fail_at(why, BP_CORRUPT, "a hash that is not its key's",
                          at + TOP_K_CANDIDATE, 0, 0);
    const uint64_t there = bp_top_k_table_count(t, row->hash);
    if (row->base > there)
        return bp_fail_at(why, BP_CORRUPT, "the table never said so much", at + 8,
                          row->base, there);
    return bp_top_k_table_take(t, row, why);
}

static bp_status get_candidates(bp_object *o, top_k_table *t, const uint8_t *payload,
                                size_t n, bp_detail *why)
{
    top_k_head *h = top_k_head_of(o);
    const uint64_t from = TOP_K_TABLE_AT + bp_load64(payload);
    bp_reader r = bp_read(payload + from, n - (size_t)from);
    t->tail = bp_load64(payload + 8);
    h->total = t->tail;
    bp_status st = bp_top_k_table_reserve(t, (uint32_t)bp_load64(payload + 16), why);
    while (!st && bp_left(&r)) {
        top_k_row row;
        const uint64_t at = from + r.at;
        read_candidate(h, &r, &row);
        h->total = bp_add_sat64(h->total, row.since);
        st = get_candidate(t, h, &row, at, why);
    }
    return st;
}

bp_status bp_top_k_table_get(bp_object *o, const uint8_t *payload, size_t n,
                             bp_detail *why)
{
    bp_count_min *counts = NULL;
    top_k_table *t = NULL;
    bp_status st = open_table(o, payload, &counts, why);
    if (!st)
        st = bp_top_k_table_new(&t, o, counts, why);
    if (st)
        return st;
    st = get_candidates(o, t, payload, n, why);
    if (st) {
        bp_top_k_table_free(t);
        return st;
    }
    top_k_head_of(o)->more = t;
    return BP_OK;
}
