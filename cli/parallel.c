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

/* Pages of memory that are never written are never resident: the begun line's half of
 * a worker's memory mostly is not. */
static bool worker_init(cli_worker *w, cli_feed *f)
{
    size_t block = cli_cut_now.block;
    bool needs_keys = f->o->field != 0, needs_lines = needs_keys || f->sink->keys;
    memset(w, 0, sizeof *w);
    w->feed = f;
    w->memory = aligned_alloc(4096, (3 * block + 2 * 4096) / 4096 * 4096);
    w->offsets = malloc((CLI_LINES_ROOM + 1) * sizeof *w->offsets);
    w->hashes = malloc(CLI_LINES_ROOM * sizeof *w->hashes);
    w->lines = needs_lines ? malloc(CLI_LINES_ROOM * sizeof *w->lines) : NULL;
    w->keys = needs_keys ? malloc(CLI_LINES_ROOM * sizeof *w->keys) : NULL;
    if (!w->memory || !w->offsets || !w->hashes || (needs_lines && !w->lines) ||
        (needs_keys && !w->keys)) {
        w->st = BP_NOMEM;
        return false;
    }
    w->area = w->memory + 2 * block;
    w->sink_state = f->sink->open(f->sink->ctx, &w->st);
    return w->sink_state != NULL;
}

static void worker_free(cli_worker *w)
{
    free(w->memory);
    free(w->offsets);
    free(w->hashes);
    free(w->lines);
    free(w->keys);
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
        if (w->sink_state)
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
    return true;
}

static void gather(cli_feed *f, cli_tally *t)
{
    t->failed = f->failed;
    for (unsigned i = 0; i < f->started; i++) {
        cli_worker *w = &f->workers[i];
        t->lines += w->n_lines;
        t->bytes += w->n_bytes;
        t->skipped += w->n_skipped;
        t->failed += w->n_failed;
        bp_status st = f->sink->close(f->sink->ctx, w->sink_state, f->st != BP_OK);
        if (st && !f->st)
            f->st = st;
        worker_free(w);
    }
    if (f->bad.source) {
        t->bad_file = f->o->files[f->bad.source->index].name;
        t->bad_line = cli_bad_line(&f->bad);
        cli_source *s = f->bad.source;
        f->bad.source = NULL;
        s->users = 1;
        cli_source_release(f, s);
    }
}

/* "access.log:17: no field 3, as in 41 other lines of 1,000: skipped" */
static int report_skipped(const cli_options *o, const cli_tally *t)
{
    cli_text field, others;
    char more[96] = "";
    const char *file = strcmp(t->bad_file, "-") == 0 ? "standard input" : t->bad_file;
    cli_grouped(field, o->field);
    if (t->skipped > 1)
        snprintf(more, sizeof more, "; %s lines without it were skipped",
                 cli_grouped(others, t->skipped));
    else
        snprintf(more, sizeof more, "; the line was skipped");
    if (o->skip_bad) {
        cli_note(o, "%s:%llu: no field %s%s", file, (unsigned long long)t->bad_line,
                 field, more);
        return CLI_OK;
    }
    cli_error("%s:%llu: no field %s%s", file, (unsigned long long)t->bad_line, field,
              more);
    cli_hint(
        "add --skip-bad when such lines are expected; -d says what separates fields");
    return CLI_ERROR;
}

int cli_read(const cli_options *o, const cli_sink *sink, cli_tally *tally, bool *fatal)
{
    cli_feed f = {.o = o, .sink = sink, .start = cli_now()};
    int code = CLI_OK;
    memset(tally, 0, sizeof *tally);
    pthread_mutex_init(&f.lock, NULL);
    f.n_workers = sink->ordered || sink->tick ? 1 : o->threads;
    f.workers = calloc(f.n_workers, sizeof *f.workers);
    if (sink->partial)
        cli_catch(SIGINT);
    if (!f.workers)
        f.st = BP_NOMEM;
    else if (run(&f))
        gather(&f, tally);
    free(f.workers);
    pthread_mutex_destroy(&f.lock);
    cli_uncatch(SIGINT);
    tally->interrupted = cli_interrupted();
    tally->seconds = cli_now() - f.start;
    *fatal = f.st != BP_OK;
    if (*fatal)
        return cli_library_error(o->command->name, f.st, NULL);
    if (tally->failed)
        code = CLI_ERROR;
    if (tally->skipped && report_skipped(o, tally) != CLI_OK)
        code = CLI_ERROR;
    return code;
}
