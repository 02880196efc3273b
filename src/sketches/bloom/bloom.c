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
 *     fpr(n) = (1 - e^(-kn/m))^k               parts/probe_design.c has the sizing
 *
 * How one hash serves all k positions is in parts/probes.h, how a batch is answered in
 * waves of memory accesses in parts/probe_kernels.inc, and how many keys are in, read off
 * the bits, in parts/probe_estimate.c: a filter of counters has the same needs. */
#include "sketches/bloom/bloom_state.h"

#include "core/cpu.h"
#include "core/mathx.h"
#include "core/object.h"
#include "hash/hash.h"
#include "parts/probes.h"

BP_INTERNAL extern const bp_kind bp_kind_bloom;

typedef struct bloom_head {
    bp_head base;
    bp_probe_design design;
} bloom_head;

static const bp_probe_design *bloom_design_of(const bp_object *o)
{
    return &((const bloom_head *)o->head)->design;
}

static bp_probed bloom_probed(const bp_object *o)
{
    const bp_probe_design *d = bloom_design_of(o);
    return (bp_probed){o->cells, d->cells, d->hashes, o->cells_size};
}

/* ------------------------------------------------------------------------------ bits */

/* Bit p is bit p mod 64 of little-endian word p / 64, that is bit p mod 8 of byte p / 8.
 * A view's bytes may lie anywhere: words are read as bytes are. */
static BP_ALWAYS_INLINE uint8_t *bloom_at(const bp_probed *b, uint64_t position)
{
    return b->cells + (size_t)(position >> 6) * 8;
}

static BP_ALWAYS_INLINE uint64_t bloom_test(const bp_probed *b, uint64_t position)
{
    return bp_load64(bloom_at(b, position)) >> (position & 63) & 1;
}

/* Sets a bit; 1 when it was clear. */
static BP_ALWAYS_INLINE uint64_t bloom_set(const bp_probed *b, uint64_t position)
{
    uint8_t *word = bloom_at(b, position);
    const uint64_t old = bp_load64(word);
    bp_store64(word, old | UINT64_C(1) << (position & 63));
    return ~(old >> (position & 63)) & 1;
}

static BP_ALWAYS_INLINE uint64_t bloom_add_one(const bp_probed *b, uint64_t hash)
{
    bp_probes w = bp_probes_start(hash);
    uint64_t was_clear = 0;
    for (uint32_t j = 0; j < b->hashes; j++)
        was_clear |= bloom_set(b, bp_probes_next(&w, b->m));
    return was_clear;
}

#define PROBE_AT bloom_at
#define PROBE_TEST bloom_test

#define PROBE_NAME(x) bloom_##x##_plain
#define PROBE_TARGET
#include "parts/probe_kernels.inc"
#include "sketches/bloom/bloom_kernels.inc"
#undef PROBE_NAME
#undef PROBE_TARGET

#if BP_X86
#define PROBE_NAME(x) bloom_##x##_avx2
#define PROBE_TARGET BP_TARGET_AVX2
#include "parts/probe_kernels.inc"
#include "sketches/bloom/bloom_kernels.inc"
#undef PROBE_NAME
#undef PROBE_TARGET
#endif

/* ------------------------------------------------------------------------ concurrent */

/* Threads that add set bits by whole words, and only where one is still clear: most
 * words of a filter in use have theirs set already and stay shared between the caches.
 * Relaxed order is enough, because a bit says nothing about other memory. */
static uint64_t *bloom_word(const bp_probed *b, uint64_t position, uint64_t *mask)
{
    *mask = bp_le64(UINT64_C(1) << (position & 63));
    return (uint64_t *)(void *)bloom_at(b, position);
}

static void bloom_prefetch(const bp_probed *b, const uint64_t *hashes, size_t n)
{
    for (size_t i = 0; n > 1 && i < n; i++) {
        bp_probes w = bp_probes_start(hashes[i]);
        for (uint32_t j = 0; j < b->hashes; j++)
            BP_PREFETCH(bloom_at(b, bp_probes_next(&w, b->m)));
    }
}

static size_t bloom_has_shared(const bp_probed *b, const uint64_t *hashes, size_t n,
                               uint8_t *hit)
{
    size_t yes = 0;
    bloom_prefetch(b, hashes, n);
    for (size_t i = 0; i < n; i++) {
        bp_probes w = bp_probes_start(hashes[i]);
        uint64_t mask;
        bool all = true;
        for (uint32_t j = 0; j < b->hashes && all; j++) {
            const uint64_t *word = bloom_word(b, bp_probes_next(&w, b->m), &mask);
            all = (BP_LOAD_RELAXED(word) & mask) != 0;
        }
        hit[i] = all;
        yes += all;
    }
    return yes;
}

static size_t bloom_add_shared(const bp_probed *b, const uint64_t *hashes, size_t n,
                               uint8_t *fresh)
{
    size_t sum = 0;
    bloom_prefetch(b, hashes, n);
    for (size_t i = 0; i < n; i++) {
        bp_probes w = bp_probes_start(hashes[i]);
        uint64_t mask;
        bool was_clear = false;
        for (uint32_t j = 0; j < b->hashes; j++) {
            uint64_t *word = bloom_word(b, bp_probes_next(&w, b->m), &mask);
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

typedef struct bloom_loops {
    bp_probe_loops verb[2];
    uint64_t (*count)(const uint8_t *cells, size_t n);
} bloom_loops;

enum { BLOOM_HAS = 0, BLOOM_ADD = 1 };

static const bloom_loops *bloom_choose(const bp_object *o)
{
    static const bloom_loops plain = {
        {{bloom_has_near_plain, bloom_has_far_plain, bloom_has_sure_plain},
         {bloom_add_near_plain, bloom_add_far_plain, bloom_add_far_plain}},
        bloom_count_plain};
    static const bloom_loops shared = {
        {{bloom_has_shared, bloom_has_shared, bloom_has_shared},
         {bloom_add_shared, bloom_add_shared, bloom_add_shared}},
        bloom_count_shared};
#if BP_X86
    static const bloom_loops avx2 = {
        {{bloom_has_near_avx2, bloom_has_far_avx2, bloom_has_sure_avx2},
         {bloom_add_near_avx2, bloom_add_far_avx2, bloom_add_far_avx2}},
        bloom_count_avx2};
    if (!((const bp_head *)o->head)->concurrent && bp_cpu() & BP_CPU_AVX2)
        return &avx2;
#endif
    return ((const bp_head *)o->head)->concurrent ? &shared : &plain;
}

/* One hash takes the short way: it should not cost what setting up a loop does. */
static size_t bloom_each_hash(const bp_object *o, const uint64_t *hashes, size_t n,
                              uint8_t *flags, int verb)
{
    const bp_probed p = bloom_probed(o);
    if (n == 1 && !((const bp_head *)o->head)->concurrent) {
        const bool yes = verb == BLOOM_HAS ? bloom_has_one_plain(&p, *hashes)
                                           : bloom_add_one(&p, *hashes);
        if (flags)
            *flags = yes;
        return yes;
    }
    return bp_probe_each_hash(&p, &bloom_choose(o)->verb[verb], hashes, n, flags);
}

static size_t bloom_each_key(const bp_object *o, const bp_bytes *keys, size_t n,
                             uint8_t *flags, int verb)
{
    const bp_probed p = bloom_probed(o);
    return bp_probe_each_key(&p, &bloom_choose(o)->verb[verb],
                             &((const bp_head *)o->head)->hash, keys, n, flags);
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
    const bp_probed b = bloom_probed(o);
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
    const bp_probed b = bloom_probed(o);
    if (!head->keyless && !head->concurrent)
        return bloom_has_one_plain(&b, hash);
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
    const uint64_t m = bloom_design_of(o)->cells;
    const uint64_t set = bloom_choose(o)->count(o->cells, o->cells_size);
    return set < m ? set : m;
}

bp_status bp_bloom_estimate(const bp_bloom *s, double confidence, bp_estimate *out,
                            bp_detail *why)
{
    const bp_object *o = (const bp_object *)s;
    bp_status st = bp_check_confidence(confidence, why);
    if (!st)
        bp_probe_estimate(bloom_design_of(o), bloom_count(o), confidence, out);
    return st;
}

double bp_bloom_fpr(const bp_bloom *s)
{
    const bp_object *o = (const bp_object *)s;
    return bp_probe_rate_now(bloom_design_of(o), bloom_count(o));
}

/* ------------------------------------------------------------------------- describing */

static void bloom_describe(const bp_object *o, bp_description *out)
{
    const bp_probe_design *d = bloom_design_of(o);
    const uint64_t set = bloom_count(o);
    bp_say_whole(out, "bits", "bits", d->cells, true);
    bp_probe_say_design(d, out);
    bp_say_whole(out, "bits_set", "bits", set, false);
    bp_probe_say_state(d, set, out);
}

/* ------------------------------------------------------------------------------ union */

static bp_status bloom_same(const bp_object *dst, const bp_object *src, bp_detail *why)
{
    return bp_probe_same(bloom_design_of(dst), bloom_design_of(src),
                         "the filters differ in bits", why);
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
    bp_probe_put(bloom_design_of(o), w);
}

static bp_status bloom_get_params(void *head, bp_reader *r, const bp_envelope *e,
                                  bp_detail *why)
{
    bp_probe_design *d = &((bloom_head *)head)->design;
    bp_status st = bp_probe_get(d, r, "a filter has 1 to 2^56 bits", why);
    if (!st && !r->short_ && e->payload_size != bp_bloom_bytes(d->cells))
        st = bp_fail_at(why, BP_CORRUPT, "the payload is not as long as the bits say", 0,
                        e->payload_size, bp_bloom_bytes(d->cells));
    return st;
}

static bp_status bloom_check_payload(const void *head, const uint8_t *payload, size_t n,
                                     bp_detail *why)
{
    const uint64_t m = ((const bloom_head *)head)->design.cells;
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
    c->fpr = bp_probe_rate(&h->design);
    c->bits = h->design.cells;
    c->memory = bp_bloom_bytes(h->design.cells);
    c->hashes = h->design.hashes;
    c->concurrent = h->base.concurrent;
}

static size_t bloom_cells_size(const void *head)
{
    const uint64_t n = bp_bloom_bytes(((const bloom_head *)head)->design.cells);
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
