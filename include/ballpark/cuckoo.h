/* SPDX-License-Identifier: MIT
 * ballpark/cuckoo.h - is it in the set? For sets from which keys are taken out again.
 *
 * Answers    bp_cuckoo_has() is certain when it says no. A yes is wrong at the rate
 *            1 - (1 - 1/(2^bits - 1))^(8 * load): at capacity 3 %, 0.19 % or 0.012 % with
 *            tags of 8, 12 or 16 bits, and less the emptier it is.
 * Instead    of a bloom, where keys are removed, or where rates are low: two places in
 *            memory a question, whatever the rate. Instead of a counting_bloom: a third
 *            of its memory.
 * Capacity   `items` copies of any keys, no more than 8 of one key: the chance that one
 *            of them finds no room is below 1e-6. Past it adds go on until one is
 *            refused (BP_FULL), at a load of 97 % and more. A refused add changes
 *            nothing, and loses nothing of what is in.
 * Memory     8.5, 12.7 or 16.9 bits an item, a little more for few; fixed.
 * Time       one hash of the key, then two reads that do not wait for each other. Adds
 *            read and write as little until the filter is four fifths full.
 * Remove     takes one copy of a key out. Only keys that are in may be removed: for one
 *            that never was, remove answers false, but at the false positive rate it
 *            takes another key's tag, and that key is then answered no.
 * Threads    const functions together.
 * Merge      holds the copies of both: the same items, bits and hashing. It takes as much
 *            working memory as the filter has, and gives it back. BP_FULL when that is
 *            too much for one filter: dst is then as it was.
 * Paper      Fan, Andersen, Kaminsky and Mitzenmacher, "Cuckoo Filter", CoNEXT 2014;
 *            Wang et al., "Vacuum Filters", VLDB 13(2), 2019.
 * Bytes      src/sketches/cuckoo/FORMAT.md.
 */
#ifndef BALLPARK_CUCKOO_H
#define BALLPARK_CUCKOO_H

#include <ballpark/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_cuckoo bp_cuckoo;

/* Each number is a limit, and all that are given must hold: `items` at least, `fpr` and
 * `memory` at most. Without bits, the fewest whose rate is low enough; without items, as
 * many as the memory has room for. All zero is 1,000,000 items at 1 %. */
typedef struct bp_cuckoo_config {
    bp_alloc alloc;
    bp_hash_spec hash;
    uint64_t items;       /* capacity, in copies, 1 .. 2^40                        */
    double fpr;           /* false positive rate at capacity, up to 0.5; 0: 0.01, or what
                           * `bits` gives                                          */
    uint64_t memory;      /* in bytes, of the tags alone                           */
    uint32_t bits;        /* of a tag: 8, 12 or 16; 0: by fpr                      */
    uint32_t reserved32;  /* must be zero */
    uint64_t reserved[4]; /* must be zero */
} bp_cuckoo_config;

BP_SKETCH_API(cuckoo);

/* Adds a copy of the key. BP_FULL: no room, or it is in 8 times already; nothing has
 * changed then but the number of failed adds that describe shows. A filter opened without
 * its secret key (BP_OPEN_KEYLESS) takes no keys (BP_UNSUPPORTED); hashes it takes. */
BP_API bp_status bp_cuckoo_add(bp_cuckoo *s, const void *key, size_t n, bp_detail *why);
/* The same for n keys, in order. It stops at the first that is refused: *done, unless
 * NULL, gets how many were dealt with before. was_new, unless NULL, gets one byte a key:
 * 1 when it was surely not in before. */
BP_API bp_status bp_cuckoo_add_n(bp_cuckoo *s, const bp_bytes *keys, size_t n,
                                 uint8_t *was_new, size_t *done, bp_detail *why);
BP_API bp_status bp_cuckoo_add_hashes(bp_cuckoo *s, const uint64_t *hashes, size_t n,
                                      uint8_t *was_new, size_t *done, bp_detail *why);

/* Adds the key only if has() answers no, as a Bloom filter would; *was_new, unless NULL,
 * says which. A key that looks like another is then not added: remove() of either takes
 * both out. */
BP_API bp_status bp_cuckoo_add_once(bp_cuckoo *s, const void *key, size_t n,
                                    bool *was_new, bp_detail *why);
BP_API bp_status bp_cuckoo_add_once_n(bp_cuckoo *s, const bp_bytes *keys, size_t n,
                                      uint8_t *was_new, size_t *done, bp_detail *why);
BP_API bp_status bp_cuckoo_add_once_hashes(bp_cuckoo *s, const uint64_t *hashes, size_t n,
                                           uint8_t *was_new, size_t *done,
                                           bp_detail *why);

/* Takes one copy out; false: it was not there, and nothing has changed. */
BP_API bool bp_cuckoo_remove(bp_cuckoo *s, const void *key, size_t n);
/* The same for n keys, in order; returns how many were there. */
BP_API size_t bp_cuckoo_remove_n(bp_cuckoo *s, const bp_bytes *keys, size_t n,
                                 uint8_t *was_there);
BP_API size_t bp_cuckoo_remove_hashes(bp_cuckoo *s, const uint64_t *hashes, size_t n,
                                      uint8_t *was_there);

/* false: surely not in. true: in, or a false positive. Without its secret key a filter
 * answers yes to all. */
BP_API bool bp_cuckoo_has(const bp_cuckoo *s, const void *key, size_t n);
/* The same for n keys; returns the number of yes. hit, unless NULL, gets 0 or 1. */
BP_API size_t bp_cuckoo_has_n(const bp_cuckoo *s, const bp_bytes *keys, size_t n,
                              uint8_t *hit);
BP_API size_t bp_cuckoo_has_hashes(const bp_cuckoo *s, const uint64_t *hashes, size_t n,
                                   uint8_t *hit);

/* Copies of the key, 0 to 8: never fewer than there are, more when other keys look like
 * it. Without its secret key: 8. */
BP_API uint64_t bp_cuckoo_count(const bp_cuckoo *s, const void *key, size_t n);

/* Copies in it: exact, so that value and bounds are the same. BP_PARAM for a confidence
 * that is not inside (0, 1). */
BP_API bp_status bp_cuckoo_estimate(const bp_cuckoo *s, double confidence,
                                    bp_estimate *out, bp_detail *why);

/* The false positive rate now, and that of any load (0 .. 1). */
BP_API double bp_cuckoo_fpr(const bp_cuckoo *s);
BP_API double bp_cuckoo_fpr_at(uint32_t bits, double load);

/* The arithmetic of a configuration, without making a filter: fills in items, fpr, bits
 * and memory. The answer makes the same filter as the question. */
BP_API bp_status bp_cuckoo_size(const bp_cuckoo_config *cfg, bp_cuckoo_config *out,
                                bp_detail *why);

#ifdef __cplusplus
}
#endif
#endif
