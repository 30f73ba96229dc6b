"""Hands for positions: the cards that matter are named, the rest of the pack fills the hands up."""

from __future__ import annotations

from collections.abc import Sequence

from tests.games.tables import Table

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def suit(letter: str, ranks: Sequence[str] = RANKS) -> str:
    """A whole suit from the lowest card up: `2s 3s ... As`."""
    return " ".join(rank + letter for rank in ranks)


FULL_PACK = tuple(" ".join(suit(letter) for letter in "shcd").split())


def filled(size: int, *hands: str, pack: Sequence[str] = FULL_PACK) -> list[str]:
    """The cards of all hands in the order of dealing. A hand that is short is filled from what nobody
    named, in the order spades, hearts, clubs, diamonds, low cards first."""
    named = {card for hand in hands for card in hand.split()}
    rest = [card for card in pack if card not in named]
    order: list[str] = []
    for hand in hands:
        cards = hand.split()
        while len(cards) < size:
            cards.append(rest.pop(0))
        assert len(cards) == size, f"{len(cards)} cards in {hand}"
        order += cards
    return order


def ladder(first: int) -> tuple[str, str]:
    """Two hands that hold spades and clubs between them, rank about rank: from rank number `first` on, the
    one who leads a spade is always beaten by the next higher spade, and gets it back in clubs."""
    low = [RANKS[i] for i in range(first % 2, 13, 2)]
    high = [rank for rank in RANKS if rank not in low]
    one = [rank + "s" for rank in low] + [rank + "c" for rank in high]
    other = [rank + "s" for rank in high] + [rank + "c" for rank in low]
    return " ".join(one), " ".join(other)


def play(table: Table, words: str) -> None:
    """Moves in a row, by card or word; `-` is the first of the menu, whatever it is."""
    for word in words.split():
        table.do(table.options()[0] if word == "-" else word)


def climb(table: Table, first: int) -> None:
    """Plays a ladder up from rank number `first`: each trick goes to the next higher card of the suit led,
    and whoever takes it leads. The two other seats hold neither suit."""
    for rank in range(first, 12, 2):
        for letter, leader in (("s", 0), ("c", 1)):
            assert table.state.to_move == leader
            low, high = RANKS[rank] + letter, RANKS[rank + 1] + letter
            play(table, f"{low} {high} - -" if leader == 0 else f"{low} - - {high}")
            assert taken(table, 4)[leader] == 4 * (rank - first + 2 * leader) // 2


def drain(table: Table) -> tuple[int, ...]:
    """The first of every menu to the end, and the scores then."""
    while table.state.to_move is not None:
        play(table, "-")
    return table.scores()


def taken(table: Table, seats: int) -> list[int]:
    """How many cards lie before each seat in won tricks."""
    places = table.state.observe(0).places
    return [len(places.get(f"seat{seat}.hloc.TAKEN", ())) for seat in range(seats)]
