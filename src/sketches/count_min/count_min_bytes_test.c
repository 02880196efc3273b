/* SPDX-License-Identifier: MIT
 * count_min_bytes_test.c - a Count-Min sketch in bytes, in other memory, and under many
 * threads. */
#include "sketches/count_min/count_min_test.h"

#include "keys.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* --------------------------------------------------------------------------- threads */

enum { THREADS = 4, EACH = 20000 };

typedef struct worker {
    bp_count_min *s;
    uint64_t first;
    uint64_t weight;
    pthread_t thread;
} worker;

static void *work(void *arg)
{
    const worker *w = (const worker *)arg;
    uint64_t hashes[100], by[100], counts[100];
    for (uint64_t i = 0; i < EACH; i += 100) {
        for (uint64_t k = 0; k < 100; k++) {
            hashes[k] = bp_test_word((w->first + i + k) % 3000);
            by[k] = w->weight + k % 2;
        }
        bp_count_min_add_hashes(w->s, hashes, 100, by, counts);
        count_min_add_u64(w->s, i, w->weight);
        (void)bp_count_min_total(w->s);
    }
    return NULL;
}

/* What readers see meanwhile: an encoded snapshot always decodes. */
static void watch(const bp_count_min *s)
{
    bp_count_min *copy;
    bp_description d;
    bp_estimate e;
    bp_buf bytes = count_min_bytes(s);
    assert_int_equal(bp_count_min_decode(&copy, bytes.p, bytes.n, NULL, NULL), BP_OK);
    assert_int_equal(bp_count_min_bounds(s, "x", 1, 0.9, &e, NULL), BP_OK);
    bp_count_min_describe(s, &d);
    bp_buf_free(&bytes);
    bp_count_min_free(copy);
    assert_int_equal(bp_count_min_clone(&copy, s, NULL), BP_OK);
    bp_count_min_free(copy);
}

static void race(bp_count_min_config cfg, uint64_t weight)
{
    worker workers[THREADS];
    cfg.concurrent = true;
    bp_count_min *s = count_min_make(cfg), *sum = count_min_make(cfg);
    for (uint64_t t = 0; t < THREADS; t++) {
        workers[t] = (worker){.s = s, .first = t * 777, .weight = weight};
        assert_int_equal(pthread_create(&workers[t].thread, NULL, work, &workers[t]), 0);
    }
    for (int i = 0; i < 5; i++) {
        watch(s);
        assert_int_equal(bp_count_min_merge(sum, s, NULL), BP_OK);
    }
    for (int t = 0; t < THREADS; t++)
        assert_int_equal(pthread_join(workers[t].thread, NULL), 0);
    cfg.concurrent = false;
    bp_count_min *alone = count_min_make(cfg);
    for (int t = 0; t < THREADS; t++) {
        workers[t].s = alone;
        work(&workers[t]);
    }
    count_min_same(s, alone);
    bp_count_min_free(s);
    bp_count_min_free(sum);
    bp_count_min_free(alone);
}

void many_threads_add_what_one_would(void **state)
{
    (void)state;
    race((bp_count_min_config){.width = 200, .depth = 5}, 1);
    race((bp_count_min_config){.width = 16, .depth = 3}, UINT32_MAX / 3000);
    race((bp_count_min_config){.width = 16, .depth = 3, .counter_bits = 64},
         UINT64_MAX / 30000);
}

typedef struct hammer {
    bp_count_min *s;
    pthread_barrier_t *start;
    uint64_t n;
    pthread_t thread;
} hammer;

static void *strike(void *arg)
{
    const hammer *h = (const hammer *)arg;
    const uint64_t same[100] = {0};
    pthread_barrier_wait(h->start);
    for (uint64_t i = 0; i < h->n; i += 100)
        bp_count_min_add_hashes(h->s, same, 100, NULL, NULL);
    return NULL;
}

/* All threads raise the same counters from the same moment on, for long enough that
 * they meet even where processors are few. */
void no_add_is_lost_on_a_counter_that_all_raise(void **state)
{
    (void)state;
    const uint64_t n = bp_test_quick ? 50000 : 1500000;
    for (int wide = 0; wide < 2; wide++) {
        hammer hammers[THREADS];
        pthread_barrier_t start;
        assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
        bp_count_min *s = count_min_make((bp_count_min_config){
            .width = 1, .depth = 1, .counter_bits = wide ? 64 : 32, .concurrent = true});
        for (int t = 0; t < THREADS; t++) {
            hammers[t] = (hammer){.s = s, .start = &start, .n = n};
            assert_int_equal(
                pthread_create(&hammers[t].thread, NULL, strike, &hammers[t]), 0);
        }
        for (int t = 0; t < THREADS; t++)
            assert_int_equal(pthread_join(hammers[t].thread, NULL), 0);
        assert_int_equal(bp_count_min_count(s, "", 0), THREADS * n);
        assert_int_equal(bp_count_min_total(s), THREADS * n);
        bp_count_min_free(s);
        pthread_barrier_destroy(&start);
    }
}

/* ----------------------------------------------------------------------------- bytes */

enum { PARAMS = 56 }; /* where parameters begin */

static void decode_fails(bp_buf bytes, size_t at, uint64_t value, size_t width,
                         bp_status status, uint64_t where)
{
    bp_buf bad = bp_buf_copy(bytes.p, bytes.n);
    bp_count_min *s = NULL;
    const bp_count_min *view;
    bp_detail why = {BP_OK, "", 0, 0, 0};
    for (size_t i = 0; i < width; i++)
        bad.p[at + i] = (uint8_t)(value >> 8 * i);
    bp_repair(bad.p, bad.n);
    if (bp_count_min_decode(&s, bad.p, bad.n, NULL, &why) != status || why.at != where)
        fail_msg("byte %zu: status %d, \"%s\" at %llu", at, why.status, why.what,
                 (unsigned long long)why.at);
    assert_null(s);
    assert_int_equal(bp_count_min_view(&view, bad.p, bad.n, NULL, NULL), status);
    assert_null(view);
    bp_buf_free(&bad);
}

void impossible_parameters_are_refused_where_they_are(void **state)
{
    (void)state;
    bp_count_min *s = count_min_make((bp_count_min_config){.width = 10, .depth = 2});
    bp_buf b = count_min_bytes(s);
    decode_fails(b, PARAMS, 0, 8, BP_CORRUPT, PARAMS);
    decode_fails(b, PARAMS, (UINT64_C(1) << 40) + 1, 8, BP_CORRUPT, PARAMS);
    decode_fails(b, PARAMS, UINT64_MAX, 8, BP_CORRUPT, PARAMS);
    decode_fails(b, PARAMS, 11, 8, BP_CORRUPT, PARAMS); /* not this payload */
    decode_fails(b, PARAMS + 8, 0, 4, BP_CORRUPT, PARAMS + 8);
    decode_fails(b, PARAMS + 8, 33, 4, BP_CORRUPT, PARAMS + 8);
    decode_fails(b, PARAMS + 8, 3, 4, BP_CORRUPT, PARAMS);
    decode_fails(b, PARAMS + 12, 16, 1, BP_CORRUPT, PARAMS + 12);
    decode_fails(b, PARAMS + 12, 64, 1, BP_CORRUPT, PARAMS);
    decode_fails(b, PARAMS + 13, 2, 1, BP_CORRUPT, PARAMS + 13);
    decode_fails(b, PARAMS + 14, 1, 2, BP_CORRUPT, PARAMS + 14);
    decode_fails(b, PARAMS + 15, 1, 1, BP_CORRUPT, PARAMS + 14);
    bp_buf_free(&b);
    bp_count_min_free(s);
}

void a_view_at_any_address_answers_as_the_sketch(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_MIN_SHAPES; i++) {
        bp_count_min *s = count_min_make(count_min_shapes[i]);
        count_min_add_some(s, 7, 500);
        bp_buf b = count_min_bytes(s);
        uint8_t *room = (uint8_t *)malloc(b.n + 8);
        assert_non_null(room);
        const bp_open how = {.key = bp_is_keyed(&count_min_shapes[i].hash)
                                        ? count_min_shapes[i].hash.key
                                        : NULL,
                             .flags = BP_OPEN_VERIFY};
        for (size_t off = 0; off < 8; off += 3) {
            const bp_count_min *view;
            bp_description d;
            uint64_t a, c;
            memcpy(room + off, b.p, b.n);
            assert_int_equal(bp_count_min_view(&view, room + off, b.n, &how, NULL),
                             BP_OK);
            for (uint64_t key = 0; key < 200; key++) {
                a = count_min_count_u64(s, key);
                c = count_min_count_u64(view, key);
                assert_int_equal(a, c);
            }
            count_min_same(s, view);
            bp_count_min_describe(view, &d);
            assert_int_equal(bp_count_min_merge(s, view, NULL), BP_OK);
            if (!count_min_shapes[i].conservative)
                assert_int_equal(bp_count_min_subtract(s, view, NULL), BP_OK);
            else {
                bp_count_min_reset(s);
                assert_int_equal(bp_count_min_merge(s, view, NULL), BP_OK);
            }
            bp_count_min_free(view);
        }
        free(room);
        bp_buf_free(&b);
        bp_count_min_free(s);
    }
}

/* 2^32 + 5 counters a row, in 34 GB of address space of which a few pages are touched:
 * counters raised there are read from there, and by a view over a header written for it.
 */
void tables_beyond_two_to_the_32_counters_are_right(void **state)
{
    (void)state;
    if (SIZE_MAX == UINT32_MAX) {
        const bp_count_min_config cfg = {.width = UINT64_C(1) << 32};
        bp_count_min *s;
        assert_int_equal(bp_count_min_new(&s, &cfg, NULL), BP_PARAM);
        return;
    }
    enum { HEADER = 128, KEYS = 300 };
    const cm_table t = {.width = (UINT64_C(1) << 32) + 5, .depth = 2};
    const uint64_t payload = t.width * t.depth * 4, all = HEADER + payload + (1 << 20);
    uint8_t *room = (uint8_t *)mmap(NULL, (size_t)all, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) {
        printf("          not run: this machine does not map 34 GB\n");
        return;
    }
    bp_count_min *small = count_min_make((bp_count_min_config){.width = 1, .depth = 2});
    bp_buf b = count_min_bytes(small);
    memcpy(room, b.p, HEADER);
    bp_store64(room + PARAMS, t.width);
    bp_store64(room + 40, payload);
    bp_repair(room, HEADER);
    const size_t size = (size_t)(HEADER + ((payload + 7) & ~UINT64_C(7)) +
                                 8 * ((payload + 0xFFFFF) >> 20));
    uint64_t hashes[KEYS], counts[KEYS];
    for (uint64_t i = 0; i < KEYS; i++) {
        uint8_t key[8];
        bp_test_key(i, key);
        hashes[i] = bp_hash(NULL, key, 8);
    }
    bp_count_min_raise(room + HEADER, &t, hashes, KEYS, NULL, counts);
    assert_int_equal(bp_count_min_raise_one(room + HEADER, &t, hashes[0], 6), 7);
    const bp_count_min *view;
    assert_int_equal(bp_count_min_view(&view, room, size, NULL, NULL), BP_OK);
    for (uint64_t i = 0; i < KEYS; i++) {
        uint8_t key[8];
        bp_test_key(i, key);
        assert_int_equal(counts[i], 1);
        assert_int_equal(bp_count_min_count(view, key, 8), i ? 1 : 7);
    }
    bp_count_min_free(view);
    bp_count_min_free(small);
    bp_buf_free(&b);
    munmap(room, (size_t)all);
}

void place_works_in_the_callers_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_MIN_SHAPES; i++) {
        const size_t need = bp_count_min_footprint(&count_min_shapes[i]);
        uint8_t *room = (uint8_t *)malloc(need + 1);
        bp_count_min *s, *other = count_min_make(count_min_shapes[i]);
        assert_non_null(room);
        assert_int_equal(
            bp_count_min_place(&s, room + 1, need - 1, &count_min_shapes[i], NULL),
            BP_FULL);
        assert_int_equal(
            bp_count_min_place(&s, room + 1, need, &count_min_shapes[i], NULL), BP_OK);
        count_min_add_some(s, 1, 300);
        count_min_add_some(other, 1, 300);
        count_min_same(s, other);
        bp_count_min_free(s);
        bp_count_min_free(other);
        free(room);
    }
}
