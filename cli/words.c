/* SPDX-License-Identifier: MIT
 * words.c - which words may stand where, and which one was meant.
 *
 * The name of an argument says what it is: FILE is a file wherever a usage or the option
 * table has it, FORMAT one of the formats. So the parser, the completions of every shell
 * and "did you mean" read the same lists. */
#include "page.h"

#include <string.h>

enum { WORD_MAX = 40, WORDS_MAX = 96 };

/* ---------------------------------------------------------------------- did you mean */

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Edits (insert, delete, change, swap neighbours) from a to b. */
static int distance(const char *a, const char *b)
{
    int n = (int)strlen(a), m = (int)strlen(b);
    int d[WORD_MAX + 1][WORD_MAX + 1];
    if (n > WORD_MAX || m > WORD_MAX)
        return WORD_MAX;
    for (int i = 0; i <= n; i++)
        d[i][0] = i;
    for (int j = 0; j <= m; j++)
        d[0][j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int x = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            x = least(x, least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                x = least(x, d[i - 2][j - 2] + 1);
            d[i][j] = x;
        }
    return d[n][m];
}

const char *cli_nearest(const char *word, const char *const *names)
{
    const char *best = NULL;
    int best_d = 0;
    for (; *names; names++) {
        int n = (int)strlen(*names), len = (int)strlen(word);
        int d = distance(word, *names);
        if (len >= 3 && len < n && strncmp(word, *names, (size_t)len) == 0)
            d = 1;
        if (d <= 1 + least(n, len) / 4 && d < n && (!best || d < best_d)) {
            best = *names;
            best_d = d;
        }
    }
    return best;
}

/* ------------------------------------------------------------------ lists of words */

/* Files that have a name of their own in some usage. */
static const char *const files[] = {"FILE", "FILTER", "SKETCH", "A", "B", NULL};
static const char *const formats[] = {"human", "plain", "csv", "json", "prom", NULL};
static const char *const colors[] = {"auto", "always", "never", NULL};
static const char *const shells[] = {"bash", "zsh", "fish", NULL};

static const char *const types[] = {"string", "int32", "int64", "float", "double", NULL};
static const char *const layouts[] = {"split512", "split256", "parquet", NULL};
static const char *const whose[] = {"ballpark", "parquet", NULL};

static const char *const *commands(void)
{
    static const char *names[WORDS_MAX];
    for (size_t i = 0; i < WORDS_MAX - 1 && cli_commands[i].name; i++)
        names[i] = cli_commands[i].name;
    return names;
}

static const char *const *topics(void)
{
    static const char *names[WORDS_MAX];
    for (size_t i = 0; i < WORDS_MAX - 1 && cli_topics[i].name; i++)
        names[i] = cli_topics[i].name;
    return names;
}

const char *const *cli_words(const char *arg)
{
    if (strcmp(arg, "FORMAT") == 0)
        return formats;
    if (strcmp(arg, "WHEN") == 0)
        return colors;
    if (strcmp(arg, "TYPE") == 0)
        return types;
    if (strcmp(arg, "LAYOUT") == 0)
        return layouts;
    if (strcmp(arg, "WHOSE") == 0)
        return whose;
    if (strcmp(arg, "SHELL") == 0)
        return shells;
    if (strcmp(arg, "NAME") == 0)
        return cli_kind_names();
    if (strcmp(arg, "COMMAND") == 0)
        return commands();
    return strcmp(arg, "TOPIC") == 0 ? topics() : NULL;
}

cli_place cli_place_of(const char *arg)
{
    for (const char *const *f = files; *f; f++)
        if (strcmp(arg, *f) == 0)
            return CLI_ANY_FILE;
    if (strcmp(arg, "DIR") == 0)
        return CLI_ANY_DIRECTORY;
    return cli_words(arg) ? CLI_A_WORD : CLI_ANY_TEXT;
}

bool cli_next_argument(const char **usage, cli_text out)
{
    static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (const char *at = *usage; *(at = at + strcspn(at, capitals));) {
        size_t n = strspn(at, capitals);
        snprintf(out, sizeof(cli_text), "%.*s", (int)n, at);
        *usage = at += n;
        if (strcmp(out, "OPTION") != 0)
            return true;
    }
    return false;
}
