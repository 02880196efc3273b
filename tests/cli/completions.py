# SPDX-License-Identifier: MIT
"""completions.py - the shells complete what the scripts say, asked as a person asks.

bash runs the function with the words it would be given, zsh gets keys at a terminal, fish
is asked by `complete -C`. Each case completes the same lines, so that no shell knows less
than another.
"""
import os
import pty
import subprocess
import time

from run import TIMEOUT, same

# What is typed up to the cursor, and words that must be offered, and that must not.
ASKED = [
    ("ballpark ", ["distinct", "top", "filter", "merge", "completions"], ["build"]),
    ("ballpark dis", ["distinct"], ["top"]),
    ("ballpark filter ", ["build", "test"], ["distinct"]),
    ("ballpark distinct --for", ["--format"], ["--field"]),
    ("ballpark distinct --f", ["--format", "--field"], ["--fpr"]),
    ("ballpark filter build --f", ["--fpr", "--field"], ["--format"]),
    ("ballpark filter test --inv", ["--invert-match"], ["--fpr"]),
    ("ballpark distinct --format ", ["human", "plain", "csv", "json", "prom"], ["here.txt"]),
    ("ballpark size --kind ", ["bloom", "count_min", "hll", "top_k"], ["here.txt"]),
    ("ballpark size -k hl", ["hll"], ["bloom"]),
    ("ballpark distinct -q -o he", ["here.txt"], ["--help"]),
    ("ballpark distinct he", ["here.txt"], ["--help"]),
    ("ballpark filter test he", ["here.txt"], ["build"]),
    ("ballpark count ", ["build", "here.txt"], ["distinct"]),
    ("ballpark count --conf", ["--confidence"], ["--output"]),
    ("ballpark count build --de", ["--depth", "--delta"], ["--confidence"]),
    ("ballpark distinct -n ", [], ["json"]),
    ("ballpark size he", [], ["here.txt"]),
    ("ballpark completions ", ["bash", "zsh", "fish"], ["here.txt"]),
    ("ballpark help acc", ["accuracy"], ["top"]),
    ("ballpark man fil", ["filter"], ["here.txt"]),
]

BASH = """
eval "$(ballpark completions bash)"
complete -p ballpark >/dev/null || exit 1
COMP_WORDS=("$@") COMP_CWORD=$(( $# - 1 ))
_ballpark ballpark "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
for word in "${COMPREPLY[@]}"; do printf '%s\\n' "$word"; done
"""


def check(offers, line, wanted, unwanted):
    for word in wanted:
        if word not in offers:
            raise AssertionError(f"{line!r}: {word} is not among {offers}")
    for word in unwanted:
        if word in offers:
            raise AssertionError(f"{line!r}: {word} is among {offers}")


def shell(place, *command):
    done = subprocess.run(command, cwd=place.dir, env=place.env, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=TIMEOUT)
    same(done.returncode, 0, done.stdout.decode())
    return done.stdout.decode()


def bash(place, *words):
    return shell(place, "bash", "-c", BASH, "bash", *words).splitlines()


def case_bash_completes(place):
    place.write("here.txt", b"")
    for line, wanted, unwanted in ASKED:
        check(bash(place, *line.split(" ")), line, wanted, unwanted)


def case_bash_completes_after_an_equals_sign(place):
    place.write("here is.txt", b"")
    for words in (["--format", "=", "js"], ["--format=js"]):
        check([w.split("=")[-1] for w in bash(place, "ballpark", "top", *words)], words,
              ["json"], ["plain"])
    same(bash(place, "ballpark", "top", "--format", "="),
         ["human", "plain", "csv", "json", "prom"])
    same(bash(place, "ballpark", "top", "--output=he"), ["--output=here is.txt"])


def case_fish_completes(place):
    place.write("here.txt", b"")
    place.write("c.fish", place.ok("completions", "fish"))
    for line, wanted, unwanted in ASKED:
        out = shell(place, "fish", "--no-config", "-c",
                    f"source c.fish; complete -C '{line}'")
        check([o.split("\t")[0] for o in out.splitlines()], line, wanted, unwanted)
    out = shell(place, "fish", "--no-config", "-c",
                "source c.fish; complete -C 'ballpark top --format='")
    check([o.split("\t")[0].split("=")[-1] for o in out.splitlines()], "=", ["json"], [])


ZSHRC = r"""
PS1= RPS1=
unsetopt BEEP ZLE_BRACKETED_PASTE 2>/dev/null
unset zle_bracketed_paste
autoload -Uz compinit && compinit -u -D
source ./c.zsh
# ^X^A writes down what would be offered; compadd is asked, and nothing is inserted.
offers() {
    local -a got
    compadd() {
        local -a found
        builtin compadd -O found "$@" 2>/dev/null
        got+=("${found[@]}")
        builtin compadd "$@"
    }
    _main_complete
    unfunction compadd
    print -rl -- "${got[@]}" > offers.new
    mv offers.new offers
    compstate[insert]= compstate[list]=
}
zle -C offers complete-word offers
bindkey '^X^A' offers
print ready > ready
"""


class Zsh:
    """A zsh at a terminal, which people type at."""

    def __init__(self, place):
        self.place = place
        place.write("c.zsh", place.ok("completions", "zsh"))
        place.write(".zshrc", ZSHRC.encode())
        self.terminal, its = pty.openpty()
        self.process = subprocess.Popen(
            ["zsh", "-i"], cwd=place.dir, stdin=its, stdout=its, stderr=its,
            env={**place.env, "ZDOTDIR": place.dir, "TERM": "vt100"},
            start_new_session=True)
        os.close(its)
        self.wait("ready")

    def wait(self, name):
        """The lines of a file that zsh is about to write."""
        path = self.place.path(name)
        end = time.monotonic() + 60
        while not os.path.exists(path):
            if time.monotonic() > end:
                raise AssertionError(f"zsh did not answer: {os.read(self.terminal, 65536)}")
            time.sleep(0.01)
        with open(path, encoding="utf-8") as f:
            lines = f.read().splitlines()
        os.unlink(path)
        return lines

    def offers(self, line):
        os.write(self.terminal, b"\x15" + line.encode() + b"\x18\x01")
        return self.wait("offers")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)


def case_zsh_completes(place):
    place.write("here.txt", b"")
    zsh = Zsh(place)
    try:
        for line, wanted, unwanted in ASKED:
            offers = [o.rstrip("=") for o in zsh.offers(line)]
            check(offers, line, wanted, unwanted)
        check(zsh.offers("ballpark top --format=js"), "=", ["json"], ["plain"])
    finally:
        zsh.close()


def case_a_shell_that_is_not_known(place):
    done = place.run("completions", "csh")
    same((done.returncode, done.stdout), (2, b""))
    same(done.stderr, b"ballpark: completions: csh: there is no script for this shell\n"
                      b"hint: `ballpark completions bash`, zsh or fish\n")
