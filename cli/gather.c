/* SPDX-License-Identifier: MIT
 * gather.c - what counting commands do alike: read, show, save.
 *
 * Each thread fills a sketch of its own; the first one's becomes the total and the others
 * are merged into it. */
#include "cli.h"

#include <stdlib.h>

typedef struct gathering {
    cli_count *c;
    bp_any *total;
} gathering;

typedef struct worker {
    const cli_count *c;
    bp_any *sketch;
} worker;

/* ------------------------------------------------------------------------ the counting
 */

static void *open_worker(void *ctx, bp_status *st)
{
    const gathering *g = ctx;
    worker *w = malloc(sizeof *w);
    *st = w ? bp_any_new(&w->sketch, g->c->kind, g->c->config, NULL) : BP_NOMEM;
    if (*st) {
        free(w);
        return NULL;
    }
    w->c = g->c;
    return w;
}

static bp_status take_hashes(void *state, const uint64_t *hashes, size_t n)
{
    const worker *w = state;
    return w->c->add_hashes(w->sketch, hashes, n);
}

static bp_status take_keys(void *state, const cli_batch *batch)
{
    const worker *w = state;
    return w->c->add_keys(w->sketch, batch->keys, batch->weights, batch->n);
}

static bp_status close_worker(void *ctx, void *state, bool failed)
{
    gathering *g = ctx;
    worker *w = state;
    if (!failed && !g->total)
        g->total = w->sketch;
    const bp_status st = cli_unite(g->total, w->sketch, failed);
    free(w);
    return st;
}

/* -------------------------------------------------------------------------- the answer
 */

int cli_count_show(const cli_count *c, const bp_any *s)
{
    if (c->say && c->o->format == CLI_HUMAN)
        return c->say(c, s);
    cli_table *t = cli_table_begin(c->o, c->columns, c->n_columns);
    if (!t)
        return CLI_ERROR;
    const int code = c->rows(c, t, s), ended = cli_table_end(t);
    return code ? code : ended;
}

/* A sketch of half the input would be taken for one of it all. Who follows an input
 * without an end can only interrupt it, and means what was read. */
static int save(const cli_count *c, const bp_any *s, int code)
{
    const bool is_part = c->tally->interrupted && !c->o->follow;
    if (!c->o->output && c->answer)
        return code;
    if (code == CLI_OK && !is_part)
        return cli_write_sketch(c->o, s);
    cli_hint("%s was not written%s", c->o->output ? c->o->output : "the sketch",
             is_part ? ": the input was not read to its end" : "");
    return code;
}

/* --follow: the answer so far. */
static double tick(void *ctx, void *state, const cli_tally *so_far)
{
    const gathering *g = ctx;
    const worker *w = state;
    cli_options *o = g->c->o;
    g->c->tally = so_far;
    if (cli_follow_frame(o, so_far)) {
        cli_count_show(g->c, w->sketch);
        cli_follow_shown(o, so_far);
    }
    return cli_follow_left(so_far);
}

int cli_count_run(cli_count *c)
{
    gathering g = {.c = c};
    cli_tally tally;
    cli_text lines, size, seconds;
    bool fatal;
    cli_sink sink = {.ctx = &g,
                     .open = open_worker,
                     .hash = &c->config->hash,
                     .close = close_worker,
                     .partial = c->answer != NULL};
    if (c->add_hashes)
        sink.hashes = take_hashes;
    else
        sink.keys = take_keys;
    if (c->answer && cli_prom_check(c->o, c->columns, c->n_columns))
        return CLI_ERROR;
    if (c->o->follow) {
        sink.tick = tick;
        cli_follow_begin(c->o);
    }
    int code = cli_read(c->o, &sink, &tally, &fatal);
    c->tally = &tally;
    if (c->o->follow)
        cli_follow_end(c->o, &tally);
    if (!fatal) {
        /* When no input could be read there is no answer, not the answer 0. */
        bool is_answer = c->answer && !(tally.failed && tally.lines == 0);
        int shown = is_answer ? cli_count_show(c, g.total) : CLI_OK;
        if (tally.interrupted)
            cli_note(c->o, "interrupted: the answer is for the %s lines that were read",
                     cli_grouped(lines, tally.lines));
        else if (c->o->format == CLI_HUMAN && is_answer)
            cli_note(c->o, "%s lines, %s in %s", cli_grouped(lines, tally.lines),
                     cli_size_text(size, (double)tally.bytes),
                     cli_seconds(seconds, tally.seconds));
        if (c->remark)
            c->remark(c, g.total);
        code = save(c, g.total, shown ? shown : code);
    }
    bp_any_free(g.total);
    return tally.interrupted ? CLI_INTERRUPTED : code;
}
