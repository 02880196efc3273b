/* SPDX-License-Identifier: MIT
 * column.c - the values of a typed column, of which lines are the text.
 *
 * Where a filter was made of a column of numbers, its keys are their 4 or 8 little-endian
 * bytes (Parquet's PLAIN encoding; the 8 are also those of our own columns of whole
 * numbers), not the digits that a person writes. An unsigned number has the bytes of the
 * signed one that it is stored as, so either range is read. */
#include "column.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A whole number from -2^(bits - 1) to 2^bits - 1. */
static bool read_whole(bp_bytes text, unsigned bits, uint64_t *out)
{
    const char *s = text.ptr, *end = s + text.len;
    const bool minus = text.len > 0 && *s == '-';
    const uint64_t most = minus ? (uint64_t)1 << (bits - 1) : UINT64_MAX >> (64 - bits);
    uint64_t v = 0;
    if ((s += minus) == end)
        return false;
    for (; s < end; s++) {
        const uint64_t digit = (uint64_t)(unsigned char)*s - '0';
        if (digit > 9 || v > (most - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    *out = minus ? -v : v;
    return true;
}

/* The same for what strtod reads, all of it. */
static bool read_real(bp_bytes text, bool is_float, uint64_t *out)
{
    char copy[400], *end;
    if (text.len == 0 || text.len >= sizeof copy || *(const char *)text.ptr == ' ')
        return false;
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    const float f = is_float ? strtof(copy, &end) : 0;
    const double d = is_float ? 0 : strtod(copy, &end);
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    memcpy(out, &d, sizeof *out);
    if (is_float)
        *out = bits;
    return end == copy + text.len;
}

static bool read_value(cli_value_type type, bp_bytes text, uint64_t *out)
{
    if (type == CLI_INT32 || type == CLI_INT64)
        return read_whole(text, type == CLI_INT32 ? 32 : 64, out);
    return read_real(text, type == CLI_FLOAT, out);
}

static void note_other(cli_column_values *c, bp_bytes text)
{
    const size_t n = text.len < sizeof c->first - 1 ? text.len : sizeof c->first - 1;
    if (c->others++ > 0)
        return;
    memcpy(c->first, text.ptr, n);
    c->first[n] = '\0';
}

const bp_bytes *cli_column_keys(cli_column_values *c, const bp_bytes *texts, size_t n)
{
    const size_t size = c->type == CLI_INT32 || c->type == CLI_FLOAT ? 4 : 8;
    if (c->type == CLI_STRING)
        return texts;
    for (size_t i = 0; i < n; i++) {
        uint64_t v = 0;
        const bool is_value = read_value(c->type, texts[i], &v);
        uint8_t *bytes = (uint8_t *)&c->room[i];
        for (int b = 0; b < 8; b++)
            bytes[b] = (uint8_t)(v >> 8 * b);
        c->keys[i] = (bp_bytes){bytes, is_value ? size : 0};
        if (!is_value)
            note_other(c, texts[i]);
    }
    return c->keys;
}

/* ------------------------------------------------------------------------ a whole input
 */

typedef struct typed {
    const cli_sink *to;
    cli_column_values values; /* what all workers met; its type is theirs, too */
} typed;

typedef struct worker {
    typed *all;
    void *of_sink;
    cli_column_values values;
} worker;

static void *open_worker(void *ctx, bp_status *st)
{
    typed *t = ctx;
    worker *w = calloc(1, sizeof *w);
    *st = w ? BP_OK : BP_NOMEM;
    if (!w)
        return NULL;
    w->all = t;
    w->values.type = t->values.type;
    w->of_sink = t->to->open ? t->to->open(t->to->ctx, st) : t->to->ctx;
    if (w->of_sink)
        return w;
    free(w);
    return NULL;
}

static bp_status take_values(worker *w, const bp_bytes *texts, size_t n)
{
    uint64_t hashes[CLI_COLUMN_MOST];
    const bp_bytes *keys = cli_column_keys(&w->values, texts, n);
    size_t values = 0;
    bp_hash_n(w->all->to->hash, keys, n, hashes);
    for (size_t i = 0; i < n; i++)
        if (keys[i].len > 0)
            hashes[values++] = hashes[i];
    return w->all->to->hashes(w->of_sink, hashes, values);
}

static bp_status take_batch(void *state, const cli_batch *batch)
{
    bp_status st = BP_OK;
    for (size_t at = 0, n; at < batch->n && !st; at += n) {
        n = batch->n - at < CLI_COLUMN_MOST ? batch->n - at : CLI_COLUMN_MOST;
        st = take_values(state, batch->keys + at, n);
    }
    return st;
}

static bp_status close_worker(void *ctx, void *state, bool failed)
{
    typed *t = ctx;
    worker *w = state;
    if (!t->values.others)
        memcpy(t->values.first, w->values.first, sizeof t->values.first);
    t->values.others += w->values.others;
    const bp_status st =
        t->to->close ? t->to->close(t->to->ctx, w->of_sink, failed) : BP_OK;
    free(w);
    return st;
}

static int refuse_others(const cli_options *o, const cli_column_values *c)
{
    cli_text n;
    if (!c->others || o->skip_bad)
        return CLI_OK;
    cli_error("%s: --type %s: %s of the lines %s no such value, the first is `%s`",
              o->command->name, cli_words("TYPE")[c->type], cli_grouped(n, c->others),
              c->others == 1 ? "is" : "are", c->first);
    cli_hint("--skip-bad leaves them out");
    return CLI_ERROR;
}

int cli_read_values(const cli_options *o, const cli_sink *sink, cli_tally *tally,
                    bool *fatal)
{
    static typed t;
    if (o->type == CLI_STRING)
        return cli_read(o, sink, tally, fatal);
    t = (typed){.to = sink};
    t.values.type = (cli_value_type)o->type;
    const cli_sink with = {
        .ctx = &t, .open = open_worker, .keys = take_batch, .close = close_worker};
    const int code = cli_read(o, &with, tally, fatal);
    return code ? code : refuse_others(o, &t.values);
}

/* ---------------------------------------------------------------------------- answers */

size_t cli_column_only(const cli_column_values *c, size_t n, uint8_t *bits, size_t yes)
{
    for (size_t i = 0; i < n && c->type != CLI_STRING && c->others; i++) {
        const uint8_t bit = (uint8_t)(1u << i % 8);
        if (c->keys[i].len > 0 || !(bits[i / 8] & bit))
            continue;
        bits[i / 8] ^= bit;
        yes--;
    }
    return yes;
}

void cli_column_warn(const cli_column_values *c)
{
    cli_text n;
    if (c->others)
        cli_warn("%s of the lines %s no value of the type %s, and so not in its column; "
                 "the first is `%s`",
                 cli_grouped(n, c->others), c->others == 1 ? "is" : "are",
                 cli_words("TYPE")[c->type], c->first);
}
