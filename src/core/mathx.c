/* SPDX-License-Identifier: MIT
 * mathx.c - the normal quantile, refined on erfc. */
#include "core/mathx.h"

#include <math.h>

/* Starts from the asymptotic tail (Abramowitz and Stegun 26.2.23, error < 4.5e-4) and
 * takes Newton steps on Q(z) = erfc(z / sqrt 2) / 2, which double the digits each. */
double bp_normal_two_sided(double confidence)
{
    const double q = (1.0 - confidence) / 2; /* the upper tail */
    const double t = sqrt(-2.0 * log(q > 1e-300 ? q : 1e-300));
    double z = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for (int i = 0; i < 3; i++) {
        const double tail = 0.5 * erfc(z * 0.70710678118654752);
        const double density = 0.39894228040143268 * exp(-0.5 * z * z);
        if (density <= 0)
            break;
        z += (tail - q) / density;
    }
    return z > 0 ? z : 0;
}

bp_status bp_check_confidence(double confidence, bp_detail *why)
{
    if (confidence > 0 && confidence < 1) /* false for NaN */
        return BP_OK;
    return bp_fail(why, BP_PARAM, "confidence must lie between 0 and 1, as 0.95", 0, 0);
}
