"""Sure tricks: what a hand of Euchre takes however the unseen cards lie, for calls and for cards.

Sound and not complete, as `lay_down` is. A trump above all unseen trumps takes a trick whenever it is played.
A hand that is not on lead takes every trick if it can take the first one, whatever is led, with such a trump,
and then lays down.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from upcard.euchre.euchre_cards import STANDARD, Card, with_trump
from upcard.euchre.lay_down import winning_order


def top_trumps(mine: Collection[Card], unseen: Collection[Card], trump: str) -> list[Card]:
    """The trumps in hand above all unseen trumps, the highest first."""
    out = max(
        (with_trump(card, trump) for card in unseen if card.suit_under(trump) == trump), default=(0, 0, 0)
    )
    held = [card for card in mine if card.suit_under(trump) == trump and with_trump(card, trump) > out]
    return sorted(held, key=lambda card: with_trump(card, trump), reverse=True)


def takes_all(mine: Sequence[Card], unseen: Collection[Card], trump: str, leads: bool) -> bool:
    """Whether a hand takes all its tricks, on lead or not."""
    if leads:
        return winning_order(mine, unseen, trump) is not None
    return all(_takes_all_after(mine, unseen, trump, led) for led in unseen)


def _takes_all_after(mine: Sequence[Card], unseen: Collection[Card], trump: str, led: Card) -> bool:
    """The same where somebody else leads a certain card to the first trick."""
    suit = led.suit_under(trump)
    following = [card for card in mine if card.suit_under(trump) == suit]
    others = [card for card in unseen if card != led]
    if following and suit != trump:
        if any(card.suit_under(trump) == trump for card in unseen):
            return False  # somebody may trump it
        high = max(with_trump(card, trump) for card in unseen if card.suit_under(trump) == suit)
        first = [card for card in following if with_trump(card, trump) > high]
    else:
        first = top_trumps(mine, unseen, trump)
    return any(
        winning_order([other for other in mine if other != card], others, trump) is not None for card in first
    )


def best_fives(six: Sequence[Card]) -> list[list[Card]]:
    """The hands that are left after each discard."""
    return [[card for card in six if card != away] for away in six]


def unseen_from(*known: Collection[Card]) -> list[Card]:
    """The cards of the pack that are in none of these."""
    seen = {card for cards in known for card in cards}
    return [card for card in STANDARD if card not in seen]
