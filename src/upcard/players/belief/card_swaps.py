"""Determines which cards of a history may be exchanged in `world_walk`."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from upcard.players.belief.hypothesis import Hypothesis

Group: TypeAlias = Sequence[tuple[int, int]]
"""Cards, each with its sort: those of one sort are not exchanged with each other."""


def of_one_shuffle(hypothesis: Hypothesis, cards: Iterable[int]) -> list[Group]:
    """Any two cards that were shuffled together."""
    groups: dict[int, list[tuple[int, int]]] = {}
    for card in cards:
        groups.setdefault(hypothesis.shuffle_of[card], []).append((card, card))
    return [*groups.values()]


def of_one_place(hypothesis: Hypothesis, cards: Iterable[int]) -> list[Group]:
    """Cards that came to one place at different times, where one was seen to leave and none to come: each may
    have come when another did."""
    owner = {(hypothesis.shuffle_of[card], hypothesis.position[card]): card for card in cards}
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for place, arrivals in hypothesis.arrivals.items():
        for position, came in arrivals.items():
            if position in owner:
                groups.setdefault((place, position[0]), []).append((owner[position], came))
    return [group for group in groups.values() if len({came for _, came in group}) > 1]


def words_of(groups: Iterable[Group]) -> array[int]:
    """Four words a card: it, its sort, where its group begins and how many are in it."""
    words = array("q")
    for group in groups:
        first = len(words) // 4
        for card, sort in group:
            words.extend((card, sort, first, len(group)))
    return words
