/* SPDX-License-Identifier: MIT
 * explain.c - --explain: what a run is about to do, and why so.
 *
 * All of it is read off what was made: the parameters from describe, the reasons from the
 * table of what options decide, the bounds from the library's own sums. So it cannot say
 * one thing while the run does another. */
#include "explain.h"

#include "plan.h"
#include "state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------- the sketch */

/* "--error", "default", "from day.bp": why a parameter is as it is; "" when it follows
 * from others. */
static void reason(const cli_options *o, const char *kind, const char *figure,
                   const char *from, char *to, size_t room)
{
    const char *option = cli_decided_by(o, kind, figure);
    const bool is_filter = strstr(kind, "bloom") || strcmp(kind, "cuckoo") == 0;
    const bool has_size = o->bits || o->memory;
    const bool grows = strcmp(kind, "scalable_bloom") == 0;
    *to = '\0';
    if (!option)
        return;
    if (*option)
        snprintf(to, room, " (--%s)", option);
    else if (from)
        snprintf(to, room, " (from %s)", from);
    else if (!is_filter || (strcmp(figure, "fpr_design") == 0 && !has_size))
        snprintf(to, room, " (default)");
    else if (strcmp(figure, "items") == 0 && !has_size)
        snprintf(to, room,
                 strcmp(o->command->name, "filter build") != 0 || grows ? " (default)"
                                                                        : " (counted)");
}

static void say_figure(const bp_figure *f, const char *why)
{
    cli_text text;
    if (f->type == BP_FIGURE_REAL && strcmp(f->unit, "fraction") == 0)
        cli_percent(text, f->real);
    else if (f->type == BP_FIGURE_WHOLE && strcmp(f->unit, "bytes") == 0)
        cli_size_text(text, (double)f->whole);
    else if (f->type != BP_FIGURE_TEXT)
        cli_figure_text(f, text);
    fprintf(stderr, "%s: %s%s\n", f->name, f->type == BP_FIGURE_TEXT ? f->text : text,
            why);
}

static bool is_of_hash(const bp_figure *f)
{
    return strcmp(f->name, "hash") == 0 || strcmp(f->name, "seed") == 0 ||
           strcmp(f->name, "key_check") == 0;
}

/* Whether `filter build` had several kinds to choose from. */
static bool is_chosen(const cli_options *o, const char *kind, const char *from)
{
    return !from && cli_filter_of(kind) && strcmp(o->command->name, "filter build") == 0;
}

static void say_parameters(const cli_options *o, const bp_description *d,
                           const char *kind, const char *from)
{
    char why[256];
    fprintf(stderr, "kind: %s", kind);
    if (is_chosen(o, kind, from))
        fprintf(stderr, " (%s)", cli_filter_reason(o));
    else if (cli_given(o, OPT_KIND) && !from)
        fputs(" (--kind)", stderr);
    fputc('\n', stderr);
    for (size_t i = 0; i < d->count; i++) {
        const bp_figure *f = &d->figures[i];
        if (!f->is_parameter || is_of_hash(f) || strcmp(f->name, "kind") == 0)
            continue;
        reason(o, kind, f->name, from, why, sizeof why);
        say_figure(f, why);
    }
}

/* The most that its cells will take, and what is promised for it. */
static void say_bound(const cli_options *o, const bp_description *d, const bp_any *s,
                      const char *kind)
{
    cli_text size, a, b, c;
    cli_config made;
    bp_any_config_of(s, &made);
    cli_percent(b, o->confidence);
    if (strcmp(kind, "hll") == 0) {
        cli_size_text(size, 0.75 * (double)((uint64_t)1 << made.hll.precision));
        fprintf(stderr,
                "memory: %s at most\nbound: standard error %s; the range that is printed "
                "holds the truth with %s confidence\n",
                size, cli_percent(a, bp_hll_standard_error(made.hll.precision)), b);
    } else if (strcmp(kind, "top_k") == 0) {
        fprintf(stderr,
                "memory: %s of counters, and the candidates\nbound: exact while the "
                "different items fit; then no count is under, and with %s confidence "
                "none of %u rows is over by more than %s of all lines\n",
                cli_size_text(size, (double)made.top_k.memory), b, (unsigned)made.top_k.k,
                cli_percent(a, cli_top_k_share(&made.top_k, o->confidence)));
    } else if (strcmp(kind, "count_min") == 0) {
        const double bytes = (double)made.count_min.width * made.count_min.depth *
                             made.count_min.counter_bits / 8;
        fprintf(stderr,
                "memory: %s\nbound: no count is under; at most %s of them are over by "
                "more than %s of all lines\n",
                cli_size_text(size, bytes), cli_percent(a, cli_figure(d, "delta")->real),
                cli_percent(c, cli_figure(d, "epsilon")->real));
    } else if (strcmp(kind, "scalable_bloom") == 0) {
        fprintf(stderr,
                "memory: %s at first; layers are added as items come\nbound: a no is "
                "certain; at most %s of what is not in is taken for a member, however "
                "many items are in it\n",
                cli_size_text(size, (double)cli_figure(d, "bits")->whole / 8),
                cli_percent(a, cli_figure(d, "fpr_design")->real));
    } else if (strcmp(kind, "binary_fuse") == 0) {
        fprintf(stderr,
                "memory: %u bits for a cell, 1.13 cells an item when there are many\n"
                "bound: a no is certain; %s of what is not in is taken for a member, "
                "with any number of items in it\n",
                (unsigned)made.binary_fuse.bits,
                cli_percent(a, cli_figure(d, "fpr_design")->real));
    } else if (bp_any_kind_by_name(kind)->without & BP_WITHOUT_ADD) {
        fprintf(stderr,
                "memory: follows from the items\nbound: a no is certain; %s of what is "
                "not in is taken for a member, with any number of items in it\n",
                cli_percent(a, cli_figure(d, "fpr_design")->real));
    } else {
        fprintf(stderr,
                "memory: %s\nbound: a no is certain; %s of what is not in is taken for a "
                "member, with %s items in it\n",
                cli_size_text(size, (double)cli_figure(d, "bits")->whole / 8),
                cli_percent(a, cli_figure(d, "fpr_design")->real),
                cli_grouped(b, cli_figure(d, "items")->whole));
    }
}

static void say_hash(const cli_options *o, const bp_description *d, const char *from)
{
    const bp_figure *seed = cli_figure(d, "seed");
    const char *name = cli_figure(d, "hash")->text;
    char why[256] = " (default)";
    if (from)
        snprintf(why, sizeof why, " (from %s)", from);
    else if (cli_given(o, OPT_SEED))
        snprintf(why, sizeof why, " (--seed)");
    if (seed)
        fprintf(stderr, "hash: %s, seed %llu%s\n", name, (unsigned long long)seed->whole,
                why);
    else
        fprintf(stderr, "hash: %s, %s\n", name,
                o->key_file ? "with the key of --key-file" : "its key not at hand");
}

/* ------------------------------------------------------------------------ the input */

static void say_text(const char *name, const char *text, size_t n)
{
    char *shown = cli_shown((bp_bytes){text, n});
    fprintf(stderr, "%s %s\n", name, shown ? shown : "?");
    free(shown);
}

static void say_split(const cli_options *o)
{
    if (o->csv)
        fputs("split: at commas, quotes as RFC 4180 has them\n", stderr);
    else if (o->delimiter.len > 0)
        say_text("split: at", o->delimiter.ptr, o->delimiter.len);
    else
        fputs("split: at runs of blanks\n", stderr);
}

static void say_input(const cli_options *o)
{
    if (o->n_files > 1)
        fprintf(stderr, "input: %zu files\n", o->n_files);
    else if (o->n_files == 0 || strcmp(o->files[0].name, "-") == 0)
        fputs("input: standard input\n", stderr);
    else
        say_text("input:", o->files[0].name, strlen(o->files[0].name));
    fputs("compressed: what begins as gzip, zstd, xz, bzip2 or lz4 is decompressed\n",
          stderr);
    fprintf(stderr, "lines: end with %s%s\n", o->zero ? "a NUL byte" : "a newline",
            o->header ? "; the first of each file names the fields" : "");
    if (o->field)
        say_text("item: field", o->field, strlen(o->field));
    else
        fputs("item: the whole line\n", stderr);
    if (o->exact_file)
        say_text("checked: each yes, against", o->exact_file, strlen(o->exact_file));
    if (o->other_field)
        say_text("item of the other file: field", o->other_field, strlen(o->other_field));
    if (o->group)
        say_text("group: field", o->group, strlen(o->group));
    if (o->weight)
        say_text("weight: field", o->weight, strlen(o->weight));
    if (o->field || o->other_field || o->group || o->weight)
        say_split(o);
    if (o->trim || o->ignore_case)
        fprintf(stderr, "changed: %s%s%s\n", o->trim ? "blanks around the item go" : "",
                o->trim && o->ignore_case ? ", " : "",
                o->ignore_case ? "A to Z become a to z" : "");
    fprintf(stderr, "threads: %u at most%s\n", o->threads,
            cli_given(o, OPT_THREADS) ? " (--threads)" : "");
}

static void say_environment(void)
{
    static const char *const matter[] = {"NO_COLOR", "TERM", "COLUMNS", "TMPDIR"};
    for (size_t i = 0; i < sizeof matter / sizeof *matter; i++)
        cli_env(matter[i]);
    for (size_t i = 0; cli_env_name(i); i++) {
        const char *value = cli_env(cli_env_name(i));
        char name[64];
        snprintf(name, sizeof name, "environment %s:", cli_env_name(i));
        say_text(name, value ? value : "unset", strlen(value ? value : "unset"));
    }
}

void cli_explain(const cli_options *o, const bp_any *s, const char *from, bool reads)
{
    static bp_description d;
    if (!o->explain || !s)
        return;
    const char *kind = bp_any_kind(s)->name;
    bp_any_describe(s, &d);
    say_parameters(o, &d, kind, from);
    say_bound(o, &d, s, kind);
    if (is_chosen(o, kind, from))
        cli_filter_others(o, kind);
    say_hash(o, &d, from);
    if (o->state)
        fprintf(stderr, "state: %s, %s\n", o->state, from ? "added to" : "made new");
    if (reads)
        say_input(o);
    say_environment();
}

void cli_explain_plan(const cli_options *o, const char *plan)
{
    if (!o->explain)
        return;
    fprintf(stderr, "plan: %s\n", plan);
    say_input(o);
    say_environment();
}
