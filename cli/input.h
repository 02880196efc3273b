/* SPDX-License-Identifier: MIT
 * input.h - between input.c (which bytes), parallel.c (which thread), header.c and
 * fields.c (which fields), items.c and values.c (which items). Commands see cli_read in
 * cli.h and none of this. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "cli.h"
#include "platform/lines.h"

#include <pthread.h>

enum {
    CLI_LINES = 1024,       /* items handed to a sink at a time: 8 KiB of hashes */
    CLI_LINES_BEYOND = 128, /* room behind them that finding line ends needs     */
};

/* How input is cut. Tests make these tiny. */
typedef struct cli_cut {
    size_t block;     /* bytes read at a time                               */
    uint64_t segment; /* bytes of a file that a thread takes at a time      */
    uint64_t worth;   /* bytes that are worth a thread and its sketch       */
} cli_cut;
extern cli_cut cli_cut_now;

/* Where records have the fields that are asked for: `wanted` are their numbers,
 * ascending, each once; slices[p] are the ranges of o->fields[p], from one wanted field
 * to another, or to the end of the record. */
typedef struct cli_slice {
    uint64_t first, last; /* places in wanted; last may be CLI_TO_END */
} cli_slice;

typedef struct cli_layout {
    size_t n;
    uint64_t *wanted;
    cli_slice *slices[CLI_PARTS];
} cli_layout;

/* An input that is open. A regular file is cut into segments that threads take; anything
 * else is a stream that threads read in turn, and so is every file of CSV. */
typedef struct cli_source {
    const char *name;
    size_t index;
    int fd;
    bool owned;      /* close it */
    bool is_regular; /* read by place */
    bool is_stream;
    uint64_t start; /* where its text begins: not 0 for `< file` read before */
    uint64_t body;  /* and its records, behind the header           */
    uint64_t next;  /* where the next segment begins                */
    uint64_t size;  /* when it was opened                           */
    unsigned users; /* units of it in work, first bad lines, and the feed while it is the
                       current one */
    cli_layout *layout;
    char *carry; /* a stream's begun line                        */
    size_t carry_n;
    uint64_t lines; /* a stream's lines so far, and bytes           */
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

/* The first line that is left out for a reason: by file, then by place. */
typedef struct cli_bad {
    cli_source *source; /* NULL: none */
    uint64_t at;        /* byte offset of the line in its input      */
    uint64_t line;      /* its number; 0: to be counted              */
    uint64_t field;     /* as in cli_skips                           */
    char text[sizeof((cli_skips *)NULL)->text];
} cli_bad;

/* Memory for what is made of a batch; given back at once when the next one begins. */
typedef struct cli_arena {
    struct cli_chunk *chunks;
    char *next;
    size_t left;
} cli_arena;

/* A thread's own. text is [area - block, area + block): a read goes to area, the begun
 * line of the read before it stands just in front. The arrays have `room` elements. */
typedef struct cli_worker {
    struct cli_feed *feed;
    void *sink_state;
    pthread_t thread;
    char *memory;
    char *area;
    size_t most, room; /* lines a batch; a few more may come */
    uint32_t *offsets; /* room + 1 */
    uint64_t *hashes;
    bp_bytes *lines;   /* NULL when only their hashes are wanted */
    bp_bytes *records; /* the same, or of CSV without the carriage return */
    bp_bytes *spans;   /* room for each wanted field             */
    bp_bytes *made[CLI_PARTS];
    uint64_t *weights;
    cli_arena arena;
    bp_status st;
    /* the unit in work */
    cli_source *source;
    char *text;                     /* what is read and not yet given on ...    */
    size_t have;                    /* ... text[0..have), ending at offset `at` */
    uint64_t at;                    /* offset of the next read          */
    uint64_t limit;                 /* lines that begin here are not ours */
    uint64_t unit_line;             /* streams: lines before the unit */
    uint64_t unit_lines, unit_ends; /* records so far, and ends of lines */
    size_t whole;                   /* streams: so much of `have` is whole records */
    bool is_quoted;                 /* of CSV: there may be quotes in the text     */
    /* what it did */
    uint64_t n_lines, n_bytes, n_failed, n_skipped[CLI_FAULTS];
    cli_bad bad[CLI_FAULTS];
} cli_worker;

/* What the threads share; lock guards all that changes. */
typedef struct cli_feed {
    const cli_options *o;
    const cli_sink *sink;
    pthread_mutex_t lock;
    size_t next_file;
    cli_source *current;
    cli_bad bad[CLI_FAULTS];
    char end;         /* of a line */
    bool only_hashes; /* of whole lines: nothing else is wanted of them */
    bool has_header;  /* the sink was given one */
    cli_worker *workers;
    unsigned n_workers, started;
    uint64_t handed; /* bytes given out: small inputs are not worth a thread */
    double start;    /* cli_now, when the reading began                    */
    uint64_t failed;
    bp_status st; /* the first failure: all stop */
} cli_feed;

/* input.c: takes and reads units until there are none. */
void cli_work(cli_worker *w);
void cli_source_release(cli_source *s);
/* input.c: at most `want` bytes, those at `at` of a file, the next ones of a stream. As
 * cli_codec_read when there is a codec, else as pread(2). */
ssize_t cli_source_read(cli_source *s, char *to, size_t want, uint64_t at);
uint64_t cli_bad_line(const cli_feed *f, const cli_bad *bad);

/* header.c: takes the header off a source that was just opened, and lays the fields out.
 * false: there is nothing more to read of it. */
bool cli_source_begin(cli_feed *f, cli_source *s);

/* fields.c: which fields to look for; columns are the names of the header. NULL with
 * *missing NULL: out of memory; else the range whose name no column has, or `twice`. */
cli_layout *cli_layout_new(const cli_options *o, const bp_bytes *columns, size_t n,
                           const cli_range **missing, bool *twice);
void cli_layout_free(cli_layout *l);
/* How many fields a layout can want at most. */
size_t cli_layout_most(const cli_options *o);

#define CLI_QUOTES_BEGIN ((cli_quotes){false, false, '\n'})
/* csv.c: behind the end of the record that has begun; 0: not in this text, and *q is
 * where it leaves off. */
size_t cli_first_record(const cli_options *o, char end, cli_quotes *q, const char *text,
                        size_t n);
/* csv.c: how much of a text, which begins a record, is whole ones. *is_quoted: of CSV,
 * and there is a quote in it. */
size_t cli_whole_records(const cli_options *o, char end, const char *text, size_t n,
                         bool *is_quoted);
/* csv.c: the end of the field at p: its delimiter, or the record's end. */
const char *cli_csv_field_end(const char *p, const char *end, char delimiter);
/* csv.c: the value of a field, no longer than it is; returns its end. */
char *cli_csv_value(bp_bytes field, char *to);
/* csv.c: a value as a field, quoted if need be: at most 2n + 2 bytes. */
char *cli_csv_quote(bp_bytes value, char delimiter, char *to);
/* csv.c: whether a quote in the record is never closed, and which. */
bool cli_csv_unclosed(bp_bytes record, char delimiter, size_t *opened);

/* input.c: line ends in a text. */
uint64_t cli_count_ends(const char *p, size_t n, char end);
/* items.c: whole lines, each with its end, the first at offset `at` of the source. */
bool cli_items(cli_worker *w, const char *text, size_t n, uint64_t at);
/* items.c: one line of any length, without its end; CLI_CUT_SLACK may be read behind. */
bool cli_item(cli_worker *w, bp_bytes line, uint64_t at);

/* values.c: the wanted fields of records into w->spans; how many records lack one. */
size_t cli_cut_fields(cli_worker *w, const bp_bytes *records, size_t n);
/* values.c: the i-th record's item, group or weight. false: out of memory. */
bool cli_value(cli_worker *w, cli_part part, bp_bytes record, size_t i, bp_bytes *out);
/* values.c: the same of n records; NULL: out of memory. */
const bp_bytes *cli_values(cli_worker *w, cli_part part, const bp_bytes *records,
                           size_t n);
bp_bytes cli_trimmed(bp_bytes b);
/* values.c: gives back what was made; keep: but for a piece to begin with. */
void cli_arena_reset(cli_arena *a, bool keep);

/* parallel.c: seconds of a clock that only goes forward. */
double cli_now(void);

/* parallel.c: starts one more worker when the work given out is worth it. Under lock. */
void cli_start_worker(cli_feed *f);

#endif
