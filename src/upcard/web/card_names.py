"""Names of cards for screen readers: king of spades."""

from __future__ import annotations

import re

RANKS = {
    **{
        str(number): word
        for number, word in enumerate("two three four five six seven eight nine ten".split(), 2)
    },
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "jack",
}
SUITS = {"♠": "spades", "♥": "hearts", "♣": "clubs", "♦": "diamonds"}
_SUITED = re.compile(r"(\w+)([♠♥♣♦])")


def card_name(face: str) -> str:
    """A card's face in words; a face that has no rank and suit is read as it is."""
    found = _SUITED.fullmatch(face)
    if found is None:
        return RANKS.get(face, face)
    return f"{RANKS.get(found[1], found[1])} of {SUITS[found[2]]}"
