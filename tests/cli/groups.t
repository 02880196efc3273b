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

$ ballpark distinct --output-dir d -f2 log; ballpark distinct -g1 -f2 --output-dir log log; ballpark distinct -g1 -f2 --output-dir no/d log
ballpark: distinct: --output-dir d: without --group there is only one sketch
hint: -o FILE writes it
ballpark: log: Not a directory
ballpark: no/d: No such file or directory
[2]
