/* SPDX-License-Identifier: MIT
 * bytes.c - the laws of encoding, decoding and viewing, for every kind, sample, fill. */
#include "harness.h"

#include <stdlib.h>

static bool has_view(void **state)
{
    return !(bp_any_kind_by_name((const char *)*state)->without & BP_WITHOUT_VIEW);
}

static bp_any *decode(const bp_case *c, bp_buf b, bp_test_alloc *alloc)
{
    const bp_open how = bp_case_open(c, alloc);
    bp_detail why = {BP_OK, "", 0, 0, 0};
    bp_any *s;
    if (bp_any_decode(&s, b.p, b.n, &how, &why))
        fail_msg("%s: decode: %s at %llu", bp_case_name(c), why.what,
                 (unsigned long long)why.at);
    return s;
}

static void decode_undoes_encode(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bp_test_alloc alloc = {0};
        bp_any *s = bp_make(&c, NULL);
        bp_buf b = bp_encoded(s);
        bp_any *d = decode(&c, b, &alloc);
        bp_same(&c, "decoded", d, s);
        /* It lives on as the original does. */
        bp_expect(&c, "add_n", bp_add_range(s, c.fill, 100), BP_OK);
        bp_expect(&c, "add_n", bp_add_range(d, c.fill, 100), BP_OK);
        bp_same(&c, "decoded and added to", d, s);
        bp_any_free(d);
        bp_any_free(s);
        bp_buf_free(&b);
        bp_test_alloc_done(&alloc);
    }
}

static void encode_says_its_size_and_never_writes_into_too_little(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bp_any *s = bp_make(&c, NULL);
        bp_buf b = bp_encoded(s), room = bp_buf_copy(b.p, b.n);
        memset(room.p, 0x77, room.n);
        const size_t caps[] = {0, 1, 55, 64, b.n / 2, b.n - 1};
        for (size_t i = 0; i < 6; i++) {
            size_t size = 4711;
            bp_detail why = {BP_OK, NULL, 0, 0, 0};
            bp_expect(&c, "encode", bp_any_encode(s, room.p, caps[i], &size, &why),
                      BP_FULL);
            assert_int_equal(size, 4711);
            assert_int_equal(why.have, caps[i]);
            assert_int_equal(why.want, b.n);
        }
        for (size_t i = 0; i < room.n; i++)
            assert_int_equal(room.p[i], 0x77);
        const bp_kind_info *kind = NULL;
        uint64_t whole = 0;
        bp_expect(&c, "peek", bp_any_peek(b.p, b.n, &kind, &whole, NULL), BP_OK);
        assert_ptr_equal(kind, c.kind);
        assert_int_equal(whole, b.n);
        bp_any_free(s);
        bp_buf_free(&b);
        bp_buf_free(&room);
    }
}

/* Joined, whatever their size; and one past the end is refused. */
static void parts_at(const bp_case *c, const bp_any *s, bp_buf whole, size_t size)
{
    bp_buf part = {(uint8_t *)malloc(size + 1), size + 1};
    assert_non_null(part.p);
    for (size_t at = 0, n; at < whole.n; at += n) {
        n = whole.n - at < size ? whole.n - at : size;
        part.p[n] = 0x77;
        bp_expect(c, "encode_part", bp_any_encode_part(s, at, part.p, n, NULL), BP_OK);
        if (memcmp(part.p, whole.p + at, n) != 0 || part.p[n] != 0x77)
            fail_msg("%s: the part of %zu bytes at %zu is another", bp_case_name(c), n,
                     at);
    }
    bp_buf_free(&part);
}

static void the_parts_of_the_bytes_are_the_bytes(void **state)
{
    BP_FOR_CASES(c, state)
    {
        static const size_t sizes[] = {4096, 1000, 64, 13, 8, 1};
        bp_any *s = bp_make(&c, NULL);
        bp_buf b = bp_encoded(s);
        uint8_t room = 0x77;
        const bp_status can = bp_any_encode_part(s, 0, &room, 1, NULL);
        bp_expect(&c, "encode_part past the end",
                  bp_any_encode_part(s, b.n, &room, 1, NULL), can ? can : BP_PARAM);
        bp_expect(&c, "encode_part far past the end",
                  bp_any_encode_part(s, UINT64_MAX, &room, 2, NULL),
                  can ? can : BP_PARAM);
        if (can) {
            bp_expect(&c, "encode_part", can, BP_UNSUPPORTED);
            assert_int_equal(room, 0x77);
        } else {
            parts_at(&c, s, b, b.n);
            /* Small parts of many bytes would take long: each makes the header. */
            for (size_t i = 0; i < 6; i++)
                if (b.n / sizes[i] < 5000)
                    parts_at(&c, s, b, sizes[i]);
        }
        bp_any_free(s);
        bp_buf_free(&b);
    }
}

static void each_block_of_the_payload_can_be_verified_alone(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bp_any *s = bp_make(&c, NULL);
        bp_buf b = bp_encoded(s);
        uint64_t at, size, i = 0;
        bp_expect(&c, "payload", bp_any_payload(b.p, b.n, &at, &size, NULL), BP_OK);
        assert_true(at % 64 == 0 && size <= b.n - at);
        for (; i * BP_PAYLOAD_BLOCK < size; i++) {
            const size_t first = at + i * BP_PAYLOAD_BLOCK;
            bp_detail why;
            bp_expect(&c, "verify", bp_any_verify_block(b.p, b.n, i, NULL), BP_OK);
            b.p[first] ^= 1;
            bp_expect(&c, "verify", bp_any_verify_block(b.p, b.n, i, &why), BP_CORRUPT);
            assert_int_equal(why.at, first);
            b.p[first] ^= 1;
        }
        bp_expect(&c, "verify", bp_any_verify_block(b.p, b.n, i, NULL), BP_PARAM);
        bp_expect(&c, "cut", bp_any_verify_block(b.p, b.n - 1, 0, NULL), BP_CORRUPT);
        bp_expect(&c, "cut", bp_any_payload(b.p, b.n - 1, &at, &size, NULL), BP_CORRUPT);
        bp_any_free(s);
        bp_buf_free(&b);
    }
}

static void decode_reads_bytes_at_any_address(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bp_any *s = bp_make(&c, NULL);
        bp_buf b = bp_encoded(s);
        for (size_t shift = 1; shift < 16; shift += 6) {
            bp_buf moved = {(uint8_t *)malloc(b.n + shift), b.n + shift};
            assert_non_null(moved.p);
            memcpy(moved.p + shift, b.p, b.n);
            bp_any *d = decode(&c, (bp_buf){moved.p + shift, b.n}, NULL);
            bp_same(&c, "decoded from an odd address", d, s);
            bp_any_free(d);
            bp_buf_free(&moved);
        }
        bp_any_free(s);
        bp_buf_free(&b);
    }
}

static void same_description(const bp_case *c, const bp_any *a, const bp_any *b)
{
    bp_description da, db;
    bp_any_describe(a, &da);
    bp_any_describe(b, &db);
    assert_int_equal(da.count, db.count);
    assert_int_equal(da.health, db.health);
    assert_string_equal(da.advice, db.advice);
    for (size_t i = 0; i < da.count; i++) {
        const bp_figure *f = &da.figures[i], *g = &db.figures[i];
        assert_string_equal(f->name, g->name);
        if (strcmp(f->name, "memory") == 0)
            continue;
        if (f->type != g->type || f->whole != g->whole ||
            memcmp(&f->real, &g->real, sizeof f->real) != 0 ||
            (f->text && strcmp(f->text, g->text) != 0))
            fail_msg("%s: a view says another %s", bp_case_name(c), f->name);
    }
}

/* Everything a const handle answers, over bytes at p. */
static void view_at(const bp_case *c, const uint8_t *p, size_t n, const bp_any *s,
                    uint32_t flags)
{
    bp_test_alloc alloc = {0};
    bp_open how = bp_case_open(c, &alloc);
    bp_detail why = {BP_OK, "", 0, 0, 0};
    const bp_any *v;
    bp_any *clone, *sum = bp_make_empty(c, NULL);
    how.flags = flags;
    if (bp_any_view(&v, p, n, &how, &why))
        fail_msg("%s: view: %s", bp_case_name(c), why.what);
    /* No copy: a handle and a head, however large the payload. */
    assert_true(alloc.live < 2048);
    bp_same(c, "a view", v, s);
    same_description(c, v, s);
    bp_estimate a = {0, 0, 0}, b = {0, 0, 0};
    assert_int_equal(bp_any_estimate(v, 0.9, &a, NULL),
                     bp_any_estimate(s, 0.9, &b, NULL));
    assert_memory_equal(&a, &b, sizeof a);
    bool merged;
    bp_expect(c, "merge from a view", bp_merge_or_refuse(c, sum, v, &merged), BP_OK);
    if (merged)
        bp_same(c, "merged from a view", sum, s);
    bp_expect(c, "clone of a view", bp_any_clone(&clone, v, NULL), BP_OK);
    bp_any_free(v);
    bp_any *want;
    bp_expect(c, "clone", bp_any_clone(&want, s, NULL), BP_OK);
    bp_expect(c, "add_n", bp_add_range(clone, 7000, 60), BP_OK);
    bp_expect(c, "add_n", bp_add_range(want, 7000, 60), BP_OK);
    bp_same(c, "a view's clone added to", clone, want);
    bp_any_free(clone);
    bp_any_free(want);
    bp_any_free(sum);
    bp_test_alloc_done(&alloc);
}

static void views_answer_as_the_original_without_a_copy(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bp_any *s = bp_make(&c, NULL);
        bp_buf b = bp_encoded(s);
        if (!has_view(state)) {
            const bp_open how = bp_case_open(&c, NULL);
            const bp_any *v = s;
            bp_expect(&c, "view", bp_any_view(&v, b.p, b.n, &how, NULL), BP_UNSUPPORTED);
            assert_null(v);
        }
        for (size_t shift = 0; shift < 8 && has_view(state); shift += 7) {
            uint8_t *moved = (uint8_t *)malloc(b.n + shift);
            assert_non_null(moved);
            memcpy(moved + shift, b.p, b.n);
            view_at(&c, moved + shift, b.n, s, 0);
            view_at(&c, moved + shift, b.n, s, BP_OPEN_VERIFY);
            assert_memory_equal(moved + shift, b.p, b.n);
            free(moved);
        }
        bp_any_free(s);
        bp_buf_free(&b);
    }
}

static void bytes_of_another_kind_are_refused(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bp_any *s = bp_make(&c, NULL);
        bp_buf b = bp_encoded(s);
        const bp_open how = bp_case_open(&c, NULL);
        for (size_t i = 0; bp_any_kind_at(i); i++) {
            bp_case other;
            bp_detail why;
            bp_object *d = (bp_object *)s;
            if (bp_any_kind_at(i) == c.kind)
                continue;
            assert_true(bp_case_at(bp_any_kind_at(i)->name, 0, &other));
            bp_expect(&c, "decode",
                      bp_object_decode(&d, other.table, b.p, b.n, &how, &why), BP_KIND);
            assert_null(d);
            assert_int_equal(why.at, 10);
            assert_int_equal(why.have, c.kind->id);
            assert_int_equal(why.want, other.kind->id);
        }
        bp_any_free(s);
        bp_buf_free(&b);
    }
}

/* ------------------------------------------------------------------------------- keyed
 */

static const uint8_t secret[16] = "SecretOfSixteen!";

/* The case's sketch under a secret key. */
static bp_any *make_keyed(const bp_case *c)
{
    bp_test_config cfg = bp_case_config(c, NULL);
    bp_any *s;
    cfg.prefix.hash = (bp_hash_spec){.id = BP_HASH_SIPHASH24};
    memcpy(cfg.prefix.hash.key, secret, 16);
    bp_expect(c, "new", bp_any_new(&s, c->kind->id, &cfg, NULL), BP_OK);
    bp_expect(c, "add_n", bp_add_range(s, 0, c->fill), BP_OK);
    return s;
}

static void no_part_of_the_key_is_inside(const bp_case *c, bp_buf b)
{
    for (size_t i = 0; i + 4 <= b.n; i++)
        for (size_t j = 0; j + 4 <= 16; j++)
            if (memcmp(b.p + i, secret + j, 4) == 0)
                fail_msg("%s: the secret key is in the bytes at %zu", bp_case_name(c), i);
}

/* Opening with `how` fails so, and leaves no handle. */
static void refused(const bp_case *c, bp_buf b, const bp_open *how, uint64_t at)
{
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    bp_any *d = (bp_any *)&why;
    const bp_any *v = d;
    bp_expect(c, "decode", bp_any_decode(&d, b.p, b.n, how, &why), BP_MISMATCH);
    assert_null(d);
    assert_int_equal(why.at, at);
    assert_true(why.have != why.want);
    bp_expect(c, "view", bp_any_view(&v, b.p, b.n, how, NULL), BP_MISMATCH);
    assert_null(v);
}

static void keyed_bytes_never_hold_the_key_and_open_only_with_it(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bp_any *s = make_keyed(&c), *d;
        bp_buf b = bp_encoded(s);
        uint8_t other[16] = {1};
        no_part_of_the_key_is_inside(&c, b);
        refused(&c, b, NULL, 24);
        refused(&c, b, &(bp_open){.key = other}, 24);
        const bp_open with = {.key = secret};
        bp_expect(&c, "decode with the key", bp_any_decode(&d, b.p, b.n, &with, NULL),
                  BP_OK);
        bp_same(&c, "decoded with the key", d, s);
        bp_test_config cfg;
        bp_any_config_of(d, &cfg);
        assert_memory_equal(cfg.prefix.hash.key, secret, 16);
        bp_expect(&c, "add_n", bp_add_range(s, 900, 30), BP_OK);
        bp_expect(&c, "add_n", bp_add_range(d, 900, 30), BP_OK);
        bp_same(&c, "decoded with the key and added to", d, s);
        bp_any_free(d);
        bp_any_free(s);
        bp_buf_free(&b);
    }
}

static void keyed_bytes_open_keyless_for_merging_and_describing(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bp_any *s = make_keyed(&c), *d, *clone;
        bp_buf b = bp_encoded(s);
        bp_description desc;
        const bp_open keyless = {.flags = BP_OPEN_KEYLESS};
        bp_expect(&c, "decode keyless", bp_any_decode(&d, b.p, b.n, &keyless, NULL),
                  BP_OK);
        bp_same(&c, "keyless", d, s);
        bp_any_describe(d, &desc);
        bp_expect(&c, "add_n keyless", bp_add_range(d, 900, 30), BP_UNSUPPORTED);
        bp_same(&c, "keyless, keys refused", d, s);
        bp_expect(&c, "clone", bp_any_clone(&clone, d, NULL), BP_OK);
        bool merged;
        bp_expect(&c, "merge keyed into keyless", bp_merge_or_refuse(&c, d, s, &merged),
                  BP_OK);
        bp_expect(&c, "merge keyless into keyed",
                  bp_merge_or_refuse(&c, s, clone, &merged), BP_OK);
        bp_same(&c, "merged with and without the key", d, s);
        bp_any_reset(d);
        bp_any_reset(s);
        bp_same(&c, "reset with and without the key", d, s);
        bp_expect(&c, "merge into reset keyless",
                  bp_merge_or_refuse(&c, d, clone, &merged), BP_OK);
        if (merged)
            bp_same(&c, "reset keyless and merged", d, clone);
        bp_any_free(d);
        bp_any_free(clone);
        bp_any_free(s);
        bp_buf_free(&b);
    }
}

static void what_decodes_can_be_reset_to_as_new(void **state)
{
    BP_FOR_CASES(c, state)
    {
        bp_any *s = bp_make(&c, NULL), *fresh, *d;
        bp_buf b = bp_encoded(s);
        bp_test_config cfg;
        bp_any_config_of(s, &cfg);
        const bp_open with = {.key = cfg.prefix.hash.key};
        bp_expect(&c, "decode", bp_any_decode(&d, b.p, b.n, &with, NULL), BP_OK);
        bp_any_reset(d);
        bp_any_config_of(d, &cfg);
        bp_expect(&c, "new", bp_any_new(&fresh, c.kind->id, &cfg, NULL), BP_OK);
        bp_same(&c, "decoded and reset", d, fresh);
        bp_expect(&c, "add_n", bp_add_range(d, 0, 300), BP_OK);
        bp_expect(&c, "add_n", bp_add_range(fresh, 0, 300), BP_OK);
        bp_same(&c, "decoded, reset and added to", d, fresh);
        bp_any_free(d);
        bp_any_free(fresh);
        bp_any_free(s);
        bp_buf_free(&b);
    }
}

static void options_newer_than_the_library_are_refused(void **state)
{
    const bp_open newer[] = {
        {.flags = 4}, {.reserved32 = 1}, {.reserved = {1, 0}}, {.reserved = {0, 1}}};
    bp_case c;
    assert_true(bp_case_at((const char *)*state, 0, &c));
    bp_any *s = bp_make(&c, NULL);
    bp_buf b = bp_encoded(s);
    for (size_t i = 0; i < 4; i++) {
        bp_any *d = s;
        const bp_any *v = s;
        bp_expect(&c, "decode", bp_any_decode(&d, b.p, b.n, &newer[i], NULL), BP_PARAM);
        assert_null(d);
        bp_expect(&c, "view", bp_any_view(&v, b.p, b.n, &newer[i], NULL), BP_PARAM);
        assert_null(v);
    }
    bp_any_free(s);
    bp_buf_free(&b);
}

#define LAWS(kind)                                                                       \
    BP_KIND_TEST(kind, decode_undoes_encode),                                            \
        BP_KIND_TEST(kind, encode_says_its_size_and_never_writes_into_too_little),       \
        BP_KIND_TEST(kind, the_parts_of_the_bytes_are_the_bytes),                        \
        BP_KIND_TEST(kind, each_block_of_the_payload_can_be_verified_alone),             \
        BP_KIND_TEST(kind, decode_reads_bytes_at_any_address),                           \
        BP_KIND_TEST(kind, views_answer_as_the_original_without_a_copy),                 \
        BP_KIND_TEST(kind, bytes_of_another_kind_are_refused),                           \
        BP_KIND_TEST(kind, keyed_bytes_never_hold_the_key_and_open_only_with_it),        \
        BP_KIND_TEST(kind, keyed_bytes_open_keyless_for_merging_and_describing),         \
        BP_KIND_TEST(kind, what_decodes_can_be_reset_to_as_new),                         \
        BP_KIND_TEST(kind, options_newer_than_the_library_are_refused),

static const struct CMUnitTest tests[] = {
#define BP_SKETCH(id, name, room, family, without, why) LAWS(name)
#include "sketches.def"
#undef BP_SKETCH
};

extern const bp_suite bp_suite_laws_bytes;
const bp_suite bp_suite_laws_bytes = {"laws_bytes", tests, sizeof tests / sizeof *tests,
                                      NULL, 0};
