"""Tabulates a player: what it does at every information set of a game that was solved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from upcard.engine.api import Move
from upcard.players.protocol import Indifferent
from upcard.players.random_player import RandomPlayer
from upcard.players.spec import PlayerSpec
from upcard.solve.chance_script import ScriptedState
from upcard.solve.enumeration import Listing
from upcard.solve.game_tree import InformationSet

SAMPLES = 20
"""How often a player is asked at each information set."""


@dataclass(frozen=True)
class PlayerMeasured:
    """How a player does.

    >>> random = upcard.solve.run("kuhn-poker").measure_player("random")
    >>> round(random.exploitability, 4)
    0.4583
    """

    name: str
    samples: int
    """How often it was asked for each decision."""
    against_solution: tuple[float, ...]
    """What the player gets in each seat if all others follow the solution."""
    best_response: tuple[float, ...]
    """What the best response gets in each seat if the player sits in all others."""
    exploitability: float
    """The mean gain of best responses over the player itself."""


def tabulate(
    player: PlayerSpec, listing: Listing, seed: int, samples: int, on_progress: Callable[[int], None]
) -> list[list[float]]:
    """For each information set how often the player takes each action.

    The player is made anew for every answer, as for deals 0, 1, ... of the seed, and asked once: what it
    remembers of earlier decisions of a deal is not part of its strategy here.
    """
    table = []
    for one, position in zip(listing.tree.information_sets, listing.positions, strict=True):
        table.append(_shares(player, one, position.state(listing.game), seed, samples))
        on_progress(1)
    return table


def _shares(
    player: PlayerSpec, one: InformationSet, state: ScriptedState, seed: int, samples: int
) -> list[float]:
    first = player.make(seed, 0, one.seat)
    if isinstance(first, RandomPlayer):  # its probabilities are known
        alternatives = sum(len(action.keys) for action in one.actions)
        return [len(action.keys) / alternatives for action in one.actions]
    seen = state.observe(one.seat)
    actions = {key: number for number, action in enumerate(one.actions) for key in action.keys}
    moves = {index: move for move, index in state.shown}
    counts = [0] * len(one.actions)
    for deal in range(samples):
        made = first if deal == 0 else player.make(seed, deal, one.seat)
        move: Move
        if isinstance(made, Indifferent):
            move = moves[made.pick(state.choices)]
        else:
            move = made.choose(seen, player.budget).move
        counts[actions[move.key]] += 1
    return [count / samples for count in counts]
