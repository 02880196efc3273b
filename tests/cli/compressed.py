# SPDX-License-Identifier: MIT
"""compressed.py - compressed input that is cut, damaged, slow, large or short of memory.

The other side is Python's own gzip, bz2 and lzma, and the tools zstd and lz4. `dedup` of
different lines prints what it read, in order, so what was decoded can be compared.
"""
import bz2
import gzip
import lzma
import os
import resource
import subprocess
import time
import zlib

from run import is_sanitized, same

TEXT = b"".join(b"%d bottles\n" % i for i in range(40))
LINES = b"".join(b"%d %d\n" % (i * 7919 % 100003, i % 1000) for i in range(400000))
MEMBER = {"gz": "a gzip member", "bz2": "a bzip2 stream", "xz": "an xz stream",
          "zst": "a zstd frame", "lz4": "an lz4 frame"}
MAGIC = {"gz": 4, "bz2": 10, "xz": 6, "zst": 4, "lz4": 5}
DEDUP = ["dedup", "-q", "-n", "1000"]


def pack(place, kind, data):
    if kind in ("zst", "lz4"):
        place.write("to.pack", data)
        return place.sh({"zst": "zstd -qc", "lz4": "lz4 -qc"}[kind] + " < to.pack")
    return {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}[kind](data)


def decodable(kind, data):
    """All that can be had of data, or None where nobody else can say."""
    if kind == "gz":
        return zlib.decompressobj(31).decompress(data)
    if kind == "bz2":
        return bz2.BZ2Decompressor().decompress(data)
    if kind == "xz":
        return lzma.LZMADecompressor().decompress(data)
    return None


def ended(text):
    return text if text.endswith(b"\n") or not text else text + b"\n"


def case_a_file_cut_anywhere_counts_what_came_before(place):
    for kind, member in MEMBER.items():
        whole = pack(place, kind, TEXT)
        for n in range(len(whole) + 1):
            place.write("cut", whole[:n])
            done = place.run(*DEDUP, "cut")
            about = f"{kind} cut at {n}: {done}"
            if n < MAGIC[kind]:
                same((done.returncode, done.stdout), (0, ended(whole[:n])), about)
                continue
            if n == len(whole):
                same((done.returncode, done.stdout, done.stderr), (0, TEXT, b""), about)
                continue
            same((done.returncode, done.stderr.decode()),
                 (2, f"ballpark: cut: ends in the middle of {member}, at byte {n}; what "
                     "came before it was read\n"), about)
            want = decodable(kind, whole[:n])
            same(TEXT.startswith(done.stdout[:-1]), True, about)
            if want is not None:
                same(done.stdout, ended(want), about)


def case_a_pipe_cut_anywhere_counts_the_same(place):
    for kind in MEMBER:
        whole = pack(place, kind, TEXT)
        for n in range(0, len(whole), 5):
            place.write("cut", whole[:n])
            file, pipe = place.run(*DEDUP, "cut"), place.run(*DEDUP, stdin=whole[:n])
            same((pipe.returncode, pipe.stdout, pipe.stderr),
                 (file.returncode, file.stdout,
                  file.stderr.replace(b"cut:", b"standard input:")), f"{kind} at {n}")


def case_a_second_member_cut_anywhere_leaves_the_first(place):
    other = b"".join(b"%d glasses\n" % i for i in range(9))
    for kind in MEMBER:
        first = pack(place, kind, TEXT)
        second = pack(place, kind, other)
        for n in range(1, len(second), 3):
            done = place.run(*DEDUP, stdin=first + second[:n])
            about = f"{kind} cut at {n}: {done}"
            same((done.returncode, done.stderr.count(b"\n")), (2, 1), about)
            same(done.stdout.startswith(TEXT), True, about)
            same((TEXT + other).startswith(done.stdout[:-1]), True, about)
        same(place.ok(*DEDUP, stdin=first + second + bytes(9)), TEXT + other, kind)


def case_no_damage_goes_unnoticed(place):
    """A byte that the format checks makes an error; one it ignores changes nothing."""
    for kind in MEMBER:
        whole = pack(place, kind, TEXT)
        errors = 0
        for n in range(len(whole)):
            for bits in (0x01, 0xff):
                damaged = bytearray(whole)
                damaged[n] ^= bits
                done = place.run(*DEDUP, stdin=bytes(damaged))
                about = f"{kind}, byte {n} ^ {bits}: {done}"
                same(done.returncode in (0, 2), True, about)
                if done.returncode == 2:
                    errors += 1
                    same(done.stderr.startswith(b"ballpark: standard input: "), True, about)
                elif n >= MAGIC[kind]:
                    same(done.stdout, TEXT, about)
        same(errors >= len(whole), True, f"{kind}: {errors} errors")


def case_large_inputs_are_what_they_were(place):
    place.write("in", LINES)
    place.ok("distinct", "-o", "want.bp", "in")
    want_top = place.ok("top", "-f2", "-n", "5", "in")
    half = len(LINES) // 2
    for kind in MEMBER:
        place.write("in." + kind, pack(place, kind, LINES))
        place.write("parts." + kind,
                    pack(place, kind, LINES[:half]) + pack(place, kind, LINES[half:]))
        for name in ("in." + kind, "parts." + kind):
            for threads in ("1", "2"):
                place.ok("distinct", "-t", threads, "-o", "got.bp", name)
                same(open(place.path("got.bp"), "rb").read() ==
                     open(place.path("want.bp"), "rb").read(), True, f"{name} {threads}")
            same(place.ok("top", "-f2", "-n", "5", name), want_top, name)
    # bgzf: a member for every 64 KB, an empty one at the end
    parts = [LINES[i:i + 65000] for i in range(0, len(LINES), 65000)] + [b""]
    place.write("b.gz", b"".join(map(gzip.compress, parts)))
    place.ok("distinct", "-o", "got.bp", "b.gz")
    same(open(place.path("got.bp"), "rb").read() ==
         open(place.path("want.bp"), "rb").read(), True, "bgzf")


def case_a_slow_pipe_is_waited_for(place):
    for kind in MEMBER:
        whole = pack(place, kind, TEXT)
        run = subprocess.Popen([place.ballpark, *DEDUP], cwd=place.dir, env=place.env,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for i in range(0, len(whole), 9):
            run.stdin.write(whole[i:i + 9])
            run.stdin.flush()
            time.sleep(0.002)
        same(run.communicate()[0], TEXT, kind)


def case_reading_goes_on_after_short_and_interrupted_reads(place):
    for kind in MEMBER:
        whole = pack(place, kind, TEXT)
        place.write("in", whole)
        for fault in ("short:read:1", "intr:read:1", "intr:read:2"):
            env = {"LD_PRELOAD": place.shim, "FAULT": fault}
            same(place.ok(*DEDUP, "in", env=env), TEXT, f"{kind} {fault}")
            same(place.ok(*DEDUP, stdin=whole, env=env), TEXT, f"{kind} {fault}, a pipe")


def case_a_disk_that_fails_is_one_error_and_the_other_files_are_read(place):
    for kind in MEMBER:
        place.write("in", pack(place, kind, LINES))
        place.write("other", TEXT)
        env = {"LD_PRELOAD": place.shim, "FAULT": "fail:read:2"}
        done = place.run(*DEDUP, "in", "other", env=env)
        same((done.returncode, done.stderr),
             (2, b"ballpark: in: Input/output error\n"), kind)
        same(done.stdout.endswith(TEXT), True, kind)


def case_any_allocation_may_fail(place):
    """With a sanitizer the fault library's malloc is never asked."""
    if is_sanitized():
        return
    hit = place.path("hit")
    for kind in MEMBER:
        place.write("in", pack(place, kind, TEXT))
        failed = n = 0
        while True:
            n += 1
            done = place.run("distinct", "-t1", "in", env={
                "LD_PRELOAD": place.shim, "FAULT": f"fail:alloc:{n}", "FAULT_HIT": hit})
            if not os.path.exists(hit):
                break
            os.unlink(hit)
            about = f"{kind}, allocation {n}: {done}"
            same(done.returncode in (0, 2), True, about)
            if done.returncode == 0:
                same(done.stdout, b"40\n", about)
            else:
                failed += 1
                same(b"out of memory" in done.stderr or
                     b"Cannot allocate memory" in done.stderr, True, about)
        same(failed > 3, True, f"{kind}: {failed} of {n} allocations made an error")


def case_a_window_that_memory_has_no_room_for_is_an_error(place):
    if is_sanitized():
        return

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (60 << 20, 60 << 20))

    big = [{"id": lzma.FILTER_LZMA2, "dict_size": 100 << 20}]
    place.write("in", lzma.compress(TEXT, filters=big))
    place.write("other", TEXT)
    done = place.run("distinct", "-t1", "in", "other", preexec_fn=limit)
    same((done.returncode, done.stdout), (2, b"40\n"), done.stderr)
    same(done.stderr.startswith(b"ballpark: in: out of memory for an xz stream"), True,
         done.stderr)
