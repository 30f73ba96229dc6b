"""The engine API: Move, Observation, Outcome; Game and State are in `game` and `state`. Read this file first.

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

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeAlias

from upcard.arguments import BadArgument, check_whole
from upcard.files.decode import Range

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
    """One card: (back, number) is its identity for the whole game. `order` is its place in card order.

    >>> card = upcard.Card("DEFAULT", 3, 3, {"RANK": "Q", "SUIT": "H"})
    >>> card.id, card.attributes["SUIT"]
    ('DEFAULT:3', 'H')
    """

    back: str
    number: int
    order: int
    attributes: Mapping[str, str]
    id: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", f"{self.back}:{self.number}")


class Place(NamedTuple):
    """A location: its owner, class, name and number. The owner is a seat, or -1 for the table.

    >>> hand = upcard.Place(2, "iloc", "HAND")
    >>> hand.text
    'seat2.iloc.HAND'
    """

    owner: int
    cls: str
    name: str
    number: int = 0

    @property
    def text(self) -> str:
        """The name under which observations list the place."""
        return _place_text(self)

    def seen_by(self, seat: int) -> bool:
        """Whether a seat sees the faces of the cards here (docs/language/knowing.md).

        >>> hand = upcard.Place(2, "iloc", "HAND")
        >>> hand.seen_by(2), hand.seen_by(3)
        (True, False)
        """
        if self.cls in ("vloc", "mem"):
            return True
        if self.cls == "iloc":
            return self.owner == seat
        return self.cls == "oloc" and self.owner != seat

    def seats_that_see(self, seats: int) -> list[int]:
        """The seats that see the faces here, in a game with this number of seats.

        >>> upcard.Place(2, "iloc", "HAND").seats_that_see(4)
        [2]
        """
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


@dataclass(frozen=True, slots=True, repr=False)
class Move:
    """One alternative of a decision. Moves are equal if item, picks and copy are.

    >>> upcard.load("euchre").deal(seed=7).moves[0]
    <Move pass: [0,[],0]>
    """

    item: int
    """The number of the item that the program offers in this choice, from 0."""
    picks: tuple[Pick, ...]
    """What the player picked for each `any` of the item, in order."""
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

    @property
    def action(self) -> str:
        """What the move does, without the copy: one of `Game.actions`, if the game has a bounded number."""
        return json.dumps([self.item, list(self.picks)], separators=(",", ":"), sort_keys=True)

    def __repr__(self) -> str:
        return f"<Move {self.text or 'without text'}: {self.key}>"

    def to_json(self) -> Record:
        """The move as data.

        >>> move = upcard.load("euchre").deal(seed=7).moves[0]
        >>> upcard.Move.from_json(move.to_json()) == move
        True
        """
        return {
            "item": self.item,
            "picks": [dict(pick) for pick in self.picks],
            "copy": self.copy,
            "effects": list(self.effects),
            "text": self.text,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Move:
        """The move that `to_json` wrote. Raises `BadArgument` for other data.

        >>> upcard.Move.from_json({"item": 0})
        Traceback (most recent call last):
        upcard.arguments.BadArgument: this is not a move written by to_json: KeyError: 'picks'
        """
        with _as_written("a move"):
            return cls(
                data["item"], tuple(data["picks"]), data["copy"], tuple(data["effects"]), data.get("text", "")
            )


Ending: TypeAlias = Literal["finished", "stuck", "cut_off", "failed"]
ENDINGS: tuple[Ending, ...] = ("finished", "stuck", "cut_off", "failed")


@contextmanager
def _as_written(what: str) -> Iterator[None]:
    """Turns errors of data with another shape into a sentence."""
    try:
        yield
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadArgument(
            f"this is not {what} written by to_json: {type(error).__name__}: {error!s:.80}"
        ) from None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a game failed: the form at fault, its position, and the variables there.

    >>> failure = upcard.Failure("nothing to choose from", 12, 3, "(choice ())", 12, 7, {})
    >>> f"line {failure.line}: {failure.message}"
    'line 12: nothing to choose from'
    """

    message: str
    line: int
    column: int
    form: str
    element_line: int
    decision: int
    variables: Mapping[str, str]

    def to_json(self) -> Record:
        """The failure as data.

        >>> upcard.Failure("nothing to choose from", 12, 3, "(choice ())", 12, 7, {}).to_json()["line"]
        12
        """
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
    """How a game ended. A game stopped by a limit is scored as it is; a failed game is not scored.

    >>> outcome = upcard.Outcome("finished", scores=(0, 2, 0, 2), ranks=(2, 0, 2, 0))
    >>> outcome.winners, outcome.text
    ((1, 3), 'finished, scores 0 2 0 2')
    """

    ending: Ending
    """"finished", "stuck" (no decision within the limit on steps), "cut_off" (at the limit on decisions) or
    "failed"."""
    scores: tuple[int, ...] | None
    """The score of each seat; None if the game failed."""
    ranks: tuple[int, ...] | None
    """Per seat the number of seats with a strictly better score: 0 is first, ties share; None if the game
    failed."""
    failure: Failure | None = None
    """Why the game failed; None unless it did."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place; none if the game failed."""
        return tuple(i for i, rank in enumerate(self.ranks or ()) if rank == 0)

    @property
    def text(self) -> str:
        """The outcome in a few words."""
        if self.failure is not None:
            return f"failed at line {self.failure.line}, {self.failure.message}"
        return f"{self.ending.replace('_', ' ')}, scores {' '.join(map(str, self.scores or ()))}"

    def first_place(self, seat: int) -> float:
        """The seat's share of first place.

        >>> upcard.Outcome("finished", scores=(0, 2, 0, 2), ranks=(2, 0, 2, 0)).first_place(1)
        0.5
        """
        return 1 / len(self.winners) if seat in self.winners else 0.0


def rank(scores: Sequence[int], highest: bool) -> tuple[int, ...]:
    sign = 1 if highest else -1
    return tuple(sum(sign * other > sign * mine for other in scores) for mine in scores)


MAX_LIMIT = 1_000_000
"""Of limits in files, so that replaying a file ends."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop a game that goes on too long.

    >>> state = upcard.load("euchre").deal(seed=7, limits=upcard.Limits(decisions=1))
    >>> state.play(0)
    >>> state.outcome.ending
    'cut_off'
    """

    decisions: Annotated[int, Range(0, MAX_LIMIT)] = 500
    """The game is cut off after this many decisions."""
    steps: Annotated[int, Range(1, MAX_LIMIT)] = 10_000
    """The game is stuck after this many steps of the program without a decision."""

    def __post_init__(self) -> None:
        check_whole("the limit on decisions", self.decisions, 0)
        check_whole("the limit on steps", self.steps, 1)

    def to_json(self) -> Record:
        """The limits as data.

        >>> upcard.Limits().to_json()
        {'decisions': 500, 'steps': 10000}
        """
        return {"decisions": self.decisions, "steps": self.steps}


Stacked: TypeAlias = Sequence[Sequence[str] | None]
"""Outcomes for shuffles, in the order they are carried out: card ids bottom to top, or None to draw."""


Given: TypeAlias = Mapping[str, int]
"""Numbers that storages have after the setup, by owner and name: {"table.DEAL": 2, "seat0.SCORE": 87}."""


@dataclass(frozen=True, repr=False)
class Observation:
    """What one seat may know, as data: it goes to JSON and back.

    >>> seen = upcard.load("euchre").deal(seed=7).observe(0)
    >>> seen
    <Observation of euchre by seat 0: decision 0, seat 0 to move, 3 moves>
    >>> [seen.cards[card]["RANK"] for card in seen.places["seat0.iloc.HAND"]]
    ['TEN', 'JACK', 'JACK', 'NINE', 'QUEEN']
    """

    game: Record
    """The game and its rules: name, digest, overrides, base."""
    seat: int
    """The seat that observes."""
    seats: int
    """Number of seats."""
    teams: tuple[tuple[int, ...], ...]
    """The seats of each team."""
    decision: int
    """Number of decisions taken."""
    to_move: int | None
    """The seat whose decision it is; None when the game is over."""
    moves: tuple[Move, ...]
    """The alternatives if it is this seat's decision. A card that the seat does not see is None in its move,
    and moves that differ only in such cards come in random order."""
    cards: Mapping[str, Mapping[str, str]]
    """Attributes of every card by id: which cards exist is public, where they are need not be."""
    places: Mapping[str, tuple[str | None, ...]]
    """The cards of each location, bottom to top; None for a face that this seat does not see."""
    backs: Mapping[str, tuple[str, ...]]
    """The backs of the cards of each location that this seat does not see."""
    integers: Mapping[str, int]
    """Integer storages that are not 0."""
    strings: Mapping[str, str]
    """String storages that are not empty."""
    points: Mapping[str, Any]
    """Point maps."""
    cycles: Mapping[str, Any]
    """The current and next seats and teams, stage by stage."""
    memory: Mapping[str, Record]
    """For each card that is face down for this seat: where it can be, and whether its position is known."""
    records: tuple[Record, ...]
    """The record so far, with hidden cards null. Of other seats' decisions it has only the actions: `item`,
    `picks`, `copy` and `alternatives` are null."""
    match: Mapping[str, Any] | None = None
    """The match that the deal is part of; None outside a match. The program of the game knows only what the
    sheet's `[match.given]` passes to it."""

    @classmethod
    def _lazy(cls, read: Callable[[str], Mapping[str, Any]], **fields: Any) -> Observation:
        """An observation of which some fields are made when they are first read: `read` is given the name of
        a field, and gives it, with others that are made at the same time. What it reads must not change."""
        made = object.__new__(cls)
        made.__dict__.update(fields, _read=read)
        return made

    if not TYPE_CHECKING:  # fields have their own types

        def __getattr__(self, name: str) -> Any:
            """A field that was not made yet."""
            read = self.__dict__.get("_read")
            if read is None or name not in self.__dataclass_fields__:
                raise AttributeError(f"an observation has no attribute {name!r}", name=name, obj=self)
            self.__dict__.update(read(name))
            return self.__dict__[name]

    def __getstate__(self) -> dict[str, Any]:
        """All fields, as plain data."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __setstate__(self, fields: dict[str, Any]) -> None:
        self.__dict__.update(fields)

    @property
    def key(self) -> str:
        """The key of the information set: equal for two observations exactly if they hold the same
        information, whatever words describe the moves. 32 hexadecimal digits."""
        data = self.to_json()
        for move in data["moves"]:
            del move["text"]
        text = json.dumps(data, separators=(",", ":"), sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def __repr__(self) -> str:
        about = f"<Observation of {self.game['game']} by seat {self.seat}: decision {self.decision}"
        if self.to_move is None:
            return f"{about}, game over>"
        moves = "" if self.to_move != self.seat else f", {len(self.moves)} move{'s'[len(self.moves) == 1 :]}"
        return f"{about}, seat {self.to_move} to move{moves}>"

    def to_json(self) -> Record:
        """The observation as data.

        >>> seen = upcard.load("euchre").deal(seed=7).observe(0)
        >>> upcard.Observation.from_json(seen.to_json()) == seen
        True
        """
        data = {name: getattr(self, name) for name in self.__dataclass_fields__}
        data["moves"] = [move.to_json() for move in self.moves]
        return dict(json.loads(json.dumps(data)))

    def changes(self, since: Observation) -> Record:
        """What is new since an earlier observation of the same seat, as data.

        `records` has the new lines; mappings have the keys that changed, with None for a key that is gone;
        any other field that changed has its new value. Raises `BadArgument` if it is no earlier observation.

        >>> state = upcard.load("kuhn-poker").deal(seed=1)
        >>> before = state.observe(1)
        >>> state.play(1)
        >>> new = state.observe(1).changes(since=before)
        >>> new["to_move"], new["strings"], [line["do"] for line in new["records"]]
        (1, {'seat0.ACT': 'BET'}, ['decision', 'stage'])
        >>> before.updated(new) == state.observe(1)
        True
        """
        from upcard.engine.observation_changes import changes

        return changes(self, since)

    def updated(self, changes: Mapping[str, Any]) -> Observation:
        """The later observation, given what `changes` found.

        >>> seen = upcard.load("kuhn-poker").deal(seed=1).observe(0)
        >>> seen.updated({}) == seen
        True
        """
        from upcard.engine.observation_changes import updated

        return updated(self, changes)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Observation:
        """The observation that `to_json` wrote. Raises `BadArgument` for other data.

        >>> upcard.Observation.from_json({})
        Traceback (most recent call last):
        upcard.arguments.BadArgument: this is not an observation written by to_json: KeyError: 'moves'
        """
        with _as_written("an observation"):
            given = dict(data)
            given["moves"] = tuple(Move.from_json(move) for move in given["moves"])
            given["teams"] = tuple(tuple(team) for team in given["teams"])
            given["records"] = tuple(given["records"])
            for name in ("places", "backs"):
                given[name] = {key: tuple(value) for key, value in given[name].items()}
            return cls(**given)


class IllegalMove(Exception):
    """A move that is not among the alternatives, such as one of an earlier position.

    >>> state = upcard.load("euchre").deal(seed=7)
    >>> first = state.moves[1]
    >>> state.play(first)
    >>> state.play(first)
    Traceback (most recent call last):
    upcard.engine.api.IllegalMove: order it up is not a move here
    """


def walk_records(records: Iterable[Record]) -> Iterator[Record]:
    """All records in order, each decision followed by its actions."""
    for record in records:
        yield record
        if record["do"] == "decision":
            yield from record["actions"]
