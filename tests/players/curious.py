"""Players that try to learn the cards of others, and write down what they could learn."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from upcard.engine.api import Move, Observation
from upcard.engine.rng import PLAYER, Stream
from upcard.players.protocol import Budget

SEEDS, DEALS = 1 << 8, 4
"""Where it looks for the seed of the contest."""
MEMORY: list[Any] = []
"""What this process has seen."""


def note(**found: object) -> None:
    with Path(os.environ["CURIOUS"]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(found) + "\n")


def hand_of(observation: Observation, seat: int) -> list[str | None]:
    return list(observation.places[f"seat{seat}.iloc.HAND"])


class Searching:
    """Looks for the seed of the contest: by its own seed, and by the hand that it was dealt."""

    def __init__(self, game: Any, seed: int, seat: int) -> None:
        self.game, self.seed, self.seat = game, seed, seat
        self.asked = False

    def choose(self, observation: Observation, budget: Budget) -> Move:
        if not self.asked:
            self.asked = True
            by_seed = [
                (seed, deal)
                for seed in range(SEEDS)
                for deal in range(DEALS)
                if Stream((seed, deal, PLAYER, self.seat)).next() >> 11 == self.seed
            ]
            hand = hand_of(observation, self.seat)
            by_hand = [
                (seed, deal)
                for seed in range(6)
                for deal in range(DEALS)
                if hand_of(self.game.deal(seed, deal).observe(self.seat), self.seat) == hand
            ]
            note(by_seed=by_seed, by_hand=by_hand, decision=observation.decision, hand=hand)
        return observation.moves[0]


class Remembering:
    """Keeps what it sees in its process, where other seats and sittings may find it."""

    def __init__(self, seat: int) -> None:
        self.seat = seat

    def choose(self, observation: Observation, budget: Budget) -> Move:
        mine = hand_of(observation, self.seat)
        others = [found for found in MEMORY if found[0] != self.seat or found[1] != os.getpid()]
        note(pid=os.getpid(), seat=self.seat, others=others)
        MEMORY.append((self.seat, os.getpid(), mine))
        return observation.moves[0]


class Looking:
    """Looks at what its process was given."""

    def __init__(self, **given: Any) -> None:
        self.given = sorted(given)

    def choose(self, observation: Observation, budget: Budget) -> Move:
        files = [os.readlink(f"/proc/self/fd/{name}") for name in _open()] if sys.platform == "linux" else []
        memory = "\n".join(f"{key}={value}" for key, value in os.environ.items())
        around = Path("/proc/self/environ").read_text() if sys.platform == "linux" else ""
        about = {"given": self.given, "argv": sys.orig_argv, "match": observation.match}
        note(**about, files=files, environment=memory + around)
        return observation.moves[0]


def _open() -> list[str]:
    """Descriptors, without the one that the listing itself takes."""
    return [name for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}")]
