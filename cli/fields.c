/* SPDX-License-Identifier: MIT
 * fields.c - which fields are asked for, and where in a file's records they stand.
 *
 * A list is what the user typed; a layout is what it comes to in one file, since with a
 * header each file may have its columns in another order. Fields are taken in the order
 * of the list and not, as by cut, in that of the file: so the same names make the same
 * item of both files. */
#include "input.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------- the list */

enum { FIELD_MOST = 1 << 30 };

/* Digits at *p into *n; false: there are none, or too many. */
static bool read_digits(const char **p, uint64_t *n)
{
    const char *start = *p;
    for (*n = 0; **p >= '0' && **p <= '9'; ++*p)
        if ((*n = *n * 10 + (uint64_t)(**p - '0')) > FIELD_MOST)
            return false;
    return *p > start;
}

/* 3, 2-4, 3-, -2. NULL, or what is wrong; *is_number: it looks like one. */
static const char *read_numbers(const char *text, cli_range *r, bool *is_number)
{
    const char *p = text;
    *is_number = text[strspn(text, "0123456789-")] == '\0' && strcmp(text, "-") != 0;
    if (!*is_number)
        return "is no number; -H makes the first line a header, whose names may be used";
    *r = (cli_range){1, CLI_TO_END, NULL};
    if (*p != '-' && !read_digits(&p, &r->first))
        return "is too large a number: the most is 2^30";
    r->last = r->first;
    if (*p == '-') {
        r->last = CLI_TO_END;
        if (*++p && !read_digits(&p, &r->last))
            return *p == '-' ? "has a - too many"
                             : "is too large a number: the most is 2^30";
    }
    if (*p)
        return "has a - too many";
    if (r->first == 0 || r->last == 0)
        return "fields are counted from 1";
    return r->last < r->first ? "is a range that ends before it begins" : NULL;
}

/* The entry at *p, up to its comma, malloc'd; NULL: out of memory. In quotes it is a name
 * whatever it looks like, and may hold commas; a quote in it is doubled. */
static char *read_entry(const char **p, bool *is_quoted)
{
    char *out = malloc(strlen(*p) + 1), *to = out;
    *is_quoted = **p == '"';
    bool inside = *is_quoted;
    if (!out)
        return NULL;
    for (*p += *is_quoted; **p && (inside || **p != ','); ++*p) {
        if (*is_quoted && **p == '"') {
            inside = !inside;
            if (!inside || (*p)[-1] != '"')
                continue;
        }
        *to++ = **p;
    }
    *to = '\0';
    return out;
}

static const char *read_range(const char **p, bool by_name, cli_range *r)
{
    bool is_quoted, is_number = false;
    char *entry = read_entry(p, &is_quoted);
    if (!entry)
        return "out of memory";
    *r = (cli_range){0, 0, NULL};
    const char *wrong = *entry || is_quoted ? NULL : "has an empty entry";
    if (!wrong && !is_quoted)
        wrong = read_numbers(entry, r, &is_number);
    if (by_name && (is_quoted || (!is_number && *entry))) {
        r->name = entry;
        return NULL;
    }
    free(entry);
    return is_quoted ? "is a name; -H makes the first line a header with names" : wrong;
}

const char *cli_read_fields(const char *text, bool by_name, cli_fields *out)
{
    const char *wrong = NULL;
    size_t most = 1;
    *out = (cli_fields){NULL, 0};
    if (!*text)
        return "is empty";
    for (const char *p = text; *p; p++)
        most += *p == ',';
    out->ranges = calloc(most, sizeof *out->ranges);
    if (!out->ranges)
        return "out of memory";
    for (const char *p = text;; p++) {
        wrong = read_range(&p, by_name, &out->ranges[out->n]);
        if (wrong)
            return wrong;
        out->n++;
        if (!*p)
            return NULL;
    }
}

void cli_fields_free(cli_fields *f)
{
    for (size_t i = 0; i < f->n; i++)
        free(f->ranges[i].name);
    free(f->ranges);
    *f = (cli_fields){NULL, 0};
}

/* ------------------------------------------------------------------------- the layout */

size_t cli_layout_most(const cli_options *o)
{
    size_t most = 0;
    for (int p = 0; p < CLI_PARTS; p++)
        most += 2 * o->fields[p].n;
    return most;
}

/* The number of the column with that name; 0: there is none, or `twice`. */
static uint64_t column_number(const char *name, const bp_bytes *columns, size_t n,
                              bool *twice)
{
    uint64_t found = 0;
    for (size_t i = 0; i < n; i++)
        if (columns[i].len == strlen(name) &&
            memcmp(columns[i].ptr, name, columns[i].len) == 0) {
            *twice = found != 0;
            if (found)
                return 0;
            found = i + 1;
        }
    return found;
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static size_t sort_unique(uint64_t *numbers, size_t n)
{
    size_t kept = 0;
    if (n > 0)
        qsort(numbers, n, sizeof *numbers, by_number);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || numbers[kept - 1] != numbers[i])
            numbers[kept++] = numbers[i];
    return kept;
}

static uint64_t place_of(const cli_layout *l, uint64_t number)
{
    const uint64_t *at = bsearch(&number, l->wanted, l->n, sizeof number, by_number);
    return (uint64_t)(at - l->wanted);
}

static bool allocate(cli_layout *l, const cli_options *o)
{
    bool ok = true;
    const size_t most = cli_layout_most(o);
    l->wanted = calloc(most + 1, sizeof *l->wanted);
    for (int p = 0; p < CLI_PARTS; p++) {
        l->slices[p] = calloc(o->fields[p].n + 1, sizeof *l->slices[p]);
        ok = ok && l->slices[p];
    }
    return ok && l->wanted;
}

/* The ranges as numbers of fields, whatever they were asked by. NULL, or the range whose
 * name no column has. */
static const cli_range *number_all(cli_layout *l, const cli_options *o,
                                   const bp_bytes *columns, size_t n, bool *twice)
{
    for (int p = 0; p < CLI_PARTS; p++)
        for (size_t i = 0; i < o->fields[p].n; i++) {
            const cli_range *r = &o->fields[p].ranges[i];
            cli_slice *to = &l->slices[p][i];
            *to = (cli_slice){r->first, r->last};
            if (r->name)
                to->first = to->last = column_number(r->name, columns, n, twice);
            if (to->first == 0)
                return r;
            l->wanted[l->n++] = to->first;
            if (to->last != CLI_TO_END)
                l->wanted[l->n++] = to->last;
        }
    return NULL;
}

/* The numbers into their places among the wanted ones. */
static void place_all(cli_layout *l, const cli_options *o)
{
    l->n = sort_unique(l->wanted, l->n);
    for (int p = 0; p < CLI_PARTS; p++)
        for (size_t i = 0; i < o->fields[p].n; i++) {
            cli_slice *s = &l->slices[p][i];
            s->first = place_of(l, s->first);
            if (s->last != CLI_TO_END)
                s->last = place_of(l, s->last);
        }
}

cli_layout *cli_layout_new(const cli_options *o, const bp_bytes *columns, size_t n,
                           const cli_range **missing, bool *twice)
{
    cli_layout *l = calloc(1, sizeof *l);
    *missing = NULL;
    *twice = false;
    if (l && allocate(l, o)) {
        *missing = number_all(l, o, columns, n, twice);
        if (!*missing) {
            place_all(l, o);
            return l;
        }
    }
    cli_layout_free(l);
    return NULL;
}

void cli_layout_free(cli_layout *l)
{
    for (int p = 0; l && p < CLI_PARTS; p++)
        free(l->slices[p]);
    if (l)
        free(l->wanted);
    free(l);
}
