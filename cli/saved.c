/* SPDX-License-Identifier: MIT
 * saved.c - sketches that earlier runs saved.
 *
 * A saved sketch is mapped, not read: a filter of a gigabyte answers after touching the
 * few pages that its probes fall on. All of it is verified before, unless that would take
 * longer than a person notices: then its blocks are, one by one as they are needed
 * (mapped.c). A pipe cannot be mapped and is read whole. */
#include "foreign.h"
#include "groups.h"
#include "mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_whole(cli_saved *s, int fd, const char *path)
{
    size_t cap = 0, n = 0;
    char *p = NULL;
    for (;;) {
        if (n == cap) {
            cap = cap ? cap * 2 : 1 << 16;
            char *grown = realloc(p, cap);
            if (!grown) {
                free(p);
                return cli_error("%s: out of memory", path);
            }
            p = grown;
        }
        ssize_t got = read(fd, p + n, cap - n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            free(p);
            return cli_errno(path);
        }
        if (got == 0)
            break;
        n += (size_t)got;
    }
    s->map = p;
    s->map_size = n;
    return CLI_OK;
}

static int map(cli_saved *s, int fd, const char *path)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return cli_errno(path);
    if (S_ISDIR(st.st_mode)) {
        errno = EISDIR;
        return cli_errno(path);
    }
    if (!S_ISREG(st.st_mode) || st.st_size == 0 || (uint64_t)st.st_size > SIZE_MAX ||
        (fd == 0 && lseek(fd, 0, SEEK_CUR) != 0))
        return read_whole(s, fd, path);
    s->mapped = cli_map_file(fd, fd == 0 ? "/dev/stdin" : path, (size_t)st.st_size);
    if (!s->mapped)
        return read_whole(s, fd, path);
    s->map = cli_mapped_bytes(s->mapped);
    s->map_size = (size_t)st.st_size;
    return CLI_OK;
}

static int get_piece(cli_saved *s, const char *path, const cli_piece *piece)
{
    void *bytes = NULL;
    const int code = cli_read_piece(path, piece, &bytes, &s->map_size);
    s->map = bytes;
    s->bytes = s->map_size;
    s->is_piece = true;
    free(piece->file);
    return code;
}

static int get_bytes(cli_saved *s, const char *path)
{
    cli_piece piece;
    memset(s, 0, sizeof *s);
    if (cli_piece_of(path, &piece))
        return get_piece(s, path, &piece);
    int fd = strcmp(path, "-") == 0 ? 0 : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return cli_errno(path);
    int code = map(s, fd, path);
    if (fd != 0)
        close(fd);
    s->bytes = s->map_size;
    return code;
}

static const char *name_of(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* have: the check value of the key that was given, 0 when none was. */
static int refuse_key(const char *path, const bp_detail *why)
{
    if (why->have)
        cli_error("%s: made with another key than that of --key-file (check value %llu, "
                  "not %llu)",
                  name_of(path), (unsigned long long)why->want,
                  (unsigned long long)why->have);
    else
        cli_error("%s: its items were hashed with a secret key (check value %llu)",
                  name_of(path), (unsigned long long)why->want);
    cli_hint("--key-file FILE names the file that holds its key");
    return CLI_ERROR;
}

int cli_refuse(const char *path, bp_status st, const bp_detail *why)
{
    if (st == BP_MISMATCH)
        return refuse_key(path, why);
    cli_library_error(name_of(path), st, why);
    if (st == BP_VERSION || (st == BP_KIND && why->at != 0))
        cli_hint("a newer ballpark wrote it; this one is %s", bp_version());
    else if (st == BP_CORRUPT)
        cli_hint("it was cut short or changed after it was written: copy it again, or "
                 "make it again from its input");
    else if (st == BP_KIND)
        cli_hint("-o of distinct, top, count build and filter build writes sketches");
    return CLI_ERROR;
}

static int refuse_groups(const char *path)
{
    cli_error("%s: holds groups, each with a sketch of its own", name_of(path));
    cli_hint("query, info and merge know groups; --output-dir writes a file for each");
    return CLI_ERROR;
}

/* What is done with it: a few questions to where it lies, all of it read there, changed
 * in memory. */
typedef enum purpose { ASKED, READ, CHANGED } purpose;

enum { LAZILY_FROM = 64 << 20 };

static bp_status view(cli_saved *s, const bp_open *how, purpose what, bp_detail *why)
{
    bp_open with = *how;
    const bp_any *sketch = NULL;
    s->is_lazy = what == ASKED && s->mapped && s->map_size >= LAZILY_FROM;
    if (s->is_lazy)
        with.flags &= ~(uint32_t)BP_OPEN_VERIFY;
    bp_status st = bp_any_view(&sketch, s->map, s->map_size, &with, why);
    s->sketch = (bp_any *)sketch;
    if (!st && s->is_lazy)
        st = cli_verify_lazily(s->mapped, why);
    return st;
}

static void refuse(const cli_saved *s, const char *path, bp_status st,
                   const bp_detail *why)
{
    if (s->map_size == 0)
        cli_error("%s: is empty, not a saved sketch", name_of(path));
    else if (cli_has_groups(s->map, s->map_size))
        refuse_groups(path);
    else
        cli_refuse(path, st, why);
}

/* The sketch in the bytes of s, which is closed when it is refused. */
static int open_bytes(cli_saved *s, const char *path, const bp_open *how, purpose what)
{
    bp_detail why = {0};
    int code = CLI_OK;
    bp_status st = what == CHANGED ? BP_UNSUPPORTED : view(s, how, what, &why);
    if (st == BP_UNSUPPORTED)
        st = bp_any_decode(&s->sketch, s->map, s->map_size, how, &why);
    if (st == BP_KIND && !cli_has_groups(s->map, s->map_size)) {
        code = cli_open_foreign(name_of(path), s, &why);
        st = code == CLI_OK ? BP_OK : st;
    }
    if (st == BP_OK) {
        s->kind = bp_any_kind(s->sketch);
        return CLI_OK;
    }
    if (code != CLI_ERROR)
        refuse(s, path, st, &why);
    cli_close(s);
    return CLI_ERROR;
}

/* list: gets what is a file of groups; NULL: such a file is refused. */
static int open_saved(cli_saved *s, const char *path, const bp_open *how, purpose what,
                      cli_group_list **list)
{
    if (get_bytes(s, path) != CLI_OK) {
        cli_close(s);
        return CLI_ERROR;
    }
    if (!list || !cli_has_groups(s->map, s->map_size))
        return open_bytes(s, path, how, what);
    *list = cli_group_file(s, name_of(path), how);
    return *list ? CLI_OK : CLI_ERROR;
}

int cli_view(cli_saved *out, const char *path)
{
    const bp_open how = {.flags = BP_OPEN_KEYLESS};
    return open_saved(out, path, &how, READ, NULL);
}

int cli_open_any(cli_saved *out, const char *path, bool change)
{
    const bp_open how = {.flags = BP_OPEN_VERIFY | BP_OPEN_KEYLESS};
    return open_saved(out, path, &how, change ? CHANGED : READ, NULL);
}

int cli_view_groups(cli_saved *out, const char *path, bool change, cli_group_list **list)
{
    const bp_open how = {.flags = BP_OPEN_VERIFY | BP_OPEN_KEYLESS};
    *list = NULL;
    return open_saved(out, path, &how, change ? CHANGED : READ, list);
}

/* Whether what was asked for is what the sketch was made with. */
static int check_hash(const bp_any *s, const cli_options *o, const char *path)
{
    const bp_hash_spec made = cli_hash_of(s);
    const bool is_keyed = made.id == BP_HASH_SIPHASH24;
    if (is_keyed == (o->key_file != NULL) &&
        (!cli_given(o, OPT_SEED) || made.seed == o->seed))
        return CLI_OK;
    if (o->key_file)
        cli_error("%s: --key-file %s: %s has no key; its hash is %s, seed %llu",
                  o->command->name, o->key_file, name_of(path), bp_hash_name(made.id),
                  (unsigned long long)made.seed);
    else
        cli_error("%s: --seed %llu: %s was made with seed %llu", o->command->name,
                  (unsigned long long)o->seed, name_of(path),
                  (unsigned long long)made.seed);
    cli_hint("leave the option away: a sketch knows its hash and seed");
    return CLI_ERROR;
}

/* The first group's, which stands for all: one run made them. */
static int check_list(cli_group_list *list, const cli_options *o, const char *path)
{
    bp_any *first = NULL;
    if (list->count == 0)
        return CLI_OK;
    return list->sketch(list, 0, false, &first) || check_hash(first, o, path);
}

static int open_asked(cli_saved *out, const cli_options *o, const bp_hash_spec *hash,
                      const char *path, bool change, cli_group_list **list)
{
    const bool has_key = hash->id == BP_HASH_SIPHASH24;
    const bp_open how = {.flags = BP_OPEN_VERIFY, .key = has_key ? hash->key : NULL};
    if (open_saved(out, path, &how, change ? CHANGED : ASKED, list))
        return CLI_ERROR;
    cli_group_list *groups = list ? *list : NULL;
    if (!(groups ? check_list(groups, o, path) : check_hash(out->sketch, o, path)))
        return CLI_OK;
    cli_group_close(groups);
    if (list)
        *list = NULL;
    cli_close(out);
    return CLI_ERROR;
}

int cli_open(cli_saved *out, const cli_options *o, const bp_hash_spec *hash,
             const char *path, bool change)
{
    return open_asked(out, o, hash, path, change, NULL);
}

int cli_open_groups(cli_saved *out, const cli_options *o, const bp_hash_spec *hash,
                    const char *path, bool change, cli_group_list **list)
{
    *list = NULL;
    return open_asked(out, o, hash, path, change, list);
}

bp_status cli_unite(bp_any *total, bp_any *worker, bool failed)
{
    if (worker == total)
        return BP_OK;
    const bp_status st = failed ? BP_OK : bp_any_merge(total, worker, NULL);
    bp_any_free(worker);
    return st;
}

/* --------------------------------------------------------------------------- figures */

const bp_figure *cli_figure(const bp_description *d, const char *name)
{
    for (size_t i = 0; i < d->count; i++)
        if (strcmp(d->figures[i].name, name) == 0)
            return &d->figures[i];
    return NULL;
}

bool cli_figure_is_amount(const bp_figure *f)
{
    return strcmp(f->name, "seed") != 0 && strcmp(f->name, "key_check") != 0;
}

const char *cli_figure_text(const bp_figure *f, cli_text buf)
{
    if (f->type == BP_FIGURE_TEXT)
        return f->text;
    if (f->type == BP_FIGURE_WHOLE && cli_figure_is_amount(f))
        return cli_grouped(buf, f->whole);
    if (f->type == BP_FIGURE_WHOLE)
        snprintf(buf, sizeof(cli_text), "%llu", (unsigned long long)f->whole);
    else
        snprintf(buf, sizeof(cli_text), "%g", f->real);
    return buf;
}

static bool same_figure(const bp_figure *a, const bp_figure *b)
{
    if (a->type != b->type)
        return false;
    if (a->type == BP_FIGURE_TEXT)
        return strcmp(a->text, b->text) == 0;
    return a->type == BP_FIGURE_WHOLE ? a->whole == b->whole : a->real == b->real;
}

bool cli_parameter_differs(const bp_description *a, const bp_description *b,
                           const char *name)
{
    const bp_figure *x = cli_figure(a, name), *y = cli_figure(b, name);
    return x && y && x->is_parameter && !same_figure(x, y);
}

/* ----------------------------------------------------------------- leaving the memory
 */

void cli_close(cli_saved *s)
{
    bp_any_free(s->sketch);
    if (s->mapped)
        cli_unmap(s->mapped);
    else
        free((void *)s->map);
    memset(s, 0, sizeof *s);
}

int cli_write_sketch(const cli_options *o, const bp_any *s)
{
    return cli_write_sketch_to(o->output ? o->output : "-", s);
}

enum { PART = 1 << 20 };

/* In pieces: a filter may be larger than the memory that is left. BP_UNSUPPORTED: nothing
 * was written. */
static bp_status write_parts(cli_saving *to, const bp_any *s, size_t size, bp_detail *why)
{
    bp_status st = BP_OK;
    uint8_t *part = malloc(PART);
    if (!part)
        return BP_NOMEM;
    for (size_t at = 0, n; at < size && !st && !to->code; at += n) {
        n = size - at < PART ? size - at : PART;
        st = bp_any_encode_part(s, at, part, n, why);
        if (!st)
            cli_save_write(to, part, n);
    }
    free(part);
    return st;
}

static bp_status write_whole(cli_saving *to, const bp_any *s, size_t size, bp_detail *why)
{
    void *bytes = malloc(size);
    bp_status st = bytes ? bp_any_encode(s, bytes, size, &size, why) : BP_NOMEM;
    if (!st)
        cli_save_write(to, bytes, size);
    free(bytes);
    return st;
}

int cli_write_sketch_to(const char *path, const bp_any *s)
{
    bp_detail why = {0};
    size_t size = 0;
    cli_saving to;
    bp_status st = bp_any_encode(s, NULL, 0, &size, &why);
    if (st)
        return cli_library_error(path, st, &why);
    if (cli_save_begin(&to, path) == CLI_OK) {
        st = write_parts(&to, s, size, &why);
        if (st == BP_UNSUPPORTED)
            st = write_whole(&to, s, size, &why);
        if (st)
            cli_library_error(path, st, st == BP_NOMEM ? NULL : &why);
    }
    return cli_save_end(&to, st ? CLI_ERROR : CLI_OK);
}
