/* SPDX-License-Identifier: MIT
 * core.h - what every .c of the library includes first. */
#ifndef BP_CORE_H
#define BP_CORE_H

#include "core/bits.h"
#include "core/platform.h"

#include <ballpark/core.h>

BP_INTERNAL void bp_explain(bp_detail *why, bp_status status, const char *what,
                            uint64_t at, uint64_t have, uint64_t want);

/* Fills *why (may be NULL) and returns the status, so that failing is one line:
 *     return bp_fail_at(why, BP_CORRUPT, "precision is 4 to 18", 8, p, 18);
 * Inline, so that compilers and analysers see that what fails is not BP_OK. */
static inline bp_status bp_fail_at(bp_detail *why, bp_status status, const char *what,
                                   uint64_t at, uint64_t have, uint64_t want)
{
    bp_explain(why, status, what, at, have, want);
    return status;
}

/* The same where no byte is at fault. */
static inline bp_status bp_fail(bp_detail *why, bp_status status, const char *what,
                                uint64_t have, uint64_t want)
{
    return bp_fail_at(why, status, what, 0, have, want);
}

/* The allocator's three uses. bp_resolve turns {0} into malloc's. */
BP_INTERNAL bp_alloc bp_resolve(bp_alloc a);
BP_INTERNAL void *bp_allocate(const bp_alloc *a, size_t n);
BP_INTERNAL void *bp_reallocate(const bp_alloc *a, void *p, size_t old_n, size_t new_n);
BP_INTERNAL void bp_release(const bp_alloc *a, void *p, size_t n);

#endif
