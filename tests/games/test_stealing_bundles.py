"""Stealing Bundles against its rules, not against its program. Each test names the rule it stands for.

A deal is given as the four cards on the table, then four for each seat, South first, and what is dealt later.
"""

from __future__ import annotations

from random import Random

import pytest
from tests.games.tables import Table

import upcard

RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K".split()
PACK = [f"{rank}{suit}" for suit in "shcd" for rank in RANKS]


def bundles(cards: str, **rules: str) -> Table:
    return Table(upcard.load("stealing-bundles", rules=rules), cards.split())


def held(table: Table, seat: int) -> int:
    """How many cards the seat has in its bundle."""
    places = table.state.observe(0).places
    return next((len(cards) for place, cards in places.items() if f"seat{seat}.vloc.BUNDLE" == place), 0)


def on_table(table: Table) -> int:
    return next((len(cards) for place, cards in table.state.observe(0).places.items() if "TABLE" in place), 0)


def test_four_cards_lie_on_the_table_and_each_player_chooses_among_four() -> None:
    table = bundles("2s 3s 4s 5s 6s 7s 8s 9s")
    assert on_table(table) == 4
    assert table.state.to_move == 0
    assert table.options() == ["play 6s", "play 7s", "play 8s", "play 9s"]


def test_a_card_without_its_like_stays_on_the_table() -> None:
    table = bundles("2s 3s 4s 5s 6s 7s 8s 9s")
    table.do("6s")
    assert (on_table(table), held(table, 0)) == (5, 0)
    assert table.state.to_move == 1


def test_a_card_takes_its_like_into_the_bundle() -> None:
    table = bundles("2s 3s 4s 5s 2h 7s 8s 9s")
    table.do("2h")
    assert (on_table(table), held(table, 0)) == (3, 2)


def test_a_card_takes_all_cards_of_its_rank() -> None:
    table = bundles("2s 2c 2d 5s 2h 7s 8s 9s")
    table.do("2h")
    assert (on_table(table), held(table, 0)) == (1, 4)


def test_suits_do_not_match() -> None:
    table = bundles("2s 3s 4s 5s 9s 7s 8s 6s")
    table.do("9s")
    assert held(table, 0) == 0


def test_a_bundle_is_stolen_by_the_like_of_its_top_card() -> None:
    table = bundles("2s 3s 4s 5s 2h 7s 8s 9s 2c Jh Qh Kh")
    table.do("2h", "2c")
    assert (held(table, 0), held(table, 1), on_table(table)) == (0, 3, 3)


def test_only_the_card_on_top_counts_for_stealing() -> None:
    # South's bundle shows the three, so the two steals nothing
    table = bundles("2s 3s 4s 5s 2h 3h 8s 9s 2c Jh 3c Kh")
    table.do("2h", "Jh", "3h", "2c")
    assert (held(table, 0), held(table, 1)) == (4, 0)
    table.do("8s", "3c")
    assert (held(table, 0), held(table, 1)) == (0, 5)


def test_the_card_played_lies_on_top_of_a_stolen_bundle() -> None:
    # West steals with the two of clubs; South steals it back with the two of diamonds
    table = bundles("2s 3s 4s 5s 2h 2d 8s 9s 2c 4h Qh Kh")
    table.do("2h", "2c", "2d")
    assert (held(table, 0), held(table, 1)) == (4, 0)
    # and the four that West takes now lies on West's own
    table.do("4h")
    assert (held(table, 0), held(table, 1)) == (4, 2)


def test_own_bundle_is_not_matched() -> None:
    table = bundles("2s 3s 4s 5s 2h 2d 8s 9s 7c Jh Qh Kh")
    table.do("2h", "7c", "2d")
    assert (held(table, 0), on_table(table)) == (2, 5)
    # and the next two takes both, the card on the table and the bundle
    table = bundles("2s 3s 4s 5s 2h 2d 8s 9s 7c 2c Qh Kh")
    table.do("2h", "7c", "2d", "2c")
    assert (held(table, 0), held(table, 1), on_table(table)) == (0, 4, 4)


def test_only_the_bundle_that_shows_the_rank_is_stolen() -> None:
    # South's bundle shows a king, West's a three
    table = bundles("Ks 3s 4s 5s Kh 7s 8s 9s 3h Jh Qh 2h Kc 6h 6c 6d", players="3")
    table.do("Kh", "3h", "Kc")
    assert [held(table, seat) for seat in range(3)] == [0, 2, 3]


def test_four_more_cards_are_dealt_when_the_hands_are_empty() -> None:
    table = bundles("2s 3s 4s 5s 6s 7s 8s 9s 10h Jh Qh Kh As Ah Ac Ad")
    table.do("6s", "10h", "7s", "Jh", "8s", "Qh", "9s", "Kh")
    assert table.state.to_move == 0
    assert {option[5:] for option in table.options()} == {"As", "Ah", "Ac", "Ad"}
    assert on_table(table) == 12


@pytest.mark.parametrize("players", [2, 3, 4])
def test_choices_fall_from_four_to_one_in_every_hand(players: int) -> None:
    # so the convergence of every game is the same number: 0.50651, 0.50977, 0.51303 in published measurements
    state = upcard.load("stealing-bundles", rules={"players": str(players)}).deal(seed=5)
    counts = []
    while state.to_move is not None:
        counts.append(len(state.moves))
        state.play(0)
    assert counts == [n for n in (4, 3, 2, 1) for _ in range(players)] * (12 // players)
    middle, mean = (len(counts) - 1) / 2, sum(counts) / len(counts)
    slope = sum((i - middle) * (n - mean) for i, n in enumerate(counts)) / sum(
        (i - middle) ** 2 for i in range(len(counts))
    )
    assert round((1 - slope) / 2, 5) == {2: 0.50651, 3: 0.50977, 4: 0.51303}[players]


@pytest.mark.parametrize("rest", ["nobody", "last taker"])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("number", range(4))
def test_whole_deals_are_scored_as_an_independent_count_says(rest: str, players: int, number: int) -> None:
    drawn = Random(number)
    pack = list(PACK)
    drawn.shuffle(pack)
    table = bundles(" ".join(pack), players=str(players), rest=rest)
    row, pack = pack[:4], pack[4:]
    piles, hands, turn, last = [list[str]() for _ in range(players)], [list[str]()] * players, 0, 0
    while pack or any(hands):
        if not any(hands):
            hands = [pack[4 * seat : 4 * seat + 4] for seat in range(players)]
            pack = pack[4 * players :]
        assert table.state.to_move == turn
        card = drawn.choice(hands[turn])
        table.do(card)
        hands[turn].remove(card)
        like = [other for other in row if other[:-1] == card[:-1]]
        robbed = [p for seat, p in enumerate(piles) if p and seat != turn and p[-1][:-1] == card[:-1]]
        if like or robbed:
            last = turn
            row = [other for other in row if other not in like]
            for pile in robbed:
                piles[turn] += pile
                pile.clear()
            piles[turn] += [*like, card]
        else:
            row.append(card)
        turn = (turn + 1) % players
    if rest == "last taker":
        piles[last] += row
    assert table.scores() == tuple(map(len, piles))
    assert table.state.outcome is not None
    best = max(table.scores())
    assert table.state.outcome.winners == tuple(s for s, n in enumerate(table.scores()) if n == best)
