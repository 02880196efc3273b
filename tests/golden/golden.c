/* SPDX-License-Identifier: MIT
 * golden.c - the frozen files src/ROOM/NAME/golden/SAMPLE-FILL.bp: each decodes,
 * re-encodes to itself, and is what a sketch of that sample with that many harness keys
 * encodes to, on every machine. The last test prints one hash over what was encoded, by
 * which machines can be compared.
 *
 * No target writes these files. A new one is added by hand, once its format is final:
 *     run --print-golden bloom plain 100 > src/sketches/bloom/golden/plain-100.bp
 * and an existing one never changes. */
#define _FILE_OFFSET_BITS 64 /* readdir on 32-bit machines */
#include "harness.h"

#include "core/xxh.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* "plain-100" into the kind's case of that name and fill. */
static bool find_case(const char *kind, const char *name, size_t length, bp_case *out)
{
    const bp_suite *suite = bp_suite_by_name(kind);
    const char *dash = NULL;
    for (const char *p = name; p < name + length; p++)
        dash = *p == '-' ? p : dash;
    if (!dash || !bp_case_at(kind, 0, out))
        return false;
    char *end;
    out->fill = (uint32_t)strtoul(dash + 1, &end, 10);
    if (end != name + length || end == dash + 1)
        return false;
    for (size_t i = 0; i < suite->sample_count; i++) {
        out->sample = &suite->samples[i];
        if (strlen(out->sample->name) == (size_t)(dash - name) &&
            memcmp(out->sample->name, name, (size_t)(dash - name)) == 0)
            return true;
    }
    return false;
}

static bp_buf read_file(const char *path)
{
    bp_buf b = {(uint8_t *)malloc(1 << 20), 0};
    FILE *f = fopen(path, "rb");
    if (!f || !b.p)
        fail_msg("%s cannot be read", path);
    b.n = fread(b.p, 1, 1 << 20, f);
    fclose(f);
    return b;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

enum { FILES_MAX = 64 };

/* The names of a kind's golden files, sorted; each to be freed. */
static size_t golden_files(const char *kind, char dir[512], char *names[FILES_MAX])
{
    size_t n = 0;
    snprintf(dir, 512, "%s/%s/golden", BP_SOURCE_DIR, bp_kind_folder(kind));
    DIR *d = opendir(dir);
    if (!d)
        fail_msg("there is no folder %s", dir);
    for (struct dirent *e; (e = readdir(d)) && n < FILES_MAX;)
        if (e->d_name[0] != '.')
            names[n++] = strdup(e->d_name);
    closedir(d);
    qsort(names, n, sizeof *names, by_name);
    return n;
}

static uint64_t sum;
static size_t files;

static void check_file(const char *kind, const char *dir, const char *name)
{
    char path[1024];
    bp_case c;
    const size_t length = strlen(name);
    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (length < 4 || strcmp(name + length - 3, ".bp") != 0 ||
        !find_case(kind, name, length - 3, &c))
        fail_msg("%s: the name must be SAMPLE-FILL.bp, of a sample there is", path);
    bp_buf frozen = read_file(path);
    const bp_open how = bp_case_open(&c, NULL);
    bp_detail why = {BP_OK, "", 0, 0, 0};
    bp_any *s;
    if (bp_any_decode(&s, frozen.p, frozen.n, &how, &why))
        fail_msg("%s: %s at %" PRIu64, path, why.what, why.at);
    bp_buf again = bp_encoded(s);
    bp_same_bytes(&c, "the golden file, decoded and encoded", again, frozen);
    bp_any_free(s);
    s = bp_make(&c, NULL);
    bp_buf made = bp_encoded(s);
    bp_same_bytes(&c, "made anew against the golden file", made, frozen);
    sum = XXH3_64bits_withSeed(made.p, made.n, sum);
    files++;
    bp_any_free(s);
    bp_buf_free(&made);
    bp_buf_free(&again);
    bp_buf_free(&frozen);
}

static void golden_files_decode_and_are_made_again_to_the_byte(void **state)
{
    char dir[512], *names[FILES_MAX];
    const size_t n = golden_files((const char *)*state, dir, names);
    if (n == 0)
        fail_msg("%s is empty: freeze the format with --print-golden", dir);
    for (size_t i = 0; i < n; i++)
        check_file((const char *)*state, dir, names[i]);
    for (size_t i = 0; i < n; i++)
        free(names[i]);
}

static void every_sample_is_frozen(void **state)
{
    char dir[512], *names[FILES_MAX];
    const size_t n = golden_files((const char *)*state, dir, names);
    const bp_suite *suite = bp_suite_by_name((const char *)*state);
    for (size_t s = 0; s < suite->sample_count; s++) {
        const char *sample = suite->samples[s].name;
        size_t found = 0;
        for (size_t i = 0; i < n; i++)
            found += strncmp(names[i], sample, strlen(sample)) == 0 &&
                     names[i][strlen(sample)] == '-';
        if (!found)
            fail_msg("%s: no golden file of sample %s", dir, sample);
    }
    for (size_t i = 0; i < n; i++)
        free(names[i]);
}

static void one_hash_over_all_golden_files(void **state)
{
    (void)state;
    assert_true(files > 0);
    printf("hash of all golden re-encodings: %016" PRIx64 "\n", sum);
}

int bp_print_golden(const char *kind, const char *sample, const char *fill)
{
    char name[256];
    bp_case c;
    snprintf(name, sizeof name, "%s-%s", sample, fill);
    if (!bp_any_kind_by_name(kind) || !find_case(kind, name, strlen(name), &c)) {
        fprintf(stderr, "there is no sample %s of %s\n", sample, kind);
        return 2;
    }
    bp_any *s = bp_make(&c, NULL);
    bp_buf b = bp_encoded(s);
    const bool whole = fwrite(b.p, 1, b.n, stdout) == b.n && fflush(stdout) == 0;
    bp_any_free(s);
    bp_buf_free(&b);
    return whole ? 0 : 2;
}

static const struct CMUnitTest tests[] = {
#define BP_SKETCH(id, name, room, family, without, why)                                  \
    BP_KIND_TEST(name, golden_files_decode_and_are_made_again_to_the_byte),              \
        BP_KIND_TEST(name, every_sample_is_frozen),
#include "sketches.def"
#undef BP_SKETCH
    cmocka_unit_test(one_hash_over_all_golden_files),
};

extern const bp_suite bp_suite_golden;
const bp_suite bp_suite_golden = {"golden", tests, sizeof tests / sizeof *tests, NULL, 0};
