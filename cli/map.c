/* SPDX-License-Identifier: MIT
 * map.c - from bytes to a number and a value, for as many keys as memory holds.
 *
 * Two things are kept small: what a key costs beside its bytes (an entry of 16 bytes and
 * the value, and 8 bytes in each slot of a table that is 3/8 to 3/4 full) and what
 * growing costs (entries lie in segments and never move; only the slots are made anew).
 * A slot has 32 bits of the hash, which give its place too, so that neither growing nor a
 * look-up that fails reads a key. */
#include "map.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* ------------------------------------------------------------------------------ arena */

enum { CHUNK_LEAST = 4 << 10, CHUNK_MOST = 1 << 20 };

struct cli_arena_chunk {
    struct cli_arena_chunk *before;
};

/* A new chunk is an eighth of all so far: little is ever unused. */
static size_t chunk_size(const cli_arena *a, size_t n)
{
    size_t size = a->bytes / 8;
    size = size < CHUNK_LEAST ? CHUNK_LEAST : size > CHUNK_MOST ? CHUNK_MOST : size;
    return size < n ? n : size;
}

void *cli_arena_take(cli_arena *a, size_t n, size_t align)
{
    size_t skip = -(uintptr_t)a->at & (align - 1);
    if (!a->at || (size_t)(a->end - a->at) < skip ||
        (size_t)(a->end - a->at) - skip < n) {
        const size_t room = chunk_size(a, n);
        if (room > SIZE_MAX - sizeof *a->last)
            return NULL;
        struct cli_arena_chunk *c = malloc(sizeof *c + room);
        if (!c)
            return NULL;
        c->before = a->last;
        a->last = c;
        a->at = (char *)(c + 1);
        a->end = a->at + room;
        a->bytes += sizeof *c + room;
        skip = 0;
    }
    char *p = a->at + skip;
    a->at = p + n;
    return p;
}

void cli_arena_free(cli_arena *a)
{
    for (struct cli_arena_chunk *c = a->last, *before; c; c = before) {
        before = c->before;
        free(c);
    }
    *a = (cli_arena){0};
}

/* -------------------------------------------------------------------------------- map */

enum { SEGMENT = 512, SLOTS_LEAST_LOG = 6, SLOTS_MOST_LOG = 32 };

typedef struct slot {
    uint32_t tag;
    uint32_t number; /* the key's, plus 1; 0: empty */
} slot;

typedef struct entry {
    const char *key;
    size_t n;
} entry; /* the value follows */

struct cli_map {
    size_t entry_size;
    size_t count;
    char **segments; /* of SEGMENT entries each */
    size_t n_segments, segments_room;
    slot *slots;
    unsigned slots_log; /* 2^slots_log of them */
    cli_arena keys;
};

static bp_hash_spec map_hash = {.id = BP_HASH_XXH3};

void cli_map_hash_n(const bp_bytes *keys, size_t n, uint64_t *out)
{
    bp_hash_n(&map_hash, keys, n, out);
}

/* The first map is made before there are threads. */
static void choose_seed(void)
{
    while (map_hash.seed == 0)
        if (getrandom(&map_hash.seed, sizeof map_hash.seed, GRND_NONBLOCK) !=
            sizeof map_hash.seed)
            map_hash.seed = (uint64_t)time(NULL) ^ (uint64_t)(uintptr_t)&map_hash;
}

cli_map *cli_map_new(size_t value_size)
{
    cli_map *m = calloc(1, sizeof *m);
    choose_seed();
    if (!m)
        return NULL;
    m->entry_size = sizeof(entry) + (value_size + 7) / 8 * 8;
    m->slots_log = SLOTS_LEAST_LOG;
    m->slots = calloc((size_t)1 << m->slots_log, sizeof *m->slots);
    if (!m->slots) {
        free(m);
        return NULL;
    }
    return m;
}

void cli_map_free(cli_map *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->n_segments; i++)
        free(m->segments[i]);
    free(m->segments);
    free(m->slots);
    cli_arena_free(&m->keys);
    free(m);
}

static entry *entry_at(const cli_map *m, size_t i)
{
    return (entry *)(void *)(m->segments[i / SEGMENT] + i % SEGMENT * m->entry_size);
}

static size_t first_slot(const cli_map *m, uint32_t tag)
{
    return tag >> (32 - m->slots_log);
}

/* Most keys are short, and a call costs as much as comparing them. */
static inline bool is_same(const char *a, const char *b, size_t n)
{
    uint64_t x, y, v, w;
    if (n < 8 || n > 16)
        return n == 0 || memcmp(a, b, n) == 0;
    memcpy(&x, a, 8);
    memcpy(&y, b, 8);
    memcpy(&v, a + n - 8, 8);
    memcpy(&w, b + n - 8, 8);
    return ((x ^ y) | (v ^ w)) == 0;
}

/* The slot of the key, or the empty one where it would go. */
static slot *look_up(const cli_map *m, bp_bytes key, uint32_t tag)
{
    const size_t mask = ((size_t)1 << m->slots_log) - 1;
    for (size_t i = first_slot(m, tag);; i = (i + 1) & mask) {
        slot *s = &m->slots[i];
        if (s->number == 0)
            return s;
        if (s->tag != tag)
            continue;
        const entry *e = entry_at(m, s->number - 1);
        if (e->n == key.len && is_same(e->key, key.ptr, e->n))
            return s;
    }
}

void cli_map_prefetch(const cli_map *m, uint64_t hash)
{
    __builtin_prefetch(&m->slots[first_slot(m, (uint32_t)hash)]);
}

size_t cli_map_find(const cli_map *m, bp_bytes key, uint64_t hash)
{
    const slot *s = look_up(m, key, (uint32_t)hash);
    return s->number ? s->number - 1 : SIZE_MAX;
}

void cli_map_find_n(const cli_map *m, const bp_bytes *keys, size_t n, size_t *numbers)
{
    enum { BLOCK = 64 };
    uint64_t hashes[BLOCK];
    for (size_t at = 0, some; at < n; at += some) {
        some = n - at < BLOCK ? n - at : BLOCK;
        cli_map_hash_n(keys + at, some, hashes);
        for (size_t i = 0; i < some; i++)
            cli_map_prefetch(m, hashes[i]);
        for (size_t i = 0; i < some; i++)
            numbers[at + i] = cli_map_find(m, keys[at + i], hashes[i]);
    }
}

static bool grow_slots(cli_map *m)
{
    const size_t old_size = (size_t)1 << m->slots_log;
    if (m->slots_log == SLOTS_MOST_LOG)
        return false;
    slot *old = m->slots, *new = calloc(2 * old_size, sizeof *new);
    if (!new)
        return false;
    m->slots = new;
    m->slots_log++;
    for (size_t i = 0; i < old_size; i++) {
        size_t to = first_slot(m, old[i].tag);
        if (old[i].number == 0)
            continue;
        while (new[to].number)
            to = (to + 1) & (2 * old_size - 1);
        new[to] = old[i];
    }
    free(old);
    return true;
}

/* Room for one more entry. */
static bool grow_segments(cli_map *m)
{
    if (m->count < m->n_segments * SEGMENT)
        return true;
    if (m->n_segments == m->segments_room) {
        const size_t room = m->segments_room ? 2 * m->segments_room : 8;
        char **grown = realloc(m->segments, room * sizeof *grown);
        if (!grown)
            return false;
        m->segments = grown;
        m->segments_room = room;
    }
    char *segment = malloc(SEGMENT * m->entry_size);
    if (!segment)
        return false;
    m->segments[m->n_segments++] = segment;
    return true;
}

size_t cli_map_add(cli_map *m, bp_bytes key, uint64_t hash)
{
    const uint32_t tag = (uint32_t)hash;
    slot *s = look_up(m, key, tag);
    if (s->number)
        return s->number - 1;
    if (m->count >= ((size_t)3 << m->slots_log) / 4) {
        if (!grow_slots(m))
            return SIZE_MAX;
        s = look_up(m, key, tag);
    }
    char *copy = grow_segments(m) ? cli_arena_take(&m->keys, key.len, 1) : NULL;
    if (!copy)
        return SIZE_MAX;
    if (key.len > 0)
        memcpy(copy, key.ptr, key.len);
    entry *e = entry_at(m, m->count);
    memset(e, 0, m->entry_size);
    e->key = copy;
    e->n = key.len;
    *s = (slot){tag, (uint32_t)++m->count};
    return m->count - 1;
}

bool cli_map_add_n(cli_map *m, const bp_bytes *keys, const uint64_t *hashes, size_t n,
                   void **values)
{
    for (size_t i = 0; i < n; i++)
        cli_map_prefetch(m, hashes[i]);
    for (size_t i = 0; i < n; i++) {
        const size_t number = cli_map_add(m, keys[i], hashes[i]);
        if (number == SIZE_MAX)
            return false;
        values[i] = entry_at(m, number) + 1;
    }
    return true;
}

size_t cli_map_count(const cli_map *m)
{
    return m->count;
}

bp_bytes cli_map_key(const cli_map *m, size_t i)
{
    const entry *e = entry_at(m, i);
    return (bp_bytes){e->key, e->n};
}

void *cli_map_value(const cli_map *m, size_t i)
{
    return entry_at(m, i) + 1;
}

size_t cli_map_bytes(const cli_map *m)
{
    return sizeof *m + m->segments_room * sizeof *m->segments +
           m->n_segments * SEGMENT * m->entry_size + (sizeof *m->slots << m->slots_log) +
           m->keys.bytes;
}

/* ------------------------------------------------------------------------------ order */

int cli_compare(bp_bytes a, bp_bytes b)
{
    const size_t n = a.len < b.len ? a.len : b.len;
    const int c = n ? memcmp(a.ptr, b.ptr, n) : 0;
    return c ? c : (a.len > b.len) - (a.len < b.len);
}

static int compare_sortables(const void *a, const void *b)
{
    return cli_compare(((const cli_sortable *)a)->key, ((const cli_sortable *)b)->key);
}

void cli_sort(cli_sortable *items, size_t n)
{
    if (n > 0)
        qsort(items, n, sizeof *items, compare_sortables);
}
