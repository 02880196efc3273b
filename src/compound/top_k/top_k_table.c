/* SPDX-License-Identifier: MIT
 * top_k_table.c - candidates in front of a Count-Min, once the list is too long.
 *
 * A candidate is counted exactly from the moment it is admitted; its occurrences never
 * reach the table, so that the table's noise is that of the other keys alone. Who is
 * admitted and who gives way is decided by values and keys only, never by how the heap
 * or the slots happen to lie: a decoded sketch goes on exactly as the original would.
 *
 * The heap is lazy. A hit changes no heap: nodes keep the count they had when they were
 * last looked at, which is never above the true one, and only when the smallest is
 * asked for are the nodes on top brought up to date. */
#include "compound/top_k/top_k_state.h"

#define NONE UINT32_MAX

enum { LINE = 64 };

uint32_t bp_top_k_most(uint32_t k, uint64_t memory)
{
    const uint64_t by_memory = memory / 256 < 512 ? memory / 256 : 512;
    const uint64_t by_k = k < 8 ? 16 : 2 * (uint64_t)k;
    return (uint32_t)(by_k > by_memory ? by_k : by_memory);
}

bool bp_top_k_table_holds(const top_k_table *t, uint64_t n, uint64_t key_bytes)
{
    return n <= t->k || (n <= t->most && key_bytes <= t->memory);
}

static bp_status no_memory(bp_detail *why, uint64_t n)
{
    return bp_fail(why, BP_NOMEM, "out of memory", 0, n);
}

/* ------------------------------------------------------------------------------ life */

static bp_count_min *new_counts(const bp_object *o, bp_status *st, bp_detail *why)
{
    const top_k_head *h = top_k_head_of(o);
    const bp_count_min_config cfg = {.alloc = o->alloc,
                                     .hash = h->base.hash,
                                     .width = h->memory / 8 / h->depth,
                                     .depth = h->depth,
                                     .counter_bits = 64,
                                     .conservative = true};
    bp_count_min *counts = NULL;
    if (h->base.keyless)
        *st = bp_fail(why, BP_UNSUPPORTED,
                      "the lists no longer fit together; opening them with their secret "
                      "key is needed for a table",
                      0, 0);
    else
        *st = bp_count_min_new(&counts, &cfg, why);
    return counts;
}

bp_status bp_top_k_table_new(top_k_table **out, const bp_object *o, bp_count_min *counts,
                             bp_detail *why)
{
    const top_k_head *h = top_k_head_of(o);
    bp_status st = BP_OK;
    *out = NULL;
    if (!counts)
        counts = new_counts(o, &st, why);
    if (st)
        return st;
    top_k_table *t = (top_k_table *)bp_allocate(&o->alloc, sizeof *t);
    if (!t) {
        bp_count_min_free(counts);
        return no_memory(why, sizeof *t);
    }
    *t = (top_k_table){.alloc = o->alloc,
                       .counts = counts,
                       .memory = h->memory,
                       .k = h->k,
                       .most = bp_top_k_most(h->k, h->memory)};
    *out = t;
    return BP_OK;
}

static void free_key(const top_k_table *t, const top_k_candidate *c)
{
    if (c->len > TOP_K_INLINE)
        bp_release(&t->alloc, c->key.out, c->len);
}

/* Sparser than usual, so that most searches end at home. */
static uint64_t slots_for(uint32_t cap)
{
    return bp_slots_for((uint64_t)cap * 4);
}

static size_t block_size(uint32_t cap)
{
    return cap * (sizeof(top_k_candidate) + sizeof(top_k_node)) +
           (size_t)slots_for(cap) * 8 + LINE;
}

void bp_top_k_table_free(top_k_table *t)
{
    if (!t)
        return;
    const bp_alloc alloc = t->alloc;
    for (uint32_t i = 0; i < t->n; i++)
        free_key(t, &t->candidates[t->heap[i].at]);
    bp_release(&alloc, t->block, t->cap ? block_size(t->cap) : 0);
    bp_count_min_free(t->counts);
    bp_release(&alloc, t, sizeof *t);
}

static void fill_slots(top_k_table *t)
{
    memset(t->slots.words, 0, (size_t)(t->slots.mask + 1) * 8);
    for (uint32_t i = 0; i < t->n; i++)
        bp_slots_insert(t->slots, t->candidates[t->heap[i].at].hash, t->heap[i].at);
}

bp_status bp_top_k_table_reserve(top_k_table *t, uint32_t cap, bp_detail *why)
{
    if (cap <= t->cap)
        return BP_OK;
    void *block = bp_allocate(&t->alloc, block_size(cap));
    if (!block)
        return no_memory(why, block_size(cap));
    const size_t skip = (LINE - ((uintptr_t)block & (LINE - 1))) % LINE;
    top_k_candidate *candidates = (top_k_candidate *)(void *)((uint8_t *)block + skip);
    top_k_node *heap = (top_k_node *)(void *)(candidates + cap);
    if (t->cap) {
        memcpy(candidates, t->candidates, t->used * sizeof *candidates);
        memcpy(heap, t->heap, t->n * sizeof *heap);
        bp_release(&t->alloc, t->block, block_size(t->cap));
    }
    t->candidates = candidates;
    t->block = block;
    t->heap = heap;
    t->slots = (bp_slots){(uint64_t *)(void *)(heap + cap), slots_for(cap) - 1};
    t->cap = cap;
    fill_slots(t);
    return BP_OK;
}

bp_status bp_top_k_table_clone(top_k_table **out, const top_k_table *t, bp_detail *why)
{
    *out = NULL;
    top_k_table *c = (top_k_table *)bp_allocate(&t->alloc, sizeof *c);
    if (!c)
        return no_memory(why, sizeof *c);
    *c = *t;
    c->n = c->used = c->cap = c->vacant = 0;
    c->key_bytes = 0;
    c->candidates = NULL;
    c->block = NULL;
    c->counts = NULL;
    bp_status st = bp_count_min_clone(&c->counts, t->counts, why);
    if (!st)
        st = bp_top_k_table_reserve(c, t->n, why);
    top_k_row row;
    for (uint64_t at = 0; !st && bp_top_k_table_walk(t, &at, &row);)
        st = bp_top_k_table_take(c, &row, why);
    if (st)
        bp_top_k_table_free(c);
    else
        *out = c;
    return st;
}

/* ------------------------------------------------------------------------------ heap */

static uint64_t value_of(const top_k_candidate *c)
{
    return bp_add_sat64(c->base, c->since);
}

/* a gives way before b: it would be listed after it. */
static bool is_weaker(const top_k_table *t, const top_k_node *a, const top_k_node *b)
{
    if (a->count != b->count)
        return a->count < b->count;
    if (a->prefix != b->prefix)
        return a->prefix > b->prefix;
    const top_k_candidate *x = &t->candidates[a->at], *y = &t->candidates[b->at];
    return bp_top_k_compare(top_k_key_of(x), x->len, top_k_key_of(y), y->len) > 0;
}

static void sift_down(top_k_table *t, uint32_t n, top_k_node x)
{
    uint32_t hole = 0;
    for (uint32_t child = 1; child < n; child = 2 * hole + 1) {
        if (child + 1 < n && is_weaker(t, &t->heap[child + 1], &t->heap[child]))
            child++;
        if (!is_weaker(t, &t->heap[child], &x))
            break;
        t->heap[hole] = t->heap[child];
        hole = child;
    }
    t->heap[hole] = x;
}

static void sift_up(top_k_table *t, uint32_t hole, top_k_node x)
{
    while (hole && is_weaker(t, &x, &t->heap[(hole - 1) / 2])) {
        t->heap[hole] = t->heap[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    t->heap[hole] = x;
}

/* The weakest candidate's value, now. Each turn brings one node up to date, which a hit
 * since the last time has paid for. */
static uint64_t weakest(top_k_table *t)
{
    for (;;) {
        const uint64_t now = value_of(&t->candidates[t->heap[0].at]);
        if (t->heap[0].count == now)
            return now;
        sift_down(t, t->n, (top_k_node){now, t->heap[0].prefix, t->heap[0].at});
    }
}

static uint32_t prefix_of(const uint8_t *key, size_t n)
{
    uint32_t p = 0;
    for (size_t i = 0; i < 4; i++)
        p = p << 8 | (i < n ? key[i] : 0);
    return p;
}

/* Weakest first is a heap too, and from its end the rows come in the order of the list.
 * Heapsort leaves the strongest first, so the result is turned round. */
void bp_top_k_table_settle(top_k_table *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const top_k_node x = t->heap[i];
        sift_up(t, i, (top_k_node){value_of(&t->candidates[x.at]), x.prefix, x.at});
    }
    for (uint32_t left = t->n; left > 1; left--) {
        const top_k_node x = t->heap[left - 1];
        t->heap[left - 1] = t->heap[0];
        sift_down(t, left - 1, x);
    }
    for (uint32_t i = 0, j = t->n; i + 1 < j; i++) {
        const top_k_node x = t->heap[i];
        t->heap[i] = t->heap[--j];
        t->heap[j] = x;
    }
}

/* ------------------------------------------------------------------------ candidates */

static BP_ALWAYS_INLINE uint64_t differ64(const uint8_t *a, const uint8_t *b, size_t at)
{
    return bp_load64(a + at) ^ bp_load64(b + at);
}

/* The same bytes? Short keys by words that overlap, for they are most of all. */
static BP_ALWAYS_INLINE bool is_key(const top_k_candidate *c, const uint8_t *key,
                                    size_t n)
{
    const uint8_t *in = c->key.in;
    if (c->len != n)
        return false;
    if (BP_LIKELY(n >= 8 && n <= 16))
        return (differ64(key, in, 0) | differ64(key, in, n - 8)) == 0;
    if (n > TOP_K_INLINE)
        return memcmp(c->key.out, key, n) == 0;
    if (n > 16)
        return (differ64(key, in, 0) | differ64(key, in, 8) | differ64(key, in, n - 16) |
                differ64(key, in, n - 8)) == 0;
    if (n >= 4)
        return ((bp_load32(key) ^ bp_load32(in)) |
                (bp_load32(key + n - 4) ^ bp_load32(in + n - 4))) == 0;
    for (size_t i = 0; i < n; i++)
        if (key[i] != in[i])
            return false;
    return true;
}

static BP_ALWAYS_INLINE uint32_t find(const top_k_table *t, uint64_t hash,
                                      const uint8_t *key, size_t n, uint64_t *slot)
{
    uint64_t ref, at = bp_slots_home(t->slots, hash);
    for (; bp_slots_seek(t->slots, hash, &at, &ref); at = (at + 1) & t->slots.mask) {
        const top_k_candidate *c = &t->candidates[ref];
        if (c->hash == hash && is_key(c, key, n)) {
            *slot = at;
            return (uint32_t)ref;
        }
    }
    return NONE;
}

static void read_row(const top_k_candidate *c, top_k_row *row)
{
    *row = (top_k_row){top_k_key_of(c), c->len, c->hash, c->base, c->since};
}

bool bp_top_k_table_walk(const top_k_table *t, uint64_t *at, top_k_row *row)
{
    if (*at >= t->n)
        return false;
    read_row(&t->candidates[t->heap[(*at)++].at], row);
    return true;
}

bool bp_top_k_table_find(const top_k_table *t, uint64_t hash, const uint8_t *key,
                         size_t n, top_k_row *row)
{
    uint64_t slot;
    const uint32_t at = t->n ? find(t, hash, key, n, &slot) : NONE;
    if (at == NONE)
        return false;
    read_row(&t->candidates[at], row);
    return true;
}

uint64_t bp_top_k_table_count(const top_k_table *t, uint64_t hash)
{
    uint64_t count;
    bp_count_min_count_hashes(t->counts, &hash, 1, &count);
    return count;
}

/* Every counter of the key is raised to its value and no further: that alone is what
 * keeps the table's answer from ever being too low. */
void bp_top_k_table_sink(top_k_table *t, const top_k_row *row)
{
    const uint64_t there = bp_top_k_table_count(t, row->hash);
    const uint64_t value = top_k_value(row);
    if (value > there) {
        const uint64_t by = value - there;
        bp_count_min_add_hashes(t->counts, &row->hash, 1, &by, NULL);
    }
    t->tail = bp_add_sat64(t->tail, row->since);
}

static uint32_t vacancy(top_k_table *t)
{
    if (!t->vacant)
        return t->used++;
    const uint32_t at = t->vacant - 1;
    t->vacant = t->candidates[at].next_free;
    return at;
}

/* `copy` holds a key too long to lie inside. */
static void insert(top_k_table *t, const top_k_row *row, uint8_t *copy)
{
    const uint32_t at = vacancy(t);
    top_k_candidate *c = &t->candidates[at];
    *c = (top_k_candidate){.hash = row->hash,
                           .since = row->since,
                           .base = row->base,
                           .len = (uint32_t)row->len};
    if (copy)
        c->key.out = copy;
    if (row->len)
        memcpy(copy ? copy : c->key.in, row->key, row->len);
    t->key_bytes += row->len;
    bp_slots_insert(t->slots, c->hash, at);
    sift_up(t, t->n++, (top_k_node){value_of(c), prefix_of(row->key, row->len), at});
}

static uint8_t *copy_room(const top_k_table *t, size_t len, bool *failed)
{
    uint8_t *copy = len > TOP_K_INLINE ? (uint8_t *)bp_allocate(&t->alloc, len) : NULL;
    *failed = len > TOP_K_INLINE && !copy;
    return copy;
}

bp_status bp_top_k_table_take(top_k_table *t, const top_k_row *row, bp_detail *why)
{
    bool failed;
    uint8_t *copy = copy_room(t, row->len, &failed);
    if (failed)
        return no_memory(why, row->len);
    insert(t, row, copy);
    return BP_OK;
}

static uint64_t hash_of(const void *ctx, uint64_t ref)
{
    return ((const top_k_table *)ctx)->candidates[ref].hash;
}

/* The weakest goes, and what was counted for it goes to the table. */
static void evict(top_k_table *t)
{
    weakest(t);
    const uint32_t at = t->heap[0].at;
    top_k_candidate *c = &t->candidates[at];
    top_k_row row;
    read_row(c, &row);
    bp_top_k_table_sink(t, &row);
    uint64_t slot = 0;
    find(t, c->hash, row.key, row.len, &slot);
    bp_slots_remove(t->slots, slot, t, hash_of);
    t->key_bytes -= c->len;
    free_key(t, c);
    c->len = 0;
    c->next_free = t->vacant;
    t->vacant = at + 1;
    t->n--;
    if (t->n)
        sift_down(t, t->n, t->heap[t->n]);
}

/* ---------------------------------------------------------------------------- adding */

static bp_status admit(top_k_table *t, const top_k_row *row, bp_detail *why)
{
    bool failed;
    uint8_t *copy = copy_room(t, row->len, &failed);
    if (failed)
        return no_memory(why, row->len);
    if (t->n == t->cap && t->n < t->most) {
        const uint32_t cap = t->cap < t->most / 2 ? t->cap * 2 + 16 : t->most;
        bp_status st = bp_top_k_table_reserve(t, cap < t->most ? cap : t->most, why);
        if (st) {
            bp_release(&t->alloc, copy, row->len);
            return st;
        }
    }
    if (t->n == t->most)
        evict(t);
    insert(t, row, copy);
    while (!bp_top_k_table_holds(t, t->n, t->key_bytes))
        evict(t);
    return BP_OK;
}

/* Up to 64 keys that are looked up before any is added; sets of them are words. */
typedef struct block {
    const uint64_t *hashes;
    const bp_bytes *keys;
    const uint64_t *by; /* NULL: 1 each; none is 0 */
    size_t n;
    uint64_t hits;   /* candidates: `which` says which, and they are counted */
    uint64_t misses; /* the others: their hashes and weights in order        */
    uint32_t which[TOP_K_BLOCK];
    uint64_t hash[TOP_K_BLOCK];
    uint64_t weight[TOP_K_BLOCK];
} block;
_Static_assert(TOP_K_BLOCK == 64, "a set of keys is a word");

static uint64_t weight_of(const block *b, size_t i)
{
    return b->by ? b->by[i] : 1;
}

static uint64_t set_of(size_t i)
{
    return UINT64_C(1) << i;
}

static BP_ALWAYS_INLINE size_t take_first(uint64_t *set)
{
    const size_t i = (size_t)BP_CTZ64(*set);
    *set &= *set - 1;
    return i;
}

/* Which key is a hit is as good as random: they are parted without a branch, and what
 * agrees in 22 bits is taken for a hit. */
static void look_home(const top_k_table *t, block *b, size_t from)
{
    const bp_slots slots = t->slots;
    const uint64_t *hashes = b->hashes;
    uint64_t hits = 0;
    for (size_t n = b->n, i = from; i < n; i++) {
        const uint64_t word = slots.words[bp_slots_home(slots, hashes[i])];
        hits |= (uint64_t)bp_slots_agree(word, hashes[i]) << i;
    }
    b->hits = hits;
    b->misses = ~hits & UINT64_MAX >> (64 - b->n) & UINT64_MAX << from;
}

/* One in 2^22 is not the key at its home: another candidate, or a miss. */
static BP_NOINLINE uint32_t put_right(const top_k_table *t, block *b, size_t i)
{
    uint64_t slot;
    const uint32_t which =
        find(t, b->hashes[i], (const uint8_t *)b->keys[i].ptr, b->keys[i].len, &slot);
    if (which == NONE) {
        b->hits &= ~set_of(i);
        b->misses |= set_of(i);
    }
    return which;
}

/* Makes sure of the hits and counts them; `by` is b->by, told apart for the compiler. */
static BP_ALWAYS_INLINE void count_hits(top_k_table *t, block *b, const uint64_t *by)
{
    const bp_slots slots = t->slots;
    const bp_bytes *keys = b->keys;
    const uint64_t *hashes = b->hashes;
    top_k_candidate *candidates = t->candidates;
    for (uint64_t hits = b->hits; hits;) {
        const size_t i = take_first(&hits);
        const uint64_t word = slots.words[bp_slots_home(slots, hashes[i])];
        uint32_t which = (uint32_t)bp_slots_ref(word);
        if (BP_UNLIKELY(
                !is_key(&candidates[which], (const uint8_t *)keys[i].ptr, keys[i].len)))
            which = put_right(t, b, i);
        b->which[i] = which;
        if (BP_LIKELY(which != NONE))
            candidates[which].since =
                bp_add_sat64(candidates[which].since, by ? by[i] : 1);
    }
}

/* Of all hits, exactly those in `want` are counted from now on, `had` until now. */
static void recount_hits(top_k_table *t, const block *b, uint64_t had, uint64_t want)
{
    for (uint64_t set = had & ~want; set;) {
        const size_t i = take_first(&set);
        t->candidates[b->which[i]].since -= weight_of(b, i);
    }
    for (uint64_t set = want & ~had; set;) {
        const size_t i = take_first(&set);
        t->candidates[b->which[i]].since += weight_of(b, i);
    }
}

/* A miss whose home is crowded may lie further on. Then it is a hit after all, and comes
 * home, so that this stays rare. */
static BP_NOINLINE bool is_further(top_k_table *t, block *b, size_t i)
{
    uint64_t slot;
    const uint32_t which =
        find(t, b->hashes[i], (const uint8_t *)b->keys[i].ptr, b->keys[i].len, &slot);
    if (which == NONE)
        return false;
    bp_slots_bring_home(t->slots, b->hashes[i], slot);
    top_k_candidate *c = &t->candidates[which];
    c->since = bp_add_sat64(c->since, weight_of(b, i));
    b->which[i] = which;
    b->hits |= set_of(i);
    b->misses &= ~set_of(i);
    return true;
}

/* The hashes and weights of the misses, in order; how many there are. */
static size_t gather_misses(top_k_table *t, block *b)
{
    const bp_slots slots = t->slots;
    const uint64_t *hashes = b->hashes, *by = b->by;
    size_t n = 0;
    for (uint64_t misses = b->misses; misses;) {
        const size_t i = take_first(&misses);
        const uint64_t word = slots.words[bp_slots_home(slots, hashes[i])];
        if (BP_UNLIKELY(word & BP_SLOT_CROWDED) && is_further(t, b, i))
            continue;
        b->hash[n] = hashes[i];
        if (by)
            b->weight[n] = by[i];
        n++;
    }
    return n;
}

static size_t look_up(top_k_table *t, block *b, size_t from)
{
    look_home(t, b, from);
    if (b->by)
        count_hits(t, b, b->by);
    else
        count_hits(t, b, NULL);
    return gather_misses(t, b);
}

/* Adds misses m .. n - 1 to the table, up to one whose count would exceed `most`;
 * returns which. */
static size_t add_misses(top_k_table *t, const block *b, size_t m, size_t n,
                         uint64_t most)
{
    const uint64_t *by = b->by ? b->weight + m : NULL;
    const size_t done =
        bp_count_min_add_hashes_upto(t->counts, b->hash + m, n - m, by, most);
    if (!by)
        t->tail = bp_add_sat64(t->tail, done);
    for (size_t i = 0; by && i < done; i++)     /* done <= n - m: so many were gathered */
        t->tail = bp_add_sat64(t->tail, by[i]); /* NOLINT(clang-analyzer-core.*) */
    return m + done;
}

/* The key of row, `since` being its weight, is no candidate. Does it become one? */
static bool is_worthy(top_k_table *t, top_k_row *row)
{
    row->base = bp_top_k_table_count(t, row->hash);
    return bp_top_k_table_holds(t, (uint64_t)t->n + 1, t->key_bytes + row->len) ||
           top_k_value(row) > weakest(t);
}

/* The place in the block of the m-th miss. */
static size_t place_of(const block *b, size_t m)
{
    uint64_t misses = b->misses;
    while (m--)
        misses &= misses - 1;
    return (size_t)BP_CTZ64(misses);
}

/* Adds keys from *at on, until candidates change or the block ends.
 *
 * All hits are counted first. What the weakest candidate is worth only grows with them:
 * a miss that stays at or below `least`, its worth before, is no candidate. The others
 * are looked at one by one, with no hit counted but those that came before. */
static bp_status add_from(top_k_table *t, block *b, size_t *at, bp_detail *why)
{
    const bool is_full = t->n == t->most;
    uint64_t least = is_full ? weakest(t) : 0;
    const size_t n = look_up(t, b, *at);
    uint64_t counted = b->hits;
    for (size_t m = 0; (m = add_misses(t, b, m, n, least)) < n; m++) {
        const size_t i = place_of(b, m);
        const uint64_t before = b->hits & (set_of(i) - 1);
        recount_hits(t, b, counted, before);
        counted = before;
        top_k_row row = {(const uint8_t *)b->keys[i].ptr, b->keys[i].len, b->hash[m], 0,
                         weight_of(b, i)};
        if (is_worthy(t, &row)) {
            bp_status st = admit(t, &row, why);
            *at = i + !st;
            return st;
        }
        bp_count_min_add_hashes(t->counts, &row.hash, 1, &row.since, NULL);
        t->tail = bp_add_sat64(t->tail, row.since);
        least = is_full ? weakest(t) : 0;
    }
    recount_hits(t, b, counted, b->hits);
    *at = b->n;
    return BP_OK;
}

bp_status bp_top_k_table_add(top_k_table *t, const uint64_t *hashes, const bp_bytes *keys,
                             const uint64_t *by, size_t n, size_t *done, bp_detail *why)
{
    block b;
    b.hashes = hashes;
    b.keys = keys;
    b.by = by;
    b.n = n;
    bp_status st = bp_top_k_table_reserve(t, 1, why);
    for (*done = 0; !st && *done < n;)
        st = add_from(t, &b, done, why);
    return st;
}

/* The same for one key, without the block: the count that the weakest had when it was
 * last looked at will mostly do. */
bp_status bp_top_k_table_add_one(top_k_table *t, uint64_t hash, bp_bytes key, uint64_t by,
                                 bp_detail *why)
{
    uint64_t slot;
    const uint8_t *bytes = (const uint8_t *)key.ptr;
    if (t->cap == 0 && bp_top_k_table_reserve(t, 1, why))
        return BP_NOMEM;
    const uint32_t at = find(t, hash, bytes, key.len, &slot);
    if (at != NONE) {
        t->candidates[at].since = bp_add_sat64(t->candidates[at].since, by);
        return BP_OK;
    }
    top_k_row row = {bytes, key.len, hash, 0, by};
    const uint64_t least = t->n == t->most ? t->heap[0].count : 0;
    if (!bp_count_min_add_hashes_upto(t->counts, &hash, 1, &by, least)) {
        if (is_worthy(t, &row))
            return admit(t, &row, why);
        bp_count_min_add_hashes(t->counts, &hash, 1, &by, NULL);
    }
    t->tail = bp_add_sat64(t->tail, by);
    return BP_OK;
}

uint64_t bp_top_k_table_memory(const top_k_table *t)
{
    bp_description d;
    bp_count_min_describe(t->counts, &d);
    uint64_t all = sizeof *t + (t->cap ? block_size(t->cap) : 0);
    for (size_t i = 0; i < d.count; i++)
        if (strcmp(d.figures[i].name, "memory") == 0)
            all += d.figures[i].whole;
    for (uint32_t i = 0; i < t->n; i++) {
        const uint32_t len = t->candidates[t->heap[i].at].len;
        all += len > TOP_K_INLINE ? len : 0;
    }
    return all;
}
