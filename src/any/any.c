/* SPDX-License-Identifier: MIT
 * any.c - a sketch of unknown kind: the only room that knows all kinds, from the one
 * list in sketches.def. Everything it does is a look-up and a call. */
#include "core/object.h"

#include <ballpark/any.h>

#define BP_SKETCH(id, name, room, family, without, why)                                  \
    BP_INTERNAL extern const bp_kind bp_kind_##name;
#include "sketches.def"
#undef BP_SKETCH

typedef struct entry {
    bp_kind_info info;
    const bp_kind *kind;
} entry;

static const entry kinds[] = {
#define BP_SKETCH(id, name, room, family, without, why)                                  \
    {{id, BP_FAMILY_##family, #name, without, 0, why}, &bp_kind_##name},
#include "sketches.def"
#undef BP_SKETCH
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static const entry *by_id(uint32_t id)
{
    for (size_t i = 0; i < KINDS; i++)
        if (kinds[i].info.id == id)
            return &kinds[i];
    return NULL;
}

/* The kind's table, or NULL and a reason. */
static const bp_kind *kind_of(uint32_t id, bp_detail *why)
{
    const entry *e = by_id(id);
    if (!e)
        bp_fail(why, BP_KIND, "a kind of sketch this version does not know", id, 0);
    return e ? e->kind : NULL;
}

const bp_kind_info *bp_any_kind_at(size_t i)
{
    return i < KINDS ? &kinds[i].info : NULL;
}

const bp_kind_info *bp_any_kind_by_id(uint32_t id)
{
    const entry *e = by_id(id);
    return e ? &e->info : NULL;
}

const bp_kind_info *bp_any_kind_by_name(const char *name)
{
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].info.name, name) == 0)
            return &kinds[i].info;
    return NULL;
}

const bp_kind_info *bp_any_kind(const bp_any *s)
{
    return bp_any_kind_by_id(((const bp_object *)s)->kind->id);
}

bp_status bp_any_peek(const void *bytes, size_t n, const bp_kind_info **kind,
                      uint64_t *size, bp_detail *why)
{
    bp_envelope e;
    bp_status st = bp_envelope_open(&e, bytes, n, false, why);
    if (st)
        return st;
    const bp_kind_info *info = bp_any_kind_by_id(e.kind);
    if (!info)
        return bp_fail_at(why, BP_KIND, "a kind of sketch this version does not know", 10,
                          e.kind, 0);
    if (kind)
        *kind = info;
    if (size)
        *size = bp_envelope_size(e.params_size, e.payload_size);
    return BP_OK;
}

bp_status bp_any_payload(const void *bytes, size_t n, uint64_t *at, uint64_t *size,
                         bp_detail *why)
{
    bp_envelope e;
    const bp_status st = bp_envelope_open(&e, bytes, n, true, why);
    if (st)
        return st;
    *at = e.payload_at;
    *size = e.payload_size;
    return BP_OK;
}

bp_status bp_any_verify_block(const void *bytes, size_t n, uint64_t block, bp_detail *why)
{
    bp_envelope e;
    const bp_status st = bp_envelope_open(&e, bytes, n, true, why);
    return st ? st : bp_envelope_verify_block(&e, block, why);
}

bp_status bp_any_new(bp_any **out, uint32_t kind_id, const void *cfg, bp_detail *why)
{
    const bp_kind *k = kind_of(kind_id, why);
    *out = NULL;
    return k ? bp_object_new((bp_object **)out, k, cfg, why) : BP_KIND;
}

size_t bp_any_footprint(uint32_t kind_id, const void *cfg)
{
    const bp_kind *k = kind_of(kind_id, NULL);
    return k ? bp_object_footprint(k, cfg) : 0;
}

bp_status bp_any_place(bp_any **out, uint32_t kind_id, void *mem, size_t cap,
                       const void *cfg, bp_detail *why)
{
    const bp_kind *k = kind_of(kind_id, why);
    *out = NULL;
    return k ? bp_object_place((bp_object **)out, k, mem, cap, cfg, why) : BP_KIND;
}

/* The kind that bytes say they are. */
static bp_status kind_inside(const bp_kind **k, const void *bytes, size_t n,
                             bp_detail *why)
{
    const bp_kind_info *info = NULL;
    bp_status st = bp_any_peek(bytes, n, &info, NULL, why);
    if (!st)
        *k = by_id(info->id)->kind;
    return st;
}

bp_status bp_any_view(const bp_any **out, const void *bytes, size_t n, const bp_open *how,
                      bp_detail *why)
{
    const bp_kind *k = NULL;
    *out = NULL;
    bp_status st = kind_inside(&k, bytes, n, why);
    return st ? st : bp_object_view((const bp_object **)out, k, bytes, n, how, why);
}

bp_status bp_any_decode(bp_any **out, const void *bytes, size_t n, const bp_open *how,
                        bp_detail *why)
{
    const bp_kind *k = NULL;
    *out = NULL;
    bp_status st = kind_inside(&k, bytes, n, why);
    return st ? st : bp_object_decode((bp_object **)out, k, bytes, n, how, why);
}

bp_status bp_any_encode(const bp_any *s, void *buf, size_t cap, size_t *size,
                        bp_detail *why)
{
    return bp_object_encode((const bp_object *)s, buf, cap, size, why);
}

bp_status bp_any_encode_part(const bp_any *s, uint64_t from, void *buf, size_t n,
                             bp_detail *why)
{
    return bp_object_encode_part((const bp_object *)s, from, buf, n, why);
}

bp_status bp_any_clone(bp_any **out, const bp_any *s, bp_detail *why)
{
    return bp_object_clone((bp_object **)out, (const bp_object *)s, why);
}

void bp_any_reset(bp_any *s)
{
    bp_object_reset((bp_object *)s);
}

bp_status bp_any_merge(bp_any *dst, const bp_any *src, bp_detail *why)
{
    return bp_object_merge((bp_object *)dst, (const bp_object *)src, why);
}

void bp_any_config_of(const bp_any *s, void *cfg)
{
    bp_object_config_of((const bp_object *)s, cfg);
}

void bp_any_describe(const bp_any *s, bp_description *out)
{
    bp_object_describe((const bp_object *)s, out);
}

void bp_any_free(const bp_any *s)
{
    bp_object_free((const bp_object *)s);
}

static bp_status is_built(bp_detail *why)
{
    return bp_fail(why, BP_UNSUPPORTED,
                   "this kind is built from all its keys at once, not added to", 0, 0);
}

static bp_status is_added_to(bp_detail *why)
{
    return bp_fail(why, BP_UNSUPPORTED, "this kind is added to, not built", 0, 0);
}

bp_status bp_any_build(bp_any *s, const bp_bytes *keys, size_t n, bp_detail *why)
{
    bp_object *o = (bp_object *)s;
    return o->kind->build ? o->kind->build(o, keys, n, why) : is_added_to(why);
}

bp_status bp_any_build_hashes(bp_any *s, const uint64_t *hashes, size_t n, bp_detail *why)
{
    bp_object *o = (bp_object *)s;
    return o->kind->build_hashes ? o->kind->build_hashes(o, hashes, n, why)
                                 : is_added_to(why);
}

bp_status bp_any_add_n(bp_any *s, const bp_bytes *keys, size_t n, bp_detail *why)
{
    bp_object *o = (bp_object *)s;
    return o->kind->add_n ? o->kind->add_n(o, keys, n, why) : is_built(why);
}

bp_status bp_any_add_hashes(bp_any *s, const uint64_t *hashes, size_t n, bp_detail *why)
{
    bp_object *o = (bp_object *)s;
    if (!o->kind->add_n)
        return is_built(why);
    if (!o->kind->add_hashes)
        return bp_fail(why, BP_UNSUPPORTED, "this kind needs the keys, not their hashes",
                       0, 0);
    return o->kind->add_hashes(o, hashes, n, why);
}

bp_status bp_any_estimate(const bp_any *s, double confidence, bp_estimate *out,
                          bp_detail *why)
{
    const bp_object *o = (const bp_object *)s;
    if (!o->kind->estimate)
        return bp_fail(why, BP_UNSUPPORTED, "this kind has no single headline number", 0,
                       0);
    return o->kind->estimate(o, confidence, out, why);
}
