"""Bounds the number of cards that can reach a location.

Only what happens once counts: the setup, and blocks and choices outside all stages. A location that a
stage may fill, or that gets cards in any uncounted way, is not in the answer.
"""

from __future__ import annotations

from upcard.recycle import program as p
from upcard.recycle.deck_sizes import deck_size
from upcard.recycle.lints.lint_subject import Key, Subject
from upcard.recycle.walk import below, children


def dealt(subject: Subject) -> dict[Key, int]:
    deal = _Deal(subject)
    for line in subject.program.setup.decks:
        deal.visit(line, 1, set())
    for element in subject.program.body:
        if isinstance(element, p.Stage):
            for node in below(element):
                deal.fill(node, None)
        else:
            deal.visit(element, 1, set())
    return {
        key: count
        for key, count in deal.counts.items()
        if count is not None and key.nameless not in deal.counts
    }


class _Deal:
    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self.counts: dict[Key, int | None] = {}

    def visit(self, node: p.Node, times: int | None, seats: set[int]) -> None:
        """`times` is how often the node runs at most; `seats` are variables that hold each player once."""
        if isinstance(node, p.Action):
            self.fill(node, times, seats)
            return
        if isinstance(node, p.Repeat):
            times = self._times(times, self._subject.number(node.count))
        elif isinstance(node, p.RepeatAll):
            times = None
        elif isinstance(node, p.ForAll):
            if isinstance(node.source, p.Players):
                seats = seats | {node.binding.slot}
            else:
                times = self._times(times, self._elements(node.source))
        for child in children(node):
            if not isinstance(child, p.Expr):
                self.visit(child, times, seats)

    def _times(self, times: int | None, count: int | None) -> int | None:
        return None if times is None or count is None else min(times * max(count, 0), 10**6)

    def _elements(self, source: p.Expr) -> int | None:
        if isinstance(source, p.Names):
            return len(source.texts)
        if isinstance(source, p.Range):
            low, high = self._subject.number(source.low), self._subject.number(source.high)
            return None if low is None or high is None else max(0, high - low + 1)
        return None

    def fill(self, node: p.Node, times: int | None, seats: set[int] | None = None) -> None:
        """Notes what an action puts into locations."""
        if isinstance(node, p.Swap):
            for side in (node.left, node.right):
                self._add(side, None, seats)
        elif isinstance(node, p.Move | p.Remember):
            self._add(node.place, times, seats)
        elif isinstance(node, p.CreateDeck):
            self._add(node.location, self._times(times, deck_size(node)), seats)

    def _add(self, place: p.Expr, times: int | None, seats: set[int] | None) -> None:
        if isinstance(place, p.Position):
            place = place.cards
        if times is not None and seats:
            # in a loop over players only a location of the loop's own player gets its share once
            owner = place.owner if isinstance(place, p.Location) else None
            is_own = isinstance(owner, p.Var) and owner.binding.slot in seats
            loops = len(seats) - is_own
            times = min(times * self._subject.program.players**loops, 10**6)
        for key in self._subject.families(place):
            before = self.counts.get(key, 0)
            self.counts[key] = None if times is None or before is None else before + times
