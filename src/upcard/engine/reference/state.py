"""A game in progress: the walk from decision to decision (docs/language/shape.md)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Self

from upcard.arguments import BadArgument, check_seat, check_whole
from upcard.engine.api import (
    Ending,
    Given,
    Limits,
    Move,
    Record,
    Stacked,
)
from upcard.engine.record_view import view
from upcard.engine.reference import actions as _actions  # noqa: F401  (registers how actions are done)
from upcard.engine.reference import choices
from upcard.engine.reference import error_trace as tracing
from upcard.engine.reference.actions import make_teams
from upcard.engine.reference.evaluator import Evaluator
from upcard.engine.reference.fault import Fault
from upcard.engine.rng import DETERMINISATION, GAME, Stream
from upcard.engine.shared import views as observing
from upcard.engine.shared.alternatives import Alternative
from upcard.engine.shared.effect_records import record, stage_record
from upcard.engine.shared.flat_program import Ask, Bind, Block, StageStep
from upcard.engine.shared.given import given_storages
from upcard.engine.shared.hidden_cards import resample
from upcard.engine.shared.knowledge import Effect, Knowledge
from upcard.engine.shared.state import BaseState
from upcard.engine.shared.table import Table, single_seats
from upcard.engine.state import NOT_RECORDED
from upcard.recycle import failures
from upcard.recycle import program as p

if TYPE_CHECKING:
    from upcard.engine.reference.game import ReferenceGame


class ReferenceState(BaseState):
    """Played by the book."""

    def __init__(
        self,
        game: ReferenceGame,
        seed: int,
        number: int,
        stacked: Stacked,
        limits: Limits,
        recording: bool,
        given: Given | None = None,
    ) -> None:
        program = game.program
        self.game: ReferenceGame = game
        self._records: list[Record] | None = [] if recording else None
        self._views: dict[int, list[Record]] = {}
        super().__init__(game, seed, number, stacked, limits, recording, given)
        self._position = 0
        self._steps = 0
        self._alternatives: list[Alternative] = []
        self._element: p.Node = program
        table = Table(program.players, program.slots, game.facts.order, game.all_ordered)
        self.machine = self._evaluator(table, Stream((seed, number, GAME)))
        self.machine.stacked = tuple(tuple(order) if order is not None else None for order in stacked)
        self.machine.knowledge = Knowledge(program.players) if recording else None
        self.machine.noting = recording
        self._go_on(self._set_up)

    def _evaluator(self, table: Table, chance: Stream) -> Evaluator:
        """What evaluates the program; a subclass may watch or replace it."""
        return Evaluator(table, self.game.program.base, chance, self.game.facts)

    @property
    def table(self) -> Table:
        return self.machine.table

    @property
    def knowledge(self) -> Knowledge | None:
        return self.machine.knowledge

    @property
    def alternatives(self) -> list[Alternative]:
        return self._alternatives

    @property
    def choices(self) -> int:
        return len(self._alternatives)

    @property
    def ask(self) -> Ask:
        step = self.game.code[self._position]
        assert isinstance(step, Ask), "only asked for while a decision is open"
        return step

    @property
    def position(self) -> int:
        """Which step of the program comes next."""
        return self._position

    def list_watching(self, hidden: frozenset[int]) -> tuple[list[Alternative], Stream]:
        return choices.watched(self.machine, self.ask.choice, self.decisions, hidden)

    def play(self, move: Move | int) -> None:
        index = self._index_of(move)
        alternative = self._alternatives[index]
        choice = self.ask.choice
        machine = self.machine
        entry: Record | None = None
        if self._records is not None:
            listed, picks = self._alternatives, alternative.actual_picks
            copy = observing.copies_before(listed, index)
            entry = observing.decision_record(
                machine.table, self.decisions, len(listed), index, alternative.item, picks, copy
            )
            self._records.append(entry)
        picked = observing.pick_places(machine.table, alternative.actual_picks) if entry is not None else []
        self._element = choice
        self._close_decision()

        def carry() -> None:
            try:
                choices.carry_out(machine, choice, alternative)
            finally:
                if entry is not None:
                    entry["seen"] = observing.picks_seen(machine.table.seats, picked, machine.effects)
                self._drain(entry)
            self._position += 1
            self._run()

        self._go_on(carry)

    def copy(self) -> Self:
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.machine = self.machine.copy()
        other._records = None if self._records is None else list(self._records)
        other._views = {seat: list(seen) for seat, seen in self._views.items()}
        other._moves = other._shown = None
        return other

    def __getstate__(self) -> dict[str, Any]:
        kept = super().__getstate__()
        del kept["_element"], kept["_views"]
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        super().__setstate__(kept)
        self._element = self.game.program
        self._views = {}
        self.machine.attach(self.game.facts, self.game.all_ordered)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ReferenceState) and self.content() == other.content()

    __hash__ = None  # type: ignore[assignment]

    def content(self) -> tuple[Any, ...]:
        """Everything that makes the future of this game."""
        machine = self.machine
        return (
            self.game.identity,
            machine.table.content(),
            machine.chance.words,
            machine.chance.state,
            machine.shuffles,
            _still_given(machine),
            self._position,
            self._steps,
            self.decisions,
            self._outcome,
            self._alternatives,
            None if machine.knowledge is None else machine.knowledge.content(),
        )

    def sample(self, seat: int, k: int = 0, *, memory: bool = True) -> Self:
        check_seat(seat, self.game.seats)
        check_whole("k", k)
        words = (self.seed, self.number, DETERMINISATION, self.decisions, k)
        stream = Stream(words)
        other = self.copy()
        knowledge = other.machine.knowledge
        if memory and knowledge is None:
            raise BadArgument(NOT_RECORDED)
        resample(other.machine.table, knowledge if memory else None, seat, stream)
        other._records = None
        other.machine.knowledge = None
        other.machine.noting = False
        other.machine.chance = stream
        other.machine.stacked = ()
        if other._outcome is None:
            other._go_on(other._list)
        return other

    # --- the record ----------------------------------------------------------------------------

    @property
    def records(self) -> list[Record]:
        if self._records is None:
            raise BadArgument(NOT_RECORDED)
        return self._records

    @property
    def recording(self) -> bool:
        return self._records is not None

    def records_seen_by(self, seat: int) -> tuple[Record, ...]:
        """Cached per line: lines do not change once written."""
        if self._records is None:
            return ()
        known = self._views.setdefault(seat, [])
        known += view(self._records[len(known) :], seat)
        return tuple(known)

    def _record(self, entry: Record) -> None:
        if self._records is not None:
            self._records.append(entry)

    def _record_stage(self, step: StageStep, what: str) -> None:
        line = self.game.program.source.line(step.stage.span.start)
        self._record(stage_record(step.stage.of, what, line, self.table))

    def _record_effects(self, effects: Iterable[Effect], decision: Record | None) -> None:
        """Records effects: in a decision's line, or each on its own line."""
        if self._records is not None:
            into = self._records if decision is None else decision["actions"]
            into.extend(record(effect, self.table) for effect in effects)

    # --- from decision to decision -------------------------------------------------------------

    def _go_on(self, what: Any) -> None:
        """Do something that may fail; a failure ends the game with a trace."""
        try:
            what()
        except Fault as fault:
            self._drain(None)
            failure = tracing.failure(self, fault, self._element)
            self._alternatives = []
            self._end("failed", None, failure)

    def _set_up(self) -> None:
        program, machine = self.game.program, self.machine
        for declare in program.declares:
            self._element = declare
            machine.work = 0
            machine.table.env[declare.binding.slot] = machine.value(declare.value)
        self._element = program.setup
        if program.setup.teams is not None:
            machine.act(program.setup.teams)
        else:
            make_teams(machine, single_seats(program.players))
        for line in program.setup.decks:
            choices.run(machine, line)
        self._record({"do": "setup", "seats": program.players})
        self._drain(None)
        machine.table.ints.update(given_storages(self.given))
        machine.work = 0
        self._run()

    def _run(self) -> None:
        """Until the next decision or the end."""
        code = self.game.code
        machine, table = self.machine, self.machine.table
        while self._position < len(code):
            step = code[self._position]
            if isinstance(step, Ask):
                self._element = step.choice
                if self.decisions >= self.limits.decisions:
                    return self._score("cut_off")
                return self._list()
            if isinstance(step, Block):
                self._element = step.item
                if not self._count_step():
                    return self._score("stuck")
                try:
                    choices.run(machine, step.item)
                finally:
                    self._drain(None)
                self._position += 1
            elif isinstance(step, Bind):
                self._element = step.node
                if step.counts and not self._count_step():
                    return self._score("stuck")
                table.bind(step.node.binding.slot, machine.value(step.node.value))
                self._position += 1
            else:
                self._element = step.stage
                if step.what in ("test", "again") and not self._count_step():
                    return self._score("stuck")
                self._stage(step)
        return self._score("finished")

    def _count_step(self) -> bool:
        if self._steps == self.limits.steps:
            return False
        self._steps += 1
        return True

    def _stage(self, step: StageStep) -> None:
        """Push, test, advance, pop. A team stage moves only the team cycle."""
        table, of = self.machine.table, step.stage.of
        if step.what == "enter":
            table.enter(of)
            self._record_stage(step, "enter")
            self._position += 1
        elif step.what == "leave":
            table.leave_stage(of)
            self._record_stage(step, "leave")
            self._position += 1
        elif self.machine.value(step.stage.end):
            self._position = step.target
        else:
            if step.what == "again":
                table.advance(of)
            self._record_stage(step, "round")
            self._position = step.back if step.what == "again" else self._position + 1

    def _list(self) -> None:
        self._alternatives = choices.alternatives(self.machine, self.ask.choice, self.decisions)
        self._moves = self._shown = None
        if not self._alternatives:
            raise Fault(self.ask.choice, failures.NOTHING_TO_CHOOSE)

    def _close_decision(self) -> None:
        self._alternatives = []
        self._moves = self._shown = None
        self._steps = 0
        self.machine.work = 0
        self.decisions += 1

    def _score(self, ending: Ending) -> None:
        scoring, table = self.game.program.scoring, self.machine.table
        self._element = scoring
        table.seat_cycles.append((0, None))
        scores = []
        for seat in range(table.seats):
            table.seat_cycles[-1] = (seat, None)
            scores.append(int(self.machine.value(scoring.value)))
            self._record({"do": "score", "seat": seat, "score": scores[-1]})
        table.seat_cycles.pop()
        self._alternatives = []
        self._end(ending, scores, None)

    def _drain(self, decision: Record | None) -> None:
        self._record_effects(self.machine.effects, decision)
        self.machine.effects.clear()


def _still_given(machine: Evaluator) -> tuple[Any, ...]:
    """Outcomes of shuffles that are yet to come; none given and nothing said are the same."""
    left = list(machine.stacked[machine.shuffles :])
    while left and left[-1] is None:
        left.pop()
    return tuple(left)
