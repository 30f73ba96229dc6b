"""What the cards of a place count, in the words of a sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from upcard.library.sheet import Total


def total_text(total: Total, cards: Sequence[Mapping[str, str]], awards: Sequence[Any] | None) -> str:
    """The total of these cards; empty without cards, or if the program has not set the point map yet.

    `awards` is the point map as observations have it: pairs of attribute and value, and an amount.
    """
    if not cards or awards is None:
        return ""
    points = _greatest(total.by, cards, awards)
    extra = total.extra
    has_extra = extra is not None and any(card.get(extra.key) == extra.value for card in cards)
    if extra is not None and has_extra and points + extra.points <= extra.most:
        return extra.tell.replace("{total}", str(points + extra.points))
    return total.tell.replace("{total}", str(points))


def _greatest(key: str, cards: Sequence[Mapping[str, str]], awards: Sequence[Any]) -> int:
    """The points of all cards, or of the group with the most if a key groups them."""
    groups: dict[str | None, int] = {}
    for card in cards:
        group = card.get(key) if key else None
        groups[group] = groups.get(group, 0) + _points(card, awards)
    return max(groups.values())


def _points(card: Mapping[str, str], awards: Sequence[Any]) -> int:
    return sum(amount for pairs, amount in awards if all(card.get(key) == value for key, value in pairs))
