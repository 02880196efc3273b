/* SPDX-License-Identifier: MIT
 * accuracy_test.c - the helpers against values from tables, and against simulation: they
 * accept what keeps the bound and catch what is 3 % off. */
#include "accuracy.h"
#include "suite.h"

#include "core/rng.h"

#include <math.h>

static void near_(double have, double want, double relative)
{
    if (!(fabs(have - want) <= relative * fabs(want)))
        fail_msg("%.17g is not %.17g", have, want);
}

static double choose(uint64_t n, uint64_t k)
{
    return exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
               lgamma((double)(n - k) + 1));
}

static void binomial_tails_equal_the_sum(void **state)
{
    (void)state;
    static const double p[] = {0.001, 0.01, 0.3, 0.5, 0.93};
    for (uint64_t n = 1; n <= 60; n += 7)
        for (int i = 0; i < 5; i++) {
            double upper = 0;
            for (uint64_t k = n; k > 0; k--) {
                upper +=
                    choose(n, k) * pow(p[i], (double)k) * pow(1 - p[i], (double)(n - k));
                near_(bp_binomial_upper(k, n, p[i]), upper, 1e-9);
                if (upper < 0.999)
                    near_(bp_binomial_lower(k - 1, n, p[i]), 1 - upper, 1e-7);
            }
        }
    assert_true(bp_binomial_upper(0, 10, 0.1) == 1);
    assert_true(bp_binomial_lower(10, 10, 0.1) == 1);
    assert_true(bp_binomial_upper(11, 10, 0.1) == 0);
}

static void quantiles_equal_the_tables(void **state)
{
    (void)state;
    near_(bp_normal_upper(0.025), 1.959963984540054, 1e-12);
    near_(bp_normal_upper(1e-6), 4.753424308822899, 1e-10);
    near_(bp_normal_upper(0.99), -2.3263478740408408, 1e-12);
    near_(bp_chi_square_upper(1, 0.05), 3.841458820694124, 1e-9);
    near_(bp_chi_square_upper(10, 0.01), 23.209251158954356, 1e-9);
    near_(bp_chi_square_upper(100, 0.001), 149.4492528, 1e-7);
    near_(bp_chi_square_upper(2, 1e-6), -2 * log(1e-6), 1e-9); /* exponential */
}

static double normal(uint64_t *rng)
{
    const double u = bp_rng_unit(rng) + 0x1p-54, v = bp_rng_unit(rng);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static void simulated_errors_within_the_bound_pass_and_worse_ones_do_not(void **state)
{
    (void)state;
    uint64_t rng = 1;
    bp_errors good = {0}, wide = {0}, shifted = {0};
    for (int i = 0; i < 40000; i++) {
        const double z = 0.01 * normal(&rng);
        bp_errors_add(&good, z);
        bp_errors_add(&wide, 1.05 * z);
        bp_errors_add(&shifted, 1.03 * (1 + z) - 1);
    }
    assert_true(bp_rmse_at_most(&good, 0.01, 1e-7));
    assert_false(bp_rmse_at_most(&wide, 0.01, 1e-7));
    assert_true(bp_bias_at_most(&good, 0, 1e-7));
    assert_false(bp_bias_at_most(&shifted, 0.0015, 1e-7));
    near_(bp_errors_rmse(&good), 0.01, 0.02);
}

static void rates_within_the_bound_pass_and_worse_ones_do_not(void **state)
{
    (void)state;
    uint64_t rng = 2, at = 0, above = 0;
    for (int i = 0; i < 1000000; i++) {
        const double u = bp_rng_unit(&rng);
        at += u < 0.01;
        above += u < 0.011;
    }
    assert_true(bp_rate_at_most(at, 1000000, 0.01, 1e-7));
    assert_false(bp_rate_at_most(above, 1000000, 0.01, 1e-7));
    assert_true(bp_rate_at_least(1000000 - at, 1000000, 0.99, 1e-7));
    assert_false(bp_rate_at_least(1000000 - above, 1000000, 0.99, 1e-7));
}

static void uniform_cells_pass_and_a_loaded_die_does_not(void **state)
{
    (void)state;
    uint64_t fair[6] = {0}, loaded[6] = {0}, rng = 3;
    for (int i = 0; i < 600000; i++) {
        const uint64_t face = bp_range(bp_rng_next(&rng), 6);
        fair[face]++;
        loaded[face == 0 && i % 33 == 0 ? 1 : face]++;
    }
    assert_true(bp_uniform_ok(fair, 6, 1e-7));
    assert_false(bp_uniform_ok(loaded, 6, 1e-7));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(binomial_tails_equal_the_sum),
    cmocka_unit_test(quantiles_equal_the_tables),
    cmocka_unit_test(simulated_errors_within_the_bound_pass_and_worse_ones_do_not),
    cmocka_unit_test(rates_within_the_bound_pass_and_worse_ones_do_not),
    cmocka_unit_test(uniform_cells_pass_and_a_loaded_die_does_not),
};

extern const bp_suite bp_suite_accuracy;
const bp_suite bp_suite_accuracy = {"accuracy", tests, sizeof tests / sizeof *tests, NULL,
                                    0};
