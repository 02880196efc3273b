/* SPDX-License-Identifier: MIT
 * blocked_bloom_fold_test.c - folding, and Parquet's bytes. */
#include "sketches/blocked_bloom/blocked_bloom_test.h"

#include "core/xxh.h"

enum { S256 = BP_BLOCKED_BLOOM_SPLIT256, PAYLOAD = 128 };

/* Folded after its keys came, and made that small before: the same bytes. */
static void fold_equals_small(bp_blocked_bloom_config cfg, uint64_t blocks)
{
    bp_blocked_bloom *s = blocked_make(cfg);
    bp_blocked_bloom_config small;
    bp_blocked_bloom_config_of(s, &small);
    const uint64_t times = small.blocks / blocks;
    small.items = (small.items + times - 1) / times;
    small.blocks = blocks;
    small.memory = 0;
    small.fpr = 0;
    bp_blocked_bloom *t = blocked_make(small);
    uint64_t a = 3, b = 3;
    blocked_add_random(s, &a, 500);
    blocked_add_random(t, &b, 500);
    assert_int_equal(bp_blocked_bloom_fold(s, blocks, NULL), BP_OK);
    bp_buf x = bp_encoded((bp_any *)s), y = bp_encoded((bp_any *)t);
    assert_true(bp_buf_equal(x, y));
    bp_buf_free(&x);
    bp_buf_free(&y);
    blocked_add_random(s, &a, 100); /* and goes on */
    blocked_add_random(t, &b, 100);
    assert_int_equal(bp_blocked_bloom_merge(s, t, NULL), BP_OK);
    assert_true(bp_blocked_bloom_fpr(s) <= bp_blocked_bloom_fpr(t));
    bp_blocked_bloom_reset(s);
    assert_true(bp_blocked_bloom_fpr(s) == 0);
    bp_blocked_bloom_free(s);
    bp_blocked_bloom_free(t);
}

void a_folded_filter_is_the_smaller_one_with_the_same_keys(void **state)
{
    (void)state;
    static const uint64_t odd[] = {1, 3, 5, 15, 30, 60};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        for (uint32_t layout = 1; layout <= 2; layout++)
            fold_equals_small((bp_blocked_bloom_config){.blocks = 60, .layout = layout},
                              odd[i]);
    for (uint64_t blocks = 1; blocks <= 4096; blocks *= 2) {
        fold_equals_small((bp_blocked_bloom_config){.blocks = 4096, .layout = S256},
                          blocks);
        fold_equals_small((bp_blocked_bloom_config){.blocks = 4096, .hashes = 5}, blocks);
        fold_equals_small((bp_blocked_bloom_config){.blocks = 4096, .concurrent = true},
                          blocks);
    }
}

void a_filter_folds_to_divisors_of_its_blocks_alone(void **state)
{
    (void)state;
    static const uint64_t bad[] = {0, 5, 7, 24, 25, UINT64_MAX};
    bp_blocked_bloom *s = blocked_make((bp_blocked_bloom_config){.blocks = 12});
    bp_add_range((bp_any *)s, 0, 50);
    bp_buf before = bp_encoded((bp_any *)s);
    bp_detail why;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(bp_blocked_bloom_fold(s, bad[i], &why), BP_PARAM);
        assert_string_equal(why.what, "a filter folds to a divisor of its blocks");
        assert_int_equal(why.have, bad[i]);
        assert_int_equal(why.want, 12);
    }
    bp_buf after = bp_encoded((bp_any *)s);
    assert_true(bp_buf_equal(before, after));
    assert_int_equal(bp_blocked_bloom_fold(s, 4, &why), BP_OK);
    bp_buf_free(&before);
    bp_buf_free(&after);
    bp_blocked_bloom_free(s);
}

static bool has_measured_rate(const bp_blocked_bloom *s)
{
    bp_description d;
    bool has = false;
    bp_blocked_bloom_describe(s, &d);
    for (size_t i = 0; i < d.count; i++)
        has |= strcmp(d.figures[i].name, "fpr_measured") == 0;
    return has;
}

void the_rate_measured_before_a_fold_is_not_said_of_the_folded(void **state)
{
    (void)state;
    bp_blocked_bloom *s = blocked_make((bp_blocked_bloom_config){.blocks = 12});
    assert_int_equal(bp_any_report((bp_any *)s, 100, 1, NULL), BP_OK);
    assert_int_equal(bp_blocked_bloom_fold(s, 12, NULL), BP_OK);
    assert_true(has_measured_rate(s));
    assert_int_equal(bp_blocked_bloom_fold(s, 6, NULL), BP_OK);
    assert_false(has_measured_rate(s));
    bp_blocked_bloom_free(s);
}

/* apache/parquet-testing, data/bloom_filter.xxhash.bin: a header of 16 bytes, then 32
 * blocks with the four words in them, as parquet-mr wrote them. The hash of the blocks.
 */
void a_split256_is_parquets_filter_byte_for_byte(void **state)
{
    (void)state;
    static const bp_bytes words[] = {
        {"hello", 5}, {"parquet", 7}, {"bloom", 5}, {"filter", 6}};
    bp_blocked_bloom *s = blocked_make((bp_blocked_bloom_config){
        .hash = {.id = BP_HASH_XXH64}, .blocks = 32, .layout = S256});
    assert_int_equal(bp_blocked_bloom_add_n(s, words, 4, NULL), 4);
    bp_buf b = bp_encoded((bp_any *)s);
    assert_int_equal(XXH3_64bits(b.p + PAYLOAD, 1024), UINT64_C(0xb92a1c7df53d7354));
    bp_buf_free(&b);
    bp_blocked_bloom_free(s);
}
