"""Rummy against its rules, not against its program. Each test names the rule it stands for.

Two players unless a test says otherwise: ten cards for South, ten for West, the first discard, the stock.
"""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from tests.games.tables import Table

import upcard

RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K".split()
PACK = [f"{rank}{suit}" for suit in "shcd" for rank in RANKS]

# nothing to lay down in any of these
WEST = "2h 4h 6h 8h 10h Qh 3c 5c 7c 9c"
SOUTH = "2s 4s 6s 8s 10s Qs 3d 5d 7d 9d"


def rummy(south: str = SOUTH, west: str = WEST, then: str = "", **rules: str) -> Table:
    given = {name.replace("_", "-"): value for name, value in rules.items()}
    return Table(upcard.load("rummy", rules=given), f"{south} {west} {then}".split())


def moves(table: Table) -> set[str]:
    """The menu, cards of a meld in alphabetical order."""
    told = set()
    for word in table.options():
        if word.startswith("lay down ") and "," not in word:
            word = "lay down " + " ".join(sorted(word.split()[2:]))
        told.add(word)
    assert len(told) == len(table.options())
    return told


def do(table: Table, *words: str) -> None:
    """Play moves by their text: `draw`, `take`, `discard 7d`, `down 7d 7h 7s`, `down 7d, after the 6`."""
    for word in words:
        head, *rest = word.split()
        wanted = {"draw": "draw from the stock", "discard": word, "down": f"lay {word}"}.get(head, word)
        fitting = [
            option
            for option in table.options()
            if option == wanted
            or (head == "take" and option.startswith("take "))
            or (head == "down" and "," not in f"{option}{word}" and set(option.split()[2:]) == set(rest))
        ]
        assert len(fitting) == 1, f"{word} is not one of {table.options()}"
        table.do(*fitting)


def downs(table: Table) -> set[str]:
    return {word.removeprefix("lay down ") for word in moves(table) if word.startswith("lay down")}


# --- drawing and discarding ----------------------------------------------------------------------


@pytest.mark.parametrize(("players", "cards"), [(2, 10), (3, 7), (4, 7)])
def test_two_are_dealt_ten_cards_and_more_are_dealt_seven(players: int, cards: int) -> None:
    state = upcard.load("rummy", rules={"players": str(players)}).deal(seed=1)
    places = state.observe(0).places
    assert [len(places[f"seat{seat}.iloc.HAND"]) for seat in range(players)] == [cards] * players
    assert len(places["table.iloc.STOCK"]) == 52 - 1 - players * cards


def test_a_turn_begins_with_the_stock_or_the_last_discard() -> None:
    table = rummy(then="Kc Kd")
    assert table.state.to_move == 0
    assert moves(table) == {"draw from the stock", "take Kc from the discards"}
    do(table, "draw")
    assert "discard Kd" in moves(table)
    assert len(table.options()) == 11


def test_a_discard_ends_the_turn_and_is_what_the_next_may_take() -> None:
    table = rummy(then="Kc Kd")
    do(table, "draw", "discard 9d")
    assert table.state.to_move == 1
    assert moves(table) == {"draw from the stock", "take 9d from the discards"}


def test_a_card_taken_from_the_discards_may_not_go_back_in_the_same_turn() -> None:
    table = rummy(then="Kc Kd")
    do(table, "take")
    assert moves(table) == {f"discard {card}" for card in SOUTH.split()}
    do(table, "discard 9d", "draw", "discard 9c", "draw")
    assert "discard Kc" in moves(table)


def test_a_card_taken_may_go_back_when_the_house_says_so() -> None:
    table = rummy(then="Kc Kd", throw_back="yes")
    do(table, "take")
    assert "discard Kc" in moves(table)


def test_a_card_drawn_from_the_stock_may_be_discarded_at_once() -> None:
    table = rummy(then="Kc Kd")
    do(table, "draw", "discard Kd")
    assert table.state.to_move == 1


# --- laying down ----------------------------------------------------------------------------------


def test_three_or_four_of_a_rank_are_a_set() -> None:
    table = rummy(south="7s 7h 7c 7d 2s 4s 6d 9s Js Ks", west="2h 4h 6h 8h 10h Qh 3c 5c 9c Jc", then="Kc Ad")
    do(table, "draw")
    sets = {frozenset(cards) for n in (3, 4) for cards in combinations(("7s", "7h", "7c", "7d"), n)}
    assert {frozenset(down.split()) for down in downs(table)} == sets
    assert len(downs(table)) == 5


def test_three_or_more_in_a_row_of_a_suit_are_a_run() -> None:
    table = rummy(south="3s 4s 5s 6s 9d 10d Jh Qd Kd 8h", west="2h 4h 6h 8c 10h Qh 3c 5c 7c 9c", then="Kc 2c")
    do(table, "draw")
    assert downs(table) == {"3s 4s 5s", "4s 5s 6s", "3s 4s 5s 6s"}


def test_the_ace_is_low_in_a_run() -> None:
    table = rummy(south="As 2s 3s Ad Kd Qd 5h 7h 9h Jh", west="2h 4h 6h 8h 10h Qh 3c 5c 7c 9c", then="Kc 8c")
    do(table, "draw")
    assert downs(table) == {"2s 3s As"}


def test_the_fourth_of_a_rank_is_laid_off_on_anybodys_set() -> None:
    table = rummy(
        south="7s 7h 7c 2s 4s 6s 9s Js Ks 3d", west="2h 4h 6h 8h 10h Qh 3c 5c 9c 7d", then="Kc Ad Qc"
    )
    do(table, "draw", "down 7s 7h 7c")
    assert downs(table) == set()
    do(table, "discard Ad", "draw")
    assert downs(table) == {"7d, with the other 7s"}
    do(table, "down 7d, with the other 7s")
    assert downs(table) == set()
    assert len(table.options()) == 10


def test_a_run_is_continued_at_either_end_in_its_suit_only() -> None:
    table = rummy(
        south="4s 5s 6s 2h 9d Jd Ks Qc 3d 7d", west="3s 7s 8s 2s 3h 7h 9c Jc Kh 5d", then="Kc Ad 8c"
    )
    do(table, "draw", "down 4s 5s 6s", "discard Ad", "draw")
    assert downs(table) == {"3s, before the 4", "7s, after the 6"}
    do(table, "down 7s, after the 6")
    assert downs(table) == {"3s, before the 4", "8s, after the 7"}
    do(table, "down 3s, before the 4")
    assert downs(table) == {"2s, before the 3", "8s, after the 7"}


def test_a_card_that_fits_two_runs_may_go_to_either() -> None:
    table = rummy(south="2s 3s 4s 6s 7s 8s 5s Kh Jd 9d", west="2h 4h 6h 8h 10h Qh 3c 5c 7c 9c", then="Kc Ac")
    do(table, "draw", "down 2s 3s 4s", "down 6s 7s 8s")
    assert downs(table) == {"5s, after the 4", "5s, before the 6"}


# --- the end --------------------------------------------------------------------------------------


def test_the_deal_ends_when_somebody_is_out_of_cards_even_without_a_discard() -> None:
    table = rummy(south="2s 3s 4s 5s 6s 7s 8s 9s 10s Js", west="2h 4h 6h 8h 10h Qh 3c 5c Ac Kc", then="Kd Qs")
    do(table, "draw", "down 2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs")
    assert table.scores() == (2 + 4 + 6 + 8 + 10 + 10 + 3 + 5 + 1 + 10, 0)


def test_the_last_card_may_be_discarded_even_if_it_was_taken_this_turn() -> None:
    table = rummy(south="2s 3s 4s 5s 6s 7s 8s 9s 10s Js", west="2h 4h 6h 8h 10h Qh 3c 5c Ac Kc", then="Kd Ad")
    do(table, "take", "down 2s 3s 4s 5s 6s 7s 8s 9s 10s Js")
    assert moves(table) == {"discard Kd"}
    do(table, "discard Kd")
    assert table.scores() == (59, 0)


def test_the_deal_ends_with_the_turn_that_draws_the_last_of_the_stock() -> None:
    table = rummy()
    turns = 0
    while table.state.to_move is not None:
        assert table.state.to_move == turns % 2
        do(table, "draw")
        do(table, next(word for word in reversed(table.options()) if word.startswith("discard")))
        turns += 1
    assert turns == 52 - 20 - 1


def drawn_out(south: str, west: str, north: str) -> tuple[int, ...]:
    """Three players throw back whatever they draw until the stock is used up."""
    table = rummy(south, f"{west} {north}", players="3")
    while table.state.to_move is not None:
        seat = table.state.to_move
        held = set(table.state.observe(seat).places[f"seat{seat}.iloc.HAND"])
        do(table, "draw")
        new = [
            move
            for move in table.state.moves
            if move.text.startswith("discard") and move.effects[0]["card"] not in held
        ]
        table.state.play(new[0])
    return table.scores()


def test_the_lowest_count_scores_the_difference_to_each_of_the_others() -> None:
    # 43 against 45 and 49: pictures and tens count ten, aces one
    assert drawn_out("2s 4s 6s 8s 10s Qs 3d", "2h 4h 6h 8h Jh Kh 5c", "Ah 3h 9h 7c 9d 10d Kc") == (
        2 + 6,
        0,
        0,
    )


def test_the_higher_score_wins() -> None:
    table = rummy(south="2s 3s 4s 5s 6s 7s 8s 9s 10s Js", west="2h 4h 6h 8h 10h Qh 3c 5c Ac Kc", then="Kd Qs")
    do(table, "draw", "down 2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs")
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (0,)


def test_nobody_scores_when_two_share_the_lowest_count() -> None:
    assert drawn_out("2s 4s 6s 8s 10s Qs 3d", "2h 4h 6h 8h Jh Kh 3c", "Ah 3h 9h 7c 9d 10d Kc") == (0, 0, 0)


# --- a second opinion -----------------------------------------------------------------------------


def place(card: str) -> int:
    return RANKS.index(card[:-1]) + 1


def is_set(cards: list[str]) -> bool:
    return 3 <= len(cards) <= 4 and len({place(card) for card in cards}) == 1


def is_run(cards: list[str]) -> bool:
    places = sorted(map(place, cards))
    in_a_row = places == list(range(places[0], places[0] + len(cards)))
    return len(cards) >= 3 and in_a_row and len({card[-1] for card in cards}) == 1


def melds_in(hand: list[str]) -> set[frozenset[str]]:
    found = {frozenset(c) for n in (3, 4) for c in combinations(hand, n) if is_set(list(c))}
    for low in hand:
        row = [low]
        while (after := f"{RANKS[place(row[-1]) % 13]}{low[-1]}") in hand and place(row[-1]) < 13:
            row.append(after)
            if is_run(row):
                found.add(frozenset(row))
    return found


def lay_offs(hand: list[str], melds: list[list[str]]) -> set[tuple[str, str]]:
    fitting = set()
    for meld in melds:
        low, high = min(meld, key=place), max(meld, key=place)
        for card in hand:
            if is_set([*meld, card]):
                fitting.add((card, f"with the other {card[:-1]}s"))
            elif is_run([*meld, card]):
                end = f"before the {low[:-1]}" if place(card) < place(low) else f"after the {high[:-1]}"
                fitting.add((card, end))
    return fitting


@pytest.mark.parametrize(("players", "number"), [(2, 0), (2, 1), (2, 2), (3, 3), (4, 4), (4, 6)])
def test_whole_deals_go_as_an_independent_player_says(players: int, number: int) -> None:
    drawn = Random(number)
    pack = list(PACK)
    drawn.shuffle(pack)
    table = Table(upcard.load("rummy", rules={"players": str(players)}), pack)
    each = 10 if players == 2 else 7
    hands = [pack[each * seat : each * seat + each] for seat in range(players)]
    pile, stock = [pack[each * players]], pack[each * players + 1 :]
    melds, turn = list[list[str]](), 0
    while stock and all(hands):
        assert table.state.to_move == turn
        assert moves(table) == {"draw from the stock", f"take {pile[-1]} from the discards"}
        hand, taken = hands[turn], ""
        if drawn.random() < 0.6:
            hand.append(stock.pop(0))
            do(table, "draw")
        else:
            taken = pile.pop()
            hand.append(taken)
            do(table, "take")
        while hand:
            sets, offs = melds_in(hand), lay_offs(hand, melds)
            drops = [card for card in hand if card != taken or len(hand) == 1]
            assert moves(table) == (
                {"lay down " + " ".join(sorted(cards)) for cards in sets}
                | {f"lay down {card}, {where}" for card, where in offs}
                | {f"discard {card}" for card in drops}
            )
            if sets and drawn.random() < 0.5:
                cards = sorted(drawn.choice(sorted(map(sorted, sets))))
                melds.append(cards)
                do(table, "down " + " ".join(cards))
            elif offs and drawn.random() < 0.7:
                card, where = drawn.choice(sorted(offs))
                cards = [card]
                meld = next(m for m in melds if (card, where) in lay_offs([card], [m]))
                meld.append(card)
                do(table, f"down {card}, {where}")
            else:
                cards = [drawn.choice(drops)]
                pile.append(cards[0])
                do(table, f"discard {cards[0]}")
            hand[:] = [card for card in hand if card not in cards]
            if pile and pile[-1] in cards:
                break
        turn = (turn + 1) % players
    left = [sum(min(place(card), 10) for card in hand) for hand in hands]
    best = [seat for seat in range(players) if left[seat] == min(left)]
    gains = sum(left) - players * min(left) if len(best) == 1 else 0
    assert table.scores() == tuple(gains if [seat] == best else 0 for seat in range(players))
