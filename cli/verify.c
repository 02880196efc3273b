/* SPDX-License-Identifier: MIT
 * verify.c - when a promise counts as broken.
 *
 * An estimate's promise is its range at a confidence. A rate's is a binomial: of n trials
 * at the rate p or less, as many as x fail with probability at most
 * exp(-n KL(x/n || p)), by Chernoff's bound; the limit is where that falls below the
 * false alarm rate. The bound is above the truth, so false alarms are fewer than stated.
 */
#include "verify.h"

#include <math.h>

cli_trial cli_try_estimate(const char *what, bp_estimate e, double truth,
                           double standard_error)
{
    const double unit = truth > 0 ? truth : 1;
    const double below = e.value - e.lower, above = e.upper - e.value;
    const double room =
        e.value > truth || (e.value == truth && below > above) ? below : above;
    return (cli_trial){what, fabs(e.value - truth) / unit, standard_error, room / unit};
}

/* The relative entropy of a coin of rate x against one of rate p < x. */
static double divergence(double x, double p)
{
    return x * log(x / p) + (x < 1 ? (1 - x) * log((1 - x) / (1 - p)) : 0);
}

/* The least share that as many trials reach by chance too seldom. */
static double most(uint64_t n, double p)
{
    const double enough = -log(CLI_FALSE_ALARM) / (double)n;
    double low = p, high = 1;
    if (p <= 0 || n == 0)
        return 0;
    if (p >= 1 || divergence(1, p) < enough)
        return 1;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (divergence(middle, p) < enough)
            low = middle;
        else
            high = middle;
    }
    return high;
}

cli_trial cli_try_rate(const char *what, uint64_t bad, uint64_t n, double rate)
{
    return (cli_trial){what, n ? (double)bad / (double)n : 0, rate, most(n, rate)};
}
