/* SPDX-License-Identifier: MIT
 * items.c - from whole lines to items, a thousand at a time.
 *
 * The block was just read, so it is in the second-level cache; what is made of it (ends
 * of lines, hashes) is sized to stay in the first. */
#include "input.h"
#include "platform/lines.h"

static void note_bad(cli_worker *w, uint64_t at, uint64_t line_in_unit)
{
    w->n_skipped++;
    if (w->bad.source && (w->bad.source->index < w->source->index ||
                          (w->bad.source->index == w->source->index && w->bad.at <= at)))
        return;
    w->bad.source = w->source;
    w->bad.at = at;
    w->bad.line = w->source->is_regular ? 0 : w->unit_line + line_in_unit + 1;
}

static bool give(cli_worker *w, const bp_bytes *keys, const bp_bytes *lines, size_t n)
{
    const cli_sink *sink = w->feed->sink;
    if (sink->hashes) {
        bp_hash_n(sink->hash, keys, n, w->hashes);
        w->st = sink->hashes(w->sink_state, w->hashes, n);
    } else {
        cli_batch batch = {.keys = keys, .lines = lines, .n = n};
        w->st = sink->keys(w->sink_state, &batch);
    }
    return w->st == BP_OK;
}

/* Cuts the field out of each line; those without it leave the batch. */
static size_t cut_fields(cli_worker *w, const char *text, size_t n, uint64_t at)
{
    const cli_options *o = w->feed->o;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        bp_bytes line = w->lines[i];
        if (!cli_field(line, o->field, o->delimiter, &w->keys[kept])) {
            note_bad(w, at + (uint64_t)((const char *)line.ptr - text),
                     w->unit_lines + i);
            continue;
        }
        w->lines[kept++] = line;
    }
    return kept;
}

static bool give_lines(cli_worker *w, const char *text, size_t n, uint64_t at)
{
    for (size_t i = 0; i < n; i++)
        w->lines[i] =
            (bp_bytes){text + w->offsets[i], w->offsets[i + 1] - w->offsets[i] - 1};
    if (w->feed->o->field == 0)
        return give(w, w->lines, w->lines, n);
    n = cut_fields(w, text, n, at);
    return n == 0 || give(w, w->keys, w->lines, n);
}

static bool give_hashes(cli_worker *w, const char *text, size_t n)
{
    const cli_sink *sink = w->feed->sink;
    bp_hash_column(sink->hash, text, w->offsets, 1, n, w->hashes);
    w->st = sink->hashes(w->sink_state, w->hashes, n);
    return w->st == BP_OK;
}

bool cli_items(cli_worker *w, const char *text, size_t n, uint64_t at)
{
    bool only_hashes = w->feed->sink->hashes && w->feed->o->field == 0;
    const char *line = text, *end = text + n; /* line: where the batch's first begins */
    const char *seen = text;
    while (seen < end) {
        size_t scanned = 0;
        size_t found = cli_line_ends(seen, (size_t)(end - seen), w->offsets + 1,
                                     CLI_LINES, &scanned);
        /* Nothing is left over: each batch ends at a line's end because what was
         * scanned beyond it is scanned again. */
        if (found == 0)
            break;
        w->offsets[0] = 0;
        bool ok = only_hashes ? give_hashes(w, line, found)
                              : give_lines(w, line, found, at + (uint64_t)(line - text));
        if (!ok)
            return false;
        w->unit_lines += found;
        line += w->offsets[found];
        seen = line;
    }
    w->n_bytes += n;
    return true;
}

bool cli_item(cli_worker *w, bp_bytes line, uint64_t at)
{
    bp_bytes key = line;
    uint64_t number = w->unit_lines++;
    const cli_options *o = w->feed->o;
    if (o->field && !cli_field(line, o->field, o->delimiter, &key)) {
        note_bad(w, at, number);
        return true;
    }
    return give(w, &key, &line, 1);
}
