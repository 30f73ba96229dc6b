"""Scopa against its rules, not against its program. Each test names the rule it stands for.

Coins are ♦, cups ♥, swords ♠, batons ♣; knave, knight and king are J, Q, K. A deal is given as the four cards
on the table, then South's three, North's three, and what is dealt later.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest
from tests.games.tables import Table

import upcard

RANKS = "A 2 3 4 5 6 7 J Q K".split()
PACK = [f"{rank}{suit}" for suit in "dhsc" for rank in RANKS]
PRIME = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12}


def scopa(cards: str, **rules: str) -> Table:
    return Table(
        upcard.load("scopa", rules={k.replace("_", "-"): v for k, v in rules.items()}), cards.split()
    )


def moves(table: Table) -> set[str]:
    """The menu, with the cards of each sum in alphabetical order."""
    told = set()
    for word in table.options():
        played, take, taken = word.partition(", take ")
        told.add(played + take + " ".join(sorted(taken.split())))
    assert len(told) == len(table.options())
    return told


def do(table: Table, *words: str) -> None:
    """Play moves given as `7d` (laid on the table) or `7d 3h 4s` (takes the rest)."""
    for word in words:
        card, *taken = word.split()
        fitting = [
            option
            for option in table.options()
            if (option == f"put {card} on the table" and not taken)
            or (option.startswith(f"play {card}, take ") and set(option.split()[3:]) == set(taken))
        ]
        assert len(fitting) == 1, f"{word} is not one of {table.options()}"
        table.do(*fitting)


def on_table(table: Table) -> int:
    return next((len(held) for place, held in table.state.observe(0).places.items() if "TABLE" in place), 0)


# --- taking ---------------------------------------------------------------------------------------


def test_a_single_card_of_the_same_worth_must_be_taken_rather_than_a_sum() -> None:
    table = scopa("7h 3h 4h Kh 7s As 2s")
    assert "play 7s, take 7h" in moves(table)
    assert not any("take 3h" in option for option in moves(table))


def test_of_two_cards_of_the_same_worth_one_is_taken() -> None:
    table = scopa("7h 7c 4h Kh 7s As 2s")
    assert {"play 7s, take 7h", "play 7s, take 7c"} <= moves(table)
    assert len(moves(table)) == 4
    do(table, "7s 7c")
    assert on_table(table) == 3


def test_any_set_that_adds_up_may_be_taken() -> None:
    # a king takes 6 and 4, or 7 and 3, or 6 3 and ace
    table = scopa("6h 4h 7h 3h Ks Qs As")
    assert {option for option in moves(table) if option.startswith("play Ks")} == {
        "play Ks, take 4h 6h",
        "play Ks, take 3h 7h",
    }
    table = scopa("6h Ah 7h 3h Ks Qs 2s")
    assert {option for option in moves(table) if option.startswith("play Ks")} == {
        "play Ks, take 3h 7h",
        "play Ks, take 3h 6h Ah",
    }


@pytest.mark.parametrize(("card", "sums"), [("Js", "7h Ah"), ("Qs", "7h 2h"), ("Ks", "7h 3h")])
def test_knave_knight_and_king_are_worth_eight_nine_and_ten(card: str, sums: str) -> None:
    table = scopa(f"7h {sums.split()[1]} Jh Jc 6s 4s {card}" if card != "Js" else f"7h Ah Kh Kc 6s 4s {card}")
    assert f"play {card}, take {' '.join(sorted(sums.split()))}" in moves(table)


def test_a_card_that_can_take_must_take() -> None:
    table = scopa("7h 3h 4h Kh 7s As 2s")
    assert "put 7s on the table" not in moves(table)
    assert "put As on the table" in moves(table)


def test_a_card_that_takes_nothing_stays_on_the_table() -> None:
    table = scopa("7h 3h 4h Kh 7s As 2s")
    do(table, "2s")
    assert on_table(table) == 5
    assert table.state.to_move == 1


# --- the deal -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("table_cards", "stands"), [("Kh Kc 2h 4h", True), ("Kh Kc Kd 4h", False)])
def test_three_kings_on_the_table_are_dealt_again(table_cards: str, stands: bool) -> None:
    table = scopa(f"{table_cards} 7s As 2s")
    assert on_table(table) == 4
    offered = {option.split()[1].rstrip(",") for option in table.options()}
    assert (offered == {"7s", "As", "2s"}) is stands


def test_three_cards_are_dealt_whenever_the_hands_are_empty() -> None:
    table = scopa("Kh Kc Qh Qc As 2s 3s 4s 5s 6s 7s 7c 7h Jd Jh Jc")
    do(table, "As", "4s", "2s", "5s 4s As", "3s")
    assert table.options() == ["put 6s on the table"]
    do(table, "6s")
    assert table.state.to_move == 0
    assert {option.split()[1].rstrip(",") for option in table.options()} == {"7s", "7c", "7h"}


def test_three_can_play_each_on_their_own() -> None:
    table = scopa("Kh Kc Qh Qc", players="3")
    seats = set()
    while table.state.to_move is not None:
        seats.add(table.state.to_move)
        table.state.play(0)
    assert seats == {0, 1, 2}
    assert table.state.decisions == 36
    assert len(table.scores()) == 3


# --- a second opinion -----------------------------------------------------------------------------

Pick = Callable[[list[tuple[str, tuple[str, ...]]], int], tuple[str, tuple[str, ...]]]


def worth(card: str) -> int:
    return RANKS.index(card[:-1]) + 1


def captures(card: str, table: list[str]) -> list[tuple[str, ...]]:
    single: list[tuple[str, ...]] = [(other,) for other in table if worth(other) == worth(card)]
    sets = (cards for n in range(2, 8) for cards in combinations(table, n))
    return single or [cards for cards in sets if sum(map(worth, cards)) == worth(card)]


class Deal:
    """A deal played by the book, beside the one that the program plays."""

    def __init__(self, pack: list[str], seats: int = 2) -> None:
        self.pack, self.table = pack[4:], pack[:4]
        self.hands = [list[str]() for _ in range(seats)]
        self.won = [list[str]() for _ in range(seats)]
        self.sweeps = [0] * seats
        self.turn, self.last = 0, -1
        self._fill()

    def _fill(self) -> None:
        if self.pack and not any(self.hands):
            for hand in self.hands:
                hand += self.pack[:3]
                del self.pack[:3]

    def options(self) -> list[tuple[str, tuple[str, ...]]]:
        return [
            (card, taken) for card in self.hands[self.turn] for taken in captures(card, self.table) or [()]
        ]

    def play(self, card: str, taken: tuple[str, ...]) -> None:
        self.hands[self.turn].remove(card)
        self.table = [other for other in self.table if other not in taken] + ([] if taken else [card])
        if taken:
            self.won[self.turn] += [card, *taken]
            self.last = self.turn
        self.sweeps[self.turn] += not self.table and bool(self.pack or any(self.hands))
        self.turn = (self.turn + 1) % len(self.hands)
        self._fill()

    def scores(self, re_bello: bool = False, napola: bool = False) -> tuple[int, ...]:
        self.won[self.last] += self.table
        self.table = []
        coins = [[worth(card) for card in won if card[-1] == "d"] for won in self.won]
        most = (list(map(len, self.won)), list(map(len, coins)), list(map(primiera, self.won)))
        points = []
        for seat, won in enumerate(self.won):
            others = [[n for other, n in enumerate(counts) if other != seat] for counts in most]
            prizes = sum(counts[seat] > max(rest) for counts, rest in zip(most, others, strict=True))
            row = next(n for n in range(11) if n + 1 not in coins[seat])
            extra = (re_bello and "Kd" in won) + (row if napola and row >= 3 else 0)
            points.append(self.sweeps[seat] + prizes + ("7d" in won) + extra)
        return tuple(points)


def primiera(won: list[str]) -> int:
    best = [max((PRIME.get(c[:-1], 10) for c in won if c[-1] == suit), default=0) for suit in "dhsc"]
    return sum(best) if all(best) else 0


def primieras(table: Table) -> list[int]:
    """As the table shows them at the end."""
    seen = table.state.observe(0)
    return [seen.integers.get(f"seat{seat}.PRIMIERA", 0) for seat in range(seen.seats)]


def anything(drawn: Random) -> Pick:
    return lambda options, seat: drawn.choice(options)


def compare(deal: Deal, pick: Pick, table: Table) -> None:
    while table.state.to_move is not None:
        assert table.state.to_move == deal.turn
        assert moves(table) == {
            f"play {card}, take {' '.join(sorted(taken))}" if taken else f"put {card} on the table"
            for card, taken in deal.options()
        }
        card, taken = pick(deal.options(), deal.turn)
        do(table, " ".join([card, *taken]))
        deal.play(card, taken)


def dealt(number: int) -> list[str]:
    pack = list(PACK)
    Random(number).shuffle(pack)
    kings = [card for card in pack[:4] if card[0] == "K"]
    return pack if len(kings) < 3 else dealt(number + 1000)


@pytest.mark.parametrize("number", range(24))
def test_whole_deals_of_two_are_played_and_scored_as_an_independent_count_says(number: int) -> None:
    pack, extra = dealt(number), number % 2 == 1
    rules = {"re_bello": "yes", "napola": "yes"} if extra else {}
    deal = Deal(pack)
    table = scopa(" ".join(pack), **rules)
    compare(deal, anything(Random(number)), table)
    assert table.scores() == deal.scores(re_bello=extra, napola=extra)
    assert primieras(table) == list(map(primiera, deal.won))


@pytest.mark.parametrize("number", range(6))
def test_whole_deals_of_three_are_played_and_scored_as_an_independent_count_says(number: int) -> None:
    pack = dealt(number)
    deal = Deal(pack, seats=3)
    table = scopa(" ".join(pack), players="3")
    compare(deal, anything(Random(number)), table)
    assert table.scores() == deal.scores()
    assert table.state.outcome is not None
    best = max(table.scores())
    assert table.state.outcome.winners == tuple(s for s, n in enumerate(table.scores()) if n == best)
    assert primieras(table) == list(map(primiera, deal.won))


# --- deals found by searching for the position that a rule is about ------------------------------


def play_out(number: int, **rules: str) -> tuple[Deal, tuple[int, ...]]:
    pack = dealt(number)
    deal = Deal(pack)
    table = scopa(" ".join(pack), **rules)
    compare(deal, anything(Random(number)), table)
    return deal, table.scores()


def test_nobody_scores_for_cards_when_both_have_twenty() -> None:
    deal, scores = play_out(53)
    assert scores == deal.scores()
    assert [len(won) for won in deal.won] == [20, 20]


def test_nobody_scores_for_coins_when_both_have_five() -> None:
    deal, scores = play_out(38)
    assert scores == deal.scores()
    assert [sum(card[-1] == "d" for card in won) for won in deal.won] == [5, 5]


def test_nobody_scores_for_equal_primieras() -> None:
    deal, scores = play_out(49)
    assert scores == deal.scores()
    assert primiera(deal.won[0]) == primiera(deal.won[1])


def test_the_last_card_of_all_makes_no_sweep() -> None:
    deal, scores = play_out(25)
    assert not deal.table
    assert scores == deal.scores()


@pytest.mark.parametrize(("number", "row"), [(26, 2), (28, 3), (47, 4), (89, 10)])
def test_a_napola_begins_at_three_coins_and_grows_to_ten(number: int, row: int) -> None:
    deal, scores = play_out(number, napola="yes")
    assert scores == deal.scores(napola=True)
    plain = deal.scores()
    assert sorted(with_it - without for with_it, without in zip(scores, plain, strict=True)) == [
        0,
        row if row >= 3 else 0,
    ]


def hunt(options: list[tuple[str, tuple[str, ...]]], seat: int) -> tuple[str, tuple[str, ...]]:
    """South leaves coins alone and hunts what counts in the primiera; North does the opposite."""

    def value(option: tuple[str, tuple[str, ...]]) -> int:
        card, taken = option
        cards = [card, *taken] if taken else []
        prime = sum(PRIME.get(c[:-1], 10) - 9 for c in cards if c[-1] != "d")
        coins = sum(c[-1] == "d" for c in cards)
        kept = 0 if taken or card[-1] == "d" else PRIME.get(card[:-1], 10)
        return prime - kept - coins * 1000 if seat == 0 else coins * 1000 - prime

    return max(options, key=value)


def test_without_a_card_of_every_suit_there_is_no_primiera_however_high_the_rest() -> None:
    pack = dealt(3617)
    deal = Deal(pack)
    table = scopa(" ".join(pack))
    compare(deal, hunt, table)
    expected = deal.scores()
    # South's best cards of three suits come to 60, North's to 58: nobody scores
    assert [len({card[-1] for card in won}) for won in deal.won] == [3, 3]
    assert table.scores() == expected
