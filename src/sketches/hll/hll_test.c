/* SPDX-License-Identifier: MIT
 * hll_test.c - HyperLogLog's own laws and cases. Memory and bytes are tested in
 * hll_bytes_test.c, how accurate it is in hll_accuracy_test.c. */
#include "sketches/hll/hll_test.h"

#include "core/cpu.h"
#include "core/rng.h"
#include "keys.h"
#include "vectors/vectors.h"

#include <ballpark/hash.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const bp_figure *figure(const bp_description *d, const char *name)
{
    for (size_t i = 0; i < d->count; i++)
        if (strcmp(d->figures[i].name, name) == 0)
            return &d->figures[i];
    fail_msg("there is no figure %s", name);
    return NULL;
}

/* --------------------------------------------------------------------------- kernels */

/* Registers of every magnitude: of few and many keys, and whatever bits there can be. */
static void fill_registers(uint8_t *p, size_t m, unsigned shape, uint64_t *rng)
{
    memset(p, 0, bp_packed6_size(m) + BP_PACKED6_SPARE);
    for (size_t i = 0; i < m; i++) {
        const uint64_t r = bp_rng_next(rng);
        const unsigned zeros = (unsigned)BP_CTZ64(r | UINT64_C(1) << 40);
        const unsigned v = shape == 0   ? (unsigned)(r >> 58)
                           : shape == 1 ? zeros
                           : shape == 2 ? zeros + 12
                                        : (r >> 60 ? 0 : 1);
        bp_packed6_set(p, i, v & 63);
    }
}

static void expect_kernels_agree(unsigned p, unsigned shape, uint64_t *rng)
{
    const size_t m = bp_hll_registers(p), n = bp_packed6_size(m);
    uint8_t *a = (uint8_t *)malloc(3 * (n + BP_PACKED6_SPARE));
    assert_non_null(a);
    uint8_t *b = a + n + BP_PACKED6_SPARE, *c = b + n + BP_PACKED6_SPARE;
    fill_registers(a, m, shape, rng);
    fill_registers(b, m, 1, rng);
    memcpy(c, a, n);
    bp_packed6_sums fast = {0, 0, 0, 0}, plain = {0, 0, 0, 0};
    bp_packed6_sum(&fast, a, m, bp_hll_top(p));
    bp_packed6_max(a, b, m);
    bp_cpu_allow(0);
    bp_packed6_sum(&plain, c, m, bp_hll_top(p));
    bp_packed6_max(c, b, m);
    assert_memory_equal(a, c, n);
    assert_int_equal(fast.zeros, plain.zeros);
    assert_int_equal(fast.tops, plain.tops);
    assert_true(bp_hll_from_sums(p, &fast) == bp_hll_from_sums(p, &plain));
    for (size_t i = 0; i < m; i++) {
        const unsigned v = bp_packed6_get(c, i), w = bp_packed6_get(b, i);
        assert_true(v >= w);
    }
    free(a);
}

static void expect_adds_agree(unsigned p, uint32_t set)
{
    bp_hll *fast = make(p, true), *plain = make(p, true);
    for (uint64_t first = 0; first < 20000; first += 5000) {
        bp_cpu_allow(set);
        add(fast, first, 5000);
        bp_cpu_allow(0);
        add(plain, first, 5000);
    }
    expect_same(fast, plain);
    bp_hll_free(fast);
    bp_hll_free(plain);
}

static void every_variant_equals_the_portable_one(void **state)
{
    static const struct {
        uint32_t set;
        const char *name;
    } sets[] = {{0, "portable"}, {BP_CPU_AVX2, "avx2"}, {BP_CPU_NEON, "neon"}};
    (void)state;
    bp_cpu_allow(UINT32_MAX);
    const uint32_t have = bp_cpu();
    printf("hll: variants run:");
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if ((have & sets[i].set) != sets[i].set)
            continue;
        printf(" %s", sets[i].name);
        uint64_t rng = 11;
        for (unsigned p = 4; p <= 18; p++) {
            for (unsigned shape = 0; shape < 4; shape++) {
                bp_cpu_allow(sets[i].set);
                expect_kernels_agree(p, shape, &rng);
            }
            expect_adds_agree(p, sets[i].set);
        }
    }
    printf("\n");
    bp_cpu_allow(UINT32_MAX);
}

static void registers_are_packed_as_redis_packs_them(void **state)
{
    (void)state;
    uint8_t p[12 + BP_PACKED6_SPARE] = {0}, q[12], bytes[16];
    for (unsigned i = 0; i < 16; i++) {
        bytes[i] = (uint8_t)(i * 4 + 1);
        bp_packed6_raise(p, i, i * 4 + 1);
        bp_packed6_raise(p, i, i * 4);
        assert_int_equal(bp_packed6_get(p, i), i * 4 + 1);
    }
    assert_int_equal(p[0], 1 | (5 & 3) << 6);
    assert_int_equal(p[1], 5 >> 2 | (9 & 15) << 4);
    assert_int_equal(p[2], 9 >> 4 | 13 << 2);
    bp_packed6_pack(q, bytes, 16);
    assert_memory_equal(p, q, 12);
    for (unsigned i = 12; i < sizeof p; i++)
        assert_int_equal(p[i], 0);
    assert_int_equal(bp_packed6_above(p, 16, 61), 16);
    assert_int_equal(bp_packed6_above(p, 16, 8), 2);
}

/* A register by the definition: top p bits, and the zeros of the rest. */
static void a_register_is_index_and_zeros_of_the_rest(void **state)
{
    (void)state;
    for (unsigned p = 4; p <= 18; p++) {
        bp_hll *s = make(p, true);
        const bp_object *o = (const bp_object *)s;
        uint64_t rng = p;
        for (int i = 0; i < 3000; i++) {
            uint64_t h = bp_rng_next(&rng);
            h = i % 3 ? h : h >> p >> (h & 31) | h << (64 - p); /* long runs too */
            h = i % 64 ? h : h >> (64 - p) << (64 - p);
            unsigned rank = 1;
            while (rank <= 64 - p && !(h >> (64 - p - rank) & 1))
                rank++;
            bp_hll_reset(s);
            assert_int_equal(bp_hll_add_hashes(s, &h, 1), BP_OK);
            assert_int_equal(bp_packed6_get(o->cells, (size_t)(h >> (64 - p))), rank);
            const uint64_t again = bp_token_hash(bp_token(h));
            assert_int_equal(again >> 38, h >> 38);
            bp_hll_reset(s);
            assert_int_equal(bp_hll_add_hashes(s, &again, 1), BP_OK);
            assert_int_equal(bp_packed6_get(o->cells, (size_t)(h >> (64 - p))), rank);
        }
        bp_hll_free(s);
    }
}

/* ---------------------------------------------------------------------------- counts */

static void counts_up_to_100_exactly(void **state)
{
    (void)state;
    for (unsigned p = 4; p <= 18; p++) {
        bp_hll *s = make(p, false);
        for (uint64_t set = 0; set < 20; set++) {
            bp_hll_reset(s);
            for (uint64_t i = 0; i < 100; i++) {
                assert_true(value_of(s) == (double)i);
                add(s, set * 1000 + i, 1);
                add(s, set * 1000, 1);
            }
            assert_true(value_of(s) == 100);
        }
        bp_hll_free(s);
    }
}

static void an_empty_sketch_says_zero_for_certain(void **state)
{
    (void)state;
    for (int dense = 0; dense < 2; dense++) {
        bp_hll *s = make(12, dense);
        bp_estimate e = {1, 1, 1};
        assert_int_equal(bp_hll_estimate(s, 0.95, &e, NULL), BP_OK);
        assert_true(e.value == 0 && e.lower == 0 && e.upper == 0);
        bp_hll_free(s);
    }
}

static void a_saturated_sketch_says_infinity_and_over(void **state)
{
    (void)state;
    bp_hll *s = make(4, true);
    for (uint64_t i = 0; i < 16; i++) {
        const uint64_t h = i << 60;
        assert_int_equal(bp_hll_add_hashes(s, &h, 1), BP_OK);
        assert_true(isinf(value_of(s)) == (i == 15));
    }
    bp_description d;
    bp_hll_describe(s, &d);
    assert_int_equal(d.health, BP_HEALTH_OVER);
    assert_int_equal(figure(&d, "saturated_registers")->whole, 16);
    bp_hll_free(s);
}

static void a_confidence_outside_0_to_1_is_refused(void **state)
{
    (void)state;
    const double bad[] = {0, 1, -0.5, 95, NAN};
    bp_hll *s = make(12, false);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bp_estimate e = {7, 7, 7};
        assert_int_equal(bp_hll_estimate(s, bad[i], &e, NULL), BP_PARAM);
        assert_true(e.value == 7);
    }
    bp_hll_free(s);
}

static void a_wider_confidence_gives_a_wider_range(void **state)
{
    (void)state;
    bp_hll *s = make(8, true);
    add(s, 0, 3000);
    bp_estimate last = {0, 0, 0};
    for (double c = 0.5; c < 0.9999999; c = 1 - (1 - c) / 4) {
        bp_estimate e;
        assert_int_equal(bp_hll_estimate(s, c, &e, NULL), BP_OK);
        assert_true(last.value == 0 || (e.lower < last.lower && e.upper > last.upper));
        assert_true(e.lower > 0 && !isinf(e.upper));
        last = e;
    }
    bp_hll_free(s);
}

static void standard_errors_are_those_published(void **state)
{
    (void)state;
    assert_true(fabs(bp_hll_standard_error(4) - 0.26) < 0.0005);
    assert_true(fabs(bp_hll_standard_error(10) - 0.0325) < 0.0001);
    assert_true(fabs(bp_hll_standard_error(12) - 0.01625) < 0.0001);
    assert_true(fabs(bp_hll_standard_error(14) - 0.0081) < 0.0001);
    assert_true(fabs(bp_hll_standard_error(16) - 0.0041) < 0.0001);
    const size_t sizes[] = {768, 3072, 12288, 49152};
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(bp_hll_dense_size(10 + 2 * i), sizes[i]);
}

static void configurations_out_of_range_are_refused(void **state)
{
    (void)state;
    bp_hll *s = NULL;
    bp_detail why;
    const unsigned bad[] = {1, 3, 19, 64, UINT32_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const bp_hll_config cfg = {.precision = bad[i]};
        assert_int_equal(bp_hll_new(&s, &cfg, &why), BP_PARAM);
        assert_null(s);
        assert_int_equal(why.have, bad[i]);
        assert_int_equal(why.want, bad[i] < 4 ? 4 : 18);
    }
    const bp_hll_config odd = {.reserved8 = {0, 1}};
    assert_int_equal(bp_hll_new(&s, &odd, &why), BP_PARAM);
}

static void describe_names_form_and_figures(void **state)
{
    (void)state;
    bp_description d;
    bp_hll *s = make(12, false);
    add(s, 0, 10);
    bp_hll_describe(s, &d);
    assert_string_equal(figure(&d, "form")->text, "sparse");
    assert_int_equal(figure(&d, "tokens")->whole, 10);
    assert_int_equal(figure(&d, "precision")->whole, 12);
    assert_int_equal(figure(&d, "registers")->whole, 4096);
    assert_true(figure(&d, "standard_error")->real == bp_hll_standard_error(12));
    add(s, 0, 5000);
    bp_hll_describe(s, &d);
    assert_int_equal(d.health, BP_HEALTH_OK);
    assert_string_equal(figure(&d, "form")->text, "dense");
    assert_true(figure(&d, "zero_registers")->whole < 4096);
    assert_int_equal(figure(&d, "saturated_registers")->whole, 0);
    const double value = figure(&d, "estimate")->real;
    assert_true(value == value_of(s));
    assert_true(figure(&d, "lower")->real < value && value < figure(&d, "upper")->real);
    bp_hll_free(s);
}

/* ----------------------------------------------------- one set of keys, one encoding */

typedef struct way {
    const char *name;
    void (*build)(bp_hll *s, size_t n);
} way;

static void one_by_one(bp_hll *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t key[8];
        bp_test_key(i, key);
        assert_int_equal(bp_hll_add(s, key, 8), BP_OK);
    }
}

static void backwards_and_twice(bp_hll *s, size_t n)
{
    for (size_t i = n; i-- > 0;) {
        add(s, i, 1);
        add(s, i + (n - i) / 2, 1);
    }
}

static void settled_on_the_way(bp_hll *s, size_t n)
{
    for (size_t i = 0; i < n; i += 37) {
        add(s, i, n - i < 37 ? n - i : 37);
        bp_hll_settle(s);
    }
}

static void from_two_overlapping_halves(bp_hll *s, size_t n)
{
    bp_hll_config cfg;
    bp_hll *other;
    bp_hll_config_of(s, &cfg);
    assert_int_equal(bp_hll_new(&other, &cfg, NULL), BP_OK);
    add(s, 0, n / 2);
    add(other, n / 3, n - n / 3);
    assert_int_equal(bp_hll_merge(s, other, NULL), BP_OK);
    bp_hll_free(other);
}

static void through_bytes_and_a_clone(bp_hll *s, size_t n)
{
    bp_hll *decoded, *clone;
    add(s, 0, n / 2);
    bp_buf b = bytes_of(s);
    assert_int_equal(bp_hll_decode(&decoded, b.p, b.n, NULL, NULL), BP_OK);
    add(decoded, n / 4, n / 2);
    assert_int_equal(bp_hll_clone(&clone, decoded, NULL), BP_OK);
    add(clone, 0, n);
    assert_int_equal(bp_hll_merge(s, clone, NULL), BP_OK);
    bp_buf_free(&b);
    bp_hll_free(decoded);
    bp_hll_free(clone);
}

static void equal_sets_have_equal_bytes_however_built(void **state)
{
    static const way ways[] = {{"one by one", one_by_one},
                               {"backwards and twice", backwards_and_twice},
                               {"settled on the way", settled_on_the_way},
                               {"merged", from_two_overlapping_halves},
                               {"through bytes", through_bytes_and_a_clone}};
    (void)state;
    const unsigned precisions[] = {4, 9, 10, 14};
    for (size_t i = 0; i < 4; i++) {
        const size_t most = bp_hll_tokens_max(precisions[i]);
        const size_t fills[] = {0, 1, 5, 100, most - 1, most, most + 1, 2 * most};
        for (size_t j = 0; j < sizeof fills / sizeof *fills; j++) {
            bp_hll *want = make(precisions[i], false);
            add(want, 0, fills[j]);
            assert_int_equal(form_of(want),
                             fills[j] <= most ? BP_HLL_SPARSE : BP_HLL_DENSE);
            for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
                bp_hll *s = make(precisions[i], false);
                ways[k].build(s, fills[j]);
                expect_same(s, want);
                assert_true(value_of(s) == value_of(want));
                bp_hll_free(s);
            }
            bp_hll_free(want);
        }
    }
}

/* Batches leave out what cannot raise the lowest register; single adds never do. */
static void sifted_batches_equal_single_adds(void **state)
{
    (void)state;
    for (unsigned p = 4; p <= 9; p++) {
        bp_hll *batch = make(p, true), *single = make(p, true), *other = make(p, true);
        for (size_t n = 0; n < 60000; n += 3000) {
            add(batch, n, 3000);
            for (size_t i = n; i < n + 3000; i++) {
                uint8_t key[8];
                bp_test_key(i, key);
                assert_int_equal(bp_hll_add(single, key, 8), BP_OK);
            }
            expect_same(batch, single);
        }
        add(other, 200000, 50000); /* after a merge, a fold and a reset, too */
        for (int i = 0; i < 3; i++) {
            bp_hll *const both[2] = {batch, single};
            for (int j = 0; j < 2; j++) {
                if (i == 0)
                    assert_int_equal(bp_hll_merge(both[j], other, NULL), BP_OK);
                else if (i == 1)
                    assert_int_equal(bp_hll_fold(both[j], 4, NULL), BP_OK);
                else
                    bp_hll_reset(both[j]);
            }
            add(batch, 300000, 20000);
            for (size_t k = 0; k < 20000; k++)
                add(single, 300000 + k, 1);
            expect_same(batch, single);
        }
        bp_hll_free(batch);
        bp_hll_free(single);
        bp_hll_free(other);
    }
}

static void tokens_replay_into_the_registers_of_the_keys(void **state)
{
    (void)state;
    for (unsigned p = 4; p <= 18; p++) {
        const size_t n = bp_hll_tokens_max(p) + 100; /* some may share a token */
        bp_hll *s = make(p, false), *direct = make(p, true);
        add(s, 0, n);
        add(direct, 0, n);
        assert_int_equal(form_of(s), BP_HLL_DENSE);
        assert_memory_equal(((bp_object *)s)->cells, ((bp_object *)direct)->cells,
                            bp_hll_dense_size(p));
        bp_hll_free(s);
        bp_hll_free(direct);
    }
}

/* Each of sparse, just dense, full, always dense and concurrent with each. */
static void every_mix_of_forms_merges_to_the_union(void **state)
{
    (void)state;
    static const bp_hll_config cfg[] = {{.precision = 10},
                                        {.precision = 10, .dense = true},
                                        {.precision = 10, .concurrent = true}};
    const size_t fills[] = {0, 40, 150, 193, 5000};
    for (int i = 0; i < 3 * 5 * 3 * 5; i++) {
        bp_hll *a, *b, *want;
        const size_t na = fills[i % 5], nb = fills[i / 15 % 5];
        assert_int_equal(bp_hll_new(&a, &cfg[i / 5 % 3], NULL), BP_OK);
        assert_int_equal(bp_hll_new(&b, &cfg[i / 75], NULL), BP_OK);
        want = make(10, i / 5 % 3 != 0);
        add(a, 0, na);
        add(b, 100, nb);
        add(want, 0, na);
        add(want, 100, nb);
        bp_hll *copy;
        assert_int_equal(bp_hll_clone(&copy, b, NULL), BP_OK);
        assert_int_equal(bp_hll_merge(a, b, NULL), BP_OK);
        expect_same(b, copy);
        const bool registers = i / 75 != 0; /* b has no tokens to give */
        if (form_of(want) == BP_HLL_SPARSE && registers) {
            assert_int_equal(form_of(a), BP_HLL_DENSE);
            bp_hll *dense = make(10, true);
            add(dense, 0, na);
            add(dense, 100, nb);
            assert_memory_equal(((bp_object *)a)->cells, ((bp_object *)dense)->cells,
                                768);
            bp_hll_free(dense);
        } else {
            expect_same(a, want);
        }
        assert_int_equal(bp_hll_merge(a, a, NULL), BP_OK);
        bp_hll_free(a);
        bp_hll_free(b);
        bp_hll_free(copy);
        bp_hll_free(want);
    }
}

static void precisions_that_differ_do_not_merge(void **state)
{
    (void)state;
    bp_hll *a = make(12, false), *b = make(14, false);
    bp_detail why;
    add(a, 0, 50);
    add(b, 0, 50);
    bp_buf before = bytes_of(a);
    assert_int_equal(bp_hll_merge(a, b, &why), BP_MISMATCH);
    assert_int_equal(why.have, 12);
    assert_int_equal(why.want, 14);
    assert_non_null(strstr(why.what, "fold"));
    bp_buf after = bytes_of(a);
    assert_true(bp_buf_equal(before, after));
    assert_int_equal(bp_hll_fold(b, 12, NULL), BP_OK);
    assert_int_equal(bp_hll_merge(a, b, NULL), BP_OK);
    bp_buf_free(&before);
    bp_buf_free(&after);
    bp_hll_free(a);
    bp_hll_free(b);
}

static void folding_equals_having_been_lower_all_along(void **state)
{
    (void)state;
    const size_t fills[] = {0, 100, 128, 129, 3000, 4000, 30000};
    for (unsigned high = 4; high <= 18; high += high == 14 ? 4 : 2)
        for (unsigned low = 4; low <= high; low++)
            for (int i = 0; i < 7 * 2; i++) {
                bp_hll *s = make(high, i & 1), *want = make(low, i & 1);
                add(s, 0, fills[i / 2]);
                add(want, 0, fills[i / 2]);
                assert_int_equal(bp_hll_fold(s, low, NULL), BP_OK);
                expect_same(s, want);
                add(s, 50, 200);
                add(want, 50, 200);
                expect_same(s, want);
                bp_hll_free(s);
                bp_hll_free(want);
            }
}

static void folding_up_or_of_a_concurrent_sketch_is_refused(void **state)
{
    (void)state;
    bp_hll *s = make(12, false), *shared;
    bp_detail why;
    assert_int_equal(bp_hll_fold(s, 13, &why), BP_PARAM);
    assert_int_equal(why.have, 13);
    assert_int_equal(why.want, 12);
    assert_int_equal(bp_hll_fold(s, 3, &why), BP_PARAM);
    const bp_hll_config cfg = {.precision = 12, .concurrent = true};
    assert_int_equal(bp_hll_new(&shared, &cfg, NULL), BP_OK);
    assert_int_equal(bp_hll_fold(shared, 10, &why), BP_UNSUPPORTED);
    bp_hll_free(s);
    bp_hll_free(shared);
}

/* --------------------------------------------------------------------------- threads */

enum { THREADS = 4, SHARE = 40000 };

typedef struct worker {
    bp_hll *s;
    uint64_t first;
} worker;

static void *add_share(void *arg)
{
    const worker *w = (const worker *)arg;
    for (uint64_t i = 0; i < SHARE; i += 250) {
        uint64_t hashes[250];
        for (uint64_t j = 0; j < 250; j++)
            hashes[j] = bp_hash_u64(NULL, w->first + i + j);
        bp_hll_add_hashes(w->s, hashes, 250);
    }
    return NULL;
}

static void threads_that_add_at_once_leave_what_one_would(void **state)
{
    (void)state;
    bp_hll *s, *alone = make(11, true), *into = make(11, false), *clone;
    const bp_hll_config cfg = {.precision = 11, .concurrent = true};
    assert_int_equal(bp_hll_new(&s, &cfg, NULL), BP_OK);
    pthread_t threads[THREADS];
    worker workers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){s, (uint64_t)i * SHARE / 2};
        assert_int_equal(pthread_create(&threads[i], NULL, add_share, &workers[i]), 0);
    }
    double last = 0;
    for (int i = 0; i < 50; i++) { /* const calls in the meantime; it only ever grows */
        bp_description d;
        const double now = value_of(s);
        assert_true(now >= last * (1 - 1e-12));
        last = now;
        bp_hll_describe(s, &d);
        bp_buf b = bytes_of(s);
        bp_buf_free(&b);
        assert_int_equal(bp_hll_clone(&clone, s, NULL), BP_OK);
        bp_hll_free(clone);
        assert_int_equal(bp_hll_merge(into, s, NULL), BP_OK);
    }
    for (int i = 0; i < THREADS; i++) {
        worker all = {alone, workers[i].first};
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        add_share(&all);
    }
    expect_same(s, alone);
    bp_hll *decoded;
    bp_buf b = bytes_of(s);
    assert_int_equal(bp_hll_decode(&decoded, b.p, b.n, NULL, NULL), BP_OK);
    assert_int_equal(form_of(decoded), BP_HLL_DENSE);
    bp_buf_free(&b);
    bp_hll_free(decoded);
    bp_hll_free(s);
    bp_hll_free(alone);
    bp_hll_free(into);
}

/* --------------------------------------------------------------------------- vectors */

static void configure(const json_t *config, void *cfg)
{
    bp_hll_config *c = (bp_hll_config *)cfg;
    c->precision = (uint32_t)bp_json_whole(config, "precision");
    c->dense = bp_json_bool_or(config, "dense", false);
}

static void positions(const bp_any *s, uint64_t hash, const json_t *expected)
{
    bp_hll_config cfg;
    bp_any_config_of(s, &cfg);
    bp_hll *one = make(cfg.precision, true);
    const size_t i = (size_t)(hash >> (64 - cfg.precision));
    assert_int_equal(json_array_size(expected), 3);
    assert_int_equal(bp_json_number(json_array_get(expected, 0)), bp_token(hash));
    assert_int_equal(bp_json_number(json_array_get(expected, 1)), i);
    assert_int_equal(bp_hll_add_hashes(one, &hash, 1), BP_OK);
    assert_int_equal(bp_json_number(json_array_get(expected, 2)),
                     bp_packed6_get(((bp_object *)one)->cells, i));
    bp_hll_free(one);
}

static void vectors_hold(void **state)
{
    (void)state;
    bp_vectors_check("hll", configure, positions);
}

/* ----------------------------------------------------------------------------- suite */

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_variant_equals_the_portable_one),
    cmocka_unit_test(registers_are_packed_as_redis_packs_them),
    cmocka_unit_test(a_register_is_index_and_zeros_of_the_rest),
    cmocka_unit_test(counts_up_to_100_exactly),
    cmocka_unit_test(an_empty_sketch_says_zero_for_certain),
    cmocka_unit_test(a_saturated_sketch_says_infinity_and_over),
    cmocka_unit_test(a_confidence_outside_0_to_1_is_refused),
    cmocka_unit_test(a_wider_confidence_gives_a_wider_range),
    cmocka_unit_test(standard_errors_are_those_published),
    cmocka_unit_test(configurations_out_of_range_are_refused),
    cmocka_unit_test(equal_sets_have_equal_bytes_however_built),
    cmocka_unit_test(sifted_batches_equal_single_adds),
    cmocka_unit_test(tokens_replay_into_the_registers_of_the_keys),
    cmocka_unit_test(every_mix_of_forms_merges_to_the_union),
    cmocka_unit_test(precisions_that_differ_do_not_merge),
    cmocka_unit_test(folding_equals_having_been_lower_all_along),
    cmocka_unit_test(folding_up_or_of_a_concurrent_sketch_is_refused),
    cmocka_unit_test(threads_that_add_at_once_leave_what_one_would),
    cmocka_unit_test(a_sketch_of_5_keys_takes_under_300_bytes),
    cmocka_unit_test(without_memory_nothing_is_lost),
    cmocka_unit_test(merging_and_folding_without_memory_change_nothing),
    cmocka_unit_test(a_placed_sketch_grows_in_the_callers_memory_alone),
    cmocka_unit_test(views_of_both_forms_answer_as_the_sketch_does),
    cmocka_unit_test(unverified_garbage_is_safe_and_stays_where_it_is),
    cmocka_unit_test(bytes_that_no_sketch_writes_are_refused),
    cmocka_unit_test(a_history_flag_of_a_later_version_is_read_past),
    cmocka_unit_test(without_its_key_a_sketch_estimates_and_merges_but_takes_no_keys),
    cmocka_unit_test(describe_names_form_and_figures),
    cmocka_unit_test(vectors_hold),
    cmocka_unit_test(variance_formula_follows_the_delta_method),
    cmocka_unit_test(streams_keep_bias_error_and_coverage),
    cmocka_unit_test(dense_sketches_cover_at_few_keys),
    cmocka_unit_test(simulated_registers_keep_bias_error_and_coverage),
    cmocka_unit_test(other_confidences_cover_too),
    cmocka_unit_test(tokens_are_far_better_than_registers),
    cmocka_unit_test(an_estimator_3_percent_wrong_is_caught),
    cmocka_unit_test(ranges_twice_or_half_as_wide_are_caught),
    cmocka_unit_test(spread_over_20_seeds_matches_the_standard_error),
    cmocka_unit_test(monday_and_tuesday_merge_to_their_union),
    cmocka_unit_test(overlapping_shards_merge_to_250000),
};

static const bp_hll_config plain = {.precision = 10};
static const bp_hll_config smallest = {.precision = 4};
static const bp_hll_config large = {.precision = 14};
static const bp_hll_config dense = {.precision = 8, .dense = true};
static const bp_hll_config concurrent = {.precision = 8, .concurrent = true};
static const bp_hll_config keyed = {
    .precision = 5,
    .hash = {BP_HASH_SIPHASH24,
             0,
             0,
             {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
};

static const bp_sample samples[] = {
    {"precision_10", &plain, {1, 5, 192, 193, 5000}},
    {"precision_4", &smallest, {128, 129, 1000}},
    {"precision_14", &large, {300, 20000}},
    {"dense", &dense, {1, 3000}},
    {"concurrent", &concurrent, {1, 3000}},
    {"keyed", &keyed, {3, 200}},
};

const bp_suite bp_suite_hll = {
    .name = "hll",
    .tests = tests,
    .test_count = sizeof tests / sizeof *tests,
    .samples = samples,
    .sample_count = sizeof samples / sizeof *samples,
};
