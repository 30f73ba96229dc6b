"""Workspace: scratch memory of a thread, enlarged by machine code on demand."""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from upcard.engine.native import interrupt
from upcard.engine.native.backends.select import Backend, choose_backend
from upcard.engine.native.buffer import Buffer
from upcard.engine.native.kernels.workspace_growth import BASE, Chunk, Region, WordTable, WorkspaceHead
from upcard.recycle.diagnostics import Refused


@dataclass(frozen=True)
class WorkPlan:
    """The initial workspace of a program, as far as its text determines it."""

    size: int
    head: tuple[tuple[int, int], ...]
    """Indices and values of the words that are not 0."""
    regions: tuple[int, ...]
    """Words that describe regions of chunks (`workspace_growth`)."""
    tables: tuple[int, ...]
    most_decisions_at: int
    most_steps_at: int
    stacked_at: int
    """Words for the limits, and for the number of given shuffles."""
    stack_at: int
    stack_words: int
    """First word of the given shuffles, and the words of each: a count and the cards."""
    most_stacked: int
    given_at: int
    most_given: int
    """First word of the storages that begin with a value, and how many there may be."""

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> WorkPlan:
        """From the JSON of `dataclasses.asdict`."""
        lists = {name: tuple(data[name]) for name in ("regions", "tables")}
        return cls(**{**data, **lists, "head": tuple((index, value) for index, value in data["head"])})


class GivenWord(NamedTuple):
    """A storage that begins with a value."""

    word: int
    """Of the state."""
    value: int
    cycle: int = 1
    """The remainder of the number of the deal by this is added to the value."""


class TooManyShuffles(Refused):
    """More given shuffles or storages than the workspace has room for."""


class Workspace(Buffer):
    """A thread's scratch memory."""

    def __init__(self, plan: WorkPlan, backend: Backend | None = None) -> None:
        """For code of a backend; None is the one that is chosen now."""
        super().__init__(plan.size)
        self.plan = plan
        self.allocator = (backend or choose_backend()).allocator
        for index, value in plan.head:
            self.set_word(index, value)
        self.head = WorkspaceHead.at(self.address)
        self.head.here = self.address
        self.head.take, self.head.give_back = self.allocator.take, self.allocator.give_back
        interrupt.watch(self)
        self.owner: object = None
        """The state whose limits and given shuffles are set."""
        self.listed: object = None
        """The state whose alternatives are listed."""
        self.view_buffer: Any = None
        """Where views are written (`seat_view`), once one is."""

    def words(self, index: int, count: int) -> tuple[int, ...]:
        """Words of the workspace, or of memory that machine code allocated since, far before or after it."""
        if 0 <= index <= self.plan.size // 8 - count:
            return super().words(index, count)
        return struct.unpack(f"<{count}q", self.bytes_at(8 * index, 8 * count))

    def word(self, index: int) -> int:
        return super().word(index) if 0 <= index < self.plan.size // 8 else self.words(index, 1)[0]

    def bytes_at(self, at: int, size: int) -> bytes:
        return ctypes.string_at(self.address + at, size)

    def table(self, table: int, first: int, count: int) -> tuple[int, ...]:
        """Some words of a table."""
        return self.words(self.word(table + BASE) + first, count)

    @property
    def taken(self) -> int:
        """Bytes that machine code took beyond what a workspace begins with."""
        chunks = sum(chunk.room for chunk in self._chunks())
        return chunks + sum(8 * table.room for table in self._moved_tables())

    def limits(self, decisions: int, steps: int) -> None:
        self.set_word(self.plan.most_decisions_at, min(decisions, MAX_WORD))
        self.set_word(self.plan.most_steps_at, min(steps, MAX_WORD))

    def give(self, storages: Sequence[GivenWord]) -> None:
        """Sets the storages that begin with a value."""
        if len(storages) > self.plan.most_given:
            raise TooManyShuffles(f"a match can set up to {self.plan.most_given} storages before a deal")
        self.head.given = len(storages)
        for number, entry in enumerate(storages):
            for at, word in enumerate(entry):
                self.set_word(self.plan.given_at + len(entry) * number + at, word)

    def stack(self, orders: list[list[int] | None]) -> None:
        """Sets the outcomes of shuffles, as card numbers."""
        plan = self.plan
        if len(orders) > plan.most_stacked:
            raise TooManyShuffles(
                f"the native engine can stack the outcomes of up to {plan.most_stacked} shuffles"
            )
        self.set_word(plan.stacked_at, len(orders))
        for number, order in enumerate(orders):
            at = plan.stack_at + number * plan.stack_words
            fits = order is None or 0 < len(order) < plan.stack_words
            self.set_word(at, len(order or ()) if fits else -1)  # 0 draws, -1 fits no shuffle
            for i, card in enumerate((order or ()) if fits else ()):
                self.set_word(at + 1 + i, card)

    def _chunks(self) -> list[Chunk]:
        """Those that machine code took; a region's first belongs to the workspace."""
        regions = [Region.at(self.address, 8 * at) for at in self.plan.regions]
        return [region.chunks[n] for region in regions for n in range(1, region.count)]

    def _moved_tables(self) -> list[WordTable]:
        tables = [WordTable.at(self.address, 8 * at) for at in self.plan.tables]
        return [table for table in tables if table.moved]

    def __del__(self, is_over: Callable[[], bool] = sys.is_finalizing) -> None:
        if is_over() or not hasattr(self, "plan"):  # without a plan, allocating it failed
            return
        for chunk in self._chunks():
            self.allocator.free(self.address + chunk.start)
        for table in self._moved_tables():
            self.allocator.free(self.address + 8 * table.base)


MAX_WORD = (1 << 63) - 1
