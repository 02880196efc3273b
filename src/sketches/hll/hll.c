/* SPDX-License-Identifier: MIT
 * hll.c - HyperLogLog: how many different keys?
 *
 * Problem   A set that holds every visitor's id to count them costs gigabytes. A hash
 *           with k leading zeros turns up once in 2^k keys, so the longest run of zeros
 *           seen tells how many different hashes there were, repeats not counted. One
 *           run is a rough guess; m = 2^p of them, each over its share of the keys, are
 *           a good one (Flajolet, Fusy, Gandouet, Meunier, AofA 2007).
 *
 *   64-bit hash   [ p bits: register i | 000001.............. ]
 *                                        '----' rank = zeros + 1, at most 64 - p + 1
 *   register i    the largest rank it has met, 6 bits, packed as Redis packs them:
 *
 *   byte           0        1        2        3
 *   register    1100 0000 2222 1111 3333 3322 5544 4444     (high bits first)
 *
 * Few keys  A new sketch is sparse: it keeps each hash as a 32-bit token that loses
 *           nothing a register of any p <= 26 would see (parts/tokens.h; after Heule,
 *           Nunkesser, Hall, EDBT 2013, section 5.3). Counting different tokens is
 *           exact but for odds of n^2 / (6 * 2^26). When there would be more than
 *           T = max(128, 3/16 m) of them, that is more bytes than registers take, they
 *           are replayed into registers. So the form, and every byte, follows from the
 *           set of keys alone: not from their order, batches or merges.
 *
 *   cells, sparse   | tokens, ascending | tokens, ascending |   no token twice
 *                     head.sorted of them  at most 256
 *           A new token goes into the short second run, which is cheap; a full second
 *           run is united with the first in one pass. The payload is one run.
 *
 * Estimate  Ertl, arXiv:1702.01284, algorithm 6:  n = m^2 / (2 ln 2) / z,
 *           z = m sigma(C0/m) + sum C_k 2^-k + m tau(1 - C_q+1/m) 2^-q,  q = 64 - p
 *           with C_k registers equal to k: one formula from the first key to 10^18, no
 *           thresholds and no tables of bias, which is where other HyperLogLogs jump.
 *
 *           standard error <= 1.04 / sqrt(m);   |bias| <= 1.1 / m
 *
 * Speed     A hash whose rank is below every register's value changes nothing: batches
 *           are sifted by one comparison first (hll_sift_avx2.inc), so that adding gets
 *           faster the more is in.
 *
 * What we do differently, and why: ranges use the variance at the n in question (half
 * of 1.04^2 / m while few registers are set, see hll_estimate.c), so that 95 % means
 * 95 % at every n. No 2^32 correction: hashes have 64 bits. A concurrent sketch has a
 * register a byte in memory, which threads raise by compare-and-swap. */
#include "sketches/hll/hll_state.h"

#include "core/cpu.h"
#include "core/mathx.h"
#include "hash/hash.h"

#include <math.h>

static bp_hll_head *hll_head(const bp_object *o)
{
    return (bp_hll_head *)o->head;
}

static size_t hll_tokens(const bp_object *o)
{
    return o->cells_size / 4;
}

/* ------------------------------------------------------------------ configuration */

static bp_status hll_setup(void *head, const void *cfg, bp_detail *why)
{
    bp_hll_head *h = (bp_hll_head *)head;
    const bp_hll_config *c = (const bp_hll_config *)cfg;
    const uint32_t p = c->precision ? c->precision : BP_HLL_PRECISION_DEFAULT;
    if (p < BP_HLL_PRECISION_MIN || p > BP_HLL_PRECISION_MAX)
        return bp_fail(why, BP_PARAM, "precision must be 4 to 18", p,
                       p < BP_HLL_PRECISION_MIN ? BP_HLL_PRECISION_MIN
                                                : BP_HLL_PRECISION_MAX);
    if (c->reserved8[0] || c->reserved8[1])
        return bp_fail(why, BP_PARAM, "a reserved configuration field is set", 1, 0);
    h->head.concurrent = c->concurrent;
    h->precision = (uint8_t)p;
    h->dense = c->dense || c->concurrent;
    h->form = (uint8_t)(c->concurrent ? BP_HLL_BYTES
                        : c->dense    ? BP_HLL_DENSE
                                      : BP_HLL_SPARSE);
    return BP_OK;
}

static void hll_config(const void *head, void *cfg)
{
    const bp_hll_head *h = (const bp_hll_head *)head;
    bp_hll_config *c = (bp_hll_config *)cfg;
    c->precision = h->precision;
    c->concurrent = h->head.concurrent;
    c->dense = h->dense;
}

/* Bytes of registers in memory, with what the 16-bit writes need. */
static size_t hll_room(unsigned precision)
{
    return bp_hll_dense_size(precision) + BP_PACKED6_SPARE;
}

static size_t hll_cells_size(const void *head)
{
    const bp_hll_head *h = (const bp_hll_head *)head;
    if (h->form == BP_HLL_BYTES)
        return bp_hll_registers(h->precision);
    return h->form == BP_HLL_DENSE ? hll_room(h->precision) : 0;
}

/* Becoming dense needs the tokens and the registers side by side for a moment. */
static size_t hll_cells_max(const void *head)
{
    const bp_hll_head *h = (const bp_hll_head *)head;
    if (h->form != BP_HLL_SPARSE)
        return hll_cells_size(head);
    return hll_room(h->precision) + 4 * bp_hll_tokens_max(h->precision);
}

/* ------------------------------------------------------------------- dense adding */

/* The register's index and the hash's bits after the index, stopped by a one so that
 * the leading zeros of a hash that is all zeros are counted right. */
static BP_ALWAYS_INLINE unsigned hll_rank(uint64_t hash, unsigned p)
{
    return (unsigned)BP_CLZ64(hash << p | UINT64_C(1) << (p - 1)) + 1;
}

static void hll_raise_byte(uint8_t *cell, unsigned rank)
{
    uint8_t old = BP_LOAD_RELAXED(cell);
    while (rank > old && !BP_CAS_RELAXED(cell, &old, (uint8_t)rank)) {
    }
}

#define SUFFIX _portable
#define TARGET
#include "sketches/hll/hll_kernels.inc"
#if BP_X86
#define SUFFIX _avx2
#define TARGET BP_TARGET_AVX2
#include "sketches/hll/hll_kernels.inc"
#endif

static void hll_add_packed(uint8_t *cells, unsigned p, const uint64_t *hashes, size_t n)
{
#if BP_X86
    if (bp_cpu() & BP_CPU_AVX2) {
        hll_add_packed_avx2(cells, p, hashes, n);
        return;
    }
#endif
    hll_add_packed_portable(cells, p, hashes, n);
}

/* Once every register is at least `floor`, a hash without as many zeros behind its index
 * changes nothing, and one comparison tells. At 100 keys a register 15 of 16 hashes go
 * that way. kept has room for n and 3 more; returns how many stay. */
static size_t hll_sift_portable(const uint64_t *hashes, size_t n, uint64_t zeros,
                                uint64_t *kept)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        kept[k] = hashes[i];
        k += (hashes[i] & zeros) == 0;
    }
    return k;
}

#if BP_X86
#include "sketches/hll/hll_sift_avx2.inc"
#endif

static size_t hll_sift(const uint64_t *hashes, size_t n, uint64_t zeros, uint64_t *kept)
{
#if BP_X86
    if (bp_cpu() & BP_CPU_AVX2)
        return hll_sift_avx2(hashes, n, zeros, kept);
#endif
    return hll_sift_portable(hashes, n, zeros, kept);
}

/* Finds the lowest register; looks no further once it is the old floor. */
static void hll_find_floor(bp_object *o)
{
    bp_hll_head *h = hll_head(o);
    const size_t m = bp_hll_registers(h->precision);
    unsigned least = bp_hll_top(h->precision) - 1; /* above it nothing could go */
    for (size_t i = 0; i < m && least > h->floor; i++) {
        const unsigned v = bp_packed6_get(o->cells, i);
        least = v < least ? v : least;
    }
    h->floor = (uint8_t)least;
    h->tried = 0;
}

static void hll_add_sifted(bp_object *o, const uint64_t *hashes, size_t n)
{
    bp_hll_head *h = hll_head(o);
    const unsigned p = h->precision;
    uint64_t kept[BP_HASH_BATCH + 3];
    while (n) {
        const size_t some = n < BP_HASH_BATCH ? n : BP_HASH_BATCH;
        const uint64_t *these = hashes;
        size_t k = some;
        if (h->floor && some > 8) { /* a few are not worth it */
            const uint64_t zeros = (UINT64_C(1) << h->floor) - 1;
            k = hll_sift(hashes, some, zeros << (64 - p - h->floor), kept);
            these = kept;
        }
        hll_add_packed(o->cells, p, these, k);
        h->tried += (uint32_t)k;
        if (h->tried >> (p + 2)) /* four times for each register */
            hll_find_floor(o);
        hashes += some;
        n -= some;
    }
}

static void hll_add_dense(bp_object *o, const uint64_t *hashes, size_t n)
{
    const unsigned p = hll_head(o)->precision;
    if (hll_head(o)->form != BP_HLL_BYTES) {
        hll_add_sifted(o, hashes, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        hll_raise_byte(o->cells + (hashes[i] >> (64 - p)), hll_rank(hashes[i], p));
}

static void hll_replay(bp_object *o, const uint8_t *tokens, size_t n)
{
    uint64_t hashes[BP_HASH_BATCH];
    while (n) {
        const size_t some = n < BP_HASH_BATCH ? n : BP_HASH_BATCH;
        for (size_t i = 0; i < some; i++)
            hashes[i] = bp_token_hash(bp_token_at(tokens, i));
        hll_add_dense(o, hashes, some);
        tokens += 4 * some;
        n -= some;
    }
}

/* From tokens to registers. Nothing has changed on failure. */
static bp_status hll_become_dense(bp_object *o, unsigned precision, bp_detail *why)
{
    const size_t n = hll_tokens(o), room = hll_room(precision);
    bp_status st = bp_object_resize(o, room + 4 * n, why);
    if (st) /* the tokens are still there, and their number is what cells_size says */
        return st;
    uint8_t *tokens = o->cells + room;
    memmove(tokens, o->cells, 4 * n);
    memset(o->cells, 0, room);
    o->cells_size = room;
    hll_head(o)->form = BP_HLL_DENSE;
    hll_head(o)->precision = (uint8_t)precision;
    hll_head(o)->sorted = 0;
    hll_replay(o, tokens, n);
    bp_object_trim(o);
    return BP_OK;
}

/* ------------------------------------------------------------------ sparse adding */

/* Unites the second run with the first. It always fits: both are there already. */
static void hll_settle(bp_object *o)
{
    bp_hll_head *h = hll_head(o);
    uint8_t second[4 * BP_HLL_TAIL_MAX];
    const size_t all = hll_tokens(o), tail = all - h->sorted;
    if (h->form != BP_HLL_SPARSE || tail == 0)
        return;
    if (h->sorted) {
        memcpy(second, o->cells + 4 * (size_t)h->sorted, 4 * tail);
        bp_tokens_unite(o->cells, h->sorted, second, tail, all);
    }
    h->sorted = (uint32_t)all;
}

/* Room for `tokens`, in small steps: most sketches of a large family stay small. */
static bp_status hll_make_room(bp_object *o, size_t tokens, bp_detail *why)
{
    const size_t most = bp_hll_tokens_max(hll_head(o)->precision);
    const size_t used = o->cells_size;
    if (4 * tokens <= o->cells_cap)
        return BP_OK;
    size_t want = tokens + tokens / 4 + 3;
    want = want < most ? want & ~(size_t)3 : most;
    bp_status st = bp_object_resize(o, 4 * (want > tokens ? want : tokens), why);
    if (!st)
        o->cells_size = used;
    return st;
}

static void hll_insert(bp_object *o, size_t at, uint32_t token)
{
    const size_t n = hll_tokens(o);
    memmove(o->cells + 4 * (at + 1), o->cells + 4 * at, 4 * (n - at));
    bp_store32(o->cells + 4 * at, token);
    o->cells_size += 4;
}

static size_t hll_tail_limit(size_t sorted)
{
    const size_t limit = 16 + sorted / 4;
    return limit < BP_HLL_TAIL_MAX ? limit : BP_HLL_TAIL_MAX;
}

/* One token, or BP_FULL when it is new and one too many. */
static bp_status hll_add_token(bp_object *o, uint32_t token, bp_detail *why)
{
    const size_t n = hll_tokens(o), sorted = hll_head(o)->sorted;
    const size_t first = bp_tokens_find(o->cells, sorted, token);
    if (first < sorted && bp_token_at(o->cells, first) == token)
        return BP_OK;
    size_t at = sorted + bp_tokens_find(o->cells + 4 * sorted, n - sorted, token);
    if (at < n && bp_token_at(o->cells, at) == token)
        return BP_OK;
    if (n == bp_hll_tokens_max(hll_head(o)->precision))
        return BP_FULL;
    bp_status st = hll_make_room(o, n + 1, why);
    if (st)
        return st;
    if (n - sorted == hll_tail_limit(sorted)) {
        hll_settle(o);
        at = n;
    }
    hll_insert(o, at, token);
    return BP_OK;
}

/* Adds while it stays sparse; *done: how many. Keys that come again and again are known
 * by the tokens last seen, one a slot, and cost no search. */
static bp_status hll_add_sparse(bp_object *o, const uint64_t *hashes, size_t n,
                                size_t *done, bp_detail *why)
{
    enum { SEEN = 256 };
    uint32_t seen[SEEN];
    const size_t slots = n < SEEN / 4 ? 1 : SEEN;
    memset(seen, 0xff, slots * sizeof *seen); /* which no token is */
    for (*done = 0; *done < n; ++*done) {
        const uint32_t token = bp_token(hashes[*done]);
        uint32_t *slot = &seen[token >> 6 & (slots - 1)];
        if (*slot == token)
            continue;
        *slot = token;
        const bp_status st = hll_add_token(o, token, why);
        if (st)
            return st;
    }
    return BP_OK;
}

static bp_status hll_add_hashes(bp_object *o, const uint64_t *hashes, size_t n,
                                bp_detail *why)
{
    size_t i = 0;
    if (hll_head(o)->form == BP_HLL_SPARSE) {
        bp_status st = hll_add_sparse(o, hashes, n, &i, why);
        if (st == BP_FULL)
            st = hll_become_dense(o, hll_head(o)->precision, why);
        if (st)
            return st;
    }
    if (i < n) /* hashes may be NULL when there are none */
        hll_add_dense(o, hashes + i, n - i);
    return BP_OK;
}

static bp_status hll_add_n(bp_object *o, const bp_bytes *keys, size_t n, bp_detail *why)
{
    uint64_t hashes[BP_HASH_BATCH];
    const bp_head *h = &hll_head(o)->head;
    if (h->keyless)
        return bp_fail(why, BP_UNSUPPORTED, "opened without its key: nothing to add with",
                       0, 0);
    while (n) {
        const size_t some = n < BP_HASH_BATCH ? n : BP_HASH_BATCH;
        bp_hash_n(&h->hash, keys, some, hashes);
        bp_status st = hll_add_hashes(o, hashes, some, why);
        if (st)
            return st;
        h = &hll_head(o)->head; /* it moves when the cells grow */
        keys += some;
        n -= some;
    }
    return BP_OK;
}

/* ------------------------------------------------------------------------- merging */

static bp_status hll_same(const bp_object *dst, const bp_object *src, bp_detail *why)
{
    if (hll_head(dst)->precision == hll_head(src)->precision)
        return BP_OK;
    return bp_fail(why, BP_MISMATCH,
                   "the precisions differ; fold the higher one down to the lower",
                   hll_head(dst)->precision, hll_head(src)->precision);
}

enum { HLL_CHUNK = 256 }; /* registers read at a time from concurrent sketches */

/* Registers [at, at + n) of a concurrent sketch, packed; adds may be running. */
static void hll_read_bytes(const bp_object *o, size_t at, size_t n, uint8_t *packed)
{
    uint8_t bytes[HLL_CHUNK];
    bp_object_copy(o, bytes, o->cells + at, n);
    bp_packed6_pack(packed, bytes, n);
}

static size_t hll_chunk(const bp_object *o)
{
    const size_t m = bp_hll_registers(hll_head(o)->precision);
    return m < HLL_CHUNK ? m : HLL_CHUNK;
}

static void hll_merge_registers(bp_object *dst, const bp_object *src)
{
    const size_t m = bp_hll_registers(hll_head(dst)->precision), step = hll_chunk(dst);
    if (hll_head(dst)->form == BP_HLL_DENSE && hll_head(src)->form == BP_HLL_DENSE) {
        bp_packed6_max(dst->cells, src->cells, m);
        return;
    }
    uint8_t packed[HLL_CHUNK / 4 * 3];
    for (size_t at = 0; at < m; at += step) {
        const uint8_t *from = src->cells + bp_packed6_size(at);
        if (hll_head(src)->form == BP_HLL_BYTES) {
            hll_read_bytes(src, at, step, packed);
            from = packed;
        }
        if (hll_head(dst)->form == BP_HLL_DENSE)
            bp_packed6_max(dst->cells + bp_packed6_size(at), from, step);
        else
            for (size_t i = 0; i < step; i++)
                hll_raise_byte(dst->cells + at + i, bp_packed6_get(from, i));
    }
}

/* Both sparse: the runs are united when the union is small enough. BP_FULL: it is not. */
static bp_status hll_merge_sparse(bp_object *dst, const bp_object *src, bp_detail *why)
{
    const size_t first = hll_head(src)->sorted, second = hll_tokens(src) - first;
    const uint8_t *run = src->cells, *tail = src->cells + 4 * first;
    hll_settle(dst);
    const size_t had = hll_tokens(dst);
    const size_t middle = had + bp_tokens_lacking(dst->cells, had, run, first);
    const size_t all = middle + bp_tokens_lacking(dst->cells, had, tail, second);
    if (all > bp_hll_tokens_max(hll_head(dst)->precision))
        return BP_FULL;
    bp_status st = hll_make_room(dst, all, why);
    if (st)
        return st;
    bp_tokens_unite(dst->cells, had, run, first, middle);
    bp_tokens_unite(dst->cells, middle, tail, second, all);
    dst->cells_size = 4 * all;
    hll_head(dst)->sorted = (uint32_t)all;
    return BP_OK;
}

static bp_status hll_check_payload(const void *head, const uint8_t *payload, size_t n,
                                   bp_detail *why)
{
    const bp_hll_head *h = (const bp_hll_head *)head;
    const unsigned top = bp_hll_top(h->precision);
    if (h->form == BP_HLL_SPARSE) {
        const size_t bad = bp_tokens_bad(payload, n / 4);
        if (bad == n / 4)
            return BP_OK;
        return bp_fail_at(why, BP_CORRUPT, "a token out of order or with too many zeros",
                          4 * bad, bp_token_at(payload, bad), 0);
    }
    const size_t m = bp_hll_registers(h->precision);
    const size_t bad = bp_packed6_above(payload, m, top);
    if (bad == m)
        return BP_OK;
    return bp_fail_at(why, BP_CORRUPT, "a register larger than any hash makes it",
                      bad * 6 / 8, bp_packed6_get(payload, bad), top);
}

/* A view's bytes may be anything: what is copied out of one is checked first. */
static bp_status hll_check_view(const bp_object *o, bp_detail *why)
{
    return o->form == BP_VIEW ? hll_check_payload(o->head, o->cells, o->cells_size, why)
                              : BP_OK;
}

static bp_status hll_merge(bp_object *dst, const bp_object *src, bp_detail *why)
{
    if (dst == src)
        return BP_OK;
    bp_status st = hll_check_view(src, why);
    if (st)
        return st;
    const bool sparse = hll_head(src)->form == BP_HLL_SPARSE;
    if (hll_head(dst)->form == BP_HLL_SPARSE) {
        st = sparse ? hll_merge_sparse(dst, src, why) : BP_FULL;
        if (st == BP_FULL)
            st = hll_become_dense(dst, hll_head(dst)->precision, why);
        if (st || hll_head(dst)->form == BP_HLL_SPARSE)
            return st;
    }
    if (sparse)
        hll_replay(dst, src->cells, hll_tokens(src));
    else
        hll_merge_registers(dst, src);
    return BP_OK;
}

/* ------------------------------------------------------------------------- folding */

/* What the 2^drop registers from i on are at a precision lower by drop. The low bits of
 * their index become the first bits after it: all zero, and they lengthen the run of
 * zeros; else they hold the first one, and what followed does not matter. */
static unsigned hll_folded(const uint8_t *cells, size_t i, unsigned drop)
{
    unsigned most = 0;
    for (size_t j = 0; j < (size_t)1 << drop; j++) {
        unsigned v = bp_packed6_get(cells, i + j);
        if (v)
            v = j ? drop - (63 - (unsigned)BP_CLZ64(j)) : v + drop;
        most = v > most ? v : most;
    }
    return most;
}

/* In place: register i is written when all up to i << drop have been read. */
static void hll_fold_dense(bp_object *o, unsigned precision)
{
    const unsigned drop = hll_head(o)->precision - precision;
    const size_t m = bp_hll_registers(precision), used = bp_hll_dense_size(precision);
    for (size_t i = 0; i < m; i++)
        bp_packed6_set(o->cells, i, hll_folded(o->cells, i << drop, drop));
    memset(o->cells + used, 0, o->cells_size - used);
    o->cells_size = hll_room(precision);
    hll_head(o)->precision = (uint8_t)precision;
    hll_head(o)->floor = 0;
    bp_object_trim(o);
}

static bp_status hll_fold(bp_object *o, uint32_t precision, bp_detail *why)
{
    const bp_hll_head *h = hll_head(o);
    if (precision < BP_HLL_PRECISION_MIN || precision > h->precision)
        return bp_fail(why, BP_PARAM,
                       "folding goes down only: from 4 to the sketch's precision",
                       precision, h->precision);
    if (h->form == BP_HLL_BYTES)
        return bp_fail(why, BP_UNSUPPORTED, "a concurrent sketch cannot be folded",
                       precision, h->precision);
    if (precision == h->precision)
        return BP_OK;
    if (h->form == BP_HLL_DENSE)
        hll_fold_dense(o, precision);
    else if (hll_tokens(o) > bp_hll_tokens_max(precision))
        return hll_become_dense(o, precision, why);
    else
        hll_head(o)->precision = (uint8_t)precision;
    return BP_OK;
}

/* --------------------------------------------------------------------------- bytes */

static void hll_put_params(const bp_object *o, bp_writer *w)
{
    const bp_hll_head *h = hll_head(o);
    bp_put8(w, h->precision);
    bp_put8(w, h->form == BP_HLL_SPARSE ? BP_HLL_SPARSE : BP_HLL_DENSE);
    bp_put8(w, h->dense);
    bp_put8(w, 0);
    bp_put32(w, 0);
}

static bp_status hll_payload_size(const bp_object *o, uint64_t *size, bp_detail *why)
{
    (void)why;
    *size = hll_head(o)->form == BP_HLL_SPARSE
                ? o->cells_size
                : bp_hll_dense_size(hll_head(o)->precision);
    return BP_OK;
}

static bp_status hll_put_payload(const bp_object *o, uint8_t *payload, size_t size,
                                 bp_detail *why)
{
    const bp_hll_head *h = hll_head(o);
    (void)why;
    if (h->form == BP_HLL_BYTES) {
        const size_t step = hll_chunk(o), m = bp_hll_registers(h->precision);
        for (size_t at = 0; at < m; at += step)
            hll_read_bytes(o, at, step, payload + bp_packed6_size(at));
    } else if (h->form == BP_HLL_SPARSE && h->sorted < hll_tokens(o)) {
        const uint8_t *second = o->cells + 4 * (size_t)h->sorted;
        memcpy(payload, o->cells, 4 * (size_t)h->sorted);
        bp_tokens_unite(payload, h->sorted, second, size / 4 - h->sorted, size / 4);
    } else if (size) {
        memcpy(payload, o->cells, size);
    }
    return BP_OK;
}

/* The payload's length, now that precision and form are known. */
static bp_status hll_check_length(bp_hll_head *h, uint64_t length, bp_detail *why)
{
    const size_t dense = bp_hll_dense_size(h->precision);
    const size_t most = 4 * bp_hll_tokens_max(h->precision);
    if (h->form == BP_HLL_DENSE && length != dense)
        return bp_fail_at(why, BP_CORRUPT, "a length that such registers do not have", 1,
                          length, dense);
    if (h->form == BP_HLL_SPARSE && (length % 4 || length > most))
        return bp_fail_at(why, BP_CORRUPT, "a length that so few tokens do not have", 1,
                          length, most);
    if (h->form == BP_HLL_SPARSE)
        h->sorted = (uint32_t)(length / 4);
    return BP_OK;
}

static bp_status hll_get_params(void *head, bp_reader *r, const bp_envelope *e,
                                bp_detail *why)
{
    bp_hll_head *h = (bp_hll_head *)head;
    h->precision = bp_get8(r);
    h->form = bp_get8(r);
    h->dense = bp_get8(r);
    const uint8_t zero8 = bp_get8(r);
    const uint32_t zero32 = bp_get32(r);
    if (r->short_)
        return bp_fail_at(why, BP_CORRUPT, "parameters are cut short", r->n, r->n, 8);
    if (h->precision < BP_HLL_PRECISION_MIN || h->precision > BP_HLL_PRECISION_MAX)
        return bp_fail_at(why, BP_CORRUPT, "precision is not 4 to 18", 0, h->precision,
                          BP_HLL_PRECISION_MAX);
    if (h->form > BP_HLL_DENSE)
        return bp_fail_at(why, BP_CORRUPT, "neither tokens nor registers", 1, h->form,
                          BP_HLL_DENSE);
    if (h->dense > 1 || (h->dense && h->form == BP_HLL_SPARSE))
        return bp_fail_at(why, BP_CORRUPT, "always dense, yet it is not", 2, h->dense,
                          h->form);
    if (zero8 || zero32)
        return bp_fail_at(why, BP_CORRUPT, "reserved parameters are not zero",
                          zero8 ? 3 : 4, zero8 ? zero8 : zero32, 0);
    return hll_check_length(h, e->payload_size, why);
}

static bp_status hll_get_payload(bp_object *o, const uint8_t *payload, size_t n,
                                 bp_detail *why)
{
    const bool dense = hll_head(o)->form == BP_HLL_DENSE;
    bp_status st = bp_object_resize(o, dense ? n + BP_PACKED6_SPARE : n, why);
    if (!st && n)
        memcpy(o->cells, payload, n);
    return st;
}

/* A clone of a view: its bytes are checked, and get the spare ones after them. */
static bp_status hll_copy(bp_object *dst, const bp_object *src, bp_detail *why)
{
    bp_status st = hll_check_view(src, why);
    if (st || src->form != BP_VIEW || hll_head(src)->form != BP_HLL_DENSE)
        return st;
    return bp_object_resize(dst, hll_room(hll_head(dst)->precision), why);
}

/* ---------------------------------------------------------------------- questions */

static void hll_sums(const bp_object *o, bp_packed6_sums *sums)
{
    const bp_hll_head *h = hll_head(o);
    const size_t m = bp_hll_registers(h->precision), step = hll_chunk(o);
    const unsigned top = bp_hll_top(h->precision);
    *sums = (bp_packed6_sums){0, 0, 0, 0};
    if (h->form == BP_HLL_DENSE) {
        bp_packed6_sum(sums, o->cells, m, top);
        return;
    }
    uint8_t packed[HLL_CHUNK / 4 * 3];
    for (size_t at = 0; at < m; at += step) {
        hll_read_bytes(o, at, step, packed);
        bp_packed6_sum(sums, packed, step, top);
    }
}

static bp_status hll_estimate(const bp_object *o, double confidence, bp_estimate *out,
                              bp_detail *why)
{
    bp_status st = bp_check_confidence(confidence, why);
    if (st)
        return st;
    if (hll_head(o)->form == BP_HLL_SPARSE) {
        bp_hll_from_tokens(hll_tokens(o), confidence, out);
        return BP_OK;
    }
    bp_packed6_sums sums;
    hll_sums(o, &sums);
    out->value = bp_hll_from_sums(hll_head(o)->precision, &sums);
    bp_hll_dense_range(hll_head(o)->precision, confidence, out);
    return BP_OK;
}

/* From here on keys that share all 64 bits of their hash are no longer rare beside the
 * standard error. */
#define HLL_NEAR 1e17

static void hll_describe(const bp_object *o, bp_description *d)
{
    const bp_hll_head *h = hll_head(o);
    const size_t m = bp_hll_registers(h->precision);
    bp_estimate e = {0, 0, 0};
    hll_estimate(o, 0.95, &e, NULL);
    if (e.value > HLL_NEAR) {
        d->health = isinf(e.value) ? BP_HEALTH_OVER : BP_HEALTH_NEAR;
        d->advice = "more different keys than 64 bits of hash can tell apart";
    }
    bp_say_whole(d, "precision", "", h->precision, true);
    bp_say_whole(d, "registers", "", m, true);
    bp_say_real(d, "standard_error", "fraction", bp_hll_standard_error(h->precision),
                true);
    bp_say_text(d, "form", h->form == BP_HLL_SPARSE ? "sparse" : "dense", false);
    bp_say_real(d, "estimate", "items", e.value, false);
    bp_say_real(d, "lower", "items", e.lower, false);
    bp_say_real(d, "upper", "items", e.upper, false);
    if (h->form == BP_HLL_SPARSE) {
        bp_say_whole(d, "tokens", "", hll_tokens(o), false);
        return;
    }
    bp_packed6_sums sums;
    hll_sums(o, &sums);
    bp_say_whole(d, "zero_registers", "", sums.zeros, false);
    bp_say_whole(d, "saturated_registers", "", sums.tops, false);
}

/* -------------------------------------------------------------------------- typed */

const bp_kind bp_kind_hll = {
    .name = "hll",
    .id = 0x0201,
    .rule = 1,
    .config_size = sizeof(bp_hll_config),
    .head_size = sizeof(bp_hll_head),
    .hashing = &bp_hashing_all,
    .setup = hll_setup,
    .config = hll_config,
    .cells_size = hll_cells_size,
    .cells_max = hll_cells_max,
    .same = hll_same,
    .merge = hll_merge,
    .put_params = hll_put_params,
    .payload_size = hll_payload_size,
    .put_payload = hll_put_payload,
    .get_params = hll_get_params,
    .check_payload = hll_check_payload,
    .get_payload = hll_get_payload,
    .describe = hll_describe,
    .add_n = hll_add_n,
    .add_hashes = hll_add_hashes,
    .estimate = hll_estimate,
    .copy = hll_copy,
};

BP_SKETCH_IMPL(hll);

bp_status bp_hll_add(bp_hll *s, const void *key, size_t n)
{
    bp_object *o = (bp_object *)s;
    if (hll_head(o)->head.keyless)
        return BP_UNSUPPORTED;
    const uint64_t hash = bp_hash(&hll_head(o)->head.hash, key, n);
    if (hll_head(o)->form != BP_HLL_DENSE)
        return hll_add_hashes(o, &hash, 1, NULL);
    hll_add_packed_portable(o->cells, hll_head(o)->precision, &hash, 1);
    return BP_OK;
}

bp_status bp_hll_add_n(bp_hll *s, const bp_bytes *keys, size_t n)
{
    return hll_add_n((bp_object *)s, keys, n, NULL);
}

bp_status bp_hll_add_hashes(bp_hll *s, const uint64_t *hashes, size_t n)
{
    return hll_add_hashes((bp_object *)s, hashes, n, NULL);
}

bp_status bp_hll_estimate(const bp_hll *s, double confidence, bp_estimate *out,
                          bp_detail *why)
{
    return hll_estimate((const bp_object *)s, confidence, out, why);
}

void bp_hll_settle(bp_hll *s)
{
    hll_settle((bp_object *)s);
    bp_object_trim((bp_object *)s);
}

bp_status bp_hll_fold(bp_hll *s, uint32_t precision, bp_detail *why)
{
    return hll_fold((bp_object *)s, precision, why);
}
