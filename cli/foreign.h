/* SPDX-License-Identifier: MIT
 * foreign.h - filters of other programs, and filters inside other files. */
#ifndef CLI_FOREIGN_H
#define CLI_FOREIGN_H

#include "cli.h"

/* FILE@OFFSET or FILE@OFFSET+LENGTH, of a file that is there, while none has the whole
 * name. */
typedef struct cli_piece {
    char *file; /* for the caller to free */
    uint64_t at;
    uint64_t size; /* 0: as long as what begins there says it is */
} cli_piece;
bool cli_piece_of(const char *path, cli_piece *out);
/* Reads it; *bytes is for the caller to free. CLI_OK or CLI_ERROR, printed. */
int cli_read_piece(const char *path, const cli_piece *piece, void **bytes, size_t *n);

/* Makes the sketch of bytes that are no ballpark sketch, or say so in *why. CLI_OK;
 * CLI_ERROR, printed; CLI_NONE: nothing that is known here. */
int cli_open_foreign(const char *name, cli_saved *s, const bp_detail *why);

#endif
