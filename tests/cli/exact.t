# --exact: the same questions, answered in memory that grows.
$ for i in $(seq 300); do echo hot; seq 40; done > in; seq 1000 20999 >> in

$ ballpark distinct --exact in; sort -u in | wc -l
20041
20041

$ ballpark distinct --exact --format human -q in; ballpark distinct --exact --format json in
20,041
{"kind": "exact", "estimate": 20041, "lower": 20041, "upper": 20041, "confidence": 1.0, "lines": 32300, "bytes": 145500}

$ ballpark distinct --exact --format csv - missing < in
ballpark: missing: No such file or directory
kind,estimate,lower,upper,confidence,lines,bytes
exact,20041,20041,20041,1,32300,145500
[2]

$ ballpark distinct --exact missing
ballpark: missing: No such file or directory
[2]

$ ballpark top --exact in > got; sort in | uniq -c | sort -k1,1nr -k2 | head | sed 's/ *\([0-9]*\) /\1\t/' | cmp got -

$ ballpark top --exact -n 30000 in > got; sort in | uniq -c | sort -k1,1nr -k2 | sed 's/ *\([0-9]*\) /\1\t/' | cmp got -

$ ballpark top --exact -n2 --format json in; ballpark top --exact -q -n2 --format human in; ballpark top --exact -n0 in
{"item": "1", "count": 300, "lower": 300, "upper": 300, "share": 0.00928792569659443}
{"item": "10", "count": 300, "lower": 300, "upper": 300, "share": 0.00928792569659443}
count  at least  share  item
  300       300  0.93%  1
  300       300  0.93%  10

$ printf 'a 1\nb 2\na 3\n' | ballpark top --exact -f1
2	a
1	b

# dedup loses nothing, even where every filter would.
$ awk '!seen[$0]++' in > want; ballpark dedup --exact in | cmp - want
32,300 lines, 20,041 printed; no first occurrence was taken for a repeat

$ ballpark dedup --exact -vc in
12259
32,300 lines, 12,259 counted; no first occurrence was taken for a repeat

# It has a limit, and says what it took.
$ seq 100000 | ballpark distinct --exact -m 1M
ballpark: distinct: exact answers: ... different items take more than 1.00 MiB
hint: leave --exact away for a few kilobytes and an error that is stated, or allow more memory with -m
[2]

$ seq 100000 | ballpark dedup --exact -m 1M -c
ballpark: dedup: exact answers: ... different items take more than 1.00 MiB
hint: leave --exact away for a few kilobytes and an error that is stated, or allow more memory with -m
[2]

$ seq 100000 | ballpark distinct --exact -m 1G --verbose
100000
exact: every different item, in ... MiB

$ seq 1000000 | ($LIMIT 30000; ballpark distinct --exact 2>&1) | grep -cE '^ballpark: distinct: out of memory$|^1000000$'
1

# What it cannot go with.
$ ballpark distinct --exact -o no.bp in
ballpark: distinct: --output: has no meaning with --exact, which makes no sketch
hint: leave one of them away
[2]

$ ballpark top --exact --seed 3 in
ballpark: top: --seed: has no meaning with --exact, which makes no sketch
hint: leave one of them away
[2]

$ ballpark distinct --exact -e 1% in
ballpark: distinct: --error: has no meaning with --exact, which makes no sketch
hint: leave one of them away
[2]

$ ballpark dedup --exact -n 5 in
ballpark: dedup: --items: has no meaning with --exact, which makes room for all
hint: leave one of them away
[2]

$ ballpark dedup --exact -p 1% in
ballpark: dedup: --fpr: has no meaning with --exact, which makes no sketch
hint: leave one of them away
[2]
