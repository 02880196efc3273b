# One answer in every format.
$ printf 'b\na\nb\nc\nb\na\n' > in; ballpark distinct --format plain in
3

$ ballpark distinct --format csv in
kind,estimate,lower,upper,confidence,lines,bytes
hll,3,3,3,0.95,6,12

$ ballpark distinct --format prom in | sed 's/^/| /'
| # HELP ballpark_distinct_estimate Different items, estimated.
| # TYPE ballpark_distinct_estimate gauge
| ballpark_distinct_estimate 3
| # HELP ballpark_distinct_estimate_lower Lower end of the range that holds the different items at the confidence.
| # TYPE ballpark_distinct_estimate_lower gauge
| ballpark_distinct_estimate_lower 3
| # HELP ballpark_distinct_estimate_upper Upper end of the range that holds the different items at the confidence.
| # TYPE ballpark_distinct_estimate_upper gauge
| ballpark_distinct_estimate_upper 3

$ ballpark top --format csv in
count,lower,upper,share,item
3,3,3,0.5,b
2,2,2,0.333333,a
1,1,1,0.166667,c

# No item is a label: there may be millions.
$ ballpark top -n2 --format prom in | sed 's/^/| /'
| # HELP ballpark_topk_share_ratio Share of all, of the most frequent items by rank.
| # TYPE ballpark_topk_share_ratio gauge
| ballpark_topk_share_ratio{rank="1"} 0.5
| ballpark_topk_share_ratio{rank="2"} 0.333333333333333

# csv has its heading also when there are no rows, and quotes what RFC 4180 has quoted.
$ ballpark top --format csv < /dev/null
count,lower,upper,share,item

$ printf 'a,b\nsay "x"\n plain \n' | ballpark top --format csv | sort
1,1,1,0.333333, plain 
1,1,1,0.333333,"a,b"
1,1,1,0.333333,"say ""x"""
count,lower,upper,share,item

# For a person: columns line up by what a terminal shows, not by bytes.
$ printf 'na\303\257ve\tx\nna\303\257ve\tx\n\346\227\245\346\234\254\ty\nplain\tz\n' > wide
> cut -f1 wide | ballpark top -q --format human
count  at least  share  item
    2         2    50%  naïve
    1         1    25%  plain
    1         1    25%  日本

# What a terminal would obey is spelled out: C0, DEL, C1, marks of direction, and what is
# not UTF-8 (too long, a surrogate, cut off).
$ printf '\033[2J\n\177\n\302\233x\n\342\200\256r\n\300\257\n\355\240\200\n\360\237\230\na\tb\n' |
> ballpark top -q --format human | cut -c25- | sort
\x1b[2J
\x7f
\xc0\xaf
\xc2\x9bx
\xe2\x80\xaer
\xed\xa0\x80
\xf0\x9f\x98
a\tb
item

# A long item is cut for a person, between characters, and for nobody else.
$ head -c 600 /dev/zero | tr '\0' 'x' | sed 's/^/\xc3\xa9\xc3\xa9y/' > long
> ballpark top -q --format human long | tail -1 | cut -c25-
ééyxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx... (605 bytes)

$ ballpark top long | wc -c
608

# Colour when it is asked for; into a pipe only then.
$ ballpark top -qn1 --format human --color=always in | od -An -c | tr -d ' \n'
033[1mcount033[0m033[1matleast033[0m033[1mshare033[0m033[1mitem033[0m\n3033[2m3033[0m50%b\n

$ seq 100000 | ballpark distinct -q --format human --color=always | od -An -c | tr -d ' \n'
...033[2m...confidence)033[0m\n

$ ballpark top -qn1 --format human --color=never in
count  at least  share  item
    3         3    50%  b

# Plain, csv and json are the same with it.
$ ballpark top -n1 --color=always in
3	b

$ ballpark top --color=sometimes in
ballpark: top: --color sometimes: must be auto, always or never
[2]

# info
$ ballpark distinct -o d.bp in; ballpark filter build -k bloom -n 9 -o 'f"x.bp' in
3

$ ballpark info --format csv d.bp 'f"x.bp'
file,name,value
d.bp,kind,hll
d.bp,format,1
d.bp,hash,xxh3
d.bp,seed,0
d.bp,precision,14
...
d.bp,health,ok
"f""x.bp",kind,bloom
...
"f""x.bp",items,9
...
"f""x.bp",health,ok

$ ballpark info --format prom d.bp 'f"x.bp' | sed 's/^/| /'
| # HELP ballpark_sketch_info What the sketch is.
| # TYPE ballpark_sketch_info gauge
| ballpark_sketch_info{sketch="d.bp",kind="hll",hash="xxh3",format="1"} 1
| ballpark_sketch_info{sketch="f\"x.bp",kind="bloom",hash="xxh3",format="1"} 1
| # HELP ballpark_sketch_memory_bytes Size of the sketch as it is saved.
| # TYPE ballpark_sketch_memory_bytes gauge
| ballpark_sketch_memory_bytes{sketch="d.bp"} 152
| ballpark_sketch_memory_bytes{sketch="f\"x.bp"} 152
...
| ballpark_filter_capacity_items{sketch="f\"x.bp"} 9
| # HELP ballpark_filter_fill_ratio Share of the filter's bits set.
| # TYPE ballpark_filter_fill_ratio gauge
| ballpark_filter_fill_ratio{sketch="f\"x.bp"} 0...
| # HELP ballpark_filter_fpr_estimated_ratio False positive rate of the filter now.
| # TYPE ballpark_filter_fpr_estimated_ratio gauge
| ballpark_filter_fpr_estimated_ratio{sketch="f\"x.bp"} ...
| # HELP ballpark_filter_fpr_target_ratio False positive rate that the filter was made for.
| # TYPE ballpark_filter_fpr_target_ratio gauge
| ballpark_filter_fpr_target_ratio{sketch="f\"x.bp"} 0.01
| # HELP ballpark_distinct_estimate Different items, estimated.
| # TYPE ballpark_distinct_estimate gauge
| ballpark_distinct_estimate{sketch="d.bp"} 3
| ballpark_distinct_estimate{sketch="f\"x.bp"} 3
...

$ ballpark info --format csv nothing
file,name,value
ballpark: nothing: No such file or directory
[2]

# size
$ ballpark size -k bloom -n 1e6 -p 1% --format csv
name,value
kind,bloom
items,1000000
fpr,0.01
bits,9585059
hashes,7
bytes,1198136
overload_1_fpr,0.0100392
overload_1_fill,0.518237
...

# What cannot be printed in a format says so.
$ ballpark size -n 1e6 -p 1% --format prom
ballpark: size: --format prom: nothing that it prints is a metric
hint: --format json or csv prints it for programs
[2]

$ ballpark count build -o c.bp in; ballpark count --format prom c.bp a
ballpark: count: --format prom: nothing that it prints is a metric
hint: --format json or csv prints it for programs
[2]

$ ballpark top -F --format prom in
ballpark: top: --format prom: is one answer, and --follow prints many
hint: without --follow, into a file that is then renamed
[2]

$ ballpark filter test --format csv 'f"x.bp' in
ballpark: filter test: --format: not an option of this command
hint: --format is for: ...
[2]

$ ballpark top --every 10s in
ballpark: top: --every: says how often, but nothing is followed
hint: add --follow (-F)
[2]
