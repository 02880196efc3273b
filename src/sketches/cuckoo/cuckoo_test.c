/* SPDX-License-Identifier: MIT
 * cuckoo_test.c - what a filter answers while keys come and go, when it is full, its
 * merges and bytes, and the suite's list. */
#include "sketches/cuckoo/cuckoo_test.h"

#include "keys.h"
#include "oom/oom.h"
#include "vectors/vectors.h"

#include <stdlib.h>

static const bp_cuckoo_config plain = {.items = 1000, .fpr = 0.01};
static const bp_cuckoo_config eight = {.items = 1000, .bits = 8};
static const bp_cuckoo_config sixteen = {.items = 1000, .fpr = 0.001};
static const bp_cuckoo_config near = {.items = 34000, .bits = 8};
static const bp_cuckoo_config in_memory = {.memory = 1999, .bits = 12};
static const bp_cuckoo_config seeded = {.hash = {.seed = 42}, .items = 1000, .bits = 16};
static const bp_cuckoo_config keyed = {
    .hash = {.id = BP_HASH_SIPHASH24, .key = "0123456789abcdef"}, .items = 1000};

static const bp_sample samples[] = {
    {"plain", &plain, {1, 10, 300}},  {"eight", &eight, {2, 300}},
    {"sixteen", &sixteen, {5, 300}},  {"near", &near, {300}},
    {"in_memory", &in_memory, {100}}, {"seeded", &seeded, {200}},
    {"keyed", &keyed, {200}},
};

enum { SAMPLES = sizeof samples / sizeof *samples };

static const bp_cuckoo_config *sample(size_t i)
{
    return (const bp_cuckoo_config *)samples[i].config;
}

bp_cuckoo *cuckoo_make(bp_cuckoo_config cfg)
{
    bp_cuckoo *s;
    bp_detail why = {BP_OK, "", 0, 0, 0};
    if (bp_cuckoo_new(&s, &cfg, &why))
        fail_msg("new: %s", why.what);
    return s;
}

uint64_t *cuckoo_random(uint64_t *state, size_t n)
{
    uint64_t *h = malloc(sizeof *h * (n + 1));
    assert_non_null(h);
    for (size_t i = 0; i < n; i++)
        h[i] = bp_rng_next(state);
    return h;
}

uint64_t cuckoo_yes_of_random(const bp_cuckoo *s, uint64_t *state, uint64_t n)
{
    uint64_t hashes[4096], sum = 0;
    while (n > 0) {
        const size_t m = n < 4096 ? (size_t)n : 4096;
        for (size_t i = 0; i < m; i++)
            hashes[i] = bp_rng_next(state);
        sum += bp_cuckoo_has_hashes(s, hashes, m, NULL);
        n -= m;
    }
    return sum;
}

uint64_t cuckoo_figure(const bp_cuckoo *s, const char *name)
{
    bp_description d;
    bp_cuckoo_describe(s, &d);
    for (size_t i = 0; i < d.count; i++)
        if (strcmp(d.figures[i].name, name) == 0)
            return d.figures[i].whole;
    fail_msg("no figure %s", name);
    return 0;
}

bp_health cuckoo_health(const bp_cuckoo *s)
{
    bp_description d;
    bp_cuckoo_describe(s, &d);
    return d.health;
}

static double items_in(const bp_cuckoo *s)
{
    bp_estimate e;
    assert_int_equal(bp_cuckoo_estimate(s, 0.95, &e, NULL), BP_OK);
    assert_true(e.lower == e.value && e.value == e.upper);
    return e.value;
}

static void same_bytes(const bp_cuckoo *a, const bp_cuckoo *b)
{
    bp_buf x = bp_encoded((const bp_any *)a), y = bp_encoded((const bp_any *)b);
    assert_true(bp_buf_equal(x, y));
    bp_buf_free(&x);
    bp_buf_free(&y);
}

/* -------------------------------------------------------------------------- questions */

/* n keys in, half of ASK keys asked for; every call must say the same. The large ones are
 * fetched ahead. */
static void compare_calls(const bp_cuckoo_config *cfg, uint64_t n)
{
    enum { ASK = 1001 };
    static uint8_t bytes[ASK][8], hit[ASK], by_hash[ASK];
    static bp_bytes keys[ASK];
    static uint64_t hashes[ASK];
    bp_cuckoo_config c = *cfg;
    c.memory = 0;
    c.items = n;
    bp_cuckoo *s = cuckoo_make(c);
    assert_int_equal(bp_add_range((bp_any *)s, 0, (size_t)n), BP_OK);
    assert_true(items_in(s) == (double)n);
    const uint64_t first = n > ASK / 2 ? n - ASK / 2 : 0;
    bp_test_keys(first, ASK, bytes, keys);
    bp_hash_n(&c.hash, keys, ASK, hashes);
    const size_t yes = bp_cuckoo_has_n(s, keys, ASK, hit);
    assert_int_equal(bp_cuckoo_has_hashes(s, hashes, ASK, by_hash), yes);
    assert_memory_equal(hit, by_hash, ASK);
    assert_int_equal(bp_cuckoo_has_n(s, keys, ASK, NULL), yes);
    size_t sum = 0;
    for (size_t i = 0; i < ASK; i++) {
        const bool is = bp_cuckoo_has(s, bytes[i], 8);
        assert_int_equal(is, hit[i]);
        assert_int_equal(is, bp_cuckoo_has_hashes(s, &hashes[i], 1, NULL));
        assert_int_equal(is, bp_cuckoo_count(s, bytes[i], 8) > 0);
        assert_true(is || first + i >= n);
        sum += is;
    }
    assert_int_equal(sum, yes);
    bp_cuckoo_free(s);
}

static void every_key_is_found_by_every_call(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 2, 8, 9, 700, 40000, 600000, 1100000};
    for (size_t i = 0; i < SAMPLES; i++)
        for (size_t j = 0; j < 8 - 2 * (size_t)bp_test_quick; j++)
            compare_calls(sample(i), sizes[j]);
}

static void an_empty_filter_answers_no(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_cuckoo *s = cuckoo_make(*sample(i));
        assert_int_equal(cuckoo_yes_of_random(s, &seed, 10000), 0);
        assert_false(bp_cuckoo_has(s, NULL, 0) || bp_cuckoo_remove(s, NULL, 0));
        assert_int_equal(bp_cuckoo_count(s, "a", 1), 0);
        assert_true(bp_cuckoo_fpr(s) == 0 && items_in(s) == 0);
        bp_cuckoo_free(s);
    }
}

/* ------------------------------------------------------------------------------- adding
 */

static void a_batch_adds_what_single_calls_add_up_to_the_refusal(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {30, 2000, 40000, 700000};
    for (size_t i = 0; i < SAMPLES; i++)
        for (size_t j = 0; j < 4 - (size_t)bp_test_quick; j++) {
            bp_cuckoo_config c = *sample(i);
            c.memory = 0;
            c.items = sizes[j];
            bp_cuckoo *one = cuckoo_make(c), *all = cuckoo_make(c);
            uint64_t seed = j;
            const size_t n = (size_t)sizes[j] * 11 / 10 + 64;
            uint64_t *h = cuckoo_random(&seed, n);
            uint8_t *was_new = malloc(n);
            size_t done = 7, k = 0;
            uint8_t flag = 7;
            assert_non_null(was_new);
            assert_int_equal(bp_cuckoo_add_hashes(all, h, n, was_new, &done, NULL),
                             BP_FULL);
            while (bp_cuckoo_add_hashes(one, h + k, 1, &flag, NULL, NULL) == BP_OK)
                assert_int_equal(flag, was_new[k++]);
            assert_int_equal(k, done);
            same_bytes(one, all);
            bp_cuckoo_free(one);
            bp_cuckoo_free(all);
            free(was_new);
            free(h);
        }
}

/* Until one is refused, and then some more: all that was taken is found, the bytes stay,
 * and what is removed makes room again. */
static void a_full_filter_has_lost_nothing(void **state)
{
    (void)state;
    static const bp_cuckoo_config small[] = {
        {.items = 8, .bits = 16},   {.items = 40, .bits = 8},
        {.items = 100, .bits = 12}, {.items = 300, .bits = 16},
        {.items = 1000, .bits = 8}, {.items = 1000, .bits = 12},
    };
    for (uint64_t seed = 0; seed < (bp_test_quick ? 60 : 1000); seed++) {
        bp_cuckoo *s = cuckoo_make(small[seed % 6]), *was;
        uint64_t rng = seed;
        uint64_t *h = cuckoo_random(&rng, 1300);
        size_t n = 0;
        bp_detail why;
        assert_int_equal(bp_cuckoo_add_hashes(s, h, 1300, NULL, &n, &why), BP_FULL);
        assert_true(n >= small[seed % 6].items && items_in(s) == (double)n);
        assert_int_equal(bp_cuckoo_has_hashes(s, h, n, NULL), n);
        assert_int_equal(cuckoo_health(s),
                         n > why.want ? BP_HEALTH_OVER : BP_HEALTH_NEAR);
        assert_int_equal(bp_cuckoo_clone(&was, s, NULL), BP_OK);
        assert_int_equal(bp_cuckoo_add_hashes(s, h + n, 1, NULL, NULL, NULL), BP_FULL);
        assert_int_equal(cuckoo_figure(s, "failed_adds"), 2);
        const bp_object *a = (const bp_object *)s, *b = (const bp_object *)was;
        assert_memory_equal(a->cells, b->cells, a->cells_size);
        assert_int_equal(bp_cuckoo_remove_hashes(s, h, n / 4, NULL), n / 4);
        assert_int_equal(bp_cuckoo_add_hashes(s, h + n, 1, NULL, NULL, NULL), BP_OK);
        const size_t left = n + 1 - n / 4;
        assert_int_equal(bp_cuckoo_has_hashes(s, h + n / 4, left, NULL), left);
        bp_cuckoo_free(s);
        bp_cuckoo_free(was);
        free(h);
    }
}

static void a_key_has_at_most_eight_copies(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_cuckoo *s = cuckoo_make(*sample(i));
        bp_detail why = {BP_OK, "", 0, 0, 0};
        for (uint64_t n = 0; n < 8; n++) {
            assert_int_equal(bp_cuckoo_count(s, "key", 3), n);
            assert_int_equal(bp_cuckoo_add(s, "key", 3, NULL), BP_OK);
        }
        assert_int_equal(bp_cuckoo_add(s, "key", 3, &why), BP_FULL);
        assert_string_equal(why.what,
                            "a key has room for 8 copies, and this one has them");
        assert_int_equal(bp_cuckoo_count(s, "key", 3), 8);
        for (uint64_t n = 8; n > 0; n--) {
            assert_true(bp_cuckoo_has(s, "key", 3));
            assert_true(bp_cuckoo_remove(s, "key", 3));
            assert_int_equal(bp_cuckoo_count(s, "key", 3), n - 1);
        }
        assert_false(bp_cuckoo_remove(s, "key", 3));
        assert_true(items_in(s) == 0);
        bp_cuckoo_free(s);
    }
}

static void add_once_adds_only_what_is_not_in(void **state)
{
    (void)state;
    enum { N = 900 };
    static uint8_t bytes[N][8], was_new[N];
    static bp_bytes keys[N];
    bp_test_keys(0, N, bytes, keys);
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_cuckoo *s = cuckoo_make(*sample(i)), *one = cuckoo_make(*sample(i));
        size_t done = 0, fresh = 0;
        bool is_new = false;
        assert_int_equal(bp_cuckoo_add_once_n(s, keys, N, was_new, &done, NULL), BP_OK);
        assert_int_equal(done, N);
        for (size_t j = 0; j < N; j++) {
            assert_int_equal(bp_cuckoo_add_once(one, bytes[j], 8, &is_new, NULL), BP_OK);
            assert_int_equal(is_new, was_new[j]);
            fresh += is_new;
        }
        same_bytes(s, one);
        assert_true(items_in(s) == (double)fresh && fresh > N - N / 20);
        assert_int_equal(bp_cuckoo_add_once_n(s, keys, N, was_new, NULL, NULL), BP_OK);
        for (size_t j = 0; j < N; j++)
            assert_int_equal(was_new[j], 0);
        same_bytes(s, one);
        bp_cuckoo_free(s);
        bp_cuckoo_free(one);
    }
}

/* --------------------------------------------------- keys that come and go, by a model
 */

enum { MODEL_KEYS = 1200 };

typedef struct model {
    bp_cuckoo *s;
    uint64_t *hashes;
    uint8_t copies[MODEL_KEYS];
    size_t all;
} model;

static void model_add(model *m, size_t i)
{
    uint8_t was_new = 7;
    const uint64_t had = bp_cuckoo_has_hashes(m->s, &m->hashes[i], 1, NULL);
    if (bp_cuckoo_add_hashes(m->s, &m->hashes[i], 1, &was_new, NULL, NULL))
        return;
    assert_int_equal(was_new, !had);
    m->copies[i]++;
    m->all++;
}

static void model_remove(model *m, size_t i)
{
    if (!m->copies[i])
        return; /* never what is not in */
    assert_int_equal(bp_cuckoo_remove_hashes(m->s, &m->hashes[i], 1, NULL), 1);
    m->copies[i]--;
    m->all--;
}

static uint64_t copies_of(const bp_cuckoo *s, uint64_t hash)
{
    const bp_object *o = (const bp_object *)s;
    return o->kind->count_hash(o, hash);
}

static void model_check(const model *m)
{
    assert_true(items_in(m->s) == (double)m->all);
    for (size_t i = 0; i < MODEL_KEYS; i++) {
        const uint64_t n = copies_of(m->s, m->hashes[i]);
        if (n < m->copies[i])
            fail_msg("key %zu is in %d times, counted %d", i, m->copies[i], (int)n);
        assert_int_equal(bp_cuckoo_has_hashes(m->s, &m->hashes[i], 1, NULL), n > 0);
    }
}

/* Phases of mostly adding, to the brim, and mostly removing; batches are single calls of
 * another length (a test above), so that single calls are enough. */
static void no_key_is_lost_while_keys_come_and_go(void **state)
{
    (void)state;
    static const bp_cuckoo_config shapes[] = {{.items = 1000, .bits = 8},
                                              {.items = 1000, .bits = 12},
                                              {.items = 1000, .bits = 16},
                                              {.items = 30, .bits = 8}};
    for (uint64_t seed = 0; seed < (bp_test_quick ? 4 : 40); seed++) {
        uint64_t rng = seed;
        model m = {.s = cuckoo_make(shapes[seed % 4])};
        m.hashes = cuckoo_random(&rng, MODEL_KEYS);
        for (int phase = 0; phase < 12; phase++) {
            for (int i = 0; i < 4000; i++) {
                const uint64_t r = bp_rng_next(&rng);
                const size_t key = (size_t)bp_range(r, MODEL_KEYS);
                if ((r & 7) < (phase % 2 ? 2u : 6u))
                    model_add(&m, key);
                else
                    model_remove(&m, key);
            }
            model_check(&m);
        }
        for (size_t i = 0; i < MODEL_KEYS; i++)
            while (m.copies[i])
                model_remove(&m, i);
        const bp_object *o = (const bp_object *)m.s;
        for (size_t i = 0; i < o->cells_size; i++)
            assert_int_equal(o->cells[i], 0);
        bp_cuckoo_free(m.s);
        free(m.hashes);
    }
}

static void removing_a_batch_says_what_was_there(void **state)
{
    (void)state;
    enum { N = 600 };
    static uint8_t bytes[2 * N][8], was[2 * N];
    static bp_bytes keys[2 * N];
    bp_test_keys(0, 2 * N, bytes, keys);
    for (size_t i = 0; i < SAMPLES; i++) {
        bp_cuckoo *s = cuckoo_make(*sample(i));
        size_t sum = 0;
        assert_int_equal(bp_cuckoo_add_n(s, keys, N, NULL, NULL, NULL), BP_OK);
        assert_int_equal(bp_cuckoo_remove_n(s, keys, N / 2, was), N / 2);
        for (size_t j = 0; j < N / 2; j++)
            sum += was[j];
        assert_int_equal(sum, N / 2);
        assert_int_equal(bp_cuckoo_has_n(s, keys + N / 2, N / 2, NULL), N / 2);
        assert_int_equal(bp_cuckoo_remove_n(s, keys + N / 2, N / 2, NULL), N / 2);
        assert_true(items_in(s) == 0);
        assert_int_equal(bp_cuckoo_remove_n(s, keys, 2 * N, was), 0);
        assert_int_equal(was[0] + was[2 * N - 1], 0);
        bp_cuckoo_free(s);
    }
}

/* ------------------------------------------------------------------------------ merging
 */

static void a_merge_holds_the_copies_of_both(void **state)
{
    (void)state;
    static const bp_cuckoo_config shapes[] = {{.items = 1000, .bits = 8},
                                              {.items = 40000, .bits = 12},
                                              {.items = 1200000, .bits = 16}};
    for (size_t i = 0; i < 3 - (size_t)bp_test_quick; i++) {
        const size_t n = (size_t)shapes[i].items;
        uint64_t seed = i;
        uint64_t *h = cuckoo_random(&seed, n);
        bp_cuckoo *a = cuckoo_make(shapes[i]), *b = cuckoo_make(shapes[i]);
        assert_int_equal(bp_cuckoo_add_hashes(a, h, n / 3, NULL, NULL, NULL), BP_OK);
        assert_int_equal(bp_cuckoo_add_hashes(b, h + n / 3, n - n / 3, NULL, NULL, NULL),
                         BP_OK);
        assert_int_equal(bp_cuckoo_merge(a, b, NULL), BP_OK);
        assert_true(items_in(a) == (double)n);
        assert_int_equal(bp_cuckoo_has_hashes(a, h, n, NULL), n);
        assert_int_equal(bp_cuckoo_remove_hashes(a, h, n, NULL), n);
        assert_true(items_in(a) == 0);
        bp_cuckoo_free(a);
        bp_cuckoo_free(b);
        free(h);
    }
}

static void a_merge_of_too_many_changes_nothing(void **state)
{
    (void)state;
    bp_cuckoo *a = cuckoo_make(plain), *b = cuckoo_make(plain), *was;
    bp_detail why = {BP_OK, "", 0, 0, 0};
    assert_int_equal(bp_add_range((bp_any *)a, 0, 700), BP_OK);
    assert_int_equal(bp_add_range((bp_any *)b, 700, 700), BP_OK);
    assert_int_equal(bp_cuckoo_clone(&was, a, NULL), BP_OK);
    assert_int_equal(bp_cuckoo_merge(a, b, &why), BP_FULL);
    assert_true(why.have == 1400 && why.want == 1000);
    same_bytes(a, was);
    bp_cuckoo_free(a);
    bp_cuckoo_free(b);
    bp_cuckoo_free(was);
}

static void filters_of_other_shapes_are_not_merged(void **state)
{
    (void)state;
    static const bp_cuckoo_config other[] = {{.items = 1001, .bits = 12},
                                             {.items = 1000, .bits = 16}};
    for (size_t i = 0; i < 2; i++) {
        bp_cuckoo *a = cuckoo_make(plain), *b = cuckoo_make(other[i]);
        bp_detail why = {BP_OK, "", 0, 0, 0};
        assert_int_equal(bp_cuckoo_merge(a, b, &why), BP_MISMATCH);
        assert_true(why.have != why.want);
        bp_cuckoo_free(a);
        bp_cuckoo_free(b);
    }
}

/* ------------------------------------------------------------------------------ bytes */

enum { PARAMS = 56, PAYLOAD = 128 };

static bp_status opened(bp_buf b, bp_detail *why)
{
    bp_cuckoo *s;
    bp_repair(b.p, b.n);
    const bp_status st = bp_cuckoo_decode(&s, b.p, b.n, NULL, why);
    bp_cuckoo_free(s);
    return st;
}

static void bytes_that_encode_would_not_write_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t at, width;
        uint64_t value;
        uint64_t blamed;
        const char *what;
    } row[] = {
        {PARAMS, 8, 0, PARAMS, "items must be 1 to 2^40"},
        {PARAMS, 8, UINT64_MAX, PARAMS, "items must be 1 to 2^40"},
        {PARAMS, 8, 2000, PARAMS + 16, "not the length of chunks for so many items"},
        {PARAMS + 8, 8, 0, PARAMS + 8, "not the number of chunks for so many items"},
        {PARAMS + 8, 8, 2, PARAMS + 8, "not the number of chunks for so many items"},
        {PARAMS + 16, 4, 1, PARAMS + 16, "not the length of chunks for so many items"},
        {PARAMS + 20, 4, 10, PARAMS + 20, "tags have 8, 12 or 16 bits"},
        {PARAMS + 20, 4, 8, PARAMS, "the payload is not as long as the slots take"},
        {PARAMS + 24, 8, 1, PAYLOAD, "not as many tags as the header says"},
        {PARAMS + 24, 8, UINT64_MAX, PARAMS + 24, "more tags than slots"},
        {PAYLOAD + 600, 2, 0x10, PAYLOAD, "not as many tags as the header says"},
        {PAYLOAD + 600, 2, 0x1000, PAYLOAD + 600, "an empty slot before a tag"},
        {PAYLOAD + 1638, 1, 1, PAYLOAD + 1638, "a padding byte is not zero"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        bp_cuckoo *s = cuckoo_make(plain);
        bp_buf b = bp_encoded((bp_any *)s);
        bp_detail why = {BP_OK, "", 0, 0, 0};
        uint8_t word[8];
        bp_cuckoo_free(s);
        assert_int_equal(opened(b, &why), BP_OK);
        bp_store64(word, row[i].value);
        memcpy(b.p + row[i].at, word, row[i].width);
        if (opened(b, &why) != BP_CORRUPT)
            fail_msg("row %zu is taken", i);
        assert_string_equal(why.what, row[i].what);
        assert_int_equal(why.at, row[i].blamed);
        bp_buf_free(&b);
    }
}

/* Every call on a filter whose bytes nobody verified: any payload, at any address. */
static void unverified_bytes_are_safe(void **state)
{
    (void)state;
    uint64_t rng = 9;
    for (size_t i = 0; i < SAMPLES; i++)
        for (int mask = 0; mask < 4; mask++) {
            bp_cuckoo *made = cuckoo_make(*sample(i)), *copy;
            bp_buf b = bp_encoded((bp_any *)made);
            uint8_t *moved = malloc(b.n + 1);
            assert_non_null(moved);
            memcpy(moved + 1, b.p, b.n);
            for (size_t j = PAYLOAD; j < b.n; j++)
                moved[1 + j] = (uint8_t)(mask ? bp_rng_next(&rng) & bp_rng_next(&rng) &
                                                    (uint64_t)(0x0F0F55FFu >> 8 * mask)
                                              : 0xFF);
            const bp_cuckoo *s;
            const bp_open how = {.key = sample(i)->hash.id ? sample(i)->hash.key : NULL};
            assert_int_equal(bp_cuckoo_view(&s, moved + 1, b.n, &how, NULL), BP_OK);
            uint64_t *h = cuckoo_random(&rng, 2000);
            uint64_t sum = bp_cuckoo_has_hashes(s, h, 2000, NULL);
            for (size_t j = 0; j < 100; j++)
                sum += bp_cuckoo_count(s, h + j, 8);
            assert_true(sum <= 2800);
            assert_int_equal(bp_cuckoo_clone(&copy, s, NULL), BP_OK);
            (void)bp_cuckoo_merge(made, s, NULL);
            for (size_t j = 0; j < 2000; j++) {
                (void)bp_cuckoo_add_hashes(copy, h + j, 1, NULL, NULL, NULL);
                (void)bp_cuckoo_remove_hashes(copy, h + j / 2, 1, NULL);
            }
            (void)cuckoo_health(copy);
            bp_cuckoo_free(s);
            bp_cuckoo_free(copy);
            bp_cuckoo_free(made);
            bp_buf_free(&b);
            free(moved);
            free(h);
        }
}

static void without_its_key_a_filter_says_yes_and_takes_hashes_alone(void **state)
{
    (void)state;
    bp_cuckoo *made = cuckoo_make(keyed), *s;
    const bp_open how = {.flags = BP_OPEN_KEYLESS};
    const bp_bytes two[2] = {{"a", 1}, {"b", 1}};
    uint8_t flag[2] = {7, 7};
    bool is_new = true;
    assert_int_equal(bp_add_range((bp_any *)made, 0, 100), BP_OK);
    bp_buf b = bp_encoded((bp_any *)made);
    assert_int_equal(bp_cuckoo_decode(&s, b.p, b.n, &how, NULL), BP_OK);
    assert_true(bp_cuckoo_has(s, "a", 1));
    assert_int_equal(bp_cuckoo_has_n(s, two, 2, flag), 2);
    assert_int_equal(flag[0] + flag[1], 2);
    assert_int_equal(bp_cuckoo_count(s, "a", 1), 8);
    assert_int_equal(bp_cuckoo_add(s, "a", 1, NULL), BP_UNSUPPORTED);
    assert_int_equal(bp_cuckoo_add_once(s, "a", 1, &is_new, NULL), BP_UNSUPPORTED);
    assert_int_equal(bp_cuckoo_add_n(s, two, 2, NULL, NULL, NULL), BP_UNSUPPORTED);
    assert_false(bp_cuckoo_remove(s, "a", 1));
    assert_int_equal(bp_cuckoo_remove_n(s, two, 2, flag), 0);
    assert_int_equal(flag[0] + flag[1], 0);
    same_bytes(s, made);
    const uint64_t hash = bp_hash(&keyed.hash, "a", 1); /* made with the key elsewhere */
    assert_int_equal(bp_cuckoo_add_hashes(s, &hash, 1, NULL, NULL, NULL), BP_OK);
    assert_int_equal(bp_cuckoo_merge(made, s, NULL), BP_OK);
    assert_true(bp_cuckoo_has(made, "a", 1));
    bp_cuckoo_free(made);
    bp_cuckoo_free(s);
    bp_buf_free(&b);
}

/* ---------------------------------------------------------------------------- vectors */

static void configure(const json_t *json, void *cfg)
{
    bp_cuckoo_config *c = (bp_cuckoo_config *)cfg;
    c->items = bp_json_whole_or(json, "items", 0);
    c->bits = (uint32_t)bp_json_whole_or(json, "bits", 0);
}

static uint32_t first_slot(bp_buf b, uint64_t bucket, uint32_t bits)
{
    return bp_load32(b.p + PAYLOAD + bucket * (bits / 2)) & ((1u << bits) - 1);
}

/* Added twice to an empty filter, a hash has its tag in both of its buckets, and nothing
 * else is there; added once, in the first. */
static void positions(const bp_any *s, uint64_t hash, const json_t *expected)
{
    bp_cuckoo_config c;
    bp_any_config_of(s, &c);
    c.alloc = (bp_alloc){0};
    bp_cuckoo *only = cuckoo_make(c);
    const uint32_t tag = (uint32_t)bp_json_number(json_array_get(expected, 0));
    const uint64_t first = bp_json_number(json_array_get(expected, 1));
    const uint64_t second = bp_json_number(json_array_get(expected, 2));
    for (int twice = 0; twice < 2; twice++) {
        assert_int_equal(bp_cuckoo_add_hashes(only, &hash, 1, NULL, NULL, NULL), BP_OK);
        bp_buf b = bp_encoded((bp_any *)only);
        assert_int_equal(first_slot(b, first, c.bits), tag);
        assert_int_equal(first_slot(b, second, c.bits), twice ? tag : 0);
        bp_buf_free(&b);
    }
    assert_int_equal(copies_of(only, hash), 2);
    bp_cuckoo_free(only);
}

static void tags_buckets_and_bytes_are_those_of_the_vectors(void **state)
{
    (void)state;
    bp_vectors_check("cuckoo", configure, positions);
}

/* ------------------------------------------------------------------------- the suite */

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_key_is_found_by_every_call),
    cmocka_unit_test(an_empty_filter_answers_no),
    cmocka_unit_test(a_batch_adds_what_single_calls_add_up_to_the_refusal),
    cmocka_unit_test(a_full_filter_has_lost_nothing),
    cmocka_unit_test(a_key_has_at_most_eight_copies),
    cmocka_unit_test(add_once_adds_only_what_is_not_in),
    cmocka_unit_test(no_key_is_lost_while_keys_come_and_go),
    cmocka_unit_test(removing_a_batch_says_what_was_there),
    cmocka_unit_test(a_merge_holds_the_copies_of_both),
    cmocka_unit_test(a_merge_of_too_many_changes_nothing),
    cmocka_unit_test(filters_of_other_shapes_are_not_merged),
    cmocka_unit_test(bytes_that_encode_would_not_write_are_refused),
    cmocka_unit_test(unverified_bytes_are_safe),
    cmocka_unit_test(without_its_key_a_filter_says_yes_and_takes_hashes_alone),
    cmocka_unit_test(tags_buckets_and_bytes_are_those_of_the_vectors),
    cmocka_unit_test(each_number_given_is_a_limit_that_holds),
    cmocka_unit_test(cuckoo_size_and_config_of_make_the_same_filter_again),
    cmocka_unit_test(what_cannot_be_had_is_refused_with_the_mend),
    cmocka_unit_test(bits_an_item_are_those_that_are_stated),
    cmocka_unit_test(cuckoo_strangers_are_taken_for_keys_at_the_stated_rate),
    cmocka_unit_test(a_cuckoo_rate_three_percent_off_would_be_caught),
    cmocka_unit_test(capacity_is_reached_without_a_refusal),
    cmocka_unit_test(the_first_refusal_comes_at_the_measured_load),
    cmocka_unit_test(filters_beyond_two_to_the_32_slots_are_right),
};

const bp_suite bp_suite_cuckoo = {
    .name = "cuckoo",
    .tests = tests,
    .test_count = sizeof tests / sizeof *tests,
    .samples = samples,
    .sample_count = SAMPLES,
};
