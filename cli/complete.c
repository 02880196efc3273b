/* SPDX-License-Identifier: MIT
 * complete.c - a filter of a set that is complete: `filter build` for kinds that are
 * built of all their items at once. The hashes of the items are kept until the end. */
#include "complete.h"

#include "explain.h"

#include <stdlib.h>
#include <string.h>

typedef struct collected {
    uint64_t *hashes;
    size_t n, room;
} collected;

static void *open_collected(void *ctx, bp_status *st)
{
    *st = BP_OK;
    return ctx;
}

static bp_status collect(void *worker, const uint64_t *hashes, size_t n)
{
    collected *c = worker;
    if (n > c->room - c->n) {
        const size_t room = 2 * c->room + n;
        uint64_t *more = room > SIZE_MAX / 8 ? NULL : realloc(c->hashes, 8 * room);
        if (!more)
            return BP_NOMEM;
        c->hashes = more;
        c->room = room;
    }
    memcpy(c->hashes + c->n, hashes, 8 * n);
    c->n += n;
    return BP_OK;
}

static bp_status close_collected(void *ctx, void *worker, bool failed)
{
    (void)ctx;
    (void)worker;
    (void)failed;
    return BP_OK;
}

static int read_all(const cli_options *o, const bp_hash_spec *hash, collected *c,
                    cli_tally *tally)
{
    bool fatal = false;
    cli_options with = *o;
    with.threads = 1;
    const cli_sink sink = {.ctx = c,
                           .open = open_collected,
                           .hashes = collect,
                           .hash = hash,
                           .close = close_collected};
    const int code = cli_read(&with, &sink, tally, &fatal);
    if (code)
        cli_hint("no filter was written: it would answer no for the items that are "
                 "missing");
    return code;
}

static void tell(const cli_options *o, const bp_any *s, const cli_tally *tally)
{
    cli_text lines, items, size, rate;
    static bp_description d;
    if (!o->verbose)
        return;
    bp_any_describe(s, &d);
    const uint64_t n = cli_figure(&d, "items")->whole;
    const double bits = cli_figure(&d, "bits_per_item")->real * (double)n;
    cli_note(o, "%s lines, %s different, in a filter of %s at %s",
             cli_grouped(lines, tally->lines), cli_grouped(items, n),
             cli_size_text(size, bits / 8),
             cli_percent(rate, cli_figure(&d, "fpr_design")->real));
}

int cli_build_complete(const cli_options *o, uint32_t kind, const cli_config *config)
{
    collected c = {NULL, 0, 0};
    cli_tally tally;
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    bp_any *s = NULL;
    bp_status st = bp_any_new(&s, kind, config, &why);
    if (st)
        return cli_library_error(o->command->name, st, &why);
    const bp_hash_spec hash = cli_hash_of(s);
    cli_explain(o, s, NULL, true);
    int code = read_all(o, &hash, &c, &tally);
    if (!code) {
        st = bp_any_build_hashes(s, c.hashes, c.n, &why);
        code =
            st ? cli_library_error(o->command->name, st, &why) : cli_write_sketch(o, s);
    }
    if (!code)
        tell(o, s, &tally);
    free(c.hashes);
    bp_any_free(s);
    return code;
}
