# info: what a saved sketch is, holds and is worth.
$ seq 10000 > ten; ballpark filter build -k bloom -n 20000 -o f.bp ten; ballpark info --format human f.bp
f.bp: bloom, format 1, xxh3
  seed                 0
  bits                 191,702
  hashes               7
  items                20,000
  fpr design           1%
  bits set             58,684 bits
  fill                 30.6%
  fpr now              0.025%
  capacity left        9,99... items
  estimate             10,008, 9,974 to 10,043 with 95% confidence
  file                 23.5 KiB (24,104 bytes), checksums right
  health               ok

$ ballpark info f.bp
file	f.bp
kind	bloom
format	1
hash	xxh3
seed	0
bits	191702
hashes	7
items	20000
fill	0.306121
fpr_design	0.01
fpr_now	0.000251914
estimate	10008
lower	9974
upper	10043
confidence	0.95
bits_set	58684
capacity_left	999...
bytes	24104
health	ok

$ ballpark info --format json f.bp
{"file": "f.bp", "kind": "bloom", "format": 1, "hash": "xxh3", "parameters": {"seed": 0, "bits": 191702, "hashes": 7, "items": 20000, "fpr_design": 0.01}, "items": 20000, "fill": 0.306120958571116, "fpr_design": 0.01, "fpr_now": 0.000251913505927658, "estimate": 10008, "lower": 9974, "upper": 10043, "confidence": 0.95, "bits_set": 58684, "capacity_left": 999..., "bytes": 24104, "health": "ok"}

$ ballpark distinct -o h.bp ten > /dev/null; ballpark info --format human h.bp
h.bp: hll, format 1, xxh3
  seed                 0
  precision            14
  registers            16,384
  standard error       0.81%
  form                 dense
  zero registers       8,886
  saturated registers  0
  estimate             10,020, 9,904 to 10,137 with 95% confidence
  file                 12.1 KiB (12,424 bytes), checksums right
  health               ok

$ ballpark info --format json h.bp
{"file": "h.bp", "kind": "hll", "format": 1, "hash": "xxh3", "parameters": {"seed": 0, "precision": 14, "registers": 16384, "standard_error": 0.008125}, "estimate": 10020, "lower": 9904, "upper": 10137, "confidence": 0.95, "form": "dense", "zero_registers": 8886, "saturated_registers": 0, "bytes": 12424, "health": "ok"}

$ seq 50 | ballpark distinct -o s.bp > /dev/null; ballpark info --format human --confidence 99.9 s.bp
s.bp: hll, format 1, xxh3
  seed                 0
  precision            14
  registers            16,384
  standard error       0.81%
  form                 sparse
  tokens               50
  estimate             50, 50 to 50 with 99.9% confidence
  file                 336 B (336 bytes), checksums right
  health               ok

$ yes | head -1000 | ballpark top -o t.bp > /dev/null; ballpark info --format human t.bp
t.bp: top_k, format 1, xxh3
  seed                 0
  k                    10 keys
  memory limit         ...
  depth                ...
  candidates           ... keys
  mode                 exact
  keys                 1
  total                1,000 ...
  table total          0 ...
  epsilon total        0 ...
  largest              1,000 ...
  smallest listed      1,000 ...
  verdict              heavy hitters
  file                 152 B (152 bytes), checksums right
  health               ok

$ ballpark info --format json t.bp
{"file": "t.bp", "kind": "top_k", "format": 1, "hash": "xxh3", "parameters": {"seed": 0, "k": 10, "memory_limit": ..., "depth": ..., "candidates": ...}, "items": 1000, "mode": "exact", "keys": 1, "total": 1000, "table_total": 0, "epsilon_total": 0.0, "largest": 1000, "smallest_listed": 1000, "verdict": "heavy hitters", "bytes": 152, "health": "ok"}

# Several files, and standard input.
$ ballpark info --format json f.bp h.bp | wc -l
2

$ ballpark info - < h.bp | head -2
file	-
kind	hll

$ cat h.bp | ballpark info | head -2
file	-
kind	hll

# Health: near and over, with what to do.
$ ballpark filter build -k bloom -n 9900 -o near.bp ten; ballpark info --format human near.bp | tail -1
ballpark: warning: near.bp was made for 9,900 items at 1% but holds about 10,037; now 1.1% of all others are taken for members
hint: build it again with -n 10089 -p 0.01
  advice               over capacity: wrong yes answers exceed the design; build a new filter with more items

$ ballpark filter build -k bloom -q -n 5000 -o over.bp ten; ballpark info --format human over.bp | grep -E 'fill|fpr|estimate|health'
  fpr design           1%
  fill                 77%
  fpr now              16.1%
  estimate             10,071, 9,986 to 10,157 with 95% confidence
  health               over

$ ballpark filter build -k bloom -q -n 10 -o full.bp ten; ballpark info --format json full.bp
{"file": "full.bp", "kind": "bloom", "format": 1, "hash": "xxh3", "parameters": {"seed": 0, "bits": 96, "hashes": 7, "items": 10, "fpr_design": 0.01}, "items": 10, "fill": 1.0, "fpr_design": 0.01, "fpr_now": 1.0, "estimate": null, "lower": 40, "upper": null, "confidence": 0.95, "bits_set": 96, "capacity_left": 0, "bytes": 152, "health": "over"}

# What is no sketch, or no longer one: the file, the byte, the mend.
$ ballpark info ten
ballpark: ten: not a ballpark sketch
hint: -o of distinct, top, count build and filter build writes sketches
[2]

$ ballpark info missing
ballpark: missing: No such file or directory
[2]

$ ballpark info .
ballpark: .: Is a directory
[2]

$ : > empty; ballpark info empty
ballpark: empty: is empty, not a saved sketch
[2]

$ printf '\211ballp' > short; ballpark info short
ballpark: short: too short for a sketch (got 6, expected 64), at byte 0
hint: it was cut short or changed after it was written: copy it again, or make it again from its input
[2]

$ head -c 3000 f.bp > cut; ballpark info cut
ballpark: cut: the sketch is cut short (got 3000, expected 24104), at byte 3000
hint: it was cut short or changed after it was written: copy it again, or make it again from its input
[2]

$ (cat f.bp; echo) > more; ballpark info more
ballpark: more: bytes follow the sketch (got 24105, expected 24104), at byte 24104
hint: it was cut short or changed after it was written: copy it again, or make it again from its input
[2]

$ (head -c 5000 f.bp; printf X; tail -c +5002 f.bp) > flipped; ballpark info flipped
ballpark: flipped: a payload block's checksum is wrong, at byte 128
hint: it was cut short or changed after it was written: copy it again, or make it again from its input
[2]

$ (head -c 60 f.bp; printf X; tail -c +62 f.bp) > flipped; ballpark info flipped
ballpark: flipped: the header's checksum is wrong, at byte 120
hint: it was cut short or changed after it was written: copy it again, or make it again from its input
[2]

# A newer format, a newer kind, a newer feature.
$ (head -c 8 f.bp; printf '\002'; tail -c +10 f.bp) > newer; ballpark info newer
ballpark: newer: written in a newer format; upgrade ballpark (got 2, expected 1), at byte 8
hint: a newer ballpark wrote it; this one is 0.1.0
[2]

# One bad file does not hide the others.
$ ballpark info ten h.bp | head -2
ballpark: ten: not a ballpark sketch
hint: -o of distinct, top, count build and filter build writes sketches
file	h.bp
kind	hll

# A text-mode copy breaks the first bytes.
$ sed 's/$/\r/' f.bp > text; ballpark info text
ballpark: text: not a ballpark sketch
hint: -o of distinct, top, count build and filter build writes sketches
[2]


$ n=$(printf 'a\033[31m'); cp f.bp "$n"; ballpark info --format human "$n" | head -n1
a\x1b[31m: bloom, format 1, xxh3
