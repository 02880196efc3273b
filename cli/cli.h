/* SPDX-License-Identifier: MIT
 * cli.h - the frame of the `ballpark` command: what every command is built from.
 *
 *   main.c      finds the command in commands.def and runs it
 *   options.c   argv into a cli_options: the one place that knows names and units
 *   numbers.c   "1%", "64K", "1e9" into numbers, and numbers into text for people
 *   words.c     lists of words, and which one was meant
 *   kinds.c     the kinds of sketches, by the names that people type
 *   help.c      help and version, from the pages and the option table (page.h)
 *   input.c     files and pipes, block by block, line by line, over threads
 *   fields.c    -f, -g and -w: which fields are asked for, and where a file has them
 *   csv.c       records and fields of CSV
 *   header.c    -H; files0.c: --files0-from
 *   items.c     lines into batches of items, groups and weights; values.c: their bytes
 *   hash.c      --seed and --key-file
 *   interrupt.c the first SIGINT, which ends the reading and not the run
 *   output.c    errors, stdout, files that are replaced whole or not at all, JSON
 *   table.c     rows of answers in every format
 *   prom.c      those for Prometheus (prom.h)
 *   text.c      a user's bytes for a terminal, and how wide they are there
 *   follow.c    --follow: the answer so far, again and again
 *   progress.c  --progress: how far the reading has come
 *   answers.c   what one sketch answers, as rows (answers.h)
 *   ask.c       what a saved sketch says of keys (ask.h)
 *   exact.c     exact answers, in memory that grows (exact.h)
 *   gather.c    what counting commands do alike: read, join a state, show, save
 *   groups.c    a sketch a group (groups.h); group_file.c, group_list.c: kept, read
 *   complete.c  filters that are built of all their items at once (complete.h), whose
 *               hashes are kept in drawers.c (drawers.h)
 *   mismatch.c  why two sketches do not go together
 *   map.c       strings of bytes into numbers, for groups and exact counts
 *   saved.c     sketches that earlier runs saved: mapped, opened, written
 *   state.c     -s: a sketch that grows from run to run (state.h)
 *   other.c     a second file, which lines are held against (other.h)
 *   check.c     each yes of a filter held against it (check.h); queue.c: lines that wait
 *   feedback.c  how often a filter was wrong, kept in its file (feedback.h)
 *
 * A command is two things in one file: `const cli_page page_NAME`, which says which
 * options it takes and teaches it, and `int cmd_NAME(cli_options *)`, which runs after
 * the options are parsed and returns an exit code. stdout is data only; everything
 * else goes to stderr, through cli_error, cli_hint and cli_note. */
#ifndef CLI_H
#define CLI_H

#include <ballpark/ballpark.h>

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CLI_PRINTF(f, a) __attribute__((format(printf, f, a)))

/* Exit codes. 130 and 141 are the shell's words for SIGINT and SIGPIPE. */
enum { CLI_OK = 0, CLI_NONE = 1, CLI_ERROR = 2, CLI_OVER = 3, CLI_INTERRUPTED = 130 };

/* ---------------------------------------------------------------- errors (output.c) */

/* "ballpark: ..." to stderr. Always returns CLI_ERROR, so that a command may end with
 * `return cli_error(...)`. */
int cli_error(const char *fmt, ...) CLI_PRINTF(1, 2);
/* "ballpark: warning: ..." */
void cli_warn(const char *fmt, ...) CLI_PRINTF(1, 2);
/* "hint: ...": the mend, on the line after an error or a warning. */
void cli_hint(const char *fmt, ...) CLI_PRINTF(1, 2);
/* Colour only for a person who sees it and has not said no (no-color.org). */
bool cli_wants_color(int fd);
/* Whether errors, warnings and hints begin in colour; never but on a terminal. */
void cli_color_errors(bool is_wanted);
/* A line on stderr for a person; nothing with -q. */
struct cli_options;
void cli_note(const struct cli_options *o, const char *fmt, ...) CLI_PRINTF(2, 3);
/* "ballpark: SUBJECT: what (have 5, want 6, at byte 12)" for a failed library call. */
int cli_library_error(const char *subject, bp_status st, const bp_detail *why);
/* "ballpark: SUBJECT: No such file or directory", from errno. */
int cli_errno(const char *subject);

/* An environment variable, or NULL when it is unset or empty. Every read goes through
 * here, so that --explain can tell what was read. i = 0, 1, ...: the names so far. */
const char *cli_env(const char *name);
const char *cli_env_name(size_t i);

/* ---------------------------------------------------------------- options (options.c) */

typedef enum cli_opt {
    OPT_ITEMS,       /* -n --items        count                              */
    OPT_FPR,         /* -p --fpr          fraction or percentage             */
    OPT_MEMORY,      /* -m --memory       size                               */
    OPT_ERROR,       /* -e --error        fraction or percentage             */
    OPT_DELTA,       /*    --delta        fraction or percentage             */
    OPT_PRECISION,   /*    --precision    count                              */
    OPT_BITS,        /*    --bits         count                              */
    OPT_HASHES,      /*    --hashes       count                              */
    OPT_WIDTH,       /*    --width        count                              */
    OPT_DEPTH,       /*    --depth        count                              */
    OPT_CONFIDENCE,  /*    --confidence   95, 95% or 0.95                    */
    OPT_KIND,        /* -k --kind         a name of the registry             */
    OPT_FIELD,       /* -f --field        1, 2-4,7, or names                 */
    OPT_DELIMITER,   /* -d --delimiter    text; \t and \0 are understood     */
    OPT_CSV,         /*    --csv                                             */
    OPT_TSV,         /*    --tsv                                             */
    OPT_HEADER,      /* -H --header                                          */
    OPT_ZERO,        /* -z --zero-terminated                                 */
    OPT_FILES0,      /*    --files0-from  file                               */
    OPT_WEIGHT,      /* -w --weight       one field                          */
    OPT_TRIM,        /*    --trim                                            */
    OPT_IGNORE_CASE, /* -i --ignore-case                                    */
    OPT_GROUP,       /* -g --group        fields, as -f                      */
    OPT_OUTPUT,      /* -o --output       file                               */
    OPT_OUTPUT_DIR,  /*    --output-dir   directory                          */
    OPT_STATE,       /* -s --state        file                               */
    OPT_SEED,        /*    --seed         count                              */
    OPT_KEY_FILE,    /*    --key-file     file                               */
    OPT_LAYOUT,      /*    --layout       split512, split256, parquet        */
    OPT_STATIC,      /*    --static                                          */
    OPT_DELETABLE,   /*    --deletable                                       */
    OPT_GROWING,     /*    --growing                                         */
    OPT_EXACT,       /*    --exact                                           */
    OPT_EXACT_FILE,  /*    --exact        file                               */
    OPT_OTHER_FIELD, /*    --other-field  fields, as -f                      */
    OPT_NO_FEEDBACK, /*    --no-feedback                                     */
    OPT_EXPLAIN,     /*    --explain                                         */
    OPT_KEYS_FROM,   /*    --keys-from    file                               */
    OPT_ONLY,        /*    --only         name of a group                    */
    OPT_VERIFY,      /*    --verify                                          */
    OPT_TYPE,        /*    --type         string, int32, int64, float, double   */
    OPT_TO,          /*    --to           ballpark, parquet                     */
    OPT_FOLD,        /*    --fold         count                                */
    OPT_FOLLOW,      /* -F --follow                                          */
    OPT_EVERY,       /*    --every        duration                           */
    OPT_PROGRESS,    /*    --progress                                        */
    OPT_COLOR,       /*    --color        auto, always, never                */
    OPT_THREADS,     /* -t --threads      count                              */
    OPT_FORMAT,      /*    --format       human, plain, csv, json, prom      */
    OPT_QUIET,       /* -q --quiet                                           */
    OPT_INVERT,      /* -v --invert-match                                    */
    OPT_COUNT,       /* -c --count                                           */
    OPT_VERBOSE,     /*    --verbose                                         */
    OPT_SKIP_BAD,    /*    --skip-bad                                        */
    OPT_HELP,        /* -h short, --help long; every command has it          */
    OPT_VERSION,     /*    --version; every command has it                   */
    OPT_END          /* ends a page's list                                   */
} cli_opt;

typedef enum cli_format { CLI_HUMAN, CLI_PLAIN, CLI_CSV, CLI_JSON, CLI_PROM } cli_format;

/* An input of the command line. fd is -1 until something has opened it (cli_spool);
 * "-" is stdin. */
typedef struct cli_file {
    const char *name;
    int fd;
} cli_file;

/* What fields are asked for: 3, 2-4, 3- (open), or a name of the header. They are taken
 * in the order of the list. */
#define CLI_TO_END UINT64_MAX
typedef struct cli_range {
    uint64_t first, last; /* last may be CLI_TO_END */
    char *name;           /* NULL: by number        */
} cli_range;

typedef struct cli_fields {
    cli_range *ranges;
    size_t n; /* 0: not asked for; for the item that is the whole line */
} cli_fields;

/* What the lines are the text of, in the order of cli_words("TYPE"). */
typedef enum cli_value_type {
    CLI_STRING,
    CLI_INT32,
    CLI_INT64,
    CLI_FLOAT,
    CLI_DOUBLE
} cli_value_type;
/* Of a blocked_bloom, in the order of cli_words("LAYOUT"); the last is the second with
 * the hash that Parquet wants. */
typedef enum cli_blocks { CLI_LAYOUT_512, CLI_LAYOUT_256, CLI_LAYOUT_PARQUET } cli_blocks;
/* In whose bytes a sketch is written, in the order of cli_words("WHOSE"). */
typedef enum cli_whose { CLI_BALLPARK, CLI_PARQUET } cli_whose;

/* What fields are for. */
typedef enum cli_part { CLI_OF_ITEM, CLI_OF_GROUP, CLI_OF_WEIGHT, CLI_PARTS } cli_part;

typedef struct cli_command cli_command;

/* The parsed command line. A number is 0 when its option was not given; a 0 given by
 * the user is refused where it has no sense. cli_given tells the two apart. */
typedef struct cli_options {
    const cli_command *command;
    uint64_t given; /* bit OPT_... */
    uint64_t items;
    uint64_t memory; /* bytes */
    uint64_t bits;
    uint64_t width;
    double fpr; /* fractions, inside (0, 1) */
    double error;
    double delta;
    double confidence; /* 0.95 unless given */
    uint32_t precision;
    uint32_t hashes;
    uint32_t depth;
    unsigned threads;         /* all cores unless given; at least 1 */
    const bp_kind_info *kind; /* NULL unless given */
    const char *field;        /* -f, -g, -w as they were typed; NULL unless given */
    const char *group;
    const char *weight;
    cli_fields fields[CLI_PARTS]; /* and what they mean */
    const char *other_field;      /* --other-field, and what it means */
    cli_fields other_fields;
    bp_bytes delimiter;     /* resolved; len 0: runs of blanks */
    const char *output;     /* NULL unless given; "-" is stdout */
    const char *output_dir; /* NULL unless given, as all that follow */
    const char *state;
    const char *files0;
    const char *key_file;
    const char *keys_from;
    const char *exact_file;
    const char *only;
    uint64_t seed;
    uint64_t fold;     /* blocks */
    unsigned layout;   /* a cli_blocks */
    unsigned type;     /* a cli_value_type */
    unsigned to;       /* a cli_whose */
    double every;      /* seconds; 10 unless given */
    cli_format format; /* resolved: a terminal is human, else plain */
    bool color;        /* resolved: stdout may be coloured */
    FILE *out;      /* where people read: stdout, or a window in the making (follow.c) */
    uint64_t frame; /* --follow: the answers shown before this one */
    bool quiet, invert, count, verbose, skip_bad;
    bool is_static, deletable, growing;
    bool csv, tsv, header, zero, trim, ignore_case, exact, explain, follow, progress;
    bool verify, no_feedback;
    cli_file *files; /* operands; when there are none, n_files is 0 */
    size_t n_files;
    char *file_names; /* of --files0-from; what files points into */
} cli_options;

static inline bool cli_given(const cli_options *o, cli_opt opt)
{
    return (o->given >> opt) & 1;
}

/* One option of a page; text says what it means here (NULL: the table's own words). */
typedef struct cli_use {
    cli_opt opt;
    const char *text;
} cli_use;

/* How lines are read: for the uses of every command that does, beside -f. */
/* clang-format off */
#define CLI_USES_OF_LINES                                                                \
    {OPT_DELIMITER, NULL}, {OPT_CSV, NULL}, {OPT_TSV, NULL}, {OPT_HEADER, NULL},         \
    {OPT_ZERO, NULL}, {OPT_TRIM, NULL}, {OPT_IGNORE_CASE, NULL}, {OPT_FILES0, NULL},     \
    {OPT_PROGRESS, NULL}
/* clang-format on */
/* For their notes. */
#define CLI_NOTE_ON_LINES                                                                \
    "Compressed files are read as they are: gzip, zstd, xz, bzip2, lz4. "                \
    "`ballpark help fields` tells how lines are split into fields."
/* And of those that take -s. */
#define CLI_NOTE_ON_STATE "`ballpark help state` tells what -s does. "

#define CLI_NOTE_ON_GROUPS                                                               \
    " With -g there is an answer for each different value of that field, in the order "  \
    "of their bytes, and a column `group` names it. -o then holds all groups in one "    \
    "file, for query, info and merge; --output-dir writes a sketch for each, named by "  \
    "the group with what is no letter, digit, `-`, `_` or `.` as %XX. A group of a few " \
    "items takes some 200 bytes, one of many as much as a sketch of all lines."

#define CLI_NOTE_ON_FOLLOW " `ballpark help follow` tells of --follow and of Ctrl-C."

/* What a command tells of itself; lists end in NULL or OPT_END. */
typedef struct cli_page {
    const char *usage;           /* "[OPTION]... [FILE]..."                            */
    const char *about;           /* a paragraph: what it answers and how wrong it is   */
    const char *const *examples; /* pairs: a line to type, what it does      */
    const cli_use *uses;
    const char *const *exits; /* "0  some line was printed"; NULL: 0 and 2   */
    const char *notes;        /* what else to know, or NULL                  */
    size_t operands;          /* those before FILE, which are no inputs      */
} cli_page;

struct cli_command {
    const char *name;
    const char *summary;
    const cli_page *page;
    int (*run)(cli_options *o);
};

/* All of them, ending in a NULL name. */
extern const cli_command cli_commands[];
/* The command that the n words begin with, and how many of them are its name; or NULL. */
const cli_command *cli_find(size_t n, const char *const *words, size_t *used);
/* Whether the command's name is two words, the first of them `family`. */
bool cli_is_member(const cli_command *c, const char *family);
/* After cli_find found none: says so, with the command that was most likely meant.
 * asker: "help" or "man", which know topics too, or NULL. Returns CLI_ERROR. */
int cli_no_such(const char *asker, size_t n, const char *const *words);

#define CLI_COMMAND(name, ident, summary)                                                \
    int cmd_##ident(cli_options *o);                                                     \
    extern const cli_page page_##ident;
#include "commands.def"
#undef CLI_COMMAND

/* Under which heading the help lists an option: what it says something about. */
typedef enum cli_section {
    CLI_INPUT,  /* which bytes are items   */
    CLI_SKETCH, /* how large, which hash   */
    CLI_OUTPUT, /* what is written, and how */
    CLI_OTHER,
    CLI_SECTIONS
} cli_section;

/* What the option table says of one option. */
typedef struct cli_option_row {
    cli_opt opt;
    cli_section section;
    char letter; /* 0: none */
    const char *name;
    const char *arg; /* "N", "FILE", ...; NULL: takes none */
    const char *text;
} cli_option_row;
const cli_option_row *cli_option(cli_opt opt);

/* Parses argv[0..argc) (after the command's words). false: an error was printed, or
 * help was (then *code is what to exit with). */
bool cli_parse(cli_options *o, const cli_command *command, int argc, char **argv,
               int *code);
/* --files0-from, as part of cli_parse: its names become o->files. */
int cli_take_files0(cli_options *o);
/* When no file was named, nor a list of them, stdin is: puts "-" in. */
void cli_default_stdin(cli_options *o);
void cli_options_free(cli_options *o);

/* Of `names` (ending in NULL) the one that `word` was most likely meant to be, or
 * NULL when none is near. */
const char *cli_nearest(const char *word, const char *const *names);
/* The words that an argument of this name ("FORMAT") may be, ending in NULL; NULL when
 * there is no list. */
const char *const *cli_words(const char *arg);

/* -------------------------------------------------------------------- kinds (kinds.c) */

/* A kind by its name in the registry or a short one ("blocked"); NULL: there is none. */
const bp_kind_info *cli_kind_by_name(const char *name);
/* All of these names, ending in NULL. */
const char *const *cli_kind_names(void);
/* Whether its sketches say whether an item is in. */
bool cli_is_filter(const bp_kind_info *kind);

/* The answer for key i in what bp_any_has_n and its like fill. */
static inline bool cli_bit(const uint8_t *bits, size_t i)
{
    return bits[i / 8] >> i % 8 & 1;
}

/* ---------------------------------------------------------------- numbers (numbers.c) */

/* NULL, or what is wrong with the text. Nothing depends on the locale. A count is a
 * whole number: 1000000, 1e6, 1.5e6; units are refused, since 10M items could be
 * either of two numbers. A size is a number with K, M, G, T (or KiB, MiB, ...; 1024)
 * or kB, MB, GB, TB (1000), or B. A fraction is 0.01, 1e-3 or 1%. */
const char *cli_read_count(const char *text, uint64_t *out);
const char *cli_read_size(const char *text, uint64_t *out);
const char *cli_read_fraction(const char *text, double *out);
const char *cli_read_confidence(const char *text, double *out);
/* A duration in seconds: 10, 10s, 500ms, 2m, 1h. */
const char *cli_read_duration(const char *text, double *out);

/* Numbers for people; each returns buf. */
typedef char cli_text[48];
char *cli_grouped(cli_text buf, uint64_t n);      /* "1,882,934"            */
char *cli_grouped_real(cli_text buf, double x);   /* the same, "infinity"   */
char *cli_size_text(cli_text buf, double bytes);  /* "12.0 KiB"             */
char *cli_percent(cli_text buf, double fraction); /* "1.6%", "0.0012%"      */
char *cli_seconds(cli_text buf, double seconds);  /* "0.41 s"               */

/* ------------------------------------------------------------------ input (input.c) */

/* A batch of items. lines[i] is the line keys[i] was cut from, without its newline;
 * without -f they may be the same array. All are the worker's until it returns. */
typedef struct cli_batch {
    const bp_bytes *keys;
    const bp_bytes *lines;
    const bp_bytes *groups;  /* with -g, else NULL */
    const uint64_t *weights; /* with -w, else NULL */
    size_t n;
} cli_batch;

/* Why lines are left out. */
typedef enum cli_fault { CLI_NO_FIELD, CLI_NO_WEIGHT, CLI_FAULTS } cli_fault;

typedef struct cli_skips {
    uint64_t n;
    const char *file; /* the first of them: its file and line */
    uint64_t line;
    uint64_t field; /* which it has not, or which is no weight */
    char text[48];  /* what stands there instead of a weight   */
} cli_skips;

/* What was read. */
typedef struct cli_tally {
    uint64_t lines; /* all of them but headers, those left out too */
    uint64_t bytes;
    cli_skips skips[CLI_FAULTS];
    uint64_t failed;  /* inputs that could not be read (errors were printed) */
    double seconds;   /* wall time                                           */
    bool interrupted; /* by SIGINT, before all was read                    */
} cli_tally;

/* Where items go. Each thread has a worker of its own, so keys and hashes need no locks;
 * open, close and header are called one at a time. Any status but BP_OK ends the reading.
 *
 * open     a worker's state, or NULL with *st set. Without open and close ctx is the
 *          state of all workers, who see to it themselves
 * hashes   takes the hashes of items, for what needs no more: fastest, and a line of
 *          100 MB costs no memory; knows no groups and no weights
 * hash     how they are hashed; NULL: XXH3, seed 0
 * keys     takes the items themselves; called only when hashes is NULL
 * header   with -H, unless NULL: the first header there is, as it stands in its file
 *          but for the line end, before any item
 * close    merges the worker into ctx (unless failed) and frees it; may be NULL
 * ordered  one worker only, given everything in the order of the input
 * partial  a part of the input is an answer too: the first SIGINT ends the reading, and
 *          the tally says so; a line that has only begun then is dropped
 * whole    a SIGINT that ends another reading, in whose midst or behind which this one
 *          is, leaves it alone: only all of it is an answer
 * tick     with --follow, or NULL: called at the beginning and then between the batches
 *          of a stream, with what was read so far, by the only thread there then is;
 *          returns the seconds after which it is called again even when nothing arrives
 */
typedef struct cli_sink {
    void *ctx;
    void *(*open)(void *ctx, bp_status *st);
    bp_status (*hashes)(void *worker, const uint64_t *hashes, size_t n);
    const bp_hash_spec *hash;
    bp_status (*keys)(void *worker, const cli_batch *batch);
    void (*header)(void *ctx, bp_bytes line);
    bp_status (*close)(void *ctx, void *worker, bool failed);
    double (*tick)(void *ctx, void *worker, const cli_tally *so_far);
    bool ordered, partial, whole;
} cli_sink;

/* Reads all of o->files as one stream of items. CLI_OK, or CLI_ERROR after printing
 * what went wrong: with *fatal set nothing useful was gathered (out of memory, a sink
 * that failed); else the items of the other inputs are all there, and the command prints
 * its result and exits with the code. Skipped lines are reported and count as an error
 * unless --skip-bad. */
int cli_read(const cli_options *o, const cli_sink *sink, cli_tally *tally, bool *fatal);

/* Makes every input one that can be read twice: pipes are copied to a temporary file
 * that has no name. Call cli_default_stdin first. CLI_OK or CLI_ERROR, printed. */
int cli_spool(cli_options *o);
/* A file without a name in TMPDIR; -1 with errno set. */
int cli_temporary(void);

/* ----------------------------------------------------------- signals (interrupt.c) */

/* Begins and ends catching SIGINT or SIGWINCH. What a parent had ignored stays so. */
void cli_catch(int sig);
void cli_uncatch(int sig);
bool cli_interrupted(void);
/* Whether SIGWINCH came since the last call. */
bool cli_resized(void);
/* Waits until fd can be read, for so many seconds (negative: for ever). false: not yet;
 * the time is over, or a signal came. */
bool cli_wait(int fd, double seconds);

/* ------------------------------------------------------------- progress (progress.c) */

/* Around a reading of o->files; prints: its answers come out before its end, and where
 * they go to the terminal there is no other progress. */
void cli_progress_begin(const cli_options *o, bool prints);
void cli_progress_end(void);
/* So much more was read; from any thread. */
void cli_progress_add(uint64_t bytes, uint64_t lines);
/* Around what is written to the terminal while others read. */
void cli_progress_hide(void);
void cli_progress_show(void);

/* ----------------------------------------------------------------- fields (fields.c) */

/* A list of fields: 2, 1,3-4, 3-, -2, and with by_name names too. NULL, or what is wrong
 * with it. cli_fields_free frees what was read, also after an error. */
const char *cli_read_fields(const char *text, bool by_name, cli_fields *out);
void cli_fields_free(cli_fields *f);

/* ----------------------------------------------------------------- output (output.c) */

/* Flushes stdout and says so when it could not be written. Called by main after the
 * command; code is what the command returned. */
int cli_finish(int code);
/* Ends the run here: the rest of the input cannot change what it says, and may be
 * endless. */
void cli_stop(int code) __attribute__((noreturn));

/* Before the input is read: whether -o names a place for a file. answer: what the command
 * prints ("number", "rows"), which -o must not be mixed with; NULL for a command that
 * writes a sketch to stdout when there is no -o, which a terminal is refused. CLI_OK or
 * CLI_ERROR, printed. */
int cli_check_output(const cli_options *o, const char *answer);
/* Refuses, with its words, an -o or -s that is one of the inputs. */
int cli_check_not_input(const cli_options *o);

/* Whether a file can be made or replaced at path; errno says why not. */
bool cli_is_place(const char *path);
/* The file that would be: path through its symbolic links, also when the last one names
 * what is not there yet. For the caller to free; NULL with errno set. */
char *cli_target(const char *path);

/* Replaces path whole or not at all: a temporary in the same directory, fsync, rename,
 * fsync of the directory. CLI_OK or CLI_ERROR, printed; no temporary is left behind,
 * also when a signal ends the run. "-" writes to stdout. */
/* A symbolic link stays; what it names is replaced, or made. */
int cli_save(const char *path, const void *bytes, size_t n);
/* The same for what comes in pieces: begin, write ... write, end, which must follow also
 * when one of them failed. end replaces path, unless one did or `code` is not CLI_OK, and
 * returns CLI_OK or the first failure. */
typedef struct cli_saving {
    const char *path;
    char *target, *temporary;
    int fd, code; /* fd -1: stdout */
    size_t have;
    char pieces[16 << 10];
} cli_saving;
int cli_save_begin(cli_saving *s, const char *path);
int cli_save_write(cli_saving *s, const void *bytes, size_t n);
int cli_save_end(cli_saving *s, int code);
/* From a handler that ends the run: what is being saved is not. */
void cli_save_abandon(void);

/* A line of the input as it came in. What cannot be written is stdout's error, which
 * cli_finish reports. */
void cli_print_line(const cli_options *o, bp_bytes line);

/* One object on one line, reals with 15 digits; takes the reference. */
int cli_print_json(json_t *object);
/* A count: a number up to 2^63 - 1, above that a string. */
json_t *cli_json_count(uint64_t n);
/* A real; null for what JSON has no word for. */
json_t *cli_json_real(double x);
/* {NAME: text}, or {NAME_base64: ...} when the bytes are not UTF-8. */
int cli_json_set_item(json_t *object, const char *name, bp_bytes item);
/* A whole number that is kept as a double; null when it is infinite. */
json_t *cli_json_whole(double x);
/* estimate (rounded), lower (down), upper (up), as counts. */
int cli_json_set_estimate(json_t *object, const bp_estimate *e);

/* ------------------------------------------------------------------- tables (table.c) */

/* What a command answers is rows of cells, printed as --format says: for a person with a
 * heading and aligned, plain as the bare columns marked so, separated by tabs; csv with
 * all columns and their names, json as an object a row, prom as one sample a metric. */
typedef enum cli_type {
    CLI_COUNT, /* count: a whole number                                         */
    CLI_WHOLE, /* real: a whole number that is kept as a double, or infinity     */
    CLI_REAL,  /* real                                                          */
    CLI_SHARE, /* real: a fraction; people see a percentage                     */
    CLI_SIZE,  /* count: bytes; people see KiB                                  */
    CLI_TEXT,  /* text: ours                                                    */
    CLI_ITEM   /* item: the user's bytes, whatever they are                     */
} cli_type;

typedef struct cli_column {
    const char *name;  /* in csv and json; NULL: not there */
    const char *label; /* above it, for a person; NULL: not shown to people  */
    cli_type type;
    bool is_plain;      /* stands in plain output                             */
    const char *metric; /* of prom; NULL: none. A column with a metric and no */
    const char *help;   /* help is a label of that name on every sample       */
} cli_column;

typedef union cli_cell {
    uint64_t count;
    double real;
    const char *text;
    bp_bytes item;
} cli_cell;

/* The cells of a row are copied only when they must be (alignment, prom), so a million
 * rows cost no memory but for people, of whom a page at a time is aligned. */
typedef struct cli_table cli_table;
/* Whether the format that was asked for can print these; else says so and what can.
 * Before the input is read. */
int cli_prom_check(const cli_options *o, const cli_column *columns, size_t n);
/* NULL: an error was printed. columns must outlive the table. */
cli_table *cli_table_begin(const cli_options *o, const cli_column *columns, size_t n);
/* The same with one more column, the group's, which no row has a cell for: it stands
 * in front of the item, else last. */
cli_table *cli_table_begin_groups(const cli_options *o, const cli_column *columns,
                                  size_t n);
/* Whose rows come next; the name is borrowed. */
void cli_table_group(cli_table *t, bp_bytes name);
int cli_table_row(cli_table *t, const cli_cell *cells);
/* Prints what is left and frees the table. CLI_OK or CLI_ERROR, printed. */
int cli_table_end(cli_table *t);

/* ---------------------------------------------------------------------- text (text.c) */

/* A user's bytes for a terminal, which must not obey them: control characters and what is
 * not UTF-8 are spelled out, and what is long is cut. malloc'd; NULL: out of memory. */
char *cli_shown(bp_bytes item);
/* The length of the character at text[0..n), n > 0; 0: no UTF-8. */
size_t cli_utf8(const char *text, size_t n, uint32_t *code);
/* How many columns the text takes on a terminal; and how many of its bytes go into `most`
 * columns, and what they take. Colours take none. */
size_t cli_columns(const char *text);
size_t cli_fitting(const char *text, size_t n, size_t most, size_t *columns);

/* ------------------------------------------------------------------ follow (follow.c) */

/* What people's output is set off with, where o->color says so. */
#define CLI_BOLD "\033[1m"
#define CLI_DIM "\033[2m"
#define CLI_PLAINLY "\033[0m"

/* Size of the terminal that stdout is; COLUMNS and LINES can make it smaller. false: it
 * is none. */
bool cli_window(int fd, size_t *rows, size_t *columns);
/* Whether fd is a terminal that knows how to move its cursor and what colours are. */
bool cli_terminal_obeys(int fd);

/* With --follow: cli_follow_begin; then, as often as one likes, cli_follow_frame, which
 * says whether an answer is due; then it is printed (people's to o->out) and
 * cli_follow_shown is called. cli_follow_end precedes the last answer. left: seconds
 * until the next is due. time: of the answer in the making, for its rows. */
void cli_follow_begin(const cli_options *o);
bool cli_follow_frame(cli_options *o, const cli_tally *t);
void cli_follow_shown(cli_options *o, const cli_tally *t);
double cli_follow_left(const cli_tally *t);
void cli_follow_end(const cli_options *o, const cli_tally *t);
const char *cli_follow_time(void);
/* Something else is about to be written to the terminal. */
void cli_follow_break(void);

/* --------------------------------------------------------------------- hash (hash.c) */

/* The configuration of any kind; all begin alike. */
typedef union cli_config {
    struct {
        bp_alloc alloc;
        bp_hash_spec hash;
    };
    bp_bloom_config bloom;
    bp_blocked_bloom_config blocked_bloom;
    bp_binary_fuse_config binary_fuse;
    bp_counting_bloom_config counting_bloom;
    bp_cuckoo_config cuckoo;
    bp_ribbon_config ribbon;
    bp_scalable_bloom_config scalable_bloom;
    bp_count_min_config count_min;
    bp_hll_config hll;
    bp_top_k_config top_k;
    uint64_t room[64]; /* of kinds that have no command yet */
} cli_config;

/* The hash that --seed or --key-file ask for; all zero when neither was given. Reads the
 * key. CLI_OK or CLI_ERROR, printed. */
int cli_hash_spec(const cli_options *o, bp_hash_spec *spec);
/* The hash a sketch was made with, its key too when it was opened with one. */
bp_hash_spec cli_hash_of(const bp_any *s);

/* ------------------------------------------------------------ saved sketches (saved.c)
 */

typedef struct cli_saved {
    bp_any *sketch; /* never NULL after cli_open, cli_view            */
    const bp_kind_info *kind;
    uint64_t bytes;            /* of the file */
    struct cli_mapped *mapped; /* NULL: the bytes were read, from a pipe */
    const void *map;
    size_t map_size;
    bool is_lazy;    /* its blocks are verified as they are read: it is large */
    bool is_piece;   /* of the file that is named: FILE@OFFSET */
    bool is_foreign; /* another program's: what it was made for nobody knows */
} cli_saved;

/* Opens a saved sketch ("-": stdin) that is to be asked for items or to get more of them:
 * with the key of `hash` (from cli_hash_spec) when it is a keyed one, and refused when
 * --seed or --key-file were given and are not what it was made with. change: it may be
 * changed, else it is const and in place where its kind can be. Everything verified, but
 * for a large file in place (is_lazy), of which each MiB is when the first answer comes
 * from it. CLI_OK or CLI_ERROR, printed. */
int cli_open(cli_saved *out, const cli_options *o, const bp_hash_spec *hash,
             const char *path, bool change);
/* The same without its key, if it has one, for what needs no items. Everything verified.
 */
int cli_open_any(cli_saved *out, const char *path, bool change);
/* In place, const, without its key if it has one, and unverified: for its header. */
int cli_view(cli_saved *out, const char *path);
void cli_close(cli_saved *s);
/* Says why a saved file was refused, with the mend. Returns CLI_ERROR. */
int cli_refuse(const char *path, bp_status st, const bp_detail *why);

/* A figure of a description by its name, or NULL; and its exact value in words. */
const bp_figure *cli_figure(const bp_description *d, const char *name);
const char *cli_figure_text(const bp_figure *f, cli_text buf);
/* false: a seed or a check of a key, whose digits are not grouped. */
bool cli_figure_is_amount(const bp_figure *f);
/* Both have the parameter, and it is not the same. */
bool cli_parameter_differs(const bp_description *a, const bp_description *b,
                           const char *name);

/* For cli_sink.close: merges a worker's sketch into the total, unless reading failed, and
 * frees it. A worker that is the total itself is left alone. */
bp_status cli_unite(bp_any *total, bp_any *worker, bool failed);

/* A sketch and the file it came from. */
typedef struct cli_side {
    const char *where;
    const bp_any *sketch;
} cli_side;
/* Says why b could not be merged into a, with both values and the option that makes them
 * differ; group: in which one, or NULL. Returns CLI_ERROR. */
int cli_mismatch(const char *command, const bp_bytes *group, cli_side a, cli_side b,
                 bp_status st, const bp_detail *why);

/* Writes a sketch to o->output, or to stdout when there is none. CLI_OK or CLI_ERROR,
 * printed. */
int cli_write_sketch(const cli_options *o, const bp_any *s);
int cli_write_sketch_to(const char *path, const bp_any *s);

/* ----------------------------------------------------------------- gather (gather.c) */

/* What distinct, top and their like have in common: sketches of one kind, one for all
 * or one a group, are fed from the input, joined with what a state holds, shown, and
 * saved. A command fills in what is particular to it. */
typedef struct cli_count {
    cli_options *o;
    uint32_t kind;      /* id in the registry                                       */
    cli_config *config; /* of every sketch that is made; a state's takes its place  */
    /* What stdout is for: "number", "rows". NULL: for the sketch, when neither -o nor -s
     * names a file; then nothing is shown. */
    const char *answer;
    /* Adds items: hashes for kinds that need no more, else keys (weights may be NULL). */
    bp_status (*add_hashes)(bp_any *s, const uint64_t *hashes, size_t n);
    bp_status (*add_keys)(bp_any *s, const bp_bytes *keys, const uint64_t *weights,
                          size_t n);
    const cli_column *columns; /* of its answers, without the group's               */
    size_t n_columns;
    /* The rows of one sketch. */
    int (*rows)(const struct cli_count *c, cli_table *t, const bp_any *s);
    /* Before the last answer: puts the sketch in the order of its rows; may be NULL. Rows
     * are right without it, too. */
    bp_status (*settle)(bp_any *s);
    /* For a person, instead of a table, when there is no -g; may be NULL. */
    int (*say)(const struct cli_count *c, const bp_any *s);
    /* Remarks on stderr after the answer; may be NULL. */
    void (*remark)(const struct cli_count *c, const bp_any *s);
    uint64_t most_groups;   /* with -g: as in cli_group_show                            */
    const cli_tally *tally; /* set before rows, say and remark are called             */
    cli_tally whole;        /* of all that was read; cli_count_run's                  */
    const void *own;        /* the command's                                          */
} cli_count;

int cli_count_run(cli_count *c);
/* When no input could be read there is no answer, not the answer 0. */
bool cli_has_answer(const cli_tally *t);
/* Tells a person what was read; and anybody when it was not all. */
void cli_count_note(const cli_options *o, const cli_tally *t);
/* Prints what one sketch answers. CLI_OK or CLI_ERROR, printed. */
int cli_count_show(const cli_count *c, const bp_any *s);

/* ------------------------------------------------------------------- help (help.c) */

void cli_help_screen(FILE *to);                      /* bare `ballpark`       */
void cli_help_short(const cli_command *c, FILE *to); /* -h                    */
void cli_help_long(const cli_command *c, FILE *to);  /* --help                */
void cli_print_version(FILE *to);                    /* --version, GNU style  */

#endif
