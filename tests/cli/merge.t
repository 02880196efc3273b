# merge: one sketch of everything that several have seen.
$ seq 1 30000 > mon; seq 20001 50000 > tue; cat mon tue > both
$ for f in mon tue both; do ballpark distinct -o $f.hll $f; done
29865
29890
49198

# As if one had read it all; in any order; and twice changes nothing.
$ ballpark merge mon.hll tue.hll -o ab && ballpark merge tue.hll mon.hll mon.hll -o ba && cmp ab ba && cmp ab both.hll

$ ballpark merge mon.hll > copy && cmp copy mon.hll

# Filters unite, top lists add up.
$ for f in mon tue both; do ballpark filter build -k bloom -n 50000 -o $f.bloom $f; done; ballpark merge mon.bloom tue.bloom -o u.bloom && cmp u.bloom both.bloom

$ printf 'a\na\nb\n' | ballpark top -q -o x.top > /dev/null; printf 'b\nc\nb\n' | ballpark top -o y.top > /dev/null; ballpark merge x.top y.top | ballpark info --format plain - | grep -E '^(kind|mode|keys|total|table_total)'
kind	top_k
mode	exact
keys	3
total	6
table_total	0

# Into a pipe, from a pipe.
$ ballpark merge mon.hll - < tue.hll | cmp - both.hll

# The output may be one of the inputs.
$ cp mon.hll acc.hll && ballpark merge acc.hll tue.hll -o acc.hll && cmp acc.hll both.hll

# What does not go together: both files, both values, and the mend.
$ ballpark merge mon.hll mon.bloom -o no
ballpark: merge: mon.hll is of kind hll, and mon.bloom is of kind bloom
hint: only sketches of one kind can be merged; `ballpark info FILE` tells the kind
[2]

$ ballpark distinct --precision 12 -o p12.hll mon > /dev/null; ballpark merge mon.hll p12.hll -o no
ballpark: merge: p12.hll does not go with mon.hll: precision is 14 in mon.hll and 12 in p12.hll
hint: make both with the same --precision
[2]

$ ballpark filter build -k bloom -n 50001 -o other.bloom mon; ballpark merge mon.bloom tue.bloom other.bloom -o no
ballpark: merge: other.bloom does not go with mon.bloom: items is 50,000 in mon.bloom and 50,001 in other.bloom
hint: make both with the same -n
[2]

$ ballpark filter build -k bloom -n 50000 -p 2% -o other.bloom mon; ballpark merge mon.bloom other.bloom -o no
ballpark: merge: other.bloom does not go with mon.bloom: fpr_design is 0.01 in mon.bloom and 0.02 in other.bloom
hint: make both with the same -p
[2]

$ ballpark top -q -n 5 -o five.top mon > /dev/null; ballpark merge x.top five.top -o no
ballpark: merge: five.top does not go with x.top: k is 10 in x.top and 5 in five.top
hint: make both with the same -n
[2]

$ ls no
ls: cannot access 'no': No such file or directory
[2]

# A union that holds more than the filters were made for says so.
$ for f in mon tue; do ballpark filter build -k bloom -n 30000 -o $f.small $f; done; ballpark merge mon.small tue.small -o over.bloom
ballpark: warning: the merged sketch holds more than it was made for
hint: over capacity: wrong yes answers exceed the design; build a new filter with more items

$ ballpark merge
ballpark: merge: no sketches named
hint: ballpark merge A B... -o C; - is stdin
[2]

$ ballpark merge mon.hll missing -o no
ballpark: missing: No such file or directory
[2]

$ ballpark merge mon mon.hll -o no
ballpark: mon: not a ballpark sketch
hint: -o of distinct, top, count build and filter build writes sketches
[2]

$ ballpark merge mon.hll tue.hll -o missing/out
ballpark: missing/out: No such file or directory
[2]

$ ballpark merge mon.hll tue.hll -o .
ballpark: .: Is a directory
[2]

$ ls missing no 2>/dev/null; ls *.tmp 2>/dev/null
[2]

