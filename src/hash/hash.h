/* SPDX-License-Identifier: MIT
 * hash.h - the one front of all hashes, for the floors above. */
#ifndef BP_HASH_H
#define BP_HASH_H

#include "core/object.h"

#include <ballpark/hash.h>

/* For bp_kind.hashing. */
BP_INTERNAL extern const bp_hashing bp_hashing_all;

/* Keys are hashed this many at a time, before memory is touched. */
enum { BP_HASH_BATCH = 256 };

/* Bytes of a number of that type; 0 for a type there is not. */
BP_INTERNAL size_t bp_hash_int_size(bp_int_type type);

/* XXH3 with seed 0, for which batches have kernels of their own (batch.c). */
BP_INTERNAL bool bp_hash_is_plain(const bp_hash_spec *spec);
BP_INTERNAL void bp_hash_xxh3_n(const bp_bytes *keys, size_t n, uint64_t *out);

BP_INTERNAL uint64_t bp_siphash24(const uint8_t key[16], const void *p, size_t n);
BP_INTERNAL uint64_t bp_murmur64a(const void *p, size_t n, uint64_t seed);
BP_INTERNAL void bp_murmur3(const void *p, size_t n, uint32_t seed, uint64_t out[2]);

/* SipHash and MurmurHash3 in pieces; the state is what the public stream holds. */
typedef struct bp_sip_stream {
    uint64_t v[4];
    uint64_t total;
    uint8_t tail[8];
} bp_sip_stream;
BP_INTERNAL void bp_sip_begin(bp_sip_stream *s, const uint8_t key[16]);
BP_INTERNAL void bp_sip_add(bp_sip_stream *s, const uint8_t *p, size_t n);
BP_INTERNAL uint64_t bp_sip_end(const bp_sip_stream *s);

typedef struct bp_murmur3_stream {
    uint64_t h[2];
    uint64_t total;
    uint8_t tail[16];
} bp_murmur3_stream;
BP_INTERNAL void bp_murmur3_begin(bp_murmur3_stream *s, uint32_t seed);
BP_INTERNAL void bp_murmur3_add(bp_murmur3_stream *s, const uint8_t *p, size_t n);
BP_INTERNAL void bp_murmur3_end(const bp_murmur3_stream *s, uint64_t out[2]);

#endif
