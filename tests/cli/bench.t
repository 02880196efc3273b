# bench: a row for every operation, the hash alone first.
$ ballpark bench -k hll -n 1000 | cut -f3-
xxh3	hash	key
hll	add	key
hll	add hash	key
hll	merge	sketch
hll	estimate	sketch
hll	encode	sketch
hll	decode	sketch

$ ballpark bench -k top_k -n 100 --format csv | cut -d, -f3-
kind,operation,unit
xxh3,hash,key
top_k,add,key
top_k,ask,key
top_k,merge,sketch
top_k,encode,sketch
top_k,decode,sketch

$ ballpark bench -k bloom -n 1 --format json | sed -n 2p
{"ns": ..., "per_second": ..., "kind": "bloom", "operation": "add", "unit": "key"}

# Every kind of the registry is measured, and every figure is one.
$ ballpark size -k nothing-like-it 2>&1 | sed -n 's/hint: there are //p' | tr -s ', ' '\n' | sort > kinds
$ ballpark bench -n 100 > rows; cut -f3 rows | grep -v xxh3 | sort -u | cmp - kinds
$ awk -F '\t' '!($1 > 0 && $2 > 0 && $1 * $2 < 1.01e9 && $1 * $2 > 0.5e9)' rows

$ ballpark bench -n 0
ballpark: bench: --items 0: must be 1 to 100000000
[2]

$ ballpark bench -n 1e9
ballpark: bench: --items 1000000000: must be 1 to 100000000
[2]

$ ballpark bench access.log
ballpark: bench: access.log: bench reads no files
[2]
