"""Players that do everything a player should not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from upcard.engine.api import Move, Observation
from upcard.players.protocol import Budget, Decision


class Player:
    """Its first move, after whatever a class below does before."""

    def choose(self, observation: Observation, budget: Budget) -> Any:
        return self.answer(observation)

    def answer(self, observation: Observation) -> Any:
        return observation.moves[0]


class Raises(Player):
    error: BaseException = SystemExit(3)

    def answer(self, observation: Observation) -> Any:
        raise self.error


class Exits(Raises):
    error = SystemExit(3)


class Interrupts(Raises):
    error = KeyboardInterrupt()


class Closes(Raises):
    error = GeneratorExit()


class Surrogate(Raises):
    error = ValueError("\ud800")


class Wordless(Raises):
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no words")

    error = Mute()


class Stateless(Raises):
    error = MemoryError()


class Recursive(Player):
    def answer(self, observation: Observation) -> Any:
        return self.answer(observation)


class Deep(Player):
    """A stack that has no limit takes the process with it."""

    def answer(self, observation: Observation) -> Any:
        sys.setrecursionlimit(10**9)
        nested: list[Any] = []
        for _ in range(10**6):
            nested = [nested]
        return repr(nested)


class Leaves(Player):
    def answer(self, observation: Observation) -> Any:
        os._exit(7)


class Kills(Player):
    def answer(self, observation: Observation) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)


class KillsParent(Player):
    """The process that forks hosts; the next player finds another."""

    def answer(self, observation: Observation) -> Any:
        os.kill(os.getppid(), signal.SIGKILL)
        return super().answer(observation)


class Deaf(Player):
    def answer(self, observation: Observation) -> Any:
        os.closerange(0, 100)
        return super().answer(observation)


class Unprintable(Player):
    class Thing:
        def __repr__(self) -> str:
            raise SystemExit("no words")

    def answer(self, observation: Observation) -> Any:
        return self.Thing()


class Evil(str):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__

    def __str__(self) -> str:
        raise RuntimeError("no text")

    def split(self, *given: Any) -> Any:
        raise RuntimeError("no parts")


class Disguised(Player):
    """Equal to every move's key, if it is asked."""

    def answer(self, observation: Observation) -> Any:
        return Evil("every move")


class Half(Player):
    def answer(self, observation: Observation) -> Any:
        return "\ud800"


class Huge(Player):
    def answer(self, observation: Observation) -> Any:
        return 10**5000


class Lazy(Player):
    def answer(self, observation: Observation) -> Any:
        def moves() -> Iterator[Move]:
            yield observation.moves[0]

        return moves()


class Trap(Player):
    class Answer(Decision):
        @property
        def move(self) -> Move:
            raise SystemExit(5)

    def answer(self, observation: Observation) -> Any:
        return object.__new__(self.Answer)


class Threads(Player):
    """Leaves threads behind that write to standard output: its moves count all the same."""

    def answer(self, observation: Observation) -> Any:
        def write() -> None:
            while True:
                print('{"move": 77}', flush=True)
                time.sleep(0.001)

        threading.Thread(target=write, daemon=False).start()
        time.sleep(0.05)
        return super().answer(observation)


class Daemon(Player):
    """Starts a process in a session of its own, which keeps the pipes, and ends."""

    def answer(self, observation: Observation) -> Any:
        code = "import time; time.sleep(1000)"
        started = subprocess.Popen([sys.executable, "-S", "-c", code], start_new_session=True)
        with open(os.environ["HOSTILE"], "a", encoding="utf-8") as file:
            file.write(f"{started.pid}\n")
        os._exit(0)
