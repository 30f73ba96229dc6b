"""Histogram of integers in a bounded number of bins, with exact sums.

Up to `MAX_BINS` different numbers are counted one by one. Where there are more, bins of 2, 4, 8, .. numbers
take them together: as few as will do. So a histogram depends on what it counts and on nothing else, in
whatever order and from whatever parts it came, and the sums stay exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

from upcard.files.decode import Mismatch
from upcard.stats.moments import Tally

MAX_BINS = 1024
MAX_SHIFT = 64


@dataclass(slots=True)
class Histogram:
    tally: Tally = field(default_factory=Tally)
    bins: dict[int, int] = field(default_factory=dict)
    """The counts of numbers, by the number without its last `shift` bits."""
    shift: int = 0

    @classmethod
    def of(cls, counts: Mapping[int, int]) -> Histogram:
        made = cls()
        for value, times in counts.items():
            made.add(value, times)
        return made

    @classmethod
    def together(cls, parts: Iterable[Histogram]) -> Histogram:
        made = cls()
        for part in parts:
            made.merge(part)
        return made

    def add(self, value: int, times: int = 1) -> None:
        self.tally.add(value, times)
        self._count(value >> self.shift, times)
        self._fit()

    def merge(self, other: Histogram) -> None:
        self.tally.merge(other.tally)
        if other.shift > self.shift:
            self._coarser(other.shift)
        for bin, times in other.bins.items():
            self._count(bin >> (self.shift - other.shift), times)
        self._fit()

    def _count(self, bin: int, times: int) -> None:
        self.bins[bin] = self.bins.get(bin, 0) + times

    def _fit(self) -> None:
        while len(self.bins) > MAX_BINS:
            self._coarser(self.shift + 1)

    def _coarser(self, shift: int) -> None:
        before, by = self.bins, shift - self.shift
        self.bins, self.shift = {}, shift
        for bin, times in before.items():
            self._count(bin >> by, times)

    @property
    def count(self) -> int:
        return self.tally.count

    @property
    def mean(self) -> float:
        return self.tally.spread.mean

    @property
    def counts(self) -> dict[int, int]:
        """The count of each number, or of the middle of each bin; lowest first."""
        return {self._middle(bin): times for bin, times in sorted(self.bins.items())}

    def _middle(self, bin: int) -> int:
        least, most = self.tally.least, self.tally.most
        assert least is not None, "a bin has something in it"
        assert most is not None
        return min(most, max(least, (bin << self.shift) + (1 << self.shift >> 1)))

    def at(self, *indices: int) -> list[int]:
        """The numbers at these ascending indices, counted from 0, of all numbers in sorted order."""
        found: list[int] = []
        wanted, passed = iter(indices), 0
        index = next(wanted, None)
        for value, times in self.counts.items():
            passed += times
            while index is not None and index < passed:
                found.append(value)
                index = next(wanted, None)
        return found

    def to_json(self) -> list[Any]:
        tally = self.tally
        sums = [tally.count, tally.total, tally.squares, tally.least, tally.most]
        return [*sums, self.shift, *(word for pair in sorted(self.bins.items()) for word in pair)]

    @classmethod
    def from_json(cls, words: Sequence[int | None]) -> Histogram:
        """Raises `Mismatch` for data that is not a histogram."""
        if len(words) < 6 or len(words) % 2:
            raise Mismatch("must be a list of six numbers and then pairs")
        count, total, squares, least, most, shift, *pairs = words
        if least is None or most is None:
            if [*words[:5], *pairs] != [0, 0, 0, None, None]:
                raise Mismatch("must be empty where nothing was counted")
            return cls()
        if count is None or total is None or squares is None or shift is None or None in pairs:
            raise Mismatch("must be a list of numbers")
        made = cls(Tally(count, total, squares, least, most), {}, shift)
        for bin, times in zip(pairs[::2], pairs[1::2], strict=True):
            assert bin is not None
            assert times is not None
            made._count(bin, times)
        if not made._is_sound():
            raise Mismatch("has parts that do not agree")
        return made

    def _is_sound(self) -> bool:
        count, total, squares, least, most = astuple(self.tally)
        return (
            0 <= self.shift < MAX_SHIFT
            and len(self.bins) <= MAX_BINS
            and all(least >> self.shift <= bin <= most >> self.shift for bin in self.bins)
            and min(self.bins.values(), default=0) > 0
            and sum(self.bins.values()) == count
            and -(1 << 63) <= least <= most < 1 << 63
            and count * least <= total <= count * most
            and total * total <= count * squares
            and squares <= count * max(least * least, most * most)
        )
