/* SPDX-License-Identifier: MIT
 * binary_fuse_accuracy_test.c - the rate is 2^-bits exactly, whatever the number of keys,
 * and the memory is what is stated.
 *
 * A stranger is answered yes with probability 2^-bits, each independently of the others
 * given the filter but for the little that filters differ: the number of yes is binomial.
 * One false alarm in a million for the suite, shared by its 40 comparisons. Fingerprints
 * of 32 bits would need 1e14 questions; that their filter is one of 8 bits in each of
 * their four bytes is asked instead, by questions that agree in one byte. */
#include "sketches/binary_fuse/binary_fuse_state.h"
#include "sketches/binary_fuse/binary_fuse_test.h"

#include "accuracy/accuracy.h"

#include <math.h>
#include <stdlib.h>

#define ALARM (BP_ALARM_SUITE / 40)

static const size_t sizes[] = {1, 10, 1000, 11500, 200000};
enum { SIZES = sizeof sizes / sizeof *sizes };

static bool rate_is_credible(double yes, uint64_t asked, double rate)
{
    const uint64_t k = (uint64_t)(yes + 0.5);
    return bp_rate_at_most(k, asked, rate, ALARM) &&
           bp_rate_at_least(k, asked, rate, ALARM);
}

/* Many small filters, or a few large ones. */
static uint64_t yes_of_filters(bp_binary_fuse_config cfg, size_t n, uint64_t asked,
                               uint64_t seed)
{
    const uint64_t filters = n < 100 ? 400 : 4;
    uint64_t yes = 0;
    for (uint64_t i = 0; i < filters; i++) {
        bp_binary_fuse *s = fuse_make_random(cfg, &seed, n);
        yes += fuse_yes_of_random(s, &seed, asked / filters);
        bp_binary_fuse_free(s);
    }
    return yes;
}

void strangers_are_taken_for_keys_once_in_two_to_the_bits(void **state)
{
    (void)state;
    for (uint32_t arity = 3; arity <= 4; arity++)
        for (uint32_t bits = 8; bits <= 16; bits += 8)
            for (size_t i = 0; i < SIZES; i++) {
                const bp_binary_fuse_config cfg = {.bits = bits, .arity = arity};
                const uint64_t asked =
                    (bp_test_quick ? 400 : 8000) * (bits == 8 ? 1000u : 4000u);
                const uint64_t yes =
                    yes_of_filters(cfg, sizes[i], asked, sizes[i] + bits);
                if (!rate_is_credible((double)yes, asked, ldexp(1, -(int)bits)))
                    fail_msg("%zu keys, %u places, %u bits: %llu yes of %llu", sizes[i],
                             arity, bits, (unsigned long long)yes,
                             (unsigned long long)asked);
            }
}

void a_fuse_rate_three_percent_off_would_be_caught(void **state)
{
    (void)state;
    const uint64_t asked = 32000000;
    const double yes =
        (double)yes_of_filters((bp_binary_fuse_config){.bits = 8}, 1000, asked, 3);
    assert_true(rate_is_credible(yes, asked, 1.0 / 256));
    assert_false(rate_is_credible(yes * 1.03, asked, 1.0 / 256));
    assert_false(rate_is_credible(yes * 0.97, asked, 1.0 / 256));
}

/* What a stranger's cells give, XORed with its fingerprint: each byte of it is uniform,
 * and so is the whole, of which 0 is answered yes. */
void fingerprints_of_strangers_are_uniform(void **state)
{
    (void)state;
    for (uint32_t arity = 3; arity <= 4; arity++) {
        static uint64_t seen[4][256];
        uint64_t seed = 9;
        memset(seen, 0, sizeof seen);
        bp_binary_fuse *s = fuse_make_random(
            (bp_binary_fuse_config){.bits = 32, .arity = arity}, &seed, 50000);
        const bp_object *o = (const bp_object *)s;
        const fuse_map m = fuse_map_of(&((const fuse_head *)o->head)->design);
        for (int i = 0; i < (bp_test_quick ? 20000 : 1000000); i++) {
            const fuse_place p =
                fuse_place_of(&m, fuse_mix(bp_rng_next(&seed), m.seed), arity);
            uint32_t x = p.mark;
            for (uint32_t j = 0; j < arity; j++)
                x ^= bp_load32(o->cells + 4 * p.cell[j]);
            for (int b = 0; b < 4; b++)
                seen[b][x >> 8 * b & 255]++;
        }
        for (int b = 0; b < 4; b++)
            assert_true(bp_uniform_ok(seen[b], 256, ALARM));
        bp_binary_fuse_free(s);
    }
}

/* The arithmetic alone, so that large sizes cost nothing. */
void bits_a_key_are_those_that_are_stated(void **state)
{
    (void)state;
    static const struct {
        uint64_t n;
        double three, four;
    } row[] = {{1000, 11.4, 11.1},
               {100000, 9.6, 9.1},
               {10000000, 9.04, 8.64},
               {UINT64_C(1000000000), 9.02, 8.62},
               {UINT64_C(1) << 40, 9.01, 8.61}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (uint32_t arity = 3; arity <= 4; arity++) {
            const fuse_design d = bp_fuse_plan(row[i].n, 8, arity, 0);
            const double bits = 8 * (double)fuse_cells(&d) / (double)row[i].n;
            const double most = arity == 3 ? row[i].three : row[i].four;
            if (bits > most || bits < most * 0.97)
                fail_msg("%llu keys, %u places: %.3f bits a key, stated are %.2f",
                         (unsigned long long)row[i].n, arity, bits, most);
        }
}
