/* SPDX-License-Identifier: MIT
 * xxh.h - the xxHash library's header, inlined: no run-time dependency, no exported
 * names. Serves the checksums of the envelope here and the hash floor above. */
#ifndef BP_XXH_H
#define BP_XXH_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#endif
