"""Per-game functions of a vector environment: one decision to the next, without listing anything twice.

An environment's memory is its state and, behind it, the words that `Slot` names. At a decision whose
alternatives are counted from sets and whose actions have numbers of their own (a `fast` one) these sets are
kept there, so that the next step finds the alternative without listing the decision again. Any other decision
is listed again before it is carried out.

What was chosen is an `entry`: item * 2^16 + pick at a fast decision (the pick is a card, the number of a
combination of written words, or 0), otherwise the index among the listed alternatives.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from upcard.encoding import Encoding
from upcard.encoding.action_plan import ActionPlan, CountedItem
from upcard.encoding.machine_code import write_encoder
from upcard.engine.native import ir
from upcard.engine.native.kernels.compiler import compile_kernels
from upcard.engine.native.lower import Lowered
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
from upcard.rl.slice_kernels import PICK_BITS, Slot, VectorFacts

MAX_KEPT = 32
"""Words of sets that an environment keeps of its decision."""
CHUNK = 64
"""Bytes of a mask that are written at once."""
ENTRY, ROW, SEAT = ir.Local("entry", "int"), ir.Local("row", "ptr"), ir.Local("seat", "int")
ACTION, CHANCE = ir.Local("action", "int"), ir.Local("chance", "int")


@dataclass(frozen=True)
class Actions:
    """The actions of a game that has an encoding."""

    count: int
    plan: ActionPlan


@dataclass(frozen=True)
class Decisions:
    """What is known of a program's decisions, by their steps."""

    steps: int
    """Of the program."""
    fast: dict[int, list[list[int]]]
    """The fast decisions: per item, per pick the number of the action (-1: there is none), if the game has an
    encoding."""
    kept: int
    """Words of sets that are kept."""


def decisions_of(ctx: Context, actions: Actions | None) -> Decisions:
    fast: dict[int, list[list[int]]] = {}
    for step, ask in ctx.asks:
        items = ask.choice.items
        if len(items) * ctx.layout.set_words > MAX_KEPT or not all(is_counted(ctx, item) for item in items):
            continue
        if actions is None:
            fast[step] = [[] for _ in items]
            continue
        planned = actions.plan.choices[step]
        seen = [item.numbers for item in planned if isinstance(item, CountedItem) and item.hidden_number < 0]
        if len(seen) == len(items):  # otherwise the same number may stand for several cards
            fast[step] = seen
    most = max(map(len, fast.values()), default=0)
    return Decisions(len(ctx.code), fast, ctx.layout.set_words * most)


def kept_at(layout: Layout) -> int:
    """The first word of the sets that are kept: behind the state and the slot."""
    return layout.size // 8 + Slot.size // 8


def facts_of(layout: Layout, known: Decisions, actions: Actions | None) -> VectorFacts:
    words, steps = layout.words, known.steps
    rest = [0] * 3 * steps
    for step, items in known.fast.items():
        rest[step] = len(items)
        if actions is None:
            continue
        entries = [-1] * actions.count
        for item, numbers in enumerate(items):
            for pick, number in enumerate(numbers):
                if number >= 0:
                    entries[number] = item << PICK_BITS | pick
        rest[steps + step] = len(rest)
        rest += entries
        rest[2 * steps + step] = len(rest)
        ends = len(rest) + len(items)
        for numbers in items:
            rest.append(ends)
            ends += len(numbers)
        for numbers in items:
            rest += numbers
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


def write_vector(ctx: Context, lowered: Lowered, encoding: Encoding | None) -> int:
    """Writes all that a vector environment calls of a game; gives the words of an environment's memory."""
    if encoding is None:
        _write_no_encoder(ctx)
        actions = None
    else:
        actions = Actions(encoding.actions, write_encoder(ctx.module, lowered, encoding))
    known = decisions_of(ctx, actions)
    ctx.module.data["vector_layout"] = bytes(facts_of(ctx.layout, known, actions).bytes)
    ctx.emit(ir.Return(ir.Data("vector_layout")))
    ctx.function("vector_facts", (), "ptr")
    _write_turn(ctx, known)
    _write_mask_row(ctx, known, actions)
    kernels = compile_kernels(
        "vector", slice_kernels.KERNELS, slice_kernels.GIVEN, exported=slice_kernels.EXPORTED
    )
    for function in kernels.functions.values():
        ctx.module.add(function)
    return kept_at(ctx.layout) + known.kept


def _write_no_encoder(ctx: Context) -> None:
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


def _write_mask_row(ctx: Context, known: Decisions, actions: Actions | None) -> None:
    """mask_row(S, W, row): a byte for each action of the decision."""
    steps = list(known.fast) if actions is not None else []
    starts = dict.fromkeys(range(known.steps + 1), len(steps))
    starts |= {step: block for block, step in enumerate(steps)}
    start = block_at(ctx, "masked", starts)
    blocks = []
    for step in steps:
        assert actions is not None
        with ctx.block() as body:
            _spread_kept(ctx, known.fast[step], actions.count)
            ctx.emit(ir.Return(ZERO))
        blocks.append(tuple(body))
    blocks.append((ir.Return(ctx.call("mask", STATE, WORK, ROW)),))
    ctx.emit(ir.Steps(start, tuple(blocks), tuple(range(len(blocks)))))
    ctx.function("mask_row", (STATE, WORK, ROW))


def _spread_kept(ctx: Context, items: list[list[int]], actions: int) -> None:
    """The row from the sets that are kept."""
    for first in range(0, actions, CHUNK):
        ctx.emit(ir.Spread(ROW, const(first), min(CHUNK, actions - first), (), "bytes"))
    for item, numbers in enumerate(items):
        for pick, count in _rows(numbers):
            word = ctx.word(kept_at(ctx.layout) + item * ctx.layout.set_words + pick // 64)
            mask = binary("lshr", word, const(pick % 64)) if pick % 64 else word
            ctx.emit(ir.Spread(ROW, const(numbers[pick]), count, ((mask, ONE),), "bytes"))


def _rows(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """Picks in a row, of one word of a set, whose actions have numbers in a row: the first, and how many."""
    first = 0
    for pick in range(1, len(numbers) + 1):
        goes_on = pick < len(numbers) and pick % 64 and numbers[pick] == numbers[pick - 1] + 1
        if not goes_on:
            if numbers[first] >= 0:
                yield first, pick - first
            first = pick
