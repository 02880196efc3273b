/* SPDX-License-Identifier: MIT
 * hll_estimate.c - from registers or tokens to a number and a range. */
#include "sketches/hll/hll_state.h"

#include "core/mathx.h"

#include <math.h>

double bp_hll_standard_error(uint32_t precision)
{
    return 1.04 / sqrt(ldexp(1, (int)(precision > 64 ? 64 : precision)));
}

/* sigma and tau of Ertl, arXiv:1702.01284, algorithm 6: what registers that are still
 * zero, and those that are full, say about n. */
static double hll_sigma(double x)
{
    double y = 1, z = x, before;
    if (x >= 1)
        return INFINITY;
    do {
        x *= x;
        before = z;
        z += x * y;
        y += y;
    } while (z != before);
    return z;
}

static double hll_tau(double x)
{
    double y = 1, z = 1 - x, before;
    if (x <= 0 || x >= 1)
        return 0;
    do {
        x = sqrt(x);
        before = z;
        y *= 0.5;
        z -= (1 - x) * (1 - x) * y;
    } while (z != before);
    return z / 3;
}

double bp_hll_from_sums(unsigned precision, const bp_packed6_sums *s)
{
    const double m = ldexp(1, (int)precision);
    const int q = (int)(64 - precision);
    if (s->tops >= (uint64_t)m)
        return INFINITY;
    /* sum of 2^-k over 1 <= k <= q: full registers come in through tau instead */
    const double high = (double)s->high, low = (double)s->low;
    double z = ldexp(high, 32 - 63) + ldexp(low, -63) - ldexp((double)s->tops, -(q + 1));
    z += m * hll_sigma((double)s->zeros / m);
    z += ldexp(m * hll_tau(1 - (double)s->tops / m), -q);
    return m * m / (2 * 0.69314718055994531) / z;
}

double bp_hll_variance(double x)
{
    (void)x;
    return 1.0794415;
}

void bp_hll_dense_range(unsigned precision, double confidence, bp_estimate *e)
{
    const double m = ldexp(1, (int)precision);
    const double z = bp_normal_two_sided(confidence);
    const double s = sqrt(bp_hll_variance(e->value / m) / m);
    e->lower = e->value * exp(-z * s);
    e->upper = e->value * exp(z * s);
}

void bp_hll_from_tokens(size_t tokens, double confidence, bp_estimate *e)
{
    (void)confidence;
    e->value = e->lower = e->upper = (double)tokens;
}
