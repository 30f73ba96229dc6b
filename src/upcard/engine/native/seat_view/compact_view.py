"""What a seat sees at one moment: words that machine code wrote, and fields of an observation made of them.

A view holds nothing that its seat does not see: for two deals that a seat cannot tell apart, its bytes are
equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from upcard.engine.native.seat_view.record_chain import RecordLink
from upcard.engine.native.seat_view.step import HEAD_WORDS
from upcard.engine.native.seat_view.view_reader import ViewReader, unpack

_TABLE = frozenset(("teams", "places", "backs", "integers", "strings", "points", "cycles"))


class CompactView:
    __slots__ = ("_words", "data", "given", "history", "reader", "seat")

    def __init__(
        self,
        reader: ViewReader,
        seat: int,
        data: bytes,
        history: RecordLink | None,
        given: Mapping[tuple[int, str], int],
    ) -> None:
        self.reader, self.seat = reader, seat
        self.data = data
        """The words of `ViewHead` and of what follows, up to the history."""
        self.history = history
        self.given = given
        """Storages that the match set, which all seats see."""
        self._words: tuple[int, ...] | None = None

    def fields(self, name: str) -> dict[str, Any]:
        """A field of the observation, with others that are read at the same time."""
        reader = self.reader
        if name == "records":
            return {name: () if self.history is None else self.history.records(reader)}
        if name == "cards":
            return {name: {card: dict(face) for card, face in reader.faces.items()}}
        if self._words is None:
            self._words = unpack(self.data)
        moves_at, memory_at, _ = self._words[:HEAD_WORDS]
        if name in _TABLE:
            return reader.table(self._words, HEAD_WORDS, self.given)
        if name == "memory":
            return {name: reader.memory(self._words, memory_at)}
        assert name == "moves", f"observations have no field {name}"
        return {name: reader.moves(self._words, moves_at, self.seat) if moves_at else ()}
