/* SPDX-License-Identifier: MIT
 * members.c - asking a filter of any kind whether items are in: bp_any has no word for
 * it. What else a filter says (items, rates) is among the figures of its description. */
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

cli_has_n *cli_has_of(const bp_kind_info *kind)
{
    static const struct {
        const char *name;
        cli_has_n *has_n;
    } filters[] = {{"bloom", has_bloom}, {"blocked_bloom", has_blocked}};
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        if (strcmp(filters[i].name, kind->name) == 0)
            return filters[i].has_n;
    return NULL;
}
