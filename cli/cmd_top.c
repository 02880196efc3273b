/* SPDX-License-Identifier: MIT
 * cmd_top.c - which lines come most often. */
#include "cli.h"

static const char *const examples[] = {
    "ballpark top access.log",
    "as sort -u | wc -l, in 12 KB and one pass",
    "ballpark top -f1 monday.log tuesday.log",
    "different first fields of both files together",
    "ballpark top -d, -f3 -e 0.5% users.csv",
    "the third comma-separated field, with a standard error of 0.5 %",
    "ballpark top -f1 -o monday.bp monday.log",
    "the number, and the sketch for a later `ballpark merge`",
    NULL};
static const cli_use uses[] = {{OPT_FIELD, NULL},
                               {OPT_DELIMITER, NULL},
                               {OPT_ERROR, "relative standard error: 0.81% unless given"},
                               {OPT_MEMORY, "at most this much memory for the sketch"},
                               {OPT_PRECISION, "2^P registers, 4 to 18 (14)"},
                               {OPT_KIND, "kind of sketch: hll"},
                               {OPT_CONFIDENCE, NULL},
                               {OPT_OUTPUT, "also write the sketch to FILE"},
                               {OPT_THREADS, NULL},
                               {OPT_FORMAT, NULL},
                               {OPT_SKIP_BAD, NULL},
                               {OPT_QUIET, NULL},
                               {OPT_VERBOSE, NULL},
                               {OPT_END, NULL}};

const cli_page page_top = {
    "[OPTION]... [FILE]...",
    "Counts different lines, in all FILEs together, by a HyperLogLog sketch: in a few "
    "kilobytes and with a standard error of 0.81 % (exact, all but surely, up to 100). "
    "An "
    "item is the line without its line end; empty lines count.",
    examples,
    uses,
    NULL,
    NULL};

int cmd_top(cli_options *o)
{
    cli_default_stdin(o);
    return cli_error("top: reading is not in place yet");
}
