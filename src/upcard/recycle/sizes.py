"""Upper bounds from the text: elements of a collection, cards of its groups, numbers.

A bound is never too small. Where the text says nothing it is the language's own limit, so a bound is the
same for every engine.
"""

from __future__ import annotations

import math

from upcard.recycle import program as p
from upcard.recycle.arithmetic import GREATEST, LEAST
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import MAX_COUNT, MAX_GROUPED, MAX_NUMBER, MAX_REFERENCES, MAX_SUBSETS


class Sizes:
    """Bounds on the values of one program's forms; remembers them."""

    def __init__(self, cards: int, seats: int, base: int) -> None:
        self._room = cards
        self._seats = seats
        self._base = base
        self._elements: dict[p.Expr, int] = {}
        self._intervals: dict[p.Expr, tuple[int, int]] = {}

    # --- collections ---------------------------------------------------------------------------

    def elements(self, expr: p.Expr) -> int:
        """How many elements a collection of any kind has at most."""
        known = self._elements.get(expr)
        if known is None:
            known = self._elements[expr] = self._find_elements(expr)
        return known

    def _find_elements(self, expr: p.Expr) -> int:
        if isinstance(expr, p.Players | p.Teams | p.Members):
            return self._seats
        if isinstance(expr, p.Names):
            return len(expr.texts)
        if isinstance(expr, p.Numbers):
            return len(expr.values)
        if isinstance(expr, p.Range):
            low, high = self.interval(expr.low)[0], self.interval(expr.high)[1]
            return max(0, min(high - low + 1, MAX_COUNT))
        if isinstance(expr, p.Location):
            return self._in_place(expr)
        if isinstance(expr, p.Filter | p.Each):
            return self.elements(expr.source)
        if isinstance(expr, p.Sort | p.EndRun):
            return self.elements(expr.cards)
        if isinstance(expr, p.EndCards):
            return max(0, min(self.interval(expr.count)[1], self.elements(expr.cards)))
        if isinstance(expr, p.Combination | p.Partition):
            return self.operands(expr.parts)
        if isinstance(expr, p.ListElement):
            return self.largest(expr.lists)
        if isinstance(expr, p.Var):
            source = expr.binding.source
            return self.largest(source) if expr.binding.how == "each" else self.elements(source)
        if isinstance(expr, p.Indexed):
            return MAX_NUMBER + 1
        if isinstance(expr, p.Subsets):
            return (1 << min(self.elements(expr.cards), MAX_SUBSETS)) - 1
        return MAX_COUNT

    def operands(self, parts: tuple[p.Expr, ...]) -> int:
        """Cards of all operands of a union and its like, lists of collections taken apart."""
        return min(sum(self.cards(part) for part in parts), MAX_COUNT)

    def cards(self, expr: p.Expr) -> int:
        """Cards of a collection, or of all collections of a list together."""
        if expr.kind is not Kind.LISTS:
            return self.elements(expr)
        if isinstance(expr, p.Partition):
            return self.operands(expr.parts)
        if isinstance(expr, p.Filter):
            return self.cards(expr.source)
        if isinstance(expr, p.Var) and expr.binding.how != "each":
            return self.cards(expr.binding.source)
        if isinstance(expr, p.Subsets):
            many = min(self.elements(expr.cards), MAX_SUBSETS)
            return many << max(many - 1, 0)
        if isinstance(expr, p.Tuples):
            most, size = self.elements(expr.cards), self.interval(expr.count)
            if size[0] == size[1] and 0 < size[0] <= most:
                return min(size[0] * math.comb(most, size[0]), MAX_GROUPED)
            return MAX_GROUPED
        if isinstance(expr, p.Runs):
            return MAX_GROUPED
        if isinstance(expr, p.Indexed) and expr.cls != "mem":
            return self._room  # a card lies in one of them
        return min(self.elements(expr) * self.largest(expr), MAX_GROUPED)

    def largest(self, lists: p.Expr) -> int:
        """Cards of the largest collection of a list."""
        if isinstance(lists, p.Each):
            return self.elements(lists.body)
        if isinstance(lists, p.Indexed):
            return self._in_place(lists)
        if isinstance(lists, p.Partition):
            return self.operands(lists.parts)
        if isinstance(lists, p.Subsets):
            return min(self.elements(lists.cards), MAX_SUBSETS)
        if isinstance(lists, p.Tuples | p.Runs):
            return self.elements(lists.cards)
        if isinstance(lists, p.Filter):
            return self.largest(lists.source)
        if isinstance(lists, p.Var) and lists.binding.how != "each":
            return self.largest(lists.binding.source)
        return MAX_COUNT

    def _in_place(self, place: p.PlaceForm) -> int:
        return MAX_REFERENCES if place.cls == "mem" else self._room

    # --- numbers -------------------------------------------------------------------------------

    def interval(self, expr: p.Expr) -> tuple[int, int]:
        """The least and the greatest value a number can have."""
        known = self._intervals.get(expr)
        if known is None:
            low, high = self._find_interval(expr)
            known = self._intervals[expr] = max(low, LEAST), min(high, GREATEST)
        return known

    def _find_interval(self, expr: p.Expr) -> tuple[int, int]:
        if isinstance(expr, p.Int):
            return expr.value, expr.value
        if isinstance(expr, p.Size):
            return 0, self.elements(expr.of)
        if isinstance(expr, p.Pid):
            return self._base, self._base + self._seats
        if isinstance(expr, p.Random):
            low = 0 if expr.low is None else self.interval(expr.low)[0]
            return low, self.interval(expr.high)[1]
        if isinstance(expr, p.Var):
            source = expr.binding.source
            if expr.binding.how != "each":
                return self.interval(source)
            return self._element_interval(source)
        if isinstance(expr, p.Arithmetic) and expr.operator in ("+", "-"):
            low, high = self.interval(expr.operands[0])
            for operand in expr.operands[1:]:
                a, b = self.interval(operand)
                low, high = (low + a, high + b) if expr.operator == "+" else (low - b, high - a)
            return low, high
        if isinstance(expr, p.Arithmetic) and expr.operator in ("*", "//"):
            return self._scaled(expr)
        return LEAST, GREATEST

    def _scaled(self, expr: p.Arithmetic) -> tuple[int, int]:
        """A product or quotient of numbers that are not negative."""
        low, high = self.interval(expr.operands[0])
        for operand in expr.operands[1:]:
            a, b = self.interval(operand)
            if low < 0 or a < (0 if expr.operator == "*" else 1):
                return LEAST, GREATEST
            low, high = (low * a, high * b) if expr.operator == "*" else (low // b, high // a)
        return low, high

    def _element_interval(self, source: p.Expr) -> tuple[int, int]:
        """Of the numbers that a loop goes through."""
        if isinstance(source, p.Range):
            return self.interval(source.low)[0], self.interval(source.high)[1]
        if isinstance(source, p.Numbers) and source.values:
            return min(source.values), max(source.values)
        if isinstance(source, p.Filter):
            return self._element_interval(source.source)
        if isinstance(source, p.Var) and source.binding.how != "each":
            return self._element_interval(source.binding.source)
        return LEAST, GREATEST
