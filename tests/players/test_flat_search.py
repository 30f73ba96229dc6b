"""Players that search: what they choose, what they say of it, and that it can be repeated."""

from __future__ import annotations

import ctypes
import json
import math
import subprocess
import sys
from typing import Any

import pytest
from tests.players.in_python import copied, game_words

import upcard
from upcard.engine.api import Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.rng import Stream
from upcard.engine.shared.state import BaseState
from upcard.library import names
from upcard.library.equity import MatchEquity, turns_by_dealer
from upcard.library.sheet import MatchRules
from upcard.players.belief.determinization import Determinizer
from upcard.players.levels import LEVELS, level_of
from upcard.players.protocol import Budget, Decision, Player
from upcard.players.registry import player_factory, player_names
from upcard.players.search import rollout as k
from upcard.players.search.flat_search import value_of
from upcard.players.search.search_players import NeedsMachineCode
from upcard.players.search.utility import race_of, relative_points, utility_of
from upcard.players.search.world_rollouts import FlatSearch, search_flat

FEW = Budget(playouts=60)


def native(name: str) -> NativeGame:
    game = upcard.load(name)
    assert isinstance(game, NativeGame)
    return game


def player(kind: str, game: NativeGame, seat: int = 0) -> Player:
    made = player_factory(kind, game)(5, 1, seat)
    assert isinstance(made, Player)
    return made


def after(game: NativeGame, decisions: int, number: int = 1) -> BaseState:
    """A deal some decisions on, the first alternative taken each time, at a real choice."""
    state = game.deal(9, number)
    while state.decisions < decisions or state.choices == 1:
        state.play(0)
    return state


def around(mine: int, theirs: int, seat: int = 0) -> dict[str, Any]:
    scores = [mine, theirs, mine, theirs] if seat % 2 == 0 else [theirs, mine, theirs, mine]
    return {"deal": 3, "scores": scores, "to": 10, "deals": 1, "ties": "share", "down": None, "highest": True}


@pytest.mark.parametrize("kind", ["pimc", "exact", "blend", "reader"])
@pytest.mark.parametrize("name", ["euchre", "hearts", "kuhn-poker", "cribbage"])
def test_every_alternative_is_valued(kind: str, name: str) -> None:
    game = native(name)
    state = after(game, 4 if name == "euchre" else 1)
    seat = state.to_move
    assert seat is not None
    seen = state.observe(seat)
    decision = player(kind, game, seat).choose(seen, FEW)
    assert decision.move in seen.moves
    assert [value.move for value in decision.values] == list(seen.moves)
    for value in decision.values:
        assert 0 <= value.win <= 1
        assert value.visits > 0
        assert math.isfinite(value.points)
        assert value.error >= 0
        assert value.win_error >= 0


def test_the_same_choice_from_the_same_observation() -> None:
    """Written as JSON, read again, given to a new player: the same to the last bit."""
    game = native("euchre")
    state = after(game, 9)
    assert state.to_move is not None
    seen = state.observe(state.to_move, around(6, 7))
    again = Observation.from_json(json.loads(json.dumps(seen.to_json())))
    for kind in ("pimc", "exact", "reader"):
        first, second = player(kind, game).choose(seen, FEW), player(kind, game).choose(again, FEW)
        assert first == second


PROGRAM = """
import json, sys, upcard
from upcard.engine.api import Observation
from upcard.players.protocol import Budget
from upcard.players.registry import player_factory
seen = Observation.from_json(json.load(sys.stdin))
game = upcard.load("euchre")
decision = player_factory("pimc", game)(5, 1, 0).choose(seen, Budget(playouts=60))
print(json.dumps([decision.move.key, [value.points for value in decision.values]]))
"""


def test_another_process_chooses_the_same() -> None:
    game = native("euchre")
    state = after(game, 10)
    assert state.to_move is not None
    seen = state.observe(state.to_move)
    here = player("pimc", game).choose(seen, FEW)
    given = json.dumps(seen.to_json())
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM], input=given, capture_output=True, text=True, check=True, timeout=110
    )
    assert json.loads(told.stdout) == [here.move.key, [value.points for value in here.values]]


def test_a_forced_move_is_not_thought_about() -> None:
    game = native("whist")
    state = game.deal(9, 1)
    while state.choices > 1:
        state.play(0)
    assert state.to_move is not None
    seen = state.observe(state.to_move)
    assert player("pimc", game).choose(seen, FEW) == Decision(seen.moves[0])


def test_a_time_budget_is_kept_to() -> None:
    game = native("euchre")
    state = after(game, 5)
    assert state.to_move is not None
    seen = state.observe(state.to_move)
    decision = player("pimc", game).choose(seen, Budget(seconds=0.01))
    assert all(value.visits >= 1 for value in decision.values)


def test_nobody_folds_a_king() -> None:
    """Kuhn poker: the best card never folds to a bet, and the worst never calls one."""
    game = native("kuhn-poker")
    seen_kings = seen_jacks = 0
    for number in range(30):
        state = game.deal(2, number)
        bets = [n for n, move in enumerate(state.moves) if "bet" in move.text]
        state.play(bets[0])
        seat = state.to_move
        assert seat is not None
        seen = state.observe(seat)
        (card,) = (cards[0] for place, cards in seen.places.items() if place.startswith(f"seat{seat}.iloc"))
        rank = seen.cards[str(card)]["RANK"]
        chosen = player("exact", game, seat).choose(seen, FEW).move.text
        if rank == "KING":
            seen_kings += 1
            assert "call" in chosen
        elif rank == "JACK":
            seen_jacks += 1
            assert "fold" in chosen
    assert seen_kings > 3
    assert seen_jacks > 3


def test_the_kernels_in_python_give_the_same_sums() -> None:
    """Five playouts of each alternative, two in a world: three worlds."""
    game = native("euchre")
    state = after(game, 9)
    assert state.to_move is not None
    seen = state.observe(state.to_move)
    worlds = Determinizer(game).worlds(seen)
    m, choices = worlds.machine, len(seen.moves)
    utility = utility_of(game, seen)
    facts = game_words(m)
    in_python = copied(worlds.words, game=facts)
    found = []
    for by_machine in (True, False):
        sums = (ctypes.c_double * (k.SUMS * choices))()
        worlds.begin(Stream((1, 2, 3)))
        search = FlatSearch.pack(
            worlds=worlds.words if by_machine else in_python,
            room=m.room.address,
            utility=utility,
            sums=ctypes.addressof(sums),
            each=2,
            name=9,
            alternatives=choices,
        )
        if by_machine:
            assert m.code.search_flat(search, 0, 5) == 3
        else:
            made = search_flat(search, 0, 5)
            assert made == 3
        found.append((list(sums), list(m.stream)))
    assert found[0] == found[1]
    assert found[0][0][7 :: k.SUMS] == [5.0] * choices
    assert found[0][0][8 :: k.SUMS] == [3.0] * choices


def test_errors_are_those_of_worlds() -> None:
    """Two worlds, in each of which both playouts come to the same, tell no more than two playouts."""
    sums = [4.0, 4.0, 8.0, 2.0, 2.0, 4.0, 8.0, 4.0, 2.0]
    value = value_of(after(native("euchre"), 3).moves[0], tuple(sums))
    assert (value.points, value.visits) == (1.0, 4)
    assert value.error == pytest.approx(math.sqrt(1.0 / 2))


# --- what a deal is worth -------------------------------------------------------------------------


def test_a_race_is_valued_by_the_chance_to_win_it() -> None:
    game = native("euchre")
    state = after(game, 3)
    seat = state.to_move
    assert seat is not None
    seen = state.observe(seat, around(9, 8, seat))
    table = race_of(game, seen)
    assert table is not None
    # published: 45, 16 and 5 in a hundred hands bring the dealer's side 1, 2 and 4 points, and so on
    turns = turns_by_dealer({1: 0.45, 2: 0.16, 4: 0.05}, {1: 0.17, 2: 0.12, 4: 0.05}, first=0)
    first = MatchEquity(MatchRules(to=10), turns)
    mine_next = seat in next(side for side in seen.teams if 0 in side)
    expected = first.win((8, 9))[0] if mine_next else 1 - first.win((9, 8))[0]
    assert table[8][9] == pytest.approx(expected)
    assert table[10][9] == 1
    assert table[9][10] == 0
    utility = utility_of(game, seen)
    assert utility.kind == k.RACE
    assert (utility.own_total, utility.other_total) == (9, 8)


def test_at_nine_points_it_keeps_its_partner() -> None:
    """One point wins the match: going alone can only risk it."""
    game = native("euchre")
    tried = 0
    for number in range(120):
        state = game.deal(77, number)
        seen = state.observe(0)
        up = seen.strings["table.UP"]
        faces = [seen.cards[str(card)] for card in seen.places["seat0.iloc.HAND"]]
        trumps = [f for f in faces if f["SUIT"] == up or (f["RANK"] == "JACK" and f["TWIN"] == up)]
        if len(trumps) < 3 or tried == 6:
            continue
        tried += 1
        chosen = player("exact", game).choose(state.observe(0, around(9, 2)), FEW).move
        assert "alone" not in chosen.text
    assert tried


def test_elsewhere_points_count_against_the_others() -> None:
    game = native("hearts")
    state = after(game, 2)
    assert state.to_move is not None
    seen = state.observe(state.to_move)
    assert race_of(game, seen) is None
    scores = [3, 3, 3, 3]
    assert relative_points(seen, scores, highest=False) == 0
    scores[state.to_move] = 0
    assert relative_points(seen, scores, highest=False) == pytest.approx(3)


# --- names ---------------------------------------------------------------------------------------


def test_levels_may_be_a_game_s_own() -> None:
    euchre = native("euchre")
    assert level_of("expert", euchre).name == "bidder"
    assert level_of("expert", native("whist")).name == "ismcts"
    budgets = [level_of(level, euchre).budget.playouts for level in LEVELS[:3]]
    assert budgets == sorted(budgets, key=lambda n: n or 0)


@pytest.mark.parametrize("name", names())
def test_every_game_of_the_library_names_its_expert(name: str) -> None:
    game = native(name)
    sheet = game.narrator.sheet
    assert sheet is not None
    assert "expert" in dict(sheet.players)
    levels = [level_of(level, game) for level in LEVELS]
    assert {level.name for level in levels} <= {*player_names()}
    playouts = [level.budget.playouts or 0 for level in levels if level.name == "pimc"]
    assert playouts == sorted({*playouts}), "a level that thinks no longer than the one below is none"


def test_the_reference_engine_has_no_searching_players() -> None:
    game = upcard.load("euchre", engine="reference")
    with pytest.raises(NeedsMachineCode, match="use --engine native"):
        player_factory("pimc", game)
