/* SPDX-License-Identifier: MIT
 * ribbon_size.c - how many slots and columns a set takes for the rate asked for.
 *
 * Columns: a stranger agrees with each by one chance in two. With c columns in all
 * blocks but the first ones, which have c - 1, the rate is any between 2^-c and
 * 2^-(c-1), by where those end.
 *
 * Slots: a homogeneous layer never fails; it errs. A stranger whose equation is a sum of
 * keys' equations is answered yes whatever the columns, and there are more of those the
 * fuller the layer is. Keys come to slots as to a queue (one is served at a time, slot by
 * slot; none may wait longer than the width), so that their share falls exponentially:
 *
 *     q(e) = C e exp(-t width)     n (1 + e) places to begin,  exp(t) - 1 = t (1 + e)
 *
 * with C = 200 (width 64) and 300 (128), a little above what simulations gave; the
 * accuracy tests hold q against it. One bit more of q costs 1 / (2.2 width) of the
 * slots, so the least memory is where q is about r / (2 width) of the rate 2^-r. The e
 * for that is a parabola in r, whose coefficients are in fits[], in whole numbers, so
 * that no libm decides; at r = 8 it is the (4 + r/4) / width of Dillinger et al. */
#include "sketches/ribbon/ribbon_state.h"

#include <math.h>

/* In units of 2^-16: e = max(least, base + slope r + fifths / 5 r^2). */
static const struct ribbon_fit {
    uint64_t least, base, slope, fifths;
} fits[2] = {{4350, 3700, 290, 18}, {2250, 1950, 142, 6}};

enum { RIBBON_BUMPING_FROM = 2048 }; /* keys: below, its edges cost more than it saves */

/* The least r with 2^-r <= fpr. */
static uint32_t ribbon_rate(const ribbon_design *d)
{
    int exponent;
    frexp(d->fpr, &exponent);
    return (uint32_t)(1 - exponent);
}

/* Few strangers come to the homogeneous layer behind others. */
double bp_ribbon_excess(const ribbon_design *d, bool bumps)
{
    return ribbon_rate(d) / (2.0 * d->width) * (bumps ? 1.0 / 16 : 1);
}

/* Only sums and products by powers of two after the first product: the same on every
 * machine. */
void bp_ribbon_set_columns(ribbon_design *d, bool bumps)
{
    int exponent;
    const double rate = d->fpr * (1 - bp_ribbon_excess(d, bumps));
    const double m = frexp(rate, &exponent);
    d->columns = (uint32_t)(1 - exponent);
    d->share = (uint32_t)ldexp(2 * m - 1, 32);
}

uint64_t bp_ribbon_blocks(const ribbon_design *d, uint64_t n)
{
    const struct ribbon_fit *f = &fits[d->width == 128];
    const uint64_t r = ribbon_rate(d);
    const uint64_t e = f->base + f->slope * r + f->fifths * r * r / 5;
    const uint64_t slots = n + (n * (e > f->least ? e : f->least) >> 16) + d->width / 2;
    const uint64_t blocks = bp_round_up(slots, RIBBON_BLOCK) / RIBBON_BLOCK;
    const uint64_t least = d->width / RIBBON_BLOCK + 1;
    return n == 0 ? 0 : blocks > least ? blocks : least;
}

/* A layer that bumps is given more keys than it has slots, 4 % (2 %), so that next to no
 * slot stays empty; about as many are bumped. */
uint64_t bp_ribbon_bumping_blocks(const ribbon_design *d, uint64_t n)
{
    const uint64_t more = n / (d->width == 64 ? 25 : 50);
    return n < RIBBON_BUMPING_FROM
               ? 0
               : (n - more - d->width) / RIBBON_BLOCK + d->width / RIBBON_BLOCK;
}

/* A layer of n keys and what it may leave to those after it. */
static uint64_t ribbon_most_from(ribbon_design d, uint32_t layer, uint64_t n)
{
    d.blocks[layer] = layer < RIBBON_LAST ? bp_ribbon_bumping_blocks(&d, n) : 0;
    if (layer < RIBBON_LAST && d.blocks[layer])
        return ribbon_layer_bytes(&d, layer) +
               ribbon_most_from(d, layer + 1, n / RIBBON_BUMPED_PART);
    d.blocks[RIBBON_LAST] = bp_ribbon_blocks(&d, n);
    return ribbon_layer_bytes(&d, RIBBON_LAST);
}

uint64_t bp_ribbon_most_bytes(const ribbon_design *design, uint64_t n)
{
    ribbon_design d = *design;
    bp_ribbon_set_columns(&d, false);
    const uint64_t whole = ribbon_most_from(d, RIBBON_LAST, n);
    bp_ribbon_set_columns(&d, true);
    const uint64_t parts = d.compact ? ribbon_most_from(d, 0, n) : 0;
    return parts > whole ? parts : whole;
}
