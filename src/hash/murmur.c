/* SPDX-License-Identifier: MIT
 * murmur.c - MurmurHash3 x64-128 and MurmurHash64A (Appleby, 2008 to 2011, public
 * domain), for formats of others: DataSketches, postgresql-hll, Redis. Words are read
 * little-endian on every machine. */
#include "hash/hash.h"

#define C1 0x87c37b91114253d5u
#define C2 0x4cf5ad432745937fu

static uint64_t fmix(uint64_t k)
{
    k = (k ^ k >> 33) * 0xff51afd7ed558ccdu;
    k = (k ^ k >> 33) * 0xc4ceb9fe1a85ec53u;
    return k ^ k >> 33;
}

static uint64_t mix1(uint64_t k)
{
    return bp_rotl64(k * C1, 31) * C2;
}

static uint64_t mix2(uint64_t k)
{
    return bp_rotl64(k * C2, 33) * C1;
}

static void block3(uint64_t h[2], const uint8_t *p)
{
    h[0] ^= mix1(bp_load64(p));
    h[0] = (bp_rotl64(h[0], 27) + h[1]) * 5 + 0x52dce729u;
    h[1] ^= mix2(bp_load64(p + 8));
    h[1] = (bp_rotl64(h[1], 31) + h[0]) * 5 + 0x38495ab5u;
}

void bp_murmur3_begin(bp_murmur3_stream *s, uint32_t seed)
{
    *s = (bp_murmur3_stream){.h = {seed, seed}};
}

void bp_murmur3_add(bp_murmur3_stream *s, const uint8_t *p, size_t n)
{
    size_t have = s->total & 15;
    s->total += n;
    if (have) {
        const size_t take = n < 16 - have ? n : 16 - have;
        memcpy(s->tail + have, p, take);
        if (have + take < 16)
            return;
        block3(s->h, s->tail);
        p += take;
        n -= take;
    }
    for (; n >= 16; p += 16, n -= 16)
        block3(s->h, p);
    if (n)
        memcpy(s->tail, p, n);
}

void bp_murmur3_end(const bp_murmur3_stream *s, uint64_t out[2])
{
    uint8_t last[16] = {0};
    memcpy(last, s->tail, s->total & 15);
    /* A zero word mixes to zero: absent bytes change nothing, as in the original. */
    uint64_t a = s->h[0] ^ mix1(bp_load64(last));
    uint64_t b = s->h[1] ^ mix2(bp_load64(last + 8));
    a ^= s->total;
    b ^= s->total;
    a += b;
    b += a;
    a = fmix(a);
    b = fmix(b);
    out[0] = a + b;
    out[1] = b + out[0];
}

void bp_murmur3(const void *p, size_t n, uint32_t seed, uint64_t out[2])
{
    bp_murmur3_stream s;
    bp_murmur3_begin(&s, seed);
    if (n)
        bp_murmur3_add(&s, (const uint8_t *)p, n);
    bp_murmur3_end(&s, out);
}

uint64_t bp_murmur64a(const void *key, size_t n, uint64_t seed)
{
    const uint64_t m = 0xc6a4a7935bd1e995u;
    const uint8_t *p = (const uint8_t *)key;
    uint64_t h = seed ^ (uint64_t)n * m;
    for (; n >= 8; p += 8, n -= 8) {
        const uint64_t k = bp_load64(p) * m;
        h = (h ^ (k ^ k >> 47) * m) * m;
    }
    if (n) {
        uint8_t last[8] = {0};
        memcpy(last, p, n);
        h = (h ^ bp_load64(last)) * m;
    }
    h = (h ^ h >> 47) * m;
    return h ^ h >> 47;
}
