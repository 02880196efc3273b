# query: a saved sketch, asked again.
$ for i in $(seq 300); do echo hot; seq 40; done > in; seq 1000 2999 >> in

# An hll answers as distinct does, but for what it no longer knows of the input.
$ ballpark distinct -o d.bp in; ballpark query d.bp
2041
2041

$ ballpark distinct --format human -q -o d.bp in; ballpark query --format human d.bp
2,041
2,041

$ ballpark distinct --format json -o d.bp in; ballpark query --format json d.bp
{"kind": "hll", "estimate": 2041, "lower": 2041, "upper": 2041, "confidence": 0.95, "lines": 14300, "bytes": 44500}
{"kind": "hll", "estimate": 2041, "lower": 2041, "upper": 2041, "confidence": 0.95}

$ ballpark query --format csv --confidence 99 d.bp
kind,estimate,lower,upper,confidence
hll,2041,2041,2042,0.99

# A top_k answers as top.
$ for f in human plain csv json; do ballpark top -q -n4 --format $f -o t.bp in > want; ballpark query -n4 --format $f t.bp | cmp want -; done

$ ballpark query -n2 t.bp
300	1
300	10

# -n of the top that saved decides how many there are.
$ ballpark query -n5 t.bp; ballpark query -q -n5 t.bp | wc -l
300	1
300	10
300	11
300	12
t.bp keeps 4 rows: -n of the `top` that made it says how many
4

$ seq 100000 | ballpark top -n1 -m 1K -o flat.bp 2> /dev/null; ballpark query -n0 flat.bp
929	99986
ballpark: warning: no heavy hitters: no line is surely more frequent than the noise of 1.00 KiB of counters
hint: more memory tells more apart: -m 8K

# Keys: counts as count, exit codes as well.
$ ballpark query t.bp hot never
300	hot
0	never

$ ballpark query t.bp never
0	never
[1]

$ ballpark count build -o c.bp in; ballpark query c.bp hot; ballpark count c.bp hot
300	hot
300	hot

# A count_min without keys says how much was counted and how far over a count may be.
$ ballpark query c.bp
14300	15	0.00673795

$ ballpark query --format human c.bp
counted  over by at most  but for
 14,300               15    0.67%

$ ballpark query --format json c.bp
{"kind": "count_min", "total": 14300, "epsilon_total": 15, "delta": 0.00673794699908547}

# A filter: how many items, and how often a stranger is taken for one of them.
$ ballpark filter build -k bloom -o f.bp in; ballpark query f.bp
2046	0.00468634

$ ballpark query --format human f.bp
items  at least  at most  made for  false positives  at most
2,046     2,024    2,068     2,390            0.47%       1%

$ ballpark query --format json f.bp
{"kind": "bloom", "estimate": 2046, "lower": 2024, "upper": 2068, "items": 2390, "fpr_now": 0.00468633544238847, "fpr_design": 0.01}

# maybe may be a false positive; no is certain. Exit codes as filter test.
$ ballpark query f.bp hot 7 never
maybe	hot
maybe	7
no	never

$ ballpark query f.bp never
no	never
[1]

$ printf 'hot\nnever\n' | ballpark query --keys-from - --format json f.bp
{"item": "hot", "answer": "maybe"}
{"item": "never", "answer": "no"}

$ ballpark filter test f.bp in | ballpark query --keys-from - f.bp | cut -f1 | sort | uniq -c | sed 's/^ *//'
14300 maybe

# What a keyed sketch says without being asked for an item needs no key.
$ printf '0123456789abcdef' > key; chmod 600 key; ballpark filter build -k bloom --key-file key -o k.bp in; ballpark query k.bp; ballpark query --key-file key k.bp hot
2025	0.0044542
maybe	hot

$ ballpark query k.bp hot
ballpark: k.bp: its items were hashed with a secret key (check value 7868525711491501636)
hint: --key-file FILE names the file that holds its key
[2]

$ ballpark filter build -k blocked_bloom -o bb.bp in; ballpark query bb.bp; ballpark query bb.bp hot never
2047	0.00409371
maybe	hot
no	never

# A file of groups: the rows of all, of the largest, or of one that is named.
$ printf 'x 1\ny 1\nx 2\nz 7\nx 3\nz 8\n' > g; ballpark distinct -g1 -f2 -o g.bp g > want; ballpark query g.bp | cmp want -; ballpark query g.bp
3	x
1	y
2	z

$ ballpark query --only x g.bp; ballpark query --only x --format json g.bp
3
{"kind": "hll", "estimate": 3, "lower": 3, "upper": 3, "confidence": 0.95}

$ ballpark query -n1 g.bp; ballpark query --format csv g.bp
3	x
kind,estimate,lower,upper,confidence,group
hll,3,3,3,0.95,x
hll,1,1,1,0.95,y
hll,2,2,2,0.95,z

$ ballpark top -n1 -g1 -f2 -o gt.bp g > want; ballpark query -n1 gt.bp | cmp want -; ballpark query gt.bp --only x 2 9; ballpark count gt.bp --only z 8
1	2
0	9
1	8

$ ballpark query gt.bp 2
ballpark: query: gt.bp holds groups: whose keys are meant?
hint: name one with --only GROUP
[2]

$ ballpark count gt.bp --only nobody 2
ballpark: count: --only nobody: gt.bp has no such group
[2]

$ ballpark query --only x d.bp
ballpark: query: --only x: d.bp holds one sketch, and no groups
hint: leave the option away
[2]

$ ballpark query g.bp --only x 2
ballpark: g.bp: holds a sketch of kind hll, which knows no single items
hint: `filter build` makes one that knows which were there, `count build` one that knows how often
[2]

# What goes wrong.
$ ballpark query d.bp hot
ballpark: d.bp: holds a sketch of kind hll, which knows no single items
hint: `filter build` makes one that knows which were there, `count build` one that knows how often
[2]

# A file's name where a key stands: it is one, and somebody may have meant the file.
$ ballpark query d.bp d.bp; ballpark query d.bp d.bp g.bp
ballpark: d.bp: holds a sketch of kind hll, which knows no single items
hint: several sketches are asked as one: ballpark merge d.bp d.bp | ballpark query -
ballpark: d.bp: holds a sketch of kind hll, which knows no single items
hint: several sketches are asked as one: ballpark merge d.bp ... | ballpark query -
[2]

$ ballpark query -n3 d.bp
ballpark: query: --items: d.bp holds a sketch of kind hll, which lists none
[2]

$ ballpark query -n 2e6 t.bp
ballpark: query: --items 2000000: the most rows are 1048576
[2]

$ ballpark query
ballpark: query: names no sketch
hint: ballpark query [OPTION]... SKETCH [KEY]...
[2]

$ ballpark query in
ballpark: in: not a ballpark sketch
hint: -o of distinct, top, count build and filter build writes sketches
[2]

$ ballpark query missing.bp
ballpark: missing.bp: No such file or directory
[2]

$ head -c 100 d.bp > cut.bp; ballpark query cut.bp
ballpark: cut.bp: the header is cut short (got 100, expected 128), at byte 100
hint: it was cut short or changed after it was written: copy it again, or make it again from its input
[2]

$ ballpark query --help | sed -n '1p;3p'
ballpark query - asks a saved sketch again
usage: ballpark query [OPTION]... SKETCH [KEY]...

# A long list costs no look at all items for each of its rows, in groups neither.
$ seq 200000 > many; ballpark top -q -n 200000 -m 64M -o many.bp many | wc -l; ballpark query -n 200000 many.bp | wc -l
200000
200000

$ sed 's/^/g /' many | ballpark top -q -g1 -f2 -n 200000 -m 64M -o groups.bp | wc -l; ballpark query -n 200000 groups.bp | wc -l
200000
200000
