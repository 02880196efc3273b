/* SPDX-License-Identifier: MIT
 * status.c - outcomes and their words; the library's version. */
#include "core/core.h"

#include "core/version.h"

const char *bp_status_text(bp_status status)
{
    static const char *const text[] = {
        "ok",
        "out of memory",
        "parameter out of range",
        "the sketches do not match",
        "corrupt bytes",
        "written by a newer version",
        "another kind of sketch",
        "no room left",
        "the sketch is empty",
        "not supported",
    };
    const size_t i = (size_t)status;
    return i < sizeof text / sizeof *text ? text[i] : "unknown status";
}

const char *bp_version(void)
{
    return BP_VERSION_TEXT;
}

void bp_explain(bp_detail *why, bp_status status, const char *what, uint64_t at,
                uint64_t have, uint64_t want)
{
    if (why)
        *why = (bp_detail){status, what, at, have, want};
}
