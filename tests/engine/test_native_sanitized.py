"""The C text under the address and undefined-behaviour sanitizers: nothing to report, and the same rows.

Undefined behaviour in the C text would be undefined in LLVM's too: a shift by 64, a read past a list's end, a
signed sum that leaves its range. `python -m tests.engine.sanitized_programs`
takes every program of `tests/lang`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

from tests.engine import sanitized
from tests.engine.fuzz.compare import LIMITS, TooLong, by_reference, load
from tests.engine.fuzz.shape import Written, program
from tests.engine.sanitized_programs import hold, small_programs

import upcard
from upcard.engine.native.lower import lower


@pytest.fixture(autouse=True)
def _compiler() -> None:
    reason = sanitized.why_not()
    if reason is not None:
        pytest.skip(reason)


@pytest.mark.parametrize("logging", [False, True], ids=["plain", "logging"])
def test_our_games(logging: bool, tmp_path: Path) -> None:
    hold([upcard.load("euchre"), upcard.load("whist")], tmp_path, logging)


@pytest.mark.parametrize(("part", "of", "logging"), [(0, 3, False), (1, 6, True)])
def test_small_programs(part: int, of: int, logging: bool, tmp_path: Path) -> None:
    hold(small_programs(part, of), tmp_path, logging)


@pytest.mark.parametrize("logging", [False, True], ids=["plain", "logging"])
def test_generated_programs(logging: bool, tmp_path: Path) -> None:
    games = []
    for number in range(200, 204):
        try:
            games.append(by_reference(load(program(1, number))).game)
        except TooLong:
            continue
    hold(games, tmp_path, logging)


def test_a_read_outside_is_reported(tmp_path: Path) -> None:
    """The sanitizers are really on: a state that is one word short does not go unseen."""
    game = load(
        Written(
            "(game (setup (create players 2) (create deck (game vloc D) (deck (N (A, B)))))"
            " (do ((inc (game sto X)))) (scoring max (game sto X)))"
        )
    )
    lowered = lower(game.program, game.facts)
    lowered.layout.size -= 8
    with pytest.raises(AssertionError, match="AddressSanitizer"):
        sanitized.rows([lowered], tmp_path, 1, LIMITS)
