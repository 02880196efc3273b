/* SPDX-License-Identifier: MIT
 * cpu.c - asks the processor once. Racing first calls find the same answer. */
#include "core/cpu.h"

uint32_t bp_cpu_found;

static uint32_t ask(void)
{
    uint32_t f = BP_CPU_KNOWN;
#if BP_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt"))
        f |= BP_CPU_AVX2;
    if ((f & BP_CPU_AVX2) && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd"))
        f |= BP_CPU_AVX512;
#endif
#if BP_NEON
    f |= BP_CPU_NEON;
#endif
    return f;
}

uint32_t bp_cpu_ask(void)
{
    const uint32_t f = ask();
    BP_STORE_RELAXED(&bp_cpu_found, f);
    return f;
}

void bp_cpu_allow(uint32_t mask)
{
    BP_STORE_RELAXED(&bp_cpu_found, ask() & (mask | BP_CPU_KNOWN));
}
