/* SPDX-License-Identifier: MIT
 * top_k.c - which keys come most often?
 *
 * Problem. A stream of n adds over more different keys than fit in memory; list the k
 * most frequent with a count each, and say how far each count can be wrong.
 *
 * Paper. Cormode and Muthukrishnan, J. Algorithms 55, 2005, section 4.1: a Count-Min and
 * a heap of the best; Estan and Varghese, SIGCOMM 2002, for the conservative update; and
 * Roy, Khan and Alonso, "Augmented Sketch", SIGMOD 2016, for what stands in front:
 *
 *     list     every key and its count: exact, while it fits in `memory` bytes
 *
 *     table    key -> candidates --- no ---> Count-Min of `memory` bytes
 *                     since, base            w = memory / 8 / d counters in d = 2 rows
 *
 * A key becomes a candidate when its count in the table, with this add, is above the
 * weakest candidate's: base = what the table said, since = what it has been counted from
 * then on, exactly and here alone. Whoever gives way has its counters raised to its value
 * base + since. There are more candidates than k (most = max(2k, 16, min(512, memory /
 * 256))), for recall, for merging, and because what they catch is cheap.
 *
 * Bounds. upper = base + since: for certain, as every counter of a key is at least what
 * was counted of it in the table. lower = since, for certain, or if larger
 *
 *     base + since - a N,   a = (1 - confidence)^(-1/d) / w
 *
 * where N is only what was counted in the table: on skewed streams a fraction of all.
 * It is Count-Min's bound for a key chosen before looking. For a list 1 - confidence is
 * divided by the rows asked for (Bonferroni), so that it holds for all keys together that
 * belong there; for one that got there by its collisions `since` is what is sure. It
 * leans on Markov's inequality with the others' shares of the table given, so it leaves
 * out what influence a key's own collisions have on who else is a candidate; tested as a
 * rate, for chosen keys and for whole lists.
 *
 * What we do differently. The textbook keeps the heap's keys in the table too: their
 * counts are the noise of all others. Here recall at 8 KiB of table on Zipf 1.1 is 100 of
 * 100 instead of 60 (tests print it), a heavy key's error is what it was when it was
 * admitted, and the usual add touches one slot and one candidate. Nothing depends on how
 * heap or slots lie, only on values and keys: batches, single adds, decoded and merged
 * sketches all give the same bytes. Merging adds the tables; a key that one side alone
 * knows gets the other's answer for it, so bounds stay certain.
 *
 * Two rows: with the heavy keys out of the table what is left is flat, and wide rows
 * serve it better than many (tests print that, too) in less time. 128 KiB and 512
 * candidates stay in the second cache beside what is being read. */
#include "compound/top_k/top_k_state.h"

#include "core/mathx.h"

#include <math.h>

BP_INTERNAL extern const bp_kind bp_kind_top_k;

enum {
    DEFAULT_K = 10,
    K_MAX = 1 << 20,
    DEFAULT_DEPTH = 2,
    DEPTH_MAX = 32,
    MEMORY_MIN = 256,
    PARAMS = 16
};
#define DEFAULT_MEMORY (UINT64_C(1) << 17)
#define MEMORY_MAX (UINT64_C(1) << 40)
#define MEMORY_PER_KEY 2048

static top_k_table *table_of(const bp_object *o)
{
    return (top_k_table *)top_k_head_of(o)->more;
}

/* ------------------------------------------------------------------------------ rows */

int bp_top_k_compare(const uint8_t *a, size_t an, const uint8_t *b, size_t bn)
{
    const size_t n = an < bn ? an : bn;
    const int c = n ? memcmp(a, b, n) : 0;
    return c ? c : (an > bn) - (an < bn);
}

bool bp_top_k_before(const top_k_row *a, const top_k_row *b)
{
    const uint64_t x = top_k_value(a), y = top_k_value(b);
    return x != y ? x > y : bp_top_k_compare(a->key, a->len, b->key, b->len) < 0;
}

uint64_t bp_top_k_hash_of(const top_k_head *h, const top_k_row *r)
{
    if (h->in_table || top_k_kept_hash(h))
        return r->hash;
    return bp_hash(&h->base.hash, r->key, r->len);
}

bool bp_top_k_walk(const bp_object *o, uint64_t *at, top_k_row *row)
{
    return top_k_head_of(o)->in_table ? bp_top_k_table_walk(table_of(o), at, row)
                                      : bp_top_k_list_walk(o, at, row);
}

bool bp_top_k_find(const bp_object *o, uint64_t hash, const uint8_t *key, size_t n,
                   top_k_row *row)
{
    return top_k_head_of(o)->in_table
               ? bp_top_k_table_find(table_of(o), hash, key, n, row)
               : bp_top_k_list_find(o, hash, key, n, row);
}

/* --------------------------------------------------------------------- configuration */

static bp_status check_size(uint64_t k, uint64_t depth, uint64_t memory, bp_detail *why)
{
    if (k < 1 || k > K_MAX)
        return bp_fail(why, BP_PARAM, "k must be 1 to 2^20", k, K_MAX);
    if (depth < 1 || depth > DEPTH_MAX)
        return bp_fail(why, BP_PARAM, "depth must be 1 to 32", depth, DEPTH_MAX);
    if (memory < MEMORY_MIN || memory > MEMORY_MAX)
        return bp_fail(why, BP_PARAM, "memory must be 256 bytes to 1 TiB", memory,
                       MEMORY_MAX);
    return BP_OK;
}

static bp_status setup(void *head, const void *cfg, bp_detail *why)
{
    top_k_head *h = (top_k_head *)head;
    const bp_top_k_config *c = (const bp_top_k_config *)cfg;
    const uint64_t k = c->k ? c->k : DEFAULT_K;
    const uint64_t depth = c->depth ? c->depth : DEFAULT_DEPTH;
    uint64_t memory = c->memory;
    if (!memory)
        memory =
            k * MEMORY_PER_KEY > DEFAULT_MEMORY ? k * MEMORY_PER_KEY : DEFAULT_MEMORY;
    bp_status st = check_size(k, depth, memory, why);
    if (!st && memory > SIZE_MAX / 8)
        st = bp_fail(why, BP_PARAM, "more memory than this machine can address", memory,
                     SIZE_MAX / 8);
    h->k = (uint32_t)k;
    h->depth = (uint8_t)depth;
    h->memory = memory;
    return st;
}

static void config(const void *head, void *cfg)
{
    const top_k_head *h = (const top_k_head *)head;
    bp_top_k_config *c = (bp_top_k_config *)cfg;
    c->k = h->k;
    c->depth = h->depth;
    c->memory = h->memory;
}

static size_t cells_size(const void *head)
{
    (void)head;
    return 0;
}

static size_t cells_max(const void *head)
{
    (void)head;
    return SIZE_MAX;
}

/* ------------------------------------------------------------------------------ life */

static void fini(bp_object *o)
{
    if (top_k_head_of(o)->in_table)
        bp_top_k_table_free(table_of(o));
    else
        bp_top_k_list_drop(o);
    top_k_head_of(o)->more = NULL;
}

static void clear(bp_object *o)
{
    top_k_head *h = top_k_head_of(o);
    fini(o);
    h->in_table = h->in_order = false;
    h->keys = 0;
    h->total = 0;
    o->cells_size = 0;
}

static bp_status copy(bp_object *dst, const bp_object *src, bp_detail *why)
{
    top_k_head *h = top_k_head_of(dst);
    h->more = NULL;
    if (!h->in_table)
        return bp_top_k_list_index(dst, h->keys, why);
    top_k_table *t;
    bp_status st = bp_top_k_table_clone(&t, table_of(src), why);
    if (!st)
        h->more = t;
    return st;
}

/* The list, or the former table, gives way to t. */
static void change_to(bp_object *o, top_k_table *t)
{
    fini(o);
    top_k_head *h = top_k_head_of(o);
    h->more = t;
    h->in_table = true;
    h->keys = 0;
    bp_object_resize(o, 0, NULL);
    bp_object_trim(o);
}

/* ---------------------------------------------------------------------------- adding */

/* The key that the list has no room for becomes the first of the table. */
static bp_status change_and_add(bp_object *o, uint64_t hash, const bp_bytes *key,
                                uint64_t by, bp_detail *why)
{
    top_k_table *t;
    bp_status st = bp_top_k_join(&t, o, NULL, why);
    if (st)
        return st;
    st = bp_top_k_table_add_one(t, hash, *key, by, why);
    if (st)
        bp_top_k_table_free(t);
    else
        change_to(o, t);
    return st;
}

static bp_status list_add(bp_object *o, const uint64_t *hashes, const bp_bytes *keys,
                          const uint64_t *by, size_t n, size_t *done, bp_detail *why)
{
    bp_status st = BP_OK;
    for (*done = 0; *done < n && !top_k_head_of(o)->in_table; ++*done) {
        const size_t i = *done;
        const uint64_t w = by ? by[i] : 1;
        st = bp_top_k_list_add(o, hashes[i], (const uint8_t *)keys[i].ptr, keys[i].len, w,
                               why);
        if (st == BP_FULL)
            st = change_and_add(o, hashes[i], &keys[i], w, why);
        if (st)
            break;
    }
    return st;
}

static void count_total(top_k_head *h, const uint64_t *by, size_t n)
{
    if (!by)
        h->total = bp_add_sat64(h->total, n);
    for (size_t i = 0; by && i < n; i++)
        h->total = bp_add_sat64(h->total, by[i]);
}

/* How many weights from here on can be added together: up to one of 0, or those of 0
 * alone; and one at a time where a count may saturate. */
static size_t alike(uint64_t total, const uint64_t *by, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if ((by[i] == 0) != (by[0] == 0))
            return i;
        total = bp_add_sat64(total, by[i]);
        if (total == UINT64_MAX)
            return i ? i : 1;
    }
    return n;
}

/* How many keys from here on are not too long. */
static size_t are_short(const bp_bytes *keys, size_t n)
{
    size_t longest = 0, at = 0;
    for (; at + 4 <= n; at += 4)
        longest |= keys[at].len | keys[at + 1].len | keys[at + 2].len | keys[at + 3].len;
    for (; at < n; at++)
        longest |= keys[at].len;
    for (size_t i = 0; longest > TOP_K_KEY_MAX && i < n; i++)
        if (keys[i].len > TOP_K_KEY_MAX)
            return i;
    return n;
}

/* A block of at most TOP_K_BLOCK keys; *done of them were added. */
static bp_status add_block(bp_object *o, const bp_bytes *keys, const uint64_t *by,
                           size_t n, size_t *done, bp_detail *why)
{
    uint64_t hashes[TOP_K_BLOCK];
    size_t more = 0;
    bp_status st = BP_OK;
    *done = 0;
    n = are_short(keys, n);
    if (n == 0)
        return bp_fail(why, BP_PARAM, "a key of 2 GiB or more", keys->len, TOP_K_KEY_MAX);
    if (by || top_k_head_of(o)->total > UINT64_MAX - n)
        n = by ? alike(top_k_head_of(o)->total, by, n) : 1;
    if (by && by[0] == 0) {
        *done = n;
        return BP_OK;
    }
    bp_hash_n(&top_k_head_of(o)->base.hash, keys, n, hashes);
    top_k_head_of(o)->in_order = false;
    if (!top_k_head_of(o)->in_table)
        st = list_add(o, hashes, keys, by, n, done, why);
    if (!st && *done < n) {
        st = bp_top_k_table_add(table_of(o), hashes + *done, keys + *done,
                                by ? by + *done : NULL, n - *done, &more, why);
        *done += more;
    }
    count_total(top_k_head_of(o), by, *done);
    return st;
}

/* Without the secret there is no telling where a key belongs. */
static bp_status check_key(const bp_object *o, bp_detail *why)
{
    if (BP_LIKELY(!top_k_head_of(o)->base.keyless))
        return BP_OK;
    return bp_fail(why, BP_UNSUPPORTED, "opened without its secret key, which is needed",
                   0, 0);
}

static bp_status add_n(bp_object *o, const bp_bytes *keys, size_t n, const uint64_t *by,
                       size_t *done, bp_detail *why)
{
    bp_status st = check_key(o, why);
    size_t all = 0;
    while (!st && all < n) {
        size_t some;
        st = add_block(o, keys + all, by ? by + all : NULL,
                       n - all < TOP_K_BLOCK ? n - all : TOP_K_BLOCK, &some, why);
        all += some;
    }
    if (done)
        *done = all;
    return st;
}

bp_status bp_top_k_add_n(bp_top_k *s, const bp_bytes *keys, size_t n, const uint64_t *by,
                         size_t *done)
{
    return add_n((bp_object *)s, keys, n, by, done, NULL);
}

bp_status bp_top_k_add(bp_top_k *s, const void *key, size_t n, uint64_t by)
{
    bp_object *o = (bp_object *)s;
    const bp_bytes bytes = {key, n};
    size_t done;
    if (check_key(o, NULL))
        return BP_UNSUPPORTED;
    if (n > TOP_K_KEY_MAX)
        return BP_PARAM;
    if (by == 0)
        return BP_OK;
    const uint64_t hash = bp_hash(&top_k_head_of(o)->base.hash, key, n);
    const bp_status st = top_k_head_of(o)->in_table
                             ? bp_top_k_table_add_one(table_of(o), hash, bytes, by, NULL)
                             : list_add(o, &hash, &bytes, &by, 1, &done, NULL);
    top_k_head_of(o)->in_order = false;
    if (!st)
        count_total(top_k_head_of(o), &by, 1);
    return st;
}

static bp_status any_add_n(bp_object *o, const bp_bytes *keys, size_t n, bp_detail *why)
{
    return add_n(o, keys, n, NULL, NULL, why);
}

bp_status bp_top_k_settle(bp_top_k *s, bp_detail *why)
{
    bp_object *o = (bp_object *)s;
    top_k_head *h = top_k_head_of(o);
    bp_status st = BP_OK;
    if (h->in_order)
        return BP_OK;
    if (h->in_table)
        bp_top_k_table_settle(table_of(o));
    else
        st = bp_top_k_list_settle(o, why);
    h->in_order = !st;
    return st;
}

/* --------------------------------------------------------------------------- merging */

static bp_status same(const bp_object *dst, const bp_object *src, bp_detail *why)
{
    const top_k_head *a = top_k_head_of(dst), *b = top_k_head_of(src);
    if (a->k != b->k)
        return bp_fail(why, BP_MISMATCH, "they list different numbers of keys (k)", a->k,
                       b->k);
    if (a->memory != b->memory)
        return bp_fail(why, BP_MISMATCH, "their memory limits differ", a->memory,
                       b->memory);
    if (a->depth != b->depth)
        return bp_fail(why, BP_MISMATCH, "their tables differ in depth", a->depth,
                       b->depth);
    return BP_OK;
}

static bp_status merge(bp_object *dst, const bp_object *src, bp_detail *why)
{
    const uint64_t total =
        bp_add_sat64(top_k_head_of(dst)->total, top_k_head_of(src)->total);
    bp_status st = BP_FULL;
    if (!top_k_head_of(dst)->in_table && !top_k_head_of(src)->in_table)
        st = bp_top_k_list_merge(dst, src, why);
    if (st == BP_FULL) {
        top_k_table *t;
        st = bp_top_k_join(&t, dst, src, why);
        if (!st)
            change_to(dst, t);
    }
    if (!st) {
        top_k_head_of(dst)->total = total;
        top_k_head_of(dst)->in_order = false;
    }
    return st;
}

/* --------------------------------------------------------------------------- answers */

/* How far a count may be above the truth: more with probability (1 - confidence) /
 * together for each key. */
static double error_bound(const bp_object *o, double confidence, double together)
{
    const top_k_head *h = top_k_head_of(o);
    if (!h->in_table)
        return 0;
    if (table_of(o)->tail == UINT64_MAX)
        return INFINITY; /* that or more */
    const uint64_t width = h->memory / 8 / h->depth;
    const double a = pow((1 - confidence) / together, -1.0 / h->depth) / (double)width;
    return a * (double)table_of(o)->tail;
}

static uint64_t as_whole(double bound)
{
    if (bound == 0)
        return 0;
    return bound < 1.8e19 ? (uint64_t)bound + 1 : UINT64_MAX;
}

static void show(const top_k_row *row, uint64_t bound, bp_top_k_item *item)
{
    const uint64_t value = top_k_value(row);
    const uint64_t probably = value > bound ? value - bound : 0;
    *item = (bp_top_k_item){{row->key, row->len},
                            value,
                            row->since > probably ? row->since : probably,
                            value};
}

enum { ROWS_LEFT, LAST, BOUND }; /* words of a cursor; LAST is a place plus one */

bp_status bp_top_k_top(const bp_top_k *s, size_t rows, double confidence,
                       bp_top_k_cursor *out, bp_detail *why)
{
    const bp_object *o = (const bp_object *)s;
    const uint32_t k = top_k_head_of(o)->k;
    bp_status st = bp_check_confidence(confidence, why);
    if (st)
        return st;
    if (rows == 0 || rows > k)
        rows = k;
    *out = (bp_top_k_cursor){{0}};
    out->private_[ROWS_LEFT] = rows;
    out->private_[BOUND] = as_whole(error_bound(o, confidence, (double)rows));
    return BP_OK;
}

/* The rows of a settled sketch: the list from its front, candidates from their end. */
static bool next_settled(const bp_object *o, uint64_t *last, top_k_row *row)
{
    const top_k_head *h = top_k_head_of(o);
    if (!h->in_table) {
        uint64_t at = *last;
        const bool is_there = bp_top_k_list_walk(o, &at, row);
        *last = at;
        return is_there;
    }
    const uint64_t n = table_of(o)->n;
    if (*last >= n)
        return false;
    uint64_t at = n - 1 - (*last)++;
    return bp_top_k_table_walk(table_of(o), &at, row);
}

/* The first in order of those after the last one: a walk over all. */
static bool next_unsettled(const bp_object *o, uint64_t *last, top_k_row *best)
{
    top_k_row row, before = {NULL, 0, 0, 0, 0};
    uint64_t at = *last ? *last - 1 : 0, found = 0, here = 0;
    if (*last)
        bp_top_k_walk(o, &at, &before);
    for (at = 0; bp_top_k_walk(o, &at, &row); here = at)
        if ((!*last || bp_top_k_before(&before, &row)) &&
            (!found || bp_top_k_before(&row, best))) {
            *best = row;
            found = here + 1;
        }
    if (found)
        *last = found;
    return found != 0;
}

bool bp_top_k_next(const bp_top_k *s, bp_top_k_cursor *c, bp_top_k_item *item)
{
    const bp_object *o = (const bp_object *)s;
    top_k_row row;
    if (c->private_[ROWS_LEFT] == 0)
        return false;
    if (!(top_k_head_of(o)->in_order ? next_settled(o, &c->private_[LAST], &row)
                                     : next_unsettled(o, &c->private_[LAST], &row))) {
        c->private_[ROWS_LEFT] = 0;
        return false;
    }
    c->private_[ROWS_LEFT]--;
    show(&row, c->private_[BOUND], item);
    return true;
}

bp_status bp_top_k_bounds(const bp_top_k *s, const void *key, size_t n, double confidence,
                          bp_top_k_item *out, bp_detail *why)
{
    const bp_object *o = (const bp_object *)s;
    const top_k_head *h = top_k_head_of(o);
    bp_status st = bp_check_confidence(confidence, why);
    if (!st)
        st = check_key(o, why);
    if (st)
        return st;
    const uint64_t hash = bp_hash(&h->base.hash, key, n);
    top_k_row row;
    if (!bp_top_k_find(o, hash, (const uint8_t *)key, n, &row)) {
        const uint64_t count = h->in_table ? bp_top_k_table_count(table_of(o), hash) : 0;
        row = (top_k_row){NULL, 0, hash, count, 0};
    }
    row.key = (const uint8_t *)key;
    row.len = n;
    show(&row, as_whole(error_bound(o, confidence, 1)), out);
    return BP_OK;
}

uint64_t bp_top_k_total(const bp_top_k *s)
{
    return top_k_head_of((const bp_object *)s)->total;
}

bool bp_top_k_is_exact(const bp_top_k *s)
{
    return !top_k_head_of((const bp_object *)s)->in_table;
}

static uint64_t largest(const bp_object *o)
{
    uint64_t at = 0, most = 0;
    top_k_row row;
    while (bp_top_k_walk(o, &at, &row))
        most = top_k_value(&row) > most ? top_k_value(&row) : most;
    return most;
}

bool bp_top_k_verdict(const bp_top_k *s, double confidence)
{
    const bp_object *o = (const bp_object *)s;
    if (bp_check_confidence(confidence, NULL))
        return false;
    return largest(o) > as_whole(error_bound(o, confidence, 1));
}

/* ----------------------------------------------------------------------------- bytes */

static void put_params(const bp_object *o, bp_writer *w)
{
    const top_k_head *h = top_k_head_of(o);
    bp_put64(w, h->memory);
    bp_put32(w, h->k);
    bp_put8(w, h->depth);
    bp_put8(w, h->in_table);
    bp_put16(w, 0);
}

static bp_status get_params(void *head, bp_reader *r, const bp_envelope *e,
                            bp_detail *why)
{
    top_k_head *h = (top_k_head *)head;
    h->memory = bp_get64(r);
    h->k = bp_get32(r);
    h->depth = bp_get8(r);
    const uint8_t mode = bp_get8(r);
    const uint16_t zero = bp_get16(r);
    if (r->short_)
        return BP_OK; /* the caller says so */
    if (h->memory > SIZE_MAX / 8)
        return bp_fail_at(why, BP_CORRUPT, "more memory than this machine can address", 0,
                          h->memory, SIZE_MAX / 8);
    if (check_size(h->k, h->depth, h->memory, why))
        return bp_fail_at(why, BP_CORRUPT, "k, depth or memory out of range", 0, h->k,
                          K_MAX);
    if (mode > 1 || zero)
        return bp_fail_at(why, BP_CORRUPT, "a mode that there is not", 13, mode, 1);
    h->in_table = mode;
    if (mode && e->payload_size < TOP_K_TABLE_AT)
        return bp_fail_at(why, BP_CORRUPT, "too short for a table", 13, e->payload_size,
                          TOP_K_TABLE_AT);
    if (!mode && e->payload_size > h->memory)
        return bp_fail_at(why, BP_CORRUPT, "a list longer than its limit", 0,
                          e->payload_size, h->memory);
    return BP_OK;
}

static bp_status payload_size(const bp_object *o, uint64_t *size, bp_detail *why)
{
    const top_k_head *h = top_k_head_of(o);
    *size = o->cells_size;
    return h->in_table ? bp_top_k_table_size(table_of(o), h, size, why) : BP_OK;
}

static bp_status put_payload(const bp_object *o, uint8_t *payload, size_t size,
                             bp_detail *why)
{
    const top_k_head *h = top_k_head_of(o);
    if (h->in_table)
        return bp_top_k_table_put(table_of(o), h, payload, size, why);
    bp_top_k_list_put(o, payload, size);
    return BP_OK;
}

static bp_status check_payload(const void *head, const uint8_t *payload, size_t n,
                               bp_detail *why)
{
    const top_k_head *h = (const top_k_head *)head;
    return h->in_table ? bp_top_k_table_check(h, payload, n, why)
                       : bp_top_k_list_check(h, payload, n, why);
}

static bp_status get_payload(bp_object *o, const uint8_t *payload, size_t n,
                             bp_detail *why)
{
    return top_k_head_of(o)->in_table ? bp_top_k_table_get(o, payload, n, why)
                                      : bp_top_k_list_get(o, payload, n, why);
}

/* ------------------------------------------------------------------------ describing */

/* The value of the last row of a list of k: the digits of the rank-th largest value, one
 * at a time, by how many rows share the digits so far. */
static uint64_t smallest_listed(const bp_object *o, uint64_t rows)
{
    const uint64_t k = top_k_head_of(o)->k;
    uint64_t rank = rows < k ? rows : k, value = 0;
    for (unsigned shift = 64; rank && shift; shift -= 8) {
        uint64_t count[256] = {0}, at = 0;
        unsigned digit = 255;
        top_k_row row;
        while (bp_top_k_walk(o, &at, &row)) {
            const uint64_t v = top_k_value(&row);
            if (shift == 64 || v >> shift == value >> shift)
                count[v >> (shift - 8) & 255]++;
        }
        for (; count[digit] < rank; digit--)
            rank -= count[digit];
        value |= (uint64_t)digit << (shift - 8);
    }
    return value;
}

static void judge(const bp_object *o, bp_description *out)
{
    const bool stands_out = largest(o) > as_whole(error_bound(o, 0.95, 1));
    bp_say_text(out, "verdict", stands_out ? "heavy hitters" : "no heavy hitters", false);
    if (!top_k_head_of(o)->in_table || stands_out)
        return;
    out->health = BP_HEALTH_OVER;
    out->advice = "no key stands above the noise; more memory would tell smaller counts "
                  "apart, if any do";
}

static void describe(const bp_object *o, bp_description *out)
{
    const top_k_head *h = top_k_head_of(o);
    const top_k_table *t = h->in_table ? table_of(o) : NULL;
    const uint64_t rows = t ? t->n : h->keys;
    /* e / width of it, as in count_min: exceeded by a key chosen before looking with
     * probability e^-depth */
    const double bound = error_bound(o, 1 - exp(-(double)h->depth), 1);
    bp_say_whole(out, "k", "keys", h->k, true);
    bp_say_whole(out, "memory_limit", "bytes", h->memory, true);
    bp_say_whole(out, "depth", "rows", h->depth, true);
    bp_say_whole(out, "candidates", "keys", bp_top_k_most(h->k, h->memory), true);
    bp_say_text(out, "mode", t ? "table" : "exact", false);
    bp_say_whole(out, "keys", "keys", rows, false);
    bp_say_whole(out, "total", "counts", h->total, false);
    bp_say_whole(out, "table_total", "counts", t ? t->tail : 0, false);
    bp_say_real(out, "epsilon_total", "counts", bound, false);
    bp_say_whole(out, "largest", "counts", largest(o), false);
    bp_say_whole(out, "smallest_listed", "counts", smallest_listed(o, rows), false);
    bp_say_whole(out, "memory", "bytes",
                 sizeof *o + o->block_size +
                     (t ? bp_top_k_table_memory(t) : bp_top_k_list_memory(o)),
                 false);
    judge(o, out);
}

const bp_kind bp_kind_top_k = {
    .name = "top_k",
    .id = 0x0102,
    .rule = 1,
    .config_size = sizeof(bp_top_k_config),
    .head_size = sizeof(top_k_head),
    .hashing = &bp_hashing_all,
    .setup = setup,
    .config = config,
    .cells_size = cells_size,
    .cells_max = cells_max,
    .same = same,
    .merge = merge,
    .put_params = put_params,
    .payload_size = payload_size,
    .put_payload = put_payload,
    .get_params = get_params,
    .check_payload = check_payload,
    .get_payload = get_payload,
    .describe = describe,
    .add_n = any_add_n,
    .fini = fini,
    .copy = copy,
    .clear = clear,
    .without_view = true,
    .without_place = true,
};

BP_SKETCH_IMPL(top_k);
