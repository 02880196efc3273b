# filter add and filter remove: items into a filter that is there, and out of it.
$ seq 10000 > members; seq 10001 12000 > more; seq 50001 60000 > strangers

# In place, whatever is in there: members stay, the new ones are known.
$ for k in bloom blocked counting cuckoo scalable; do
> ballpark filter build -k $k -n 20000 -o $k.bp members; ballpark filter add $k.bp more
> ballpark filter test -c $k.bp members more; done
12000
12000
12000
12000
12000

# As if both had been read at once.
$ for k in bloom blocked counting; do ballpark filter build -k $k -n 20000 members more | cmp - $k.bp; done

# --verbose says how many were new; a line counts once, and what is in stays in.
$ ballpark filter add --verbose bloom.bp more more
...f 2,000 different items were new, 2,000 may have been in

$ (cat more; seq 12001 12500) | ballpark filter add --verbose scalable.bp
500 of 2,500 different items were new, 2,000 may have been in

# -o leaves it alone.
$ seq 50001 50100 > t; cp blocked.bp before.bp; ballpark filter add -o after.bp blocked.bp t; cmp blocked.bp before.bp && ballpark filter test -c after.bp t
100

# Out again: nobody else is lost.
$ ballpark filter remove cuckoo.bp more && ballpark filter test -c cuckoo.bp members && ballpark query cuckoo.bp | cut -f1
10000
10000

$ ballpark filter remove --verbose counting.bp more && ballpark filter test -c counting.bp members
2,000 of 2,000 different items were taken out
10000

# What is not in it is counted; 1 when none was.
$ seq 9901 10100 | ballpark filter remove cuckoo.bp
100 of 200 different items were not in it

$ echo zebra | ballpark filter remove cuckoo.bp
1 of 1 different items were not in it
[1]

$ cp cuckoo.bp before.bp; echo zebra | ballpark filter remove -q cuckoo.bp || cmp cuckoo.bp before.bp

# The same line ten times is taken out once: others that look like it keep their place.
$ for i in 1 2 3 4 5 6 7 8 9 10; do echo 77; done > ten; ballpark filter remove --verbose cuckoo.bp ten; ballpark filter test -c cuckoo.bp members
1 of 1 different items were taken out
9899

# Copies: an item is in until each is taken out. query says how many there are at most.
$ echo 5 | ballpark filter add cuckoo.bp; ballpark query cuckoo.bp 5 6 zebra
2	maybe	5
1	maybe	6
0	no	zebra

$ for i in 1 2; do echo 5 | ballpark filter remove cuckoo.bp; ballpark query cuckoo.bp 5; done
1	maybe	5
0	no	5
[1]

$ ballpark query --format json counting.bp 5 zebra
{"item": "5", "copies": 1, "answer": "maybe"}
{"item": "zebra", "copies": 0, "answer": "no"}

# Full: a cuckoo refuses, and is as it was; a bloom says its rate; a scalable_bloom grows.
$ ballpark filter build -k cuckoo -n 12000 -o full.bp members; cp full.bp before.bp; ballpark filter add full.bp strangers
ballpark: filter add: full.bp: has room for 2,000 items more, and not for 10,000
hint: it is as it was; build a larger one, or one that grows (--growing)
[2]

$ cmp full.bp before.bp; ballpark filter test -c full.bp members
10000

# Each run adds a copy, of which a cuckoo has room for 8.
$ ballpark filter build -k cuckoo -n 100 -o eight.bp /dev/null; for i in 1 2 3 4 5 6 7 8; do echo a | ballpark filter add eight.bp || echo $i; done
$ echo a | ballpark filter add eight.bp
ballpark: filter add: eight.bp: a key has room for 8 copies, and this one has them
hint: it is as it was; leave out what it has, as `filter test -v` does, or build a larger one
[2]

# A filter inside another file is asked there, and written elsewhere.
$ { printf 12345678; cat cuckoo.bp; } > host; ballpark filter add host@8 strangers; ls host@8
ballpark: filter add: host@8: is a part of another file, which is not written here
hint: -o FILE writes the changed filter there
ls: cannot access 'host@8': No such file or directory
[2]

$ echo zebra | ballpark filter add -o out.bp host@8; echo zebra | ballpark filter test out.bp
zebra

$ ballpark filter build -k cuckoo -n 5000 -o no.bp members; ls no.bp
ballpark: filter build: room for 5,000 items, and there are 10,000 different ones
hint: no filter was written; give -n 10000, or none: then they are counted
ls: cannot access 'no.bp': No such file or directory
[2]

$ ballpark filter build -n 10000 -o b.bp members; ballpark filter add b.bp strangers
ballpark: warning: b.bp was made for 10,000 items at ...% but holds about ...; now ...% of all others are taken for members
hint: build it again with -n ... -p ...

$ ballpark filter build --growing -n 100 -o g.bp members; ballpark filter add g.bp strangers; ballpark info g.bp | grep -e layers -e health; ballpark filter test -vc g.bp members strangers
layers_max	64
layers	8
fpr_layers	...
health	ok
0
[1]

$ for k in cuckoo counting scalable; do for n in 0 1 2; do seq $n | ballpark filter build -k $k -o n.bp; seq $n | ballpark filter test -c n.bp; done; done | tr '\n' ' '
0 1 2 0 1 2 0 1 2 

# Keyed filters want their key; the seed is the filter's own.
$ printf '0123456789abcdef' > key; chmod go= key; ballpark filter build --deletable --key-file key -n 20000 -o k.bp members; ballpark filter add k.bp more
ballpark: k.bp: its items were hashed with a secret key (check value 7868525711491501636)
hint: --key-file FILE names the file that holds its key
[2]

$ ballpark filter add --key-file key k.bp more; ballpark filter remove --key-file key k.bp members; ballpark filter test -c --key-file key k.bp members more
20...

$ ballpark filter build -k cuckoo --seed 7 -n 20000 -o s.bp members; ballpark filter add s.bp more; ballpark filter test -c s.bp members more
12000

# Runs at the same time lose nothing of each other.
$ ballpark filter build --deletable -n 20000 -o par.bp < /dev/null; for i in 0 1 2 3; do seq $((i * 1000 + 1)) $((i * 1000 + 1000)) | ballpark filter add par.bp & done; wait; ballpark query par.bp | cut -f1
4000

# What cannot be done, and what does it.
$ ballpark filter remove bloom.bp more
ballpark: filter remove: bloom.bp: items cannot be taken out of a bloom
hint: they can of a cuckoo (`filter build --deletable`) and a counting_bloom
[2]

$ ballpark filter build --static -o f.bp members; ballpark filter add f.bp more
ballpark: filter add: f.bp: a binary_fuse is built of all its items at once, and takes no more
hint: build it again, of the old items and the new ones; a blocked_bloom can be added to
[2]

$ ballpark distinct -o h.bp members > /dev/null; ballpark filter add h.bp more
ballpark: h.bp: holds a sketch of kind hll, which is no filter
hint: `ballpark filter build -o FILTER FILE` makes one
[2]

$ ballpark filter add bloom.bp more missing
ballpark: missing: No such file or directory
hint: bloom.bp is as it was
[2]

$ ballpark filter add
ballpark: filter add: names no filter
hint: ballpark filter add FILTER [FILE]...: a file, which is changed
[2]

$ ballpark filter add - < bloom.bp
ballpark: filter add: names no filter
hint: ballpark filter add FILTER [FILE]...: a file, which is changed
[2]

$ ballpark filter build -k cuckoo -s state.bp members
ballpark: filter build: --state means nothing for the kind cuckoo
hint: `ballpark filter add state.bp` adds to one that is there
[2]

$ ballpark filter build -s cuckoo.bp members
ballpark: filter build: --state cuckoo.bp: holds a sketch of kind cuckoo; this command adds to blocked_bloom
hint: `ballpark filter add cuckoo.bp` adds to it; or name another state
[2]

# merge: the copies of both, the layers of both; what has no room for both says so.
$ for k in cuckoo counting scalable; do for f in members more; do ballpark filter build -k $k -n 20000 -o $f.b $f; done; ballpark merge members.b more.b -o u.b; ballpark filter test -c u.b members more; done
12000
12000
12000

$ ballpark filter build -k cuckoo -n 10500 -o a.b members; ballpark merge a.b a.b -o no.b
ballpark: a.b: the two are too many for one filter (got 20000, expected 10500)
hint: build one filter of both inputs, with -n for all their items
[2]
