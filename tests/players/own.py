"""Players for tests to take by name; most of them misbehave."""

from __future__ import annotations

import os
import pickle
import sys
import time
from pathlib import Path
from typing import Any

from upcard.engine.api import Move, Observation
from upcard.players.protocol import Budget, Decision


class First:
    """Takes the first move."""

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        print("this must not be taken for an answer")
        return Decision(observation.moves[0])


class Last:
    """Takes the last move, and says so by its index."""

    def choose(self, observation: Observation, budget: Budget) -> int:
        return len(observation.moves) - 1


class Drawing:
    """Draws from its own seed; names the move by its key."""

    def __init__(self, *, seed: int, seat: int) -> None:
        self.seed, self.seat = seed, seat

    def choose(self, observation: Observation, budget: Budget) -> str:
        assert observation.seat == self.seat
        return observation.moves[(self.seed + observation.decision) % len(observation.moves)].key


class Keeping:
    """Writes down what it was made with, and every observation as this process read it."""

    def __init__(self, game: Any, seed: int, deal: int, seat: int) -> None:
        self.about = {"game": game.identity, "seed": seed, "deal": deal, "seat": seat, "pid": os.getpid()}

    def choose(self, observation: Observation, budget: Budget) -> Move:
        name = f"{self.about['deal']}-{self.about['seat']}-{observation.decision}.pickle"
        path = Path(os.environ["KEEPING"]) / name
        path.write_bytes(pickle.dumps((self.about, observation, budget)))
        return observation.moves[0]


class Raising:
    """Fails in the second half of every second deal."""

    def __init__(self, deal: int) -> None:
        self.deal = deal

    def choose(self, observation: Observation, budget: Budget) -> Move:
        if self.deal % 2:
            raise ValueError("I give\nup")
        return observation.moves[0]


class Dying:
    def choose(self, observation: Observation, budget: Budget) -> Move:
        print("so long", file=sys.stderr, flush=True)
        os._exit(3)


class Hanging:
    """Writes down its process, decides once, and thinks for ever about the next decision."""

    decided = False

    def choose(self, observation: Observation, budget: Budget) -> Move:
        while Hanging.decided:
            pass
        Hanging.decided = True
        Path(os.environ["KEEPING"], "hanging").write_text(str(os.getpid()))
        return observation.moves[0]


class Waiting:
    """Waits at deal 3 for as long as a file is there."""

    def __init__(self, deal: int) -> None:
        self.deal = deal

    def choose(self, observation: Observation, budget: Budget) -> Move:
        Path(os.environ["KEEPING"], "waiting").write_text(str(os.getpid()))
        while self.deal == 3 and Path(os.environ["KEEPING"], "hold").exists():
            time.sleep(0.02)
        return observation.moves[-1]


class Cheating:
    """A move of its own making."""

    def choose(self, observation: Observation, budget: Budget) -> Move:
        return Move(77, (), 0, text="all the tricks")


class Silent:
    def choose(self, observation: Observation, budget: Budget) -> None:
        return None


class Unmade:
    def __init__(self, seat: int) -> None:
        raise RuntimeError("not today")

    def choose(self, observation: Observation, budget: Budget) -> Move:
        return observation.moves[0]


class Demanding:
    def __init__(self, teacher: str) -> None:
        self.teacher = teacher

    def choose(self, observation: Observation, budget: Budget) -> Move:
        return observation.moves[0]


class Mute:
    """Has no choose."""


nobody = 7
