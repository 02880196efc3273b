/* SPDX-License-Identifier: MIT
 * avx2.h - what the AVX2 variants of this folder share; CLI_AVX2 is defined where there
 * are any. */
#ifndef CLI_PLATFORM_AVX2_H
#define CLI_PLATFORM_AVX2_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)
#define CLI_AVX2
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,popcnt")))
#if defined(__x86_64__)
#define COUNT_ZEROS(mask) _tzcnt_u64(mask)
#else
#define COUNT_ZEROS(mask) __builtin_ctzll((mask) | (uint64_t)1 << 63)
#endif

/* Which of 64 bytes are `byte`. */
TARGET static inline uint64_t mask_of(const char *p, char byte)
{
    const __m256i want = _mm256_set1_epi8(byte);
    __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p);
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
    uint32_t low = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, want));
    uint32_t high = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(b, want));
    return low | (uint64_t)high << 32;
}

static inline bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt");
}
#else
static inline bool has_avx2(void)
{
    return false;
}
#endif

#endif
