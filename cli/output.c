/* SPDX-License-Identifier: MIT
 * output.c - everything that leaves: errors, stdout, JSON, and files that are replaced
 * whole or not at all.
 *
 * A file is written under a temporary name in the same directory, made durable, and only
 * then renamed: at every instant the old or the new one is there. What goes wrong, a
 * signal included, removes the temporary; only a kill that cannot be caught leaves one,
 * and its name says whose it was. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ----------------------------------------------------------------------------- errors */

static bool is_coloured; /* what goes to stderr */

bool cli_wants_color(int fd)
{
    return cli_terminal_obeys(fd) && !cli_env("NO_COLOR");
}

void cli_color_errors(bool is_wanted)
{
    is_coloured = is_wanted && cli_terminal_obeys(STDERR_FILENO);
}

/* A message may quote what a stranger named a file; a terminal would obey the bytes of
 * it. No memory is asked for: that there is none may be the message. */
static void put_harmless(const char *fmt, va_list args)
{
    char text[8192];
    if (vsnprintf(text, sizeof text, fmt, args) >= (int)sizeof text)
        strcpy(text + sizeof text - 4, "...");
    for (const char *p = text; *p;) {
        size_t n = 0;
        while ((unsigned char)p[n] >= ' ' && p[n] != 127)
            n++;
        fwrite(p, 1, n, stderr);
        p += n;
        if (*p)
            fprintf(stderr, "\\x%02x", (unsigned char)*p++);
    }
}

static void say(const char *style, const char *prefix, const char *fmt, va_list args)
{
    cli_progress_hide();
    fflush(stdout);
    cli_follow_break();
    flockfile(stderr);
    fprintf(stderr, is_coloured && *style ? "%s%s" CLI_PLAINLY : "%s%s",
            is_coloured ? style : "", prefix);
    put_harmless(fmt, args);
    fputc('\n', stderr);
    funlockfile(stderr);
    cli_progress_show();
}

int cli_error(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say("\033[1;31m", "ballpark: ", fmt, args);
    va_end(args);
    return CLI_ERROR;
}

void cli_warn(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say("\033[1;33m", "ballpark: warning: ", fmt, args);
    va_end(args);
}

void cli_hint(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say("\033[1;36m", "hint: ", fmt, args);
    va_end(args);
}

void cli_note(const struct cli_options *o, const char *fmt, ...)
{
    va_list args;
    if (o->quiet)
        return;
    va_start(args, fmt);
    say("", "", fmt, args);
    va_end(args);
}

int cli_errno(const char *subject)
{
    return cli_error("%s: %s", subject, strerror(errno));
}

/* The two numbers that do not fit together, in words; a 0 for the second is none. */
static void put_numbers(char *to, size_t room, bp_status st, const bp_detail *why)
{
    const unsigned long long have = why->have, want = why->want;
    if (st == BP_NOMEM && want)
        snprintf(to, room, " (%llu bytes)", want);
    else if (st == BP_MISMATCH)
        snprintf(to, room, " (%llu against %llu)", have, want);
    else if (!want)
        snprintf(to, room, " (got %llu)", have);
    else
        snprintf(to, room,
                 st == BP_PARAM ? " (got %llu; %llu would do)"
                                : " (got %llu, expected %llu)",
                 have, want);
}

int cli_library_error(const char *subject, bp_status st, const bp_detail *why)
{
    char numbers[96] = "", where[48] = "";
    const char *what = why && why->what ? why->what : bp_status_text(st);
    if (why && (why->have || why->want))
        put_numbers(numbers, sizeof numbers, st, why);
    if (why && (st == BP_CORRUPT || st == BP_VERSION))
        snprintf(where, sizeof where, ", at byte %llu", (unsigned long long)why->at);
    return cli_error("%s: %s%s%s", subject, what, numbers, where);
}

/* ----------------------------------------------------------------------------- stdout */

int cli_finish(int code)
{
    cli_progress_end();
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout) && fclose(stdout) == 0)
        return code;
    if (errno)
        return cli_errno("standard output");
    return cli_error("standard output: could not be written");
}

void cli_stop(int code)
{
    exit(cli_finish(code));
}

void cli_print_line(const cli_options *o, bp_bytes line)
{
    fwrite_unlocked(line.ptr, 1, line.len, stdout);
    putc_unlocked(o->zero ? '\0' : '\n', stdout);
}

int cli_print_json(json_t *object)
{
    char *text = object ? json_dumps(object, JSON_REAL_PRECISION(15)) : NULL;
    json_decref(object);
    if (!text)
        return cli_error("out of memory");
    puts(text);
    free(text);
    return CLI_OK;
}

json_t *cli_json_count(uint64_t n)
{
    char text[24];
    if (n <= INT64_MAX)
        return json_integer((json_int_t)n);
    snprintf(text, sizeof text, "%llu", (unsigned long long)n);
    return json_string(text);
}

json_t *cli_json_real(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *cli_json_whole(double x)
{
    if (!isfinite(x))
        return json_null();
    if (x < 18446744073709549568.0)
        return cli_json_count(x > 0 ? (uint64_t)x : 0);
    return json_real(x);
}

int cli_json_set_estimate(json_t *object, const bp_estimate *e)
{
    return json_object_set_new(object, "estimate",
                               cli_json_whole(floor(e->value + 0.5))) |
           json_object_set_new(object, "lower", cli_json_whole(floor(e->lower))) |
           json_object_set_new(object, "upper", cli_json_whole(ceil(e->upper)));
}

static char *base64(bp_bytes b)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *p = b.ptr;
    char *text = malloc(b.len / 3 * 4 + 5), *to = text;
    for (size_t i = 0; text && i < b.len; i += 3) {
        size_t left = b.len - i;
        uint32_t v = (uint32_t)p[i] << 16;
        v |= left > 1 ? (uint32_t)p[i + 1] << 8 : 0;
        v |= left > 2 ? p[i + 2] : 0;
        *to++ = digits[v >> 18];
        *to++ = digits[v >> 12 & 63];
        *to++ = left > 1 ? digits[v >> 6 & 63] : '=';
        *to++ = left > 2 ? digits[v & 63] : '=';
    }
    if (text)
        *to = '\0';
    return text;
}

int cli_json_set_item(json_t *object, const char *name, bp_bytes item)
{
    char coded_name[64];
    /* jansson refuses what is not UTF-8, and only that (or for want of memory, which
     * base64 then meets too). */
    json_t *text = json_stringn(item.len ? item.ptr : "", item.len);
    if (text)
        return json_object_set_new(object, name, text);
    snprintf(coded_name, sizeof coded_name, "%s_base64", name);
    char *coded = base64(item);
    int bad = !coded || json_object_set_new(object, coded_name, json_string(coded));
    free(coded);
    return bad ? -1 : 0;
}

/* ------------------------------------------------------------------ files, all or none
 */

/* The temporary that a signal must remove. Written before the handler can see it. */
static char *volatile doomed;

void cli_save_abandon(void)
{
    char *name = doomed;
    if (name)
        unlink(name);
}

static void remove_doomed(int sig)
{
    cli_save_abandon();
    signal(sig, SIG_DFL);
    raise(sig);
}

/* Blocks the signals that end a run while the temporary's name changes hands. */
static void guard(char *name)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction sa;
    doomed = name;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        sigaction(ends[i], NULL, &sa);
        if (sa.sa_handler == SIG_IGN)
            continue;
        sa.sa_handler = name ? remove_doomed : SIG_DFL;
        sa.sa_flags = 0;
        sigemptyset(&sa.sa_mask);
        sigaction(ends[i], &sa, NULL);
    }
}

static bool write_all(int fd, const void *bytes, size_t n)
{
    const char *p = bytes;
    while (n > 0) {
        ssize_t w = write(fd, p, n < ((size_t)1 << 30) ? n : (size_t)1 << 30);
        if (w < 0 && errno == EINTR)
            continue;
        if (w <= 0) {
            errno = w == 0 ? ENOSPC : errno;
            return false;
        }
        p += w;
        n -= (size_t)w;
    }
    return true;
}

/* The directory that path is in, for the caller to free; NULL without memory. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path))
                 : strdup(".");
}

/* What the symbolic link at path names, seen from where path is seen; NULL: no link. */
static char *link_of(const char *path)
{
    char to[PATH_MAX];
    ssize_t n = readlink(path, to, sizeof to);
    const char *slash = strrchr(path, '/');
    size_t before = n > 0 && to[0] != '/' && slash ? (size_t)(slash + 1 - path) : 0;
    char *full = n > 0 && (size_t)n < sizeof to ? malloc(before + (size_t)n + 1) : NULL;
    if (full) {
        memcpy(full, path, before);
        memcpy(full + before, to, (size_t)n);
        full[before + (size_t)n] = '\0';
    }
    return full;
}

char *cli_target(const char *path)
{
    enum { LINKS_MOST = 40 };
    char *at = realpath(path, NULL);
    if (at || errno != ENOENT)
        return at;
    at = strdup(path);
    for (int i = 0; at && i < LINKS_MOST; i++) {
        char *next = link_of(at);
        if (!next)
            break;
        free(at);
        at = next;
    }
    return at;
}

/* A new file's permissions are what the umask leaves, an old one's are kept. */
static mode_t mode_for(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0)
        return st.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* After a rename the directory's entry is durable only when it is synced as well. Some
 * file systems cannot, and say EINVAL, and a directory that one may write to but not read
 * cannot be opened: nothing more can be done there. */
static bool sync_directory(const char *path)
{
    char *dir = directory_of(path);
    if (!dir)
        return false;
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int error = errno;
    free(dir);
    errno = error;
    if (fd < 0)
        return error == EACCES;
    bool ok = fsync(fd) == 0 || errno == EINVAL;
    close(fd);
    return ok;
}

/* The temporary beside path; its name is of our process and of chance. */
static int make_temporary(const char *path, char **name)
{
    size_t n = strlen(path) + sizeof ".XXXXXX.tmp";
    *name = malloc(n);
    if (!*name)
        return -1;
    snprintf(*name, n, "%s.XXXXXX.tmp", path);
    sigset_t all, old;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &old);
    int fd = mkostemps(*name, 4, O_CLOEXEC);
    if (fd >= 0)
        guard(*name);
    sigprocmask(SIG_SETMASK, &old, NULL);
    return fd;
}

/* -o names a device or a pipe (/dev/null, /dev/stdout): there is nothing to replace. */
static bool is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* Whether path is what standard output goes to. Both into a device such as /dev/null do
 * no harm, but a terminal would get bytes. */
static bool is_stdout(const char *path)
{
    struct stat a, b;
    if (stat(path, &a) != 0 || fstat(1, &b) != 0)
        return false;
    if (a.st_dev != b.st_dev || a.st_ino != b.st_ino)
        return false;
    return !S_ISCHR(b.st_mode) || isatty(1);
}

static bool is_same(const char *input, const struct stat *file)
{
    struct stat st;
    const int bad = strcmp(input, "-") == 0 ? fstat(0, &st) : stat(input, &st);
    return bad == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

/* The input that is the file at path, or NULL. What is read for its key or its list of
 * files is one, too, and stdin where there is no file. */
static const char *input_at(const cli_options *o, const char *path)
{
    struct stat file;
    const char *const others[] = {o->key_file, o->files0, o->n_files ? NULL : "-"};
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode))
        return NULL;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i] && is_same(others[i], &file))
            return others[i];
    for (size_t i = 0; i < o->n_files; i++)
        if (is_same(o->files[i].name, &file))
            return o->files[i].name;
    return NULL;
}

static int refuse_input(const cli_options *o, cli_opt opt, const char *path)
{
    const char *input = path ? input_at(o, path) : NULL;
    if (!input)
        return CLI_OK;
    cli_error("%s: --%s %s: is also an input (%s) and would be replaced",
              o->command->name, cli_option(opt)->name, path, input);
    cli_hint("give the sketch a file of its own");
    return CLI_ERROR;
}

int cli_check_not_input(const cli_options *o)
{
    const int code = refuse_input(o, OPT_OUTPUT, o->output);
    return code ? code : refuse_input(o, OPT_STATE, o->state);
}

bool cli_is_place(const char *path)
{
    struct stat st;
    const size_t n = strlen(path);
    if ((n > 0 && path[n - 1] == '/') || (stat(path, &st) == 0 && S_ISDIR(st.st_mode))) {
        errno = EISDIR;
        return false;
    }
    if (is_special(path))
        return true;
    char *target = cli_target(path), *dir = target ? directory_of(target) : NULL;
    bool ok = dir && stat(dir, &st) == 0;
    if (ok && !S_ISDIR(st.st_mode)) {
        errno = ENOTDIR;
        ok = false;
    }
    ok = ok && access(dir, W_OK | X_OK) == 0;
    const int error = errno;
    free(dir);
    free(target);
    errno = error;
    return ok;
}

int cli_check_output(const cli_options *o, const char *answer)
{
    const bool is_dash = !o->output || strcmp(o->output, "-") == 0;
    if (answer && o->output && (is_dash || is_stdout(o->output)))
        return cli_error("%s: --output %s: standard output is for the %s; name a file",
                         o->command->name, o->output, answer);
    if (!answer && is_dash && (o->output || !o->state) && isatty(STDOUT_FILENO)) {
        cli_error("%s: a sketch is not text, and this is a terminal", o->command->name);
        cli_hint("add -o FILE, or > FILE");
        return CLI_ERROR;
    }
    return is_dash || cli_is_place(o->output) ? CLI_OK : cli_errno(o->output);
}

int cli_save_begin(cli_saving *s, const char *path)
{
    *s = (cli_saving){.path = path, .fd = -1, .code = CLI_OK};
    if (strcmp(path, "-") == 0)
        return CLI_OK;
    if (is_special(path)) {
        s->fd = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        s->target = cli_target(path);
        s->fd = s->target ? make_temporary(s->target, &s->temporary) : -1;
    }
    if (s->fd < 0)
        s->code = cli_errno(path);
    return s->code;
}

static int put(cli_saving *s, const void *bytes, size_t n)
{
    if (s->fd < 0 && fwrite(bytes, 1, n, stdout) != n)
        s->code = cli_errno("standard output");
    else if (s->fd >= 0 && !write_all(s->fd, bytes, n))
        s->code = cli_errno(s->path);
    return s->code;
}

/* Small pieces are gathered. */
int cli_save_write(cli_saving *s, const void *bytes, size_t n)
{
    if (!s->code && s->have + n > sizeof s->pieces) {
        put(s, s->pieces, s->have);
        s->have = 0;
    }
    if (s->code || n > sizeof s->pieces)
        return s->code ? s->code : put(s, bytes, n);
    if (n > 0)
        memcpy(s->pieces + s->have, bytes, n);
    s->have += n;
    return CLI_OK;
}

/* Closes what was written; what is to replace a file is made durable first. */
static bool settle(cli_saving *s)
{
    bool ok = s->code || !s->target ||
              (fchmod(s->fd, mode_for(s->target)) == 0 && fsync(s->fd) == 0);
    const int error = errno;
    if (close(s->fd) != 0 && ok)
        return false;
    errno = error;
    return ok;
}

int cli_save_end(cli_saving *s, int code)
{
    if (!code && !s->code)
        put(s, s->pieces, s->have);
    s->code = s->code ? s->code : code;
    if (s->fd >= 0 && !settle(s) && !s->code)
        s->code = cli_errno(s->path);
    if (s->temporary && s->fd >= 0) {
        if (!s->code && rename(s->temporary, s->target) != 0)
            s->code = cli_errno(s->path);
        if (s->code)
            unlink(s->temporary);
        else if (!sync_directory(s->target))
            s->code = cli_errno(s->path);
    }
    guard(NULL);
    free(s->temporary);
    free(s->target);
    return s->code;
}

int cli_save(const char *path, const void *bytes, size_t n)
{
    cli_saving s;
    cli_save_begin(&s, path);
    cli_save_write(&s, bytes, n);
    return cli_save_end(&s, CLI_OK);
}
