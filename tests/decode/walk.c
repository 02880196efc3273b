/* SPDX-License-Identifier: MIT
 * walk.c - one string of bytes, given to decode and view. */
#include "decode/walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* fail_msg with the case and the change that led here. */
#define WALK_FAIL(w, ...)                                                                \
    do {                                                                                 \
        print_error("%s, %s:\n", bp_case_name((w)->c), (w)->doing);                      \
        fail_msg(__VA_ARGS__);                                                           \
    } while (0)

static void refusal_is_clean(const bp_walk *w, bp_status st, const bp_detail *why,
                             size_t n)
{
    if (st != BP_CORRUPT && st != BP_VERSION && st != BP_KIND && st != BP_MISMATCH)
        WALK_FAIL(w, "refused with \"%s\" (%s)", bp_status_text(st),
                  why->what ? why->what : "NULL");
    if (why->status != st || !why->what)
        WALK_FAIL(w, "the detail does not say why");
    if (why->at > n)
        WALK_FAIL(w, "\"%s\" at %" PRIu64 ", past the end at %zu", why->what, why->at, n);
}

/* Whatever decodes was written by an encode, but for optional flags that this version
 * does not know and drops. */
static void reencodes_to_itself(const bp_walk *w, const bp_any *s, const uint8_t *bytes,
                                size_t n)
{
    bp_buf have = bp_encoded(s);
    if (!bp_reencoded(have.p, have.n, bytes, n)) {
        size_t at = 0;
        while (at < have.n && at < n && have.p[at] == bytes[at])
            at++;
        WALK_FAIL(w, "decoded, but encodes to other bytes from %zu on (%zu, was %zu)", at,
                  have.n, n);
    }
    bp_buf_free(&have);
}

static void equal(const bp_walk *w, const char *what, const bp_any *a, const bp_any *b)
{
    bp_buf x = bp_encoded(a), y = bp_encoded(b);
    if (!bp_buf_equal(x, y))
        WALK_FAIL(w, "%s", what);
    bp_buf_free(&x);
    bp_buf_free(&y);
}

/* A few laws, on a sketch that no stream of ours made. */
static void keeps_the_laws(const bp_walk *w, bp_any *s)
{
    bp_test_config cfg;
    bp_description d;
    bp_estimate e;
    bp_any *clone, *sum = NULL, *fresh = NULL;
    bp_detail why = {BP_OK, "", 0, 0, 0};
    memset(&cfg, 0, sizeof cfg);
    bp_any_describe(s, &d);
    (void)bp_any_estimate(s, 0.95, &e, NULL);
    bp_any_config_of(s, &cfg);
    if (bp_any_clone(&clone, s, NULL))
        WALK_FAIL(w, "clone failed");
    equal(w, "a clone differs", clone, s);
    if (bp_any_new(&fresh, w->c->kind->id, &cfg, &why) ||
        bp_any_new(&sum, w->c->kind->id, &cfg, &why))
        WALK_FAIL(w, "new from its config_of: %s", why.what);
    bool merged;
    if (bp_merge_or_refuse(w->c, sum, s, &merged))
        WALK_FAIL(w, "merge into an empty one fails");
    if (merged)
        equal(w, "empty + s is not s", sum, s);
    if (bp_merge_or_refuse(w->c, s, clone, &merged))
        WALK_FAIL(w, "merge with a clone fails");
    if (!(w->c->kind->without & BP_WITHOUT_IDEMPOTENT))
        equal(w, "s + s is not s", clone, s);
    if (bp_add_range(s, 77, 20) || bp_add_range(clone, 77, 20))
        WALK_FAIL(w, "adding keys failed");
    bp_any_describe(s, &d);
    bp_any_reset(clone);
    equal(w, "reset is not new", clone, fresh);
    bp_any_free(clone);
    bp_any_free(sum);
    bp_any_free(fresh);
}

/* Asks an unverified view everything that a const handle answers. */
static void ask_view(bp_walk *w, const uint8_t *bytes, size_t n, uint32_t flags,
                     bp_status decoded)
{
    bp_test_alloc alloc = {0};
    bp_open how = bp_case_open(w->c, &alloc);
    const bp_any *v = NULL;
    bp_description d;
    bp_estimate e;
    bp_any *clone = NULL, *sum = NULL;
    bp_test_config cfg;
    how.flags = flags;
    memset(&cfg, 0, sizeof cfg);
    const bp_status st = bp_any_view(&v, bytes, n, &how, NULL);
    const bool has_view = !(w->c->kind->without & BP_WITHOUT_VIEW);
    if (flags && has_view && st != decoded)
        WALK_FAIL(w, "a verified view says \"%s\", decode \"%s\"", bp_status_text(st),
                  bp_status_text(decoded));
    if (!decoded && has_view && st)
        WALK_FAIL(w, "decodes, but is not viewed: \"%s\"", bp_status_text(st));
    if ((v != NULL) != (st == BP_OK))
        WALK_FAIL(w, "a refused view leaves a handle");
    if (v) {
        w->viewed += decoded != BP_OK;
        /* Solvers, which an emulator takes long for. */
        if (!bp_test_quick || w->tried % 16 == 0) {
            bp_any_describe(v, &d);
            (void)bp_any_estimate(v, 0.95, &e, NULL);
        }
        bp_any_config_of(v, &cfg);
        size_t size;
        if (bp_any_encode(v, NULL, 0, &size, NULL) == BP_OK) {
            uint8_t *room = (uint8_t *)malloc(size);
            (void)bp_any_encode(v, room, room ? size : 0, &size, NULL);
            free(room);
        }
        if (bp_any_clone(&clone, v, NULL) == BP_OK)
            (void)bp_add_range(clone, 5, 10);
        cfg.prefix.alloc = bp_test_allocator(&alloc);
        if (bp_any_new(&sum, w->c->kind->id, &cfg, NULL) == BP_OK)
            (void)bp_any_merge(sum, v, NULL);
        bp_any_free(clone);
        bp_any_free(sum);
        bp_any_free(v);
    }
    if (alloc.live || alloc.wrong_size)
        WALK_FAIL(w, "a view left %zu bytes behind", alloc.live);
}

void bp_walk_try(bp_walk *w, const uint8_t *original, size_t n)
{
    bp_test_alloc alloc = {0};
    const bp_open how = bp_case_open(w->c, &alloc);
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    bp_buf b = bp_buf_copy(original, n); /* exactly n: ASan sees a byte too far */
    bp_any *s = (bp_any *)w;
    const bp_status st = bp_any_decode(&s, b.p, n, &how, &why);
    w->tried++;
    if (alloc.most > 16 * n + 16384)
        WALK_FAIL(w, "%zu bytes asked for to read %zu", alloc.most, n);
    if ((s != NULL) != (st == BP_OK))
        WALK_FAIL(w, "a refused decode leaves a handle");
    if (st) {
        refusal_is_clean(w, st, &why, n);
    } else {
        reencodes_to_itself(w, s, b.p, n);
        if (w->survived++ % 8 == 0)
            keeps_the_laws(w, s);
        bp_any_free(s);
    }
    ask_view(w, b.p, n, BP_OPEN_VERIFY, st);
    ask_view(w, b.p, n, 0, st);
    bp_buf_free(&b);
    if (alloc.live || alloc.wrong_size)
        WALK_FAIL(w, "decode left %zu bytes behind", alloc.live);
}

void bp_walk_try_repaired(bp_walk *w, const uint8_t *bytes, size_t n)
{
    bp_buf b = bp_buf_copy(bytes, n);
    bp_repair(b.p, n);
    bp_walk_try(w, b.p, n);
    bp_buf_free(&b);
}
