# SPDX-License-Identifier: MIT
"""examples.py - every example of a page, a topic or the first screen is run.

examples.t runs them, each with its output, after the lines that make their files (which
end in `# fixture`). Here the two lists are held against each other.
"""
import os
import re

from pages import COMMANDS, TOPICS
from run import HERE, parse, same


def documented(place):
    """The examples, without a remark after two blanks."""
    asked = [["help"]] + [["help", *n.split()] for n in COMMANDS + TOPICS]
    found = set()
    for words in asked:
        text = place.ok(*words).decode()
        found |= set(re.findall(r"^  \$ (.+?)(?:  +#.*)?$", text, re.M))
    return found


def run_here():
    with open(os.path.join(HERE, "examples.t"), encoding="utf-8") as f:
        cases = parse(list(enumerate(f.read().splitlines(), 1)))
    return [c.command for c in cases if not c.command.endswith("# fixture")]


def case_every_example_is_run_by_examples_t_with_its_output(place):
    missing = documented(place) - set(run_here())
    same(sorted(missing), [], "add each to tests/cli/examples.t, with its output")


def case_what_examples_t_runs_stands_on_some_page(place):
    same(sorted(set(run_here()) - documented(place)), [],
         "on no page: remove it from tests/cli/examples.t, or end it in # fixture")
