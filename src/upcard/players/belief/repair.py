"""Repairs a history by directed exchanges of cards until its replay shows the seat what it saw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from upcard.engine.api import Record, walk_records
from upcard.engine.native.state import NativeState
from upcard.engine.rng import Stream
from upcard.players.belief import action_match as k
from upcard.players.belief.evidence import Evidence
from upcard.players.belief.history_replay import Replay
from upcard.players.belief.history_steps import Inconsistent
from upcard.players.belief.hypothesis import Hypothesis

MAX_REPAIRS = 10
MAX_PAIRS = 20
"""Pairs of cards drawn to find two in different places."""


@dataclass(frozen=True)
class Repair:
    """Directed exchanges: each one follows from a line of the record or from a card that lies elsewhere."""

    evidence: Evidence
    hypothesis: Hypothesis
    replay: Replay

    def repair(self) -> None:
        """Change the hypothesis until the replay looks as the seat saw it. Raises `Inconsistent`."""
        self.replay.reach()
        for _ in range(MAX_REPAIRS):
            if self.replay.agrees():
                return
            self._correct_record()
            self.replay.reach()
        raise Inconsistent("the cards cannot all be where they were seen")

    def put(self, card: int, place: int) -> None:
        """Exchange cards so that this one lies in the place where it was seen. Raises `Inconsistent`."""
        hypothesis, where = self.hypothesis, self.replay.where
        astray = {c for c, p in enumerate(self.evidence.located) if p >= 0 and where[c] != p} | {card}
        shuffle = hypothesis.shuffle_of.get(card)
        there = [c for c in hypothesis.unknown() | astray if where[c] == place]
        positions = set() if shuffle is None else hypothesis.positions_of(there, shuffle)
        if not positions:
            name = self.evidence.machine.texts[place]
            raise Inconsistent(f"{self._id(card)} cannot have moved to {name}")
        hypothesis.exchange(card, positions, astray)

    def _correct_record(self) -> None:
        """Compare what the seat would have seen with what it saw, and exchange cards where they differ."""
        evidence = self.evidence
        state = self.replay.narrated()
        shown = state.records_seen_by(evidence.seat)
        seen = evidence.before_decision(len(self.hypothesis.steps))
        renamed: dict[str, str] = {}
        """Cards of the replay that have become others by the exchanges so far."""
        changed = False
        for at, (mine, theirs) in enumerate(zip(walk_records(shown), walk_records(seen), strict=False)):
            if any(mine.get(key) != theirs.get(key) for key in ("do", "from", "value")):
                changed = changed or self._correct_event(state, at, theirs)
                break
            for key in ("card", "other"):
                wanted, card = theirs.get(key), mine.get(key)
                if wanted is None or card is None:
                    continue
                card = renamed.get(str(card), str(card))
                if card != wanted:
                    changed = True
                    if not self._transpose(evidence.card(card), evidence.card(wanted)):
                        return
                    pair = {card: wanted, wanted: card}
                    both = {**{c: c for c in pair}, **renamed}
                    renamed = {c: pair.get(other, other) for c, other in both.items()}
        if not changed:
            self._correct_table()

    def _correct_table(self) -> None:
        """No line differs: put a card where it was seen, or try other draws and other cards."""
        hypothesis, where = self.hypothesis, self.replay.where
        for card, place in enumerate(self.evidence.located):
            if place >= 0 and where[card] != place and card in hypothesis.shuffle_of:
                self.put(card, place)
                return
        hypothesis.redraw()
        unknown = [*hypothesis.unknown()]
        stream = Stream((hypothesis.deal, self.evidence.seat, len(hypothesis.steps)))
        for _ in range(MAX_PAIRS if unknown else 0):
            one, other = (unknown[stream.below(len(unknown))] for _ in range(2))
            if where[one] != where[other] and hypothesis.shuffle_of[one] == hypothesis.shuffle_of[other]:
                self._transpose(one, other)
                return

    def _correct_event(self, state: NativeState, at: int, theirs: Record) -> bool:
        """Line `at` of the replay is another event than the seat saw, perhaps because a card was, or was not,
        where the hypothesis has it; returns whether cards were exchanged."""
        lying: dict[str, str] = {}
        mine: Record = {}
        for n, line in enumerate(walk_records(state.records)):
            mine = line
            if n == at:
                break
            if line["do"] == "move":
                lying[line["card"]] = line["to"]
        return self._bring(theirs, lying) or self._send_away(mine, lying)

    def _bring(self, line: Record, lying: Mapping[str, str]) -> bool:
        """A card was seen to leave a place where the hypothesis does not have it: bring it there."""
        name = line.get("card") if line["do"] == "move" else None
        if name is None or lying.get(name) == line["from"]:
            return False
        card = self.evidence.card(name)
        if card not in self.hypothesis.shuffle_of:
            return False
        positions = self._positions_in(line["from"], card, lying)
        if positions:
            self.hypothesis.exchange(card, positions, (card,))
        return bool(positions)

    def _send_away(self, line: Record, lying: Mapping[str, str]) -> bool:
        """A card leaves a place in the replay, and none was seen to leave: put another one there. Nothing is
        excluded: perhaps only all of its cards together could not be there, as four of a rank in a hand."""
        hypothesis = self.hypothesis
        card = self.evidence.card(line["card"]) if line["do"] == "move" else None
        if card is None or card not in hypothesis.unknown():
            return False
        free = hypothesis.positions_of(hypothesis.unknown(), hypothesis.shuffle_of[card])
        hypothesis.exchange(card, free - self._positions_in(line["from"], card, lying))
        return True

    def _positions_in(self, place: str, card: int, lying: Mapping[str, str]) -> set[int]:
        """The positions of unknown cards that lay in a place, of the card's own shuffle."""
        hypothesis = self.hypothesis
        cards = [self.evidence.card(name) for name, where in lying.items() if where == place]
        free = [c for c in cards if c == card or c in hypothesis.unknown()]
        return hypothesis.positions_of(free, hypothesis.shuffle_of[card])

    def _transpose(self, card: int, wanted: int) -> bool:
        """Exchange two cards; where exclusions forbid it, other cards take part and False is returned."""
        hypothesis = self.hypothesis
        shuffle, position = hypothesis.shuffle_of.get(wanted), hypothesis.position
        if shuffle is None and self._reveal_pick(card, wanted):
            return False
        if shuffle is None or hypothesis.shuffle_of.get(card) != shuffle:
            raise Inconsistent(f"{self._id(wanted)} was seen in the place where {self._id(card)} must be")
        if hypothesis.is_excluded(wanted, position[card]) or hypothesis.is_excluded(card, position[wanted]):
            hypothesis.exchange(wanted, {position[card]}, (card, wanted))
            return False
        hypothesis.rename({card: wanted, wanted: card}, shuffle)
        return True

    def _reveal_pick(self, card: int, wanted: int) -> bool:
        """The last hidden pick of a card that no shuffle hides turns out to have been another card."""
        steps = self.hypothesis.steps
        for number, step in reversed(list(enumerate(steps))):
            if step.seen == k.DRAWN and card in step.cards:
                self.hypothesis.replace_step(number, step.renamed({card: wanted, wanted: card}, k.SEEN))
                return True
        return False

    def _id(self, card: int) -> str:
        return self.evidence.machine.ids[card]
