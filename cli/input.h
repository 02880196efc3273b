/* SPDX-License-Identifier: MIT
 * input.h - between input.c (which bytes), parallel.c (which thread) and items.c (which
 * items). Commands see cli_read in cli.h and none of this. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "cli.h"

#include <pthread.h>

enum {
    CLI_LINES = 1024, /* items handed to a sink at a time: 8 KiB of hashes */
    CLI_LINES_ROOM = CLI_LINES + 128
};

/* How input is cut. Tests make these tiny. */
typedef struct cli_cut {
    size_t block;     /* bytes read at a time                               */
    uint64_t segment; /* bytes of a file that a thread takes at a time      */
    uint64_t worth;   /* bytes that are worth a thread and its sketch       */
} cli_cut;
extern cli_cut cli_cut_now;

/* An input that is open. A regular file is cut into segments that threads take; anything
 * else is a stream that threads read in turn. */
typedef struct cli_source {
    const char *name;
    size_t index;
    int fd;
    bool owned; /* close it */
    bool is_regular;
    uint64_t next;  /* where the next segment begins                 */
    uint64_t start; /* of the file's text: not 0 for `< file` read before */
    uint64_t size;  /* when it was opened                            */
    unsigned users; /* units of it in work, plus 1 while it is the current one */
    char *carry;    /* a stream's begun line                         */
    size_t carry_n;
    uint64_t lines; /* a stream's lines so far, and bytes            */
    uint64_t read;
    struct cli_codec *codec; /* gives a stream's bytes */
} cli_source;

/* decompress.c: what a stream reads from. A compressed file is a stream, too. */
typedef struct cli_codec cli_codec;
/* *out becomes NULL when it is a file of plain text. false: printed. The codec looks no
 * more at s afterwards, but its name must stay. */
bool cli_codec_open(cli_codec **out, const cli_source *s);
/* Whether the next read need not wait for the input. */
bool cli_codec_is_ready(const cli_codec *c);
/* As read(2), but -1 has been printed, what came before it was given, and after it is the
 * end. CLI_CODEC_WAITS: nothing yet; read again when there is more input. */
enum { CLI_CODEC_WAITS = -2 };
ssize_t cli_codec_read(cli_codec *c, void *p, size_t n);
void cli_codec_close(cli_codec *c);

/* The first line without the field: by file, then by place. */
typedef struct cli_bad {
    cli_source *source; /* NULL: none */
    uint64_t at;        /* byte offset of the line in its input      */
    uint64_t line;      /* its number; 0: to be counted              */
} cli_bad;

/* A thread's own. text is [area - block, area + block): a read goes to area, the begun
 * line of the read before it stands just in front. */
typedef struct cli_worker {
    struct cli_feed *feed;
    void *sink_state;
    pthread_t thread;
    char *memory;
    char *area;
    uint32_t *offsets; /* CLI_LINES_ROOM + 1 */
    uint64_t *hashes;  /* CLI_LINES_ROOM     */
    bp_bytes *lines;   /* CLI_LINES_ROOM, when the sink or -f wants them */
    bp_bytes *keys;
    bp_status st;
    /* the unit in work */
    cli_source *source;
    char *text;         /* what is read and not yet given on ...    */
    size_t have;        /* ... text[0..have), ending at offset `at` */
    uint64_t at;        /* offset of the next read          */
    uint64_t limit;     /* lines that begin here are not ours */
    uint64_t unit_line; /* streams: lines before the unit */
    uint64_t unit_lines;
    /* what it did */
    uint64_t n_lines, n_bytes, n_skipped, n_failed;
    cli_bad bad;
} cli_worker;

/* What the threads share; lock guards all that changes. */
typedef struct cli_feed {
    const cli_options *o;
    const cli_sink *sink;
    pthread_mutex_t lock;
    size_t next_file;
    cli_source *current;
    cli_bad bad;
    cli_worker *workers;
    unsigned n_workers, started;
    uint64_t handed; /* bytes given out: small inputs are not worth a thread */
    double start;    /* cli_now, when the reading began                    */
    uint64_t failed;
    bp_status st; /* the first failure: all stop */
} cli_feed;

/* input.c: takes and reads units until there are none. */
void cli_work(cli_worker *w);
void cli_source_release(cli_feed *f, cli_source *s);
uint64_t cli_bad_line(const cli_bad *bad);

/* items.c: whole lines, each ended by '\n', the first at offset `at` of the source. */
bool cli_items(cli_worker *w, const char *text, size_t n, uint64_t at);
/* items.c: one line of any length, without its '\n'. */
bool cli_item(cli_worker *w, bp_bytes line, uint64_t at);

/* parallel.c: seconds of a clock that only goes forward. */
double cli_now(void);

/* parallel.c: starts one more worker when the work given out is worth it. Under lock. */
void cli_start_worker(cli_feed *f);

#endif
