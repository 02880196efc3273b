/* SPDX-License-Identifier: MIT
 * cursor.h - the only way bytes are read or written: checked, little-endian.
 *
 * A reader that runs out answers zeros from then on and remembers: read a whole
 * struct, then ask once whether all of it was there. */
#ifndef BP_CURSOR_H
#define BP_CURSOR_H

#include "core/bits.h"

typedef struct bp_reader {
    const uint8_t *p;
    size_t at;
    size_t n;
    bool short_; /* something was read past the end */
} bp_reader;

typedef struct bp_writer {
    uint8_t *p;
    size_t at;
    size_t n;
    bool full; /* something did not fit, and was not written */
} bp_writer;

static inline bp_reader bp_read(const void *p, size_t n)
{
    return (bp_reader){(const uint8_t *)p, 0, n, false};
}

static inline size_t bp_left(const bp_reader *r)
{
    return r->n - r->at;
}

/* The next n bytes, or NULL when there are fewer. */
static inline const uint8_t *bp_get(bp_reader *r, size_t n)
{
    if (r->short_ || n > bp_left(r)) {
        r->short_ = true;
        return NULL;
    }
    const uint8_t *p = r->p + r->at;
    r->at += n;
    return p;
}

static inline uint8_t bp_get8(bp_reader *r)
{
    const uint8_t *p = bp_get(r, 1);
    return p ? *p : 0;
}

static inline uint16_t bp_get16(bp_reader *r)
{
    const uint8_t *p = bp_get(r, 2);
    return p ? bp_load16(p) : 0;
}

static inline uint32_t bp_get32(bp_reader *r)
{
    const uint8_t *p = bp_get(r, 4);
    return p ? bp_load32(p) : 0;
}

static inline uint64_t bp_get64(bp_reader *r)
{
    const uint8_t *p = bp_get(r, 8);
    return p ? bp_load64(p) : 0;
}

static inline double bp_get_double(bp_reader *r)
{
    const uint64_t bits = bp_get64(r);
    double v;
    memcpy(&v, &bits, 8);
    return v;
}

static inline bp_writer bp_write(void *p, size_t n)
{
    return (bp_writer){(uint8_t *)p, 0, n, false};
}

static inline void bp_put(bp_writer *w, const void *p, size_t n)
{
    if (w->full || n > w->n - w->at) {
        w->full = true;
        return;
    }
    if (n)
        memcpy(w->p + w->at, p, n);
    w->at += n;
}

static inline void bp_put8(bp_writer *w, uint8_t v)
{
    bp_put(w, &v, 1);
}

static inline void bp_put16(bp_writer *w, uint16_t v)
{
    uint8_t b[2];
    bp_store16(b, v);
    bp_put(w, b, 2);
}

static inline void bp_put32(bp_writer *w, uint32_t v)
{
    uint8_t b[4];
    bp_store32(b, v);
    bp_put(w, b, 4);
}

static inline void bp_put64(bp_writer *w, uint64_t v)
{
    uint8_t b[8];
    bp_store64(b, v);
    bp_put(w, b, 8);
}

static inline void bp_put_double(bp_writer *w, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, 8);
    bp_put64(w, bits);
}

#endif
