/* SPDX-License-Identifier: MIT
 * state.c - -s STATE: a sketch that grows from run to run.
 *
 * Runs may come at the same time, take hours to read, and be killed at any instant.
 * So the input is read into a sketch of its own first, with nothing held; only then
 *
 *     lock STATE.lock - load STATE - merge - save as a new file - rename - unlock
 *
 * which takes milliseconds, and loses nothing of either of two runs that end together.
 * What is renamed into place is whole and on the disk (cli_save), so a run that is killed
 * leaves the old state or the new one.
 *
 * The lock is an advisory one (flock) on a file beside the state: the state itself is
 * replaced, so a lock on it would be a lock on what is no longer there. The kernel drops
 * it with the process, however that ends. The file is empty and stays: a run that waits
 * for it has it open, and if it were removed the next run would lock another one.
 *
 * The parameters are taken from a first look, before the input is read; the merge checks
 * them once more under the lock. */
#include "state.h"

#include "plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* -------------------------------------------------------------------------- the lock
 */

/* Beside what is replaced, which is what a symbolic link names: two names of one state
 * have one lock. For the caller to free. */
static char *lock_name(const char *path)
{
    static const char tail[] = ".lock";
    char *target = cli_target(path);
    char *name = target ? realloc(target, strlen(target) + sizeof tail) : NULL;
    if (name)
        strcat(name, tail);
    else
        free(target);
    return name;
}

/* Another user's lock file may be read only, and some file systems lock only what may be
 * written. */
static int open_lock(const char *name)
{
    const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    const int fd = open(name, O_RDWR | O_CREAT | flags, 0666);
    return fd < 0 && errno == EACCES ? open(name, O_RDONLY | flags) : fd;
}

/* Takes the lock; who waits for longer than a second is told for what, or gives up. */
static bool take_lock(const cli_options *o, const char *name, int fd, bool waits)
{
    enum { STEP_MS = 2, PATIENCE_MS = 1000 };
    const struct timespec step = {0, STEP_MS * 1000000};
    for (int waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return false;
        nanosleep(&step, NULL);
    }
    if (!waits)
        return false;
    cli_note(o, "waiting for another run, which holds %s", name);
    while (flock(fd, LOCK_EX) != 0)
        if (errno != EINTR)
            return false;
    return true;
}

/* Whether fd is still the file of that name: somebody may have tidied up. */
static bool is_there(const char *name, int fd)
{
    struct stat a, b;
    return fstat(fd, &a) == 0 && lstat(name, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

int cli_lock(const cli_options *o, const char *path, bool waits)
{
    char *name = lock_name(path);
    int fd = -1;
    do {
        if (fd >= 0)
            close(fd);
        fd = name ? open_lock(name) : -1;
        if (fd < 0 || take_lock(o, name, fd, waits))
            continue;
        close(fd);
        fd = -1;
    } while (fd >= 0 && !is_there(name, fd));
    if (fd < 0 && waits)
        cli_errno(name ? name : path);
    free(name);
    return fd;
}

/* --------------------------------------------------------------------- the first look */

/* One that runs unite. */
const bp_kind_info *cli_state_filter(const cli_options *o)
{
    char head[1024];
    const bp_kind_info *kind = NULL;
    struct stat st;
    const bool is_file = o->state && stat(o->state, &st) == 0 && S_ISREG(st.st_mode);
    FILE *f = is_file ? fopen(o->state, "re") : NULL;
    if (f && bp_any_peek(head, fread(head, 1, sizeof head, f), &kind, NULL, NULL))
        kind = NULL;
    if (f)
        fclose(f);
    const cli_filter_kind *filter = kind ? cli_filter_of(kind->name) : NULL;
    return filter && filter->is_united ? kind : NULL;
}

/* What an option decides of a configuration, by its name in describe (memory: bits). */
static const struct {
    const char *kind;
    const char *name;
    size_t at;
    cli_opt opt;
    enum { U32, U64, REAL } type;
} decided[] = {
    {"hll", "precision", offsetof(cli_config, hll.precision), OPT_PRECISION, U32},
    {"hll", "precision", offsetof(cli_config, hll.precision), OPT_ERROR, U32},
    {"hll", "precision", offsetof(cli_config, hll.precision), OPT_MEMORY, U32},
    {"top_k", "k", offsetof(cli_config, top_k.k), OPT_ITEMS, U32},
    {"top_k", "memory_limit", offsetof(cli_config, top_k.memory), OPT_ERROR, U64},
    {"top_k", "memory_limit", offsetof(cli_config, top_k.memory), OPT_MEMORY, U64},
    {"count_min", "width", offsetof(cli_config, count_min.width), OPT_ERROR, U64},
    {"count_min", "width", offsetof(cli_config, count_min.width), OPT_MEMORY, U64},
    {"count_min", "width", offsetof(cli_config, count_min.width), OPT_WIDTH, U64},
    {"count_min", "depth", offsetof(cli_config, count_min.depth), OPT_DELTA, U32},
    {"count_min", "depth", offsetof(cli_config, count_min.depth), OPT_DEPTH, U32},
    {"bloom", "items", offsetof(cli_config, bloom.items), OPT_ITEMS, U64},
    {"bloom", "fpr_design", offsetof(cli_config, bloom.fpr), OPT_FPR, REAL},
    {"bloom", "bits", offsetof(cli_config, bloom.bits), OPT_BITS, U64},
    {"bloom", "memory", offsetof(cli_config, bloom.memory), OPT_MEMORY, U64},
    {"bloom", "hashes", offsetof(cli_config, bloom.hashes), OPT_HASHES, U32},
    {"counting_bloom", "items", offsetof(cli_config, counting_bloom.items), OPT_ITEMS,
     U64},
    {"counting_bloom", "fpr_design", offsetof(cli_config, counting_bloom.fpr), OPT_FPR,
     REAL},
    {"counting_bloom", "memory", offsetof(cli_config, counting_bloom.memory), OPT_MEMORY,
     U64},
    {"counting_bloom", "hashes", offsetof(cli_config, counting_bloom.hashes), OPT_HASHES,
     U32},
    {"cuckoo", "items", offsetof(cli_config, cuckoo.items), OPT_ITEMS, U64},
    {"cuckoo", "fpr_design", offsetof(cli_config, cuckoo.fpr), OPT_FPR, REAL},
    {"cuckoo", "memory", offsetof(cli_config, cuckoo.memory), OPT_MEMORY, U64},
    {"scalable_bloom", "items", offsetof(cli_config, scalable_bloom.items), OPT_ITEMS,
     U64},
    {"scalable_bloom", "fpr_design", offsetof(cli_config, scalable_bloom.fpr), OPT_FPR,
     REAL},
    {"binary_fuse", "fingerprint", offsetof(cli_config, binary_fuse.bits), OPT_FPR, U32},
    {"blocked_bloom", "items", offsetof(cli_config, blocked_bloom.items), OPT_ITEMS, U64},
    {"blocked_bloom", "fpr_design", offsetof(cli_config, blocked_bloom.fpr), OPT_FPR,
     REAL},
    {"blocked_bloom", "memory", offsetof(cli_config, blocked_bloom.memory), OPT_MEMORY,
     U64},
    {"blocked_bloom", "hashes", offsetof(cli_config, blocked_bloom.hashes), OPT_HASHES,
     U32},
};
enum { DECIDED = sizeof decided / sizeof *decided };

const char *cli_decided_by(const cli_options *o, const char *kind, const char *figure)
{
    const char *by = NULL;
    for (size_t i = 0; i < DECIDED; i++) {
        const bool is_bits =
            strcmp(figure, "bits") == 0 && strcmp(decided[i].name, "memory") == 0;
        if (strcmp(decided[i].kind, kind) != 0 ||
            (!is_bits && strcmp(decided[i].name, figure) != 0))
            continue;
        if (cli_given(o, decided[i].opt))
            return cli_option(decided[i].opt)->name;
        by = "";
    }
    return by;
}

static double value_of(size_t i, const cli_config *c)
{
    const char *p = (const char *)c + decided[i].at;
    uint64_t whole = 0;
    double real = 0;
    if (decided[i].type == REAL)
        memcpy(&real, p, sizeof real);
    else
        memcpy(&whole, p, decided[i].type == U32 ? 4 : 8);
    return decided[i].type == REAL ? real : (double)whole;
}

/* Refuses an option that asks for something else than the state has. */
static int check_options(const cli_state *s, const cli_config *asked,
                         const cli_config *has)
{
    const char *kind = bp_any_kind_by_id(s->kind)->name;
    for (size_t i = 0; i < DECIDED; i++) {
        const double a = value_of(i, asked), b = value_of(i, has);
        if (!cli_given(s->o, decided[i].opt) || a == 0 || a == b ||
            strcmp(decided[i].kind, kind) != 0)
            continue;
        const char *option = cli_option(decided[i].opt)->name;
        cli_error("%s: --%s asks for %s %.15g; the state %s has %.15g",
                  s->o->command->name, option, decided[i].name, a, s->o->state, b);
        cli_hint("leave --%s away to add to it as it is, or name another state", option);
        return CLI_ERROR;
    }
    return CLI_OK;
}

/* What the state is: one sketch or groups of them, and of which kind. */
static int check_kind(const cli_state *s)
{
    const bp_kind_info *kind = s->groups ? s->groups->kind : s->found.kind;
    const bool has_groups = s->groups != NULL, wants_groups = s->o->group != NULL;
    if (kind->id == s->kind && has_groups == wants_groups)
        return CLI_OK;
    if (kind->id != s->kind)
        cli_error("%s: --state %s: holds a sketch of kind %s; this command adds to %s",
                  s->o->command->name, s->o->state, kind->name,
                  bp_any_kind_by_id(s->kind)->name);
    else
        cli_error("%s: --state %s: holds %s -g", s->o->command->name, s->o->state,
                  has_groups ? "groups, and is added to with"
                             : "one sketch, and is added to without");
    if (cli_is_filter(kind) && !(kind->without & BP_WITHOUT_ADD) && s->o->kind == NULL)
        cli_hint("`ballpark filter add %s` adds to it; or name another state",
                 s->o->state);
    else
        cli_hint("name another state");
    return CLI_ERROR;
}

/* Whether a state can be there: a file, or nothing yet, in a directory that takes one. */
static int check_place(const cli_options *o)
{
    struct stat at, out;
    const bool there = stat(o->state, &at) == 0;
    if (strcmp(o->state, "-") == 0 ||
        (there && !S_ISREG(at.st_mode) && !S_ISDIR(at.st_mode))) {
        cli_error("%s: --state %s: is not a file, and a state is replaced",
                  o->command->name, o->state);
        return CLI_ERROR;
    }
    if (!cli_is_place(o->state))
        return cli_errno(o->state);
    if (o->output && (strcmp(o->output, o->state) == 0 ||
                      (there && stat(o->output, &out) == 0 && at.st_dev == out.st_dev &&
                       at.st_ino == out.st_ino)))
        return cli_error("%s: --output and --state are both %s; --state alone saves it",
                         o->command->name, o->state);
    return cli_check_not_input(o);
}

/* Whether one may write there is known when one has: the lock is needed anyway. */
static int make_lock(const cli_options *o)
{
    char *name = lock_name(o->state);
    const int fd = name ? open_lock(name) : -1;
    const int code = fd < 0 ? cli_errno(name ? name : o->state) : CLI_OK;
    if (fd >= 0)
        close(fd);
    free(name);
    return code;
}

/* Both stay NULL when nothing is there. */
static int load(const cli_state *s, cli_saved *found, cli_group_list **groups)
{
    struct stat st;
    memset(found, 0, sizeof *found);
    *groups = NULL;
    if (stat(s->o->state, &st) != 0 && errno == ENOENT)
        return CLI_OK;
    return cli_open_groups(found, s->o, &s->hash, s->o->state, false, groups);
}

/* The configuration of what was found; false: there are no groups in it yet. */
static int look(const cli_state *s, cli_config *has, bool *any)
{
    bp_any *one = s->found.sketch;
    *any = true;
    if (s->groups && s->groups->count == 0)
        *any = false;
    else if (s->groups && s->groups->sketch(s->groups, 0, false, &one))
        return CLI_ERROR;
    if (*any)
        bp_any_config_of(one, has);
    return CLI_OK;
}

static int go_by(const cli_state *s, cli_config *config)
{
    cli_config has;
    bool any;
    if (!s->found.sketch && !s->groups)
        return CLI_OK;
    if (check_kind(s) || look(s, &has, &any) || (any && check_options(s, config, &has)))
        return CLI_ERROR;
    if (any)
        *config = has;
    return CLI_OK;
}

int cli_state_open(cli_state *s, const cli_options *o, uint32_t kind, cli_config *config)
{
    *s = (cli_state){.o = o->state ? o : NULL, .kind = kind, .hash = config->hash};
    if (!o->state)
        return CLI_OK;
    return check_place(o) || load(s, &s->found, &s->groups) || go_by(s, config) ||
                   make_lock(o)
               ? CLI_ERROR
               : CLI_OK;
}

int cli_state_hold(cli_state *s, const cli_options *o, uint32_t kind, cli_config *config)
{
    *s = (cli_state){.o = NULL};
    const int fd = o->state && !check_place(o) ? cli_lock(o, o->state, true) : -1;
    if (o->state && fd < 0)
        return CLI_ERROR;
    const int code = cli_state_open(s, o, kind, config);
    s->held = fd + 1;
    return code;
}

void cli_state_close(cli_state *s)
{
    if (s->o)
        cli_close(&s->found);
    cli_group_close(s->groups);
    if (s->held)
        close(s->held - 1);
}

/* -------------------------------------------------------------------------- the sum */

static void say_moved(void)
{
    cli_hint("another run changed it while the input was read; it is as that left it, "
             "and nothing of this run is in it");
}

static int merge(const cli_state *s, bp_any *total, bool *other)
{
    bp_detail why = {0};
    cli_saved now;
    cli_group_list *groups;
    int code = load(s, &now, &groups);
    const bp_status st = now.sketch ? bp_any_merge(total, now.sketch, &why)
                         : groups   ? BP_KIND
                                    : BP_OK;
    if (other && st == BP_MISMATCH) {
        *other = true;
    } else if (st) {
        code = now.sketch ? cli_mismatch(s->o->command->name, NULL,
                                         (cli_side){"what was read", total},
                                         (cli_side){s->o->state, now.sketch}, st, &why)
                          : cli_library_error(s->o->state, st, NULL);
        say_moved();
    }
    cli_close(&now);
    cli_group_close(groups);
    return code;
}

static int say_kept(const cli_state *s)
{
    cli_hint("%s is as it was: nothing of this run is in it", s->o->state);
    return CLI_ERROR;
}

static int join_locked(const cli_state *s, bp_any *total, bool *other)
{
    if (merge(s, total, other))
        return CLI_ERROR;
    if (other && *other)
        return CLI_OK;
    return cli_write_sketch_to(s->o->state, total) ? say_kept(s) : CLI_OK;
}

int cli_state_join(const cli_state *s, bp_any *total, bool save, bool *other)
{
    if (other)
        *other = false;
    if (!s->o)
        return CLI_OK;
    if (!save) {
        say_kept(s);
        return merge(s, total, NULL);
    }
    const int fd = s->held ? s->held - 1 : cli_lock(s->o, s->o->state, true);
    if (fd < 0)
        return CLI_ERROR;
    const int code = join_locked(s, total, other);
    if (!s->held)
        close(fd);
    return code;
}

/* Both lists as one; the state's may be missing. */
static int read_both(const cli_state *s, cli_group_list *met, cli_group_list **more,
                     cli_group_reader **sum)
{
    cli_saved now;
    const char *command = s->o->command->name;
    if (load(s, &now, more))
        return CLI_ERROR;
    if (now.sketch) {
        cli_close(&now);
        return cli_error("%s: --state %s: holds one sketch by now, not groups", command,
                         s->o->state);
    }
    cli_group_list *const lists[] = {met, *more};
    *sum = cli_group_read(command, lists, *more ? 2 : 1);
    return *sum ? CLI_OK : CLI_ERROR;
}

int cli_state_join_groups(const cli_state *s, cli_group_list *met, bool save,
                          cli_group_list **more, cli_group_reader **sum)
{
    *more = NULL;
    *sum = NULL;
    if (!save) {
        say_kept(s);
        return read_both(s, met, more, sum);
    }
    const int fd = cli_lock(s->o, s->o->state, true);
    if (fd < 0)
        return CLI_ERROR;
    int code = read_both(s, met, more, sum);
    if (!code && cli_group_save(s->o->command->name, *sum, bp_any_kind_by_id(s->kind),
                                s->o->state))
        code = say_kept(s);
    close(fd);
    return code ? code : cli_group_rewind(*sum);
}
