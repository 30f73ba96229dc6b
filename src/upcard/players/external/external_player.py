"""External players: any program, or a class in a Python file, over JSON lines.

To the program, a line each:

    {"upcard": 2, "game": {...}, "seats": 4, "trusted": false}          once, at the start
    {"observation": {...}, "budget": {...}, "player": 0, "seed": 123}   for every decision

and from it, a line for every decision: {"move": KEY} or {"move": INDEX} of the observation's moves, or
{"failed": "why"}. `player` is the same number for all decisions of one seat in one deal, and `seed` is a
number of its own to draw from, which tells nothing of the cards.

Every seat has its own process for one session, which is a deal or a match, so that no process sees a deal
from two seats. Trusted players share one process for the whole contest, and their requests have the number
of the deal as well ("deal": 3). A process that hangs, exits or breaks the protocol is killed together with
its children; the next deal starts a new one.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shutil
import signal
import socket
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from upcard.engine.api import IllegalMove, Observation
from upcard.engine.rng import PLAYER, Stream
from upcard.files.json_text import NotJson, parse_json
from upcard.players.external import child_process as processes
from upcard.players.external.pipes import TimedOut
from upcard.players.guard import Misbehaved, NotStarted, excerpt, repr_excerpt, resolve_move
from upcard.players.protocol import Budget, Decision
from upcard.spec_grammar import BadPlayer
from upcard.storage.os_faults import is_fault

VERSION = 2
"""Version of this protocol."""
PATIENCE = 10.0
"""Seconds allowed for a decision, on top of a budget in seconds."""
START = 60.0
"""Seconds allowed for importing a player's Python file."""


@dataclass(frozen=True)
class Program:
    """How a player's process is started, and the first line that it is sent."""

    greeting: str
    command: tuple[str, ...] = ()
    """Empty: the host of a Python player. A host reports when it is ready, so that importing the player's
    file does not count towards a decision."""
    code: bytes = field(default=b"", repr=False)
    """The Python player's file, for machines that do not have it."""

    @property
    def is_host(self) -> bool:
        return not self.command

    def on_this_machine(self) -> Program:
        """The same program, if another machine found it. Raises `BadPlayer` if it is not here."""
        if not self.is_host:
            if shutil.which(self.command[0]) is None:
                raise BadPlayer(
                    f"{self.command[0]} is not a program on {socket.gethostname()}; install it at the same "
                    "path on every machine"
                )
            return self
        greeting = json.loads(self.greeting)
        file = str(_file_here(Path(greeting["file"]), self.code))
        return replace(self, greeting=json.dumps({**greeting, "file": file}) + "\n")


def _file_here(path: Path, code: bytes) -> Path:
    """The file itself, with all that lies beside it, if this machine has the same; or else a copy."""
    with suppress(OSError):
        if path.read_bytes() == code:
            return path
    folder = _folder_of_copy(hashlib.sha256(code).hexdigest())
    copy = folder / path.name
    copy.write_bytes(code)
    return copy


@cache
def _folder_of_copy(digest: str) -> Path:
    """A folder of this process that only this user can write to, for a file with this digest."""
    folder = tempfile.mkdtemp(prefix="upcard-player-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@dataclass(frozen=True)
class ExternalPlayerFactory:
    """Makes players that forward every decision to a process."""

    program: Program
    patience: float = PATIENCE
    trusted: bool = False
    session: Session | None = field(default=None, compare=False)
    """The session of every player made here; None: each has its own, or trusted players share one."""

    def __call__(self, seed: int, deal: int, seat: int) -> ExternalPlayer:
        session = self.session or (shared_session(self.program) if self.trusted else Session(self.program))
        if self.program.is_host:
            session.process()  # importing the file is not part of the first decision
        own = Stream((seed, deal, PLAYER, seat)).next() >> 11  # exact in every language's numbers
        return ExternalPlayer(
            session, self.patience, own, session.next_number(), deal if self.trusted else None
        )

    def import_once(self) -> None:
        """Starts a Python player's process and ends it. Raises `Misbehaved` if its file cannot be used."""
        trial = self.open_session()
        try:
            trial(0, 0, 0)
        finally:
            trial.close_session()

    def on_this_machine(self) -> ExternalPlayerFactory:
        """The same factory, if another machine made it. Raises `BadPlayer` if the player cannot play here."""
        made = replace(self, program=self.program.on_this_machine())
        try:
            if made.program.is_host:
                made.import_once()
        except Misbehaved as error:
            file = json.loads(self.program.greeting)["file"]
            raise BadPlayer(
                f"{file} {error.why}, on {socket.gethostname()}; put everything that it imports at the same "
                "path on every machine"
            ) from None
        return made

    def open_session(self) -> ExternalPlayerFactory:
        return self if self.trusted else replace(self, session=Session(self.program))

    def close_session(self) -> None:
        if self.session is not None:
            self.session.end()


@runtime_checkable
class HasSessions(Protocol):
    """A factory whose players keep a process for a deal or match."""

    def open_session(self) -> Any:
        """The factory for one session."""

    def close_session(self) -> None:
        """Ends this factory's session."""


F = TypeVar("F")


@contextmanager
def player_sessions(factories: Sequence[F]) -> Iterator[list[F]]:
    """Factories for one deal or match: each external player has a process that ends with the block."""
    seated = [make.open_session() if isinstance(make, HasSessions) else make for make in factories]
    try:
        yield seated
    finally:
        for make in seated:
            if isinstance(make, HasSessions):
                make.close_session()


@dataclass(frozen=True)
class ExternalPlayer:
    """One seat's player for one deal."""

    session: Session
    patience: float
    seed: int
    number: int
    deal: int | None = None
    """Sent to trusted players only."""

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        request = {
            "observation": _data(observation),
            "budget": {"playouts": budget.playouts, "seconds": budget.seconds},
            "player": self.number,
            **({} if self.deal is None else {"deal": self.deal}),
            "seed": self.seed,
        }
        process = self.session.process()
        answer = process.ask(_line(request), self.patience + (budget.seconds or 0.0))
        try:
            return Decision(answered_move(answer, observation))
        except IllegalMove as error:
            process.end()  # its next line might answer this decision
            raise Misbehaved(str(error)) from None


def answered_move(answer: dict[str, Any], observation: Observation) -> Any:
    """The move that an answer names. Raises `Misbehaved` or `IllegalMove`."""
    if "failed" in answer:
        why = answer["failed"]
        if not isinstance(why, str):
            raise Misbehaved(f"failed, and its message is not text but {repr_excerpt(why)}")
        raise Misbehaved(excerpt(why) or "failed without a message")
    if "move" not in answer:
        raise IllegalMove(f"answered without a move: {excerpt(json.dumps(answer))}")
    return resolve_move(answer["move"], observation)


def read_answer(line: bytes) -> dict[str, Any]:
    """The object on a line. Raises `Misbehaved` for everything else."""
    why = "answered with a line that is not a JSON object"
    text = excerpt(line.decode("utf-8", "backslashreplace"))
    if not line.endswith(b"\n"):
        raise Misbehaved(f"{why}: the line is incomplete: {text}")
    try:
        answer = parse_json(line)
    except NotJson as error:
        raise Misbehaved(f"{why}: {excerpt(error)}: {text}") from None
    if not isinstance(answer, dict):
        raise Misbehaved(f"{why}: {text}")
    return answer


class Process:
    """A running program. Every failure ends it and raises `Misbehaved`."""

    def __init__(self, program: Program) -> None:
        self.ended = False
        self._unsent_greeting = b"" if program.is_host else program.greeting.encode()
        try:
            self._process = processes.start_host() if program.is_host else processes.start(program.command)
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and is_fault(error):
                raise NotStarted(error.errno, error.strerror) from None
            raise Misbehaved(f"cannot be started: {getattr(error, 'strerror', None) or error}") from None
        self.pid = self._process.pid
        if program.is_host:
            self._wait_until_ready(program.greeting)

    def _wait_until_ready(self, greeting: str) -> None:
        answer = self.ask(greeting, START)
        if "ready" not in answer:
            self.end()
            raise Misbehaved(excerpt(answer.get("failed", "is not ready")))

    def ask(self, line: str, seconds: float) -> dict[str, Any]:
        """Sends a line and returns the answer. A process that takes too long is killed."""
        greeting, self._unsent_greeting = self._unsent_greeting, b""
        try:
            answer = self._process.pipes.ask(greeting + line.encode(), seconds)
            if not answer:
                raise Misbehaved(self._how_it_ended())
            return read_answer(answer)
        except TimedOut:
            self.end()
            raise Misbehaved(f"took more than {seconds:g} seconds") from None
        except BaseException:
            self.end()  # a late answer must not be taken for that of the next request
            raise

    def _how_it_ended(self) -> str:
        status = self._process.status(1.0)
        if status is None:
            how = "closed its output"
        elif status < 0:
            how = f"was ended by {_signal_name(-status)}"
        else:
            how = f"ended with exit code {status}"
        words = excerpt(self._process.pipes.last_error_line())
        return f"{how}; its last message: {words}" if words else how

    def end(self) -> None:
        if not self.ended:
            self.ended = True
            self._process.end()

    def forget(self) -> None:
        """Closes our pipes but leaves the process, which belongs to the parent, running."""
        if not self.ended:
            self.ended = True
            self._process.pipes.close()


class Session:
    """A program's process: started on the first request, and again after a failure."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._process: Process | None = None
        self._players = 0
        _sessions.add(self)

    def process(self) -> Process:
        if self._process is None or self._process.ended:
            self._process = Process(self._program)
        return self._process

    def next_number(self) -> int:
        """A number for one more player; it reveals nothing about other sessions."""
        self._players += 1
        return self._players - 1

    def end(self) -> None:
        if self._process is not None:
            self._process.end()

    def forget(self) -> None:
        """After a fork, in the child: the process belongs to the parent."""
        if self._process is not None:
            self._process.forget()

    def __del__(self) -> None:
        self.end()


_sessions: weakref.WeakSet[Session] = weakref.WeakSet()
_shared: dict[Program, Session] = {}


def shared_session(program: Program) -> Session:
    """The session that all trusted players of a program share."""
    if program not in _shared:
        _shared[program] = Session(program)
    return _shared[program]


def end_all() -> None:
    """Kills every external player."""
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
    """`Observation.to_json` without its JSON round trip, which `_line` does anyway."""
    data = {name: getattr(observation, name) for name in observation.__dataclass_fields__}
    return {**data, "moves": [move.to_json() for move in observation.moves]}


def _line(data: object) -> str:
    return json.dumps(data, separators=(",", ":")) + "\n"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
