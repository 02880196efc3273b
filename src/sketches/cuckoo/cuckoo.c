/* SPDX-License-Identifier: MIT
 * cuckoo.c - is it in a set from which keys are taken out again?
 *
 * A Bloom filter cannot forget a key, because its bits are others' too. Here a key owns a
 * slot, in which a tag of it stands: 8, 12 or 16 bits of its hash.
 *
 *     key --hash--> h      tag = 1 + a few low bits of h        0: an empty slot
 *
 *     chunk   | a b c . |   | d e f g |   | h . . . |  ...      buckets of four slots
 *                 ^ at = the high bits of h      ^ other(at, tag)
 *
 *     fpr = 1 - (1 - 1/(2^bits - 1))^(8 load)                   cuckoo_size.c
 *
 * The tag is in one of two buckets. A question reads both, eight tags, with no branch
 * between: one that is not there was never added, or was removed. When both are full,
 * tags are moved to make room. That is possible without their keys, because a tag's other
 * bucket follows from the tag and the bucket it is in (Fan, Andersen, Kaminsky and
 * Mitzenmacher, CoNEXT 2014), and succeeds until nearly every slot is used, so that a
 * filter takes 1.056 times `bits` bits an item: fewer than a Bloom filter's below 0.3 %.
 *
 * There, the other bucket is at XOR hash(tag), which needs a power of two of buckets: up
 * to half of the memory is wasted, and the two lie anywhere. As in a Vacuum filter (Wang,
 * Zhou, Shi and Qian, VLDB 13(2), 2019) ours lie close to each other: for three tags of
 * four within 256 buckets (2 KiB: a page), for the rest within a chunk (at most 2 MiB:
 * cuckoo_size.c says why no closer). Within a chunk other(at, tag) is not an XOR but a
 * mirror, r(tag) - at, with r odd: that is its own inverse for any even number of
 * buckets.
 *
 * A key may be added more than once, and each copy has its slot, up to the eight there
 * are. A remove takes one copy out. It cannot know whose tag it takes: two keys with one
 * tag and one pair of buckets are the same to the filter, which is right as long as only
 * what was added is removed, and loses a key when a stranger is.
 *
 * What we do differently: searches that look before they move (cuckoo_add.c), so that a
 * full filter has lost nothing; a stated capacity; local pairs for any size; a bucket is
 * one word, compared with a tag in all its lanes by a few instructions; batches. */
#include "sketches/cuckoo/cuckoo_state.h"

#include "core/mathx.h"
#include "hash/hash.h"

#include <math.h>

BP_INTERNAL extern const bp_kind bp_kind_cuckoo;

enum {
    CUCKOO_AHEAD = 32,          /* keys whose buckets are under way at once */
    CUCKOO_KEYS = BP_HASH_BATCH /* keys hashed at once                      */
};

/* One loop for each width of tags, so that none decides while it runs. */
#define CUCKOO_EACH_WIDTH(bits, call)                                                    \
    switch (bits) {                                                                      \
    case 8:                                                                              \
        return call(8);                                                                  \
    case 12:                                                                             \
        return call(12);                                                                 \
    default:                                                                             \
        return call(16);                                                                 \
    }

static const cuckoo_head *cuckoo_head_of(const bp_object *o)
{
    return (const cuckoo_head *)o->head;
}

/* Without its secret key a filter cannot say no, and must not take or lose a key. */
static bool cuckoo_keyless(const bp_object *o)
{
    return cuckoo_head_of(o)->base.keyless;
}

/* ------------------------------------------------------------------------- questions */

static BP_ALWAYS_INLINE bool cuckoo_is_in(const cuckoo_map *m, const cuckoo_place *p,
                                          uint32_t bits)
{
    const uint64_t tags = p->tag * cuckoo_ones(bits);
    const uint64_t first = cuckoo_load(m, p->base + p->at[0], bits) ^ tags;
    const uint64_t second = cuckoo_load(m, p->base + p->at[1], bits) ^ tags;
    return (cuckoo_zero(first, bits) | cuckoo_zero(second, bits)) != 0;
}

static BP_ALWAYS_INLINE size_t cuckoo_has_close(const cuckoo_map *m,
                                                const uint64_t *hashes, size_t n,
                                                uint8_t *hit, uint32_t bits)
{
    size_t yes = 0;
    for (size_t i = 0; i < n; i++) {
        const cuckoo_place p = cuckoo_place_of(m, hashes[i], bits);
        const bool is = cuckoo_is_in(m, &p, bits);
        if (hit)
            hit[i] = is;
        yes += is;
    }
    return yes;
}

/* A ring of places: those of the key CUCKOO_AHEAD further are fetched before this one's
 * are read. */
static BP_ALWAYS_INLINE size_t cuckoo_has_far(const cuckoo_map *m, const uint64_t *hashes,
                                              size_t n, uint8_t *hit, uint32_t bits)
{
    cuckoo_place ring[CUCKOO_AHEAD];
    size_t yes = 0;
    for (size_t i = 0; i < n && i < CUCKOO_AHEAD; i++)
        ring[i] = cuckoo_ask(m, hashes[i], bits);
    for (size_t i = 0; i < n; i++) {
        cuckoo_place *p = &ring[i % CUCKOO_AHEAD];
        const bool is = cuckoo_is_in(m, p, bits);
        if (i + CUCKOO_AHEAD < n)
            *p = cuckoo_ask(m, hashes[i + CUCKOO_AHEAD], bits);
        if (hit)
            hit[i] = is;
        yes += is;
    }
    return yes;
}

static BP_NOINLINE size_t cuckoo_has_many(const bp_object *o, const uint64_t *hashes,
                                          size_t n, uint8_t *hit)
{
    const cuckoo_map m = cuckoo_map_of(o);
    const uint32_t bits = cuckoo_head_of(o)->design.bits;
#define CUCKOO_CLOSE_LOOP(bits) cuckoo_has_close(&m, hashes, n, hit, bits)
#define CUCKOO_FAR_LOOP(bits) cuckoo_has_far(&m, hashes, n, hit, bits)
    if (o->cells_size <= CUCKOO_CLOSE)
        CUCKOO_EACH_WIDTH(bits, CUCKOO_CLOSE_LOOP)
    CUCKOO_EACH_WIDTH(bits, CUCKOO_FAR_LOOP)
#undef CUCKOO_CLOSE_LOOP
#undef CUCKOO_FAR_LOOP
}

static BP_ALWAYS_INLINE bool cuckoo_one(const cuckoo_map *m, uint64_t hash, uint32_t bits)
{
    const cuckoo_place p = cuckoo_place_of(m, hash, bits);
    return cuckoo_is_in(m, &p, bits);
}

/* The fewer instructions between two calls' reads, the more of them are under way. */
static bool cuckoo_has_one(const bp_object *o, uint64_t hash)
{
    const cuckoo_map m = cuckoo_map_of(o);
#define CUCKOO_ONE(bits) cuckoo_one(&m, hash, bits)
    CUCKOO_EACH_WIDTH(cuckoo_head_of(o)->design.bits, CUCKOO_ONE)
#undef CUCKOO_ONE
}

static size_t cuckoo_has(const bp_object *o, const uint64_t *hashes, size_t n,
                         uint8_t *hit)
{
    if (n != 1)
        return cuckoo_has_many(o, hashes, n, hit);
    const bool is = cuckoo_has_one(o, hashes[0]);
    if (hit)
        *hit = is;
    return is;
}

bool bp_cuckoo_has(const bp_cuckoo *s, const void *key, size_t n)
{
    const bp_object *o = (const bp_object *)s;
    const uint64_t hash = bp_hash(&cuckoo_head_of(o)->base.hash, key, n);
    return cuckoo_keyless(o) || cuckoo_has_one(o, hash);
}

size_t bp_cuckoo_has_n(const bp_cuckoo *s, const bp_bytes *keys, size_t n, uint8_t *hit)
{
    const bp_object *o = (const bp_object *)s;
    uint64_t hashes[CUCKOO_KEYS];
    size_t yes = 0;
    if (cuckoo_keyless(o)) {
        if (hit)
            memset(hit, 1, n);
        return n;
    }
    for (size_t i = 0; i < n; i += CUCKOO_KEYS) {
        const size_t m = n - i < CUCKOO_KEYS ? n - i : CUCKOO_KEYS;
        bp_hash_n(&cuckoo_head_of(o)->base.hash, keys + i, m, hashes);
        yes += cuckoo_has(o, hashes, m, hit ? hit + i : NULL);
    }
    return yes;
}

size_t bp_cuckoo_has_hashes(const bp_cuckoo *s, const uint64_t *hashes, size_t n,
                            uint8_t *hit)
{
    return cuckoo_has((const bp_object *)s, hashes, n, hit);
}

static BP_ALWAYS_INLINE uint64_t cuckoo_copies(const cuckoo_map *m, uint64_t hash,
                                               uint32_t bits)
{
    const cuckoo_place p = cuckoo_place_of(m, hash, bits);
    const uint64_t tags = p.tag * cuckoo_ones(bits);
    const uint64_t first = cuckoo_load(m, p.base + p.at[0], bits) ^ tags;
    const uint64_t second = cuckoo_load(m, p.base + p.at[1], bits) ^ tags;
    return (uint64_t)BP_POPCOUNT64(cuckoo_zeros(first, bits)) +
           (uint64_t)BP_POPCOUNT64(cuckoo_zeros(second, bits));
}

static uint64_t cuckoo_count(const bp_object *o, uint64_t hash)
{
    const cuckoo_map m = cuckoo_map_of(o);
#define CUCKOO_COPIES(bits) cuckoo_copies(&m, hash, bits)
    CUCKOO_EACH_WIDTH(cuckoo_head_of(o)->design.bits, CUCKOO_COPIES)
#undef CUCKOO_COPIES
}

uint64_t bp_cuckoo_count(const bp_cuckoo *s, const void *key, size_t n)
{
    const bp_object *o = (const bp_object *)s;
    const uint64_t hash = bp_hash(&cuckoo_head_of(o)->base.hash, key, n);
    return cuckoo_keyless(o) ? 2 * CUCKOO_SLOTS : cuckoo_count(o, hash);
}

/* --------------------------------------------------------------------- adding, removing
 */

static bp_status cuckoo_add_hashes(bp_object *o, const uint64_t *hashes, size_t n,
                                   uint8_t *was_new, bool once, size_t *done,
                                   bp_detail *why)
{
    const size_t did = bp_cuckoo_take(o, hashes, n, was_new, once, why);
    if (done)
        *done = did;
    return did < n ? BP_FULL : BP_OK;
}

static bp_status cuckoo_add_keys(bp_object *o, const bp_bytes *keys, size_t n,
                                 uint8_t *was_new, bool once, size_t *done,
                                 bp_detail *why)
{
    uint64_t hashes[CUCKOO_KEYS];
    size_t did = 0;
    bp_status st = BP_OK;
    if (cuckoo_keyless(o))
        return bp_fail(why, BP_UNSUPPORTED, "opened without its key: nothing to add with",
                       0, 0);
    while (did < n && !st) {
        const size_t m = n - did < CUCKOO_KEYS ? n - did : CUCKOO_KEYS;
        size_t some;
        bp_hash_n(&cuckoo_head_of(o)->base.hash, keys + did, m, hashes);
        st = cuckoo_add_hashes(o, hashes, m, was_new ? was_new + did : NULL, once, &some,
                               why);
        did += some;
    }
    if (done)
        *done = did;
    return st;
}

bp_status bp_cuckoo_add(bp_cuckoo *s, const void *key, size_t n, bp_detail *why)
{
    return cuckoo_add_keys((bp_object *)s, &(bp_bytes){key, n}, 1, NULL, false, NULL,
                           why);
}

bp_status bp_cuckoo_add_n(bp_cuckoo *s, const bp_bytes *keys, size_t n, uint8_t *was_new,
                          size_t *done, bp_detail *why)
{
    return cuckoo_add_keys((bp_object *)s, keys, n, was_new, false, done, why);
}

bp_status bp_cuckoo_add_hashes(bp_cuckoo *s, const uint64_t *hashes, size_t n,
                               uint8_t *was_new, size_t *done, bp_detail *why)
{
    return cuckoo_add_hashes((bp_object *)s, hashes, n, was_new, false, done, why);
}

bp_status bp_cuckoo_add_once(bp_cuckoo *s, const void *key, size_t n, bool *was_new,
                             bp_detail *why)
{
    uint8_t flag;
    const bp_status st =
        cuckoo_add_keys((bp_object *)s, &(bp_bytes){key, n}, 1, &flag, true, NULL, why);
    if (!st && was_new)
        *was_new = flag;
    return st;
}

bp_status bp_cuckoo_add_once_n(bp_cuckoo *s, const bp_bytes *keys, size_t n,
                               uint8_t *was_new, size_t *done, bp_detail *why)
{
    return cuckoo_add_keys((bp_object *)s, keys, n, was_new, true, done, why);
}

bp_status bp_cuckoo_add_once_hashes(bp_cuckoo *s, const uint64_t *hashes, size_t n,
                                    uint8_t *was_new, size_t *done, bp_detail *why)
{
    return cuckoo_add_hashes((bp_object *)s, hashes, n, was_new, true, done, why);
}

/* The last tag of the bucket fills the gap. */
static BP_ALWAYS_INLINE uint64_t cuckoo_without(uint64_t word, uint32_t shift,
                                                uint32_t bits)
{
    const uint32_t last = (63 - (uint32_t)BP_CLZ64(word)) / bits * bits;
    word = cuckoo_put(word, shift, word >> last, bits);
    return cuckoo_put(word, last, 0, bits);
}

static BP_ALWAYS_INLINE bool cuckoo_remove(const cuckoo_map *m, const cuckoo_place *p,
                                           uint32_t bits)
{
    const uint64_t tags = p->tag * cuckoo_ones(bits);
    for (int i = 0; i < 2; i++) {
        const uint64_t bucket = p->base + p->at[i];
        const uint64_t word = cuckoo_load(m, bucket, bits);
        const uint64_t same = cuckoo_zero(word ^ tags, bits);
        if (same) {
            const uint32_t shift = cuckoo_shift(same, bits);
            cuckoo_store(m, bucket, cuckoo_without(word, shift, bits), bits);
            return true;
        }
    }
    return false;
}

static BP_ALWAYS_INLINE size_t cuckoo_remove_all(const cuckoo_map *m,
                                                 const uint64_t *hashes, size_t n,
                                                 uint8_t *was_there, uint32_t bits)
{
    cuckoo_place ring[CUCKOO_AHEAD];
    size_t yes = 0;
    for (size_t i = 0; i < n && i < CUCKOO_AHEAD; i++)
        ring[i] = cuckoo_ask(m, hashes[i], bits);
    for (size_t i = 0; i < n; i++) {
        cuckoo_place *p = &ring[i % CUCKOO_AHEAD];
        const bool was = cuckoo_remove(m, p, bits);
        if (i + CUCKOO_AHEAD < n)
            *p = cuckoo_ask(m, hashes[i + CUCKOO_AHEAD], bits);
        if (was_there)
            was_there[i] = was;
        yes += was;
    }
    return yes;
}

static size_t cuckoo_remove_some(const bp_object *o, const uint64_t *hashes, size_t n,
                                 uint8_t *was_there)
{
    const cuckoo_map m = cuckoo_map_of(o);
#define CUCKOO_REMOVE(bits) cuckoo_remove_all(&m, hashes, n, was_there, bits)
    CUCKOO_EACH_WIDTH(cuckoo_head_of(o)->design.bits, CUCKOO_REMOVE)
#undef CUCKOO_REMOVE
}

size_t bp_cuckoo_remove_hashes(bp_cuckoo *s, const uint64_t *hashes, size_t n,
                               uint8_t *was_there)
{
    bp_object *o = (bp_object *)s;
    const size_t yes = cuckoo_remove_some(o, hashes, n, was_there);
    ((cuckoo_head *)o->head)->stored -= yes;
    return yes;
}

size_t bp_cuckoo_remove_n(bp_cuckoo *s, const bp_bytes *keys, size_t n,
                          uint8_t *was_there)
{
    const bp_object *o = (const bp_object *)s;
    uint64_t hashes[CUCKOO_KEYS];
    size_t yes = 0;
    if (cuckoo_keyless(o)) {
        if (was_there)
            memset(was_there, 0, n);
        return 0;
    }
    for (size_t i = 0; i < n; i += CUCKOO_KEYS) {
        const size_t m = n - i < CUCKOO_KEYS ? n - i : CUCKOO_KEYS;
        bp_hash_n(&cuckoo_head_of(o)->base.hash, keys + i, m, hashes);
        yes += bp_cuckoo_remove_hashes(s, hashes, m, was_there ? was_there + i : NULL);
    }
    return yes;
}

bool bp_cuckoo_remove(bp_cuckoo *s, const void *key, size_t n)
{
    return bp_cuckoo_remove_n(s, &(bp_bytes){key, n}, 1, NULL) != 0;
}

/* ------------------------------------------------------------------------- describing */

bp_status bp_cuckoo_estimate(const bp_cuckoo *s, double confidence, bp_estimate *out,
                             bp_detail *why)
{
    const double stored = (double)cuckoo_head_of((const bp_object *)s)->stored;
    const bp_status st = bp_check_confidence(confidence, why);
    if (!st)
        *out = (bp_estimate){stored, stored, stored};
    return st;
}

static double cuckoo_load_of(const cuckoo_head *h)
{
    return (double)h->stored / ((double)cuckoo_buckets(&h->design) * CUCKOO_SLOTS);
}

double bp_cuckoo_fpr(const bp_cuckoo *s)
{
    const cuckoo_head *h = cuckoo_head_of((const bp_object *)s);
    return bp_cuckoo_fpr_at(h->design.bits, cuckoo_load_of(h));
}

static void cuckoo_judge(const cuckoo_head *h, bp_description *out)
{
    if (h->stored > h->design.items) {
        out->health = BP_HEALTH_OVER;
        out->advice = "over capacity: any add may be refused; build a new filter with "
                      "more items";
    } else if (h->stored >= h->design.items - h->design.items / 10) {
        out->health = BP_HEALTH_NEAR;
        out->advice = "nearly full: plan a new filter with more items";
    }
}

static void cuckoo_describe(const bp_object *o, bp_description *out)
{
    const cuckoo_head *h = cuckoo_head_of(o);
    const cuckoo_design *d = &h->design;
    bp_say_whole(out, "tag", "bits", d->bits, true);
    bp_say_whole(out, "buckets", "", cuckoo_buckets(d), true);
    bp_say_whole(out, "bits", "bits", cuckoo_buckets(d) * CUCKOO_SLOTS * d->bits, true);
    bp_say_whole(out, "items", "items", d->items, true);
    bp_say_real(out, "fpr_design", "fraction", bp_cuckoo_design_rate(d), true);
    bp_say_real(out, "load", "fraction", cuckoo_load_of(h), false);
    bp_say_real(out, "fill", "fraction", cuckoo_load_of(h), false);
    bp_say_real(out, "fpr_now", "fraction", bp_cuckoo_fpr((const bp_cuckoo *)o), false);
    bp_say_real(out, "estimate", "items", (double)h->stored, false);
    bp_say_whole(out, "capacity_left", "items",
                 h->stored < d->items ? d->items - h->stored : 0, false);
    bp_say_whole(out, "failed_adds", "", h->failed, false);
    cuckoo_judge(h, out);
}

/* ------------------------------------------------------------------------------ bytes */

enum { AT_CHUNKS = 8, AT_LENGTH = 16, AT_BITS = 20, AT_STORED = 24 };

static void cuckoo_put_params(const bp_object *o, bp_writer *w)
{
    const cuckoo_head *h = cuckoo_head_of(o);
    bp_put64(w, h->design.items);
    bp_put64(w, h->design.chunks);
    bp_put32(w, h->design.length);
    bp_put32(w, h->design.bits);
    bp_put64(w, h->stored);
    bp_put64(w, h->failed);
}

static bp_status cuckoo_check_design(const cuckoo_design *d, bp_detail *why)
{
    if (d->items < 1 || d->items > CUCKOO_ITEMS_MAX)
        return bp_fail_at(why, BP_CORRUPT, "items must be 1 to 2^40", 0, d->items,
                          CUCKOO_ITEMS_MAX);
    if (d->bits != 8 && d->bits != 12 && d->bits != 16)
        return bp_fail_at(why, BP_CORRUPT, "tags have 8, 12 or 16 bits", AT_BITS, d->bits,
                          12);
    const cuckoo_design want = bp_cuckoo_plan(d->items, d->bits);
    if (d->chunks != want.chunks)
        return bp_fail_at(why, BP_CORRUPT, "not the number of chunks for so many items",
                          AT_CHUNKS, d->chunks, want.chunks);
    if (d->length != want.length)
        return bp_fail_at(why, BP_CORRUPT, "not the length of chunks for so many items",
                          AT_LENGTH, d->length, want.length);
    return BP_OK;
}

static bp_status cuckoo_get_params(void *head, bp_reader *r, const bp_envelope *e,
                                   bp_detail *why)
{
    cuckoo_head *h = (cuckoo_head *)head;
    cuckoo_design *d = &h->design;
    d->items = bp_get64(r);
    d->chunks = bp_get64(r);
    d->length = bp_get32(r);
    d->bits = bp_get32(r);
    h->stored = bp_get64(r);
    h->failed = bp_get64(r);
    if (r->short_)
        return BP_OK; /* the caller says so */
    const bp_status st = cuckoo_check_design(d, why);
    if (st)
        return st;
    if (h->stored > cuckoo_buckets(d) * CUCKOO_SLOTS)
        return bp_fail_at(why, BP_CORRUPT, "more tags than slots", AT_STORED, h->stored,
                          cuckoo_buckets(d) * CUCKOO_SLOTS);
    if (e->payload_size != bp_cuckoo_bytes(d))
        return bp_fail_at(why, BP_CORRUPT, "the payload is not as long as the slots take",
                          0, e->payload_size, bp_cuckoo_bytes(d));
    return BP_OK;
}

/* Tags in a bucket; one more than there can be when a slot below a tag is empty. */
static BP_ALWAYS_INLINE uint32_t cuckoo_tags_in(uint64_t word, uint32_t bits)
{
    const uint32_t empty = (uint32_t)BP_POPCOUNT64(cuckoo_zeros(word, bits));
    const uint32_t used = CUCKOO_SLOTS - empty;
    const bool is_packed = used == CUCKOO_SLOTS || word >> (used * bits) == 0;
    return is_packed ? used : CUCKOO_SLOTS + 1;
}

static bp_status cuckoo_check_payload(const void *head, const uint8_t *payload, size_t n,
                                      bp_detail *why)
{
    const cuckoo_head *h = (const cuckoo_head *)head;
    const uint32_t bits = h->design.bits;
    const cuckoo_map m = {.cells = (uint8_t *)payload};
    const uint64_t buckets = cuckoo_buckets(&h->design);
    uint64_t stored = 0;
    for (uint64_t i = 0; i < buckets; i++) {
        const uint32_t tags = cuckoo_tags_in(cuckoo_load(&m, i, bits), bits);
        if (tags > CUCKOO_SLOTS)
            return bp_fail_at(why, BP_CORRUPT, "an empty slot before a tag",
                              i * (bits / 2), i, 0);
        stored += tags;
    }
    for (uint64_t i = buckets * (bits / 2); i < n; i++)
        if (payload[i])
            return bp_fail_at(why, BP_CORRUPT, "a padding byte is not zero", i,
                              payload[i], 0);
    if (stored != h->stored)
        return bp_fail_at(why, BP_CORRUPT, "not as many tags as the header says", 0,
                          stored, h->stored);
    return BP_OK;
}

/* ------------------------------------------------------------------------------ table */

static bp_status cuckoo_setup(void *head, const void *cfg, bp_detail *why)
{
    return bp_cuckoo_solve((const bp_cuckoo_config *)cfg, &((cuckoo_head *)head)->design,
                           why);
}

static void cuckoo_config(const void *head, void *cfg)
{
    const cuckoo_design *d = &((const cuckoo_head *)head)->design;
    bp_cuckoo_config *c = (bp_cuckoo_config *)cfg;
    c->items = d->items;
    c->fpr = bp_cuckoo_design_rate(d);
    c->memory = bp_cuckoo_bytes(d);
    c->bits = d->bits;
}

static size_t cuckoo_cells_size(const void *head)
{
    const uint64_t n = bp_cuckoo_bytes(&((const cuckoo_head *)head)->design);
    return n > SIZE_MAX ? SIZE_MAX : (size_t)n;
}

static void cuckoo_start(bp_object *o)
{
    cuckoo_head *h = (cuckoo_head *)o->head;
    h->stored = h->failed = 0;
}

static bp_status cuckoo_same(const bp_object *dst, const bp_object *src, bp_detail *why)
{
    const cuckoo_design *a = &cuckoo_head_of(dst)->design;
    const cuckoo_design *b = &cuckoo_head_of(src)->design;
    if (a->bits != b->bits)
        return bp_fail(why, BP_MISMATCH, "the filters differ in the bits of a tag",
                       a->bits, b->bits);
    if (a->items != b->items)
        return bp_fail(why, BP_MISMATCH, "the filters were made for different items",
                       a->items, b->items);
    return BP_OK;
}

static bp_status cuckoo_add_any(bp_object *o, const bp_bytes *keys, size_t n,
                                bp_detail *why)
{
    return cuckoo_add_keys(o, keys, n, NULL, false, NULL, why);
}

static bp_status cuckoo_add_hashes_any(bp_object *o, const uint64_t *hashes, size_t n,
                                       bp_detail *why)
{
    return cuckoo_add_hashes(o, hashes, n, NULL, false, NULL, why);
}

static bp_status cuckoo_add_new_any(bp_object *o, const uint64_t *hashes, size_t n,
                                    uint8_t *was_new, size_t *done, bp_detail *why)
{
    return cuckoo_add_hashes(o, hashes, n, was_new, false, done, why);
}

static bp_status cuckoo_remove_any(bp_object *o, const uint64_t *hashes, size_t n,
                                   uint8_t *was_there, size_t *done, bp_detail *why)
{
    (void)why;
    bp_cuckoo_remove_hashes((bp_cuckoo *)o, hashes, n, was_there);
    *done = n;
    return BP_OK;
}

static double cuckoo_fpr_any(const bp_object *o)
{
    return bp_cuckoo_fpr((const bp_cuckoo *)o);
}

static bp_status cuckoo_estimate_any(const bp_object *o, double confidence,
                                     bp_estimate *out, bp_detail *why)
{
    return bp_cuckoo_estimate((const bp_cuckoo *)o, confidence, out, why);
}

const bp_kind bp_kind_cuckoo = {
    .name = "cuckoo",
    .id = 0x0005,
    .rule = 1,
    .config_size = sizeof(bp_cuckoo_config),
    .head_size = sizeof(cuckoo_head),
    .hashing = &bp_hashing_all,
    .setup = cuckoo_setup,
    .config = cuckoo_config,
    .cells_size = cuckoo_cells_size,
    .start = cuckoo_start,
    .same = cuckoo_same,
    .merge = bp_cuckoo_unite,
    .put_params = cuckoo_put_params,
    .get_params = cuckoo_get_params,
    .check_payload = cuckoo_check_payload,
    .describe = cuckoo_describe,
    .add_n = cuckoo_add_any,
    .add_hashes = cuckoo_add_hashes_any,
    .estimate = cuckoo_estimate_any,
    .has_hashes = cuckoo_has,
    .add_new = cuckoo_add_new_any,
    .remove_hashes = cuckoo_remove_any,
    .count_hash = cuckoo_count,
    .fpr = cuckoo_fpr_any,
};

BP_SKETCH_IMPL(cuckoo);
