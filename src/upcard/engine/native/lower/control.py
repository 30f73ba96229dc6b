"""Lowers stages and steps: the walk from decision to decision, from setup to scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from upcard.engine.native import ir
from upcard.engine.native.kernels.workspace_growth import BASE
from upcard.engine.native.lower.builder import INTERRUPTED, MINUS, ONE, STATE, WORK, ZERO, add, binary, const
from upcard.engine.native.lower.choices import write_choice
from upcard.engine.native.lower.context import Context
from upcard.engine.native.lower.decisions import block_at, carry, count_choices, draw_choice
from upcard.engine.native.lower.fast.listed_choices import Listed, has_any, list_here
from upcard.engine.native.lower.fast.stage_ends import asks_mover_first, go_on_early, pass_on, unless
from upcard.engine.native.lower.runtime import AT, EFFECTS, PAUSE_EFFECTS, STAGE, has_room
from upcard.engine.native.lower.state_layout import CUT_OFF, FAILED, FINISHED, STUCK
from upcard.engine.native.lower.variables import bind_again, lets_before, store_variable
from upcard.engine.shared.flat_program import NO_STAGE, Ask, Bind, Block, Depths, StageStep, Step
from upcard.recycle import failures
from upcard.recycle import program as p
from upcard.recycle.walk import below

Why: TypeAlias = Literal["stuck", "failed", "stop", "pause"]
"""A walk ends early: too many steps, a fault, a decision for others to make, or many notes to read."""
PAUSED = -1
"""What a walk returns that is to go on when its notes have been read."""


@dataclass(frozen=True)
class Turn:
    """What a walk from one decision to the next begins and ends with."""

    begins: ir.Expr
    """Not 0 where nothing was chosen yet: the game is at its beginning."""
    carry: Callable[[int, Ask], ir.Expr]
    """Carries out what was chosen at the decision of this step; gives the fault's number or 0."""
    listed: Callable[[int, Ask], None]
    """Writes what follows once the next decision, of this step, is listed."""


@dataclass
class Walk:
    """The function `walk`, or another from decision to decision, as it is written."""

    ctx: Context
    most_steps: ir.Local
    """The steps that a decision may take."""
    steps_left: ir.Local
    first_exit: int
    """The block of the first way out."""
    exits: list[tuple[Why, Depths, int]] = field(default_factory=list)
    """The ways out, each a block of its own: they are taken seldom, so all steps share them. The last number
    is the step of a decision that a turn ends at, otherwise 0."""
    turn: Turn | None = None
    """It goes no further than the next decision."""

    @property
    def stops(self) -> bool:
        """At every decision."""
        return self.ctx.logging or self.turn is not None


def write_steps(ctx: Context) -> None:
    """A function for each step that evaluates something."""
    for number, step in enumerate(ctx.code):
        depths = ctx.depths[number]
        if isinstance(step, Block):
            ctx.begin(depths)
            ctx.item(step.item)
            ctx.emit(ir.Return(ZERO))
            ctx.function(f"block_{number}", (STATE, WORK))
        elif isinstance(step, Bind):
            ctx.begin(depths)
            bind_again(ctx, lets_before(ctx, number))
            store_variable(ctx, step.node.binding, step.node.value)
            ctx.emit(ir.Return(ZERO))
            ctx.function(f"bind_{number}", (STATE, WORK))
        elif isinstance(step, StageStep) and step.what == "test":
            ctx.begin(depths)
            # 0 goes on, -1 leaves, anything else is a fault
            asked = asks_mover_first(ctx, step)
            if asked is None:
                ctx.emit(ir.Return(binary("sub", ZERO, ctx.value(step.stage.end))))
            else:
                for seat in range(ctx.layout.seats):
                    ctx.env[asked.binding.slot] = const(seat)
                    unless(ctx, asked.test, [ir.Return(ZERO)])
                ctx.emit(ir.Return(MINUS))
            ctx.function(f"test_{number}", (STATE, WORK))
    for number, ask in ctx.asks:
        write_choice(ctx, number, ask)
    for seat, team in sorted({(d.seat, d.team) for d in ctx.depths} | {(0, 0)}):
        _write_scoring(ctx, Depths(seat, team))


def _write_scoring(ctx: Context, depths: Depths) -> None:
    words = ctx.layout.words
    ending = ir.Local("ending", "int")
    ctx.begin(Depths(depths.seat + 1, depths.team))
    at = ctx.seat_depth
    for seat in range(ctx.layout.seats):
        ctx.set_word(words["seat_index"] + at, const(seat))
        ctx.set_word(words["seat_queue"] + at, MINUS)
        ctx.set_word(words["scores"] + seat, ctx.value(ctx.program.scoring.value))
    ctx.set_word(words["ending"], ending)
    ctx.emit(ir.Return(ZERO))
    # inside a stage a game ends only where a limit is reached
    name = f"score_{depths.seat}_{depths.team}"
    ctx.function(name, (STATE, WORK, ending), rare=(depths.seat, depths.team) != (0, 0))


def write_walk(ctx: Context) -> None:
    """walk(S, W): on from where the state stands; gives the depth of the seat cycle at a decision.

    It stops at the decision that the workspace's limit names, and lists it. At any other the seat draws
    from its stream, and the workspace counts choices and forced decisions: a playout never leaves this
    function, and what it lists is carried out at once.
    """
    ctx.begin(NO_STAGE, fresh=False)
    last = len(ctx.code)
    # a game that goes on stands at its beginning, at a decision, behind one, or at the lets around one
    starts = dict.fromkeys(range(last + 1), last + 1)
    opened = {number: last + 2 + i for i, (number, _) in enumerate(ctx.asks)}
    starts |= opened | {number + 1: number + 1 for number in opened} | {0: 0}
    bound = {number: len(lets_before(ctx, number)) for number in opened}
    letting = [number for number, lets in bound.items() if lets]
    starts |= {n - bound[n]: last + 2 + len(ctx.asks) + i for i, n in enumerate(letting)}
    if ctx.logging:  # or behind a pause
        starts |= {number: number for number, step in enumerate(ctx.code) if isinstance(step, Block)}
    start = block_at(ctx, "starts", starts)
    walk = _begun(ctx, last + 2 + len(ctx.asks) + len(letting))
    blocks = _blocks_of_steps(walk)
    for number, _ in ctx.asks:
        # a start here has nothing in registers; a block of its own keeps that out of the path between steps
        with ctx.block() as body:
            _begin_at(walk, number)
        blocks.append(tuple(body))
    for number in letting:
        with ctx.block() as body:
            for let in range(number - bound[number], number):
                _checked(walk, ctx.call(f"bind_{let}", STATE, WORK), let)
            ctx.emit(ir.Go(opened[number]))
        blocks.append(tuple(body))
    blocks += _blocks_of_exits(walk)
    ctx.emit(ir.Steps(start, tuple(blocks), tuple(sorted(set(starts.values())))))
    ctx.function("walk", (STATE, WORK))
    if not ctx.logging:
        ctx.set_word(AT["limit"], ctx.word(ctx.layout.words["decisions"]), WORK)
    ctx.emit(ir.Return(ctx.call("walk", STATE, WORK)))
    ctx.function("advance", (STATE, WORK), exported=True)


def write_turn(ctx: Context, name: str, parameters: tuple[ir.Local, ...], turn: Turn) -> None:
    """A function from one decision to the next, or to the end: what was chosen is carried out, and the
    decision that comes next is listed. It gives the depth of the seat cycle there."""
    last = len(ctx.code)
    carried = {number: last + 2 + i for i, (number, _) in enumerate(ctx.asks)}
    # a state without a decision is at its end
    at_pc = block_at(ctx, "carried", dict.fromkeys(range(last + 1), last + 1) | carried)
    start = ctx.snapshot(ir.Select(turn.begins, ZERO, at_pc))
    walk = _begun(ctx, last + 2 + len(ctx.asks), turn)
    with ctx.when(ctx.word(AT["stop"], WORK), rare=True):
        ctx.note_fault(const(ctx.faults.number(ctx.program, INTERRUPTED)))
        ctx.emit(ir.Return(ZERO))
    blocks = _blocks_of_steps(walk)
    for number, ask in ctx.asks:
        with ctx.block() as body:
            _count_decision(walk)
            _checked(walk, turn.carry(number, ask), number)
            ctx.emit(ir.Go(number + 1))
        blocks.append(tuple(body))
    blocks += _blocks_of_exits(walk)
    ctx.emit(ir.Steps(start, tuple(blocks), tuple(sorted({0, last + 1, *carried.values()}))))
    ctx.function(name, parameters)


def _begun(ctx: Context, first_exit: int, turn: Turn | None = None) -> Walk:
    """A walk whose work and steps are counted from where the state stands."""
    if ctx.counts:
        ctx.set_work(ctx.word(ctx.layout.words["work"]))
    # steps are counted down and without memory: every step asks
    steps = ctx.word(ctx.layout.words["steps"])
    most_steps = ctx.variable(ctx.word(AT["most_steps"], WORK), "most")
    steps_left = ctx.variable(binary("sub", most_steps, steps), "left")
    return Walk(ctx, most_steps, steps_left, first_exit, turn=turn)


def _blocks_of_steps(walk: Walk) -> list[tuple[ir.Stmt, ...]]:
    """A block for each step of the program, one for its end, and one for a game that has ended."""
    ctx = walk.ctx
    blocks: list[tuple[ir.Stmt, ...]] = []
    for number, step in enumerate(ctx.code):
        with ctx.block() as body:
            _step(walk, number, step)
        blocks.append(tuple(body))
    with ctx.block() as body:
        ctx.set_word(ctx.layout.words["pc"], const(len(ctx.code)))
        _finish(walk, NO_STAGE, FINISHED)
    return [*blocks, tuple(body), (ir.Return(ZERO),)]


def _blocks_of_exits(walk: Walk) -> list[tuple[ir.Stmt, ...]]:
    blocks: list[tuple[ir.Stmt, ...]] = []
    for why, depths, number in walk.exits:
        with walk.ctx.block() as body:
            _way_out(walk, why, depths, number)
        blocks.append(tuple(body))
    return blocks


def _step(walk: Walk, number: int, step: Step) -> None:
    ctx = walk.ctx
    depths = ctx.depths[number]
    if isinstance(step, Ask):
        _ask(walk, number, step)
        return
    if ctx.logging and isinstance(step, Block):
        noted = ctx.word(AT["effects"], WORK)
        with ctx.when(binary("sgt", noted, const(PAUSE_EFFECTS)), rare=True):
            _out_at(walk, number, "pause")
    counts = isinstance(step, Block) or (isinstance(step, Bind) and step.counts)
    if counts or (isinstance(step, StageStep) and step.what in ("test", "again")):
        ctx.set(walk.steps_left, binary("sub", walk.steps_left, ONE))
        with ctx.when(binary("slt", walk.steps_left, ZERO), rare=True):
            _out_at(walk, number, "stuck", depths)
    if isinstance(step, Block | Bind):
        name = f"block_{number}" if isinstance(step, Block) else f"bind_{number}"
        _checked(walk, ctx.call(name, STATE, WORK), number)
        ctx.emit(ir.Go(number + 1))
        return
    _stage(walk, number, step)


# --- stages --------------------------------------------------------------------------------------


def _stage(walk: Walk, number: int, step: StageStep) -> None:
    ctx = walk.ctx
    words, depths = ctx.layout.words, ctx.depths[number]
    of_players = step.stage.of == "player"
    index = words["seat_index"] + depths.seat if of_players else words["team_index"] + depths.team
    if ctx.logging and step.what in ("enter", "leave"):
        _note_stage(ctx, number)
    if step.what == "enter":
        ctx.set_word(index + 1, ctx.word(index))
        if of_players:
            ctx.set_word(words["seat_queue"] + depths.seat + 1, MINUS)
    elif step.what != "leave":
        go_on_early(ctx, number, step, depths)
        test = number if step.what == "test" else step.back - 1
        status = _checked(walk, ctx.call(f"test_{test}", STATE, WORK), number)
        with ctx.when(binary("slt", status, ZERO)):
            ctx.emit(ir.Go(step.target))
        if ctx.logging:
            _note_stage(ctx, number)
        if step.what == "again":
            if not any(isinstance(inner, p.Choice) for inner in below(step.stage)):
                _look_at_stop(walk, number)
            ctx.begin(depths, fresh=False)
            if of_players:
                pass_on(ctx, depths, ctx.snapshot(ctx.seat("next")))
            else:
                after = ctx.snapshot(add(ctx.word(index), ONE))
                ctx.set_word(index, ir.If(binary("sge", after, ctx.team_count()), ZERO, after))
            ctx.emit(ir.Go(step.back))
            return
    ctx.emit(ir.Go(number + 1))


def _note_stage(ctx: Context, number: int) -> None:
    """Which step was taken; more than can be noted is left out, since no stage may run past the notes."""
    at = ctx.snapshot(ctx.word(AT["effects"], WORK))
    with ctx.when(has_room(ctx, EFFECTS, add(at, const(3)))):
        start = ctx.snapshot(add(at, ctx.word(EFFECTS + BASE, WORK)))
        for i, word in enumerate((STAGE, 1, number)):
            ctx.set_word(add(start, const(i)), const(word), WORK)
        ctx.set_word(AT["effects"], add(at, const(3)), WORK)


# --- ways out ------------------------------------------------------------------------------------


def _stop_at(walk: Walk, number: int) -> None:
    """Out of the walk where the workspace's limit says so."""
    ctx = walk.ctx
    words, depths = ctx.layout.words, ctx.depths[number]
    if walk.stops:
        _out_at(walk, number, "stop", depths)
        return
    with ctx.when(binary("sge", ctx.word(words["decisions"]), ctx.word(AT["limit"], WORK)), rare=True):
        _out_at(walk, number, "stop", depths)


def _out_at(walk: Walk, number: int, why: Why, depths: Depths = NO_STAGE) -> None:
    """Out of the walk at a step: seldom, so all steps share what is done then."""
    ctx = walk.ctx
    ctx.set_word(ctx.layout.words["pc"], const(number))
    way = (why, Depths(depths.seat, depths.team), number if walk.turn and why == "stop" else 0)
    if way not in walk.exits:
        walk.exits.append(way)
    ctx.emit(ir.Go(walk.first_exit + walk.exits.index(way)))


def _way_out(walk: Walk, why: Why, depths: Depths, number: int) -> None:
    ctx = walk.ctx
    if why == "stuck":
        ctx.set(walk.steps_left, add(walk.steps_left, ONE))
        _finish(walk, depths, STUCK)
    elif why == "failed":
        ctx.set_word(ctx.layout.words["ending"], const(FAILED))
        _walk_out(walk)
    elif why == "pause":
        if ctx.counts:
            ctx.set_word(ctx.layout.words["work"], ctx.work_word())
        _walk_out(walk, const(PAUSED))
    else:
        _stop(walk, depths, number)


def _stop(walk: Walk, depths: Depths, number: int) -> None:
    """At a decision that is left to the caller: it is listed."""
    ctx = walk.ctx
    decisions = ctx.word(ctx.layout.words["decisions"])
    with ctx.when(binary("sge", decisions, ctx.word(AT["most_decisions"], WORK)), rare=True):
        _finish(walk, depths, CUT_OFF)
    if walk.turn is not None:
        status = ctx.variable(ctx.call(f"list_{number}", STATE, WORK), "status")
        with ctx.when(status, rare=True):
            ctx.note_fault(status)
            _walk_out(walk)
        walk.turn.listed(number, dict(ctx.asks)[number])
    elif not ctx.logging:  # a stepping caller reads the notes first, then calls relist
        status = ctx.variable(ctx.call("relist", STATE, WORK), "status")
        with ctx.when(status, rare=True):
            ctx.note_fault(status)
    _walk_out(walk, const(depths.seat))


def _finish(walk: Walk, depths: Depths, ending: int) -> None:
    ctx = walk.ctx
    name = f"score_{depths.seat}_{depths.team}"
    status = ctx.variable(ctx.call(name, STATE, WORK, const(ending)), "status")
    with ctx.when(status, rare=True):
        ctx.note_fault(status)
    _walk_out(walk)


def _walk_out(walk: Walk, value: ir.Expr = ZERO) -> None:
    """The end of every way."""
    ctx = walk.ctx
    ctx.set_word(ctx.layout.words["steps"], binary("sub", walk.most_steps, walk.steps_left))
    ctx.emit(ir.Return(value))


def _look_at_stop(walk: Walk, number: int) -> None:
    """Out of the walk when an interrupt is requested. Decisions that are counted from sets take so little
    time that a game of nothing else need not look."""
    ctx = walk.ctx
    with ctx.when(ctx.word(AT["stop"], WORK), rare=True):
        ctx.set_word(ctx.layout.words["fault"], const(ctx.faults.number(ctx.program, INTERRUPTED)))
        _out_at(walk, number, "failed")


def _checked(walk: Walk, call: ir.Expr, number: int) -> ir.Expr:
    ctx = walk.ctx
    status = ctx.keep(call, "status")
    with ctx.when(binary("sgt", status, ZERO), rare=True):
        ctx.set_word(ctx.layout.words["fault"], status)
        _out_at(walk, number, "failed")
    return status


# --- decisions -----------------------------------------------------------------------------------


def _begin_at(walk: Walk, number: int) -> None:
    """The walk begins at a decision: it is listed and carried out by `decide`."""
    ctx = walk.ctx
    words = ctx.layout.words
    _stop_at(walk, number)
    if ctx.logging:
        return
    ctx.set_word(words["pc"], const(number))  # it may have stood at the lets around it
    ctx.run("decide", STATE, WORK, ctx.word(words["seat_index"] + ctx.depths[number].seat))
    ctx.set(walk.steps_left, walk.most_steps)
    with ctx.when(ctx.word(words["ending"]), rare=True):
        _walk_out(walk)
    ctx.emit(ir.Go(number + 1))


def _ask(walk: Walk, number: int, ask: Ask) -> None:
    ctx = walk.ctx
    words = ctx.layout.words
    _stop_at(walk, number)
    if walk.stops:
        return
    here = list_here(ctx, number, ask)
    if here is None:
        ctx.set_word(words["pc"], const(number))
        _checked(walk, ctx.call(f"list_{number}", STATE, WORK), number)
        listed, have = None, ctx.snapshot(ctx.word(words["choices"]))
    else:
        # the list stays in registers: nothing reads the state meanwhile
        listed, have = here.listed, here.total
        ctx.blocks[-1].extend(here.body)
        for group in here.alone:
            with ctx.when(has_any(ctx, group.shares[0].mask)):
                _decide(walk, number, ask, ONE, [group], draws=False)
        with ctx.when(binary("eq", have, ZERO) if listed else ONE, rare=True):
            ctx.set_word(words["fault"], const(ctx.faults.number(ask.choice, failures.NOTHING_TO_CHOOSE)))
            _out_at(walk, number, "failed")
        if not listed:
            return
    _decide(walk, number, ask, have, listed)


def _decide(
    walk: Walk, number: int, ask: Ask, have: ir.Expr, listed: Listed | None, draws: bool = True
) -> None:
    """The player to move takes one of the alternatives."""
    ctx = walk.ctx
    words = ctx.layout.words
    if listed is None or ctx.counts:
        _look_at_stop(walk, number)
    count_choices(ctx, have)
    seat = ctx.word(words["seat_index"] + ctx.depths[number].seat)
    chosen = draw_choice(ctx, seat, have) if draws else ZERO
    _count_decision(walk)
    _checked(walk, carry(ctx, number, ask, chosen, listed), number)
    ctx.emit(ir.Go(number + 1))


def _count_decision(walk: Walk) -> None:
    """One more decision; its steps and its work are counted anew."""
    ctx = walk.ctx
    decisions = ctx.layout.words["decisions"]
    ctx.set_word(decisions, add(ctx.word(decisions), ONE))
    ctx.set(walk.steps_left, walk.most_steps)
    ctx.reset_work()
