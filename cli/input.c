/* SPDX-License-Identifier: MIT
 * input.c - files and pipes, in large blocks, cut at line ends over threads.
 *
 * A regular file is cut into segments of a few MiB. A line belongs to the segment its
 * first byte is in, so a thread drops what it finds before the first line end and reads
 * on past its segment's last byte until the last line is whole. A stream has no segments:
 * the thread whose turn it is reads a block, keeps the whole lines, leaves the begun one
 * for the next, and lets go. Either way the text is read into a block that the thread
 * uses again and again, which stays in its cache; mapping costs a page fault every few
 * KiB.
 *
 * A line longer than a block is hashed as it comes, or collected when the item itself is
 * wanted: it costs its own length, the others cost nothing. */
#include "input.h"
#include "platform/cut.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

cli_cut cli_cut_now = {128 << 10, 4 << 20, 4 << 20};

static const char *shown(const char *name)
{
    return strcmp(name, "-") == 0 ? "standard input" : name;
}

/* ---------------------------------------------------------------------------- sources */

/* A pipe that nobody writes to yet is opened all the same: the first read waits, where a
 * signal is heard. */
static int open_file(const char *name)
{
    int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0)
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

/* Opens the file and says what it is; NULL after printing why not. */
static cli_source *source_open(const cli_file *file, size_t index)
{
    struct stat st;
    bool is_stdin = file->fd < 0 && strcmp(file->name, "-") == 0;
    bool owned = file->fd < 0 && !is_stdin;
    int fd = file->fd >= 0 ? file->fd : is_stdin ? 0 : open_file(file->name);
    cli_source *s = fd >= 0 && fstat(fd, &st) == 0 ? calloc(1, sizeof *s) : NULL;
    const bool is_dir = s && S_ISDIR(st.st_mode);
    if (is_dir) {
        errno = EISDIR;
        free(s);
        s = NULL;
    }
    if (!s) {
        cli_errno(shown(file->name));
        if (is_dir && owned)
            cli_hint("name the files in it: %s/*", file->name);
        else if (owned && strchr(file->name, '\n'))
            cli_hint("that is one name; --files0-from wants a NUL byte after each, as of "
                     "find -print0");
        if (owned && fd >= 0)
            close(fd);
        return NULL;
    }
    *s = (cli_source){
        .name = shown(file->name), .index = index, .fd = fd, .owned = owned, .users = 1};
    off_t at = S_ISREG(st.st_mode) ? lseek(fd, 0, SEEK_CUR) : -1;
    /* Files of /proc say that they are empty and are not. */
    s->is_regular = at >= 0 && st.st_size > 0;
    s->start = s->next = s->is_regular && is_stdin ? (uint64_t)at : 0;
    s->size = (uint64_t)st.st_size;
    /* Read by place, from where it stood; what reads it next finds it read, as after cat.
     */
    if (s->is_regular && is_stdin && s->start < s->size)
        lseek(fd, 0, SEEK_END);
    return s;
}

ssize_t cli_source_read(cli_source *s, char *to, size_t want, uint64_t at)
{
    ssize_t got;
    if (s->codec)
        return cli_codec_read(s->codec, to, want);
    do
        got = pread(s->fd, to, want, (off_t)at);
    while (got < 0 && errno == EINTR);
    cli_progress_add(got > 0 ? (uint64_t)got : 0, 0);
    return got;
}

/* Under lock. */
void cli_source_release(cli_source *s)
{
    if (!s || --s->users > 0)
        return;
    cli_codec_close(s->codec);
    if (s->owned)
        close(s->fd);
    cli_layout_free(s->layout);
    free(s->carry);
    free(s);
}

/* Which line of its file the byte at bad->at begins. */
uint64_t cli_bad_line(const cli_feed *f, const cli_bad *bad)
{
    char block[1 << 14];
    uint64_t line = 1, at = bad->source->start;
    if (bad->line)
        return bad->line;
    while (at < bad->at) {
        uint64_t left = bad->at - at;
        ssize_t n = pread(bad->source->fd, block,
                          left < sizeof block ? left : sizeof block, (off_t)at);
        if (n <= 0)
            break;
        line += cli_count_ends(block, (size_t)n, f->end);
        at += (uint64_t)n;
    }
    return line;
}

/* ------------------------------------------------------------------- reading a unit */

/* What a worker has read and not yet given on: text[0..have), which ends where the next
 * read will begin. */

static size_t least(uint64_t a, size_t b)
{
    return a < b ? (size_t)a : b;
}

/* Whether SIGINT ends this reading. */
static bool is_interrupted(const cli_feed *f)
{
    return cli_interrupted() && !f->sink->whole;
}

/* Waits for a stream's next bytes; meanwhile, with --follow, what is due is shown. false:
 * SIGINT came. */
static bool await(cli_worker *w)
{
    const cli_sink *sink = w->feed->sink;
    double left = -1;
    cli_codec *codec = w->source->codec;
    bool is_ready = !codec || cli_codec_is_ready(codec);
    while (!is_ready && !is_interrupted(w->feed)) {
        const cli_tally so_far = {.lines = w->n_lines + w->unit_lines,
                                  .bytes = w->n_bytes,
                                  .seconds = cli_now() - w->feed->start};
        if (sink->tick)
            left = sink->tick(sink->ctx, w->sink_state, &so_far);
        is_ready = cli_wait(w->source->fd, left);
    }
    return !is_interrupted(w->feed);
}

/* Reads at most `want` bytes behind what is there; *n is 0 at the end of the input.
 * false: it failed, and that was printed, or the run was interrupted. */
static bool pull(cli_worker *w, size_t want, size_t *n)
{
    cli_source *s = w->source;
    ssize_t got;
    w->text = memmove(w->area - w->have, w->text, w->have);
    do {
        if (!await(w))
            return false;
        got = cli_source_read(s, w->area, want, w->at);
    } while (got == CLI_CODEC_WAITS);
    if (got < 0 && s->codec) { /* it has said so, and the input ends here */
        w->n_failed++;
        got = 0;
    }
    if (got < 0) {
        cli_errno(s->name);
        w->n_failed++;
        return false;
    }
    w->at += (uint64_t)got;
    w->have += (size_t)got;
    *n = (size_t)got;
    return true;
}

static size_t whole_text(cli_worker *w)
{
    return cli_whole_records(w->feed->o, w->feed->end, w->text, w->have, &w->is_quoted);
}

/* Gives on the first n bytes, which are whole lines. */
static bool give_whole(cli_worker *w, size_t n)
{
    if (n == 0)
        return true;
    uint64_t at = w->at - w->have;
    char *text = w->text;
    w->text += n;
    w->have -= n;
    return cli_items(w, text, n, at);
}

/* "users.csv:17: a quote opens here and is never closed" */
static bool refuse_unclosed(cli_worker *w, bp_bytes record, uint64_t at)
{
    size_t opened = 0;
    cli_source *s = w->source;
    if (!cli_csv_unclosed(record, *(const char *)w->feed->o->delimiter.ptr, &opened))
        return false;
    cli_bad where = {.source = s, .at = at + opened};
    if (!s->is_regular)
        where.line =
            w->unit_line + w->unit_ends + cli_count_ends(record.ptr, opened, '\n') + 1;
    cli_error("%s:%llu: a quote opens here and is never closed", s->name,
              (unsigned long long)cli_bad_line(w->feed, &where));
    cli_hint("what came before it was read; two quotes inside quotes are one");
    w->n_failed++;
    return true;
}

/* The last line of an input may lack its line end; it counts all the same. */
static bool give_last(cli_worker *w)
{
    if (w->have == 0)
        return true;
    if (w->feed->o->csv &&
        refuse_unclosed(w, (bp_bytes){w->text, w->have}, w->at - w->have))
        return true;
    w->text[w->have] = w->feed->end;
    w->n_bytes--;
    return cli_items(w, w->text, w->have + 1, w->at - w->have);
}

/* ----------------------------------------------------------------------- a long line */

/* Hashed as it comes, or collected when the item itself is wanted. */
typedef struct long_line {
    bool is_hash;
    bp_hash_stream stream;
    cli_quotes quotes;
    char *text;
    size_t n, cap;
} long_line;

static bool long_add(cli_worker *w, long_line *l, const char *p, size_t n)
{
    w->n_bytes += n;
    if (l->is_hash) {
        bp_hash_add(&l->stream, p, n);
        return true;
    }
    if (!l->text || l->cap - l->n < n + CLI_CUT_SLACK) {
        size_t cap = (l->cap + n) * 2 + CLI_CUT_SLACK;
        char *grown = realloc(l->text, cap);
        if (!grown) {
            w->st = BP_NOMEM;
            return false;
        }
        l->text = grown;
        l->cap = cap;
    }
    memcpy(l->text + l->n, p, n);
    l->n += n;
    return true;
}

static bool long_end(cli_worker *w, long_line *l, uint64_t at)
{
    if (!l->is_hash)
        return cli_item(w, (bp_bytes){l->text, l->n}, at);
    uint64_t hash = bp_hash_end(&l->stream);
    w->unit_lines++;
    w->unit_ends++;
    w->st = w->feed->sink->hashes(w->sink_state, &hash, 1);
    return w->st == BP_OK;
}

/* Takes what is there, up to the first line end, as more of the line. */
static bool long_take(cli_worker *w, long_line *l, bool *ended)
{
    const size_t end =
        cli_first_record(w->feed->o, w->feed->end, &l->quotes, w->text, w->have);
    const size_t n = end ? end - 1 : w->have;
    bool ok = long_add(w, l, w->text, n);
    *ended = end > 0;
    w->n_bytes += *ended;
    w->text += n + *ended;
    w->have -= n + *ended;
    return ok;
}

/* Reads the line that has begun to its end, however far that is. Small steps first: most
 * often it is only the last line of a segment. */
static bool follow(cli_worker *w)
{
    uint64_t at = w->at - w->have;
    long_line l = {.is_hash = w->feed->only_hashes, .quotes = CLI_QUOTES_BEGIN};
    size_t got = 1, want = least(cli_cut_now.block, 4096);
    bool ended = false;
    if (l.is_hash)
        bp_hash_begin(&l.stream, w->feed->sink->hash, NULL);
    bool ok = long_take(w, &l, &ended);
    while (ok && !ended && got > 0) {
        ok = pull(w, w->at < w->limit ? least(w->limit - w->at, want) : want, &got) &&
             long_take(w, &l, &ended);
        want = cli_cut_now.block;
    }
    if (ok && !ended && l.quotes.inside)
        refuse_unclosed(w, (bp_bytes){l.text, l.n}, at);
    else
        ok = ok && long_end(w, &l, at);
    free(l.text);
    return ok;
}

/* --------------------------------------------------------------------------- segments */

/* Drops what belongs to the segment before. false: no line begins in this one. */
static bool first_line(cli_worker *w)
{
    size_t got;
    if (w->at == w->source->body)
        return true;
    /* The byte before says whether a line begins with the segment. It is read alone: the
     * blocks then begin at whole pages, from which the kernel copies twice as fast. */
    w->at--;
    for (size_t want = 1; w->at < w->limit; want = cli_cut_now.block) {
        w->have = 0;
        if (!pull(w, least(w->limit - w->at, want), &got) || got == 0)
            return false;
        char *end = memchr(w->text, w->feed->end, w->have);
        if (end) {
            w->have -= (size_t)(end + 1 - w->text);
            w->text = end + 1;
            return w->at - w->have < w->limit;
        }
    }
    return false;
}

/* false: the sink failed (w->st) or the input did (printed). */
static bool read_segment(cli_worker *w)
{
    size_t got;
    if (!first_line(w))
        return true;
    for (;;) {
        if (!give_whole(w, whole_text(w)))
            return false;
        if (w->at >= w->limit && w->have == 0)
            return true;
        if (w->at >= w->limit || w->have > cli_cut_now.block) {
            if (!follow(w))
                return false;
            if (w->at - w->have >= w->limit)
                return true;
            continue;
        }
        if (!pull(w, least(w->limit - w->at, cli_cut_now.block), &got))
            return false;
        if (got == 0)
            return give_last(w);
    }
}

/* ---------------------------------------------------------------------------- streams */

static bool keep_begun(cli_source *s, const char *text, size_t n)
{
    if (!s->carry && n > 0)
        s->carry = malloc(2 * cli_cut_now.block + 1);
    if (n > 0 && !s->carry)
        return false;
    if (n > 0)
        memcpy(s->carry, text, n);
    s->carry_n = n;
    return true;
}

/* Under lock: reads until there is a whole line (or the end, or a long line, which is
 * dealt with at once). What is left for the worker to give on ends with a line end, or is
 * the input's last line. *more: there may be more. */
static bool take_block(cli_worker *w, bool *more)
{
    cli_source *s = w->source;
    size_t got = 1;
    *more = false;
    if (s->carry_n > 0)
        memcpy(w->area - s->carry_n, s->carry, s->carry_n);
    w->text = w->area - s->carry_n;
    w->have = s->carry_n;
    bool ok = true;
    w->whole = whole_text(w);
    while (ok && got > 0 && !w->whole) {
        if (w->have > cli_cut_now.block)
            ok = follow(w);
        else
            ok = pull(w, cli_cut_now.block, &got);
        w->whole = ok ? whole_text(w) : 0;
    }
    s->read = w->at;
    if (!ok || got == 0)
        return ok;
    const size_t n = w->whole;
    if (!keep_begun(s, w->text + n, w->have - n)) {
        w->st = BP_NOMEM;
        return false;
    }
    w->at -= w->have - n;
    w->have = n;
    *more = true;
    return true;
}

/* Under lock. */
static bool begin_block(cli_worker *w, bool *more)
{
    cli_source *s = w->source;
    w->limit = UINT64_MAX;
    w->at = s->read;
    w->unit_line = s->lines;
    bool ok = take_block(w, more);
    /* Of files lines are counted when one is bad; and is there no field, none can be. */
    if (ok && !s->is_regular && (s->layout->n > 0 || w->feed->o->csv))
        s->lines += w->unit_ends + cli_count_ends(w->text, w->have, w->feed->end);
    return ok;
}

/* ------------------------------------------------------------------------------ units */

/* Under lock: closes the current source for new units. */
static void finish_current(cli_feed *f)
{
    cli_source *s = f->current;
    f->current = NULL;
    cli_source_release(s);
}

/* Under lock: the source of the next unit, or NULL when all were read. */
static cli_source *next_source(cli_feed *f)
{
    while (!f->current && !f->st && f->next_file < f->o->n_files) {
        size_t i = f->next_file++;
        cli_source *s = f->current = source_open(&f->o->files[i], i);
        if (s && !cli_codec_open(&s->codec, s))
            finish_current(f);
        else if (s && s->codec)
            s->is_regular = false; /* its places are not those of its text */
        f->failed += f->current == NULL;
        if (f->current)
            f->current->is_stream = !f->current->is_regular || f->o->csv;
        if (f->current && !cli_source_begin(f, f->current))
            finish_current(f);
    }
    return f->current;
}

static void begin_segment(cli_worker *w)
{
    cli_feed *f = w->feed;
    cli_source *s = w->source;
    uint64_t left = s->size > s->next ? s->size - s->next : 0;
    bool is_last = f->n_workers == 1 || left <= cli_cut_now.segment;
    w->at = s->next;
    /* The last one reads to the end, wherever that is by now: a log may be growing. */
    w->limit = is_last ? UINT64_MAX : s->next + cli_cut_now.segment;
    s->next = w->limit;
    f->handed += is_last ? left : cli_cut_now.segment;
    if (is_last)
        finish_current(f);
}

/* Takes a unit; false: there is none, or all must stop. */
static bool take_unit(cli_worker *w)
{
    cli_feed *f = w->feed;
    bool more = true, ok = true;
    cli_source *s = f->st || is_interrupted(f) ? NULL : next_source(f);
    if (!s)
        return false;
    s->users++;
    w->source = s;
    w->text = w->area;
    w->have = 0;
    w->unit_line = w->unit_lines = w->unit_ends = 0;
    if (!s->is_stream) {
        begin_segment(w);
    } else {
        ok = begin_block(w, &more);
        f->handed += w->have;
        if (!more)
            finish_current(f);
    }
    if (!ok)
        w->have = 0;
    cli_start_worker(f);
    return true;
}

/* The file of the first bad line stays open: the line's number is still to be counted. */
static void keep_first_bad(cli_bad *first, const cli_bad *bad)
{
    cli_source *old = first->source;
    if (!bad->source)
        return;
    if (old && (old->index < bad->source->index ||
                (old->index == bad->source->index && first->at <= bad->at)))
        return;
    *first = *bad;
    bad->source->users++;
    cli_source_release(old);
}

/* Under lock. */
static void end_unit(cli_worker *w)
{
    cli_feed *f = w->feed;
    for (int i = 0; i < CLI_FAULTS; i++) {
        keep_first_bad(&f->bad[i], &w->bad[i]);
        w->bad[i].source = NULL;
    }
    cli_source_release(w->source); /* NOLINT(clang-analyzer-unix.Malloc): counted */
    w->source = NULL;
    w->n_lines += w->unit_lines;
    if (w->st && !f->st)
        f->st = w->st;
}

void cli_work(cli_worker *w)
{
    cli_feed *f = w->feed;
    pthread_mutex_lock(&f->lock);
    while (take_unit(w)) {
        pthread_mutex_unlock(&f->lock);
        if (w->st == BP_OK) {
            if (!w->source->is_stream) /* NOLINT(clang-analyzer-unix.Malloc): counted */
                read_segment(w);
            else if (give_whole(w, w->whole))
                give_last(w);
        }
        pthread_mutex_lock(&f->lock);
        end_unit(w);
    }
    pthread_mutex_unlock(&f->lock);
}

/* ------------------------------------------------------------------- reading it twice */

/* Without a name from the beginning where the file system can do that, else a moment
 * later. */
int cli_temporary(void)
{
    const char *dir = cli_env("TMPDIR");
    char name[4096];
    int fd = open(dir ? dir : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    int n = snprintf(name, sizeof name, "%s/ballpark.XXXXXX", dir ? dir : "/tmp");
    if (n < 0 || (size_t)n >= sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        unlink(name);
    return fd;
}

static bool copy_all(int from, int to, const char **failed)
{
    static char block[1 << 17];
    cli_wait(from, -1);
    for (;;) {
        *failed = NULL;
        ssize_t n = read(from, block, sizeof block);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0;
        cli_progress_add((uint64_t)n, 0);
        *failed = "the temporary copy of the input";
        for (ssize_t done = 0, w; done < n; done += w) {
            w = write(to, block + done, (size_t)(n - done));
            if (w < 0 && errno == EINTR)
                w = 0;
            else if (w <= 0)
                return false;
        }
    }
}

static int spool(cli_file *file, size_t index)
{
    cli_source *s = source_open(file, index);
    if (!s)
        return CLI_ERROR;
    const char *failed = NULL;
    if (s->is_regular && !s->owned) /* nothing was read of it yet */
        lseek(s->fd, (off_t)s->start, SEEK_SET);
    int copy = s->is_regular ? -1 : cli_temporary(), code = CLI_OK;
    if (!s->is_regular && copy < 0)
        code = cli_errno("the temporary copy of the input");
    else if (!s->is_regular && !copy_all(s->fd, copy, &failed))
        code = cli_errno(failed ? failed : s->name);
    file->fd = copy;
    if (s->owned)
        close(s->fd);
    free(s);
    return code;
}

int cli_spool(cli_options *o)
{
    int code = CLI_OK;
    cli_progress_begin(o, false);
    for (size_t i = 0; i < o->n_files && code == CLI_OK; i++)
        code = spool(&o->files[i], i);
    cli_progress_end();
    return code;
}
