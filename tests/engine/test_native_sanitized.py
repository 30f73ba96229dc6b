"""The C text under the address and undefined-behaviour sanitizers: nothing to report, and the same rows.

Undefined behaviour in the C text would be undefined in LLVM's too: a shift by 64, a read past a list's end, a
signed sum that leaves its range.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

pytest.importorskip("llvmlite", reason="llvmlite is not installed here")

from tests.engine import sanitized
from tests.engine.fuzz.compare import LIMITS, IllTyped, NotLowered, TooLong, by_reference, load
from tests.engine.fuzz.shape import Written, program

import upcard
from upcard.engine.native.lower import Lowered, lower
from upcard.engine.reference import ReferenceGame
from upcard.engine.shared.game import LoadedGame
from upcard.simulate.random_games import play_out
from upcard.simulate.summary import Row

ROOT = Path(__file__).resolve().parents[2]
LANG = sorted((ROOT / "tests" / "lang").rglob("*.rcy"))
DEALS = 2


@pytest.fixture(autouse=True)
def _compiler() -> None:
    reason = sanitized.why_not()
    if reason is not None:
        pytest.skip(reason)


def stepped(game: ReferenceGame, deal: int) -> Row:
    """The alternative of the number of decisions so far, round and round."""
    state = game.deal(3, deal, limits=LIMITS, recording=False)
    choices = forced = 0
    while state.outcome is None:
        choices += state.choices
        forced += state.choices == 1
        state.play(state.decisions % state.choices)
    done = state.outcome
    return Row(done.ending, state.decisions, choices, forced, done.scores, done.winners, done.failure)


def hold(games: Sequence[LoadedGame], folder: Path, logging: bool, deals: int = DEALS) -> None:
    """Every game that can be lowered, in one batch, against the reference engine."""
    taken: list[tuple[ReferenceGame, Lowered]] = []
    for loaded in games:
        game = ReferenceGame(loaded.name, loaded.program, loaded.facts)
        try:
            taken.append((game, lower(game.program, game.facts, logging)))
        except NotLowered:
            continue
    assert taken
    found = sanitized.rows([lowered for _, lowered in taken], folder, deals, LIMITS, logging)
    for (game, _), rows in zip(taken, found, strict=True):
        for deal, row in enumerate(rows):
            expected = stepped(game, deal) if logging else play_out(game, 3, deal, LIMITS)
            failure = expected.failure
            where = failure and (failure.line, failure.column)
            mine = (
                expected.ending,
                expected.decisions,
                expected.choices,
                expected.forced,
                expected.scores,
                where,
            )
            assert row == mine, f"{game.name}, deal {deal}"


@pytest.mark.parametrize("logging", [False, True], ids=["plain", "logging"])
def test_our_games(logging: bool, tmp_path: Path) -> None:
    hold([upcard.load("euchre"), upcard.load("whist")], tmp_path, logging)


@pytest.mark.parametrize(("part", "of", "logging"), [(0, 2, False), (1, 2, False), (2, 4, True)])
def test_small_programs(part: int, of: int, logging: bool, tmp_path: Path) -> None:
    games = []
    for path in LANG[part::of]:
        try:  # those that repeat something a million times would take minutes under a sanitizer
            games.append(by_reference(load(Written(path.read_text(encoding="utf-8")))).game)
        except (IllTyped, TooLong):
            continue
    hold(games, tmp_path, logging)


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
