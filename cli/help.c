/* SPDX-License-Identifier: MIT
 * help.c - what the command says of itself.
 *
 * One source for -h, --help, the bare command and the manual pages: commands.def, each
 * command's cli_page and the option table. Examples stand before the options: most
 * people look for a line to copy. */
#include "cli.h"

#include <string.h>

enum { COLUMN = 28, WIDTH = 79 };

/* Text broken at words, every line but the first indented. */
static void wrapped(FILE *to, const char *text, int indent, int column)
{
    while (*text) {
        int n = (int)strcspn(text, " \n");
        if (column > indent && column + 1 + n > WIDTH)
            column = -1;
        if (column < 0) {
            fprintf(to, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            column += fprintf(to, " ");
        }
        column += fprintf(to, "%.*s", n, text);
        text += n;
        if (*text == '\n')
            column = -1;
        text += *text != '\0';
    }
    fputc('\n', to);
}

static void usage_line(const cli_command *c, FILE *to)
{
    fprintf(to, "usage: ballpark %s %s\n", c->name, c->page->usage);
}

static void option_line(FILE *to, cli_opt opt, const char *text)
{
    const cli_option_row *r = cli_option(opt);
    char name[64];
    char letter[5] = "    ";
    if (r->letter)
        snprintf(letter, sizeof letter, "-%c, ", r->letter);
    snprintf(name, sizeof name, "  %s--%s%s%s", letter, r->name, r->arg ? "=" : "",
             r->arg ? r->arg : "");
    fprintf(to, "%-*s", COLUMN, name);
    if (strlen(name) >= COLUMN)
        fprintf(to, "\n%*s", COLUMN, "");
    wrapped(to, text ? text : r->text, COLUMN, COLUMN);
}

static void option_lines(const cli_page *page, FILE *to)
{
    fprintf(to, "\noptions:\n");
    for (const cli_use *u = page->uses; u->opt != OPT_END; u++)
        option_line(to, u->opt, u->text);
    option_line(to, OPT_HELP, NULL);
    option_line(to, OPT_VERSION, NULL);
}

static void exit_lines(const cli_page *page, FILE *to)
{
    static const char *const usual[] = {
        "0  done",
        "2  something was wrong: an option, an input, a line; stderr says what", NULL};
    fprintf(to, "\nexit codes:\n");
    for (const char *const *e = page->exits ? page->exits : usual; *e; e++) {
        fprintf(to, "  %.3s", *e);
        wrapped(to, *e + 3, 5, 5);
    }
}

void cli_help_short(const cli_command *c, FILE *to)
{
    usage_line(c, to);
    fprintf(to, "%s\n", c->summary);
    option_lines(c->page, to);
}

void cli_help_long(const cli_command *c, FILE *to)
{
    const cli_page *page = c->page;
    fprintf(to, "ballpark %s - %s\n\n", c->name, c->summary);
    usage_line(c, to);
    fprintf(to, "\n");
    wrapped(to, page->about, 0, 0);
    fprintf(to, "\nexamples:\n");
    for (const char *const *e = page->examples; e[0] && e[1]; e += 2)
        fprintf(to, "  $ %s\n      %s\n", e[0], e[1]);
    option_lines(page, to);
    if (page->notes) {
        fprintf(to, "\nnotes:\n");
        wrapped(to, page->notes, 0, 0);
    }
    exit_lines(page, to);
}

void cli_help_screen(FILE *to)
{
    fprintf(to, "ballpark answers big questions in a few kilobytes, with an error it can "
                "state.\n\n"
                "usage: ballpark COMMAND [OPTION]... [FILE]...\n\n");
    for (const cli_command *c = cli_commands; c->name; c++)
        fprintf(to, "  %-14s %s\n", c->name, c->summary);
    fprintf(to,
            "\n"
            "  $ ballpark distinct access.log          # as sort -u | wc -l\n"
            "  $ ballpark top -f1 -n5 access.log       # as sort | uniq -c | sort -rn\n"
            "\n"
            "Without a FILE, or where FILE is -, it reads standard input. Sizes: K, M, "
            "G are\n1024-based, kB, MB, GB 1000-based.\n"
            "\n"
            "`ballpark COMMAND -h` lists a command's options, `--help` teaches it;\n"
            "`ballpark --version` says which one this is.\n");
}

void cli_print_version(FILE *to)
{
    fprintf(to,
            "ballpark %s\n"
            "License MIT: <https://opensource.org/licenses/MIT>.\n"
            "This is free software: you are free to change and redistribute it.\n"
            "There is NO WARRANTY, to the extent permitted by law.\n",
            bp_version());
}
