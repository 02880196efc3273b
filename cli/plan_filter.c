/* SPDX-License-Identifier: MIT
 * plan_filter.c - how large a filter has to be, of whichever kind, and which kind to
 * take.
 *
 * What kinds differ in is one table: the options that mean something to each, the
 * library's sums, and what a person who chooses wants to know beside the size. A kind
 * that cannot do what is asked says why in the library's words. */
#include "plan.h"

#include <math.h>
#include <string.h>

#define BIT(opt) ((uint64_t)1 << (opt))

enum { HASH_BYTES = 8, SHARD_ITEMS = 1 << 21 };

static double rate_or_usual(const cli_options *o)
{
    return o->fpr > 0 ? o->fpr : CLI_FPR_USUAL;
}

/* --------------------------------------------------------------------- the sums, by kind
 */

static bp_status size_bloom(cli_config *made, const cli_options *o, bp_detail *why)
{
    const bp_bloom_config cfg = {.items = o->items,
                                 .fpr = o->fpr,
                                 .bits = o->bits,
                                 .memory = o->memory,
                                 .hashes = o->hashes};
    return bp_bloom_size(&cfg, &made->bloom, why);
}

static void read_bloom(cli_plan *p)
{
    const bp_bloom_config *c = &p->config.bloom;
    p->items = c->items;
    p->bits = c->bits;
    p->lines = p->hashes = c->hashes;
    p->build = p->bytes = c->memory ? c->memory : c->bits / 8;
    p->fpr = c->fpr > 0 ? c->fpr : bp_bloom_fpr_at(c->bits, c->hashes, (double)c->items);
}

static bp_status size_blocked(cli_config *made, const cli_options *o, bp_detail *why)
{
    const bp_blocked_bloom_config cfg = {.items = o->items,
                                         .fpr = o->fpr,
                                         .memory = o->memory,
                                         .hashes = o->hashes,
                                         .layout = o->layout < CLI_LAYOUT_256
                                                       ? BP_BLOCKED_BLOOM_SPLIT512
                                                       : BP_BLOCKED_BLOOM_SPLIT256};
    return bp_blocked_bloom_size(&cfg, &made->blocked_bloom, why);
}

static void read_blocked(cli_plan *p)
{
    const bp_blocked_bloom_config *c = &p->config.blocked_bloom;
    p->items = c->items;
    p->fpr = c->fpr;
    p->bits = 8 * c->memory;
    p->lines = 1;
    p->hashes = c->hashes;
    p->blocks = c->blocks;
    p->build = p->bytes = c->memory;
}

static bp_status fail(bp_detail *why, const char *what)
{
    *why = (bp_detail){.status = BP_PARAM, .what = what};
    return BP_PARAM;
}

static bp_status size_fuse(cli_config *made, const cli_options *o, bp_detail *why)
{
    const double rate = rate_or_usual(o);
    bp_binary_fuse_config *c = &made->binary_fuse;
    if (rate < 0x1p-32)
        return fail(
            why, "a binary_fuse keeps rates down to 2.4e-10: below that, take a bloom");
    if (o->items > (uint64_t)1 << 40)
        return fail(why, "a binary_fuse takes up to 2^40 items");
    c->items = o->items ? o->items : CLI_ITEMS_USUAL;
    c->bits = rate >= 0x1p-8 ? 8 : rate >= 0x1p-16 ? 16 : 32;
    return BP_OK;
}

/* Room for the most cells that so many items may need. To build it, the hashes, and the
 * library's scratch for one shard (complete.c). */
static void read_fuse(cli_plan *p)
{
    const bp_binary_fuse_config *c = &p->config.binary_fuse;
    bp_binary_fuse *empty = NULL;
    p->items = c->items;
    p->fpr = ldexp(1, -(int)c->bits);
    p->lines = 3;
    p->bytes = bp_binary_fuse_footprint(c);
    p->build = p->bytes + HASH_BYTES * p->items;
    if (!bp_binary_fuse_new(&empty, c, NULL))
        p->build += bp_binary_fuse_scratch(
            empty, p->items < SHARD_ITEMS ? (size_t)p->items : SHARD_ITEMS);
    bp_binary_fuse_free(empty);
}

static bp_status size_counting(cli_config *made, const cli_options *o, bp_detail *why)
{
    const bp_counting_bloom_config cfg = {
        .items = o->items, .fpr = o->fpr, .memory = o->memory, .hashes = o->hashes};
    return bp_counting_bloom_size(&cfg, &made->counting_bloom, why);
}

static void read_counting(cli_plan *p)
{
    const bp_counting_bloom_config *c = &p->config.counting_bloom;
    p->items = c->items;
    p->fpr = c->fpr;
    p->bits = 8 * c->memory;
    p->lines = p->hashes = c->hashes;
    p->bytes = c->memory;
    p->build = p->bytes + HASH_BYTES * p->items;
}

static bp_status size_cuckoo(cli_config *made, const cli_options *o, bp_detail *why)
{
    const bp_cuckoo_config cfg = {.items = o->items, .fpr = o->fpr, .memory = o->memory};
    return bp_cuckoo_size(&cfg, &made->cuckoo, why);
}

static void read_cuckoo(cli_plan *p)
{
    const bp_cuckoo_config *c = &p->config.cuckoo;
    p->items = c->items;
    p->fpr = c->fpr;
    p->bits = 8 * c->memory;
    p->lines = 2;
    p->bytes = c->memory;
    p->build = p->bytes + HASH_BYTES * p->items;
}

static bp_status size_ribbon(cli_config *made, const cli_options *o, bp_detail *why)
{
    bp_ribbon *empty = NULL;
    made->ribbon = (bp_ribbon_config){.items = o->items ? o->items : CLI_ITEMS_USUAL,
                                      .fpr = rate_or_usual(o)};
    const bp_status st = bp_ribbon_new(&empty, &made->ribbon, why);
    bp_ribbon_free(empty);
    return st;
}

static void read_ribbon(cli_plan *p)
{
    const bp_ribbon_config *c = &p->config.ribbon;
    bp_ribbon *empty = NULL;
    p->items = c->items;
    p->bytes = bp_ribbon_footprint(c);
    p->build = p->bytes + HASH_BYTES * p->items;
    if (!bp_ribbon_new(&empty, c, NULL))
        p->build += bp_ribbon_scratch(empty, p->items);
    bp_ribbon_free(empty);
    p->fpr = c->fpr;
    /* 2 log2(1/fpr) words of 8 bytes, which may begin anywhere in a line of 64. */
    p->lines = (uint32_t)ceil(-log2(c->fpr) / 4) + 1;
}

static bp_status size_scalable(cli_config *made, const cli_options *o, bp_detail *why)
{
    bp_scalable_bloom_layer first;
    made->scalable_bloom = (bp_scalable_bloom_config){.items = o->items, .fpr = o->fpr};
    return bp_scalable_bloom_size(&made->scalable_bloom, 0, &first, why);
}

/* While its first layer lasts. */
static void read_scalable(cli_plan *p)
{
    const bp_scalable_bloom_config *c = &p->config.scalable_bloom;
    bp_scalable_bloom_layer first;
    if (bp_scalable_bloom_size(c, 0, &first, NULL))
        return;
    p->items = first.items;
    p->fpr = c->fpr > 0 ? c->fpr : CLI_FPR_USUAL;
    p->bits = first.bits;
    p->hashes = first.hashes;
    p->lines =
        strcmp(bp_any_kind_by_id(first.kind)->name, "bloom") == 0 ? first.hashes : 1;
    p->build = p->bytes = first.bits / 8;
}

/* ------------------------------------------------------------------------ past capacity
 */

static double bloom_fpr_at(const cli_plan *p, double n)
{
    return bp_bloom_fpr_at(p->bits, p->hashes, n);
}

static double bloom_fill_at(const cli_plan *p, double n)
{
    return bp_bloom_fill_at(p->bits, p->hashes, n);
}

static double blocked_fpr_at(const cli_plan *p, double n)
{
    const bp_blocked_bloom_config *c = &p->config.blocked_bloom;
    return bp_blocked_bloom_fpr_at(c->layout, c->hashes, c->blocks, n);
}

static double blocked_fill_at(const cli_plan *p, double n)
{
    const bp_blocked_bloom_config *c = &p->config.blocked_bloom;
    return bp_blocked_bloom_fill_at(c->layout, c->hashes, c->blocks, n);
}

static double counting_fpr_at(const cli_plan *p, double n)
{
    const bp_counting_bloom_config *c = &p->config.counting_bloom;
    return bp_bloom_fpr_at(c->counters, c->hashes, n);
}

static double counting_fill_at(const cli_plan *p, double n)
{
    const bp_counting_bloom_config *c = &p->config.counting_bloom;
    return bp_bloom_fill_at(c->counters, c->hashes, n);
}

/* ------------------------------------------------------------------------------ kinds */

static const cli_filter_kind filters[] = {
    {.name = "bloom",
     .takes = BIT(OPT_ITEMS) | BIT(OPT_FPR) | BIT(OPT_MEMORY) | BIT(OPT_BITS) |
              BIT(OPT_HASHES),
     .is_united = true,
     .size = size_bloom,
     .read = read_bloom,
     .fpr_at = bloom_fpr_at,
     .fill_at = bloom_fill_at},
    {.name = "blocked_bloom",
     .takes = BIT(OPT_ITEMS) | BIT(OPT_FPR) | BIT(OPT_MEMORY) | BIT(OPT_HASHES) |
              BIT(OPT_LAYOUT),
     .is_united = true,
     .size = size_blocked,
     .read = read_blocked,
     .fpr_at = blocked_fpr_at,
     .fill_at = blocked_fill_at},
    {.name = "binary_fuse",
     .option = OPT_STATIC,
     .is_static = true,
     .takes = BIT(OPT_ITEMS) | BIT(OPT_FPR),
     .size = size_fuse,
     .read = read_fuse},
    {.name = "counting_bloom",
     .takes = BIT(OPT_ITEMS) | BIT(OPT_FPR) | BIT(OPT_MEMORY) | BIT(OPT_HASHES),
     .deletes = true,
     .size = size_counting,
     .read = read_counting,
     .fpr_at = counting_fpr_at,
     .fill_at = counting_fill_at},
    {.name = "cuckoo",
     .option = OPT_DELETABLE,
     .takes = BIT(OPT_ITEMS) | BIT(OPT_FPR) | BIT(OPT_MEMORY),
     .deletes = true,
     .size = size_cuckoo,
     .read = read_cuckoo},
    {.name = "ribbon",
     .takes = BIT(OPT_ITEMS) | BIT(OPT_FPR),
     .is_static = true,
     .size = size_ribbon,
     .read = read_ribbon},
    {.name = "scalable_bloom",
     .option = OPT_GROWING,
     .takes = BIT(OPT_ITEMS) | BIT(OPT_FPR),
     .grows = true,
     .size = size_scalable,
     .read = read_scalable},
};
enum { FILTERS = sizeof filters / sizeof *filters };

const cli_filter_kind *cli_filter_at(size_t i)
{
    return i < FILTERS ? &filters[i] : NULL;
}

const cli_filter_kind *cli_filter_of(const char *name)
{
    for (size_t i = 0; i < FILTERS; i++)
        if (strcmp(filters[i].name, name) == 0)
            return &filters[i];
    return NULL;
}

/* ------------------------------------------------------------------------- which kind */

/* From this rate on a block costs little more memory than the bits all over a bloom do.
 */
static const double blocked_from = 1e-3;

/* The rate that is asked for, or that the size makes which is. */
static double rate_asked(const cli_options *o)
{
    cli_plan p;
    bp_detail why;
    if (o->fpr > 0 || !o->memory || !o->items)
        return rate_or_usual(o);
    return cli_plan_try(&p, cli_filter_of("bloom"), o, &why) ? 0 : p.fpr;
}

static const cli_filter_kind *usual(const cli_options *o)
{
    if (o->bits || o->hashes || rate_asked(o) < blocked_from)
        return cli_filter_of("bloom");
    return cli_filter_of("blocked_bloom");
}

/* Of --static, --deletable and --growing the one that is given; 0: none. */
static int find_wish(const cli_options *o, cli_opt *wish)
{
    static const cli_opt wishes[] = {OPT_LAYOUT, OPT_STATIC, OPT_DELETABLE, OPT_GROWING};
    *wish = 0;
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        if (!cli_given(o, wishes[i]))
            continue;
        if (*wish) {
            cli_error("%s: --%s and --%s: no kind of filter is both", o->command->name,
                      cli_option(*wish)->name, cli_option(wishes[i])->name);
            cli_hint("`ballpark size` compares the kinds");
            return CLI_ERROR;
        }
        *wish = wishes[i];
    }
    return CLI_OK;
}

static bool grants(const cli_filter_kind *kind, cli_opt wish)
{
    return wish == 0 || kind->option == wish || kind->takes & BIT(wish) ||
           (wish == OPT_STATIC && kind->is_static) ||
           (wish == OPT_DELETABLE && kind->deletes);
}

/* The one to take for it; there is one for every wish. */
static const cli_filter_kind *granting(cli_opt wish)
{
    size_t i = 0;
    while (filters[i].option != wish && !(filters[i].takes & BIT(wish)))
        i++;
    return &filters[i];
}

int cli_filter_choose(const cli_options *o, const cli_filter_kind **kind)
{
    cli_opt wish;
    if (find_wish(o, &wish))
        return CLI_ERROR;
    if (!o->kind)
        *kind = wish ? granting(wish) : usual(o);
    else if (!(*kind = cli_filter_of(o->kind->name))) {
        cli_error("%s: --kind %s: cannot say whether an item is in", o->command->name,
                  o->kind->name);
        cli_hint("the filters can: `ballpark size` compares them");
        return CLI_ERROR;
    }
    if (grants(*kind, wish))
        return CLI_OK;
    cli_error("%s: --kind %s: is not what --%s asks for", o->command->name, (*kind)->name,
              cli_option(wish)->name);
    cli_hint("leave --kind away for a %s", granting(wish)->name);
    return CLI_ERROR;
}

const char *cli_filter_reason(const cli_options *o)
{
    cli_opt wish;
    if (cli_given(o, OPT_KIND))
        return "--kind";
    if (!find_wish(o, &wish) && wish)
        return wish == OPT_STATIC      ? "--static"
               : wish == OPT_DELETABLE ? "--deletable"
               : wish == OPT_GROWING   ? "--growing"
                                       : "--layout";
    if (o->bits || o->hashes)
        return "a size in bits or probes is a bloom's";
    return rate_asked(o) < blocked_from
               ? "blocks of one cache line are for rates from 0.1% on"
               : "from 0.1% on: one cache line an item, for little more memory";
}

/* ----------------------------------------------------------------------------- a plan */

void cli_plan_of(cli_plan *p, const cli_filter_kind *kind, const cli_config *config)
{
    *p = (cli_plan){.filter = kind, .name = kind->name, .config = *config};
    kind->read(p);
}

bp_status cli_plan_try(cli_plan *p, const cli_filter_kind *kind, const cli_options *o,
                       bp_detail *why)
{
    cli_config config = {.room = {0}};
    *why = (bp_detail){.status = BP_OK};
    const bp_status st = kind->size(&config, o, why);
    if (!st)
        cli_plan_of(p, kind, &config);
    return st;
}

/* "--fpr --bits" */
static void list_options(uint64_t takes, char *list, size_t room)
{
    *list = '\0';
    for (int opt = 0; opt < OPT_END; opt++) {
        const size_t at = strlen(list);
        if (takes & BIT(opt))
            snprintf(list + at, room - at, "%s--%s", at ? " " : "",
                     cli_option((cli_opt)opt)->name);
    }
}

static int check_options(const cli_options *o, const cli_filter_kind *kind)
{
    uint64_t all = 0;
    char list[160];
    for (size_t i = 0; i < FILTERS; i++)
        all |= filters[i].takes;
    for (int opt = 0; opt < OPT_END; opt++) {
        if (!(o->given & all & ~kind->takes & BIT(opt)))
            continue;
        list_options(kind->takes, list, sizeof list);
        cli_error("%s: --%s means nothing for the kind %s", o->command->name,
                  cli_option((cli_opt)opt)->name, kind->name);
        cli_hint("%s takes %s", kind->name, list);
        return CLI_ERROR;
    }
    return CLI_OK;
}

int cli_plan_filter(cli_plan *p, const cli_filter_kind *kind, const cli_options *o,
                    uint64_t items)
{
    cli_options with = *o;
    bp_detail why;
    if (items)
        with.items = items;
    if (check_options(o, kind))
        return CLI_ERROR;
    const bp_status st = cli_plan_try(p, kind, &with, &why);
    return st ? cli_library_error(o->command->name, st, &why) : CLI_OK;
}
