/* SPDX-License-Identifier: MIT
 * foreign.c - filters of other programs, and filters inside other files.
 *
 * A Parquet file has its Bloom filters somewhere in the middle; where, its metadata say,
 * which whoever wrote or opened it can print. So the place is named, not searched:
 * FILE@OFFSET+LENGTH. Older writers do not note the length; then the filter says it. */
#include "foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char where_it_is[] =
    "the column's metadata have OFFSET and LENGTH as bloom_filter_offset and "
    "bloom_filter_length: `filter test FILE@OFFSET+LENGTH`";

/* ------------------------------------------------------------------- a piece of a file
 */

static bool read_digits(const char **text, uint64_t *out)
{
    const char *s = *text;
    for (*out = 0; *s >= '0' && *s <= '9'; s++) {
        if (*out > (INT64_MAX - 9) / 10)
            return false;
        *out = *out * 10 + (uint64_t)(*s - '0');
    }
    const bool any = s > *text;
    *text = s;
    return any;
}

bool cli_piece_of(const char *path, cli_piece *out)
{
    const char *at = strrchr(path, '@');
    struct stat st;
    *out = (cli_piece){NULL, 0, 0};
    if (!at || at == path)
        return false;
    const char *s = at + 1;
    if (!read_digits(&s, &out->at) || stat(path, &st) == 0)
        return false;
    if (*s == '+' && (s++, !read_digits(&s, &out->size) || out->size == 0))
        return false;
    out->file = *s ? NULL : strndup(path, (size_t)(at - path));
    if (out->file && stat(out->file, &st) == 0 && S_ISREG(st.st_mode))
        return true;
    free(out->file);
    out->file = NULL;
    return false;
}

static int read_at(const char *path, int fd, uint64_t at, void *to, size_t n)
{
    for (size_t done = 0; done < n;) {
        const ssize_t got = pread(fd, (char *)to + done, n - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cli_errno(path);
        if (got == 0)
            return cli_error("%s: was cut short while it was read", path);
        done += (size_t)got;
    }
    return CLI_OK;
}

/* What begins there says how long it is. */
static int find_size(const char *path, int fd, cli_piece *p, uint64_t left)
{
    uint8_t head[4160]; /* the longest header there is */
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    const size_t n = left < sizeof head ? (size_t)left : sizeof head;
    if (read_at(path, fd, p->at, head, n))
        return CLI_ERROR;
    if (bp_any_peek(head, n, NULL, &p->size, NULL) == BP_OK)
        return CLI_OK;
    const bp_status st = bp_parquet_peek(head, n, &p->size, &why);
    if (st == BP_OK)
        return CLI_OK;
    cli_library_error(path, st, &why);
    cli_hint("%s", where_it_is);
    return CLI_ERROR;
}

static int read_piece(const char *path, int fd, cli_piece p, void **bytes, size_t *n)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return cli_errno(p.file);
    const uint64_t all = (uint64_t)st.st_size, left = p.at < all ? all - p.at : 0;
    if (left > 0 && p.size == 0 && find_size(path, fd, &p, left))
        return CLI_ERROR;
    if (left == 0 || p.size > left) {
        const unsigned long long end = p.at + p.size;
        cli_error("%s: ends at byte %llu, and %s has %llu", path, end, p.file,
                  (unsigned long long)all);
        cli_hint("%s", where_it_is);
        return CLI_ERROR;
    }
    *n = (size_t)p.size;
    *bytes = malloc(*n);
    return *bytes ? read_at(path, fd, p.at, *bytes, *n)
                  : cli_error("%s: out of memory", path);
}

int cli_read_piece(const char *path, const cli_piece *piece, void **bytes, size_t *n)
{
    const int fd = open(piece->file, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return cli_errno(piece->file);
    const int code = read_piece(path, fd, *piece, bytes, n);
    close(fd);
    return code;
}

/* --------------------------------------------------------------------- other programs
 */

static int refuse_file(const char *name)
{
    cli_error(
        "%s: is a Parquet file, which has a filter for each column of each row group",
        name);
    cli_hint("%s", where_it_is);
    return CLI_ERROR;
}

int cli_open_foreign(const char *name, cli_saved *s, const bp_detail *why)
{
    bp_detail own = {BP_OK, NULL, 0, 0, 0};
    struct bp_blocked_bloom *filter = NULL;
    if (why->at != 0)
        return CLI_NONE; /* ours, of a kind that is not known */
    if (s->map_size >= 4 && memcmp(s->map, "PAR1", 4) == 0)
        return refuse_file(name);
    const bp_status st = bp_parquet_decode(&filter, s->map, s->map_size, NULL, &own);
    s->sketch = (bp_any *)filter;
    s->is_foreign = st == BP_OK;
    if (st == BP_OK)
        return CLI_OK;
    if (st == BP_KIND && !s->is_piece)
        return CLI_NONE;
    cli_library_error(name, st, &own);
    if (st == BP_CORRUPT || st == BP_KIND)
        cli_hint("%s", where_it_is);
    return CLI_ERROR;
}
