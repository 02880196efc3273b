/* SPDX-License-Identifier: MIT
 * oom.h - allocation failing at every point of a call.
 *
 * bp_oom_run repeats a call with its n-th request for memory refused, n = 1, 2, ...
 * until a run in which nothing was refused; first that one request only, then every
 * later one too. The verbs that all kinds share are run on every kind by oom_test.c; a
 * sketch's own tests run its own verbs (fold, subtract, ...) through the same. */
#ifndef BP_TESTS_OOM_H
#define BP_TESTS_OOM_H

#include "harness.h"

typedef struct bp_oom_verb {
    const char *name;
    /* The call, on s (the case's sketch, in `alloc`). What it makes goes to *out. */
    bp_status (*act)(const bp_case *c, bp_test_alloc *alloc, bp_any *s, bp_any **out);
    /* A failed call must leave s with the bytes it had: all but batches of adds. */
    bool leaves_alone;
    /* After a failure the same call again, with memory, must give what it gives at
     * once: all but adds to kinds that count. */
    bool again_is_same;
} bp_oom_verb;

/* Runs the verb on a case in both modes; returns how many requests were refused. */
uint64_t bp_oom_run(const bp_case *c, const bp_oom_verb *verb);

#endif
