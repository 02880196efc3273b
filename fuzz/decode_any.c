/* SPDX-License-Identifier: MIT
 * decode_any.c - any bytes, given to the decoder of whatever kind they say they are.
 *
 * Twice: as they are, and with their checksums repaired, so that the decoder behind the
 * checksums is what is fuzzed. What decodes must re-encode to itself and do everything a
 * sketch does; what does not must fail with an offset inside the bytes. Unverified views
 * of the bytes are asked too. Violations abort.
 *
 *     make fuzz S=600               libFuzzer, address and undefined sanitizers
 *     fuzz_replay FILE | FOLDER...  the same without libFuzzer, see replay.c */
#include "repair.h"

#include <ballpark/ballpark.h>

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "violated: %s\n", what);
    abort();
}

static const bp_open keyless = {.flags = BP_OPEN_KEYLESS};

/* A configuration of any kind. */
typedef union config {
    uint8_t bytes[512];
    uint64_t align;
} config;

static void same_bytes(const bp_any *a, const bp_any *b, const char *what)
{
    size_t n = 0, m = 0;
    must(bp_any_encode(a, NULL, 0, &n, NULL) == BP_OK, "encode says its size");
    must(bp_any_encode(b, NULL, 0, &m, NULL) == BP_OK, "encode says its size");
    must(n == m, what);
    uint8_t *p = (uint8_t *)malloc(n), *q = (uint8_t *)malloc(n);
    if (p && q) {
        must(bp_any_encode(a, p, n, &n, NULL) == BP_OK, "encode");
        must(bp_any_encode(b, q, n, &n, NULL) == BP_OK, "encode");
        must(memcmp(p, q, n) == 0, what);
    }
    free(p);
    free(q);
}

static void reencodes(const bp_any *s, const uint8_t *data, size_t size)
{
    size_t n = 0;
    must(bp_any_encode(s, NULL, 0, &n, NULL) == BP_OK, "encode says its size");
    uint8_t *have = (uint8_t *)malloc(n);
    if (have) {
        must(bp_any_encode(s, have, n, &n, NULL) == BP_OK, "encode");
        must(bp_reencoded(have, n, data, size), "what decodes re-encodes to itself");
    }
    free(have);
}

static void ask(const bp_any *s)
{
    bp_description d;
    bp_estimate e;
    bp_any_describe(s, &d);
    must(d.count > 0 && d.count <= BP_FIGURES_MAX, "describe says something");
    (void)bp_any_estimate(s, 0.95, &e, NULL);
}

/* BP_FULL: a filter of fixed capacity has no room for all the keys of both. */
static void merge(bp_any *dst, const bp_any *src)
{
    const bool offered = !(bp_any_kind(dst)->without & BP_WITHOUT_MERGE);
    const bp_status st = bp_any_merge(dst, src, NULL);
    must(offered ? st == BP_OK || st == BP_FULL : st == BP_UNSUPPORTED, "merge");
}

static void use(bp_any *s)
{
    static const bp_bytes keys[] = {
        {"a", 1}, {"", 0}, {"some longer key, 27 bytes..", 27}};
    bp_any *clone = NULL, *fresh = NULL;
    config cfg;
    memset(&cfg, 0, sizeof cfg);
    ask(s);
    must(bp_any_clone(&clone, s, NULL) == BP_OK, "clone");
    same_bytes(clone, s, "a clone is equal");
    merge(s, s);
    merge(clone, s);
    (void)(bp_any_kind(s)->without & BP_WITHOUT_ADD ? bp_any_build(s, keys, 3, NULL)
                                                    : bp_any_add_n(s, keys, 3, NULL));
    ask(s);
    bp_any_config_of(clone, &cfg);
    if (bp_any_new(&fresh, bp_any_kind(s)->id, &cfg, NULL) == BP_OK) {
        bp_any_reset(clone);
        /* A keyless one keeps its check value, a new one has none. */
        const bool keyed =
            ((const bp_hash_spec *)(const void *)(cfg.bytes + sizeof(bp_alloc)))->id ==
            BP_HASH_SIPHASH24;
        if (!keyed)
            same_bytes(clone, fresh, "reset is new");
    }
    bp_any_free(fresh);
    bp_any_free(clone);
}

static void view(const uint8_t *data, size_t size)
{
    const bp_any *v = NULL;
    bp_any *clone = NULL;
    size_t n = 0;
    if (bp_any_view(&v, data, size, &keyless, NULL))
        return;
    ask(v);
    if (bp_any_encode(v, NULL, 0, &n, NULL) == BP_OK) {
        uint8_t *p = (uint8_t *)malloc(n);
        if (p)
            (void)bp_any_encode(v, p, n, &n, NULL);
        free(p);
    }
    if (bp_any_clone(&clone, v, NULL) == BP_OK)
        (void)bp_any_merge(clone, v, NULL);
    bp_any_free(clone);
    bp_any_free(v);
}

static void once(const uint8_t *data, size_t size)
{
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    bp_any *s = NULL;
    const bp_status st = bp_any_decode(&s, data, size, &keyless, &why);
    must((st == BP_OK) == (s != NULL), "a handle exactly when it decodes");
    if (st) {
        must(why.status == st && why.what && why.at <= size, "an error with an offset");
    } else {
        reencodes(s, data, size);
        use(s);
        bp_any_free(s);
    }
    view(data, size);
}

/* The bytes of a foreign world: those that decode encode to themselves. */
static void parquet(const uint8_t *data, size_t size)
{
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    bp_blocked_bloom *s = NULL;
    uint64_t whole = 0;
    const bp_status peeked = bp_parquet_peek(data, size, &whole, NULL);
    const bp_status st = bp_parquet_decode(&s, data, size, NULL, &why);
    must((st == BP_OK) == (s != NULL), "a handle exactly when it decodes");
    must(st == BP_OK ? !peeked && whole == size
                     : why.status == st && why.what && why.at <= size,
         "an error with an offset");
    if (st)
        return;
    size_t n = 0;
    uint8_t *again = (uint8_t *)malloc(size);
    if (again) {
        must(bp_parquet_encode(s, again, size, &n, NULL) == BP_OK && n == size &&
                 memcmp(again, data, size) == 0,
             "what decodes encodes to itself");
        use((bp_any *)s);
    }
    free(again);
    bp_blocked_bloom_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *repaired = (uint8_t *)malloc(size ? size : 1);
    if (!repaired)
        return 0;
    once(data, size);
    parquet(data, size);
    if (size)
        memcpy(repaired, data, size);
    bp_repair(repaired, size);
    once(repaired, size);
    free(repaired);
    return 0;
}
