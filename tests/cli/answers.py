# SPDX-License-Identifier: MIT
"""answers.py - the answers against sort and uniq, the JSON against its names, and what a
person sees on a terminal."""
import json
import math
import os
import pty
import random
import resource
import subprocess

from run import is_sanitized, same

SEED = 20261130


def inputs():
    """(name, bytes) of small inputs that hold every odd thing a line can hold."""
    rng = random.Random(SEED)
    alphabet = [b"a", b"b", b"\0", b"\r", b" ", b"\t", b"\xff", b"\xc3\xa9", b",", b""]
    yield "empty", b""
    yield "one newline", b"\n"
    yield "no newline", b"a"
    yield "blank lines", b"\n\n\na\n\n"
    for i in range(60):
        lines = [b"".join(rng.choices(alphabet, k=rng.randrange(4)))
                 for _ in range(rng.randrange(1, 200))]
        end = b"\n" if rng.random() < 0.7 else b""
        yield f"random {i}", b"\n".join(lines[:rng.randrange(1, len(lines) + 1)]) + end
    yield "long lines", b"\n".join(b"x" * n for n in (0, 1, 4095, 65536, 300000) * 3) + b"\n"


def lines_of(data):
    """As sort and wc -l see them once the last line is ended."""
    if data and not data.endswith(b"\n"):
        data += b"\n"
    return data.split(b"\n")[:-1]


def case_distinct_equals_sort_u_wc_l(place):
    for name, data in inputs():
        path = place.write("in", data)
        want = int(place.sh("sort -u in | wc -l"))
        same(len(set(lines_of(data))), want, f"{name}: this test's own count")
        if want > 100:
            continue  # exact, all but surely, only up to there
        same(place.ok("distinct", path), b"%d\n" % want, name)
        same(place.ok("distinct", "-t3", stdin=data), b"%d\n" % want, f"{name}, a pipe")


def case_top_equals_sort_uniq_c_sort_rn(place):
    for name, data in inputs():
        path = place.write("in", data)
        want = place.sh("sort in | uniq -c | sort -k1,1nr | sed 's/^ *\\([0-9]*\\) /\\1\\t/'")
        same(place.ok("top", "-n", "1000", path), want, name)
        same(place.ok("top", "-n", "1000", stdin=data), want, f"{name}, a pipe")
        same(place.ok("top", "-n", "3", path), b"".join(
            row + b"\n" for row in want.split(b"\n")[:-1][:3]), name)


def case_top_of_words_is_that_of_uniq(place):
    rng = random.Random(SEED)
    words = [f"w{min(999, int(1 / (rng.random() + 1e-3)))}" for _ in range(50000)]
    place.write("in", "".join(w + "\n" for w in words).encode())
    want = place.sh("sort in | uniq -c | sort -k1,1nr -k2,2 | head -20 | "
                    "awk '{ print $1 \"\\t\" $2 }'")
    same(place.ok("top", "-n", "20", "in"), want)


def case_distinct_fields_equal_awk(place):
    rng = random.Random(SEED)
    blanks = [" ", "\t", "  ", " \t "]
    text = "".join(
        rng.choice(["", " ", "\t"]) + rng.choice(blanks).join(
            str(rng.randrange(30)) for _ in range(rng.randrange(1, 5))) + "\n"
        for _ in range(500))
    place.write("in", text.encode())
    for field in (1, 2, 3):
        want = place.sh(f"awk 'NF >= {field} {{ print ${field} }}' in | sort -u | wc -l")
        got = place.ok("distinct", f"-f{field}", "--skip-bad", "-q", "in")
        same(int(got), int(want), f"field {field}")
    for field in (1, 2, 3):
        want = place.sh(f"awk -F'\\t' 'NF >= {field} {{ print ${field} }}' in | sort -u | wc -l")
        got = place.ok("distinct", "-d\\t", f"-f{field}", "--skip-bad", "-q", "in")
        same(int(got) == int(want) or int(want) > 100, True, f"tab field {field}")


def case_a_filter_never_loses_a_member_and_keeps_its_order(place):
    rng = random.Random(SEED)
    members = [b"%d" % rng.randrange(1 << 60) for _ in range(5000)]
    others = [b"%d" % rng.randrange(1 << 60) for _ in range(20000)]
    place.write("m", b"\n".join(members) + b"\n")
    mixed = members + others
    rng.shuffle(mixed)
    place.write("x", b"\n".join(mixed) + b"\n")
    for rate in ("10%", "1%", "1e-4"):
        place.ok("filter", "build", "-p", rate, "-o", "f.bp", "m")
        yes = place.ok("filter", "test", "f.bp", "x").split(b"\n")[:-1]
        no = place.ok("filter", "test", "-v", "f.bp", "x").split(b"\n")[:-1]
        same(set(members) <= set(yes), True, f"{rate}: a member was lost")
        merged = iter(mixed)
        same(all(line in merged for line in yes), True, f"{rate}: order")
        same(sorted(yes + no), sorted(mixed), f"{rate}: -v is the rest")
        p = {"10%": 0.1, "1%": 0.01, "1e-4": 1e-4}[rate]
        wrong, n = len(yes) - len(members), len(others)
        limit = n * p * 1.06 + 6 * math.sqrt(n * p) + 1
        same(wrong <= limit, True, f"{rate}: {wrong} of {n}")


def case_items_are_recovered_from_fill(place):
    """n = -(m/k) ln(1 - set/m)"""
    place.write("in", b"".join(b"%d\n" % i for i in range(100000)))
    place.ok("filter", "build", "-k", "bloom", "-n", "100000", "-o", "f.bp", "in")
    j = json.loads(place.ok("info", "--format", "json", "f.bp"))
    m, k = j["parameters"]["bits"], j["parameters"]["hashes"]
    same(abs(j["estimate"] + m / k * math.log1p(-j["fill"])) <= 1, True, j)
    same(abs(j["fpr_now"] - j["fill"] ** k) < 1e-6, True, j)
    same(j["lower"] <= 100000 <= j["upper"] or abs(j["estimate"] / 1e5 - 1) < 0.01, True, j)


def case_json_has_the_names_that_scripts_rely_on(place):
    place.write("in", b"".join(b"%d\n" % (i % 300) for i in range(3000)) + b"\xff\n")
    j = json.loads(place.ok("distinct", "--format", "json", "-o", "d.bp", "in"))
    same(list(j), ["kind", "estimate", "lower", "upper", "confidence", "lines", "bytes"])
    same((j["kind"], j["lines"], j["confidence"]), ("hll", 3001, 0.95))
    same(j["lower"] <= 301 <= j["upper"] and isinstance(j["estimate"], int), True, j)

    rows = place.ok("top", "--format", "json", "-n", "500", "-o", "t.bp", "in").decode()
    rows = [json.loads(r) for r in rows.splitlines()]
    same(len(rows), 301)
    for row in rows[:300]:
        same(list(row), ["item", "count", "lower", "upper", "share"])
        same((row["count"], row["lower"], row["upper"]), (10, 10, 10))
        same(abs(row["share"] - 10 / 3001) < 1e-12, True, row)
    same(list(rows[300]), ["item_base64", "count", "lower", "upper", "share"])
    same(rows[300]["item_base64"], "/w==")

    place.ok("filter", "build", "-n", "400", "-o", "b.bp", "in")
    want = {"d.bp": ["estimate", "lower", "upper"], "t.bp": ["items"],
            "b.bp": ["items", "fill", "fpr_design", "fpr_now", "estimate", "lower",
                     "upper"]}
    for name, some in want.items():
        j = json.loads(place.ok("info", "--format", "json", name))
        for field in ["kind", "format", "hash", "parameters", "bytes", "health"] + some:
            same(field in j, True, f"{name}: {field}")
        same(j["bytes"], os.path.getsize(place.path(name)))
        same(j["health"] in ("ok", "near", "over"), True, j)
        same(j["hash"], "xxh3")

    sizes = {("-k", "bloom", "-n", "1000"): ["kind", "items", "fpr", "bits", "hashes",
                                          "bytes", "overload"],
             ("-e", "1%", "--delta", "1%"): ["kind", "bytes", "width", "depth"],
             ("--precision", "12"): ["kind", "bytes", "precision", "standard_error"]}
    for args, names in sizes.items():
        j = json.loads(place.ok("size", "--format", "json", *args))
        same([n for n in names if n not in j], [], args)
    j = json.loads(place.ok("size", "--format", "json", "-k", "bloom"))
    same([o["times"] for o in j["overload"]], [1.0, 1.25, 1.5, 2.0, 3.0])
    for row in j["overload"]:
        fill = 1 - math.exp(-7 * row["times"] * 1e6 / 9585059)
        same(abs(row["fill"] - fill) < 1e-12 and abs(row["fpr"] - fill ** 7) < 1e-12, True,
             row)


def case_json_counts_above_2_to_63_are_strings(place):
    j = json.loads(place.ok("size", "--format", "json", "-k", "count_min", "-n",
                            "9223372036854775808"))
    same(j["items"], "9223372036854775808")
    j = json.loads(place.ok("size", "--format", "json", "-k", "count_min", "-n",
                            "9223372036854775807"))
    same(j["items"], 9223372036854775807)


def on_terminal(place, *args, stdin=subprocess.DEVNULL):
    """(exit code, what a terminal shows, what stderr got when that is a pipe)"""
    mine, its = pty.openpty()
    child = subprocess.Popen([place.ballpark, *args], cwd=place.dir, env=place.env,
                             stdin=stdin, stdout=its, stderr=subprocess.PIPE)
    os.close(its)
    shown = b""
    while True:
        try:
            piece = os.read(mine, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(mine)
    errors = child.stderr.read()
    child.stderr.close()
    return child.wait(), shown.replace(b"\r\n", b"\n").decode(), errors.decode()


def case_a_terminal_gets_words_and_a_pipe_gets_bare_values(place):
    place.write("in", b"".join(b"%d\n" % i for i in range(20000)))
    code, shown, _ = on_terminal(place, "distinct", "in")
    same((code, "±" in shown and "," in shown and "confidence" in shown), (0, True), shown)
    same(place.ok("distinct", "in").strip().isdigit(), True)
    code, shown, _ = on_terminal(place, "top", "-n3", "in")
    same(shown.split("\n")[0].split(), ["count", "at", "least", "share", "item"], shown)
    code, shown, _ = on_terminal(place, "size", "-n", "1000")
    same(shown.startswith("Filters of 1,000 items, at most 1% false positives\n"), True, shown)
    code, shown, _ = on_terminal(place, "distinct", "--format", "plain", "in")
    same(shown.strip().isdigit(), True, shown)


def case_a_sketch_is_not_written_to_a_terminal(place):
    place.write("in", b"a\n")
    place.ok("distinct", "-o", "d.bp", "in")
    for args in (["merge", "d.bp"], ["filter", "build", "in"], ["count", "build", "in"]):
        code, shown, errors = on_terminal(place, *args)
        same((code, shown), (2, ""), errors)
        same("this is a terminal" in errors and "hint: " in errors, True, errors)


def case_quiet_runs_are_quiet(place):
    """A pipe gets data alone: nothing on stderr when nothing is wrong."""
    place.write("in", b"".join(b"%d\n" % (i % 99) for i in range(5000)))
    for args in (["distinct", "in"], ["top", "in"], ["filter", "build", "-o", "f.bp", "in"],
                 ["filter", "test", "f.bp", "in"], ["info", "f.bp"], ["size"],
                 ["merge", "f.bp", "-o", "g.bp"]):
        done = place.run(*args)
        same((done.returncode, done.stderr), (0, b""), args)


def limited(megabytes):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    return limit


def case_out_of_memory_is_an_error_that_says_so(place):
    """Under a limit on memory, except with a sanitizer, which takes terabytes itself:
    there the request alone is too large."""
    place.write("in", b"".join(b"%d\n" % i for i in range(1000)))
    limit = None if is_sanitized() else limited(100)
    runs = [["filter", "build", "-n", "1e15", "-o", "no.bp", "in"]]
    if limit:
        runs += [["filter", "build", "-n", "1e9", "-o", "no.bp", "in"],
                 ["top", "-m", "1G", "-n", "1000000", "-o", "no.bp", "in"]]
    for args in runs[:2]:
        done = place.run(*args, preexec_fn=limit)
        same(done.returncode, 2, done.stderr)
        same(b"out of memory" in done.stderr, True, done.stderr)
        same(os.path.exists(place.path("no.bp")), False)
    if not limit:
        return
    with open(place.path("long"), "wb") as f:  # top keeps whole keys
        f.truncate(300 << 20)
    done = place.run("top", "long", preexec_fn=limit)
    same(done.returncode, 2, done.stderr)
    same(b"out of memory" in done.stderr, True, done.stderr)
    place.ok("distinct", "-t1", "long", preexec_fn=limit)


def case_merging_days_equals_reading_both(place):
    rng = random.Random(SEED)
    mon = b"".join(b"%d\n" % rng.randrange(0, 40000) for _ in range(150000))
    tue = b"".join(b"%d\n" % rng.randrange(20000, 60000) for _ in range(150000))
    place.write("mon", mon)
    place.write("tue", tue)
    truth = len(set((mon + tue).split()))
    place.ok("distinct", "-o", "mon.bp", "mon")
    place.ok("distinct", "-o", "tue.bp", "tue")
    both = int(place.ok("distinct", "-o", "both.bp", "mon", "tue"))
    place.ok("merge", "mon.bp", "tue.bp", "-o", "sum.bp")
    same(open(place.path("sum.bp"), "rb").read(), open(place.path("both.bp"), "rb").read())
    same(abs(both / truth - 1) < 6 * 0.0081, True, f"{both} for {truth}")
