#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""amalgamate.py - the library in two files, for programs that want no build system.

    tools/amalgamate.py [DIRECTORY]     writes ballpark.h and ballpark.c; default dist/

    cc app.c ballpark.c -lm

Files go in by floors, each header once, xxhash.h with its licence. Names that are
private to more than one .c file (and so would meet here) get the file's name appended.
The result is generated, never committed; make check runs the test suite against it.
"""
import glob
import os
import re
import subprocess
import sys

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FLOORS = ["core", "hash", "parts", "sketches", "compound", "any", "interop"]
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"][^\n]*\n', re.M)
# A comment, a string, a character, a directive's first word, a word, or one other thing.
TOKEN = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
                   r"|[A-Za-z_]\w*|\.?\d[\w.]*|->|\s+|.", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*\n", re.M)
WORD = re.compile(r"[A-Za-z_]\w*$")


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return f.read()


def licence():
    lines = read(TREE, "LICENSE").rstrip().split("\n")
    return "/*\n" + "\n".join(" * " + line if line else " *" for line in lines) + "\n */\n"


def banner(path):
    return f"/* {'-' * max(4, 80 - len(path))} {path} */\n"


def xxhash_path():
    """The header that the compiler would take."""
    done = subprocess.run(["cc", "-M", "-x", "c", "-"], input="#include <xxhash.h>\n",
                          stdout=subprocess.PIPE, check=True, text=True).stdout
    return re.search(r"\S+/xxhash\.h", done)[0]


# ------------------------------------------------------------------------ the one header

def one_header():
    """All public headers, core first and the umbrella left out."""
    folder = os.path.join(TREE, "include/ballpark")
    names = sorted(os.listdir(folder), key=lambda n: (n != "core.h", n))
    text = f"/* ballpark {read(TREE, 'VERSION').strip()}, https://opensource.org/licenses/MIT\n" \
           " * Made by tools/amalgamate.py from include/ballpark; do not edit. */\n" + licence()
    for name in names:
        if name != "ballpark.h":
            body = INCLUDE.sub(lambda m: "" if m[2].startswith("ballpark/") else m[0],
                               read(folder, name))
            text += "\n" + banner("include/ballpark/" + name) + body
    return text


# ------------------------------------------------------------------------ the one source

class Source:
    """What has been put in so far."""

    def __init__(self):
        self.seen = set()

    def expand(self, path):
        """The text of a file below src/, what it includes put in its place."""
        folder = os.path.dirname(path)

        def put(match):
            kind, name = match.groups()
            if kind == "<" and name.startswith("ballpark/"):
                return ""
            if kind == "<" and name == "xxhash.h":
                return self.once("xxhash.h", lambda: read(xxhash_path()))
            if kind == "<":
                return match[0]
            beside = os.path.normpath(os.path.join(folder, name))
            inner = beside if os.path.exists(os.path.join(TREE, "src", beside)) else name
            if not inner.endswith(".h"):  # a list or a kernel: again each time
                return self.expand(inner)
            return self.once(inner, lambda: self.expand(inner))

        return INCLUDE.sub(put, read(TREE, "src", path))

    def once(self, name, text):
        if name in self.seen:
            return ""
        self.seen.add(name)
        return banner(name) + text() + "\n"


def units():
    for floor in FLOORS:
        deep = "*/*.c" if floor in ("sketches", "compound", "interop") else "*.c"
        for path in sorted(glob.glob(os.path.join(TREE, "src", floor, deep))):
            if not path.endswith("_test.c"):
                yield os.path.relpath(path, os.path.join(TREE, "src"))


def outer_tokens(text):
    """(token, depth of braces) of code at file scope and one level in."""
    depth = 0
    for token in TOKEN.findall(DIRECTIVE.sub("\n", text)):
        if token.isspace() or token.startswith(("/*", "//")):
            continue
        depth -= token == "}"
        if depth < 2:
            yield token, depth
        depth += token == "{"


def statement_names(words):
    """The names that one declaration at file scope makes for its file alone."""
    flat = [w for w, depth in words if depth == 0]
    if not flat:
        return
    if "enum" in flat and "{" in flat:
        inner = [w for w, depth in words if depth == 1]
        yield from (w for w, before in zip(inner, [","] + inner)
                    if before == "," and WORD.match(w))
    for kind in ("struct", "union", "enum"):
        if kind in flat and "{" in flat:
            name = flat[flat.index(kind) + 1]
            if WORD.match(name):
                yield name
    if flat[0] == "typedef":  # of a function: what stands before its arguments
        yield flat[flat.index("(") - 1] if flat[-2] == ")" else flat[-2]
    if flat[0] == "static":
        for name, after in zip(flat, flat[1:]):
            if WORD.match(name) and after in ("(", "=", "[", ";", ",") and \
                    not name.isupper() and name != "__attribute__":
                yield name
                break


def private_names(text):
    """The names that a .c file keeps to itself, its macros among them."""
    names = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.M))
    statement = []
    for token, depth in outer_tokens(text):
        statement.append((token, depth))
        ends = token == ";" or (token == "}" and is_function(statement))
        if depth == 0 and ends:
            names.update(statement_names(statement))
            statement = []
    return names


def is_function(statement):
    flat = [w for w, depth in statement if depth == 0]
    at = flat.index("{")
    return at > 0 and flat[at - 1] == ")"


def rename(text, names, suffix):
    """Appends the suffix to those names, except where they are members of a struct."""
    out, before = [], ""
    for token in TOKEN.findall(text):
        if token in names and before not in (".", "->"):
            token = token + suffix
        out.append(token)
        if not token.isspace():
            before = token
    return "".join(out)


def own_text(path):
    """A .c file and the kernels it includes, without headers: what is private to it."""
    text = read(TREE, "src", path)
    folder = os.path.join(TREE, "src", os.path.dirname(path))
    for name in set(re.findall(r'#include "([^"/]+\.inc)"', text)):
        text += read(folder, name)
    return text


def one_source():
    paths = list(units())
    private = {path: private_names(own_text(path)) for path in paths}
    source = Source()
    text = f"/* ballpark {read(TREE, 'VERSION').strip()}, https://opensource.org/licenses/MIT\n" \
           " * Made by tools/amalgamate.py from src/; do not edit. xxHash, which is inside,\n" \
           " * has its own licence, at its place. */\n" + licence() + '#include "ballpark.h"\n'
    for path in paths:
        others = set().union(*(private[p] for p in paths if p != path))
        clashes = private[path] & others
        suffix = "_in_" + os.path.splitext(os.path.basename(path))[0]
        headers, body = split_headers(source, path)
        text += headers + "\n" + banner("src/" + path) + rename(body, clashes, suffix)
    return text


def split_headers(source, path):
    """What a .c file is first to include, and its own text; only that is renamed."""
    headers, inside = [], []
    put = source.once

    def once(name, text):
        inside.append(name)
        whole = put(name, text)
        inside.pop()
        if inside:  # an include of an include stays where it is
            return whole
        headers.append(whole)
        return ""

    source.once = once
    try:
        body = source.expand(path)
    finally:
        source.once = put
    return "".join(headers), body


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(TREE, "dist")
    os.makedirs(out, exist_ok=True)
    for name, text in (("ballpark.h", one_header()), ("ballpark.c", one_source())):
        with open(os.path.join(out, name), "w", encoding="utf-8") as f:
            f.write(text)
        print(f"{os.path.join(out, name)}: {text.count(chr(10)):,} lines")


if __name__ == "__main__":
    main()
