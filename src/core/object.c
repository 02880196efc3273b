/* SPDX-License-Identifier: MIT
 * object.c - the life of every sketch, driven by its bp_kind table.
 *
 * Everything that could differ by accident between sketches is here once: how memory
 * is taken and given back when something fails half way, what a failed call leaves
 * behind, in which order bytes are checked. A sketch supplies only its own maths. The
 * picture of handle, head and cells is in object.h. */
#include "core/object.h"

/* Heads and configurations are small; both are built on the stack first, so that a bad
 * configuration costs no allocation. */
enum { SCRATCH_WORDS = 64 };
typedef union scratch {
    uint64_t words[SCRATCH_WORDS];
    uint8_t bytes[SCRATCH_WORDS * 8];
    max_align_t align;
} scratch;

static bp_head *head_of(const bp_object *o)
{
    return (bp_head *)o->head;
}

/* What a filter's caller found out: of so many questions about strangers, so many were
 * answered yes. It stands behind the head, in filters alone: groups hold other sketches
 * by the million. */
typedef struct feedback {
    uint64_t strangers;
    uint64_t false_yes;
} feedback;

static size_t feedback_at(const bp_kind *k)
{
    return (size_t)bp_round_up(k->head_size, 8);
}

/* The head with what stands behind it. */
static size_t head_size(const bp_kind *k)
{
    return k->has_hashes ? feedback_at(k) + sizeof(feedback) : k->head_size;
}

static size_t head_room(const bp_kind *k)
{
    return (size_t)bp_round_up(head_size(k), 16);
}

/* NULL for kinds that are no filters. */
static feedback *feedback_of(const bp_kind *k, void *head)
{
    return k->has_hashes ? (feedback *)(void *)((uint8_t *)head + feedback_at(k)) : NULL;
}

/* ------------------------------------------------------------------ configuration */

/* reserved[4] are the last 32 bytes of every configuration: BP_SKETCH_IMPL asserts it. */
static bp_status check_reserved(const bp_kind *k, const void *cfg, bp_detail *why)
{
    const uint8_t *tail = (const uint8_t *)cfg + k->config_size - 32;
    for (int i = 0; i < 32; i++)
        if (tail[i])
            return bp_fail(why, BP_PARAM,
                           "a reserved configuration field is set: it is newer than this "
                           "library",
                           tail[i], 0);
    return BP_OK;
}

/* Checks cfg (NULL: all zero) and fills the head from it. */
static bp_status setup(const bp_kind *k, const void *cfg, scratch *head, bp_alloc *alloc,
                       bp_detail *why)
{
    static const scratch none;
    if (!cfg)
        cfg = &none;
    const bp_config_prefix *prefix = (const bp_config_prefix *)cfg;
    *alloc = bp_resolve(prefix->alloc);
    memset(head, 0, sizeof *head);
    bp_head *h = (bp_head *)(void *)head;
    h->hash = prefix->hash;
    if (h->hash.id == BP_HASH_DEFAULT)
        h->hash.id = BP_HASH_XXH3;
    bp_status st = check_reserved(k, cfg, why);
    if (!st)
        st = k->hashing->check(&h->hash, why);
    if (!st)
        st = k->setup(head, cfg, why);
    if (!st && k->cells_size(head) > SIZE_MAX / 4)
        st = bp_fail(why, BP_PARAM, "larger than this machine can address", 0, 0);
    return st;
}

void bp_object_config_of(const bp_object *o, void *cfg)
{
    memset(cfg, 0, o->kind->config_size);
    bp_config_prefix *prefix = (bp_config_prefix *)cfg;
    prefix->alloc = o->alloc;
    prefix->hash = head_of(o)->hash;
    o->kind->config(o->head, cfg);
}

/* ------------------------------------------------------------------------- memory */

static uint8_t *align_to(void *p, size_t to)
{
    uint8_t *b = (uint8_t *)p;
    return b + (to - ((uintptr_t)b & (to - 1))) % to;
}

/* Head and `cap` bytes of cells in one new block; cells are not cleared. */
static bool take_block(bp_object *o, const void *head, size_t cap)
{
    const size_t align = cap >= BP_ALIGN_FROM ? 64 : 16;
    const size_t room = head_room(o->kind);
    if (cap > SIZE_MAX / 2 - room)
        return false;
    o->block_size = room + cap + (align - 16);
    o->block = bp_allocate(&o->alloc, o->block_size);
    if (!o->block)
        return false;
    o->head = o->block;
    o->cells = align_to((uint8_t *)o->block + room, align);
    o->cells_cap = cap;
    memcpy(o->head, head, head_size(o->kind));
    return true;
}

/* A handle with a head and room for cells, both still to be filled by the caller. */
static bp_object *take(const bp_kind *k, const bp_alloc *alloc, const void *head,
                       size_t cells)
{
    bp_object *o = (bp_object *)bp_allocate(alloc, sizeof *o);
    if (!o)
        return NULL;
    *o = (bp_object){.kind = k, .alloc = *alloc, .form = BP_OWNED, .cells_size = cells};
    if (take_block(o, head, cells))
        return o;
    bp_release(alloc, o, sizeof *o);
    return NULL;
}

/* Gives back the memory alone; what a compound holds must be gone already. */
static void give_back(bp_object *o)
{
    const bp_alloc alloc = o->alloc;
    if (o->form == BP_PLACED)
        return;
    bp_release(&alloc, o->block, o->block_size);
    bp_release(&alloc, o, sizeof *o);
}

void bp_object_free(const bp_object *o)
{
    bp_object *mine = (bp_object *)o;
    if (!mine)
        return;
    if (mine->kind->fini)
        mine->kind->fini(mine);
    give_back(mine);
}

static bp_status no_memory(bp_detail *why, size_t n)
{
    return bp_fail(why, BP_NOMEM, "out of memory", 0, n);
}

bp_status bp_object_resize(bp_object *o, size_t size, bp_detail *why)
{
    if (size > o->cells_cap) {
        if (o->form != BP_OWNED)
            return bp_fail(why, BP_FULL, "no room left in the caller's memory",
                           o->cells_cap, size);
        bp_object grown = *o;
        if (!take_block(&grown, o->head, size))
            return no_memory(why, size);
        memcpy(grown.cells, o->cells, o->cells_size);
        bp_release(&o->alloc, o->block, o->block_size);
        *o = grown;
    }
    if (size > o->cells_size)
        memset(o->cells + o->cells_size, 0, size - o->cells_size);
    o->cells_size = size;
    return BP_OK;
}

void bp_object_trim(bp_object *o)
{
    bp_object trimmed = *o;
    if (o->form != BP_OWNED || o->cells_cap == o->cells_size ||
        !take_block(&trimmed, o->head, o->cells_size))
        return;
    memcpy(trimmed.cells, o->cells, o->cells_size);
    bp_release(&o->alloc, o->block, o->block_size);
    *o = trimmed;
}

/* Word by word: all state is at least 8-byte aligned and a relaxed load of a word that
 * another thread is adding to is defined. The last bytes go one by one. */
void bp_object_copy(const bp_object *o, void *dst, const void *src, size_t n)
{
    if (!head_of(o)->concurrent) {
        memcpy(dst, src, n);
        return;
    }
    const uint64_t *from = (const uint64_t *)src;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const uint64_t word = BP_LOAD_RELAXED(from + i / 8);
        memcpy((uint8_t *)dst + i, &word, 8);
    }
    for (; i < n; i++)
        ((uint8_t *)dst)[i] = BP_LOAD_RELAXED((const uint8_t *)src + i);
}

/* --------------------------------------------------------------------------- life */

static void start(bp_object *o)
{
    memset(o->cells, 0, o->cells_size);
    if (o->kind->start)
        o->kind->start(o);
}

bp_status bp_object_new(bp_object **out, const bp_kind *k, const void *cfg,
                        bp_detail *why)
{
    *out = NULL;
    scratch head;
    bp_alloc alloc;
    bp_status st = setup(k, cfg, &head, &alloc, why);
    if (st)
        return st;
    const size_t cells = k->cells_size(&head);
    bp_object *o = take(k, &alloc, &head, cells);
    if (!o)
        return no_memory(why, cells);
    start(o);
    if (k->begin) {
        st = k->begin(o, why);
        if (st) {
            give_back(o);
            return st;
        }
    }
    *out = o;
    return BP_OK;
}

static size_t cells_max(const bp_kind *k, const void *head)
{
    return k->cells_max ? k->cells_max(head) : k->cells_size(head);
}

size_t bp_object_footprint(const bp_kind *k, const void *cfg)
{
    scratch head;
    bp_alloc alloc;
    if (k->without_place || setup(k, cfg, &head, &alloc, NULL))
        return 0;
    const size_t cells = cells_max(k, &head);
    const size_t rest = 15 + sizeof(bp_object) + 16 + head_room(k) + 63;
    return cells > SIZE_MAX / 4 ? 0 : rest + cells;
}

bp_status bp_object_place(bp_object **out, const bp_kind *k, void *mem, size_t cap,
                          const void *cfg, bp_detail *why)
{
    *out = NULL;
    scratch head;
    bp_alloc alloc;
    if (k->without_place)
        return bp_fail(why, BP_UNSUPPORTED, "this kind grows without bound; use new", 0,
                       0);
    bp_status st = setup(k, cfg, &head, &alloc, why);
    if (st)
        return st;
    const size_t want = bp_object_footprint(k, cfg);
    if (want == 0 || cap < want)
        return bp_fail(why, BP_FULL, "the memory is smaller than footprint says", cap,
                       want);
    bp_object *o = (bp_object *)(void *)align_to(mem, 16);
    *o = (bp_object){.kind = k, .alloc = alloc, .form = BP_PLACED};
    o->head = align_to(o + 1, 16);
    o->cells = align_to((uint8_t *)o->head + head_room(k), 64);
    o->cells_cap = cells_max(k, &head);
    o->cells_size = k->cells_size(&head);
    memcpy(o->head, &head, head_size(k));
    start(o);
    *out = o;
    return BP_OK;
}

bp_status bp_object_clone(bp_object **out, const bp_object *o, bp_detail *why)
{
    *out = NULL;
    scratch head;
    bp_object_copy(o, &head, o->head, head_size(o->kind));
    bp_object *c = take(o->kind, &o->alloc, &head, o->cells_size);
    if (!c)
        return no_memory(why, o->cells_size);
    bp_object_copy(o, c->cells, o->cells, o->cells_size);
    if (o->kind->copy) {
        bp_status st = o->kind->copy(c, o, why);
        if (st) {
            give_back(c);
            return st;
        }
    }
    *out = c;
    return BP_OK;
}

/* As new, from its own configuration: that was accepted once, so nothing can fail. A
 * compound keeps its head, with the handles in it, and empties them itself. */
void bp_object_reset(bp_object *o)
{
    if (o->kind->clear) {
        o->kind->clear(o);
        bp_object_unreport(o);
        return;
    }
    scratch cfg, head;
    bp_alloc alloc;
    const bool keyless = head_of(o)->keyless;
    const bp_hash_spec hash = head_of(o)->hash;
    bp_object_config_of(o, &cfg);
    if (keyless)
        ((bp_config_prefix *)(void *)&cfg)->hash = (bp_hash_spec){0};
    if (setup(o->kind, &cfg, &head, &alloc, NULL) == BP_OK &&
        o->kind->cells_size(&head) <= o->cells_cap) {
        memcpy(o->head, &head, head_size(o->kind));
        o->cells_size = o->kind->cells_size(&head);
    }
    head_of(o)->hash = hash;
    head_of(o)->keyless = keyless;
    start(o);
}

/* ------------------------------------------------------------------------ merging */

/* What the envelope stores of the hash beside its id. */
static uint64_t stored_seed(const bp_object *o)
{
    const bp_head *h = head_of(o);
    if (!o->kind->hashing->is_keyed(h->hash.id) || h->keyless)
        return h->hash.seed;
    return o->kind->hashing->key_check(&h->hash);
}

bp_status bp_object_same(const bp_object *dst, const bp_object *src, bp_detail *why)
{
    if (dst->kind != src->kind)
        return bp_fail(why, BP_KIND, "the sketches are of different kinds", dst->kind->id,
                       src->kind->id);
    if (head_of(dst)->hash.id != head_of(src)->hash.id)
        return bp_fail(why, BP_MISMATCH, "the hashes differ", head_of(dst)->hash.id,
                       head_of(src)->hash.id);
    if (stored_seed(dst) != stored_seed(src))
        return bp_fail(why, BP_MISMATCH, "the hash seeds or keys differ",
                       stored_seed(dst), stored_seed(src));
    return dst->kind->same ? dst->kind->same(dst, src, why) : BP_OK;
}

bp_status bp_object_merge(bp_object *dst, const bp_object *src, bp_detail *why)
{
    bp_status st = bp_object_same(dst, src, why);
    if (!st && !dst->kind->merge)
        st = bp_fail(why, BP_UNSUPPORTED,
                     "this kind does not merge: build one from all the keys", 0, 0);
    if (!st)
        st = dst->kind->merge(dst, src, why);
    if (!st && dst != src)
        bp_object_unreport(dst);
    return st;
}

/* ----------------------------------------------------------------------- feedback */

/* Rates are of the filter as it was asked: one that was united with another, folded,
 * or built again, begins anew. */
void bp_object_unreport(bp_object *o)
{
    feedback *f = feedback_of(o->kind, o->head);
    if (f)
        *f = (feedback){0, 0};
}

bp_status bp_object_report(bp_object *o, uint64_t strangers, uint64_t false_yes,
                           bp_detail *why)
{
    feedback *f = feedback_of(o->kind, o->head);
    if (!f)
        return bp_fail(why, BP_UNSUPPORTED, "this kind does not say whether a key is in",
                       0, 0);
    if (false_yes > strangers)
        return bp_fail(why, BP_PARAM, "more false yes than questions about strangers",
                       false_yes, strangers);
    if (strangers > UINT64_MAX - f->strangers)
        return bp_fail(why, BP_PARAM, "more questions than 64 bits count", strangers,
                       UINT64_MAX - f->strangers);
    f->strangers += strangers;
    f->false_yes += false_yes;
    return BP_OK;
}

static void put_feedback(const bp_object *o, bp_envelope *e, bp_writer *w)
{
    const feedback *f = feedback_of(o->kind, o->head);
    if (!f || !f->strangers)
        return;
    e->optional |= BP_OPTIONAL_FEEDBACK;
    bp_put64(w, f->strangers);
    bp_put64(w, f->false_yes);
}

/* `at`: where the kind's own parameters end. */
static bp_status get_feedback(const bp_envelope *e, size_t at, feedback *f,
                              bp_detail *why)
{
    const size_t left = e->params_size - at;
    const bool alone = (e->optional & BP_OPTIONAL_WITH_PARAMS) == BP_OPTIONAL_FEEDBACK;
    if (left < BP_FEEDBACK_SIZE || (alone && left > BP_FEEDBACK_SIZE))
        return bp_fail_at(why, BP_CORRUPT, "feedback is 16 bytes of parameters", at, left,
                          BP_FEEDBACK_SIZE);
    const uint8_t *p = e->params + e->params_size - BP_FEEDBACK_SIZE;
    f->strangers = bp_load64(p);
    f->false_yes = bp_load64(p + 8);
    if (f->strangers == 0 || f->false_yes > f->strangers)
        return bp_fail_at(why, BP_CORRUPT, "more false yes than questions", at,
                          f->false_yes, f->strangers);
    return BP_OK;
}

/* -------------------------------------------------------------------------- bytes */

static bp_status payload_size(const bp_object *o, uint64_t *size, bp_detail *why)
{
    *size = o->cells_size;
    return o->kind->payload_size ? o->kind->payload_size(o, size, why) : BP_OK;
}

static bp_status put_payload(const bp_object *o, uint8_t *payload, size_t size,
                             bp_detail *why)
{
    if (o->kind->put_payload)
        return o->kind->put_payload(o, payload, size, why);
    bp_object_copy(o, payload, o->cells, size);
    return BP_OK;
}

/* All of the envelope but where the payload is; params has BP_ENVELOPE_PARAMS_MAX bytes.
 * *all: the encoded bytes. */
static bp_status seal_of(const bp_object *o, uint8_t *params, bp_envelope *e, size_t *all,
                         bp_detail *why)
{
    bp_writer w = bp_write(params, BP_ENVELOPE_PARAMS_MAX);
    *e = (bp_envelope){.kind = o->kind->id,
                       .rule = o->kind->rule,
                       .hash = head_of(o)->hash.id,
                       .seed = stored_seed(o),
                       .params = params};
    o->kind->put_params(o, &w);
    if (o->kind->flags)
        o->kind->flags(o, &e->required, &e->optional);
    put_feedback(o, e, &w);
    e->params_size = w.at;
    const bp_status st = payload_size(o, &e->payload_size, why);
    if (!st)
        *all = bp_envelope_size(e->params_size, e->payload_size);
    return st;
}

bp_status bp_object_encode(const bp_object *o, void *buf, size_t cap, size_t *size,
                           bp_detail *why)
{
    uint8_t params[BP_ENVELOPE_PARAMS_MAX];
    bp_envelope e;
    size_t all = 0;
    bp_status st = seal_of(o, params, &e, &all, why);
    if (st)
        return st;
    if (!buf || cap < all) {
        if (buf)
            return bp_fail(why, BP_FULL, "the buffer is too small", cap, all);
        *size = all;
        return BP_OK;
    }
    uint8_t *payload = (uint8_t *)buf + bp_envelope_header_size(e.params_size);
    st = put_payload(o, payload, (size_t)e.payload_size, why);
    if (st)
        return st;
    bp_envelope_seal(&e, (uint8_t *)buf);
    *size = all;
    return BP_OK;
}

bp_status bp_object_encode_part(const bp_object *o, uint64_t from, void *buf, size_t n,
                                bp_detail *why)
{
    uint8_t params[BP_ENVELOPE_PARAMS_MAX];
    bp_envelope e;
    size_t all = 0;
    if (o->kind->put_payload)
        return bp_fail(why, BP_UNSUPPORTED, "this kind is encoded as a whole", 0, 0);
    const bp_status st = seal_of(o, params, &e, &all, why);
    if (st)
        return st;
    if (from > all || n > all - from)
        return bp_fail(why, BP_PARAM, "the part ends past the encoded bytes", n,
                       from > all ? 0 : all - from);
    e.payload = o->cells;
    bp_envelope_part(&e, from, (uint8_t *)buf, n);
    return BP_OK;
}

/* The hash a sketch was made with, from its envelope and the caller's key. */
static bp_status open_hash(const bp_kind *k, const bp_envelope *e, const bp_open *how,
                           bp_head *head, bp_detail *why)
{
    head->hash.id = e->hash;
    if (!k->hashing->is_known(e->hash))
        return bp_fail_at(why, BP_VERSION, "a hash this version does not know", 20,
                          e->hash, 0);
    if (!k->hashing->is_keyed(e->hash)) {
        head->hash.seed = e->seed;
        if (k->hashing->check(&head->hash, NULL))
            return bp_fail_at(why, BP_CORRUPT, "a seed its hash cannot have", 24, e->seed,
                              0);
        return BP_OK;
    }
    if (how->key) {
        memcpy(head->hash.key, how->key, sizeof head->hash.key);
        const uint64_t check = k->hashing->key_check(&head->hash);
        if (check != e->seed)
            return bp_fail_at(why, BP_MISMATCH, "made with another secret key", 24, check,
                              e->seed);
        return BP_OK;
    }
    if (!(how->flags & BP_OPEN_KEYLESS))
        return bp_fail_at(why, BP_MISMATCH, "made with a secret key, which is needed", 24,
                          0, e->seed);
    head->keyless = true;
    head->hash.seed = e->seed;
    return BP_OK;
}

static bp_status open_params(const bp_kind *k, const bp_envelope *e, scratch *head,
                             bp_detail *why)
{
    bp_reader r = bp_read(e->params, e->params_size);
    bp_detail own = {BP_OK, NULL, 0, 0, 0};
    bp_status st = k->get_params(head, &r, e, &own);
    if (!st && r.short_)
        st = bp_fail_at(&own, BP_CORRUPT, "parameters are cut short", r.n, r.n, 0);
    if (!st && bp_left(&r) && !(e->optional & BP_OPTIONAL_WITH_PARAMS))
        st = bp_fail_at(&own, BP_CORRUPT, "more parameters than the kind has", r.at, r.n,
                        r.at);
    if (!st && k->has_hashes && e->optional & BP_OPTIONAL_FEEDBACK)
        st = get_feedback(e, r.at, feedback_of(k, head), &own);
    if (st && why) {
        *why = own;
        why->at += BP_ENVELOPE_FIXED;
    }
    return st;
}

static bp_status check_open(const bp_open *how, bp_detail *why)
{
    if (how->reserved32 || how->reserved[0] || how->reserved[1] ||
        how->flags & ~(uint32_t)(BP_OPEN_VERIFY | BP_OPEN_KEYLESS))
        return bp_fail(why, BP_PARAM, "an option newer than this library", how->flags, 0);
    return BP_OK;
}

/* Everything before the payload: the envelope, and the head it describes. */
static bp_status open_header(const bp_kind *k, const void *bytes, size_t n,
                             const bp_open *how, bp_envelope *e, scratch *head,
                             bp_detail *why)
{
    memset(head, 0, sizeof *head);
    bp_status st = check_open(how, why);
    if (!st)
        st = bp_envelope_open(e, bytes, n, true, why);
    if (st)
        return st;
    if (e->kind != k->id)
        return bp_fail_at(why, BP_KIND, "another kind of sketch", 10, e->kind, k->id);
    if (e->required & ~k->required_known)
        return bp_fail_at(why, BP_VERSION, "uses a feature this version does not know",
                          12, e->required, k->required_known);
    if (e->rule != k->rule)
        return bp_fail_at(why, BP_VERSION,
                          "takes positions from the hash in a way this version does not "
                          "know",
                          22, e->rule, k->rule);
    st = open_hash(k, e, how, (bp_head *)(void *)head, why);
    return st ? st : open_params(k, e, head, why);
}

static bp_status check_payload(const bp_kind *k, const bp_envelope *e, const void *head,
                               bp_detail *why)
{
    bp_status st = bp_envelope_verify(e, why);
    if (st || !k->check_payload)
        return st;
    bp_detail own = {BP_OK, NULL, 0, 0, 0};
    st = k->check_payload(head, e->payload, (size_t)e->payload_size, &own);
    if (st && why) {
        *why = own;
        why->at += e->payload_at;
    }
    return st;
}

static bp_open open_options(const bp_open *how)
{
    bp_open o = how ? *how : (bp_open){.flags = 0};
    o.alloc = bp_resolve(o.alloc);
    return o;
}

bp_status bp_object_decode(bp_object **out, const bp_kind *k, const void *bytes, size_t n,
                           const bp_open *how, bp_detail *why)
{
    *out = NULL;
    bp_envelope e;
    scratch head;
    const bp_open with = open_options(how);
    bp_status st = open_header(k, bytes, n, &with, &e, &head, why);
    if (!st)
        st = check_payload(k, &e, &head, why);
    if (st)
        return st;
    const size_t cells = k->get_payload ? 0 : (size_t)e.payload_size;
    bp_object *o = take(k, &with.alloc, &head, cells);
    if (!o)
        return no_memory(why, cells);
    if (k->get_payload)
        st = k->get_payload(o, e.payload, (size_t)e.payload_size, why);
    else
        memcpy(o->cells, e.payload, cells);
    if (st) {
        if (why && st != BP_NOMEM)
            why->at += e.payload_at;
        bp_object_free(o);
        return st;
    }
    *out = o;
    return BP_OK;
}

bp_status bp_object_view(const bp_object **out, const bp_kind *k, const void *bytes,
                         size_t n, const bp_open *how, bp_detail *why)
{
    *out = NULL;
    bp_envelope e;
    scratch head;
    const bp_open with = open_options(how);
    bp_status st = open_header(k, bytes, n, &with, &e, &head, why);
    if (!st && k->without_view)
        st = bp_fail(why, BP_UNSUPPORTED, "this kind cannot be viewed; decode it", 0, 0);
    if (!st && with.flags & BP_OPEN_VERIFY)
        st = check_payload(k, &e, &head, why);
    if (st)
        return st;
    bp_object *o = take(k, &with.alloc, &head, 0);
    if (!o)
        return no_memory(why, sizeof *o);
    o->form = BP_VIEW;
    o->cells = (uint8_t *)e.payload;
    o->cells_size = o->cells_cap = (size_t)e.payload_size;
    if (k->open_view) {
        st = k->open_view(o, &with, why);
        if (st) {
            if (why && st != BP_NOMEM)
                why->at += e.payload_at;
            bp_object_free(o);
            return st;
        }
    }
    *out = o;
    return BP_OK;
}

/* ------------------------------------------------------------------- describing */

static bp_figure *say(bp_description *d, const char *name, const char *unit,
                      bool is_parameter)
{
    size_t i = 0;
    while (i < d->count && strcmp(d->figures[i].name, name) != 0)
        i++;
    if (i == BP_FIGURES_MAX)
        return &d->figures[BP_FIGURES_MAX - 1]; /* a test holds every kind below this */
    if (i == d->count)
        d->count++;
    d->figures[i] = (bp_figure){.name = name, .unit = unit, .is_parameter = is_parameter};
    return &d->figures[i];
}

void bp_say_whole(bp_description *d, const char *name, const char *unit, uint64_t v,
                  bool is_parameter)
{
    bp_figure *f = say(d, name, unit, is_parameter);
    f->type = BP_FIGURE_WHOLE;
    f->whole = v;
}

void bp_say_real(bp_description *d, const char *name, const char *unit, double v,
                 bool is_parameter)
{
    bp_figure *f = say(d, name, unit, is_parameter);
    f->type = BP_FIGURE_REAL;
    f->real = v;
}

void bp_say_text(bp_description *d, const char *name, const char *text, bool is_parameter)
{
    bp_figure *f = say(d, name, "", is_parameter);
    f->type = BP_FIGURE_TEXT;
    f->text = text;
}

static void describe_feedback(const bp_object *o, bp_description *out)
{
    const feedback *f = feedback_of(o->kind, o->head);
    if (!f || !f->strangers)
        return;
    bp_say_real(out, "fpr_measured", "fraction",
                (double)f->false_yes / (double)f->strangers, false);
    bp_say_whole(out, "strangers_asked", "items", f->strangers, false);
    bp_say_whole(out, "strangers_yes", "items", f->false_yes, false);
}

void bp_object_describe(const bp_object *o, bp_description *out)
{
    memset(out, 0, sizeof *out);
    out->advice = "";
    const bp_head *h = head_of(o);
    bp_say_text(out, "kind", o->kind->name, true);
    bp_say_text(out, "hash", o->kind->hashing->name(h->hash.id), true);
    bp_say_whole(out, o->kind->hashing->is_keyed(h->hash.id) ? "key_check" : "seed", "",
                 stored_seed(o), true);
    const size_t placed = o->form == BP_PLACED ? head_room(o->kind) + o->cells_cap : 0;
    bp_say_whole(out, "memory", "bytes", sizeof *o + o->block_size + placed, false);
    o->kind->describe(o, out);
    describe_feedback(o, out);
}
