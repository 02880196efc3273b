/* SPDX-License-Identifier: MIT
 * batch.c - XXH3 of many keys at once.
 *
 * Counting the lines of a file is a hash a line and little else. XXH3 of 9 to 16 bytes is
 * two loads, a 128-bit product and a multiply-shift finish: some 20 instructions behind
 * a call and three branches on the length. With AVX2 four such keys go through
 * those steps side by side, the product in four 32-bit ones: half the time on Zen 3.
 * Other lengths, and groups of four that contain one, go one by one. The hashes
 * are those of xxHash, bit for bit. */
#include "hash/hash.h"

#include "core/cpu.h"
#include "core/xxh.h"

/* The lengths that the four-at-a-time kernels take: XXH3's formula for them is one. After
 * a group with another length, BY_ONE keys go one by one before the next try. */
enum { SHORT_MIN = 9, SHORT_SPAN = 16 - SHORT_MIN, BY_ONE = 16 };

#if BP_X86
#include "hash/batch_avx2.inc"
#endif

/* How many keys from the first on the kernel did: it stops at another length. */
static size_t keys_run(const bp_bytes *keys, size_t n, uint64_t *out)
{
#if BP_X86
    if (bp_cpu() & BP_CPU_AVX2)
        return keys_run_avx2(keys, n, out);
#endif
    (void)keys, (void)n, (void)out;
    return 0;
}

static size_t column_run(const char *text, const uint32_t *offsets, uint32_t gap,
                         size_t n, uint64_t *out)
{
#if BP_X86
    if (bp_cpu() & BP_CPU_AVX2)
        return column_run_avx2(text, offsets, gap, n, out);
#endif
    (void)text, (void)offsets, (void)gap, (void)n, (void)out;
    return 0;
}

static size_t stop_after(size_t i, size_t n)
{
    return n - i < BY_ONE ? n : i + BY_ONE;
}

void bp_hash_xxh3_n(const bp_bytes *keys, size_t n, uint64_t *out)
{
    for (size_t i = 0; i < n;) {
        i += keys_run(keys + i, n - i, out + i);
        for (const size_t stop = stop_after(i, n); i < stop; i++)
            out[i] = XXH3_64bits(keys[i].ptr, keys[i].len);
    }
}

/* Here by the seeded function, so that each of the two has one caller and is inlined. */
static void xxh3_column(const char *text, const uint32_t *offsets, uint32_t gap, size_t n,
                        uint64_t *out)
{
    for (size_t i = 0; i < n;) {
        i += column_run(text, offsets + i, gap, n - i, out + i);
        for (const size_t stop = stop_after(i, n); i < stop; i++)
            out[i] = XXH3_64bits_withSeed(text + offsets[i],
                                          offsets[i + 1] - gap - offsets[i], 0);
    }
}

void bp_hash_column(const bp_hash_spec *spec, const void *text, const uint32_t *offsets,
                    uint32_t gap, size_t n, uint64_t *out)
{
    const char *p = (const char *)text;
    if (bp_hash_is_plain(spec)) {
        xxh3_column(p, offsets, gap, n, out);
        return;
    }
    for (size_t i = 0; i < n; i++)
        out[i] = bp_hash(spec, p + offsets[i], offsets[i + 1] - gap - offsets[i]);
}
