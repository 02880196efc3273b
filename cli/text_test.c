/* SPDX-License-Identifier: MIT
 * text_test.c - characters, their columns, and a user's bytes made harmless. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* As RFC 3629 has it, the other way round. */
static size_t encode(char *to, uint32_t c)
{
    const size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n; i-- > 0; c >>= 6)
        to[i] = (char)(i ? 0x80 | (c & 0x3f) : lead[n] | c);
    return n;
}

static void every_character_is_read_back(void **unused)
{
    (void)unused;
    for (uint32_t c = 0; c <= 0x10ffff; c++) {
        char text[5];
        uint32_t got = 0;
        const size_t n = encode(text, c), want = c >= 0xd800 && c <= 0xdfff ? 0 : n;
        assert_int_equal(cli_utf8(text, n, &got), want);
        assert_int_equal(got, want ? c : 0);
        for (size_t less = 1; less < n; less++)
            assert_int_equal(cli_utf8(text, less, &got), 0);
    }
}

static void what_is_no_utf8_is_no_character(void **unused)
{
    static const char *const bad[] = {"\x80",
                                      "\xbf",
                                      "\xc0\xaf",
                                      "\xc1\xbf",
                                      "\xe0\x9f\xbf",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xed\xa0\x80",
                                      "\xf4\x90\x80\x80",
                                      "\xf8\x88\x80\x80\x80",
                                      "\xff",
                                      "\xc3(",
                                      "\xe2\x82("};
    uint32_t c;
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(cli_utf8(bad[i], strlen(bad[i]), &c), 0);
}

static void columns_are_those_of_a_terminal(void **unused)
{
    (void)unused;
    assert_int_equal(cli_columns(""), 0);
    assert_int_equal(cli_columns("plain"), 5);
    assert_int_equal(cli_columns("na\303\257ve"), 5);
    assert_int_equal(cli_columns("nai\314\210ve"), 5); /* a combining mark */
    assert_int_equal(cli_columns("\346\227\245\346\234\254"), 4);
    assert_int_equal(cli_columns("\360\237\230\200"), 2);
    assert_int_equal(cli_columns("\357\275\201"), 2); /* fullwidth a */
    assert_int_equal(cli_columns("\357\275\261"), 1); /* halfwidth katakana */
    assert_int_equal(cli_columns(CLI_BOLD "x" CLI_PLAINLY), 1);
}

static void what_fits_never_splits_a_character(void **unused)
{
    static const char text[] = CLI_DIM "a\346\227\245\303\251z" CLI_PLAINLY;
    static const size_t ends[] = {4, 5, 5, 8, 10, sizeof text - 1};
    (void)unused;
    for (size_t most = 0; most < 6; most++) {
        size_t columns;
        const size_t n = cli_fitting(text, sizeof text - 1, most, &columns);
        assert_int_equal(n, ends[most]);
        assert_int_equal(columns, most == 2 ? 1 : most);
    }
}

static char *shown(const void *bytes, size_t n)
{
    char *text = cli_shown((bp_bytes){bytes, n});
    assert_non_null(text);
    return text;
}

/* Every two bytes, so every control character and every broken sequence among them. */
static void nothing_shown_can_order_a_terminal_about(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 1u << 16; i++) {
        const unsigned char bytes[] = {(unsigned char)(i >> 8), (unsigned char)i, 'm'};
        char *text = shown(bytes, sizeof bytes);
        const size_t n = strlen(text);
        for (size_t at = 0, len; at < n; at += len) {
            uint32_t c = 0;
            len = cli_utf8(text + at, n - at, &c);
            assert_int_not_equal(len, 0);
            assert_true(c >= 0x20 && (c < 0x7f || c > 0x9f));
        }
        free(text);
    }
}

static void what_is_long_is_cut_between_characters(void **unused)
{
    char item[1000];
    (void)unused;
    for (size_t before = 0; before < 4; before++) {
        memset(item, 'x', before);
        for (size_t at = before; at + 3 <= sizeof item; at += 3)
            memcpy(item + at, "\346\227\245", 3);
        char *text = shown(item, 900 + before);
        char *dots = strstr(text, "... (");
        assert_non_null(dots);
        assert_int_equal((size_t)(dots - text - before) % 3, 0);
        assert_in_range(dots - text, 200, 203);
        free(text);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_is_read_back),
        cmocka_unit_test(what_is_no_utf8_is_no_character),
        cmocka_unit_test(columns_are_those_of_a_terminal),
        cmocka_unit_test(what_fits_never_splits_a_character),
        cmocka_unit_test(nothing_shown_can_order_a_terminal_about),
        cmocka_unit_test(what_is_long_is_cut_between_characters)};
    return cmocka_run_group_tests_name("cli text", tests, NULL, NULL);
}
