/* SPDX-License-Identifier: MIT
 * envelope_test.c - the frame around every sketch's bytes: frozen to the byte, every
 * refusal with its offset, damage located by block, sizes up to the end of memory. */
#include "harness.h"

#include "core/xxh.h"

#include <stdio.h>
#include <stdlib.h>

static const uint8_t params[5] = {0xA1, 0xA2, 0xA3, 0xA4, 0xA5};
static const uint8_t payload[11] = "hello ball";

/* Written by hand from the table in envelope.c; the two checksums are XXH3's of what
 * stands before them. This is the format: it never changes. */
/* clang-format off */
static const uint8_t frozen[152] = {
    0x89, 'b', 'a', 'l', 'l', 'p', 'k', '\n',               /* 0   magic                */
    0x01, 0x00,                                             /* 8   format version       */
    0x34, 0x12,                                             /* 10  kind                 */
    0x08, 0x07, 0x06, 0x05,                                 /* 12  required flags       */
    0x0c, 0x0b, 0x0a, 0x09,                                 /* 16  optional flags       */
    0x02, 0x00,                                             /* 20  hash                 */
    0xfe, 0xca,                                             /* 22  rule                 */
    0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,         /* 24  seed                 */
    0x05, 0x00, 0x00, 0x00,                                 /* 32  parameter bytes      */
    0x80, 0x00, 0x00, 0x00,                                 /* 36  header bytes         */
    0x0b, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,         /* 40  payload bytes        */
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,         /* 48  reserved             */
    0xa1, 0xa2, 0xa3, 0xa4, 0xa5,                           /* 56  parameters           */
    [120] = 0xd5, 0x59, 0xe7, 0xa5, 0x1a, 0xe9, 0x7b, 0x99, /* 120 checksum of [0, 120) */
    [128] = 'h', 'e', 'l', 'l', 'o', ' ', 'b', 'a', 'l', 'l', 0x00, /* 128 payload      */
    [144] = 0x36, 0xe1, 0xae, 0xfa, 0xf2, 0xab, 0x34, 0x96, /* 144 checksum of payload  */
};
/* clang-format on */

static bp_envelope example(void)
{
    return (bp_envelope){.kind = 0x1234,
                         .rule = 0xCAFE,
                         .required = 0x05060708,
                         .optional = 0x090A0B0C,
                         .hash = 2,
                         .seed = UINT64_C(0x1122334455667788),
                         .params = params,
                         .params_size = sizeof params,
                         .payload_size = sizeof payload};
}

static void the_layout_is_frozen_to_the_byte(void **state)
{
    (void)state;
    uint8_t buf[sizeof frozen];
    const bp_envelope e = example();
    assert_int_equal(bp_envelope_header_size(sizeof params), 128);
    assert_int_equal(bp_envelope_size(sizeof params, sizeof payload), sizeof frozen);
    memset(buf, 0xEE, sizeof buf);
    memcpy(buf + 128, payload, sizeof payload);
    bp_envelope_seal(&e, buf);
    for (size_t i = 0; i < sizeof buf; i++)
        if (buf[i] != frozen[i])
            fail_msg("byte %zu is %02x, frozen as %02x", i, buf[i], frozen[i]);
    assert_true(bp_load64(frozen + 120) == XXH3_64bits(frozen, 120));
    assert_true(bp_load64(frozen + 144) == XXH3_64bits(payload, sizeof payload));
}

static void open_reads_every_field_back(void **state)
{
    (void)state;
    bp_envelope e;
    const bp_envelope want = example();
    assert_int_equal(bp_envelope_open(&e, frozen, sizeof frozen, true, NULL), BP_OK);
    assert_int_equal(e.kind, want.kind);
    assert_int_equal(e.rule, want.rule);
    assert_int_equal(e.required, want.required);
    assert_int_equal(e.optional, want.optional);
    assert_int_equal(e.hash, want.hash);
    assert_true(e.seed == want.seed);
    assert_int_equal(e.params_size, sizeof params);
    assert_memory_equal(e.params, params, sizeof params);
    assert_int_equal(e.payload_size, sizeof payload);
    assert_int_equal(e.payload_at, 128);
    assert_memory_equal(e.payload, payload, sizeof payload);
    assert_int_equal(bp_envelope_verify(&e, NULL), BP_OK);
    /* The header alone is enough to look at. */
    assert_int_equal(bp_envelope_open(&e, frozen, 128, false, NULL), BP_OK);
    assert_null(e.payload);
    assert_int_equal(bp_envelope_open(&e, frozen, 127, false, NULL), BP_CORRUPT);
}

static void headers_are_whole_cache_lines(void **state)
{
    (void)state;
    assert_int_equal(bp_envelope_header_size(0), 64);
    assert_int_equal(bp_envelope_header_size(1), 128);
    assert_int_equal(bp_envelope_header_size(64), 128);
    assert_int_equal(bp_envelope_header_size(65), 192);
    assert_int_equal(bp_envelope_header_size(BP_ENVELOPE_PARAMS_MAX), 4160);
    assert_int_equal(bp_envelope_size(0, 0), 64);
    assert_int_equal(bp_envelope_size(0, 1), 64 + 8 + 8);
    assert_int_equal(bp_envelope_size(0, 1 << 20), 64 + (1 << 20) + 8);
    assert_int_equal(bp_envelope_size(0, (1 << 20) + 1), 64 + (1 << 20) + 8 + 16);
}

static void sizes_that_no_memory_has_are_0(void **state)
{
    (void)state;
    const uint64_t many[] = {SIZE_MAX / 2,       SIZE_MAX,       UINT64_MAX / 2,
                             UINT64_MAX / 2 + 1, UINT64_MAX - 7, UINT64_MAX};
    for (size_t i = 0; i < sizeof many / sizeof *many; i++)
        assert_int_equal(bp_envelope_size(5, many[i]), 0);
    for (uint64_t n = SIZE_MAX / 2 - 70000; n < SIZE_MAX / 2; n += 1000) {
        const size_t all = bp_envelope_size(5, n);
        assert_true(all == 0 || all > n);
    }
    /* Half of what an address can count, less its checksums, still fits. */
    assert_true(bp_envelope_size(0, SIZE_MAX / 4) > SIZE_MAX / 4);
}

/* ---------------------------------------------------------------------------- refusals
 */

/* Copies the frozen bytes, sets `width` bytes at `at` to v, repairs the header's checksum
 * at 120 (which need not be where the changed header says), and opens. */
static bp_status open_changed(size_t at, size_t width, uint64_t v, bp_detail *why)
{
    uint8_t b[sizeof frozen], word[8];
    bp_envelope e;
    memcpy(b, frozen, sizeof b);
    bp_store64(word, v);
    memcpy(b + at, word, width);
    bp_store64(b + 120, XXH3_64bits(b, 120));
    *why = (bp_detail){BP_OK, NULL, 0, 0, 0};
    const bp_status st = bp_envelope_open(&e, b, sizeof b, true, why);
    return st ? st : bp_envelope_verify(&e, why);
}

static void every_refusal_says_where_and_what(void **state)
{
    (void)state;
    static const struct {
        size_t at, width;
        uint64_t value;
        bp_status status;
        uint64_t where, have, want;
    } table[] = {
        {0, 1, 0x88, BP_KIND, 0, 0, 0},
        {7, 1, '\r', BP_KIND, 0, 0, 0},
        {8, 2, 2, BP_VERSION, 8, 2, 1},
        {8, 2, 0xFFFF, BP_VERSION, 8, 0xFFFF, 1},
        {8, 2, 0, BP_CORRUPT, 8, 0, 1},
        {8, 2, 0x100, BP_CORRUPT, 8, 0, 0},
        {32, 4, 4097, BP_CORRUPT, 32, 4097, 4096},
        {32, 4, 0xFFFFFFFF, BP_CORRUPT, 32, 0xFFFFFFFF, 4096},
        {32, 4, 0, BP_CORRUPT, 36, 128, 64},
        {36, 4, 64, BP_CORRUPT, 36, 64, 128},
        {36, 4, 0, BP_CORRUPT, 36, 0, 128},
        {36, 4, 129, BP_CORRUPT, 36, 129, 128},
        {40, 8, UINT64_MAX, BP_CORRUPT, 40, UINT64_MAX, SIZE_MAX},
        {40, 8, UINT64_MAX / 2 + 1, BP_CORRUPT, 40, UINT64_MAX / 2 + 1, SIZE_MAX},
        {40, 8, 0, BP_CORRUPT, 128, 152, 128},
        {40, 8, 17, BP_CORRUPT, 152, 152, 160},
        {48, 8, 1, BP_CORRUPT, 48, 1, 0},
        {55, 1, 0x80, BP_CORRUPT, 48, UINT64_C(0x80) << 56, 0},
        {61, 1, 9, BP_CORRUPT, 61, 9, 0}, /* header padding */
        {119, 1, 9, BP_CORRUPT, 119, 9, 0},
        {139, 1, 7, BP_CORRUPT, 139, 7, 0}, /* payload padding */
        {143, 1, 7, BP_CORRUPT, 143, 7, 0},
        {128, 1, 'H', BP_CORRUPT, 128, 0, 0}, /* payload, its block */
        {144, 1, 0, BP_CORRUPT, 128, 0, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        bp_detail why;
        const bp_status st =
            open_changed(table[i].at, table[i].width, table[i].value, &why);
        if (st != table[i].status || why.status != st || why.at != table[i].where ||
            why.have != table[i].have || why.want != table[i].want || !why.what)
            fail_msg("byte %zu: %s, \"%s\" at %llu, %llu against %llu", table[i].at,
                     bp_status_text(st), why.what ? why.what : "NULL",
                     (unsigned long long)why.at, (unsigned long long)why.have,
                     (unsigned long long)why.want);
    }
}

static void a_wrong_header_checksum_is_located(void **state)
{
    (void)state;
    uint8_t b[sizeof frozen];
    bp_envelope e;
    bp_detail why;
    for (size_t i = 8; i < 128; i++) {
        memcpy(b, frozen, sizeof b);
        b[i] ^= 0x10;
        assert_int_not_equal(bp_envelope_open(&e, b, sizeof b, true, &why), BP_OK);
        /* Lengths, versions and reserved bytes are looked at first. */
        if ((i >= 10 && i < 32) || i >= 56)
            assert_int_equal(why.at, 120);
    }
}

static void every_length_that_is_not_the_whole_is_refused(void **state)
{
    (void)state;
    bp_envelope e;
    bp_detail why;
    uint8_t longer[sizeof frozen + 1] = {0};
    for (size_t n = 0; n < sizeof frozen; n++) {
        uint8_t *cut = malloc(n ? n : 1);
        assert_non_null(cut);
        memcpy(cut, frozen, n);
        assert_int_equal(bp_envelope_open(&e, cut, n, true, &why), BP_CORRUPT);
        assert_int_equal(why.at, n < 8 ? 0 : n);
        assert_int_equal(why.have, n);
        free(cut);
    }
    memcpy(longer, frozen, sizeof frozen);
    assert_int_equal(bp_envelope_open(&e, longer, sizeof longer, true, &why), BP_CORRUPT);
    assert_int_equal(why.at, sizeof frozen);
    assert_int_equal(why.have, sizeof longer);
    assert_int_equal(bp_envelope_open(&e, NULL, 0, true, &why), BP_CORRUPT);
}

/* ------------------------------------------------------------------------------ blocks
 */

static void damage_is_located_by_block(void **state)
{
    (void)state;
    enum { MIB = 1 << 20, SIZE = 3 * MIB + 100 };
    const bp_envelope e = {.kind = 1, .payload_size = SIZE, .params = params};
    const size_t all = bp_envelope_size(0, SIZE), sums = 64 + SIZE + 4;
    uint8_t *b = calloc(1, all);
    assert_non_null(b);
    assert_int_equal(all, 64 + SIZE + 4 + 4 * 8);
    for (size_t i = 0; i < SIZE; i++)
        b[64 + i] = (uint8_t)(i * 7 ^ i >> 8);
    bp_envelope_seal(&e, b);
    for (size_t i = 0; i < 4; i++) {
        const size_t n = i < 3 ? MIB : 100;
        assert_true(bp_load64(b + sums + 8 * i) == XXH3_64bits(b + 64 + i * MIB, n));
    }
    bp_envelope back;
    bp_detail why;
    static const size_t places[] = {0,           MIB - 1, MIB,     2 * MIB - 1,
                                    2 * MIB + 5, 3 * MIB, SIZE - 1};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        b[64 + places[i]] ^= 1;
        assert_int_equal(bp_envelope_open(&back, b, all, true, NULL), BP_OK);
        assert_int_equal(bp_envelope_verify(&back, &why), BP_CORRUPT);
        assert_int_equal(why.at, 64 + places[i] / MIB * MIB);
        for (size_t j = 0; j < 4; j++)
            assert_int_equal(bp_envelope_verify_block(&back, j, &why),
                             j == places[i] / MIB ? BP_CORRUPT : BP_OK);
        b[64 + places[i]] ^= 1;
    }
    assert_int_equal(bp_envelope_verify(&back, NULL), BP_OK);
    assert_int_equal(bp_envelope_verify_block(&back, 4, NULL), BP_PARAM);
    assert_int_equal(bp_envelope_verify_block(&back, UINT64_MAX, NULL), BP_PARAM);
    free(b);
}

/* Of more than one block, in parts that end anywhere: at, in and between the checksums.
 */
static void parts_join_to_what_seal_writes(void **state)
{
    (void)state;
    enum { MIB = 1 << 20, SIZE = 2 * MIB + 3, ALL = 64 + SIZE + 5 + 3 * 8 };
    static const size_t sizes[] = {ALL, MIB, 100003, 40};
    bp_envelope e = {.kind = 1, .payload_size = SIZE, .params = params};
    uint8_t *whole = calloc(1, ALL), *joined = calloc(1, ALL);
    assert_non_null(whole);
    assert_non_null(joined);
    for (size_t i = 0; i < SIZE; i++)
        whole[64 + i] = (uint8_t)(i * 7 ^ i >> 8);
    bp_envelope_seal(&e, whole);
    e.payload = whole + 64;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memset(joined, 0x77, ALL);
        for (size_t at = 0; at < ALL; at += sizes[i])
            bp_envelope_part(&e, at, joined + at,
                             ALL - at < sizes[i] ? ALL - at : sizes[i]);
        assert_memory_equal(joined, whole, ALL);
    }
    for (size_t at = ALL - 40; at < ALL; at++) {
        joined[at] = 0x77;
        bp_envelope_part(&e, at, joined + at, 1);
        assert_int_equal(joined[at], whole[at]);
    }
    free(joined);
    free(whole);
}

static void repair_mends_what_the_walks_break(void **state)
{
    (void)state;
    uint8_t b[sizeof frozen];
    bp_envelope e;
    memcpy(b, frozen, sizeof b);
    b[24] ^= 1;  /* seed */
    b[130] ^= 1; /* payload */
    assert_int_not_equal(bp_envelope_open(&e, b, sizeof b, true, NULL), BP_OK);
    bp_repair(b, sizeof b);
    assert_int_equal(bp_envelope_open(&e, b, sizeof b, true, NULL), BP_OK);
    assert_int_equal(bp_envelope_verify(&e, NULL), BP_OK);
    b[24] ^= 1;
    b[130] ^= 1;
    bp_repair(b, sizeof b);
    assert_memory_equal(b, frozen, sizeof b);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_layout_is_frozen_to_the_byte),
    cmocka_unit_test(open_reads_every_field_back),
    cmocka_unit_test(headers_are_whole_cache_lines),
    cmocka_unit_test(sizes_that_no_memory_has_are_0),
    cmocka_unit_test(every_refusal_says_where_and_what),
    cmocka_unit_test(a_wrong_header_checksum_is_located),
    cmocka_unit_test(every_length_that_is_not_the_whole_is_refused),
    cmocka_unit_test(damage_is_located_by_block),
    cmocka_unit_test(parts_join_to_what_seal_writes),
    cmocka_unit_test(repair_mends_what_the_walks_break),
};

extern const bp_suite bp_suite_envelope;
const bp_suite bp_suite_envelope = {"envelope", tests, sizeof tests / sizeof *tests, NULL,
                                    0};
