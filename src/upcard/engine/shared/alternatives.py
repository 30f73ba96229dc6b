"""An alternative of a decision: its item, the values of its `any` forms, and its effects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from upcard.engine.api import Place
from upcard.engine.shared.knowledge import Effect
from upcard.recycle.kinds import Kind


class _Nothing:
    """Recorded where an `any` had nothing to pick from, so that carrying out skips it too."""


NOTHING = _Nothing()


class Picked(NamedTuple):
    """One any-pick: where it was made, and the element (a snapshot by its cards as they were)."""

    site: int
    element: Any
    kind: Kind


@dataclass(frozen=True, slots=True)
class Alternative:
    item: int
    picks: tuple[Picked, ...]
    effects: tuple[Effect, ...]
    peeked: int | None = None
    """How many effects came before a watched face was looked at."""

    @property
    def told(self) -> tuple[Effect, ...]:
        """The effects that do not depend on a watched face."""
        return self.effects if self.peeked is None else self.effects[: self.peeked]

    @property
    def made(self) -> list[Picked]:
        """The picks without the empty ones."""
        return [pick for pick in self.picks if pick.element is not NOTHING]


def signature(alternative: Alternative) -> tuple[Any, ...]:
    """What an alternative is called: its item and its picks, independent of listing order."""
    return alternative.item, *(_name(pick) for pick in alternative.made)


def _name(pick: Picked) -> Any:
    if pick.kind is Kind.CARDS and not isinstance(pick.element, Place):
        return "cards", *sorted(pick.element)
    return pick.kind.name, pick.element


def pick_json(cards: Sequence[Any], pick: Picked) -> dict[str, Any]:
    """A pick as the contract shows it."""
    element = pick.element
    if pick.kind is Kind.CARD:
        return {"card": cards[element].id}
    if pick.kind is Kind.CARDS:
        if isinstance(element, Place):
            return {"place": element.text}
        return {"cards": [cards[card].id for card in sorted(element)]}
    word = {Kind.PLAYER: "seat", Kind.TEAM: "team", Kind.INT: "number", Kind.STR: "string"}[pick.kind]
    return {word: element}
