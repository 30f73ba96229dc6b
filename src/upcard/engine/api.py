"""The engine API: Game, State, Move, Observation, Outcome. Read this file first.

    game = upcard.load("euchre")
    state = game.deal(seed=7, number=3)
    while (seat := state.to_move) is not None:
        move = choose(state.observe(seat))       # a player sees an observation, never the state
        state.play(move)
    state.outcome.scores, state.outcome.ranks

Choices made here, and what was rejected:

* Seats, teams, decisions and alternatives count from 0, whatever the program's text counts from; the
  text's base is for showing only.
* A move has a name (`Move.key`) that does not depend on the order of listing. Bare indices were rejected:
  they change their meaning with every hidden card.
* A player sees a state only through `observe(seat)`. Reading the state itself is for tests and for
  narrating a finished game.
* A state is a value: `copy()` is cheap, `==` compares content, `play` changes it in place because a game
  is mostly played forward.
* Records (`state.records`) are plain dictionaries ready for JSON: a transcript is these, a line each.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, Protocol, TypeAlias, runtime_checkable

from upcard.arguments import check_whole
from upcard.files.decode import Range
from upcard.recycle.facts import Facts
from upcard.recycle.program import Program

TABLE = -1
"""The table as an owner; seats are 0, 1, ..., teams are `team_owner(t)`."""


def team_owner(team: int) -> int:
    return -2 - team


def owner_text(owner: int) -> str:
    if owner == TABLE:
        return "table"
    return f"seat{owner}" if owner >= 0 else f"team{-2 - owner}"


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """One card: (back, number) is its identity for the whole game. `order` is its place in card order."""

    back: str
    number: int
    order: int
    attributes: Mapping[str, str]
    id: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", f"{self.back}:{self.number}")


class Place(NamedTuple):
    """A location: its owner, class, name and number."""

    owner: int
    cls: str
    name: str
    number: int = 0

    @property
    def text(self) -> str:
        return _place_text(self)

    def seen_by(self, seat: int) -> bool:
        """Whether a seat sees the faces of the cards here (docs/language/knowing.md)."""
        if self.cls in ("vloc", "mem"):
            return True
        if self.cls == "iloc":
            return self.owner == seat
        return self.cls == "oloc" and self.owner != seat

    def seats_that_see(self, seats: int) -> list[int]:
        return [seat for seat in range(seats) if self.seen_by(seat)]


@cache
def _place_text(place: Place) -> str:
    tail = f".{place.number}" if place.number else ""
    return f"{owner_text(place.owner)}.{place.cls}.{place.name}{tail}"


Record: TypeAlias = dict[str, Any]
"""One line of a transcript. `do` is its kind; `seen` lists the seats that see its cards."""

Pick: TypeAlias = Mapping[str, Any]
"""One any-pick as JSON: {"card": id}, {"cards": [id, ...]}, {"seat": n}, {"team": n}, {"number": n},
{"string": s} or {"place": text}; a card hidden from the chooser is {"card": null}."""


@dataclass(frozen=True, slots=True)
class Move:
    """One alternative of a decision."""

    item: int
    """Which ITEM of the choice, from 0."""
    picks: tuple[Pick, ...]
    """The value of each `any` form, in order."""
    copy: int
    """Tells alternatives with the same item and picks apart."""
    effects: tuple[Record, ...] = field(compare=False, default=())
    """What it does, action by action. In an observation, cards hidden from the chooser are blank."""
    text: str = field(compare=False, default="")
    """A description for people."""

    @property
    def key(self) -> str:
        """The move's name, independent of the order of listing."""
        return json.dumps([self.item, list(self.picks), self.copy], separators=(",", ":"), sort_keys=True)

    def to_json(self) -> Record:
        return {
            "item": self.item,
            "picks": [dict(pick) for pick in self.picks],
            "copy": self.copy,
            "effects": list(self.effects),
            "text": self.text,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Move:
        return cls(
            data["item"], tuple(data["picks"]), data["copy"], tuple(data["effects"]), data.get("text", "")
        )


Ending: TypeAlias = Literal["finished", "stuck", "cut_off", "failed"]
ENDINGS: tuple[Ending, ...] = ("finished", "stuck", "cut_off", "failed")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a game failed: the form at fault, its position, and the variables there."""

    message: str
    line: int
    column: int
    form: str
    element_line: int
    decision: int
    variables: Mapping[str, str]

    def to_json(self) -> Record:
        return {
            "message": self.message,
            "line": self.line,
            "column": self.column,
            "form": self.form,
            "element_line": self.element_line,
            "decision": self.decision,
            "variables": dict(self.variables),
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended. A game stopped by a limit is scored as it is; a failed game is not scored."""

    ending: Ending
    scores: tuple[int, ...] | None
    ranks: tuple[int, ...] | None
    """Per seat the number of seats with a strictly better score: 0 is first, ties share."""
    failure: Failure | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(i for i, rank in enumerate(self.ranks or ()) if rank == 0)

    def first_place(self, seat: int) -> float:
        """The seat's share of first place."""
        return 1 / len(self.winners) if seat in self.winners else 0.0


def rank(scores: Sequence[int], highest: bool) -> tuple[int, ...]:
    sign = 1 if highest else -1
    return tuple(sum(sign * other > sign * mine for other in scores) for mine in scores)


MAX_LIMIT = 1_000_000
"""Of limits in files, so that replaying a file ends."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop a game that goes on too long."""

    decisions: Annotated[int, Range(0, MAX_LIMIT)] = 500
    steps: Annotated[int, Range(1, MAX_LIMIT)] = 10_000

    def __post_init__(self) -> None:
        check_whole("the limit on decisions", self.decisions, 0)
        check_whole("the limit on steps", self.steps, 1)

    def to_json(self) -> Record:
        return {"decisions": self.decisions, "steps": self.steps}


Stacked: TypeAlias = Sequence[Sequence[str] | None]
"""Outcomes for shuffles, in the order they are carried out: card ids bottom to top, or None to draw."""


Given: TypeAlias = Mapping[str, int]
"""Numbers that storages have after the setup, by owner and name: {"table.DEAL": 2, "seat0.SCORE": 87}."""


@dataclass(frozen=True)
class Observation:
    """What one seat may know, as data: it goes to JSON and back."""

    game: Record
    """The game and its rules: name, digest, overrides, base."""
    seat: int
    seats: int
    teams: tuple[tuple[int, ...], ...]
    decision: int
    to_move: int | None
    moves: tuple[Move, ...]
    """The alternatives if it is this seat's decision; face-down cards are null and in random order."""
    cards: Mapping[str, Mapping[str, str]]
    """Attributes of every card by id: which cards exist is public, where they are need not be."""
    places: Mapping[str, tuple[str | None, ...]]
    """The cards of each location, bottom to top; None for a face that this seat does not see."""
    backs: Mapping[str, tuple[str, ...]]
    integers: Mapping[str, int]
    strings: Mapping[str, str]
    points: Mapping[str, Any]
    cycles: Mapping[str, Any]
    memory: Mapping[str, Record]
    """For each card that is face down for this seat: where it can be, and whether its position is known."""
    records: tuple[Record, ...]
    """The record so far, with hidden cards null. Of other seats' decisions it has only the actions: `item`,
    `picks`, `copy` and `alternatives` are null."""
    match: Mapping[str, Any] | None = None
    """The match that the deal is part of: score, target, dealer. Programs do not know it."""

    def to_json(self) -> Record:
        data = {name: getattr(self, name) for name in self.__dataclass_fields__}
        data["moves"] = [move.to_json() for move in self.moves]
        return dict(json.loads(json.dumps(data)))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Observation:
        given = dict(data)
        given["moves"] = tuple(Move.from_json(move) for move in given["moves"])
        given["teams"] = tuple(tuple(team) for team in given["teams"])
        given["records"] = tuple(given["records"])
        for name in ("places", "backs"):
            given[name] = {key: tuple(value) for key, value in given[name].items()}
        return cls(**given)


class IllegalMove(Exception):
    """A move that is not among the alternatives, such as one of an earlier position."""


@runtime_checkable
class State(Protocol):
    """One game in progress."""

    @property
    def to_move(self) -> int | None:
        """The seat whose decision it is; None when the game is over."""

    @property
    def moves(self) -> Sequence[Move]:
        """The alternatives, in the order of listing."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it continues."""

    @property
    def decisions(self) -> int:
        """Number of decisions taken."""

    @property
    def records(self) -> Sequence[Record]:
        """The game so far, as a transcript."""

    def play(self, move: Move | int) -> None:
        """Plays a move, or the alternative of this index. Raises `IllegalMove`."""

    def observe(self, seat: int) -> Observation: ...

    def copy(self) -> State: ...


class Game(Protocol):
    """A loaded program with fixed rules; deals states."""

    @property
    def name(self) -> str: ...

    @property
    def program(self) -> Program: ...

    @property
    def facts(self) -> Facts: ...

    @property
    def seats(self) -> int: ...

    @property
    def identity(self) -> Record:
        """Name, digest of the text, overrides and base: equal for equal games."""

    def deal(
        self,
        seed: int = 0,
        number: int = 0,
        *,
        stacked: Stacked = (),
        limits: Limits | None = None,
        given: Given | None = None,
    ) -> State:
        """The game at its first decision. The same seed and number give the same deal everywhere. `given` are
        storages that the match sets before the deal."""


def redact(record: Record, seat: int) -> Record:
    """A record as a seat sees it: hidden cards null, and without `seen` and `given` (whether a shuffle was
    stacked), which are not part of the game."""
    kept = {key: value for key, value in record.items() if key not in ("seen", "given")}
    if seat in record.get("seen", (seat,)):
        return kept
    for key in ("card", "other"):
        if key in kept:
            kept[key] = None
    if "cards" in kept:
        # how many cards a computed collection has may depend on cards that nobody sees
        kept["cards"] = None if kept["place"] is None else [None] * len(kept["cards"])
    return kept


def view(records: Iterable[Record], seat: int) -> list[Record]:
    """The records of a game as one seat sees them."""
    return [_record_view(record, seat) for record in records]


def _record_view(record: Record, seat: int) -> Record:
    if record["do"] == "game":
        # the seed determines every card
        return {key: value for key, value in record.items() if key not in ("seed", "deal", "stacked")}
    if record["do"] == "end" and "failure" in record:
        failure = {key: value for key, value in record["failure"].items() if key != "variables"}
        return {**record, "failure": failure}
    return _decision_view(record, seat) if record["do"] == "decision" else redact(record, seat)


def _decision_view(record: Record, seat: int) -> Record:
    """Of another seat's decision a seat sees only the visible part of the actions: the item, the picks and
    the number of alternatives can depend on hidden cards. Of its own it sees everything but hidden cards.
    Nobody sees the index: the list is in card order, so the index of a face-down card would reveal its
    rank."""
    kept = {key: value for key, value in record.items() if key not in ("seen", "actions")}
    kept["index"] = None
    if record["seat"] != seat:
        kept.update(dict.fromkeys(("alternatives", "item", "picks", "copy")))
    elif any(seat not in pick_seen for pick_seen in record["seen"]):
        kept["copy"] = None
        kept["picks"] = [
            pick if seat in seen else dict.fromkeys(pick)
            for pick, seen in zip(record["picks"], record["seen"], strict=True)
        ]
    kept["actions"] = [redact(action, seat) for action in record["actions"]]
    return kept


def walk_records(records: Iterable[Record]) -> Iterator[Record]:
    """All records in order, each decision followed by its actions."""
    for record in records:
        yield record
        if record["do"] == "decision":
            yield from record["actions"]
