/* SPDX-License-Identifier: MIT
 * page.h - what the help, the manual and the completions are made from.
 *
 * One source: commands.def, each command's cli_page, the option table, topics.def. A
 * page is walked once (help.c) and set by a face: text for a terminal, or roff for the
 * manual. What may stand where a usage or an option says FILE or FORMAT is told by
 * words.c, for every shell alike. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "cli.h"

/* ------------------------------------------------------------------ words (words.c) */

typedef enum cli_place {
    CLI_ANY_TEXT,
    CLI_ANY_FILE,
    CLI_ANY_DIRECTORY,
    CLI_A_WORD /* one of a list */
} cli_place;

/* What may stand for the argument `arg` ("FILE", "FORMAT", ...). */
cli_place cli_place_of(const char *arg);
/* The next argument that a usage names ("FILE"; OPTION is none), and past it; false at
 * the end. */
bool cli_next_argument(const char **usage, cli_text out);

/* ----------------------------------------------------------------- topics (topics.c) */

typedef enum cli_block_type {
    CLI_BLOCK_END,
    CLI_SECTION,   /* text: its title                    */
    CLI_PARAGRAPH, /* text                               */
    CLI_TERM,      /* text, and more: what it means      */
    CLI_EXAMPLE    /* text: a line to type, and more: what it does */
} cli_block_type;

typedef struct cli_block {
    cli_block_type type;
    const char *text;
    const char *more;
} cli_block;

typedef struct cli_topic {
    const char *name;
    const char *summary;
    const cli_block *blocks;
} cli_topic;

/* All of topics.def, ending in a NULL name. */
extern const cli_topic cli_topics[];
const cli_topic *cli_find_topic(const char *name);
/* The page that o's operands, at least one, name: the command or the topic, the other is
 * NULL. CLI_OK or CLI_ERROR, printed. */
int cli_find_page(const cli_options *o, const cli_command **c, const cli_topic **t);
/* What the whole does, a paragraph; and pairs: a variable, what it does. */
extern const char cli_about[];
extern const char *const cli_environment[];

/* --------------------------------------------------------------------- faces (help.c) */

typedef struct cli_face {
    void (*section)(FILE *to, const char *title);
    void (*paragraph)(FILE *to, const char *text);
    void (*term)(FILE *to, const char *term, const char *text);
    void (*example)(FILE *to, const char *line, const char *text);
    void (*option)(FILE *to, const cli_option_row *r, const char *text);
} cli_face;

/* All of a page but its name and usage: about, examples, options, notes, exit codes. */
void cli_page_body(const cli_face *f, const cli_command *c, FILE *to);
void cli_topic_body(const cli_face *f, const cli_topic *t, FILE *to);
/* The variables that the command reads. */
void cli_environment_body(const cli_face *f, FILE *to);
void cli_help_topic(const cli_topic *t, FILE *to);

#endif
