"""How the first seat fares with a searching player in it, every other seat playing at random.

    python benchmarks/players.py [--player expert] [--beside published] [--deals 100] [--seed 1]
                                 [--rule NAME=CHOICE ...] [GAME ...]

For each game, on the same deals: the first seat's share of first place at random, with the player beside, and
with the player; the player's gain over random with its 95 % interval and the chance of as much by luck (the
better of share and points, counted twice for looking at both), its gain over the player beside in share and
in points, decisions a second, and decisions without a consistent history. `benchmarks/results/players.md` has
a table made by it.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import upcard
from upcard.engine.api import Outcome
from upcard.engine.shared.game import LoadedGame
from upcard.library.catalogue import catalogue
from upcard.players.protocol import Indifferent
from upcard.players.registry import player_factory
from upcard.players.spec import PlayerSpec, resolve_player


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--player", default="expert")
    parser.add_argument("--beside", default="published")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rule", action="append", default=[], metavar="NAME=CHOICE")
    given = parser.parse_args()
    print(f"| game | deals | random | {given.beside} | {given.player} | over random | by luck ", end="")
    print(f"| points over random | over {given.beside} | points | decisions/s | lost |")
    print("| --- " * 12 + "|")
    for name in given.games or [entry.name for entry in catalogue()]:
        game = upcard.load(name, rules=dict(rule.split("=", 1) for rule in given.rule))
        print(row(game, [given.beside, given.player], given.deals, given.seed), flush=True)


@dataclass
class Fared:
    """The first seat on every deal."""

    first: list[float]
    points: list[float]
    spent: float = 0.0
    decisions: int = 0
    lost: int = 0

    @property
    def share(self) -> float:
        return sum(self.first) / len(self.first)


def fared(game: LoadedGame, player: str, deals: int, seed: int) -> Fared:
    chosen, found = resolve_player(player, game), Fared([], [])
    sign = 1 if game.program.scoring.highest else -1
    for deal in range(deals):
        outcome, took, made, missed = played(game, chosen, seed, deal)
        assert outcome.scores is not None
        found.first.append(outcome.first_place(0))
        found.points.append(sign * outcome.scores[0])
        found.spent, found.decisions = found.spent + took, found.decisions + made
        found.lost += missed
    return found


def row(game: LoadedGame, players: Sequence[str], deals: int, seed: int) -> str:
    random, beside, mine = (fared(game, player, deals, seed) for player in ("random", *players))
    won, points = gain(mine.first, random.first), gain(mine.points, random.points)
    luck = min(1.0, 2 * min(by_luck(*won), by_luck(*points)))
    cells = [
        game.name,
        str(deals),
        *(f"{who.share:.2f}" for who in (random, beside, mine)),
        with_interval(won),
        f"{luck:.1g}",
        with_interval(points),
        with_interval(gain(mine.first, beside.first)),
        with_interval(gain(mine.points, beside.points)),
        f"{mine.decisions / max(mine.spent, 1e-9):.0f}",
        str(mine.lost),
    ]
    return f"| {' | '.join(cells)} |"


def gain(mine: Sequence[float], others: Sequence[float]) -> tuple[float, float]:
    """Of the same deals: the mean difference and its standard error."""
    return estimate([a - b for a, b in zip(mine, others, strict=True)])


def with_interval(estimated: tuple[float, float]) -> str:
    return f"{estimated[0]:+.2f} ± {1.96 * estimated[1]:.2f}"


def played(game: LoadedGame, first: PlayerSpec, seed: int, deal: int) -> tuple[Outcome, float, int, int]:
    """The outcome, the first seat's CPU seconds, its decisions, and those it could make nothing of."""
    state = game.deal(seed, deal)
    mine = first.make(seed, deal, 0)
    others = [player_factory("random", game)(seed, deal, seat) for seat in range(game.seats)]
    spent, made = 0.0, 0
    while (seat := state.to_move) is not None:
        player = mine if seat == 0 else others[seat]
        if isinstance(player, Indifferent):
            state.play(player.pick(state.choices))
            continue
        seen = state.observe(seat)
        start = time.process_time()
        move = player.choose(seen, first.budget).move
        spent += time.process_time() - start
        made += len(seen.moves) > 1
        state.play(move)
    assert state.outcome is not None
    counts = getattr(mine, "counts", None)
    return state.outcome, spent, made, 0 if counts is None else counts.lost


def estimate(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return mean, math.sqrt(spread / len(values))


def by_luck(mean: float, error: float) -> float:
    """The chance of being so much ahead by luck."""
    return 1.0 if error == 0 else 0.5 * math.erfc(mean / error / math.sqrt(2))


if __name__ == "__main__":
    main()
