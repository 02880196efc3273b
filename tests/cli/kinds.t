# Which kind of filter: by its short name, or by what is asked of it.
$ seq 1000 > members; seq 1001 2000 > strangers

# A block of one cache line an item from 0.1 % on; below that, and in bits or probes, a bloom.
$ for o in '' '-p 1%' '-p 0.1%' '-p 0.00099' '-p 1e-6' '-n 1000 -m 1K' '-n 1000 -m 4K' '-m 4K' '--bits 9000' '--hashes 3' '--static' '-k bloom' '-k blocked' '-k fuse' '-k blocked_bloom' '-k binary_fuse' '-k ribbon' '-k cuckoo' '-k counting' '-k scalable' '--deletable' '--growing'; do
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
-k ribbon -> ribbon
-k cuckoo -> cuckoo
-k counting -> counting_bloom
-k scalable -> scalable_bloom
--deletable -> cuckoo
--growing -> scalable_bloom

# --explain says why, and what the others would take.
$ ballpark filter build --explain -n 1000 -o f.bp members 2>&1 | grep -e kind -e others
kind: blocked_bloom (from 0.1% on: one cache line an item, for little more memory)
others: bloom 9.6, binary_fuse 18.7 (--static), counting_bloom 38.4, cuckoo 13.1 (--deletable), ribbon 10.3, scalable_bloom 14.3 (--growing) bits an item, for 1,000

$ ballpark filter build --explain -n 1000 -p 1e-5 -o f.bp members 2>&1 | grep -e kind -e others
kind: bloom (blocks of one cache line are for rates from 0.1% on)
others: binary_fuse 67.8 (--static), counting_bloom 95.9, ribbon 23, scalable_bloom 27.4 (--growing) bits an item, for 1,000

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

$ ballpark filter build -k quotient members
ballpark: filter build: --kind quotient: there is no such kind of sketch
hint: there are bloom, blocked_bloom, binary_fuse, counting_bloom, cuckoo, ribbon, scalable_bloom
[2]

$ ballpark filter build --static --growing members
ballpark: filter build: --static and --growing: no kind of filter is both
hint: `ballpark size` compares the kinds
[2]

$ for k in ribbon counting; do ballpark filter build -k $k --static members > /dev/null && echo $k; done
ribbon
ballpark: filter build: --kind counting_bloom: is not what --static asks for
hint: leave --kind away for a binary_fuse
[2]

$ ballpark filter build -k counting --deletable members | ballpark info - | grep kind
kind	counting_bloom

$ ballpark filter build -k cuckoo -p 1e-6 members
ballpark: filter build: no tags err as rarely as that: a higher fpr, or a counting_bloom (one in so many) (got 1000000; 8657 would do)
[2]

# The memory that would do is that of the narrowest tags which keep the rate.
$ ballpark size -k cuckoo -n 1160251 -m 1840000
ballpark: size: so many items at that rate take more memory: fewer items, a higher fpr or more memory (got 1840000; 1840136 would do)
[2]

$ ballpark size -k cuckoo -n 1160251 -m 1840136 | grep bytes
bytes	1840136

$ ballpark filter build -k ribbon -p 1e-12 members
ballpark: filter build: fpr must be from 1e-9 to 0.5
[2]

# The first layer of what grows is not counted; what it has grown to is said.
$ seq 250000 | ballpark filter build --growing --explain --verbose -o g.bp 2>&1 | grep -E '^items|^250'
items: 100,000 (default)
250,000 lines, about ... different, in a filter of ... for 300,000 at 1%

$ ballpark filter build -k scalable -m 1M members
ballpark: filter build: --memory means nothing for the kind scalable_bloom
hint: scalable_bloom takes --items --fpr
[2]

# A ribbon keeps any rate, from a set that is complete.
$ ballpark filter build --verbose -k ribbon -p 0.1% -o r.bp members members; ballpark filter test -c r.bp members; ballpark filter test -c r.bp strangers
2,000 lines, 1,000 different, in a filter of ... at 0.1%
1000
...

$ ballpark filter build -k ribbon -n 5 members
ballpark: filter build: --items means nothing for the kind ribbon
hint: it is built once, from the whole input, for a rate (--fpr)
[2]

# What cannot keep the rate is no row, and says why.
$ ballpark size -n 1e6 -p 1e-8
38.3403	1e-08	4792536	27	4792536	no	no	bloom
blocked_bloom: rates below 0.01 % waste memory in blocks: take a bloom
37.751	2.32831e-10	4718878	3	32772909	no	no	binary_fuse
153.361	1e-08	19170120	27	27170120	yes	no	counting_bloom
cuckoo: no tags err as rarely as that: a higher fpr, or a counting_bloom (one in so many)
32.7643	1e-08	4095542	8	29824061	no	no	ribbon
41.7535	1e-08	5219183	29	5219183	no	yes	scalable_bloom

# The sizes are those of the files.
$ seq 100000 > many; for k in bloom blocked counting cuckoo; do ballpark filter build -q -n 1e5 -k $k -o s.bp many; b=$(ballpark size -n 1e5 -k $k | sed -n 's/bytes.//p'); f=$(wc -c < s.bp); echo $k $((f - b < 200 && f >= b)); done
bloom 1
blocked 1
counting 1
cuckoo 1

$ ballpark size -k cuckoo -n 1e6 --format human
cuckoo: 1,000,000 items, 0.18% false positives

memory          1.51 MiB = 1.59 MB (1,585,160 bytes)
to build it     9.14 MiB = 9.59 MB (9,585,160 bytes)
bits            12.7 an item
lines           2 of the cache a question, at most

$ ballpark size -k scalable -n 1e6 --format human | head -6
scalable_bloom: a first layer for 1,000,000 items, 1% false positives however many come

           items        memory  bits/item  lines
       1,000,000      1.65 MiB       13.8      1
       3,000,000      5.09 MiB       14.2      2
       7,000,000      12.3 MiB       14.7      3

# More than there is memory for.
$ for k in blocked cuckoo scalable; do ballpark filter build -k $k -n 1099511627776 -o no.bp members; done
ballpark: filter build: out of memory for a filter of 1.26 TiB
hint: a smaller -n, or a higher --fpr, makes a smaller one
ballpark: filter build: out of memory for a filter of 1.59 TiB
hint: a smaller -n, or a higher --fpr, makes a smaller one
ballpark: filter build: out of memory for a filter of 1.73 TiB
hint: a smaller -n, or a higher --fpr, makes a smaller one
[2]
