/* SPDX-License-Identifier: MIT
 * ballpark/core.h - what every sketch shares: status codes, allocators, keys,
 * estimates, descriptions, and the functions each sketch has under its own name.
 *
 * A sketch is an opaque handle. Its configuration is public: zero means default,
 * so `bp_hll_new(&h, NULL, NULL)` and `&(bp_hll_config){ .precision = 12 }` both
 * work. Nothing in the library prints, aborts, reads the clock or the environment,
 * starts threads or keeps global state.
 *
 * Threads  Functions that take a const handle may run at the same time on one
 *          sketch. Anything else needs one owner at a time, except adds to a
 *          sketch that was created with `.concurrent = true`.
 * Errors   Calls that may fail return bp_status and fill an optional bp_detail.
 *          On failure a created handle is NULL and every other output untouched.
 */
#ifndef BALLPARK_CORE_H
#define BALLPARK_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define BP_API __attribute__((visibility("default")))
#else
#define BP_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* One list of outcomes for the whole library. Values are frozen. */
typedef enum bp_status {
    BP_OK = 0,
    BP_NOMEM = 1,      /* the allocator said no; nothing changed               */
    BP_PARAM = 2,      /* a configuration or argument out of range             */
    BP_MISMATCH = 3,   /* two sketches that must not be combined               */
    BP_CORRUPT = 4,    /* bytes that are not what they say they are            */
    BP_VERSION = 5,    /* bytes written by a newer version of the format       */
    BP_KIND = 6,       /* bytes or a handle of another kind of sketch          */
    BP_FULL = 7,       /* no room: a sketch at capacity, or a buffer too small */
    BP_EMPTY = 8,      /* the question has no answer on an empty sketch        */
    BP_UNSUPPORTED = 9 /* this kind, or this configuration, does not do that   */
} bp_status;

/* Why a call failed. `what` is a static English phrase a person can act on; `at`
 * a byte offset where bytes were read; `have` and `want` the two whole numbers
 * that differ, both 0 when there are none. */
typedef struct bp_detail {
    bp_status status;
    const char *what;
    uint64_t at;
    uint64_t have;
    uint64_t want;
} bp_detail;

/* One function is the whole allocator: p == NULL allocates new_size bytes;
 * new_size == 0 frees p and returns NULL; otherwise p is resized. NULL means
 * failure and leaves p as it was. old_size is always the size last asked for.
 * {0} means malloc, realloc and free. Memory must be aligned as malloc's is. */
typedef struct bp_alloc {
    void *(*resize)(void *ctx, void *p, size_t old_size, size_t new_size);
    void *ctx;
} bp_alloc;

/* How keys become 64-bit hashes. {0} is XXH3 with seed 0. Sketches with different
 * hashing never merge. */
typedef enum bp_hash_id {
    BP_HASH_DEFAULT = 0,   /* XXH3 64-bit                                       */
    BP_HASH_XXH3 = 1,      /* any 64-bit seed                                   */
    BP_HASH_SIPHASH24 = 2, /* keyed: for input that an attacker chooses         */
    BP_HASH_XXH64 = 3,     /* any 64-bit seed                                   */
    BP_HASH_MURMUR3 = 4,   /* MurmurHash3 x64-128, first half; 32-bit seed      */
    BP_HASH_MURMUR64A = 5  /* MurmurHash64A; any 64-bit seed                    */
} bp_hash_id;

typedef struct bp_hash_spec {
    uint32_t id;       /* a bp_hash_id                                          */
    uint32_t reserved; /* must be zero                                          */
    uint64_t seed;     /* must be zero for SipHash, whose key takes its place   */
    uint8_t key[16];   /* SipHash's secret; never stored in encoded bytes, only
                        * a check value is. Must be zero for every other hash.  */
} bp_hash_spec;

/* A column of whole numbers of one width, in the machine's order. */
typedef enum bp_int_type {
    BP_INT_U8 = 1,
    BP_INT_U16 = 2,
    BP_INT_U32 = 3,
    BP_INT_U64 = 4,
    BP_INT_I8 = 5,
    BP_INT_I16 = 6,
    BP_INT_I32 = 7,
    BP_INT_I64 = 8
} bp_int_type;

/* A key is a string of bytes, of any length; ptr may be NULL when len is 0.
 * Whole numbers are keyed by their 8 little-endian bytes. */
typedef struct bp_bytes {
    const void *ptr;
    size_t len;
} bp_bytes;

/* A value and the range the truth lies in, at the confidence asked for or for
 * certain: each function says which. */
typedef struct bp_estimate {
    double value;
    double lower;
    double upper;
} bp_estimate;

/* How bytes are opened by decode and view. NULL means all zero. */
enum {
    BP_OPEN_VERIFY = 1, /* view: check the payload and its checksums as decode does */
    BP_OPEN_KEYLESS = 2 /* a keyed sketch without its key: for merging, estimating and
                         * describing. It takes no keys (BP_UNSUPPORTED where there is a
                         * status) and answers for one what is certain of all: maybe in a
                         * set, any count */
};
typedef struct bp_open {
    bp_alloc alloc;
    const void *key; /* SipHash key, 16 bytes, for keyed sketches; else NULL */
    uint32_t flags;  /* BP_OPEN_...                                          */
    uint32_t reserved32;
    uint64_t reserved[2];
} bp_open;

/* What a sketch says of itself. */
typedef enum bp_health {
    BP_HEALTH_OK = 0,
    BP_HEALTH_NEAR = 1, /* near the load it was made for                */
    BP_HEALTH_OVER = 2  /* past it: answers are worse than was asked for */
} bp_health;

typedef enum bp_figure_type {
    BP_FIGURE_WHOLE = 0, /* .whole */
    BP_FIGURE_REAL = 1,  /* .real  */
    BP_FIGURE_TEXT = 2   /* .text  */
} bp_figure_type;

typedef struct bp_figure {
    const char *name;      /* snake_case, stable                                      */
    const char *unit;      /* "bytes", "items", "fraction", "bits", "" ...            */
    uint32_t type;         /* a bp_figure_type: which of the three below holds        */
    uint32_t is_parameter; /* 1: fixed when the sketch was made; 0: its state now */
    uint64_t whole;
    double real;
    const char *text;
} bp_figure;

enum { BP_FIGURES_MAX = 40 };
typedef struct bp_description {
    bp_health health;
    const char *advice; /* what to do when health is not ok; "" otherwise */
    size_t count;
    bp_figure figures[BP_FIGURES_MAX];
} bp_description;

/* The functions every sketch T has, with T's own types.
 *
 * new        Creates a sketch; cfg NULL means all defaults, why may be NULL.
 * place      The same in the caller's memory, with no allocation at all: mem needs
 *            footprint(cfg) bytes. free() then does nothing that mem needs.
 * footprint  Bytes that place needs, the most the sketch will ever take; 0 when
 *            cfg is invalid or the kind grows without bound.
 * view       A const handle over encoded bytes (a mapped file) without a copy: the
 *            header and lengths are checked, the payload only with BP_OPEN_VERIFY.
 *            The bytes must outlive it; unverified bytes may answer wrong, never
 *            unsafely. Kinds that cannot say so and answer BP_UNSUPPORTED.
 * decode     A new sketch from encoded bytes, everything verified.
 * encode     Writes the bytes to buf and their number to *size; with buf NULL only
 *            the number. BP_FULL when cap is too small, and nothing is written.
 * clone      An independent copy. reset: as new, memory kept.
 * merge      Adds src to dst, as if dst had seen both streams; dst is unchanged on
 *            failure. Kind, parameters and hashing must be the same.
 * config_of  The configuration with the defaults filled in (the key too).
 * describe   Named figures with units, and a verdict.
 * free       NULL is fine.
 */
#define BP_SKETCH_API(T)                                                                 \
    BP_API bp_status bp_##T##_new(bp_##T **out, const bp_##T##_config *cfg,              \
                                  bp_detail *why);                                       \
    BP_API size_t bp_##T##_footprint(const bp_##T##_config *cfg);                        \
    BP_API bp_status bp_##T##_place(bp_##T **out, void *mem, size_t cap,                 \
                                    const bp_##T##_config *cfg, bp_detail *why);         \
    BP_API bp_status bp_##T##_view(const bp_##T **out, const void *bytes, size_t n,      \
                                   const bp_open *how, bp_detail *why);                  \
    BP_API bp_status bp_##T##_decode(bp_##T **out, const void *bytes, size_t n,          \
                                     const bp_open *how, bp_detail *why);                \
    BP_API bp_status bp_##T##_encode(const bp_##T *s, void *buf, size_t cap,             \
                                     size_t *size, bp_detail *why);                      \
    BP_API bp_status bp_##T##_clone(bp_##T **out, const bp_##T *s, bp_detail *why);      \
    BP_API void bp_##T##_reset(bp_##T *s);                                               \
    BP_API bp_status bp_##T##_merge(bp_##T *dst, const bp_##T *src, bp_detail *why);     \
    BP_API void bp_##T##_config_of(const bp_##T *s, bp_##T##_config *out);               \
    BP_API void bp_##T##_describe(const bp_##T *s, bp_description *out);                 \
    BP_API void bp_##T##_free(const bp_##T *s)

/* "ok", "out of memory", ...: never NULL. */
BP_API const char *bp_status_text(bp_status status);

/* The library's version, "0.1.0". */
BP_API const char *bp_version(void);

#ifdef __cplusplus
}
#endif
#endif
