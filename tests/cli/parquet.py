# SPDX-License-Identifier: MIT
"""parquet.py - Bloom filters in Parquet files that pyarrow and DuckDB wrote.

The files are in tests/data/parquet, with a manifest; PARQUET_FILES names another folder
that make.py there has filled (`make parquet`: larger ones, made anew).
"""
import importlib.util
import json
import os

from run import HERE, same

DATA = os.path.join(os.path.dirname(HERE), "data", "parquet")
FILES = os.environ.get("PARQUET_FILES", DATA)


def load(name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(DATA, name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


COLUMNS = load("make").COLUMNS
with open(os.path.join(FILES, "manifest.json"), encoding="utf-8") as manifest:
    MANIFEST = json.load(manifest)
ROWS = MANIFEST["rows"]


def filters():
    """(file, place of the filter, type, text of the i-th value) of all columns."""
    for name, file in MANIFEST["files"].items():
        for column, (offset, length) in file["filters"].items():
            path = os.path.join(FILES, name)
            yield path, f"{path}@{offset}+{length}", *COLUMNS[column]


def lines(text, numbers):
    return "".join(text(i) + "\n" for i in numbers).encode()


def hits(place, kind, where, data):
    done = place.run("filter", "test", "-c", "--type", kind, where, stdin=data)
    same(done.stderr, b"")
    return int(done.stdout)


def case_every_value_of_every_column_is_found(place):
    for _, where, kind, text in filters():
        same(hits(place, kind, where, lines(text, range(ROWS))), ROWS, where)


def case_others_are_found_as_seldom_as_is_predicted(place):
    strangers = 100000
    for _, where, kind, text in filters():
        rate = json.loads(place.ok("info", "--format", "json", where))["fpr_now"]
        found = hits(place, kind, where, lines(text, range(-strangers, 0)))
        # Six standard deviations: a false alarm in 10^8 filters or more.
        room = 6 * (strangers * rate) ** 0.5 + 6
        same(abs(found - strangers * rate) < room, True, f"{where}: {found}, rate {rate}")


def case_the_length_may_be_left_to_the_filter(place):
    for _, where, kind, text in filters():
        same(hits(place, kind, where.rsplit("+", 1)[0], lines(text, range(ROWS))), ROWS, where)


def case_what_is_converted_and_back_is_the_same_bytes(place):
    for path, where, _, _ in filters():
        offset, length = map(int, where.rsplit("@", 1)[1].split("+"))
        with open(path, "rb") as f:
            f.seek(offset)
            bare = f.read(length)
        place.ok("convert", "-o", "ours.bp", where)
        same(place.ok("convert", "--to", "parquet", "ours.bp"), bare, where)
        place.write("bare", bare)
        same(place.ok("convert", "bare"), place.ok("convert", where), where)


def case_a_folded_filter_still_has_every_value_and_the_bits_of_both_halves(place):
    for _, where, kind, text in filters():
        place.ok("convert", "-o", "ours.bp", where)
        whole = json.loads(place.ok("info", "--format", "json", "ours.bp"))
        blocks = whole["parameters"]["blocks"]
        place.ok("convert", "--fold", str(blocks // 2), "--to", "parquet", "-o", "half", where)
        same(hits(place, kind, "half", lines(text, range(ROWS))), ROWS, where)
        bits = place.ok("convert", "--to", "parquet", where)[-32 * blocks:]
        small = place.ok("convert", "--to", "parquet", "half")[-16 * blocks:]
        for i in range(blocks // 2):
            a = int.from_bytes(bits[64 * i:64 * i + 32], "little")
            b = int.from_bytes(bits[64 * i + 32:64 * i + 64], "little")
            same(int.from_bytes(small[32 * i:32 * i + 32], "little"), a | b, f"block {i}")


def case_the_wrong_type_finds_next_to_nothing(place):
    for _, where, kind, text in filters():
        if kind == "int32":
            found = hits(place, "int64", where, lines(text, range(ROWS)))
            same(found < ROWS / 10, True, f"{where}: {found}")
