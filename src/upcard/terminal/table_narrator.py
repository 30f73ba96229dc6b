"""Narrator at the table: seats by the names of their players, places by their words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from upcard.engine.api import Observation, Record
from upcard.library.sheet import Phrase, Sheet
from upcard.narration.narrator import Line, Narrator
from upcard.terminal_text import to_ascii, visible

UNSEEN = "a card"
"""The narrator's words for a hidden card."""
CARDS = "cards"
"""The words for a place that the sheet does not name."""


@dataclass(frozen=True)
class _ObservedState:
    """What a narrator needs of a state, taken from an observation."""

    to_move: int | None
    faces: Mapping[str, Mapping[str, str]]


class TableNarrator(Narrator):
    """Narrates with the names of the people at the seats, and with the sheet's words for places."""

    def __init__(
        self,
        sheet: Sheet | None,
        base: int,
        names: Sequence[str],
        teams: Sequence[Sequence[int]] = (),
        ascii_only: bool = False,
    ) -> None:
        names = [to_ascii(visible(name)) if ascii_only else visible(name) for name in names]
        super().__init__(_renamed(sheet, names), base, ascii_only)
        self.names = tuple(names)
        self.teams = tuple(tuple(team) for team in teams)

    @classmethod
    def at(cls, narrator: Narrator, observation: Observation, ascii_only: bool = False) -> TableNarrator:
        """A narrator for one observation, whose match says who sits where."""
        match = observation.match or {}
        names = match.get("names") or [narrator.seat(seat) for seat in range(observation.seats)]
        return cls(narrator.sheet, narrator.base, names, observation.teams, ascii_only)

    @property
    def a_seat_deals(self) -> bool:
        """Whether the sheet's phrases name the last seat as the dealer."""
        phrases = self.sheet.phrases if self.sheet else ()
        last = self.names[-1] if self.names else ""
        return any(saying.do == "shuffle" and last in saying.tell.split() for saying in phrases)

    def seat(self, seat: int) -> str:
        return self.names[seat] if seat < len(self.names) else super().seat(seat)

    def owner(self, text: str) -> str:
        if text.startswith("team") and int(text[4:]) < len(self.teams):
            return self.side(self.teams[int(text[4:])])
        return super().owner(text)

    def called(self, name: str) -> str | None:
        """The sheet's words for a place, storage or string; None if it has none."""
        table = self.sheet.table if self.sheet else {}
        return table.get(name)

    def place(self, name: str) -> str:
        """The words for a place; "" if the sheet hides it."""
        called = self.called(name)
        if called is not None:
            return called
        return CARDS if self.sheet and self.sheet.table else name.lower()

    def choice(self, effects: Iterable[Record], observation: Observation) -> str:
        """A move in the words of the menu."""
        return self.move(effects, _ObservedState(observation.to_move, observation.cards))

    def without_phrases(self) -> TableNarrator:
        return TableNarrator(self._bare_sheet(), self.base, self.names, self.teams, self.ascii_only)

    def story(self, records: Iterable[Record], observation: Observation) -> list[str]:
        """Sentences for a part of the seat's own record."""
        return [sentence.strip("\n") for sentence in self.tell(records, observation.cards)]

    def _finish(self, line: Line) -> str:
        """Count hidden cards instead of listing them."""
        unseen = line.cards.count(UNSEEN)
        if not unseen:
            return super()._finish(line)
        seen = [card for card in line.cards if card != UNSEEN]
        cards = " and ".join(filter(None, [" ".join(seen), UNSEEN if unseen == 1 else f"{unseen} cards"]))
        text = line.text.replace("the {card", "{card") if not seen else line.text
        return text.replace("{cards}", cards).replace("{card}", cards)

    def _place(self, text: str) -> str:
        owner, *rest = text.split(".")
        if not rest:
            return self.owner(owner)
        words = self.place(rest[1]) or CARDS
        return f"the {words}" if owner == "table" else f"{self.owner(owner)}'s {words}"


def _renamed(sheet: Sheet | None, names: Sequence[str]) -> Sheet | None:
    """The sheet with other names for its seats, also inside phrases."""
    if sheet is None or not sheet.seat_names:
        return sheet
    renames = dict(zip(sheet.seat_names, names, strict=False))
    if all(old == new for old, new in renames.items()):
        return sheet
    pattern = re.compile(r"\b(" + "|".join(map(re.escape, renames)) + r")\b")

    def rename(text: str) -> str:
        return pattern.sub(lambda match: renames[match[1]], text)

    def renamed(saying: Phrase) -> Phrase:
        return replace(saying, tell=rename(saying.tell), pick=rename(saying.pick))

    return replace(sheet, seat_names=tuple(names), phrases=tuple(map(renamed, sheet.phrases)))
