"""How fast Python steps through games: playing, observing, and reading what was observed.

    python benchmarks/stepping.py [--deals 20] [--rounds 3] [--save FILE] [--against FILE] [GAME ...]

Every deal is played at random, by index, once for each column. Columns are CPU time per decision in
microseconds, each in its best round, since whatever else the machine does only adds to them; dealing is not
counted.

* play: `state.play(index)`
* observe: `state.observe(state.to_move)`, without reading the observation
* both: the sum, which is what a step costs
* by move: `state.play(observation.moves[index])` instead, which reads `moves`
* all: `state.observe(...)` and reading every field

`--save` keeps the figures as JSON; `--against` prints the ratio of kept figures to new ones.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import upcard
from upcard.engine.api import Observation
from upcard.engine.state import State

Step: TypeAlias = Callable[[State, int], None]
COLUMNS = ("play", "observe", "both", "by move", "all")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--against", type=Path)
    given = parser.parse_args()
    old = {} if given.against is None else json.loads(given.against.read_text())
    print(f"| game | {' | '.join(COLUMNS)} |")
    print(f"| --- |{' --- |' * len(COLUMNS)}")
    figures = {}
    for name in given.games or upcard.games():
        figures[name] = measured(name, given.deals, given.rounds)
        cells = [f"{figures[name][column]:.1f}" for column in COLUMNS]
        if name in old:
            cells = [
                f"{cell} ({old[name][column] / figures[name][column]:.1f}x)"
                for cell, column in zip(cells, COLUMNS, strict=True)
            ]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    if given.save is not None:
        given.save.write_text(json.dumps(figures, indent=1) + "\n")


def measured(name: str, deals: int, rounds: int) -> dict[str, float]:
    """Microseconds per decision, by column."""
    game = upcard.load(name)
    runs = [choices_of(game, deal) for deal in range(deals)]
    decisions = sum(len(run) for run in runs)

    def best(step: Step) -> float:
        return min(timed(game, runs, step) for _ in range(rounds)) / decisions * 1e6

    play, observed = best(play_by_index), best(observe_and_play)
    return {
        "play": play,
        "observe": observed - play,
        "both": observed,
        "by move": best(play_by_move),
        "all": best(read_and_play) - play,
    }


def choices_of(game: upcard.Game, deal: int) -> list[int]:
    """The random choices of a deal, the same in every round."""
    stream = random.Random(deal)
    state = game.deal(seed=1, number=deal)
    made = []
    while state.to_move is not None:
        made.append(stream.randrange(len(state.observe(state.to_move).moves)))
        state.play(made[-1])
    return made


def timed(game: upcard.Game, runs: list[list[int]], step: Step) -> float:
    states = [game.deal(seed=1, number=deal) for deal in range(len(runs))]
    before = time.process_time()
    for state, run in zip(states, runs, strict=True):
        for index in run:
            step(state, index)
    return time.process_time() - before


def play_by_index(state: State, index: int) -> None:
    state.play(index)


def observe_and_play(state: State, index: int) -> None:
    state.observe(state.to_move)  # type: ignore[arg-type]
    state.play(index)


def play_by_move(state: State, index: int) -> None:
    state.play(state.observe(state.to_move).moves[index])  # type: ignore[arg-type]


def read_and_play(state: State, index: int) -> None:
    observation = state.observe(state.to_move)  # type: ignore[arg-type]
    for name in Observation.__dataclass_fields__:
        getattr(observation, name)
    state.play(index)


if __name__ == "__main__":
    main()
