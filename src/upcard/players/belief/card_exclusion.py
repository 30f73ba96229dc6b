"""Infers from the legality of observed moves which positions unknown cards cannot have had.

A move is tried on the state of its decision with each unknown card in turn as the only unknown one in a place
of the chooser: where that makes the move impossible, the chooser did not hold the card (a seat that does not
follow suit has no card of the suit).
"""

from __future__ import annotations

import functools
from array import array
from collections.abc import Collection
from dataclasses import dataclass

from upcard.players.belief import action_match as k
from upcard.players.belief.decision_match import DecisionMatch
from upcard.players.belief.history_replay import Replay
from upcard.players.belief.history_steps import Step
from upcard.players.belief.hypothesis import Hypothesis
from upcard.players.belief.legality_inference import Probe


@dataclass(frozen=True)
class CardExclusion:
    """Excludes positions for unknown cards, and exchanges cards that have an excluded one."""

    hypothesis: Hypothesis
    replay: Replay
    match: DecisionMatch

    def exclude_held(self, step: Step, places: list[int], possible: bool) -> bool:
        """Infer which unknown cards were not in the chooser's hidden places; `possible`: whether the step is
        an alternative of the replay. Returns whether it is one afterwards."""
        unknown, where = self.hypothesis.unknown(), self.replay.where
        lying = {where[card] for card in unknown}
        for place in places:
            if place not in lying:
                continue
            # cards may have moved: what was inferred for one place exchanges cards of another
            held = [card for card in unknown if where[card] == place]
            if not held:
                continue
            certain, marked = self._probe(step, place, unknown)
            if not marked:
                continue
            if certain:
                change = functools.partial(self._exclude, marked, held, unknown)
            else:
                change = functools.partial(self._hold_one, marked, held)
            if (certain or not possible) and self.replay.attempt(change):
                possible = self.match.find(step)
        return possible

    def exclude_picks(self, step: Step) -> None:
        """Infer which unknown cards cannot have been a hidden pick, such as a king that may not be discarded.
        Nothing is inferred where a known card may have been picked instead: then the card that the replay
        picks may have stayed where it was."""
        hypothesis, where = self.hypothesis, self.replay.where
        if step.pick_at is None or step.hidden_cards[0] not in hypothesis.unknown():
            return
        (picked,) = step.hidden_cards
        unknown, place = hypothesis.unknown(), where[picked]
        if sum(there == place for there in where) > sum(where[card] == place for card in unknown):
            return
        entry, cards = array("q", step.words(seen=k.SEEN)), _probed(unknown)
        self.replay.machine.code.probe_picks(self._arguments(entry, place, cards))
        self.replay.relist()
        for card in _marked(unknown, cards):
            if hypothesis.shuffle_of[card] == hypothesis.shuffle_of[picked]:
                hypothesis.exclude(card, 1 << hypothesis.position[picked])

    def _exclude(self, cards: set[int], held: list[int], unknown: Collection[int]) -> bool:
        """None of the cards was among those held; returns whether any had to be exchanged."""
        hypothesis = self.hypothesis
        for card in cards:
            positions = hypothesis.positions_of(held, hypothesis.shuffle_of[card])
            hypothesis.exclude(card, sum(1 << position for position in positions))
        wrong = [card for card in held if card in cards]
        for card in wrong:
            if hypothesis.is_excluded(card, hypothesis.position[card]):
                anywhere = hypothesis.positions_of(unknown, hypothesis.shuffle_of[card])
                hypothesis.exchange(card, {p for p in anywhere if not hypothesis.is_excluded(card, p)})
        return bool(wrong)

    def _hold_one(self, cards: set[int], held: list[int]) -> bool:
        """One of the cards must have been among those held."""
        hypothesis = self.hypothesis
        for card in sorted(cards):
            positions = hypothesis.positions_of(held, hypothesis.shuffle_of[card])
            free = {p for p in positions if not hypothesis.is_excluded(card, p)}
            if free:
                hypothesis.exchange(card, free)
                return True
        return False

    def _probe(self, step: Step, place: int, unknown: Collection[int]) -> tuple[bool, set[int]]:
        """Whether the move was possible without unknown cards in a place, and which of them change that."""
        cards = _probed(unknown)
        possible = self.replay.machine.code.probe_held(self._arguments(step.packed(), place, cards))
        self.replay.relist()
        return bool(possible), _marked(unknown, cards)

    def _arguments(self, entry: array[int], place: int, cards: array[int]) -> Probe:
        """The arguments of kernels that probe (`legality_inference`)."""
        m = self.replay.machine
        if m.probe is None:  # packing all fields takes longer than some probes
            stream, tally = m.spare
            facts = {"game": m.facts, "swaps": m.same, "room": m.room.address, "work": m.work.address}
            m.probe = Probe.pack(
                **facts, stream=stream, tally=tally, step=0, before=0, begin=0, place=0, cards=0, count=0
            )
        probe: Probe = m.probe
        probe.update(
            step=entry.buffer_info()[0],
            before=self.replay.state.address,
            begin=self.replay.listing_pc,
            place=place,
            cards=cards.buffer_info()[0],
            count=len(cards) // 3,
        )
        return probe


def _probed(cards: Collection[int]) -> array[int]:
    """Cards as `legality_inference` takes them: three words each."""
    words = array("q", bytes(24 * len(cards)))
    words[::3] = array("q", cards)
    return words


def _marked(cards: Collection[int], probed: array[int]) -> set[int]:
    """The cards that a kernel marked."""
    return {card for card, mark in zip(cards, probed[2::3], strict=True) if mark}
