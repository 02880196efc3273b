/* SPDX-License-Identifier: MIT
 * ballpark/hash.h - the hashes behind the sketches, for callers that hash ahead.
 *
 * A 64-bit hash computed here with a sketch's own bp_hash_spec and handed to its
 * `_hashes` functions is the same as handing it the key. XXH3 and XXH64 are those
 * of the xxHash library; SipHash-2-4 is Aumasson and Bernstein's (Indocrypt 2012);
 * MurmurHash3 x64-128 and MurmurHash64A are Appleby's, for foreign formats.
 */
#ifndef BALLPARK_HASH_H
#define BALLPARK_HASH_H

#include <ballpark/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The hash of one key. spec NULL means XXH3, seed 0; an unknown id hashes as XXH3
 * with its seed (check it with bp_hash_check). */
BP_API uint64_t bp_hash(const bp_hash_spec *spec, const void *key, size_t n);

/* The hash of the whole number v: of its 8 little-endian bytes. */
BP_API uint64_t bp_hash_u64(const bp_hash_spec *spec, uint64_t v);

/* out[i] = the hash of keys[i], i < n. */
BP_API void bp_hash_n(const bp_hash_spec *spec, const bp_bytes *keys, size_t n,
                      uint64_t *out);

/* The same for keys that stand one after another: key i is text[offsets[i] ..
 * offsets[i + 1] - gap), so offsets has n + 1 members. gap 1 are lines of a text, each
 * followed by its line end; gap 0 is an Arrow column of strings. */
BP_API void bp_hash_column(const bp_hash_spec *spec, const void *text,
                           const uint32_t *offsets, uint32_t gap, size_t n,
                           uint64_t *out);

/* out[i] = the hash of number i, as bp_hash_u64 of its value widened to 64 bits: the same
 * number has the same hash in a column of any width. BP_PARAM for a type there is not. */
BP_API bp_status bp_hash_ints(const bp_hash_spec *spec, const void *column,
                              bp_int_type type, size_t n, uint64_t *out, bp_detail *why);

/* BP_OK, or BP_PARAM saying what is wrong with the spec. */
BP_API bp_status bp_hash_check(const bp_hash_spec *spec, bp_detail *why);

/* "xxh3", "siphash24", ...; "unknown" for a number that is none. */
BP_API const char *bp_hash_name(uint32_t id);

/* MurmurHash3 x64-128, whole: out[0] is the half that BP_HASH_MURMUR3 uses. */
BP_API void bp_hash_murmur3_128(const void *key, size_t n, uint32_t seed,
                                uint64_t out[2]);

/* A key that does not fit in memory, fed in pieces: begin, add, add, ..., end.
 * The result equals bp_hash of the pieces joined. MurmurHash64A needs the length
 * first and answers BP_UNSUPPORTED. The struct may live on the stack; it must not be
 * moved while in use. */
typedef struct bp_hash_stream {
    uint64_t private_[88];
} bp_hash_stream;
BP_API bp_status bp_hash_begin(bp_hash_stream *s, const bp_hash_spec *spec,
                               bp_detail *why);
BP_API void bp_hash_add(bp_hash_stream *s, const void *piece, size_t n);
BP_API uint64_t bp_hash_end(const bp_hash_stream *s);

#ifdef __cplusplus
}
#endif
#endif
