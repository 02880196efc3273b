/* SPDX-License-Identifier: MIT
 * main.c - finds the command in commands.def and runs it.
 *
 * Command names are never abbreviated (a later command would change what a script
 * means); a wrong one gets the nearest right one as a hint. */
#include "cli.h"

#include <signal.h>
#include <string.h>

enum { NAMES_MAX = 64 };

/* The command that argv begins with; *words says how many of argv are its name. */
static const cli_command *find(int argc, char **argv, int *words)
{
    for (const cli_command *c = cli_commands; c->name; c++) {
        const char *space = strchr(c->name, ' ');
        size_t head = space ? (size_t)(space - c->name) : strlen(c->name);
        if (strlen(argv[0]) != head || memcmp(argv[0], c->name, head) != 0)
            continue;
        if (space && (argc < 2 || strcmp(argv[1], space + 1) != 0))
            continue;
        *words = space ? 2 : 1;
        return c;
    }
    return NULL;
}

/* A family's first word alone, or with a wrong second one: names its members. */
static int wrong_member(int argc, char **argv)
{
    const char *names[NAMES_MAX] = {NULL};
    size_t n = 0, head = strlen(argv[0]);
    for (const cli_command *c = cli_commands; c->name && n < NAMES_MAX - 1; c++)
        if (strncmp(c->name, argv[0], head) == 0 && c->name[head] == ' ')
            names[n++] = c->name + head + 1;
    if (n == 0)
        return -1;
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        for (const cli_command *c = cli_commands; c->name; c++)
            if (strncmp(c->name, argv[0], head) == 0 && c->name[head] == ' ')
                cli_help_short(c, stdout);
        return CLI_OK;
    }
    if (argc > 1 && argv[1][0] != '-')
        cli_error("%s %s: there is no such command", argv[0], argv[1]);
    else
        cli_error("%s: which one?", argv[0]);
    const char *near = argc > 1 ? cli_nearest(argv[1], names) : NULL;
    if (near)
        cli_hint("did you mean `ballpark %s %s`?", argv[0], near);
    else
        cli_hint("`ballpark %s %s`%s%s%s", argv[0], names[0], n > 1 ? " or `" : "",
                 n > 1 ? names[1] : "", n > 1 ? "`" : "");
    return CLI_ERROR;
}

static int wrong_command(int argc, char **argv)
{
    int code = wrong_member(argc, argv);
    if (code >= 0)
        return code;
    const char *names[NAMES_MAX] = {NULL};
    size_t n = 0;
    for (const cli_command *c = cli_commands; c->name && n < NAMES_MAX - 1; c++)
        names[n++] = c->name;
    cli_error("%s: there is no such %s", argv[0],
              argv[0][0] == '-' ? "option" : "command");
    const char *near = cli_nearest(argv[0], names);
    if (near)
        cli_hint("did you mean `ballpark %s`?", near);
    else
        cli_hint("`ballpark --help` lists the commands");
    return CLI_ERROR;
}

/* The words that are not commands: help and version. -1: it is none of them. */
static int without_command(int argc, char **argv)
{
    if (argc == 0) {
        cli_help_screen(stderr);
        return CLI_ERROR;
    }
    const char *word = argv[0];
    if (strcmp(word, "--version") == 0) {
        cli_print_version(stdout);
        return CLI_OK;
    }
    bool is_help = strcmp(word, "help") == 0;
    if (!is_help && strcmp(word, "--help") != 0 && strcmp(word, "-h") != 0)
        return -1;
    if (argc == 1 || !is_help) {
        cli_help_screen(stdout);
        return CLI_OK;
    }
    int words;
    const cli_command *c = find(argc - 1, argv + 1, &words);
    if (!c)
        return wrong_command(argc - 1, argv + 1);
    cli_help_long(c, stdout);
    return CLI_OK;
}

static int run(int argc, char **argv)
{
    int code = without_command(argc, argv);
    if (code >= 0)
        return code;
    int words;
    const cli_command *c = find(argc, argv, &words);
    if (!c)
        return wrong_command(argc, argv);
    cli_options o;
    code = CLI_ERROR;
    if (cli_parse(&o, c, argc - words, argv + words, &code))
        code = c->run(&o);
    cli_options_free(&o);
    return code;
}

int main(int argc, char **argv)
{
    /* A parent may have left SIGPIPE ignored; a filter wants to end by it. */
    signal(SIGPIPE, SIG_DFL);
    return cli_finish(run(argc > 0 ? argc - 1 : 0, argv + (argc > 0)));
}
