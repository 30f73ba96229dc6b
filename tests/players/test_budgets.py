"""Budgets hold where random play does not end."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import upcard
from upcard.engine.api import Limits, Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.native.lower.runtime import AT
from upcard.players.belief.determinization import Determinizer
from upcard.players.belief.kernel_structs import HistoryHead
from upcard.players.belief.move_likelihood import BeliefHead
from upcard.players.belief.opponent_model import MAX_WEIGHED
from upcard.players.protocol import Budget, Player
from upcard.players.search.flat_search import LONGEST, MAX_DECISIONS, cut_after, left_of, slices
from upcard.players.search.weighted_pimc import WeightedPimc
from upcard.players.spec import resolve_player

ENDLESS = """\
(game
 (setup (create players 2)
  (create deck (game iloc PACK) (deck (SUIT (RED, BLACK)) (RANK (ONE, TWO, THREE)))))
 (do ((shuffle (game iloc PACK))
      (all player 'P (repeat 2 (move (top (game iloc PACK)) (top ('P iloc HAND)))))))
 (stage player
  (end (== 1 2))
  (choice (
    ((== 1 1) (set ((current player) sto X) 1))
    ((== 1 1) (set ((current player) sto X) 2))
    ((== 1 1) (set ((current player) sto X) 3)))))
 (scoring max ((current player) sto X)))
"""
MANY = 100_000_000
"""Decisions that a deal may have: were playouts as long, a choice would take an hour."""
BUDGETS = {
    "published": 30,
    "published:90": 90,
    "published-newer": 60,
    "mcts": 300,
    "pimc:60": 60,
    "ismcts:60": 60,
    "reader:12": 12,
    "exact:60": 60,
    "blend:60": 60,
    "blind:60": 60,
}
"""Playouts of a choice among three, at most."""


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> NativeGame:
    path = tmp_path_factory.mktemp("endless") / "endless.rcy"
    path.write_text(ENDLESS)
    game = upcard.load(path)
    assert isinstance(game, NativeGame)
    return game


def seen_by(game: NativeGame, limit: int, decisions: int = 5) -> Observation:
    state = game.deal(1, 1, limits=Limits(decisions=limit))
    for _ in range(decisions):
        state.play(0)
    assert state.to_move is not None
    return state.observe(state.to_move)


def cut_at(player: Any) -> int:
    """The decision that a player's last search was cut off at."""
    determinizer: Determinizer = player._determinizer
    told = determinizer._history or determinizer._relaxed
    assert told is not None
    return told.evidence.machine.work.word(AT["most_decisions"])


@pytest.mark.parametrize("name", BUDGETS)
def test_playouts_are_cut_off(endless: NativeGame, name: str) -> None:
    observation = seen_by(endless, MANY)
    player = resolve_player(name, endless)
    made = player.make(1, 1, observation.seat)
    assert isinstance(made, Player)
    assert made.choose(observation, player.budget).move in observation.moves
    longest = cut_at(made) - observation.decision
    assert longest * BUDGETS[name] <= 2 * max(MAX_DECISIONS, LONGEST * BUDGETS[name])


def weighing(game: NativeGame, observation: Observation, playouts: int) -> tuple[int, int]:
    """How many decisions the playouts that weighed worlds took, and how many moves counted."""
    player = WeightedPimc(game, 1, 1, observation.seat)
    assert player.choose(observation, Budget(playouts=playouts)).values
    history = player._determinizer._history
    assert history is not None
    packed = history.replay.packed
    at = HistoryHead.at(packed).belief
    belief = BeliefHead.at(packed, 8 * at)
    seats = packed[at + belief.watched_at : at + belief.room_at : 2]
    return belief.spent, sum(seat >= 0 for seat in seats)


@pytest.mark.parametrize("playouts", [12, 300])
def test_weighing_worlds_keeps_to_a_budget(endless: NativeGame, playouts: int) -> None:
    """Only the first moves count where weighing the worlds by all of them would take longer."""
    spent, moves = weighing(endless, seen_by(endless, MANY, 200), playouts)
    assert MAX_WEIGHED / 2 < spent < 2 * MAX_WEIGHED
    assert 0 < moves < 50


def test_within_the_budget_all_moves_count(endless: NativeGame) -> None:
    spent, moves = weighing(endless, seen_by(endless, 500, 12), 12)
    assert 0 < spent < MAX_WEIGHED
    assert moves == 6


@pytest.mark.parametrize("name", [name for name in BUDGETS if ":" not in name or name.endswith(":60")])
def test_seconds_are_kept_to(endless: NativeGame, name: str) -> None:
    """With next to no time a player plays out a few games, and they are cut off."""
    observation = seen_by(endless, MANY)
    made = resolve_player(name, endless).make(1, 1, observation.seat)
    assert isinstance(made, Player)
    assert made.choose(observation, Budget(seconds=0.001)).move in observation.moves
    assert cut_at(made) - observation.decision <= MAX_DECISIONS


def test_a_deal_s_usual_limit_cuts_nothing_earlier() -> None:
    usual = Limits().decisions
    for decision, playouts in itertools.product((0, 250, usual), (1, 1000, 10**6)):
        assert cut_after(usual, decision, playouts) == usual
    assert cut_after(10**9, 10, 1000) == 10 + 1 + LONGEST
    assert cut_after(10**9, 10, 10) == 10 + 1 + MAX_DECISIONS // 10


def test_slices_begin_small() -> None:
    assert list(slices(Budget(200), 50)) == [(0, 50)]
    found = list(itertools.islice(slices(Budget(seconds=10**6), 0, 64), 12))
    counts = [count for _, count in found]
    assert counts[:6] == [1, 2, 4, 8, 16, 32]
    assert set(counts[6:]) == {64}
    assert [first for first, _ in found] == [sum(counts[:n]) for n in range(12)]
    assert list(slices(Budget(seconds=0.0), 0, 64)) == [(0, 1)]


def test_what_is_left_of_a_budget() -> None:
    assert left_of(Budget(100), 0.0) == Budget(100)
    assert left_of(Budget(seconds=1.0), 0.0) == Budget(seconds=0.0)
