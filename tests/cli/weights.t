# -w: each line counts as often as a field says; not at all when it says 0.
$ printf 'a 10\nb 3\na 5\nc 0\n' > sums; ballpark top -f1 -w2 sums
15	a
3	b

$ printf 'bytes,url\n100,/a\n7,/b\n1,/a\n' | ballpark top -H -d, -f url -w bytes
101	/a
7	/b

$ printf '3,x\r\n4,y\r\n' | ballpark top -d, -f1 -w1; printf 'x,5\r\n' | ballpark top -d, -f1 -w2
4	4
3	3
5	x

# The largest; sums stop there.
$ printf 'a 18446744073709551615\nb 9223372036854775808\nb 9223372036854775808\n' | ballpark top -f1 -w2
18446744073709551615	a
18446744073709551615	b

# A web log has a dash for no bytes.
$ printf 'a 1\na -\n' | ballpark top -f1 -w2 --skip-bad
standard input:2: field 2 is no weight: '-' is not a whole number; the line was skipped
1	a

# What is no weight: left out, counted, the first named.
$ for w in -1 +1 1.5 1e3 x 18446744073709551616 0x10 99999999999999999999999999999999999999999999999999; do printf 'a,1\nb,%s\n' "$w" | ballpark top -d, -f1 -w2; done
ballpark: standard input:2: field 2 is no weight: '-1' is negative; the line was skipped
hint: weights are whole numbers from 0 to 2^64 - 1; add --skip-bad when such lines are expected
1	a
ballpark: standard input:2: field 2 is no weight: '+1' is not a whole number; the line was skipped
hint: weights are whole numbers from 0 to 2^64 - 1; add --skip-bad when such lines are expected
1	a
ballpark: standard input:2: field 2 is no weight: '1.5' is not a whole number; the line was skipped
hint: weights are whole numbers from 0 to 2^64 - 1; add --skip-bad when such lines are expected
1	a
ballpark: standard input:2: field 2 is no weight: '1e3' is not a whole number; the line was skipped
hint: weights are whole numbers from 0 to 2^64 - 1; add --skip-bad when such lines are expected
1	a
ballpark: standard input:2: field 2 is no weight: 'x' is not a whole number; the line was skipped
hint: weights are whole numbers from 0 to 2^64 - 1; add --skip-bad when such lines are expected
1	a
ballpark: standard input:2: field 2 is no weight: '18446744073709551616' is more than 2^64 - 1; the line was skipped
hint: weights are whole numbers from 0 to 2^64 - 1; add --skip-bad when such lines are expected
1	a
ballpark: standard input:2: field 2 is no weight: '0x10' is not a whole number; the line was skipped
hint: weights are whole numbers from 0 to 2^64 - 1; add --skip-bad when such lines are expected
1	a
ballpark: standard input:2: field 2 is no weight: '99999999999999999999999999999999999999999999...' is more than 2^64 - 1; the line was skipped
hint: weights are whole numbers from 0 to 2^64 - 1; add --skip-bad when such lines are expected
1	a
[2]

$ printf 'a,\nb, \nc,-2\nd,2\ne\n' > bad; ballpark top -d, -f1 -w2 bad
ballpark: bad:5: no field 2; the line was skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
ballpark: bad:1: field 2 is no weight: '' is empty; 3 such lines were skipped
hint: weights are whole numbers from 0 to 2^64 - 1; add --skip-bad when such lines are expected
2	d
[2]

$ ballpark top -d, -f1 -w2 -q --skip-bad bad
2	d

# One field, and one there is.
$ for w in 1,2 1- 0 x ''; do ballpark top -w "$w" bad; done
ballpark: top: --weight 1,2: a weight is one field
ballpark: top: --weight 1-: a weight is one field
ballpark: top: --weight 0: fields are counted from 1
hint: a list of fields is 2, 1,3-4, 3- or -2
ballpark: top: --weight x: is no number; -H makes the first line a header, whose names may be used
hint: a list of fields is 2, 1,3-4, 3- or -2
ballpark: top: --weight '': is empty
[2]
