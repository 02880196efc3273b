/* SPDX-License-Identifier: MIT
 * platform.h - the only room with #ifdefs: compiler, byte order, 128-bit products,
 * instruction sets. The rest of the library is plain C11 over what is named here. */
#ifndef BP_PLATFORM_H
#define BP_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Seen by other files of the library, not by programs. */
#if defined(__GNUC__) || defined(__clang__)
#define BP_INTERNAL __attribute__((visibility("hidden")))
#define BP_ALWAYS_INLINE inline __attribute__((always_inline))
#define BP_NOINLINE __attribute__((noinline))
#define BP_LIKELY(x) __builtin_expect(!!(x), 1)
#define BP_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define BP_PREFETCH(p) __builtin_prefetch((p), 0, 3)
#define BP_PREFETCH_WRITE(p) __builtin_prefetch((p), 1, 3)
#define BP_CLZ64(x) __builtin_clzll(x)
#define BP_CTZ64(x) __builtin_ctzll(x)
#define BP_POPCOUNT64(x) __builtin_popcountll(x)
#define BP_PARITY64(x) __builtin_parityll(x)
#define BP_BSWAP64(x) __builtin_bswap64(x)
#define BP_BSWAP32(x) __builtin_bswap32(x)
/* Relaxed atomics on ordinary memory: what concurrent sketches need and no more. */
#define BP_LOAD_RELAXED(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define BP_STORE_RELAXED(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define BP_FETCH_OR_RELAXED(p, v) __atomic_fetch_or((p), (v), __ATOMIC_RELAXED)
#define BP_CAS_RELAXED(p, expected, desired)                                             \
    __atomic_compare_exchange_n((p), (expected), (desired), true, __ATOMIC_RELAXED,      \
                                __ATOMIC_RELAXED)
/* Unrolls the loop that follows, whose few turns are known after inlining: Clang does so
 * by itself, GCC at -O2 does not. */
#if defined(__clang__)
#define BP_UNROLL
#else
#define BP_UNROLL _Pragma("GCC unroll 5")
#endif
/* yes ? a : b without a branch, for data that no branch can be predicted on: Clang turns
 * conditional moves in loops back into branches unless the choice is hidden from it. */
static BP_ALWAYS_INLINE uint64_t bp_choose(bool yes, uint64_t a, uint64_t b)
{
#if defined(__clang__)
    uint64_t mask = 0 - (uint64_t)yes;
    __asm__("" : "+r"(mask));
    return b ^ ((a ^ b) & mask);
#else
    return yes ? a : b;
#endif
}
#else
#error "ballpark needs GCC or Clang (or a compiler with their builtins)"
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BP_BIG_ENDIAN 1
#else
#define BP_BIG_ENDIAN 0
#endif

#if defined(__SIZEOF_INT128__)
#define BP_HAVE_INT128 1
__extension__ typedef unsigned __int128 bp_uint128;
#else
#define BP_HAVE_INT128 0
#endif

/* Instruction sets that kernels may be compiled for, each with function-level target
 * attributes, so that the library builds with no flags. */
#if (defined(__x86_64__) || defined(__i386__)) && !defined(BP_NO_SIMD)
#define BP_X86 1
#include <immintrin.h>
#define BP_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define BP_TARGET_AVX512                                                                 \
    __attribute__((                                                                      \
        target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx2,bmi,bmi2,popcnt")))
#else
#define BP_X86 0
#endif
#if defined(__aarch64__) && !BP_BIG_ENDIAN && !defined(BP_NO_SIMD)
#define BP_NEON 1
#include <arm_neon.h>
#else
#define BP_NEON 0
#endif

#endif
