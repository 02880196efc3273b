/* SPDX-License-Identifier: MIT
 * parquet_test.c - Parquet's filters: the bytes of parquet-mr, any number of blocks,
 * hostile headers, what Parquet has no word for. */
#include "harness.h"

#include "core/xxh.h"

#include <ballpark/ballpark.h>

#include <stdlib.h>

static const uint8_t header_1024[16] = {0x15, 0x80, 0x10, 0x1C, 0x1C, 0, 0, 0x1C,
                                        0x1C, 0,    0,    0x1C, 0x1C, 0, 0, 0};

static const bp_bytes words[] = {
    {"hello", 5}, {"parquet", 7}, {"bloom", 5}, {"filter", 6}};

static bp_blocked_bloom *make(uint64_t blocks)
{
    const bp_blocked_bloom_config cfg = {.hash = {.id = BP_HASH_XXH64},
                                         .blocks = blocks,
                                         .layout = BP_BLOCKED_BLOOM_SPLIT256};
    bp_blocked_bloom *s = NULL;
    assert_int_equal(bp_blocked_bloom_new(&s, &cfg, NULL), BP_OK);
    bp_blocked_bloom_add_n(s, words, 4, NULL);
    return s;
}

static bp_buf encoded(const bp_blocked_bloom *s)
{
    size_t n = 0, again = 0;
    assert_int_equal(bp_parquet_encode(s, NULL, 0, &n, NULL), BP_OK);
    bp_buf b = {(uint8_t *)malloc(n), n};
    assert_non_null(b.p);
    assert_int_equal(bp_parquet_encode(s, b.p, n, &again, NULL), BP_OK);
    assert_int_equal(again, n);
    return b;
}

/* apache/parquet-testing, data/bloom_filter.xxhash.bin: the whole file. */
static void the_bytes_are_those_of_parquet_mr(void **state)
{
    (void)state;
    bp_blocked_bloom *s = make(32), *back = NULL;
    bp_buf b = encoded(s);
    assert_int_equal(b.n, 1040);
    assert_memory_equal(b.p, header_1024, 16);
    assert_int_equal(XXH3_64bits(b.p + 16, 1024), UINT64_C(0xb92a1c7df53d7354));
    assert_int_equal(bp_parquet_decode(&back, b.p, b.n, NULL, NULL), BP_OK);
    assert_int_equal(bp_blocked_bloom_has_n(back, words, 4, NULL), 4);
    assert_false(bp_blocked_bloom_has(back, "stranger", 8));
    bp_same(NULL, "decoded", (bp_any *)back, (bp_any *)s);
    bp_blocked_bloom_free(back);
    bp_blocked_bloom_free(s);
    bp_buf_free(&b);
}

static void any_number_of_blocks_comes_back(void **state)
{
    (void)state;
    for (uint64_t z = 1; z < 600; z += z < 70 ? 1 : 37) {
        bp_blocked_bloom *s = make(z), *back = NULL;
        bp_buf b = encoded(s);
        uint64_t size = 0;
        assert_int_equal(bp_parquet_peek(b.p, BP_PARQUET_PEEK, &size, NULL), BP_OK);
        assert_int_equal(size, b.n);
        assert_int_equal(bp_parquet_decode(&back, b.p, b.n, NULL, NULL), BP_OK);
        bp_same(NULL, "decoded", (bp_any *)back, (bp_any *)s);
        bp_blocked_bloom_free(back);
        bp_blocked_bloom_free(s);
        bp_buf_free(&b);
    }
}

static bp_status decode(const uint8_t *p, size_t n, bp_detail *why)
{
    bp_blocked_bloom *s = NULL;
    uint8_t *exact = (uint8_t *)malloc(n ? n : 1); /* ASan sees a byte too far */
    assert_non_null(exact);
    if (n)
        memcpy(exact, p, n);
    *why = (bp_detail){BP_OK, NULL, 0, 0, 0};
    const bp_status st = bp_parquet_decode(&s, exact, n, NULL, why);
    assert_true((st == BP_OK) == (s != NULL));
    assert_true(st == BP_OK || (why->status == st && why->what && why->at <= n));
    bp_blocked_bloom_free(s);
    free(exact);
    return st;
}

static void every_cut_and_every_changed_header_is_refused_where_it_is_wrong(void **state)
{
    (void)state;
    bp_detail why;
    bp_blocked_bloom *s = make(32);
    bp_buf b = encoded(s);
    uint8_t longer[1041] = {0};
    memcpy(longer, b.p, b.n);
    for (size_t n = 0; n < b.n; n++) {
        assert_int_equal(decode(b.p, n, &why), BP_CORRUPT);
        assert_int_equal(why.at, n);
    }
    assert_int_equal(decode(longer, sizeof longer, &why), BP_CORRUPT);
    assert_int_equal(why.at, 1040);
    for (size_t i = 0; i < 16; i++)
        for (int v = 1; v < 256; v++) {
            memcpy(longer, b.p, b.n);
            longer[i] ^= (uint8_t)v;
            assert_int_not_equal(decode(longer, b.n, &why), BP_OK);
            assert_true(why.at <= (i == 1 || i == 2 ? b.n : i));
        }
    bp_buf_free(&b);
    bp_blocked_bloom_free(s);
}

static void what_is_newer_older_or_something_else_is_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t n;
        bp_status status;
        uint64_t at;
    } table[] = {
        {"PAR1", 4, BP_KIND, 0},
        {"\x89"
         "ballpk\n",
         8, BP_KIND, 0},
        {"\0\4\0\0\0\0\0\0\0\0\0\0", 12, BP_VERSION, 0}, /* of before 2.10: 1024 bytes */
        {"\x15\x80\x10\x2C\x1C\0\0", 7, BP_CORRUPT, 3},
        {"\x15\x80\x10\x1C\x2C\0\0", 7, BP_VERSION, 4},         /* algorithm   */
        {"\x15\x80\x10\x1C\x1C\0\0\x1C\x2C", 9, BP_VERSION, 8}, /* hash        */
        {"\x15\x80\x10\x1C\x1C\0\0\x1C\x1C\0\0\x1C\x3C", 13, BP_VERSION, 12},
        {"\x15\x80\x10\x1C\x1C\0\0\x1C\x1C\0\0\x1C\x1C\0\0\x15", 16, BP_VERSION, 15},
        {"\x15\0\x1C\x1C", 4, BP_CORRUPT, 1},               /* no bytes    */
        {"\x15\x81\x10\x1C", 4, BP_CORRUPT, 1},             /* negative    */
        {"\x15\x82\x10\x1C", 4, BP_CORRUPT, 1},             /* 1025        */
        {"\x15\x80\x90\0\x1C", 5, BP_CORRUPT, 1},           /* a longer way */
        {"\x15\x80\x80\x80\x80\x10\x1C", 7, BP_CORRUPT, 1}, /* 33 bits     */
        {"\x15\x80\x80\x80\x80\x80\x10", 7, BP_CORRUPT, 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        bp_detail why;
        const uint8_t *p = (const uint8_t *)table[i].bytes;
        uint64_t size = 4711;
        const bp_status st = decode(p, table[i].n, &why);
        if (st != table[i].status || why.at != table[i].at)
            fail_msg("case %zu: %s at %llu", i, why.what, (unsigned long long)why.at);
        assert_int_equal(bp_parquet_peek(p, table[i].n, &size, NULL), st);
        assert_int_equal(size, 4711);
    }
}

static void what_parquet_has_no_word_for_is_not_written(void **state)
{
    (void)state;
    const bp_blocked_bloom_config table[] = {
        {.hash = {.id = BP_HASH_XXH64}, .blocks = 32},
        {.blocks = 32, .layout = BP_BLOCKED_BLOOM_SPLIT256},
        {.hash = {.id = BP_HASH_XXH64, .seed = 1},
         .blocks = 32,
         .layout = BP_BLOCKED_BLOOM_SPLIT256}};
    for (size_t i = 0; i < 3; i++) {
        bp_blocked_bloom *s = NULL;
        size_t n = 4711;
        bp_detail why;
        assert_int_equal(bp_blocked_bloom_new(&s, &table[i], NULL), BP_OK);
        assert_int_equal(bp_parquet_encode(s, NULL, 0, &n, &why), BP_UNSUPPORTED);
        assert_int_equal(n, 4711);
        bp_blocked_bloom_free(s);
    }
    bp_blocked_bloom *s = make(32);
    uint8_t room[1040];
    size_t n = 4711;
    bp_detail why;
    memset(room, 0x77, sizeof room);
    assert_int_equal(bp_parquet_encode(s, room, 1039, &n, &why), BP_FULL);
    assert_int_equal(why.want, 1040);
    assert_int_equal(room[0], 0x77);
    assert_int_equal(n, 4711);
    bp_blocked_bloom_free(s);
}

static void memory_that_is_refused_is_told_and_none_is_kept(void **state)
{
    (void)state;
    bp_blocked_bloom *s = make(32), *back = NULL;
    bp_buf b = encoded(s);
    for (uint64_t n = 1;; n++) {
        bp_test_alloc a = {0};
        const bp_alloc alloc = bp_test_allocator(&a);
        bp_test_fail(&a, n, false);
        const bp_status st = bp_parquet_decode(&back, b.p, b.n, &alloc, NULL);
        assert_int_equal(st, a.failed ? BP_NOMEM : BP_OK);
        assert_true((back == NULL) == (st != BP_OK));
        assert_true(a.most < 4096);
        bp_blocked_bloom_free(back);
        bp_test_alloc_done(&a);
        if (!a.failed)
            break;
    }
    bp_buf_free(&b);
    bp_blocked_bloom_free(s);
}

/* The filter of more blocks, folded, is the filter of fewer: as Parquet's bytes, too. */
static void folding_gives_the_smaller_filters_bytes(void **state)
{
    (void)state;
    for (uint64_t z = 1; z <= 64; z *= 2) {
        bp_blocked_bloom *large = make(64), *small = make(z);
        assert_int_equal(bp_blocked_bloom_fold(large, z, NULL), BP_OK);
        bp_buf a = encoded(large), b = encoded(small);
        assert_true(bp_buf_equal(a, b));
        bp_buf_free(&a);
        bp_buf_free(&b);
        bp_blocked_bloom_free(large);
        bp_blocked_bloom_free(small);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_bytes_are_those_of_parquet_mr),
    cmocka_unit_test(any_number_of_blocks_comes_back),
    cmocka_unit_test(every_cut_and_every_changed_header_is_refused_where_it_is_wrong),
    cmocka_unit_test(what_is_newer_older_or_something_else_is_told_apart),
    cmocka_unit_test(what_parquet_has_no_word_for_is_not_written),
    cmocka_unit_test(memory_that_is_refused_is_told_and_none_is_kept),
    cmocka_unit_test(folding_gives_the_smaller_filters_bytes),
};

extern const bp_suite bp_suite_parquet;
const bp_suite bp_suite_parquet = {"parquet", tests, sizeof tests / sizeof *tests, NULL,
                                   0};
