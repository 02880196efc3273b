/* SPDX-License-Identifier: MIT
 * check.c - each yes of a filter held against the truth: `filter test --exact FILE`.
 *
 * FILE may be far larger than memory, and the input without an end. So it is not FILE
 * that is kept but the different keys that got a yes, which the filter made few; FILE is
 * then read once, and marks those it has. Lines from the first unchecked yes on wait for
 * that, in order (queue.c). When the keys outgrow -m, or what waits outgrows FILE, FILE
 * is read and all of it goes out; so memory is bounded, and FILE is read no more often
 * than as much input again has come.
 *
 * A pipe is another matter: somebody may watch its lines go by. While the items of FILE
 * fit in the memory they are kept instead, and no line waits.
 *
 * What FILE has and the filter says no to shows that the filter was made of something
 * else; then its noes are not worth a check, and that is an error. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { MANY = 256 };
#define NOBODY UINT32_MAX /* the number of a line that is no item */

static const uint64_t memory_usual = (uint64_t)256 << 20;
static const uint64_t waiting_least = (uint64_t)64 << 20;
static const uint64_t patience_first = 1 << 16, patience_grows = 16;

typedef struct verdict {
    uint64_t asked;
    bool is_in;
} verdict;

static uint64_t memory_of(const cli_check *c)
{
    return c->o->memory ? c->o->memory : memory_usual;
}

static verdict *verdict_of(const cli_check *c, size_t number)
{
    return cli_map_value(c->items, number);
}

/* ---------------------------------------------------------------------- reading FILE */

static void count_foreign(cli_check *c, const bp_bytes *keys, size_t n)
{
    size_t yes = n;
    bp_any_has_n(c->filter, keys, n, NULL, &yes, NULL);
    if (yes < n)
        __atomic_fetch_add(&c->foreign, n - yes, __ATOMIC_RELAXED);
}

/* By any number of threads: the map stays as it is but for its marks. */
static bp_status mark(void *worker, const cli_batch *b)
{
    cli_check *c = worker;
    size_t numbers[MANY];
    count_foreign(c, b->keys, b->n);
    for (size_t at = 0; at < b->n; at += MANY) {
        const size_t n = b->n - at < MANY ? b->n - at : MANY;
        cli_map_find_n(c->items, b->keys + at, n, numbers);
        for (size_t i = 0; i < n; i++)
            if (numbers[i] != SIZE_MAX)
                __atomic_store_n(&verdict_of(c, numbers[i])->is_in, true,
                                 __ATOMIC_RELAXED);
    }
    return BP_OK;
}

/* All items of FILE, unless there are too many: then none. */
static bp_status keep(void *worker, const cli_batch *b)
{
    cli_check *c = worker;
    uint64_t hashes[MANY];
    void *values[MANY];
    count_foreign(c, b->keys, b->n);
    for (size_t at = 0; at < b->n && c->is_all; at += MANY) {
        const size_t n = b->n - at < MANY ? b->n - at : MANY;
        cli_map_hash_n(b->keys + at, n, hashes);
        if (!cli_map_add_n(c->items, b->keys + at, hashes, n, values))
            return BP_NOMEM;
        for (size_t i = 0; i < n; i++)
            ((verdict *)values[i])->is_in = true;
        c->is_all = cli_map_bytes(c->items) <= memory_of(c);
    }
    return BP_OK;
}

static int read_file(cli_check *c, bool keeps)
{
    cli_tally tally;
    const cli_sink sink = {
        .ctx = c, .keys = keeps ? keep : mark, .ordered = keeps, .whole = true};
    c->foreign = 0;
    const int code = cli_other_read(&c->other, &sink, &tally);
    c->bytes = tally.bytes;
    return code;
}

static int renew(cli_check *c)
{
    cli_map_free(c->items);
    c->items = cli_map_new(sizeof(verdict));
    return c->items ? CLI_OK : cli_error("%s: out of memory", c->o->command->name);
}

/* ------------------------------------------------------------------------- beginning */

/* Whether somebody may wait for what comes next. */
static bool is_watched(const cli_options *o)
{
    for (size_t i = 0; i < o->n_files; i++)
        if (!cli_file_size(&o->files[i]))
            return true;
    return false;
}

int cli_check_begin(cli_check *c, const cli_options *o, const bp_any *filter)
{
    *c = (cli_check){
        .o = o, .filter = filter, .queue = CLI_QUEUE_EMPTY, .patience = patience_first};
    const cli_fields *fields = o->other_field ? &o->other_fields : NULL;
    if (cli_other_open(&c->other, o, o->exact_file, fields) || renew(c))
        return CLI_ERROR;
    c->bytes = cli_file_size(&c->other.file);
    /* An item takes 40 bytes and more beside its own. */
    c->is_all = is_watched(o) && c->bytes <= memory_of(c) / 4;
    if (!c->is_all)
        return CLI_OK;
    return read_file(c, true) || (!c->is_all && renew(c)) ? CLI_ERROR : CLI_OK;
}

void cli_check_end(cli_check *c)
{
    cli_map_free(c->items);
    cli_queue_free(&c->queue);
    cli_other_close(&c->other);
}

/* -------------------------------------------------------------------- what FILE says */

static bool wants(const void *ctx, uint32_t number)
{
    const cli_check *c = ctx;
    return number == NOBODY ? c->o->invert : verdict_of(c, number)->is_in != c->o->invert;
}

/* So many answers, and what was true of the yes among them. */
static void tally(cli_check *c, uint64_t no, uint64_t true_yes, uint64_t false_yes)
{
    c->strangers += no + false_yes;
    c->false_yes += false_yes;
    c->selected += c->o->invert ? no + false_yes : true_yes;
}

int cli_check_rest(cli_check *c)
{
    uint64_t true_yes = 0;
    const size_t items = c->is_all ? 0 : cli_map_count(c->items);
    if (items > 0 && read_file(c, false))
        return CLI_ERROR;
    for (size_t i = 0; i < items; i++)
        true_yes += verdict_of(c, i)->is_in ? verdict_of(c, i)->asked : 0;
    tally(c, c->no, true_yes, c->yes - true_yes);
    c->no = c->yes = 0;
    if (cli_queue_print(&c->queue, wants, c, c->o->zero ? '\0' : '\n'))
        return CLI_ERROR;
    return items > 0 ? renew(c) : CLI_OK;
}

static bool is_time(cli_check *c)
{
    const uint64_t most = c->bytes > waiting_least ? c->bytes : waiting_least;
    if (cli_map_bytes(c->items) > memory_of(c) || cli_queue_bytes(&c->queue) > most)
        return true;
    if (!c->o->quiet || c->yes < c->patience)
        return false;
    c->patience *= patience_grows;
    return true;
}

/* ----------------------------------------------------------------------------- lines */

static bool is_set(const uint8_t *bits, size_t i)
{
    return bits[i / 8] >> i % 8 & 1;
}

/* The numbers of keys that got a yes: all that are looked up, or those of all items. */
static bool number_keys(cli_check *c, const bp_bytes *keys, size_t n, size_t *numbers)
{
    uint64_t hashes[MANY];
    if (c->is_all) {
        cli_map_find_n(c->items, keys, n, numbers);
        return true;
    }
    cli_map_hash_n(keys, n, hashes);
    for (size_t i = 0; i < n; i++)
        cli_map_prefetch(c->items, hashes[i]);
    for (size_t i = 0; i < n; i++) {
        numbers[i] = cli_map_add(c->items, keys[i], hashes[i]);
        if (numbers[i] == SIZE_MAX)
            return false;
        verdict_of(c, numbers[i])->asked++;
    }
    return true;
}

/* The same of lines; a no has none. */
static bp_status number_lines(cli_check *c, const bp_bytes *keys, size_t n,
                              const uint8_t *bits, uint32_t *numbers)
{
    bp_bytes some[MANY];
    size_t lines[MANY], found[MANY];
    for (size_t at = 0, m; at < n;) {
        for (m = 0; at < n && m < MANY; at++) {
            numbers[at] = NOBODY;
            if (is_set(bits, at)) {
                lines[m] = at;
                some[m++] = keys[at];
            }
        }
        if (!number_keys(c, some, m, found))
            return BP_NOMEM;
        for (size_t i = 0; i < m; i++)
            if (found[i] != SIZE_MAX)
                numbers[lines[i]] = (uint32_t)found[i];
    }
    return BP_OK;
}

/* All is known: nothing waits. */
static void print_known(cli_check *c, const bp_bytes *lines, const uint32_t *numbers,
                        size_t n, size_t yes)
{
    uint64_t in = 0;
    for (size_t i = 0; i < n; i++) {
        in += numbers[i] != NOBODY;
        if (!c->o->count && !c->o->quiet && wants(c, numbers[i]))
            cli_print_line(c->o, lines[i]);
    }
    tally(c, n - yes, in, yes - in);
}

static void print_or_hold(cli_check *c, const bp_bytes *lines, const uint32_t *numbers,
                          size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (numbers[i] == NOBODY && !c->o->invert)
            continue;
        if (numbers[i] == NOBODY && cli_queue_bytes(&c->queue) == 0)
            cli_print_line(c->o, lines[i]);
        else if (cli_queue_put(&c->queue, numbers[i], lines[i]))
            cli_stop(CLI_ERROR);
    }
}

bp_status cli_check_lines(cli_check *c, const bp_bytes *keys, const bp_bytes *lines,
                          size_t n, const uint8_t *bits, size_t yes)
{
    uint32_t numbers[CLI_CHECK_MOST];
    const bp_status st = number_lines(c, keys, n, bits, numbers);
    if (st)
        return st;
    if (c->is_all) {
        print_known(c, lines, numbers, n, yes);
        return BP_OK;
    }
    c->no += n - yes;
    c->yes += yes;
    if (!c->o->count && !c->o->quiet)
        print_or_hold(c, lines, numbers, n);
    if (is_time(c) && cli_check_rest(c))
        cli_stop(CLI_ERROR);
    return BP_OK;
}
