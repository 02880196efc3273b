/* SPDX-License-Identifier: MIT
 * queue.h - lines that wait, in order, until it is known which of them are printed. */
#ifndef CLI_QUEUE_H
#define CLI_QUEUE_H

#include "cli.h"

typedef struct cli_queue {
    char *text;       /* what was put last */
    size_t n;         /* bytes of it       */
    uint64_t spilled; /* bytes before it, in fd */
    int fd;           /* -1: none yet      */
} cli_queue;

#define CLI_QUEUE_EMPTY ((cli_queue){NULL, 0, 0, -1})

/* Bytes that wait. */
static inline uint64_t cli_queue_bytes(const cli_queue *q)
{
    return q->spilled + q->n;
}

/* CLI_OK or CLI_ERROR, printed. */
int cli_queue_put(cli_queue *q, uint32_t number, bp_bytes line);
/* Prints the lines whose numbers are wanted, each with `end` behind it, and empties the
 * queue. CLI_OK or CLI_ERROR, printed; what stdout does not take is for cli_finish to
 * say.
 */
int cli_queue_print(cli_queue *q, bool (*wants)(const void *ctx, uint32_t number),
                    const void *ctx, char end);
void cli_queue_free(cli_queue *q);

#endif
