"""A language form is added as CONTRIBUTING.md says, in a copy of the tree, and everything knows it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STEP = re.compile(r"^\d\. ", re.M)
FENCE = re.compile(r"^   ```(\w+)\n(.*?)^   ```$", re.M | re.S)
FILE = re.compile(r"`((?:src|docs)/[\w/.-]+\.(?:py|md))`")
NEEDED = re.compile(r"It needs `(import \w+)` at the top")


def steps() -> list[tuple[Path, str, str]]:
    """File, import that it needs and text of every block of the section, in order."""
    section = (
        (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Add a language form")[1].split("\n## ")[0]
    )
    found = []
    for step in STEP.split(section)[1:]:
        needed = NEEDED.search(step)
        before = 0
        for fence in FENCE.finditer(step):
            file = FILE.findall(step[before : fence.start()])[-1]
            text = re.sub(r"^   ", "", fence.group(2), flags=re.M)
            found.append((Path(file), needed.group(1) if needed else "", text))
            before = fence.end()
    return found


def add(file: Path, needed: str, text: str) -> None:
    """What a writer does by hand: code at the end, an example below its heading, a row below the others."""
    whole = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
        head = "from __future__ import annotations\n"
        whole = whole.replace(head, f"{head}\n{needed}\n", 1) + f"\n\n{text}"
    elif text.startswith("|"):
        whole = whole.rstrip("\n") + f"\n{text}"
    else:
        whole = whole.replace("(fib 12) ", f"{text}(fib 12) ", 1)
        assert text in whole
    file.write_text(whole, encoding="utf-8")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = tmp_path_factory.mktemp("tree")
    ignored = shutil.ignore_patterns("__pycache__")
    for folder in ("src", "docs/language", "tests/docs"):
        shutil.copytree(ROOT / folder, tree / folder, ignore=ignored)
    for file, needed, text in steps():
        add(tree / file, needed, text)
    return tree


def run(tree: Path, *arguments: str) -> str:
    env = {
        **os.environ,
        "PYTHONPATH": f"{tree / 'src'}{os.pathsep}{tree}",
        "UPCARD_CACHE": str(tree / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run([sys.executable, *arguments], cwd=tree, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_section_has_a_node_two_functions_and_documentation() -> None:
    assert [str(file) for file, _, _ in steps()] == [
        "src/upcard/recycle/nodes/values.py",
        "src/upcard/engine/reference/values.py",
        "src/upcard/engine/native/lower/values.py",
        "docs/language/values.md",
        "docs/language/index.md",
    ]


KNOWS = """
import upcard
from upcard.recycle import program as p
from upcard.recycle.constants import constant
from upcard.recycle.formatter import format_source
from upcard.recycle.frontend import check
from upcard.recycle.highlight_roles import Role, pieces
from upcard.recycle.repairs import _LENGTHS
from upcard.recycle.reserved_words import HEADS, RESERVED
from upcard.recycle.source import Source
from upcard.recycle.walk import below

assert upcard.__file__.startswith(TREE), upcard.__file__

def game(value):
    return Source("g", "(game (declare (gcd 12 18) 'SIX) (setup (create players (gcd 4 6))"
        " (create deck (game iloc STOCK) (deck (RANK (A, K)))))"
        f" (stage player (end (== (game sto TURN) 2)) (choice ((turn pass))) (do ((inc (game sto TURN) 1))))"
        f" (scoring max {value}))")

source = game("(gcd (gcd 12 (* 2 (game sto TURN))) 'SIX)")
checked = check(source)
program, facts = checked.sound()
assert not checked.diagnostics, checked.diagnostics
assert program.players == 2, "the folder knows it"
assert any(isinstance(node, p.Gcd) for node in below(program))
assert "gcd" in RESERVED and "gcd" in HEADS and _LENGTHS["gcd"] == (3, 3)
assert {piece.role for piece in pieces(source.text) if piece.text == "gcd"} == {Role.OPERATION}
long = format_source(game("(gcd " + "(+ (game sto LONG) (game sto LONGER)) " * 2 + ")"))
assert format_source(Source("g", long)) == long and "(gcd (+ (game sto LONG)" in long, long

def message(text):
    (found,) = check(game(text)).errors
    return found.code, found.message, found.hint

found = message("(gcd 1)")
assert found == ("E201", "gcd needs 2 operands, but it has 1", "write (gcd 12 18)"), found
assert message("(gcd 1 HEARTS)")[1] == "gcd needs a number, but HEARTS is a string"
assert message("(gdc 1 2)")[2] == "did you mean gcd?"
"""

AGREES = """
from upcard.engine.native.game import NativeGame
from upcard.engine.reference import ReferenceGame

LEAST = "(- (- 0 9223372036854775807) (game sto TURN) (// (game sto TURN) (- 0 2)))"
def played(engine, text):
    program, facts = check(game(text), lint=False).sound()
    state = engine("g", program, facts).deal(1)
    while state.to_move is not None:
        state.play(0)
    outcome = state.outcome
    return outcome.ending, outcome.scores, outcome.failure and (outcome.failure.message, outcome.failure.form)

numbers = ("0", "1", "7", "12", "(- 0 18)", "(- 0 1)", "9223372036854775807", LEAST, "(* 6 (game sto TURN))")
endings = set()
for a in numbers:
    for b in numbers:
        one, other = (played(engine, f"(gcd {a} {b})") for engine in (ReferenceGame, NativeGame))
        assert one == other, (a, b, one, other)
        endings.add(one[2][0] if one[2] else one[0])
assert endings == {"finished", "the result does not fit in 64 bits"}, endings
"""


def test_the_front_end_knows_it(tree: Path) -> None:
    run(tree, "-c", f"TREE = {str(tree)!r}\n{KNOWS}")


def test_both_engines_agree_on_it(tree: Path) -> None:
    run(tree, "-c", f"TREE = {str(tree)!r}\n{KNOWS}{AGREES}")


def test_the_documentation_shows_it(tree: Path) -> None:
    chosen = "test_every or test_the_index or (test_example and values.md)"
    shown = run(
        tree,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-n",
        "0",
        "tests/docs/test_language.py",
        "-k",
        chosen,
    )
    assert "passed" in shown


def test_it_is_nowhere_else() -> None:
    from upcard.recycle.reserved_words import RESERVED

    assert "gcd" not in RESERVED
