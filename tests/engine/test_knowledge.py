"""What a seat remembers (27.5), rule by rule, and what it imagines."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from tests.engine.play_through import card_named, face, lie, load, small

from upcard.engine.api import TABLE, Place
from upcard.engine.reference import ReferenceState
from upcard.engine.rng import DETERMINISATION, Stream

# H is the table's, face down; every program may read it or not, which decides whether it is ordered
GAME = """
(game
 (setup (create players 3) (create teams (0) (1) (2)) (create deck (game hloc H) (deck (N (A, B, C, D)))))
 (do ({actions}))
 (choice ((turn pass)))
 (scoring max 0))
"""
DEAL = "(move (top (game hloc H)) (top {place}))"
SHUFFLE = "(shuffle (game hloc H))"
MARK_B = "(set (game points V) (((N : B) 1)))"
ZERO, ONE, TWO = "((0 player) {})", "((1 player) {})", "((2 player) {})"
READ_X = "((== 1 2) (set (game str T) (cardatt N (top ((1 player) hloc X)))))"


def after(*actions: str) -> ReferenceState:
    return load(GAME.format(actions=" ".join(actions))).deal(3)


def known(state: ReferenceState, seat: int) -> dict[str, str]:
    """Per card where the seat thinks it can be, and an exclamation mark if it knows its very position."""
    table, knowledge = state.machine.table, state.machine.knowledge
    assert knowledge is not None
    found = {}
    for card in range(len(table.cards)):
        where = " ".join(sorted(place.text for place in knowledge.where[seat][card]))
        found[face(table, card)] = where + ("!" if knowledge.placed[seat][card] else "")
    return found


def all_alike(where: str) -> dict[str, str]:
    return dict.fromkeys("ABCD", where)


def test_a_new_card_is_known_to_everyone() -> None:
    for seat in range(3):
        assert known(after("(turn pass)"), seat) == all_alike("table.hloc.H!")


def test_a_deck_made_in_play_is_known_too() -> None:
    state = after(SHUFFLE, "(create deck (game hloc H) (deck (N (E))))")
    assert known(state, 0) == {**all_alike("table.hloc.H"), "E": "table.hloc.H!"}


def test_a_shuffle_unplaces_for_those_who_do_not_see() -> None:
    state = after(
        "(repeat 4 " + DEAL.format(place=ZERO.format("iloc HAND")) + ")", "(shuffle ((0 player) iloc HAND))"
    )
    assert known(state, 0) == all_alike("seat0.iloc.HAND!")
    assert known(state, 1) == all_alike("seat0.iloc.HAND")


def test_a_placed_card_taken_by_position_is_followed_into_the_dark() -> None:
    into = DEAL.format(place=ONE.format("hloc X"))
    for seat in range(3):
        # X keeps no order, so the position in it is not known
        assert known(after(into), seat) == {**all_alike("table.hloc.H!"), "D": "seat1.hloc.X"}
        assert known(after(into, READ_X), seat) == {**all_alike("table.hloc.H!"), "D": "seat1.hloc.X!"}


@pytest.mark.parametrize("how", ["(bottom (game hloc H))", "(0 (game hloc H))"])
def test_bottom_and_number_are_positions_too(how: str) -> None:
    state = after(f"(move {how} (top ((1 player) hloc X)))")
    assert known(state, 2) == {**all_alike("table.hloc.H!"), "A": "seat1.hloc.X"}


def test_a_dealt_card_is_recognised_by_who_sees_it() -> None:
    state = after(SHUFFLE, DEAL.format(place=ONE.format("iloc HAND")))
    table = state.machine.table
    dealt = face(table, table.at(Place(1, "iloc", "HAND"))[0])
    assert known(state, 1) == {**all_alike("table.hloc.H"), dealt: "seat1.iloc.HAND!"}
    assert known(state, 0) == all_alike("seat1.iloc.HAND table.hloc.H")


def test_oloc_is_seen_by_all_but_its_owner() -> None:
    state = after(SHUFFLE, DEAL.format(place=ONE.format("oloc HAT")))
    table = state.machine.table
    dealt = face(table, table.at(Place(1, "oloc", "HAT"))[0])
    for seat in (0, 2):
        assert known(state, seat) == {**all_alike("table.hloc.H"), dealt: "seat1.oloc.HAT!"}
    assert known(state, 1) == all_alike("seat1.oloc.HAT table.hloc.H")


def test_an_unrecognised_card_taken_by_position_leaves_placed_cards_alone() -> None:
    # B comes to lie on top of the shuffled rest, seen by all on the way; then the bottom card is taken
    state = after(
        MARK_B,
        "(move (max (game hloc H) using (game points V)) (top (game vloc OPEN)))",
        SHUFFLE,
        "(move (top (game vloc OPEN)) (top (game hloc H)))",
        "(move (bottom (game hloc H)) (top ((1 player) hloc X)))",
    )
    assert known(state, 0) == {**all_alike("seat1.hloc.X table.hloc.H"), "B": "table.hloc.H!"}


def test_a_card_taken_otherwise_than_by_position_could_be_any() -> None:
    for way in (
        "(move (max (game hloc H) using (game points V)) (top ((1 player) hloc X)))",
        "(all (filter (game hloc H) 'C (== (cardatt N 'C) B)) 'C (move 'C (top ((1 player) hloc X))))",
        "(let (1 (game hloc H)) 'C (move 'C (top ((1 player) hloc X))))",
    ):
        assert known(after(MARK_B, way), 0) == all_alike("seat1.hloc.X table.hloc.H"), way


def test_unordered_places_have_no_positions() -> None:
    # X holds all cards, and only ever as a place; a pour out of it is not by position
    state = after(
        "(all (game hloc H) 'C (move 'C (top ((1 player) hloc X))))",
        "(all ((1 player) hloc X) 'C (move 'C (top ((2 player) hloc Y))))",
    )
    assert known(state, 0) == all_alike("seat2.hloc.Y")


def test_taking_a_card_out_of_what_one_sees_unplaces_nothing() -> None:
    state = after(
        "(repeat 4 " + DEAL.format(place=ZERO.format("iloc HAND")) + ")",
        "(move (max ((0 player) iloc HAND) using (game points V)) (top ((1 player) hloc X)))",
    )
    moved = face(state.machine.table, state.machine.table.at(Place(1, "hloc", "X"))[0])
    assert known(state, 0) == {**all_alike("seat0.iloc.HAND!"), moved: "seat1.hloc.X"}
    assert known(state, 2) == all_alike("seat0.iloc.HAND seat1.hloc.X")


def test_a_seen_card_put_face_down_is_remembered() -> None:
    state = after(
        SHUFFLE,
        "(move (top (game hloc H)) (top (game vloc OPEN)))",
        "(move (top (game vloc OPEN)) (top ((1 player) iloc HAND)))",
        "(move (top (game hloc H)) (top ((1 player) iloc HAND)))",
    )
    table = state.machine.table
    knowledge = state.machine.knowledge
    assert knowledge is not None
    hand = Place(1, "iloc", "HAND")
    sure = [c for c in range(4) if knowledge.where[0][c] == {hand}]
    assert len(sure) == 1
    assert sure[0] in table.at(hand)
    assert not knowledge.placed[0][sure[0]]
    assert all(knowledge.where[0][c] == {hand, Place(TABLE, "hloc", "H")} for c in range(4) if c not in sure)


def test_remembering_tells_everyone_where_a_card_lies() -> None:
    state = after(
        SHUFFLE,
        DEAL.format(place=ONE.format("iloc HAND")),
        "(remember (top ((1 player) iloc HAND)) (top (game mem SEEN)))",
    )
    dealt = face(state.machine.table, state.machine.table.at(Place(1, "iloc", "HAND"))[0])
    assert known(state, 0)[dealt] == "seat1.iloc.HAND"
    others = {name: where for name, where in known(state, 0).items() if name != dealt}
    assert set(others.values()) == {"seat1.iloc.HAND table.hloc.H"}


def test_a_swap_of_locations_is_followed() -> None:
    state = after(
        SHUFFLE,
        "(repeat 2 " + DEAL.format(place=ONE.format("iloc HAND")) + ")",
        "(swap ((1 player) iloc HAND) (game hloc H))",
        "(swap ((1 player) iloc HAND) ((2 player) iloc HAND))",
    )
    table = state.machine.table
    assert known(state, 0) == all_alike("seat2.iloc.HAND table.hloc.H")
    mine = {face(table, c) for c in table.at(Place(2, "iloc", "HAND"))}
    assert {name for name, where in known(state, 2).items() if where == "seat2.iloc.HAND!"} == mine


def test_a_swap_with_an_empty_location_empties_the_other() -> None:
    state = after(SHUFFLE, "(swap (game hloc H) ((1 player) hloc X))")
    assert known(state, 0) == all_alike("seat1.hloc.X")


def test_a_swap_of_cards_is_two_moves_at_once() -> None:
    state = after(
        DEAL.format(place=ONE.format("hloc X")),
        READ_X,
        "(swap (top (game hloc H)) (top ((1 player) hloc X)))",
    )
    expected = {"A": "table.hloc.H!", "B": "table.hloc.H!", "C": "seat1.hloc.X!", "D": "table.hloc.H!"}
    assert known(state, 2) == expected
    # by variables nobody saw the positions
    state = after(
        DEAL.format(place=ONE.format("hloc X")),
        READ_X,
        "(let (top (game hloc H)) 'A (let (top ((1 player) hloc X)) 'B (swap 'A 'B)))",
    )
    assert known(state, 2) == all_alike("seat1.hloc.X table.hloc.H")


def test_a_card_swapped_with_itself_looks_like_any_exchange() -> None:
    """Otherwise positions that are still known would tell that two picks were of the same card."""
    itself = after("(let (top (game hloc H)) 'C (swap 'C 'C))")
    another = after("(let (top (game hloc H)) 'C (let (bottom (game hloc H)) 'D (swap 'C 'D)))")
    assert known(itself, 0) == known(another, 0) == all_alike("table.hloc.H")
    by_position = after("(swap (top (game hloc H)) (top (game hloc H)))")
    assert known(by_position, 0) == all_alike("table.hloc.H!")


def test_an_empty_location_leaves_every_set() -> None:
    deals = [DEAL.format(place=seat.format("iloc HAND")) for seat in (ZERO, ONE, TWO, ZERO)]
    state = after(SHUFFLE, *deals)
    mine = {face(state.machine.table, c) for c in state.machine.table.at(Place(0, "iloc", "HAND"))}
    expected = {
        name: "seat0.iloc.HAND!" if name in mine else "seat1.iloc.HAND seat2.iloc.HAND" for name in "ABCD"
    }
    # the fourth card went to seat 0, which sees it; the two others were dealt unseen
    assert known(state, 0) == expected


def test_playouts_keep_no_memory() -> None:
    game = load(GAME.format(actions=SHUFFLE))
    state = game.deal(3, recording=False)
    assert state.machine.knowledge is None
    with pytest.raises(ValueError, match="recording"):
        state.sample(0)
    assert state.sample(0, memory=False).machine.knowledge is None
    assert game.deal(3).sample(0).machine.knowledge is None


# --- sampling ------------------------------------------------------------------------------------

CLASSES = ("vloc", "iloc", "hloc", "oloc")


def imagined(state: ReferenceState, seat: int, k: int, memory: bool) -> tuple[dict[Place, list[int]], int]:
    """27.5's sampling for decks of one back, written down a second time; and how often (ii) was tried."""
    table, knowledge = state.machine.table, state.machine.knowledge
    assert knowledge is not None
    stream = Stream((state.seed, state.number, DETERMINISATION, state.decisions, k))
    hidden = [p for p, at in table.places.items() if at and p.cls != "mem" and not p.seen_by(seat)]
    hidden.sort(key=lambda p: (p.owner, CLASSES.index(p.cls), p.name, p.number))
    where: dict[int, set[Place]] = {}
    for place in hidden:
        for card in table.at(place):
            if not (memory and knowledge.placed[seat][card]):
                where[card] = set(knowledge.where[seat][card]) & set(hidden) if memory else set(hidden)
    lay: dict[Place, list[int | None]] = {
        place: [None if card in where else card for card in table.at(place)] for place in hidden
    }

    def put(cards: Iterable[int], into: list[tuple[Place, int]]) -> None:
        for card, (place, index) in zip(cards, into, strict=True):
            lay[place][index] = card

    for card in sorted(c for c, places in where.items() if len(places) == 1):
        (only,) = where[card]
        lay[only][lay[only].index(None)] = card
    loose = sorted(c for c, places in where.items() if len(places) > 1)
    holes = [(place, i) for place in hidden for i, card in enumerate(lay[place]) if card is None]
    attempts = 0
    while attempts < 100:
        attempts += 1
        order = list(loose)
        stream.shuffle(order)
        if all(place in where[card] for card, (place, _) in zip(order, holes, strict=True)):
            break
    put(order, holes)
    for place in hidden:
        if table.is_ordered(place):
            free = [i for i, card in enumerate(lay[place]) if card in where]
            cards = [lay[place][i] for i in free]
            stream.shuffle(cards)
            put((c for c in cards if c is not None), [(place, i) for i in free])
        else:
            lay[place].sort(key=lambda card: -1 if card is None else card)
    return {place: [c for c in cards if c is not None] for place, cards in lay.items()}, attempts


HARD = """
(game
 (setup (create players 2)
        (create deck (game iloc P) (deck (N (A, B, C, D, E, F))))
        (create deck (game iloc Q) (deck (N (G, H, I, J, K, L)))))
 (do ((shuffle (game iloc P)) (shuffle (game iloc Q))
      (repeat 3 (move (top (game iloc P)) (top (game hloc X))))
      (repeat 3 (move (top (game iloc Q)) (top (game hloc Y))))
      (move (top (game iloc P)) (top (game vloc OPEN)))
      (move (top (game vloc OPEN)) (top ((1 player) iloc HAND)))
      (move (top (game iloc Q)) (top (game vloc OPEN)))
      (move (top (game vloc OPEN)) (bottom (game iloc P)))
      (move (top (game iloc Q)) (top ((0 player) iloc HAND)))))
 (choice ((turn pass)))
 (scoring max 0))
"""


@pytest.mark.parametrize("memory", [True, False])
def test_samples_follow_the_three_steps_to_the_bit(memory: bool) -> None:
    state = load(HARD).deal(17)
    tried = set()
    for seat in range(2):
        for k in range(25):
            expected, attempts = imagined(state, seat, k, memory)
            table = state.sample(seat, k, memory=memory).machine.table
            assert {place: list(table.at(place)) for place in expected} == expected
            assert all(card in table.at(place) for card, place in enumerate(table.where))
            tried.add(attempts)
    if memory:
        assert {1, 2} & tried or len(tried) > 3, "some settle early"
        assert 100 in tried, "and some only after the last attempt, which then stands"
        assert len(tried) > 2
    else:
        assert tried == {1}


def test_a_placed_card_and_a_known_hand_stay_in_every_sample() -> None:
    state = load(HARD).deal(17)
    table, knowledge = state.machine.table, state.machine.knowledge
    assert knowledge is not None
    stock, hand = Place(TABLE, "iloc", "P"), Place(1, "iloc", "HAND")
    bottom, held = table.at(stock)[0], table.at(hand)[0]
    assert knowledge.placed[0][bottom]
    assert knowledge.where[0][held] == {hand}
    others = set()
    for k in range(30):
        other = state.sample(0, k).machine.table
        assert other.at(stock)[0] == bottom
        assert list(other.at(hand)) == [held]
        others.add(other.at(stock)[1])
    assert len(others) > 1
    forgotten = {state.sample(0, k, memory=False).machine.table.at(hand)[0] for k in range(30)}
    assert len(forgotten) > 1


def test_memory_references_follow_the_identity() -> None:
    state = after(SHUFFLE, "(remember (top (game hloc H)) (top (game mem SEEN)))")
    seen = list(state.machine.table.at(Place(TABLE, "mem", "SEEN")))
    for k in range(10):
        assert list(state.sample(0, k).machine.table.at(Place(TABLE, "mem", "SEEN"))) == seen


def test_a_sample_does_not_know_how_the_deck_is_stacked() -> None:
    body = "(choice ((turn pass))) (do ((shuffle (game vloc D)))) (choice ((turn pass)))"
    state = load(small(body)).deal(1, stacked=[["DEFAULT:2", "DEFAULT:1", "DEFAULT:0"]])
    for k in range(6):
        sample = state.sample(0, k)
        sample.play(0)
        order = ["A", "B", "C"]
        Stream((1, 0, DETERMINISATION, 0, k)).shuffle(order)
        assert lie(sample, "table.vloc.D") == " ".join(order)
    state.play(0)
    assert lie(state, "table.vloc.D") == "C B A"


def test_a_sample_leaves_the_game_alone() -> None:
    state = load(HARD).deal(17)
    before = state.content()
    for k in range(5):
        state.sample(0, k).play(0)
    assert state.content() == before
    assert card_named(state.machine.table, "A") == 0
