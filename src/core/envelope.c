/* SPDX-License-Identifier: MIT
 * envelope.c - the frame around every sketch's bytes.
 *
 *   offset size
 *     0     8   magic: 89 'b' 'a' 'l' 'l' 'p' 'k' 0a (a text-mode copy breaks it)
 *     8     2   format version, 1
 *    10     2   kind id (sketches.def)
 *    12     4   required flags: one that a reader does not know is VERSION
 *    16     4   optional flags: one that a reader does not know is ignored
 *    20     2   hash id
 *    22     2   rule by which positions are taken from the hash
 *    24     8   hash seed, or the check value of a secret key
 *    32     4   P, bytes of parameters
 *    36     4   H, bytes of header: 64 * ceil((56 + P + 8) / 64)
 *    40     8   L, bytes of payload
 *    48     8   zero
 *    56     P   parameters, then zeros
 *   H-8     8   XXH3-64 of the bytes [0, H-8)
 *    H      L   payload, then zeros to a multiple of 8
 *    ..    8B   XXH3-64 of each MiB of payload, B = ceil(L / 2^20)
 *
 * All numbers little-endian. The payload starts on a multiple of 64, so that a mapped
 * file can be asked in place. Every byte is either checked or must be zero: what
 * decodes re-encodes to itself. Why one checksum per MiB: a reader that maps a large
 * filter can verify the part it touches, and damage is located. */
#include "core/envelope.h"

#include "core/xxh.h"

static const uint8_t magic[8] = {0x89, 'b', 'a', 'l', 'l', 'p', 'k', '\n'};

size_t bp_envelope_header_size(size_t params_size)
{
    return (size_t)bp_round_up(BP_ENVELOPE_FIXED + params_size + 8, 64);
}

static uint64_t block_count(uint64_t payload_size)
{
    return payload_size / BP_ENVELOPE_BLOCK + (payload_size % BP_ENVELOPE_BLOCK != 0);
}

size_t bp_envelope_size(size_t params_size, uint64_t payload_size)
{
    if (payload_size > UINT64_MAX / 2)
        return 0;
    const uint64_t all = bp_envelope_header_size(params_size) +
                         bp_round_up(payload_size, 8) + 8 * block_count(payload_size);
    return all > SIZE_MAX / 2 ? 0 : (size_t)all;
}

static uint64_t block_hash(const uint8_t *payload, uint64_t size, uint64_t i)
{
    const uint64_t at = i * BP_ENVELOPE_BLOCK;
    const uint64_t left = size - at;
    return XXH3_64bits(payload + at,
                       (size_t)(left < BP_ENVELOPE_BLOCK ? left : BP_ENVELOPE_BLOCK));
}

/* h bytes, of which params_size make h. */
static void put_header(const bp_envelope *e, uint8_t *buf, size_t h)
{
    bp_writer w = bp_write(buf, h);
    memset(buf, 0, h);
    bp_put(&w, magic, 8);
    bp_put16(&w, BP_ENVELOPE_VERSION);
    bp_put16(&w, e->kind);
    bp_put32(&w, e->required);
    bp_put32(&w, e->optional);
    bp_put16(&w, (uint16_t)e->hash);
    bp_put16(&w, e->rule);
    bp_put64(&w, e->seed);
    bp_put32(&w, (uint32_t)e->params_size);
    bp_put32(&w, (uint32_t)h);
    bp_put64(&w, e->payload_size);
    bp_put64(&w, 0);
    bp_put(&w, e->params, e->params_size);
    bp_store64(buf + h - 8, XXH3_64bits(buf, h - 8));
}

void bp_envelope_seal(const bp_envelope *e, uint8_t *buf)
{
    const size_t h = bp_envelope_header_size(e->params_size);
    const uint64_t padded = bp_round_up(e->payload_size, 8);
    uint8_t *payload = buf + h;
    put_header(e, buf, h);
    memset(payload + e->payload_size, 0, (size_t)(padded - e->payload_size));
    for (uint64_t i = 0; i < block_count(e->payload_size); i++)
        bp_store64(payload + padded + 8 * i, block_hash(payload, e->payload_size, i));
}

/* The bytes [from, from + n) of the whole, which are being put together at buf. */
typedef struct window {
    uint64_t from;
    size_t n;
    uint8_t *buf;
} window;

/* Of the `size` bytes src, whose place in the whole is `at`, those in the window. */
static void lay(const window *w, uint64_t at, const uint8_t *src, uint64_t size)
{
    const uint64_t from = at > w->from ? at : w->from;
    const uint64_t to = at + size < w->from + w->n ? at + size : w->from + w->n;
    if (from < to)
        memcpy(w->buf + (from - w->from), src + (from - at), (size_t)(to - from));
}

void bp_envelope_part(const bp_envelope *e, uint64_t from, uint8_t *buf, size_t n)
{
    static const uint8_t zeros[8];
    uint8_t header[BP_ENVELOPE_HEADER_MAX], sum[8];
    const window w = {from, n, buf};
    const size_t h = bp_envelope_header_size(e->params_size);
    const uint64_t end = h + e->payload_size, sums = h + bp_round_up(e->payload_size, 8);
    if (from < h) {
        put_header(e, header, h);
        lay(&w, 0, header, h);
    }
    lay(&w, h, e->payload, e->payload_size);
    lay(&w, end, zeros, sums - end);
    for (uint64_t i = from > sums ? (from - sums) / 8 : 0; sums + 8 * i < from + n; i++) {
        bp_store64(sum, block_hash(e->payload, e->payload_size, i));
        lay(&w, sums + 8 * i, sum, 8);
    }
}

/* The fixed part; everything that can be said before the parameters are read. */
static bp_status read_fixed(bp_reader *r, bp_envelope *e, size_t *header, bp_detail *why)
{
    const uint8_t *m = bp_get(r, 8);
    if (!m)
        return bp_fail_at(why, BP_CORRUPT, "too short for a sketch", 0, r->n,
                          BP_ENVELOPE_MIN);
    if (memcmp(m, magic, 8) != 0)
        return bp_fail_at(why, BP_KIND, "not a ballpark sketch", 0, 0, 0);
    const uint16_t version = bp_get16(r);
    e->kind = bp_get16(r);
    e->required = bp_get32(r);
    e->optional = bp_get32(r);
    e->hash = bp_get16(r);
    e->rule = bp_get16(r);
    e->seed = bp_get64(r);
    e->params_size = bp_get32(r);
    *header = bp_get32(r);
    e->payload_size = bp_get64(r);
    const uint64_t zero = bp_get64(r);
    if (r->short_)
        return bp_fail_at(why, BP_CORRUPT, "the header is cut short", r->n, r->n,
                          BP_ENVELOPE_MIN);
    if (version == 0x100) /* a 1, the other way round */
        return bp_fail_at(why, BP_CORRUPT,
                          "its numbers are big-endian: a sketch's are little-endian on "
                          "every machine",
                          8, 0, 0);
    if (version > BP_ENVELOPE_VERSION)
        return bp_fail_at(why, BP_VERSION, "written in a newer format; upgrade ballpark",
                          8, version, BP_ENVELOPE_VERSION);
    if (version == 0)
        return bp_fail_at(why, BP_CORRUPT, "there is no format version 0", 8, 0, 1);
    if (zero)
        return bp_fail_at(why, BP_CORRUPT, "reserved header bytes are not zero", 48, zero,
                          0);
    return BP_OK;
}

static bp_status check_header(bp_reader *r, bp_envelope *e, size_t header, bp_detail *why)
{
    if (e->params_size > BP_ENVELOPE_PARAMS_MAX)
        return bp_fail_at(why, BP_CORRUPT, "more parameter bytes than any kind has", 32,
                          e->params_size, BP_ENVELOPE_PARAMS_MAX);
    if (header != bp_envelope_header_size(e->params_size))
        return bp_fail_at(why, BP_CORRUPT, "header and parameter lengths disagree", 36,
                          header, bp_envelope_header_size(e->params_size));
    e->params = bp_get(r, e->params_size);
    const uint8_t *pad = bp_get(r, header - 8 - BP_ENVELOPE_FIXED - e->params_size);
    const uint64_t sum = bp_get64(r);
    if (r->short_)
        return bp_fail_at(why, BP_CORRUPT, "the header is cut short", r->n, r->n, header);
    if (sum != XXH3_64bits(r->p, header - 8))
        return bp_fail_at(why, BP_CORRUPT, "the header's checksum is wrong", header - 8,
                          0, 0);
    for (const uint8_t *p = pad; p < r->p + header - 8; p++)
        if (*p)
            return bp_fail_at(why, BP_CORRUPT, "header padding is not zero",
                              (uint64_t)(p - r->p), *p, 0);
    return BP_OK;
}

bp_status bp_envelope_open(bp_envelope *e, const void *bytes, size_t n, bool whole,
                           bp_detail *why)
{
    bp_reader r = bp_read(bytes, n);
    size_t header = 0;
    bp_status st = read_fixed(&r, e, &header, why);
    if (!st)
        st = check_header(&r, e, header, why);
    if (st)
        return st;
    const size_t all = bp_envelope_size(e->params_size, e->payload_size);
    if (all == 0)
        return bp_fail_at(why, BP_CORRUPT, "a payload larger than this machine's memory",
                          40, e->payload_size, SIZE_MAX);
    e->payload_at = header;
    e->payload = whole ? r.p + header : NULL;
    if (whole && n < all)
        return bp_fail_at(why, BP_CORRUPT, "the sketch is cut short", n, n, all);
    if (whole && n > all)
        return bp_fail_at(why, BP_CORRUPT, "bytes follow the sketch", all, n, all);
    return BP_OK;
}

bp_status bp_envelope_verify_block(const bp_envelope *e, uint64_t i, bp_detail *why)
{
    const uint64_t padded = bp_round_up(e->payload_size, 8);
    if (i >= block_count(e->payload_size))
        return bp_fail(why, BP_PARAM, "the payload has fewer blocks", i,
                       block_count(e->payload_size));
    if (bp_load64(e->payload + padded + 8 * i) !=
        block_hash(e->payload, e->payload_size, i))
        return bp_fail_at(why, BP_CORRUPT, "a payload block's checksum is wrong",
                          e->payload_at + i * BP_ENVELOPE_BLOCK, 0, 0);
    return BP_OK;
}

bp_status bp_envelope_verify(const bp_envelope *e, bp_detail *why)
{
    const uint64_t padded = bp_round_up(e->payload_size, 8);
    bp_status st = BP_OK;
    for (uint64_t i = e->payload_size; i < padded; i++)
        if (e->payload[i])
            return bp_fail_at(why, BP_CORRUPT, "payload padding is not zero",
                              e->payload_at + i, e->payload[i], 0);
    for (uint64_t i = 0; i < block_count(e->payload_size) && !st; i++)
        st = bp_envelope_verify_block(e, i, why);
    return st;
}
