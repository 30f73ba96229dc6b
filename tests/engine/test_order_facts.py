"""Order facts proved by play (27.1): with every location forced ordered, the same game.

Same seed, picks by identity: each decision offers the same alternatives and the scores are equal.
Programs that list groups in a choice, or draw inside a filter or a loop over cards, may differ in the
order of what they list or draw; there the alternatives of the first decision are compared.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.generated import programs
from tests.engine.play_through import all_programs, load, small
from tests.lang.cases import Case, playable_cases

from upcard.engine.api import Limits, Move
from upcard.engine.reference import ReferenceGame, ReferenceState
from upcard.engine.rng import PLAYER, Stream
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.order import is_groups
from upcard.recycle.walk import below

CASES = {case.name: case for case in playable_cases() if case.name != "repeat/most"}
PROGRAMS = all_programs()
LOOPS = (p.Filter, p.ForAll, p.Quantified, p.Each, p.SumOver)


def may_differ(program: p.Program) -> bool:
    for node in below(program):
        if isinstance(node, p.ForAny) and is_groups(node.source):
            return True
        if isinstance(node, LOOPS) and (node.source.kind is Kind.CARDS or is_groups(node.source)):
            inner = [found for part in _bodies(node) for found in below(part)]
            if any(isinstance(found, p.Random | p.BestCard | p.Shuffle) for found in inner):
                return True
    return False


def _bodies(node: p.Node) -> list[p.Node]:
    named = (getattr(node, name, None) for name in ("test", "item", "body", "store"))
    return [part for part in named if isinstance(part, p.Node)]


def name(move: Move) -> str:
    return json.dumps([move.item, list(move.picks)], sort_keys=True)


def offered(state: ReferenceState) -> Counter[str]:
    return Counter(name(move) for move in state.moves)


def twin_of(state: ReferenceState, move: Move) -> int:
    """The alternative of another state that has the same name, copies in order."""
    return next(i for i, other in enumerate(state.moves) if other == move)


def play_both(plain: ReferenceState, forced: ReferenceState, whole: bool) -> None:
    chance = Stream((plain.seed, plain.number, PLAYER, 0))
    while plain.to_move is not None:
        assert forced.to_move == plain.to_move
        assert offered(forced) == offered(plain)
        if not whole:
            return
        move = plain.moves[chance.below(plain.choices)]
        forced.play(twin_of(forced, move))
        plain.play(move)
    assert forced.outcome == plain.outcome
    assert forced.machine.table.ints == plain.machine.table.ints
    assert forced.machine.table.strs == plain.machine.table.strs
    assert forced.machine.chance.state == plain.machine.chance.state


def same_everywhere(game: ReferenceGame) -> bool:
    return not may_differ(game.program)


@pytest.mark.parametrize("which", CASES)
def test_small_programs(which: str) -> None:
    case: Case = CASES[which]
    plain, forced = case.game(), case.game(all_ordered=True)
    play_both(case.deal(plain), case.deal(forced), same_everywhere(plain))


@pytest.mark.parametrize("which", sorted(PROGRAMS))
def test_whole_games(which: str) -> None:
    plain, forced = load(PROGRAMS[which]), load(PROGRAMS[which], all_ordered=True)
    whole = same_everywhere(plain)
    for number in range(4 if whole else 20):
        limits = Limits(decisions=120)
        play_both(plain.deal(27, number, limits=limits), forced.deal(27, number, limits=limits), whole)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(text=programs(), seed=st.integers(0, 2**64 - 1))
def test_generated_games(text: str, seed: int) -> None:
    plain, forced = load(text), load(text, all_ordered=True)
    limits = Limits(decisions=12)
    play_both(plain.deal(seed, limits=limits), forced.deal(seed, limits=limits), same_everywhere(plain))


@pytest.mark.parametrize(
    "body, expected",
    [
        ("(choice ((any (game vloc D) 'C (turn pass))))", False),
        ("(choice ((any (partition N (game vloc D)) 'C (turn pass))))", True),
        ("(choice ((any (indexed game vloc D) 'C (turn pass))))", False),
        ("(choice ((any (all player 'P ('P vloc D)) 'C (turn pass))))", False),
        ("(do ((all (game vloc D) 'C (inc (game sto X) (random 2)))))", True),
        ("(do ((set (game sto X) (size (filter (game vloc D) 'C (== (random 1) 1))))))", True),
        ("(do ((all player 'P (inc (game sto X) (random 2)))))", False),
    ],
)
def test_which_programs_may_differ(body: str, expected: bool) -> None:
    assert may_differ(load(small(body)).program) is expected


def test_the_documents_play_alike_to_the_end() -> None:
    written = [which for which in PROGRAMS if which.startswith("document")]
    if not written:
        pytest.skip("the documents are not here")
    for which in written:
        assert same_everywhere(load(PROGRAMS[which])), which
