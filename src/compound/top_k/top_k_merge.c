/* SPDX-License-Identifier: MIT
 * top_k_merge.c - two sketches into one table, and a list into a table: the same work.
 *
 * A list is a table in which nothing was counted yet and every key is a candidate. The
 * union of the candidates is walked: a key that only one side knows gets, for the other
 * side, what the other's table says of it, which is never too low. The strongest stay
 * candidates; the rest sink into the sum of the tables. Sinking raises counters to a
 * value: the counters depend on no order, but what was added to them in all does, so it
 * is done in the order of the hashes and the result is the same whoever merges whom. */
#include "compound/top_k/top_k_state.h"

#include "parts/order.h"

/* A walk over the union: a's keys, then those of b that a does not have. */
typedef struct both {
    const bp_object *a;
    const bp_object *b; /* NULL: nothing */
    uint64_t at;
    bool in_b;
} both;

static uint64_t elsewhere(const bp_object *o, uint64_t hash)
{
    const top_k_head *h = top_k_head_of(o);
    return h->in_table ? bp_top_k_table_count((const top_k_table *)h->more, hash) : 0;
}

/* Adds what `other` knows of the row; true when it is a row there too. */
static bool add_other(const bp_object *other, top_k_row *row)
{
    top_k_row twin;
    const bool is_there = bp_top_k_find(other, row->hash, row->key, row->len, &twin);
    row->base =
        bp_add_sat64(row->base, is_there ? twin.base : elsewhere(other, row->hash));
    row->since = bp_add_sat64(row->since, is_there ? twin.since : 0);
    return is_there;
}

static bool next_of(both *u, top_k_row *row)
{
    if (!u->in_b && bp_top_k_walk(u->a, &u->at, row)) {
        row->hash = bp_top_k_hash_of(top_k_head_of(u->a), row);
        if (u->b)
            add_other(u->b, row);
        return true;
    }
    if (!u->in_b)
        u->at = 0;
    u->in_b = true;
    while (u->b && bp_top_k_walk(u->b, &u->at, row)) {
        row->hash = bp_top_k_hash_of(top_k_head_of(u->b), row);
        if (!add_other(u->a, row))
            return true;
    }
    return false;
}

static bool before(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return bp_top_k_before((const top_k_row *)a, (const top_k_row *)b);
}

static const bp_order listing = {sizeof(top_k_row), NULL, before};

/* The sum of the tables; NULL where neither side has one yet. */
static bp_status join_counts(bp_count_min **out, const top_k_table *a,
                             const top_k_table *b, bp_detail *why)
{
    const top_k_table *either = a ? a : b;
    *out = NULL;
    if (!either)
        return BP_OK;
    bp_status st = bp_count_min_clone(out, either->counts, why);
    if (!st && a && b)
        st = bp_count_min_merge(*out, b->counts, why);
    if (st) {
        bp_count_min_free(*out);
        *out = NULL;
    }
    return st;
}

static const top_k_table *table_of(const bp_object *o)
{
    return o && top_k_head_of(o)->in_table ? (const top_k_table *)top_k_head_of(o)->more
                                           : NULL;
}

static uint64_t rows_of(const bp_object *o)
{
    if (!o)
        return 0;
    return table_of(o) ? table_of(o)->n : top_k_head_of(o)->keys;
}

/* The candidates: the strongest of the union's *all, in order, as many as there may be.
 * Room for `most` is in best; returns how many. */
static size_t choose(const top_k_table *t, const bp_object *a, const bp_object *b,
                     top_k_row *best, size_t most, uint64_t *all)
{
    both u = {a, b, 0, false};
    top_k_row row;
    size_t n = 0;
    for (*all = 0; next_of(&u, &row); ++*all)
        bp_order_offer(&listing, best, most, &n, &row);
    bp_order_sort(&listing, best, n);
    uint64_t bytes = 0;
    for (size_t i = 0; i < n; i++) {
        bytes += best[i].len;
        if (!bp_top_k_table_holds(t, i + 1, bytes))
            return i;
    }
    return n;
}

/* What sinking needs to know of a row. */
typedef struct sinking {
    uint64_t hash;
    uint64_t base;
    uint64_t since;
} sinking;

static bool hash_before(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return ((const sinking *)a)->hash < ((const sinking *)b)->hash;
}

/* Sinks the rows of the union that are listed after `last`: there are n. */
static bp_status sink_rest(top_k_table *t, const bp_object *a, const bp_object *b,
                           const top_k_row *last, size_t n, bp_detail *why)
{
    static const bp_order by_hash = {sizeof(sinking), NULL, hash_before};
    if (n == 0)
        return BP_OK;
    sinking *rest = NULL;
    if (n < SIZE_MAX / sizeof *rest)
        rest = (sinking *)bp_allocate(&a->alloc, n * sizeof *rest);
    if (!rest)
        return bp_fail(why, BP_NOMEM, "out of memory", 0, n);
    both u = {a, b, 0, false};
    top_k_row row;
    size_t m = 0;
    while (next_of(&u, &row))
        if (bp_top_k_before(last, &row))
            rest[m++] = (sinking){row.hash, row.base, row.since};
    bp_order_sort(&by_hash, rest, m);
    for (size_t i = 0; i < m; i++) {
        row = (top_k_row){NULL, 0, rest[i].hash, rest[i].base, rest[i].since};
        bp_top_k_table_sink(t, &row);
    }
    bp_release(&a->alloc, rest, n * sizeof *rest);
    return BP_OK;
}

static bp_status fill(top_k_table *t, const bp_object *a, const bp_object *b,
                      top_k_row *best, size_t most, bp_detail *why)
{
    uint64_t all;
    const size_t n = choose(t, a, b, best, most, &all);
    bp_status st = bp_top_k_table_reserve(t, (uint32_t)n, why);
    for (size_t i = 0; !st && i < n; i++)
        st = bp_top_k_table_take(t, &best[i], why);
    return st ? st : sink_rest(t, a, b, &best[n - 1], (size_t)(all - n), why);
}

bp_status bp_top_k_join(top_k_table **out, const bp_object *a, const bp_object *b,
                        bp_detail *why)
{
    *out = NULL;
    bp_count_min *counts;
    top_k_table *t = NULL;
    const top_k_table *ta = table_of(a), *tb = table_of(b);
    bp_status st = join_counts(&counts, ta, tb, why);
    if (!st)
        st = bp_top_k_table_new(&t, a, counts, why);
    if (st)
        return st;
    t->tail = bp_add_sat64(ta ? ta->tail : 0, tb ? tb->tail : 0);
    const uint64_t rows = rows_of(a) + rows_of(b);
    const size_t most = rows < t->most ? (size_t)rows : t->most;
    if (most) {
        top_k_row *best = (top_k_row *)bp_allocate(&a->alloc, most * sizeof *best);
        st = best ? fill(t, a, b, best, most, why)
                  : bp_fail(why, BP_NOMEM, "out of memory", 0, most * sizeof *best);
        bp_release(&a->alloc, best, most * sizeof *best);
    }
    if (st)
        bp_top_k_table_free(t);
    else
        *out = t;
    return st;
}
