"""W514: an `any` or a condition that depends on a draw made earlier in the same alternative.

Alternatives are listed with one chance and carried out with another. A shuffle, a random number or a tie
that a later any or condition of the same alternative depends on may come out differently then, and the
pick takes a road that was never offered. What does not depend on the draw is left alone: a shuffle changes
no size, and the score of a best card is the same whichever of the tied ones it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from upcard.recycle import program as p
from upcard.recycle.diagnostics import Diagnostic
from upcard.recycle.kinds import Kind
from upcard.recycle.lints.effects import Touched, changed_by, read_by
from upcard.recycle.lints.lint_subject import Subject, live
from upcard.recycle.source import Span
from upcard.recycle.walk import children


def late_conditions(subject: Subject) -> Iterator[Diagnostic]:
    if not any(chance.in_choice for chance in subject.facts.chance):
        return
    for choice in subject.choices:
        for item in choice.items:
            road = _Road(subject)
            road.go(item, False)
            if road.found is not None:
                span, what = road.found
                yield Diagnostic(
                    "W514",
                    subject.spot(span),
                    f"this {what} depends on a draw in the same alternative, which is drawn again "
                    "when the alternative is played",
                    "let the draw be the last thing in the choice, and decide the rest in a block or a "
                    "choice after it",
                )


@dataclass
class _Road:
    """One alternative, walked in the order in which it is carried out."""

    subject: Subject
    faces: Touched = field(default_factory=Touched)
    """What is different after another draw."""
    sizes: Touched = field(default_factory=Touched)
    """Locations whose sizes are different, too."""
    variables: set[int] = field(default_factory=set)
    found: tuple[Span, str] | None = None
    in_loop: bool = False

    def go(self, item: p.Item, by_chance: bool) -> None:
        """`by_chance`: whether the item is reached at all, or how often, depends on a draw."""
        if self.found is not None:
            return
        if isinstance(item, p.Do):
            for inner in item.items:
                self.go(inner, by_chance)
        elif isinstance(item, p.When):
            if by_chance or self._depends(item.test):
                self.found = (item.test.span, "condition")
            self.go(item.item, by_chance)
        elif isinstance(item, p.ForAny):
            # a draw in the source itself is made once, when listing: the pick is kept
            if by_chance or self._depends(item.source, own_draws=False):
                self.found = (item.span, "any")
            self.go(item.item, by_chance)
        elif isinstance(item, p.Let):
            if self._depends(item.value):
                self.variables.add(item.binding.slot)
            self.go(item.item, by_chance)
        elif isinstance(item, p.ForAll):
            is_drawn = self._depends(item.source)
            if is_drawn:
                self.variables.add(item.binding.slot)
            self._twice(item.item, by_chance or is_drawn)
        elif isinstance(item, p.Repeat):
            self._twice(item.item, by_chance or self._depends(item.count))
        elif isinstance(item, p.RepeatAll):
            self._twice(item.item, by_chance or self._depends(item.item.card))
        else:
            self._act(item, by_chance)

    def _twice(self, item: p.Item, by_chance: bool) -> None:
        """What a round draws, the next one meets; loops inside are gone through with the outermost."""
        rounds = 1 if self.in_loop else 2
        was, self.in_loop = self.in_loop, True
        for _ in range(rounds):
            self.go(item, by_chance)
        self.in_loop = was

    def _act(self, action: p.Item, by_chance: bool) -> None:
        changed = changed_by(self.subject, action)
        if isinstance(action, p.Shuffle):
            if live(action.cards) is None and isinstance(action.cards, p.Var):
                self.variables.add(action.cards.binding.slot)  # a snapshot: only its own order changes
            else:
                self.faces.add(changed)
            return
        place = action.place if isinstance(action, p.Move | p.Remember) else None
        elsewhere = by_chance or (place is not None and self._depends_place(place))
        if elsewhere or any(
            self._depends(e) for e in children(action) if isinstance(e, p.Expr) and e is not place
        ):
            self.faces.add(changed)
        if elsewhere:
            self.sizes.add(changed)

    def _depends_place(self, place: p.Expr) -> bool:
        """Where a card goes, not what lies there."""
        if not isinstance(place, p.Position):
            return self._depends(place)
        cards = place.cards
        if isinstance(place, p.CardAt) and self._depends(place.index):
            return True
        if isinstance(cards, p.Location):
            return any(self._depends(e) for e in children(cards) if isinstance(e, p.Expr))
        return self._depends(cards)

    # --- does a value depend on a draw? --------------------------------------------------------

    def _depends(self, expr: p.Expr, own_draws: bool = True) -> bool:
        """Goes down to what is read; variables were looked at when they were bound."""
        if isinstance(expr, p.Random):
            return own_draws
        if isinstance(expr, p.BestCard) and own_draws:
            return True
        if isinstance(expr, p.Var):
            return expr.binding.slot in self.variables or self._reads_drawn(expr)
        if isinstance(expr, p.Size) and isinstance(expr.of, p.Location | p.Var):
            place = live(expr.of)
            if place is not None:
                read = Touched({self.subject.key(place)})
                return read.meets(self.sizes) or any(
                    self._depends(e, own_draws) for e in children(place) if isinstance(e, p.Expr)
                )
        if (
            isinstance(expr, p.Score)
            and isinstance(expr.card, p.BestCard)
            and self._same_map(expr, expr.card)
        ):
            return self._depends(expr.card.cards, own_draws) or self._depends(expr.using, own_draws)
        if self._reads_drawn(expr):
            return True
        return any(self._depends(e, own_draws) for e in children(expr) if isinstance(e, p.Expr))

    def _reads_drawn(self, expr: p.Expr) -> bool:
        if isinstance(expr, p.Var) and expr.kind in (Kind.CARD, Kind.STR, Kind.INT, Kind.PLAYER, Kind.TEAM):
            return False  # bound before, and the same ever since
        return read_by(self.subject, [expr]).meets(self.faces)

    def _same_map(self, score: p.Score, best: p.BestCard) -> bool:
        first, second = score.using, best.using
        if not (isinstance(first, p.MapStore) and isinstance(second, p.MapStore)):
            return False
        is_table = isinstance(first.owner, p.Table) and isinstance(second.owner, p.Table)
        key = self.subject.key(first)
        return is_table and key.name is not None and key == self.subject.key(second)
