/* SPDX-License-Identifier: MIT
 * top_k_bytes_test.c - top-k's encoded bytes: what is refused, what is kept. */
#include "compound/top_k/top_k_test.h"

#include "keys.h"
#include "vectors/vectors.h"

#include <stdlib.h>

/* Where the payload begins: the header of 16 bytes of parameters. */
enum { AT = 128 };

static void expect_refused(bp_buf whole, size_t at, uint8_t value, const char *what)
{
    bp_buf b = bp_buf_copy(whole.p, whole.n);
    bp_top_k *s;
    bp_detail why = {BP_OK, "", 0, 0, 0};
    b.p[at] = value;
    bp_repair(b.p, b.n);
    if (bp_top_k_decode(&s, b.p, b.n, NULL, &why) != BP_CORRUPT)
        fail_msg("%s: not refused", what);
    assert_null(s);
    assert_string_equal(why.what, what);
    assert_in_range(why.at, 56, b.n);
    bp_buf_free(&b);
}

static bp_buf with_keys(bp_top_k_config cfg, size_t n)
{
    bp_top_k *s = top_k_make(cfg);
    assert_int_equal(bp_add_range((bp_any *)s, 0, n), BP_OK);
    bp_buf b = top_k_bytes(s);
    bp_top_k_free(s);
    return b;
}

/* Three rows of 20 bytes: count, length, key. */
void a_list_that_no_sketch_writes_is_refused(void **state)
{
    (void)state;
    bp_buf b = with_keys((bp_top_k_config){.memory = 256}, 3);
    assert_int_equal(b.n, AT + 64 + 8);
    expect_refused(b, 56 + 8, 0, "k, depth or memory out of range");
    expect_refused(b, 56 + 12, 33, "k, depth or memory out of range");
    expect_refused(b, 56 + 13, 2, "a mode that there is not");
    expect_refused(b, 56 + 14, 1, "a mode that there is not");
    expect_refused(b, 56 + 13, 1, "too short for a table");
    expect_refused(b, AT, 0, "a key that never came");
    expect_refused(b, AT + 8, 9, "a key is longer than what is left");
    expect_refused(b, AT + 40 + 8, 9, "a key is longer than what is left");
    expect_refused(b, AT + 40 + 11, 0x80, "a key is longer than what is left");
    expect_refused(b, AT + 40 + 8, 1, "a row is cut short");
    expect_refused(b, AT + 12, 0xff, "keys are not in order");
    bp_buf_free(&b);
    b = with_keys((bp_top_k_config){.memory = 512}, 20);
    expect_refused(b, 56 + 1, 1, "a list longer than its limit"); /* 256 bytes */
    bp_buf_free(&b);
}

void a_table_that_no_sketch_writes_is_refused(void **state)
{
    (void)state;
    const bp_top_k_config cfg = {.k = 3, .depth = 1, .memory = 256};
    bp_buf b = with_keys(cfg, 100);
    const size_t table = (size_t)bp_load64(b.p + AT);
    const size_t first = AT + 64 + table;
    const uint8_t n = b.p[AT + 16];
    assert_int_equal(n, 16);
    expect_refused(b, AT + 24, 1, "reserved bytes are not zero");
    expect_refused(b, AT + 7, 1, "the table is longer than what is left");
    expect_refused(b, AT + 8, 1, "the table holds more than was counted in it");
    expect_refused(b, AT + 16, 15, "not as many candidates as stated");
    expect_refused(b, first, 0, "a candidate that never came");
    expect_refused(b, first + 15, 0x7f, "the table never said so much");
    expect_refused(b, first + 16, 200, "keys are not in order");
    expect_refused(b, first + 19, 0x80, "a candidate is cut short");
    expect_refused(b, first + 20, 0xff, "keys are not in order");
    expect_refused(b, 56 + 12, 2, "the table is not of the size stated");
    expect_refused(b, 56, 8, "the table is not of the size stated"); /* 264 bytes */
    bp_buf_free(&b);
    b = with_keys((bp_top_k_config){.k = 9, .depth = 1, .memory = 256}, 100);
    assert_int_equal(b.p[AT + 16], 18);
    expect_refused(b, 56 + 8, 8, "more candidates than are kept");
    bp_buf_free(&b);
}

/* The nested table is one that count_min accepts, but not this sketch's. */
static void another_table_is_refused(bp_count_min_config other, const char *what)
{
    const bp_top_k_config cfg = {.k = 3, .depth = 1, .memory = 256};
    bp_buf b = with_keys(cfg, 100);
    bp_count_min *counts;
    assert_int_equal(bp_count_min_new(&counts, &other, NULL), BP_OK);
    bp_buf nested = bp_encoded((const bp_any *)counts);
    assert_int_equal(nested.n, bp_load64(b.p + AT));
    memcpy(b.p + AT + 64, nested.p, nested.n);
    bp_repair(b.p, b.n);
    bp_top_k *s;
    bp_detail why = {BP_OK, "", 0, 0, 0};
    assert_int_equal(bp_top_k_decode(&s, b.p, b.n, NULL, &why), BP_CORRUPT);
    assert_string_equal(why.what, what);
    bp_count_min_free(counts);
    bp_buf_free(&nested);
    bp_buf_free(&b);
}

static void continue_alike(bp_top_k_config cfg, size_t before, size_t after)
{
    bp_top_k *a = top_k_make(cfg), *b;
    assert_int_equal(bp_add_range((bp_any *)a, 0, before), BP_OK);
    bp_buf bytes = top_k_bytes(a);
    assert_int_equal(bp_top_k_decode(&b, bytes.p, bytes.n, NULL, NULL), BP_OK);
    uint64_t rng = before;
    for (size_t i = 0; i < after; i++) {
        const uint64_t key = bp_rng_next(&rng) % 300, by = bp_rng_next(&rng) % 5;
        top_k_add_u64(a, key, by);
        top_k_add_u64(b, key, by);
        if (i == after / 2)
            assert_int_equal(bp_top_k_settle(b, NULL), BP_OK);
    }
    top_k_same(a, b);
    bp_top_k_free(a);
    bp_top_k_free(b);
    bp_buf_free(&bytes);
}

void a_decoded_sketch_goes_on_as_the_original_does(void **state)
{
    (void)state;
    another_table_is_refused(
        (bp_count_min_config){.width = 32, .depth = 1, .counter_bits = 64},
        "the table is of another sort");
    another_table_is_refused(
        (bp_count_min_config){
            .width = 64, .depth = 1, .counter_bits = 32, .conservative = true},
        "the table is not of the size stated");
    another_table_is_refused((bp_count_min_config){.hash = {.seed = 1},
                                                   .width = 32,
                                                   .depth = 1,
                                                   .counter_bits = 64,
                                                   .conservative = true},
                             "the table is of another sort");
    static const size_t befores[] = {0, 3, 12, 13, 40, 200, 1000};
    for (size_t i = 0; i < sizeof befores / sizeof *befores; i++) {
        continue_alike((bp_top_k_config){.k = 3, .memory = 256}, befores[i], 2000);
        continue_alike((bp_top_k_config){.k = 20, .memory = 4096}, befores[i], 2000);
    }
}

/* While it is a list, and after it has become a table by the same last key. */
void the_bytes_of_a_list_do_not_depend_on_the_order_of_adds(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 204; n++) {
        bp_top_k *a = top_k_make((bp_top_k_config){.k = 4, .memory = 4096});
        bp_top_k *b = top_k_make((bp_top_k_config){.k = 4, .memory = 4096});
        for (uint64_t i = 0; i < n; i++) {
            top_k_add_u64(a, i, i % 7 + 1);
            top_k_add_u64(b, n - 1 - i, (n - 1 - i) % 7 + 1);
            if (i == n / 2)
                assert_int_equal(bp_top_k_settle(b, NULL), BP_OK);
        }
        top_k_same(a, b);
        assert_true(bp_top_k_is_exact(a));
        if (n == 204) {
            top_k_add_u64(a, 1000, 1);
            top_k_add_u64(b, 1000, 1);
            assert_false(bp_top_k_is_exact(a));
            top_k_same(a, b);
        }
        bp_top_k_free(a);
        bp_top_k_free(b);
    }
}

static bp_top_k *reopened(const bp_top_k *s, const bp_open *how)
{
    bp_buf b = top_k_bytes(s);
    bp_top_k *copy;
    assert_int_equal(bp_top_k_decode(&copy, b.p, b.n, how, NULL), BP_OK);
    bp_buf_free(&b);
    return copy;
}

/* Merging n and m keys without the secret gives the bytes that merging with it gives. */
static bp_status merged_without_key(size_t n, size_t m)
{
    static const bp_open keyless = {.flags = BP_OPEN_KEYLESS};
    const bp_top_k_config cfg = {
        .hash = {.id = BP_HASH_SIPHASH24, .key = {7}}, .k = 3, .memory = 512};
    bp_top_k *a = top_k_make(cfg), *b = top_k_make(cfg);
    assert_int_equal(bp_add_range((bp_any *)a, 0, n), BP_OK);
    assert_int_equal(bp_add_range((bp_any *)b, n / 2, m), BP_OK);
    bp_top_k *x = reopened(a, &keyless), *y = reopened(b, &keyless);
    bp_detail why;
    bp_top_k_item item;
    bp_top_k_cursor c;
    assert_int_equal(bp_top_k_add(x, "a", 1, 1), BP_UNSUPPORTED);
    assert_int_equal(bp_any_add_n((bp_any *)x, &(bp_bytes){"a", 1}, 1, NULL),
                     BP_UNSUPPORTED);
    assert_int_equal(bp_top_k_bounds(x, "a", 1, 0.5, &item, NULL), BP_UNSUPPORTED);
    assert_int_equal(bp_top_k_top(x, 0, 0.5, &c, NULL), BP_OK);
    assert_true(bp_top_k_next(x, &c, &item));
    top_k_same(a, x);
    bp_status st = bp_top_k_merge(x, y, &why);
    if (!st) {
        assert_int_equal(bp_top_k_merge(a, b, NULL), BP_OK);
        top_k_same(a, x);
    } else
        top_k_same(a, x); /* unchanged */
    bp_top_k_free(a);
    bp_top_k_free(b);
    bp_top_k_free(x);
    bp_top_k_free(y);
    return st;
}

void keyed_sketches_merge_without_their_key(void **state)
{
    (void)state;
    assert_int_equal(merged_without_key(5, 5), BP_OK);
    assert_int_equal(merged_without_key(10, 300), BP_OK);
    assert_int_equal(merged_without_key(300, 10), BP_OK);
    assert_int_equal(merged_without_key(300, 300), BP_OK);
    /* two lists that no longer fit: there is no table yet, and none can be made */
    assert_int_equal(merged_without_key(16, 16), BP_UNSUPPORTED);
}

static void configure(const json_t *config, void *cfg)
{
    bp_top_k_config *c = (bp_top_k_config *)cfg;
    c->k = (uint32_t)bp_json_whole_or(config, "k", 0);
    c->depth = (uint32_t)bp_json_whole_or(config, "depth", 0);
    c->memory = bp_json_whole_or(config, "memory", 0);
}

void positions_and_bytes_are_those_of_the_vectors(void **state)
{
    (void)state;
    bp_vectors_check("top_k", configure, NULL);
}
