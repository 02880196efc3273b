/* SPDX-License-Identifier: MIT
 * repair.h - makes the checksums of damaged bytes right again: a checksum hides the
 * decoder behind it from tests and fuzzers. */
#ifndef BP_TESTS_REPAIR_H
#define BP_TESTS_REPAIR_H

#include "core/envelope.h"
#include "core/xxh.h"

/* Writes the header's checksum and those of the payload's blocks anew, wherever the
 * lengths that the header states lie inside the n bytes. */
static inline void bp_repair(uint8_t *bytes, size_t n)
{
    if (n < BP_ENVELOPE_MIN)
        return;
    const uint64_t header = bp_load32(bytes + 36), payload = bp_load64(bytes + 40);
    if (header < BP_ENVELOPE_MIN || header > n)
        return;
    bp_store64(bytes + header - 8, XXH3_64bits(bytes, (size_t)header - 8));
    if (payload > n - header)
        return;
    uint64_t at = header + bp_round_up(payload, 8);
    for (uint64_t i = 0; i < payload && at + 8 <= n; i += BP_ENVELOPE_BLOCK, at += 8) {
        const uint64_t left = payload - i;
        const uint64_t block = left < BP_ENVELOPE_BLOCK ? left : BP_ENVELOPE_BLOCK;
        bp_store64(bytes + at, XXH3_64bits(bytes + header + i, (size_t)block));
    }
}

/* `have` is what re-encoding `was` must give: the same to the byte, but for optional
 * flags (and the parameters that those in the high half bring) that this version drops.
 */
static inline bool bp_reencoded(const uint8_t *have, size_t n, const uint8_t *was,
                                size_t was_n)
{
    bp_envelope a, b;
    if (bp_envelope_open(&a, have, n, true, NULL) ||
        bp_envelope_open(&b, was, was_n, true, NULL) || bp_envelope_verify(&a, NULL))
        return false;
    const bool dropped = a.params_size < b.params_size && b.optional >> 16;
    const size_t last = a.optional & BP_OPTIONAL_FEEDBACK ? BP_FEEDBACK_SIZE : 0;
    return memcmp(have, was, 16) == 0 && (a.optional & ~b.optional) == 0 &&
           memcmp(have + 20, was + 20, 12) == 0 &&
           (a.params_size == b.params_size || dropped) &&
           memcmp(a.params, b.params, a.params_size - last) == 0 &&
           memcmp(a.params + a.params_size - last, b.params + b.params_size - last,
                  last) == 0 &&
           a.payload_size == b.payload_size &&
           memcmp(a.payload, b.payload, (size_t)a.payload_size) == 0;
}

#endif
