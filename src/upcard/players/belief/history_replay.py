"""Replays a history from the deal with the game's own code and learns the outcomes of its shuffles."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable

from upcard.engine.api import Limits, walk_records
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.state import NativeState
from upcard.engine.native.state_memory import Memory, given_words
from upcard.engine.shared.flat_program import Bind
from upcard.players.belief import action_match as k
from upcard.players.belief.evidence import Evidence
from upcard.players.belief.first_shuffle import opening_of, outcome_by
from upcard.players.belief.history_steps import Inconsistent, Step
from upcard.players.belief.hypothesis import Hypothesis
from upcard.players.belief.kernel_structs import HistoryHead, HistoryStep

HEAD = {name: field.word for name, field in HistoryHead.fields.items()}
"""Words of the head of a packed history."""
INDEX = HistoryStep.fields["index"].word


class Replay:
    """The game state that a hypothesis leads to."""

    def __init__(self, evidence: Evidence, hypothesis: Hypothesis, limits: Limits) -> None:
        self.machine = evidence.machine
        self.limits = limits
        self.state = Memory(self.machine.layout.size)
        """The game at the decision after the last step."""
        self.where = self.state.where(self.machine.layout)
        """Per card the place where it lies in that state."""
        self.packed = array("q")
        """The history as kernels read it (`action_match`)."""
        self._evidence = evidence
        self._hypothesis = hypothesis
        self._replayed = -1
        """The version of the hypothesis that the state belongs to."""
        self._packed_for: list[Step] = []
        self._packed_steps = array("q")
        """The words of these steps."""

    @property
    def pc(self) -> int:
        """The program step of the present decision."""
        return self.state.words[self.machine.layout.words["pc"]]

    @property
    def listing_pc(self) -> int:
        """The first binding before the present choice: its value may depend on the cards, too."""
        pc, code = self.pc, self.machine.game.code
        while pc > 0 and isinstance(code[pc - 1], Bind):
            pc -= 1
        return pc

    @property
    def address(self) -> int:
        return self.packed.buffer_info()[0]

    # --- replaying -----------------------------------------------------------------------------

    def reach(self) -> None:
        """Bring the state and the listed alternatives to the present decision. Raises `Inconsistent`."""
        m = self.machine
        if self._replayed != self._hypothesis.version:
            self.retrace()
        elif m.listed is not self:
            self.prepare()
            self.relist()
        shuffles = self._shuffles()
        if shuffles > len(self._hypothesis.outcomes):
            self._learn_shuffles(shuffles)
            self.retrace()

    def retrace(self) -> None:
        """Play the history from the deal. Raises `Inconsistent`."""
        m, upto = self.machine, len(self._hypothesis.steps)
        m.listed = self
        self.set_up_work()
        self.pack(min(upto, len(self._evidence.views)))
        reached = m.code.retrace(
            m.base, self.address, m.same, self.state.address, m.work.address, *m.spare, upto
        )
        if reached != upto:
            self.invalidate()
            raise Inconsistent(f"decision {reached % 1_000_000} would have been impossible")
        self._replayed = self._hypothesis.version

    def prepare(self) -> None:
        """Set the workspace up for this history."""
        m = self.machine
        m.listed = self
        self.set_up_work()
        m.code.stack(m.base, m.work.address, self.address, m.same)

    def set_up_work(self) -> None:
        """Set the limits of the game, and what the match gave the deal, for code that deals again."""
        m = self.machine
        m.work.limits(self.limits.decisions, self.limits.steps)
        m.work.give(given_words(m.layout, self._evidence.given))

    def relist(self) -> None:
        """List the alternatives of the state again, after the workspace was used for something else."""
        self.machine.compiled.relist(self.state.address, self.machine.work.address)

    def invalidate(self) -> None:
        """The state no longer belongs to the hypothesis."""
        self._replayed = -1

    def take(self, step: Step) -> bool:
        """Add a step by a listed alternative and play it; returns whether that reaches the next decision."""
        m = self.machine
        self._hypothesis.add_step(step)
        if m.code.take(m.base, self.state.address, m.work.address, step.index):
            return False
        self._replayed = self._hypothesis.version
        return True

    def attempt(self, change: Callable[[], bool | None]) -> bool:
        """Change the hypothesis and undo it where that is inconsistent; returns whether it was changed. The
        function may return False where it made no change."""
        snapshot = self._hypothesis.snapshot()
        try:
            changed = change() is not False
            if changed:
                self.reach()
            return changed
        except Inconsistent:
            self._hypothesis.restore(snapshot)
            self.reach()
            return False

    def narrated(self) -> NativeState:
        """The same game in the engine that records what happens."""
        self.retrace()
        m, hypothesis = self.machine, self._hypothesis
        stacked = [[m.ids[card] for card in outcome] for outcome in hypothesis.outcomes]
        state = m.game.native_deal(
            0, hypothesis.deal, stacked=stacked, limits=self.limits, given=self._evidence.given
        )
        for index in self.indices():
            state.play(index)
        return state

    # --- what the state shows ------------------------------------------------------------------

    def agrees(self) -> bool:
        """Whether the state looks as the seat saw it."""
        m, evidence = self.machine, self._evidence
        view, (located, cards) = evidence.views[-1].buffer_info()[0], evidence.located.buffer_info()
        return bool(m.code.agrees(m.base, self.state.address, view, located, cards))

    def arrivals(self) -> array[int]:
        """Two words per card: the place where it lies, and the number of decisions before it came there."""
        m = self.machine
        self.retrace()
        cards = len(m.layout.cards)
        came = array("q", bytes(16 * cards))
        m.code.note_arrivals(
            m.base,
            self.address,
            m.room.address,
            m.work.address,
            len(self._hypothesis.steps),
            cards,
            came.buffer_info()[0],
        )
        self.relist()
        return came

    # --- packing -------------------------------------------------------------------------------

    def pack(self, checked: int, drawing: bool = False) -> None:
        """Pack the history, to be compared with the views at this many decisions. `drawing`: for sampling
        worlds, which draw hidden picks anew; otherwise the history's own picks are played."""
        hypothesis = self._hypothesis
        head = [0] * (HistoryHead.size // 8)
        for outcome in hypothesis.outcomes:
            head.append(len(outcome))
            head += outcome
        words = array("q", head)
        words[HEAD["first"]] = len(words)
        if drawing and any(step.seen != k.SEEN for step in hypothesis.steps):
            for n, step in enumerate(hypothesis.steps):
                eligible = self.eligible(n) if step.seen != k.SEEN else None
                words.extend(array("q", step.words(eligible)) if eligible else step.packed())
        else:
            words.extend(self._steps_packed())
        words[HEAD["unknown"]] = len(words)
        if drawing:
            words.extend(self._set_of(hypothesis.unknown()))
            words.extend(self._set_of(hypothesis.movable()))
        words[HEAD["decisions"]], words[HEAD["shuffles"]] = len(hypothesis.steps), len(hypothesis.outcomes)
        words[HEAD["checks"]], words[HEAD["checks_at"]] = checked, len(words)
        words[HEAD["number"]] = hypothesis.deal
        self._evidence.pack_views(words)
        self.packed = words

    def believe(self, belief: array[int]) -> None:
        """Add the opponent model (`move_likelihood`), which holds until the history is packed again."""
        self.packed[HEAD["belief"]] = len(self.packed)
        self.packed.extend(belief)

    @property
    def believes(self) -> bool:
        return self.packed[HEAD["belief"]] != 0

    def indices(self) -> list[int]:
        """Per step the index of its alternative where the history, or a world of it, was last played."""
        found = []
        at = self.packed[HEAD["first"]]
        for _ in self._hypothesis.steps:
            found.append(self.packed[at + INDEX])
            at += self.packed[at]
        return found

    def eligible(self, number: int) -> list[int]:
        """The set of cards that a world may draw for a step's hidden pick though they are not exchanged;
        empty if the seat has seen since what was picked."""
        hypothesis = self._hypothesis
        picked = hypothesis.steps[number].hidden_cards
        if any(self._evidence.last_named.get(card, 0) > number for card in picked):
            return []
        if len(picked) > 1 and any(card in hypothesis.unknown() for card in picked):
            return []
        return self._set_of(hypothesis.eligible(number))

    def _steps_packed(self) -> array[int]:
        """The words of all steps; those that have not changed are packed already."""
        steps, done = self._hypothesis.steps, len(self._packed_for)
        if steps[:done] != self._packed_for:
            self._packed_steps, done = array("q"), 0
        for step in steps[done:]:
            self._packed_steps.extend(step.packed())
        self._packed_for = steps[:]
        return self._packed_steps

    def _set_of(self, cards: Iterable[int]) -> list[int]:
        """A set of cards in words."""
        bits = 0
        for card in cards:
            bits |= 1 << card
        return [signed(bits >> (64 * w)) for w in range(self.machine.set_words)]

    # --- outcomes of shuffles ------------------------------------------------------------------

    def learn_shuffles(self) -> None:
        """Learn the outcomes of all shuffles so far, if none is known."""
        if not self._hypothesis.outcomes:
            self._learn_shuffles(self._shuffles())

    def _shuffles(self) -> int:
        return self.state.words[self.machine.layout.words["shuffles"]]

    def _learn_shuffles(self, shuffles: int) -> None:
        """Take the outcomes of new shuffles from an earlier attempt, from the game's opening, or else from
        the record of a deal."""
        m, hypothesis, earlier = self.machine, self._hypothesis, self._hypothesis.earlier
        opening = shuffles == 1 and not hypothesis.steps and not hypothesis.outcomes and earlier is None
        if opening and self._learn_opening():
            return
        records = self.narrated().records
        if opening:
            # always of the same deal: a history must not depend on what was played before
            m.opening = opening_of(records, m.numbers)
            if self._learn_opening():
                return
        drawn = [line["cards"] for line in walk_records(records) if line["do"] == "shuffle"]
        for number in range(len(hypothesis.outcomes), min(shuffles, len(drawn))):
            outcome = [m.numbers[card] for card in drawn[number]]
            other = earlier.outcomes[number : number + 1] if earlier else []
            hypothesis.add_outcome(other[0] if other and sorted(other[0]) == sorted(outcome) else outcome)

    def _learn_opening(self) -> bool:
        """Lay out the first shuffle as the seat saw the game open; returns whether that is possible."""
        opening = self.machine.opening
        if opening is None:
            return False
        evidence = self._evidence
        outcome = outcome_by(opening, [*walk_records(evidence.before_decision(0))], evidence.card)
        if outcome is not None:
            self._hypothesis.add_outcome(outcome)
        return outcome is not None
