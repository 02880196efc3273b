/* SPDX-License-Identifier: MIT
 * packed6.c - 6-bit registers: the portable forms, and the choice of variant. */
#include "parts/packed6.h"

#include "core/cpu.h"

static BP_ALWAYS_INLINE uint32_t packed6_load24(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
}

static BP_ALWAYS_INLINE void packed6_store24(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
    p[2] = (uint8_t)(v >> 16);
}

static BP_ALWAYS_INLINE void packed6_sum_one(bp_packed6_sums *s, unsigned k, unsigned top)
{
    const uint64_t weight = UINT64_C(1) << (63 - k);
    s->high += k ? weight >> 32 : 0;
    s->low += k ? (uint32_t)weight : 0;
    s->zeros += k == 0;
    s->tops += k == top;
}

static void packed6_sum_portable(bp_packed6_sums *sums, const uint8_t *p, size_t n,
                                 unsigned top)
{
    bp_packed6_sums s = *sums;
    for (size_t i = 0; i < n; i += 4, p += 3) {
        const uint32_t four = packed6_load24(p);
        packed6_sum_one(&s, four & 63, top);
        packed6_sum_one(&s, four >> 6 & 63, top);
        packed6_sum_one(&s, four >> 12 & 63, top);
        packed6_sum_one(&s, four >> 18, top);
    }
    *sums = s;
}

/* Of one field left in its place in two words. */
static BP_ALWAYS_INLINE uint32_t packed6_larger(uint32_t a, uint32_t b, uint32_t field)
{
    a &= field;
    b &= field;
    return a > b ? a : b;
}

static void packed6_max_portable(uint8_t *dst, const uint8_t *src, size_t n)
{
    for (size_t i = 0; i < n; i += 4, dst += 3, src += 3) {
        const uint32_t a = packed6_load24(dst), b = packed6_load24(src);
        packed6_store24(dst, packed6_larger(a, b, 0x3F) | packed6_larger(a, b, 0xFC0) |
                                 packed6_larger(a, b, 0x3F000) |
                                 packed6_larger(a, b, 0xFC0000));
    }
}

#include "parts/packed6_kernels.inc"

/* The smallest sketches are smaller than some variants' step: the portable way. */
void bp_packed6_sum(bp_packed6_sums *sums, const uint8_t *p, size_t n, unsigned top)
{
#if BP_X86
    if (n % 32 == 0 && bp_cpu() & BP_CPU_AVX2) {
        packed6_sum_avx2(sums, p, n, top);
        return;
    }
#elif BP_NEON
    if (n % 64 == 0 && bp_cpu() & BP_CPU_NEON) {
        packed6_sum_neon(sums, p, n, top);
        return;
    }
#endif
    packed6_sum_portable(sums, p, n, top);
}

void bp_packed6_max(uint8_t *dst, const uint8_t *src, size_t n)
{
#if BP_X86
    if (n % 128 == 0 && bp_cpu() & BP_CPU_AVX2) {
        packed6_max_avx2(dst, src, n);
        return;
    }
#elif BP_NEON
    if (n % 64 == 0 && bp_cpu() & BP_CPU_NEON) {
        packed6_max_neon(dst, src, n);
        return;
    }
#endif
    packed6_max_portable(dst, src, n);
}

void bp_packed6_pack(uint8_t *dst, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i += 4, dst += 3, bytes += 4)
        packed6_store24(dst, bytes[0] | (uint32_t)bytes[1] << 6 |
                                 (uint32_t)bytes[2] << 12 | (uint32_t)bytes[3] << 18);
}

size_t bp_packed6_above(const uint8_t *p, size_t n, unsigned top)
{
    for (size_t i = 0; i < n; i++)
        if (bp_packed6_get(p, i) > top)
            return i;
    return n;
}
