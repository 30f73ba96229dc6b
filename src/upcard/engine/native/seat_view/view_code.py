"""The kernels of this package in machine code, the same for all games, bound to one program's facts."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from upcard.engine.native import machine_memory
from upcard.engine.native.backends.select import Backend, once_per_backend
from upcard.engine.native.kernels.loaded_kernels import load_kernels
from upcard.engine.native.seat_view import (
    seat_knowledge,
    seat_log,
    seat_moves,
    seat_table,
    step,
    view_facts,
)
from upcard.engine.native.seat_view.view_reader import ViewReader

if TYPE_CHECKING:
    from upcard.engine.native.game import NativeGame
    from upcard.engine.native.workspace import Workspace

INT, PTR = ctypes.c_int64, ctypes.c_void_p
LOG_WORDS = step.StepResult.fields["words"].word
"""The word of a buffer that says how many words of the log there are; the next one, what was read before."""
HISTORY_AT = step.VIEW_AT // 8 + step.ViewHead.fields["history_at"].word
"""The word of a buffer that says where the history begins."""
LEAST_ROOM = 16
"""Words of a buffer: what a step leaves without effects and picks fits."""
MAX_KNOWN = 1 << 17
"""Words of what all seats know; what takes more is kept as `shared/knowledge.py` keeps it."""
EXPORTED = (*seat_moves.EXPORTED, *step.EXPORTED)
KERNELS = (
    *view_facts.KERNELS,
    *seat_knowledge.KERNELS,
    *seat_log.KERNELS,
    *seat_moves.KERNELS,
    *seat_table.KERNELS,
    *step.KERNELS,
)


class ViewCode:
    """One for all games."""

    def __init__(self, backend: Backend) -> None:
        self._loaded = load_kernels("seat_view", KERNELS, EXPORTED, backend=backend)
        function = self._loaded.function
        self.begin = function("begin", INT, *[PTR] * 5)
        self.go_on = function("go_on", INT, *[PTR] * 5)
        self.step = function("step", INT, *[PTR] * 5, INT)
        self.find_move = function("find_move", INT, *[PTR] * 4)
        self.list_moves = function("list_moves", INT, *[PTR] * 3)
        self.observe = function("observe", INT, *[PTR] * 5, INT, PTR, INT)


view_code = once_per_backend(ViewCode)


class ViewBuffer:
    """Words that the kernels write to, enlarged on demand; each workspace has its own."""

    def __init__(self, room: int = 4096) -> None:
        self.enlarge(room)

    def enlarge(self, room: int) -> None:
        """Make room for this many words after the longer head, which is that of a log."""
        room = max(room, LEAST_ROOM)
        self.words = machine_memory.words(room + step.LOG_AT // 8)
        self.words[0] = room
        self.address = ctypes.addressof(self.words)
        self.view_address, self.log_address = self.address + step.VIEW_AT, self.address + step.LOG_AT


def view_buffer(work: Workspace) -> ViewBuffer:
    """The buffer of a workspace."""
    buffer: ViewBuffer | None = work.view_buffer
    if buffer is None:
        buffer = work.view_buffer = ViewBuffer()
    return buffer


class SeatViews:
    """Steps and views of one program's states."""

    def __init__(self, game: NativeGame) -> None:
        self.reader = ViewReader(game)
        self._facts = view_facts.pack_facts(game.stepping, game.code)
        self.address = self._facts.address
        known = self._facts.known_at + self._facts.seats * self._facts.seat_words
        self.fits = (
            not game.stepping.layout.moving_faces
            and known <= MAX_KNOWN
            and self._facts.table_words <= view_facts.MAX_VIEW
        )
        """Whether machine code makes the views of this program's states: where decks are made in play, or
        with very many places, it does not."""
        self.known_bytes = 8 * known if self.fits else 0
        self._facts.learns = int(self.fits)
        kernels = view_code(game.stepping.backend)
        self.begin, self.go_on, self.step = kernels.begin, kernels.go_on, kernels.step
        self.list_moves, self.observe = kernels.list_moves, kernels.observe
        self.find_move = kernels.find_move
