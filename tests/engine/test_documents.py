"""The figures that section 24 states for the two documents, points 10 and 11: three thousand games each.

The stated figures were themselves measured on three thousand games, so both carry a standard error. The games
are played in machine code where there is some; `test_native_rows` holds it to the reference engine's games.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from math import sqrt

import pytest
from tests import documents
from tests.engine.play_through import load
from tests.engine.reference_statistics import within

from upcard.engine.api import Limits
from upcard.engine.loader import make_game
from upcard.engine.rng import PLAYER, Stream
from upcard.study.convergence import Line, lines

GAMES, SEED = 3000, 24


@dataclass
class Played:
    """What was counted over all games."""

    lengths: list[int] = field(default_factory=list)
    branching: list[float] = field(default_factory=list)
    """Per game the sum of alternatives."""
    scores: Counter[tuple[int, ...]] = field(default_factory=Counter)
    first: Counter[tuple[int, int]] = field(default_factory=Counter)
    discards: Counter[tuple[tuple[int, int], ...]] = field(default_factory=Counter)
    """Euchre: choosers and alternatives of the four decisions after somebody took the card up."""
    ordered_up: int = 0

    def share(self, *scores: tuple[int, ...]) -> float:
        return sum(self.scores[s] for s in scores) / GAMES

    @property
    def mean_branching(self) -> float:
        return sum(self.branching) / sum(self.lengths)

    @property
    def branching_error(self) -> float:
        """Standard error of a ratio of sums over independent games."""
        mean = self.mean_branching
        squares = [
            (made - mean * length) ** 2 for made, length in zip(self.branching, self.lengths, strict=True)
        ]
        return sqrt(sum(squares) / len(squares)) / sqrt(len(squares)) / (sum(self.lengths) / len(squares))


def share_error(share: float) -> float:
    return sqrt(share * (1 - share) / GAMES)


def decisions(line: Line, number: int) -> list[tuple[int, int, int]]:
    """Chooser, alternatives and pick of each decision; what a player picks is drawn again."""
    players = [Stream((SEED, number, PLAYER, seat)) for seat in range(4)]
    return [
        (seat, choices, players[seat].below(choices))
        for seat, choices in zip(line.seats, line.choices, strict=True)
    ]


@cache
def played(index: int) -> Played:
    book = load(documents.program(index))
    assert book.program.base == 1
    game = make_game("document", book.program, book.facts)
    found = Played()
    for number, line in enumerate(lines(game, GAMES, SEED, Limits(decisions=1000))):
        assert line.ending == "finished"
        assert line.scores is not None
        turns = decisions(line, number)
        found.lengths.append(len(turns))
        found.branching.append(sum(m for _, m, _ in turns))
        found.scores[line.scores] += 1
        found.first[turns[0][:2]] += 1
        if index == 0:
            bid = next((i for i, turn in enumerate(turns[:4]) if turn[2] > 0), None)
            if bid is not None:
                found.ordered_up += 1
                found.discards[tuple(turn[:2] for turn in turns[bid + 1 : bid + 5])] += 1
    return found


@pytest.fixture(scope="module")
def euchre() -> Played:
    return played(0)


@pytest.fixture(scope="module")
def whist() -> Played:
    return played(1)


def test_euchre(euchre: Played) -> None:
    """One test, so that the games are played once whichever worker takes it."""
    assert euchre.first == {(0, 3): GAMES}
    # seats 0 to 2 must pass, the dealer, seat 3, discards
    assert euchre.ordered_up > GAMES / 2
    assert euchre.discards == {((0, 1), (1, 1), (2, 1), (3, 6)): euchre.ordered_up}
    mean = sum(euchre.lengths) / GAMES
    error = sqrt(sum((n - mean) ** 2 for n in euchre.lengths) / GAMES) / sqrt(GAMES)
    assert abs(error - 0.025) < 0.002
    assert within(mean, 24.65, error, 0.005)
    assert (min(euchre.lengths), max(euchre.lengths)) == (21, 28)
    assert within(euchre.mean_branching, 2.17, euchre.branching_error, 0.005)
    assert all(s[0] == s[2] and s[1] == s[3] for s in euchre.scores)
    assert all(min(s) == 0 for s in euchre.scores), "never a positive score for both"
    stated = {(0, 2): 0.50, (1, 0): 0.23, (2, 0): 0.17, (0, 1): 0.09}
    for (first, second), share in stated.items():
        assert within(euchre.share((first, second, first, second)), share, share_error(share), 0.005), (
            first,
            second,
        )
    assert within(euchre.share((4, 0, 4, 0), (0, 4, 0, 4)), 0.009, share_error(0.009), 0.0005)
    assert sum(euchre.scores.values()) == GAMES


def test_whist(whist: Played) -> None:
    assert set(whist.lengths) == {52}
    assert {alternatives for _, alternatives in whist.first} == {13}
    assert whist.first == {(0, 13): GAMES}
    assert within(whist.mean_branching, 3.87, whist.branching_error, 0.005)
    assert all(s[0] == s[2] and s[1] == s[3] for s in whist.scores)
    assert all(min(s) == 0 and 1 <= max(s) <= 7 for s in whist.scores)
    for points, share in {1: 0.37, 2: 0.29, 3: 0.19}.items():
        found = whist.share((points, 0, points, 0), (0, points, 0, points))
        assert within(found, share, share_error(share), 0.005), points


@pytest.mark.parametrize("index", [0, 1])
def test_documents_load_unmodified_without_an_error(index: int) -> None:
    game = load(documents.program(index))
    assert game.seats == 4
    ordered = {f.family.name: f.ordered is not None for f in game.facts.families}
    expected = (
        {"STOCK": True, "TURNED": True, "TRICK": True, "HAND": False, "ALONE": False, "DISCARD": False}
        if index == 0
        else {"STOCK": True, "TRICK": True, "HAND": True, "DISCARD": False}
    )
    assert ordered == expected
