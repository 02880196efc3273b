/* SPDX-License-Identifier: MIT
 * runner_test.c - the runner and the keys hold what they promise. */
#include "harness.h"
#include "keys.h"

#include <string.h>

static void keys_are_the_published_splitmix64_stream(void **state)
{
    (void)state;
    /* The first outputs of splitmix64.c (Vigna) from seed 0. */
    assert_true(bp_test_word(0) == 0xE220A8397B1DCDAFu);
    assert_true(bp_test_word(1) == 0x6E789E6AA1B965F4u);
    assert_true(bp_test_word(2) == 0x06C45D188009454Fu);
    uint8_t key[8];
    bp_test_key(0, key);
    assert_memory_equal(key, "\xAF\xCD\x1D\x7B\x39\xA8\x20\xE2", 8);
}

static void every_sketch_has_a_suite_with_samples(void **state)
{
    (void)state;
    for (size_t i = 0; bp_any_kind_at(i); i++) {
        const char *name = bp_any_kind_at(i)->name;
        const bp_suite *suite = bp_suite_by_name(name);
        if (!suite || suite->sample_count == 0)
            fail_msg("%s has no samples", name);
        for (size_t j = 0; j < suite->sample_count; j++) {
            const bp_sample *s = &suite->samples[j];
            if (strspn(s->name, "abcdefghijklmnopqrstuvwxyz0123456789_") !=
                strlen(s->name))
                fail_msg("%s: a sample's name is a file's name: %s", name, s->name);
            if (s->fills[0] == 0)
                fail_msg("%s: sample %s has no fill", name, s->name);
        }
    }
}

static void kinds_that_promise_concurrent_adds_have_a_sample_for_them(void **state)
{
    (void)state;
    static const char *const promise[] = {"bloom", "blocked_bloom", "count_min", "hll"};
    for (size_t i = 0; i < sizeof promise / sizeof *promise; i++) {
        const bp_suite *suite = bp_suite_by_name(promise[i]);
        size_t found = 0;
        for (size_t j = 0; suite && j < suite->sample_count; j++)
            found += strstr(suite->samples[j].name, "concurrent") != NULL;
        if (!found)
            fail_msg("%s: no sample with \"concurrent\" in its name", promise[i]);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(keys_are_the_published_splitmix64_stream),
    cmocka_unit_test(every_sketch_has_a_suite_with_samples),
    cmocka_unit_test(kinds_that_promise_concurrent_adds_have_a_sample_for_them),
};

extern const bp_suite bp_suite_runner;
const bp_suite bp_suite_runner = {"runner", tests, sizeof tests / sizeof *tests, NULL, 0};
