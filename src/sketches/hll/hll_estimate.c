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

/* By the delta method over registers that are independent but for n being known, the
 * relative variance of the estimate is V(n/m)/m with
 *     V(x) = Var(f) (x / alpha)^2 - 1/x,  f = sigma'(e^-x) if the register is 0, else
 * 2^-k: 1/2 where few registers are set, as in linear counting, and 3 ln 2 - 1 (1.04^2) -
 * 1/x where all are. The closed form between the two limits is within 0.7 % of the root
 * of that sum everywhere; hll_test.c computes the sum. */
double bp_hll_variance(double x)
{
    static const double most = 3 * 0.69314718055994531 - 1, least = 0.5, bend = 0.043;
    if (x <= 0)
        return least;
    return most + expm1(-x * (most - least + bend * x)) / x;
}

/* The n at which the estimate lies z standard errors off, on a logarithmic scale (the
 * estimate's logarithm is nearly normal even with 16 registers, the estimate is not).
 * The standard error is that at n itself, not at the estimate. */
static double hll_end(double value, double m, double z)
{
    double n = value, before = 0;
    for (int i = 0; i < 8 && fabs(n - before) > 1e-6 * n; i++) {
        before = n;
        n = value * exp(z * sqrt(bp_hll_variance(n / m) / m));
    }
    return n;
}

void bp_hll_dense_range(unsigned precision, double confidence, bp_estimate *e)
{
    const double m = ldexp(1, (int)precision);
    const double z = bp_normal_two_sided(confidence);
    if (!(e->value > 0) || isinf(e->value)) {
        e->lower = e->upper = e->value;
        return;
    }
    /* Outwards to whole numbers, which the truth is: where few keys are in, one of them
     * hidden by another moves the estimate by about 1. */
    e->lower = floor(hll_end(e->value, m, -z));
    e->upper = ceil(hll_end(e->value, m, z));
}

/* Two keys share a token with odds of 1 in 3 * 2^26 (equal in 26 bits, and in a
 * geometric number of zeros), so c tokens stand for c + c^2 / (6 * 2^26) keys: never
 * fewer than c for certain, and more by a number that is nearly Poisson. */
void bp_hll_from_tokens(size_t tokens, double confidence, bp_estimate *e)
{
    const double c = (double)tokens;
    const double hidden = c * c / (6.0 * (UINT64_C(1) << 26));
    double odds = exp(-hidden), sum = odds, more = 0;
    while (sum < confidence && more < c && odds > 0) {
        more += 1;
        odds *= hidden / more;
        sum += odds;
    }
    e->value = floor(c + hidden + 0.5);
    e->lower = c;
    e->upper = c + more > e->value ? c + more : e->value;
}
