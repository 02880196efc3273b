/* SPDX-License-Identifier: MIT
 * topics.c - what `ballpark help TOPIC` tells: what no single command's page can.
 *
 * Every example here, as on the pages, is run by the tests with its output
 * (tests/cli/examples.t), so a line that is printed is a line that works. */
#include "page.h"

#include <string.h>

const char cli_about[] =
    "Answers big questions in a few kilobytes, with an error it can state: is it in the "
    "set, how often, how many different, which come most often. It reads lines from "
    "files or standard input, in one pass, and keeps a sketch of them instead of the "
    "lines. Sketches can be saved, merged and asked later.\n\n"
    "`ballpark COMMAND -h` lists a command's options, `--help` teaches it. Without a "
    "FILE, or where FILE is -, standard input is read.";

const char *const cli_environment[] = {
    "COLUMNS",
    "fewer than the terminal has: no row is longer",
    "LINES",
    "fewer than the terminal has: --follow uses no more",
    "NO_COLOR",
    "set, and not empty: no colours, unless --color=always",
    "TERM",
    "dumb: no colours",
    "TMPDIR",
    "where standard input is kept when it must be read twice; /tmp unless set",
    NULL};

static const cli_block topic_accuracy[] = {
    {CLI_PARAGRAPH,
     "A sketch answers in a few kilobytes by being wrong in a way that is known. What it "
     "says is either certain, or probable at a stated rate; no answer is a guess without "
     "bounds.",
     NULL},
    {CLI_SECTION, "what each kind promises", NULL},
    {CLI_TERM, "bloom",
     "Is it in the set? A no is certain. A yes is wrong at the false positive rate "
     "(-p, 1% unless given) while the filter holds no more than it was made for; past "
     "that the rate climbs, and every test says so: 1% becomes 2.8% at 1.25 times, 15.7% "
     "at twice."},
    {CLI_TERM, "other filters",
     "The same promise, at other prices: `ballpark help kinds`."},
    {CLI_TERM, "hll",
     "How many different? Standard error 0.81% (12 KB), or what -e asks for: two answers "
     "in three are within it, 95% within twice. Up to 100 different items it is exact, "
     "but for odds of 1 in 40,000."},
    {CLI_TERM, "count_min",
     "How often? Never under, for certain; over by more than epsilon of all that was "
     "counted in at most delta of answers. For a rare item that is all noise."},
    {CLI_TERM, "top_k",
     "Which come most often? Exact while the different items fit the memory. Then each "
     "row has bounds of its own: never above the count, for certain, and not below \"at "
     "least\" at the confidence asked for. When nothing stands out, it says so."},
    {CLI_SECTION, "how -e, -p and -m map", NULL},
    {CLI_PARAGRAPH, "`ballpark size` works each out before anything is built.", NULL},
    {CLI_TERM, "-e, --error",
     "hll: the standard error; the fewest registers that keep it, 2^P with P 4 to 18: "
     "1.04 / sqrt(2^P). count_min: the share of everything that a count may be over by."},
    {CLI_TERM, "-p, --fpr",
     "bloom: 9.6 bits an item at 1%, 14.4 at 0.1%, 4.8 more for each further tenth."},
    {CLI_TERM, "-m, --memory",
     "the most that the sketch may take, and so the least error that it can keep. "
     "Half the memory is 1.4 times the error of an hll, twice that of a count_min, the "
     "square root of the rate of a bloom."},
    {CLI_SECTION, "merging", NULL},
    {CLI_PARAGRAPH,
     "Sketches of two days merge into the sketch of both, with the error of one: who "
     "came on both days counts once. They must have the same kind, size and hash; others "
     "are "
     "refused, and both values named.",
     NULL},
    {CLI_SECTION, "when to use none", NULL},
    {CLI_PARAGRAPH,
     "Do not bill, enforce quotas, decide access or uniqueness on a sketch's word. And "
     "do not use one for ten thousand items: a hash set, or sort -u, is exact and small.",
     NULL},
    {CLI_BLOCK_END, NULL, NULL}};

static const cli_block topic_kinds[] = {
    {CLI_PARAGRAPH,
     "A filter says whether an item is in a set. Whatever its kind, a no is certain, and "
     "a yes is wrong at the false positive rate (-p). The kinds differ in what they are "
     "paid with.",
     NULL},
    {CLI_EXAMPLE, "ballpark size -n 1e7 -p 0.1%",
     "all kinds side by side: bits an item, rate, bytes, lines, bytes to build, deletes, "
     "grows"},
    {CLI_SECTION, "kinds, and their short names", NULL},
    {CLI_TERM, "bloom",
     "For any rate: 9.6 bits an item at 1%, 4.8 more for each further tenth. An item has "
     "its bits all over the filter: a yes reads as many places, a no about two. The "
     "usual one below 0.1%."},
    {CLI_TERM, "blocked_bloom, or blocked",
     "All bits of an item in one cache line: several times as fast as a bloom that is "
     "larger than the cache, for 5% more memory at 1%, 9% at 0.1%. Down to 0.01%. The "
     "usual one from 0.1% on."},
    {CLI_TERM, "binary_fuse, or fuse",
     "Of a set that is complete (--static): built at once, never over, three places a "
     "question. 9 bits an item at 0.39%, 18 at 0.0015%, 36 at 2e-10: -p takes the next "
     "of "
     "these. Nothing is added to it or merged into it, and building takes memory."},
    {CLI_TERM, "ribbon",
     "Of a set that is complete, in the fewest bits, at any rate: 7.4 bits an item at "
     "1%, "
     "11.2 at 0.1%. Built at once, never over; slower to build and to ask than a fuse."},
    {CLI_TERM, "cuckoo",
     "Items can be taken out again (--deletable), two places a question: 12.7 bits an "
     "item at 0.18%, 17 at 0.012%. It is full at last, refuses what does not fit and "
     "loses nothing. It counts up to 8 copies of an item."},
    {CLI_TERM, "counting_bloom, or counting",
     "Items can be taken out, for 4 times the memory of a bloom, at any rate. Never "
     "full. "
     "It counts up to 15 copies of an item; one that came 15 times stays for ever."},
    {CLI_TERM, "scalable_bloom, or scalable",
     "Grows (--growing) for as long as items come, and the rate stays below -p: 14 to 20 "
     "bits an item at 1%, and a place more a question each time it doubles. -n is what "
     "its first layer takes, 100,000 unless given."},
    {CLI_SECTION, "past what it was made for", NULL},
    {CLI_PARAGRAPH,
     "A bloom, a blocked_bloom and a counting_bloom take any number of items and lose "
     "none, but take more strangers for members, and say so. A cuckoo refuses. A "
     "scalable_bloom grows. A fuse and a ribbon are never over.",
     NULL},
    {CLI_SECTION, "more items, or fewer", NULL},
    {CLI_PARAGRAPH,
     "`ballpark filter add` puts items into any but a fuse and a ribbon, which are "
     "built again from all inputs; `ballpark filter remove` takes them out of a cuckoo "
     "or a counting_bloom.",
     NULL},
    {CLI_SECTION, "union", NULL},
    {CLI_PARAGRAPH,
     "`ballpark merge` unites filters of one kind and the same -n, -p and seed: blooms "
     "and blocked_blooms as if one had read both inputs, a counting_bloom and a cuckoo "
     "with the copies of both, a scalable_bloom with the layers of both, so that their "
     "rates add up.",
     NULL},
    {CLI_BLOCK_END, NULL, NULL}};

static const cli_block topic_fields[] = {
    {CLI_PARAGRAPH,
     "An item is a line without its end: every byte of it, a carriage return too. An "
     "empty line is an empty item, and the last line may lack its end. -f makes an item "
     "of some fields of the line, -w takes a weight from one.",
     NULL},
    {CLI_SECTION, "what separates fields", NULL},
    {CLI_TERM, "(nothing said)",
     "Runs of blanks and tabs, those at the beginning of the line left out: as awk."},
    {CLI_TERM, "-d, --delimiter; --tsv",
     "Each time the text comes, a tab with --tsv: a,,b has an empty second field. Quotes "
     "are bytes like any other."},
    {CLI_TERM, "--csv",
     "Commas, or the byte of -d, as in RFC 4180: a field that begins with a quote may "
     "hold commas, line ends and, doubled, quotes; the item is its value, without "
     "quotes. CRLF ends a record. A quote in the middle of a field is a byte like any "
     "other. Several fields are quoted where that is needed, so that different rows are "
     "never the same item. A quote that is never closed is an error; what came before it "
     "counts."},
    {CLI_SECTION, "which fields", NULL},
    {CLI_TERM, "-f 2, -f 1,3-4, -f 3-, -f -2",
     "Fields are counted from 1. Several make one item, joined by what separates them (a "
     "tab for blanks), in the order of the list: -f 3,1 is not -f 1,3, unlike cut. A "
     "line that lacks one of them is left out and reported, and the exit code is 2, "
     "unless --skip-bad."},
    {CLI_TERM, "-f name, -f host,path",
     "With -H, a name of the header. The first line of each file names its fields and is "
     "no item; files may have their columns in different orders. A file without the "
     "column fails, the others are still read. A name in quotes may hold a comma, or "
     "look like a number: -f '\"2\"'."},
    {CLI_TERM, "-w, --weight",
     "The line counts as often as the whole number in this field says, 0 to 2^64 - 1, "
     "blanks around it allowed. Lines with anything else there are left out and "
     "reported as those without the field. Counts stop at 2^64 - 1."},
    {CLI_TERM, "--trim, -i",
     "White space around the item goes; A to Z become a to z. Neither touches what is "
     "printed of a line, nor groups."},
    {CLI_SECTION, "lines and files", NULL},
    {CLI_TERM, "-z, --zero-terminated",
     "Lines end with a NUL byte and may hold newlines; what prints lines or items ends "
     "each with a NUL byte, too."},
    {CLI_TERM, "--files0-from",
     "The names of the inputs, as find -print0 writes them; instead of FILEs."},
    {CLI_BLOCK_END, NULL, NULL}};

static const cli_block topic_state[] = {
    {CLI_PARAGRAPH,
     "-s STATE adds what is read to what earlier runs saved in STATE, saves the sum "
     "there, and answers over everything so far. A state is a sketch like those of -o: "
     "info, merge and query read it.",
     NULL},
    {CLI_SECTION, "what happens when", NULL},
    {CLI_TERM, "before the input is read",
     "STATE is looked at. When it is there its parameters, hash and seed hold, and "
     "options that ask for others are refused; a keyed one wants its key. What is "
     "damaged, newer, of another kind or no place to write is refused, and stays as it "
     "is. When it is missing it is made, at the end."},
    {CLI_TERM, "after",
     "STATE.lock is locked, STATE read, the sum written to a new file beside it, made "
     "durable, and renamed to STATE. Runs that end at the same time take turns, so none "
     "of them is lost; whatever ends a run, SIGKILL or a full disk too, STATE is the old "
     "one or the new one, whole. A symbolic link stays one."},
    {CLI_TERM, "when an input could not be read, or lines were without the field",
     "STATE is as it was, unless --skip-bad says that such lines are expected. After "
     "the mend the run can simply be made again."},
    {CLI_SECTION, "what a state does not know", NULL},
    {CLI_PARAGRAPH,
     "Which lines are in it: the same log added twice is counted twice by `top` and "
     "`count build`, while `distinct` and `filter build` do not mind. Nor from which "
     "fields its items came, or how they were trimmed: each run must say the same.",
     NULL},
    {CLI_SECTION, "the lock", NULL},
    {CLI_PARAGRAPH,
     "The lock is on an empty file beside STATE, which stays: a run that ended in any "
     "way holds it no longer. Who reads a state needs none. On a network file system it "
     "is as good as flock is there.",
     NULL},
    {CLI_BLOCK_END, NULL, NULL}};

static const cli_block topic_hashing[] = {
    {CLI_PARAGRAPH,
     "A sketch sees hashes of 64 bits, not items. Everyone has the usual hash (XXH3, "
     "seed 0), so that sketches made anywhere can be merged.",
     NULL},
    {CLI_SECTION, "another hash", NULL},
    {CLI_TERM, "--seed N",
     "Other hashes, and other errors, for the same input: two seeds are two "
     "independent estimates. A sketch carries its seed, so nothing needs to be said "
     "when it is asked."},
    {CLI_TERM, "--key-file FILE",
     "SipHash-2-4 under a secret key of 128 bits: 16 bytes, or 32 hex digits. For input "
     "that an attacker chooses: who knows the hash can choose items that hide a heavy "
     "hitter, fill a filter, or look like few. A sketch keeps only a check value of the "
     "key, so to ask it for items or to add some takes the key again; without it, it can "
     "be told of and merged."},
    {CLI_EXAMPLE, "head -c 16 /dev/urandom > key", "a key; chmod go= keeps it secret"},
    {CLI_PARAGRAPH,
     "Sketches of different seeds or keys are never merged. Items of `top` are kept as "
     "they are, with any hash.",
     NULL},
    {CLI_BLOCK_END, NULL, NULL}};

static const cli_block topic_formats[] = {
    {CLI_PARAGRAPH,
     "stdout is data only; remarks, warnings and errors go to stderr. --format says how "
     "the data looks; without it a terminal gets human, anything else plain.",
     NULL},
    {CLI_SECTION, "what is printed", NULL},
    {CLI_TERM, "human",
     "for people: a heading, aligned columns, 1,234,567 and 1.6%. It may change in any "
     "version; do not parse it."},
    {CLI_TERM, "plain",
     "for scripts: columns separated by tabs, numbers first, the item last, no heading, "
     "numbers without commas. Columns never change once a version had them."},
    {CLI_TERM, "csv",
     "all columns, under a line of their names, also when there is no row (RFC 4180)."},
    {CLI_TERM, "json",
     "an object a row, on a line of its own. An item that is not UTF-8 is item_base64. "
     "A count above 2^63 - 1 is a string."},
    {CLI_TERM, "prom",
     "gauges in the text format of Prometheus, for node_exporter's textfile collector: "
     "write a file beside, then rename it. A group or a file is a label, an item never "
     "is. What has no metrics says so."},
    {CLI_PARAGRAPH,
     "On a terminal a row that is longer than a line is cut. Control characters, and "
     "bytes that are not UTF-8, are spelled out for people (\\x1b), so that a terminal "
     "does not obey what stands in a log; the other formats have the bytes as they are. "
     "East Asian wide characters and emoji take two columns; marks of scripts other than "
     "Latin, and emoji joined into one, may put a column out of line.",
     NULL},
    {CLI_SECTION, "sizes and numbers", NULL},
    {CLI_PARAGRAPH,
     "Sizes: K, M, G, T and KiB, MiB, ... are 1024-based, kB, MB, GB, TB 1000-based. "
     "Counts are written out or as 1e6: 10M items could be either of two numbers. "
     "Fractions are 0.01, 1e-2 or 1%.",
     NULL},
    {CLI_SECTION, "what is in the files", NULL},
    {CLI_PARAGRAPH,
     "A saved sketch is one file, the same bytes on every machine: 64 bytes or more of "
     "header with kind, parameters and hash, then the payload, with checksums over all "
     "of it. It is replaced whole or not at all. A format is never changed: a newer one "
     "is "
     "refused by name, an older one stays readable. docs/FORMAT.md has every byte, and "
     "`ballpark info` tells what a file is.",
     NULL},
    {CLI_BLOCK_END, NULL, NULL}};

static const cli_block topic_follow[] = {
    {CLI_PARAGRAPH,
     "`tail -F access.log | ballpark top -F -f1` shows which addresses came most often "
     "so far, every ten seconds; --every 2s makes that two. The input must be a pipe, "
     "which ends when its writer does: a file is read to its end and shown once. The "
     "last answer is that of the whole input.",
     NULL},
    {CLI_TERM, "on a terminal",
     "each answer takes the place of the one before, as much of it as the window has "
     "room for. Under it stand the lines read, how many came in a second, and the time."},
    {CLI_TERM, "elsewhere",
     "a blank line stands between answers. Rows of csv and json have the time in a "
     "column `at` (UTC); the heading of csv comes once. prom is refused: it is one "
     "answer."},
    {CLI_PARAGRAPH, "Answers come on time also when nothing arrives. One thread reads.",
     NULL},
    {CLI_SECTION, "Ctrl-C", NULL},
    {CLI_PARAGRAPH,
     "The first Ctrl-C (SIGINT) ends the reading, not the run, with or without --follow: "
     "the answer for what was read is printed, or the lines that were selected, and the "
     "exit code is 130. A line that had only begun does not count. Files are then "
     "written with --follow only, since one cannot end it otherwise: without it a part "
     "would be taken for the whole. The second Ctrl-C ends the run at once.",
     NULL},
    {CLI_BLOCK_END, NULL, NULL}};

static const cli_block topic_recipes[] = {
    {CLI_PARAGRAPH,
     "A web log has the address in field 1, the page in field 7, the status in field 9, "
     "the bytes sent in field 10.",
     NULL},
    {CLI_SECTION, "visitors", NULL},
    {CLI_EXAMPLE, "ballpark distinct -f1 access.log", "how many different addresses"},
    {CLI_EXAMPLE, "ballpark distinct -q -f1 -e 0.5% access.log.gz tuesday.log",
     "of two logs together, one compressed, with a standard error of 0.5% or less"},
    {CLI_EXAMPLE, "ballpark distinct -q -g9 -f1 access.log", "for each status"},
    {CLI_SECTION, "a day, a week", NULL},
    {CLI_EXAMPLE, "ballpark distinct -q -f1 -o mon.bp monday.log",
     "each night: the number, and the sketch of the day"},
    {CLI_EXAMPLE, "ballpark merge mon.bp tue.bp -o both.bp && ballpark query both.bp",
     "different visitors of both days: who came twice counts once"},
    {CLI_EXAMPLE, "ballpark distinct -q -f1 -s month.bp monday.log",
     "from cron: the month so far, which grows by each day's log"},
    {CLI_SECTION, "heavy hitters", NULL},
    {CLI_EXAMPLE, "ballpark top -f7 -n3 access.log", "the three pages asked for most"},
    {CLI_EXAMPLE, "ballpark top -g9 -f7 -n2 access.log", "the two of each status"},
    {CLI_EXAMPLE, "ballpark top -q -f7 -w10 --skip-bad -n3 access.log",
     "the three that sent most bytes; a dash instead of a number is left out"},
    {CLI_EXAMPLE, "tail -F access.log | ballpark top -F --every 5s -f1 -n3",
     "who asks most, as the log grows: a new answer every five seconds"},
    {CLI_SECTION, "columns of a CSV file", NULL},
    {CLI_EXAMPLE, "ballpark top --csv -H -f city users.csv", "by the name in the header"},
    {CLI_EXAMPLE, "ballpark top --csv -H -f user -w amount -n3 orders.csv",
     "who spent most: each order counts as often as its amount says"},
    {CLI_SECTION, "how often, asked later", NULL},
    {CLI_EXAMPLE, "ballpark count build -q -f7 -o pages.bp access.log",
     "counts of everything, in 54 KB"},
    {CLI_EXAMPLE, "ballpark count pages.bp /login /admin",
     "never too low; a zero means never"},
    {CLI_SECTION, "seen before", NULL},
    {CLI_EXAMPLE, "ballpark filter build -q -p 0.1% -o seen.bp seen.txt",
     "a filter of all lines that are known"},
    {CLI_EXAMPLE, "ballpark filter test -v seen.bp new.txt",
     "the lines that surely are new"},
    {CLI_EXAMPLE, "ballpark filter test seen.bp --exact seen.txt new.txt",
     "the lines that are not, each yes of the filter checked"},
    {CLI_EXAMPLE, "ballpark dedup -q urls.txt > once.txt",
     "each line once, where it came first, without sorting"},
    {CLI_SECTION, "the keys of one file that another lacks", NULL},
    {CLI_EXAMPLE,
     "ballpark filter anti --csv -Hf user --other-field id orders.csv users.csv",
     "an anti-join: the orders of users that are not in users.csv, exactly"},
    {CLI_SECTION, "Prometheus", NULL},
    {CLI_EXAMPLE,
     "ballpark distinct -q -f1 --format prom access.log > new && mv new web.prom",
     "for the textfile collector of node_exporter, never half written"},
    {CLI_BLOCK_END, NULL, NULL}};

static const cli_block topic_exit_codes[] = {
    {CLI_PARAGRAPH, "Every command ends with one of these:", NULL},
    {CLI_SECTION, "exit codes", NULL},
    {CLI_TERM, "0", "done; for a command that selects, some line was selected"},
    {CLI_TERM, "1",
     "nothing was selected, or taken out of a filter, and nothing was wrong (as grep)"},
    {CLI_TERM, "2",
     "something was wrong: an option, an input, a line; stderr says what, and the mend. "
     "What could be read was still answered, and no file was written half"},
    {CLI_TERM, "3",
     "dedup: more different items than it was made for; lines may be missing"},
    {CLI_TERM, "130",
     "interrupted (SIGINT); what an answer was there for by then, was printed"},
    {CLI_TERM, "141", "nobody read the output any more (SIGPIPE)"},
    {CLI_BLOCK_END, NULL, NULL}};

#define CLI_TOPIC(name, ident, summary) {name, summary, topic_##ident},
const cli_topic cli_topics[] = {
#include "topics.def"
    {NULL, NULL, NULL}};
#undef CLI_TOPIC

const cli_topic *cli_find_topic(const char *name)
{
    for (const cli_topic *t = cli_topics; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}
