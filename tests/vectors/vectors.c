/* SPDX-License-Identifier: MIT
 * vectors.c - reading and checking the JSON vectors. */
#include "vectors/vectors.h"

#include "core/object.h"
#include "core/xxh.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

json_t *bp_vectors_load(const char *name)
{
    char path[1024];
    json_error_t error;
    snprintf(path, sizeof path, "%s/tests/vectors/%s.json", BP_SOURCE_DIR, name);
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("%s:%d: %s", path, error.line, error.text);
    if (json_array_size(json_object_get(root, "vectors")) == 0)
        fail_msg("%s: no vectors", path);
    return root;
}

static const json_t *member(const json_t *object, const char *name)
{
    const json_t *v = json_object_get(object, name);
    if (!v)
        fail_msg("there is no member \"%s\"", name);
    return v;
}

uint64_t bp_json_number(const json_t *value)
{
    if (json_is_integer(value) && json_integer_value(value) >= 0)
        return (uint64_t)json_integer_value(value);
    const char *text = json_string_value(value);
    char *end = NULL;
    const uint64_t v = text ? strtoull(text, &end, 16) : 0;
    if (!text || strncmp(text, "0x", 2) != 0 || *end)
        fail_msg("not a whole number: %s", text ? text : "");
    return v;
}

uint64_t bp_json_whole(const json_t *object, const char *name)
{
    return bp_json_number(member(object, name));
}

uint64_t bp_json_whole_or(const json_t *object, const char *name, uint64_t otherwise)
{
    return json_object_get(object, name) ? bp_json_whole(object, name) : otherwise;
}

double bp_json_real_or(const json_t *object, const char *name, double otherwise)
{
    const json_t *v = json_object_get(object, name);
    if (v && !json_is_number(v))
        fail_msg("\"%s\" is not a number", name);
    return v ? json_number_value(v) : otherwise;
}

bool bp_json_bool_or(const json_t *object, const char *name, bool otherwise)
{
    const json_t *v = json_object_get(object, name);
    if (v && !json_is_boolean(v))
        fail_msg("\"%s\" is not true or false", name);
    return v ? json_is_true(v) : otherwise;
}

const char *bp_json_text(const json_t *object, const char *name)
{
    const char *text = json_string_value(member(object, name));
    if (!text)
        fail_msg("\"%s\" is not a string", name);
    return text;
}

bp_hash_spec bp_json_hash(const json_t *config)
{
    bp_hash_spec spec = {.seed = bp_json_whole_or(config, "seed", 0)};
    if (json_object_get(config, "hash")) {
        const char *name = bp_json_text(config, "hash");
        for (spec.id = BP_HASH_XXH3; strcmp(bp_hash_name(spec.id), name) != 0;)
            if (++spec.id > BP_HASH_MURMUR64A)
                fail_msg("there is no hash \"%s\"", name);
    }
    if (json_object_get(config, "key") &&
        bp_from_hex(bp_json_text(config, "key"), spec.key, 16) != 16)
        fail_msg("a key is 16 bytes");
    return spec;
}

static int nibble(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

size_t bp_from_hex(const char *hex, uint8_t *out, size_t cap)
{
    const size_t n = strlen(hex) / 2;
    if (strlen(hex) % 2 || n > cap)
        fail_msg("hex of an odd length, or too long: %s", hex);
    for (size_t i = 0; i < n; i++) {
        const int high = nibble(hex[2 * i]), low = nibble(hex[2 * i + 1]);
        if (high < 0 || low < 0)
            fail_msg("not hex (lower case): %s", hex);
        out[i] = (uint8_t)(high << 4 | low);
    }
    return n;
}

uint64_t bp_encoded_hash(const bp_any *s, size_t *size)
{
    bp_detail why = {BP_OK, "", 0, 0, 0};
    size_t n = 0;
    if (bp_any_encode(s, NULL, 0, &n, &why))
        fail_msg("encode: %s", why.what);
    uint8_t *bytes = malloc(n);
    if (!bytes || bp_any_encode(s, bytes, n, &n, &why)) {
        free(bytes);
        fail_msg("encode: %s", why.what);
        return 0;
    }
    const uint64_t h = XXH3_64bits(bytes, n);
    free(bytes);
    if (size)
        *size = n;
    return h;
}

static void equal(const char *what, size_t i, uint64_t have, uint64_t want)
{
    if (have != want)
        fail_msg("vector %zu: %s is 0x%016" PRIx64 " (%" PRIu64
                 "), expected 0x%016" PRIx64,
                 i, what, have, have, want);
}

static bool is_built(const bp_any *s)
{
    return bp_any_kind(s)->without & BP_WITHOUT_ADD;
}

/* One key, whose hash and positions are checked, then added; returns the hash. */
static uint64_t check_key(bp_any *s, size_t i, const json_t *v, size_t k,
                          void (*positions)(const bp_any *, uint64_t, const json_t *))
{
    static uint8_t key[65536];
    const char *hex = json_string_value(json_array_get(member(v, "keys"), k));
    if (!hex)
        fail_msg("vector %zu: key %zu is not a string", i, k);
    const bp_bytes bytes = {key, bp_from_hex(hex, key, sizeof key)};
    const bp_hash_spec spec = bp_json_hash(member(v, "config"));
    const uint64_t h = bp_hash(&spec, key, bytes.len);
    equal("a hash", i, h, bp_json_number(json_array_get(member(v, "hashes"), k)));
    if (positions)
        positions(s, h, json_array_get(member(v, "positions"), k));
    if (!is_built(s) && bp_any_add_n(s, &bytes, 1, NULL))
        fail_msg("vector %zu: add failed", i);
    return h;
}

static void check_vector(const bp_kind_info *kind, size_t i, const json_t *v,
                         void (*configure)(const json_t *, void *),
                         void (*positions)(const bp_any *, uint64_t, const json_t *))
{
    union {
        uint8_t bytes[512];
        bp_config_prefix prefix;
        max_align_t align;
    } cfg;
    bp_any *s;
    bp_detail why = {BP_OK, "", 0, 0, 0};
    memset(&cfg, 0, sizeof cfg);
    cfg.prefix.hash = bp_json_hash(member(v, "config"));
    configure(member(v, "config"), &cfg);
    if (bp_any_new(&s, kind->id, &cfg, &why))
        fail_msg("vector %zu: %s", i, why.what);
    const size_t keys = json_array_size(member(v, "keys"));
    if (keys == 0)
        fail_msg("vector %zu: no keys", i);
    uint64_t hashes[4096];
    if (keys > sizeof hashes / sizeof *hashes)
        fail_msg("vector %zu: too many keys", i);
    for (size_t k = 0; k < keys; k++)
        hashes[k] = check_key(s, i, v, k, positions);
    if (is_built(s) && bp_any_build_hashes(s, hashes, keys, NULL))
        fail_msg("vector %zu: build failed", i);
    size_t size;
    const uint64_t h = bp_encoded_hash(s, &size);
    bp_any_free(s);
    equal("encoded_size", i, size, bp_json_whole(v, "encoded_size"));
    equal("encoded_xxh3", i, h, bp_json_whole(v, "encoded_xxh3"));
}

void bp_vectors_check(const char *kind,
                      void (*configure)(const json_t *config, void *cfg),
                      void (*positions)(const bp_any *s, uint64_t hash,
                                        const json_t *expected))
{
    json_t *root = bp_vectors_load(kind);
    const bp_kind_info *info = bp_any_kind_by_name(kind);
    assert_string_equal(bp_json_text(root, "kind"), kind);
    const json_t *vectors = member(root, "vectors");
    for (size_t i = 0; i < json_array_size(vectors); i++)
        check_vector(info, i, json_array_get(vectors, i), configure, positions);
    json_decref(root);
}
