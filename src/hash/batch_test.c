/* SPDX-License-Identifier: MIT
 * batch_test.c - batches of keys hash as single keys do, whatever their lengths. */
#include "suite.h"

#include "core/cpu.h"
#include "hash/hash.h"

#include <stdio.h>
#include <string.h>

enum { KEYS = 1000, TEXT = KEYS * 64 };

static uint8_t text[TEXT];
static uint32_t offsets[KEYS + 1];
static bp_bytes keys[KEYS];

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    return z ^ (z >> 29);
}

/* Keys of least..most bytes, `gap` bytes between them. */
static void make_keys(uint32_t least, uint32_t most, uint32_t gap)
{
    uint64_t state = least * 1000 + most;
    for (size_t i = 0; i < TEXT; i++)
        text[i] = (uint8_t)next_random(&state);
    offsets[0] = 0;
    for (size_t i = 0; i < KEYS; i++) {
        const uint32_t len = least + (uint32_t)(next_random(&state) % (most - least + 1));
        keys[i] = (bp_bytes){text + offsets[i], len};
        offsets[i + 1] = offsets[i] + len + gap;
    }
}

static void check_batches(const bp_hash_spec *spec, uint32_t gap)
{
    static uint64_t by_keys[KEYS], by_column[KEYS];
    for (size_t n = 0; n <= KEYS; n += n < 40 ? 1 : 137) {
        memset(by_keys, 0, sizeof by_keys);
        memset(by_column, 0, sizeof by_column);
        bp_hash_n(spec, keys, n, by_keys);
        bp_hash_column(spec, text, offsets, gap, n, by_column);
        for (size_t i = 0; i < n; i++) {
            const uint64_t one = bp_hash(spec, keys[i].ptr, keys[i].len);
            assert_int_equal(by_keys[i], one);
            assert_int_equal(by_column[i], one);
        }
    }
}

static void all_lengths(const bp_hash_spec *spec)
{
    static const uint32_t ranges[][2] = {{9, 16}, {11, 11}, {16, 16}, {9, 9},  {0, 8},
                                         {0, 40}, {8, 17},  {17, 50}, {15, 18}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        for (uint32_t gap = 0; gap < 3; gap++) {
            make_keys(ranges[i][0], ranges[i][1], gap);
            check_batches(spec, gap);
        }
}

static void batches_hash_as_single_keys_do_in_every_variant(void **unused)
{
    (void)unused;
    printf("variants: portable%s\n", bp_cpu() & BP_CPU_AVX2 ? ", avx2" : "");
    all_lengths(NULL);
    bp_cpu_allow(0);
    all_lengths(NULL);
    bp_cpu_allow(UINT32_MAX);
}

static void batches_of_other_hashes_are_those_hashes(void **unused)
{
    static const bp_hash_spec specs[] = {{BP_HASH_XXH3, 0, 7, {0}},
                                         {BP_HASH_SIPHASH24, 0, 0, {1, 2, 3}},
                                         {BP_HASH_XXH64, 0, 1, {0}},
                                         {BP_HASH_MURMUR3, 0, 5, {0}},
                                         {BP_HASH_MURMUR64A, 0, 9, {0}}};
    (void)unused;
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        all_lengths(&specs[i]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(batches_hash_as_single_keys_do_in_every_variant),
    cmocka_unit_test(batches_of_other_hashes_are_those_hashes)};

extern const bp_suite bp_suite_hash_batch;
const bp_suite bp_suite_hash_batch = {"hash_batch", tests, sizeof tests / sizeof *tests,
                                      NULL, 0};
