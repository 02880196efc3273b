/* SPDX-License-Identifier: MIT
 * mapped.h - saved sketches as they lie in their files. */
#ifndef CLI_MAPPED_H
#define CLI_MAPPED_H

#include "cli.h"

typedef struct cli_mapped cli_mapped;

/* The first `size` bytes of fd, for reading; path (borrowed) is for messages. NULL: it
 * cannot be mapped. A file that is cut short while it is read ends the run with a message
 * and CLI_ERROR. */
cli_mapped *cli_map_file(int fd, const char *path, size_t size);
const void *cli_mapped_bytes(const cli_mapped *m);
void cli_unmap(cli_mapped *m);

/* Of a file that bp_any_view accepted unverified: each block's checksum is verified when
 * the first of its bytes is read, from now on; damage ends the run with a message and
 * CLI_ERROR. BP_OK, or why not. */
bp_status cli_verify_lazily(cli_mapped *m, bp_detail *why);

#endif
