/* SPDX-License-Identifier: MIT
 * unique.h - 64-bit hashes in order, each once. */
#ifndef BP_UNIQUE_H
#define BP_UNIQUE_H

#include "core/core.h"

/* Sorts h and keeps one of equal ones; returns how many are left. `room` is for n more.
 * Linear for hashes, and at worst eight times that. */
BP_INTERNAL size_t bp_sort_unique(uint64_t *h, uint64_t *room, size_t n);

#endif
