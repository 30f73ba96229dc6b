"""The bytes of an observation: all parts one behind the other."""

from __future__ import annotations

from upcard.encoding.card_parts import CardsPart
from upcard.encoding.content import Content
from upcard.encoding.fields import Decoded, Field, Seen, in_row, seats_from
from upcard.encoding.parts import SeatPart, TeamsPart, parts_of
from upcard.engine.api import Record


class ObservationRow:
    """Writes and reads the encoded observations of one game."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.parts = [*parts_of(content)]
        self.fields = in_row(
            Field(part.name, 0, part.size, part.highest, part.meaning, part.values) for part in self.parts
        )
        self.size = sum(field.size for field in self.fields)

    def write(self, seen: Seen) -> bytes:
        return b"".join([part.write(seen) for part in self.parts])

    def read(self, data: bytes) -> Record:
        """What the bytes say. Bytes that no observation has raise `ValueError` or `LookupError`."""
        content = self.content
        pieces = [
            (part, data[field.offset : field.offset + field.size])
            for part, field in zip(self.parts, self.fields, strict=True)
        ]
        (seat,) = [piece.index(1) for part, piece in pieces if isinstance(part, SeatPart)]
        found = Decoded(seats_from(seat, content.seats), content.fixed_teams)
        # the order of storages depends on the teams
        pieces.sort(key=lambda pair: not isinstance(pair[0], TeamsPart))
        for part, piece in pieces:
            part.read(piece, found)
        return {
            "seat": seat,
            "to_move": found.to_move,
            "phase": found.phase,
            "teams": found.members,
            "places": self._places(found),
            "hidden": found.hidden,
            "integers": found.integers,
            "strings": found.strings,
            "cycles": {"seats": found.seat_cycles, "teams": found.team_cycles},
        }

    def _places(self, found: Decoded) -> dict[str, list[str]]:
        """The cards that the seat sees, by place."""
        places = dict(found.memories)
        for part in self.parts:
            if not isinstance(part, CardsPart):
                continue
            texts, lying = part.places.texts(found.seats), found.lying[part.name]
            depths = found.depths.get(part.name, [0] * len(lying))
            cards = sorted(
                ((-depth, number) for number, depth in enumerate(depths) if lying[number] >= 0),
            )
            for _, number in cards:
                places.setdefault(texts[lying[number]], []).append(part.ids[number])
        return places
