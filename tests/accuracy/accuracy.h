/* SPDX-License-Identifier: MIT
 * accuracy.h - published bounds as hypothesis tests.
 *
 * The hypothesis is always "the sketch keeps its bound". A test rejects it only when
 * what was seen would happen, were the bound kept, with probability below alpha: the
 * false alarm rate, chosen before looking. A suite states one rate, at most
 * BP_ALARM_SUITE, and gives each of its n comparisons BP_ALARM_SUITE / n of it
 * (Bonferroni). With fixed seeds a passing suite passes for ever; the rate says how
 * likely a right implementation is to have been unlucky on its first day.
 *
 * A test must also be able to fail: each suite runs its own comparison against a
 * sabotaged estimator (3 % wrong) and expects it to be caught. */
#ifndef BP_TESTS_ACCURACY_H
#define BP_TESTS_ACCURACY_H

#include <stdbool.h>
#include <stdint.h>

#define BP_ALARM_SUITE 1e-6

/* P(X >= k) and P(X <= k) for X binomial (n, p): the regularised incomplete beta
 * function, good to 1e-9 relative. */
double bp_binomial_upper(uint64_t k, uint64_t n, double p);
double bp_binomial_lower(uint64_t k, uint64_t n, double p);

/* k of n trials happened: may the rate be at most / at least `bound`? (true: not
 * rejected at alpha.) */
bool bp_rate_at_most(uint64_t k, uint64_t n, double bound, double alpha);
bool bp_rate_at_least(uint64_t k, uint64_t n, double bound, double alpha);

/* z with P(N(0,1) > z) = alpha, and x with P(chi-square_df > x) = alpha. */
double bp_normal_upper(double alpha);
double bp_chi_square_upper(double df, double alpha);

/* Errors of n trials, relative or absolute: add each, then ask. */
typedef struct bp_errors {
    uint64_t n;
    double sum;
    double squares;
} bp_errors;
void bp_errors_add(bp_errors *e, double error);
double bp_errors_mean(const bp_errors *e);
double bp_errors_rmse(const bp_errors *e);

/* May the true mean lie inside [-bias, bias]? The mean of n trials strays from the true
 * one by z * rmse / sqrt(n). */
bool bp_bias_at_most(const bp_errors *e, double bias, double alpha);
/* May the true rmse be at most `bound`? For errors that are normal or lighter in the
 * tails n * rmse^2 / bound^2 is at most chi-square_n distributed. */
bool bp_rmse_at_most(const bp_errors *e, double bound, double alpha);

/* May the counts of n cells, expected to be equal, be uniform? Pearson's test; the
 * expected count should be at least 10. */
bool bp_uniform_ok(const uint64_t *counts, uint64_t n, double alpha);

#endif
