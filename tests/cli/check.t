# filter test --exact FILE: each yes is checked, so that what comes out is exact.
$ seq 1 10000 > members; seq 5001 60000 > mixed; seq 10001 60000 > strangers
$ ballpark filter build -k bloom -p 1% -o f.bp members; cp f.bp fresh.bp

$ ballpark filter test -c f.bp mixed
5219

$ ballpark filter test f.bp --exact members mixed > out; seq 5001 10000 | cmp - out

# -v is all the rest, in its order, too.
$ ballpark filter test -v f.bp --exact members mixed | cmp - strangers

# The filter is told of it, and what it was told adds up.
$ ballpark info f.bp | grep -E 'fpr|strangers'
fpr_design	0.01
fpr_now	0.00459081
fpr_measured	0.00438
strangers_asked	100000
strangers_yes	438

# Nothing else in the file has changed, and the file is whole.
$ cmp f.bp fresh.bp | wc -l; ballpark info f.bp | tail -1; ballpark filter test -c f.bp members
1
health	ok
10000

# Duplicates count as often as they are asked.
$ cp fresh.bp f.bp; ballpark filter test f.bp --exact members strangers strangers strangers
[1]

$ ballpark info f.bp | grep strangers
strangers_asked	150000
strangers_yes	657

# Every kind is told, also one whose bytes are not as they lie in memory.
$ for k in bloom blocked fuse ribbon cuckoo counting scalable; do ballpark filter build -k $k -o k.bp members; ballpark filter test -q k.bp --exact members strangers; ballpark info --verify k.bp | cut -f2; ballpark info k.bp | grep -c strangers_asked.50000; done | sort | uniq -c | sed 's/^ *//'
7 1
7 ok

# --no-feedback leaves it as it is; so does a question about members alone.
$ cp fresh.bp f.bp; ballpark filter test -c --no-feedback f.bp --exact members mixed; cmp f.bp fresh.bp
5000

$ ballpark filter test -c f.bp --exact members members; cmp f.bp fresh.bp
10000

$ ballpark filter test -c --verbose f.bp --exact members mixed
50,000 questions about strangers, 219 of them answered yes: 0.44%
5000

# Counts and exit codes as without it.
$ ballpark filter test -vc f.bp --exact members mixed
50000

$ ballpark filter test -c f.bp --exact members strangers
0
[1]

$ ballpark filter test -q f.bp --exact members strangers
[1]

$ ballpark filter test -q f.bp --exact members mixed

$ ballpark filter test -qv f.bp --exact members members
[1]

$ yes 10001 | ballpark filter test -qv f.bp --exact members

# -q reads FILE now and then, to stop where no end is near.
$ ballpark filter build -k bloom -q -n 10 -o full.bp members; (seq 3; seq 10001 80000) > many; ballpark filter test -q full.bp --exact members many missing

# From a pipe nothing waits for the end, if FILE is small enough to be kept.
$ (seq 9995 10005; seq 3) | ballpark filter test f.bp --exact members > out; cmp out - <<E
> $(seq 9995 10000; seq 3)
> E

$ cat mixed | ballpark filter test -v f.bp --exact members | cmp - strangers

# Memory is bounded: FILE is read again and again instead.
$ seq 5001 10000 > both; for m in 1 8K 100K; do ballpark filter test -m $m f.bp --exact members mixed | cmp - both; ballpark filter test -v -m $m f.bp --exact members mixed | cmp - strangers; done

$ cat mixed | ballpark filter test -m 1 f.bp --exact members | sed -n '1p;$p'
5001
10000

# FILE may be a pipe, or compressed.
$ cat members | ballpark filter test -c f.bp --exact - mixed
5000

$ gzip -k members; ballpark filter test -c -m 8K f.bp --exact members.gz mixed
5000

# More than waits in memory: a line of 20 MB, and NUL bytes, empty lines, no last newline.
$ head -c 20000000 /dev/zero | tr '\0' x > long; printf '\na\0b\n\nlast' >> long; seq 100 >> long
$ ballpark filter build -k bloom -p 0.1 -o long.bp long; ballpark filter test long.bp --exact long long | cmp - long

$ seq 200 90000 > rest; cat long rest | ballpark filter test -v -m 64 long.bp --exact long | cmp - rest

# Fields: -f is for the input, --other-field for FILE, whose whole lines are meant without.
$ printf 'id,name\n7,"a, b"\n8,c\n' > t.csv; printf '"a, b"\nc\n' > names; printf 'a, b\nc\n' > plain
$ ballpark filter build -k bloom --csv -Hf name -o n.bp t.csv; printf 'who,what\nz,c\ny,d\n"a, b",e\n"a, b",c\n' > q.csv

$ ballpark filter test --csv -Hf who n.bp --exact plain q.csv
who,what
"a, b",e
"a, b",c

$ ballpark filter test --csv -Hf what -v n.bp --other-field name --exact t.csv q.csv
who,what
y,d
"a, b",e

$ printf 'x 1\ny 2\n' > pairs; ballpark filter build -q -f2 pairs > p.bp; ballpark filter test -c -f2 --exact pairs p.bp pairs
ballpark: filter test: --exact pairs: 2 of its items are not in p.bp, which was made of something else
hint: its whole lines are its items; --other-field 2 takes that field of it
0
[2]

$ printf 'A  \n' | ballpark filter test -i --trim f.bp --exact members -c
0
[1]

$ printf '5\0' > zero; printf '\n7\0005\0x\0' | ballpark filter test -z f.bp --exact zero | od -c
0000000   5  \0
0000002

# A filter that was made of something else gives its noes for nothing; nothing is told then.
$ cp fresh.bp f.bp; ballpark filter test -c f.bp --exact mixed members
ballpark: filter test: --exact mixed: 49,781 of its items are not in f.bp, which was made of something else
hint: lines like them were taken for strangers; `ballpark filter build -o f.bp mixed` makes it anew
5000
[2]

$ cmp f.bp fresh.bp

# What cannot be told is no error.
$ cat f.bp | ballpark filter test -c --verbose - --exact members mixed
50,000 questions about strangers, 219 of them answered yes: 0.44%
-: is not told how often it was wrong: it is no file
5000

$ mkfifo p; (cat f.bp > p &); ballpark filter test -c p --exact members mixed
5000

# Nor what is no file of ours, which stays as it is.
$ ballpark filter build --layout parquet -o p.bp members; ballpark convert p.bp --to parquet -o bare; cp bare same; ballpark filter test -c --verbose bare --exact members mixed; cmp bare same
50,000 questions about strangers, ...
bare: is not told how often it was wrong: its bytes are not those of one filter, as ballpark writes it
5000

$ (head -c 100 /dev/zero; cat fresh.bp) > piece; cp piece same; ballpark filter test -c piece@100 --exact members mixed; cmp piece same
5000

# What goes wrong.
$ ballpark filter test f.bp --exact missing mixed
ballpark: missing: No such file or directory
[2]

$ ballpark filter test f.bp --exact . mixed
ballpark: .: Is a directory
hint: name the files in it: ./*
[2]

$ printf 'a 1\nb\n' > short; ballpark filter test -f1 f.bp --exact short --other-field 2 mixed
ballpark: short:2: no field 2; the line was skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
[2]

$ ballpark filter test f.bp --exact
ballpark: filter test: --exact: needs a value: --exact=FILE
hint: check each yes against FILE, which has all the items
[2]

$ ballpark filter test --no-feedback f.bp mixed
ballpark: filter test: --no-feedback: means nothing without --exact
hint: add --exact FILE, or leave it away
[2]

$ ballpark filter test f.bp --exact - < members
ballpark: filter test: --exact -: standard input is read for something else
[2]

$ ballpark count --exact 5 members
ballpark: count: --exact: not an option of this command
hint: --exact is for: distinct, top, filter test, dedup
[2]

$ ballpark filter test f.bp --exact members --other-field x members
ballpark: filter test: --other-field x: ...
hint: ...
[2]

$ ls -A $TMPDIR | grep -c ballpark
0
[1]
