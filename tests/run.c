/* SPDX-License-Identifier: MIT
 * run.c - runs suites and counts their tests itself: the last line is
 * `N passed, N failed`, and the exit code says whether all passed.
 *
 *     run [--quick] [--list] [SUITE | SUITE:TEXT]...
 *     run --print-golden KIND SAMPLE FILL > FILE
 *
 * Without names every suite runs. SUITE:TEXT runs those tests of a suite whose name
 * contains TEXT. --quick sets bp_test_quick, for emulators and sanitizers.
 *
 * A test passes only by returning from its function: one that fails, or skips itself, or
 * is never reached counts as failed. So does a suite without tests, and a name that
 * selects nothing. */
#include "suite.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool bp_test_quick;

#define BP_SUITE(name) extern const bp_suite bp_suite_##name;
#define BP_SKETCH(id, name, room, family, without, why) BP_SUITE(name)
#include "suites.def"
#include "sketches.def"
#undef BP_SUITE
#undef BP_SKETCH

static const bp_suite *const suites[] = {
#define BP_SUITE(name) &bp_suite_##name,
#define BP_SKETCH(id, name, room, family, without, why) BP_SUITE(name)
#include "suites.def"
#include "sketches.def"
#undef BP_SUITE
#undef BP_SKETCH
};

enum { SUITES = sizeof suites / sizeof *suites };

const bp_suite *bp_suite_by_name(const char *name)
{
    for (size_t i = 0; i < SUITES; i++)
        if (strcmp(suites[i]->name, name) == 0)
            return suites[i];
    return NULL;
}

/* ------------------------------------------------------- one test, and whether it ended
 */

typedef struct wrapped {
    const struct CMUnitTest *test;
    bool ended;
} wrapped;

static wrapped *current;

static int begin(void **state)
{
    current = (wrapped *)*state;
    *state = current->test->initial_state;
    return current->test->setup_func ? current->test->setup_func(state) : 0;
}

static void call(void **state)
{
    current->test->test_func(state);
    current->ended = true;
}

typedef struct score {
    size_t passed, failed;
} score;

static score run_suite(const bp_suite *suite, const char *text)
{
    struct CMUnitTest *tests = calloc(suite->test_count + 1, sizeof *tests);
    wrapped *all = calloc(suite->test_count + 1, sizeof *all);
    size_t n = 0;
    for (size_t i = 0; tests && all && i < suite->test_count; i++) {
        const struct CMUnitTest *t = &suite->tests[i];
        if (text && !strstr(t->name, text))
            continue;
        all[n] = (wrapped){t, false};
        tests[n] = (struct CMUnitTest){t->name, call, begin, t->teardown_func, &all[n]};
        n++;
    }
    score s = {0, 0};
    if (n == 0) {
        fprintf(stderr, "suite %s%s%s: no tests\n", suite->name, text ? ":" : "",
                text ? text : "");
        s.failed = 1;
    } else {
        printf("suite %s\n", suite->name);
        const int bad = _cmocka_run_group_tests(suite->name, tests, n, NULL, NULL);
        for (size_t i = 0; i < n; i++)
            s.passed += all[i].ended;
        s.failed = n - s.passed;
        if (bad > 0 && (size_t)bad > s.failed) { /* a teardown, or memory left behind */
            s.failed = (size_t)bad;
            s.passed = n - s.failed;
        }
    }
    free(tests);
    free(all);
    return s;
}

/* ------------------------------------------------------------------------ the arguments
 */

static score run_named(const char *arg)
{
    char name[64];
    const char *colon = strchr(arg, ':');
    const size_t n = colon ? (size_t)(colon - arg) : strlen(arg);
    snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : 0), arg);
    const bp_suite *suite = bp_suite_by_name(name);
    if (suite)
        return run_suite(suite, colon ? colon + 1 : NULL);
    fprintf(stderr, "there is no suite `%s`; --list names them\n", arg);
    return (score){0, 1};
}

static int list(void)
{
    for (size_t i = 0; i < SUITES; i++)
        printf("%s %zu\n", suites[i]->name, suites[i]->test_count);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "--print-golden") == 0)
        return bp_print_golden(argv[2], argv[3], argv[4]);
    score sum = {0, 0};
    bool named = false;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--list") == 0)
            return list();
        if (strcmp(argv[i], "--quick") == 0)
            bp_test_quick = true;
    }
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            continue;
        const score s = run_named(argv[i]);
        sum.passed += s.passed;
        sum.failed += s.failed;
        named = true;
    }
    for (size_t i = 0; !named && i < SUITES; i++) {
        const score s = run_suite(suites[i], NULL);
        sum.passed += s.passed;
        sum.failed += s.failed;
    }
    fflush(stderr);
    printf("%zu passed, %zu failed\n", sum.passed, sum.failed);
    return sum.failed != 0;
}
