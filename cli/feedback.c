/* SPDX-License-Identifier: MIT
 * feedback.c - how often a filter was wrong, kept in its file.
 *
 * The counters stand in the header, and the header has room for them, so that telling a
 * filter of 12 GB writes some hundred bytes: in place, in one call, and within the first
 * sector of the file, of which a disk writes all or nothing. A small file is replaced as
 * any other is. Either way under the lock of -s: runs that end together all count.
 *
 * Only a file that holds exactly the bytes this library writes for the filter is touched:
 * not one in a foreign format, nor a filter inside another file. */
#include "feedback.h"
#include "state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 512, SMALL = 1 << 20 };

/* The beginning of the encoded bytes, and how many there are in all. */
typedef struct beginning {
    uint8_t bytes[HEAD];
    size_t n, all;
} beginning;

/* Of a kind whose bytes are not as they lie in memory. */
static bool begin_whole(const bp_any *s, beginning *b)
{
    void *all = malloc(b->all);
    const bool ok = all && bp_any_encode(s, all, b->all, &b->all, NULL) == BP_OK;
    if (ok)
        memcpy(b->bytes, all, b->n);
    free(all);
    return ok;
}

static bool begin(const bp_any *s, beginning *b)
{
    if (bp_any_encode(s, NULL, 0, &b->all, NULL))
        return false;
    b->n = b->all < HEAD ? b->all : HEAD;
    const bp_status st = bp_any_encode_part(s, 0, b->bytes, b->n, NULL);
    return st == BP_UNSUPPORTED ? begin_whole(s, b) : st == BP_OK;
}

/* What differs of the beginning, which is all that differs. */
static bool write_in_place(const char *path, const beginning *old, const beginning *new)
{
    uint8_t there[HEAD];
    size_t from = 0, to = old->n;
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return false;
    while (from < to && old->bytes[from] == new->bytes[from])
        from++;
    while (from < to && old->bytes[to - 1] == new->bytes[to - 1])
        to--;
    const bool ok =
        pread(fd, there, old->n, 0) == (ssize_t)old->n &&
        memcmp(there, old->bytes, old->n) == 0 &&
        pwrite(fd, new->bytes + from, to - from, (off_t)from) == (ssize_t)(to - from);
    close(fd);
    return ok;
}

/* NULL, or why not. Under lock. */
static const char *tell(const cli_saved *s, const char *path, uint64_t strangers,
                        uint64_t false_yes)
{
    static const char other[] = "its bytes are not those of one filter, as ballpark "
                                "writes it";
    beginning old, new;
    bp_detail why = {0};
    if (!cli_is_filter(s->kind) || !begin(s->sketch, &old) || old.all != s->map_size ||
        memcmp(old.bytes, s->map, old.n) != 0)
        return other;
    if (bp_any_report(s->sketch, strangers, false_yes, &why))
        return why.what;
    if (!begin(s->sketch, &new))
        return other;
    if (old.all > SMALL && new.all == old.all)
        return write_in_place(path, &old, &new) ? NULL : "it cannot be written in place";
    return cli_write_sketch_to(path, s->sketch) ? "see above" : NULL;
}

static const char *feed_back(const cli_options *o, const char *path, uint64_t strangers,
                             uint64_t false_yes)
{
    struct stat st;
    cli_saved s;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return "it is no file";
    if (access(path, W_OK) != 0)
        return strerror(errno);
    const int lock = cli_lock(o, path, false);
    if (lock < 0)
        return strerror(errno);
    const char *why = "see above";
    if (cli_view(&s, path) == CLI_OK) {
        why = tell(&s, path, strangers, false_yes);
        cli_close(&s);
    }
    close(lock);
    return why;
}

void cli_feed_back(const cli_options *o, const char *path, uint64_t strangers,
                   uint64_t false_yes)
{
    const char *why = strangers ? feed_back(o, path, strangers, false_yes) : NULL;
    if (why && o->verbose)
        cli_note(o, "%s: is not told how often it was wrong: %s", path, why);
}
