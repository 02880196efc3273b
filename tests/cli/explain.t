# --explain: on stderr, before the answer, what was chosen and why.
$ seq 20 > in; ballpark distinct --explain -e 2% -t 2 in 2> err; cat err
20
kind: hll
precision: 12 (--error)
registers: 4,096
standard_error: 1.6%
memory: 3.00 KiB at most
bound: standard error 1.6%; the range that is printed holds the truth with 95% confidence
hash: xxh3, seed 0 (default)
input: in
compressed: what begins as gzip, zstd, xz, bzip2 or lz4 is decompressed
lines: end with a newline
item: the whole line
threads: 2 at most (--threads)
environment TERM: dumb
environment NO_COLOR: unset
environment COLUMNS: unset
environment TMPDIR: ...

$ printf 'u,n\na,2\n' | NO_COLOR=1 COLUMNS=70 ballpark top --explain -H -f u -w n -d, --trim -i -t 1 -n 3 --seed 4 2>&1
kind: top_k
k: 3 (--items)
memory_limit: 128.0 KiB (default)
depth: 2
candidates: 512
memory: 128.0 KiB of counters, and the candidates
bound: exact while the different items fit; then no count is under, and with 95% confidence none of 3 rows is over by more than 0.095% of all lines
hash: xxh3, seed 4 (--seed)
input: standard input
compressed: what begins as gzip, zstd, xz, bzip2 or lz4 is decompressed
lines: end with a newline; the first of each file names the fields
item: field u
weight: field n
split: at ,
changed: blanks around the item go, A to Z become a to z
threads: 1 at most (--threads)
environment TERM: dumb
environment NO_COLOR: 1
environment COLUMNS: 70
environment TMPDIR: ...
2	a

# What a state, or the filter that is asked, decides comes from there.
$ ballpark distinct --precision 9 -s s.bp in; ballpark distinct --explain -s s.bp in 2>&1 | grep -E '^(kind|precision|hash|state)'
20
kind: hll
precision: 9 (from s.bp)
hash: xxh3, seed 0 (from s.bp)
state: s.bp, added to

$ ballpark filter build -k bloom --explain -o f.bp in 2>&1 | grep -E '^(kind|items|fpr|bits|memory|bound)'
kind: bloom (--kind)
bits: 326
items: 34 (counted)
fpr_design: 1% (default)
memory: 41 B
bound: a no is certain; 1% of what is not in is taken for a member, with 34 items in it

$ ballpark filter test --explain -c f.bp in 2>&1 | grep -E '^(kind|items|hash:)|^[0-9]'
kind: bloom
items: 34 (from f.bp)
hash: xxh3, seed 0 (from f.bp)
20

$ ballpark count build -o c.bp in; ballpark count --explain c.bp 7 2>&1 | grep -E '^(kind|width|depth|memory|bound)|^[0-9]'
kind: count_min
width: 2,719 (from c.bp)
depth: 5 (from c.bp)
memory: 53.1 KiB
bound: no count is under; at most ...% of them are over by more than 0.1% of all lines
1	7

$ ballpark query --explain s.bp 2>&1 | grep -E '^(kind|input)'
kind: hll

$ ballpark dedup --explain -n 100 in 2>&1 | grep -E '^(kind|items|fpr)'
kind: blocked_bloom
items: 100 (--items)
fpr_design: 0.0041% (default)

# With groups it tells of each one's sketch.
$ printf 'x 1\n' | ballpark distinct --explain -g 1 -f 2 2>&1 | grep -E '^(kind|group|item|split)'
kind: hll
item: field 2
group: field 1
split: at runs of blanks

# A terminal is not made to obey a name.
$ printf 'a\n' > "$(printf 'n\033[31m')"; ballpark distinct --explain n* 2>&1 | grep -a ^input
input: n\x1b[31m
