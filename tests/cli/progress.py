# SPDX-License-Identifier: MIT
"""progress.py - --progress on a terminal of its own: what is drawn, and that it is gone.

Pipes are fed slowly enough for a few drawings; a hole of a tebibyte is a file that takes
longer than that to read, and is interrupted.
"""
import os
import pty
import re
import signal
import subprocess
import threading
import time

from run import same

PIPE = re.compile(r"[\d.]+ (B|KiB), \d:\d\d, [\d.]+ (B|KiB)/s(, [\d,]+ lines/s)?")
FILE = re.compile(r"[\d.]+ [MG]iB of 1\.00 TiB, \d+%, [\d:]+ left, [\d.]+ [MG]iB/s")


class Terminal:
    """A run whose stderr is a terminal (its stdout, too, when asked)."""

    def __init__(self, place, args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=None):
        self.mine, its = pty.openpty()
        self.run = subprocess.Popen(
            [place.ballpark, *args], cwd=place.dir, env={**place.env, **(env or {})},
            stdin=stdin, stdout=its if stdout == "terminal" else stdout, stderr=its)
        os.close(its)
        self.raw = b""
        self.reader = threading.Thread(target=self.read_all)
        self.reader.start()

    def read_all(self):
        while True:
            try:
                piece = os.read(self.mine, 65536)
            except OSError:
                return
            if not piece:
                return
            self.raw += piece

    def feed(self, seconds, text=b"one line\n" * 100):
        """Slowly into the pipe, which is closed then."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.run.stdin.write(text)
            self.run.stdin.flush()
            time.sleep(0.05)
        self.run.stdin.close()

    def until(self, pattern):
        """Waits for it to be drawn, some time at least."""
        end = time.monotonic() + 60
        while not pattern.search(self.raw.decode()) and time.monotonic() < end:
            time.sleep(0.05)

    def finish(self):
        """(exit code, stdout)"""
        out = self.run.stdout.read() if self.run.stdout else b""
        code = self.run.wait(60)
        self.reader.join(60)
        os.close(self.mine)
        if self.run.stdout:
            self.run.stdout.close()
        return code, out

    def drawn(self):
        """All that ever stood in the line of progress."""
        return [p.strip() for p in self.raw.decode().split("\r") if "/s" in p]

    def left(self):
        """What is on the screen: a carriage return goes back, text overwrites."""
        lines = []
        for line in self.raw.decode().replace("\r\n", "\n").split("\n"):
            cells = []
            for piece in line.split("\r"):
                cells[:len(piece)] = piece
            lines.append("".join(cells).rstrip())
        return "\n".join(lines)


def case_a_pipe_has_bytes_time_and_rate_and_nothing_stays(place):
    t = Terminal(place, ["distinct", "--progress"])
    t.feed(2)
    same(t.finish(), (0, b"1\n"))
    same(len(t.drawn()) >= 3, True, t.raw)
    for line in t.drawn():
        same(bool(PIPE.fullmatch(line)), True, line)
    same(t.left(), "", t.raw)


def case_a_file_has_a_percentage_and_a_time_left(place):
    with open(place.path("hole"), "wb") as f:
        f.write(b"a\nb\n")
        f.truncate(1 << 40)
    t = Terminal(place, ["distinct", "--progress", "-q", "hole"])
    t.until(FILE)
    t.run.send_signal(signal.SIGINT)
    same(t.finish(), (130, b"2\n"), t.raw)
    same(FILE.match(t.drawn()[-1]) is not None, True, t.drawn())
    same(t.left(), "", t.raw)


def case_the_first_second_is_quiet(place):
    t = Terminal(place, ["distinct", "--progress"])
    t.feed(0.5)
    same(t.finish(), (0, b"1\n"))
    same(t.raw, b"")


def case_without_a_terminal_there_is_none(place):
    run = subprocess.Popen([place.ballpark, "distinct", "--progress"], cwd=place.dir,
                           env=place.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE)
    time.sleep(1.3)
    same(run.communicate(b"a\n"), (b"1\n", b""))


def case_a_narrow_terminal_gets_less(place):
    t = Terminal(place, ["distinct", "--progress"], env={"COLUMNS": "20"})
    t.feed(1.6)
    same(t.finish(), (0, b"1\n"))
    same(len(t.drawn()) == 0 and ", 0:01" in t.raw.decode(), True, t.raw)
    same(max(map(len, t.raw.decode().split("\r"))) < 20, True, t.raw)


def case_an_error_stands_alone_in_its_line(place):
    t = Terminal(place, ["distinct", "--progress", "-", "missing"])
    t.feed(1.6)
    same(t.finish(), (2, b"1\n"))
    same(len(t.drawn()) >= 1, True, t.raw)
    same(t.left(), "ballpark: missing: No such file or directory\n", t.raw)


def case_lines_that_go_to_the_terminal_are_progress_enough(place):
    place.ok("filter", "build", "-n", "9", "-o", "f.bp", stdin=b"one line\n")
    t = Terminal(place, ["filter", "test", "--progress", "f.bp"], stdout="terminal")
    t.feed(1.6)
    same(t.finish()[0], 0)
    same(t.drawn(), [], t.raw)
    t = Terminal(place, ["filter", "test", "--progress", "f.bp"], stdout=subprocess.DEVNULL)
    t.feed(1.6)
    same(t.finish()[0], 0)
    same((len(t.drawn()) >= 1, t.left()), (True, ""), t.raw)


def case_the_copy_of_a_pipe_is_progress(place):
    t = Terminal(place, ["filter", "build", "--progress", "-o", "f.bp"])
    t.feed(1.6)
    same(t.finish(), (0, b""))
    same((len(t.drawn()) >= 1, t.left()), (True, ""), t.raw)


def case_compressed_bytes_are_what_counts(place):
    packed = place.sh("head -c 3000000 /dev/zero | gzip")
    t = Terminal(place, ["distinct", "--progress"])
    t.feed(1.6, packed)
    same(t.finish(), (0, b"1\n"))
    for line in t.drawn():
        same(bool(PIPE.fullmatch(line)), True, line)
    same(len(t.drawn()) >= 1, True, t.raw)
