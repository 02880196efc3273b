/* SPDX-License-Identifier: MIT
 * lines.c - finding line ends, 64 bytes a step; the command's only room with #ifdefs.
 *
 * A step makes a mask with one bit a byte. Its bits are written out six at a time whether
 * set or not, and the write position then moves by how many there were: lines of some
 * ten bytes would mispredict a loop over the bits once a step, which costs more than
 * the writes. */
#include "lines.h"

#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

size_t cli_line_ends_portable(const char *text, size_t n, uint32_t *out, size_t most,
                              size_t *scanned)
{
    size_t found = 0, at = 0;
    while (at < n && found < most) {
        const char *end = memchr(text + at, '\n', n - at);
        at = end ? (size_t)(end - text) + 1 : n;
        if (end)
            out[found++] = (uint32_t)at;
    }
    *scanned = at;
    return found;
}

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,popcnt")))
#if defined(__x86_64__)
#define COUNT_ZEROS(mask) _tzcnt_u64(mask)
#else
#define COUNT_ZEROS(mask) __builtin_ctzll((mask) | (uint64_t)1 << 63)
#endif

TARGET static inline uint64_t mask_of(const char *p)
{
    const __m256i end = _mm256_set1_epi8('\n');
    __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)p);
    __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
    uint32_t low = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, end));
    uint32_t high = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(b, end));
    return low | (uint64_t)high << 32;
}

#define WRITE_ONE(i) (out[i] = after + (uint32_t)COUNT_ZEROS(mask), mask &= mask - 1)

/* The places of the next six bits; what is beyond the last bit is overwritten later. The
 * writes are volatile because GCC 12 would gather them into vectors, which is slower. */
TARGET static inline uint64_t write_six(uint64_t mask, uint32_t after,
                                        volatile uint32_t *out)
{
    WRITE_ONE(0);
    WRITE_ONE(1);
    WRITE_ONE(2);
    WRITE_ONE(3);
    WRITE_ONE(4);
    WRITE_ONE(5);
    return mask;
}

TARGET static size_t line_ends_avx2(const char *text, size_t n, uint32_t *out,
                                    size_t most, size_t *scanned)
{
    uint32_t *to = out, *enough = out + most;
    size_t at = 0, tail = 0;
    for (; at + CLI_LINES_STEP <= n && to < enough; at += CLI_LINES_STEP) {
        uint64_t mask = mask_of(text + at);
        uint32_t *next = to + __builtin_popcountll(mask);
        mask = write_six(mask, (uint32_t)at + 1, to);
        while (__builtin_expect(mask != 0, 0)) {
            to += 6;
            mask = write_six(mask, (uint32_t)at + 1, to);
        }
        to = next;
    }
    size_t found = (size_t)(to - out), more;
    *scanned = at;
    if (found >= most || at == n)
        return found;
    more = cli_line_ends_portable(text + at, n - at, to, most - found, &tail);
    for (size_t i = 0; i < more; i++)
        to[i] += (uint32_t)at;
    *scanned = at + tail;
    return found + more;
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt");
}
#else
#define line_ends_avx2 cli_line_ends_portable
static bool has_avx2(void)
{
    return false;
}
#endif

size_t cli_line_ends(const char *text, size_t n, uint32_t *out, size_t most,
                     size_t *scanned)
{
    if (has_avx2())
        return line_ends_avx2(text, n, out, most, scanned);
    return cli_line_ends_portable(text, n, out, most, scanned);
}

const char *cli_line_ends_name(void)
{
    return has_avx2() ? "avx2" : "portable";
}

/* What the process may run on, not what the machine has: taskset and cpusets count. */
unsigned cli_cores(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (unsigned)CPU_COUNT(&set);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : (unsigned)cores;
}
