/* SPDX-License-Identifier: MIT
 * options.c - argv into a cli_options.
 *
 * The rules are getopt_long's: long options by any unique prefix, --name=value and
 * --name value, bundled letters (-qf2), options after operands, `--` ends them, `-` is an
 * operand. What it adds: an option that the command does not take is told apart from one
 * that nothing takes, and every complaint names the option, the value and the mend.
 * Each name means the same in every command, so what it does to a value stands here. */
#include "cli.h"
#include "platform/lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cli_option_row rows[] = {
    {OPT_ITEMS, CLI_SKETCH, 'n', "items", "N", "how many items"},
    {OPT_FPR, CLI_SKETCH, 'p', "fpr", "P", "false positive rate: 1%, 0.01 or 1e-3"},
    {OPT_MEMORY, CLI_SKETCH, 'm', "memory", "SIZE",
     "memory: 64K, 1.5MiB (1024-based), 1MB (1000-based)"},
    {OPT_ERROR, CLI_SKETCH, 'e', "error", "E", "relative error: 1% or 0.01"},
    {OPT_DELTA, CLI_SKETCH, 0, "delta", "P",
     "how often the error may be larger: 1% or 0.01"},
    {OPT_PRECISION, CLI_SKETCH, 0, "precision", "P", "precision, 4 to 18"},
    {OPT_BITS, CLI_SKETCH, 0, "bits", "N", "size in bits"},
    {OPT_HASHES, CLI_SKETCH, 0, "hashes", "N", "probes per item"},
    {OPT_WIDTH, CLI_SKETCH, 0, "width", "N", "counters a row"},
    {OPT_DEPTH, CLI_SKETCH, 0, "depth", "N", "rows of counters"},
    {OPT_CONFIDENCE, CLI_OUTPUT, 0, "confidence", "C",
     "confidence of the bounds: 95 (the default) or 0.95"},
    {OPT_KIND, CLI_SKETCH, 'k', "kind", "NAME", "kind of sketch"},
    {OPT_FIELD, CLI_INPUT, 'f', "field", "LIST",
     "the item is these fields, not the whole line: 2, 1,3-4, 3-, or with -H names"},
    {OPT_DELIMITER, CLI_INPUT, 'd', "delimiter", "TEXT",
     "what separates fields (\\t is a tab); without it, runs of blanks"},
    {OPT_CSV, CLI_INPUT, 0, "csv", NULL,
     "comma-separated fields, quoted as RFC 4180 has it, line ends in quotes too"},
    {OPT_TSV, CLI_INPUT, 0, "tsv", NULL, "fields separated by tabs: as -d '\\t'"},
    {OPT_HEADER, CLI_INPUT, 'H', "header", NULL,
     "the first line of each file names the fields, and is no item"},
    {OPT_ZERO, CLI_INPUT, 'z', "zero-terminated", NULL,
     "lines end with a NUL byte, not a newline"},
    {OPT_FILES0, CLI_INPUT, 0, "files0-from", "FILE",
     "read the files that FILE names, each ended by a NUL byte; - is stdin"},
    {OPT_WEIGHT, CLI_INPUT, 'w', "weight", "FIELD",
     "count each line as often as the whole number in FIELD says"},
    {OPT_TRIM, CLI_INPUT, 0, "trim", NULL, "blanks around the item are not part of it"},
    {OPT_IGNORE_CASE, CLI_INPUT, 'i', "ignore-case", NULL,
     "A to Z count as a to z (ASCII letters only)"},
    {OPT_GROUP, CLI_INPUT, 'g', "group", "FIELD",
     "one answer for each different value of FIELD"},
    {OPT_OUTPUT, CLI_OUTPUT, 'o', "output", "FILE",
     "write the sketch to FILE, replaced whole or not at all"},
    {OPT_OUTPUT_DIR, CLI_OUTPUT, 0, "output-dir", "DIR",
     "with -g: write a file for each group in DIR"},
    {OPT_STATE, CLI_OUTPUT, 's', "state", "FILE",
     "add to what FILE holds, and save it there again; it is made when missing"},
    {OPT_SEED, CLI_SKETCH, 0, "seed", "N", "seed of the hash; 0 unless given"},
    {OPT_KEY_FILE, CLI_SKETCH, 0, "key-file", "FILE",
     "hash with SipHash and the 128-bit key in FILE (16 bytes, or 32 hex digits): for "
     "input that an attacker chooses"},
    {OPT_LAYOUT, CLI_SKETCH, 0, "layout", "LAYOUT",
     "a blocked_bloom of this layout: split512, split256 or parquet"},
    {OPT_STATIC, CLI_SKETCH, 0, "static", NULL, "a filter of a set that is complete"},
    {OPT_DELETABLE, CLI_SKETCH, 0, "deletable", NULL,
     "a filter that items can be taken out of again"},
    {OPT_GROWING, CLI_SKETCH, 0, "growing", NULL,
     "a filter of a set of which nobody knows how large it will be"},
    {OPT_EXACT, CLI_SKETCH, 0, "exact", NULL,
     "exact answers, in memory that grows with the different items"},
    {OPT_EXACT_FILE, CLI_INPUT, 0, "exact", "FILE",
     "check each yes against FILE, which has all the items"},
    {OPT_OTHER_FIELD, CLI_INPUT, 0, "other-field", "LIST",
     "what -f is for the input, for the other file"},
    {OPT_NO_FEEDBACK, CLI_OUTPUT, 0, "no-feedback", NULL,
     "do not keep in the filter how often it was wrong"},
    {OPT_EXPLAIN, CLI_OTHER, 0, "explain", NULL,
     "say on stderr which sketch was chosen, why, its bound, and what the environment "
     "set"},
    {OPT_KEYS_FROM, CLI_INPUT, 0, "keys-from", "FILE",
     "ask for each line of FILE; - is stdin"},
    {OPT_ONLY, CLI_INPUT, 0, "only", "GROUP", "of a file of groups: this one alone"},
    {OPT_VERIFY, CLI_OTHER, 0, "verify", NULL,
     "verify only: say which files are whole, or the byte where one is damaged"},
    {OPT_TYPE, CLI_INPUT, 0, "type", "TYPE",
     "what lines are the text of: string, int32, int64, float or double"},
    {OPT_TO, CLI_OUTPUT, 0, "to", "WHOSE", "in whose bytes: ballpark's or parquet's"},
    {OPT_FOLD, CLI_SKETCH, 0, "fold", "BLOCKS",
     "make it as small as so many blocks, a divisor of those it has"},
    {OPT_FOLLOW, CLI_OUTPUT, 'F', "follow", NULL,
     "show the answer so far again and again, until the input ends"},
    {OPT_EVERY, CLI_OUTPUT, 0, "every", "TIME",
     "with --follow: how often: 10s (the default), 500ms, 2m"},
    {OPT_PROGRESS, CLI_OTHER, 0, "progress", NULL,
     "after a second: how far, how fast and how long yet, on stderr when it is a "
     "terminal"},
    {OPT_COLOR, CLI_OUTPUT, 0, "color", "WHEN",
     "auto, always or never; auto: on a terminal, unless NO_COLOR is set"},
    {OPT_THREADS, CLI_OTHER, 't', "threads", "N", "threads (default: one a core)"},
    {OPT_FORMAT, CLI_OUTPUT, 0, "format", "FORMAT",
     "human, plain, csv, json or prom; a terminal gets human, anything else plain"},
    {OPT_QUIET, CLI_OTHER, 'q', "quiet", NULL, "no remarks on stderr, only errors"},
    {OPT_INVERT, CLI_OUTPUT, 'v', "invert-match", NULL,
     "select the lines that do not match"},
    {OPT_COUNT, CLI_OUTPUT, 'c', "count", NULL,
     "print only how many lines were selected"},
    {OPT_VERBOSE, CLI_OTHER, 0, "verbose", NULL,
     "say on stderr what was chosen and what it cost"},
    {OPT_SKIP_BAD, CLI_INPUT, 0, "skip-bad", NULL,
     "lines without the field, or with a bad weight, are no error"},
    {OPT_HELP, CLI_OTHER, 'h', "help", NULL,
     "-h: the options; --help: all there is to say"},
    {OPT_VERSION, CLI_OTHER, 0, "version", NULL, "the version"},
};
enum { ROWS = sizeof rows / sizeof *rows, THREADS_MAX = 1024 };
_Static_assert((int)OPT_END == (int)ROWS,
               "a row for every option, in the order of cli_opt");
_Static_assert(OPT_END <= 64, "cli_options.given has a bit for each option");

const cli_option_row *cli_option(cli_opt opt)
{
    return &rows[opt];
}

/* ------------------------------------------------------------------------ environment */

enum { ENV_MOST = 16 };
static const char *env_names[ENV_MOST];

const char *cli_env(const char *name)
{
    for (size_t i = 0; i < ENV_MOST; i++) {
        if (!env_names[i])
            env_names[i] = name;
        if (strcmp(env_names[i], name) == 0)
            break;
    }
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

const char *cli_env_name(size_t i)
{
    return i < ENV_MOST ? env_names[i] : NULL;
}

/* ---------------------------------------------------------------------------- values */

typedef struct parser {
    cli_options *o;
    const cli_page *page;
    int argc;
    char **argv;
    int at;
    int *code;
} parser;

/* "ballpark: distinct: --precision 40: must be 4 to 18" */
static bool refuse(parser *p, const cli_option_row *r, const char *value, const char *why)
{
    cli_error("%s: --%s %s: %s", p->o->command->name, r->name, *value ? value : "''",
              why);
    return false;
}

static bool whole_value(parser *p, const cli_option_row *r, const char *v,
                        uint64_t least_, uint64_t most, uint64_t *out)
{
    uint64_t n = 0;
    const char *wrong = cli_read_count(v, &n);
    if (wrong)
        return refuse(p, r, v, wrong);
    if (n >= least_ && n <= most) {
        *out = n;
        return true;
    }
    char why[96];
    if (most == UINT64_MAX)
        snprintf(why, sizeof why, "must be at least %llu", (unsigned long long)least_);
    else
        snprintf(why, sizeof why, "must be %llu to %llu", (unsigned long long)least_,
                 (unsigned long long)most);
    return refuse(p, r, v, why);
}

static bool small_value(parser *p, const cli_option_row *r, const char *v,
                        uint32_t least_, uint32_t most, uint32_t *out)
{
    uint64_t n = 0;
    if (!whole_value(p, r, v, least_, most, &n))
        return false;
    *out = (uint32_t)n;
    return true;
}

static bool real_value(parser *p, const cli_option_row *r, const char *v,
                       const char *(*read)(const char *, double *), double *out)
{
    const char *wrong = read(v, out);
    return wrong ? refuse(p, r, v, wrong) : true;
}

static bool fraction_value(parser *p, const cli_option_row *r, const char *v, double *out)
{
    if (real_value(p, r, v, cli_read_fraction, out))
        return true;
    const double x = strspn(v, "0123456789.") == strlen(v) ? strtod(v, NULL) : 0;
    if (x >= 1 && x < 100)
        cli_hint("did you mean %s%%?", v);
    return false;
}

static bool memory_value(parser *p, const cli_option_row *r, const char *v)
{
    const char *wrong = cli_read_size(v, &p->o->memory);
    if (!wrong && p->o->memory == 0)
        wrong = "must be at least 1 byte";
    return wrong ? refuse(p, r, v, wrong) : true;
}

/* "a, b" gets ", c" when there is room for it. */
static void enlist(char *list, size_t size, const char *word)
{
    if (strlen(list) + strlen(word) + 3 > size)
        return;
    strcat(list, *list ? ", " : "");
    strcat(list, word);
}

static bool kind_value(parser *p, const cli_option_row *r, const char *v)
{
    p->o->kind = cli_kind_by_name(v);
    if (p->o->kind)
        return true;
    refuse(p, r, v, "there is no such kind of sketch");
    const char *near = cli_nearest(v, cli_words(r->arg));
    char list[256] = "";
    const bool builds = strcmp(p->o->command->name, "filter build") == 0;
    for (size_t i = 0; bp_any_kind_at(i); i++)
        if (!builds || bp_any_kind_at(i)->family == BP_FAMILY_MEMBERSHIP)
            enlist(list, sizeof list, bp_any_kind_at(i)->name);
    if (near)
        cli_hint("did you mean %s?", near);
    else
        cli_hint("there are %s", list);
    return false;
}

/* \t, \0 and \\ are understood, since a shell makes them hard to type. */
static bool delimiter_value(parser *p, const cli_option_row *r, char *v)
{
    size_t n = 0;
    for (size_t i = 0; v[i]; i++) {
        char c = v[i];
        if (c == '\\' && v[i + 1] && strchr("t0\\", v[i + 1]))
            c = v[++i] == 't' ? '\t' : v[i] == '0' ? '\0' : '\\';
        v[n++] = c;
    }
    p->o->delimiter = (bp_bytes){v, n};
    if (n == 0)
        return refuse(p, r, "''", "is empty; leave -d away to split at runs of blanks");
    if (memchr(v, '\n', n) || strcmp(v, "\\n") == 0)
        return refuse(p, r, "'\\n'", "a line has no line end inside it");
    return true;
}

/* One of the words that its argument may be, by number. */
static bool word_value(parser *p, const cli_option_row *r, const char *v, unsigned *out)
{
    const char *const *names = cli_words(r->arg);
    char must[128] = "must be";
    for (unsigned i = 0; names[i]; i++) {
        const size_t n = strlen(must);
        if (strcmp(v, names[i]) == 0) {
            *out = i;
            return true;
        }
        snprintf(must + n, sizeof must - n, "%s %s",
                 i == 0         ? ""
                 : names[i + 1] ? ","
                                : " or",
                 names[i]);
    }
    refuse(p, r, v, must);
    const char *near = cli_nearest(v, names);
    if (near)
        cli_hint("did you mean %s?", near);
    return false;
}

static bool text_value(parser *p, const cli_option_row *r, const char *v,
                       const char **out)
{
    if (*v == '\0')
        return refuse(p, r, "''", "is empty");
    *out = v;
    return true;
}

static bool file_value(parser *p, const cli_option_row *r, const char *v,
                       const char **out)
{
    if (*v == '\0')
        return refuse(p, r, "''", "names no file");
    *out = v;
    return true;
}

static bool color_value(parser *p, const cli_option_row *r, const char *v)
{
    if (strcmp(v, "auto") == 0)
        p->o->color = cli_wants_color(STDOUT_FILENO);
    else if (strcmp(v, "always") == 0)
        p->o->color = true;
    else if (strcmp(v, "never") == 0)
        p->o->color = false;
    else
        return refuse(p, r, v, "must be auto, always or never");
    cli_color_errors(strcmp(v, "auto") == 0 ? cli_wants_color(STDERR_FILENO)
                                            : p->o->color);
    return true;
}

static bool threads_value(parser *p, const cli_option_row *r, const char *v)
{
    uint64_t n = 1;
    if (!whole_value(p, r, v, 1, THREADS_MAX, &n))
        return false;
    p->o->threads = (unsigned)n;
    return true;
}

/* Of the options that take no value. */
static bool *flag_of(cli_options *o, cli_opt opt)
{
    switch (opt) {
    case OPT_CSV:
        return &o->csv;
    case OPT_TSV:
        return &o->tsv;
    case OPT_HEADER:
        return &o->header;
    case OPT_ZERO:
        return &o->zero;
    case OPT_TRIM:
        return &o->trim;
    case OPT_IGNORE_CASE:
        return &o->ignore_case;
    case OPT_STATIC:
        return &o->is_static;
    case OPT_DELETABLE:
        return &o->deletable;
    case OPT_GROWING:
        return &o->growing;
    case OPT_EXACT:
        return &o->exact;
    case OPT_EXPLAIN:
        return &o->explain;
    case OPT_VERIFY:
        return &o->verify;
    case OPT_FOLLOW:
        return &o->follow;
    case OPT_PROGRESS:
        return &o->progress;
    case OPT_QUIET:
        return &o->quiet;
    case OPT_INVERT:
        return &o->invert;
    case OPT_NO_FEEDBACK:
        return &o->no_feedback;
    case OPT_COUNT:
        return &o->count;
    case OPT_VERBOSE:
        return &o->verbose;
    default:
        return &o->skip_bad;
    }
}

/* Stores one option's value: for those that take none, v is NULL. */
static bool store(parser *p, const cli_option_row *r, char *v)
{
    cli_options *o = p->o;
    switch (r->opt) {
    case OPT_ITEMS:
        return whole_value(p, r, v, 0, UINT64_MAX, &o->items);
    case OPT_FPR:
        return fraction_value(p, r, v, &o->fpr);
    case OPT_MEMORY:
        return memory_value(p, r, v);
    case OPT_ERROR:
        return fraction_value(p, r, v, &o->error);
    case OPT_DELTA:
        return fraction_value(p, r, v, &o->delta);
    case OPT_PRECISION:
        return small_value(p, r, v, 4, 18, &o->precision);
    case OPT_BITS:
        return whole_value(p, r, v, 8, UINT64_MAX, &o->bits);
    case OPT_HASHES:
        return small_value(p, r, v, 1, 64, &o->hashes);
    case OPT_WIDTH:
        return whole_value(p, r, v, 1, UINT64_MAX, &o->width);
    case OPT_DEPTH:
        return small_value(p, r, v, 1, 32, &o->depth);
    case OPT_CONFIDENCE:
        return real_value(p, r, v, cli_read_confidence, &o->confidence);
    case OPT_KIND:
        return kind_value(p, r, v);
    case OPT_FIELD:
        return text_value(p, r, v, &o->field);
    case OPT_DELIMITER:
        return delimiter_value(p, r, v);
    case OPT_OUTPUT:
        return file_value(p, r, v, &o->output);
    case OPT_OUTPUT_DIR:
        return file_value(p, r, v, &o->output_dir);
    case OPT_STATE:
        return file_value(p, r, v, &o->state);
    case OPT_FILES0:
        return file_value(p, r, v, &o->files0);
    case OPT_KEY_FILE:
        return file_value(p, r, v, &o->key_file);
    case OPT_KEYS_FROM:
        return file_value(p, r, v, &o->keys_from);
    case OPT_EXACT_FILE:
        return file_value(p, r, v, &o->exact_file);
    case OPT_OTHER_FIELD:
        return text_value(p, r, v, &o->other_field);
    case OPT_GROUP:
        return text_value(p, r, v, &o->group);
    case OPT_WEIGHT:
        return text_value(p, r, v, &o->weight);
    case OPT_ONLY:
        o->only = v; /* a group may be empty */
        return true;
    case OPT_TYPE:
        return word_value(p, r, v, &o->type);
    case OPT_LAYOUT:
        return word_value(p, r, v, &o->layout);
    case OPT_TO:
        return word_value(p, r, v, &o->to);
    case OPT_FOLD:
        return whole_value(p, r, v, 1, UINT64_MAX, &o->fold);
    case OPT_SEED:
        return whole_value(p, r, v, 0, UINT64_MAX, &o->seed);
    case OPT_EVERY:
        return real_value(p, r, v, cli_read_duration, &o->every);
    case OPT_COLOR:
        return color_value(p, r, v);
    case OPT_THREADS:
        return threads_value(p, r, v);
    case OPT_FORMAT:
        return word_value(p, r, v, &o->format);
    default:
        return *flag_of(o, r->opt) = true;
    }
}

/* ---------------------------------------------------------------------------- parsing */

static bool accepts(const cli_page *page, cli_opt opt)
{
    if (opt == OPT_HELP || opt == OPT_VERSION)
        return true;
    for (const cli_use *u = page->uses; u->opt != OPT_END; u++)
        if (u->opt == opt)
            return true;
    return false;
}

/* One name may be an option of commands and take a value in others. */
static bool accepts_name(const cli_page *page, const char *name)
{
    for (const cli_option_row *r = rows; r < rows + ROWS; r++)
        if (strcmp(r->name, name) == 0 && accepts(page, r->opt))
            return true;
    return false;
}

/* Names the commands that do take the option. */
static bool not_here(parser *p, const cli_option_row *r, const char *as_typed)
{
    char list[256] = "";
    for (const cli_command *c = cli_commands; c->name; c++)
        if (accepts_name(c->page, r->name))
            enlist(list, sizeof list, c->name);
    cli_error("%s: %s: not an option of this command", p->o->command->name, as_typed);
    if (*list)
        cli_hint("--%s is for: %s", r->name, list);
    return false;
}

/* --json, for --format json. */
static bool is_format(const char *name)
{
    const char *const *w = cli_words("FORMAT");
    while (*w && strcmp(*w, name) != 0)
        w++;
    return *w != NULL;
}

static bool unknown(parser *p, const char *as_typed, const char *name)
{
    const char *names[ROWS + 1] = {NULL};
    size_t n = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (accepts(p->page, rows[i].opt))
            names[n++] = rows[i].name;
    cli_error("%s: %s: there is no such option", p->o->command->name, as_typed);
    const char *near = name ? cli_nearest(name, names) : NULL;
    if (name && is_format(name) && accepts(p->page, OPT_FORMAT))
        cli_hint("did you mean --format %s?", name);
    else if (near)
        cli_hint("did you mean --%s?", near);
    else if (isdigit((unsigned char)as_typed[1]) && accepts(p->page, OPT_ITEMS))
        cli_hint("a number of items, or of rows, is -n N");
    else
        cli_hint("`ballpark %s -h` lists the options", p->o->command->name);
    return false;
}

/* The row that `name` (n bytes) stands for: exact, or a unique prefix among those the
 * command takes. NULL after printing why not. */
static const cli_option_row *find_long(parser *p, const char *name, size_t n)
{
    const cli_option_row *found = NULL, *elsewhere = NULL, *second = NULL;
    cli_text word;
    snprintf(word, sizeof word, "--%.*s", (int)(n < 40 ? n : 40), name);
    for (const cli_option_row *r = rows; r < rows + ROWS; r++) {
        if (n == 0 || strncmp(r->name, name, n) != 0)
            continue;
        bool exact = r->name[n] == '\0', here = accepts(p->page, r->opt);
        if (exact && here)
            return r;
        if (!here)
            elsewhere = exact || !elsewhere ? r : elsewhere;
        else if (found)
            second = r;
        else
            found = r;
    }
    if (second) {
        cli_error("%s: %s: could be --%s or --%s", p->o->command->name, word, found->name,
                  second->name);
        return NULL;
    }
    if (elsewhere && (!found || elsewhere->name[n] == '\0'))
        not_here(p, elsewhere, word);
    else if (!found)
        unknown(p, word, word + 2);
    else
        return found;
    return NULL;
}

static bool show_help(parser *p, bool is_long)
{
    if (is_long)
        cli_help_long(p->o->command, stdout);
    else
        cli_help_short(p->o->command, stdout);
    *p->code = CLI_OK;
    return false;
}

static bool missing_value(parser *p, const cli_option_row *r)
{
    cli_error("%s: --%s: needs a value: --%s=%s", p->o->command->name, r->name, r->name,
              r->arg);
    cli_hint("%s", r->text);
    return false;
}

static bool take(parser *p, const cli_option_row *r, char *value)
{
    if (r->opt == OPT_VERSION) {
        cli_print_version(stdout);
        *p->code = CLI_OK;
        return false;
    }
    if (r->arg && !value) {
        if (p->at >= p->argc)
            return missing_value(p, r);
        value = p->argv[p->at++];
    }
    if (r->opt == OPT_FIELD && cli_given(p->o, OPT_FIELD)) {
        cli_error("%s: --field %s: given twice", p->o->command->name, value);
        cli_hint("-f %s,%s makes one item of both", p->o->field, value);
        return false;
    }
    if (!store(p, r, value))
        return false;
    p->o->given |= (uint64_t)1 << r->opt;
    return true;
}

static bool long_option(parser *p, char *text)
{
    char *equals = strchr(text, '=');
    size_t n = equals ? (size_t)(equals - text) : strlen(text);
    const cli_option_row *r = find_long(p, text, n);
    if (!r)
        return false;
    if (equals && !r->arg) {
        cli_error("%s: --%s: takes no value (given: %s)", p->o->command->name, r->name,
                  equals + 1);
        return false;
    }
    if (r->opt == OPT_HELP)
        return show_help(p, true);
    return take(p, r, equals ? equals + 1 : NULL);
}

/* -qf2 is -q -f 2. */
static bool letters(parser *p, char *text)
{
    for (; *text; text++) {
        const cli_option_row *r = NULL, *elsewhere = NULL;
        for (const cli_option_row *i = rows; i < rows + ROWS; i++)
            if (i->letter == *text && accepts(p->page, i->opt))
                r = i;
            else if (i->letter == *text)
                elsewhere = i;
        char word[3] = {'-', *text, '\0'};
        if (!r)
            return elsewhere ? not_here(p, elsewhere, word) : unknown(p, word, NULL);
        if (r->opt == OPT_HELP)
            return show_help(p, false);
        bool rest = r->arg && text[1];
        if (!take(p, r, rest ? text + 1 : NULL))
            return false;
        if (r->arg)
            break;
    }
    return true;
}

static void operand(parser *p, char *text)
{
    p->o->files[p->o->n_files++] = (cli_file){text, -1};
}

static bool parse_all(parser *p)
{
    while (p->at < p->argc) {
        char *text = p->argv[p->at++];
        if (strcmp(text, "--") == 0)
            break;
        bool ok = true;
        if (text[0] != '-' || text[1] == '\0')
            operand(p, text);
        else
            ok = text[1] == '-' ? long_option(p, text + 2) : letters(p, text + 1);
        if (!ok)
            return false;
    }
    while (p->at < p->argc)
        operand(p, p->argv[p->at++]);
    return true;
}

static bool clash(const cli_options *o, const char *what, const char *mend)
{
    cli_error("%s: %s", o->command->name, what);
    cli_hint("%s", mend);
    return false;
}

/* What separates fields, and lines, must be said once. */
static bool is_delimiter(const cli_options *o, char c)
{
    return *(const char *)o->delimiter.ptr == c;
}

static bool check_separators(cli_options *o)
{
    const bool has_fields =
        o->field || o->other_field || o->group || o->weight || o->header;
    if (o->csv && o->tsv)
        return clash(o, "--csv and --tsv: fields are separated by one or the other",
                     "--csv is for commas and quotes, --tsv for tabs");
    if (cli_given(o, OPT_DELIMITER) && o->tsv)
        return clash(o, "--delimiter and --tsv: both say what separates fields",
                     "--tsv is -d '\\t'");
    if (o->csv && o->delimiter.len > 1)
        return clash(o, "--delimiter: with --csv it is one byte",
                     "leave --csv away when there are no quotes");
    if (o->csv && o->delimiter.len && (is_delimiter(o, '"') || is_delimiter(o, '\r')))
        return clash(o, "--delimiter: with --csv it is neither a quote nor a line end",
                     "the usual ones are -d ';' and -d '|'");
    if (o->csv && o->zero)
        return clash(o, "--csv and --zero-terminated: CSV records end with a newline",
                     "-d ',' -z splits NUL-ended lines at every comma");
    if (cli_given(o, OPT_DELIMITER) && !has_fields && !o->csv)
        return clash(o, "--delimiter: says how to split, but no field is asked for",
                     "add -f N for the N-th field");
    if (o->tsv)
        o->delimiter = (bp_bytes){"\t", 1};
    if (o->csv && !cli_given(o, OPT_DELIMITER))
        o->delimiter = (bp_bytes){",", 1};
    return true;
}

static bool check_follow(const cli_options *o)
{
    if (cli_given(o, OPT_EVERY) && !o->follow)
        return clash(o, "--every: says how often, but nothing is followed",
                     "add --follow (-F)");
    return true;
}

static bool read_list(parser *p, cli_opt opt, const char *text, cli_fields *out)
{
    const char *wrong = text ? cli_read_fields(text, p->o->header, out) : NULL;
    if (!wrong)
        return true;
    refuse(p, cli_option(opt), text, wrong);
    cli_hint("a list of fields is 2, 1,3-4, 3- or -2");
    return false;
}

/* What fields the lists mean, which -H decides too. */
static bool check_fields(parser *p)
{
    cli_options *o = p->o;
    static const cli_opt opts[CLI_PARTS] = {OPT_FIELD, OPT_GROUP, OPT_WEIGHT};
    const char *const texts[CLI_PARTS] = {o->field, o->group, o->weight};
    for (int i = 0; i < CLI_PARTS; i++) {
        if (!read_list(p, opts[i], texts[i], &o->fields[i]))
            return false;
    }
    if (!read_list(p, OPT_OTHER_FIELD, o->other_field, &o->other_fields))
        return false;
    const cli_range *w = o->fields[CLI_OF_WEIGHT].ranges;
    if (o->fields[CLI_OF_WEIGHT].n > 1 || (w && w->first != w->last))
        return refuse(p, cli_option(OPT_WEIGHT), o->weight, "a weight is one field");
    return true;
}

bool cli_parse(cli_options *o, const cli_command *command, int argc, char **argv,
               int *code)
{
    unsigned cores = cli_cores();
    memset(o, 0, sizeof *o);
    o->command = command;
    o->confidence = 0.95;
    o->threads = cores > THREADS_MAX ? THREADS_MAX : cores;
    o->every = 10;
    o->format = isatty(1) ? CLI_HUMAN : CLI_PLAIN;
    o->color = cli_wants_color(STDOUT_FILENO);
    o->out = stdout;
    *code = CLI_ERROR;
    o->files = calloc((size_t)argc + 1, sizeof *o->files);
    if (!o->files) {
        cli_error("out of memory");
        return false;
    }
    parser p = {o, command->page, argc, argv, 0, code};
    return parse_all(&p) && check_separators(o) && check_fields(&p) && check_follow(o) &&
           cli_take_files0(o) == CLI_OK;
}

void cli_default_stdin(cli_options *o)
{
    if (o->n_files == 0 && !o->files0)
        o->files[o->n_files++] = (cli_file){"-", -1};
}

void cli_options_free(cli_options *o)
{
    for (size_t i = 0; i < o->n_files; i++)
        if (o->files[i].fd >= 0)
            close(o->files[i].fd);
    for (int i = 0; i < CLI_PARTS; i++)
        cli_fields_free(&o->fields[i]);
    cli_fields_free(&o->other_fields);
    free(o->files);
    free(o->file_names);
    o->files = NULL;
    o->file_names = NULL;
}
