# SPDX-License-Identifier: MIT
"""display.py - colour and width on a terminal, and formats read back by those who read
them: Python's csv and json, and Prometheus' own promtool.
"""
import csv
import io
import json
import os
import random
import subprocess

from follow import Window
from run import same


def shown(place, *args, stdin=b"", **window):
    """(what a terminal gets, its lines) of a run there."""
    w = Window(place, *args, **window)
    w.give(stdin)
    w.end()
    return w.seen, w.screen.text()


def case_a_terminal_gets_colour_unless_somebody_said_no(place):
    for args, env, is_coloured in (
            ([], {}, True), ([], {"NO_COLOR": ""}, True), ([], {"NO_COLOR": "1"}, False),
            ([], {"TERM": "dumb"}, False), (["--color=never"], {}, False),
            (["--color=auto"], {"NO_COLOR": "1"}, False),
            (["--color=always"], {"NO_COLOR": "1"}, True)):
        seen, _ = shown(place, "top", "-q", *args, stdin=b"a\n", env=env, columns=60)
        same(b"\x1b[1mcount\x1b[0m" in seen, is_coloured, (args, env, seen))
        same(b"\x1b" in seen, is_coloured, (args, env, seen))
        seen, _ = shown(place, "top", *args, "missing", env=env, columns=60)
        same(b"\x1b[1;31mballpark: \x1b[0mmissing" in seen, is_coloured, (args, env, seen))
        same(b"\x1b" in seen, is_coloured, (args, env, seen))


def case_errors_are_coloured_for_a_terminal_alone(place):
    done = place.run("distinct", "--color=always", "missing", env={"TERM": "xterm"})
    same(done.stderr, b"ballpark: missing: No such file or directory\n")
    done = place.run("top", "--format", "human", "-q", stdin=b"a\n", env={"TERM": "xterm"})
    same(b"\x1b" in done.stdout, False)


def case_a_row_is_never_longer_than_the_terminal(place):
    items = "".join(f"{c * 300}\n" for c in ("a", "\u00e9", "\u65e5", "\u65e5x")).encode()
    for columns in (40, 57, 80):
        seen, lines = shown(place, "top", "-q", stdin=items, columns=columns, rows=20,
                            env={"NO_COLOR": "1"})
        rows = seen.decode().split("\r\n")[1:5]
        same(all(r.endswith("...") for r in rows), True, rows)
        for r in rows:
            wide = len(r) + sum(c == "\u65e5" for c in r)
            same(columns - 1 <= wide <= columns, True, (columns, wide, r))
    _, lines = shown(place, "top", "-q", stdin=items, columns=80, env={"COLUMNS": "30"})
    same(max(map(len, lines)), 30)
    # Into a pipe an item is as long as it is, up to what a person reads.
    done = place.ok("top", "-q", "--format", "human", stdin=items, env={"COLUMNS": "30"})
    same(b"a" * 200 + b"... (300 bytes)\n" in done, True)


def hostile():
    rng = random.Random(20261130)
    print_all = [bytes([b]) for b in range(256) if b != 10]
    mixed = [bytes(rng.choices(b'a,"\r\t\\ \x00\xff\xc3\xa9{}=', k=rng.randint(0, 12)))
             for _ in range(300)]
    return sorted(set(print_all + mixed + [b"", b'"', b'""', b"a,b", b"\r"]))


def case_csv_is_read_back_by_python(place):
    items = hostile()
    out = place.ok("top", "-n", "5000", "--format", "csv", stdin=b"\n".join(items) + b"\n")
    rows = list(csv.reader(io.StringIO(out.decode("latin-1"), newline="")))
    same(rows[0], ["count", "lower", "upper", "share", "item"])
    same(sorted(r[4].encode("latin-1") for r in rows[1:]), items)


def case_json_is_an_object_a_line(place):
    items = hostile()
    out = place.ok("top", "-n", "5000", "--format", "json", stdin=b"\n".join(items) + b"\n")
    rows = [json.loads(line) for line in out.splitlines()]
    same(len(rows), len(items))
    same({r["item"].encode() for r in rows if "item" in r} <= set(items), True)


def lint(text):
    done = subprocess.run(["promtool", "check", "metrics"], input=text, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    same((done.returncode, done.stdout), (0, b""), text.decode())


def case_promtool_finds_nothing_wrong_with_any_metric(place):
    place.write("in", b"".join(b"%d %d\n" % (i % 50, i) for i in range(5000)))
    place.ok("distinct", "-o", "hll.bp", "in")
    place.ok("top", "-f1", "-o", "top.bp", "in")
    place.ok("filter", "build", "-n", "10", "-o", 'odd "na\\me\xff.bp', "in")
    place.ok("count", "build", "-o", "count.bp", "in")
    names = ["hll.bp", "top.bp", 'odd "na\\me\xff.bp', "count.bp"]
    for args in (["distinct", "in"], ["top", "-f1", "in"], ["info", *names],
                 ["distinct", "-f2", "-g1", "in"], ["top", "-f2", "-g1", "-n2", "in"],
                 *(["query", name] for name in names)):
        out = place.ok(args[0], "--format", "prom", "-q", *args[1:]) if args[0] != "info" \
            else place.ok(args[0], "--format", "prom", *args[1:])
        same(out.count(b"\n# TYPE ballpark_") >= 1, True, args)
        lint(out)


def case_a_label_is_utf8_whatever_the_name_is(place):
    place.ok("distinct", "-o", "x.bp", stdin=b"a\n")
    for name, label in ((b"\xff\xc3", "\\\\xff\\\\xc3"), (b"a\nb", "a\\nb"),
                        ("\u00e9".encode(), "\u00e9"), (b'\\"', '\\\\\\"')):
        os.rename(place.path("x.bp").encode(), os.path.join(place.dir.encode(), name))
        out = place.ok("info", "--format", "prom", os.fsdecode(name))
        same(f'ballpark_sketch_health{{sketch="{label}"}} 0\n'.encode() in out, True, out)
        lint(out)
        os.rename(os.path.join(place.dir.encode(), name), place.path("x.bp").encode())
