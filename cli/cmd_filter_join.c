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
 * larger of the two; and when B turns out not to fit, a pipe is copied for it.
 *
 * When even what they share does not fit, both are read in rounds, each for a share of
 * the keys by their hash; a bit for each line of A says whether a round so far has found
 * it, and the last round prints. */
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
enum { SMALL = 1 << 20, TIMES_LARGER = 8, ROUNDS_MOST = 4096 };

typedef struct join {
    cli_options *o; /* its only file is A */
    bool is_anti;
    cli_other b;
    bp_any *filter; /* of A's keys; NULL: B is kept whole */
    cli_map *keys;  /* of B                               */
    pthread_mutex_t lock;
    uint64_t memory;
    bool is_full;
    uint64_t wanted; /* bytes that all keys of B would have taken, about */
    uint32_t round, rounds;
    uint8_t *found;   /* bits, of what rounds before have found; NULL: there were none */
    uint64_t a_lines; /* of A when it was read first; 0: it is read once */
    uint64_t line;    /* of A, counted from 0                            */
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

/* Whether this round is for the keys of that hash. */
static bool is_of_round(const join *j, uint64_t hash)
{
    return (hash >> 32) * j->rounds >> 32 == j->round;
}

static size_t sift_round(const join *j, bp_bytes *keys, uint64_t *hashes, size_t n)
{
    size_t some = 0;
    for (size_t i = 0; i < n; i++)
        if (is_of_round(j, hashes[i])) {
            keys[some] = keys[i];
            hashes[some++] = hashes[i];
        }
    return some;
}

/* Under lock. What no longer fits is only measured. */
static bool keep(join *j, const bp_bytes *keys, const uint64_t *hashes, size_t n)
{
    enum { BESIDE = 40 }; /* bytes that a key takes beside its own */
    void *values[MANY];
    for (size_t i = 0; i < n && j->is_full; i++)
        j->wanted += keys[i].len + BESIDE;
    if (j->is_full)
        return true;
    const bool ok = cli_map_add_n(j->keys, keys, hashes, n, values);
    j->wanted = cli_map_bytes(j->keys);
    j->is_full = j->wanted > j->memory;
    return ok;
}

static bp_status keep_keys(void *worker, const cli_batch *b)
{
    join *j = worker;
    bp_bytes some[MANY];
    uint64_t hashes[MANY];
    bool ok = true;
    for (size_t at = 0; at < b->n && ok; at += MANY) {
        size_t n = sift(j, b->keys + at, b->n - at < MANY ? b->n - at : MANY, some);
        cli_map_hash_n(some, n, hashes);
        if (j->rounds > 1)
            n = sift_round(j, some, hashes, n);
        pthread_mutex_lock(&j->lock);
        ok = keep(j, some, hashes, n);
        pthread_mutex_unlock(&j->lock);
    }
    return ok ? BP_OK : BP_NOMEM;
}

static int read_b(join *j)
{
    cli_tally tally;
    cli_text kept, lines, size;
    const cli_sink sink = {.ctx = j, .keys = keep_keys};
    j->is_full = false;
    cli_map_free(j->keys);
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

/* ---------------------------------------------------------------------- lines of A */

static void print_header(void *ctx, bp_bytes line)
{
    const join *j = ctx;
    if (!j->o->count && !j->o->quiet)
        cli_print_line(j->o, line);
}

/* Which of at most MANY lines have a key of B, or of B's keys of this round. */
static void look_up(const join *j, const bp_bytes *keys, size_t n, bool *is_in)
{
    size_t numbers[MANY];
    cli_map_find_n(j->keys, keys, n, numbers);
    for (size_t i = 0; i < n; i++)
        is_in[i] = numbers[i] != SIZE_MAX;
}

static bool was_found(const join *j, uint64_t line)
{
    return j->found && line < j->a_lines && j->found[line / 8] >> line % 8 & 1;
}

static bp_status answer(void *ctx, const cli_batch *b)
{
    join *j = ctx;
    bool is_in[MANY];
    for (size_t at = 0; at < b->n; at += MANY) {
        const size_t n = b->n - at < MANY ? b->n - at : MANY;
        look_up(j, b->keys + at, n, is_in);
        for (size_t i = 0; i < n; i++) {
            if ((is_in[i] || was_found(j, j->line + i)) == j->is_anti)
                continue;
            j->selected++;
            if (j->o->quiet)
                cli_stop(CLI_OK);
            if (!j->o->count)
                cli_print_line(j->o, b->lines[at + i]);
        }
        j->line += n;
    }
    if (ferror(stdout))
        cli_stop(CLI_ERROR);
    return BP_OK;
}

/* In a round that is not the last. */
static bp_status note(void *ctx, const cli_batch *b)
{
    join *j = ctx;
    bool is_in[MANY];
    for (size_t at = 0; at < b->n; at += MANY) {
        const size_t n = b->n - at < MANY ? b->n - at : MANY;
        look_up(j, b->keys + at, n, is_in);
        for (size_t i = 0; i < n; i++, j->line++)
            if (is_in[i] && j->line < j->a_lines)
                j->found[j->line / 8] |= (uint8_t)(1u << j->line % 8);
    }
    return BP_OK;
}

/* What was put into the filter, or noted, were the lines it had then. */
static int check_lines(const join *j, const cli_tally *t)
{
    cli_text was, is;
    if (!j->a_lines || t->lines == j->a_lines || t->failed)
        return CLI_OK;
    cli_error("%s: had %s lines when it was read first, and has %s now",
              j->o->files[0].name, cli_grouped(was, j->a_lines),
              cli_grouped(is, t->lines));
    cli_hint("what was printed is not exact; a file that grows can be piped in");
    return CLI_ERROR;
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
    j->line = 0;
    int code = cli_read(j->o, &sink, &tally, &fatal);
    if (!fatal && !tally.interrupted && check_lines(j, &tally))
        code = CLI_ERROR;
    if (j->o->count && !j->o->quiet && !fatal)
        printf("%llu\n", (unsigned long long)j->selected);
    if (tally.interrupted)
        return CLI_INTERRUPTED;
    return code ? code : j->selected ? CLI_OK : CLI_NONE;
}

/* A reading of A that is not the last, which does the complaining; standard input is left
 * where it was. */
static int read_a_before(join *j, int (*how)(join *j, const cli_options *o))
{
    cli_options quiet = *j->o;
    quiet.skip_bad = quiet.quiet = true;
    const off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR);
    const int code = how(j, &quiet);
    if (at >= 0)
        lseek(STDIN_FILENO, at, SEEK_SET);
    return code;
}

static int note_a(join *j, const cli_options *o)
{
    cli_tally tally;
    bool fatal = false;
    const cli_sink sink = {.ctx = j, .keys = note, .ordered = true};
    j->line = 0;
    return cli_read(o, &sink, &tally, &fatal);
}

/* ----------------------------------------------------------------------- cutting B */

static int fill(join *j, const cli_options *o)
{
    cli_tally tally;
    cli_config cfg;
    bp_any_config_of(j->filter, &cfg);
    const int code = cli_fill_filter(
        o, j->filter, bp_any_footprint(bp_any_kind(j->filter)->id, &cfg), &tally);
    j->a_lines = tally.lines;
    return code;
}

/* At most half of the memory is for the filter, be it as full as it may. */
static void size_filter(const join *j, uint32_t kind, bp_blocked_bloom_config *cfg)
{
    cfg->fpr = cut_fpr;
    if (bp_any_footprint(kind, cfg) <= j->memory / 2)
        return;
    cfg->fpr = 0;
    cfg->memory = j->memory / 2 > SMALL ? j->memory / 2 : SMALL;
    if (cfg->items > cfg->memory) /* 8 bits each */
        cfg->items = cfg->memory;
}

static int make_filter(join *j)
{
    cli_text items, size;
    bp_detail why = {0};
    bp_blocked_bloom_config cfg = {.items = 0};
    const uint32_t kind = bp_any_kind_by_name("blocked_bloom")->id;
    if (cli_spool(j->o) || cli_count_items(j->o, &cfg.hash, &cfg.items))
        return CLI_ERROR;
    const uint64_t different = cfg.items;
    size_filter(j, kind, &cfg);
    const bp_status st = bp_any_new(&j->filter, kind, &cfg, &why);
    if (st)
        return cli_library_error(j->o->command->name, st, &why);
    if (j->o->verbose)
        cli_note(j->o, "%s: a filter for %s different keys in %s", j->o->files[0].name,
                 cli_grouped(items, different),
                 cli_size_text(size, (double)bp_any_footprint(kind, &cfg)));
    return read_a_before(j, fill);
}

/* A round for each memory full of keys, and then some: repeated ones were measured too,
 * but the shares are not quite even. */
static int begin_rounds(join *j)
{
    const uint64_t more = j->wanted / j->memory + j->wanted / j->memory / 4 + 1;
    j->rounds = j->rounds * more > ROUNDS_MOST ? ROUNDS_MOST : j->rounds * (uint32_t)more;
    free(j->found);
    j->found = calloc(j->a_lines / 8 + 1, 1);
    if (!j->found)
        return cli_error("%s: out of memory", j->o->command->name);
    if (j->o->verbose)
        cli_note(j->o, "what they share takes %u rounds", (unsigned)j->rounds);
    return CLI_OK;
}

static int refuse_full(const join *j)
{
    cli_text size;
    cli_error("%s: %s is too little for what %s and %s share", j->o->command->name,
              cli_size_text(size, (double)j->memory), j->o->files[0].name,
              j->b.file.name);
    cli_hint("allow more memory with -m");
    return CLI_ERROR;
}

/* All rounds but for the last reading of A. */
static int read_rounds(join *j)
{
    int code = CLI_OK;
    j->round = 0;
    while (!code && (j->is_full || j->round + 1 < j->rounds)) {
        if (j->is_full && j->rounds == ROUNDS_MOST)
            return refuse_full(j);
        if (j->is_full) {
            code = begin_rounds(j);
            j->round = 0;
        } else {
            code = read_a_before(j, note_a);
            j->round++;
        }
        code = code ? code : read_b(j);
    }
    return code;
}

static int cut(join *j)
{
    int code = make_filter(j);
    if (!code)
        code = read_b(j);
    if (!code)
        code = read_rounds(j);
    bp_any_free(j->filter);
    j->filter = NULL;
    return code;
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
    if (cli_is_stdin(a) && cli_is_stdin(b))
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
              .rounds = 1,
              .memory = o->memory ? o->memory : memory_usual};
    pthread_mutex_init(&j.lock, NULL);
    const int code = run(&j);
    pthread_mutex_destroy(&j.lock);
    cli_map_free(j.keys);
    free(j.found);
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
