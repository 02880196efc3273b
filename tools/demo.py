#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The bookstore demo: two days of a shop's log, exact tools beside ballpark.

    tools/demo.py BUILD_DIR

Makes the two days with examples/bookstore, asks each question the exact way and with
ballpark, and prints answers, error, CPU and wall time and peak memory side by side.
"""
import json
import os
import subprocess
import sys
import tempfile


def run(command, cwd):
    """Runs a shell pipeline: its output, CPU seconds, wall seconds, peak KiB.

    GNU time does the measuring: a child of this interpreter would start with its size.
    """
    env = dict(os.environ, LC_ALL="C")
    cost_file = os.path.join(cwd, "cost")
    done = subprocess.run(["/usr/bin/time", "-q", "-o", cost_file, "-f", "%U %S %e %M",
                           "bash", "-c", command],
                          cwd=cwd, env=env, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"demo: exit {done.returncode} from: {command}")
    with open(cost_file, encoding="ascii") as f:
        user, system, wall, peak = (float(x) for x in f.read().split())
    return done.stdout.decode(), user + system, wall, peak


def cost(result):
    return f"{result[2]:6.2f} s wall {result[1]:6.2f} s CPU {result[3] / 1024:7.1f} MB"


def show(title, exact_command, our_command, exact, ours, verdict):
    print(f"\n{title}")
    print(f"  exact     {exact_command}")
    print(f"            {cost(exact)}")
    print(f"  ballpark  {our_command}")
    print(f"            {cost(ours)}")
    for line in verdict:
        print(f"  {line}")
    if ours[1] > 0:
        print(f"  -> {exact[1] / ours[1]:.0f}x less CPU")


def compare(title, exact_command, our_command, cwd):
    exact, ours = run(exact_command, cwd), run(our_command, cwd)
    truth, estimate = int(exact[0]), int(ours[0])
    show(title, exact_command, our_command, exact, ours,
         [f"answers   {truth:,} exactly; {estimate:,} estimated: "
          f"{(estimate - truth) / truth:+.2%}"])


def compare_top(cwd):
    exact_command = "cut -f3 monday.tsv | sort | uniq -c | sort -rn | head -5"
    our_command = "ballpark top -n 5 -f 3 monday.tsv"
    exact, ours = run(exact_command, cwd), run(our_command, cwd)
    verdict = ["answers   exact        estimated"]
    for line, mine in zip(exact[0].splitlines(), ours[0].splitlines()):
        count, book = line.split()
        estimate, item = mine.split("\t")
        verdict.append(f"          {book} {int(count):>7,}  {item} {int(estimate):>7,}")
    show("Which books sell best on Monday?", exact_command, our_command, exact, ours,
         verdict)


def compare_filter(cwd):
    for day in ("monday", "tuesday"):
        run(f"cut -f2 {day}.tsv | sort -u > {day}.ids", cwd)
    exact_command = "comm -23 tuesday.ids monday.ids | wc -l"
    build = "ballpark filter build -n 400000 -p 1% -f 2 -o monday.bloom monday.tsv"
    built = run(build, cwd)
    our_command = "ballpark filter test -v -c monday.bloom tuesday.ids"
    exact, ours = run(exact_command, cwd), run(our_command, cwd)
    truth, found = int(exact[0]), int(ours[0])
    print("\n  (the sorted lists of ids below are made beforehand, for both sides)")
    print(f"  (filter of Monday's visitors: {build}\n   {cost(built)}, "
          f"{os.path.getsize(os.path.join(cwd, 'monday.bloom')):,} bytes)")
    show("Which of Tuesday's visitors were not there on Monday?", exact_command,
         our_command, exact, ours,
         [f"answers   {truth:,} exactly; {found:,} surely new: none wrongly, "
          f"{(truth - found) / truth:.2%} of them missed (1 % asked for)"])


def compare_merge(cwd):
    for day in ("monday", "tuesday"):
        run(f"ballpark distinct -f 2 -o {day}.hll {day}.tsv", cwd)
    exact_command = "cut -f2 monday.tsv tuesday.tsv | sort -u | wc -l"
    our_command = ("ballpark merge monday.hll tuesday.hll -o both.hll && "
                   "ballpark info --format json both.hll")
    exact, ours = run(exact_command, cwd), run(our_command, cwd)
    truth, estimate = int(exact[0]), round(json.loads(ours[0])["estimate"])
    show("How many visitors on both days together? (merging two saved sketches)",
         exact_command, our_command, exact, ours,
         [f"answers   {truth:,} exactly; {estimate:,} estimated: "
          f"{(estimate - truth) / truth:+.2%} (adding the days would say "
          f"{2 * 390600:,})"])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    build = os.path.abspath(sys.argv[1])
    os.environ["PATH"] = build + os.pathsep + os.environ["PATH"]
    with tempfile.TemporaryDirectory(prefix="ballpark-demo-") as cwd:
        for day in ("monday", "tuesday"):
            run(f"{os.path.join(build, 'examples', 'bookstore')} {day} > {day}.tsv", cwd)
        size = os.path.getsize(os.path.join(cwd, "monday.tsv"))
        print(f"Two bookstore days: 1,500,000 lines and {size / 1e6:.0f} MB each "
              "(time, visitor, book).")
        compare("How many different visitors on Monday?",
                "cut -f2 monday.tsv | sort -u | wc -l",
                "ballpark distinct -f 2 monday.tsv", cwd)
        compare_top(cwd)
        compare_filter(cwd)
        compare_merge(cwd)
    print("\nPeak memory is that of the largest process, CPU that of all of them.")


if __name__ == "__main__":
    main()
