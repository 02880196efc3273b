/* SPDX-License-Identifier: MIT
 * shim.c - a fault library for tests: preloaded, it lets a program run until its n-th
 * call of one kind and then fails that call or kills the program there.
 *
 *   LD_PRELOAD=shim.so FAULT=fail:write:3 ballpark ...
 *
 * FAULT is HOW:WHAT:N.
 *   HOW   fail    the call fails as on a full or broken disk (ENOSPC, EIO)
 *         kill    SIGKILL before the call
 *         killed  SIGKILL after the call
 *         term    SIGTERM before the call
 *         intr    the call fails with EINTR, once
 *         short   from the N-th on, writes and reads move at most 7 bytes
 *   WHAT  write (and pwrite, writev), read (and pread), fsync (and fdatasync), rename
 *         (and renameat), close, open (for writing, mkostemps too), mmap, alloc (malloc,
 *         calloc and realloc, which fail with ENOMEM)
 *   N     1 is the first such call
 * FAULT_HIT names a file that is created when the fault happens, so that a test can go
 * through N = 1, 2, ... until a run ends without one. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SHORT = 7 };

static char how[16], what[16];
static long n;
static long calls;

__attribute__((constructor)) static void read_fault(void)
{
    const char *f = getenv("FAULT");
    const char *a = f ? strchr(f, ':') : NULL;
    const char *b = a ? strchr(a + 1, ':') : NULL;
    if (!b || a - f >= (long)sizeof how || b - a > (long)sizeof what)
        return;
    memcpy(how, f, (size_t)(a - f));
    memcpy(what, a + 1, (size_t)(b - a - 1));
    n = strtol(b + 1, NULL, 10);
}

/* Leaves the mark, by bare system calls: nothing here may go through the shim. */
static void mark(void)
{
    const char *path = getenv("FAULT_HIT");
    const long fd =
        path ? syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY, 0600) : -1;
    if (fd >= 0)
        syscall(SYS_close, fd);
}

static void die(void)
{
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

/* Counts a call of one kind; true when it is the one to go wrong. */
static bool hit(const char *kind)
{
    if (!n || strcmp(kind, what) != 0)
        return false;
    const long i = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
    const bool now = strcmp(how, "short") == 0 ? i >= n : i == n;
    if (now)
        mark();
    if (now && strcmp(how, "kill") == 0)
        die();
    if (now && strcmp(how, "term") == 0)
        raise(SIGTERM);
    return now;
}

/* After the call, when it was hit: whether it is to look failed, and errno. */
static bool fails(bool was_hit, int error)
{
    if (!was_hit || (strcmp(how, "fail") != 0 && strcmp(how, "intr") != 0))
        return false;
    errno = strcmp(how, "intr") == 0 ? EINTR : error;
    return true;
}

static void after(bool was_hit)
{
    if (was_hit && strcmp(how, "killed") == 0)
        die();
}

static size_t cut(bool was_hit, size_t size)
{
    return was_hit && strcmp(how, "short") == 0 && size > SHORT ? SHORT : size;
}

/* `real` becomes libc's function of that name. */
#define REAL(name)                                                                       \
    __typeof__(name) *real = NULL;                                                       \
    *(void **)(&real) = dlsym(RTLD_NEXT, #name)

#define WRAP(type, name, kind, error, call)                                              \
    REAL(name);                                                                          \
    const bool h = hit(kind);                                                            \
    if (fails(h, error))                                                                 \
        return -1;                                                                       \
    const type r = call;                                                                 \
    after(h);                                                                            \
    return r

ssize_t write(int fd, const void *p, size_t size)
{
    WRAP(ssize_t, write, "write", ENOSPC, real(fd, p, cut(h, size)));
}

ssize_t pwrite(int fd, const void *p, size_t size, off_t at)
{
    WRAP(ssize_t, pwrite, "write", ENOSPC, real(fd, p, cut(h, size), at));
}

ssize_t pwrite64(int fd, const void *p, size_t size, off_t at)
{
    WRAP(ssize_t, pwrite64, "write", ENOSPC, real(fd, p, cut(h, size), at));
}

ssize_t writev(int fd, const struct iovec *v, int count)
{
    WRAP(ssize_t, writev, "write", ENOSPC, real(fd, v, count));
}

ssize_t read(int fd, void *p, size_t size)
{
    WRAP(ssize_t, read, "read", EIO, real(fd, p, cut(h, size)));
}

ssize_t pread(int fd, void *p, size_t size, off_t at)
{
    WRAP(ssize_t, pread, "read", EIO, real(fd, p, cut(h, size), at));
}

ssize_t pread64(int fd, void *p, size_t size, off_t at)
{
    WRAP(ssize_t, pread64, "read", EIO, real(fd, p, cut(h, size), at));
}

int fsync(int fd)
{
    WRAP(int, fsync, "fsync", EIO, real(fd));
}

int fdatasync(int fd)
{
    WRAP(int, fdatasync, "fsync", EIO, real(fd));
}

int rename(const char *from, const char *to)
{
    WRAP(int, rename, "rename", ENOSPC, real(from, to));
}

int renameat(int a, const char *from, int b, const char *to)
{
    WRAP(int, renameat, "rename", ENOSPC, real(a, from, b, to));
}

/* A close that fails has closed all the same, as on Linux. */
int close(int fd)
{
    REAL(close);
    const bool h = hit("close");
    const int r = real(fd);
    after(h);
    return fails(h, EIO) ? -1 : r;
}

static int open_as(const char *name, int dir, const char *path, int flags, int mode)
{
    const bool h = (flags & O_ACCMODE) != O_RDONLY && hit("open");
    if (fails(h, ENOSPC))
        return -1;
    __typeof__(openat) *real = NULL;
    *(void **)(&real) = dlsym(RTLD_NEXT, name);
    const int r = real(dir, path, flags, mode);
    after(h);
    return r;
}

#define MODE(flags)                                                                      \
    int mode = 0;                                                                        \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                               \
        va_list v;                                                                       \
        va_start(v, flags);                                                              \
        mode = va_arg(v, int);                                                           \
        va_end(v);                                                                       \
    }

int open(const char *path, int flags, ...)
{
    MODE(flags)
    return open_as("openat", AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    MODE(flags)
    return open_as("openat64", AT_FDCWD, path, flags, mode);
}

int openat(int dir, const char *path, int flags, ...)
{
    MODE(flags)
    return open_as("openat", dir, path, flags, mode);
}

int openat64(int dir, const char *path, int flags, ...)
{
    MODE(flags)
    return open_as("openat64", dir, path, flags, mode);
}

int mkostemps(char *name, int suffix, int flags)
{
    WRAP(int, mkostemps, "open", ENOSPC, real(name, suffix, flags));
}

int mkostemps64(char *name, int suffix, int flags)
{
    WRAP(int, mkostemps64, "open", ENOSPC, real(name, suffix, flags));
}

void *mmap(void *p, size_t size, int prot, int flags, int fd, off_t at)
{
    REAL(mmap);
    const bool h = fd >= 0 && hit("mmap");
    if (fails(h, ENOMEM))
        return MAP_FAILED;
    void *r = real(p, size, prot, flags, fd, at);
    after(h);
    return r;
}

/* Not beside a sanitizer, whose own allocator must be the only one. */
#ifdef FAIL_ALLOCATIONS
/* These are asked before anything can be looked up. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);

void *malloc(size_t size)
{
    return fails(hit("alloc"), ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(hit("alloc"), ENOMEM) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *p, size_t size)
{
    return fails(hit("alloc"), ENOMEM) ? NULL : __libc_realloc(p, size);
}
#endif
