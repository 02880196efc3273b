/* SPDX-License-Identifier: MIT
 * hll_test.c - HyperLogLog's own laws and cases. */
#include "suite.h"

#include "sketches/hll/hll_state.h"

#include "keys.h"

static void counts_few_keys_exactly(void **state)
{
    (void)state;
    bp_hll *s;
    assert_int_equal(bp_hll_new(&s, NULL, NULL), BP_OK);
    for (uint64_t i = 0; i < 100; i++)
        assert_int_equal(bp_hll_add(s, &i, sizeof i), BP_OK);
    bp_estimate e;
    assert_int_equal(bp_hll_estimate(s, 0.95, &e, NULL), BP_OK);
    assert_true(e.value == 100);
    bp_hll_free(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(counts_few_keys_exactly),
};

static const bp_hll_config default_config = {.precision = 14};
static const bp_hll_config small_config = {.precision = 4};
static const bp_hll_config dense_config = {.precision = 10, .dense = true};
static const bp_hll_config concurrent_config = {.precision = 12, .concurrent = true};
static const bp_hll_config keyed_config = {
    .precision = 8,
    .hash = {BP_HASH_SIPHASH24,
             0,
             0,
             {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}},
};

static const bp_sample samples[] = {
    {"precision_14", &default_config, {1, 5, 300, 3072, 3100, 20000}},
    {"precision_4", &small_config, {1, 128, 129, 1000}},
    {"dense", &dense_config, {1, 100, 5000}},
    {"concurrent", &concurrent_config, {1, 100, 20000}},
    {"keyed", &keyed_config, {3, 129}},
};

const bp_suite bp_suite_hll = {
    .name = "hll",
    .tests = tests,
    .test_count = sizeof tests / sizeof *tests,
    .samples = samples,
    .sample_count = sizeof samples / sizeof *samples,
};
