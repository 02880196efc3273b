/* SPDX-License-Identifier: MIT
 * items.c - from whole lines to items, a thousand at a time.
 *
 * The block was just read, so it is in the second-level cache; what is made of it (ends
 * of lines, fields, hashes) is sized to stay in the first. A batch goes through in steps,
 * each a loop over all its lines: cut the fields, sieve out the lines that lack one or
 * whose weight is no number, make the values, hash. */
#include "input.h"
#include "platform/lines.h"

#include <string.h>

/* ------------------------------------------------------------------- lines left out */

/* Where a batch begins: with text, at byte `at` of the source. */
typedef struct origin {
    const char *text;
    uint64_t at;
} origin;

/* For a message: cut when it is long, and harmless to a terminal. */
static void keep_text(char *to, size_t room, bp_bytes text)
{
    const size_t n = text.len < room ? text.len : room - 4;
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = ((const unsigned char *)text.ptr)[i];
        to[i] = c < ' ' || c == 127 ? '?' : (char)c;
    }
    strcpy(to + n, n < text.len ? "..." : "");
}

static void note_bad(cli_worker *w, cli_fault fault, const origin *from, size_t i,
                     uint64_t field, bp_bytes text)
{
    cli_bad *bad = &w->bad[fault];
    const uint64_t at = from->at + (uint64_t)((const char *)w->lines[i].ptr - from->text);
    w->n_skipped[fault]++;
    if (bad->source && (bad->source->index < w->source->index ||
                        (bad->source->index == w->source->index && bad->at <= at)))
        return;
    *bad = (cli_bad){.source = w->source, .at = at, .field = field};
    if (!w->source->is_regular)
        bad->line =
            w->unit_line + w->unit_ends + 1 +
            (w->is_quoted ? cli_count_ends(from->text, (size_t)(at - from->at), '\n')
                          : i);
    keep_text(bad->text, sizeof bad->text, text);
}

static bool has_fields(cli_worker *w, const origin *from, size_t i)
{
    const cli_layout *l = w->source->layout;
    for (size_t k = 0; k < l->n; k++)
        if (!w->spans[k * w->room + i].ptr) {
            note_bad(w, CLI_NO_FIELD, from, i, l->wanted[k], (bp_bytes){"", 0});
            return false;
        }
    return true;
}

/* Whole numbers up to 2^64 - 1, blanks around them. */
static bool read_weight(bp_bytes text, uint64_t *out)
{
    const bp_bytes b = cli_trimmed(text);
    const char *p = b.ptr;
    *out = 0;
    for (size_t i = 0; i < b.len; i++)
        if (p[i] < '0' || p[i] > '9' || __builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, (uint64_t)(p[i] - '0'), out))
            return false;
    return b.len > 0;
}

static bool has_weight(cli_worker *w, const origin *from, bp_bytes record, size_t i,
                       uint64_t *weight)
{
    bp_bytes text;
    if (!cli_value(w, CLI_OF_WEIGHT, record, i, &text)) {
        w->st = BP_NOMEM;
        return false;
    }
    if (read_weight(text, weight))
        return true;
    const cli_layout *l = w->source->layout;
    note_bad(w, CLI_NO_WEIGHT, from, i, l->wanted[l->slices[CLI_OF_WEIGHT]->first], text);
    return false;
}

/* Line i of the batch becomes its line `to`. */
static void move_line(cli_worker *w, size_t i, size_t to)
{
    w->lines[to] = w->lines[i];
    w->records[to] = w->records[i];
    for (size_t k = 0; k < w->source->layout->n; k++)
        w->spans[k * w->room + to] = w->spans[k * w->room + i];
}

/* Lines without a field or a weight leave the batch. */
static size_t sieve(cli_worker *w, const origin *from, size_t n)
{
    const bool weighs = w->feed->o->fields[CLI_OF_WEIGHT].n > 0;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (!has_fields(w, from, i) ||
            (weighs && !has_weight(w, from, w->records[i], i, &w->weights[kept])))
            continue;
        if (kept != i)
            move_line(w, i, kept);
        kept++;
    }
    return kept;
}

/* -------------------------------------------------------------------------- the batch */

static bool give(cli_worker *w, size_t n)
{
    const cli_sink *sink = w->feed->sink;
    const cli_fields *fields = w->feed->o->fields;
    cli_batch batch = {.lines = w->lines, .n = n};
    batch.keys = cli_values(w, CLI_OF_ITEM, w->records, n);
    if (fields[CLI_OF_GROUP].n)
        batch.groups = cli_values(w, CLI_OF_GROUP, w->records, n);
    if (fields[CLI_OF_WEIGHT].n)
        batch.weights = w->weights;
    if (!batch.keys || (fields[CLI_OF_GROUP].n && !batch.groups)) {
        w->st = BP_NOMEM;
    } else if (sink->hashes) {
        bp_hash_n(sink->hash, batch.keys, n, w->hashes);
        w->st = sink->hashes(w->sink_state, w->hashes, n);
    } else {
        w->st = sink->keys(w->sink_state, &batch);
    }
    return w->st == BP_OK;
}

/* CRLF ends a record of CSV. */
static void strip_returns(cli_worker *w, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const bp_bytes line = w->lines[i];
        const bool has = line.len > 0 && ((const char *)line.ptr)[line.len - 1] == '\r';
        w->records[i] = (bp_bytes){line.ptr, line.len - has};
    }
}

/* The n lines in w->lines, with `ends` line ends. */
static bool give_lines(cli_worker *w, const origin *from, size_t n, uint64_t ends)
{
    const uint64_t all = n;
    if (w->feed->o->csv)
        strip_returns(w, n);
    cli_arena_reset(&w->arena, true);
    const size_t lacking = w->source->layout->n ? cli_cut_fields(w, w->records, n) : 0;
    if (lacking > 0 || w->feed->o->fields[CLI_OF_WEIGHT].n)
        n = sieve(w, from, n);
    const bool ok = w->st == BP_OK && (n == 0 || give(w, n));
    w->unit_lines += all;
    w->unit_ends += ends;
    return ok;
}

static bool give_text(cli_worker *w, const char *text, size_t n, uint64_t at)
{
    for (size_t i = 0; i < n; i++)
        w->lines[i] =
            (bp_bytes){text + w->offsets[i], w->offsets[i + 1] - w->offsets[i] - 1};
    const uint64_t ends = w->is_quoted ? cli_count_ends(text, w->offsets[n], '\n') : n;
    return give_lines(w, &(origin){text, at}, n, ends);
}

static bool give_hashes(cli_worker *w, const char *text, size_t n)
{
    const cli_sink *sink = w->feed->sink;
    bp_hash_column(sink->hash, text, w->offsets, 1, n, w->hashes);
    w->st = sink->hashes(w->sink_state, w->hashes, n);
    w->unit_lines += n;
    w->unit_ends += n;
    return w->st == BP_OK;
}

static size_t find_ends(cli_worker *w, const char *text, size_t n)
{
    size_t scanned;
    cli_quotes q = CLI_QUOTES_BEGIN;
    if (w->is_quoted)
        return cli_record_ends(text, n, *(const char *)w->feed->o->delimiter.ptr, &q,
                               w->offsets + 1, w->most, &scanned);
    return cli_line_ends(text, n, w->feed->end, w->offsets + 1, w->most, &scanned);
}

bool cli_items(cli_worker *w, const char *text, size_t n, uint64_t at)
{
    const char *line = text, *end = text + n;
    while (line < end) {
        const size_t found = find_ends(w, line, (size_t)(end - line));
        /* Nothing is left over: each batch ends at a line's end because what was
         * scanned beyond it is scanned again. */
        if (found == 0)
            break;
        w->offsets[0] = 0;
        bool ok = w->feed->only_hashes
                      ? give_hashes(w, line, found)
                      : give_text(w, line, found, at + (uint64_t)(line - text));
        if (!ok)
            return false;
        cli_progress_add(0, found);
        line += w->offsets[found];
    }
    w->n_bytes += n;
    return true;
}

bool cli_item(cli_worker *w, bp_bytes line, uint64_t at)
{
    w->lines[0] = line;
    w->is_quoted = w->feed->o->csv && memchr(line.ptr, '"', line.len);
    const uint64_t ends = w->is_quoted ? cli_count_ends(line.ptr, line.len, '\n') : 0;
    return give_lines(w, &(origin){line.ptr, at}, 1, ends + 1);
}
