"""Computed card collections: filters, set operations, ends, runs at an end, one of a list."""

from __future__ import annotations

from typing import Any

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import each_once
from upcard.engine.native.lower.builder import (
    ONE,
    ZERO,
    add,
    binary,
    const,
    negate,
)
from upcard.engine.native.lower.collecting import AsList, AsSet, Cards, InPlace
from upcard.engine.native.lower.looping import Looping
from upcard.engine.native.lower.scalars import MOST
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind


class Computing(Looping):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._cards |= {
            p.Filter: self._filter,
            p.Combination: self._combination,
            p.Sort: self._sort,
            p.EndCards: self._end_cards,
            p.EndRun: self._end_run,
            p.ListEnd: self._list_end,
            p.ListAt: self._list_at,
        }

    # --- computed collections ------------------------------------------------------------------

    def _filter(self, node: p.Filter) -> Cards:
        if each_once(node.source) and self.orders.by_card(node.source):
            chosen = self.predicate(node.test, node.binding)
            if chosen is not None:
                words = self.set_of(self.cards(node.source))
                return AsSet(tuple(binary("and", a, b) for a, b in zip(words, chosen, strict=True)))
            made = tuple(self.variable(ZERO, "set") for _ in range(self.layout.set_words))
            with self.each_element(node.source, node.binding):
                card = self.env[node.binding.slot]
                with self.when(self.value(node.test)):
                    self.include(made, card)
            return AsSet(made)
        source = self.cards(node.source)
        base = self.new_list(node, self.size_of(source))
        original = self.as_list(node.source, source)
        chosen = self.predicate(node.test, node.binding) if isinstance(source, InPlace | AsList) else None
        with self.each_in_list(original) as card:
            self.env[node.binding.slot] = card
            if chosen is not None and self.layout.set_words == 1:
                test = binary("and", binary("lshr", chosen[0], card), ONE)
            else:
                test = self.value(node.test)
            with self.when(test):
                self.append(base, card)
        return AsList(base, each_once(node))

    def _combination(self, node: p.Combination) -> Cards:
        if node.how == "union":
            return AsList(self._concatenated(node, node.parts), each_once(node))
        return self._selected(node)

    def _concatenated(self, node: p.Node, parts: tuple[p.Expr, ...]) -> ir.Expr:
        """All operands in one list. Where a bound is known beforehand they are walked once; otherwise they
        are made first, so that the room is what they come to."""
        bound = self._most_in(parts)
        if bound is None:
            return self._counted_first(node, parts)
        made = self.new_list(node, const(bound))
        for part in parts:
            if part.kind is Kind.CARDS:
                with self.each_card(part, in_order=True) as card:
                    self.append(made, card)
            else:
                with self.each_collection(part) as collection:
                    with self.each_in_list(self.as_list(node, collection)) as card:
                        self.append(made, card)
        return made

    def _most_in(self, parts: tuple[p.Expr, ...]) -> int | None:
        """How many cards the operands hold together at most, if that is little and known."""
        total = 0
        for part in parts:
            if part.kind is Kind.CARDS and each_once(part):
                total += len(self.layout.cards)
            elif isinstance(part, p.Each) and isinstance(part.source, p.Players) and each_once(part.body):
                total += len(self.layout.cards) * self.layout.seats
            else:
                return None
        return total if total <= 4096 else None

    def _counted_first(self, node: p.Node, parts: tuple[p.Expr, ...]) -> ir.Expr:
        total = self.variable(ZERO, "total")
        given: list[tuple[p.Expr, ir.Expr]] = []
        for part in parts:
            if part.kind is Kind.CARDS:
                base = self.keep(self.as_list(node, self.cards(part)))
                self.set(total, add(total, self.word(0, base)))
            else:
                base = self.keep(self.lists(part))
                with self.counting(ZERO, self.word(0, base)) as i:
                    entry = self.variable(self.word(add(i, ONE), base), "entry")
                    self.set(total, add(total, self.size_of(self.element(part, entry))))
            given.append((part, base))
        self.fail(node, f"a collection holds at most {MOST:,} cards", binary("sgt", total, const(MOST)))
        made = self.new_list(node, total)
        for part, base in given:
            if part.kind is Kind.CARDS:
                with self.each_in_list(base) as card:
                    self.append(made, card)
                continue
            with self.counting(ZERO, self.word(0, base)) as i:
                entry = self.variable(self.word(add(i, ONE), base), "entry")
                with self.each_in_list(self.as_list(node, self.element(part, entry))) as card:
                    self.append(made, card)
        return made

    def _selected(self, node: p.Combination) -> Cards:
        """intersect and disjunction: how many operands hold each card, then a walk in order of appearance."""
        counts = self.allocate(node, const(len(self.layout.cards) * 4))
        marks = self.allocate(node, const(len(self.layout.cards) * 4))
        with self.counting(ZERO, const(len(self.layout.cards))) as i:
            self.emit(ir.Store("u32", counts, i, ZERO))
            self.emit(ir.Store("u32", marks, i, ZERO))
        seen = self.new_list(node, const(len(self.layout.cards)))
        operands, total = self.variable(ZERO, "operands"), self.variable(ZERO, "total")

        def one(base: ir.Expr) -> None:
            self.set(operands, add(operands, ONE))
            self.set(total, add(total, self.word(0, base)))
            with self.each_in_list(base) as card:
                self.look(card)
                with self.when(binary("ne", ir.Load("u32", marks, card), operands)):
                    with self.when(binary("eq", ir.Load("u32", counts, card), ZERO)):
                        self.append(seen, card)
                    self.emit(ir.Store("u32", marks, card, operands))
                    self.emit(ir.Store("u32", counts, card, add(ir.Load("u32", counts, card), ONE)))

        for part in node.parts:
            if part.kind is Kind.CARDS:
                one(self.as_list(node, self.cards(part)))
            else:
                with self.each_collection(part) as collection:
                    one(self.as_list(node, collection))
        self.fail(node, f"a collection holds at most {MOST:,} cards", binary("sgt", total, const(MOST)))
        made = self.new_list(node, const(len(self.layout.cards)))
        wanted = self.keep(operands) if node.how == "intersect" else ONE
        with self.each_in_list(seen) as card:
            with self.when(binary("eq", ir.Load("u32", counts, card), wanted)):
                self.append(made, card)
        return AsList(made, once=True)

    def _sort(self, node: p.Sort) -> Cards:
        """Stable and ascending, by insertion: collections are short."""
        base = self.as_list(node, self.cards(node.cards), copy=True)
        using = self.map_of(node.using)
        with self.counting(ONE, self.word(0, base)) as i:
            card = self.variable(self.list_card(base, i), "card")
            mine = self.keep(self.score(node, card, using))
            j = self.variable(i, "j")
            with self.loop(binary("sgt", j, ZERO)):
                before = self.variable(self.list_card(base, binary("sub", j, ONE)), "before")
                with self.when(binary("sle", self.score(node, before, using), mine)):
                    self.emit(ir.Break())
                self.emit(ir.Store(self.width, ir.Offset(base, const(8)), j, before))
                self.set(j, binary("sub", j, ONE))
            self.emit(ir.Store(self.width, ir.Offset(base, const(8)), j, card))
        return AsList(base, each_once(node))

    def _end_cards(self, node: p.EndCards) -> Cards:
        count = self.keep(self.value(node.count))
        source = self.cards(node.cards)
        size = self.keep(self.size_of(source))
        self.fail(node, "more cards are wanted than there are", binary("sgt", count, size))
        original = self.as_list(node, source)
        kept = self.keep(ir.If(binary("slt", count, ZERO), ZERO, count))
        base = self.new_list(node, kept)
        start = binary("sub", size, kept) if node.end == "top" else ZERO
        start = self.keep(start)
        with self.counting(ZERO, kept) as i:
            self.append(base, self.list_card(original, add(start, i)))
        return AsList(base, each_once(node))

    def _end_run(self, node: p.EndRun) -> Cards:
        least = self.keep(self.value(node.least))
        source = self.cards(node.cards)
        size = self.keep(self.size_of(source))
        original = self.as_list(node, source)
        using = self.map_of(node.using)
        base = self.new_list(node, size)
        length = self.variable(size, "length")
        floor = self.keep(ir.If(binary("slt", least, ONE), ONE, least))
        with self.loop(binary("sge", length, floor)):
            start = self.keep(binary("sub", size, length) if node.end == "top" else ZERO)
            low, high = self.variable(ZERO, "low"), self.variable(ZERO, "high")
            twice = self.variable(ZERO, "twice")
            with self.counting(ZERO, length) as i:
                mine = self.keep(self.score(node, self.keep(self.list_card(original, add(start, i))), using))
                self.set(low, ir.If(binary("or", negate(i), binary("slt", mine, low)), mine, low))
                self.set(high, ir.If(binary("or", negate(i), binary("sgt", mine, high)), mine, high))
                with self.counting(ZERO, i) as j:
                    other = self.keep(self.list_card(original, add(start, j)))
                    with self.when(binary("eq", self.score(node, other, using), mine)):
                        self.set(twice, ONE)
            spread = ir.Binary("sub", high, low)
            fits = binary("and", negate(twice), binary("eq", spread, binary("sub", length, ONE)))
            with self.when(fits):
                wanted = self.variable(low, "wanted")
                with self.counting(ZERO, length) as _, self.counting(ZERO, length) as j:
                    card = self.keep(self.list_card(original, add(start, j)))
                    ok = binary("eq", self.score(node, card, using), wanted)
                    fresh = binary("sle", wanted, high)
                    with self.when(binary("and", ok, fresh)):
                        self.append(base, card)
                        self.set(wanted, add(wanted, ONE))
                self.emit(ir.Break())
            self.set(length, binary("sub", length, ONE))
        return AsList(base, each_once(node))

    # --- one of a list -----------------------------------------------------------------------

    def _list_end(self, node: p.ListEnd) -> Cards:
        base = self.keep(self.lists(node.lists))
        count = self.keep(self.word(0, base))
        self.fail(node, "there are no collections in this list", binary("eq", count, ZERO))
        at = ONE if node.end == "top" else count
        return self.element(node.lists, self.keep(self.word(at, base)))

    def _list_at(self, node: p.ListAt) -> Cards:
        index = self.keep(self.value(node.index))
        base = self.keep(self.lists(node.lists))
        self.fail(node, "there is no collection of that number", binary("uge", index, self.word(0, base)))
        return self.element(node.lists, self.keep(self.word(add(index, ONE), base)))
