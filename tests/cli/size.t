# size: the calculator. Every row of the sizing table that the project is built from.

# A million items at 1 %: 9,585,059 bits, about 1.14 MiB, 7 hashes, 9.6 bits an item;
# 2.8, 5.8, 15.7 and 43.6 % past capacity; 52, 60, 67, 77 and 89 % of the bits set.
$ ballpark size -k bloom -n 1000000 -p 1% --format human
Bloom filter: 1,000,000 items, 1% false positives

memory          1.14 MiB = 1.2 MB (1,198,136 bytes)
bits            9,585,059, 9.59 an item
hashes          7; 6.64 would be ideal (bits an item x ln 2)
                the best for this size

           items               bits set  false positives
       1,000,000  as planned        52%               1%
       1,250,000  1.25 times        60%             2.8%
       1,500,000  1.5 times         67%             5.8%
       2,000,000  2 times           77%            15.7%
       3,000,000  3 times           89%            43.6%

exact instead   16 MB as a hash table of 8-byte fingerprints or a list of 16-byte ids,
                80 MB as strings of 80 bytes, such as URLs
                a set of 1,000,000 items is small: as 8-byte ids it takes 8 MB, and
                exact (sort -u, a hash set, an index) is never wrong
not for         billing, quotas, access or uniqueness: a yes may be wrong; a no never is

$ ballpark size -k bloom -n 1000000 -p 1% --format plain
kind	bloom
items	1000000
fpr	0.01
bits	9585059
hashes	7
bytes	1198136
overload	1	0.0100392	0.518237
overload	1.25	0.0275502	0.598633
overload	1.5	0.0578829	0.665613
overload	2	0.157453	0.767905
overload	3	0.436038	0.888185

# A hundred thousand at 1 %: 958,506 bits, 7 hashes.
$ ballpark size -k bloom -n 100000 -p 0.01 | grep -E 'bits|hashes'
bits	958506
hashes	7

# Bits an item at 10, 1, 0.1 and 0.01 %: 4.8, 9.6, 14.4, 19.2, with 3, 7, 10, 13 hashes;
# 1e9 items take 0.6, 1.2, 1.8 and 2.4 GB.
$ ballpark size -k bloom -n 1e9 -p 10% --format human | sed -n '3,5p'
memory          571.3 MiB = 599 MB (599,066,152 bytes)
bits            4,792,529,189, 4.79 an item
hashes          3; 3.32 would be ideal (bits an item x ln 2)

$ ballpark size -k bloom -n 1e9 -p 1e-2 --format human | sed -n '3,5p'
memory          1.12 GiB = 1.2 GB (1,198,132,304 bytes)
bits            9,585,058,378, 9.59 an item
hashes          7; 6.64 would be ideal (bits an item x ln 2)

$ ballpark size -k bloom -n 1e9 -p 0.1% --format human | sed -n '3,5p'
memory          1.67 GiB = 1.8 GB (1,797,198,448 bytes)
bits            14,377,587,567, 14.4 an item
hashes          10; 9.97 would be ideal (bits an item x ln 2)

$ ballpark size -k bloom -n 1e9 -p 0.01% --format human | sed -n '3,5p'
memory          2.23 GiB = 2.4 GB (2,396,264,600 bytes)
bits            19,170,116,755, 19.2 an item
hashes          13; 13.29 would be ideal (bits an item x ln 2)

# 6 MB, a million items, 3 hashes: 2.2e-4; 33.27 would be ideal, but not worth it.
$ ballpark size -m 6MB -n 1e6 --hashes 3 --format human | sed -n '1,9p'
Bloom filter: 1,000,000 items, 2.2e-4 false positives

memory          5.72 MiB = 6 MB (6,000,000 bytes)
bits            48,000,000, 48 an item
hashes          3; 33.27 would be ideal (bits an item x ln 2)
                33 would give 9.7e-11, but 2.2e-4 is already far below 1%:
                30 more probes an item are not worth their cost

           items               bits set  false positives

# 60 MB: 2.4e-7.
$ ballpark size -m 60MB -n 1e6 --hashes 3 --format human | sed -n '1p'
Bloom filter: 1,000,000 items, 2.4e-7 false positives

# The best number of hashes is chosen when none is given, with the same advice.
$ ballpark size -m 6MB -n 1e6 --format human | sed -n '3,7p'
memory          5.72 MiB = 6 MB (6,000,000 bytes)
bits            48,000,000, 48 an item
hashes          33; 33.27 would be ideal (bits an item x ln 2)
                the best for this size, but 3 already give 2.2e-4 (--hashes 3):
                30 more probes an item are not worth their cost if that will do

# c bits an item: k = c ln 2, 0.6185^c. 8 bits: 6 hashes, about 2 %.
$ ballpark size --bits 8e6 -n 1e6 --format human | sed -n '1,6p'
Bloom filter: 1,000,000 items, 2.2% false positives

memory          976.6 KiB = 1 MB (1,000,000 bytes)
bits            8,000,000, 8 an item
hashes          6; 5.55 would be ideal (bits an item x ln 2)
                the best for this size

# One hash, 10 bits an item: 9.5 %; 1 % takes about 100 bits an item.
$ ballpark size --bits 10e6 -n 1e6 --hashes 1 --format human | sed -n '1,6p'
Bloom filter: 1,000,000 items, 9.5% false positives

memory          1.19 MiB = 1.25 MB (1,250,000 bytes)
bits            10,000,000, 10 an item
hashes          1; 6.93 would be ideal (bits an item x ln 2)
                more are worth it: 7 would give 0.82% instead of 9.5%

$ ballpark size -n 1e6 -p 1% --hashes 1 --format human | sed -n '3,6p'
memory          11.9 MiB = 12.4 MB (12,437,400 bytes)
bits            99,499,163, 99.5 an item
hashes          1; 68.97 would be ideal (bits an item x ln 2)
                7 would keep the rate with 9,585,059 bits, 9.59 an item

# Bits alone: how many items they are good for. A rate and a size: the same.
$ ballpark size --bits 9585059 --format plain | sed -n '1,5p'
kind	bloom
items	1000000
fpr	0.01
bits	9585059
hashes	7

$ ballpark size -m 1MiB -p 0.1% --format plain | sed -n '1,5p'
kind	bloom
items	583450
fpr	0.00100002
bits	8388608
hashes	10

# Count-Min: (0.01, 0.01) 272 x 5, (0.001, 0.01) 2719 x 5, (1e-5, 0.01) 271,829 x 5;
# 5.4 kB, 54.4 kB, 5.4 MB with 4-byte counters, 108.8 kB at 0.001 with 8-byte ones.
$ ballpark size -e 0.01 --delta 0.01 --format human
Count-Min sketch: counts over by at most 1% of the total, in all but 1% of answers

memory          5.31 KiB = 5.44 kB (5,440 bytes) with 32-bit counters
                10.6 KiB = 10.9 kB (10,880 bytes) with 64-bit ones, for counts
                above 4,294,967,295
table           272 x 5 counters

error           of 1,000,000 counted, over by at most 10,000
                of 1,000,000,000 counted, over by at most 10,000,000
not for         billing or quotas, nor for rare items: a small count is mostly error

$ ballpark size -e 0.001 --delta 1% --format human | sed -n '3,6p'
memory          53.1 KiB = 54.4 kB (54,380 bytes) with 32-bit counters
                106.2 KiB = 109 kB (108,760 bytes) with 64-bit ones, for counts
                above 4,294,967,295
table           2,719 x 5 counters

$ ballpark size -e 1e-5 --delta 0.01 --format plain
kind	count_min
bytes	5436580
width	271829
depth	5
epsilon	1e-05
delta	0.01

# HyperLogLog: p = 4: 26 %, 10: 3.25 %, 12: 1.63 %, 14: 0.81 %, 16: 0.41 %; 768 B, 3, 12
# and 48 KiB.
$ for p in 4 10 12 14 16; do ballpark size --precision $p --format plain; done
kind	hll
bytes	12
precision	4
standard_error	0.26
kind	hll
bytes	768
precision	10
standard_error	0.0325
kind	hll
bytes	3072
precision	12
standard_error	0.01625
kind	hll
bytes	12288
precision	14
standard_error	0.008125
kind	hll
bytes	49152
precision	16
standard_error	0.0040625

$ ballpark size --precision 14 --format human
HyperLogLog: standard error 0.81%, within 1.6% in 95% of answers

memory          12.0 KiB = 12.3 kB (12,288 bytes), less while few
precision       14: 16,384 registers of 6 bits

not for         billing or quotas, nor to list the items: it counts them

# The lowest precision that keeps an error.
$ for e in 26% 3.25% 1.63% 0.82% 0.81% 0.41% 1% 0.5%; do
> ballpark size -e $e | sed -n 's/precision.//p'; done
4
10
12
14
15
16
14
16

# 30 days x 10,000 pages at p = 12: 0.92 GB, and at most 1.2 with 8-bit registers.
$ echo $((30 * 10000 * $(ballpark size --precision 12 | sed -n 's/bytes.//p')))
921600000

# The scale table. 10 billion URLs: 160 GB of fingerprints, 800 GB of strings, 12 GB here.
$ ballpark size -k bloom -n 10e9 -p 1% --format human | grep -E 'memory|exact|strings'
memory          11.2 GiB = 12 GB (11,981,322,976 bytes)
exact instead   160 GB as a hash table of 8-byte fingerprints or a list of 16-byte ids,
                800 GB as strings of 80 bytes, such as URLs

# 200 million visitors: 3.2 GB of ids, or 12 KB at 0.8 %.
$ ballpark size -k hll -n 200e6 --format human
HyperLogLog: standard error 0.81%, within 1.6% in 95% of answers

memory          12.0 KiB = 12.3 kB (12,288 bytes), less while few
precision       14: 16,384 registers of 6 bits

error           of 200,000,000 different items, 3,185,000 either way in 95% of answers
exact instead   3.2 GB as a hash table of 8-byte fingerprints or a list of 16-byte ids,
                16 GB as strings of 80 bytes, such as URLs
not for         billing or quotas, nor to list the items: it counts them

# Counts over a billion events: gigabytes, or 5.4 MB and over by at most 10,000.
$ ballpark size -n 1e9 -e 1e-5 --delta 1% --format human
Count-Min sketch: counts over by at most 1e-5 of the total, in all but 1% of answers

memory          5.18 MiB = 5.44 MB (5,436,580 bytes) with 32-bit counters
                10.4 MiB = 10.9 MB (10,873,160 bytes) with 64-bit ones, for counts
                above 4,294,967,295
table           271,829 x 5 counters

error           of 1,000,000,000 counted, over by at most 10,000
exact instead   up to 32 GB: 8-byte fingerprint and count for each different item, if
                no two are the same, in a hash table kept half full
not for         billing or quotas, nor for rare items: a small count is mostly error

# Ten thousand items are a few hundred kilobytes: a sketch is the wrong tool.
$ ballpark size -k bloom -n 10000 -p 1% --format human | tail -5
exact instead   160 kB as a hash table of 8-byte fingerprints or a list of 16-byte ids,
                800 kB as strings of 80 bytes, such as URLs
                a set of 10,000 items is small: as 8-byte ids it takes 80 kB, and
                exact (sort -u, a hash set, an index) is never wrong
not for         billing, quotas, access or uniqueness: a yes may be wrong; a no never is

# JSON, as far as the names apply.
$ ballpark size -k bloom -n 100000 -p 1% --format json
{"kind": "bloom", "items": 100000, "fpr": 0.01, "bits": 958506, "hashes": 7, "bytes": 119816, "overload": [{"times": 1.0, "fpr": 0.0100392..., "fill": 0.5182371...}, {"times": 1.25, "fpr": 0.0275501..., "fill": 0.5986329...}, {"times": 1.5, "fpr": 0.0578829..., "fill": 0.6656125...}, {"times": 2.0, "fpr": 0.1574528..., "fill": 0.7679045...}, {"times": 3.0, "fpr": 0.4360377..., "fill": 0.8881850...}]}

$ ballpark size -e 0.001 --delta 0.01 --format json
{"kind": "count_min", "bytes": 54380, "width": 2719, "depth": 5, "epsilon": 0.001, "delta": 0.01}

$ ballpark size --precision 12 --format json
{"kind": "hll", "bytes": 3072, "precision": 12, "standard_error": 0.01625}

# The kind, when -k does not say: by the options.
$ for o in '-k bloom' '--bits 800' '--hashes 3' '--delta 1%' '--width 9' '--depth 2' \
> '--precision 9' '-e 2%' '-k fuse' '-m 1M' '-e 2% --depth 3' '-k hll'; do
> ballpark size $o | head -1; done
kind	bloom
kind	bloom
kind	bloom
kind	count_min
kind	count_min
kind	count_min
kind	hll
kind	hll
kind	binary_fuse
kind	bloom
kind	count_min
kind	hll

# What it refuses.
$ ballpark size -n 1e6 -p 1% -m 6MB
ballpark: size: items, rate and size contradict each other: leave one out (got 48000000; 9585059 would do)
[2]

$ ballpark size -p 1% --delta 1%
ballpark: size: --fpr and --delta ask for different kinds of sketch
hint: filters take --fpr, some --bits and --hashes; count_min --error --delta --width --depth, hll --error --precision; each --items, most --memory
[2]

$ ballpark size hll
ballpark: size: hll: size reads no files
hint: ballpark size -k hll
[2]

$ ballpark size -k hll -p 1%
ballpark: size: --fpr means nothing for the kind hll
hint: filters take --fpr, some --bits and --hashes; count_min --error --delta --width --depth, hll --error --precision; each --items, most --memory
[2]

$ ballpark size -k top_k -n 10
ballpark: size: no arithmetic for the kind top_k
hint: it knows the filters, count_min and hll; a top_k is a count_min (ask for that) with its list of keys beside it
[2]

$ ballpark size -k hl
ballpark: size: --kind hl: there is no such kind of sketch
hint: did you mean hll?
[2]

$ ballpark size --precision 12 -e 1%
ballpark: size: --error, --precision and --memory each decide an hll's size
hint: give one of them
[2]

$ ballpark size -e 1% --width 10 --depth 3
ballpark: size: --error, --width and --memory each decide the width
hint: give one of them
[2]

$ ballpark size --delta 1% --depth 3
ballpark: size: --delta and --depth each decide the depth
hint: give one of them
[2]

$ ballpark size -e 0.1%
ballpark: size: hll: no precision keeps the standard error that low
hint: the best is 0.2%, with --precision 18
[2]

$ ballpark size -k hll -m 3
ballpark: size: hll: --memory is below the 12 bytes of --precision 4
[2]

$ ballpark size -k bloom -n 9223372036854775808
ballpark: size: items must be 1 to 2^62 (got 9223372036854775808; 4611686018427387904 would do)
[2]

$ ballpark size -k bloom -n 1e30
ballpark: size: --items 1e30: is too large: the most is 2^64 - 1
[2]

$ ballpark size -k bloom -n 4e18 -p 1e-9
ballpark: size: a 64-bit hash cannot keep so low a false positive rate for so many items (got 4000000000000000000; 1152921504 would do)
[2]

$ ballpark size -k bloom -n 0
ballpark: size: --items 0: must be at least 1
[2]

$ ballpark size -k bloom -n 10M
ballpark: size: --items 10M: has a unit, which for a count could mean 1000 or 1024: write it out, or as 10e6
[2]

$ ballpark size -k bloom -n 1.5
ballpark: size: --items 1.5: is not a whole number
[2]

$ ballpark size -k bloom -p 0
ballpark: size: --fpr 0: must be between 0 and 1, or 0% and 100%, and neither end
[2]

$ ballpark size -k bloom -p 100%
ballpark: size: --fpr 100%: must be between 0 and 1, or 0% and 100%, and neither end
[2]

$ ballpark size -k bloom -p 60%
ballpark: size: the false positive rate must lie between 1e-15 and 0.5 (1 % is 0.01)
[2]

$ ballpark size -k bloom -p 1e-16
ballpark: size: the false positive rate must lie between 1e-15 and 0.5 (1 % is 0.01)
[2]

$ ballpark size -k bloom -p 1x
ballpark: size: --fpr 1x: is not a number: write it as 0.01, 1e-3 or 1%
[2]

$ ballpark size --bits 8 -n 100
ballpark: size: too small for so many items: nearly every key would be answered yes (got 8; 100 would do)
[2]

$ ballpark size --precision 3
ballpark: size: --precision 3: must be 4 to 18
[2]

$ ballpark size --hashes 65
ballpark: size: --hashes 65: must be 1 to 64
[2]

$ ballpark size --depth 33
ballpark: size: --depth 33: must be 1 to 32
[2]

$ ballpark size -e 1e-12 --depth 3
ballpark: size: epsilon must be a fraction of the total, as 0.001
[2]

$ ballpark size -m 1Q
ballpark: size: --memory 1Q: has an unknown unit: K, M, G, T and KiB, MiB, ... are 1024-based, kB, MB, GB, TB 1000-based
[2]

$ ballpark size access.log
ballpark: size: access.log: size reads no files
hint: `ballpark info FILE` tells what a saved sketch is
[2]


# An error that the next lower precision all but keeps.
$ ballpark size -e 0.8% --format human | grep half; ballpark size -e 0.75% --format human | grep half
                0.8125% takes half the memory: --precision 14
[1]

# A blocked filter: rates and sizes from the exact sum over its blocks.
$ ballpark size -k blocked_bloom -n 1e6 --format human
Blocked Bloom filter: 1,000,000 items, 1% false positives

memory          1.21 MiB = 1.26 MB (1,263,680 bytes)
blocks          19,745 of 64 bytes, 10.1 bits an item
hashes          8, in one block
beside          a bloom of this rate takes 1.2 MB, 5% less; but the bits of an item lie
                in 7 cache lines there, in one here

           items               bits set  false positives
       1,000,000  as planned        55%               1%
       1,250,000  1.25 times        63%             2.8%
       1,500,000  1.5 times         69%               6%
       2,000,000  2 times           79%            16.6%
       3,000,000  3 times           91%            46.3%

exact instead   16 MB as a hash table of 8-byte fingerprints or a list of 16-byte ids,
                80 MB as strings of 80 bytes, such as URLs
                a set of 1,000,000 items is small: as 8-byte ids it takes 8 MB, and
                exact (sort -u, a hash set, an index) is never wrong
not for         billing, quotas, access or uniqueness: a yes may be wrong; a no never is

$ ballpark size -k blocked_bloom -n 1e6 -p 0.1% --format plain
kind	blocked_bloom
items	1000000
fpr	0.000996451
bits	15734784
hashes	8
blocks	30732
bytes	1966848
overload	1	0.000996451	0.39856
overload	1.25	0.00329627	0.470348
overload	1.5	0.00830868	0.533567
overload	2	0.0315188	0.638269
overload	3	0.147689	0.782441

$ ballpark size -k blocked_bloom -n 1e6 -p 10% | grep hashes
hashes	4

$ ballpark size -k blocked_bloom -m 64K | sed -n '2,3p'
items	51861
fpr	0.00995128

$ ballpark size -k blocked_bloom -n 1e6 -p 1e-5
ballpark: size: rates below 0.01 % waste memory in blocks: take a bloom
[2]

$ ballpark size -k blocked_bloom --bits 1000
ballpark: size: --bits means nothing for the kind blocked_bloom
hint: blocked_bloom takes --items --fpr --memory --hashes --layout
[2]
