"""Published figures of random play, game by game.

Every published cell rests on a hundred games. Convergence is tight all the same, and is held to the published
range, give or take the rounding of its last digit; win rates carry about a tenth. Seeds are fixed, and there
are enough games that with another seed a true program would fail less than once in a thousand.

Euchre is measured on the document's program: ours does not ask whoever must pass. A game that is not in the
library is skipped, and its figures wait for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import pytest
from tests import documents

import upcard
from upcard.engine.loader import make_game
from upcard.engine.shared.game import LoadedGame
from upcard.library import names
from upcard.recycle.frontend import check
from upcard.recycle.source import Source
from upcard.simulate.random_games import native_batch
from upcard.simulate.sums_detail import Sums
from upcard.study.convergence import Convergence, Line, convergence, lines

pytest.importorskip(
    "llvmlite", reason="llvmlite is not installed here, and there are too many games for Python"
)

pytestmark = pytest.mark.usefixtures("as_shipped")

ROUNDING = 0.0005
WIN_RATE = 0.10
SEED = 21

HEARTS = {"pass": "no", "opening": "eldest", "clean": "no"}
"""The published rounds: no pass; the eldest leads anything but a heart until hearts are broken."""


def game(name: str, rules: Mapping[str, str] | None = None) -> LoadedGame:
    if name == "the document's Euchre":
        return make_game(name, *check(Source(name, documents.program(documents.EUCHRE))).sound())
    if name not in names():
        pytest.skip(f"{name} is not in the library")
    return upcard.load(name, rules=rules)


class Exact(NamedTuple):
    name: str
    rules: Mapping[str, str]
    convergence: float
    digits: int


EXACT = [
    Exact("goofspiel", {}, 0.748889, 6),
    Exact("stealing-bundles", {"players": "2"}, 0.50651, 5),
    Exact("stealing-bundles", {"players": "3"}, 0.50977, 5),
    Exact("stealing-bundles", {"players": "4"}, 0.51303, 5),
    Exact("ninety-eight", {}, 0.5, 9),
    Exact("pairs", {}, 0.5, 9),
]


@pytest.mark.parametrize("figure", EXACT, ids=lambda f: "-".join((f.name, *f.rules.values())))
def test_convergence_that_every_game_has(figure: Exact) -> None:
    played = list(lines(game(figure.name, figure.rules), 200, SEED))
    assert len(played) == 200
    for line in played:
        assert round(convergence(line.choices), figure.digits) == figure.convergence


DECISIONS = [
    ("agram", {"players": "3"}, 18),
    ("agram", {"players": "4"}, 24),
    ("hearts", HEARTS, 52),
    ("whist", {}, 52),
    ("goofspiel", {}, 26),
]


@pytest.mark.parametrize(("name", "rules", "decisions"), DECISIONS)
def test_decisions_that_every_game_has(name: str, rules: Mapping[str, str], decisions: int) -> None:
    rows = list(native_batch(game(name, rules), Sums(), SEED).games(0, 1_000, workers=1))
    assert len(rows) == 1_000
    assert {row.decisions for row in rows} == {decisions}


class Tight(NamedTuple):
    name: str
    rules: Mapping[str, str]
    games: int
    low: float
    high: float


TIGHT = [
    Tight("agram", {"players": "3"}, 10_000, 0.591, 0.595),
    Tight("hearts", HEARTS, 12_000, 0.538, 0.539),
    Tight("the document's Euchre", {}, 4_000, 0.537, 0.539),
    Tight("whist", {}, 40_000, 0.549, 0.549),
    Tight("crazy-eights", {"players": "3"}, 4_000, 0.520, 0.535),
    Tight("president", {"players": "5"}, 20_000, 0.513, 0.514),
]


@pytest.mark.parametrize("figure", TIGHT, ids=lambda f: f.name)
def test_convergence_on_average(figure: Tight) -> None:
    found = measured(figure.name, tuple(figure.rules.items()), figure.games).convergence
    low, high = figure.low - ROUNDING, figure.high + ROUNDING
    assert low <= found.mean <= high, f"{found.mean:.5f} ± {found.error:.5f}"


@cache
def measured(name: str, rules: tuple[tuple[str, str], ...], games: int) -> Convergence:
    return Convergence.of(game(name, dict(rules)), games, SEED)


def test_euchres_decisions_and_choices() -> None:
    found = measured("the document's Euchre", (), 4_000)
    assert (found.decisions.least, found.decisions.most) == (21, 28)
    assert found.decisions.mean == pytest.approx(24.65, abs=0.15)  # published with an error of 0.025
    assert (found.least, found.most) == (1, 7)
    assert found.branching.mean == pytest.approx(2.17, abs=0.015)
    first = next(lines(game("the document's Euchre"), 1, SEED))
    assert first.choices[0] == 3


def test_whists_choices() -> None:
    found = measured("whist", (), 40_000)
    assert (found.least, found.most) == (1, 13)
    # a game's mean spreads by 0.35, so a hundred games are known to 0.035
    assert found.branching.mean == pytest.approx(3.87, abs=0.05)


def test_agrams_choices() -> None:
    found = measured("agram", (("players", "3"),), 10_000)
    assert (found.least, found.most) == (1, 6)


def by_trick(played: list[Line], seats: int, tricks: int) -> tuple[list[float], list[float]]:
    """Mean choices of leaders and of followers in each trick."""
    leaders, followers = [], []
    for trick in range(tricks):
        start = trick * seats
        leaders.append(sum(line.choices[start] for line in played) / len(played))
        behind = [sum(line.choices[start + 1 : start + seats]) for line in played]
        followers.append(sum(behind) / len(played) / (seats - 1))
    return leaders, followers


def test_agrams_leaders_and_followers() -> None:
    leaders, followers = by_trick(list(lines(game("agram", {"players": "4"}), 4_000, SEED)), 4, 6)
    assert leaders == [6, 5, 4, 3, 2, 1]
    # three followers a trick in a hundred games: an error of about 0.08, less towards the end
    assert followers == pytest.approx([2.47, 2.49, 2.38, 2.11, 1.67, 1], abs=0.15)


def test_hearts_leaders_and_followers() -> None:
    leaders, followers = by_trick(list(lines(game("hearts", HEARTS), 4_000, SEED)), 4, 6)
    # a leader's number spreads by about two, so a hundred games are known to 0.2; followers to 0.1
    assert leaders == pytest.approx([9.76, 8.81, 7.95, 7.20, 6.59, 6.09], abs=0.3)
    assert followers == pytest.approx([3.30, 3.34, 3.40, 3.49, 3.55, 3.54], abs=0.15)


WINS = [
    ("agram", {"players": "3"}, 0.31),
    ("crazy-eights", {"players": "3"}, 0.41),
    ("the document's Euchre", {}, 0.46),
    ("goofspiel", {}, 0.50),
    ("hearts", HEARTS, 0.24),
    ("president", {"players": "5"}, 0.23),
    ("whist", {}, 0.53),
]


@pytest.mark.parametrize(("name", "rules", "share"), WINS, ids=lambda v: v if isinstance(v, str) else "")
def test_how_often_the_first_seat_wins(name: str, rules: Mapping[str, str], share: float) -> None:
    """Partners win together, and so do seats that tie for first."""
    batch = native_batch(game(name, rules), Sums(), SEED)
    found = [0 in row.winners for row in batch.games(0, 30_000, workers=1)]
    assert sum(found) / len(found) == pytest.approx(share, abs=WIN_RATE)
