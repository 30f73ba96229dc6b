"""Bounds on memory: how much room to keep for the cards of a collection and the elements of a list.

They are never too small. Where nothing is known they are the language's own limits.
"""

from __future__ import annotations

from upcard.engine.native.lower.analysis import each_once
from upcard.recycle import program as p
from upcard.recycle.kinds import Kind
from upcard.recycle.sizes import Sizes


class Bounds(Sizes):
    """Sizes, sharper where no card can occur twice."""

    def __init__(self, room: int, seats: int) -> None:
        super().__init__(room, seats, base=0)  # the wider base: player numbers from 0 to the last one from 1

    def _find_elements(self, expr: p.Expr) -> int:
        if isinstance(expr, p.Combination) and expr.how != "union":
            return self._room
        found = super()._find_elements(expr)
        return min(found, self._room) if expr.kind is Kind.CARDS and each_once(expr) else found
