/* SPDX-License-Identifier: MIT
 * help.c - what the command says of itself.
 *
 * One source for -h, --help, the bare command, the topics and the manual pages. A page is
 * walked here, once, and set by a face: this file's own for a terminal, cmd_man.c's in
 * roff. Examples stand before the options: most people look for a line to copy. */
#include "page.h"

#include <string.h>

enum { COLUMN = 28, TERM_COLUMN = 16, WIDTH = 79 };

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

/* ------------------------------------------------------------------ the terminal's face
 */

static void text_section(FILE *to, const char *title)
{
    fprintf(to, "\n%s:\n", title);
}

static void text_paragraph(FILE *to, const char *text)
{
    wrapped(to, text, 0, 0);
}

/* The codes of an exit are short and stand close. */
static void text_term(FILE *to, const char *term, const char *text)
{
    const int n = (int)strlen(term);
    const int indent = *term >= '0' && *term <= '9' ? n + 4 : TERM_COLUMN;
    if (n + 4 > indent)
        fprintf(to, "  %s\n%*s", term, indent, "");
    else
        fprintf(to, "  %-*s", indent - 2, term);
    wrapped(to, text, indent, indent);
}

static void text_example(FILE *to, const char *line, const char *text)
{
    fprintf(to, "  $ %s\n      ", line);
    wrapped(to, text, 6, 6);
}

static void text_option(FILE *to, const cli_option_row *r, const char *text)
{
    char name[64];
    char letter[5] = "    ";
    if (r->letter)
        snprintf(letter, sizeof letter, "-%c, ", r->letter);
    snprintf(name, sizeof name, "  %s--%s%s%s", letter, r->name, r->arg ? "=" : "",
             r->arg ? r->arg : "");
    fprintf(to, "%-*s", COLUMN, name);
    if (strlen(name) >= COLUMN)
        fprintf(to, "\n%*s", COLUMN, "");
    wrapped(to, text, COLUMN, COLUMN);
}

static const cli_face text_face = {text_section, text_paragraph, text_term, text_example,
                                   text_option};

/* ------------------------------------------------------------------------------ pages */

static bool has_section(const cli_page *page, cli_section section)
{
    for (const cli_use *u = page->uses; u->opt != OPT_END; u++)
        if (cli_option(u->opt)->section == section)
            return true;
    return section == CLI_OTHER; /* where help and version are */
}

static void option_body(const cli_face *f, const cli_page *page, FILE *to)
{
    static const char *const titles[CLI_SECTIONS] = {"input options", "sketch options",
                                                     "output options", "other options"};
    for (int s = 0; s < CLI_SECTIONS; s++) {
        if (!has_section(page, (cli_section)s))
            continue;
        f->section(to, titles[s]);
        for (const cli_use *u = page->uses; u->opt != OPT_END; u++) {
            const cli_option_row *r = cli_option(u->opt);
            if ((int)r->section == s)
                f->option(to, r, u->text ? u->text : r->text);
        }
    }
    f->option(to, cli_option(OPT_HELP), cli_option(OPT_HELP)->text);
    f->option(to, cli_option(OPT_VERSION), cli_option(OPT_VERSION)->text);
}

/* An exit line is its code, two blanks and what it means. */
static void exit_body(const cli_face *f, const cli_page *page, FILE *to)
{
    static const char *const usual[] = {
        "0  done",
        "2  something was wrong: an option, an input, a line; stderr says what", NULL};
    f->section(to, "exit codes");
    for (const char *const *e = page->exits ? page->exits : usual; *e; e++) {
        char code[2] = {**e, '\0'};
        f->term(to, code, *e + 3);
    }
}

void cli_page_body(const cli_face *f, const cli_command *c, FILE *to)
{
    const cli_page *page = c->page;
    f->paragraph(to, page->about);
    f->section(to, "examples");
    for (const char *const *e = page->examples; e[0] && e[1]; e += 2)
        f->example(to, e[0], e[1]);
    option_body(f, page, to);
    if (page->notes) {
        f->section(to, "notes");
        f->paragraph(to, page->notes);
    }
    exit_body(f, page, to);
}

void cli_topic_body(const cli_face *f, const cli_topic *t, FILE *to)
{
    for (const cli_block *b = t->blocks; b->type != CLI_BLOCK_END; b++)
        switch (b->type) {
        case CLI_SECTION:
            f->section(to, b->text);
            break;
        case CLI_TERM:
            f->term(to, b->text, b->more);
            break;
        case CLI_EXAMPLE:
            f->example(to, b->text, b->more);
            break;
        default:
            f->paragraph(to, b->text);
        }
}

void cli_environment_body(const cli_face *f, FILE *to)
{
    f->section(to, "environment");
    for (const char *const *e = cli_environment; e[0] && e[1]; e += 2)
        f->term(to, e[0], e[1]);
}

/* ---------------------------------------------------------------------- what is printed
 */

void cli_help_short(const cli_command *c, FILE *to)
{
    usage_line(c, to);
    fprintf(to, "%s\n", c->summary);
    option_body(&text_face, c->page, to);
}

void cli_help_long(const cli_command *c, FILE *to)
{
    fprintf(to, "ballpark %s - %s\n\n", c->name, c->summary);
    usage_line(c, to);
    fprintf(to, "\n");
    cli_page_body(&text_face, c, to);
}

void cli_help_topic(const cli_topic *t, FILE *to)
{
    fprintf(to, "%s - %s\n\n", t->name, t->summary);
    cli_topic_body(&text_face, t, to);
}

/* Whether both are of one family (`filter build` and `filter test`). */
static bool are_kin(const cli_command *a, const cli_command *b)
{
    const char *space = a->name ? strchr(a->name, ' ') : NULL;
    const size_t n = space ? (size_t)(space + 1 - a->name) : 0;
    return n > 0 && b->name && strncmp(a->name, b->name, n) == 0;
}

/* A command and its kin, a row each; but of a large family what comes behind the
 * first stands in one. Returns the command after them. */
static const cli_command *screen_row(const cli_command *c, FILE *to)
{
    const int family = (int)strcspn(c->name, " ");
    size_t n = 1;
    while (are_kin(c, c + n))
        n++;
    const size_t rows = n > 2 ? 1 : n;
    for (size_t i = 0; i < rows; i++)
        fprintf(to, "  %-14s %s\n", c[i].name, c[i].summary);
    if (rows == n)
        return c + n;
    fprintf(to, "  %.*s ...%*s ", family, c->name, 10 - family, "");
    for (size_t i = rows; i < n; i++)
        fprintf(to, "%s%s", c[i].name + family + 1, i + 1 < n ? ", " : "");
    fprintf(to, ": `ballpark %.*s -h` has them\n", family, c->name);
    return c + n;
}

/* One screen of 24 lines, however many commands there are. */
void cli_help_screen(FILE *to)
{
    fprintf(to, "ballpark answers big questions in a few kilobytes, with an error it can "
                "state.\n"
                "usage: ballpark COMMAND [OPTION]... [FILE]...\n\n");
    for (const cli_command *c = cli_commands; c->name;)
        c = screen_row(c, to);
    fprintf(
        to,
        "  $ ballpark distinct access.log          # as sort -u | wc -l\n"
        "  $ ballpark top -f1 -n5 access.log       # as sort | uniq -c | sort -rn\n"
        "COMMAND -h lists its options, --help teaches it; `ballpark help TOPIC` tells "
        "of\n");
    for (const cli_topic *t = cli_topics; t->name; t++)
        fprintf(to, "%s%s", t == cli_topics ? "  " : ", ", t->name);
    fputc('\n', to);
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
