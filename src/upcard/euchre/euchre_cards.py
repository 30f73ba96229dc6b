"""The 24 cards of Euchre: names, bowers, and the orders in which they are compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

RANKS = ("NINE", "TEN", "JACK", "QUEEN", "KING", "ACE")
SUITS = ("SPADES", "HEARTS", "CLUBS", "DIAMONDS")
TWIN = {"SPADES": "CLUBS", "CLUBS": "SPADES", "HEARTS": "DIAMONDS", "DIAMONDS": "HEARTS"}
"""The other suit of the same colour."""

Height: TypeAlias = tuple[int, int, int]


class Card(NamedTuple):
    """A face, by the names that the program of the library gives to ranks and suits."""

    rank: str
    suit: str

    @classmethod
    def of(cls, attributes: Mapping[str, str]) -> Card:
        return cls(attributes["RANK"], attributes["SUIT"])

    @property
    def text(self) -> str:
        return f"{self.rank.capitalize()} of {self.suit.capitalize()}"

    def is_left_bower(self, trump: str) -> bool:
        return self.rank == "JACK" and self.suit == TWIN.get(trump)

    def suit_under(self, trump: str) -> str:
        """The suit it counts as: the left bower is a trump in every respect."""
        return trump if self.is_left_bower(trump) else self.suit


STANDARD = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
BY_TEXT = {card.text: card for card in STANDARD}


def plain(card: Card) -> Height:
    """No trump: by rank, and equal ranks by suit."""
    return (0, RANKS.index(card.rank), SUITS.index(card.suit))


def with_trump(card: Card, trump: str) -> Height:
    """Right bower, left bower, the other trumps; below them all the rest in plain order."""
    if card.suit_under(trump) != trump:
        return plain(card)
    if card.rank == "JACK":
        return (4 if card.suit == trump else 3, 0, 0)
    return (2, *plain(card)[1:])


def with_led(card: Card, trump: str, led: str) -> Height:
    """As `with_trump`, with the suit led between trumps and the rest."""
    if card.suit_under(trump) == led != trump:
        return (1, *plain(card)[1:])
    return with_trump(card, trump)
