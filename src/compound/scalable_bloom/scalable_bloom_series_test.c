/* SPDX-License-Identifier: MIT
 * scalable_bloom_series_test.c - the arithmetic of the layers: ours and RedisBloom's. */
#include "compound/scalable_bloom/scalable_bloom_test.h"

#include <math.h>

enum { REDIS = BP_SCALABLE_BLOOM_REDIS, CLASSIC = BP_SCALABLE_BLOOM_CLASSIC };

static bp_status layer_of(const bp_scalable_bloom_config *c, uint32_t i,
                          bp_scalable_bloom_layer *out)
{
    return bp_scalable_bloom_size(c, i, out, NULL);
}

double scalable_formula(const bp_scalable_bloom_layer *l)
{
    if (l->kind == bp_any_kind_by_name("bloom")->id)
        return bp_bloom_fpr_at(l->bits, l->hashes, (double)l->added);
    return bp_blocked_bloom_fpr_at(BP_BLOCKED_BLOOM_SPLIT512, l->hashes, l->bits / 512,
                                   (double)l->added);
}

void layers_grow_and_tighten_as_configured(void **state)
{
    (void)state;
    const bp_scalable_bloom_config c = {.items = 7, .growth = 3, .tightening = 0.6};
    double rate = 0.01 * (1 - 0.6);
    uint64_t items = 7;
    for (uint32_t i = 0; i < 20; i++, rate *= 0.6, items *= 3) {
        bp_scalable_bloom_layer l;
        assert_int_equal(layer_of(&c, i, &l), BP_OK);
        assert_int_equal(l.items, items);
        assert_true(fabs(l.fpr - rate) < 1e-12 * rate && l.added == 0);
        assert_int_equal(l.index, i);
    }
    bp_scalable_bloom_layer l;
    assert_int_equal(bp_scalable_bloom_size(NULL, 0, &l, NULL), BP_OK);
    assert_true(l.items == 100000 && fabs(l.fpr - 0.002) < 1e-12);
}

/* Over all the layers there can be, full. RedisBloom has a few more hashes than are best,
 * and is up to 5 % above. */
void the_formulas_of_all_layers_add_up_to_less_than_was_asked(void **state)
{
    (void)state;
    static const double rates[] = {0.25, 0.1, 0.03, 0.01, 1e-3, 1e-4, 1e-6, 1e-9};
    static const double tightening[] = {0.1, 0.5, 0.7, 0.8, 0.9, 0.95};
    size_t layers = 0;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (size_t j = 0; j < sizeof tightening / sizeof *tightening; j++)
            for (uint32_t layout = 1; layout <= 3; layout++) {
                const bp_scalable_bloom_config c = {
                    .items = 20000,
                    .fpr = rates[i],
                    .tightening = layout == REDIS ? 0.5 : tightening[j],
                    .layout = layout};
                bp_scalable_bloom_layer l;
                double sum = 0, shares = 0;
                for (uint32_t k = 0; layer_of(&c, k, &l) == BP_OK; k++, layers++) {
                    l.added = l.items;
                    sum += scalable_formula(&l);
                    shares += l.fpr;
                }
                assert_true(shares <= rates[i]);
                if (sum > rates[i] * (layout == REDIS ? 1.05 : 1))
                    fail_msg("layout %u, rate %g, tightening %g: %g", layout, rates[i],
                             c.tightening, sum);
            }
    assert_true(layers > 2000);
}

void a_limited_filter_shares_the_whole_rate_out(void **state)
{
    (void)state;
    for (uint32_t most = 1; most <= 8; most++) {
        const bp_scalable_bloom_config c = {.items = 1000, .layers = most};
        bp_scalable_bloom_layer l;
        double sum = 0;
        for (uint32_t i = 0; i < most; i++) {
            assert_int_equal(layer_of(&c, i, &l), BP_OK);
            sum += l.fpr;
        }
        assert_true(fabs(sum - 0.01) < 1e-12);
        assert_int_equal(layer_of(&c, most, &l), BP_FULL);
    }
}

void a_blocked_layer_gives_way_to_a_classic_one_below_its_least_rate(void **state)
{
    (void)state;
    const bp_scalable_bloom_config c = {.items = 1000};
    const uint32_t blocked = bp_any_kind_by_name("blocked_bloom")->id;
    for (uint32_t i = 0; i < 25; i++) {
        bp_scalable_bloom_layer l;
        assert_int_equal(layer_of(&c, i, &l), BP_OK);
        assert_int_equal(l.kind == blocked, l.fpr >= 1e-4);
        assert_int_equal(l.kind == blocked, i < 14);
    }
}

/* What BF.DEBUG of RedisBloom 2.8.20 says of each sub-filter. */
void the_series_of_redisbloom_is_that_of_its_replies(void **state)
{
    (void)state;
    static const struct {
        double fpr;
        uint64_t items;
        uint32_t growth, layers; /* layers 1: NONSCALING */
        struct {
            uint64_t items, bytes, bits;
            uint32_t hashes;
            double fpr;
        } has[10];
    } row[] = {
        {0.01,
         100,
         2,
         0,
         {{100, 144, 1152, 8, 0.005},
          {200, 312, 2496, 9, 0.0025},
          {400, 696, 5568, 10, 0.00125},
          {800, 1536, 12288, 11, 0.000625},
          {1600, 3360, 26880, 12, 0.0003125},
          {3200, 7304, 58432, 13, 0.00015625}}},
        {0.001,
         100000,
         2,
         0,
         {{100000, 197760, 1582080, 11, 0.0005}, {200000, 431576, 3452608, 12, 0.00025}}},
        {0.01, 1000, 2, 0, {{1000, 1384, 11072, 8, 0.005}}},
        {0.01, 1000, 0, 1, {{1000, 1200, 9600, 7, 0.01}}},
        {0.01,
         100,
         4,
         0,
         {{100, 144, 1152, 8, 0.005},
          {400, 624, 4992, 9, 0.0025},
          {1600, 2784, 22272, 10, 0.00125},
          {6400, 12288, 98304, 11, 0.000625}}},
        {0.02,
         50,
         1,
         0,
         {{50, 64, 512, 7, 0.01},
          {50, 72, 576, 8, 0.005},
          {50, 80, 640, 9, 0.0025},
          {50, 88, 704, 10, 0.00125},
          {50, 96, 768, 11, 0.000625},
          {50, 112, 896, 12, 0.0003125},
          {50, 120, 960, 13, 0.00015625},
          {50, 128, 1024, 14, 7.8125e-05},
          {50, 136, 1088, 15, 3.90625e-05},
          {50, 144, 1152, 16, 1.953125e-05}}},
        {0.05, 300, 3, 0, {{300, 288, 2304, 6, 0.025}, {900, 1032, 8256, 7, 0.0125}}},
        {0.001, 50000, 2, 0, {{50000, 98880, 791040, 11, 0.0005}}},
        {0.000001, 300000000, 2, 0, {{300000000, 1132420136, 9059361088, 21, 5e-7}}},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const bp_scalable_bloom_config c = {.fpr = row[i].fpr,
                                            .items = row[i].items,
                                            .growth = row[i].growth,
                                            .layers = row[i].layers,
                                            .layout = REDIS};
        for (uint32_t k = 0; k < 10 && row[i].has[k].items; k++) {
            bp_scalable_bloom_layer l;
            assert_int_equal(layer_of(&c, k, &l), BP_OK);
            assert_int_equal(l.items, row[i].has[k].items);
            assert_int_equal(l.bits, row[i].has[k].bits);
            assert_int_equal(l.bits, 8 * row[i].has[k].bytes);
            assert_int_equal(l.hashes, row[i].has[k].hashes);
            assert_true(l.fpr >= row[i].has[k].fpr && l.fpr <= row[i].has[k].fpr);
        }
    }
}

/* Its own formula, with this machine's logarithm; powers of two, where the hashes stand
 * on the edge, too. */
void the_series_of_redisbloom_agrees_with_floating_point(void **state)
{
    (void)state;
    uint64_t rng = 4;
    size_t compared = 0;
    for (int i = 0; i < (bp_test_quick ? 3000 : 100000); i++) {
        const double u = (double)(bp_rng_next(&rng) >> 11) * 0x1p-53;
        const double v = (double)(bp_rng_next(&rng) >> 11) * 0x1p-53;
        const bp_scalable_bloom_config c = {.fpr = i < 38 ? ldexp(1, -2 - i)
                                                          : exp(-1.4 - 26 * u),
                                            .items = 1 + (uint64_t)exp(20 * v),
                                            .layers = 1,
                                            .layout = REDIS};
        const double bpe = fabs(log(c.fpr) / 0.480453013918201);
        const uint64_t bits = (uint64_t)floor((double)c.items * bpe);
        bp_scalable_bloom_layer l;
        if (layer_of(&c, 0, &l))
            continue;
        compared++;
        assert_int_equal(l.bits, ((bits ? bits : 1) + 63) / 64 * 64);
        assert_int_equal(l.hashes, (uint32_t)ceil(0.693147180559945 * bpe));
    }
    assert_true(compared > 1000);
}

void configurations_out_of_range_are_refused_in_words(void **state)
{
    (void)state;
    static const struct {
        bp_scalable_bloom_config c;
        const char *what;
    } row[] = {
        {{.items = (UINT64_C(1) << 40) + 1}, "the first layer's items must be 1 to 2^40"},
        {{.fpr = 0.26}, "the false positive rate must lie between 1e-12 and 0.25"},
        {{.fpr = 9e-13}, "the false positive rate must lie between 1e-12 and 0.25"},
        {{.fpr = -1}, "the false positive rate must lie between 1e-12 and 0.25"},
        {{.fpr = NAN}, "the false positive rate must lie between 1e-12 and 0.25"},
        {{.tightening = 0.09}, "tightening must lie between 0.1 and 0.95"},
        {{.tightening = 1}, "tightening must lie between 0.1 and 0.95"},
        {{.tightening = NAN}, "tightening must lie between 0.1 and 0.95"},
        {{.growth = 32769}, "growth must be 1 to 32768"},
        {{.layers = 65}, "layers must be 1 to 64"},
        {{.layout = 4}, "there is no such layout"},
        {{.layout = REDIS, .tightening = 0.8}, "RedisBloom's layers tighten by 0.5"},
        {{.reserved32 = 1}, "a reserved configuration field is set"},
        {{.items = UINT64_C(1) << 40, .fpr = 1e-9},
         "a 64-bit hash cannot keep so low a false positive rate for so many items"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        bp_scalable_bloom *s = (bp_scalable_bloom *)&i;
        bp_scalable_bloom_layer l;
        bp_detail why = {BP_OK, NULL, 7, 0, 0};
        assert_int_equal(bp_scalable_bloom_new(&s, &row[i].c, &why), BP_PARAM);
        assert_null(s);
        assert_int_equal(strncmp(why.what, row[i].what, strlen(row[i].what)), 0);
        assert_int_equal(why.at, 0);
        assert_int_equal(layer_of(&row[i].c, 0, &l), BP_PARAM);
    }
    bp_scalable_bloom_layer l;
    assert_int_equal(
        layer_of(&(bp_scalable_bloom_config){.items = 9, .growth = 1, .layout = CLASSIC},
                 63, &l),
        BP_OK);
}
