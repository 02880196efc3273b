/* SPDX-License-Identifier: MIT
 * bloom_size.c - how large a Bloom filter must be, and what it is then worth.
 *
 * With n keys in m bits, k probes each, a given bit is still clear with probability
 * (1 - 1/m)^(kn), about e^(-kn/m). A key that was never added is answered yes when all
 * of its k bits are set:
 *
 *     fpr(n) = (1 - e^(-kn/m))^k        least for  k = (m/n) ln 2,  where half the
 *     m      = -n ln p / (ln 2)^2       bits are set and fpr = 2^-k = 0.6185^(m/n)
 *
 * (Bloom, CACM 13(7), 1970; Broder and Mitzenmacher, Internet Mathematics 1(4), 2004,
 * section 2.) k is a whole number, so that the rate at capacity is not quite p: 1.004 %
 * for p = 1 %, at worst 1.05 times p, where k falls midway between 1 and 2.
 *
 * Two machines that are asked for the same items and rate must make filters that can
 * be merged. m and k are therefore computed in whole numbers, from a logarithm taken
 * bit by bit, and not through libm, whose last bit is anybody's guess. (Only where the
 * number of hashes is prescribed together with a rate, libm is asked.) */
#include "sketches/bloom/bloom_state.h"

#include <math.h>

enum { LOG_BITS = 58, PER_ITEM_BITS = 56 };
static const uint64_t bloom_ln2 = 0xB17217F7D1CF79ACu;     /* ln 2 * 2^64       */
static const uint64_t bloom_inv_ln2 = 0xB8AA3B295C17F0BCu; /* 1/ln 2 * 2^63     */

/* log2(1/p) * 2^58 for 2^-63 < p <= 1/2. Squaring the mantissa doubles its logarithm,
 * and whether it passes 2 is the next binary digit; each step's cut-off error counts
 * half of the step's before, so the whole is good to 2^-57. */
static uint64_t bloom_log2_inverse(double p)
{
    int exponent;
    const double mantissa = frexp(p, &exponent) * 2; /* in [1, 2) */
    uint64_t x = (uint64_t)(mantissa * 0x1p63);
    uint64_t fraction = 0;
    for (int i = 0; i < LOG_BITS; i++) {
        uint64_t low;
        const uint64_t high = bp_mul128(x, x, &low); /* in [1, 4) * 2^62 */
        const unsigned digit = (unsigned)(high >> 63);
        fraction = fraction << 1 | digit;
        x = digit ? high : high << 1 | low >> 63;
    }
    return ((uint64_t)(1 - exponent) << LOG_BITS) - fraction;
}

/* Bits an item takes at rate p, times 2^56: log2(1/p) / ln 2, below 2^7. */
static uint64_t bloom_per_item(double p)
{
    return bp_range(bloom_log2_inverse(p), bloom_inv_ln2) >>
           (LOG_BITS - PER_ITEM_BITS - 1);
}

/* ceil(items * bits per item), or UINT64_MAX when that is past BLOOM_BITS_MAX. */
static uint64_t bloom_bits_for(uint64_t items, double p)
{
    uint64_t low;
    const uint64_t high = bp_mul128(items, bloom_per_item(p), &low);
    if (high >= BLOOM_BITS_MAX >> (64 - PER_ITEM_BITS))
        return UINT64_MAX;
    const uint64_t part = low & ((UINT64_C(1) << PER_ITEM_BITS) - 1);
    return (high << (64 - PER_ITEM_BITS) | low >> PER_ITEM_BITS) + (part != 0);
}

/* The best number of probes: for a rate, and for a size. */
static uint32_t bloom_hashes_for_rate(double p)
{
    const uint64_t half = UINT64_C(1) << (LOG_BITS - 1);
    return (uint32_t)((bloom_log2_inverse(p) + half) >> LOG_BITS);
}

static uint32_t bloom_hashes_for_size(uint64_t bits, uint64_t items)
{
    uint64_t low;
    const uint64_t high = bp_mul128(bits, bloom_ln2, &low);
    const uint64_t k = ((high << 7 | low >> 57) / items + 64) >> 7;
    return k < 1 ? 1 : k > BLOOM_HASHES_MAX ? BLOOM_HASHES_MAX : (uint32_t)k;
}

uint64_t bp_bloom_bytes(uint64_t bits)
{
    return (bits + 63) / 64 * 8;
}

double bp_bloom_fill_at(uint64_t bits, uint32_t hashes, double n)
{
    return n > 0 ? -expm1(-(double)hashes * n / (double)bits) : 0;
}

double bp_bloom_fpr_at(uint64_t bits, uint32_t hashes, double n)
{
    return pow(bp_bloom_fill_at(bits, hashes, n), hashes);
}

/* The rate that follows from the other three numbers. */
static double bloom_following_rate(const bloom_design *d)
{
    const double rate = bp_bloom_fpr_at(d->bits, d->hashes, (double)d->items);
    const double collision = (double)d->items * 0x1p-64; /* of the 64-bit hash */
    return rate > collision ? rate : collision;
}

double bp_bloom_design_rate(const bloom_design *d)
{
    return d->fpr > 0 ? d->fpr : bloom_following_rate(d);
}

/* ------------------------------------------------------------------------- checking */

/* The design is the one that (items, fpr) alone lead to. */
static bool bloom_is_asked(const bloom_design *d, double p)
{
    return d->bits == bloom_bits_for(d->items, p) &&
           d->hashes == bloom_hashes_for_rate(p);
}

/* p says nothing that the other three numbers do not say: as text, perhaps, and by
 * another machine's libm. */
static bool bloom_follows(const bloom_design *d, double p)
{
    const double rate = bloom_following_rate(d);
    return fabs(rate - p) <= 1e-9 * rate; /* false for a NaN or infinite p */
}

static bp_status bloom_check_rate(uint64_t items, double p, bp_detail *why)
{
    if (!(p >= 1e-15 && p <= 0.5)) /* a NaN is refused, too */
        return bp_fail(why, BP_PARAM,
                       "the false positive rate must lie between 1e-15 and 0.5 (1 % is "
                       "0.01)",
                       0, 0);
    if ((double)items > p * 0x1p60)
        return bp_fail(why, BP_PARAM,
                       "a 64-bit hash cannot keep so low a false positive rate for so "
                       "many items",
                       items, (uint64_t)(p * 0x1p60));
    return BP_OK;
}

bp_status bp_bloom_check_design(const bloom_design *d, bp_detail *why)
{
    if (d->bits < 1 || d->bits > BLOOM_BITS_MAX)
        return bp_fail(why, BP_PARAM, "a filter has 1 to 2^56 bits", d->bits,
                       BLOOM_BITS_MAX);
    if (d->items < 1 || d->items > BLOOM_ITEMS_MAX)
        return bp_fail(why, BP_PARAM, "items must be 1 to 2^62", d->items,
                       BLOOM_ITEMS_MAX);
    if (d->hashes < 1 || d->hashes > BLOOM_HASHES_MAX)
        return bp_fail(why, BP_PARAM, "hashes must be 1 to 64", d->hashes,
                       BLOOM_HASHES_MAX);
    if (d->fpr != 0) {
        bp_status st = bloom_check_rate(d->items, d->fpr, why);
        if (!st && bloom_follows(d, d->fpr))
            return bp_fail(why, BP_PARAM, "a rate is stored that follows from the rest",
                           0, 0);
        if (!st && !bloom_is_asked(d, d->fpr))
            st = bp_fail(why, BP_PARAM,
                         "bits and hashes are not those of the items and the rate",
                         d->bits, bloom_bits_for(d->items, d->fpr));
        return st;
    }
    if (bp_bloom_design_rate(d) > 0.75)
        return bp_fail(why, BP_PARAM,
                       "too few bits for so many items: nearly every key would be "
                       "answered yes",
                       d->bits, d->items);
    return BP_OK;
}

/* ------------------------------------------------------------------------- solving */

/* No size was given: it follows from items and rate. */
static bp_status bloom_solve_bits(const bp_bloom_config *cfg, bloom_design *d,
                                  bp_detail *why)
{
    const double p = cfg->fpr != 0 ? cfg->fpr : 0.01;
    d->items = cfg->items ? cfg->items : 1000000;
    bp_status st = bloom_check_rate(d->items, p, why);
    if (st)
        return st;
    const uint32_t best = bloom_hashes_for_rate(p);
    d->hashes = cfg->hashes ? cfg->hashes : best;
    if (d->hashes == best) {
        d->bits = bloom_bits_for(d->items, p);
        d->fpr = bloom_follows(d, p) ? 0 : p;
    } else {
        const double k = d->hashes;
        const double m = ceil(-k * (double)d->items / log1p(-pow(p, 1 / k)));
        d->bits = m <= (double)BLOOM_BITS_MAX ? (uint64_t)m : UINT64_MAX;
    }
    if (d->bits > BLOOM_BITS_MAX)
        return bp_fail(why, BP_PARAM,
                       "that takes more than 2^56 bits: fewer items, or a higher rate",
                       d->bits, BLOOM_BITS_MAX);
    return BP_OK;
}

/* Bits but no items: how many keys it is good for. With nothing else said, 1 %; with
 * hashes alone, as many as make that number of hashes the best one. */
static bp_status bloom_solve_items(const bp_bloom_config *cfg, bloom_design *d,
                                   bp_detail *why)
{
    const double p = cfg->fpr != 0 ? cfg->fpr : 0.01;
    bp_status st = bloom_check_rate(0, p, why);
    if (st)
        return st;
    d->hashes = cfg->hashes ? cfg->hashes : bloom_hashes_for_rate(p);
    if (cfg->fpr == 0 && cfg->hashes) {
        const uint64_t n = bp_range(d->bits, bloom_ln2) / d->hashes;
        d->items = n ? n : 1;
        return BP_OK;
    }
    const double k = d->hashes;
    if (cfg->hashes)
        d->items = (uint64_t)floor(-(double)d->bits / k * log1p(-pow(p, 1 / k)));
    else
        d->items =
            (uint64_t)floor((double)d->bits / ((double)bloom_per_item(p) * 0x1p-56));
    if (d->items == 0)
        return bp_fail(why, BP_PARAM, "too few bits for one item at that rate", d->bits,
                       0);
    if (bloom_is_asked(d, p) && !bloom_follows(d, p))
        d->fpr = p;
    return bloom_check_rate(d->items, p, why);
}

/* Bits and items: only the hashes are free. A rate given as well must be the one that
 * this leads to, as it is in what bp_bloom_size and config_of answer. */
static bp_status bloom_solve_hashes(const bp_bloom_config *cfg, bloom_design *d,
                                    bp_detail *why)
{
    const double p = cfg->fpr;
    d->items = cfg->items;
    d->hashes = cfg->hashes ? cfg->hashes : bloom_hashes_for_size(d->bits, d->items);
    if (p == 0)
        return BP_OK;
    bp_status st = bloom_check_rate(0, p, why);
    if (!st && !cfg->hashes && d->bits == bloom_bits_for(d->items, p))
        d->hashes = bloom_hashes_for_rate(p);
    if (bloom_follows(d, p))
        return BP_OK;
    if (!st && bloom_is_asked(d, p)) {
        d->fpr = p;
        return BP_OK;
    }
    return st ? st
              : bp_fail(why, BP_PARAM,
                        "items, rate and size contradict each other: leave one out",
                        d->bits, bloom_bits_for(d->items, p));
}

/* The size in bits from bits or memory, 0 when neither was given. */
static bp_status bloom_given_bits(const bp_bloom_config *cfg, uint64_t *bits,
                                  bp_detail *why)
{
    *bits = cfg->bits ? cfg->bits : cfg->memory / 8 * 64;
    if (cfg->memory && cfg->memory < 8)
        return bp_fail(why, BP_PARAM, "a filter takes at least 8 bytes", cfg->memory, 8);
    if (cfg->memory > BLOOM_BITS_MAX / 8 || cfg->bits > BLOOM_BITS_MAX)
        return bp_fail(why, BP_PARAM, "a filter has 1 to 2^56 bits",
                       cfg->bits ? cfg->bits : cfg->memory, BLOOM_BITS_MAX);
    if (cfg->bits && cfg->memory && cfg->memory != bp_bloom_bytes(cfg->bits))
        return bp_fail(why, BP_PARAM, "bits and memory disagree: give one of them",
                       cfg->memory, bp_bloom_bytes(cfg->bits));
    return BP_OK;
}

bp_status bp_bloom_solve(const bp_bloom_config *cfg, bloom_design *d, bp_detail *why)
{
    *d = (bloom_design){0};
    for (size_t i = 0; i < sizeof cfg->reserved8; i++)
        if (cfg->reserved8[i])
            return bp_fail(why, BP_PARAM, "a reserved configuration field is set",
                           cfg->reserved8[i], 0);
    if (cfg->items > BLOOM_ITEMS_MAX)
        return bp_fail(why, BP_PARAM, "items must be 1 to 2^62", cfg->items,
                       BLOOM_ITEMS_MAX);
    if (cfg->hashes > BLOOM_HASHES_MAX)
        return bp_fail(why, BP_PARAM, "hashes must be 1 to 64", cfg->hashes,
                       BLOOM_HASHES_MAX);
    bp_status st = bloom_given_bits(cfg, &d->bits, why);
    if (st)
        return st;
    if (!d->bits)
        st = bloom_solve_bits(cfg, d, why);
    else if (!cfg->items)
        st = bloom_solve_items(cfg, d, why);
    else
        st = bloom_solve_hashes(cfg, d, why);
    return st ? st : bp_bloom_check_design(d, why);
}

bp_status bp_bloom_size(const bp_bloom_config *cfg, bp_bloom_config *out, bp_detail *why)
{
    static const bp_bloom_config none;
    bp_bloom_config full = cfg ? *cfg : none;
    bloom_design d;
    bp_status st = bp_bloom_solve(&full, &d, why);
    if (st)
        return st;
    full.items = d.items;
    full.bits = d.bits;
    full.hashes = d.hashes;
    full.memory = bp_bloom_bytes(d.bits);
    full.fpr = bp_bloom_design_rate(&d);
    *out = full;
    return BP_OK;
}
