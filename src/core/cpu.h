/* SPDX-License-Identifier: MIT
 * cpu.h - which instruction sets may be used, found once, one relaxed atomic. */
#ifndef BP_CPU_H
#define BP_CPU_H

#include "core/platform.h"

enum { BP_CPU_AVX2 = 1, BP_CPU_AVX512 = 2, BP_CPU_NEON = 4, BP_CPU_KNOWN = 1 << 30 };

/* The BP_CPU_... bits of this machine, less those a test has forbidden. */
BP_INTERNAL uint32_t bp_cpu(void);

/* For tests: allow only these sets from now on (UINT32_MAX: all). Kernels are chosen
 * at each call, so a test can compare every variant the machine has. */
BP_INTERNAL void bp_cpu_allow(uint32_t mask);

#endif
