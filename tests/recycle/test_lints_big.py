"""Big programs are linted in few steps."""

from __future__ import annotations

import cProfile
import string
from itertools import islice, product

import pytest
from tests.recycle.lint_text import HAND, game, stage

from upcard.recycle.frontend import check
from upcard.recycle.source import Source


def names(count: int) -> list[str]:
    return ["".join(letters) for letters in islice(product(string.ascii_uppercase[:10], repeat=6), count)]


def _many_names() -> str:
    reads = "".join(f"((== (game str {name}) H) (inc (game sto {name[::-1]}X)))\n" for name in names(3000))
    return game(f"(do ({reads}))")


def _many_choices() -> str:
    tests = [f"(== (game sto {name}) 1)" for name in names(11)]
    items = "".join(f"((and {a} (not {b})) (turn pass))" for a in tests for b in tests)
    return game(
        "(do (" + "".join(f"(inc (game sto {n}))" for n in names(11)) + "))", f"(choice ({items}))\n" * 15
    )


def _let_chain(value: str, first: str, last: str) -> str:
    """Each let uses the one before it twice: 2 to the 60th if it were followed each time."""
    lets, previous = f"(let {first} 'A ", "A"
    for name in names(60):
        lets += f"\n(let {value.replace('?', previous)} '{name} "
        previous = name
    return game(stage(lets + last.replace("?", previous) + ")" * 61))


def _deep_loops() -> str:
    loops = "(repeat 2 " * 150
    return game(f"(choice ((turn pass) {loops}(do ((shuffle (game iloc STOCK)) (turn pass))){')' * 150}))")


def _declare_chain() -> str:
    chain = "(declare 1 'A)\n" + "".join(f"(declare 1 '{name})\n" for name in names(3000))
    return game("(do ((inc (game sto N) 'A)))", declares=chain)


MAX_CALLS = 10_000_000

BIG = {
    "many names": _many_names,
    "many choices": _many_choices,
    "lets of conditions": lambda: _let_chain(
        "(and '? (not '?))", "(== 1 (game sto N))", "(choice (('? (turn pass))))"
    ),
    "lets of unions": lambda: _let_chain(
        "(union '? '?)", "(game iloc STOCK)", "(choice ((turn pass) (any (subsets '?) 'S (turn pass))))"
    ),
    "lets of filters": lambda: _let_chain(
        "(filter '? 'C (and (any '? 'D (== 'C 'D)) (any '? 'D (!= 'C 'D)) (> (size '?) (size '?))))",
        HAND,
        "(choice ((any '? 'C (turn pass)) ((== (size '?) 0) (turn pass))))",
    ),
    "deep loops": _deep_loops,
    "many declares": _declare_chain,
}


@pytest.mark.parametrize("name", BIG)
def test_big_programs_are_linted_in_few_steps(name: str) -> None:
    """Steps are calls of functions: they are the same on every machine."""
    source = Source("test", BIG[name]())
    profile = cProfile.Profile()
    checked = profile.runcall(check, source)
    calls = sum(entry.callcount for entry in profile.getstats())
    assert not checked.errors
    assert len(checked.warnings) <= 100
    assert calls < MAX_CALLS, f"{calls:,} calls"
