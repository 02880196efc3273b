# SPDX-License-Identifier: MIT
"""group_files.py - groups against a dictionary, and their files damaged at every byte."""
import collections
import json
import os
import random
import struct

from run import same
from saved import xxh3


def names_of(rng, n):
    """Group names of all sorts: empty, of NUL bytes, not UTF-8, long, alike."""
    made = {b"", b"\0", b"\0\0", b"a", b"a\0", b"\xff\xfe", b"a b", b"%", b".", b"x" * 5000}
    while len(made) < n:
        made.add(bytes(rng.choice(b"ab\0\xc3\xa9 %.") for _ in range(rng.randrange(7))) +
                 b"%d" % rng.randrange(3 * n))
    return sorted(made)


def records_of(rng, groups, n):
    """(group, item) pairs: some groups have one item, some thousands, some items long."""
    out = []
    for _ in range(n):
        group = groups[min(rng.randrange(len(groups)), rng.randrange(len(groups)))]
        item = b"i%d" % min(rng.randrange(4000), rng.randrange(4000), rng.randrange(4000))
        if rng.randrange(50) == 0:
            item = item * rng.randrange(1, 120)
        out.append((group, item))
    return out


def text_of(records):
    return b"".join(g + b"\t" + i + b"\n" for g, i in records)


def model(records):
    out = collections.defaultdict(collections.Counter)
    for group, item in records:
        out[group][item] += 1
    return out


def top_rows(counts, n):
    return sorted(counts.items(), key=lambda p: (-p[1], p[0]))[:n]


def check_distinct(place, want, *args):
    """Few different items are counted exactly, more within six standard errors."""
    rows = place.ok("distinct", "-g1", "-f2", "-d\\t", *args).split(b"\n")[:-1]
    got = [(r.split(b"\t", 1)[1], int(r.split(b"\t")[0])) for r in rows]
    same([g for g, _ in got], sorted(want), f"{args}: the groups")
    for group, n in got:
        true = len(want[group])
        same(abs(n - true) <= (0 if true <= 100 else 0.05 * true), True,
             f"{args}: {group!r}: {n} for {true}")


def check_top(place, want, *args):
    rows = place.ok("top", "-g1", "-f2", "-d\\t", "-n3", "-m", "1M", *args).split(b"\n")[:-1]
    expect = [b"%d\t%s\t%s" % (n, group, item) for group in sorted(want)
              for item, n in top_rows(want[group], 3)]
    same(rows, expect, f"{args}")


def case_groups_of_all_sizes_and_names_are_those_of_a_dictionary(place):
    for seed in range(6):
        rng = random.Random(seed)
        records = records_of(rng, names_of(rng, rng.choice((3, 12, 300, 5000))), 60000)
        place.write("in", text_of(records))
        want = model(records)
        for threads in ("-t1", "-t2", "-t7"):
            check_distinct(place, want, threads, "in")
            check_top(place, want, threads, "in")


def case_a_hundred_thousand_groups_are_all_there(place):
    rng = random.Random(7)
    records = [(b"g%d" % (i * 7919 % 100000), b"%d" % rng.randrange(3))
               for i in range(200000)]
    place.write("in", text_of(records))
    want = model(records)
    for threads in ("-t1", "-t2"):
        check_distinct(place, want, threads, "in")
        check_top(place, want, threads, "in")


def case_weights_are_added_up_in_each_group_whatever_their_size(place):
    rng = random.Random(8)
    want = collections.defaultdict(collections.Counter)
    lines = []
    for _ in range(3000):
        group, item = b"g%d" % rng.randrange(40), b"i%d" % rng.randrange(6)
        weight = rng.choice((0, 1, 2, 77, 2**31, 2**32 - 1, 2**32, 2**40))
        want[group][item] += weight
        lines.append(b"%s\t%s\t%d\n" % (group, item, weight))
    want = {g: {i: n for i, n in c.items() if n} for g, c in want.items()}
    place.write("in", b"".join(lines))
    check_top(place, want, "-w3", "in")


def case_the_largest_groups_are_those_that_have_most(place):
    rng = random.Random(9)
    want = {b"g%d" % i: rng.randrange(1, 60) for i in range(500)}
    place.write("in", text_of([(g, b"%d" % i) for g, n in want.items() for i in range(n)]))
    order = sorted(want, key=lambda g: (-want[g], g))
    for n in (1, 2, 63, 64, 499, 500, 9999):
        got = place.ok("distinct", "-g1", "-f2", "-d\\t", f"-n{n}", "in")
        same(got, b"".join(b"%d\t%s\n" % (want[g], g) for g in order[:n]), f"-n{n}")


def case_a_merge_of_parts_is_the_whole_for_any_groups(place):
    rng = random.Random(10)
    groups = names_of(rng, 400)
    parts = [records_of(rng, groups[i * 40:], 4000) for i in range(5)]
    for command in ("distinct", "top"):
        names = []
        for i, part in enumerate(parts):
            names.append(f"{command}{i}")
            place.write("in", text_of(part))
            place.ok(command, "-q", "-g1", "-f2", "-d\\t", "-o", names[-1], "in")
        place.write("in", text_of(sum(parts, [])))
        place.ok(command, "-q", "-g1", "-f2", "-d\\t", "-o", "whole", "in")
        place.ok("merge", *names, "-o", "merged")
        with open(place.path("merged"), "rb") as a, open(place.path("whole"), "rb") as b:
            same(a.read() == b.read(), True, command)


def case_a_directory_holds_what_each_group_alone_would_give(place):
    rng = random.Random(11)
    records = records_of(rng, [b"", b".", b"..", b"a/b", b"%", b"c d", b"\xff", b"A", b"a"],
                         500)
    place.write("in", text_of(records))
    place.ok("distinct", "-g1", "-f2", "-d\\t", "--output-dir", "dir", "in")
    names = {"%": b"", "%2E": b".", "%2E.": b"..", "a%2Fb": b"a/b", "%25": b"%",
             "c%20d": b"c d", "%FF": b"\xff", "A": b"A", "a": b"a"}
    same(sorted(os.listdir(place.path("dir"))), sorted(n + ".bp" for n in names))
    for name, group in names.items():
        place.write("one", b"".join(i + b"\n" for g, i in records if g == group))
        place.ok("distinct", "-o", "one.bp", "one")
        with open(place.path("one.bp"), "rb") as a, \
                open(place.path(f"dir/{name}.bp"), "rb") as b:
            same(a.read() == b.read(), True, name)


# ---------------------------------------------------------------------------- damage

def small_file(place, command):
    place.ok(command, "-q", "-g1", "-f2", "-o", "small.bp",
             stdin=b"web ann\ndb bob\nweb eve\nmail-of-all x\n")
    with open(place.path("small.bp"), "rb") as f:
        return f.read()


def refused(place, files):
    """None of the files is taken for a whole one by info, query or merge."""
    for name, data in files.items():
        place.write(name, data)
    done = place.run("info", *files)
    same((done.returncode, done.stdout), (2, b""), done.stderr)
    for name in files:
        same(f"ballpark: {name}: ".encode() in done.stderr, True, f"{name}: {done.stderr}")
        os.unlink(place.path(name))


def case_no_cut_or_flipped_byte_of_a_file_of_groups_goes_unseen(place):
    for command in ("distinct", "top"):
        whole = small_file(place, command)
        refused(place, {f"cut{n}": whole[:n] for n in range(len(whole))})
        for bit in range(0, 8, 3):
            refused(place, {f"flip{n}": whole[:n] + bytes([whole[n] ^ 1 << bit]) +
                            whole[n + 1:] for n in range(len(whole))})
        refused(place, {"longer": whole + b"\0" * 8})


def case_a_damaged_file_of_groups_is_not_merged_either(place):
    whole = small_file(place, "distinct")
    for n in range(0, len(whole), 5):
        place.write("bad", whole[:n] + bytes([whole[n] ^ 1]) + whole[n + 1:])
        done = place.run("merge", "small.bp", "bad", "-o", "out")
        same((done.returncode, os.path.exists(place.path("out"))), (2, False), f"byte {n}")


def sealed(b):
    """The file with the checksum at its end right again."""
    b = bytearray(b)
    struct.pack_into("<Q", b, len(b) - 8, xxh3(bytes(b[len(b) - 32:len(b) - 8])))
    return bytes(b)


def with_index(whole, index):
    """The file with this index, and every checksum right again."""
    at, = struct.unpack_from("<Q", whole, len(whole) - 24)
    raw = struct.pack(f"<{len(index)}Q", *index)
    end = struct.pack("<QQQ", len(index), at, xxh3(raw))
    return whole[:at] + raw + end + struct.pack("<Q", xxh3(end))


def case_an_index_that_lies_is_refused_whatever_its_checksums_say(place):
    whole = small_file(place, "distinct")
    at, = struct.unpack_from("<Q", whole, len(whole) - 24)
    index = list(struct.unpack_from("<3Q", whole, at))
    lies = {"count": sealed(whole[:-32] + struct.pack("<Q", 1 << 60) + whole[-24:])}
    for i in range(3):
        for value in (0, 8, 64, 65, at, at + 8, 1 << 63, (1 << 64) - 8, index[i] + 8):
            if value != index[i]:
                lies[f"begin{i}-{value}"] = with_index(whole, index[:i] + [value] +
                                                       index[i + 1:])
    lies["swapped"] = with_index(whole, [index[1], index[0], index[2]])
    lies["twice"] = with_index(whole, [index[0], index[0], index[2]])
    lies["fewer"] = with_index(whole, [index[0], index[2], at])
    same(with_index(whole, index), whole, "the index as it was")
    refused(place, lies)


def entries(whole):
    at, count = (struct.unpack_from("<Q", whole, len(whole) - n)[0] for n in (24, 32))
    index = list(struct.unpack_from(f"<{count}Q", whole, at)) + [at]
    return [whole[a:b] for a, b in zip(index, index[1:])]


def put_together(whole, parts):
    index, body = [], whole[:64]
    for part in parts:
        index.append(len(body))
        body += part
    return with_index(body + struct.pack("<QQ", 0, len(body)) + b"\0" * 16, index)


def case_groups_out_of_order_twice_or_of_another_kind_are_refused(place):
    whole, other = small_file(place, "distinct"), small_file(place, "top")
    a, b, c = entries(whole)
    same(put_together(whole, [a, b, c]), whole, "put together as it was")
    refused(place, {"order": put_together(whole, [b, a, c]),
                    "twice": put_together(whole, [a, a, b]),
                    "kind": put_together(whole, [a, b, entries(other)[2]]),
                    "rest": put_together(whole, [a, b + b"\0" * 8, c])})


def case_a_group_is_found_by_its_name_among_many(place):
    rng = random.Random(12)
    want = model(records_of(rng, names_of(rng, 700), 9000))
    place.write("in", text_of([(g, i) for g, c in want.items() for i in c]))
    place.ok("distinct", "-q", "-g1", "-f2", "-d\\t", "-o", "all.bp", "in")
    for group in list(want)[::9] + [b"", b"a", b"%"]:
        if b"\0" in group or group not in want:
            continue
        told = json.loads(place.ok("info", "--format", "json", "--only", group, "all.bp"))
        same(abs(told["estimate"] - len(want[group])) <= 1, True, f"{group!r}: {told}")
    for group in (b"zzz", b" ", b"i0"):
        same(place.run("info", "--only", group, "all.bp").returncode, 2)
