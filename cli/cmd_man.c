/* SPDX-License-Identifier: MIT
 * cmd_man.c - `ballpark man`: the manual, in roff with the man macros.
 *
 * The pages are what --help says, set for paper: the build runs this command and installs
 * what it prints, so that a manual page cannot tell another story than the program. They
 * bear no date, which would make two builds of the same source differ. */
#include "page.h"

#include <ctype.h>
#include <string.h>

enum { WIDTH = 72 };

static const char *const examples[] = {"ballpark man | head -1",
                                       "the page of the whole, ballpark.1",
                                       "ballpark man distinct | grep '^.SH'",
                                       "a command's page, ballpark-distinct.1",
                                       "ballpark man recipes > ballpark-recipes.7",
                                       "a topic's page",
                                       NULL};

static const cli_use uses[] = {{OPT_END, NULL}};

const cli_page page_man = {
    .usage = "[COMMAND|TOPIC]",
    .about =
        "Prints a manual page in roff: of a command, of a topic, or of ballpark itself. "
        "Installed, the same pages are read by `man ballpark-distinct`; this command is "
        "for where they are not.",
    .examples = examples,
    .uses = uses,
    .notes = "`ballpark man distinct | man -l -` shows the page."};

/* ------------------------------------------------------------------------------- roff */

/* One character as roff would print it, whatever it means to roff. */
static int put_char(FILE *to, char c)
{
    switch (c) {
    case '\\':
        return fputs("\\e", to);
    case '-':
        return fputs("\\-", to);
    case '\'':
        return fputs("\\(aq", to);
    case '`':
        return fputs("\\(ga", to);
    case '^':
        return fputs("\\(ha", to);
    case '~':
        return fputs("\\(ti", to);
    default:
        return fputc(c, to);
    }
}

static void put_literal(FILE *to, const char *text)
{
    if (*text == '.')
        fputs("\\&", to);
    for (; *text; text++)
        put_char(to, *text);
}

/* Words on lines of their own length; what stands in backquotes is to be typed: bold. */
static void put_prose(FILE *to, const char *text)
{
    bool is_bold = false;
    int column = 0;
    for (; *text; text++) {
        if (text[0] == '\n' && text[1] == '\n') {
            fputs("\n.PP\n", to);
            column = 0;
            text++;
        } else if (isspace((unsigned char)*text)) {
            const size_t next = strcspn(text + 1, " \n");
            const bool is_full = column + (int)next > WIDTH;
            fputc(is_full ? '\n' : ' ', to);
            column = is_full ? 0 : column + 1;
        } else if (*text == '`') {
            is_bold = !is_bold;
            fputs(is_bold ? "\\fB" : "\\fR", to);
        } else {
            if (column == 0 && (*text == '.' || *text == '\''))
                fputs("\\&", to);
            put_char(to, *text);
            column++;
        }
    }
    fputc('\n', to);
}

static void roff_section(FILE *to, const char *title)
{
    fputs(".SH ", to);
    for (; *title; title++)
        put_char(to, (char)toupper((unsigned char)*title));
    fputc('\n', to);
}

static void roff_paragraph(FILE *to, const char *text)
{
    put_prose(to, text);
}

static void roff_term(FILE *to, const char *term, const char *text)
{
    fputs(".TP\n\\fB", to);
    put_literal(to, term);
    fputs("\\fR\n", to);
    put_prose(to, text);
}

static void roff_example(FILE *to, const char *line, const char *text)
{
    fputs(".TP\n\\fB$ ", to);
    put_literal(to, line);
    fputs("\\fR\n", to);
    put_prose(to, text);
}

static void roff_option(FILE *to, const cli_option_row *r, const char *text)
{
    fputs(".TP\n", to);
    if (r->letter)
        fprintf(to, "\\fB\\-%c\\fR, ", r->letter);
    fputs("\\fB\\-\\-", to);
    put_literal(to, r->name);
    fputs("\\fR", to);
    if (r->arg)
        fprintf(to, "=\\fI%s\\fR", r->arg);
    fputc('\n', to);
    put_prose(to, text);
}

static const cli_face roff_face = {roff_section, roff_paragraph, roff_term, roff_example,
                                   roff_option};

/* ------------------------------------------------------------------------------ pages */

/* "filter build" is ballpark-filter-build. */
static void put_page_name(FILE *to, const char *name)
{
    fputs("ballpark", to);
    if (name)
        fputs("\\-", to);
    for (; name && *name; name++)
        put_char(to, *name == ' ' ? '-' : *name);
}

static void head(FILE *to, const char *name, int part, const char *summary)
{
    fputs(".TH BALLPARK", to);
    if (name)
        fputs("\\-", to);
    for (const char *at = name; at && *at; at++)
        put_char(to, *at == ' ' ? '-' : (char)toupper((unsigned char)*at));
    fprintf(to, " %d \"\" \"ballpark %s\" \"%s\"\n.SH NAME\n", part, bp_version(),
            part == 1 ? "User Commands" : "Miscellaneous");
    put_page_name(to, name);
    fputs(" \\- ", to);
    put_prose(to, summary);
}

/* Arguments, which are capital words, in italics. */
static void synopsis(FILE *to, const char *name, const char *usage)
{
    fprintf(to, ".SH SYNOPSIS\n\\fBballpark%s%s\\fR ", name ? " " : "", name ? name : "");
    while (*usage) {
        const size_t n = strspn(usage, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        if (n > 0)
            fprintf(to, "\\fI%.*s\\fR", (int)n, usage);
        else
            put_char(to, *usage);
        usage += n ? n : 1;
    }
    fputs("\n", to);
}

static void see_also(FILE *to, const char *self)
{
    fputs(".SH SEE ALSO\n", to);
    if (self)
        fputs(".BR ballpark (1)", to);
    for (const cli_command *c = cli_commands; c->name; c++) {
        if (c->name == self)
            continue;
        fputs(self || c != cli_commands ? ",\n.BR " : ".BR ", to);
        put_page_name(to, c->name);
        fputs(" (1)", to);
    }
    for (const cli_topic *t = cli_topics; t->name; t++) {
        if (t->name == self)
            continue;
        fputs(",\n.BR ", to);
        put_page_name(to, t->name);
        fputs(" (7)", to);
    }
    fputc('\n', to);
}

static void command_page(FILE *to, const cli_command *c)
{
    head(to, c->name, 1, c->summary);
    synopsis(to, c->name, c->page->usage);
    fputs(".SH DESCRIPTION\n", to);
    cli_page_body(&roff_face, c, to);
    cli_environment_body(&roff_face, to);
    see_also(to, c->name);
}

static void topic_page(FILE *to, const cli_topic *t)
{
    head(to, t->name, 7, t->summary);
    fputs(".SH DESCRIPTION\n", to);
    cli_topic_body(&roff_face, t, to);
    see_also(to, t->name);
}

static void main_page(FILE *to)
{
    head(to, NULL, 1, "big questions answered in a few kilobytes");
    synopsis(to, NULL, "COMMAND [OPTION]... [FILE]...");
    fputs(".SH DESCRIPTION\n", to);
    put_prose(to, cli_about);
    fputs(".SH COMMANDS\n", to);
    for (const cli_command *c = cli_commands; c->name; c++)
        roff_term(to, c->name, c->summary);
    fputs(".SH TOPICS\n", to);
    for (const cli_topic *t = cli_topics; t->name; t++)
        roff_term(to, t->name, t->summary);
    cli_environment_body(&roff_face, to);
    see_also(to, NULL);
}

int cmd_man(cli_options *o)
{
    const cli_topic *t;
    const cli_command *c;
    if (o->n_files == 0) {
        main_page(stdout);
        return CLI_OK;
    }
    if (cli_find_page(o, &c, &t))
        return CLI_ERROR;
    if (t)
        topic_page(stdout, t);
    else
        command_page(stdout, c);
    return CLI_OK;
}
