#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_layers.py - a line of code sees down, never up, never sideways.

    core < hash < parts < sketches < compound < any < interop < faces

    tools/check_layers.py [TREE]     every file of the tree; one case each
    tools/check_layers.py --self     violations made on purpose, each must be seen

What a file may include:
  src/ROOM        the floors below and its own folder; a sketch its own public header,
                  a compound also those of the sketches, interop also `_state.h` files
  include/        <ballpark/core.h> (the umbrella: everything), <std...>
  cli, integrations, examples   <ballpark/...>, their own files, their host's headers
and the C library only as far as the library uses it. #if on a compiler, an operating
system or an instruction set stands in core/platform.h and cli/platform/ alone. Tests
may see everything.
"""
import os
import re
import sys
import tempfile

FLOORS = ["core", "hash", "parts", "sketches", "compound", "any", "interop"]
LIBC = {"stdint.h", "stddef.h", "stdbool.h", "string.h", "math.h", "float.h", "limits.h"}
# Headers that one room alone may open.
ONLY = {"stdlib.h": {"src/core/alloc.c"}, "xxhash.h": {"src/core/xxh.h"},
        "immintrin.h": {"src/core/platform.h"}, "arm_neon.h": {"src/core/platform.h"}}
PLATFORM_ROOMS = ("src/core/platform.h", "cli/platform/")
# A public header must say two things about the compiler, and no more.
PUBLIC_MACROS = {"__cplusplus": None, "__GNUC__": "include/ballpark/core.h",
                 "__clang__": "include/ballpark/core.h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
CONDITION = re.compile(r"^\s*#\s*(?:if|ifdef|ifndef|elif)\b(.*)")
MACHINE = re.compile(r"\b(__[A-Za-z]\w*|_WIN32|_WIN64|_MSC_VER|WIN32|unix|linux|i386)\b")
SOURCES = (".c", ".h", ".inc", ".cc", ".cpp")


def sketches(tree):
    """The room of each sketch, from the one list."""
    rooms = {}
    with open(os.path.join(tree, "src/sketches.def"), encoding="utf-8") as f:
        for line in f:
            m = re.match(r"BP_SKETCH\(\w+, *(\w+), *(\w+),", line)
            if m:
                rooms[m[1]] = m[2]
    return rooms


def is_test(path):
    return path.endswith(("_test.c", "_test.h")) or path.startswith("tests/")


def floor_of(path):
    """(number, folder) of a file under src; (None, None) elsewhere."""
    parts = path.split("/")
    if parts[0] != "src" or len(parts) < 3 or parts[1] not in FLOORS:
        return None, None
    own = 3 if parts[1] in ("sketches", "compound", "interop") else 2
    return FLOORS.index(parts[1]), "/".join(parts[:own])


def public_floor(name, rooms):
    if name in ("core", "hash", "any", "interop"):
        return FLOORS.index(name)
    if name == "ballpark":
        return len(FLOORS)
    return FLOORS.index(rooms[name]) if name in rooms else None


def sees_public(path, header, rooms):
    """What is wrong with a library file including <ballpark/header>; None: nothing."""
    name = header[len("ballpark/"):-len(".h")]
    there = public_floor(name, rooms)
    here, folder = floor_of(path)
    if there is None:
        return f"<{header}> is in no room: is it in src/sketches.def?"
    if path.startswith("include/"):
        return None if name == "core" or path == "include/ballpark/ballpark.h" else \
            f"a public header sees <ballpark/core.h> alone, not <{header}>"
    if here is None:
        return "this file is on no floor"
    if there > here:
        return f"<{header}> is above {FLOORS[here]}"
    own = "interop" if FLOORS[here] == "interop" else os.path.basename(folder)
    if there == here and own != name:
        return f"<{header}> is beside {os.path.basename(folder)}, not below it"
    return None


def sees_private(tree, path, header):
    """The same for #include "header"."""
    here, folder = floor_of(path)
    beside = os.path.join(os.path.dirname(path), header)
    target = beside if os.path.exists(os.path.join(tree, beside)) else "src/" + header
    target = os.path.normpath(target)
    if target == "src/sketches.def":
        return None if folder == "src/any" else "only any/ reads the list of sketches"
    there, their_folder = floor_of(target)
    if path.startswith("include/"):
        return f'a public header cannot see "{header}"'
    if here is None or there is None:
        return f'"{header}" leads to no floor'
    if folder == their_folder:
        return None
    if there >= here:
        return f'"{header}" is not below {FLOORS[here]}'
    if FLOORS[there] in ("sketches", "compound") and not (
            FLOORS[here] == "interop" and target.endswith("_state.h")):
        return f'"{header}" is inside a sketch: use its public header'
    return None


def check_library_include(tree, path, kind, header, rooms):
    if kind == '"':
        return sees_private(tree, path, header)
    if header.startswith("ballpark/"):
        return sees_public(path, header, rooms)
    if header in ONLY:
        return None if path in ONLY[header] else \
            f"<{header}> is for {', '.join(sorted(ONLY[header]))} alone"
    return None if header in LIBC else f"the library does not use <{header}>"


def check_face_include(tree, path, kind, header):
    if kind == "<":
        return None if not header.startswith("ballpark/") or os.path.exists(
            os.path.join(tree, "include", header)) else f"there is no <{header}>"
    face = "/".join(path.split("/")[:2 if path.startswith("integrations/") else 1])
    for base in (os.path.dirname(path), face):
        target = os.path.normpath(os.path.join(base, header))
        if target.startswith(face + "/") and os.path.exists(os.path.join(tree, target)):
            return None
    return f'a face sees <ballpark/...> and its own files, not "{header}"'


def check_condition(path, words):
    if path.startswith(PLATFORM_ROOMS):
        return None
    for name in MACHINE.findall(words):
        allowed = path.startswith("include/") and name in PUBLIC_MACROS and \
            PUBLIC_MACROS[name] in (None, path)
        if not allowed:
            return f"#if on {name}: that belongs in {' or '.join(PLATFORM_ROOMS)}"
    return None


def check_file(tree, path, rooms):
    """Complaints about one file."""
    if path.startswith("src/") and floor_of(path)[0] is None:
        yield 1, "this file is in no room of src/"
    with open(os.path.join(tree, path), encoding="utf-8") as f:
        text = f.read().replace("\\\n", " ")
    for number, line in enumerate(text.split("\n"), 1):
        wrong = None
        include = INCLUDE.match(line)
        condition = CONDITION.match(line)
        if include and path.startswith(("src/", "include/")):
            wrong = check_library_include(tree, path, *include.groups(), rooms)
        elif include:
            wrong = check_face_include(tree, path, *include.groups())
        elif condition:
            wrong = check_condition(path, condition[1])
        if wrong:
            yield number, wrong


def check_tree(tree):
    rooms = sketches(tree)
    passed = failed = 0
    for top in ("include", "src", "cli", "integrations", "examples"):
        for folder, dirs, names in os.walk(os.path.join(tree, top)):
            dirs.sort()
            for name in sorted(names):
                path = os.path.relpath(os.path.join(folder, name), tree)
                if not name.endswith(SOURCES) or is_test(path):
                    continue
                wrong = list(check_file(tree, path, rooms))
                for line, what in wrong:
                    print(f"{path}:{line}: {what}")
                passed, failed = passed + (not wrong), failed + bool(wrong)
    return passed, failed


# (file, line of code, whether it is allowed)
SELF = [
    ("src/core/x.c", '#include "core/core.h"', True),
    ("src/core/x.c", '#include "hash/hash.h"', False),
    ("src/core/x.c", "#include <ballpark/any.h>", False),
    ("src/core/x.c", "#include <stdio.h>", False),
    ("src/core/x.c", "#include <stdlib.h>", False),
    ("src/core/x.c", "#include <xxhash.h>", False),
    ("src/core/x.c", "#ifdef __AVX2__", False),
    ("src/core/x.c", "#if defined(_WIN32)", False),
    ("src/core/x.c", "#if \\\n defined(__linux__)", False),
    ("src/core/x.c", "#if BP_X86", True),
    ("src/core/platform.h", "#ifdef __AVX2__", True),
    ("src/hash/x.c", "#include <ballpark/hash.h>", True),
    ("src/parts/x.c", "#include <ballpark/one.h>", False),
    ("src/sketches/one/x.c", '#include "hash/hash.h"', True),
    ("src/sketches/one/x.c", '#include "one_state.h"', True),
    ("src/sketches/one/x.c", "#include <ballpark/one.h>", True),
    ("src/sketches/one/x.c", "#include <ballpark/two.h>", False),
    ("src/sketches/one/x.c", '#include "sketches/two/two_state.h"', False),
    ("src/sketches/one/x.c", '#include "../two/two_state.h"', False),
    ("src/sketches/one/x.c", "#include <ballpark/both.h>", False),
    ("src/sketches/one/x.c", "#include <ballpark/ballpark.h>", False),
    ("src/sketches/one/x.c", '#include "sketches.def"', False),
    ("src/compound/both/x.c", "#include <ballpark/one.h>", True),
    ("src/compound/both/x.c", "#include <ballpark/other.h>", False),
    ("src/compound/both/x.c", '#include "sketches/one/one_state.h"', False),
    ("src/any/x.c", '#include "sketches.def"', True),
    ("src/any/x.c", "#include <ballpark/both.h>", True),
    ("src/interop/redis/x.c", '#include "sketches/one/one_state.h"', True),
    ("src/interop/redis/x.c", "#include <ballpark/interop.h>", True),
    ("src/interop/redis/x.c", '#include "../pghll/x.h"', False),
    ("src/x.c", "#include <string.h>", False),
    ("include/ballpark/one.h", "#include <ballpark/core.h>", True),
    ("include/ballpark/one.h", "#include <ballpark/two.h>", False),
    ("include/ballpark/one.h", '#include "core/core.h"', False),
    ("include/ballpark/one.h", "#ifdef __cplusplus", True),
    ("include/ballpark/one.h", "#ifdef __GNUC__", False),
    ("cli/x.c", '#include "core/core.h"', False),
    ("cli/x.c", '#include "../src/core/core.h"', False),
    ("cli/x.c", "#include <pthread.h>", True),
    ("cli/x.c", '#include "cli.h"', True),
    ("cli/x.c", "#ifdef __linux__", False),
    ("cli/platform/x.c", "#ifdef __linux__", True),
    ("examples/x.c", '#include "core/core.h"', False),
    ("integrations/redis/x.c", '#include "../../src/core/core.h"', False),
    ("integrations/redis/x.c", "#include <redismodule.h>", True),
]
SELF_FILES = {
    "src/sketches.def": 'BP_SKETCH(1, one, sketches, DISTINCT, 0, "")\n'
                        'BP_SKETCH(2, two, sketches, DISTINCT, 0, "")\n'
                        'BP_SKETCH(3, both, compound, DISTINCT, 0, "")\n'
                        'BP_SKETCH(4, other, compound, DISTINCT, 0, "")\n',
    "src/core/core.h": "", "src/hash/hash.h": "", "src/sketches/one/one_state.h": "",
    "src/sketches/two/two_state.h": "", "src/interop/pghll/x.h": "", "cli/cli.h": ""}


def write(tree, path, text):
    path = os.path.join(tree, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def check_self():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as tree:
        for path, text in SELF_FILES.items():
            write(tree, path, text)
        rooms = sketches(tree)
        for path, line, allowed in SELF:
            write(tree, path, line + "\n")
            right = (not list(check_file(tree, path, rooms))) == allowed
            if not right:
                print(f"{path}: `{line}` was {'refused' if allowed else 'not seen'}")
            passed, failed = passed + right, failed + (not right)
            os.remove(os.path.join(tree, path))
    return passed, failed


def main():
    args = sys.argv[1:]
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    passed, failed = check_self() if args == ["--self"] else \
        check_tree(args[0] if args else here)
    print(f"{passed} passed, {failed} failed")
    return failed != 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
