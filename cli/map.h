/* SPDX-License-Identifier: MIT
 * map.h - strings of bytes, numbered 0, 1, 2, ... as they are first seen, each with a
 * value of its own; and the arena that keeps what is small and never freed alone.
 *
 * One thread at a time; const functions may run together. Nothing that was handed out
 * moves before the map or the arena is freed. */
#ifndef CLI_MAP_H
#define CLI_MAP_H

#include "cli.h"

/* Bytes for as long as the arena lives. */
typedef struct cli_arena {
    struct cli_arena_chunk *last;
    char *at, *end; /* what is left of it */
    size_t bytes;   /* taken from the system in all */
} cli_arena;        /* {0} is an empty one */

/* n bytes at a multiple of align (1, 2, 4, 8), not cleared. NULL: out of memory. */
void *cli_arena_take(cli_arena *a, size_t n, size_t align);
void cli_arena_free(cli_arena *a);

typedef struct cli_map cli_map;

/* value_size: bytes of each key's value, which begins as zeros, aligned for a pointer.
 * NULL: out of memory. */
cli_map *cli_map_new(size_t value_size);
void cli_map_free(cli_map *m);

/* The hashes of keys, as the functions below want them: seeded by chance once a run, so
 * that nobody can choose keys that all fall on one slot. */
void cli_map_hash_n(const bp_bytes *keys, size_t n, uint64_t *out);
static inline uint64_t cli_map_hash(bp_bytes key)
{
    uint64_t hash;
    cli_map_hash_n(&key, 1, &hash);
    return hash;
}

/* Of use for the hashes of a batch before they are asked for. */
void cli_map_prefetch(const cli_map *m, uint64_t hash);
/* The number of a key; SIZE_MAX: it is not there. */
size_t cli_map_find(const cli_map *m, bp_bytes key, uint64_t hash);
/* The same for n keys, whose cache misses overlap. */
void cli_map_find_n(const cli_map *m, const bp_bytes *keys, size_t n, size_t *numbers);
/* As cli_map_find; a key that is not there is copied and gets the number cli_map_count
 * had. SIZE_MAX: out of memory, and nothing changed. */
size_t cli_map_add(cli_map *m, bp_bytes key, uint64_t hash);

/* The same for n keys, of which values[i] gets the value's place. false: out of memory,
 * and some may have been added. */
bool cli_map_add_n(cli_map *m, const bp_bytes *keys, const uint64_t *hashes, size_t n,
                   void **values);

size_t cli_map_count(const cli_map *m);
bp_bytes cli_map_key(const cli_map *m, size_t i);
void *cli_map_value(const cli_map *m, size_t i);
/* What the map takes from the system. */
size_t cli_map_bytes(const cli_map *m);

/* The order of bytes, a string before all that it begins: <0, 0, >0. */
int cli_compare(bp_bytes a, bp_bytes b);

/* A key in an order that is being made; of whom is the caller's. */
typedef struct cli_sortable {
    bp_bytes key;
    void *of;
} cli_sortable;
/* By the bytes of the keys. */
void cli_sort(cli_sortable *items, size_t n);

#endif
