/* SPDX-License-Identifier: MIT
 * counting_bloom_model_test.c - random adds and removes against two models: an exact
 * multiset of keys, and plain counters moved one by one. */
#include "sketches/counting_bloom/counting_bloom_test.h"

#include "keys.h"
#include "parts/probes.h"

#include <stdlib.h>

enum { KEYS = 300, CELLS_MAX = 4096 };

/* The counters as the description says, one at a time: a position that comes twice is
 * left out the second time. */
typedef struct model {
    bp_counting_bloom_config c;
    uint8_t cell[CELLS_MAX];
    uint32_t copies[KEYS]; /* of each key, exactly */
    uint64_t hash[KEYS];
    bool saturated;
} model;

static void model_start(model *m, bp_counting_bloom_config cfg)
{
    memset(m, 0, sizeof *m);
    assert_int_equal(bp_counting_bloom_size(&cfg, &m->c, NULL), BP_OK);
    assert_true(m->c.counters <= CELLS_MAX);
    for (uint64_t i = 0; i < KEYS; i++)
        m->hash[i] = bp_hash_u64(&cfg.hash, bp_test_word(i));
}

/* The different positions of a hash; returns how many. */
static size_t model_positions(const model *m, uint64_t hash, uint64_t *position)
{
    bp_probes w = bp_probes_start(hash);
    size_t n = 0;
    for (uint32_t j = 0; j < m->c.hashes; j++) {
        const uint64_t p = bp_probes_next(&w, m->c.counters);
        size_t i = 0;
        while (i < n && position[i] != p)
            i++;
        position[i] = p;
        n += i == n;
    }
    return n;
}

static unsigned model_least(const model *m, uint64_t hash)
{
    uint64_t position[64];
    const size_t n = model_positions(m, hash, position);
    unsigned least = 15;
    for (size_t i = 0; i < n; i++)
        least = m->cell[position[i]] < least ? m->cell[position[i]] : least;
    return least;
}

/* by = 1 or -1; false for a removal that is refused. */
static bool model_move(model *m, uint64_t hash, int by)
{
    uint64_t position[64];
    const size_t n = model_positions(m, hash, position);
    if (by < 0 && model_least(m, hash) == 0)
        return false;
    for (size_t i = 0; i < n; i++)
        if (m->cell[position[i]] < 15) {
            m->cell[position[i]] = (uint8_t)(m->cell[position[i]] + by);
            m->saturated |= m->cell[position[i]] == 15;
        }
    return true;
}

static void same_counters(const model *m, const bp_counting_bloom *s)
{
    bp_buf b = bp_encoded((const bp_any *)s);
    for (uint64_t i = 0; i < m->c.counters; i++) {
        const unsigned have = b.p[COUNTING_PAYLOAD + i / 2] >> (i % 2 * 4) & 15;
        if (have != m->cell[i])
            fail_msg("counter %u is %u, not %u", (unsigned)i, have, m->cell[i]);
    }
    bp_buf_free(&b);
}

static void same_answers(const model *m, const bp_counting_bloom *s)
{
    const bp_any *any = (const bp_any *)s;
    for (uint64_t i = 0; i < KEYS; i++) {
        uint8_t key[8];
        uint64_t copies = 0;
        bp_test_key(i, key);
        const unsigned least = model_least(m, m->hash[i]);
        const uint64_t bound = least == 15 ? UINT64_MAX : least;
        assert_int_equal(bp_counting_bloom_has(s, key, 8), least != 0);
        assert_true(bp_counting_bloom_count(s, key, 8) == bound);
        assert_int_equal(bp_any_count(any, key, 8, &copies, NULL), BP_OK);
        assert_true(copies == bound);
        if (m->copies[i] > bound)
            fail_msg("key %u: %u copies, bound %u", (unsigned)i, m->copies[i], least);
    }
}

static const bp_counting_bloom_config configs[] = {
    {.items = 200, .fpr = 0.01},    {.items = 30, .fpr = 0.1}, /* overfull */
    {.counters = 37, .hashes = 5},  /* full, nearly everything saturates */
    {.counters = 90, .hashes = 64}, /* every position comes many times   */
    {.counters = 1, .hashes = 1},   {.counters = 601, .hashes = 3, .items = 100},
    {.items = 20, .fpr = 1e-9},
};
enum { CONFIGS = sizeof configs / sizeof *configs };

/* Adds mostly, then takes out mostly, and so on; only what is in is taken out. `hot` keys
 * are dealt with more often, so that they saturate. */
static void random_step(model *m, bp_counting_bloom *s, uint64_t *rng, bool filling)
{
    const uint64_t i = bp_rng_next(rng) % (bp_rng_next(rng) % 8 ? KEYS : 3);
    const bool add = bp_rng_next(rng) % 16 < (filling ? 12 : 3);
    uint8_t key[8];
    bp_test_key(i, key);
    if (add) {
        const bool fresh = model_least(m, m->hash[i]) == 0;
        assert_int_equal(bp_counting_bloom_add(s, key, 8), fresh);
        model_move(m, m->hash[i], 1);
        m->copies[i]++;
    } else if (m->copies[i]) {
        assert_true(bp_counting_bloom_remove(s, key, 8));
        assert_true(model_move(m, m->hash[i], -1));
        m->copies[i]--;
    }
}

void random_adds_and_removes_do_what_plain_counters_do(void **state)
{
    (void)state;
    const int steps = bp_test_quick ? 3000 : 30000;
    for (size_t k = 0; k < CONFIGS; k++) {
        static model m;
        uint64_t rng = 100 + k;
        bp_counting_bloom *s = counting_make(configs[k]);
        model_start(&m, configs[k]);
        for (int step = 0; step < steps; step++) {
            random_step(&m, s, &rng, step / 500 % 2 == 0);
            if (step % 100 == 0) {
                same_counters(&m, s);
                same_answers(&m, s);
            }
        }
        assert_true(m.saturated);
        bp_counting_bloom_free(s);
    }
}

/* Strangers are taken out, too, where they are refused: nothing may change. */
void a_member_is_found_whatever_happens_to_others(void **state)
{
    (void)state;
    static model m;
    const bp_counting_bloom_config cfg = {.items = 200, .fpr = 0.02};
    bp_counting_bloom *s = counting_make(cfg);
    uint64_t rng = 9, refused = 0;
    model_start(&m, cfg);
    for (int step = 0; step < 20000; step++) {
        const uint64_t stranger = bp_rng_next(&rng);
        random_step(&m, s, &rng, step / 300 % 2 == 0);
        if (!bp_counting_bloom_has_hashes(s, &stranger, 1, NULL)) {
            assert_int_equal(bp_counting_bloom_remove_hashes(s, &stranger, 1, NULL), 0);
            refused++;
        }
        for (uint64_t i = 0; i < KEYS && step % 10 == 0; i++)
            if (m.copies[i] && !bp_counting_bloom_has_hashes(s, &m.hash[i], 1, NULL))
                fail_msg("step %d: key %u is in and not found", step, (unsigned)i);
    }
    same_counters(&m, s);
    assert_true(refused > 10000);
    bp_counting_bloom_free(s);
}

void once_removed_keys_leave_no_trace(void **state)
{
    (void)state;
    static uint64_t hashes[KEYS];
    static uint8_t there[KEYS];
    for (size_t k = 0; k < CONFIGS; k++) {
        bp_counting_bloom *s = counting_make(configs[k]),
                          *empty = counting_make(configs[k]);
        const size_t n = k == 0 || k > 4 ? KEYS / 3 : 12; /* so few that none saturates */
        uint64_t rng = k;
        for (size_t i = 0; i < n; i++)
            hashes[i] = bp_rng_next(&rng);
        bp_counting_bloom_add_hashes(s, hashes, n, NULL);
        assert_int_equal(counting_figure(s, "counters_saturated"), 0);
        for (size_t i = 0; i < n / 2; i++) { /* in another order */
            const uint64_t h = hashes[i];
            hashes[i] = hashes[n - 1 - i];
            hashes[n - 1 - i] = h;
        }
        assert_int_equal(bp_counting_bloom_remove_hashes(s, hashes, n, there), n);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(there[i], 1);
        bp_buf a = bp_encoded((bp_any *)s), b = bp_encoded((bp_any *)empty);
        assert_true(bp_buf_equal(a, b));
        bp_buf_free(&a);
        bp_buf_free(&b);
        bp_counting_bloom_free(s);
        bp_counting_bloom_free(empty);
    }
}

/* A filter whose payload is random; its bytes, too. */
static bp_counting_bloom *random_filter(bp_counting_bloom_config cfg, uint64_t *rng,
                                        bp_buf *bytes)
{
    bp_counting_bloom *s = counting_make(cfg);
    *bytes = bp_encoded((bp_any *)s);
    for (size_t i = 0; i < cfg.counters / 2; i++)
        bytes->p[COUNTING_PAYLOAD + i] = (uint8_t)bp_rng_next(rng);
    bp_repair(bytes->p, bytes->n);
    bp_counting_bloom_free(s);
    assert_int_equal(bp_counting_bloom_decode(&s, bytes->p, bytes->n, NULL, NULL), BP_OK);
    return s;
}

void a_merge_adds_every_counter_up_to_15(void **state)
{
    (void)state;
    const bp_counting_bloom_config cfg = {.counters = 4096, .hashes = 3};
    uint64_t rng = 1;
    bp_buf x, y;
    bp_counting_bloom *a = random_filter(cfg, &rng, &x),
                      *b = random_filter(cfg, &rng, &y);
    assert_int_equal(bp_counting_bloom_merge(a, b, NULL), BP_OK);
    bp_buf sum = bp_encoded((bp_any *)a);
    uint64_t used = 0, saturated = 0;
    for (size_t i = 2 * COUNTING_PAYLOAD; i < 2 * COUNTING_PAYLOAD + cfg.counters; i++) {
        const unsigned shift = i % 2 * 4;
        const unsigned want = (x.p[i / 2] >> shift & 15u) + (y.p[i / 2] >> shift & 15u);
        const unsigned have = sum.p[i / 2] >> shift & 15u;
        assert_int_equal(have, want < 15 ? want : 15);
        used += have != 0;
        saturated += have == 15;
    }
    assert_int_equal(counting_figure(a, "counters_used"), used);
    assert_int_equal(counting_figure(a, "counters_saturated"), saturated);
    bp_buf_free(&x);
    bp_buf_free(&y);
    bp_buf_free(&sum);
    bp_counting_bloom_free(a);
    bp_counting_bloom_free(b);
}

/* Positions and sizes are a bloom's, so that what was taken out must be as if it had
 * never been: the same yes and no to any stranger, the same estimate, the same rate. */
void it_answers_as_the_bloom_of_the_keys_that_are_still_in(void **state)
{
    (void)state;
    enum { IN = 5000, OUT = 5000, ASKED = 100000 };
    static uint64_t hashes[ASKED];
    static uint8_t mine[ASKED], theirs[ASKED];
    for (uint32_t k = 1; k <= 20; k += k < 8 ? 1 : 6) {
        const bp_counting_bloom_config cfg = {
            .items = IN, .counters = 50001, .hashes = k};
        const bp_bloom_config as = {.items = IN, .bits = 50001, .hashes = k};
        bp_counting_bloom *s = counting_make(cfg);
        bp_bloom *bloom;
        bp_estimate a, b;
        uint64_t rng = k;
        assert_int_equal(bp_bloom_new(&bloom, &as, NULL), BP_OK);
        for (size_t i = 0; i < ASKED; i++)
            hashes[i] = bp_rng_next(&rng);
        bp_counting_bloom_add_hashes(s, hashes, IN + OUT, NULL);
        bp_counting_bloom_remove_hashes(s, hashes + IN, OUT, NULL);
        bp_bloom_add_hashes(bloom, hashes, IN, NULL);
        assert_int_equal(bp_counting_bloom_has_hashes(s, hashes, ASKED, mine),
                         bp_bloom_has_hashes(bloom, hashes, ASKED, theirs));
        assert_memory_equal(mine, theirs, ASKED);
        assert_int_equal(bp_counting_bloom_estimate(s, 0.9, &a, NULL), BP_OK);
        assert_int_equal(bp_bloom_estimate(bloom, 0.9, &b, NULL), BP_OK);
        assert_memory_equal(&a, &b, sizeof a);
        assert_true(bp_counting_bloom_fpr(s) == bp_bloom_fpr(bloom));
        bp_counting_bloom_free(s);
        bp_bloom_free(bloom);
    }
}
