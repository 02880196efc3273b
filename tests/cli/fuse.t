# filter build -k binary_fuse: the filter of a set that is complete.
$ seq 1 100000 > members; seq 100001 200000 > strangers

# Repeated lines count once, in whatever order: the bytes are those of the set.
$ ballpark filter build --verbose -k binary_fuse -o f.bp members members
200,000 lines, 100,000 different, in a filter of 116.0 KiB at 0.39%

$ sort -R members | ballpark filter build -k binary_fuse | cmp - f.bp

# A member is always found; a stranger once in 256 times, or 65,536, or 2^32.
$ ballpark filter test -c f.bp members
100000

$ ballpark filter test -c f.bp strangers
414

$ ballpark filter build -k binary_fuse -p 0.1% -o g.bp members; ballpark filter test -c g.bp strangers
1

$ ballpark filter build -k binary_fuse -p 1e-9 members | ballpark info - | grep -e fpr -e fing -e bits
fingerprint	32
fpr_design	2.32831e-10
fpr_now	2.32836e-10
bits_per_item	38.0109

$ ballpark query f.bp 7 zebra
maybe	7
no	zebra

$ ballpark query f.bp
100000	0.00390625

$ ballpark info f.bp
file	f.bp
kind	binary_fuse
format	1
hash	xxh3
seed	0
fingerprint	8
arity	3
items	100000
fpr_design	0.00390625
fpr_now	0.00390625
estimate	100000
lower	100000
upper	100000
confidence	0.95
cells	118784
bits_per_item	9.50272
bytes	118920
health	ok

$ ballpark filter build -k binary_fuse -p 1e-4 --explain members 2>&1 > h.bp | head -7
kind: binary_fuse (--kind)
fingerprint: 16 (--fpr)
arity: 3
fpr_design: 0.0015%
memory: 16 bits for a cell, 1.13 cells an item when there are many
bound: a no is certain; 0.0015% of what is not in is taken for a member, with any number of items in it
others: bloom 19.2, blocked_bloom 23, counting_bloom 76.7, ribbon 15.3, scalable_bloom 22.6 (--growing) bits an item, for 1,000,000

# Of nothing at all: it says no.
$ ballpark filter build -k binary_fuse -o e.bp < /dev/null

$ ballpark filter test -c e.bp members
0
[1]

# It has a seed or a key as any other.
$ printf '0123456789abcdef' > key; chmod go= key; ballpark filter build -k binary_fuse --key-file key -o k.bp members; ballpark filter test -c --key-file key k.bp members; ballpark filter test -c k.bp members
100000
ballpark: k.bp: its items were hashed with a secret key (check value 7868525711491501636)
hint: --key-file FILE names the file that holds its key
[2]

# Nothing is added to it or merged into it.
$ ballpark filter build -k binary_fuse -n 5 members
ballpark: filter build: --items means nothing for the kind binary_fuse
hint: it is built once, from the whole input, for a rate (--fpr)
[2]

$ ballpark filter build -k binary_fuse -s state members
ballpark: filter build: --state means nothing for the kind binary_fuse
hint: it is built once, from the whole input, for a rate (--fpr)
[2]

$ ballpark dedup -s f.bp members
ballpark: dedup: --state f.bp: holds a sketch of kind binary_fuse; this command adds to blocked_bloom
hint: name another state
[2]

$ ballpark filter build -s f.bp members
ballpark: filter build: --state f.bp: holds a sketch of kind binary_fuse; this command adds to blocked_bloom
hint: name another state
[2]

$ ballpark merge f.bp f.bp
ballpark: f.bp: this kind does not merge: build one from all the keys
[2]

# What it cannot keep is refused.
$ ballpark filter build -k binary_fuse -p 1e-10 members
ballpark: filter build: a binary_fuse keeps rates down to 2.4e-10: below that, take a bloom
[2]

# An input that cannot be read leaves the filter that was there.
$ ballpark filter build -k binary_fuse -o f.bp members missing
ballpark: missing: No such file or directory
hint: no filter was written: it would answer no for the items that are missing
[2]

$ ballpark filter test -c f.bp members
100000

$ ballpark bench -k binary_fuse | cut -f3-
xxh3	hash	key
binary_fuse	build	key
binary_fuse	ask	key
binary_fuse	estimate	sketch
binary_fuse	encode	sketch
binary_fuse	decode	sketch
