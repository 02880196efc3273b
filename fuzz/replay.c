/* SPDX-License-Identifier: MIT
 * replay.c - gives files to decode_any.c without libFuzzer:
 *
 *     fuzz_replay FILE | FOLDER...
 *
 * Ends with `N passed, 0 failed`; a violation aborts, naming the file. No input at all is
 * a failure. */
#define _FILE_OFFSET_BITS 64 /* readdir on 32-bit machines */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 1 << 22 };

static size_t passed, failed;

static void replay_file(const char *path)
{
    uint8_t *room = (uint8_t *)malloc(MOST);
    FILE *f = fopen(path, "rb");
    if (!f || !room) {
        fprintf(stderr, "%s: cannot be read\n", path);
        failed++;
    } else {
        const size_t n = fread(room, 1, MOST, f);
        uint8_t *exact = (uint8_t *)malloc(n ? n : 1); /* ASan sees a byte too far */
        fprintf(stderr, "%s\n", path);
        if (exact) {
            memcpy(exact, room, n);
            LLVMFuzzerTestOneInput(exact, n);
            free(exact);
            passed++;
        }
    }
    if (f)
        fclose(f);
    free(room);
}

static void replay(const char *path)
{
    DIR *d = opendir(path);
    if (!d) {
        replay_file(path);
        return;
    }
    for (struct dirent *e; (e = readdir(d));) {
        char inside[4096];
        if (e->d_name[0] == '.')
            continue;
        snprintf(inside, sizeof inside, "%s/%s", path, e->d_name);
        replay(inside);
    }
    closedir(d);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    if (passed + failed == 0) {
        fprintf(stderr, "no files to replay\n");
        failed = 1;
    }
    printf("%zu passed, %zu failed\n", passed, failed);
    return failed != 0;
}
