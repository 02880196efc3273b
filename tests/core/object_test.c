/* SPDX-License-Identifier: MIT
 * object_test.c - the life that all sketches share, through a toy kind whose parts can be
 * told to fail: growth, the caller's memory, half-made things, the order of refusals. */
#include "harness.h"

#include "hash/hash.h"

#include <stdio.h>
#include <stdlib.h>

/* ---------------------------------------------------------------------- the toy kind */

typedef struct toy_config {
    bp_alloc alloc;
    bp_hash_spec hash;
    uint64_t size; /* bytes of cells */
    uint64_t most; /* the most there can be */
    uint64_t reserved[4];
} toy_config;

typedef struct toy_head {
    bp_head head;
    uint64_t size;
    uint64_t most;
} toy_head;

static bp_status toy_get_payload_fails; /* what get_payload and copy answer */

static bp_status toy_setup(void *head, const void *cfg, bp_detail *why)
{
    toy_head *h = (toy_head *)head;
    const toy_config *c = (const toy_config *)cfg;
    h->size = c->size;
    h->most = c->most ? c->most : c->size;
    return c->size == 13 ? bp_fail(why, BP_PARAM, "thirteen", 13, 0) : BP_OK;
}

static void toy_config_of(const void *head, void *cfg)
{
    ((toy_config *)cfg)->size = ((const toy_head *)head)->size;
    ((toy_config *)cfg)->most = ((const toy_head *)head)->most;
}

static size_t toy_size(const void *head)
{
    const uint64_t size = ((const toy_head *)head)->size;
    return size < SIZE_MAX ? (size_t)size : SIZE_MAX;
}

static size_t toy_most(const void *head)
{
    const uint64_t most = ((const toy_head *)head)->most;
    return most < SIZE_MAX ? (size_t)most : SIZE_MAX;
}

static bp_status toy_merge(bp_object *dst, const bp_object *src, bp_detail *why)
{
    (void)why;
    for (size_t i = 0; i < dst->cells_size && i < src->cells_size; i++)
        dst->cells[i] |= src->cells[i];
    return BP_OK;
}

static void toy_put_params(const bp_object *o, bp_writer *w)
{
    bp_put64(w, ((const toy_head *)o->head)->size);
    bp_put64(w, ((const toy_head *)o->head)->most);
}

static bp_status toy_get_params(void *head, bp_reader *r, const bp_envelope *e,
                                bp_detail *why)
{
    toy_head *h = (toy_head *)head;
    h->size = bp_get64(r);
    h->most = bp_get64(r);
    if (h->most == 666)
        return bp_fail_at(why, BP_CORRUPT, "not this many", 8, 666, 0);
    return h->size == e->payload_size || r->short_
               ? BP_OK
               : bp_fail_at(why, BP_CORRUPT, "sizes disagree", 0, e->payload_size,
                            h->size);
}

static bp_status toy_check_payload(const void *head, const uint8_t *payload, size_t n,
                                   bp_detail *why)
{
    (void)head;
    for (size_t i = 0; i < n; i++)
        if (payload[i] == 0xBD)
            return bp_fail_at(why, BP_CORRUPT, "a bad cell", i, 0xBD, 0);
    return BP_OK;
}

static bp_status toy_get_payload(bp_object *o, const uint8_t *payload, size_t n,
                                 bp_detail *why)
{
    bp_status st = bp_object_resize(o, n, why);
    if (st)
        return st;
    memcpy(o->cells, payload, n);
    return toy_get_payload_fails;
}

static bp_status toy_copy(bp_object *dst, const bp_object *src, bp_detail *why)
{
    (void)dst;
    (void)src;
    (void)why;
    return toy_get_payload_fails;
}

static void toy_describe(const bp_object *o, bp_description *d)
{
    bp_say_whole(d, "size", "bytes", o->cells_size, false);
    bp_say_text(d, "kind", "toy, said again", true);
    bp_say_real(d, "half", "fraction", 0.5, false);
}

static const bp_kind toy = {
    .name = "toy",
    .id = 0xFFF0,
    .rule = 3,
    .required_known = 6,
    .config_size = sizeof(toy_config),
    .head_size = sizeof(toy_head),
    .hashing = &bp_hashing_all,
    .setup = toy_setup,
    .config = toy_config_of,
    .cells_size = toy_size,
    .cells_max = toy_most,
    .merge = toy_merge,
    .put_params = toy_put_params,
    .get_params = toy_get_params,
    .check_payload = toy_check_payload,
    .get_payload = toy_get_payload,
    .describe = toy_describe,
    .copy = toy_copy,
};

static bp_object *make(bp_test_alloc *alloc, uint64_t size)
{
    toy_config cfg = {.size = size};
    bp_object *o;
    if (alloc)
        cfg.alloc = bp_test_allocator(alloc);
    assert_int_equal(bp_object_new(&o, &toy, &cfg, NULL), BP_OK);
    return o;
}

static int setup(void **state)
{
    (void)state;
    toy_get_payload_fails = BP_OK;
    return 0;
}

/* ---------------------------------------------------------------------------- memory */

static void new_cells_are_zero_and_aligned(void **state)
{
    (void)state;
    bp_test_alloc alloc = {0};
    for (size_t n = 0; n < 3000; n += n < 20 ? 1 : 97) {
        if (n == 13)
            continue;
        bp_object *o = make(&alloc, n);
        assert_int_equal(o->cells_size, n);
        assert_int_equal((uintptr_t)o->cells % (n >= BP_ALIGN_FROM ? 64 : 16), 0);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(o->cells[i], 0);
        bp_object_free(o);
    }
    bp_test_alloc_done(&alloc);
}

static void growing_keeps_what_is_there_and_clears_the_rest(void **state)
{
    (void)state;
    bp_test_alloc alloc = {0};
    bp_object *o = make(&alloc, 10);
    memset(o->cells, 7, 10);
    for (size_t n = 11; n < 5000; n += 333) {
        const size_t had = o->cells_size;
        assert_int_equal(bp_object_resize(o, n, NULL), BP_OK);
        assert_int_equal(o->cells_size, n);
        assert_int_equal((uintptr_t)o->cells % (n >= BP_ALIGN_FROM ? 64 : 16), 0);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(o->cells[i], i < had ? 7 : 0);
        memset(o->cells, 7, n);
    }
    const size_t cap = o->cells_cap;
    assert_int_equal(bp_object_resize(o, 100, NULL), BP_OK);
    assert_int_equal(o->cells_cap, cap); /* room is kept */
    assert_int_equal(bp_object_resize(o, 200, NULL), BP_OK);
    for (size_t i = 0; i < 200; i++)
        assert_int_equal(o->cells[i], i < 100 ? 7 : 0);
    bp_object_trim(o);
    assert_int_equal(o->cells_cap, 200);
    for (size_t i = 0; i < 200; i++)
        assert_int_equal(o->cells[i], i < 100 ? 7 : 0);
    bp_object_free(o);
    bp_test_alloc_done(&alloc);
}

static void growth_without_memory_changes_nothing(void **state)
{
    (void)state;
    bp_test_alloc alloc = {0};
    bp_detail why;
    bp_object *o = make(&alloc, 50);
    memset(o->cells, 9, 50);
    const bp_object was = *o;
    bp_test_fail(&alloc, 1, true);
    assert_int_equal(bp_object_resize(o, 5000, &why), BP_NOMEM);
    assert_int_equal(why.want, 5000);
    assert_memory_equal(&was, o, sizeof was);
    assert_int_equal(bp_object_resize(o, SIZE_MAX - 5, &why), BP_NOMEM);
    assert_memory_equal(&was, o, sizeof was);
    assert_int_equal(bp_object_resize(o, 20, NULL), BP_OK);
    bp_object_trim(o); /* cannot, and says nothing */
    assert_int_equal(o->cells_cap, 50);
    bp_test_fail(&alloc, 0, false);
    for (int i = 0; i < 20; i++)
        assert_int_equal(o->cells[i], 9);
    bp_object_free(o);
    bp_test_alloc_done(&alloc);
}

static void new_and_clone_give_everything_back_when_memory_runs_out(void **state)
{
    (void)state;
    bp_test_alloc alloc = {0};
    bp_object *o = make(&alloc, 100), *c;
    const size_t live = alloc.live;
    for (uint64_t n = 1; n <= 2; n++) {
        toy_config cfg = {.alloc = bp_test_allocator(&alloc), .size = 100};
        c = o;
        bp_test_fail(&alloc, n, false);
        assert_int_equal(bp_object_new(&c, &toy, &cfg, NULL), BP_NOMEM);
        assert_null(c);
        assert_int_equal(alloc.live, live);
        c = o;
        bp_test_fail(&alloc, n, true);
        assert_int_equal(bp_object_clone(&c, o, NULL), BP_NOMEM);
        assert_null(c);
        assert_int_equal(alloc.live, live);
        bp_test_fail(&alloc, 0, false);
    }
    bp_object_free(o);
    bp_object_free(NULL);
    bp_test_alloc_done(&alloc);
}

static void a_copy_or_payload_that_fails_leaves_nothing_behind(void **state)
{
    (void)state;
    bp_test_alloc alloc = {0};
    bp_object *o = make(&alloc, 100), *c = o;
    bp_buf b = bp_encoded((const bp_any *)o);
    const size_t live = alloc.live;
    const bp_open how = {.alloc = bp_test_allocator(&alloc)};
    toy_get_payload_fails = BP_NOMEM;
    assert_int_equal(bp_object_clone(&c, o, NULL), BP_NOMEM);
    assert_null(c);
    c = o;
    assert_int_equal(bp_object_decode(&c, &toy, b.p, b.n, &how, NULL), BP_NOMEM);
    assert_null(c);
    assert_int_equal(alloc.live, live);
    bp_object_free(o);
    bp_buf_free(&b);
    bp_test_alloc_done(&alloc);
}

static void sizes_beyond_the_machine_are_a_parameter_error(void **state)
{
    (void)state;
    const uint64_t sizes[] = {SIZE_MAX, SIZE_MAX / 4 + 1, UINT64_MAX};
    for (size_t i = 0; i < 3; i++) {
        const toy_config cfg = {.size = sizes[i]};
        bp_object *o = (bp_object *)(uintptr_t)16;
        bp_detail why;
        assert_int_equal(bp_object_new(&o, &toy, &cfg, &why), BP_PARAM);
        assert_null(o);
        assert_int_equal(bp_object_footprint(&toy, &cfg), 0);
    }
}

static void a_placed_sketch_grows_to_its_footprint_and_no_further(void **state)
{
    (void)state;
    const toy_config cfg = {.size = 40, .most = 3000};
    const size_t room = bp_object_footprint(&toy, &cfg);
    uint8_t *mem = malloc(room);
    bp_object *o;
    bp_detail why;
    assert_true(room >= 3000 + sizeof(bp_object) + sizeof(toy_head));
    assert_non_null(mem);
    assert_int_equal(bp_object_place(&o, &toy, mem, room, &cfg, NULL), BP_OK);
    assert_int_equal((uintptr_t)o->cells % 64, 0);
    assert_int_equal(bp_object_resize(o, 3000, NULL), BP_OK);
    memset(o->cells, 1, 3000);
    assert_true(o->cells + 3000 <= mem + room);
    assert_int_equal(bp_object_resize(o, 3001, &why), BP_FULL);
    assert_int_equal(why.have, 3000);
    assert_int_equal(why.want, 3001);
    assert_int_equal(o->cells_size, 3000);
    bp_object_trim(o);
    assert_int_equal(o->cells_cap, 3000);
    bp_object_reset(o);
    assert_int_equal(o->cells_size, 40);
    bp_object_free(o);
    free(mem);
    const toy_config endless = {.size = 40, .most = UINT64_MAX};
    assert_int_equal(bp_object_footprint(&toy, &endless), 0);
    assert_int_equal(bp_object_place(&o, &toy, &why, sizeof why, &endless, NULL),
                     BP_FULL);
    assert_null(o);
}

/* ------------------------------------------------------------------ order of refusals */

/* Encodes an empty toy of 8 cells, changes bytes, repairs checksums, decodes. */
static bp_status decode_changed(size_t at, size_t width, uint64_t v, bp_detail *why)
{
    bp_object *o = make(NULL, 8), *d = o;
    bp_buf b = bp_encoded((const bp_any *)o);
    uint8_t word[8];
    bp_store64(word, v);
    memcpy(b.p + at, word, width);
    bp_repair(b.p, b.n);
    const bp_status st = bp_object_decode(&d, &toy, b.p, b.n, NULL, why);
    assert_true((d == NULL) == (st != BP_OK));
    bp_object_free(d);
    assert_int_equal(bp_object_decode(&d, &toy, b.p, b.n, NULL, NULL), st);
    bp_object_free(d);
    bp_object_free(o);
    bp_buf_free(&b);
    return st;
}

static void every_refusal_of_decode_says_where_and_what(void **state)
{
    (void)state;
    static const struct {
        size_t at, width;
        uint64_t value;
        bp_status status;
        uint64_t where, have, want;
    } table[] = {
        {10, 2, 1, BP_KIND, 10, 1, 0xFFF0},
        {12, 4, 2, BP_OK, 0, 0, 0}, /* a required flag it knows */
        {12, 4, 1, BP_VERSION, 12, 1, 6},
        {12, 4, 0x80000000, BP_VERSION, 12, 0x80000000, 6},
        {16, 4, 0xFFFFFFFF, BP_OK, 0, 0, 0}, /* optional flags are ignored */
        {20, 2, 0, BP_VERSION, 20, 0, 0},
        {20, 2, 6, BP_VERSION, 20, 6, 0},
        {22, 2, 4, BP_VERSION, 22, 4, 3},
        {20, 2, BP_HASH_MURMUR3, BP_OK, 0, 0, 0},
        {20, 2, BP_HASH_SIPHASH24, BP_MISMATCH, 24, 0, 0},
        {64, 8, 666, BP_CORRUPT, 64, 666, 0},
        {56, 8, 9, BP_CORRUPT, 56, 8, 9},
        {128, 1, 0xBD, BP_CORRUPT, 128, 0xBD, 0},
        {133, 1, 0xBD, BP_CORRUPT, 133, 0xBD, 0},
        {133, 1, 0xBC, BP_OK, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        bp_detail why = {BP_OK, NULL, 0, 0, 0};
        const bp_status st =
            decode_changed(table[i].at, table[i].width, table[i].value, &why);
        if (st != table[i].status || why.status != st || why.at != table[i].where ||
            why.have != table[i].have || why.want != table[i].want)
            fail_msg("row %zu: %s, \"%s\" at %llu, %llu against %llu", i,
                     bp_status_text(st), why.what ? why.what : "NULL",
                     (unsigned long long)why.at, (unsigned long long)why.have,
                     (unsigned long long)why.want);
    }
}

static void a_seed_its_hash_cannot_have_is_corrupt(void **state)
{
    (void)state;
    toy_config cfg = {.size = 8, .hash = {.id = BP_HASH_MURMUR3, .seed = 7}};
    bp_object *o, *d;
    bp_detail why;
    assert_int_equal(bp_object_new(&o, &toy, &cfg, NULL), BP_OK);
    bp_buf b = bp_encoded((const bp_any *)o);
    b.p[28] = 1;
    bp_repair(b.p, b.n);
    assert_int_equal(bp_object_decode(&d, &toy, b.p, b.n, NULL, &why), BP_CORRUPT);
    assert_int_equal(why.at, 24);
    bp_buf_free(&b);
    bp_object_free(o);
}

static void parameters_too_few_or_too_many_are_corrupt(void **state)
{
    (void)state;
    static const uint8_t params[32] = {8, 0, 0, 0, 0, 0, 0, 0, 8};
    for (size_t n = 0; n <= 32; n++) {
        bp_envelope e = {.kind = toy.id,
                         .rule = 3,
                         .hash = 1,
                         .params = params,
                         .params_size = n,
                         .payload_size = 8};
        const size_t all = bp_envelope_size(n, 8);
        uint8_t *b = calloc(1, all);
        bp_object *d;
        bp_detail why = {BP_OK, NULL, 0, 0, 0};
        assert_non_null(b);
        bp_envelope_seal(&e, b);
        const bp_status st = bp_object_decode(&d, &toy, b, all, NULL, &why);
        assert_int_equal(st, n == 16 ? BP_OK : BP_CORRUPT);
        if (n != 16)
            assert_int_equal(why.at, BP_ENVELOPE_FIXED + (n < 16 ? n : 16));
        bp_object_free(d);
        free(b);
    }
}

static void an_unverified_view_does_not_look_at_the_payload(void **state)
{
    (void)state;
    bp_object *o = make(NULL, 8);
    bp_buf b = bp_encoded((const bp_any *)o);
    const bp_object *v;
    const bp_open verify = {.flags = BP_OPEN_VERIFY};
    b.p[130] = 0xBD;
    assert_int_equal(bp_object_view(&v, &toy, b.p, b.n, NULL, NULL), BP_OK);
    assert_ptr_equal(v->cells, b.p + 128);
    bp_object_free(v);
    assert_int_equal(bp_object_view(&v, &toy, b.p, b.n, &verify, NULL), BP_CORRUPT);
    assert_null(v);
    bp_repair(b.p, b.n);
    assert_int_equal(bp_object_view(&v, &toy, b.p, b.n, &verify, NULL), BP_CORRUPT);
    b.p[130] = 0;
    bp_repair(b.p, b.n);
    assert_int_equal(bp_object_view(&v, &toy, b.p, b.n, &verify, NULL), BP_OK);
    bp_object_free(v);
    bp_buf_free(&b);
    bp_object_free(o);
}

/* ------------------------------------------------------------------------- describing */

static void a_figure_said_again_replaces_the_first(void **state)
{
    (void)state;
    bp_description d;
    bp_object *o = make(NULL, 8);
    bp_object_describe(o, &d);
    assert_int_equal(d.count, 6);
    assert_string_equal(d.figures[0].name, "kind");
    assert_string_equal(d.figures[0].text, "toy, said again");
    assert_string_equal(d.figures[1].text, "xxh3");
    assert_int_equal(d.health, BP_HEALTH_OK);
    assert_string_equal(d.advice, "");
    bp_object_free(o);
}

static void more_figures_than_there_is_room_for_stay_inside(void **state)
{
    (void)state;
    static char names[BP_FIGURES_MAX + 5][8];
    struct {
        bp_description d;
        uint64_t after;
    } room;
    memset(&room, 0, sizeof room);
    room.after = 42;
    for (int i = 0; i < BP_FIGURES_MAX + 5; i++) {
        snprintf(names[i], sizeof names[i], "f%d", i);
        bp_say_whole(&room.d, names[i], "", (uint64_t)i, false);
    }
    assert_int_equal(room.d.count, BP_FIGURES_MAX);
    assert_int_equal(room.after, 42);
    assert_string_equal(room.d.figures[3].name, "f3");
}

/* -------------------------------------------------------------------------------- any */

static void kinds_are_found_by_place_id_and_name(void **state)
{
    (void)state;
    static const struct {
        uint32_t id;
        const char *name;
    } frozen[] = {{0x0001, "bloom"},          {0x0002, "blocked_bloom"},
                  {0x0003, "binary_fuse"},    {0x0101, "count_min"},
                  {0x0102, "top_k"},          {0x0201, "hll"},
                  {0x0007, "scalable_bloom"}, {0x0006, "ribbon"}};
    size_t n = 0;
    for (; bp_any_kind_at(n); n++) {
        const bp_kind_info *k = bp_any_kind_at(n);
        assert_ptr_equal(bp_any_kind_by_id(k->id), k);
        assert_ptr_equal(bp_any_kind_by_name(k->name), k);
        assert_true(k->family >= BP_FAMILY_MEMBERSHIP && k->family <= BP_FAMILY_WINDOW);
        assert_true(k->id > 0 && k->id <= UINT16_MAX);
    }
    assert_null(bp_any_kind_at(n + 1));
    assert_null(bp_any_kind_by_id(0));
    assert_null(bp_any_kind_by_id(UINT32_MAX));
    assert_null(bp_any_kind_by_name("blooms"));
    for (size_t i = 0; i < sizeof frozen / sizeof *frozen; i++)
        assert_int_equal(bp_any_kind_by_name(frozen[i].name)->id, frozen[i].id);
}

static void an_unknown_kind_is_refused_by_every_door(void **state)
{
    (void)state;
    bp_object *o = make(NULL, 8);
    bp_buf b = bp_encoded((const bp_any *)o);
    bp_any *s = (bp_any *)o;
    const bp_any *v = s;
    const bp_kind_info *kind = NULL;
    bp_detail why;
    uint64_t size = 5;
    assert_int_equal(bp_any_new(&s, toy.id, NULL, &why), BP_KIND);
    assert_null(s);
    assert_int_equal(why.have, toy.id);
    assert_int_equal(bp_any_footprint(toy.id, NULL), 0);
    s = (bp_any *)o;
    assert_int_equal(bp_any_place(&s, toy.id, &why, sizeof why, NULL, NULL), BP_KIND);
    assert_null(s);
    s = (bp_any *)o;
    assert_int_equal(bp_any_decode(&s, b.p, b.n, NULL, &why), BP_KIND);
    assert_null(s);
    assert_int_equal(why.at, 10);
    assert_int_equal(bp_any_view(&v, b.p, b.n, NULL, &why), BP_KIND);
    assert_null(v);
    assert_int_equal(bp_any_peek(b.p, b.n, &kind, &size, &why), BP_KIND);
    assert_null(kind);
    assert_int_equal(size, 5);
    assert_int_equal(bp_any_peek("short", 5, &kind, &size, &why), BP_CORRUPT);
    bp_buf_free(&b);
    bp_object_free(o);
}

static void defaults_need_no_configuration(void **state)
{
    (void)state;
    for (size_t i = 0; bp_any_kind_at(i); i++) {
        bp_any *s;
        const bp_kind_info *k = bp_any_kind_at(i);
        if (bp_any_new(&s, k->id, NULL, NULL))
            fail_msg("%s has no defaults", k->name);
        assert_ptr_equal(bp_any_kind(s), k);
        bp_any_free(s);
    }
    bp_any_free(NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup(new_cells_are_zero_and_aligned, setup),
    cmocka_unit_test_setup(growing_keeps_what_is_there_and_clears_the_rest, setup),
    cmocka_unit_test_setup(growth_without_memory_changes_nothing, setup),
    cmocka_unit_test_setup(new_and_clone_give_everything_back_when_memory_runs_out,
                           setup),
    cmocka_unit_test_setup(a_copy_or_payload_that_fails_leaves_nothing_behind, setup),
    cmocka_unit_test_setup(sizes_beyond_the_machine_are_a_parameter_error, setup),
    cmocka_unit_test_setup(a_placed_sketch_grows_to_its_footprint_and_no_further, setup),
    cmocka_unit_test_setup(every_refusal_of_decode_says_where_and_what, setup),
    cmocka_unit_test_setup(a_seed_its_hash_cannot_have_is_corrupt, setup),
    cmocka_unit_test_setup(parameters_too_few_or_too_many_are_corrupt, setup),
    cmocka_unit_test_setup(an_unverified_view_does_not_look_at_the_payload, setup),
    cmocka_unit_test_setup(a_figure_said_again_replaces_the_first, setup),
    cmocka_unit_test_setup(more_figures_than_there_is_room_for_stay_inside, setup),
    cmocka_unit_test(kinds_are_found_by_place_id_and_name),
    cmocka_unit_test(an_unknown_kind_is_refused_by_every_door),
    cmocka_unit_test(defaults_need_no_configuration),
};

extern const bp_suite bp_suite_object;
const bp_suite bp_suite_object = {"object", tests, sizeof tests / sizeof *tests, NULL, 0};
