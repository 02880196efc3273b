/* SPDX-License-Identifier: MIT
 * answers.c - what a sketch answers, as rows of a table.
 *
 * The command that has just filled a sketch and the one that asks a saved one again print
 * the same, because both print it here. */
#include "answers.h"

#include <math.h>

/* --------------------------------------------------------------- how many different */

const cli_column cli_distinct_columns[CLI_DISTINCT_COLUMNS] = {
    {"kind", NULL, CLI_TEXT, false, NULL, NULL},
    {"estimate", "distinct", CLI_WHOLE, true, "ballpark_distinct_estimate",
     "Different items, estimated."},
    {"lower", "at least", CLI_WHOLE, false, "ballpark_distinct_estimate_lower",
     "Lower end of the range that holds the truth at the confidence."},
    {"upper", "at most", CLI_WHOLE, false, "ballpark_distinct_estimate_upper",
     "Upper end of the range that holds the truth at the confidence."},
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

int cli_distinct_rows(const cli_count *c, cli_table *t, const bp_any *s)
{
    bp_estimate e = {0};
    if (ask(c, s, &e))
        return CLI_ERROR;
    const cli_cell cells[] = {{.text = "hll"},
                              {.real = floor(e.value + 0.5)},
                              {.real = floor(e.lower)},
                              {.real = ceil(e.upper)},
                              {.real = c->o->confidence},
                              {.count = c->tally ? c->tally->lines : 0},
                              {.count = c->tally ? c->tally->bytes : 0}};
    return cli_table_row(t, cells);
}

int cli_distinct_say(const cli_count *c, const bp_any *s)
{
    const cli_options *o = c->o;
    cli_text value, low, high, off, sure, lines, size, seconds;
    bp_estimate e = {0};
    if (ask(c, s, &e))
        return CLI_ERROR;
    double half = (e.upper - e.lower) / 2;
    cli_grouped_real(value, e.value);
    if (!(half >= 0.5))
        printf("%s\n", value);
    else
        printf("%s  \302\261%s  (%s to %s, %s confidence)\n", value,
               cli_percent(off, half / e.value), cli_grouped_real(low, floor(e.lower)),
               cli_grouped_real(high, ceil(e.upper)), cli_percent(sure, o->confidence));
    if (c->tally)
        cli_note(o, "%s lines, %s in %s", cli_grouped(lines, c->tally->lines),
                 cli_size_text(size, (double)c->tally->bytes),
                 cli_seconds(seconds, c->tally->seconds));
    return CLI_OK;
}

/* ------------------------------------------------------------------- which most often */

const cli_column cli_top_columns[CLI_TOP_COLUMNS] = {
    {"count", "count", CLI_COUNT, true, NULL, NULL},
    {"lower", "at least", CLI_COUNT, false, NULL, NULL},
    {"upper", NULL, CLI_COUNT, false, NULL, NULL},
    {"share", "share", CLI_SHARE, false, "ballpark_topk_share_ratio",
     "Share of all that was counted."},
    {"item", "item", CLI_ITEM, true, NULL, NULL},
};

int cli_top_rows(const cli_count *c, cli_table *t, const bp_any *any)
{
    const bp_top_k *s = (const bp_top_k *)any;
    const size_t most = *(const size_t *)c->own;
    const double total = (double)bp_top_k_total(s);
    bp_detail why = {0};
    bp_top_k_cursor cursor;
    bp_top_k_item item;
    int code = CLI_OK;
    bp_status st = bp_top_k_top(s, most, c->o->confidence, &cursor, &why);
    if (st)
        return cli_library_error(c->o->command->name, st, &why);
    for (size_t i = 0; i < most && !code && bp_top_k_next(s, &cursor, &item); i++) {
        const double share = total > 0 ? (double)item.count / total : 0;
        const cli_cell cells[] = {{.count = item.count},
                                  {.count = item.lower},
                                  {.count = item.upper},
                                  {.real = share},
                                  {.item = item.key}};
        code = cli_table_row(t, cells);
    }
    return code;
}
