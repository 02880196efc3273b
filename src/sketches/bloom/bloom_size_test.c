/* SPDX-License-Identifier: MIT
 * bloom_size_test.c - the arithmetic: figures of the literature, and what is refused. */
#include "sketches/bloom/bloom_test.h"

#include <math.h>
#include <stdio.h>

static bp_bloom_config solved(bp_bloom_config cfg)
{
    bp_bloom_config out;
    bp_detail why = {BP_OK, "", 0, 0, 0};
    if (bp_bloom_size(&cfg, &out, &why))
        fail_msg("size: %s", why.what);
    return out;
}

/* `have` written with `digits` significant digits, as a table would, is `want`. */
static void reads(double have, int digits, const char *want)
{
    char text[64];
    snprintf(text, sizeof text, "%.*g", digits, have);
    assert_string_equal(text, want);
}

void the_sizes_of_the_literature_are_exact(void **state)
{
    (void)state;
    bp_bloom_config c = solved((bp_bloom_config){.items = 1000000, .fpr = 0.01});
    assert_int_equal(c.bits, 9585059);
    assert_int_equal(c.hashes, 7);
    assert_int_equal(c.memory, 1198136); /* 1.14 MiB */
    c = solved((bp_bloom_config){.items = 100000, .fpr = 0.01});
    assert_int_equal(c.bits, 958506);
    assert_int_equal(c.hashes, 7);

    static const struct {
        double fpr;
        uint32_t hashes;
        const char *per_item, *gigabytes;
    } row[] = {{0.1, 3, "4.8", "0.6"},
               {0.01, 7, "9.6", "1.2"},
               {0.001, 10, "14", "1.8"},
               {0.0001, 13, "19", "2.4"}};
    for (size_t i = 0; i < 4; i++) {
        c = solved((bp_bloom_config){.items = 1000000000, .fpr = row[i].fpr});
        assert_int_equal(c.hashes, row[i].hashes);
        reads((double)c.bits / 1e9, 2, row[i].per_item);
        reads((double)c.memory / 1e9, 2, row[i].gigabytes);
    }
    reads((double)solved((bp_bloom_config){.items = 1000000, .fpr = 0.001}).bits / 1e6, 3,
          "14.4");
    reads((double)solved((bp_bloom_config){.items = 1000000, .fpr = 0.0001}).bits / 1e6,
          3, "19.2");

    c = solved((bp_bloom_config){.memory = 6000000, .items = 1000000, .hashes = 3});
    assert_int_equal(c.bits, 48000000);
    reads(c.fpr, 2, "0.00022");
    c = solved((bp_bloom_config){.memory = 60000000, .items = 1000000, .hashes = 3});
    reads(c.fpr, 2, "2.4e-07");
    c = solved((bp_bloom_config){.memory = 6000000, .items = 1000000});
    assert_int_equal(c.hashes, 33);

    c = solved((bp_bloom_config){.bits = 8000000, .items = 1000000});
    assert_int_equal(c.hashes, 6);
    reads(c.fpr, 1, "0.02");
    c = solved((bp_bloom_config){.bits = 10000000, .items = 1000000, .hashes = 1});
    reads(c.fpr, 2, "0.095");
    c = solved((bp_bloom_config){.items = 1000000, .fpr = 0.01, .hashes = 1});
    reads((double)c.bits / 1e6, 3, "99.5");
    /* Ten billion URLs: 12 GB. */
    c = solved((bp_bloom_config){.items = UINT64_C(10000000000), .fpr = 0.01});
    reads((double)c.memory / 1e9, 2, "12");
}

void rate_and_fill_follow_the_formula_past_capacity(void **state)
{
    (void)state;
    static const struct {
        double times;
        const char *fill, *fpr;
    } row[] = {{1, "52", "1.0"},
               {1.25, "60", "2.8"},
               {1.5, "67", "5.8"},
               {2, "77", "15.7"},
               {3, "89", "43.6"}};
    for (size_t i = 0; i < 5; i++) {
        char fill[16], fpr[16];
        snprintf(fill, sizeof fill, "%.0f",
                 100 * bp_bloom_fill_at(9585059, 7, 1e6 * row[i].times));
        snprintf(fpr, sizeof fpr, "%.1f",
                 100 * bp_bloom_fpr_at(9585059, 7, 1e6 * row[i].times));
        assert_string_equal(fill, row[i].fill);
        assert_string_equal(fpr, row[i].fpr);
    }
    assert_true(bp_bloom_fill_at(1000, 3, 0) == 0);
    assert_true(bp_bloom_fpr_at(1000, 3, 0) == 0);
    assert_true(bp_bloom_fill_at(1000, 3, -5) == 0);
    assert_true(bp_bloom_fill_at(1000, 3, 1e300) == 1);
    assert_true(bp_bloom_fpr_at(1000, 3, INFINITY) == 1);
}

/* m and k without libm against m and k with it: equal but where the exact value lies so
 * near to a whole number that libm's own error decides. */
void whole_number_sizing_agrees_with_floating_point(void **state)
{
    (void)state;
    uint64_t rng = 2;
    unsigned compared = 0;
    for (int i = 0; i < 20000; i++) {
        const uint64_t n = 1 + (bp_rng_next(&rng) >> (24 + bp_rng_next(&rng) % 40));
        const double p = pow(10, -0.30103 - 14.6 * bp_rng_unit(&rng));
        if ((double)n > p * 0x1p60)
            continue;
        const double exact = -(double)n * log(p) / (log(2) * log(2));
        const double k = -log2(p);
        const bp_bloom_config c = solved((bp_bloom_config){.items = n, .fpr = p});
        if (fabs((double)c.bits - ceil(exact)) > 1e-14 * exact &&
            fabs(exact - nearbyint(exact)) > 1e-12 * exact)
            fail_msg("%llu at %a: %llu bits, not %.1f", (unsigned long long)n, p,
                     (unsigned long long)c.bits, exact);
        if (fabs(k - floor(k) - 0.5) > 1e-9)
            assert_int_equal(c.hashes, fmax(1, floor(k + 0.5)));
        compared++;
    }
    assert_true(compared > 10000);
}

void what_is_given_decides_the_rest(void **state)
{
    (void)state;
    bp_bloom_config c = solved((bp_bloom_config){.items = 0});
    assert_int_equal(c.items, 1000000); /* all zero: a million at 1 % */
    assert_int_equal(c.bits, 9585059);
    c = solved((bp_bloom_config){.fpr = 0.001});
    assert_int_equal(c.items, 1000000);
    assert_int_equal(c.hashes, 10);
    c = solved((bp_bloom_config){.memory = 1 << 20}); /* memory alone: 1 % */
    assert_int_equal(c.bits, 8 << 20);
    assert_int_equal(c.items, 875175);
    assert_int_equal(c.hashes, 7);
    c = solved((bp_bloom_config){.memory = 1 << 20, .fpr = 0.001});
    assert_int_equal(c.items, 583450);
    assert_int_equal(c.hashes, 10);
    c = solved((bp_bloom_config){.bits = 1 << 20, .hashes = 7}); /* half of them set */
    assert_int_equal(c.items, 103831);
    assert_true(fabs(c.fpr - 0x1p-7) < 1e-6);
    c = solved((bp_bloom_config){.bits = 1 << 20, .hashes = 3, .fpr = 0.01});
    assert_true(c.fpr <= 0.01 && c.fpr > 0.00999);
    c = solved((bp_bloom_config){.memory = 13, .hashes = 2}); /* whole words, no more */
    assert_int_equal(c.bits, 64);
    assert_int_equal(c.memory, 8);
    c = solved((bp_bloom_config){.items = 1000, .fpr = 0.01, .hashes = 7});
    assert_int_equal(c.bits, 9586); /* the best number said aloud changes nothing */
    assert_true(c.fpr == 0.01);
    c = solved((bp_bloom_config){.items = 1000, .bits = 64 << 20});
    assert_int_equal(c.hashes, 64); /* never below what the hash itself can keep */
    assert_true(c.fpr == 1000 * 0x1p-64);
}

static void same_filter(const bp_bloom_config *a, const bp_bloom_config *b)
{
    bp_bloom *x = bloom_make(*a), *y = bloom_make(*b);
    assert_int_equal(bp_bloom_merge(x, y, NULL), BP_OK);
    bp_buf p = bp_encoded((bp_any *)x), q = bp_encoded((bp_any *)y);
    assert_true(bp_buf_equal(p, q));
    bp_buf_free(&p);
    bp_buf_free(&q);
    bp_bloom_free(x);
    bp_bloom_free(y);
}

void size_and_config_of_make_the_same_filter_again(void **state)
{
    (void)state;
    const bp_bloom_config given[] = {
        {.items = 0},
        {.items = 1, .fpr = 0.5},
        {.items = 5000, .fpr = 0.5},
        {.items = 25469, .fpr = 0.5}, /* 36,744 bits: the rate follows to ten digits */
        {.items = 100, .fpr = 1e-15},
        {.items = 100, .fpr = 0.02, .hashes = 2},
        {.bits = 1000, .hashes = 64},
        {.bits = 1000, .items = 400},
        {.bits = 1 << 20},
        {.bits = 1, .hashes = 1},
        {.memory = 4096, .fpr = 0.1},
        {.memory = 1 << 20, .items = 10},
        {.memory = 1000, .hashes = 2}, /* the rate that follows, asked for, is the same */
    };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        const bp_bloom_config full = solved(given[i]);
        const bp_bloom_config again = solved(full);
        assert_memory_equal(&full, &again, sizeof full);
        same_filter(&given[i], &full);
        bp_bloom *s = bloom_make(given[i]);
        bp_bloom_config of;
        bp_bloom_config_of(s, &of);
        same_filter(&given[i], &of);
        bp_bloom_free(s);
    }
}

void contradictions_and_ranges_are_refused_in_words(void **state)
{
    (void)state;
    static const char *const rate = "the false positive rate must lie between 1e-15 and "
                                    "0.5 (1 % is 0.01)";
    static const char *const contradict =
        "items, rate and size contradict each other: leave one out";
    static const char *const too_few =
        "too small for so many items: nearly every key would be answered yes";
    const struct {
        bp_bloom_config cfg;
        const char *what;
    } row[] = {
        {{.fpr = 1}, rate},
        {{.fpr = 0.51}, rate},
        {{.fpr = -0.01}, rate},
        {{.fpr = 9e-16}, rate},
        {{.fpr = NAN}, rate},
        {{.fpr = INFINITY}, rate},
        {{.bits = 1000, .items = 10, .fpr = NAN}, rate},
        {{.bits = 1000, .items = 10, .fpr = INFINITY}, rate},
        {{.bits = 1000, .items = 10, .fpr = -1}, rate},
        {{.bits = 1000, .fpr = 7}, rate},
        {{.items = UINT64_C(1) << 63}, "items must be 1 to 2^62"},
        {{.items = (UINT64_C(1) << 62) + 1}, "items must be 1 to 2^62"},
        {{.hashes = 65}, "hashes must be 1 to 64"},
        {{.bits = (UINT64_C(1) << 56) + 1, .hashes = 1}, "a filter has 1 to 2^56 bits"},
        {{.memory = UINT64_MAX}, "a filter has 1 to 2^56 bits"},
        {{.memory = 7}, "a filter takes at least 8 bytes"},
        {{.bits = 1000, .memory = 8}, "bits and memory disagree: give one of them"},
        {{.bits = 1000, .items = 100, .fpr = 0.01}, contradict},
        {{.items = 1000, .fpr = 0.01, .hashes = 7, .bits = 9587}, contradict},
        {{.bits = 100, .items = 1000000}, too_few},
        {{.bits = 100, .items = 100, .hashes = 64}, too_few},
        {{.bits = 9, .fpr = 1e-9}, "too small for one item at that rate"},
        {{.bits = 9, .hashes = 1, .fpr = 1e-9}, "too small for one item at that rate"},
        {{.items = UINT64_C(1) << 54},
         "a 64-bit hash cannot keep so low a false positive rate for so many items"},
        {{.items = 1000000, .fpr = 1e-13},
         "a 64-bit hash cannot keep so low a false positive rate for so many items"},
        {{.items = UINT64_C(1) << 53},
         "larger than a filter can be: fewer items, or a higher rate"},
        {{.items = 10, .reserved8 = {0, 0, 1}}, "a reserved configuration field is set"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        bp_bloom_config out = {.items = 4711};
        bp_bloom *s = (bp_bloom *)&out;
        bp_detail why = {BP_OK, "", 0, 0, 0};
        if (bp_bloom_size(&row[i].cfg, &out, &why) != BP_PARAM)
            fail_msg("row %zu is taken", i);
        assert_string_equal(why.what, row[i].what);
        assert_int_equal(out.items, 4711);
        assert_int_equal(bp_bloom_new(&s, &row[i].cfg, NULL), BP_PARAM);
        assert_null(s);
        assert_int_equal(bp_bloom_footprint(&row[i].cfg), 0);
    }
}
