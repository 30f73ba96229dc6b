"""Two deals that a seat cannot tell apart look the same to it: every game, both engines, and planted leaks.

`python -m tests.games.noninterference` goes on for longer, and on generated programs.
"""

from __future__ import annotations

import pytest
from tests.games.leaks import KERNEL_LEAKS, LEAKS, PROGRAMS, text_of
from tests.games.noninterference import Counts, engines, examine

from upcard.engine.loader import load, make_game
from upcard.engine.shared.game import LoadedGame
from upcard.library import names
from upcard.recycle.frontend import check
from upcard.recycle.source import Source

SEED = 7
LEAST = 20
"""Observations that must be compared for each game and engine, else the test says nothing."""
DEALS = 10
"""At most, for each game."""


def loaded(name: str) -> LoadedGame:
    if name in PROGRAMS:
        return make_game(
            name, *check(Source(f"{name}.rcy", text_of(name)), lint=False).sound(), engine="native"
        )
    return load(name, engine="native")


def examined(game: LoadedGame, least: int, pairs: int) -> Counts:
    """Deal after deal until enough was compared or a leak was found."""
    counts = Counts()
    for deal in range(DEALS):
        if not counts.leaks and counts.compared < least:
            examine(game, SEED, deal, counts, pairs)
    return counts


@pytest.mark.parametrize("name", names())
def test_a_seat_sees_the_same_where_it_cannot_tell(name: str) -> None:
    for game in engines(loaded(name)):
        counts = examined(game, LEAST, 1)
        assert not counts.leaks, str(counts.leaks[0])
        assert not counts.blind, counts.blind[0]
        assert counts.compared >= LEAST, counts


@pytest.mark.parametrize("name", PROGRAMS)
def test_choices_with_hidden_cards_tell_nothing(name: str) -> None:
    for game in engines(loaded(name)):
        counts = examined(game, 4 * LEAST, 4)
        assert not counts.leaks, str(counts.leaks[0])
        assert counts.compared >= LEAST, counts


@pytest.mark.parametrize("name", LEAKS)
def test_planted_leaks_are_found(name: str) -> None:
    plant, shown_by = LEAKS[name]
    game, *_ = engines(loaded(shown_by))
    with plant():
        counts = examined(game, 100 * LEAST, 4)
    assert counts.leaks, f"nothing shows {name} in {shown_by}: {counts}"


@pytest.mark.parametrize("name", KERNEL_LEAKS)
def test_planted_leaks_of_machine_code_are_found(name: str) -> None:
    plant, shown_by = KERNEL_LEAKS[name]
    *_, game = engines(loaded(shown_by))
    with plant():
        counts = examined(game, 100 * LEAST, 4)
    assert counts.leaks, f"nothing shows {name} in {shown_by}: {counts}"
