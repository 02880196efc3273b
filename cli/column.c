/* SPDX-License-Identifier: MIT
 * column.c - the values of a typed column, of which lines are the text.
 *
 * Where a filter was made of a column of numbers, its keys are their 4 or 8 little-endian
 * bytes (Parquet's PLAIN encoding; the 8 are also those of our own columns of whole
 * numbers), not the digits that a person writes. An unsigned number has the bytes of the
 * signed one that it is stored as, so either range is read. */
#include "column.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A whole number from -2^(bits - 1) to 2^bits - 1. */
static bool read_whole(bp_bytes text, unsigned bits, uint64_t *out)
{
    const char *s = text.ptr, *end = s + text.len;
    const bool minus = text.len > 0 && *s == '-';
    const uint64_t most = minus ? (uint64_t)1 << (bits - 1) : UINT64_MAX >> (64 - bits);
    uint64_t v = 0;
    if ((s += minus) == end)
        return false;
    for (; s < end; s++) {
        const uint64_t digit = (uint64_t)(unsigned char)*s - '0';
        if (digit > 9 || v > (most - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *out = minus ? -v : v;
    return true;
}

/* The same for what strtod reads, all of it. */
static bool read_real(bp_bytes text, bool is_float, uint64_t *out)
{
    char copy[400], *end;
    if (text.len == 0 || text.len >= sizeof copy || *(const char *)text.ptr == ' ')
        return false;
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    const float f = is_float ? strtof(copy, &end) : 0;
    const double d = is_float ? 0 : strtod(copy, &end);
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    memcpy(out, &d, sizeof *out);
    if (is_float)
        *out = bits;
    return end == copy + text.len;
}

static bool read_value(cli_value_type type, bp_bytes text, uint64_t *out)
{
    if (type == CLI_INT32 || type == CLI_INT64)
        return read_whole(text, type == CLI_INT32 ? 32 : 64, out);
    return read_real(text, type == CLI_FLOAT, out);
}

static void note_other(cli_column_values *c, bp_bytes text)
{
    const size_t n = text.len < sizeof c->first - 1 ? text.len : sizeof c->first - 1;
    if (c->others++ > 0)
        return;
    memcpy(c->first, text.ptr, n);
    c->first[n] = '\0';
}

const bp_bytes *cli_column_keys(cli_column_values *c, const bp_bytes *texts, size_t n)
{
    const size_t size = c->type == CLI_INT32 || c->type == CLI_FLOAT ? 4 : 8;
    if (c->type == CLI_STRING)
        return texts;
    for (size_t i = 0; i < n; i++) {
        uint64_t v = 0;
        const bool is_value = read_value(c->type, texts[i], &v);
        uint8_t *bytes = (uint8_t *)&c->room[i];
        for (int b = 0; b < 8; b++)
            bytes[b] = (uint8_t)(v >> 8 * b);
        c->keys[i] = (bp_bytes){bytes, is_value ? size : 0};
        if (!is_value)
            note_other(c, texts[i]);
    }
    return c->keys;
}

size_t cli_column_only(const cli_column_values *c, size_t n, uint8_t *bits, size_t yes)
{
    for (size_t i = 0; i < n && c->type != CLI_STRING && c->others; i++) {
        const uint8_t bit = (uint8_t)(1u << i % 8);
        if (c->keys[i].len > 0 || !(bits[i / 8] & bit))
            continue;
        bits[i / 8] ^= bit;
        yes--;
    }
    return yes;
}

void cli_column_warn(const cli_column_values *c)
{
    cli_text n;
    if (c->others)
        cli_warn("%s lines are no value of the type %s, and so not in its column: the "
                 "first is `%s`",
                 cli_grouped(n, c->others), cli_words("TYPE")[c->type], c->first);
}
