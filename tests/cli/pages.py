# SPDX-License-Identifier: MIT
"""pages.py - what the command says of itself: help, topics, the manual.

Whatever holds for every command (as clig.dev asks) is held here over commands.def, so
that a new command is under it on its first day.
"""
import glob
import os
import re
import subprocess

from run import HERE, same

CLI = os.path.join(os.path.dirname(os.path.dirname(HERE)), "cli")


def listed(name, macro):
    """The first strings of an X-macro file's lines."""
    with open(os.path.join(CLI, name), encoding="utf-8") as f:
        return re.findall(rf'^{macro}\("([^"]+)"', f.read(), re.M)


COMMANDS = listed("commands.def", "CLI_COMMAND")
TOPICS = listed("topics.def", "CLI_TOPIC")


def case_there_are_commands_and_topics(place):
    if len(COMMANDS) < 7 or len(TOPICS) < 4:
        raise AssertionError((COMMANDS, TOPICS))


def helps(place):
    """Every text that help prints, by what was typed."""
    asked = [[]] + [["help"]] + [["help", t] for t in TOPICS]
    asked += [[*c.split(), h] for c in COMMANDS for h in ("-h", "--help")]
    asked += [[f, "--help"] for f in {c.split()[0] for c in COMMANDS if " " in c}]
    return {" ".join(a): place.run(*a) for a in asked}


def case_help_goes_to_stdout_and_is_no_error(place):
    for asked, done in helps(place).items():
        if asked:
            same((done.returncode, done.stderr), (0, b""), asked)
            same(bool(done.stdout), True, asked)
        else:
            same((done.returncode, done.stdout), (2, b""), "the bare command")


def case_no_line_of_help_is_longer_than_80_columns(place):
    for asked, done in helps(place).items():
        for line in (done.stdout + done.stderr).decode("ascii").splitlines():
            if len(line) > 80 or line != line.rstrip():
                raise AssertionError(f"ballpark {asked}: {line!r}: {len(line)} columns")


def case_the_first_screen_is_one_and_names_everything(place):
    text = place.ok("help").decode()
    same(len(text.splitlines()) <= 24, True, text)
    for name in COMMANDS + TOPICS:  # of a large family some share a row: "filter ... anti, semi"
        first, *rest = name.split()
        named = rf"(^  | ){first}\b" + "".join(rf"(?: \.\.\. .*)? ?\b{r}\b" for r in rest)
        same(bool(re.search(named, text, re.M)), True, name)
    same(place.run().stderr.decode(), text)
    for asked in ("--help", "-h"):
        same(place.ok(asked).decode(), text)


def case_examples_stand_before_options(place):
    for c in COMMANDS:
        text = place.ok(*c.split(), "--help").decode()
        at = [text.find(x) for x in ("\nexamples:\n  $ ", " options:\n", "\nexit codes:\n")]
        same(at == sorted(at) and at[0] > 0, True, text)
        same(place.ok("help", *c.split()).decode(), text)


def case_help_wins_over_what_else_is_on_the_line(place):
    for c in COMMANDS:
        done = place.run(*c.split(), "no such file", "--help")
        same((done.returncode, done.stderr), (0, b""), c)


def case_an_option_that_nobody_knows_is_an_error_with_a_hint(place):
    for c in COMMANDS:
        for option in ("--no-such-thing", "-#"):
            done = place.run(*c.split(), option)
            same((done.returncode, done.stdout), (2, b""), c)
            lines = done.stderr.decode().splitlines()
            same(lines[0], f"ballpark: {c}: {option}: there is no such option")
            same(lines[1].startswith("hint: "), True, lines)


def case_version_is_the_same_everywhere(place):
    text = place.ok("--version")
    for c in COMMANDS:
        same(place.ok(*c.split(), "--version"), text, c)


# ------------------------------------------------------------------------ the manual

def manual(place):
    """(file name, roff) of every page."""
    yield "ballpark.1", place.ok("man")
    for c in COMMANDS:
        yield f"ballpark-{c.replace(' ', '-')}.1", place.ok("man", *c.split())
    for t in TOPICS:
        yield f"ballpark-{t}.7", place.ok("man", t)


def case_the_manual_has_no_fault(place):
    for name, roff in manual(place):
        place.write(name, roff)
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", name],
                              cwd=place.dir, stdout=subprocess.PIPE, check=False)
        # The one that is meant: a date would make two builds of one source differ.
        said = [l for l in done.stdout.decode().splitlines()
                if not l.endswith('WARNING: missing date, using "": TH')]
        same(said, [], name)


def rendered(place, name, roff):
    path = place.write(name, roff)
    text = subprocess.run(["mandoc", "-T", "ascii", "-O", "width=500", path], check=True,
                          stdout=subprocess.PIPE).stdout.decode("ascii")
    return re.sub(r".\x08", "", text)


def case_the_manual_says_what_help_says(place):
    """Every example, option and code of --help, character for character."""
    for c in COMMANDS:
        page = rendered(place, "page.1", place.ok("man", *c.split()))
        for line in place.ok(*c.split(), "--help").decode().splitlines():
            for pattern in (r"  \$ (.*)", r"  (?:-., |    )(--[a-z][^ ]*)"):
                found = re.match(pattern, line)
                if found and found[1] not in page:
                    raise AssertionError(f"{c}: {found[1]} is not in\n{page}")
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "OTHER OPTIONS",
                        "EXIT CODES", "ENVIRONMENT", "SEE ALSO"):
            same(f"\n{section}\n" in page, True, f"{c}: {section}")


def case_the_environment_that_is_read_is_documented(place):
    read = set()
    for path in glob.glob(os.path.join(CLI, "*.c")):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        read |= set(re.findall(r'cli_env\("(\w+)"\)', text))
        same(text.count("getenv("), int(path.endswith("/options.c")), path)
    page = rendered(place, "ballpark.1", place.ok("man"))
    section = re.search(r"\nENVIRONMENT\n(.*?)\n[A-Z]", page, re.S)[1]
    same(set(re.findall(r"^ +([A-Z_]{4,})\b", section, re.M)), read)


# ---------------------------------------------------------------------- the option table

def case_every_option_of_the_table_is_an_option_of_some_command(place):
    with open(os.path.join(CLI, "options.c"), encoding="utf-8") as f:
        table = set(re.findall(r'^    \{OPT_\w+, CLI_\w+, [^"]{1,4}, "([a-z0-9-]+)"',
                               f.read(), re.M))
    used = set(re.findall(r"^complete .* -l ([a-z0-9-]+)",
                          place.ok("completions", "fish").decode(), re.M))
    same(used, table)
