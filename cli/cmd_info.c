/* SPDX-License-Identifier: MIT
 * cmd_info.c - `ballpark info`: what a saved sketch is, holds and is still worth.
 *
 * Everything comes from describe, which every kind has, so that a new kind is told of
 * here on its first day. The file is mapped and checked whole, checksums included. */
#include "groups.h"
#include "prom.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const examples[] = {
    "ballpark info day.bp",
    "what it is, what it holds, how far it can be trusted",
    "ballpark info --format json *.bp",
    "one object a file",
    "ballpark info --format prom *.bp > tmp && mv tmp bp.prom",
    "gauges for node_exporter's textfile collector",
    "ballpark info --only web week.groups",
    "one group of a file of groups",
    "ballpark info --verify *.bp",
    "whether any of them was damaged",
    NULL};

static const cli_use uses[] = {{OPT_ONLY, NULL},       {OPT_VERIFY, NULL},
                               {OPT_CONFIDENCE, NULL}, {OPT_FORMAT, NULL},
                               {OPT_COLOR, NULL},      {OPT_END, NULL}};

static const char *const exits[] = {
    "0  every file is a whole sketch",
    "2  one is not: missing, no sketch, damaged, or of a newer version", NULL};

const cli_page page_info = {
    .usage = "[OPTION]... [FILE]...",
    .about =
        "Tells what saved sketches are: kind, parameters and hash, what they hold, the "
        "estimate with its bounds, and whether they hold more than they were made for. "
        "Each file is verified whole: a damaged one is an error that names the byte.",
    .examples = examples,
    .uses = uses,
    .exits = exits,
    .notes =
        "health is ok, near (to what the sketch was made for) or over (past it: "
        "answers are worse than was asked for). --format plain prints lines of name, "
        "tab, value; a blank line stands between files. csv has rows of file, name "
        "and value. prom has gauges with the file as label sketch. Of a file of groups "
        "it tells the parameters, which all have alike, how many there are and which are "
        "the largest; the worst health counts. A Parquet filter has no checksums: of it "
        "only the header is verified."};

enum { LARGEST = 5 };

typedef struct large {
    bp_bytes group;
    double value;
} large;

typedef struct report {
    const char *name;
    const char *only; /* the group that it is about, or NULL */
    const bp_kind_info *kind;
    unsigned format;
    uint64_t bytes;
    bp_description d;
    bp_estimate estimate;
    bool has_estimate;
    double confidence;
    bool is_groups; /* of a whole file of them; then: */
    size_t n_largest;
    large largest[LARGEST];
} report;

static const char *health_word(bp_health h)
{
    static const char *const words[] = {"ok", "near", "over"};
    return words[h];
}

/* The version of the format, from the envelope's bytes 8 and 9; 0: another program's. */
static unsigned format_of(const cli_saved *s)
{
    const unsigned char *p = s->map;
    return s->is_foreign ? 0 : p[8] | (unsigned)p[9] << 8;
}

/* ----------------------------------------------------------------------------- json */

static json_t *figure_json(const bp_figure *f)
{
    switch (f->type) {
    case BP_FIGURE_TEXT:
        return json_string(f->text);
    case BP_FIGURE_REAL:
        return cli_json_real(f->real);
    default:
        return cli_json_count(f->whole);
    }
}

static bool is_said_already(const bp_figure *f)
{
    return strcmp(f->name, "kind") == 0 || strcmp(f->name, "hash") == 0 ||
           strcmp(f->name, "memory") == 0;
}

static void set_figure(json_t *j, const char *name, const bp_figure *f)
{
    if (f)
        json_object_set_new(j, name, figure_json(f));
}

/* The estimate is printed on a line of its own, with its bounds. */
static bool is_estimate(const report *r, const bp_figure *f)
{
    return r->has_estimate &&
           (strcmp(f->name, "estimate") == 0 || strcmp(f->name, "lower") == 0 ||
            strcmp(f->name, "upper") == 0);
}

/* An object of all figures that are parameters, or all that are not. */
static void set_figures(json_t *j, const report *r, bool parameters)
{
    for (size_t i = 0; i < r->d.count; i++) {
        const bp_figure *f = &r->d.figures[i];
        if ((f->is_parameter != 0) == parameters && !is_said_already(f) &&
            !json_object_get(j, f->name))
            set_figure(j, f->name, f);
    }
}

static json_t *largest_json(const report *r)
{
    json_t *all = json_array();
    for (size_t i = 0; i < r->n_largest; i++) {
        json_t *one = json_object();
        cli_json_set_item(one, "group", r->largest[i].group);
        json_object_set_new(one, "size", cli_json_whole(r->largest[i].value));
        json_array_append_new(all, one);
    }
    return all;
}

/* The names that scripts rely on first, in a fixed order; items is what the sketch was
 * made for where that is a thing it has, else what was counted. */
static json_t *to_json(const report *r)
{
    static const char *const known[] = {"fill", "fpr_design", "fpr_now", NULL};
    json_t *j = json_object(), *parameters = json_object();
    if (json_object_set_new(j, "file", json_string(r->name)))
        json_object_set_new(j, "file", json_null()); /* a name that is not UTF-8 */
    if (r->only)
        cli_json_set_item(j, "group", (bp_bytes){r->only, strlen(r->only)});
    json_object_set_new(j, "kind", json_string(r->kind->name));
    json_object_set_new(j, "format", json_integer(r->format));
    set_figure(j, "hash", cli_figure(&r->d, "hash"));
    set_figures(parameters, r, true);
    json_object_set_new(j, "parameters", parameters);
    set_figure(j, "items",
               cli_figure(&r->d, "items") ? cli_figure(&r->d, "items")
                                          : cli_figure(&r->d, "total"));
    for (int i = 0; known[i]; i++)
        set_figure(j, known[i], cli_figure(&r->d, known[i]));
    if (r->has_estimate) {
        cli_json_set_estimate(j, &r->estimate);
        json_object_set_new(j, "confidence", cli_json_real(r->confidence));
    }
    set_figures(j, r, false);
    if (r->is_groups)
        json_object_set_new(j, "largest", largest_json(r));
    json_object_set_new(j, "bytes", cli_json_count(r->bytes));
    json_object_set_new(j, "health", json_string(health_word(r->d.health)));
    return j;
}

/* -------------------------------------------------------------------- plain and csv */

static const cli_column csv_columns[] = {{"file", NULL, CLI_ITEM, false, NULL, NULL},
                                         {"name", NULL, CLI_TEXT, false, NULL, NULL},
                                         {"value", NULL, CLI_TEXT, false, NULL, NULL}};

static const char *value_text(const json_t *v, cli_text buf)
{
    if (json_is_string(v))
        return json_string_value(v);
    if (json_is_integer(v))
        snprintf(buf, sizeof(cli_text), "%" JSON_INTEGER_FORMAT, json_integer_value(v));
    else if (json_is_real(v))
        snprintf(buf, sizeof(cli_text), "%.6g", json_real_value(v));
    else
        return "infinity";
    return buf;
}

static int put_value(const report *r, cli_table *csv, const char *name, const json_t *v)
{
    cli_text buf;
    const char *value = value_text(v, buf);
    const cli_cell cells[] = {
        {.item = {r->name, strlen(r->name)}}, {.text = name}, {.text = value}};
    if (csv)
        return strcmp(name, "file") == 0 ? CLI_OK : cli_table_row(csv, cells);
    printf("%s\t%s\n", name, strcmp(name, "file") == 0 ? r->name : value);
    return CLI_OK;
}

/* Three columns, so not in csv, which has two for each name. */
static void put_largest(const report *r)
{
    for (size_t i = 0; i < r->n_largest; i++) {
        printf("largest\t%.0f\t", r->largest[i].value);
        fwrite(r->largest[i].group.ptr, 1, r->largest[i].group.len, stdout);
        putchar('\n');
    }
}

/* A line each; of the parameters those that do not stand beside the rest as well. */
static int print_values(const report *r, cli_table *csv, const json_t *all, json_t *part)
{
    const char *name;
    json_t *v;
    int code = CLI_OK;
    json_object_foreach(part, name, v)
    {
        if (json_is_object(v))
            code |= print_values(r, csv, all, v);
        else if (json_is_array(v) && !csv)
            put_largest(r);
        else if (json_is_array(v))
            continue;
        else if (part == all || !json_object_get(all, name))
            code |= put_value(r, csv, name, v);
    }
    return code;
}

/* ----------------------------------------------------------------------------- prom */

static const cli_column info_columns[] = {{NULL, NULL, CLI_COUNT, false, CLI_METRIC_INFO},
                                          {NULL, NULL, CLI_ITEM, false, "sketch", NULL},
                                          {NULL, NULL, CLI_TEXT, false, "kind", NULL},
                                          {NULL, NULL, CLI_TEXT, false, "hash", NULL},
                                          {NULL, NULL, CLI_COUNT, false, "format", NULL}};

static const cli_column figure_columns[] = {
    {NULL, NULL, CLI_ITEM, false, "sketch", NULL},
    {NULL, NULL, CLI_COUNT, false, CLI_METRIC_MEMORY},
    {NULL, NULL, CLI_COUNT, false, CLI_METRIC_HEALTH},
    {NULL, NULL, CLI_WHOLE, false, CLI_METRIC_ITEMS},
    {NULL, NULL, CLI_WHOLE, false, CLI_METRIC_CAPACITY},
    {NULL, NULL, CLI_REAL, false, CLI_METRIC_FILL},
    {NULL, NULL, CLI_REAL, false, CLI_METRIC_FPR_NOW},
    {NULL, NULL, CLI_REAL, false, CLI_METRIC_FPR_DESIGN},
    {NULL, NULL, CLI_WHOLE, false, CLI_METRIC_DISTINCT},
    {NULL, NULL, CLI_WHOLE, false, CLI_METRIC_DISTINCT_LOWER},
    {NULL, NULL, CLI_WHOLE, false, CLI_METRIC_DISTINCT_UPPER}};

/* NAN, which is no sample: there is no such figure. */
static double real_of(const report *r, const char *name)
{
    const bp_figure *f = cli_figure(&r->d, name);
    if (!f || f->type == BP_FIGURE_TEXT)
        return NAN;
    return f->type == BP_FIGURE_REAL ? f->real : (double)f->whole;
}

static int print_prom(const report *r, cli_table *info, cli_table *figures)
{
    const bp_figure *hash = cli_figure(&r->d, "hash");
    const bool is_filter = cli_figure(&r->d, "fpr_design") != NULL;
    /* Others estimate how many different items there are. */
    const bool is_sum = cli_figure(&r->d, "total") || !r->has_estimate;
    const bp_estimate *e = &r->estimate;
    const bp_bytes file = {r->name, strlen(r->name)};
    const cli_cell about[] = {{.count = 1},
                              {.item = file},
                              {.text = r->kind->name},
                              {.text = hash ? hash->text : "unknown"},
                              {.count = r->format}};
    const cli_cell cells[] = {
        {.item = file},
        {.count = r->bytes},
        {.count = (uint64_t)r->d.health},
        {.real = is_sum ? real_of(r, "total") : floor(e->value + 0.5)},
        {.real = is_filter ? real_of(r, "items") : NAN},
        {.real = is_filter ? real_of(r, "fill") : NAN},
        {.real = real_of(r, "fpr_now")},
        {.real = real_of(r, "fpr_design")},
        {.real = is_sum ? NAN : floor(e->value + 0.5)},
        {.real = is_sum ? NAN : floor(e->lower)},
        {.real = is_sum ? NAN : ceil(e->upper)}};
    const int code = cli_table_row(info, about);
    return code ? code : cli_table_row(figures, cells);
}

/* ---------------------------------------------------------------------------- human */

/* "bits" after "bits" tells nothing. */
static const char *unit_after(const char *label, const char *unit)
{
    const size_t n = strlen(label), u = strlen(unit);
    return n >= u && strcmp(label + n - u, unit) == 0 ? "" : unit;
}

static void human_figure(const bp_figure *f)
{
    cli_text buf;
    char label[32];
    snprintf(label, sizeof label, "%s", f->name);
    for (char *p = label; *p; p++)
        *p = *p == '_' ? ' ' : *p;
    const char *unit = unit_after(label, f->unit);
    const char *space = *unit ? " " : "";
    printf("  %-20s ", label);
    if (f->type == BP_FIGURE_TEXT || !cli_figure_is_amount(f))
        puts(cli_figure_text(f, buf));
    else if (f->type == BP_FIGURE_WHOLE && strcmp(f->unit, "bytes") == 0)
        puts(cli_size_text(buf, (double)f->whole));
    else if (f->type == BP_FIGURE_WHOLE)
        printf("%s%s%s\n", cli_grouped(buf, f->whole), space, unit);
    else if (strcmp(f->unit, "fraction") == 0)
        puts(cli_percent(buf, f->real));
    else if (isfinite(f->real) && fabs(f->real) < 1000)
        printf("%.4g%s%s\n", f->real, space, unit);
    else
        printf("%s%s%s\n", cli_grouped_real(buf, f->real), space, unit);
}

static int human_largest(const report *r)
{
    cli_text value;
    for (size_t i = 0; i < r->n_largest; i++) {
        char *shown = cli_shown(r->largest[i].group);
        if (!shown)
            return cli_error("info: out of memory");
        printf("  %-20s %s  %s\n", i ? "" : "largest",
               cli_grouped_real(value, r->largest[i].value), shown);
        free(shown);
    }
    return CLI_OK;
}

static int human_heading(const cli_options *o, const report *r)
{
    const bp_figure *hash = cli_figure(&r->d, "hash");
    const char *name = strcmp(r->name, "-") ? r->name : "standard input";
    const char *only = r->only ? r->only : "";
    char *file = cli_shown((bp_bytes){name, strlen(name)});
    char *group = cli_shown((bp_bytes){only, strlen(only)});
    const bool ok = file && group;
    if (ok)
        printf("%s%s%s%s%s: %s%s, format %u%s%s\n", o->color ? CLI_BOLD : "", file,
               r->only ? ", group " : "", group, o->color ? CLI_PLAINLY : "",
               r->is_groups ? "groups of " : "", r->kind->name, r->format,
               hash ? ", " : "", hash ? hash->text : "");
    free(file);
    free(group);
    return ok ? CLI_OK : cli_error("info: out of memory");
}

static int print_human(const cli_options *o, const report *r)
{
    cli_text a, b, c;
    if (human_heading(o, r))
        return CLI_ERROR;
    for (int parameters = 1; parameters >= 0; parameters--)
        for (size_t i = 0; i < r->d.count; i++)
            if ((int)r->d.figures[i].is_parameter == parameters &&
                !is_said_already(&r->d.figures[i]) && !is_estimate(r, &r->d.figures[i]))
                human_figure(&r->d.figures[i]);
    if (r->has_estimate)
        printf("  %-20s %s, %s to %s with %.4g%% confidence\n", "estimate",
               cli_grouped_real(a, r->estimate.value),
               cli_grouped_real(b, floor(r->estimate.lower)),
               cli_grouped_real(c, ceil(r->estimate.upper)), 100 * r->confidence);
    if (human_largest(r))
        return CLI_ERROR;
    printf("  %-20s %s (%s bytes), %s\n", r->only ? "sketch" : "file",
           cli_size_text(a, (double)r->bytes), cli_grouped(b, r->bytes),
           r->format ? "checksums right" : "without checksums");
    printf("  %-20s %s\n", "health", health_word(r->d.health));
    if (*r->d.advice)
        printf("  %-20s %s\n", "advice", r->d.advice);
    return CLI_OK;
}

static const cli_column verify_columns[] = {
    {"bytes", "bytes", CLI_COUNT, true, "ballpark_file_bytes", "Size of a whole file."},
    {"verdict", "verdict", CLI_TEXT, true, NULL, NULL},
    {"file", "file", CLI_TEXT, true, "file", NULL},
};

/* What is printed in one table for all files; NULL where the format has none. */
typedef struct tables {
    cli_table *csv, *info, *figures, *verify;
} tables;

#define TABLE(o, c) cli_table_begin(o, c, sizeof(c) / sizeof *(c))

static int begin_tables(const cli_options *o, tables *t)
{
    *t = (tables){NULL, NULL, NULL, NULL};
    if (o->verify)
        return (t->verify = TABLE(o, verify_columns)) ? CLI_OK : CLI_ERROR;
    if (o->format == CLI_CSV)
        return (t->csv = TABLE(o, csv_columns)) ? CLI_OK : CLI_ERROR;
    if (o->format != CLI_PROM)
        return CLI_OK;
    t->info = TABLE(o, info_columns);
    t->figures = t->info ? TABLE(o, figure_columns) : NULL;
    return t->figures ? CLI_OK : CLI_ERROR;
}

static int end_tables(tables *t)
{
    cli_table *const all[] = {t->csv, t->info, t->figures, t->verify};
    int code = CLI_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] && cli_table_end(all[i]))
            code = CLI_ERROR;
    return code;
}

static int print(const cli_options *o, const report *r, const tables *t)
{
    if (t->info)
        return print_prom(r, t->info, t->figures);
    if (o->format == CLI_HUMAN)
        return print_human(o, r);
    json_t *j = to_json(r);
    if (o->format == CLI_JSON)
        return cli_print_json(j);
    const int code = print_values(r, t->csv, j, j);
    json_decref(j);
    return code;
}

/* ------------------------------------------------------------------------- a report */

static void report_sketch(report *r, const bp_any *s, uint64_t bytes, unsigned format)
{
    r->kind = bp_any_kind(s);
    r->bytes = bytes;
    r->format = format;
    bp_any_describe(s, &r->d);
    r->has_estimate = bp_any_estimate(s, r->confidence, &r->estimate, NULL) == BP_OK;
}

/* How large a group is: what its sketch answers, else what was added to it. */
static double size_of(const report *r, const cli_group *g, const bp_description *d)
{
    bp_estimate e;
    if (bp_any_estimate(g->sketch, r->confidence, &e, NULL) == BP_OK)
        return e.value;
    const bp_figure *total = cli_figure(d, "total");
    return total ? (double)total->whole : 0;
}

/* The largest first; equal ones as they come, which is by name. */
static void note_size(report *r, bp_bytes group, double value)
{
    size_t at = r->n_largest;
    while (at > 0 && r->largest[at - 1].value < value)
        at--;
    if (at == LARGEST)
        return;
    if (r->n_largest < LARGEST)
        r->n_largest++;
    memmove(r->largest + at + 1, r->largest + at,
            (r->n_largest - at - 1) * sizeof *r->largest);
    r->largest[at] = (large){group, value};
}

/* What is not the same in every group is left away. */
static void keep_parameters(bp_description *d, const bp_description *of, uint64_t groups)
{
    d->health = BP_HEALTH_OK;
    d->advice = "";
    d->count = 0;
    for (size_t i = 0; i < of->count; i++)
        if (of->figures[i].is_parameter)
            d->figures[d->count++] = of->figures[i];
    d->figures[d->count < BP_FIGURES_MAX ? d->count++ : BP_FIGURES_MAX - 1] =
        (bp_figure){.name = "groups", .unit = "", .whole = groups};
}

/* Every group is read, and so verified. */
static int report_groups(report *r, cli_group_list *list)
{
    static bp_description d;
    cli_group_reader *reader = cli_group_read("info", &list, 1);
    cli_group g = {{NULL, 0}, NULL};
    int code = reader ? CLI_OK : CLI_ERROR;
    r->is_groups = true;
    r->kind = list->kind;
    r->bytes = list->bytes;
    r->format = list->format;
    d.count = 0;
    keep_parameters(&r->d, &d, 0);
    for (uint64_t i = 0; !code && !(code = cli_group_next(reader, &g)); i++) {
        bp_any_describe(g.sketch, &d);
        if (i == 0)
            keep_parameters(&r->d, &d, list->count);
        if (d.health > r->d.health) {
            r->d.health = d.health;
            r->d.advice = d.advice;
        }
        note_size(r, g.name, size_of(r, &g, &d));
    }
    cli_group_read_end(reader);
    return code == CLI_NONE ? CLI_OK : code;
}

static int report_one(report *r, cli_group_list *list)
{
    const bp_bytes name = {r->only, strlen(r->only)};
    uint64_t number;
    size_t bytes = 0;
    bp_any *s;
    const int code = cli_group_number(list, name, &number);
    if (code == CLI_NONE)
        cli_error("info: --only %s: %s has no group of that name", r->only, list->where);
    if (code || list->sketch(list, number, false, &s))
        return CLI_ERROR;
    bp_any_encode(s, NULL, 0, &bytes, NULL);
    report_sketch(r, s, bytes, 1);
    return CLI_OK;
}

static int refuse_only(const report *r)
{
    cli_error("info: --only %s: %s holds one sketch, and no groups", r->only, r->name);
    cli_hint("leave the option away");
    return CLI_ERROR;
}

/* Opening verified it, but for groups, which are one by one. */
static int say_whole(const cli_saved *s, cli_group_list *list, const char *name,
                     cli_table *to)
{
    static report r;
    r.confidence = 0.95;
    if (list && report_groups(&r, list))
        return CLI_ERROR;
    const cli_cell cells[] = {
        {.count = list ? list->bytes : s->bytes}, {.text = "ok"}, {.text = name}};
    return cli_table_row(to, cells);
}

static int report_file(report *r, const cli_saved *s, cli_group_list *list)
{
    if (list)
        return r->only ? report_one(r, list) : report_groups(r, list);
    if (r->only)
        return refuse_only(r);
    report_sketch(r, s->sketch, s->bytes, format_of(s));
    return CLI_OK;
}

static int tell(const cli_options *o, const cli_saved *s, cli_group_list *list,
                const char *name, const tables *t, bool *is_first)
{
    static report r;
    r = (report){.name = name, .only = o->only, .confidence = o->confidence};
    const int code = report_file(&r, s, list);
    if (!code && !*is_first && (o->format == CLI_HUMAN || o->format == CLI_PLAIN))
        putchar('\n');
    *is_first = *is_first && code;
    return code ? code : print(o, &r, t);
}

static int inform(const cli_options *o, const char *name, const tables *t, bool *is_first)
{
    cli_saved s;
    cli_group_list *list;
    if (cli_view_groups(&s, name, false, &list))
        return CLI_ERROR;
    const int code = t->verify ? say_whole(&s, list, name, t->verify)
                               : tell(o, &s, list, name, t, is_first);
    if (list)
        cli_group_close(list);
    else
        cli_close(&s);
    return code;
}

int cmd_info(cli_options *o)
{
    tables t;
    bool is_first = true;
    int code = CLI_OK;
    cli_default_stdin(o);
    if (begin_tables(o, &t)) {
        end_tables(&t);
        return CLI_ERROR;
    }
    for (size_t i = 0; i < o->n_files; i++)
        if (inform(o, o->files[i].name, &t, &is_first))
            code = CLI_ERROR;
    return end_tables(&t) ? CLI_ERROR : code;
}
