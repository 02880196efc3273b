/* SPDX-License-Identifier: MIT
 * other.c - the file that the input's lines are held against.
 *
 * It is read as any input is, by options that differ in two things: the one file, and the
 * fields of its lines that are the item. */
#include "other.h"

#include <string.h>
#include <sys/types.h>
#include <unistd.h>

int cli_other_open(cli_other *x, const cli_options *o, const char *name, bool whole)
{
    x->file = (cli_file){name, -1};
    x->o = *o;
    x->o.files = &x->file;
    x->o.n_files = 1;
    x->o.files0 = NULL;
    memset(x->o.fields, 0, sizeof x->o.fields);
    if (o->other_field)
        x->o.fields[CLI_OF_ITEM] = o->other_fields;
    else if (!whole)
        x->o.fields[CLI_OF_ITEM] = o->fields[CLI_OF_ITEM];
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
