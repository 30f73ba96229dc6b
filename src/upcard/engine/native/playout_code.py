"""Playing code of a program: whole random games, loaded from the cache if possible.

The cache holds two entries: the object, under the text that it was compiled from; and the object's key with
the facts that running it needs, as JSON, under everything that they were lowered from (the program, the files
of the package that lower it, the backend and the machine). So a program in the cache is not even lowered.
"""

from __future__ import annotations

import ctypes
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

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
"""The length of a key of the cache."""


@dataclass(frozen=True)
class Fault:
    """The meaning of a fault's number."""

    message: str
    line: int
    column: int
    form: str


@dataclass(frozen=True)
class PlayoutFacts:
    """All facts about a lowered program that playing its games from beginning to end needs."""

    seats: int
    highest: bool
    state_size: int
    work: WorkPlan
    kernel_facts: dict[str, int]
    """The fields of `GameFacts`, for kernels that are compiled once for all games."""
    faults: tuple[Fault, ...]
    ints: dict[str, int]
    """Storages of numbers, such as `team.POINTS`, and the word of a state where the first owner's lies; the
    words of the other owners (`table`, `player`, `team`) follow."""
    strs: dict[str, int]
    """Storages of words, which a state holds as indices of `words`."""
    words: tuple[str, ...]

    @classmethod
    def of(cls, lowered: Lowered) -> PlayoutFacts:
        from upcard.engine.native.lower.assemble import game_facts

        program = lowered.layout.program
        source, facts = program.source, game_facts(lowered.layout)
        faults = []
        for node, message in lowered.faults:
            at = node.span.start
            faults.append(Fault(message, source.line(at), source.column(at), source.shown(node.span)))
        return cls(
            program.players,
            program.scoring.highest,
            lowered.layout.size,
            lowered.work,
            {name: getattr(facts, name) for name in facts.fields},
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
        given["words"] = tuple(given["words"])
        return cls(**given)

    def failure(self, fault: int, decision: int) -> Failure:
        """The failure of a game whose row has this fault."""
        at = self.faults[fault - 1]
        return Failure(at.message, at.line, at.column, at.form, at.line, decision, {})


class Playouts:
    """The code of one program."""

    def __init__(self, facts: PlayoutFacts, loaded: Loaded, backend: Backend) -> None:
        self.facts = facts
        self.backend = backend
        self._loaded = loaded  # keeps the code in memory
        self.random_games = loaded.function("random_games", INT, PTR, PTR, INT, INT, INT, PTR)
        """Takes state, workspace, seed, first deal, number of deals, rows."""
        self.games_to_words = loaded.function("games_to_words", INT, PTR, PTR, INT, INT, INT, PTR, PTR)
        """The same, and which words of final states to keep (`FinalWords`)."""

    def address(self, name: str) -> int:
        """The address of one of the game's functions, valid as long as this object lives."""
        return self._loaded.address(name)


def playouts(program: Program, facts: Facts, backend: Backend | None = None) -> Playouts:
    """Loaded from the cache, or lowered and compiled now. Raises `NoMachineCode` where that is impossible."""
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
