"""The language reference's conformance checks (section 24) that need no corpus.

Points 10 and 11 are in test_documents.py.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engine.generated import programs
from tests.engine.listings import watched
from tests.engine.play_through import (
    all_programs,
    deal,
    finish,
    finish_at_random,
    lie,
    load,
    moved,
    play,
    small,
)
from tests.engine.reference_statistics import chi_square_bound

from upcard.engine.api import Limits, Place
from upcard.engine.reference import ReferenceState


def test_1_deck_order() -> None:
    state = load(
        "(game (setup (create players 1) (create deck (game vloc D)"
        " (deck (N (A, B)) (C (R (S (X, Y))) (G (S (Z)))))))"
        "(do ((set (game str T) (cardatt N (top (game vloc D)))))) (choice ((turn pass))) (scoring max 0))"
    ).deal()
    assert lie(state, "table.vloc.D") == "ARX ARY AGZ BRX BRY BGZ"
    assert [dict(card.attributes) for card in state.machine.table.cards][2] == {"N": "A", "C": "G", "S": "Z"}


def test_2_queue() -> None:
    state = deal(
        "(stage player (end (== (game sto N) 5)) (choice ("
        "((== (game sto N) 1) (do ((inc (game sto N)) (cycle next current))))"
        "((!= (game sto N) 1) (inc (game sto N))))))",
        players=3,
    )
    assert list(play(state)) == [(0, 1), (1, 1), (1, 1), (2, 1), (0, 1)]


def test_3_nesting() -> None:
    state = deal(
        "(stage player (end (== (game sto ROUND) 2))"
        " (do ((set (game sto N) 0)))"
        " (stage player (end (== (game sto N) 3)) (choice ((inc (game sto N)))))"
        " (do ((inc (game sto ROUND)) (cycle next previous))))",
        players=3,
    )
    assert [seat for seat, _ in play(state)] == [0, 1, 2, 2, 0, 1]


def test_4_product() -> None:
    state = deal(
        "(choice ((do ((any (game vloc D) 'C (move 'C (top (game vloc E))))"
        " (any (game vloc D) 'C (move 'C (top (game vloc E))))))))"
    )
    assert [moved(state, i) for i in range(state.choices)] == ["A B", "A C", "B A", "B C", "C A", "C B"]


def test_5_nothing() -> None:
    none = "(any (game vloc EMPTY) 'C (move 'C (top (game vloc E))))"
    state = deal(
        f"(choice ((do ({none} (inc (game sto X)))) {none} ((== 1 2) (turn pass))"
        " (repeat all (move (top (game vloc EMPTY)) (top (game vloc E)))) (turn pass)))"
    )
    assert [(move.item, [e["do"] for e in move.effects]) for move in state.moves] == [
        (0, ["set"]),
        (4, ["pass"]),
    ]


def test_6_tentative_state() -> None:
    text = small(
        "(choice ((any (game vloc D) 'C (do ((move 'C (top (game vloc T)))"
        " ((== (cardatt N (top (game vloc T))) B) (inc (game sto X) 5))"
        " ((== (size (game vloc D)) 2) (inc (game sto X))))))))"
    )
    results = []
    for pick in range(3):
        outcome = finish(load(text).deal(), [pick]).outcome
        assert outcome is not None
        results.append(outcome.scores)
    assert results == [(1,), (6,), (1,)]


FIVE = (
    "(do ((set (game points V) (((N : A) 1) ((N : B) 2) ((N : BB) 2) ((N : C) 3) ((N : E) 5)))))"
    "(let {form} 'X (choice ((any 'X 'G (all 'G 'C (move 'C (top (game vloc T))))))))"
)


@pytest.mark.parametrize(
    "form, groups",
    [
        ("(tuples 2 (game vloc D) using (game points V))", "B BB"),
        ("(runs largest 2 (game vloc D) using (game points V))", "A B C; A BB C"),
        (
            "(runs all 2 (game vloc D) using (game points V))",
            "A B; A BB; A B C; A BB C; B C; BB C",
        ),
        ("(subsets (bottom 3 (game vloc D)))", "A; B; A B; BB; A BB; B BB; A B BB"),
    ],
)
def test_7_runs_tuples_subsets(form: str, groups: str) -> None:
    state = deal(FIVE.format(form=form), deck="(N (A, B, BB, C, E))")
    assert "; ".join(moved(state, i) for i in range(state.choices)) == groups


@pytest.mark.parametrize("end, size", [("bottom", 2), ("top", 0)])
def test_7_run_at_an_end(end: str, size: int) -> None:
    # the cards A B lie below B' C E: scores 1 2 2 3 5
    text = FIVE.partition("(let")[0] + (
        f"(do ((set (game sto X) (size (run {end} 2 (game vloc D) using (game points V))))))"
    )
    state = deal(text, deck="(N (A, B, BB, C, E))")
    assert state.outcome is not None
    assert state.outcome.scores == (size,)


def test_8_repeat() -> None:
    state = deal("(do ((repeat 3 (inc (game sto X) 2))))")
    assert state.outcome is not None
    assert state.outcome.scores == (6,)


# --- 9 -------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(text=programs(), seed=st.integers(0, 2**64 - 1))
def test_9_restoration_in_generated_games(text: str, seed: int) -> None:
    with watched() as counts:
        finish_at_random(load(text).deal(seed, limits=Limits(decisions=15)))
    assert counts


@pytest.mark.parametrize("name", sorted(all_programs()))
def test_9_restoration_in_whole_games(name: str) -> None:
    game = load(all_programs()[name])
    with watched() as counts:
        for number in range(3):
            finish_at_random(game.deal(24, number, limits=Limits(decisions=60)))
    assert counts


# --- 13 ------------------------------------------------------------------------------------------

HIDDEN = """
(game
 (setup (create players 3)
        (create deck (game iloc STOCK) (deck (N (A, B, C, D, E, F, G))))
        (create deck RED (game iloc STOCK) (deck (N (R, S, T)))))
 (do ((shuffle (game iloc STOCK))
      (all player 'P (repeat 2 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))
      (move (top (game iloc STOCK)) (top ((1 player) oloc HAT)))
      (move (top (game iloc STOCK)) (top ((0 player) hloc DOWN)))))
 (choice ((any ((current player) iloc HAND) 'C (move 'C (top (game vloc PILE))))))
 (scoring max 0))
"""


def seen_positions(state: ReferenceState, seat: int) -> dict[Place, list[int]]:
    places = state.machine.table.places
    return {place: list(cards) for place, cards in places.items() if cards and place.seen_by(seat)}


@pytest.mark.parametrize("seat", range(3))
def test_13_determinisation_keeps_what_the_seat_sees(seat: int) -> None:
    game = load(HIDDEN)
    for number in range(10):
        state = game.deal(13, number)
        table = state.machine.table
        backs = {place: Counter(table.cards[c].back for c in at) for place, at in table.places.items() if at}
        for k in range(10):
            sample = state.sample(seat, k, memory=False)
            other = sample.machine.table
            assert seen_positions(sample, seat) == seen_positions(state, seat)
            assert {
                place: Counter(other.cards[c].back for c in at) for place, at in other.places.items() if at
            } == backs
            assert sorted(c for at in other.places.values() for c in at) == list(range(10))
            assert all(card in other.at(place) for card, place in enumerate(other.where))
            for place in other.places:
                if other.is_ordered(place):
                    kept = [table.cards[c].back for c in table.at(place)]
                    assert [other.cards[c].back for c in other.at(place)] == kept
            assert sample.to_move == state.to_move


@pytest.mark.parametrize("seat, back", [(seat, back) for seat in range(3) for back in ("DEFAULT", "RED")])
def test_13_each_hidden_card_is_equally_likely_in_each_hidden_position(seat: int, back: str) -> None:
    """Positions of unordered locations cannot be told apart, so those are counted together."""
    state = load(HIDDEN).deal(7)
    table = state.machine.table
    slots: Counter[tuple[Place, int]] = Counter()
    cards = []
    for place, at in table.places.items():
        for index, card in enumerate(at):
            if table.cards[card].back == back and not place.seen_by(seat):
                slots[place, index if table.is_ordered(place) else 0] += 1
                cards.append(card)
    assert len(cards) > 1, "a lone hidden card has nowhere else to be"
    samples = 1500
    found: Counter[tuple[int, tuple[Place, int]]] = Counter()
    for k in range(samples):
        other = state.sample(seat, k, memory=False).machine.table
        for card in cards:
            place = other.where[card]
            found[card, (place, other.at(place).index(card) if table.is_ordered(place) else 0)] += 1
    n = len(cards)
    chi_square = 0.0
    for card in cards:
        for slot, size in slots.items():
            expected = samples * size / n
            chi_square += (found[card, slot] - expected) ** 2 / expected
    # a sample is a permutation, not n independent draws
    chi_square *= (n - 1) / n
    assert sum(found.values()) == samples * n
    assert {slot for _, slot in found} == set(slots)
    assert chi_square < chi_square_bound((n - 1) * (len(slots) - 1))


# --- 14 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(all_programs()))
def test_14_reproducibility(name: str) -> None:
    game = load(all_programs()[name])

    def transcript(lists: int) -> str:
        state = game.deal(11, 4, limits=Limits(decisions=80))
        pick = 0
        while state.to_move is not None:
            for _ in range(lists):
                state.observe(state.to_move)
                state.copy().sample(state.to_move, 0)
                assert len(state.copy().moves) == state.choices
            state.play((pick := pick + 7) % state.choices)
        return "\n".join(json.dumps(record) for record in state.records)

    assert transcript(0) == transcript(0) == transcript(2)
