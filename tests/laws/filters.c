/* SPDX-License-Identifier: MIT
 * filters.c - the laws of filters: what is asked through bp_any, by keys, numbers and
 * hashes, as bitmaps; what taking out and counting promise where a kind offers them; and
 * feedback. Kinds that are no filters say so. */
#include "harness.h"
#include "keys.h"

#include <stdlib.h>

enum { ASKED = 1001, BITS = (ASKED + 7) / 8 };

static bool is_filter(void **state)
{
    return bp_any_kind_by_name((const char *)*state)->family == BP_FAMILY_MEMBERSHIP;
}

static bool bit(const uint8_t *bits, size_t i)
{
    return bits[i / 8] >> i % 8 & 1;
}

static void hashes_of(const bp_any *s, uint64_t first, size_t n, uint64_t *hashes)
{
    const bp_hash_spec *spec = &((const bp_head *)((const bp_object *)s)->head)->hash;
    for (size_t i = 0; i < n; i++)
        hashes[i] = bp_hash_u64(spec, bp_test_word(first + i));
}

static void kinds_that_are_no_filters_say_so(void **state)
{
    const bp_bytes key = {"k", 1};
    const uint64_t hash = 7;
    if (is_filter(state))
        return;
    BP_FOR_CASES(c, state)
    {
        bp_any *s = bp_make(&c, NULL), *was = bp_make(&c, NULL);
        bp_detail why = {BP_OK, NULL, 0, 0, 0};
        size_t n = 5;
        double fpr = 6;
        bp_expect(&c, "has_n", bp_any_has_n(s, &key, 1, NULL, &n, &why), BP_UNSUPPORTED);
        bp_expect(&c, "has_hashes", bp_any_has_hashes(s, &hash, 1, NULL, &n, &why),
                  BP_UNSUPPORTED);
        bp_expect(&c, "add_new_n", bp_any_add_new_n(s, &key, 1, NULL, &n, &why),
                  BP_UNSUPPORTED);
        bp_expect(&c, "remove_n", bp_any_remove_n(s, &key, 1, NULL, &n, &why),
                  BP_UNSUPPORTED);
        bp_expect(&c, "fpr", bp_any_fpr(s, &fpr, &why), BP_UNSUPPORTED);
        bp_expect(&c, "report", bp_any_report(s, 1, 0, &why), BP_UNSUPPORTED);
        assert_true(n == 5 && fpr == 6 && why.what);
        bp_same(&c, "after questions for filters", s, was);
        bp_any_free(s);
        bp_any_free(was);
    }
}

/* The same by keys, by hashes and by numbers; members are in, spare bits are clear. */
static void every_way_of_asking_gives_the_same_bitmap(void **state)
{
    static uint8_t bytes[ASKED][8];
    static bp_bytes keys[ASKED];
    static uint64_t hashes[ASKED], numbers[ASKED];
    if (!is_filter(state))
        return;
    bp_test_keys(0, ASKED, bytes, keys);
    for (size_t i = 0; i < ASKED; i++)
        numbers[i] = bp_test_word(i);
    BP_FOR_CASES(c, state)
    {
        uint8_t by_key[BITS], by_hash[BITS], by_number[BITS];
        size_t n[4], ones = 0;
        bp_any *s = bp_make(&c, NULL);
        hashes_of(s, 0, ASKED, hashes);
        bp_expect(&c, "has_n", bp_any_has_n(s, keys, ASKED, by_key, &n[0], NULL), BP_OK);
        bp_any_has_hashes(s, hashes, ASKED, by_hash, &n[1], NULL);
        bp_any_has_ints(s, numbers, BP_INT_U64, ASKED, by_number, &n[2], NULL);
        bp_any_has_n(s, keys, ASKED, NULL, &n[3], NULL);
        assert_memory_equal(by_key, by_hash, BITS);
        assert_memory_equal(by_key, by_number, BITS);
        for (size_t i = 0; i < 8 * BITS; i++)
            ones += bit(by_key, i);
        assert_true(n[0] == ones && n[1] == ones && n[2] == ones && n[3] == ones);
        for (size_t i = 0; i < c.fill && i < ASKED; i++)
            if (!bit(by_key, i))
                fail_msg("%s: key %zu was added and is not in", bp_case_name(&c), i);
        assert_false(bit(by_key, ASKED)); /* a spare one */
        bp_any_free(s);
    }
}

/* -3 is -3 in a column of any width, and 200 is not -56. */
static void numbers_are_keyed_by_their_value_whatever_their_width(void **state)
{
    static const int8_t i8[] = {-3, 100};
    static const int16_t i16[] = {-3, 100};
    static const int32_t i32[] = {-3, 100};
    static const int64_t i64[] = {-3, 100};
    static const uint8_t u8[] = {200, 100};
    static const uint16_t u16[] = {200, 100};
    static const uint32_t u32[] = {200, 100};
    static const uint64_t u64[] = {200, 100};
    static const void *const columns[] = {u8, u16, u32, u64, i8, i16, i32, i64};
    const bp_hash_spec *const specs[] = {NULL, &(bp_hash_spec){.id = BP_HASH_MURMUR64A}};
    (void)state;
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < 8; i++) {
            const uint64_t first = i < 4 ? 200 : (uint64_t)-3;
            uint64_t h[2];
            assert_int_equal(
                bp_hash_ints(specs[s], columns[i], (bp_int_type)(i + 1), 2, h, NULL), 0);
            assert_true(h[0] == bp_hash_u64(specs[s], first) &&
                        h[1] == bp_hash_u64(specs[s], 100));
        }
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    assert_int_equal(bp_hash_ints(NULL, u8, (bp_int_type)9, 2, NULL, &why), BP_PARAM);
    assert_int_equal(why.have, 9);
}

static void adding_tells_what_was_new_and_takes_all(void **state)
{
    static uint8_t bytes[ASKED][8];
    static bp_bytes keys[ASKED];
    if (!is_filter(state))
        return;
    bp_test_keys(0, ASKED, bytes, keys);
    BP_FOR_CASES(c, state)
    {
        const size_t n = c.fill < ASKED ? c.fill : ASKED;
        uint8_t bits[BITS] = {0};
        size_t done = 99, fresh = 0;
        bp_any *s = bp_make_empty(&c, NULL), *want = bp_make_empty(&c, NULL);
        const bp_status st = bp_any_add_new_n(s, keys, n, bits, &done, NULL);
        if (c.kind->without & BP_WITHOUT_ADD) {
            bp_expect(&c, "add_new_n", st, BP_UNSUPPORTED);
            assert_int_equal(done, 99);
        } else {
            bp_expect(&c, "add_new_n", st, BP_OK);
            assert_int_equal(done, n);
            for (size_t i = 0; i < n; i++)
                fresh += bit(bits, i);
            assert_true(n == 0 || (bit(bits, 0) && fresh <= n));
            bp_expect(&c, "add_n", bp_any_add_n(want, keys, n, NULL), BP_OK);
            bp_same(&c, "told or not", s, want);
        }
        bp_any_free(s);
        bp_any_free(want);
    }
}

/* Half of the keys out: each was there, the others still are, and counts say so. */
static void what_is_taken_out_was_there_and_the_rest_stays(void **state)
{
    static uint8_t bytes[ASKED][8];
    static bp_bytes keys[ASKED];
    if (!is_filter(state))
        return;
    bp_test_keys(0, ASKED, bytes, keys);
    BP_FOR_CASES(c, state)
    {
        const size_t n = c.fill < ASKED ? c.fill : ASKED, half = n / 2;
        size_t done = 0, yes = 0;
        uint64_t copies = 0;
        bp_any *s = bp_make_empty(&c, NULL);
        if (!c.table->remove_hashes) {
            bp_expect(&c, "remove_n", bp_any_remove_n(s, keys, n, NULL, &done, NULL),
                      BP_UNSUPPORTED);
            bp_any_free(s);
            continue;
        }
        bp_expect(&c, "add_n", bp_any_add_n(s, keys, n, NULL), BP_OK);
        bp_expect(&c, "remove_n", bp_any_remove_n(s, keys, half, NULL, &done, NULL),
                  BP_OK);
        assert_int_equal(done, half);
        bp_any_has_n(s, keys + half, n - half, NULL, &yes, NULL);
        assert_int_equal(yes, n - half);
        for (size_t i = half; i < n; i++) {
            bp_expect(&c, "count", bp_any_count(s, bytes[i], 8, &copies, NULL), BP_OK);
            assert_true(copies >= 1);
        }
        bp_any_free(s);
    }
}

/* ------------------------------------------------------------------------ feedback */

static const bp_figure *figure(const bp_any *s, const char *name)
{
    static bp_description d;
    bp_any_describe(s, &d);
    for (size_t i = 0; i < d.count; i++)
        if (strcmp(d.figures[i].name, name) == 0)
            return &d.figures[i];
    return NULL;
}

static void feedback_travels_and_describe_shows_it(void **state)
{
    if (!is_filter(state))
        return;
    BP_FOR_CASES(c, state)
    {
        bp_any *s = bp_make(&c, NULL), *was = bp_make(&c, NULL), *read = NULL;
        const bp_open how = bp_case_open(&c, NULL);
        bp_detail why;
        assert_null(figure(s, "fpr_measured"));
        bp_expect(&c, "more false than asked", bp_any_report(s, 3, 4, &why), BP_PARAM);
        assert_true(why.have == 4 && why.want == 3);
        bp_same(&c, "after a refusal", s, was);
        bp_expect(&c, "report", bp_any_report(s, 600, 5, NULL), BP_OK);
        bp_expect(&c, "report", bp_any_report(s, 400, 0, NULL), BP_OK);
        bp_expect(&c, "too many", bp_any_report(s, UINT64_MAX, 0, &why), BP_PARAM);
        bp_buf b = bp_encoded(s);
        bp_expect(&c, "decode", bp_any_decode(&read, b.p, b.n, &how, NULL), BP_OK);
        assert_true(figure(read, "fpr_measured")->real == 0.005);
        assert_true(figure(read, "strangers_asked")->whole == 1000);
        assert_true(figure(read, "strangers_yes")->whole == 5);
        bp_same(&c, "feedback, read and written", read, s);
        bp_buf_free(&b);
        bp_any_free(s);
        bp_any_free(was);
        bp_any_free(read);
    }
}

static void feedback_ends_with_the_filter_it_was_about(void **state)
{
    if (!is_filter(state))
        return;
    BP_FOR_CASES(c, state)
    {
        bool merged = false;
        bp_any *s = bp_make(&c, NULL), *other = bp_make(&c, NULL);
        bp_any_report(s, 10, 1, NULL);
        bp_merge_or_refuse(&c, s, other, &merged);
        if (merged)
            assert_null(figure(s, "fpr_measured"));
        bp_any_report(s, 10, 1, NULL);
        bp_any_reset(s);
        assert_null(figure(s, "fpr_measured"));
        bp_any_report(s, 10, 1, NULL);
        if (c.kind->without & BP_WITHOUT_ADD) {
            bp_expect(&c, "build", bp_any_build(s, NULL, 0, NULL), BP_OK);
            assert_null(figure(s, "fpr_measured"));
        }
        bp_any_free(s);
        bp_any_free(other);
    }
}

static void damaged_feedback_is_refused(void **state)
{
    static const uint64_t bad[][2] = {{0, 0}, {5, 6}, {0, 1}, {1, UINT64_MAX}};
    if (!is_filter(state))
        return;
    BP_FOR_CASES(c, state)
    {
        bp_any *s = bp_make(&c, NULL), *read = NULL;
        const bp_open how = bp_case_open(&c, NULL);
        bp_any_report(s, 10, 1, NULL);
        bp_buf b = bp_encoded(s);
        uint8_t *last = b.p + BP_ENVELOPE_FIXED + bp_load32(b.p + 32) - BP_FEEDBACK_SIZE;
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            bp_detail why = {BP_OK, NULL, 0, 0, 0};
            bp_store64(last, bad[i][0]);
            bp_store64(last + 8, bad[i][1]);
            bp_repair(b.p, b.n);
            bp_expect(&c, "decode", bp_any_decode(&read, b.p, b.n, &how, &why),
                      BP_CORRUPT);
            assert_true(b.p + why.at == last);
        }
        bp_buf_free(&b);
        bp_any_free(s);
    }
}

#define LAWS(kind)                                                                       \
    BP_KIND_TEST(kind, kinds_that_are_no_filters_say_so),                                \
        BP_KIND_TEST(kind, every_way_of_asking_gives_the_same_bitmap),                   \
        BP_KIND_TEST(kind, adding_tells_what_was_new_and_takes_all),                     \
        BP_KIND_TEST(kind, what_is_taken_out_was_there_and_the_rest_stays),              \
        BP_KIND_TEST(kind, feedback_travels_and_describe_shows_it),                      \
        BP_KIND_TEST(kind, feedback_ends_with_the_filter_it_was_about),                  \
        BP_KIND_TEST(kind, damaged_feedback_is_refused),

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(numbers_are_keyed_by_their_value_whatever_their_width),
#define BP_SKETCH(id, name, room, family, without, why) LAWS(name)
#include "sketches.def"
#undef BP_SKETCH
};

extern const bp_suite bp_suite_laws_filters;
const bp_suite bp_suite_laws_filters = {"laws_filters", tests,
                                        sizeof tests / sizeof *tests, NULL, 0};
