"""External players: any program, or a class in a Python file, over JSON lines.

To the program, a line each:

    {"upcard": 2, "game": {...}, "seats": 4, "trusted": false}          once, at the start
    {"observation": {...}, "budget": {...}, "player": 0, "seed": 123}   for every decision

and from it, a line for every decision: {"move": KEY} or {"move": INDEX} of the observation's moves, or
{"failed": "why"}. `player` is the same number for all decisions of one seat in one deal, and `seed` is a
number of its own to draw from, which tells nothing of the cards.

Everybody at the table has a process of their own for one sitting, which is a deal or a match: so nobody sees
a deal from two seats. Players that are trusted share one process for the whole contest, and are told the
number of the deal as well ("deal": 3). A process that hangs, ends or breaks these rules is killed with all
that it started; the next deal begins with a new one.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar, runtime_checkable

from upcard.engine.api import IllegalMove, Observation
from upcard.engine.rng import PLAYER, Stream
from upcard.files.json_text import NotJson, parse_json
from upcard.players.external import child_process as processes
from upcard.players.external.pipes import Late
from upcard.players.guard import Misbehaved, NotStarted, chosen, shown, told
from upcard.players.protocol import Budget, Decision
from upcard.storage.os_faults import is_fault

VERSION = 2
"""Of these lines."""
PATIENCE = 10.0
"""Seconds that an external player has for a decision, on top of a budget in seconds."""
START = 60.0
"""Seconds that a Python file has to be imported."""


@dataclass(frozen=True)
class Program:
    """How a player's process is started, and the first line that it is sent."""

    hello: str
    command: tuple[str, ...] = ()
    """Empty: the host of a Python player. A host says when it is ready, so that importing the player's file
    does not count towards a decision."""

    @property
    def is_host(self) -> bool:
        return not self.command


@dataclass(frozen=True)
class ExternalPlayerFactory:
    """Makes players that ask a program."""

    program: Program
    patience: float = PATIENCE
    trusted: bool = False
    session: Session | None = field(default=None, compare=False)
    """The process of everybody who is made here; None: each has its own, or trusted players share one."""

    def __call__(self, seed: int, deal: int, seat: int) -> ExternalPlayer:
        session = self.session or (shared(self.program) if self.trusted else Session(self.program))
        if self.program.is_host:
            session.opened()  # getting ready is no part of the first decision
        own = Stream((seed, deal, PLAYER, seat)).next() >> 11  # exact in every language's numbers
        return ExternalPlayer(session, self.patience, own, session.count(), deal if self.trusted else None)

    def sit_down(self) -> ExternalPlayerFactory:
        return self if self.trusted else replace(self, session=Session(self.program))

    def stand_up(self) -> None:
        if self.session is not None:
            self.session.end()


@runtime_checkable
class Sits(Protocol):
    """A maker whose players have something that lasts for a sitting."""

    def sit_down(self) -> Any:
        """The maker for one sitting."""

    def stand_up(self) -> None:
        """The sitting of this maker is over."""


M = TypeVar("M")


@contextmanager
def sitting(makers: Sequence[M]) -> Iterator[list[M]]:
    """The makers of everybody at a table for one deal or match: each external player has a process of its
    own, which ends with the sitting."""
    seated = [make.sit_down() if isinstance(make, Sits) else make for make in makers]
    try:
        yield seated
    finally:
        for make in seated:
            if isinstance(make, Sits):
                make.stand_up()


@dataclass(frozen=True)
class ExternalPlayer:
    """One seat's player for one deal."""

    session: Session
    patience: float
    seed: int
    number: int
    deal: int | None = None
    """Only trusted players are told."""

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        asked = {
            "observation": _data(observation),
            "budget": {"playouts": budget.playouts, "seconds": budget.seconds},
            "player": self.number,
            **({} if self.deal is None else {"deal": self.deal}),
            "seed": self.seed,
        }
        process = self.session.opened()
        answer = process.ask(_line(asked), self.patience + (budget.seconds or 0.0))
        try:
            return Decision(move_in(answer, observation))
        except IllegalMove as error:
            process.end()  # what it says next may answer this decision
            raise Misbehaved(str(error)) from None


def move_in(answer: dict[str, Any], observation: Observation) -> Any:
    """The move that an answer names. Raises `Misbehaved` or `IllegalMove`."""
    if "failed" in answer:
        why = answer["failed"]
        if not isinstance(why, str):
            raise Misbehaved(f"failed, and said no text but {shown(why)}")
        raise Misbehaved(told(why) or "failed without a word")
    if "move" not in answer:
        raise IllegalMove(f"answered without a move: {told(json.dumps(answer))}")
    return chosen(answer["move"], observation)


def read_answer(said: bytes) -> dict[str, Any]:
    """The object on a line. Raises `Misbehaved` for everything else."""
    why = "answered with a line that is no JSON object"
    text = told(said.decode("utf-8", "backslashreplace"))
    if not said.endswith(b"\n"):
        raise Misbehaved(f"{why}: its end is missing: {text}")
    try:
        answer = parse_json(said)
    except NotJson as error:
        raise Misbehaved(f"{why}: {told(error)}: {text}") from None
    if not isinstance(answer, dict):
        raise Misbehaved(f"{why}: {text}")
    return answer


class Process:
    """A running program. Every failure ends it and raises `Misbehaved`."""

    def __init__(self, program: Program) -> None:
        self.ended = False
        self._greeting = b"" if program.is_host else program.hello.encode()
        try:
            self._process = processes.start_host() if program.is_host else processes.start(program.command)
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and is_fault(error):
                raise NotStarted(error.errno, error.strerror) from None
            raise Misbehaved(f"does not start: {getattr(error, 'strerror', None) or error}") from None
        self.pid = self._process.pid
        if program.is_host:
            self._get_ready(program.hello)

    def _get_ready(self, hello: str) -> None:
        answer = self.ask(hello, START)
        if "ready" not in answer:
            self.end()
            raise Misbehaved(told(answer.get("failed", "is not ready")))

    def ask(self, line: str, seconds: float) -> dict[str, Any]:
        """The answer to a line. The process is ended when it takes too long, whatever it is doing."""
        greeting, self._greeting = self._greeting, b""
        try:
            said = self._process.pipes.ask(greeting + line.encode(), seconds)
            if not said:
                raise Misbehaved(self._how_it_ended())
            return read_answer(said)
        except Late:
            self.end()
            raise Misbehaved(f"took more than {seconds:g} seconds") from None
        except BaseException:
            self.end()  # an answer that comes after an interruption must not be taken for another question's
            raise

    def _how_it_ended(self) -> str:
        status = self._process.status(1.0)
        if status is None:
            how = "closed its output"
        elif status < 0:
            how = f"was ended by {_signal_name(-status)}"
        else:
            how = f"ended with exit code {status}"
        words = told(self._process.pipes.last_words())
        return f"{how}; its last words: {words}" if words else how

    def end(self) -> None:
        if not self.ended:
            self.ended = True
            self._process.end()

    def forget(self) -> None:
        """Leaves the process alone, which is another's."""
        if not self.ended:
            self.ended = True
            self._process.pipes.close()


class Session:
    """A program's process: started when it is first asked, and started again after it has failed."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._process: Process | None = None
        self._players = 0
        _sessions.add(self)

    def opened(self) -> Process:
        if self._process is None or self._process.ended:
            self._process = Process(self._program)
        return self._process

    def count(self) -> int:
        """A number for one more player: it says nothing of other sittings."""
        self._players += 1
        return self._players - 1

    def end(self) -> None:
        if self._process is not None:
            self._process.end()

    def forget(self) -> None:
        """In a fork of this process: the player is the parent's."""
        if self._process is not None:
            self._process.forget()

    def __del__(self) -> None:
        self.end()


_sessions: weakref.WeakSet[Session] = weakref.WeakSet()
_shared: dict[Program, Session] = {}


def shared(program: Program) -> Session:
    """The one process of a trusted player."""
    if program not in _shared:
        _shared[program] = Session(program)
    return _shared[program]


def end_all() -> None:
    """Leaves no external player running."""
    for session in list(_sessions):
        session.end()
    processes.end_server()


def _forget_all() -> None:
    for session in list(_sessions):
        session.forget()


atexit.register(end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)


def _data(observation: Observation) -> dict[str, Any]:
    """What `to_json` gives, before it has been written and read again."""
    data = {name: getattr(observation, name) for name in observation.__dataclass_fields__}
    return {**data, "moves": [move.to_json() for move in observation.moves]}


def _line(data: object) -> str:
    return json.dumps(data, separators=(",", ":")) + "\n"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
