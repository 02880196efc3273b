/* SPDX-License-Identifier: MIT
 * fields.c - which part of a line is the item. */
#include "cli.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Runs of blanks separate, and those before the first field do not count: as awk. */
static bool blank_field(bp_bytes line, uint64_t field, bp_bytes *out)
{
    const char *p = line.ptr, *end = p + line.len;
    for (;;) {
        while (p < end && is_blank(*p))
            p++;
        if (p == end)
            return false;
        const char *start = p;
        while (p < end && !is_blank(*p))
            p++;
        if (--field == 0) {
            *out = (bp_bytes){start, (size_t)(p - start)};
            return true;
        }
    }
}

static const char *find_delimiter(const char *p, const char *end, bp_bytes delim)
{
    if (p == end)
        return NULL;
    if (delim.len == 1)
        return memchr(p, *(const char *)delim.ptr, (size_t)(end - p));
    return memmem(p, (size_t)(end - p), delim.ptr, delim.len);
}

/* Every delimiter separates: "a,,b" has an empty second field, "" one empty field. */
static bool exact_field(bp_bytes line, uint64_t field, bp_bytes delim, bp_bytes *out)
{
    const char *p = line.ptr, *end = p + line.len;
    for (;;) {
        const char *at = find_delimiter(p, end, delim);
        if (--field == 0) {
            *out = (bp_bytes){p, (size_t)((at ? at : end) - p)};
            return true;
        }
        if (!at)
            return false;
        p = at + delim.len;
    }
}

bool cli_field(bp_bytes line, uint64_t field, bp_bytes delim, bp_bytes *out)
{
    if (delim.len == 0)
        return blank_field(line, field, out);
    return exact_field(line, field, delim, out);
}
