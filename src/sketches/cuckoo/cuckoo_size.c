/* SPDX-License-Identifier: MIT
 * cuckoo_size.c - how many buckets a cuckoo filter must have, and what it is then worth.
 *
 * A key that is not in is answered yes when one of the eight slots of its buckets holds
 * its tag. Of those slots a fraction `load` is used, by tags of 1 .. 2^bits - 1:
 *
 *     fpr(load) = 1 - (1 - 1/(2^bits - 1))^(8 load)          about 8 load / 2^bits
 *
 * Random pairs of buckets with four slots each can hold tags up to a load of 98 %
 * (Fountoulakis, Khosla and Panagiotou, SODA 2012), but for the fluctuations of small
 * tables: nine keys with the same pair of buckets are one too many wherever it happens.
 * Local pairs and searches that end cost some more. Measured (a test repeats it), the
 * first add is refused at a load of
 *
 *     slots                    64    256   1024   4096   33e3   5e5    1e7
 *     median                 1.00   0.98   0.98   0.98   0.97   0.97   0.97
 *     once in a thousand     0.86   0.93   0.96   0.97   0.965  0.96   0.96
 *     once in a million      0.66   0.89   0.94   0.96
 *
 * and at 95 % the share of adds that have to look behind more than n tags falls by 4 to 6
 * with every hundred: 1e-4 for 400, less than 1e-12 for the 2,000 where a search ends. So
 * a filter for n items gets
 *
 *     slots = n + n/18 + 32        (8 for up to 8 items, which always fit)
 *
 * that is a load of 94.7 %, and small filters what their fluctuations need.
 *
 * Buckets come in chunks, which know nothing of each other. A chunk has at least 2^17
 * buckets: with fewer, a chunk that chance gives more keys than the others would fill up
 * first (of 2^15 buckets, one of eighty at 94.6 %). It has at most 2^18, which are 2 MiB
 * of 16-bit tags, a huge page. Neighbourhoods of 256 buckets (2 KiB) divide it evenly; in
 * filters of up to 8192 buckets, which fit in a cache, there are none. */
#include "sketches/cuckoo/cuckoo_state.h"

#include <math.h>

enum { CUCKOO_FEW = 2 * CUCKOO_SLOTS };

cuckoo_design bp_cuckoo_plan(uint64_t items, uint32_t bits)
{
    const uint64_t slots = items <= CUCKOO_FEW ? CUCKOO_FEW : items + items / 18 + 32;
    const uint64_t buckets = (slots + CUCKOO_SLOTS - 1) / CUCKOO_SLOTS;
    const uint64_t chunks = buckets < CUCKOO_CHUNK ? 1 : buckets / CUCKOO_CHUNK;
    const uint64_t unit = buckets <= CUCKOO_NEAR_FROM ? 2 : CUCKOO_NEAR;
    const uint64_t length = bp_round_up((buckets + chunks - 1) / chunks, unit);
    return (cuckoo_design){items, chunks, (uint32_t)length, bits};
}

/* Buckets, behind those of 12 bits two bytes more so that eight can be read, and whole
 * words. */
uint64_t bp_cuckoo_bytes(const cuckoo_design *d)
{
    return bp_round_up(cuckoo_buckets(d) * (d->bits / 2) + (d->bits == 12 ? 2 : 0), 8);
}

double bp_cuckoo_fpr_at(uint32_t bits, double load)
{
    return -expm1(8 * load * log1p(-1 / (ldexp(1, (int)bits) - 1)));
}

double bp_cuckoo_design_rate(const cuckoo_design *d)
{
    return bp_cuckoo_fpr_at(d->bits, (double)d->items /
                                         ((double)cuckoo_buckets(d) * CUCKOO_SLOTS));
}

/* ------------------------------------------------------------------------- solving */

/* As many items as fit; 0: not one. */
static uint64_t cuckoo_items_in(uint64_t memory, uint32_t bits)
{
    uint64_t items = 0;
    for (uint64_t step = CUCKOO_ITEMS_MAX; step; step /= 2) {
        const cuckoo_design d = bp_cuckoo_plan(items + step, bits);
        if (items + step <= CUCKOO_ITEMS_MAX && bp_cuckoo_bytes(&d) <= memory)
            items += step;
    }
    return items;
}

static double cuckoo_most(const bp_cuckoo_config *cfg)
{
    return cfg->fpr > 0 ? cfg->fpr : cfg->bits ? 1 : 0.01;
}

static bool cuckoo_is_right(const bp_cuckoo_config *cfg, const cuckoo_design *d)
{
    return bp_cuckoo_design_rate(d) <= cuckoo_most(cfg) * (1 + 1e-9);
}

/* The filter with tags of so many bits, if it is one that is asked for. The rate comes
 * first: the memory that is missing is that of a filter which keeps it. */
static bp_status cuckoo_try(const bp_cuckoo_config *cfg, uint32_t bits, cuckoo_design *d,
                            bp_detail *why)
{
    const uint64_t items = cfg->items    ? cfg->items
                           : cfg->memory ? cuckoo_items_in(cfg->memory, bits)
                                         : 1000000;
    *d = bp_cuckoo_plan(items ? items : 1, bits);
    if (items == 0)
        return bp_fail(why, BP_PARAM, "too little memory for one item", cfg->memory,
                       bp_cuckoo_bytes(&(cuckoo_design){1, 1, 2, bits}));
    if (!cuckoo_is_right(cfg, d))
        return bp_fail(why, BP_PARAM,
                       bits < 16 ? "tags of so few bits err more often than that: more "
                                   "bits, or a higher fpr (one in so many)"
                                 : "no tags err as rarely as that: a higher fpr, or a "
                                   "counting_bloom (one in so many)",
                       (uint64_t)fmin(1 / cuckoo_most(cfg) + 0.5, 1e18),
                       (uint64_t)(1 / bp_cuckoo_design_rate(d)));
    if (cfg->memory && bp_cuckoo_bytes(d) > cfg->memory)
        return bp_fail(why, BP_PARAM,
                       "so many items at that rate take more memory: fewer items, a "
                       "higher fpr or more memory",
                       cfg->memory, bp_cuckoo_bytes(d));
    return BP_OK;
}

static bp_status cuckoo_check(const bp_cuckoo_config *cfg, bp_detail *why)
{
    if (cfg->reserved32)
        return bp_fail(why, BP_PARAM, "a reserved configuration field is set",
                       cfg->reserved32, 0);
    if (cfg->items > CUCKOO_ITEMS_MAX)
        return bp_fail(why, BP_PARAM, "items must be 1 to 2^40", cfg->items,
                       CUCKOO_ITEMS_MAX);
    if (cfg->bits && cfg->bits != 8 && cfg->bits != 12 && cfg->bits != 16)
        return bp_fail(why, BP_PARAM, "tags have 8, 12 or 16 bits", cfg->bits, 12);
    if (!(cfg->fpr >= 0 && cfg->fpr <= 0.5)) /* a NaN is refused, too */
        return bp_fail(why, BP_PARAM,
                       "the false positive rate must be at most 0.5 (1 % is 0.01)", 0, 0);
    return BP_OK;
}

bp_status bp_cuckoo_solve(const bp_cuckoo_config *cfg, cuckoo_design *d, bp_detail *why)
{
    bp_status st = cuckoo_check(cfg, why);
    if (st || cfg->bits)
        return st ? st : cuckoo_try(cfg, cfg->bits, d, why);
    for (uint32_t bits = 8; bits <= 16; bits += 4) {
        st = cuckoo_try(cfg, bits, d, why);
        if (!st || cuckoo_is_right(cfg, d))
            break; /* wider tags keep the rate, too, and take more memory */
    }
    return st;
}

bp_status bp_cuckoo_size(const bp_cuckoo_config *cfg, bp_cuckoo_config *out,
                         bp_detail *why)
{
    static const bp_cuckoo_config none;
    bp_cuckoo_config full = cfg ? *cfg : none;
    cuckoo_design d;
    const bp_status st = bp_cuckoo_solve(&full, &d, why);
    if (st)
        return st;
    full.items = d.items;
    full.fpr = bp_cuckoo_design_rate(&d);
    full.memory = bp_cuckoo_bytes(&d);
    full.bits = d.bits;
    *out = full;
    return BP_OK;
}
