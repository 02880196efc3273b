/* SPDX-License-Identifier: MIT
 * cuckoo_add.c - room for a tag.
 *
 * A tag goes into the emptier of its two buckets. Where both are full, a tag of theirs
 * must move to its own other bucket, for which another may have to move, and so on. The
 * usual way is to throw tags out at random, up to 500 times, and to be left with one that
 * has no place when that was not enough: the filter has then lost a key that it held. We
 * look first and move afterwards, breadth first:
 *
 *     | a b c d |  | e f g h |            both full: eight tags could move,
 *       |                |                to eight buckets; all are fetched at once
 *     | i j k l |  ... | m n . . |        room: g moves, and the new tag takes its place
 *
 * The first bucket with room ends the search, and is reached by the fewest moves: hardly
 * ever more than three, at a load of 95 %. When 500 tags have been looked behind in vain
 * nothing has been touched, and the add is refused.
 *
 * A batch adds the same tags in the same order, to the byte. It only knows earlier what
 * will be read: the buckets of a key far ahead are fetched, and when those of a nearer
 * key turn out to be full, the buckets behind their tags.
 *
 * A merge puts the tags of one filter into a copy of the other, the fuller one (or,
 * equally full, the one whose bytes come first), so that both orders give the same bytes.
 * A tag says where its other bucket is, so that keys are not needed. */
#include "sketches/cuckoo/cuckoo_state.h"

enum { CUCKOO_RING = 32, CUCKOO_SOON = 12 };

/* ------------------------------------------------------------------------ the search */

/* A bucket that is reached by moving the tag in `lane` of the bucket of node `from`. */
typedef struct cuckoo_node {
    uint32_t at;
    uint16_t from;
    uint16_t lane;
} cuckoo_node;

/* Moves the tags on the way to node k, the last one first, and puts the new one where the
 * first of them was. */
static BP_ALWAYS_INLINE void cuckoo_move(const cuckoo_map *m, const cuckoo_place *p,
                                         const cuckoo_node *node, uint32_t k,
                                         uint32_t bits)
{
    uint64_t bucket = p->base + node[k].at;
    uint64_t word = cuckoo_load(m, bucket, bits);
    uint32_t shift = cuckoo_shift(cuckoo_zero(word, bits), bits);
    while (k >= 2) {
        const uint32_t lane = node[k].lane * bits;
        k = node[k].from;
        const uint64_t before = p->base + node[k].at;
        const uint64_t full = cuckoo_load(m, before, bits);
        const uint64_t tag = full >> lane & ((UINT64_C(1) << bits) - 1);
        cuckoo_store(m, bucket, cuckoo_put(word, shift, tag, bits), bits);
        bucket = before;
        word = full;
        shift = lane;
    }
    cuckoo_store(m, bucket, cuckoo_put(word, shift, p->tag, bits), bits);
}

/* The buckets behind the four tags of a full one. */
static BP_ALWAYS_INLINE uint32_t cuckoo_look(const cuckoo_map *m, const cuckoo_place *p,
                                             cuckoo_node *node, uint32_t k, uint32_t n,
                                             uint64_t word, uint32_t bits)
{
    for (uint32_t lane = 0; lane < CUCKOO_SLOTS; lane++, n++) {
        const uint32_t tag = (uint32_t)word & ((1u << bits) - 1);
        node[n] =
            (cuckoo_node){cuckoo_other(m, node[k].at, tag), (uint16_t)k, (uint16_t)lane};
        cuckoo_fetch(m, p->base + node[n].at, bits);
        word >>= bits;
    }
    return n;
}

/* Both buckets are full: makes room, or answers false and changes nothing. No bucket
 * comes twice on the way that is found, because without the loop it would be a shorter
 * way and have been found before; so each move is of a tag that is still there. */
static BP_ALWAYS_INLINE bool cuckoo_kick(const cuckoo_map *m, const cuckoo_place *p,
                                         uint32_t bits)
{
    cuckoo_node node[2 + CUCKOO_LOOKS + CUCKOO_SLOTS];
    uint32_t n = 2;
    node[0] = (cuckoo_node){p->at[0], 0, 0};
    node[1] = (cuckoo_node){p->at[1], 0, 0};
    for (uint32_t k = 0; k < n; k++) {
        const uint64_t word = cuckoo_load(m, p->base + node[k].at, bits);
        if (cuckoo_is_full(word, bits)) {
            if (n < 2 + CUCKOO_LOOKS)
                n = cuckoo_look(m, p, node, k, n, word, bits);
        } else {
            cuckoo_move(m, p, node, k, bits);
            return true;
        }
    }
    return false;
}

static BP_NOINLINE bool cuckoo_kick8(const cuckoo_map *m, const cuckoo_place *p)
{
    return cuckoo_kick(m, p, 8);
}

static BP_NOINLINE bool cuckoo_kick12(const cuckoo_map *m, const cuckoo_place *p)
{
    return cuckoo_kick(m, p, 12);
}

static BP_NOINLINE bool cuckoo_kick16(const cuckoo_map *m, const cuckoo_place *p)
{
    return cuckoo_kick(m, p, 16);
}

/* -------------------------------------------------------------------------- one add */

enum { CUCKOO_REFUSED, CUCKOO_ADDED, CUCKOO_THERE };

/* A bucket with fewer tags is the smaller number. */
static BP_ALWAYS_INLINE bool cuckoo_insert(const cuckoo_map *m, const cuckoo_place *p,
                                           uint64_t first, uint64_t second, uint32_t bits)
{
    const uint64_t word = first <= second ? first : second;
    if (BP_LIKELY(!cuckoo_is_full(word, bits))) {
        const uint32_t shift = cuckoo_shift(cuckoo_zero(word, bits), bits);
        const uint64_t bucket = p->base + (first <= second ? p->at[0] : p->at[1]);
        cuckoo_store(m, bucket, word | (uint64_t)p->tag << shift, bits);
        return true;
    }
    return bits == 8    ? cuckoo_kick8(m, p)
           : bits == 12 ? cuckoo_kick12(m, p)
                        : cuckoo_kick16(m, p);
}

static BP_ALWAYS_INLINE int cuckoo_add(const cuckoo_map *m, const cuckoo_place *p,
                                       bool once, bool *was_new, uint32_t bits)
{
    const uint64_t first = cuckoo_load(m, p->base + p->at[0], bits);
    const uint64_t second = cuckoo_load(m, p->base + p->at[1], bits);
    const uint64_t tags = p->tag * cuckoo_ones(bits);
    *was_new = !(cuckoo_zero(first ^ tags, bits) | cuckoo_zero(second ^ tags, bits));
    if (once && !*was_new)
        return CUCKOO_THERE;
    return cuckoo_insert(m, p, first, second, bits) ? CUCKOO_ADDED : CUCKOO_REFUSED;
}

/* ---------------------------------------------------------------------------- batches */

/* Fetches what a search would read first, if there will be one. */
static BP_ALWAYS_INLINE void cuckoo_foresee(const cuckoo_map *m, const cuckoo_place *p,
                                            uint32_t bits)
{
    cuckoo_node node[2 + 2 * CUCKOO_SLOTS] = {{p->at[0], 0, 0}, {p->at[1], 0, 0}};
    const uint64_t first = cuckoo_load(m, p->base + p->at[0], bits);
    const uint64_t second = cuckoo_load(m, p->base + p->at[1], bits);
    if (cuckoo_is_full(first <= second ? first : second, bits)) {
        cuckoo_look(m, p, node, 0, 2, first, bits);
        cuckoo_look(m, p, node, 1, 6, second, bits);
    }
}

static BP_ALWAYS_INLINE size_t cuckoo_take_all(const cuckoo_map *m,
                                               const uint64_t *hashes, size_t n,
                                               uint8_t *flags, bool once, size_t *added,
                                               uint32_t bits, bool close)
{
    cuckoo_place ring[CUCKOO_RING];
    const size_t ahead = n < CUCKOO_RING ? n : CUCKOO_RING;
    for (size_t i = 0; !close && i < ahead; i++)
        ring[i] = cuckoo_ask(m, hashes[i], bits);
    for (size_t i = 0; i < n; i++) {
        bool was_new;
        const cuckoo_place p =
            close ? cuckoo_place_of(m, hashes[i], bits) : ring[i % CUCKOO_RING];
        if (!close && i + CUCKOO_RING < n)
            ring[i % CUCKOO_RING] = cuckoo_ask(m, hashes[i + CUCKOO_RING], bits);
        if (!close && i + CUCKOO_SOON < n)
            cuckoo_foresee(m, &ring[(i + CUCKOO_SOON) % CUCKOO_RING], bits);
        const int did = cuckoo_add(m, &p, once, &was_new, bits);
        if (did == CUCKOO_REFUSED)
            return i;
        *added += did == CUCKOO_ADDED;
        if (flags)
            flags[i] = was_new;
    }
    return n;
}

static BP_NOINLINE size_t cuckoo_take_some(const cuckoo_map *m, const uint64_t *hashes,
                                           size_t n, uint8_t *flags, bool once,
                                           size_t *added, uint32_t bits, bool close)
{
#define CUCKOO_TAKE(bits, close)                                                         \
    cuckoo_take_all(m, hashes, n, flags, once, added, bits, close)
    switch (bits) {
    case 8:
        return close ? CUCKOO_TAKE(8, true) : CUCKOO_TAKE(8, false);
    case 12:
        return close ? CUCKOO_TAKE(12, true) : CUCKOO_TAKE(12, false);
    default:
        return close ? CUCKOO_TAKE(16, true) : CUCKOO_TAKE(16, false);
    }
#undef CUCKOO_TAKE
}

/* Its eight slots hold nothing but this tag. */
static bool cuckoo_is_crowded(const cuckoo_map *m, uint64_t hash, uint32_t bits)
{
    const cuckoo_place p = cuckoo_place_of(m, hash, bits);
    const uint64_t tags = p.tag * cuckoo_ones(bits);
    return cuckoo_load(m, p.base + p.at[0], bits) == tags &&
           cuckoo_load(m, p.base + p.at[1], bits) == tags;
}

size_t bp_cuckoo_take(bp_object *o, const uint64_t *hashes, size_t n, uint8_t *was_new,
                      bool once, bp_detail *why)
{
    cuckoo_head *h = (cuckoo_head *)o->head;
    const cuckoo_map m = cuckoo_map_of(o);
    const uint32_t bits = h->design.bits;
    size_t added = 0;
    const size_t done = cuckoo_take_some(&m, hashes, n, was_new, once, &added, bits,
                                         n == 1 || o->cells_size <= CUCKOO_CLOSE);
    h->stored += added;
    if (done == n)
        return n;
    h->failed++;
    if (cuckoo_is_crowded(&m, hashes[done], bits))
        bp_fail(why, BP_FULL, "a key has room for 8 copies, and this one has them",
                2 * CUCKOO_SLOTS + 1, 2 * CUCKOO_SLOTS);
    else
        bp_fail(why, BP_FULL, "no room for another key: a new filter with more items",
                h->stored, h->design.items);
    return done;
}

/* ------------------------------------------------------------------------------ merge */

/* The tags of a bucket that is bucket `at` of the chunk that begins at `base`. */
static BP_ALWAYS_INLINE bool cuckoo_pour(const cuckoo_map *m, uint64_t base, uint32_t at,
                                         uint64_t word, uint32_t bits)
{
    for (; word; word >>= bits) {
        const uint32_t tag = (uint32_t)word & ((1u << bits) - 1);
        const cuckoo_place p = {base, {at, cuckoo_other(m, at, tag)}, tag};
        if (tag && !cuckoo_insert(m, &p, cuckoo_load(m, base + at, bits),
                                  cuckoo_load(m, base + p.at[1], bits), bits))
            return false;
    }
    return true;
}

/* All tags of `from` into m; false: there is no room. */
static BP_ALWAYS_INLINE bool cuckoo_pour_all(const cuckoo_map *m, const cuckoo_map *from,
                                             uint32_t bits)
{
    for (uint64_t chunk = 0; chunk < m->chunks; chunk++)
        for (uint32_t at = 0; at < m->length; at++) {
            const uint64_t base = chunk * m->length;
            if (!cuckoo_pour(m, base, at, cuckoo_load(from, base + at, bits), bits))
                return false;
        }
    return true;
}

static bool cuckoo_pour_any(const cuckoo_map *m, const cuckoo_map *from, uint32_t bits)
{
    return bits == 8    ? cuckoo_pour_all(m, from, 8)
           : bits == 12 ? cuckoo_pour_all(m, from, 12)
                        : cuckoo_pour_all(m, from, 16);
}

static bool cuckoo_is_fuller(const bp_object *a, const bp_object *b)
{
    const uint64_t in_a = ((const cuckoo_head *)a->head)->stored;
    const uint64_t in_b = ((const cuckoo_head *)b->head)->stored;
    return in_a > in_b || (in_a == in_b && memcmp(a->cells, b->cells, a->cells_size) < 0);
}

bp_status bp_cuckoo_unite(bp_object *dst, const bp_object *src, bp_detail *why)
{
    const bp_object *fuller = cuckoo_is_fuller(src, dst) ? src : dst;
    const cuckoo_map from = cuckoo_map_of(fuller == src ? dst : src);
    cuckoo_head *h = (cuckoo_head *)dst->head;
    const cuckoo_head *other = (const cuckoo_head *)src->head;
    cuckoo_map both = from;
    both.cells = (uint8_t *)bp_allocate(&dst->alloc, dst->cells_size);
    if (!both.cells)
        return bp_fail(why, BP_NOMEM, "out of memory", 0, dst->cells_size);
    memcpy(both.cells, fuller->cells, dst->cells_size);
    const bool fits = cuckoo_pour_any(&both, &from, h->design.bits);
    const uint64_t stored = h->stored + other->stored;
    if (fits) {
        memcpy(dst->cells, both.cells, dst->cells_size);
        h->stored = stored;
        h->failed = bp_add_sat64(h->failed, other->failed);
    }
    bp_release(&dst->alloc, both.cells, dst->cells_size);
    return fits ? BP_OK
                : bp_fail(why, BP_FULL, "the two are too many for one filter", stored,
                          h->design.items);
}
