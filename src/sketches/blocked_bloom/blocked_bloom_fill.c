/* SPDX-License-Identifier: MIT
 * blocked_bloom_fill.c - how many keys a blocked filter holds, read off its bits.
 *
 * A given bit of a lane of w bits, one lane of that place in each of z blocks, is left
 * clear by a key with probability 1 - 1/(wz). After n keys the bits set, X, have the mean
 *
 *     E[X] = sum over lanes of w z (1 - e^(-n/(wz)))
 *
 * which is that of a plain filter's linear counting (Whang et al., ACM TODS 15(2), 1990)
 * with as many bits. The spread is not: lanes of a block share the chance of how many
 * keys it got. Given that, a lane's count is the classical occupancy problem (David and
 * Barton, Combinatorial Chance, 1962) and the lanes are independent. With Poisson numbers
 * of keys, load = n/z on average, a block's count has the variance
 *
 *     sum over lanes of  e^(-2t) (w (e^t - 1) - w^2 (e^(t/w) - 1)),          t = load/w
 *   + sum over pairs of lanes, each with itself too, of
 *                        w w' e^(-t - t') (e^(load/(ww')) - 1)
 *
 * and that all blocks together got exactly n takes load (sum over lanes of e^-t)^2 off.
 */
#include "sketches/blocked_bloom/blocked_bloom_state.h"

#include "core/mathx.h"

#include <math.h>

/* A filter as the formulas want it: the sorts of lanes there are, three at most. */
typedef struct blocked_terms {
    double blocks, bits, hashes;
    double lanes[3], width[3];
    int sorts;
} blocked_terms;

static blocked_terms blocked_terms_of(const blocked_design *d)
{
    const blocked_shape s = blocked_shape_of(d->layout, d->hashes);
    blocked_terms t = {.blocks = (double)d->blocks, .hashes = d->hashes};
    uint32_t lanes[3];
    blocked_lanes(&s, lanes);
    for (int j = 0; j < 3; j++)
        if (lanes[j] > 0) {
            t.lanes[t.sorts] = lanes[j];
            t.width[t.sorts++] = 128 >> j;
        }
    t.bits = t.blocks * 64 * s.words;
    return t;
}

static double blocked_mean(const blocked_terms *f, double n)
{
    double sum = 0;
    for (int j = 0; j < f->sorts; j++) {
        const double bits = f->blocks * f->width[j];
        sum -= f->lanes[j] * bits * expm1(-n / bits);
    }
    return sum;
}

/* z standard deviations of the bits set when n keys are in, and one bit more, because
 * bits come whole. */
static double blocked_spread(const blocked_terms *f, double n, double z)
{
    const double load = n / f->blocks;
    double variance = 0, slope = 0;
    for (int i = 0; i < f->sorts; i++) {
        const double w = f->width[i], t = load / w;
        slope += f->lanes[i] * exp(-t);
        variance += f->lanes[i] * exp(-2 * t) * (w * expm1(t) - w * w * expm1(t / w));
        for (int j = 0; j < f->sorts; j++) {
            const double v = f->width[j];
            variance += f->lanes[i] * f->lanes[j] * w * v * exp(-t - load / v) *
                        expm1(load / (w * v));
        }
    }
    variance -= load * slope * slope;
    return z * sqrt(variance > 0 ? f->blocks * variance : 0) + 1;
}

/* The n whose mean number of set bits, moved by `sign` spreads, is the number seen: the
 * least (1) or most (-1) that is still credible, or the value itself (0). It lies between
 * `from`, where the moved mean is surely below, and `to`. */
static double blocked_solve_keys(const blocked_terms *f, double set, double z, int sign,
                                 double from, double to)
{
    for (int i = 0; i < 100 && to - from > 1e-12 * to; i++) {
        const double n = from + (to - from) / 2;
        const double moved = sign ? sign * blocked_spread(f, n, z) : 0;
        if (blocked_mean(f, n) + moved < set)
            from = n;
        else
            to = n;
    }
    return from + (to - from) / 2;
}

/* More keys than leave half a bit clear. */
static double blocked_most(const blocked_terms *f)
{
    const double widest = f->width[0] * f->blocks;
    const double to = widest * log(4 * f->bits);
    return blocked_solve_keys(f, f->bits - 0.5, 0, 0, 0, to);
}

void bp_blocked_estimate(const blocked_design *d, uint64_t set, double confidence,
                         bp_estimate *out)
{
    const blocked_terms f = blocked_terms_of(d);
    const double seen = (double)set, z = bp_normal_two_sided(confidence);
    *out = (bp_estimate){0, 0, 0};
    if (set == 0)
        return;
    const double most = blocked_most(&f);
    const bool is_full = seen >= f.bits;
    const double middle = is_full ? most : blocked_solve_keys(&f, seen, 0, 0, 0, most);
    out->value = is_full ? INFINITY : middle;
    out->lower = blocked_solve_keys(&f, seen, z, 1, 0, middle);
    out->upper = blocked_solve_keys(&f, seen, z, -1, middle, 2 * most);
    /* One key sets at most `hashes` bits: that many keys there are for certain. */
    const double sure = ceil(seen / f.hashes);
    if (out->lower < sure)
        out->lower = sure < out->value ? sure : out->value;
    if (is_full || out->upper >= 1.99 * most)
        out->upper = INFINITY;
}

double bp_blocked_rate_now(const blocked_design *d, const blocked_fill *f)
{
    bp_estimate e;
    bp_blocked_estimate(d, f->set, 0.95, &e);
    const double collision = e.value * 0x1p-64;
    return f->rate > collision ? f->rate : collision < 1 ? collision : 1;
}
