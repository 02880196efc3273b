/* SPDX-License-Identifier: MIT
 * scalable_bloom_test.c - what a scalable filter answers, its layers and unions, and the
 * suite's list. */
#include "compound/scalable_bloom/scalable_bloom_test.h"

#include "keys.h"

#include <math.h>

static const bp_scalable_bloom_config plain = {.items = 100};
static const bp_scalable_bloom_config classic = {
    .items = 50, .fpr = 0.05, .growth = 3, .layout = BP_SCALABLE_BLOOM_CLASSIC};
static const bp_scalable_bloom_config redis = {.items = 100,
                                               .layout = BP_SCALABLE_BLOOM_REDIS};
static const bp_scalable_bloom_config low = {
    .items = 20, .fpr = 1e-3, .tightening = 0.5}; /* blocked, then classic */
static const bp_scalable_bloom_config seeded = {
    .hash = {.id = BP_HASH_XXH64, .seed = 42}, .items = 100, .fpr = 0.2, .growth = 4};
static const bp_scalable_bloom_config keyed = {
    .hash = {.id = BP_HASH_SIPHASH24, .key = "a secret, 16 byt"}, .items = 120};
static const bp_scalable_bloom_config limited = {.items = 2000, .fpr = 0.02, .layers = 3};
static const bp_scalable_bloom_config single = {
    .items = 6000, .layers = 1, .layout = BP_SCALABLE_BLOOM_REDIS};

static const bp_sample samples[] = {
    {"plain", &plain, {1, 100, 1000}}, {"classic", &classic, {40, 600}},
    {"redis", &redis, {60, 500}},      {"low", &low, {150, 700}},
    {"seeded", &seeded, {300}},        {"keyed", &keyed, {300}},
    {"limited", &limited, {3000}},     {"single", &single, {1000}},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static const bp_scalable_bloom_config *sample(size_t i)
{
    return (const bp_scalable_bloom_config *)samples[i].config;
}

enum { MANY = 5000 };
static uint8_t key_bytes[MANY][8];
static bp_bytes keys[MANY];
static uint8_t flags[MANY], other_flags[MANY];

bp_scalable_bloom *scalable_make_test(bp_scalable_bloom_config cfg)
{
    bp_scalable_bloom *s;
    bp_detail why = {BP_OK, "", 0, 0, 0};
    if (bp_scalable_bloom_new(&s, &cfg, &why))
        fail_msg("new: %s", why.what);
    return s;
}

static const bp_figure *figure(const bp_scalable_bloom *s, const char *name)
{
    static bp_description d;
    bp_scalable_bloom_describe(s, &d);
    for (size_t i = 0; i < d.count; i++)
        if (strcmp(d.figures[i].name, name) == 0)
            return &d.figures[i];
    return NULL;
}

static uint64_t added(const bp_scalable_bloom *s)
{
    bp_scalable_bloom_layer l[64];
    const size_t n = bp_scalable_bloom_layers(s, l, 64);
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += l[i].added;
    return sum;
}

/* ---------------------------------------------------------------------------- answers */

static void every_added_key_is_found_in_whichever_layer(void **state)
{
    (void)state;
    bp_test_keys(0, MANY, key_bytes, keys);
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_scalable_bloom *s = scalable_make_test(*sample(i));
        for (size_t from = 0; from < MANY; from += 500) {
            assert_int_equal(bp_scalable_bloom_add_n(s, keys + from, 500, NULL, NULL),
                             BP_OK);
            assert_int_equal(bp_scalable_bloom_has_n(s, keys, from + 500, flags),
                             from + 500);
            for (size_t j = 0; j < from + 500; j++)
                assert_int_equal(flags[j], 1);
        }
        for (size_t j = 0; j < MANY; j++)
            assert_true(bp_scalable_bloom_has(s, keys[j].ptr, 8));
        bp_scalable_bloom_free(s);
    }
}

static void an_empty_scalable_filter_answers_no(void **state)
{
    (void)state;
    bp_test_keys(0, MANY, key_bytes, keys);
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_scalable_bloom *s = scalable_make_test(*sample(i));
        bp_estimate e;
        assert_int_equal(bp_scalable_bloom_has_n(s, keys, MANY, flags), 0);
        assert_int_equal(flags[7], 0);
        assert_false(bp_scalable_bloom_has(s, NULL, 0));
        assert_true(bp_scalable_bloom_fpr(s) == 0 && !signbit(bp_scalable_bloom_fpr(s)));
        assert_int_equal(bp_scalable_bloom_estimate(s, 0.95, &e, NULL), BP_OK);
        assert_true(e.value == 0 && e.lower == 0 && e.upper == 0);
        bp_scalable_bloom_free(s);
    }
}

static void what_is_answered_yes_already_is_not_added_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_scalable_bloom *s = scalable_make_test(*sample(i));
        uint64_t fresh = 0;
        for (uint64_t j = 0; j < 3000; j++) {
            uint8_t key[8];
            bool was_new = true, again = true;
            bp_test_key(j, key);
            const bool had = bp_scalable_bloom_has(s, key, 8);
            assert_int_equal(bp_scalable_bloom_add(s, key, 8, &was_new), BP_OK);
            assert_int_equal(bp_scalable_bloom_add(s, key, 8, &again), BP_OK);
            assert_int_equal(was_new, !had);
            assert_false(again);
            fresh += was_new;
            assert_int_equal(added(s), fresh);
        }
        bp_buf b = bp_encoded((bp_any *)s);
        for (uint64_t j = 0; j < 3000; j++) {
            uint8_t key[8];
            bp_test_key(j, key);
            assert_int_equal(bp_scalable_bloom_add(s, key, 8, NULL), BP_OK);
        }
        bp_buf after = bp_encoded((bp_any *)s);
        assert_true(bp_buf_equal(b, after));
        bp_buf_free(&b);
        bp_buf_free(&after);
        bp_scalable_bloom_free(s);
    }
}

/* Every third key comes a second time; batches of all lengths, so that layers end inside
 * them. */
static void batches_answer_as_single_calls_across_layers(void **state)
{
    (void)state;
    bp_test_keys(0, MANY, key_bytes, keys);
    for (size_t j = 2; j < MANY; j += 3)
        keys[j] = keys[j / 2];
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_scalable_bloom *one = scalable_make_test(*sample(i));
        bp_scalable_bloom *batch = scalable_make_test(*sample(i));
        for (size_t j = 0; j < MANY; j++) {
            bool was_new;
            assert_int_equal(bp_scalable_bloom_add(one, keys[j].ptr, 8, &was_new), BP_OK);
            other_flags[j] = was_new;
        }
        memset(flags, 7, MANY);
        for (size_t j = 0, m = 1; j < MANY; j += m, m = m * 3 % 1009) {
            size_t done = 0;
            m = m < MANY - j ? m : MANY - j;
            assert_int_equal(
                bp_scalable_bloom_add_n(batch, keys + j, m, flags + j, &done), BP_OK);
            assert_int_equal(done, m);
        }
        assert_memory_equal(flags, other_flags, MANY);
        bp_buf a = bp_encoded((bp_any *)one), b = bp_encoded((bp_any *)batch);
        assert_true(bp_buf_equal(a, b));
        bp_buf_free(&a);
        bp_buf_free(&b);
        uint64_t rng = 8, hashes[1000];
        size_t yes = 0;
        for (size_t j = 0; j < 1000; j++) {
            hashes[j] =
                j % 2 ? bp_hash(&sample(i)->hash, keys[j].ptr, 8) : bp_rng_next(&rng);
            other_flags[j] =
                (uint8_t)bp_scalable_bloom_has_hashes(one, hashes + j, 1, NULL);
            yes += other_flags[j];
        }
        assert_int_equal(bp_scalable_bloom_has_hashes(one, hashes, 1000, flags), yes);
        assert_memory_equal(flags, other_flags, 1000);
        bp_scalable_bloom_free(one);
        bp_scalable_bloom_free(batch);
    }
}

/* --------------------------------------------------------------------------- growing */

static void layers_are_made_when_the_last_is_full_and_a_new_key_comes(void **state)
{
    (void)state;
    bp_scalable_bloom *s = scalable_make_test(plain);
    bp_scalable_bloom_layer l[64], planned;
    uint64_t rng = 3;
    size_t n = 1;
    for (uint64_t i = 0, sum = 0; i < 4000; i++) {
        const uint64_t fresh = scalable_add_random(s, &rng, 1);
        const size_t layers = bp_scalable_bloom_layers(s, l, 64);
        sum += fresh;
        assert_int_equal(layers, sum > 100 * ((1u << n) - 1) ? ++n : n);
        assert_true(l[layers - 1].added >= 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(bp_scalable_bloom_size(&plain, i, &planned, NULL), BP_OK);
        assert_int_equal(l[i].index, i);
        assert_true(l[i].items == planned.items && l[i].bits == planned.bits);
        assert_int_equal(l[i].added == l[i].items, i + 1 < n);
    }
    memset(l, 7, sizeof l);
    assert_int_equal(bp_scalable_bloom_layers(s, l, 2), n);
    assert_int_equal(l[1].index, 1);
    assert_int_equal(l[2].index, 0x07070707);
    bp_scalable_bloom_free(s);
}

/* 2 layers of 50 and 100 keys: the 151st new key is refused, in a batch at its place. */
static void a_full_filter_refuses_new_keys_and_loses_nothing(void **state)
{
    (void)state;
    const bp_scalable_bloom_config cfg = {.items = 50, .layers = 2};
    bp_scalable_bloom *s = scalable_make_test(cfg);
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    size_t done = 77, refused = 0;
    bp_test_keys(0, MANY, key_bytes, keys);
    assert_int_equal(bp_scalable_bloom_add_n(s, keys, MANY, flags, &done), BP_FULL);
    assert_true(done >= 150 && done < 160 && added(s) == 150);
    assert_false(bp_scalable_bloom_has(s, keys[done].ptr, 8));
    assert_int_equal(bp_any_add_n((bp_any *)s, keys, MANY, &why), BP_FULL);
    assert_string_equal(why.what, "full: it has all the layers that it may have");
    assert_int_equal(bp_scalable_bloom_has_n(s, keys, done, NULL), done);
    assert_int_equal(bp_scalable_bloom_add_n(s, keys, done, flags, NULL), BP_OK);
    for (size_t i = 0; i < done; i++)
        assert_int_equal(flags[i], 0); /* members are no news, and no trouble */
    bp_buf before = bp_encoded((bp_any *)s);
    for (size_t i = done; i < MANY; i++) {
        bool was_new = true;
        const bool had = bp_scalable_bloom_has(s, keys[i].ptr, 8);
        const bp_status st = bp_scalable_bloom_add(s, keys[i].ptr, 8, &was_new);
        assert_int_equal(st, had ? BP_OK : BP_FULL);
        assert_int_equal(was_new, !had); /* untouched by a failure */
        refused += !had;
    }
    bp_buf after = bp_encoded((bp_any *)s);
    assert_true(bp_buf_equal(before, after) && refused > MANY * 9 / 10);
    assert_int_equal(figure(s, "capacity_left")->whole, 0);
    bp_buf_free(&before);
    bp_buf_free(&after);
    bp_scalable_bloom_free(s);
}

static void a_series_ends_where_a_hash_can_no_longer_keep_the_rate(void **state)
{
    (void)state;
    const bp_scalable_bloom_config cfg = {.items = 200, .fpr = 1e-12, .growth = 32768};
    bp_scalable_bloom *s = scalable_make_test(cfg);
    uint64_t rng = 5;
    bp_detail why = {BP_OK, NULL, 0, 0, 0};
    scalable_add_random(s, &rng, 200);
    const uint64_t hash = bp_rng_next(&rng);
    assert_int_equal(bp_any_add_hashes((bp_any *)s, &hash, 1, &why), BP_FULL);
    assert_non_null(strstr(why.what, "a 64-bit hash cannot keep"));
    bp_scalable_bloom_free(s);
}

static void memory_that_is_refused_leaves_the_batch_half_done_and_whole(void **state)
{
    (void)state;
    bp_test_alloc alloc = {0};
    bp_scalable_bloom_config cfg = plain;
    cfg.alloc = bp_test_allocator(&alloc);
    bp_scalable_bloom *s = scalable_make_test(cfg), *want = scalable_make_test(plain);
    size_t done = 0, rest = 0;
    bp_test_keys(0, 1000, key_bytes, keys);
    bp_test_fail(&alloc, 1, true);
    assert_int_equal(bp_scalable_bloom_add_n(s, keys, 1000, flags, &done), BP_NOMEM);
    assert_true(done >= 100 && done < 110);
    bp_test_fail(&alloc, 0, false);
    assert_int_equal(
        bp_scalable_bloom_add_n(s, keys + done, 1000 - done, flags + done, &rest), BP_OK);
    assert_int_equal(rest, 1000 - done);
    assert_int_equal(bp_scalable_bloom_add_n(want, keys, 1000, other_flags, NULL), BP_OK);
    assert_memory_equal(flags, other_flags, 1000);
    bp_buf a = bp_encoded((bp_any *)s), b = bp_encoded((bp_any *)want);
    assert_true(bp_buf_equal(a, b));
    assert_int_equal(figure(s, "memory")->whole, alloc.live);
    bp_buf_free(&a);
    bp_buf_free(&b);
    bp_scalable_bloom_free(s);
    bp_scalable_bloom_free(want);
    bp_test_alloc_done(&alloc);
}

/* --------------------------------------------------------------------------- merging */

static void a_merged_filter_asks_the_layers_of_both(void **state)
{
    (void)state;
    bp_scalable_bloom *a = scalable_make_test(plain), *b = scalable_make_test(plain);
    bp_scalable_bloom_layer l[64];
    bp_estimate e;
    uint64_t first = 1, second = 2, again = 1, strangers = 3;
    scalable_add_random(a, &first, 1000); /* 4 layers each */
    scalable_add_random(b, &second, 800);
    const double both = bp_scalable_bloom_fpr(a) + bp_scalable_bloom_fpr(b);
    assert_int_equal(bp_scalable_bloom_merge(a, b, NULL), BP_OK);
    assert_int_equal(bp_scalable_bloom_layers(a, l, 64), 8);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(l[i].index, i / 2);
    assert_int_equal(scalable_yes_of_random(a, &again, 1000), 1000);
    again = 2;
    assert_int_equal(scalable_yes_of_random(a, &again, 800), 800);
    assert_true(fabs(bp_scalable_bloom_fpr(a) - both) < 0.01 * both);
    /* any overlap is possible: from the largest layer's keys to the sum */
    assert_int_equal(bp_scalable_bloom_estimate(a, 0.999, &e, NULL), BP_OK);
    assert_true(e.lower < 1000 && e.upper > 1800 && fabs(e.value - 1800) < 60);
    assert_int_equal(bp_scalable_bloom_merge(a, b, NULL), BP_OK); /* b is in */
    assert_int_equal(bp_scalable_bloom_layers(a, l, 64), 8);
    scalable_add_random(a, &strangers, 2000);
    assert_true(bp_scalable_bloom_layers(a, l, 64) > 8);
    again = 3;
    assert_int_equal(scalable_yes_of_random(a, &again, 2000), 2000);
    bp_scalable_bloom_free(a);
    bp_scalable_bloom_free(b);
}

static void too_many_layers_are_no_union(void **state)
{
    (void)state;
    const bp_scalable_bloom_config cfg = {
        .items = 10, .growth = 1, .tightening = 0.95, .fpr = 0.2};
    bp_scalable_bloom *a = scalable_make_test(cfg), *b = scalable_make_test(cfg);
    uint64_t first = 1, second = 2;
    bp_detail why;
    scalable_add_random(a, &first, 400);
    scalable_add_random(b, &second, 400);
    bp_buf before = bp_encoded((bp_any *)a);
    assert_int_equal(bp_scalable_bloom_merge(a, b, &why), BP_FULL);
    assert_true(why.have > 64 && why.want == 64);
    bp_buf after = bp_encoded((bp_any *)a);
    assert_true(bp_buf_equal(before, after));
    bp_buf_free(&before);
    bp_buf_free(&after);
    bp_scalable_bloom_free(a);
    bp_scalable_bloom_free(b);
}

static void filters_of_other_series_are_refused_with_both_values(void **state)
{
    (void)state;
    const bp_scalable_bloom_config other[] = {
        {.items = 101},
        {.items = 100, .fpr = 0.02},
        {.items = 100, .tightening = 0.81},
        {.items = 100, .growth = 3},
        {.items = 100, .layers = 63},
        {.items = 100, .layout = BP_SCALABLE_BLOOM_CLASSIC},
    };
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        bp_scalable_bloom *a = scalable_make_test(plain);
        bp_scalable_bloom *b = scalable_make_test(other[i]);
        bp_detail why;
        assert_int_equal(bp_scalable_bloom_merge(a, b, &why), BP_MISMATCH);
        assert_true(why.have != why.want);
        bp_scalable_bloom_free(a);
        bp_scalable_bloom_free(b);
    }
}

/* ------------------------------------------------------------------------ describing */

static bp_health health(const bp_scalable_bloom *s)
{
    bp_description d;
    bp_scalable_bloom_describe(s, &d);
    assert_int_equal(d.health == BP_HEALTH_OK, d.advice[0] == 0);
    return d.health;
}

static void health_is_near_when_it_may_not_grow_and_over_when_merged(void **state)
{
    (void)state;
    bp_scalable_bloom *s = scalable_make_test(plain);
    bp_scalable_bloom *end =
        scalable_make_test((bp_scalable_bloom_config){.items = 100, .layers = 2});
    uint64_t rng = 6;
    for (int i = 0; i < 20; i++) {
        scalable_add_random(s, &rng, 500);
        assert_int_equal(health(s), BP_HEALTH_OK);
        assert_null(figure(s, "capacity_left"));
    }
    assert_int_equal(figure(end, "capacity_left")->whole, 300);
    scalable_add_random(end, &rng, 250);
    assert_int_equal(health(end), BP_HEALTH_OK);
    scalable_add_random(end, &rng, 40);
    assert_int_equal(health(end), BP_HEALTH_NEAR);
    for (int i = 0; i < 2; i++) {
        bp_scalable_bloom *more = scalable_make_test(plain);
        assert_int_equal(health(s), BP_HEALTH_OK);
        scalable_add_random(more, &rng, 10000);
        assert_int_equal(bp_scalable_bloom_merge(i ? s : more, i ? more : s, NULL),
                         BP_OK);
        assert_int_equal(health(i ? s : more), BP_HEALTH_OVER);
        bp_scalable_bloom_free(more);
    }
    bp_scalable_bloom_free(s);
    bp_scalable_bloom_free(end);
}

static void figures_are_those_of_all_layers(void **state)
{
    (void)state;
    bp_scalable_bloom *s = scalable_make_test(low);
    bp_scalable_bloom_layer l[64];
    uint64_t rng = 6, bits = 0, items = 0;
    double shares = 0;
    const uint64_t fresh = scalable_add_random(s, &rng, 700);
    const size_t n = bp_scalable_bloom_layers(s, l, 64);
    for (size_t i = 0; i < n; i++) {
        bits += l[i].bits;
        items += l[i].items;
        shares += l[i].fpr;
    }
    bp_estimate e;
    assert_int_equal(bp_scalable_bloom_estimate(s, 0.95, &e, NULL), BP_OK);
    assert_true(figure(s, "estimate")->real == e.value);
    assert_true(figure(s, "fpr_now")->real == bp_scalable_bloom_fpr(s));
    assert_true(figure(s, "fpr_layers")->real == shares);
    assert_int_equal(figure(s, "bits")->whole, bits);
    assert_int_equal(figure(s, "capacity")->whole, items);
    assert_int_equal(figure(s, "added")->whole, fresh);
    assert_int_equal(figure(s, "layers")->whole, n);
    assert_true(figure(s, "bits_per_item")->real == (double)bits / (double)fresh);
    bp_scalable_bloom_free(s);
}

/* ---------------------------------------------------------------------------- keyless */

/* Without its key it neither says no nor takes keys; by hashes it grows as with it. */
static void without_its_key_a_scalable_filter_takes_hashes_alone(void **state)
{
    (void)state;
    bp_scalable_bloom *s = scalable_make_test(keyed), *open;
    uint64_t rng = 1, same = 0;
    size_t done = 5;
    bp_test_keys(0, 300, key_bytes, keys);
    assert_int_equal(bp_scalable_bloom_add_n(s, keys, 300, NULL, NULL), BP_OK);
    bp_buf b = bp_encoded((bp_any *)s);
    const bp_open how = {.flags = BP_OPEN_KEYLESS};
    assert_int_equal(bp_scalable_bloom_decode(&open, b.p, b.n, &how, NULL), BP_OK);
    bp_buf_free(&b);
    assert_true(bp_scalable_bloom_has(open, "stranger", 8));
    assert_int_equal(bp_scalable_bloom_has_n(open, keys, 300, flags), 300);
    assert_int_equal(bp_scalable_bloom_add(open, "k", 1, NULL), BP_UNSUPPORTED);
    assert_int_equal(bp_scalable_bloom_add_n(open, keys, 1, NULL, &done), BP_UNSUPPORTED);
    assert_int_equal(done, 0);
    same = rng;
    scalable_add_random(open, &rng, 2000);
    scalable_add_random(s, &same, 2000);
    b = bp_encoded((bp_any *)s);
    bp_buf other = bp_encoded((bp_any *)open);
    assert_true(bp_buf_equal(b, other));
    bp_buf_free(&b);
    bp_buf_free(&other);
    bp_scalable_bloom_free(s);
    bp_scalable_bloom_free(open);
}

/* ------------------------------------------------------------------------- the suite */

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(layers_grow_and_tighten_as_configured),
    cmocka_unit_test(the_formulas_of_all_layers_add_up_to_less_than_was_asked),
    cmocka_unit_test(a_limited_filter_shares_the_whole_rate_out),
    cmocka_unit_test(a_blocked_layer_gives_way_to_a_classic_one_below_its_least_rate),
    cmocka_unit_test(the_series_of_redisbloom_is_that_of_its_replies),
    cmocka_unit_test(the_series_of_redisbloom_agrees_with_floating_point),
    cmocka_unit_test(configurations_out_of_range_are_refused_in_words),
    cmocka_unit_test(every_added_key_is_found_in_whichever_layer),
    cmocka_unit_test(an_empty_scalable_filter_answers_no),
    cmocka_unit_test(what_is_answered_yes_already_is_not_added_again),
    cmocka_unit_test(batches_answer_as_single_calls_across_layers),
    cmocka_unit_test(layers_are_made_when_the_last_is_full_and_a_new_key_comes),
    cmocka_unit_test(a_full_filter_refuses_new_keys_and_loses_nothing),
    cmocka_unit_test(a_series_ends_where_a_hash_can_no_longer_keep_the_rate),
    cmocka_unit_test(memory_that_is_refused_leaves_the_batch_half_done_and_whole),
    cmocka_unit_test(a_merged_filter_asks_the_layers_of_both),
    cmocka_unit_test(too_many_layers_are_no_union),
    cmocka_unit_test(filters_of_other_series_are_refused_with_both_values),
    cmocka_unit_test(health_is_near_when_it_may_not_grow_and_over_when_merged),
    cmocka_unit_test(figures_are_those_of_all_layers),
    cmocka_unit_test(without_its_key_a_scalable_filter_takes_hashes_alone),
    cmocka_unit_test(bytes_of_layers_that_encode_would_not_write_are_refused),
    cmocka_unit_test(a_layer_can_be_cut_out_and_asked_alone),
    cmocka_unit_test(a_view_asks_the_layers_where_they_lie),
    cmocka_unit_test(an_unverified_view_of_any_bits_is_safe),
    cmocka_unit_test(layers_and_bytes_are_those_of_the_vectors),
    cmocka_unit_test(a_thousand_times_the_first_capacity_keeps_the_rate),
    cmocka_unit_test(a_rate_of_layers_three_percent_off_would_be_caught),
    cmocka_unit_test(estimates_of_layers_are_unbiased_and_their_bounds_hold),
    cmocka_unit_test(an_estimate_of_layers_three_percent_off_would_be_caught),
};

const bp_suite bp_suite_scalable_bloom = {
    .name = "scalable_bloom",
    .tests = tests,
    .test_count = sizeof tests / sizeof *tests,
    .samples = samples,
    .sample_count = SAMPLES,
};
