/* SPDX-License-Identifier: MIT
 * gather.c - what counting commands do alike: read, join a state, show, save.
 *
 * Each thread fills a sketch of its own; the first one's becomes the total and the others
 * are merged into it. */
#include "explain.h"
#include "state.h"

#include <stdlib.h>

typedef struct gathering {
    cli_count *c;
    const cli_state *state; /* .o is NULL without -s */
    bp_any *total;
    cli_group_table *table; /* with -g, in total's stead */
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

/* With groups one table takes it all. */
static void *open_adder(void *ctx, bp_status *st)
{
    return cli_group_adder(((gathering *)ctx)->table, st);
}

static cli_sink sink_of(gathering *g)
{
    const cli_count *c = g->c;
    cli_sink sink = {.ctx = g,
                     .open = open_worker,
                     .hash = &c->config->hash,
                     .close = close_worker,
                     .partial = c->answer != NULL};
    if (g->table) {
        sink.open = open_adder;
        sink.keys = cli_group_add;
        sink.close = cli_group_adder_close;
    } else if (c->add_hashes)
        sink.hashes = take_hashes;
    else
        sink.keys = take_keys;
    return sink;
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

/* All groups that were met, and those of a state, to be read; without -g, nothing. */
typedef struct met {
    cli_group_list *list, *more;
    cli_group_reader *reader;
} met;

static int open_met(const gathering *g, met *m)
{
    *m = (met){.list = g->table ? cli_group_table_list(g->table) : NULL};
    return g->table && !m->list ? CLI_ERROR : CLI_OK;
}

/* more: NULL, or a list to be read beside it. */
static int read_met(const gathering *g, met *m, cli_group_list *more)
{
    cli_group_list *const lists[] = {m->list, more};
    if (m->list)
        m->reader = cli_group_read(g->c->o->command->name, lists, more ? 2 : 1);
    return m->list && !m->reader ? CLI_ERROR : CLI_OK;
}

static void close_met(met *m)
{
    cli_group_read_end(m->reader);
    cli_group_close(m->list);
    cli_group_close(m->more);
}

/* All that was met, with what a state holds. */
static int join(const gathering *g, met *m, bool save)
{
    if (open_met(g, m))
        return CLI_ERROR;
    if (m->list && g->state->o)
        return cli_state_join_groups(g->state, m->list, save, &m->more, &m->reader);
    return m->list ? read_met(g, m, NULL)
                   : cli_state_join(g->state, g->total, save, NULL);
}

static int show(const cli_count *c, const bp_any *s, met *m)
{
    return m->reader ? cli_group_show(c, m->reader, c->most_groups)
                     : cli_count_show(c, s);
}

static int write_out(const cli_count *c, const bp_any *s, met *m)
{
    const cli_options *o = c->o;
    int code = CLI_OK;
    if (!m->reader)
        return cli_write_sketch(o, s);
    if (o->output)
        code = cli_group_save(o->command->name, m->reader, m->list->kind, o->output);
    return !code && o->output_dir ? cli_group_save_dir(o, m->reader) : code;
}

/* A sketch of half the input would be taken for one of it all. Who follows an input
 * without an end can only interrupt it, and means what was read. */
static bool is_whole(const cli_count *c, int code)
{
    return code == CLI_OK && (!c->tally->interrupted || c->o->follow);
}

static int save(const cli_count *c, const bp_any *s, met *m, int code)
{
    const char *where = c->o->output ? c->o->output : c->o->output_dir;
    if (!where && (c->answer || c->o->state))
        return code;
    if (is_whole(c, code))
        return write_out(c, s, m);
    cli_hint("%s was not written%s", where ? where : "the sketch",
             code == CLI_OK ? ": the input was not read to its end" : "");
    return code;
}

bool cli_has_answer(const cli_tally *t)
{
    return !(t->failed && t->lines == 0);
}

void cli_count_note(const cli_options *o, const cli_tally *t)
{
    cli_text lines, size, seconds;
    if (t->interrupted)
        cli_note(o, "interrupted: the answer is for the %s lines that were read",
                 cli_grouped(lines, t->lines));
    else if (o->format == CLI_HUMAN)
        cli_note(o, "%s lines, %s in %s", cli_grouped(lines, t->lines),
                 cli_size_text(size, (double)t->bytes), cli_seconds(seconds, t->seconds));
}

static int answer(const gathering *g, int code)
{
    const cli_count *c = g->c;
    met m;
    int shown = CLI_OK;
    if (join(g, &m, is_whole(c, code))) {
        close_met(&m);
        return CLI_ERROR;
    }
    if (c->answer && cli_has_answer(c->tally)) {
        if (c->settle && g->total)
            c->settle(g->total);
        shown = show(c, g->total, &m);
        cli_count_note(c->o, c->tally);
    }
    if (c->remark && !g->table)
        c->remark(c, g->total);
    code = save(c, g->total, &m, shown ? shown : code);
    close_met(&m);
    return code;
}

/* With all that the state held at the beginning. */
static void show_frame(const gathering *g, const bp_any *s)
{
    bp_any *sum = NULL;
    met m;
    if (open_met(g, &m) == CLI_OK && read_met(g, &m, g->state->groups) == CLI_OK) {
        if (!g->state->found.sketch)
            show(g->c, s, &m);
        else if (!bp_any_clone(&sum, s, NULL) &&
                 !bp_any_merge(sum, g->state->found.sketch, NULL))
            show(g->c, sum, &m);
    }
    bp_any_free(sum);
    close_met(&m);
}

/* --follow: the answer so far. */
static double tick(void *ctx, void *state, const cli_tally *so_far)
{
    const gathering *g = ctx;
    cli_options *o = g->c->o;
    g->c->tally = so_far;
    if (cli_follow_frame(o, so_far)) {
        show_frame(g, g->table ? NULL : ((const worker *)state)->sketch);
        cli_follow_shown(o, so_far);
    }
    return cli_follow_left(so_far);
}

/* Before anything is read. */
static int check(const cli_count *c)
{
    if (c->answer && cli_prom_check(c->o, c->columns, c->n_columns))
        return CLI_ERROR;
    return cli_group_check_dir(c->o);
}

/* An empty sketch, to be told of: the workers make theirs when they begin. */
static int explain(const cli_count *c, const cli_state *state)
{
    bp_any *empty = NULL;
    bp_detail why = {0};
    if (!c->o->explain)
        return CLI_OK;
    const bp_status st = bp_any_new(&empty, c->kind, c->config, &why);
    if (st)
        return cli_library_error(c->o->command->name, st, &why);
    cli_explain(c->o, empty, state->found.sketch || state->groups ? c->o->state : NULL,
                true);
    bp_any_free(empty);
    return CLI_OK;
}

static int run(cli_count *c, const cli_state *state)
{
    gathering g = {.c = c, .state = state};
    bool fatal;
    if (c->o->group && !(g.table = cli_group_table_new(c)))
        return CLI_ERROR;
    cli_sink sink = sink_of(&g);
    if (c->o->follow) {
        sink.tick = tick;
        cli_follow_begin(c->o);
    }
    int code = cli_read(c->o, &sink, &c->whole, &fatal);
    c->tally = &c->whole;
    if (c->o->follow)
        cli_follow_end(c->o, &c->whole);
    if (!fatal)
        code = answer(&g, code);
    bp_any_free(g.total);
    cli_group_table_free(g.table);
    return c->whole.interrupted && !fatal ? CLI_INTERRUPTED : code;
}

int cli_count_run(cli_count *c)
{
    cli_state state;
    if (check(c))
        return CLI_ERROR;
    int code = cli_state_open(&state, c->o, c->kind, c->config);
    if (!code)
        code = explain(c, &state);
    if (!code)
        code = run(c, &state);
    cli_state_close(&state);
    return code;
}
