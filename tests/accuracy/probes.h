/* SPDX-License-Identifier: MIT
 * probes.h - how often filters that mark k of m cells a key answer yes to strangers. */
#ifndef BP_TESTS_PROBES_H
#define BP_TESTS_PROBES_H

#include <stdbool.h>
#include <stdint.h>

/* Variance of the fraction of m cells used with n keys in, t = kn/m: the occupancy
 * problem. */
double bp_fill_variance(double m, double t);

/* Yes answers expected of `asked` strangers to each of `filters` filters with n keys, and
 * their variance. The published (1 - e^(-kn/m))^k is the rate at the expected fill; the
 * mean over filters is larger by the spread of the fill (k(k-1)/2 times its relative
 * variance) and by (1 - 1/m)^(kn) being a little less than e^(-kn/m): 1 % at 100 items,
 * nothing at 100,000. */
double bp_expected_yes(uint64_t cells, uint32_t hashes, double n, double asked,
                       double filters, double *variance);

/* Were `yes` answers neither too many nor too few, at the alarm rate? The normal bound,
 * widened for the skew of small counts (Bernstein). */
bool bp_yes_is_credible(double yes, double mean, double variance, double alarm);

#endif
