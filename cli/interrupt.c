/* SPDX-License-Identifier: MIT
 * interrupt.c - signals that do not end the run: the first SIGINT while a part of the
 * input is an answer too, and SIGWINCH while a window is drawn to.
 *
 * A flag alone comes too late for a thread that is about to block in read(), so the
 * handlers also write to a pipe, and whoever waits for input waits for that as well.
 * System calls go on after them: what stdout was given is not lost to a signal. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static int wake[2] = {-1, -1};
static volatile sig_atomic_t interrupted, resized;

static void on_signal(int sig)
{
    const int error = errno;
    if (sig == SIGINT)
        interrupted = 1;
    else
        resized = 1;
    /* A full pipe wakes as well as one byte more would. */
    if (write(wake[1], "", 1) < 0)
        errno = error;
    errno = error;
}

/* Without the pipe there is no catching, and SIGINT ends the run as it ever did. */
static bool make_pipe(void)
{
    if (wake[0] >= 0)
        return true;
    if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) == 0)
        return true;
    wake[0] = wake[1] = -1;
    return false;
}

void cli_catch(int sig)
{
    struct sigaction sa;
    if (!make_pipe() || sigaction(sig, NULL, &sa) != 0 || sa.sa_handler == SIG_IGN)
        return;
    sa.sa_handler = on_signal;
    /* The second SIGINT finds no handler and ends the run. */
    sa.sa_flags = SA_RESTART | (sig == SIGINT ? (int)SA_RESETHAND : 0);
    sigemptyset(&sa.sa_mask);
    sigaction(sig, &sa, NULL);
}

void cli_uncatch(int sig)
{
    struct sigaction sa;
    if (sigaction(sig, NULL, &sa) == 0 && sa.sa_handler == on_signal)
        signal(sig, SIG_DFL);
}

bool cli_interrupted(void)
{
    return interrupted != 0;
}

bool cli_resized(void)
{
    const bool was = resized != 0;
    resized = 0;
    return was;
}

bool cli_wait(int fd, double seconds)
{
    struct pollfd on[] = {{.fd = fd, .events = POLLIN},
                          {.fd = wake[0], .events = POLLIN}};
    char drained[64];
    const int n = poll(on, 2, seconds < 0 ? -1 : (int)ceil(seconds * 1000));
    /* After SIGINT it is left full: it is for every thread. */
    if (n > 0 && on[1].revents && !interrupted)
        while (read(wake[0], drained, sizeof drained) == (ssize_t)sizeof drained)
            ;
    /* What cannot be waited for is read, and says itself what is wrong. */
    return n > 0 ? on[0].revents != 0 : n < 0 && errno != EINTR;
}
