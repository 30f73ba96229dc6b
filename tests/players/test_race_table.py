"""The chance to win a race in machine code: against the general solution, and without it where it is slow."""

from __future__ import annotations

from typing import Any

import pytest

import upcard
from upcard.engine.native.game import NativeGame
from upcard.library.equity import Distribution, MatchEquity
from upcard.library.sheet import MatchRules
from upcard.players.search import utility
from upcard.players.search.race_table import SolvedRace, fits

DEALING: Distribution = {(2, 0): 0.3, (0, 3): 0.25, (1, 1): 0.2, (0, 0): 0.15, (2, 2): 0.1}
TURNED = {points[::-1]: chance for points, chance in DEALING.items()}

pytestmark = pytest.mark.skipif(
    not isinstance(upcard.load("euchre"), NativeGame), reason="races are solved in machine code"
)


@pytest.mark.parametrize("ties", ["share", "play on"])
@pytest.mark.parametrize("to", [1, 7, 12])
@pytest.mark.parametrize("highest", [True, False])
def test_every_score_agrees_with_the_general_solution(ties: Any, to: int, highest: bool) -> None:
    rules = MatchRules(to=to, ties=ties)
    assert fits(rules, DEALING)
    solved, general = SolvedRace(rules, DEALING, highest), MatchEquity(rules, [DEALING, TURNED], highest)
    for mine in range(to + 4):
        for theirs in range(to + 4):
            for turn in (0, 1):
                wanted = general.win((mine, theirs), turn)[0]
                assert solved.win((mine, theirs), turn) == pytest.approx(wanted, abs=1e-12)


def test_what_is_not_the_common_case() -> None:
    assert not fits(MatchRules(to=None, deals=3), DEALING)
    assert not fits(MatchRules(to=7, over="caps"), DEALING)
    assert not fits(MatchRules(to=7), {(1, -1): 1.0})


def around(name: str) -> tuple[NativeGame, Any]:
    game = upcard.load(name)
    assert isinstance(game, NativeGame)
    match = {"deal": 0, "scores": [60, 40], "to": 121, "deals": 1, "ties": "play on", "down": None}
    state = game.deal(1, 0)
    assert state.to_move is not None
    return game, state.observe(state.to_move, match)


def test_a_long_race_is_not_solved_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cribbage's took half a minute, in every process."""
    game, seen = around("cribbage")

    def never(*given: object) -> None:
        raise AssertionError("solved in Python")

    monkeypatch.setattr(utility, "MatchEquity", never)
    table = utility.race_of(game, seen)
    assert table is not None
    assert table[120][0] > table[60][40] > table[0][120]


def test_results_of_deals_are_kept_on_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    game, _ = around("cribbage")
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path))
    utility._results.clear()
    first = utility.results(game)
    utility._results.clear()

    def never(*given: object) -> None:
        raise AssertionError("dealt again")

    monkeypatch.setattr(utility, "native_batch", never)
    assert utility.results(game) == first
    assert sum(first.values()) == pytest.approx(1)
    utility._results.clear()
