/* SPDX-License-Identifier: MIT
 * cmd_completions.c - `ballpark completions`: what lets a shell complete these words.
 *
 * Each script holds the whole table as text: commands, their options, and what may stand
 * after each, so that completing runs no program. What an argument may be is words.c's
 * word; a shell only has its own way to say it. */
#include "page.h"

#include <string.h>

static const char *const examples[] = {"ballpark completions bash >> ~/.bashrc",
                                       "for every new bash",
                                       "ballpark completions zsh > _ballpark",
                                       "in a directory of zsh's fpath",
                                       "ballpark completions fish > ballpark.fish",
                                       "in ~/.config/fish/completions",
                                       NULL};

static const cli_use uses[] = {{OPT_END, NULL}};

const cli_page page_completions = {
    .usage = "SHELL",
    .about = "Prints a script for bash, zsh or fish that completes commands, options and "
             "their words, and files where files are meant. An installed ballpark has "
             "put all three where the shells look.",
    .examples = examples,
    .uses = uses};

/* ------------------------------------------------------------------------ what is there
 */

typedef void (*option_visit)(const cli_command *c, const cli_option_row *r,
                             const char *text);

static void each_option(const cli_command *c, option_visit visit)
{
    for (const cli_use *u = c->page->uses; u->opt != OPT_END; u++)
        visit(c, cli_option(u->opt), u->text ? u->text : cli_option(u->opt)->text);
    visit(c, cli_option(OPT_HELP), cli_option(OPT_HELP)->text);
    visit(c, cli_option(OPT_VERSION), cli_option(OPT_VERSION)->text);
}

/* Whether an operand of the command may be a file. */
static bool takes_files(const cli_command *c)
{
    cli_text arg;
    for (const char *at = c->page->usage; cli_next_argument(&at, arg);)
        if (cli_place_of(arg) == CLI_ANY_FILE)
            return true;
    return false;
}

static void put_list(const char *arg)
{
    for (const char *const *w = cli_words(arg); w && *w; w++)
        printf("%s%s", w == cli_words(arg) ? "" : " ", *w);
}

/* The words that operands may be, separated by blanks, between two texts; nothing where
 * there are none. */
static void put_operands(const cli_command *c, const char *before, const char *after)
{
    cli_text arg;
    bool found = false;
    for (const char *at = c->page->usage; cli_next_argument(&at, arg);)
        if (cli_place_of(arg) == CLI_A_WORD) {
            fputs(found ? " " : before, stdout);
            put_list(arg);
            found = true;
        }
    fputs(found ? after : "", stdout);
}

/* Text inside single quotes: each character of `special` after a backslash, and a quote
 * as `quote` says. */
static void put_quoted(const char *text, const char *special, const char *quote)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs(quote, stdout);
        else
            printf("%s%c", strchr(special, *text) ? "\\" : "", *text);
}

/* The length of the first word of a command's name. */
static int first_word(const cli_command *c)
{
    return (int)strcspn(c->name, " ");
}

/* The second word, or NULL. */
static const char *second_word(const cli_command *c)
{
    return c->name[first_word(c)] ? c->name + first_word(c) + 1 : NULL;
}

/* A family stands where its first member does. */
static bool is_first_of_name(const cli_command *c)
{
    return c == cli_commands || first_word(c) != first_word(c - 1) ||
           strncmp(c->name, c[-1].name, (size_t)first_word(c)) != 0;
}

/* Whether c stands where a family begins; its plain command, if any, is a member. */
static bool is_family(const cli_command *c)
{
    return second_word(c) && is_first_of_name(c);
}

/* The second words of the family that begins at c. */
static void put_members(const cli_command *c)
{
    for (const cli_command *m = c; m->name && (m == c || !is_first_of_name(m)); m++)
        if (second_word(m))
            printf("%s%s", m == c ? "" : " ", second_word(m));
}

/* Whether the first word of c is a command by itself. */
static const cli_command *plain_of(const cli_command *c)
{
    for (const cli_command *m = c; m->name && (m == c || !is_first_of_name(m)); m++)
        if (!second_word(m))
            return m;
    return NULL;
}

/* ------------------------------------------------------------------------------- bash */

static void bash_name(const cli_command *c, const cli_option_row *r, const char *text)
{
    (void)c;
    (void)text;
    printf(" --%s", r->name);
}

/* What stands after an option; the same in every command. */
static void bash_value(const cli_option_row *r)
{
    if (!r->arg)
        return;
    fputs("    ", stdout);
    if (r->letter)
        printf("-%c|", r->letter);
    printf("--%s) ", r->name);
    switch (cli_place_of(r->arg)) {
    case CLI_ANY_FILE:
        fputs("_ballpark_paths -f", stdout);
        break;
    case CLI_ANY_DIRECTORY:
        fputs("_ballpark_paths -d", stdout);
        break;
    case CLI_A_WORD:
        fputs("_ballpark_words '", stdout);
        put_list(r->arg);
        putchar('\'');
        break;
    default:
        putchar(':');
    }
    puts("; return ;;");
}

/* Second words: offered where one is due, part of the name once they are there. */
static void bash_families(void)
{
    puts("    if (( COMP_CWORD == 2 )); then\n        case $command in");
    for (const cli_command *c = cli_commands; c->name; c++)
        if (is_family(c)) {
            printf("        %.*s) _ballpark_words '", first_word(c), c->name);
            put_members(c);
            puts("' ;;");
        }
    puts("        esac\n    else\n        case \"$command ${COMP_WORDS[2]}\" in");
    for (const cli_command *c = cli_commands; c->name; c++)
        if (second_word(c))
            printf("        '%s') command='%s' ;;\n", c->name, c->name);
    puts("        esac\n    fi");
}

static void bash_commands(void)
{
    for (const cli_command *c = cli_commands; c->name; c++) {
        printf("    '%s')\n        options='", c->name);
        each_option(c, bash_name);
        putchar('\'');
        if (takes_files(c))
            fputs("\n        files=1", stdout);
        put_operands(c, "\n        operands='", "'");
        puts(" ;;");
    }
}

static void bash(void)
{
    puts("# bash completion for ballpark\n"
         "_ballpark_words()\n"
         "{\n"
         "    local word\n"
         "    while IFS= read -r word; do\n"
         "        COMPREPLY+=(\"$lead$word\")\n"
         "    done < <(compgen -W \"$1\" -- \"$cur\")\n"
         "}\n"
         "_ballpark_paths()\n"
         "{\n"
         "    local word\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    while IFS= read -r word; do\n"
         "        COMPREPLY+=(\"$lead$word\")\n"
         "    done < <(compgen \"$1\" -- \"$cur\")\n"
         "}\n"
         "_ballpark()\n"
         "{\n"
         "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "    local command=${COMP_WORDS[1]} options='' operands='' files='' lead=''\n"
         "    COMPREPLY=()\n"
         "    # --format=json is three words, or one where = breaks none.\n"
         "    if [[ $cur == = ]]; then\n"
         "        cur=''\n"
         "    elif [[ $prev == = ]] && (( COMP_CWORD > 2 )); then\n"
         "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "    elif [[ $cur == --*=* ]]; then\n"
         "        prev=${cur%%=*} lead=${cur%%=*}= cur=${cur#*=}\n"
         "    fi\n"
         "    if (( COMP_CWORD == 1 )); then");
    fputs("        _ballpark_words '", stdout);
    for (const cli_command *c = cli_commands; c->name; c++)
        if (is_first_of_name(c))
            printf("%.*s ", first_word(c), c->name);
    puts("--help --version'\n        return\n    fi");
    bash_families();
    puts("    case $prev in");
    for (int opt = 0; opt < OPT_END; opt++)
        bash_value(cli_option((cli_opt)opt));
    puts("    esac\n    case $command in");
    bash_commands();
    puts("    esac\n"
         "    if [[ $cur == -* ]]; then\n"
         "        _ballpark_words \"$options\"\n"
         "    elif [[ $files ]]; then\n"
         "        _ballpark_paths -f\n"
         "    else\n"
         "        _ballpark_words \"$operands\"\n"
         "    fi\n"
         "}\n"
         "complete -F _ballpark ballpark");
}

/* -------------------------------------------------------------------------------- zsh */

static void zsh_text(const char *text)
{
    put_quoted(text, "[]:\\", "'\\''");
}

/* ":ARG:" and how it is completed. */
static void zsh_value(const char *arg)
{
    printf(":%s:", arg);
    switch (cli_place_of(arg)) {
    case CLI_ANY_FILE:
        fputs("_files", stdout);
        break;
    case CLI_ANY_DIRECTORY:
        fputs("_files -/", stdout);
        break;
    case CLI_A_WORD:
        putchar('(');
        put_list(arg);
        putchar(')');
        break;
    default:
        putchar(' ');
    }
}

/* One form of an option: neither it nor the other twice. */
static void zsh_form(const cli_option_row *r, bool is_long, const char *text)
{
    fputs(" \\\n            '(", stdout);
    if (r->letter)
        printf("-%c ", r->letter);
    printf("--%s)", r->name);
    if (is_long)
        printf("--%s%s[", r->name, r->arg ? "=" : "");
    else
        printf("-%c%s[", r->letter, r->arg ? "+" : "");
    zsh_text(text);
    putchar(']');
    if (r->arg)
        zsh_value(r->arg);
    putchar('\'');
}

static void zsh_option(const cli_command *c, const cli_option_row *r, const char *text)
{
    (void)c;
    if (r->letter)
        zsh_form(r, false, text);
    zsh_form(r, true, text);
}

static void zsh_command(const cli_command *c)
{
    printf("    '%s')\n        _arguments -s -S", c->name);
    each_option(c, zsh_option);
    if (takes_files(c))
        fputs(" \\\n            '*:FILE:_files'", stdout);
    put_operands(c, " \\\n            '*:WORD:(", ")'");
    puts(" ;;");
}

static void zsh_families(void)
{
    puts("    if (( CURRENT == 3 )); then\n        case $command in");
    for (const cli_command *c = cli_commands; c->name; c++)
        if (is_family(c)) {
            printf("        %.*s) compadd -- ", first_word(c), c->name);
            put_members(c);
            puts(" ;;");
        }
    puts("        esac\n    else\n        case \"$command $words[3]\" in");
    for (const cli_command *c = cli_commands; c->name; c++)
        if (second_word(c))
            printf("        '%s') command='%s' ;;\n", c->name, c->name);
    puts("        esac\n    fi");
}

static void zsh(void)
{
    puts("#compdef ballpark\n"
         "# zsh completion for ballpark\n"
         "_ballpark()\n"
         "{\n"
         "    local command=$words[2]\n"
         "    local -a commands=(");
    for (const cli_command *c = cli_commands; c->name; c++) {
        if (!is_first_of_name(c))
            continue;
        printf("        '%.*s:", first_word(c), c->name);
        if (plain_of(c))
            zsh_text(plain_of(c)->summary);
        else
            put_members(c);
        puts("'");
    }
    puts("    )\n"
         "    if (( CURRENT == 2 )); then\n"
         "        _describe -t commands 'ballpark command' commands\n"
         "        return\n"
         "    fi");
    zsh_families();
    puts("    # _arguments sees the command's last word and what follows.\n"
         "    local -a names=(${=command})\n"
         "    shift ${#names} words\n"
         "    (( CURRENT -= ${#names} ))\n"
         "    case $command in");
    for (const cli_command *c = cli_commands; c->name; c++)
        zsh_command(c);
    puts("    esac\n"
         "}\n"
         "if [[ $funcstack[1] == _ballpark ]]; then\n"
         "    _ballpark \"$@\"\n"
         "else\n"
         "    compdef _ballpark ballpark\n"
         "fi");
}

/* ------------------------------------------------------------------------------- fish */

static void fish_text(const char *text)
{
    put_quoted(text, "\\", "\\'");
}

/* "complete" where the words begin with the command's name, and with no longer one. */
static void fish_in(const cli_command *c)
{
    printf("complete -c ballpark -n '__ballpark_in %s", c->name);
    for (const cli_command *m = cli_commands; m->name && !second_word(c); m++)
        if (cli_is_member(m, c->name))
            printf("; and not __ballpark_in %s", m->name);
    putchar('\'');
}

static void fish_option(const cli_command *c, const cli_option_row *r, const char *text)
{
    fish_in(c);
    if (r->letter)
        printf(" -s %c", r->letter);
    printf(" -l %s", r->name);
    if (r->arg)
        fputs(cli_place_of(r->arg) == CLI_ANY_FILE ? " -r -F" : " -x", stdout);
    if (r->arg && cli_place_of(r->arg) == CLI_ANY_DIRECTORY)
        fputs(" -a '(__fish_complete_directories)'", stdout);
    if (r->arg && cli_place_of(r->arg) == CLI_A_WORD) {
        fputs(" -a '", stdout);
        put_list(r->arg);
        putchar('\'');
    }
    fputs(" -d '", stdout);
    fish_text(text);
    puts("'");
}

/* The command's name, where a name is due. */
static void fish_name(const cli_command *c)
{
    if (second_word(c))
        printf("complete -c ballpark -n '__ballpark_at %.*s' -a %s", first_word(c),
               c->name, second_word(c));
    else
        printf("complete -c ballpark -n __ballpark_at -a %s", c->name);
    fputs(" -d '", stdout);
    fish_text(c->summary);
    puts("'");
    if (is_family(c) && !plain_of(c)) {
        printf("complete -c ballpark -n __ballpark_at -a %.*s -d '", first_word(c),
               c->name);
        put_members(c);
        puts("'");
    }
}

static void fish_command(const cli_command *c)
{
    fish_name(c);
    each_option(c, fish_option);
    fish_in(c);
    fputs(takes_files(c) ? " -F" : "", stdout);
    put_operands(c, " -a '", "'");
    putchar('\n');
}

static void fish(void)
{
    puts("# fish completion for ballpark\n"
         "# The words before the cursor are ballpark and these, no more.\n"
         "function __ballpark_at\n"
         "    set -l words (commandline -opc)\n"
         "    test \"$words[2..-1]\" = \"$argv\"\n"
         "end\n"
         "# They begin with these.\n"
         "function __ballpark_in\n"
         "    set -l words (commandline -opc)\n"
         "    set -l last (math 1 + (count $argv))\n"
         "    test (count $words) -ge $last; and test \"$words[2..$last]\" = \"$argv\"\n"
         "end\n"
         "complete -c ballpark -f\n"
         "complete -c ballpark -n __ballpark_at -l help -s h -l version");
    for (const cli_command *c = cli_commands; c->name; c++)
        fish_command(c);
}

/* ---------------------------------------------------------------------------- the run */

int cmd_completions(cli_options *o)
{
    static void (*const scripts[])(void) = {bash, zsh, fish};
    const char *const *shells = cli_words("SHELL");
    if (o->n_files != 1) {
        cli_error("completions: for which shell?");
        cli_hint("`ballpark completions bash`, zsh or fish");
        return CLI_ERROR;
    }
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        if (strcmp(o->files[0].name, shells[i]) == 0) {
            scripts[i]();
            return CLI_OK;
        }
    cli_error("completions: %s: there is no script for this shell", o->files[0].name);
    cli_hint("`ballpark completions bash`, zsh or fish");
    return CLI_ERROR;
}
