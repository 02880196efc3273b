/* SPDX-License-Identifier: MIT
 * oom.c - one call, with its n-th request for memory refused. */
#include "oom/oom.h"

#include <stdlib.h>

/* The bytes that a call leaves behind: of the sketch, and of what it made. */
typedef struct outcome {
    bp_buf s;
    bp_buf out;
} outcome;

static bp_buf bytes_or_none(const bp_any *s)
{
    return s ? bp_encoded(s) : bp_buf_copy("", 0);
}

static void drop(outcome *o)
{
    bp_buf_free(&o->s);
    bp_buf_free(&o->out);
}

/* What the call does when there is memory enough. */
static outcome undisturbed(const bp_case *c, const bp_oom_verb *verb)
{
    bp_test_alloc alloc = {0};
    bp_any *s = bp_make(c, &alloc), *out = NULL;
    bp_expect(c, verb->name, verb->act(c, &alloc, s, &out), BP_OK);
    const outcome o = {bp_encoded(s), bytes_or_none(out)};
    bp_any_free(out);
    bp_any_free(s);
    bp_test_alloc_done(&alloc);
    return o;
}

static void is_whole(const bp_case *c, const bp_any *s)
{
    bp_buf b = bp_encoded(s);
    const bp_open how = bp_case_open(c, NULL);
    bp_description d;
    bp_any *copy;
    bp_expect(c, "decode after a refusal", bp_any_decode(&copy, b.p, b.n, &how, NULL),
              BP_OK);
    bp_same(c, "decoded after a refusal", copy, s);
    bp_any_describe(s, &d);
    bp_any_free(copy);
    bp_buf_free(&b);
}

static void check(const bp_case *c, const bp_oom_verb *verb, const char *what,
                  const bp_any *s, const bp_any *out, const outcome *want)
{
    bp_buf have = bp_encoded(s), made = bytes_or_none(out);
    bp_same_bytes(c, what, have, want->s);
    bp_same_bytes(c, verb->name, made, want->out);
    bp_buf_free(&have);
    bp_buf_free(&made);
}

/* One run with the n-th request refused; returns how many were. */
static uint64_t disturbed(const bp_case *c, const bp_oom_verb *verb, uint64_t n,
                          bool after, const outcome *want)
{
    bp_test_alloc alloc = {0};
    bp_any *s = bp_make(c, &alloc), *out = NULL;
    bp_buf before = bp_encoded(s);
    bp_test_fail(&alloc, n, after);
    const bp_status st = verb->act(c, &alloc, s, &out);
    const uint64_t refused = alloc.failed;
    bp_test_fail(&alloc, 0, false);
    if (st == BP_OK) { /* it could do without that memory */
        check(c, verb, "done without memory", s, out, want);
    } else {
        bp_expect(c, verb->name, st, BP_NOMEM);
        if (!refused)
            fail_msg("%s: %s: no memory, but none was refused", bp_case_name(c),
                     verb->name);
        if (out)
            fail_msg("%s: %s failed and made something", bp_case_name(c), verb->name);
        bp_buf now = bp_encoded(s);
        if (verb->leaves_alone)
            bp_same_bytes(c, verb->name, now, before);
        bp_buf_free(&now);
        is_whole(c, s);
        if (verb->again_is_same) {
            bp_expect(c, verb->name, verb->act(c, &alloc, s, &out), BP_OK);
            check(c, verb, "tried again with memory", s, out, want);
        }
    }
    bp_any_free(out);
    bp_any_free(s);
    bp_buf_free(&before);
    bp_test_alloc_done(&alloc);
    return refused;
}

uint64_t bp_oom_run(const bp_case *c, const bp_oom_verb *verb)
{
    outcome want = undisturbed(c, verb);
    uint64_t sum = 0;
    for (int after = 0; after < 2; after++) {
        uint64_t n = 1, refused;
        do {
            refused = disturbed(c, verb, n, after, &want);
            sum += refused != 0;
            /* Hundreds of requests of one call are alike: after those, in steps. */
            n += n < (bp_test_quick ? 50 : 200) ? 1 : n / (bp_test_quick ? 4 : 16);
        } while (refused);
    }
    drop(&want);
    return sum;
}
