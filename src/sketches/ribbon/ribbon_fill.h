/* SPDX-License-Identifier: MIT
 * ribbon_fill.h - asking and filling in, by the best instructions there are. */
#ifndef BP_RIBBON_FILL_H
#define BP_RIBBON_FILL_H

#include "sketches/ribbon/ribbon_state.h"

/* What the loops need of a filter. */
typedef struct ribbon_map {
    ribbon_layer layer[RIBBON_LAYERS];
    uint32_t columns;
    uint32_t width;
    uint32_t seed;
    bool bumping; /* there are layers before the last           */
    bool is_near; /* so small that fetching ahead is in the way */
} ribbon_map;

/* The equations of one layer, solved as far as each begins in a slot of its own. */
typedef struct ribbon_system {
    uint64_t *rows;  /* width / 64 words a slot: coefficients from it on; 0: none */
    uint32_t *marks; /* what each adds up to; NULL: all 0 */
    uint32_t columns;
    uint32_t width;
} ribbon_system;

BP_INTERNAL size_t bp_ribbon_ask(const ribbon_map *m, const uint64_t *hashes, size_t n,
                                 uint8_t *hit);
/* The words of a layer, at `words`, from its equations. */
BP_INTERNAL void bp_ribbon_fill(const ribbon_system *e, const ribbon_layer *l,
                                uint8_t *words);

#endif
