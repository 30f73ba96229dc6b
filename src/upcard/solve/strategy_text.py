"""A strategy in the words of the table: "with K always call", "with J check 2 times in 3"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from upcard.narration.narrator import Narrator
from upcard.solve.game_tree import InformationSet

NEVER = 0.0005
"""Smaller probabilities are not mentioned."""
NEAR = 0.004
"""How near a fraction must be to stand for a probability."""
PARTS = 6
"""Greatest denominator of a fraction."""


@dataclass(frozen=True)
class Situation:
    """What a seat does at one point of the game, for each of its hands."""

    seat: int
    heading: str
    lines: tuple[str, ...]


def situations(
    sets: Sequence[InformationSet],
    strategy: Sequence[Sequence[float]],
    reach: Sequence[float],
    narrator: Narrator,
) -> Iterator[Situation]:
    """The situations of every seat, in the order in which they come up.

    Those that a seat's own strategy avoids are left out.
    """
    met = [number for number in range(len(sets)) if reach[number] > NEVER]

    def place(number: int) -> tuple[int, int, tuple[str, ...], str]:
        one = sets[number]
        return one.seat, len(one.history), one.history, one.table

    met.sort(key=place)  # stable: hands stay in the order of the deal
    for (seat, _, history, table), group in groupby(met, place):
        rows: dict[str, list[str]] = {}
        numbers = list(group)
        hands = _hands([sets[number] for number in numbers])
        for number, hand in zip(numbers, hands, strict=True):
            rows.setdefault(tell_shares(sets[number], strategy[number]), []).append(hand)
        yield Situation(seat, _heading(narrator.seat(seat), history, table), tuple(_lines(rows)))


def _hands(sets: list[InformationSet]) -> list[str]:
    """What the seat holds in each set; where that is the same, with the storages that differ."""
    found = []
    for one in sets:
        alike = [dict(other.storages) for other in sets if other.holding == one.holding]
        differing = [
            f"{name} {value}"
            for name, value in one.storages
            if any(other.get(name) != value for other in alike)
        ]
        unset = {name for other in alike for name in other} - dict(one.storages).keys()
        told = ", ".join([*differing, *(f"no {name}" for name in sorted(unset))])
        found.append(f"{one.holding} ({told})".strip() if told else one.holding)
    return found


def _lines(rows: dict[str, list[str]]) -> Iterator[str]:
    """A line for each text, with the hands that it is for."""
    hands = {text: ", ".join(dict.fromkeys(holdings)) for text, holdings in rows.items()}
    width = max(map(len, hands.values()))
    for text, hand in hands.items():
        yield f"{hand:<{width}}  {text}" if width else text


def _heading(seat: str, history: tuple[str, ...], table: str) -> str:
    when = ", ".join(history) if history else f"{seat} begins"
    return f"{when} ({table})" if table else when


def tell_shares(one: InformationSet, shares: Sequence[float]) -> str:
    """The actions at an information set with their probabilities, the likeliest first."""
    found = [(share, action.text) for share, action in zip(shares, one.actions, strict=True) if share > NEVER]
    found.sort(key=lambda pair: -round(pair[0], 3))
    if len(found) == 1:
        return f"always {found[0][1]}"
    return ", ".join(f"{text} {tell_share(share)}" for share, text in found)


def tell_share(share: float) -> str:
    """A probability in words: as a simple fraction if it is near one."""
    for parts in range(2, PARTS + 1):
        times = round(share * parts)
        if 0 < times < parts and abs(share - times / parts) < NEAR:
            return f"{times} time{'s' if times > 1 else ''} in {parts}"
    return f"{100 * share:.1f} % of the time"
