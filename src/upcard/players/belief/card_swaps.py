"""Determines which cards of a history may be exchanged in `world_walk`."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from upcard.players.belief.evidence import Evidence

Group: TypeAlias = Sequence[tuple[int, int]]
"""Cards, each with its sort: those of one sort are not exchanged with each other."""


def of_one_shuffle(history: Evidence, cards: Iterable[int]) -> list[Group]:
    """Any two cards that were shuffled together."""
    groups: dict[int, list[tuple[int, int]]] = {}
    for card in cards:
        groups.setdefault(history.epoch[card], []).append((card, card))
    return [*groups.values()]


def of_one_place(history: Evidence, cards: Iterable[int]) -> list[Group]:
    """Those that came to a place at different times, and may have come at each other's: one of them was seen
    to leave it, and nobody saw it come."""
    owner = {(history.epoch[card], history.part[card]): card for card in cards}
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for place, parts in history.mates.items():
        for part, came in parts.items():
            if part in owner:
                groups.setdefault((place, part[0]), []).append((owner[part], came))
    return [group for group in groups.values() if len({came for _, came in group}) > 1]


def words_of(groups: Iterable[Group]) -> array[int]:
    """Four words a card: it, its sort, where its group begins and how many are in it."""
    words = array("q")
    for group in groups:
        first = len(words) // 4
        for card, sort in group:
            words.extend((card, sort, first, len(group)))
    return words
