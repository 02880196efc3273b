/* SPDX-License-Identifier: MIT
 * cmd_top.c - which lines come most often. */
#include "cli.h"

#include <string.h>

static const char *const examples[] = {
    "ballpark top access.log",
    "as sort | uniq -c | sort -rn | head, in one pass",
    "ballpark top -f1 -n5 access.log",
    "the five most frequent first fields",
    "ballpark top -d, -f3 -n100 -m 16M users.csv",
    "the third comma-separated field; more memory, closer bounds",
    "ballpark top --format json -f7 access.log | jq -r .item",
    "one JSON object a row",
    NULL};
static const cli_use uses[] = {
    {OPT_ITEMS, "rows to print, as in head; 10 unless given"},
    {OPT_FIELD, NULL},
    {OPT_DELIMITER, NULL},
    {OPT_MEMORY, "memory of the counters; 128K, or 2K a row if that is more"},
    {OPT_KIND, "kind of sketch: top_k"},
    {OPT_CONFIDENCE, NULL},
    {OPT_OUTPUT, "also write the sketch to FILE, replaced whole or not at all"},
    {OPT_THREADS, NULL},
    {OPT_FORMAT, NULL},
    {OPT_SKIP_BAD, NULL},
    {OPT_QUIET, NULL},
    {OPT_VERBOSE, NULL},
    {OPT_END, NULL}};

const cli_page page_top = {
    "[OPTION]... [FILE]...",
    "Lists the most frequent lines of all FILEs together, in one pass and fixed memory. "
    "While there are few different lines the counts are exact; afterwards each count is "
    "an "
    "upper bound, never under the truth, and the lower bound holds at the confidence. An "
    "item is the line without its line end. A terminal gets count, lower bound, share of "
    "all lines and item; anything else gets `count TAB item`.",
    examples,
    uses,
    NULL,
    "On a flat stream no line stands out, and the command says so: then the rows are "
    "noise. More memory (-m) makes the bounds closer. FILE is not written when an input "
    "could not be read or lines were without the field, unless --skip-bad says that "
    "those are expected. A carriage return before the line end is part of the item; "
    "fields are split at every delimiter, inside quotes too."};

enum { ROWS_MOST = 1 << 20, SHOWN_MOST = 200, MEMORY_LEAST = 256 };

/* ------------------------------------------------------------------------ the counting
 */

typedef struct counting {
    bp_top_k_config config;
    bp_top_k *total;
} counting;

static void *open_worker(void *ctx, bp_status *st)
{
    const counting *c = ctx;
    bp_top_k *s = NULL;
    *st = bp_top_k_new(&s, &c->config, NULL);
    return s;
}

static bp_status take_keys(void *worker, const cli_batch *batch)
{
    return bp_top_k_add_n(worker, batch->keys, batch->n, NULL, NULL);
}

static bp_status close_worker(void *ctx, void *worker, bool failed)
{
    counting *c = ctx;
    if (!failed && !c->total)
        c->total = worker;
    return cli_unite((bp_any *)c->total, worker, failed);
}

/* -------------------------------------------------------------------------- the answer
 */

typedef struct printing {
    const cli_options *o;
    uint64_t total;
    int count_width; /* for a person: of the first, largest, count */
} printing;

static double share(const printing *p, const bp_top_k_item *item)
{
    return p->total ? (double)item->count / (double)p->total : 0;
}

static int row_json(printing *p, const bp_top_k_item *item)
{
    json_t *row = json_object();
    if (row && (cli_json_set_item(row, item->key) |
                json_object_set_new(row, "count", cli_json_count(item->count)) |
                json_object_set_new(row, "lower", cli_json_count(item->lower)) |
                json_object_set_new(row, "upper", cli_json_count(item->upper)) |
                json_object_set_new(row, "share", cli_json_real(share(p, item))))) {
        json_decref(row);
        row = NULL;
    }
    return cli_print_json(row);
}

static int row_plain(printing *p, const bp_top_k_item *item)
{
    (void)p;
    printf("%llu\t", (unsigned long long)item->count);
    fwrite(item->key.ptr, 1, item->key.len, stdout);
    putchar('\n');
    return CLI_OK;
}

/* A terminal must not obey what stands in a log: control bytes are spelled out. */
static void put_shown(bp_bytes key)
{
    const unsigned char *b = key.ptr;
    size_t n = key.len < SHOWN_MOST ? key.len : SHOWN_MOST;
    for (size_t i = 0; i < n; i++)
        if (b[i] == '\t')
            fputs("\\t", stdout);
        else if (b[i] < ' ' || b[i] == 0x7f)
            printf("\\x%02x", b[i]);
        else
            putchar(b[i]);
    if (n < key.len)
        printf("... (%zu bytes)", key.len);
}

static int row_human(printing *p, const bp_top_k_item *item)
{
    cli_text count, lower, part;
    int first = p->count_width == 0;
    cli_grouped(count, item->count);
    if (first) {
        p->count_width = (int)strlen(count) > 8 ? (int)strlen(count) : 8;
        printf("%*s  %*s  %6s  item\n", p->count_width, "count", p->count_width,
               "at least", "share");
    }
    printf("%*s  %*s  %6s  ", p->count_width, count, p->count_width,
           cli_grouped(lower, item->lower), cli_percent(part, share(p, item)));
    put_shown(item->key);
    putchar('\n');
    return CLI_OK;
}

static int print(const cli_options *o, const bp_top_k *s, size_t rows)
{
    static int (*const row[])(printing *, const bp_top_k_item *) = {row_human, row_plain,
                                                                    row_json};
    printing p = {o, bp_top_k_total(s), 0};
    bp_detail why = {0};
    bp_top_k_cursor cursor;
    bp_top_k_item item;
    bp_status st = bp_top_k_top(s, rows, o->confidence, &cursor, &why);
    if (st)
        return cli_library_error(o->command->name, st, &why);
    for (size_t i = 0; i < rows && bp_top_k_next(s, &cursor, &item); i++)
        if (row[o->format](&p, &item) != CLI_OK)
            return CLI_ERROR;
    return CLI_OK;
}

static void remark(const cli_options *o, const bp_top_k *s, const cli_tally *t)
{
    cli_text lines, size, seconds;
    bp_top_k_config c;
    bp_top_k_config_of(s, &c);
    if (bp_top_k_total(s) > 0 && !o->quiet && !bp_top_k_verdict(s, o->confidence)) {
        cli_warn("no heavy hitters: no line is surely more frequent than the noise of %s "
                 "of counters",
                 cli_size_text(size, (double)c.memory));
        cli_hint("more memory tells more apart: -m %lluK",
                 (unsigned long long)c.memory / 1024 * 8);
    }
    if (o->format == CLI_HUMAN)
        cli_note(o, "%s lines, %s in %s", cli_grouped(lines, t->lines),
                 cli_size_text(size, (double)t->bytes), cli_seconds(seconds, t->seconds));
    if (o->verbose)
        fprintf(stderr, "top_k, k %u, %s of counters, counts %s; %u threads, %s\n",
                (unsigned)c.k, cli_size_text(size, (double)c.memory),
                bp_top_k_is_exact(s) ? "exact" : "bounded", o->threads,
                cli_seconds(seconds, t->seconds));
}

/* A sketch of half the input would be taken for one of it all. */
static int save(const cli_options *o, const bp_top_k *s, int code)
{
    if (!o->output)
        return code;
    if (code == CLI_OK)
        return cli_write_sketch(o, (const bp_any *)s);
    cli_hint("%s was not written", o->output);
    return code;
}

static int check(const cli_options *o, bp_top_k_config *config, size_t *rows)
{
    bp_detail why = {0};
    bp_top_k *probe = NULL;
    const char *name = o->command->name;
    uint64_t n = cli_given(o, OPT_ITEMS) ? o->items : 10;
    if (o->kind && strcmp(o->kind->name, "top_k") != 0)
        return cli_error("%s: --kind %s: does not list items; top_k does", name,
                         o->kind->name);
    if (n > ROWS_MOST)
        return cli_error("%s: --items %llu: the most rows are %d", name,
                         (unsigned long long)n, ROWS_MOST);
    if (cli_check_output(o, "rows") || cli_check_not_input(o))
        return CLI_ERROR;
    if (cli_given(o, OPT_MEMORY) &&
        (o->memory < MEMORY_LEAST || o->memory > (uint64_t)1 << 40))
        return cli_error("%s: --memory %llu: must be %d bytes to 1 TiB", name,
                         (unsigned long long)o->memory, MEMORY_LEAST);
    *rows = (size_t)n;
    *config = (bp_top_k_config){.k = n ? (uint32_t)n : 1, .memory = o->memory};
    bp_status st = bp_top_k_new(&probe, config, &why);
    bp_top_k_free(probe);
    return st ? cli_library_error(name, st, &why) : CLI_OK;
}

int cmd_top(cli_options *o)
{
    counting c = {.total = NULL};
    size_t rows = 0;
    cli_tally tally;
    bool fatal;
    cli_sink sink = {
        .ctx = &c, .open = open_worker, .keys = take_keys, .close = close_worker};
    if (check(o, &c.config, &rows) != CLI_OK)
        return CLI_ERROR;
    cli_default_stdin(o);
    int code = cli_read(o, &sink, &tally, &fatal);
    if (!fatal) {
        int printed = print(o, c.total, rows);
        remark(o, c.total, &tally);
        code = save(o, c.total, printed ? printed : code);
    }
    bp_top_k_free(c.total);
    return code;
}
