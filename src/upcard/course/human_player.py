"""The course's Human player: its prompts and the answers it accepts."""

from __future__ import annotations

from upcard.engine.api import Move, Observation
from upcard.euchre.euchre_cards import Card
from upcard.euchre.observed_hand import ORDER, PASS, Meaning, ObservedHand
from upcard.recycle.diagnostics import Refused


class BadAnswer(Refused):
    """The answer is unknown, illegal or missing."""


class Question:
    """One decision of a Human: the lines to print, and the possible answers with their moves."""

    def __init__(self, observation: Observation, name: str) -> None:
        self.name = name
        self._observed = ObservedHand(observation)
        self.lines: list[str] = []
        self.answers: dict[str, Move] = {}
        """Every answer that is legal here, in the order shown."""
        if self._observed.can("bury"):
            self._bury()
        elif self._observed.can("play"):
            self._show(self._observed.hand)
            self._take("play", self._observed.hand)
            self.lines.append(f"Human player {name}, please select a card:")
        else:
            self._make()

    def move(self, word: str) -> Move:
        """The move that an answer means. Numbers may carry signs and zeros, as the course's reader allows."""
        digits = word[1:] if word[:1] in ("+", "-") else word
        if digits.isascii() and digits.isdigit() and len(digits) <= 9:
            word = str(int(word))
        if word not in self.answers:
            *others, last = self.answers
            possible = f"{', '.join(others)} or {last}" if others else last
            shown = word if len(word) <= 40 else word[:37] + "..."
            raise BadAnswer(f"{self.name} cannot answer {shown!r} here; possible: {possible}")
        return self.answers[word]

    def _make(self) -> None:
        observed = self._observed
        self._show(observed.hand)
        self.lines.append(f'Human player {self.name}, please enter a suit, or "pass":')
        for meaning, move in observed.moves.items():
            if meaning == PASS:
                self.answers["pass"] = move
            elif meaning == ORDER:
                self.answers[observed.up_suit.capitalize()] = move
            elif meaning.what == "name" and meaning.suit is not None:
                self.answers[meaning.suit.capitalize()] = move

    def _bury(self) -> None:
        upcard = self._observed.upcard
        hand = [card for card in self._observed.hand if card != upcard]
        self._show(hand)
        self.lines.append("Discard upcard: [-1]")
        self.lines.append(f"Human player {self.name}, please select a card to discard:")
        self._take("bury", [upcard], first=-1)
        self._take("bury", hand)

    def _show(self, hand: list[Card]) -> None:
        for index, card in enumerate(hand):
            self.lines.append(f"Human player {self.name}'s hand: [{index}] {card.text}")

    def _take(self, what: str, cards: list[Card], first: int = 0) -> None:
        for index, card in enumerate(cards, first):
            move = self._observed.moves.get(Meaning(what, card=card))
            if move is not None:
                self.answers[str(index)] = move
