# SPDX-License-Identifier: MIT
"""state.py - -s when runs come at the same time, are killed, or find no room.

What must hold: nothing is lost of runs that end well, the state is the old one or a new
one, whole, at every instant, and no run that died stands in the way of the next.
"""
import fcntl
import glob
import os
import random
import re
import signal
import subprocess
import threading
import time

from run import same

OLD = b"".join(b"%d\n" % i for i in range(3000))
NEW = b"".join(b"%d\n" % i for i in range(1000, 9000))
CALLS = ("write", "fsync", "rename", "close", "open")
COMMANDS = {"distinct": ["distinct"], "top": ["top"], "build": ["filter", "build", "-n", "9000"],
            "dedup": ["dedup", "-n", "9000"]}
TEMPORARY = re.compile(r"s\.bp\.[A-Za-z0-9]{6}\.tmp")


def read(place, name):
    with open(place.path(name), "rb") as f:
        return f.read()


def unlink(place, *names):
    for name in names:
        if os.path.exists(place.path(name)):
            os.unlink(place.path(name))


def left_over(place):
    """What beside the state and its lock a run has left in the directory."""
    return [os.path.basename(p) for p in glob.glob(place.path("s.bp.*"))
            if not p.endswith(".lock")]


def together(n, job):
    threads = [threading.Thread(target=job, args=(i,)) for i in range(n)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


def case_eight_jobs_of_a_hundred_runs_each_lose_nothing(place):
    failed = []

    def job(i):
        done = subprocess.run(["sh", "-c", """
            for j in $(seq 100); do
                printf '%s\\n' $1-$j all | ballpark distinct -s d.bp > out.$1 || exit
                test $j -gt 20 && continue
                printf '%s\\n' $1-$j all | ballpark top -q -n 900 -s t.bp > out.$1 || exit
            done""", "sh", str(i)], cwd=place.dir, env=place.env, stdin=subprocess.DEVNULL)
        if done.returncode:
            failed.append(i)

    together(8, job)
    same(failed, [], "runs that failed")
    lines = lambda runs: b"".join(b"%d-%d\nall\n" % (i, j)
                                  for i in range(8) for j in range(1, runs + 1))
    place.ok("distinct", "-o", "d_union.bp", stdin=lines(100))
    same(read(place, "d.bp") == read(place, "d_union.bp"), True, "the union, to the byte")
    same(place.ok("top", "-s", "t.bp"), place.ok("top", "-n", "900", stdin=lines(20)))


def case_filters_whose_size_was_counted_at_the_same_time_are_united(place):
    """Only one of the runs founds the state; the others go by its size."""
    lines = {i: b"".join(b"%d-%d\n" % (i, j) for j in range(1000 + i)) for i in range(6)}
    for i, text in lines.items():
        place.write(f"in{i}", text)
    for as_stdin in (False, True):
        unlink(place, "s.bp")

        def job(i):
            with open(place.path(f"in{i}"), "rb") as f:
                args = [] if as_stdin else [f"in{i}"]
                subprocess.run([place.ballpark, "filter", "build", "-q", "-s", "s.bp", *args],
                               cwd=place.dir, env=place.env, stdin=f, check=True)

        together(6, job)
        for i, text in lines.items():
            same(place.ok("filter", "test", "-c", "s.bp", f"in{i}"),
                 b"%d\n" % text.count(b"\n"), f"in{i} of {as_stdin}")


def prepare(place, command, with_old):
    """The run, and the state before and after it."""
    args = [*COMMANDS[command], "-q", "-s", "s.bp", "new.txt"]
    place.write("new.txt", NEW)
    place.write("old.txt", OLD)
    unlink(place, "s.bp", "s.bp.lock")
    if with_old:
        place.ok(*args[:-1], "old.txt")
    old = read(place, "s.bp") if with_old else None
    place.ok(*args)
    return args, old, read(place, "s.bp")


def put(place, old):
    unlink(place, "s.bp")
    if old is not None:
        place.write("s.bp", old)


def state_now(place):
    return read(place, "s.bp") if os.path.exists(place.path("s.bp")) else None


def check_fault(place, done, how, states, about):
    old, new = states
    now = state_now(place)
    same(now in states, True, f"{about}: neither the old nor the new state")
    left = left_over(place)
    if how in ("kill", "killed"):
        same(done.returncode, -signal.SIGKILL, about)
        same([t for t in left if not TEMPORARY.fullmatch(t)], [], about)
    else:
        same(left, [], about)
        same(done.returncode in (0, 2), True, f"{about}: {done.stderr}")
        same(done.returncode == 0 and now != new, False, f"{about}: success without it")
        if done.returncode == 2:
            same(done.stderr.startswith(b"ballpark: "), True, f"{about}: {done.stderr}")
    for t in left:
        os.unlink(place.path(t))


def walk(place, command, how, call, with_old):
    """Every call of one kind fails once, or is the run's last."""
    args, old, new = prepare(place, command, with_old)
    hit, n = place.path("hit"), 0
    while True:
        n += 1
        put(place, old)
        unlink(place, "hit")
        done = place.run(*args, env={"LD_PRELOAD": place.shim, "FAULT_HIT": hit,
                                     "FAULT": f"{how}:{call}:{n}"})
        if not os.path.exists(hit):
            break
        check_fault(place, done, how, (old, new), f"{command}, {how} at {call} {n}")
        put(place, old)
        place.ok(*args)
        same(state_now(place) == new, True, f"the run after {how} at {call} {n}")
    same(n > 1, True, f"{command}: no {call} ever failed: the test tests nothing")


def add_cases():
    for command in COMMANDS:
        for how in ("fail", "kill", "killed"):
            for call in CALLS:
                def case(place, command=command, how=how, call=call):
                    walk(place, command, how, call, with_old=True)
                    walk(place, command, how, call, with_old=False)
                globals()[f"case_{command}_{how}_at_every_{call}"] = case


add_cases()


def case_a_run_killed_at_any_instant_leaves_the_old_state_or_the_new_one(place):
    args, old, new = prepare(place, "distinct", True)
    begun = time.monotonic()
    put(place, old)
    place.ok(*args)
    whole = time.monotonic() - begun
    chance = random.Random(7)
    seen = {True: 0, False: 0}
    for i in range(120):
        put(place, old)
        run = subprocess.Popen([place.ballpark, *args], cwd=place.dir, env=place.env,
                               stdout=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, 1.3 * whole))
        run.kill()
        run.wait()
        now = state_now(place)
        same(now in (old, new), True, f"try {i}: neither the old nor the new state")
        seen[now == new] += 1
        place.ok("info", "s.bp")
    same(left_over(place) == [t for t in left_over(place) if TEMPORARY.fullmatch(t)], True)
    same(min(seen.values()) > 0, True, f"instants before and after the rename: {seen}")
    put(place, old)
    place.ok(*args)
    same(state_now(place) == new, True, "the run after them all")


def case_while_another_run_holds_the_lock_one_waits_and_says_so(place):
    place.ok("distinct", "-s", "s.bp", stdin=OLD)
    with open(place.path("s.bp.lock"), "rb") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        runs = [subprocess.Popen([place.ballpark, "distinct", "-s", "s.bp", *more, "new.txt"],
                                 cwd=place.dir, env=place.env, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
                for more in ([], ["-q"]) if place.write("new.txt", NEW)]
        same(runs[0].stderr.readline(),
             b"waiting for another run, which holds " +
             os.path.realpath(place.path("s.bp.lock")).encode() + b"\n")
        same([r.poll() for r in runs], [None, None], "they wait")
        same(place.run("info", "s.bp").returncode, 0, "reading it needs no lock")
        # The state moves on meanwhile; what is added is added to that.
        place.ok("distinct", "-o", "other.bp", stdin=b"another\n")
        place.ok("merge", "s.bp", "other.bp", "-o", "s.bp")
    for r in runs:
        r.wait()
        same((r.returncode, r.stderr.read()), (0, b""))
    place.ok("distinct", "-o", "all.bp", stdin=OLD + NEW + b"another\n")
    same(read(place, "s.bp") == read(place, "all.bp"), True)


def case_a_lock_file_that_was_removed_is_made_again(place):
    """A waiting run holds the file that was there: it must not count on that one."""
    place.ok("distinct", "-s", "s.bp", stdin=OLD)
    with open(place.path("s.bp.lock"), "rb") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        run = subprocess.Popen([place.ballpark, "distinct", "-q", "-s", "s.bp"],
                               cwd=place.dir, env=place.env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE)
        time.sleep(0.2)
        os.unlink(place.path("s.bp.lock"))
    same(run.wait(), 0)
    same(os.path.exists(place.path("s.bp.lock")), True)


def case_a_state_of_other_parameters_by_now_is_left_alone(place):
    """The parameters are looked at before the input is read, and again after."""
    place.ok("distinct", "-s", "s.bp", stdin=OLD)
    run = subprocess.Popen([place.ballpark, "distinct", "-s", "s.bp"], cwd=place.dir,
                           env=place.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE)
    while os.readlink(f"/proc/{run.pid}/exe") != os.path.realpath(place.ballpark):
        time.sleep(0.001)
    run.stdin.write(b"x\n" * 100000)  # more than a pipe holds: it has begun to read
    run.stdin.flush()
    place.ok("distinct", "--precision", "9", "-o", "s.bp", stdin=OLD)
    other = read(place, "s.bp")
    out, err = run.communicate()
    same((run.returncode, out), (2, b""), err)
    same(b"another run changed it while the input was read" in err, True, err)
    same(read(place, "s.bp") == other, True)


def case_a_place_that_cannot_be_written_is_refused_before_the_input_is_read(place):
    os.mkdir(place.path("shut"))
    place.ok("distinct", "-s", "shut/s.bp", stdin=OLD)
    before = read(place, "shut/s.bp")
    os.unlink(place.path("shut/s.bp.lock"))
    os.chmod(place.dir, 0o755)
    os.chmod(place.path("shut"), 0o555)
    as_user = {"user": 65534} if os.geteuid() == 0 else {}
    for name in ("shut/s.bp", "shut/new.bp"):
        try:
            done = place.run("distinct", "-s", name, "missing", **as_user)
        except PermissionError:  # the program stands where nobody else may run it
            break
        same((done.returncode, done.stderr),
             (2, f"ballpark: {name}: Permission denied\n".encode()))
    os.chmod(place.path("shut"), 0o755)
    same(read(place, "shut/s.bp") == before, True)
    done = place.run("distinct", "-s", "/proc/s.bp", "missing")
    same((done.returncode, b"missing" in done.stderr), (2, False), done.stderr)


def case_another_users_lock_file_need_only_be_readable(place):
    place.ok("distinct", "-s", "s.bp", stdin=OLD)
    os.chmod(place.path("s.bp.lock"), 0o444)
    os.chmod(place.dir, 0o777)
    as_user = {"user": 65534} if os.geteuid() == 0 else {}
    try:
        done = place.run("distinct", "-s", "s.bp", stdin=NEW, **as_user)
    except PermissionError:
        return
    same((done.returncode, done.stderr), (0, b""))


def case_an_interrupted_run_adds_nothing_unless_it_follows(place):
    place.ok("distinct", "-s", "s.bp", stdin=OLD)
    old = read(place, "s.bp")
    for follow, kept in (([], True), (["-F"], False)):
        run = subprocess.Popen([place.ballpark, "distinct", "-s", "s.bp", *follow],
                               cwd=place.dir, env=place.env, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        run.stdin.write(NEW)
        run.stdin.flush()
        time.sleep(0.3)
        run.send_signal(signal.SIGINT)
        run.wait()
        same(run.returncode, 130, run.stderr.read())
        same(read(place, "s.bp") == old, kept, f"{follow}")
