"""Random numbers, specified to the bit (docs/language/chance.md): every engine draws the same."""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence
from typing import Any

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15

GAME, PLAYER, DETERMINISATION, PLAYOUT, LISTING = 0, 1, 2, 3, 4
"""The third word of a stream's name is its purpose (for listings, words are appended instead)."""


def mix(x: int) -> int:
    """The output function of splitmix64."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


class Stream:
    """A xoshiro256++ generator named by a list of words."""

    __slots__ = ("_s", "name", "words")

    def __init__(self, words: Iterable[int]) -> None:
        self.words = tuple(words)
        h = 0
        for word in self.words:
            h = mix(((h ^ (word & MASK)) + GOLDEN) & MASK)
        self.name = h
        """The words mixed into one; the names of derived streams continue from it."""
        state = []
        for _ in range(4):
            h = (h + GOLDEN) & MASK
            state.append(mix(h))
        self._s = (state[0], state[1], state[2], state[3])

    def copy(self) -> Stream:
        other = Stream.__new__(Stream)
        other.words, other.name, other._s = self.words, self.name, self._s
        return other

    def set_state(self, words: Iterable[int]) -> None:
        """Continues from the state of another engine's stream of this name."""
        s0, s1, s2, s3 = words
        self._s = (s0, s1, s2, s3)

    @property
    def state(self) -> tuple[int, int, int, int]:
        return self._s

    def next(self) -> int:
        """64 fresh bits."""
        s0, s1, s2, s3 = self._s
        total = (s0 + s3) & MASK
        result = (((total << 23) | (total >> 41)) + s0) & MASK
        s2 ^= s0
        s3 ^= s1
        s1, s0 = s1 ^ s2, s0 ^ s3
        s2 ^= (self._s[1] << 17) & MASK
        self._s = (s0, s1, s2, ((s3 << 45) | (s3 >> 19)) & MASK)
        return result

    def below(self, n: int) -> int:
        """Uniform on 0 to n - 1; nothing is drawn for n = 1."""
        if n == 1:
            return 0
        floor = ((1 << 64) - n) % n
        while True:
            product = self.next() * n
            if product & MASK >= floor:
                return product >> 64

    def shuffle(self, items: MutableSequence[Any]) -> None:
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
