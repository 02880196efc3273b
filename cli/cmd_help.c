/* SPDX-License-Identifier: MIT
 * cmd_help.c - `ballpark help`: the screen, a command's page, a topic. */
#include "page.h"

static const char *const examples[] = {
    "ballpark help recipes", "whole tasks, each a line to copy",
    "ballpark help filter build", "as `ballpark filter build --help`", NULL};

static const cli_use uses[] = {{OPT_END, NULL}};

const cli_page page_help = {
    .usage = "[COMMAND|TOPIC]",
    .about = "Prints the page of a command or a topic; without one, a screen with all "
             "commands and topics.",
    .examples = examples,
    .uses = uses};

int cli_find_page(const cli_options *o, const cli_command **c, const cli_topic **t)
{
    const char *words[2] = {NULL};
    size_t n = 0, used = 1;
    for (; n < o->n_files && n < 2; n++)
        words[n] = o->files[n].name;
    *t = cli_find_topic(words[0]);
    *c = *t ? NULL : cli_find(n, words, &used);
    if (!*t && !*c)
        return cli_no_such(o->command->name, n, words);
    if (o->n_files > used)
        return cli_error("%s: %s: one page at a time", o->command->name,
                         o->files[used].name);
    return CLI_OK;
}

int cmd_help(cli_options *o)
{
    const cli_topic *t;
    const cli_command *c;
    if (o->n_files == 0) {
        cli_help_screen(stdout);
        return CLI_OK;
    }
    if (cli_find_page(o, &c, &t))
        return CLI_ERROR;
    if (t)
        cli_help_topic(t, stdout);
    else
        cli_help_long(c, stdout);
    return CLI_OK;
}
