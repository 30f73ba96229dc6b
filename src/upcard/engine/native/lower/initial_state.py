"""Lowers the start of a game: a fresh state, drawn declarations, teams, decks."""

from __future__ import annotations

from typing import Any

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import is_place
from upcard.engine.native.lower.builder import MINUS, ONE, STATE, WORK, ZERO, add, binary, const
from upcard.engine.native.lower.context import Context
from upcard.engine.native.lower.runtime import AT, DECK, GIVEN_AT, GIVEN_WORDS
from upcard.engine.native.lower.storage_actions import create_teams
from upcard.engine.native.lower.variables import store_variable
from upcard.engine.shared.flat_program import NO_STAGE
from upcard.recycle import program as p
from upcard.recycle.constants import constant
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below


def write_setup(ctx: Context) -> None:
    """setup(S, W): declared values, teams and cards; the state is all zeros but for its stream."""
    words = ctx.layout.words
    ctx.begin(NO_STAGE)
    depth = words["seat_queue"] - words["seat_index"]
    for i in range(depth):
        ctx.set_word(words["seat_queue"] + i, MINUS)
    ctx.before_teams = True
    _write_declares(ctx)
    if ctx.program.setup.teams is not None:
        create_teams(ctx, ctx.program.setup.teams)
    else:
        for seat in range(ctx.layout.seats):
            ctx.set_word(words["team_of"] + seat, const(seat))
            ctx.set_word(words["team_size"] + seat, ONE)
            ctx.set_word(words["members"] + seat * ctx.layout.seats, const(seat))
        ctx.set_word(words["teams"], const(ctx.layout.seats))
    ctx.before_teams = False
    runs = iter(ctx.layout.deck_runs)
    for line in ctx.program.setup.decks:
        if ctx.layout.moving_faces:
            ctx.item(line)
        else:
            _deck_line(ctx, line, runs)
    ctx.emit(ir.Return(ZERO))
    ctx.function("setup", (STATE, WORK), exported=True, rare=True)


def _write_declares(ctx: Context) -> None:
    """Those that chance decides, in their order; a declare that always fails is where every game ends."""
    declared = ctx.layout.declared
    for number, declare in enumerate(ctx.program.declares):
        if number == declared.fails_at and declared.fault is not None:
            ctx.fail(declared.fault.node, declared.fault.message)
            return
        binding = declare.binding
        if binding.slot not in declared.drawn:
            continue
        ctx.reset_work()
        if binding.kind is Kind.CARDS and not is_place(declare.value):
            ctx.cards(declare.value)  # empty, but it may draw
        else:
            store_variable(ctx, binding, declare.value)


def _deck_line(ctx: Context, line: p.Item, runs: Any) -> None:
    if isinstance(line, p.Repeat):
        for _ in range(constant(line.count) or 0):
            _deck_line(ctx, line.item, runs)
        return
    assert isinstance(line, p.CreateDeck)
    batch = next(runs)
    place = ctx.snapshot(ctx.location(line.location).place)
    ctx.log(DECK, place, const(batch[0] if batch else 0), const(len(batch)))
    if batch:
        with ctx.each_index(const(batch[0]), const(batch[-1] + 1)) as card:
            ctx.run("put", STATE, card, place, MINUS)


def write_deal(ctx: Context) -> None:
    """deal(S, W, seed, deal): a fresh state at its first decision; the depth of the seat cycle there."""
    seed, number = ir.Local("seed", "int"), ir.Local("deal", "int")
    words = ctx.layout.words
    size = const(ctx.layout.size // 8)
    name = ctx.variable(ctx.call("name_word", ZERO, seed), "h")
    ctx.set(name, ctx.call("name_word", name, number))
    ctx.set(name, ctx.call("name_word", name, ZERO))
    # the setup is the same for every deal unless it draws: done once, then copied
    image = ir.Offset(WORK, const(ctx.room.image_at))
    chancy = any(
        isinstance(n, p.Random | p.BestCard)
        for part in (*ctx.program.declares, ctx.program.setup)
        for n in below(part)
    )
    alike = not chancy and not ctx.logging
    if alike:
        with ctx.when(ctx.word(AT["imaged"], WORK)):
            ctx.run("copy", STATE, image, size)
            _name(ctx, name)
            ctx.emit(ir.Return(ZERO))
    with ctx.each_index(ZERO, size) as i:
        ctx.emit(ir.Store("i64", STATE, i, ZERO))
    _name(ctx, name)
    status = ctx.variable(ctx.call("setup", STATE, WORK), "status")
    with ctx.when(status):
        ctx.note_fault(status)
        ctx.emit(ir.Return(ZERO))
    if alike:
        ctx.run("copy", image, STATE, size)
        ctx.set_word(AT["imaged"], ONE, WORK)
    ctx.emit(ir.Return(ZERO))
    ctx.function("blank", (STATE, WORK, seed, number))
    ctx.run("blank", STATE, WORK, seed, number)
    with ctx.each_index(ZERO, ctx.word(AT["given"], WORK)) as i:
        entry = ctx.keep(add(const(GIVEN_AT), binary("mul", i, const(GIVEN_WORDS))))
        turn = ir.Binary("urem", number, ctx.keep(ctx.word(add(entry, const(2)), WORK)))
        ctx.set_word(ctx.word(entry, WORK), add(ctx.word(add(entry, ONE), WORK), turn))
    ctx.emit(ir.Return(ZERO))
    ctx.function("begin", (STATE, WORK, seed, number))
    ctx.run("begin", STATE, WORK, seed, number)
    if ctx.logging:  # a stepping caller reads the notes of the setup first
        ctx.emit(ir.Return(ZERO))
    else:
        with ctx.when(ctx.word(words["ending"])):
            ctx.emit(ir.Return(ZERO))
        ctx.emit(ir.Return(ctx.call("advance", STATE, WORK)))
    ctx.function("deal", (STATE, WORK, seed, number), exported=True)


def _name(ctx: Context, name: ir.Expr) -> None:
    """The game's stream begins."""
    words = ctx.layout.words
    ctx.set_word(words["name"], name)
    ctx.run("seed_stream", ir.Offset(STATE, const(8 * words["c0"])), name)
