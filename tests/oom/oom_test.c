/* SPDX-License-Identifier: MIT
 * oom_test.c - allocation failing at every point of every verb that all kinds share.
 * Prints how many requests were refused per kind and verb; a kind whose sketches take
 * memory and that was never refused any is a failure. */
#include "keys.h"
#include "oom/oom.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bp_status act_new(const bp_case *c, bp_test_alloc *alloc, bp_any *s, bp_any **out)
{
    const bp_test_config cfg = bp_case_config(c, alloc);
    (void)s;
    return bp_any_new(out, c->kind->id, &cfg, NULL);
}

/* As many keys again as the sketch holds, and enough to make it grow. */
static size_t more(const bp_case *c)
{
    return c->fill < 300 ? 300 : c->fill < 3000 ? c->fill : 3000;
}

static bp_status act_add_n(const bp_case *c, bp_test_alloc *alloc, bp_any *s,
                           bp_any **out)
{
    (void)alloc;
    (void)out;
    return bp_add_range(s, c->fill, more(c));
}

/* Key by key: a refused add changed nothing, so it is tried once more at once; what
 * comes of it is what an undisturbed stream gives. */
static bp_status act_add(const bp_case *c, bp_test_alloc *alloc, bp_any *s, bp_any **out)
{
    (void)out;
    for (size_t i = 0; i < more(c) && !(c->kind->without & BP_WITHOUT_ADD); i++) {
        bp_status st = bp_add_range(s, c->fill + i, 1);
        if (st) {
            bp_expect(c, "a refused add", st, BP_NOMEM);
            bp_any *want = bp_make_range(c, NULL, 0, c->fill + i);
            bp_same(c, "after a refused add", s, want);
            bp_any_free(want);
            bp_test_fail(alloc, 0, false);
            alloc->failed = 1;
            st = bp_add_range(s, c->fill + i, 1);
        }
        if (st)
            return st;
    }
    return BP_OK;
}

static bp_status act_add_hashes(const bp_case *c, bp_test_alloc *alloc, bp_any *s,
                                bp_any **out)
{
    uint64_t hashes[300];
    (void)alloc;
    (void)out;
    if (c->kind->without & BP_WITHOUT_HASHES)
        return BP_OK;
    for (size_t i = 0; i < 300; i++)
        hashes[i] = bp_test_word(c->fill + i);
    return bp_take_hashes(s, hashes, 300);
}

static bp_status act_clone(const bp_case *c, bp_test_alloc *alloc, bp_any *s,
                           bp_any **out)
{
    (void)c;
    (void)alloc;
    return bp_any_clone(out, s, NULL);
}

static bp_status act_encode(const bp_case *c, bp_test_alloc *alloc, bp_any *s,
                            bp_any **out)
{
    size_t n;
    (void)c;
    (void)alloc;
    (void)out;
    bp_status st = bp_any_encode(s, NULL, 0, &n, NULL);
    uint8_t *p = st ? NULL : (uint8_t *)malloc(n);
    if (p)
        st = bp_any_encode(s, p, n, &n, NULL);
    free(p);
    return st;
}

/* The bytes of the case, from a sketch that the failing allocator knows nothing of. */
static bp_buf case_bytes(const bp_case *c)
{
    bp_any *s = bp_make(c, NULL);
    const bp_buf b = bp_encoded(s);
    bp_any_free(s);
    return b;
}

static bp_status act_decode(const bp_case *c, bp_test_alloc *alloc, bp_any *s,
                            bp_any **out)
{
    const bp_open how = bp_case_open(c, alloc);
    bp_buf b = case_bytes(c);
    (void)s;
    const bp_status st = bp_any_decode(out, b.p, b.n, &how, NULL);
    bp_buf_free(&b);
    return st;
}

/* The view itself is no output: it lives only as long as the bytes. */
static bp_status act_view(const bp_case *c, bp_test_alloc *alloc, bp_any *s, bp_any **out)
{
    const bp_open how = bp_case_open(c, alloc);
    const bp_any *v = NULL;
    (void)s;
    (void)out;
    if (c->kind->without & BP_WITHOUT_VIEW)
        return BP_OK;
    bp_buf b = case_bytes(c);
    const bp_status st = bp_any_view(&v, b.p, b.n, &how, NULL);
    if (st)
        assert_null(v);
    bp_any_free(v);
    bp_buf_free(&b);
    return st;
}

static bp_status act_merge(const bp_case *c, bp_test_alloc *alloc, bp_any *s,
                           bp_any **out)
{
    bp_any *other = bp_make_range(c, NULL, c->fill / 2, more(c));
    (void)alloc;
    (void)out;
    bool merged;
    const bp_status st = bp_merge_or_refuse(c, s, other, &merged);
    bp_any_free(other);
    return st;
}

static bp_status act_merge_self(const bp_case *c, bp_test_alloc *alloc, bp_any *s,
                                bp_any **out)
{
    bool merged;
    (void)alloc;
    (void)out;
    return bp_merge_or_refuse(c, s, s, &merged);
}

static bp_status act_ask(const bp_case *c, bp_test_alloc *alloc, bp_any *s, bp_any **out)
{
    bp_description d;
    bp_estimate e;
    (void)alloc;
    (void)out;
    bp_any_describe(s, &d);
    if (c->kind->without & BP_WITHOUT_ESTIMATE)
        return BP_OK;
    return bp_any_estimate(s, 0.95, &e, NULL);
}

/* reset cannot fail: whatever is refused, the sketch is as new. */
static bp_status act_reset(const bp_case *c, bp_test_alloc *alloc, bp_any *s,
                           bp_any **out)
{
    (void)c;
    (void)alloc;
    (void)out;
    bp_any_reset(s);
    return BP_OK;
}

static const bp_oom_verb verbs[] = {
    {"new", act_new, true, true},       {"add", act_add, false, false},
    {"add_n", act_add_n, false, true},  {"add_hashes", act_add_hashes, false, true},
    {"clone", act_clone, true, true},   {"encode", act_encode, true, true},
    {"decode", act_decode, true, true}, {"view", act_view, true, true},
    {"merge", act_merge, true, true},   {"merge_self", act_merge_self, true, true},
    {"ask", act_ask, true, true},       {"reset", act_reset, false, false},
};

static void allocation_fails_at_every_point_and_things_stay_whole(void **state)
{
    const char *kind = (const char *)*state;
    const bool counts = bp_any_kind_by_name(kind)->without & BP_WITHOUT_IDEMPOTENT;
    uint64_t sum = 0;
    printf("oom %s refused:", kind);
    for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++) {
        bp_oom_verb verb = verbs[v];
        uint64_t refused = 0;
        bp_case c;
        if (counts && !verb.leaves_alone)
            verb.again_is_same = false;
        for (size_t i = 0; bp_case_at(kind, i, &c); i++)
            refused += bp_oom_run(&c, &verb);
        printf(" %s %" PRIu64, verb.name, refused);
        sum += refused;
    }
    printf("\n");
    if (sum == 0)
        fail_msg("%s: nothing was ever refused", kind);
}

static const struct CMUnitTest tests[] = {
#define BP_SKETCH(id, name, room, family, without, why)                                  \
    BP_KIND_TEST(name, allocation_fails_at_every_point_and_things_stay_whole),
#include "sketches.def"
#undef BP_SKETCH
};

extern const bp_suite bp_suite_oom;
const bp_suite bp_suite_oom = {"oom", tests, sizeof tests / sizeof *tests, NULL, 0};
