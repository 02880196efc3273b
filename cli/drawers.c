/* SPDX-License-Identifier: MIT
 * drawers.c - all hashes of an input, in memory that is bounded.
 *
 * A static filter needs all hashes of its set, but only those of one shard at a time, and
 * a shard has those with the same highest bits. So they are put into 256 drawers as they
 * come, by their highest 8 bits:
 *
 *     thread --> hand: a handful for each drawer --> drawer, under its lock
 *                                                      | when it is full
 *                                                 repeats out; still half full?
 *                                                      v
 *                                         one temporary file, without a name
 *
 * An input of which nine tenths are repeats never grows past its different items; one
 * that is larger than the memory is written once and read once, a drawer at a time. */
#include "drawers.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    HANDFUL = 128,
    TRIED = 64, /* handed on when the drawer is free; tried again each 32 */
    ROOM_LEAST = 2048,
    FULL_LEAST = 1024, /* hashes in a drawer: 2 MiB in all           */
    REPEATS = 1 << 22, /* hashes from which on repeats are looked for */
    DIGITS = 8
};

typedef struct extent {
    uint64_t at; /* in the file */
    size_t n;
} extent;

typedef struct drawer {
    pthread_mutex_t lock;
    cli_hashes in;
    extent *spilled;
    size_t n_spilled, room;
} drawer;

struct cli_drawers {
    const char *what;
    size_t full;
    pthread_mutex_t lock; /* of the file */
    int fd;
    uint64_t end;
    drawer drawers[CLI_DRAWERS];
};

struct cli_drawer_hand {
    cli_drawers *all;
    size_t n[CLI_DRAWERS];
    uint64_t held[CLI_DRAWERS][HANDFUL];
};

/* ---------------------------------------------------------------------------- hashes */

bp_status cli_hashes_add(cli_hashes *h, const uint64_t *more, size_t n)
{
    if (n > h->room - h->n) {
        const size_t room = 2 * h->room + n + ROOM_LEAST;
        uint64_t *p = room > SIZE_MAX / 8 ? NULL : realloc(h->p, 8 * room);
        if (!p)
            return BP_NOMEM;
        h->p = p;
        h->room = room;
    }
    if (more && n)
        memcpy(h->p + h->n, more, 8 * n);
    h->n += n;
    return BP_OK;
}

/* One pass of a radix sort; false: all have the same digit, nothing was moved. */
static bool sort_pass(const uint64_t *from, uint64_t *to, size_t n, unsigned shift)
{
    size_t at[1 << DIGITS] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++)
        at[from[i] >> shift & 255]++;
    if (at[from[0] >> shift & 255] == n)
        return false;
    for (size_t i = 0; i < 1 << DIGITS; i++) {
        const size_t here = at[i];
        at[i] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++)
        to[at[from[i] >> shift & 255]++] = from[i];
    return true;
}

bp_status cli_hashes_unique(cli_hashes *h)
{
    uint64_t *from = h->p, *to = h->n ? malloc(8 * h->n) : NULL, *own = to;
    size_t kept = 0;
    if (h->n && !to)
        return BP_NOMEM;
    for (unsigned shift = 0; shift < 64 && h->n; shift += DIGITS)
        if (sort_pass(from, to, h->n, shift)) {
            uint64_t *t = from;
            from = to;
            to = t;
        }
    for (size_t i = 0; i < h->n; i++)
        if (i == 0 || from[i] != from[i - 1])
            h->p[kept++] = from[i];
    h->n = h->clean = kept;
    free(own);
    return BP_OK;
}

/* ------------------------------------------------------------------------------ file */

/* The run ends here: no thread goes on without its hashes. */
static void cannot_spill(cli_drawers *d)
{
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    const int error = errno;
    pthread_mutex_lock(&one);
    errno = error;
    cli_errno("the temporary file for the items' hashes");
    cli_hint("TMPDIR names a directory with more room; --memory lets %s keep more in "
             "memory",
             d->what);
    cli_stop(CLI_ERROR);
}

static void write_all(cli_drawers *d, const void *bytes, size_t n, uint64_t at)
{
    const char *p = bytes;
    for (ssize_t w; n; p += w, at += (uint64_t)w, n -= (size_t)w) {
        w = pwrite(d->fd, p, n, (off_t)at);
        if (w < 0 && errno == EINTR)
            w = 0;
        else if (w <= 0)
            cannot_spill(d);
    }
}

static void read_all(cli_drawers *d, void *bytes, size_t n, uint64_t at)
{
    char *p = bytes;
    for (ssize_t r; n; p += r, at += (uint64_t)r, n -= (size_t)r) {
        r = pread(d->fd, p, n, (off_t)at);
        if (r == 0)
            errno = EIO;
        if (r < 0 && errno == EINTR)
            r = 0;
        else if (r <= 0)
            cannot_spill(d);
    }
}

/* Under the drawer's lock. */
static bp_status spill(cli_drawers *d, drawer *w)
{
    if (w->n_spilled == w->room) {
        const size_t room = 2 * w->room + 8;
        extent *more = realloc(w->spilled, room * sizeof *more);
        if (!more)
            return BP_NOMEM;
        w->spilled = more;
        w->room = room;
    }
    const extent e = {__atomic_fetch_add(&d->end, 8 * w->in.n, __ATOMIC_RELAXED),
                      w->in.n};
    pthread_mutex_lock(&d->lock);
    if (d->fd < 0 && (d->fd = cli_temporary()) < 0)
        cannot_spill(d);
    pthread_mutex_unlock(&d->lock);
    write_all(d, w->in.p, 8 * e.n, e.at);
    w->spilled[w->n_spilled++] = e;
    w->in.n = 0;
    return BP_OK;
}

/* ------------------------------------------------------------------------------- put */

/* waits: until the drawer is free. */
static bp_status hand_on(cli_drawer_hand *h, size_t i, bool waits)
{
    cli_drawers *d = h->all;
    drawer *w = &d->drawers[i];
    if (waits)
        pthread_mutex_lock(&w->lock);
    else if (pthread_mutex_trylock(&w->lock) != 0)
        return BP_OK;
    bp_status st = cli_hashes_add(&w->in, h->held[i], h->n[i]);
    if (!st && w->in.n >= d->full) {
        st = cli_hashes_unique(&w->in);
        if (!st && w->in.n > d->full / 2)
            st = spill(d, w);
    }
    pthread_mutex_unlock(&w->lock);
    h->n[i] = 0;
    return st;
}

bp_status cli_drawers_put(cli_drawer_hand *h, const uint64_t *hashes, size_t n)
{
    bp_status st = BP_OK;
    for (size_t i = 0; i < n && !st; i++) {
        const size_t to = hashes[i] >> (64 - DIGITS);
        h->held[to][h->n[to]++] = hashes[i];
        if (h->n[to] % 32 == 0 && h->n[to] >= TRIED)
            st = hand_on(h, to, h->n[to] == HANDFUL);
    }
    return st;
}

cli_drawer_hand *cli_drawer_hand_new(cli_drawers *d)
{
    cli_drawer_hand *h = malloc(sizeof *h);
    if (h) {
        h->all = d;
        memset(h->n, 0, sizeof h->n);
    }
    return h;
}

bp_status cli_drawer_hand_free(cli_drawer_hand *h)
{
    bp_status st = BP_OK;
    for (size_t i = 0; i < CLI_DRAWERS && !st; i++)
        st = hand_on(h, i, true);
    free(h);
    return st;
}

/* ------------------------------------------------------------------------------ take */

/* Looks for repeats when there are twice as many as were left of the last look. */
static bp_status settle(cli_hashes *to)
{
    return to->n > REPEATS && to->n / 2 > to->clean ? cli_hashes_unique(to) : BP_OK;
}

static bp_status take(cli_drawers *d, drawer *w, cli_hashes *to)
{
    bp_status st = cli_hashes_add(to, w->in.p, w->in.n);
    free(w->in.p);
    w->in = (cli_hashes){0};
    for (size_t i = 0; i < w->n_spilled && !st; i++) {
        const extent e = w->spilled[i];
        st = cli_hashes_add(to, NULL, e.n);
        if (!st) {
            read_all(d, to->p + to->n - e.n, 8 * e.n, e.at);
            st = settle(to);
        }
    }
    return st ? st : settle(to);
}

bp_status cli_drawers_take(cli_drawers *d, size_t first, size_t n, cli_hashes *to)
{
    bp_status st = BP_OK;
    for (size_t i = 0; i < n && !st; i++)
        st = take(d, &d->drawers[first + i], to);
    return st;
}

uint64_t cli_drawers_spilled(const cli_drawers *d)
{
    return d->end;
}

cli_drawers *cli_drawers_new(const char *what, uint64_t memory)
{
    cli_drawers *d = calloc(1, sizeof *d);
    const uint64_t each = memory / CLI_DRAWERS / 8;
    if (!d)
        return NULL;
    d->what = what;
    d->fd = -1;
    d->full = each < FULL_LEAST ? FULL_LEAST : each > SIZE_MAX / 8 ? SIZE_MAX / 8 : each;
    pthread_mutex_init(&d->lock, NULL);
    for (size_t i = 0; i < CLI_DRAWERS; i++)
        pthread_mutex_init(&d->drawers[i].lock, NULL);
    return d;
}

void cli_drawers_free(cli_drawers *d)
{
    for (size_t i = 0; d && i < CLI_DRAWERS; i++) {
        free(d->drawers[i].in.p);
        free(d->drawers[i].spilled);
        pthread_mutex_destroy(&d->drawers[i].lock);
    }
    if (d && d->fd >= 0)
        close(d->fd);
    free(d);
}
