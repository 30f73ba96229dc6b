"""Per-game functions of a vector environment: one decision to the next, without listing anything twice.

An environment's memory is its state and, behind it, the words that `Slot` names. At a decision whose
alternatives are counted from sets and whose actions have numbers of their own (a `fast` one) these sets are
kept there, so that the next step finds the alternative without listing the decision again. Any other decision
is listed again before it is carried out.

What was chosen is an `entry`: item * 2^16 + pick at a fast decision (the pick is a card, the number of a
combination of written words, or 0), otherwise the index among the listed alternatives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from upcard.encoding import Encoding
from upcard.encoding.field_code import FieldCode
from upcard.encoding.field_writers import write_parts
from upcard.engine.native import ir
from upcard.engine.native.kernels.compiler import compile_kernels
from upcard.engine.native.lower.builder import ONE, STATE, WORK, ZERO, binary, const
from upcard.engine.native.lower.context import Context
from upcard.engine.native.lower.control import Turn, write_turn
from upcard.engine.native.lower.decisions import block_at, carry
from upcard.engine.native.lower.fast.counted_items import is_counted
from upcard.engine.native.lower.fast.listed_choices import item_groups
from upcard.engine.native.lower.runtime import MASK_WORDS, MASKS_AT
from upcard.engine.native.lower.state_layout import Layout
from upcard.engine.shared.flat_program import Ask
from upcard.rl import slice_kernels
from upcard.rl.action_tables import ActionTable, action_table
from upcard.rl.slice_kernels import PICK_BITS, Slot, VectorFacts

MAX_KEPT = 32
"""Words of sets that an environment keeps of its decision."""
CHUNK = 64
"""Bytes of a mask that are written at once."""
ENTRY, ROW, SEAT = ir.Local("entry", "int"), ir.Local("row", "ptr"), ir.Local("seat", "int")
ACTION, CHANCE = ir.Local("action", "int"), ir.Local("chance", "int")


@dataclass(frozen=True)
class Numbers:
    """The actions of a game that has an encoding."""

    count: int
    of: Mapping[str, int]
    """By `Move.action`; alternatives of items without a bound have none."""


@dataclass(frozen=True)
class Decisions:
    """What is known of a program's decisions, by their steps."""

    steps: int
    """Of the program."""
    fast: dict[int, ActionTable | None]
    """The fast decisions, with the numbers of their actions if there are any."""
    items: dict[int, int]
    """How many items each of them has."""
    kept: int
    """Words of sets that are kept."""


def decisions_of(ctx: Context, numbers: Numbers | None) -> Decisions:
    fast: dict[int, ActionTable | None] = {}
    for number, ask in ctx.asks:
        few = len(ask.choice.items) * ctx.layout.set_words <= MAX_KEPT
        if not few or not all(is_counted(ctx, item) for item in ask.choice.items):
            continue
        table = None if numbers is None else action_table(ctx, ask, numbers.of)
        if numbers is None or table is not None:
            fast[number] = table
    items = {number: len(ask.choice.items) for number, ask in ctx.asks if number in fast}
    return Decisions(len(ctx.code), fast, items, ctx.layout.set_words * max(items.values(), default=0))


def kept_at(layout: Layout) -> int:
    """The first word of the sets that are kept: behind the state and the slot."""
    return layout.size // 8 + Slot.size // 8


def facts_of(layout: Layout, known: Decisions, numbers: Numbers | None) -> VectorFacts:
    words, steps = layout.words, known.steps
    rest = [0] * 3 * steps
    for number, table in known.fast.items():
        rest[number] = known.items[number]
        if table is None or numbers is None:
            continue
        rest[steps + number] = len(rest)
        rest += table.entries(numbers.count)
        rest[2 * steps + number] = len(rest)
        ends = len(rest) + len(table.numbers)
        for named in table.numbers:
            rest.append(ends)
            ends += len(named)
        for named in table.numbers:
            rest += named
    return VectorFacts.pack(
        seats=layout.seats,
        highest=int(layout.program.scoring.highest),
        **{name: words[name] for name in ("ending", "pc", "decisions", "scores")},
        offered=words["choices"],
        mover=words["seat_index"],
        slot=layout.size // 8,
        kept=kept_at(layout),
        set_words=layout.set_words,
        entries=steps,
        names=2 * steps,
        rest=rest,
    )


def write_vector(ctx: Context, known: Decisions, numbers: Numbers | None) -> None:
    """Writes everything that a vector environment calls of a game."""
    ctx.module.data["vector_layout"] = bytes(facts_of(ctx.layout, known, numbers).bytes)
    ctx.emit(ir.Return(ir.Data("vector_layout")))
    ctx.function("vector_facts", (), "ptr")
    _write_turn(ctx, known)
    _write_mask_row(ctx, known, numbers)
    kernels = compile_kernels(
        "vector", slice_kernels.KERNELS, slice_kernels.GIVEN, exported=slice_kernels.EXPORTED
    )
    for function in kernels.functions.values():
        ctx.module.add(function)


def write_encoding(ctx: Context, encoding: Encoding) -> None:
    """The functions of a game's encoding."""
    code = FieldCode(ctx.module, encoding.content, ctx.layout, ctx.depths, encoding.size)
    code.begin()
    write_parts(code, encoding._parts)
    code.finish()
    for name, parameters in (
        ("mask", (STATE, WORK, ROW)),
        ("index_of_action", (STATE, WORK, ACTION, CHANCE)),
        ("action_of_index", (STATE, WORK, ACTION)),
    ):
        ctx.emit(ir.Return(ZERO))
        ctx.function(name, parameters)


def write_no_encoding(ctx: Context) -> None:
    """What stands where a game has no encoding: nothing is called that would need one."""
    for name, parameters in (
        ("encode", (STATE, SEAT, ROW)),
        ("mask", (STATE, WORK, ROW)),
        ("index_of_action", (STATE, WORK, ACTION, CHANCE)),
        ("action_of_index", (STATE, WORK, ACTION)),
    ):
        ctx.emit(ir.Return(ZERO))
        ctx.function(name, parameters)


# --- turns ---------------------------------------------------------------------------------------


def _write_turn(ctx: Context, known: Decisions) -> None:
    def carried(number: int, ask: Ask) -> ir.Expr:
        if number not in known.fast:
            return carry(ctx, number, ask, ENTRY, None)
        return _carry_entry(ctx, number, ask)

    def listed(number: int, ask: Ask) -> None:
        if number not in known.fast:
            return
        words = ctx.layout.set_words
        for i in range(len(ask.choice.items)):
            for w in range(words):
                word = ctx.word(MASKS_AT + i * MASK_WORDS + w, WORK)
                ctx.set_word(kept_at(ctx.layout) + i * words + w, word)

    begins = binary("slt", ENTRY, ZERO)
    write_turn(ctx, "turn", (STATE, WORK, ENTRY), Turn(begins, carried, listed))


def _carry_entry(ctx: Context, number: int, ask: Ask) -> ir.Local:
    """Carries out an item with a pick; items that do the same share their code."""
    if number in ctx.allocating:
        ctx.free_arena(ctx.room.arena_start)
    status = ctx.variable(ZERO, "status")
    item = ctx.snapshot(binary("lshr", ENTRY, const(PICK_BITS)))
    pick = ctx.snapshot(binary("and", ENTRY, const((1 << PICK_BITS) - 1)))
    groups = item_groups(ctx, ask)
    bodies: list[list[ir.Stmt]] = []
    for group in groups:
        with ctx.block() as body:
            ctx.set(status, ctx.call(f"item_{number}_{group[0]}", STATE, WORK, pick))
        bodies.append(body)
    chain = bodies.pop()
    for group, body in reversed(list(zip(groups, bodies, strict=False))):
        chain = [ir.Branch(binary("sle", item, const(group[-1])), tuple(body), tuple(chain))]
    ctx.blocks[-1].extend(chain)
    return status


# --- masks ---------------------------------------------------------------------------------------


def _write_mask_row(ctx: Context, known: Decisions, numbers: Numbers | None) -> None:
    """mask_row(S, W, row): a byte for each action of the decision."""
    blocks: dict[int, Callable[[], None]] = {}
    for number, table in known.fast.items():
        if table is not None and numbers is not None:
            blocks[number] = lambda table=table: _spread_kept(ctx, table, numbers.count)  # type: ignore[misc]
    order = list(blocks)
    starts = dict.fromkeys(range(known.steps + 1), len(order))
    starts |= {number: place for place, number in enumerate(order)}
    start = block_at(ctx, "masked", starts)
    bodies = []
    for number in order:
        with ctx.block() as body:
            blocks[number]()
            ctx.emit(ir.Return(ZERO))
        bodies.append(tuple(body))
    with ctx.block() as body:
        ctx.run("mask", STATE, WORK, ROW)
        ctx.emit(ir.Return(ZERO))
    bodies.append(tuple(body))
    ctx.emit(ir.Steps(start, tuple(bodies), tuple(range(len(bodies)))))
    ctx.function("mask_row", (STATE, WORK, ROW))


def _spread_kept(ctx: Context, table: ActionTable, actions: int) -> None:
    """The row from the sets that are kept."""
    for first in range(0, actions, CHUNK):
        ctx.emit(ir.Spread(ROW, const(first), min(CHUNK, actions - first), (), "bytes"))
    words = ctx.layout.set_words
    for item in range(len(table.numbers)):
        for pick, number, count in table.runs(item):
            word = ctx.word(kept_at(ctx.layout) + item * words + pick // 64)
            mask = binary("lshr", word, const(pick % 64)) if pick % 64 else word
            ctx.emit(ir.Spread(ROW, const(number), count, ((mask, ONE),), "bytes"))
