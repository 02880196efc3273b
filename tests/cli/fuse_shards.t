# filter build -k binary_fuse of sets that are built shard by shard.
$ seq 1 3000000 > members

# The bytes are those of the set, whatever the order, the threads and the memory.
$ ballpark filter build --verbose -k fuse -t1 -o one.bp members
3,000,000 lines, 3,000,000 different, in a filter of 3.28 MiB at 0.39%
2 shards, 0 B of hashes in the temporary file

$ ballpark filter build -k fuse -t2 members | cmp - one.bp

$ tac members | ballpark filter build --verbose -k fuse -t1 -m 1M -o few.bp; cmp few.bp one.bp
3,000,000 lines, 3,000,000 different, in a filter of 3.28 MiB at 0.39%
2 shards, 22.0 MiB of hashes in the temporary file

# Every member is found, of strangers one in 256.
$ ballpark filter test -c one.bp members
3000000

$ seq 3000001 4000000 | ballpark filter test -c one.bp
3816

# Repeated lines take no memory and no place in the file.
$ for i in 1 2 3 4 5 6 7 8 9 10; do seq 1 200000; done | ballpark filter build --verbose -k fuse -m 4M -o many.bp
2,000,000 lines, 200,000 different, in a filter of 228.0 KiB at 0.39%

$ seq 1 200000 | ballpark filter build -k fuse | cmp - many.bp

$ yes | head -n 3000000 | ballpark filter build --verbose -k fuse -m 1M -o yes.bp
3,000,000 lines, 1 different, in a filter of 12 B at 0.39%

$ ballpark info one.bp | grep -e shards -e items -e cells
shards	2
items	3000000
cells	3440640

# Where the temporary file cannot be: nothing is written.
$ TMPDIR=missing ballpark filter build -k fuse -m 1M -o not.bp members
ballpark: the temporary file for the items' hashes: No such file or directory
hint: TMPDIR names a directory with more room; --memory lets filter build keep more in memory
[2]

$ ls
few.bp
many.bp
members
one.bp
yes.bp
