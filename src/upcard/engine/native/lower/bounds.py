"""Upper bounds from the program text: cards of a collection, elements of a list.

Bounds say how much room to keep. They are never too small; where nothing is known they are the language's own
limits.
"""

from __future__ import annotations

from upcard.engine.native.lower.analysis import each_once
from upcard.recycle import program as p
from upcard.recycle.arithmetic import LEAST
from upcard.recycle.arithmetic import MOST as GREATEST
from upcard.recycle.kinds import Kind
from upcard.recycle.limits import MOST, MOST_GROUPED, MOST_NUMBER, MOST_REFERENCES, MOST_SUBSETS


class Bounds:
    def __init__(self, room: int, seats: int) -> None:
        self.room = room
        """How many cards there can be."""
        self.seats = seats
        self._cards: dict[p.Expr, int] = {}

    # --- cards of a collection -----------------------------------------------------------------

    def cards(self, expr: p.Expr) -> int:
        known = self._cards.get(expr)
        if known is None:
            found = self._find_cards(expr)
            known = self._cards[expr] = min(found, self.room) if each_once(expr) else min(found, MOST_GROUPED)
        return known

    def _find_cards(self, expr: p.Expr) -> int:
        if isinstance(expr, p.Location):
            return MOST_REFERENCES if expr.cls == "mem" else self.room
        if isinstance(expr, p.Filter):
            return self.cards(expr.source)
        if isinstance(expr, p.Sort | p.EndCards | p.EndRun):
            return self.cards(expr.cards)
        if isinstance(expr, p.Combination):
            return self.room if expr.how != "union" else min(self.in_all(expr.parts), MOST)
        if isinstance(expr, p.Var):
            source = expr.binding.source
            return self.one_of(source) if expr.binding.how == "each" else self.cards(source)
        assert isinstance(expr, p.ListEnd | p.ListAt), type(expr).__name__
        return self.one_of(expr.lists)

    def in_all(self, parts: tuple[p.Expr, ...]) -> int:
        """Cards of all operands, lists of collections taken apart."""
        return sum(self.cards(part) if part.kind is Kind.CARDS else self._of_list(part) for part in parts)

    def one_of(self, lists: p.Expr) -> int:
        """Cards of the greatest collection of a list."""
        if isinstance(lists, p.Each):
            return self.cards(lists.body)
        if isinstance(lists, p.Indexed):
            return MOST_REFERENCES if lists.cls == "mem" else self.room
        if isinstance(lists, p.Partition):
            return min(self.in_all(lists.parts), MOST)
        if isinstance(lists, p.Subsets):
            return min(self.cards(lists.cards), MOST_SUBSETS)
        if isinstance(lists, p.Tuples | p.Runs):
            return self.cards(lists.cards)
        if isinstance(lists, p.Filter):
            return self.one_of(lists.source)
        if isinstance(lists, p.Var) and lists.binding.how != "each":
            return self.one_of(lists.binding.source)
        return MOST_GROUPED

    def _of_list(self, lists: p.Expr) -> int:
        if isinstance(lists, p.Partition):
            return min(self.in_all(lists.parts), MOST)
        if isinstance(lists, p.Filter):
            return self._of_list(lists.source)
        if isinstance(lists, p.Var) and lists.binding.how != "each":
            return self._of_list(lists.binding.source)
        if isinstance(lists, p.Indexed) and lists.cls != "mem":
            return self.room
        return min(self.elements(lists) * self.one_of(lists), MOST_GROUPED)

    # --- elements ------------------------------------------------------------------------------

    def elements(self, expr: p.Expr) -> int:
        """Of a collection of any kind."""
        if expr.kind is Kind.CARDS:
            return self.cards(expr)
        if isinstance(expr, p.Players | p.Teams | p.Members):
            return self.seats
        if isinstance(expr, p.Names):
            return len(expr.texts)
        if isinstance(expr, p.Numbers):
            return len(expr.values)
        if isinstance(expr, p.Range):
            low, high = self.interval(expr.low)[0], self.interval(expr.high)[1]
            return max(0, min(high - low + 1, MOST))
        if isinstance(expr, p.Filter | p.Each):
            return self.elements(expr.source)
        if isinstance(expr, p.Indexed):
            return MOST_NUMBER + 1
        if isinstance(expr, p.Partition):
            return min(self.in_all(expr.parts), MOST)
        if isinstance(expr, p.Var) and expr.binding.how != "each":
            return self.elements(expr.binding.source)
        if isinstance(expr, p.Subsets):
            return 1 << MOST_SUBSETS
        return MOST

    def interval(self, expr: p.Expr) -> tuple[int, int]:
        """The least and the greatest value a number can have."""
        if isinstance(expr, p.Int):
            return expr.value, expr.value
        if isinstance(expr, p.Random):
            low = 0 if expr.low is None else self.interval(expr.low)[0]
            return low, self.interval(expr.high)[1]
        if isinstance(expr, p.Var) and expr.binding.how != "each":
            return self.interval(expr.binding.source)
        if isinstance(expr, p.Arithmetic) and expr.operator in ("+", "-"):
            low, high = self.interval(expr.operands[0])
            for operand in expr.operands[1:]:
                a, b = self.interval(operand)
                low, high = (low + a, high + b) if expr.operator == "+" else (low - b, high - a)
            return max(low, LEAST), min(high, GREATEST)
        return LEAST, GREATEST
