"""Card notation: J♠, 9♥, or Js, 9h in ASCII."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from upcard.library.sheet import Sheet
from upcard.terminal_text import to_ascii

_RANKS = {
    **dict.fromkeys(("A", "ACE"), "A"),
    **dict.fromkeys(("K", "KING"), "K"),
    **dict.fromkeys(("Q", "QUEEN"), "Q"),
    **dict.fromkeys(("J", "JACK"), "J"),
    **dict.fromkeys(("T", "TEN"), "10"),
    "NINE": "9",
    "EIGHT": "8",
    "SEVEN": "7",
    "SIX": "6",
    "FIVE": "5",
    "FOUR": "4",
    "THREE": "3",
    "TWO": "2",
    "ONE": "1",
}
_SUITS = {
    **dict.fromkeys(("S", "SPADE", "SPADES"), "♠"),
    **dict.fromkeys(("H", "HEART", "HEARTS"), "♥"),
    **dict.fromkeys(("C", "CLUB", "CLUBS"), "♣"),
    **dict.fromkeys(("D", "DIAMOND", "DIAMONDS"), "♦"),
}


@dataclass(frozen=True)
class CardNotation:
    """Prints cards as the sheet says, or by the usual names of ranks and suits."""

    face: str = ""
    prints: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, sheet: Sheet | None, ascii_only: bool = False) -> CardNotation:
        if sheet is None or not sheet.face:
            return _AsciiNotation() if ascii_only else cls()
        prints = {key: dict(table) for key, table in sheet.prints.items()}
        if ascii_only:
            for key, table in sheet.ascii_prints.items():
                prints.setdefault(key, {}).update(table)
            return _AsciiNotation(sheet.face, prints)
        return cls(sheet.face, prints)

    def card(self, attributes: Mapping[str, str]) -> str:
        if self.face:
            text = self.face
            for key, value in attributes.items():
                text = text.replace("{" + key + "}", self.prints.get(key, {}).get(value, value))
            return text
        return self._usual(attributes)

    def _usual(self, attributes: Mapping[str, str]) -> str:
        """Rank and suit if a card has both under the usual names, otherwise all its values."""
        suit = next((_SUITS[v] for k, v in attributes.items() if k == "SUIT" and v in _SUITS), None)
        rank = next((_RANKS.get(v, v) for k, v in attributes.items() if k in ("RANK", "VALUE")), None)
        if suit is not None and rank is not None:
            return rank + suit
        return "-".join(attributes.values()) or "card"


class _AsciiNotation(CardNotation):
    def card(self, attributes: Mapping[str, str]) -> str:
        return to_ascii(super().card(attributes))
