"""One game in progress: the walk through the program from decision to decision (recycle.md 7, 16, 17)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from upcard.engine.chance import DETERMINISATION, GAME, Stream
from upcard.engine.contract import (
    Ending,
    Failure,
    IllegalMove,
    Limits,
    Move,
    Observation,
    Outcome,
    Record,
    Stacked,
    rank,
)
from upcard.engine.reference import actions as _actions  # noqa: F401  (registers how actions are done)
from upcard.engine.reference import choices, observing, tracing
from upcard.engine.reference.actions import make_teams
from upcard.engine.reference.choices import Alternative
from upcard.engine.reference.code import Ask, Bind, Block, StageStep
from upcard.engine.reference.fault import Fault
from upcard.engine.reference.knowledge import Knowledge
from upcard.engine.reference.machine import Machine
from upcard.engine.reference.records import record
from upcard.engine.reference.sampling import resample
from upcard.engine.reference.table import Table
from upcard.recycle import program as p

if TYPE_CHECKING:
    from upcard.engine.reference.game import ReferenceGame


class ReferenceState:
    """A value: copy it, compare it, throw it away."""

    def __init__(
        self, game: ReferenceGame, seed: int, number: int, stacked: Stacked, limits: Limits, recording: bool
    ) -> None:
        program = game.program
        self.game = game
        self.seed, self.number = seed, number
        self.limits = limits
        self.decisions = 0
        self._position = 0
        self._steps = 0
        self._outcome: Outcome | None = None
        self._alternatives: list[Alternative] = []
        self._moves: list[Move] | None = None
        self._shown: list[tuple[Move, int]] | None = None
        self._element: p.Node = program
        self._records: list[Record] | None = [] if recording else None
        table = Table(program.players, program.slots, game.facts.order, game.all_ordered)
        stream = Stream((seed, number, GAME))
        self.machine = Machine(table, program.base, stream, game.facts.most_cards)
        self.machine.stacked = tuple(tuple(order) if order is not None else None for order in stacked)
        self.machine.knowledge = Knowledge(program.players) if recording else None
        self.machine.noting = recording
        header: Record = {"do": "game", **game.identity, "seed": seed, "deal": number}
        if stacked:
            header["stacked"] = [None if order is None else list(order) for order in stacked]
        self._note({**header, "limits": limits.to_json()})
        self._go_on(self._set_up)

    # --- the contract --------------------------------------------------------------------------

    @property
    def to_move(self) -> int | None:
        return None if self._outcome is not None else self.machine.table.current

    @property
    def outcome(self) -> Outcome | None:
        return self._outcome

    @property
    def choices(self) -> int:
        """How many alternatives there are, without making moves of them."""
        return len(self._alternatives)

    @property
    def moves(self) -> list[Move]:
        if self._moves is None:
            self._moves = observing.moves(self, self._alternatives)
        return self._moves

    @property
    def records(self) -> list[Record]:
        if self._records is None:
            raise ValueError("this game was dealt without recording; deal it with recording=True")
        return self._records

    @property
    def faces(self) -> dict[str, Mapping[str, str]]:
        """The attributes of every card by id."""
        return {card.id: card.attributes for card in self.machine.table.cards}

    @property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        return self.machine.table.teams

    @property
    def recording(self) -> bool:
        return self._records is not None

    @property
    def shown(self) -> list[tuple[Move, int]]:
        """The alternatives as their chooser is shown them, each with its index in `moves`."""
        if self._shown is None:
            self._shown = observing.shown(self)
        return self._shown

    @property
    def ask(self) -> Ask:
        """The choice that is being made."""
        step = self.game.code[self._position]
        assert isinstance(step, Ask), "only asked for while a decision is open"
        return step

    def play(self, move: Move | int) -> None:
        index = self._index_of(move)
        alternative = self._alternatives[index]
        choice = self.ask.choice
        machine = self.machine
        entry: Record | None = None
        if self._records is not None:
            entry = observing.decision_record(self, alternative, index)
            self._records.append(entry)
        picked = observing.pick_places(machine.table, alternative) if entry is not None else []
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

    def observe(self, seat: int, match: dict[str, Any] | None = None) -> Observation:
        if not 0 <= seat < self.game.seats:
            raise ValueError(f"there is no seat {seat}; seats are 0 to {self.game.seats - 1}")
        return observing.observe(self, seat, match)

    def copy(self) -> ReferenceState:
        other = ReferenceState.__new__(ReferenceState)
        other.__dict__.update(self.__dict__)
        other.machine = self.machine.copy()
        other._records = None if self._records is None else list(self._records)
        other._moves = other._shown = None
        return other

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

    def sample(self, seat: int, k: int = 0, *, memory: bool = True) -> ReferenceState:
        """The k-th imagined game of a seat at this decision: what it does not know is dealt anew."""
        words = (self.seed, self.number, DETERMINISATION, self.decisions, k)
        stream = Stream(words)
        other = self.copy()
        knowledge = other.machine.knowledge
        if memory and knowledge is None:
            raise ValueError("this game was dealt without memory; deal it with recording=True")
        resample(other.machine.table, knowledge if memory else None, seat, stream)
        other._records = None
        other.machine.knowledge = None
        other.machine.noting = False
        other.machine.chance = stream
        other.machine.stacked = ()
        if other._outcome is None:
            other._go_on(other._list)
        return other

    # --- from decision to decision -------------------------------------------------------------

    def _go_on(self, what: Any) -> None:
        """Do something that may fail; a failure ends the game with a trace."""
        try:
            what()
        except Fault as fault:
            self._drain(None)
            failure = tracing.failure(self, fault, self._element)
            self._end("failed", None, failure)

    def _set_up(self) -> None:
        program, machine = self.game.program, self.machine
        for declare in program.declares:
            self._element = declare
            machine.table.env[declare.binding.slot] = machine.value(declare.value)
        self._element = program.setup
        if program.setup.teams is not None:
            machine.act(program.setup.teams)
        else:
            make_teams(machine, tuple((seat,) for seat in range(program.players)))
        for line in program.setup.decks:
            choices.run(machine, line)
        self._note({"do": "setup", "seats": program.players})
        self._drain(None)
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
        table = self.machine.table
        of_players = step.stage.of == "player"
        if step.what == "enter":
            if of_players:
                table.seat_cycles.append((table.current, None))
            else:
                table.team_cycles.append(table.team_cycles[-1])
            self._note_stage(step, "enter")
            self._position += 1
        elif step.what == "leave":
            (table.seat_cycles if of_players else table.team_cycles).pop()
            self._note_stage(step, "leave")
            self._position += 1
        elif self.machine.value(step.stage.end):
            self._position = step.target
        else:
            if step.what == "again":
                if of_players:
                    table.seat_cycles[-1] = (table.next, None)
                else:
                    table.team_cycles[-1] = (table.team_cycles[-1] + 1) % len(table.teams)
            self._note_stage(step, "round")
            self._position = step.back if step.what == "again" else self._position + 1

    def _list(self) -> None:
        self._alternatives = choices.alternatives(self.machine, self.ask.choice, self.decisions)
        self._moves = self._shown = None
        if not self._alternatives:
            raise Fault(self.ask.choice, "there is nothing to choose from")

    def _close_decision(self) -> None:
        self._alternatives = []
        self._moves = self._shown = None
        self._steps = 0
        self.decisions += 1

    def _score(self, ending: Ending) -> None:
        scoring, table = self.game.program.scoring, self.machine.table
        self._element = scoring
        table.seat_cycles.append((0, None))
        scores = []
        for seat in range(table.seats):
            table.seat_cycles[-1] = (seat, None)
            scores.append(int(self.machine.value(scoring.value)))
            self._note({"do": "score", "seat": seat, "score": scores[-1]})
        table.seat_cycles.pop()
        self._end(ending, scores, None)

    def _end(self, ending: Ending, scores: list[int] | None, failure: Failure | None) -> None:
        ranks = None if scores is None else rank(scores, self.game.program.scoring.highest)
        self._alternatives = []
        self._moves = self._shown = None
        self._outcome = Outcome(ending, None if scores is None else tuple(scores), ranks, failure)
        made: Record = {"do": "end", "ending": ending, "scores": scores, "ranks": ranks and list(ranks)}
        if failure is not None:
            made["failure"] = failure.to_json()
        self._note(made)

    # --- moves and records ---------------------------------------------------------------------

    def _index_of(self, move: Move | int) -> int:
        if self._outcome is not None:
            raise IllegalMove("the game is over")
        if isinstance(move, int):
            if not 0 <= move < len(self._alternatives):
                raise IllegalMove(f"there is no alternative {move}; there are {len(self._alternatives)}")
            return move
        for index, known in enumerate(self.moves):
            if known == move:
                return index
        for known, index in self.shown:
            if known == move:
                return index
        raise IllegalMove(f"{move.text or move.key} is not a move here")

    def _note(self, entry: Record) -> None:
        if self._records is not None:
            self._records.append(entry)

    def _note_stage(self, step: StageStep, what: str) -> None:
        if self._records is not None:
            table = self.machine.table
            players = step.stage.of == "player"
            self._records.append(
                {
                    "do": "stage",
                    "what": what,
                    "of": step.stage.of,
                    "line": self.game.program.source.line(step.stage.span.start),
                    "current": table.current if players else table.team_cycles[-1],
                }
            )

    def _drain(self, decision: Record | None) -> None:
        """What was done goes into the record and into the seats' memory."""
        effects = self.machine.effects
        if self._records is not None and effects:
            into = self._records if decision is None else decision["actions"]
            for effect in effects:
                into.append(record(effect, self.machine.table))
        effects.clear()


def _still_given(machine: Machine) -> tuple[Any, ...]:
    """Outcomes of shuffles that are yet to come; none given and nothing said are the same."""
    left = list(machine.stacked[machine.shuffles :])
    while left and left[-1] is None:
        left.pop()
    return tuple(left)
