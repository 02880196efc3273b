# Filters of Parquet files (tests/data/parquet, by pyarrow and DuckDB; parquet.py has more).
$ cp "$EXAMPLES"/../tests/data/parquet/duckdb.parquet d.parquet; cp "$EXAMPLES"/../tests/data/parquet/pyarrow.parquet p.parquet
$ printf 'user 7\nuser 299\nuser x\n' > names

# In its place, and bare.
$ ballpark filter test d.parquet@10321+528 names
user 7
user 299

$ ballpark filter test -v p.parquet@10467 names
user x

$ tail -c +10322 d.parquet | head -c 528 > bare; ballpark filter test bare names
user 7
user 299

# A file of that very name is that file.
$ ballpark filter build -o d.parquet@10321+528 names; ballpark filter test d.parquet@10321+528 names; rm d.parquet@10321+528
user 7
user 299
user x

# Numbers are their bytes.
$ printf -- '-3000\n-2993\n-2992\n1e3\n4294967296\n\n' | ballpark filter test --type int32 d.parquet@9265
-3000
-2993
ballpark: warning: 3 of the lines are no value of the type int32, and so not in its column; the first is `1e3`

$ printf '0.125\n37.375\n37.5\nx\n 1\n' | ballpark filter test -q --type float p.parquet@11523

$ printf '9223372036854775808\n-9223372036854775808\n-9223372036854775809\n18446744073709551616\n' | ballpark filter test --type int64 d.parquet@9793
ballpark: warning: 2 of the lines are no value of the type int64, and so not in its column; the first is `-9223372036854775809`
[1]

$ ballpark filter test --type int16 d.parquet@9265 names
ballpark: filter test: --type int16: must be string, int32, int64, float or double
hint: did you mean int32?
[2]

$ ballpark filter test --type int32 --exact names d.parquet@9265 names
ballpark: filter test: --exact and --type: FILE's items are text
hint: leave one of them away
[2]

# What it is: for how many it was made Parquet does not say, so it is what 1% allows.
$ ballpark info d.parquet@10321 | grep -E '^(kind|format|hash|layout|blocks|items|bytes)'
kind	blocked_bloom
format	0
hash	xxh64
layout	split256
blocks	16
hashes	8
items	388
bytes	528

$ ballpark info --format human d.parquet@10321 | grep checksums
  file                 528 B (528 bytes), without checksums

# Converted there and back it is the same; folded it is smaller.
$ ballpark convert -o ours.bp bare; ballpark convert --to parquet ours.bp | cmp - bare; ballpark merge ours.bp bare | cmp - ours.bp
$ ballpark convert --fold 4 --to parquet bare | wc -c; ballpark convert --fold 4 ours.bp | ballpark filter test -q - names
144

$ ballpark convert --fold 5 bare > no
ballpark: convert: --fold 5: is no divisor of the 16 blocks that bare has
hint: half of them is, if their number is even
[2]

$ ballpark convert --to orc bare > no
ballpark: convert: --to orc: must be ballpark or parquet
[2]

# What has no Parquet form.
$ ballpark filter build -k bloom -o bloom.bp names; ballpark filter build -k blocked_bloom -o blocked.bp names
$ ballpark convert --to parquet bloom.bp > no
ballpark: convert: bloom.bp is a bloom; only a blocked_bloom has blocks to fold, and a Parquet form
hint: `ballpark filter build --layout parquet` makes one from its input
[2]

$ ballpark convert --to parquet blocked.bp > no
ballpark: convert: blocked.bp: Parquet's filters have the layout split256
hint: `ballpark filter build --layout parquet` makes one from its input
[2]

# What has. Blocks are a power of two.
$ seq 300 | ballpark filter build -n 300 --layout parquet -o made.bp; ballpark info made.bp | grep -E '^(kind|hash|layout|blocks)'
kind	blocked_bloom
hash	xxh64
layout	split256
blocks	16
hashes	8

$ ballpark convert --to parquet -o made made.bp; wc -c < made; od -An -tx1 -N16 made; seq 300 | ballpark filter test -c made
528
 15 80 08 1c 1c 00 00 1c 1c 00 00 1c 1c 00 00 00
300

# The same bits as DuckDB's, of the same strings.
$ seq 0 299 | sed 's/^/user /' | ballpark filter build -q -n 388 --layout parquet | ballpark convert --to parquet - | cmp - bare

# And of the same numbers; a line that is none is in no such column.
$ seq -3000 7 -907 | ballpark filter build -q -n 388 --layout parquet --type int32 | ballpark convert --to parquet -o ints -; tail -c +9266 d.parquet | head -c 528 | cmp - ints

$ printf '1\n2\nx\n4\n' > some; ballpark filter build -n 300 --type int64 -o none some; ballpark filter build -n 300 --type int64 --skip-bad -o typed.bp some; ballpark filter test --type int64 -c typed.bp some; ballpark filter test -c typed.bp some; ls none
ballpark: filter build: --type int64: 1 of the lines is no such value, the first is `x`
hint: --skip-bad leaves them out
hint: no filter was written: it would answer no for the items that are missing
ballpark: warning: 1 of the lines is no value of the type int64, and so not in its column; the first is `x`
3
0
ls: cannot access 'none': No such file or directory
[2]

$ ballpark filter build --static --type double --skip-bad -o fuse.bp some; ballpark filter test --type double -c fuse.bp some
ballpark: warning: 1 of the lines is no value of the type double, and so not in its column; the first is `x`
3

$ ballpark filter build -n 300 --layout split256 -o s256.bp names; ballpark convert --to parquet s256.bp > no
ballpark: convert: s256.bp: Parquet's filters have the hash xxh64 with the seed 0
hint: `ballpark filter build --layout parquet` makes one from its input
[2]

$ ballpark filter build -n 300 --layout parquet --seed 7 names > no
ballpark: filter build: --layout parquet: Parquet hashes with xxh64 and the seed 0, and no other seed or key
[2]

$ ballpark filter build -n 300 --layout parquet -p 0.01% names > no
ballpark: filter build: ...
...
[2]

$ ballpark filter build -n 300 --layout parquet --kind bloom names > no
ballpark: filter build: --kind bloom: is not what --layout asks for
hint: leave --kind away for a blocked_bloom
[2]

# Another place, length, file.
$ ballpark filter test d.parquet names
ballpark: d.parquet: is a Parquet file, which has a filter for each column of each row group
hint: the column's metadata have OFFSET and LENGTH as bloom_filter_offset and bloom_filter_length: `filter test FILE@OFFSET+LENGTH`
[2]

$ ballpark filter test d.parquet@10322+528 names
ballpark: d.parquet@10322+528: not a Parquet Bloom filter
hint: the column's metadata have ...
[2]

$ for p in @10322 @10321+527 @10321+529 @10321+99999 @99999 @99999+1; do ballpark filter test d.parquet$p names 2>&1 | grep -v ^hint; done
ballpark: d.parquet@10322: not a Parquet Bloom filter
ballpark: d.parquet@10321+527: the filter is cut short (got 527, expected 528), at byte 527
ballpark: d.parquet@10321+529: bytes follow the filter (got 529, expected 528), at byte 528
ballpark: d.parquet@10321+99999: ends at byte 110320, and d.parquet has ...
ballpark: d.parquet@99999: ends at byte 99999, and d.parquet has ...
ballpark: d.parquet@99999+1: ends at byte 100000, and d.parquet has ...

$ ballpark filter test d.parquet@x names; ballpark filter test d.parquet@1+ names; ballpark filter test none@1+2 names
ballpark: d.parquet@x: No such file or directory
ballpark: d.parquet@1+: No such file or directory
ballpark: none@1+2: No such file or directory
[2]

# From before the format was settled, and from after 2026.
$ { printf '\040\0\0\0\0\0\0\0\0\0\0\0'; head -c 32 bare; } > old; ballpark filter test old names
ballpark: old: a Parquet filter from before its format was settled, of hashes by Murmur3: write the file again, at byte 0
[2]

$ { head -c 8 bare; printf '\054'; tail -c +10 bare; } > new; ballpark filter test new names
ballpark: new: a Parquet filter by a hash this version does not know (got 44, expected 28), at byte 8
[2]
