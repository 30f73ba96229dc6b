"""Lay-down proof: the leader takes all remaining tricks, whatever the unseen cards are.

The proof is sound and not complete. Trumps are led from the top. While somebody may still hold a trump, each
must be above every trump unseen; one that is out falls with every lead, so after as many leads as there are
trumps unseen (or cards in a hand) none is left. Then every other card wins that is above all unseen cards of
its suit, or that is led when as many of the suit have been led as are unseen. Nothing is assumed about who
holds what.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from upcard.engine.api import Observation
from upcard.euchre.euchre_cards import Card, Height, with_trump


def winning_order(mine: Sequence[Card], unseen: Collection[Card], trump: str) -> list[Card] | None:
    """The order in which these cards take every trick when led, or None when that is not proved."""
    trumps = sorted(
        (card for card in mine if card.suit_under(trump) == trump), key=_height(trump), reverse=True
    )
    out = [card for card in unseen if card.suit_under(trump) == trump]
    can_be_held = min(len(out), len(mine))
    if len(trumps) < can_be_held:
        return None  # a trump may be left when the other cards are led
    if not _all_win(trumps, out, can_be_held, trump):
        return None
    order = list(trumps)
    for suit in sorted({card.suit for card in mine if card not in trumps}):
        own = sorted((c for c in mine if c.suit_under(trump) == suit), key=_height(trump), reverse=True)
        others = [card for card in unseen if card.suit_under(trump) == suit]
        if not _all_win(own, others, min(len(others), len(mine) - len(order)), trump):
            return None
        order += own
    return order


def _all_win(led: Sequence[Card], out: Sequence[Card], can_be_held: int, trump: str) -> bool:
    """Whether cards of one suit, led from the top, beat all that may still be held of it."""
    highest = max(map(_height(trump), out), default=None)
    return highest is None or all(_height(trump)(card) > highest for card in led[:can_be_held])


def _height(trump: str) -> Callable[[Card], Height]:
    return lambda card: with_trump(card, trump)


def prove_laydown(observation: Observation) -> tuple[list[Card] | None, str]:
    """The order in which the hand takes every trick, or None and why it is not granted."""
    seat, trump = observation.seat, observation.strings.get("table.TRUMP", "NONE")
    if not observation.moves or not _is_playing(observation):
        return None, "you can lay your hand down only when it is your turn to play a card"
    if any(observation.places.get(f"seat{s}.vloc.TRICK") for s in range(observation.seats)):
        return None, "you can lay your hand down only when you lead, not in the middle of a trick"
    held = observation.places.get(f"seat{seat}.iloc.HAND", ())
    mine = [Card.of(observation.cards[card]) for card in held if card is not None]
    order = winning_order(mine, unseen(observation), trump)
    return order, "" if order else "an opponent could still hold a card that stops you"


def unseen(observation: Observation) -> list[Card]:
    """The cards that may be in another hand, as far as this seat knows."""
    hands = {
        place
        for place, cards in observation.places.items()
        if place.endswith(".iloc.HAND") and cards and place != f"seat{observation.seat}.iloc.HAND"
    }
    seen = {card for cards in observation.places.values() for card in cards if card is not None}
    unseen_cards = []
    for card, attributes in observation.cards.items():
        known = observation.memory.get(card)
        if card not in seen and (known is None or hands & set(known["where"])):
            unseen_cards.append(Card.of(attributes))
    return unseen_cards


def _is_playing(observation: Observation) -> bool:
    return any(
        effect["do"] == "move" and effect["to"].endswith(".vloc.TRICK")
        for move in observation.moves
        for effect in move.effects
    )
