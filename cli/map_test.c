/* SPDX-License-Identifier: MIT
 * map_test.c - the map from bytes to numbers, against an array of what was put in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "map.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS = 20000 };

/* Key i: i's digits, with a NUL among them, and every 50th of some length. */
static bp_bytes key_of(char *room, unsigned i)
{
    int n = sprintf(room, "%u", i);
    room[n++] = '\0';
    while (i % 50 == 0 && n < 300)
        room[n++] = (char)i;
    return (bp_bytes){room, i == 0 ? 0 : (size_t)n};
}

static void every_key_keeps_its_number_and_its_value(void **unused)
{
    char room[400];
    cli_map *m = cli_map_new(sizeof(uint64_t));
    (void)unused;
    assert_non_null(m);
    for (unsigned round = 0; round < 3; round++)
        for (unsigned i = 0; i < KEYS; i++) {
            const bp_bytes key = key_of(room, i);
            const uint64_t hash = cli_map_hash(key);
            assert_int_equal(cli_map_find(m, key, hash), round ? i : SIZE_MAX);
            assert_int_equal(cli_map_add(m, key, hash), i);
            *(uint64_t *)cli_map_value(m, i) += i;
        }
    assert_int_equal(cli_map_count(m), KEYS);
    for (unsigned i = 0; i < KEYS; i++) {
        assert_int_equal(cli_compare(cli_map_key(m, i), key_of(room, i)), 0);
        assert_int_equal(*(uint64_t *)cli_map_value(m, i), 3 * i);
    }
    assert_true(cli_map_bytes(m) < KEYS * 100);
    cli_map_free(m);
}

/* Hashes that are all alike, or alike in what a slot keeps of them, cost time only. */
static void keys_whose_hashes_meet_are_told_apart(void **unused)
{
    static const uint64_t hashes[] = {0, UINT64_MAX, (uint64_t)1 << 32};
    char room[400];
    (void)unused;
    for (size_t h = 0; h < 3; h++) {
        cli_map *m = cli_map_new(0);
        for (unsigned i = 0; i < 500; i++)
            assert_int_equal(cli_map_add(m, key_of(room, i), hashes[h]), i);
        for (unsigned i = 0; i < 500; i++)
            assert_int_equal(cli_map_find(m, key_of(room, i), hashes[h]), i);
        assert_int_equal(cli_map_find(m, key_of(room, 500), hashes[h]), SIZE_MAX);
        cli_map_free(m);
    }
}

static void keys_are_sorted_as_bytes(void **unused)
{
    static const struct {
        const char *text;
        size_t n;
    } sorted[] = {{"", 0},         {"\0", 1},         {"\0\0", 2}, {"a", 1},
                  {"a\0", 2},      {"a\0b", 3},       {"ab", 2},   {"abcdefgh", 8},
                  {"abcdefgh", 9}, {"abcdefgh\1", 9}, {"abd", 3},  {"b", 1},
                  {"\x7f", 1},     {"\x80", 1},       {"\xff", 1}, {"\xff\xff", 2}};
    enum { N = sizeof sorted / sizeof *sorted };
    cli_sortable items[N];
    (void)unused;
    for (size_t i = 0; i < N; i++) {
        const size_t from = i * 7 % N;
        items[i] = (cli_sortable){{sorted[from].text, sorted[from].n}, &items[from]};
    }
    cli_sort(items, N);
    for (size_t i = 0; i < N; i++)
        assert_ptr_equal(items[i].of, &items[i]);
    cli_sort(NULL, 0);
}

static void an_arena_aligns_and_keeps(void **unused)
{
    cli_arena a = {0};
    char *taken[2000];
    (void)unused;
    for (size_t i = 0; i < 2000; i++) {
        const size_t n = i % 97 + (i == 500 ? 3000000 : 0), align = (size_t)1 << i % 4;
        taken[i] = cli_arena_take(&a, n, align);
        assert_non_null(taken[i]);
        assert_int_equal((uintptr_t)taken[i] % align, 0);
        memset(taken[i], (int)i, n);
    }
    for (size_t i = 0; i < 2000; i++)
        for (size_t j = 0; j < i % 97; j++)
            assert_int_equal(taken[i][j], (char)i);
    assert_null(cli_arena_take(&a, SIZE_MAX, 1));
    cli_arena_free(&a);
    assert_int_equal(a.bytes, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_keeps_its_number_and_its_value),
        cmocka_unit_test(keys_whose_hashes_meet_are_told_apart),
        cmocka_unit_test(keys_are_sorted_as_bytes),
        cmocka_unit_test(an_arena_aligns_and_keeps)};
    return cmocka_run_group_tests_name("cli map", tests, NULL, NULL);
}
