# SPDX-License-Identifier: MIT
"""interrupt.py - SIGINT while a command reads: what there is comes out, and 130.

The input is a pipe that stays open, so that the command waits when the signal comes; or
a file that is larger than what is read in the meantime.
"""
import os
import signal
import subprocess
import threading
import time

from run import same


def start(place, *args, **more):
    return subprocess.Popen([place.ballpark, *args], cwd=place.dir, env=place.env,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, **more)


def is_asleep(pid):
    """Whether all threads of the process wait, as they do when the pipe is empty."""
    states = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/stat", encoding="utf-8") as f:
            states.append(f.read().rpartition(")")[2].split()[0])
    return set(states) == {"S"}


def until_asleep(pid):
    end = time.monotonic() + 20
    quiet = 0
    while quiet < 3:
        quiet = quiet + 1 if is_asleep(pid) else 0
        same(time.monotonic() < end, True, "it never waits")
        time.sleep(0.005)


def interrupted(place, args, text, sig=signal.SIGINT):
    """(exit code, stdout, stderr) of a run that gets text, then waits, then the signal."""
    run = start(place, *args)
    run.stdin.write(text)
    run.stdin.flush()
    until_asleep(run.pid)
    run.send_signal(sig)
    end = threading.Timer(20, run.kill)
    end.start()
    run.wait()
    end.cancel()
    out, err = run.stdout.read(), run.stderr.read()
    for pipe in (run.stdin, run.stdout, run.stderr):
        pipe.close()
    return run.returncode, out, err.decode()


def case_what_was_read_is_answered_and_the_code_is_130(place):
    text = b"a\nb\na\nunfinish"
    code, out, err = interrupted(place, ["distinct"], text)
    same((code, out), (130, b"2\n"), err)
    same(err, "interrupted: the answer is for the 3 lines that were read\n")
    code, out, err = interrupted(place, ["top", "-q"], text)
    same((code, out, err), (130, b"2\ta\n1\tb\n", ""))


def case_many_threads_are_interrupted_together(place):
    text = b"".join(b"line %d of many\n" % (i % 7) for i in range(2_000_000))
    code, out, err = interrupted(place, ["distinct", "-t", "4"], text)
    same((code, out), (130, b"7\n"), err)


def case_a_file_is_left_in_the_middle(place):
    # A hole reads fast, but a tebibyte takes longer than a signal.
    with open(place.path("huge"), "wb") as f:
        f.write(b"a\nb\n")
        f.truncate(1 << 40)
    run = start(place, "distinct", "-t", "2", "huge")
    time.sleep(0.2)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=20)
    same((run.returncode, out), (130, b"2\n"), err.decode())


def case_a_part_is_not_saved(place):
    code, out, err = interrupted(place, ["distinct", "-o", "x.bp"], b"a\n")
    same((code, out), (130, b"1\n"), err)
    same("hint: x.bp was not written: the input was not read to its end\n" in err, True, err)
    same(os.path.exists(place.path("x.bp")), False)


def case_the_filter_writes_what_it_has_selected(place):
    place.ok("filter", "build", "-n", "9", "-o", "f.bp", stdin=b"a\nb\n")
    code, out, err = interrupted(place, ["filter", "test", "f.bp"], b"a\nx\nb\nb")
    same((code, out), (130, b"a\nb\n"), err)
    code, out, err = interrupted(place, ["filter", "test", "-c", "f.bp"], b"a\nx\nb\nb")
    same((code, out), (130, b"2\n"), err)


def case_a_pipe_that_nobody_writes_to_can_be_interrupted(place):
    os.mkfifo(place.path("fifo"))
    code, out, err = interrupted(place, ["distinct", "fifo"], b"")
    same((code, out), (130, b"0\n"), err)


def case_a_pipe_that_is_written_to_later_is_read(place):
    os.mkfifo(place.path("fifo"))
    for args in (["distinct", "fifo"], ["filter", "build", "-o", "f.bp", "fifo"]):
        run = start(place, *args)
        until_asleep(run.pid)
        with open(place.path("fifo"), "wb") as f:
            f.write(b"a\nb\n")
        out, err = run.communicate(timeout=20)
        same((run.returncode, err), (0, b""))
    same(b"\nestimate\t2\n" in place.ok("info", "f.bp"), True)


def case_the_second_sigint_ends_at_once(place):
    """The first ends the reading; the answer then blocks in a pipe that nobody reads."""
    run = start(place, "top", "-n", "100000")
    run.stdin.write(b"".join(b"%d\n" % i for i in range(60_000)))
    run.stdin.flush()
    until_asleep(run.pid)
    run.send_signal(signal.SIGINT)
    time.sleep(0.2)
    same(run.poll(), None)
    run.send_signal(signal.SIGINT)
    same(run.wait(20), -signal.SIGINT)
    for pipe in (run.stdin, run.stdout, run.stderr):
        pipe.close()


def case_what_has_no_answer_in_part_just_ends(place):
    code, out, _ = interrupted(place, ["filter", "build", "-n9", "-o", "f.bp"], b"a\n")
    same((code, out), (-signal.SIGINT, b""))
    same(os.path.exists(place.path("f.bp")), False)


def case_an_ignored_sigint_stays_ignored(place):
    run = subprocess.Popen(["sh", "-c", "trap '' INT; exec \"$0\" distinct",
                            place.ballpark], env=place.env, stdin=subprocess.PIPE,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    run.stdin.write(b"a\n")
    run.stdin.flush()
    until_asleep(run.pid)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(b"b\n", timeout=20)
    same((run.returncode, out, err), (0, b"2\n", b""))


def case_a_closed_pipe_ends_any_command_quietly(place):
    place.write("in", b"a\nb\na\n")
    place.ok("distinct", "-o", "d.bp", "in")
    place.ok("filter", "build", "-n9", "-o", "f.bp", "in")
    place.ok("count", "build", "-o", "c.bp", "in")
    commands = [["filter", "test", "f.bp", "in"], ["filter", "test", "-c", "f.bp", "in"],
                ["merge", "d.bp"], ["filter", "build", "-n9", "in"], ["--help"],
                ["dedup", "in"], ["count", "--help"], ["--version"]]
    for form in ("human", "plain", "csv", "json", "prom"):
        commands += [[*command, "--format", form] for command in
                     (["distinct", "in"], ["top", "in"], ["info", "d.bp"],
                      ["query", "d.bp"], ["top", "-n", "1", "in"])]
        if form != "prom":
            commands += [["size", "-e1%", "--format", form],
                         ["count", "c.bp", "a", "--format", form],
                         ["top", "-F", "in", "--format", form]]
    for args in commands:
        mine, its = os.pipe()
        os.close(mine)
        run = subprocess.Popen([place.ballpark, *args], cwd=place.dir, env=place.env,
                               stdin=subprocess.DEVNULL, stdout=its,
                               stderr=subprocess.PIPE)
        os.close(its)
        err = run.stderr.read()
        run.stderr.close()
        same(run.wait(20), -signal.SIGPIPE, args)
        same(b"ballpark: " in err, False, (args, err))
