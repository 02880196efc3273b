# SPDX-License-Identifier: MIT
"""records.py - CSV against Python's reader of it, weights against its sums, and records
that straddle the blocks the command really reads."""
import collections
import csv
import io
import random

from run import same

SEED = 20261201


def rows_of(rng, n, width):
    """Rows of values that hold what CSV must quote."""
    pieces = ["a", "b c", ",", '"', '""', "\n", "\r\n", "x" * 40, "7", ""]
    return [["".join(rng.choices(pieces, k=rng.randrange(4))) for _ in range(width)]
            for _ in range(n)]


def text_of(rng, rows, header=None):
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
                        lineterminator=rng.choice(["\n", "\r\n"]))
    if header:
        writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue().encode()


def top(place, *args, stdin=b""):
    """{item: count} of `top`, whose items may hold newlines: so JSON."""
    import json
    done = place.run("top", "-n1000000", "-m16M", "--format", "json", *args, stdin=stdin)
    same(done.returncode, 0, done.stderr.decode())
    return {r["item"]: r["count"] for r in map(json.loads, done.stdout.splitlines())}


def case_csv_values_are_those_of_python(place):
    rng = random.Random(SEED)
    for _ in range(40):
        rows = rows_of(rng, rng.randrange(1, 400), 3)
        data = text_of(rng, rows)
        path = place.write("in.csv", data)
        read = list(csv.reader(io.StringIO(data.decode(), newline="")))
        for field in (1, 2, 3):
            want = collections.Counter(r[field - 1] for r in read)
            same(top(place, "--csv", f"-f{field}", path), want)
            same(top(place, "--csv", f"-f{field}", "-t2", stdin=data), want)


def case_different_rows_are_different_items(place):
    rng = random.Random(SEED)
    rows = rows_of(rng, 3000, 2)
    path = place.write("in.csv", text_of(rng, rows))
    items = top(place, "--csv", "-f1-2", path)
    same(len(items), len(set(map(tuple, rows))))
    back = [tuple(r) for i in items for r in csv.reader(io.StringIO(i, newline=""))]
    same(sorted(back), sorted(set(map(tuple, rows))))


def case_weights_add_up_by_name_over_megabytes(place):
    rng = random.Random(SEED)
    keys = [f'k{i} "q", {i}' for i in range(200)]
    want = collections.Counter()
    paths = []
    for n, header in enumerate((["key", "junk", "amount"], ["amount", "key", "junk"])):
        rows = []
        for _ in range(60000):
            row = {"key": rng.choice(keys), "junk": "y\n" * rng.randrange(20),
                   "amount": str(rng.randrange(1000))}
            want[row["key"]] += int(row["amount"])
            rows.append([row[h] for h in header])
        paths.append(place.write(f"{n}.csv", text_of(rng, rows, header)))
    for threads in "12":
        same(top(place, "--csv", "-H", "-f", "key", "-w", "amount", "-t", threads, *paths),
             want)


def case_filter_test_selects_the_same_records_as_python(place):
    rng = random.Random(SEED)
    rows = rows_of(rng, 5000, 3)
    data = text_of(rng, rows, ["a", "b", "c"])
    place.write("in.csv", data)
    known = sorted({r[1] for r in rows})[::2]
    place.write("known", b"".join(k.encode() + b"\0" for k in known))
    place.ok("filter", "build", "-z", "-p", "1e-9", "-o", "known.bp", "known")
    out = place.ok("filter", "test", "--csv", "-H", "-f", "b", "known.bp", "in.csv")
    got = list(csv.reader(io.StringIO(out.decode(), newline="")))
    read = list(csv.reader(io.StringIO(data.decode(), newline="")))
    same(got, read[:1] + [r for r in read[1:] if r[1] in set(known)])
