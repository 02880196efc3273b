/* SPDX-License-Identifier: MIT
 * count_min.c - how often was this key added?
 *
 * Counting every key exactly takes memory for every key. A Count-Min sketch (Cormode and
 * Muthukrishnan, "An improved data stream summary", J. Algorithms 55, 2005, section 4.1)
 * is a table of counters, `depth` rows of `width`; a key owns one counter in each row and
 * shares it with others:
 *
 *             0    1    2             width - 1
 *     row 0 | 7 | 0 | 12 | 3 | ... |  5  |   key -> 12
 *     row 1 | 1 | 9 |  2 | 8 | ... |  0  |   key ->  9     count = the least = 9
 *     row 2 | 0 | 4 | 31 | 0 | ... |  6  |   key -> 31
 *
 * Adding raises the key's counters; what others add can only raise them more: the least
 * of them is never below the truth. In one row the others bring at most total / width on
 * average, so by Markov's inequality more than a * total with probability at most 1 / (a
 * width), and in all rows at once with at most
 *
 *     P(count > truth + a total) <= (1 / (a width))^depth
 *
 * a = e / width = epsilon gives e^-depth = delta; a = (1 - confidence)^(-1 / depth) /
 * width gives the lower bound of bp_count_min_bounds.
 *
 * Conservative update (Estan and Varghese, SIGCOMM 2002, section 3.3) raises counters
 * only to the key's new estimate. The least is still never below the truth, and rare keys
 * read about half as much too high; but nothing can be taken out again.
 *
 * What we do differently. (1) The key is hashed once. Its words in the rows are a, a M, a
 * M^2, ... mod 2^64, a the hash and M a fixed multiplier, and a word's place is word *
 * width / 2^64. The usual second word, a + i b, makes two keys that meet in two rows meet
 * in many: in a table of 28 x 10 with nine heavy keys, 0.043 % of the other keys exceeded
 * epsilon * total, where delta is 0.0045 %; multiples mod 2^64 keep to 0.0002 %, as rows
 * with hashes of their own do (the test double_hashing_would_break_delta measures both).
 * M was searched for: the points (a, a M, a M^2, ...) lie evenly in 2 to 8 dimensions by
 * the spectral test (figure of merit 0.67, as L'Ecuyer's, Math. Comp. 68, 1999), and it
 * is below 2^32, which saves a product in each step. (2) Batches compute the cells of 64
 * keys, four at a time with AVX2, before any is touched; adding then has no branch that
 * depends on data. AVX-512 would halve what is no longer the larger part, and aarch64's
 * scalar 64-bit product is as fast as what NEON has. (3) Counters of 32 bits stay at 2^32
 * - 1, and say so, rather than wrap. */
#include "sketches/count_min/count_min_state.h"

#include "core/mathx.h"
#include "hash/hash.h"

#include <ballpark/count_min.h>

#include <math.h>

BP_INTERNAL extern const bp_kind bp_kind_count_min;

#define WIDTH_MAX ((uint64_t)1 << 40)

typedef struct cm_head {
    bp_head base;
    cm_table table;
    _Alignas(8) uint64_t total; /* an atomic on 32-bit machines, too */
} cm_head;

static cm_head *head_of(const bp_object *o)
{
    return (cm_head *)o->head;
}

/* -------------------------------------------------------------------- configuration */

static const double EULER = 2.71828182845904523536;

/* ceil(x), where a last-bit excess over a whole number is taken for that number: the
 * same size on every machine, and from the epsilon that a width gives, that width. */
static double ceil_about(double x)
{
    return ceil(x - x * 1e-14);
}

static bp_status size_width(bp_count_min_config *c, bp_detail *why)
{
    if (c->epsilon == 0 && c->width == 0)
        c->epsilon = 0.001;
    if (c->epsilon != 0) {
        if (!(c->epsilon >= EULER / (double)WIDTH_MAX && c->epsilon <= EULER))
            return bp_fail(why, BP_PARAM,
                           "epsilon must be a fraction of the total, as 0.001", 0, 0);
        const uint64_t width = (uint64_t)ceil_about(EULER / c->epsilon);
        if (c->width && c->width != width)
            return bp_fail(why, BP_PARAM,
                           "epsilon and width disagree; give one of the two", c->width,
                           width);
        c->width = width;
    }
    if (c->width > WIDTH_MAX)
        return bp_fail(why, BP_PARAM, "width must be 1 to 2^40", c->width, WIDTH_MAX);
    if (c->epsilon == 0)
        c->epsilon = EULER / (double)c->width;
    return BP_OK;
}

static bp_status size_depth(bp_count_min_config *c, bp_detail *why)
{
    if (c->delta == 0 && c->depth == 0)
        c->delta = 0.01;
    if (c->delta != 0) {
        if (!(c->delta > 0 && c->delta < 1))
            return bp_fail(why, BP_PARAM, "delta must lie between 0 and 1, as 0.01", 0,
                           0);
        const double rows = ceil_about(-log(c->delta));
        if (rows > CM_DEPTH_MAX)
            return bp_fail(why, BP_PARAM, "delta is so small that it needs too many rows",
                           (uint64_t)rows, CM_DEPTH_MAX);
        const uint32_t depth = rows < 1 ? 1 : (uint32_t)rows;
        if (c->depth && c->depth != depth)
            return bp_fail(why, BP_PARAM, "delta and depth disagree; give one of the two",
                           c->depth, depth);
        c->depth = depth;
    }
    if (c->depth > CM_DEPTH_MAX)
        return bp_fail(why, BP_PARAM, "depth must be 1 to 32", c->depth, CM_DEPTH_MAX);
    if (c->delta == 0)
        c->delta = exp(-(double)c->depth);
    return BP_OK;
}

bp_status bp_count_min_size(const bp_count_min_config *cfg, bp_count_min_config *out,
                            bp_detail *why)
{
    bp_count_min_config c = cfg ? *cfg : (bp_count_min_config){.width = 0};
    bp_status st = size_width(&c, why);
    if (!st)
        st = size_depth(&c, why);
    for (size_t i = 0; !st && i < sizeof c.reserved8; i++)
        if (c.reserved8[i])
            st = bp_fail(why, BP_PARAM,
                         "a reserved configuration field is set: it is newer than this "
                         "library",
                         c.reserved8[i], 0);
    if (!st && c.counter_bits != 0 && c.counter_bits != 32 && c.counter_bits != 64)
        st = bp_fail(why, BP_PARAM, "counter_bits must be 32 or 64", c.counter_bits, 32);
    if (!st && c.conservative && c.concurrent)
        st = bp_fail(why, BP_PARAM,
                     "a conservative sketch cannot be concurrent; choose one", 0, 0);
    if (st)
        return st;
    if (c.counter_bits == 0)
        c.counter_bits = 32;
    *out = c;
    return BP_OK;
}

static bp_status setup(void *head, const void *cfg, bp_detail *why)
{
    cm_head *h = (cm_head *)head;
    bp_count_min_config c;
    bp_status st = bp_count_min_size((const bp_count_min_config *)cfg, &c, why);
    if (st)
        return st;
    h->base.concurrent = c.concurrent;
    h->table = (cm_table){.width = c.width,
                          .depth = c.depth,
                          .wide = c.counter_bits == 64,
                          .conservative = c.conservative,
                          .concurrent = c.concurrent};
    return BP_OK;
}

static void config(const void *head, void *cfg)
{
    const cm_table *t = &((const cm_head *)head)->table;
    bp_count_min_config *c = (bp_count_min_config *)cfg;
    c->epsilon = EULER / (double)t->width;
    c->delta = exp(-(double)t->depth);
    c->width = t->width;
    c->depth = t->depth;
    c->counter_bits = t->wide ? 64 : 32;
    c->conservative = t->conservative;
    c->concurrent = t->concurrent;
}

/* At most 2^40 * 32 * 8 bytes: no overflow in 64 bits. */
static uint64_t table_bytes(const cm_table *t)
{
    return t->width * t->depth * cm_size(t->wide);
}

static size_t cells_size(const void *head)
{
    const uint64_t n = table_bytes(&((const cm_head *)head)->table);
    return n > SIZE_MAX ? SIZE_MAX : (size_t)n;
}

/* ------------------------------------------------------------------------- add, count */

static void raise_total(bp_object *o, uint64_t by)
{
    cm_head *h = head_of(o);
    if (!h->base.concurrent) {
        h->total = bp_add_sat64(h->total, by);
        return;
    }
    uint64_t was = BP_LOAD_RELAXED(&h->total);
    while (!BP_CAS_RELAXED(&h->total, &was, bp_add_sat64(was, by)))
        ;
}

static uint64_t sum_of(const uint64_t *by, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum = bp_add_sat64(sum, by[i]);
    return sum;
}

void bp_count_min_add_hashes(bp_count_min *s, const uint64_t *hashes, size_t n,
                             const uint64_t *by, uint64_t *counts)
{
    bp_object *o = (bp_object *)s;
    raise_total(o, by ? sum_of(by, n) : n); /* first: counts never run ahead of it */
    bp_count_min_raise(o->cells, &head_of(o)->table, hashes, n, by, counts);
}

size_t bp_count_min_add_hashes_upto(bp_count_min *s, const uint64_t *hashes, size_t n,
                                    const uint64_t *by, uint64_t most)
{
    bp_object *o = (bp_object *)s;
    const cm_table *t = &head_of(o)->table;
    if (t->concurrent)
        return 0;
    const size_t done =
        n == 1 ? bp_count_min_raise_one_upto(o->cells, t, *hashes, by ? *by : 1, most)
               : bp_count_min_raise_upto(o->cells, t, hashes, n, by, most);
    raise_total(o, by ? sum_of(by, done) : done);
    return done;
}

/* Opened without its secret key, a sketch cannot tell where a key's counters are: it
 * takes none, and the one upper bound that is certain is the largest there is. */
static bool keyless(const bp_object *o)
{
    return BP_UNLIKELY(head_of(o)->base.keyless);
}

static void all_most(const bp_object *o, size_t n, uint64_t *counts)
{
    for (size_t i = 0; counts && i < n; i++)
        counts[i] = cm_most(head_of(o)->table.wide);
}

void bp_count_min_add_n(bp_count_min *s, const bp_bytes *keys, size_t n,
                        const uint64_t *by, uint64_t *counts)
{
    const bp_object *o = (const bp_object *)s;
    if (keyless(o)) {
        all_most(o, n, counts);
        return;
    }
    uint64_t hashes[BP_HASH_BATCH];
    for (size_t at = 0; at < n; at += BP_HASH_BATCH) {
        const size_t m = n - at < BP_HASH_BATCH ? n - at : BP_HASH_BATCH;
        bp_hash_n(&head_of(o)->base.hash, keys + at, m, hashes);
        bp_count_min_add_hashes(s, hashes, m, by ? by + at : NULL,
                                counts ? counts + at : NULL);
    }
}

uint64_t bp_count_min_add(bp_count_min *s, const void *key, size_t n, uint64_t by)
{
    bp_object *o = (bp_object *)s;
    if (keyless(o))
        return cm_most(head_of(o)->table.wide);
    const uint64_t hash = bp_hash(&head_of(o)->base.hash, key, n);
    raise_total(o, by);
    return bp_count_min_raise_one(o->cells, &head_of(o)->table, hash, by);
}

void bp_count_min_count_hashes(const bp_count_min *s, const uint64_t *hashes, size_t n,
                               uint64_t *counts)
{
    const bp_object *o = (const bp_object *)s;
    bp_count_min_ask(o->cells, &head_of(o)->table, hashes, n, counts);
}

void bp_count_min_count_n(const bp_count_min *s, const bp_bytes *keys, size_t n,
                          uint64_t *counts)
{
    const bp_object *o = (const bp_object *)s;
    if (keyless(o)) {
        all_most(o, n, counts);
        return;
    }
    uint64_t hashes[BP_HASH_BATCH];
    for (size_t at = 0; at < n; at += BP_HASH_BATCH) {
        const size_t m = n - at < BP_HASH_BATCH ? n - at : BP_HASH_BATCH;
        bp_hash_n(&head_of(o)->base.hash, keys + at, m, hashes);
        bp_count_min_count_hashes(s, hashes, m, counts + at);
    }
}

uint64_t bp_count_min_count(const bp_count_min *s, const void *key, size_t n)
{
    const bp_object *o = (const bp_object *)s;
    if (keyless(o))
        return cm_most(head_of(o)->table.wide);
    const uint64_t hash = bp_hash(&head_of(o)->base.hash, key, n);
    return bp_count_min_ask_one(o->cells, &head_of(o)->table, hash);
}

uint64_t bp_count_min_total(const bp_count_min *s)
{
    const cm_head *h = head_of((const bp_object *)s);
    return h->base.concurrent ? BP_LOAD_RELAXED(&h->total) : h->total;
}

/* The smallest double that is not below c. */
static double not_below(uint64_t c)
{
    const double d = (double)c;
    return d < 0x1p64 && (uint64_t)d < c ? nextafter(d, INFINITY) : d;
}

bp_status bp_count_min_bounds(const bp_count_min *s, const void *key, size_t n,
                              double confidence, bp_estimate *out, bp_detail *why)
{
    const bp_object *o = (const bp_object *)s;
    const cm_table *t = &head_of(o)->table;
    bp_status st = bp_check_confidence(confidence, why);
    if (st)
        return st;
    const uint64_t count = bp_count_min_count(s, key, n);
    const uint64_t total = bp_count_min_total(s);
    const double a = pow(1 - confidence, -1.0 / t->depth) / (double)t->width;
    const double lower = (double)count - a * (double)total;
    out->value = not_below(count);
    out->upper = count == cm_most(t->wide) ? INFINITY : out->value;
    out->lower = total == UINT64_MAX || lower < 0 || keyless(o) ? 0 : lower;
    return BP_OK;
}

/* ------------------------------------------------------------------- merge, subtract */

static uint64_t cell_at(const bp_object *o, size_t i)
{
    const cm_table *t = &head_of(o)->table;
    const uint8_t *p = o->cells + i * cm_size(t->wide);
    return t->concurrent ? cm_load_shared(p, t->wide) : cm_load(p, t->wide);
}

static void put_cell(bp_object *o, size_t i, uint64_t c)
{
    const bool wide = head_of(o)->table.wide;
    cm_store(o->cells + i * cm_size(wide), wide, c);
}

static size_t cell_count(const bp_object *o)
{
    return o->cells_size / cm_size(head_of(o)->table.wide);
}

static bp_status same(const bp_object *dst, const bp_object *src, bp_detail *why)
{
    const cm_table *a = &head_of(dst)->table, *b = &head_of(src)->table;
    if (a->width != b->width)
        return bp_fail(why, BP_MISMATCH,
                       "the widths differ; make both with the same epsilon", a->width,
                       b->width);
    if (a->depth != b->depth)
        return bp_fail(why, BP_MISMATCH,
                       "the depths differ; make both with the same delta", a->depth,
                       b->depth);
    if (a->wide != b->wide)
        return bp_fail(
            why, BP_MISMATCH,
            "the counters differ in size; make both with the same counter_bits",
            a->wide ? 64 : 32, b->wide ? 64 : 32);
    if (a->conservative != b->conservative)
        return bp_fail(why, BP_MISMATCH,
                       "one is conservative and the other plain; make both alike",
                       a->conservative, b->conservative);
    return BP_OK;
}

static BP_ALWAYS_INLINE void add_table(uint8_t *to, const uint8_t *from, size_t n,
                                       bool wide)
{
    for (size_t at = 0; at < n; at += cm_size(wide))
        cm_store(to + at, wide,
                 cm_raised(cm_load(to + at, wide), cm_load(from + at, wide), wide));
}

static bp_status merge(bp_object *dst, const bp_object *src, bp_detail *why)
{
    cm_head *h = head_of(dst);
    const bool wide = h->table.wide;
    (void)why;
    h->total = bp_add_sat64(h->total, bp_count_min_total((const bp_count_min *)src));
    if (head_of(src)->base.concurrent) /* adds to it may be running */
        for (size_t i = 0; i < cell_count(dst); i++)
            put_cell(dst, i, cm_raised(cell_at(dst, i), cell_at(src, i), wide));
    else if (wide)
        add_table(dst->cells, src->cells, dst->cells_size, true);
    else
        add_table(dst->cells, src->cells, dst->cells_size, false);
    return BP_OK;
}

/* Everything that subtracting src from dst needs is there? */
static bp_status check_subtract(const bp_object *dst, const bp_object *src,
                                bp_detail *why)
{
    const uint64_t most = cm_most(head_of(dst)->table.wide);
    const uint64_t have = bp_count_min_total((const bp_count_min *)dst);
    const uint64_t take = bp_count_min_total((const bp_count_min *)src);
    if (have == UINT64_MAX || take == UINT64_MAX)
        return bp_fail(why, BP_UNSUPPORTED,
                       "a total is saturated: how much it holds is no longer known", have,
                       take);
    for (size_t i = 0; i < cell_count(dst); i++)
        if (cell_at(dst, i) == most || cell_at(src, i) == most)
            return bp_fail(why, BP_UNSUPPORTED,
                           "a counter is saturated: how much it holds is no longer "
                           "known; use counter_bits 64",
                           cell_at(dst, i), cell_at(src, i));
    for (size_t i = 0; i < cell_count(dst); i++)
        if (cell_at(src, i) > cell_at(dst, i))
            return bp_fail(why, BP_PARAM,
                           "a counter would fall below zero: this was never merged in",
                           cell_at(src, i), cell_at(dst, i));
    if (take > have)
        return bp_fail(why, BP_PARAM,
                       "the total would fall below zero: this was never merged in", take,
                       have);
    return BP_OK;
}

bp_status bp_count_min_subtract(bp_count_min *dst, const bp_count_min *src,
                                bp_detail *why)
{
    bp_object *to = (bp_object *)dst;
    const bp_object *from = (const bp_object *)src;
    const bool a = head_of(to)->table.conservative;
    const bool b = head_of(from)->table.conservative;
    if (a || b)
        return bp_fail(why, BP_UNSUPPORTED,
                       "a conservative sketch cannot be subtracted; make it plain", a, b);
    bp_status st = bp_object_same(to, from, why);
    if (!st)
        st = check_subtract(to, from, why);
    if (st)
        return st;
    const uint64_t take = bp_count_min_total(src); /* src may be dst */
    for (size_t i = 0; i < cell_count(to); i++)
        put_cell(to, i, cell_at(to, i) - cell_at(from, i));
    head_of(to)->total -= take;
    return BP_OK;
}

/* ----------------------------------------------------------------------------- bytes */

static void put_params(const bp_object *o, bp_writer *w)
{
    const cm_table *t = &head_of(o)->table;
    bp_put64(w, t->width);
    bp_put32(w, t->depth);
    bp_put8(w, t->wide ? 64 : 32);
    bp_put8(w, t->conservative);
    bp_put16(w, 0);
    bp_put64(w, bp_count_min_total((const bp_count_min *)o));
}

static bp_status check_params(const cm_table *t, uint32_t bits, uint32_t update,
                              uint32_t zero, bp_detail *why)
{
    if (t->width < 1 || t->width > WIDTH_MAX)
        return bp_fail_at(why, BP_CORRUPT, "width must be 1 to 2^40", 0, t->width,
                          WIDTH_MAX);
    if (t->depth < 1 || t->depth > CM_DEPTH_MAX)
        return bp_fail_at(why, BP_CORRUPT, "depth must be 1 to 32", 8, t->depth,
                          CM_DEPTH_MAX);
    if (bits != 32 && bits != 64)
        return bp_fail_at(why, BP_CORRUPT, "counters must have 32 or 64 bits", 12, bits,
                          32);
    if (update > 1)
        return bp_fail_at(why, BP_CORRUPT, "the update rule must be 0 or 1", 13, update,
                          1);
    if (zero)
        return bp_fail_at(why, BP_CORRUPT, "reserved bytes must be zero", 14, zero, 0);
    return BP_OK;
}

static bp_status get_params(void *head, bp_reader *r, const bp_envelope *e,
                            bp_detail *why)
{
    cm_head *h = (cm_head *)head;
    cm_table *t = &h->table;
    t->width = bp_get64(r);
    t->depth = bp_get32(r);
    const uint8_t bits = bp_get8(r), update = bp_get8(r);
    const uint16_t zero = bp_get16(r);
    h->total = bp_get64(r);
    if (r->short_)
        return BP_OK; /* the caller says so */
    t->wide = bits == 64;
    t->conservative = update == 1;
    bp_status st = check_params(t, bits, update, zero, why);
    if (!st && e->payload_size != table_bytes(t))
        st = bp_fail_at(why, BP_CORRUPT, "the payload is not width * depth counters", 0,
                        e->payload_size, table_bytes(t));
    return st;
}

/* -------------------------------------------------------------------------- describe */

typedef struct survey {
    uint64_t used;
    uint64_t saturated;
    uint64_t highest;
} survey;

static survey look(const bp_object *o)
{
    survey s = {0, 0, 0};
    const uint64_t most = cm_most(head_of(o)->table.wide);
    for (size_t i = 0; i < cell_count(o); i++) {
        const uint64_t c = cell_at(o, i);
        s.used += c != 0;
        s.saturated += c == most;
        s.highest = c > s.highest ? c : s.highest;
    }
    return s;
}

/* Only range can be used up: an error of epsilon * total is what was asked for at any
 * total. Near is half of it: merged with its like, the sketch would be over. */
static void judge(bool wide, uint64_t total, survey s, bp_description *d)
{
    if (s.saturated || total == UINT64_MAX) {
        d->health = BP_HEALTH_OVER;
        d->advice = wide ? "saturated: counts are no longer known; add smaller weights"
                         : "saturated: some counts are larger than the counters hold; "
                           "make it with counter_bits 64";
    } else if (s.highest > cm_most(wide) / 2) {
        d->health = BP_HEALTH_NEAR;
        d->advice = wide ? "counters are past half of their range; add smaller weights"
                         : "counters are past half of their range; make the next one "
                           "with counter_bits 64";
    }
}

static void describe(const bp_object *o, bp_description *d)
{
    const cm_table *t = &head_of(o)->table;
    const uint64_t total = bp_count_min_total((const bp_count_min *)o);
    const double epsilon = EULER / (double)t->width;
    const survey s = look(o);
    bp_say_whole(d, "width", "counters", t->width, true);
    bp_say_whole(d, "depth", "rows", t->depth, true);
    bp_say_real(d, "epsilon", "fraction", epsilon, true);
    bp_say_real(d, "delta", "fraction", exp(-(double)t->depth), true);
    bp_say_whole(d, "counter_bits", "bits", t->wide ? 64 : 32, true);
    bp_say_text(d, "update", t->conservative ? "conservative" : "plain", true);
    bp_say_whole(d, "total", "counts", total, false);
    bp_say_real(d, "epsilon_total", "counts", epsilon * (double)total, false);
    bp_say_real(d, "fill", "fraction", (double)s.used / (double)cell_count(o), false);
    bp_say_whole(d, "highest", "counts", s.highest, false);
    bp_say_whole(d, "saturated", "counters", s.saturated, false);
    judge(t->wide, total, s, d);
}

static bp_status add_n(bp_object *o, const bp_bytes *keys, size_t n, bp_detail *why)
{
    if (keyless(o))
        return bp_fail(why, BP_UNSUPPORTED, "opened without its key: nothing to add with",
                       0, 0);
    bp_count_min_add_n((bp_count_min *)o, keys, n, NULL, NULL);
    return BP_OK;
}

static bp_status add_hashes(bp_object *o, const uint64_t *hashes, size_t n,
                            bp_detail *why)
{
    (void)why;
    bp_count_min_add_hashes((bp_count_min *)o, hashes, n, NULL, NULL);
    return BP_OK;
}

/* The total is counted, not estimated: all three are the same at any confidence. */
static bp_status estimate(const bp_object *o, double confidence, bp_estimate *out,
                          bp_detail *why)
{
    bp_status st = bp_check_confidence(confidence, why);
    if (st)
        return st;
    const uint64_t total = bp_count_min_total((const bp_count_min *)o);
    out->value = out->lower = (double)total;
    out->upper = total == UINT64_MAX ? INFINITY : not_below(total);
    return BP_OK;
}

const bp_kind bp_kind_count_min = {
    .name = "count_min",
    .id = 0x0101,
    .rule = 1,
    .config_size = sizeof(bp_count_min_config),
    .head_size = sizeof(cm_head),
    .hashing = &bp_hashing_all,
    .setup = setup,
    .config = config,
    .cells_size = cells_size,
    .same = same,
    .merge = merge,
    .put_params = put_params,
    .get_params = get_params,
    .describe = describe,
    .add_n = add_n,
    .add_hashes = add_hashes,
    .estimate = estimate,
};

BP_SKETCH_IMPL(count_min);
