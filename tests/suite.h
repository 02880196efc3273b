/* SPDX-License-Identifier: MIT
 * suite.h - how a sketch hands its tests and its sample configurations to the runner
 * and to the harnesses that walk the registry. Test code only. */
#ifndef BP_TESTS_SUITE_H
#define BP_TESTS_SUITE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ballpark/ballpark.h>

/* Each src/ROOM/NAME/NAME_test.c defines `const bp_suite bp_suite_NAME`.
 *
 * samples: pointers to small configurations, each under 64 KiB of encoded bytes, that
 * together reach every mode of the sketch; the laws, OOM, decode, golden and fuzz
 * harnesses run on each. The first is the plainest. fills: how many of the harness's
 * keys to add for sample i so that each mode is entered (several per sample; at most
 * 8, 0-terminated, the empty sketch is always tried too). */
typedef struct bp_sample {
    const char *name;   /* "precision_4_sparse": lower case, stable: names golden files */
    const void *config; /* the sketch's own configuration                      */
    uint32_t fills[8];
} bp_sample;

typedef struct bp_suite {
    const char *name;
    const struct CMUnitTest *tests;
    size_t test_count;
    const bp_sample *samples;
    size_t sample_count;
} bp_suite;

/* Set by `run --quick`, for emulators and sanitizers: a test may then do less of the
 * same, never skip. */
extern bool bp_test_quick;

/* The directory of the sources, and a file below it; set by the build. */
#ifndef BP_SOURCE_DIR
#define BP_SOURCE_DIR "."
#endif

#endif
