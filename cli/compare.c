/* SPDX-License-Identifier: MIT
 * compare.c - the kinds of filters side by side, at one number of items and one rate.
 *
 * Which kind is right depends on what is done with it: none is the best of all. So a
 * person sees what each costs and can do, in one table, and --explain names the price of
 * those that were not taken. What cannot keep the rate is no row, and says why. */
#include "plan.h"

#include <string.h>

static const cli_column columns[] = {
    {"bits_per_item", "bits/item", CLI_REAL, true, NULL, NULL},
    {"fpr", "fpr", CLI_SHARE, true, NULL, NULL},
    {"bytes", "memory", CLI_SIZE, true, NULL, NULL},
    {"lines", "lines", CLI_COUNT, true, NULL, NULL},
    {"build_bytes", "to build", CLI_SIZE, true, NULL, NULL},
    {"deletes", "deletes", CLI_TEXT, true, NULL, NULL},
    {"grows", "grows", CLI_TEXT, true, NULL, NULL},
    {"kind", "kind", CLI_TEXT, true, NULL, NULL},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

double cli_bits_per_item(const cli_plan *p)
{
    return 8 * (double)p->bytes / (double)p->items;
}

static int row(cli_table *t, const cli_plan *p)
{
    const cli_cell cells[COLUMNS] = {{.real = cli_bits_per_item(p)},
                                     {.real = p->fpr},
                                     {.count = p->bytes},
                                     {.count = p->lines},
                                     {.count = p->build},
                                     {.text = p->filter->deletes ? "yes" : "no"},
                                     {.text = p->filter->grows ? "yes" : "no"},
                                     {.text = p->name}};
    return cli_table_row(t, cells);
}

static void title(const cli_options *o)
{
    cli_text items, rate;
    if (o->format == CLI_HUMAN)
        printf("Filters of %s items, at most %s false positives\n\n",
               cli_grouped(items, o->items), cli_percent(rate, o->fpr));
}

static void legend(const cli_options *o)
{
    if (o->format == CLI_HUMAN)
        puts("\nlines: of the cache that a question looks at, at most; to build: the "
             "memory that\ntakes, as `filter build` does it. The scalable_bloom has yet "
             "to grow. -k KIND tells\nmore of one.");
}

int cli_compare_filters(const cli_options *o)
{
    cli_options with = *o;
    with.items = o->items ? o->items : CLI_ITEMS_USUAL;
    with.fpr = o->fpr > 0 ? o->fpr : CLI_FPR_USUAL;
    if (cli_prom_check(o, columns, COLUMNS))
        return CLI_ERROR;
    title(&with);
    cli_table *t = cli_table_begin(o, columns, COLUMNS);
    int code = t ? CLI_OK : CLI_ERROR;
    size_t rows = 0;
    const cli_filter_kind *kind;
    for (size_t i = 0; (kind = cli_filter_at(i)) && !code; i++) {
        cli_plan p;
        bp_detail why;
        if (cli_plan_try(&p, kind, &with, &why))
            cli_note(o, "%s: %s", kind->name, why.what);
        else
            code = row(t, &p);
        rows += code == CLI_OK && why.status == BP_OK;
    }
    const int ended = t ? cli_table_end(t) : CLI_ERROR;
    if (code || ended)
        return CLI_ERROR;
    if (rows)
        legend(o);
    return rows ? CLI_OK : cli_error("%s: no kind of filter does that", o->command->name);
}

void cli_filter_others(const cli_options *o, const char *chosen)
{
    cli_options with = *o;
    cli_text items;
    const char *space = "";
    with.memory = with.bits = with.hashes = 0;
    with.items = o->items ? o->items : CLI_ITEMS_USUAL;
    const cli_filter_kind *kind;
    fputs("others: ", stderr);
    for (size_t i = 0; (kind = cli_filter_at(i)); i++) {
        cli_plan p;
        bp_detail why;
        if (strcmp(kind->name, chosen) == 0 || cli_plan_try(&p, kind, &with, &why))
            continue;
        fprintf(stderr, "%s%s %.3g", space, kind->name, cli_bits_per_item(&p));
        if (kind->option)
            fprintf(stderr, " (--%s)", cli_option(kind->option)->name);
        space = ", ";
    }
    fprintf(stderr, " bits an item, for %s\n", cli_grouped(items, with.items));
}
