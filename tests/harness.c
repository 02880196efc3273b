/* SPDX-License-Identifier: MIT
 * harness.c - the cases of a kind. */
#include "harness.h"

#include <stdio.h>

bool bp_case_at(const char *kind, size_t i, bp_case *out)
{
    const bp_suite *suite = bp_suite_by_name(kind);
    for (size_t s = 0; suite && s < suite->sample_count; s++) {
        const bp_sample *sample = &suite->samples[s];
        *out = (bp_case){bp_any_kind_by_name(kind), sample, 0};
        if (i-- == 0)
            return true;
        for (size_t f = 0; f < 8 && sample->fills[f]; f++) {
            out->fill = sample->fills[f];
            if (i-- == 0)
                return true;
        }
    }
    return false;
}

const char *bp_case_name(const bp_case *c)
{
    static char name[256];
    snprintf(name, sizeof name, "%s/%s-%u", c->kind->name, c->sample->name,
             (unsigned)c->fill);
    return name;
}
