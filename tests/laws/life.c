/* SPDX-License-Identifier: MIT
 * life.c - the laws of making, adding, cloning, resetting, placing and describing, for
 * every kind, sample and fill. */
#include "harness.h"
#include "keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t without(void **state)
{
    return bp_any_kind_by_name((const char *)*state)->without;
}

static void opt_outs_are_printed_with_their_reason(void **state)
{
    static const char *const names[] = {
        "view",     "place", "hashes", "idempotent", "associative",
        "estimate", "union", "add",    "merge",      "lean merge"};
    const bp_kind_info *kind = bp_any_kind_by_name((const char *)*state);
    assert_true(kind->without < 1u << (sizeof names / sizeof *names));
    if ((kind->without != 0) != (kind->reason[0] != 0))
        fail_msg("%s: opt-outs and a reason go together", kind->name);
    printf("%s keeps every law%s", kind->name, kind->without ? " but" : "\n");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (kind->without & 1u << i)
            printf(" %s", names[i]);
    if (kind->without)
        printf(": %s\n", kind->reason);
}

/* ----------------------------------------------------------------------------- adding */

/* Keys of all small lengths, the empty one and repeats among them. */
static void varied_keys(size_t n, uint8_t (*bytes)[40], bp_bytes *keys)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < 5; j++)
            bp_test_key(5 * (i % 700) + j, bytes[i] + 8 * j);
        keys[i] = (bp_bytes){bytes[i], i % 41};
        if (keys[i].len == 0)
            keys[i].ptr = NULL;
    }
}

/* A kind that is built says so when it is added to, and one that is added to when it is
 * built; neither changes. */
static void add_or_build_is_refused_by_kinds_that_do_the_other(void **state)
{
    const uint8_t byte = 'k';
    const bp_bytes key = {&byte, 1};
    const uint64_t hash = 7;
    const bool built = without(state) & BP_WITHOUT_ADD;
    BP_FOR_CASES(c, state)
    {
        bp_any *s = bp_make(&c, NULL), *was = bp_make(&c, NULL);
        bp_detail why = {BP_OK, NULL, 0, 0, 0};
        bp_expect(&c, "the other verb",
                  built ? bp_any_add_n(s, &key, 1, &why) : bp_any_build(s, &key, 1, &why),
                  BP_UNSUPPORTED);
        assert_non_null(why.what);
        bp_expect(&c, "the other verb, of hashes",
                  built ? bp_any_add_hashes(s, &hash, 1, &why)
                        : bp_any_build_hashes(s, &hash, 1, &why),
                  BP_UNSUPPORTED);
        bp_same(&c, "after the other verb", s, was);
        bp_any_free(s);
        bp_any_free(was);
    }
}

static void batches_equal_single_adds(void **state)
{
    if (without(state) & BP_WITHOUT_ADD)
        return; /* there are no single adds */
    static const size_t sizes[] = {1, 2, 3, 5, 8, 17, 255, 256, 257, 1000};
    enum { N = 2000 };
    static uint8_t bytes[N][40];
    static bp_bytes keys[N];
    varied_keys(N, bytes, keys);
    BP_FOR_CASES(c, state)
    {
        if (c.fill == 0)
            continue;
        const size_t n = c.fill < N ? c.fill : N;
        bp_any *single = bp_make(&c, NULL), *batch = bp_make(&c, NULL);
        for (size_t i = 0; i < n; i++)
            bp_expect(&c, "add", bp_any_add_n(single, &keys[i], 1, NULL), BP_OK);
        for (size_t i = 0, k = 0; i < n; k++) {
            const size_t m = sizes[k % 10] < n - i ? sizes[k % 10] : n - i;
            bp_expect(&c, "add_n", bp_any_add_n(batch, keys + i, m, NULL), BP_OK);
            i += m;
        }
        bp_same(&c, "in batches against one by one", batch, single);
        bp_any_free(single);
        bp_any_free(batch);
    }
}

static void hashes_equal_keys(void **state)
{
    enum { N = 2000 };
    static uint8_t bytes[N][40];
    static bp_bytes keys[N];
    static uint64_t hashes[N];
    varied_keys(N, bytes, keys);
    BP_FOR_CASES(c, state)
    {
        const size_t n = c.fill < N ? c.fill : N;
        const bp_test_config cfg = bp_case_config(&c, NULL);
        bp_any *by_key = bp_make(&c, NULL), *by_hash = bp_make(&c, NULL);
        bp_hash_n(&cfg.prefix.hash, keys, n, hashes);
        const bp_status st = bp_take_hashes(by_hash, hashes, n);
        if (without(state) & BP_WITHOUT_HASHES) {
            bp_expect(&c, "add_hashes", st, BP_UNSUPPORTED);
        } else {
            bp_expect(&c, "add_hashes", st, BP_OK);
            bp_expect(&c, "add_n", bp_take_keys(by_key, keys, n), BP_OK);
        }
        bp_same(&c, "by hashes against by keys", by_hash, by_key);
        bp_any_free(by_key);
        bp_any_free(by_hash);
    }
}

static void adding_no_keys_changes_nothing(void **state)
{
    if (without(state) & BP_WITHOUT_ADD)
        return;
    BP_FOR_CASES(c, state)
    {
        bp_any *s = bp_make(&c, NULL), *was = bp_make(&c, NULL);
        bp_expect(&c, "add_n", bp_any_add_n(s, NULL, 0, NULL), BP_OK);
        if (!(without(state) & BP_WITHOUT_HASHES))
            bp_expect(&c, "add_hashes", bp_any_add_hashes(s, NULL, 0, NULL), BP_OK);
        bp_same(&c, "after adding nothing", s, was);
        bp_any_free(s);
        bp_any_free(was);
    }
}

static void equal_streams_give_equal_bytes(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bp_test_alloc alloc = {0};
        bp_any *a = bp_make(&c, NULL), *b = bp_make(&c, &alloc);
        bp_same(&c, "made again, on dirty memory", b, a);
        bp_any_free(a);
        bp_any_free(b);
        bp_test_alloc_done(&alloc);
    }
}

/* ------------------------------------------------------------------------------- life */

static void clones_are_equal_and_independent(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bp_test_alloc alloc = {0};
        bp_any *s = bp_make(&c, &alloc), *was = bp_make(&c, NULL), *clone;
        bp_expect(&c, "clone", bp_any_clone(&clone, s, NULL), BP_OK);
        bp_same(&c, "a clone", clone, s);
        bp_expect(&c, "add_n", bp_add_range(clone, 500000, 50), BP_OK);
        bp_same(&c, "the original of a changed clone", s, was);
        bp_expect(&c, "add_n", bp_add_range(s, 500000, 50), BP_OK);
        bp_same(&c, "both changed alike", s, clone);
        bp_any_free(s);
        bp_buf b = bp_encoded(clone); /* still whole after the original is gone */
        bp_any_reset(clone);
        bp_any_free(clone);
        bp_buf_free(&b);
        bp_any_free(was);
        bp_test_alloc_done(&alloc);
    }
}

static void a_reset_sketch_is_as_new(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bp_test_alloc alloc = {0};
        bp_any *s = bp_make(&c, &alloc), *fresh = bp_make_empty(&c, NULL);
        for (int i = 0; i < 2; i++) {
            bp_any_reset(s);
            bp_same(&c, "after reset", s, fresh);
        }
        bp_any_free(fresh);
        fresh = bp_make(&c, NULL);
        bp_expect(&c, "add_n", bp_add_range(s, 0, c.fill), BP_OK);
        bp_same(&c, "reset and filled again", s, fresh);
        bp_any_free(s);
        bp_any_free(fresh);
        bp_test_alloc_done(&alloc);
    }
}

static void config_of_makes_an_equal_sketch(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bp_test_alloc alloc = {0};
        bp_test_config cfg, again;
        bp_detail why = {BP_OK, "", 0, 0, 0};
        bp_any *s = bp_make(&c, &alloc), *copy;
        memset(&cfg, 0xEE, sizeof cfg);
        bp_any_config_of(s, &cfg);
        assert_true(cfg.bytes[c.table->config_size] == 0xEE);
        assert_true(cfg.prefix.alloc.ctx == &alloc);
        if (bp_any_new(&copy, c.kind->id, &cfg, &why))
            fail_msg("%s: new from config_of: %s", bp_case_name(&c), why.what);
        memset(&again, 0xEE, sizeof again);
        bp_any_config_of(copy, &again);
        assert_memory_equal(&cfg, &again, c.table->config_size);
        bp_expect(&c, "add_n", bp_add_range(copy, 0, c.fill), BP_OK);
        bp_same(&c, "made from config_of", copy, s);
        bp_any_free(s);
        bp_any_free(copy);
        bp_test_alloc_done(&alloc);
    }
}

static void bad_configurations_are_refused_without_a_sketch(void **state)
{
    BP_FOR_CASES(c, state)
    {
        for (int bad = 0; bad < 36; bad++) {
            bp_test_config cfg = bp_case_config(&c, NULL);
            bp_detail why = {BP_OK, NULL, 0, 0, 0};
            bp_any *s = (bp_any *)&cfg;
            if (bad < 32)
                cfg.bytes[c.table->config_size - 32 + (size_t)bad] = 1;
            else if (bad == 32)
                cfg.prefix.hash.id = 77;
            else if (bad == 33)
                cfg.prefix.hash.reserved = 1;
            else if (bad == 34)
                cfg.prefix.hash = (bp_hash_spec){.id = BP_HASH_XXH3, .key = {0, 1}};
            else
                cfg.prefix.hash = (bp_hash_spec){.id = BP_HASH_SIPHASH24, .seed = 1};
            bp_expect(&c, "new", bp_any_new(&s, c.kind->id, &cfg, &why), BP_PARAM);
            assert_null(s);
            assert_int_equal(why.status, BP_PARAM);
            assert_non_null(why.what);
            assert_int_equal(bp_any_footprint(c.kind->id, &cfg), 0);
        }
    }
}

/* ------------------------------------------------------------------------------ place */

static void *no_memory_at_all(void *ctx, void *p, size_t old_size, size_t new_size)
{
    (void)p;
    (void)old_size;
    (void)new_size;
    ++*(int *)ctx;
    return NULL;
}

static uint64_t memory_of(const bp_any *s)
{
    bp_description d;
    bp_any_describe(s, &d);
    for (size_t i = 0; i < d.count; i++)
        if (strcmp(d.figures[i].name, "memory") == 0)
            return d.figures[i].whole;
    return 0;
}

/* A placed sketch at mem + shift against one from new, both with the case's keys. A build
 * takes working memory, and so does the merge of some kinds; they give all of it back. */
static void place_at(const bp_case *c, size_t shift)
{
    int asked = 0;
    bp_test_config cfg = bp_case_config(c, NULL);
    cfg.prefix.alloc = (bp_alloc){no_memory_at_all, &asked};
    bp_test_alloc working = {0};
    if (c->kind->without & (BP_WITHOUT_ADD | BP_WITHOUT_LEAN_MERGE))
        cfg.prefix.alloc = bp_test_allocator(&working);
    const size_t room = bp_any_footprint(c->kind->id, &cfg);
    assert_true(room > 0);
    uint8_t *mem = (uint8_t *)malloc(room + 128);
    assert_non_null(mem);
    memset(mem, 0xC5, room + 128);
    uint8_t *at = mem + shift;
    bp_any *s = (bp_any *)mem, *want = bp_make(c, NULL);
    bp_detail why;
    bp_expect(c, "place in too little",
              bp_any_place(&s, c->kind->id, at, room - 1, &cfg, &why), BP_FULL);
    assert_null(s);
    assert_int_equal(why.want, room);
    bp_expect(c, "place", bp_any_place(&s, c->kind->id, at, room, &cfg, &why), BP_OK);
    assert_int_equal(working.asks, 0);
    bp_expect(c, "add_n", bp_add_range(s, 0, c->fill), BP_OK);
    bp_test_alloc_done(&working);
    if (!(c->kind->without & BP_WITHOUT_ADD))
        assert_int_equal(working.asks, 0);
    bp_same(c, "placed against new", s, want);
    assert_in_range(memory_of(s), room - 128, room); /* all but room for aligning */
    bool merged;
    bp_expect(c, "merge", bp_merge_or_refuse(c, s, want, &merged), BP_OK);
    bp_expect(c, "merge", bp_merge_or_refuse(c, want, want, &merged), BP_OK);
    bp_same(c, "placed and merged", s, want);
    bp_any_reset(s);
    bp_any_reset(want);
    bp_same(c, "placed and reset", s, want);
    bp_any_free(s);
    bp_any_free(want);
    bp_test_alloc_done(&working);
    for (size_t i = 0; i < 128; i++)
        if ((i < shift ? mem[i] : mem[room + i]) != 0xC5)
            fail_msg("%s: a byte outside the footprint was written", bp_case_name(c));
    free(mem);
    assert_int_equal(asked, 0);
}

static void place_behaves_as_new_in_its_footprint_and_never_allocates(void **state)
{
    BP_FOR_CASES(c, state)
    {
        const bp_test_config cfg = bp_case_config(&c, NULL);
        if (without(state) & BP_WITHOUT_PLACE) {
            uint8_t mem[64];
            bp_any *s;
            assert_int_equal(bp_any_footprint(c.kind->id, &cfg), 0);
            bp_expect(&c, "place",
                      bp_any_place(&s, c.kind->id, mem, sizeof mem, &cfg, NULL),
                      BP_UNSUPPORTED);
            assert_null(s);
            continue;
        }
        static const size_t shifts[] = {0, 1, 8, 33, 63};
        for (size_t i = 0; i < 5; i++)
            place_at(&c, shifts[i]);
    }
}

/* -------------------------------------------------------------------------- questions */

static void questions_change_nothing(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bp_any *s = bp_make(&c, NULL), *empty = bp_make_empty(&c, NULL), *clone;
        const bp_any *asked = s;
        bp_buf before = bp_encoded(s);
        bp_description d;
        bp_estimate e;
        bp_test_config cfg;
        bp_any_describe(asked, &d);
        (void)bp_any_estimate(asked, 0.95, &e, NULL);
        bp_any_config_of(asked, &cfg);
        bp_expect(&c, "clone", bp_any_clone(&clone, asked, NULL), BP_OK);
        bool merged;
        bp_expect(&c, "merge", bp_merge_or_refuse(&c, empty, asked, &merged), BP_OK);
        bp_buf after = bp_encoded(asked);
        bp_same_bytes(&c, "after questions", after, before);
        bp_any_free(s);
        bp_any_free(empty);
        bp_any_free(clone);
        bp_buf_free(&before);
        bp_buf_free(&after);
    }
}

static void one_figure_is_well_formed(const bp_case *c, const bp_description *d, size_t i)
{
    const bp_figure *f = &d->figures[i];
    const char *who = bp_case_name(c);
    if (!f->name || !f->name[0] ||
        strspn(f->name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(f->name))
        fail_msg("%s: figure %zu is not named in snake_case: %s", who, i,
                 f->name ? f->name : "NULL");
    for (size_t j = 0; j < i; j++)
        if (strcmp(d->figures[j].name, f->name) == 0)
            fail_msg("%s: two figures named %s", who, f->name);
    if (!f->unit || f->type > BP_FIGURE_TEXT || f->is_parameter > 1)
        fail_msg("%s: figure %s is malformed", who, f->name);
    if (f->type == BP_FIGURE_TEXT && !f->text)
        fail_msg("%s: figure %s has no text", who, f->name);
    if (f->type == BP_FIGURE_REAL && isnan(f->real))
        fail_msg("%s: figure %s is NaN", who, f->name);
}

static const bp_figure *figure(const bp_description *d, const char *name)
{
    for (size_t i = 0; i < d->count; i++)
        if (strcmp(d->figures[i].name, name) == 0)
            return &d->figures[i];
    return NULL;
}

static void parameters_stay(const bp_case *c, const bp_description *was,
                            const bp_description *now)
{
    for (size_t i = 0; i < was->count; i++) {
        const bp_figure *f = &was->figures[i], *g = figure(now, f->name);
        if (!f->is_parameter)
            continue;
        if (!g || !g->is_parameter || f->type != g->type || f->whole != g->whole ||
            memcmp(&f->real, &g->real, sizeof f->real) != 0 ||
            (f->text && strcmp(f->text, g->text) != 0))
            fail_msg("%s: the parameter %s changed", bp_case_name(c), f->name);
    }
}

static void describe_is_well_formed_and_parameters_stay(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bp_description d, fresh;
        bp_any *s = bp_make(&c, NULL), *empty = bp_make_empty(&c, NULL);
        memset(&d, 0xEE, sizeof d);
        bp_any_describe(s, &d);
        bp_any_describe(empty, &fresh);
        if (d.count <= 4 || d.count >= BP_FIGURES_MAX)
            fail_msg("%s: %zu figures", bp_case_name(&c), d.count);
        for (size_t i = 0; i < d.count; i++)
            one_figure_is_well_formed(&c, &d, i);
        assert_string_equal(figure(&d, "kind")->text, c.kind->name);
        assert_true(d.health <= BP_HEALTH_OVER);
        assert_non_null(d.advice);
        if ((d.health == BP_HEALTH_OK) != (d.advice[0] == 0))
            fail_msg("%s: advice and health disagree: \"%s\"", bp_case_name(&c),
                     d.advice);
        parameters_stay(&c, &fresh, &d);
        bp_any_free(s);
        bp_any_free(empty);
    }
}

static void bad_confidence_is_refused_and_the_output_untouched(const bp_case *c,
                                                               const bp_any *s)
{
    const double bad[] = {0, 1, -1, 2, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bp_estimate e = {1, 2, 3};
        bp_detail why = {BP_OK, NULL, 0, 0, 0};
        bp_expect(c, "estimate", bp_any_estimate(s, bad[i], &e, &why), BP_PARAM);
        assert_true(e.value == 1 && e.lower == 2 && e.upper == 3);
        assert_non_null(why.what);
    }
}

static void estimates_lie_in_bounds_that_widen_with_confidence(void **state)
{
    BP_FOR_CASES(c, state)
    {
        static const double confidence[] = {0.5, 0.9, 0.95, 0.999, 0.999999};
        bp_any *s = bp_make(&c, NULL);
        bp_estimate last = {0, INFINITY, -INFINITY}, e = {1, 2, 3};
        if (without(state) & BP_WITHOUT_ESTIMATE) {
            bp_expect(&c, "estimate", bp_any_estimate(s, 0.95, &e, NULL), BP_UNSUPPORTED);
            assert_true(e.value == 1);
        }
        for (size_t i = 0; i < 5 && !(without(state) & BP_WITHOUT_ESTIMATE); i++) {
            bp_expect(&c, "estimate", bp_any_estimate(s, confidence[i], &e, NULL), BP_OK);
            if (!(0 <= e.lower && e.lower <= e.value && e.value <= e.upper))
                fail_msg("%s: %g is not in [%g, %g]", bp_case_name(&c), e.value, e.lower,
                         e.upper);
            if (e.lower > last.lower || e.upper < last.upper)
                fail_msg("%s: more confidence must not narrow the bounds",
                         bp_case_name(&c));
            last = e;
        }
        if (!(without(state) & BP_WITHOUT_ESTIMATE))
            bad_confidence_is_refused_and_the_output_untouched(&c, s);
        if (!(without(state) & BP_WITHOUT_ESTIMATE) && c.fill == 0)
            assert_true(last.value == 0);
        bp_any_free(s);
    }
}

#define LAWS(kind)                                                                       \
    BP_KIND_TEST(kind, opt_outs_are_printed_with_their_reason),                          \
        BP_KIND_TEST(kind, add_or_build_is_refused_by_kinds_that_do_the_other),          \
        BP_KIND_TEST(kind, batches_equal_single_adds),                                   \
        BP_KIND_TEST(kind, hashes_equal_keys),                                           \
        BP_KIND_TEST(kind, adding_no_keys_changes_nothing),                              \
        BP_KIND_TEST(kind, equal_streams_give_equal_bytes),                              \
        BP_KIND_TEST(kind, clones_are_equal_and_independent),                            \
        BP_KIND_TEST(kind, a_reset_sketch_is_as_new),                                    \
        BP_KIND_TEST(kind, config_of_makes_an_equal_sketch),                             \
        BP_KIND_TEST(kind, bad_configurations_are_refused_without_a_sketch),             \
        BP_KIND_TEST(kind, place_behaves_as_new_in_its_footprint_and_never_allocates),   \
        BP_KIND_TEST(kind, questions_change_nothing),                                    \
        BP_KIND_TEST(kind, describe_is_well_formed_and_parameters_stay),                 \
        BP_KIND_TEST(kind, estimates_lie_in_bounds_that_widen_with_confidence),

static const struct CMUnitTest tests[] = {
#define BP_SKETCH(id, name, room, family, without, why) LAWS(name)
#include "sketches.def"
#undef BP_SKETCH
};

extern const bp_suite bp_suite_laws_life;
const bp_suite bp_suite_laws_life = {"laws_life", tests, sizeof tests / sizeof *tests,
                                     NULL, 0};
