"""How a game narrows, on numbers worked out by hand, and the same from both engines."""

from __future__ import annotations

import pytest

import upcard
from upcard.engine.api import Limits
from upcard.simulate.random_games import RandomGames, play_out
from upcard.simulate.traces_detail import Traces
from upcard.study.convergence import Convergence, convergence, lines, slope


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ((), 0.0),
        ((7,), 0.0),
        ((4, 4, 4), 0.0),
        ((3, 2, 1), -1.0),
        ((1, 3), 2.0),
        ((1, 2, 1, 2), 0.2),
        ((5, 1, 1), -2.0),
    ],
)
def test_slope(choices: tuple[int, ...], expected: float) -> None:
    assert slope(choices) == pytest.approx(expected, abs=1e-12)


def test_flat_is_a_half_and_narrowing_is_more() -> None:
    assert convergence((4, 4, 4, 4)) == 0.5
    assert convergence((3, 2, 1)) == 1.0
    assert convergence((1, 2, 3)) == 0.0


def test_two_hands_that_shrink_card_by_card() -> None:
    """13 13 12 12 ... 1 1: the closed form is 1/2 + 1/4 - 1/900."""
    bids = [n for n in range(13, 0, -1) for _ in range(2)]
    assert convergence(bids) == pytest.approx(0.75 - 1 / 900, abs=1e-12)


@pytest.mark.parametrize("name", ["euchre", "goofspiel", "leduc-holdem"])
def test_both_engines_play_the_same_lines(name: str) -> None:
    pytest.importorskip("llvmlite", reason="llvmlite is not installed here")
    game, book = upcard.load(name), upcard.load(name, engine="reference")
    assert RandomGames(game, Traces(), 3).engine == "native"
    assert RandomGames(book, Traces(), 3).engine == "reference"
    assert list(lines(game, 25, 3)) == list(lines(book, 25, 3))


def test_lines_are_the_games_that_are_simulated() -> None:
    game = upcard.load("euchre")
    played = list(lines(game, 10, 2**63 + 5))
    assert len(played) == 10
    for deal, line in enumerate(played):
        row = play_out(game, 2**63 + 5, deal, Limits())
        assert (len(line.choices), sum(line.choices)) == (row.decisions, row.choices)
        assert (line.ending, line.scores, line.winners) == (row.ending, row.scores, row.winners)


def test_a_cap_cuts_lines_as_well() -> None:
    game = upcard.load("whist")
    assert [(line.ending, len(line.choices)) for line in lines(game, 3, 1, Limits(decisions=9))] == [
        ("cut_off", 9)
    ] * 3


def test_what_many_games_come_to() -> None:
    found = Convergence.of(upcard.load("kuhn-poker"), 200, 4)
    assert (found.least, found.most) == (2, 2)
    assert (found.decisions.least, found.decisions.most) == (2, 3)
    assert found.convergence.mean == 0.5
    assert 0.4 < found.first_seat.mean < 0.75
