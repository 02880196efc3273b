/* SPDX-License-Identifier: MIT
 * scalable_bloom_series.c - how many keys, at which rate, each layer is made for.
 *
 * With P the rate asked for, r the tightening, s the growth and n the first layer's keys,
 * layer i takes
 *
 *     n_i = n s^i  keys at  p_i = P (1 - r) r^i,   so that  p_0 + p_1 + ... = P
 *
 * and the chance that any layer is wrong is below the sum (Almeida et al., IPL 101(6),
 * 2007, section 3). A filter of at most L layers shares P out among these: p_i is then
 * larger by 1 / (1 - r^L).
 *
 * Each layer costs log2(1/r) / ln 2 bits a key more than the one before, 0.46 at r = 0.8;
 * and the first log2(1/(1-r)) / ln 2 more than a filter of rate P, 3.3 at 0.8. Small r is
 * good for few layers (best is r = i / (i + 1) for those who stop at layer i), large r
 * for many. 0.8 is within half a bit of the best from 3 to 9 layers, that is from 10 to
 * 1,000 times the first; at half (as RedisBloom has it) the tenth layer takes 6.5 bits
 * more. With s = 2 the last two layers hold three keys of four.
 *
 * A layer is full when it has counted n_i keys, and a key that sets no bit is not
 * counted: it holds some more, and errs up to 1 + p_i times as often. So it is asked for
 * p_i (1 - p_i). A bloom, besides, errs up to 2.4 % more often than it was asked (rates
 * up to 0.25), because its number of hashes is whole: it is asked for 0.97 of that.
 *
 * RedisBloom's series (facts from its replies and files): p_i = P / 2^(i+1), or P with a
 * single layer; b = |ln p_i / 0.480453013918201| bits a key, floor(n_i b) bits rounded
 * up to a multiple of 64, ceil(0.693147180559945 b) hashes; all in doubles. Its logarithm
 * is libm's; ours is rounded from 57 binary places, the same on every machine. */
#include "compound/scalable_bloom/scalable_bloom_state.h"

#include "parts/probe_design.h"

#include <math.h>

/* Where the encoded parameters stand. */
enum { AT_FPR = 8, AT_TIGHTENING = 16, AT_GROWTH = 24, AT_LAYERS = 28, AT_LAYOUT = 32 };

#define ITEMS_FIRST_MAX (UINT64_C(1) << 40)
#define ITEMS_MAX (UINT64_C(1) << 62)
#define RATE_MIN 1e-12
#define RATE_MAX 0.25
#define RATE_LEAST 1e-15 /* of a layer */
#define TIGHTENING_MIN 0.1
#define TIGHTENING_MAX 0.95
#define GROWTH_MAX 32768
#define BLOCKED_RATE_MIN 1e-4 /* the least that a split512 takes */
#define CLASSIC_SHARE 0.97

/* -------------------------------------------------------------------- configuration */

bp_status bp_scalable_check(const scalable_design *d, bp_detail *why)
{
    scalable_plan first;
    bp_detail full;
    if (d->items < 1 || d->items > ITEMS_FIRST_MAX)
        return bp_fail(why, BP_PARAM, "the first layer's items must be 1 to 2^40",
                       d->items, ITEMS_FIRST_MAX);
    if (!(d->fpr >= RATE_MIN && d->fpr <= RATE_MAX)) /* a NaN is refused, too */
        return bp_fail_at(why, BP_PARAM,
                          "the false positive rate must lie between 1e-12 and 0.25 (1 % "
                          "is 0.01)",
                          AT_FPR, 0, 0);
    if (!(d->tightening >= TIGHTENING_MIN && d->tightening <= TIGHTENING_MAX))
        return bp_fail_at(why, BP_PARAM, "tightening must lie between 0.1 and 0.95",
                          AT_TIGHTENING, 0, 0);
    if (d->growth < 1 || d->growth > GROWTH_MAX)
        return bp_fail_at(why, BP_PARAM, "growth must be 1 to 32768", AT_GROWTH,
                          d->growth, GROWTH_MAX);
    if (d->layers < 1 || d->layers > SCALABLE_LAYERS_MAX)
        return bp_fail_at(why, BP_PARAM, "layers must be 1 to 64", AT_LAYERS, d->layers,
                          SCALABLE_LAYERS_MAX);
    if (d->layout < BP_SCALABLE_BLOOM_BLOCKED || d->layout > BP_SCALABLE_BLOOM_REDIS)
        return bp_fail_at(why, BP_PARAM, "there is no such layout", AT_LAYOUT, d->layout,
                          BP_SCALABLE_BLOOM_REDIS);
    if (d->layout == BP_SCALABLE_BLOOM_REDIS &&
        (d->tightening < 0.5 || d->tightening > 0.5))
        return bp_fail_at(why, BP_PARAM, "RedisBloom's layers tighten by 0.5",
                          AT_TIGHTENING, 0, 0);
    if (bp_scalable_plan(d, 0, &first, &full))
        return bp_fail(why, BP_PARAM, full.what, full.have, full.want);
    return BP_OK;
}

bp_status bp_scalable_solve(const bp_scalable_bloom_config *cfg, scalable_design *d,
                            bp_detail *why)
{
    const bool is_redis = cfg->layout == BP_SCALABLE_BLOOM_REDIS;
    *d = (scalable_design){
        .items = cfg->items ? cfg->items : 100000,
        .fpr = cfg->fpr != 0 ? cfg->fpr : 0.01,
        .tightening = cfg->tightening != 0 ? cfg->tightening
                      : is_redis           ? 0.5
                                           : 0.8,
        .growth = cfg->growth ? cfg->growth : 2,
        .layers = cfg->layers ? cfg->layers : SCALABLE_LAYERS_MAX,
        .layout = cfg->layout ? cfg->layout : BP_SCALABLE_BLOOM_BLOCKED,
    };
    if (cfg->reserved32)
        return bp_fail(why, BP_PARAM, "a reserved configuration field is set",
                       cfg->reserved32, 0);
    const bp_status st = bp_scalable_check(d, why);
    if (st && why)
        why->at = 0; /* there are no bytes */
    return st;
}

/* ------------------------------------------------------------------------ the series */

/* Products of doubles alone: the same on every machine. */
static double scalable_rate(const scalable_design *d, uint32_t index)
{
    const bool is_redis = d->layout == BP_SCALABLE_BLOOM_REDIS;
    double rate = d->fpr * (1 - d->tightening);
    if (is_redis && d->layers == 1)
        rate = d->fpr;
    if (!is_redis && d->layers < SCALABLE_LAYERS_MAX) {
        double rest = 1;
        for (uint32_t i = 0; i < d->layers; i++)
            rest *= d->tightening;
        rate /= 1 - rest;
    }
    for (uint32_t i = 0; i < index; i++)
        rate *= d->tightening;
    return rate;
}

/* 0: more than there can be. */
static uint64_t scalable_items(const scalable_design *d, uint32_t index)
{
    uint64_t items = d->items;
    for (uint32_t i = 0; i < index; i++) {
        if (items > ITEMS_MAX / d->growth)
            return 0;
        items *= d->growth;
    }
    return items;
}

static bp_status scalable_plan_blocked(scalable_plan *p, double rate, bp_detail *why)
{
    const bp_blocked_bloom_config ask = {.items = p->is.items, .fpr = rate};
    p->blocked = true;
    const bp_status st = bp_blocked_bloom_size(&ask, &p->config.blocked, why);
    p->is.bits = p->config.blocked.memory * 8;
    p->is.hashes = p->config.blocked.hashes;
    p->is.kind = SCALABLE_BLOCKED;
    return st;
}

static bp_status scalable_plan_classic(scalable_plan *p, const bp_bloom_config *ask,
                                       bp_detail *why)
{
    const bp_status st = bp_bloom_size(ask, &p->config.bloom, why);
    p->is.bits = p->config.bloom.bits;
    p->is.hashes = p->config.bloom.hashes;
    p->is.kind = SCALABLE_CLASSIC;
    return st;
}

/* -ln p, for p up to 1/2: the nearest double but for one in some ten. */
static double scalable_minus_log(double p)
{
    static const uint64_t ln2 = 0xB17217F7D1CF79ACu; /* ln 2 * 2^64 */
    return (double)bp_range(bp_probe_log2_inverse(p), ln2) * 0x1p-58;
}

static bp_status scalable_plan_redis(scalable_plan *p, bp_detail *why)
{
    const double per_item = scalable_minus_log(p->is.fpr) / 0.480453013918201;
    const double bits = floor((double)p->is.items * per_item);
    bp_bloom_config ask = {.items = p->is.items,
                           .bits = bits < 0x1p57 ? (uint64_t)bits : UINT64_MAX / 2,
                           .hashes = (uint32_t)ceil(0.693147180559945 * per_item)};
    ask.bits = bp_round_up(ask.bits ? ask.bits : 1, 64);
    return scalable_plan_classic(p, &ask, why);
}

static bp_status scalable_plan_filter(const scalable_design *d, scalable_plan *p,
                                      bp_detail *why)
{
    const double rate = p->is.fpr * (1 - p->is.fpr);
    if (d->layout == BP_SCALABLE_BLOOM_BLOCKED && rate >= BLOCKED_RATE_MIN)
        return scalable_plan_blocked(p, rate, why);
    if (d->layout == BP_SCALABLE_BLOOM_REDIS)
        return scalable_plan_redis(p, why);
    return scalable_plan_classic(
        p, &(bp_bloom_config){.items = p->is.items, .fpr = rate * CLASSIC_SHARE}, why);
}

bp_status bp_scalable_plan(const scalable_design *d, uint32_t index, scalable_plan *out,
                           bp_detail *why)
{
    if (index >= d->layers)
        return bp_fail(why, BP_FULL, "full: it has all the layers that it may have",
                       index, d->layers);
    memset(out, 0, sizeof *out);
    out->is = (bp_scalable_bloom_layer){.items = scalable_items(d, index),
                                        .fpr = scalable_rate(d, index),
                                        .index = index};
    if (out->is.items == 0)
        return bp_fail(why, BP_FULL, "full: the next layer would be too large", index,
                       d->layers);
    bp_detail size;
    if (out->is.fpr < RATE_LEAST)
        return bp_fail(why, BP_FULL, "full: the next layer's rate would be below 1e-15",
                       index, d->layers);
    if (scalable_plan_filter(d, out, &size))
        return bp_fail(why, BP_FULL, size.what, size.have, size.want);
    return BP_OK;
}

bp_status bp_scalable_bloom_size(const bp_scalable_bloom_config *cfg, uint32_t index,
                                 bp_scalable_bloom_layer *out, bp_detail *why)
{
    static const bp_scalable_bloom_config none;
    scalable_design d;
    scalable_plan p;
    bp_status st = bp_scalable_solve(cfg ? cfg : &none, &d, why);
    if (!st)
        st = bp_scalable_plan(&d, index, &p, why);
    if (!st)
        *out = p.is;
    return st;
}
