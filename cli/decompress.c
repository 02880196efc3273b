/* SPDX-License-Identifier: MIT
 * decompress.c - the bytes of an input as they were before somebody compressed it.
 *
 * What an input is, its first bytes say, whatever its name is, and a pipe has no name at
 * all: they must be a format's whole magic, so that a line of text that begins with "BZh"
 * stays one. A pipe gives such bytes but once, so every stream is read through here,
 * plain ones too; only a file of plain text is not, and is cut into segments for threads.
 *
 *   fd -> bytes[in .. n) -> the format's step -> the reader's own block
 *
 * A compressed input is a row of members (gzip's word; a frame, a stream), each of which
 * says by its magic what it is; zeros between and behind them are padding, as tapes have
 * it. So `cat a.gz b.zst` needs no case of its own, nor do the thousands of members of
 * bgzf. Memory is that of one decoder: 32 KiB for gzip, 4 MB for bzip2, 8 MB for lz4; xz
 * and zstd ask for a window that the file chooses, which is held to 128 MiB.
 *
 * Damage loses nothing that came before it. */
#include "platform/codecs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = 16 }; /* no magic is longer */

/* ------------------------------------- a frame of zstd and lz4 that every reader skips
 */

static bool skip_begin(cli_codec *c, bool again)
{
    const uint8_t *length = c->bytes + c->in + 4;
    (void)again;
    c->to_skip = 8 + ((uint64_t)length[0] | (uint64_t)length[1] << 8 |
                      (uint64_t)length[2] << 16 | (uint64_t)length[3] << 24);
    return true;
}

static step skip_step(cli_codec *c, uint8_t *out, size_t *n)
{
    const uint64_t there = c->n - c->in;
    const uint64_t took = c->to_skip < there ? c->to_skip : there;
    (void)out;
    c->in += (size_t)took;
    c->to_skip -= took;
    *n = 0;
    return c->to_skip == 0 ? ENDED : GOES_ON;
}

static void skip_end(cli_codec *c)
{
    (void)c;
}

/* ----------------------------------------------------------------------- which format */

static const format skippable = {"a skippable frame", NULL, skip_begin, skip_step,
                                 skip_end};
static const format sketch = {"a saved sketch", NULL, NULL, NULL, NULL};

/* Each byte lies between those of low and of high. */
static const struct magic {
    const format *format;
    size_t n;
    const char *low, *high;
} magics[] = {
    {&cli_gzip, 4, "\x1f\x8b\x08\x00", "\x1f\x8b\x08\x1f"},
    {&cli_zstd, 4, "\x28\xb5\x2f\xfd", "\x28\xb5\x2f\xfd"},
    {&cli_xz, 6,
     "\xfd"
     "7zXZ\x00",
     "\xfd"
     "7zXZ\x00"},
    {&cli_bzip2, 10, "BZh1\x31\x41\x59\x26\x53\x59", "BZh9\x31\x41\x59\x26\x53\x59"},
    {&cli_bzip2, 10, "BZh1\x17\x72\x45\x38\x50\x90", "BZh9\x17\x72\x45\x38\x50\x90"},
    {&cli_lz4, 5, "\x04\x22\x4d\x18\x40", "\x04\x22\x4d\x18\x7f"},
    {&skippable, 8, "\x50\x2a\x4d\x18\x00\x00\x00\x00",
     "\x5f\x2a\x4d\x18\xff\xff\xff\xff"},
    {&sketch, 8,
     "\x89"
     "ballpk\n",
     "\x89"
     "ballpk\n"},
};

/* Of what lies at bytes[in..n). *maybe: more bytes could make it one. */
static const format *format_here(const cli_codec *c, bool *maybe)
{
    const uint8_t *p = c->bytes + c->in;
    const size_t n = c->n - c->in;
    *maybe = false;
    for (size_t m = 0; m < sizeof magics / sizeof *magics; m++) {
        const struct magic *magic = &magics[m];
        size_t i = 0;
        while (i < n && i < magic->n && p[i] >= (uint8_t)magic->low[i] &&
               p[i] <= (uint8_t)magic->high[i])
            i++;
        if (i == magic->n)
            return magic->format;
        *maybe = *maybe || i == n;
    }
    return NULL;
}

/* ---------------------------------------------------------------------------- reading */

/* Into p, as read(2) would; of a stream once only, since only that was waited for. */
static ssize_t get(cli_codec *c, void *p, size_t n)
{
    ssize_t got;
    if (!c->by_place && !c->may_read) {
        c->is_starved = true;
        return CLI_CODEC_WAITS;
    }
    c->may_read = false;
    do
        got = c->by_place ? pread(c->fd, p, n, (off_t)c->at) : read(c->fd, p, n);
    while (got < 0 && errno == EINTR);
    if (got > 0) {
        c->at += (uint64_t)got;
        cli_progress_add((uint64_t)got, 0);
    }
    return got;
}

/* Behind what lies in bytes, at most `most`. */
static ssize_t fill(cli_codec *c, size_t most)
{
    memmove(c->bytes, c->bytes + c->in, c->n - c->in);
    c->n -= c->in;
    c->in = 0;
    const ssize_t got =
        get(c, c->bytes + c->n, cli_codec_least(most, CLI_CODEC_ROOM - c->n));
    c->n += got > 0 ? (size_t)got : 0;
    return got;
}

static void fail_errno(cli_codec *c)
{
    c->has_failed = true;
    cli_errno(c->name);
}

/* In the input as it is, compressed. */
static unsigned long long here(const cli_codec *c)
{
    return c->at - c->start - (c->n - c->in);
}

static const char so_far[] = "what came before it was read";

static void hint_tool(const cli_codec *c)
{
    cli_hint("let its own tool decompress it: %s %s | ballpark ...", c->format->tool,
             c->name);
}

static void fail(cli_codec *c, step s)
{
    const char *what = c->format->a_member;
    c->has_failed = true;
    if (s == NO_MEMORY) {
        cli_error("%s: out of memory for %s at byte %llu; %s", c->name, what, here(c),
                  so_far);
    } else if (s == TOO_LARGE) {
        cli_error("%s: %s at byte %llu needs a window of more than %d MiB; %s", c->name,
                  what, here(c), 1 << (CLI_WINDOW_LOG_MOST - 20), so_far);
        hint_tool(c);
    } else if (s == ABSENT) {
        cli_error("%s: is compressed (%s), and this ballpark was built without "
                  "decompression",
                  c->name, what);
        hint_tool(c);
    } else {
        cli_error("%s: %s cannot be decoded beyond byte %llu: %s; %s", c->name, what,
                  here(c), c->why, so_far);
    }
}

/* More of the member that has begun. */
static void refill(cli_codec *c)
{
    const ssize_t got = fill(c, CLI_CODEC_ROOM);
    if (got == -1)
        fail_errno(c);
    if (got != 0)
        return;
    c->has_failed = true;
    cli_error("%s: ends in the middle of %s, at byte %llu; %s", c->name,
              c->format->a_member, here(c), so_far);
}

static void end_format(cli_codec *c)
{
    if (c->format && c->format->end)
        c->format->end(c);
}

static void begin_as(cli_codec *c, const format *f)
{
    const bool again = c->format == f;
    if (!again)
        end_format(c);
    c->decoder = again ? c->decoder : NULL;
    c->format = f;
    c->is_inside = true;
    if (!f->begin)
        fail(c, ABSENT);
    else if (!f->begin(c, again))
        fail(c, NO_MEMORY);
}

/* Behind a member: another, or the end, after padding; or something else. */
static void next_member(cli_codec *c)
{
    const format *f = NULL;
    ssize_t got = 1;
    bool maybe = true;
    while (got > 0 && !f && maybe) {
        while (c->in < c->n && c->bytes[c->in] == 0)
            c->in++;
        f = format_here(c, &maybe);
        got = !f && maybe ? fill(c, CLI_CODEC_ROOM) : 1;
    }
    if (got == -1) {
        fail_errno(c);
    } else if (got == 0 && c->in == c->n) {
        c->is_over = true;
    } else if (f && f != &sketch) {
        begin_as(c, f);
    } else if (got >= 0) {
        c->has_failed = true;
        cli_error("%s: what follows at byte %llu is not compressed; %s", c->name, here(c),
                  so_far);
    }
}

/* What the input is. Reads no further than it takes to tell: a pipe may be slow. */
static void know(cli_codec *c)
{
    const format *f = NULL;
    ssize_t got = 1;
    bool maybe = true;
    while (got > 0 && !f && maybe) {
        got = fill(c, c->by_place ? HEAD - c->n : CLI_CODEC_ROOM);
        f = format_here(c, &maybe);
    }
    c->is_known = got >= 0;
    if (got == -1) {
        fail_errno(c);
    } else if (f == &sketch) {
        c->has_failed = true;
        cli_error("%s: is a saved sketch, not lines", c->name);
        cli_hint("merge, info and query take saved sketches");
    } else if (f) {
        begin_as(c, f);
    }
}

static size_t copy_plain(cli_codec *c, void *p, size_t n)
{
    if (c->in == c->n) {
        const ssize_t got = get(c, p, n);
        c->is_over = got == 0;
        if (got == -1)
            fail_errno(c);
        return got > 0 ? (size_t)got : 0;
    }
    const size_t there = cli_codec_least(n, c->n - c->in);
    memcpy(p, c->bytes + c->in, there);
    c->in += there;
    return there;
}

/* Fills p as far as it can without more input. */
static size_t decode(cli_codec *c, uint8_t *p, size_t n)
{
    size_t done = 0;
    while (done < n && !c->is_over && !c->has_failed && !c->is_starved) {
        const size_t before = c->in;
        size_t got = n - done;
        if (!c->is_inside) {
            if (done > 0 && c->in == c->n)
                break;
            next_member(c);
            continue;
        }
        const step s = c->format->step(c, p + done, &got);
        done += got;
        if (s == ENDED)
            c->is_inside = false;
        else if (s != GOES_ON)
            fail(c, s);
        else if (got > 0 || c->in > before)
            continue;
        else if (c->in < c->n)
            fail(c, DAMAGED);
        else if (done > 0)
            break;
        else
            refill(c);
    }
    return done;
}

bool cli_codec_is_ready(const cli_codec *c)
{
    return c->by_place || c->has_failed || c->is_over ||
           (!c->is_starved && (c->in < c->n || c->is_full));
}

ssize_t cli_codec_read(cli_codec *c, void *p, size_t n)
{
    size_t done = 0;
    c->may_read = !cli_codec_is_ready(c);
    c->is_starved = false;
    if (!c->is_known && !c->has_failed && !c->is_over)
        know(c);
    if (!c->has_failed && !c->is_over && !c->is_starved)
        done =
            c->format ? decode(c, p, cli_codec_least(n, 1 << 30)) : copy_plain(c, p, n);
    c->is_full = done == n;
    if (done > 0)
        return (ssize_t)done;
    if (!c->has_failed)
        return c->is_starved ? CLI_CODEC_WAITS : 0;
    c->has_failed = false;
    c->is_over = true;
    return -1;
}

void cli_codec_close(cli_codec *c)
{
    if (c)
        end_format(c);
    free(c);
}

bool cli_codec_open(cli_codec **out, const cli_source *s)
{
    cli_codec *c = malloc(sizeof *c);
    *out = c;
    if (!c) {
        cli_error("%s: out of memory", s->name);
        return false;
    }
    memset(c, 0, offsetof(cli_codec, bytes));
    c->name = s->name;
    c->fd = s->fd;
    c->by_place = s->is_regular;
    c->start = c->at = s->start;
    if (!s->is_regular)
        return true;
    know(c);
    if (c->format && !c->has_failed)
        return true;
    const bool ok = !c->has_failed;
    cli_codec_close(c);
    *out = NULL;
    return ok;
}
