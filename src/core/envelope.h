/* SPDX-License-Identifier: MIT
 * envelope.h - the frame around every sketch's bytes; knows no sketch. The layout is
 * in envelope.c and docs/FORMAT.md. */
#ifndef BP_ENVELOPE_H
#define BP_ENVELOPE_H

#include "core/core.h"
#include "core/cursor.h"

enum {
    BP_ENVELOPE_VERSION = 1,
    BP_ENVELOPE_FIXED = 56, /* bytes before the parameters             */
    BP_ENVELOPE_PARAMS_MAX = 4096,
    BP_ENVELOPE_HEADER_MAX = 4160,
    BP_ENVELOPE_BLOCK = 1 << 20, /* payload bytes under one checksum        */
    BP_ENVELOPE_MIN = 64
};

/* Optional flags whose own parameters follow the kind's, to be skipped by a reader that
 * does not know them. */
#define BP_OPTIONAL_WITH_PARAMS 0xFFFF0000u
/* One of them: what a filter was told of its answers (object.c); always the last
 * parameters of all. */
#define BP_OPTIONAL_FEEDBACK 0x00020000u
enum { BP_FEEDBACK_SIZE = 16 };

typedef struct bp_envelope {
    uint16_t kind;
    uint16_t rule;     /* how positions are taken from the hash       */
    uint32_t required; /* flags a reader must understand              */
    uint32_t optional; /* flags a reader may ignore                   */
    uint32_t hash;     /* a bp_hash_id                                */
    uint64_t seed;     /* the hash's seed, or a keyed hash's check    */
    const uint8_t *params;
    size_t params_size;
    const uint8_t *payload;
    uint64_t payload_size;
    uint64_t payload_at; /* offset of the payload                       */
} bp_envelope;

/* Header bytes for params_size bytes of parameters: where the payload begins. */
BP_INTERNAL size_t bp_envelope_header_size(size_t params_size);
/* The whole: header, payload, padding, checksums. 0 when it does not fit a size_t. */
BP_INTERNAL size_t bp_envelope_size(size_t params_size, uint64_t payload_size);

/* Writes the header (e->params is copied) into buf, and with the payload in place at
 * payload_at, the padding and the checksums. buf has bp_envelope_size bytes. */
BP_INTERNAL void bp_envelope_seal(const bp_envelope *e, uint8_t *buf);
/* The bytes [from, from + n) of the same, which must be among the bp_envelope_size there
 * are; the payload is where e->payload points. */
BP_INTERNAL void bp_envelope_part(const bp_envelope *e, uint64_t from, uint8_t *buf,
                                  size_t n);

/* Reads and checks a header and the lengths it states. `whole`: the n bytes must be
 * all of it; otherwise they may be only the header, and nothing past it is read. */
BP_INTERNAL bp_status bp_envelope_open(bp_envelope *e, const void *bytes, size_t n,
                                       bool whole, bp_detail *why);
/* Checks every block of the payload, and that the padding is zero. */
BP_INTERNAL bp_status bp_envelope_verify(const bp_envelope *e, bp_detail *why);
/* Checks block i alone; BP_PARAM: there is none. */
BP_INTERNAL bp_status bp_envelope_verify_block(const bp_envelope *e, uint64_t i,
                                               bp_detail *why);

#endif
