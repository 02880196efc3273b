/* SPDX-License-Identifier: MIT
 * prom.c - the text format of Prometheus, as node_exporter's textfile collector reads it.
 *
 * All samples of a metric must stand together under its HELP and TYPE, while answers come
 * row by row: each metric collects its lines until the table ends. A column with a metric
 * and words of help is a gauge; one with a metric and no help is a label of that name. A
 * label never holds an item, of which there may be millions. */
#include "prom.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { METRICS_MOST = 16 };

struct cli_prom {
    const cli_column *columns;
    size_t n;
    FILE *streams[METRICS_MOST];
    char *texts[METRICS_MOST];
    size_t sizes[METRICS_MOST];
};

static bool is_metric(const cli_column *c)
{
    return c->metric && c->help;
}

static bool is_label(const cli_column *c)
{
    return c->metric && !c->help;
}

int cli_prom_check(const cli_options *o, const cli_column *columns, size_t n)
{
    const char *name = o->command->name;
    if (o->format != CLI_PROM)
        return CLI_OK;
    if (o->follow) {
        cli_error("%s: --format prom: is one answer, and --follow prints many", name);
        cli_hint("without --follow, into a file that is then renamed");
        return CLI_ERROR;
    }
    for (size_t i = 0; i < n; i++)
        if (is_metric(&columns[i]))
            return CLI_OK;
    cli_error("%s: --format prom: nothing that it prints is a metric", name);
    cli_hint("--format json or csv prints it for programs");
    return CLI_ERROR;
}

cli_prom *cli_prom_begin(const cli_column *columns, size_t n)
{
    cli_prom *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->columns = columns;
    p->n = n;
    for (size_t i = 0; i < n; i++) {
        if (!is_metric(&columns[i]))
            continue;
        p->streams[i] = open_memstream(&p->texts[i], &p->sizes[i]);
        if (!p->streams[i]) {
            cli_prom_end(p, NULL);
            return NULL;
        }
    }
    return p;
}

/* A label's value is UTF-8: what is not, and NUL, is spelled out, so that two groups
 * never get the same label by that. */
static void put_value(FILE *to, bp_bytes b)
{
    const char *p = b.ptr;
    for (size_t i = 0, len; i < b.len; i += len) {
        uint32_t c = 0;
        len = cli_utf8(p + i, b.len - i, &c);
        if (len == 0 || c == 0)
            fprintf(to, "\\\\x%02x", (unsigned char)p[i]);
        else if (c == '\\' || c == '"')
            fprintf(to, "\\%c", p[i]);
        else if (c == '\n')
            fputs("\\n", to);
        else
            fwrite(p + i, 1, len, to);
        len += len == 0;
    }
}

static void put_labels(const cli_prom *p, FILE *to, const cli_cell *cells)
{
    const char *before = "{";
    for (size_t i = 0; i < p->n; i++) {
        const cli_column *c = &p->columns[i];
        if (!is_label(c))
            continue;
        fprintf(to, "%s%s=\"", before, c->metric);
        if (c->type == CLI_ITEM)
            put_value(to, cells[i].item);
        else if (c->type == CLI_TEXT)
            put_value(to, (bp_bytes){cells[i].text, strlen(cells[i].text)});
        else
            fprintf(to, "%llu", (unsigned long long)cells[i].count);
        fputc('"', to);
        before = ",";
    }
    fputs(*before == ',' ? "} " : " ", to);
}

static void put_number(FILE *to, const cli_column *c, const cli_cell *cell)
{
    if (c->type == CLI_COUNT || c->type == CLI_SIZE)
        fprintf(to, "%llu\n", (unsigned long long)cell->count);
    else if (isfinite(cell->real))
        fprintf(to, "%.15g\n", cell->real);
    else
        fputs(cell->real > 0 ? "+Inf\n" : "-Inf\n", to);
}

static bool is_there(const cli_column *c, const cli_cell *cell)
{
    return c->type == CLI_COUNT || c->type == CLI_SIZE || !isnan(cell->real);
}

void cli_prom_row(cli_prom *p, const cli_cell *cells)
{
    for (size_t i = 0; i < p->n; i++) {
        const cli_column *c = &p->columns[i];
        if (!p->streams[i] || !is_there(c, &cells[i]))
            continue;
        fputs(c->metric, p->streams[i]);
        put_labels(p, p->streams[i], cells);
        put_number(p->streams[i], c, &cells[i]);
    }
}

int cli_prom_end(cli_prom *p, FILE *to)
{
    int bad = 0;
    for (size_t i = 0; i < p->n; i++) {
        const cli_column *c = &p->columns[i];
        if (!p->streams[i])
            continue;
        const int lost = ferror(p->streams[i]) | fclose(p->streams[i]);
        bad |= lost;
        if (to && !lost && p->sizes[i] > 0) {
            fprintf(to, "# HELP %s %s\n# TYPE %s gauge\n", c->metric, c->help, c->metric);
            fwrite(p->texts[i], 1, p->sizes[i], to);
        }
        free(p->texts[i]);
    }
    free(p);
    return bad ? cli_error("out of memory") : CLI_OK;
}
