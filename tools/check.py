#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py - builds, runs every suite, and adds up what they counted.

    tools/check.py                 all that `make check` promises
    tools/check.py PRESET...       the tests of presets: asan ubsan tsan s390x ...
    tools/check.py cross           s390x, aarch64, i386, and that their bytes are the same

Every suite ends with `N passed, N failed`. One that ends without such a line, or counts
nothing, or exits badly with nothing failed, is a failure itself. Output goes to
build/check/SUITE.log and is shown when the suite fails. Suites run side by side, one a
core. The last line is the sum.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import time

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOGS = os.path.join(TREE, "build", "check")
COUNT = re.compile(r"^(\d+) passed, (\d+) failed$", re.M)
ONE_HASH = re.compile(r"^hash of all golden re-encodings: *(\S+)$", re.M)
# What cmocka itself says, where a program is one group of its tests.
CMOCKA_RUN = re.compile(r"^\[=+\] (\d+) test\(s\) run\.$", re.M)
CMOCKA_PASSED = re.compile(r"^\[ +PASSED +\] (\d+) test\(s\)\.$", re.M)
NOISE = re.compile(r"\[( RUN | +OK |=====|-----| +PASSED )")
MACHINES = ["s390x", "aarch64", "i386"]
TIMEOUT = 1500  # seconds; no suite may come near it
SHOWN = 60      # lines of a failed suite's output


class Suite:
    """A command that counts. `env` is added to the environment."""

    def __init__(self, name, command, env=None):
        self.name = name
        self.command = command
        self.env = env or {}
        self.output = ""
        self.passed = self.failed = 0

    def run(self):
        start = time.monotonic()
        try:
            done = subprocess.run(self.command, cwd=TREE, env={**os.environ, **self.env},
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=TIMEOUT)
            code, self.output = done.returncode, done.stdout.decode(errors="replace")
        except subprocess.TimeoutExpired as e:
            code = None
            self.output = (e.stdout or b"").decode(errors="replace")
        except OSError as e:
            code, self.output = None, f"{e}\n"
        self.count(code)
        self.report(time.monotonic() - start)
        return self

    def count(self, code):
        counts = COUNT.findall(self.output)
        if not counts and CMOCKA_RUN.search(self.output):
            ran = sum(map(int, CMOCKA_RUN.findall(self.output)))
            good = sum(map(int, CMOCKA_PASSED.findall(self.output)))
            counts = [(good, ran - good)]
        if counts:
            self.passed, self.failed = map(int, counts[-1])
        if code is None:
            self.output += f"check: could not run, or took more than {TIMEOUT} s\n"
        elif not counts:
            self.output += "check: no line `N passed, N failed`\n"
        elif self.passed + self.failed == 0:
            self.output += "check: an empty suite\n"
        elif code != 0:
            self.output += f"check: exit code {code}\n"
        else:
            return
        self.failed = max(self.failed, 1)

    def report(self, seconds):
        log = os.path.join(LOGS, re.sub(r"\W+", "-", self.name) + ".log")
        with open(log, "w", encoding="utf-8") as f:
            f.write(f"$ {' '.join(self.command)}\n{self.output}")
        word = "FAILED" if self.failed else "ok"
        text = f"{word:6} {self.name:<30} {self.passed:>6} passed {seconds:>7.1f} s"
        if self.failed:
            tail = [x for x in self.output.splitlines() if not NOISE.match(x)][-SHOWN:]
            text += f", {self.failed} failed: {os.path.relpath(log, TREE)}\n"
            text += "\n".join("    | " + line for line in tail)
        print(text, flush=True)


def run_all(suites):
    """Runs suites side by side; (passed, failed)."""
    with concurrent.futures.ThreadPoolExecutor(max(os.cpu_count() or 1, 2)) as pool:
        done = list(pool.map(Suite.run, suites))
    return sum(s.passed for s in done), sum(s.failed for s in done)


def step(title, *command):
    """A command that must succeed before anything can be counted."""
    start = time.monotonic()
    done = subprocess.run(command, cwd=TREE, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    seconds = time.monotonic() - start
    if done.returncode == 0:
        print(f"ok     {title:<30} {seconds:>21.1f} s", flush=True)
        return
    print(done.stdout.decode(errors="replace"))
    print(f"FAILED {title}: {' '.join(command)}\n0 passed, 1 failed")
    sys.exit(1)


def build(preset, *targets):
    step(f"configure {preset}", "cmake", "--preset", preset)
    wanted = ["--target", *targets] if targets else []
    step(f"build {preset}", "cmake", "--build", "--preset", preset, *wanted)


def preset_environment(preset):
    with open(os.path.join(TREE, "CMakePresets.json"), encoding="utf-8") as f:
        tests = json.load(f)["testPresets"]
    return next(t.get("environment", {}) for t in tests if t["name"] == preset)


def tests_of(preset):
    """The suites of a built preset; the library's runner is split into its own."""
    env = preset_environment(preset)
    shown = subprocess.run(["ctest", "--preset", preset, "--show-only=json-v1"], cwd=TREE,
                           check=True, stdout=subprocess.PIPE).stdout
    for test in json.loads(shown)["tests"]:
        command, name = test["command"], f"{preset} {test['name']}"
        if test["name"] != "library":
            yield Suite(name, command, env)
            continue
        listed = subprocess.run([*command, "--list"], check=True, stdout=subprocess.PIPE,
                                text=True, env={**os.environ, **env}).stdout
        for line in listed.splitlines():
            suite = line.split()[0]
            yield Suite(f"{name} {suite}", [*command, suite], env)


def house():
    """What is checked beside the tests themselves."""
    release = "build/release"
    shared, static = f"{release}/libballpark.so", f"{release}/libballpark.a"
    cli = ["tests/cli/run.py", f"{release}/ballpark"]
    return [
        Suite("new sketch", ["tests/new_sketch_test"]),
        Suite("one file", ["tests/install/dist_test", "build/dev"]),
        Suite("installed", ["tests/install/install_test", release]),
        Suite("command line", cli),
        Suite("README", [*cli, "--markdown", "README.md"]),
        Suite("filters compared", [*cli, "--markdown", "docs/FILTERS.md"]),
        Suite("examples", ["tests/examples_test", release]),
        Suite("demo", ["tests/demo_test", release]),
        Suite("fuzz corpus", ["fuzz/replay_test", "build/dev"]),
        Suite("formats", ["tools/check_formats.py"]),
        Suite("formats, wrong on purpose", ["tools/check_formats.py", "--self"]),
        Suite("ABI", ["tools/check_abi", shared]),
        Suite("symbols", ["tools/check_symbols", shared, static]),
        Suite("symbols, wrong on purpose", ["tools/check_symbols", "--self"]),
        Suite("floors", ["tools/check_layers.py"]),
        Suite("floors, wrong on purpose", ["tools/check_layers.py", "--self"]),
        Suite("style", ["tools/check_style.py"]),
    ]


def check_everything():
    build("dev")
    build("release", "ballpark_shared", "ballpark_static", "ballpark", "pages",
          "examples")
    return run_all([*tests_of("dev"), *house()])


def check_presets(presets):
    passed = failed = 0
    for preset in presets:
        build(preset)
        suites = list(tests_of(preset))
        if preset in ("asan", "ubsan"):
            suites.append(Suite(f"{preset} command line",
                                ["tests/cli/run.py", f"build/{preset}/ballpark"],
                                preset_environment(preset)))
        p, f = run_all(suites)
        passed, failed = passed + p, failed + f
    return passed, failed


def check_cross():
    """The tests of every machine, and one hash on all of them."""
    passed, failed = check_presets(["dev", *MACHINES])
    hashes = {}
    for machine in ["dev", *MACHINES]:
        log = os.path.join(LOGS, f"{machine}-library-golden.log")
        with open(log, encoding="utf-8") as f:
            found = ONE_HASH.findall(f.read())
        hashes[machine] = found[-1] if found else "none printed"
        print(f"{machine:8} {hashes[machine]}")
    same = len(set(hashes.values())) == 1 and "none printed" not in hashes.values()
    print("four machines, one hash" if same else "FAILED: the machines differ")
    return passed + same, failed + (not same)


def main():
    args = sys.argv[1:]
    if any(a.startswith("-") for a in args):
        sys.exit(__doc__)
    os.makedirs(LOGS, exist_ok=True)
    if not args:
        passed, failed = check_everything()
    elif args == ["cross"]:
        passed, failed = check_cross()
    else:
        passed, failed = check_presets(args)
    print(f"{passed} passed, {failed} failed")
    return failed != 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
