"""Words for a hint: moves, cards and players, as the table calls them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from upcard.engine.api import Move, Observation
from upcard.engine.shared.game import LoadedGame

DOUBLED = {
    "bid",
    "put",
    "stop",
    "hit",
    "cut",
    "quit",
    "bet",
    "let",
    "set",
    "get",
    "beg",
    "drop",
    "nod",
    "win",
}
"""Verbs whose last letter is doubled before -ing."""
VERBS = {"go", "take", "play", "draw", "discard", "keep", "pass", "order", "make"}
"""Verbs that may follow "and" or a comma in the words of a move."""

NO_VERBS = {"with", "before", "after", "the", "all", "no"}
"""Words that begin a move without a verb."""


class Words(Protocol):
    def move(self, move: Move) -> str: ...

    def seat(self, seat: int) -> str: ...

    def card(self, card: str) -> str: ...


@dataclass(frozen=True)
class _ObservedState:
    to_move: int | None
    faces: Mapping[str, Mapping[str, str]]


class NarratorWords:
    """Words from the game's sheet, with the names of the match."""

    def __init__(self, game: LoadedGame, observation: Observation) -> None:
        self._narrator, self._observation = game.narrator, observation
        names = (observation.match or {}).get("names")
        self._names = names or [game.narrator.seat(seat) for seat in range(observation.seats)]

    def move(self, move: Move) -> str:
        state = _ObservedState(self._observation.to_move, self._observation.cards)
        return self._narrator.move(move.effects, state)

    def seat(self, seat: int) -> str:
        return str(self._names[seat])

    def card(self, card: str) -> str:
        return self._narrator.card(card, self._observation.cards)


def gerund(text: str) -> str:
    """A move's words as a gerund: "play J♠" becomes "playing J♠"."""
    parts = re.split(r"( and |, )", text)
    for at in range(0, len(parts), 2):
        verb, gap, rest = parts[at].partition(" ")
        if at == 0 or verb in VERBS:
            parts[at] = _ing(verb) + gap + rest
    return "".join(parts)


def _ing(verb: str) -> str:
    if not verb.isalpha() or not verb.islower() or verb in NO_VERBS:
        return f"choosing {verb}"
    if verb.endswith("ing") and len(verb) > 5:
        return verb
    if verb in DOUBLED:
        return verb + verb[-1] + "ing"
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    return verb + "ing"
