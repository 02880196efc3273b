/* SPDX-License-Identifier: MIT
 * tokens.c - runs of tokens: search, count, unite. */
#include "parts/tokens.h"

/* Halving without branches on the data: tokens are random, a predictor would fail. */
size_t bp_tokens_find(const uint8_t *run, size_t n, uint32_t t)
{
    size_t at = 0;
    while (n > 1) {
        const size_t half = n / 2;
        at += bp_token_at(run, at + half - 1) < t ? half : 0;
        n -= half;
    }
    return at + (n == 1 && bp_token_at(run, at) < t);
}

size_t bp_tokens_lacking(const uint8_t *a, size_t na, const uint8_t *b, size_t nb)
{
    size_t i = 0, j = 0, common = 0;
    while (i < na && j < nb) {
        const uint32_t x = bp_token_at(a, i), y = bp_token_at(b, j);
        common += x == y;
        i += x <= y;
        j += y <= x;
    }
    return nb - common;
}

/* The end of run a[0, n) less its tokens above t, looked for from the back in doubling
 * steps: it is near. */
static size_t tokens_above(const uint8_t *a, size_t n, uint32_t t)
{
    size_t step = 1;
    while (step < n && bp_token_at(a, n - step) > t)
        step *= 2;
    const size_t from = step < n ? n - step : 0;
    const size_t at = from + bp_tokens_find(a + 4 * from, n - from, t);
    return at < n && bp_token_at(a, at) == t ? at + 1 : at;
}

/* A short run b into a long one: what lies between its tokens moves in blocks. */
static void tokens_unite_short(uint8_t *a, size_t na, const uint8_t *b, size_t nb,
                               size_t all)
{
    while (nb) {
        const uint32_t y = bp_token_at(b, nb - 1);
        const size_t keep = tokens_above(a, na, y);
        all -= na - keep;
        memmove(a + 4 * all, a + 4 * keep, 4 * (na - keep));
        na = keep && bp_token_at(a, keep - 1) == y ? keep - 1 : keep;
        bp_store32(a + 4 * --all, y);
        nb--;
    }
}

/* From the back, so that nothing is overwritten before it is read. Once b is used up
 * the rest of a is in its place already. */
void bp_tokens_unite(uint8_t *a, size_t na, const uint8_t *b, size_t nb, size_t all)
{
    if (na / 32 > nb) {
        tokens_unite_short(a, na, b, nb, all);
        return;
    }
    while (nb) {
        const uint32_t y = bp_token_at(b, nb - 1);
        const uint32_t x = na ? bp_token_at(a, na - 1) : 0;
        const bool from_a = na && x >= y;
        const bool from_b = !na || y >= x;
        bp_store32(a + 4 * --all, from_a ? x : y);
        na -= from_a;
        nb -= from_b;
    }
}

size_t bp_tokens_bad(const uint8_t *run, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t t = bp_token_at(run, i);
        if ((t & 63) > BP_TOKEN_ZEROS_MAX || (i && t <= bp_token_at(run, i - 1)))
            return i;
    }
    return n;
}
