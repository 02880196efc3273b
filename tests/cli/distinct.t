# distinct: as sort -u | wc -l.
$ printf 'a\nb\na\n' | ballpark distinct
2

# An item is the line without its line end: a last line may lack it, empty lines and
# carriage returns count, NUL bytes and what is not UTF-8 are bytes like any other.
$ printf 'a\nb' | ballpark distinct
2

$ printf '\n\n\na\n' | ballpark distinct
2

$ printf 'a\r\na\n' | ballpark distinct
2

$ printf 'a\0b\na\0c\na\n' | ballpark distinct
3

$ printf '\377\376\n\377\n\303\251\n' | ballpark distinct
3

# Nothing at all is no different lines.
$ ballpark distinct < /dev/null
0

# Several files give one answer; - is standard input, and -- ends the options.
$ seq 1 60 > a; seq 31 90 > b; seq 5 > ./-c; ballpark distinct a b
90

$ seq 85 95 | ballpark distinct a - b
95

$ ballpark distinct -- -c
5

# Fields: runs of blanks as awk, or a delimiter of any length.
$ printf 'x 1\n y\t1\nz  2 \n' | ballpark distinct -f2
2

$ printf 'x,1,,\ny,1,a,\nz,2,b,\n' | ballpark distinct -d, -f3
3

$ printf 'a::1\nb::1\n' | ballpark distinct -d:: -f 2
1

$ printf 'a\t1\nb\t2\nc d\t2\n' | ballpark distinct -d'\t' --field=2
2

# Lines without the field are skipped, counted and an error, unless they are expected.
$ printf 'a 1\nb\nc 2\nd\n' > gaps; ballpark distinct -f2 gaps
ballpark: gaps:2: no field 2; 2 lines without it were skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
2
[2]

$ ballpark distinct -f2 --skip-bad gaps
gaps:2: no field 2; 2 lines without it were skipped
2

$ ballpark distinct -f2 --skip-bad -q gaps
2

# JSON, and for a person.
$ ballpark distinct --format json a b
{"kind": "hll", "estimate": 90, "lower": 90, "upper": 90, "confidence": 0.95, "lines": 120, "bytes": 351}

$ ballpark distinct --format human a b 2>&1 | sed 's/in .* s$/in T/'
90
120 lines, 351 B in T

# A large count is an estimate with a range.
$ seq 1000000 > million; ballpark distinct million
1009359

$ ballpark distinct --format json million
{"kind": "hll", "estimate": 1009359, "lower": 993549, "upper": 1025424, "confidence": 0.95, "lines": 1000000, "bytes": 6888896}

$ ballpark distinct --format human --confidence 99 million 2> /dev/null
1,009,359  ±2.1%  (988,633 to 1,030,526, 99% confidence)

# The same from any number of threads, a pipe or many files.
$ for t in 1 2 3 8; do ballpark distinct -t $t million; done
1009359
1009359
1009359
1009359

$ cat million | ballpark distinct -t2
1009359

$ split -n l/7 million part.; ballpark distinct part.*
1009359

# The size: by error, memory or precision, one of them.
$ ballpark distinct -e 3% -o s.bp million; ballpark info --format plain s.bp | grep precision
1022663
precision	11

$ ballpark distinct -m 1K -o s.bp million; ballpark info --format plain s.bp | grep precision
1021775
precision	10

$ ballpark distinct --precision 18 million
997217

$ ballpark distinct --precision 12 -e 1% million
ballpark: distinct: --error, --memory and --precision each decide the size: give one of them
[2]

$ ballpark distinct --precision 19 million
ballpark: distinct: --precision 19: must be 4 to 18
[2]

$ ballpark distinct -e 0.01% million
ballpark: distinct: --error 0.01%: the least is 0.21%, with --precision 18
hint: --exact has none, in memory that grows with the different items
[2]

$ ballpark distinct -k bloom million
ballpark: distinct: --kind bloom: does not count different items; hll does
[2]

# -o keeps the sketch beside the number, for a merge later.
$ ballpark distinct -o a.bp a && ballpark distinct -o b.bp b && ballpark merge a.bp b.bp -o ab.bp && ballpark info --format plain ab.bp | grep estimate
60
60
estimate	90

# A line of 100 MB is hashed as it comes and costs no memory.
$ head -c 100000000 /dev/zero | tr '\0' x > long; printf '\ny\n' >> long; ($LIMIT 60000; ballpark distinct -t1 long)
2

$ ($LIMIT 60000; cat long long | ballpark distinct -t1)
2


# Where -o cannot write is said before the input is read.
$ mkdir dir; for o in dir missing/x ten/x dir/ -; do seq 10 | ballpark distinct -o $o; done; echo 10 | ballpark distinct missing -o dir
ballpark: dir: Is a directory
ballpark: missing/x: No such file or directory
ballpark: ten/x: No such file or directory
ballpark: dir/: Is a directory
ballpark: distinct: --output -: standard output is for the number; name a file
ballpark: dir: Is a directory
[2]

# The number and the sketch do not go into one file, by whatever name.
$ seq 10 | ballpark distinct -o /dev/stdout > f; seq 10 | ballpark distinct -o /dev/fd/1 | cat; seq 10 | ballpark distinct -o f > f; seq 10 | ballpark top -o f >> f; cat f
ballpark: distinct: --output /dev/stdout: standard output is for the number; name a file
ballpark: distinct: --output /dev/fd/1: standard output is for the number; name a file
ballpark: distinct: --output f: standard output is for the number; name a file
ballpark: top: --output f: standard output is for the rows; name a file

$ seq 10 | ballpark distinct -o /dev/null > /dev/null

# A symbolic link stays one, also when what it names is not there yet.
$ ln -s deep dir/link; ln -s dir/link link; seq 10 | ballpark distinct -o link && ls dir && ballpark info link | head -2 && readlink link dir/link
10
deep
link
file	link
kind	hll
dir/link
deep

$ ln -s loop loop; seq 10 | ballpark distinct -o loop
ballpark: loop: Too many levels of symbolic links
[2]

# A file as standard input is read once, from where it stands, as by cat.
$ seq 10 > ten; { ballpark distinct; wc -l; } < ten; { read x; ballpark distinct - -; } < ten; ballpark top -n1 - - < ten; { ballpark filter build - - | ballpark info - | grep estimate; wc -l; } < ten
10
0
9
1	1
estimate	10
0

# An output that is an input would replace it: refused before anything is read.
$ printf 'a\nb\n' > log; ballpark distinct -o log log
ballpark: distinct: --output log: is also an input (log) and would be replaced
hint: give the sketch a file of its own
[2]

$ ballpark top -o log - < log
ballpark: top: --output log: is also an input (-) and would be replaced
hint: give the sketch a file of its own
[2]

$ ln log other; ballpark filter build -n 10 -o other log
ballpark: filter build: --output other: is also an input (log) and would be replaced
hint: give the sketch a file of its own
[2]

$ cat log
a
b

# One field is the item.
$ ballpark distinct -f1 -f2 log
ballpark: distinct: --field 2: given twice
hint: -f 1,2 makes one item of both
[2]

$ head -c 16 /dev/zero > key; printf 'log\0' > list; ballpark top --key-file key -o key log; ballpark distinct --files0-from list -s list
ballpark: top: --output key: is also an input (key) and would be replaced
hint: give the sketch a file of its own
ballpark: distinct: --state list: is also an input (list) and would be replaced
hint: give the sketch a file of its own
[2]

$ ballpark distinct -o log < log
ballpark: distinct: --output log: is also an input (-) and would be replaced
hint: give the sketch a file of its own
[2]
