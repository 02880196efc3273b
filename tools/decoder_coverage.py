#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""decoder_coverage.py - the decode walks alone run 95 % of each sketch's decoder.

    tools/decoder_coverage.py [--missed]

Builds the library and the tests with gcov in a temporary folder, runs only the suite
`decode`, and counts, for each sketch, the lines of its decoder that were run: the
functions that its bp_kind table names as get_params, check_payload and get_payload, and
those of its own folder that they call, and so on. One case a sketch; --missed lists the
lines that were not run. Needs gcc and gcov.
"""
import concurrent.futures
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WANTED = 95.0
SKETCH = re.compile(r"^BP_SKETCH\(\w+, *(\w+), *(\w+),", re.M)
ROOT = re.compile(r"\.(?:get_params|check_payload|get_payload)\s*=\s*(\w+)")
WORD = re.compile(r"\b[a-z_]\w*\b")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def run(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
    if done.returncode:
        sys.exit(f"{done.stdout.decode(errors='replace')[-4000:]}\n{command[0]} failed\n"
                 "0 passed, 1 failed")
    return done.stdout.decode(errors="replace")


def build(folder):
    """The runner, every source with its own notes for gcov."""
    flags = ["-std=c11", "-O0", "-g", "--coverage", "-fno-inline", "-D_GNU_SOURCE",
             f'-DBP_SOURCE_DIR="{TREE}"', f"-I{TREE}/include", f"-I{TREE}/src",
             f"-I{TREE}/tests"]
    sources = [p for p in glob.glob(f"{TREE}/src/**/*.c", recursive=True)]
    sources += [p for p in glob.glob(f"{TREE}/tests/**/*.c", recursive=True)
                if not re.search("/tests/(install|abi|cli)/", p)]

    def compile_one(pair):
        number, path = pair
        run("gcc", *flags, "-c", path, "-o", f"{number}.o", cwd=folder)
        return f"{number}.o"

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        objects = list(pool.map(compile_one, enumerate(sources)))
    run("gcc", "--coverage", *objects, "-lcmocka", "-ljansson", "-lm", "-lpthread", "-o",
        "tests", cwd=folder)
    return objects


def counts(folder, objects):
    """{source: {function: {line: times}}} of the tree's own files."""
    found = {}
    run("gcov", "--json-format", *objects, cwd=folder)
    for path in glob.glob(os.path.join(folder, "*.gcov.json.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as f:
            report = json.load(f)
        for source in report["files"]:
            name = os.path.relpath(os.path.join(report["current_working_directory"],
                                                source["file"]), TREE)
            functions = found.setdefault(name, {})
            for line in source["lines"]:
                function = line.get("function_name")
                if function:
                    times = functions.setdefault(function, {})
                    number = line["line_number"]
                    times[number] = times.get(number, 0) + line["count"]
    return found


def decoder(sources, covered):
    """[(source, function)] that decoding reaches inside the sketch's own files."""
    where, body = {}, {}
    for path in sources:
        lines = read(os.path.join(TREE, path)).splitlines()
        for function, times in covered.get(path, {}).items():
            where[function] = path
            body[function] = "\n".join(lines[min(times) - 1:max(times)])
    pending = []
    for path in sources:
        pending += ROOT.findall(read(os.path.join(TREE, path)))
    reached = set()
    while pending:
        function = pending.pop()
        if function in where and function not in reached:
            reached.add(function)
            pending += WORD.findall(body[function])
    return sorted((where[f], f) for f in reached)


def main():
    if sys.argv[1:] not in ([], ["--missed"]):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        objects = build(folder)
        run("./tests", "decode", cwd=folder)
        covered = counts(folder, objects)
    passed = failed = 0
    for name, room in SKETCH.findall(read(os.path.join(TREE, "src/sketches.def"))):
        own = [os.path.relpath(p, TREE) for p in
               glob.glob(f"{TREE}/src/{room}/{name}/*.[ch]") if not p.endswith("_test.c")]
        lines, missed = 0, []
        for path, function in decoder(own, covered):
            for number, times in sorted(covered[path][function].items()):
                lines += 1
                if times == 0:
                    missed.append(f"{path}:{number} in {function}")
        share = 100.0 * (lines - len(missed)) / lines if lines else 0.0
        good = share >= WANTED
        passed, failed = passed + good, failed + (not good)
        print(f"{name}: {lines - len(missed)} of {lines} decoder lines, {share:.1f} %")
        if missed and (not good or sys.argv[1:]):
            print("\n".join("  not run: " + m for m in missed))
    print(f"{passed} passed, {failed} failed")
    return failed != 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
