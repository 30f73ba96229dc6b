"""Chances of winning a match, as hints show them, against whole matches between the model's players.

    python benchmarks/match_chances.py [--deals 4000] [--write]

For every game of the library that is a race of two sides: deals between quick players, other ones than those
that hints use, give how likely a deal brings what. From that the chance of winning is computed exactly for
scores all over the match, and compared with the chance of `upcard.advice.match_chance` and its 95 % interval;
the error that the deals leave in the exact chance is not allowed for. `--write` puts the table into
benchmarks/results/match_chances.md.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from upcard.advice.estimate import NORMAL
from upcard.advice.match_chance import MatchChance
from upcard.advice.model_play import model_of
from upcard.engine.loader import load
from upcard.engine.native.game import NativeGame
from upcard.engine.native.state_memory import Memory
from upcard.library.equity import Distribution, MatchEquity
from upcard.library.sheet import MatchRules
from upcard.players.search.quick_player import QuickTable
from upcard.players.search.search_code import machine_of

GAMES = ("euchre", "whist", "sueca", "scopa", "rummy", "cribbage")
RESULTS = Path(__file__).with_name("results") / "match_chances.md"
SEED = 2
TENTHS = (0, 3, 6, 9)
HEAD = """# Chances of a match, measured

`python benchmarks/match_chances.py --write`, whose docstring says what is compared: chances that hints show
with what exact computation gives for matches between the same quick players. Differences are in points of a
hundred.

| game | players | deals | scores | mean difference | largest | in the interval |
| --- | --- | --- | --- | --- | --- | --- |
"""


def dealt(game: NativeGame, deals: int) -> Distribution:
    """What deals bring to the side that deals and to the other."""
    table = QuickTable.of_deals(game, model_of(game).playouts)
    state = Memory(machine_of(game).layout.size)
    counted: Counter[tuple[int, int]] = Counter()
    last = game.seats - 1
    for number in range(deals):
        table.deal(state, SEED, number)
        if (scores := table.scores(state)) is not None:
            counted[scores[last], scores[0]] += 1
    return {points: count / counted.total() for points, count in counted.items()}


def compared(game: NativeGame, rules: MatchRules, deals: int) -> Iterator[tuple[float, float]]:
    """For scores all over a match: by how much the chance of a hint is larger than the exact one, and half
    of its interval."""
    assert rules.to is not None
    results = dealt(game, deals)
    turned = {points[::-1]: chance for points, chance in results.items()}
    exact = MatchEquity(MatchRules(rules.to, 1, rules.ties, rules.over), [results, turned], _highest(game))
    for mine in (rules.to * tenth // 10 for tenth in TENTHS):
        for theirs in (rules.to * tenth // 10 for tenth in TENTHS):
            # the first seat deals next
            scores = [mine if seat % 2 == 0 else theirs for seat in range(game.seats)]
            match: dict[str, Any] = {
                "to": rules.to,
                "ties": rules.ties,
                "deals": 1,
                "deal": 1,
                "scores": scores,
            }
            chance = MatchChance(game, game.deal(SEED).observe(0, match=match))
            nothing = (0,) * game.seats
            shown, error = chance.of_scores(nothing), chance.error_of(nothing)
            yield shown - exact.win((mine, theirs))[0], NORMAL * error


def _highest(game: NativeGame) -> bool:
    return game.program.scoring.highest


def row(name: str, deals: int) -> str:
    game = load(name)
    assert isinstance(game, NativeGame), "deals are played in machine code"
    sheet = game.narrator.sheet
    assert sheet is not None
    found = list(compared(game, sheet.match, deals))
    mean = sum(abs(more) for more, _ in found) / len(found)
    most = max(abs(more) for more, _ in found)
    inside = sum(abs(more) <= half for more, half in found)
    shown = f"{100 * mean:.1f} | {100 * most:.1f} | {inside} of {len(found)}"
    return f"| {name} | {model_of(game).name} | {deals:,} | {len(found)} | {shown} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=4000)
    parser.add_argument("--write", action="store_true", help="write the table into benchmarks/results")
    given = parser.parse_args()
    rows = []
    for name in GAMES:
        rows.append(row(name, given.deals))
        print(rows[-1], flush=True)
    if given.write:
        RESULTS.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
