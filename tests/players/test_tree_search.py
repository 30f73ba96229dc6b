"""Tree search over information sets: what it is certain of, and what it must not depend on."""

from __future__ import annotations

import ctypes
import json
import math
import subprocess
import sys
from dataclasses import replace
from functools import cache

import pytest
from tests.players.in_python import copied, game_words, pointer

import upcard
from upcard.engine.api import Limits, Observation
from upcard.engine.native.game import NativeGame
from upcard.engine.native.state import NativeState
from upcard.engine.native.state_memory import Memory
from upcard.engine.rng import Stream
from upcard.players.belief.determinization import Determinizer
from upcard.players.protocol import Budget
from upcard.players.search import rollout as flat
from upcard.players.search import tree as k
from upcard.players.search import tree_buffer as trees
from upcard.players.search import tree_memory as block
from upcard.players.search import tree_search
from upcard.players.search.ismcts import Ismcts
from upcard.players.search.search_code import machine_of
from upcard.players.search.search_players import searcher
from upcard.players.search.tree_buffer import TreeBuffer
from upcard.players.search.utility import utility_of
from upcard.players.search.visibility import visibility_of

JACK, QUEEN, KING = "DEFAULT:0", "DEFAULT:1", "DEFAULT:2"
CHECK, BET, FOLD, CALL = range(4)
"""Items of Kuhn poker's choice."""
KINDS = ("ismcts", "blind", "published", "published-newer", "mcts")


@cache
def native(name: str) -> NativeGame:
    game = upcard.load(name)
    assert isinstance(game, NativeGame)
    return game


def kuhn(first: str, second: str, *items: int) -> NativeState:
    """Kuhn poker with these cards in the hands of the two, after these moves."""
    (left,) = {JACK, QUEEN, KING} - {first, second}
    state = native("kuhn-poker").native_deal(0, 0, stacked=[[left, second, first]], limits=Limits())
    for item in items:
        state.play(next(move for move in state.moves if move.item == item))
    return state


def observed(state: NativeState) -> Observation:
    assert state.to_move is not None
    return state.observe(state.to_move)


def taken(observation: Observation, playouts: int = 2000) -> dict[int, int]:
    """How often the search took each item."""
    decision = Ismcts(native("kuhn-poker"), 1, 0, observation.seat).choose(observation, Budget(playouts))
    return {value.move.item: value.visits for value in decision.values}


def test_the_cards_are_dealt_as_they_are_stacked() -> None:
    state = kuhn(KING, JACK)
    assert observed(state).places["seat0.iloc.HAND"] == (KING,)
    assert state.observe(1).places["seat1.iloc.HAND"] == (JACK,)


def test_certain_moves_of_kuhn_poker() -> None:
    for other in (JACK, QUEEN):
        seen = taken(observed(kuhn(other, KING, BET)))
        assert seen[CALL] > 10 * seen[FOLD], "a king is never folded"
    for other in (QUEEN, KING):
        seen = taken(observed(kuhn(other, JACK, BET)))
        assert seen[FOLD] > 10 * seen[CALL], "a jack never calls"


def test_a_tree_finds_what_random_play_does_not() -> None:
    """Random play folds every second king, so that a queen should bet; who thinks folds less often."""
    observation = observed(kuhn(QUEEN, KING))
    game = native("kuhn-poker")
    flat = searcher("pimc", game)(1, 0, 0).choose(observation, Budget(20_000))
    deep = searcher("ismcts", game)(1, 0, 0).choose(observation, Budget(20_000))
    gain = {
        name: next(v.points for v in found.values if v.move.item == BET)
        - next(v.points for v in found.values if v.move.item == CHECK)
        for name, found in (("flat", flat), ("deep", deep))
    }
    assert gain["flat"] > 0.1
    assert gain["deep"] < gain["flat"] - 0.3


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_choice_every_time(kind: str) -> None:
    game = native("euchre")
    state = game.native_deal(5, 2, limits=Limits())
    make = searcher(kind, game)
    budget = Budget(300)
    while state.decisions < 12:
        observation = observed(state)
        one = make(3, 1, observation.seat).choose(observation, budget)
        # somebody else thinks meanwhile, with the same memory
        make(8, 2, observation.seat).choose(observation, Budget(50))
        assert make(3, 1, observation.seat).choose(observation, budget) == one
        state.play(one.move)


def test_the_same_choice_in_another_process() -> None:
    state = native("euchre").native_deal(5, 4, limits=Limits())
    for _ in range(9):
        state.play(0)
    while state.choices == 1:
        state.play(0)
    observation = observed(state)
    here = [
        searcher(kind, native("euchre"))(3, 1, observation.seat).choose(observation, Budget(300))
        for kind in KINDS
    ]
    text = (
        "import json, sys, upcard\n"
        "from upcard.engine.api import Observation\n"
        "from upcard.players.protocol import Budget\n"
        "from upcard.players.search.search_players import searcher\n"
        "seen = Observation.from_json(json.load(sys.stdin))\n"
        f"for kind in {KINDS}:\n"
        "    d = searcher(kind, upcard.load('euchre'))(3, 1, seen.seat).choose(seen, Budget(300))\n"
        "    print(json.dumps([d.move.key, [[v.points, v.visits] for v in d.values], d.leads]))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", text],
        input=json.dumps(observation.to_json()),
        capture_output=True,
        text=True,
        timeout=110,
        check=True,
    )
    there = [json.loads(line) for line in ran.stdout.splitlines()]
    assert there == [
        [d.move.key, [[v.points, v.visits] for v in d.values], [list(lead) for lead in d.leads]] for d in here
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_hidden_cards_have_no_say(kind: str) -> None:
    """The same observation of two deals with other hidden cards: the same choice for the same reasons."""
    game = native("euchre")
    state = game.native_deal(5, 0, limits=Limits())
    seat = state.to_move
    assert seat is not None
    (order,) = [record["cards"] for record in state.records if record["do"] == "shuffle"]
    lying = {card: place for place, cards in state.observe(seat).places.items() for card in cards if card}
    hidden = [i for i, card in enumerate(order) if card not in lying]
    turned = list(order)
    for i, j in zip(hidden, [*hidden[1:], hidden[0]], strict=True):
        turned[i] = order[j]
    other = game.native_deal(5, 0, stacked=[turned], limits=Limits())
    mine, theirs = state.observe(seat), other.observe(seat)
    assert mine.places == theirs.places
    assert state.records != other.records
    make = searcher(kind, game)
    assert make(1, 0, seat).choose(mine, Budget(400)) == make(1, 0, seat).choose(theirs, Budget(400))


def test_one_alternative_is_not_thought_about() -> None:
    game = native("whist")
    state = game.native_deal(5, 0, limits=Limits())
    while state.choices > 1 or state.decisions < 40:
        state.play(state.choices - 1)
    observation = observed(state)
    for kind in ("ismcts", "blind", "mcts"):
        player = searcher(kind, game)(1, 0, observation.seat)
        decision = player.choose(observation, Budget(10**15))
        assert decision.move == observation.moves[0]
        assert decision.values == ()


def test_values_add_up() -> None:
    game = native("whist")
    state = game.native_deal(5, 0, limits=Limits())
    player = Ismcts(game, 1, 0, 0)
    observation = observed(state)
    decision = player.choose(observation, Budget(777))
    assert [value.move for value in decision.values] == list(observation.moves)
    assert sum(value.visits for value in decision.values) == 777
    most = max(value.visits for value in decision.values)
    often = [value for value in decision.values if value.visits >= tree_search.OFTEN * most]
    assert 1 < len(often) < len(decision.values)
    assert max(often, key=lambda v: v.points).move == decision.move
    # in a world there are two turns, each of seven first moves at most, which are all different
    assert most <= k.TURNS * player.counts.worlds == k.TURNS * 56
    assert all(0 <= v.win <= 1 and v.visits > 0 for v in decision.values)
    assert max(decision.values, key=lambda v: v.visits).error > 0


def test_a_tree_stops_growing_when_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[TreeBuffer] = []

    class Kept(TreeBuffer):
        def __init__(self, *given: object) -> None:
            super().__init__(*given)  # type: ignore[arg-type]
            made.append(self)

    monkeypatch.setattr(tree_search, "TreeBuffer", Kept)
    monkeypatch.setattr(trees, "MAX_SLOTS", 128)
    game = native("whist")
    observation = observed(game.native_deal(5, 0, limits=Limits()))
    decision = Ismcts(game, 1, 0, observation.seat).choose(observation, Budget(1000))
    (tree,) = made
    assert tree.tree.slots == 128
    assert tree.filled == 64
    assert sum(value.visits for value in decision.values) == 1000


def test_every_seat_has_a_result() -> None:
    """In a match every seat wants its side to win; without one its points, less those of the others."""
    game = native("euchre")
    m = machine_of(game)
    state = game.native_deal(5, 0, limits=Limits())
    plain = observed(state)
    words = m.layout.words["scores"]
    ended = Memory(m.layout.size)
    ended.words[words : words + 4] = [0, 2, 0, 2]
    mine = plain.seat in (1, 3)
    history = Determinizer(game).history(plain)
    tree = TreeBuffer(m, plain, history.replay.pc, 0)
    k.judge(game_words(m), tree.tree, pointer(ended), utility_of(game, plain))
    assert [result(tree, seat) for seat in range(4)] == [-2.0, 2.0, -2.0, 2.0]
    ended.words[words : words + 4] = [1, 0, 1, 0]
    k.judge(game_words(m), tree.tree, pointer(ended), utility_of(game, plain))
    assert [result(tree, seat) for seat in range(4)] == [1.0, -1.0, 1.0, -1.0]
    assert k.result_of(tree.tree, 0).deviation == pytest.approx(1.5), "the deviation of -2 and 1"
    scores = [9 if (seat in (1, 3)) == mine else 3 for seat in range(4)]
    match = {"to": 10, "scores": scores, "ties": "play"}
    racing = replace(plain, match=match)
    utility = utility_of(game, racing)
    assert utility.kind == flat.RACE
    tree = TreeBuffer(m, racing, history.replay.pc, 0)
    ended.words[words : words + 4] = [1 if (seat in (1, 3)) == mine else 0 for seat in range(4)]
    k.judge(game_words(m), tree.tree, pointer(ended), utility)
    assert [result(tree, seat) for seat in range(4)] == [float((s in (1, 3)) == mine) for s in range(4)]
    ended.words[words : words + 4] = [0 if (seat in (1, 3)) == mine else 4 for seat in range(4)]
    k.judge(game_words(m), tree.tree, pointer(ended), utility)
    won = result(tree, plain.seat)
    assert 0.5 < won < 1.0, "nine to seven is not won yet"
    assert result(tree, (plain.seat + 1) % 4) == pytest.approx(1 - won)
    decision = Ismcts(game, 1, 0, plain.seat).choose(racing, Budget(500))
    assert all(won < value.win <= 1 for value in decision.values)


def result(tree: TreeBuffer, seat: int) -> float:
    return k.result_of(tree.tree, seat).value


def test_logarithms() -> None:
    for n in (1, 2, 3, 7, 10, 1000, 65_537, 10**9, 2**40 + 1):
        assert block.logarithm(n) == pytest.approx(math.log(n), abs=1e-9)
    function = machine_of(native("kuhn-poker")).code._loaded.function(
        "logarithm", ctypes.c_double, ctypes.c_int64
    )
    assert all(function(n) == block.logarithm(n) for n in range(1, 3000))


@pytest.mark.parametrize("name", ["kuhn-poker", "euchre"])
def test_the_kernels_in_python_grow_the_same_tree(name: str) -> None:
    game = native(name)
    state = game.native_deal(5, 2, limits=Limits())
    if name == "euchre":
        for _ in range(20):
            state.play(0)
        while state.choices == 1:
            state.play(0)
    observation = observed(state)
    worlds = Determinizer(game).worlds(observation)
    m = worlds.machine
    utility = utility_of(game, observation)
    facts = game_words(m)
    in_python = copied(worlds.words, game=facts)
    choices = len(observation.moves)
    grown = []
    for by_machine in (True, False):
        tree = TreeBuffer(m, observation, worlds.history.replay.pc, 60)
        worlds.begin(Stream((1, 2, 3)))
        search = k.TreeSearch.pack(
            worlds=worlds.words if by_machine else in_python,
            room=m.room.address,
            utility=utility,
            visibility=visibility_of(m).table,
            tree=tree.tree,
            name=9,
            alternatives=choices,
        )
        found = m.code.search_trees(search, 0, 60) if by_machine else k.search_trees(search, 0, 60)
        assert found == -(-60 // (k.TURNS * -(-choices // 2)))
        grown.append((list(tree.words), list(m.stream)))
    assert grown[0][1] == grown[1][1]
    first = tree.tree.entries_at
    assert grown[0][0][first:] == grown[1][0][first:]
    assert sum(1 for word in grown[0][0][first :: block.TreeEntry.size // 8] if word) > 5
