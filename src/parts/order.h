/* SPDX-License-Identifier: MIT
 * order.h - sorting and choosing the best, without memory of its own: heaps.
 *
 * Elements are byte strings of one size and need no alignment, so that an encoder can
 * sort in the buffer it is filling. n log n at worst, whatever the input. */
#ifndef BP_ORDER_H
#define BP_ORDER_H

#include "core/core.h"

enum { BP_ORDER_ELEMENT_MAX = 64 };

typedef struct bp_order {
    size_t size; /* bytes an element, at most BP_ORDER_ELEMENT_MAX */
    const void *ctx;
    bool (*before)(const void *ctx, const void *a, const void *b);
} bp_order;

/* Puts n elements in order. */
BP_INTERNAL void bp_order_sort(const bp_order *o, void *elements, size_t n);

/* Keeps the first `most` of all elements offered, in `elements`, *n of them so far (a
 * heap with the last one on top). Sort them when all have been offered. */
BP_INTERNAL void bp_order_offer(const bp_order *o, void *elements, size_t most, size_t *n,
                                const void *element);

#endif
