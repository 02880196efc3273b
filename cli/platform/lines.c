/* SPDX-License-Identifier: MIT
 * lines.c - finding line ends, 64 bytes a step.
 *
 * A step makes a mask with one bit a byte. Its bits are written out six at a time whether
 * set or not, and the write position then moves by how many there were: lines of some
 * ten bytes would mispredict a loop over the bits once a step, which costs more than
 * the writes. */
#include "lines.h"
#include "avx2.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

size_t cli_line_ends_portable(const char *text, size_t n, char end, uint32_t *out,
                              size_t most, size_t *scanned)
{
    size_t found = 0, at = 0;
    while (at < n && found < most) {
        const char *next = memchr(text + at, end, n - at);
        at = next ? (size_t)(next - text) + 1 : n;
        if (next)
            out[found++] = (uint32_t)at;
    }
    *scanned = at;
    return found;
}

size_t cli_record_ends_portable(const char *text, size_t n, char delimiter, cli_quotes *q,
                                uint32_t *out, size_t most, size_t *scanned)
{
    size_t found = 0, at = 0;
    for (; at < n && found < most; at++) {
        const char c = text[at];
        const bool was_closed = q->closed;
        q->closed = false;
        if (c == '"' && q->inside) {
            q->inside = false;
            q->closed = true;
        } else if (c == '"') {
            q->inside = was_closed || q->before == delimiter || q->before == '\n';
        } else if (c == '\n' && !q->inside) {
            out[found++] = (uint32_t)at + 1;
        }
        q->before = c;
    }
    *scanned = at;
    return found;
}

static uint64_t count_ends_portable(const char *text, size_t n, char end)
{
    uint64_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += text[i] == end;
    return count;
}

#ifdef CLI_AVX2
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

TARGET static size_t line_ends_avx2(const char *text, size_t n, char end, uint32_t *out,
                                    size_t most, size_t *scanned)
{
    uint32_t *to = out, *enough = out + most;
    size_t at = 0, tail = 0;
    for (; at + CLI_LINES_STEP <= n && to < enough; at += CLI_LINES_STEP) {
        uint64_t mask = mask_of(text + at, end);
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
    more = cli_line_ends_portable(text + at, n - at, end, to, most - found, &tail);
    for (size_t i = 0; i < more; i++)
        to[i] += (uint32_t)at;
    *scanned = at + tail;
    return found + more;
}

/* What of the 64 bytes from `at` on is inside quotes: each one is looked at, but for
 * those bytes there are none in. closed_at: behind the last closing quote. */
TARGET static inline uint64_t inside_mask(const char *text, size_t at, char delimiter,
                                          cli_quotes *q, size_t *closed_at)
{
    uint64_t quotes = mask_of(text + at, '"');
    uint64_t inside = q->inside ? ~(uint64_t)0 : 0;
    for (; quotes; quotes &= quotes - 1) {
        const unsigned bit = (unsigned)COUNT_ZEROS(quotes) & 63;
        const size_t place = at + bit;
        const char before = place ? text[place - 1] : q->before;
        if (!q->inside && place != *closed_at && before != delimiter && before != '\n')
            continue;
        if (q->inside)
            *closed_at = place + 1;
        q->inside = !q->inside;
        inside ^= ~(uint64_t)0 << bit;
    }
    return inside;
}

TARGET static size_t record_ends_avx2(const char *text, size_t n, char delimiter,
                                      cli_quotes *q, uint32_t *out, size_t most,
                                      size_t *scanned)
{
    uint32_t *to = out, *enough = out + most;
    size_t at = 0, tail = 0, closed_at = q->closed ? 0 : SIZE_MAX;
    for (; at + CLI_LINES_STEP <= n && to < enough; at += CLI_LINES_STEP) {
        const uint64_t inside = inside_mask(text, at, delimiter, q, &closed_at);
        for (uint64_t ends = mask_of(text + at, '\n') & ~inside; ends; ends &= ends - 1)
            *to++ = (uint32_t)(at + (size_t)COUNT_ZEROS(ends)) + 1;
    }
    const size_t found = (size_t)(to - out);
    size_t more = 0;
    if (at > 0) {
        q->closed = closed_at == at;
        q->before = text[at - 1];
    }
    if (found < most && at < n)
        more = cli_record_ends_portable(text + at, n - at, delimiter, q, to, most - found,
                                        &tail);
    for (size_t i = 0; i < more; i++)
        to[i] += (uint32_t)at;
    *scanned = at + tail;
    return found + more;
}
TARGET static uint64_t count_ends_avx2(const char *text, size_t n, char end)
{
    uint64_t count = 0;
    size_t at = 0;
    for (; at + CLI_LINES_STEP <= n; at += CLI_LINES_STEP)
        count += (uint64_t)__builtin_popcountll(mask_of(text + at, end));
    return count + count_ends_portable(text + at, n - at, end);
}
#else
#define count_ends_avx2 count_ends_portable
#define line_ends_avx2 cli_line_ends_portable
#define record_ends_avx2 cli_record_ends_portable
#endif

size_t cli_line_ends(const char *text, size_t n, char end, uint32_t *out, size_t most,
                     size_t *scanned)
{
    if (has_avx2())
        return line_ends_avx2(text, n, end, out, most, scanned);
    return cli_line_ends_portable(text, n, end, out, most, scanned);
}

size_t cli_record_ends(const char *text, size_t n, char delimiter, cli_quotes *q,
                       uint32_t *out, size_t most, size_t *scanned)
{
    if (has_avx2())
        return record_ends_avx2(text, n, delimiter, q, out, most, scanned);
    return cli_record_ends_portable(text, n, delimiter, q, out, most, scanned);
}

uint64_t cli_count_ends(const char *text, size_t n, char end)
{
    return has_avx2() ? count_ends_avx2(text, n, end) : count_ends_portable(text, n, end);
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

/* A control group's limit, as one container has it; 0: none. */
static uint64_t group_memory(void)
{
    char text[32] = "";
    FILE *f = fopen("/sys/fs/cgroup/memory.max", "re");
    if (f && !fgets(text, sizeof text, f))
        text[0] = 0;
    if (f)
        fclose(f);
    return strtoull(text, NULL, 10); /* "max" is 0 */
}

uint64_t cli_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t bytes = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 1u << 30;
    const uint64_t group = group_memory();
    struct rlimit own;
    if (group && group < bytes)
        bytes = group;
    if (getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur < bytes)
        bytes = own.rlim_cur;
    return bytes;
}

void *cli_huge(size_t n)
{
    const size_t page = (size_t)2 << 20;
    if (n < page || n > SIZE_MAX - page)
        return malloc(n);
    void *p = aligned_alloc(page, (n + page - 1) / page * page);
    if (p)
        madvise(p, n, MADV_HUGEPAGE); /* what is refused are small pages */
    return p;
}
