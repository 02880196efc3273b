/* SPDX-License-Identifier: MIT
 * csv.c - records and fields of CSV (RFC 4180).
 *
 * A field that begins with a quote ends with one: delimiters and line ends in between are
 * bytes of it, two quotes are one. A quote elsewhere is a byte like any other, and what
 * follows a closing quote belongs to the field as it is: so every text has a meaning, the
 * one that most readers give it. Whether a line end ends a record can only be told from
 * the record's beginning, so that files are read in turns as pipes are; but a block
 * without a quote is as any other. */
#include "input.h"

#include <string.h>

size_t cli_first_record(const cli_options *o, char end, cli_quotes *q, const char *text,
                        size_t n)
{
    uint32_t ends[1 + 2 * CLI_LINES_STEP];
    size_t scanned;
    if (!o->csv) {
        const char *at = n ? memchr(text, end, n) : NULL;
        return at ? (size_t)(at - text) + 1 : 0;
    }
    /* Offsets are of 32 bits. */
    for (size_t at = 0; at < n; at += scanned) {
        const size_t part = n - at < (1u << 30) ? n - at : 1u << 30;
        if (cli_record_ends(text + at, part, *(const char *)o->delimiter.ptr, q, ends, 1,
                            &scanned))
            return at + ends[0];
    }
    return 0;
}

size_t cli_whole_records(const cli_options *o, char end, const char *text, size_t n,
                         bool *is_quoted)
{
    uint32_t ends[CLI_LINES / 4 + CLI_LINES_BEYOND];
    cli_quotes q = CLI_QUOTES_BEGIN;
    size_t whole = 0, scanned;
    *is_quoted = o->csv && n && memchr(text, '"', n);
    if (!*is_quoted) {
        const char *at = n ? memrchr(text, end, n) : NULL;
        return at ? (size_t)(at - text) + 1 : 0;
    }
    for (size_t at = 0; at < n; at += scanned) {
        const size_t found =
            cli_record_ends(text + at, n - at, *(const char *)o->delimiter.ptr, &q, ends,
                            CLI_LINES / 4, &scanned);
        whole = found ? at + ends[found - 1] : whole;
    }
    return whole;
}

/* Behind the quote that closes the one at p; NULL: none does. */
static const char *past_quotes(const char *p, const char *end)
{
    do {
        p = memchr(p + 1, '"', (size_t)(end - p - 1));
        p = p ? p + 1 : NULL;
    } while (p && p < end && *p == '"');
    return p;
}

const char *cli_csv_field_end(const char *p, const char *end, char delimiter)
{
    if (p < end && *p == '"')
        p = past_quotes(p, end);
    const char *at = p && p < end ? memchr(p, delimiter, (size_t)(end - p)) : NULL;
    return at ? at : end;
}

char *cli_csv_value(bp_bytes field, char *to)
{
    const char *p = field.ptr, *end = p + field.len;
    bool inside = p < end && *p == '"';
    for (p += inside; p < end && inside; p++) {
        if (*p == '"' && (p + 1 == end || p[1] != '"'))
            inside = false;
        else
            *to++ = *p == '"' ? *p++ : *p;
    }
    memcpy(to, p, (size_t)(end - p));
    return to + (end - p);
}

char *cli_csv_quote(bp_bytes value, char delimiter, char *to)
{
    const char *p = value.ptr;
    bool needed = false;
    for (size_t i = 0; i < value.len && !needed; i++)
        needed = p[i] == delimiter || p[i] == '"' || p[i] == '\n';
    if (!needed) {
        memcpy(to, p, value.len);
        return to + value.len;
    }
    *to++ = '"';
    for (size_t i = 0; i < value.len; i++) {
        if (p[i] == '"')
            *to++ = '"';
        *to++ = p[i];
    }
    *to++ = '"';
    return to;
}

bool cli_csv_unclosed(bp_bytes record, char delimiter, size_t *opened)
{
    const char *p = record.ptr, *end = p + record.len;
    for (const char *stop; p < end; p = stop + 1) {
        *opened = (size_t)(p - (const char *)record.ptr);
        if (*p == '"' && !past_quotes(p, end))
            return true;
        stop = cli_csv_field_end(p, end, delimiter);
        if (stop == end)
            break;
    }
    return false;
}
