/* SPDX-License-Identifier: MIT
 * threads_test.c - const functions at the same time on every kind, and adds at the same
 * time on samples with "concurrent" in their name, while const functions run. What comes
 * out is what one thread gives. ThreadSanitizer (make tsan) sees what this cannot. */
#include "harness.h"
#include "keys.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4 };

/* Threads cannot fail a cmocka test: they say what went wrong, and the test fails. */
typedef struct job {
    const bp_case *c;
    bp_any *s;
    bp_buf want; /* what an unchanging sketch encodes to; or nothing */
    unsigned which;
    unsigned rounds;
    const char *wrong;
} job;

/* Everything a const handle answers, once. */
static const char *ask(const job *j)
{
    bp_description d;
    bp_estimate e;
    bp_test_config cfg;
    bp_any *clone, *sum;
    size_t size = 0;
    memset(&cfg, 0, sizeof cfg);
    bp_any_describe(j->s, &d);
    (void)bp_any_estimate(j->s, 0.95, &e, NULL);
    bp_any_config_of(j->s, &cfg);
    if (bp_any_encode(j->s, NULL, 0, &size, NULL))
        return "encode says no size";
    uint8_t *p = (uint8_t *)malloc(size);
    bp_status st = p ? bp_any_encode(j->s, p, size, &size, NULL) : BP_NOMEM;
    const bool same =
        st || !j->want.p || (j->want.n == size && memcmp(p, j->want.p, size) == 0);
    const bp_open how = bp_case_open(j->c, NULL);
    if (!st)
        st = bp_any_decode(&clone, p, size, &how, NULL);
    free(p);
    if (st)
        return "the encoded bytes do not decode";
    bp_any_free(clone);
    if (!same)
        return "encoded to other bytes";
    if (bp_any_clone(&clone, j->s, NULL))
        return "clone failed";
    bp_any_free(clone);
    if (bp_any_new(&sum, j->c->kind->id, &cfg, NULL))
        return "new failed";
    st = bp_any_merge(sum, j->s, NULL);
    bp_any_free(sum);
    const bool merges = !(j->c->kind->without & BP_WITHOUT_MERGE);
    return st != (merges ? BP_OK : BP_UNSUPPORTED) ? "merge failed" : NULL;
}

static void *ask_often(void *arg)
{
    job *j = (job *)arg;
    for (unsigned i = 0; i < j->rounds && !j->wrong; i++)
        j->wrong = ask(j);
    return NULL;
}

/* Every THREADS-th run of keys, some in batches and some one by one; every key is added
 * by two threads. */
static void *add_share(void *arg)
{
    enum { RUN = 32 };
    job *j = (job *)arg;
    uint8_t bytes[RUN][8];
    bp_bytes keys[RUN];
    for (uint64_t at = 0; at < j->c->fill && !j->wrong; at += RUN) {
        const unsigned share = (unsigned)(at / RUN % THREADS);
        if (share != j->which && (share + 1) % THREADS != j->which)
            continue;
        const size_t n = j->c->fill - at < RUN ? j->c->fill - at : RUN;
        bp_test_keys(at, n, bytes, keys);
        for (size_t i = 0, step = j->which % 2 ? 1 : n; i < n; i += step)
            if (bp_any_add_n(j->s, keys + i, step, NULL))
                j->wrong = "add failed";
    }
    return NULL;
}

static void start(pthread_t *t, void *(*work)(void *), job *j)
{
    if (pthread_create(t, NULL, work, j))
        fail_msg("no thread");
}

/* All are waited for before any may fail the test: they use its stack. */
static void finish(const pthread_t *t, const job *jobs, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    for (unsigned i = 0; i < n; i++)
        if (jobs[i].wrong)
            fail_msg("%s: %s", bp_case_name(jobs[i].c), jobs[i].wrong);
}

static void const_functions_run_at_the_same_time(void **state)
{
    BP_FOR_CASES(c, state)
    {
        pthread_t t[THREADS];
        job jobs[THREADS];
        bp_any *s = bp_make(&c, NULL);
        bp_buf want = bp_encoded(s);
        for (unsigned i = 0; i < THREADS; i++) {
            jobs[i] = (job){&c, s, want, i, 5, NULL};
            start(&t[i], ask_often, &jobs[i]);
        }
        finish(t, jobs, THREADS);
        bp_any_free(s);
        bp_buf_free(&want);
    }
}

static bool is_concurrent(const bp_case *c)
{
    return strstr(c->sample->name, "concurrent") != NULL;
}

/* One thread's sketch of the same keys, each added twice. */
static bp_any *single_threaded(const bp_case *c)
{
    bp_any *s = bp_make(c, NULL);
    bp_expect(c, "add_n", bp_add_range(s, 0, c->fill), BP_OK);
    return s;
}

static void concurrent_adds_give_the_bytes_of_one_thread(void **state)
{
    size_t cases = 0;
    BP_FOR_CASES(c, state)
    {
        if (!is_concurrent(&c) || c.fill == 0)
            continue;
        pthread_t t[THREADS + 1];
        job jobs[THREADS + 1];
        bp_any *s = bp_make_empty(&c, NULL), *want = single_threaded(&c);
        for (unsigned i = 0; i < THREADS; i++) {
            jobs[i] = (job){&c, s, {NULL, 0}, i, 0, NULL};
            start(&t[i], add_share, &jobs[i]);
        }
        jobs[THREADS] = (job){&c, s, {NULL, 0}, 0, 20, NULL};
        start(&t[THREADS], ask_often, &jobs[THREADS]);
        finish(t, jobs, THREADS + 1);
        bp_same(&c, "added by many threads", s, want);
        bp_any_free(s);
        bp_any_free(want);
        cases++;
    }
    printf("%s: %zu concurrent cases\n", (const char *)*state, cases);
}

static const struct CMUnitTest tests[] = {
#define BP_SKETCH(id, name, room, family, without, why)                                  \
    BP_KIND_TEST(name, const_functions_run_at_the_same_time),                            \
        BP_KIND_TEST(name, concurrent_adds_give_the_bytes_of_one_thread),
#include "sketches.def"
#undef BP_SKETCH
};

extern const bp_suite bp_suite_threads;
const bp_suite bp_suite_threads = {"threads", tests, sizeof tests / sizeof *tests, NULL,
                                   0};
