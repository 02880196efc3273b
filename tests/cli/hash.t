# --seed and --key-file: another hash, and one that nobody outside can foresee.
$ seq 1000 > in && printf '0123456789abcdef' > raw && chmod 600 raw
$ printf '30313233343536373839616263646566\n' > hex && chmod 600 hex
$ printf '30313233343536373839414243444546' > other && chmod 600 other

# A sketch carries its seed: nothing needs to be said when it is asked.
$ ballpark filter build -n 2000 --seed 7 -o s.bp in && printf '5\nx\n1000\n' | ballpark filter test s.bp
5
1000

$ ballpark info --format plain s.bp | grep -E '^(hash|seed|key_check)\s'
hash	xxh3
seed	7

$ printf '5\n' | ballpark filter test --seed 7 s.bp
5

$ printf '5\n' | ballpark filter test --seed 8 s.bp
ballpark: filter test: --seed 8: s.bp was made with seed 7
hint: leave the option away: a sketch knows its hash and seed
[2]

# Field or line, short or long, from one thread or two: one hash.
$ for f in -f1 -t1 -t2; do ballpark distinct --seed 9 $f -o $f.bp ./in; done; cmp -- -f1.bp -t1.bp && cmp -- -f1.bp -t2.bp
1000
1000
1000

# (A line that is longer than a block is hashed as it comes.)
$ (head -c 300000 /dev/zero | tr '\0' x; echo) > long; for k in '--seed 3' '--key-file raw' ''; do ballpark filter build -n 10 $k -o l.bp long && ballpark filter test -c $k l.bp long; done
1
1
1

# A key is 16 bytes or 32 hex digits, with or without a line end; the file keeps none of it.
$ ballpark filter build -n 2000 --key-file raw -o k.bp in && printf '5\nx\n1000\n' | ballpark filter test --key-file hex k.bp
5
1000

$ printf '%s\r\n' $(cat hex) > crlf && chmod 600 crlf && printf '5\n' | ballpark filter test --key-file crlf k.bp
5

$ grep -c 0123456789abcdef k.bp
0
[1]

$ ballpark info --format plain k.bp | grep -E '^(hash|seed|key_check)\s'
hash	siphash24
key_check	7868525711491501636

# Without its key it can be told of and merged, not asked.
$ ballpark merge k.bp k.bp -o kk.bp && ballpark filter test kk.bp in
ballpark: kk.bp: its items were hashed with a secret key (check value ...)
hint: --key-file FILE names the file that holds its key
[2]

$ ballpark filter test --key-file other kk.bp in
ballpark: kk.bp: made with another key than that of --key-file (check value ..., not ...)
hint: --key-file FILE names the file that holds its key
[2]

$ ballpark filter test --key-file raw s.bp in
ballpark: filter test: --key-file raw: s.bp has no key; its hash is xxh3, seed 7
hint: leave the option away: a sketch knows its hash and seed
[2]

$ ballpark filter build -n 2000 --key-file other -o o.bp in && ballpark merge k.bp o.bp -o no
ballpark: merge: o.bp does not go with k.bp: key_check is ... in k.bp and ... in o.bp
hint: make both with the same --key-file
[2]

$ ballpark filter build -n 2000 -o p.bp in && ballpark merge k.bp p.bp -o no
ballpark: merge: p.bp does not go with k.bp: hash is siphash24 in k.bp and xxh3 in p.bp
hint: make both with the same --seed or --key-file
[2]

$ ballpark merge s.bp p.bp -o no
ballpark: merge: p.bp does not go with s.bp: seed is 7 in s.bp and 0 in p.bp
hint: make both with the same --seed
[2]

# The counting commands take both.
$ ballpark distinct --key-file raw in; ballpark top --key-file raw -n1 in; ballpark top --seed 1 -n 1 in
1000
1	1
1	1

# What is no key.
$ : > empty; ballpark distinct --key-file empty in
ballpark: distinct: --key-file empty: is empty
hint: a key is 16 bytes, or 32 hex digits: head -c 16 /dev/urandom > KEY
[2]

$ printf 'secret\n' > short; ballpark distinct --key-file short in
ballpark: distinct: --key-file short: holds 7 bytes
hint: a key is 16 bytes, or 32 hex digits: head -c 16 /dev/urandom > KEY
[2]

$ printf '0123456789abcdef0123456789abcdeg' > nohex; ballpark distinct --key-file nohex in
ballpark: distinct: --key-file nohex: holds 32 characters that are not all hex digits
hint: a key is 16 bytes, or 32 hex digits: head -c 16 /dev/urandom > KEY
[2]

$ ballpark distinct --key-file /dev/zero in
ballpark: distinct: --key-file /dev/zero: holds more than a key
hint: a key is 16 bytes, or 32 hex digits: head -c 16 /dev/urandom > KEY
[2]

$ ballpark distinct --key-file missing in
ballpark: missing: No such file or directory
[2]

$ ballpark distinct --key-file . in
ballpark: .: Is a directory
[2]

$ ballpark distinct --seed 1 --key-file raw in
ballpark: distinct: --seed and --key-file: a key takes the place of a seed: give one of them
[2]

# A key that everyone can read is no secret.
$ chmod 644 raw; ballpark distinct --key-file raw in
ballpark: warning: raw: everyone on this machine may read or change this key
hint: chmod go= raw
1000

$ ballpark distinct -q --key-file raw in; cat raw | ballpark distinct --key-file /dev/stdin in
1000
1000
