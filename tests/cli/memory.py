# SPDX-License-Identifier: MIT
"""memory.py - any allocation may fail: what a run with groups and one failure in it says.

For every n the n-th allocation fails, until a run ends without one. A run must end by
itself, and either say so or print what it prints with memory; the file of -o is the old
or the new one.
"""
import os

import run
from run import same


def read(path):
    with open(path, "rb") as f:
        return f.read()


def walk(place, args, output=None):
    if run.is_sanitized():  # whose own allocator is never made to fail
        return
    hit, n, failed = place.path("hit"), 0, 0
    want = place.ok(*args)
    new = read(place.path(output)) if output else None
    while True:
        n += 1
        if output:
            place.write(output, b"old")
        if os.path.exists(hit):
            os.unlink(hit)
        done = place.run(*args, env={"LD_PRELOAD": place.shim, "FAULT_HIT": hit,
                                     "FAULT": f"fail:alloc:{n}"})
        about = f"{args}, allocation {n}: {done.stderr}"
        if not os.path.exists(hit):
            break
        same(done.returncode in (0, 2), True, about)
        if done.returncode == 0:
            same(done.stdout, want, about)
        else:
            failed += 1
            same(b"ballpark: " in done.stderr, True, about)
        if output:
            same(read(place.path(output)) in (b"old", new), True, about)
    same(failed > 3, True, f"{args}: {failed} of {n} allocations made an error")


def inputs(place):
    """A few groups that are rows, and one that has become a sketch."""
    place.write("in", b"".join(b"g%d item%d\n" % (i % 7 * (i % 3), i) for i in range(120)))
    for command in ("distinct", "top"):
        place.ok(command, "-q", "-g1", "-f2", "-o", f"{command}.bp", "in")


def add_cases():
    runs = {
        "distinct": ["distinct", "-q", "-t1", "-g1", "-f2", "-o", "out.bp", "in"],
        "top": ["top", "-q", "-t1", "-g1", "-f2", "-n3", "-o", "out.bp", "in"],
        "the_largest": ["distinct", "-q", "-t1", "-g1", "-f2", "-n2", "in"],
        "merge_of_distinct": ["merge", "distinct.bp", "distinct.bp", "-o", "out.bp"],
        "merge_of_top": ["merge", "top.bp", "top.bp", "-o", "out.bp"],
        "info": ["info", "--format", "human", "top.bp"],
    }
    for name, args in runs.items():
        def case(place, args=args):
            inputs(place)
            walk(place, args, "out.bp" if "-o" in args else None)
        globals()[f"case_{name}_with_groups_when_any_allocation_fails"] = case


add_cases()
