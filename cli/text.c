/* SPDX-License-Identifier: MIT
 * text.c - a user's bytes for a person at a terminal.
 *
 * A terminal must not obey what stands in a log: control characters (C0, DEL, C1 as
 * UTF-8), the ones that turn the writing direction, and bytes that are no UTF-8 are
 * spelled out. And columns line up only when it is known how wide a character is. wcwidth
 * would need a locale, which nothing here sets, so a small rule stands instead: combining
 * marks of the Latin and symbol blocks take no column, East Asian wide characters and
 * emoji take two, everything else takes one. That is wrong for the marks of other
 * scripts, for emoji joined into one, and for characters that a terminal takes for
 * ambiguous; a line with those is a little off, and never longer than its bytes. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_MOST = 200 };

/* ------------------------------------------------------------------------- characters */

size_t cli_utf8(const char *text, size_t n, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *b = (const unsigned char *)text;
    const size_t len = b[0] < 0x80             ? 1
                       : (b[0] & 0xe0) == 0xc0 ? 2
                       : (b[0] & 0xf0) == 0xe0 ? 3
                       : (b[0] & 0xf8) == 0xf0 ? 4
                                               : 0;
    uint32_t c = len < 2 ? b[0] : b[0] & (0xffu >> (len + 1));
    if (len == 0 || len > n)
        return 0;
    for (size_t i = 1; i < len; i++) {
        if ((b[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (b[i] & 0x3f);
    }
    if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return 0;
    *code = c;
    return len;
}

typedef struct range {
    uint32_t first, last;
} range;

static bool is_in(const range *ranges, size_t n, uint32_t c)
{
    for (size_t i = 0; i < n; i++)
        if (c >= ranges[i].first && c <= ranges[i].last)
            return true;
    return false;
}
#define IS_IN(ranges, c) is_in(ranges, sizeof(ranges) / sizeof *(ranges), c)

static size_t width_of(uint32_t c)
{
    static const range none[] = {{0x300, 0x36f},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
                                 {0x200b, 0x200d}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f},
                                 {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}};
    static const range two[] = {
        {0x1100, 0x115f},  {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xa960, 0xa97f},
        {0xac00, 0xd7a3},  {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
        {0xffe0, 0xffe6},  {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff},
        {0x20000, 0x3fffd}};
    if (c < 0x300)
        return 1;
    return IS_IN(none, c) ? 0 : IS_IN(two, c) ? 2 : 1;
}

/* What a terminal would act upon. */
static bool is_order(uint32_t c)
{
    static const range orders[] = {
        {0, 0x1f}, {0x7f, 0x9f}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
    return IS_IN(orders, c);
}

/* ------------------------------------------------------------------------------ lines */

/* Our own colours ("\033[1m") take no column. */
static size_t colour(const char *text)
{
    return text[0] == '\033' ? strcspn(text, "m") + 1 : 0;
}

size_t cli_fitting(const char *text, size_t n, size_t most, size_t *columns)
{
    size_t at = 0, used = 0;
    while (at < n) {
        uint32_t c = 0;
        size_t skip = colour(text + at), len = skip ? 0 : cli_utf8(text + at, n - at, &c);
        size_t width = skip ? 0 : len ? width_of(c) : 1;
        if (used + width > most)
            break;
        used += width;
        at += skip ? skip : len ? len : 1;
    }
    if (columns)
        *columns = used;
    return at;
}

size_t cli_columns(const char *text)
{
    size_t columns;
    cli_fitting(text, strlen(text), SIZE_MAX, &columns);
    return columns;
}

/* -------------------------------------------------------------------------- the bytes */

char *cli_shown(bp_bytes item)
{
    const char *b = item.ptr;
    const size_t n = item.len < SHOWN_MOST ? item.len : SHOWN_MOST;
    const size_t size = 4 * SHOWN_MOST + 64;
    char *text = malloc(size), *to = text;
    size_t at = 0;
    while (text && at < n) {
        uint32_t c = 0;
        const size_t len = cli_utf8(b + at, item.len - at, &c);
        if (len == 1 && c == '\t') {
            to += sprintf(to, "\\t");
        } else if (len == 0 || is_order(c)) {
            for (size_t i = 0; i < (len ? len : 1); i++)
                to += sprintf(to, "\\x%02x", (unsigned char)b[at + i]);
        } else {
            memcpy(to, b + at, len);
            to += len;
        }
        at += len ? len : 1;
    }
    if (text)
        *to = '\0';
    if (text && at < item.len)
        sprintf(to, "... (%zu bytes)", item.len);
    return text;
}
