"""Small contests for tests, with players of this process."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import upcard
from upcard.arena.contest import Contest
from upcard.arena.contest_game import Game
from upcard.arena.contest_run import Run
from upcard.engine.api import Observation
from upcard.players.protocol import Budget, Decision
from upcard.players.registry import PlayerFactory, player_factory
from upcard.players.spec import PlayerSpec


class First:
    def __init__(self, seed: int, deal: int, seat: int) -> None:
        pass

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        return Decision(observation.moves[0])


class Last(First):
    def choose(self, observation: Observation, budget: Budget) -> Decision:
        return Decision(observation.moves[-1])


class Fainting(First):
    """Fails in every third deal; decides like Last in the others."""

    def __init__(self, seed: int, deal: int, seat: int) -> None:
        self.deal = deal

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        if self.deal % 3 == 1:
            raise RuntimeError(f"deal {self.deal}")
        return Decision(observation.moves[-1])


class Crashing(First):
    """Takes its process with it."""

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        os._exit(9)


OWN: dict[str, PlayerFactory] = {"first": First, "last": Last, "fainting": Fainting, "crashing": Crashing}


def contest(game: str, players: str, deals: int, seed: int = 1, **options: Any) -> Contest:
    loaded = upcard.load(game, engine="reference")
    named = [PlayerSpec(name, OWN.get(name) or player_factory(name, loaded)) for name in players.split(",")]
    return Contest.of(loaded, named, deals, seed, **options)


def finished(made: Contest, workers: int = 1) -> Run:
    run = Run(made)
    for _ in run.play(workers):
        pass
    return run


def timeless(games: Sequence[Game]) -> list[Game]:
    """Without what takes a different time every time."""
    return [replace(game, seconds=()) for game in games]


def told(run: Run) -> dict[str, Any]:
    found = run.results.to_json()
    del found["decisions_per_second"]
    return found
