# top: as sort | uniq -c | sort -rn.
$ printf 'b\na\nb\nc\nb\na\n' | ballpark top
3	b
2	a
1	c

$ printf 'b\na\nb\nc\nb\na\n' | ballpark top -n 2
3	b
2	a

$ printf 'b\na\nb\nc\nb\na\n' | ballpark top -n2 --format json
{"item": "b", "count": 3, "lower": 3, "upper": 3, "share": 0.5}
{"item": "a", "count": 2, "lower": 2, "upper": 2, "share": 0.333333333333333}

$ printf 'b\na\nb\nc\nb\na\n' | ballpark top --format human 2>/dev/null
count  at least  share  item
    3         3    50%  b
    2         2  33.3%  a
    1         1  16.7%  c

# Nothing in, nothing out.
$ ballpark top < /dev/null

$ printf 'a\n' | ballpark top -n 0

# Bytes are bytes; in JSON, what is not UTF-8 is base64.
$ printf '\377\n\377\na\0b\na\0b\n\n' | ballpark top --format json
{"item": "a\u0000b", "count": 2, "lower": 2, "upper": 2, "share": 0.4}
{"item_base64": "/w==", "count": 2, "lower": 2, "upper": 2, "share": 0.4}
{"item": "", "count": 1, "lower": 1, "upper": 1, "share": 0.2}

$ printf 'a\0b\n\n' | ballpark top | od -c | head -3
0000000   1  \t  \n   1  \t   a  \0   b  \n
0000011

# A terminal is not made to obey what stands in a log.
$ printf 'a\033[31mb\n' | ballpark top --format human 2>/dev/null
count  at least  share  item
    1         1   100%  a\x1b[31mb

# Fields.
$ printf '1 x\n2 x\n3 y\n' | ballpark top -f2
2	x
1	y

$ printf '1 x\n2\n3 y\n' | ballpark top -f2
ballpark: standard input:2: no field 2; the line was skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
1	x
1	y
[2]

$ printf '1 x\n2\n3 y\n' | ballpark top -f2 --skip-bad
standard input:2: no field 2; the line was skipped
1	x
1	y

$ printf 'a\n' | ballpark top -f3 --skip-bad
standard input:1: no field 3; the line was skipped

# Skewed input far larger than the table: the head is right, and never under.
$ awk 'BEGIN { for (i = 1; i <= 2000; i++) for (j = 0; j < 10000 / i; j++) print "item:" i }' > zipf
$ ballpark top -n 3 zipf
10000	item:1
5000	item:2
3334	item:3

$ ballpark top -n 3 -m 4K --format json zipf | sed 's/"lower.*/.../'
{"item": "item:1", "count": 10000, ...
{"item": "item:2", "count": 5000, ...
{"item": "item:3", "count": 3334, ...

# On a flat stream no line stands out, and that is said.
$ seq 200000 | ballpark top -n 1 -m 4K
...	...
ballpark: warning: no heavy hitters: no line is surely more frequent than the noise of 4.00 KiB of counters
hint: more memory tells more apart: -m 32K

$ seq 200000 | ballpark top -n 1 -m 4K -q
...	...

# The same from any number of threads.
$ for t in 1 2 4; do ballpark top -n 2 -t $t zipf; done
10000	item:1
5000	item:2
10000	item:1
5000	item:2
10000	item:1
5000	item:2

# -o keeps the sketch; two of them add up.
$ ballpark top -n 2 -o z.bp zipf > /dev/null && ballpark merge z.bp z.bp -o zz.bp && ballpark info --format plain zz.bp | grep -E '^(kind|total|table_total)'
kind	top_k
total	165626
table_total	0

# A line of 100 MB costs its own length.
$ head -c 100000000 /dev/zero | tr '\0' x > long; ($LIMIT 600000; ballpark top -n 1 --format json long | tail -c 60)
xxxxxxx", "count": 1, "lower": 1, "upper": 1, "share": 1.0}

# What it refuses.
$ ballpark top -n 2000000 zipf
ballpark: top: --items 2000000: the most rows are 1048576
[2]

$ ballpark top -k hll zipf
ballpark: top: --kind hll: does not list items; top_k does
[2]

$ ballpark top -m 10 zipf
ballpark: top: --memory 10: must be 256 bytes to 1 TiB
[2]

$ ballpark top --precision 12 zipf
ballpark: top: --precision: not an option of this command
hint: --precision is for: distinct, verify, size
[2]


# -e: as much memory as keeps the error, for all rows together at the confidence.
$ awk 'BEGIN { for (i = 1; i <= 30000; i++) for (j = 0; j < 3000 / i || j == 0; j++) print "i" i }' > tail
$ for e in 1% 0.1%; do ballpark top -e $e --format csv tail | awk -F, -v e=$e 'NR == 1 { next } { over = $3 - $2; most = over > most ? over : most } END { lines = '$(wc -l < tail)'; print e, most, (most <= e / 100 * lines + 1) }'; done
1% ... 1
0.1% ... 1

$ ballpark top -e 1% -o e.bp tail > /dev/null; ballpark info --format plain e.bp | grep memory_limit
memory_limit	22640

# (More rows, or more confidence, take more.)
$ ballpark top -e 1% -n 100 -o e.bp tail > /dev/null; ballpark info --format plain e.bp | grep memory_limit
memory_limit	71568

$ ballpark top -e 1% --confidence 99.9 -o e.bp tail > /dev/null; ballpark info --format plain e.bp | grep memory_limit
memory_limit	160016

$ ballpark top -e 99% -o e.bp tail > /dev/null; ballpark info --format plain e.bp | grep memory_limit
ballpark: warning: no heavy hitters: no line is surely more frequent than the noise of 256 B of counters
hint: more memory tells more apart: -m 2K
memory_limit	256

$ ballpark top -e 1% -m 4K tail
ballpark: top: --error and --memory each decide the size: give one of them
[2]

$ ballpark top -e 1e-12 tail
ballpark: top: --error 1e-12: needs more than 1 TiB of counters
hint: the least is 2.1e-08%
[2]
