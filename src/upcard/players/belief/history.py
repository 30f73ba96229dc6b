"""A history consistent with everything that a seat has seen.

An observation tells what its seat saw, not what happened: shuffles and hidden picks are blank. A history
fills the blanks: an outcome for every shuffle and a pick for every hidden choice, such that the game's own
code, played again from the deal, shows the seat just what it saw. Nothing but the record and the program's
own legality is used; suits and tricks are unknown here.

A card that the seat has seen since it was last shuffled keeps its part (its position in the outcome of that
shuffle). Every other card is unknown, and so is who takes its part; what the seat may infer about it is kept
as bans: a card cannot have a part that was in a place where, at some watched move, it would have made that
move impossible (whoever does not follow suit has none). How bans are found: the move is tried on the very
state at that decision, with each unknown card in turn as the only unknown one in the chooser's place.

The history itself is not more likely than others: `determinization.py` deals the unknown cards anew, all
ways alike, and plays the history again with them.
"""

from __future__ import annotations

import functools
from array import array

from upcard.engine.api import Observation, Record
from upcard.players.belief import action_match as k
from upcard.players.belief.decision_match import Deciding
from upcard.players.belief.history_steps import Inconsistent, Step
from upcard.players.belief.legality_inference import Probe

__all__ = ["History", "Inconsistent", "Step"]


class History(Deciding):
    """Told along a record, from one decision to the next."""

    def follow(self, observation: Observation) -> None:
        """Go on to what is seen now. Raises `Inconsistent`."""
        new = observation.records[len(self.records) :]
        self.records = observation.records
        for record in new:
            if record["do"] == "decision":
                self._arrive()
                self._decide(record)
                for action in record["actions"]:
                    self._see(action)
            else:
                self._see(record)
        self._arrive()
        self._meet(observation)

    def _arrive(self) -> None:
        """The state at the decision after all steps so far, as the seat saw it come about."""
        if len(self._blocks) == len(self.steps):
            self._check()
        try:
            self._mended()
        except Inconsistent:
            self._climb()

    def _meet(self, observation: Observation) -> None:
        """All that is seen now must be as the history has it; from here on worlds are checked against it."""
        for text, cards in observation.places.items():
            if ".mem." not in text and cards and None not in cards:
                for card in cards:
                    self.located[self._card(str(card))] = self._place(text)
                    self.known.add(self._card(str(card)))
        self._arrive()
        self._pack(len(self._blocks), drawing=True)

    def _decide(self, record: Record) -> None:
        for card, place, by_position in self._named(record["actions"]):
            if self.where[card] != place:
                self._try(functools.partial(self._put, card, place))
            if not by_position:
                self._surface(card, place)
            self.known.add(card)
        step = self._step(record)
        found = self._find(step)
        if record["seat"] != self.seat:
            found = self._exclude(record["seat"], step, found)
        if found:
            self._exclude_picks(step)
            self._take(step)
        else:
            self.steps.append(step)
            self._climb()

    def _surface(self, card: int, place: int) -> None:
        """An unknown card is seen to leave a place. Where cards have come there at different times, it may be
        any of them."""
        if self._sees[place] or not self.is_unknown(card):
            return
        self._surfaced.add(card)
        if len(self.watch.arrived.get(place, ())) > 1:
            came = self._arrivals()
            there = {
                (self.epoch[c], self.part[c]): came[2 * c + 1] for c in self.movable() if came[2 * c] == place
            }
            if len({*there.values()}) > 1:
                self.mates.setdefault(place, {}).update(there)

    def _exclude(self, chooser: int, step: Step, found: bool) -> bool:
        """Learn which unknown cards the chooser cannot have held; gives whether the move is possible now."""
        unknown = self.unknown()
        secret = self.machine.secret_places(chooser, self.seat)
        lying = [self.where[card] for card in unknown]
        for number in secret:
            if number not in lying:
                continue
            # by now they may lie elsewhere: what was found out about one place moves cards of another
            held = [card for card in unknown if self.where[card] == number]
            if not held:
                continue
            certain, marked = self._probe(step, number, unknown)
            if not marked:
                continue
            if certain:
                changed = self._try(functools.partial(self._ban, marked, held, unknown))
            else:
                changed = not found and self._try(functools.partial(self._hold_one, marked, held))
            if changed:
                found = self._find(step)
        return found

    def _exclude_picks(self, step: Step) -> None:
        """Learn which unknown cards cannot have been what was picked unseen, such as a king that may not be
        laid away. Where a known card may have been picked instead, nothing is learned: then the history's own
        card may have stayed, and so may whoever takes its part."""
        if step.pick_at is None or not self.is_unknown(step.hidden_cards[0]):
            return
        (token,) = step.hidden_cards
        lying, unknown = self.where, self.unknown()
        place = lying[token]
        if sum(where == place for where in lying) > sum(lying[card] == place for card in unknown):
            return
        entry = array("q", step.words(seen=k.SEEN))
        cards = self._probed(unknown)
        self.machine.code.probe_picks(self._probing(step, entry, place, cards))
        self.machine.compiled.relist(self.state.address, self.machine.work.address)
        for card in self._marked(unknown, cards):
            if self.epoch[card] == self.epoch[token]:
                self.bans[card] = self.bans.get(card, 0) | 1 << self.part[token]

    def _ban(self, cards: set[int], held: list[int], unknown: list[int]) -> bool:
        """These cards cannot have been among those held: gives whether the history had to be changed."""
        for card in cards:
            parts = (1 << self.part[c] for c in held if self.epoch[c] == self.epoch[card])
            self.bans[card] = self.bans.get(card, 0) | sum(parts)
        wrong = [card for card in held if card in cards]
        for card in wrong:
            if self.bans[card] >> self.part[card] & 1:
                everywhere = {self.part[c] for c in unknown if self.epoch[c] == self.epoch[card]}
                self._exchange(card, {part for part in everywhere if not self.bans[card] >> part & 1})
        return bool(wrong)

    def _hold_one(self, cards: set[int], held: list[int]) -> bool:
        """One of these cards must have been among those held."""
        for card in sorted(cards):
            parts = {self.part[c] for c in held if self.epoch[c] == self.epoch[card]}
            free = {part for part in parts if not self.bans.get(card, 0) >> part & 1}
            if free:
                self._exchange(card, free)
                return True
        return False

    def _probe(self, step: Step, place: int, unknown: list[int]) -> tuple[bool, set[int]]:
        """Whether the move was possible without unknown cards in a place, and which of them change that."""
        m = self.machine
        cards = self._probed(unknown)
        told = m.code.probe_held(self._probing(step, step.packed(), place, cards))
        # the workspace holds the listing of a trial now
        m.compiled.relist(self.state.address, m.work.address)
        return bool(told), self._marked(unknown, cards)

    def _probing(self, step: Step, entry: array[int], place: int, cards: array[int]) -> Probe:
        """For kernels that probe."""
        m = self.machine
        if m.probe is None:
            stream, tally = m.spare
            facts = {"game": m.facts, "swaps": m.same, "room": m.room.address, "work": m.work.address}
            m.probe = Probe.pack(
                **facts, stream=stream, tally=tally, step=0, before=0, begin=0, place=0, cards=0, count=0
            )
        probe: Probe = m.probe
        probe.update(
            step=entry.buffer_info()[0],
            before=self.state.address,
            begin=self.begin(step.pc),
            place=place,
            cards=cards.buffer_info()[0],
            count=len(cards) // 3,
        )
        return probe

    @staticmethod
    def _probed(cards: list[int]) -> array[int]:
        """Cards as `legality_inference` want them."""
        words = array("q", bytes(24 * len(cards)))
        words[::3] = array("q", cards)
        return words

    @staticmethod
    def _marked(cards: list[int], probed: array[int]) -> set[int]:
        return {card for card, mark in zip(cards, probed[2::3], strict=True) if mark}
