# SPDX-License-Identifier: MIT
"""large.py - filters that are larger than one would read: asked in place, verified block by
block, and cut short under the reader's hands.

The file of 6 GB is sparse: the header of a small filter with another size, a hole, and
the checksums that the hole has. What is asked of it must be there, so the blocks of a few
keys are set to ones, and the checksums of their MiB are computed here, from the
definition of XXH3.
"""
import ctypes
import mmap
import os
import struct
import subprocess
import time

from run import same
from saved import MASK, SECRET, xxh3

MIB = 1 << 20
BLOCK = 64
P32 = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D)
P64 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
       0x27D4EB2F165667C5)
MORE_SECRET = bytes.fromhex(
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce"
    "45cb3a8f95160428afd7fbcabb4b407e")
LONG_SECRET = (SECRET + MORE_SECRET)[:192]


def words(data, at):
    return struct.unpack_from("<8Q", data, at)


def accumulate(acc, data, secret):
    for i in range(8):
        key = data[i] ^ secret[i]
        acc[i ^ 1] = acc[i ^ 1] + data[i] & MASK
        acc[i] = acc[i] + (key & 0xFFFFFFFF) * (key >> 32) & MASK


def xxh3_of_a_mib(stripes):
    """XXH3-64, seed 0, of a MiB that is zero but for these stripes {number: 8 words}."""
    acc = [P32[2], P64[0], P64[1], P64[2], P64[3], P32[1], P64[4], P32[0]]
    secrets = [words(LONG_SECRET, 8 * i) for i in range(16)]
    zero, last = (0,) * 8, MIB // 64 - 1
    for n in range(last):
        accumulate(acc, stripes.get(n, zero), secrets[n % 16])
        if n % 16 == 15:
            for i, s in enumerate(words(LONG_SECRET, 128)):
                acc[i] = (acc[i] ^ acc[i] >> 47 ^ s) * P32[0] & MASK
    accumulate(acc, stripes.get(last, zero), words(LONG_SECRET, 192 - 64 - 7))
    h = MIB * P64[0]
    for i in range(0, 8, 2):
        a, b = struct.unpack_from("<QQ", LONG_SECRET, 11 + 8 * i)
        product = (acc[i] ^ a) * (acc[i + 1] ^ b)
        h += (product ^ product >> 64) & MASK
    h &= MASK
    h = (h ^ h >> 37) * 0x165667919E3779F9 & MASK
    return h ^ h >> 32


def sparse(place, name, mibs, members):
    """A blocked Bloom filter of so many MiB with the members in it; bytes of its header."""
    place.ok("filter", "build", "-k", "blocked_bloom", "-m", "1MiB", "-p", "1%",
             "-o", "small.bp")
    with open(place.path("small.bp"), "rb") as f:
        small = bytearray(f.read())
    header, = struct.unpack_from("<I", small, 36)
    blocks = mibs * MIB // BLOCK
    same(small.count(struct.pack("<Q", MIB // BLOCK)), 1, "where the number of blocks stands")
    struct.pack_into("<Q", small, small.index(struct.pack("<Q", MIB // BLOCK)), blocks)
    struct.pack_into("<Q", small, 40, mibs * MIB)
    struct.pack_into("<Q", small, header - 8, xxh3(bytes(small[:header - 8])))
    sums = [xxh3_of_a_mib({})] * mibs
    same(struct.unpack_from("<Q", small, header + MIB)[0], sums[0], "XXH3 of zeros")
    with open(place.path(name), "wb") as f:
        f.write(small[:header])
        for key in members:
            block = xxh3(key) * blocks >> 64
            sums[block * BLOCK // MIB] = xxh3_of_a_mib(
                {block % (MIB // BLOCK): (MASK,) * 8})
            f.seek(header + block * BLOCK)
            f.write(b"\xff" * BLOCK)
        f.seek(header + mibs * MIB)
        f.write(struct.pack(f"<{mibs}Q", *sums))
    return header


def pages_in_memory(path):
    """How many pages of the file the system holds."""
    libc = ctypes.CDLL(None, use_errno=True)
    size = os.path.getsize(path)
    with open(path, "rb+") as f, mmap.mmap(f.fileno(), size) as m:
        n = (size + mmap.PAGESIZE - 1) // mmap.PAGESIZE
        there = (ctypes.c_ubyte * n)()
        start = ctypes.addressof(ctypes.c_char.from_buffer(m))
        same(libc.mincore(ctypes.c_void_p(start), ctypes.c_size_t(size), there), 0)
        return sum(page & 1 for page in bytes(there))


MEMBERS = [b"a member of the large filter %d" % i for i in range(3)]


def case_a_filter_of_6_gb_answers_at_once_and_reads_what_it_needs(place):
    sparse(place, "large.bp", 6 << 10, MEMBERS)
    with open(place.path("large.bp"), "rb") as f:
        os.fsync(f.fileno())
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    start = time.monotonic()
    lines = b"".join(k + b"\n" for k in MEMBERS + [b"some stranger among the keys"])
    found = place.ok("filter", "test", "large.bp", stdin=lines)
    seconds = time.monotonic() - start
    same(found, b"".join(k + b"\n" for k in MEMBERS))
    same(seconds < 1, True, f"took {seconds} s")
    # A key's MiB, that of the page before it, and what the system reads ahead.
    pages = pages_in_memory(place.path("large.bp"))
    same(pages < 4 * 4 * MIB // mmap.PAGESIZE, True, f"{pages} pages were read")
    os.unlink(place.path("large.bp"))


def case_damage_is_met_by_those_who_ask_there_and_by_info_verify(place):
    header = sparse(place, "large.bp", 100, MEMBERS)
    blocks = 100 * MIB // BLOCK
    at = [xxh3(k) * blocks >> 64 for k in MEMBERS]
    mib = [b * BLOCK // MIB for b in at]
    same(len(set(mib)), 3, "members in three MiB")
    with open(place.path("large.bp"), "rb+") as f:
        f.seek(header + at[1] * BLOCK + BLOCK)
        f.write(b"\x01")
    same(place.ok("filter", "test", "large.bp", stdin=MEMBERS[0] + b"\n" + MEMBERS[2] + b"\n"),
         MEMBERS[0] + b"\n" + MEMBERS[2] + b"\n")
    where = (f"ballpark: large.bp: a payload block's checksum is wrong, at byte "
             f"{header + mib[1] * MIB}\nhint: ").encode()
    for args in (("filter", "test", "large.bp"), ("info", "--verify", "large.bp"),
                 ("info", "large.bp")):
        done = place.run(*args, stdin=MEMBERS[0] + b"\n" + MEMBERS[1] + b"\n")
        same(done.returncode, 2, args)
        same(done.stdout, b"", args)
        same(done.stderr.startswith(where), True, f"{args}: {done.stderr}")


def case_every_page_of_a_large_filter_is_verified_before_it_is_read(place):
    """100,000 strangers fall on every MiB: a flipped bit in any of them is met."""
    header = sparse(place, "large.bp", 65, [])
    strangers = b"".join(b"stranger %d\n" % i for i in range(100000))
    same(place.run("filter", "test", "-c", "large.bp", stdin=strangers).stdout, b"0\n")
    for at in (0, 4096 - header - 1, 4096 - header, 64, MIB - 1, MIB, 30 * MIB + 77, 64 * MIB,
               65 * MIB - 1):
        with open(place.path("large.bp"), "rb+") as f:
            f.seek(header + at)
            f.write(b"\x80")
            f.flush()
            done = place.run("filter", "test", "-c", "large.bp", stdin=strangers)
            f.seek(header + at)
            f.write(b"\x00")
        same(done.returncode, 2, f"byte {at}")
        same(f"at byte {header + at // MIB * MIB}".encode() in done.stderr, True,
             f"byte {at}: {done.stderr}")


def cut_while_asked(place, name, left=4096):
    """Cuts the file once it is mapped, then asks."""
    size = os.path.getsize(place.path(name))
    p = subprocess.Popen([place.ballpark, "filter", "test", name], cwd=place.dir,
                         env=place.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    for _ in range(6000):
        with open(f"/proc/{p.pid}/maps", encoding="utf-8") as maps:
            if any(line.endswith("/" + name + "\n") for line in maps):
                break
        time.sleep(0.01)
    time.sleep(0.2)  # all of a small one is verified before it is asked
    os.truncate(place.path(name), left)
    out, err = p.communicate(b"".join(b"%d\n" % i for i in range(10000)), timeout=60)
    same(p.returncode, 2, err)
    same(out, b"", err)
    same(err.decode().splitlines()[0],
         f"ballpark: {name}: was cut short while it was in use: {left} of {size} bytes are left")


def case_a_filter_that_is_cut_short_under_the_reader_is_told_in_words(place):
    place.ok("filter", "build", "-k", "blocked_bloom", "-m", "8MiB", "-p", "1%",
             "-o", "f.bp", stdin=b"x\n")
    cut_while_asked(place, "f.bp")


def case_a_filter_that_is_cut_within_its_last_page_too(place):
    """Which does not fault: what is gone reads as zeros."""
    place.ok("filter", "build", "-n", "10000", "-o", "f.bp", stdin=b"1\n2\n3\n")
    cut_while_asked(place, "f.bp", 200)


def case_a_large_one_too(place):
    sparse(place, "large.bp", 65, [])
    cut_while_asked(place, "large.bp")


def case_a_filter_filled_region_by_region_is_the_same_filter(place):
    """Of 64 MiB and more; eight threads share one without regions."""
    place.write("in", b"".join(b"item %d\n" % (i * i) for i in range(300000)))
    for threads in (1, 3, 8):
        place.ok("filter", "build", "-k", "blocked_bloom", "-m", "100MiB", "-p", "1%",
                 f"-t{threads}", "-o", f"{threads}.bp", "in")
    place.sh("cmp 1.bp 3.bp && cmp 1.bp 8.bp")
    same(place.ok("filter", "test", "-c", "1.bp", "in"), b"300000\n")
