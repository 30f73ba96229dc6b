"""W509: a condition inside a choice that looks at cards the chooser cannot see.

What can be chosen would then tell what those cards are. Conditions are tests, filters and whatever a loop
goes through; what counts as looking is an attribute, a score, an identity or a grouping. How many cards
lie somewhere is public, and picking blindly among hidden cards is fine.
"""

from __future__ import annotations

from collections.abc import Iterator

from upcard.recycle import program as p
from upcard.recycle.diagnostics import Diagnostic
from upcard.recycle.kinds import Kind
from upcard.recycle.lints.lint_subject import Subject, looked_at, meaning
from upcard.recycle.walk import children

_CARDS = (Kind.CARD, Kind.CARDS, Kind.LISTS)


def leaks(subject: Subject) -> Iterator[Diagnostic]:
    unseen = _Unseen(subject.program.players)
    said: set[p.Node] = set()
    for choice in subject.choices:
        for condition in _conditions(choice):
            for node in looked_at(condition):
                if node in said:
                    continue
                place = next(filter(None, map(unseen.among, _looks(node))), None)
                if place is not None:
                    said.add(node)
                    yield Diagnostic(
                        "W509",
                        subject.spot(node.span),
                        f"this looks at cards in {subject.words(place)}, which "
                        "the player who chooses cannot see",
                        "look only at cards that this player sees, such as ((current player) iloc HAND), "
                        "or decide it in a block outside the choice",
                    )


def _conditions(choice: p.Choice) -> Iterator[p.Expr]:
    """Each once: a filter inside a condition is met with it."""
    stack: list[p.Node] = [choice]
    while stack:
        node = stack.pop()
        if isinstance(node, p.When):
            yield node.test
            stack.append(node.item)
        elif isinstance(node, p.ForAny | p.ForAll):
            yield node.source
            stack.append(node.item)
        elif isinstance(node, p.Filter):
            yield node
        else:
            stack.extend(children(node))


def _looks(node: p.Node) -> tuple[p.Expr, ...]:
    """The cards whose faces a form looks at."""
    if isinstance(node, p.CardAtt | p.Score):
        return (node.card,)
    if isinstance(node, p.Sum | p.BestScore | p.BestCard | p.Tuples | p.Runs | p.EndRun):
        return (node.cards,)
    if isinstance(node, p.Partition):
        return node.parts
    if isinstance(node, p.Combination) and node.how != "union":
        return node.parts
    if isinstance(node, p.Same) and node.of is Kind.CARD:
        return (node.left, node.right)
    return ()


class _Unseen:
    """Finds, for a value, a location among its sources that the chooser does not see."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._known: dict[p.Expr, p.PlaceForm | None] = {}

    def among(self, expr: p.Expr) -> p.PlaceForm | None:
        if expr not in self._known:
            self._known[expr] = self._find(expr)
        return self._known[expr]

    def _find(self, expr: p.Expr) -> p.PlaceForm | None:
        expr = meaning(expr)
        if isinstance(expr, p.PlaceForm):
            return expr if self._is_hidden(expr) else None
        if isinstance(expr, p.Var):
            return self.among(expr.binding.source)
        for child in children(expr):
            if isinstance(child, p.Expr) and child.kind in _CARDS:
                place = self.among(child)
                if place is not None:
                    return place
        return None

    def _is_hidden(self, place: p.PlaceForm) -> bool:
        if isinstance(place.owner, p.Table):
            return place.cls in ("iloc", "hloc")
        owner = meaning(place.owner)
        is_own = self._players == 1 or (isinstance(owner, p.SeatAt) and owner.which == "current")
        if place.cls == "iloc":
            return not is_own
        return place.cls == "hloc" or (place.cls == "oloc" and is_own)
