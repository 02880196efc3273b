/* SPDX-License-Identifier: MIT
 * codecs.h - the decoders of compressed input, one a format, behind one shape.
 *
 * begin  a member; `again` when the one before was of the same format. false: no memory
 * step   decodes from bytes[in..n) into out[0..*n), *n becoming what it wrote; DAMAGED
 *        leaves words in c->why
 * end    frees what begin made, or half made
 *
 * Built without compression (-DBALLPARK_COMPRESSION=OFF), a format has no begin: its
 * files are known for what they are, and refused. */
#ifndef CLI_CODECS_H
#define CLI_CODECS_H

#include "../input.h"

enum {
    CLI_CODEC_ROOM = 64 << 10, /* compressed bytes read at a time         */
    CLI_WINDOW_LOG_MOST = 27   /* zstd's and xz's windows, 128 MiB at most */
};

typedef enum step { GOES_ON, ENDED, DAMAGED, NO_MEMORY, TOO_LARGE, ABSENT } step;

typedef struct format {
    const char *a_member;
    const char *tool; /* that decompresses it to stdout */
    bool (*begin)(cli_codec *c, bool again);
    step (*step)(cli_codec *c, uint8_t *out, size_t *n);
    void (*end)(cli_codec *c);
} format;

extern const format cli_gzip, cli_zstd, cli_xz, cli_bzip2, cli_lz4;

struct cli_codec {
    const char *name;
    int fd;
    bool by_place; /* a regular file: read at `at`, wherever others stand in it */
    uint64_t start, at;
    const format *format; /* NULL: plain, or not known yet */
    bool is_known;
    bool is_inside;           /* a member */
    bool is_over, has_failed; /* failed: said, and not told yet */
    bool may_read, is_starved;
    bool is_full;     /* the last read filled its room: there may be more */
    void *decoder;    /* its format's */
    uint64_t to_skip; /* of a skippable frame */
    size_t wanted;    /* bytes that zstd and lz4 are to be given next */
    const char *why;
    size_t in, n;
    uint8_t bytes[CLI_CODEC_ROOM];
};

static inline size_t cli_codec_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

#endif
