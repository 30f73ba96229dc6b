"""Trees hold every deal once: as by brute force, and with the numbers that are known."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from tests.solve.all_deals import by_all_deals, hashed_shares
from tests.solve.tiny_games import TEXTS, listed, tiny

import upcard
from upcard.engine.api import Limits
from upcard.engine.loader import make_game
from upcard.recycle.frontend import check
from upcard.recycle.source import Source
from upcard.solve.chance_script import NotEnumerable, Outcome, ScriptedChance, Undecided
from upcard.solve.enumeration import TooManyNodes, TreeWalk, enumerate_game, estimate_nodes
from upcard.solve.equilibrium import Equilibrium
from upcard.solve.game_tree import CHANCE, END, GameTree

WITHOUT_DRAWS = sorted({*TEXTS, "kuhn-poker"} - {"turn", "ties"})
"""A stacked deal decides shuffles only, so brute force cannot list other draws."""


def reach_of_sets(tree: GameTree, strategy: list[list[float]]) -> dict[str, float]:
    found = dict.fromkeys((one.key for one in tree.information_sets), 0.0)
    reached = [0.0] * tree.nodes
    reached[0] = 1.0
    for node in range(tree.nodes):
        seat, first = tree.seat[node], tree.first[node]
        if seat >= 0:
            found[tree.information_sets[tree.at[node]].key] += reached[node]
        for child in range(first, first + tree.count[node]):
            share = tree.probability[child] if seat == CHANCE else strategy[tree.at[node]][child - first]
            reached[child] = reached[node] * share
    return found


@pytest.mark.parametrize("name", WITHOUT_DRAWS)
def test_the_tree_is_the_game_of_all_deals(name: str) -> None:
    """Equal information sets, equally likely under any strategies, and equal payoffs: the same game."""
    tree = listed(name).tree
    sets = tree.information_sets
    strategy = [hashed_shares(one.key, one.seat, len(one.actions)) for one in sets]
    expected = by_all_deals(tiny(name), hashed_shares)
    assert {one.key for one in sets} == set(expected.sets)
    assert len(sets) == len(expected.sets)
    for key, chance in reach_of_sets(tree, strategy).items():
        assert chance == pytest.approx(expected.sets[key], abs=1e-12)
    measured = Equilibrium(tree).measure_strategy(strategy)
    assert measured.value == pytest.approx(expected.payoffs, abs=1e-12)


def shuffle_at_once(chance: ScriptedChance, items: Any) -> None:
    """Decides a whole order: every one is an outcome."""
    script, number, size = chance.script, len(chance.progress.sizes), len(items)
    if size < 2:
        return
    if number == len(script.orders):
        decided = (*script.decided, frozenset(range(size)))
        orders = [(*script.orders, order) for order in permutations(range(size))]
        raise Undecided([Outcome(1, replace(script, orders=one, decided=decided)) for one in orders])
    before = tuple(items)
    chance.progress.sizes.append(size)
    chance.progress.lists.append(before)
    items[:] = [before[index] for index in script.orders[number]]


@pytest.mark.parametrize("name", ["turn", "ties", "again"])
def test_cards_may_be_decided_late(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same game comes of orders that are decided at the shuffle, with all draws of a game."""
    late = listed(name).tree
    monkeypatch.setattr(ScriptedChance, "shuffle", shuffle_at_once)
    early = enumerate_game(tiny(name)).tree
    found = []
    for tree in (late, early):
        strategy = [hashed_shares(one.key, one.seat, len(one.actions)) for one in tree.information_sets]
        measured = Equilibrium(tree).measure_strategy(strategy)
        found.append((reach_of_sets(tree, strategy), measured.value, measured.best))
    for one, other in zip(*found, strict=True):
        assert one == pytest.approx(other, abs=1e-12)


def test_chance_at_a_node_is_a_distribution() -> None:
    for name in ("turn", "again", "steal"):
        tree = listed(name).tree
        for node in range(tree.nodes):
            children = range(tree.first[node], tree.first[node] + tree.count[node])
            if tree.seat[node] == CHANCE:
                assert math.fsum(tree.probability[child] for child in children) == pytest.approx(1)
                assert len(children) > 1
            elif tree.seat[node] == END:
                assert sum(tree.payoff(node)) == pytest.approx(0)
                assert not children
            else:
                assert len(children) == len(tree.information_sets[tree.at[node]].actions) > 1


def test_a_die_is_no_part_of_what_is_known_before_it_falls() -> None:
    """Chance in the middle has nodes of its own: the first seat knows its card alone."""
    tree = listed("turn").tree
    first = [one for one in tree.information_sets if one.seat == 0]
    assert [one.holding for one in first] == ["ONE", "TWO", "THREE", "FOUR"]
    # own card, the first seat's move, the board and the die
    assert sum(one.seat == 1 for one in tree.information_sets) == 4 * 2 * 3 * 2


def test_cards_that_look_alike_are_one_action() -> None:
    tree = listed("steal").tree
    drawing = [one for one in tree.information_sets if one.seat == 1 and len(one.actions[0].keys) == 3]
    assert len(drawing) == 1
    assert len(drawing[0].actions) == 2


def test_leduc_has_the_size_that_is_known() -> None:
    """936 information sets, 9,457 histories: as in the research on it."""
    tree = listed("leduc-holdem").tree
    assert (len(tree.information_sets), tree.nodes, tree.ends) == (936, 9457, 5520)


def test_parents_come_first() -> None:
    tree = listed("leduc-holdem").tree
    for number, one in enumerate(tree.information_sets):
        assert one.parent is None or one.parent[0] < number
    for node in range(tree.nodes):
        assert tree.seat[node] == END or tree.first[node] > node


def test_a_position_can_be_played_again() -> None:
    for name in ("again", "steal", "turn"):
        listing = listed(name)
        for one, position in zip(listing.tree.information_sets, listing.positions, strict=True):
            state = position.state(listing.game)
            assert state.to_move == one.seat
            assert state.infoset_key(one.seat) == one.key


@pytest.mark.parametrize("name", ["again", "three", "pennies"])
def test_several_processes_list_the_same_tree(name: str) -> None:
    """`three` has a chance at the deal, `again` one in the middle too, and `pennies` none."""
    alone, walk = listed(name), TreeWalk(tiny(name).reference_game, 10_000, Limits())
    together = walk.listing(workers=2)
    assert together.tree == alone.tree
    assert together.positions == alone.positions


def test_a_refusal_in_another_process_is_told() -> None:
    with pytest.raises(TooManyNodes, match="has more than 20 nodes"):
        TreeWalk(tiny("again").reference_game, 20, Limits()).listing(workers=2)


def test_a_large_game_is_refused_with_its_size() -> None:
    with pytest.raises(TooManyNodes, match=r"euchre has more than 10\^10 nodes, and --max-nodes allows"):
        enumerate_game(upcard.load("euchre"))
    with pytest.raises(TooManyNodes, match="has more than 3,000 nodes; allow more with --max-nodes"):
        enumerate_game(tiny("leduc-holdem"), max_nodes=3000)


def test_an_estimate_is_near() -> None:
    assert estimate_nodes(tiny("leduc-holdem")) == pytest.approx(9457, rel=0.3)


def test_progress_tells_of_all_nodes() -> None:
    told: list[int] = []
    enumerate_game(tiny("again"), on_progress=told.append)
    assert 761 - 100 < sum(told) < 3 * 761


FAILS = """
(game (setup (create players 1) (create deck (game iloc PACK) (deck (RANK (ONE)))))
 (choice ((set (game sto N) 1) (set (game sto N) 0)))
 (do (((== (game sto N) 1) (repeat 2 (move (top (game iloc PACK)) (top (game vloc ROW)))))))
 (scoring max 0))
"""
LISTED_DRAW = """
(game (setup (create players 1) (create deck (game iloc PACK) (deck (RANK (ONE)))))
 (choice (((== (random 1) 1) (set (game sto N) 1)) (set (game sto N) 0)))
 (scoring max 0))
"""
WIDE_DRAW = """
(game (setup (create players 1) (create deck (game iloc PACK) (deck (RANK (ONE)))))
 (do ((set (game sto N) (random 1000000))))
 (choice ((set (game sto N) 1) (set (game sto N) 0)))
 (scoring max 0))
"""


@pytest.mark.parametrize(
    "text, why",
    [
        (FAILS, "can fail, so its tree has no value: it failed at line 4"),
        (LISTED_DRAW, "draws that are made while they are listed"),
        (WIDE_DRAW, "a draw of this game has 1,000,001 outcomes"),
    ],
)
def test_what_cannot_be_listed_is_refused(text: str, why: str) -> None:
    with pytest.raises(NotEnumerable, match=why):
        enumerate_game(make_game("odd", *check(Source("odd.rcy", text)).sound()))
