/* SPDX-License-Identifier: MIT
 * order.c - heapsort and the heap of the best so far (Williams, CACM 7, 1964). */
#include "parts/order.h"

static uint8_t *element(const bp_order *o, void *elements, size_t i)
{
    return (uint8_t *)elements + i * o->size;
}

/* Writes `x` into the heap of n whose root is vacant: the last in order stays on top.
 * x must not lie in the heap. */
static void sift_down(const bp_order *o, void *heap, size_t n, const void *x)
{
    size_t hole = 0;
    for (size_t child = 1; child < n; child = 2 * hole + 1) {
        if (child + 1 < n &&
            o->before(o->ctx, element(o, heap, child), element(o, heap, child + 1)))
            child++;
        if (!o->before(o->ctx, x, element(o, heap, child)))
            break;
        memcpy(element(o, heap, hole), element(o, heap, child), o->size);
        hole = child;
    }
    memcpy(element(o, heap, hole), x, o->size);
}

static void sift_up(const bp_order *o, void *heap, size_t hole, const void *x)
{
    while (hole && o->before(o->ctx, element(o, heap, (hole - 1) / 2), x)) {
        memcpy(element(o, heap, hole), element(o, heap, (hole - 1) / 2), o->size);
        hole = (hole - 1) / 2;
    }
    memcpy(element(o, heap, hole), x, o->size);
}

void bp_order_sort(const bp_order *o, void *elements, size_t n)
{
    uint8_t x[BP_ORDER_ELEMENT_MAX];
    for (size_t i = 1; i < n; i++) {
        memcpy(x, element(o, elements, i), o->size);
        sift_up(o, elements, i, x);
    }
    for (size_t left = n; left > 1; left--) {
        memcpy(x, element(o, elements, left - 1), o->size);
        memcpy(element(o, elements, left - 1), elements, o->size);
        sift_down(o, elements, left - 1, x);
    }
}

void bp_order_offer(const bp_order *o, void *elements, size_t most, size_t *n,
                    const void *x)
{
    if (*n < most)
        sift_up(o, elements, (*n)++, x);
    else if (most && o->before(o->ctx, x, elements))
        sift_down(o, elements, most, x);
}
