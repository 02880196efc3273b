/* SPDX-License-Identifier: MIT
 * nomem.c - a library for tests: preloaded, it lets a program's n-th allocation fail.
 *
 *   LD_PRELOAD=nomem.so NOMEM=17 ballpark ...      the 17th alone
 *   LD_PRELOAD=nomem.so NOMEM=17+ ballpark ...     it and all that follow
 *
 * NOMEM_HIT names a file that is created when one fails. What is allocated before the
 * library is ready is not counted. It stands apart from shim.c because a sanitizer has an
 * allocator of its own, in whose place nothing may be put. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* glibc's own, under the names that nobody replaces. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t count, size_t n);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);

static long first, calls;
static bool all;

__attribute__((constructor)) static void read_limit(void)
{
    const char *text = getenv("NOMEM");
    char *end = NULL;
    const long n = text ? strtol(text, &end, 10) : 0;
    all = end && *end == '+';
    first = n;
}

static bool fails(void)
{
    if (!first)
        return false;
    const long i = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
    if (all ? i < first : i != first)
        return false;
    const char *path = getenv("NOMEM_HIT");
    const long fd =
        path ? syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY, 0600) : -1;
    if (fd >= 0)
        syscall(SYS_close, fd);
    errno = ENOMEM;
    return true;
}

void *malloc(size_t n)
{
    return fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t count, size_t n)
{
    return fails() ? NULL : __libc_calloc(count, n);
}

void *realloc(void *p, size_t n)
{
    return n && fails() ? NULL : __libc_realloc(p, n);
}

void *aligned_alloc(size_t align, size_t n)
{
    return fails() ? NULL : __libc_memalign(align, n);
}
