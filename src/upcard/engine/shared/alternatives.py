"""An alternative of a decision: its item, the values of its `any` forms, and its effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from upcard.engine.api import Place
from upcard.engine.shared.knowledge import Effect
from upcard.recycle.kinds import Kind


class _Nothing:
    """Recorded where an `any` form had nothing to pick from, so that playing the alternative skips it too."""

    def __reduce__(self) -> str:
        return "NOTHING"  # there is one, also after unpickling


NOTHING = _Nothing()


class Picked(NamedTuple):
    """The value of one `any` form: the form's site and the element picked (of a snapshot, its cards)."""

    site: int
    element: Any
    kind: Kind


@dataclass(frozen=True, slots=True)
class Alternative:
    item: int
    picks: tuple[Picked, ...]
    effects: tuple[Effect, ...]
    peeked: int | None = None
    """How many effects came before the alternative read a hidden face; None if it read none."""

    @property
    def showable(self) -> tuple[Effect, ...]:
        """The effects that do not depend on a hidden face."""
        return self.effects if self.peeked is None else self.effects[: self.peeked]

    @property
    def actual_picks(self) -> list[Picked]:
        """The picks without the empty ones."""
        return [pick for pick in self.picks if pick.element is not NOTHING]


def signature(alternative: Alternative) -> tuple[Any, ...]:
    """An alternative's name: its item and its picks, independent of the order of listing."""
    return alternative.item, *(_name(pick) for pick in alternative.actual_picks)


def _name(pick: Picked) -> Any:
    if pick.kind is Kind.CARDS and not isinstance(pick.element, Place):
        return "cards", *sorted(pick.element)
    return pick.kind.name, pick.element


def pick_json(cards: Sequence[Any], pick: Picked) -> dict[str, Any]:
    """A pick as JSON (`api.Pick`)."""
    element = pick.element
    if pick.kind is Kind.CARD:
        return {"card": cards[element].id}
    if pick.kind is Kind.CARDS:
        if isinstance(element, Place):
            return {"place": element.text}
        return {"cards": [cards[card].id for card in sorted(element)]}
    word = {Kind.PLAYER: "seat", Kind.TEAM: "team", Kind.INT: "number", Kind.STR: "string"}[pick.kind]
    return {word: element}
