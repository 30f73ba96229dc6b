"""A history consistent with everything that a seat has seen.

An observation tells what its seat saw, not what happened: outcomes of shuffles and hidden picks are missing.
A history fills them in, such that the game's own code, replayed from the deal, shows the seat exactly what it
saw. Only the record and the program's legality are used; nothing here knows suits or tricks. Its parts:

    Evidence       what the seat saw
    Hypothesis     what is assumed about hidden events, and inferred about unknown cards
    Replay         the state that the hypothesis leads to, by the game's own code
    DecisionMatch  steps for the decisions of the record
    CardExclusion  inference from the legality of observed moves
    Repair         directed exchanges of cards where the replay shows something else
    HillClimb      random exchanges where directed ones do not help

A history is not more likely than others of the same information set: `determinization` deals the unknown
cards anew, uniformly, and replays the history with them.
"""

from __future__ import annotations

import functools

from upcard.engine.api import Limits, Observation, Record
from upcard.players.belief.card_exclusion import CardExclusion
from upcard.players.belief.decision_match import DecisionMatch
from upcard.players.belief.evidence import Evidence
from upcard.players.belief.hill_climb import HillClimb
from upcard.players.belief.history_replay import Replay
from upcard.players.belief.history_steps import Inconsistent
from upcard.players.belief.hypothesis import Hypothesis
from upcard.players.belief.repair import Repair
from upcard.players.search.search_code import SearchCode

__all__ = ["History", "Inconsistent"]


class History:
    """One consistent history of a seat, extended from decision to decision."""

    def __init__(
        self, machine: SearchCode, seat: int, limits: Limits, earlier: History | None = None
    ) -> None:
        """`earlier`: a failed attempt, whose hypothesis helps to find a better one from the beginning."""
        self.evidence = Evidence(machine, seat)
        self.hypothesis: Hypothesis = Hypothesis(self.evidence, earlier.hypothesis if earlier else None)
        self.replay = Replay(self.evidence, self.hypothesis, limits)
        self._match = DecisionMatch(self.evidence, self.hypothesis, self.replay)
        self._exclusion = CardExclusion(self.hypothesis, self.replay, self._match)
        self._repair = Repair(self.evidence, self.hypothesis, self.replay)
        self._hill = HillClimb(self.evidence, self.hypothesis, self.replay)

    def follow(self, observation: Observation) -> None:
        """Extend the history to what the seat sees now. Raises `Inconsistent`."""
        evidence, hypothesis = self.evidence, self.hypothesis
        for record in evidence.extend(observation.records):
            if record["do"] == "decision":
                self._arrive()
                self._decide(record)
            hypothesis.known.update(evidence.read(record, hypothesis.surfaced))
        self._arrive()
        hypothesis.known.update(evidence.look(observation.places))
        self._arrive()
        self.replay.pack(len(evidence.views), drawing=True)

    def _arrive(self) -> None:
        """Bring the replay to the decision after all steps so far, such that it shows what the seat saw."""
        self.evidence.keep_view()
        try:
            self._repair.repair()
        except Inconsistent:
            self._hill.climb()

    def _decide(self, record: Record) -> None:
        """Add the step of a decision, and infer from it what hidden cards cannot be."""
        evidence, hypothesis, where = self.evidence, self.hypothesis, self.replay.where
        for card, place, by_position in evidence.taken(record["actions"]):
            if where[card] != place:
                self.replay.attempt(functools.partial(self._repair.put, card, place))
            if not by_position:
                self._surface(card, place)
            hypothesis.known.add(card)
        step = self._match.step(record)
        possible = self._match.find(step)
        if record["seat"] != evidence.seat:
            places = evidence.machine.secret_places(record["seat"], evidence.seat)
            possible = self._exclusion.exclude_held(step, places, possible)
        if possible:
            self._exclusion.exclude_picks(step)
            if self.replay.take(step):
                return
        else:
            hypothesis.add_step(step)
        self._hill.climb()

    def _surface(self, card: int, place: int) -> None:
        """An unknown card is seen to leave a hidden place. Where cards came there at different times, it may
        be any of them."""
        hypothesis = self.hypothesis
        if self.evidence.visible[place] or card not in hypothesis.unknown():
            return
        hypothesis.surfaced.add(card)
        if len(self.evidence.table.arrived.get(place, ())) > 1:
            came = self.replay.arrivals()
            there = {
                (hypothesis.shuffle_of[c], hypothesis.position[c]): came[2 * c + 1]
                for c in hypothesis.movable()
                if came[2 * c] == place
            }
            if len({*there.values()}) > 1:
                hypothesis.arrivals.setdefault(place, {}).update(there)
