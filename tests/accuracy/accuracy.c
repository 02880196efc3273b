/* SPDX-License-Identifier: MIT
 * accuracy.c - tail probabilities for the hypothesis tests of the sketches. */
#include "accuracy.h"

#include <math.h>

/* The continued fraction of the incomplete beta function (Abramowitz and Stegun
 * 26.5.8), by Lentz's method. Converges fast for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double f = d;
    for (int i = 1; i < 20000; i++) {
        const double m = i;
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 + even * d;
        c = 1 + even / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        f *= d * c;
        d = 1 + odd * d;
        c = 1 + odd / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        f *= d * c;
        if (fabs(d * c - 1) < 1e-15)
            break;
    }
    return f;
}

/* I_x(a, b), the regularised incomplete beta function. */
static double beta_regularised(double a, double b, double x)
{
    if (x <= 0)
        return 0;
    if (x >= 1)
        return 1;
    const double front =
        exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double bp_binomial_upper(uint64_t k, uint64_t n, double p)
{
    if (k == 0)
        return 1;
    return k > n ? 0 : beta_regularised((double)k, (double)(n - k) + 1, p);
}

double bp_binomial_lower(uint64_t k, uint64_t n, double p)
{
    if (k >= n)
        return 1;
    return beta_regularised((double)(n - k), (double)k + 1, 1 - p);
}

bool bp_rate_at_most(uint64_t k, uint64_t n, double bound, double alpha)
{
    return bp_binomial_upper(k, n, bound) >= alpha;
}

bool bp_rate_at_least(uint64_t k, uint64_t n, double bound, double alpha)
{
    return bp_binomial_lower(k, n, bound) >= alpha;
}

/* Bisection: both quantiles are wanted a few times a suite, exactness matters more. */
double bp_normal_upper(double alpha)
{
    double low = -40, high = 40;
    for (int i = 0; i < 100; i++) {
        const double mid = (low + high) / 2;
        if (0.5 * erfc(mid / sqrt(2.0)) > alpha)
            low = mid;
        else
            high = mid;
    }
    return (low + high) / 2;
}

/* Q(a, x), the upper regularised incomplete gamma function: series below a + 1,
 * continued fraction above (Abramowitz and Stegun 6.5.29, 6.5.31). */
static double gamma_upper(double a, double x)
{
    if (x <= 0)
        return 1;
    const double front = exp(a * log(x) - x - lgamma(a));
    if (x < a + 1) {
        double term = 1 / a, sum = term;
        for (double n = a + 1; term > sum * 1e-16; n++) {
            term *= x / n;
            sum += term;
        }
        return 1 - front * sum;
    }
    double b = x + 1 - a, c = 1e300, d = 1 / b, f = d;
    for (int i = 1; i < 100000; i++) {
        const double an = -i * (i - a);
        b += 2;
        d = 1 / (an * d + b);
        c = b + an / c;
        f *= d * c;
        if (fabs(d * c - 1) < 1e-15)
            break;
    }
    return front * f;
}

double bp_chi_square_upper(double df, double alpha)
{
    double low = 0, high = df + 100 * sqrt(2 * df) + 2000;
    for (int i = 0; i < 200 && high - low > 1e-12 * high; i++) {
        const double mid = (low + high) / 2;
        if (gamma_upper(df / 2, mid / 2) > alpha)
            low = mid;
        else
            high = mid;
    }
    return (low + high) / 2;
}

void bp_errors_add(bp_errors *e, double error)
{
    e->n++;
    e->sum += error;
    e->squares += error * error;
}

double bp_errors_mean(const bp_errors *e)
{
    return e->n ? e->sum / (double)e->n : 0;
}

double bp_errors_rmse(const bp_errors *e)
{
    return e->n ? sqrt(e->squares / (double)e->n) : 0;
}

bool bp_bias_at_most(const bp_errors *e, double bias, double alpha)
{
    const double mean = bp_errors_mean(e), rmse = bp_errors_rmse(e);
    const double sd = sqrt(fmax(0, rmse * rmse - mean * mean));
    return fabs(mean) <= bias + bp_normal_upper(alpha / 2) * sd / sqrt((double)e->n);
}

bool bp_rmse_at_most(const bp_errors *e, double bound, double alpha)
{
    const double n = (double)e->n;
    return bp_errors_rmse(e) <= bound * sqrt(bp_chi_square_upper(n, alpha) / n);
}

bool bp_uniform_ok(const uint64_t *counts, uint64_t n, double alpha)
{
    double total = 0, sum = 0;
    for (uint64_t i = 0; i < n; i++)
        total += (double)counts[i];
    const double expected = total / (double)n;
    for (uint64_t i = 0; i < n; i++) {
        const double d = (double)counts[i] - expected;
        sum += d * d / expected;
    }
    return sum <= bp_chi_square_upper((double)n - 1, alpha);
}
