/* SPDX-License-Identifier: MIT
 * scalable_bloom_state.h - what a scalable filter knows, shared by its arithmetic
 * (scalable_bloom_series.c), its bytes (scalable_bloom_bytes.c) and the rest. */
#ifndef BP_SCALABLE_BLOOM_STATE_H
#define BP_SCALABLE_BLOOM_STATE_H

#include "core/object.h"

#include <ballpark/blocked_bloom.h>
#include <ballpark/bloom.h>
#include <ballpark/scalable_bloom.h>

enum {
    SCALABLE_LAYERS_MAX = 64,
    SCALABLE_CLASSIC = 0x0001, /* kinds: a bloom, a blocked_bloom */
    SCALABLE_BLOCKED = 0x0002
};

/* The configuration, with the defaults filled in. */
typedef struct scalable_design {
    uint64_t items;
    double fpr;
    double tightening;
    uint32_t growth;
    uint32_t layers; /* the most */
    uint32_t layout; /* never BP_SCALABLE_BLOOM_DEFAULT */
} scalable_design;

/* One layer of the series, made or not: its filter's configuration, filled in. */
typedef struct scalable_plan {
    bp_scalable_bloom_layer is;
    bool blocked;
    union {
        bp_config_prefix prefix;
        bp_bloom_config bloom;
        bp_blocked_bloom_config blocked;
    } config;
} scalable_plan;

typedef struct scalable_layer {
    bp_object *filter; /* a bloom or a blocked_bloom, with our hash */
    bp_scalable_bloom_layer is;
} scalable_layer;

/* There is at least one layer, which is empty only when it is alone. They lie in the
 * order of bp_scalable_compare, so that adds go to the last. */
typedef struct scalable_head {
    bp_head base;
    scalable_design design;
    scalable_layer *layers;
    uint32_t count;
    uint32_t room; /* layers that the array has room for */
} scalable_head;

static inline scalable_head *scalable_head_of(const bp_object *o)
{
    return (scalable_head *)o->head;
}

/* scalable_bloom_series.c */
BP_INTERNAL bp_status bp_scalable_solve(const bp_scalable_bloom_config *cfg,
                                        scalable_design *d, bp_detail *why);
/* BP_OK when d is one that bp_scalable_solve could have answered; why->at is where among
 * the encoded parameters the one at fault stands. */
BP_INTERNAL bp_status bp_scalable_check(const scalable_design *d, bp_detail *why);
/* Layer `index` of the series; BP_FULL past the last. */
BP_INTERNAL bp_status bp_scalable_plan(const scalable_design *d, uint32_t index,
                                       scalable_plan *out, bp_detail *why);

/* scalable_bloom_layers.c */
/* By index, keys added, and bits: what is equal is the same layer. */
BP_INTERNAL int bp_scalable_compare(const scalable_layer *a, const scalable_layer *b);
/* Room for one more layer; BP_NOMEM, and nothing changed. */
BP_INTERNAL bp_status bp_scalable_reserve(bp_object *o, uint32_t layers, bp_detail *why);
/* An empty layer after the last. */
BP_INTERNAL bp_status bp_scalable_grow(bp_object *o, bp_detail *why);
BP_INTERNAL bp_status bp_scalable_begin(bp_object *o, bp_detail *why);
BP_INTERNAL void bp_scalable_fini(bp_object *o);
BP_INTERNAL void bp_scalable_clear(bp_object *o);
BP_INTERNAL bp_status bp_scalable_copy(bp_object *dst, const bp_object *src,
                                       bp_detail *why);
BP_INTERNAL bp_status bp_scalable_merge(bp_object *dst, const bp_object *src,
                                        bp_detail *why);
/* Two layers have the same index: the filter was merged from two that differ. */
BP_INTERNAL bool bp_scalable_is_merged(const scalable_head *h);

/* scalable_bloom_bytes.c */
BP_INTERNAL void bp_scalable_put_params(const bp_object *o, bp_writer *w);
BP_INTERNAL bp_status bp_scalable_get_params(void *head, bp_reader *r,
                                             const bp_envelope *e, bp_detail *why);
BP_INTERNAL bp_status bp_scalable_payload_size(const bp_object *o, uint64_t *size,
                                               bp_detail *why);
BP_INTERNAL bp_status bp_scalable_put_payload(const bp_object *o, uint8_t *payload,
                                              size_t size, bp_detail *why);
BP_INTERNAL bp_status bp_scalable_get_payload(bp_object *o, const uint8_t *payload,
                                              size_t n, bp_detail *why);
BP_INTERNAL bp_status bp_scalable_open_view(bp_object *o, const bp_open *how,
                                            bp_detail *why);

#endif
