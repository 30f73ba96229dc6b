"""Texts of random games: every move has words, and no text has a name of the program in it.

python -m tests.games.move_texts [--games 50] [--decisions 1500] [--seed S] [GAME ...]
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

import upcard
from upcard.engine.shared.game import LoadedGame
from upcard.players import RandomPlayer


@dataclass
class LookedAt:
    texts: int = 0
    wrong: list[str] = field(default_factory=list)


def look_at_texts(game: LoadedGame, seed: int, games: int, decisions: int) -> LookedAt:
    """Every move of these random games, as long as there are no more decisions than that, and their ends."""
    found = LookedAt()
    inside = _names_inside(game)
    assert inside
    leaked = re.compile(r"\b(" + "|".join(sorted(inside)) + r")\b")
    for deal, text in _texts(game, seed, games, decisions):
        found.texts += 1
        leak = leaked.search(text)
        if not text.strip():
            found.wrong.append(f"{game.name}, deal {deal}: a move has no words")
        elif leak or "{" in text:
            what = f"{leak[0]}, which is the program's" if leak else "a phrase that was not filled in"
            found.wrong.append(f"{game.name}, deal {deal}: {text!r} has {what}")
    return found


def _names_inside(game: LoadedGame) -> set[str]:
    """Names of places and storages, which players do not know."""
    facts = game.facts.to_json(game.program)
    places = {entry["name"] for entry in facts["locations"] if entry["name"]}
    return places | {store for stores in facts["storages"].values() for store in stores}


def _texts(game: LoadedGame, seed: int, games: int, decisions: int) -> Iterator[tuple[int, str]]:
    made = 0
    for deal in range(games):
        state = game.deal(seed, deal)
        players = [RandomPlayer(seed, deal, seat) for seat in range(game.seats)]
        while (seat := state.to_move) is not None and made < decisions:
            made += 1
            moves = state.moves
            for move in moves:
                yield deal, move.text
            state.play(players[seat].pick(len(moves)))
        if state.outcome is not None:
            for sentence in game.narrator.tell(state.records, state.faces):
                yield deal, sentence


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.games.move_texts", description=__doc__.splitlines()[0]
    )
    parser.add_argument("names", nargs="*", metavar="GAME", help="the whole library if none is given")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--decisions", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    wrong = 0
    for name in given.names or upcard.games():
        found = look_at_texts(upcard.load(name), given.seed, given.games, given.decisions)
        wrong += len(found.wrong)
        print(f"{name:<16} {found.texts:>7,} texts, {len(found.wrong)} wrong", *found.wrong[:5], sep="\n  ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
