# Every example of the pages and topics, with its output; examples.py sees that none is
# missing. Lines that end in "# fixture" make the files that the examples read.

# Two days of a web log, of some 3,000 and 2,000 requests; an application's log; a gzip.
$ web() { awk -v from=$1 -v n=$2 -v day=$3 'BEGIN {
> for (i = 1; i <= n; i++) {
>   v = from + (i * i * 31) % 1201; p = (i * 7919) % 1000
>   page = p < 400 ? "/index.html" : p < 600 ? "/login" : "/item/" p % 50
>   printf "10.0.%d.%d - - [%s/Nov/2026:%02d:%02d:00 +0000] \"GET %s HTTP/1.1\" %d %d\n",
>     v / 250, v % 250, day, i / 60 % 24, i % 60, page, p % 97 ? 200 : 404, 200 + p
> } }' ; }
> web 0 3000 23 > monday.log; web 400 2000 24 > tuesday.log; cp monday.log access.log
> gzip -k access.log; cut -d' ' -f7 access.log > urls.txt
> awk '{ print $4, $5, $9, "host", "db" NR % 3 }' access.log > app.log # fixture

# Users and orders.
$ awk 'BEGIN { print "id,name,city,note"; for (i = 1; i <= 60; i++)
> printf "u%d,Name %d,%s,\"since, %d\"\n", i, i, i % 3 ? i % 7 ? "Rome" : "Oslo" : "Lima", i % 9 }' > users.csv
> awk 'BEGIN { print "order,user,amount"; for (i = 1; i <= 90; i++)
> printf "%d,u%d,%d\n", i % 88, i * i % 71 + 1, i * 37 % 100 }' > orders.csv
> (seq 1 1000; echo Rome) > seen.txt; seq 990 1010 > new.txt; printf '/login\n/nowhere\n' > watched.txt
> awk '{ print NR "\t" $7 }' access.log > log; printf 'u1\nu2\nu99\n' > users.txt # fixture

# `tail -f` and `tail -F` of logs that end.
$ mkdir ../bin; printf '#!/bin/sh\nshift; exec cat "$@"\n' > ../bin/tail; chmod +x ../bin/tail # fixture

# distinct.
$ ballpark distinct access.log
3000

$ ballpark distinct -f1 monday.log tuesday.log
1002

$ ballpark distinct -d, -f3 -e 0.5% users.csv
4

$ ballpark distinct -g7 -f1 -n3 access.log
578	/index.html
504	/login
24	/item/0

$ ballpark distinct --exact access.log
3000

$ ballpark distinct -f1 -o monday.bp monday.log
601


# top.
$ ballpark top urls.txt
1200	/index.html
600	/login
24	/item/0
24	/item/1
24	/item/10
24	/item/11
24	/item/12
24	/item/13
24	/item/14
24	/item/15

$ ballpark top -f1 -n5 access.log
5	10.0.0.101
5	10.0.0.102
5	10.0.0.104
5	10.0.0.106
5	10.0.0.107

$ ballpark top -d, -f3 -n100 -m 16M users.csv
34	Rome
20	Lima
6	Oslo
1	city

$ ballpark top -g9 -f7 -n2 access.log
1185	200	/index.html
594	200	/login
15	404	/index.html
6	404	/login

$ ballpark top --format json -n2 -f7 access.log
{"item": "/index.html", "count": 1200, "lower": 1200, "upper": 1200, "share": 0.4}
{"item": "/login", "count": 600, "lower": 600, "upper": 600, "share": 0.2}


# count build.
$ ballpark count build -o urls.bp urls.txt

$ ballpark count urls.bp '/index.html' '/login'
1200	/index.html
600	/login

$ ballpark count build -f7 -e 0.001% -o urls.bp access.log


# count.
$ ballpark count --format csv --keys-from watched.txt urls.bp
count,lower,upper,item
600,600,600,/login
0,0,0,/nowhere

$ ballpark top -o top.bp urls.txt && ballpark count top.bp '/login'
1200	/index.html
600	/login
24	/item/0
24	/item/1
24	/item/10
24	/item/11
24	/item/12
24	/item/13
24	/item/14
24	/item/15
600	/login


# filter build.
$ ballpark filter build -p 0.1% -o seen.bp seen.txt

$ cut -f2 log | ballpark filter build -n 1e6 -o ids.bp

$ ballpark filter test seen.bp new.txt
990
991
992
993
994
995
996
997
998
999
1000


# filter test.
$ ballpark filter test -v seen.bp new.txt
1001
1002
1003
1004
1005
1006
1007
1008
1009
1010

$ ballpark filter test -c -d, -f3 seen.bp users.csv
34

$ ballpark filter test seen.bp --exact seen.txt new.txt
990
991
992
993
994
995
996
997
998
999
1000


# filter anti, filter semi.
$ ballpark filter anti new.txt seen.txt
1001
1002
1003
1004
1005
1006
1007
1008
1009
1010

$ ballpark filter anti --csv -Hf user --other-field id orders.csv users.csv
order,user,amount
8,u65,96
29,u61,73
42,u61,54
63,u65,31
79,u65,23

$ ballpark filter semi new.txt seen.txt
990
991
992
993
994
995
996
997
998
999
1000

$ ballpark filter semi -c -f1 tuesday.log monday.log
667


# dedup.
$ ballpark dedup access.log > once.log
3,000 lines, 3,000 printed; no first occurrence was taken for a repeat

$ tail -f app.log | ballpark dedup -f5
[23/Nov/2026:00:01:00 +0000] 200 host db1
[23/Nov/2026:00:02:00 +0000] 200 host db2
[23/Nov/2026:00:03:00 +0000] 200 host db0
3,000 lines, 3 printed; no first occurrence was taken for a repeat

$ ballpark dedup -n 2e8 -p 1e-6 urls.txt > once.txt
3,000 lines, 52 printed; no first occurrence was taken for a repeat

$ seq 3 > today.log # fixture
$ ballpark dedup -s seen.state today.log
1
2
3
3 lines, 3 printed; no first occurrence was taken for a repeat

$ ballpark dedup -vc orders.csv
0
91 lines, 0 counted; no first occurrence was taken for a repeat


# query.
$ ballpark count build -q -d, -f2 -o counts.bp orders.csv # fixture
$ ballpark query monday.bp
601

$ ballpark query -n3 --format json top.bp
{"item": "/index.html", "count": 1200, "lower": 1200, "upper": 1200, "share": 0.4}
{"item": "/login", "count": 600, "lower": 600, "upper": 600, "share": 0.2}
{"item": "/item/0", "count": 24, "lower": 24, "upper": 24, "share": 0.008}

$ ballpark query seen.bp alice bob
no	alice
no	bob
[1]

$ ballpark query --keys-from users.txt counts.bp
1	u1
3	u2
0	u99


# merge.
$ ballpark distinct -q -f1 -o mon.bp monday.log > mon; ballpark distinct -q -f1 -o tue.bp tuesday.log > tue; cp mon.bp day1.bp; cp tue.bp day2.bp # fixture
$ ballpark merge mon.bp tue.bp -o week.bp

$ ballpark merge day*.bp | ballpark info -
file	-
kind	hll
format	1
...


# convert.
$ cp "$EXAMPLES/../tests/data/parquet/duckdb.parquet" table.parquet # fixture
$ ballpark convert -o names.bp table.parquet@10321+528

$ ballpark convert --to parquet -o names.bloom names.bp

$ ballpark convert --fold 8 -o small.bp names.bp

$ rm names.bp small.bp # fixture

# info.
$ mkdir kept; mv *.bp kept; cp kept/day1.bp day.bp; cp kept/seen.bp . # fixture
$ awk '{ print NR % 2 ? "web" : "api", $1 }' access.log | ballpark distinct -q -g1 -f2 -o week.groups > counts # fixture
$ ballpark info day.bp
file	day.bp
kind	hll
format	1
...

$ ballpark info --format json *.bp
{"file": "day.bp", "kind": "hll", "format": 1, "hash": "xxh3", "parameters": {"seed": 0, "precision": 14, "registers": 16384, "standard_error": 0.008125}, "estimate": 601, "lower": 601, "upper": 601, "confidence": 0.95, "form": "sparse", "tokens": 601, "bytes": 2544, "health": "ok"}
{"file": "seen.bp", "kind": "blocked_bloom", "format": 1, "hash": "xxh3", "parameters": {"seed": 0, "layout": "split512", "blocks": 37, "bits": 18944, "hashes": 8, "items": 1193, "fpr_design": 0.000947589922308706}, "items": 1193, "fill": 0.346019847972973, "fpr_design": 0.000947589922308706, "fpr_now": 0.00031434104945977, "estimate": 1006, "lower": 994, "upper": 1018, "confidence": 0.95, "bits_set": 6555, "capacity_left": 187, "fpr_measured": 0.0, "strangers_asked": 10, "strangers_yes": 0, "bytes": 2504, "health": "ok"}

$ ballpark info --format prom *.bp > tmp && mv tmp bp.prom

$ ballpark info --only web week.groups
file	week.groups
group	web
kind	hll
...

$ ballpark info --verify *.bp
...	ok	day.bp
...


# verify.
$ cp access.log big.log # fixture
$ ballpark verify access.log
0	0.008125	0.000666667	within	hll	relative error of the number
0	0	0	within	top_k	rows whose count is too low
0	0	0	within	top_k	lower bounds above the truth
0	0	0	within	count_min	items whose count is too low
0	0.00673795	0.015075	within	count_min	items over by too much
0	0	0	within	bloom	members that are not found
0.01006	0.0101224	0.0106064	within	bloom	strangers taken for members
0	0	0	within	blocked_bloom	members that are not found
0.009561	0.00954012	0.0100103	within	blocked_bloom	strangers taken for members
0	0	0	within	binary_fuse	members that are not found
0.003907	0.00390625	0.00420935	within	binary_fuse	strangers taken for members

$ ballpark verify -f1 -k hll -e 2% access.log
0	0.01625	0.00166389	within	hll	relative error of the number

$ head -n 10000000 big.log | ballpark verify
0	0.008125	0.000666667	within	hll	relative error of the number
0	0	0	within	top_k	rows whose count is too low
0	0	0	within	top_k	lower bounds above the truth
0	0	0	within	count_min	items whose count is too low
0	0.00673795	0.015075	within	count_min	items over by too much
0	0	0	within	bloom	members that are not found
0.01006	0.0101224	0.0106064	within	bloom	strangers taken for members
0	0	0	within	blocked_bloom	members that are not found
0.009561	0.00954012	0.0100103	within	blocked_bloom	strangers taken for members
0	0	0	within	binary_fuse	members that are not found
0.003907	0.00390625	0.00420935	within	binary_fuse	strangers taken for members


# filter add, filter remove.
$ ballpark filter add --verbose seen.bp new.txt
10 of 21 different items were new, 11 may have been in

$ ballpark filter add -o both.bp seen.bp new.txt

$ head -n 2 seen.txt > gone.txt # fixture
$ ballpark filter build -q --deletable -o live.bp seen.txt

$ ballpark filter remove live.bp gone.txt


# size.
$ ballpark size -n 1e7 -p 0.1%
14.3776	0.001	17971992	10	17971992	no	no	bloom
15.7344	0.000996576	19668032	1	19668032	no	no	blocked_bloom
18.2979	1.52588e-05	22872350	3	144651565	no	no	binary_fuse
57.5104	0.001	71887944	10	151887944	yes	no	counting_bloom
16.9083	0.000115509	21135360	2	101135360	yes	no	cuckoo
11.1862	0.001	13982782	4	262479429	no	no	ribbon
20.9375	0.001	26171904	1	26171904	no	yes	scalable_bloom

$ ballpark size -n 1e6 -p 1%
9.58509	0.01	1198136	7	1198136	no	no	bloom
10.1094	0.00995149	1263680	1	1263680	no	no	blocked_bloom
9.43947	0.00390625	1179934	3	29233965	no	no	binary_fuse
38.3403	0.01	4792536	7	12792536	yes	no	counting_bloom
12.6813	0.00184717	1585160	2	9585160	yes	no	cuckoo
7.40478	0.01	925598	3	25647013	no	no	ribbon
13.844	0.01	1730496	1	1730496	no	yes	scalable_bloom

$ ballpark size -n 1e6 -m 6MB --hashes 3
kind	bloom
items	1000000
fpr	0.000222401
bits	48000000
hashes	3
bytes	6000000
overload	1	0.000222401	0.0605869
overload	1.25	0.000424431	0.0751512
overload	1.5	0.000716668	0.0894896
overload	2	0.00162236	0.117503
overload	3	0.00499766	0.170971

$ ballpark size -e 0.001 --delta 1%
kind	count_min
bytes	54380
width	2719
depth	5
epsilon	0.001
delta	0.01

$ ballpark size -e 1%
kind	hll
bytes	12288
precision	14
standard_error	0.008125


# bench.
$ ballpark bench
...	...	xxh3	hash	key
...	...	bloom	add	key
...

$ ballpark bench -k hll -n 1e5 --format csv | cut -d, -f1,3-
ns,kind,operation,unit
...,xxh3,hash,key
...,hll,add,key
...,hll,add hash,key
...,hll,merge,sketch
...,hll,estimate,sketch
...,hll,encode,sketch
...,hll,decode,sketch


# help.
$ ballpark help recipes
recipes - whole tasks, each a line to copy
...

$ ballpark help filter build
ballpark filter build - makes a filter that knows which lines were in the input
...


# man.
$ ballpark man | head -1
.TH BALLPARK 1 "" "ballpark 0.1.0" "User Commands"

$ ballpark man distinct | grep '^.SH'
.SH NAME
.SH SYNOPSIS
.SH DESCRIPTION
.SH EXAMPLES
.SH INPUT OPTIONS
.SH SKETCH OPTIONS
.SH OUTPUT OPTIONS
.SH OTHER OPTIONS
.SH NOTES
.SH EXIT CODES
.SH ENVIRONMENT
.SH SEE ALSO

$ ballpark man recipes > ballpark-recipes.7


# completions.
$ ballpark completions bash >> ~/.bashrc

$ ballpark completions zsh > _ballpark

$ ballpark completions fish > ballpark.fish


# hashing.
$ head -c 16 /dev/urandom > key


# recipes.
$ cp kept/* . # fixture
$ ballpark distinct -f1 access.log
601

$ ballpark distinct -q -f1 -e 0.5% access.log.gz tuesday.log
1002

$ ballpark distinct -q -g9 -f1 access.log
601	200
33	404

$ ballpark distinct -q -f1 -o mon.bp monday.log
601

$ ballpark merge mon.bp tue.bp -o both.bp && ballpark query both.bp
1002

$ ballpark distinct -q -f1 -s month.bp monday.log
601

$ ballpark top -f7 -n3 access.log
1200	/index.html
600	/login
24	/item/0

$ ballpark top -q -f7 -w10 --skip-bad -n3 access.log
479400	/index.html
419700	/login
24576	/item/49

$ tail -F access.log | ballpark top -F --every 5s -f1 -n3
5	10.0.0.101
5	10.0.0.102
5	10.0.0.104

$ ballpark top --csv -H -f city users.csv
34	Rome
20	Lima
6	Oslo

$ ballpark top --csv -H -f user -w amount -n3 orders.csv
224	u30
220	u41
213	u50

$ ballpark count build -q -f7 -o pages.bp access.log

$ ballpark count pages.bp /login /admin
600	/login
0	/admin

$ ballpark filter build -q -p 0.1% -o seen.bp seen.txt

$ ballpark dedup -q urls.txt > once.txt

$ ballpark distinct -q -f1 --format prom access.log > new && mv new web.prom

$ grep -v '^#' web.prom # fixture
ballpark_distinct_estimate 601
ballpark_distinct_estimate_lower 601
ballpark_distinct_estimate_upper 601
