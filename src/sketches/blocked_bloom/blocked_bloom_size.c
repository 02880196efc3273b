/* SPDX-License-Identifier: MIT
 * blocked_bloom_size.c - how large a blocked filter must be, and what it is then worth.
 *
 * n keys fall into z blocks at random: i of them into a given one with the Poisson
 * probability of i at the mean n/z. A lane of w bits in which i keys set a bit each has
 * a given one set with probability 1 - (1 - 1/w)^i, lanes are independent given i, and a
 * stranger is answered yes when its bit is set in every lane of its block:
 *
 *     fpr = sum over i of Poisson(i; n/z) * product over lanes of (1 - (1 - 1/w)^i)
 *
 * (Putze, Sanders and Singler, ACM JEA 14, 2009, section 3, whose blocks are not split.)
 * For few blocks it is an upper bound. The sum matters: at its mean alone the product
 * would give 8 lanes of 32 bits a size that errs 1.46 times as often as asked at 1 %, and
 * twice at 0.1 % (a test shows it), because the blocks that got more than their share do
 * most of the erring.
 *
 * Two machines that are asked for the same items and rate must make filters that can be
 * merged. The sum therefore needs nothing but + - * / and sqrt, which are the same
 * everywhere; the bits a key takes come in steps of 1/64; and a rate is met to nine
 * digits, so that even a compiler that fuses operations decides alike. */
#include "sketches/blocked_bloom/blocked_bloom_state.h"

#include <math.h>

/* Where the encoded parameters stand. */
enum { AT_ITEMS = 8, AT_LAYOUT = 16, AT_HASHES = 20 };

enum {
    HASHES_MIN = 4,
    HASHES_MAX = 16,
    PARQUET_HASHES = 8,
    STEPS = 64,         /* of bits a key: sizes are multiples of 1/64 bit a key   */
    MOST = 128 * STEPS, /* more than any rate takes                               */
    CROWDED = 4096      /* keys a block from which on every bit is as good as set */
};
#define ITEMS_MAX (UINT64_C(1) << 62)
#define BLOCKS_MAX (UINT64_C(1) << 47)
#define PARQUET_BLOCKS_MAX (UINT64_C(1) << 27)
#define PARQUET_POWER_MAX (UINT64_C(1) << 30)
#define RATE_MAX 0.5
#define RATE_MIN 1e-4         /* where a split512 takes 1.20 times a bloom's memory */
#define PARQUET_RATE_MIN 1e-3 /* where a split256 takes 1.17 times                   */

/* -------------------------------------------------------------------------- the rate */

static double blocked_power(double x, uint32_t n)
{
    double y = 1;
    for (; n; n >>= 1) {
        if (n & 1)
            y *= x;
        x *= x;
    }
    return y;
}

/* The rate with `load` keys a block on average. The Poisson weights are taken relative to
 * the first of them that counts. */
static double blocked_rate(const blocked_shape *s, double load)
{
    static const double keeps[3] = {127.0 / 128, 63.0 / 64, 31.0 / 32};
    double clear[3], weight = 1, all = 0, yes = 0;
    uint32_t lanes[3];
    if (!(load > 0))
        return 0;
    if (load >= CROWDED)
        return 1;
    const double low = load - 10 * sqrt(load);
    uint32_t i = low > 0 ? (uint32_t)low : 0;
    blocked_lanes(s, lanes);
    for (int j = 0; j < 3; j++)
        clear[j] = blocked_power(keeps[j], i);
    for (; i < load || weight > 1e-17 * yes; i++) {
        double product = 1;
        for (int j = 0; j < 3; j++) {
            product *= blocked_power(1 - clear[j], lanes[j]);
            clear[j] *= keeps[j];
        }
        all += weight;
        yes += weight * product;
        weight *= load / (i + 1);
    }
    return yes / all;
}

static double blocked_rate_of(uint32_t layout, uint32_t hashes, double load)
{
    const blocked_shape s = blocked_shape_of(layout, hashes);
    return blocked_rate(&s, load);
}

double bp_blocked_design_rate(const blocked_design *d)
{
    const double rate =
        blocked_rate_of(d->layout, d->hashes, (double)d->items / (double)d->blocks);
    const double collision = (double)d->items * 0x1p-64; /* of the 64-bit hash */
    return rate > collision ? rate : collision;
}

/* DEFAULT and 0 filled in; false for a layout or hashes that there are not. */
static bool blocked_known(uint32_t *layout, uint32_t *hashes)
{
    if (*layout == BP_BLOCKED_BLOOM_DEFAULT)
        *layout = BP_BLOCKED_BLOOM_SPLIT512;
    if (*hashes == 0)
        *hashes = 8;
    return *layout == BP_BLOCKED_BLOOM_SPLIT256
               ? *hashes == PARQUET_HASHES
               : *layout == BP_BLOCKED_BLOOM_SPLIT512 && *hashes >= HASHES_MIN &&
                     *hashes <= HASHES_MAX;
}

double bp_blocked_bloom_fpr_at(uint32_t layout, uint32_t hashes, uint64_t blocks,
                               double n)
{
    if (!blocked_known(&layout, &hashes))
        return NAN;
    return blocked_rate_of(layout, hashes, n / (double)blocks);
}

double bp_blocked_bloom_fill_at(uint32_t layout, uint32_t hashes, uint64_t blocks,
                                double n)
{
    uint32_t lanes[3];
    double set = 0;
    if (!blocked_known(&layout, &hashes))
        return NAN;
    const blocked_shape s = blocked_shape_of(layout, hashes);
    blocked_lanes(&s, lanes);
    for (int j = 0; j < 3; j++)
        set -= lanes[j] * (128 >> j) * expm1(-n / ((128 >> j) * (double)blocks));
    return n > 0 ? set / (64 * s.words) : 0;
}

/* -------------------------------------------------------------------------- the size */

/* c 64ths of a bit a key keep the rate p. */
static bool blocked_keeps(uint32_t layout, uint32_t hashes, double p, uint32_t c)
{
    const double bits = 8 * blocked_block_size(layout) * STEPS;
    return blocked_rate_of(layout, hashes, bits / c) <= p * (1 + 1e-9);
}

/* The fewest that do. */
static uint32_t blocked_per_item(uint32_t layout, uint32_t hashes, double p)
{
    uint32_t low = 0, high = MOST; /* too few, enough */
    while (high - low > 1) {
        const uint32_t c = low + (high - low) / 2;
        if (blocked_keeps(layout, hashes, p, c))
            high = c;
        else
            low = c;
    }
    return high;
}

/* ceil(items * c / 64ths in a block), or UINT64_MAX. */
static uint64_t blocked_blocks_for(uint32_t layout, uint64_t items, uint32_t c)
{
    const unsigned shift = layout == BP_BLOCKED_BLOOM_SPLIT256 ? 14 : 15;
    uint64_t low;
    const uint64_t high = bp_mul128(items, c, &low);
    if (high >> shift)
        return UINT64_MAX;
    const uint64_t part = low & ((UINT64_C(1) << shift) - 1);
    return (high << (64 - shift) | low >> shift) + (part != 0);
}

/* One bit in each of 8 lanes is the fastest, and the smallest but for high and very low
 * rates: from 2 % up 4 lanes of 128 bits are, near 0.01 % 16 of 32. Lanes of two widths
 * never beat both of these by as much as 1 %. */
static const uint32_t choices[] = {8, 4, 16};
enum { CHOICES = sizeof choices / sizeof *choices };

static uint32_t blocked_hashes_for_rate(uint32_t layout, double p)
{
    uint32_t best = PARQUET_HASHES;
    if (layout == BP_BLOCKED_BLOOM_SPLIT256)
        return best;
    uint32_t least = blocked_per_item(layout, best, p);
    for (uint32_t i = 1; i < CHOICES; i++)
        if (blocked_keeps(layout, choices[i], p, least - 1)) { /* with fewer, that is */
            best = choices[i];
            least = blocked_per_item(layout, best, p);
        }
    return best;
}

/* A little must be gained for leaving 8, so that no last bit decides. */
static uint32_t blocked_hashes_for_load(uint32_t layout, double load)
{
    uint32_t best = PARQUET_HASHES;
    if (layout == BP_BLOCKED_BLOOM_SPLIT256)
        return best;
    double least = blocked_rate_of(layout, best, load) * (1 - 1e-9);
    for (uint32_t i = 1; i < CHOICES; i++) {
        const double rate = blocked_rate_of(layout, choices[i], load);
        best = rate < least ? choices[i] : best;
        least = rate < least ? rate : least;
    }
    return best;
}

static uint64_t blocked_power_above(uint64_t n)
{
    uint64_t power = 1;
    while (power < n && power <= PARQUET_POWER_MAX)
        power *= 2;
    return power;
}

/* -------------------------------------------------------------------------- checking */

static bp_status blocked_check_rate(uint32_t layout, uint64_t items, double p,
                                    bp_detail *why)
{
    if (!(p > 0 && p <= RATE_MAX)) /* a NaN is refused, too */
        return bp_fail(why, BP_PARAM,
                       "the false positive rate must lie between 0 and 0.5 (1 % is 0.01)",
                       0, 0);
    if (layout == BP_BLOCKED_BLOOM_SPLIT256 && p < PARQUET_RATE_MIN)
        return bp_fail(why, BP_PARAM,
                       "rates below 0.1 % waste memory in blocks of 256 bits: take a "
                       "bloom, or split512",
                       0, 0);
    if (p < RATE_MIN)
        return bp_fail(why, BP_PARAM,
                       "rates below 0.01 % waste memory in blocks: take a bloom", 0, 0);
    if ((double)items > p * 0x1p60)
        return bp_fail(why, BP_PARAM,
                       "a 64-bit hash cannot keep so low a false positive rate for so "
                       "many items",
                       items, (uint64_t)(p * 0x1p60));
    return BP_OK;
}

static bp_status blocked_check_blocks(uint32_t layout, uint64_t blocks, bp_detail *why)
{
    const bool is_power = (blocks & (blocks - 1)) == 0;
    if (layout == BP_BLOCKED_BLOOM_SPLIT512)
        return blocks >= 1 && blocks <= BLOCKS_MAX
                   ? BP_OK
                   : bp_fail(why, BP_PARAM, "a split512 has 1 to 2^47 blocks", blocks,
                             BLOCKS_MAX);
    /* 32 bits of the hash choose the block, which is uneven when there are many. */
    if (blocks < 1 || blocks > (is_power ? PARQUET_POWER_MAX : PARQUET_BLOCKS_MAX))
        return bp_fail(why, BP_PARAM,
                       "a split256 has 1 to 2^27 blocks, or a power of two up to 2^30",
                       blocks, is_power ? PARQUET_POWER_MAX : PARQUET_BLOCKS_MAX);
    return BP_OK;
}

static bp_status blocked_check_shape(uint32_t layout, uint32_t hashes, bp_detail *why)
{
    if (layout > BP_BLOCKED_BLOOM_SPLIT256)
        return bp_fail_at(why, BP_PARAM, "there is no such layout", AT_LAYOUT, layout,
                          BP_BLOCKED_BLOOM_SPLIT256);
    if (!blocked_known(&layout, &hashes))
        return bp_fail_at(why, BP_PARAM,
                          "hashes must be 4 to 16 in a split512 and 8 in a split256",
                          AT_HASHES, hashes, PARQUET_HASHES);
    return BP_OK;
}

bp_status bp_blocked_check_design(const blocked_design *d, bp_detail *why)
{
    bp_status st = blocked_check_shape(d->layout, d->hashes, why);
    if (!st)
        st = blocked_check_blocks(d->layout, d->blocks, why);
    if (st)
        return st;
    if (d->items < 1 || d->items > ITEMS_MAX)
        return bp_fail_at(why, BP_PARAM, "items must be 1 to 2^62", AT_ITEMS, d->items,
                          ITEMS_MAX);
    if (bp_blocked_design_rate(d) > 0.75)
        return bp_fail_at(why, BP_PARAM,
                          "too few blocks for so many items: nearly every key would be "
                          "answered yes",
                          AT_ITEMS, d->blocks, d->items);
    return BP_OK;
}

/* --------------------------------------------------------------------------- solving */

/* No size was given: it follows from items and rate. */
static bp_status blocked_solve_blocks(const bp_blocked_bloom_config *cfg,
                                      blocked_design *d, bp_detail *why)
{
    const double p = cfg->fpr != 0 ? cfg->fpr : 0.01;
    d->items = cfg->items ? cfg->items : 1000000;
    bp_status st = blocked_check_rate(d->layout, d->items, p, why);
    if (st)
        return st;
    if (!d->hashes)
        d->hashes = blocked_hashes_for_rate(d->layout, p);
    d->blocks = blocked_blocks_for(d->layout, d->items,
                                   blocked_per_item(d->layout, d->hashes, p));
    if (d->layout == BP_BLOCKED_BLOOM_SPLIT256 && !cfg->exact_size)
        d->blocks = blocked_power_above(d->blocks);
    return BP_OK;
}

/* Blocks but no items: how many keys they are good for. */
static bp_status blocked_solve_items(const bp_blocked_bloom_config *cfg,
                                     blocked_design *d, bp_detail *why)
{
    const double p = cfg->fpr != 0 ? cfg->fpr : 0.01;
    bp_status st = blocked_check_rate(d->layout, 0, p, why);
    if (!st)
        st = blocked_check_blocks(d->layout, d->blocks, why);
    if (st)
        return st;
    if (!d->hashes)
        d->hashes = blocked_hashes_for_rate(d->layout, p);
    const uint64_t bits = 8 * blocked_block_size(d->layout);
    d->items = d->blocks * bits * STEPS / blocked_per_item(d->layout, d->hashes, p);
    return blocked_check_rate(d->layout, d->items, p, why);
}

/* Blocks and items: only the hashes are free. A rate given as well must be the one that
 * follows, as it is in what bp_blocked_bloom_size and config_of answer. */
static bp_status blocked_solve_hashes(const bp_blocked_bloom_config *cfg,
                                      blocked_design *d, bp_detail *why)
{
    const double p = cfg->fpr;
    d->items = cfg->items;
    if (!d->hashes)
        d->hashes =
            blocked_hashes_for_load(d->layout, (double)d->items / (double)d->blocks);
    bp_status st = bp_blocked_check_design(d, why);
    if (st || p == 0)
        return st;
    const double rate = bp_blocked_design_rate(d);
    if (fabs(rate - p) <= 1e-9 * rate) /* false for a NaN */
        return BP_OK;
    return bp_fail(why, BP_PARAM,
                   "items, rate and size contradict each other: leave one out", d->blocks,
                   d->items);
}

/* The size in blocks from blocks or memory, 0 when neither was given. */
static bp_status blocked_given_blocks(const bp_blocked_bloom_config *cfg,
                                      blocked_design *d, bp_detail *why)
{
    const uint64_t size = blocked_block_size(d->layout);
    d->blocks = cfg->blocks ? cfg->blocks : cfg->memory / size;
    if (cfg->memory && cfg->memory < size)
        return bp_fail(why, BP_PARAM, "less memory than one block", cfg->memory, size);
    if (cfg->blocks && cfg->memory && cfg->memory / size != cfg->blocks)
        return bp_fail(why, BP_PARAM, "blocks and memory disagree: give one of them",
                       cfg->memory, cfg->blocks * size);
    if (!cfg->blocks && d->layout == BP_BLOCKED_BLOOM_SPLIT256 && !cfg->exact_size &&
        d->blocks)
        d->blocks = UINT64_C(1) << (63 - BP_CLZ64(d->blocks));
    return BP_OK;
}

static bp_status blocked_check_words(const bp_blocked_bloom_config *cfg, bp_detail *why)
{
    for (size_t i = 0; i < sizeof cfg->reserved8; i++)
        if (cfg->reserved8[i])
            return bp_fail(why, BP_PARAM, "a reserved configuration field is set",
                           cfg->reserved8[i], 0);
    if (cfg->items > ITEMS_MAX)
        return bp_fail(why, BP_PARAM, "items must be 1 to 2^62", cfg->items, ITEMS_MAX);
    return blocked_check_shape(cfg->layout, cfg->hashes, why);
}

static bp_status blocked_solve_any(const bp_blocked_bloom_config *cfg, blocked_design *d,
                                   bp_detail *why)
{
    *d = (blocked_design){.hashes = cfg->hashes};
    bp_status st = blocked_check_words(cfg, why);
    if (st)
        return st;
    d->layout = cfg->layout ? cfg->layout : (uint32_t)BP_BLOCKED_BLOOM_SPLIT512;
    st = blocked_given_blocks(cfg, d, why);
    if (st)
        return st;
    if (!d->blocks)
        st = blocked_solve_blocks(cfg, d, why);
    else if (!cfg->items)
        st = blocked_solve_items(cfg, d, why);
    else
        st = blocked_solve_hashes(cfg, d, why);
    return st ? st : bp_blocked_check_design(d, why);
}

bp_status bp_blocked_solve(const bp_blocked_bloom_config *cfg, blocked_design *d,
                           bp_detail *why)
{
    const bp_status st = blocked_solve_any(cfg, d, why);
    if (st && why)
        why->at = 0; /* there are no bytes */
    return st;
}

bp_status bp_blocked_bloom_size(const bp_blocked_bloom_config *cfg,
                                bp_blocked_bloom_config *out, bp_detail *why)
{
    static const bp_blocked_bloom_config none;
    bp_blocked_bloom_config full = cfg ? *cfg : none;
    blocked_design d;
    bp_status st = bp_blocked_solve(&full, &d, why);
    if (st)
        return st;
    full.items = d.items;
    full.blocks = d.blocks;
    full.hashes = d.hashes;
    full.layout = d.layout;
    full.memory = d.blocks * blocked_block_size(d.layout);
    full.fpr = bp_blocked_design_rate(&d);
    *out = full;
    return BP_OK;
}
