/* SPDX-License-Identifier: MIT
 * cuckoo_size_test.c - which filter a configuration gets. */
#include "sketches/cuckoo/cuckoo_test.h"

#include <math.h>

static const bp_cuckoo_config asked[] = {
    {.items = 0},
    {.items = 1},
    {.items = 8, .bits = 8},
    {.items = 9, .fpr = 0.5},
    {.items = 1000, .fpr = 0.03},
    {.items = 1000, .fpr = 0.002},
    {.items = 30000, .bits = 12},
    {.items = 32000, .bits = 16, .fpr = 0.001},
    {.items = 123456, .memory = 400000},
    {.items = 1000000, .fpr = 0.0002},
    {.items = 10000000, .bits = 8},
    {.memory = 100, .bits = 8},
    {.memory = 1000},
    {.memory = 1 << 20, .fpr = 0.001},
    {.memory = 123456789, .bits = 16},
    {.items = UINT64_C(1) << 40, .bits = 16},
};

enum { ASKED = sizeof asked / sizeof *asked };

void each_number_given_is_a_limit_that_holds(void **state)
{
    (void)state;
    for (size_t i = 0; i < ASKED; i++) {
        bp_cuckoo_config c;
        bp_detail why = {BP_OK, "", 0, 0, 0};
        if (bp_cuckoo_size(&asked[i], &c, &why))
            fail_msg("row %zu: %s", i, why.what);
        assert_true(c.items >= asked[i].items && c.items > 0);
        assert_true(asked[i].memory == 0 || c.memory <= asked[i].memory);
        assert_true(asked[i].bits == 0 || c.bits == asked[i].bits);
        assert_true(c.fpr <= (asked[i].fpr > 0 ? asked[i].fpr
                              : asked[i].bits  ? 1
                                               : 0.01));
        /* memory is used: a fiftieth more items would not fit */
        bp_cuckoo_config more = {.items = c.items + c.items / 50 + 8, .bits = c.bits};
        if (asked[i].memory && !asked[i].items) {
            assert_int_equal(bp_cuckoo_size(&more, &more, NULL), BP_OK);
            assert_true(more.memory > asked[i].memory);
        }
    }
}

void cuckoo_size_and_config_of_make_the_same_filter_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < ASKED; i++) {
        bp_cuckoo_config c, again;
        assert_int_equal(bp_cuckoo_size(&asked[i], &c, NULL), BP_OK);
        assert_int_equal(bp_cuckoo_size(&c, &again, NULL), BP_OK);
        assert_memory_equal(&c, &again, sizeof c);
        if (c.memory > 1 << 20)
            continue;
        bp_cuckoo *s = cuckoo_make(asked[i]);
        bp_cuckoo_config_of(s, &again);
        assert_true(again.items == c.items && again.memory == c.memory &&
                    again.bits == c.bits && again.fpr == c.fpr);
        bp_cuckoo_free(s);
    }
}

void what_cannot_be_had_is_refused_with_the_mend(void **state)
{
    (void)state;
    static const struct {
        bp_cuckoo_config cfg;
        const char *part;
    } row[] = {
        {{.items = (UINT64_C(1) << 40) + 1}, "items must be 1 to 2^40"},
        {{.items = UINT64_MAX}, "items must be 1 to 2^40"},
        {{.bits = 7}, "8, 12 or 16 bits"},
        {{.bits = 32}, "8, 12 or 16 bits"},
        {{.fpr = -0.1}, "at most 0.5"},
        {{.fpr = 0.6}, "at most 0.5"},
        {{.fpr = 1}, "at most 0.5"},
        {{.fpr = NAN}, "at most 0.5"},
        {{.fpr = INFINITY}, "at most 0.5"},
        {{.fpr = 1e-4}, "a counting_bloom"},
        {{.fpr = 1e-4, .bits = 16}, "a counting_bloom"},
        {{.fpr = 1e-3, .bits = 12}, "more bits, or a higher fpr"},
        {{.memory = 1}, "too little memory for one item"},
        {{.memory = 7, .bits = 8}, "too little memory for one item"},
        {{.memory = 1000, .items = 1000}, "fewer items, a higher fpr or more memory"},
        {{.reserved32 = 1}, "reserved"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        bp_cuckoo *s;
        bp_detail why = {BP_OK, "", 0, 0, 0};
        assert_int_equal(bp_cuckoo_new(&s, &row[i].cfg, &why), BP_PARAM);
        assert_null(s);
        if (!strstr(why.what, row[i].part))
            fail_msg("row %zu: %s", i, why.what);
        assert_int_equal(bp_cuckoo_footprint(&row[i].cfg), 0);
    }
}

void bits_an_item_are_those_that_are_stated(void **state)
{
    (void)state;
    static const struct {
        uint64_t items;
        double times; /* slots an item */
    } row[] = {{1000, 1.096},    {10000, 1.06},     {31000, 1.061},     {100000, 1.066},
               {1000000, 1.061}, {10000000, 1.057}, {1000000000, 1.058}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (uint32_t bits = 8; bits <= 16; bits += 4) {
            bp_cuckoo_config c = {.items = row[i].items, .bits = bits};
            assert_int_equal(bp_cuckoo_size(&c, &c, NULL), BP_OK);
            const double times = 8 * (double)c.memory / bits / (double)c.items;
            if (times > row[i].times || times < 1.0555)
                fail_msg("%.0f items of %u bits: %.4f slots each", (double)c.items, bits,
                         times);
        }
}
