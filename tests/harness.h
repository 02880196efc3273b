/* SPDX-License-Identifier: MIT
 * harness.h - what the harnesses that walk the registry share: the kinds with their
 * samples, building a sketch and reading its bytes, an allocator that counts and fails.
 * Everything here ends the running test (cmocka) when something that cannot fail does. */
#ifndef BP_TESTS_HARNESS_H
#define BP_TESTS_HARNESS_H

#include "suite.h"

/* One kind with one of its sample configurations, filled with `fill` keys. */
typedef struct bp_case {
    const bp_kind_info *kind;
    const bp_sample *sample;
    uint32_t fill;
} bp_case;

/* The i-th case of a kind: every sample with 0 keys and each of its fills. */
bool bp_case_at(const char *kind, size_t i, bp_case *out);
/* "bloom/plain-100", in memory that the next call overwrites. */
const char *bp_case_name(const bp_case *c);

/* The suite of that name, a sketch's or a harness's; NULL when there is none. */
const bp_suite *bp_suite_by_name(const char *name);

/* Writes the golden bytes of a case to standard output; returns an exit code. */
int bp_print_golden(const char *kind, const char *sample, const char *fill);

#endif
