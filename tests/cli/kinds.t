# Which kind of filter: by its short name, or by what is asked of it.
$ seq 1000 > members; seq 1001 2000 > strangers

# A block of one cache line an item from 0.1 % on; below that, and in bits or probes, a bloom.
$ for o in '' '-p 1%' '-p 0.1%' '-p 0.00099' '-p 1e-6' '-n 1000 -m 1K' '-n 1000 -m 4K' '-m 4K' '--bits 9000' '--hashes 3' '--static' '-k bloom' '-k blocked' '-k fuse' '-k blocked_bloom' '-k binary_fuse'; do
> ballpark filter build $o members | ballpark info - | sed -n "s/kind./$o -> /p"; done
 -> blocked_bloom
-p 1% -> blocked_bloom
-p 0.1% -> blocked_bloom
-p 0.00099 -> bloom
-p 1e-6 -> bloom
-n 1000 -m 1K -> blocked_bloom
-n 1000 -m 4K -> bloom
-m 4K -> bloom
--bits 9000 -> bloom
--hashes 3 -> bloom
--static -> binary_fuse
-k bloom -> bloom
-k blocked -> blocked_bloom
-k fuse -> binary_fuse
-k blocked_bloom -> blocked_bloom
-k binary_fuse -> binary_fuse

# --explain says why, and what the others would take.
$ ballpark filter build --explain -n 1000 -o f.bp members 2>&1 | grep -e kind -e others
kind: blocked_bloom (from 0.1% on: one cache line an item, for little more memory)
others: bloom 9.6, binary_fuse 18.7 (--static), counting_bloom 38.4, cuckoo 13.1 (--deletable), scalable_bloom 14.3 (--growing) bits an item, for 1,000

$ ballpark filter build --explain -n 1000 -p 1e-5 -o f.bp members 2>&1 | grep -e kind -e others
kind: bloom (blocks of one cache line are for rates from 0.1% on)
others: binary_fuse 67.8 (--static), counting_bloom 95.9, scalable_bloom 27.4 (--growing) bits an item, for 1,000

$ ballpark filter build --explain --static -o f.bp members 2>&1 | grep kind
kind: binary_fuse (--static)

# What does not go together, and what a kind does not take.
$ ballpark filter build -k bloom --static members
ballpark: filter build: --kind bloom: is not what --static asks for
hint: leave --kind away for a binary_fuse
[2]

$ ballpark filter build -k fuse --hashes 3 members
ballpark: filter build: --hashes means nothing for the kind binary_fuse
hint: it is built once, from the whole input, for a rate (--fpr)
[2]

$ ballpark filter build -k blokced members
ballpark: filter build: --kind blokced: there is no such kind of sketch
hint: did you mean blocked?
[2]
