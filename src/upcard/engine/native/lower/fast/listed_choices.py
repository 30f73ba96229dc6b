"""Alternatives of counted items, listed as sets with the index range of each.

Items that do the same are one group, and of items that exclude each other one set is enough (`excluding`):
which of them it was makes no difference any more, or is known before anything is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import alike
from upcard.engine.native.lower.builder import WORK, ZERO, add, binary
from upcard.engine.native.lower.fast.counted_items import Simple, conditions
from upcard.engine.native.lower.fast.exclusion import exclude
from upcard.engine.native.lower.runtime import ITEMS_AT, MASK_WORDS, MASKS_AT
from upcard.engine.shared.flat_program import Ask
from upcard.recycle import program as p
from upcard.recycle.walk import below

MOST_HELD_WORDS = 16
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


class Listing(Simple):
    def list_here(self, number: int, ask: Ask) -> Here | None:
        """A choice of simple items; None where that cannot be."""
        items = ask.choice.items
        few = len(items) * self.layout.set_words <= MOST_HELD_WORDS
        if not few or not all(self.is_simple(item) for item in items):
            return None
        self.begin(self.depths[number], self._lets_before(number), fresh=False)
        parts = self._excluding(number, ask)
        one_part = len(parts) == 1 and len(parts[0]) > 1
        certain = [group[0] for group in parts[0] if one_part and not self._picks(items[group[0]])]
        parts[0] = [group for group in parts[0] if group[0] not in certain]
        with self.block() as body:
            alone = [Group([i], [Share(self._set_of_items(ask, [i]), ZERO)]) for i in certain]
            total = self.local("total")
            self.set(total, ZERO)
            listed = [self._listed(ask, groups, total) for groups in parts if groups]
        if any(isinstance(stmt, ir.Return) for stmt in ir.statements(tuple(body))):
            return None  # it may run out of room, and a fault leaves a function of its own
        return Here(alone, listed, total, body)

    def _listed(self, ask: Ask, groups: list[list[int]], total: ir.Local) -> Group | Several:
        """Groups that exclude each other, counted into the total."""
        if len(groups) > 1:
            first = self.variable(total, "start")
            masks = [self._set_of_items(ask, group) for group in groups]
            mask = self._united(masks)
            self.set(total, add(total, self.count_set(tuple(mask))))
            return Several(groups, masks[:-1], Share(mask, first))
        shares = []
        for items in self._alternating(ask, groups[0]):
            first = self.variable(total, "start")
            mask = self._set_of_items(ask, items)
            self.set(total, add(total, self.count_set(tuple(mask))))
            shares.append(Share(mask, first))
        return Group(groups[0], shares)

    def _set_of_items(self, ask: Ask, items: list[int]) -> list[ir.Local]:
        """What any of these items picks from."""
        masks = []
        for i in items:
            masks.append([self.variable(ZERO, "set") for _ in range(self.layout.set_words)])
            self._mask(ask.choice.items[i], masks[-1])
        return self._united(masks)

    def _united(self, masks: list[list[ir.Local]]) -> list[ir.Local]:
        if len(masks) == 1:
            return masks[0]
        united = [self.variable(word, "set") for word in masks[0]]
        for mask in masks[1:]:
            for word, more in zip(united, mask, strict=True):
                self.set(word, binary("or", word, more))
        return united

    def has_any(self, mask: list[ir.Local]) -> ir.Expr:
        some: ir.Expr = mask[0]
        for word in mask[1:]:
            some = binary("or", some, word)
        return binary("ne", some, ZERO)

    def _excluding(self, number: int, ask: Ask) -> list[list[list[int]]]:
        """Groups one after the other; those together of which only one can have alternatives."""
        found: list[list[list[int]]] = []
        for group in self.groups(number, ask):
            together = [i for one in found[-1] for i in one] if found else []
            if together and self._exclude_all(ask, [*together, *group]):
                found[-1].append(group)
            else:
                found.append([group])
        return found

    def _alternating(self, ask: Ask, group: list[int]) -> list[list[int]]:
        """Items of a group; those together of which only one can have alternatives."""
        found: list[list[int]] = []
        for i in group:
            if found and self._exclude_all(ask, [*found[-1], i]):
                found[-1].append(i)
            else:
                found.append([i])
        return found

    def _exclude_all(self, ask: Ask, items: list[int]) -> bool:
        pairs = combinations((ask.choice.items[i] for i in items), 2)
        return all(exclude(one, other) for one, other in pairs)

    def listed_before(self, number: int, ask: Ask) -> Listed:
        """As `list_N` left it in the workspace."""
        words, items = range(self.layout.set_words), ask.choice.items
        starts = [ZERO, *(self.keep_now(self.word(ITEMS_AT + i, WORK)) for i in range(1, len(items)))]

        def share(i: int) -> Share:
            at = MASKS_AT + i * MASK_WORDS
            wanted = words if self.is_simple(items[i]) and self._picks(items[i]) else ()
            return Share([self.variable(self.word(at + w, WORK), "set") for w in wanted], starts[i])

        return [Group(group, [share(i) for i in group]) for group in self.groups(number, ask)]

    def groups(self, number: int, ask: Ask) -> list[list[int]]:
        """Items one after the other that do the same with a picked card: which of them it was makes no
        difference any more, and cannot be foreseen."""
        groups: list[list[int]] = []
        for i, item in enumerate(ask.choice.items):
            before = ask.choice.items[groups[-1][0]] if groups else None
            if before is not None and self._does_the_same(before, item):
                groups[-1].append(i)
            else:
                groups.append([i])
        return groups

    def _does_the_same(self, one: p.Item, other: p.Item) -> bool:
        if not (self.is_simple(one) and self.is_simple(other)):
            return False
        if any(self._is_leafy(item) or self.is_left_out(item) for item in (one, other)):
            return False
        while isinstance(one, p.When):
            one = one.item
        while isinstance(other, p.When):
            other = other.item
        if not (isinstance(one, p.ForAny) and isinstance(other, p.ForAny)):
            return False
        homes = [self.home(one.source), self.home(other.source)]
        places = (homes[0] is None and homes[1] is None) or (
            homes[0] is not None and homes[1] is not None and alike(homes[0], homes[1], {})
        )
        done = conditions(one.item)[1], conditions(other.item)[1]
        return places and alike(*done, {one.binding: other.binding})

    def home(self, source: p.Expr) -> p.Location | None:
        """The place that a picked card lies in, if there is only one."""
        while isinstance(source, p.Filter | p.Var):
            if isinstance(source, p.Var) and source.binding.how == "each":
                return None
            source = source.source if isinstance(source, p.Filter) else source.binding.source
        safe = isinstance(source, p.Location) and self.analysis.safe(source)
        free = safe and not any(isinstance(node, p.Var) for node in below(source))
        return source if free else None  # type: ignore[return-value]
