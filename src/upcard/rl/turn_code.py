"""Per-game functions of a vector environment: one decision to the next, without listing anything twice.

An environment's memory is its state and, behind it, the words that `Slot` names. At a decision whose
alternatives are counted from sets (a `fast` one) these sets are kept there, so that the next step finds the
alternative without listing the decision again. Any other decision is listed again before it is carried out.

What was chosen is an `entry`: item * 2^16 + pick at a fast decision (the pick is a card, the number of a
combination of written words, or 0), otherwise the index among the listed alternatives.
"""

from __future__ import annotations

from dataclasses import dataclass

from upcard.engine.native import ir
from upcard.engine.native.kernels.compiler import compile_kernels
from upcard.engine.native.lower.builder import STATE, WORK, ZERO, binary, const
from upcard.engine.native.lower.context import Context
from upcard.engine.native.lower.control import Turn, write_turn
from upcard.engine.native.lower.decisions import carry
from upcard.engine.native.lower.fast.counted_items import is_counted
from upcard.engine.native.lower.fast.listed_choices import item_groups
from upcard.engine.native.lower.runtime import MASK_WORDS, MASKS_AT
from upcard.engine.native.lower.state_layout import Layout
from upcard.engine.shared.flat_program import Ask
from upcard.rl import slice_kernels
from upcard.rl.slice_kernels import PICK_BITS, Slot, VectorFacts

MAX_KEPT = 32
"""Words of sets that an environment keeps of its decision."""
ENTRY = ir.Local("entry", "int")


@dataclass(frozen=True)
class Decisions:
    """What is known of a program's decisions, by their steps."""

    steps: int
    """Of the program."""
    fast: dict[int, int]
    """The fast decisions: how many items each has."""
    depths: dict[int, int]
    """Of all decisions: how many stages of players are open."""
    kept: int
    """Words of sets that are kept."""


def decisions_of(ctx: Context) -> Decisions:
    words = ctx.layout.set_words
    fast = {
        number: len(ask.choice.items)
        for number, ask in ctx.asks
        if len(ask.choice.items) * words <= MAX_KEPT
        and all(is_counted(ctx, item) for item in ask.choice.items)
    }
    depths = {number: ctx.depths[number].seat for number, _ in ctx.asks}
    return Decisions(len(ctx.code), fast, depths, words * max(fast.values(), default=0))


def kept_at(layout: Layout) -> int:
    """The first word of the sets that are kept: behind the state and the slot."""
    return layout.size // 8 + Slot.size // 8


def facts_of(layout: Layout, known: Decisions) -> VectorFacts:
    words = layout.words
    table = [0] * known.steps
    for number, items in known.fast.items():
        table[number] = items
    return VectorFacts.pack(
        seats=layout.seats,
        highest=int(layout.program.scoring.highest),
        **{name: words[name] for name in ("ending", "pc", "scores")},
        offered=words["choices"],
        mover=words["seat_index"],
        slot=layout.size // 8,
        kept=kept_at(layout),
        set_words=layout.set_words,
        steps=known.steps,
        rest=table,
    )


def write_vector(ctx: Context) -> None:
    """Writes everything that a vector environment calls of a game."""
    known = decisions_of(ctx)
    facts = facts_of(ctx.layout, known)
    ctx.module.data["vector_layout"] = bytes(facts.bytes)
    ctx.emit(ir.Return(ir.Data("vector_layout")))
    ctx.function("vector_facts", (), "ptr")
    _write_turn(ctx, known)
    kernels = compile_kernels(
        "vector", slice_kernels.KERNELS, slice_kernels.GIVEN, exported=slice_kernels.EXPORTED
    )
    for function in kernels.functions.values():
        ctx.module.add(function)


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
