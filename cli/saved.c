/* SPDX-License-Identifier: MIT
 * saved.c - sketches that earlier runs saved.
 *
 * A saved sketch is mapped, not read: a filter of a gigabyte answers after touching the
 * few pages that its probes fall on. A pipe cannot be mapped and is read whole. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
    s->is_heap = true;
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
    s->map_size = (size_t)st.st_size;
    s->map = mmap(NULL, s->map_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (s->map == MAP_FAILED) {
        s->map = NULL;
        return read_whole(s, fd, path);
    }
    return CLI_OK;
}

static int get_bytes(cli_saved *s, const char *path)
{
    memset(s, 0, sizeof *s);
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

static int refuse(cli_saved *s, const char *path, bp_status st, const bp_detail *why)
{
    bool is_empty = s->map_size == 0;
    cli_close(s);
    if (is_empty)
        return cli_error("%s: is empty, not a saved sketch", name_of(path));
    cli_library_error(name_of(path), st, why);
    if (st == BP_VERSION || (st == BP_KIND && why->at != 0))
        cli_hint("a newer ballpark wrote it; this one is %s", bp_version());
    else if (st == BP_CORRUPT)
        cli_hint("it was cut short or changed after it was written: copy it again, or "
                 "make it again from its input");
    else if (st == BP_KIND)
        cli_hint("-o of distinct, top and filter build writes sketches");
    return CLI_ERROR;
}

/* Without the key of a keyed sketch: it can be told of and merged, not asked. */
static int decode(cli_saved *s, const char *path)
{
    bp_detail why = {0};
    const bp_open how = {.flags = BP_OPEN_KEYLESS};
    bp_status st = bp_any_decode(&s->sketch, s->map, s->map_size, &how, &why);
    if (st)
        return refuse(s, path, st, &why);
    s->kind = bp_any_kind(s->sketch);
    return CLI_OK;
}

int cli_load(cli_saved *out, const char *path)
{
    if (get_bytes(out, path) != CLI_OK) {
        cli_close(out);
        return CLI_ERROR;
    }
    return decode(out, path);
}

int cli_view(cli_saved *out, const char *path, bool verify)
{
    bp_detail why = {0};
    const bp_open how = {.flags = (verify ? BP_OPEN_VERIFY : 0) | BP_OPEN_KEYLESS};
    const bp_any *view = NULL;
    if (get_bytes(out, path) != CLI_OK) {
        cli_close(out);
        return CLI_ERROR;
    }
    bp_status st = bp_any_view(&view, out->map, out->map_size, &how, &why);
    out->sketch = (bp_any *)view;
    if (st == BP_UNSUPPORTED)
        return decode(out, path);
    if (st)
        return refuse(out, path, st, &why);
    out->kind = bp_any_kind(out->sketch);
    return CLI_OK;
}

bp_status cli_unite(bp_any *total, bp_any *worker, bool failed)
{
    if (worker == total)
        return BP_OK;
    const bp_status st = failed ? BP_OK : bp_any_merge(total, worker, NULL);
    bp_any_free(worker);
    return st;
}

void cli_close(cli_saved *s)
{
    bp_any_free(s->sketch);
    if (s->is_heap)
        free(s->map);
    else if (s->map)
        munmap(s->map, s->map_size);
    memset(s, 0, sizeof *s);
}

int cli_write_sketch(const cli_options *o, const bp_any *s)
{
    const char *path = o->output ? o->output : "-";
    bp_detail why = {0};
    size_t n = 0;
    if (strcmp(path, "-") == 0 && isatty(1)) {
        cli_error("%s: a sketch is not text, and this is a terminal", o->command->name);
        cli_hint("add -o FILE, or > FILE");
        return CLI_ERROR;
    }
    bp_status st = bp_any_encode(s, NULL, 0, &n, &why);
    void *bytes = st ? NULL : malloc(n ? n : 1);
    if (!st && !bytes)
        st = BP_NOMEM;
    if (!st)
        st = bp_any_encode(s, bytes, n, &n, &why);
    int code = st ? cli_library_error(path, st, &why) : cli_save(path, bytes, n);
    free(bytes);
    return code;
}
