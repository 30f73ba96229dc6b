"""Finds the name in use that a writer probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

MAX_NAMES = 400
"""How many names one name is compared with."""

MAX_LETTERS = 40
"""Longer names are compared with nothing."""


class Nearness:
    """Finds near names. All comparisons come from one purse, so that a huge file cannot make lints slow."""

    def __init__(self, comparisons: int = 40_000) -> None:
        self.left = comparisons

    def nearest(self, name: str, candidates: Iterable[str]) -> str | None:
        """The candidate one letter away, or two in longer names; short names are near nothing."""
        if not 4 <= len(name) <= MAX_LETTERS:
            return None
        best, best_steps = None, 3
        for candidate in islice(candidates, MAX_NAMES):
            if candidate == name or abs(len(candidate) - len(name)) > 2 or len(candidate) < 4:
                continue
            if self.left <= 0:
                break
            self.left -= 1
            steps = slips(name, candidate)
            allowed = 2 if min(len(name), len(candidate)) >= 6 else 1
            if steps <= allowed and steps < best_steps:
                best, best_steps = candidate, steps
        return best


def slips(a: str, b: str) -> int:
    """How many letters must be added, dropped, replaced or exchanged with a neighbour, up to 3."""
    if abs(len(a) - len(b)) > 2:
        return 3
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > 2:
            return 3
        before, last = last, row
    return min(last[-1], 3)


def shortened(name: str) -> set[str]:
    """The name and all that is left of it when one letter is dropped: names one slip apart share one."""
    return {name, *(name[:i] + name[i + 1 :] for i in range(len(name)))}
