/* SPDX-License-Identifier: MIT
 * vectors.h - reads tests/vectors/NAME.json, by which an implementation in any other
 * language can be held to the same positions and bytes.
 *
 *     { "kind": "bloom", "rule": 1,
 *       "note": "how positions follow from a hash, in a sentence",
 *       "vectors": [
 *         { "config": { "bits": 8192, "hashes": 7, "hash": "siphash24",
 *                       "key": "000102...0f" },
 *           "keys": ["", "61", "626c6f6f6d"],            hex of each key
 *           "hashes": ["0x2d06800538d394c2", ...],        of each key, under config
 *           "positions": [[17, 4032, ...], ...],          of each key; kind's own form
 *           "encoded_size": 1152,
 *           "encoded_xxh3": "0x0123456789abcdef" } ] }    after adding each key once
 *
 * Whole numbers are JSON integers or, where a reader might round them, "0x" strings.
 * Every function here ends the running test when the file is not as it should be. */
#ifndef BP_TESTS_VECTORS_H
#define BP_TESTS_VECTORS_H

#include "suite.h"

#include <jansson.h>

/* tests/vectors/NAME.json; json_decref it. */
json_t *bp_vectors_load(const char *name);

/* Members of an object. Those without a default must be there. */
uint64_t bp_json_whole(const json_t *object, const char *member);
uint64_t bp_json_whole_or(const json_t *object, const char *member, uint64_t otherwise);
double bp_json_real_or(const json_t *object, const char *member, double otherwise);
bool bp_json_bool_or(const json_t *object, const char *member, bool otherwise);
const char *bp_json_text(const json_t *object, const char *member);
/* "hash" (a bp_hash_name; default xxh3), "seed" and "key" of a config. */
bp_hash_spec bp_json_hash(const json_t *config);
/* An element that is a whole number in either form. */
uint64_t bp_json_number(const json_t *value);

/* Decodes hex into out and returns the number of bytes, at most cap. */
size_t bp_from_hex(const char *hex, uint8_t *out, size_t cap);

/* XXH3-64 of a sketch's encoded bytes; *size (may be NULL) is their number. */
uint64_t bp_encoded_hash(const bp_any *s, size_t *size);

/* Checks the whole of tests/vectors/KIND.json: makes a sketch of each config, checks the
 * hashes, calls positions for each key (before it is added), adds the keys, and compares
 * size and hash of the encoded bytes; what differs is printed with the value it has.
 *   configure  fills the kind's own *cfg (zeroed, hash set) from the JSON config
 *   positions  compares those of a hash with their JSON; NULL for kinds without any */
void bp_vectors_check(const char *kind,
                      void (*configure)(const json_t *config, void *cfg),
                      void (*positions)(const bp_any *s, uint64_t hash,
                                        const json_t *expected));

#endif
