"""An observation of Euchre in players' terms: hand, upcard, trump, meaning of each move."""

from __future__ import annotations

from dataclasses import dataclass

from upcard.engine.api import Move, Observation
from upcard.euchre.euchre_cards import Card, plain

CALLS = {
    "PASS": "pass",
    "ORDER": "order",
    "ORDERALONE": "order alone",
    "NAME": "name",
    "NAMEALONE": "name alone",
    "DEFENDALONE": "defend alone",
}


def is_euchre(observation: Observation) -> bool:
    """Whether the observation is of the library's Euchre or a variant, by the names that it has."""
    return "table.UP" in observation.strings


@dataclass(frozen=True)
class Meaning:
    """A move in players' terms: pass, order, name a suit, discard or play a card, go alone."""

    what: str
    suit: str | None = None
    card: Card | None = None


PASS, ORDER = Meaning("pass"), Meaning("order")


class ObservedHand:
    """What a seat sees. The program's last seat deals and its first is the eldest."""

    def __init__(self, observation: Observation) -> None:
        self._observation = observation
        place = f"seat{observation.seat}.iloc.HAND"
        self.hand = sorted((self._card(card) for card in observation.places.get(place, ())), key=plain)
        """In ascending plain order; six cards while the dealer discards."""
        self.moves: dict[Meaning, Move] = {}
        for move in observation.moves:
            self.moves.setdefault(self._meaning(move), move)

    @property
    def deals(self) -> bool:
        return self._observation.seat == self._observation.seats - 1

    @property
    def up_suit(self) -> str:
        return self._observation.strings["table.UP"]

    @property
    def first_round(self) -> bool:
        """Whether the upcard still lies on the table."""
        return bool(self._observation.places.get("table.vloc.UPCARD"))

    @property
    def upcard(self) -> Card:
        """The card that was turned up, wherever it is now."""
        turned = (
            r["card"]
            for r in self._observation.records
            if r["do"] == "move" and r["to"] == "table.vloc.UPCARD"
        )
        return self._card(next(turned))

    @property
    def trump(self) -> str:
        return self._observation.strings["table.TRUMP"]

    @property
    def led(self) -> str | None:
        """The suit led (trump for the left bower); None for the leader."""
        led = self._observation.strings.get("table.LED", "NONE")
        return None if led == "NONE" else led

    def cards(self, what: str) -> list[Card]:
        """The cards that may be played or discarded."""
        return [meaning.card for meaning in self.moves if meaning.what == what and meaning.card is not None]

    def can(self, what: str) -> bool:
        return any(meaning.what == what for meaning in self.moves)

    def _card(self, card: str | None) -> Card:
        assert card is not None, "a seat sees its own hand and the card turned up"
        return Card.of(self._observation.cards[card])

    def _meaning(self, move: Move) -> Meaning:
        what, suit = "other", None
        for effect in move.effects:
            if effect["do"] == "set" and effect["name"] == "CALL":
                what = CALLS.get(effect["value"], "other")
            elif effect["do"] == "set" and effect["name"] == "TRUMP":
                suit = effect["value"]
            elif effect["do"] == "move" and effect["to"].endswith(".BURIED"):
                return Meaning("bury", card=self._card(effect["card"]))
            elif effect["do"] == "move" and effect["to"].endswith(".TRICK"):
                return Meaning("play", card=self._card(effect["card"]))
        return Meaning(what, suit)
