# filter anti and filter semi: lines of A by the keys of B, exactly.
$ seq 1 10000 > a; seq 5001 2 30000 > b

$ ballpark filter semi a b > s; seq 5001 2 10000 | cmp - s

$ ballpark filter anti a b > n; sort -n s n | cmp - a

$ ballpark filter anti -c a b; ballpark filter semi -c a b
7500
2500

# Duplicates stay, the order too; one file on both sides.
$ printf '3\n1\n3\n2\n' | ballpark filter semi - a
3
1
3
2

$ ballpark filter semi a a | cmp - a; ballpark filter anti a a
[1]

# Empty files, empty lines, NUL bytes, a last line without its end.
$ : > none; printf 'x\0y\n\nx\0z\nlast' > odd; printf '\nx\0z' > other

$ ballpark filter semi odd other | od -c
0000000  \n   x  \0   z  \n
0000005

$ ballpark filter anti odd other | od -c
0000000   x  \0   y  \n   l   a   s   t  \n
0000011

$ ballpark filter anti odd none | cmp - odd
cmp: EOF on odd after byte 13, in line 4
[1]

$ ballpark filter semi odd none
[1]

$ ballpark filter anti none odd
[1]

$ ballpark filter semi none none
[1]

$ printf 'a\0b\0\n\0' > z; printf 'b' | ballpark filter anti -z z - | od -c
0000000   a  \0  \n  \0
0000004

# A line of 3 MB, in both.
$ (head -c 3000000 /dev/zero | tr '\0' x; echo; echo short) > long; tr x y < long | ballpark filter anti -c long -
1

# Both plans, and what decides. A large B is cut by a filter of A's keys; memory is for what is shared.
$ seq 100000 400000 > big; seq 399000 2 420000 > few; ballpark filter semi --verbose -m 1M few big > out; seq 399000 2 400000 | cmp - out
few: a filter for 12,359 different keys in 24.0 KiB
big: 300,001 lines, 616 different keys kept in 28.2 KiB

$ ballpark filter semi --verbose a b -c
b: 12,500 lines, 12,500 different keys kept in 521.4 KiB
2500

$ cat few | ballpark filter semi --verbose -m 1M - big | cmp - out
-: a filter for 12,359 different keys in 24.0 KiB
big: 300,001 lines, 616 different keys kept in 28.2 KiB

$ cat big | ballpark filter semi -m 1M few - | cmp - out

$ gzip -k few big; ballpark filter semi -m 1M few.gz big.gz | cmp - out

$ ballpark filter anti -m 1M few big -c < /dev/null; ballpark filter anti -c -m 1M - big < few
10000
10000

$ ballpark filter anti -m 1M big few | wc -l
299500

# What does not fit even so is done in rounds.
$ ballpark filter semi -m 1M big big | cmp - big; ballpark filter anti -m 300K big big
[1]

$ ballpark filter semi --verbose -c -m 1M big big
big: a filter for 343,003 different keys in 1.00 MiB
what they share takes 17 rounds
...
300001

$ seq 250000 600000 > later; ballpark filter anti -m 1M later big > out; seq 400001 600000 | cmp - out

$ cat later | ballpark filter anti -m 200K - big | cmp - out; ballpark filter semi -c -m 500K - big < later
150001

$ ballpark filter semi -m 1 later big
ballpark: filter semi: 1 B is too little for what later and big share
hint: allow more memory with -m
[2]

$ ballpark filter anti --explain few big 2>&1 > out | head -3
plan: a filter of A's keys cuts those of B; what is left of them is kept
input: few
compressed: what begins as gzip, zstd, xz, bzip2 or lz4 is decompressed

$ ballpark filter anti --explain big few 2>&1 > out | head -1
plan: the keys of B are kept; if they do not fit, a filter of A's cuts them

$ ls -A $TMPDIR | grep -c ballpark
0
[1]

# Fields: of both, or each its own; the whole line goes out, the header of A first.
$ printf 'id,name\n1,"Ann, A"\n2,Bob\n' > users.csv; printf 'order,user\n7,2\n8,3\n9,"2"\n' > orders.csv

$ ballpark filter anti --csv -Hf user --other-field id orders.csv users.csv
order,user
8,3

$ ballpark filter semi --csv -f2 --other-field 1 orders.csv users.csv
7,2
9,"2"

$ ballpark filter semi --csv -H orders.csv orders.csv
order,user
7,2
8,3
9,"2"

$ printf 'A b\nC d\n' > x; printf 'a  z\n' | ballpark filter semi -i -f1 x -
A b

$ ballpark filter semi -f2 x a
ballpark: a:1: no field 2; 10,000 lines without it were skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
hint: nothing was printed: the keys that are missing would decide
[2]

$ printf 'A b\nC\n' | ballpark filter anti -f2 --other-field 1 - a
A b
ballpark: standard input:2: no field 2; the line was skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
[2]

# -q stops at the first line that is selected, even if no end comes; the codes are those of grep.
$ yes 7 | ballpark filter semi -q - a

$ ballpark filter semi -q few a
[1]

# What goes wrong.
$ ballpark filter anti a
ballpark: filter anti: names no two files
hint: ballpark filter anti [OPTION]... A B
[2]

$ ballpark filter semi a b a
ballpark: filter semi: takes two files, and no more
hint: ballpark filter semi [OPTION]... A B
[2]

$ ballpark filter anti - - < a
ballpark: filter anti: A and B cannot both be standard input
[2]

# Nor by another name of the pipe, which one of them would empty for the other.
$ cat a | ballpark filter semi /dev/stdin -
ballpark: filter semi: A and B cannot both be standard input
[2]

$ ballpark filter semi /dev/stdin - < a | cmp - a

$ ballpark filter anti missing b
ballpark: missing: No such file or directory
[2]

$ ballpark filter anti a missing
ballpark: missing: No such file or directory
[2]

$ ballpark filter anti . a
ballpark: .: Is a directory
hint: name the files in it: ./*
[2]

$ ballpark filter anti a .
ballpark: .: Is a directory
hint: name the files in it: ./*
[2]

$ head -c 1000 big.gz > cut.gz; ballpark filter anti -c a cut.gz
ballpark: cut.gz: ...
...
hint: nothing was printed: the keys that are missing would decide
[2]
