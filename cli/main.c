/* SPDX-License-Identifier: MIT
 * main.c - finds the command in commands.def and runs it. */
#include "cli.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* The words that are not commands: help and version. -1: it is none of them. */
static int without_command(size_t n, const char *const *words)
{
    if (n == 0) {
        cli_help_screen(stderr);
        return CLI_ERROR;
    }
    if (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0)
        cli_help_screen(stdout);
    else if (strcmp(words[0], "--version") == 0)
        cli_print_version(stdout);
    else
        return -1;
    return CLI_OK;
}

/* `ballpark filter --help`: a family's commands, one after the other. */
static bool help_family(size_t n, const char *const *words)
{
    bool found = false;
    if (n != 2 || (strcmp(words[1], "--help") != 0 && strcmp(words[1], "-h") != 0))
        return false;
    for (const cli_command *c = cli_commands; c->name; c++)
        if (cli_is_member(c, words[0])) {
            cli_help_short(c, stdout);
            found = true;
        }
    return found;
}

static int run(int argc, char **argv)
{
    const size_t n = (size_t)argc;
    const char *const *words = (const char *const *)argv;
    int code = without_command(n, words);
    if (code >= 0)
        return code;
    size_t used;
    const cli_command *c = cli_find(n, words, &used);
    if (!c)
        return help_family(n, words) ? CLI_OK : cli_no_such(NULL, n, words);
    cli_options o;
    code = CLI_ERROR;
    if (cli_parse(&o, c, argc - (int)used, argv + used, &code))
        code = c->run(&o);
    cli_options_free(&o);
    return code;
}

/* A file must not get the number of a standard stream that is closed: what is printed
 * would go into it, and what it holds would be read as input. Opened for what nobody does
 * with it, the stream stays as useless as it was. */
static void fill_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            return;
}

int main(int argc, char **argv)
{
    fill_standard_streams();
    /* A parent may have left SIGPIPE ignored; a filter wants to end by it. */
    signal(SIGPIPE, SIG_DFL);
    cli_color_errors(cli_wants_color(STDERR_FILENO));
    return cli_finish(run(argc > 0 ? argc - 1 : 0, argv + (argc > 0)));
}
