/* SPDX-License-Identifier: MIT
 * cli_test.c - the parts of the command that have no process around them: numbers,
 * options, line ends at every alignment, and inputs cut into absurdly small
 * pieces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "input.h"
#include "platform/cut.h"
#include "platform/lines.h"

#include <math.h>
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

/* ---------------------------------------------------------------------------- numbers */

static void counts_are_whole_numbers_without_units(void **unused)
{
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0", 0},
                {"007", 7},
                {"1e9", 1000000000},
                {"1E3", 1000},
                {"1.5e3", 1500},
                {"2500e-2", 25},
                {"1.000", 1},
                {".5e1", 5},
                {"0e99", 0},
                {"9223372036854775808", UINT64_C(1) << 63},
                {"18446744073709551615", UINT64_MAX}};
    static const char *const bad[] = {
        "",    "-1",   "+1",    " 1", "1 ",  "x",
        "1.5", "1e-1", "10M",   "1k", "0x1", "nan",
        "inf", "1e20", "1,000", ".",  "e3",  "18446744073709551616"};
    (void)unused;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        uint64_t n = 1;
        assert_null(cli_read_count(good[i].text, &n));
        assert_int_equal(n, good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint64_t n = 42;
        if (!cli_read_count(bad[i], &n))
            fail_msg("%s was taken for %llu", bad[i], (unsigned long long)n);
        assert_int_equal(n, 42);
    }
}

static void sizes_know_1024_and_1000(void **unused)
{
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"64", 64},
                {"64B", 64},
                {"64K", 65536},
                {"64k", 65536},
                {"64KiB", 65536},
                {"64kB", 64000},
                {"64KB", 64000},
                {"1.5M", 1572864},
                {"1MiB", 1048576},
                {"6MB", 6000000},
                {"0.5K", 512},
                {"0.001kB", 1},
                {"1G", UINT64_C(1) << 30},
                {"2GB", UINT64_C(2000000000)},
                {"1T", UINT64_C(1) << 40},
                {"16777215T", UINT64_C(16777215) << 40}};
    static const char *const bad[] = {
        "",     "K",     "10X", "1KX",       "1Ki", "1KB ", "-1",    "0.3",
        "0.3K", "1MiBs", "1e",  "16777216T", "M1",  "1 MB", "1e30B", "0.0001kB"};
    (void)unused;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        uint64_t n = 1;
        assert_null(cli_read_size(good[i].text, &n));
        assert_int_equal(n, good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint64_t n = 42;
        if (!cli_read_size(bad[i], &n))
            fail_msg("%s was taken for %llu", bad[i], (unsigned long long)n);
    }
}

static void fractions_are_numbers_or_percentages(void **unused)
{
    static const char *const bad[] = {"0", "1",   "100%", "0%",  "-1%", "1.5", "2",
                                      "%", "1%%", "1 %",  "nan", "inf", "x",   ""};
    double x;
    (void)unused;
    assert_null(cli_read_fraction("1%", &x));
    assert_true(x == 0.01);
    assert_null(cli_read_fraction("0.01", &x));
    assert_true(x == 0.01);
    assert_null(cli_read_fraction("1e-3", &x));
    assert_true(x == 1e-3);
    assert_null(cli_read_fraction("0.81%", &x));
    assert_true(fabs(x - 0.0081) < 1e-15);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!cli_read_fraction(bad[i], &x))
            fail_msg("%s was taken for %g", bad[i], x);
}

static void confidences_are_percentages_or_fractions(void **unused)
{
    static const char *const bad[] = {"0", "100", "100%", "101", "-5", "x", "0%"};
    static const char *const same[] = {"95", "95%", "0.95", "9.5e1"};
    double x;
    (void)unused;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_null(cli_read_confidence(same[i], &x));
        assert_true(fabs(x - 0.95) < 1e-15);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_non_null(cli_read_confidence(bad[i], &x));
}

static void numbers_for_people_are_grouped_and_short(void **unused)
{
    cli_text t;
    (void)unused;
    assert_string_equal(cli_grouped(t, 0), "0");
    assert_string_equal(cli_grouped(t, 999), "999");
    assert_string_equal(cli_grouped(t, 1000), "1,000");
    assert_string_equal(cli_grouped(t, UINT64_MAX), "18,446,744,073,709,551,615");
    assert_string_equal(cli_grouped_real(t, 1234567.6), "1,234,568");
    assert_string_equal(cli_grouped_real(t, INFINITY), "infinity");
    assert_string_equal(cli_size_text(t, 0), "0 B");
    assert_string_equal(cli_size_text(t, 1023), "1023 B");
    assert_string_equal(cli_size_text(t, 12288), "12.0 KiB");
    assert_string_equal(cli_size_text(t, 1572864), "1.50 MiB");
    assert_string_equal(cli_percent(t, 0.0081), "0.81%");
    assert_string_equal(cli_percent(t, 0.95), "95%");
    assert_string_equal(cli_percent(t, 0.157), "15.7%");
    assert_string_equal(cli_percent(t, 1), "100%");
    assert_string_equal(cli_seconds(t, 0.414), "0.41 s");
    assert_string_equal(cli_seconds(t, 75), "1 min 15 s");
}

/* ---------------------------------------------------------------------------- options */

static const cli_command *command(const char *name)
{
    for (const cli_command *c = cli_commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

enum { WORDS_MAX = 16 };

/* Parses a line of words; the words live as long as the next call. */
static bool parse(cli_options *o, const char *name, const char *line)
{
    static char copy[512];
    char *argv[WORDS_MAX], *next = copy;
    int argc = 0, code;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word; (word = strsep(&next, " ")) != NULL;)
        if (*word && argc < WORDS_MAX)
            argv[argc++] = word;
    return cli_parse(o, command(name), argc, argv, &code);
}

static void options_follow_getopt_long(void **unused)
{
    cli_options o;
    (void)unused;
    assert_true(parse(&o, "distinct", "a -qf2 --prec=12 b --conf 0.9 -d: -- -t"));
    assert_true(o.quiet);
    assert_string_equal(o.field, "2");
    assert_int_equal(o.fields[CLI_OF_ITEM].ranges[0].last, 2);
    assert_int_equal(o.precision, 12);
    assert_true(o.confidence == 0.9);
    assert_int_equal(o.delimiter.len, 1);
    assert_int_equal(o.n_files, 3);
    assert_string_equal(o.files[0].name, "a");
    assert_string_equal(o.files[1].name, "b");
    assert_string_equal(o.files[2].name, "-t");
    assert_true(cli_given(&o, OPT_FIELD) && !cli_given(&o, OPT_MEMORY));
    cli_options_free(&o);

    assert_true(parse(&o, "top", "-n 3 -m64K - -o out --format=json"));
    assert_int_equal(o.items, 3);
    assert_int_equal(o.memory, 65536);
    assert_string_equal(o.files[0].name, "-");
    assert_string_equal(o.output, "out");
    assert_int_equal(o.format, CLI_JSON);
    cli_options_free(&o);

    assert_true(parse(&o, "distinct", ""));
    assert_int_equal(o.n_files, 0);
    assert_true(o.confidence == 0.95 && o.threads >= 1);
    cli_default_stdin(&o);
    assert_string_equal(o.files[0].name, "-");
    cli_options_free(&o);
}

static void delimiters_know_tab_and_nul(void **unused)
{
    cli_options o;
    (void)unused;
    assert_true(parse(&o, "distinct", "-f1 -d \\t"));
    assert_memory_equal(o.delimiter.ptr, "\t", 1);
    cli_options_free(&o);
    assert_true(parse(&o, "distinct", "-f1 -d a\\0\\\\n"));
    assert_int_equal(o.delimiter.len, 4);
    assert_memory_equal(o.delimiter.ptr, "a\0\\n", 4);
    cli_options_free(&o);
}

static void wrong_options_are_refused(void **unused)
{
    static const char *const lines[] = {
        "--f 2",  "-p 5",          "--nothing", "-f",      "-f 1,,2",
        "-f 0",   "-d ,",          "--quiet=1", "-t 0",    "-t 99999",
        "-k hil", "--precision 3", "-m 0",      "-e 100%", "--format xml",
        "-o --",  "-f 1 -d",       "--format",  "-f3-1",   "-f -0"};
    (void)unused;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cli_options o;
        bool ok = parse(&o, "distinct", lines[i]);
        cli_options_free(&o);
        if (ok && strcmp(lines[i], "-o --") != 0)
            fail_msg("%s was taken", lines[i]);
    }
}

static void near_words_are_found_and_far_ones_are_not(void **unused)
{
    static const char *const names[] = {"distinct", "top", "merge", "info", "size", NULL};
    (void)unused;
    assert_string_equal(cli_nearest("distnct", names), "distinct");
    assert_string_equal(cli_nearest("ditsinct", names), "distinct");
    assert_string_equal(cli_nearest("dist", names), "distinct");
    assert_string_equal(cli_nearest("tpo", names), "top");
    assert_string_equal(cli_nearest("megre", names), "merge");
    assert_null(cli_nearest("quantiles", names));
    assert_null(cli_nearest("", names));
}

/* -------------------------------------------------------------------------- line ends */

static void line_ends_are_found_at_every_alignment(void **unused)
{
    enum { N = 700 };
    static char text[N + 64];
    static uint32_t fast[N + 200], plain[N + 200];
    (void)unused;
    print_message("variants: portable, %s\n", cli_line_ends_name());
    for (int round = 0; round < 400; round++) {
        uint64_t one_in = 1 + next_random() % (round % 2 ? 3 : 40);
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = next_random() % one_in == 0 ? '\n' : (char)next_random();
        size_t from = (size_t)round % 64, n = (size_t)(next_random() % N);
        size_t seen_fast, seen_plain;
        size_t a = cli_line_ends(text + from, n, '\n', fast, N, &seen_fast);
        size_t b = cli_line_ends_portable(text + from, n, '\n', plain, N, &seen_plain);
        assert_int_equal(a, b);
        assert_int_equal(seen_fast, n);
        assert_memory_equal(fast, plain, a * sizeof *fast);
    }
}

static void line_ends_stop_when_there_are_enough(void **unused)
{
    enum { N = 1000, MOST = 100 };
    static char text[N];
    static uint32_t out[MOST + 2 * CLI_LINES_STEP];
    (void)unused;
    memset(text, '\n', sizeof text);
    size_t seen, found = cli_line_ends(text, N, '\n', out, MOST, &seen);
    assert_in_range(found, MOST, MOST + CLI_LINES_STEP - 1);
    assert_int_equal(seen, found);
    for (size_t i = 0; i < found; i++)
        assert_int_equal(out[i], i + 1);
}

/* ------------------------------------------------------------------- cutting the input
 */

/* What a sink saw: a sum over items for any order, a chain for the order of the input. */
typedef struct seen {
    uint64_t items, sum, chain, workers;
    bp_status fail_at_open;
} seen;

static void *seen_open(void *ctx, bp_status *st)
{
    const seen *all = ctx;
    *st = all->fail_at_open;
    return all->fail_at_open ? NULL : calloc(1, sizeof(seen));
}

static void see(seen *s, uint64_t hash)
{
    s->items++;
    s->sum += hash;
    s->chain = s->chain * UINT64_C(0x100000001b3) + hash;
}

static bp_status seen_hashes(void *worker, const uint64_t *hashes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        see(worker, hashes[i]);
    return BP_OK;
}

static bp_status seen_keys(void *worker, const cli_batch *batch)
{
    for (size_t i = 0; i < batch->n; i++)
        see(worker, bp_hash(NULL, batch->keys[i].ptr, batch->keys[i].len));
    return BP_OK;
}

static bp_status seen_close(void *ctx, void *worker, bool failed)
{
    seen *all = ctx, *s = worker;
    (void)failed;
    all->items += s->items;
    all->sum += s->sum;
    all->chain = s->chain;
    all->workers++;
    free(s);
    return BP_OK;
}

/* A text, and what must be seen of it. */
typedef struct sample {
    char text[4096];
    size_t n;
    uint64_t lines, field, bad, bad_line;
    seen want;
} sample;

static bool cut(bp_bytes line, uint64_t number, bp_bytes *out)
{
    const cli_cutter c = {true, 0, 1, &number};
    return cli_cut_records_portable(&c, &line, 1, out, 1) == 0;
}

static void expect_items(sample *s)
{
    s->want = (seen){0};
    s->lines = s->bad = s->bad_line = 0;
    for (size_t at = 0; at < s->n;) {
        const char *end = memchr(s->text + at, '\n', s->n - at);
        size_t len = end ? (size_t)(end - (s->text + at)) : s->n - at;
        bp_bytes key = {s->text + at, len};
        s->lines++;
        if (s->field == 0 || cut(key, s->field, &key))
            see(&s->want, bp_hash(NULL, key.ptr, key.len));
        else if (s->bad++ == 0)
            s->bad_line = s->lines;
        at += len + 1;
    }
}

static void make_text(sample *s, size_t n, uint64_t one_in)
{
    s->n = n;
    for (size_t i = 0; i < n; i++)
        s->text[i] = next_random() % one_in == 0 ? '\n'
                     : next_random() % 4 == 0    ? ' '
                                                 : (char)(next_random() & 0xff);
}

static void read_one(const sample *s, cli_file *file, bool hashes, bool ordered,
                     unsigned threads)
{
    static cli_command none = {"test", "", NULL, NULL};
    cli_options o = {.command = &none,
                     .threads = threads,
                     .quiet = true,
                     .skip_bad = true,
                     .files = file,
                     .n_files = 1};
    cli_range range = {s->field, s->field, NULL};
    o.fields[CLI_OF_ITEM] = (cli_fields){&range, s->field > 0};
    seen got = {0};
    cli_sink sink = {.ctx = &got,
                     .open = seen_open,
                     .hashes = hashes ? seen_hashes : NULL,
                     .keys = hashes ? NULL : seen_keys,
                     .close = seen_close,
                     .ordered = ordered};
    cli_tally tally;
    bool fatal;
    assert_int_equal(cli_read(&o, &sink, &tally, &fatal), CLI_OK);
    assert_false(fatal);
    assert_int_equal(tally.bytes, s->n);
    assert_int_equal(tally.lines, s->lines);
    assert_int_equal(tally.skips[CLI_NO_FIELD].n, s->bad);
    assert_int_equal(tally.skips[CLI_NO_FIELD].line, s->bad_line);
    assert_int_equal(got.items, s->want.items);
    assert_int_equal(got.sum, s->want.sum);
    if (ordered || threads == 1)
        assert_int_equal(got.chain, s->want.chain);
    assert_in_range(got.workers, 1, threads);
}

static void read_file(const sample *s, bool hashes, bool ordered, unsigned threads)
{
    char name[] = "/tmp/cli_test.XXXXXX";
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, s->text, s->n), s->n);
    close(fd);
    cli_file file = {name, -1};
    read_one(s, &file, hashes, ordered, threads);
    unlink(name);
}

static void read_pipe(const sample *s, bool hashes, bool ordered, unsigned threads)
{
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(write(fds[1], s->text, s->n), s->n);
    close(fds[1]);
    cli_file file = {"pipe", fds[0]};
    read_one(s, &file, hashes, ordered, threads);
    close(fds[0]);
}

static void read_every_way(const sample *s)
{
    for (int way = 0; way < 4; way++)
        for (unsigned threads = 1; threads <= 3; threads++) {
            read_file(s, way & 1, way & 2, threads);
            read_pipe(s, way & 1, way & 2, threads);
        }
}

static void every_cut_gives_the_same_items(void **unused)
{
    static const cli_cut cuts[] = {{1, 1, 1},    {1, 7, 1},    {2, 3, 1},   {3, 2, 1},
                                   {5, 64, 10},  {16, 10, 1},  {64, 1, 1},  {64, 100, 50},
                                   {100, 33, 1}, {4096, 9, 1}, {70, 700, 1}};
    static sample s;
    const cli_cut usual = cli_cut_now;
    (void)unused;
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
        cli_cut_now = cuts[c];
        for (int round = 0; round < 12; round++) {
            s.field = (uint64_t)round % 3;
            make_text(&s, (size_t)(next_random() % 300), 1 + next_random() % 20);
            if (round % 4 == 0 && s.n)
                s.text[s.n - 1] = round % 8 ? '\n' : 'x';
            expect_items(&s);
            read_every_way(&s);
        }
    }
    cli_cut_now = usual;
}

static void special_texts_give_their_lines(void **unused)
{
    static const char *const texts[] = {"",    "\n",     "\n\n",  "a",     "a\n",
                                        "\na", "a\r\nb", "\n \n", "a\n\n", "aa\nbb\ncc"};
    static sample s;
    const cli_cut usual = cli_cut_now;
    (void)unused;
    s.field = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        s.n = strlen(texts[i]);
        memcpy(s.text, texts[i], s.n);
        expect_items(&s);
        cli_cut_now = usual;
        read_every_way(&s);
        cli_cut_now = (cli_cut){1, 1, 1};
        read_every_way(&s);
    }
    cli_cut_now = usual;
}

static void a_sink_that_fails_ends_the_reading(void **unused)
{
    static cli_command none = {"test", "", NULL, NULL};
    cli_file file = {"/dev/null", -1};
    cli_options o = {.command = &none, .threads = 2, .files = &file, .n_files = 1};
    seen got = {.fail_at_open = BP_NOMEM};
    cli_sink sink = {
        .ctx = &got, .open = seen_open, .hashes = seen_hashes, .close = seen_close};
    cli_tally tally;
    bool fatal = false;
    (void)unused;
    assert_int_equal(cli_read(&o, &sink, &tally, &fatal), CLI_ERROR);
    assert_true(fatal);
    assert_int_equal(got.workers, 0);
}

static void spooled_pipes_can_be_read_twice(void **unused)
{
    static sample s;
    int fds[2];
    (void)unused;
    s.field = 0;
    make_text(&s, 1000, 10);
    expect_items(&s);
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(write(fds[1], s.text, s.n), s.n);
    close(fds[1]);
    cli_file file = {"pipe", fds[0]};
    cli_options o = {.files = &file, .n_files = 1};
    assert_int_equal(cli_spool(&o), CLI_OK);
    read_one(&s, &file, true, false, 1);
    read_one(&s, &file, false, true, 1);
    close(file.fd);
    close(fds[0]);
}

/* ------------------------------------------------------------------------------- JSON */

static void json_says_counts_items_and_infinities(void **unused)
{
    (void)unused;
    json_t *big = cli_json_count((uint64_t)1 << 63), *small = cli_json_count(INT64_MAX);
    assert_string_equal(json_string_value(big), "9223372036854775808");
    assert_true(json_integer_value(small) == INT64_MAX);
    json_decref(big);
    json_decref(small);
    json_t *o = json_object();
    assert_int_equal(cli_json_set_item(o, "item", (bp_bytes){"\xff\xfe", 2}), 0);
    assert_string_equal(json_string_value(json_object_get(o, "item_base64")), "//4=");
    assert_int_equal(cli_json_set_item(o, "item", (bp_bytes){NULL, 0}), 0);
    assert_string_equal(json_string_value(json_object_get(o, "item")), "");
    const bp_estimate e = {99.6, 98.7, INFINITY};
    assert_int_equal(cli_json_set_estimate(o, &e), 0);
    assert_int_equal(json_integer_value(json_object_get(o, "estimate")), 100);
    assert_int_equal(json_integer_value(json_object_get(o, "lower")), 98);
    assert_true(json_is_null(json_object_get(o, "upper")));
    json_decref(o);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_whole_numbers_without_units),
        cmocka_unit_test(sizes_know_1024_and_1000),
        cmocka_unit_test(fractions_are_numbers_or_percentages),
        cmocka_unit_test(confidences_are_percentages_or_fractions),
        cmocka_unit_test(numbers_for_people_are_grouped_and_short),
        cmocka_unit_test(options_follow_getopt_long),
        cmocka_unit_test(delimiters_know_tab_and_nul),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(near_words_are_found_and_far_ones_are_not),
        cmocka_unit_test(line_ends_are_found_at_every_alignment),
        cmocka_unit_test(line_ends_stop_when_there_are_enough),
        cmocka_unit_test(every_cut_gives_the_same_items),
        cmocka_unit_test(special_texts_give_their_lines),
        cmocka_unit_test(a_sink_that_fails_ends_the_reading),
        cmocka_unit_test(spooled_pipes_can_be_read_twice),
        cmocka_unit_test(json_says_counts_items_and_infinities)};
    return cmocka_run_group_tests_name("cli", tests, NULL, NULL);
}
