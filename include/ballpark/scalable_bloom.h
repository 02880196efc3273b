/* SPDX-License-Identifier: MIT
 * ballpark/scalable_bloom.h - is it in the set? For sets of which nobody knows how large
 * they will be.
 *
 * Answers    bp_scalable_bloom_has() is certain when it says no. A yes is wrong at the
 *            false positive rate (fpr) at most, however many keys are added: the rates of
 *            all layers, those still to come as well, add up to less than was asked.
 * How        filters of growing size, the layers: when one holds what it was made for,
 *            the next is made, `growth` times as large, at `tightening` times the rate.
 * Memory     grows with the keys: at 1 % 14 bits a key in the first layer, 19 in all when
 *            1,000 times as many are in, and twice that right after a layer was added
 *            (FORMAT.md has the table). So adds may fail with BP_NOMEM. A filter whose
 *            final size is known takes 10: use a blocked_bloom then, or large `items`.
 * Time       a no asks every layer, the newest and largest first; a yes mostly the newest
 *            two. In batches each layer is asked only for the keys no other has answered.
 * Threads    const functions together.
 * Merge      the layers of both are asked, those that both have once. The rates add up,
 *            and describe says when that is more than was asked: a filter built from all
 *            the keys is better. Same parameters and hashing; at most 64 layers.
 * Limits     a 64-bit hash: at 1 % layers are made up to 10^12 keys, at 0.0001 % up to
 *            10^9; then adds of new keys are BP_FULL, and lose nothing.
 * Paper      Almeida, Baquero, Preguica and Hutchison, Information Processing Letters
 *            101(6), 2007.
 * Bytes      src/compound/scalable_bloom/FORMAT.md.
 */
#ifndef BALLPARK_SCALABLE_BLOOM_H
#define BALLPARK_SCALABLE_BLOOM_H

#include <ballpark/core.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_scalable_bloom bp_scalable_bloom;

typedef enum bp_scalable_bloom_layout {
    BP_SCALABLE_BLOOM_DEFAULT = 0, /* BLOCKED */
    /* Layers are blocked_blooms of split512, one cache line a key, while their rate is
     * 0.01 % or more, which is what a blocked_bloom takes; after that blooms. */
    BP_SCALABLE_BLOOM_BLOCKED = 1,
    BP_SCALABLE_BLOOM_CLASSIC = 2, /* layers are blooms */
    /* Layers are blooms with the capacity, rate, bits and hashes that RedisBloom's
     * BF.RESERVE fpr items EXPANSION growth gives them; with layers = 1, NONSCALING. */
    BP_SCALABLE_BLOOM_REDIS = 3
} bp_scalable_bloom_layout;

typedef struct bp_scalable_bloom_config {
    bp_alloc alloc;
    bp_hash_spec hash;
    uint64_t items;    /* keys the first layer takes, 1 .. 2^40; 0: 100,000             */
    double fpr;        /* the rate of all layers together, 1e-12 .. 0.25; 0: 0.01       */
    double tightening; /* a layer's rate by the one before, 0.1 .. 0.95; 0: 0.8. Of
                        * REDIS always 0.5                                              */
    uint32_t growth;   /* a layer's keys by the one before, 1 .. 32768; 0: 2            */
    uint32_t layers;   /* the most layers there may be, 1 .. 64; 0: 64, which is no limit
                        * unless growth is 1. With fewer, the rate is shared out among
                        * them (not of REDIS), and adds of new keys are BP_FULL at last */
    uint32_t layout;   /* a bp_scalable_bloom_layout                                    */
    uint32_t reserved32;
    uint64_t reserved[4]; /* must be zero */
} bp_scalable_bloom_config;

BP_SKETCH_API(scalable_bloom);

/* Adds a key. *was_new, unless NULL: whether it was surely new; a key that is answered
 * yes already changes nothing. BP_OK, or nothing changed: BP_NOMEM, BP_FULL for a new key
 * when the last layer is full, BP_UNSUPPORTED for a filter opened BP_OPEN_KEYLESS, which
 * takes hashes alone. */
BP_API bp_status bp_scalable_bloom_add(bp_scalable_bloom *s, const void *key, size_t n,
                                       bool *was_new);
/* The same for n keys, as if they were added in order; was_new, unless NULL, gets a byte
 * (0 or 1) a key. *done, unless NULL, gets how many were dealt with: n on BP_OK,
 * otherwise those before the first that could not be taken. */
BP_API bp_status bp_scalable_bloom_add_n(bp_scalable_bloom *s, const bp_bytes *keys,
                                         size_t n, uint8_t *was_new, size_t *done);
BP_API bp_status bp_scalable_bloom_add_hashes(bp_scalable_bloom *s,
                                              const uint64_t *hashes, size_t n,
                                              uint8_t *was_new, size_t *done);

/* false: surely never added. true: added, or a false positive. */
BP_API bool bp_scalable_bloom_has(const bp_scalable_bloom *s, const void *key, size_t n);
/* The same for n keys; returns the number of yes. hit, unless NULL, gets 0 or 1. */
BP_API size_t bp_scalable_bloom_has_n(const bp_scalable_bloom *s, const bp_bytes *keys,
                                      size_t n, uint8_t *hit);
BP_API size_t bp_scalable_bloom_has_hashes(const bp_scalable_bloom *s,
                                           const uint64_t *hashes, size_t n,
                                           uint8_t *hit);

/* How many different keys were added, and a range that holds the truth at the confidence
 * (0.95): those that were counted, each of them for certain, and those that must have
 * been taken for members when they came. In a merged filter a key of both sides counts
 * twice: value and upper are of no overlap, lower of a complete one. Reads every bit. */
BP_API bp_status bp_scalable_bloom_estimate(const bp_scalable_bloom *s, double confidence,
                                            bp_estimate *out, bp_detail *why);

/* The false positive rate now, 1 - (1 - f1)(1 - f2)...: that any of the layers says yes,
 * each at its rate by the bits that are set. Above 10 % it may be a little more, at most
 * f1 + f2 + ..., as a layer was never given what those before it answer. Reads every
 * bit. */
BP_API double bp_scalable_bloom_fpr(const bp_scalable_bloom *s);

/* One layer. */
typedef struct bp_scalable_bloom_layer {
    uint64_t items; /* keys it takes                                                 */
    uint64_t added; /* keys it took; of those, all were surely new                   */
    uint64_t bits;
    double fpr;      /* its part of the filter's rate                                */
    uint32_t hashes; /* bits a key                                                   */
    uint32_t kind;   /* the kind's id: a blocked_bloom or a bloom                    */
    uint32_t index;  /* in the series of layers, from 0                              */
    uint32_t reserved;
} bp_scalable_bloom_layer;

/* The layers there are, the oldest first: writes the first `most` of them to out and
 * returns how many there are. */
BP_API size_t bp_scalable_bloom_layers(const bp_scalable_bloom *s,
                                       bp_scalable_bloom_layer *out, size_t most);
/* The arithmetic of a configuration, without making a filter: layer `index` of its
 * series, `added` 0. BP_FULL past the last, BP_PARAM for a configuration that new
 * refuses. */
BP_API bp_status bp_scalable_bloom_size(const bp_scalable_bloom_config *cfg,
                                        uint32_t index, bp_scalable_bloom_layer *out,
                                        bp_detail *why);

#ifdef __cplusplus
}
#endif
#endif
