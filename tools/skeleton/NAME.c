/* SPDX-License-Identifier: MIT
 * @NAME@.c - how many different keys?
 *
 * The problem   Counting different keys exactly costs the keys. A table of m bits, one
 *               set for each key's hash, forgets them: from the share that is still zero
 *               follows how many there were.
 * The paper     Whang, Vander-Zanden and Taylor, "A linear-time probabilistic counting
 *               algorithm for database applications", ACM TODS 15(2), 1990.
 *
 *     hash 0x2d06...  --bp_range(hash, m)-->  bit i of the table
 *
 *     | bit 0 | bit 1 | ............................................ | bit m - 1 |
 *     byte 0: bits 0 to 7, bit 0 the lowest
 *
 * The bound     n^ = -m ln(z / m), z of the m bits being zero; with t = n / m its
 *               standard error is sqrt(m (e^t - t - 1)) keys (section 4).
 * Differently   A full table has no finite estimate; we answer m ln m and no upper
 *               bound, as if one bit were left. */
#include "core/mathx.h"
#include "core/object.h"
#include "hash/hash.h"

#include <ballpark/@NAME@.h>

#include <math.h>

BP_INTERNAL extern const bp_kind bp_kind_@NAME@;

#define @UPPER@_BITS_MAX ((uint64_t)1 << 32)

typedef struct @NAME@_head {
    bp_head base;
    uint64_t bits;
} @NAME@_head;

static @NAME@_head *@NAME@_head_of(const bp_object *o)
{
    return (@NAME@_head *)o->head;
}

/* -------------------------------------------------------------------- configuration */

static bool @NAME@_possible(uint64_t bits)
{
    return bits >= 64 && bits <= @UPPER@_BITS_MAX && bits % 64 == 0;
}

static bp_status @NAME@_setup(void *head, const void *cfg, bp_detail *why)
{
    const bp_@NAME@_config *c = (const bp_@NAME@_config *)cfg;
    @NAME@_head *h = (@NAME@_head *)head;
    h->bits = c->bits ? c->bits : 8192;
    if (!@NAME@_possible(h->bits))
        return bp_fail(why, BP_PARAM, "bits must be a multiple of 64, 64 to 2^32",
                       h->bits, 64);
    return BP_OK;
}

static void @NAME@_config(const void *head, void *cfg)
{
    ((bp_@NAME@_config *)cfg)->bits = ((const @NAME@_head *)head)->bits;
}

static size_t @NAME@_cells_size(const void *head)
{
    return (size_t)(((const @NAME@_head *)head)->bits / 8);
}

/* --------------------------------------------------------------------- add, estimate */

static bool @NAME@_set(bp_object *o, uint64_t hash)
{
    const uint64_t i = bp_range(hash, @NAME@_head_of(o)->bits);
    uint8_t *cell = o->cells + (size_t)(i / 8);
    const uint8_t bit = (uint8_t)(1u << (i % 8));
    const bool was_new = !(*cell & bit);
    *cell |= bit;
    return was_new;
}

bool bp_@NAME@_add(bp_@NAME@ *s, const void *key, size_t n)
{
    bp_object *o = (bp_object *)s;
    return @NAME@_set(o, bp_hash(&@NAME@_head_of(o)->base.hash, key, n));
}

static bp_status @NAME@_add_hashes(bp_object *o, const uint64_t *hashes, size_t n,
                                   bp_detail *why)
{
    (void)why;
    for (size_t i = 0; i < n; i++)
        @NAME@_set(o, hashes[i]);
    return BP_OK;
}

static bp_status @NAME@_add_n(bp_object *o, const bp_bytes *keys, size_t n,
                              bp_detail *why)
{
    uint64_t hashes[BP_HASH_BATCH];
    const bp_head *h = &@NAME@_head_of(o)->base;
    if (h->keyless)
        return bp_fail(why, BP_UNSUPPORTED, "opened without its key: nothing to add with",
                       0, 0);
    for (size_t at = 0; at < n; at += BP_HASH_BATCH) {
        const size_t some = n - at < BP_HASH_BATCH ? n - at : BP_HASH_BATCH;
        bp_hash_n(&h->hash, keys + at, some, hashes);
        @NAME@_add_hashes(o, hashes, some, why);
    }
    return BP_OK;
}

static uint64_t @NAME@_zeros(const bp_object *o)
{
    uint64_t ones = 0;
    for (size_t i = 0; i < o->cells_size; i += 8)
        ones += (uint64_t)BP_POPCOUNT64(bp_load64(o->cells + i));
    return @NAME@_head_of(o)->bits - ones;
}

static bp_status @NAME@_estimate(const bp_object *o, double confidence, bp_estimate *out,
                                 bp_detail *why)
{
    bp_status st = bp_check_confidence(confidence, why);
    if (st)
        return st;
    const uint64_t zeros = @NAME@_zeros(o);
    const double m = (double)@NAME@_head_of(o)->bits;
    const double n = -m * log((double)(zeros ? zeros : 1) / m);
    const double t = n / m, sigma = sqrt(m * (exp(t) - t - 1));
    const double away = bp_normal_two_sided(confidence) * sigma;
    const double seen = m - (double)zeros; /* surely that many */
    out->value = n;
    out->lower = n - away > seen ? n - away : seen;
    out->upper = zeros ? n + away : INFINITY;
    return BP_OK;
}

bp_status bp_@NAME@_estimate(const bp_@NAME@ *s, double confidence, bp_estimate *out,
                             bp_detail *why)
{
    return @NAME@_estimate((const bp_object *)s, confidence, out, why);
}

/* ----------------------------------------------------------------------------- merge */

static bp_status @NAME@_same(const bp_object *dst, const bp_object *src, bp_detail *why)
{
    const uint64_t a = @NAME@_head_of(dst)->bits, b = @NAME@_head_of(src)->bits;
    return a == b ? BP_OK : bp_fail(why, BP_MISMATCH, "the numbers of bits differ", a, b);
}

static bp_status @NAME@_merge(bp_object *dst, const bp_object *src, bp_detail *why)
{
    (void)why;
    for (size_t i = 0; i < dst->cells_size; i++)
        dst->cells[i] |= src->cells[i];
    return BP_OK;
}

/* ----------------------------------------------------------------------------- bytes */

static void @NAME@_put_params(const bp_object *o, bp_writer *w)
{
    bp_put64(w, @NAME@_head_of(o)->bits);
}

static bp_status @NAME@_get_params(void *head, bp_reader *r, const bp_envelope *e,
                                   bp_detail *why)
{
    @NAME@_head *h = (@NAME@_head *)head;
    h->bits = bp_get64(r);
    if (r->short_)
        return BP_OK; /* the caller says so */
    if (!@NAME@_possible(h->bits))
        return bp_fail_at(why, BP_CORRUPT, "bits must be a multiple of 64, 64 to 2^32", 0,
                          h->bits, 64);
    if (e->payload_size != h->bits / 8)
        return bp_fail_at(why, BP_CORRUPT, "the payload is not bits / 8 bytes", 0,
                          e->payload_size, h->bits / 8);
    return BP_OK;
}

/* -------------------------------------------------------------------------- describe */

static void @NAME@_describe(const bp_object *o, bp_description *d)
{
    const double bits = (double)@NAME@_head_of(o)->bits;
    const double fill = 1 - (double)@NAME@_zeros(o) / bits;
    bp_say_whole(d, "bits", "bits", @NAME@_head_of(o)->bits, true);
    bp_say_real(d, "fill", "fraction", fill, false);
    d->health = fill > 0.95   ? BP_HEALTH_OVER
                : fill > 0.85 ? BP_HEALTH_NEAR
                              : BP_HEALTH_OK;
    if (d->health != BP_HEALTH_OK)
        d->advice = "the table is nearly full; start again with more bits";
}

const bp_kind bp_kind_@NAME@ = {
    .name = "@NAME@",
    .id = @ID@,
    .rule = 1,
    .config_size = sizeof(bp_@NAME@_config),
    .head_size = sizeof(@NAME@_head),
    .hashing = &bp_hashing_all,
    .setup = @NAME@_setup,
    .config = @NAME@_config,
    .cells_size = @NAME@_cells_size,
    .same = @NAME@_same,
    .merge = @NAME@_merge,
    .put_params = @NAME@_put_params,
    .get_params = @NAME@_get_params,
    .describe = @NAME@_describe,
    .add_n = @NAME@_add_n,
    .add_hashes = @NAME@_add_hashes,
    .estimate = @NAME@_estimate,
};

BP_SKETCH_IMPL(@NAME@);
