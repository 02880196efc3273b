# SPDX-License-Identifier: MIT
"""dedup.py - dedup against a model of it, line by line, and as part of a living pipe."""
import math
import os
import random
import re
import resource
import signal
import subprocess

import run
from run import same

SEED = 20261130


def log_of(rng, lines, different):
    """Lines with repeats near and far, empty ones, NUL bytes and bytes that are no text."""
    odd = [b"", b"\0", b"\xff\xfe", b"a\0b", b"x" * 3000, b" ", b"\r"]
    items = odd + [b"%d %x" % (i, rng.getrandbits(40)) for i in range(different)]
    return [rng.choice(items) for _ in range(lines)]


def firsts(lines, key=lambda line: line):
    seen, first = set(), []
    for line in lines:
        first.append(key(line) not in seen)
        seen.add(key(line))
    return first


def text(lines):
    return b"".join(line + b"\n" for line in lines)


def case_first_occurrences_are_those_of_the_model(place):
    rng = random.Random(SEED)
    for different in (10, 3000, 60000):
        lines = log_of(rng, 100000, different)
        first = firsts(lines)
        place.write("in", text(lines))
        want = text(l for l, f in zip(lines, first) if f)
        rest = text(l for l, f in zip(lines, first) if not f)
        same(place.ok("dedup", "-q", "-p", "1e-9", "in") == want, True, different)
        same(place.ok("dedup", "-q", "-v", "-p", "1e-9", "in") == rest, True, different)
        same(int(place.ok("dedup", "-q", "-c", "in")), sum(first), different)
        same(place.ok("dedup", "-q", "-p", "1e-9", stdin=text(lines)[:-1]) == want, True,
             "a pipe, the last line without its end")


def case_fields_decide_and_lines_are_printed(place):
    rng = random.Random(SEED + 1)
    lines = [b"%d,%d,%d" % (i, rng.randrange(400), rng.randrange(9)) for i in range(20000)]
    first = firsts(lines, lambda line: line.split(b",")[1])
    want = text(l for l, f in zip(lines, first) if f)
    same(place.ok("dedup", "-q", "-d,", "-f2", stdin=text(lines)) == want, True)


def case_what_is_lost_is_what_was_announced(place):
    """At rates that lose many: nothing goes out twice, order is kept, and the number of
    first occurrences that are missing is the announced one within 6 standard errors and
    2 in 100."""
    rng = random.Random(SEED + 2)
    for rate, room in ((0.01, 60000), (0.1, 60000), (0.01, 30000), (0.3, 500)):
        lines = log_of(rng, 100000, 60000 if room > 500 else 1000)
        place.write("in", text(lines))
        done = place.run("dedup", "-n", str(room), "-p", str(rate), "in")
        got = done.stdout.split(b"\n")[:-1]
        same(len(set(got)), len(got), "a line went out twice")
        rest = iter(lines)
        same(all(line in rest for line in got), True, "order")
        lost = len(set(lines)) - len(got)
        said = int(re.search(rb"about ([\d,]+) first", done.stderr)[1].replace(b",", b""))
        same(abs(lost - said) <= 6 * math.sqrt(said) + 0.02 * said, True,
             f"{rate}, {room}: {lost} lost, {said} said")
        same(done.returncode, 3 if len(got) > room else 0, done.stderr)


def case_lines_leave_as_they_come(place):
    child = subprocess.Popen([run.BALLPARK, "dedup", "-q"], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE)
    for line, answer in ((b"a\n", b"a\n"), (b"a\nb\n", b"b\n"), (b"c\n", b"c\n")):
        child.stdin.write(line)
        child.stdin.flush()
        same(os.read(child.stdout.fileno(), 100), answer)
    child.send_signal(signal.SIGINT)
    same(child.wait(10), 130)
    child.stdin.close()
    child.stdout.close()


def case_a_reader_that_leaves_ends_it_quietly(place):
    child = subprocess.Popen([run.BALLPARK, "dedup"], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdout.close()
    try:
        for i in range(100000):
            child.stdin.write(b"%d\n" % i)
        child.stdin.close()
    except BrokenPipeError:
        pass
    same((child.wait(10), child.stderr.read()), (-signal.SIGPIPE, b""))
    child.stderr.close()


def case_a_disk_that_fills_up_is_an_error_at_every_size(place):
    rng = random.Random(SEED + 3)
    place.write("in", text(log_of(rng, 30000, 30000)))
    want = place.ok("dedup", "-q", "in")
    for kilobytes in (0, 1, 100, 200, len(want) // 1024):
        with open(place.path("out"), "wb") as out:
            done = subprocess.run(
                [run.BALLPARK, "dedup", "-q", "-n", "30000", "-s", place.path("s.bp"),
                 place.path("in")], stdout=out, stderr=subprocess.PIPE,
                preexec_fn=lambda: limit(kilobytes))
        same(done.returncode, 2, kilobytes)
        same(os.path.exists(place.path("s.bp")), False, "what was not printed counts as seen")
        same(done.stderr.startswith(b"ballpark: standard output: "), True, done.stderr)


def limit(kilobytes):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes << 10, kilobytes << 10))


def case_reading_goes_on_after_every_interruption_and_short_read(place):
    rng = random.Random(SEED + 4)
    data = text(log_of(rng, 30000, 30000))
    want = place.ok("dedup", "-q", stdin=data)
    for how in ("intr:read:1", "intr:read:2", "short:read:1", "short:read:2"):
        got = place.ok("dedup", "-q", stdin=data,
                       env={"LD_PRELOAD": place.shim, "FAULT": how})
        same(got == want, True, how)


def case_of_runs_at_once_with_one_state_each_line_goes_out_once(place):
    rng = random.Random(SEED + 5)
    lines = log_of(rng, 20000, 8000)
    place.write("in", text(lines))
    place.sh("for i in 1 2 3 4 5 6; do "
             "ballpark dedup -q -p 1e-9 -s s.bp in > out.$i & done; wait")
    got = place.sh("cat out.*")
    same(sorted(got.split(b"\n")[:-1]) == sorted(set(lines)), True)
