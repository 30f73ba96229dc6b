"""How the first seat fares with a searching player in it, every other seat playing at random.

    python benchmarks/players.py [--player expert] [--deals 60] [--seed 1] [GAME ...]

For each game: the first seat's share of first place, random and with the player, the difference on the same
deals with its 95 % interval and the chance of as much by luck (sign of the paired differences), points, and
decisions a second. `benchmarks/results/players.md` has a table made by it.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence

import upcard
from upcard.engine.contract import Outcome
from upcard.engine.shared.game import LoadedGame
from upcard.library.catalogue import catalogue
from upcard.players.naming import Named, named
from upcard.players.protocol import Indifferent
from upcard.players.registry import maker


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--player", default="expert")
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("| game | random first | with player | difference | by luck | points | decisions/s | lost |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in given.games or [entry.name for entry in catalogue()]:
        print(row(upcard.load(name), given.player, given.deals, given.seed), flush=True)


def row(game: LoadedGame, player: str, deals: int, seed: int) -> str:
    random, chosen = named("random", game), named(player, game)
    before, after, points = [], [], []
    spent = decisions = lost = 0.0
    for deal in range(deals):
        plain, _, _, _ = played(game, random, seed, deal)
        with_player, took, made, missed = played(game, chosen, seed, deal)
        before.append(plain.first_place(0))
        after.append(with_player.first_place(0))
        assert plain.scores is not None
        assert with_player.scores is not None
        sign = 1 if game.program.scoring.highest else -1
        points.append(sign * (with_player.scores[0] - plain.scores[0]))
        spent, decisions, lost = spent + took, decisions + made, lost + missed
    differences = [b - a for a, b in zip(before, after, strict=True)]
    mean, error = estimate(differences)
    gain, gain_error = estimate(points)
    luck = min(by_luck(mean, error), by_luck(gain, gain_error))
    cells = [
        game.name,
        f"{sum(before) / deals:.2f}",
        f"{sum(after) / deals:.2f}",
        f"{mean:+.2f} ± {1.96 * error:.2f}",
        f"{luck:.1g}",
        f"{gain:+.2f} ± {1.96 * gain_error:.2f}",
        f"{decisions / max(spent, 1e-9):.0f}",
        f"{lost:.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def played(game: LoadedGame, first: Named, seed: int, deal: int) -> tuple[Outcome, float, int, int]:
    """The outcome, the first seat's CPU seconds, its decisions, and those it could make nothing of."""
    state = game.deal(seed, deal)
    mine = first.make(seed, deal, 0)
    others = [maker("random", game)(seed, deal, seat) for seat in range(game.seats)]
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
