/* SPDX-License-Identifier: MIT
 * count_min.c - how often was this key added? */
#include "sketches/count_min/count_min_state.h"

#include "core/cpu.h"
#include "core/mathx.h"
#include "hash/hash.h"

#include <ballpark/count_min.h>

#include <math.h>

BP_INTERNAL extern const bp_kind bp_kind_count_min;

#define WIDTH_MAX ((uint64_t)1 << 40)
#define ROW_STEP 0xFBB42D9Du

typedef struct cm_head {
    bp_head base;
    uint32_t depth;
    bool wide; /* 64-bit counters */
    bool conservative;
    uint64_t width;
    _Alignas(8) uint64_t total;
} cm_head;

/* What an add does to a counter. */
typedef struct rule {
    bool wide;
    bool conservative;
} rule;

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
    h->width = c.width;
    h->depth = c.depth;
    h->wide = c.counter_bits == 64;
    h->conservative = c.conservative;
    return BP_OK;
}

static void config(const void *head, void *cfg)
{
    const cm_head *h = (const cm_head *)head;
    bp_count_min_config *c = (bp_count_min_config *)cfg;
    c->epsilon = EULER / (double)h->width;
    c->delta = exp(-(double)h->depth);
    c->width = h->width;
    c->depth = h->depth;
    c->counter_bits = h->wide ? 64 : 32;
    c->conservative = h->conservative;
    c->concurrent = h->base.concurrent;
}

/* At most 2^40 * 32 * 8 bytes: no overflow in 64 bits. */
static uint64_t table_bytes(const cm_head *h)
{
    return h->width * h->depth * (h->wide ? 8 : 4);
}

static size_t cells_size(const void *head)
{
    const uint64_t n = table_bytes((const cm_head *)head);
    return n > SIZE_MAX ? SIZE_MAX : (size_t)n;
}

/* ------------------------------------------------------------------------- positions */

/* The cells of one key: out[i * stride] for row i. */
static BP_ALWAYS_INLINE void cells_of(uint64_t hash, uint64_t width, uint32_t depth,
                                      uint64_t *out, size_t stride)
{
    uint64_t a = hash, row = 0;
    BP_UNROLL
    for (uint32_t i = 0; i < depth; i++) {
        out[i * stride] = row + bp_range(a, width);
        a *= ROW_STEP;
        row += width;
    }
}

#if BP_X86
#define SUFFIX(name) name##_avx2
#define TARGET BP_TARGET_AVX2
#include "sketches/count_min/count_min_kernels.inc"
#undef SUFFIX
#undef TARGET
#endif

void bp_count_min_cells(const uint64_t *hashes, size_t n, uint64_t width, uint32_t depth,
                        uint64_t *out)
{
    size_t done = 0;
#if BP_X86
    if (n >= 4 && width <= UINT32_MAX && bp_cpu() & BP_CPU_AVX2)
        done = cells_avx2(hashes, n, width, depth, out);
#endif
    for (; done < n; done++)
        cells_of(hashes[done], width, depth, out + done, CM_BLOCK);
}

/* --------------------------------------------------------------------------- counters */

static BP_ALWAYS_INLINE uint64_t load(const uint8_t *p, bool wide)
{
    return wide ? bp_load64(p) : bp_load32(p);
}

static BP_ALWAYS_INLINE void store(uint8_t *p, bool wide, uint64_t v)
{
    if (wide)
        bp_store64(p, v);
    else
        bp_store32(p, (uint32_t)v);
}

static BP_ALWAYS_INLINE uint64_t largest(bool wide)
{
    return wide ? UINT64_MAX : UINT32_MAX;
}

static BP_ALWAYS_INLINE uint64_t raised(uint64_t c, uint64_t by, bool wide)
{
    return by > largest(wide) - c ? largest(wide) : c + by;
}

static BP_ALWAYS_INLINE uint64_t load_shared(const uint8_t *p, bool wide)
{
    if (wide)
        return bp_le64(BP_LOAD_RELAXED((const uint64_t *)(const void *)p));
    return bp_le32(BP_LOAD_RELAXED((const uint32_t *)(const void *)p));
}

static uint64_t raise_shared(uint8_t *p, bool wide, uint64_t by)
{
    if (wide) {
        uint64_t *cell = (uint64_t *)(void *)p, was = BP_LOAD_RELAXED(cell), now;
        do
            now = raised(bp_le64(was), by, true);
        while (!BP_CAS_RELAXED(cell, &was, bp_le64(now)));
        return now;
    }
    uint32_t *cell = (uint32_t *)(void *)p, was = BP_LOAD_RELAXED(cell);
    uint64_t now;
    do
        now = raised(bp_le32(was), by, false);
    while (!BP_CAS_RELAXED(cell, &was, bp_le32((uint32_t)now)));
    return now;
}

static uint64_t cell_at(const bp_object *o, uint64_t i)
{
    const bool wide = head_of(o)->wide;
    const uint8_t *p = o->cells + (size_t)i * (wide ? 8 : 4);
    return head_of(o)->base.concurrent ? load_shared(p, wide) : load(p, wide);
}

/* Adds one key, whose cell in row i is cells[i * stride]; returns its new estimate.
 *
 * Conservative update raises the counters only to the new estimate, and writes all of
 * them, changed or not: whether one changes is as good as random, and a mispredicted
 * branch costs more than the stores. */
static BP_ALWAYS_INLINE uint64_t add_key(uint8_t *restrict table, rule r, uint32_t depth,
                                         const uint64_t *restrict cells, size_t stride,
                                         uint64_t by)
{
    const size_t size = r.wide ? 8 : 4;
    uint64_t c[CM_DEPTH_MAX], least = UINT64_MAX;
    BP_UNROLL
    for (uint32_t i = 0; i < depth; i++) {
        uint8_t *p = table + (size_t)cells[i * stride] * size;
        c[i] = load(p, r.wide);
        if (!r.conservative)
            store(p, r.wide, c[i] = raised(c[i], by, r.wide));
        least = bp_choose(c[i] < least, c[i], least);
    }
    if (!r.conservative)
        return least;
    least = raised(least, by, r.wide);
    BP_UNROLL
    for (uint32_t i = 0; i < depth; i++)
        store(table + (size_t)cells[i * stride] * size, r.wide,
              bp_choose(c[i] > least, c[i], least));
    return least;
}

/* One key after another, as if each were added alone: a batch may hold a key twice. */
static BP_ALWAYS_INLINE void add_keys(uint8_t *table, rule r, uint32_t depth,
                                      const uint64_t *cells, size_t n, const uint64_t *by,
                                      uint64_t *counts)
{
    for (size_t k = 0; k < n; k++) {
        const uint64_t count =
            add_key(table, r, depth, cells + k, CM_BLOCK, by ? by[k] : 1);
        if (counts)
            counts[k] = count;
    }
}

static BP_ALWAYS_INLINE uint64_t add_hash(uint8_t *table, rule r, uint32_t depth,
                                          uint64_t hash, uint64_t width, uint64_t by)
{
    uint64_t cells[CM_DEPTH_MAX];
    cells_of(hash, width, depth, cells, 1);
    return add_key(table, r, depth, cells, 1, by);
}

/* The two usual depths are compiled on their own, so that their loops unroll: 5 rows are
 * delta = 1 %, 4 are top_k's. */
#define ADD_WITH(name, ...)                                                              \
    static void add_block_##name(uint8_t *table, uint32_t depth, const uint64_t *cells,  \
                                 size_t n, const uint64_t *by, uint64_t *counts)         \
    {                                                                                    \
        const rule r = {__VA_ARGS__};                                                    \
        if (depth == 5 && !by && !counts)                                                \
            add_keys(table, r, 5, cells, n, NULL, NULL);                                 \
        else if (depth == 5)                                                             \
            add_keys(table, r, 5, cells, n, by, counts);                                 \
        else if (depth == 4)                                                             \
            add_keys(table, r, 4, cells, n, by, counts);                                 \
        else                                                                             \
            add_keys(table, r, depth, cells, n, by, counts);                             \
    }                                                                                    \
    static uint64_t add_one_##name(uint8_t *table, uint32_t depth, uint64_t hash,        \
                                   uint64_t width, uint64_t by)                          \
    {                                                                                    \
        const rule r = {__VA_ARGS__};                                                    \
        if (depth == 5)                                                                  \
            return add_hash(table, r, 5, hash, width, by);                               \
        if (depth == 4)                                                                  \
            return add_hash(table, r, 4, hash, width, by);                               \
        return add_hash(table, r, depth, hash, width, by);                               \
    }
ADD_WITH(plain_32, .wide = false)
ADD_WITH(plain_64, .wide = true)
ADD_WITH(conservative_32, .wide = false, .conservative = true)
ADD_WITH(conservative_64, .wide = true, .conservative = true)

static const struct adder {
    void (*block)(uint8_t *table, uint32_t depth, const uint64_t *cells, size_t n,
                  const uint64_t *by, uint64_t *counts);
    uint64_t (*one)(uint8_t *table, uint32_t depth, uint64_t hash, uint64_t width,
                    uint64_t by);
} adders[2][2] = {
    {{add_block_plain_32, add_one_plain_32}, {add_block_plain_64, add_one_plain_64}},
    {{add_block_conservative_32, add_one_conservative_32},
     {add_block_conservative_64, add_one_conservative_64}}};

/* Many threads at once: each counter saturates by compare-exchange. */
static void add_block_shared(bp_object *o, const uint64_t *cells, size_t n,
                             const uint64_t *by, uint64_t *counts)
{
    const cm_head *h = head_of(o);
    const size_t size = h->wide ? 8 : 4;
    for (size_t k = 0; k < n; k++) {
        uint64_t least = UINT64_MAX;
        for (uint32_t i = 0; i < h->depth; i++) {
            uint8_t *p = o->cells + (size_t)cells[i * CM_BLOCK + k] * size;
            const uint64_t c = raise_shared(p, h->wide, by ? by[k] : 1);
            least = c < least ? c : least;
        }
        if (counts)
            counts[k] = least;
    }
}

static void add_block(bp_object *o, const uint64_t *cells, size_t n, const uint64_t *by,
                      uint64_t *counts)
{
    const cm_head *h = head_of(o);
    if (h->base.concurrent)
        add_block_shared(o, cells, n, by, counts);
    else
        adders[h->conservative][h->wide].block(o->cells, h->depth, cells, n, by, counts);
}

/* The estimate of a key, whose cell in row i is cells[i * stride]. */
static BP_ALWAYS_INLINE uint64_t least_of(const uint8_t *table, bool wide, uint32_t depth,
                                          const uint64_t *cells, size_t stride)
{
    uint64_t least = UINT64_MAX;
    BP_UNROLL
    for (uint32_t i = 0; i < depth; i++) {
        const uint64_t c = load(table + (size_t)cells[i * stride] * (wide ? 8 : 4), wide);
        least = bp_choose(c < least, c, least);
    }
    return least;
}

static BP_ALWAYS_INLINE void count_keys(const uint8_t *table, bool wide, uint32_t depth,
                                        const uint64_t *cells, size_t n, uint64_t *counts)
{
    for (size_t k = 0; k < n; k++)
        counts[k] = least_of(table, wide, depth, cells + k, CM_BLOCK);
}

static BP_ALWAYS_INLINE uint64_t count_hash(const uint8_t *table, bool wide,
                                            uint32_t depth, uint64_t hash, uint64_t width)
{
    uint64_t cells[CM_DEPTH_MAX];
    cells_of(hash, width, depth, cells, 1);
    return least_of(table, wide, depth, cells, 1);
}

#define COUNT_WITH(name, wide)                                                           \
    static void count_block_##name(const uint8_t *table, uint32_t depth,                 \
                                   const uint64_t *cells, size_t n, uint64_t *counts)    \
    {                                                                                    \
        if (depth == 5)                                                                  \
            count_keys(table, wide, 5, cells, n, counts);                                \
        else if (depth == 4)                                                             \
            count_keys(table, wide, 4, cells, n, counts);                                \
        else                                                                             \
            count_keys(table, wide, depth, cells, n, counts);                            \
    }                                                                                    \
    static uint64_t count_one_##name(const uint8_t *table, uint32_t depth,               \
                                     uint64_t hash, uint64_t width)                      \
    {                                                                                    \
        if (depth == 5)                                                                  \
            return count_hash(table, wide, 5, hash, width);                              \
        if (depth == 4)                                                                  \
            return count_hash(table, wide, 4, hash, width);                              \
        return count_hash(table, wide, depth, hash, width);                              \
    }
COUNT_WITH(32, false)
COUNT_WITH(64, true)

static void count_block_shared(const bp_object *o, const uint64_t *cells, size_t n,
                               uint64_t *counts)
{
    const cm_head *h = head_of(o);
    for (size_t k = 0; k < n; k++) {
        counts[k] = UINT64_MAX;
        for (uint32_t i = 0; i < h->depth; i++) {
            const uint64_t c = cell_at(o, cells[i * CM_BLOCK + k]);
            counts[k] = c < counts[k] ? c : counts[k];
        }
    }
}

static void count_block(const bp_object *o, const uint64_t *cells, size_t n,
                        uint64_t *counts)
{
    const cm_head *h = head_of(o);
    if (h->base.concurrent)
        count_block_shared(o, cells, n, counts);
    else if (h->wide)
        count_block_64(o->cells, h->depth, cells, n, counts);
    else
        count_block_32(o->cells, h->depth, cells, n, counts);
}

static void raise_total(bp_object *o, const uint64_t *by, size_t n)
{
    cm_head *h = head_of(o);
    uint64_t sum = by ? 0 : n;
    for (size_t i = 0; by && i < n; i++)
        sum = bp_add_sat64(sum, by[i]);
    if (!h->base.concurrent) {
        h->total = bp_add_sat64(h->total, sum);
        return;
    }
    uint64_t was = BP_LOAD_RELAXED(&h->total);
    while (!BP_CAS_RELAXED(&h->total, &was, bp_add_sat64(was, sum)))
        ;
}

/* ------------------------------------------------------------------------- add, count */

void bp_count_min_add_hashes(bp_count_min *s, const uint64_t *hashes, size_t n,
                             const uint64_t *by, uint64_t *counts)
{
    bp_object *o = (bp_object *)s;
    const cm_head *h = head_of(o);
    uint64_t cells[CM_BLOCK * CM_DEPTH_MAX];
    raise_total(o, by, n);
    for (size_t at = 0; at < n; at += CM_BLOCK) {
        const size_t m = n - at < CM_BLOCK ? n - at : CM_BLOCK;
        bp_count_min_cells(hashes + at, m, h->width, h->depth, cells);
        add_block(o, cells, m, by ? by + at : NULL, counts ? counts + at : NULL);
    }
}

void bp_count_min_add_n(bp_count_min *s, const bp_bytes *keys, size_t n,
                        const uint64_t *by, uint64_t *counts)
{
    const bp_object *o = (const bp_object *)s;
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
    cm_head *h = head_of(o);
    const uint64_t hash = bp_hash(&h->base.hash, key, n);
    if (h->base.concurrent) {
        uint64_t count;
        bp_count_min_add_hashes(s, &hash, 1, &by, &count);
        return count;
    }
    h->total = bp_add_sat64(h->total, by);
    return adders[h->conservative][h->wide].one(o->cells, h->depth, hash, h->width, by);
}

void bp_count_min_count_hashes(const bp_count_min *s, const uint64_t *hashes, size_t n,
                               uint64_t *counts)
{
    const bp_object *o = (const bp_object *)s;
    const cm_head *h = head_of(o);
    uint64_t cells[CM_BLOCK * CM_DEPTH_MAX];
    for (size_t at = 0; at < n; at += CM_BLOCK) {
        const size_t m = n - at < CM_BLOCK ? n - at : CM_BLOCK;
        bp_count_min_cells(hashes + at, m, h->width, h->depth, cells);
        count_block(o, cells, m, counts + at);
    }
}

void bp_count_min_count_n(const bp_count_min *s, const bp_bytes *keys, size_t n,
                          uint64_t *counts)
{
    const bp_object *o = (const bp_object *)s;
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
    const cm_head *h = head_of(o);
    const uint64_t hash = bp_hash(&h->base.hash, key, n);
    uint64_t count;
    if (h->base.concurrent)
        bp_count_min_count_hashes(s, &hash, 1, &count);
    else
        count =
            (h->wide ? count_one_64 : count_one_32)(o->cells, h->depth, hash, h->width);
    return count;
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
    const cm_head *h = head_of((const bp_object *)s);
    bp_status st = bp_check_confidence(confidence, why);
    if (st)
        return st;
    const uint64_t count = bp_count_min_count(s, key, n);
    const uint64_t total = bp_count_min_total(s);
    const double a = pow(1 - confidence, -1.0 / h->depth) / (double)h->width;
    const double lower = (double)count - a * (double)total;
    out->value = not_below(count);
    out->upper = count == largest(h->wide) ? INFINITY : out->value;
    out->lower = total == UINT64_MAX || lower < 0 ? 0 : lower;
    return BP_OK;
}

/* ------------------------------------------------------------------- merge, subtract */

static bp_status same(const bp_object *dst, const bp_object *src, bp_detail *why)
{
    const cm_head *a = head_of(dst), *b = head_of(src);
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

static bp_status merge(bp_object *dst, const bp_object *src, bp_detail *why)
{
    cm_head *h = head_of(dst);
    const size_t size = h->wide ? 8 : 4;
    const uint64_t n = h->width * h->depth;
    (void)why;
    h->total = bp_add_sat64(h->total, bp_count_min_total((const bp_count_min *)src));
    for (uint64_t i = 0; i < n; i++)
        store(dst->cells + (size_t)i * size, h->wide,
              raised(cell_at(dst, i), cell_at(src, i), h->wide));
    return BP_OK;
}

bp_status bp_count_min_subtract(bp_count_min *dst, const bp_count_min *src,
                                bp_detail *why)
{
    (void)dst;
    (void)src;
    return bp_fail(why, BP_UNSUPPORTED, "conservative or saturated", 0, 0);
}

/* ----------------------------------------------------------------------------- bytes */

static void put_params(const bp_object *o, bp_writer *w)
{
    const cm_head *h = head_of(o);
    bp_put64(w, h->width);
    bp_put32(w, h->depth);
    bp_put8(w, h->wide ? 64 : 32);
    bp_put8(w, h->conservative);
    bp_put16(w, 0);
    bp_put64(w, bp_count_min_total((const bp_count_min *)o));
}

static bp_status get_params(void *head, bp_reader *r, const bp_envelope *e,
                            bp_detail *why)
{
    cm_head *h = (cm_head *)head;
    h->width = bp_get64(r);
    h->depth = bp_get32(r);
    const uint8_t bits = bp_get8(r), update = bp_get8(r);
    const uint16_t zero = bp_get16(r);
    h->total = bp_get64(r);
    h->wide = bits == 64;
    h->conservative = update == 1;
    if (r->short_)
        return BP_OK; /* the caller says so */
    if (h->width < 1 || h->width > WIDTH_MAX)
        return bp_fail_at(why, BP_CORRUPT, "width must be 1 to 2^40", 0, h->width,
                          WIDTH_MAX);
    if (h->depth < 1 || h->depth > CM_DEPTH_MAX)
        return bp_fail_at(why, BP_CORRUPT, "depth must be 1 to 32", 8, h->depth,
                          CM_DEPTH_MAX);
    if (bits != 32 && bits != 64)
        return bp_fail_at(why, BP_CORRUPT, "counters must have 32 or 64 bits", 12, bits,
                          32);
    if (update > 1)
        return bp_fail_at(why, BP_CORRUPT, "the update rule must be 0 or 1", 13, update,
                          1);
    if (zero)
        return bp_fail_at(why, BP_CORRUPT, "reserved bytes must be zero", 14, zero, 0);
    if (e->payload_size != table_bytes(h))
        return bp_fail_at(why, BP_CORRUPT, "the payload is not width * depth counters", 0,
                          e->payload_size, table_bytes(h));
    return BP_OK;
}

/* -------------------------------------------------------------------------- describe */

static void describe(const bp_object *o, bp_description *d)
{
    const cm_head *h = head_of(o);
    bp_say_whole(d, "width", "counters", h->width, true);
    bp_say_whole(d, "depth", "rows", h->depth, true);
}

static bp_status add_n(bp_object *o, const bp_bytes *keys, size_t n, bp_detail *why)
{
    (void)why;
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
