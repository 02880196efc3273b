/* SPDX-License-Identifier: MIT
 * cut.c - finding fields, 64 bytes a step.
 *
 * A step makes a mask of the bytes at which a field may begin or end: every delimiter, or
 * with blanks every change between blank and not blank, so that the N-th field lies
 * between the marks 2N - 2 and 2N - 1 (of 0, 1, ...). The wanted marks are found by
 * dropping the lowest bits: how many depends on the field's number alone, so that no
 * branch depends on the text while the field lies in the first 64 bytes. */
#include "cut.h"
#include "avx2.h"

#include <string.h>

static const bp_bytes none = {NULL, 0};

/* ----------------------------------------------------------------- one byte at a time */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The field that begins at or after p; ptr NULL: there is none. */
static bp_bytes next_field(const cli_cutter *c, const char *p, const char *end)
{
    const char *from = p;
    while (c->blanks && from < end && is_blank(*from))
        from++;
    const char *to = from;
    while (to < end && (c->blanks ? !is_blank(*to) : *to != c->byte))
        to++;
    return c->blanks && to == from ? none : (bp_bytes){from, (size_t)(to - from)};
}

static bool cut_portable(const cli_cutter *c, bp_bytes record, bp_bytes *spans,
                         size_t stride)
{
    const char *p = record.ptr, *end = p + record.len;
    bool is_whole = true;
    uint64_t number = 1;
    for (size_t k = 0; k < c->n; k++) {
        bp_bytes field = is_whole ? next_field(c, p, end) : none;
        for (; field.ptr && number < c->wanted[k]; number++) {
            const char *after = (const char *)field.ptr + field.len;
            field = after < end ? next_field(c, after + 1, end) : none;
        }
        is_whole = field.ptr != NULL;
        spans[k * stride] = field;
        p = field.ptr;
    }
    return is_whole;
}

size_t cli_cut_records_portable(const cli_cutter *c, const bp_bytes *records, size_t n,
                                bp_bytes *spans, size_t stride)
{
    size_t lacking = 0;
    for (size_t i = 0; i < n; i++)
        lacking += !cut_portable(c, records[i], spans + i, stride);
    return lacking;
}

/* ------------------------------------------------------------------- 64 bytes a step */

#ifdef CLI_AVX2
#define INLINE static inline __attribute__((always_inline))

/* Where a record's marks were looked for. The lowest bit of mask is the mark number
 * `passed`; its bits are places from `at` on. */
typedef struct marks {
    const char *text;
    size_t len, at;
    uint64_t mask, passed;
    uint64_t was_blank; /* the byte before the next step, as bit 0 */
} marks;

/* Which of 64 bytes separate fields. */
TARGET INLINE uint64_t separators(const char *p, const bool blanks, char byte)
{
    if (!blanks)
        return mask_of(p, byte);
    const __m256i space = _mm256_set1_epi8(' '), tab = _mm256_set1_epi8('\t');
    const __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p);
    const __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
    const uint32_t low = (uint32_t)_mm256_movemask_epi8(
        _mm256_or_si256(_mm256_cmpeq_epi8(a, space), _mm256_cmpeq_epi8(a, tab)));
    const uint32_t high = (uint32_t)_mm256_movemask_epi8(
        _mm256_or_si256(_mm256_cmpeq_epi8(b, space), _mm256_cmpeq_epi8(b, tab)));
    return low | (uint64_t)high << 32;
}

/* The marks of 64 bytes. What is beyond the record is no mark, but for the end of a field
 * before blanks, which is one at the record's end. */
TARGET INLINE void step(marks *m, const bool blanks, char byte)
{
    const size_t left = m->len - m->at;
    const uint64_t beyond = left < 64 ? ~(uint64_t)0 << left : 0;
    const uint64_t mask = separators(m->text + m->at, blanks, byte);
    if (blanks) {
        const uint64_t blank = mask | beyond;
        m->mask = blank ^ (blank << 1 | m->was_blank);
        m->was_blank = blank >> 63;
    } else {
        m->mask = mask & ~beyond;
    }
}

enum { NO_MARK = -1 };

/* The place of mark `number` (not less than the last one asked for). */
TARGET INLINE size_t find(marks *m, const bool blanks, char byte, uint64_t number)
{
    uint64_t here = (uint64_t)__builtin_popcountll(m->mask);
    while (m->passed + here <= number) {
        m->passed += here;
        m->at += 64;
        m->mask = 0;
        if (m->at >= m->len)
            return (size_t)NO_MARK;
        step(m, blanks, byte);
        here = (uint64_t)__builtin_popcountll(m->mask);
    }
    for (; m->passed < number; m->passed++)
        m->mask &= m->mask - 1;
    return m->at + (size_t)COUNT_ZEROS(m->mask);
}

TARGET INLINE bool cut_one(const cli_cutter *c, const bool blanks, bp_bytes record,
                           bp_bytes *spans, size_t stride)
{
    marks m = {.text = record.ptr, .len = record.len, .was_blank = 1};
    size_t from = 0;
    step(&m, blanks, c->byte);
    for (size_t k = 0; k < c->n; k++) {
        const uint64_t number = c->wanted[k];
        if (blanks)
            from = find(&m, blanks, c->byte, 2 * number - 2);
        else if (number > 1)
            from = find(&m, blanks, c->byte, number - 2);
        if (from == (size_t)NO_MARK) {
            spans[k * stride] = none;
            return false;
        }
        from += !blanks && number > 1;
        size_t to = find(&m, blanks, c->byte, blanks ? 2 * number - 1 : number - 1);
        to = to == (size_t)NO_MARK ? record.len : to;
        spans[k * stride] = (bp_bytes){m.text + from, to - from};
    }
    return true;
}

/* One field, which most often lies in the first 64 bytes with the mark that ends it. */
TARGET INLINE size_t cut_single(const cli_cutter *c, const bool blanks,
                                const bp_bytes *records, size_t n, bp_bytes *spans)
{
    const uint64_t number = *c->wanted, drop = blanks ? 2 * number - 2 : number - 2;
    size_t lacking = 0;
    for (size_t i = 0; i < n; i++) {
        marks m = {.text = records[i].ptr, .len = records[i].len, .was_blank = 1};
        step(&m, blanks, c->byte);
        for (uint64_t k = drop; k > 0; k--)
            m.mask &= m.mask - 1;
        const uint64_t end = m.mask & (m.mask - 1);
        if (end) {
            const size_t from = (size_t)COUNT_ZEROS(m.mask) + !blanks;
            spans[i] = (bp_bytes){m.text + from, (size_t)COUNT_ZEROS(end) - from};
        } else {
            lacking += !cut_one(c, blanks, records[i], spans + i, 1);
        }
    }
    return lacking;
}

enum { SINGLE_MOST = 16 }; /* beyond it so many marks are seldom in 64 bytes */

/* Without inlining into both, `blanks` would be asked at every step. */
TARGET static size_t cut_avx2(const cli_cutter *c, const bp_bytes *records, size_t n,
                              bp_bytes *spans, size_t stride)
{
    size_t lacking = 0;
    const bool is_single = c->n == 1 && *c->wanted <= SINGLE_MOST;
    if (is_single && c->blanks)
        return cut_single(c, true, records, n, spans);
    if (is_single && *c->wanted > 1)
        return cut_single(c, false, records, n, spans);
    if (c->blanks)
        for (size_t i = 0; i < n; i++)
            lacking += !cut_one(c, true, records[i], spans + i, stride);
    else
        for (size_t i = 0; i < n; i++)
            lacking += !cut_one(c, false, records[i], spans + i, stride);
    return lacking;
}

#else
#define cut_avx2 cli_cut_records_portable
#endif

size_t cli_cut_records(const cli_cutter *c, const bp_bytes *records, size_t n,
                       bp_bytes *spans, size_t stride)
{
    if (has_avx2())
        return cut_avx2(c, records, n, spans, stride);
    return cli_cut_records_portable(c, records, n, spans, stride);
}

const char *cli_cut_name(void)
{
    return has_avx2() ? "avx2" : "portable";
}
