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

/* The lengths that the four-at-a-time kernels take: XXH3's formula for them is one. */
enum { SHORT_MIN = 9, SHORT_SPAN = 16 - SHORT_MIN };

#if BP_X86
#include "hash/batch_avx2.inc"
#endif

static void hash_keys(const bp_bytes *keys, size_t n, uint64_t *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = XXH3_64bits(keys[i].ptr, keys[i].len);
}

void bp_hash_xxh3_n(const bp_bytes *keys, size_t n, uint64_t *out)
{
    size_t done = 0;
#if BP_X86
    if (bp_cpu() & BP_CPU_AVX2)
        done = hash_keys_avx2(keys, n, out);
#endif
    hash_keys(keys + done, n - done, out + done);
}

static void hash_column(const char *text, const uint32_t *offsets, uint32_t gap, size_t n,
                        uint64_t *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = XXH3_64bits(text + offsets[i], offsets[i + 1] - gap - offsets[i]);
}

static void hash_column_slow(const bp_hash_spec *spec, const char *text,
                             const uint32_t *offsets, uint32_t gap, size_t n,
                             uint64_t *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = bp_hash(spec, text + offsets[i], offsets[i + 1] - gap - offsets[i]);
}

void bp_hash_column(const bp_hash_spec *spec, const void *text, const uint32_t *offsets,
                    uint32_t gap, size_t n, uint64_t *out)
{
    const char *p = (const char *)text;
    size_t done = 0;
    if (!bp_hash_is_plain(spec)) {
        hash_column_slow(spec, p, offsets, gap, n, out);
        return;
    }
#if BP_X86
    if (bp_cpu() & BP_CPU_AVX2)
        done = hash_column_avx2(p, offsets, gap, n, out);
#endif
    hash_column(p, offsets + done, gap, n - done, out + done);
}
