/* SPDX-License-Identifier: MIT
 * cpu.h - which instruction sets may be used, found once, one relaxed atomic. */
#ifndef BP_CPU_H
#define BP_CPU_H

#include "core/platform.h"

enum { BP_CPU_AVX2 = 1, BP_CPU_AVX512 = 2, BP_CPU_NEON = 4, BP_CPU_KNOWN = 1 << 30 };

/* What bp_cpu answers; 0 before the first call. Read through bp_cpu. */
BP_INTERNAL extern uint32_t bp_cpu_found;
BP_INTERNAL uint32_t bp_cpu_ask(void);

/* The BP_CPU_... bits of this machine, less those a test has forbidden. Inline: single
 * calls of a few nanoseconds ask. */
static BP_ALWAYS_INLINE uint32_t bp_cpu(void)
{
    const uint32_t found = BP_LOAD_RELAXED(&bp_cpu_found);
    return BP_UNLIKELY(!found) ? bp_cpu_ask() : found;
}

/* For tests: allow only these sets from now on (UINT32_MAX: all). Kernels are chosen
 * at each call, so a test can compare every variant the machine has. */
BP_INTERNAL void bp_cpu_allow(uint32_t mask);

#endif
