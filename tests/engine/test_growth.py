"""How much work it is to check and lower long programs: n times the text, about n times the work.

Work is counted in calls of Python functions and in letters written for LLVM, so no clock is needed. LLVM
takes more than twice as long over twice the function, so the longest one that it optimises must not grow.
`growth` does the same for forms nested in each other.
"""

from __future__ import annotations

import re

import pytest

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

from tests.engine.fuzz.compare import load
from tests.engine.fuzz.shape import Written
from tests.engine.growth import work_of

from upcard.engine.api import Limits
from upcard.engine.native.backends import llvm
from upcard.engine.native.game import NativeGame
from upcard.engine.native.lower import lower
from upcard.verify.engines import compare

GAME = """(game (setup (create players 2) (create deck (game vloc D) (deck (N (A, B, C, D)))))
{}
(scoring max (game sto X)))"""


def name(number: int) -> str:
    letters = ""
    while number or not letters:
        number, last = divmod(number, 26)
        letters = chr(65 + last) + letters
    return f"L{letters}"


def each(form: str, count: int) -> str:
    return "\n".join(form.format(name(number)) for number in range(count))


def locations(count: int) -> str:
    back = "(move (top (game vloc {0})) (top (game vloc D)))"
    moves = each(f"(move (top (game vloc D)) (top (game vloc {{0}}))) {back}", count)
    return GAME.format(f"(do ({moves}))")


def owned(count: int) -> str:
    return GAME.format(
        f"(do ({each('((> (size ((current player) iloc {})) 3) (inc (game sto X)))', count)}))"
    )


def blocks(count: int) -> str:
    return GAME.format(each("(do ((inc (game sto {}))))", count))


def items(count: int) -> str:
    forms = each("(do ((inc (game sto {0})) (inc (game sto X))))", count)
    return GAME.format(f"(stage player (end (> (game sto X) 3)) (choice ({forms})))")


def picking(count: int) -> str:
    forms = each("(any (game vloc D) 'C (do ((move 'C (top (game vloc {0}))) (inc (game sto X)))))", count)
    return GAME.format(f"(stage player (end (> (game sto X) 3)) (choice ({forms})))")


def stages(count: int) -> str:
    return GAME.format(each("(stage player (end (> (game sto {0}) 0)) (do ((inc (game sto {0})))))", count))


FORMS = {form.__name__: form for form in (locations, owned, blocks, items, picking, stages)}


@pytest.mark.parametrize("logging", [False, True], ids=["plain", "logging"])
@pytest.mark.parametrize("form", FORMS)
def test_work_grows_with_the_text(form: str, logging: bool) -> None:
    small, large = (work_of(FORMS[form](count), logging) for count in (20, 80))
    assert large < 4.6 * small, f"{large / small:.1f} times the work for 4 times the {form}"


@pytest.mark.parametrize("logging", [False, True], ids=["plain", "logging"])
@pytest.mark.parametrize("form", FORMS)
def test_what_llvm_optimises_at_once_stays_bounded(form: str, logging: bool) -> None:
    """Long functions are left as they are, and those that are optimised stay out of each other."""
    letters = []
    for count in (80, 320):
        game = load(Written(FORMS[form](count)))
        text = llvm.to_llvm(lower(game.program, game.facts, logging).module)
        letters.append(len(text))
        functions = [part.split("\n}\n")[0].split("\n", 1) for part in re.split(r"\ndefine ", text)[1:]]
        if sum(len(body) for _, body in functions) < llvm.CROWDED:
            continue
        for head, body in functions:
            assert "alwaysinline" not in head or len(body) <= llvm.BRIEF, head
            assert "optnone" in head or "cold" in head or len(body) <= llvm.LONG, head
    assert letters[1] < 4.4 * letters[0]


def test_long_choices_are_played_alike() -> None:
    """Items that are tried out share code where there are many in a row: by both engines the same games."""
    mixed = "\n".join(
        each(form, 10)
        for form in (
            "(do ((inc (game sto {0})) (inc (game sto X))))",
            "((> (game sto X) 1) (do ((inc (game sto {0})) (inc (game sto X)))))",
            "(any (game vloc D) 'C (move 'C (top ((current player) vloc {0}))))",
            "(any (subsets (game vloc D)) 'S (do ((inc (game sto X) (size 'S)) (inc (game sto {0})))))",
            "(inc (game sto X))",
            "(any (tuples 2 (game vloc D) using (game points P)) 'S"
            " (any (range 0..1) 'N (do ((inc (game sto X) 'N) (inc (game sto {0}))))))",
        )
    )
    begin = "(do ((set (game points P) (((N : A) 1) ((N : B) 1)))))"
    text = GAME.format(f"{begin} (stage player (end (> (game sto X) 9)) (choice ({mixed})))")
    game = load(Written(text))
    native = NativeGame(game.name, game.program, game.facts)
    for deal in range(4):
        assert compare(native, 5, deal, Limits(decisions=12)) is None
