"""Playing code of a program: whole random games, loaded from the cache when it is there.

Two things are kept: the object, under the text that it was compiled from, and the facts that running needs,
as JSON behind the key of the object, under what they were lowered from (the program, the files of the package
that lower it, the backend and the machine). So the cache can be asked before anything is lowered.
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
"""Of a key of the cache."""


@dataclass(frozen=True)
class Fault:
    """What a fault's number means."""

    message: str
    line: int
    column: int
    form: str


@dataclass(frozen=True)
class PlayoutFacts:
    """All that has to be known of a lowered program to play its games from beginning to end."""

    seats: int
    highest: bool
    state_size: int
    work: WorkPlan
    kernel_facts: tuple[int, ...]
    """What kernels know of a state that are compiled once for all games: the words that `trace`
    numbers, but for the addresses."""
    faults: tuple[Fault, ...]
    ints: dict[str, int]
    """Storages of numbers, as `team.POINTS`, with the word of a state where the first owner's lies; the
    owners (`table`, `player`, `team`) follow each other."""
    strs: dict[str, int]
    """Storages of words, which lie there as numbers of `words`."""
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
        """The failure that a row's fault stands for."""
        found = self.faults[fault - 1]
        return Failure(found.message, found.line, found.column, found.form, found.line, decision, {})


class Playouts:
    """The code of one program. What it plays is added up by code that is compiled once for all programs."""

    def __init__(self, facts: PlayoutFacts, loaded: Loaded, backend: Backend) -> None:
        self.facts = facts
        self._backend = backend
        self._loaded = loaded  # the code stays as long as this does
        self.random_games = loaded.function("random_games", INT, PTR, PTR, INT, INT, INT, PTR)
        """State, workspace, seed, first deal, how many, rows."""
        self.noted_games = loaded.function("noted_games", INT, PTR, PTR, INT, INT, INT, PTR, PTR, INT, PTR)
        """The same; then which words of a deal's last state to note, how many those are, and the notes."""

    @property
    def add_rows(self) -> Any:
        """See `summing.add_rows`."""
        return adder(self._backend)

    def address(self, name: str) -> int:
        """Of one of the game's functions; good for as long as this object lives."""
        return self._loaded.address(name)


@functools.cache
def adder(backend: Backend) -> Any:
    """`summing.add_rows` in machine code."""
    from upcard.engine.native.kernels import accumulate as summing

    def compiled() -> bytes:
        from upcard.engine.native.kernels.compiler import compile_kernels

        module = compile_kernels("sums", summing.KERNELS, exported=(summing.add_rows,))
        return backend.compile(backend.text(module))

    key = cache.key_of("sums", cache.code_digest("engine"), *backend.identity)
    loaded = backend.load(cache.get_or_compile(key, compiled))
    function = loaded.function("add_rows", INT, PTR, PTR, INT, INT, INT, INT, PTR)
    function.code = loaded  # it stays as long as the function does
    return function


def playouts(program: Program, facts: Facts, backend: Backend | None = None) -> Playouts:
    """From the cache, or lowered and compiled now. Raises `NoMachineCode` for what cannot be."""
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
    told, text = PlayoutFacts.of(lowered), backend.text(lowered.module)
    code_key = object_key(backend, text)
    code = cache.get_or_compile(code_key, lambda: backend.compile(text))
    cache.put(key, code_key.encode() + told.to_bytes())
    return Playouts(told, backend.load(code), backend)
