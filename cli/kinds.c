/* SPDX-License-Identifier: MIT
 * kinds.c - the kinds of sketches, by the names that people type.
 *
 * The registry's names say what a kind is; the short ones are those that the filters
 * have among people who choose between them. Both stand wherever a kind is named. */
#include "cli.h"

#include <string.h>

static const struct {
    const char *name;
    const char *kind;
} aliases[] = {
    {"blocked", "blocked_bloom"},
    {"counting", "counting_bloom"},
    {"fuse", "binary_fuse"},
    {"scalable", "scalable_bloom"},
};
enum { ALIASES = sizeof aliases / sizeof *aliases, WORDS_MAX = 96 };

const bp_kind_info *cli_kind_by_name(const char *name)
{
    for (size_t i = 0; i < ALIASES; i++)
        if (strcmp(aliases[i].name, name) == 0)
            return bp_any_kind_by_name(aliases[i].kind);
    return bp_any_kind_by_name(name);
}

const char *const *cli_kind_names(void)
{
    static const char *names[WORDS_MAX];
    size_t n = 0;
    for (; n < WORDS_MAX - 1 - ALIASES && bp_any_kind_at(n); n++)
        names[n] = bp_any_kind_at(n)->name;
    for (size_t i = 0; i < ALIASES; i++)
        names[n++] = aliases[i].name;
    return names;
}

bool cli_is_filter(const bp_kind_info *kind)
{
    return kind->family == BP_FAMILY_MEMBERSHIP;
}
