# dedup: each line once, where it came first.
$ printf 'b\na\nb\n\na\nc\n\nb\n' > in; ballpark dedup in
b
a

c
8 lines, 4 printed; no first occurrence was taken for a repeat

# -v: the repeats instead; -c: only how many lines.
$ ballpark dedup -v in
b
a

b
8 lines, 4 printed; no first occurrence was taken for a repeat

$ ballpark dedup -c in; ballpark dedup -q -vc in
4
8 lines, 4 counted; no first occurrence was taken for a repeat
4

$ ballpark dedup -q in > once; ballpark dedup -q once | cmp once -

# As awk does it, over any number of files.
$ for i in 1 2 3; do seq $i 3 90000; seq 500; done > n; awk '!seen[$0]++' n > want; ballpark dedup -q n | cmp want - && ballpark dedup -q - n < n | cmp want - && cat n | ballpark dedup -q | cmp want -

$ awk 'seen[$0]++' n > want; ballpark dedup -qv n | cmp want -

# The field decides, the whole line is printed.
$ printf 'x 5 a\ny 6\nz\t5\n' | ballpark dedup -f2
x 5 a
y 6
3 lines, 2 printed; no first occurrence was taken for a repeat

$ printf 'x 5\ny\nz 5\n' | ballpark dedup -f2
x 5
ballpark: standard input:2: no field 2; the line was skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
3 lines, 1 printed; no first occurrence was taken for a repeat
[2]

$ printf 'x 5\ny\nz 5\n' | ballpark dedup -f2 --skip-bad -q
x 5

# A line is its bytes.
$ printf 'a\0\na\na\0\na\r\na' | ballpark dedup -q | od -c
0000000   a  \0  \n   a  \n   a  \r  \n
0000010

# Lines as -H, -z, -i and --trim have them; the first header goes out again.
$ printf 'id,name\n1,a\n2,b\n1,c\n' > t.csv; ballpark dedup -q -H -d, -f id t.csv t.csv; ballpark dedup -q -c -H -d, -f id t.csv
id,name
1,a
2,b
2

$ printf 'a\nb\0c\0a\nb\0' | ballpark dedup -q -z | od -c
0000000   a  \n   b  \0   c  \0
0000006

$ printf 'A\n a\nb \nB' | ballpark dedup -q -i --trim
A
b 

$ printf 'x 1\nx 2\ny 1\n' | ballpark dedup -q -f2,1 - | wc -l
3

$ ballpark dedup < /dev/null
0 lines, 0 printed; no first occurrence was taken for a repeat

# Size: so many different items at such a rate, or a size instead of one of them.
$ for a in '' '-n 1e6' '-p 1%' '-m 1M' '-m 1M -n 1e6' '-m 1M -p 1%' '-n 1e6 -p 1e-6'; do ballpark dedup --verbose $a in 2>&1 > out | sed -n 1p; done
a blocked_bloom of 27.4 MiB for 10,000,000 different items at 0.01%
a blocked_bloom of 2.74 MiB for 1,000,000 different items at 0.01%
a blocked_bloom of 12.1 MiB for 10,000,000 different items at 1%
a blocked_bloom of 1.00 MiB for 364,474 different items at 0.01%
a blocked_bloom of 1.00 MiB for 1,000,000 different items at 2.2%
a blocked_bloom of 1.00 MiB for 829,785 different items at 1%
a bloom of 3.43 MiB for 1,000,000 different items at 0.0001%

# -s: what came in the runs before is a repeat, too.
$ seq 10 > one; seq 8 12 > two; ballpark dedup -q -n 1000 -s s.bp one | wc -l; ballpark dedup -s s.bp two; ballpark dedup -q -v -s s.bp two; ballpark query s.bp 3 12 13
10
11
12
5 lines, 2 printed; no first occurrence was taken for a repeat
8
9
10
11
12
maybe	3
maybe	12
no	13

$ ballpark dedup --verbose -s s.bp -c one two
0
a blocked_bloom of 2.81 KiB for 1,000 different items at 0.0099%
15 lines, 0 counted; no first occurrence was taken for a repeat

$ ballpark dedup -s s.bp -n 500 one
ballpark: dedup: --items asks for items 500; the state s.bp has 1000
hint: leave --items away to add to it as it is, or name another state
[2]

$ ballpark dedup -s s.bp - missing < two; seq 13 14 | ballpark dedup -q -s s.bp - missing; seq 13 | ballpark dedup -q -s s.bp
ballpark: missing: No such file or directory
5 lines, 0 printed; no first occurrence was taken for a repeat
hint: s.bp is as it was: nothing of this run is in it
13
14
ballpark: missing: No such file or directory
hint: s.bp is as it was: nothing of this run is in it
13

$ seq 2000 | ballpark dedup -c -s s.bp
1984
2,000 lines, 1,984 counted; about ... first occurrences or more were taken for repeats
ballpark: warning: at least 1,996 different items, but room for 1,000: by now 1.7% of first occurrences are taken for repeats
hint: name a new state, with a larger -n
[3]

$ ballpark dedup -q -p 1e-6 -s tight.bp one | wc -l; ballpark dedup -q -s tight.bp two; ballpark query tight.bp | cut -f1
10
11
12
12

$ ballpark distinct -s d.bp one; ballpark dedup -s d.bp one
10
ballpark: dedup: --state d.bp: holds a sketch of kind hll; this command adds to blocked_bloom
hint: name another state
[2]

$ ballpark dedup --exact -s s.bp one
ballpark: dedup: --state: has no meaning with --exact, which makes no sketch
hint: leave one of them away
[2]

$ ballpark dedup -s no/s.bp one
ballpark: no/s.bp: No such file or directory
[2]

# More different items than room: said with the number and the rate, and the exit code is 3.
$ seq 200000 | ballpark dedup -n 100000 -p 1% | wc -l
200,000 lines, 192,945 printed; about 7,1... first occurrences or more were taken for repeats
ballpark: warning: at least 192,945 different items, but room for 100,000: by now 16.6% of first occurrences are taken for repeats
hint: give -n 192945 or more
192945

$ seq 200000 | ballpark dedup -q -c -n 100000 -p 1%
192945
[3]

$ seq 100000 | ballpark dedup -c -n 100000 -p 1%
99828
100,000 lines, 99,828 counted; about 16... first occurrences were taken for repeats

$ seq 30000 | ballpark dedup -n 10 | wc -l
30,000 lines, 109 printed; about ... first occurrences or more were taken for repeats
ballpark: warning: at least 109 different items, but room for 10: by now 95.4% of first occurrences are taken for repeats
hint: give -n 109 or more
109

# Trouble comes before that.
$ seq 30 | ballpark dedup -c -n 10 - missing
ballpark: missing: No such file or directory
30
30 lines, 30 counted; no first occurrence was taken for a repeat, but for odds of 1 in ...
ballpark: warning: at least 30 different items, but room for 10: by now 0.11% of first occurrences are taken for repeats
hint: give -n 30 or more
[2]

# What goes wrong.
$ ballpark dedup missing in
ballpark: missing: No such file or directory
b
a

c
8 lines, 4 printed; no first occurrence was taken for a repeat
[2]

$ ballpark dedup -n 0 in
ballpark: dedup: --items 0: must be at least 1
[2]

$ ballpark dedup -p 60% in
ballpark: dedup: the false positive rate must lie between 1e-15 and 0.5 (1 % is 0.01)
[2]

$ ballpark dedup -n 100 -p 1% -m 1M in
ballpark: dedup: items, rate and size contradict each other: leave one out (got 8388608; 959 would do)
[2]

$ ballpark dedup -n 1e13 in
ballpark: dedup: out of memory for a filter of 26.2 TiB
hint: a smaller --items, a higher --fpr, or --memory makes a smaller one
[2]

$ ballpark dedup -q in > /dev/full
ballpark: standard output: could not be written
[2]

# Who reads no further ends it, quietly, whatever is still to come.
$ (yes | ballpark dedup -v; echo $? >&2) | head -n1
y
141

$ ballpark dedup --help | sed -n '1p;3p'
ballpark dedup - each line once, where it came first
usage: ballpark dedup [OPTION]... [FILE]...
