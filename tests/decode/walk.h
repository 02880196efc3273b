/* SPDX-License-Identifier: MIT
 * walk.h - what must be true of any bytes given to decode and view. */
#ifndef BP_TESTS_WALK_H
#define BP_TESTS_WALK_H

#include "harness.h"

typedef struct bp_walk {
    const bp_case *c;
    uint64_t tried;
    uint64_t survived;
    uint64_t viewed; /* unverified views of bytes that decode refuses */
    char doing[96];  /* what was changed: for the message when it fails */
} bp_walk;

/* n bytes, given as they are: decode answers with a sketch that re-encodes to them and
 * keeps the laws, or with an error whose offset lies inside, nothing left behind, no
 * allocation larger than the bytes justify; a verified view agrees with decode; an
 * unverified one, if it opens, can be asked, cloned and merged without harm. */
void bp_walk_try(bp_walk *w, const uint8_t *bytes, size_t n);

/* The same for the bytes with their checksums repaired, which lays the decoder bare. */
void bp_walk_try_repaired(bp_walk *w, const uint8_t *bytes, size_t n);

#endif
