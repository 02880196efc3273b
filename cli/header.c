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

static const char mark[] = "\xef\xbb\xbf"; /* of the byte order, as UTF-8 has it */
enum { MARK = sizeof mark - 1 };

/* Waits for a stream as for its other lines. false: SIGINT came. */
static bool await(const cli_source *s)
{
    bool is_ready = !s->codec || cli_codec_is_ready(s->codec);
    while (!is_ready && !cli_interrupted())
        is_ready = cli_wait(s->fd, -1);
    return !cli_interrupted();
}

/* Reads until the first line is whole or the input ends. A quote behind a byte order mark
 * opens the first name. */
static bool read_first_line(cli_feed *f, cli_source *s, header *h)
{
    cli_quotes quotes = CLI_QUOTES_BEGIN;
    size_t end = 0, at = 0;
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
        h->read += (size_t)got;
        if (got == 0)
            break;
        if (h->read < MARK && memcmp(h->text, mark, h->read) == 0)
            continue;
        if (at == 0 && h->read >= MARK && memcmp(h->text, mark, MARK) == 0)
            at = MARK;
        end = cli_first_record(f->o, f->end, &quotes, h->text + at, h->read - at);
        end += end ? at : 0;
        at = h->read;
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
    size_t n, room;
    bp_bytes *columns;
    char *values; /* of CSV: what they point into */
} names;

static bool wants_names(const cli_options *o)
{
    bool wants = false;
    for (int p = 0; p < CLI_PARTS; p++)
        for (size_t i = 0; i < o->fields[p].n; i++)
            wants = wants || o->fields[p].ranges[i].name;
    return wants;
}

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

static bool names_add(names *all, bp_bytes column)
{
    if (all->n == all->room) {
        const size_t room = 2 * all->room + 16;
        bp_bytes *grown = realloc(all->columns, room * sizeof *grown);
        if (!grown)
            return false;
        all->columns = grown;
        all->room = room;
    }
    all->columns[all->n++] = column;
    return true;
}

/* The columns of a header. A byte order mark in front and a carriage return at the end
 * are no part of a name. */
static bool names_read(const cli_options *o, bp_bytes line, names *out)
{
    const char *p = line.ptr, *end = p + line.len;
    if (line.len >= MARK && memcmp(p, mark, MARK) == 0)
        p += MARK;
    if (end > p && end[-1] == '\r')
        end--;
    out->values = o->csv ? malloc((size_t)(end - p) + 1) : NULL;
    char *to = out->values;
    bool ok = to || !o->csv;
    while (ok && p) {
        bp_bytes column = next_column(o, &p, end);
        if (o->csv) {
            char *value = to;
            to = cli_csv_value(column, value);
            column = (bp_bytes){value, (size_t)(to - value)};
        }
        if (!p && !column.len && !o->delimiter.len)
            break;
        ok = names_add(out, column);
    }
    return ok;
}

/* "id, email, name"; what is one too many is "...". */
static void list_texts(char *list, size_t room, const char *const *texts)
{
    enum { SHOWN = 12 };
    *list = '\0';
    for (size_t i = 0; texts[i]; i++) {
        const bool fits = i < SHOWN && strlen(list) + strlen(texts[i]) + 8 < room;
        if (*list)
            strcat(list, ", ");
        strcat(list, fits ? texts[i] : "...");
        if (!fits)
            break;
    }
}

/* The option that would make several columns of what was read as one, if any. */
static const char *splits(const cli_options *o, const char *column)
{
    return strchr(column, ',') && !o->csv ? "--csv"
           : strchr(column, ';')          ? "--csv -d';'"
           : strstr(column, "\\t")        ? "--tsv"
                                          : NULL;
}

/* "users.csv: no column 'emial'; it has: id, email, name" */
static void refuse(const cli_options *o, const cli_source *s, const names *all,
                   const char *name, bool twice)
{
    enum { LOOKED_AT = 256 };
    const char *texts[LOOKED_AT + 1] = {NULL};
    char list[512];
    size_t n = 0;
    if (twice) {
        cli_error("%s: two columns have the name '%s'", s->name, name);
        cli_hint("say by number which one");
        return;
    }
    while (n < all->n && n < LOOKED_AT && (texts[n] = cli_shown(all->columns[n])))
        n++;
    list_texts(list, sizeof list, texts);
    cli_error("%s: no column '%s'; it has: %s", s->name, name, list);
    const char *near = cli_nearest(name, texts);
    const char *split = n == 1 ? splits(o, texts[0]) : NULL;
    if (split)
        cli_hint("is it one column only? %s would split it", split);
    else if (near)
        cli_hint("did you mean %s?", near);
    for (size_t i = 0; i < n; i++)
        free((char *)texts[i]);
}

static bool lay_out(cli_feed *f, cli_source *s, bp_bytes line)
{
    names all = {0};
    const cli_range *missing = NULL;
    bool twice = false, ok = true;
    if (wants_names(f->o))
        ok = names_read(f->o, line, &all);
    if (ok)
        s->layout = cli_layout_new(f->o, all.columns, all.n, &missing, &twice);
    if (missing)
        refuse(f->o, s, &all, missing->name, twice);
    f->failed += missing != NULL;
    if (!missing && !s->layout)
        f->st = BP_NOMEM;
    free(all.columns);
    free(all.values);
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
