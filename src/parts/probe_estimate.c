/* SPDX-License-Identifier: MIT
 * probe_estimate.c - how many keys a filter of probes holds, and how often it errs, read
 * off its cells, so that it is right after a merge, too.
 *
 * Of m cells, X are used on average after n different keys, with this mean and variance
 *
 *     E[X] = m (1 - e^-t),  Var[X] = m e^-t (1 - (1 + t) e^-t),   t = kn/m
 *
 * (the classical occupancy problem: David and Barton, Combinatorial Chance, 1962; the
 * same as in linear counting: Whang et al., ACM TODS 15(2), 1990). */
#include "parts/probe_design.h"

#include "core/mathx.h"

#include <math.h>

/* Keys that leave `set` of m cells set on average; set may be a fraction. */
static double probe_items_from(double set, double m, double k)
{
    return set < m ? -m / k * log1p(-set / m) : INFINITY;
}

/* z standard deviations of the cells used when n keys are in, and one cell more,
 * because cells come whole. 1 - (1 + t) e^-t is written so that nothing cancels for small
 * t. */
static double probe_spread(double n, double m, double k, double z)
{
    const double t = k * n / m;
    const double both = t < 1e-4 ? t * t / 2 : 1 - (1 + t) * exp(-t);
    return z * sqrt(m * exp(-t) * both) + 1;
}

/* The n whose mean number of used cells, moved by `sign` spreads, is the number seen: the
 * least (sign = 1) or most (-1) that is still credible. It lies between `from`, where
 * the moved mean is surely below, and `to`. */
static double probe_bound(double set, double m, double k, double z, double sign,
                          double from, double to)
{
    for (int i = 0; i < 64; i++) {
        const double n = from + (to - from) / 2;
        const double mean = -m * expm1(-k * n / m);
        if (mean + sign * probe_spread(n, m, k, z) < set)
            from = n;
        else
            to = n;
    }
    return from + (to - from) / 2;
}

void bp_probe_estimate(const bp_probe_design *d, uint64_t used, double confidence,
                       bp_estimate *out)
{
    const double m = (double)d->cells, k = d->hashes, set = (double)used;
    const double z = bp_normal_two_sided(confidence);
    const double most = probe_items_from(m - 0.5, m, k); /* never credibly more */
    out->value = probe_items_from(set, m, k);
    out->lower = out->upper = 0;
    if (used == 0)
        return;
    const double middle = out->value < most ? out->value : most;
    out->lower = probe_bound(set, m, k, z, 1, 0, middle);
    out->upper = probe_bound(set, m, k, z, -1, middle, 2 * most);
    /* One key uses at most k cells: that many keys there are for certain. */
    const double sure = ceil(set / k);
    if (out->lower < sure)
        out->lower = sure < out->value ? sure : out->value;
    if (used == d->cells || out->upper >= 1.99 * most)
        out->upper = INFINITY;
}

double bp_probe_rate_now(const bp_probe_design *d, uint64_t used)
{
    const double m = (double)d->cells, k = d->hashes;
    const double rate = pow((double)used / m, k);
    const double collision = probe_items_from((double)used, m, k) * 0x1p-64;
    return rate > collision ? rate : collision < 1 ? collision : 1;
}

/* ------------------------------------------------------------------------- describing */

/* Over only when that is sure (99 %), so that a filter filled to the very last item is
 * not called over by chance. */
static void probe_judge(const bp_estimate *e, double items, bp_description *out)
{
    if (e->lower > items) {
        out->health = BP_HEALTH_OVER;
        out->advice = "over capacity: wrong yes answers exceed the design; build a new "
                      "filter with more items";
    } else if (e->value >= 0.9 * items) {
        out->health = BP_HEALTH_NEAR;
        out->advice = "nearly full: plan a new filter with more items";
    }
}

void bp_probe_say_design(const bp_probe_design *d, bp_description *out)
{
    bp_say_whole(out, "hashes", "", d->hashes, true);
    bp_say_whole(out, "items", "items", d->items, true);
    bp_say_real(out, "fpr_design", "fraction", bp_probe_rate(d), true);
}

void bp_probe_say_state(const bp_probe_design *d, uint64_t used, bp_description *out)
{
    const double items = (double)d->items;
    bp_estimate e;
    bp_probe_estimate(d, used, 0.99, &e);
    const double left = items > e.value ? floor(items - e.value + 0.5) : 0;
    bp_say_real(out, "fill", "fraction", (double)used / (double)d->cells, false);
    bp_say_real(out, "fpr_now", "fraction", bp_probe_rate_now(d, used), false);
    bp_say_real(out, "estimate", "items", e.value, false);
    bp_say_whole(out, "capacity_left", "items", (uint64_t)left, false);
    probe_judge(&e, items, out);
}
