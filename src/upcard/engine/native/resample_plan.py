"""Prepares the resampling kernels: a base state and a plan of what a seat does not know.

The steps and the order of draws are those of `shared/hidden_cards.py`, which explains them.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from upcard.engine.native.backends.select import Backend, once_per_backend
from upcard.engine.native.event_log import Words
from upcard.engine.native.kernels import resample
from upcard.engine.native.kernels.language import signed
from upcard.engine.native.kernels.loaded_kernels import load_kernels
from upcard.engine.native.kernels.resample import ResamplePlan
from upcard.engine.native.state_memory import MASK, Memory
from upcard.engine.shared.hidden_cards import hidden_cards
from upcard.engine.shared.knowledge import Knowledge
from upcard.engine.shared.table import Table

INT, PTR = ctypes.c_int64, ctypes.c_void_p


@dataclass(frozen=True)
class Plan:
    """What the kernel `resample` needs to sample states, any number of times."""

    base: Memory
    words: ResamplePlan

    @property
    def address(self) -> int:
        return self.words.address


def make_plan(words: Words, memory: Memory, table: Table, knowledge: Knowledge | None, seat: int) -> Plan:
    """`memory` is the true state, `table` the same as a table; without knowledge the samples are
    memoryless."""
    layout = words.lowered.layout
    numbers = {place: number for number, place in enumerate(words.places)}
    base = memory.copy()
    hidden = hidden_cards(table, knowledge, seat)
    where = base.where(layout)
    for card in hidden.free:
        first = layout.sets_at // 8 + where[card] * layout.set_words + (card >> 6)
        base.words[first] = signed(base.words[first] & MASK & ~(1 << (card & 63)))

    def slot(place: int, index: int) -> int:
        """Byte of the state where an ordered place holds a position; -1 where no order is kept."""
        listed = layout.list_offsets[place]
        return -1 if listed < 0 else listed + 8 + index * layout.card_bytes

    order = {place: number for number, place in enumerate(hidden.places)}
    mask_words = max(1, (len(order) + 63) // 64)
    plan: list[int] = []
    groups = 0
    for back in table.made:
        fixed, loose, rest = hidden.of_back(table, back)
        for (place, index), card in fixed.items():
            _place_card(base, words, card, numbers[place], slot(numbers[place], index))
        if not loose:
            continue
        groups += 1
        n = len(loose)
        plan += [n, *range(n), *loose]
        plan += [numbers[place] for place, _ in rest]
        plan += [order[place] for place, _ in rest]
        plan += [slot(numbers[place], index) for place, index in rest]
        for card in loose:
            bits = sum(1 << order[place] for place in hidden.free[card])
            plan += [signed(bits >> (64 * w) & MASK) for w in range(mask_words)]
    stirs = 0
    for place in hidden.places:
        if table.is_ordered(place):
            for back in table.made:
                positions = hidden.positions(table, place, back)
                if len(positions) > 1:
                    stirs += 1
                    plan += [len(positions), *(slot(numbers[place], index) for index in positions)]
    head = ResamplePlan.pack(
        state_words=layout.size // 8,
        groups=groups,
        stirs=stirs,
        sets_at=layout.sets_at // 8,
        set_words=layout.set_words,
        where_at=layout.where_at // layout.where_bytes,
        card_bytes=layout.card_bytes,
        mask_words=mask_words,
        where_bytes=layout.where_bytes,
        rest=plan,
    )
    return Plan(base, head)


def _place_card(memory: Memory, words: Words, card: int, place: int, slot: int) -> None:
    layout = words.lowered.layout
    word = layout.sets_at // 8 + place * layout.set_words + (card >> 6)
    memory.words[word] = signed((memory.words[word] & MASK) | 1 << (card & 63))
    memory.where(layout)[card] = place
    if slot >= 0:
        sort = ctypes.c_uint8 if layout.card_bytes == 1 else ctypes.c_uint16
        sort.from_buffer(memory.words, slot).value = card


class Sampling:
    """The resampling kernels in machine code, the same for all games."""

    def __init__(self, backend: Backend) -> None:
        self._loaded = load_kernels("sampling", resample.KERNELS, backend=backend)
        self.resample = self._loaded.function("resample", INT, PTR, PTR, PTR, PTR)
        """State, base, plan, stream; gives how many groups found no possible order."""


sampling = once_per_backend(Sampling)
