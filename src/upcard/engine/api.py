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
* There is one way to see a state: `observe(seat)`. Looking into a state is for tests and for telling a
  finished game.
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
    """A location: whose, of which class, under which name and number."""

    owner: int
    cls: str
    name: str
    number: int = 0

    @property
    def text(self) -> str:
        return _place_text(self)

    def seen_by(self, seat: int) -> bool:
        """Who may look at the faces of the cards that lie here (recycle.md 15)."""
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
"""One line of a transcript. `do` names its sort; `seen` lists the seats that may see the cards in it."""

Pick: TypeAlias = Mapping[str, Any]
"""One any-pick as JSON: {"card": id}, {"cards": [id, ...]}, {"seat": n}, {"team": n}, {"number": n},
{"string": s} or {"place": text}; a card that its chooser does not see is {"card": null}."""


@dataclass(frozen=True, slots=True)
class Move:
    """One alternative of a decision."""

    item: int
    """Which ITEM of the choice, from 0."""
    picks: tuple[Pick, ...]
    """What each any form was given, in the order made."""
    copy: int
    """Tells alternatives with the same item and picks apart."""
    effects: tuple[Record, ...] = field(compare=False, default=())
    """What it does, action by action. In an observation, cards hidden from the chooser are blank."""
    text: str = field(compare=False, default="")
    """For people."""

    @property
    def key(self) -> str:
        """The move's name: the same wherever and however the decision is listed."""
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
    """Why a game could not go on: the form at fault, where, and what was known there."""

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
    """How a game ended. A game stopped by a cap is scored as it stands; a failed one is not scored."""

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


MOST_LIMIT = 1_000_000
"""That a file may ask for, so that reading it ends."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop a game that goes on too long."""

    decisions: Annotated[int, Range(0, MOST_LIMIT)] = 500
    steps: Annotated[int, Range(1, MOST_LIMIT)] = 10_000

    def __post_init__(self) -> None:
        check_whole("the limit on decisions", self.decisions, 0)
        check_whole("the limit on steps", self.steps, 1)

    def to_json(self) -> Record:
        return {"decisions": self.decisions, "steps": self.steps}


Stacked: TypeAlias = Sequence[Sequence[str] | None]
"""Outcomes for shuffles, in the order they are carried out: card ids bottom to top, or None to draw."""


@dataclass(frozen=True)
class Observation:
    """What one seat may know, as data: it goes to JSON and back."""

    game: Record
    """Which game under which rules: name, digest, overrides, base."""
    seat: int
    seats: int
    teams: tuple[tuple[int, ...], ...]
    decision: int
    to_move: int | None
    moves: tuple[Move, ...]
    """The alternatives when it is this seat's decision; face-down cards blank and their order drawn."""
    cards: Mapping[str, Mapping[str, str]]
    """Every card of the game by id. That a card exists is public; where it lies need not be."""
    places: Mapping[str, tuple[str | None, ...]]
    """Per location its cards bottom to top, None for a face this seat does not see."""
    backs: Mapping[str, tuple[str, ...]]
    integers: Mapping[str, int]
    strings: Mapping[str, str]
    points: Mapping[str, Any]
    cycles: Mapping[str, Any]
    memory: Mapping[str, Record]
    """Per card that lies face down for this seat: where it can be, and whether its position is known."""
    records: tuple[Record, ...]
    """The record so far, cards blank that this seat was not shown. Of others' decisions it has the actions
    alone: `item`, `picks`, `copy` and `alternatives` are null."""
    match: Mapping[str, Any] | None = None
    """The match around the deal: score, target, dealer. The program of one hand does not know it."""

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
    """A move that is not among the alternatives: of another game, or of an older position."""


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
        """How it ended; None while it goes on."""

    @property
    def decisions(self) -> int:
        """How many decisions have been taken."""

    @property
    def records(self) -> Sequence[Record]:
        """What happened so far."""

    def play(self, move: Move | int) -> None:
        """Carry a move out. Anything that is not an alternative here is refused (`IllegalMove`)."""

    def observe(self, seat: int) -> Observation: ...

    def copy(self) -> State: ...


class Game(Protocol):
    """A loaded program under fixed rules; makes states."""

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
        """Name, digest of the text, overrides and base: what makes two games the same."""

    def deal(
        self, seed: int = 0, number: int = 0, *, stacked: Stacked = (), limits: Limits | None = None
    ) -> State:
        """The game at its first decision. The same seed and number give the same deal everywhere."""


def blank(record: Record, seat: int) -> Record:
    """A record as one seat may keep it: without the cards it was not shown, without `seen`, and without
    whether a shuffle was stacked, which is about the deal and not of the game."""
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
    """The records of a game as one seat saw it."""
    return [_record_view(record, seat) for record in records]


def _record_view(record: Record, seat: int) -> Record:
    if record["do"] == "game":
        # the seed would tell every card
        return {key: value for key, value in record.items() if key not in ("seed", "deal", "stacked")}
    if record["do"] == "end" and "failure" in record:
        told = {key: value for key, value in record["failure"].items() if key != "variables"}
        return {**record, "failure": told}
    return _decision_view(record, seat) if record["do"] == "decision" else blank(record, seat)


def _decision_view(record: Record, seat: int) -> Record:
    """A decision of another seat shows its actions as far as they are seen, and nothing else: the item, the
    picks and the number of alternatives can depend on cards that stay hidden. Its own decision shows a seat
    all but cards that it did not see. The index is shown to nobody: the list is in card order, so among
    face-down cards it tells a rank."""
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
    kept["actions"] = [blank(action, seat) for action in record["actions"]]
    return kept


def walk_records(records: Iterable[Record]) -> Iterator[Record]:
    """Every action in order, those of decisions included, between the records that frame them."""
    for record in records:
        yield record
        if record["do"] == "decision":
            yield from record["actions"]
