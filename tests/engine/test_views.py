"""What a seat is shown: nothing it may not know, and moves by names that give nothing away (27.6)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests import documents
from tests.engine.generated import programs
from tests.engine.play_through import all_programs, finish, lie, load, small

from upcard.engine.api import IllegalMove, Limits, Move, Observation
from upcard.engine.reference import ReferenceGame, ReferenceState
from upcard.engine.rng import LISTING, PLAYER, Stream


def walk(game: ReferenceGame, seed: int, number: int = 0) -> Any:
    """A random game, yielded at each decision."""
    state = game.deal(seed, number, limits=Limits(decisions=60))
    chance = Stream((seed, number, PLAYER, 0))
    while state.to_move is not None:
        yield state
        state.play(chance.below(state.choices))


@pytest.mark.parametrize("name", sorted(all_programs()))
def test_an_observation_goes_to_json_and_back(name: str) -> None:
    """At every decision as its chooser sees it, and as somebody else does, in turn."""
    states = 0
    for number, state in enumerate(walk(load(all_programs()[name]), 2)):
        states += 1
        assert state.to_move is not None
        for seat in {state.to_move, number % state.game.seats}:
            seen = state.observe(seat)
            told = seen.to_json()
            again = Observation.from_json(json.loads(json.dumps(told)))
            assert again.to_json() == told
            assert again == seen
    assert states > 0


# --- hidden cards --------------------------------------------------------------------------------


def euchre_deal(hands: list[list[int]], rest: list[int]) -> list[str]:
    """A stacked deck, bottom to top, that deals these hands and then the rest from the top."""
    dealt = [card for hand in hands for card in hand] + rest
    return [f"DEFAULT:{card}" for card in reversed(dealt)]


CARDS = [list(range(5)), list(range(5, 10)), list(range(10, 15)), list(range(15, 20))]
REST = [20, 21, 22, 23]


@pytest.mark.parametrize("picks", [(0, 0, 0, 0, 0, 0, 0), (0, 1), (2,), (0, 0, 0, 0, 5)])
def test_states_that_differ_in_hidden_cards_look_the_same(picks: tuple[int, ...]) -> None:
    """Seat 0's own hand and the turned card stay; everything else is dealt in two ways."""
    game = load(documents.program(0))
    one = game.deal(1, stacked=[euchre_deal(CARDS, REST)])
    hands = [CARDS[0], [15, 21, 10, 8, 12], [22, 19, 5, 6, 11], [7, 23, 13, 14, 16]]
    other = game.deal(1, stacked=[euchre_deal(hands, [20, 9, 17, 18])])
    assert lie(one, "seat1.iloc.HAND") != lie(other, "seat1.iloc.HAND")
    for pick in (*picks, None):
        assert one.observe(0).to_json() == other.observe(0).to_json()
        if pick is not None:
            one.play(pick)
            other.play(pick)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(
    text=programs(),
    order=st.permutations(range(6)),
    others=st.permutations(range(4)),
    pick=st.integers(0, 99),
)
def test_generated_games_tell_a_seat_nothing_of_the_others(
    text: str, order: list[int], others: list[int], pick: int
) -> None:
    """Seat 0 is dealt the two topmost cards; the rest is stacked in two ways."""
    game = load(text)
    rest = [order[i] for i in others]
    states = [
        game.deal(1, stacked=[[f"DEFAULT:{card}" for card in (*below, *order[4:])]])
        for below in (order[:4], rest)
    ]
    one, other = (state.observe(0) for state in states)
    assert one.to_json() == other.to_json()
    # the same move as it was shown, and what the seat sees of it
    for state, seen in zip(states, (one, other), strict=True):
        state.play(seen.moves[pick % len(seen.moves)])
    if all(state.to_move != 0 for state in states):
        assert states[0].observe(0).to_json() == states[1].observe(0).to_json()


def ids_in(text: str) -> set[str]:
    return {f"DEFAULT:{n}" for n in range(52) if f'"DEFAULT:{n}"' in text}


@pytest.mark.parametrize("index", [0, 1])
def test_no_card_is_named_that_the_seat_never_saw(index: int) -> None:
    """That the cards exist is public, so the list of cards, their creation and the memory name all."""
    game = load(documents.program(index))
    for number in range(2):
        shown: list[set[str]] = [set() for _ in range(4)]
        for state in walk(game, 4, number):
            table = state.machine.table
            for seat in range(4):
                for place, cards in table.places.items():
                    if place.seen_by(seat):
                        shown[seat] |= {table.cards[card].id for card in cards}
                data = state.observe(seat).to_json()
                del data["cards"], data["memory"]
                data["records"] = [r for r in data["records"] if r["do"] != "create"]
                assert ids_in(json.dumps(data)) <= shown[seat]
        assert all(shown), "every seat saw cards"


@pytest.mark.parametrize("index", [0, 1])
def test_an_imagined_game_looks_like_the_real_one(index: int) -> None:
    game = load(documents.program(index))
    compared = 0
    for state in walk(game, 6):
        if state.decisions % 7:
            continue
        compared += 1
        for seat in range(4):
            real, sample = state.observe(seat), state.sample(seat, 1).observe(seat)
            for what in ("places", "backs", "integers", "strings", "points", "cycles", "cards", "to_move"):
                assert getattr(sample, what) == getattr(real, what), what
            assert [move.key for move in sample.moves] == [move.key for move in real.moves]
    assert compared > 1


def test_another_seats_decision_does_not_tell_its_hand() -> None:
    game = load(documents.program(0))
    state = finish_bidding(game.deal(1, stacked=[euchre_deal(CARDS, REST)]))
    for seat in range(4):
        record = [r for r in state.observe(seat).records if r["do"] == "decision"][-1]
        assert record["seat"] == 3
        if seat == 3:
            assert record["picks"] == [{"card": "DEFAULT:20"}]
            assert (record["alternatives"], record["index"]) == (6, None)
        else:
            told = {key: record[key] for key in ("item", "picks", "copy", "alternatives", "index")}
            assert told == dict.fromkeys(told)
            assert record["actions"][0]["card"] is None


def finish_bidding(state: ReferenceState) -> ReferenceState:
    """Seat 0 orders the card up, the dealer throws away the last card of a sorted hand."""
    for pick in (1, 0, 0, 0, 5):
        state.play(pick)
    return state


CHANCE = """
(game
 (setup (create players 2) (create deck (game hloc H) (deck (N (A, B, C, D)))))
 (do ((shuffle (game hloc H)) (repeat 2 (move (top (game hloc H)) (top ((current player) iloc HAND))))))
 (choice ((any ((current player) iloc HAND) 'C (do (
  (set (game sto R) (random 1))
  ((== (game sto R) 0) (move 'C (top (game vloc OPEN))))
  ((== (game sto R) 1) (move 'C (top (game hloc SHUT)))))))))
 (choice ((turn pass)))
 (scoring max 0))
"""


def test_what_was_listed_does_not_tell_what_was_done() -> None:
    """Chance may keep in the dark what the listing showed, and the other way round."""
    game = load(CHANCE)
    roads = set()
    for number in range(12):
        state = game.deal(1, number)
        listed = state.moves[0].effects[-1]["to"]
        state.play(0)
        record = next(r for r in state.observe(1).records if r["do"] == "decision")
        done = record["actions"][-1]
        assert record["picks"] is None
        assert (done["card"] is None) == (done["to"] == "table.hloc.SHUT")
        roads.add((listed, done["to"]))
    assert len(roads) == 4


# --- blanks --------------------------------------------------------------------------------------

FACE_DOWN = """
(game
 (setup (create players 2) (create deck (game hloc H) (deck (N (A, B, C, D)))))
 (do ((shuffle (game hloc H))))
 (choice ((turn pass)
          {before}
          (any (game hloc H) 'C (move 'C (top ((current player) iloc HAND))))
          (inc (game sto X))))
 (choice ((turn pass)))
 (scoring max (game sto X)))
"""


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("before", ["", "(set (game sto R) (random 99))"])
def test_face_down_picks_are_blank_and_permuted_by_the_listing_stream(seed: int, before: str) -> None:
    state = load(FACE_DOWN.format(before=before)).deal(seed)
    start = 2 if before else 1
    picks = [move.picks for move in state.observe(0).moves]
    assert picks[start:-1] == [({"card": None},)] * 4
    assert [move.copy for move in state.observe(0).moves][start:-1] == [0, 1, 2, 3]
    assert picks[:start] == [()] * start
    assert picks[-1] == ()
    # one shuffle, drawn after the listing
    stream = Stream((seed, 0, 0, LISTING, 0))
    if before:
        stream.below(100)
    order = list(range(4))
    stream.shuffle(order)
    for at, card in enumerate(order):
        copy = state.copy()
        copy.play(copy.observe(0).moves[start + at])
        assert lie(copy, "seat0.iloc.HAND") == "ABCD"[card]
    # engines, records and random players use the plain list
    assert [m.picks[0]["card"] for m in state.moves[start:-1]] == [f"DEFAULT:{n}" for n in range(4)]


def test_effects_of_face_down_picks_are_blank() -> None:
    state = load(FACE_DOWN.format(before="")).deal(1)
    move = state.observe(0).moves[1]
    assert move.effects[0]["do"] == "move"
    assert move.effects[0]["card"] is None
    assert "DEFAULT" not in json.dumps(move.to_json())


def test_what_follows_from_a_hidden_face_is_not_told() -> None:
    body = (
        "(do ((all (game vloc D) 'C (move 'C (top (game hloc H))))))"
        "(choice ((any (game hloc H) 'C (do ((move 'C (top (game hloc E)))"
        " (set (game str S) (cardatt N 'C)))))))"
    )
    state = load(small(body)).deal(1)
    assert {json.dumps(move.effects) for move in state.observe(0).moves} == {
        json.dumps(
            [{"do": "move", "card": None, "from": "table.hloc.H", "to": "table.hloc.E"}, {"do": "hidden"}]
        )
    }


def test_groups_with_hidden_cards_show_the_seen_ones_first() -> None:
    body = (
        "(do ((move (1 (game vloc D)) (top (game hloc H)))))"
        "(choice ((any (subsets (union (game vloc D) (game hloc H))) 'S"
        " (all 'S 'C (move 'C (top (game vloc E)))))))"
    )
    state = load(small(body)).deal(1)
    shown = [move.picks[0]["cards"] for move in state.observe(0).moves]
    assert sorted(shown, key=str) == sorted(
        [
            ["DEFAULT:0"],
            ["DEFAULT:2"],
            ["DEFAULT:0", "DEFAULT:2"],
            [None],
            ["DEFAULT:0", None],
            ["DEFAULT:2", None],
            ["DEFAULT:0", "DEFAULT:2", None],
        ],
        key=str,
    )


def test_only_the_chooser_is_shown_the_alternatives() -> None:
    state = load(FACE_DOWN.format(before="")).deal(1)
    assert state.observe(1).moves == ()
    assert len(state.observe(0).moves) == 6


# --- names of moves ------------------------------------------------------------------------------


def test_a_moves_name_holds_item_picks_and_copy() -> None:
    body = (
        "(choice ((any (game vloc D) 'C (any (RED, BLUE) 'H (set (game str H) 'H))) (turn pass)"
        " (any (partition N (game vloc D)) 'G (turn pass))"
        " (any (all player 'P ('P vloc ROW 3)) 'L (any player 'P"
        " (any team 'T (any (range 7..7) 'N (turn pass)))))"
        " (any (union (game vloc D) (game vloc D)) 'C (turn pass))))"
    )
    moves = load(small(body)).deal().moves
    assert (moves[1].item, moves[1].picks, moves[1].copy) == (
        0,
        ({"card": "DEFAULT:0"}, {"string": "BLUE"}),
        0,
    )
    assert (moves[6].item, moves[6].picks) == (1, ())
    assert moves[7].picks == ({"cards": ["DEFAULT:0"]},)
    assert moves[10].picks == ({"place": "seat0.vloc.ROW.3"}, {"seat": 0}, {"team": 0}, {"number": 7})
    assert [(m.picks[0]["card"], m.copy) for m in moves[11:]] == [
        (f"DEFAULT:{n}", copy) for n in range(3) for copy in (0, 1)
    ]
    assert len({move.key for move in moves}) == len(moves)
    assert all(Move.from_json(json.loads(json.dumps(move.to_json()))) == move for move in moves)


TWO_TURNS = small(
    "(choice ((any (game vloc D) 'C (move 'C (top (game vloc E))))))"
    "(choice ((any (game vloc D) 'C (move 'C (top (game vloc E))))))"
)


def test_stale_and_foreign_moves_are_refused() -> None:
    game = load(TWO_TURNS)
    state = game.deal()
    first = state.moves[1]
    foreign = load(small("(choice ((any (RED, BLUE) 'H (set (game str H) 'H))))")).deal().moves[0]
    with pytest.raises(IllegalMove):
        state.play(foreign)
    state.play(first)
    before = state.content()
    for wrong in (first, foreign, 2, -1, 99):
        with pytest.raises(IllegalMove):
            state.play(wrong)
    assert state.content() == before
    state.play(state.moves[1])
    assert lie(state, "table.vloc.E") == "B C"
    for late in (0, first):
        with pytest.raises(IllegalMove):
            state.play(late)


def test_a_move_is_the_same_in_a_copy_and_by_its_json() -> None:
    game = load(TWO_TURNS)
    state, twin = game.deal(), game.deal()
    move = Move.from_json(json.loads(json.dumps(state.moves[2].to_json())))
    twin.play(move)
    state.play(2)
    assert state == twin
    assert finish(state).outcome == finish(twin).outcome


def test_an_observation_needs_a_seat_of_the_game() -> None:
    with pytest.raises(ValueError, match="seat"):
        load(TWO_TURNS).deal().observe(1)


HEAD = """(game
 (setup
  (create players 2)
  (create deck (game hloc S) (deck (N (A, B, C, D, E)))))
 (do ((shuffle (game hloc S)) (repeat 3 (move (top (game hloc S)) (top (game hloc F))))))
"""
TAIL = " (choice ((turn pass)))\n (scoring max 0))\n"


def test_what_depends_on_a_hidden_face_is_not_told_by_its_absence() -> None:
    """Whether anything follows the look would tell the face as well as what follows."""
    item = """(any (game hloc F) 'C (do (
      (move 'C (top (game vloc E)))
      ((== (cardatt N 'C) A) (inc (game sto X))))))"""
    game = load(HEAD + f" (choice ({item}))\n" + TAIL)
    told = {
        tuple(effect["do"] for effect in move.effects)
        for deal in range(20)
        for move in game.deal(1, deal).observe(0).moves
    }
    assert told == {("move", "hidden")}


def test_being_one_of_remembered_cards_is_a_look() -> None:
    seen = " (do ((remember (top (game hloc F)) (top (game mem SEEN)))))\n"
    item = """(any (subsets (game hloc F)) 'S (do (
      (turn pass)
      ((> (size (intersect 'S (game mem SEEN))) 0) (inc (game sto X))))))"""
    game = load(HEAD + seen + f" (choice ({item}))\n" + TAIL)
    shapes = {tuple(e["do"] for e in move.effects) for move in game.deal(1).observe(0).moves}
    assert shapes == {("pass", "hidden")}


def test_a_pick_from_a_memory_is_shown() -> None:
    """What a memory points at is seen by all, wherever the card itself lies."""
    seen = " (do ((remember (top (game hloc F)) (top (game mem SEEN)))))\n"
    game = load(HEAD + seen + " (choice ((any (game mem SEEN) 'C (inc (game sto X)))))\n" + TAIL)
    state = game.deal(1)
    (move,) = state.observe(0).moves
    assert move.picks[0]["card"] is not None
    state.play(move)


def test_nobody_is_told_an_index() -> None:
    game = load(HEAD + " (choice ((any (game hloc F) 'C (move 'C (top (game vloc V))))))\n" + TAIL)
    state = game.deal(1)
    state.play(state.observe(0).moves[0])
    for seat in (0, 1):
        (record,) = [r for r in state.observe(seat).records if r["do"] == "decision"]
        assert record["index"] is None
        (moved,) = record["actions"]
        assert moved["card"] is not None
        assert record["picks"] == ([{"card": moved["card"]}] if seat == 0 else None)


def test_backs_of_an_unordered_place_come_sorted() -> None:
    decks = """(create deck B (game hloc S) (deck (N (A, B))))
      (create deck A (game hloc S) (deck (N (C))))
      (create deck B (game hloc S) (deck (N (D, E))))"""
    text = HEAD.replace("(create deck (game hloc S) (deck (N (A, B, C, D, E))))", decks)
    game = load(text + TAIL)
    found = {game.deal(1, deal).observe(0).backs["table.hloc.F"] for deal in range(30)}
    assert found <= {("A", "B", "B"), ("B", "B", "B")}


def test_a_failure_while_listing_names_its_variables() -> None:
    item = "(any (game hloc F) 'C (any (range 1..3) 'K (do ((set (game sto X) (// 1 (- 'K 2)))))))"
    state = load(HEAD + f" (choice ({item}))\n" + TAIL).deal(1)
    assert state.outcome is not None
    assert state.outcome.failure is not None
    assert state.outcome.failure.variables["'K"] == "2"
    assert "'C" in state.outcome.failure.variables
    assert "variables" not in state.observe(1).records[-1]["failure"]
