/* SPDX-License-Identifier: MIT
 * cmd_convert.c - `ballpark convert`: a filter in fewer blocks, or in the bytes of
 * another program. */
#include "cli.h"

#include <stdlib.h>

static const char *const examples[] = {
    "ballpark convert -o names.bp table.parquet@10321+528",
    "a filter of a Parquet file, at its bloom_filter_offset, as ours",
    "ballpark convert --to parquet -o names.bloom names.bp",
    "and as a Parquet file has it",
    "ballpark convert --fold 8 -o small.bp names.bp",
    "what came out too large for its items, made smaller without them",
    NULL};

static const cli_use uses[] = {{OPT_TO, NULL},
                               {OPT_FOLD, NULL},
                               {OPT_OUTPUT, "the filter; replaced whole or not at all"},
                               {OPT_END, NULL}};

static const char *const exits[] = {
    "0  written", "2  something was wrong: the file, an option; nothing was written",
    NULL};

const cli_page page_convert = {
    .usage = "[OPTION]... [-o FILE] FILTER",
    .about =
        "Writes the FILTER, ours or Parquet's, as --to says (ballpark unless given), "
        "and with --fold in fewer blocks.",
    .examples = examples,
    .uses = uses,
    .exits = exits,
    .notes =
        "Parquet's split-block Bloom filter is a blocked_bloom of the layout split256 "
        "whose items are hashed with xxh64; others have no Parquet form. It stands "
        "inside "
        "a Parquet file as FILTER@OFFSET+LENGTH, with bloom_filter_offset and "
        "bloom_filter_length of the column's metadata; without +LENGTH its own header "
        "says it. For how many items it was made Parquet does not say: its capacity is "
        "then what its blocks hold at 1%. --fold unites neighbouring blocks, so that the "
        "filter is as if it had been made of BLOCKS, a divisor of those it has, which "
        "`info` tells. Without -o it goes to standard output."};

static int refuse_kind(const cli_options *o, const char *name, const cli_saved *s)
{
    cli_error(
        "%s: %s is a %s; only a blocked_bloom has blocks to fold, and a Parquet form",
        o->command->name, name, s->kind->name);
    cli_hint("`ballpark filter build --layout parquet` makes one from its input");
    return CLI_ERROR;
}

static int fold(const cli_options *o, const char *name, bp_any *s)
{
    bp_detail why = {0};
    if (!o->fold || !bp_blocked_bloom_fold((bp_blocked_bloom *)s, o->fold, &why))
        return CLI_OK;
    cli_error("%s: --fold %llu: is no divisor of the %llu blocks that %s has",
              o->command->name, (unsigned long long)o->fold, (unsigned long long)why.want,
              name);
    cli_hint("half of them is, if their number is even");
    return CLI_ERROR;
}

static int write_parquet(const cli_options *o, const char *name, const bp_any *any)
{
    const bp_blocked_bloom *s = (const bp_blocked_bloom *)any;
    bp_detail why = {0};
    size_t n = 0;
    bp_status st = bp_parquet_encode(s, NULL, 0, &n, &why);
    void *bytes = st ? NULL : malloc(n);
    if (!st)
        st = bytes ? bp_parquet_encode(s, bytes, n, &n, &why) : BP_NOMEM;
    const int code = st ? cli_error("%s: %s: %s", o->command->name, name,
                                    st == BP_NOMEM ? bp_status_text(st) : why.what)
                        : cli_save(o->output ? o->output : "-", bytes, n);
    if (st == BP_UNSUPPORTED)
        cli_hint("`ballpark filter build --layout parquet` makes one from its input");
    free(bytes);
    return code;
}

static int convert(const cli_options *o, const char *name, const cli_saved *s)
{
    const bool is_blocked = s->kind == bp_any_kind_by_name("blocked_bloom");
    if (!is_blocked && (o->fold || o->to != CLI_BALLPARK))
        return refuse_kind(o, name, s);
    if (fold(o, name, s->sketch))
        return CLI_ERROR;
    return o->to == CLI_PARQUET ? write_parquet(o, name, s->sketch)
                                : cli_write_sketch(o, s->sketch);
}

int cmd_convert(cli_options *o)
{
    cli_saved s;
    cli_default_stdin(o);
    const char *name = o->files[0].name;
    if (o->n_files > 1)
        return cli_error("%s: converts one filter, not %zu", o->command->name,
                         o->n_files);
    if (cli_check_output(o, NULL) || cli_open_any(&s, name, o->fold > 0))
        return CLI_ERROR;
    const int code = convert(o, name, &s);
    cli_close(&s);
    return code;
}
