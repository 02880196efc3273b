# verify: sketches beside exact answers. A promise that is kept is called broken in less
# than 1 of 100,000 runs, and the same input gives the same numbers.
$ for i in $(seq 300); do echo hot; seq 40; done > in; seq 1000 20999 >> in

$ ballpark verify in
0.00395678	0.008125	0.0279576	within	hll	relative error of the number
0	0	0	within	top_k	rows whose count is too low
0	0	0	within	top_k	lower bounds above the truth
0	0	0	within	count_min	items whose count is too low
0	0.00673795	0.00969375	within	count_min	items over by too much
0	0	0	within	bloom	members that are not found
0.010139	0.00999851	0.0104797	within	bloom	strangers taken for members
0	0	0	within	blocked_bloom	members that are not found
0.0099	0.00981768	0.0102945	within	blocked_bloom	strangers taken for members
0	0	0	within	binary_fuse	members that are not found
0.003978	0.00390625	0.00420935	within	binary_fuse	strangers taken for members

$ ballpark verify -q --format human in
measured  promised  limit  verdict  kind           what
    0.4%     0.81%   2.8%  within   hll            relative error of the number
      0%        0%     0%  within   top_k          rows whose count is too low
      0%        0%     0%  within   top_k          lower bounds above the truth
      0%        0%     0%  within   count_min      items whose count is too low
      0%     0.67%  0.97%  within   count_min      items over by too much
      0%        0%     0%  within   bloom          members that are not found
      1%        1%     1%  within   bloom          strangers taken for members
      0%        0%     0%  within   blocked_bloom  members that are not found
   0.99%     0.98%     1%  within   blocked_bloom  strangers taken for members
      0%        0%     0%  within   binary_fuse    members that are not found
    0.4%     0.39%  0.42%  within   binary_fuse    strangers taken for members

$ ballpark verify -k hll --format json in; ballpark verify -k hll --format csv in
{"measured": 0.003956775..., "promised": 0.008125, "limit": 0.027957574..., "verdict": "within", "kind": "hll", "what": "relative error of the number"}
measured,promised,limit,verdict,kind,what
0.00395678,0.008125,0.0279576,within,hll,relative error of the number

# One kind, with its own parameters.
$ ballpark verify -k hll -e 10% in; ballpark verify -k hll --precision 4 in
0.000435456	0.0919239	0.332405	within	hll	relative error of the number
0.496585	0.26	1.02106	within	hll	relative error of the number

$ ballpark verify -k count_min -m 1K in; ballpark verify -k count_min -e 1% --delta 40% in
0	0	0	within	count_min	items whose count is too low
0	0.00673795	0.00969375	within	count_min	items over by too much
0	0	0	within	count_min	items whose count is too low
0.131281	0.367879	0.384274	within	count_min	items over by too much

$ ballpark verify -k bloom -n 10000 -p 0.1% in
0	0	0	within	bloom	members that are not found
0.057743	0.0578786	0.0590025	within	bloom	strangers taken for members

# A static filter is built from all items, with the fingerprints that keep the rate.
$ ballpark verify -k fuse -p 0.1% in; ballpark verify -k fuse -n 5 in
0	0	0	within	binary_fuse	members that are not found
1.6e-05	1.52588e-05	3.75383e-05	within	binary_fuse	strangers taken for members
ballpark: verify: --items: is no parameter of the kind binary_fuse
hint: `ballpark verify --help` says whose it is
[2]

$ ballpark verify -k top_k -n 5 -m 1K in
0	0	0	within	top_k	rows whose count is too low
0	0	0	within	top_k	lower bounds above the truth

# Fields and weights, a pipe, nothing at all.
$ awk '{ print $1 % 7, $1 % 1000 }' in | ballpark verify -f2 -w1 -k count_min -e 5%
0	0	0	within	count_min	items whose count is too low
0	0.00673795	0.0225161	within	count_min	items over by too much

$ printf '4294967296 a\n18446744073709551615 b\n' | ballpark verify -q -f2 -w1 -k count_min
0	0	0	within	count_min	items whose count is too low
0	0.00673795	1	within	count_min	items over by too much

# A look at all items for each row would take minutes.
$ seq 200000 | ballpark verify -q -k top_k -n 200000 -m 64M
0	0	0	within	top_k	rows whose count is too low
0	0	0	within	top_k	lower bounds above the truth

$ ballpark verify < /dev/null
0	0.008125	0	within	hll	relative error of the number
0	0	0	within	top_k	rows whose count is too low
0	0	0	within	top_k	lower bounds above the truth
0	0	0	within	count_min	items whose count is too low
0	0.00673795	0	within	count_min	items over by too much
0	0	0	within	bloom	members that are not found
0	0	0	within	bloom	strangers taken for members
0	0	0	within	blocked_bloom	members that are not found
0	0	0	within	blocked_bloom	strangers taken for members
0	0	0	within	binary_fuse	members that are not found
0	0	0	within	binary_fuse	strangers taken for members

# An input that cannot be read is said, and the rest is judged.
$ ballpark verify -k hll in missing
ballpark: missing: No such file or directory
0.00395678	0.008125	0.0279576	within	hll	relative error of the number
[2]

$ ballpark verify missing
ballpark: missing: No such file or directory
[2]

$ printf 'a 1\nb\n' | ballpark verify -f2 -k hll
ballpark: standard input:2: no field 2; the line was skipped
hint: add --skip-bad when such lines are expected; -d says what separates fields
0	0.008125	0	within	hll	relative error of the number
[2]

# What goes wrong.
$ ballpark verify -e 1% in
ballpark: verify: --error: is a parameter of one kind of sketch
hint: say which, with -k hll, top_k, count_min, bloom, blocked_bloom or binary_fuse
[2]

$ ballpark verify -k hll -p 1% in
ballpark: verify: --fpr: is no parameter of the kind hll
hint: `ballpark verify --help` says whose it is
[2]

$ ballpark verify -k nothing in 2>&1 | head -n 1
ballpark: verify: --kind nothing: there is no such kind of sketch

$ ballpark verify -k top_k -n 2e6 in
ballpark: verify: --items 2000000: the most rows are 1048576
[2]

$ ballpark verify -k hll -e 0.01% in
ballpark: verify: hll: no precision keeps the standard error that low
hint: the best is 0.2%, with --precision 18
[2]

$ ballpark verify --help | sed -n '1p;3p'
ballpark verify - holds sketches against exact answers, on your own data
usage: ballpark verify [OPTION]... [FILE]...
