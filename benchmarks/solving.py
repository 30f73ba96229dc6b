"""How long known endings take to solve: `python benchmarks/solving.py`

CPU time of one core, the best of several rounds over the same endings, which are reached by random play.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import upcard
from upcard.engine.api import Limits
from upcard.engine.native.game import NativeGame
from upcard.engine.native.state_memory import Memory
from upcard.engine.native.unlogged_state import UnloggedState
from upcard.players.solver.endgame import Solver

SEED = 3
ENDINGS = (
    ("euchre", 2, 200),
    ("euchre", 3, 200),
    ("euchre", 4, 50),
    ("whist", 4, 50),
    ("whist", 5, 20),
    ("whist", 6, 5),
    ("hearts", 3, 50),
    ("hearts", 4, 10),
)
"""Game, cards in each hand, how many."""
ROUNDS = 10


def main() -> None:
    print("game      cards  endings  nodes/ending  us/ending  million nodes/s")
    for name, cards, count in ENDINGS:
        game = upcard.load(name)
        assert isinstance(game, NativeGame)
        solver = Solver(game)
        states = endings(game, cards, count)
        nodes, best = 0, float("inf")
        for _ in range(ROUNDS):
            started = time.thread_time()
            solved = [solver.solve(memory, 100_000_000) for memory in states]
            best = min(best, time.thread_time() - started)
            assert all(one.complete for one in solved)
            nodes = sum(one.nodes for one in solved)
        print(
            f"{name:<9} {cards:>5}  {count:>7}  {nodes / count:>12,.0f}  {1e6 * best / count:>9,.1f}"
            f"  {nodes / best / 1e6:>15.1f}"
        )


def endings(game: NativeGame, cards: int, count: int) -> list[Memory]:
    """The first decision at which every seat has so many cards and the play has begun."""
    rng, found, deal = random.Random(SEED), list[Memory](), 0
    layout, last = game.playing.layout, max(game.playing.lowered.simple_items)
    hands = [layout.number_of(place) for place in layout.places if place.name == "HAND"]
    while len(found) < count:
        state = UnloggedState(game.playing, game.words, SEED, deal, Limits())
        deal += 1
        while state.choices:
            words = state.memory.words
            sizes = {(words[layout.sets_at // 8 + hand] & (1 << 64) - 1).bit_count() for hand in hands}
            if sizes == {cards} and words[layout.words["pc"]] == last:
                found.append(state.memory)
                break
            state.play(rng.randrange(state.choices))
    return found


if __name__ == "__main__":
    main()
