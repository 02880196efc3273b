/* SPDX-License-Identifier: MIT
 * codecs.c - gzip, zstd, xz, bzip2 and lz4, each by its own library.
 *
 * Decoders are fed so that they hand over what they have before they look at more: zstd
 * and lz4 block by block, by the number of bytes they say they want next, since else a
 * fault throws away what the same call had decoded. */
#include "codecs.h"

#ifdef BALLPARK_WITHOUT_COMPRESSION
#define FORMAT(name) NULL, NULL, NULL
#else
#define FORMAT(name) name##_begin, name##_step, name##_end

#include <bzlib.h>
#include <lz4frame.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* The state of those whose library does not allocate it. */
static bool make(cli_codec *c, bool again, size_t size)
{
    if (!again)
        c->decoder = calloc(1, size);
    return c->decoder != NULL;
}

static void drop(cli_codec *c)
{
    free(c->decoder);
    c->decoder = NULL;
}

/* ------------------------------------------------------------------------------- gzip */

static bool gzip_begin(cli_codec *c, bool again)
{
    enum { GZIP_ONLY = 16 };
    return make(c, again, sizeof(z_stream)) &&
           (again ? inflateReset(c->decoder)
                  : inflateInit2((z_stream *)c->decoder, MAX_WBITS + GZIP_ONLY)) == Z_OK;
}

static step gzip_step(cli_codec *c, uint8_t *out, size_t *n)
{
    z_stream *z = c->decoder;
    z->next_in = c->bytes + c->in;
    z->avail_in = (uInt)(c->n - c->in);
    z->next_out = out;
    z->avail_out = (uInt)*n;
    const int r = inflate(z, Z_NO_FLUSH);
    c->in = c->n - z->avail_in;
    *n -= z->avail_out;
    c->why = z->msg ? z->msg : "invalid data";
    return r == Z_OK || r == Z_BUF_ERROR ? GOES_ON
           : r == Z_STREAM_END           ? ENDED
           : r == Z_MEM_ERROR            ? NO_MEMORY
                                         : DAMAGED;
}

static void gzip_end(cli_codec *c)
{
    if (c->decoder)
        inflateEnd(c->decoder);
    drop(c);
}

/* ------------------------------------------------------------------------------- zstd */

static bool zstd_begin(cli_codec *c, bool again)
{
    if (!again && !(c->decoder = ZSTD_createDCtx()))
        return false;
    ZSTD_DCtx_setParameter(c->decoder, ZSTD_d_windowLogMax, CLI_WINDOW_LOG_MOST);
    c->wanted = ZSTD_initDStream(c->decoder);
    return true;
}

static step zstd_step(cli_codec *c, uint8_t *out, size_t *n)
{
    ZSTD_inBuffer from = {c->bytes + c->in, cli_codec_least(c->n - c->in, c->wanted), 0};
    ZSTD_outBuffer to = {out, *n, 0};
    const size_t r = ZSTD_decompressStream(c->decoder, &to, &from);
    c->in += from.pos;
    *n = to.pos;
    if (!ZSTD_isError(r)) {
        c->wanted = r;
        return r == 0 ? ENDED : GOES_ON;
    }
    c->why = ZSTD_getErrorName(r);
    switch (ZSTD_getErrorCode(r)) {
    case ZSTD_error_memory_allocation:
        return NO_MEMORY;
    case ZSTD_error_frameParameter_windowTooLarge:
        return TOO_LARGE;
    default:
        return DAMAGED;
    }
}

static void zstd_end(cli_codec *c)
{
    ZSTD_freeDCtx(c->decoder);
}

/* --------------------------------------------------------------------------------- xz */

static bool xz_begin(cli_codec *c, bool again)
{
    enum { BESIDE = 1 << 20 }; /* what it needs beside the window */
    /* Begun again it takes its memory over by itself. */
    return make(c, again, sizeof(lzma_stream)) &&
           lzma_stream_decoder(c->decoder, (UINT64_C(1) << CLI_WINDOW_LOG_MOST) + BESIDE,
                               0) == LZMA_OK;
}

static step xz_step(cli_codec *c, uint8_t *out, size_t *n)
{
    lzma_stream *xz = c->decoder;
    xz->next_in = c->bytes + c->in;
    xz->avail_in = c->n - c->in;
    xz->next_out = out;
    xz->avail_out = *n;
    const lzma_ret r = lzma_code(xz, LZMA_RUN);
    c->in = c->n - xz->avail_in;
    *n -= xz->avail_out;
    c->why = r == LZMA_OPTIONS_ERROR ? "made with options that this liblzma does not know"
                                     : "invalid data";
    switch (r) {
    case LZMA_OK:
    case LZMA_BUF_ERROR:
        return GOES_ON;
    case LZMA_STREAM_END:
        return ENDED;
    case LZMA_MEM_ERROR:
        return NO_MEMORY;
    case LZMA_MEMLIMIT_ERROR:
        return TOO_LARGE;
    default:
        return DAMAGED;
    }
}

static void xz_end(cli_codec *c)
{
    if (c->decoder)
        lzma_end(c->decoder);
    drop(c);
}

/* ------------------------------------------------------------------------------ bzip2 */

static void bzip2_end(cli_codec *c)
{
    if (c->decoder)
        BZ2_bzDecompressEnd(c->decoder);
    drop(c);
}

/* It has no way to begin again. */
static bool bzip2_begin(cli_codec *c, bool again)
{
    if (again)
        bzip2_end(c);
    return make(c, false, sizeof(bz_stream)) &&
           BZ2_bzDecompressInit(c->decoder, 0, 0) == BZ_OK;
}

static step bzip2_step(cli_codec *c, uint8_t *out, size_t *n)
{
    bz_stream *bz = c->decoder;
    bz->next_in = (char *)c->bytes + c->in;
    bz->avail_in = (unsigned)(c->n - c->in);
    bz->next_out = (char *)out;
    bz->avail_out = (unsigned)*n;
    const int r = BZ2_bzDecompress(bz);
    c->in = c->n - bz->avail_in;
    *n -= bz->avail_out;
    c->why = "invalid data";
    return r == BZ_OK           ? GOES_ON
           : r == BZ_STREAM_END ? ENDED
           : r == BZ_MEM_ERROR  ? NO_MEMORY
                                : DAMAGED;
}

/* -------------------------------------------------------------------------------- lz4 */

static bool lz4_begin(cli_codec *c, bool again)
{
    enum { SMALLEST_HEADER = 7 };
    c->wanted = SMALLEST_HEADER;
    return again || !LZ4F_isError(LZ4F_createDecompressionContext(
                        (LZ4F_dctx **)&c->decoder, LZ4F_VERSION));
}

static step lz4_step(cli_codec *c, uint8_t *out, size_t *n)
{
    size_t took = cli_codec_least(c->n - c->in, c->wanted);
    const size_t r = LZ4F_decompress(c->decoder, out, n, c->bytes + c->in, &took, NULL);
    c->in += took;
    if (!LZ4F_isError(r)) {
        c->wanted = r;
        return r == 0 ? ENDED : GOES_ON;
    }
    c->why = LZ4F_getErrorName(r);
    return strcmp(c->why, "ERROR_allocation_failed") == 0 ? NO_MEMORY : DAMAGED;
}

static void lz4_end(cli_codec *c)
{
    LZ4F_freeDecompressionContext(c->decoder);
}

#endif

const format cli_gzip = {"a gzip member", "gzip -dc", FORMAT(gzip)};
const format cli_zstd = {"a zstd frame", "zstd -dc --long=31", FORMAT(zstd)};
const format cli_xz = {"an xz stream", "xz -dc", FORMAT(xz)};
const format cli_bzip2 = {"a bzip2 stream", "bzip2 -dc", FORMAT(bzip2)};
const format cli_lz4 = {"an lz4 frame", "lz4 -dc", FORMAT(lz4)};
