"""Reads a table out of a state's flat memory."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

from upcard.engine.api import TABLE, Given, Place
from upcard.engine.native import machine_memory
from upcard.engine.native.event_log import Words
from upcard.engine.native.lower.state_layout import Layout
from upcard.engine.native.workspace import GivenWord
from upcard.engine.shared.flat_program import Depths
from upcard.engine.shared.given import given_storages
from upcard.engine.shared.table import PointMap, Table

MASK = (1 << 64) - 1


class Memory:
    """The memory of one state: its words and their address."""

    __slots__ = ("address", "words")

    def __init__(self, size: int) -> None:
        self.words = machine_memory.words(size // 8)
        self.address = ctypes.addressof(self.words)

    @classmethod
    def of(cls, data: bytes) -> Memory:
        """The memory that held these bytes."""
        memory = cls(len(data))
        ctypes.memmove(memory.address, data, len(data))
        return memory

    def copy(self) -> Memory:
        other = Memory(ctypes.sizeof(self.words))
        ctypes.memmove(other.address, self.address, ctypes.sizeof(self.words))
        return other

    def cards(self, at: int, width: int) -> list[int]:
        """Reads a list of cards: a count, then the cards."""
        count = self.words[at // 8]
        sort = ctypes.c_uint8 if width == 1 else ctypes.c_uint16
        return list((sort * count).from_buffer(self.words, at + 8))

    def where(self, layout: Layout) -> ctypes.Array[Any]:
        """The number of each card's place."""
        sort = ctypes.c_uint16 if layout.where_bytes == 2 else ctypes.c_uint32
        return (sort * layout.room).from_buffer(self.words, layout.where_at)

    @property
    def bytes(self) -> memoryview:
        return memoryview(self.words).cast("B")


def cards_by_place(layout: Layout, memory: Memory) -> Iterator[tuple[int, list[int]]]:
    """Every place with cards, bottom to top, or in card order where no order is kept."""
    width, set_words, m = layout.card_bytes, layout.set_words, memory.words
    first = layout.sets_at // 8
    for place, listed in enumerate(layout.list_offsets):
        if listed >= 0:
            if m[listed // 8]:
                yield place, memory.cards(listed, width)
            continue
        bits = 0
        for w in range(set_words):
            bits |= (m[first + place * set_words + w] & MASK) << (64 * w)
        if bits:
            yield place, [card for card in range(bits.bit_length()) if bits >> card & 1]


def given_words(layout: Layout, given: Given) -> list[GivenWord]:
    """Storages that the match sets, as words of a state; the program does not look at any other."""
    words = []
    for (owner, name), value in given_storages(given).items():
        first = layout.ints.get(("table" if owner == TABLE else "player", name))
        if first is not None:
            words.append(GivenWord(first + max(owner, 0), value))
    return words


def read_table(words: Words, memory: Memory) -> Table:
    """Reads the table from the words of a state."""
    lowered, layout = words.lowered, words.lowered.layout
    at, m = layout.words, memory.words
    table = Table(layout.seats, 0, layout.facts.order, all_ordered=False)
    for number, cards in cards_by_place(layout, memory):
        table.places[words.places[number]] = cards
    place_of: dict[int, Place] = {
        card: place for place, cards in table.places.items() if place.cls != "mem" for card in cards
    }
    for face in layout.cards_of(memory.bytes):
        table.new_card_at(face.back, face.attributes, place_of[len(table.cards)])
    table.ints = {key: m[word] for word, key in words.ints.items() if m[word]}
    table.strs = {key: words.strings[m[word]] for word, key in words.strs.items() if words.strings[m[word]]}
    stride = layout.map_stride
    for word, key in words.maps.items():
        if m[word]:
            first = word + lowered.captured_at[m[word] - 1]
            table.maps[key] = PointMap(words.awards(m[word] - 1, m[first : word + stride]))
    members, sizes = at["members"], at["team_size"]
    table.teams = tuple(
        tuple(m[members + team * layout.seats + i] for i in range(m[sizes + team]))
        for team in range(m[at["teams"]])
    )
    pc = m[at["pc"]]
    # a game that ran to its end has left every stage
    depths = lowered.depths[pc] if pc < len(lowered.depths) else Depths(0, 0)
    table.seat_cycles = []
    for depth in range(depths.seat + 1):
        queue = m[at["seat_queue"] + depth]
        table.seat_cycles.append((m[at["seat_index"] + depth], None if queue < 0 else queue))
    table.team_cycles = [m[at["team_index"] + depth] for depth in range(depths.team + 1)]
    return table
