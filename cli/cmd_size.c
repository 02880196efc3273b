/* SPDX-License-Identifier: MIT
 * cmd_size.c - `ballpark size`: how large, how wrong, and is it worth it?
 *
 * The sums are plan.c's and the library's; here they are laid out: what follows from
 * what was asked, what happens past the capacity, whether other hashes would be better,
 * what an exact answer costs, and when a sketch is the wrong tool. */
#include "plan.h"

#include <math.h>
#include <string.h>

static const char *const examples[] = {
    "ballpark size -n 1e6 -p 1%",
    "the kinds of filters for a million items, side by side",
    "ballpark size -n 1e6 -m 6MB --hashes 3",
    "how good is one of 6 MB with 3 hashes",
    "ballpark size -e 0.001 --delta 1%",
    "a Count-Min sketch, over by 0.1% of all at most",
    "ballpark size -e 1%",
    "a HyperLogLog sketch with a standard error of 1%",
    NULL};

static const cli_use uses[] = {
    {OPT_ITEMS, "items to hold (count_min: the sum of all counts)"},
    {OPT_FPR, "filters: false positive rate at that many items"},
    {OPT_MEMORY, NULL},
    {OPT_BITS, "bloom: size in bits"},
    {OPT_LAYOUT, NULL},
    {OPT_HASHES, "bloom, blocked_bloom: probes per item"},
    {OPT_ERROR, "hll: standard error; count_min: share of all that a count is over by"},
    {OPT_DELTA, "count_min: how often a count may be over by more"},
    {OPT_WIDTH, "count_min: counters a row"},
    {OPT_DEPTH, "count_min: rows"},
    {OPT_PRECISION, "hll: 2^P registers, 4 to 18"},
    {OPT_KIND, "a filter, count_min or hll; see below"},
    {OPT_FORMAT, NULL},
    {OPT_COLOR, NULL},
    {OPT_END, NULL}};

const cli_page page_size = {
    .usage = "[OPTION]...",
    .about = "Works out what a sketch costs and what it can promise, from whatever is "
             "known: items, rate, memory, error. Nothing is read or made.",
    .examples = examples,
    .uses = uses,
    .notes =
        "Without -k the kind is count_min if --delta, --width or --depth is given, hll "
        "if "
        "--precision or only --error is, bloom if --bits, --hashes or --memory is. "
        "Otherwise all kinds of filters are compared, a row each: bits an item, false "
        "positive rate, bytes, cache lines that a question looks at, at most, bytes that "
        "building takes, whether items can be taken out again, whether it grows, and the "
        "kind. What cannot keep the rate says so on stderr. `ballpark help kinds` says "
        "more of them.\n\n"
        "What the exact answer costs is counted as 16 bytes an item (a hash table of "
        "8-byte fingerprints kept half full, or a plain list of 16-byte ids), and 80 "
        "bytes for strings as long as a URL. Below a million items that is small, and "
        "exact is the better tool. Never let a sketch decide on billing, quotas, access "
        "or uniqueness."};

static const double overload[] = {1, 1.25, 1.5, 2, 3};
enum { OVERLOADS = sizeof overload / sizeof *overload };

enum {
    EXACT_ID = 16,     /* a table of 8-byte fingerprints half full, or 16-byte ids */
    EXACT_STRING = 80, /* a URL */
    EXACT_COUNT = 32,  /* fingerprint and count, in a table half full */
    SMALL_ITEMS = 1000000
};

/* ------------------------------------------------------------------------- numbers */

/* A figure with at most three digits, without the zeros at its end: "1.2", "109". */
static void three_digits(char *buf, size_t n, double x)
{
    snprintf(buf, n, "%.*f", x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2, x);
    if (strchr(buf, '.')) {
        size_t len = strlen(buf);
        while (buf[len - 1] == '0')
            buf[--len] = '\0';
        if (buf[len - 1] == '.')
            buf[len - 1] = '\0';
    }
}

/* Bytes in the units that disks and networks are sold in: "1.2 MB". */
static char *decimal_size(cli_text buf, double bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
    size_t u = 0;
    for (; bytes >= 999.5 && u < sizeof units / sizeof *units - 1; u++)
        bytes /= 1000;
    three_digits(buf, sizeof(cli_text), bytes);
    const size_t len = strlen(buf);
    snprintf(buf + len, sizeof(cli_text) - len, " %s", units[u]);
    return buf;
}

/* 0.0278 as "2.8%"; what is below a tenth of a percent as "2.2e-4". */
static char *rate(cli_text buf, double p)
{
    if (p >= 0.0995) {
        snprintf(buf, sizeof(cli_text), "%.1f%%", 100 * p);
        return buf;
    }
    if (p >= 0.00095 || p <= 0) {
        snprintf(buf, sizeof(cli_text), p > 0 ? "%.2g%%" : "%.0f%%", 100 * p);
        return buf;
    }
    const int e = (int)floor(log10(p) + 1e-9);
    snprintf(buf, sizeof(cli_text), "%.2ge%d", p / pow(10, e), e);
    return buf;
}

static void print_memory(const char *label, uint64_t bytes, const char *more)
{
    cli_text a, b, c;
    printf("%-16s%s = %s (%s bytes)%s\n", label, cli_size_text(a, (double)bytes),
           decimal_size(b, (double)bytes), cli_grouped(c, bytes), more);
}

static void print_exact(uint64_t items)
{
    cli_text a, b, c;
    if (!items)
        return;
    printf("%-16s%s as a hash table of 8-byte fingerprints or a list of 16-byte ids,\n"
           "%-16s%s as strings of 80 bytes, such as URLs\n",
           "exact instead", decimal_size(a, (double)items * EXACT_ID), "",
           decimal_size(b, (double)items * EXACT_STRING));
    if (items <= SMALL_ITEMS)
        printf("%-16sa set of %s items is small: as 8-byte ids it takes %s, and\n"
               "%-16sexact (sort -u, a hash set, an index) is never wrong\n",
               "", cli_grouped(c, items), decimal_size(a, 8.0 * (double)items), "");
}

/* --------------------------------------------------------------------------- bloom */

static const char *bold(const cli_options *o)
{
    return o->color ? CLI_BOLD : "";
}

static const char *plainly(const cli_options *o)
{
    return o->color ? CLI_PLAINLY : "";
}

/* The fewest hashes that already give a tenth of a percent. */
static uint32_t enough_hashes(const cli_plan *p)
{
    uint32_t k = 1;
    while (k < p->hashes && bp_bloom_fpr_at(p->bits, k, (double)p->items) > 1e-3)
        k++;
    return k;
}

/* Rate and hashes were both asked for: what the best number of hashes would take. */
static void print_smaller(const cli_plan *p, const cli_options *o)
{
    cli_text a;
    bp_bloom_config best;
    const bp_bloom_config cfg = {.items = p->items, .fpr = o->fpr};
    if (!bp_bloom_size(&cfg, &best, NULL) && best.hashes != p->hashes)
        printf("%-16s%u would keep the rate with %s bits, %.3g an item\n", "",
               best.hashes, cli_grouped(a, best.bits),
               (double)best.bits / (double)p->items);
    else
        printf("%-16sthe best for this rate\n", "");
}

/* Whether other hashes would do better, and are worth it. */
static void print_hashes(const cli_plan *p, const cli_options *o)
{
    cli_text a, b;
    const bool chosen = cli_given(o, OPT_HASHES) || cli_given(o, OPT_FPR);
    const uint32_t best = cli_best_hashes(p->bits, p->items);
    const double then = bp_bloom_fpr_at(p->bits, best, (double)p->items);
    const uint32_t enough = enough_hashes(p);
    printf("%-16s%u; %.2f would be ideal (bits an item x ln 2)\n", "hashes", p->hashes,
           (double)p->bits / (double)p->items * log(2));
    if (cli_given(o, OPT_HASHES) && cli_given(o, OPT_FPR))
        print_smaller(p, o);
    else if (best > p->hashes && p->fpr <= 1e-3)
        printf("%-16s%u would give %s, but %s is already far below 1%%:\n"
               "%-16s%u more probes an item are not worth their cost\n",
               "", best, rate(a, then), rate(b, p->fpr), "", best - p->hashes);
    else if (best > p->hashes && then < 0.95 * p->fpr)
        printf("%-16smore are worth it: %u would give %s instead of %s\n", "", best,
               rate(a, then), rate(b, p->fpr));
    else if (best < p->hashes && then < 0.95 * p->fpr)
        printf("%-16sfewer are better: %u would give %s instead of %s\n", "", best,
               rate(a, then), rate(b, p->fpr));
    else if (!chosen && enough + 3 < p->hashes)
        printf("%-16sthe best for this size, but %u already give %s (--hashes %u):\n"
               "%-16s%u more probes an item are not worth their cost if that will do\n",
               "", enough, rate(a, bp_bloom_fpr_at(p->bits, enough, (double)p->items)),
               enough, "", p->hashes - enough);
    else
        printf("%-16sthe best for this size\n", "");
}

static void print_overload(const cli_plan *p)
{
    cli_text a, b;
    printf("\n%16s  %-12s %8s  %15s\n", "items", "", "bits set", "false positives");
    for (int i = 0; i < OVERLOADS; i++) {
        const double n = overload[i] * (double)p->items;
        char times[24];
        snprintf(times, sizeof times, "%g times", overload[i]);
        printf("%16s  %-12s %7.0f%%  %15s\n", cli_grouped_real(a, n),
               i ? times : "as planned", 100 * p->filter->fill_at(p, n),
               rate(b, p->filter->fpr_at(p, n)));
    }
    putchar('\n');
    print_exact(p->items);
    puts("not for         billing, quotas, access or uniqueness: a yes may be wrong; "
         "a no never is");
}

static void bloom_human(const cli_plan *p, const cli_options *o)
{
    cli_text a, b;
    printf("%sBloom filter%s: %s items, %s false positives\n\n", bold(o), plainly(o),
           cli_grouped(a, p->items), rate(b, p->fpr));
    print_memory("memory", p->bytes, "");
    printf("%-16s%s, %.3g an item\n", "bits", cli_grouped(a, p->bits),
           (double)p->bits / (double)p->items);
    print_hashes(p, o);
    print_overload(p);
}

/* What a plain filter of the same rate would take, and what it is paid with. */
static void print_beside(const cli_plan *p)
{
    cli_text a;
    bp_bloom_config plain;
    const bp_bloom_config cfg = {.items = p->items, .fpr = p->fpr};
    if (!bp_bloom_size(&cfg, &plain, NULL))
        printf("%-16sa bloom of this rate takes %s, %.0f%% less; but the bits of an item "
               "lie\n"
               "%-16sin %u cache lines there, in one here\n",
               "beside", decimal_size(a, (double)plain.memory),
               100 - 100 * (double)plain.memory / (double)p->bytes, "", plain.hashes);
}

static void blocked_human(const cli_plan *p)
{
    cli_text a, b;
    printf("Blocked Bloom filter: %s items, %s false positives\n\n",
           cli_grouped(a, p->items), rate(b, p->fpr));
    print_memory("memory", p->bytes, "");
    printf("%-16s%s of 64 bytes, %.3g bits an item\n", "blocks",
           cli_grouped(a, p->blocks), (double)p->bits / (double)p->items);
    printf("%-16s%u, in one block\n", "hashes", p->hashes);
    print_beside(p);
    print_overload(p);
}

/* A kind that has no page of its own. */
static void other_human(const cli_plan *p)
{
    cli_text a, b;
    printf("%s: %s items, %s false positives\n\n", p->name, cli_grouped(a, p->items),
           rate(b, p->fpr));
    print_memory("memory", p->bytes, "");
    print_memory("to build it", p->build, "");
    printf("%-16s%.3g an item\n%-16s%u of the cache a question, at most\n", "bits",
           cli_bits_per_item(p), "lines", p->lines);
    if (p->filter->fpr_at)
        print_overload(p);
}

/* It grows past what -n says: at the end of every layer. */
static void scalable_human(const cli_plan *p)
{
    cli_text a, b;
    const bp_scalable_bloom_config *c = &p->config.scalable_bloom;
    bp_scalable_bloom_layer layer;
    double items = 0, bits = 0;
    uint64_t lines = 0;
    printf("scalable_bloom: a first layer for %s items, %s false positives however many "
           "come\n\n%16s  %12s  %9s  %5s\n",
           cli_grouped(a, p->items), rate(b, p->fpr), "items", "memory", "bits/item",
           "lines");
    for (uint32_t i = 0; i < 11 && !bp_scalable_bloom_size(c, i, &layer, NULL); i++) {
        items += (double)layer.items;
        bits += (double)layer.bits;
        lines += layer.kind == bp_any_kind_by_name("bloom")->id ? layer.hashes : 1;
        printf("%16s  %12s  %9.3g  %5llu\n", cli_grouped_real(a, items),
               cli_size_text(b, bits / 8), bits / items, (unsigned long long)lines);
    }
    puts("\nlines: of the cache that a question looks at, at most");
}

static void filter_human(const cli_plan *p, const cli_options *o)
{
    if (strcmp(p->name, "bloom") == 0)
        bloom_human(p, o);
    else if (strcmp(p->name, "blocked_bloom") == 0)
        blocked_human(p);
    else if (p->filter->grows)
        scalable_human(p);
    else
        other_human(p);
}

static json_t *overload_json(const cli_plan *p)
{
    json_t *rows = json_array();
    for (int i = 0; i < OVERLOADS; i++) {
        const double n = overload[i] * (double)p->items;
        json_t *row = json_object();
        json_object_set_new(row, "times", cli_json_real(overload[i]));
        json_object_set_new(row, "fpr", cli_json_real(p->filter->fpr_at(p, n)));
        json_object_set_new(row, "fill", cli_json_real(p->filter->fill_at(p, n)));
        json_array_append_new(rows, row);
    }
    return rows;
}

/* ----------------------------------------------------------------- count_min and hll */

static void count_min_human(const cli_plan *p, const cli_options *o)
{
    cli_text a, b, c, d;
    printf("%sCount-Min sketch%s: counts over by at most %s of the total, in all but %s "
           "of answers\n\n",
           bold(o), plainly(o), rate(a, p->epsilon), rate(b, p->delta));
    print_memory("memory", p->bytes, " with 32-bit counters");
    print_memory("", 2 * p->bytes, " with 64-bit ones, for counts");
    printf("%-16sabove %s\n", "", cli_grouped(a, UINT32_MAX));
    printf("%-16s%s x %u counters\n\n", "table", cli_grouped(a, p->width), p->depth);
    static const double totals[] = {1e6, 1e9};
    const double asked = (double)p->items;
    for (int i = 0; i < (p->items ? 1 : 2); i++) {
        const double n = p->items ? asked : totals[i];
        printf("%-16sof %s counted, over by at most %s\n", i ? "" : "error",
               cli_grouped_real(c, n), cli_grouped_real(d, floor(p->epsilon * n)));
    }
    if (p->items)
        printf("%-16sup to %s: 8-byte fingerprint and count for each different item, if\n"
               "%-16sno two are the same, in a hash table kept half full\n",
               "exact instead", decimal_size(a, asked * EXACT_COUNT), "");
    if (p->items && p->items <= SMALL_ITEMS)
        printf("%-16s%s counts are few: exact (sort | uniq -c) is never wrong\n", "",
               cli_grouped(a, p->items));
    puts("not for         billing or quotas, nor for rare items: a small count is mostly "
         "error");
}

/* An error asked for that is only just out of the next lower precision's reach. */
static void print_half(const cli_plan *p, const cli_options *o)
{
    const double half = p->precision > 4 ? bp_hll_standard_error(p->precision - 1) : 1;
    if (o->error > 0 && half <= 1.02 * o->error)
        printf("%-16s%.4f%% takes half the memory: --precision %u\n", "", 100 * half,
               p->precision - 1);
}

static void hll_human(const cli_plan *p, const cli_options *o)
{
    cli_text a, b;
    const double se = p->standard_error;
    printf("%sHyperLogLog%s: standard error %s, within %s in 95%% of answers\n\n",
           bold(o), plainly(o), cli_percent(a, se), cli_percent(b, 1.96 * se));
    print_memory("memory", p->bytes, ", less while few");
    print_half(p, o);
    printf("%-16s%u: %s registers of 6 bits\n\n", "precision", p->precision,
           cli_grouped(a, (uint64_t)1 << p->precision));
    if (p->items) {
        const double n = (double)p->items;
        printf("%-16sof %s different items, %s either way in 95%% of answers\n", "error",
               cli_grouped(a, p->items), cli_grouped_real(b, 1.96 * se * n));
        print_exact(p->items);
    }
    puts("not for         billing or quotas, nor to list the items: it counts them");
}

/* ------------------------------------------------------------------------ printing */

static void set_whole(json_t *j, const char *name, uint64_t v, bool is_known)
{
    if (is_known)
        json_object_set_new(j, name, cli_json_count(v));
}

static void set_real(json_t *j, const char *name, double v)
{
    if (v > 0)
        json_object_set_new(j, name, cli_json_real(v));
}

static json_t *to_json(const cli_plan *p)
{
    json_t *j = json_object();
    json_object_set_new(j, "kind", json_string(p->name));
    set_whole(j, "items", p->items, p->items > 0);
    set_real(j, "fpr", p->fpr);
    set_whole(j, "bits", p->bits, p->bits > 0);
    set_whole(j, "hashes", p->hashes, p->hashes > 0);
    set_whole(j, "blocks", p->blocks, p->blocks > 0);
    set_whole(j, "bytes", p->bytes, true);
    set_whole(j, "width", p->width, p->width > 0);
    set_whole(j, "depth", p->depth, p->depth > 0);
    set_real(j, "epsilon", p->epsilon);
    set_real(j, "delta", p->delta);
    set_whole(j, "precision", p->precision, p->precision > 0);
    set_real(j, "standard_error", p->standard_error);
    if (p->filter && p->filter->fpr_at)
        json_object_set_new(j, "overload", overload_json(p));
    return j;
}

/* The JSON object as lines of name TAB value; a row of overload as three values. */
static void print_plain(json_t *j)
{
    const char *name;
    json_t *v;
    json_object_foreach(j, name, v)
    {
        if (json_is_string(v))
            printf("%s\t%s\n", name, json_string_value(v));
        else if (json_is_integer(v))
            printf("%s\t%" JSON_INTEGER_FORMAT "\n", name, json_integer_value(v));
        else if (json_is_real(v))
            printf("%s\t%.6g\n", name, json_real_value(v));
        for (size_t i = 0; json_is_array(v) && i < json_array_size(v); i++) {
            json_t *row = json_array_get(v, i);
            printf("%s\t%g\t%.6g\t%.6g\n", name, overload[i],
                   json_number_value(json_object_get(row, "fpr")),
                   json_number_value(json_object_get(row, "fill")));
        }
    }
    json_decref(j);
}

static const cli_column csv_columns[] = {{"name", NULL, CLI_TEXT, false, NULL, NULL},
                                         {"value", NULL, CLI_TEXT, false, NULL, NULL}};

static int csv_value(cli_table *t, const char *name, const json_t *v)
{
    cli_text buf;
    const char *text = json_is_string(v) ? json_string_value(v) : buf;
    if (json_is_integer(v))
        snprintf(buf, sizeof buf, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
    else if (json_is_real(v))
        snprintf(buf, sizeof buf, "%.6g", json_real_value(v));
    const cli_cell cells[] = {{.text = name}, {.text = text}};
    return cli_table_row(t, cells);
}

/* The same; a row of overload as overload_1.25_fpr and overload_1.25_fill. */
static int print_csv(const cli_options *o, json_t *j)
{
    static const char *const figures[] = {"fpr", "fill"};
    cli_table *t = cli_table_begin(o, csv_columns, 2);
    const char *name;
    json_t *v;
    json_object_foreach(j, name, v)
    {
        if (t && !json_is_array(v))
            csv_value(t, name, v);
        for (size_t i = 0; t && i < 2 * json_array_size(v); i++) {
            char title[48];
            const char *figure = figures[i % 2];
            snprintf(title, sizeof title, "%s_%g_%s", name, overload[i / 2], figure);
            csv_value(t, title, json_object_get(json_array_get(v, i / 2), figure));
        }
    }
    json_decref(j);
    return t ? cli_table_end(t) : CLI_ERROR;
}

int cmd_size(cli_options *o)
{
    cli_plan p;
    if (o->n_files) {
        cli_error("size: %s: size reads no files", o->files[0].name);
        if (cli_kind_by_name(o->files[0].name))
            cli_hint("ballpark size -k %s", o->files[0].name);
        else
            cli_hint("`ballpark info FILE` tells what a saved sketch is");
        return CLI_ERROR;
    }
    if (cli_given(o, OPT_ITEMS) && !o->items)
        return cli_error("size: --items 0: must be at least 1");
    if (cli_prom_check(o, csv_columns, 2) || cli_plan_make(&p, o))
        return CLI_ERROR;
    if (p.kind == PLAN_FILTER && !p.filter)
        return cli_compare_filters(o);
    if (o->format == CLI_JSON)
        return cli_print_json(to_json(&p));
    if (o->format == CLI_CSV)
        return print_csv(o, to_json(&p));
    if (o->format == CLI_PLAIN)
        print_plain(to_json(&p));
    else if (p.kind == PLAN_FILTER)
        filter_human(&p, o);
    else if (p.kind == PLAN_COUNT_MIN)
        count_min_human(&p, o);
    else
        hll_human(&p, o);
    return CLI_OK;
}
