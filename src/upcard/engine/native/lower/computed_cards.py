"""Lowers computed card collections: filters, set operations, ends, runs, elements of lists."""

from __future__ import annotations

from typing import Any

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import each_once
from upcard.engine.native.lower.builder import (
    MINUS,
    ONE,
    ZERO,
    add,
    binary,
    const,
    negate,
    scaled,
)
from upcard.engine.native.lower.collections import AsList, AsSet, Cards, InPlace
from upcard.engine.native.lower.loops import Looping
from upcard.recycle import program as p
from upcard.recycle.failures import TOO_MANY_CARDS
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import MOST

FEW = 4096
"""Cards of a union for which room is kept without counting first."""


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

    # --- sets without lists --------------------------------------------------------------------

    def set_from(self, node: p.Expr) -> tuple[ir.Expr, ...]:
        if isinstance(node, p.Filter):
            chosen = self.predicate(node.test, node.binding)
            if chosen is not None:
                words = self.counted_set(node, self.set_from(node.source))
                return tuple(binary("and", a, b) for a, b in zip(words, chosen, strict=True))
        if isinstance(node, p.Combination) and node.how == "union" and node not in self.counts.large:
            made = tuple(self.variable(ZERO, "set") for _ in range(self.layout.set_words))
            for part in node.parts:
                if part.kind is Kind.CARDS:
                    self._unite(made, self.set_from(part))
                else:
                    with self.each_collection(part) as collection:
                        self._unite(made, self.set_of(collection))
            return made
        return super().set_from(node)

    def _unite(self, made: tuple[ir.Local, ...], more: tuple[ir.Expr, ...]) -> None:
        for word, other in zip(made, more, strict=True):
            self.set(word, binary("or", word, other))

    # --- computed collections ------------------------------------------------------------------

    def _filter(self, node: p.Filter) -> Cards:
        if each_once(node.source) and self.orders.by_card(node.source):
            chosen = self.predicate(node.test, node.binding)
            if chosen is not None:
                words = self.counted_set(node, self.set_of(self.cards(node.source)))
                return AsSet(tuple(binary("and", a, b) for a, b in zip(words, chosen, strict=True)))
            made = tuple(self.variable(ZERO, "set") for _ in range(self.layout.set_words))
            with self.each_element(node, node.source, node.binding):
                card = self.env[node.binding.slot]
                with self.when(self.brief(node.test)):
                    self.include(made, card)
            return AsSet(made)
        source = self.cards(node.source)
        base = self.new_list(node, self.size_of(source))
        original = self.as_list(node.source, source)
        self.count_work(node, self.word(0, original))
        chosen = self.predicate(node.test, node.binding) if isinstance(source, InPlace | AsList) else None
        with self.each_in_list(original) as card:
            self.env[node.binding.slot] = card
            if chosen is not None and self.layout.set_words == 1:
                test = binary("and", binary("lshr", chosen[0], card), ONE)
            else:
                test = self.brief(node.test)
            with self.when(test):
                self.append(base, card)
        return AsList(base, each_once(node))

    def _combination(self, node: p.Combination) -> Cards:
        if node.how == "union":
            return AsList(self._concatenated(node, node.parts), each_once(node))
        return self._selected(node)

    def _concatenated(self, node: p.Node, parts: tuple[p.Expr, ...]) -> ir.Expr:
        if self.layout.bounds.in_all(parts) > FEW or node in self.counts.large:
            return self._concatenated_many(node, parts)
        made = self.new_list(node, const(self.layout.bounds.in_all(parts)))
        for part in parts:
            if part.kind is Kind.CARDS:
                with self.each_card(part, in_order=True) as card:
                    self.append(made, card)
            else:
                with self.each_collection(part) as collection:
                    with self.each_in_list(self.as_list(node, collection)) as card:
                        self.append(made, card)
        return made

    def _concatenated_many(self, node: p.Node, parts: tuple[p.Expr, ...]) -> ir.Expr:
        """Where the text does not say that it stays small: all operands first, then counted, then copied."""
        total = self.variable(ZERO, "total")
        gathered: list[tuple[p.Expr, ir.Expr]] = []
        for part in parts:
            if part.kind is Kind.CARDS:
                base = self.as_list(node, self.cards(part), copy=True)
                self.set(total, add(total, self.word(0, base)))
            else:
                base = self.keep(self.lists(part))
                with self.counting(ZERO, self.word(0, base)) as i:
                    entry = self.element(part, self.variable(self.word(add(i, ONE), base), "entry"))
                    self.set(total, add(total, self.size_of(entry)))
            gathered.append((part, base))
        self.fail(node, TOO_MANY_CARDS, binary("sgt", total, const(MOST)))
        self.count_cards(node, total)
        made = self.new_list(node, total)
        for part, base in gathered:
            if part.kind is Kind.CARDS:
                with self.each_in_list(base) as card:
                    self.append(made, card)
                continue
            with self.counting(ZERO, self.word(0, base)) as i:
                entry = self.element(part, self.variable(self.word(add(i, ONE), base), "entry"))
                with self.scratch(), self.each_in_list(self.as_list(node, entry)) as card:
                    self.append(made, card)
        return made

    def _selected(self, node: p.Combination) -> Cards:
        """intersect and disjunction: how many operands hold each card, then a walk in order of appearance."""
        counts = self.allocate(node, const(self.layout.room * 4))
        marks = self.allocate(node, const(self.layout.room * 4))
        with self.counting(ZERO, const(self.layout.room)) as i:
            self.emit(ir.Store("u32", counts, i, ZERO))
            self.emit(ir.Store("u32", marks, i, ZERO))
        seen = self.new_list(node, const(self.layout.room))
        operands, total = self.variable(ZERO, "operands"), self.variable(ZERO, "total")

        def one(base: ir.Expr) -> None:
            self.set(operands, add(operands, ONE))
            self.set(total, add(total, self.word(0, base)))
            with self.each_in_list(base) as card:
                self.look(card)
                mark = self.keep(ir.Load("u32", marks, card))
                with self.when(binary("eq", mark, ZERO)):
                    self.append(seen, card)
                with self.when(binary("ne", mark, operands)):
                    self.emit(ir.Store("u32", marks, card, operands))
                    self.emit(ir.Store("u32", counts, card, add(ir.Load("u32", counts, card), ONE)))

        for part in node.parts:
            if part.kind is Kind.CARDS:
                one(self.as_list(node, self.cards(part)))
            else:
                with self.each_collection(part) as collection:
                    one(self.as_list(node, collection))
        self.fail(node, TOO_MANY_CARDS, binary("sgt", total, const(MOST)))
        self.count_cards(node, total)
        made = self.new_list(node, const(self.layout.room))
        wanted = self.keep(operands) if node.how == "intersect" else ONE
        with self.each_in_list(seen) as card, self.when(binary("eq", ir.Load("u32", counts, card), wanted)):
            self.append(made, card)
        return AsList(made, once=True)

    def _sort(self, node: p.Sort) -> Cards:
        """Stable and ascending."""
        base = self.as_list(node, self.cards(node.cards), copy=True)
        using = self.map_of(node.using)
        self.count_cards(node, self.word(0, base))
        self.sort_list(node, base, using)
        return AsList(base, each_once(node))

    def sort_list(self, node: p.Node, base: ir.Expr, using: ir.Expr) -> None:
        """Each card is scored once, in the order of the list."""
        size = self.keep(self.word(0, base))
        with self.scratch():
            pairs, spare = (self.allocate(node, scaled(size, 16)) for _ in range(2))
            with self.counting(ZERO, size) as i:
                card = self.variable(self.list_card(base, i), "card")
                at = self.keep(scaled(i, 2))
                self.set_word(at, self.keep(self.score(node, card, using)), pairs)
                self.set_word(add(at, ONE), card, pairs)
            self.run("sort_pairs", pairs, spare, size)
            with self.counting(ZERO, size) as i:
                ranked = self.word(add(scaled(i, 2), ONE), pairs)
                self.emit(ir.Store(self.width, ir.Offset(base, const(8)), i, ranked))

    def _end_cards(self, node: p.EndCards) -> Cards:
        count = self.keep(self.value(node.count))
        source = self.cards(node.cards)
        size = self.keep(self.size_of(source))
        wanting = binary("sgt", count, size)
        self.fail(node, "{} cards are wanted, but there are {}", wanting, count, size)
        self.count_cards(node, size)
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
        self.count_cards(node, binary("mul", size, size))
        base = self.new_list(node, size)
        by_score = self.allocate(node, scaled(size, 8))
        length = self.variable(size, "length")
        floor = self.keep(ir.If(binary("slt", least, ONE), ONE, least))
        with self.loop(binary("sge", length, floor)):
            start = self.keep(binary("sub", size, length) if node.end == "top" else ZERO)
            low, high = self.variable(ZERO, "low"), self.variable(ZERO, "high")
            with self.counting(ZERO, length) as i:
                mine = self.keep(self.score(node, self.keep(self.list_card(original, add(start, i))), using))
                self.set(low, ir.If(binary("or", negate(i), binary("slt", mine, low)), mine, low))
                self.set(high, ir.If(binary("or", negate(i), binary("sgt", mine, high)), mine, high))
            spread = ir.Binary("sub", high, low)
            # as many scores as cards: they are a run unless two of them are the same
            with self.when(binary("eq", spread, binary("sub", length, ONE))):
                twice = self.variable(ZERO, "twice")
                with self.counting(ZERO, length) as i:
                    self.set_word(i, MINUS, by_score)
                with self.counting(ZERO, length) as i:
                    card = self.keep(self.list_card(original, add(start, i)))
                    at = self.keep(binary("sub", self.score(node, card, using), low))
                    self.set(twice, binary("or", twice, binary("sge", self.word(at, by_score), ZERO)))
                    self.set_word(at, card, by_score)
                with self.when(negate(twice)):
                    with self.counting(ZERO, length) as i:
                        self.append(base, self.word(i, by_score))
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
        size = self.keep(self.word(0, base))
        unknown = binary("uge", index, size)
        self.fail(node, "there is no collection number {} among {}", unknown, index, size)
        return self.element(node.lists, self.keep(self.word(add(index, ONE), base)))
