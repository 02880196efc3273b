#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py - runs what the command line is promised to do, and counts.

    tests/cli/run.py BALLPARK                    everything in tests/cli
    tests/cli/run.py BALLPARK tests/cli/top.t    some of it
    tests/cli/run.py BALLPARK --markdown README.md

A transcript (*.t) is a session as a person would see it:

    # Words about what follows.
    $ printf 'a\\nb\\na\\n' | ballpark distinct
    2
    $ ballpark distinct missing
    ballpark: missing: No such file or directory
    [2]

Lines after a command are what it prints, stdout and stderr together, in order. A
last line [N] is its exit code (0 when there is none); a line of "> " goes on with the
command above it. Three dots in expected output stand for any text; alone on a line,
for any number of lines. Blank lines at the end of an output do not count.

Each file runs in a new empty directory, each command in its own sh. Each command is a
case. What a transcript puts into ../bin stands before the programs of that name. Python files here (not this one) hold cases that need more than a shell: every
function named case_... in them is one. With --markdown the ```console blocks of the
file are one transcript, and its commands print to a terminal, since that is what a
reader will see; the examples folder of the source tree is at hand as $EXAMPLES.
"""
import argparse
import functools
import glob
import importlib.util
import os
import pty
import re
import subprocess
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
TIMEOUT = 300


class Case:
    """One command of a transcript and what it should print."""

    def __init__(self, line, command):
        self.line = line
        self.command = command
        self.expected = []
        self.code = 0


def parse(lines):
    """The cases in (line number, text) pairs of a transcript."""
    cases = []
    for number, line in lines:
        if line.startswith("$ "):
            cases.append(Case(number, line[2:]))
        elif line.startswith("#"):
            continue
        elif not cases:
            if line.strip():
                raise ValueError(f"line {number}: output before any command")
        elif line.startswith("> ") and not cases[-1].expected:
            cases[-1].command += "\n" + line[2:]
        else:
            cases[-1].expected.append(line)
    for case in cases:
        finish(case)
    return cases


def finish(case):
    """Takes the exit code and blank lines off the end of what is expected."""
    trim(case.expected)
    if case.expected and re.fullmatch(r"\[\d+\]", case.expected[-1]):
        case.code = int(case.expected.pop()[1:-1])
        trim(case.expected)


def trim(lines):
    while lines and not lines[-1].strip():
        lines.pop()


def console_blocks(text):
    """(line number, text) of every line inside ```console fences."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            inside = not inside and line.strip() == "```console"
        elif inside:
            yield number, line


def matches(expected, got):
    """Whether the lines got are the lines expected, three dots meaning anything."""
    parts = []
    for line in expected:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(re.escape(p) for p in line.split("...")) + r"\n")
    return re.fullmatch("".join(parts), "".join(l + "\n" for l in got)) is not None


@functools.lru_cache(maxsize=None)
def is_sanitized():
    """Whether the program was built with the address or thread sanitizer."""
    with open(BALLPARK, "rb") as f:
        program = f.read()
    return b"__asan_" in program or b"__tsan_" in program


def environment(home):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("BALLPARK", "LC_"))}
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        env.pop(name, None)
    env.update(LC_ALL="C", LANG="C", TZ="UTC", TERM="dumb", HOME=home, TMPDIR=home)
    env["PATH"] = os.pathsep.join([os.path.join(home, "bin"), os.path.dirname(BALLPARK),
                                   env.get("PATH", "")])
    # `$LIMIT 60000` limits memory to so many KiB, but not a sanitizer's terabytes. With
    # that one a request too large is answered as by malloc, and the fault library may
    # stand in front of it.
    env["LIMIT"] = ":" if is_sanitized() else "ulimit -v"
    env["ASAN_OPTIONS"] = "allocator_may_return_null=1:verify_asan_link_order=0"
    env["TESTDIR"] = HERE
    env["EXAMPLES"] = os.path.join(os.path.dirname(os.path.dirname(HERE)), "examples")
    env["SHIM"] = SHIM
    return env


def on_pipe(command, cwd, env):
    """(exit code, output) of a command that prints into a pipe."""
    done = subprocess.run(["sh", "-c", command], cwd=cwd, env=env,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=TIMEOUT)
    return done.returncode, done.stdout


def on_terminal(command, cwd, env):
    """The same of one that prints to a terminal of its own."""
    mine, its = pty.openpty()
    try:
        child = subprocess.Popen(["sh", "-c", command], cwd=cwd, env=env,
                                 stdin=subprocess.DEVNULL, stdout=its, stderr=its,
                                 start_new_session=True)
    finally:
        os.close(its)
    output = b""
    while True:
        try:
            piece = os.read(mine, 65536)
        except OSError:  # how a terminal says that nobody writes to it any more
            piece = b""
        if not piece:
            break
        output += piece
    os.close(mine)
    return child.wait(TIMEOUT), output.replace(b"\r\n", b"\n")


def run_case(case, cwd, env, how):
    """None when the case passed, else what was wrong with it."""
    try:
        code, output = how(case.command, cwd, env)
    except subprocess.TimeoutExpired:
        return f"still running after {TIMEOUT} s"
    got = [line for line in output.decode("utf-8", "backslashreplace").split("\n")
           if not re.match(r"==\d+==WARNING: AddressSanitizer failed to allocate", line)]
    trim(got)
    code = code if code >= 0 else 128 - code
    if code == case.code and matches(case.expected, got):
        return None
    show = lambda lines: "".join(f"    {l}\n" for l in lines)
    return (f"  expected [{case.code}]:\n{show(case.expected)}"
            f"  got [{code}]:\n{show(got)}")


def run_transcript(path, lines, how=on_pipe):
    cases = parse(lines)
    if not cases:
        report(path, "the transcript holds no command")
        return
    with tempfile.TemporaryDirectory(prefix="ballpark-cli-") as home:
        cwd = os.path.join(home, "work")
        os.mkdir(cwd)
        env = environment(home)
        for case in cases:
            wrong = run_case(case, cwd, env, how)
            where = f"{os.path.relpath(path)}:{case.line}"
            report(where, wrong and f"$ {case.command}\n{wrong}")


def run_module(path):
    """Every case_... function of a Python file: it passes when it returns."""
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    names = [n for n in vars(module) if n.startswith("case_")]
    if not names:
        report(path, "the file holds no case")
    for name in names:
        with tempfile.TemporaryDirectory(prefix="ballpark-cli-") as home:
            wrong = None
            try:
                vars(module)[name](Place(home))
            except Exception:  # a case fails by raising, whatever it raises
                wrong = traceback.format_exc()
            report(f"{os.path.relpath(path)}: {name}", wrong)


class Place:
    """What a Python case gets: an empty directory, and ballpark run in it."""

    def __init__(self, home):
        self.dir = home
        self.env = environment(home)
        self.ballpark = BALLPARK
        self.shim = SHIM

    def path(self, name):
        return os.path.join(self.dir, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as f:
            f.write(data)
        return self.path(name)

    def run(self, *args, stdin=b"", env=None, **more):
        """ballpark with args: CompletedProcess with bytes in stdout and stderr."""
        return subprocess.run([BALLPARK, *args], cwd=self.dir, input=stdin,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**self.env, **(env or {})}, timeout=TIMEOUT, **more)

    def sh(self, command):
        """What a shell command prints, as bytes."""
        return subprocess.run(["sh", "-c", command], cwd=self.dir, env=self.env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              timeout=TIMEOUT, check=True).stdout

    def ok(self, *args, **more):
        """stdout of a run that must succeed."""
        done = self.run(*args, **more)
        same(done.returncode, 0, f"{args}: {done.stderr.decode()}")
        return done.stdout


def same(got, want, about=""):
    if got != want:
        raise AssertionError(f"{about}\n  got  {got!r}\n  want {want!r}")


def report(where, wrong):
    if wrong:
        FAILED.append(where)
        print(f"FAILED {where}\n{wrong}", flush=True)
    else:
        PASSED.append(where)


def build_shim(folder):
    """The fault library of shim.c, built here so that it suits this machine."""
    out = os.path.join(folder, "shim.so")
    cc = os.environ.get("CC", "cc")
    more = [] if is_sanitized() else ["-DFAIL_ALLOCATIONS"]
    subprocess.run([*cc.split(), "-shared", "-fPIC", "-O1", *more, "-o", out,
                    os.path.join(HERE, "shim.c"), "-ldl"], check=True)
    return out


def everything():
    return sorted(glob.glob(os.path.join(HERE, "*.t"))) + sorted(
        p for p in glob.glob(os.path.join(HERE, "*.py")) if p != os.path.abspath(__file__))


def main():
    global BALLPARK, SHIM
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("ballpark", help="the program to test")
    ap.add_argument("files", nargs="*", help="transcripts and Python files; default: all")
    ap.add_argument("--markdown", action="append", default=[], metavar="FILE",
                    help="run the ```console blocks of FILE")
    args = ap.parse_args()
    BALLPARK = os.path.abspath(args.ballpark)
    if not os.access(BALLPARK, os.X_OK):
        sys.exit(f"run.py: {args.ballpark}: no such program")
    with tempfile.TemporaryDirectory(prefix="ballpark-shim-") as folder:
        SHIM = build_shim(folder)
        for path in args.markdown:
            with open(path, encoding="utf-8") as f:
                run_transcript(path, list(console_blocks(f.read())), on_terminal)
        for path in args.files or ([] if args.markdown else everything()):
            if path.endswith(".py"):
                run_module(path)
                continue
            with open(path, encoding="utf-8") as f:
                run_transcript(path, list(enumerate(f.read().splitlines(), 1)))
    print(f"{len(PASSED)} passed, {len(FAILED)} failed")
    sys.exit(1 if FAILED or not PASSED else 0)


sys.dont_write_bytecode = True
PASSED = []
FAILED = []
BALLPARK = SHIM = ""

if __name__ == "__main__":
    sys.modules["run"] = sys.modules["__main__"]
    main()
