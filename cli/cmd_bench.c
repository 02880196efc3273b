/* SPDX-License-Identifier: MIT
 * cmd_bench.c - `ballpark bench`: what a key costs on this machine.
 *
 * Every kind of the registry is measured through `any`, so a new one is here on its first
 * day. An operation is run again and again while its share of the time lasts, and the
 * best run counts: what disturbs a run only ever makes it longer. Keys are 16 bytes, all
 * different and in batches, as the commands add them; the hash alone stands first, since
 * no sketch can be faster. `make bench` compares with other libraries. */
#include "input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const examples[] = {
    "ballpark bench", "every kind, in about four seconds",
    "ballpark bench -k hll -n 1e5 --format csv | cut -d, -f1,3-", "one kind, fewer keys",
    NULL};

static const cli_use uses[] = {{OPT_KIND, "this kind of sketch alone"},
                               {OPT_ITEMS, "different keys, up to 1e8; 1e6 unless given"},
                               {OPT_FORMAT, NULL},
                               {OPT_COLOR, NULL},
                               {OPT_END, NULL}};

const cli_page page_bench = {
    .usage = "[OPTION]...",
    .about =
        "Measures every kind of sketch on this machine: nanoseconds to add a key, to "
        "ask for one, to merge, estimate, encode and decode a sketch, beside those "
        "of the hash alone. One thread; each figure is the best of several runs.",
    .examples = examples,
    .uses = uses,
    .notes = "Keys are 16 bytes and all different, which is the hardest case for top_k. "
             "Sketches are as they are made without options; what is done to a sketch "
             "(`sketch` "
             "in the last column) is done to one that holds the keys. plain prints ns, "
             "how many "
             "a second, kind, operation, unit. Figures of a busy machine are too high."};

enum { BATCH = 4096, KEY = 16, RUNS_MOST = 50, KEYS_MOST = 100000000 };
static const double TIME = 4; /* seconds, for everything */

typedef struct bench {
    cli_table *table;
    double share; /* of TIME, for one operation */
    size_t n;
    char *text; /* of all keys, one after the other */
    bp_bytes *keys;
    uint64_t *hashes;
    const bp_kind_info *kind;
    bp_any *full, *left, *right; /* all keys, and the halves */
    bp_any *spare;               /* to be filled             */
    void *bytes;                 /* the full one, encoded    */
    size_t size;
    double units; /* done in the last run */
} bench;

/* --------------------------------------------------------------------- operations on
 * keys
 */

typedef bp_status (*on_keys)(bench *b, bp_any *s, size_t at, size_t n);

static bp_status add_keys(bench *b, bp_any *s, size_t at, size_t n)
{
    return bp_any_add_n(s, b->keys + at, n, NULL);
}

static bp_status add_hashes(bench *b, bp_any *s, size_t at, size_t n)
{
    return bp_any_add_hashes(s, b->hashes + at, n, NULL);
}

static bp_status ask_hash(bench *b, bp_any *s, size_t at, size_t n)
{
    (void)s;
    bp_hash_n(NULL, b->keys + at, n, b->hashes + at);
    return BP_OK;
}

static bp_status ask_filter(bench *b, bp_any *s, size_t at, size_t n)
{
    uint8_t bits[BATCH / 8];
    (void)b;
    return bp_any_has_n(s, b->keys + at, n, bits, NULL, NULL);
}

static bp_status ask_count_min(bench *b, bp_any *s, size_t at, size_t n)
{
    uint64_t counts[BATCH];
    bp_count_min_count_n((const bp_count_min *)s, b->keys + at, n, counts);
    return BP_OK;
}

static bp_status ask_top_k(bench *b, bp_any *s, size_t at, size_t n)
{
    bp_status st = BP_OK;
    bp_top_k_item item;
    for (size_t i = at; i < at + n && !st; i++)
        st = bp_top_k_bounds((const bp_top_k *)s, b->keys[i].ptr, b->keys[i].len, 0.95,
                             &item, NULL);
    return st;
}

/* Kinds that answer for a key; `any` has no word for it. */
static on_keys asker(const bp_kind_info *kind)
{
    static const struct {
        const char *name;
        on_keys ask;
    } askers[] = {{"count_min", ask_count_min}, {"top_k", ask_top_k}};
    for (size_t i = 0; i < sizeof askers / sizeof *askers; i++)
        if (strcmp(askers[i].name, kind->name) == 0)
            return askers[i].ask;
    return cli_is_filter(kind) ? ask_filter : NULL;
}

/* The keys from..to, batch by batch; the seconds, or less than 0 when it failed. */
static double run_keys(bench *b, on_keys work, bp_any *s, size_t from, size_t to)
{
    bp_status st = BP_OK;
    const double start = cli_now();
    for (size_t at = from; at < to && !st; at += BATCH)
        st = work(b, s, at, to - at < BATCH ? to - at : BATCH);
    b->units = (double)(to - from);
    return st ? -1 : cli_now() - start;
}

/* Always the same sketch, so that its memory is warm. */
static double run_add(bench *b, on_keys work)
{
    bp_any_reset(b->spare);
    return run_keys(b, work, b->spare, 0, b->n);
}

/* All keys at once, into the same memory again. */
static double run_build(bench *b, on_keys work)
{
    (void)work;
    const double start = cli_now();
    const bp_status st = bp_any_build(b->spare, b->keys, b->n, NULL);
    b->units = (double)b->n;
    return st ? -1 : cli_now() - start;
}

static double run_ask(bench *b, on_keys work)
{
    return run_keys(b, work, b->full, 0, b->n);
}

/* ----------------------------------------------------------------- operations on
 * sketches
 */

static double run_merge(bench *b, on_keys work)
{
    bp_any *s;
    (void)work;
    if (bp_any_clone(&s, b->left, NULL))
        return -1;
    const double start = cli_now();
    const bp_status st = bp_any_merge(s, b->right, NULL);
    const double seconds = cli_now() - start;
    b->units = 1;
    bp_any_free(s);
    return st ? -1 : seconds;
}

/* What changes nothing can be done often enough for the clock to see. */
static double run_often(bench *b, bp_status (*once)(bench *b))
{
    enum { OFTEN = 8 };
    const double start = cli_now();
    double seconds = 0;
    b->units = 0;
    while (seconds < 1e-4) {
        for (int i = 0; i < OFTEN; i++)
            if (once(b))
                return -1;
        b->units += OFTEN;
        seconds = cli_now() - start;
    }
    return seconds;
}

static bp_status estimate_once(bench *b)
{
    bp_estimate e;
    return bp_any_estimate(b->full, 0.95, &e, NULL);
}

static bp_status encode_once(bench *b)
{
    return bp_any_encode(b->full, b->bytes, b->size, &b->size, NULL);
}

static bp_status decode_once(bench *b)
{
    bp_any *s;
    const bp_status st = bp_any_decode(&s, b->bytes, b->size, NULL, NULL);
    if (!st)
        bp_any_free(s);
    return st;
}

static double run_estimate(bench *b, on_keys work)
{
    (void)work;
    return run_often(b, estimate_once);
}

static double run_encode(bench *b, on_keys work)
{
    (void)work;
    return run_often(b, encode_once);
}

static double run_decode(bench *b, on_keys work)
{
    (void)work;
    return run_often(b, decode_once);
}

/* --------------------------------------------------------------------------- measuring
 */

static const cli_column columns[] = {
    {"ns", "ns", CLI_REAL, true, NULL, NULL},
    {"per_second", "a second", CLI_WHOLE, true, "ballpark_bench_operations_per_second",
     "How often the operation is done in a second, by one thread."},
    {"kind", "kind", CLI_TEXT, true, "kind", NULL},
    {"operation", "operation", CLI_TEXT, true, "operation", NULL},
    {"unit", "of a", CLI_TEXT, true, NULL, NULL},
};

typedef double (*run)(bench *b, on_keys work);

/* The best of several runs, as a row. */
static int measure(bench *b, const char *kind, const char *name, const char *unit,
                   run once, on_keys work)
{
    double best = INFINITY, spent = 0;
    for (int i = 0; i < RUNS_MOST && (i < 2 || spent < b->share); i++) {
        const double seconds = once(b, work);
        if (seconds < 0)
            return cli_error("bench: %s: %s failed; not enough memory?", kind, name);
        spent += seconds;
        best = fmin(best, seconds / b->units);
    }
    const double ns = fmax(best * 1e9, 1e-3); /* the clock may not have moved */
    const cli_cell cells[] = {{.real = ns},
                              {.real = floor(1e9 / ns)},
                              {.text = kind},
                              {.text = name},
                              {.text = unit}};
    return cli_table_row(b->table, cells);
}

static int measure_kind(bench *b)
{
    const char *kind = b->kind->name;
    const on_keys ask = asker(b->kind);
    const bool is_built = b->kind->without & BP_WITHOUT_ADD;
    int code = is_built ? measure(b, kind, "build", "key", run_build, NULL)
                        : measure(b, kind, "add", "key", run_add, add_keys);
    if (!code && !is_built && !(b->kind->without & BP_WITHOUT_HASHES))
        code = measure(b, kind, "add hash", "key", run_add, add_hashes);
    if (!code && ask)
        code = measure(b, kind, "ask", "key", run_ask, ask);
    if (!code && !(b->kind->without & BP_WITHOUT_MERGE))
        code = measure(b, kind, "merge", "sketch", run_merge, NULL);
    if (!code && !(b->kind->without & BP_WITHOUT_ESTIMATE))
        code = measure(b, kind, "estimate", "sketch", run_estimate, NULL);
    if (!code)
        code = measure(b, kind, "encode", "sketch", run_encode, NULL);
    return code ? code : measure(b, kind, "decode", "sketch", run_decode, NULL);
}

/* ------------------------------------------------------------------------ setting up */

/* A sketch of the keys from..to; NULL when it cannot be had. */
static bp_any *sketch_of(bench *b, size_t from, size_t to)
{
    bp_any *s;
    if (bp_any_new(&s, b->kind->id, NULL, NULL))
        return NULL;
    if (b->kind->without & BP_WITHOUT_ADD
            ? !bp_any_build(s, b->keys + from, to - from, NULL)
            : run_keys(b, add_keys, s, from, to) >= 0)
        return s;
    bp_any_free(s);
    return NULL;
}

static bool make_sketches(bench *b)
{
    b->full = sketch_of(b, 0, b->n);
    b->left = sketch_of(b, 0, b->n / 2);
    b->right = sketch_of(b, b->n / 2, b->n);
    b->spare = sketch_of(b, 0, b->n);
    b->bytes = NULL;
    if (!b->full || !b->left || !b->right || !b->spare)
        return false;
    bp_any_encode(b->full, NULL, 0, &b->size, NULL);
    b->bytes = malloc(b->size);
    return b->bytes && !encode_once(b);
}

static void free_sketches(bench *b)
{
    bp_any_free(b->full);
    bp_any_free(b->left);
    bp_any_free(b->right);
    bp_any_free(b->spare);
    free(b->bytes);
}

static int measure_all(bench *b, const cli_options *o)
{
    int code = measure(b, "xxh3", "hash", "key", run_ask, ask_hash);
    for (size_t i = 0; bp_any_kind_at(i) && !code; i++) {
        b->kind = bp_any_kind_at(i);
        if (o->kind && o->kind != b->kind)
            continue;
        code = make_sketches(b) ? measure_kind(b) : cli_error("bench: out of memory");
        free_sketches(b);
    }
    return code;
}

/* 16 hex digits of a multiple of 2^64 / golden ratio: different, and in no order. */
static bool make_keys(bench *b)
{
    b->text = calloc(b->n, KEY);
    b->keys = calloc(b->n, sizeof *b->keys);
    b->hashes = calloc(b->n, sizeof *b->hashes);
    if (!b->text || !b->keys || !b->hashes)
        return false;
    for (size_t i = 0; i < b->n; i++) {
        char key[KEY + 1];
        snprintf(key, sizeof key, "%016llx",
                 (unsigned long long)(i + 1) * 0x9E3779B97F4A7C15ULL);
        memcpy(b->text + KEY * i, key, KEY);
        b->keys[i] = (bp_bytes){b->text + KEY * i, KEY};
    }
    return true;
}

static int measure_with(bench *b, const cli_options *o)
{
    if (!make_keys(b))
        return cli_error("bench: out of memory");
    b->table = cli_table_begin(o, columns, sizeof columns / sizeof *columns);
    if (!b->table)
        return CLI_ERROR;
    const int code = measure_all(b, o);
    const int end = cli_table_end(b->table);
    return code ? code : end;
}

int cmd_bench(cli_options *o)
{
    enum { OPERATIONS = 7 };
    bench b = {.n = cli_given(o, OPT_ITEMS) ? (size_t)o->items : 1000000};
    size_t kinds = 0;
    if (o->n_files)
        return cli_error("bench: %s: bench reads no files", o->files[0].name);
    if (b.n < 1 || b.n > KEYS_MOST)
        return cli_error("bench: --items %llu: must be 1 to %d",
                         (unsigned long long)o->items, KEYS_MOST);
    while (bp_any_kind_at(kinds))
        kinds++;
    b.share = TIME / (double)(OPERATIONS * (o->kind ? 1 : kinds));
    const int code = measure_with(&b, o);
    free(b.text);
    free(b.keys);
    free(b.hashes);
    return code;
}
