/* SPDX-License-Identifier: MIT
 * plan.c - how large a sketch has to be: which kind the options ask for, and what
 * follows for it. The library does the sums; only what it has no word for is decided
 * here: a Count-Min by its memory (width = memory / 4 depth), and a HyperLogLog by its
 * error or memory (the lowest precision that keeps the one, the highest that fits the
 * other), and a top_k by its error (the narrowest table whose bound is no larger). */
#include "plan.h"

#include <math.h>
#include <string.h>

enum { HASHES_MAX = 64, COUNTER_BYTES = 4 };

#define BIT(opt) ((uint64_t)1 << (opt))

/* Which options have a meaning for a kind that is no filter, and which ask for it by
 * themselves. */
static const struct {
    const char *name;
    uint64_t takes;
    uint64_t asks;
} kinds[] = {
    [PLAN_FILTER] = {NULL,
                     BIT(OPT_ITEMS) | BIT(OPT_FPR) | BIT(OPT_MEMORY) | BIT(OPT_BITS) |
                         BIT(OPT_HASHES),
                     BIT(OPT_FPR) | BIT(OPT_BITS) | BIT(OPT_HASHES)},
    [PLAN_COUNT_MIN] = {"count_min",
                        BIT(OPT_ITEMS) | BIT(OPT_ERROR) | BIT(OPT_DELTA) |
                            BIT(OPT_WIDTH) | BIT(OPT_DEPTH) | BIT(OPT_MEMORY),
                        BIT(OPT_DELTA) | BIT(OPT_WIDTH) | BIT(OPT_DEPTH)},
    [PLAN_HLL] = {"hll",
                  BIT(OPT_ITEMS) | BIT(OPT_ERROR) | BIT(OPT_PRECISION) | BIT(OPT_MEMORY),
                  BIT(OPT_PRECISION)},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ------------------------------------------------------------------- which kind */

static bool kind_by_name(cli_plan_kind *kind, const char *name)
{
    if (cli_filter_of(name)) {
        *kind = PLAN_FILTER;
        return true;
    }
    for (int i = PLAN_FILTER + 1; i < KINDS; i++)
        if (strcmp(kinds[i].name, name) == 0) {
            *kind = (cli_plan_kind)i;
            return true;
        }
    return false;
}

static cli_plan_kind kind_by_options(uint64_t given)
{
    for (int i = 0; i < KINDS; i++)
        if (given & kinds[i].asks)
            return (cli_plan_kind)i;
    return given & BIT(OPT_ERROR) ? PLAN_HLL : PLAN_FILTER;
}

/* The long name of the first option in the mask. */
static const char *option_name(uint64_t mask)
{
    int opt = 0;
    while (!((mask >> opt) & 1))
        opt++;
    return cli_option((cli_opt)opt)->name;
}

static int choose_kind(cli_plan *p, const cli_options *o)
{
    uint64_t all = 0;
    for (int i = 0; i < KINDS; i++)
        all |= kinds[i].takes;
    const uint64_t given = o->given & all;
    if (!o->kind)
        p->kind = kind_by_options(given);
    else if (!kind_by_name(&p->kind, o->kind->name)) {
        cli_error("%s: no arithmetic for the kind %s", o->command->name, o->kind->name);
        cli_hint("it knows the filters, count_min and hll; a top_k is a count_min (ask "
                 "for that) with its list of keys beside it");
        return CLI_ERROR;
    }
    const uint64_t foreign = given & ~kinds[p->kind].takes;
    if (!foreign)
        return CLI_OK;
    const uint64_t asked = given & kinds[p->kind].asks;
    if (o->kind)
        cli_error("%s: --%s means nothing for the kind %s", o->command->name,
                  option_name(foreign), o->kind->name);
    else
        cli_error("%s: --%s and --%s ask for different kinds of sketch", o->command->name,
                  option_name(asked ? asked : BIT(OPT_ERROR)), option_name(foreign));
    cli_hint("filters take --fpr, some --bits and --hashes; count_min --error --delta "
             "--width --depth, hll --error --precision; each --items, most --memory");
    return CLI_ERROR;
}

/* ----------------------------------------------------------------------- bloom */

uint32_t cli_best_hashes(uint64_t bits, uint64_t items)
{
    uint32_t best = 1;
    for (uint32_t k = 2; k <= HASHES_MAX; k++)
        if (bp_bloom_fpr_at(bits, k, (double)items) <
            bp_bloom_fpr_at(bits, best, (double)items))
            best = k;
    return best;
}

/* ------------------------------------------------------------------- count_min */

static int plan_count_min(cli_plan *p, const cli_options *o)
{
    if ((o->error > 0) + (o->width > 0) + (o->memory > 0) > 1) {
        cli_error("%s: --error, --width and --memory each decide the width",
                  o->command->name);
        cli_hint("give one of them");
        return CLI_ERROR;
    }
    if (o->delta > 0 && o->depth) {
        cli_error("%s: --delta and --depth each decide the depth", o->command->name);
        cli_hint("give one of them");
        return CLI_ERROR;
    }
    bp_count_min_config out;
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    bp_count_min_config cfg = {.epsilon = o->error, .delta = o->delta};
    bp_status st = bp_count_min_size(&cfg, &out, &why);
    if (!st && (o->depth || o->width || o->memory)) {
        cfg = (bp_count_min_config){.width = o->width ? o->width : out.width,
                                    .depth = o->depth ? o->depth : out.depth};
        if (o->memory)
            cfg.width = o->memory / (COUNTER_BYTES * (uint64_t)cfg.depth);
        if (!cfg.width)
            return cli_error("%s: count_min: --memory is too small for one counter a row",
                             o->command->name);
        st = bp_count_min_size(&cfg, &out, &why);
    }
    if (st)
        return cli_library_error(o->command->name, st, &why);
    p->items = o->items;
    p->width = out.width;
    p->depth = out.depth;
    p->epsilon = o->error > 0 ? o->error : out.epsilon;
    p->delta = o->delta > 0 ? o->delta : out.delta;
    p->bytes = COUNTER_BYTES * p->width * p->depth;
    return CLI_OK;
}

int cli_plan_counts(const cli_options *o, bp_count_min_config *out)
{
    cli_plan p;
    cli_options asked = *o;
    /* Sums of weights outgrow counters of 32 bits. */
    if (o->weight)
        asked.memory = (o->memory + 1) / 2;
    if (cli_plan_make(&p, &asked))
        return CLI_ERROR;
    *out = (bp_count_min_config){.epsilon = o->error,
                                 .delta = o->delta,
                                 .width = p.width,
                                 .depth = p.depth,
                                 .counter_bits = o->weight ? 64 : 32,
                                 .conservative = true};
    return CLI_OK;
}

/* ----------------------------------------------------------------------- top_k */

enum { TOP_K_COUNTER = 8, TOP_K_LEAST = 256 };
static const uint64_t top_k_most = (uint64_t)1 << 40;

double cli_top_k_share(const bp_top_k_config *made, double confidence)
{
    const uint64_t width = made->memory / TOP_K_COUNTER / made->depth;
    return pow((1 - confidence) / made->k, -1.0 / made->depth) / (double)width;
}

int cli_plan_top_k(const cli_options *o, const bp_top_k_config *made, uint64_t *memory)
{
    const uint64_t row = (uint64_t)TOP_K_COUNTER * made->depth;
    bp_top_k_config one = {.k = made->k, .depth = made->depth, .memory = row};
    const double width = ceil(cli_top_k_share(&one, o->confidence) / o->error);
    cli_text best;
    const uint64_t widest = top_k_most / row;
    if (!(width <= (double)widest)) {
        one.memory = top_k_most;
        cli_error("%s: --error %g: needs more than 1 TiB of counters", o->command->name,
                  o->error);
        cli_hint("the least is %s",
                 cli_percent(best, cli_top_k_share(&one, o->confidence)));
        return CLI_ERROR;
    }
    *memory = (uint64_t)width * row;
    if (*memory < TOP_K_LEAST)
        *memory = TOP_K_LEAST;
    return CLI_OK;
}

/* ------------------------------------------------------------------------- hll */

enum { PRECISION_MIN = 4, PRECISION_MAX = 18, PRECISION_DEFAULT = 14 };

static uint64_t hll_bytes(uint32_t precision)
{
    return ((uint64_t)1 << precision) / 4 * 3;
}

/* The lowest precision that keeps the error; 0: none does. */
static uint32_t precision_for(double error)
{
    for (uint32_t p = PRECISION_MIN; p <= PRECISION_MAX; p++)
        if (bp_hll_standard_error(p) <= error)
            return p;
    return 0;
}

static int hll_precision(cli_plan *p, const cli_options *o)
{
    p->precision = o->precision ? o->precision : PRECISION_DEFAULT;
    if (o->error > 0)
        p->precision = precision_for(o->error);
    if (o->memory) {
        p->precision = PRECISION_MAX;
        while (p->precision >= PRECISION_MIN && hll_bytes(p->precision) > o->memory)
            p->precision--;
    }
    if (p->precision >= PRECISION_MIN && p->precision <= PRECISION_MAX)
        return CLI_OK;
    if (o->error > 0) {
        cli_text best;
        cli_error("%s: hll: no precision keeps the standard error that low",
                  o->command->name);
        cli_hint("the best is %s, with --precision %d",
                 cli_percent(best, bp_hll_standard_error(PRECISION_MAX)), PRECISION_MAX);
    } else if (o->memory)
        cli_error("%s: hll: --memory is below the 12 bytes of --precision 4",
                  o->command->name);
    else
        cli_error("%s: hll: --precision is %u; it can be %d to %d", o->command->name,
                  o->precision, PRECISION_MIN, PRECISION_MAX);
    return CLI_ERROR;
}

static int plan_hll(cli_plan *p, const cli_options *o)
{
    if ((o->error > 0) + (o->precision > 0) + (o->memory > 0) > 1) {
        cli_error("%s: --error, --precision and --memory each decide an hll's size",
                  o->command->name);
        cli_hint("give one of them");
        return CLI_ERROR;
    }
    if (hll_precision(p, o))
        return CLI_ERROR;
    p->items = o->items;
    p->standard_error = bp_hll_standard_error(p->precision);
    p->bytes = hll_bytes(p->precision);
    return CLI_OK;
}

/* -k, or with a size in bits or probes the kind that has these; else it is open. */
static int plan_filter(cli_plan *p, const cli_options *o)
{
    const bool is_bloom = o->memory || o->bits || o->hashes;
    if (!o->kind && !is_bloom)
        return CLI_OK;
    return cli_plan_filter(p, cli_filter_of(o->kind ? o->kind->name : "bloom"), o, 0);
}

int cli_plan_make(cli_plan *p, const cli_options *o)
{
    *p = (cli_plan){.kind = PLAN_FILTER};
    if (choose_kind(p, o))
        return CLI_ERROR;
    p->name = kinds[p->kind].name;
    switch (p->kind) {
    case PLAN_COUNT_MIN:
        return plan_count_min(p, o);
    case PLAN_HLL:
        return plan_hll(p, o);
    default:
        return plan_filter(p, o);
    }
}
