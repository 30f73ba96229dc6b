"""Players in a process of their own, spoken to in JSON lines: any program, or a class in a Python file.

To the program, a line each:

    {"upcard": 1, "game": {...}, "seats": 4}                                          once, at the start
    {"observation": {...}, "budget": {...}, "player": 7, "deal": 3, "seed": 123}      for every decision

and from it, a line for every decision: {"move": KEY} or {"move": INDEX} of the observation's moves, or
{"failed": "why"}. `player` is the same number for all decisions of one seat in one deal, and `seed` is a
number of its own to draw from, which tells nothing of the cards.

One process serves a kind of player for as long as it behaves; who hangs, dies or talks nonsense is ended,
with whatever it started, and the next deal begins with a new process.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import threading
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from upcard.engine.chance import PLAYER, Stream
from upcard.engine.contract import IllegalMove, Observation
from upcard.players.minding import LONGEST, Misbehaved, chosen
from upcard.players.protocol import Budget, Decision
from upcard.storage.faults import is_fault

PATIENCE = 10.0
"""Seconds that an outside player has for a decision, on top of a budget in seconds."""
START = 60.0
"""Seconds that a Python file has to be imported."""
LONGEST_LINE = 1 << 16
"""Bytes of an answer."""


@dataclass(frozen=True)
class Program:
    """How a player's process is started, and what it is told first."""

    command: tuple[str, ...]
    hello: str
    environment: tuple[tuple[str, str], ...] = ()
    answers_hello: bool = False
    """Whether it says that it is ready, so that getting ready counts towards no decision."""


@dataclass(frozen=True)
class OutsideMaker:
    """Makes players that ask a program."""

    program: Program
    patience: float = PATIENCE

    def __call__(self, seed: int, deal: int, seat: int) -> OutsidePlayer:
        if self.program.answers_hello:
            opened(self.program)  # getting ready is no part of the first decision
        own = Stream((seed, deal, PLAYER, seat)).next() >> 11  # exact in every language's numbers
        return OutsidePlayer(self.program, self.patience, deal, own)


_numbers = count()


@dataclass(frozen=True)
class OutsidePlayer:
    """One seat's player for one deal."""

    program: Program
    patience: float
    deal: int
    seed: int
    number: int = field(default_factory=lambda: next(_numbers))

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        asked = {
            "observation": _data(observation),
            "budget": {"playouts": budget.playouts, "seconds": budget.seconds},
            "player": self.number,
            "deal": self.deal,
            "seed": self.seed,
        }
        process = opened(self.program)
        answer = process.ask(_line(asked), self.patience + (budget.seconds or 0.0))
        if "failed" in answer:
            raise Misbehaved(_told(answer["failed"]))
        try:
            if "move" not in answer:
                raise IllegalMove(f"answered without a move: {_told(json.dumps(answer))}")
            return Decision(chosen(answer["move"], observation))
        except IllegalMove as error:
            process.end()  # what it says next may answer this decision
            raise Misbehaved(str(error)) from None


class Process:
    """A running program. Every failure ends it and is told as `Misbehaved`."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._ended = False
        self.greeting = ""
        """What it is told before the first question."""
        try:
            self._process = subprocess.Popen(
                program.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, **dict(program.environment)},
                start_new_session=True,  # Ctrl-C is ours to handle
            )
        except (OSError, ValueError) as error:
            if isinstance(error, OSError) and is_fault(error):
                raise  # no fault of the player's: nobody forfeits
            raise Misbehaved(f"does not start: {getattr(error, 'strerror', None) or error}") from None
        self._last_words: deque[bytes] = deque(maxlen=1)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def ask(self, line: str, seconds: float) -> dict[str, Any]:
        """The answer to a line. The process is ended when it takes too long, whatever it is doing."""
        late = threading.Event()

        def too_late() -> None:
            late.set()
            self._kill()

        timer = threading.Timer(seconds, too_late)
        timer.daemon = True
        timer.start()
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        said = b""
        try:
            with suppress(OSError, ValueError):  # it has ended: reading tells
                greeting, self.greeting = self.greeting, ""
                stdin.write((greeting + line).encode())
                stdin.flush()
                said = stdout.readline(LONGEST_LINE)
        except BaseException:
            self.end()  # whoever is interrupted does not wait for the answer, and nobody else must get it
            raise
        finally:
            timer.cancel()
        if late.is_set():
            self.end()
            raise Misbehaved(f"took more than {seconds:g} seconds")
        if not said:
            raise Misbehaved(self._how_it_ended())
        return self._read(said)

    def _read(self, said: bytes) -> dict[str, Any]:
        text = said.decode("utf-8", "replace").strip()
        try:
            if not said.endswith(b"\n"):
                raise ValueError
            answer = json.loads(text)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            self.end()
            raise Misbehaved(f"answered with what is no JSON object on a line: {_told(text)}")
        return answer

    def _how_it_ended(self) -> str:
        try:
            status: int | None = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            status = None
        self.end()
        if status is None:
            how = "closed its output"
        elif status < 0:
            how = f"was ended by {_signal_name(-status)}"
        else:
            how = f"ended with exit code {status}"
        words = " ".join(b"".join(self._last_words).decode("utf-8", "replace").split())
        return f"{how}; its last words: {_told(words)}" if words else how

    def _listen(self) -> None:
        """Keeps the last line that it writes beside its answers, and no more."""
        stderr = self._process.stderr
        assert stderr is not None
        with suppress(OSError, ValueError):
            while line := stderr.readline(LONGEST_LINE):
                if line.strip():
                    self._last_words.append(line)

    def _kill(self) -> None:
        """Ends the program and what it started, which may outlive it and keep its output open."""
        if os.name == "posix":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()

    def disown(self) -> None:
        """It runs on, for the process that started it."""
        self._ended = True
        self._process.returncode = 0  # no child of this process: nobody waits for it

    def end(self) -> None:
        if self._ended:
            return
        self._ended = True
        _open.pop(self._program, None)
        self._kill()
        self._process.wait()
        self._listener.join(5.0)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


_open: dict[Program, Process] = {}
_disowned: list[Process] = []


def opened(program: Program) -> Process:
    """The program's process: the one that runs, or a new one that has been greeted."""
    if program not in _open:
        process = Process(program)
        try:
            if program.answers_hello:
                answer = process.ask(program.hello, START)
                if "ready" not in answer:
                    raise Misbehaved(_told(answer.get("failed", "is not ready")))
            else:
                process.greeting = program.hello
        except BaseException:
            process.end()
            raise
        _open[program] = process
    return _open[program]


def end_all() -> None:
    """No outside player is left running."""
    for process in list(_open.values()):
        process.end()


def _forget_all() -> None:
    """In a forked child: the programs are the parent's, which goes on asking them."""
    for process in _open.values():
        process.disown()
        _disowned.append(process)  # closing a pipe would wait for a thread that was reading it
    _open.clear()


atexit.register(end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)


def _data(observation: Observation) -> dict[str, Any]:
    """What `to_json` gives, before it has been written and read again."""
    data = {name: getattr(observation, name) for name in observation.__dataclass_fields__}
    return {**data, "moves": [move.to_json() for move in observation.moves]}


def _line(data: object) -> str:
    return json.dumps(data, separators=(",", ":")) + "\n"


def _told(words: object) -> str:
    text = " ".join(str(words).split())
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
