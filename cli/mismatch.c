/* SPDX-License-Identifier: MIT
 * mismatch.c - why two sketches cannot be merged, in the words of the options that made
 * them. */
#include "cli.h"

#include <stdlib.h>

/* The parameter to name: rather one that was asked for than one that followed from it,
 * with the option that sets it. NULL: the two seem to agree. */
static const char *cause(const bp_description *a, const bp_description *b,
                         const char **option)
{
    static const char *const asked[][2] = {
        {"layout", "--layout"},       {"hash", "--seed or --key-file"},
        {"seed", "--seed"},           {"key_check", "--key-file"},
        {"precision", "--precision"}, {"items", "-n"},
        {"fpr_design", "-p"},         {"k", "-n"},
        {"memory_limit", "-m"},       {NULL, NULL}};
    for (int i = 0; asked[i][0]; i++)
        if (cli_parameter_differs(a, b, asked[i][0])) {
            *option = asked[i][1];
            return asked[i][0];
        }
    *option = "options";
    for (size_t i = 0; i < a->count; i++)
        if (cli_parameter_differs(a, b, a->figures[i].name))
            return a->figures[i].name;
    return NULL;
}

static int say_kinds(const char *command, cli_side a, cli_side b)
{
    cli_error("%s: %s is of kind %s, and %s is of kind %s", command, a.where,
              bp_any_kind(a.sketch)->name, b.where, bp_any_kind(b.sketch)->name);
    cli_hint("only sketches of one kind can be merged; `ballpark info FILE` tells "
             "the kind");
    return CLI_ERROR;
}

static int say_values(const char *command, const char *group, cli_side a, cli_side b,
                      const bp_detail *why)
{
    static bp_description da, db;
    const char *option, *space = *group ? ": " : "";
    cli_text ta, tb;
    bp_any_describe(a.sketch, &da);
    bp_any_describe(b.sketch, &db);
    const char *name = cause(&da, &db, &option);
    if (name)
        cli_error("%s: %s%s%s does not go with %s: %s is %s in %s and %s in %s", command,
                  group, space, b.where, a.where, name,
                  cli_figure_text(cli_figure(&da, name), ta), a.where,
                  cli_figure_text(cli_figure(&db, name), tb), b.where);
    else
        cli_error("%s: %s%s%s does not go with %s: %s (%llu in %s, %llu in %s)", command,
                  group, space, b.where, a.where, why->what,
                  (unsigned long long)why->have, a.where, (unsigned long long)why->want,
                  b.where);
    cli_hint("make both with the same %s", option);
    return CLI_ERROR;
}

static int say_status(cli_side b, bp_status st, const bp_detail *why)
{
    cli_library_error(b.where, st, why);
    if (st == BP_FULL)
        cli_hint("build one filter of both inputs, with -n for all their items");
    return CLI_ERROR;
}

int cli_mismatch(const char *command, const bp_bytes *group, cli_side a, cli_side b,
                 bp_status st, const bp_detail *why)
{
    if (st != BP_MISMATCH && st != BP_KIND)
        return say_status(b, st, why);
    if (bp_any_kind(a.sketch) != bp_any_kind(b.sketch))
        return say_kinds(command, a, b);
    char words[512] = "", *shown = group ? cli_shown(*group) : NULL;
    if (shown)
        snprintf(words, sizeof words, "group %s", *shown ? shown : "\"\"");
    free(shown);
    return say_values(command, words, a, b, why);
}
