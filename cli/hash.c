/* SPDX-License-Identifier: MIT
 * hash.c - --seed and --key-file: by which hash items become 64-bit numbers.
 *
 * A seed is no secret: a sketch carries its own, and whoever has the sketch has it. A key
 * is one: it is read from a file, so that it stands in no list of processes and no shell
 * history, and a sketch keeps only a check value of it. */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_BYTES = 16, HEX_DIGITS = 32, TEXT_MOST = HEX_DIGITS + 2 };

static int refuse(const cli_options *o, const char *what)
{
    cli_error("%s: --key-file %s: %s", o->command->name, o->key_file, what);
    cli_hint("a key is 16 bytes, or 32 hex digits: head -c 16 /dev/urandom > KEY");
    return CLI_ERROR;
}

/* At most cap bytes of the file; *n says how many there were, up to that. */
static bool read_text(int fd, unsigned char *to, size_t cap, size_t *n)
{
    ssize_t got = 1;
    for (*n = 0; *n < cap && got != 0; *n += got > 0 ? (size_t)got : 0) {
        got = read(fd, to + *n, cap - *n);
        if (got < 0 && errno != EINTR)
            return false;
    }
    return true;
}

/* Whoever can read the key can choose items that collide. */
static void warn_when_open(const cli_options *o, int fd)
{
    struct stat st;
    if (o->quiet || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
        !(st.st_mode & (S_IROTH | S_IWOTH)))
        return;
    cli_warn("%s: everyone on this machine may read or change this key", o->key_file);
    cli_hint("chmod go= %s", o->key_file);
}

static bool without_line_end(const unsigned char *text, size_t *n)
{
    if (*n > 0 && text[*n - 1] == '\n')
        --*n;
    if (*n > 0 && *n == HEX_DIGITS + 1 && text[*n - 1] == '\r')
        --*n;
    return *n == HEX_DIGITS;
}

static unsigned digit(unsigned char c)
{
    return isdigit(c) ? c - (unsigned)'0' : (unsigned)tolower(c) - 'a' + 10;
}

static bool from_hex(const unsigned char *text, uint8_t key[KEY_BYTES])
{
    for (size_t i = 0; i < HEX_DIGITS; i++)
        if (!isxdigit(text[i]))
            return false;
    for (size_t i = 0; i < KEY_BYTES; i++)
        key[i] = (uint8_t)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
    return true;
}

static int parse_key(const cli_options *o, const unsigned char *text, size_t n,
                     uint8_t key[KEY_BYTES])
{
    char what[64];
    const size_t all = n;
    if (n == KEY_BYTES) {
        memcpy(key, text, KEY_BYTES);
        return CLI_OK;
    }
    if (n > TEXT_MOST)
        return refuse(o, "holds more than a key");
    if (without_line_end(text, &n) && from_hex(text, key))
        return CLI_OK;
    if (all == 0)
        return refuse(o, "is empty");
    if (n == HEX_DIGITS)
        snprintf(what, sizeof what, "holds %d characters that are not all hex digits",
                 HEX_DIGITS);
    else
        snprintf(what, sizeof what, "holds %zu bytes", all);
    return refuse(o, what);
}

static int read_key(const cli_options *o, uint8_t key[KEY_BYTES])
{
    unsigned char text[TEXT_MOST + 1];
    size_t n = 0;
    const int fd = open(o->key_file, O_RDONLY | O_CLOEXEC);
    int code = fd < 0 ? cli_errno(o->key_file) : CLI_OK;
    if (!code && !read_text(fd, text, sizeof text, &n))
        code = cli_errno(o->key_file);
    if (!code)
        code = parse_key(o, text, n, key);
    if (!code)
        warn_when_open(o, fd);
    if (fd >= 0)
        close(fd);
    return code;
}

int cli_hash_spec(const cli_options *o, bp_hash_spec *spec)
{
    *spec = (bp_hash_spec){.seed = o->seed};
    if (o->layout == CLI_LAYOUT_PARQUET) {
        spec->id = BP_HASH_XXH64;
        if (o->key_file || o->seed)
            return cli_error(
                "%s: --layout parquet: Parquet hashes with xxh64 and the seed "
                "0, and no other seed or key",
                o->command->name);
    }
    if (!o->key_file)
        return CLI_OK;
    if (cli_given(o, OPT_SEED))
        return cli_error("%s: --seed and --key-file: a key takes the place of a seed: "
                         "give one of them",
                         o->command->name);
    spec->id = BP_HASH_SIPHASH24;
    return read_key(o, spec->key);
}

bp_hash_spec cli_hash_of(const bp_any *s)
{
    cli_config made;
    bp_any_config_of(s, &made);
    return made.hash;
}
