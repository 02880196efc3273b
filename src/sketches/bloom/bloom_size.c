/* SPDX-License-Identifier: MIT
 * bloom_size.c - how large a Bloom filter must be: a configuration in bits or bytes,
 * given to the arithmetic of parts/probe_design.c, whose cells are bits here. */
#include "sketches/bloom/bloom_state.h"

uint64_t bp_bloom_bytes(uint64_t bits)
{
    return (bits + 63) / 64 * 8;
}

double bp_bloom_fill_at(uint64_t bits, uint32_t hashes, double n)
{
    return bp_probe_fill_at(bits, hashes, n);
}

double bp_bloom_fpr_at(uint64_t bits, uint32_t hashes, double n)
{
    return bp_probe_fpr_at(bits, hashes, n);
}

/* The size in bits from bits or memory, 0 when neither was given. */
static bp_status bloom_given_bits(const bp_bloom_config *cfg, uint64_t *bits,
                                  bp_detail *why)
{
    *bits = cfg->bits ? cfg->bits : cfg->memory / 8 * 64;
    if (cfg->memory && cfg->memory < 8)
        return bp_fail(why, BP_PARAM, "a filter takes at least 8 bytes", cfg->memory, 8);
    if (cfg->memory > BP_PROBE_CELLS_MAX / 8 || cfg->bits > BP_PROBE_CELLS_MAX)
        return bp_fail(why, BP_PARAM, "a filter has 1 to 2^56 bits",
                       cfg->bits ? cfg->bits : cfg->memory, BP_PROBE_CELLS_MAX);
    if (cfg->bits && cfg->memory && cfg->memory != bp_bloom_bytes(cfg->bits))
        return bp_fail(why, BP_PARAM, "bits and memory disagree: give one of them",
                       cfg->memory, bp_bloom_bytes(cfg->bits));
    return BP_OK;
}

bp_status bp_bloom_solve(const bp_bloom_config *cfg, bp_probe_design *d, bp_detail *why)
{
    bp_probe_design given = {0, cfg->items, cfg->fpr, cfg->hashes};
    for (size_t i = 0; i < sizeof cfg->reserved8; i++)
        if (cfg->reserved8[i])
            return bp_fail(why, BP_PARAM, "a reserved configuration field is set",
                           cfg->reserved8[i], 0);
    bp_status st = bloom_given_bits(cfg, &given.cells, why);
    return st ? st : bp_probe_solve(&given, d, why);
}

bp_status bp_bloom_size(const bp_bloom_config *cfg, bp_bloom_config *out, bp_detail *why)
{
    static const bp_bloom_config none;
    bp_bloom_config full = cfg ? *cfg : none;
    bp_probe_design d;
    bp_status st = bp_bloom_solve(&full, &d, why);
    if (st)
        return st;
    full.items = d.items;
    full.bits = d.cells;
    full.hashes = d.hashes;
    full.memory = bp_bloom_bytes(d.cells);
    full.fpr = bp_probe_rate(&d);
    *out = full;
    return BP_OK;
}
