/* SPDX-License-Identifier: MIT
 * harness.c - the parts that every harness over the registry is made of. */
#include "harness.h"
#include "keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ------------------------------------------------------------------- the allocator */

enum { BEFORE = 32 }; /* room for the size in front of each block, keeping alignment */

static void give_back(bp_test_alloc *a, uint8_t *p)
{
    size_t n;
    memcpy(&n, p - BEFORE, sizeof n);
    a->live -= n;
    memset(p - BEFORE, 0xDD, BEFORE + n);
    free(p - BEFORE);
}

static bool says_no(bp_test_alloc *a, size_t n)
{
    a->asks++;
    a->most = n > a->most ? n : a->most;
    if (a->fail_at == 0 || a->asks < a->fail_at ||
        (a->asks > a->fail_at && !a->fail_after))
        return false;
    a->failed++;
    return true;
}

static void *test_resize(void *ctx, void *p, size_t old_size, size_t new_size)
{
    bp_test_alloc *a = (bp_test_alloc *)ctx;
    uint8_t *old = (uint8_t *)p;
    size_t have = 0;
    if (old)
        memcpy(&have, old - BEFORE, sizeof have);
    a->wrong_size += have != old_size;
    if (new_size == 0) {
        if (old)
            give_back(a, old);
        return NULL;
    }
    if (says_no(a, new_size) || new_size > SIZE_MAX / 2)
        return NULL;
    uint8_t *fresh = (uint8_t *)malloc(BEFORE + new_size);
    if (!fresh)
        return NULL;
    fresh += BEFORE;
    memcpy(fresh - BEFORE, &new_size, sizeof new_size);
    memset(fresh, 0xA5, new_size);
    a->live += new_size;
    a->peak = a->live > a->peak ? a->live : a->peak;
    if (old) {
        memcpy(fresh, old, have < new_size ? have : new_size);
        give_back(a, old);
    }
    return fresh;
}

bp_alloc bp_test_allocator(bp_test_alloc *a)
{
    return (bp_alloc){test_resize, a};
}

void bp_test_fail(bp_test_alloc *a, uint64_t n, bool after)
{
    a->fail_at = n ? a->asks + n : 0;
    a->fail_after = after;
    a->failed = 0;
}

void bp_test_alloc_done(const bp_test_alloc *a)
{
    if (a->wrong_size)
        fail_msg("%" PRIu64 " calls with a wrong old_size", a->wrong_size);
    if (a->live)
        fail_msg("%zu bytes are still live", a->live);
}

/* ----------------------------------------------------------------------- the cases */

#define BP_SKETCH(id, name, room, family, without, why)                                  \
    BP_INTERNAL extern const bp_kind bp_kind_##name;
#include "sketches.def"
#undef BP_SKETCH

static const struct kind_entry {
    const char *name;
    const char *folder;
    const bp_kind *table;
} kinds[] = {
#define BP_SKETCH(id, name, room, family, without, why)                                  \
    {#name, "src/" #room "/" #name, &bp_kind_##name},
#include "sketches.def"
#undef BP_SKETCH
};

static const struct kind_entry *entry(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    fail_msg("there is no kind %s", name);
    return NULL;
}

const char *bp_kind_folder(const char *name)
{
    return entry(name)->folder;
}

bool bp_case_at(const char *kind, size_t i, bp_case *out)
{
    const bp_suite *suite = bp_suite_by_name(kind);
    for (size_t s = 0; suite && s < suite->sample_count; s++) {
        const bp_sample *sample = &suite->samples[s];
        *out = (bp_case){bp_any_kind_by_name(kind), entry(kind)->table, sample, 0};
        if (i-- == 0)
            return true;
        for (size_t f = 0; f < 8 && sample->fills[f]; f++) {
            out->fill = sample->fills[f];
            if (i-- == 0)
                return true;
        }
    }
    return false;
}

const char *bp_case_name(const bp_case *c)
{
    static char name[256];
    snprintf(name, sizeof name, "%s/%s-%u", c->kind->name, c->sample->name,
             (unsigned)c->fill);
    return name;
}

bp_test_config bp_case_config(const bp_case *c, bp_test_alloc *alloc)
{
    bp_test_config cfg;
    memset(&cfg, 0, sizeof cfg);
    if (c->table->config_size > sizeof cfg)
        fail_msg("%s: a configuration larger than this harness has room for",
                 c->kind->name);
    if (c->sample->config)
        memcpy(&cfg, c->sample->config, c->table->config_size);
    if (alloc)
        cfg.prefix.alloc = bp_test_allocator(alloc);
    return cfg;
}

bool bp_is_keyed(const bp_hash_spec *hash)
{
    return hash->id == BP_HASH_SIPHASH24;
}

void bp_other_seed(bp_hash_spec *hash)
{
    if (bp_is_keyed(hash))
        hash->key[3] ^= 1;
    else
        hash->seed ^= 1;
}

bp_open bp_case_open(const bp_case *c, bp_test_alloc *alloc)
{
    const bp_config_prefix *cfg = (const bp_config_prefix *)c->sample->config;
    bp_open how = {.flags = 0};
    if (cfg && bp_is_keyed(&cfg->hash))
        how.key = cfg->hash.key;
    if (alloc)
        how.alloc = bp_test_allocator(alloc);
    return how;
}

/* ---------------------------------------------------------------- sketches and bytes */

void bp_expect(const bp_case *c, const char *what, bp_status have, bp_status want)
{
    if (have != want)
        fail_msg("%s: %s: \"%s\", expected \"%s\"", bp_case_name(c), what,
                 bp_status_text(have), bp_status_text(want));
}

bp_any *bp_make_empty(const bp_case *c, bp_test_alloc *alloc)
{
    const bp_test_config cfg = bp_case_config(c, alloc);
    bp_detail why = {BP_OK, "", 0, 0, 0};
    bp_any *s;
    if (bp_any_new(&s, c->kind->id, &cfg, &why))
        fail_msg("%s: new: %s", bp_case_name(c), why.what);
    return s;
}

static bool is_built(const bp_any *s)
{
    return bp_any_kind(s)->without & BP_WITHOUT_ADD;
}

bp_status bp_take_keys(bp_any *s, const bp_bytes *keys, size_t n)
{
    return is_built(s) ? bp_any_build(s, keys, n, NULL) : bp_any_add_n(s, keys, n, NULL);
}

bp_status bp_take_hashes(bp_any *s, const uint64_t *hashes, size_t n)
{
    return is_built(s) ? bp_any_build_hashes(s, hashes, n, NULL)
                       : bp_any_add_hashes(s, hashes, n, NULL);
}

static bp_status build_range(bp_any *s, uint64_t first, size_t n)
{
    uint8_t(*bytes)[8] = malloc(8 * n + 8);
    bp_bytes *keys = malloc(sizeof *keys * n + 8);
    if (!bytes || !keys)
        fail_msg("the test is out of memory");
    bp_test_keys(first, n, bytes, keys);
    const bp_status st = bp_any_build(s, keys, n, NULL);
    free(bytes);
    free(keys);
    return st;
}

bp_status bp_merge_or_refuse(const bp_case *c, bp_any *dst, const bp_any *src,
                             bool *merged)
{
    *merged = !(c->kind->without & BP_WITHOUT_MERGE);
    if (*merged)
        return bp_any_merge(dst, src, NULL);
    bp_buf before = bp_encoded(dst);
    bp_expect(c, "merge", bp_any_merge(dst, src, NULL), BP_UNSUPPORTED);
    bp_buf after = bp_encoded(dst);
    bp_same_bytes(c, "after a refused merge", after, before);
    bp_buf_free(&before);
    bp_buf_free(&after);
    return BP_OK;
}

bp_status bp_add_range(bp_any *s, uint64_t first, size_t n)
{
    if (is_built(s))
        return build_range(s, first, n);
    enum { BATCH = 1000 };
    uint8_t bytes[BATCH][8];
    bp_bytes keys[BATCH];
    bp_status st = BP_OK;
    for (size_t i = 0; i < n && !st; i += BATCH) {
        const size_t m = n - i < BATCH ? n - i : BATCH;
        bp_test_keys(first + i, m, bytes, keys);
        st = bp_any_add_n(s, keys, m, NULL);
    }
    return st;
}

bp_any *bp_make_range(const bp_case *c, bp_test_alloc *alloc, uint64_t first, size_t n)
{
    bp_any *s = bp_make_empty(c, alloc);
    bp_expect(c, "add_n", bp_add_range(s, first, n), BP_OK);
    return s;
}

bp_any *bp_make(const bp_case *c, bp_test_alloc *alloc)
{
    return bp_make_range(c, alloc, 0, c->fill);
}

bp_buf bp_buf_copy(const void *p, size_t n)
{
    bp_buf b = {(uint8_t *)malloc(n ? n : 1), n};
    if (!b.p)
        fail_msg("the test is out of memory (%zu bytes)", n);
    if (n)
        memcpy(b.p, p, n);
    return b;
}

void bp_buf_free(bp_buf *b)
{
    free(b->p);
    *b = (bp_buf){NULL, 0};
}

bool bp_buf_equal(bp_buf a, bp_buf b)
{
    return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

bp_buf bp_encoded(const bp_any *s)
{
    bp_detail why = {BP_OK, "", 0, 0, 0};
    size_t size = 0, again = 0;
    if (bp_any_encode(s, NULL, 0, &size, &why))
        fail_msg("encode: %s", why.what);
    /* Exactly the size, so that a byte too many is seen by ASan. */
    bp_buf b = {(uint8_t *)malloc(size), size};
    if (!b.p)
        fail_msg("the test is out of memory (%zu bytes)", size);
    memset(b.p, 0x5A, size);
    if (bp_any_encode(s, b.p, size, &again, &why))
        fail_msg("encode: %s", why.what);
    if (again != size)
        fail_msg("encode first said %zu bytes, then %zu", size, again);
    return b;
}

void bp_same_bytes(const bp_case *c, const char *what, bp_buf have, bp_buf want)
{
    size_t at = 0;
    while (at < have.n && at < want.n && have.p[at] == want.p[at])
        at++;
    if (at < have.n || at < want.n)
        fail_msg("%s: %s: %zu bytes, expected %zu; the first difference is at %zu",
                 bp_case_name(c), what, have.n, want.n, at);
}

void bp_same(const bp_case *c, const char *what, const bp_any *have, const bp_any *want)
{
    bp_buf a = bp_encoded(have), b = bp_encoded(want);
    bp_same_bytes(c, what, a, b);
    bp_buf_free(&a);
    bp_buf_free(&b);
}
