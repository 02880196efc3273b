/* SPDX-License-Identifier: MIT
 * exact.c - exact answers, in memory that grows with the different items.
 *
 * For those who can afford it, and to hold the sketches against (`verify`). Memory has a
 * limit of its own: a machine that swaps answers nobody. */
#include "exact.h"
#include "answers.h"

#include <stdlib.h>

static const uint64_t limit_usual = (uint64_t)1 << 30;

/* ------------------------------------------------------------------------ the counting
 */

/* No sketch is made, so nothing that shapes, names or keeps one can be meant. */
static int check(const cli_options *o)
{
    static const cli_opt foreign[] = {
        OPT_OUTPUT, OPT_OUTPUT_DIR, OPT_STATE,     OPT_GROUP, OPT_ERROR,   OPT_FPR,
        OPT_KIND,   OPT_FOLLOW,     OPT_PRECISION, OPT_SEED,  OPT_KEY_FILE};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (o->exact && cli_given(o, foreign[i])) {
            cli_error("%s: --%s: has no meaning with --exact, which makes no sketch",
                      o->command->name, cli_option(foreign[i])->name);
            cli_hint("leave one of them away");
            return CLI_ERROR;
        }
    return CLI_OK;
}

int cli_exact_begin(cli_exact *e, const cli_options *o, uint64_t limit)
{
    *e = (cli_exact){.o = o, .limit = limit ? limit : limit_usual};
    if (check(o))
        return CLI_ERROR;
    e->items = cli_map_new(sizeof(uint64_t));
    return e->items ? CLI_OK : cli_error("%s: out of memory", o->command->name);
}

void cli_exact_end(cli_exact *e)
{
    cli_map_free(e->items);
    e->items = NULL;
}

static void refuse_more(const cli_exact *e)
{
    cli_text items, size;
    cli_error("%s: exact answers: %s different items take more than %s",
              e->o->command->name, cli_grouped(items, cli_map_count(e->items)),
              cli_size_text(size, (double)e->limit));
    if (e->o->exact)
        cli_hint("leave --exact away for a few kilobytes and an error that is stated, or "
                 "allow more memory with -m");
    else
        cli_hint("a part of the input will do, as with head -n 10000000");
    cli_stop(CLI_ERROR);
}

/* The items of a block are looked for together, so that their cache misses overlap. */
static bp_status add_block(cli_exact *e, const bp_bytes *keys, const uint64_t *weights,
                           size_t n, const uint64_t *hashes, uint8_t *fresh)
{
    for (size_t i = 0; i < n; i++)
        cli_map_prefetch(e->items, hashes[i]);
    for (size_t i = 0; i < n; i++) {
        const size_t before = cli_map_count(e->items);
        const size_t at = cli_map_add(e->items, keys[i], hashes[i]);
        const uint64_t by = weights ? weights[i] : 1;
        if (at == SIZE_MAX)
            return BP_NOMEM;
        uint64_t *count = cli_map_value(e->items, at);
        *count = *count > UINT64_MAX - by ? UINT64_MAX : *count + by;
        e->total = e->total > UINT64_MAX - by ? UINT64_MAX : e->total + by;
        if (fresh)
            fresh[i] = at == before;
    }
    return BP_OK;
}

bp_status cli_exact_add(cli_exact *e, const bp_bytes *keys, const uint64_t *weights,
                        size_t n, uint8_t *fresh)
{
    enum { BLOCK = 64 };
    uint64_t hashes[BLOCK];
    bp_status st = BP_OK;
    for (size_t at = 0; at < n && !st; at += BLOCK) {
        const size_t some = n - at < BLOCK ? n - at : BLOCK;
        cli_map_hash_n(keys + at, some, hashes);
        st = add_block(e, keys + at, weights ? weights + at : NULL, some, hashes,
                       fresh ? fresh + at : NULL);
    }
    if (cli_map_bytes(e->items) > e->limit)
        refuse_more(e);
    return st;
}

uint64_t cli_exact_count(const cli_exact *e, size_t i)
{
    return *(const uint64_t *)cli_map_value(e->items, i);
}

static bp_status take(void *worker, const cli_batch *batch)
{
    return cli_exact_add(worker, batch->keys, batch->weights, batch->n, NULL);
}

cli_sink cli_exact_sink(cli_exact *e)
{
    return (cli_sink){.ctx = e, .keys = take, .ordered = true, .partial = true};
}

/* -------------------------------------------------------------------------- the answers
 */

static int distinct_rows(const cli_exact *e, const cli_tally *t, size_t rows)
{
    (void)rows;
    cli_text items;
    const double n = (double)cli_map_count(e->items);
    if (e->o->format == CLI_HUMAN) {
        puts(cli_grouped(items, cli_map_count(e->items)));
        return CLI_OK;
    }
    cli_table *table = cli_table_begin(e->o, cli_distinct_columns, CLI_DISTINCT_COLUMNS);
    if (!table)
        return CLI_ERROR;
    const bp_estimate exact = {n, n, n};
    const int code = cli_distinct_row(table, "exact", &exact, 1, t);
    const int ended = cli_table_end(table);
    return code ? code : ended;
}

typedef struct ranked {
    uint64_t count;
    bp_bytes key;
} ranked;

/* Whether a stands behind b: fewer, or as many and later in the order of bytes. */
static bool is_behind(const ranked *a, const ranked *b)
{
    return a->count != b->count ? a->count < b->count : cli_compare(a->key, b->key) > 0;
}

static int compare(const void *a, const void *b)
{
    return is_behind(a, b) ? 1 : is_behind(b, a) ? -1 : 0;
}

/* In a heap whose root stands behind all others: puts r where the root was. */
static void replace_root(ranked *heap, size_t n, ranked r)
{
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && is_behind(&heap[child + 1], &heap[child]))
            child++;
        if (!is_behind(&heap[child], &r))
            break;
        heap[at] = heap[child];
    }
    heap[at] = r;
}

/* The first `rows` of all items, in order; *n is how many there are. For the caller to
 * free; NULL: out of memory. */
static ranked *rank(const cli_exact *e, size_t rows, size_t *n)
{
    const size_t items = cli_map_count(e->items);
    *n = rows < items ? rows : items;
    ranked *best = malloc((*n + 1) * sizeof *best);
    for (size_t i = 0; best && i < items; i++) {
        const ranked r = {cli_exact_count(e, i), cli_map_key(e->items, i)};
        if (i < *n)
            best[i] = r;
        /* In order, worst first, an array is a heap: sorted once it is full. */
        if (i + 1 == *n) {
            qsort(best, *n, sizeof *best, compare);
            for (size_t a = 0, b = *n - 1; a < b; a++, b--) {
                const ranked swap = best[a];
                best[a] = best[b];
                best[b] = swap;
            }
        } else if (*n > 0 && i >= *n && is_behind(&best[0], &r)) {
            replace_root(best, *n, r);
        }
    }
    if (best && *n > 0)
        qsort(best, *n, sizeof *best, compare);
    return best;
}

static int top_rows(const cli_exact *e, const cli_tally *t, size_t rows)
{
    (void)t;
    size_t n;
    ranked *best = rank(e, rows, &n);
    if (!best)
        return cli_error("%s: out of memory", e->o->command->name);
    cli_table *table = cli_table_begin(e->o, cli_top_columns, CLI_TOP_COLUMNS);
    int code = table ? CLI_OK : CLI_ERROR;
    for (size_t i = 0; i < n && !code; i++) {
        const uint64_t count = best[i].count;
        const bp_top_k_item row = {best[i].key, count, count, count};
        code = cli_top_row(table, i + 1, &row, e->total);
    }
    const int ended = table ? cli_table_end(table) : CLI_OK;
    free(best);
    return code ? code : ended;
}

/* ----------------------------------------------------------------------------- the run
 */

typedef int show_rows(const cli_exact *e, const cli_tally *t, size_t rows);

static int answer(const cli_options *o, show_rows *show, size_t rows)
{
    cli_exact e;
    cli_tally tally;
    cli_text size;
    bool fatal;
    if (cli_exact_begin(&e, o, o->memory))
        return CLI_ERROR;
    const cli_sink sink = cli_exact_sink(&e);
    int code = cli_read(o, &sink, &tally, &fatal);
    if (!fatal && cli_has_answer(&tally)) {
        const int shown = show(&e, &tally, rows);
        code = shown ? shown : code;
        cli_count_note(o, &tally);
        if (o->verbose)
            cli_note(o, "exact: every different item, in %s",
                     cli_size_text(size, (double)cli_map_bytes(e.items)));
    }
    cli_exact_end(&e);
    return tally.interrupted ? CLI_INTERRUPTED : code;
}

int cli_exact_distinct(const cli_options *o)
{
    return answer(o, distinct_rows, 0);
}

int cli_exact_top(const cli_options *o, size_t rows)
{
    return answer(o, top_rows, rows);
}
