"""Relaxed history for seats without a consistent one: deals hidden cards anew at every decision.

A consistent history (`history`) is one deal in which everything that was seen was possible. Where none is
found, a relaxed history still gives a full state at the present decision. It follows the record from decision
to decision. At each of them the hidden cards may be dealt anew, as the seat sees and remembers them, until
the recorded move leads to what was seen next; cards that were seen elsewhere then change places with others.
It does not ask whether that deal would have allowed the earlier moves. Memoryless determinizations
(`memoryless`) take from it who decides what, what is stored, and how many cards lie where.
"""

from __future__ import annotations

import ctypes
from array import array
from collections import Counter
from collections.abc import Mapping
from typing import Any

from upcard.engine.api import Limits, Observation, Place, Record
from upcard.engine.native import machine_memory
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.resample_plan import Plan, make_plan, sampling
from upcard.engine.native.state_memory import MASK, Memory, read_table
from upcard.engine.rng import Stream
from upcard.engine.shared.knowledge import Knowledge
from upcard.players.belief.decision_match import DecisionMatch
from upcard.players.belief.evidence import Evidence
from upcard.players.belief.history_replay import Replay
from upcard.players.belief.history_steps import Inconsistent
from upcard.players.belief.hypothesis import Hypothesis
from upcard.players.belief.repair import Repair
from upcard.players.search.search_code import SearchCode

TRIES = 200
"""Deals tried at a decision."""


class RelaxedHistory:
    """A state that shows a seat what it sees now, extended from decision to decision."""

    def __init__(self, machine: SearchCode, seat: int, limits: Limits) -> None:
        self.evidence = Evidence(machine, seat)
        self.hypothesis = Hypothesis(self.evidence)
        self.replay = Replay(self.evidence, self.hypothesis, limits)
        self._match = DecisionMatch(self.evidence, self.hypothesis, self.replay)
        self._repair = Repair(self.evidence, self.hypothesis, self.replay)
        self._machine = machine
        self._state = self.replay.state
        self._pending: Record | None = None
        """The decision that the state is at, if the record goes on after it."""
        self._lying: dict[int, int] = {}
        """Cards that the seat knows to have been in a certain place then."""
        self._tops: list[tuple[int, int, int]] = []
        """Cards that were then taken by position: card, place, how many had been taken so from there
        before."""

    def follow(self, observation: Observation) -> None:
        """Extend the history to what the seat sees now. Raises `Inconsistent`."""
        since: list[Record] = []
        for record in self.evidence.extend(observation.records):
            lines = [record]
            if record["do"] == "decision":
                self._arrive(since)
                self._pending, since = record, []
                self._lying = {card: place for card, place in enumerate(self.evidence.located) if place >= 0}
                lines = record["actions"]
            self.hypothesis.known.update(self.evidence.read(record))
            since += lines
        self._arrive(since)
        self._finish(observation)

    def remembered(self, observation: Observation) -> Plan:
        """A plan for dealing the hidden cards of the present state as the seat remembers them, whatever their
        order within a place."""
        places, numbers = self._machine.layout.places, self._machine.places
        may = {
            self.evidence.card(card): {places[numbers[text]] for text in known["where"]}
            for card, known in observation.memory.items()
        }
        return plan_by(self._machine, self._state, self.evidence.seat, may)

    def _arrive(self, since: list[Record]) -> None:
        """Bring the state to the next decision, after these lines since the last one."""
        if self._pending is not None:
            self._lying.update((card, place) for card, place, _ in self.evidence.taken(since))
            self._tops = self._taken_by_position(since)
            self._go_on(self._pending)
        elif not self.evidence.views:
            # before the first decision every deal with the cards that were seen is consistent
            self.evidence.keep_view()
            self._repair.repair()
        self._pending = None

    def _taken_by_position(self, lines: list[Record]) -> list[tuple[int, int, int]]:
        """Cards that are seen to come off places where they were hidden."""
        found = []
        taken: Counter[int] = Counter()
        for line in lines:
            if line["do"] == "move" and "by_position" in line:
                place = self.evidence.place(line["from"])
                if line["card"] is not None and not self.evidence.visible[place]:
                    found.append((self.evidence.card(line["card"]), place, taken[place]))
                taken[place] += 1
        return found

    def _go_on(self, record: Record) -> None:
        """Deal the hidden cards until the recorded move leads to what was seen next."""
        m, view, number = self._machine, self.evidence.table.words(), len(self.hypothesis.steps)
        self.replay.prepare()
        begin = self.replay.listing_pc
        start, where = self._state.copy(), self.replay.where
        chance = Stream((self.evidence.seat, number))
        stream = machine_memory.words_of([signed(word) for word in chance.state])
        plan: Plan | None = None
        for tried in range(TRIES):
            if tried or any(where[card] != there for card, there in self._lying.items()):
                if plan is None:
                    places = m.layout.places
                    may = {card: {places[there]} for card, there in self._lying.items()}
                    plan = plan_by(m, start, self.evidence.seat, may)
                sampling(m.compiled.backend).resample(
                    self._state.address, plan.base.address, plan.address, ctypes.addressof(stream)
                )
                m.code.fresh_chance(m.base, self._state.address, signed(chance.next()))
            if tried % 2 == 0:
                self._lay_on_top()
            if self._play(record, begin, view):
                return
        raise Inconsistent(f"decision {number} was impossible however the cards were dealt")

    def _play(self, record: Record, begin: int, view: array[int]) -> bool:
        """Play the recorded move; returns whether it is possible and leads to what was seen next."""
        m, state, words = self._machine, self._state.address, self._state.words
        at = m.layout.words
        pc = words[at["pc"]]
        words[at["pc"]] = begin
        m.compiled.advance(state, m.work.address)
        if words[at["ending"]] or words[at["pc"]] != pc:
            return False
        try:
            step = self._match.step(record)
        except Inconsistent:
            return False
        if not self._match.find(step):
            return False
        m.compiled.apply(state, m.work.address, step.index)
        if not words[at["ending"]]:
            m.compiled.advance(state, m.work.address)
        if words[at["ending"]]:
            return False
        seen = view.buffer_info()[0]
        if not m.code.is_as_seen(m.base, state, seen) and not (
            self._show_all() and m.code.is_as_seen(m.base, state, seen)
        ):
            return False
        self.hypothesis.add_step(step)
        return True

    def _lay_on_top(self) -> None:
        """Put cards that were taken by position on top, where they most likely lay."""
        layout = self._machine.layout
        for card, place, before in self._tops:
            listed = layout.list_offsets[place]
            lying = self._state.cards(listed, layout.card_bytes) if listed >= 0 else []
            if card in lying and before < len(lying):
                exchange(self._machine, self._state, self.replay.where, card, lying[-1 - before])

    def _show(self, place: int, wanted: int) -> bool:
        """Put a set of cards into the place where they were seen, in exchange for others that lie there;
        returns whether that is possible."""
        layout = self._machine.layout
        backs = [card.back for card in layout.cards]
        first = layout.sets_at // 8 + place * layout.set_words
        words = self._state.words[first : first + layout.set_words]
        there = sum((word & MASK) << (64 * w) for w, word in enumerate(words))
        wrong, missing = _cards_of(there & ~wanted), _cards_of(wanted & ~there)
        for card in missing:
            other = next((c for c in wrong if backs[c] == backs[card]), None)
            if other is None:
                return False
            wrong.remove(other)
            exchange(self._machine, self._state, self.replay.where, card, other)
        return not wrong

    def _show_all(self) -> bool:
        """Put cards where the record says that they were seen; returns whether that is possible."""
        shown = self.evidence.table.shown.items()
        return all(self._show(place, wanted) for place, wanted in shown if wanted is not None)

    def _finish(self, observation: Observation) -> None:
        """Put visible cards where they are seen now, in the order in which they are seen. The record alone
        does not tell all of them: after two hands were exchanged, a seat sees cards that no line names."""
        layout = self._machine.layout
        sort = ctypes.c_uint8 if layout.card_bytes == 1 else ctypes.c_uint16
        for text, cards in observation.places.items():
            if ".mem." in text or not cards or None in cards:
                continue
            place, seen = self.evidence.place(text), [self.evidence.card(str(card)) for card in cards]
            if not self._show(place, sum(1 << card for card in seen)):
                raise Inconsistent(f"other cards lie in {text} than are seen there")
            listed = layout.list_offsets[place]
            if listed >= 0:
                (sort * len(seen)).from_buffer(self._state.words, listed + 8)[:] = seen


def _cards_of(bits: int) -> list[int]:
    return [card for card in range(bits.bit_length()) if bits >> card & 1]


def exchange(machine: SearchCode, state: Memory, where: ctypes.Array[Any], one: int, other: int) -> None:
    """Exchange two cards in a state: each goes to where the other one lay."""
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
    """A plan for dealing the hidden cards of a state: those in `may` to one of their places, all others
    anywhere."""
    words = machine.game.words
    table = read_table(words, state)
    knowledge, everywhere = Knowledge(machine.layout.seats), set(words.places)
    knowledge.where[seat] = [may.get(card, everywhere) for card in range(len(table.cards))]
    knowledge.placed[seat] = [False] * len(table.cards)
    return make_plan(words, state, table, knowledge, seat)
