/* SPDX-License-Identifier: MIT
 * probes.h - the k positions that a key's hash takes among m cells, and running a loop
 * over many keys.
 *
 *     key --hash--> h       a = h,   b = second(h),   c, d = b rotated by 32, by 16
 *     position i of m       the high 64 bits of a * m;   then a += b, b += c, c += d
 *
 * One hash serves all k positions, after Kirsch and Mitzenmacher (ESA 2006), who take
 * a + i b. There, keys with nearly the same (a, b) share all positions, and so do a
 * sequence and its reversal: of m^2 / 2 sequences n keys own n, a floor of 2n / m^2 under
 * the rate that small filters feel: 100 keys at 1e-5 err 8 times too often (a test of
 * bloom shows it). Dillinger and Manolios (FMCAD 2004) add a term (triple hashing); we
 * add two, so that position i is a cubic in i with coefficients from the hash. With three
 * terms we saw 12 % too many at 100 keys and 1e-6, with four none that 3e9 questions
 * could tell. A term is one addition a probe. Positions are the high bits of a product
 * and not a remainder: no division, and filters may have more than 2^32 cells. */
#ifndef BP_PROBES_H
#define BP_PROBES_H

#include "core/core.h"
#include "hash/hash.h"

/* The positions of one key, one after the other. */
typedef struct bp_probes {
    uint64_t a, b, c, d;
} bp_probes;

static BP_ALWAYS_INLINE bp_probes bp_probes_start(uint64_t h)
{
    const uint64_t b = bp_second(h);
    return (bp_probes){h, b, bp_rotl64(b, 32), bp_rotl64(b, 16)};
}

static BP_ALWAYS_INLINE void bp_probes_step(bp_probes *w)
{
    w->a += w->b;
    w->b += w->c;
    w->c += w->d;
}

static BP_ALWAYS_INLINE uint64_t bp_probes_next(bp_probes *w, uint64_t m)
{
    const uint64_t position = bp_range(w->a, m);
    bp_probes_step(w);
    return position;
}

/* What the loops need, in registers. */
typedef struct bp_probed {
    uint8_t *cells;
    uint64_t m;
    uint32_t hashes;
    size_t size; /* bytes of cells */
} bp_probed;

enum {
    BP_PROBE_BLOCK = 128,     /* keys under way at once, of each one cell             */
    BP_PROBE_POSITIONS = 256, /* places under way at once when all probes are needed  */
    BP_PROBE_NEAR =
        256 * 1024,     /* filters of at most that many bytes are not prefetched */
    BP_PROBE_KEYS = 256 /* keys hashed at once                                  */
};

/* A flag (0 or 1) for each of n keys, and how many are 1. Flags are written even when
 * nobody wants them. */
typedef size_t bp_probe_loop(const bp_probed *p, const uint64_t *hashes, size_t n,
                             uint8_t *flags);

/* One verb. */
typedef struct bp_probe_loops {
    bp_probe_loop *near; /* for filters that fit in the cache         */
    bp_probe_loop *far;  /* for larger ones                           */
    bp_probe_loop *sure; /* the same, for keys of which most are in   */
} bp_probe_loops;

/* *sure: most keys of the block before were in, and this one is taken to be as that. */
static inline size_t bp_probe_blocks(const bp_probed *p, const bp_probe_loops *loops,
                                     const uint64_t *hashes, size_t n, uint8_t *flags,
                                     bool *sure)
{
    uint8_t unwanted[BP_PROBE_BLOCK];
    const bool near = n == 1 || p->size <= BP_PROBE_NEAR;
    size_t sum = 0;
    for (size_t i = 0; i < n; i += BP_PROBE_BLOCK) {
        const size_t m = n - i < BP_PROBE_BLOCK ? n - i : BP_PROBE_BLOCK;
        bp_probe_loop *loop = near ? loops->near : *sure ? loops->sure : loops->far;
        /* cppcheck-suppress legacyUninitvar ; it is written, not read */
        const size_t yes = loop(p, hashes + i, m, flags ? flags + i : unwanted);
        *sure = yes * 4 > m * 3;
        sum += yes;
    }
    return sum;
}

static inline size_t bp_probe_each_hash(const bp_probed *p, const bp_probe_loops *loops,
                                        const uint64_t *hashes, size_t n, uint8_t *flags)
{
    bool sure = false;
    return bp_probe_blocks(p, loops, hashes, n, flags, &sure);
}

static inline size_t bp_probe_each_key(const bp_probed *p, const bp_probe_loops *loops,
                                       const bp_hash_spec *spec, const bp_bytes *keys,
                                       size_t n, uint8_t *flags)
{
    uint64_t hashes[BP_PROBE_KEYS];
    size_t sum = 0;
    bool sure = false;
    for (size_t i = 0; i < n; i += BP_PROBE_KEYS) {
        const size_t m = n - i < BP_PROBE_KEYS ? n - i : BP_PROBE_KEYS;
        bp_hash_n(spec, keys + i, m, hashes);
        sum += bp_probe_blocks(p, loops, hashes, m, flags ? flags + i : NULL, &sure);
    }
    return sum;
}

#endif
