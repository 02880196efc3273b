/* SPDX-License-Identifier: MIT
 * counting_bloom.c - is it in the set, when keys are also taken out again?
 *
 * A Bloom filter whose m cells are not bits but counters of 4 bits. Adding a key counts
 * its k cells up, taking it out counts them down, and a key is in when none of its
 * counters is 0. Whoever asks sees the Bloom filter of those that are still in: same
 * positions, same sizing, same false positives (Fan, Cao, Almeida and Broder, IEEE/ACM
 * ToN 8(3), 2000, section V.C, who show that 4 bits are enough).
 *
 *     key --hash--> k positions of m          parts/probes.h
 *
 *     counters  0 2 1 0 | 15 0 0 1 | ...      counter p is the low (p even) or high half
 *                 ^ ^          ^              of byte p / 2; padded with zeros to whole
 *                                             8 bytes
 *
 *     fpr(n) = (1 - e^(-kn/m))^k              n different keys: parts/probe_design.c
 *     copies of a key <= least of its counters
 *
 * At capacity a counter holds a Poisson number with mean ln 2: 15 or more in 1.6e-15 of
 * them. What fills counters are copies of one key. A counter that reaches 15 stays there
 * for ever, because nobody knows what it would have to be counted down to: it never makes
 * a member a stranger, it only keeps a stranger from being told.
 *
 * What we do differently: two of a key's positions may be the same. It counts once there.
 * All k counters are read, then all are written from what was read, so that writing one
 * twice does no harm, a key with such positions is taken out as it was put in, and a
 * refusal is known before anything is written. */
#include "core/cpu.h"
#include "core/mathx.h"
#include "core/object.h"
#include "hash/hash.h"
#include "parts/probe_design.h"
#include "parts/probes.h"

#include <ballpark/counting_bloom.h>

BP_INTERNAL extern const bp_kind bp_kind_counting_bloom;

typedef struct counting_head {
    bp_head base;
    bp_probe_design design;
} counting_head;

enum { COUNTING_FULL = 15, COUNTERS_PER_WORD = 16 };

static const bp_probe_design *counting_design(const bp_object *o)
{
    return &((const counting_head *)o->head)->design;
}

static bp_probed counting_probed(const bp_object *o)
{
    const bp_probe_design *d = counting_design(o);
    return (bp_probed){o->cells, d->cells, d->hashes, o->cells_size};
}

/* -------------------------------------------------------------------------- counters */

static BP_ALWAYS_INLINE uint8_t *counting_at(const bp_probed *p, uint64_t position)
{
    return p->cells + (size_t)(position >> 1);
}

static BP_ALWAYS_INLINE unsigned counting_shift(uint64_t position)
{
    return (unsigned)(position & 1) * 4;
}

static BP_ALWAYS_INLINE unsigned counting_get(const bp_probed *p, uint64_t position)
{
    return (unsigned)*counting_at(p, position) >> counting_shift(position) & 15;
}

static BP_ALWAYS_INLINE void counting_put(const bp_probed *p, uint64_t position,
                                          unsigned value)
{
    uint8_t *at = counting_at(p, position);
    const unsigned shift = counting_shift(position);
    *at = (uint8_t)((*at & (0xF0u >> shift)) | value << shift);
}

static BP_ALWAYS_INLINE uint64_t counting_test(const bp_probed *p, uint64_t position)
{
    return counting_get(p, position) != 0;
}

enum { COUNTING_HAS = 0, COUNTING_ADD = 1, COUNTING_REMOVE = 2 };

/* One key, in or out, at its positions. 1: it was surely new; it was there. */
static BP_ALWAYS_INLINE uint64_t counting_change_at(const bp_probed *p,
                                                    const uint64_t *position, int verb)
{
    uint8_t count[BP_PROBE_HASHES_MAX];
    bool all = true;
    for (uint32_t j = 0; j < p->hashes; j++) {
        count[j] = (uint8_t)counting_get(p, position[j]);
        all &= count[j] != 0;
    }
    if (verb == COUNTING_REMOVE && !all)
        return 0;
    for (uint32_t j = 0; j < p->hashes; j++) {
        const bool moves = count[j] != COUNTING_FULL;
        counting_put(p, position[j],
                     verb == COUNTING_ADD ? count[j] + moves : count[j] - moves);
    }
    return verb == COUNTING_REMOVE || !all;
}

static BP_ALWAYS_INLINE uint64_t counting_change(const bp_probed *p, uint64_t hash,
                                                 int verb)
{
    uint64_t position[BP_PROBE_HASHES_MAX];
    bp_probes w = bp_probes_start(hash);
    for (uint32_t j = 0; j < p->hashes; j++)
        position[j] = bp_probes_next(&w, p->m);
    return counting_change_at(p, position, verb);
}

#define PROBE_AT counting_at
#define PROBE_TEST counting_test

#define PROBE_NAME(x) counting_##x##_plain
#define PROBE_TARGET
#include "parts/probe_kernels.inc"
#include "sketches/counting_bloom/counting_bloom_kernels.inc"
#undef PROBE_NAME
#undef PROBE_TARGET

#if BP_X86
#define PROBE_NAME(x) counting_##x##_avx2
#define PROBE_TARGET BP_TARGET_AVX2
#include "parts/probe_kernels.inc"
#include "sketches/counting_bloom/counting_bloom_kernels.inc"
#undef PROBE_NAME
#undef PROBE_TARGET
#endif

/* --------------------------------------------------------------- add, remove and has */

typedef struct counting_loops {
    bp_probe_loops verb[3];
    uint64_t (*tally)(const uint8_t *cells, size_t n, uint64_t *saturated);
} counting_loops;

static const counting_loops *counting_choose(void)
{
    static const counting_loops plain = {
        {{counting_has_near_plain, counting_has_far_plain, counting_has_sure_plain},
         {counting_add_near_plain, counting_add_far_plain, counting_add_far_plain},
         {counting_remove_near_plain, counting_remove_far_plain,
          counting_remove_far_plain}},
        counting_tally_plain};
#if BP_X86
    static const counting_loops avx2 = {
        {{counting_has_near_avx2, counting_has_far_avx2, counting_has_sure_avx2},
         {counting_add_near_avx2, counting_add_far_avx2, counting_add_far_avx2},
         {counting_remove_near_avx2, counting_remove_far_avx2, counting_remove_far_avx2}},
        counting_tally_avx2};
    if (bp_cpu() & BP_CPU_AVX2)
        return &avx2;
#endif
    return &plain;
}

/* One hash takes the short way: it should not cost what setting up a loop does. */
static size_t counting_each_hash(const bp_object *o, const uint64_t *hashes, size_t n,
                                 uint8_t *flags, int verb)
{
    const bp_probed p = counting_probed(o);
    if (n == 1) {
        const bool yes = verb == COUNTING_HAS ? counting_has_one_plain(&p, *hashes)
                                              : counting_change(&p, *hashes, verb);
        if (flags)
            *flags = yes;
        return yes;
    }
    return bp_probe_each_hash(&p, &counting_choose()->verb[verb], hashes, n, flags);
}

/* Without its secret key a filter cannot say no, and must not take a key in or out: its
 * counters would not be those that the key's owner looks at. */
static size_t counting_each_key(const bp_object *o, const bp_bytes *keys, size_t n,
                                uint8_t *flags, int verb)
{
    const bp_head *head = (const bp_head *)o->head;
    const bp_probed p = counting_probed(o);
    if (!head->keyless)
        return bp_probe_each_key(&p, &counting_choose()->verb[verb], &head->hash, keys, n,
                                 flags);
    if (flags)
        memset(flags, verb == COUNTING_HAS, n);
    return verb == COUNTING_HAS ? n : 0;
}

/* Single calls are the body of the loops, without their way there. */
bool bp_counting_bloom_add(bp_counting_bloom *s, const void *key, size_t n)
{
    const bp_object *o = (const bp_object *)s;
    const bp_head *head = (const bp_head *)o->head;
    const bp_probed p = counting_probed(o);
    return !head->keyless &&
           counting_change(&p, bp_hash(&head->hash, key, n), COUNTING_ADD);
}

size_t bp_counting_bloom_add_n(bp_counting_bloom *s, const bp_bytes *keys, size_t n,
                               uint8_t *fresh)
{
    return counting_each_key((const bp_object *)s, keys, n, fresh, COUNTING_ADD);
}

size_t bp_counting_bloom_add_hashes(bp_counting_bloom *s, const uint64_t *hashes,
                                    size_t n, uint8_t *fresh)
{
    return counting_each_hash((const bp_object *)s, hashes, n, fresh, COUNTING_ADD);
}

bool bp_counting_bloom_remove(bp_counting_bloom *s, const void *key, size_t n)
{
    const bp_object *o = (const bp_object *)s;
    const bp_head *head = (const bp_head *)o->head;
    const bp_probed p = counting_probed(o);
    return !head->keyless &&
           counting_change(&p, bp_hash(&head->hash, key, n), COUNTING_REMOVE);
}

size_t bp_counting_bloom_remove_n(bp_counting_bloom *s, const bp_bytes *keys, size_t n,
                                  uint8_t *was_there)
{
    return counting_each_key((const bp_object *)s, keys, n, was_there, COUNTING_REMOVE);
}

size_t bp_counting_bloom_remove_hashes(bp_counting_bloom *s, const uint64_t *hashes,
                                       size_t n, uint8_t *was_there)
{
    return counting_each_hash((const bp_object *)s, hashes, n, was_there,
                              COUNTING_REMOVE);
}

bool bp_counting_bloom_has(const bp_counting_bloom *s, const void *key, size_t n)
{
    const bp_object *o = (const bp_object *)s;
    const bp_head *head = (const bp_head *)o->head;
    const bp_probed p = counting_probed(o);
    return head->keyless || counting_has_one_plain(&p, bp_hash(&head->hash, key, n));
}

size_t bp_counting_bloom_has_n(const bp_counting_bloom *s, const bp_bytes *keys, size_t n,
                               uint8_t *hit)
{
    return counting_each_key((const bp_object *)s, keys, n, hit, COUNTING_HAS);
}

size_t bp_counting_bloom_has_hashes(const bp_counting_bloom *s, const uint64_t *hashes,
                                    size_t n, uint8_t *hit)
{
    return counting_each_hash((const bp_object *)s, hashes, n, hit, COUNTING_HAS);
}

static uint64_t counting_count_hash(const bp_object *o, uint64_t hash)
{
    const bp_probed p = counting_probed(o);
    bp_probes w = bp_probes_start(hash);
    unsigned least = COUNTING_FULL;
    for (uint32_t j = 0; j < p.hashes && least; j++) {
        const unsigned count = counting_get(&p, bp_probes_next(&w, p.m));
        least = count < least ? count : least;
    }
    return least == COUNTING_FULL ? UINT64_MAX : least;
}

uint64_t bp_counting_bloom_count(const bp_counting_bloom *s, const void *key, size_t n)
{
    const bp_object *o = (const bp_object *)s;
    const bp_head *head = (const bp_head *)o->head;
    return head->keyless ? UINT64_MAX
                         : counting_count_hash(o, bp_hash(&head->hash, key, n));
}

/* ------------------------------------------------------------------------- estimates */

/* In an unverified view the padding may be counted, too: never more than m. */
static uint64_t counting_used(const bp_object *o, uint64_t *saturated)
{
    const uint64_t m = counting_design(o)->cells;
    const uint64_t used = counting_choose()->tally(o->cells, o->cells_size, saturated);
    *saturated = *saturated < m ? *saturated : m;
    return used < m ? used : m;
}

bp_status bp_counting_bloom_estimate(const bp_counting_bloom *s, double confidence,
                                     bp_estimate *out, bp_detail *why)
{
    const bp_object *o = (const bp_object *)s;
    uint64_t saturated;
    bp_status st = bp_check_confidence(confidence, why);
    if (!st)
        bp_probe_estimate(counting_design(o), counting_used(o, &saturated), confidence,
                          out);
    return st;
}

static double counting_fpr(const bp_object *o)
{
    uint64_t saturated;
    return bp_probe_rate_now(counting_design(o), counting_used(o, &saturated));
}

double bp_counting_bloom_fpr(const bp_counting_bloom *s)
{
    return counting_fpr((const bp_object *)s);
}

static void counting_describe(const bp_object *o, bp_description *out)
{
    const bp_probe_design *d = counting_design(o);
    uint64_t saturated;
    const uint64_t used = counting_used(o, &saturated);
    bp_say_whole(out, "bits", "bits", 4 * d->cells, true);
    bp_say_whole(out, "counters", "counters", d->cells, true);
    bp_probe_say_design(d, out);
    bp_say_whole(out, "counters_used", "counters", used, false);
    bp_say_whole(out, "counters_saturated", "counters", saturated, false);
    bp_probe_say_state(d, used, out);
    if (saturated && out->health == BP_HEALTH_OK) {
        out->health = BP_HEALTH_NEAR;
        out->advice =
            "some counters have reached 15 and stay there: keys added that often "
            "can no longer be removed";
    }
}

/* ----------------------------------------------------------------------------- merge */

static bp_status counting_same(const bp_object *dst, const bp_object *src, bp_detail *why)
{
    return bp_probe_same(counting_design(dst), counting_design(src),
                         "the filters differ in counters", why);
}

/* Sums of 16 counters at once, none above 15: in bytes of their own those that pass it
 * have bit 4 set, from which the four below are filled. */
static uint64_t counting_sum_even(uint64_t a, uint64_t b)
{
    const uint64_t low = UINT64_C(0x0F0F0F0F0F0F0F0F);
    const uint64_t sum = (a & low) + (b & low);
    const uint64_t over = sum & ~low;
    return (sum | (over - (over >> 4))) & low;
}

static bp_status counting_merge(bp_object *dst, const bp_object *src, bp_detail *why)
{
    (void)why;
    for (size_t i = 0; i < dst->cells_size; i += 8) {
        uint64_t a, b;
        memcpy(&a, dst->cells + i, 8);
        memcpy(&b, src->cells + i, 8);
        a = counting_sum_even(a, b) | counting_sum_even(a >> 4, b >> 4) << 4;
        memcpy(dst->cells + i, &a, 8);
    }
    return BP_OK;
}

/* ----------------------------------------------------------------------------- bytes */

static uint64_t counting_bytes(uint64_t counters)
{
    return (counters + COUNTERS_PER_WORD - 1) / COUNTERS_PER_WORD * 8;
}

static void counting_put_params(const bp_object *o, bp_writer *w)
{
    bp_probe_put(counting_design(o), w);
}

static bp_status counting_get_params(void *head, bp_reader *r, const bp_envelope *e,
                                     bp_detail *why)
{
    bp_probe_design *d = &((counting_head *)head)->design;
    bp_status st = bp_probe_get(d, r, "a filter has 1 to 2^56 counters", why);
    if (!st && !r->short_ && e->payload_size != counting_bytes(d->cells))
        st = bp_fail_at(why, BP_CORRUPT, "the payload is not as long as the counters say",
                        0, e->payload_size, counting_bytes(d->cells));
    return st;
}

static bp_status counting_check_payload(const void *head, const uint8_t *payload,
                                        size_t n, bp_detail *why)
{
    const uint64_t m = ((const counting_head *)head)->design.cells;
    const unsigned last = m % COUNTERS_PER_WORD;
    if (last == 0 || bp_load64(payload + n - 8) >> (4 * last) == 0)
        return BP_OK;
    return bp_fail_at(why, BP_CORRUPT, "a padding counter is not 0", n - 8,
                      bp_load64(payload + n - 8), m);
}

/* --------------------------------------------------------------------- configuration */

/* The size in counters from counters or memory, 0 when neither was given. */
static bp_status counting_given(const bp_counting_bloom_config *cfg, uint64_t *counters,
                                bp_detail *why)
{
    *counters = cfg->counters ? cfg->counters : cfg->memory / 8 * COUNTERS_PER_WORD;
    if (cfg->memory && cfg->memory < 8)
        return bp_fail(why, BP_PARAM, "a filter takes at least 8 bytes", cfg->memory, 8);
    if (cfg->memory > BP_PROBE_CELLS_MAX / 2 || cfg->counters > BP_PROBE_CELLS_MAX)
        return bp_fail(why, BP_PARAM, "a filter has 1 to 2^56 counters",
                       cfg->counters ? cfg->counters : cfg->memory, BP_PROBE_CELLS_MAX);
    if (cfg->counters && cfg->memory && cfg->memory != counting_bytes(cfg->counters))
        return bp_fail(why, BP_PARAM, "counters and memory disagree: give one of them",
                       cfg->memory, counting_bytes(cfg->counters));
    return BP_OK;
}

static bp_status counting_solve(const bp_counting_bloom_config *cfg, bp_probe_design *d,
                                bp_detail *why)
{
    bp_probe_design given = {0, cfg->items, cfg->fpr, cfg->hashes};
    if (cfg->reserved32)
        return bp_fail(why, BP_PARAM, "a reserved configuration field is set",
                       cfg->reserved32, 0);
    bp_status st = counting_given(cfg, &given.cells, why);
    return st ? st : bp_probe_solve(&given, d, why);
}

static void counting_fill_in(const bp_probe_design *d, bp_counting_bloom_config *c)
{
    c->items = d->items;
    c->fpr = bp_probe_rate(d);
    c->counters = d->cells;
    c->memory = counting_bytes(d->cells);
    c->hashes = d->hashes;
}

bp_status bp_counting_bloom_size(const bp_counting_bloom_config *cfg,
                                 bp_counting_bloom_config *out, bp_detail *why)
{
    static const bp_counting_bloom_config none;
    const bp_counting_bloom_config asked = cfg ? *cfg : none;
    bp_probe_design d;
    bp_status st = counting_solve(&asked, &d, why);
    if (st)
        return st;
    *out = asked;
    counting_fill_in(&d, out);
    return BP_OK;
}

static bp_status counting_setup(void *head, const void *cfg, bp_detail *why)
{
    return counting_solve((const bp_counting_bloom_config *)cfg,
                          &((counting_head *)head)->design, why);
}

static void counting_config(const void *head, void *cfg)
{
    counting_fill_in(&((const counting_head *)head)->design,
                     (bp_counting_bloom_config *)cfg);
}

static size_t counting_cells_size(const void *head)
{
    const uint64_t n = counting_bytes(((const counting_head *)head)->design.cells);
    return n > SIZE_MAX ? SIZE_MAX : (size_t)n;
}

/* ----------------------------------------------------------------------------- table */

static bp_status counting_add_any(bp_object *o, const bp_bytes *keys, size_t n,
                                  bp_detail *why)
{
    if (((const bp_head *)o->head)->keyless)
        return bp_fail(why, BP_UNSUPPORTED, "opened without its key: nothing to add with",
                       0, 0);
    counting_each_key(o, keys, n, NULL, COUNTING_ADD);
    return BP_OK;
}

static bp_status counting_add_hashes_any(bp_object *o, const uint64_t *hashes, size_t n,
                                         bp_detail *why)
{
    (void)why;
    counting_each_hash(o, hashes, n, NULL, COUNTING_ADD);
    return BP_OK;
}

static bp_status counting_estimate_any(const bp_object *o, double confidence,
                                       bp_estimate *out, bp_detail *why)
{
    return bp_counting_bloom_estimate((const bp_counting_bloom *)o, confidence, out, why);
}

static size_t counting_has_any(const bp_object *o, const uint64_t *hashes, size_t n,
                               uint8_t *hit)
{
    return counting_each_hash(o, hashes, n, hit, COUNTING_HAS);
}

static bp_status counting_add_new_any(bp_object *o, const uint64_t *hashes, size_t n,
                                      uint8_t *was_new, size_t *done, bp_detail *why)
{
    (void)why;
    counting_each_hash(o, hashes, n, was_new, COUNTING_ADD);
    *done = n;
    return BP_OK;
}

static bp_status counting_remove_any(bp_object *o, const uint64_t *hashes, size_t n,
                                     uint8_t *was_there, size_t *done, bp_detail *why)
{
    (void)why;
    counting_each_hash(o, hashes, n, was_there, COUNTING_REMOVE);
    *done = n;
    return BP_OK;
}

const bp_kind bp_kind_counting_bloom = {
    .name = "counting_bloom",
    .id = 0x0004,
    .rule = 1,
    .config_size = sizeof(bp_counting_bloom_config),
    .head_size = sizeof(counting_head),
    .hashing = &bp_hashing_all,
    .setup = counting_setup,
    .config = counting_config,
    .cells_size = counting_cells_size,
    .same = counting_same,
    .merge = counting_merge,
    .put_params = counting_put_params,
    .get_params = counting_get_params,
    .check_payload = counting_check_payload,
    .describe = counting_describe,
    .add_n = counting_add_any,
    .add_hashes = counting_add_hashes_any,
    .estimate = counting_estimate_any,
    .has_hashes = counting_has_any,
    .add_new = counting_add_new_any,
    .remove_hashes = counting_remove_any,
    .count_hash = counting_count_hash,
    .fpr = counting_fpr,
};

BP_SKETCH_IMPL(counting_bloom);
