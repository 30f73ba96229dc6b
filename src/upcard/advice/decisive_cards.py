"""Decisive cards: which hidden cards change a result most, by the deals that were played out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from upcard.advice.estimate import effective_size
from upcard.engine.api import TABLE

LEAST_SHARE = 0.04
"""Of the deals in which a fact holds, or does not."""
CLEAR = 3.0
"""Standard errors of the difference that a fact must make. Dozens are looked at."""


@dataclass(frozen=True)
class Fact:
    """Where a hidden card lies, and what difference that makes."""

    card: str
    owner: int
    """The seat that holds it, or `TABLE`."""
    share: float
    """Of the deals in which it does."""
    value: float
    """The result in these deals, and in the others."""
    otherwise: float


def decisive_cards(
    places: Sequence[tuple[int, str]],
    cards: Sequence[str],
    where: Sequence[Sequence[int]],
    values: Sequence[float],
    weights: Sequence[float],
    count: int = 2,
) -> list[Fact]:
    """The facts that explain most of the differences between results, each about another card.

    `places`: per place its owner and class; `where`: per deal the place of each card.
    """
    total = sum(weights)
    mean = sum(w * v for w, v in zip(weights, values, strict=True)) / total
    variance = sum(w * (v - mean) ** 2 for w, v in zip(weights, values, strict=True)) / total
    size = effective_size(weights)
    if variance <= 0 or size < 10:
        return []
    found: list[tuple[float, Fact]] = []
    for number, card in enumerate(cards):
        sums: dict[int, list[float]] = {}
        for row, value, weight in zip(where, values, weights, strict=True):
            owner, cls = places[row[number]]
            if owner >= 0 and cls != "iloc":
                continue
            here = sums.setdefault(owner if owner >= 0 else TABLE, [0.0, 0.0])
            here[0] += weight
            here[1] += weight * value
        for owner, (weight, gained) in sums.items():
            share = weight / total
            if LEAST_SHARE <= share <= 1 - LEAST_SHARE:
                inside, outside = gained / weight, (mean * total - gained) / (total - weight)
                error = math.sqrt(variance / (size * share * (1 - share)))
                strength = abs(inside - outside) / error
                if strength > CLEAR:
                    found.append((strength, Fact(card, owner, share, inside, outside)))
    found.sort(key=lambda pair: (-pair[0], pair[1].card, pair[1].owner))
    chosen: list[Fact] = []
    for _, fact in found:
        if fact.card not in [known.card for known in chosen]:
            chosen.append(fact)
    return chosen[:count]
