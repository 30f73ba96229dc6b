"""The signature of Upcard's behaviour: one digest for each game and kind of result.

    python -m tests.signature                 print every digest, and one of them all
    python -m tests.signature euchre hearts   only these games, and no programs
    python -m tests.signature --check FILE    name what differs from an earlier output (exit code 1)

A commit that is meant to change no behaviour leaves the signature as it is; a commit that changes it says so.
Everything comes from fixed seeds, so the digests are the same on every machine and for any number of workers.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests import documents

import upcard
from upcard.engine.loader import make_game
from upcard.engine.shared.game import LoadedGame
from upcard.graph.movement import movement
from upcard.library import names
from upcard.players.spec import resolve_player
from upcard.recycle.diagnostic_text import render
from upcard.recycle.frontend import check
from upcard.recycle.source import Source

ROOT = Path(__file__).resolve().parents[1]
SEED = 1
DEALS = 2
GAMES = 2000
SEARCHED = 3
"""Decisions at which the searching players are asked: early, in the middle, late."""
PLAYERS = ("pimc:200", "ismcts:200", "exact:20", "reader:200", "expert:200")


def digest(parts: Iterator[Any]) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(json.dumps(part, sort_keys=True, default=str).encode() + b"\n")
    return found.hexdigest()[:16]


def transcripts(game: LoadedGame) -> Iterator[Any]:
    """The full records of a few random deals, with the texts of all moves."""
    for number in range(DEALS):
        state, draw = game.deal(SEED, number), random.Random(number)
        while state.to_move is not None:
            yield [move.to_json() for move in state.moves]
            state.play(draw.randrange(state.choices))
        yield from state.records


def observations(game: LoadedGame) -> Iterator[Any]:
    """What every seat sees at every decision of one random deal."""
    state, draw = game.deal(SEED), random.Random(0)
    while state.to_move is not None:
        for seat in range(game.seats):
            seen = state.observe(seat).to_json()
            seen["records"] = seen["records"][-3:]  # a view's earlier lines never change
            yield seen
        state.play(draw.randrange(state.choices))
    for seat in range(game.seats):
        yield state.observe(seat).to_json()


def summaries(game: LoadedGame) -> Iterator[Any]:
    yield game.simulate(GAMES, seed=SEED).to_json()


def choices(game: LoadedGame) -> Iterator[Any]:
    """Moves and values of searching players at some decisions of a random deal."""
    path = []
    state, draw = game.deal(SEED), random.Random(0)
    while state.to_move is not None:
        path.append((state.choices, draw.randrange(state.choices)))
        state.play(path[-1][1])
    real = [at for at, (count, _) in enumerate(path) if count > 1]
    asked = {real[i * (len(real) - 1) // max(SEARCHED - 1, 1)] for i in range(SEARCHED)} if real else set()
    state = game.deal(SEED)
    for at, (_, index) in enumerate(path):
        if at in asked:
            seat = state.to_move
            assert seat is not None, "the same picks lead to the same decisions"
            seen = state.observe(seat)
            for name in PLAYERS:
                player = resolve_player(name, game)
                decision = player.make(SEED, 0, seat).choose(seen, player.budget)  # type: ignore[union-attr]
                values = [(round(v.points, 9), round(v.win, 9), v.visits) for v in decision.values]
                yield name, at, decision.move.key, values
        state.play(index)


def graphs(game: LoadedGame) -> Iterator[Any]:
    yield movement(game, 3, SEED).to_json()


KINDS: dict[str, Callable[[LoadedGame], Iterator[Any]]] = {
    "transcripts": transcripts,
    "observations": observations,
    "summary": summaries,
    "search": choices,
    "graph": graphs,
}


def programs() -> Iterator[tuple[str, str]]:
    """Every program in the tests, the library and the documentation, with its name."""
    for folder in ("tests", "src/upcard/games", "src/upcard/library"):
        for path in sorted((ROOT / folder).rglob("*.rcy")):
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8", errors="replace")
    for path in sorted((ROOT / "docs").rglob("*.md")):
        blocks = re.findall(r"^```recycle[^\n]*\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)
        for number, text in enumerate(blocks):
            yield f"{path.relative_to(ROOT)}#{number}", text


def diagnostics() -> Iterator[Any]:
    """What `check` says of every program."""
    for name, text in programs():
        source = Source(name, text)
        yield [render(found, source) for found in check(source).diagnostics]


def games(wanted: list[str]) -> Iterator[tuple[str, LoadedGame]]:
    """The library, and the programs of the two documents where they are at hand."""
    for name in wanted or names():
        yield name, upcard.load(name)
    if not wanted and documents.SEEDS.is_dir():
        for name, number in (("document-euchre", documents.EUCHRE), ("document-whist", documents.WHIST)):
            yield name, make_game(name, *check(Source(name, documents.program(number)), lint=False).sound())


def lines(wanted: list[str]) -> Iterator[str]:
    for name, game in games(wanted):
        for kind, made in KINDS.items():
            started = time.perf_counter()
            found = digest(made(game))
            print(f"{name} {kind}: {time.perf_counter() - started:.1f} s", file=sys.stderr)
            yield f"{name} {kind} {found}"
    if not wanted:
        yield f"programs check {digest(diagnostics())}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.signature", description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", help="games of the library; all of them if left out")
    parser.add_argument("--check", type=Path, metavar="FILE", help="an earlier output to compare with")
    given = parser.parse_args()
    found = []
    for line in lines(given.games):
        print(line, flush=True)
        found.append(line)
    print(f"signature {digest(iter(found))}")
    if given.check is not None:
        earlier = set(given.check.read_text(encoding="utf-8").splitlines())
        other = [line for line in found if line not in earlier]
        for line in other:
            print(f"differs: {line}")
        sys.exit(1 if other else 0)


if __name__ == "__main__":
    main()
