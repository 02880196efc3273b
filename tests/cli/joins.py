# SPDX-License-Identifier: MIT
"""joins.py - exact answers out of filters, held against Python's sets: filter anti, filter
semi, and filter test --exact; and what a filter is told by the last of these.
"""
import fcntl
import glob
import json
import os
import random
import signal
import subprocess
import threading
import time

from run import same


def lines(rng, n):
    """Lines that often repeat and share beginnings, some empty, some with NUL bytes."""
    return [bytes(rng.choice(b"ab\0") for _ in range(rng.randrange(9))) for _ in range(n)]


def text(rng, some):
    """Some lines as a file, the last at times without its end."""
    data = b"".join(line + b"\n" for line in some)
    return data[:-1] if some and some[-1] and rng.random() < 0.5 else data


def printed(some):
    return b"".join(line + b"\n" for line in some)


def case_joins_agree_with_sets(place):
    rng = random.Random(5)
    for turn in range(20):
        a, b = (lines(rng, rng.choice((0, 1, 30, 2000))) for _ in "ab")
        place.write("a", text(rng, a))
        place.write("b", text(rng, b))
        there = set(b)
        for name in "anti", "semi":
            want = [x for x in a if (x in there) == (name == "semi")]
            for args, stdin in ((["a", "b"], b""), (["-", "b"], printed(a)),
                                (["a", "-"], printed(b))):
                done = place.run("filter", name, *args, stdin=stdin)
                about = f"turn {turn}: {name} {args}: {done.stderr}"
                same(done.stdout, printed(want), about)
                same(done.returncode, 0 if want else 1, about)


def case_a_cut_join_agrees_with_the_whole_one(place):
    rng = random.Random(6)
    b = [b"%d" % rng.randrange(10**7) for _ in range(200000)]
    a = rng.sample(b, 5000) + [b"%d" % rng.randrange(10**8) for _ in range(5000)]
    rng.shuffle(a)
    place.write("a", printed(a))
    place.write("b", printed(b))
    there = set(b)
    for name in "anti", "semi":
        want = [x for x in a if (x in there) == (name == "semi")]
        same("cuts" in place.run("filter", name, "-q", "--explain", "a", "b").stderr.decode(),
             True)
        for more in [], ["-t1"], ["-m", "1M"]:
            same(place.ok("filter", name, *more, "a", "b"), printed(want), more)
        same(place.ok("filter", name, "-m", "1M", "-", "b", stdin=printed(a)), printed(want))


def case_rounds_agree_with_a_single_one(place):
    rng = random.Random(8)
    a, b = ([b"%d" % rng.randrange(60000) for _ in range(60000)] for _ in "ab")
    place.write("a", printed(a))
    place.write("b", printed(b))
    there = set(b)
    for name in "anti", "semi":
        want = printed([x for x in a if (x in there) == (name == "semi")])
        for memory in "700K", "200K", "100K":
            args = ["filter", name, "--verbose", "-m", memory, "a", "b"]
            done = place.run(*args)
            same(done.stdout, want, f"{args}: {done.stderr}")
            same(b" rounds" in done.stderr, True, done.stderr)
            same(place.ok(*args[:-2], "-", "b", stdin=printed(a)), want, args)


def case_a_file_that_grows_meanwhile_is_told_of(place):
    numbers(place, "a", 1000)
    numbers(place, "b", 300000)
    read, write = os.pipe()
    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 4096)
    os.write(write, b"-" * (4096 - 80))  # room for the first of two remarks
    run = subprocess.Popen([place.ballpark, "filter", "anti", "--verbose", "a", "b"],
                           cwd=place.dir, env=place.env, stdout=subprocess.PIPE, stderr=write)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with open(f"/proc/{run.pid}/wchan", encoding="ascii") as f:
            if "pipe" in f.read():
                break
        time.sleep(0.01)
    with open(place.path("a"), "ab") as f:
        f.write(b"5\n999999\n")
    os.close(write)
    with os.fdopen(read, "rb") as f:
        err = f.read().lstrip(b"-").decode()
    same((run.wait(), run.stdout.read()), (2, b"999999\n"), err)
    run.stdout.close()
    same("a: had 1,000 lines when it was read first, and has 1,002 now" in err, True, err)


def case_a_checked_test_agrees_with_sets(place):
    rng = random.Random(7)
    for turn in range(12):
        members, asked = lines(rng, 200), lines(rng, rng.choice((1, 300, 6000)))
        place.write("members", text(rng, members))
        place.write("asked", text(rng, asked))
        place.ok("filter", "build", "-q", "-n", str(rng.choice((20, 100, 400))), "-o", "f.bp",
                 "members")
        there = set(members)
        for more in [], ["-m", "1"], ["-m", "20K"]:
            for flag in [], ["-v"]:
                want = [x for x in asked if (x in there) != bool(flag)]
                args = ["filter", "test", "-q", *flag, *more, "f.bp", "--exact", "members"]
                same(place.run(*args, "asked").returncode, 0 if want else 1)
                args.remove("-q")
                for stdin, file in (b"", ["asked"]), (printed(asked), []):
                    done = place.run(*args, *file, stdin=stdin)
                    same(done.stdout, printed(want), f"turn {turn}: {args}")
                    same(done.returncode, 0 if want else 1)


# ------------------------------------------------------------------------- feedback


def told(place, name="f.bp"):
    """(strangers asked, of them yes) that a filter was told of."""
    about = json.loads(place.ok("info", "--format", "json", name))
    return about.get("strangers_asked", 0), about.get("strangers_yes", 0)


def numbers(place, name, *of):
    place.write(name, b"".join(b"%d\n" % i for i in range(*of)))


def case_what_runs_at_the_same_time_tell_adds_up(place):
    numbers(place, "members", 1000)
    numbers(place, "strangers", 1000, 3000)
    place.ok("filter", "build", "-p", "5%", "-o", "f.bp", "members")
    args = ["filter", "test", "f.bp", "--exact", "members", "strangers"]
    same(place.run(*args).returncode, 1)
    once = told(place)
    same(once[0], 2000)

    def job():
        for _ in range(5):
            place.run(*args)

    jobs = [threading.Thread(target=job) for _ in range(4)]
    for j in jobs:
        j.start()
    for j in jobs:
        j.join()
    same(told(place), (21 * once[0], 21 * once[1]))


def case_a_large_filter_is_told_in_place(place):
    numbers(place, "members", 3000)
    numbers(place, "asked", 2000, 30000)
    place.ok("filter", "build", "-n", "2e6", "-o", "f.bp", "members")
    with open(place.path("f.bp"), "rb") as f:
        before = f.read()
    file = os.stat(place.path("f.bp"))
    for n in 1, 2:
        same(place.ok("filter", "test", "-c", "f.bp", "--exact", "members", "asked"), b"1000\n")
        same(told(place), (27000 * n, 0))
    after = os.stat(place.path("f.bp"))
    same((after.st_ino, after.st_size), (file.st_ino, file.st_size), "the same file")
    with open(place.path("f.bp"), "rb") as f:
        now = f.read()
    same(now[128:] == before[128:] and now[:128] != before[:128], True, "but for its header")


def case_a_keyed_filter_is_told_too(place):
    place.write("key", b"0123456789abcdef")
    numbers(place, "members", 1000)
    numbers(place, "asked", 900, 5000)
    place.ok("filter", "build", "-p", "10%", "--key-file", "key", "-o", "f.bp", "members")
    args = ["filter", "test", "-c", "--key-file", "key", "f.bp", "--exact", "members", "asked"]
    same(place.ok(*args), b"100\n")
    same(told(place)[0], 4000)
    same(place.ok(*args), b"100\n", "its key is still the same")


def case_who_holds_the_lock_is_not_waited_for_long(place):
    numbers(place, "members", 1000)
    numbers(place, "asked", 900, 5000)
    place.ok("filter", "build", "-o", "f.bp", "members")
    with open(place.path("f.bp.lock"), "wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = place.run("filter", "test", "-c", "--verbose", "f.bp", "--exact", "members", "asked")
    same((done.returncode, done.stdout), (0, b"100\n"), done.stderr)
    same(b"f.bp: is not told how often it was wrong: " in done.stderr, True, done.stderr)
    same(told(place), (0, 0))


def walk(place, how, call):
    """The n-th call fails, or the run ends there: the filter is the old or the new one."""
    numbers(place, "members", 1000)
    numbers(place, "asked", 900, 5000)
    args = ["filter", "test", "-c", "f.bp", "--exact", "members", "asked"]
    place.ok("filter", "build", "-o", "f.bp", "members")
    with open(place.path("f.bp"), "rb") as f:
        old = f.read()
    place.ok(*args)
    with open(place.path("f.bp"), "rb") as f:
        new = f.read()
    hit, n = place.path("hit"), 0
    while True:
        n += 1
        place.write("f.bp", old)
        if os.path.exists(hit):
            os.unlink(hit)
        done = place.run(*args, env={"LD_PRELOAD": place.shim, "FAULT_HIT": hit,
                                     "FAULT": f"{how}:{call}:{n}"})
        if not os.path.exists(hit):
            break
        about = f"{how} at {call} {n}: {done.stderr}"
        with open(place.path("f.bp"), "rb") as f:
            same(f.read() in (old, new), True, about)
        same(done.returncode in (0, 2, -signal.SIGKILL), True, about)
        left = glob.glob(place.path("f.bp.*.tmp"))
        same(len(left) <= (how == "kill"), True, about)
        for path in left:
            os.unlink(path)
    same(n > 1, True, f"no {call} ever failed: the test tests nothing")


def add_cases():
    for how in ("fail", "kill"):
        for call in ("open", "write", "fsync", "rename", "close"):
            def case(place, how=how, call=call):
                walk(place, how, call)
            globals()[f"case_{how}_at_each_{call}_leaves_a_whole_filter"] = case


add_cases()


# ----------------------------------------------------------------------- interrupted


def case_ctrl_c_answers_what_was_read(place):
    numbers(place, "members", 1000)
    place.ok("filter", "build", "-p", "10%", "-o", "f.bp", "members")
    for memory in ("256M", "1"):  # FILE is kept; FILE is read at the end
        run = subprocess.Popen([place.ballpark, "filter", "test", "-m", memory, "f.bp",
                                "--exact", "members"], cwd=place.dir, env=place.env,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
        run.stdin.write(b"".join(b"%d\n" % i for i in range(990, 1500)))
        run.stdin.flush()
        time.sleep(0.5)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate()
        same((run.returncode, out), (130, b"".join(b"%d\n" % i for i in range(990, 1000))), err)
