/* SPDX-License-Identifier: MIT
 * peer_top_k.c - top-k against the textbook and against exact counting, in one run.
 *
 * The textbook is a Count-Min with a binary heap of the k best: a seeded MurmurHash3
 * (32-bit) of the key for each of 4 rows, the remainder by the width, 32-bit counters in
 * as many bytes as top_k's table has, and a look through the heap when a key's estimate
 * reaches its smallest. Exact counting is an open hash table of pointers to the keys,
 * with XXH3, doubled at half load. XXH3 alone over the same keys shows how much of the
 * rest is hashing. All take the same stream, 16-byte keys drawn from a Zipf law, in
 * batches of 4096, each from empty; in turn, and the best of 9 counts.
 *
 *     cc -O2 -shared -fPIC -Iinclude -Isrc $(find src -name '*.c' ! -name '*_test.c') \
 *         -o libballpark.so -lm
 *     cc -O2 -Iinclude bench/peer_top_k.c -o peer_top_k -L. -lballpark -lm -Wl,-rpath,.
 *     taskset -c 1 ./peer_top_k [zipf exponent, 1.1] [adds, 3000000]
 */
#define _POSIX_C_SOURCE 199309L

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ballpark/top_k.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    KEY = 16,
    BATCH = 4096,
    UNIVERSE = 1000000,
    BEST_OF = 9,
    K = 10,
    MEMORY = 1 << 18
};

static uint8_t *text;
static bp_bytes *keys;
static size_t adds = 3000000;
static volatile uint64_t sink;

/* ---------------------------------------------------------------------- the textbook */

enum { DEPTH = 4, WIDTH = MEMORY / 4 / DEPTH };

typedef struct row {
    const void *key;
    uint32_t count;
} row;

static uint32_t table[DEPTH][WIDTH];
static row heap[K];
static size_t rows;

static uint32_t rotl(uint32_t x, int r)
{
    return x << r | x >> (32 - r);
}

/* MurmurHash3_x86_32, Austin Appleby, public domain; whole words, as the keys are. */
static uint32_t murmur3_32(const void *key, uint32_t seed)
{
    uint32_t h = seed;
    for (size_t i = 0; i < KEY; i += 4) {
        uint32_t k;
        memcpy(&k, (const uint8_t *)key + i, 4);
        h ^= rotl(k * 0xcc9e2d51u, 15) * 0x1b873593u;
        h = rotl(h, 13) * 5 + 0xe6546b64u;
    }
    h ^= KEY;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

static void sink_down(size_t i)
{
    for (;;) {
        size_t least = i;
        for (size_t c = 2 * i + 1; c <= 2 * i + 2 && c < rows; c++)
            least = heap[c].count < heap[least].count ? c : least;
        if (least == i)
            return;
        const row t = heap[i];
        heap[i] = heap[least];
        heap[least] = t;
        i = least;
    }
}

static void into_heap(const void *key, uint32_t count)
{
    size_t i = 0;
    while (i < rows && memcmp(heap[i].key, key, KEY) != 0)
        i++;
    if (i == rows && rows < K) {
        heap[rows++] = (row){key, count};
        for (; i && heap[i].count < heap[(i - 1) / 2].count; i = (i - 1) / 2) {
            const row t = heap[i];
            heap[i] = heap[(i - 1) / 2];
            heap[(i - 1) / 2] = t;
        }
        return;
    }
    i = i == rows ? 0 : i;
    heap[i] = (row){key, count};
    sink_down(i);
}

static void textbook(void)
{
    memset(table, 0, sizeof table);
    rows = 0;
    for (size_t k = 0; k < adds; k++) {
        uint32_t least = UINT32_MAX;
        for (uint32_t i = 0; i < DEPTH; i++) {
            const uint32_t c = ++table[i][murmur3_32(keys[k].ptr, i) % WIDTH];
            least = c < least ? c : least;
        }
        if (rows < K || least > heap[0].count)
            into_heap(keys[k].ptr, least);
    }
    sink = heap[0].count;
}

/* --------------------------------------------------------------------- exact counting */

typedef struct slot {
    const void *key;
    uint64_t hash;
    uint64_t count;
} slot;

typedef struct map {
    slot *slots;
    size_t mask;
    size_t used;
} map;

static slot *find(const map *m, const void *key, uint64_t hash)
{
    size_t i = hash & m->mask;
    while (m->slots[i].key &&
           (m->slots[i].hash != hash || memcmp(m->slots[i].key, key, KEY) != 0))
        i = (i + 1) & m->mask;
    return &m->slots[i];
}

static void *zeroed(size_t n, size_t size)
{
    void *p = calloc(n, size);
    if (!p)
        exit(1);
    return p;
}

static void grow(map *m)
{
    map bigger = {zeroed((m->mask + 1) * 2, sizeof(slot)), m->mask * 2 + 1, m->used};
    for (size_t i = 0; i <= m->mask; i++)
        if (m->slots[i].key)
            *find(&bigger, m->slots[i].key, m->slots[i].hash) = m->slots[i];
    free(m->slots);
    *m = bigger;
}

static void exact(void)
{
    map m = {zeroed(1024, sizeof(slot)), 1023, 0};
    for (size_t k = 0; k < adds; k++) {
        const uint64_t hash = XXH3_64bits(keys[k].ptr, KEY);
        slot *s = find(&m, keys[k].ptr, hash);
        if (!s->key && ++m.used * 2 > m.mask) {
            grow(&m);
            s = find(&m, keys[k].ptr, hash);
        }
        *s = (slot){s->key ? s->key : keys[k].ptr, hash, s->count + 1};
    }
    sink = m.used;
    free(m.slots);
}

/* ----------------------------------------------------------------------- the library */

static bp_top_k *make(void)
{
    bp_top_k *s;
    if (bp_top_k_new(&s, &(bp_top_k_config){.k = K, .memory = MEMORY}, NULL))
        exit(1);
    return s;
}

static void batches(void)
{
    bp_top_k *s = make();
    for (size_t k = 0; k < adds; k += BATCH)
        if (bp_top_k_add_n(s, keys + k, adds - k < BATCH ? adds - k : BATCH, NULL, NULL))
            exit(1);
    sink = bp_top_k_total(s);
    bp_top_k_free(s);
}

static void singles(void)
{
    bp_top_k *s = make();
    for (size_t k = 0; k < adds; k++)
        if (bp_top_k_add(s, keys[k].ptr, keys[k].len, 1))
            exit(1);
    sink = bp_top_k_total(s);
    bp_top_k_free(s);
}

static void xxh3(void)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < adds; k++)
        sum += XXH3_64bits(keys[k].ptr, KEY);
    sink = sum;
}

static const struct contestant {
    const char *name;
    void (*run)(void);
} contestants[] = {
    {"xxh3 alone", xxh3},         {"textbook Count-Min with a heap", textbook},
    {"exact hash table", exact},  {"add_n", batches},
    {"add, one by one", singles},
};
enum { CONTESTANTS = sizeof contestants / sizeof *contestants };

/* ------------------------------------------------------------------------- the stream */

static double unit(uint64_t *x)
{
    *x = *x * 6364136223846793005u + 1442695040888963407u;
    return (double)(*x >> 11) * 0x1p-53;
}

static void draw(double exponent)
{
    double *cumulated = zeroed(UNIVERSE, sizeof *cumulated), sum = 0;
    text = zeroed(adds, KEY);
    keys = zeroed(adds, sizeof *keys);
    for (size_t i = 0; i < UNIVERSE; i++)
        cumulated[i] = sum += pow((double)(i + 1), -exponent);
    uint64_t x = 1;
    for (size_t k = 0; k < adds; k++) {
        const double u = unit(&x) * sum;
        size_t low = 0, high = UNIVERSE - 1;
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if (cumulated[middle] > u)
                high = middle;
            else
                low = middle + 1;
        }
        const uint64_t a = low * 0x9e3779b97f4a7c15u, b = a ^ a >> 29;
        memcpy(text + k * KEY, &a, 8);
        memcpy(text + k * KEY + 8, &b, 8);
        keys[k] = (bp_bytes){text + k * KEY, KEY};
    }
    free(cumulated);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    const double exponent = argc > 1 ? atof(argv[1]) : 1.1;
    adds = argc > 2 ? strtoull(argv[2], NULL, 10) : adds;
    double best[CONTESTANTS];
    draw(exponent);
    for (int turn = 0; turn < BEST_OF; turn++)
        for (size_t c = 0; c < CONTESTANTS; c++) {
            const double start = now();
            contestants[c].run();
            const double ns = (now() - start) * 1e9 / (double)adds;
            best[c] = turn == 0 || ns < best[c] ? ns : best[c];
        }
    printf(
        "top %d of %zu adds, Zipf %.2f over %d keys of %d bytes, %d bytes of table\n"
        "best of %d; the textbook's Count-Min and the exact table are in this file\n\n",
        K, adds, exponent, UNIVERSE, KEY, MEMORY, BEST_OF);
    printf("%-32s %10s %10s\n", "", "ns/key", "textbook");
    for (size_t c = 0; c < CONTESTANTS; c++)
        printf("%-32s %10.2f %9.2fx\n", contestants[c].name, best[c], best[1] / best[c]);
    free(text);
    free(keys);
    return 0;
}
