# Fields: lists, ranges, names of a header, what separates them and what ends lines.
$ printf 'a b c d\ne f g h\n' > four
$ ballpark top -f1,3-4 four
1	a	c	d
1	e	g	h

$ ballpark top -f3- four; ballpark top -f-2 four; ballpark top -f 2 four
1	c	d
1	g	h
1	a	b
1	e	f
1	b
1	f

# In the order of the list, as often as they are named.
$ ballpark top -f4,1,1 four
1	d	a	a
1	h	e	e

# Joined by what separates them; a tab for runs of blanks, however long.
$ printf 'x::y::z\n' | ballpark top -d:: -f3,1; printf 'x,y,z\n' | ballpark top -d, -f2-3,1; printf '  x \t y  z  \n' | ballpark top -f2-
1	z::x
1	y,z,x
1	y	z

$ printf 'a\tb c\n' | ballpark top --tsv -f2,1
1	b c	a

# Without -f the line is the item, whatever separates fields.
$ printf 'a\tb\r\n' | ballpark top --tsv | od -c | head -1
0000000   1  \t   a  \t   b  \r  \n

# A line that lacks any of them is left out.
$ printf 'a b c\nd e\nf\n' > gaps; ballpark top -f2-3 gaps
ballpark: gaps:2: no field 3; 2 such lines were skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
1	b	c
[2]

$ ballpark top -f2- --skip-bad gaps
gaps:3: no field 2; the line was skipped
1	b	c
1	e

# Lists that are none.
$ for f in 0 2-1 a '' , 1, 1,,2 - 1-2-3 0-1 1.5 -0 99999999999999999999 '"1"'; do ballpark distinct -f "$f" four; done
ballpark: distinct: --field 0: fields are counted from 1
hint: a list of fields is 2, 1,3-4, 3- or -2
ballpark: distinct: --field 2-1: is a range that ends before it begins
hint: a list of fields is 2, 1,3-4, 3- or -2
ballpark: distinct: --field a: is no number; -H makes the first line a header, whose names may be used
hint: a list of fields is 2, 1,3-4, 3- or -2
ballpark: distinct: --field '': is empty
ballpark: distinct: --field ,: has an empty entry
hint: a list of fields is 2, 1,3-4, 3- or -2
ballpark: distinct: --field 1,: has an empty entry
hint: a list of fields is 2, 1,3-4, 3- or -2
ballpark: distinct: --field 1,,2: has an empty entry
hint: a list of fields is 2, 1,3-4, 3- or -2
ballpark: distinct: --field -: is no number; -H makes the first line a header, whose names may be used
hint: a list of fields is 2, 1,3-4, 3- or -2
ballpark: distinct: --field 1-2-3: has a - too many
hint: a list of fields is 2, 1,3-4, 3- or -2
ballpark: distinct: --field 0-1: fields are counted from 1
hint: a list of fields is 2, 1,3-4, 3- or -2
ballpark: distinct: --field 1.5: is no number; -H makes the first line a header, whose names may be used
hint: a list of fields is 2, 1,3-4, 3- or -2
ballpark: distinct: --field -0: fields are counted from 1
hint: a list of fields is 2, 1,3-4, 3- or -2
ballpark: distinct: --field 99999999999999999999: is too large a number: the most is 2^30
hint: a list of fields is 2, 1,3-4, 3- or -2
ballpark: distinct: --field "1": is a name; -H makes the first line a header with names
hint: a list of fields is 2, 1,3-4, 3- or -2
[2]

# -H: the first line is no item, and names the fields.
$ printf 'id,email,name\n1,a@x,Ann\n2,b@x,Bob\n' > users.csv; printf 'email,id\nc@x,3\na@x,1\n' > more.csv
$ ballpark distinct -H users.csv; ballpark distinct -H -d, -f email users.csv more.csv
2
3

# Columns may stand in another order in the next file.
$ ballpark top -n9 -H -d, -f id,email users.csv more.csv
2	1,a@x
1	2,b@x
1	3,c@x

$ ballpark top -H -d, -f 2,id users.csv
1	a@x,1
1	b@x,2

# The same from a pipe, and for a file that was read in part.
$ cat users.csv | ballpark top -H -d, -f name; (read -r line; ballpark top -H -d, -f 1@x) < more.csv
1	Ann
1	Bob
ballpark: standard input: no column '1@x'; it has: c@x, 3
hint: did you mean c@x?
[2]

# A file without the column fails, the others are read.
$ ballpark distinct -H -d, -f emial users.csv
ballpark: users.csv: no column 'emial'; it has: id, email, name
hint: did you mean email?
[2]

$ ballpark distinct -H -d, -f name users.csv more.csv
ballpark: more.csv: no column 'name'; it has: email, id
2
[2]

$ ballpark filter build -o x.bp -H -d, -f name more.csv users.csv; ls x.bp
ballpark: more.csv: no column 'name'; it has: email, id
ls: cannot access 'x.bp': No such file or directory
[2]

$ printf 'a,b,a\n1,2,3\n' | ballpark distinct -H -d, -f a
ballpark: standard input: two columns have the name 'a'
hint: say by number which one
[2]

# A header of a million columns costs no more than their names.
$ (yes a, | head -1000000 | tr -d '\n'; printf 'z\n'; yes 1, | head -1000000 | tr -d '\n'; echo 2) > wide; $LIMIT 200000; ballpark top -H -d, -f z wide; ballpark distinct -H wide; ballpark distinct -H -d, -f y wide
1	2
1
ballpark: wide: no column 'y'; it has: a, a, a, a, a, a, a, a, a, a, a, a, ...
[2]

# Names that look like something else are quoted. A byte order mark and a carriage return
# are no part of a name.
$ printf 'b a,2\nx,y\n' > odd; ballpark top -H -d, -f '"2"' odd; ballpark top -H -d, -f 'b a' odd; ballpark top -H -d'a,' -f '"b "' odd
1	y
1	x
1	x,y

$ printf '\357\273\277id,name\r\n1,Ann\r\n' > bom; ballpark top -H -d, -f id bom; ballpark top -H -d, -f name --trim bom
1	1
1	Ann

# Nothing, a header alone, an empty header.
$ : | ballpark distinct -H -f a; printf 'a b' | ballpark distinct -H -f a; printf '\nx\n' | ballpark distinct -H; printf '\nx\n' | ballpark distinct -H -f a
0
0
1
ballpark: standard input: no column 'a'; it has: 
[2]

# The number of a bad line counts the header.
$ printf 'id,email\n1,a\n2\n' > short; ballpark distinct -q -H -d, -f email short; cat short | ballpark distinct -q -H -d, -f email
ballpark: short:3: no field 2; the line was skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
1
ballpark: standard input:3: no field 2; the line was skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
1
[2]

# filter test passes the first header on, so that what it prints is such a file again.
$ printf 'email\na@x\n' | ballpark filter build -H -f email -o seen.bp; ballpark filter test -H -d, -f email seen.bp users.csv more.csv
id,email,name
1,a@x,Ann
a@x,1

$ ballpark filter test -c -H -d, -f email seen.bp users.csv; ballpark filter test -q -H -d, -f email seen.bp users.csv; printf 'email\nz\n' | ballpark filter test -H -f1 seen.bp
1
email
[1]

# -z: lines end with NUL, and so do the lines and items that are printed.
$ printf 'a b\nc\0a b\nc\0d\0' > nul; ballpark distinct -z nul; ballpark top -z nul | od -c; ballpark distinct -z -f2 nul
2
0000000   2  \t   a       b  \n   c  \0   1  \t   d  \0
0000014
ballpark: nul:3: no field 2; the line was skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
1
[2]

$ printf 'd\0' | ballpark filter build -z -o d.bp; ballpark filter test -v -z d.bp nul | od -c
0000000   a       b  \n   c  \0   a       b  \n   c  \0
0000014

# --trim and -i change the item, not the line.
$ printf ' a \nA\n\ta\r\nB b\n' > mixed; ballpark top --trim -i mixed; ballpark distinct -i mixed; ballpark distinct --trim mixed
3	a
1	b b
4
3

$ printf 'a\n' | ballpark filter build -o a.bp; ballpark filter test --trim -i a.bp mixed | od -c
0000000       a      \n   A  \n  \t   a  \r  \n
0000012

# --files0-from.
$ printf '1\n' > 'new
> line'; printf '2\n' > b; printf 'new\nline\0b\0' > names; ballpark distinct --files0-from names; printf 'b' | ballpark distinct --files0-from -
2
1

$ printf 'b\0\0' | ballpark distinct --files0-from=-; printf 'b\0-\0' | ballpark distinct --files0-from=-; ballpark distinct --files0-from=names b; ballpark distinct --files0-from=nowhere
ballpark: distinct: --files0-from -: name 2 is empty
ballpark: distinct: --files0-from -: name 2 is -, but standard input holds the list
ballpark: distinct: --files0-from: is in place of files, but there is b
hint: write that name into the list, too
ballpark: nowhere: No such file or directory
[2]

# A list with a name a line is one name.
$ printf 'b\nb\n' | ballpark distinct --files0-from=-
ballpark: b\x0ab\x0a: No such file or directory
hint: that is one name; --files0-from wants a NUL byte after each, as of find -print0
[2]

$ : | ballpark distinct --files0-from=-; printf 2 | ballpark filter build -o two.bp; ballpark filter test --files0-from=names two.bp; printf 'x\0b\0' | ballpark distinct --files0-from=-
0
2
ballpark: x: No such file or directory
1
[2]

# What does not go together.
$ ballpark distinct -d, --tsv -f1 four; ballpark distinct -d, four
ballpark: distinct: --delimiter and --tsv: both say what separates fields
hint: --tsv is -d '\t'
ballpark: distinct: --delimiter: says how to split, but no field is asked for
hint: add -f N for the N-th field
[2]

$ ballpark distinct -w1 four
ballpark: distinct: -w: not an option of this command
hint: --weight is for: top, count build, verify
[2]
