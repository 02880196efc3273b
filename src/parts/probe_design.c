/* SPDX-License-Identifier: MIT
 * probe_design.c - how many cells a filter of probes must have, and what it is then
 * worth.
 *
 * With n keys in m cells, k probes each, a given cell is still clear with probability
 * (1 - 1/m)^(kn), about e^(-kn/m). A key that was never added is answered yes when all
 * of its k cells are used:
 *
 *     fpr(n) = (1 - e^(-kn/m))^k        least for  k = (m/n) ln 2,  where half the cells
 *     m      = -n ln p / (ln 2)^2       are used and fpr = 2^-k = 0.6185^(m/n)
 *
 * (Bloom, CACM 13(7), 1970; Broder and Mitzenmacher, Internet Mathematics 1(4), 2004,
 * section 2.) k is a whole number, so that the rate at capacity is not quite p: 1.004 %
 * for p = 1 %, at worst 1.05 times p, where k falls midway between 1 and 2.
 *
 * Two machines that are asked for the same items and rate must make filters that can
 * be merged. m and k are therefore computed in whole numbers, from a logarithm taken
 * bit by bit, and not through libm, whose last bit is anybody's guess. (Only where the
 * number of hashes is prescribed together with a rate, libm is asked.) */
#include "parts/probe_design.h"

#include <math.h>

enum { LOG_BITS = BP_PROBE_LOG_BITS, PER_ITEM_BITS = 56 };
static const uint64_t probe_ln2 = 0xB17217F7D1CF79ACu;     /* ln 2 * 2^64       */
static const uint64_t probe_inv_ln2 = 0xB8AA3B295C17F0BCu; /* 1/ln 2 * 2^63     */

/* Squaring the mantissa doubles its logarithm, and whether it passes 2 is the next binary
 * digit; each step's cut-off error counts half of the step's before, so the whole is good
 * to 2^-57. */
uint64_t bp_probe_log2_inverse(double p)
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

/* Cells an item takes at rate p, times 2^56: log2(1/p) / ln 2, below 2^7. */
static uint64_t probe_per_item(double p)
{
    return bp_range(bp_probe_log2_inverse(p), probe_inv_ln2) >>
           (LOG_BITS - PER_ITEM_BITS - 1);
}

/* ceil(items * cells per item), or UINT64_MAX when that is past BP_PROBE_CELLS_MAX. */
static uint64_t probe_cells_for(uint64_t items, double p)
{
    uint64_t low;
    const uint64_t high = bp_mul128(items, probe_per_item(p), &low);
    if (high >= BP_PROBE_CELLS_MAX >> (64 - PER_ITEM_BITS))
        return UINT64_MAX;
    const uint64_t part = low & ((UINT64_C(1) << PER_ITEM_BITS) - 1);
    return (high << (64 - PER_ITEM_BITS) | low >> PER_ITEM_BITS) + (part != 0);
}

/* The best number of probes: for a rate, and for a size. */
static uint32_t probe_hashes_for_rate(double p)
{
    const uint64_t half = UINT64_C(1) << (LOG_BITS - 1);
    return (uint32_t)((bp_probe_log2_inverse(p) + half) >> LOG_BITS);
}

static uint32_t probe_hashes_for_size(uint64_t cells, uint64_t items)
{
    uint64_t low;
    const uint64_t high = bp_mul128(cells, probe_ln2, &low);
    const uint64_t k = ((high << 7 | low >> 57) / items + 64) >> 7;
    return k < 1 ? 1 : k > BP_PROBE_HASHES_MAX ? BP_PROBE_HASHES_MAX : (uint32_t)k;
}

double bp_probe_fill_at(uint64_t cells, uint32_t hashes, double n)
{
    return n > 0 ? -expm1(-(double)hashes * n / (double)cells) : 0;
}

double bp_probe_fpr_at(uint64_t cells, uint32_t hashes, double n)
{
    return pow(bp_probe_fill_at(cells, hashes, n), hashes);
}

/* The rate that follows from the other three numbers. */
static double probe_following_rate(const bp_probe_design *d)
{
    const double rate = bp_probe_fpr_at(d->cells, d->hashes, (double)d->items);
    const double collision = (double)d->items * 0x1p-64; /* of the 64-bit hash */
    return rate > collision ? rate : collision;
}

double bp_probe_rate(const bp_probe_design *d)
{
    return d->fpr > 0 ? d->fpr : probe_following_rate(d);
}

/* ------------------------------------------------------------------------- checking */

/* The design is the one that (items, fpr) alone lead to. */
static bool probe_is_asked(const bp_probe_design *d, double p)
{
    return d->cells == probe_cells_for(d->items, p) &&
           d->hashes == probe_hashes_for_rate(p);
}

/* p says nothing that the other three numbers do not say: as text, perhaps, and by
 * another machine's libm. */
static bool probe_follows(const bp_probe_design *d, double p)
{
    const double rate = probe_following_rate(d);
    return fabs(rate - p) <= 1e-9 * rate; /* false for a NaN or infinite p */
}

static bp_status probe_check_rate(uint64_t items, double p, bp_detail *why)
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

bp_status bp_probe_check(const bp_probe_design *d, bp_detail *why)
{
    if (d->items < 1 || d->items > BP_PROBE_ITEMS_MAX)
        return bp_fail(why, BP_PARAM, "items must be 1 to 2^62", d->items,
                       BP_PROBE_ITEMS_MAX);
    if (d->hashes < 1 || d->hashes > BP_PROBE_HASHES_MAX)
        return bp_fail(why, BP_PARAM, "hashes must be 1 to 64", d->hashes,
                       BP_PROBE_HASHES_MAX);
    if (d->fpr != 0) {
        bp_status st = probe_check_rate(d->items, d->fpr, why);
        if (!st && probe_follows(d, d->fpr))
            return bp_fail(why, BP_PARAM, "a rate is stored that follows from the rest",
                           0, 0);
        if (!st && !probe_is_asked(d, d->fpr))
            st = bp_fail(why, BP_PARAM,
                         "size and hashes are not those of the items and the rate",
                         d->cells, probe_cells_for(d->items, d->fpr));
        return st;
    }
    if (bp_probe_rate(d) > 0.75)
        return bp_fail(why, BP_PARAM,
                       "too small for so many items: nearly every key would be "
                       "answered yes",
                       d->cells, d->items);
    return BP_OK;
}

/* ------------------------------------------------------------------------- solving */

/* No size was given: it follows from items and rate. */
static bp_status probe_solve_cells(const bp_probe_design *given, bp_probe_design *d,
                                   bp_detail *why)
{
    const double p = given->fpr != 0 ? given->fpr : 0.01;
    d->items = given->items ? given->items : 1000000;
    bp_status st = probe_check_rate(d->items, p, why);
    if (st)
        return st;
    const uint32_t best = probe_hashes_for_rate(p);
    d->hashes = given->hashes ? given->hashes : best;
    if (d->hashes == best) {
        d->cells = probe_cells_for(d->items, p);
        d->fpr = probe_follows(d, p) ? 0 : p;
    } else {
        const double k = d->hashes;
        const double m = ceil(-k * (double)d->items / log1p(-pow(p, 1 / k)));
        d->cells = m <= (double)BP_PROBE_CELLS_MAX ? (uint64_t)m : UINT64_MAX;
    }
    if (d->cells > BP_PROBE_CELLS_MAX)
        return bp_fail(why, BP_PARAM,
                       "larger than a filter can be: fewer items, or a higher rate",
                       d->cells, BP_PROBE_CELLS_MAX);
    return BP_OK;
}

/* Cells but no items: how many keys it is good for. With nothing else said, 1 %; with
 * hashes alone, as many as make that number of hashes the best one. */
static bp_status probe_solve_items(const bp_probe_design *given, bp_probe_design *d,
                                   bp_detail *why)
{
    const double p = given->fpr != 0 ? given->fpr : 0.01;
    bp_status st = probe_check_rate(0, p, why);
    if (st)
        return st;
    d->hashes = given->hashes ? given->hashes : probe_hashes_for_rate(p);
    if (given->fpr == 0 && given->hashes) {
        const uint64_t n = bp_range(d->cells, probe_ln2) / d->hashes;
        d->items = n ? n : 1;
        return BP_OK;
    }
    const double k = d->hashes;
    if (given->hashes)
        d->items = (uint64_t)floor(-(double)d->cells / k * log1p(-pow(p, 1 / k)));
    else
        d->items =
            (uint64_t)floor((double)d->cells / ((double)probe_per_item(p) * 0x1p-56));
    if (d->items == 0)
        return bp_fail(why, BP_PARAM, "too small for one item at that rate", d->cells, 0);
    if (probe_is_asked(d, p) && !probe_follows(d, p))
        d->fpr = p;
    return probe_check_rate(d->items, p, why);
}

/* Cells and items: only the hashes are free. A rate given as well must be the one that
 * this leads to, as it is in what size and config_of answer. */
static bp_status probe_solve_hashes(const bp_probe_design *given, bp_probe_design *d,
                                    bp_detail *why)
{
    const double p = given->fpr;
    d->items = given->items;
    d->hashes = given->hashes ? given->hashes : probe_hashes_for_size(d->cells, d->items);
    if (p == 0)
        return BP_OK;
    bp_status st = probe_check_rate(0, p, why);
    if (!st && !given->hashes && d->cells == probe_cells_for(d->items, p))
        d->hashes = probe_hashes_for_rate(p);
    if (probe_follows(d, p))
        return BP_OK;
    if (!st && probe_is_asked(d, p)) {
        d->fpr = p;
        return BP_OK;
    }
    return st ? st
              : bp_fail(why, BP_PARAM,
                        "items, rate and size contradict each other: leave one out",
                        d->cells, probe_cells_for(d->items, p));
}

bp_status bp_probe_solve(const bp_probe_design *given, bp_probe_design *d, bp_detail *why)
{
    bp_status st;
    *d = (bp_probe_design){0};
    if (given->items > BP_PROBE_ITEMS_MAX)
        return bp_fail(why, BP_PARAM, "items must be 1 to 2^62", given->items,
                       BP_PROBE_ITEMS_MAX);
    if (given->hashes > BP_PROBE_HASHES_MAX)
        return bp_fail(why, BP_PARAM, "hashes must be 1 to 64", given->hashes,
                       BP_PROBE_HASHES_MAX);
    d->cells = given->cells;
    if (!given->cells)
        st = probe_solve_cells(given, d, why);
    else if (!given->items)
        st = probe_solve_items(given, d, why);
    else
        st = probe_solve_hashes(given, d, why);
    return st ? st : bp_probe_check(d, why);
}

bp_status bp_probe_same(const bp_probe_design *a, const bp_probe_design *b,
                        const char *sizes_differ, bp_detail *why)
{
    if (a->cells != b->cells)
        return bp_fail(why, BP_MISMATCH, sizes_differ, a->cells, b->cells);
    if (a->hashes != b->hashes)
        return bp_fail(why, BP_MISMATCH, "the filters differ in hashes", a->hashes,
                       b->hashes);
    if (a->items != b->items)
        return bp_fail(why, BP_MISMATCH, "the filters were made for different items",
                       a->items, b->items);
    if (a->fpr < b->fpr || a->fpr > b->fpr)
        return bp_fail(why, BP_MISMATCH,
                       "the filters were made for different rates (in units of 1e-18)",
                       (uint64_t)(bp_probe_rate(a) * 1e18),
                       (uint64_t)(bp_probe_rate(b) * 1e18));
    return BP_OK;
}

/* ----------------------------------------------------------------------------- bytes */

void bp_probe_put(const bp_probe_design *d, bp_writer *w)
{
    bp_put64(w, d->cells);
    bp_put64(w, d->items);
    bp_put_double(w, d->fpr);
    bp_put32(w, d->hashes);
    bp_put32(w, 0);
}

/* Which of the parameters is at fault: their offsets. */
static uint64_t probe_offset_of_fault(const bp_probe_design *d)
{
    if (d->items < 1 || d->items > BP_PROBE_ITEMS_MAX)
        return 8;
    if (d->hashes < 1 || d->hashes > BP_PROBE_HASHES_MAX)
        return 24;
    return d->fpr == 0 ? 8 : 16;
}

bp_status bp_probe_get(bp_probe_design *d, bp_reader *r, const char *size_is_wrong,
                       bp_detail *why)
{
    bp_detail fault;
    d->cells = bp_get64(r);
    d->items = bp_get64(r);
    d->fpr = bp_get_double(r);
    d->hashes = bp_get32(r);
    const uint32_t zero = bp_get32(r);
    if (r->short_)
        return BP_OK; /* the caller says so */
    if (zero)
        return bp_fail_at(why, BP_CORRUPT, "reserved parameter bytes are not zero", 28,
                          zero, 0);
    if (d->fpr == 0 && signbit(d->fpr))
        return bp_fail_at(why, BP_CORRUPT, "a rate of minus zero", 16, 0, 0);
    if (d->cells < 1 || d->cells > BP_PROBE_CELLS_MAX)
        return bp_fail_at(why, BP_CORRUPT, size_is_wrong, 0, d->cells,
                          BP_PROBE_CELLS_MAX);
    if (bp_probe_check(d, &fault))
        return bp_fail_at(why, BP_CORRUPT, fault.what, probe_offset_of_fault(d),
                          fault.have, fault.want);
    return BP_OK;
}
