/* SPDX-License-Identifier: MIT
 * scalable_bloom_bytes_test.c - what is written is read, in place too; what nobody writes
 * is refused. */
#include "compound/scalable_bloom/scalable_bloom_test.h"

#include "keys.h"
#include "vectors/vectors.h"

#include <stdlib.h>

enum { PARAMS = 56, PAYLOAD = 128, LINE = 64 };

static const bp_scalable_bloom_config small = {.items = 100};

static bp_buf bytes_of(bp_scalable_bloom_config cfg, uint64_t n)
{
    bp_scalable_bloom *s = scalable_make_test(cfg);
    uint64_t rng = 1;
    scalable_add_random(s, &rng, n);
    const bp_buf b = bp_encoded((bp_any *)s);
    bp_scalable_bloom_free(s);
    return b;
}

/* Decoded after its checksums were repaired; a verified view says the same. */
static bp_status opened(bp_buf b, bp_detail *why)
{
    bp_scalable_bloom *s;
    const bp_scalable_bloom *v;
    const bp_open verify = {.flags = BP_OPEN_VERIFY};
    bp_repair(b.p, b.n);
    const bp_status st = bp_scalable_bloom_decode(&s, b.p, b.n, NULL, why);
    assert_int_equal(bp_scalable_bloom_view(&v, b.p, b.n, &verify, NULL), st);
    bp_scalable_bloom_free(s);
    bp_scalable_bloom_free(v);
    return st;
}

/* Where the second layer's line begins. */
static size_t second(bp_buf b)
{
    return PAYLOAD + LINE + (size_t)bp_round_up(bp_load64(b.p + PAYLOAD), LINE);
}

/* A nested filter is not repaired by bp_repair, so its own seal is, with the optional
 * flag 1 set. */
static void set_flag_inside(bp_buf b)
{
    uint8_t *inside = b.p + PAYLOAD + LINE;
    const size_t n = (size_t)bp_load64(b.p + PAYLOAD);
    bp_store32(inside + 16, 1);
    bp_repair(inside, n);
}

static void change(bp_buf b, int row)
{
    uint8_t *line = b.p + PAYLOAD, *next = b.p + second(b);
    switch (row) {
    case 0:
        bp_store64(line, 0);
        break;
    case 1:
        bp_store64(line, b.n);
        break;
    case 2:
        bp_store64(line + 8, 101);
        break;
    case 3:
        bp_store64(next + 8, 0);
        break;
    case 4:
        bp_store32(line + 16, 1);
        break;
    case 5:
        bp_store32(next + 16, 2);
        break;
    case 6:
        bp_store32(next + 16, 0);
        break;
    case 7:
        line[20] = 1;
        break;
    case 8:
        line[63] = 1;
        break;
    case 9: /* between a layer and the next */
        next[-1] = 1;
        break;
    case 10:
        set_flag_inside(b);
        break;
    case 11:
        line[LINE + 8] ^= 2;
        break;
    case 12: /* as large, of another hash */
        bp_store64(line + LINE + 24, 5);
        bp_repair(line + LINE, (size_t)bp_load64(line));
        break;
    case 13:
        bp_store64(b.p + PARAMS, 0);
        break;
    case 14:
        bp_store32(b.p + PARAMS + 36, 1);
        break;
    case 15:
        bp_store64(b.p + PARAMS, 101);
        break;
    default: /* at most one layer, where there are two */
        bp_store32(b.p + PARAMS + 28, 1);
        break;
    }
}

void bytes_of_layers_that_encode_would_not_write_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        long at; /* from the payload; from the second line when 10000 or more */
    } row[] = {
        {"a layer is cut short", 0},
        {"a layer is cut short", 0},
        {"more keys than the layer takes", 8},
        {"an empty layer beside others", 10008},
        {"a layer of the series is left out", 16},
        {"a layer of the series is left out", 10016},
        {"more keys than the layer takes", 10008},
        {"reserved bytes are not zero", 20},
        {"reserved bytes are not zero", 63},
        {"reserved bytes are not zero", 9999},
        {"a layer has flags", 76},
        {"written in a newer format; upgrade ballpark", 72},
        {"a layer is not that of the series", 64},
        {"the first layer's items must be 1 to 2^40", PARAMS - PAYLOAD},
        {"reserved parameter bytes are not zero", PARAMS + 36 - PAYLOAD},
        {"a layer is not that of the series", 64},
        {"a layer is not that of the series", 64},
    };
    for (int i = 0; i < (int)(sizeof row / sizeof *row); i++) {
        bp_buf b = bytes_of(small, 250);
        bp_detail why = {BP_OK, "", 0, 0, 0};
        assert_int_equal(opened(b, &why), BP_OK);
        const long from = row[i].at >= 9000 ? (long)second(b) - 10000 : PAYLOAD;
        change(b, i);
        if (opened(b, &why) == BP_OK)
            fail_msg("row %d is taken", i);
        assert_string_equal(why.what, row[i].what);
        if ((long)why.at != from + row[i].at)
            fail_msg("row %d: at %ld, expected %ld", i, (long)why.at, from + row[i].at);
        bp_buf_free(&b);
    }
}

/* The nested bytes are a filter of their own, by whose hash the key is found. */
void a_layer_can_be_cut_out_and_asked_alone(void **state)
{
    (void)state;
    bp_buf b = bytes_of(small, 100);
    bp_blocked_bloom *alone;
    uint64_t rng = 1, found = 0;
    assert_int_equal(bp_blocked_bloom_decode(&alone, b.p + PAYLOAD + LINE,
                                             (size_t)bp_load64(b.p + PAYLOAD), NULL,
                                             NULL),
                     BP_OK);
    for (int i = 0; i < 100; i++) {
        const uint64_t hash = bp_rng_next(&rng);
        found += bp_blocked_bloom_has_hashes(alone, &hash, 1, NULL);
    }
    assert_int_equal(found, 100);
    bp_blocked_bloom_free(alone);
    bp_buf_free(&b);
}

/* No copy of the layers, whose memory is the caller's; every layer's payload begins at a
 * line of the cache when the bytes do. */
void a_view_asks_the_layers_where_they_lie(void **state)
{
    (void)state;
    const uint64_t n = 100000;
    bp_buf b = bytes_of((bp_scalable_bloom_config){.items = 1000}, n);
    bp_test_alloc alloc = {0};
    const bp_scalable_bloom *v;
    const bp_open how = {.alloc = bp_test_allocator(&alloc)};
    bp_scalable_bloom_layer l[64];
    uint64_t rng = 1;
    assert_int_equal(bp_scalable_bloom_view(&v, b.p, b.n, &how, NULL), BP_OK);
    assert_int_equal(bp_scalable_bloom_layers(v, l, 64), 7);
    assert_true(b.n > 150000 && alloc.live < 4096);
    assert_int_equal(scalable_yes_of_random(v, &rng, n), n);
    bp_scalable_bloom_free(v);
    bp_test_alloc_done(&alloc);
    for (size_t at = PAYLOAD; at < b.n - 64;) {
        const size_t size = (size_t)bp_load64(b.p + at);
        assert_int_equal((at + LINE + bp_load32(b.p + at + LINE + 36)) % 64, 0);
        at += LINE + (size_t)bp_round_up(size, LINE);
    }
    bp_buf_free(&b);
}

void an_unverified_view_of_any_bits_is_safe(void **state)
{
    (void)state;
    bp_buf b = bytes_of(small, 1000);
    const bp_scalable_bloom *v;
    bp_scalable_bloom *copy;
    bp_estimate e;
    bp_description d;
    const uint64_t hash = 5;
    for (size_t at = PAYLOAD; at < b.n - 64;) { /* all bits of all layers */
        const size_t size = (size_t)bp_load64(b.p + at);
        const size_t header = bp_load32(b.p + at + LINE + 36);
        memset(b.p + at + LINE + header, 0xFF, size - header);
        at += LINE + (size_t)bp_round_up(size, LINE);
    }
    assert_int_equal(bp_scalable_bloom_view(&v, b.p, b.n, NULL, NULL), BP_OK);
    assert_int_equal(bp_scalable_bloom_has_hashes(v, &hash, 1, NULL), 1);
    assert_true(bp_scalable_bloom_fpr(v) == 1);
    assert_int_equal(bp_scalable_bloom_estimate(v, 0.95, &e, NULL), BP_OK);
    assert_true(e.lower > 900 && e.lower < 1000 && e.value > 1e300 && e.upper > 1e300);
    bp_scalable_bloom_describe(v, &d);
    assert_int_equal(bp_scalable_bloom_clone(&copy, v, NULL), BP_OK);
    bp_scalable_bloom_free(copy);
    bp_scalable_bloom_free(v);
    bp_buf_free(&b);
}

/* ---------------------------------------------------------------------------- vectors */

static void configure(const json_t *json, void *cfg)
{
    static const char *const layouts[] = {"", "blocked", "classic", "redis"};
    bp_scalable_bloom_config *c = (bp_scalable_bloom_config *)cfg;
    c->items = bp_json_whole_or(json, "items", 0);
    c->fpr = bp_json_real_or(json, "fpr", 0);
    c->tightening = bp_json_real_or(json, "tightening", 0);
    c->growth = (uint32_t)bp_json_whole_or(json, "growth", 0);
    c->layers = (uint32_t)bp_json_whole_or(json, "layers", 0);
    while (strcmp(layouts[c->layout], bp_json_text(json, "layout")) != 0)
        c->layout++;
}

void layers_and_bytes_are_those_of_the_vectors(void **state)
{
    (void)state;
    bp_vectors_check("scalable_bloom", configure, NULL);
}
