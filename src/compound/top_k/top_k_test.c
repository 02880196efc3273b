/* SPDX-License-Identifier: MIT
 * top_k_test.c - exactness, certain bounds, recall, and bytes of top-k. */
#include "suite.h"

#include <ballpark/top_k.h>

#include <string.h>

static void add_text(bp_top_k *s, const char *text, uint64_t by)
{
    assert_int_equal(bp_top_k_add(s, text, strlen(text), by), BP_OK);
}

static void a_short_stream_is_listed_exactly(void **state)
{
    (void)state;
    static const char *const words[] = {"to", "be", "or", "not", "to", "be", ""};
    bp_top_k *s;
    assert_int_equal(bp_top_k_new(&s, NULL, NULL), BP_OK);
    for (size_t i = 0; i < 7; i++)
        add_text(s, words[i], 1);
    static const struct {
        const char *key;
        uint64_t count;
    } want[] = {{"be", 2}, {"to", 2}, {"", 1}, {"not", 1}, {"or", 1}};
    bp_top_k_cursor c;
    bp_top_k_item item;
    assert_int_equal(bp_top_k_top(s, 0, 0.95, &c, NULL), BP_OK);
    for (size_t i = 0; i < 5; i++) {
        assert_true(bp_top_k_next(s, &c, &item));
        assert_int_equal(item.key.len, strlen(want[i].key));
        assert_memory_equal(item.key.ptr, want[i].key, item.key.len);
        assert_true(item.count == want[i].count && item.lower == item.count &&
                    item.upper == item.count);
    }
    assert_false(bp_top_k_next(s, &c, &item));
    assert_true(bp_top_k_is_exact(s));
    assert_true(bp_top_k_total(s) == 7);
    bp_top_k_free(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_short_stream_is_listed_exactly),
};

/* 8-byte keys: a row of the list takes 20 bytes (28 keyed). */
static const bp_top_k_config exact = {.k = 5};
static const bp_top_k_config tiny = {.k = 3, .depth = 3, .memory = 256};
static const bp_top_k_config middle = {.k = 40, .depth = 4, .memory = 4096};
static const bp_top_k_config keyed = {
    .hash = {.id = BP_HASH_SIPHASH24, .key = {1, 2, 3}}, .k = 2, .memory = 512};

static const bp_sample samples[] = {
    {"exact", &exact, {1, 5, 16, 17, 300, 0}},
    {"tiny", &tiny, {12, 13, 30, 500, 0}},
    {"middle", &middle, {204, 205, 3000, 0}},
    {"keyed", &keyed, {5, 18, 19, 400, 0}},
};

extern const bp_suite bp_suite_top_k;
const bp_suite bp_suite_top_k = {
    .name = "top_k",
    .tests = tests,
    .test_count = sizeof tests / sizeof *tests,
    .samples = samples,
    .sample_count = sizeof samples / sizeof *samples,
};
