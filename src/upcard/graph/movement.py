"""Movement of cards: places, transfers between them, and who saw them.

A node is a place that held a card. Its *kind* is public (everybody sees the faces), private (some players see
them: a player's own `iloc`, or an `oloc`), hidden (nobody does: `hloc`, and the table's `iloc`) or memory. An
edge counts the cards that went from one place to another:

| kind | a card went |
| --- | --- |
| public | into a public place |
| taken | from a public place into a private or hidden one |
| shared | from a private place into another player's private or hidden one |
| plain | any other way |
| remembered | nowhere: a note of it was put into a memory |

All counts are integers, so the totals of many games depend neither on the number of workers nor on how the
deals were divided among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

from upcard.engine.api import TABLE, Limits, Place, Record, owner_text, walk_records
from upcard.engine.shared.game import LoadedGame
from upcard.parallel.pool import in_order
from upcard.players import RandomPlayer

Kind: TypeAlias = Literal["public", "private", "hidden", "memory"]
Way: TypeAlias = Literal["public", "taken", "shared", "plain", "remembered"]
KINDS: tuple[Kind, ...] = ("public", "private", "hidden", "memory")
WAYS: tuple[Way, ...] = ("public", "taken", "shared", "plain", "remembered")

USUAL_BACK = "DEFAULT"
"""The back of cards if the program names none."""

PIECE = 10
"""Deals that a process plays at a time: few enough to show progress and to stop quickly on Ctrl-C."""

_CLASSES = ("vloc", "iloc", "hloc", "oloc", "mem")


class Edge(NamedTuple):
    source: Place
    target: Place
    way: Way


@cache
def place_of(text: str) -> Place:
    """The place that a record names, such as `seat2.iloc.HAND` or `table.vloc.PILE.3`."""
    owner, cls, name, *number = text.split(".")
    whose = TABLE if owner == "table" else int(owner.removeprefix("seat"))
    return Place(whose, cls, name, int(number[0]) if number else 0)


def in_table_order(place: Place) -> tuple[int, int, str, int]:
    """Sorts the table before seats, then by class in the language's order, name and number."""
    return place.owner, _CLASSES.index(place.cls), place.name, place.number


def kind_of(place: Place) -> Kind:
    if place.cls == "mem":
        return "memory"
    if place.cls == "vloc" or (place.cls == "oloc" and place.owner == TABLE):
        return "public"
    return "hidden" if place.cls == "hloc" or place.owner == TABLE else "private"


def way_of(source: Place, target: Place) -> Way:
    """The kind of edge for a move from one place to another."""
    into, out_of = kind_of(target), kind_of(source)
    if into == "public":
        return "public"
    if out_of == "public":
        return "taken"
    if out_of == "private" and target.owner not in (TABLE, source.owner):
        return "shared"
    return "plain"


@dataclass
class Movement:
    """The movement of one game, or the sum over many."""

    seats: int
    games: int = 0
    failed: int = 0
    places: set[Place] = field(default_factory=set)
    """Every place that held a card or a note of one."""
    starts: Counter[tuple[Place, str]] = field(default_factory=Counter)
    """Cards created at each place, by back."""
    backs: set[tuple[Place, str]] = field(default_factory=set)
    """The backs of the cards that lay at a place at any time."""
    edges: Counter[Edge] = field(default_factory=Counter)
    """Cards that moved along each edge."""
    seen: list[int] = field(default_factory=list)
    """For each seat, how many different cards it saw face up in play, over all games."""

    def __post_init__(self) -> None:
        self.seen = self.seen or [0] * self.seats

    @property
    def moves(self) -> int:
        """The number of moves from one place to another, without notes put into memories."""
        return sum(count for edge, count in self.edges.items() if edge.way != "remembered")

    @property
    def cards(self) -> int:
        """The number of cards created over all games."""
        return sum(self.starts.values())

    def add(self, records: Iterable[Record], failed: bool = False) -> None:
        """Count one game."""
        self.games += 1
        self.failed += failed
        _Count(self).game(records)

    def merge(self, other: Movement) -> None:
        self.games += other.games
        self.failed += other.failed
        self.places |= other.places
        self.starts.update(other.starts)
        self.backs |= other.backs
        self.edges.update(other.edges)
        self.seen = [mine + more for mine, more in zip(self.seen, other.seen, strict=True)]

    def nodes(self) -> list[Place]:
        return sorted(self.places, key=in_table_order)

    def ways(self) -> list[tuple[Edge, int]]:
        """Edges with their counts, in an order that does not depend on play."""

        def order(item: tuple[Edge, int]) -> tuple[object, ...]:
            edge = item[0]
            return in_table_order(edge.source), in_table_order(edge.target), WAYS.index(edge.way)

        return sorted(self.edges.items(), key=order)

    def started(self, place: Place) -> dict[str, int]:
        """Cards created here, by back."""
        found = sorted((back, count) for (where, back), count in self.starts.items() if where == place)
        return dict(found)

    def backs_at(self, place: Place) -> list[str]:
        return sorted(back for where, back in self.backs if where == place)

    def own_back(self, place: Place) -> bool:
        """Whether a card lay here, at any time, whose back the program names."""
        return any(back != USUAL_BACK for back in self.backs_at(place))

    def to_json(self) -> dict[str, Any]:
        """Names as in the program; counts over all games."""
        return {
            "games": self.games,
            "failed": self.failed,
            "seats": self.seats,
            "moves": self.moves,
            "cards": self.cards,
            "seen": list(self.seen),
            "nodes": [
                {
                    "id": place.text,
                    "owner": owner_text(place.owner),
                    "class": place.cls,
                    "name": place.name,
                    "number": place.number,
                    "kind": kind_of(place),
                    "starts": self.started(place),
                    "backs": self.backs_at(place),
                }
                for place in self.nodes()
            ],
            "edges": [
                {"from": edge.source.text, "to": edge.target.text, "kind": edge.way, "count": count}
                for edge, count in self.ways()
            ],
        }


class _Count:
    """Follows one game card by card, since a swap of two places does not name its cards."""

    def __init__(self, into: Movement) -> None:
        self.into = into
        self.lying: dict[Place, set[str]] = {}
        self.faces: list[set[str]] = [set() for _ in range(into.seats)]

    def game(self, records: Iterable[Record]) -> None:
        for record in walk_records(records):
            do = record["do"]
            if do == "move":
                self._move(record["card"], place_of(record["from"]), place_of(record["to"]))
            elif do == "swap":
                self._swap(record)
            elif do == "create":
                self._create(record)
            elif do == "remember":
                source, memory = place_of(record["from"]), place_of(record["to"])
                self.into.places.add(memory)
                self.into.edges[Edge(source, memory, "remembered")] += 1
                self._show(record["card"], source, memory)
        for seat, cards in enumerate(self.faces):
            self.into.seen[seat] += len(cards)

    def _create(self, record: Record) -> None:
        place = place_of(record["place"])
        if record["cards"]:
            self.into.places.add(place)
        self.lying.setdefault(place, set()).update(record["cards"])
        for card in record["cards"]:
            self.into.starts[place, card.rpartition(":")[0]] += 1
            self.into.backs.add((place, card.rpartition(":")[0]))
            self._show(card, place)

    def _move(self, card: str, source: Place, target: Place) -> None:
        self.into.places |= {source, target}
        self.into.edges[Edge(source, target, way_of(source, target))] += 1
        self.into.backs.add((target, card.rpartition(":")[0]))
        self.lying.setdefault(source, set()).discard(card)
        self.lying.setdefault(target, set()).add(card)
        self._show(card, source, target)

    def _swap(self, record: Record) -> None:
        one, other = place_of(record["from"]), place_of(record["to"])
        if one == other:
            return  # cards change their order but not their place
        if "card" in record:
            there, back = [record["card"]], [record["other"]]
        else:
            there, back = sorted(self.lying.get(one, ())), sorted(self.lying.get(other, ()))
        for card in there:
            self._move(card, one, other)
        for card in back:
            self._move(card, other, one)

    def _show(self, card: str, *places: Place) -> None:
        for seat, cards in enumerate(self.faces):
            if any(place.seen_by(seat) for place in places):
                cards.add(card)


@dataclass(frozen=True)
class _Task:
    game: LoadedGame
    seed: int
    limits: Limits


def movements(
    game: LoadedGame, games: int, seed: int = 0, workers: int | Executor = 1, limits: Limits | None = None
) -> Iterator[Movement]:
    """Random players' games in pieces, in deal order; deal i of a seed is the same game everywhere."""
    piece = 1 if workers == 1 else PIECE
    return in_order(_counted, _Task(game, seed, limits or Limits()), games, piece, workers)


def movement(
    game: LoadedGame, games: int = 1, seed: int = 0, workers: int | Executor = 1, limits: Limits | None = None
) -> Movement:
    """The sum over this many games."""
    made = Movement(game.seats)
    for part in movements(game, games, seed, workers, limits):
        made.merge(part)
    return made


def _counted(task: _Task, start: int, end: int) -> Movement:
    made = Movement(task.game.seats)
    for deal in range(start, end):
        state = task.game.deal(task.seed, deal, limits=task.limits)
        players = [RandomPlayer(task.seed, deal, seat) for seat in range(task.game.seats)]
        while (seat := state.to_move) is not None:
            state.play(players[seat].pick(state.choices))
        assert state.outcome is not None, "nobody is to move, so the game is over"
        made.add(state.records, failed=state.outcome.failure is not None)
    return made
