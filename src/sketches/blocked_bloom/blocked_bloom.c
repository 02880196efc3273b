/* SPDX-License-Identifier: MIT
 * blocked_bloom.c - is it in the set, in one cache line?
 *
 * A Bloom filter that is larger than the cache waits for memory: once for each bit of a
 * key. A blocked one (Putze, Sanders and Singler, ACM JEA 14, 2009) gives each key one
 * block, a cache line, and sets all of its bits there: one wait, of which many keys' can
 * be under way at once. Splitting the block into lanes with one bit a key each, as Impala
 * and Parquet do, lets vector instructions make and test all the bits together; and
 * given the keys in a block, the lanes are independent, so that the rate is an exact
 * formula and not an approximation (blocked_bloom_size.c).
 *
 *     key --hash--> h -----> block of z: the high 64 bits of h * z
 *                   |
 *                   second --> g     bits 6j to 6j+5 of g: where in word j
 *
 *     block  [ word 0 | word 1 | ...           | word 7 ]     64 bytes, 8 lanes of 64
 *                 ^        ^                        ^         one bit in each
 *
 *     fpr = sum over i of Poisson(i; n/z) * product over lanes of (1 - (1 - 1/w)^i)
 *
 * What it costs is memory: the keys spread unevenly over the blocks, and the full ones
 * err more than the others save. 5 % more than a plain filter's at 1 %, 20 % at 0.01 %,
 * and then more than it is worth; such rates are refused.
 *
 * What we do differently: k is not 8 alone. A split512 with fewer hashes joins words in
 * twos to lanes of 128 bits, with more it cuts words into lanes of 32, so that k = 4
 * serves rates from 2 % up and k = 16 those near 0.01 %. There is one bit a lane, always:
 * the formula stays exact. A split256 is Parquet's filter to the bit. And the exact sum
 * sizes filters, where most code takes the rate of an average block, so that at 1 % a
 * split256 errs 1.5 times as often as was asked.
 *
 * Asking and adding are the same loop: the block of the key 32 ahead is fetched, the
 * block of this one tested or changed. No branch depends on what is found, so that
 * members and strangers cost the same; keys are done in order, so that of two equal
 * ones in a batch the second is not new. */
#include "sketches/blocked_bloom/blocked_bloom_state.h"

#include "core/cpu.h"
#include "core/mathx.h"
#include "hash/hash.h"

#include <math.h>

BP_INTERNAL extern const bp_kind bp_kind_blocked_bloom;

enum {
    BLOCKED_AHEAD = 32,       /* keys whose blocks are under way at once                */
    BLOCKED_NEAR = 256 * 1024 /* filters of at most that many bytes are not prefetched */
};

/* How a key's bits are made: a split256's; one in each word of 64 bits; words joined in
 * twos; words cut in two. */
typedef enum blocked_rule {
    BLOCKED_PARQUET,
    BLOCKED_WORDS,
    BLOCKED_JOINED,
    BLOCKED_HALVED,
    BLOCKED_RULES
} blocked_rule;

typedef enum blocked_verb { BLOCKED_HAS, BLOCKED_ADD, BLOCKED_VERBS } blocked_verb;

/* What the loops need, in registers. */
typedef struct blocked_bits {
    uint8_t *cells;
    uint64_t blocks;
    blocked_shape shape;
    bool is_near;
} blocked_bits;

/* Flags are written only when somebody wants them. */
typedef size_t blocked_loop(const blocked_bits *b, const uint64_t *hashes, size_t n,
                            uint8_t *flags);

typedef bool blocked_call(const bp_object *o, uint64_t hash);

typedef struct blocked_loops {
    blocked_loop *run[BLOCKED_RULES][BLOCKED_VERBS];
    blocked_call *one[BLOCKED_VERBS];
    blocked_fill (*look)(const blocked_bits *b);
} blocked_loops;

static BP_ALWAYS_INLINE const blocked_design *blocked_design_of(const bp_object *o)
{
    return &((const blocked_head *)o->head)->design;
}

static BP_ALWAYS_INLINE blocked_bits blocked_bits_of(const bp_object *o)
{
    const blocked_design *d = blocked_design_of(o);
    return (blocked_bits){o->cells, d->blocks, blocked_shape_of(d->layout, d->hashes),
                          o->cells_size <= BLOCKED_NEAR};
}

static BP_ALWAYS_INLINE blocked_rule blocked_rule_of(const blocked_design *d)
{
    if (d->layout == BP_BLOCKED_BLOOM_SPLIT256)
        return BLOCKED_PARQUET;
    return d->hashes < 8    ? BLOCKED_JOINED
           : d->hashes == 8 ? BLOCKED_WORDS
                            : BLOCKED_HALVED;
}

/* ------------------------------------------------------------------------------ bits */

/* The odd numbers of the Parquet format, one a word of 32 bits. */
static const uint32_t blocked_salt[8] = {0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
                                         0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31};

static BP_ALWAYS_INLINE uint8_t *blocked_at(const blocked_bits *b, uint64_t h,
                                            blocked_rule rule)
{
    if (rule == BLOCKED_PARQUET)
        return b->cells + (size_t)((h >> 32) * b->blocks >> 32) * 32;
    return b->cells + (size_t)bp_range(h, b->blocks) * 64;
}

static BP_ALWAYS_INLINE uint64_t blocked_parquet_bit(uint64_t h, uint32_t word)
{
    return UINT64_C(1) << ((uint32_t)h * blocked_salt[word] >> 27);
}

/* The bits of a key by words of 64; returns how many words that is. */
static BP_ALWAYS_INLINE uint32_t blocked_mask(const blocked_bits *b, uint64_t h,
                                              blocked_rule rule, uint64_t mask[8])
{
    if (rule == BLOCKED_PARQUET) {
        for (uint32_t j = 0; j < 4; j++)
            mask[j] = blocked_parquet_bit(h, 2 * j) | blocked_parquet_bit(h, 2 * j + 1)
                                                          << 32;
        return 4;
    }
    const uint64_t g = bp_second(h);
    for (uint32_t j = 0; j < 8; j++)
        mask[j] = UINT64_C(1) << (g >> 6 * j & 63);
    for (uint32_t j = 0; rule == BLOCKED_JOINED && j < b->shape.pairs; j++) {
        const uint64_t is_odd = g >> (12 * j + 6) & 1;
        const uint64_t bit = mask[2 * j];
        mask[2 * j] = is_odd ? 0 : bit;
        mask[2 * j + 1] = is_odd ? bit : 0;
    }
    const uint64_t g2 = rule == BLOCKED_HALVED ? bp_second(g) : 0;
    for (uint32_t j = 0; rule == BLOCKED_HALVED && j < b->shape.halved; j++)
        mask[j] = UINT64_C(1) << (g >> 6 * j & 31) | UINT64_C(1)
                                                         << (32 + (g2 >> 6 * j & 31));
    return 8;
}

/* A view's bytes may lie anywhere: words are read as bytes are. */
static BP_ALWAYS_INLINE uint64_t blocked_word_plain(const uint8_t *p)
{
    return bp_load64(p);
}

static BP_ALWAYS_INLINE uint8_t blocked_touch_plain(const blocked_bits *b, uint64_t h,
                                                    blocked_rule rule, blocked_verb verb)
{
    uint8_t *block = blocked_at(b, h, rule);
    uint64_t mask[BLOCKED_WORDS_MAX], clear = 0;
    const uint32_t words = blocked_mask(b, h, rule, mask);
    for (uint32_t j = 0; j < words; j++) {
        const uint64_t old = bp_load64(block + 8 * j);
        clear |= mask[j] & ~old;
        if (verb == BLOCKED_ADD)
            bp_store64(block + 8 * j, old | mask[j]);
    }
    return verb == BLOCKED_ADD ? clear != 0 : clear == 0;
}

/* Threads that add set bits by whole words, and only where one is still clear: most
 * words of a filter in use have theirs set already and stay shared between the caches.
 * Relaxed order is enough, because a bit says nothing about other memory. */
static BP_ALWAYS_INLINE uint64_t blocked_word_shared(const uint8_t *p)
{
    return bp_le64(BP_LOAD_RELAXED((const uint64_t *)(const void *)p));
}

static BP_ALWAYS_INLINE uint8_t blocked_touch_shared(const blocked_bits *b, uint64_t h,
                                                     blocked_rule rule, blocked_verb verb)
{
    uint64_t *block = (uint64_t *)(void *)blocked_at(b, h, rule);
    uint64_t mask[BLOCKED_WORDS_MAX], clear = 0;
    const uint32_t words = blocked_mask(b, h, rule, mask);
    for (uint32_t j = 0; j < words; j++) {
        const uint64_t bits = bp_le64(mask[j]);
        uint64_t missing = bits & ~BP_LOAD_RELAXED(block + j);
        if (verb == BLOCKED_ADD && missing)
            missing &= ~BP_FETCH_OR_RELAXED(block + j, bits);
        clear |= missing;
    }
    return verb == BLOCKED_ADD ? clear != 0 : clear == 0;
}

#define BLOCKED_NAME(x) blocked_##x##_plain
#define BLOCKED_TARGET
#include "sketches/blocked_bloom/blocked_bloom_kernels.inc"
#undef BLOCKED_NAME

#define BLOCKED_NAME(x) blocked_##x##_shared
#include "sketches/blocked_bloom/blocked_bloom_kernels.inc"
#undef BLOCKED_NAME
#undef BLOCKED_TARGET

#if BP_X86
#include "sketches/blocked_bloom/blocked_bloom_avx2.inc"
#define BLOCKED_NAME(x) blocked_##x##_avx2
#define BLOCKED_TARGET BP_TARGET_AVX2
#include "sketches/blocked_bloom/blocked_bloom_kernels.inc"
#undef BLOCKED_NAME
#undef BLOCKED_TARGET
#endif

#define BLOCKED_RULE(rule, set)                                                          \
    [BLOCKED_##rule] = {blocked_HAS_##rule##_##set, blocked_ADD_##rule##_##set}
#define BLOCKED_SET(set)                                                                 \
    {                                                                                    \
        {BLOCKED_RULE(PARQUET, set), BLOCKED_RULE(WORDS, set),                           \
         BLOCKED_RULE(JOINED, set), BLOCKED_RULE(HALVED, set)},                          \
            {blocked_has_##set, blocked_add_##set}, blocked_look_##set                   \
    }

static BP_ALWAYS_INLINE const blocked_loops *blocked_choose(const bp_object *o)
{
    static const blocked_loops plain = BLOCKED_SET(plain);
    static const blocked_loops shared = BLOCKED_SET(shared);
#if BP_X86
    static const blocked_loops avx2 = BLOCKED_SET(avx2);
    if (!((const bp_head *)o->head)->concurrent && bp_cpu() & BP_CPU_AVX2)
        return &avx2;
#endif
    return ((const bp_head *)o->head)->concurrent ? &shared : &plain;
}

/* ----------------------------------------------------------------------- add and has */

static size_t blocked_each_hash(const bp_object *o, const uint64_t *hashes, size_t n,
                                uint8_t *flags, blocked_verb verb)
{
    const blocked_bits b = blocked_bits_of(o);
    const blocked_rule rule = blocked_rule_of(blocked_design_of(o));
    return blocked_choose(o)->run[rule][verb](&b, hashes, n, flags);
}

/* One hash takes the short way: it should not cost what setting up a loop does. */
static BP_ALWAYS_INLINE size_t blocked_hashes(const bp_object *o, const uint64_t *hashes,
                                              size_t n, uint8_t *flags, blocked_verb verb)
{
    if (n != 1)
        return blocked_each_hash(o, hashes, n, flags, verb);
    const bool yes = blocked_choose(o)->one[verb](o, *hashes);
    if (flags)
        *flags = yes;
    return yes;
}

static bool blocked_keyless(const bp_object *o)
{
    return ((const bp_head *)o->head)->keyless;
}

/* Without its secret key a filter cannot say no, and must not take a key: its bits
 * would not be those that the key's owner looks at. */
static size_t blocked_without_key(uint8_t *flags, size_t n, blocked_verb verb)
{
    if (flags)
        memset(flags, verb == BLOCKED_HAS, n);
    return verb == BLOCKED_HAS ? n : 0;
}

static size_t blocked_each_key(const bp_object *o, const bp_bytes *keys, size_t n,
                               uint8_t *flags, blocked_verb verb)
{
    const bp_hash_spec *spec = &((const bp_head *)o->head)->hash;
    uint64_t hashes[BP_HASH_BATCH];
    size_t sum = 0;
    if (blocked_keyless(o))
        return blocked_without_key(flags, n, verb);
    for (size_t i = 0; i < n; i += BP_HASH_BATCH) {
        const size_t m = n - i < BP_HASH_BATCH ? n - i : BP_HASH_BATCH;
        bp_hash_n(spec, keys + i, m, hashes);
        sum += blocked_each_hash(o, hashes, m, flags ? flags + i : NULL, verb);
    }
    return sum;
}

/* Single calls are the body of the loops, without their way there: the fewer instructions
 * between two calls' accesses, the more of them the processor has under way at once. */
static BP_ALWAYS_INLINE bool blocked_one_key(const bp_object *o, const void *key,
                                             size_t n, blocked_verb verb)
{
    const uint64_t hash = bp_hash(&((const bp_head *)o->head)->hash, key, n);
    if (blocked_keyless(o))
        return verb == BLOCKED_HAS;
    return blocked_choose(o)->one[verb](o, hash);
}

bool bp_blocked_bloom_add(bp_blocked_bloom *s, const void *key, size_t n)
{
    return blocked_one_key((const bp_object *)s, key, n, BLOCKED_ADD);
}

size_t bp_blocked_bloom_add_n(bp_blocked_bloom *s, const bp_bytes *keys, size_t n,
                              uint8_t *was_new)
{
    return blocked_each_key((const bp_object *)s, keys, n, was_new, BLOCKED_ADD);
}

size_t bp_blocked_bloom_add_hashes(bp_blocked_bloom *s, const uint64_t *hashes, size_t n,
                                   uint8_t *was_new)
{
    return blocked_hashes((const bp_object *)s, hashes, n, was_new, BLOCKED_ADD);
}

bool bp_blocked_bloom_has(const bp_blocked_bloom *s, const void *key, size_t n)
{
    return blocked_one_key((const bp_object *)s, key, n, BLOCKED_HAS);
}

size_t bp_blocked_bloom_has_n(const bp_blocked_bloom *s, const bp_bytes *keys, size_t n,
                              uint8_t *hit)
{
    return blocked_each_key((const bp_object *)s, keys, n, hit, BLOCKED_HAS);
}

size_t bp_blocked_bloom_has_hashes(const bp_blocked_bloom *s, const uint64_t *hashes,
                                   size_t n, uint8_t *hit)
{
    return blocked_hashes((const bp_object *)s, hashes, n, hit, BLOCKED_HAS);
}

/* ------------------------------------------------------------ estimates, describing */

static blocked_fill blocked_look(const bp_object *o)
{
    const blocked_bits b = blocked_bits_of(o);
    return blocked_choose(o)->look(&b);
}

bp_status bp_blocked_bloom_estimate(const bp_blocked_bloom *s, double confidence,
                                    bp_estimate *out, bp_detail *why)
{
    const bp_object *o = (const bp_object *)s;
    bp_status st = bp_check_confidence(confidence, why);
    if (!st)
        bp_blocked_estimate(blocked_design_of(o), blocked_look(o).set, confidence, out);
    return st;
}

double bp_blocked_bloom_fpr(const bp_blocked_bloom *s)
{
    const bp_object *o = (const bp_object *)s;
    const blocked_fill f = blocked_look(o);
    return bp_blocked_rate_now(blocked_design_of(o), &f);
}

/* Over only when that is sure (99 %), so that a filter filled to the very last item is
 * not called over by chance. */
static void blocked_judge(const bp_estimate *e, double items, bp_description *out)
{
    if (e->lower > items) {
        out->health = BP_HEALTH_OVER;
        out->advice = "over capacity: wrong yes answers exceed the design; build a new "
                      "filter with more items";
    } else if (e->value >= 0.9 * items) {
        out->health = BP_HEALTH_NEAR;
        out->advice = "nearly full: plan a new filter with more items";
    }
}

static void blocked_describe(const bp_object *o, bp_description *out)
{
    const blocked_design *d = blocked_design_of(o);
    const blocked_fill f = blocked_look(o);
    const uint64_t bits = d->blocks * 8 * blocked_block_size(d->layout);
    const double items = (double)d->items;
    bp_estimate e;
    bp_blocked_estimate(d, f.set, 0.99, &e);
    const double left = items > e.value ? floor(items - e.value + 0.5) : 0;
    bp_say_text(out, "layout",
                d->layout == BP_BLOCKED_BLOOM_SPLIT256 ? "split256" : "split512", true);
    bp_say_whole(out, "blocks", "blocks", d->blocks, true);
    bp_say_whole(out, "bits", "bits", bits, true);
    bp_say_whole(out, "hashes", "", d->hashes, true);
    bp_say_whole(out, "items", "items", d->items, true);
    bp_say_real(out, "fpr_design", "fraction", bp_blocked_design_rate(d), true);
    bp_say_whole(out, "bits_set", "bits", f.set, false);
    bp_say_real(out, "fill", "fraction", (double)f.set / (double)bits, false);
    bp_say_real(out, "fpr_now", "fraction", bp_blocked_rate_now(d, &f), false);
    bp_say_real(out, "estimate", "items", e.value, false);
    bp_say_whole(out, "capacity_left", "items", (uint64_t)left, false);
    blocked_judge(&e, items, out);
}

/* -------------------------------------------------------------------- union and fold */

static bp_status blocked_same(const bp_object *dst, const bp_object *src, bp_detail *why)
{
    const blocked_design *a = blocked_design_of(dst), *b = blocked_design_of(src);
    if (a->layout != b->layout)
        return bp_fail(why, BP_MISMATCH, "the filters differ in layout", a->layout,
                       b->layout);
    if (a->blocks != b->blocks)
        return bp_fail(why, BP_MISMATCH, "the filters differ in blocks", a->blocks,
                       b->blocks);
    if (a->hashes != b->hashes)
        return bp_fail(why, BP_MISMATCH, "the filters differ in hashes", a->hashes,
                       b->hashes);
    if (a->items != b->items)
        return bp_fail(why, BP_MISMATCH, "the filters were made for different items",
                       a->items, b->items);
    return BP_OK;
}

/* src may be taking adds meanwhile; dst has one owner, as in every merge. */
static bp_status blocked_merge(bp_object *dst, const bp_object *src, bp_detail *why)
{
    const bool shared = ((const bp_head *)src->head)->concurrent;
    (void)why;
    for (size_t i = 0; i < dst->cells_size; i += 8) {
        const uint64_t more = shared ? blocked_word_shared(src->cells + i)
                                     : blocked_word_plain(src->cells + i);
        bp_store64(dst->cells + i, bp_load64(dst->cells + i) | more);
    }
    return BP_OK;
}

/* Block j of z / d is the union of blocks dj to dj + d - 1 of z, because for whole
 * numbers floor(floor(h z / 2^64) / d) = floor(h (z / d) / 2^64). */
static void blocked_unite_neighbours(bp_object *o, size_t size, uint64_t times)
{
    const size_t to = o->cells_size / (size_t)times;
    for (size_t at = 0; at < to; at += 8) {
        const uint8_t *from = o->cells + at / size * size * (size_t)times + at % size;
        uint64_t all = 0;
        for (uint64_t j = 0; j < times; j++)
            all |= bp_load64(from + (size_t)j * size);
        bp_store64(o->cells + at, all);
    }
    o->cells_size = to;
}

bp_status bp_blocked_bloom_fold(bp_blocked_bloom *s, uint64_t blocks, bp_detail *why)
{
    bp_object *o = (bp_object *)s;
    blocked_design *d = &((blocked_head *)o->head)->design;
    if (blocks == 0 || d->blocks % blocks)
        return bp_fail(why, BP_PARAM, "a filter folds to a divisor of its blocks", blocks,
                       d->blocks);
    const uint64_t times = d->blocks / blocks;
    blocked_unite_neighbours(o, blocked_block_size(d->layout), times);
    d->blocks = blocks;
    d->items = d->items / times + (d->items % times != 0);
    if (times > 1)
        bp_object_unreport(o);
    bp_object_trim(o);
    return BP_OK;
}

/* ------------------------------------------------------------------------------ bytes */

static void blocked_put_params(const bp_object *o, bp_writer *w)
{
    const blocked_design *d = blocked_design_of(o);
    bp_put64(w, d->blocks);
    bp_put64(w, d->items);
    bp_put32(w, d->layout);
    bp_put32(w, d->hashes);
}

static bp_status blocked_get_params(void *head, bp_reader *r, const bp_envelope *e,
                                    bp_detail *why)
{
    blocked_design *d = &((blocked_head *)head)->design;
    bp_detail fault;
    d->blocks = bp_get64(r);
    d->items = bp_get64(r);
    d->layout = bp_get32(r);
    d->hashes = bp_get32(r);
    if (r->short_)
        return BP_OK; /* the caller says so */
    if (!d->layout || !d->hashes)
        return bp_fail_at(why, BP_CORRUPT, "a default, where bytes say what it was",
                          d->layout ? 20 : 16, 0, 0);
    if (bp_blocked_check_design(d, &fault))
        return bp_fail_at(why, BP_CORRUPT, fault.what, fault.at, fault.have, fault.want);
    const uint64_t bytes = d->blocks * blocked_block_size(d->layout);
    if (e->payload_size != bytes)
        return bp_fail_at(why, BP_CORRUPT, "the payload is not as long as the blocks say",
                          0, e->payload_size, bytes);
    return BP_OK;
}

/* ------------------------------------------------------------------------------ table */

static bp_status blocked_setup(void *head, const void *cfg, bp_detail *why)
{
    blocked_head *h = (blocked_head *)head;
    const bp_blocked_bloom_config *c = (const bp_blocked_bloom_config *)cfg;
    h->base.concurrent = c->concurrent;
    return bp_blocked_solve(c, &h->design, why);
}

static void blocked_config(const void *head, void *cfg)
{
    const blocked_head *h = (const blocked_head *)head;
    bp_blocked_bloom_config *c = (bp_blocked_bloom_config *)cfg;
    c->items = h->design.items;
    c->fpr = bp_blocked_design_rate(&h->design);
    c->blocks = h->design.blocks;
    c->memory = h->design.blocks * blocked_block_size(h->design.layout);
    c->hashes = h->design.hashes;
    c->layout = h->design.layout;
    c->concurrent = h->base.concurrent;
}

static size_t blocked_cells_size(const void *head)
{
    const blocked_design *d = &((const blocked_head *)head)->design;
    const uint64_t n = d->blocks * blocked_block_size(d->layout);
    return n > SIZE_MAX ? SIZE_MAX : (size_t)n;
}

static bp_status blocked_add_any(bp_object *o, const bp_bytes *keys, size_t n,
                                 bp_detail *why)
{
    if (blocked_keyless(o))
        return bp_fail(why, BP_UNSUPPORTED, "opened without its key: nothing to add with",
                       0, 0);
    bp_blocked_bloom_add_n((bp_blocked_bloom *)o, keys, n, NULL);
    return BP_OK;
}

static bp_status blocked_add_hashes_any(bp_object *o, const uint64_t *hashes, size_t n,
                                        bp_detail *why)
{
    (void)why;
    bp_blocked_bloom_add_hashes((bp_blocked_bloom *)o, hashes, n, NULL);
    return BP_OK;
}

static bp_status blocked_estimate_any(const bp_object *o, double confidence,
                                      bp_estimate *out, bp_detail *why)
{
    return bp_blocked_bloom_estimate((const bp_blocked_bloom *)o, confidence, out, why);
}

static bp_status blocked_add_new_any(bp_object *o, const uint64_t *hashes, size_t n,
                                     uint8_t *was_new, size_t *done, bp_detail *why)
{
    (void)why;
    bp_blocked_bloom_add_hashes((bp_blocked_bloom *)o, hashes, n, was_new);
    *done = n;
    return BP_OK;
}

static size_t blocked_has_any(const bp_object *o, const uint64_t *hashes, size_t n,
                              uint8_t *hit)
{
    return bp_blocked_bloom_has_hashes((const bp_blocked_bloom *)o, hashes, n, hit);
}

static double blocked_fpr_any(const bp_object *o)
{
    return bp_blocked_bloom_fpr((const bp_blocked_bloom *)o);
}

const bp_kind bp_kind_blocked_bloom = {
    .name = "blocked_bloom",
    .id = 0x0002,
    .rule = 1,
    .config_size = sizeof(bp_blocked_bloom_config),
    .head_size = sizeof(blocked_head),
    .hashing = &bp_hashing_all,
    .setup = blocked_setup,
    .config = blocked_config,
    .cells_size = blocked_cells_size,
    .same = blocked_same,
    .merge = blocked_merge,
    .put_params = blocked_put_params,
    .get_params = blocked_get_params,
    .describe = blocked_describe,
    .add_n = blocked_add_any,
    .add_hashes = blocked_add_hashes_any,
    .estimate = blocked_estimate_any,
    .has_hashes = blocked_has_any,
    .add_new = blocked_add_new_any,
    .fpr = blocked_fpr_any,
};

BP_SKETCH_IMPL(blocked_bloom);
