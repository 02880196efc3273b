/* SPDX-License-Identifier: MIT
 * group_dir.c - --output-dir: a file for each group.
 *
 * A group's name is the user's bytes, a file's name must not leave the directory, hide,
 * or be cut. So letters, digits, '-', '_' and '.' stand for themselves, but no '.' in
 * front; every other byte is %XX; and the empty name is a lone %, which no other name can
 * be. Two groups never share a file. A name that would be too long is refused before the
 * first file is written: any way to shorten it might make one file of two groups. */
#include "groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What file systems take; the temporary's name is the file's and a little more. */
enum { FILE_NAME_MOST = 255, TEMPORARY = sizeof ".XXXXXX.tmp" - 1 };

static bool is_itself(unsigned char c, bool is_first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '-' || c == '_' || (c == '.' && !is_first);
}

/* The file's name into to[0..room), as much of it as fits; returns its whole length. */
static size_t encode_name(bp_bytes name, char *to, size_t room)
{
    const unsigned char *p = name.ptr;
    size_t n = 0;
    char piece[4];
    for (size_t i = 0; i < name.len; i++) {
        const bool plain = is_itself(p[i], i == 0);
        const int size = snprintf(piece, sizeof piece, plain ? "%c" : "%%%02X", p[i]);
        if (n + (size_t)size < room)
            memcpy(to + n, piece, (size_t)size + 1);
        n += (size_t)size;
    }
    if (name.len == 0)
        n += (size_t)snprintf(to, room, "%%");
    if (n + 3 < room)
        memcpy(to + n, ".bp", 4);
    return n + 3;
}

static int check_dir(const cli_options *o)
{
    struct stat st;
    if (mkdir(o->output_dir, 0777) == 0)
        return CLI_OK;
    const int error = errno;
    if (stat(o->output_dir, &st) == 0 && S_ISDIR(st.st_mode))
        return CLI_OK;
    errno = error == EEXIST ? ENOTDIR : error;
    return cli_errno(o->output_dir);
}

/* Whether the path is that of a file in the directory which may be a group's. */
static bool may_be_replaced(const cli_options *o, const char *path)
{
    struct stat dir, its;
    char *target = cli_target(path);
    const size_t n = target ? strlen(target) : 0;
    bool may = n >= 3 && strcmp(target + n - 3, ".bp") == 0;
    if (may) {
        char *slash = strrchr(target, '/');
        *(slash ? slash + 1 : target) = '\0';
        may = stat(o->output_dir, &dir) == 0 && stat(slash ? target : ".", &its) == 0 &&
              dir.st_dev == its.st_dev && dir.st_ino == its.st_ino;
    }
    free(target);
    return may;
}

/* Names of groups are known when the input is read, and then it is too late to ask. */
static int check_place(const cli_options *o, const char *path)
{
    if (!path || !may_be_replaced(o, path))
        return CLI_OK;
    cli_error("%s: --output-dir %s: a group's file there could replace %s",
              o->command->name, o->output_dir, path);
    cli_hint("keep it elsewhere, or under a name that does not end in .bp");
    return CLI_ERROR;
}

static int check_places(const cli_options *o)
{
    int code = check_place(o, o->output);
    if (!code)
        code = check_place(o, o->state);
    for (size_t i = 0; i < o->n_files && !code; i++)
        code = check_place(o, o->files[i].name);
    return code;
}

int cli_group_check_dir(const cli_options *o)
{
    if (!o->output_dir)
        return CLI_OK;
    if (!o->group) {
        cli_error("%s: --output-dir %s: without --group there is only one sketch",
                  o->command->name, o->output_dir);
        cli_hint("-o FILE writes it");
        return CLI_ERROR;
    }
    return check_dir(o) || check_places(o) ? CLI_ERROR : CLI_OK;
}

static int check_names(const cli_options *o, cli_group_reader *r)
{
    char file[FILE_NAME_MOST + 1];
    cli_group g = {{NULL, 0}, NULL};
    int code = cli_group_rewind(r);
    while (!code && !(code = cli_group_next(r, &g))) {
        const size_t n = encode_name(g.name, file, sizeof file);
        if (n + TEMPORARY <= FILE_NAME_MOST)
            continue;
        char *shown = cli_shown(g.name);
        cli_error(
            "%s: --output-dir %s: group %s would need a file name of %zu bytes; the "
            "most are %d",
            o->command->name, o->output_dir, shown ? shown : "", n,
            FILE_NAME_MOST - TEMPORARY);
        cli_hint("-o FILE holds all groups in one file, whatever their names");
        free(shown);
        return CLI_ERROR;
    }
    return code == CLI_NONE ? CLI_OK : code;
}

static int save_one(const cli_options *o, const cli_group *g)
{
    char file[FILE_NAME_MOST + 1];
    encode_name(g->name, file, sizeof file);
    const size_t size = strlen(o->output_dir) + 1 + strlen(file) + 1;
    char *path = malloc(size);
    if (!path)
        return cli_error("%s: out of memory", o->command->name);
    snprintf(path, size, "%s/%s", o->output_dir, file);
    const int code = cli_write_sketch_to(path, g->sketch);
    free(path);
    return code;
}

int cli_group_save_dir(const cli_options *o, cli_group_reader *r)
{
    cli_group g = {{NULL, 0}, NULL};
    int code = check_names(o, r);
    if (!code)
        code = cli_group_rewind(r);
    while (!code && !(code = cli_group_next(r, &g)))
        code = save_one(o, &g);
    return code == CLI_NONE ? CLI_OK : code;
}
