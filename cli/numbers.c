/* SPDX-License-Identifier: MIT
 * numbers.c - numbers as people write them, and as people read them.
 *
 * The only place that knows units. Counts and sizes are computed in whole numbers, so
 * that 2^63 is 2^63; fractions go through strtod, whose locale is always C here since
 * nothing calls setlocale. */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char byte;

/* A decimal number as digits * 10^exponent, digits without leading zeros. */
typedef struct decimal {
    char digits[64];
    int count;
    int exponent;
    const char *rest; /* what follows the number */
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Trailing zeros are only counted, so that 10000000000e-3 is whole. */
static const char *take_digits(decimal *d, const char *s, bool after_point, bool *any)
{
    for (; is_digit(*s); s++) {
        *any = true;
        if (after_point)
            d->exponent--;
        if (d->count == 0 && *s == '0')
            continue;
        if (d->count == (int)sizeof d->digits)
            return NULL;
        d->digits[d->count++] = *s;
    }
    return s;
}

/* NULL, or what is wrong. An e is an exponent only when digits follow. */
static const char *read_decimal(const char *s, decimal *d)
{
    memset(d, 0, sizeof *d);
    bool any = false;
    if (s[0] == '-' && (is_digit(s[1]) || (s[1] == '.' && is_digit(s[2]))))
        return "must not be negative";
    s = take_digits(d, s, false, &any);
    if (s && *s == '.')
        s = take_digits(d, s + 1, true, &any);
    if (!s)
        return "has too many digits";
    if (!any)
        return "is not a number";
    const char *e = s + 1;
    bool minus = false;
    if (*s == 'e' || *s == 'E') {
        if (*e == '+' || *e == '-')
            minus = *e++ == '-';
        if (is_digit(*e)) {
            int x = 0;
            for (; is_digit(*e); e++)
                x = x < 9999 ? x * 10 + (*e - '0') : x;
            d->exponent += minus ? -x : x;
            s = e;
        }
    }
    while (d->count > 0 && d->digits[d->count - 1] == '0') {
        d->count--;
        d->exponent++;
    }
    d->rest = s;
    return NULL;
}

static bool multiply(uint64_t *n, uint64_t by)
{
    return !__builtin_mul_overflow(*n, by, n);
}

/* d * unit as a whole number. */
static const char *to_whole(decimal *d, uint64_t unit, uint64_t *out)
{
    uint64_t n = 0;
    if (d->count == 0)
        d->exponent = 0;
    /* 0.5K: move the unit's factors of ten into the exponent, and of two as 10/5. */
    while (d->exponent < 0 && unit % 10 == 0) {
        unit /= 10;
        d->exponent++;
    }
    uint64_t five = 1;
    while (d->exponent < 0 && unit % 2 == 0) {
        unit /= 2;
        d->exponent++;
        five *= 5; /* 1/10 * 2 = 1/5 */
        if (five > UINT64_MAX / 5)
            break;
    }
    if (d->exponent < 0)
        return "is not a whole number";
    for (int i = 0; i < d->count; i++)
        if (!multiply(&n, 10) ||
            __builtin_add_overflow(n, (uint64_t)(d->digits[i] - '0'), &n))
            return "is too large: the most is 2^64 - 1";
    for (int i = 0; i < d->exponent && n; i++)
        if (!multiply(&n, 10))
            return "is too large: the most is 2^64 - 1";
    if (!multiply(&n, unit))
        return "is too large: the most is 2^64 - 1";
    if (n % five)
        return "is not a whole number";
    *out = n / five;
    return NULL;
}

const char *cli_read_count(const char *text, uint64_t *out)
{
    decimal d;
    const char *wrong = read_decimal(text, &d);
    if (wrong)
        return wrong;
    if (*d.rest && strchr("kKmMgGtT", *d.rest))
        return "has a unit, which for a count could mean 1000 or 1024: write it out, or "
               "as 10e6";
    if (*d.rest)
        return "is not a whole number";
    return to_whole(&d, 1, out);
}

/* The bytes of a unit's name; 0 for what is none. */
static uint64_t unit_of(const char *s)
{
    static const char letters[] = "KMGT";
    if (*s == '\0' || strcmp(s, "B") == 0 || strcmp(s, "b") == 0)
        return 1;
    char c = *s == 'k' ? 'K' : *s == 'm' ? 'M' : *s == 'g' ? 'G' : *s == 't' ? 'T' : *s;
    const char *at = strchr(letters, c);
    if (!at)
        return 0;
    bool decimal_unit = strcmp(s + 1, "B") == 0;
    if (!decimal_unit && s[1] != '\0' && strcmp(s + 1, "iB") != 0)
        return 0;
    uint64_t unit = 1;
    for (const char *l = letters; l <= at; l++)
        unit *= decimal_unit ? 1000 : 1024;
    return unit;
}

const char *cli_read_size(const char *text, uint64_t *out)
{
    decimal d;
    const char *wrong = read_decimal(text, &d);
    if (wrong)
        return wrong;
    uint64_t unit = unit_of(d.rest);
    if (unit == 0)
        return "has an unknown unit: K, M, G, T and KiB, MiB, ... are 1024-based, kB, "
               "MB, "
               "GB, TB 1000-based";
    return to_whole(&d, unit, out);
}

static const char *read_real(const char *text, double *out, bool *percent)
{
    decimal d;
    const char *wrong = read_decimal(text, &d);
    if (wrong)
        return wrong;
    *percent = *d.rest == '%';
    if (d.rest[*percent] != '\0')
        return "is not a number: write it as 0.01, 1e-3 or 1%";
    *out = strtod(text, NULL);
    return NULL;
}

const char *cli_read_fraction(const char *text, double *out)
{
    bool percent;
    double x = 0;
    const char *wrong = read_real(text, &x, &percent);
    if (wrong)
        return wrong;
    if (percent)
        x /= 100;
    if (!(x > 0 && x < 1))
        return "must be between 0 and 1, or 0% and 100%, and neither end";
    *out = x;
    return NULL;
}

const char *cli_read_confidence(const char *text, double *out)
{
    bool percent;
    double x = 0;
    const char *wrong = read_real(text, &x, &percent);
    if (wrong)
        return wrong;
    if (percent || x >= 1)
        x /= 100;
    if (!(x > 0 && x < 1))
        return "must be between 0 and 100, as 95, 95% or 0.95";
    *out = x;
    return NULL;
}

const char *cli_read_duration(const char *text, double *out)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}};
    decimal d;
    const char *wrong = read_decimal(text, &d);
    if (wrong)
        return wrong;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(d.rest, units[i].name) == 0) {
            const double x = strtod(text, NULL) * units[i].seconds;
            if (!(x >= 0.01 && x <= 1e6))
                return "must be 10ms to 1000000s";
            *out = x;
            return NULL;
        }
    return "has an unknown unit: ms, s, m and h are known";
}

/* --------------------------------------------------------------------- for people */

char *cli_grouped(cli_text buf, uint64_t n)
{
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    char *to = buf;
    for (int i = 0; i < count; i++) {
        if (i && (count - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return buf;
}

char *cli_grouped_real(cli_text buf, double x)
{
    if (!(x < 18446744073709549568.0)) {
        snprintf(buf, sizeof(cli_text), "%s", isinf(x) ? "infinity" : "2^64 or more");
        return buf;
    }
    return cli_grouped(buf, x > 0 ? (uint64_t)(x + 0.5) : 0);
}

char *cli_size_text(cli_text buf, double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t u = 0;
    while (bytes >= 1023.95 && u < sizeof units / sizeof *units - 1) {
        bytes /= 1024;
        u++;
    }
    snprintf(buf, sizeof(cli_text),
             u == 0       ? "%.0f %s"
             : bytes < 10 ? "%.2f %s"
                          : "%.1f %s",
             bytes, units[u]);
    return buf;
}

char *cli_percent(cli_text buf, double fraction)
{
    double p = fraction * 100;
    snprintf(buf, sizeof(cli_text), p >= 10 ? "%.3g%%" : "%.2g%%", p);
    return buf;
}

char *cli_seconds(cli_text buf, double s)
{
    if (s < 60)
        snprintf(buf, sizeof(cli_text), s < 9.995 ? "%.2f s" : "%.1f s", s);
    else
        snprintf(buf, sizeof(cli_text), "%d min %02d s", (int)(s / 60), (int)s % 60);
    return buf;
}
