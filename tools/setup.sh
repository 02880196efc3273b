#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# setup.sh - installs what is missing from Debian's packages, and says what and why.
#
#     tools/setup.sh GROUP...      build check demo lint sanitize cov fuzz bench
#                                  s390x aarch64 i386
#
# A thing that is there already, wherever it came from, is left alone. NO_INSTALL=1
# installs nothing: what is missing is named and the exit code is 1.
set -euo pipefail

missing=() why=()

# need PACKAGE REASON PROBE...: PROBE is a command that succeeds when it is there.
need()
{
    local package=$1 reason=$2
    shift 2
    if ! "$@" >/dev/null 2>&1; then
        missing+=("$package")
        why+=("$reason")
    fi
}
tool() { command -v "$1"; }
header() { echo "#include <$1>" | cc -E -x c -; }

group_build()
{
    need gcc "compiles" tool cc
    need libc6-dev "the C library's headers" header stdio.h
    need cmake "the build" tool cmake
    need ninja-build "the build" tool ninja
    need python3 "the tools" tool python3
    need libxxhash-dev "XXH3, inlined from its header" header xxhash.h
    need libjansson-dev "JSON in the command" header jansson.h
    need zlib1g-dev "reads gzip" header zlib.h
    need libzstd-dev "reads zstd" header zstd.h
    need liblzma-dev "reads xz" header lzma.h
    need libbz2-dev "reads bzip2" header bzlib.h
    need liblz4-dev "reads lz4" header lz4frame.h
    need libcmocka-dev "the tests" header cmocka.h
}
need_compressors()
{
    need gzip "compressed files for the tests to read" tool gzip
    need zstd "the same" tool zstd
    need xz-utils "the same" tool xz
    need bzip2 "the same" tool bzip2
    need lz4 "the same" tool lz4
}
group_check()
{
    group_demo
    need g++ "a C++11 program against the library" tool g++
    need_compressors
    need pkg-config "a program that finds the library by pkg-config" tool pkg-config
    need prometheus "promtool: do our metrics have the right form?" tool promtool
    need abigail-tools "abidiff: has the ABI changed?" tool abidiff
    need binutils "readelf: names in and out of the library" tool readelf
    need mandoc "are the manual pages right?" tool mandoc
    need zsh "completes in zsh" tool zsh
    need fish "completes in fish" tool fish
}
group_lint()
{
    need clang-format-14 "the form of the code" tool clang-format-14
    need clang-tidy-14 "faults a compiler does not look for" tool clang-tidy-14
    need cppcheck "the same, by other eyes" tool cppcheck
}
group_demo()
{
    group_build
    need time "measures time and memory of both sides" test -x /usr/bin/time
}
group_sanitize()
{
    group_build
    need_compressors
}
group_cov()
{
    group_build
    need gcovr "which lines the tests run" tool gcovr
}
group_fuzz()
{
    group_build
    need clang-14 "libFuzzer" tool clang-14
}
group_bench()
{
    group_build
    need time "CPU time of whole commands" test -x /usr/bin/time
    need libbloom-dev "a peer to be measured beside" header bloom.h
    need mawk "a peer of the command" tool mawk
    need datamash "a peer of the command" tool datamash
    need miller "a peer of the command" tool mlr
    need python3-venv "DuckDB, a peer of the command, comes from PyPI" \
        python3 -c 'import ensurepip'
}
group_parquet()
{
    group_build
    need python3-venv "pyarrow and DuckDB, which write Parquet files, come from PyPI" \
        python3 -c 'import ensurepip'
}
# Cross compilers, an emulator, and the tests' libraries for that machine.
cross()
{
    local machine=$1 arch=$2 gcc=$3 libs=$4
    group_build
    need "gcc-$gcc" "compiles for $machine" tool "$gcc-gcc"
    need "libc6-dev-$arch-cross" "links for $machine" test -e "/usr/$gcc/lib/crti.o"
    need qemu-user-static "runs programs of $machine" tool "qemu-$machine-static"
    need "libcmocka-dev:$arch" "the tests on $machine" test -e "/usr/lib/$libs/libcmocka.so"
    need "libjansson-dev:$arch" "the command on $machine" test -e "/usr/lib/$libs/libjansson.so"
}
group_s390x() { cross s390x s390x s390x-linux-gnu s390x-linux-gnu; }
group_aarch64() { cross aarch64 arm64 aarch64-linux-gnu aarch64-linux-gnu; }
group_i386() { cross i386 i386 i686-linux-gnu i386-linux-gnu; }

for group in "$@"; do
    if ! declare -F "group_$group" >/dev/null; then
        echo "setup: there is no group $group" >&2
        exit 2
    fi
    "group_$group"
done
[ ${#missing[@]} -gt 0 ] || exit 0

declare -A seen
packages=()
for i in "${!missing[@]}"; do
    [ -z "${seen[${missing[i]}]:-}" ] || continue
    seen[${missing[i]}]=1
    packages+=("${missing[i]}")
    echo "setup: missing ${missing[i]} (${why[i]})" >&2
done
if [ "${NO_INSTALL:-}" = 1 ]; then
    echo "setup: NO_INSTALL=1, so nothing is installed; to do it: apt-get install ${packages[*]}" >&2
    exit 1
fi
if ! command -v apt-get >/dev/null; then
    echo "setup: no apt-get here; install these by your system's means" >&2
    exit 1
fi
sudo=()
[ "$(id -u)" = 0 ] || sudo=(sudo)
for package in "${packages[@]}"; do
    case $package in
        *:*) "${sudo[@]}" dpkg --add-architecture "${package#*:}" ;;
    esac
done
echo "setup: installing ${packages[*]}" >&2
# A list that a mirror cannot give just now is often of another machine: what is missing
# here may be had all the same.
"${sudo[@]}" apt-get update -qq || echo "setup: going on with the package lists there are" >&2
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${packages[@]}" >&2
