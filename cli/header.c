/* SPDX-License-Identifier: MIT
 * header.c - -H: the first line of a file names its fields.
 *
 * It is read before any thread gets a piece of the file, and what it names is looked up
 * at once: a file without the column fails as one that cannot be opened does, and the
 * others are still read. */
#include "input.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------- reading */

typedef struct header {
    char *text;
    size_t n;      /* of the line, with its end            */
    size_t read;   /* what was read, the rest behind it    */
    bp_bytes line; /* without its end                      */
} header;

/* Waits for a stream as for its other lines. false: SIGINT came. */
static bool await(const cli_source *s)
{
    bool is_ready = !s->codec || cli_codec_is_ready(s->codec);
    while (!is_ready && !cli_interrupted())
        is_ready = cli_wait(s->fd, -1);
    return !cli_interrupted();
}

/* Reads until the first line is whole or the input ends. */
static bool read_first_line(cli_feed *f, cli_source *s, header *h)
{
    cli_quotes quotes = CLI_QUOTES_BEGIN;
    size_t end = 0;
    while (!end && await(s)) {
        const size_t want = cli_cut_now.block;
        char *grown = realloc(h->text, h->read + want + 1);
        if (!grown) {
            f->st = BP_NOMEM;
            return false;
        }
        h->text = grown;
        const ssize_t got =
            cli_source_read(s, h->text + h->read, want, s->start + h->read);
        if (got == CLI_CODEC_WAITS)
            continue;
        if (got < 0) {
            if (!s->codec) /* which has said so */
                cli_errno(s->name);
            f->failed++;
            return false;
        }
        end = cli_first_record(f->o, f->end, &quotes, h->text + h->read, (size_t)got);
        end += end ? h->read : 0;
        h->read += (size_t)got;
        if (got == 0)
            break;
    }
    h->n = end ? end : h->read;
    h->line = (bp_bytes){h->text, h->n - (end > 0)};
    if (!end && quotes.inside) {
        cli_error("%s:1: the header has a quote that is never closed", s->name);
        f->failed++;
    }
    return h->read > 0 && !cli_interrupted() && (end || !quotes.inside);
}

/* What a stream gave beyond the header is a begun block. */
static bool keep_rest(cli_feed *f, cli_source *s, const header *h)
{
    s->body = s->next = s->read = s->start + h->n;
    if (s->is_regular)
        return true;
    s->lines = cli_count_ends(h->text, h->n, f->end);
    s->read = h->read;
    s->carry_n = h->read - h->n;
    s->carry = malloc(2 * cli_cut_now.block + 1);
    if (s->carry)
        memcpy(s->carry, h->text + h->n, s->carry_n);
    else
        f->st = BP_NOMEM;
    return s->carry != NULL;
}

/* ------------------------------------------------------------------------------ names */

typedef struct names {
    size_t n;
    bp_bytes *columns;
    char *values;       /* of CSV: what they point into       */
    const char **texts; /* the same for people, ended by NULL */
} names;

static bp_bytes next_column(const cli_options *o, const char **p, const char *end)
{
    const bp_bytes d = o->delimiter;
    const char *from = *p, *to;
    if (o->csv) {
        to = cli_csv_field_end(from, end, *(const char *)d.ptr);
        *p = to < end ? to + 1 : NULL;
        to = to < end ? to : NULL;
    } else if (d.len) {
        to = from < end ? memmem(from, (size_t)(end - from), d.ptr, d.len) : NULL;
        *p = to ? to + d.len : NULL;
    } else {
        while (from < end && (*from == ' ' || *from == '\t'))
            from++;
        for (to = from; to < end && *to != ' ' && *to != '\t';)
            to++;
        *p = to < end ? to : NULL;
    }
    return (bp_bytes){from, (size_t)((to ? to : end) - from)};
}

static void names_free(names *all)
{
    for (size_t i = 0; all->texts && i < all->n; i++)
        free((char *)all->texts[i]);
    free(all->texts);
    free(all->values);
    free(all->columns);
}

/* The columns of a header. A byte order mark in front and a carriage return at the end
 * are no part of a name. */
static bool names_read(const cli_options *o, bp_bytes line, names *out)
{
    const char *p = line.ptr, *end = p + line.len;
    if (line.len >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    if (end > p && end[-1] == '\r')
        end--;
    const size_t most = (size_t)(end - p) + 2;
    out->columns = calloc(most, sizeof *out->columns);
    out->texts = calloc(most, sizeof *out->texts);
    out->values = o->csv ? malloc(most) : NULL;
    char *to = out->values;
    bool ok = out->columns && out->texts && (to || !o->csv);
    while (ok && p) {
        bp_bytes column = next_column(o, &p, end);
        if (o->csv) {
            char *value = to;
            to = cli_csv_value(column, value);
            column = (bp_bytes){value, (size_t)(to - value)};
        }
        if (!p && !column.len && !o->delimiter.len)
            break;
        out->columns[out->n] = column;
        out->texts[out->n] = cli_shown(column);
        ok = out->texts[out->n++] != NULL;
    }
    return ok;
}

/* "users.csv: no column 'emial'; it has: id, email, name" */
static void refuse(const cli_source *s, const names *all, const char *name, bool twice)
{
    enum { SHOWN = 12 };
    char list[512] = "";
    const size_t room = sizeof list - 8;
    if (twice) {
        cli_error("%s: two columns have the name '%s'", s->name, name);
        cli_hint("say by number which one");
        return;
    }
    for (size_t i = 0; i < all->n; i++) {
        const bool fits = i < SHOWN && strlen(list) + strlen(all->texts[i]) + 2 < room;
        if (*list)
            strcat(list, ", ");
        strcat(list, fits ? all->texts[i] : "...");
        if (!fits)
            break;
    }
    cli_error("%s: no column '%s'; it has: %s", s->name, name, list);
    const char *near = cli_nearest(name, all->texts);
    if (near)
        cli_hint("did you mean %s?", near);
}

static bool lay_out(cli_feed *f, cli_source *s, bp_bytes line)
{
    names all = {0};
    const cli_range *missing = NULL;
    bool twice = false, ok = true;
    if (f->o->header)
        ok = names_read(f->o, line, &all);
    if (ok)
        s->layout = cli_layout_new(f->o, all.columns, all.n, &missing, &twice);
    if (missing)
        refuse(s, &all, missing->name, twice);
    f->failed += missing != NULL;
    if (!missing && !s->layout)
        f->st = BP_NOMEM;
    names_free(&all);
    return s->layout != NULL;
}

bool cli_source_begin(cli_feed *f, cli_source *s)
{
    header h = {0};
    s->body = s->read = s->start;
    bool ok = !f->o->header || (read_first_line(f, s, &h) && keep_rest(f, s, &h));
    ok = ok && lay_out(f, s, h.line);
    if (ok && f->o->header && f->sink->header && !f->has_header) {
        f->has_header = true;
        f->sink->header(f->sink->ctx, h.line);
    }
    free(h.text);
    return ok;
}
