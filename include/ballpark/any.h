/* SPDX-License-Identifier: MIT
 * ballpark/any.h - a sketch of unknown kind: look-up by name, id or bytes.
 *
 * Every handle of this library may be cast to `bp_any *` and, after its kind has
 * been checked with bp_any_kind(), back. The functions do what the sketch's own
 * function of that name does.
 */
#ifndef BALLPARK_ANY_H
#define BALLPARK_ANY_H

#include <ballpark/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_any bp_any;

typedef enum bp_family {
    BP_FAMILY_MEMBERSHIP = 1,
    BP_FAMILY_FREQUENCY = 2,
    BP_FAMILY_DISTINCT = 3,
    BP_FAMILY_QUANTILES = 4,
    BP_FAMILY_SIMILARITY = 5,
    BP_FAMILY_WINDOW = 6
} bp_family;

/* What this library knows of a kind. without: the laws it does not keep, as a
 * BP_WITHOUT_... mask, and reason says why ("" when it keeps them all). */
enum {
    BP_WITHOUT_VIEW = 1,
    BP_WITHOUT_PLACE = 2,
    BP_WITHOUT_HASHES = 4,     /* needs the keys themselves            */
    BP_WITHOUT_IDEMPOTENT = 8, /* merge(a, a) is not a                 */
    BP_WITHOUT_ASSOCIATIVE = 16,
    BP_WITHOUT_ESTIMATE = 32, /* has no single headline number        */
    BP_WITHOUT_UNION = 64,    /* bytes show the order of adds and merges */
    BP_WITHOUT_ADD = 128,     /* is built from all its keys at once    */
    BP_WITHOUT_MERGE = 256,
    BP_WITHOUT_LEAN_MERGE = 512 /* takes working memory, and gives it back */
};
typedef struct bp_kind_info {
    uint32_t id;
    uint32_t family; /* a bp_family */
    const char *name;
    uint32_t without;
    uint32_t reserved;
    const char *reason;
} bp_kind_info;

/* The kinds, i = 0, 1, ...; NULL past the end. And by id or name, or NULL. */
BP_API const bp_kind_info *bp_any_kind_at(size_t i);
BP_API const bp_kind_info *bp_any_kind_by_id(uint32_t id);
BP_API const bp_kind_info *bp_any_kind_by_name(const char *name);
BP_API const bp_kind_info *bp_any_kind(const bp_any *s);

/* The kind of encoded bytes and their whole length, from a header of at least 64
 * bytes; either output may be NULL. */
BP_API bp_status bp_any_peek(const void *bytes, size_t n, const bp_kind_info **kind,
                             uint64_t *size, bp_detail *why);

/* Encoded bytes carry a checksum for each MiB of their payload (the last block may be
 * shorter), so that who views a large file may verify only what it asks. payload says
 * where in the bytes it lies; verify_block checks one: BP_CORRUPT with the block's
 * offset, BP_PARAM past the last. Neither allocates. */
enum { BP_PAYLOAD_BLOCK = 1 << 20 };
BP_API bp_status bp_any_payload(const void *bytes, size_t n, uint64_t *at, uint64_t *size,
                                bp_detail *why);
BP_API bp_status bp_any_verify_block(const void *bytes, size_t n, uint64_t block,
                                     bp_detail *why);

/* cfg is the kind's own configuration, or NULL. */
BP_API bp_status bp_any_new(bp_any **out, uint32_t kind_id, const void *cfg,
                            bp_detail *why);
BP_API size_t bp_any_footprint(uint32_t kind_id, const void *cfg);
BP_API bp_status bp_any_place(bp_any **out, uint32_t kind_id, void *mem, size_t cap,
                              const void *cfg, bp_detail *why);
BP_API bp_status bp_any_view(const bp_any **out, const void *bytes, size_t n,
                             const bp_open *how, bp_detail *why);
BP_API bp_status bp_any_decode(bp_any **out, const void *bytes, size_t n,
                               const bp_open *how, bp_detail *why);
BP_API bp_status bp_any_encode(const bp_any *s, void *buf, size_t cap, size_t *size,
                               bp_detail *why);
/* The bytes [from, from + n) of what encode writes, so that a sketch larger than half of
 * the memory can be written in pieces: joined they are its encoded bytes, if it did not
 * change between them (nor may another thread add). BP_UNSUPPORTED for kinds whose bytes
 * are not as they lie in memory (hll, top_k): encode them. */
BP_API bp_status bp_any_encode_part(const bp_any *s, uint64_t from, void *buf, size_t n,
                                    bp_detail *why);
BP_API bp_status bp_any_clone(bp_any **out, const bp_any *s, bp_detail *why);
BP_API void bp_any_reset(bp_any *s);
BP_API bp_status bp_any_merge(bp_any *dst, const bp_any *src, bp_detail *why);
/* cfg must have room for the kind's own configuration. */
BP_API void bp_any_config_of(const bp_any *s, void *cfg);
BP_API void bp_any_describe(const bp_any *s, bp_description *out);
BP_API void bp_any_free(const bp_any *s);

/* Adds each key once. On BP_NOMEM some may have been added. BP_UNSUPPORTED for kinds that
 * are built. */
BP_API bp_status bp_any_add_n(bp_any *s, const bp_bytes *keys, size_t n, bp_detail *why);
/* BP_UNSUPPORTED for kinds that need the keys themselves. */
BP_API bp_status bp_any_add_hashes(bp_any *s, const uint64_t *hashes, size_t n,
                                   bp_detail *why);
/* Makes s the sketch of these n keys, which replace what it held; a failed call leaves it
 * as it was. BP_UNSUPPORTED for kinds that are added to. */
BP_API bp_status bp_any_build(bp_any *s, const bp_bytes *keys, size_t n, bp_detail *why);
BP_API bp_status bp_any_build_hashes(bp_any *s, const uint64_t *hashes, size_t n,
                                     bp_detail *why);
/* The kind's headline number (items in a bloom, different keys in an hll, the total of
 * a count_min); BP_UNSUPPORTED where there is none. */
BP_API bp_status bp_any_estimate(const bp_any *s, double confidence, bp_estimate *out,
                                 bp_detail *why);

/* Filters of any kind (the family MEMBERSHIP); BP_UNSUPPORTED for other kinds, and where
 * the kind or the filter does not do it. Answers come as a bitmap and a count: the one of
 * key i is bit i % 8 of bits[i / 8], spare bits are 0 (the order of Apache Arrow); bits
 * and the counts may be NULL. Numbers are keyed by the 8 little-endian bytes of their
 * value, whatever their width; a filter of a Parquet column of INT32 has keys of 4 bytes:
 * ask it with bp_any_has_n. */
BP_API bp_status bp_any_has_n(const bp_any *s, const bp_bytes *keys, size_t n,
                              uint8_t *bits, size_t *yes, bp_detail *why);
BP_API bp_status bp_any_has_hashes(const bp_any *s, const uint64_t *hashes, size_t n,
                                   uint8_t *bits, size_t *yes, bp_detail *why);
BP_API bp_status bp_any_has_ints(const bp_any *s, const void *column, bp_int_type type,
                                 size_t n, uint8_t *bits, size_t *yes, bp_detail *why);
/* Adds, and says which keys were surely new. When a key cannot be taken (BP_FULL,
 * BP_NOMEM), *done keys before it were added, and their answers are in bits. */
BP_API bp_status bp_any_add_new_n(bp_any *s, const bp_bytes *keys, size_t n,
                                  uint8_t *bits, size_t *done, bp_detail *why);
BP_API bp_status bp_any_add_new_hashes(bp_any *s, const uint64_t *hashes, size_t n,
                                       uint8_t *bits, size_t *done, bp_detail *why);
BP_API bp_status bp_any_add_new_ints(bp_any *s, const void *column, bp_int_type type,
                                     size_t n, uint8_t *bits, size_t *done,
                                     bp_detail *why);
/* Takes one copy of each key out; the answer is whether it was there. Only keys that were
 * added may be taken out: a stranger that looks like a member takes that one's place. */
BP_API bp_status bp_any_remove_n(bp_any *s, const bp_bytes *keys, size_t n, uint8_t *bits,
                                 size_t *done, bp_detail *why);
BP_API bp_status bp_any_remove_hashes(bp_any *s, const uint64_t *hashes, size_t n,
                                      uint8_t *bits, size_t *done, bp_detail *why);
/* How many copies of the key there are at most; UINT64_MAX: no bound is known. */
BP_API bp_status bp_any_count(const bp_any *s, const void *key, size_t n,
                              uint64_t *copies, bp_detail *why);
/* The false positive rate now, as the kind's own function says. */
BP_API bp_status bp_any_fpr(const bp_any *s, double *fpr, bp_detail *why);
/* Feedback: of so many questions about keys that are not members (every no, and each yes
 * that was checked against the truth and found false), so many were answered yes. Sums
 * up, travels with the encoded bytes, and describe shows the measured rate beside the
 * predicted one; reset, merge, build and fold begin anew. BP_PARAM when false_yes is
 * larger. */
BP_API bp_status bp_any_report(bp_any *s, uint64_t strangers, uint64_t false_yes,
                               bp_detail *why);

#ifdef __cplusplus
}
#endif
#endif
