/* SPDX-License-Identifier: MIT
 * parts_test.c - the small parts of core: bits, cursor, maths, random numbers, processor,
 * allocation, words for outcomes, the version. */
#include "suite.h"

#include "core/bits.h"
#include "core/core.h"
#include "core/cpu.h"
#include "core/cursor.h"
#include "core/mathx.h"
#include "core/rng.h"
#include "parts/unique.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* -------------------------------------------------------------------------------- bits
 */

static void words_are_little_endian_on_every_machine_and_at_any_address(void **state)
{
    (void)state;
    uint8_t b[24];
    for (size_t at = 0; at < 8; at++) {
        memset(b, 0xCC, sizeof b);
        bp_store64(b + at, UINT64_C(0x0102030405060708));
        assert_memory_equal(b + at, "\x08\x07\x06\x05\x04\x03\x02\x01", 8);
        assert_int_equal(b[at + 8], 0xCC);
        assert_true(bp_load64(b + at) == UINT64_C(0x0102030405060708));
        bp_store32(b + at, 0xA0B0C0D0u);
        assert_memory_equal(b + at, "\xD0\xC0\xB0\xA0\x04", 5);
        assert_int_equal(bp_load32(b + at), 0xA0B0C0D0u);
        bp_store16(b + at, 0xBEEF);
        assert_memory_equal(b + at, "\xEF\xBE\xB0", 3);
        assert_int_equal(bp_load16(b + at), 0xBEEF);
    }
    /* A word as it lies in memory is its own little-endian form. */
    uint64_t v = bp_le64(5);
    assert_memory_equal(&v, "\x05\0\0\0\0\0\0\0", 8);
    uint32_t w = bp_le32(5);
    assert_memory_equal(&w, "\x05\0\0\0", 4);
}

/* The schoolbook product, on 32-bit digits: what a machine without 128 bits does. */
static uint64_t schoolbook(uint64_t a, uint64_t b, uint64_t *low)
{
    uint64_t digit[4] = {0, 0, 0, 0};
    const uint64_t x[2] = {(uint32_t)a, a >> 32}, y[2] = {(uint32_t)b, b >> 32};
    for (int i = 0; i < 2; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < 2; j++) {
            const uint64_t t = x[i] * y[j] + digit[i + j] + carry;
            digit[i + j] = (uint32_t)t;
            carry = t >> 32;
        }
        digit[i + 2] = carry;
    }
    *low = digit[1] << 32 | digit[0];
    return digit[3] << 32 | digit[2];
}

static void products_are_exact_in_both_forms(void **state)
{
    (void)state;
    static const uint64_t edge[] = {0,
                                    1,
                                    2,
                                    0xFFFFFFFFu,
                                    UINT64_C(1) << 32,
                                    UINT64_C(0x8000000000000000),
                                    UINT64_MAX - 1,
                                    UINT64_MAX};
    uint64_t rng = 1, low, portable, want;
    for (int i = 0; i < 20064; i++) {
        const uint64_t a = i < 64 ? edge[i / 8] : bp_rng_next(&rng) >> i % 60;
        const uint64_t b = i < 64 ? edge[i % 8] : bp_rng_next(&rng);
        const uint64_t high = schoolbook(a, b, &want);
        assert_true(bp_mul128(a, b, &low) == high && low == want);
        assert_true(bp_mul128_portable(a, b, &portable) == high && portable == want);
        assert_true(want == a * b);
    }
}

static void a_range_is_never_left_and_is_not_limited_to_32_bits(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {
        1, 2, 3, 1000, UINT64_C(1) << 33, (UINT64_C(1) << 40) + 7, UINT64_MAX};
    for (size_t i = 0; i < 7; i++) {
        const uint64_t n = sizes[i];
        assert_true(bp_range(0, n) == 0);
        assert_true(bp_range(UINT64_MAX, n) == n - 1);
        assert_true(bp_range(UINT64_C(1) << 63, n) == n / 2);
    }
}

static void the_second_word_differs_from_the_first_and_follows_every_bit(void **state)
{
    (void)state;
    assert_true(bp_second(0) != 0);
    uint64_t rng = 7, changed[64] = {0};
    for (int i = 0; i < 1000; i++) {
        const uint64_t h = bp_rng_next(&rng);
        for (int bit = 0; bit < 64; bit++)
            changed[bit] |= bp_second(h) ^ bp_second(h ^ UINT64_C(1) << bit);
    }
    for (int bit = 0; bit < 64; bit++)
        assert_true(changed[bit] == UINT64_MAX);
}

static void sums_saturate_and_sizes_round_up(void **state)
{
    (void)state;
    assert_true(bp_add_sat64(UINT64_MAX, 1) == UINT64_MAX);
    assert_true(bp_add_sat64(UINT64_MAX - 5, 5) == UINT64_MAX);
    assert_true(bp_add_sat64(UINT64_MAX - 5, 4) == UINT64_MAX - 1);
    assert_true(bp_round_up(0, 64) == 0 && bp_round_up(1, 64) == 64);
    assert_true(bp_round_up(64, 64) == 64 && bp_round_up(65, 64) == 128);
    assert_true(bp_rotl64(1, 0) == 1 && bp_rotl64(UINT64_C(1) << 63, 1) == 1);
}

/* ------------------------------------------------------------------------------ cursor
 */

static void a_reader_that_runs_out_answers_zero_and_remembers(void **state)
{
    (void)state;
    const uint8_t b[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    bp_reader r = bp_read(b, sizeof b);
    assert_int_equal(bp_get8(&r), 1);
    assert_int_equal(bp_get16(&r), 0x0302);
    assert_int_equal(bp_get32(&r), 0x07060504);
    assert_int_equal(bp_left(&r), 4);
    assert_true(bp_get64(&r) == 0);
    assert_true(r.short_);
    assert_int_equal(bp_get8(&r), 0); /* although a byte is left: nothing after a gap */
    assert_null(bp_get(&r, 0));
    r = bp_read(b, sizeof b);
    assert_non_null(bp_get(&r, sizeof b));
    assert_int_equal(bp_left(&r), 0);
    assert_null(bp_get(&r, SIZE_MAX));
    r = bp_read(NULL, 0);
    assert_int_equal(bp_get16(&r), 0);
    assert_true(r.short_);
}

static void a_writer_never_writes_past_its_room_nor_half_a_word(void **state)
{
    (void)state;
    uint8_t b[16];
    for (size_t room = 0; room < 15; room++) {
        memset(b, 0xEE, sizeof b);
        bp_writer w = bp_write(b, room);
        bp_put8(&w, 1);
        bp_put16(&w, 0x0302);
        bp_put32(&w, 0x07060504);
        bp_put64(&w, UINT64_C(0x0F0E0D0C0B0A0908));
        const size_t fits = room < 1 ? 0 : room < 3 ? 1 : room < 7 ? 3 : 7;
        assert_int_equal(w.at, fits);
        assert_true(w.full);
        for (size_t i = 0; i < sizeof b; i++)
            assert_int_equal(b[i], i < fits ? i + 1 : 0xEE);
    }
    bp_writer w = bp_write(b, 15);
    bp_put(&w, NULL, 0);
    bp_put8(&w, 1);
    bp_put16(&w, 0x0302);
    bp_put32(&w, 0x07060504);
    bp_put64(&w, UINT64_C(0x0F0E0D0C0B0A0908));
    assert_false(w.full);
    for (size_t i = 0; i < 15; i++)
        assert_int_equal(b[i], i + 1);
}

static void reals_keep_every_bit(void **state)
{
    (void)state;
    const double values[] = {
        0.0, -0.0, 0.01, 1.0 / 3, 1e-300, INFINITY, 0x1.fffffffffffffp0};
    for (size_t i = 0; i < 7; i++) {
        uint8_t b[8];
        bp_writer w = bp_write(b, 8);
        bp_put_double(&w, values[i]);
        bp_reader r = bp_read(b, 8);
        const double back = bp_get_double(&r);
        assert_memory_equal(&back, &values[i], 8);
    }
    uint8_t one[8];
    bp_writer w = bp_write(one, 8);
    bp_put_double(&w, 1.0);
    assert_memory_equal(one, "\0\0\0\0\0\0\xF0\x3F", 8);
}

/* ------------------------------------------------------------------------------- maths
 */

static void two_sided_quantiles_equal_the_tables(void **state)
{
    (void)state;
    static const struct {
        double confidence, z;
    } table[] = {
        {0.01, 0.012533469508069276},   {0.1, 0.12566134685507402},
        {0.5, 0.67448975019608171},     {0.68268949213708585, 1.0},
        {0.8, 1.2815515655446004},      {0.9, 1.6448536269514722},
        {0.95, 1.9599639845400545},     {0.99, 2.5758293035489004},
        {0.999, 3.2905267314918945},    {0.999999, 4.8916384756985904},
        {0.999999999, 6.1094102048693},
    };
    double last = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const double z = bp_normal_two_sided(table[i].confidence);
        /* 1 - confidence itself has lost digits at the far end of the table. */
        const double allowed = i < 9 ? 1e-9 : 1e-7;
        if (fabs(z / table[i].z - 1) > allowed)
            fail_msg("z(%g) is %.12g, not %.12g", table[i].confidence, z, table[i].z);
        assert_true(z > last);
        last = z;
    }
    assert_true(bp_normal_two_sided(1e-12) >= 0);
    assert_true(bp_normal_two_sided(1 - 0x1p-53) > 8);
    assert_true(bp_normal_two_sided(1 - 0x1p-53) < 9);
}

static void a_confidence_lies_strictly_between_0_and_1(void **state)
{
    (void)state;
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    assert_int_equal(bp_check_confidence(0.95, &why), BP_OK);
    assert_int_equal(bp_check_confidence(1e-300, NULL), BP_OK);
    const double bad[] = {0, 1, -0.5, 95, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(bp_check_confidence(bad[i], &why), BP_PARAM);
    assert_int_equal(why.status, BP_PARAM);
    assert_non_null(why.what);
}

static void random_numbers_are_the_published_stream(void **state)
{
    (void)state;
    uint64_t s = 1234567;
    static const uint64_t want[] = {6457827717110365317u, 3203168211198807973u,
                                    9817491932198370423u, 4593380528125082431u,
                                    16408922859458223821u};
    for (int i = 0; i < 5; i++)
        assert_true(bp_rng_next(&s) == want[i]);
    for (int i = 0; i < 1000; i++) {
        const double u = bp_rng_unit(&s);
        assert_true(u >= 0 && u < 1);
    }
}

/* ---------------------------------------------------------------- processor, memory */

static void instruction_sets_can_be_forbidden_and_allowed_again(void **state)
{
    (void)state;
    const uint32_t all = bp_cpu();
    assert_true(all & BP_CPU_KNOWN);
    printf("this processor:%s%s%s\n", all & BP_CPU_AVX2 ? " avx2" : "",
           all & BP_CPU_AVX512 ? " avx512" : "", all & BP_CPU_NEON ? " neon" : "");
    bp_cpu_allow(0);
    assert_int_equal(bp_cpu(), BP_CPU_KNOWN);
    bp_cpu_allow(BP_CPU_AVX2);
    assert_int_equal(bp_cpu(), (all & BP_CPU_AVX2) | BP_CPU_KNOWN);
    bp_cpu_allow(UINT32_MAX);
    assert_int_equal(bp_cpu(), all);
}

static void no_allocator_means_mallocs(void **state)
{
    (void)state;
    const bp_alloc a = bp_resolve((bp_alloc){NULL, NULL});
    assert_non_null((void *)(uintptr_t)a.resize);
    uint8_t *p = bp_allocate(&a, 10);
    assert_non_null(p);
    memset(p, 3, 10);
    p = bp_reallocate(&a, p, 10, 1000);
    assert_non_null(p);
    for (int i = 0; i < 10; i++)
        assert_int_equal(p[i], 3);
    bp_release(&a, p, 1000);
    bp_release(&a, NULL, 0);
    assert_null(bp_allocate(&a, SIZE_MAX / 2 + 1));
}

/* ------------------------------------------------------------------- words, version */

static void every_status_has_its_own_words(void **state)
{
    (void)state;
    for (int i = BP_OK; i <= BP_UNSUPPORTED; i++) {
        assert_true(bp_status_text((bp_status)i)[0] != 0);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(bp_status_text((bp_status)i),
                                    bp_status_text((bp_status)j));
    }
    assert_string_equal(bp_status_text(BP_OK), "ok");
    assert_string_equal(bp_status_text((bp_status)10), "unknown status");
    assert_string_equal(bp_status_text((bp_status)-1), "unknown status");
}

static void status_numbers_are_frozen(void **state)
{
    (void)state;
    static const int numbers[] = {BP_OK,      BP_NOMEM,      BP_PARAM, BP_MISMATCH,
                                  BP_CORRUPT, BP_VERSION,    BP_KIND,  BP_FULL,
                                  BP_EMPTY,   BP_UNSUPPORTED};
    for (int i = 0; i < 10; i++)
        assert_int_equal(numbers[i], i);
}

static void failing_fills_the_detail_when_there_is_one(void **state)
{
    (void)state;
    bp_detail why;
    assert_int_equal(bp_fail_at(&why, BP_CORRUPT, "words", 7, 8, 9), BP_CORRUPT);
    assert_int_equal(why.status, BP_CORRUPT);
    assert_string_equal(why.what, "words");
    assert_true(why.at == 7 && why.have == 8 && why.want == 9);
    assert_int_equal(bp_fail(NULL, BP_FULL, "words", 1, 2), BP_FULL);
}

static void the_version_is_the_one_in_the_version_file(void **state)
{
    (void)state;
    char text[32] = "";
    FILE *f = fopen(BP_SOURCE_DIR "/VERSION", "r");
    if (!f || !fgets(text, sizeof text, f))
        fail_msg("VERSION cannot be read");
    fclose(f);
    text[strcspn(text, "\n")] = 0;
    assert_string_equal(bp_version(), text);
}

/* Random ones, and ones that repeat, which agree in their high bits or their low ones. */
static void hashes_are_sorted_and_each_is_kept_once(void **state)
{
    (void)state;
    enum { N = 100000 };
    static uint64_t h[N], room[N], seed = 1;
    static bool seen[N];
    for (size_t n = 0; n < N; n = n * 3 / 2 + 1)
        for (unsigned shift = 0; shift <= 40; shift += 40) {
            uint64_t before = 0, after = 0;
            memset(seen, 0, sizeof seen);
            for (size_t i = 0; i < n; i++) {
                const uint64_t x = bp_range(bp_rng_next(&seed), n / 2 + 1);
                before += seen[x] ? 0 : x + 1;
                seen[x] = true;
                h[i] = x << shift;
            }
            const size_t kept = bp_sort_unique(h, room, n);
            for (size_t i = 0; i < kept; i++) {
                assert_true(i == 0 || h[i - 1] < h[i]);
                after += (h[i] >> shift) + 1;
            }
            assert_int_equal(after, before);
            for (size_t i = 0; i < n; i++)
                h[i] = bp_rng_next(&seed);
            assert_int_equal(bp_sort_unique(h, room, n), n);
            for (size_t i = 1; i < n; i++)
                assert_true(h[i - 1] < h[i]);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(hashes_are_sorted_and_each_is_kept_once),
    cmocka_unit_test(words_are_little_endian_on_every_machine_and_at_any_address),
    cmocka_unit_test(products_are_exact_in_both_forms),
    cmocka_unit_test(a_range_is_never_left_and_is_not_limited_to_32_bits),
    cmocka_unit_test(the_second_word_differs_from_the_first_and_follows_every_bit),
    cmocka_unit_test(sums_saturate_and_sizes_round_up),
    cmocka_unit_test(a_reader_that_runs_out_answers_zero_and_remembers),
    cmocka_unit_test(a_writer_never_writes_past_its_room_nor_half_a_word),
    cmocka_unit_test(reals_keep_every_bit),
    cmocka_unit_test(two_sided_quantiles_equal_the_tables),
    cmocka_unit_test(a_confidence_lies_strictly_between_0_and_1),
    cmocka_unit_test(random_numbers_are_the_published_stream),
    cmocka_unit_test(instruction_sets_can_be_forbidden_and_allowed_again),
    cmocka_unit_test(no_allocator_means_mallocs),
    cmocka_unit_test(every_status_has_its_own_words),
    cmocka_unit_test(status_numbers_are_frozen),
    cmocka_unit_test(failing_fills_the_detail_when_there_is_one),
    cmocka_unit_test(the_version_is_the_one_in_the_version_file),
};

extern const bp_suite bp_suite_core;
const bp_suite bp_suite_core = {"core", tests, sizeof tests / sizeof *tests, NULL, 0};
