/* SPDX-License-Identifier: MIT
 * binary_fuse_shards_test.c - filters of several shards: built at once and apart, their
 * table, and more cells than 32 bits can count. */
#include "sketches/binary_fuse/binary_fuse_test.h"

#include "repair.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PARAMS = 56, PAYLOAD = 128 };

static bp_binary_fuse *make(const bp_binary_fuse_config *cfg)
{
    bp_binary_fuse *s;
    assert_int_equal(bp_binary_fuse_new(&s, cfg, NULL), BP_OK);
    return s;
}

static bp_binary_fuse *built(const bp_binary_fuse_config *cfg, const uint64_t *h,
                             size_t n)
{
    bp_binary_fuse *s = make(cfg);
    assert_int_equal(bp_binary_fuse_build_hashes(s, h, n, NULL, 0, NULL), BP_OK);
    return s;
}

/* The filters of the shards, each from its own hashes in the order they came in. */
static void build_apart(bp_binary_fuse_config cfg, const uint64_t *h, size_t n,
                        bp_binary_fuse **shards)
{
    const uint64_t many = cfg.shards;
    uint64_t *mine = malloc(8 * n + 8);
    assert_non_null(mine);
    cfg.shards = 0;
    for (uint64_t i = 0; i < many; i++) {
        size_t m = 0;
        for (size_t j = 0; j < n; j++)
            if (bp_range(h[j], many) == i)
                mine[m++] = h[j];
        shards[i] = built(&cfg, mine, m);
    }
    free(mine);
}

static void compare_with_joined(bp_binary_fuse_config cfg, size_t n, uint64_t seed)
{
    bp_binary_fuse *shards[64], *joined = make(&cfg);
    uint64_t *h = fuse_random_hashes(&seed, n);
    for (size_t i = n / 2; i < n; i += 3)
        h[i] = h[i / 2]; /* some twice */
    build_apart(cfg, h, n, shards);
    assert_int_equal(bp_binary_fuse_join(joined, (const bp_binary_fuse *const *)shards,
                                         cfg.shards, NULL),
                     BP_OK);
    bp_binary_fuse *whole = built(&cfg, h, n);
    fuse_same_bytes(joined, whole);
    assert_int_equal(bp_binary_fuse_has_hashes(joined, h, n, NULL), n);
    for (size_t i = 0; i < n; i += 97)
        assert_int_equal(bp_binary_fuse_has_hashes(joined, h + i, 1, NULL), 1);
    for (uint64_t i = 0; i < cfg.shards; i++)
        bp_binary_fuse_free(shards[i]);
    bp_binary_fuse_free(joined);
    bp_binary_fuse_free(whole);
    free(h);
}

void shards_that_were_built_apart_are_joined_to_the_same_bytes(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 50, 3000, 200000};
    for (uint32_t arity = 3; arity <= 4; arity++)
        for (uint64_t shards = 2; shards <= 64; shards *= 4)
            for (size_t i = 0; i < (bp_test_quick ? 4u : 5u); i++)
                compare_with_joined((bp_binary_fuse_config){.bits = 8 * (arity - 2),
                                                            .arity = arity,
                                                            .shards = shards},
                                    sizes[i], shards + i);
}

void shards_with_no_keys_or_with_all_of_them_are_no_trouble(void **state)
{
    (void)state;
    const bp_binary_fuse_config cfg = {.shards = 4096};
    uint64_t seed = 3, strangers = 1, yes;
    uint64_t *h = fuse_random_hashes(&seed, 5000);
    for (size_t i = 0; i < 5000; i++)
        h[i] >>= 13; /* all in shard 0 */
    bp_binary_fuse *s = built(&cfg, h, 5000);
    bp_estimate e;
    assert_int_equal(bp_binary_fuse_has_hashes(s, h, 5000, NULL), 5000);
    assert_int_equal(bp_binary_fuse_estimate(s, 0.95, &e, NULL), BP_OK);
    assert_true(e.value == 5000);
    yes = fuse_yes_of_random(s, &strangers, 1 << 20);
    assert_in_range(yes, 3700, 4500); /* 4,096 but for 6 standard errors */
    bp_binary_fuse_free(s);
    free(h);
}

static void refuse(const bp_binary_fuse_config *cfg, const bp_binary_fuse_config *first,
                   const bp_binary_fuse_config *second, size_t n, bp_status want)
{
    const uint64_t h[] = {1, 2, 3};
    bp_binary_fuse *s = built(cfg, h, 3), *was = built(cfg, h, 3);
    const bp_binary_fuse *shards[] = {built(first, h, 3), built(second, h, 0)};
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    assert_int_equal(bp_binary_fuse_join(s, shards, n, &why), want);
    assert_non_null(why.what);
    fuse_same_bytes(s, was);
    bp_binary_fuse_free(shards[0]);
    bp_binary_fuse_free(shards[1]);
    bp_binary_fuse_free(s);
    bp_binary_fuse_free(was);
}

void shards_that_do_not_go_together_are_refused(void **state)
{
    (void)state;
    const bp_binary_fuse_config one = {.bits = 8}, two = {.shards = 2};
    const bp_binary_fuse_config wide = {.bits = 16}, four = {.arity = 4};
    const bp_binary_fuse_config seeded = {.hash = {.seed = 1}};
    refuse(&two, &one, &wide, 2, BP_MISMATCH);
    refuse(&two, &four, &one, 2, BP_MISMATCH);
    refuse(&two, &one, &seeded, 2, BP_MISMATCH);
    refuse(&two, &one, &two, 2, BP_PARAM);
    refuse(&two, &one, &one, 1, BP_PARAM);
    refuse(&one, &one, &one, 1, BP_PARAM);
}

void tables_that_encode_would_not_write_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t at, width;
        uint64_t value;
        const char *what;
    } row[] = {
        {PARAMS, 8, 1, "shards have seeds and lengths of their own"},
        {PARAMS + 8, 8, 0, "a filter of no items has no cells"},
        {PARAMS + 8, 8, UINT64_MAX, "more than 2^40 items"},
        {PARAMS + 8, 8, 6, "the shards hold another number of items"},
        {PARAMS + 16, 8, 1, "no such number of shards"},
        {PARAMS + 16, 8, 3, "no such number of shards"},
        {PARAMS + 16, 8, 8192, "no such number of shards"},
        {PARAMS + 16, 8, 64, "the payload has no whole table and cells"},
        {PARAMS + 24, 4, 1, "shards have seeds and lengths of their own"},
        {PAYLOAD + 8, 8, 100, "fewer cells than items"},
        {PAYLOAD + 16, 8, 1, "a shard's cells do not follow the one's before"},
        {PAYLOAD + 24, 8, 2, "no such number of segments"},
        {PAYLOAD + 24, 8, 1 << 8 | 19, "a segment has at most 2^18 cells"},
        {PAYLOAD + 24, 8, UINT64_C(1) << 40, "fewer cells than the shards take"},
        {PAYLOAD + 32 + 24, 8, 1 << 8 | 1, "more cells than the shards take"},
    };
    const bp_binary_fuse_config cfg = {.shards = 2};
    const uint64_t h[] = {1, 2, 3, UINT64_MAX, UINT64_MAX - 1};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        bp_binary_fuse *s = built(&cfg, h, 5), *d;
        bp_buf b = bp_encoded((bp_any *)s);
        bp_detail why = {BP_OK, "", 0, 0, 0};
        uint8_t word[8];
        bp_store64(word, row[i].value);
        memcpy(b.p + row[i].at, word, row[i].width);
        bp_repair(b.p, b.n);
        assert_int_equal(bp_binary_fuse_decode(&d, b.p, b.n, NULL, &why), BP_CORRUPT);
        assert_string_equal(why.what, row[i].what);
        assert_in_range(why.at, PARAMS, PAYLOAD + 64);
        bp_buf_free(&b);
        bp_binary_fuse_free(s);
    }
}

/* Two shards of 2^32 cells and a few segments, mapped and never filled. */
static uint8_t *map_large(size_t *size)
{
    const uint64_t starts = (UINT64_C(1) << 14) + 1, cells = (starts + 2) << 18;
    const size_t payload = (size_t)(64 + 2 * cells);
    const bp_binary_fuse_config cfg = {.shards = 2};
    bp_binary_fuse *small = built(&cfg, (const uint64_t[]){1}, 1);
    bp_buf b = bp_encoded((bp_any *)small);
    *size = PAYLOAD + payload + 8 * ((payload + (1 << 20) - 1) >> 20);
    uint8_t *p = mmap(NULL, *size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(p, MAP_FAILED);
    memcpy(p, b.p, PAYLOAD);
    bp_store64(p + 40, payload);
    for (uint64_t i = 0; i < 2; i++) {
        bp_store64(p + PAYLOAD + 32 * i, 7 + i);
        bp_store64(p + PAYLOAD + 32 * i + 8, i);
        bp_store64(p + PAYLOAD + 32 * i + 16, i * cells);
        bp_store64(p + PAYLOAD + 32 * i + 24, starts << 8 | 18);
    }
    bp_repair(p, PAYLOAD);
    bp_buf_free(&b);
    bp_binary_fuse_free(small);
    return p;
}

/* A key is found when what its fingerprint wants is put into one of its cells, each of
 * them in turn; the others are 0. Some lie past 2^33. */
void shards_past_two_to_the_32_cells_are_asked_in_place(void **state)
{
    (void)state;
    if (sizeof(size_t) < 8)
        return;
    size_t size;
    uint8_t *p = map_large(&size);
    uint64_t seed = 1, at[4], farthest = 0;
    const bp_binary_fuse *s;
    assert_int_equal(bp_binary_fuse_view(&s, p, size, NULL, NULL), BP_OK);
    for (int i = 0; i < 600; i++) {
        const uint64_t h[] = {i < 3 ? UINT64_MAX - i : bp_rng_next(&seed), 1};
        const uint32_t mark = fuse_find_by_hand(p, h[0], at);
        uint8_t *cell = p + at[i % 3], hit[2];
        *cell = (uint8_t)mark;
        assert_int_equal(bp_binary_fuse_has_hashes(s, h, 1, NULL), 1);
        assert_true(bp_binary_fuse_has_hashes(s, h, 2, hit) >= 1 && hit[0]);
        *cell = (uint8_t)(mark + 1);
        assert_int_equal(bp_binary_fuse_has_hashes(s, h, 1, NULL), 0);
        *cell = 0;
        farthest = at[i % 3] > farthest ? at[i % 3] : farthest;
    }
    assert_true(farthest > UINT64_C(1) << 33);
    bp_binary_fuse_free(s);
    munmap(p, size);
}
