/* SPDX-License-Identifier: MIT
 * commands.c - commands.def as a table. */
#include "cli.h"

#define CLI_COMMAND(name, ident, summary) {name, summary, &page_##ident, cmd_##ident},
const cli_command cli_commands[] = {
#include "commands.def"
    {NULL, NULL, NULL, NULL}};
#undef CLI_COMMAND
