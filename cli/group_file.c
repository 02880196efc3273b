/* SPDX-License-Identifier: MIT
 * group_file.c - all groups in one file.
 *
 *   header | group 0 | group 1 | ... | where each group begins | trailer
 *
 * A group is its name and its sketch, which is one envelope as it would be in a file of
 * its own. They are in the order of their names, so that one can be found by halving, and
 * what is about all of them comes last, so that a pipe can be written to. docs/FORMAT.md
 * has the table of bytes. The lengths and the name of each group have a checksum, and so
 * has the sketch: opening a file costs its index, asking for a group costs that group. */
#include "groups.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER = 64,
    FRAME = 24, /* of a group: two lengths before its name, a checksum after it */
    TRAILER = 32,
    VERSION = 1
};

static const unsigned char magic[8] = {0x89, 'b', 'a', 'l', 'l', 'p', 'g', '\n'};

static void put_le(unsigned char *to, uint64_t v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (unsigned char)(v >> 8 * i);
}

static uint64_t get_le(const unsigned char *from, size_t n)
{
    uint64_t v = 0;
    for (size_t i = n; i > 0; i--)
        v = v << 8 | from[i - 1];
    return v;
}

static uint64_t padding(uint64_t n)
{
    return -n & 7;
}

static const unsigned char zeros[8];

bool cli_has_groups(const void *bytes, size_t n)
{
    return n >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

/* ------------------------------------------------------------------------ the reading */

typedef struct file_list {
    cli_group_list list;
    cli_saved saved;
    const char *path;
    bp_open how;
    uint64_t index_at; /* where the index begins, and the groups end */
    bp_any *last;      /* the sketch that was handed out */
    uint64_t named;    /* the group that was asked for its name last */
    bp_bytes name;
} file_list;

static const unsigned char *bytes_of(const file_list *f)
{
    return f->saved.map;
}

static int refuse(const file_list *f, bp_status st, const char *what, uint64_t at)
{
    const bp_detail why = {.status = st, .what = what, .at = at};
    return cli_refuse(f->path, st, &why);
}

static bool is_zero(const unsigned char *p, size_t n)
{
    unsigned char any = 0;
    for (size_t i = 0; i < n; i++)
        any |= p[i];
    return any == 0;
}

static int check_header(file_list *f)
{
    const unsigned char *p = bytes_of(f);
    if (f->saved.map_size < HEADER + TRAILER)
        return refuse(f, BP_CORRUPT, "a file of groups that ends too early",
                      f->saved.map_size);
    if (get_le(p + 8, 2) > VERSION || get_le(p + 12, 4) != 0)
        return refuse(f, BP_VERSION, "a newer format of groups", 8);
    if (get_le(p + 56, 8) != bp_hash(NULL, p, 56))
        return refuse(f, BP_CORRUPT, "the checksum of the header is wrong", 56);
    if (get_le(p + 8, 2) == 0 || !is_zero(p + 16, 40))
        return refuse(f, BP_CORRUPT, "the header is not one of groups", 8);
    f->list.kind = bp_any_kind_by_id((uint32_t)get_le(p + 10, 2));
    return f->list.kind ? CLI_OK : refuse(f, BP_KIND, "groups of an unknown kind", 10);
}

static int check_index(file_list *f)
{
    const uint64_t at = f->saved.map_size - TRAILER;
    const unsigned char *p = bytes_of(f) + at;
    if (get_le(p + 24, 8) != bp_hash(NULL, p, 24))
        return refuse(f, BP_CORRUPT, "the checksum at the end is wrong", at + 24);
    f->list.count = get_le(p, 8);
    f->index_at = get_le(p + 8, 8);
    if (f->list.count > (at - HEADER) / 8 || f->index_at != at - 8 * f->list.count)
        return refuse(f, BP_CORRUPT, "the index is not where it should be", at);
    const unsigned char *index = bytes_of(f) + f->index_at;
    if (get_le(p + 16, 8) != bp_hash(NULL, index, 8 * (size_t)f->list.count))
        return refuse(f, BP_CORRUPT, "the checksum of the index is wrong", at + 16);
    if (f->list.count ? get_le(index, 8) != HEADER : f->index_at != HEADER)
        return refuse(f, BP_CORRUPT, "bytes that belong to no group", HEADER);
    return CLI_OK;
}

/* Where group i begins, or where the last one ends. */
static uint64_t begin_of(const file_list *f, uint64_t i)
{
    return i == f->list.count ? f->index_at
                              : get_le(bytes_of(f) + f->index_at + 8 * i, 8);
}

typedef struct frame {
    bp_bytes name;
    uint64_t sketch_at;
    size_t sketch_size;
} frame;

/* The lengths fill exactly what the index gives the group, so no byte is unread. */
static int read_frame(const file_list *f, uint64_t i, frame *out)
{
    const uint64_t at = begin_of(f, i), end = begin_of(f, i + 1);
    if (at % 8 != 0 || end > f->index_at || at > end || end - at < FRAME)
        return refuse(f, BP_CORRUPT, "the index does not go from group to group",
                      f->index_at + 8 * i);
    const unsigned char *p = bytes_of(f) + at;
    const uint64_t name = get_le(p, 8), room = end - at - FRAME;
    if (name > room || name + padding(name) > room ||
        get_le(p + 8, 8) != room - name - padding(name))
        return refuse(f, BP_CORRUPT, "the lengths of a group are wrong", at);
    const size_t framed = 16 + (size_t)(name + padding(name));
    if (get_le(p + framed, 8) != bp_hash(NULL, p, framed))
        return refuse(f, BP_CORRUPT, "the checksum of a group's name is wrong",
                      at + framed);
    if (!is_zero(p + 16 + name, (size_t)padding(name)))
        return refuse(f, BP_CORRUPT, "bytes after a group's name", at + 16 + name);
    *out = (frame){{p + 16, (size_t)name}, at + framed + 8, (size_t)get_le(p + 8, 8)};
    return CLI_OK;
}

static int file_name(cli_group_list *l, uint64_t i, bp_bytes *out)
{
    file_list *f = (file_list *)l;
    frame at = {{NULL, 0}, 0, 0};
    if (read_frame(f, i, &at))
        return CLI_ERROR;
    if (i > 0 && f->named == i - 1 && cli_compare(f->name, at.name) >= 0)
        return refuse(f, BP_CORRUPT, "the groups are not in the order of their names",
                      begin_of(f, i));
    f->named = i;
    f->name = *out = at.name;
    return CLI_OK;
}

static bp_status open_sketch(const file_list *f, const frame *at, bool own, bp_any **out,
                             bp_detail *why)
{
    const unsigned char *p = bytes_of(f) + at->sketch_at;
    const bp_kind_info *kind = NULL;
    const bp_any *view = NULL;
    bp_status st = bp_any_peek(p, at->sketch_size, &kind, NULL, why);
    if (st)
        return st;
    if (kind != f->list.kind) {
        *why = (bp_detail){.status = BP_CORRUPT,
                           .what = "a group of another kind than the file",
                           .at = 10,
                           .have = kind->id,
                           .want = f->list.kind->id};
        return BP_CORRUPT;
    }
    st = own ? BP_UNSUPPORTED : bp_any_view(&view, p, at->sketch_size, &f->how, why);
    *out = (bp_any *)view;
    return st == BP_UNSUPPORTED ? bp_any_decode(out, p, at->sketch_size, &f->how, why)
                                : st;
}

static int file_sketch(cli_group_list *l, uint64_t i, bool own, bp_any **out)
{
    file_list *f = (file_list *)l;
    bp_detail why = {0};
    frame at = {{NULL, 0}, 0, 0};
    *out = NULL;
    if (read_frame(f, i, &at))
        return CLI_ERROR;
    const bp_status st = open_sketch(f, &at, own, out, &why);
    if (st) {
        /* No reader of plain sketches: here the bytes are a part of a file. */
        why.at += at.sketch_at;
        return cli_refuse(f->path, st == BP_KIND ? BP_CORRUPT : st, &why);
    }
    if (!own) {
        bp_any_free(f->last);
        f->last = *out;
    }
    return CLI_OK;
}

static void file_close(cli_group_list *l)
{
    file_list *f = (file_list *)l;
    bp_any_free(f->last);
    cli_close(&f->saved);
    free(f);
}

cli_group_list *cli_group_file(cli_saved *s, const char *path, const bp_open *how)
{
    file_list *f = calloc(1, sizeof *f);
    if (!f) {
        cli_close(s);
        cli_error("%s: out of memory", path);
        return NULL;
    }
    f->saved = *s;
    memset(s, 0, sizeof *s);
    f->path = path;
    f->how = *how;
    f->how.flags |= BP_OPEN_VERIFY;
    f->named = UINT64_MAX;
    f->list = (cli_group_list){.where = path,
                               .bytes = f->saved.bytes,
                               .format = VERSION,
                               .name = file_name,
                               .sketch = file_sketch,
                               .close = file_close};
    if (check_header(f) || check_index(f)) {
        file_close(&f->list);
        return NULL;
    }
    return &f->list;
}

/* ------------------------------------------------------------------------ the writing */

typedef struct writer {
    const char *command;
    cli_saving file;
    uint64_t at;
    unsigned char *index; /* 8 bytes a group, as they will be in the file */
    size_t count, room;
    void *sketch; /* the bytes of one */
    size_t sketch_room;
} writer;

static int write_bytes(writer *w, const void *bytes, size_t n)
{
    w->at += n;
    return cli_save_write(&w->file, bytes, n);
}

static int write_header(writer *w, const bp_kind_info *kind)
{
    unsigned char h[HEADER] = {0};
    memcpy(h, magic, sizeof magic);
    put_le(h + 8, VERSION, 2);
    put_le(h + 10, kind->id, 2);
    put_le(h + 56, bp_hash(NULL, h, 56), 8);
    return write_bytes(w, h, sizeof h);
}

static bool note_begin(writer *w)
{
    if (w->count == w->room) {
        const size_t room = w->room + w->room / 2 + 64;
        unsigned char *grown = realloc(w->index, 8 * room);
        if (!grown)
            return false;
        w->index = grown;
        w->room = room;
    }
    put_le(w->index + 8 * w->count++, w->at, 8);
    return true;
}

static bp_status encode(writer *w, const bp_any *s, size_t *n, bp_detail *why)
{
    bp_status st = bp_any_encode(s, NULL, 0, n, why);
    if (st)
        return st;
    if (*n > w->sketch_room) {
        free(w->sketch);
        w->sketch_room = *n + *n / 2;
        w->sketch = malloc(w->sketch_room);
        if (!w->sketch) {
            w->sketch_room = 0;
            return BP_NOMEM;
        }
    }
    return bp_any_encode(s, w->sketch, w->sketch_room, n, why);
}

static int write_group(writer *w, const cli_group *g)
{
    unsigned char lengths[16], check[8];
    bp_hash_stream stream;
    bp_detail why = {0};
    size_t n = 0;
    const size_t pad = (size_t)padding(g->name.len);
    const bp_status st = note_begin(w) ? encode(w, g->sketch, &n, &why) : BP_NOMEM;
    if (st)
        return cli_library_error(w->command, st, &why);
    put_le(lengths, g->name.len, 8);
    put_le(lengths + 8, n, 8);
    bp_hash_begin(&stream, NULL, NULL);
    bp_hash_add(&stream, lengths, sizeof lengths);
    bp_hash_add(&stream, g->name.ptr, g->name.len);
    bp_hash_add(&stream, zeros, pad);
    put_le(check, bp_hash_end(&stream), 8);
    return write_bytes(w, lengths, sizeof lengths) ||
                   write_bytes(w, g->name.ptr, g->name.len) ||
                   write_bytes(w, zeros, pad) || write_bytes(w, check, sizeof check) ||
                   write_bytes(w, w->sketch, n)
               ? CLI_ERROR
               : CLI_OK;
}

static int write_end(writer *w)
{
    unsigned char t[TRAILER];
    put_le(t, w->count, 8);
    put_le(t + 8, w->at, 8);
    put_le(t + 16, bp_hash(NULL, w->index, 8 * w->count), 8);
    put_le(t + 24, bp_hash(NULL, t, 24), 8);
    return write_bytes(w, w->index, 8 * w->count) || write_bytes(w, t, sizeof t)
               ? CLI_ERROR
               : CLI_OK;
}

int cli_group_save(const char *command, cli_group_reader *r, const bp_kind_info *kind,
                   const char *path)
{
    writer w = {.command = command};
    cli_group g = {{NULL, 0}, NULL};
    int code = cli_save_begin(&w.file, path);
    if (!code)
        code = cli_group_rewind(r);
    if (!code)
        code = write_header(&w, kind);
    while (!code && !(code = cli_group_next(r, &g)))
        code = write_group(&w, &g);
    if (code == CLI_NONE)
        code = write_end(&w);
    code = cli_save_end(&w.file, code);
    free(w.index);
    free(w.sketch);
    return code;
}
