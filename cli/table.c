/* SPDX-License-Identifier: MIT
 * table.c - rows of answers, in every format.
 *
 * A command knows what its columns are; how a row looks is decided here, once. Only
 * people need rows to be kept: a page of them, so that its columns line up, and on a
 * terminal none is longer than a line; and Prometheus, which wants a metric's samples
 * together. */
#include "prom.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS_MOST = 16, PAGE = 512, GAP = 2 };

struct cli_table {
    const cli_options *o;
    const cli_column *columns;
    size_t n;
    /* with groups: the columns with the group's among them, and whose rows come now */
    cli_column with_group[COLUMNS_MOST];
    size_t group_at;
    bp_bytes group;
    /* for people: the page in the making */
    char **texts; /* n a row; NULL where the column is not shown */
    size_t rows;
    bool has_heading;
    size_t widths[COLUMNS_MOST];
    size_t across; /* columns of the terminal; SIZE_MAX when it is none */
    cli_prom *prom;
};

static bool is_number(cli_type type)
{
    return type != CLI_TEXT && type != CLI_ITEM;
}

/* ------------------------------------------------------------------------------ plain */

static void put_bytes(bp_bytes b)
{
    fwrite(b.ptr, 1, b.len, stdout);
}

/* The shortest of 6 and 15 digits that says enough for the type. */
static void put_number(const cli_column *c, const cli_cell *cell)
{
    if (c->type == CLI_COUNT || c->type == CLI_SIZE)
        printf("%llu", (unsigned long long)cell->count);
    else if (!isfinite(cell->real))
        fputs(isnan(cell->real) ? "nan"
              : cell->real > 0  ? "infinity"
                                : "-infinity",
              stdout);
    else if (c->type == CLI_WHOLE)
        printf("%.0f", cell->real);
    else
        printf("%.6g", cell->real);
}

/* With -z what holds the user's bytes ends with NUL, as by uniq -z; a bare number does
 * not. */
static char row_end(const cli_table *t)
{
    bool has_item = false;
    for (size_t i = 0; i < t->n; i++)
        has_item = has_item || t->columns[i].type == CLI_ITEM;
    return t->o->zero && has_item ? '\0' : '\n';
}

static void row_plain(const cli_table *t, const cli_cell *cells)
{
    bool is_first = true;
    for (size_t i = 0; i < t->n; i++) {
        const cli_column *c = &t->columns[i];
        if (!c->is_plain)
            continue;
        if (!is_first)
            putchar('\t');
        is_first = false;
        if (c->type == CLI_TEXT)
            fputs(cells[i].text, stdout);
        else if (c->type == CLI_ITEM)
            put_bytes(cells[i].item);
        else
            put_number(c, &cells[i]);
    }
    putchar(row_end(t));
}

/* -------------------------------------------------------------------------------- csv */

/* Quoted when it has to be (RFC 4180). */
static void put_csv(bp_bytes b)
{
    const char *p = b.ptr;
    bool quote = false;
    for (size_t i = 0; i < b.len && !quote; i++)
        quote = p[i] == ',' || p[i] == '"' || p[i] == '\n' || p[i] == '\r';
    if (!quote) {
        put_bytes(b);
        return;
    }
    putchar('"');
    for (size_t i = 0; i < b.len; i++) {
        if (p[i] == '"')
            putchar('"');
        putchar(p[i]);
    }
    putchar('"');
}

static void row_csv(const cli_table *t, const cli_cell *cells)
{
    bool is_first = true;
    if (t->o->follow)
        printf("%s,", cli_follow_time());
    for (size_t i = 0; i < t->n; i++) {
        const cli_column *c = &t->columns[i];
        if (!c->name)
            continue;
        if (!is_first)
            putchar(',');
        is_first = false;
        if (c->type == CLI_TEXT)
            put_csv((bp_bytes){cells[i].text, strlen(cells[i].text)});
        else if (c->type == CLI_ITEM)
            put_csv(cells[i].item);
        else
            put_number(c, &cells[i]);
    }
    putchar('\n');
}

static void heading_csv(const cli_table *t)
{
    if (t->o->frame > 0)
        return;
    if (t->o->follow)
        fputs("at,", stdout);
    bool is_first = true;
    for (size_t i = 0; i < t->n; i++) {
        if (!t->columns[i].name)
            continue;
        printf("%s%s", is_first ? "" : ",", t->columns[i].name);
        is_first = false;
    }
    putchar('\n');
}

/* ------------------------------------------------------------------------------- json */

static int set_json(json_t *row, const cli_column *c, const cli_cell *cell)
{
    switch (c->type) {
    case CLI_ITEM:
        return cli_json_set_item(row, c->name, cell->item);
    case CLI_TEXT:
        return json_object_set_new(row, c->name, json_string(cell->text));
    case CLI_COUNT:
    case CLI_SIZE:
        return json_object_set_new(row, c->name, cli_json_count(cell->count));
    case CLI_WHOLE:
        return json_object_set_new(row, c->name, cli_json_whole(cell->real));
    default:
        return json_object_set_new(row, c->name, cli_json_real(cell->real));
    }
}

/* When it was so, what the row is about, then the numbers. */
static int row_json(const cli_table *t, const cli_cell *cells)
{
    json_t *row = json_object();
    int bad = !row;
    if (row && t->o->follow)
        bad = json_object_set_new(row, "at", json_string(cli_follow_time()));
    for (size_t i = 0; i < t->n && !bad; i++)
        if (t->columns[i].type == CLI_ITEM)
            bad = set_json(row, &t->columns[i], &cells[i]);
    for (size_t i = 0; i < t->n && !bad; i++)
        if (t->columns[i].type != CLI_ITEM && t->columns[i].name)
            bad = set_json(row, &t->columns[i], &cells[i]);
    if (bad) {
        json_decref(row);
        row = NULL;
    }
    return cli_print_json(row);
}

/* -------------------------------------------------------------------------- for people
 */

static char *text_of(const cli_column *c, const cli_cell *cell)
{
    cli_text text;
    switch (c->type) {
    case CLI_ITEM:
        return cli_shown(cell->item);
    case CLI_TEXT:
        return strdup(cell->text);
    case CLI_COUNT:
        return strdup(cli_grouped(text, cell->count));
    case CLI_SIZE:
        return strdup(cli_size_text(text, (double)cell->count));
    case CLI_WHOLE:
        return strdup(cli_grouped_real(text, cell->real));
    case CLI_SHARE:
        return strdup(cli_percent(text, cell->real));
    default:
        if (fabs(cell->real) >= 1000)
            return strdup(cli_grouped_real(text, cell->real));
        snprintf(text, sizeof text, "%.3g", cell->real);
        return strdup(text);
    }
}

/* The last column that people see. */
static size_t last_shown(const cli_table *t)
{
    size_t last = t->n - 1;
    while (last > 0 && !t->columns[last].label)
        last--;
    return last;
}

/* What column i has room for: on a terminal free text is cut, but numbers never. */
static size_t room(const cli_table *t, size_t i)
{
    enum { TEXT_LEAST = 5 };
    const size_t last = last_shown(t);
    size_t used = 0, left;
    if (t->across == SIZE_MAX || is_number(t->columns[i].type))
        return SIZE_MAX;
    for (size_t k = 0; k < last; k++)
        used += t->columns[k].label ? t->widths[k] + GAP : 0;
    left = i < last ? t->across / 4 : t->across > used ? t->across - used : 0;
    return left > TEXT_LEAST ? left : TEXT_LEAST;
}

static const char *style_of(const cli_table *t, size_t i, bool is_heading)
{
    const char *name = t->columns[i].name;
    if (!t->o->color)
        return "";
    if (is_heading)
        return CLI_BOLD;
    return name && (strcmp(name, "lower") == 0 || strcmp(name, "upper") == 0) ? CLI_DIM
                                                                              : "";
}

static void put_text(const cli_table *t, size_t i, const char *text, const char *style)
{
    const char *end = *style ? CLI_PLAINLY : "";
    const size_t n = strlen(text), most = room(t, i);
    size_t fits = n;
    if (most < SIZE_MAX && cli_columns(text) > most)
        fits = cli_fitting(text, n, most - 3, NULL);
    fprintf(t->o->out, "%s%.*s%s%s", style, (int)fits, text, fits < n ? "..." : "", end);
}

/* Numbers stand at the right of their column, text at the left; the last column is not
 * padded. */
static void put_aligned(const cli_table *t, char *const *texts, bool is_heading)
{
    size_t gap = 0;
    for (size_t i = 0, last = last_shown(t); i <= last; i++) {
        const cli_column *c = &t->columns[i];
        if (!texts[i]) /* not shown */
            continue;
        const size_t width = cli_columns(texts[i]);
        const size_t pad = t->widths[i] > width ? t->widths[i] - width : 0;
        const bool is_right = is_number(c->type);
        fprintf(t->o->out, "%*s", (int)(gap + (is_right ? pad : 0)), "");
        put_text(t, i, texts[i], style_of(t, i, is_heading));
        gap = GAP + (is_right ? 0 : pad);
    }
    putc('\n', t->o->out);
}

static void widen(cli_table *t, char *const *texts)
{
    for (size_t i = 0; i < t->n; i++) {
        const size_t width = texts[i] ? cli_columns(texts[i]) : 0, most = room(t, i);
        if (width > t->widths[i])
            t->widths[i] = width < most ? width : most;
    }
}

static void put_heading(cli_table *t)
{
    char *labels[COLUMNS_MOST] = {NULL};
    for (size_t i = 0; i < t->n; i++)
        labels[i] = (char *)t->columns[i].label;
    widen(t, labels);
    put_aligned(t, labels, true);
    t->has_heading = true;
}

static void flush_page(cli_table *t)
{
    for (size_t r = 0; r < t->rows; r++)
        widen(t, t->texts + r * t->n);
    if (t->rows > 0 && !t->has_heading)
        put_heading(t);
    for (size_t r = 0; r < t->rows; r++)
        put_aligned(t, t->texts + r * t->n, false);
    for (size_t i = 0; i < t->rows * t->n; i++)
        free(t->texts[i]);
    t->rows = 0;
}

static int row_human(cli_table *t, const cli_cell *cells)
{
    char **texts = t->texts + t->rows * t->n;
    bool is_whole = true;
    for (size_t i = 0; i < t->n; i++) {
        const cli_column *c = &t->columns[i];
        texts[i] = c->label ? text_of(c, &cells[i]) : NULL;
        is_whole = is_whole && (texts[i] || !c->label);
    }
    if (!is_whole) {
        for (size_t i = 0; i < t->n; i++)
            free(texts[i]);
        return cli_error("out of memory");
    }
    if (++t->rows == PAGE)
        flush_page(t);
    return CLI_OK;
}

/* -------------------------------------------------------------------------- the table */

/* The group stands in front of other free text, after the numbers. */
static void insert_group(cli_table *t)
{
    size_t at = 0;
    while (at < t->n && t->columns[at].type != CLI_ITEM)
        at++;
    memcpy(t->with_group, t->columns, at * sizeof *t->columns);
    t->with_group[at] = (cli_column){"group", "group", CLI_ITEM, true, "group", NULL};
    memcpy(t->with_group + at + 1, t->columns + at, (t->n - at) * sizeof *t->columns);
    t->columns = t->with_group;
    t->n++;
    t->group_at = at;
}

static cli_table *begin(const cli_options *o, const cli_column *columns, size_t n,
                        bool of_groups)
{
    size_t rows;
    if (cli_prom_check(o, columns, n))
        return NULL;
    cli_table *t = calloc(1, sizeof *t);
    if (!t) {
        cli_error("out of memory");
        return NULL;
    }
    *t = (cli_table){.o = o, .columns = columns, .n = n};
    if (of_groups)
        insert_group(t);
    if (o->format == CLI_HUMAN)
        t->texts = calloc(PAGE * t->n, sizeof *t->texts);
    if (o->format == CLI_PROM)
        t->prom = cli_prom_begin(t->columns, t->n);
    if ((o->format == CLI_HUMAN && !t->texts) || (o->format == CLI_PROM && !t->prom)) {
        free(t);
        cli_error("out of memory");
        return NULL;
    }
    if (!cli_window(STDOUT_FILENO, &rows, &t->across))
        t->across = SIZE_MAX;
    if (o->format == CLI_CSV)
        heading_csv(t);
    return t;
}

cli_table *cli_table_begin(const cli_options *o, const cli_column *columns, size_t n)
{
    return begin(o, columns, n, false);
}

cli_table *cli_table_begin_groups(const cli_options *o, const cli_column *columns,
                                  size_t n)
{
    return begin(o, columns, n, true);
}

void cli_table_group(cli_table *t, bp_bytes name)
{
    t->group = name;
}

static int put_row(cli_table *t, const cli_cell *cells)
{
    switch (t->o->format) {
    case CLI_HUMAN:
        return row_human(t, cells);
    case CLI_JSON:
        return row_json(t, cells);
    case CLI_CSV:
        row_csv(t, cells);
        return CLI_OK;
    case CLI_PROM:
        cli_prom_row(t->prom, cells);
        return CLI_OK;
    default:
        row_plain(t, cells);
        return CLI_OK;
    }
}

int cli_table_row(cli_table *t, const cli_cell *cells)
{
    if (t->columns != t->with_group)
        return put_row(t, cells);
    cli_cell all[COLUMNS_MOST];
    const size_t at = t->group_at;
    memcpy(all, cells, at * sizeof *all);
    all[at].item = t->group;
    memcpy(all + at + 1, cells + at, (t->n - at - 1) * sizeof *all);
    return put_row(t, all);
}

int cli_table_end(cli_table *t)
{
    if (t->o->format == CLI_HUMAN)
        flush_page(t);
    const int code = t->prom ? cli_prom_end(t->prom, stdout) : CLI_OK;
    free(t->texts);
    free(t);
    return code;
}
