/* SPDX-License-Identifier: MIT
 * hll_bytes_test.c - HyperLogLog in memory and in bytes: small, whole when memory runs
 * out, safe on bytes that lie. */
#include "sketches/hll/hll_test.h"

#include "core/rng.h"
#include "keys.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------------- memory */

void a_sketch_of_5_keys_takes_under_300_bytes(void **state)
{
    (void)state;
    bp_test_alloc counter = {0};
    const bp_hll_config cfg = {.alloc = bp_test_allocator(&counter)};
    bp_hll *s;
    assert_int_equal(bp_hll_new(&s, &cfg, NULL), BP_OK);
    add(s, 0, 5);
    assert_true(counter.live < 300);
    add(s, 0, 1000);
    assert_true(counter.live < 4000 * 5 / 4 + 300);
    add(s, 0, 100000);
    assert_true(counter.live < 12288 + 300);
    assert_true(counter.peak < 3 * 12288 + 1000);
    bp_hll_free(s);
    bp_test_alloc_done(&counter);
}

/* Every request fails once, on the way from nothing to dense: the sketch is what it was
 * and goes on when there is memory again. */
void without_memory_nothing_is_lost(void **state)
{
    (void)state;
    bp_test_alloc counter = {0};
    const bp_hll_config cfg = {.alloc = bp_test_allocator(&counter), .precision = 10};
    bp_hll *s, *want = make(10, false);
    assert_int_equal(bp_hll_new(&s, &cfg, NULL), BP_OK);
    unsigned failures = 0;
    for (uint64_t i = 0; i < 400; i++) {
        uint8_t key[8];
        bp_test_key(i, key);
        bp_test_fail(&counter, 1, true);
        const bp_status st = bp_hll_add(s, key, 8);
        bp_test_fail(&counter, 0, false);
        if (st) {
            assert_int_equal(st, BP_NOMEM);
            failures++;
            expect_same(s, want);
            assert_int_equal(bp_hll_add(s, key, 8), BP_OK);
        }
        add(want, i, 1);
        expect_same(s, want);
    }
    assert_true(failures > 5);
    bp_hll_free(s);
    bp_hll_free(want);
    bp_test_alloc_done(&counter);
}

void merging_and_folding_without_memory_change_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) { /* to a larger run; to dense; folded to dense */
        bp_test_alloc counter = {0};
        const bp_hll_config cfg = {.alloc = bp_test_allocator(&counter), .precision = 12};
        bp_hll *s, *other = make(12, false);
        assert_int_equal(bp_hll_new(&s, &cfg, NULL), BP_OK);
        add(s, 0, i == 2 ? 500 : 300);
        add(other, 200, i == 1 ? 700 : 300);
        bp_buf before = bytes_of(s);
        bp_test_fail(&counter, 1, true);
        const bp_status st =
            i == 2 ? bp_hll_fold(s, 11, NULL) : bp_hll_merge(s, other, NULL);
        bp_test_fail(&counter, 0, false);
        assert_int_equal(st, BP_NOMEM);
        bp_buf after = bytes_of(s);
        assert_true(bp_buf_equal(before, after));
        assert_int_equal(i == 2 ? bp_hll_fold(s, 11, NULL) : bp_hll_merge(s, other, NULL),
                         BP_OK);
        assert_int_equal(form_of(s), i ? BP_HLL_DENSE : BP_HLL_SPARSE);
        bp_buf_free(&before);
        bp_buf_free(&after);
        bp_hll_free(s);
        bp_hll_free(other);
        bp_test_alloc_done(&counter);
    }
}

static void *never(void *ctx, void *p, size_t old_size, size_t new_size)
{
    (void)p;
    (void)old_size;
    if (new_size)
        ++*(unsigned *)ctx;
    return NULL;
}

void a_placed_sketch_grows_in_the_callers_memory_alone(void **state)
{
    (void)state;
    for (unsigned p = 4; p <= 14; p += 5) {
        unsigned asked = 0;
        const bp_hll_config cfg = {.alloc = {never, &asked}, .precision = p};
        const size_t room = bp_hll_footprint(&cfg);
        uint8_t *mem = (uint8_t *)malloc(room + 1);
        bp_hll *s, *want = make(p, false), *other = make(p, false);
        assert_non_null(mem);
        assert_int_equal(bp_hll_place(&s, mem + 1, room, &cfg, NULL), BP_OK);
        for (size_t n = 0; n < 2 * bp_hll_tokens_max(p); n += 50) {
            add(s, n, 50);
            add(want, n, 50);
            expect_same(s, want);
        }
        bp_hll_reset(s);
        bp_hll_reset(want);
        expect_same(s, want);
        add(other, 0, 100);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(bp_hll_merge(s, other, NULL), BP_OK);
            assert_int_equal(bp_hll_merge(want, other, NULL), BP_OK);
            expect_same(s, want);
            add(other, 100, 5000);
        }
        assert_int_equal(bp_hll_fold(s, 4, NULL), BP_OK);
        assert_int_equal(asked, 0);
        bp_hll_free(s);
        bp_hll_free(want);
        bp_hll_free(other);
        free(mem);
    }
}

/* ----------------------------------------------------------------------------- bytes */

void views_of_both_forms_answer_as_the_sketch_does(void **state)
{
    (void)state;
    const size_t fills[] = {0, 5, 3000, 50000};
    for (int i = 0; i < 4; i++) {
        bp_hll *s = make(14, false), *clone, *into = make(14, false);
        const bp_hll *view;
        add(s, 0, fills[i]);
        bp_buf b = bytes_of(s);
        assert_int_equal(bp_hll_view(&view, b.p, b.n, NULL, NULL), BP_OK);
        assert_true(value_of(view) == value_of(s));
        expect_same(view, s);
        assert_int_equal(bp_hll_clone(&clone, view, NULL), BP_OK);
        assert_int_equal(bp_hll_merge(into, view, NULL), BP_OK);
        expect_same(into, s);
        bp_hll_free(view);
        bp_buf_free(&b);
        add(clone, 1000, 60000);
        add(s, 1000, 60000);
        expect_same(clone, s);
        bp_hll_free(s);
        bp_hll_free(clone);
        bp_hll_free(into);
    }
}

/* Whatever the payload: answers, and nothing of it gets into another sketch. The bytes
 * end where the memory does, for the sanitizers. */
void unverified_garbage_is_safe_and_stays_where_it_is(void **state)
{
    (void)state;
    uint64_t rng = 5;
    for (int i = 0; i < 60; i++) {
        bp_hll *s = make(i % 2 ? 9 : 12, false), *clone = NULL, *into;
        add(s, 0, i % 3 ? 5 + (size_t)i : 5000);
        bp_buf b = bytes_of(s);
        const size_t end = b.n - 8; /* of the payload */
        for (size_t at = 128; at < end; at++)
            b.p[at] = (uint8_t)(i % 5 ? bp_rng_next(&rng) : 0xFF);
        const bp_hll *view;
        bp_detail why;
        assert_int_equal(bp_hll_view(&view, b.p, b.n, NULL, NULL), BP_OK);
        bp_estimate e;
        bp_description d;
        assert_int_equal(bp_hll_estimate(view, 0.95, &e, NULL), BP_OK);
        bp_hll_describe(view, &d);
        bp_buf again = bytes_of(view);
        bp_buf_free(&again);
        into = make(i % 2 ? 9 : 12, i % 7 == 0);
        add(into, 0, 10);
        bp_buf before = bytes_of(into);
        assert_int_equal(bp_hll_merge(into, view, &why), BP_CORRUPT);
        bp_buf after = bytes_of(into);
        assert_true(bp_buf_equal(before, after));
        assert_int_equal(bp_hll_clone(&clone, view, NULL), BP_CORRUPT);
        assert_null(clone);
        bp_hll_free(view);
        const bp_open verify = {.flags = BP_OPEN_VERIFY};
        assert_int_equal(bp_hll_view(&view, b.p, b.n, &verify, NULL), BP_CORRUPT);
        bp_buf_free(&b);
        bp_buf_free(&before);
        bp_buf_free(&after);
        bp_hll_free(s);
        bp_hll_free(into);
    }
}

typedef struct damage {
    size_t at;
    uint8_t value;
    size_t reported; /* the offset it is reported at */
} damage;

static void expect_refused(const bp_hll *s, const damage *d, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bp_hll *decoded;
        bp_detail why;
        bp_buf b = bytes_of(s);
        b.p[d[i].at] = d[i].value;
        bp_repair(b.p, b.n);
        assert_int_equal(bp_hll_decode(&decoded, b.p, b.n, NULL, &why), BP_CORRUPT);
        assert_null(decoded);
        assert_int_equal(why.at, d[i].reported);
        bp_buf_free(&b);
    }
}

void bytes_that_no_sketch_writes_are_refused(void **state)
{
    (void)state;
    static const damage sparse[] = {
        {56, 3, 56},    {56, 19, 56},   {57, 1, 57},      {57, 2, 57},
        {58, 1, 58},    {58, 2, 58},    {59, 1, 59},      {60, 1, 60},
        {63, 0x80, 60}, {128, 39, 128}, {131, 0xFF, 132}, {136, 63, 136},
    };
    static const damage dense[] = {
        {56, 9, 57},
        {58, 2, 58},
        {128, 63, 128},
        {895, 0xFF, 895},
    };
    bp_hll *s = make(10, false);
    add(s, 0, 3);
    expect_refused(s, sparse, sizeof sparse / sizeof *sparse);
    add(s, 0, 200);
    expect_refused(s, dense, sizeof dense / sizeof *dense);
    bp_hll_free(s);
}

/* What FORMAT.md promises to later versions. */
void a_history_flag_of_a_later_version_is_read_past(void **state)
{
    (void)state;
    bp_hll *s = make(10, false), *decoded, *none;
    add(s, 0, 1000);
    bp_buf b = bytes_of(s);
    b.p[18] = 1;  /* optional flag 16 */
    b.p[32] = 16; /* so that eight bytes follow the parameters */
    b.p[68] = 77;
    bp_repair(b.p, b.n);
    assert_int_equal(bp_hll_decode(&decoded, b.p, b.n, NULL, NULL), BP_OK);
    expect_same(decoded, s);
    b.p[12] = 1; /* required flag 0: a payload that is not understood */
    bp_repair(b.p, b.n);
    assert_int_equal(bp_hll_decode(&none, b.p, b.n, NULL, NULL), BP_VERSION);
    bp_buf_free(&b);
    bp_hll_free(s);
    bp_hll_free(decoded);
}

void without_its_key_a_sketch_estimates_and_merges_but_takes_no_keys(void **state)
{
    (void)state;
    const bp_hll_config cfg = {.hash = {BP_HASH_SIPHASH24, 0, 0, {1, 2, 3}}};
    bp_hll *s, *keyless;
    assert_int_equal(bp_hll_new(&s, &cfg, NULL), BP_OK);
    add(s, 0, 70);
    bp_buf b = bytes_of(s);
    const bp_open how = {.flags = BP_OPEN_KEYLESS};
    assert_int_equal(bp_hll_decode(&keyless, b.p, b.n, &how, NULL), BP_OK);
    assert_true(value_of(keyless) == 70);
    assert_int_equal(bp_hll_add(keyless, "a", 1), BP_UNSUPPORTED);
    const bp_bytes key = {"a", 1};
    assert_int_equal(bp_hll_add_n(keyless, &key, 1), BP_UNSUPPORTED);
    add(s, 70, 5);
    assert_int_equal(bp_hll_merge(keyless, s, NULL), BP_OK);
    expect_same(keyless, s);
    bp_buf_free(&b);
    bp_hll_free(s);
    bp_hll_free(keyless);
}
