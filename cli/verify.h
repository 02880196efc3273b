/* SPDX-License-Identifier: MIT
 * verify.h - a promise of a sketch beside what was measured. */
#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H

#include "cli.h"

/* A promise that is kept is called broken in less than one of 100,000 runs. */
#define CLI_FALSE_ALARM 1e-5

typedef struct cli_trial {
    const char *what;
    double measured, promised;
    double limit; /* what is measured is above it: the promise is broken */
} cli_trial;

static inline bool cli_is_kept(const cli_trial *t)
{
    return t->measured <= t->limit;
}

/* An estimate, whose range was asked for at the confidence 1 - CLI_FALSE_ALARM, and the
 * truth: the relative error. */
cli_trial cli_try_estimate(const char *what, bp_estimate e, double truth,
                           double standard_error);
/* Of n things `bad` were bad, where each is at most at the rate: 0 is never. */
cli_trial cli_try_rate(const char *what, uint64_t bad, uint64_t n, double rate);

#endif
