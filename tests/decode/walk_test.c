/* SPDX-License-Identifier: MIT
 * walk_test.c - walks over damaged encodings of every kind, sample and fill:
 *
 *   every truncation and every single-bit flip (of encodings above 600 bytes: all of
 *   the header, and payload bits in steps), as they are and with checksums repaired;
 *   every header field and every run of 1, 2, 4 or 8 parameter bytes set to values that
 *   are near limits;
 *   parameters and payload made shorter or longer inside a whole, sealed envelope;
 *   payload words set, doubled and exchanged, so that order and range are wrong.
 *
 * tools/decoder_coverage.py holds these walks alone to 95 % of the lines of each
 * sketch's decoder. */
#include "decode/walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SMALL = 600 };

static bp_buf sample_bytes(const bp_case *c)
{
    bp_any *s = bp_make(c, NULL);
    const bp_buf b = bp_encoded(s);
    bp_any_free(s);
    return b;
}

static size_t header_size(bp_buf b)
{
    return bp_load32(b.p + 36);
}

/* So that about `most` of n steps are taken, and not always the same residues. */
static size_t step_for(size_t n, size_t most)
{
    if (bp_test_quick)
        most /= 8;
    return n <= most ? 1 : n / most | 1;
}

static void walk_truncations(bp_walk *w, bp_buf b)
{
    const size_t step = step_for(b.n, 1000);
    for (size_t n = 0; n < b.n; n += n < 256 || n + 64 > b.n ? 1 : step) {
        snprintf(w->doing, sizeof w->doing, "cut to %zu of %zu bytes", n, b.n);
        bp_walk_try(w, b.p, n);
        bp_walk_try_repaired(w, b.p, n);
    }
    bp_buf longer = {(uint8_t *)calloc(1, b.n + 8), b.n + 8};
    assert_non_null(longer.p);
    memcpy(longer.p, b.p, b.n);
    snprintf(w->doing, sizeof w->doing, "8 zero bytes more");
    bp_walk_try(w, longer.p, longer.n);
    bp_buf_free(&longer);
}

static void walk_flips(bp_walk *w, bp_buf b)
{
    const size_t header = header_size(b) * 8;
    const bool all = b.n <= SMALL && !bp_test_quick;
    const size_t step = step_for(b.n * 8, all ? SIZE_MAX / 8 : 1500);
    const size_t in_header = bp_test_quick ? 3 : 1;
    for (size_t bit = 0; bit < b.n * 8; bit += bit < header ? in_header : step) {
        const uint8_t mask = (uint8_t)(1 << bit % 8);
        snprintf(w->doing, sizeof w->doing, "bit %zu of byte %zu flipped", bit % 8,
                 bit / 8);
        b.p[bit / 8] ^= mask;
        bp_walk_try(w, b.p, b.n);
        bp_walk_try_repaired(w, b.p, b.n);
        b.p[bit / 8] ^= mask;
    }
}

/* Values of `width` bytes at which decoders break: around 0 and the ends, around the
 * value that is there, and for 8 bytes the doubles that are none. */
static size_t edge_values(uint64_t is, size_t width, uint64_t out[32])
{
    static const double reals[] = {1.0, -1.0, 0.5, -0.0, 1e-300, 1e300};
    const uint64_t top = width == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * width) - 1;
    const uint64_t fixed[] = {0,       1,   2,       3,       7,          8,
                              64,      65,  is - 1,  is + 1,  is + 8,     is << 1,
                              is >> 1, top, top - 7, top / 2, top / 2 + 1};
    size_t n = 0;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if ((fixed[i] & top) != is)
            out[n++] = fixed[i] & top;
    if (width < 8)
        return n;
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        memcpy(&out[n++], &reals[i], 8);
    out[n++] = UINT64_C(0x7FF0000000000000); /* infinity */
    out[n++] = UINT64_C(0x7FF8000000000000); /* not a number */
    return n;
}

static uint64_t load(const uint8_t *p, size_t width)
{
    uint8_t b[8] = {0};
    memcpy(b, p, width);
    return bp_load64(b);
}

static void store(uint8_t *p, size_t width, uint64_t v)
{
    uint8_t b[8];
    bp_store64(b, v);
    memcpy(p, b, width);
}

static void walk_field(bp_walk *w, bp_buf b, size_t at, size_t width)
{
    uint64_t values[32];
    const uint64_t is = load(b.p + at, width);
    const size_t n = edge_values(is, width, values);
    for (size_t i = 0; i < n; i++) {
        snprintf(w->doing, sizeof w->doing, "%zu bytes at %zu set to %" PRIx64, width, at,
                 values[i]);
        bp_buf changed = bp_buf_copy(b.p, b.n);
        store(changed.p + at, width, values[i]);
        bp_walk_try(w, changed.p, b.n);
        bp_walk_try_repaired(w, changed.p, b.n);
        bp_buf_free(&changed);
    }
}

static void walk_fields(bp_walk *w, bp_buf b)
{
    static const struct {
        size_t at, width;
    } header[] = {{8, 2},  {10, 2}, {12, 4}, {16, 4}, {20, 2}, {22, 2},
                  {24, 8}, {32, 4}, {36, 4}, {40, 8}, {48, 8}};
    for (size_t i = 0; i < sizeof header / sizeof *header; i++)
        walk_field(w, b, header[i].at, header[i].width);
    const size_t params = bp_load32(b.p + 32);
    for (size_t width = 1; width <= 8; width *= bp_test_quick ? 8 : 2)
        for (size_t at = 0; at + width <= params; at += width < 4 ? width : 4)
            walk_field(w, b, BP_ENVELOPE_FIXED + at, width);
}

/* Seals an envelope like e around other parameters and payload, and tries it. */
static void try_sealed(bp_walk *w, const bp_envelope *e, const uint8_t *params,
                       size_t params_size, const uint8_t *payload, size_t payload_size)
{
    bp_envelope changed = *e;
    changed.params = params;
    changed.params_size = params_size;
    changed.payload_size = payload_size;
    const size_t n = bp_envelope_size(params_size, payload_size);
    uint8_t *buf = (uint8_t *)malloc(n);
    assert_non_null(buf);
    memcpy(buf + bp_envelope_header_size(params_size), payload, payload_size);
    bp_envelope_seal(&changed, buf);
    bp_walk_try(w, buf, n);
    free(buf);
}

/* Lengths around n: all of the small ones, then near n and multiples of it. */
static size_t lengths_near(size_t n, size_t out[128])
{
    const size_t fixed[] = {n + 1,  n + 2, n + 3, n + 4,     n + 7, n + 8, n + 9,
                            n + 64, 2 * n, 3 * n, n + n / 2, n / 2, n / 3, n / 2 + 1};
    size_t k = 0;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        out[k++] = fixed[i];
    for (size_t d = 1; d <= 24 && d <= n; d++)
        out[k++] = n - d;
    for (size_t i = 0; i <= 40 && i < n; i++)
        out[k++] = i;
    return k;
}

static void walk_lengths(bp_walk *w, const bp_envelope *e)
{
    size_t lengths[128];
    const size_t payload_size = (size_t)e->payload_size;
    const size_t room = 3 * (payload_size + e->params_size) + 128;
    uint8_t *more = (uint8_t *)malloc(room);
    assert_non_null(more);
    for (int filler = 0; filler < (bp_test_quick ? 1 : 2); filler++) {
        memset(more, filler ? 0xFF : 0, room);
        memcpy(more, e->payload, payload_size);
        size_t n = lengths_near(payload_size, lengths);
        for (size_t i = 0; i < n; i++) {
            snprintf(w->doing, sizeof w->doing, "payload of %zu bytes, sealed",
                     lengths[i]);
            try_sealed(w, e, e->params, e->params_size, more, lengths[i]);
        }
        memset(more, filler ? 0xFF : 0, room);
        memcpy(more, e->params, e->params_size);
        n = lengths_near(e->params_size, lengths);
        for (size_t i = 0; i < n; i++) {
            snprintf(w->doing, sizeof w->doing, "%zu bytes of parameters, sealed",
                     lengths[i]);
            try_sealed(w, e, more, lengths[i], e->payload, payload_size);
            /* Optional flags in the high half bring parameters of their own. */
            bp_envelope extra = *e;
            extra.optional |= filler ? UINT32_C(0x80000000) : UINT32_C(0x00010000);
            try_sealed(w, &extra, more, lengths[i], e->payload, payload_size);
        }
    }
    free(more);
}

static void try_payload(bp_walk *w, const bp_envelope *e, const uint8_t *payload)
{
    try_sealed(w, e, e->params, e->params_size, payload, (size_t)e->payload_size);
}

/* One word of the payload made equal to its neighbour, exchanged with it, or set. */
static void walk_word(bp_walk *w, const bp_envelope *e, uint8_t *p, size_t at,
                      size_t width)
{
    uint64_t values[32];
    const uint64_t is = load(e->payload + at, width);
    size_t n = edge_values(is, width, values);
    for (size_t i = 0; i < n; i++) {
        snprintf(w->doing, sizeof w->doing, "payload word of %zu at %zu set to %" PRIx64,
                 width, at, values[i]);
        store(p + at, width, values[i]);
        try_payload(w, e, p);
    }
    if (at + 2 * width <= e->payload_size) {
        const uint64_t next = load(e->payload + at + width, width);
        snprintf(w->doing, sizeof w->doing, "payload words of %zu at %zu doubled", width,
                 at);
        store(p + at, width, next);
        try_payload(w, e, p);
        snprintf(w->doing, sizeof w->doing, "payload words of %zu at %zu exchanged",
                 width, at);
        store(p + at + width, width, is);
        try_payload(w, e, p);
        store(p + at + width, width, next);
    }
    store(p + at, width, is);
}

static void walk_payload(bp_walk *w, const bp_envelope *e)
{
    const size_t n = (size_t)e->payload_size;
    bp_buf p = bp_buf_copy(e->payload, n);
    for (size_t width = bp_test_quick ? 4 : 1; width <= 8; width *= 2) {
        const size_t words = n / width, step = step_for(words, 24);
        for (size_t i = 0; i < words; i += i < 16 || i + 4 > words ? 1 : step)
            walk_word(w, e, p.p, i * width, width);
    }
    for (int filler = 0; filler < 256; filler += 85) {
        snprintf(w->doing, sizeof w->doing, "payload all 0x%02x", (unsigned)filler);
        memset(p.p, filler, n);
        try_payload(w, e, p.p);
    }
    bp_buf_free(&p);
}

static void damaged_bytes_decode_to_a_sketch_or_an_error_with_an_offset(void **state)
{
    uint64_t tried = 0, survived = 0, viewed = 0;
    BP_FOR_CASES(c, state)
    {
        bp_walk w = {.c = &c};
        bp_buf b = sample_bytes(&c);
        bp_envelope e;
        bp_expect(&c, "open", bp_envelope_open(&e, b.p, b.n, true, NULL), BP_OK);
        snprintf(w.doing, sizeof w.doing, "unchanged");
        bp_walk_try(&w, b.p, b.n);
        if (w.survived != 1)
            fail_msg("%s does not even decode whole", bp_case_name(&c));
        walk_truncations(&w, b);
        walk_fields(&w, b);
        walk_lengths(&w, &e);
        walk_payload(&w, &e);
        walk_flips(&w, b);
        bp_buf_free(&b);
        tried += w.tried;
        survived += w.survived;
        viewed += w.viewed;
    }
    printf("%s: %" PRIu64 " damaged encodings, %" PRIu64 " survived, %" PRIu64
           " refused by decode but viewed unverified\n",
           (const char *)*state, tried, survived, viewed);
    if (survived < 2 || survived == tried)
        fail_msg("the walk neither meets survivors nor refusals");
}

static const struct CMUnitTest tests[] = {
#define BP_SKETCH(id, name, room, family, without, why)                                  \
    BP_KIND_TEST(name, damaged_bytes_decode_to_a_sketch_or_an_error_with_an_offset),
#include "sketches.def"
#undef BP_SKETCH
};

extern const bp_suite bp_suite_decode;
const bp_suite bp_suite_decode = {"decode", tests, sizeof tests / sizeof *tests, NULL, 0};
