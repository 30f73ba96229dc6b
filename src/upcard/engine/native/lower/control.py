"""Lowers stages and steps: the walk from decision to decision, from setup to scores."""

from __future__ import annotations

from typing import Literal, TypeAlias

from upcard.engine.native import ir
from upcard.engine.native.kernels.workspace_growth import BASE
from upcard.engine.native.lower.awards import Awards
from upcard.engine.native.lower.blocks import (
    CUT_OFF,
    FAILED,
    FINISHED,
    STUCK,
    Depths,
)
from upcard.engine.native.lower.builder import (
    INTERRUPTED,
    MINUS,
    ONE,
    STATE,
    WORK,
    ZERO,
    add,
    binary,
    const,
    negate,
)
from upcard.engine.native.lower.choices import NOTHING
from upcard.engine.native.lower.fast.listed_choices import Listed
from upcard.engine.native.lower.runtime import (
    AT,
    EFFECTS,
    PAUSE_EFFECTS,
    SEATS_AT,
    STAGE,
)
from upcard.engine.shared.flat_program import Ask, Bind, Block, StageStep, Step
from upcard.recycle import program as p
from upcard.recycle.walk import below

Why: TypeAlias = Literal["stuck", "failed", "stop", "pause"]
"""A walk ends early: too many steps, a fault, a decision for others to make, or many notes to read."""
PAUSED = -1
"""What a walk gives that is to go on when its notes have been read."""
TABLE = Depths(0, 0)
"""Of no stage."""


class Control(Awards):
    most_steps: ir.Local
    steps_left: ir.Local
    """In the walk: the steps that a decision may take, and those that are left."""
    ways_out: list[tuple[Why, Depths]]
    first_way_out: int
    """In the walk: how it ends early, and the block of the first of those."""

    # --- the walk ------------------------------------------------------------------------------

    def write_steps(self) -> None:
        """A function for each step that evaluates something."""
        for number, step in enumerate(self.code):
            depths = self.depths[number]
            if isinstance(step, Block):
                self.begin(depths, [])
                self.item(step.item)
                self.emit(ir.Return(ZERO))
                self.function(f"block_{number}", (STATE, WORK))
            elif isinstance(step, Bind):
                self.begin(depths, self._lets_before(number))
                self._store_variable(step.node.binding, step.node.value)
                self.emit(ir.Return(ZERO))
                self.function(f"bind_{number}", (STATE, WORK))
            elif isinstance(step, StageStep) and step.what == "test":
                self.begin(depths, [])
                # 0 goes on, -1 leaves, anything else is a fault
                asked = self._asks_mover_first(step)
                if asked is None:
                    self.emit(ir.Return(binary("sub", ZERO, self.value(step.stage.end))))
                else:
                    for seat in range(self.layout.seats):
                        self.env[asked.binding.slot] = const(seat)
                        self._unless(asked.test, [ir.Return(ZERO)])
                    self.emit(ir.Return(MINUS))
                self.function(f"test_{number}", (STATE, WORK))
        for number, ask in self.asks:
            self.write_choice(number, ask)
        for seat, team in sorted({(d.seat, d.team) for d in self.depths} | {(0, 0)}):
            self._write_scoring(Depths(seat, team))

    def _write_scoring(self, depths: Depths) -> None:
        words = self.layout.words
        ending = ir.Local("ending", "int")
        self.begin(Depths(depths.seat + 1, depths.team), [])
        at = self.seat_depth
        for seat in range(self.layout.seats):
            self.set_word(words["seat_index"] + at, const(seat))
            self.set_word(words["seat_queue"] + at, MINUS)
            self.set_word(words["scores"] + seat, self.value(self.program.scoring.value))
        self.set_word(words["ending"], ending)
        self.emit(ir.Return(ZERO))
        # inside a stage a game ends only where a limit is reached
        name = f"score_{depths.seat}_{depths.team}"
        self.function(name, (STATE, WORK, ending), rare=(depths.seat, depths.team) != (0, 0))

    def write_walk(self) -> None:
        """walk(S, W): on from where the state stands; gives the depth of the seat cycle at a decision.

        It stops at the decision that the workspace's limit names, and lists it. At any other the seat draws
        from its stream, and the workspace counts choices and forced decisions: a playout never leaves this
        function, and what it lists is carried out at once.
        """
        self.begin(Depths(0, 0), [], fresh=False)
        last = len(self.code)
        # a game that goes on stands at its beginning, at a decision, behind one, or at the lets around one
        starts = dict.fromkeys(range(last + 1), last + 1)
        opened = {number: last + 2 + i for i, (number, _) in enumerate(self.asks)}
        starts |= opened | {number + 1: number + 1 for number in opened} | {0: 0}
        bound = {number: len(self._lets_before(number)) for number in opened}
        letting = [number for number, lets in bound.items() if lets]
        starts |= {n - bound[n]: last + 2 + len(self.asks) + i for i, n in enumerate(letting)}
        if self.logging:  # or behind a pause
            starts |= {number: number for number, step in enumerate(self.code) if isinstance(step, Block)}
        start = self._start("starts", starts)
        if self.counts:
            self.set_work(self.word(self.layout.words["work"]))
        # steps are counted down and without memory: every step asks
        steps = self.word(self.layout.words["steps"])
        self.most_steps = self.variable(self.word(AT["most_steps"], WORK), "most")
        self.steps_left = self.variable(binary("sub", self.most_steps, steps), "left")
        blocks: list[tuple[ir.Stmt, ...]] = []
        self.ways_out, self.first_way_out = [], last + 2 + len(self.asks) + len(letting)
        for number, step in enumerate(self.code):
            with self.block() as body:
                self._step(number, step)
            blocks.append(tuple(body))
        with self.block() as body:
            self.set_word(self.layout.words["pc"], const(last))
            self._finish(Depths(0, 0), FINISHED)
        blocks += [tuple(body), (ir.Return(ZERO),)]
        for number, _ in self.asks:
            # whoever begins here comes with nothing in registers: the way from step to step stays free of it
            with self.block() as body:
                self._begin_at(number)
            blocks.append(tuple(body))
        for number in letting:
            with self.block() as body:
                for let in range(number - bound[number], number):
                    self._checked(self.call(f"bind_{let}", STATE, WORK), let)
                self.emit(ir.Go(opened[number]))
            blocks.append(tuple(body))
        for why, depths in self.ways_out:
            with self.block() as body:
                self._way_out(why, depths)
            blocks.append(tuple(body))
        self.emit(ir.Steps(start, tuple(blocks), tuple(sorted(set(starts.values())))))
        self.function("walk", (STATE, WORK))
        if not self.logging:
            self.set_word(AT["limit"], self.word(self.layout.words["decisions"]), WORK)
        self.emit(ir.Return(self.call("walk", STATE, WORK)))
        self.function("advance", (STATE, WORK), exported=True)

    def _start(self, name: str, starts: dict[int, int]) -> ir.Expr:
        """The block for where the state stands, from a table."""
        self.module.data[name] = b"".join(starts[pc].to_bytes(8, "little") for pc in sorted(starts))
        return self.keep_now(ir.Load("i64", ir.Data(name), self.word(self.layout.words["pc"])))

    def write_apply(self) -> None:
        """apply(S, W, index): carry the alternative of that index out, of those that were listed."""
        words, index = self.layout.words, ir.Local("index", "int")
        self.begin(Depths(0, 0), [], fresh=False)
        starts = dict.fromkeys(range(len(self.code) + 1), len(self.asks))
        with self.when(self.word(AT["stop"], WORK), rare=True):
            self._fault(const(self.faults.number(self.program, INTERRUPTED)))
            self.emit(ir.Return(ZERO))
        start = self._start("carries", starts | {number: i for i, (number, _) in enumerate(self.asks)})
        blocks = []
        for number, ask in self.asks:
            with self.block() as body:
                self.reset_work()
                self.set_word(words["steps"], ZERO)
                self.set_word(words["decisions"], add(self.word(words["decisions"]), ONE))
                status = self._carry(number, ask, index, None)
                with self.when(status, rare=True):
                    self._fault(status)
                    self.emit(ir.Return(ZERO))
                self.set_word(words["pc"], const(number + 1))
                if self.counts:
                    self.set_word(words["work"], self.work_word())
                self.emit(ir.Return(ZERO))
            blocks.append(tuple(body))
        blocks.append((ir.Return(ZERO),))
        self.emit(ir.Steps(start, tuple(blocks), tuple(range(len(blocks)))))
        self.function("apply", (STATE, WORK, index), exported=True)

    def write_relist(self) -> None:
        """relist(S, W): list the open decision."""
        self.begin(TABLE, [], fresh=False)
        pc = self.variable(self.word(self.layout.words["pc"]), "pc")
        for number, _ in self.asks:
            with self.when(binary("eq", pc, const(number))):
                self.emit(ir.Return(self.call(f"list_{number}", STATE, WORK)))
        self.emit(ir.Return(ZERO))
        self.function("relist", (STATE, WORK), exported=True)

    def _step(self, number: int, step: Step) -> None:
        depths = self.depths[number]
        if isinstance(step, Ask):
            self._ask(number, step)
            return
        if self.logging and isinstance(step, Block):
            noted = self.word(AT["effects"], WORK)
            with self.when(binary("sgt", noted, const(PAUSE_EFFECTS)), rare=True):
                self._out_at(number, "pause")
        counts = isinstance(step, Block) or (isinstance(step, Bind) and step.counts)
        if counts or (isinstance(step, StageStep) and step.what in ("test", "again")):
            self.set(self.steps_left, binary("sub", self.steps_left, ONE))
            with self.when(binary("slt", self.steps_left, ZERO), rare=True):
                self._out_at(number, "stuck", depths)
        if isinstance(step, Block | Bind):
            name = f"block_{number}" if isinstance(step, Block) else f"bind_{number}"
            self._checked(self.call(name, STATE, WORK), number)
            self.emit(ir.Go(number + 1))
            return
        self._stage(number, step)

    def _stop_at(self, number: int) -> None:
        """Out of the walk where the workspace's limit says so."""
        words, depths = self.layout.words, self.depths[number]
        if self.logging:
            self._out_at(number, "stop", depths)
            return
        with self.when(binary("sge", self.word(words["decisions"]), self.word(AT["limit"], WORK)), rare=True):
            self._out_at(number, "stop", depths)

    # --- ways out ------------------------------------------------------------------------------

    def _out_at(self, number: int, why: Why, depths: Depths = TABLE) -> None:
        """Out of the walk at a step: seldom, so all steps share what is done then."""
        self.set_word(self.layout.words["pc"], const(number))
        way = (why, Depths(depths.seat, depths.team))
        if way not in self.ways_out:
            self.ways_out.append(way)
        self.emit(ir.Go(self.first_way_out + self.ways_out.index(way)))

    def _way_out(self, why: Why, depths: Depths) -> None:
        if why == "stuck":
            self.set(self.steps_left, add(self.steps_left, ONE))
            self._finish(depths, STUCK)
        elif why == "failed":
            self.set_word(self.layout.words["ending"], const(FAILED))
            self._walk_out()
        elif why == "pause":
            if self.counts:
                self.set_word(self.layout.words["work"], self.work_word())
            self._walk_out(const(PAUSED))
        else:
            self._stop(depths)

    def _stop(self, depths: Depths) -> None:
        """At a decision that nobody draws for: it is listed."""
        decisions = self.word(self.layout.words["decisions"])
        with self.when(binary("sge", decisions, self.word(AT["most_decisions"], WORK)), rare=True):
            self._finish(depths, CUT_OFF)
        if not self.logging:  # whoever steps reads the notes first, then asks for the list
            status = self.variable(self.call("relist", STATE, WORK), "status")
            with self.when(status, rare=True):
                self._fault(status)
        self._walk_out(const(depths.seat))

    def _finish(self, depths: Depths, ending: int) -> None:
        name = f"score_{depths.seat}_{depths.team}"
        status = self.variable(self.call(name, STATE, WORK, const(ending)), "status")
        with self.when(status, rare=True):
            self._fault(status)
        self._walk_out()

    def _walk_out(self, value: ir.Expr = ZERO) -> None:
        """The end of every way."""
        self.set_word(self.layout.words["steps"], binary("sub", self.most_steps, self.steps_left))
        self.emit(ir.Return(value))

    # --- decisions -----------------------------------------------------------------------------

    def _begin_at(self, number: int) -> None:
        """The walk begins at a decision: that one is listed and carried out as by those who step."""
        words = self.layout.words
        self._stop_at(number)
        if self.logging:
            return
        self.set_word(words["pc"], const(number))  # it may have stood at the lets around it
        self.run("decide", STATE, WORK, self.word(words["seat_index"] + self.depths[number].seat))
        self.set(self.steps_left, self.most_steps)
        with self.when(self.word(words["ending"]), rare=True):
            self._walk_out()
        self.emit(ir.Go(number + 1))

    def write_decide(self) -> None:
        """decide(S, W, seat): list the open decision, draw from the seat's stream, carry it out."""
        words, seat = self.layout.words, ir.Local("seat", "int")
        self.begin(TABLE, [], fresh=False)
        status = self.variable(self.call("relist", STATE, WORK), "status")
        with self.when(status, rare=True):
            self._fault(status)
            self.emit(ir.Return(ZERO))
        have = self.keep_now(self.word(words["choices"]))
        self._count(have)
        self.emit(ir.Return(self.call("apply", STATE, WORK, self._draw(seat, have))))
        self.function("decide", (STATE, WORK, seat), rare=True)

    def _draw(self, seat: ir.Expr, have: ir.Expr) -> ir.Expr:
        """Which of so many alternatives a seat takes in a playout."""
        return self.keep_now(self.call("choose_below", ir.Offset(WORK, const(8 * SEATS_AT)), seat, have))

    def _count(self, have: ir.Expr) -> None:
        """A playout counts its alternatives, and decisions with one of them."""
        self.set_word(AT["choices"], add(self.word(AT["choices"], WORK), have), WORK)
        forced = add(self.word(AT["forced"], WORK), binary("eq", have, ONE))
        self.set_word(AT["forced"], forced, WORK)

    def _ask(self, number: int, ask: Ask) -> None:
        words = self.layout.words
        self._stop_at(number)
        if self.logging:
            return
        here = self.list_here(number, ask)
        if here is None:
            self.set_word(words["pc"], const(number))
            self._checked(self.call(f"list_{number}", STATE, WORK), number)
            listed, have = None, self.keep_now(self.word(words["choices"]))
        else:
            # it stays in registers, and nobody reads the state meanwhile
            listed, have = here.listed, here.total
            self.blocks[-1].extend(here.body)
            for group in here.alone:
                with self.when(self.has_any(group.shares[0].mask)):
                    self._decide(number, ask, ONE, [group], draws=False)
            with self.when(binary("eq", have, ZERO) if listed else ONE, rare=True):
                self.set_word(words["fault"], const(self.faults.number(ask.choice, NOTHING)))
                self._out_at(number, "failed")
            if not listed:
                return
        self._decide(number, ask, have, listed)

    def _decide(
        self, number: int, ask: Ask, have: ir.Expr, listed: Listed | None, draws: bool = True
    ) -> None:
        """The player to move takes one of so many alternatives."""
        words = self.layout.words
        if listed is None or self.counts:
            self._look_at_stop(number)
        self.set_word(words["decisions"], add(self.word(words["decisions"]), ONE))
        self._count(have)
        seat = self.word(words["seat_index"] + self.depths[number].seat)
        chosen = self._draw(seat, have) if draws else ZERO
        self.set(self.steps_left, self.most_steps)
        self.reset_work()
        self._checked(self._carry(number, ask, chosen, listed), number)
        self.emit(ir.Go(number + 1))

    def _look_at_stop(self, number: int) -> None:
        """Out of the walk where somebody wants it back. Decisions that are counted from sets take so little
        time that a game of nothing else need not look."""
        with self.when(self.word(AT["stop"], WORK), rare=True):
            self.set_word(self.layout.words["fault"], const(self.faults.number(self.program, INTERRUPTED)))
            self._out_at(number, "failed")

    def _carry(self, number: int, ask: Ask, chosen: ir.Expr, listed: Listed | None) -> ir.Local:
        """Carry the alternative out; gives the fault's number or 0."""
        if number in self.allocating:
            self.free_arena(self.room.arena_start)
        status = self.variable(ZERO, "status")
        self.carry_out(number, ask, chosen, status, listed)
        return status

    def _checked(self, call: ir.Expr, number: int) -> ir.Expr:
        status = self.keep(call, "status")
        with self.when(binary("sgt", status, ZERO), rare=True):
            self.set_word(self.layout.words["fault"], status)
            self._out_at(number, "failed")
        return status

    def _stage(self, number: int, step: StageStep) -> None:
        words, depths = self.layout.words, self.depths[number]
        of_players = step.stage.of == "player"
        index = words["seat_index"] + depths.seat if of_players else words["team_index"] + depths.team
        if self.logging and step.what in ("enter", "leave"):
            self._note_stage(number)
        if step.what == "enter":
            self.set_word(index + 1, self.word(index))
            if of_players:
                self.set_word(words["seat_queue"] + depths.seat + 1, MINUS)
        elif step.what != "leave":
            self._go_on_early(number, step, depths)
            test = number if step.what == "test" else self._test_of(step)
            status = self._checked(self.call(f"test_{test}", STATE, WORK), number)
            with self.when(binary("slt", status, ZERO)):
                self.emit(ir.Go(step.target))
            if self.logging:
                self._note_stage(number)
            if step.what == "again":
                if not any(isinstance(inner, p.Choice) for inner in below(step.stage)):
                    self._look_at_stop(number)
                self.begin(depths, [], fresh=False)
                if of_players:
                    self._pass_on(depths, self.keep_now(self.seat("next")))
                else:
                    after = self.keep_now(add(self.word(index), ONE))
                    self.set_word(index, ir.If(binary("sge", after, self.team_count()), ZERO, after))
                self.emit(ir.Go(step.back))
                return
        self.emit(ir.Go(number + 1))

    def _pass_on(self, depths: Depths, seat: ir.Expr) -> None:
        words = self.layout.words
        self.set_word(words["seat_index"] + depths.seat, seat)
        if depths.queued:
            self.set_word(words["seat_queue"] + depths.seat, MINUS)

    def _go_on_early(self, number: int, step: StageStep, depths: Depths) -> None:
        """Where a stage ends once all players have done something, the one to move is asked first.

        As long as the stage goes on it is most often that one who has not, and nobody else need be asked.
        """
        end = self._asks_mover_first(step)
        if end is None:
            return
        self.begin(depths, [], fresh=False)
        again = step.what == "again"
        seat = self.env[end.binding.slot] = self.keep_now(self.seat("next" if again else "current"))
        with self.block() as on:
            if again:
                self._pass_on(depths, seat)
            self.emit(ir.Go(step.back if again else number + 1))
        self._unless(end.test, on)

    def _asks_mover_first(self, step: StageStep) -> p.Quantified | None:
        """The end of a stage that lasts until all players have done something."""
        end = step.stage.end
        if self.logging or not (step.stage.of == "player" and isinstance(end, p.Quantified) and end.every):
            return None
        everybody = isinstance(end.source, p.Players) and not end.source.others
        return end if everybody and end not in self.counts.units and self.is_quick(end.test) else None

    def _unless(self, test: p.Expr, body: list[ir.Stmt]) -> None:
        """Do it where a condition does not hold, by jumps: the player to move has seldom done what ends a
        stage, and once that one has the others have too."""
        if isinstance(test, p.Logic) and test.operator == "or":
            for operand in reversed(test.operands):
                with self.block() as inner:
                    self._unless(operand, body)
                body = inner
            self.blocks[-1].extend(body)
            return
        with self.when(negate(self.value(test))):
            self.blocks[-1].extend(body)

    def _note_stage(self, number: int) -> None:
        """Which step was taken; more than can be noted is left out, since no stage may run past the notes."""
        at = self.keep_now(self.word(AT["effects"], WORK))
        with self.when(self.has_room(EFFECTS, add(at, const(3)))):
            start = self.keep_now(add(at, self.word(EFFECTS + BASE, WORK)))
            for i, word in enumerate((STAGE, 1, number)):
                self.set_word(add(start, const(i)), const(word), WORK)
            self.set_word(AT["effects"], add(at, const(3)), WORK)

    def _test_of(self, again: StageStep) -> int:
        return again.back - 1
