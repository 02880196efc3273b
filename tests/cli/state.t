# -s: a state that grows from run to run.
$ seq 100 > a; seq 51 150 > b; seq 150 | ballpark distinct -o all.bp
150

$ ballpark distinct -s s.bp a; ballpark distinct -s s.bp b; cmp s.bp all.bp
100
150

# The answer is over everything so far; what is said of the input is of this run.
$ printf '1\n' | ballpark distinct -s s.bp --format json
{"kind": "hll", "estimate": 150, "lower": 150, "upper": 150, "confidence": 0.95, "lines": 1, "bytes": 2}

$ ballpark distinct -s s.bp < /dev/null
150

# The lock file is empty, and stays.
$ ls; wc -c < s.bp.lock
a
all.bp
b
s.bp
s.bp.lock
0

# top adds the counts up.
$ printf 'x\nx\ny\n' | ballpark top -s t.bp; printf 'y\ny\nz\n' | ballpark top -s t.bp -n10
2	x
1	y
3	y
2	x
1	z

$ ballpark top -s t.bp -n0 a; ballpark top -s t.bp < /dev/null | head -1
3	y

# A filter of everything; nothing goes to stdout.
$ ballpark filter build -k bloom -n 500 -s f.bp a; ballpark filter build -k bloom -s f.bp -o f2.bp b; cmp f.bp f2.bp; seq 140 155 | ballpark filter test f.bp
140
141
142
143
144
145
146
147
148
149
150

$ ballpark filter build -k blocked_bloom -n 500 -s h.bp a; ballpark filter build -s h.bp b; seq 300 | ballpark filter test -c h.bp
150

$ ballpark filter build -k bloom -s h.bp missing
ballpark: filter build: --state h.bp: holds a sketch of kind blocked_bloom; this command adds to bloom
hint: name another state
[2]

# Counters, too.
$ ballpark count build -e 1% -s c.bp a; ballpark count build -s c.bp b; ballpark count c.bp 7 77 177
1	7
2	77
0	177

$ ballpark count build -e 2% -s c.bp missing
ballpark: count build: --error asks for width 136; the state c.bp has 272
hint: leave --error away to add to it as it is, or name another state
[2]

# Without -n the first input decides, and the state then says that it is over.
$ ballpark filter build -k bloom -s g.bp a; seq 1000 | ballpark filter build -k bloom -s g.bp; ballpark filter test -c g.bp a 2> /dev/null
ballpark: warning: g.bp was made for 135 items at 1% but holds about ...; now ...% of all others are taken for members
hint: begin a new state, with -n for the items of all runs together
100

# -o may stand beside it: the same sketch.
$ ballpark distinct -s s.bp -o o.bp a && cmp s.bp o.bp
150

# A state decides the parameters that were not given ...
$ ballpark distinct -e 5% --seed 3 -s p.bp a; ballpark distinct -s p.bp b; ballpark info --format plain p.bp | grep -E '^(precision|seed)'
...
...
seed	3
precision	9

$ ballpark distinct -s p.bp --precision 9 --seed 3 a
...

# ... and refuses others, both named. Nothing is read or changed.
$ cp p.bp before; ballpark distinct -s p.bp --precision 12 missing
ballpark: distinct: --precision asks for precision 12; the state p.bp has 9
hint: leave --precision away to add to it as it is, or name another state
[2]

$ ballpark distinct -s p.bp -e 1% missing
ballpark: distinct: --error asks for precision 14; the state p.bp has 9
hint: leave --error away to add to it as it is, or name another state
[2]

$ ballpark distinct -s p.bp --seed 4 missing
ballpark: distinct: --seed 4: p.bp was made with seed 3
hint: leave the option away: a sketch knows its hash and seed
[2]

$ ballpark top -s t.bp -n 5 missing
ballpark: top: --items asks for k 5; the state t.bp has 10
hint: leave --items away to add to it as it is, or name another state
[2]

$ ballpark top -s t.bp -m 4K missing
ballpark: top: --memory asks for memory_limit 4096; the state t.bp has 131072
hint: leave --memory away to add to it as it is, or name another state
[2]

$ ballpark filter build -k bloom -s f.bp -p 2% missing
ballpark: filter build: --fpr asks for fpr_design 0.02; the state f.bp has 0.01
hint: leave --fpr away to add to it as it is, or name another state
[2]

$ cmp p.bp before

# A keyed state wants its key each time.
$ printf '0123456789abcdef' > key; chmod 600 key; ballpark distinct -s k.bp --key-file key a; ballpark distinct -s k.bp missing
100
ballpark: k.bp: its items were hashed with a secret key (check value 7868525711491501636)
hint: --key-file FILE names the file that holds its key
[2]

$ ballpark distinct -s k.bp --key-file key b
150

$ ballpark distinct -s s.bp --key-file key missing
ballpark: distinct: --key-file key: s.bp has no key; its hash is xxh3, seed 0
hint: leave the option away: a sketch knows its hash and seed
[2]

# What is no state is refused before the input is read, and left as it is.
$ ballpark top -s s.bp missing
ballpark: top: --state s.bp: holds a sketch of kind hll; this command adds to top_k
hint: name another state
[2]

$ ballpark distinct -s a missing
ballpark: a: not a ballpark sketch
hint: -o of distinct, top, count build and filter build writes sketches
[2]

$ : > empty; ballpark distinct -s empty missing; wc -c < empty
ballpark: empty: is empty, not a saved sketch
0

$ head -c 100 s.bp > cut; ballpark distinct -s cut missing; wc -c < cut
ballpark: cut: the header is cut short (got 100, expected 128), at byte 100
hint: it was cut short or changed after it was written: copy it again, or make it again from its input
100

$ (head -c 8 s.bp; printf '\11\0'; tail -c +11 s.bp) > newer; ballpark distinct -s newer missing
ballpark: newer: written in a newer format; upgrade ballpark (got 9, expected 1), at byte 8
hint: a newer ballpark wrote it; this one is ...
[2]

$ mkdir d; ballpark distinct -s d missing; ballpark distinct -s d/ missing; ls d
ballpark: d: Is a directory
ballpark: d/: Is a directory

$ ballpark distinct -s no/where.bp missing
ballpark: no/where.bp: No such file or directory
[2]

$ ballpark distinct -s - missing; ballpark distinct -s /dev/null missing
ballpark: distinct: --state -: is not a file, and a state is replaced
ballpark: distinct: --state /dev/null: is not a file, and a state is replaced
[2]

$ mkdir taken.bp.lock; ballpark distinct -s taken.bp missing
ballpark: taken.bp.lock: Is a directory
[2]

# Nor is it one of the inputs, or what -o writes.
$ ballpark distinct a ./s.bp -s s.bp
ballpark: distinct: --state s.bp: is also an input (./s.bp) and would be replaced
hint: give the sketch a file of its own
[2]

$ ballpark filter build -k bloom -n 5 -s s.bp < s.bp
ballpark: filter build: --state s.bp: is also an input (-) and would be replaced
hint: give the sketch a file of its own
[2]

$ ballpark distinct -s s.bp -o ./s.bp a; ballpark distinct -s n.bp -o n.bp a
ballpark: distinct: --output and --state are both s.bp; --state alone saves it
ballpark: distinct: --output and --state are both n.bp; --state alone saves it
[2]

# An input that could not be read wholly adds nothing, unless that is expected.
$ ballpark distinct -s s.bp a missing; ballpark distinct -s s.bp < /dev/null
ballpark: missing: No such file or directory
hint: s.bp is as it was: nothing of this run is in it
150
150

$ printf 'x 1\nx\n' | ballpark distinct -s s.bp -f2; ballpark distinct -s s.bp < /dev/null
ballpark: standard input:2: no field 2; the line was skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
hint: s.bp is as it was: nothing of this run is in it
150
150

$ printf 'x u\nx\n' | ballpark distinct -s s.bp -f2 --skip-bad
standard input:2: no field 2; the line was skipped
151

$ ballpark filter build -k bloom -s f.bp a missing
ballpark: missing: No such file or directory
hint: the state is as it was: it would answer no for the items that are missing
[2]

$ ballpark distinct -s new.bp missing; ls new.bp
ballpark: missing: No such file or directory
hint: new.bp is as it was: nothing of this run is in it
ls: cannot access 'new.bp': No such file or directory
[2]

# A symbolic link stays; what it names is replaced, or made, and has one lock.
$ mkdir far; ln -s far/real.bp link.bp; ballpark distinct -s link.bp a; ballpark distinct -s far/real.bp b; ls -F far link.bp
100
150
link.bp@

far:
real.bp
real.bp.lock

# Permissions stay, too.
$ chmod 600 far/real.bp; ballpark distinct -s link.bp a; stat -c %a far/real.bp
150
600

# With -g the state holds a sketch for each group.
$ printf 'x 1\ny 2\nx 3\n' > g1; printf 'z 1\nx 1\nx 9\n' > g2
$ ballpark distinct -g1 -f2 -s g.groups g1; ballpark distinct -g1 -f2 -s g.groups g2
2	x
1	y
3	x
1	y
1	z

$ ballpark distinct -g1 -f2 -o one.groups g1 g2 > /dev/null; cmp g.groups one.groups

$ ballpark top -g1 -f2 -n1 -s t.groups g1; ballpark top -g1 -f2 -s t.groups -o t2.groups g2 | head -1; cmp t.groups t2.groups
1	x	1
1	y	2
2	x	1

$ ballpark distinct -f2 -s g.groups missing
ballpark: distinct: --state g.groups: holds groups, and is added to with -g
hint: name another state
[2]

$ ballpark distinct -g1 -f2 -s s.bp missing
ballpark: distinct: --state s.bp: holds one sketch, and is added to without -g
hint: name another state
[2]

$ ballpark distinct -g1 -f2 -s g.groups --precision 9 missing
ballpark: distinct: --precision asks for precision 9; the state g.groups has 14
hint: leave --precision away to add to it as it is, or name another state
[2]

$ ballpark distinct -g1 -f2 -s g.groups --seed 9 missing
ballpark: distinct: --seed 9: g.groups was made with seed 0
hint: leave the option away: a sketch knows its hash and seed
[2]

$ ballpark distinct -g1 -f2 -s g.groups g1 missing; cmp g.groups one.groups
ballpark: missing: No such file or directory
hint: g.groups is as it was: nothing of this run is in it
3	x
1	y
1	z

# (A state without groups yet takes any parameters.)
$ ballpark distinct -g1 -s none.groups < /dev/null; ballpark distinct -g1 -f2 --seed 3 -s none.groups g1
2	x
1	y

# dedup remembers what earlier runs have printed.
$ seq 3 > d1; seq 2 5 > d2; ballpark dedup -q -n 100 -s seen.bp d1; echo; ballpark dedup -q -s seen.bp d2; ballpark dedup -q -c -s seen.bp d1 d2
1
2
3

4
5
0

$ ballpark dedup -q -s seen.bp d1 missing; ballpark dedup -s seen.bp -n 200 missing
ballpark: missing: No such file or directory
hint: seen.bp is as it was: nothing of this run is in it
ballpark: dedup: --items asks for items 200; the state seen.bp has 100
hint: leave --items away to add to it as it is, or name another state
[2]
