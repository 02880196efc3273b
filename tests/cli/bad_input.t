# Bad input: each gets a clear error, or a right answer, and loses nothing.
$ seq 100 > good; ballpark filter build -k bloom -o f.bp good; ballpark distinct -o h.bp good
100

# Empty input.
$ for c in distinct top 'filter test f.bp'; do : | ballpark $c; echo "exit $?"; done
0
exit 0
exit 0
exit 1

$ : > empty; for c in distinct top 'filter test -c f.bp'; do ballpark $c empty; echo "exit $?"; done
0
exit 0
exit 0
0
exit 1

$ ballpark filter build -k bloom -o e.bp empty && ballpark info e.bp | grep estimate
estimate	0

# No final newline: the last line counts all the same.
$ printf '1\n2' | ballpark distinct; printf '1\n2' | ballpark top; printf '1\n2' | ballpark filter test -v f.bp; printf '1\n2' | ballpark filter test f.bp
2
1	1
1	2
1
2

# NUL bytes.
$ printf 'a\0b\0\n\0\na\0b\0\n' > nul; ballpark distinct nul; ballpark top nul | od -c; ballpark filter build -k bloom -o n.bp nul; ballpark filter test n.bp nul | cmp - nul
2
0000000   2  \t   a  \0   b  \0  \n   1  \t  \0  \n
0000013

# Invalid UTF-8 goes through unchanged.
$ printf '\377\300\n\355\240\200\n' > bad; ballpark distinct bad; ballpark filter build -k bloom -o b.bp bad; ballpark filter test b.bp bad | cmp - bad; ballpark top bad | cut -f2 | sort | cmp - bad
2
- bad differ: char 1, line 1
[1]

$ ballpark top --format json bad
{"item_base64": "7aCA", "count": 1, "lower": 1, "upper": 1, "share": 0.5}
{"item_base64": "/8A=", "count": 1, "lower": 1, "upper": 1, "share": 0.5}

# A line of 100 MB.
$ head -c 100000000 /dev/zero | tr '\0' 'y' > long; ballpark distinct long
1

$ ballpark top long | wc -c
100000003

$ ballpark filter build -k bloom -o l.bp long && ballpark filter test l.bp long | wc -c
100000001

$ (cat long; echo; cat long) | ballpark filter test -c l.bp
2

$ cat long | ballpark distinct -d y -f 100000001
1

# A missing field: counted, the first named; exit code 2 unless --skip-bad.
$ printf '1 a\n2\n\n3 b\n' > gaps
$ for c in distinct top 'filter test -v f.bp' 'filter build -o g.bp'; do ballpark $c -f2 gaps; echo "exit $?"; done
ballpark: gaps:2: no field 2; 2 lines without it were skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
2
exit 2
ballpark: gaps:2: no field 2; 2 lines without it were skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
1	a
1	b
exit 2
1 a
3 b
ballpark: gaps:2: no field 2; 2 lines without it were skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
exit 2
ballpark: gaps:2: no field 2; 2 lines without it were skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
hint: no filter was written: it would answer no for the items that are missing
exit 2

$ for c in distinct top 'filter test -v f.bp' 'filter build -o g.bp'; do ballpark $c -f2 --skip-bad -q gaps; echo "exit $?"; done
2
exit 0
1	a
1	b
exit 0
exit 0
exit 0

$ printf '1,a\n2\n' | ballpark distinct -d, -f2
ballpark: standard input:2: no field 2; the line was skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
1
[2]

$ ballpark distinct -f9 good good
ballpark: good:1: no field 9; 200 lines without it were skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
0
[2]

# A directory, and one among good files: the others still count.
$ for c in distinct top 'filter test f.bp' 'filter build -o x.bp' info 'merge -o x.bp'; do ballpark $c .; echo "exit $?"; done
ballpark: .: Is a directory
hint: name the files in it: ./*
exit 2
ballpark: .: Is a directory
hint: name the files in it: ./*
exit 2
ballpark: .: Is a directory
hint: name the files in it: ./*
exit 2
ballpark: .: Is a directory
hint: name the files in it: ./*
exit 2
ballpark: .: Is a directory
exit 2
ballpark: .: Is a directory
exit 2

$ ballpark distinct good . good
ballpark: .: Is a directory
hint: name the files in it: ./*
100
[2]

$ ballpark distinct . -o x.bp good; ls x.bp
ballpark: .: Is a directory
hint: name the files in it: ./*
100
hint: x.bp was not written
ls: cannot access 'x.bp': No such file or directory
[2]

# A FIFO is read like any pipe.
$ mkfifo p; cat good > p & ballpark distinct p
100

$ cat good > p & ballpark filter build -k bloom -o p.bp p && cmp p.bp f.bp

$ cat f.bp > p & ballpark filter test -c p good
100

# No such file.
$ for c in distinct top 'filter test f.bp' 'filter build -o x.bp' info 'merge -o x.bp'; do ballpark $c nowhere; echo "exit $?"; done
ballpark: nowhere: No such file or directory
exit 2
ballpark: nowhere: No such file or directory
exit 2
ballpark: nowhere: No such file or directory
exit 2
ballpark: nowhere: No such file or directory
exit 2
ballpark: nowhere: No such file or directory
exit 2
ballpark: nowhere: No such file or directory
exit 2

$ ballpark filter test nowhere good
ballpark: nowhere: No such file or directory
[2]

# A truncated sketch file.
$ head -c 150 f.bp > cut; for c in info 'merge -o x.bp' 'filter test'; do ballpark $c cut; echo "exit $?"; done
ballpark: cut: the sketch is cut short (got 150, expected 304), at byte 150
hint: it was cut short or changed after it was written: copy it again, or make it again from its input
exit 2
ballpark: cut: the sketch is cut short (got 150, expected 304), at byte 150
hint: it was cut short or changed after it was written: copy it again, or make it again from its input
exit 2
ballpark: cut: the sketch is cut short (got 150, expected 304), at byte 150
hint: it was cut short or changed after it was written: copy it again, or make it again from its input
exit 2

# A foreign one.
$ for c in info 'merge -o x.bp' 'filter test'; do ballpark $c good; echo "exit $?"; done
ballpark: good: not a ballpark sketch
hint: -o of distinct, top, count build and filter build writes sketches
exit 2
ballpark: good: not a ballpark sketch
hint: -o of distinct, top, count build and filter build writes sketches
exit 2
ballpark: good: not a ballpark sketch
hint: -o of distinct, top, count build and filter build writes sketches
exit 2

# A newer one.
$ (head -c 8 f.bp; printf '\002'; tail -c +10 f.bp) > newer; for c in info 'merge -o x.bp' 'filter test'; do ballpark $c newer; echo "exit $?"; done
ballpark: newer: written in a newer format; upgrade ballpark (got 2, expected 1), at byte 8
hint: a newer ballpark wrote it; this one is 0.1.0
exit 2
ballpark: newer: written in a newer format; upgrade ballpark (got 2, expected 1), at byte 8
hint: a newer ballpark wrote it; this one is 0.1.0
exit 2
ballpark: newer: written in a newer format; upgrade ballpark (got 2, expected 1), at byte 8
hint: a newer ballpark wrote it; this one is 0.1.0
exit 2

# One of another kind.
$ ballpark merge f.bp h.bp -o x.bp
ballpark: merge: f.bp is of kind bloom, and h.bp is of kind hll
hint: only sketches of one kind can be merged; `ballpark info FILE` tells the kind
[2]

$ ballpark filter test h.bp good
ballpark: h.bp: holds a sketch of kind hll, which cannot say whether an item is in
hint: `ballpark filter build -o FILTER FILE` makes one that can
[2]

# Of another precision, or another size. (Another hash, seed or key: saved.py.)
$ ballpark distinct --precision 10 -o h10.bp good; ballpark merge h.bp h10.bp -o x.bp
100
ballpark: merge: h10.bp does not go with h.bp: precision is 14 in h.bp and 10 in h10.bp
hint: make both with the same --precision
[2]

$ ballpark filter build -k bloom -n 7 -q -o f7.bp good; ballpark merge f7.bp f.bp -o x.bp
ballpark: merge: f.bp does not go with f7.bp: items is 7 in f7.bp and 135 in f.bp
hint: make both with the same -n
[2]

# A rate out of range.
$ for p in 0 1 1.5 -1 100% 0.75 1e-16 nan 1%% ''; do ballpark filter build -k bloom "-p$p" -o x.bp good; echo "exit $?"; done
ballpark: filter build: --fpr 0: must be between 0 and 1, or 0% and 100%, and neither end
exit 2
ballpark: filter build: --fpr 1: must be between 0 and 1, or 0% and 100%, and neither end
hint: did you mean 1%?
exit 2
ballpark: filter build: --fpr 1.5: must be between 0 and 1, or 0% and 100%, and neither end
hint: did you mean 1.5%?
exit 2
ballpark: filter build: --fpr -1: must not be negative
exit 2
ballpark: filter build: --fpr 100%: must be between 0 and 1, or 0% and 100%, and neither end
exit 2
ballpark: filter build: the false positive rate must lie between 1e-15 and 0.5 (1 % is 0.01)
exit 2
ballpark: filter build: the false positive rate must lie between 1e-15 and 0.5 (1 % is 0.01)
exit 2
ballpark: filter build: --fpr nan: is not a number
exit 2
ballpark: filter build: --fpr 1%%: is not a number: write it as 0.01, 1e-3 or 1%
exit 2
ballpark: filter build: --fpr -o: is not a number
exit 2

# 2^63 items, 2^64, and more than a number holds.
$ for n in 9223372036854775808 18446744073709551616 1e400 -1 1e-1 0 '' ten; do ballpark filter build -k bloom "-n$n" -o x.bp good; echo "exit $?"; done
ballpark: filter build: items must be 1 to 2^62 (got 9223372036854775808; 4611686018427387904 would do)
exit 2
ballpark: filter build: --items 18446744073709551616: is too large: the most is 2^64 - 1
exit 2
ballpark: filter build: --items 1e400: is too large: the most is 2^64 - 1
exit 2
ballpark: filter build: --items -1: must not be negative
exit 2
ballpark: filter build: --items 1e-1: is not a whole number
exit 2
ballpark: filter build: --items 0: must be at least 1
exit 2
ballpark: filter build: --items -o: is not a number
exit 2
ballpark: filter build: --items ten: is not a number
exit 2

# Precision, confidence, threads, format.
$ for o in --precision=3 --precision=19 --confidence=0 --confidence=100 -t0 -t99999 --format=xml -e0 -m0 -mlots; do ballpark distinct "$o" good; echo "exit $?"; done
ballpark: distinct: --precision 3: must be 4 to 18
exit 2
ballpark: distinct: --precision 19: must be 4 to 18
exit 2
ballpark: distinct: --confidence 0: must be between 0 and 100, as 95, 95% or 0.95
exit 2
ballpark: distinct: --confidence 100: must be between 0 and 100, as 95, 95% or 0.95
exit 2
ballpark: distinct: --threads 0: must be 1 to 1024
exit 2
ballpark: distinct: --threads 99999: must be 1 to 1024
exit 2
ballpark: distinct: --format xml: must be human, plain, csv, json or prom
exit 2
ballpark: distinct: --error 0: must be between 0 and 1, or 0% and 100%, and neither end
exit 2
ballpark: distinct: --memory 0: must be at least 1 byte
exit 2
ballpark: distinct: --memory lots: is not a number
exit 2

# Out of memory. (Under a limit: answers.py.)
$ ballpark filter build -k bloom -n 1e15 -o x.bp good
ballpark: filter build: out of memory for a filter of 1.06 PiB
hint: a smaller -n, or a higher --fpr, makes a smaller one
[2]

$ ballpark filter build -k bloom -m 60000T -n 5 -o x.bp good
ballpark: filter build: a filter has 1 to 2^56 bits (got 65970697666560000; 72057594037927936 would do)
[2]

# A full disk.
$ for c in 'distinct good' 'top good' 'filter test f.bp good' 'filter test -c f.bp good' 'filter build good' 'merge f.bp' 'info f.bp' 'size -n 5' --help; do ballpark $c > /dev/full; echo "exit $?"; done
ballpark: standard output: No space left on device
exit 2
ballpark: standard output: No space left on device
exit 2
ballpark: standard output: No space left on device
exit 2
ballpark: standard output: No space left on device
exit 2
ballpark: standard output: No space left on device
exit 2
ballpark: standard output: No space left on device
exit 2
ballpark: standard output: No space left on device
exit 2
ballpark: standard output: No space left on device
exit 2
ballpark: standard output: No space left on device
exit 2

$ ballpark distinct -o /dev/full good
100
ballpark: /dev/full: No space left on device
[2]

$ ballpark filter build -k bloom -o /dev/full good
ballpark: /dev/full: No space left on device
[2]

# Where nothing can be written.
$ for c in 'distinct good' 'top good' 'filter build good' 'merge f.bp'; do ballpark $c -o nowhere/x.bp > /dev/null; echo "exit $?"; done
ballpark: nowhere/x.bp: No such file or directory
exit 2
ballpark: nowhere/x.bp: No such file or directory
exit 2
ballpark: nowhere/x.bp: No such file or directory
exit 2
ballpark: nowhere/x.bp: No such file or directory
exit 2

$ ballpark distinct -o '' good
ballpark: distinct: --output '': names no file
[2]

$ ls x.bp *.tmp 2> /dev/null
[2]

# A reader that goes away ends the run as it does for cat.
# (A line by itself: the shell's word for SIGPIPE.)
$ (yes 1 | ballpark filter test f.bp; echo "exit $?" >&2) | head -1
1
exit 141

# An empty value is shown as one; two letters that mean a line end are no delimiter.
$ ballpark top -n '' good
ballpark: top: --items '': is not a number
[2]

$ ballpark top -f1 -d '\n' good
ballpark: top: --delimiter '\n': a line has no line end inside it
[2]

$ printf 'x\\ny\n' | ballpark top -f1 -d '\\n'
1	x
