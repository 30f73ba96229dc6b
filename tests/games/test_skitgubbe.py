"""Skitgubbe against its rules. Ada is the eldest; hands are Ada, Ben, Cleo, then comes the stock."""

from __future__ import annotations

import random

import pytest
from tests.games.tables import Table

import upcard

RANKS = "2 3 4 5 6 7 8 9 10 J Q K A".split()
DECK = [rank + suit for suit in "shcd" for rank in RANKS]
CHANCE = "play the top card of the stock"
HANDS = ("5s Kh 2c", "9h 5d 3s", "Qc 4d 7s")


def skitgubbe(*hands: str, then: str = "", rules: dict[str, str] | None = None) -> Table:
    order = [card for hand in hands or HANDS for card in hand.split()]
    return Table(upcard.load("skitgubbe", rules=rules or {}), [*order, *then.split()])


def count(table: Table, seat: int, place: str) -> int:
    return len(table.state.observe(seat).places.get(f"seat{seat}.{place}", ()))


def test_three_cards_each_and_the_eldest_leads_a_card_or_the_top_of_the_stock() -> None:
    table = skitgubbe()
    assert table.state.to_move == 0
    assert sorted(table.options()) == sorted(["play 5s", "play Kh", "play 2c", CHANCE])
    assert len(table.state.observe(0).places["table.iloc.STOCK"]) == 43


def test_without_chance_only_the_hand_is_played() -> None:
    assert len(skitgubbe(rules={"chance": "no"}).options()) == 3


def test_the_higher_card_wins_whatever_the_suits_and_its_player_leads_to_the_next() -> None:
    table = skitgubbe()
    table.do("5s", "9h")
    assert table.state.to_move == 1
    assert count(table, 1, "hloc.WON") == 2
    table.do("3s", "4d")
    assert table.state.to_move == 2
    table = skitgubbe()
    table.do("Kh", "9h")
    assert table.state.to_move == 0
    table.do("2c")
    assert table.state.to_move == 1


def test_who_plays_from_the_hand_draws_and_who_takes_a_chance_does_not() -> None:
    table = skitgubbe(then="As 2h")
    table.do("5s")
    assert count(table, 0, "iloc.HAND") == 3
    table.do(CHANCE)
    assert count(table, 1, "iloc.HAND") == 3
    assert len(table.state.observe(0).places["table.iloc.STOCK"]) == 41
    # Ada drew the ace; Ben's chance was the two, so Ada leads again
    assert table.state.to_move == 0
    assert "play As" in table.options()


def test_equal_cards_bounce_and_the_next_pair_takes_all_four() -> None:
    table = skitgubbe()
    table.do("5s", "5d")
    assert table.state.to_move == 0
    assert count(table, 0, "hloc.WON") == 0
    table.do("2c")
    assert table.state.to_move == 1
    table.do("3s")
    assert count(table, 1, "hloc.WON") == 4
    assert table.state.to_move == 1


def to_the_last_cards() -> Table:
    """Takes chances until two cards are left in the stock; 43 is odd, so Ada or another is to answer."""
    table = skitgubbe()
    while CHANCE in table.options():
        table.do(CHANCE)
    return table


def test_the_last_card_is_neither_played_nor_looked_at_but_laid_aside() -> None:
    table = to_the_last_cards()
    seat = table.state.to_move
    assert seat is not None
    assert len(table.state.observe(0).places["table.iloc.STOCK"]) == 1
    table.state.play(0)
    assert count(table, seat, "iloc.HAND") == 2
    assert table.state.observe(seat).places[f"seat{seat}.hloc.ASIDE"] == (None,)
    assert "table.iloc.STOCK" not in {k for k, v in table.state.observe(0).places.items() if v}


def test_who_drew_the_last_card_begins_the_second_part_and_its_suit_is_trump() -> None:
    table = to_the_last_cards()
    drew = table.state.to_move
    while not any("TRUMP" in key for key in table.state.observe(0).strings):
        table.state.play(0)
    assert table.state.to_move == drew


# --- a referee of its own ------------------------------------------------------------------------


class Referee:
    """The whole game once more, from the rules; compares what is offered at every decision."""

    def __init__(self, seats: int, seed: int, chance: bool = True, free: bool = True) -> None:
        self.rng = random.Random(seed)
        self.seats, self.chance, self.free = seats, chance, free
        self.stock = self.rng.sample(DECK, 52)
        asked = {"players": str(seats), "chance": "yes" if chance else "no", "free": "yes" if free else "no"}
        # what is usual is left unsaid, so that the defaults are tried too
        rules = {name: word for name, word in asked.items() if word not in ("3", "yes")}
        self.table = skitgubbe(" ".join(self.stock), rules=rules)
        self.hands = [[self.stock.pop(0) for _ in range(3)] for _ in range(seats)]
        self.won: list[list[str]] = [[] for _ in range(seats)]
        self.aside, self.opener = "", 0
        self.stuck: list[tuple[bool, bool]] = []
        """Of bounces that could not be played on: whether the leader and the other had cards left."""

    def after(self, seat: int) -> int:
        """The nearest seat from this one on that has cards."""
        return next(s % self.seats for s in range(seat, seat + self.seats) if self.hands[s % self.seats])

    def ask(self, seat: int, options: list[str]) -> str:
        assert self.table.state.to_move == seat
        assert sorted(self.table.options()) == sorted(options)
        # the program's order, so that a copy of this test plays the same games
        word = self.rng.choice(self.table.options())
        self.table.do(word)
        return word

    def first_part(self) -> None:
        leader = 0
        while sum(bool(hand) for hand in self.hands) >= 2:
            leader = self.after(leader)
            other = self.after(leader + 1)
            played: dict[int, list[str]] = {leader: [], other: []}
            while True:
                for seat in (leader, other):
                    played[seat].append(self.one_card(seat))
                mine, theirs = (RANKS.index(played[s][-1][:-1]) for s in (leader, other))
                if mine != theirs:
                    leader = leader if mine > theirs else other
                    self.won[leader] += [card for cards in played.values() for card in cards]
                    break
                if not self.hands[leader] or not self.hands[other]:
                    self.stuck.append((bool(self.hands[leader]), bool(self.hands[other])))
                    for seat, cards in played.items():
                        self.won[seat] += cards
                    break

    def one_card(self, seat: int) -> str:
        chance = [CHANCE] if self.chance and len(self.stock) > 1 else []
        word = self.ask(seat, [f"play {card}" for card in self.hands[seat]] + chance)
        if word == CHANCE:
            return self.stock.pop(0)
        card = word.split()[1]
        self.hands[seat].remove(card)
        if len(self.stock) == 1:
            self.aside, self.opener = self.stock.pop(), seat
        elif self.stock:
            self.hands[seat].append(self.stock.pop(0))
        return card

    def second_part(self, most: int) -> None:
        for hand, won in zip(self.hands, self.won, strict=True):
            hand += won
        self.hands[self.opener].append(self.aside)
        trump, seat, pile, full = self.aside[-1], self.opener, list[str](), 0
        while sum(bool(hand) for hand in self.hands) > 1 and self.table.state.decisions < most:
            if not pile:
                full = sum(bool(hand) for hand in self.hands)
            hand = self.hands[seat]
            options = [f"play {card}" for card in hand if not pile or beats(card, pile[-1], trump)]
            if pile and (self.free or not options):
                options.append(f"pick up {pile[-1]}")
            word = self.ask(seat, options)
            if word.startswith("pick"):
                hand.append(pile.pop())
            else:
                pile.append(word.split()[1])
                hand.remove(pile[-1])
            if len(pile) == full:
                pile.clear()
                seat -= 1
            if any(self.hands):
                seat = self.after((seat + 1) % self.seats)


def beats(card: str, below: str, trump: str) -> bool:
    if card[-1] == below[-1]:
        return RANKS.index(card[:-1]) > RANKS.index(below[:-1])
    return card[-1] == trump


@pytest.mark.parametrize("seed", range(5))
def test_random_games_agree_with_a_referee(seed: int) -> None:
    referee = Referee(3, seed)
    referee.first_part()
    referee.second_part(most=500)
    scores = referee.table.scores()
    assert scores == tuple(int(bool(hand)) for hand in referee.hands)
    assert referee.table.state.outcome is not None
    assert len(referee.table.state.outcome.winners) == 2


@pytest.mark.parametrize(("seats", "chance", "free"), [(2, False, False), (4, True, False), (4, False, True)])
def test_other_tables_agree_too(seats: int, chance: bool, free: bool) -> None:
    for seed in range(2):
        referee = Referee(seats, seed, chance, free)
        referee.first_part()
        referee.second_part(most=250)


def test_who_could_beat_must_beat_where_picking_up_is_not_free() -> None:
    referee = Referee(2, 1, free=False)
    referee.first_part()
    table = referee.table
    table.state.play(0)
    assert all(option.startswith("play") for option in table.options()) or len(table.options()) == 1


@pytest.mark.parametrize(("seed", "left"), [(94, (True, False)), (29, (False, True)), (9, (False, False))])
def test_equal_cards_go_back_when_one_of_the_two_cannot_play_again(
    seed: int, left: tuple[bool, bool]
) -> None:
    referee = Referee(3, seed, chance=False)
    referee.first_part()
    referee.second_part(most=referee.table.state.decisions + 12)
    assert left in referee.stuck
