/* SPDX-License-Identifier: MIT
 * merge.c - the laws of merging, for every kind, sample and fill. Two sketches are equal
 * when their encoded bytes are. */
#include "harness.h"
#include "keys.h"

#include <stdio.h>
#include <stdlib.h>

/* Three overlapping streams for a case: a is the case's own. */
static bp_any *stream_a(const bp_case *c)
{
    return bp_make(c, NULL);
}

static bp_any *stream_b(const bp_case *c)
{
    return bp_make_range(c, NULL, c->fill / 2, c->fill);
}

static bp_any *stream_c(const bp_case *c)
{
    return bp_make_range(c, NULL, 3 * (uint64_t)c->fill, c->fill / 3 + 1);
}

static void merge(const bp_case *c, bp_any *dst, const bp_any *src)
{
    bp_detail why = {BP_OK, "", 0, 0, 0};
    if (bp_any_merge(dst, src, &why))
        fail_msg("%s: merge: %s", bp_case_name(c), why.what);
}

static bool opted_out(void **state, uint32_t law, const char *name)
{
    const bp_kind_info *kind = bp_any_kind_by_name((const char *)*state);
    if (!(kind->without & law))
        return false;
    if (!kind->reason[0])
        fail_msg("%s: an opt-out without a reason", kind->name);
    printf("%s opts out of %s: %s\n", kind->name, name, kind->reason);
    return true;
}

static void merge_is_commutative(void **state)
{
    if (opted_out(state, BP_WITHOUT_MERGE, "merge_is_commutative"))
        return;
    BP_FOR_CASES(c, state)
    {
        bp_any *ab = stream_a(&c), *ba = stream_b(&c);
        bp_any *a = stream_a(&c), *b = stream_b(&c);
        merge(&c, ab, b);
        merge(&c, ba, a);
        bp_same(&c, "b + a against a + b", ba, ab);
        bp_any_free(ab);
        bp_any_free(ba);
        bp_any_free(a);
        bp_any_free(b);
    }
}

static void merge_is_associative(void **state)
{
    if (opted_out(state, BP_WITHOUT_ASSOCIATIVE, "merge_is_associative"))
        return;
    BP_FOR_CASES(c, state)
    {
        bp_any *left = stream_a(&c), *right = stream_a(&c);
        bp_any *b = stream_b(&c), *bc = stream_b(&c), *third = stream_c(&c);
        merge(&c, left, b);
        merge(&c, left, third);
        merge(&c, bc, third);
        merge(&c, right, bc);
        bp_same(&c, "a + (b + c) against (a + b) + c", right, left);
        bp_any_free(left);
        bp_any_free(right);
        bp_any_free(b);
        bp_any_free(bc);
        bp_any_free(third);
    }
}

static void merge_is_idempotent(void **state)
{
    if (opted_out(state, BP_WITHOUT_IDEMPOTENT, "merge_is_idempotent"))
        return;
    BP_FOR_CASES(c, state)
    {
        bp_any *a = stream_a(&c), *again = stream_a(&c);
        merge(&c, again, a);
        bp_same(&c, "a + a against a", again, a);
        bp_any_free(a);
        bp_any_free(again);
    }
}

static void merge_with_itself_equals_merge_with_its_clone(void **state)
{
    if (opted_out(state, BP_WITHOUT_MERGE,
                  "merge_with_itself_equals_merge_with_its_clone"))
        return;
    BP_FOR_CASES(c, state)
    {
        bp_any *self = stream_a(&c), *with_clone = stream_a(&c), *clone;
        bp_expect(&c, "clone", bp_any_clone(&clone, with_clone, NULL), BP_OK);
        merge(&c, self, self);
        merge(&c, with_clone, clone);
        bp_same(&c, "a merged into itself", self, with_clone);
        bp_any_free(self);
        bp_any_free(with_clone);
        bp_any_free(clone);
    }
}

static void merge_with_an_empty_one_changes_nothing(void **state)
{
    if (opted_out(state, BP_WITHOUT_MERGE, "merge_with_an_empty_one_changes_nothing"))
        return;
    BP_FOR_CASES(c, state)
    {
        bp_any *a = stream_a(&c), *right = stream_a(&c);
        bp_any *empty = bp_make_empty(&c, NULL), *left = bp_make_empty(&c, NULL);
        merge(&c, right, empty);
        merge(&c, left, a);
        bp_same(&c, "a + empty against a", right, a);
        bp_same(&c, "empty + a against a", left, a);
        bp_any_free(a);
        bp_any_free(right);
        bp_any_free(empty);
        bp_any_free(left);
    }
}

static void merge_equals_adding_both_streams(void **state)
{
    if (opted_out(state, BP_WITHOUT_UNION | BP_WITHOUT_MERGE,
                  "merge_equals_adding_both_streams"))
        return;
    BP_FOR_CASES(c, state)
    {
        bp_any *merged = stream_a(&c), *b = stream_b(&c), *both = stream_a(&c);
        merge(&c, merged, b);
        bp_expect(&c, "add_n", bp_add_range(both, c.fill / 2, c.fill), BP_OK);
        bp_same(&c, "a + b against the joined stream", merged, both);
        bp_any_free(merged);
        bp_any_free(b);
        bp_any_free(both);
    }
}

/* The case's keys, the last first: one by one, unless the kind wants them at once. */
static void take_backwards(const bp_case *c, bp_any *s)
{
    const size_t batch = c->kind->without & BP_WITHOUT_ADD ? c->fill : 1;
    uint8_t(*bytes)[8] = malloc(8 * batch + 8);
    bp_bytes *keys = malloc(sizeof *keys * batch + 8);
    assert_non_null(bytes);
    assert_non_null(keys);
    for (size_t i = 0; i < c->fill; i += batch) {
        for (size_t j = 0; j < batch; j++)
            bp_test_keys(c->fill - 1 - i - j, 1, bytes + j, keys + j);
        bp_expect(c, "add_n", bp_take_keys(s, keys, batch), BP_OK);
    }
    free(bytes);
    free(keys);
}

static void the_order_of_adds_does_not_matter(void **state)
{
    if (opted_out(state, BP_WITHOUT_UNION, "the_order_of_adds_does_not_matter"))
        return;
    BP_FOR_CASES(c, state)
    {
        bp_any *forward = bp_make(&c, NULL), *backward = bp_make_empty(&c, NULL);
        take_backwards(&c, backward);
        bp_same(&c, "added backwards", backward, forward);
        bp_any_free(forward);
        bp_any_free(backward);
    }
}

static void merge_leaves_its_source_alone(void **state)
{
    if (opted_out(state, BP_WITHOUT_MERGE, "merge_leaves_its_source_alone"))
        return;
    BP_FOR_CASES(c, state)
    {
        bp_any *dst = stream_b(&c), *src = stream_a(&c), *was = stream_a(&c);
        merge(&c, dst, src);
        bp_same(&c, "the source of a merge", src, was);
        bp_any_free(dst);
        /* and shares nothing with it */
        bp_expect(&c, "add_n", bp_add_range(src, 1000000, 3), BP_OK);
        bp_any_free(src);
        bp_any_free(was);
    }
}

/* dst + src must fail with `want`, say which values differ, and change nothing. */
static void refused(const bp_case *c, bp_any *dst, const bp_any *src, bp_status want)
{
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    bp_buf before = bp_encoded(dst), src_before = bp_encoded(src);
    bp_expect(c, "merge", bp_any_merge(dst, src, &why), want);
    if (why.status != want || !why.what || why.have == why.want)
        fail_msg("%s: the detail must say what differs: %s", bp_case_name(c),
                 why.what ? why.what : "(nothing)");
    bp_buf after = bp_encoded(dst), src_after = bp_encoded(src);
    bp_same_bytes(c, "dst of a refused merge", after, before);
    bp_same_bytes(c, "src of a refused merge", src_after, src_before);
    bp_expect(c, "merge without why", bp_any_merge(dst, src, NULL), want);
    bp_buf_free(&before);
    bp_buf_free(&after);
    bp_buf_free(&src_before);
    bp_buf_free(&src_after);
}

static bp_any *make_hashed(const bp_case *c, bp_hash_spec hash)
{
    bp_test_config cfg = bp_case_config(c, NULL);
    bp_any *s;
    cfg.prefix.hash = hash;
    bp_expect(c, "new", bp_any_new(&s, c->kind->id, &cfg, NULL), BP_OK);
    bp_expect(c, "add_n", bp_add_range(s, 5, c->fill), BP_OK);
    return s;
}

static void merge_of_other_hashing_is_refused_and_changes_nothing(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bp_any *a = stream_a(&c);
        bp_hash_spec other = bp_case_config(&c, NULL).prefix.hash;
        bp_other_seed(&other);
        bp_any *seeded = make_hashed(&c, other);
        refused(&c, a, seeded, BP_MISMATCH);
        refused(&c, seeded, a, BP_MISMATCH);
        const uint32_t id = other.id == BP_HASH_XXH64 ? BP_HASH_MURMUR64A : BP_HASH_XXH64;
        bp_any *hashed = make_hashed(&c, (bp_hash_spec){.id = id});
        refused(&c, a, hashed, BP_MISMATCH);
        refused(&c, hashed, a, BP_MISMATCH);
        bp_any_free(a);
        bp_any_free(seeded);
        bp_any_free(hashed);
    }
}

static void merge_of_another_kind_is_refused(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bp_any *a = stream_a(&c);
        for (size_t i = 0; bp_any_kind_at(i); i++) {
            bp_case other;
            if (bp_any_kind_at(i) == c.kind)
                continue;
            assert_true(bp_case_at(bp_any_kind_at(i)->name, 0, &other));
            bp_any *b = bp_make(&other, NULL);
            refused(&c, a, b, BP_KIND);
            bp_any_free(b);
        }
        bp_any_free(a);
    }
}

static void merging_what_does_not_merge_is_refused(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bool merged;
        bp_any *a = stream_a(&c), *b = stream_b(&c);
        bp_expect(&c, "merge", bp_merge_or_refuse(&c, a, b, &merged), BP_OK);
        assert_int_equal(merged, !(c.kind->without & BP_WITHOUT_MERGE));
        bp_any_free(a);
        bp_any_free(b);
    }
}

/* Samples whose own parameters differ: merge either works (a sketch may say that a
 * parameter is no part of compatibility) or is refused whole. */
static void merge_between_samples_works_or_changes_nothing(void **state)
{
    if (opted_out(state, BP_WITHOUT_MERGE,
                  "merge_between_samples_works_or_changes_nothing"))
        return;
    bp_case a, b;
    size_t refusals = 0;
    for (size_t i = 0; bp_case_at((const char *)*state, i, &a); i++)
        for (size_t j = 0; bp_case_at((const char *)*state, j, &b); j++) {
            if (a.sample == b.sample)
                continue;
            bp_any *dst = bp_make(&a, NULL), *src = bp_make(&b, NULL);
            bp_any *probe = bp_make(&a, NULL);
            if (bp_any_merge(probe, src, NULL)) {
                refused(&a, dst, src, BP_MISMATCH);
                refusals++;
            }
            bp_any_free(dst);
            bp_any_free(src);
            bp_any_free(probe);
        }
    if (refusals == 0)
        fail_msg("no two samples of %s mismatch", (const char *)*state);
}

#define LAWS(kind)                                                                       \
    BP_KIND_TEST(kind, merge_is_commutative), BP_KIND_TEST(kind, merge_is_associative),  \
        BP_KIND_TEST(kind, merge_is_idempotent),                                         \
        BP_KIND_TEST(kind, merge_with_itself_equals_merge_with_its_clone),               \
        BP_KIND_TEST(kind, merge_with_an_empty_one_changes_nothing),                     \
        BP_KIND_TEST(kind, merge_equals_adding_both_streams),                            \
        BP_KIND_TEST(kind, the_order_of_adds_does_not_matter),                           \
        BP_KIND_TEST(kind, merge_leaves_its_source_alone),                               \
        BP_KIND_TEST(kind, merge_of_other_hashing_is_refused_and_changes_nothing),       \
        BP_KIND_TEST(kind, merging_what_does_not_merge_is_refused),                      \
        BP_KIND_TEST(kind, merge_of_another_kind_is_refused),                            \
        BP_KIND_TEST(kind, merge_between_samples_works_or_changes_nothing),

static const struct CMUnitTest tests[] = {
#define BP_SKETCH(id, name, room, family, without, why) LAWS(name)
#include "sketches.def"
#undef BP_SKETCH
};

extern const bp_suite bp_suite_laws_merge;
const bp_suite bp_suite_laws_merge = {"laws_merge", tests, sizeof tests / sizeof *tests,
                                      NULL, 0};
