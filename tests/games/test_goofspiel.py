"""Goofspiel against its rules. Ann bids spades, Ben hearts, Cleo clubs; diamonds are prizes."""

from __future__ import annotations

import itertools

import pytest
from tests.games.tables import Table

import upcard

RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K".split()
PRIZES = [rank + "d" for rank in RANKS]


def goofspiel(prizes: str = "", **rules: str) -> Table:
    """The prizes in the order they are turned up; the others follow from the ace."""
    return Table(upcard.load("goofspiel", rules=rules), [p + "d" for p in prizes.split()], pile=PRIZES)


def bid(table: Table, *rounds: str) -> None:
    """Rounds such as "K 2": what each seat bids, in seat order."""
    for bids in rounds:
        for rank, suit in zip(bids.split(), "shc", strict=False):
            table.do(rank + suit)


def play_out(table: Table) -> tuple[int, ...]:
    """Everybody bids from the lowest card up."""
    while table.state.to_move is not None:
        table.do(table.options()[0])
    return table.scores()


def test_everybody_holds_a_whole_suit() -> None:
    table = goofspiel()
    assert table.state.to_move == 0
    assert table.options() == [f"bid {rank}s" for rank in RANKS]
    table.do("5s")
    assert table.state.to_move == 1
    assert table.options() == [f"bid {rank}h" for rank in RANKS]


def test_a_bid_is_hidden_until_all_have_bid() -> None:
    table = goofspiel("7")
    table.do("5s")
    seen = table.state.observe(1)
    shown = {card for cards in seen.places.values() for card in cards if card}
    assert not {c for c in shown if seen.cards[c]["SUIT"] == "SPADES"}, "nothing of Ann's is seen"
    hidden = [c for c, known in seen.memory.items() if seen.cards[c]["SUIT"] == "SPADES" and known["where"]]
    assert len(hidden) == 13
    assert len({str(seen.memory[c]["where"]) for c in hidden}) == 1, "every spade may be the bid"
    table.do("9h")
    after = table.state.observe(1)
    shown = {card for cards in after.places.values() for card in cards if card}
    assert [after.cards[c]["RANK"] for c in shown if after.cards[c]["SUIT"] == "SPADES"] == ["FIVE"]


def test_the_prize_is_seen_before_the_bids_and_the_others_are_not() -> None:
    table = goofspiel("7 Q")
    seen = table.state.observe(0)
    shown = {card for cards in seen.places.values() for card in cards if card}
    assert [seen.cards[c]["RANK"] for c in shown if seen.cards[c]["SUIT"] == "DIAMONDS"] == ["SEVEN"]


def test_the_higher_bid_wins_the_prize() -> None:
    table = goofspiel("K A Q")
    bid(table, "3 2", "A 4")  # Ann wins the king, Ben the ace
    bid(table, "2 3")  # Ben wins the queen
    bid(table, *[f"{r} {r}" for r in RANKS[4:]], "4 A")  # ties, then Ann's four
    last = 11  # the jack is the last prize turned up
    assert table.scores() == (13 + last, 1 + 12)


@pytest.mark.parametrize("offset", [1, 5])
def test_a_card_is_worth_its_number_as_a_prize(offset: int) -> None:
    # Ann bids each card against one that is lower, but the ace against the king: prize by prize
    for lost, worth in zip(RANKS, range(1, 14), strict=True):
        order = [p for p in RANKS if p != lost]
        order = order[offset:] + order[:offset]
        table = goofspiel(f"{lost} {' '.join(order)}")
        bid(table, "A K", *[f"{high} {low}" for low, high in itertools.pairwise(RANKS)])
        assert table.scores() == (91 - worth, worth)


def test_each_rank_outbids_the_next() -> None:
    table = goofspiel()
    bid(table, "A K", *[f"{high} {low}" for low, high in itertools.pairwise(RANKS)])
    assert table.scores() == (90, 1)
    table = goofspiel()
    bid(table, "K A", *[f"{low} {high}" for low, high in itertools.pairwise(RANKS)])
    assert table.scores() == (1, 90)


def test_a_card_that_was_bid_is_spent() -> None:
    table = goofspiel()
    bid(table, "5 9")
    assert "bid 5s" not in table.options()
    assert len(table.options()) == 12
    table.do("As")
    assert "bid 9h" not in table.options()
    assert "bid 5h" in table.options()


def test_the_eldest_bids_first_in_every_round() -> None:
    table = goofspiel()
    seats = []
    while (seat := table.state.to_move) is not None:
        seats.append(seat)
        table.do(table.options()[-1])
    assert seats == [0, 1] * 13


def test_a_tied_prize_is_lost() -> None:
    assert play_out(goofspiel()) == (0, 0)
    table = goofspiel("K Q")
    bid(table, "5 5", "6 2")
    assert play_out(table) == (12, 2 + 3 + 4)  # Ann wins the queen, Ben 2, 3 and 4; the rest ties


def test_a_tied_prize_waits_for_the_next_winner_as_a_house_rule() -> None:
    table = goofspiel("K Q 2", ties="waits")
    bid(table, "5 5", "6 2", "2 6")  # king waits, Ann wins king and queen, Ben wins the two
    scores = play_out(table)
    assert scores == (13 + 12, 2)  # the rest ties, and nobody wins what waits at the end


def test_two_ties_in_a_row_wait_together() -> None:
    table = goofspiel("K Q J 2", ties="waits")
    bid(table, "5 5", "6 6", "9 2", "2 9")
    assert play_out(table) == (13 + 12 + 11, 2)


def test_three_play_with_the_clubs() -> None:
    table = goofspiel("K Q", players="three")
    table.do("Ks", "Kh")
    assert table.options() == [f"bid {rank}c" for rank in RANKS]
    table.do("Qc")  # the kings tie: the lower bid does not win either
    bid(table, "A 2 3")
    assert table.state.to_move == 0
    scores = play_out(table)
    assert len(scores) == 3
    assert scores[2] >= 12


def test_of_three_a_single_highest_bid_wins_over_two_lower_that_tie() -> None:
    table = goofspiel("K", players="three")
    bid(table, "2 2 3")
    bid(table, *[f"{r} {r} {r}" for r in RANKS if r not in "23"], "3 3 2")
    last = 12  # the queen is turned up last, and the tied threes lose it
    assert last not in table.scores()
    assert table.scores() == (0, 0, 13)


def test_the_highest_sum_wins() -> None:
    table = goofspiel("K")
    bid(table, "2 A", "A 2", *[f"{r} {r}" for r in RANKS[2:]])
    assert table.scores() == (13, 1)
    assert table.state.outcome is not None
    assert table.state.outcome.winners == (0,)
