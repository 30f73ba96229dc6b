"""Non-interference on the bytes of the socket: a seat gets equal bytes for deals that it cannot tell apart.

    python -m tests.web.leaks --games euchre hearts --deals 20 --seed 3

Two cards are exchanged in a shuffle, and the match is begun on two servers with the same seed, names and
tokens: on one with the cards as they were, on the other with the exchanged ones. Everybody plays the same
moves, with the two cards exchanged. As long as a seat has witnessed the same (`tests/games/witnessed.py`),
what it was sent must be equal byte for byte.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.games.noninterference import Follower, Played, exchange, pairs_of, translated
from tests.web.browsers import Client, serving

import upcard
from upcard.engine.api import Record
from upcard.engine.loader import load
from upcard.engine.shared.game import LoadedGame
from upcard.match.match_play import Match, Participant, Table
from upcard.storage.jsonl import to_line
from upcard.terminal.fingerprint import fingerprint
from upcard.terminal.table_narrator import TableNarrator
from upcard.terminal.table_view import make_view
from upcard.web.database import Database
from upcard.web.tokens import digest

CODE, SALT, SEED = "AAAA-AAAA", "0" * 32, 5
UNKNOWING = ("blackjack", "cribbage", "hearts")
"""Games whose deals begin otherwise in a match (`[match.given]`), or where a shuffle comes late."""


@dataclass
class Compared:
    messages: int = 0
    pairs: int = 0
    leaks: list[str] = field(default_factory=list)


def table_of(game: LoadedGame) -> Table:
    note = {"person": 0, "asked": game.name, "salt": SALT, "fingerprint": fingerprint(SEED, SALT)}
    people = [Participant(f"P{person}", "person") for person in range(game.seats)]
    return replace(Table.of(game, people, note=note), secret=SALT)


def plant(path: Path, game: LoadedGame, orders: Sequence[Sequence[str]]) -> None:
    """A database with one table, where the first deal of a match has just begun."""
    lines: list[Record] = []
    Match(
        table_of(game), SEED, 0, stacked=lambda number: orders if number == 0 else (), on_record=lines.append
    )

    async def write() -> None:
        settings = {"game": game.name, "name": "P0", "seats": ["open"] * game.seats}
        await database.add_table(CODE, json.dumps(settings), "P0", digest("0"), now=1e12)
        for person in range(1, game.seats):
            await database.sit(CODE, person, f"P{person}", digest(str(person)))
        await database.append(CODE, 0, 0, [to_line(line) for line in lines], now=1e12)

    database = Database(path)
    asyncio.run(write())
    database.close()


class PlantedTable:
    """A planted table with everybody at it, and the same game followed beside it."""

    def __init__(
        self,
        stack: ExitStack,
        game: LoadedGame,
        orders: Sequence[Sequence[str]],
        folder: Path,
        seats: Sequence[int],
    ) -> None:
        folder.mkdir()
        plant(folder / "tables.db", game, orders)
        address = stack.enter_context(serving(folder / "tables.db"))
        self.clients = [
            stack.enter_context(Client(address, CODE, str(person))) for person in range(game.seats)
        ]
        for client in self.clients:
            client.until(lambda client=client: all(one["here"] for one in client.document["people"].values()))  # type: ignore[misc]
        self.game = game
        match = Match(table_of(game), SEED, 0, stacked=lambda number: orders if number == 0 else ())
        assert match.state is not None
        self.around = match.around()
        self.follower = Follower(match.state.copy(), seats)

    def play(self, index: int) -> bool:
        """Plays a move of the followed state at the table; False if the deal is over."""
        state = self.follower.state
        seat = state.to_move
        assert seat is not None
        seen = state.observe(seat, self.around)
        view = make_view(seen, TableNarrator.at(self.game.narrator, seen))
        number = next(option.number for option in view.options if option.move == state.moves[index])
        player = self.clients[seat]
        before = player.deal["turn"]
        player.send(type="play", turn=before, option=number)
        state.play(index)
        for client in self.clients:
            client.until(lambda client=client: client.deal["turn"] != before or bool(client.refused))  # type: ignore[misc]
            assert not client.refused
        return state.to_move is not None


def compare(game: LoadedGame, deal: int, seat: int, count: int, found: Compared, folder: Path) -> None:
    played = Played(game, *table_seeds(game))
    draw = random.Random(f"{game.name} {deal} {seat}")
    for number, (shuffle, cards) in enumerate(pairs_of(played, seat, draw, count)):
        orders = [*played.orders[:shuffle], *(exchange(order, cards) for order in played.orders[shuffle:])]
        with ExitStack() as stack:
            one, other = (
                PlantedTable(
                    stack, game, order, folder / f"{game.name}-{deal}-{seat}-{number}-{name}", [seat]
                )
                for name, order in (("one", played.orders), ("other", orders))
            )
            # in which order people came is left out
            start = [len(room.clients[seat].raw) for room in (one, other)]
            found.pairs += 1
            for taken in played.taken:
                mine, theirs = (room.follower.look(seat)[0] for room in (one, other))
                if mine != theirs:
                    break
                texts = [
                    room.clients[seat].raw[begun:] for room, begun in zip((one, other), start, strict=True)
                ]
                documents = [room.clients[seat].document for room in (one, other)]
                found.messages += len(texts[0])
                if texts[0] != texts[1] or documents[0] != documents[1]:
                    found.leaks.append(f"{game.name}: seat {seat} can tell {' from '.join(cards)}: {texts}")
                    return
                start = [len(room.clients[seat].raw) for room in (one, other)]
                index = next(n for n, move in enumerate(one.follower.state.moves) if same(move, taken))
                second = translated(other.follower.state, taken, cards)
                if second is None or not (one.play(index) & other.play(second)):
                    break


def same(move: upcard.Move, taken: object) -> bool:
    return all(getattr(move, name) == getattr(taken, name) for name in ("item", "picks", "copy"))


def table_seeds(game: LoadedGame) -> tuple[int, int]:
    """What the first deal of a planted table is dealt with."""
    return Match(table_of(game), SEED, 0).seeds.deal(0)


def all_pairs(games: Sequence[str], deals: int, seed: int, count: int) -> Iterator[Compared]:
    with tempfile.TemporaryDirectory() as folder:
        for name in games:
            game = load(name)
            draw = random.Random(f"{seed} {name}")
            for deal in range(deals):
                found = Compared()
                compare(game, deal + seed * 1000, draw.randrange(game.seats), count, found, Path(folder))
                yield found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.web.leaks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    offered = [name for name in upcard.games() if name not in UNKNOWING]
    parser.add_argument("--games", nargs="+", choices=offered, default=offered, metavar="GAME")
    parser.add_argument("--deals", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    messages = leaks = 0
    for found in all_pairs(asked.games, asked.deals, asked.seed, 2):
        messages += found.messages
        leaks += len(found.leaks)
        for leak in found.leaks:
            print(leak, flush=True)
    print(f"seed {asked.seed}: {messages} messages compared, {leaks} leaks")
    return 1 if leaks else 0


if __name__ == "__main__":
    sys.exit(main())
