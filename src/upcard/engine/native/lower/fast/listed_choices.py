"""Alternatives of counted items, listed as sets with the index range of each.

Items that do the same are one group, and of items that exclude each other one set is enough (`exclusion`):
the item no longer matters, or is known before anything is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import alike
from upcard.engine.native.lower.builder import WORK, ZERO, add, binary
from upcard.engine.native.lower.cards import count_set
from upcard.engine.native.lower.context import Context
from upcard.engine.native.lower.fast.counted_items import (
    conditions,
    is_counted,
    is_leafy,
    is_left_out,
    item_mask,
    picks_of_counted,
)
from upcard.engine.native.lower.fast.exclusion import exclude
from upcard.engine.native.lower.runtime import ITEMS_AT, MASK_WORDS, MASKS_AT
from upcard.engine.native.lower.variables import bind_again, lets_before
from upcard.engine.shared.flat_program import Ask
from upcard.recycle import program as p
from upcard.recycle.walk import below

MAX_HELD_WORDS = 16
"""Words of sets that are kept out of memory between listing a choice and carrying it out."""


@dataclass(frozen=True)
class Share:
    """Alternatives with indices one after the other: those of an item, or of several that exclude each other.
    Their set, and how many alternatives come before them."""

    mask: list[ir.Local]
    start: ir.Expr


@dataclass(frozen=True)
class Group:
    """Items one after the other that do the same with what is picked."""

    items: list[int]
    shares: list[Share]


@dataclass(frozen=True)
class Several:
    """Groups of which only one has alternatives: the set of each but the last, and the one share of all."""

    groups: list[list[int]]
    masks: list[list[ir.Local]]
    share: Share


Listed: TypeAlias = list[Group | Several]
"""What was listed, item after item."""


@dataclass(frozen=True)
class Here:
    """A choice listed in locals, by statements that leave nothing in memory."""

    alone: list[Group]
    """Items without a pick that exclude all others: where one of them can be chosen nothing is drawn. They
    are left out of the rest."""
    listed: Listed
    total: ir.Local
    """How many alternatives are listed."""
    body: list[ir.Stmt]


def list_here(ctx: Context, number: int, ask: Ask) -> Here | None:
    """A choice of simple items; None where that cannot be."""
    items = ask.choice.items
    few = len(items) * ctx.layout.set_words <= MAX_HELD_WORDS
    if not few or not all(is_counted(ctx, item) for item in items):
        return None
    ctx.begin(ctx.depths[number], fresh=False)
    bind_again(ctx, lets_before(ctx, number))
    parts = _excluding(ctx, ask)
    one_part = len(parts) == 1 and len(parts[0]) > 1
    certain = [group[0] for group in parts[0] if one_part and not picks_of_counted(items[group[0]])]
    parts[0] = [group for group in parts[0] if group[0] not in certain]
    with ctx.block() as body:
        alone = [Group([i], [Share(_set_of_items(ctx, ask, [i]), ZERO)]) for i in certain]
        total = ctx.local("total")
        ctx.set(total, ZERO)
        listed = [_listed(ctx, ask, groups, total) for groups in parts if groups]
    if any(isinstance(stmt, ir.Return) for stmt in ir.statements(tuple(body))):
        return None  # it may run out of room, and a fault leaves a function of its own
    return Here(alone, listed, total, body)


def _listed(ctx: Context, ask: Ask, groups: list[list[int]], total: ir.Local) -> Group | Several:
    """Groups that exclude each other, counted into the total."""
    if len(groups) > 1:
        first = ctx.variable(total, "start")
        masks = [_set_of_items(ctx, ask, group) for group in groups]
        mask = _united(ctx, masks)
        ctx.set(total, add(total, count_set(ctx, tuple(mask))))
        return Several(groups, masks[:-1], Share(mask, first))
    shares = []
    for items in _alternating(ctx, ask, groups[0]):
        first = ctx.variable(total, "start")
        mask = _set_of_items(ctx, ask, items)
        ctx.set(total, add(total, count_set(ctx, tuple(mask))))
        shares.append(Share(mask, first))
    return Group(groups[0], shares)


def _set_of_items(ctx: Context, ask: Ask, items: list[int]) -> list[ir.Local]:
    """What any of these items picks from."""
    masks = []
    for i in items:
        masks.append([ctx.variable(ZERO, "set") for _ in range(ctx.layout.set_words)])
        item_mask(ctx, ask.choice.items[i], masks[-1])
    return _united(ctx, masks)


def _united(ctx: Context, masks: list[list[ir.Local]]) -> list[ir.Local]:
    if len(masks) == 1:
        return masks[0]
    united = [ctx.variable(word, "set") for word in masks[0]]
    for mask in masks[1:]:
        for word, more in zip(united, mask, strict=True):
            ctx.set(word, binary("or", word, more))
    return united


def has_any(ctx: Context, mask: list[ir.Local]) -> ir.Expr:
    some: ir.Expr = mask[0]
    for word in mask[1:]:
        some = binary("or", some, word)
    return binary("ne", some, ZERO)


def _excluding(ctx: Context, ask: Ask) -> list[list[list[int]]]:
    """Groups one after the other; those together of which only one can have alternatives."""
    found: list[list[list[int]]] = []
    for group in item_groups(ctx, ask):
        together = [i for one in found[-1] for i in one] if found else []
        if together and _exclude_all(ctx, ask, [*together, *group]):
            found[-1].append(group)
        else:
            found.append([group])
    return found


def _alternating(ctx: Context, ask: Ask, group: list[int]) -> list[list[int]]:
    """Items of a group; those together of which only one can have alternatives."""
    found: list[list[int]] = []
    for i in group:
        if found and _exclude_all(ctx, ask, [*found[-1], i]):
            found[-1].append(i)
        else:
            found.append([i])
    return found


def _exclude_all(ctx: Context, ask: Ask, items: list[int]) -> bool:
    pairs = combinations((ask.choice.items[i] for i in items), 2)
    return all(exclude(one, other) for one, other in pairs)


def listed_before(ctx: Context, ask: Ask) -> Listed:
    """As `list_N` left it in the workspace."""
    words, items = range(ctx.layout.set_words), ask.choice.items
    starts = [ZERO, *(ctx.snapshot(ctx.word(ITEMS_AT + i, WORK)) for i in range(1, len(items)))]

    def share(i: int) -> Share:
        at = MASKS_AT + i * MASK_WORDS
        wanted = words if is_counted(ctx, items[i]) and picks_of_counted(items[i]) else ()
        return Share([ctx.variable(ctx.word(at + w, WORK), "set") for w in wanted], starts[i])

    return [Group(group, [share(i) for i in group]) for group in item_groups(ctx, ask)]


def item_groups(ctx: Context, ask: Ask) -> list[list[int]]:
    """Items one after the other that do the same with a picked card: which of them it was does not matter,
    and a jump on it would be mispredicted."""
    groups: list[list[int]] = []
    for i, item in enumerate(ask.choice.items):
        before = ask.choice.items[groups[-1][0]] if groups else None
        if before is not None and _does_the_same(ctx, before, item):
            groups[-1].append(i)
        else:
            groups.append([i])
    return groups


def _does_the_same(ctx: Context, one: p.Item, other: p.Item) -> bool:
    if not (is_counted(ctx, one) and is_counted(ctx, other)):
        return False
    if any(is_leafy(ctx, item) or is_left_out(ctx, item) for item in (one, other)):
        return False
    while isinstance(one, p.When):
        one = one.item
    while isinstance(other, p.When):
        other = other.item
    if not (isinstance(one, p.ForAny) and isinstance(other, p.ForAny)):
        return False
    homes = [home(ctx, one.source), home(ctx, other.source)]
    places = (homes[0] is None and homes[1] is None) or (
        homes[0] is not None and homes[1] is not None and alike(homes[0], homes[1], {})
    )
    done = conditions(one.item)[1], conditions(other.item)[1]
    return places and alike(*done, {one.binding: other.binding})


def home(ctx: Context, source: p.Expr) -> p.Location | None:
    """The place that a picked card lies in, if there is only one."""
    while isinstance(source, p.Filter | p.Var):
        if isinstance(source, p.Var) and source.binding.how == "each":
            return None
        source = source.source if isinstance(source, p.Filter) else source.binding.source
    safe = isinstance(source, p.Location) and ctx.analysis.safe(source)
    free = safe and not any(isinstance(node, p.Var) for node in below(source))
    return source if free else None  # type: ignore[return-value]
