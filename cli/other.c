/* SPDX-License-Identifier: MIT
 * other.c - the file that the input's lines are held against.
 *
 * It is read as any input is, by options that differ in two things: the one file, and the
 * fields of its lines that are the item. */
#include "other.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

uint64_t cli_file_size(const cli_file *file)
{
    struct stat st;
    const bool is_stdin = strcmp(file->name, "-") == 0;
    const int bad = file->fd >= 0 ? fstat(file->fd, &st)
                    : is_stdin    ? fstat(STDIN_FILENO, &st)
                                  : stat(file->name, &st);
    return bad || !S_ISREG(st.st_mode) ? 0 : (uint64_t)st.st_size;
}

bool cli_is_stdin(const char *name)
{
    struct stat named, in;
    return strcmp(name, "-") == 0 ||
           (stat(name, &named) == 0 && fstat(STDIN_FILENO, &in) == 0 &&
            (S_ISFIFO(in.st_mode) || S_ISSOCK(in.st_mode)) && named.st_dev == in.st_dev &&
            named.st_ino == in.st_ino);
}

int cli_other_open(cli_other *x, const cli_options *o, const char *name,
                   const cli_fields *fields)
{
    x->file = (cli_file){name, -1};
    x->o = *o;
    x->o.files = &x->file;
    x->o.n_files = 1;
    x->o.files0 = NULL;
    memset(x->o.fields, 0, sizeof x->o.fields);
    if (fields)
        x->o.fields[CLI_OF_ITEM] = *fields;
    else
        x->o.csv = x->o.header = false;
    const int code = cli_spool(&x->o);
    x->at = strcmp(name, "-") == 0 ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1;
    return code;
}

int cli_other_read(const cli_other *x, const cli_sink *sink, cli_tally *tally)
{
    bool fatal = false;
    if (x->at >= 0)
        lseek(STDIN_FILENO, x->at, SEEK_SET);
    return cli_read(&x->o, sink, tally, &fatal);
}

void cli_other_close(cli_other *x)
{
    if (x->file.fd >= 0)
        close(x->file.fd);
}
