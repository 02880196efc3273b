/* SPDX-License-Identifier: MIT
 * files0.c - --files0-from: more inputs than a command line holds, or names that a shell
 * would break, as find -print0 writes them. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The whole list, ended by a NUL byte more; NULL: printed. */
static char *read_list(const char *name, size_t *n)
{
    const bool is_stdin = strcmp(name, "-") == 0;
    FILE *f = is_stdin ? stdin : fopen(name, "re");
    size_t room = 0;
    char *text = NULL;
    bool ok = f != NULL;
    *n = 0;
    while (ok && (!text || !feof(f))) {
        room = 2 * room + 4096;
        char *grown = realloc(text, room);
        ok = grown != NULL;
        text = grown ? grown : text;
        if (ok)
            *n += fread(text + *n, 1, room - *n - 1, f);
        ok = ok && !ferror(f);
    }
    if (ok)
        text[*n] = '\0';
    else
        cli_errno(is_stdin ? "standard input" : name);
    if (f && !is_stdin)
        fclose(f);
    if (!ok)
        free(text);
    return ok ? text : NULL;
}

static int refuse(const cli_options *o, size_t number, const char *why)
{
    return cli_error("%s: --files0-from %s: name %zu %s", o->command->name, o->files0,
                     number, why);
}

/* Appends the names to o->files, which has room for them. */
static int take_names(cli_options *o, size_t n)
{
    const bool is_stdin = strcmp(o->files0, "-") == 0;
    size_t number = 0;
    for (char *p = o->file_names, *end = p + n; p < end; p += strlen(p) + 1) {
        number++;
        if (!*p)
            return refuse(o, number, "is empty");
        if (is_stdin && strcmp(p, "-") == 0)
            return refuse(o, number, "is -, but standard input holds the list");
        o->files[o->n_files++] = (cli_file){p, -1};
    }
    return CLI_OK;
}

int cli_take_files0(cli_options *o)
{
    size_t n, names = 1;
    if (!o->files0 || o->n_files < o->command->page->operands)
        return CLI_OK;
    if (o->n_files > o->command->page->operands) {
        cli_error("%s: --files0-from: is in place of files, but there is %s",
                  o->command->name, o->files[o->command->page->operands].name);
        cli_hint("write that name into the list, too");
        return CLI_ERROR;
    }
    o->file_names = read_list(o->files0, &n);
    if (!o->file_names)
        return CLI_ERROR;
    for (size_t i = 0; i < n; i++)
        names += o->file_names[i] == '\0';
    cli_file *grown = realloc(o->files, (o->n_files + names + 1) * sizeof *grown);
    if (!grown)
        return cli_error("out of memory");
    o->files = grown;
    return take_names(o, n);
}
