"""Counting move sequences: how many ways there are to make the first 1, 2, ... moves of one fixed deal.

    python -m tests.games.perft           prints the counts of every game of the library
    python -m tests.games.perft --write   and keeps them in perft.json

The counts are a signature: a change of rules that offers a move more or a move less changes them, whether
or not somebody thought of a test for it. A commit that changes them says why.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import upcard
from upcard.engine.state import State
from upcard.library import names

KEPT = Path(__file__).with_name("perft.json")
SEED, NUMBER = 1, 0
MAX_LEAVES, MAX_NODES, MAX_DEPTH = 20_000, 400, 12
"""Leaves need not be visited, only the nodes above them; that is what takes the time."""


def counts(name: str, depth: int | None = None) -> list[int]:
    """Sequences of 1, 2, ... moves; without a depth, as deep as the limits allow."""
    level: list[State] = [upcard.load(name).deal(SEED, NUMBER)]
    found: list[int] = []
    while level and len(found) < (depth or MAX_DEPTH):
        leaves = sum(len(state.moves) for state in level if state.to_move is not None)
        if depth is None and (not leaves or leaves > MAX_LEAVES):
            break
        found.append(leaves)
        if len(found) == depth or (depth is None and leaves > MAX_NODES):
            break
        level = [
            _after(state, i) for state in level if state.to_move is not None for i in range(len(state.moves))
        ]
    return found


def _after(state: State, move: int) -> State:
    after = state.copy()
    after.play(move)
    return after


def kept() -> dict[str, list[int]]:
    return dict(json.loads(KEPT.read_text(encoding="utf-8"))) if KEPT.is_file() else {}


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--write"]):
        print("usage: python -m tests.games.perft [--write]", file=sys.stderr)
        return 2
    found = {name: counts(name) for name in names()}
    before = kept()
    for name, numbers in found.items():
        note = "" if before.get(name) == numbers else "   (not as kept)"
        print(f"{name:<20} {' '.join(map(str, numbers))}{note}")
    if arguments:
        lines = [f" {json.dumps(name)}: {json.dumps(numbers)}" for name, numbers in found.items()]
        KEPT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
