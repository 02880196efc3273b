/* SPDX-License-Identifier: MIT
 * hash.c - the one front of all hashes.
 *
 * A key is hashed once, to 64 bits; every sketch takes all its positions from those
 * (its FORMAT.md says how). XXH3 is the default because it hashes a 16-byte key in
 * about 1.5 ns; SipHash-2-4 is for keys that an attacker chooses; the rest serve
 * formats of others. Nothing here depends on the machine. */
#include "hash/hash.h"

#include "core/xxh.h"

/* XXH3 without a seed has its own, shorter path everywhere: it is what nearly all use. */
static BP_ALWAYS_INLINE bool is_plain(const bp_hash_spec *spec)
{
    return !spec || (spec->seed == 0 && spec->id <= BP_HASH_XXH3);
}

static BP_NOINLINE uint64_t one(const bp_hash_spec *spec, const void *key, size_t n)
{
    uint64_t pair[2];
    switch (spec->id) {
    case BP_HASH_SIPHASH24:
        return bp_siphash24(spec->key, key, n);
    case BP_HASH_XXH64:
        return XXH64(key ? key : "", n, spec->seed);
    case BP_HASH_MURMUR3:
        bp_murmur3(key, n, (uint32_t)spec->seed, pair);
        return pair[0];
    case BP_HASH_MURMUR64A:
        return bp_murmur64a(key, n, spec->seed);
    default:
        return XXH3_64bits_withSeed(key, n, spec->seed);
    }
}

uint64_t bp_hash(const bp_hash_spec *spec, const void *key, size_t n)
{
    /* the seeded function, so that the other has one caller and is inlined there */
    return BP_LIKELY(is_plain(spec)) ? XXH3_64bits_withSeed(key, n, 0)
                                     : one(spec, key, n);
}

uint64_t bp_hash_u64(const bp_hash_spec *spec, uint64_t v)
{
    uint8_t b[8];
    bp_store64(b, v);
    return bp_hash(spec, b, 8);
}

size_t bp_hash_int_size(bp_int_type type)
{
    static const uint8_t sizes[] = {0, 1, 2, 4, 8, 1, 2, 4, 8};
    return (size_t)type < sizeof sizes ? sizes[type] : 0;
}

static uint64_t widened(const void *column, bp_int_type type, size_t i)
{
    switch (type) {
    case BP_INT_U8:
        return ((const uint8_t *)column)[i];
    case BP_INT_U16:
        return ((const uint16_t *)column)[i];
    case BP_INT_U32:
        return ((const uint32_t *)column)[i];
    case BP_INT_I8:
        return (uint64_t)(int64_t)((const int8_t *)column)[i];
    case BP_INT_I16:
        return (uint64_t)(int64_t)((const int16_t *)column)[i];
    case BP_INT_I32:
        return (uint64_t)(int64_t)((const int32_t *)column)[i];
    default:
        return ((const uint64_t *)column)[i];
    }
}

bp_status bp_hash_ints(const bp_hash_spec *spec, const void *column, bp_int_type type,
                       size_t n, uint64_t *out, bp_detail *why)
{
    if (bp_hash_int_size(type) == 0)
        return bp_fail(why, BP_PARAM, "a type of numbers there is not", (uint64_t)type,
                       BP_INT_I64);
    for (size_t i = 0; i < n; i++)
        out[i] = bp_hash_u64(spec, widened(column, type, i));
    return BP_OK;
}

bool bp_hash_is_plain(const bp_hash_spec *spec)
{
    return is_plain(spec);
}

void bp_hash_n(const bp_hash_spec *spec, const bp_bytes *keys, size_t n, uint64_t *out)
{
    if (is_plain(spec)) {
        bp_hash_xxh3_n(keys, n, out);
        return;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = one(spec, keys[i].ptr, keys[i].len);
}

void bp_hash_murmur3_128(const void *key, size_t n, uint32_t seed, uint64_t out[2])
{
    bp_murmur3(key, n, seed, out);
}

/* ------------------------------------------------------------------- specifications */

static bool is_known(uint32_t id)
{
    return id >= BP_HASH_XXH3 && id <= BP_HASH_MURMUR64A;
}

static bool is_keyed(uint32_t id)
{
    return id == BP_HASH_SIPHASH24;
}

/* What is stored in a secret key's stead: SipHash of a fixed text under it. */
static uint64_t key_check(const bp_hash_spec *spec)
{
    static const char text[] = "ballpark key check";
    return bp_siphash24(spec->key, text, sizeof text - 1);
}

const char *bp_hash_name(uint32_t id)
{
    static const char *const names[] = {"xxh3",  "xxh3",    "siphash24",
                                        "xxh64", "murmur3", "murmur64a"};
    return id < sizeof names / sizeof *names ? names[id] : "unknown";
}

bp_status bp_hash_check(const bp_hash_spec *spec, bp_detail *why)
{
    if (!spec)
        return BP_OK;
    if (spec->id != BP_HASH_DEFAULT && !is_known(spec->id))
        return bp_fail(why, BP_PARAM, "there is no hash with this id", spec->id,
                       BP_HASH_MURMUR64A);
    if (spec->reserved)
        return bp_fail(why, BP_PARAM, "a reserved field of the hash is set",
                       spec->reserved, 0);
    if (is_keyed(spec->id) && spec->seed)
        return bp_fail(why, BP_PARAM, "SipHash has a key, not a seed", spec->seed, 0);
    if (spec->id == BP_HASH_MURMUR3 && spec->seed > UINT32_MAX)
        return bp_fail(why, BP_PARAM, "MurmurHash3 takes a 32-bit seed", spec->seed,
                       UINT32_MAX);
    for (int i = 0; i < 16 && !is_keyed(spec->id); i++)
        if (spec->key[i])
            return bp_fail(why, BP_PARAM, "only SipHash takes a key", spec->id,
                           BP_HASH_SIPHASH24);
    return BP_OK;
}

const bp_hashing bp_hashing_all = {is_known, bp_hash_name, bp_hash_check, is_keyed,
                                   key_check};

/* -------------------------------------------------------------------------- streams */

typedef struct stream {
    uint64_t id;
    union {
        XXH3_state_t xxh3; /* asks for 64-byte alignment */
        XXH64_state_t xxh64;
        bp_sip_stream sip;
        bp_murmur3_stream murmur3;
    } u;
} stream;

/* The aligned room inside the caller's struct. */
static stream *inside(const bp_hash_stream *s)
{
    return (stream *)(((uintptr_t)s + 63) & ~(uintptr_t)63);
}

bp_status bp_hash_begin(bp_hash_stream *s, const bp_hash_spec *spec, bp_detail *why)
{
    static const bp_hash_spec plain = {BP_HASH_XXH3, 0, 0, {0}};
    _Static_assert(sizeof(stream) + 63 <= sizeof(bp_hash_stream), "room for alignment");
    if (!spec)
        spec = &plain;
    bp_status st = bp_hash_check(spec, why);
    if (st)
        return st;
    stream *t = inside(s);
    t->id = spec->id;
    switch (spec->id) {
    case BP_HASH_MURMUR64A:
        return bp_fail(why, BP_UNSUPPORTED, "MurmurHash64A needs the whole key at once",
                       spec->id, 0);
    case BP_HASH_SIPHASH24:
        bp_sip_begin(&t->u.sip, spec->key);
        break;
    case BP_HASH_XXH64:
        XXH64_reset(&t->u.xxh64, spec->seed);
        break;
    case BP_HASH_MURMUR3:
        bp_murmur3_begin(&t->u.murmur3, (uint32_t)spec->seed);
        break;
    default:
        XXH3_INITSTATE(&t->u.xxh3); /* else a seed left on the stack is believed */
        XXH3_64bits_reset_withSeed(&t->u.xxh3, spec->seed);
    }
    return BP_OK;
}

void bp_hash_add(bp_hash_stream *s, const void *piece, size_t n)
{
    stream *t = inside(s);
    if (n == 0)
        return;
    switch (t->id) {
    case BP_HASH_SIPHASH24:
        bp_sip_add(&t->u.sip, (const uint8_t *)piece, n);
        break;
    case BP_HASH_XXH64:
        XXH64_update(&t->u.xxh64, piece, n);
        break;
    case BP_HASH_MURMUR3:
        bp_murmur3_add(&t->u.murmur3, (const uint8_t *)piece, n);
        break;
    default:
        XXH3_64bits_update(&t->u.xxh3, piece, n);
    }
}

uint64_t bp_hash_end(const bp_hash_stream *s)
{
    const stream *t = inside(s);
    uint64_t pair[2];
    switch (t->id) {
    case BP_HASH_SIPHASH24:
        return bp_sip_end(&t->u.sip);
    case BP_HASH_XXH64:
        return XXH64_digest(&t->u.xxh64);
    case BP_HASH_MURMUR3:
        bp_murmur3_end(&t->u.murmur3, pair);
        return pair[0];
    default:
        return XXH3_64bits_digest(&t->u.xxh3);
    }
}
