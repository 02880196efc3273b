#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# filters.sh BUILD [OPTION or items]... - every filter beside its peers (bench/filters.c),
# with those of crates.io where cargo is there to fetch and build them.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?the build folder}
shift
crates=()
if command -v cargo > /dev/null; then
    target=$build/bench/crates
    if CARGO_TARGET_DIR=$target cargo build --quiet --release \
        --manifest-path bench/crates/Cargo.toml; then
        crates=(--peers "$target/release/libfilter_peers.so")
    fi
else
    echo "filters.sh: no cargo here: without its peers" >&2
fi
exec taskset -c "$(($(nproc) - 1))" "$build/bench/filters" "${crates[@]}" "$@"
