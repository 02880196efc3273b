# Files that are not what they are taken for, and sketches that do not go together.
$ seq 100 > in; ballpark filter build -k bloom -n 1000 -p 1% -o bloom.bp in; ballpark distinct -q -o hll.bp in
100

$ ballpark filter build -k blocked_bloom -n 1000 -o s512.bp in; ballpark filter build -k blocked_bloom -n 2000 -o n2000.bp in; ballpark filter build -k blocked_bloom -n 1000 --seed 7 -o seed.bp in; ballpark filter build -k fuse -o fuse.bp in

$ ballpark convert -o s256.bp "$EXAMPLES"/../tests/data/parquet/duckdb.parquet@10321

# A union of different kinds, layouts, sizes, seeds; of filters that were built.
$ ballpark merge bloom.bp s512.bp -o no
ballpark: merge: bloom.bp is of kind bloom, and s512.bp is of kind blocked_bloom
hint: only sketches of one kind can be merged; `ballpark info FILE` tells the kind
[2]

$ ballpark merge s512.bp s256.bp -o no
ballpark: merge: s256.bp does not go with s512.bp: layout is split512 in s512.bp and split256 in s256.bp
hint: make both with the same --layout
[2]

$ ballpark merge s512.bp n2000.bp -o no
ballpark: merge: n2000.bp does not go with s512.bp: items is 1,000 in s512.bp and 2,000 in n2000.bp
hint: make both with the same -n
[2]

$ ballpark merge s512.bp seed.bp -o no
ballpark: merge: seed.bp does not go with s512.bp: seed is 0 in s512.bp and 7 in seed.bp
hint: make both with the same --seed
[2]

$ ballpark merge fuse.bp fuse.bp -o no
ballpark: fuse.bp: this kind does not merge: build one from all the keys
[2]

$ ls no
ls: cannot access 'no': No such file or directory
[2]

# What is no filter.
$ ballpark filter test hll.bp in
ballpark: hll.bp: holds a sketch of kind hll, which cannot say whether an item is in
hint: `ballpark filter build -o FILTER FILE` makes one that can
[2]

$ for f in in . none; do ballpark filter test $f in 2>&1 | head -n1; done
ballpark: in: not a ballpark sketch
ballpark: .: Is a directory
ballpark: none: No such file or directory

$ tr '\n' '\r' < bloom.bp > text; head -c 100 bloom.bp > cut; cat bloom.bp hll.bp > two; : > empty
$ for f in text cut two empty; do ballpark filter test $f in 2>&1 | head -n1; done
ballpark: text: not a ballpark sketch
ballpark: cut: the header is cut short (got 100, expected 128), at byte 100
ballpark: two: bytes follow the sketch (got ..., expected ...), at byte ...
ballpark: empty: is empty, not a saved sketch

# Each file is verified; what is damaged is named, the others are said to be whole.
$ { head -c 300 bloom.bp; printf '\377\377'; tail -c +303 bloom.bp; } > bad.bp; ballpark info --verify hll.bp bad.bp s512.bp
...	ok	hll.bp
ballpark: bad.bp: a payload block's checksum is wrong, at byte 128
hint: it was cut short or changed after it was written: copy it again, or make it again from its input
...	ok	s512.bp
[2]

$ ballpark info --verify --format csv hll.bp s512.bp
bytes,verdict,file
...,ok,hll.bp
...,ok,s512.bp
