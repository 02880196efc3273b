/* SPDX-License-Identifier: MIT
 * commands.c - commands.def as a table, and the look-up in it.
 *
 * Command names are never abbreviated (a later command would change what a script
 * means); a wrong one gets the nearest right one as a hint. */
#include "page.h"

#include <string.h>

#define CLI_COMMAND(name, ident, summary) {name, summary, &page_##ident, cmd_##ident},
const cli_command cli_commands[] = {
#include "commands.def"
    {NULL, NULL, NULL, NULL}};
#undef CLI_COMMAND

enum { NAMES_MAX = 128 };

/* The length of a family's name (`filter` in `filter build`), or 0. */
static size_t family_of(const cli_command *c)
{
    const char *space = strchr(c->name, ' ');
    return space ? (size_t)(space - c->name) : 0;
}

bool cli_is_member(const cli_command *c, const char *family)
{
    const size_t n = family_of(c);
    return n && strlen(family) == n && memcmp(c->name, family, n) == 0;
}

const cli_command *cli_find(size_t n, const char *const *words, size_t *used)
{
    const cli_command *found = NULL;
    *used = 1;
    for (const cli_command *c = cli_commands; c->name && n > 0; c++) {
        if (strcmp(c->name, words[0]) == 0)
            found = c;
        if (n < 2 || !cli_is_member(c, words[0]) ||
            strcmp(c->name + family_of(c) + 1, words[1]) != 0)
            continue;
        *used = 2; /* `count build` is not `count` of a file */
        return c;
    }
    return found;
}

/* ---------------------------------------------------------------------- wrong names */

static void say(const char *asker, const char *what, const char *more, const char *wrong)
{
    cli_error("%s%s%s%s%s: %s", asker ? asker : "", asker ? ": " : "", what,
              *more ? " " : "", more, wrong);
}

/* "`first`, `second` or `last`", without the mark that opens it. */
static void list_members(char *to, size_t room, const char *const *names, size_t n)
{
    size_t at = 0;
    for (size_t i = 0; i < n && at < room; i++)
        at += (size_t)snprintf(to + at, room - at, "%s%s`",
                               i == 0      ? ""
                               : i + 1 < n ? ", `"
                                           : " or `",
                               names[i]);
}

/* A family's first word alone, or with a wrong second one: names its members. */
static int wrong_member(const char *asker, size_t n, const char *const *words)
{
    const char *names[NAMES_MAX] = {NULL};
    const char *space = asker ? " " : "", *before = asker ? asker : "";
    size_t count = 0;
    for (const cli_command *c = cli_commands; c->name && count < NAMES_MAX - 1; c++)
        if (cli_is_member(c, words[0]))
            names[count++] = c->name + family_of(c) + 1;
    if (count == 0)
        return CLI_OK;
    char members[160] = "";
    list_members(members, sizeof members, names, count);
    const bool is_named = n > 1 && words[1][0] != '-';
    if (is_named)
        say(asker, words[0], words[1], "there is no such command");
    else
        say(asker, words[0], "", "which one?");
    const char *near = is_named ? cli_nearest(words[1], names) : NULL;
    if (near)
        cli_hint("did you mean `ballpark %s%s%s %s`?", before, space, words[0], near);
    else
        cli_hint("`ballpark %s%s%s %s", before, space, words[0], members);
    return CLI_ERROR;
}

/* Commands, and topics for those who know them. */
static const char *nearest(const char *asker, size_t n, const char *const *words)
{
    const char *names[NAMES_MAX] = {NULL};
    char both[96];
    size_t count = 0;
    for (const char *const *w = cli_words("COMMAND"); *w && count < NAMES_MAX - 1; w++)
        names[count++] = *w;
    snprintf(both, sizeof both, "%s %s", words[0], n > 1 ? words[1] : "");
    const char *near = n > 1 ? cli_nearest(both, names) : NULL;
    for (const char *const *w = cli_words("TOPIC"); asker && *w && count < NAMES_MAX - 1;
         w++)
        names[count++] = *w;
    return near && strchr(near, ' ') ? near : cli_nearest(words[0], names);
}

int cli_no_such(const char *asker, size_t n, const char *const *words)
{
    if (wrong_member(asker, n, words))
        return CLI_ERROR;
    say(asker, words[0], "",
        asker                ? "there is no such command or topic"
        : words[0][0] == '-' ? "there is no such option"
                             : "there is no such command");
    const char *near = nearest(asker, n, words);
    if (near)
        cli_hint("did you mean `ballpark %s%s%s`?", asker ? asker : "", asker ? " " : "",
                 near);
    else if (asker)
        cli_hint("`ballpark help` lists them");
    else
        cli_hint("a command comes first, as in `ballpark distinct FILE`; `ballpark "
                 "--help` lists them");
    return CLI_ERROR;
}
