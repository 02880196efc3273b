/* SPDX-License-Identifier: MIT
 * parquet.c - the split-block Bloom filter of a Parquet file.
 *
 * What stands at a column chunk's bloom_filter_offset (apache/parquet-format,
 * BloomFilter.md and parquet.thrift):
 *
 *     15 <numBytes>   field 1, an i32: zigzag, 7 bits a byte, the low ones first
 *     1C 1C 00 00     field 2, algorithm:   a union of 1: BLOCK {}
 *     1C 1C 00 00     field 3, hash:        a union of 1: XXHASH {}
 *     1C 1C 00 00     field 4, compression: a union of 1: UNCOMPRESSED {}
 *     00              end
 *     numBytes of bitset: blocks of eight 32-bit words, little-endian
 *
 * Thrift's compact protocol gives a field a byte: how far its number is from the one
 * before (high half) and its type (5: i32, 12: struct). The bitset is the payload of our
 * own split256, so that decoding and encoding copy. Only the shortest spelling is
 * accepted, which every writer uses: what decodes encodes to itself.
 *
 * Before the format was settled the header was three 32-bit words (numBytes, hash 0,
 * algorithm 0) and the hash Murmur3: that is told, not guessed at. */
#include "sketches/blocked_bloom/blocked_bloom_state.h"

#include <ballpark/hash.h>
#include <ballpark/interop.h>

enum {
    BLOCK = 32,
    FIELD_I32 = 0x15,    /* one on, an i32  */
    FIELD_STRUCT = 0x1C, /* one on, a struct */
    TYPE = 0x0F,
    STRUCT = 0x0C,
    STOP = 0,
    VARINT_MOST = 5,
    HEADER_MOST = 1 + VARINT_MOST + 3 * 4 + 1
};
_Static_assert((int)HEADER_MOST < (int)BP_PARQUET_PEEK, "a header fits into a peek");

/* ----------------------------------------------------------------------------- header */

static uint32_t get_varint(bp_reader *r)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 7 * VARINT_MOST; shift += 7) {
        const uint8_t b = bp_get8(r);
        v |= (uint64_t)(b & 0x7F) << shift;
        if (b < 0x80)
            return b == 0 && shift > 0 ? UINT32_MAX
                   : v > UINT32_MAX    ? UINT32_MAX
                                       : (uint32_t)v;
    }
    return UINT32_MAX; /* odd: a negative number, which no length is */
}

static bp_status get_size(bp_reader *r, uint64_t *size, bp_detail *why)
{
    const uint64_t at = r->at;
    const uint32_t zigzag = get_varint(r);
    *size = zigzag / 2;
    if (!r->short_ && (zigzag % 2 || *size == 0 || *size % BLOCK))
        return bp_fail_at(why, BP_CORRUPT,
                          "the bitset's length is no number of 32-byte "
                          "blocks",
                          at, *size, 0);
    return BP_OK;
}

/* A union of which one member is known, an empty struct. */
static bp_status get_union(bp_reader *r, const char *unknown, bp_detail *why)
{
    const uint64_t at = r->at;
    const uint8_t field = bp_get8(r), member = bp_get8(r);
    if (r->short_)
        return BP_OK;
    if (field != FIELD_STRUCT || (member & TYPE) != STRUCT)
        return bp_fail_at(why, BP_CORRUPT, "no header of a Parquet filter", at, field,
                          FIELD_STRUCT);
    if (member != FIELD_STRUCT)
        return bp_fail_at(why, BP_VERSION, unknown, at + 1, member, FIELD_STRUCT);
    if (bp_get8(r) != STOP || bp_get8(r) != STOP)
        return bp_fail_at(why, BP_CORRUPT, "no header of a Parquet filter", at + 2, 0, 0);
    return BP_OK;
}

/* Three words of which the second and third are 0. No header of today begins so. */
static bool is_before_release(const uint8_t *p, size_t n)
{
    return n >= 12 && bp_load32(p) > 0 && bp_load32(p) % BLOCK == 0 &&
           bp_load64(p + 4) == 0;
}

static bp_status get_header(bp_reader *r, uint64_t *size, bp_detail *why)
{
    if (is_before_release(r->p, r->n))
        return bp_fail_at(
            why, BP_VERSION,
            "a Parquet filter from before its format was settled, of hashes "
            "by Murmur3: write the file again",
            0, 0, 0);
    const uint8_t first = bp_get8(r);
    if (!r->short_ && first != FIELD_I32)
        return bp_fail_at(why, BP_KIND, "not a Parquet Bloom filter", 0, 0, 0);
    bp_status st = get_size(r, size, why);
    if (!st)
        st = get_union(r, "a Parquet filter by an algorithm this version does not know",
                       why);
    if (!st)
        st = get_union(r, "a Parquet filter by a hash this version does not know", why);
    if (!st)
        st = get_union(
            r, "a Parquet filter compressed in a way this version does not know", why);
    if (!st && bp_get8(r) != STOP)
        st = bp_fail_at(why, BP_VERSION,
                        "a Parquet filter with a header newer than this "
                        "version",
                        r->at - 1, 0, 0);
    if (!st && r->short_)
        st = bp_fail_at(why, BP_CORRUPT, "the header is cut short", r->n, r->n, 0);
    return st;
}

static void put_header(bp_writer *w, uint64_t size)
{
    static const uint8_t one[] = {FIELD_STRUCT, FIELD_STRUCT, STOP, STOP};
    bp_put8(w, FIELD_I32);
    for (uint64_t zigzag = 2 * size; zigzag; zigzag >>= 7)
        bp_put8(w, (uint8_t)((zigzag & 0x7F) | (zigzag > 0x7F ? 0x80 : 0)));
    for (int i = 0; i < 3; i++)
        bp_put(w, one, sizeof one);
    bp_put8(w, STOP);
}

/* ------------------------------------------------------------------------------ bytes */

bp_status bp_parquet_peek(const void *bytes, size_t n, uint64_t *size, bp_detail *why)
{
    bp_reader r = bp_read(bytes, n);
    uint64_t bitset = 0;
    const bp_status st = get_header(&r, &bitset, why);
    if (!st)
        *size = r.at + bitset;
    return st;
}

static bp_status check_length(const bp_reader *r, uint64_t size, bp_detail *why)
{
    const uint64_t all = r->at + size;
    if (r->n < all)
        return bp_fail_at(why, BP_CORRUPT, "the filter is cut short", r->n, r->n, all);
    if (r->n > all)
        return bp_fail_at(why, BP_CORRUPT, "bytes follow the filter", all, r->n, all);
    return BP_OK;
}

bp_status bp_parquet_decode(bp_blocked_bloom **out, const void *bytes, size_t n,
                            const bp_alloc *alloc, bp_detail *why)
{
    bp_reader r = bp_read(bytes, n);
    uint64_t size = 0;
    *out = NULL;
    bp_status st = get_header(&r, &size, why);
    if (!st)
        st = check_length(&r, size, why);
    if (st)
        return st;
    const bp_blocked_bloom_config cfg = {.alloc = alloc ? *alloc : (bp_alloc){NULL, NULL},
                                         .hash = {.id = BP_HASH_XXH64},
                                         .blocks = size / BLOCK,
                                         .layout = BP_BLOCKED_BLOOM_SPLIT256};
    st = bp_blocked_bloom_new(out, &cfg, why);
    if (!st)
        memcpy(((bp_object *)*out)->cells, r.p + r.at, (size_t)size);
    return st;
}

/* Whether Parquet has a word for it. */
static bp_status check_filter(const bp_object *o, bp_detail *why)
{
    const blocked_head *h = (const blocked_head *)o->head;
    if (h->design.layout != BP_BLOCKED_BLOOM_SPLIT256)
        return bp_fail(why, BP_UNSUPPORTED, "Parquet's filters have the layout split256",
                       h->design.layout, BP_BLOCKED_BLOOM_SPLIT256);
    if (h->base.hash.id != BP_HASH_XXH64 || h->base.hash.seed != 0)
        return bp_fail(why, BP_UNSUPPORTED,
                       "Parquet's filters have the hash xxh64 with the seed 0",
                       h->base.hash.id, BP_HASH_XXH64);
    if (o->cells_size > INT32_MAX)
        return bp_fail(why, BP_UNSUPPORTED, "Parquet's filters are smaller than 2 GiB",
                       o->cells_size, INT32_MAX);
    return BP_OK;
}

bp_status bp_parquet_encode(const bp_blocked_bloom *s, void *buf, size_t cap,
                            size_t *size, bp_detail *why)
{
    const bp_object *o = (const bp_object *)s;
    uint8_t header[HEADER_MOST];
    bp_writer w = bp_write(header, sizeof header);
    const bp_status st = check_filter(o, why);
    if (st)
        return st;
    put_header(&w, o->cells_size);
    const size_t all = w.at + o->cells_size;
    if (buf && cap < all)
        return bp_fail(why, BP_FULL, "the buffer is too small", cap, all);
    if (buf) {
        memcpy(buf, header, w.at);
        bp_object_copy(o, (uint8_t *)buf + w.at, o->cells, o->cells_size);
    }
    *size = all;
    return BP_OK;
}
