"""Relaxed history for seats without a consistent one: deals cards anew at every decision.

A history (`history.py`) is one deal in which everything that was watched would have been possible. Where
none is found, this still gives a whole state at the present decision. It goes along the record from one
decision to the next; at each of them the hidden cards may be dealt anew, as the seat sees and remembers
them (recycle.md 27.5), until the watched move leads to what was seen next, with other cards perhaps, which
then change places. Nothing asks whether that deal would have allowed the moves before. What it is good for
is what guesses (`memoryless.py`) are made of: who is to decide what, what is stored, and how many cards lie
where.
"""

from __future__ import annotations

import ctypes
from array import array
from collections import Counter
from collections.abc import Mapping
from typing import Any

from upcard.engine.api import Limits, Observation, Place, Record
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.resample_plan import Plan, make_plan, sampling
from upcard.engine.native.state_memory import MASK, Memory, read_table
from upcard.engine.rng import Stream
from upcard.engine.shared.knowledge import Knowledge
from upcard.players.belief.decision_match import Deciding
from upcard.players.belief.history_steps import Inconsistent
from upcard.players.search.search_code import SearchCode

TRIES = 200
"""Deals tried at a decision."""


class Recalled(Deciding):
    """Told along a record, from one decision to the next."""

    def __init__(self, machine: SearchCode, seat: int, limits: Limits) -> None:
        super().__init__(machine, seat, limits)
        self._watched: Record | None = None
        """The decision that the state is at, where it is known how it went on."""
        self._lying: dict[int, int] = {}
        """Cards that the seat knows to have been in a certain place then."""
        self._tops: list[tuple[int, int, int]] = []
        """Those that were taken by position: card, place, how many had been taken so from there before."""

    def follow(self, observation: Observation) -> None:
        """Go on to what is seen now. Raises `Inconsistent`."""
        new = observation.records[len(self.records) :]
        self.records = observation.records
        since: list[Record] = []
        for record in new:
            lines = [record]
            if record["do"] == "decision":
                self._arrive(since)
                self._watched, self._lying, since = record, self._known_places(), []
                lines = record["actions"]
            for line in lines:
                self._see(line)
            since += lines
        self._arrive(since)
        self._order(observation)

    def _known_places(self) -> dict[int, int]:
        return {card: place for card, place in enumerate(self.located) if place >= 0}

    def _arrive(self, since: list[Record]) -> None:
        """The state at the next decision, after what has been seen since the last one."""
        if self._watched is not None:
            self._lying.update((card, place) for card, place, _ in self._named(since))
            self._tops = self._taken(since)
            self._go_on(self._watched)
        elif not self._blocks:
            # nothing has been decided, so there is a history: any deal with the cards that were seen
            self._check()
            self._mended()
        self._watched = None

    def _taken(self, lines: list[Record]) -> list[tuple[int, int, int]]:
        """Cards that are seen to come off places where they were hidden."""
        found = []
        taken: Counter[int] = Counter()
        for line in lines:
            if line["do"] == "move" and "by_position" in line:
                place = self._place(line["from"])
                if line["card"] is not None and not self._sees[place]:
                    found.append((self._card(line["card"]), place, taken[place]))
                taken[place] += 1
        return found

    def _go_on(self, record: Record) -> None:
        """Deal the hidden cards until the watched move leads to what was seen next."""
        m, seen = self.machine, self.watch.words()
        m.listed = self
        m.work.limits(self.limits.decisions, self.limits.steps)
        m.code.stack(m.base, m.work.address, self.address, m.same)
        begin = self.begin(self.pc)
        start, place = self.state.copy(), self.where
        chance = Stream((self.seat, len(self.steps)))
        stream = (ctypes.c_int64 * 4)(*(signed(word) for word in chance.state))
        plan: Plan | None = None
        for tried in range(TRIES):
            if tried or any(place[card] != there for card, there in self._lying.items()):
                if plan is None:
                    plan = self._plan(start)
                sampling().resample(
                    self.state.address, plan.base.address, plan.address, ctypes.addressof(stream)
                )
                m.code.fresh_chance(m.base, self.state.address, signed(chance.next()))
            if tried % 2 == 0:
                self._lay_on_top()
            if self._can_go_on(record, begin, seen):
                return
        raise Inconsistent(f"decision {len(self.steps)} was impossible however the cards were dealt")

    def _can_go_on(self, record: Record, begin: int, seen: array[int]) -> bool:
        """Carry out the watched move; gives whether it is possible and leads to what was seen next."""
        m, words = self.machine, self.state.words
        at = m.layout.words
        pc = words[at["pc"]]
        words[at["pc"]] = begin
        m.compiled.advance(self.state.address, m.work.address)
        if words[at["ending"]] or words[at["pc"]] != pc:
            return False
        try:
            step = self._step(record)
        except Inconsistent:
            return False
        if not self._find(step):
            return False
        m.compiled.apply(self.state.address, m.work.address, step.index)
        if not words[at["ending"]]:
            m.compiled.advance(self.state.address, m.work.address)
        if words[at["ending"]]:
            return False
        address = seen.buffer_info()[0]
        if not m.code.is_as_seen(m.base, self.state.address, address):
            self._bring_to_sight()
            if not m.code.is_as_seen(m.base, self.state.address, address):
                return False
        self.steps.append(step)
        return True

    def _lay_on_top(self) -> None:
        """Cards that were taken by position lay on top, most likely."""
        layout = self.machine.layout
        for card, place, before in self._tops:
            listed = layout.list_offsets[place]
            lying = self.state.cards(listed, layout.card_bytes) if listed >= 0 else []
            if card in lying and before < len(lying):
                exchange(self.machine, self.state, self.where, card, lying[-1 - before])

    def _bring_to_sight(self) -> None:
        """Let the cards that were seen lie where they were seen, in exchange for others that do."""
        layout, words, where = self.machine.layout, self.state.words, self.where
        backs = [card.back for card in layout.cards]
        width = 64 * layout.set_words
        for place, wanted in self.watch.shown.items():
            first = layout.sets_at // 8 + place * layout.set_words
            there = sum((words[first + w] & MASK) << (64 * w) for w in range(layout.set_words))
            if wanted is None or there == wanted or there.bit_count() != wanted.bit_count():
                continue
            wrong = [card for card in range(width) if there >> card & 1 > wanted >> card & 1]
            for card in range(width):
                if wanted >> card & 1 > there >> card & 1:
                    other = next((c for c in wrong if backs[c] == backs[card]), None)
                    if other is None:
                        return
                    wrong.remove(other)
                    exchange(self.machine, self.state, where, card, other)

    def _plan(self, state: Memory) -> Plan:
        """For dealing the hidden cards of a state, but those whose places were known then."""
        places = self.machine.layout.places
        return plan_by(
            self.machine, state, self.seat, {card: {places[there]} for card, there in self._lying.items()}
        )

    def _order(self, observation: Observation) -> None:
        """Cards that are seen lie in the order in which they are seen."""
        layout = self.machine.layout
        sort = ctypes.c_uint8 if layout.card_bytes == 1 else ctypes.c_uint16
        for text, cards in observation.places.items():
            listed = layout.list_offsets[self._place(text)]
            if ".mem." not in text and listed >= 0 and cards and None not in cards:
                lying = (sort * len(cards)).from_buffer(self.state.words, listed + 8)
                lying[:] = [self._card(str(card)) for card in cards]

    def remembered(self, observation: Observation) -> Plan:
        """For dealing the hidden cards of the present state as the seat remembers them. Which of those in a
        place lies where in it is not asked for."""
        places, numbers = self.machine.layout.places, self.machine.places
        may = {
            self._card(card): {places[numbers[text]] for text in known["where"]}
            for card, known in observation.memory.items()
        }
        return plan_by(self.machine, self.state, self.seat, may)


def exchange(machine: SearchCode, state: Memory, where: ctypes.Array[Any], one: int, other: int) -> None:
    """Two cards change places, each to where the other one lay."""
    layout, words = machine.layout, state.words
    sort = ctypes.c_uint8 if layout.card_bytes == 1 else ctypes.c_uint16
    for place in {where[one], where[other]}:
        at = layout.list_offsets[place]
        if at >= 0:
            listed = (sort * words[at // 8]).from_buffer(words, at + 8)
            turned = {one: other, other: one}
            listed[:] = [turned.get(card, card) for card in listed]
    for place in (where[one], where[other]):
        for card in (one, other):
            word = layout.sets_at // 8 + place * layout.set_words + (card >> 6)
            words[word] = signed(words[word] & MASK ^ 1 << (card & 63))
    where[one], where[other] = where[other], where[one]


def plan_by(machine: SearchCode, state: Memory, seat: int, may: Mapping[int, set[Place]]) -> Plan:
    """For dealing the hidden cards of a state: those that are named into one of some places, all others
    anywhere."""
    words = machine.game.words
    table = read_table(words, state)
    knowledge, everywhere = Knowledge(machine.layout.seats), set(words.places)
    knowledge.where[seat] = [may.get(card, everywhere) for card in range(len(table.cards))]
    knowledge.placed[seat] = [False] * len(table.cards)
    return make_plan(words, state, table, knowledge, seat)
