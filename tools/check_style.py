#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_style.py - the few rules of form that no other tool knows. One case a file.

Every source says its licence in its first line (after #!); what begins with #! may be
executed; comments in C are /* */; a file has at most 800 lines; no marker words, no trailing blanks, no paths of somebody's
machine. clang-format and clang-tidy do the rest (make lint).
"""
import os
import re
import sys

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINES = 800
C = (".c", ".h", ".inc", ".cc", ".def")
NAMED = ("CMakeLists.txt", "Makefile", "run")
# In two halves, or this file would find itself.
MARKERS = re.compile(r"\b(" + "|".join(("TO" "DO", "FIX" "ME", "XX" "X", "HA" "CK")) + r")\b")
MACHINE = re.compile(r"(?<![\w./])/(?:ho" r"me|ro" r"ot|wo" r"rk|Us" r"ers)/\w")
LINE_COMMENT = re.compile(r"^(?:[^\"]|\"(?:\\.|[^\"\\])*\")*?(?<!:)//")


def has_source_form(path):
    """Not data, not prose."""
    name = os.path.basename(path)
    with open(path, "rb") as f:
        script = f.read(2) == b"#!"
    return script or name in NAMED or name.endswith(C + (".py", ".sh", ".cmake"))


def complaints(path):
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    head = lines[1] if lines[0].startswith("#!") else lines[0]
    if lines[0].startswith("#!") and not os.access(path, os.X_OK):
        yield 1, "a program that may not be executed"
    if "SPDX-License-Identifier: MIT" not in head:
        yield 1, "the first line does not name the licence"
    if len(lines) - 1 > LINES:
        yield len(lines), f"more than {LINES} lines"
    if lines[-1] != "":
        yield len(lines), "no newline at the end"
    for number, line in enumerate(lines, 1):
        if MARKERS.search(line):
            yield number, f"a marker word: {MARKERS.search(line)[0]}"
        if MACHINE.search(line):
            yield number, f"a path of one machine: {MACHINE.search(line)[0]}"
        if line != line.rstrip():
            yield number, "blanks at the end of a line"
        if path.endswith(C) and LINE_COMMENT.search(line):
            yield number, "a // comment"


def sources():
    for folder, dirs, names in os.walk(TREE):
        dirs[:] = sorted(d for d in dirs if d not in
                         (".git", "build", "dist", "golden", "corpus", "__pycache__"))
        for name in sorted(names):
            path = os.path.join(folder, name)
            if has_source_form(path):
                yield path


def main():
    passed = failed = 0
    for path in sources():
        wrong = list(complaints(path))
        for number, what in wrong:
            print(f"{os.path.relpath(path, TREE)}:{number}: {what}")
        passed, failed = passed + (not wrong), failed + bool(wrong)
    print(f"{passed} passed, {failed} failed")
    return failed != 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
