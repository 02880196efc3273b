# -g: an answer for each group.
$ printf 'web ann\ndb bob\nweb ann\nweb eve\ndb ann\nmail eve\n' > log
$ ballpark distinct -g1 -f2 log
2	db
1	mail
2	web

$ ballpark top -g1 -f2 log
1	db	ann
1	db	bob
1	mail	eve
2	web	ann
1	web	eve

# -n: of distinct the groups that have most, of top the rows of each group.
$ ballpark distinct -g1 -f2 -n2 log; ballpark top -g1 -f2 -n1 log
2	db
2	web
1	db	ann
1	mail	eve
2	web	ann

$ ballpark distinct -f2 -n2 log; ballpark distinct -g1 -f2 -n0 log
ballpark: distinct: --items 2: how many groups to show; without --group there are none
ballpark: distinct: --items 0: must be at least 1
[2]

# For people, and for programs.
$ ballpark distinct -q -g1 -f2 --format human log; ballpark top -q -g1 -f2 -n1 --format human log
distinct  at least  at most  group
       2         2        2  db
       1         1        1  mail
       2         2        2  web
count  at least  share  group  item
    1         1    50%  db     ann
    1         1   100%  mail   eve
    2         2  66.7%  web    ann

$ ballpark distinct -g1 -f2 --format csv log; ballpark top -g1 -f2 -n1 --format csv log
kind,estimate,lower,upper,confidence,group
hll,2,2,2,0.95,db
hll,1,1,1,0.95,mail
hll,2,2,2,0.95,web
count,lower,upper,share,group,item
1,1,1,0.5,db,ann
1,1,1,1,mail,eve
2,2,2,0.666667,web,ann

$ ballpark distinct -g1 -f2 -n1 --format json log; ballpark top -g1 -f2 -n1 --format json log
{"group": "db", "kind": "hll", "estimate": 2, "lower": 2, "upper": 2, "confidence": 0.95}
{"group": "db", "item": "ann", "count": 1, "lower": 1, "upper": 1, "share": 0.5}
{"group": "mail", "item": "eve", "count": 1, "lower": 1, "upper": 1, "share": 1.0}
{"group": "web", "item": "ann", "count": 2, "lower": 2, "upper": 2, "share": 0.666666666666667}

$ printf 'a"b x\nb\\n y\nb\\n z\n' | ballpark distinct -g1 -f2 --format prom | grep -v '^#' | head -n2
ballpark_distinct_estimate{group="a\"b"} 1
ballpark_distinct_estimate{group="b\\n"} 2

# A group may hold what separates fields, and line ends.
$ printf '"a,b",x\n"c\nd",y\n"c\nd",z\n,y\n' > csv; ballpark distinct --csv -g1 -f2 --format csv csv; ballpark top --csv -g1 -f2 --format json csv
kind,estimate,lower,upper,confidence,group
hll,1,1,1,0.95,
hll,1,1,1,0.95,"a,b"
hll,2,2,2,0.95,"c
d"
{"group": "", "item": "y", "count": 1, "lower": 1, "upper": 1, "share": 1.0}
{"group": "a,b", "item": "x", "count": 1, "lower": 1, "upper": 1, "share": 1.0}
{"group": "c\nd", "item": "y", "count": 1, "lower": 1, "upper": 1, "share": 0.5}
{"group": "c\nd", "item": "z", "count": 1, "lower": 1, "upper": 1, "share": 0.5}

# No input, no groups.
$ ballpark distinct -g1 -f2 /dev/null
$ ballpark distinct -g1 -f2 --format csv /dev/null
kind,estimate,lower,upper,confidence,group

# --output-dir: a file for each group, by names that are safe.
$ printf 'a/b,1\n..,1\n.,2\n,3\nc d,4\n%%,5\n-x,6\n' | ballpark distinct -d, -g1 -f2 --output-dir dir > /dev/null; ls -A dir
%.bp
%25.bp
%2E..bp
%2E.bp
-x.bp
a%2Fb.bp
c%20d.bp

$ printf 'a/b,1\nx,1\na/b,2\n' | ballpark distinct -d, -g1 -f2 --output-dir dir; ls -A dir | wc -l; ballpark query dir/a%2Fb.bp
2	a/b
1	x
8
2

# What cannot be a name is refused before anything is written.
$ (printf 'a 1\n'; printf '%0300d 1\n' 7) | ballpark distinct -q -g1 -f2 --output-dir long; ls -A long
1	...7
1	a
ballpark: distinct: --output-dir long: group 0000... (300 bytes) would need a file name of 303 bytes; the most are 244
hint: -o FILE holds all groups in one file, whatever their names

# No group's file takes the place of another file of the run.
$ printf 'in 1\nall 2\n' > dir/in.bp; ln -s dir/all.bp link; ballpark distinct -g1 -f2 --output-dir dir dir/in.bp; ballpark distinct -g1 -f2 --output-dir dir/ -s dir/all.bp < dir/in.bp; (cd dir; ballpark distinct -g1 -f2 --output-dir . -o all.bp < in.bp); ballpark distinct -g1 -f2 --output-dir dir -o link < dir/in.bp
ballpark: distinct: --output-dir dir: a group's file there could replace dir/in.bp
hint: keep it elsewhere, or under a name that does not end in .bp
ballpark: distinct: --output-dir dir/: a group's file there could replace dir/all.bp
hint: keep it elsewhere, or under a name that does not end in .bp
ballpark: distinct: --output-dir .: a group's file there could replace all.bp
hint: keep it elsewhere, or under a name that does not end in .bp
ballpark: distinct: --output-dir dir: a group's file there could replace link
hint: keep it elsewhere, or under a name that does not end in .bp
[2]

$ ballpark distinct -g1 -f2 --output-dir dir -s dir/state -o all.bp dir/in.bp 2>&1 | head -n1; ballpark distinct -q -g1 -f2 --output-dir new -s new/state -o all.bp < dir/in.bp; ls -A new
ballpark: distinct: --output-dir dir: a group's file there could replace dir/in.bp
1	all
1	in
all.bp
in.bp
state
state.lock

$ ballpark distinct --output-dir d -f2 log; ballpark distinct -g1 -f2 --output-dir log log; ballpark distinct -g1 -f2 --output-dir no/d log
ballpark: distinct: --output-dir d: without --group there is only one sketch
hint: -o FILE writes it
ballpark: log: Not a directory
ballpark: no/d: No such file or directory
[2]

# -o: all groups in one file, which info tells of, whole or one group of it.
$ printf 'web eve\nweb zoe\nlab ann\n' > more; ballpark distinct -g1 -f2 -o all.bp log more > /dev/null; ballpark distinct -q -g1 -f2 -o log.bp log > /dev/null; ballpark distinct -g1 -f2 -o more.bp more
1	lab
2	web

$ ballpark info log.bp
file	log.bp
kind	hll
format	1
hash	xxh3
seed	0
precision	14
registers	16384
standard_error	0.008125
groups	3
largest	2	db
largest	2	web
largest	1	mail
bytes	648
health	ok

$ ballpark info --format human log.bp
log.bp: groups of hll, format 1, xxh3
  seed                 0
  precision            14
  registers            16,384
  standard error       0.81%
  groups               3
  largest              2  db
                       2  web
                       1  mail
  file                 648 B (648 bytes), checksums right
  health               ok

$ ballpark info --format json log.bp
{"file": "log.bp", "kind": "hll", ..., "groups": 3, "largest": [{"group": "db", "size": 2}, {"group": "web", "size": 2}, {"group": "mail", "size": 1}], "bytes": 648, "health": "ok"}

$ ballpark info --only web --format human log.bp
log.bp, group web: hll, format 1, xxh3
  seed                 0
  precision            14
  registers            16,384
  standard error       0.81%
  form                 sparse
  tokens               2
  estimate             2, 2 to 2 with 95% confidence
  sketch               144 B (144 bytes), checksums right
  health               ok

$ ballpark info --only none log.bp
ballpark: info: --only none: log.bp has no group of that name
[2]

$ ballpark distinct -o one.bp log; ballpark info --only web one.bp
5
ballpark: info: --only web: one.bp holds one sketch, and no groups
hint: leave the option away
[2]

# merge: group by group, as if one run had read it all.
$ ballpark merge log.bp more.bp -o both.bp && cmp both.bp all.bp; ballpark merge more.bp log.bp | cmp - all.bp; ballpark merge log.bp more.bp log.bp -o log.bp && cmp log.bp all.bp

$ ballpark top -q -g1 -f2 -o a.top log > /dev/null; ballpark top -q -g1 -f2 -o b.top more > /dev/null; ballpark top -q -g1 -f2 -o ab.top log more > /dev/null; ballpark merge a.top - < b.top | cmp - ab.top

# What does not go together is named, with the group and both values.
$ ballpark distinct -g1 -f2 --precision 12 -o p12.bp more > /dev/null; ballpark merge log.bp p12.bp -o no
ballpark: merge: group lab: p12.bp does not go with log.bp: precision is 14 in log.bp and 12 in p12.bp
hint: make both with the same --precision
[2]

$ ballpark merge log.bp a.top -o no
ballpark: merge: log.bp holds groups of kind hll, and a.top of kind top_k
hint: only sketches of one kind can be merged
[2]

$ ballpark merge log.bp one.bp -o no; ballpark merge one.bp log.bp -o no
ballpark: merge: log.bp holds groups, and one.bp a single sketch
hint: files of groups are merged group by group; --output-dir writes each group as a sketch of its own
ballpark: merge: log.bp holds groups, and one.bp a single sketch
hint: files of groups are merged group by group; --output-dir writes each group as a sketch of its own
[2]

$ ballpark filter test log.bp /dev/null; ls no
ballpark: log.bp: holds groups, each with a sketch of its own
hint: query, info and merge know groups; --output-dir writes a file for each
ls: cannot access 'no': No such file or directory
[2]

# A file of no groups is one, too.
$ ballpark distinct -g1 -f2 -o none.bp /dev/null; wc -c < none.bp; ballpark info none.bp; ballpark merge none.bp log.bp | cmp - log.bp
96
file	none.bp
kind	hll
format	1
groups	0
bytes	96
health	ok
