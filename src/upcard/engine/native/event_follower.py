"""Follows a game by its event log: the table, what the seats know and the record, made when they are read.

Playing only adds to a log. It has the words of stepping code as bytes, with an event for every decision
(`seat_view/seat_log.py`), and records that are not in the words. A follower reads what is new since it was
read last, event by event, so that knowledge is judged right after each action, and from there on everything
is as in the reference engine.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from upcard.engine.api import Given, Place, Record
from upcard.engine.native.event_log import apply_event, apply_stage, read_events
from upcard.engine.native.lower.runtime import STAGE
from upcard.engine.native.seat_view.seat_log import DECISION, VALUE
from upcard.engine.shared import views
from upcard.engine.shared.alternatives import Picked
from upcard.engine.shared.effect_records import record
from upcard.engine.shared.flat_program import StageStep
from upcard.engine.shared.given import given_storages
from upcard.engine.shared.knowledge import Effect, Knowledge
from upcard.engine.shared.table import Table, single_seats
from upcard.recycle.kinds import Kind

if TYPE_CHECKING:
    from upcard.engine.native.game import NativeGame
    from upcard.engine.native.lower.card_faces import CardFace

Entry: TypeAlias = bytes | Record
"""Of a log: words, or a record."""


class EventFollower:
    """A game as far as its log has been read."""

    def __init__(self, game: NativeGame, given: Given) -> None:
        self._game = game
        self._given = given
        self.table = Table(game.seats, 0, game.facts.order, all_ordered=False)
        if game.program.setup.teams is None:
            self.table.make_teams(single_seats(game.seats))
        self.knowledge = Knowledge(game.seats)
        self.records: list[Record] = []
        self._read = 0
        """Entries of the log that have been read."""
        self._dealt = False
        """The setup, which comes before all other words, has been read."""
        self.owner: object = None
        """The state that may change it."""

    def copy(self) -> EventFollower:
        other = EventFollower.__new__(EventFollower)
        other.__dict__.update(self.__dict__)
        other.table, other.knowledge = self.table.copy(), self.knowledge.copy()
        other.records = list(self.records)
        return other

    def replace(self, table: Table, knowledge: Knowledge, records: list[Record], entries: int) -> None:
        """Puts in what another engine made of the first entries of the log."""
        self.table, self.knowledge, self.records, self._read = table, knowledge, records, entries

    def is_behind(self, log: Sequence[Entry]) -> bool:
        return self._read < len(log)

    def follow(self, log: Sequence[Entry], faces: Sequence[CardFace]) -> None:
        """Reads the rest of the log. `faces` are all cards that there are now."""
        for entry in log[self._read :]:
            self._read += 1
            if not isinstance(entry, bytes):
                self.records.append(entry)
                continue
            self._read_words(struct.unpack(f"<{len(entry) // 8}q", entry), faces)
            if not self._dealt:
                self.table.ints.update(given_storages(self._given))
                self._dealt = True

    def _read_words(self, words: Sequence[int], faces: Sequence[CardFace]) -> None:
        table = self.table
        at = 0
        entry: Record | None = None
        picked: list[dict[int, list[Place]]] = []
        effects: list[Effect] = []
        acted = -1
        for kind, values in read_events(words):
            if entry is not None and at == acted:
                self._end_decision(entry, picked, effects)
                entry = None
            at += 2 + len(values)
            if kind == DECISION:
                entry, picked = self._decision(values)
                self.records.append(entry)
                effects, acted = [], at + values[0]
                continue
            if kind == STAGE:
                step = self._game.code[values[0]]
                assert isinstance(step, StageStep)
                line = self._game.program.source.line(step.stage.span.start)
                self.records.append(apply_stage(table, step, line))
                continue
            effect = apply_event(self._game.words, table, kind, values, faces)
            self.knowledge.learn(effect, table)
            (self.records if entry is None else entry["actions"]).append(record(effect, table))
            effects.append(effect)
        if entry is not None:
            self._end_decision(entry, picked, effects)

    def _end_decision(
        self, entry: Record, picked: list[dict[int, list[Place]]], effects: list[Effect]
    ) -> None:
        entry["seen"] = views.picks_seen(self._game.seats, picked, effects)

    def _decision(self, values: Sequence[int]) -> tuple[Record, list[dict[int, list[Place]]]]:
        """The record of a decision, and the places of the cards of each pick."""
        words = self._game.words
        _, number, _, alternatives, index, item, copy, made = values[:8]
        picks: list[Picked] = []
        places: list[dict[int, list[Place]]] = []
        at = 8
        for _ in range(made):
            site, count = values[at], values[at + 1]
            at += 2
            kind, as_place = words.lowered.sites[site]
            if count == VALUE:
                element: Any = values[at]
                if kind is Kind.STR:
                    element = words.strings[element]
                elif as_place:
                    element = words.places[element]
                at += 1
                places.append({})
            else:
                cards = values[at : at + 2 * count : 2]
                homes = values[at + 1 : at + 2 * count : 2]
                element = cards[0] if kind is Kind.CARD else tuple(cards)
                at += 2 * count
                places.append({card: [words.places[home]] for card, home in zip(cards, homes, strict=True)})
            picks.append(Picked(site, element, kind))
        entry = views.decision_record(self.table, number, alternatives, index, item, picks, copy)
        return entry, places
