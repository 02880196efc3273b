/* SPDX-License-Identifier: MIT
 * progress.c - --progress: how far the reading has come, for a person who waits.
 *
 *   812.0 MiB of 3.1 GiB, 26%, 0:07 left, 310.2 MiB/s, 3,214,902 lines/s
 *   812.0 MiB, 0:03, 310.2 MiB/s, 3,214,902 lines/s               (of a pipe)
 *
 * Readers add to two counters, a block at a time; a thread of its own looks at them five
 * times a second and draws one line over the one before, by a carriage return and blanks
 * that every terminal understands. Bytes are those of the input as it lies there, so that
 * a compressed file has a percentage as well. Without --progress, or without a terminal
 * to draw on, nothing is started and nothing counted. */
#include "input.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static const double first_after = 1, then_every = 0.2;

/* There is one terminal, so there is one of these. */
static struct {
    bool is_on;    /* changes only while nothing else runs */
    unsigned deep; /* readings inside a reading: the outer one is shown */
    pthread_t thread;
    pthread_mutex_t lock; /* held while anything is written to the terminal */
    pthread_cond_t ended;
    bool is_ending;
    size_t columns, drawn;
    double start, total; /* bytes; 0: nobody knows */
    _Atomic uint64_t bytes, lines;
} now = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --------------------------------------------------------------------------- the line */

static char *clock_text(cli_text to, double seconds)
{
    const double s = fmin(round(seconds), 359999);
    const int h = (int)(s / 3600), m = (int)fmod(s / 60, 60), rest = (int)fmod(s, 60);
    if (h)
        snprintf(to, sizeof(cli_text), "%d:%02d:%02d", h, m, rest);
    else
        snprintf(to, sizeof(cli_text), "%d:%02d", m, rest);
    return to;
}

/* What matters most stands first: what has no room is left out, from the end. */
static size_t put_line(char *to, size_t room)
{
    char parts[5][64];
    cli_text a, b;
    const double seconds = cli_now() - now.start;
    const double bytes = (double)atomic_load_explicit(&now.bytes, memory_order_relaxed);
    const double lines = (double)atomic_load_explicit(&now.lines, memory_order_relaxed);
    const double share = now.total > 0 ? fmin(bytes / now.total, 1) : 0;
    size_t n = 0, used = 0;
    if (now.total > 0) {
        snprintf(parts[n++], sizeof *parts, "%s of %s", cli_size_text(a, bytes),
                 cli_size_text(b, now.total));
        snprintf(parts[n++], sizeof *parts, ", %.0f%%", floor(share * 100));
    } else {
        snprintf(parts[n++], sizeof *parts, "%s", cli_size_text(a, bytes));
        snprintf(parts[n++], sizeof *parts, ", %s", clock_text(a, seconds));
    }
    if (share > 0)
        snprintf(parts[n++], sizeof *parts, ", %s left",
                 clock_text(a, seconds / share - seconds));
    snprintf(parts[n++], sizeof *parts, ", %s/s", cli_size_text(a, bytes / seconds));
    if (lines >= seconds)
        snprintf(parts[n++], sizeof *parts, ", %s lines/s",
                 cli_grouped_real(a, round(lines / seconds)));
    for (size_t i = 0; i < n && used + strlen(parts[i]) < room; i++) {
        memcpy(to + used, parts[i], strlen(parts[i]));
        used += strlen(parts[i]);
    }
    return used;
}

/* Under lock: draws, over what was drawn; nothing when is_blank. The cursor stays in the
 * line's last column at most, where no terminal has gone on to the next line. */
static void draw(bool is_blank)
{
    char line[512] = "\r";
    struct winsize w;
    size_t columns = now.columns;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 && w.ws_col < columns)
        columns = w.ws_col;
    if (columns > 200)
        columns = 200;
    size_t n = is_blank ? 0 : put_line(line + 1, columns);
    size_t end = 1 + n;
    for (; end < 1 + now.drawn && end < columns; end++)
        line[end] = ' ';
    if (is_blank)
        line[end++] = '\r';
    now.drawn = n;
    if (write(STDERR_FILENO, line, end) < 0)
        now.drawn = 0; /* a terminal that is gone needs no cleaning */
}

static void *draw_on(void *unused)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    pthread_mutex_lock(&now.lock);
    double wait = first_after;
    while (!now.is_ending) {
        const double next = (double)at.tv_nsec * 1e-9 + wait;
        at.tv_sec += (time_t)next;
        at.tv_nsec = (long)((next - floor(next)) * 1e9);
        while (!now.is_ending && pthread_cond_timedwait(&now.ended, &now.lock, &at) == 0)
            ;
        if (!now.is_ending)
            draw(false);
        wait = then_every;
    }
    pthread_mutex_unlock(&now.lock);
    return unused;
}

/* --------------------------------------------------------------------- begin and end */

/* All bytes there are to read, or 0 when a pipe is among the inputs. */
static double total_bytes(const cli_options *o)
{
    double total = 0;
    for (size_t i = 0; i < o->n_files; i++) {
        const cli_file *file = &o->files[i];
        const int fd = file->fd >= 0                  ? file->fd
                       : strcmp(file->name, "-") == 0 ? STDIN_FILENO
                                                      : -1;
        struct stat st;
        if ((fd >= 0 ? fstat(fd, &st) : stat(file->name, &st)) != 0)
            continue; /* what cannot be read will be said */
        if (!S_ISREG(st.st_mode))
            return 0;
        const off_t at = fd == STDIN_FILENO ? lseek(fd, 0, SEEK_CUR) : 0;
        total += st.st_size > at ? (double)(st.st_size - at) : 0;
    }
    return total;
}

/* Signals are for the threads that wait for input. */
static bool start(void)
{
    sigset_t all, before;
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&now.ended, &clock);
    pthread_condattr_destroy(&clock);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool ok = pthread_create(&now.thread, NULL, draw_on, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

void cli_progress_begin(const cli_options *o, bool prints)
{
    size_t rows;
    const bool is_in_the_way = o->follow || (prints && isatty(STDOUT_FILENO));
    if (now.deep++ > 0 || !o->progress || is_in_the_way ||
        !cli_window(STDERR_FILENO, &rows, &now.columns))
        return;
    now.is_ending = false;
    now.drawn = 0;
    now.start = cli_now();
    now.total = total_bytes(o);
    now.bytes = now.lines = 0;
    now.is_on = start();
}

void cli_progress_end(void)
{
    if (--now.deep > 0 || !now.is_on)
        return;
    pthread_mutex_lock(&now.lock);
    now.is_ending = true;
    pthread_cond_signal(&now.ended);
    if (now.drawn)
        draw(true);
    pthread_mutex_unlock(&now.lock);
    pthread_join(now.thread, NULL);
    pthread_cond_destroy(&now.ended);
    now.is_on = false;
}

void cli_progress_add(uint64_t bytes, uint64_t lines)
{
    if (!now.is_on)
        return;
    atomic_fetch_add_explicit(&now.bytes, bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&now.lines, lines, memory_order_relaxed);
}

void cli_progress_hide(void)
{
    pthread_mutex_lock(&now.lock);
    if (now.drawn)
        draw(true);
}

void cli_progress_show(void)
{
    pthread_mutex_unlock(&now.lock);
}
