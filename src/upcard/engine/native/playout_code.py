"""Playing code of a program: whole random games, loaded from the cache when it is there.

Two entries are cached: the object, under the text it was compiled from, and what is needed to run it (the key
of the object, then JSON), under the inputs of lowering: the program, the package's own files, the backend and
the machine. So a cached game is found without lowering anything.
"""

from __future__ import annotations

import ctypes
import functools
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from upcard.engine.api import Failure
from upcard.engine.native import cache
from upcard.engine.native.backends.select import Backend, Loaded, choose_backend, object_key
from upcard.engine.native.workspace import WorkPlan
from upcard.recycle.facts import Facts
from upcard.recycle.program import Program

if TYPE_CHECKING:
    from upcard.engine.native.lower import Lowered

INT, PTR = ctypes.c_int64, ctypes.c_void_p
KEY_LETTERS = 64
"""Length of a cache key."""


@dataclass(frozen=True)
class Fault:
    """A fault that machine code reports by number."""

    message: str
    line: int
    column: int
    form: str


@dataclass(frozen=True)
class PlayoutFacts:
    """What is needed of a lowered program to play whole games."""

    seats: int
    highest: bool
    state_size: int
    work: WorkPlan
    kernel_facts: tuple[int, ...]
    """The layout of a state for kernels compiled once for all games: the words that `trace` numbers,
    without the addresses."""
    faults: tuple[Fault, ...]
    ints: dict[str, int]
    """Storages of numbers, as `team.POINTS`, with the state's word of the first owner (`table`, `player` or
    `team`); the other owners follow."""
    strs: dict[str, int]
    """Storages of strings, held as indices into `words`."""
    words: tuple[str, ...]

    @classmethod
    def of(cls, lowered: Lowered) -> PlayoutFacts:
        from upcard.engine.native.lower.assemble import kernel_facts

        program = lowered.layout.program
        source = program.source
        faults = []
        for node, message in lowered.faults:
            at = node.span.start
            faults.append(Fault(message, source.line(at), source.column(at), source.shown(node.span)))
        return cls(
            program.players,
            program.scoring.highest,
            lowered.layout.size,
            lowered.work,
            (*kernel_facts(lowered.layout), *(lowered.layout.words[w] for w in ("choices", "seat_index"))),
            tuple(faults),
            {f"{owner}.{name}": word for (owner, name), word in lowered.layout.ints.items()},
            {f"{owner}.{name}": word for (owner, name), word in lowered.layout.strs.items()},
            tuple(lowered.layout.strings),
        )

    def to_bytes(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> PlayoutFacts:
        given = json.loads(data)
        given["faults"] = tuple(Fault(**fault) for fault in given["faults"])
        given["work"] = WorkPlan.from_data(given["work"])
        given["kernel_facts"], given["words"] = tuple(given["kernel_facts"]), tuple(given["words"])
        return cls(**given)

    def failure(self, fault: int, decision: int) -> Failure:
        """The failure that a fault number of a row stands for."""
        f = self.faults[fault - 1]
        return Failure(f.message, f.line, f.column, f.form, f.line, decision, {})


class Playouts:
    """The playing code of one program. Its rows are summed by a kernel compiled once for all programs."""

    def __init__(self, facts: PlayoutFacts, loaded: Loaded, backend: Backend) -> None:
        self.facts = facts
        self._backend = backend
        self._loaded = loaded  # keeps the code loaded
        self.random_games = loaded.function("random_games", INT, PTR, PTR, INT, INT, INT, PTR)
        """State, workspace, seed, first deal, how many, rows."""
        self.noted_games = loaded.function("noted_games", INT, PTR, PTR, INT, INT, INT, PTR, PTR, INT, PTR)
        """The same, then the words of each deal's last state to copy, their number, and where to."""

    @property
    def add_rows(self) -> Any:
        """See `accumulate.add_rows`."""
        return _load_add_rows(self._backend)

    def address(self, name: str) -> int:
        """Address of one of the game's functions, valid as long as this object lives."""
        return self._loaded.address(name)


@functools.cache
def _load_add_rows(backend: Backend) -> Any:
    """`accumulate.add_rows` in machine code. Its cache key needs no text, so a hit compiles no kernel."""
    from upcard.engine.native.kernels import accumulate

    def compile() -> bytes:
        from upcard.engine.native.kernels.compiler import compile_kernels

        module = compile_kernels("sums", accumulate.KERNELS, exported=(accumulate.add_rows,))
        return backend.compile(backend.text(module))

    key = cache.key_of("sums", cache.code_digest("engine"), *backend.identity)
    loaded = backend.load(cache.get_or_compile(key, compile))
    function = loaded.function("add_rows", INT, PTR, PTR, INT, INT, INT, INT, PTR)
    function.code = loaded  # keeps the code loaded
    return function


def playouts(program: Program, facts: Facts, backend: Backend | None = None) -> Playouts:
    """Playing code from the cache, or lowered and compiled now. Raises `NoMachineCode`."""
    backend = backend or choose_backend()
    given = json.dumps([program.source.text, list(program.overrides), program.base])
    key = cache.key_of("playouts", given, cache.code_digest("recycle", "engine"), *backend.identity)
    kept = cache.get(key)
    if kept is not None:
        code = cache.get(kept[:KEY_LETTERS].decode())
        if code is not None:
            return Playouts(PlayoutFacts.from_bytes(kept[KEY_LETTERS:]), backend.load(code), backend)
    from upcard.engine.native.lower import lower

    lowered = lower(program, facts)
    playout_facts, text = PlayoutFacts.of(lowered), backend.text(lowered.module)
    code_key = object_key(backend, text)
    code = cache.get_or_compile(code_key, lambda: backend.compile(text))
    cache.put(key, code_key.encode() + playout_facts.to_bytes())
    return Playouts(playout_facts, backend.load(code), backend)
