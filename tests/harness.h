/* SPDX-License-Identifier: MIT
 * harness.h - what the harnesses that walk the registry share: the kinds with their
 * samples, building a sketch and reading its bytes, an allocator that counts and fails.
 * Everything here ends the running test (cmocka) when something that cannot fail does. */
#ifndef BP_TESTS_HARNESS_H
#define BP_TESTS_HARNESS_H

#include "suite.h"

#include "core/object.h"
#include "repair.h"

/* ------------------------------------------------------------------- the allocator */

/* Checks every old_size, never grows in place, fills new memory with 0xA5 and old memory
 * with 0xDD: what is used uninitialised, stale or after it was freed shows. */
typedef struct bp_test_alloc {
    size_t live;         /* bytes handed out and not given back                       */
    size_t peak;         /* the most live there were                                  */
    size_t most;         /* the largest single request                                */
    uint64_t asks;       /* calls that asked for memory                               */
    uint64_t fail_at;    /* the first of them that fails, from 1; 0: none       */
    bool fail_after;     /* and every later one, too                            */
    uint64_t failed;     /* how many did                                        */
    uint64_t wrong_size; /* calls whose old_size was not the size last asked for */
} bp_test_alloc;

bp_alloc bp_test_allocator(bp_test_alloc *a);
/* From the next call on: the n-th fails (0: none), then all when `after`. */
void bp_test_fail(bp_test_alloc *a, uint64_t n, bool after);
/* Nothing live, no wrong old_size: the end of every test that uses one. */
void bp_test_alloc_done(const bp_test_alloc *a);

/* ----------------------------------------------------------------------- the cases */

/* One kind with one of its sample configurations, filled with `fill` keys. */
typedef struct bp_case {
    const bp_kind_info *kind;
    const bp_kind *table;
    const bp_sample *sample;
    uint32_t fill;
} bp_case;

/* The i-th case of a kind: every sample with 0 keys and each of its fills. */
bool bp_case_at(const char *kind, size_t i, bp_case *out);
/* "bloom/plain-100", in memory that the next call overwrites. */
const char *bp_case_name(const bp_case *c);

/* The suite of that name, a sketch's or a harness's; NULL when there is none. */
const bp_suite *bp_suite_by_name(const char *name);
/* The folder of a kind: "src/sketches/bloom". */
const char *bp_kind_folder(const char *name);

/* A kind's configuration of any kind, changeable. */
typedef union bp_test_config {
    bp_config_prefix prefix;
    uint8_t bytes[512];
    max_align_t align;
} bp_test_config;

/* The sample's configuration; alloc NULL means malloc's. */
bp_test_config bp_case_config(const bp_case *c, bp_test_alloc *alloc);
/* The same hashing with another seed, or another secret. */
void bp_other_seed(bp_hash_spec *hash);
bool bp_is_keyed(const bp_hash_spec *hash);
/* How its bytes are opened: with its key, if it has one. */
bp_open bp_case_open(const bp_case *c, bp_test_alloc *alloc);

/* ---------------------------------------------------------------- sketches and bytes */

/* A new empty sketch; one with keys first .. first + n - 1; one as the case says. */
bp_any *bp_make_empty(const bp_case *c, bp_test_alloc *alloc);
bp_any *bp_make_range(const bp_case *c, bp_test_alloc *alloc, uint64_t first, size_t n);
bp_any *bp_make(const bp_case *c, bp_test_alloc *alloc);
/* Adds harness keys (tests/keys.h) in batches; BP_OK or the status of the first batch
 * that failed. A kind that is built (BP_WITHOUT_ADD) is built from these keys instead. */
bp_status bp_add_range(bp_any *s, uint64_t first, size_t n);
/* Keys, or their hashes, by whichever of add and build the kind has. */
bp_status bp_take_keys(bp_any *s, const bp_bytes *keys, size_t n);
bp_status bp_take_hashes(bp_any *s, const uint64_t *hashes, size_t n);
/* dst + src; of a kind that does not merge (BP_WITHOUT_MERGE) that it says so, changes
 * nothing, and BP_OK: for tests of which merging is a part. `merged` tells. */
bp_status bp_merge_or_refuse(const bp_case *c, bp_any *dst, const bp_any *src,
                             bool *merged);

typedef struct bp_buf {
    uint8_t *p;
    size_t n;
} bp_buf;

bp_buf bp_encoded(const bp_any *s);
bp_buf bp_buf_copy(const void *p, size_t n);
void bp_buf_free(bp_buf *b);
bool bp_buf_equal(bp_buf a, bp_buf b);
/* The sketches encode to the same bytes; fails naming the case and the first difference.
 */
void bp_same(const bp_case *c, const char *what, const bp_any *have, const bp_any *want);
void bp_same_bytes(const bp_case *c, const char *what, bp_buf have, bp_buf want);
void bp_expect(const bp_case *c, const char *what, bp_status have, bp_status want);

/* Writes the golden bytes of a case to standard output; returns an exit code. */
int bp_print_golden(const char *kind, const char *sample, const char *fill);

/* For test names made from the registry: BP_EACH_KIND(LAW) style lists pass the kind's
 * name as the test's state. */
#define BP_KIND_TEST(kind, function)                                                     \
    {                                                                                    \
#kind ": " #function, function, NULL, NULL, (void *)#kind                        \
    }
/* Runs `body` for each case c of the kind named by *state. */
#define BP_FOR_CASES(c, state)                                                           \
    bp_case c;                                                                           \
    for (size_t c##_i = 0; bp_case_at((const char *)*(state), c##_i, &c); c##_i++)

#endif
