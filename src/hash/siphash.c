/* SPDX-License-Identifier: MIT
 * siphash.c - SipHash-2-4 with 64 bits out (Aumasson and Bernstein, Indocrypt 2012,
 * section 2): a keyed hash that an attacker who does not know the key cannot aim.
 *
 *   v0..v3 = constants ^ key;  per 8-byte word m: v3 ^= m, 2 rounds, v0 ^= m;
 *   last word = length << 56 | rest;  v2 ^= ff, 4 rounds, xor of all four. */
#include "hash/hash.h"

static void rounds(uint64_t v[4], int n)
{
    for (int i = 0; i < n; i++) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = bp_rotl64(v[1], 13) ^ v[0];
        v[3] = bp_rotl64(v[3], 16) ^ v[2];
        v[0] = bp_rotl64(v[0], 32) + v[3];
        v[2] += v[1];
        v[3] = bp_rotl64(v[3], 21) ^ v[0];
        v[1] = bp_rotl64(v[1], 17) ^ v[2];
        v[2] = bp_rotl64(v[2], 32);
    }
}

static void absorb(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    rounds(v, 2);
    v[0] ^= word;
}

void bp_sip_begin(bp_sip_stream *s, const uint8_t key[16])
{
    const uint64_t k0 = bp_load64(key), k1 = bp_load64(key + 8);
    *s = (bp_sip_stream){.v = {k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du,
                               k0 ^ 0x6c7967656e657261u, k1 ^ 0x7465646279746573u}};
}

void bp_sip_add(bp_sip_stream *s, const uint8_t *p, size_t n)
{
    size_t have = s->total & 7;
    s->total += n;
    if (have) {
        const size_t take = n < 8 - have ? n : 8 - have;
        memcpy(s->tail + have, p, take);
        if (have + take < 8)
            return;
        absorb(s->v, bp_load64(s->tail));
        p += take;
        n -= take;
    }
    for (; n >= 8; p += 8, n -= 8)
        absorb(s->v, bp_load64(p));
    if (n)
        memcpy(s->tail, p, n);
}

uint64_t bp_sip_end(const bp_sip_stream *s)
{
    uint64_t v[4];
    uint8_t last[8] = {0};
    memcpy(v, s->v, sizeof v);
    memcpy(last, s->tail, s->total & 7);
    absorb(v, bp_load64(last) | s->total << 56);
    v[2] ^= 0xff;
    rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

uint64_t bp_siphash24(const uint8_t key[16], const void *p, size_t n)
{
    bp_sip_stream s;
    bp_sip_begin(&s, key);
    if (n)
        bp_sip_add(&s, (const uint8_t *)p, n);
    return bp_sip_end(&s);
}
