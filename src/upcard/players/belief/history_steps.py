"""Steps of a history: each a decision with its item and picks."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from upcard.players.belief import action_match as k
from upcard.players.belief.kernel_structs import HistoryStep

HEAD_WORDS = HistoryStep.size // 8
NEXT = HistoryStep.fields["next"].word
VALUE = HistoryStep.fields["value"].word
Pick: TypeAlias = tuple[int, int | list[int]]
"""The kind of a pick (`action_match`), and a card, a plain value or the cards of a collection."""


class Inconsistent(Exception):
    """No history was found that shows the seat what it saw."""


@dataclass
class Step:
    """A decision of a history. Once it is part of one, only its index changes.

    Where the seat cannot tell by which item another seat decided, `variants` are the same decision by other
    items, with the same hidden cards: in a world the first one that is possible is taken."""

    pc: int
    item: int
    how: int
    value: int
    shuffles: int
    copy: int
    seen: int
    before: list[int]
    picks: list[Pick] | None
    """None: anything that the item offers."""
    index: int = 0
    """Among the alternatives of the history's own state."""
    variants: list[Step] = field(default_factory=list)
    _packed: array[int] | None = None

    def packed(self) -> array[int]:
        """Its words (`action_match`); not to be changed."""
        if self._packed is None:
            self._packed = array("q", self.words())
        return self._packed

    def words(self, eligible: Sequence[int] = (), seen: int | None = None) -> list[int]:
        """Its words. `eligible`: a set of cards of which one may have been the hidden pick instead. `seen`:
        in place of how the step was seen."""
        seen = self.seen if seen is None else seen
        made = self._own_words(eligible, seen)
        last = 0
        for variant in self.variants:
            made[last + NEXT] = len(made) - last
            last = len(made)
            made += variant._own_words(eligible, seen)
        made[0] = len(made)
        return made

    def _own_words(self, eligible: Sequence[int], seen: int) -> list[int]:
        """Without those of its variants."""
        picks: list[int] = []
        for kind, value in self.picks or ():
            picks += [kind, len(value), *value] if isinstance(value, list) else [kind, value]
        seen = k.DRAWN if eligible else k.TOKEN if seen == k.DRAWN else seen
        last = HEAD_WORDS + len(self.before) + len(picks)
        made = [
            last + len(eligible),
            self.pc,
            self.item,
            self.how,
            self.value,
            self.shuffles,
            self.copy,
            seen,
        ]
        made += [len(self.before), k.ANY_PICKS if self.picks is None else len(self.picks)]
        return [*made, 0, last, 0, 0, self.pick_at or 0, *self.before, *picks, *eligible]

    @property
    def cards(self) -> list[int]:
        """The cards that were picked."""
        if self.how == k.CARD:
            return [self.value]
        return [c for pick in self.picks or () for c in picked_cards(pick)]

    def renamed(self, new: Mapping[int, int], seen: int | None = None) -> Step:
        """The same step with other cards as hidden picks, and perhaps seen in another way."""
        value = new.get(self.value, self.value) if self.how == k.CARD else self.value
        picks = self.picks and [
            (kind, [new.get(card, card) for card in value])
            if isinstance(value, list) and kind & k.HIDDEN
            else (kind, new.get(value, value) if kind == k.ONE_CARD | k.HIDDEN else value)  # type: ignore[arg-type]
            for kind, value in self.picks
        ]
        how = self.seen if seen is None else seen
        variants = [variant.renamed(new, how) for variant in self.variants]
        head = (self.pc, self.item, self.how, value, self.shuffles, self.copy, how)
        return Step(*head, self.before, picks, self.index, variants)

    @property
    def pick_at(self) -> int | None:
        """The word that holds the hidden pick, where it is one card."""
        if len(self.hidden_cards) != 1:
            return None
        if self.how == k.CARD:
            return VALUE
        at = HEAD_WORDS + len(self.before)
        for kind, value in self.picks or ():
            if kind == k.ONE_CARD | k.HIDDEN:
                return at + 1
            at += 2 + (len(value) if isinstance(value, list) else 0)
        return None

    @property
    def hidden_cards(self) -> list[int]:
        """The cards of hidden picks."""
        if self.seen == k.SEEN:
            return []
        if self.how == k.CARD:
            return [self.value]
        return [c for pick in self.picks or () if pick[0] & k.HIDDEN for c in picked_cards(pick)]


def same_pick(one: Pick, other: Pick) -> bool:
    """Whether two picks have the same value; the order of a collection's cards does not matter."""
    if isinstance(one[1], list) and isinstance(other[1], list):
        return sorted(one[1]) == sorted(other[1])
    return one[1] == other[1]


def picked_cards(pick: Pick) -> list[int]:
    """The cards of a pick."""
    kind, value = pick
    if isinstance(value, list):
        return value
    return [value] if kind & 3 == k.ONE_CARD else []
