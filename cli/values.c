/* SPDX-License-Identifier: MIT
 * values.c - from the fields of a record to the bytes of its item, group or weight.
 *
 * One field, and neighbours with what stands between them, are bytes of the record and
 * are not copied. Other lists are joined: by the delimiter, or by a tab when runs of
 * blanks separate, so that different fields never make the same value. What is made lives
 * in the worker's arena until the next batch. */
#include "input.h"
#include "platform/cut.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------- the arena */

typedef struct cli_chunk {
    struct cli_chunk *next;
    size_t size;
    char bytes[];
} cli_chunk;

enum { CHUNK = 1 << 16 };

/* Room for n bytes that do not move; NULL: out of memory. What of it is used is said by
 * arena_take. */
static char *arena_room(cli_arena *a, size_t n)
{
    if (a->left >= n && a->chunks)
        return a->next;
    const size_t size = n > CHUNK ? n : CHUNK;
    cli_chunk *c = malloc(sizeof *c + size);
    if (!c)
        return NULL;
    *c = (cli_chunk){a->chunks, size};
    a->chunks = c;
    a->next = c->bytes;
    a->left = size;
    return a->next;
}

static bp_bytes arena_take(cli_arena *a, char *end)
{
    const bp_bytes taken = {a->next, (size_t)(end - a->next)};
    a->left -= taken.len;
    a->next = end;
    return taken;
}

/* One chunk of the usual size is kept. */
void cli_arena_reset(cli_arena *a, bool keep)
{
    while (a->chunks && (a->chunks->next || a->chunks->size > CHUNK || !keep)) {
        cli_chunk *c = a->chunks;
        a->chunks = c->next;
        free(c);
    }
    a->next = a->chunks ? a->chunks->bytes : NULL;
    a->left = a->chunks ? a->chunks->size : 0;
}

/* ------------------------------------------------------------------- finding fields */

static const char *find_text(const char *p, const char *end, bp_bytes text)
{
    return p < end ? memmem(p, (size_t)(end - p), text.ptr, text.len) : NULL;
}

/* The wanted fields of a record that a delimiter of several bytes separates. */
static bool cut_text(const cli_layout *l, bp_bytes delimiter, bp_bytes record,
                     bp_bytes *spans, size_t stride)
{
    const char *p = record.ptr, *end = p + record.len;
    const char *to = find_text(p, end, delimiter);
    uint64_t number = 1;
    for (size_t k = 0; k < l->n; k++) {
        for (; to && number < l->wanted[k]; number++) {
            p = to + delimiter.len;
            to = find_text(p, end, delimiter);
        }
        const bool has = number == l->wanted[k];
        spans[k * stride] =
            has ? (bp_bytes){p, (size_t)((to ? to : end) - p)} : (bp_bytes){NULL, 0};
        if (!has)
            return false;
    }
    return true;
}

/* Those of a CSV record with quotes, which stay on them. */
static bool cut_quoted(const cli_layout *l, char delimiter, bp_bytes record,
                       bp_bytes *spans, size_t stride)
{
    const char *p = record.ptr, *end = p + record.len;
    const char *to = cli_csv_field_end(p, end, delimiter);
    uint64_t number = 1;
    for (size_t k = 0; k < l->n; k++) {
        for (; to < end && number < l->wanted[k]; number++) {
            p = to + 1;
            to = cli_csv_field_end(p, end, delimiter);
        }
        if (number < l->wanted[k]) {
            spans[k * stride] = (bp_bytes){NULL, 0};
            return false;
        }
        spans[k * stride] = (bp_bytes){p, (size_t)(to - p)};
    }
    return true;
}

static size_t cut_one_by_one(cli_worker *w, const cli_cutter *c, const bp_bytes *records,
                             size_t n)
{
    const cli_layout *l = w->source->layout;
    const bp_bytes delimiter = w->feed->o->delimiter;
    size_t lacking = 0;
    for (size_t i = 0; i < n; i++) {
        const bp_bytes r = records[i];
        if (!w->feed->o->csv)
            lacking += !cut_text(l, delimiter, r, w->spans + i, w->room);
        else if (memchr(r.ptr, '"', r.len))
            lacking += !cut_quoted(l, c->byte, r, w->spans + i, w->room);
        else
            lacking += cli_cut_records(c, &r, 1, w->spans + i, w->room);
    }
    return lacking;
}

size_t cli_cut_fields(cli_worker *w, const bp_bytes *records, size_t n)
{
    const cli_layout *l = w->source->layout;
    const bp_bytes delimiter = w->feed->o->delimiter;
    const cli_cutter c = {.blanks = delimiter.len == 0,
                          .byte = delimiter.len ? *(const char *)delimiter.ptr : 0,
                          .n = l->n,
                          .wanted = l->wanted};
    if (delimiter.len > 1 || w->is_quoted)
        return cut_one_by_one(w, &c, records, n);
    return cli_cut_records(&c, records, n, w->spans, w->room);
}

/* ----------------------------------------------------------------------------- joining
 */

static char *put(char *to, const char *p, size_t n)
{
    memcpy(to, p, n);
    return to + n;
}

/* Fields between blanks, a tab between two. */
static char *put_blank_fields(char *to, bp_bytes text)
{
    const char *p = text.ptr, *end = p + text.len;
    bool is_first = true;
    while (p < end) {
        const char *start = p;
        while (p < end && *p != ' ' && *p != '\t')
            p++;
        if (p > start && !is_first)
            *to++ = '\t';
        is_first = is_first && p == start;
        to = put(to, start, (size_t)(p - start));
        p += p < end;
    }
    return to;
}

/* CSV fields again, each as it must be; `room` is for the longest value. */
static char *put_csv_fields(char *to, bp_bytes text, char delimiter, char *room)
{
    const char *p = text.ptr, *end = p + text.len;
    for (;;) {
        const char *stop = cli_csv_field_end(p, end, delimiter);
        char *value_end = cli_csv_value((bp_bytes){p, (size_t)(stop - p)}, room);
        to = cli_csv_quote((bp_bytes){room, (size_t)(value_end - room)}, delimiter, to);
        if (stop == end)
            return to;
        *to++ = delimiter;
        p = stop + 1;
    }
}

/* The text from a slice's first field to its last. */
static bp_bytes slice_text(const cli_worker *w, const cli_slice *s, bp_bytes record,
                           size_t i)
{
    const char *from = w->spans[s->first * w->room + i].ptr;
    const char *to = (const char *)record.ptr + record.len;
    if (s->last != CLI_TO_END) {
        const bp_bytes last = w->spans[s->last * w->room + i];
        to = (const char *)last.ptr + last.len;
    }
    return (bp_bytes){from, (size_t)(to - from)};
}

static bool join(cli_worker *w, cli_part part, bp_bytes record, size_t i, bp_bytes *out)
{
    const cli_slice *slices = w->source->layout->slices[part];
    const size_t n = w->feed->o->fields[part].n;
    const bp_bytes delimiter = w->feed->o->delimiter;
    size_t most = 0, longest = 0;
    for (size_t k = 0; k < n; k++) {
        const size_t len = slice_text(w, &slices[k], record, i).len;
        most += len + delimiter.len + 1;
        longest = len > longest ? len : longest;
    }
    /* Quoting may double bytes and adds two a field, each of which has a delimiter. */
    if (w->is_quoted)
        most = 3 * most + longest;
    char *to = arena_room(&w->arena, most);
    if (!to)
        return false;
    char *value = to + most - longest;
    for (size_t k = 0; k < n; k++) {
        const bp_bytes text = slice_text(w, &slices[k], record, i);
        if (k > 0 && delimiter.len)
            to = put(to, delimiter.ptr, delimiter.len);
        else if (k > 0)
            *to++ = '\t';
        if (w->is_quoted)
            to = put_csv_fields(to, text, *(const char *)delimiter.ptr, value);
        else
            to = delimiter.len ? put(to, text.ptr, text.len) : put_blank_fields(to, text);
    }
    *out = arena_take(&w->arena, to);
    return true;
}

/* -------------------------------------------------------------------------- the values
 */

static bool is_one_field(const cli_worker *w, cli_part part)
{
    const cli_slice *s = w->source->layout->slices[part];
    return w->feed->o->fields[part].n == 1 && s->first == s->last;
}

/* A CSV field without its quotes. */
static bool unquote(cli_worker *w, bp_bytes *field)
{
    if (field->len == 0 || *(const char *)field->ptr != '"')
        return true;
    char *to = arena_room(&w->arena, field->len);
    if (to)
        *field = arena_take(&w->arena, cli_csv_value(*field, to));
    return to != NULL;
}

bool cli_value(cli_worker *w, cli_part part, bp_bytes record, size_t i, bp_bytes *out)
{
    const cli_slice *s = w->source->layout->slices[part];
    const size_t n = w->feed->o->fields[part].n;
    const bool is_run = w->feed->o->delimiter.len && !w->is_quoted;
    if (n == 0) {
        *out = record;
        return true;
    }
    if (!is_one_field(w, part) && (n > 1 || !is_run))
        return join(w, part, record, i, out);
    *out = slice_text(w, s, record, i);
    return !w->is_quoted || unquote(w, out);
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bp_bytes cli_trimmed(bp_bytes b)
{
    const char *p = b.ptr, *end = p + b.len;
    while (p < end && is_space(*p))
        p++;
    while (end > p && is_space(end[-1]))
        end--;
    return (bp_bytes){p, (size_t)(end - p)};
}

static bool fold(cli_worker *w, bp_bytes *b)
{
    const char *p = b->ptr;
    char *to = arena_room(&w->arena, b->len);
    if (!to)
        return false;
    for (size_t i = 0; i < b->len; i++)
        to[i] = (char)(p[i] + (p[i] >= 'A' && p[i] <= 'Z' ? 'a' - 'A' : 0));
    *b = arena_take(&w->arena, to + b->len);
    return true;
}

const bp_bytes *cli_values(cli_worker *w, cli_part part, const bp_bytes *records,
                           size_t n)
{
    const cli_options *o = w->feed->o;
    const bool trim = o->trim && part == CLI_OF_ITEM;
    const bool folds = o->ignore_case && part == CLI_OF_ITEM;
    const cli_slice *s = w->source->layout->slices[part];
    bp_bytes *made = w->made[part];
    if (!trim && !folds && o->fields[part].n == 0)
        return records;
    if (!trim && !folds && is_one_field(w, part) && !w->is_quoted)
        return w->spans + s->first * w->room;
    for (size_t i = 0; i < n; i++) {
        if (!cli_value(w, part, records[i], i, &made[i]))
            return NULL;
        if (trim)
            made[i] = cli_trimmed(made[i]);
        if (folds && !fold(w, &made[i]))
            return NULL;
    }
    return made;
}
