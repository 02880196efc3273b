#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cli.py BUILD [ROUNDS] - the command beside the tools it stands in for.

The data is made by bench/gen_lines.c: 15 million visitor ids, an access log of 15 million
lines (1.2 GB) with the same ids, and two sets of 5 million keys, half of them in both.
Of each row the yardstick (wc -l, zcat, ...) and ours run once a round, in turn, the page
cache warm; the least CPU time (user and system, of all processes) counts. The other tools
run once. A row that misses its target, or in which another tool takes less, is marked.

DuckDB comes from PyPI into BUILD/bench/venv; the others are Debian's packages.
"""
import os
import resource
import subprocess
import sys
import time

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Spent:
    """The least that a command took so far."""

    def __init__(self):
        self.cpu = self.wall = float("inf")
        self.kib = 0

    def run(self, command):
        # Memory is measured by a small program: a child of this one begins with its size.
        size = os.path.join(os.environ["data"], "size")
        timed = ["/usr/bin/time", "-f", "%M", "-o", size, "bash", "-o", "pipefail", "-c",
                 command]
        start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(timed, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              env={**os.environ, "LC_ALL": "C"})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 1, 3, 141):
            sys.exit(f"{command}: exit code {done.returncode}\n{done.stderr.decode()}")
        cpu = sum(getattr(after, x) - getattr(before, x) for x in ("ru_utime", "ru_stime"))
        self.cpu = min(self.cpu, cpu)
        self.wall = min(self.wall, time.monotonic() - start)
        with open(size, encoding="ascii") as f:
            self.kib = max(self.kib, int(f.read().split()[-1]))


class Row:
    """Ours beside a yardstick, at most `target` times its CPU, and beside others."""

    def __init__(self, yardstick, ours, target, others=()):
        self.yardstick, self.ours, self.target, self.others = yardstick, ours, target, others


def duckdb(query):
    python = "$build/bench/venv/bin/python"
    return f'{python} -c "import duckdb; print(duckdb.sql(\\"{query}\\").fetchall())"'


def csv_of(path, names, separator=" "):
    columns = ", ".join(f"'{n}': 'VARCHAR'" for n in names)
    return f"read_csv('{path}', delim='{separator}', header=false, columns={{{columns}}})"


IDS = csv_of("$data/ids.txt", ["id"])
LOG = csv_of("$data/access.log",
             ["ip", "id", "at", "method", "url", "status", "bytes", "seconds"])
A, B = (csv_of(f"$data/keys_{x}.txt", ["k"]) for x in "ab")
ROWS = [
    Row("wc -l $data/ids.txt", "$ballpark distinct -t1 $data/ids.txt", 2.0,
        ["sort -u $data/ids.txt | wc -l",
         "mawk '!s[$0]++ { n++ } END { print n }' $data/ids.txt",
         "datamash countunique 1 < $data/ids.txt",
         "mlr --inidx --ifs ' ' count-distinct -n -f 1 $data/ids.txt",
         duckdb(f"select approx_count_distinct(id) from {IDS}")]),
    Row("wc -l $data/access.log", "$ballpark distinct -t1 -f2 $data/access.log", 2.5,
        ["mawk '!s[$2]++ { n++ } END { print n }' $data/access.log",
         "datamash -W countunique 2 < $data/access.log",
         duckdb(f"select approx_count_distinct(id) from {LOG}")]),
    Row("wc -l $data/ids.txt", "$ballpark top -t1 -n10 $data/ids.txt", 5.0,
        ["sort $data/ids.txt | uniq -c | sort -rn | head",
         duckdb(f"select approx_top_k(id, 10) from {IDS}")]),
    Row("wc -l $data/access.log", "$ballpark top -t1 -f5 $data/access.log", 5.0,
        ["mlr --inidx --ifs ' ' count-distinct -f 5 then sort -nr count then head "
         "$data/access.log",
         duckdb(f"select approx_top_k(url, 10) from {LOG}")]),
    Row("wc -l $data/access.log", "$ballpark dedup -q -n 20000000 $data/access.log", 5.0,
        ["mawk '!s[$0]++' $data/access.log"]),
    Row("wc -l $data/access.log", "$ballpark dedup -q -f2 $data/access.log", 5.0,
        ["mawk '!s[$2]++' $data/access.log"]),
    Row("wc -l $data/keys_b.txt", "$ballpark filter test $data/keys_a.bp $data/keys_b.txt",
        6.0,
        ["mawk 'NR == FNR { s[$0]; next } $0 in s' $data/keys_a.txt $data/keys_b.txt",
         "comm -12 <(sort $data/keys_a.txt) <(sort $data/keys_b.txt)",
         duckdb(f"select count(*) from {B} b semi join {A} a on a.k = b.k")]),
    Row("wc -l $data/keys_b.txt",
        "$ballpark filter test $data/keys_a.bp --exact $data/keys_a.txt $data/keys_b.txt",
        60.0),
    Row("wc -l $data/keys_b.txt", "$ballpark filter anti $data/keys_b.txt $data/keys_a.txt",
        60.0,
        ["mawk 'NR == FNR { s[$0]; next } !($0 in s)' $data/keys_a.txt $data/keys_b.txt",
         "comm -23 <(sort $data/keys_b.txt) <(sort $data/keys_a.txt)",
         duckdb(f"select count(*) from {B} b anti join {A} a on a.k = b.k")]),
    Row("$ballpark distinct -t1 -d, -f2 $data/access.csv",
        "$ballpark distinct -t1 --csv -f2 $data/access.csv", 1.5),
    Row("zcat $data/access.log.gz", "$ballpark distinct -t1 -f2 $data/access.log.gz", 1.2),
]
THREADS = ["$ballpark distinct -f2 $data/access.log", "$ballpark top -f5 $data/access.log"]
DATA = {
    "ids.txt": "$build/bench/gen_lines ids",
    "access.log": "$build/bench/gen_lines log",
    "access.csv": "tr ' ' , < $data/access.log",
    "access.log.gz": "gzip -c $data/access.log",
    "keys_a.txt": "$build/bench/gen_lines keys 0 5000000",
    "keys_b.txt": "$build/bench/gen_lines keys 2500000 5000000",
    "keys_a.bp": "$ballpark filter build -k blocked_bloom -p 1% $data/keys_a.txt",
}


def make_data(data):
    os.makedirs(data, exist_ok=True)
    for name, command in DATA.items():
        path = os.path.join(data, name)
        if not os.path.exists(path):
            subprocess.run(["bash", "-c", f"{command} > {path}.new"], check=True)
            os.rename(path + ".new", path)
    venv = os.path.join(os.environ["build"], "bench", "venv")
    if not os.path.exists(os.path.join(venv, "bin", "python")):
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        subprocess.run([f"{venv}/bin/pip", "install", "-q", "duckdb"], check=True)


def shown(command):
    for name in ("data", "build"):
        command = command.replace(f"${name}/", "")
    command = command.replace("$ballpark", "ballpark")
    if "duckdb.sql" in command:
        command = "DuckDB: " + command.split('\\"')[1]
    return command if len(command) <= 70 else command[:67] + "..."


def line(command, spent, beside, mark=""):
    print(f"{shown(command):<70} {spent.cpu:8.3f} {spent.wall:8.3f} {spent.kib / 1024:7.1f} "
          f"{spent.cpu / beside.cpu:8.2f}{mark}", flush=True)


def measure_row(row, rounds):
    """Prints the row; whether it is as it should be."""
    yardstick, ours = Spent(), Spent()
    for _ in range(rounds):
        yardstick.run(row.yardstick)
        ours.run(row.ours)
    ratio = ours.cpu / yardstick.cpu
    line(row.yardstick, yardstick, yardstick)
    line(row.ours, ours, yardstick,
         f"  at most {row.target}{'' if ratio <= row.target else ': MISSED'}")
    good = ratio <= row.target
    for command in row.others:
        other = Spent()
        other.run(command)
        line(command, other, yardstick, "" if other.cpu > ours.cpu else "  FASTER THAN OURS")
        good = good and other.cpu > ours.cpu
    print()
    return good


def measure_threads(command, rounds):
    one, two = Spent(), Spent()
    for _ in range(rounds):
        one.run(f"{command} -t1")
        two.run(f"{command} -t2")
    good = one.wall / two.wall >= 1.7 and one.kib <= 8192
    print(f"{shown(command)}: two threads are {one.wall / two.wall:.2f} times as fast (at "
          f"least 1.7), {one.kib / 1024:.1f} MiB resident (at most 8)"
          f"{'' if good else ': MISSED'}")
    return good


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    build, rounds = os.path.abspath(sys.argv[1]), int(sys.argv[2] if len(sys.argv) > 2 else 5)
    os.environ.update(build=build, ballpark=f"{build}/ballpark", data=f"{build}/bench/data")
    make_data(os.environ["data"])
    print(f"{'':<70} {'CPU s':>8} {'wall s':>8} {'MiB':>7} {'x':>8}")
    good = [measure_row(row, rounds) for row in ROWS]
    good += [measure_threads(command, rounds) for command in THREADS]
    print(f"{sum(good)} rows as they should be, {len(good) - sum(good)} not")


if __name__ == "__main__":
    main()
