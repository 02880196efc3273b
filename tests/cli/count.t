# count: how often given lines came.
$ for i in $(seq 300); do echo hot; seq 40; done > in; seq 1000 2999 >> in; wc -l < in
14300

$ ballpark count build -o c.bp in

$ ballpark count c.bp hot 7 never
300	hot
300	7
0	never

# The upper bound is certain, the lower one holds with the confidence.
$ ballpark count --format human c.bp hot 7 never
count  at least  item
  300       290  hot
  300       290  7
    0         0  never

$ ballpark count --format human --confidence 99.9 c.bp hot
count  at least  item
  300       279  hot

$ ballpark count --format csv c.bp hot never
count,lower,upper,item
300,290,300,hot
0,0,0,never

$ ballpark count --format json c.bp hot
{"item": "hot", "count": 300, "lower": 290, "upper": 300}

# Exit codes as grep: 0 some key came, 1 none did, 2 trouble.
$ ballpark count c.bp never
0	never
[1]

$ ballpark count c.bp never hot
0	never
300	hot

# Keys from a file come after those of the command line; each line is one, empty ones too.
$ printf '7\n\nhot' | ballpark count --keys-from - c.bp 8
300	8
300	7
0	
300	hot

$ printf 'a\0b\n\377\n' > odd; ballpark count build odd | ballpark count --format json --keys-from odd -
{"item": "a\u0000b", "count": 1, "lower": 0, "upper": 1}
{"item_base64": "/w==", "count": 1, "lower": 0, "upper": 1}

$ ballpark count c.bp -- -7
0	-7
[1]

# Smaller tables are further over, never under.
$ ballpark count build -e 10% --delta 40% -o small.bp in; ballpark count --format human small.bp hot never
count  at least  item
1,877         0  hot
  375         0  never

$ ballpark count build --width 100 --depth 3 --verbose -o w.bp in 2>&1 | sed 's/; .*//'
14,300 lines, in 1.17 KiB of counters (100 x 3)

$ ballpark count build -m 64K --verbose -o m.bp in 2>&1 | sed 's/; .*//'
14,300 lines, in 64.0 KiB of counters (3276 x 5)

# The same file whatever the number of threads of the machine, and of a pipe.
$ cat in | ballpark count build > p.bp; cmp c.bp p.bp

$ echo a,b > pairs; ballpark count build -f2 -d, -o f.bp pairs; ballpark count f.bp b a
1	b
0	a

# A keyed table answers to its key alone.
$ printf '0123456789abcdef' > key; chmod 600 key; ballpark count build --key-file key -o k.bp in; ballpark count --key-file key k.bp hot
300	hot

$ ballpark count k.bp hot
ballpark: k.bp: its items were hashed with a secret key (check value 7868525711491501636)
hint: --key-file FILE names the file that holds its key
[2]

$ ballpark count build --seed 7 -o s.bp in; ballpark count s.bp hot; ballpark count --seed 8 s.bp hot
300	hot
ballpark: count: --seed 8: s.bp was made with seed 7
hint: leave the option away: a sketch knows its hash and seed
[2]

# Weights are added up, past 2^32 too.
$ printf 'a 3000000000\nb 1\na 3000000000\n' | ballpark count build -f1 -w2 -o w.bp; ballpark count w.bp a b
6000000000	a
1	b

$ ballpark count build -f1 -w1 -m 64K --verbose -o w.bp in 2>&1 | sed 's/; .*//' | grep -v hot
hint: weights are whole numbers from 0 to 2^64 - 1
14,300 lines, in 64.0 KiB of counters (1638 x 5)
hint: w.bp was not written

$ printf 'hot\0' | ballpark count -z --keys-from - c.bp | tr '\0' '!'
300	hot!

# Tables of one size merge.
$ ballpark merge c.bp c.bp -o cc.bp; ballpark count cc.bp hot
600	hot

# What top saved is asked the same way; while it was exact, both bounds are the truth.
$ ballpark top -n1 -o t.bp in; ballpark count --format human t.bp hot 7 never
300	1
count  at least  item
  300       300  hot
  300       300  7
    0         0  never

# Nothing counted: every count is a certain zero.
$ ballpark count build -o e.bp < /dev/null; ballpark count e.bp hot
0	hot
[1]

# What goes wrong.
$ ballpark distinct -q -o d.bp in; ballpark count d.bp hot
2041
ballpark: d.bp: holds a sketch of kind hll, which does not count single items
hint: `ballpark query d.bp` prints what it knows
[2]

$ ballpark filter build -k bloom -o b.bp in; ballpark count b.bp hot
ballpark: b.bp: holds a sketch of kind bloom, which does not count single items
hint: `ballpark query b.bp KEY...` says whether an item is in it
[2]

$ ballpark count
ballpark: count: names no sketch
hint: ballpark count [OPTION]... SKETCH [KEY]...
[2]

$ ballpark count c.bp
ballpark: count: names no key
hint: ballpark count c.bp KEY..., or --keys-from FILE
[2]

$ ballpark count missing.bp hot
ballpark: missing.bp: No such file or directory
[2]

# A key that is a file's name, or a dash: perhaps the lines of it were meant.
$ echo 8 > keys; ballpark count c.bp keys; ballpark count c.bp -; ballpark count -q c.bp keys; ballpark count c.bp keys 8
keys was taken as a key; --keys-from=keys asks for each line of it
0	keys
- was taken as a key; --keys-from=- asks for each line of it
0	-
0	keys
0	keys
300	8

$ ballpark count c.bp --keys-from missing
ballpark: missing: No such file or directory
[2]

$ ballpark count - --keys-from - < c.bp
ballpark: count: the sketch and the keys cannot both be standard input
[2]

$ ballpark count in hot
ballpark: in: not a ballpark sketch
hint: -o of distinct, top, count build and filter build writes sketches
[2]

$ ballpark count build -e 1% --width 10 in
ballpark: count build: --error, --width and --memory each decide the width
hint: give one of them
[2]

$ ballpark count build -e 0 in
ballpark: count build: --error 0: must be between 0 and 1, or 0% and 100%, and neither end
[2]

$ ballpark count build -m 1 in
ballpark: count build: count_min: --memory is too small for one counter a row
[2]

$ ballpark count build --width 1e12 --depth 32 -o no.bp in
ballpark: count build: out of memory
[2]

$ printf 'a 1\nb\n' | ballpark count build -f2 -o no.bp; ls no.bp
ballpark: standard input:2: no field 2; the line was skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
hint: no.bp was not written
ls: cannot access 'no.bp': No such file or directory
[2]

$ ballpark count build -o in in
ballpark: count build: --output in: is also an input (in) and would be replaced
hint: give the sketch a file of its own
[2]

$ ballpark count build -o no/no.bp in
ballpark: no/no.bp: No such file or directory
[2]

$ ballpark count bulid in
ballpark: bulid: No such file or directory
[2]

$ ballpark count build --help | sed -n '1p;3p'; ballpark count --help | sed -n '1p;3p'
ballpark count build - counts every line, to be asked how often one came
usage: ballpark count build [OPTION]... [-o SKETCH] [FILE]...
ballpark count - how often given lines came
usage: ballpark count [OPTION]... SKETCH [KEY]...
