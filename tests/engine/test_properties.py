"""What holds in every game at every moment, over generated programs and those of tests/lang."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.generated import programs
from tests.engine.play_through import load, small
from tests.lang.cases import playable_cases

from upcard.engine.api import Limits
from upcard.engine.reference import ReferenceGame, ReferenceState, choices
from upcard.engine.reference.evaluator import Evaluator
from upcard.engine.rng import Stream
from upcard.engine.shared.alternatives import Alternative
from upcard.recycle import program as p

CASES = {case.name: case for case in playable_cases() if case.name not in ("repeat/most", "control/stuck")}
LIMITS = Limits(decisions=12)
SETTINGS = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 2**64 - 1)
either = st.one_of(programs(), programs(), st.sampled_from(sorted(CASES)))
"""A generated program, or the name of a written one."""


def game_of(which: str) -> ReferenceGame:
    return CASES[which].game() if which in CASES else load(which)


def moments(state: ReferenceState, picks: int) -> Iterator[ReferenceState]:
    """The state at each decision and at the end; picks are drawn from a stream."""
    chance = Stream((picks,))
    while state.to_move is not None:
        yield state
        state.play(chance.below(state.choices))
    yield state


def transcript(state: ReferenceState) -> str:
    return "\n".join(json.dumps(record) for record in state.records)


def played(game: ReferenceGame, seed: int, picks: int) -> ReferenceState:
    *_, last = moments(game.deal(seed, limits=LIMITS), picks)
    return last


@SETTINGS
@given(which=either, seed=seeds, picks=seeds)
def test_same_seed_and_picks_give_identical_records(which: str, seed: int, picks: int) -> None:
    first, again = played(game_of(which), seed, picks), played(game_of(which), seed, picks)
    assert transcript(first) == transcript(again)
    assert first == again


@SETTINGS
@given(which=either, seed=seeds, picks=seeds)
def test_listing_twice_changes_nothing(which: str, seed: int, picks: int) -> None:
    game = game_of(which)
    state = game.deal(seed, limits=LIMITS)
    for moment in moments(state, picks):
        if moment.to_move is not None:
            before = moment.content()
            again = choices.alternatives(moment.machine, moment.ask.choice, moment.decisions)
            for seat in range(game.seats):
                moment.observe(seat)
            assert again == moment._alternatives
            assert moment.content() == before
    assert transcript(state) == transcript(played(game, seed, picks))


@SETTINGS
@given(which=either, seed=seeds, picks=seeds)
def test_listing_not_at_all_changes_nothing(which: str, seed: int, picks: int) -> None:
    """The alternatives of one game, handed to a second that never lists any."""
    listed: list[list[Alternative]] = []
    real = choices.alternatives

    def noted(m: Evaluator, choice: p.Choice, decision: int) -> list[Alternative]:
        listed.append(real(m, choice, decision))
        return listed[-1]

    def handed(m: Evaluator, choice: p.Choice, decision: int) -> list[Alternative]:
        return listed[decision]

    game = game_of(which)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choices, "alternatives", noted)
        first = played(game, seed, picks)
        patch.setattr(choices, "alternatives", handed)
        again = played(game, seed, picks)
    assert transcript(again) == transcript(first)
    assert again.content() == first.content()


@SETTINGS
@given(which=either, seed=seeds, picks=seeds)
def test_cards_are_conserved(which: str, seed: int, picks: int) -> None:
    for state in moments(game_of(which).deal(seed, limits=LIMITS), picks):
        table = state.machine.table
        owned = [card for place, at in table.places.items() if place.cls != "mem" for card in at]
        assert sorted(owned) == list(range(len(table.cards)))
        for place, at in table.places.items():
            if place.cls != "mem":
                assert all(table.where[card] == place for card in at)
                assert table.is_ordered(place) or at == sorted(at)


@SETTINGS
@given(which=either, seed=seeds, picks=seeds)
def test_copies_are_independent(which: str, seed: int, picks: int) -> None:
    state = game_of(which).deal(seed, limits=LIMITS)
    chance = Stream((picks,))
    while state.to_move is not None:
        copy = state.copy()
        assert copy == state
        before = json.dumps([repr(state.content()), state.records])
        pick = chance.below(state.choices)
        for _ in moments(copy, picks):
            pass
        assert json.dumps([repr(state.content()), state.records]) == before
        ahead = state.copy()
        state.play(pick)
        ahead.play(pick)
        assert ahead == state
        assert ahead.records == state.records


def test_a_copy_shares_its_snapshots_as_the_original_does() -> None:
    """Two variables around a choice hold one snapshot, in a copy and in a sample too."""
    text = small(
        "(let (union (game vloc D)) 'S (let 'S 'T (let (partition N 'T) 'L (choice ((do ("
        "(move (top 'S) (top (game vloc E))) (inc (game sto X) (size 'T))"
        "(move (top (top 'L)) (top (game vloc E))) (inc (game sto X) (* 10 (size (union 'L)))))))))))"
    )
    state = load(text).deal()
    for each in (state.copy(), state.copy().copy(), state.sample(0), state):
        each.play(0)
        assert each.outcome is not None
        assert each.outcome.scores == (22,)


@SETTINGS
@given(which=either, seed=seeds, picks=seeds)
def test_memory_never_rules_out_the_truth(which: str, seed: int, picks: int) -> None:
    game = game_of(which)
    for state in moments(game.deal(seed, limits=LIMITS), picks):
        table, knowledge = state.machine.table, state.machine.knowledge
        assert knowledge is not None
        for seat in range(game.seats):
            for card, place in enumerate(table.where):
                where, placed = knowledge.where[seat][card], knowledge.placed[seat][card]
                assert place in where
                assert not placed or where == {place}
                assert placed or not place.seen_by(seat)


@SETTINGS
@given(which=programs(), seed=seeds, picks=seeds, k=st.integers(0, 9), memory=st.booleans())
def test_samples_are_games_of_the_same_shape(which: str, seed: int, picks: int, k: int, memory: bool) -> None:
    game = game_of(which)
    for state in moments(game.deal(seed, limits=LIMITS), picks):
        for seat in range(game.seats):
            sample = state.sample(seat, k, memory=memory).machine.table
            table = state.machine.table
            for place, at in table.places.items():
                if place.seen_by(seat):
                    assert list(sample.at(place)) == at
                assert sorted(sample.cards[c].back for c in sample.at(place)) == sorted(
                    table.cards[c].back for c in at
                )
                if place.cls != "mem":
                    assert all(sample.where[card] == place for card in sample.at(place))
                    assert sample.is_ordered(place) or list(sample.at(place)) == sorted(sample.at(place))
