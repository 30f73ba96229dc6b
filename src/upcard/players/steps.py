"""A decision of a story, and what its picks are."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from upcard.players import finding_kernels as k


class Inconsistent(Exception):
    """No story was found that shows the seat what it saw."""


@dataclass
class Step:
    """A decision of the story. Once it is part of one, nothing but its index changes."""

    pc: int
    item: int
    how: int
    value: int
    shuffles: int
    copy: int
    seen: int
    before: list[int]
    picks: list[tuple[int, int | list[int]]]
    index: int = 0
    """Among the alternatives of the story."""
    _packed: array[int] | None = None

    def packed(self) -> array[int]:
        """Its words; not to be changed."""
        if self._packed is None:
            self._packed = array("q", self.words())
        return self._packed

    def words(self, eligible: Sequence[int] = ()) -> list[int]:
        """`eligible`: a set of cards of which one may have been picked instead, unseen."""
        picks: list[int] = []
        for kind, value in self.picks:
            picks += [kind, len(value), *value] if isinstance(value, list) else [kind, value]
        seen = k.DRAWN if eligible else k.TOKEN if self.seen == k.DRAWN else self.seen
        head = [self.pc, self.item, self.how, self.value, self.shuffles, self.copy, seen]
        last = 13 + len(self.before) + len(picks)
        body = [*head, len(self.before), len(self.picks), 0, last, 0, *self.before, *picks, *eligible]
        return [1 + len(body), *body]

    @property
    def cards(self) -> list[int]:
        """Those that were picked."""
        return [self.value] if self.how == k.CARD else [c for pick in self.picks for c in picked_cards(pick)]

    def renamed(self, new: Mapping[int, int], seen: int | None = None) -> Step:
        """The same with other cards in the hidden picks, and perhaps seen in another way."""
        value = new.get(self.value, self.value) if self.how == k.CARD else self.value
        picks = [
            (kind, [new.get(card, card) for card in value])
            if isinstance(value, list) and kind & k.HIDDEN
            else (kind, new.get(value, value) if kind == k.ONE_CARD | k.HIDDEN else value)  # type: ignore[arg-type]
            for kind, value in self.picks
        ]
        how = self.seen if seen is None else seen
        head = (self.pc, self.item, self.how, value, self.shuffles, self.copy, how)
        return Step(*head, self.before, picks, self.index)

    @property
    def pick_at(self) -> int | None:
        """The word that holds the card that was picked unseen, where it is one card."""
        if len(self.hidden_cards) != 1:
            return None
        if self.how == k.CARD:
            return 4
        at = 13 + len(self.before)
        for kind, value in self.picks:
            if kind == k.ONE_CARD | k.HIDDEN:
                return at + 1
            at += 2 + (len(value) if isinstance(value, list) else 0)
        return None

    @property
    def hidden_cards(self) -> list[int]:
        """Those that were picked unseen."""
        if self.seen == k.SEEN:
            return []
        if self.how == k.CARD:
            return [self.value]
        return [c for pick in self.picks if pick[0] & k.HIDDEN for c in picked_cards(pick)]


def same_pick(seen: tuple[int, int | list[int]], made: tuple[int, int | list[int]]) -> bool:
    if isinstance(seen[1], list) and isinstance(made[1], list):
        return sorted(seen[1]) == sorted(made[1])
    return seen[1] == made[1]


def picked_cards(pick: tuple[int, int | list[int]]) -> list[int]:
    kind, value = pick
    if isinstance(value, list):
        return value
    return [value] if kind & 3 == k.ONE_CARD else []
