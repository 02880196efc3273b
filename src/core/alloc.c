/* SPDX-License-Identifier: MIT
 * alloc.c - the default allocator, and the three uses of any allocator. */
#include "core/core.h"

#include <stdlib.h>

static void *malloc_resize(void *ctx, void *p, size_t old_size, size_t new_size)
{
    (void)ctx;
    (void)old_size;
    if (new_size == 0) {
        free(p);
        return NULL;
    }
    return p ? realloc(p, new_size) : malloc(new_size);
}

bp_alloc bp_resolve(bp_alloc a)
{
    if (!a.resize)
        a = (bp_alloc){malloc_resize, NULL};
    return a;
}

void *bp_allocate(const bp_alloc *a, size_t n)
{
    return a->resize(a->ctx, NULL, 0, n);
}

void *bp_reallocate(const bp_alloc *a, void *p, size_t old_n, size_t new_n)
{
    return a->resize(a->ctx, p, old_n, new_n);
}

void bp_release(const bp_alloc *a, void *p, size_t n)
{
    if (p)
        a->resize(a->ctx, p, n, 0);
}
