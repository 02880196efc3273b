/* SPDX-License-Identifier: MIT
 * filters.c - every filter beside its peers, over the same pre-hashed keys, in one
 * process: the table of docs/filters.md.
 *
 *     bench/filters [--markdown] [--peers libfilter_peers.so] [items ...]
 *
 * bench/filters.sh builds what it needs and calls it. For each number of items: building
 * from a warm start, one question at a time, questions in batches of 4,096, of members
 * and of strangers; bits a key, and the rate of false positives found. In a round every
 * filter answers once, so that a noisy moment hits all; the best of ROUNDS counts.
 *
 * `1 line` is what fetching one random line of so much memory costs in the same rounds,
 * prefetched 48 ahead and with nothing else to do: no filter whose question touches one
 * line is faster. `x limit` is the batched question (of members) in such lines. */
#define _POSIX_C_SOURCE 200809L
#include <ballpark/ballpark.h>

#include "core/rng.h"

#include <bloom.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 4096, ROUNDS = 7, BUILDS = 3, ASKED = 1 << 20, CONTENDERS_MAX = 40 };

static volatile size_t sink;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *need(size_t n)
{
    void *p = aligned_alloc(64, (n + 63) / 64 * 64);
    if (!p) {
        fprintf(stderr, "filters: out of memory\n");
        exit(2);
    }
    return p;
}

/* --------------------------------------------------------------------- contenders */

/* bench/crates/src/lib.rs fills the same struct. */
typedef struct peer {
    const char *name;
    void *(*build)(const uint64_t *keys, size_t n);
    size_t (*has)(const void *f, const uint64_t *keys, size_t n);
    size_t (*bytes)(const void *f);
    void (*free)(void *f);
} peer;

/* A filter of ours: how it is made for n keys, built, and asked. */
typedef struct ours {
    const char *name;
    const char *kind;
    const void *(*config)(uint64_t n);
    void (*build)(bp_any *f, const uint64_t *keys, size_t n);
    size_t (*one)(const void *f, const uint64_t *keys, size_t n);
    size_t (*batched)(const void *f, const uint64_t *keys, size_t n);
} ours;

#define ASKING(T)                                                                        \
    static size_t one_##T(const void *f, const uint64_t *keys, size_t n)                 \
    {                                                                                    \
        size_t yes = 0;                                                                  \
        for (size_t i = 0; i < n; i++)                                                   \
            yes += bp_##T##_has_hashes((const bp_##T *)f, keys + i, 1, NULL);            \
        return yes;                                                                      \
    }                                                                                    \
    static size_t batched_##T(const void *f, const uint64_t *keys, size_t n)             \
    {                                                                                    \
        static uint8_t hit[BATCH];                                                       \
        size_t yes = 0;                                                                  \
        for (size_t i = 0; i < n; i += BATCH)                                            \
            yes += bp_##T##_has_hashes((const bp_##T *)f, keys + i,                      \
                                       n - i < BATCH ? n - i : BATCH, hit);              \
        return yes;                                                                      \
    }

/* Of a kind that is built at once, in working memory that the builds share. */
#define BUILDING(T)                                                                      \
    ASKING(T)                                                                            \
    static void build_##T(bp_any *f, const uint64_t *keys, size_t n)                     \
    {                                                                                    \
        static void *room;                                                               \
        static size_t have;                                                              \
        const size_t want = bp_##T##_scratch((bp_##T *)f, n);                            \
        if (want > have) {                                                               \
            free(room);                                                                  \
            room = need(have = want);                                                    \
            memset(room, 1, have);                                                       \
        }                                                                                \
        bp_##T##_build_hashes((bp_##T *)f, keys, n, room, have, NULL);                   \
    }

static void add_all(bp_any *f, const uint64_t *keys, size_t n)
{
    for (size_t i = 0; i < n; i += BATCH)
        if (bp_any_add_hashes(f, keys + i, n - i < BATCH ? n - i : BATCH, NULL)) {
            fprintf(stderr, "filters: a key was refused\n");
            exit(2);
        }
}

ASKING(bloom)
ASKING(blocked_bloom)
ASKING(counting_bloom)
ASKING(cuckoo)
BUILDING(binary_fuse)
BUILDING(ribbon)

#define CONFIG(name, T, ...)                                                             \
    static const void *name(uint64_t n)                                                  \
    {                                                                                    \
        static bp_##T##_config c;                                                        \
        (void)n;                                                                         \
        c = (bp_##T##_config){__VA_ARGS__};                                              \
        return &c;                                                                       \
    }

CONFIG(bloom_1, bloom, .items = n, .fpr = 0.01)
CONFIG(split256_1, blocked_bloom, .items = n, .fpr = 0.01,
       .layout = BP_BLOCKED_BLOOM_SPLIT256, .exact_size = true)
CONFIG(split512_1, blocked_bloom, .items = n, .fpr = 0.01)
CONFIG(split512_01, blocked_bloom, .items = n, .fpr = 0.001)
CONFIG(counting_1, counting_bloom, .items = n, .fpr = 0.01)
CONFIG(cuckoo_8, cuckoo, .items = n, .bits = 8)
CONFIG(cuckoo_12, cuckoo, .items = n, .bits = 12)
CONFIG(cuckoo_16, cuckoo, .items = n, .bits = 16)
CONFIG(fuse8, binary_fuse, .bits = 8)
CONFIG(fuse8_4, binary_fuse, .bits = 8, .arity = 4)
CONFIG(fuse16, binary_fuse, .bits = 16)
CONFIG(ribbon_1, ribbon, .fpr = 0.01)
CONFIG(ribbon_8, ribbon, .fpr = 0.0042)
CONFIG(ribbon_wide, ribbon, .fpr = 0.01, .width = 128)
CONFIG(ribbon_compact, ribbon, .fpr = 0.01, .compact = true)

#define ADDED(name, T, config)                                                           \
    {                                                                                    \
        name, #T, config, add_all, one_##T, batched_##T                                  \
    }
#define BUILT(name, T, config)                                                           \
    {                                                                                    \
        name, #T, config, build_##T, one_##T, batched_##T                                \
    }

static const ours all_ours[] = {
    ADDED("bloom 1%", bloom, bloom_1),
    ADDED("blocked_bloom split256 1%", blocked_bloom, split256_1),
    ADDED("blocked_bloom split512 1%", blocked_bloom, split512_1),
    ADDED("blocked_bloom split512 0.1%", blocked_bloom, split512_01),
    ADDED("counting_bloom 1%", counting_bloom, counting_1),
    ADDED("cuckoo 8 bits", cuckoo, cuckoo_8),
    ADDED("cuckoo 12 bits", cuckoo, cuckoo_12),
    ADDED("cuckoo 16 bits", cuckoo, cuckoo_16),
    BUILT("binary_fuse 8 bits", binary_fuse, fuse8),
    BUILT("binary_fuse 8 bits, 4 places", binary_fuse, fuse8_4),
    BUILT("binary_fuse 16 bits", binary_fuse, fuse16),
    BUILT("ribbon 1%", ribbon, ribbon_1),
    BUILT("ribbon 0.42%, 8 columns", ribbon, ribbon_8),
    BUILT("ribbon 1%, width 128", ribbon, ribbon_wide),
    BUILT("ribbon 1%, compact", ribbon, ribbon_compact),
};

/* Debian's libbloom: a key is the 8 bytes of the hash. */
static void *libbloom_build(const uint64_t *keys, size_t n)
{
    struct bloom *f = need(sizeof *f);
    bloom_init(f, (int)n, 0.01);
    for (size_t i = 0; i < n; i++)
        bloom_add(f, keys + i, 8);
    return f;
}

static size_t libbloom_has(const void *f, const uint64_t *keys, size_t n)
{
    size_t yes = 0;
    for (size_t i = 0; i < n; i++)
        yes += bloom_check((struct bloom *)f, keys + i, 8) != 0;
    return yes;
}

static size_t libbloom_bytes(const void *f)
{
    return (size_t)((const struct bloom *)f)->bytes;
}

static void libbloom_free(void *f)
{
    bloom_free(f);
    free(f);
}

static const peer libbloom = {"libbloom 1.6 1%", libbloom_build, libbloom_has,
                              libbloom_bytes, libbloom_free};

/* One of either sort, and what was measured of it. */
typedef struct contender {
    const char *name;
    const ours *our;
    const peer *peer;
    void *filter;
    double build, limit, one[2], batched[2], bits, fpr;
} contender;

static contender contenders[CONTENDERS_MAX];
static size_t count;

static void enlist(const char *name, const ours *our, const peer *p)
{
    if (count < CONTENDERS_MAX)
        contenders[count++] = (contender){.name = name, .our = our, .peer = p};
}

static bool enlist_crates(const char *file)
{
    void *lib = dlopen(file, RTLD_NOW);
    const peer *(*at)(size_t) = NULL;
    if (lib)
        *(void **)&at = dlsym(lib, "peer_at");
    if (!at)
        return false;
    for (size_t i = 0; at(i); i++)
        enlist(at(i)->name, NULL, at(i));
    return true;
}

/* ---------------------------------------------------------------------- measuring */

static uint64_t *members, *strangers;

static void make_keys(size_t n)
{
    uint64_t state = 1;
    members = need(8 * n);
    strangers = need(8 * (size_t)ASKED);
    for (size_t i = 0; i < n; i++)
        members[i] = bp_rng_next(&state);
    for (size_t i = 0; i < ASKED; i++)
        strangers[i] = bp_rng_next(&state);
}

static void least(double *best, double t)
{
    if (*best == 0 || t < *best)
        *best = t;
}

static size_t bytes_of(const contender *c)
{
    size_t n = 0;
    if (c->peer)
        return c->peer->bytes(c->filter);
    bp_any_encode(c->filter, NULL, 0, &n, NULL);
    return n;
}

static void discard(contender *c)
{
    if (c->peer && c->filter)
        c->peer->free(c->filter);
    else
        bp_any_free(c->filter);
    c->filter = NULL;
}

/* Ours are reset and filled again, in memory they have; peers' builds make new ones. */
static void build(contender *c, size_t n)
{
    bp_detail why = {BP_OK, "", 0, 0, 0};
    if (c->our && !c->filter) {
        bp_any *f = NULL;
        if (bp_any_new(&f, bp_any_kind_by_name(c->our->kind)->id, c->our->config(n),
                       &why)) {
            fprintf(stderr, "filters: %s: %s\n", c->name, why.what);
            exit(2);
        }
        c->filter = f;
    } else if (c->our)
        bp_any_reset(c->filter);
    else
        discard(c);
    const double start = now();
    if (c->our)
        c->our->build(c->filter, members, n);
    else
        c->filter = c->peer->build(members, n);
    least(&c->build, (now() - start) / (double)n);
}

static double lines(const uint8_t *memory, size_t bytes, const uint64_t *keys, size_t n)
{
    enum { AHEAD = 48 };
    const double start = now();
    size_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n)
            BP_PREFETCH(memory + bp_range(keys[i + AHEAD], bytes));
        sum += memory[bp_range(keys[i], bytes)];
    }
    sink += sum;
    return (now() - start) / (double)n;
}

static double ask(size_t (*has)(const void *, const uint64_t *, size_t), const void *f,
                  const uint64_t *keys, size_t n, size_t *yes)
{
    const double start = now();
    *yes = has(f, keys, n);
    return (now() - start) / (double)n;
}

static void round_of(contender *c, const uint8_t *memory, size_t n)
{
    const size_t asked = n < ASKED ? n : ASKED;
    const size_t from = n > ASKED ? n / 2 - ASKED / 2 : 0;
    const uint64_t *keys[2] = {members + from, strangers};
    const size_t m[2] = {asked, ASKED};
    size_t yes[2];
    least(&c->limit, lines(memory, bytes_of(c), strangers, ASKED));
    for (int i = 0; i < 2; i++) {
        least(&c->one[i], ask(c->our ? c->our->one : c->peer->has, c->filter, keys[i],
                              m[i], &yes[i]));
        if (c->our)
            least(&c->batched[i],
                  ask(c->our->batched, c->filter, keys[i], m[i], &yes[i]));
    }
    if (yes[0] != asked && strncmp(c->name, "cuckoofilter", 12) != 0) {
        fprintf(stderr, "filters: %s forgot a member\n", c->name);
        exit(2);
    }
    c->bits = 8 * (double)bytes_of(c) / (double)n;
    c->fpr = (double)yes[1] / ASKED;
}

static void show(const contender *c, bool markdown)
{
    static const char *const rows[] = {"%-29s %6.1f  %6.1f %6.1f  ",
                                       "| %s | %.1f | %.1f / %.1f | "};
    printf(rows[markdown], c->name, c->build, c->one[0], c->one[1]);
    if (c->our)
        printf(markdown ? "%.1f / %.1f | %.1f | %.2f" : "%6.1f %6.1f  %6.1f  %6.2f",
               c->batched[0], c->batched[1], c->limit, c->batched[0] / c->limit);
    else
        printf(markdown ? " | %.1f | " : "              %6.1f        ", c->limit);
    printf(markdown ? " | %.2f | %.4f%% |\n" : "  %6.2f  %8.4f%%\n", c->bits,
           100 * c->fpr);
}

static void measure(size_t n, bool markdown)
{
    uint8_t *memory;
    size_t most = 0;
    make_keys(n);
    for (size_t i = 0; i < count; i++) {
        contenders[i] = (contender){.name = contenders[i].name,
                                    .our = contenders[i].our,
                                    .peer = contenders[i].peer};
        for (int j = 0; j < BUILDS; j++)
            build(&contenders[i], n);
        most = bytes_of(&contenders[i]) > most ? bytes_of(&contenders[i]) : most;
    }
    memory = need(most);
    memset(memory, 1, most);
    for (int j = 0; j < ROUNDS; j++)
        for (size_t i = 0; i < count; i++)
            round_of(&contenders[i], memory, n);
    printf(markdown
               ? "\n%zu keys\n\n| filter | build | one: member / stranger | "
                 "batched | 1 line | x limit | bits a key | false positives |\n"
                 "|---|---|---|---|---|---|---|---|\n"
               : "\n%zu keys                        build     one: in    out  batched: "
                 "in    out  1 line  x limit  bits       fpr\n",
           n);
    for (size_t i = 0; i < count; i++) {
        show(&contenders[i], markdown);
        discard(&contenders[i]);
    }
    free(memory);
    free(members);
    free(strangers);
}

int main(int argc, char **argv)
{
    bool markdown = false, any = false;
    for (size_t i = 0; i < sizeof all_ours / sizeof *all_ours; i++)
        enlist(all_ours[i].name, &all_ours[i], NULL);
    enlist(libbloom.name, NULL, &libbloom);
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--markdown") == 0)
            markdown = true;
        else if (strcmp(argv[i], "--peers") == 0 && i + 1 < argc) {
            if (!enlist_crates(argv[++i])) {
                fprintf(stderr, "filters: %s: %s\n", argv[i], dlerror());
                return 2;
            }
        } else {
            const double n = strtod(argv[i], NULL);
            if (!(n >= BATCH && n < 2e9)) {
                fprintf(stderr, "filters: %s: items, 4096 to 2e9\n", argv[i]);
                return 2;
            }
            measure((size_t)n, markdown);
            any = true;
        }
    if (!any) {
        measure(1000000, markdown);
        measure(10000000, markdown);
    }
    return 0;
}
