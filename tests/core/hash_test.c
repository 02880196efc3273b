/* SPDX-License-Identifier: MIT
 * hash_test.c - every hash against published values, in one call, in batches and in
 * pieces cut at every place. */
#include "keys.h"
#include "vectors/vectors.h"

#include "core/xxh.h"
#include "hash/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const uint32_t ids[] = {BP_HASH_DEFAULT, BP_HASH_XXH3,    BP_HASH_SIPHASH24,
                               BP_HASH_XXH64,   BP_HASH_MURMUR3, BP_HASH_MURMUR64A};
enum { IDS = 6 };

/* A valid spec of each hash that is not its plainest. */
static bp_hash_spec spec_of(uint32_t id)
{
    bp_hash_spec spec = {.id = id};
    for (int i = 0; i < 16 && id == BP_HASH_SIPHASH24; i++)
        spec.key[i] = (uint8_t)(3 * i + 1);
    if (id != BP_HASH_SIPHASH24)
        spec.seed = id == BP_HASH_MURMUR3 ? 0xFEEDBEEF : UINT64_C(0xFEEDBEEF12345678);
    return spec;
}

/* The bytes of xxHash's own sanity checks. */
static void sanity_bytes(uint8_t *p, size_t n)
{
    uint64_t g = 2654435761u;
    for (size_t i = 0; i < n; i++) {
        p[i] = (uint8_t)(g >> 56);
        g *= UINT64_C(0x9E3779B185EBCA8D);
    }
}

static void check_vector(size_t i, const json_t *v)
{
    static uint8_t input[4096];
    const bp_hash_spec spec = bp_json_hash(v);
    size_t n = (size_t)bp_json_whole_or(v, "sanity", 0);
    if (json_object_get(v, "sanity"))
        sanity_bytes(input, n);
    else
        n = bp_from_hex(bp_json_text(v, "input"), input, sizeof input);
    const uint64_t have = bp_hash(&spec, input, n), want = bp_json_whole(v, "result");
    if (have != want)
        fail_msg("vector %zu (%s of %zu bytes): %016" PRIx64 ", not %016" PRIx64, i,
                 bp_hash_name(spec.id), n, have, want);
    if (json_object_get(v, "second")) {
        uint64_t pair[2];
        bp_hash_murmur3_128(input, n, (uint32_t)spec.seed, pair);
        assert_true(pair[0] == want);
        assert_true(pair[1] == bp_json_whole(v, "second"));
    }
}

static void every_hash_gives_its_published_values(void **state)
{
    (void)state;
    json_t *root = bp_vectors_load("hash");
    const json_t *vectors = json_object_get(root, "vectors");
    assert_int_equal(json_array_size(vectors), 117);
    for (size_t i = 0; i < json_array_size(vectors); i++)
        check_vector(i, json_array_get(vectors, i));
    json_decref(root);
}

/* SMHasher's: the hash of the hashes of {0, 1, .., i-1} under seed 256 - i. */
static void murmur_gives_the_verification_values_of_smhasher(void **state)
{
    (void)state;
    uint8_t key[256], all64[256 * 8], all128[256 * 16];
    uint64_t pair[2];
    for (size_t i = 0; i < 256; i++) {
        key[i] = (uint8_t)i;
        bp_store64(all64 + 8 * i, bp_murmur64a(key, i, 256 - i));
        bp_hash_murmur3_128(key, i, (uint32_t)(256 - i), pair);
        bp_store64(all128 + 16 * i, pair[0]);
        bp_store64(all128 + 16 * i + 8, pair[1]);
    }
    assert_int_equal((uint32_t)bp_murmur64a(all64, sizeof all64, 0), 0x1F0D3804);
    bp_hash_murmur3_128(all128, sizeof all128, 0, pair);
    assert_int_equal((uint32_t)pair[0], 0x6384BA69);
}

/* One key in up to three pieces. */
static uint64_t in_pieces(const bp_hash_spec *spec, const uint8_t *p, size_t n, size_t a,
                          size_t b)
{
    bp_hash_stream s;
    assert_int_equal(bp_hash_begin(&s, spec, NULL), BP_OK);
    bp_hash_add(&s, p, a);
    bp_hash_add(&s, NULL, 0);
    bp_hash_add(&s, p + a, b - a);
    const uint64_t so_far = bp_hash_end(&s); /* asking does not end it */
    assert_true(so_far == bp_hash(spec, p, b));
    bp_hash_add(&s, p + b, n - b);
    return bp_hash_end(&s);
}

static void pieces_cut_anywhere_equal_the_whole(void **state)
{
    (void)state;
    static uint8_t p[2000];
    sanity_bytes(p, sizeof p);
    for (size_t i = 0; i < IDS; i++) {
        const bp_hash_spec spec = spec_of(ids[i]);
        if (spec.id == BP_HASH_MURMUR64A)
            continue;
        for (size_t n = 0; n < sizeof p; n += n < 300 ? 7 : 423) {
            const uint64_t whole = bp_hash(&spec, p, n);
            for (size_t cut = 0; cut <= n; cut += n < 300 || !bp_test_quick ? 1 : 17) {
                assert_true(in_pieces(&spec, p, n, 0, cut) == whole);
                assert_true(in_pieces(&spec, p, n, cut / 2, cut) == whole);
            }
        }
    }
}

static void many_single_bytes_equal_the_whole(void **state)
{
    (void)state;
    static uint8_t p[3000];
    sanity_bytes(p, sizeof p);
    for (size_t i = 0; i < IDS; i++) {
        const bp_hash_spec spec = spec_of(ids[i]);
        bp_hash_stream s;
        if (spec.id == BP_HASH_MURMUR64A)
            continue;
        assert_int_equal(bp_hash_begin(&s, &spec, NULL), BP_OK);
        for (size_t at = 0; at < sizeof p; at++)
            bp_hash_add(&s, p + at, 1);
        assert_true(bp_hash_end(&s) == bp_hash(&spec, p, sizeof p));
    }
    bp_hash_stream s;
    assert_int_equal(bp_hash_begin(&s, NULL, NULL), BP_OK);
    bp_hash_add(&s, p, 20);
    assert_true(bp_hash_end(&s) == bp_hash(NULL, p, 20));
}

/* The stream's struct is only 8-byte aligned by its type; its state wants 64. */
static void a_stream_may_lie_at_any_word(void **state)
{
    (void)state;
    static uint64_t room[sizeof(bp_hash_stream) / 8 + 8];
    uint8_t p[500];
    sanity_bytes(p, sizeof p);
    for (size_t at = 0; at < 8; at++) {
        bp_hash_stream *s = (bp_hash_stream *)(room + at);
        assert_int_equal(bp_hash_begin(s, NULL, NULL), BP_OK);
        bp_hash_add(s, p, 300);
        bp_hash_add(s, p + 300, 200);
        assert_true(bp_hash_end(s) == bp_hash(NULL, p, 500));
    }
}

/* xxHash derives its secret from the seed again only when the state's seed is another: a
 * stack that held a stream of the same seed must not pass for one that has it. */
static void a_stream_does_not_believe_what_is_left_in_its_memory(void **state)
{
    (void)state;
    uint8_t p[500];
    bp_hash_stream s;
    const bp_hash_spec spec = spec_of(BP_HASH_XXH3);
    sanity_bytes(p, sizeof p);
    memset(&s, 0xEE, sizeof s);
    uint8_t *inside = (uint8_t *)(((uintptr_t)&s + 63) & ~(uintptr_t)63);
    XXH3_state_t *stale = (XXH3_state_t *)(void *)(inside + 64);
    stale->seed = spec.seed;
    stale->extSecret = NULL;
    assert_int_equal(bp_hash_begin(&s, &spec, NULL), BP_OK);
    bp_hash_add(&s, p, sizeof p);
    assert_true(bp_hash_end(&s) == bp_hash(&spec, p, sizeof p));
}

static void murmur64a_and_bad_specs_cannot_begin_a_stream(void **state)
{
    (void)state;
    bp_hash_stream s;
    bp_detail why;
    bp_hash_spec spec = spec_of(BP_HASH_MURMUR64A);
    assert_int_equal(bp_hash_begin(&s, &spec, &why), BP_UNSUPPORTED);
    assert_int_equal(why.status, BP_UNSUPPORTED);
    spec.id = 9;
    assert_int_equal(bp_hash_begin(&s, &spec, &why), BP_PARAM);
}

static void batches_and_numbers_equal_single_keys(void **state)
{
    (void)state;
    enum { N = 700 };
    static uint8_t bytes[N][40];
    static bp_bytes keys[N];
    static uint64_t out[N];
    for (size_t i = 0; i < N; i++) {
        sanity_bytes(bytes[i], 40);
        bp_store64(bytes[i], i);
        keys[i] = (bp_bytes){i % 41 ? bytes[i] : NULL, i % 41};
    }
    for (size_t k = 0; k <= IDS; k++) {
        const bp_hash_spec spec = spec_of(ids[k % IDS]);
        const bp_hash_spec *given = k < IDS ? &spec : NULL;
        bp_hash_n(given, keys, N, out);
        for (size_t i = 0; i < N; i++)
            assert_true(out[i] == bp_hash(given, keys[i].ptr, keys[i].len));
        assert_true(bp_hash_u64(given, UINT64_C(0x0807060504030201)) ==
                    bp_hash(given, "\1\2\3\4\5\6\7\10", 8));
    }
    const bp_hash_spec plain = {.id = BP_HASH_DEFAULT};
    bp_hash_n(&plain, keys, N, out);
    for (size_t i = 0; i < N; i++)
        assert_true(out[i] == bp_hash(NULL, keys[i].ptr, keys[i].len));
}

static void hashes_do_not_depend_on_alignment(void **state)
{
    (void)state;
    uint8_t room[300];
    for (size_t k = 0; k < IDS; k++) {
        const bp_hash_spec spec = spec_of(ids[k]);
        for (size_t n = 0; n < 280; n += 9) {
            uint8_t p[280];
            sanity_bytes(p, n);
            const uint64_t want = bp_hash(&spec, p, n);
            for (size_t at = 0; at < 16; at++) {
                memcpy(room + at, p, n);
                assert_true(bp_hash(&spec, room + at, n) == want);
            }
        }
    }
}

static void specs_are_checked(void **state)
{
    (void)state;
    bp_detail why;
    assert_int_equal(bp_hash_check(NULL, NULL), BP_OK);
    for (size_t k = 0; k < IDS; k++) {
        const bp_hash_spec good = spec_of(ids[k]);
        bp_hash_spec bad = good;
        assert_int_equal(bp_hash_check(&good, NULL), BP_OK);
        bad.reserved = 1;
        assert_int_equal(bp_hash_check(&bad, &why), BP_PARAM);
        bad = good;
        if (good.id == BP_HASH_SIPHASH24)
            bad.seed = 1;
        else
            bad.key[15] = 1;
        assert_int_equal(bp_hash_check(&bad, &why), BP_PARAM);
        assert_non_null(why.what);
    }
    const bp_hash_spec none = {.id = 6};
    const bp_hash_spec wide = {.id = BP_HASH_MURMUR3, .seed = UINT64_C(1) << 32};
    assert_int_equal(bp_hash_check(&none, &why), BP_PARAM);
    assert_int_equal(bp_hash_check(&wide, &why), BP_PARAM);
    assert_true(why.have == UINT64_C(1) << 32 && why.want == UINT32_MAX);
}

static void names_are_stable(void **state)
{
    (void)state;
    static const char *const names[] = {"xxh3",    "xxh3",      "siphash24", "xxh64",
                                        "murmur3", "murmur64a", "unknown"};
    for (uint32_t i = 0; i < 7; i++)
        assert_string_equal(bp_hash_name(i), names[i]);
    assert_string_equal(bp_hash_name(UINT32_MAX), "unknown");
}

static void a_key_check_tells_keys_apart_and_not_what_they_are(void **state)
{
    (void)state;
    bp_hash_spec spec = spec_of(BP_HASH_SIPHASH24);
    const uint64_t check = bp_hashing_all.key_check(&spec);
    for (int bit = 0; bit < 128; bit++) {
        spec.key[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_true(bp_hashing_all.key_check(&spec) != check);
        spec.key[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    assert_true(check != bp_load64(spec.key) && check != bp_load64(spec.key + 8));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_hash_gives_its_published_values),
    cmocka_unit_test(murmur_gives_the_verification_values_of_smhasher),
    cmocka_unit_test(pieces_cut_anywhere_equal_the_whole),
    cmocka_unit_test(many_single_bytes_equal_the_whole),
    cmocka_unit_test(a_stream_may_lie_at_any_word),
    cmocka_unit_test(a_stream_does_not_believe_what_is_left_in_its_memory),
    cmocka_unit_test(murmur64a_and_bad_specs_cannot_begin_a_stream),
    cmocka_unit_test(batches_and_numbers_equal_single_keys),
    cmocka_unit_test(hashes_do_not_depend_on_alignment),
    cmocka_unit_test(specs_are_checked),
    cmocka_unit_test(names_are_stable),
    cmocka_unit_test(a_key_check_tells_keys_apart_and_not_what_they_are),
};

extern const bp_suite bp_suite_hash;
const bp_suite bp_suite_hash = {"hash", tests, sizeof tests / sizeof *tests, NULL, 0};
