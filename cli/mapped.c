/* SPDX-License-Identifier: MIT
 * mapped.c - saved sketches as they lie in their files.
 *
 * A filter of 12 GB is asked in place and must answer before 12 GB can be read, yet its
 * no is to be certain. So its blocks are verified one by one, each before the first
 * answer that it has a part in. Which bytes an answer comes from only the kind knows; but
 * the processor does too. The sketch gets a mapping that may not be read. The first read
 * of a page faults, the handler verifies the block around it through a second mapping of
 * the same file, and only then lets the first one be read: a probe costs at most two MiB,
 * and a block is read for that once.
 *
 * A file that another process cuts short while it is mapped faults too, with SIGBUS: that
 * is told in words. What is left of its last page is zeros and does not fault, so the
 * length is looked at again when the file is no longer needed. Faults come from a load in
 * the sketch's own code, which holds no locks, so that a handler may print and exit;
 * every other fault is left to the system.
 */
#include "mapped.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct cli_mapped {
    cli_mapped *next;
    const char *path;
    int fd; /* our own */
    uint8_t *bytes;
    size_t size;
    /* Lazily: the same bytes, readable; where the first block begins, how many there are,
     * and which are verified. */
    uint8_t *open;
    uint64_t first, blocks;
    uint8_t *is_verified;
};

static cli_mapped *all; /* changed by the main thread, while no other reads sketches */
static size_t page;

static bool is_within(const uint8_t *bytes, size_t size, const void *at)
{
    return bytes && (uintptr_t)at - (uintptr_t)bytes < size;
}

static cli_mapped *find(const void *at)
{
    cli_mapped *m = all;
    while (m && !is_within(m->bytes, m->size, at) && !is_within(m->open, m->size, at))
        m = m->next;
    return m;
}

/* ------------------------------------------------------------------------ cut short */

static bool is_cut(const cli_mapped *m, uint64_t *left)
{
    struct stat st;
    *left = fstat(m->fd, &st) == 0 ? (uint64_t)st.st_size : m->size;
    return *left < m->size;
}

static void end_cut_short(const cli_mapped *m)
{
    uint64_t left;
    cli_save_abandon();
    if (is_cut(m, &left)) {
        cli_error("%s: was cut short while it was in use: %llu of %llu bytes are left",
                  m->path, (unsigned long long)left, (unsigned long long)m->size);
        cli_hint("what replaces a filter in use is written beside it and renamed, as -o "
                 "does");
    } else {
        cli_error("%s: could not be read on: its disk or its server failed", m->path);
    }
    cli_stop(CLI_ERROR);
}

static void on_cut(int sig, siginfo_t *info, void *context)
{
    const cli_mapped *m = find(info->si_addr);
    (void)context;
    if (m)
        end_cut_short(m);
    signal(sig, SIG_DFL); /* not ours: the same load faults again */
}

/* --------------------------------------------------------------------------- lazily */

static void end_damaged(const cli_mapped *m, bp_status st, const bp_detail *why)
{
    cli_save_abandon();
    cli_refuse(m->path, st, why);
    cli_stop(CLI_ERROR);
}

/* Tells the system to read block i at once, and no more. */
static void fetch(const cli_mapped *m, uint64_t i)
{
    const uint64_t at = (m->first + i * BP_PAYLOAD_BLOCK) / page * page;
    const uint64_t n = m->size - at < BP_PAYLOAD_BLOCK ? m->size - at : BP_PAYLOAD_BLOCK;
    madvise(m->open + at, (size_t)n, MADV_WILLNEED);
}

static void verify_block(cli_mapped *m, uint64_t i)
{
    bp_detail why = {0};
    if (__atomic_load_n(&m->is_verified[i], __ATOMIC_RELAXED))
        return;
    fetch(m, i);
    bp_status st = bp_any_verify_block(m->open, m->size, i, &why);
    /* The header was right when it was opened; another run may be writing feedback into
     * it at this moment. */
    for (int tries = 0; st && why.at < m->first && tries < 1000; tries++)
        st = bp_any_verify_block(m->open, m->size, i, &why);
    if (st)
        end_damaged(m, st, &why);
    __atomic_store_n(&m->is_verified[i], 1, __ATOMIC_RELAXED);
}

/* What stands before the blocks counts as of the first, what stands behind as of the
 * last. */
static uint64_t block_of(const cli_mapped *m, uint64_t at)
{
    const uint64_t i = at < m->first ? 0 : (at - m->first) / BP_PAYLOAD_BLOCK;
    return i < m->blocks ? i : m->blocks - 1;
}

/* The pages that lie in block i alone. */
static void pages_of(const cli_mapped *m, uint64_t i, uint64_t *from, uint64_t *to)
{
    *from = i == 0 ? 0 : (m->first + i * BP_PAYLOAD_BLOCK + page - 1) / page * page;
    *to = i + 1 == m->blocks ? m->size
                             : (m->first + (i + 1) * BP_PAYLOAD_BLOCK) / page * page;
}

/* The system has no more mappings to give: then all of it, at once. */
static void open_all(cli_mapped *m)
{
    for (uint64_t i = 0; i < m->blocks; i++)
        verify_block(m, i);
    if (mprotect(m->bytes, m->size, PROT_READ) != 0) {
        cli_save_abandon();
        cli_stop(cli_errno(m->path));
    }
}

/* Lets the page at `at` be read, and all that belongs to the same block alone. */
static void open_at(cli_mapped *m, uint64_t at)
{
    uint64_t from = at / page * page, to = from + page;
    const uint64_t i = block_of(m, from), last = block_of(m, to - 1);
    verify_block(m, i);
    if (i == last)
        pages_of(m, i, &from, &to);
    else
        verify_block(m, last);
    if (mprotect(m->bytes + from, (size_t)(to - from), PROT_READ) != 0)
        open_all(m);
}

static void on_closed(int sig, siginfo_t *info, void *context)
{
    cli_mapped *m = info->si_code == SEGV_ACCERR ? find(info->si_addr) : NULL;
    (void)context;
    if (m && m->open)
        open_at(m, (uint64_t)((uint8_t *)info->si_addr - m->bytes));
    else
        signal(sig, SIG_DFL);
}

/* ----------------------------------------------------------------------------- life */

static void handle(int sig, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction sa = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    sigemptyset(&sa.sa_mask);
    sigaction(sig, &sa, NULL);
}

cli_mapped *cli_map_file(int fd, const char *path, size_t size)
{
    cli_mapped *m = calloc(1, sizeof *m);
    void *bytes = m ? mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (bytes == MAP_FAILED) {
        free(m);
        return NULL;
    }
    m->bytes = bytes;
    m->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    m->path = path;
    m->size = size;
    m->next = all;
    all = m;
    handle(SIGBUS, on_cut);
    return m;
}

const void *cli_mapped_bytes(const cli_mapped *m)
{
    return m->bytes;
}

bp_status cli_verify_lazily(cli_mapped *m, bp_detail *why)
{
    uint64_t size;
    bp_status st = bp_any_payload(m->bytes, m->size, &m->first, &size, why);
    if (st)
        return st;
    page = (size_t)sysconf(_SC_PAGESIZE);
    m->blocks = (size + BP_PAYLOAD_BLOCK - 1) / BP_PAYLOAD_BLOCK;
    m->is_verified = calloc(1, m->blocks ? m->blocks : 1);
    void *open = mmap(NULL, m->size, PROT_READ, MAP_SHARED, m->fd, 0);
    m->open = open == MAP_FAILED ? NULL : open;
    if (!m->is_verified || !m->open || mprotect(m->bytes, m->size, PROT_NONE) != 0)
        return BP_NOMEM;
    madvise(m->open, m->size, MADV_RANDOM);
    handle(SIGSEGV, on_closed);
    return BP_OK;
}

void cli_unmap(cli_mapped *m)
{
    cli_mapped **at = &all;
    uint64_t left;
    if (is_cut(m, &left))
        end_cut_short(m);
    while (*at != m)
        at = &(*at)->next;
    *at = m->next;
    munmap(m->bytes, m->size);
    if (m->open)
        munmap(m->open, m->size);
    if (m->fd >= 0)
        close(m->fd);
    free(m->is_verified);
    free(m);
}
