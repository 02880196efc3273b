# SPDX-License-Identifier: MIT
"""faults.py - a full disk, and a run that is killed at any instant.

The library of shim.c lets a command run until its n-th write, fsync, rename, close or
open and then fails that call, or ends the run there. For every command that writes a
sketch and every n, until n is past the last such call, the file that -o names must be the
old one or the new one, whole; a run that failed must say so and leave no temporary; and
a run that was killed must not hinder the next one.
"""
import glob
import os
import re
import signal

from run import same

OLD = b"".join(b"%d\n" % i for i in range(3000))
NEW = b"".join(b"%d\n" % i for i in range(1000, 9000))
CALLS = ("write", "fsync", "rename", "close", "open")
# SIGKILL cannot be caught: it may leave the temporary, under a name that tells.
TEMPORARY = re.compile(r"out\.bp\.[A-Za-z0-9]{6}\.tmp")


def arguments(command, place):
    place.write("new.txt", NEW)
    if command == "merge":
        place.ok("distinct", "-o", "a.bp", "new.txt")
        return ["merge", "a.bp", "a.bp", "-o", "out.bp"]
    if command.endswith("groups"):
        place.write("groups.txt", b"".join(b"g%d i%d\n" % (i % 90, i) for i in range(400)))
        args = ["distinct", "-q", "-g1", "-f2", "-o", "out.bp", "groups.txt"]
        if command == "merge_groups":
            place.ok(*args[:-2], "a.bp", "groups.txt")
            return ["merge", "a.bp", "a.bp", "-o", "out.bp"]
        return args
    if command == "build_counting":
        return ["filter", "build", "-o", "out.bp", "new.txt"]
    if command == "count":
        return ["count", "build", "-o", "out.bp", "new.txt"]
    if command == "build":
        return ["filter", "build", "-n", "9000", "-o", "out.bp", "new.txt"]
    return [command, "-o", "out.bp", "new.txt"]


def old_file(command, place):
    """A valid sketch that stood there before, of other items."""
    place.write("old.txt", OLD)
    place.ok("distinct", "-o", "old.bp", "old.txt")
    with open(place.path("old.bp"), "rb") as f:
        return f.read()


def new_file(args, place):
    place.ok(*args)
    with open(place.path("out.bp"), "rb") as f:
        return f.read()


def temporaries(place):
    return [os.path.basename(p) for p in glob.glob(place.path("*"))
            if os.path.basename(p).startswith("out.bp.") or p.endswith(".tmp")]


def check_after(place, done, how, old, new, about):
    """What must hold after one run with a fault in it."""
    try:
        with open(place.path("out.bp"), "rb") as f:
            now = f.read()
    except FileNotFoundError:
        now = None
    if now not in (old, new):
        raise AssertionError(f"{about}: neither the old nor the new file is there")
    left = temporaries(place)
    if how in ("kill", "killed"):
        same(done.returncode, -signal.SIGKILL, about)
        same([t for t in left if not TEMPORARY.fullmatch(t)], [], about)
        same(len(left) <= 1, True, about)
    elif how == "term":
        same(done.returncode, -signal.SIGTERM, about)
        same(left, [], about)
    else:
        same(left, [], about)
        same(done.returncode in (0, 2), True, about)
        if done.returncode == 0:
            same(now == new, True, f"{about}: exit code 0 without the new file")
        else:
            same(done.stderr.startswith(b"ballpark: "), True, f"{about}: {done.stderr}")
    if how in ("intr", "short"):
        same(done.returncode, 0, f"{about}: {done.stderr}")
    for t in left:
        os.unlink(place.path(t))


def walk(place, command, how, call, with_old):
    args = arguments(command, place)
    new = new_file(args, place)
    old = old_file(command, place) if with_old else None
    hit, n = place.path("hit"), 0
    while True:
        n += 1
        if old is None:
            os.unlink(place.path("out.bp")) if os.path.exists(place.path("out.bp")) else None
        else:
            place.write("out.bp", old)
        if os.path.exists(hit):
            os.unlink(hit)
        done = place.run(*args, env={"LD_PRELOAD": place.shim, "FAULT_HIT": hit,
                                     "FAULT": f"{how}:{call}:{n}"})
        if not os.path.exists(hit):
            break
        check_after(place, done, how, old, new, f"{command}, {how} at {call} {n}")
    if n == 1:
        raise AssertionError(f"{command}: no {call} ever failed: the test tests nothing")
    same(new_file(args, place) == new, True, "the next run")
    same(temporaries(place), [], "after the next run")


def add_cases():
    for command in ("distinct", "top", "count", "build", "build_counting", "merge", "groups",
                    "merge_groups"):
        for how in ("fail", "kill", "killed", "term"):
            for call in CALLS:
                def case(place, command=command, how=how, call=call):
                    walk(place, command, how, call, with_old=True)
                globals()[f"case_{command}_{how}_at_every_{call}"] = case
        for how in ("intr", "short"):
            def case(place, command=command, how=how):
                walk(place, command, how, "write", with_old=True)
            globals()[f"case_{command}_{how}_at_every_write"] = case

        def case(place, command=command):
            walk(place, command, "fail", "write", with_old=False)
        globals()[f"case_{command}_fail_at_every_write_of_a_first_file"] = case


add_cases()


def case_reading_goes_on_after_every_interruption_and_short_read(place):
    place.write("new.txt", NEW)
    place.ok("filter", "build", "-n", "8000", "-o", "f.bp", "new.txt")
    place.ok("count", "build", "-o", "c.bp", "new.txt")
    asks = {"distinct": ["distinct", "-t1"], "top": ["top", "-t1"],
            "count": ["count", "--keys-from", "-", "c.bp"],
            "test": ["filter", "test", "f.bp"]}
    for name, args in asks.items():
        want = place.ok(*args, stdin=NEW)
        for how in ("intr:read:1", "intr:read:2", "short:read:1", "short:read:2"):
            got = place.ok(*args, stdin=NEW,
                           env={"LD_PRELOAD": place.shim, "FAULT": how})
            same(got == want, True, f"{name}, {how}")


def case_an_input_that_cannot_be_read_further_is_an_error(place):
    place.write("new.txt", NEW)
    for args in (["distinct", "-o", "out.bp"], ["top", "-o", "out.bp"],
                 ["count", "build", "-o", "out.bp"],
                 ["filter", "build", "-n", "9", "-o", "out.bp"],
                 ["filter", "build", "-o", "out.bp"]):
        for n in (1, 2):
            hit = place.path("hit")
            done = place.run(*args, "new.txt", env={
                "LD_PRELOAD": place.shim, "FAULT": f"fail:read:{n}", "FAULT_HIT": hit})
            same(os.path.exists(hit), True, f"{args} read {n}: no fault")
            os.unlink(hit)
            same(done.returncode, 2, f"{args} read {n}: {done.stderr}")
            same(b"ballpark: new.txt: Input/output error" in done.stderr, True,
                 f"{args} read {n}: {done.stderr}")
            same(os.path.exists(place.path("out.bp")), False, f"{args} read {n}")


def case_the_copy_of_a_pipe_on_a_full_disk_is_an_error(place):
    for n in (1, 2):
        hit = place.path("hit")
        done = place.run("filter", "build", "-o", "out.bp", stdin=NEW * 40, env={
            "LD_PRELOAD": place.shim, "FAULT": f"fail:write:{n}", "FAULT_HIT": hit})
        same(os.path.exists(hit), True, f"write {n}: no fault")
        os.unlink(hit)
        same(done.returncode, 2, done.stderr)
        same(b"No space left on device" in done.stderr, True, done.stderr)
        same(os.listdir(place.dir), [], "left behind")


def case_a_file_that_cannot_be_mapped_is_read(place):
    place.write("new.txt", NEW)
    place.ok("distinct", "-o", "a.bp", "new.txt")
    want = place.ok("info", "a.bp")
    got = place.ok("info", "a.bp", env={"LD_PRELOAD": place.shim, "FAULT": "fail:mmap:1"})
    same(got, want)


def case_a_directory_that_cannot_be_read_takes_a_file_all_the_same(place):
    os.chmod(place.dir, 0o755)
    os.mkdir(place.path("blind"))
    os.chmod(place.path("blind"), 0o333)
    as_user = {"user": 65534} if os.geteuid() == 0 else {}
    try:
        done = place.run("distinct", "-o", "blind/out.bp", stdin=NEW, **as_user)
    except PermissionError:  # the program stands where nobody else may run it
        return
    same((done.returncode, done.stderr), (0, b""))
    same(os.path.getsize(place.path("blind/out.bp")) > 64, True)
