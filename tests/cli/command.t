# The command itself: help, versions, names, options.
# The bare command is an error that shows the first screen (pages.py knows what is on it).
$ ballpark > out 2> err; echo $?; wc -c < out; head -3 err; tail -4 err
2
0
ballpark answers big questions in a few kilobytes, with an error it can state.
usage: ballpark COMMAND [OPTION]... [FILE]...

  $ ballpark distinct access.log          # as sort -u | wc -l
  $ ballpark top -f1 -n5 access.log       # as sort | uniq -c | sort -rn
COMMAND -h lists its options, --help teaches it; `ballpark help TOPIC` tells of
  accuracy, kinds, fields, state, hashing, formats, follow, recipes, exit-codes

$ ballpark --version | sed 's/[0-9]*\.[0-9]*\.[0-9]*/N/'
ballpark N
License MIT: <https://opensource.org/licenses/MIT>.
This is free software: you are free to change and redistribute it.
There is NO WARRANTY, to the extent permitted by law.

$ ballpark distinct --version | head -1 | sed 's/[0-9]*\.[0-9]*\.[0-9]*/N/'
ballpark N

$ ballpark help merge | head -1
ballpark merge - makes one sketch of several

$ ballpark help accuracy | head -1
accuracy - what each kind of sketch promises, and when to use none

$ ballpark help nothing
ballpark: help: nothing: there is no such command or topic
hint: `ballpark help` lists them
[2]

$ ballpark help distinct top
ballpark: help: top: one page at a time
[2]

$ ballpark filter -h | grep usage
usage: ballpark filter build [OPTION]... [-o FILTER] [FILE]...
usage: ballpark filter test [OPTION]... FILTER [FILE]...
usage: ballpark filter add [OPTION]... FILTER [FILE]...
usage: ballpark filter remove [OPTION]... FILTER [FILE]...
usage: ballpark filter anti [OPTION]... A B
usage: ballpark filter semi [OPTION]... A B

# Wrong names get the nearest right one; nothing is abbreviated but long options.
$ ballpark distict
ballpark: distict: there is no such command
hint: did you mean `ballpark distinct`?
[2]

$ ballpark dist
ballpark: dist: there is no such command
hint: did you mean `ballpark distinct`?
[2]

$ for c in 'fitler build' 'filter biuld' filter 'help acuracy' 'help fitler test' 'man distnct' 'man filter'; do ballpark $c; done
ballpark: fitler: there is no such command
hint: did you mean `ballpark filter build`?
ballpark: filter biuld: there is no such command
hint: did you mean `ballpark filter build`?
ballpark: filter: which one?
hint: `ballpark filter build`, `test`, `add`, `remove`, `anti` or `semi`
ballpark: help: acuracy: there is no such command or topic
hint: did you mean `ballpark help accuracy`?
ballpark: help: fitler: there is no such command or topic
hint: did you mean `ballpark help filter test`?
ballpark: man: distnct: there is no such command or topic
hint: did you mean `ballpark man distinct`?
ballpark: man: filter: which one?
hint: `ballpark man filter build`, `test`, `add`, `remove`, `anti` or `semi`
[2]

$ ballpark distinct --formt json
ballpark: distinct: --formt: there is no such option
hint: did you mean --format?
[2]

$ ballpark xyzzy
ballpark: xyzzy: there is no such command
hint: a command comes first, as in `ballpark distinct FILE`; `ballpark --help` lists them
[2]

$ ballpark --bogus
ballpark: --bogus: there is no such option
hint: a command comes first, as in `ballpark distinct FILE`; `ballpark --help` lists them
[2]

$ ballpark access.log; ballpark -q distinct
ballpark: access.log: there is no such command
hint: a command comes first, as in `ballpark distinct FILE`; `ballpark --help` lists them
ballpark: -q: there is no such option
hint: a command comes first, as in `ballpark distinct FILE`; `ballpark --help` lists them
[2]

$ ballpark distinct --json; ballpark dedup --json
ballpark: distinct: --json: there is no such option
hint: did you mean --format json?
ballpark: dedup: --json: there is no such option
hint: `ballpark dedup -h` lists the options
[2]

$ ballpark top -25; ballpark distinct -k exact
ballpark: top: -2: there is no such option
hint: a number of items, or of rows, is -n N
ballpark: distinct: --kind exact: there is no such kind of sketch
hint: there are bloom, blocked_bloom, binary_fuse, counting_bloom, cuckoo, ribbon, scalable_bloom, count_min, hll, top_k
[2]

$ ballpark distinct --presicion 12
ballpark: distinct: --presicion: there is no such option
hint: did you mean --precision?
[2]

$ ballpark distinct --prec 12 < /dev/null
0

$ ballpark distinct --de 12 < /dev/null
ballpark: distinct: --delimiter: says how to split, but no field is asked for
hint: add -f N for the N-th field
[2]

$ ballpark filter build --hel < /dev/null | tail -4

exit codes:
  0  built
  2  something was wrong: an option, an input, a line; nothing was written

$ ballpark filter test --help | tail -5
exit codes:
  0  some line was selected
  1  none was
  2  something was wrong: the filter, an option, an input, a line; stderr says
     what

$ ballpark distinct --fpr 1%
ballpark: distinct: --fpr: not an option of this command
hint: --fpr is for: filter build, dedup, verify, size
[2]

$ ballpark distinct -Z
ballpark: distinct: -Z: there is no such option
hint: `ballpark distinct -h` lists the options
[2]

$ ballpark distinct --quiet=yes
ballpark: distinct: --quiet: takes no value (given: yes)
[2]

$ ballpark distinct -f
ballpark: distinct: --field: needs a value: --field=LIST
hint: the item is these fields, not the whole line: 2, 1,3-4, 3-, or with -H names
[2]

# Options anywhere, bundled, attached, with = or not.
$ printf 'a 1\nb 1\n' > x; ballpark distinct x -f2; ballpark distinct -qf2 x; ballpark distinct --field=2 x; ballpark distinct --field 2 x
1
1
1
1

# Confidence as 95, 95% or 0.95.
$ for c in 95 95% 0.95; do ballpark distinct --format json --confidence $c x; done
{"kind": "hll", "estimate": 2, "lower": 2, "upper": 2, "confidence": 0.95, "lines": 2, "bytes": 8}
{"kind": "hll", "estimate": 2, "lower": 2, "upper": 2, "confidence": 0.95, "lines": 2, "bytes": 8}
{"kind": "hll", "estimate": 2, "lower": 2, "upper": 2, "confidence": 0.95, "lines": 2, "bytes": 8}

# Sizes: K, KiB and so on are 1024-based, kB 1000-based.
$ for m in 1K 1KiB 1k 1kB 1MB 1M 1.5K 1024; do ballpark size -k hll -m $m | sed -n 2p; done
bytes	768
bytes	768
bytes	768
bytes	768
bytes	196608
bytes	196608
bytes	1536
bytes	768


# A standard stream that is closed is of no use, and no other file takes its number.
$ ballpark distinct <&-; seq 3 | ballpark distinct <&- >&-; seq 3 | ballpark top >&-; seq 3 | ballpark top -g1 2>&-
ballpark: standard input: Bad file descriptor
ballpark: standard input: Bad file descriptor
ballpark: standard output: Bad file descriptor
1	1	1
1	2	2
1	3	3

# A terminal obeys no name of a file.
$ ballpark distinct "$(printf 'a\033[31mb\r')"; ballpark distinct --"$(printf 'x\033[2J')"
ballpark: a\x1b[31mb\x0d: No such file or directory
ballpark: distinct: --x\x1b[2J: there is no such option
hint: `ballpark distinct -h` lists the options
[2]
