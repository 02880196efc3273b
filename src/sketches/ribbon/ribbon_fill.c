/* SPDX-License-Identifier: MIT
 * ribbon_fill.c - the loops over words: asking many keys, and filling in a layer.
 *
 *     a block of 64 slots:   | column 0 | column 1 | ... | column c-1 |   64 bits each
 *     the next one:          | column 0 | column 1 | ... | column c-1 |
 *
 * A key that begins at slot s of a block ANDs each column with its coefficients, shifted
 * by s; what is shifted out goes to the same column of the next block, right behind. So
 * all that a question reads lies together, column by column, whatever their number
 * (Dillinger et al., section 3: interleaved column-major layout). Both loops are ANDs
 * and parities of 64-bit words; where there is an instruction that counts bits, that is
 * five instructions for a column. */
#include "sketches/ribbon/ribbon_fill.h"

#include "core/cpu.h"

enum { RIBBON_RING = 16 }; /* keys whose words are under way at once; a power of two */

typedef struct ribbon_place {
    const uint8_t *at; /* the block of the key's first slot; NULL: surely a stranger */
    uint64_t y;        /* what its coefficients follow from                          */
    uint32_t mark;     /* the fingerprint                                            */
    uint32_t step;     /* to the next block, and on to the one after that            */
    uint32_t next_step;
    uint32_t is_upper; /* all ones if the first block has the last column            */
    uint32_t shift;    /* of the first slot in its block                             */
} ribbon_place;

typedef struct ribbon_words128 {
    uint64_t low, high;
} ribbon_words128;

static BP_ALWAYS_INLINE ribbon_place ribbon_find(const ribbon_map *m, uint64_t hash,
                                                 uint32_t width, bool bumping)
{
    const ribbon_layer *l = &m->layer[bumping ? 0 : RIBBON_LAST];
    uint64_t x = ribbon_mix(ribbon_seeded(hash, m->seed)), start = bp_range(x, l->starts);
    for (; bumping && l != &m->layer[RIBBON_LAST]; start = bp_range(x, l->starts)) {
        if (l->starts && !ribbon_is_bumped(l->bumps, start, width))
            break;
        x = l->starts ? ribbon_mix(x) : x;
        l++;
    }
    ribbon_place p = {.y = ribbon_low(x), .shift = start % RIBBON_BLOCK};
    if (l->starts == 0)
        return p;
    const uint64_t block = start / RIBBON_BLOCK;
    p.at = l->words + 8 * ribbon_base(block, l->lower, m->columns);
    p.is_upper = 0 - (uint32_t)(block >= l->lower);
    p.step = 8 * (m->columns - (block < l->lower));
    p.next_step = 8 * (m->columns - (block + 1 < l->lower));
    p.mark = l->bumps ? ribbon_mark(p.y) : 0;
    const uint32_t span = m->is_near ? 0 : (width / 64 + 1) * p.step;
    for (uint32_t i = 0; i < span; i += 64)
        BP_PREFETCH(p.at + i);
    if (span)
        BP_PREFETCH(p.at + span - 1);
    return p;
}

/* What a slot that no equation begins at is given: any bits, but the same ones always. */
static BP_ALWAYS_INLINE uint32_t ribbon_free(uint64_t slot)
{
    return ribbon_mark(ribbon_low(ribbon_mix(slot + 1)));
}

/* A key's coefficients, as they lie in its two or three blocks. */
typedef struct ribbon_names {
    uint64_t first, second, third;
} ribbon_names;

static BP_ALWAYS_INLINE ribbon_names ribbon_names_of(const ribbon_place *p,
                                                     uint32_t width)
{
    const uint64_t low = p->y | 1, high = width == 128 ? ribbon_high(p->y) : 0;
    return (ribbon_names){low << p->shift,
                          (low >> 1) >> (63 - p->shift) | high << p->shift,
                          (high >> 1) >> (63 - p->shift)};
}

/* The last column counts if the key's first block has it; it may be read in any case. */
static BP_ALWAYS_INLINE bool ribbon_agrees(const ribbon_place *p, uint32_t columns,
                                           uint32_t width, bool bumping)
{
    const ribbon_names names = ribbon_names_of(p, width);
    const uint8_t *at = p->at, *next = at + p->step, *third = next + p->next_step;
    const uint32_t mark = bumping ? p->mark : 0;
    uint32_t bad = 0, odd = 0;
    for (uint32_t j = 0; j < columns; j++) {
        uint64_t x = (bp_load64(at + 8 * j) & names.first) ^
                     (bp_load64(next + 8 * j) & names.second);
        if (width == 128)
            x ^= bp_load64(third + 8 * j) & names.third;
        bad |= odd;
        odd = (uint32_t)BP_PARITY64(x) ^ mark >> j;
    }
    return !((bad | (odd & p->is_upper)) & 1);
}

#define RIBBON_NAME(x) ribbon_##x
#define RIBBON_TARGET
#include "sketches/ribbon/ribbon_kernels.inc"
#undef RIBBON_NAME
#undef RIBBON_TARGET

#if BP_X86
#include "sketches/ribbon/ribbon_avx2.inc"
#define RIBBON_NAME(x) ribbon_##x##_avx2
#define RIBBON_TARGET BP_TARGET_AVX2
#include "sketches/ribbon/ribbon_kernels.inc"
#undef RIBBON_NAME
#undef RIBBON_TARGET
#endif

size_t bp_ribbon_ask(const ribbon_map *m, const uint64_t *hashes, size_t n, uint8_t *hit)
{
#if BP_X86
    if (bp_cpu() & BP_CPU_AVX2)
        return ribbon_has_avx2(m, hashes, n, hit);
#endif
    return ribbon_has(m, hashes, n, hit);
}

void bp_ribbon_fill(const ribbon_system *e, const ribbon_layer *l, uint8_t *words)
{
#if BP_X86
    if (bp_cpu() & BP_CPU_AVX2) {
        ribbon_fill_avx2(e, l, words);
        return;
    }
#endif
    ribbon_fill(e, l, words);
}
