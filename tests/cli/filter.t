# filter: build one of a list, then ask it.
$ seq 1 10000 > members; seq 10001 20000 > strangers

# Without -n the input is read twice: its different items are counted first.
$ ballpark filter build -k bloom -p 0.1% -o f.bp members

$ ballpark filter build -k bloom --verbose -o g.bp members members members
30,000 lines, about 10,015 different, in a filter of 13.7 KiB for 11,748 at 1%

# It has headroom: nearly full is not what a new filter should be called.
$ for n in 0 1 4 12 150 300 10000; do seq $n | ballpark filter build -k bloom | ballpark info - | grep health; done | uniq -c | sed 's/^ *//'
7 health	ok

# A member is always found; a stranger at the rate that was asked for.
$ ballpark filter test -c f.bp members
10000

$ ballpark filter test -c f.bp strangers
2

$ ballpark filter test f.bp members | cmp - members

# -v: what is surely not in it, the rest of the lines.
$ ballpark filter test -v f.bp strangers > v; ballpark filter test f.bp strangers > y; wc -l v y
 9998 v
    2 y
10000 total

$ sort -n v y | cmp - strangers

$ ballpark filter test -vc f.bp members
0
[1]

# Exit codes as grep: 0 some line was selected, 1 none, 2 trouble.
$ echo 5 | ballpark filter test f.bp
5

$ echo zebra | ballpark filter test f.bp
[1]

$ echo zebra | ballpark filter test -v f.bp
zebra

$ ballpark filter test -c f.bp < /dev/null
0
[1]

$ ballpark filter test f.bp missing
ballpark: missing: No such file or directory
[2]

$ echo 5 | ballpark filter test f.bp - missing
5
ballpark: missing: No such file or directory
[2]

# -q prints nothing and stops at the first line that is in, even if no end comes.
$ yes 7 | ballpark filter test -q f.bp

$ ballpark filter test -q f.bp strangers missing -v

# The line goes out as it came in; the field is what is asked for.
$ printf 'x 5 a\ny zebra b\nz\t 6\n' | ballpark filter test -f2 f.bp
x 5 a
z	 6

$ printf 'x,5\ny,zebra\n' | ballpark filter test -v -d, -f2 f.bp
y,zebra

$ printf '5\0\n5\r\n5' | ballpark filter test f.bp | od -c
0000000   5  \n
0000002

$ printf 'x 5\ny\n' | ballpark filter test -f2 f.bp
x 5
ballpark: standard input:2: no field 2; the line was skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
[2]

$ printf 'x 5\ny\n' | ballpark filter test -f2 --skip-bad -q f.bp

# Sizes: by memory, by bits and hashes; a pipe is copied when it must be read twice.
$ ballpark filter build -k bloom -n 10000 -m 20KB -o m.bp members && ballpark info --format plain m.bp | grep -E 'bits|hashes'
bits	160000
hashes	11
bits_set	79612

$ ballpark filter build -k bloom --bits 100000 --hashes 5 -o m.bp members && ballpark info --format plain m.bp | grep -E 'bits|hashes'
bits	100000
hashes	5
bits_set	39391

$ cat members | ballpark filter build -k bloom -o p.bp && cat members | ballpark filter build -k bloom > q.bp && cmp p.bp q.bp && ballpark filter test -c p.bp members
10000

$ ls -A $TMPDIR | grep -c ballpark
0
[1]

# The same bytes from any number of threads.
$ seq 2000000 > large; for t in 1 2 5; do ballpark filter build -k bloom -n 2e6 -t $t -o t$t.bp large; done; cmp t1.bp t2.bp && cmp t1.bp t5.bp

# Over capacity: no member is lost, and the true rate is said, with the mend.
$ ballpark filter build -k bloom -n 5000 -o over.bp members
ballpark: warning: over.bp was made for 5,000 items at 1% but holds about 10,071; now 16.1% of all others are taken for members
hint: build it again with -n 10157 -p 0.01

$ ballpark filter test -c over.bp strangers
ballpark: warning: over.bp was made for 5,000 items at 1% but holds about 10,071; now 16.1% of all others are taken for members
hint: build it again with -n 10157 -p 0.01
1623

$ ballpark filter test -c over.bp members
ballpark: warning: over.bp was made for 5,000 items at 1% but holds about 10,071; now 16.1% of all others are taken for members
hint: build it again with -n 10157 -p 0.01
10000

$ ballpark filter test -q over.bp strangers

$ ballpark filter build -k bloom -n 10 -o full.bp members
ballpark: warning: full.bp was made for 10 items at 1% but holds far more; now 100% of all others are taken for members
hint: build it again with a larger -n, or with none: then its items are counted first

$ ballpark filter test -c full.bp strangers
ballpark: warning: full.bp was made for 10 items at 1% but holds far more; now 100% of all others are taken for members
hint: build it again with a larger -n, or with none: then its items are counted first
10000

# Nothing in: an empty filter that knows nobody.
$ ballpark filter build -k bloom -o e.bp < /dev/null; ballpark filter test -c e.bp members
0
[1]

# What goes wrong, and that nothing is written then.
$ ballpark filter build -k bloom -o no.bp members missing; ls no.bp
ballpark: missing: No such file or directory
ls: cannot access 'no.bp': No such file or directory
[2]

$ printf 'a 1\nb\n' | ballpark filter build -k bloom -f2 -o no.bp; ls no.bp
ballpark: standard input:2: no field 2; the line was skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
hint: no filter was written: it would answer no for the items that are missing
ls: cannot access 'no.bp': No such file or directory
[2]

$ printf 'a 1\nb\n' | ballpark filter build -k bloom -f2 --skip-bad -o yes.bp; ls yes.bp
standard input:2: no field 2; the line was skipped
yes.bp

$ ballpark filter build -k bloom -n 0 -o no.bp members
ballpark: filter build: --items 0: must be at least 1
[2]

$ ballpark filter build -k bloom -p 1 -o no.bp members
ballpark: filter build: --fpr 1: must be between 0 and 1, or 0% and 100%, and neither end
hint: did you mean 1%?
[2]

$ ballpark filter build -k bloom -p 0.9 -o no.bp members
ballpark: filter build: the false positive rate must lie between 1e-15 and 0.5 (1 % is 0.01)
[2]

$ ballpark filter build -k bloom -n 100 -p 1% -m 1M -o no.bp members
ballpark: filter build: items, rate and size contradict each other: leave one out (got 8388608; 959 would do)
[2]

$ ballpark filter build -k bloom -n 9223372036854775808 -o no.bp members
ballpark: filter build: items must be 1 to 2^62 (got 9223372036854775808; 4611686018427387904 would do)
[2]

$ ballpark filter build -k bloom -n 1e15 -o no.bp members
ballpark: filter build: out of memory for a filter of 1.06 PiB
hint: a smaller -n, or a higher --fpr, makes a smaller one
[2]

$ ballpark filter build -k bloom --precision 3 -o no.bp members
ballpark: filter build: --precision: not an option of this command
hint: --precision is for: distinct, verify, size
[2]

$ ballpark filter test
ballpark: filter test: names no filter
hint: ballpark filter test FILTER [FILE]...
[2]

$ ballpark filter test members members
ballpark: members: not a ballpark sketch
hint: -o of distinct, top, count build and filter build writes sketches
[2]

$ ballpark distinct -o h.bp members > /dev/null; ballpark filter test h.bp members
ballpark: h.bp: holds a sketch of kind hll, which cannot say whether an item is in
hint: `ballpark filter build -o FILTER FILE` makes one that can
[2]

$ ballpark filter test - < f.bp
ballpark: filter test: the filter and the lines cannot both be standard input
[2]

$ cat f.bp | ballpark filter test /dev/stdin
ballpark: filter test: the filter and the lines cannot both be standard input
[2]

$ ballpark filter
ballpark: filter: which one?
hint: `ballpark filter build`, `test`, `add`, `remove`, `anti` or `semi`
[2]

$ ballpark filter bulid
ballpark: filter bulid: there is no such command
hint: did you mean `ballpark filter build`?
[2]

$ ballpark filter build --help | sed -n '1p;3p'
ballpark filter build - makes a filter that knows which lines were in the input
usage: ballpark filter build [OPTION]... [-o FILTER] [FILE]...

# -k blocked_bloom: all bits of an item in one cache line. Asked, merged and told of like the other.
$ ballpark filter build -k blocked_bloom -p 0.1% --verbose -o b.bp members
10,000 lines, about 10,017 different, in a filter of 22.6 KiB for 11,748 at 0.098%

$ ballpark filter test -c b.bp members
10000

$ ballpark filter test -c b.bp strangers
2

$ ballpark filter test -vc b.bp members
0
[1]

$ for f in members strangers; do ballpark filter build -k blocked_bloom -n 20000 -o $f.b $f; done; ballpark filter build -k blocked_bloom -t4 -n 20000 -o both.b members strangers; ballpark merge members.b strangers.b -o u.b && cmp u.b both.b

$ ballpark query both.b 5 zebra
maybe	5
no	zebra

$ ballpark info b.bp | grep -E '^(kind|layout|blocks|hashes|items|health)'
kind	blocked_bloom
layout	split512
blocks	362
hashes	8
items	11748
health	ok

$ ballpark merge members.b b.bp -o no
ballpark: merge: b.bp does not go with members.b: items is 20,000 in members.b and 11,748 in b.bp
hint: make both with the same -n
[2]

$ ballpark merge members.b f.bp -o no
ballpark: merge: members.b is of kind blocked_bloom, and f.bp is of kind bloom
hint: only sketches of one kind can be merged; `ballpark info FILE` tells the kind
[2]

# A filter past its capacity says so, whichever kind it is.
$ ballpark filter build -k blocked_bloom -n 5000 -o over.b members
ballpark: warning: over.b was made for 5,000 items at 0.98% but holds about 9,955; now 16.2% of all others are taken for members
hint: build it again with -n 10042 -p 0.00982

$ ballpark filter test -qv over.b members
[1]

# What it refuses.
$ ballpark filter build -k blocked_bloom -p 1e-6 -o no members
ballpark: filter build: rates below 0.01 % waste memory in blocks: take a bloom
[2]

$ ballpark filter build -k blocked_bloom -m 30 -p 1% -o no members
ballpark: filter build: less memory than one block (got 30; 64 would do)
[2]

$ ballpark filter build -k blocked_bloom --bits 1000 -o no members
ballpark: filter build: --bits means nothing for the kind blocked_bloom
hint: blocked_bloom takes --items --fpr --memory --hashes --layout
[2]

$ ballpark filter build -k hll -o no members
ballpark: filter build: --kind hll: cannot say whether an item is in
hint: the filters can: `ballpark size` compares them
[2]
