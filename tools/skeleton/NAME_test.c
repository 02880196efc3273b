/* SPDX-License-Identifier: MIT
 * @NAME@_test.c - what is true of @NAME@ alone; the laws run by themselves. */
#include "suite.h"

#include "keys.h"

#include <ballpark/@NAME@.h>

static void an_empty_one_counts_nothing(void **state)
{
    (void)state;
    bp_@NAME@ *s = NULL;
    bp_estimate e;
    assert_int_equal(bp_@NAME@_new(&s, NULL, NULL), BP_OK);
    assert_int_equal(bp_@NAME@_estimate(s, 0.95, &e, NULL), BP_OK);
    assert_true(e.value == 0 && e.lower == 0 && e.upper == 0);
    bp_@NAME@_free(s);
}

static void the_bounds_hold_a_thousand_keys(void **state)
{
    (void)state;
    bp_@NAME@ *s = NULL;
    bp_estimate e;
    uint8_t key[8];
    assert_int_equal(bp_@NAME@_new(&s, NULL, NULL), BP_OK);
    for (uint64_t i = 0; i < 1000; i++) {
        bp_test_key(i, key);
        bp_@NAME@_add(s, key, sizeof key);
        assert_false(bp_@NAME@_add(s, key, sizeof key));
    }
    assert_int_equal(bp_@NAME@_estimate(s, 0.999999, &e, NULL), BP_OK);
    assert_true(e.lower <= 1000 && 1000 <= e.upper);
    bp_@NAME@_free(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_empty_one_counts_nothing),
    cmocka_unit_test(the_bounds_hold_a_thousand_keys),
};

static const bp_@NAME@_config plain = {.bits = 0};
static const bp_@NAME@_config smallest = {.bits = 64};
static const bp_sample samples[] = {
    {"plain", &plain, {1, 1000, 20000}},
    {"smallest", &smallest, {1, 40, 1000}},
};

const bp_suite bp_suite_@NAME@ = {
    .name = "@NAME@",
    .tests = tests,
    .test_count = sizeof tests / sizeof *tests,
    .samples = samples,
    .sample_count = sizeof samples / sizeof *samples,
};
