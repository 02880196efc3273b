/* SPDX-License-Identifier: MIT
 * binary_fuse_build.c - finding the cells of a set of keys.
 *
 * Each key wants the XOR of its cells to be its fingerprint: a system of equations, which
 * peeling solves. A cell that one key alone has can be given whatever that key lacks, as
 * long as all the others come first: the key is taken away, which leaves other cells to
 * one key, and so on; then cells are filled in the opposite order. It fails when some
 * keys hold each other in, and is tried again under another seed.
 *
 *     stage      the hashes, repeats removed once they have made an attempt fail
 *     scatter    mixed under the seed, and in groups by their first cell, so that
 *     count      what follows touches a few segments at a time: for each cell the XOR
 *                of its keys, how many they are, and the XOR of which of theirs it is
 *     peel       first in, first out
 *     fill       the fingerprints, last peeled first
 *
 * Peeled first in, first out (Graf and Lemire peel the last found first) the next cells
 * are known long before they are needed, and fetched: with a stack each step waits for
 * memory.
 *
 *     a cell while peeling, in 64 bits:   how many keys | XOR of which | XOR of the keys
 *                                                 6              2              56
 *
 * The highest 8 bits of a key need no room: they say where its first cell is, and that is
 * known where a cell and which of the key's it is are. So a step touches one line for
 * each cell. Where there are fewer than 512 first cells they say too little; then the
 * cells keep the numbers of the keys.
 *
 * How large: the authors' fit of cells a key, in whole numbers here, so that no libm
 * decides. And never fewer first segments than peeling takes in a long row (0.918 keys
 * for each of their cells with three places, 0.977 with four), and 2 % (1 %) more: the
 * published rule forgets that the last segments are no first ones, so that at 11,480 to
 * 11,521 keys, in 12 segments of 1,024, nearly every seed fails. After four failures
 * there is one more segment, and again after each eight, up to four. Whether an attempt
 * succeeds is then the seed's luck alone: different keys stay different under each. No
 * number of keys was seen to fail with more than half of its seeds (42 with four places;
 * most fail with 1 to 5 %), so that 64 failures in a row are one in 2^64 builds.
 *
 * The seeds follow from the set, not from its order: the same set gives the same bytes,
 * and no key can be chosen to spoil every filter it gets into. Whoever must take keys
 * from an attacker takes a keyed hash. */
#include "sketches/binary_fuse/binary_fuse_state.h"

#include "core/rng.h"
#include "hash/hash.h"
#include "parts/unique.h"

enum {
    FUSE_EXTRA_MAX = 4,
    FUSE_GROUPS_LOG = 9, /* groups to scatter into, at most: pages one core can map */
    FUSE_SCATTER_FROM = 1 << 14,
    FUSE_SOON = 16, /* keys ahead that cells are fetched when counting          */
    FUSE_FAR = 64,  /* steps ahead that what a queue names is fetched           */
    FUSE_NEAR = 24, /* steps ahead that what its key names is                   */
    FUSE_RING = 32  /* more than FUSE_NEAR, and a power of two                  */
};

#define FUSE_ONE (UINT64_C(1) << 58) /* key in a cell; 32 of them set the highest bit */
#define FUSE_WHICH 56
#define FUSE_KEY ((UINT64_C(1) << FUSE_WHICH) - 1)

/* ---------------------------------------------------------------------------- sizes */

/* log2 of n >= 2 in units of 2^-16, rounded down: squaring doubles it. */
static uint32_t fuse_log2(uint64_t n)
{
    const uint32_t whole = 63 - (uint32_t)BP_CLZ64(n);
    uint64_t x = n << (63 - whole); /* 2^63 is 1 */
    uint32_t log = whole;
    for (int i = 0; i < 16; i++) {
        uint64_t low;
        const uint64_t high = bp_mul128(x, x, &low);
        const bool two = high >> 63;
        log = 2 * log + two;
        x = two ? high : high << 1 | low >> 63;
    }
    return log;
}

/* In units of 2^-16: 1 / log2(3.33) and 2.25; 0.875, 0.25 log2(1e6) and 1.125. For four
 * 1 / log2(2.91) and -0.5; 0.77, 0.305 log2(6e5) and 1.075. */
static const struct fuse_fit {
    int64_t per_log, shift;
    uint64_t base, slope, least, firsts;
} fits[FUSE_ARITY_MAX + 1] = {[3] = {37762, 147456, 57344, 326559, 73728, 73073},
                              [4] = {42535, -32768, 50463, 383671, 70451, 67765}};

fuse_design bp_fuse_plan(uint64_t n, uint32_t bits, uint32_t arity, uint32_t extra)
{
    fuse_design d = {.items = n, .bits = bits, .arity = arity};
    if (n == 0)
        return d;
    const struct fuse_fit *fit = &fits[arity];
    const uint64_t log = fuse_log2(n < 2 ? 2 : n);
    const uint64_t slots = fit->base + (fit->slope << 16) / log;
    const uint64_t cells = n * (slots > fit->least ? slots : fit->least) >> 16;
    const int64_t length = ((int64_t)log * fit->per_log / 65536 + fit->shift) / 65536;
    d.length = length < 2                 ? 2
               : length < FUSE_LENGTH_MAX ? (uint32_t)length
                                          : FUSE_LENGTH_MAX;
    const uint64_t segments = (cells >> d.length) + 1;
    const uint64_t least = ((n * fit->firsts >> 16) >> d.length) + 1;
    d.starts = segments > least + arity - 1 ? segments - (arity - 1) : least;
    d.starts += extra;
    return d;
}

/* Cells for any set of up to n keys: a little fewer keys may round to a segment more. */
uint64_t bp_fuse_most_cells(uint64_t n, uint32_t arity)
{
    const fuse_design d = bp_fuse_plan(n, 8, arity, FUSE_EXTRA_MAX + 1);
    return fuse_cells(&d);
}

/* The queue takes the place of the mixed hashes, which are done with when it begins. A
 * cell is in it at most once; one more is written without being kept. */
size_t bp_fuse_room(uint64_t n, uint32_t arity)
{
    if (n > FUSE_ITEMS_MAX)
        return SIZE_MAX;
    const uint64_t bytes = 17 * bp_fuse_most_cells(n, arity) + 8 + 7;
    return bytes < SIZE_MAX / 8 ? (size_t)bytes : SIZE_MAX;
}

void bp_fuse_lay_out(fuse_work *w, void *room)
{
    const size_t cells = (size_t)bp_fuse_most_cells(w->given, w->design.arity);
    w->row = (uint64_t *)(((uintptr_t)room + 7) & ~(uintptr_t)7);
    w->cell = w->row + cells + 1;
    w->which = (uint8_t *)(w->cell + cells);
}

/* Hashes in the order of their shards stand in front. */
size_t bp_fuse_scratch(const fuse_head *h, size_t n)
{
    const size_t room = bp_fuse_room(n, h->design.arity);
    return room == SIZE_MAX || h->shards == 1 ? room : room + 8 * n;
}

/* ----------------------------------------------------------------------- the set */

/* The hashes, where the cells will be unless the caller's own will do. */
static const uint64_t *fuse_stage(fuse_work *w)
{
    if (!w->keys && !w->sorted)
        return w->hashes;
    if (w->keys)
        bp_hash_n(w->spec, w->keys, w->given, w->cell);
    else
        memcpy(w->cell, w->hashes, w->given * sizeof *w->cell);
    if (w->sorted)
        w->n = bp_sort_unique(w->cell, w->row, w->given);
    return w->cell;
}

static uint64_t fuse_first_seed(const uint64_t *hashes, size_t n)
{
    uint64_t sum = n;
    for (size_t i = 0; i < n; i++)
        sum += bp_second(hashes[i]);
    return sum;
}

/* ------------------------------------------------------------------ scatter, count */

/* Into w->row, by the high bits, which choose the first cell. */
static void fuse_scatter(const fuse_work *w, const uint64_t *hashes)
{
    const uint64_t seed = w->design.seed;
    const uint32_t log = w->n < FUSE_SCATTER_FROM ? 0 : FUSE_GROUPS_LOG;
    size_t at[1 << FUSE_GROUPS_LOG] = {0}, sum = 0;
    for (size_t i = 0; i < w->n && log; i++)
        at[fuse_mix(hashes[i], seed) >> (64 - FUSE_GROUPS_LOG)]++;
    for (size_t i = 0; i < (size_t)1 << log; i++) {
        const size_t here = at[i];
        at[i] = sum;
        sum += here;
    }
    for (size_t i = 0; i < w->n; i++) {
        const uint64_t x = fuse_mix(hashes[i], seed);
        w->row[at[log ? x >> (64 - FUSE_GROUPS_LOG) : 0]++] = x;
    }
}

/* The map, and how a cell gives back the key that it alone has. */
typedef struct fuse_peeler {
    fuse_map map;
    uint64_t per_first;  /* hashes there are to a first cell, rounded down */
    const uint64_t *few; /* NULL: cells keep keys, not their numbers       */
} fuse_peeler;

static fuse_peeler fuse_peeler_of(const fuse_work *w)
{
    const fuse_map m = fuse_map_of(&w->design);
    return (fuse_peeler){m, UINT64_MAX / m.firsts, m.firsts < FUSE_FEW ? w->few : NULL};
}

/* The key of a cell with one. The hashes with this first cell begin at most 2^55 behind
 * base, and are fewer than that: the low 56 bits tell which it is. */
static BP_ALWAYS_INLINE uint64_t fuse_key(const fuse_peeler *t, uint64_t cell,
                                          uint64_t kept, uint32_t arity)
{
    const uint64_t low = kept & FUSE_KEY, which = kept >> FUSE_WHICH & 3;
    if (t->few)
        return t->few[low];
    const uint64_t fourth = 0 - (which >> 1 & which), moved = 0 - ((which + 3) >> 2);
    uint64_t by = low >> ((which >> 1) * 18);
    if (arity == 4)
        by = (by & ~fourth) | ((fuse_spread(low) >> 14) & fourth);
    const uint64_t first = (cell ^ (by & t->map.mask & moved)) - (which << t->map.length);
    const uint64_t base = first * t->per_first;
    return base + ((low - base) & FUSE_KEY);
}

static BP_ALWAYS_INLINE void fuse_fetch(const uint64_t *cell, const fuse_map *m,
                                        uint64_t x, uint32_t arity)
{
    const fuse_place p = fuse_place_of(m, x, arity);
    for (uint32_t j = 0; j < arity; j++)
        BP_PREFETCH_WRITE(cell + p.cell[j]);
}

/* False when some cell has more keys than a count can hold: repeats, or a seed that will
 * not do. */
static BP_ALWAYS_INLINE bool fuse_count(const fuse_work *w, const fuse_peeler *t,
                                        uint32_t arity)
{
    const fuse_map m = t->map;
    const uint64_t *row = w->row;
    const size_t n = w->n;
    uint64_t *cell = w->cell, all = 0;
    for (size_t i = 0; i < n; i++) {
        if (i + FUSE_SOON < n)
            fuse_fetch(cell, &m, row[i + FUSE_SOON], arity);
        const fuse_place p = fuse_place_of(&m, row[i], arity);
        const uint64_t key = t->few ? i : row[i] & FUSE_KEY;
        for (uint64_t j = 0; j < arity; j++) {
            const uint64_t kept = cell[p.cell[j]];
            all |= kept;
            cell[p.cell[j]] = (kept + FUSE_ONE) ^ (key | j << FUSE_WHICH);
        }
    }
    return !(all >> 63);
}

/* ---------------------------------------------------------------------------- peel */

static size_t fuse_lonely(const fuse_work *w, size_t cells)
{
    const uint64_t *cell = w->cell;
    uint64_t *row = w->row;
    size_t end = 0;
    for (size_t c = 0; c < cells; c++) {
        row[end] = c;
        end += cell[c] / FUSE_ONE == 1;
    }
    return end;
}

/* Takes the key x from its cells; those that are left with one key join the queue. */
static BP_ALWAYS_INLINE size_t fuse_take(uint64_t *cell, uint64_t *row, const fuse_map *m,
                                         uint64_t x, uint64_t key, size_t end,
                                         uint32_t arity)
{
    const fuse_place p = fuse_place_of(m, x, arity);
    for (uint64_t j = 0; j < arity; j++) {
        const uint64_t c = p.cell[j];
        const uint64_t left = (cell[c] - FUSE_ONE) ^ (key | j << FUSE_WHICH);
        cell[c] = left;
        row[end] = c;
        end += left / FUSE_ONE == 1;
    }
    return end;
}

/* How many keys were taken: the first so many of the row, and which of their cells each
 * was taken from. Their keys are known when their cells are fetched, and stay. */
static BP_ALWAYS_INLINE size_t fuse_peel(const fuse_work *w, const fuse_peeler *t,
                                         uint32_t arity)
{
    const fuse_map m = t->map;
    uint64_t *cell = w->cell, *row = w->row, ring[FUSE_RING];
    uint8_t *which = w->which;
    size_t end = fuse_lonely(w, (size_t)fuse_cells(&w->design)), taken = 0, ahead = 0;
    for (size_t i = 0; i < end; i++) {
        if (i + FUSE_FAR < end)
            BP_PREFETCH_WRITE(cell + row[i + FUSE_FAR]);
        for (; ahead < end && ahead <= i + FUSE_NEAR; ahead++) {
            const uint64_t x = fuse_key(t, row[ahead], cell[row[ahead]], arity);
            ring[ahead % FUSE_RING] = x;
            fuse_fetch(cell, &m, x, arity);
        }
        const uint64_t kept = cell[row[i]], x = ring[i % FUSE_RING];
        if (kept / FUSE_ONE != 1)
            continue; /* its key went with another cell */
        end = fuse_take(cell, row, &m, x, kept & FUSE_KEY, end, arity);
        which[taken] = (uint8_t)(kept >> FUSE_WHICH & 3);
        row[taken++] = x;
    }
    return taken;
}

static BP_ALWAYS_INLINE bool fuse_solves(const fuse_work *w, uint32_t arity)
{
    const fuse_peeler t = fuse_peeler_of(w);
    return fuse_count(w, &t, arity) && fuse_peel(w, &t, arity) == w->n;
}

static bool fuse_attempt(fuse_work *w, const uint64_t *hashes)
{
    const size_t cells = (size_t)fuse_cells(&w->design);
    fuse_scatter(w, hashes);
    if (w->n < FUSE_FEW)
        memcpy(w->few, w->row, w->n * sizeof *w->few);
    memset(w->cell, 0, cells * sizeof *w->cell);
    return w->design.arity == 3 ? fuse_solves(w, 3) : fuse_solves(w, 4);
}

/* Most attempts succeed, and each has a chance of its own; but a key that is
 * there twice makes all of them fail. So the first failure is taken for that. */
void bp_fuse_solve(fuse_work *w)
{
    const fuse_design asked = w->design;
    uint64_t state = 0;
    for (uint32_t failed = 0;; failed++) {
        const uint64_t *hashes = fuse_stage(w);
        if (failed == 0)
            state = fuse_first_seed(hashes, w->n);
        const uint32_t extra = failed < 4 ? 0 : 1 + (failed - 4) / 8;
        w->design = bp_fuse_plan(w->n, asked.bits, asked.arity,
                                 extra < FUSE_EXTRA_MAX ? extra : FUSE_EXTRA_MAX);
        w->design.seed = bp_rng_next(&state);
        if (fuse_attempt(w, hashes))
            return;
        if (!w->sorted) {
            w->sorted = true;
            failed = UINT32_MAX; /* from the beginning, as if they had not been there */
        }
    }
}

/* ---------------------------------------------------------------------------- fill */

static BP_ALWAYS_INLINE void fuse_fill_as(const fuse_work *w, uint8_t *to, uint32_t arity,
                                          uint32_t bits)
{
    const fuse_map m = fuse_map_of(&w->design);
    const uint64_t *row = w->row;
    const uint8_t *which = w->which;
    const size_t width = bits / 8;
    for (size_t i = w->n; i-- > 0;) {
        if (i >= FUSE_NEAR) {
            const fuse_place next = fuse_place_of(&m, row[i - FUSE_NEAR], arity);
            for (uint32_t j = 0; j < arity; j++)
                BP_PREFETCH_WRITE(to + next.cell[j] * width);
        }
        const fuse_place p = fuse_place_of(&m, row[i], arity);
        uint32_t lacks = p.mark >> (32 - bits);
        for (uint32_t j = 0; j < arity; j++)
            lacks ^= fuse_load(to + p.cell[j] * width, bits);
        fuse_store(to + p.cell[which[i]] * width, bits, lacks);
    }
}

void bp_fuse_fill(const fuse_work *w, uint8_t *to)
{
    const uint32_t bits = w->design.bits;
    if (w->design.arity == 3)
        bits == 8    ? fuse_fill_as(w, to, 3, 8)
        : bits == 16 ? fuse_fill_as(w, to, 3, 16)
                     : fuse_fill_as(w, to, 3, 32);
    else
        bits == 8    ? fuse_fill_as(w, to, 4, 8)
        : bits == 16 ? fuse_fill_as(w, to, 4, 16)
                     : fuse_fill_as(w, to, 4, 32);
}

/* ------------------------------------------------------------------------- together */

/* Only room for the cells can be lacking now; without it, nothing has changed. */
static bp_status fuse_put(bp_object *o, const fuse_work *w, bp_detail *why)
{
    const uint64_t bytes = fuse_cells(&w->design) * (w->design.bits / 8);
    const bp_status st = bp_object_resize(o, (size_t)bytes, why);
    if (st)
        return st;
    memset(o->cells, 0, o->cells_size);
    ((fuse_head *)o->head)->design = w->design;
    if (w->n)
        bp_fuse_fill(w, o->cells);
    bp_object_unreport(o);
    return BP_OK;
}

/* Of one shard; n may be 0, without working memory. */
static bp_status fuse_build_one(bp_object *o, const bp_bytes *keys,
                                const uint64_t *hashes, size_t n, void *room,
                                bp_detail *why)
{
    const fuse_head *h = (const fuse_head *)o->head;
    fuse_work w = {.spec = &h->base.hash,
                   .keys = keys,
                   .hashes = hashes,
                   .given = n,
                   .n = n,
                   .design = bp_fuse_plan(0, h->design.bits, h->design.arity, 0)};
    if (n) {
        bp_fuse_lay_out(&w, room);
        bp_fuse_solve(&w);
    }
    return fuse_put(o, &w, why);
}

bp_status bp_fuse_build(bp_object *o, const bp_bytes *keys, const uint64_t *hashes,
                        size_t n, void *scratch, size_t size, bp_detail *why)
{
    const fuse_head *h = (const fuse_head *)o->head;
    const size_t want = bp_fuse_scratch(h, n);
    if (n == 0)
        return fuse_build_one(o, NULL, NULL, 0, NULL, why);
    if (scratch && size < want)
        return bp_fail(why, BP_FULL, "the working memory is smaller than scratch says",
                       size, want);
    void *own = scratch || want == SIZE_MAX ? NULL : bp_allocate(&o->alloc, want);
    if (!scratch && !own)
        return bp_fail(why, BP_NOMEM, "out of memory", 0, want);
    void *room = scratch ? scratch : own;
    const bp_status st = h->shards > 1
                             ? bp_fuse_build_shards(o, keys, hashes, n, room, why)
                             : fuse_build_one(o, keys, hashes, n, room, why);
    bp_release(&o->alloc, own, want);
    return st;
}
