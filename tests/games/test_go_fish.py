"""Go Fish against its rules, not against its program. Each test names the rule it stands for.

Two players unless a test says otherwise: seven cards for South, seven for West, then the pool from the top.
"""

from __future__ import annotations

from random import Random

import pytest
from tests.games.tables import Table

import upcard

RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K".split()
WORDS = "aces twos threes fours fives sixes sevens eights nines tens jacks queens kings".split()
SEATS = "South West North East Fifth".split()
PACK = [f"{rank}{suit}" for suit in "shcd" for rank in RANKS]


def fish(cards: str, **rules: str) -> Table:
    return Table(upcard.load("go-fish", rules={"players": "2", **rules}), cards.split())


def hand(table: Table, seat: int) -> set[str]:
    """What the seat sees in its own hand."""
    seen = table.state.observe(seat)
    names = "ACE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN JACK QUEEN KING".split()
    short = dict(zip(names, RANKS, strict=True))
    held = [seen.cards[card] for card in seen.places.get(f"seat{seat}.iloc.HAND", ()) if card is not None]
    return {short[card["RANK"]] + card["SUIT"][0].lower() for card in held}


SOUTH, WEST = "2s 3s 4s 5s 6s 7s 8s", "2h 2c 9h 10h Jh Qh Kh"


def test_two_are_dealt_seven_cards_and_four_are_dealt_five() -> None:
    two, three, four = fish(""), fish("", players="3"), fish("", players="4")
    assert [len(hand(two, seat)) for seat in range(2)] == [7, 7]
    assert [len(hand(three, seat)) for seat in range(3)] == [7, 7, 7]
    assert [len(hand(four, seat)) for seat in range(4)] == [5, 5, 5, 5]
    assert [len(hand(fish("", players="5"), seat)) for seat in range(5)] == [5] * 5


def test_four_play_and_a_lucky_catch_asks_again_unless_another_rule_is_asked_for() -> None:
    deal = "2s 3s 4s 5s 6s 9s 9h 9c Js Jh 8s 8h 8c Qd Ks Kh Qs Qh As Ah 2d"
    table = Table(upcard.load("go-fish"), deal.split())
    assert [len(hand(table, seat)) for seat in range(4)] == [5, 5, 5, 5]
    table.do("ask East for twos")
    assert "2d" in hand(table, 0)
    assert table.state.to_move == 0


def test_any_other_player_is_asked_for_a_rank_that_one_holds() -> None:
    table = fish("2s 2h 3s 3h 3c 4s 4h 4c 5s 6s 7s 8s 9s 10s Js 2c 2d 4d 8d Kd", players="4")
    assert table.state.to_move == 0
    assert sorted(table.options()) == sorted(
        f"ask {seat} for {rank}" for seat in ("West", "North", "East") for rank in ("twos", "threes")
    )


def test_all_cards_of_the_rank_are_handed_over_and_the_asker_goes_on() -> None:
    table = fish(f"{SOUTH} {WEST}")
    table.do("ask West for twos")
    assert hand(table, 0) == {"2s", "2h", "2c", "3s", "4s", "5s", "6s", "7s", "8s"}
    assert hand(table, 1) == {"9h", "10h", "Jh", "Qh", "Kh"}
    assert table.state.to_move == 0


def test_nobody_but_the_player_asked_hands_cards_over() -> None:
    deal = "2s 3s 4s 5s 6s 9s 9h 9c Js Jh 2h 2c 8s 8h 8c 2d Ks Kh Qs Qh As"
    table = fish(deal, players="4")
    table.do("ask East for twos")
    assert hand(table, 0) == {"2s", "2d", "3s", "4s", "5s", "6s"}
    assert len(hand(table, 2)) == 5


def test_go_fish_draws_a_card_and_the_turn_goes_to_the_next() -> None:
    table = fish(f"{SOUTH} {WEST} Ad")
    table.do("ask West for threes")
    assert hand(table, 0) == {"2s", "3s", "4s", "5s", "6s", "7s", "8s", "Ad"}
    assert len(hand(table, 1)) == 7
    assert table.state.to_move == 1


@pytest.mark.parametrize(("again", "seat"), [("yes", 0), ("no", 1)])
def test_fishing_the_rank_asked_for_gives_another_turn(again: str, seat: int) -> None:
    table = fish(f"{SOUTH} {WEST} 3d", again=again)
    table.do("ask West for threes")
    assert "3d" in hand(table, 0)
    assert table.state.to_move == seat


def test_fishing_another_rank_that_one_holds_does_not_go_on() -> None:
    table = fish(f"{SOUTH} {WEST} 4d")
    table.do("ask West for threes")
    assert table.state.to_move == 1


def test_a_fished_card_is_shown_only_if_it_was_asked_for() -> None:
    for card, is_seen in (("3d", True), ("4d", False)):
        table = fish(f"{SOUTH} {WEST} {card}")
        table.do("ask West for threes")
        told = [r for r in table.state.observe(1).records if r["do"] == "move" and "PACK" in r["from"]]
        assert (told[-1]["card"] is not None) is is_seen


def test_four_of_a_rank_are_laid_down_as_a_book() -> None:
    table = fish("2s 3s 4s 5s 6s 7s 8s 2h 2c 2d 10h Jh Qh Kh")
    table.do("ask West for twos")
    assert hand(table, 0) == {"3s", "4s", "5s", "6s", "7s", "8s"}
    assert table.state.to_move == 0
    assert not any("twos" in option for option in table.options())


def test_a_book_can_come_from_the_pool_and_the_turn_is_over_all_the_same() -> None:
    # South holds three fours, asks for threes and fishes the fourth four
    table = fish("4s 4h 4c 3s 6s 7s 8s 2h 2c 2d 10h Jh Qh Kh 4d")
    table.do("ask West for threes")
    assert hand(table, 0) == {"3s", "6s", "7s", "8s"}
    assert table.state.to_move == 1


def test_a_book_may_be_dealt() -> None:
    table = fish("4s 4h 4c 4d 6s 7s 8s 2h 2c 2d 2s Jh Qh Kh")
    assert hand(table, 0) == {"6s", "7s", "8s"}
    assert hand(table, 1) == {"Jh", "Qh", "Kh"}


def test_out_of_cards_in_the_middle_of_a_turn_one_is_drawn() -> None:
    # West hands over the last three fours: South's only cards become a book, and South draws the ace
    table = fish("4s 6s 6h 6c 6d 7s 7h 4h 4c 4d 7c 7d Qh Kh As 2s")
    assert hand(table, 0) == {"4s", "7s", "7h"}
    table.do("ask West for sevens", "ask West for fours")
    assert table.state.to_move == 0
    assert hand(table, 0) == {"As"}


def test_out_of_cards_at_the_start_of_a_turn_one_is_drawn() -> None:
    # South takes all that West has, and fishes: West draws one and asks for it
    table = fish("4s 4h 5s 5h 6s 6h 8s 4c 4d 5c 5d 6c 6d 8h As 2s 9d")
    table.do("ask West for fours", "ask West for fives", "ask West for sixes", "ask West for eights")
    assert hand(table, 1) == set()
    assert hand(table, 0) == {"8s", "8h"}
    table.do("ask West for eights")
    assert hand(table, 0) == {"8s", "8h", "As"}
    assert table.state.to_move == 1
    assert table.options() == ["ask South for twos"]


def test_the_deal_may_end_when_somebody_has_no_cards() -> None:
    deal = "4s 4h 5s 5h 6s 6h 8s 4c 4d 5c 5d 6c 6d 8h As 2s 9d"
    table = fish(deal, until="out")
    table.do("ask West for fours", "ask West for fives", "ask West for sixes", "ask West for eights")
    table.do("ask West for eights")
    assert table.scores() == (3, 0)


# --- a second opinion -----------------------------------------------------------------------------


class Deal:
    """A deal played by the book, beside the one that the program plays."""

    def __init__(self, pack: list[str], seats: int, again: bool, until: str) -> None:
        each = 7 if seats < 4 else 5
        self.hands = [pack[each * seat : each * seat + each] for seat in range(seats)]
        self.pool = pack[each * seats :]
        self.books = [0] * seats
        self.turn, self.again, self.until = 0, again, until
        for seat in range(seats):
            self._book(seat)
        self._ready()

    def _book(self, seat: int) -> None:
        for rank in RANKS:
            if sum(card[:-1] == rank for card in self.hands[seat]) == 4:
                self.hands[seat] = [card for card in self.hands[seat] if card[:-1] != rank]
                self.books[seat] += 1

    @property
    def over(self) -> bool:
        if self.until == "out":
            return not self.pool or not all(self.hands)
        return sum(self.books) == 13

    def _ready(self) -> None:
        """The next who can ask."""
        while not self.over and not self.hands[self.turn]:
            if self.pool:
                self.hands[self.turn].append(self.pool.pop(0))
            else:
                self.turn = (self.turn + 1) % len(self.hands)

    def options(self) -> set[tuple[int, str]]:
        ranks = {card[:-1] for card in self.hands[self.turn]}
        return {(seat, rank) for seat in range(len(self.hands)) if seat != self.turn for rank in ranks}

    def ask(self, seat: int, rank: str) -> bool:
        """Whether the deal may be over now: it is looked at between turns only."""
        given = [card for card in self.hands[seat] if card[:-1] == rank]
        self.hands[seat] = [card for card in self.hands[seat] if card not in given]
        goes_on = bool(given)
        if not given and self.pool:
            given = [self.pool.pop(0)]
            goes_on = self.again and given[0][:-1] == rank
        self.hands[self.turn] += given
        self._book(self.turn)
        if goes_on and self.until == "out" and self.hands[self.turn]:
            return False
        if not goes_on or (self.until == "out" and not self.hands[self.turn]):
            if self.over:
                return True
            self.turn = (self.turn + 1) % len(self.hands)
        self._ready()
        return self.over


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("again", ["yes", "no"])
@pytest.mark.parametrize("until", ["books", "out"])
def test_whole_deals_go_as_an_independent_player_says(players: int, again: str, until: str) -> None:
    for number in range(3):
        drawn = Random(number)
        pack = list(PACK)
        drawn.shuffle(pack)
        table = fish(" ".join(pack), players=str(players), again=again, until=until)
        deal = Deal(pack, players, again == "yes", until)
        over = False
        while not over:
            assert table.state.to_move == deal.turn
            asked = {f"ask {SEATS[seat]} for {WORDS[RANKS.index(rank)]}" for seat, rank in deal.options()}
            assert set(table.options()) == asked
            assert hand(table, deal.turn) == set(deal.hands[deal.turn])
            seat, rank = drawn.choice(sorted(deal.options()))
            table.do(f"ask {SEATS[seat]} for {WORDS[RANKS.index(rank)]}")
            over = deal.ask(seat, rank)
        assert table.scores() == tuple(deal.books)
        assert table.state.outcome is not None
        best = max(table.scores())
        assert table.state.outcome.winners == tuple(s for s, n in enumerate(table.scores()) if n == best)
