/* SPDX-License-Identifier: MIT
 * parallel.c - cli_read: the threads, from the first to the tally.
 *
 * Work begins on the calling thread alone. Each time as much was given out as is worth a
 * thread, one more is started, so that a short file never pays for the machine's cores. A
 * thread adds to a sketch of its own; they are merged at the end, in order. */
#include "input.h"
#include "platform/lines.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double cli_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What is needed when a line is more than its hash. */
static bool lines_init(cli_worker *w, size_t fields)
{
    bool ok = true;
    w->lines = malloc(w->room * sizeof *w->lines);
    w->records = w->feed->o->csv ? malloc(w->room * sizeof *w->records) : w->lines;
    w->spans = malloc((fields ? fields : 1) * w->room * sizeof *w->spans);
    w->weights = malloc(w->room * sizeof *w->weights);
    for (int p = 0; p < CLI_PARTS; p++) {
        w->made[p] = malloc(w->room * sizeof *w->made[p]);
        ok = ok && w->made[p];
    }
    return ok && w->lines && w->records && w->spans && w->weights;
}

/* Pages of memory that are never written are never resident: the begun line's half of
 * a worker's memory mostly is not. */
static bool worker_init(cli_worker *w, cli_feed *f)
{
    const size_t block = cli_cut_now.block, fields = cli_layout_most(f->o);
    memset(w, 0, sizeof *w);
    w->feed = f;
    /* A batch of many fields has fewer lines. */
    w->most = fields > 8 ? (8 * CLI_LINES + fields - 1) / fields : CLI_LINES;
    w->room = w->most + CLI_LINES_BEYOND;
    w->memory = aligned_alloc(4096, (3 * block + 2 * 4096) / 4096 * 4096);
    w->offsets = malloc((w->room + 1) * sizeof *w->offsets);
    w->hashes = malloc(w->room * sizeof *w->hashes);
    bool ok = w->memory && w->offsets && w->hashes;
    if (!f->only_hashes)
        ok = ok && lines_init(w, fields);
    if (!ok) {
        w->st = BP_NOMEM;
        return false;
    }
    w->area = w->memory + 2 * block;
    w->sink_state = f->sink->open ? f->sink->open(f->sink->ctx, &w->st) : f->sink->ctx;
    return w->sink_state != NULL;
}

static void worker_free(cli_worker *w)
{
    free(w->memory);
    free(w->offsets);
    free(w->hashes);
    if (w->records != w->lines)
        free(w->records);
    free(w->lines);
    free(w->spans);
    for (int p = 0; p < CLI_PARTS; p++)
        free(w->made[p]);
    free(w->weights);
    cli_arena_reset(&w->arena, false);
}

static void *thread_main(void *worker)
{
    cli_work(worker);
    return NULL;
}

/* A thread that cannot be had is no error: the others do its work. */
void cli_start_worker(cli_feed *f)
{
    if (f->started >= f->n_workers || f->handed < cli_cut_now.worth * f->started)
        return;
    cli_worker *w = &f->workers[f->started];
    if (!worker_init(w, f) || pthread_create(&w->thread, NULL, thread_main, w) != 0) {
        if (w->sink_state && f->sink->close)
            f->sink->close(f->sink->ctx, w->sink_state, true);
        worker_free(w);
        f->n_workers = f->started;
        return;
    }
    f->started++;
}

static bool run(cli_feed *f)
{
    if (!worker_init(&f->workers[0], f)) {
        f->st = f->workers[0].st ? f->workers[0].st : BP_NOMEM;
        worker_free(&f->workers[0]);
        return false;
    }
    f->started = 1;
    cli_work(&f->workers[0]);
    /* None starts another once the first has found nothing left. */
    for (unsigned i = 1; i < f->started; i++)
        pthread_join(f->workers[i].thread, NULL);
    cli_source_release(f->current); /* one that was left in the middle */
    return true;
}

static void gather(cli_feed *f, cli_tally *t)
{
    t->failed = f->failed;
    for (unsigned i = 0; i < f->started; i++) {
        cli_worker *w = &f->workers[i];
        t->lines += w->n_lines;
        t->bytes += w->n_bytes;
        t->failed += w->n_failed;
        for (int k = 0; k < CLI_FAULTS; k++)
            t->skips[k].n += w->n_skipped[k];
        bp_status st = f->sink->close
                           ? f->sink->close(f->sink->ctx, w->sink_state, f->st != BP_OK)
                           : BP_OK;
        if (st && !f->st)
            f->st = st;
        worker_free(w);
    }
    for (int k = 0; k < CLI_FAULTS; k++) {
        cli_bad *bad = &f->bad[k];
        if (!bad->source)
            continue;
        t->skips[k].file = bad->source->name;
        t->skips[k].line = cli_bad_line(f, bad);
        t->skips[k].field = bad->field;
        memcpy(t->skips[k].text, bad->text, sizeof bad->text);
        cli_source_release(bad->source);
    }
}

static const char *why_no_weight(const char *text)
{
    const char *digits = text + strspn(text, " \t\r");
    if (!*digits)
        return "is empty";
    if (*digits == '-' && digits[1]) /* a lone dash is how a log says "none" */
        return "is negative";
    const char *rest = digits + strspn(digits, "0123456789"); /* "...": it was cut */
    return *rest == '\0' || strcmp(rest, "...") == 0 ? "is more than 2^64 - 1"
                                                     : "is not a whole number";
}

static bool wants_one_field(const cli_options *o)
{
    const cli_range *r = o->fields[CLI_OF_ITEM].ranges;
    return cli_layout_most(o) == 2 && r && r->first == r->last;
}

/* "access.log:17: no field 3; 41 lines without it were skipped" */
static int report_skipped(const cli_options *o, const cli_skips *s, cli_fault fault)
{
    cli_text field, others;
    char what[160], more[96] = "; the line was skipped";
    const bool is_one = wants_one_field(o);
    cli_grouped(field, s->field);
    if (fault == CLI_NO_FIELD)
        snprintf(what, sizeof what, "no field %s", field);
    else
        snprintf(what, sizeof what, "field %s is no weight: '%s' %s", field, s->text,
                 why_no_weight(s->text));
    if (s->n > 1)
        snprintf(more, sizeof more, "; %s %s were skipped", cli_grouped(others, s->n),
                 fault == CLI_NO_FIELD && is_one ? "lines without it" : "such lines");
    const unsigned long long line = s->line;
    if (o->skip_bad) {
        cli_note(o, "%s:%llu: %s%s", s->file, line, what, more);
        return CLI_OK;
    }
    cli_error("%s:%llu: %s%s", s->file, line, what, more);
    if (fault == CLI_NO_FIELD)
        cli_hint("add --skip-bad when such lines are expected; -d says what separates "
                 "fields");
    else
        cli_hint("weights are whole numbers from 0 to 2^64 - 1; add --skip-bad when such "
                 "lines are expected");
    return CLI_ERROR;
}

int cli_read(const cli_options *o, const cli_sink *sink, cli_tally *tally, bool *fatal)
{
    cli_feed f = {.o = o, .sink = sink, .start = cli_now()};
    int code = CLI_OK;
    memset(tally, 0, sizeof *tally);
    pthread_mutex_init(&f.lock, NULL);
    f.end = o->zero ? '\0' : '\n';
    f.only_hashes =
        sink->hashes && cli_layout_most(o) == 0 && !o->trim && !o->ignore_case && !o->csv;
    f.n_workers = sink->ordered || sink->tick ? 1 : o->threads;
    f.workers = calloc(f.n_workers, sizeof *f.workers);
    if (sink->partial)
        cli_catch(SIGINT);
    cli_progress_begin(o, sink->ordered && !o->count && !o->quiet);
    if (!f.workers)
        f.st = BP_NOMEM;
    else if (run(&f))
        gather(&f, tally);
    free(f.workers);
    pthread_mutex_destroy(&f.lock);
    cli_progress_end();
    if (sink->partial)
        cli_uncatch(SIGINT);
    tally->interrupted = cli_interrupted();
    tally->seconds = cli_now() - f.start;
    *fatal = f.st != BP_OK;
    if (*fatal)
        return cli_library_error(o->command->name, f.st, NULL);
    if (tally->failed)
        code = CLI_ERROR;
    for (int k = 0; k < CLI_FAULTS; k++)
        if (tally->skips[k].n && report_skipped(o, &tally->skips[k], (cli_fault)k))
            code = CLI_ERROR;
    return code;
}
