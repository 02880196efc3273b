/* SPDX-License-Identifier: MIT
 * records_test.c - which bytes are the item, the group and the weight: every rule against
 * a model that goes byte by byte, with inputs cut at every place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "input.h"
#include "platform/cut.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t seed = 1;

static uint64_t next_random(void)
{
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    return z ^ (z >> 29);
}

/* -------------------------------------------------------------------- cutting at once */

static void fields_are_cut_alike_at_every_alignment(void **unused)
{
    enum { RECORDS = 40, TEXT = 6000, WANTED = 4 };
    static char text[TEXT + CLI_CUT_SLACK];
    static bp_bytes records[RECORDS], fast[WANTED * RECORDS], plain[WANTED * RECORDS];
    (void)unused;
    print_message("variants: portable, %s\n", cli_cut_name());
    for (int round = 0; round < 2000; round++) {
        uint64_t wanted[WANTED], one_in = 1 + next_random() % 12, number = 0;
        cli_cutter c = {round % 2 == 0, ',', 1 + (size_t)next_random() % WANTED, wanted};
        for (size_t k = 0; k < c.n; k++)
            wanted[k] = number += 1 + next_random() % (round % 3 ? 3 : 30);
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = next_random() % one_in ? (char)next_random() : " ,\t,"[i % 4];
        size_t at = (size_t)next_random() % 64;
        for (size_t i = 0; i < RECORDS; i++) {
            records[i] = (bp_bytes){text + at, (size_t)next_random() % 140};
            at += records[i].len;
        }
        assert_int_equal(cli_cut_records(&c, records, RECORDS, fast, RECORDS),
                         cli_cut_records_portable(&c, records, RECORDS, plain, RECORDS));
        for (size_t i = 0; i < RECORDS; i++)
            for (size_t k = 0; k < c.n; k++) {
                const bp_bytes *a = &fast[k * RECORDS + i], *b = &plain[k * RECORDS + i];
                assert_ptr_equal(a->ptr, b->ptr);
                if (!a->ptr)
                    break;
                assert_int_equal(a->len, b->len);
            }
    }
}

static const char *field(const char *line, uint64_t number, char delimiter)
{
    static char padded[128 + CLI_CUT_SLACK], out[64];
    const size_t n = strlen(line);
    memcpy(padded, line, n + 1);
    const bp_bytes record = {padded, n};
    const cli_cutter c = {delimiter == ' ', delimiter, 1, &number};
    bp_bytes f, same;
    const size_t lacking = cli_cut_records(&c, &record, 1, &f, 1);
    assert_int_equal(cli_cut_records_portable(&c, &record, 1, &same, 1), lacking);
    if (lacking)
        return NULL;
    assert_true(f.ptr == same.ptr && f.len == same.len);
    snprintf(out, sizeof out, "%.*s", (int)f.len, (const char *)f.ptr);
    return out;
}

static void blank_fields_are_those_of_awk(void **unused)
{
    (void)unused;
    assert_string_equal(field("one two", 1, ' '), "one");
    assert_string_equal(field("  one \t two  ", 1, ' '), "one");
    assert_string_equal(field("  one \t two  ", 2, ' '), "two");
    assert_null(field("  one \t two  ", 3, ' '));
    assert_null(field("", 1, ' '));
    assert_null(field(" \t ", 1, ' '));
    assert_string_equal(field("a\rb c", 1, ' '), "a\rb");
}

static void exact_fields_may_be_empty(void **unused)
{
    (void)unused;
    assert_string_equal(field("a,b,c", 3, ','), "c");
    assert_string_equal(field("a,,c", 2, ','), "");
    assert_string_equal(field("", 1, ','), "");
    assert_string_equal(field("a,", 2, ','), "");
    assert_null(field("a,", 3, ','));
    assert_null(field("abc", 2, ','));
}

/* ----------------------------------------------------------------------- lists of fields
 */

static void lists_of_fields_are_numbers_ranges_and_names(void **unused)
{
    static const struct {
        const char *text;
        bool by_name;
        size_t n;
        uint64_t first, last; /* of the last range; 0: a name */
        const char *name;
    } good[] = {{"1", false, 1, 1, 1, NULL},
                {"3-", false, 1, 3, CLI_TO_END, NULL},
                {"-2", false, 1, 1, 2, NULL},
                {"1,3-4", false, 2, 3, 4, NULL},
                {"7,2,2", false, 3, 2, 2, NULL},
                {"id", true, 1, 0, 0, "id"},
                {"2,first-name", true, 2, 0, 0, "first-name"},
                {"\"2\"", true, 1, 0, 0, "2"},
                {"1,\"a, \"\"b\"\"\"", true, 2, 0, 0, "a, \"b\""},
                {"\"\"", true, 1, 0, 0, ""}};
    static const char *const bad[] = {"",    "0",    "2-1", "a",           ",",     "1,",
                                      ",1",  "1,,2", "-",   "1-2-3",       "--2",   "0-3",
                                      "1.5", "+1",   " 1",  "99999999999", "\"1\"", "-0"};
    cli_fields f;
    (void)unused;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_null(cli_read_fields(good[i].text, good[i].by_name, &f));
        assert_int_equal(f.n, good[i].n);
        assert_int_equal(f.ranges[f.n - 1].first, good[i].first);
        assert_int_equal(f.ranges[f.n - 1].last, good[i].last);
        if (good[i].name)
            assert_string_equal(f.ranges[f.n - 1].name, good[i].name);
        cli_fields_free(&f);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (!cli_read_fields(bad[i], false, &f))
            fail_msg("'%s' was taken", bad[i]);
        cli_fields_free(&f);
    }
}

/* -------------------------------------------------------------------------- the model */

/* Strings that know their length. */
typedef struct text {
    size_t n;
    char p[600];
} text;

static void append(text *t, const char *p, size_t n)
{
    assert_true(t->n + n <= sizeof t->p);
    memcpy(t->p + t->n, p, n);
    t->n += n;
}

/* What was read, or should be: a sum for any order, a chain for that of the input. */
typedef struct seen {
    uint64_t items, sum, chain, lines, failed, bad[CLI_FAULTS], bad_line[CLI_FAULTS];
    text header;
} seen;

static void see(seen *s, bp_bytes item, bp_bytes group, uint64_t weight, bp_bytes line)
{
    uint64_t hash = bp_hash(NULL, item.ptr, item.len);
    hash = hash * 3 + bp_hash(NULL, group.ptr, group.len);
    hash = hash * 5 + weight;
    hash = hash * 7 + bp_hash(NULL, line.ptr, line.len);
    s->items++;
    s->sum += hash;
    s->chain = s->chain * UINT64_C(0x100000001b3) + hash;
}

typedef struct sample {
    cli_options o;
    char text[4096];
    size_t n;
    seen want;
} sample;

enum { FIELDS_MOST = 700 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The same of CSV, in the states that a reader of it goes through. */
static size_t split_csv(const cli_options *o, const char *p, size_t n, text *fields)
{
    enum { BEGIN, PLAIN, QUOTED } state = BEGIN;
    const char delimiter = *(const char *)o->delimiter.ptr;
    size_t count = 0;
    fields[0].n = 0;
    for (size_t at = 0; at < n; at++) {
        if (state == QUOTED && p[at] == '"' && at + 1 < n && p[at + 1] == '"') {
            append(&fields[count], p + at++, 1);
        } else if (state == QUOTED && p[at] == '"') {
            state = PLAIN;
        } else if (state != QUOTED && p[at] == delimiter) {
            fields[++count].n = 0;
            state = BEGIN;
        } else if (state == BEGIN && p[at] == '"') {
            state = QUOTED;
        } else {
            append(&fields[count], p + at, 1);
            state = state == QUOTED ? QUOTED : PLAIN;
        }
    }
    return count + 1;
}

/* The record at p: its bytes without the line end; *is_open: a quote is never closed. */
static size_t record_length(const cli_options *o, const char *p, size_t n, bool *is_open)
{
    enum { BEGIN, PLAIN, QUOTED } state = BEGIN;
    const char end = o->zero ? '\0' : '\n';
    size_t at = 0;
    for (; at < n && (state == QUOTED || p[at] != end); at++) {
        if (!o->csv)
            continue;
        if (state == QUOTED && p[at] == '"' && at + 1 < n && p[at + 1] == '"')
            at++;
        else if (state == QUOTED)
            state = p[at] == '"' ? PLAIN : QUOTED;
        else if (p[at] == *(const char *)o->delimiter.ptr)
            state = BEGIN;
        else
            state = state == BEGIN && p[at] == '"' ? QUOTED : PLAIN;
    }
    *is_open = state == QUOTED;
    return at;
}

static void append_quoted(const cli_options *o, text *t, const text *value)
{
    const char marks[] = {'"', '\n', *(const char *)o->delimiter.ptr};
    bool needed = false;
    for (size_t i = 0; i < value->n; i++)
        needed = needed || memchr(marks, value->p[i], 3);
    if (!needed) {
        append(t, value->p, value->n);
        return;
    }
    append(t, "\"", 1);
    for (size_t i = 0; i < value->n; i++)
        append(t, value->p[i] == '"' ? "\"\"" : value->p + i, 1 + (value->p[i] == '"'));
    append(t, "\"", 1);
}

/* All the fields of a record. */
static size_t split(const cli_options *o, const char *p, size_t n, text *fields)
{
    const bp_bytes d = o->delimiter;
    size_t count = 0, at = 0;
    if (o->csv)
        return split_csv(o, p, n, fields);
    if (d.len == 0) {
        for (;;) {
            while (at < n && is_blank(p[at]))
                at++;
            if (at == n)
                return count;
            fields[count].n = 0;
            while (at < n && !is_blank(p[at]))
                append(&fields[count], p + at++, 1);
            count++;
        }
    }
    fields[0].n = 0;
    for (; at < n; at++) {
        if (n - at >= d.len && memcmp(p + at, d.ptr, d.len) == 0) {
            fields[++count].n = 0;
            at += d.len - 1;
        } else {
            append(&fields[count], p + at, 1);
        }
    }
    return count + 1;
}

/* The value of a list; false: a field is lacking. */
static bool value(const cli_options *o, cli_part part, const text *columns,
                  size_t n_columns, const text *fields, size_t n, text *out)
{
    out->n = 0;
    for (size_t k = 0; k < o->fields[part].n; k++) {
        cli_range r = o->fields[part].ranges[k];
        for (size_t c = 0; r.name && c < n_columns; c++)
            if (columns[c].n == strlen(r.name) &&
                memcmp(columns[c].p, r.name, columns[c].n) == 0)
                r.first = r.last = c + 1;
        if (r.first > n || (r.last != CLI_TO_END && r.last > n))
            return false;
        for (uint64_t f = r.first; f <= r.last && f <= n; f++) {
            if ((k > 0 || f > r.first) && o->delimiter.len)
                append(out, o->delimiter.ptr, o->delimiter.len);
            else if (k > 0 || f > r.first)
                append(out, "\t", 1);
            if (o->csv && (o->fields[part].n > 1 || r.last != r.first))
                append_quoted(o, out, &fields[f - 1]);
            else
                append(out, fields[f - 1].p, fields[f - 1].n);
        }
    }
    return true;
}

static void finish(const cli_options *o, text *t)
{
    static const char space[] = " \t\n\v\f\r";
    size_t from = 0;
    while (o->trim && t->n > 0 && memchr(space, t->p[t->n - 1], 6))
        t->n--;
    while (o->trim && from < t->n && memchr(space, t->p[from], 6))
        from++;
    memmove(t->p, t->p + from, t->n -= from);
    for (size_t i = 0; o->ignore_case && i < t->n; i++)
        t->p[i] = (char)(t->p[i] >= 'A' && t->p[i] <= 'Z' ? t->p[i] + 32 : t->p[i]);
}

static bool weigh(const text *t, uint64_t *weight)
{
    char *end, copy[700];
    snprintf(copy, sizeof copy, "%.*s", (int)t->n, t->p);
    const char *start = copy + strspn(copy, " \t\r");
    if (strlen(copy) != t->n || *start < '0' || *start > '9' || strlen(start) > 15)
        return false;
    *weight = strtoull(start, &end, 10);
    return end[strspn(end, " \t\r")] == '\0';
}

static void bad(seen *s, cli_fault fault, uint64_t line)
{
    if (s->bad[fault]++ == 0)
        s->bad_line[fault] = line;
}

static void expect_record(sample *s, const char *p, size_t n, uint64_t line,
                          const text *columns, size_t n_columns)
{
    static text fields[FIELDS_MOST], item, group, amount;
    const cli_options *o = &s->o;
    const bp_bytes whole = {p, n};
    n -= o->csv && n > 0 && p[n - 1] == '\r';
    const size_t count = split(o, p, n, fields);
    uint64_t weight = 0;
    group.n = amount.n = 0;
    s->want.lines++;
    if (!value(o, CLI_OF_ITEM, columns, n_columns, fields, count, &item) ||
        !value(o, CLI_OF_GROUP, columns, n_columns, fields, count, &group) ||
        !value(o, CLI_OF_WEIGHT, columns, n_columns, fields, count, &amount)) {
        bad(&s->want, CLI_NO_FIELD, line);
        return;
    }
    if (o->fields[CLI_OF_ITEM].n == 0)
        append(&item, p, n);
    if (o->fields[CLI_OF_WEIGHT].n && !weigh(&amount, &weight)) {
        bad(&s->want, CLI_NO_WEIGHT, line);
        return;
    }
    finish(o, &item);
    see(&s->want, (bp_bytes){item.p, item.n}, (bp_bytes){group.p, group.n}, weight,
        whole);
}

static void expect(sample *s)
{
    static text columns[FIELDS_MOST];
    size_t n_columns = 0;
    uint64_t line = 1;
    bool is_first = true, is_open = false;
    memset(&s->want, 0, sizeof s->want);
    for (size_t at = 0; at < s->n;) {
        const char *p = s->text + at;
        const size_t n = record_length(&s->o, p, s->n - at, &is_open);
        if (is_open) {
            s->want.failed++;
        } else if (is_first && s->o.header) {
            const size_t returns = s->o.csv && n > 0 && p[n - 1] == '\r';
            n_columns = split(&s->o, p, n - returns, columns);
            append(&s->want.header, p, n);
        } else {
            expect_record(s, p, n, line, columns, n_columns);
        }
        is_first = false;
        for (size_t i = 0; i < n; i++)
            line += s->o.csv && p[i] == '\n';
        line++;
        at += n + 1;
    }
}

/* ------------------------------------------------------------------------ the reading */

static void *open_seen(void *ctx, bp_status *st)
{
    (void)ctx;
    *st = BP_OK;
    return calloc(1, sizeof(seen));
}

static bp_status take(void *worker, const cli_batch *b)
{
    for (size_t i = 0; i < b->n; i++)
        see(worker, b->keys[i], b->groups ? b->groups[i] : (bp_bytes){"", 0},
            b->weights ? b->weights[i] : 0, b->lines[i]);
    return BP_OK;
}

static void take_header(void *ctx, bp_bytes line)
{
    seen *all = ctx;
    assert_int_equal(all->header.n, 0);
    append(&all->header, line.ptr, line.len);
}

static bp_status close_seen(void *ctx, void *worker, bool failed)
{
    seen *all = ctx, *s = worker;
    assert_false(failed);
    all->items += s->items;
    all->sum += s->sum;
    all->chain = s->chain;
    free(s);
    return BP_OK;
}

static void read_one(sample *s, cli_file *file, unsigned threads)
{
    static cli_command none = {"test", "", NULL, NULL};
    seen got = {0};
    const cli_sink sink = {.ctx = &got,
                           .open = open_seen,
                           .keys = take,
                           .header = take_header,
                           .close = close_seen};
    cli_tally tally;
    bool fatal;
    s->o.command = &none;
    s->o.quiet = s->o.skip_bad = true;
    s->o.threads = threads;
    s->o.files = file;
    s->o.n_files = 1;
    assert_int_equal(cli_read(&s->o, &sink, &tally, &fatal),
                     s->want.failed ? CLI_ERROR : CLI_OK);
    assert_false(fatal);
    assert_int_equal(tally.failed, s->want.failed);
    assert_int_equal(tally.lines, s->want.lines);
    for (int k = 0; k < CLI_FAULTS; k++) {
        assert_int_equal(tally.skips[k].n, s->want.bad[k]);
        assert_int_equal(tally.skips[k].line, s->want.bad_line[k]);
    }
    assert_int_equal(got.items, s->want.items);
    assert_int_equal(got.sum, s->want.sum);
    if (threads == 1)
        assert_int_equal(got.chain, s->want.chain);
    assert_int_equal(got.header.n, s->want.header.n);
    assert_memory_equal(got.header.p, s->want.header.p, got.header.n);
}

static void read_every_way(sample *s)
{
    char name[] = "/tmp/records_test.XXXXXX";
    const int fd = mkstemp(name);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, s->text, s->n), s->n);
    for (unsigned threads = 1; threads <= 2; threads++) {
        int fds[2];
        cli_file file = {name, -1};
        read_one(s, &file, threads);
        assert_int_equal(pipe(fds), 0);
        assert_int_equal(write(fds[1], s->text, s->n), s->n);
        close(fds[1]);
        file = (cli_file){"pipe", fds[0]};
        read_one(s, &file, threads);
        close(fds[0]);
    }
    close(fd);
    unlink(name);
}

static const cli_cut cuts[] = {{1, 1, 1},    {1, 7, 1},     {2, 3, 1},  {3, 2, 1},
                               {5, 64, 10},  {16, 10, 1},   {64, 1, 1}, {100, 33, 1},
                               {70, 700, 1}, {4096, 900, 1}};

/* Options as a user would type them. */
typedef struct rule {
    const char *item, *group, *weight, *delimiter;
    bool zero, trim, fold, header, csv;
} rule;

static void set_rule(sample *s, const rule *r)
{
    const char *const texts[CLI_PARTS] = {r->item, r->group, r->weight};
    s->o = (cli_options){.delimiter = {r->delimiter, strlen(r->delimiter)},
                         .zero = r->zero,
                         .trim = r->trim,
                         .ignore_case = r->fold,
                         .header = r->header,
                         .csv = r->csv};
    for (int p = 0; p < CLI_PARTS; p++)
        if (texts[p])
            assert_null(cli_read_fields(texts[p], r->header, &s->o.fields[p]));
}

static void free_rule(sample *s)
{
    for (int p = 0; p < CLI_PARTS; p++)
        cli_fields_free(&s->o.fields[p]);
}

static void fill(sample *s, size_t n, const char *alphabet, size_t n_alphabet)
{
    s->n = n;
    for (size_t i = 0; i < n; i++)
        s->text[i] = alphabet[next_random() % n_alphabet];
}

static void try_rules(const rule *rules, size_t n, const char *alphabet,
                      size_t n_alphabet, const char *header)
{
    static sample s;
    const cli_cut usual = cli_cut_now;
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
        cli_cut_now = cuts[c];
        for (size_t i = 0; i < 3 * n; i++) {
            set_rule(&s, &rules[i % n]);
            fill(&s, (size_t)next_random() % 400, alphabet, n_alphabet);
            if (s.o.header && s.n >= strlen(header))
                memcpy(s.text, header, strlen(header));
            else if (s.o.header)
                s.n = 0;
            expect(&s);
            read_every_way(&s);
            free_rule(&s);
        }
    }
    cli_cut_now = usual;
}

static void items_groups_and_weights_are_those_of_the_model(void **unused)
{
    static const rule rules[] = {
        {.item = "1", .delimiter = ""},
        {.item = "2", .delimiter = ","},
        {.item = "2", .delimiter = ", "},
        {.item = "1", .group = "2", .delimiter = ""},
        {.item = "1", .group = "2", .weight = "3", .delimiter = ""},
        {.item = "1", .group = "2", .weight = "3", .delimiter = ","},
        {.group = "1", .weight = "2", .delimiter = ",", .trim = true, .fold = true},
        {.item = "2-3", .group = "1-", .delimiter = ""},
        {.item = "2-3", .group = "1-", .delimiter = ","},
        {.item = "3,1", .group = "2,2,-1", .delimiter = "", .zero = true, .fold = true},
        {.item = "3,1", .group = "2,2,-1", .weight = "1", .delimiter = ",", .trim = true},
        {.item = "3-,1",
         .group = "2",
         .weight = "1",
         .delimiter = ", ",
         .zero = true,
         .trim = true,
         .fold = true},
        {.delimiter = "", .zero = true, .trim = true},
        {.delimiter = "", .fold = true},
        {.item = "1,2,3,4,5,6,7,8,9", .delimiter = ","},
        {.item = "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", .weight = "1", .delimiter = ","}};
    static const char alphabet[] = "aBZ019 ,\t\r\n\n, 1,2\0";
    (void)unused;
    try_rules(rules, sizeof rules / sizeof *rules, alphabet, sizeof alphabet, "");
}

static void names_are_looked_up_in_the_header(void **unused)
{
    static const rule rules[] = {
        {.item = "b", .group = "a", .delimiter = ",", .header = true},
        {.item = "c,a",
         .group = "2",
         .weight = "b",
         .delimiter = ",",
         .fold = true,
         .header = true},
        {.weight = "b", .delimiter = ",", .header = true},
        {.item = "2", .delimiter = ",", .header = true},
        {.delimiter = ",", .header = true}};
    static const char alphabet[] = "aB019,\n,1,2";
    (void)unused;
    try_rules(rules, sizeof rules / sizeof *rules, alphabet, sizeof alphabet - 1,
              "a,b,c\n");
}

static void quotes_are_those_of_rfc_4180(void **unused)
{
    static const rule rules[] = {
        {.item = "1", .delimiter = ",", .csv = true},
        {.item = "2", .group = "1", .delimiter = ",", .csv = true},
        {.item = "2-3", .group = "2,1", .delimiter = ",", .csv = true},
        {.item = "1-", .group = "1", .delimiter = ";", .fold = true, .csv = true},
        {.item = "2", .weight = "1", .delimiter = ",", .trim = true, .csv = true},
        {.group = "-2", .weight = "1", .delimiter = ",", .csv = true},
        {.delimiter = ",", .csv = true}};
    static const char many[] = "\"\"\",\n\r;aB1 ,1", few[] = "aaaB1,,\"\n;\r\n1";
    (void)unused;
    try_rules(rules, sizeof rules / sizeof *rules, many, sizeof many - 1, "");
    try_rules(rules, sizeof rules / sizeof *rules, few, sizeof few - 1, "");
}

/* Texts whose quotes are all closed have more records in them. */
static void closed_quotes_are_those_of_rfc_4180(void **unused)
{
    static const rule rules[] = {
        {.item = "2", .weight = "1", .delimiter = ",", .header = true, .csv = true},
        {.item = "b",
         .group = "a,c",
         .delimiter = ",",
         .fold = true,
         .header = true,
         .csv = true},
        {.item = "c-d,\"a\"",
         .group = "b",
         .weight = "a",
         .delimiter = ",",
         .trim = true,
         .header = true,
         .csv = true},
        {.delimiter = ",", .header = true, .csv = true}};
    static const char *const pieces[] = {
        "\"\"", "\"a\nB\"", "\"x,\"\"y\"", "12,",        ",",         "\r\n", "\n",
        "7",    "a\"",      "\"1\"",       "\"q\" rest", ",\"\r\n\"", ","};
    static sample s;
    const cli_cut usual = cli_cut_now;
    (void)unused;
    for (size_t round = 0; round < 300; round++) {
        const char *header = "a,\"b\",c,c-d\r\n";
        cli_cut_now = cuts[round % (sizeof cuts / sizeof *cuts)];
        set_rule(&s, &rules[next_random() % (sizeof rules / sizeof *rules)]);
        strcpy(s.text, header);
        for (uint64_t k = next_random() % 60; k > 0; k--)
            strcat(s.text, pieces[next_random() % (sizeof pieces / sizeof *pieces)]);
        s.n = strlen(s.text);
        expect(&s);
        read_every_way(&s);
        free_rule(&s);
    }
    cli_cut_now = usual;
}

static void record_ends_are_found_at_every_alignment(void **unused)
{
    enum { N = 700 };
    static char bytes[N + 64];
    static uint32_t fast[N + 200], plain[N + 200];
    (void)unused;
    for (int round = 0; round < 3000; round++) {
        const uint64_t one_in = 1 + next_random() % 20;
        const size_t from = (size_t)round % 64, n = (size_t)(next_random() % N);
        const size_t most = round % 3 ? N : 1 + (size_t)next_random() % 5;
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = next_random() % one_in ? 'x' : "\"\n,\""[next_random() % 4];
        cli_quotes q = CLI_QUOTES_BEGIN, r = CLI_QUOTES_BEGIN;
        size_t at = 0, scanned = 0, count = 0, all;
        while (at < n) {
            const size_t found = cli_record_ends(bytes + from + at, n - at, ',', &q,
                                                 fast + count, most, &scanned);
            for (size_t i = 0; i < found; i++)
                fast[count + i] += (uint32_t)at;
            count += found;
            at += scanned;
        }
        assert_int_equal(
            count, cli_record_ends_portable(bytes + from, n, ',', &r, plain, N, &all));
        assert_memory_equal(fast, plain, count * sizeof *fast);
        assert_int_equal(q.inside, r.inside);
        assert_int_equal(q.closed, r.closed);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_cut_alike_at_every_alignment),
        cmocka_unit_test(blank_fields_are_those_of_awk),
        cmocka_unit_test(exact_fields_may_be_empty),
        cmocka_unit_test(lists_of_fields_are_numbers_ranges_and_names),
        cmocka_unit_test(items_groups_and_weights_are_those_of_the_model),
        cmocka_unit_test(names_are_looked_up_in_the_header),
        cmocka_unit_test(record_ends_are_found_at_every_alignment),
        cmocka_unit_test(quotes_are_those_of_rfc_4180),
        cmocka_unit_test(closed_quotes_are_those_of_rfc_4180)};
    return cmocka_run_group_tests_name("records", tests, NULL, NULL);
}
