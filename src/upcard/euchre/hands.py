"""Hand evaluation: features of five cards under a trump suit, with learned weights."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeAlias

from upcard.euchre.euchre_cards import RANKS, STANDARD, SUITS, Card

Hand: TypeAlias = Sequence[int]
"""Cards by their number in `euchre_cards.STANDARD`."""

CARD_NUMBER = {card: number for number, card in enumerate(STANDARD)}
TRUMPS = 7
"""From the right bower to the nine."""
NO_TRUMP = TRUMPS
ORDER = ("ACE", "KING", "QUEEN", "TEN", "NINE")
VOIDS = 4
SIZES = 6
FEATURES = TRUMPS + 2 + SIZES + VOIDS
"""Each trump, side aces, side kings, number of trumps, number of void side suits."""
ACE, KING = TRUMPS, TRUMPS + 1
FIRST_SIZE = TRUMPS + 2
FIRST_VOID = FIRST_SIZE + SIZES


def trump_rank(card: Card, trump: str) -> int:
    """0 for the right bower, 1 for the left, on to 6 for the nine; `NO_TRUMP` for other suits."""
    if card.suit_under(trump) != trump:
        return NO_TRUMP
    if card.rank == "JACK":
        return 0 if card.suit == trump else 1
    return 2 + ORDER.index(card.rank)


RANKED = [[trump_rank(card, trump) for card in STANDARD] for trump in SUITS]
"""By trump, then by card."""
_SUIT_UNITS = [[8 ** SUITS.index(card.suit_under(trump)) for card in STANDARD] for trump in SUITS]
"""By trump and card: their sum is the shape of a hand, three bits per suit."""
_SHAPES = [
    {
        sum(n * 8**suit for suit, n in enumerate(lengths)): (
            lengths[trump],
            sum(not n for suit, n in enumerate(lengths) if suit != trump),
        )
        for lengths in product(range(SIZES), repeat=len(SUITS))
        if sum(lengths) == SIZES - 1
    }
    for trump in range(len(SUITS))
]
"""By trump and shape: number of trumps, and of void side suits."""
_ACES = [card.rank == RANKS[-1] for card in STANDARD]
_KINGS = [card.rank == RANKS[-2] for card in STANDARD]


def features(hand: Hand, trump: int) -> list[float]:
    """The features of a hand."""
    values = [0.0] * FEATURES
    ranked = RANKED[trump]
    for card in hand:
        if ranked[card] != NO_TRUMP:
            values[ranked[card]] = 1.0
        elif _ACES[card]:
            values[ACE] += 1
        elif _KINGS[card]:
            values[KING] += 1
    size, voids = _SHAPES[trump][sum(_SUIT_UNITS[trump][card] for card in hand)]
    values[FIRST_SIZE + size] = 1.0
    values[FIRST_VOID + voids] = 1.0
    return values


class Weights:
    """A weight per feature, tabulated so that the score of a hand is a sum of six numbers."""

    def __init__(self, weights: Sequence[float]) -> None:
        if len(weights) != FEATURES:
            raise ValueError(f"a hand has {FEATURES} features, not {len(weights)}")
        self._cards = [
            [
                weights[rank] if rank != NO_TRUMP else weights[ACE] * ace + weights[KING] * king
                for rank, ace, king in zip(ranked, _ACES, _KINGS, strict=True)
            ]
            for ranked in RANKED
        ]
        self._shapes = [
            {
                shape: weights[FIRST_SIZE + size] + weights[FIRST_VOID + voids]
                for shape, (size, voids) in shapes.items()
            }
            for shapes in _SHAPES
        ]

    def score(self, hand: Hand, trump: int) -> float:
        """The sum of weights times features, of five cards."""
        a, b, c, d, e = hand
        cards, suit_units = self._cards[trump], _SUIT_UNITS[trump]
        shape = suit_units[a] + suit_units[b] + suit_units[c] + suit_units[d] + suit_units[e]
        return cards[a] + cards[b] + cards[c] + cards[d] + cards[e] + self._shapes[trump][shape]
