"""Estimates the size of a game's tree from random games, without listing it (Knuth's estimate)."""

from __future__ import annotations

import random

from upcard.engine.api import Limits
from upcard.engine.reference.game import ReferenceGame
from upcard.solve.chance_script import Script, ScriptedState, Undecided
from upcard.solve.replayed_position import Position, Step, exchanged, step_of
from upcard.solve.seat_choices import choices_of

PROBES = 40
"""Random games."""
FAR = 1e11
"""A random game ends when the tree must be larger than this."""


def estimate_size(game: ReferenceGame, limits: Limits) -> float:
    """About how many nodes the tree has."""
    rng = random.Random(0)
    return sum(_probe(game, limits, rng) for _ in range(PROBES)) / PROBES


def about(size: float) -> str:
    """A size of which only the magnitude is known."""
    return "more than 10^10" if size > FAR / 10 else f"about {float(f'{size:.2g}'):,.0f}"


def _probe(game: ReferenceGame, limits: Limits, rng: random.Random) -> float:
    """The size of a tree in which every path is like one that is drawn."""
    size, width = 1.0, 1.0
    script, path = Script(), list[Step]()
    state: ScriptedState | None = None
    while width < FAR:
        try:
            if state is None:
                state = Position(script, tuple(path), limits).state(game)
            if state.outcome is not None:
                break
            choices = choices_of(state)
            index = rng.choice(rng.choice(choices).indices)
            if len(choices) > 1:
                width *= len(choices)
                size += width
            path = [*path, step_of(state, index)]
            state.play(index)
        except Undecided as chance:
            outcomes = chance.outcomes
            if len(outcomes) > 1:
                width *= len(outcomes)
                size += width
            outcome = rng.choice(outcomes)
            script, path, state = outcome.script, exchanged(path, outcome.exchange), None
    return size
