/* SPDX-License-Identifier: MIT
 * members.c - asking a filter of any kind whether items are in, and telling what was new
 * when they are put in: bp_any has no word for it. What else a filter says (items, rates)
 * is among the figures of its description. */
#include "cli.h"

#include <string.h>

static size_t has_bloom(const bp_any *s, const bp_bytes *keys, size_t n, uint8_t *hit)
{
    return bp_bloom_has_n((const bp_bloom *)s, keys, n, hit);
}

static size_t has_blocked(const bp_any *s, const bp_bytes *keys, size_t n, uint8_t *hit)
{
    return bp_blocked_bloom_has_n((const bp_blocked_bloom *)s, keys, n, hit);
}

static size_t has_fuse(const bp_any *s, const bp_bytes *keys, size_t n, uint8_t *hit)
{
    return bp_binary_fuse_has_n((const bp_binary_fuse *)s, keys, n, hit);
}

static size_t add_bloom(bp_any *s, const bp_bytes *keys, size_t n, uint8_t *was_new)
{
    return bp_bloom_add_n((bp_bloom *)s, keys, n, was_new);
}

static size_t add_blocked(bp_any *s, const bp_bytes *keys, size_t n, uint8_t *was_new)
{
    return bp_blocked_bloom_add_n((bp_blocked_bloom *)s, keys, n, was_new);
}

static const struct filter {
    const char *name;
    cli_has_n *has_n;
    cli_add_n *add_n;
} filters[] = {{"bloom", has_bloom, add_bloom},
               {"blocked_bloom", has_blocked, add_blocked},
               {"binary_fuse", has_fuse, NULL}};

static const struct filter *filter_of(const bp_kind_info *kind)
{
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        if (strcmp(filters[i].name, kind->name) == 0)
            return &filters[i];
    return NULL;
}

cli_has_n *cli_has_of(const bp_kind_info *kind)
{
    const struct filter *f = filter_of(kind);
    return f ? f->has_n : NULL;
}

cli_add_n *cli_add_of(const bp_kind_info *kind)
{
    const struct filter *f = filter_of(kind);
    return f ? f->add_n : NULL;
}
