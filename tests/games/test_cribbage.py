"""Cribbage against its rules, not against its program. Each test names the rule it stands for.

South is the pone, North deals. A deal is given as the four cards that each keeps, the four that go to the
crib (South's two first), and the starter.
"""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from tests.games.tables import Table

import upcard

# hands and crib that are worth nothing with a king as the starter: even cards never make fifteen
NOTHING = {"south": "2s 4h 6c 8d", "north": "2h 4c 6d 8s", "crib": "2c 8h 6s Qd", "starter": "Ks"}


def deal(rule: str = "", **cards: str) -> Table:
    given = {name: held.split() for name, held in {**NOTHING, **cards}.items()}
    south, north, crib = given["south"], given["north"], given["crib"]
    order = [*south, *crib[:2], *north, *crib[2:], *given["starter"]]
    table = Table(upcard.load("cribbage", rules=dict([rule.split("=")]) if rule else {}), order)
    lay_away(table, *crib[:2])
    lay_away(table, *crib[2:])
    return table


def lay_away(table: Table, *two: str) -> None:
    fitting = [word for word in table.options() if set(two) == set(word.split()[1:3])]
    table.do(*fitting)


def dull(table: Table) -> tuple[int, ...]:
    """Play the first card that fits, to the end."""
    while table.state.to_move is not None:
        table.state.play(0)
    return table.scores()


# --- the crib -------------------------------------------------------------------------------------


def test_each_lays_any_two_of_six_cards_away_the_pone_first() -> None:
    table = Table(upcard.load("cribbage"), "2s 4h 6c 9d Ac Ad 2h 4c 6d 9s 7h 8h Ks".split())
    for seat, hand in enumerate(("2s 4h 6c 9d Ac Ad", "2h 4c 6d 9s 7h 8h")):
        assert table.state.to_move == seat
        pairs = {frozenset(word.split()[1:3]) for word in table.options()}
        assert pairs == {frozenset(two) for two in combinations(hand.split(), 2)}
        assert len(table.options()) == 15
        table.state.play(0)
    assert table.state.to_move == 0


def test_nobody_sees_the_crib_before_the_show() -> None:
    table = deal()
    for seat in (0, 1):
        faces = [held for place, held in table.state.observe(seat).places.items() if "CRIB" in place]
        assert faces == [(None, None, None, None)]


def test_worthless_hands_score_only_for_last_cards() -> None:
    # 2 4 8 6 4 2 is 26, and neither the six nor the eight fits; they follow in a new count
    table = deal()
    table.do("2s", "4c", "8d", "6d", "4h", "2h")
    assert table.state.to_move == 0
    table.do("6c", "8s")
    assert table.scores() == (0, 1 + 1)


# --- the starter ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("rule", "heels"), [("heels=yes", 2), ("heels=no", 0)])
def test_a_jack_turned_up_is_two_for_the_dealer(rule: str, heels: int) -> None:
    plain = dull(deal(starter="Ks"))
    assert dull(deal(rule, starter="Js")) == (plain[0], plain[1] + heels)


# --- the play -------------------------------------------------------------------------------------


def test_no_card_may_take_the_count_past_thirty_one() -> None:
    table = deal(south="Ks Qh Ac 2d", north="Kh Qc 3d 9s", crib="4c 7h 8h 6d", starter="5s")
    table.do("Ks", "Kh", "2d")  # 22
    assert table.options() == ["play 9s", "play 3d"]
    table.do("9s")  # exactly 31
    assert table.state.to_move == 0


def test_a_player_who_cannot_go_is_passed_over_and_the_other_plays_on() -> None:
    # 30 after three tens; North has no ace: South goes on with the ace to 31
    table = deal(south="10s Qh Ac 8d", north="Kh Jc 9d 9s", crib="4c 7h 8h 6d", starter="3s")
    table.do("10s", "Kh", "Qh")
    assert table.state.to_move == 0
    assert table.options() == ["play Ac"]
    assert table.state.observe(0).strings["seat1.SAYS"] == "GO"
    assert "seat0.SAYS" not in table.state.observe(0).strings
    table.do("Ac")  # 31; South laid it, so North begins anew
    assert table.state.to_move == 1
    assert len(table.options()) == 3


def test_the_player_who_did_not_lay_the_last_card_begins_the_next_count() -> None:
    table = deal(south="10s Qh 8c 8d", north="Kh Jc 9d 9s", crib="4c 7h 8h 6d", starter="3s")
    table.do("10s", "Kh", "Qh")  # 30, nobody has an ace
    assert table.state.to_move == 1
    table.do("9d", "8c", "9s")  # 26: nothing fits
    assert table.state.to_move == 0


def test_who_has_cards_left_plays_them_alone() -> None:
    # South's four small cards are gone first; North plays three tens, then the last
    table = deal(south="As 2h 2c Ad", north="Kh Jc 10d 9s", crib="4c 7h 8h 6d", starter="5s")
    table.do("As", "Kh", "2h", "Jc", "2c")  # 25: North cannot, South can
    assert table.state.to_move == 0
    table.do("Ad")
    assert table.state.to_move == 1
    table.do("10d")
    assert table.state.to_move == 1
    table.do("9s")
    assert table.state.outcome is not None


def pegged(table: Table, *cards: str) -> list[tuple[int, int]]:
    """What both have pegged after each card, as the table shows it to everybody."""
    line = []
    for card in cards:
        table.do(card)
        shown = table.state.observe(0).integers
        line.append((shown.get("seat0.POINTS", 0), shown.get("seat1.POINTS", 0)))
    return line


def test_fifteen_is_two_and_thirty_one_is_two_without_a_point_for_the_last_card() -> None:
    table = deal(south="7s Qh Kc 5d", north="8h 6c Qd 9s", crib="4c 7h 8c 6d", starter="As")
    assert pegged(table, "7s", "8h", "Qh", "6c") == [(0, 0), (0, 2), (0, 2), (0, 4)]


def test_the_last_card_short_of_thirty_one_is_one() -> None:
    table = deal(south="10s Qh 8c 8d", north="Kh Jc 9d 9s", crib="4c 7h 8h 6d", starter="3s")
    assert pegged(table, "10s", "Kh", "Qh") == [(0, 0), (0, 0), (1, 0)]


def test_a_pair_is_two_three_alike_six_four_alike_twelve() -> None:
    table = deal(south="4s 4h Kc Jd", north="4c 4d Qd 9s", crib="2c 7h 8c 6d", starter="As")
    assert pegged(table, "4s", "4c", "4h", "4d") == [(0, 0), (0, 2), (6, 2), (6, 14)]


def test_a_pair_must_be_of_one_rank_and_without_a_card_between() -> None:
    table = deal(south="Ks Kh 4c 4d", north="Qc 9d Qd 9s", crib="2c 7h 8c 6d", starter="As")
    # king and queen count ten both, but are no pair; the second king does not meet the first
    assert pegged(table, "Ks", "Qc", "Kh") == [(0, 0), (0, 0), (1, 0)]


def test_a_run_counts_in_any_order_and_grows_card_by_card() -> None:
    table = deal(south="4s 3h 7c 9d", north="2c 5d Qd Js", crib="2s 7h 8c 8d", starter="Ks")
    # 4 2 3 is a run of three, the five makes it four
    assert pegged(table, "4s", "2c", "3h", "5d") == [(0, 0), (0, 0), (3, 0), (3, 4)]


def test_a_run_ends_where_a_rank_comes_twice() -> None:
    table = deal(south="3s 5h 4c 9d", north="3c 4d Qd Js", crib="2s 7h 8c 8d", starter="Ks")
    # 3 3 is a pair; 3 5 4 a run of three (and fifteen), but the pair of threes stops it there
    assert pegged(table, "3s", "3c", "5h", "4d") == [(0, 0), (0, 2), (0, 2), (0, 7)]


def test_runs_and_pairs_do_not_reach_behind_a_new_count() -> None:
    table = deal(south="Js 10h 8c 2d", north="Qc 9d 9s 3h", crib="2s 7h 8h 8d", starter="Ks")
    # 10 J Q (30: run of three, and last card) and then a nine: no run of four
    assert pegged(table, "10h", "Qc", "Js", "9d") == [(0, 0), (0, 0), (4, 0), (4, 0)]


# --- the show -------------------------------------------------------------------------------------


def shown(south: str, starter: str, rule: str = "") -> int:
    """What South's hand is worth with this starter."""
    taken = [*south.split(), starter]
    pool = [f"{rank}{suit}" for rank in "2 4 6 9 J Q".split() for suit in "hcds"]
    free = [card for card in pool if card not in taken]
    table = deal(rule, south=south, starter=starter, north=" ".join(free[:4]), crib=" ".join(free[4:8]))
    dull(table)
    return table.state.observe(0).integers.get("seat0.SHOW", 0)


def in_crib(crib: str, starter: str, rule: str = "") -> int:
    table = deal(rule, crib=crib, starter=starter)
    dull(table)
    return table.state.observe(0).integers.get("seat1.SHOW", 0)


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        ("2s 4h 6c 8d", "Ks", 0),
        ("7s 8h 2c 4d", "Ks", 2),  # 7 8
        ("5s Kh 2c 8d", "Js", 6),  # 5 K, 5 J, 5 8 2
        ("As 2h 3c 9d", "Ks", 7),  # A 2 3 9, K 2 3; and a run
        ("As 2h 3c 4d", "5s", 7),  # all five make fifteen, and a run of five
    ],
)
def test_each_set_of_cards_that_makes_fifteen_is_two(hand: str, starter: str, points: int) -> None:
    assert shown(hand, starter) == points


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [("4s 4h 2c 8d", "Ks", 2), ("4s 4h 4c 8d", "Ks", 6), ("4s 4h 4c 4d", "Ks", 12), ("4s 4h 8c Kd", "Ks", 4)],
)
def test_each_pair_is_two_so_three_alike_are_six_and_four_twelve(
    hand: str, starter: str, points: int
) -> None:
    assert shown(hand, starter) == points


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        ("10s Jh Qc 8d", "2s", 3),
        ("10s Jh Qc Kd", "2s", 4),
        ("10s Jh Qc Kd", "9s", 5),
        ("10s Jh Qc Qd", "2s", 8),  # a double run of three and its pair
        ("10s Jh Qc Qd", "Qs", 15),  # a triple run and three pairs
        ("10s Jh Jc Qd", "Qs", 16),  # a double double run
        ("Qs Kh Ac 8d", "9s", 0),  # no run goes round the corner
        ("10s Qh Kc 8d", "4s", 0),
    ],
)
def test_each_run_counts_a_point_a_card_and_a_pair_doubles_it(hand: str, starter: str, points: int) -> None:
    assert shown(hand, starter) == points


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [("2s 4s 6s 8s", "Kh", 4), ("2s 4s 6s 8s", "Ks", 5), ("2s 4s 6s 8h", "Ks", 0)],
)
def test_a_flush_is_four_and_with_the_starter_five(hand: str, starter: str, points: int) -> None:
    assert shown(hand, starter) == points


def test_a_flush_in_the_crib_needs_the_starter_unless_the_house_says_four() -> None:
    assert in_crib("2c 4d 8c Qc", "Kh") == 0
    assert in_crib("2c 10c 8c Qc", "Kc") == 5
    assert in_crib("2c 10c 8c Qc", "Kh") == 0
    assert in_crib("2c 10c 8c Qc", "Kh", "crib-flush=four") == 4
    assert in_crib("2c 10c 8c Qc", "Kc", "crib-flush=four") == 5
    assert shown("2s 4s 6s 8s", "Kh", "crib-flush=four") == 4


def test_the_jack_of_the_starters_suit_is_one_for_his_nob_in_hand_and_crib() -> None:
    assert shown("2s Jh 6c 8d", "4h") == 1
    assert shown("2s Jh 6c 8d", "4s") == 0
    assert shown("2s Qh 6c 8d", "4h") == 0
    assert shown("2s Jh 6c 8d", "4h", "nobs=no") == 0
    assert in_crib("2c 8h 6s Jd", "Qd") == 1


def test_the_best_hand_is_twenty_nine() -> None:
    assert shown("5s 5h 5c Jd", "5d") == 29


def test_the_crib_is_the_dealers() -> None:
    assert dull(deal(crib="5s 5h 5c Qd")) == (0, dull(deal())[1] + 2 * 3 + 2 * 3 + 2 + 6)


# --- a second opinion -----------------------------------------------------------------------------

RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K".split()


def place(card: str) -> int:
    return RANKS.index(card[:-1]) + 1


def pips(card: str) -> int:
    return min(place(card), 10)


def run_of(cards: list[str]) -> bool:
    places = sorted(map(place, cards))
    return len(cards) >= 3 and places == list(range(places[0], places[0] + len(cards)))


def pegs(row: list[str]) -> int:
    """What the last card of a row pegs, but for the point for the last card."""
    count = sum(map(pips, row))
    alike = next((i for i, card in enumerate(reversed(row)) if place(card) != place(row[-1])), len(row))
    longest = max((n for n in range(3, len(row) + 1) if run_of(row[-n:])), default=0)
    return 2 * (count in (15, 31)) + alike * (alike - 1) + longest


def counts(hand: list[str], starter: str, crib: bool) -> int:
    five = [*hand, starter]
    sets = [list(cards) for n in range(2, 6) for cards in combinations(five, n)]
    fifteens = sum(2 for cards in sets if sum(map(pips, cards)) == 15)
    pairs = sum(2 for cards in sets if len(cards) == 2 and place(cards[0]) == place(cards[1]))
    longest = max((len(cards) for cards in sets if run_of(cards)), default=0)
    runs = sum(longest for cards in sets if len(cards) == longest and run_of(cards))
    suits = {card[-1] for card in hand}
    flush = (5 if starter[-1] in suits else 0 if crib else 4) if len(suits) == 1 else 0
    return fifteens + pairs + runs + flush + (f"J{starter[-1]}" in hand)


@pytest.mark.parametrize("number", range(60))
def test_whole_deals_are_scored_as_an_independent_count_says(number: int) -> None:
    drawn = Random(number)
    # few ranks, so that pairs and runs are frequent
    low = drawn.randrange(8)
    pack = [f"{rank}{suit}" for rank in RANKS[low : low + 6] for suit in "shcd"]
    drawn.shuffle(pack)
    hands, crib, starter = [pack[:4], pack[4:8]], pack[8:12], pack[12]
    table = deal(south=" ".join(hands[0]), north=" ".join(hands[1]), crib=" ".join(crib), starter=starter)
    score = [0, 2 * (starter[0] == "J")]
    held, row, turn = [list(hands[0]), list(hands[1])], list[str](), 0
    while held[0] or held[1]:
        fits = [[card for card in hand if sum(map(pips, [*row, card])) <= 31] for hand in held]
        assert table.state.to_move == turn
        assert sorted(table.options()) == sorted(f"play {card}" for card in fits[turn])
        card = drawn.choice(fits[turn])
        table.do(card)
        held[turn].remove(card)
        row.append(card)
        score[turn] += pegs(row)
        count = sum(map(pips, row))
        can = [any(count + pips(card) <= 31 for card in hand) for hand in held]
        if not any(can):
            score[turn] += count < 31
            row = []
            can = [bool(hand) for hand in held]
        turn = 1 - turn if can[1 - turn] else turn
    score[0] += counts(hands[0], starter, crib=False)
    score[1] += counts(hands[1], starter, crib=False) + counts(crib, starter, crib=True)
    assert table.scores() == tuple(score)
    assert table.state.outcome is not None
    best = max(table.scores())
    assert table.state.outcome.winners == tuple(s for s, n in enumerate(table.scores()) if n == best)
