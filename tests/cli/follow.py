# SPDX-License-Identifier: MIT
"""follow.py - --follow in a window, and elsewhere.

The command prints to a terminal of the test's own, and Screen makes of what it prints
what a person would see. The input is a pipe, so that the test decides what arrives when.
"""
import csv
import fcntl
import io
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

from run import same

MARK = re.compile(rb"\x1b\[(\??)([0-9;]*)([A-Za-z])")


class Screen:
    """A terminal that knows what ballpark uses, and says so when it uses more."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.lines = [""]  # all that were ever begun; the window is the last of them
        self.row = self.column = 0
        self.hidden = False
        self.rest = b""

    def top(self):
        return max(0, len(self.lines) - self.rows)

    def feed(self, data):
        data = self.rest + data
        at = 0
        while at < len(data):
            if data[at] == 0x1b:
                mark = MARK.match(data, at)
                if not mark:
                    break
                self.obey(*mark.groups())
                at = mark.end()
                continue
            n = next(k for k in (1, 2, 3, 4) if data[at] < 0x80 or k > 1 and
                     data[at] >> (7 - k) == (1 << (k + 1)) - 2)
            if at + n > len(data):
                break
            self.put(data[at:at + n].decode())
            at += n
        self.rest = data[at:]

    def put(self, c):
        if c == "\r":
            self.column = 0
        elif c == "\n":
            self.down()
        else:
            same(c >= " ", True, f"control character {c!r}")
            if self.column == self.columns:
                self.column = 0
                self.down()
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[:self.column] + c + line[self.column + 1:]
            self.column += 1

    def down(self):
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append("")

    def obey(self, private, numbers, letter):
        n = int(numbers or 1) if numbers.isdigit() or not numbers else 0
        if private:
            same(numbers, b"25")
            self.hidden = letter == b"l"
        elif letter == b"A":
            self.row = max(self.top(), self.row - n)
        elif letter == b"K":
            self.lines[self.row] = self.lines[self.row][:self.column]
        elif letter == b"J" and numbers == b"2":
            self.lines[self.top():] = [""] * (len(self.lines) - self.top())
        elif letter == b"J":
            self.lines[self.row] = self.lines[self.row][:self.column]
            del self.lines[self.row + 1:]
        elif letter == b"H":
            self.row, self.column = self.top(), 0
        else:
            same(letter, b"m", "a mark that this screen does not know")

    def text(self):
        return [line.rstrip() for line in self.lines]

    def window(self):
        return self.text()[self.top():]


class Window:
    """ballpark in a window of its own, fed by the test."""

    def __init__(self, place, *args, rows=10, columns=40, env=None):
        mine, its = pty.openpty()
        self.terminal = mine
        self.screen = Screen(rows, columns)
        self.seen = b""
        self.size(rows, columns)
        env = {**place.env, "TERM": "xterm", **(env or {})}
        self.run = subprocess.Popen([place.ballpark, *args], cwd=place.dir, env=env,
                                    stdin=subprocess.PIPE, stdout=its, stderr=its)
        os.close(its)

    def size(self, rows, columns):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ,
                    struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, rows, columns):
        self.screen.rows, self.screen.columns = rows, columns
        self.size(rows, columns)
        self.run.send_signal(signal.SIGWINCH)

    def give(self, text):
        self.run.stdin.write(text)
        self.run.stdin.flush()

    def read(self, seconds):
        """Takes what comes; False: the program has closed the terminal."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.terminal, 65536)
        except OSError:
            return False
        self.seen += data
        self.screen.feed(data)
        return data != b""

    def until(self, wanted):
        """Reads on until a line of the screen matches and the frame is whole."""
        end = time.monotonic() + 20
        while self.screen.hidden or not any(re.search(wanted, line)
                                            for line in self.screen.text()):
            if not self.read(1) or time.monotonic() > end:
                raise AssertionError(f"no {wanted!r} in {self.screen.text()}")
        return self.screen.text()

    def end(self, close=True):
        """The exit code, when all that it printed was read."""
        if close:
            self.run.stdin.close()
        while self.read(20):
            pass
        os.close(self.terminal)
        return self.run.wait(20)


def case_a_window_shows_one_answer_in_place_of_another(place):
    w = Window(place, "top", "-F", "--every", "30ms", "-q")
    w.give(b"apple\n")
    w.until(r"^ +1 .*apple$")
    w.give(b"apple\npear\n")
    text = w.until(r"^ +1 .* pear$")
    same(re.sub(r"\d+/s.*", "", "\n".join(text)),
         "count  at least  share  item\n"
         "    2         2  66.7%  apple\n"
         "    1         1  33.3%  pear\n"
         "3 lines  \n")
    same(w.end(), 0)
    same(w.screen.text(), ["count  at least  share  item",
                           "    2         2  66.7%  apple",
                           "    1         1  33.3%  pear", ""])
    same(w.screen.hidden, False)


def case_a_frame_is_cut_to_the_window(place):
    w = Window(place, "top", "-F", "--every", "30ms", "-n20", rows=6, columns=30)
    w.give(b"".join(b"%d and more than fits in a line of the window\n" % i
                    for i in range(12)))
    w.until("12 lines")
    time.sleep(0.1)
    while w.read(0.05):
        if len(w.seen) > 4000:
            break
    text = w.screen.text()
    same(len(text), 6, text)
    same(all(len(line) <= 30 for line in text), True, text)
    same(text[4].startswith("12 lines"), True, text)
    same(w.end(), 0)
    # The last answer has all its rows, each in a line.
    text = w.screen.text()
    same(sum(re.fullmatch(r"    1 .*\.\.\.", line) is not None for line in text), 12, text)
    same(max(len(line) for line in text), 30)


def case_a_window_that_changes_its_size_is_drawn_anew(place):
    w = Window(place, "top", "-F", "--every", "30s", "-n20", rows=8, columns=60)
    w.give(b"".join(b"item number %d of all of them\n" % i for i in range(20)))
    w.until("20 lines")
    same(len(w.screen.text()), 8)
    w.resize(5, 34)
    end = time.monotonic() + 20
    while [line[:8] for line in w.screen.window()] != [
            "count  a", "    1   ", "    1   ", "20 lines", ""]:
        w.read(1)
        same(time.monotonic() < end, True, w.screen.text())
    same(all(len(line) <= 34 for line in w.screen.window()), True, w.screen.text())
    w.run.send_signal(signal.SIGINT)
    same(w.end(close=False), 130)


def case_no_line_of_the_window_is_left_behind(place):
    """A shorter answer takes the place of a longer one, wherever it began."""
    w = Window(place, "distinct", "-F", "--every", "30ms", "-q", rows=5, columns=70)
    w.screen.feed(b"one\r\ntwo\r\nthree\r\n")
    w.give(b"".join(b"%d\n" % i for i in range(50_000)))
    w.until("50,000 lines")
    same(w.screen.text()[:3], ["one", "two", "three"])
    same(w.end(), 0)
    text = w.screen.text()
    same(text[:3] + text[4:], ["one", "two", "three", ""], text)
    same(re.match(r"\d\d,\d{3}  ±", text[3]) is not None, True, text)


def case_sigterm_leaves_the_terminal_as_it_should_be(place):
    w = Window(place, "top", "-F", "--every", "30ms")
    w.give(b"a\n")
    w.until("1 lines")
    w.run.send_signal(signal.SIGTERM)
    same(w.end(close=False), -signal.SIGTERM)
    same((w.screen.hidden, w.screen.column, w.screen.text()[-1]), (False, 0, ""))


def case_sigint_shows_and_saves_what_was_read(place):
    w = Window(place, "top", "-F", "-o", "x.bp", "--every", "20s", columns=70)
    w.give(b"a\nb\na\nunfinish")
    w.until("3 lines")
    w.run.send_signal(signal.SIGINT)
    same(w.end(close=False), 130)
    same(w.screen.text(), ["count  at least  share  item",
                           "    2         2  66.7%  a",
                           "    1         1  33.3%  b",
                           "interrupted: the answer is for the 3 lines that were read", ""])
    same(b"total\t3\n" in place.ok("info", "x.bp"), True)


def case_a_dumb_terminal_gets_one_answer_after_the_other(place):
    w = Window(place, "top", "-F", "--every", "30ms", "-q", env={"TERM": "dumb"})
    w.give(b"a\n")
    w.until("1 lines")
    w.give(b"b\n")
    w.until("2 lines")
    same(w.end(), 0)
    same(b"\x1b" in w.seen, False)


def case_groups_are_followed_as_well(place):
    w = Window(place, "distinct", "-F", "-g1", "-f2", "--every", "30ms", "-q")
    w.give(b"g1 a\n")
    w.until(r"^ +1  .*g1$")
    w.give(b"g1 b\ng2 a\n")
    w.until(r"^ +1  .*g2$")
    same(w.end(), 0)
    same(w.screen.text(), ["distinct  at least  at most  group",
                           "       2         2        2  g1",
                           "       1         1        1  g2", ""])


def case_answers_come_on_time_when_nothing_arrives(place):
    run = subprocess.Popen([place.ballpark, "top", "-F", "--every", "50ms", "--format",
                            "csv"], env=place.env, stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE)
    run.stdin.write(b"a\nb")
    run.stdin.flush()
    lines = [run.stdout.readline() for _ in range(4)]
    run.stdin.write(b"c\n")
    out, _ = run.communicate(timeout=20)
    rows = list(csv.DictReader(io.StringIO((b"".join(lines) + out).decode())))
    same(list(rows[0]), ["at", "count", "lower", "upper", "share", "item"])
    same([r["item"] for r in rows[:3]], ["a"] * 3)
    same([r["item"] for r in rows[-2:]], ["a", "bc"])
    times = sorted({r["at"] for r in rows})
    same(len(times) >= 3, True, times)
    same(all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", t) for t in times),
         True, times)


def case_other_formats_say_when_or_stand_apart(place):
    text = b"a\nb\n"
    row = json.loads(place.ok("distinct", "-F", "--format", "json", stdin=text))
    same((row["at"][10], row["estimate"]), ("T", 2))
    same(place.ok("distinct", "-F", stdin=text), b"2\n")
    run = subprocess.Popen([place.ballpark, "distinct", "-F", "--every", "50ms"],
                           env=place.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    run.stdin.write(text)
    run.stdin.flush()
    same(run.stdout.read(6), b"2\n\n2\n\n")
    out, _ = run.communicate(timeout=20)
    same(set(out.split()), {b"2"}, out)


def case_a_file_is_read_to_its_end_and_shown_once(place):
    place.write("f", b"a\nb\n")
    run = place.run("top", "-F", "--every", "10ms", "f")
    same(run.stdout, b"1\ta\n1\tb\n")
    same(run.stderr, b"f is read to its end and not followed; "
                     b"`tail -F f | ballpark top -F` follows it\n")


def case_a_full_disk_ends_what_would_go_on_for_ever(place):
    with open("/dev/full", "wb") as full:
        run = subprocess.Popen([place.ballpark, "distinct", "-F", "--every", "20ms"],
                               env=place.env, stdin=subprocess.PIPE, stdout=full,
                               stderr=subprocess.PIPE)
        same(run.wait(20), 2)
    same(run.stderr.read(), b"ballpark: standard output: could not be written\n")
    run.stdin.close()
    run.stderr.close()


def case_a_closed_pipe_ends_it_quietly(place):
    run = subprocess.Popen([place.ballpark, "top", "-F", "--every", "20ms"],
                           env=place.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE)
    run.stdout.close()
    run.stdin.write(b"a\n")
    run.stdin.flush()
    same(run.wait(20), -signal.SIGPIPE)
    same(run.stderr.read(), b"")
    run.stdin.close()
    run.stderr.close()
