/* SPDX-License-Identifier: MIT
 * unique.c - sorting hashes by as many of their bits as it takes.
 *
 * One pass puts them into groups by their highest bits; each group fits a cache, where a
 * radix sort by the bits below puts nearly all in place, because few of n hashes agree
 * in log2(n) + 2 bits; what is left is done by insertion. Hashes of which many agree in
 * more bits than chance has it (made so, or a bad hash function) are sorted by all their
 * bytes. */
#include "parts/unique.h"

enum {
    UNIQUE_GROUPS_LOG = 9, /* groups at most: pages one core can map         */
    UNIQUE_GROUP_LOG = 12, /* hashes a group has at least                    */
    UNIQUE_FAR = 32        /* places one is moved by insertion, at most      */
};

static void unique_pass(const uint64_t *from, uint64_t *to, size_t n, uint32_t shift)
{
    size_t at[256] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++)
        at[from[i] >> shift & 255]++;
    for (size_t i = 0; i < 256; i++) {
        const size_t here = at[i];
        at[i] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++)
        to[at[from[i] >> shift & 255]++] = from[i];
}

/* By the bytes from bit `low` up to bit `end`; returns where the result is. */
static uint64_t *unique_radix(uint64_t *h, uint64_t *room, size_t n, uint32_t low,
                              uint32_t end)
{
    for (; low < end; low += 8) {
        unique_pass(h, room, n, low);
        uint64_t *const swap = h;
        h = room;
        room = swap;
    }
    return h;
}

/* False when one is far from its place; all are still there. */
static bool unique_insert(uint64_t *h, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const uint64_t x = h[i];
        size_t j = i;
        for (; j > 0 && h[j - 1] > x && i - j < UNIQUE_FAR; j--)
            h[j] = h[j - 1];
        h[j] = x;
        if (j > 0 && h[j - 1] > x)
            return false;
    }
    return true;
}

/* One group, whose hashes agree above bit `end`; its different ones go to `to`. */
static size_t unique_group(uint64_t *h, uint64_t *room, size_t n, uint32_t low,
                           uint32_t end, uint64_t *to)
{
    uint64_t *sorted = unique_radix(h, room, n, low, end);
    if (!unique_insert(sorted, n))
        sorted = unique_radix(sorted, sorted == h ? room : h, n, 0, 64);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = sorted[i];
        if (i == 0 || x != to[kept - 1])
            to[kept++] = x;
    }
    return kept;
}

size_t bp_sort_unique(uint64_t *h, uint64_t *room, size_t n)
{
    if (n < 2)
        return n;
    const uint32_t bits = 65 - (uint32_t)BP_CLZ64(n);
    const uint32_t log = bits < UNIQUE_GROUP_LOG + 2 ? 0
                         : bits - UNIQUE_GROUP_LOG < UNIQUE_GROUPS_LOG
                             ? bits - UNIQUE_GROUP_LOG
                             : UNIQUE_GROUPS_LOG;
    const uint32_t end = 64 - log, low = end - (bits + 1 - log + 7) / 8 * 8;
    size_t at[1 << UNIQUE_GROUPS_LOG] = {0}, first = 0, kept = 0;
    if (log == 0)
        return unique_group(h, room, n, low, end, h);
    for (size_t i = 0; i < n; i++)
        at[h[i] >> end]++;
    for (size_t g = 0; g < (size_t)1 << log; g++) {
        const size_t here = at[g];
        at[g] = first;
        first += here;
    }
    for (size_t i = 0; i < n; i++)
        room[at[h[i] >> end]++] = h[i];
    for (size_t g = 0, begin = 0; g < (size_t)1 << log; begin = at[g++])
        kept += unique_group(room + begin, h + begin, at[g] - begin, low, end, h + kept);
    return kept;
}
