/* SPDX-License-Identifier: MIT
 * answers.c - what a sketch answers, as rows of a table.
 *
 * The command that has just filled a sketch and the one that asks a saved one again print
 * the same, because both print it here. */
#include "answers.h"
#include "prom.h"

#include <math.h>
#include <string.h>

/* --------------------------------------------------------------- how many different */

const cli_column cli_distinct_columns[CLI_DISTINCT_COLUMNS] = {
    {"kind", NULL, CLI_TEXT, false, NULL, NULL},
    {"estimate", "distinct", CLI_WHOLE, true, CLI_METRIC_DISTINCT},
    {"lower", "at least", CLI_WHOLE, false, CLI_METRIC_DISTINCT_LOWER},
    {"upper", "at most", CLI_WHOLE, false, CLI_METRIC_DISTINCT_UPPER},
    {"confidence", NULL, CLI_REAL, false, NULL, NULL},
    {"lines", NULL, CLI_COUNT, false, NULL, NULL},
    {"bytes", NULL, CLI_COUNT, false, NULL, NULL},
};

static int ask(const cli_count *c, const bp_any *s, bp_estimate *e)
{
    bp_detail why = {0};
    bp_status st = bp_hll_estimate((const bp_hll *)s, c->o->confidence, e, &why);
    return st ? cli_library_error(c->o->command->name, st, &why) : CLI_OK;
}

int cli_distinct_row(cli_table *t, const char *kind, const bp_estimate *e,
                     double confidence, const cli_tally *tally)
{
    const cli_cell cells[] = {{.text = kind},
                              {.real = floor(e->value + 0.5)},
                              {.real = floor(e->lower)},
                              {.real = ceil(e->upper)},
                              {.real = confidence},
                              {.count = tally ? tally->lines : 0},
                              {.count = tally ? tally->bytes : 0}};
    return cli_table_row(t, cells);
}

int cli_distinct_rows(const cli_count *c, cli_table *t, const bp_any *s)
{
    bp_estimate e = {0};
    if (ask(c, s, &e))
        return CLI_ERROR;
    return cli_distinct_row(t, "hll", &e, c->o->confidence, c->tally);
}

int cli_distinct_say(const cli_count *c, const bp_any *s)
{
    const cli_options *o = c->o;
    cli_text value, low, high, off, sure;
    bp_estimate e = {0};
    if (ask(c, s, &e))
        return CLI_ERROR;
    double half = (e.upper - e.lower) / 2;
    cli_grouped_real(value, e.value);
    if (!(half >= 0.5))
        fprintf(o->out, "%s\n", value);
    else
        fprintf(o->out, "%s  %s\302\261%s  (%s to %s, %s confidence)%s\n", value,
                o->color ? CLI_DIM : "", cli_percent(off, half / e.value),
                cli_grouped_real(low, floor(e.lower)),
                cli_grouped_real(high, ceil(e.upper)), cli_percent(sure, o->confidence),
                o->color ? CLI_PLAINLY : "");
    return CLI_OK;
}

/* ------------------------------------------------------------------- which most often */

const cli_column cli_top_columns[CLI_TOP_COLUMNS] = {
    {NULL, NULL, CLI_COUNT, false, "rank", NULL},
    {"count", "count", CLI_COUNT, true, NULL, NULL},
    {"lower", "at least", CLI_COUNT, false, NULL, NULL},
    {"upper", NULL, CLI_COUNT, false, NULL, NULL},
    {"share", "share", CLI_SHARE, false, CLI_METRIC_SHARE},
    {"item", "item", CLI_ITEM, true, NULL, NULL},
};

int cli_top_row(cli_table *t, uint64_t rank, const bp_top_k_item *item, uint64_t total)
{
    const double share = total > 0 ? (double)item->count / (double)total : 0;
    const cli_cell cells[] = {{.count = rank},        {.count = item->count},
                              {.count = item->lower}, {.count = item->upper},
                              {.real = share},        {.item = item->key}};
    return cli_table_row(t, cells);
}

int cli_top_rows(const cli_count *c, cli_table *t, const bp_any *any)
{
    const bp_top_k *s = (const bp_top_k *)any;
    const size_t most = *(const size_t *)c->own;
    bp_detail why = {0};
    bp_top_k_cursor cursor;
    bp_top_k_item item;
    int code = CLI_OK;
    bp_status st = bp_top_k_top(s, most, c->o->confidence, &cursor, &why);
    if (st)
        return cli_library_error(c->o->command->name, st, &why);
    for (size_t i = 0; i < most && !code && bp_top_k_next(s, &cursor, &item); i++)
        code = cli_top_row(t, i + 1, &item, bp_top_k_total(s));
    return code;
}

/* A walk through a list that is not settled looks at all items for every row. */
bp_status cli_top_settle(bp_any *s)
{
    return bp_top_k_settle((bp_top_k *)s, NULL);
}

void cli_top_warn(const cli_options *o, const bp_top_k *s)
{
    cli_text size;
    bp_top_k_config c;
    if (o->quiet || bp_top_k_total(s) == 0 || bp_top_k_verdict(s, o->confidence))
        return;
    bp_top_k_config_of(s, &c);
    cli_warn("no heavy hitters: no line is surely more frequent than the noise of %s "
             "of counters",
             cli_size_text(size, (double)c.memory));
    const unsigned long long kib = (c.memory * 8 + 1023) / 1024;
    const bool is_whole = kib % 1024 == 0;
    cli_hint("more memory tells more apart: -m %llu%s", is_whole ? kib / 1024 : kib,
             is_whole ? "M" : "K");
}

/* ------------------------------------------------- what a table counted, a set holds */

static bp_description described; /* large, and one is looked at at a time */

static double real_of(const char *name)
{
    const bp_figure *f = cli_figure(&described, name);
    return f && f->type == BP_FIGURE_REAL ? f->real : NAN;
}

static uint64_t whole_of(const char *name)
{
    const bp_figure *f = cli_figure(&described, name);
    return f && f->type == BP_FIGURE_WHOLE ? f->whole : 0;
}

static const cli_column total_columns[] = {
    {"kind", NULL, CLI_TEXT, false, NULL, NULL},
    {"total", "counted", CLI_COUNT, true, CLI_METRIC_ITEMS},
    {"epsilon_total", "over by at most", CLI_WHOLE, true, "ballpark_count_error",
     "How far over a count may be."},
    {"delta", "but for", CLI_SHARE, true, NULL, NULL},
};

static int total_rows(const cli_count *c, cli_table *t, const bp_any *s)
{
    (void)c;
    bp_any_describe(s, &described);
    const cli_cell cells[] = {{.text = bp_any_kind(s)->name},
                              {.count = whole_of("total")},
                              {.real = ceil(real_of("epsilon_total"))},
                              {.real = real_of("delta")}};
    return cli_table_row(t, cells);
}

static const cli_column set_columns[] = {
    {"kind", NULL, CLI_TEXT, false, NULL, NULL},
    {"estimate", "items", CLI_WHOLE, true, CLI_METRIC_ITEMS},
    {"lower", "at least", CLI_WHOLE, false, NULL, NULL},
    {"upper", "at most", CLI_WHOLE, false, NULL, NULL},
    {"items", "made for", CLI_COUNT, false, CLI_METRIC_CAPACITY},
    {"fpr_now", "false positives", CLI_SHARE, true, CLI_METRIC_FPR_NOW},
    {"fpr_design", "at most", CLI_SHARE, false, CLI_METRIC_FPR_DESIGN},
};

static int set_rows(const cli_count *c, cli_table *t, const bp_any *s)
{
    bp_estimate e = {0};
    bp_detail why = {0};
    const bp_status st = bp_any_estimate(s, c->o->confidence, &e, &why);
    if (st)
        return cli_library_error(c->o->command->name, st, &why);
    bp_any_describe(s, &described);
    const cli_cell cells[] = {
        {.text = bp_any_kind(s)->name}, {.real = floor(e.value + 0.5)},
        {.real = floor(e.lower)},       {.real = ceil(e.upper)},
        {.count = whole_of("items")},   {.real = real_of("fpr_now")},
        {.real = real_of("fpr_design")}};
    return cli_table_row(t, cells);
}

/* ----------------------------------------------------------------------- of any kind */

#define COLUMNS(c) .columns = (c), .n_columns = sizeof(c) / sizeof *(c)

static const struct {
    const char *kind;
    cli_count answer;
} answers[] = {
    {"hll",
     {.columns = cli_distinct_columns,
      .n_columns = CLI_DISTINCT_SAVED,
      .rows = cli_distinct_rows,
      .say = cli_distinct_say}},
    {"top_k", {COLUMNS(cli_top_columns), .rows = cli_top_rows, .settle = cli_top_settle}},
    {"count_min", {COLUMNS(total_columns), .rows = total_rows}},
};

/* All filters answer alike. */
static const cli_count set_answer = {COLUMNS(set_columns), .rows = set_rows};

bool cli_answer_of(const bp_kind_info *kind, cli_count *c)
{
    const cli_count *found = cli_is_filter(kind) ? &set_answer : NULL;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (strcmp(answers[i].kind, kind->name) == 0)
            found = &answers[i].answer;
    if (!found)
        return false;
    c->columns = found->columns;
    c->n_columns = found->n_columns;
    c->rows = found->rows;
    c->settle = found->settle;
    c->say = found->say;
    return true;
}
