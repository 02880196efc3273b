/* SPDX-License-Identifier: MIT
 * queue.c - lines that wait, in order, until it is known which of them are printed.
 *
 * A few MiB wait in memory; what is more goes, always at the end, to a temporary file
 * without a name, and is read once from its beginning. A record is a number, a length and
 * the line's bytes, in the machine's own order: nobody else reads them. */
#include "queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 8 << 20 };

typedef struct record {
    uint64_t n;
    uint32_t number;
    uint32_t unused;
} record;

static int fail(void)
{
    return cli_errno("the temporary file of the lines that wait");
}

/* -------------------------------------------------------------------------- putting in
 */

static int spill(cli_queue *q, const char *p, size_t n)
{
    if (q->fd < 0)
        q->fd = cli_temporary();
    if (q->fd < 0)
        return fail();
    while (n > 0) {
        const ssize_t did = pwrite(q->fd, p, n, (off_t)q->spilled);
        if (did < 0 && errno != EINTR)
            return fail();
        if (did > 0) {
            p += did;
            n -= (size_t)did;
            q->spilled += (uint64_t)did;
        }
    }
    return CLI_OK;
}

static int spill_all(cli_queue *q)
{
    const int code = spill(q, q->text, q->n);
    q->n = 0;
    return code;
}

static int put(cli_queue *q, const void *p, size_t n)
{
    if (n > ROOM - q->n && spill_all(q))
        return CLI_ERROR;
    if (n > ROOM)
        return spill(q, p, n);
    memcpy(q->text + q->n, p, n);
    q->n += n;
    return CLI_OK;
}

int cli_queue_put(cli_queue *q, uint32_t number, bp_bytes line)
{
    const record r = {.n = line.len, .number = number};
    if (!q->text)
        q->text = malloc(ROOM);
    if (!q->text)
        return cli_error("out of memory for the lines that wait");
    return put(q, &r, sizeof r) || (line.len > 0 && put(q, line.ptr, line.len))
               ? CLI_ERROR
               : CLI_OK;
}

/* --------------------------------------------------------------------------- taking out
 */

/* Through text, which holds [at, have) of what is not yet taken. */
typedef struct reader {
    cli_queue *q;
    size_t at, have;
    uint64_t next; /* place in fd of what comes after it */
} reader;

/* At most n bytes; 0: a failure, which was printed. */
static size_t take(reader *r, size_t n, const char **p)
{
    cli_queue *q = r->q;
    if (r->at == r->have) {
        ssize_t got;
        do
            got = pread(q->fd, q->text, ROOM, (off_t)r->next);
        while (got < 0 && errno == EINTR);
        if (got == 0)
            errno = EIO; /* somebody has cut it */
        if (got <= 0) {
            fail();
            return 0;
        }
        r->at = 0;
        r->have = (size_t)got;
        r->next += (size_t)got;
    }
    *p = q->text + r->at;
    if (n > r->have - r->at)
        n = r->have - r->at;
    r->at += n;
    return n;
}

static bool take_record(reader *r, record *out)
{
    const char *p;
    for (size_t have = 0, n; have < sizeof *out; have += n) {
        n = take(r, sizeof *out - have, &p);
        if (n == 0)
            return false;
        memcpy((char *)out + have, p, n);
    }
    return true;
}

static bool take_line(reader *r, uint64_t left, bool prints)
{
    const char *p;
    for (size_t n; left > 0; left -= n) {
        n = take(r, left < ROOM ? (size_t)left : ROOM, &p);
        if (n == 0)
            return false;
        if (prints)
            fwrite_unlocked(p, 1, n, stdout);
    }
    return true;
}

int cli_queue_print(cli_queue *q, bool (*wants)(const void *ctx, uint32_t number),
                    const void *ctx, char end)
{
    reader r = {.q = q};
    record line;
    if (q->spilled > 0 && spill_all(q))
        return CLI_ERROR;
    r.have = q->n;
    for (uint64_t left = cli_queue_bytes(q); left > 0 && !ferror(stdout);) {
        if (!take_record(&r, &line))
            return CLI_ERROR;
        const bool prints = wants(ctx, line.number);
        if (!take_line(&r, line.n, prints))
            return CLI_ERROR;
        if (prints)
            putc_unlocked(end, stdout);
        left -= sizeof line + line.n;
    }
    q->n = 0;
    q->spilled = 0;
    return CLI_OK;
}

void cli_queue_free(cli_queue *q)
{
    if (q->fd >= 0)
        close(q->fd);
    free(q->text);
    *q = CLI_QUEUE_EMPTY;
}
