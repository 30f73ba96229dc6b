"""The course's pack: file format, shuffle, and dealing in batches as stacked decks of the library's game.

The library's program shuffles and deals each seat five cards at once. A stacked deck fixes the outcome of
that shuffle so that every seat gets the cards of the course's batches.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from upcard.engine.api import Stacked
from upcard.euchre.euchre_cards import BY_TEXT, STANDARD, Card
from upcard.files.decode import shown
from upcard.recycle.diagnostics import Refused

IN_SHUFFLES = 7
"""Seven in-shuffles make one shuffle."""

BATCHES = (3, 2, 3, 2, 2, 3, 2, 3)
"""Cards at a time, the eldest first, twice round the table."""

SEATS = 4
LINE_END = "\n"


class BadPack(Refused):
    """A pack file that opens but does not hold the 24 cards."""


def read_pack(text: str, name: str) -> tuple[Card, ...]:
    """The cards of a pack file. Like the course's own reader it reads words, wherever the lines break."""
    words = list(re.finditer(r"\S+", text))
    cards: list[Card] = []
    for start in range(0, len(words), 3):
        said = " ".join(word[0] for word in words[start : start + 3])
        number = len(cards) + 1
        where = f"{name}, line {text.count(LINE_END, 0, words[start].start()) + 1}"
        if said not in BY_TEXT:
            raise BadPack(
                f"{where}: card {number} is {shown(said)}; write one card per "
                "line, for example Nine of Spades"
            )
        card = BY_TEXT[said]
        if card in cards:
            first = cards.index(card) + 1
            raise BadPack(f"{where}: card {number}, {said}, is already in the pack as card {first}")
        cards.append(card)
    if len(cards) != len(STANDARD):
        missing = next(card.text for card in STANDARD if card not in cards)
        where = f"{name}, line {text.rstrip().count(LINE_END) + 1}"
        raise BadPack(
            f"{where}: a pack has 24 cards, but this one has {len(cards)}; the {missing} is missing"
        )
    return tuple(cards)


def pack_text(pack: Sequence[Card]) -> str:
    return "".join(f"{card.text}\n" for card in pack)


def in_shuffle(pack: Sequence[Card]) -> tuple[Card, ...]:
    """Cuts the pack in the middle and interleaves the halves, the second half first."""
    half = len(pack) // 2
    return tuple(card for pair in zip(pack[half:], pack[:half], strict=True) for card in pair)


def shuffled(pack: Sequence[Card]) -> tuple[Card, ...]:
    for _ in range(IN_SHUFFLES):
        pack = in_shuffle(pack)
    return tuple(pack)


def batches(pack: Sequence[Card]) -> list[list[Card]]:
    """The hand of each seat, eldest first; the next card is the upcard."""
    hands: list[list[Card]] = [[] for _ in range(SEATS)]
    at = 0
    for number, size in enumerate(BATCHES):
        hands[number % SEATS] += pack[at : at + size]
        at += size
    return hands


class Packs:
    """The order of the pack before each hand; each shuffle starts from the previous order."""

    def __init__(self, pack: Sequence[Card], shuffle: bool) -> None:
        self._shuffle = shuffle
        self._orders = [shuffled(pack) if shuffle else tuple(pack)]

    def before(self, hand: int) -> tuple[Card, ...]:
        if not self._shuffle:
            return self._orders[0]
        while len(self._orders) <= hand:
            self._orders.append(shuffled(self._orders[-1]))
        return self._orders[hand]

    def stacked(self, hand: int, ids: Mapping[Card, str]) -> Stacked:
        """The outcome of the program's shuffle that deals this hand: card ids, bottom to top."""
        pack = self.before(hand)
        from_top = [card for dealt in batches(pack) for card in dealt] + list(pack[sum(BATCHES) :])
        return [[ids[card] for card in reversed(from_top)]]
