/* SPDX-License-Identifier: MIT
 * bloom.c - is it in the set?
 *
 * m bits, all clear at first. Adding a key sets k of them, chosen by its hash; asking
 * for a key looks whether its k bits are all set. A clear one proves that the key was
 * never added. If all are set, others may have set them: a false positive, whose rate
 * is the fraction of set bits to the power k (Bloom, CACM 13(7), 1970).
 *
 *     key --hash--> h       a = h,   b = second(h),   c, d = b rotated by 32, by 16
 *     position i of m       the high 64 bits of a * m;   then a += b, b += c, c += d
 *
 *     bits  0 1 1 0 1 0 0 1 | 1 0 ...          bit p is bit p mod 8 of byte p / 8
 *             ^   ^         ^                  padded with zeros to whole 8 bytes
 *
 *     fpr(n) = (1 - e^(-kn/m))^k               bloom_size.c has the sizing
 *
 * One hash serves all k positions, after Kirsch and Mitzenmacher (ESA 2006), who take
 * a + i b. There, keys with nearly the same (a, b) share all positions, and so do a
 * sequence and its reversal: of m^2 / 2 sequences n keys own n, a floor of 2n / m^2 under
 * the rate that small filters feel: 100 keys at 1e-5 err 8 times too often (a test shows
 * it). Dillinger and Manolios (FMCAD 2004) add a term (triple hashing); we add two, so
 * that position i is a cubic in i with coefficients from the hash. With three terms we
 * saw 12 % too many at 100 keys and 1e-6, with four none that 3e9 questions could tell. A
 * term is one addition a probe. Positions are the high bits of a product and not a
 * remainder: no division, and filters may have more than 2^32 bits.
 *
 * What we do differently: a batch is answered in waves. One bit of every key is fetched,
 * all at once, then looked at without branching on it; the survivors, true members and
 * half of the others, have their second bit fetched, and so on; after three such waves
 * all the rest at once. A no costs 2.3 memory accesses at 1 %, and no access waits for
 * another. Where most keys turn out to be in, the next block is asked in a single wave.
 * Filters that fit in the cache need no such care and take a simpler loop.
 *
 * How many keys are in is read off the bits, so that it is right after a union, too:
 * of m bits, X are set on average after n keys, with this mean and variance
 *
 *     E[X] = m (1 - e^-t),  Var[X] = m e^-t (1 - (1 + t) e^-t),   t = kn/m
 *
 * (the classical occupancy problem: David and Barton, Combinatorial Chance, 1962; the
 * same as in linear counting: Whang et al., ACM TODS 15(2), 1990). */
#include "sketches/bloom/bloom_state.h"

#include "core/cpu.h"
#include "core/mathx.h"
#include "core/object.h"
#include "hash/hash.h"

#include <math.h>

BP_INTERNAL extern const bp_kind bp_kind_bloom;

typedef struct bloom_head {
    bp_head base;
    bloom_design design;
} bloom_head;

enum {
    BLOOM_BLOCK = 128,       /* keys under way at once, of each one bit                 */
    BLOOM_POSITIONS = 256,   /* places under way at once when all probes are needed     */
    BLOOM_NEAR = 256 * 1024, /* filters of at most that many bytes are not prefetched   */
    BLOOM_KEYS = 256         /* keys hashed at once                                     */
};

/* ------------------------------------------------------------------------------ bits */

/* What the loops need, in registers. */
typedef struct bloom_bits {
    uint8_t *cells;
    uint64_t bits;
    uint32_t hashes;
} bloom_bits;

static bloom_bits bloom_bits_of(const bp_object *o)
{
    const bloom_design *d = &((const bloom_head *)o->head)->design;
    return (bloom_bits){o->cells, d->bits, d->hashes};
}

/* The positions of one key, one after the other. */
typedef struct bloom_walk {
    uint64_t a, b, c, d;
} bloom_walk;

static BP_ALWAYS_INLINE bloom_walk bloom_start(uint64_t h)
{
    const uint64_t b = bp_second(h);
    return (bloom_walk){h, b, bp_rotl64(b, 32), bp_rotl64(b, 16)};
}

static BP_ALWAYS_INLINE void bloom_step(bloom_walk *w)
{
    w->a += w->b;
    w->b += w->c;
    w->c += w->d;
}

static BP_ALWAYS_INLINE uint64_t bloom_next(bloom_walk *w, uint64_t bits)
{
    const uint64_t position = bp_range(w->a, bits);
    bloom_step(w);
    return position;
}

/* Bit p is bit p mod 64 of little-endian word p / 64, that is bit p mod 8 of byte p / 8.
 * A view's bytes may lie anywhere: words are read as bytes are. */
static BP_ALWAYS_INLINE uint8_t *bloom_at(const bloom_bits *b, uint64_t position)
{
    return b->cells + (size_t)(position >> 6) * 8;
}

static BP_ALWAYS_INLINE uint64_t bloom_test(const bloom_bits *b, uint64_t position)
{
    return bp_load64(bloom_at(b, position)) >> (position & 63) & 1;
}

/* Sets a bit; 1 when it was clear. */
static BP_ALWAYS_INLINE uint64_t bloom_set(const bloom_bits *b, uint64_t position)
{
    uint8_t *word = bloom_at(b, position);
    const uint64_t old = bp_load64(word);
    bp_store64(word, old | UINT64_C(1) << (position & 63));
    return ~(old >> (position & 63)) & 1;
}

/* One key: three probes at once, and the others only when those are set, which is rare
 * (1 in 8) for keys that are not in. */
static BP_ALWAYS_INLINE uint64_t bloom_has_one(const bloom_bits *b, uint64_t hash)
{
    bloom_walk w = bloom_start(hash);
    const uint32_t first = b->hashes < 3 ? b->hashes : 3;
    uint64_t all = 1;
    uint32_t j = 0;
    for (; j < first; j++)
        all &= bloom_test(b, bloom_next(&w, b->bits));
    if (all)
        for (; j < b->hashes; j++)
            all &= bloom_test(b, bloom_next(&w, b->bits));
    return all;
}

static BP_ALWAYS_INLINE uint64_t bloom_add_one(const bloom_bits *b, uint64_t hash)
{
    bloom_walk w = bloom_start(hash);
    uint64_t was_clear = 0;
    for (uint32_t j = 0; j < b->hashes; j++)
        was_clear |= bloom_set(b, bloom_next(&w, b->bits));
    return was_clear;
}

#define BLOOM_NAME(x) bloom_##x##_plain
#define BLOOM_TARGET
#include "sketches/bloom/bloom_kernels.inc"
#undef BLOOM_NAME
#undef BLOOM_TARGET

#if BP_X86
#define BLOOM_NAME(x) bloom_##x##_avx2
#define BLOOM_TARGET BP_TARGET_AVX2
#include "sketches/bloom/bloom_kernels.inc"
#undef BLOOM_NAME
#undef BLOOM_TARGET
#endif

/* ------------------------------------------------------------------------ concurrent */

/* Threads that add set bits by whole words, and only where one is still clear: most
 * words of a filter in use have theirs set already and stay shared between the caches.
 * Relaxed order is enough, because a bit says nothing about other memory. */
static uint64_t *bloom_word(const bloom_bits *b, uint64_t position, uint64_t *mask)
{
    *mask = bp_le64(UINT64_C(1) << (position & 63));
    return (uint64_t *)(void *)bloom_at(b, position);
}

static void bloom_prefetch(const bloom_bits *b, const uint64_t *hashes, size_t n)
{
    for (size_t i = 0; n > 1 && i < n; i++) {
        bloom_walk w = bloom_start(hashes[i]);
        for (uint32_t j = 0; j < b->hashes; j++)
            BP_PREFETCH(bloom_at(b, bloom_next(&w, b->bits)));
    }
}

static size_t bloom_has_shared(const bloom_bits *b, const uint64_t *hashes, size_t n,
                               uint8_t *hit)
{
    size_t yes = 0;
    bloom_prefetch(b, hashes, n);
    for (size_t i = 0; i < n; i++) {
        bloom_walk w = bloom_start(hashes[i]);
        uint64_t mask;
        bool all = true;
        for (uint32_t j = 0; j < b->hashes && all; j++) {
            const uint64_t *word = bloom_word(b, bloom_next(&w, b->bits), &mask);
            all = (BP_LOAD_RELAXED(word) & mask) != 0;
        }
        hit[i] = all;
        yes += all;
    }
    return yes;
}

static size_t bloom_add_shared(const bloom_bits *b, const uint64_t *hashes, size_t n,
                               uint8_t *fresh)
{
    size_t sum = 0;
    bloom_prefetch(b, hashes, n);
    for (size_t i = 0; i < n; i++) {
        bloom_walk w = bloom_start(hashes[i]);
        uint64_t mask;
        bool was_clear = false;
        for (uint32_t j = 0; j < b->hashes; j++) {
            uint64_t *word = bloom_word(b, bloom_next(&w, b->bits), &mask);
            if (!(BP_LOAD_RELAXED(word) & mask))
                was_clear |= !(BP_FETCH_OR_RELAXED(word, mask) & mask);
        }
        fresh[i] = was_clear;
        sum += was_clear;
    }
    return sum;
}

static uint64_t bloom_count_shared(const uint8_t *cells, size_t n)
{
    const uint64_t *words = (const uint64_t *)(const void *)cells;
    uint64_t sum = 0;
    for (size_t i = 0; i < n / 8; i++)
        sum += (uint64_t)BP_POPCOUNT64(BP_LOAD_RELAXED(words + i));
    return sum;
}

/* ----------------------------------------------------------------------- add and has */

/* Flags are written even when nobody wants them. */
typedef size_t bloom_loop(const bloom_bits *b, const uint64_t *hashes, size_t n,
                          uint8_t *flags);

typedef struct bloom_loops {
    bloom_loop *near[2]; /* [0] has, [1] add: for filters that fit in the cache  */
    bloom_loop *far[2];  /* for larger ones                                      */
    bloom_loop *sure[2]; /* the same, for keys of which most are likely in       */
    uint64_t (*count)(const uint8_t *cells, size_t n);
} bloom_loops;

static const bloom_loops *bloom_choose(const bp_object *o)
{
    static const bloom_loops plain = {{bloom_has_near_plain, bloom_add_near_plain},
                                      {bloom_has_far_plain, bloom_add_far_plain},
                                      {bloom_has_sure_plain, bloom_add_far_plain},
                                      bloom_count_plain};
    static const bloom_loops shared = {{bloom_has_shared, bloom_add_shared},
                                       {bloom_has_shared, bloom_add_shared},
                                       {bloom_has_shared, bloom_add_shared},
                                       bloom_count_shared};
#if BP_X86
    static const bloom_loops avx2 = {{bloom_has_near_avx2, bloom_add_near_avx2},
                                     {bloom_has_far_avx2, bloom_add_far_avx2},
                                     {bloom_has_sure_avx2, bloom_add_far_avx2},
                                     bloom_count_avx2};
    if (!((const bp_head *)o->head)->concurrent && bp_cpu() & BP_CPU_AVX2)
        return &avx2;
#endif
    return ((const bp_head *)o->head)->concurrent ? &shared : &plain;
}

enum { BLOOM_HAS = 0, BLOOM_ADD = 1 };

/* *sure: most keys of the block before were in, and this one is taken to be as that. */
static size_t bloom_blocks(const bp_object *o, const uint64_t *hashes, size_t n,
                           uint8_t *flags, int verb, bool *sure)
{
    uint8_t unwanted[BLOOM_BLOCK];
    const bloom_bits b = bloom_bits_of(o);
    const bloom_loops *loops = bloom_choose(o);
    const bool near = n == 1 || o->cells_size <= BLOOM_NEAR;
    size_t sum = 0;
    for (size_t i = 0; i < n; i += BLOOM_BLOCK) {
        const size_t m = n - i < BLOOM_BLOCK ? n - i : BLOOM_BLOCK;
        bloom_loop *loop = near    ? loops->near[verb]
                           : *sure ? loops->sure[verb]
                                   : loops->far[verb];
        /* cppcheck-suppress legacyUninitvar ; it is written, not read */
        const size_t yes = loop(&b, hashes + i, m, flags ? flags + i : unwanted);
        *sure = yes * 4 > m * 3;
        sum += yes;
    }
    return sum;
}

static size_t bloom_each_hash(const bp_object *o, const uint64_t *hashes, size_t n,
                              uint8_t *flags, int verb)
{
    bool sure = false;
    return bloom_blocks(o, hashes, n, flags, verb, &sure);
}

static size_t bloom_each_key(const bp_object *o, const bp_bytes *keys, size_t n,
                             uint8_t *flags, int verb)
{
    const bp_hash_spec *spec = &((const bp_head *)o->head)->hash;
    uint64_t hashes[BLOOM_KEYS];
    size_t sum = 0;
    bool sure = false;
    for (size_t i = 0; i < n; i += BLOOM_KEYS) {
        const size_t m = n - i < BLOOM_KEYS ? n - i : BLOOM_KEYS;
        bp_hash_n(spec, keys + i, m, hashes);
        sum += bloom_blocks(o, hashes, m, flags ? flags + i : NULL, verb, &sure);
    }
    return sum;
}

static bool bloom_keyless(const bp_object *o)
{
    return ((const bp_head *)o->head)->keyless;
}

/* Without its secret key a filter cannot say no, and must not take a key: its bits
 * would not be those that the key's owner looks at. */
static size_t bloom_without_key(uint8_t *flags, size_t n, int verb)
{
    if (flags)
        memset(flags, verb == BLOOM_HAS, n);
    return verb == BLOOM_HAS ? n : 0;
}

/* Single calls are the body of the loops, without their way there: the fewer instructions
 * between two calls' accesses, the more of them the processor has under way at once. */
bool bp_bloom_add(bp_bloom *s, const void *key, size_t n)
{
    const bp_object *o = (const bp_object *)s;
    const bp_head *head = (const bp_head *)o->head;
    const uint64_t hash = bp_hash(&head->hash, key, n);
    const bloom_bits b = bloom_bits_of(o);
    if (!head->keyless && !head->concurrent)
        return bloom_add_one(&b, hash);
    return !head->keyless && bp_bloom_add_hashes(s, &hash, 1, NULL);
}

size_t bp_bloom_add_n(bp_bloom *s, const bp_bytes *keys, size_t n, uint8_t *fresh)
{
    const bp_object *o = (const bp_object *)s;
    if (bloom_keyless(o))
        return bloom_without_key(fresh, n, BLOOM_ADD);
    return bloom_each_key(o, keys, n, fresh, BLOOM_ADD);
}

size_t bp_bloom_add_hashes(bp_bloom *s, const uint64_t *hashes, size_t n, uint8_t *fresh)
{
    return bloom_each_hash((const bp_object *)s, hashes, n, fresh, BLOOM_ADD);
}

bool bp_bloom_has(const bp_bloom *s, const void *key, size_t n)
{
    const bp_object *o = (const bp_object *)s;
    const bp_head *head = (const bp_head *)o->head;
    const uint64_t hash = bp_hash(&head->hash, key, n);
    const bloom_bits b = bloom_bits_of(o);
    if (!head->keyless && !head->concurrent)
        return bloom_has_one(&b, hash);
    return head->keyless || bp_bloom_has_hashes(s, &hash, 1, NULL);
}

size_t bp_bloom_has_n(const bp_bloom *s, const bp_bytes *keys, size_t n, uint8_t *hit)
{
    const bp_object *o = (const bp_object *)s;
    if (bloom_keyless(o))
        return bloom_without_key(hit, n, BLOOM_HAS);
    return bloom_each_key(o, keys, n, hit, BLOOM_HAS);
}

size_t bp_bloom_has_hashes(const bp_bloom *s, const uint64_t *hashes, size_t n,
                           uint8_t *hit)
{
    return bloom_each_hash((const bp_object *)s, hashes, n, hit, BLOOM_HAS);
}

/* -------------------------------------------------------------------------- estimates */

/* Bits set. In an unverified view the padding may be, too: never more than m. */
static uint64_t bloom_count(const bp_object *o)
{
    const uint64_t m = bloom_bits_of(o).bits;
    const uint64_t set = bloom_choose(o)->count(o->cells, o->cells_size);
    return set < m ? set : m;
}

/* Keys that leave `set` of m bits set on average; set may be a fraction. */
static double bloom_items_from(double set, double m, double k)
{
    return set < m ? -m / k * log1p(-set / m) : INFINITY;
}

/* z standard deviations of the bits set when n keys are in, and one bit more, because
 * bits come whole. 1 - (1 + t) e^-t is written so that nothing cancels for small t. */
static double bloom_spread(double n, double m, double k, double z)
{
    const double t = k * n / m;
    const double both = t < 1e-4 ? t * t / 2 : 1 - (1 + t) * exp(-t);
    return z * sqrt(m * exp(-t) * both) + 1;
}

/* The n whose mean number of set bits, moved by `sign` spreads, is the number seen: the
 * least (sign = 1) or most (-1) that is still credible. It lies between `from`, where
 * the moved mean is surely below, and `to`. */
static double bloom_bound(double set, double m, double k, double z, double sign,
                          double from, double to)
{
    for (int i = 0; i < 64; i++) {
        const double n = from + (to - from) / 2;
        const double mean = -m * expm1(-k * n / m);
        if (mean + sign * bloom_spread(n, m, k, z) < set)
            from = n;
        else
            to = n;
    }
    return from + (to - from) / 2;
}

static void bloom_estimate_from(const bp_object *o, uint64_t count, double confidence,
                                bp_estimate *out)
{
    const bloom_bits b = bloom_bits_of(o);
    const double m = (double)b.bits, k = b.hashes, set = (double)count;
    const double z = bp_normal_two_sided(confidence);
    const double most = bloom_items_from(m - 0.5, m, k); /* never credibly more */
    out->value = bloom_items_from(set, m, k);
    out->lower = out->upper = 0;
    if (count == 0)
        return;
    const double middle = out->value < most ? out->value : most;
    out->lower = bloom_bound(set, m, k, z, 1, 0, middle);
    out->upper = bloom_bound(set, m, k, z, -1, middle, 2 * most);
    /* One key sets at most k bits: that many keys there are for certain. */
    const double sure = ceil(set / k);
    if (out->lower < sure)
        out->lower = sure < out->value ? sure : out->value;
    if (count == b.bits || out->upper >= 1.99 * most)
        out->upper = INFINITY;
}

bp_status bp_bloom_estimate(const bp_bloom *s, double confidence, bp_estimate *out,
                            bp_detail *why)
{
    const bp_object *o = (const bp_object *)s;
    bp_status st = bp_check_confidence(confidence, why);
    if (!st)
        bloom_estimate_from(o, bloom_count(o), confidence, out);
    return st;
}

static double bloom_rate(const bp_object *o, uint64_t count)
{
    const bloom_bits b = bloom_bits_of(o);
    const double m = (double)b.bits, k = b.hashes;
    const double rate = pow((double)count / m, k);
    const double collision = bloom_items_from((double)count, m, k) * 0x1p-64;
    return rate > collision ? rate : collision < 1 ? collision : 1;
}

double bp_bloom_fpr(const bp_bloom *s)
{
    const bp_object *o = (const bp_object *)s;
    return bloom_rate(o, bloom_count(o));
}

/* ------------------------------------------------------------------------- describing */

/* Over only when that is sure (99 %), so that a filter filled to the very last item is
 * not called over by chance. */
static void bloom_judge(const bp_estimate *e, double items, bp_description *out)
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

static void bloom_describe(const bp_object *o, bp_description *out)
{
    const bloom_design *d = &((const bloom_head *)o->head)->design;
    const uint64_t set = bloom_count(o);
    const double items = (double)d->items;
    bp_estimate e;
    bloom_estimate_from(o, set, 0.99, &e);
    const double left = items > e.value ? floor(items - e.value + 0.5) : 0;
    bp_say_whole(out, "bits", "bits", d->bits, true);
    bp_say_whole(out, "hashes", "", d->hashes, true);
    bp_say_whole(out, "items", "items", d->items, true);
    bp_say_real(out, "fpr_design", "fraction", bp_bloom_design_rate(d), true);
    bp_say_whole(out, "bits_set", "bits", set, false);
    bp_say_real(out, "fill", "fraction", (double)set / (double)d->bits, false);
    bp_say_real(out, "fpr_now", "fraction", bloom_rate(o, set), false);
    bp_say_real(out, "estimate", "items", e.value, false);
    bp_say_whole(out, "capacity_left", "items", (uint64_t)left, false);
    bloom_judge(&e, items, out);
}

/* ------------------------------------------------------------------------------ union */

static bp_status bloom_same(const bp_object *dst, const bp_object *src, bp_detail *why)
{
    const bloom_design *a = &((const bloom_head *)dst->head)->design;
    const bloom_design *b = &((const bloom_head *)src->head)->design;
    if (a->bits != b->bits)
        return bp_fail(why, BP_MISMATCH, "the filters differ in bits", a->bits, b->bits);
    if (a->hashes != b->hashes)
        return bp_fail(why, BP_MISMATCH, "the filters differ in hashes", a->hashes,
                       b->hashes);
    if (a->items != b->items)
        return bp_fail(why, BP_MISMATCH, "the filters were made for different items",
                       a->items, b->items);
    if (a->fpr < b->fpr || a->fpr > b->fpr)
        return bp_fail(why, BP_MISMATCH,
                       "the filters were made for different rates (in units of 1e-18)",
                       (uint64_t)(bp_bloom_design_rate(a) * 1e18),
                       (uint64_t)(bp_bloom_design_rate(b) * 1e18));
    return BP_OK;
}

/* src may be taking adds meanwhile; dst has one owner, as in every merge. */
static bp_status bloom_merge(bp_object *dst, const bp_object *src, bp_detail *why)
{
    const bool shared = ((const bp_head *)src->head)->concurrent;
    (void)why;
    for (size_t i = 0; i < dst->cells_size; i += 8) {
        uint64_t a, b;
        memcpy(&a, dst->cells + i, 8);
        if (shared)
            b = BP_LOAD_RELAXED((const uint64_t *)(const void *)(src->cells + i));
        else
            memcpy(&b, src->cells + i, 8);
        a |= b;
        memcpy(dst->cells + i, &a, 8);
    }
    return BP_OK;
}

/* ------------------------------------------------------------------------------ bytes */

static void bloom_put_params(const bp_object *o, bp_writer *w)
{
    const bloom_design *d = &((const bloom_head *)o->head)->design;
    bp_put64(w, d->bits);
    bp_put64(w, d->items);
    bp_put_double(w, d->fpr);
    bp_put32(w, d->hashes);
    bp_put32(w, 0);
}

/* Which of the parameters is at fault: their offsets. */
static uint64_t bloom_offset_of_fault(const bloom_design *d)
{
    if (d->bits < 1 || d->bits > BLOOM_BITS_MAX)
        return 0;
    if (d->items < 1 || d->items > BLOOM_ITEMS_MAX)
        return 8;
    if (d->hashes < 1 || d->hashes > BLOOM_HASHES_MAX)
        return 24;
    return d->fpr == 0 ? 8 : 16;
}

static bp_status bloom_get_params(void *head, bp_reader *r, const bp_envelope *e,
                                  bp_detail *why)
{
    bloom_design *d = &((bloom_head *)head)->design;
    bp_detail fault;
    d->bits = bp_get64(r);
    d->items = bp_get64(r);
    d->fpr = bp_get_double(r);
    d->hashes = bp_get32(r);
    const uint32_t zero = bp_get32(r);
    if (r->short_)
        return BP_OK; /* the caller says so */
    if (zero)
        return bp_fail_at(why, BP_CORRUPT, "reserved parameter bytes are not zero", 28,
                          zero, 0);
    if (d->fpr == 0 && signbit(d->fpr))
        return bp_fail_at(why, BP_CORRUPT, "a rate of minus zero", 16, 0, 0);
    if (bp_bloom_check_design(d, &fault))
        return bp_fail_at(why, BP_CORRUPT, fault.what, bloom_offset_of_fault(d),
                          fault.have, fault.want);
    if (e->payload_size != bp_bloom_bytes(d->bits))
        return bp_fail_at(why, BP_CORRUPT, "the payload is not as long as the bits say",
                          0, e->payload_size, bp_bloom_bytes(d->bits));
    return BP_OK;
}

static bp_status bloom_check_payload(const void *head, const uint8_t *payload, size_t n,
                                     bp_detail *why)
{
    const uint64_t m = ((const bloom_head *)head)->design.bits;
    if (m % 64 == 0 || bp_load64(payload + n - 8) >> (m % 64) == 0)
        return BP_OK;
    return bp_fail_at(why, BP_CORRUPT, "a padding bit is set", n - 8,
                      bp_load64(payload + n - 8), m);
}

/* ------------------------------------------------------------------------------ table */

static bp_status bloom_setup(void *head, const void *cfg, bp_detail *why)
{
    bloom_head *h = (bloom_head *)head;
    const bp_bloom_config *c = (const bp_bloom_config *)cfg;
    h->base.concurrent = c->concurrent;
    return bp_bloom_solve(c, &h->design, why);
}

static void bloom_config(const void *head, void *cfg)
{
    const bloom_head *h = (const bloom_head *)head;
    bp_bloom_config *c = (bp_bloom_config *)cfg;
    c->items = h->design.items;
    c->fpr = bp_bloom_design_rate(&h->design);
    c->bits = h->design.bits;
    c->memory = bp_bloom_bytes(h->design.bits);
    c->hashes = h->design.hashes;
    c->concurrent = h->base.concurrent;
}

static size_t bloom_cells_size(const void *head)
{
    const uint64_t n = bp_bloom_bytes(((const bloom_head *)head)->design.bits);
    return n > SIZE_MAX ? SIZE_MAX : (size_t)n;
}

static bp_status bloom_add_any(bp_object *o, const bp_bytes *keys, size_t n,
                               bp_detail *why)
{
    if (bloom_keyless(o))
        return bp_fail(why, BP_UNSUPPORTED, "opened without its key: nothing to add with",
                       0, 0);
    bp_bloom_add_n((bp_bloom *)o, keys, n, NULL);
    return BP_OK;
}

static bp_status bloom_add_hashes_any(bp_object *o, const uint64_t *hashes, size_t n,
                                      bp_detail *why)
{
    (void)why;
    bp_bloom_add_hashes((bp_bloom *)o, hashes, n, NULL);
    return BP_OK;
}

static bp_status bloom_estimate_any(const bp_object *o, double confidence,
                                    bp_estimate *out, bp_detail *why)
{
    return bp_bloom_estimate((const bp_bloom *)o, confidence, out, why);
}

static bp_status bloom_add_new_any(bp_object *o, const uint64_t *hashes, size_t n,
                                   uint8_t *was_new, size_t *done, bp_detail *why)
{
    (void)why;
    bp_bloom_add_hashes((bp_bloom *)o, hashes, n, was_new);
    *done = n;
    return BP_OK;
}

static size_t bloom_has_any(const bp_object *o, const uint64_t *hashes, size_t n,
                            uint8_t *hit)
{
    return bp_bloom_has_hashes((const bp_bloom *)o, hashes, n, hit);
}

static double bloom_fpr_any(const bp_object *o)
{
    return bp_bloom_fpr((const bp_bloom *)o);
}

const bp_kind bp_kind_bloom = {
    .name = "bloom",
    .id = 0x0001,
    .rule = 1,
    .config_size = sizeof(bp_bloom_config),
    .head_size = sizeof(bloom_head),
    .hashing = &bp_hashing_all,
    .setup = bloom_setup,
    .config = bloom_config,
    .cells_size = bloom_cells_size,
    .same = bloom_same,
    .merge = bloom_merge,
    .put_params = bloom_put_params,
    .get_params = bloom_get_params,
    .check_payload = bloom_check_payload,
    .describe = bloom_describe,
    .add_n = bloom_add_any,
    .add_hashes = bloom_add_hashes_any,
    .estimate = bloom_estimate_any,
    .has_hashes = bloom_has_any,
    .add_new = bloom_add_new_any,
    .fpr = bloom_fpr_any,
};

BP_SKETCH_IMPL(bloom);
