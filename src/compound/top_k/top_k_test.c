/* SPDX-License-Identifier: MIT
 * top_k_test.c - what top-k does; how wrong it is, its bytes and the mechanisms below it
 * are tested in the files beside. */
#include "compound/top_k/top_k_test.h"

#include "keys.h"

#include <stdio.h>
#include <stdlib.h>

static void add_text(bp_top_k *s, const char *text, uint64_t by)
{
    top_k_add(s, text, strlen(text), by);
}

static void expect_row(bp_top_k_item item, const char *key, uint64_t count)
{
    assert_int_equal(item.key.len, strlen(key));
    assert_memory_equal(item.key.ptr, key, item.key.len);
    assert_true(item.count == count && item.lower == count && item.upper == count);
}

static void a_short_stream_is_listed_exactly(void **state)
{
    (void)state;
    static const char *const words[] = {"to", "be", "or", "not", "to", "be", ""};
    bp_top_k *s = top_k_make((bp_top_k_config){.k = 0});
    for (size_t i = 0; i < 7; i++)
        add_text(s, words[i], 1);
    static const struct {
        const char *key;
        uint64_t count;
    } want[] = {{"be", 2}, {"to", 2}, {"", 1}, {"not", 1}, {"or", 1}};
    bp_top_k_cursor c;
    bp_top_k_item item;
    assert_int_equal(bp_top_k_top(s, 0, 0.95, &c, NULL), BP_OK);
    for (size_t i = 0; i < 5; i++) {
        assert_true(bp_top_k_next(s, &c, &item));
        expect_row(item, want[i].key, want[i].count);
    }
    assert_false(bp_top_k_next(s, &c, &item));
    assert_false(bp_top_k_next(s, &c, &item));
    assert_true(bp_top_k_is_exact(s) && bp_top_k_verdict(s, 0.95));
    assert_true(bp_top_k_total(s) == 7);
    expect_row(top_k_ask(s, "to", 2, 0.5), "to", 2);
    expect_row(top_k_ask(s, "that", 4, 0.5), "that", 0);
    assert_int_equal(bp_top_k_top(s, 2, 0.95, &c, NULL), BP_OK);
    assert_true(bp_top_k_next(s, &c, &item) && bp_top_k_next(s, &c, &item));
    assert_false(bp_top_k_next(s, &c, &item));
    bp_top_k_free(s);
}

/* Rows of 8-byte keys take 20 bytes, keyed ones 28. */
static void the_list_is_kept_while_it_fits_the_tables_memory(void **state)
{
    (void)state;
    static const struct {
        bp_top_k_config cfg;
        uint64_t fit;
    } cases[] = {{{.memory = 256}, 12},
                 {{.memory = 260}, 13},
                 {{.memory = 4096}, 204},
                 {{.hash = {.id = BP_HASH_SIPHASH24}, .memory = 256}, 9}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bp_top_k *s = top_k_make(cases[i].cfg);
        for (uint64_t k = 0; k < cases[i].fit; k++)
            top_k_add_u64(s, k, 3);
        top_k_add_u64(s, 0, 1); /* one that is there already */
        assert_true(bp_top_k_is_exact(s));
        top_k_add_u64(s, cases[i].fit, 3);
        assert_false(bp_top_k_is_exact(s));
        assert_true(bp_top_k_total(s) == 3 * cases[i].fit + 4);
        bp_top_k_free(s);
    }
}

static uint64_t figure(const bp_top_k *s, const char *name)
{
    bp_description d;
    bp_top_k_describe(s, &d);
    for (size_t i = 0; i < d.count; i++)
        if (strcmp(d.figures[i].name, name) == 0)
            return d.figures[i].whole;
    fail_msg("no figure %s", name);
    return 0;
}

static void a_small_group_costs_what_its_keys_cost(void **state)
{
    (void)state;
    bp_test_alloc a = {0};
    bp_top_k *s = top_k_make((bp_top_k_config){.alloc = bp_test_allocator(&a)});
    assert_true(a.live <= 160 && figure(s, "memory") == a.live);
    for (uint64_t k = 0; k < 5; k++) {
        char key[13];
        snprintf(key, sizeof key, "visitor-%04u", (unsigned)k);
        add_text(s, key, 1);
    }
    assert_true(a.live < 300 && figure(s, "memory") == a.live);
    bp_top_k_free(s);
    bp_test_alloc_done(&a);
}

static void described_memory_is_what_was_taken(void **state)
{
    (void)state;
    bp_test_alloc a = {0};
    bp_top_k *s = top_k_make(
        (bp_top_k_config){.alloc = bp_test_allocator(&a), .k = 4, .memory = 2048});
    uint8_t key[100] = {0};
    for (uint64_t k = 0; k < 3000; k++) {
        bp_store64(key, bp_test_word(k % 700));
        top_k_add(s, key, 8 + k % 92, 1 + k % 3);
        if (k % 97 == 0)
            assert_true(figure(s, "memory") == a.live);
    }
    assert_true(figure(s, "k") == 4 && figure(s, "memory_limit") == 2048);
    assert_true(figure(s, "total") == bp_top_k_total(s));
    bp_top_k_reset(s);
    assert_true(figure(s, "memory") == a.live && bp_top_k_is_exact(s));
    bp_top_k_free(s);
    bp_test_alloc_done(&a);
}

/* A stream with keys of many lengths and weights, 0 among them. */
typedef struct mixed {
    uint8_t bytes[3000][40];
    bp_bytes keys[3000];
    uint64_t by[3000];
} mixed;

static mixed *mix(uint64_t seed, uint64_t universe)
{
    mixed *m = malloc(sizeof *m);
    assert_non_null(m);
    for (size_t i = 0; i < 3000; i++) {
        const uint64_t r = bp_rng_next(&seed);
        const uint64_t id = (r >> 32) % (1 + (r & 0xffff) % universe);
        memset(m->bytes[i], (int)(id % 3), sizeof m->bytes[i]);
        bp_store64(m->bytes[i], bp_test_word(id));
        m->keys[i] = (bp_bytes){m->bytes[i], (size_t)(id % 41)};
        m->by[i] = bp_rng_next(&seed) % 4;
    }
    return m;
}

static void pour(bp_top_k *s, const mixed *m, size_t batch, bool weighted)
{
    for (size_t i = 0; i < 3000; i += batch) {
        const size_t n = 3000 - i < batch ? 3000 - i : batch;
        size_t done = 0;
        assert_int_equal(
            bp_top_k_add_n(s, m->keys + i, n, weighted ? m->by + i : NULL, &done), BP_OK);
        assert_int_equal(done, n);
    }
}

static void batches_and_single_adds_give_the_same_bytes(void **state)
{
    (void)state;
    static const size_t batches[] = {2, 63, 64, 65, 1000, 3000};
    static const bp_top_k_config cfgs[] = {{.k = 2, .memory = 256},
                                           {.k = 5, .depth = 1, .memory = 1000},
                                           {.k = 30, .depth = 4, .memory = 8192},
                                           {.k = 300, .memory = 4096},
                                           {.k = 10}};
    for (uint64_t seed = 1; seed <= 30; seed++) {
        mixed *m = mix(seed, seed * 40);
        const bp_top_k_config cfg = cfgs[seed % 5];
        const bool weighted = seed & 8;
        bp_top_k *one = top_k_make(cfg);
        for (size_t i = 0; i < 3000; i++)
            top_k_add(one, m->keys[i].ptr, m->keys[i].len, weighted ? m->by[i] : 1);
        for (size_t j = 0; j < sizeof batches / sizeof *batches; j++) {
            bp_top_k *s = top_k_make(cfg);
            pour(s, m, batches[j], weighted);
            top_k_same(s, one);
            bp_top_k_free(s);
        }
        bp_top_k_free(one);
        free(m);
    }
}

/* Hashes made equal on purpose: only the keys themselves tell candidates apart. The
 * 8-byte keys are found by search; 2^22 tags and 2^k homes agree soon enough. */
static void keys_that_agree_in_their_slots_are_told_apart(void **state)
{
    (void)state;
    enum { SOUGHT = 1 << 24 };
    const uint64_t mask = BP_SLOT_TAG | 63; /* tag, and home in 64 slots */
    uint64_t *seen = calloc(1 << 22, 8), pairs = 0;
    assert_non_null(seen);
    bp_top_k *one = top_k_make((bp_top_k_config){.k = 2, .memory = 256});
    bp_top_k *batch = top_k_make((bp_top_k_config){.k = 2, .memory = 256});
    const uint64_t most = bp_test_quick ? SOUGHT / 8 : SOUGHT;
    for (uint64_t k = 1; k < most && pairs < 4; k++) {
        const uint64_t hash = bp_hash_u64(NULL, k) & mask;
        uint64_t *at = &seen[hash >> 42];
        if (*at == 0 || (bp_hash_u64(NULL, *at) & mask) != hash) {
            *at = k;
            continue;
        }
        uint8_t two[6][8];
        bp_bytes keys[6];
        for (size_t i = 0; i < 6; i++) {
            bp_store64(two[i], i % 3 ? k : *at);
            keys[i] = (bp_bytes){two[i], 8};
            top_k_add(one, two[i], 8, 50);
        }
        static const uint64_t by[6] = {50, 50, 50, 50, 50, 50};
        assert_int_equal(bp_top_k_add_n(batch, keys, 6, by, NULL), BP_OK);
        for (uint64_t i = 0; i < 20 && pairs == 0; i++) {
            top_k_add_u64(one, ~i, 1);
            top_k_add_u64(batch, ~i, 1);
        }
        pairs++;
        top_k_same(one, batch);
    }
    assert_true(pairs > 0);
    free(seen);
    bp_top_k_free(one);
    bp_top_k_free(batch);
}

static void check_settled(bp_top_k *s, size_t rows)
{
    bp_top_k *t;
    assert_int_equal(bp_top_k_clone(&t, s, NULL), BP_OK);
    assert_int_equal(bp_top_k_settle(t, NULL), BP_OK);
    top_k_same(s, t);
    bp_top_k_cursor a, b;
    bp_top_k_item x, y, last = {{NULL, 0}, UINT64_MAX, 0, 0};
    const uint64_t first = figure(s, "largest"), end = figure(s, "smallest_listed");
    assert_int_equal(bp_top_k_top(s, rows, 0.9, &a, NULL), BP_OK);
    assert_int_equal(bp_top_k_top(t, rows, 0.9, &b, NULL), BP_OK);
    size_t n = 0;
    for (; bp_top_k_next(s, &a, &x); n++) {
        assert_true(bp_top_k_next(t, &b, &y));
        assert_true(x.count == y.count && x.lower == y.lower && x.upper == y.upper);
        assert_true(bp_top_k_compare(x.key.ptr, x.key.len, y.key.ptr, y.key.len) == 0);
        assert_true(x.count <= last.count && x.lower <= x.count && x.count <= x.upper);
        assert_true(x.count < last.count || bp_top_k_compare(last.key.ptr, last.key.len,
                                                             x.key.ptr, x.key.len) < 0);
        assert_true(n > 0 || x.count == first);
        last = x;
    }
    assert_false(bp_top_k_next(t, &b, &y));
    assert_true(n > 0 && (rows || last.count == end));
    bp_top_k_free(t);
}

static void settled_rows_are_the_unsettled_ones_in_order(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        mixed *m = mix(seed, 600);
        bp_top_k *list = top_k_make((bp_top_k_config){.k = 100});
        bp_top_k *table = top_k_make((bp_top_k_config){.k = 100, .memory = 2048});
        pour(list, m, 500, seed & 1);
        pour(table, m, 500, seed & 1);
        assert_true(bp_top_k_is_exact(list) && !bp_top_k_is_exact(table));
        check_settled(list, 0);
        check_settled(list, 3);
        check_settled(table, 0);
        assert_int_equal(bp_top_k_settle(table, NULL), BP_OK);
        check_settled(table, 99);
        bp_top_k_free(list);
        bp_top_k_free(table);
        free(m);
    }
}

static void weights_of_any_size_are_added_up_and_saturate(void **state)
{
    (void)state;
    const uint64_t tera = 1000000000000u;
    for (uint64_t memory = 256; memory <= 65536; memory *= 256) {
        bp_top_k *s = top_k_make((bp_top_k_config){.k = 2, .memory = memory});
        for (uint64_t i = 0; i < 100; i++)
            top_k_add_u64(s, i, 1 + i % 3);
        for (int i = 0; i < 5; i++)
            add_text(s, "heavy", tera);
        bp_top_k_item item = top_k_ask(s, "heavy", 5, 0.99);
        assert_true(item.lower >= 5 * tera && item.upper <= 5 * tera + 1000);
        /* several at once that overflow together */
        const bp_bytes keys[4] = {{"big", 3}, {"heavy", 5}, {"big", 3}, {"new", 3}};
        const uint64_t by[4] = {UINT64_MAX - tera, UINT64_MAX / 2, UINT64_MAX, 1};
        assert_int_equal(bp_top_k_add_n(s, keys, 4, by, NULL), BP_OK);
        item = top_k_ask(s, "big", 3, 0.99);
        assert_true(item.count == UINT64_MAX && item.lower == UINT64_MAX);
        assert_true(bp_top_k_total(s) == UINT64_MAX);
        const bp_bytes more[3] = {{"new", 3}, {"big", 3}, {"x", 1}};
        assert_int_equal(bp_top_k_add_n(s, more, 3, NULL, NULL), BP_OK);
        bp_top_k *t;
        bp_buf b = top_k_bytes(s);
        assert_int_equal(bp_top_k_decode(&t, b.p, b.n, NULL, NULL), BP_OK);
        top_k_same(s, t);
        assert_true(bp_top_k_total(t) == UINT64_MAX);
        assert_int_equal(bp_top_k_merge(s, t, NULL), BP_OK);
        assert_true(top_k_ask(s, "big", 3, 0.5).upper == UINT64_MAX);
        bp_buf_free(&b);
        bp_top_k_free(s);
        bp_top_k_free(t);
    }
}

static void keys_of_every_length_are_kept_whole(void **state)
{
    (void)state;
    enum { LONG = 1 << 20 };
    uint8_t *key = malloc(LONG);
    assert_non_null(key);
    memset(key, 0, LONG);
    for (uint64_t memory = 256; memory <= 4 << 20; memory *= 128) {
        bp_top_k *s = top_k_make((bp_top_k_config){.k = 40, .memory = memory});
        for (size_t n = 0; n <= 33; n++) /* zeros alone: only the length differs */
            top_k_add(s, n ? key : NULL, n, 100 - n);
        top_k_add(s, key, LONG, 7);
        key[LONG - 1] = 1;
        top_k_add(s, key, LONG, 6);
        key[LONG - 1] = 0;
        bp_top_k_cursor c;
        bp_top_k_item item;
        assert_int_equal(bp_top_k_top(s, 0, 0.95, &c, NULL), BP_OK);
        for (size_t n = 0; n <= 35; n++) {
            assert_true(bp_top_k_next(s, &c, &item));
            assert_int_equal(item.key.len, n <= 33 ? n : LONG);
            assert_true(item.lower >= (n <= 33 ? 100 - n : 41 - n));
        }
        bp_top_k *t;
        assert_int_equal(bp_top_k_clone(&t, s, NULL), BP_OK);
        top_k_same(s, t);
        bp_top_k_free(t);
        bp_top_k_free(s);
    }
    free(key);
}

static void a_key_of_2_gib_is_refused_and_those_before_it_are_in(void **state)
{
    (void)state;
    if (SIZE_MAX <= UINT32_MAX)
        return; /* no such key could lie in memory */
    bp_top_k *s = top_k_make((bp_top_k_config){.k = 1});
    const bp_bytes keys[3] = {{"a", 1}, {"b", (size_t)TOP_K_KEY_MAX + 1}, {"c", 1}};
    size_t done = 9;
    assert_int_equal(bp_top_k_add_n(s, keys, 3, NULL, &done), BP_PARAM);
    assert_int_equal(done, 1);
    assert_int_equal(bp_top_k_add(s, "b", (size_t)TOP_K_KEY_MAX + 1, 1), BP_PARAM);
    assert_true(bp_top_k_total(s) == 1);
    bp_top_k_free(s);
}

/* Candidates beyond the first k are kept only while their keys fit the memory. */
static void long_keys_beyond_k_are_bounded_by_the_memory(void **state)
{
    (void)state;
    enum { LENGTH = 3000, MEMORY = 16384 };
    static uint8_t key[LENGTH];
    bp_test_alloc a = {0};
    bp_top_k *s = top_k_make(
        (bp_top_k_config){.alloc = bp_test_allocator(&a), .k = 4, .memory = MEMORY});
    for (uint64_t i = 0; i < 400; i++) {
        bp_store64(key, i % 50);
        top_k_add(s, key, LENGTH, 1 + i % 50);
        assert_true(a.live < 2 * MEMORY + 10000);
    }
    assert_int_equal(figure(s, "keys"), MEMORY / LENGTH);
    bp_store64(key, 49);
    assert_in_range(top_k_ask(s, key, LENGTH, 0.95).upper, 8 * 50, 8 * 50 + 200);
    bp_top_k_free(s);
    bp_test_alloc_done(&a);
}

/* --------------------------------------------------------------------------- merging */

static bp_top_k *with_range(bp_top_k_config cfg, uint64_t first, size_t n)
{
    bp_top_k *s = top_k_make(cfg);
    assert_int_equal(bp_add_range((bp_any *)s, first, n), BP_OK);
    return s;
}

static void lists_merge_into_a_list_while_they_fit(void **state)
{
    (void)state;
    const bp_top_k_config cfg = {.k = 5, .memory = 400}; /* 20 keys */
    static const struct {
        size_t a, first, b;
        bool exact;
    } cases[] = {{0, 0, 0, true},     {0, 0, 20, true},  {10, 10, 10, true},
                 {10, 10, 11, false}, {15, 5, 15, true}, {20, 1, 20, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bp_top_k *a = with_range(cfg, 0, cases[i].a);
        bp_top_k *b = with_range(cfg, cases[i].first, cases[i].b), *a2, *all;
        assert_int_equal(bp_top_k_clone(&a2, a, NULL), BP_OK);
        assert_int_equal(bp_top_k_clone(&all, a, NULL), BP_OK);
        assert_int_equal(bp_add_range((bp_any *)all, cases[i].first, cases[i].b), BP_OK);
        assert_int_equal(bp_top_k_merge(a, b, NULL), BP_OK);
        assert_int_equal(bp_top_k_merge(b, a2, NULL), BP_OK);
        assert_true(bp_top_k_is_exact(a) == cases[i].exact);
        top_k_same(a, b); /* whoever merges whom */
        if (cases[i].exact)
            top_k_same(a, all);
        bp_top_k_free(a);
        bp_top_k_free(a2);
        bp_top_k_free(b);
        bp_top_k_free(all);
    }
}

static void merging_commutes_in_every_mode_and_with_itself(void **state)
{
    (void)state;
    const bp_top_k_config cfg = {.k = 5, .memory = 1024};
    static const uint64_t universes[] = {1, 20, 60, 400, 3000};
    for (size_t i = 0; i < 25; i++) {
        mixed *m = mix(i + 1, universes[i / 5]), *n = mix(i + 50, universes[i % 5]);
        bp_top_k *a = top_k_make(cfg), *b = top_k_make(cfg), *x, *y;
        pour(a, m, 100, true);
        pour(b, n, 100, true);
        assert_int_equal(bp_top_k_clone(&x, a, NULL), BP_OK);
        assert_int_equal(bp_top_k_clone(&y, b, NULL), BP_OK);
        const uint64_t total = bp_top_k_total(a) + bp_top_k_total(b);
        assert_int_equal(bp_top_k_merge(x, b, NULL), BP_OK);
        assert_int_equal(bp_top_k_merge(y, a, NULL), BP_OK);
        top_k_same(x, y);
        assert_true(bp_top_k_total(x) == total);
        bp_top_k_free(x);
        assert_int_equal(bp_top_k_clone(&x, a, NULL), BP_OK);
        assert_int_equal(bp_top_k_merge(x, x, NULL), BP_OK);
        assert_int_equal(bp_top_k_merge(a, a, NULL), BP_OK);
        top_k_same(x, a);
        bp_top_k_free(a);
        bp_top_k_free(b);
        bp_top_k_free(x);
        bp_top_k_free(y);
        free(m);
        free(n);
    }
}

static void sketches_of_other_sizes_do_not_merge(void **state)
{
    (void)state;
    bp_top_k *a = top_k_make((bp_top_k_config){.k = 5, .memory = 512});
    static const struct {
        bp_top_k_config cfg;
        uint64_t have, want;
    } others[] = {{{.k = 6, .memory = 512}, 5, 6},
                  {{.k = 5, .memory = 513}, 512, 513},
                  {{.k = 5, .memory = 512, .depth = 4}, 2, 4},
                  {{.hash = {.seed = 9}, .k = 5, .memory = 512}, 0, 9}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        bp_top_k *b = top_k_make(others[i].cfg);
        bp_detail why = {BP_OK, "", 0, 0, 0};
        assert_int_equal(bp_top_k_merge(a, b, &why), BP_MISMATCH);
        assert_true(why.have == others[i].have && why.want == others[i].want);
        bp_top_k_free(b);
    }
    bp_top_k_free(a);
}

/* --------------------------------------------------------------------------- trouble */

static void bad_configurations_are_refused(void **state)
{
    (void)state;
    static const bp_top_k_config bad[] = {
        {.k = (1 << 20) + 1}, {.depth = 33},
        {.memory = 255},      {.memory = (UINT64_C(1) << 40) + 1},
        {.reserved = {1}},    {.hash = {.id = 99}}};
    bp_top_k *s;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(bp_top_k_new(&s, &bad[i], NULL), BP_PARAM);
        assert_null(s);
    }
    s = top_k_make((bp_top_k_config){.k = 1000});
    bp_top_k_config c;
    bp_top_k_config_of(s, &c);
    assert_true(c.k == 1000 && c.depth == 2 && c.memory == 2048000);
    bp_top_k_cursor cursor;
    bp_top_k_item item;
    assert_int_equal(bp_top_k_top(s, 1, 1, &cursor, NULL), BP_PARAM);
    assert_int_equal(bp_top_k_bounds(s, "a", 1, 0, &item, NULL), BP_PARAM);
    assert_false(bp_top_k_verdict(s, 2));
    assert_int_equal(bp_top_k_top(s, 0, 0.5, &cursor, NULL), BP_OK);
    assert_false(bp_top_k_next(s, &cursor, &item));
    assert_true(bp_top_k_footprint(NULL) == 0);
    bp_top_k_free(s);
}

/* Keys longer than lie inside, so that candidates ask for memory one by one. */
static void when_memory_ends_what_was_added_before_is_whole(void **state)
{
    (void)state;
    enum { KEYS = 300, LENGTH = 40 };
    uint8_t bytes[KEYS][LENGTH];
    bp_bytes keys[KEYS];
    memset(bytes, 0, sizeof bytes);
    for (size_t i = 0; i < KEYS; i++) {
        bp_store64(bytes[i], bp_test_word(i * i % 90));
        keys[i] = (bp_bytes){bytes[i], LENGTH};
    }
    bool failed = true;
    uint64_t seen = 0;
    for (uint64_t at = 1; failed; at++) {
        bp_test_alloc a = {0};
        const bp_top_k_config cfg = {.k = 20, .memory = 1000};
        bp_top_k_config with = cfg;
        with.alloc = bp_test_allocator(&a);
        bp_top_k *s = top_k_make(with), *same = top_k_make(cfg);
        bp_test_fail(&a, at, false);
        size_t done = 0;
        const bp_status st = bp_top_k_add_n(s, keys, KEYS, NULL, &done);
        failed = a.failed != 0;
        seen += failed;
        assert_int_equal(st, done < KEYS ? BP_NOMEM : BP_OK);
        assert_true(st == BP_OK || failed); /* giving memory back may fail, too */
        assert_int_equal(bp_top_k_add_n(same, keys, done, NULL, NULL), BP_OK);
        top_k_same(s, same);
        assert_int_equal(bp_top_k_add_n(s, keys + done, KEYS - done, NULL, NULL), BP_OK);
        assert_int_equal(bp_top_k_add_n(same, keys + done, KEYS - done, NULL, NULL),
                         BP_OK);
        top_k_same(s, same);
        bp_top_k_free(s);
        bp_top_k_free(same);
        bp_test_alloc_done(&a);
    }
    assert_true(seen > 30);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_short_stream_is_listed_exactly),
    cmocka_unit_test(the_list_is_kept_while_it_fits_the_tables_memory),
    cmocka_unit_test(a_small_group_costs_what_its_keys_cost),
    cmocka_unit_test(described_memory_is_what_was_taken),
    cmocka_unit_test(batches_and_single_adds_give_the_same_bytes),
    cmocka_unit_test(keys_that_agree_in_their_slots_are_told_apart),
    cmocka_unit_test(settled_rows_are_the_unsettled_ones_in_order),
    cmocka_unit_test(weights_of_any_size_are_added_up_and_saturate),
    cmocka_unit_test(keys_of_every_length_are_kept_whole),
    cmocka_unit_test(a_key_of_2_gib_is_refused_and_those_before_it_are_in),
    cmocka_unit_test(long_keys_beyond_k_are_bounded_by_the_memory),
    cmocka_unit_test(lists_merge_into_a_list_while_they_fit),
    cmocka_unit_test(merging_commutes_in_every_mode_and_with_itself),
    cmocka_unit_test(sketches_of_other_sizes_do_not_merge),
    cmocka_unit_test(bad_configurations_are_refused),
    cmocka_unit_test(when_memory_ends_what_was_added_before_is_whole),
    cmocka_unit_test(upper_bounds_are_certain_and_so_is_what_was_counted),
    cmocka_unit_test(an_estimator_three_percent_low_is_caught),
    cmocka_unit_test(recall_is_at_least_that_of_a_count_min_with_a_heap),
    cmocka_unit_test(items_in_ten_rounds_are_ranked_as_published),
    cmocka_unit_test(a_flat_stream_has_no_heavy_hitters_and_a_steep_one_has),
    cmocka_unit_test(lower_bounds_of_a_chosen_key_hold_at_their_confidence),
    cmocka_unit_test(merged_shards_keep_their_bounds_and_find_the_heavy_keys),
    cmocka_unit_test(a_list_that_no_sketch_writes_is_refused),
    cmocka_unit_test(a_table_that_no_sketch_writes_is_refused),
    cmocka_unit_test(a_decoded_sketch_goes_on_as_the_original_does),
    cmocka_unit_test(the_bytes_of_a_list_do_not_depend_on_the_order_of_adds),
    cmocka_unit_test(keyed_sketches_merge_without_their_key),
    cmocka_unit_test(positions_and_bytes_are_those_of_the_vectors),
    cmocka_unit_test(slots_find_what_is_in_them_whatever_comes_and_goes),
    cmocka_unit_test(sorting_and_choosing_agree_with_a_plain_search),
    cmocka_unit_test(counting_up_to_a_limit_equals_counting_one_by_one),
};

/* 8-byte keys: a row of the list takes 20 bytes (28 keyed). */
static const bp_top_k_config exact = {.k = 5, .depth = 3, .memory = 1 << 18};
static const bp_top_k_config tiny = {.k = 3, .depth = 2, .memory = 256};
static const bp_top_k_config middle = {.k = 40, .depth = 3, .memory = 4096};
static const bp_top_k_config keyed = {.hash = {.id = BP_HASH_SIPHASH24, .key = {1, 2, 3}},
                                      .k = 2,
                                      .depth = 3,
                                      .memory = 512};

static const bp_sample samples[] = {
    {"exact", &exact, {1, 5, 16, 17, 300, 0}},
    {"tiny", &tiny, {12, 13, 30, 500, 0}},
    {"middle", &middle, {204, 205, 3000, 0}},
    {"keyed", &keyed, {5, 18, 19, 400, 0}},
};

extern const bp_suite bp_suite_top_k;
const bp_suite bp_suite_top_k = {
    .name = "top_k",
    .tests = tests,
    .test_count = sizeof tests / sizeof *tests,
    .samples = samples,
    .sample_count = sizeof samples / sizeof *samples,
};
