/* SPDX-License-Identifier: MIT
 * object.h - what every sketch shares, once: life, bytes, merging, describing.
 *
 * A handle is this struct: process-local, with pointers. What the sketch knows is a
 * pointer-free state: a head (its parameters and running counts, in native order) and
 * its cells (bits, counters, registers: little-endian, the same as in the encoded
 * payload). Both lie in one block, which is what clone copies and place puts into the
 * caller's memory; in a view the cells are the mapped bytes themselves.
 *
 *   handle --> head | cells ..............         owned, placed
 *   handle --> head     cells --> encoded payload  view
 *
 * Each sketch defines one const bp_kind table and the macro line BP_SKETCH_IMPL, which
 * gives it the typed functions of BP_SKETCH_API. */
#ifndef BP_OBJECT_H
#define BP_OBJECT_H

#include "core/core.h"
#include "core/cursor.h"
#include "core/envelope.h"

typedef struct bp_kind bp_kind;

typedef enum bp_form { BP_OWNED, BP_PLACED, BP_VIEW } bp_form;

typedef struct bp_object {
    const bp_kind *kind;
    bp_alloc alloc;
    void *head;        /* kind->head_size bytes; first member is a bp_head       */
    uint8_t *cells;    /* 64-byte aligned from BP_ALIGN_FROM bytes up, not in views */
    size_t cells_size; /* bytes in use                                           */
    size_t cells_cap;  /* bytes there are                                        */
    void *block;       /* the allocation that holds head and cells               */
    size_t block_size;
    bp_form form;
} bp_object;

/* The first member of every sketch's head. */
typedef struct bp_head {
    bp_hash_spec hash;
    bool concurrent;
    bool keyless; /* a keyed sketch opened without its key: `seed` keeps the check */
} bp_head;

/* The first two members of every public configuration. */
typedef struct bp_config_prefix {
    bp_alloc alloc;
    bp_hash_spec hash;
} bp_config_prefix;

enum { BP_ALIGN_FROM = 1024 };

/* What the hash floor tells this one. */
typedef struct bp_hashing {
    bool (*is_known)(uint32_t id);
    const char *(*name)(uint32_t id);
    bp_status (*check)(const bp_hash_spec *spec, bp_detail *why);
    bool (*is_keyed)(uint32_t id);
    uint64_t (*key_check)(const bp_hash_spec *spec); /* stored in the key's stead */
} bp_hashing;

/* One sketch. `o` is always a handle of this kind; a NULL function means the default
 * in its comment. Functions that take `why` fail through bp_fail. */
struct bp_kind {
    const char *name;
    uint16_t id;
    uint16_t rule;           /* version of how positions are taken from the hash */
    uint32_t required_known; /* required flags this kind understands */
    size_t config_size;
    size_t head_size;
    const bp_hashing *hashing;

    /* Checks *cfg (already checked: hash, reserved words) and fills the zeroed head,
     * apart from its bp_head.hash, which is set. */
    bp_status (*setup)(void *head, const void *cfg, bp_detail *why);
    /* Fills *cfg, already zeroed, with alloc and hash set, from the head. */
    void (*config)(const void *head, void *cfg);
    /* Cells of a new sketch, and the most there can ever be (NULL: the same; a kind
     * that grows without bound answers SIZE_MAX). SIZE_MAX from cells_size: too large
     * for this machine. */
    size_t (*cells_size)(const void *head);
    size_t (*cells_max)(const void *head);
    /* After new and reset, on zeroed cells (NULL: nothing more to do). */
    void (*start)(bp_object *o);

    /* Parameters other than kind, hash and rule agree? (NULL: yes.) */
    bp_status (*same)(const bp_object *dst, const bp_object *src, bp_detail *why);
    /* dst and src are `same`; dst may be src. dst is whole and unchanged on failure.
     * NULL: the kind does not merge. */
    bp_status (*merge)(bp_object *dst, const bp_object *src, bp_detail *why);

    /* Bytes. put_params writes at most BP_ENVELOPE_PARAMS_MAX; flags sets required and
     * optional (NULL: 0). payload_size and put_payload: NULL when the payload is the
     * cells. put_payload fills exactly payload_size bytes. */
    void (*put_params)(const bp_object *o, bp_writer *w);
    void (*flags)(const bp_object *o, uint32_t *required, uint32_t *optional);
    bp_status (*payload_size)(const bp_object *o, uint64_t *size, bp_detail *why);
    bp_status (*put_payload)(const bp_object *o, uint8_t *payload, size_t size,
                             bp_detail *why);
    /* Fills the zeroed head (hash set) from the parameters and e, and checks that
     * e->payload_size is possible: afterwards const functions must be safe on any
     * payload of that size. Offsets in `at` count from the first parameter byte. */
    bp_status (*get_params)(void *head, bp_reader *r, const bp_envelope *e,
                            bp_detail *why);
    /* The payload is one that encode could have written? (NULL: any is.) Offsets count
     * from the payload's first byte. */
    bp_status (*check_payload)(const void *head, const uint8_t *payload, size_t n,
                               bp_detail *why);
    /* Takes over a checked payload (NULL: the cells are a copy of it), with what only a
     * sketch in the making can check. Offsets as above. */
    bp_status (*get_payload)(bp_object *o, const uint8_t *payload, size_t n,
                             bp_detail *why);

    /* Adds figures; the common ones are there already. */
    void (*describe)(const bp_object *o, bp_description *out);
    /* For any: each key once; NULL add_hashes: needs the keys. NULL estimate: none. A
     * kind has either add_n or build, which replaces what was there and leaves it alone
     * on failure. */
    bp_status (*add_n)(bp_object *o, const bp_bytes *keys, size_t n, bp_detail *why);
    bp_status (*add_hashes)(bp_object *o, const uint64_t *hashes, size_t n,
                            bp_detail *why);
    bp_status (*build)(bp_object *o, const bp_bytes *keys, size_t n, bp_detail *why);
    bp_status (*build_hashes)(bp_object *o, const uint64_t *hashes, size_t n,
                              bp_detail *why);
    bp_status (*estimate)(const bp_object *o, double confidence, bp_estimate *out,
                          bp_detail *why);

    /* Filters: has_hashes and fpr all of them, the others where they can. hit, was_new
     * and was_there get 0 or 1 a hash; was_new and was_there may be NULL. add_new and
     * remove_hashes stop at the first hash that cannot be dealt with and say in *done how
     * many were. remove_hashes takes out one copy of each that is there. */
    size_t (*has_hashes)(const bp_object *o, const uint64_t *hashes, size_t n,
                         uint8_t *hit);
    bp_status (*add_new)(bp_object *o, const uint64_t *hashes, size_t n, uint8_t *was_new,
                         size_t *done, bp_detail *why);
    bp_status (*remove_hashes)(bp_object *o, const uint64_t *hashes, size_t n,
                               uint8_t *was_there, size_t *done, bp_detail *why);
    uint64_t (*count_hash)(const bp_object *o, uint64_t hash);
    double (*fpr)(const bp_object *o);

    /* Compounds hold other handles: what they hold from the start (after new; on failure
     * nothing), how to release it, to copy it (dst->head is a byte copy of src's; on
     * failure it must own nothing), to empty all for reset, and to open what lies in a
     * view's payload, with offsets as above. NULL for pointer-free kinds. */
    bp_status (*begin)(bp_object *o, bp_detail *why);
    void (*fini)(bp_object *o);
    bp_status (*copy)(bp_object *dst, const bp_object *src, bp_detail *why);
    void (*clear)(bp_object *o);
    bp_status (*open_view)(bp_object *o, const bp_open *how, bp_detail *why);
    bool without_view;
    bool without_place;
};

BP_INTERNAL bp_status bp_object_new(bp_object **out, const bp_kind *k, const void *cfg,
                                    bp_detail *why);
BP_INTERNAL size_t bp_object_footprint(const bp_kind *k, const void *cfg);
BP_INTERNAL bp_status bp_object_place(bp_object **out, const bp_kind *k, void *mem,
                                      size_t cap, const void *cfg, bp_detail *why);
BP_INTERNAL bp_status bp_object_view(const bp_object **out, const bp_kind *k,
                                     const void *bytes, size_t n, const bp_open *how,
                                     bp_detail *why);
BP_INTERNAL bp_status bp_object_decode(bp_object **out, const bp_kind *k,
                                       const void *bytes, size_t n, const bp_open *how,
                                       bp_detail *why);
BP_INTERNAL bp_status bp_object_encode(const bp_object *o, void *buf, size_t cap,
                                       size_t *size, bp_detail *why);
BP_INTERNAL bp_status bp_object_encode_part(const bp_object *o, uint64_t from, void *buf,
                                            size_t n, bp_detail *why);
BP_INTERNAL bp_status bp_object_clone(bp_object **out, const bp_object *o,
                                      bp_detail *why);
BP_INTERNAL void bp_object_reset(bp_object *o);
BP_INTERNAL bp_status bp_object_merge(bp_object *dst, const bp_object *src,
                                      bp_detail *why);
/* Kind, hashing and parameters agree: what merge asks first, for other verbs. */
BP_INTERNAL bp_status bp_object_same(const bp_object *dst, const bp_object *src,
                                     bp_detail *why);
/* Feedback, for filters: sums up, and begins anew (a filter that was built again). */
BP_INTERNAL bp_status bp_object_report(bp_object *o, uint64_t strangers,
                                       uint64_t false_yes, bp_detail *why);
BP_INTERNAL void bp_object_unreport(bp_object *o);
BP_INTERNAL void bp_object_config_of(const bp_object *o, void *cfg);
BP_INTERNAL void bp_object_describe(const bp_object *o, bp_description *out);
BP_INTERNAL void bp_object_free(const bp_object *o);

/* For sketches that grow: gives the cells `size` bytes, keeping the first
 * min(cells_size, size) and zeroing the rest; room is kept when it shrinks. BP_NOMEM,
 * or BP_FULL in the caller's memory, and nothing changed. Head and cells may move. */
BP_INTERNAL bp_status bp_object_resize(bp_object *o, size_t size, bp_detail *why);
/* Gives back room beyond the cells in use, where that is possible. */
BP_INTERNAL void bp_object_trim(bp_object *o);

/* Copies n bytes, word by word with relaxed loads when o is concurrent: adds may be
 * running. src lies in o's head or cells. */
BP_INTERNAL void bp_object_copy(const bp_object *o, void *dst, const void *src, size_t n);

/* Figures, for describe. A name said again replaces what was said before. */
BP_INTERNAL void bp_say_whole(bp_description *d, const char *name, const char *unit,
                              uint64_t v, bool is_parameter);
BP_INTERNAL void bp_say_real(bp_description *d, const char *name, const char *unit,
                             double v, bool is_parameter);
BP_INTERNAL void bp_say_text(bp_description *d, const char *name, const char *text,
                             bool is_parameter);

/* The typed functions of one sketch. T's handle is a bp_object; T's configuration must
 * begin with alloc and hash and end with reserved[4]. */
#define BP_SKETCH_IMPL(T)                                                                \
    _Static_assert(                                                                      \
        offsetof(bp_##T##_config, alloc) == 0 &&                                         \
            offsetof(bp_##T##_config, hash) == offsetof(bp_config_prefix, hash) &&       \
            offsetof(bp_##T##_config, reserved) + 32 == sizeof(bp_##T##_config),         \
        #T ": a configuration is alloc, hash, ..., reserved[4]");                        \
    bp_status bp_##T##_new(bp_##T **out, const bp_##T##_config *cfg, bp_detail *why)     \
    {                                                                                    \
        return bp_object_new((bp_object **)out, &bp_kind_##T, cfg, why);                 \
    }                                                                                    \
    size_t bp_##T##_footprint(const bp_##T##_config *cfg)                                \
    {                                                                                    \
        return bp_object_footprint(&bp_kind_##T, cfg);                                   \
    }                                                                                    \
    bp_status bp_##T##_place(bp_##T **out, void *mem, size_t cap,                        \
                             const bp_##T##_config *cfg, bp_detail *why)                 \
    {                                                                                    \
        return bp_object_place((bp_object **)out, &bp_kind_##T, mem, cap, cfg, why);     \
    }                                                                                    \
    bp_status bp_##T##_view(const bp_##T **out, const void *bytes, size_t n,             \
                            const bp_open *how, bp_detail *why)                          \
    {                                                                                    \
        return bp_object_view((const bp_object **)out, &bp_kind_##T, bytes, n, how,      \
                              why);                                                      \
    }                                                                                    \
    bp_status bp_##T##_decode(bp_##T **out, const void *bytes, size_t n,                 \
                              const bp_open *how, bp_detail *why)                        \
    {                                                                                    \
        return bp_object_decode((bp_object **)out, &bp_kind_##T, bytes, n, how, why);    \
    }                                                                                    \
    bp_status bp_##T##_encode(const bp_##T *s, void *buf, size_t cap, size_t *size,      \
                              bp_detail *why)                                            \
    {                                                                                    \
        return bp_object_encode((const bp_object *)s, buf, cap, size, why);              \
    }                                                                                    \
    bp_status bp_##T##_clone(bp_##T **out, const bp_##T *s, bp_detail *why)              \
    {                                                                                    \
        return bp_object_clone((bp_object **)out, (const bp_object *)s, why);            \
    }                                                                                    \
    void bp_##T##_reset(bp_##T *s)                                                       \
    {                                                                                    \
        bp_object_reset((bp_object *)s);                                                 \
    }                                                                                    \
    bp_status bp_##T##_merge(bp_##T *dst, const bp_##T *src, bp_detail *why)             \
    {                                                                                    \
        return bp_object_merge((bp_object *)dst, (const bp_object *)src, why);           \
    }                                                                                    \
    void bp_##T##_config_of(const bp_##T *s, bp_##T##_config *out)                       \
    {                                                                                    \
        bp_object_config_of((const bp_object *)s, out);                                  \
    }                                                                                    \
    void bp_##T##_describe(const bp_##T *s, bp_description *out)                         \
    {                                                                                    \
        bp_object_describe((const bp_object *)s, out);                                   \
    }                                                                                    \
    void bp_##T##_free(const bp_##T *s)                                                  \
    {                                                                                    \
        bp_object_free((const bp_object *)s);                                            \
    }                                                                                    \
    _Static_assert(1, "")

#endif
