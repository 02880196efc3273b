/* SPDX-License-Identifier: MIT
 * count_min_table.c - where a key's counters are, and how they are raised and read; what
 * takes the time. The essay is in count_min.c.
 *
 * A batch goes through in blocks of 64 keys: first all their cells are computed, four
 * keys at a time where there is AVX2, then the counters are raised one key after another
 * without a branch that depends on data. Loads of later keys do not wait for those of
 * earlier ones, which hides most of the latency of a table beyond the caches. */
#include "sketches/count_min/count_min_state.h"

#include "core/cpu.h"

/* M of the essay: part of the format, rule 1. */
#define ROW_STEP 0xFBB42D9Du

/* ----------------------------------------------------------------------- positions */

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

/* The next block's cells. Tables beyond the caches near by are fetched ahead. */
static void prepare(const uint8_t *cells, const cm_table *t, const uint64_t *hashes,
                    size_t n, uint64_t *at)
{
    enum { FETCH_FROM = 1 << 20 };
    const size_t size = cm_size(t->wide);
    bp_count_min_cells(hashes, n, t->width, t->depth, at);
    if (t->width * t->depth * size < FETCH_FROM)
        return;
    for (uint32_t i = 0; i < t->depth; i++)
        for (size_t k = 0; k < n; k++)
            BP_PREFETCH(cells + (size_t)at[i * CM_BLOCK + k] * size);
}

/* -------------------------------------------------------------------------- raising */

/* Adds one key, whose cell in row i is at[i * stride]; returns its new estimate.
 *
 * Conservative update raises the counters only to the new estimate, and writes all of
 * them, changed or not: whether one changes is as good as random, and a mispredicted
 * branch costs more than the stores. */
static BP_ALWAYS_INLINE uint64_t raise_key(uint8_t *restrict cells, bool conservative,
                                           bool wide, uint32_t depth,
                                           const uint64_t *restrict at, size_t stride,
                                           uint64_t by)
{
    uint64_t c[CM_DEPTH_MAX], least = UINT64_MAX;
    BP_UNROLL
    for (uint32_t i = 0; i < depth; i++) {
        uint8_t *p = cells + (size_t)at[i * stride] * cm_size(wide);
        c[i] = cm_load(p, wide);
        if (!conservative)
            cm_store(p, wide, c[i] = cm_raised(c[i], by, wide));
        least = bp_choose(c[i] < least, c[i], least);
    }
    if (!conservative)
        return least;
    least = cm_raised(least, by, wide);
    BP_UNROLL
    for (uint32_t i = 0; i < depth; i++)
        cm_store(cells + (size_t)at[i * stride] * cm_size(wide), wide,
                 bp_choose(c[i] > least, c[i], least));
    return least;
}

/* One key after another, as if each were added alone: a block may hold a key twice. */
static BP_ALWAYS_INLINE void raise_keys(uint8_t *cells, bool conservative, bool wide,
                                        uint32_t depth, const uint64_t *at, size_t n,
                                        const uint64_t *by, uint64_t *counts)
{
    for (size_t k = 0; k < n; k++) {
        const uint64_t count =
            raise_key(cells, conservative, wide, depth, at + k, CM_BLOCK, by ? by[k] : 1);
        if (counts)
            counts[k] = count;
    }
}

static BP_ALWAYS_INLINE uint64_t raise_hash(uint8_t *cells, bool conservative, bool wide,
                                            uint32_t depth, uint64_t width, uint64_t hash,
                                            uint64_t by)
{
    uint64_t at[CM_DEPTH_MAX];
    cells_of(hash, width, depth, at, 1);
    return raise_key(cells, conservative, wide, depth, at, 1, by);
}

/* The usual depth, 5 rows for delta = 1 %, is compiled on its own, so that its loops
 * unroll. Plain counting, by far the most frequent, too. */
#define RAISE(name, conservative, wide)                                                  \
    static void raise_block_##name(uint8_t *cells, uint32_t depth, const uint64_t *at,   \
                                   size_t n, const uint64_t *by, uint64_t *counts)       \
    {                                                                                    \
        if (depth == 5 && !by && !counts)                                                \
            raise_keys(cells, conservative, wide, 5, at, n, NULL, NULL);                 \
        else if (depth == 5)                                                             \
            raise_keys(cells, conservative, wide, 5, at, n, by, counts);                 \
        else                                                                             \
            raise_keys(cells, conservative, wide, depth, at, n, by, counts);             \
    }                                                                                    \
    static uint64_t raise_one_##name(uint8_t *cells, uint32_t depth, uint64_t width,     \
                                     uint64_t hash, uint64_t by)                         \
    {                                                                                    \
        if (depth == 5)                                                                  \
            return raise_hash(cells, conservative, wide, 5, width, hash, by);            \
        return raise_hash(cells, conservative, wide, depth, width, hash, by);            \
    }
RAISE(plain_32, false, false)
RAISE(plain_64, false, true)
RAISE(conservative_32, true, false)
RAISE(conservative_64, true, true)

static const struct raiser {
    void (*block)(uint8_t *cells, uint32_t depth, const uint64_t *at, size_t n,
                  const uint64_t *by, uint64_t *counts);
    uint64_t (*one)(uint8_t *cells, uint32_t depth, uint64_t width, uint64_t hash,
                    uint64_t by);
} raisers[2][2] = {{{raise_block_plain_32, raise_one_plain_32},
                    {raise_block_plain_64, raise_one_plain_64}},
                   {{raise_block_conservative_32, raise_one_conservative_32},
                    {raise_block_conservative_64, raise_one_conservative_64}}};

/* ------------------------------------------------------------- many threads at once */

static uint64_t raise_cell_shared(uint8_t *p, bool wide, uint64_t by)
{
    if (wide) {
        uint64_t *cell = (uint64_t *)(void *)p, was = BP_LOAD_RELAXED(cell), now;
        do
            now = cm_raised(bp_le64(was), by, true);
        while (!BP_CAS_RELAXED(cell, &was, bp_le64(now)));
        return now;
    }
    uint32_t *cell = (uint32_t *)(void *)p, was = BP_LOAD_RELAXED(cell), now;
    do
        now = (uint32_t)cm_raised(bp_le32(was), by, false);
    while (!BP_CAS_RELAXED(cell, &was, bp_le32(now)));
    return now;
}

static uint64_t raise_key_shared(uint8_t *cells, const cm_table *t, const uint64_t *at,
                                 uint64_t by)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < t->depth; i++) {
        uint8_t *p = cells + (size_t)at[i * CM_BLOCK] * cm_size(t->wide);
        const uint64_t c = raise_cell_shared(p, t->wide, by);
        least = c < least ? c : least;
    }
    return least;
}

static uint64_t least_shared(const uint8_t *cells, const cm_table *t, const uint64_t *at)
{
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < t->depth; i++) {
        const uint8_t *p = cells + (size_t)at[i * CM_BLOCK] * cm_size(t->wide);
        const uint64_t c = cm_load_shared(p, t->wide);
        least = c < least ? c : least;
    }
    return least;
}

/* -------------------------------------------------------------------------- reading */

static BP_ALWAYS_INLINE uint64_t least_of(const uint8_t *cells, bool wide, uint32_t depth,
                                          const uint64_t *at, size_t stride)
{
    uint64_t least = UINT64_MAX;
    BP_UNROLL
    for (uint32_t i = 0; i < depth; i++) {
        const uint64_t c = cm_load(cells + (size_t)at[i * stride] * cm_size(wide), wide);
        least = bp_choose(c < least, c, least);
    }
    return least;
}

static BP_ALWAYS_INLINE void ask_keys(const uint8_t *cells, bool wide, uint32_t depth,
                                      const uint64_t *at, size_t n, uint64_t *counts)
{
    for (size_t k = 0; k < n; k++)
        counts[k] = least_of(cells, wide, depth, at + k, CM_BLOCK);
}

static BP_ALWAYS_INLINE uint64_t ask_hash(const uint8_t *cells, bool wide, uint32_t depth,
                                          uint64_t width, uint64_t hash)
{
    uint64_t at[CM_DEPTH_MAX];
    cells_of(hash, width, depth, at, 1);
    return least_of(cells, wide, depth, at, 1);
}

#define ASK(bits, wide)                                                                  \
    static void ask_block_##bits(const uint8_t *cells, uint32_t depth,                   \
                                 const uint64_t *at, size_t n, uint64_t *counts)         \
    {                                                                                    \
        if (depth == 5)                                                                  \
            ask_keys(cells, wide, 5, at, n, counts);                                     \
        else if (depth == 4)                                                             \
            ask_keys(cells, wide, 4, at, n, counts);                                     \
        else                                                                             \
            ask_keys(cells, wide, depth, at, n, counts);                                 \
    }                                                                                    \
    static uint64_t ask_one_##bits(const uint8_t *cells, uint32_t depth, uint64_t width, \
                                   uint64_t hash)                                        \
    {                                                                                    \
        if (depth == 5)                                                                  \
            return ask_hash(cells, wide, 5, width, hash);                                \
        if (depth == 4)                                                                  \
            return ask_hash(cells, wide, 4, width, hash);                                \
        return ask_hash(cells, wide, depth, width, hash);                                \
    }
ASK(32, false)
ASK(64, true)

/* ---------------------------------------------------------------------- up to a limit */

/* As raise_key, unless the new estimate would be above `most`: then false, and nothing.
 */
static BP_ALWAYS_INLINE bool raise_key_upto(uint8_t *cells, const cm_table *t,
                                            uint32_t depth, const uint64_t *at,
                                            size_t stride, uint64_t by, uint64_t most)
{
    const size_t size = cm_size(t->wide);
    uint64_t c[CM_DEPTH_MAX], least = UINT64_MAX;
    BP_UNROLL
    for (uint32_t i = 0; i < depth; i++) {
        c[i] = cm_load(cells + (size_t)at[i * stride] * size, t->wide);
        least = bp_choose(c[i] < least, c[i], least);
    }
    least = cm_raised(least, by, t->wide);
    if (least > most)
        return false;
    BP_UNROLL
    for (uint32_t i = 0; i < depth; i++)
        cm_store(cells + (size_t)at[i * stride] * size, t->wide,
                 t->conservative ? bp_choose(c[i] > least, c[i], least)
                                 : cm_raised(c[i], by, t->wide));
    return true;
}

/* Counting up to a limit is for tables behind a list of heavy hitters, and those are
 * such: their form is told to the compiler. */
static const cm_table usual_upto = {.depth = 2, .wide = true, .conservative = true};

static bool is_usual_upto(const cm_table *t)
{
    return t->depth == usual_upto.depth && t->wide && t->conservative;
}

static size_t raise_block_upto(uint8_t *cells, const cm_table *t, const uint64_t *at,
                               size_t n, const uint64_t *by, uint64_t most)
{
    size_t k = 0;
    if (is_usual_upto(t) && !by)
        while (k < n && raise_key_upto(cells, &usual_upto, usual_upto.depth, at + k,
                                       CM_BLOCK, 1, most))
            k++;
    else
        while (k < n &&
               raise_key_upto(cells, t, t->depth, at + k, CM_BLOCK, by ? by[k] : 1, most))
            k++;
    return k;
}

bool bp_count_min_raise_one_upto(uint8_t *cells, const cm_table *t, uint64_t hash,
                                 uint64_t by, uint64_t most)
{
    uint64_t at[CM_DEPTH_MAX];
    if (is_usual_upto(t)) {
        cells_of(hash, t->width, usual_upto.depth, at, 1);
        return raise_key_upto(cells, &usual_upto, usual_upto.depth, at, 1, by, most);
    }
    cells_of(hash, t->width, t->depth, at, 1);
    return raise_key_upto(cells, t, t->depth, at, 1, by, most);
}

size_t bp_count_min_raise_upto(uint8_t *cells, const cm_table *t, const uint64_t *hashes,
                               size_t n, const uint64_t *by, uint64_t most)
{
    uint64_t at[CM_BLOCK * CM_DEPTH_MAX];
    for (size_t i = 0; i < n; i += CM_BLOCK) {
        const size_t m = n - i < CM_BLOCK ? n - i : CM_BLOCK;
        prepare(cells, t, hashes + i, m, at);
        const size_t done = raise_block_upto(cells, t, at, m, by ? by + i : NULL, most);
        if (done < m)
            return i + done;
    }
    return n;
}

/* ------------------------------------------------------------------------ any number */

static void raise_block(uint8_t *cells, const cm_table *t, const uint64_t *at, size_t n,
                        const uint64_t *by, uint64_t *counts)
{
    if (!t->concurrent) {
        raisers[t->conservative][t->wide].block(cells, t->depth, at, n, by, counts);
        return;
    }
    for (size_t k = 0; k < n; k++) {
        const uint64_t count = raise_key_shared(cells, t, at + k, by ? by[k] : 1);
        if (counts)
            counts[k] = count;
    }
}

void bp_count_min_raise(uint8_t *cells, const cm_table *t, const uint64_t *hashes,
                        size_t n, const uint64_t *by, uint64_t *counts)
{
    uint64_t at[CM_BLOCK * CM_DEPTH_MAX];
    for (size_t i = 0; i < n; i += CM_BLOCK) {
        const size_t m = n - i < CM_BLOCK ? n - i : CM_BLOCK;
        prepare(cells, t, hashes + i, m, at);
        raise_block(cells, t, at, m, by ? by + i : NULL, counts ? counts + i : NULL);
    }
}

uint64_t bp_count_min_raise_one(uint8_t *cells, const cm_table *t, uint64_t hash,
                                uint64_t by)
{
    if (!t->concurrent)
        return raisers[t->conservative][t->wide].one(cells, t->depth, t->width, hash, by);
    uint64_t count;
    bp_count_min_raise(cells, t, &hash, 1, &by, &count);
    return count;
}

static void ask_block(const uint8_t *cells, const cm_table *t, const uint64_t *at,
                      size_t n, uint64_t *counts)
{
    if (!t->concurrent) {
        (t->wide ? ask_block_64 : ask_block_32)(cells, t->depth, at, n, counts);
        return;
    }
    for (size_t k = 0; k < n; k++)
        counts[k] = least_shared(cells, t, at + k);
}

void bp_count_min_ask(const uint8_t *cells, const cm_table *t, const uint64_t *hashes,
                      size_t n, uint64_t *counts)
{
    uint64_t at[CM_BLOCK * CM_DEPTH_MAX];
    for (size_t i = 0; i < n; i += CM_BLOCK) {
        const size_t m = n - i < CM_BLOCK ? n - i : CM_BLOCK;
        prepare(cells, t, hashes + i, m, at);
        ask_block(cells, t, at, m, counts + i);
    }
}

uint64_t bp_count_min_ask_one(const uint8_t *cells, const cm_table *t, uint64_t hash)
{
    if (!t->concurrent)
        return (t->wide ? ask_one_64 : ask_one_32)(cells, t->depth, t->width, hash);
    uint64_t count;
    bp_count_min_ask(cells, t, &hash, 1, &count);
    return count;
}
