#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli.sh BUILD [ROUNDS] - the command beside the tools it stands in for, on 15 million
# lines of 12 bytes (bench/gen_lines.c). Every command runs once a round, in turn, the page
# cache warm; the smallest CPU time (user + system, of all its processes) counts. sort runs
# once. Then wall time of one thread against two, and resident memory.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?the build folder}
rounds=${2:-5}
ballpark=$build/ballpark
lines=$build/bench/lines.txt
export LC_ALL=C TIMEFORMAT='%R %U %S'

[ -s "$lines" ] || "$build/bench/gen_lines" > "$lines"
cat "$lines" > /dev/null

declare -A best_cpu best_wall
names=()
# measure NAME COMMAND: keeps the least CPU and wall time of a name.
measure() {
    local name=$1 spent real user system cpu
    spent=$( { time bash -c "$2" > /dev/null 2>&1; } 2>&1 )
    read -r real user system <<< "$spent"
    cpu=$(awk "BEGIN { print $user + $system }")
    [ -n "${best_cpu[$name]:-}" ] || names+=("$name")
    best_cpu[$name]=$(awk "BEGIN { a = ${best_cpu[$name]:-1e9}; print $cpu < a ? $cpu : a }")
    best_wall[$name]=$(awk "BEGIN { a = ${best_wall[$name]:-1e9}; print $real < a ? $real : a }")
}

# ratio A B: how many times B's figure A's is.
ratio() { awk "BEGIN { printf \"%.2f\", $1 / $2 }"; }

for ((i = 0; i < rounds; i++)); do
    measure 'wc -l' "wc -l $lines"
    measure 'distinct -t1' "$ballpark distinct -t1 $lines"
    measure 'distinct -t2' "$ballpark distinct -t2 $lines"
    measure 'top -n 10 -t1' "$ballpark top -n 10 -t1 $lines"
    measure 'top -n 10 -t2' "$ballpark top -n 10 -t2 $lines"
done
measure 'sort -u | wc -l' "sort -u $lines | wc -l"
measure 'sort | uniq -c | sort -rn' "sort $lines | uniq -c | sort -rn | head"

wc -lc "$lines"
printf '%-28s %8s %8s %10s\n' command 'CPU s' 'wall s' 'CPU/wc -l'
for name in "${names[@]}"; do
    printf '%-28s %8s %8s %10s\n' "$name" "${best_cpu[$name]}" "${best_wall[$name]}" \
        "$(ratio "${best_cpu[$name]}" "${best_cpu[wc -l]}")"
done
echo "sort -u | wc -l costs $(ratio "${best_cpu[sort -u | wc -l]}" \
    "${best_cpu[distinct -t1]}") times the CPU of distinct -t1"
echo "sort | uniq -c | sort -rn costs $(ratio "${best_cpu[sort | uniq -c | sort -rn]}" \
    "${best_cpu[top -n 10 -t1]}") times the CPU of top -t1"
echo "two threads: distinct $(ratio "${best_wall[distinct -t1]}" \
    "${best_wall[distinct -t2]}") times faster, top $(ratio "${best_wall[top -n 10 -t1]}" \
    "${best_wall[top -n 10 -t2]}")"
for command in 'distinct -t1' 'top -n 10 -t1'; do
    # shellcheck disable=SC2086
    kib=$(/usr/bin/time -f %M "$ballpark" $command "$lines" 2>&1 > /dev/null | tail -1)
    echo "$command: $kib KiB resident at most"
done
