/* SPDX-License-Identifier: MIT
 * cmd_verify.c - `ballpark verify`: sketches beside exact answers, on one's own data.
 *
 * All of them read the same items in one pass. Then each promise is held against what is
 * true: with an error that only chance makes, by a test of hypotheses (verify.c); a
 * certain one, by a single counterexample. */
#include "answers.h"
#include "exact.h"
#include "plan.h"
#include "verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const examples[] = {
    "ballpark verify access.log",
    "every kind of sketch, beside the exact answers for this file",
    "ballpark verify -f1 -k hll -e 2% access.log",
    "first fields, one kind, with the parameter it is to be used with",
    "head -n 10000000 big.log | ballpark verify",
    "a part of what is too large to be counted exactly",
    NULL};

static const cli_use uses[] = {
    {OPT_KIND, "one kind of sketch only; those that follow are its parameters"},
    {OPT_ERROR, "with -k hll or count_min: the error"},
    {OPT_DELTA, "with -k count_min: how often it may be larger"},
    {OPT_MEMORY, "with -k: the sketch's memory"},
    {OPT_ITEMS, "with -k bloom or blocked_bloom: items to make room for, those that are "
                "there unless "
                "given; with -k top_k: rows"},
    {OPT_FPR, "with -k bloom, blocked_bloom or binary_fuse: false positive rate"},
    {OPT_PRECISION, "with -k hll: precision, 4 to 18"},
    {OPT_FIELD, NULL},
    CLI_USES_OF_LINES,
    {OPT_WEIGHT, NULL},
    {OPT_FORMAT, NULL},
    {OPT_SKIP_BAD, NULL},
    {OPT_QUIET, NULL},
    {OPT_VERBOSE, NULL},
    {OPT_END, NULL}};

static const char *const exits[] = {
    "0  every promise was kept", "1  one was broken",
    "2  something was wrong: an option, an input, a line; stderr says what", NULL};

const cli_page page_verify = {
    .usage = "[OPTION]... [FILE]...",
    .about =
        "Answers the questions of `distinct`, `top`, `count` and `filter test` for the "
        "lines of the FILEs, exactly and by sketches, and prints for each promise what "
        "was measured, what is promised, the limit that chance leaves it, and whether "
        "it is within. What is certain (a count is never too low, a filter never misses "
        "a member) has the limit 0.",
    .examples = examples,
    .uses = uses,
    .exits = exits,
    .notes =
        "A promise that is kept is called broken, by chance, in less than 1 of 100,000 "
        "runs. Exact answers take memory that grows with the different items, about 50 "
        "bytes and the item each, up to 1G; of more than that a part will do. False "
        "positives are counted among 1,000,000 random keys that are not in the "
        "input. " CLI_NOTE_ON_LINES};

enum { STRANGERS = 1000000, BATCH = 4096, KINDS = 6 };

typedef struct verifying {
    const cli_options *o;
    cli_exact exact;
    bp_any *sketches[KINDS]; /* NULL: not wanted, or not made yet */
    cli_table *table;
    bool is_broken; /* some promise */
} verifying;

/* ------------------------------------------------------------------------- the answers
 */

static const cli_column columns[] = {
    {"measured", "measured", CLI_SHARE, true, "ballpark_verify_measured_ratio",
     "What was measured."},
    {"promised", "promised", CLI_SHARE, true, "ballpark_verify_promised_ratio",
     "What is promised."},
    {"limit", "limit", CLI_SHARE, true, "ballpark_verify_limit_ratio",
     "What chance leaves the promise."},
    {"verdict", "verdict", CLI_TEXT, true, NULL, NULL},
    {"kind", "kind", CLI_TEXT, true, "kind", NULL},
    {"what", "what", CLI_TEXT, true, "what", NULL},
};

static int print(verifying *v, const bp_any *s, cli_trial t)
{
    const bool is_kept = cli_is_kept(&t);
    v->is_broken |= !is_kept;
    const cli_cell cells[] = {{.real = t.measured},
                              {.real = t.promised},
                              {.real = t.limit},
                              {.text = is_kept ? "within" : "outside"},
                              {.text = bp_any_kind(s)->name},
                              {.text = t.what}};
    return cli_table_row(v->table, cells);
}

/* ------------------------------------------------------------------------------- kinds
 */

/* Reads each item of a map as a key. */
static void keys_at(const cli_exact *e, size_t from, size_t n, bp_bytes *keys)
{
    for (size_t i = 0; i < n; i++)
        keys[i] = cli_map_key(e->items, from + i);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int plan_hll(const cli_options *o, uint64_t items, cli_config *config)
{
    cli_plan p;
    (void)items;
    if (cli_plan_make(&p, o))
        return CLI_ERROR;
    config->hll.precision = p.precision;
    return CLI_OK;
}

static bp_status add_hll(bp_any *s, const cli_batch *b)
{
    return bp_hll_add_n((bp_hll *)s, b->keys, b->n);
}

static int judge_hll(verifying *v, bp_any *s)
{
    bp_estimate e = {0};
    bp_hll_config made;
    bp_hll_config_of((const bp_hll *)s, &made);
    bp_hll_estimate((const bp_hll *)s, 1 - CLI_FALSE_ALARM, &e, NULL);
    return print(v, s,
                 cli_try_estimate("relative error of the number", e,
                                  (double)cli_map_count(v->exact.items),
                                  bp_hll_standard_error(made.precision)));
}

static int plan_top(const cli_options *o, uint64_t items, cli_config *config)
{
    (void)items;
    if (o->items > CLI_TOP_MOST)
        return cli_error("%s: --items %llu: the most rows are %d", o->command->name,
                         (unsigned long long)o->items, CLI_TOP_MOST);
    config->top_k.k = (uint32_t)o->items;
    config->top_k.memory = o->memory;
    return CLI_OK;
}

static bp_status add_top(bp_any *s, const cli_batch *b)
{
    return bp_top_k_add_n((bp_top_k *)s, b->keys, b->n, b->weights, NULL);
}

static int judge_top(verifying *v, bp_any *any)
{
    const bp_top_k *s = (const bp_top_k *)any;
    bp_top_k_cursor cursor;
    bp_top_k_item row;
    uint64_t rows = 0, under = 0, over = 0;
    cli_top_settle(any);
    bp_top_k_top(s, 0, 1 - CLI_FALSE_ALARM, &cursor, NULL);
    for (; bp_top_k_next(s, &cursor, &row); rows++) {
        const size_t at = cli_map_find(v->exact.items, row.key, cli_map_hash(row.key));
        const uint64_t truth = at == SIZE_MAX ? 0 : cli_exact_count(&v->exact, at);
        under += row.upper < truth;
        over += row.lower > truth;
    }
    /* Lower bounds hold for all rows together. */
    const int code =
        print(v, any, cli_try_rate("rows whose count is too low", under, rows, 0));
    return code ? code
                : print(v, any,
                        cli_try_rate("lower bounds above the truth", over, rows, 0));
}

static int plan_count(const cli_options *o, uint64_t items, cli_config *config)
{
    (void)items;
    return cli_plan_counts(o, &config->count_min);
}

static bp_status add_count(bp_any *s, const cli_batch *b)
{
    bp_count_min_add_n((bp_count_min *)s, b->keys, b->n, b->weights, NULL);
    return BP_OK;
}

static int judge_count(verifying *v, bp_any *any)
{
    const bp_count_min *s = (const bp_count_min *)any;
    static bp_bytes keys[BATCH];
    static uint64_t counts[BATCH];
    const size_t items = cli_map_count(v->exact.items);
    uint64_t under = 0, over = 0;
    bp_count_min_config made;
    bp_count_min_config_of(s, &made);
    const double most = made.epsilon * (double)bp_count_min_total(s);
    for (size_t from = 0, n; from < items; from += n) {
        n = least(items - from, BATCH);
        keys_at(&v->exact, from, n, keys);
        bp_count_min_count_n(s, keys, n, counts);
        for (size_t i = 0; i < n; i++) {
            const uint64_t truth = cli_exact_count(&v->exact, from + i);
            under += counts[i] < truth;
            over += counts[i] > truth && (double)(counts[i] - truth) > most;
        }
    }
    const int code =
        print(v, any, cli_try_rate("items whose count is too low", under, items, 0));
    return code ? code
                : print(v, any,
                        cli_try_rate("items over by too much", over, items, made.delta));
}

static int plan_filter(const cli_options *o, uint64_t items, cli_config *config)
{
    cli_plan p;
    if (cli_plan_filter(&p, cli_filter_of(o->kind->name), o,
                        o->items ? 0
                        : items  ? items
                                 : 1))
        return CLI_ERROR;
    *config = p.config;
    return CLI_OK;
}

/* Random keys of 16 bytes that are not in the input; the same in every run. */
static uint64_t count_false_positives(const verifying *v, const bp_any *s, uint64_t *n)
{
    uint64_t words[2], found = 0;
    size_t yes = 0;
    *n = 0;
    for (uint64_t i = 0; i < STRANGERS; i++) {
        words[0] = bp_hash_u64(NULL, i);
        words[1] = bp_hash_u64(NULL, ~i);
        const bp_bytes key = {words, sizeof words};
        if (cli_map_find(v->exact.items, key, cli_map_hash(key)) != SIZE_MAX)
            continue;
        bp_any_has_n(s, &key, 1, NULL, &yes, NULL);
        found += yes;
        ++*n;
    }
    return found;
}

static int judge_filter(verifying *v, bp_any *s)
{
    static bp_bytes keys[BATCH];
    static bp_description about;
    const size_t items = cli_map_count(v->exact.items);
    size_t yes = 0;
    uint64_t missed = 0, strangers;
    for (size_t from = 0, n; from < items; from += n) {
        n = least(items - from, BATCH);
        keys_at(&v->exact, from, n, keys);
        bp_any_has_n(s, keys, n, NULL, &yes, NULL);
        missed += n - yes;
    }
    const uint64_t found = count_false_positives(v, s, &strangers);
    bp_any_describe(s, &about);
    const bp_figure *now = cli_figure(&about, "fpr_now");
    const int code =
        print(v, s, cli_try_rate("members that are not found", missed, items, 0));
    return code ? code
                : print(v, s,
                        cli_try_rate("strangers taken for members", found, strangers,
                                     now ? now->real : 1));
}

#define BIT(opt) ((uint64_t)1 << (opt))

/* takes: the options that are parameters of the kind. add: NULL for a kind that is sized
 * and filled when the items are known. */
static const struct subject {
    const char *kind;
    uint64_t takes;
    int (*plan)(const cli_options *o, uint64_t items, cli_config *config);
    bp_status (*add)(bp_any *s, const cli_batch *b);
    int (*judge)(verifying *v, bp_any *s);
} subjects[KINDS] = {
    {"hll", BIT(OPT_ERROR) | BIT(OPT_PRECISION) | BIT(OPT_MEMORY), plan_hll, add_hll,
     judge_hll},
    {"top_k", BIT(OPT_ITEMS) | BIT(OPT_MEMORY), plan_top, add_top, judge_top},
    {"count_min", BIT(OPT_ERROR) | BIT(OPT_DELTA) | BIT(OPT_MEMORY), plan_count,
     add_count, judge_count},
    {"bloom", BIT(OPT_ITEMS) | BIT(OPT_FPR) | BIT(OPT_MEMORY), plan_filter, NULL,
     judge_filter},
    {"blocked_bloom", BIT(OPT_ITEMS) | BIT(OPT_FPR) | BIT(OPT_MEMORY), plan_filter, NULL,
     judge_filter},
    {"binary_fuse", BIT(OPT_FPR), plan_filter, NULL, judge_filter},
};

static bool is_wanted(const cli_options *o, size_t i)
{
    return !o->kind || strcmp(o->kind->name, subjects[i].kind) == 0;
}

/* Parameters belong to one kind, which is to be named. */
static int check(const cli_options *o)
{
    uint64_t all = 0, takes = 0;
    bool is_known = false;
    for (size_t i = 0; i < KINDS; i++) {
        all |= subjects[i].takes;
        takes |= o->kind && is_wanted(o, i) ? subjects[i].takes : 0;
        is_known |= is_wanted(o, i);
    }
    if (!is_known)
        return cli_error("%s: --kind %s: cannot be held against exact answers here",
                         o->command->name, o->kind->name);
    for (int opt = 0; opt < OPT_END; opt++) {
        if (!(o->given & all & ~takes & BIT(opt)))
            continue;
        cli_error("%s: --%s: %s %s", o->command->name, cli_option((cli_opt)opt)->name,
                  o->kind ? "is no parameter of the kind" : "is a parameter of one kind",
                  o->kind ? o->kind->name : "of sketch");
        cli_hint(
            o->kind ? "`ballpark verify --help` says whose it is"
                    : "say which, with -k hll, top_k, count_min, bloom, blocked_bloom or "
                      "binary_fuse");
        return CLI_ERROR;
    }
    return CLI_OK;
}

/* ----------------------------------------------------------------------------- the run
 */

static int make(const cli_options *o, size_t i, uint64_t items, bp_any **s)
{
    cli_config config = {.room = {0}};
    cli_options own = *o;
    bp_detail why = {0};
    own.kind = bp_any_kind_by_name(subjects[i].kind);
    if (subjects[i].plan(&own, items, &config))
        return CLI_ERROR;
    const bp_status st = bp_any_new(s, own.kind->id, &config, &why);
    return st ? cli_library_error(o->command->name, st, &why) : CLI_OK;
}

static bp_status take(void *worker, const cli_batch *batch)
{
    verifying *v = worker;
    bp_status st = cli_exact_add(&v->exact, batch->keys, batch->weights, batch->n, NULL);
    for (size_t i = 0; i < KINDS && !st; i++)
        if (v->sketches[i])
            st = subjects[i].add(v->sketches[i], batch);
    return st;
}

/* All items at once, for a kind that is built of them. */
static bp_status build_of_all(const cli_exact *e, bp_any *s)
{
    const size_t items = cli_map_count(e->items);
    bp_bytes *keys = malloc((items + 1) * sizeof *keys);
    if (!keys)
        return BP_NOMEM;
    keys_at(e, 0, items, keys);
    const bp_status st = bp_any_build(s, keys, items, NULL);
    free(keys);
    return st;
}

static bp_status add_all(const cli_exact *e, bp_any *s)
{
    static bp_bytes keys[BATCH];
    const size_t items = cli_map_count(e->items);
    bp_status st = BP_OK;
    for (size_t from = 0, n; from < items && !st; from += n) {
        n = least(items - from, BATCH);
        keys_at(e, from, n, keys);
        st = bp_any_add_n(s, keys, n, NULL);
    }
    return st;
}

/* What could not be made before the number of items was known. */
static int make_late(verifying *v, size_t i)
{
    const int code = make(v->o, i, cli_map_count(v->exact.items), &v->sketches[i]);
    if (code)
        return code;
    bp_any *s = v->sketches[i];
    const bp_status st = bp_any_kind(s)->without & BP_WITHOUT_ADD
                             ? build_of_all(&v->exact, s)
                             : add_all(&v->exact, s);
    return st ? cli_library_error(v->o->command->name, st, NULL) : CLI_OK;
}

static int judge(verifying *v)
{
    int code = CLI_OK;
    v->table = cli_table_begin(v->o, columns, sizeof columns / sizeof *columns);
    if (!v->table)
        return CLI_ERROR;
    for (size_t i = 0; i < KINDS && !code; i++) {
        if (!is_wanted(v->o, i))
            continue;
        if (!subjects[i].add)
            code = make_late(v, i);
        code = code ? code : subjects[i].judge(v, v->sketches[i]);
    }
    const int ended = cli_table_end(v->table);
    return code ? code : ended;
}

static int read_and_judge(verifying *v)
{
    cli_tally tally;
    cli_text items;
    bool fatal;
    const cli_sink sink = {.ctx = v, .keys = take, .ordered = true, .partial = true};
    const int code = cli_read(v->o, &sink, &tally, &fatal);
    if (fatal || !cli_has_answer(&tally))
        return code;
    const int judged = judge(v);
    cli_count_note(v->o, &tally);
    if (v->o->verbose)
        cli_note(v->o, "%s different items",
                 cli_grouped(items, cli_map_count(v->exact.items)));
    if (tally.interrupted)
        return CLI_INTERRUPTED;
    return judged ? judged : code ? code : v->is_broken ? CLI_NONE : CLI_OK;
}

int cmd_verify(cli_options *o)
{
    verifying v = {.o = o};
    cli_default_stdin(o);
    if (check(o))
        return CLI_ERROR;
    int code = cli_exact_begin(&v.exact, o, 0);
    for (size_t i = 0; i < KINDS && !code; i++)
        if (is_wanted(o, i) && subjects[i].add)
            code = make(o, i, 0, &v.sketches[i]);
    if (!code)
        code = read_and_judge(&v);
    for (size_t i = 0; i < KINDS; i++)
        bp_any_free(v.sketches[i]);
    cli_exact_end(&v.exact);
    return code;
}
