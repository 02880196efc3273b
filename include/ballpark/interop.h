/* SPDX-License-Identifier: MIT
 * ballpark/interop.h - sketches in the bytes of other programs.
 *
 * Parquet    A column chunk of a Parquet file may have a split-block Bloom filter of its
 *            values: a header in Thrift's compact protocol, then the bitset, at the
 *            chunk's bloom_filter_offset. Here it is a blocked_bloom of the layout
 *            SPLIT256 whose hash is XXH64 with seed 0, and its keys are values as
 *            Parquet's PLAIN encoding has them: strings as their bytes, INT32 and FLOAT
 *            as 4, INT64 and DOUBLE as 8 little-endian bytes.
 * Errors     Any bytes are a filter or an error with an offset: BP_KIND, none of Parquet;
 *            BP_VERSION, of an algorithm, hash or compression that was not there in 2026,
 *            or of the time before the format was settled; BP_CORRUPT.
 * Bytes      src/interop/parquet/FORMAT.md.
 */
#ifndef BALLPARK_INTEROP_H
#define BALLPARK_INTEROP_H

#include <ballpark/core.h>

#ifdef __cplusplus
extern "C" {
#endif

struct bp_blocked_bloom;

/* Bytes that are enough for bp_parquet_peek. */
enum { BP_PARQUET_PEEK = 20 };

/* The whole length, header and bitset, of the filter that begins with these n bytes. */
BP_API bp_status bp_parquet_peek(const void *bytes, size_t n, uint64_t *size,
                                 bp_detail *why);
/* The filter that the n bytes are, all of them. Parquet does not say for how many keys it
 * was made: its capacity is what its blocks hold at 1 %. alloc may be NULL. Any number of
 * blocks is taken. */
BP_API bp_status bp_parquet_decode(struct bp_blocked_bloom **out, const void *bytes,
                                   size_t n, const bp_alloc *alloc, bp_detail *why);
/* As every encode. BP_UNSUPPORTED for a filter of another layout or hash, or of 2 GiB. A
 * filter that bp_blocked_bloom_new sized has a power of two of blocks, without which some
 * readers refuse it. */
BP_API bp_status bp_parquet_encode(const struct bp_blocked_bloom *s, void *buf,
                                   size_t cap, size_t *size, bp_detail *why);

#ifdef __cplusplus
}
#endif
#endif
