#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_formats.py - the annotated dumps of every FORMAT.md are what golden files hold.

    tools/check_formats.py            every sketch of sketches.def; one case a dump
    tools/check_formats.py --self     dumps that are wrong on purpose, each must be seen

A dump is a fenced block whose info string is `hexdump golden/FILE.bp`; its lines are

    OFFSET: hh hh ... | what they mean

with the offset in hex. A dump may begin anywhere; then a line follows the one before
without a gap, unless a line `...` stands between them. Each FORMAT.md has at least one
dump that goes from the first byte to the last and leaves out nothing but zeros, so that no
byte of the format is left unexplained.
"""
import os
import re
import sys
import tempfile

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SKETCH = re.compile(r"^BP_SKETCH\(\w+, *(\w+), *(\w+),", re.M)
FENCE = re.compile(r"^```hexdump +(\S+)\n(.*?)^```$", re.M | re.S)
LINE = re.compile(r"^([0-9a-f]+):((?: +[0-9a-f]{2})+) *\| *(\S.*)$")


def read(path, mode="r"):
    with open(path, mode, **({} if "b" in mode else {"encoding": "utf-8"})) as f:
        return f.read()


def check_dump(text, golden):
    """(what is wrong, whether every byte is told of)."""
    wrong, at, gap, whole = [], 0, True, True
    for number, line in enumerate(text.splitlines(), 1):
        if line == "...":
            gap = True
            continue
        m = LINE.match(line)
        if not m:
            wrong.append(f"line {number}: not `OFFSET: hh hh | meaning`: {line}")
            continue
        offset, data = int(m[1], 16), bytes.fromhex(m[2])
        if offset != at and not (gap and offset > at):
            wrong.append(f"line {number}: begins at {offset:#x}, expected {at:#x}")
        if golden[offset:offset + len(data)] != data:
            have = golden[offset:offset + len(data)].hex(" ")
            wrong.append(f"line {number}: the file holds {have} at {offset:#x}")
        whole &= not any(golden[at:offset])
        at, gap = offset + len(data), False
    whole &= not any(golden[at:])
    if at < len(golden) and not gap:
        wrong.append(f"ends at {at:#x}, the file at {len(golden):#x}: say `...`")
    return wrong, whole and not wrong


def check_folder(folder):
    """[(name of the case, what is wrong)] of one sketch."""
    path = os.path.join(folder, "FORMAT.md")
    if not os.path.exists(path):
        return [(path, ["there is none"])]
    cases, whole = [], False
    for m in FENCE.finditer(read(path)):
        golden = os.path.join(folder, m[1])
        if not os.path.exists(golden):
            cases.append((f"{path}: {m[1]}", ["there is no such file"]))
            continue
        wrong, complete = check_dump(m[2], read(golden, "rb"))
        whole |= complete
        cases.append((f"{path}: {m[1]}", wrong))
    cases.append((f"{path}: a whole dump",
                  [] if whole else ["no dump goes from the first byte to the last"]))
    return cases


def report(cases):
    for name, wrong in cases:
        for w in wrong:
            print(f"FAILED {name}: {w}")
    failed = sum(bool(wrong) for _, wrong in cases)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return failed != 0 or not cases


def self_test():
    """Each text is given with the number of complaints it deserves."""
    golden = bytes(range(10))
    texts = [
        ("00: 00 01 02 | a\n03: 03 04 05 06 07 08 09 | b\n", 0),
        ("00: 00 01 | a\n...\n08: 08 09 | b\n", 0),
        ("00: 00 01 | a\n...\n", 0),
        ("02: 02 03 | a\n...\n", 0),
        ("00: 00 01 | a\n", 1),                # ends early
        ("00: 00 01 | a\n03: 03 04 05 06 07 08 09 | b\n", 1),  # a gap
        ("00: 00 02 | a\n...\n", 1),           # another byte
        ("00: 00 01\n...\n", 1),               # no meaning
        ("00: 00 01 | a\n...\n00: 00 | b\n...\n", 1),          # backwards
        ("00: 00 01 02 03 04 05 06 07 08 09 0a | a\n", 1),     # past the end
        ("0: 0 | a\n...\n", 1),                # not two digits
    ]
    cases = []
    for text, deserved in texts:
        found = len(check_dump(text, golden)[0])
        cases.append((repr(text), [] if found == deserved
                      else [f"{found} complaints, expected {deserved}"]))
    with tempfile.TemporaryDirectory() as folder:
        cases.append(("no FORMAT.md", [] if check_folder(folder)[0][1] else ["not seen"]))
        for body, name in (("```hexdump golden/no.bp\n```\n", "a missing golden file"),
                           ("no dump\n", "no dump")):
            with open(os.path.join(folder, "FORMAT.md"), "w", encoding="utf-8") as f:
                f.write(body)
            seen = any(wrong for _, wrong in check_folder(folder))
            cases.append((name, [] if seen else ["not seen"]))
    return report(cases)


def main():
    if sys.argv[1:] == ["--self"]:
        return self_test()
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    os.chdir(TREE)
    cases = []
    for name, room in SKETCH.findall(read("src/sketches.def")):
        cases += check_folder(os.path.join("src", room, name))
    return report(cases)


if __name__ == "__main__":
    sys.exit(main())
