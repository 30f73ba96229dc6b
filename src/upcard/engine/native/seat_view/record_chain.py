"""A seat's record as it grows: a chain of events that the seat saw, decoded when they are read.

Every observation holds the last link at its time. A link leads to earlier ones only, so an observation
neither changes nor reaches what its seat saw later. Observations of the same seat share their links.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

from upcard.engine.api import Pick, Record
from upcard.engine.native.event_log import apply_stage, read_events
from upcard.engine.native.lower.runtime import CYCLE, STAGE, TEAMS
from upcard.engine.native.seat_view.seat_log import DECISION, DONE, UNSEEN, VALUE
from upcard.engine.shared.table import Table

if TYPE_CHECKING:
    from upcard.engine.native.seat_view.view_reader import ViewReader


class RecordLink:
    """Events that follow those of the link before: as the kernels wrote them, or records as they are."""

    __slots__ = ("_cycles", "_events", "_records", "before")

    def __init__(
        self, before: RecordLink | None, events: bytes, records: tuple[Record, ...] | None = None
    ) -> None:
        self.before = before
        self._events = events
        self._records = records
        self._cycles: Table | None = None
        """Teams and cycles after these events, which records of stages name."""

    def records(self, reader: ViewReader) -> tuple[Record, ...]:
        """All records up to here."""
        found: list[Record] = []
        for link in self._links():
            found += link._own_records(reader)
        return tuple(found)

    def events(self) -> bytes:
        """The words of all events up to here."""
        return b"".join(link._events for link in self._links())

    def _links(self) -> list[RecordLink]:
        """The chain from its beginning to this link."""
        links = []
        link: RecordLink | None = self
        while link is not None:
            links.append(link)
            link = link.before
        return links[::-1]

    def _own_records(self, reader: ViewReader) -> tuple[Record, ...]:
        """The links before have been read already."""
        if self._cycles is None:
            before = None if self.before is None else self.before._cycles
            self._cycles = reader.first_cycles() if before is None else before.copy()
            if self._records is None:
                self._records = tuple(read_records(reader, self._events, self._cycles))
        assert self._records is not None
        return self._records


def read_records(reader: ViewReader, events: bytes, cycles: Table) -> list[Record]:
    """The records of a seat's events."""
    words = struct.unpack(f"<{len(events) // 8}q", events)
    records: list[Record] = []
    into = records
    for kind, values in read_events(words):
        if kind == DECISION:
            records.append(_decision(reader, values))
            into = records[-1]["actions"]
        elif kind == DONE:
            into = records
        elif kind == STAGE:
            into.append(apply_stage(cycles, reader.stages[values[0]], reader.lines[values[0]]))
        else:
            if kind == CYCLE:
                index, queue = cycles.seat_cycles[-1]
                cycles.set_cycle(*((values[1], queue) if values[0] else (index, values[1])))
            elif kind == TEAMS:
                cycles.make_teams(reader.words.teams(values[0], values[1:], cycles.seats))
            into.append(reader.event(kind, values))
    return records


def _decision(reader: ViewReader, values: Sequence[int]) -> Record:
    record: Record = {"do": "decision", "number": values[1], "seat": values[2]}
    alternatives = item = copy = None
    picks: list[Pick] | None = None
    if values[0]:
        alternatives, item, copy, made = values[3:7]
        picks, at = [], 7
        for _ in range(made):
            site, count = values[at], values[at + 1]
            at += 2
            if count == UNSEEN:
                picks.append({reader.pick_word(site): None})
                continue
            size = 1 if count == VALUE else count
            picks.append(reader.pick(site, values[at : at + size]))
            at += size
    return record | {
        "alternatives": alternatives,
        "index": None,
        "item": item,
        "picks": picks,
        "copy": None if copy == -1 else copy,
        "actions": [],
    }
