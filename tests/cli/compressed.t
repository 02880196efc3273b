# Compressed input is read as what was compressed, whatever its name.
$ seq 1000 > in; for c in gzip 'zstd -q' xz bzip2 'lz4 -q'; do $c -c in > "${c%% *}"; done
$ for f in in gzip zstd xz bzip2 lz4; do ballpark distinct $f; ballpark distinct < $f; cat $f | ballpark distinct; done | uniq -c | sed 's/^ *//'
18 1000

# One of each is one input, and so are members behind each other and padding.
$ ballpark distinct --format json gzip zstd xz bzip2 lz4 in
{"kind": "hll", "estimate": 1000, ..., "lines": 6000, "bytes": 23358}

$ (cat gzip zstd xz; head -c 512 /dev/zero; cat bzip2 lz4 in) | ballpark distinct
ballpark: standard input: what follows at byte ... is not compressed; what came before it was read
1000
[2]

# Nothing compressed is nothing.
$ for c in gzip 'zstd -q' xz bzip2 'lz4 -q'; do : | $c -c | ballpark distinct; done
0
0
0
0
0

# What merely begins like a magic is text.
$ printf 'BZh\nBZh9\nBZh91AY&SX\n\037\213\n\375\067zXZ' | ballpark distinct
5
$ printf '\037' | ballpark distinct; printf 'B' | ballpark distinct
1
1

# A truncated file: what came before counts, the other files too, and one line says so.
$ head -c 1000 gzip > cut; ballpark distinct cut in
ballpark: cut: ends in the middle of a gzip member, at byte 1000; what came before it was read
1000
[2]
$ cat cut | ballpark top -n1 -q > out
ballpark: standard input: ends in the middle of a gzip member, at byte 1000; what came before it was read
[2]

# A filter of what could not all be read is not made, from a file, a pipe, or in one pass.
$ ballpark filter build -o f.bp cut
ballpark: cut: ends in the middle of a gzip member, at byte 1000; what came before it was read
[2]
$ cat cut | ballpark filter build -o f.bp
ballpark: standard input: ends in the middle of a gzip member, at byte 1000; what came before it was read
[2]
$ ballpark filter build -n 1000 -o f.bp cut; test -e f.bp
ballpark: cut: ends in the middle of a gzip member, at byte 1000; what came before it was read
hint: no filter was written: it would answer no for the items that are missing
[1]

# One of all of it is; a pipe is read twice, too.
$ for f in gzip xz; do ballpark filter build -o f.bp $f; cat $f | ballpark filter build -o g.bp; cmp f.bp g.bp; ballpark filter test -c f.bp $f; done
1000
1000

# More memory than is sensible is not given; the mend is named.
$ zstd -q --ultra --long=30 < in > big.zst; ballpark distinct big.zst
ballpark: big.zst: a zstd frame at byte 5 needs a window of more than 128 MiB; what came before it was read
hint: let its own tool decompress it: zstd -dc --long=31 big.zst | ballpark ...
[2]
$ xz -c --lzma2=dict=256MiB in > big.xz; ballpark distinct big.xz
ballpark: big.xz: an xz stream at byte 24 needs a window of more than 128 MiB; what came before it was read
hint: let its own tool decompress it: xz -dc big.xz | ballpark ...
[2]
$ xz -c --lzma2=dict=128MiB in | ballpark distinct; zstd -q --ultra --long=27 < in | ballpark distinct
1000
1000

# Bad lines have their numbers, and fields are those of the text.
$ printf 'a 1\nb\nc 3\n' | gzip > gaps; ballpark distinct -f2 gaps
ballpark: gaps:2: no field 2; the line was skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
2
[2]

# A saved sketch is not lines.
$ ballpark distinct -q -o s.bp in; for c in distinct top 'filter build -o x.bp' 'filter test f.bp'; do ballpark $c s.bp; echo "exit $?"; done
1000
ballpark: s.bp: is a saved sketch, not lines
hint: merge, info and query take saved sketches
exit 2
ballpark: s.bp: is a saved sketch, not lines
hint: merge, info and query take saved sketches
exit 2
ballpark: s.bp: is a saved sketch, not lines
hint: merge, info and query take saved sketches
exit 2
ballpark: s.bp: is a saved sketch, not lines
hint: merge, info and query take saved sketches
exit 2
