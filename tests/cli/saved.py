# SPDX-License-Identifier: MIT
"""saved.py - sketches that this ballpark did not write: with another hash, seed or key,
of a kind or a feature yet unknown, or damaged anywhere.

A header is changed and its checksum made right again, so that what is refused is what
the header says and not that it was touched.
"""
import json
import os
import struct

from run import same

# XXH3-64 with seed 0 of 17 to 128 bytes, which is all that a header here needs.
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364")
MASK = (1 << 64) - 1


def mix(data, at, secret):
    a, b = struct.unpack_from("<QQ", data, at)
    c, d = struct.unpack_from("<QQ", SECRET, secret)
    product = (a ^ c) * (b ^ d)
    return (product ^ product >> 64) & MASK


def xxh3(data):
    n = len(data)
    if not 17 <= n <= 128:
        raise ValueError("xxh3: 17 to 128 bytes")
    h = n * 0x9E3779B185EBCA87
    for i in range((n - 1) // 32 + 1):
        h += mix(data, 16 * i, 32 * i) + mix(data, n - 16 * (i + 1), 32 * i + 16)
    h &= MASK
    h = (h ^ h >> 37) * 0x165667919E3779F9 & MASK
    return h ^ h >> 32


def changed(sketch, at, fmt, value):
    """The sketch with one header field set and the header's checksum right again."""
    b = bytearray(sketch)
    size, = struct.unpack_from("<I", b, 36)
    same(xxh3(bytes(b[:size - 8])), struct.unpack_from("<Q", b, size - 8)[0],
         "xxh3 as this file computes it")
    struct.pack_into(fmt, b, at, value)
    struct.pack_into("<Q", b, size - 8, xxh3(bytes(b[:size - 8])))
    return bytes(b)


def sketch_of(place, *args):
    place.ok(*args, "-o", "tmp.bp", stdin=b"a\nb\nc\n")
    with open(place.path("tmp.bp"), "rb") as f:
        return f.read()


def refused(place, args, *words):
    done = place.run(*args)
    text = done.stderr.decode()
    same(done.returncode, 2, text)
    for word in words:
        same(word in text, True, f"{args}: {word!r} in {text!r}")


def case_another_seed_does_not_merge(place):
    hll = sketch_of(place, "distinct")
    place.write("a.bp", hll)
    place.write("b.bp", changed(hll, 24, "<Q", 77))
    refused(place, ["merge", "a.bp", "b.bp", "-o", "no"], "seed is 0 in a.bp and 77 in b.bp")
    same(json.loads(place.ok("info", "--format", "json", "b.bp"))["parameters"]["seed"], 77)


def case_another_hash_does_not_merge(place):
    hll = sketch_of(place, "distinct")
    place.write("a.bp", hll)
    place.write("b.bp", changed(hll, 20, "<H", 3))
    refused(place, ["merge", "a.bp", "b.bp", "-o", "no"],
            "hash is xxh3 in a.bp and xxh64 in b.bp")


def case_filters_of_another_hash_or_rule_are_not_merged_or_asked(place):
    for kind in ("bloom", "blocked_bloom"):
        made = sketch_of(place, "filter", "build", "-k", kind, "-n", "10")
        place.write("a.bp", made)
        place.write("b.bp", changed(made, 20, "<H", 3))
        refused(place, ["merge", "a.bp", "b.bp", "-o", "no"],
                "hash is xxh3 in a.bp and xxh64 in b.bp", "hint: make both with the same")
        same(place.run("filter", "test", "b.bp", stdin=b"a\nb\nc\n").stdout, b"")


def case_numbers_the_other_way_round_are_told(place):
    """As a program would have written them that copied its memory on a big-endian machine."""
    made = sketch_of(place, "filter", "build", "-n", "10")
    swapped = bytearray(made)
    for at, n in ((8, 2), (10, 2), (12, 4), (16, 4), (20, 2), (22, 2), (24, 8), (32, 4), (36, 4),
                  (40, 8)):
        swapped[at:at + n] = made[at:at + n][::-1]
    place.write("big.bp", bytes(swapped))
    for args in (["info", "big.bp"], ["filter", "test", "big.bp"], ["merge", "big.bp", "-o", "no"]):
        refused(place, args, "big.bp: its numbers are big-endian", "at byte 8", "hint: ")


def case_a_keyed_sketch_is_told_of_and_merged_but_not_asked(place):
    bloom = sketch_of(place, "filter", "build", "-n", "10")
    place.write("k.bp", changed(changed(bloom, 20, "<H", 2), 24, "<Q", 1234))
    place.write("other.bp", changed(changed(bloom, 20, "<H", 2), 24, "<Q", 1235))
    same(json.loads(place.ok("info", "--format", "json", "k.bp"))["hash"], "siphash24")
    place.ok("merge", "k.bp", "k.bp", "-o", "m.bp")
    refused(place, ["merge", "k.bp", "other.bp", "-o", "no"],
            "key_check is 1234 in k.bp and 1235 in other.bp")
    refused(place, ["filter", "test", "k.bp"], "secret key (check value 1234)",
            "hint: --key-file")
    same(json.loads(place.ok("info", "--format", "json", "k.bp"))["parameters"]["key_check"],
         1234)


def case_a_seed_in_the_file_is_the_seed_it_is_asked_with(place):
    bloom = sketch_of(place, "filter", "build", "-n", "10", "--seed", "5")
    same(changed(sketch_of(place, "filter", "build", "-n", "10"), 24, "<Q", 5) == bloom, False)
    place.write("s.bp", bloom)
    same(place.ok("filter", "test", "s.bp", stdin=b"a\nz\nc\n"), b"a\nc\n")
    refused(place, ["filter", "test", "--seed", "4", "s.bp"],
            "--seed 4: s.bp was made with seed 5", "hint: ")


def case_what_is_newer_is_said_to_be_newer(place):
    hll = sketch_of(place, "distinct")
    for name, at, fmt, value in (("format", 8, "<H", 9), ("kind", 10, "<H", 0x7777),
                                 ("feature", 12, "<I", 1 << 30), ("hash", 20, "<H", 99),
                                 ("rule", 22, "<H", 9)):
        place.write("new.bp", changed(hll, at, fmt, value))
        for args in (["info", "new.bp"], ["merge", "new.bp", "-o", "no"],
                     ["filter", "test", "new.bp"]):
            refused(place, args, "ballpark: new.bp: ", "a newer ballpark wrote it")


def case_no_cut_or_flipped_byte_goes_unseen(place):
    """Every length, and every byte changed: never accepted, never a crash, and every
    message names the file."""
    for args in (("distinct",), ("filter", "build", "-n", "10"), ("top",)):
        sketch = sketch_of(place, *args)
        names = []
        for n in range(0, len(sketch), 7):
            names.append(f"cut{n}")
            place.write(names[-1], sketch[:n])
        for n in range(0, len(sketch), 3):
            b = bytearray(sketch)
            b[n] ^= 1 << n % 8
            names.append(f"flip{n}")
            place.write(names[-1], bytes(b))
        done = place.run("info", *names)
        same(done.returncode, 2)
        same(done.stdout, b"", "accepted")
        for name in names:
            same(f"ballpark: {name}: ".encode() in done.stderr, True, name)
        for name in names:
            os.unlink(place.path(name))


def case_saved_sketches_are_read_from_pipes_too(place):
    hll = sketch_of(place, "distinct")
    place.write("a.bp", hll)
    want = place.ok("info", "a.bp").replace(b"a.bp", b"-")
    same(place.ok("info", stdin=hll), want)
    same(place.sh("mkfifo p; cat a.bp > p & ballpark info p").replace(b"file\tp", b"file\t-"),
         want)
