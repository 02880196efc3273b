/* SPDX-License-Identifier: MIT
 * verify_test.c - that a promise can be broken, and is not too easily. */
#include "verify.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static bool estimate_is_kept(double value, double lower, double upper, double truth)
{
    const cli_trial t =
        cli_try_estimate("", (bp_estimate){value, lower, upper}, truth, 0.01);
    return cli_is_kept(&t);
}

static bool rate_is_kept(uint64_t bad, uint64_t n, double rate)
{
    const cli_trial t = cli_try_rate("", bad, n, rate);
    return cli_is_kept(&t);
}

static void an_estimate_is_broken_exactly_where_its_range_misses_the_truth(void **state)
{
    (void)state;
    for (int truth = 900; truth <= 1100; truth++)
        assert_int_equal(estimate_is_kept(1000, 960, 1050, truth),
                         truth >= 960 && truth <= 1050);
    assert_true(estimate_is_kept(0, 0, 0, 0));
    assert_false(estimate_is_kept(1, 1, 1, 0));
    assert_true(estimate_is_kept(7, 7, 9, 8));
    assert_false(estimate_is_kept(7, 7, 7, 8));
    assert_true(estimate_is_kept(7, 7, 7, 7));
}

static void the_error_is_relative_to_the_truth(void **state)
{
    (void)state;
    const cli_trial t = cli_try_estimate("", (bp_estimate){1010, 900, 1100}, 1000, 0.01);
    assert_true(fabs(t.measured - 0.01) < 1e-12);
    assert_true(fabs(t.limit - 0.11) < 1e-12);
}

static void what_never_happens_is_broken_by_one_case(void **state)
{
    (void)state;
    assert_true(rate_is_kept(0, 1000000, 0));
    assert_false(rate_is_kept(1, 1000000, 0));
    assert_true(rate_is_kept(0, 0, 0));
}

/* 1 % of a million: the standard deviation is 99.5. */
static void a_rate_is_broken_a_few_standard_deviations_above_it(void **state)
{
    (void)state;
    assert_true(rate_is_kept(0, 1000000, 0.01));
    assert_true(rate_is_kept(10000 + 426, 1000000, 0.01)); /* odds of 1 in 100,000 */
    assert_false(rate_is_kept(10000 + 500, 1000000, 0.01));
    assert_false(rate_is_kept(10300 + 200, 1000000, 0.01));
    assert_true(rate_is_kept(5, 5, 1));
    assert_true(rate_is_kept(2, 2, 0.5)); /* by chance, one time in four */
    assert_false(rate_is_kept(20, 20, 0.5));
}

/* The limit is never below the true quantile of the binomial: summed for small n. */
static void false_alarms_are_not_more_than_stated(void **state)
{
    (void)state;
    for (int n = 1; n <= 200; n++)
        for (double p = 0.001; p < 1; p += 0.083) {
            double term = pow(1 - p, n), alarm = 0;
            for (int x = 0; x <= n; x++) {
                if (!rate_is_kept((uint64_t)x, (uint64_t)n, p))
                    alarm += term;
                term *= p / (1 - p) * (n - x) / (x + 1);
            }
            assert_true(alarm <= CLI_FALSE_ALARM);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_estimate_is_broken_exactly_where_its_range_misses_the_truth),
        cmocka_unit_test(the_error_is_relative_to_the_truth),
        cmocka_unit_test(what_never_happens_is_broken_by_one_case),
        cmocka_unit_test(a_rate_is_broken_a_few_standard_deviations_above_it),
        cmocka_unit_test(false_alarms_are_not_more_than_stated),
    };
    return cmocka_run_group_tests_name("cli_verify", tests, NULL, NULL);
}
