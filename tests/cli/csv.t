# --csv: RFC 4180. The item is the value, without its quotes.
$ printf 'id,name\r\n1,"Ann, the first"\r\n2,"say ""hi"""\r\n3,"two\nlines"\r\n4,plain\r\n' > q.csv
$ ballpark top --csv -f2 q.csv
1	Ann, the first
1	name
1	plain
1	say "hi"
1	two
lines

$ ballpark distinct --csv q.csv; ballpark distinct --csv -H -f id q.csv; cat q.csv | ballpark top --csv -H -f name -n1
5
4
1	Ann, the first

# A quoted value and a plain one are the same item.
$ printf '"a",1\na,1\n' | ballpark top --csv -f1; printf '"a",1\na,1\n' | ballpark top --csv
2	a
1	"a",1
1	a,1

# A quote that opens in the middle of a field is a byte; so is what follows a closing one.
$ printf 'a"b,1\n"a"b,1\n"a"b"c,1\n5" pipe,1\n' | ballpark top --csv -f1
1	5" pipe
1	a"b
1	ab
1	ab"c

# Several fields are quoted again where that tells them apart, and only there.
$ printf 'a,b,c\n"a,b",c\na,"b,c"\n"a","b","c"\n"x""y","z\nz"\n' | ballpark top --csv -f1- 
2	a,b,c
1	"a,b",c
1	"x""y","z
z"
1	a,"b,c"

$ printf 'a,b,c\n"a,b",c,d\n' | ballpark top --csv -f2,1
1	b,a
1	c,"a,b"

# Another separator.
$ printf 'a;"b;c"\nd;e\n' | ballpark top --csv -d';' -f2; printf 'a\t"b\tc"\n' | ballpark top --csv -d'\t' -f2
1	b;c
1	e
1	b	c

# Headers: names in quotes, names with line ends, a header of several lines.
$ printf '"full name","a\nb"\nAnn,1\n"Bob\nB",2\n' > h.csv; ballpark top --csv -H -f 'full name' h.csv; ballpark top --csv -H -f 'a
> b' -w 2 h.csv; ballpark top --csv -H -f name h.csv
1	Ann
1	Bob
B
2	2
1	1
ballpark: h.csv: no column 'name'; it has: full name, a\x0ab
[2]

# Line numbers are those of the file.
$ printf 'n,w\n"a\nb\nc",1\nd\ne,x\n' > w.csv; ballpark top -q --csv -H -f n -w w w.csv; cat w.csv | ballpark top -q --csv -H -f n -w w > /dev/null
ballpark: w.csv:5: no field 2; the line was skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
ballpark: w.csv:6: field 2 is no weight: 'x' is not a whole number; the line was skipped
hint: weights are whole numbers from 0 to 2^64 - 1; add --skip-bad when such lines are expected
1	a
b
c
ballpark: standard input:5: no field 2; the line was skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
ballpark: standard input:6: field 2 is no weight: 'x' is not a whole number; the line was skipped
hint: weights are whole numbers from 0 to 2^64 - 1; add --skip-bad when such lines are expected
[2]

$ printf 'x,"7"\ny," 8 "\n' | ballpark top --csv -f1 -w2
8	y
7	x

# A byte order mark is no part of the first name, and a quote may follow it.
$ printf '\357\273\277"a\nb",c\r\n1,2\r\n' > bom.csv; ballpark top --csv -H -f 'a
> b' bom.csv; (printf '\357'; sleep 0.1; tail -c +2 bom.csv) | ballpark top --csv -H -f 1,c
1	1
1	1,2

# A quote that is never closed: all before it counts, and the others' items do.
$ printf 'a,1\n"b\nb",2\nc,"3\nd,4\n' > open.csv; ballpark distinct --csv -f1 open.csv q.csv; cat open.csv | ballpark distinct --csv
ballpark: open.csv:4: a quote opens here and is never closed
hint: what came before it was read; two quotes inside quotes are one
7
ballpark: standard input:4: a quote opens here and is never closed
hint: what came before it was read; two quotes inside quotes are one
2
[2]

$ (printf 'a,1\n"'; seq 100000) | ballpark distinct --csv -f1; (printf 'a,1\nb,"'; seq 100000) > long.csv; ballpark distinct --csv -f1 long.csv; printf '"a,b\n1,2\n' | ballpark distinct --csv -H -f a
ballpark: standard input:2: a quote opens here and is never closed
hint: what came before it was read; two quotes inside quotes are one
1
ballpark: long.csv:2: a quote opens here and is never closed
hint: what came before it was read; two quotes inside quotes are one
1
ballpark: standard input:1: the header has a quote that is never closed
[2]

# A record longer than any block.
$ (printf '"'; seq 100000 | tr '\n' ','; printf '\n",b\nc,d\n') > big.csv; ballpark distinct --csv -f1 big.csv; ballpark top --csv -f2 big.csv
2
1	b
1	d

# It is not lost, wherever in a step of 64 bytes the quotes behind it stand.
$ for n in $(seq 200001 200064); do (head -c $n /dev/zero | tr '\0' x | sed 's/.*/"&"/'; printf '\n"a",b\n"c","d"\n') | ballpark distinct --csv --exact -f1; done | uniq -c | xargs
64 3

# filter test and dedup print records as they stand in the file.
$ printf 'two\nlines\0' | ballpark filter build -z -o two.bp; ballpark filter test --csv -f2 two.bp q.csv | od -c; ballpark dedup -q --csv -H -f2 q.csv q.csv | tail -3 | od -c
0000000   3   ,   "   t   w   o  \n   l   i   n   e   s   "  \r  \n
0000017
0000000   3   ,   "   t   w   o  \n   l   i   n   e   s   "  \r  \n   4
0000020   ,   p   l   a   i   n  \r  \n
0000030

# What does not go together.
$ for o in '--csv --tsv' '--csv -z' '--csv -d ,,' '--csv -d "'; do ballpark distinct $o -f1 q.csv; done
ballpark: distinct: --csv and --tsv: fields are separated by one or the other
hint: --csv is for commas and quotes, --tsv for tabs
ballpark: distinct: --csv and --zero-terminated: CSV records end with a newline
hint: -d ',' -z splits NUL-ended lines at every comma
ballpark: distinct: --delimiter: with --csv it is one byte
hint: leave --csv away when there are no quotes
ballpark: distinct: --delimiter: with --csv it is neither a quote nor a line end
hint: the usual ones are -d ';' and -d '|'
[2]

# A header that was split at nothing: the option that would split it.
$ printf 'id,name\n1,a\n' > c; printf 'id;name\n1;a\n' > s; printf 'id\tname\n1\ta\n' > t
$ ballpark top -H -f name c; ballpark top --csv -H -f name s; ballpark top --csv -H -f name t; ballpark top --csv -Hf name -d';' s
ballpark: c: no column 'name'; it has: id,name
hint: is it one column only? --csv would split it
ballpark: s: no column 'name'; it has: id;name
hint: is it one column only? --csv -d';' would split it
ballpark: t: no column 'name'; it has: id\tname
hint: is it one column only? --tsv would split it
1	a
