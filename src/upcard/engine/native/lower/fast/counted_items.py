"""Items of a choice that are counted from sets without running them.

Their alternatives need not be tried out: they are counted from the set. Where words are picked from written
lists, each combination of them is a bit of a set too.
"""

from __future__ import annotations

import itertools
from typing import Any

from upcard.engine.native import ir
from upcard.engine.native.lower.analysis import each_once
from upcard.engine.native.lower.blocks import Blocks
from upcard.engine.native.lower.builder import ONE, ZERO, binary, const
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.walk import below

MOST_LEAVES = 32
"""Combinations of written words that are told apart as bits of a set."""


class Simple(Blocks):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._simple: dict[int, bool] = {}

    def is_simple(self, item: p.Item) -> bool:
        """Its alternatives can be counted without trying them out (and nobody wants to see or count it)."""
        if self.logging or item in self.counts.units:
            return False
        known = self._simple.get(id(item))
        if known is None:
            known = self._simple[id(item)] = self._is_leafy(item) or self._is_one_set(item)
        return known

    def _is_one_set(self, item: p.Item) -> bool:
        if isinstance(item, p.When):
            if self._never(item.test):
                return True  # whatever it would do: nothing is written for it
            return self.analysis.safe(item.test) and self._is_one_set(item.item)
        if isinstance(item, p.ForAny):
            over_cards = item.source.kind is Kind.CARDS and each_once(item.source)
            tests, done = conditions(item.item)
            told = all(self.is_predicate(test, item.binding) for test in tests)
            return over_cards and self.analysis.safe(item.source) and told and self.is_certain(done)
        return self.is_certain(item)

    def _never(self, test: p.Expr) -> bool:
        """House rules alone say that the condition does not hold."""
        variables = [node for node in below(test) if isinstance(node, p.Var)]
        if not all(node.binding.how == "declare" for node in variables):
            return False
        with self.block() as needed:
            value = self.value(test)
        return not needed and value == ZERO

    def is_left_out(self, item: p.Item) -> bool:
        """A simple item that never has an alternative, as house rules alone say. What it would do may be of
        any sort."""
        while isinstance(item, p.When):
            if self._never(item.test):
                return True
            item = item.item
        return False

    def _is_leafy(self, item: p.Item) -> bool:
        """Words or numbers picked from written lists, then one thing: each combination is a bit of a set."""
        return 1 < self._leaves(item) <= MOST_LEAVES

    def _leaves(self, item: p.Item) -> int:
        """How many combinations; 0 where it is not of this sort."""
        if isinstance(item, p.When):
            return self._leaves(item.item) if self.analysis.safe(item.test) else 0
        if isinstance(item, p.ForAny):
            return len(self._written(item.source)) * self._leaves(item.item)
        return int(self.is_certain(item))

    def _written(self, source: p.Expr) -> list[int]:
        """The elements of a list that the program writes out."""
        if isinstance(source, p.Names):
            return [self.layout.strings[text] for text in source.texts]
        return list(source.values) if isinstance(source, p.Numbers) else []

    def leaf_rows(self, item: p.Item) -> list[tuple[int, ...]]:
        """The combinations of a leafy item, in the order of their bits; none for any other."""
        if self.logging or not self._is_leafy(item):
            return []
        lists = []
        while isinstance(item, p.When | p.ForAny):
            if isinstance(item, p.ForAny):
                lists.append(self._written(item.source))
            item = item.item
        return list(itertools.product(*lists))

    def _leaf_mask(self, item: p.Item, first: int) -> tuple[ir.Expr, int]:
        """The set of combinations that the conditions allow, from bit `first` on, and the bit behind them."""
        if isinstance(item, p.When):
            allowed = self.keep(binary("sub", ZERO, self.value(item.test)))
            inner, after = self._leaf_mask(item.item, first)
            return binary("and", allowed, inner), after
        if isinstance(item, p.ForAny):
            mask: ir.Expr = ZERO
            for number in self._written(item.source):
                self.env[item.binding.slot] = const(number)
                inner, first = self._leaf_mask(item.item, first)
                mask = binary("or", mask, inner)
            return mask, first
        return const(1 << first), first + 1

    def _bind_leaf(self, item: p.Item, leaf: ir.Expr) -> p.Item:
        """The variables of a combination from its number; gives what is to be done."""
        total, repeated = self._leaves(item), 1
        while isinstance(item, p.When | p.ForAny):
            if isinstance(item, p.ForAny):
                numbers = self._written(item.source)
                alike = total // repeated // len(numbers)
                rows = [number for number in numbers for _ in range(alike)] * repeated
                data = f"leaves_{item.site}"
                self.module.data[data] = b"".join(n.to_bytes(8, "little", signed=True) for n in rows)
                self.env[item.binding.slot] = self.keep(ir.Load("i64", ir.Data(data), leaf))
                repeated *= len(numbers)
            item = item.item
        return item

    def is_certain(self, item: p.Item) -> bool:
        """It does at least one action, whatever happens, and cannot fail."""
        return self._harmless(item) and self._acts(item)

    def _acts(self, item: p.Item) -> bool:
        if isinstance(item, p.Do):
            return any(self._acts(inner) for inner in item.items)
        return isinstance(item, p.Action)

    def _harmless(self, item: p.Item) -> bool:
        if isinstance(item, p.Do):
            return all(self._harmless(inner) for inner in item.items)
        if isinstance(item, p.When):
            return self.analysis.safe(item.test) and self._harmless(item.item)
        if isinstance(item, p.Move):
            picked = isinstance(item.card, p.Var) and item.card.binding.how == "each"
            place = item.place.cards if isinstance(item.place, p.EndCard) else None
            into = isinstance(place, p.Location) and place.cls != "mem"
            return picked and into and self.analysis.safe(item.place)
        if isinstance(item, p.AddInt):
            return self.analysis.tame(item.store) and self.analysis.safe(item.store)
        if isinstance(item, p.SetInt | p.SetStr):
            return self.analysis.safe(item.store) and self.analysis.safe(item.value)
        if isinstance(item, p.Cycle):
            return self.analysis.safe(item.player)
        return isinstance(item, p.Pass)

    def _mask(self, item: p.Item, words: list[ir.Local]) -> None:
        """The set that a simple item picks from; one bit for an item without a pick."""
        if self._is_leafy(item):
            self.set(words[0], self._leaf_mask(item, 0)[0])
            return
        if isinstance(item, p.When):
            if self._never(item.test):
                return
            inner = item.item
            if not isinstance(inner, p.ForAny) or self.is_quick(inner.source):
                # worked out in any case: whether the condition holds can often not be foreseen
                allowed = self.keep(self.value(item.test))
                self._mask(inner, words)
                for word in words:
                    self.set(word, ir.Select(allowed, word, ZERO))
                return
            with self.when(self.value(item.test)):
                self._mask(item.item, words)
        elif isinstance(item, p.ForAny):
            for word, value in zip(words, self.set_from(item.source), strict=True):
                self.set(word, value)
            for test in conditions(item.item)[0]:
                chosen = self.predicate(test, item.binding)
                assert chosen is not None, "asked before"
                for word, mask in zip(words, chosen, strict=True):
                    self.set(word, binary("and", word, mask))
        else:
            self.set(words[0], ONE)

    def _picks(self, item: p.Item) -> bool:
        """A simple item with more than one alternative."""
        while isinstance(item, p.When):
            item = item.item
        return isinstance(item, p.ForAny)


def conditions(item: p.Item) -> tuple[list[p.Expr], p.Item]:
    """The conditions around what is done, and what is done."""
    tests = []
    while isinstance(item, p.When):
        tests.append(item.test)
        item = item.item
    return tests, item
