/* SPDX-License-Identifier: MIT
 * probes.c - the yes answers that are expected of filters of probes. */
#include "accuracy/probes.h"

#include "accuracy/accuracy.h"

#include <ballpark/bloom.h>

#include <math.h>

double bp_fill_variance(double m, double t)
{
    return exp(-t) * (1 - (1 + t) * exp(-t)) / m;
}

double bp_expected_yes(uint64_t cells, uint32_t hashes, double n, double asked,
                       double filters, double *variance)
{
    const double m = (double)cells, k = hashes, t = k * n / m;
    const double fill = bp_bloom_fill_at(cells, hashes, n);
    const double spread = bp_fill_variance(m, t) / (fill * fill);
    const double p = bp_bloom_fpr_at(cells, hashes, n) *
                     (1 + k * (k - 1) / 2 * spread + k * exp(-t) * t / (2 * m * fill));
    const double each = asked * p;
    *variance = filters * (each + each * each * k * k * spread);
    return filters * each;
}

bool bp_yes_is_credible(double yes, double mean, double variance, double alarm)
{
    const double z = bp_normal_upper(alarm / 2);
    return fabs(yes - mean) <= z * sqrt(variance) + z * z / 3;
}
