/* SPDX-License-Identifier: MIT
 * cmd_filter_join.c - `ballpark filter anti A B` and `filter semi A B`: the lines of A
 * whose key is not, or is, among those of B. Exactly: keys are compared by their bytes.
 *
 * A is streamed, in its order; what has to be in memory is keys of B. There are two
 * plans:
 *
 *     B whole     read B, keep its different keys; read A and look each line's up.
 *     B cut       read A into a filter of its keys (about 15 bits each); read B and keep
 *                 only what the filter lets through: the keys they share, and one in a
 *                 thousand of the others; read A again and look up.
 *
 * The second reads A three times (how many different keys it has must be known first) but
 * keeps little where little is shared, and asking a filter is several times as fast as
 * growing a table. It is taken for all but a small B, unless A is a pipe or much the
 * larger of the two; and when B turns out not to fit, a pipe is copied for it. */
#include "explain.h"
#include "filter.h"
#include "map.h"
#include "other.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------------------------------------------------------------------------- the pages */

static const char *const anti_examples[] = {
    "ballpark filter anti new.txt seen.txt",
    "the lines that are new, as grep -vxFf seen.txt new.txt has them",
    "ballpark filter anti --csv -Hf user --other-field id orders.csv users.csv",
    "the orders of users that are not in users.csv", NULL};

static const char *const semi_examples[] = {
    "ballpark filter semi new.txt seen.txt",
    "the lines that were there before, as grep -xFf seen.txt new.txt has them",
    "ballpark filter semi -c -f1 tuesday.log monday.log",
    "how many of Tuesday's requests came from who was there on Monday", NULL};

static const cli_use join_uses[] = {
    {OPT_COUNT, NULL},
    {OPT_QUIET, "print nothing; the exit code tells"},
    {OPT_FIELD, "the key is these fields; the whole line is printed"},
    {OPT_OTHER_FIELD, "the key in B is these fields, unless they are those of -f"},
    {OPT_DELIMITER, NULL},
    {OPT_CSV, NULL},
    {OPT_TSV, NULL},
    {OPT_HEADER, NULL},
    {OPT_ZERO, NULL},
    {OPT_TRIM, "blanks around the key are not part of it"},
    {OPT_IGNORE_CASE, NULL},
    {OPT_MEMORY, "memory for keys of B: 1G unless given"},
    {OPT_THREADS, NULL},
    {OPT_SKIP_BAD, NULL},
    {OPT_PROGRESS, NULL},
    {OPT_EXPLAIN, NULL},
    {OPT_VERBOSE, NULL},
    {OPT_END, NULL}};

static const char *const join_exits[] = {
    "0  some line was selected", "1  none was",
    "2  something was wrong: an option, a file, a line; stderr says what", NULL};

#define NOTES                                                                            \
    "A is streamed, and keys of B are kept in memory, each with its bytes. When B is "   \
    "large and A no pipe, A's keys are put into a filter first, by two more readings, "  \
    "and of B only those are kept that the filter lets through: the ones they share "    \
    "and "                                                                               \
    "one in a thousand of the others. So B may be of any size, as long as what is "      \
    "shared "                                                                            \
    "fits in -m; --explain says how it is done. With -H the header of A is printed "     \
    "first, unless -c or -q. A line of B without its field (unless --skip-bad), or "     \
    "anything of B that cannot be read, is an error before any line is printed; lines "  \
    "of A without it are not selected. "

const cli_page page_filter_anti = {
    .usage = "[OPTION]... A B",
    .about = "Prints the lines of the file A whose key no line of the file B has, in "
             "their order: an anti-join. The key is the whole line, or fields. Nothing "
             "is approximate. One of the two may be -, standard input.",
    .examples = anti_examples,
    .uses = join_uses,
    .exits = join_exits,
    .notes = NOTES CLI_NOTE_ON_LINES};

const cli_page page_filter_semi = {
    .usage = "[OPTION]... A B",
    .about = "Prints the lines of the file A whose key some line of the file B has, in "
             "their order: a semi-join. The key is the whole line, or fields. Nothing "
             "is approximate. One of the two may be -, standard input.",
    .examples = semi_examples,
    .uses = join_uses,
    .exits = join_exits,
    .notes = NOTES CLI_NOTE_ON_LINES};

/* -------------------------------------------------------------------------- the plan */

static const uint64_t memory_usual = (uint64_t)1 << 30;
static const double cut_fpr = 0.001;
/* In bytes: a B that is kept whole in any case; how much larger A may be that is read
 * thrice to cut it. */
enum { SMALL = 1 << 20, TIMES_LARGER = 8 };

typedef struct join {
    cli_options *o; /* its only file is A */
    bool is_anti;
    cli_other b;
    bp_any *filter; /* of A's keys; NULL: B is kept whole */
    cli_map *keys;  /* of B                               */
    pthread_mutex_t lock;
    uint64_t memory;
    bool is_full;
    uint64_t selected;
} join;

static bool is_worth_cutting(const join *j)
{
    const uint64_t a = cli_file_size(&j->o->files[0]), b = cli_file_size(&j->b.file);
    /* Keys take about four times their bytes, when they are short. */
    return a > 0 && b > SMALL && (a / TIMES_LARGER <= b || b > j->memory / 4);
}

/* ------------------------------------------------------------------------- keys of B */

enum { MANY = 256 };

static void *open_keys(void *ctx, bp_status *st)
{
    *st = BP_OK;
    return ctx;
}

static bp_status close_keys(void *ctx, void *worker, bool failed)
{
    (void)ctx;
    (void)worker;
    (void)failed;
    return BP_OK;
}

/* Those that A may have. */
static size_t sift(const join *j, const bp_bytes *keys, size_t n, bp_bytes *out)
{
    uint8_t bits[MANY / 8];
    size_t some = 0;
    memset(bits, 0xFF, sizeof bits);
    if (j->filter)
        bp_any_has_n(j->filter, keys, n, bits, NULL, NULL);
    for (size_t i = 0; i < n; i++)
        if (bits[i / 8] >> i % 8 & 1)
            out[some++] = keys[i];
    return some;
}

static bp_status keep_keys(void *worker, const cli_batch *b)
{
    join *j = worker;
    bp_bytes some[MANY];
    uint64_t hashes[MANY];
    void *values[MANY];
    bool ok = true;
    for (size_t at = 0; at < b->n && ok; at += MANY) {
        const size_t n = sift(j, b->keys + at, b->n - at < MANY ? b->n - at : MANY, some);
        cli_map_hash_n(some, n, hashes);
        pthread_mutex_lock(&j->lock);
        if (!j->is_full)
            ok = cli_map_add_n(j->keys, some, hashes, n, values);
        j->is_full = j->is_full || cli_map_bytes(j->keys) > j->memory;
        pthread_mutex_unlock(&j->lock);
    }
    return ok ? BP_OK : BP_NOMEM;
}

static int read_b(join *j)
{
    cli_tally tally;
    cli_text kept, lines, size;
    const cli_sink sink = {
        .ctx = j, .open = open_keys, .keys = keep_keys, .close = close_keys};
    j->is_full = false;
    j->keys = cli_map_new(0);
    if (!j->keys)
        return cli_error("%s: out of memory", j->o->command->name);
    if (cli_other_read(&j->b, &sink, &tally)) {
        cli_hint("nothing was printed: the keys that are missing would decide");
        return CLI_ERROR;
    }
    if (j->o->verbose && !j->is_full)
        cli_note(j->o, "%s: %s lines, %s different keys kept in %s", j->b.file.name,
                 cli_grouped(lines, tally.lines),
                 cli_grouped(kept, cli_map_count(j->keys)),
                 cli_size_text(size, (double)cli_map_bytes(j->keys)));
    return CLI_OK;
}

/* ----------------------------------------------------------------------- cutting B */

/* Reads A, and leaves standard input where it was. */
static int fill(join *j, uint64_t memory)
{
    cli_tally tally;
    cli_options quiet = *j->o;
    quiet.skip_bad = quiet.quiet = true; /* the last reading complains */
    const off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR);
    const int code = cli_fill_filter(&quiet, j->filter, memory, &tally);
    if (at >= 0)
        lseek(STDIN_FILENO, at, SEEK_SET);
    return code;
}

static int make_filter(join *j)
{
    cli_text items, size;
    bp_detail why = {0};
    bp_blocked_bloom_config cfg = {.fpr = cut_fpr};
    if (cli_spool(j->o) || cli_count_items(j->o, &cfg.hash, &cfg.items))
        return CLI_ERROR;
    const uint32_t kind = bp_any_kind_by_name("blocked_bloom")->id;
    const bp_status st = bp_any_new(&j->filter, kind, &cfg, &why);
    if (st)
        return cli_library_error(j->o->command->name, st, &why);
    const uint64_t memory = bp_any_footprint(kind, &cfg);
    if (j->o->verbose)
        cli_note(j->o, "%s: a filter for %s different keys in %s", j->o->files[0].name,
                 cli_grouped(items, cfg.items), cli_size_text(size, (double)memory));
    return fill(j, memory);
}

static int refuse_full(const join *j)
{
    cli_text size, keys;
    cli_error("%s: %s different keys of %s, which %s has too, take more than %s",
              j->o->command->name, cli_grouped(keys, cli_map_count(j->keys)),
              j->b.file.name, j->o->files[0].name,
              cli_size_text(size, (double)j->memory));
    cli_hint("allow more memory with -m");
    return CLI_ERROR;
}

static int cut(join *j)
{
    cli_map_free(j->keys);
    j->keys = NULL;
    int code = make_filter(j);
    if (!code)
        code = read_b(j);
    bp_any_free(j->filter);
    j->filter = NULL;
    return code ? code : j->is_full ? refuse_full(j) : CLI_OK;
}

/* ---------------------------------------------------------------------- lines of A */

static void print_header(void *ctx, bp_bytes line)
{
    const join *j = ctx;
    if (!j->o->count && !j->o->quiet)
        cli_print_line(j->o, line);
}

static bp_status answer(void *ctx, const cli_batch *b)
{
    join *j = ctx;
    uint64_t hashes[MANY];
    for (size_t at = 0; at < b->n; at += MANY) {
        const size_t n = b->n - at < MANY ? b->n - at : MANY;
        cli_map_hash_n(b->keys + at, n, hashes);
        for (size_t i = 0; i < n; i++)
            cli_map_prefetch(j->keys, hashes[i]);
        for (size_t i = 0; i < n; i++) {
            const bool is_in =
                cli_map_find(j->keys, b->keys[at + i], hashes[i]) != SIZE_MAX;
            if (is_in == j->is_anti)
                continue;
            j->selected++;
            if (j->o->quiet)
                cli_stop(CLI_OK);
            if (!j->o->count)
                cli_print_line(j->o, b->lines[at + i]);
        }
    }
    if (ferror(stdout))
        cli_stop(CLI_ERROR);
    return BP_OK;
}

static int read_a(join *j)
{
    cli_tally tally;
    bool fatal = false;
    const cli_sink sink = {.ctx = j,
                           .keys = answer,
                           .header = print_header,
                           .ordered = true,
                           .partial = true};
    const int code = cli_read(j->o, &sink, &tally, &fatal);
    if (j->o->count && !j->o->quiet && !fatal)
        printf("%llu\n", (unsigned long long)j->selected);
    if (tally.interrupted)
        return CLI_INTERRUPTED;
    return code ? code : j->selected ? CLI_OK : CLI_NONE;
}

/* --------------------------------------------------------------------------- the run */

static int run(join *j)
{
    const cli_options *o = j->o;
    const cli_fields *fields =
        o->other_field ? &o->other_fields : &o->fields[CLI_OF_ITEM];
    if (cli_other_open(&j->b, o, o->files[1].name, fields))
        return CLI_ERROR;
    j->o->n_files = 1;
    const bool cuts = is_worth_cutting(j);
    cli_explain_plan(o, cuts ? "a filter of A's keys cuts those of B; what is left of "
                               "them is kept"
                             : "the keys of B are kept; if they do not fit, a filter of "
                               "A's cuts them");
    int code = cuts ? CLI_OK : read_b(j);
    if (!code && (cuts || j->is_full))
        code = cut(j);
    return code ? code : read_a(j);
}

static int check_files(const cli_options *o)
{
    struct stat st;
    if (o->n_files != 2) {
        cli_error("%s: %s", o->command->name,
                  o->n_files > 2 ? "takes two files, and no more" : "names no two files");
        cli_hint("ballpark %s %s", o->command->name, o->command->page->usage);
        return CLI_ERROR;
    }
    const char *a = o->files[0].name, *b = o->files[1].name;
    if (strcmp(a, "-") == 0 && strcmp(b, "-") == 0)
        return cli_error("%s: A and B cannot both be standard input", o->command->name);
    return strcmp(a, "-") != 0 && stat(a, &st) != 0 ? cli_errno(a) : CLI_OK;
}

static int join_files(cli_options *o, bool is_anti)
{
    if (check_files(o))
        return CLI_ERROR;
    join j = {.o = o,
              .is_anti = is_anti,
              .b.file.fd = -1,
              .memory = o->memory ? o->memory : memory_usual};
    pthread_mutex_init(&j.lock, NULL);
    const int code = run(&j);
    pthread_mutex_destroy(&j.lock);
    cli_map_free(j.keys);
    cli_other_close(&j.b);
    return code;
}

int cmd_filter_anti(cli_options *o)
{
    return join_files(o, true);
}

int cmd_filter_semi(cli_options *o)
{
    return join_files(o, false);
}
