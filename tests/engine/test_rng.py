"""Chance to the bit: streams, draws, stacked decks, and chance inside a choice."""

from __future__ import annotations

import pytest
from tests.engine.play_through import deal, finish, lie, load, small

from upcard.engine.api import Limits
from upcard.engine.rng import LISTING, Stream

# --- streams and draws ---------------------------------------------------------------------------


def test_the_stated_outputs_of_a_game_stream() -> None:
    stream = Stream((7, 3, 0))
    assert [stream.next(), stream.next()] == [0x855627E01CD9A564, 0x10BF7DBBAA24E4D5]


def test_the_stated_shuffle() -> None:
    cards = list(range(6))
    Stream((7, 3, 0)).shuffle(cards)
    assert cards == [5, 4, 2, 1, 0, 3]


SIX = "(N (A, B, C, D, E, F))"


def test_a_program_shuffles_the_same() -> None:
    state = load(small("(do ((shuffle (game vloc D)))) (choice ((turn pass)))", deck=SIX)).deal(7, 3)
    assert lie(state, "table.vloc.D") == "F E C B A D"


def test_below_draws_nothing_for_one() -> None:
    stream = Stream((1,))
    before = stream.state
    assert stream.below(1) == 0
    assert stream.state == before


def test_below_rejects_what_would_favour_small_numbers() -> None:
    class Fixed(Stream):
        def __init__(self, outputs: list[int]) -> None:
            super().__init__(())
            self.outputs = outputs

        def next(self) -> int:
            return self.outputs.pop(0)

    # (2^64 - 3) mod 3 = 1, so a low half of 0 is rejected
    assert Fixed([0, 2**63]).below(3) == 1
    assert Fixed([2**64 - 1]).below(3) == 2
    assert Fixed([0]).below(4) == 0


def test_words_are_taken_modulo_2_64() -> None:
    assert Stream((2**64 + 5, 0, 0)).state == Stream((5, 0, 0)).state


DRAWS = [
    ("(set (game sto X) (random 9))", 10),
    ("(set (game sto X) (random 3 .. 3))", 1),
    ("(move (max (game vloc D) using (game points V)) (top (game vloc E)))", 3),
    ("(set (game sto X) (score (min (game vloc D) using (game points V)) using (game points V)))", 3),
    ("(set (game sto X) (scoremax (game vloc D) using (game points V)))", 1),
    ("(move (max (top 1 (game vloc D)) using (game points V)) (top (game vloc E)))", 1),
    ("(move (max (union (game vloc D) (game vloc D)) using (game points V)) (top (game vloc E)))", 6),
]


@pytest.mark.parametrize("action, below", DRAWS)
def test_one_draw_per_tie_and_none_without(action: str, below: int) -> None:
    state = load(small(f"(do ({action})) (choice ((turn pass)))")).deal(5, 2)
    expected = Stream((5, 2, 0))
    expected.below(below)
    assert state.machine.chance.state == expected.state


def test_ties_are_numbered_in_card_order() -> None:
    # the cards lie C B A; the tie is drawn among A B C
    body = (
        "(do ((swap (top (game vloc D)) (bottom (game vloc D)))"
        " (move (max (game vloc D) using (game points V)) (top (game vloc E))))) (choice ((turn pass)))"
    )
    game = load(small(body))
    for number in range(10):
        state = game.deal(1, number)
        assert lie(state, "table.vloc.E") == "ABC"[Stream((1, number, 0)).below(3)]


def test_shuffles_of_snapshots_and_memories_draw_alike() -> None:
    drawn = Stream((0, 0, 0))
    order = ["A", "B", "C"]
    drawn.shuffle(order)
    snapshot = "(let (union (game vloc D)) 'S (do ((shuffle 'S) (all 'S 'C (move 'C (top (game vloc D)))))))"
    state = deal(f"(do ({snapshot})) (choice ((turn pass)))")
    assert (lie(state, "table.vloc.D"), state.machine.chance.state) == (" ".join(order), drawn.state)
    memory = "(all (game vloc D) 'C (remember 'C (top (game mem M)))) (shuffle (game mem M))"
    state = deal(f"(do ({memory})) (choice ((turn pass)))")
    assert (lie(state, "table.mem.M"), state.machine.chance.state) == (" ".join(order), drawn.state)
    assert lie(state, "table.vloc.D") == "A B C"


def test_declares_draw_first_and_an_overridden_one_draws_nothing() -> None:
    text = "(game (declare (random 99) 'A)" + small("(do ((set (game sto X) 'A)))")[len("(game") :]
    drawn = Stream((4, 0, 0))
    plain = load(text).deal(4)
    assert plain.machine.table.ints[-1, "X"] == drawn.below(100)
    given = load(text, overrides={"A": "7"}).deal(4)
    assert given.machine.table.ints[-1, "X"] == 7
    assert given.machine.chance.state == Stream((4, 0, 0)).state


def test_and_stops_before_it_draws_and_a_filter_is_finished_first() -> None:
    state = deal("(do (((and (== 1 2) (== (random 9) 1)) (turn pass)))) (choice ((turn pass)))")
    assert state.machine.chance.state == Stream((0, 0, 0)).state
    # three draws for the filter, whatever the first of them says
    state = deal("(do (((any (filter (game vloc D) 'C (< (random 1) 9)) 'C (== 1 1)) (turn pass))))")
    drawn = Stream((0, 0, 0))
    for _ in range(3):
        drawn.below(2)
    assert state.machine.chance.state == drawn.state


@pytest.mark.parametrize("key_last", [False, True])
def test_a_partition_evaluates_its_operands_as_they_stand(key_last: bool) -> None:
    """The key may stand last; it is then evaluated last."""
    key = "(cardatt N (max (game vloc D) using (game points V)))"
    cards = "(filter (game vloc D) 'C (< (random 5) 9))"
    form = f"(partition {cards} {key})" if key_last else f"(partition {key} {cards})"
    game = load(small(f"(do ((set (game sto X) (size {form}))))"))
    for number in range(3):
        drawn = Stream((8, number, 0))
        for below in (6, 6, 6, 3) if key_last else (3, 6, 6, 6):
            drawn.below(below)
        assert game.deal(8, number).machine.chance.state == drawn.state


def test_scoring_draws_once_per_seat_from_the_first() -> None:
    state = load(small("(do ((turn pass)))", players=3, scoring="(random 99)")).deal(9, 9)
    drawn = Stream((9, 9, 0))
    assert state.outcome is not None
    assert state.outcome.scores == tuple(drawn.below(100) for _ in range(3))


# --- listing -------------------------------------------------------------------------------------

DRAWING_CHOICE = "(choice ((set (game sto X) (random 99)) (inc (game sto Y) (random 99)) (turn pass)))"


def test_listing_has_a_stream_of_its_own() -> None:
    state = load(small("(do ((shuffle (game vloc D))))" + DRAWING_CHOICE * 2)).deal(3, 1)
    for decision in range(2):
        listed = Stream((3, 1, 0, LISTING, decision))
        expected = [listed.below(100), listed.below(100)]
        assert [move.effects[0]["value"] for move in state.moves[:2]] == expected
        state.play(2)


def test_listing_does_not_advance_the_games_chance() -> None:
    state = load(small(DRAWING_CHOICE)).deal(3, 1)
    assert state.machine.chance.state == Stream((3, 1, 0)).state
    for _ in range(3):
        state.observe(0)
        assert state.copy().moves == state.moves
    state.play(0)
    assert state.outcome is not None
    assert state.outcome.scores == (Stream((3, 1, 0)).below(100),)


def test_the_listing_of_a_sample_is_named_after_the_sample() -> None:
    state = load(small(DRAWING_CHOICE)).deal(3, 1)
    sample = state.sample(0, 4)
    listed = Stream((3, 1, 2, 0, 4, LISTING, 0))
    assert sample.moves[0].effects[0]["value"] == listed.below(100)


# --- chance inside a choice (7.5) ----------------------------------------------------------------


def test_a_pick_belongs_to_its_own_any_form() -> None:
    """The road taken can differ from the one listed: a form without a pick takes its first element."""
    body = """
    (choice ((do ((set (game sto R) (random 1))
                  ((== (game sto R) 0) (any (range 1..3) 'N (set (game sto X) 'N)))
                  ((== (game sto R) 1) (any (range 7..9) 'N (set (game sto X) 'N)))))))
    """
    game = load(small(body))
    roads = set()
    for number in range(40):
        listed = Stream((1, number, 0, LISTING, 0)).below(2)
        real = Stream((1, number, 0)).below(2)
        state = game.deal(1, number)
        # the middle alternative: 2 or 8
        assert state.choices == 3
        state.play(1)
        assert state.outcome is not None
        first, middle = ((1, 2), (7, 8))[real]
        assert state.outcome.scores == (middle if listed == real else first,)
        roads.add((listed, real))
    assert len(roads) == 4


def test_an_any_that_was_not_reached_and_is_empty_is_skipped() -> None:
    body = """
    (choice ((do ((set (game sto X) (random 1))
                  ((== (game sto X) 1) (any (game vloc EMPTY) 'C (move 'C (top (game vloc E)))))
                  (any (range 4..5) 'N (set (game sto Y) 'N))))))
    """
    game = load(small(body, scoring="(game sto Y)"))
    for number in range(20):
        state = finish(game.deal(2, number), [1])
        assert state.outcome is not None
        # when only the listing reached the empty any, its mark stands before the pick and is nobody's
        listed, real = Stream((2, number, 0, LISTING, 0)).below(2), Stream((2, number, 0)).below(2)
        assert state.outcome.scores == (4 if (listed, real) == (1, 0) else 5,)


def test_a_fresh_shuffle_counts_when_it_is_carried_out() -> None:
    body = "(choice ((do ((shuffle (game vloc D)) (move (top (game vloc D)) (top (game vloc E)))))))"
    state = load(small(body, deck=SIX)).deal(7, 3)
    state.play(0)
    assert lie(state, "table.vloc.E") == "D"


def test_picked_cards_stand_although_a_shuffle_runs_before_them() -> None:
    body = "(choice ((do ((shuffle (game vloc D)) (any (game vloc D) 'C (move 'C (top (game vloc E))))))))"
    state = load(small(body, deck=SIX)).deal(7, 3)
    state.play(4)
    assert lie(state, "table.vloc.E") == "E"


# --- stacked decks (27.4) ------------------------------------------------------------------------

TWICE = small(
    "(do ((shuffle (game vloc EMPTY)) (shuffle (game vloc D)) (set (game sto X) (random 99))"
    " (shuffle (top 1 (game vloc D))) (shuffle (game vloc D)))) (choice ((turn pass)))"
)
ORDER = ("DEFAULT:2", "DEFAULT:0", "DEFAULT:1")


def test_a_supplied_shuffle_draws_nothing() -> None:
    state = load(TWICE).deal(5, stacked=[ORDER])
    drawn = Stream((5, 0, 0))
    assert state.machine.table.ints[-1, "X"] == drawn.below(100)
    order = ["C", "A", "B"]
    drawn.shuffle(order)
    assert lie(state, "table.vloc.D") == " ".join(order)


def test_shuffles_are_counted_without_the_trivial_ones() -> None:
    state = load(TWICE).deal(5, stacked=[None, ORDER])
    assert lie(state, "table.vloc.D") == "C A B"
    shuffles = [r for r in state.records if r["do"] == "shuffle" and len(r["cards"]) > 1]
    assert [r["given"] for r in shuffles] == [False, True]
    assert shuffles[1]["cards"] == list(ORDER)


@pytest.mark.parametrize(
    "order", [ORDER[:2], (*ORDER, "DEFAULT:0"), ("DEFAULT:0",) * 3, ("DEFAULT:0", "DEFAULT:1", "RED:2")]
)
def test_other_cards_are_an_error(order: tuple[str, ...]) -> None:
    outcome = load(TWICE).deal(5, stacked=[order]).outcome
    assert outcome is not None
    assert outcome.ending == "failed"


def test_shuffles_while_listing_are_never_supplied() -> None:
    body = (
        "(choice ((do ((shuffle (game vloc D)) (move (top (game vloc D)) (top (game vloc E))))) (turn pass)))"
    )
    state = load(small(body)).deal(5, stacked=[ORDER])
    listed = ["DEFAULT:0", "DEFAULT:1", "DEFAULT:2"]
    Stream((5, 0, 0, LISTING, 0)).shuffle(listed)
    assert state.moves[0].effects[0]["cards"] == listed
    state.play(0)
    assert lie(state, "table.vloc.E") == "B"


def test_a_stacked_game_replays_from_its_record() -> None:
    game = load(TWICE)
    first = finish(game.deal(6))
    orders = [r["cards"] for r in first.records if r["do"] == "shuffle" and len(r["cards"]) > 1]
    again = finish(game.deal(6, stacked=orders, limits=Limits()))
    assert lie(again, "table.vloc.D") == lie(first, "table.vloc.D")
