/* SPDX-License-Identifier: MIT
 * follow.c - --follow: the answer so far, again and again; and the window it is shown in.
 *
 * For a person at a terminal each answer takes the place of the one before. A frame is
 * made in memory, cut to the window and written at once, so nothing flickers. After each
 * one the cursor stands, visible, at the beginning of the line below: whatever ends or
 * stops the run then, SIGKILL included, leaves the terminal as a shell wants it (a signal
 * in the midst of a write may leave part of a frame). When the window's size has changed
 * nobody knows where the lines of the old frame went, so the window is cleared.
 * Elsewhere answers follow one another, a blank line between them, or with the time in
 * each row. */
#include "cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* There is one standard output, so there is one of these. */
static struct {
    double next;  /* second of the run at which the next answer is due */
    size_t drawn; /* lines of the frame above the cursor */
    size_t rows, columns;
    uint64_t lines; /* at the last frame, for the rate */
    double seconds, rate;
    char *text; /* of the frame in the making */
    size_t size;
    cli_text at;
} now;

/* ------------------------------------------------------------------------- the window */

/* What a variable of the environment says, if that is less. */
static size_t at_most(const char *value, size_t most)
{
    uint64_t n;
    return value && !cli_read_count(value, &n) && n > 0 && n < most ? (size_t)n : most;
}

bool cli_window(int fd, size_t *rows, size_t *columns)
{
    struct winsize w = {0};
    if (!isatty(fd))
        return false;
    const bool is_known = ioctl(fd, TIOCGWINSZ, &w) == 0;
    *rows = at_most(cli_env("LINES"), is_known && w.ws_row ? w.ws_row : 24);
    *columns = at_most(cli_env("COLUMNS"), is_known && w.ws_col ? w.ws_col : 80);
    return true;
}

bool cli_terminal_obeys(int fd)
{
    const char *term = cli_env("TERM");
    return isatty(fd) && !(term && strcmp(term, "dumb") == 0);
}

static bool is_window(const cli_options *o)
{
    return o->format == CLI_HUMAN && cli_terminal_obeys(STDOUT_FILENO);
}

static void put_line(FILE *to, const char *text, size_t n)
{
    size_t used;
    const size_t fits = cli_fitting(text, n, now.columns, &used);
    fwrite(text, 1, fits, to);
    fputs(fits < n ? CLI_PLAINLY : "", to);
    fputs(used < now.columns ? "\033[K\r\n" : "\r\n", to);
}

/* Back to where the last frame began; the cursor is hidden on the way. */
static void put_cursor(FILE *to)
{
    size_t rows, columns;
    if (!cli_window(STDOUT_FILENO, &rows, &columns))
        return;
    fputs("\033[?25l", to);
    if (now.drawn && (rows != now.rows || columns != now.columns))
        fputs("\033[H\033[2J", to);
    else if (now.drawn)
        fprintf(to, "\033[%zuA\r", now.drawn);
    now.rows = rows;
    now.columns = columns;
    now.drawn = 0;
}

/* Lines of the answer as the window has room for, and the status. */
static void put_frame(FILE *to, const char *text, const char *status)
{
    put_cursor(to);
    for (const char *end; (end = strchr(text, '\n')) && now.drawn + 2 < now.rows;) {
        put_line(to, text, (size_t)(end - text));
        text = end + 1;
        now.drawn++;
    }
    put_line(to, status, strlen(status));
    now.drawn++;
    fputs("\033[J\033[?25h", to);
}

void cli_follow_break(void)
{
    now.drawn = 0;
}

/* ------------------------------------------------------------------------- the answers
 */

/* "1,234 lines  56/s  12.0 s" */
static void put_status(FILE *to, const cli_options *o, const cli_tally *t)
{
    cli_text lines, rate, seconds;
    const double passed = t->seconds - now.seconds;
    if (passed > 0.05) {
        now.rate = (double)(t->lines - now.lines) / passed;
        now.seconds = t->seconds;
        now.lines = t->lines;
    }
    fprintf(to, "%s%s lines  %s/s  %s%s", o->color ? CLI_DIM : "",
            cli_grouped(lines, t->lines), cli_grouped_real(rate, now.rate),
            cli_seconds(seconds, t->seconds), o->color ? CLI_PLAINLY : "");
}

static void take_time(void)
{
    struct timespec t;
    struct tm utc;
    char seconds[24];
    clock_gettime(CLOCK_REALTIME, &t);
    gmtime_r(&t.tv_sec, &utc);
    strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(now.at, sizeof now.at, "%s.%03dZ", seconds, (int)(t.tv_nsec / 1000000));
}

const char *cli_follow_time(void)
{
    return now.at;
}

static void put_separator(const cli_options *o, const cli_tally *t)
{
    if (o->frame > 0 && (o->format == CLI_HUMAN || o->format == CLI_PLAIN))
        putchar('\n');
    if (o->format != CLI_HUMAN)
        return;
    printf("%s  ", now.at);
    put_status(stdout, o, t);
    putchar('\n');
}

static bool is_due(const cli_options *o, const cli_tally *t)
{
    const bool is_new_size = is_window(o) && cli_resized();
    if (t->seconds < now.next)
        return is_new_size && o->frame > 0;
    now.next += o->every;
    if (now.next <= t->seconds)
        now.next = t->seconds + o->every;
    return true;
}

/* Who knows `tail -f FILE` expects that a file is followed. */
static void remark_file(const cli_options *o)
{
    struct stat st;
    const char *name = o->n_files ? o->files[0].name : "-";
    if (strcmp(name, "-") != 0 && stat(name, &st) == 0 && S_ISREG(st.st_mode))
        cli_note(o,
                 "%s is read to its end and not followed; `tail -F %s | ballpark %s -F` "
                 "follows it",
                 name, name, o->command->name);
}

void cli_follow_begin(const cli_options *o)
{
    remark_file(o);
    memset(&now, 0, sizeof now);
    now.next = o->every;
    if (!is_window(o))
        return;
    cli_catch(SIGWINCH);
    /* A person wants to see that something happens. */
    now.next = o->every < 1 ? o->every : 1;
}

double cli_follow_left(const cli_tally *t)
{
    return now.next > t->seconds ? now.next - t->seconds : 0;
}

bool cli_follow_frame(cli_options *o, const cli_tally *t)
{
    if (!is_due(o, t))
        return false;
    take_time();
    if (is_window(o))
        return (o->out = open_memstream(&now.text, &now.size)) != NULL;
    put_separator(o, t);
    return true;
}

/* To a window that is written to at once, or not at all. */
static void draw(const cli_options *o, const cli_tally *t)
{
    char *frame = NULL, *status = NULL;
    size_t n = 0, m = 0;
    FILE *to = open_memstream(&frame, &n), *line = open_memstream(&status, &m);
    if (line)
        put_status(line, o, t);
    if (line && fclose(line) == 0 && to)
        put_frame(to, now.text, status);
    if (to && fclose(to) == 0)
        fwrite(frame, 1, n, stdout);
    free(frame);
    free(status);
}

void cli_follow_shown(cli_options *o, const cli_tally *t)
{
    if (o->out != stdout) {
        const bool is_whole = fclose(o->out) == 0;
        o->out = stdout;
        if (is_whole)
            draw(o, t);
        free(now.text);
        now.text = NULL;
    }
    o->frame++;
    /* The input may have no end, in which case nobody would ever hear of a full disk. */
    if (fflush(stdout) != 0 || ferror(stdout))
        exit(cli_finish(CLI_ERROR));
}

void cli_follow_end(const cli_options *o, const cli_tally *t)
{
    take_time();
    if (!is_window(o)) {
        put_separator(o, t);
        return;
    }
    cli_uncatch(SIGWINCH);
    put_cursor(stdout);
    fputs("\033[J\033[?25h", stdout);
}
