/* SPDX-License-Identifier: MIT
 * ribbon.c - is it in a set that is known whole? In the fewest bits.
 *
 * Each key is an equation over bits. It names, by a random word of `width` bits, some of
 * the slots of a long row from a random place on, and asks that they add up (XOR) to its
 * fingerprint; once for each column of the row, with the same names:
 *
 *     key --hash--> x     start = the high 64 bits of x * starts
 *
 *     slots      | . . . . . . . . . . . . . . . . . . . . ...
 *     a key            1 0 1 1 0 0 1 ...                        64 (128) coefficients
 *     another                1 1 0 1 0 1 1 ...
 *
 *     columns     each a row of bits; both keys hold in all of them
 *
 * A stranger is answered yes if its own equation holds too, which in each column has one
 * chance in two: fpr = 2^-columns. Because the ones of an equation lie in a band, the
 * system is solved nearly in one walk over memory, and a question reads words that lie
 * side by side (Dietzfelbinger and Walzer, ESA 2019; Dillinger and Walzer, 2021; here
 * after Dillinger, Hübschle-Schneider, Sanders and Walzer, SEA 2022).
 *
 * Two forms of it, from the same paper:
 *
 *   - homogeneous: all fingerprints are 0. Then any set can be solved, and what is left
 *     free is filled at random. With 10 % more slots than keys (5 % with width 128)
 *     strangers that hold by being sums of keys are too few to matter (ribbon_size.c).
 *   - compact: more keys than slots, in three layers: those whose equations contradict
 *     others are bumped to the next one (ribbon_build.c). All slots are used: 0.5 %
 *     above the theoretical minimum, with what says who was bumped.
 *
 * Any rate: the first blocks of slots have one column less than the others, so that keys
 * and strangers that begin there agree by chance twice as often; where they end makes
 * the rate what was asked for, not the next power of two.
 *
 * What we do differently: no seeds and no failing at all, as bumped keys end in a
 * homogeneous layer; repeated keys are taken out; places come from one 64-bit hash by
 * multiply-shift, so that there may be more than 2^32 slots; and the bytes follow from
 * the set alone, in whatever order it came. */
#include "sketches/ribbon/ribbon_fill.h"

#include "core/mathx.h"
#include "hash/hash.h"

#include <math.h>

BP_INTERNAL extern const bp_kind bp_kind_ribbon;

enum {
    RIBBON_NEAR = 256 * 1024,   /* filters of at most that many bytes are not fetched */
    RIBBON_KEYS = BP_HASH_BATCH /* keys hashed at once                              */
};

static const ribbon_design *ribbon_design_of(const bp_object *o)
{
    return &((const ribbon_head *)o->head)->design;
}

/* ------------------------------------------------------------------------- questions */

static size_t ribbon_ask(const bp_object *o, const uint64_t *hashes, size_t n,
                         uint8_t *hit)
{
    const ribbon_design *d = ribbon_design_of(o);
    if (d->items == 0) {
        if (hit)
            memset(hit, 0, n);
        return 0;
    }
    ribbon_map m = {.columns = d->columns,
                    .width = d->width,
                    .seed = d->seed,
                    .bumping = d->blocks[0] > 0,
                    .is_near = n == 1 || o->cells_size <= RIBBON_NEAR};
    for (uint32_t i = m.bumping ? 0 : RIBBON_LAST; i < RIBBON_LAYERS; i++)
        m.layer[i] = ribbon_layer_of(d, o->cells, i);
    return bp_ribbon_ask(&m, hashes, n, hit);
}

/* Without its secret key a filter cannot say no. */
static bool ribbon_keyless(const bp_object *o)
{
    return ((const bp_head *)o->head)->keyless;
}

bool bp_ribbon_has(const bp_ribbon *s, const void *key, size_t n)
{
    const bp_object *o = (const bp_object *)s;
    const uint64_t hash = bp_hash(&((const bp_head *)o->head)->hash, key, n);
    return ribbon_keyless(o) || ribbon_ask(o, &hash, 1, NULL);
}

size_t bp_ribbon_has_n(const bp_ribbon *s, const bp_bytes *keys, size_t n, uint8_t *hit)
{
    const bp_object *o = (const bp_object *)s;
    uint64_t hashes[RIBBON_KEYS];
    size_t yes = 0;
    if (ribbon_keyless(o)) {
        if (hit)
            memset(hit, 1, n);
        return n;
    }
    for (size_t i = 0; i < n; i += RIBBON_KEYS) {
        const size_t m = n - i < RIBBON_KEYS ? n - i : RIBBON_KEYS;
        bp_hash_n(&((const bp_head *)o->head)->hash, keys + i, m, hashes);
        yes += ribbon_ask(o, hashes, m, hit ? hit + i : NULL);
    }
    return yes;
}

size_t bp_ribbon_has_hashes(const bp_ribbon *s, const uint64_t *hashes, size_t n,
                            uint8_t *hit)
{
    return ribbon_ask((const bp_object *)s, hashes, n, hit);
}

/* -------------------------------------------------------------------------- building */

bp_status bp_ribbon_build(bp_ribbon *s, const bp_bytes *keys, size_t n, void *scratch,
                          size_t size, bp_detail *why)
{
    bp_object *o = (bp_object *)s;
    if (ribbon_keyless(o))
        return bp_fail(why, BP_UNSUPPORTED,
                       "opened without its key: nothing to build with", 0, 0);
    return bp_ribbon_build_from(o, keys, NULL, n, scratch, size, why);
}

bp_status bp_ribbon_build_hashes(bp_ribbon *s, const uint64_t *hashes, size_t n,
                                 void *scratch, size_t size, bp_detail *why)
{
    return bp_ribbon_build_from((bp_object *)s, NULL, hashes, n, scratch, size, why);
}

size_t bp_ribbon_scratch(const bp_ribbon *s, size_t n)
{
    return bp_ribbon_scratch_of(ribbon_design_of((const bp_object *)s), n);
}

/* ------------------------------------------------------------------------- describing */

bp_status bp_ribbon_estimate(const bp_ribbon *s, double confidence, bp_estimate *out,
                             bp_detail *why)
{
    const double items = (double)ribbon_design_of((const bp_object *)s)->items;
    const bp_status st = bp_check_confidence(confidence, why);
    if (!st)
        *out = (bp_estimate){items, items, items};
    return st;
}

/* By the layer that nearly all strangers are asked of. What the homogeneous one allows
 * for sums of keys counts whole, though few sets have so many. */
double bp_ribbon_fpr(const bp_ribbon *s)
{
    const ribbon_design *d = ribbon_design_of((const bp_object *)s);
    if (d->items == 0)
        return 0;
    const bool is_whole = d->blocks[0] == 0;
    const uint64_t blocks = d->blocks[is_whole ? RIBBON_LAST : 0];
    const double fewer = (double)(ribbon_lower(d, blocks) * RIBBON_BLOCK) /
                         (double)ribbon_starts(d, blocks);
    const double same = (double)d->items * 0x1p-64;
    const double sums = d->fpr * bp_ribbon_excess(d, !is_whole);
    return same + sums + (1 - same - sums) * ldexp(1 + fewer, -(int)d->columns);
}

static void ribbon_describe(const bp_object *o, bp_description *out)
{
    const ribbon_design *d = ribbon_design_of(o);
    const uint64_t bits = 8 * ribbon_bytes(d);
    bp_say_real(out, "fpr_design", "fraction", d->fpr, true);
    bp_say_whole(out, "width", "slots", d->width, true);
    bp_say_text(out, "form", d->compact ? "compact" : "homogeneous", true);
    bp_say_whole(out, "items", "items", d->items, false);
    bp_say_real(out, "columns", "bits", d->columns - (double)d->share * 0x1p-32, false);
    bp_say_whole(out, "bits", "bits", bits, false);
    bp_say_real(out, "bits_per_item", "bits",
                d->items ? (double)bits / (double)d->items : 0, false);
    bp_say_real(out, "fpr_now", "fraction", bp_ribbon_fpr((const bp_ribbon *)o), false);
    bp_say_real(out, "estimate", "items", (double)d->items, false);
}

/* ------------------------------------------------------------------------------ bytes */

enum {
    AT_FPR = 0,
    AT_ITEMS = 8,
    AT_BLOCKS = 16,
    AT_SHARE = 40,
    AT_COLUMNS = 44,
    AT_WIDTH = 45,
    AT_COMPACT = 46,
    AT_SEED = 47
};

static void ribbon_put_params(const bp_object *o, bp_writer *w)
{
    const ribbon_design *d = ribbon_design_of(o);
    bp_put_double(w, d->fpr);
    bp_put64(w, d->items);
    for (uint32_t i = 0; i < RIBBON_LAYERS; i++)
        bp_put64(w, d->blocks[i]);
    bp_put32(w, d->share);
    bp_put8(w, (uint8_t)d->columns);
    bp_put8(w, (uint8_t)d->width);
    bp_put8(w, d->compact);
    bp_put8(w, (uint8_t)d->seed);
}

static bp_status ribbon_check_shape(double fpr, uint64_t width, bp_detail *why)
{
    if (!(fpr >= RIBBON_FPR_MIN && fpr <= RIBBON_FPR_MAX))
        return bp_fail_at(why, BP_PARAM, "fpr must be from 1e-9 to 0.5", AT_FPR, 0, 0);
    if (width != 64 && width != 128)
        return bp_fail_at(why, BP_PARAM, "width must be 64 or 128", AT_WIDTH, width, 64);
    return BP_OK;
}

static bp_status ribbon_check_columns(const ribbon_design *d, bp_detail *why)
{
    if (d->columns < 1 || d->columns > RIBBON_COLUMNS_MAX)
        return bp_fail_at(why, BP_CORRUPT, "a filter has 1 to 31 columns", AT_COLUMNS,
                          d->columns, RIBBON_COLUMNS_MAX);
    if (d->columns == 1 && d->share)
        return bp_fail_at(why, BP_CORRUPT, "no block has less than one column", AT_SHARE,
                          d->share, 0);
    return BP_OK;
}

/* A key's words lie in width / 64 + 1 blocks, so that many at least. */
static bp_status ribbon_check_blocks(const ribbon_design *d, bp_detail *why)
{
    uint64_t slots = 0;
    for (uint32_t i = 0; i < RIBBON_LAYERS; i++) {
        const uint64_t at = AT_BLOCKS + 8 * i, least = d->width / RIBBON_BLOCK + 1;
        if (d->blocks[i] > RIBBON_BLOCKS_MAX || (d->blocks[i] && d->blocks[i] < least))
            return bp_fail_at(why, BP_CORRUPT, "no such number of blocks", at,
                              d->blocks[i], least);
        if (i < RIBBON_LAST && d->blocks[i] && !d->compact)
            return bp_fail_at(why, BP_CORRUPT, "layers that bump are for compact filters",
                              at, d->blocks[i], 0);
        slots += d->blocks[i] * RIBBON_BLOCK;
    }
    if (d->blocks[1] && !d->blocks[0])
        return bp_fail_at(why, BP_CORRUPT, "a second layer without a first", AT_BLOCKS, 0,
                          1);
    if (d->items > RIBBON_ITEMS_MAX)
        return bp_fail_at(why, BP_CORRUPT, "more than 2^40 items", AT_ITEMS, d->items,
                          RIBBON_ITEMS_MAX);
    if ((d->items == 0) != (slots == 0) || d->items > 2 * slots)
        return bp_fail_at(why, BP_CORRUPT, "the items do not go with the blocks",
                          AT_ITEMS, d->items, slots);
    return BP_OK;
}

static bp_status ribbon_get_params(void *head, bp_reader *r, const bp_envelope *e,
                                   bp_detail *why)
{
    ribbon_design *d = &((ribbon_head *)head)->design;
    d->fpr = bp_get_double(r);
    d->items = bp_get64(r);
    for (uint32_t i = 0; i < RIBBON_LAYERS; i++)
        d->blocks[i] = bp_get64(r);
    d->share = bp_get32(r);
    d->columns = bp_get8(r);
    d->width = bp_get8(r);
    const uint32_t form = bp_get8(r);
    d->compact = form;
    d->seed = bp_get8(r);
    if (r->short_)
        return BP_OK; /* the caller says so */
    bp_detail fault;
    if (ribbon_check_shape(d->fpr, d->width, &fault))
        return bp_fail_at(why, BP_CORRUPT, fault.what, fault.at, fault.have, fault.want);
    if (form > 1)
        return bp_fail_at(why, BP_CORRUPT, "compact is 0 or 1", AT_COMPACT, form, 1);
    if (d->seed >= RIBBON_SEEDS || (d->seed && d->items == 0))
        return bp_fail_at(why, BP_CORRUPT, "no such seed", AT_SEED, d->seed, 0);
    bp_status st = ribbon_check_columns(d, why);
    if (!st)
        st = ribbon_check_blocks(d, why);
    if (st)
        return st;
    const uint64_t bytes = ribbon_bytes(d);
    if (e->payload_size != bytes)
        return bp_fail_at(why, BP_CORRUPT,
                          "the payload is not as long as the blocks take", AT_BLOCKS,
                          e->payload_size, bytes);
    return BP_OK;
}

/* ------------------------------------------------------------------------------ table */

static bp_status ribbon_setup(void *head, const void *cfg, bp_detail *why)
{
    ribbon_head *h = (ribbon_head *)head;
    const bp_ribbon_config *c = (const bp_ribbon_config *)cfg;
    ribbon_design d = {.fpr = c->fpr == 0 ? 0.01 : c->fpr,
                       .width = c->width ? c->width : 64,
                       .compact = c->compact};
    bp_detail fault;
    if (ribbon_check_shape(d.fpr, d.width, &fault))
        return bp_fail(why, BP_PARAM, fault.what, fault.have, fault.want);
    if (c->items > RIBBON_ITEMS_MAX)
        return bp_fail(why, BP_PARAM, "items must be at most 2^40", c->items,
                       RIBBON_ITEMS_MAX);
    bp_ribbon_set_columns(&d, false);
    h->design = d;
    h->most = c->items;
    return BP_OK;
}

static void ribbon_config(const void *head, void *cfg)
{
    const ribbon_head *h = (const ribbon_head *)head;
    bp_ribbon_config *c = (bp_ribbon_config *)cfg;
    c->items = h->most;
    c->fpr = h->design.fpr;
    c->width = h->design.width;
    c->compact = h->design.compact;
}

static size_t ribbon_none(const void *head)
{
    (void)head;
    return 0;
}

static size_t ribbon_cells_max(const void *head)
{
    const ribbon_head *h = (const ribbon_head *)head;
    const uint64_t n = h->most ? bp_ribbon_most_bytes(&h->design, h->most) : UINT64_MAX;
    return n > SIZE_MAX ? SIZE_MAX : (size_t)n;
}

static bp_status ribbon_build_any(bp_object *o, const bp_bytes *keys, size_t n,
                                  bp_detail *why)
{
    return bp_ribbon_build((bp_ribbon *)o, keys, n, NULL, 0, why);
}

static bp_status ribbon_build_hashes_any(bp_object *o, const uint64_t *hashes, size_t n,
                                         bp_detail *why)
{
    return bp_ribbon_build_from(o, NULL, hashes, n, NULL, 0, why);
}

static bp_status ribbon_estimate_any(const bp_object *o, double confidence,
                                     bp_estimate *out, bp_detail *why)
{
    return bp_ribbon_estimate((const bp_ribbon *)o, confidence, out, why);
}

static double ribbon_fpr_any(const bp_object *o)
{
    return bp_ribbon_fpr((const bp_ribbon *)o);
}

const bp_kind bp_kind_ribbon = {
    .name = "ribbon",
    .id = 0x0006,
    .rule = 1,
    .config_size = sizeof(bp_ribbon_config),
    .head_size = sizeof(ribbon_head),
    .hashing = &bp_hashing_all,
    .setup = ribbon_setup,
    .config = ribbon_config,
    .cells_size = ribbon_none,
    .cells_max = ribbon_cells_max,
    .put_params = ribbon_put_params,
    .get_params = ribbon_get_params,
    .describe = ribbon_describe,
    .build = ribbon_build_any,
    .build_hashes = ribbon_build_hashes_any,
    .estimate = ribbon_estimate_any,
    .has_hashes = ribbon_ask,
    .fpr = ribbon_fpr_any,
};

BP_SKETCH_IMPL(ribbon);
