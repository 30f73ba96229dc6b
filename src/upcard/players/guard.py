"""Guards a player: an exception or an illegal move forfeits the game with a clear message.

Only what the player does is caught here. What goes wrong in the engine or in the game is nobody's
misbehaviour and passes through. So does Ctrl-C, since a player in this process cannot be told from a person
who presses it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from upcard.engine.api import IllegalMove, Move, Observation
from upcard.players.protocol import Budget, Decision, Indifferent, Player
from upcard.players.registry import Maker
from upcard.recycle.diagnostics import Refused

LONGEST = 300
"""Characters of a player's own words that are reported."""
RAISED = (Exception, SystemExit, GeneratorExit)
"""What a player in this process may raise without ending it."""


class Misbehaved(Refused):
    """A player that cannot go on; `why` is a clause that follows its name."""

    is_answer = True

    def __init__(self, why: str, kind: str = "") -> None:
        super().__init__(why, kind)
        self.why, self.kind = why, kind

    def __str__(self) -> str:
        return f"{self.kind or 'a player'} {self.why}"


class NotStarted(OSError):
    """The machine lacks what a player's process needs: nobody forfeits for that."""


@dataclass
class Clock:
    """What a player's decisions took."""

    decisions: int = 0
    seconds: float = 0.0
    guessed: int = 0
    """Decisions that the player took without having made sense of what it saw (`Decision.guessed`)."""


@dataclass(frozen=True)
class Guarded:
    """Makes minded players of a kind. A player that cannot even be made misbehaves at its first decision."""

    kind: str
    make: Maker
    clock: Clock = field(default_factory=Clock, compare=False)

    def __call__(self, seed: int, deal: int, seat: int) -> Player | Indifferent:
        try:
            made = self.make(seed, deal, seat)
        except Misbehaved as error:
            return _Broken(self.kind, error.why)
        except NotStarted:
            raise
        except RAISED as error:
            return _Broken(self.kind, f"could not be made: {in_words(error)}")
        if isinstance(made, Indifferent):
            return _GuardedPick(self.kind, made, self.clock)
        return _GuardedPlayer(self.kind, made, self.clock)

    def sit_down(self) -> Guarded:
        """For one sitting: see `session`."""
        make: Any = self.make
        return replace(self, make=make.sit_down()) if hasattr(make, "sit_down") else self

    def stand_up(self) -> None:
        make: Any = self.make
        if hasattr(make, "stand_up"):
            make.stand_up()


@dataclass(frozen=True)
class _GuardedPlayer:
    kind: str
    player: Player
    clock: Clock

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        started = time.perf_counter()
        try:
            decision = self.player.choose(observation, budget)
        except Misbehaved as error:
            raise Misbehaved(error.why, self.kind) from None
        except NotStarted:
            raise
        except RAISED as error:
            raise Misbehaved(f"raised {in_words(error)}", self.kind) from None
        finally:
            self.clock.decisions += 1
            self.clock.seconds += time.perf_counter() - started
        try:
            move = chosen(decision, observation)
        except IllegalMove as error:
            raise Misbehaved(str(error), self.kind) from None
        except RAISED as error:
            raise Misbehaved(f"answered with an object that raised {in_words(error)}", self.kind) from None
        if not isinstance(decision, Decision):
            return Decision(move)
        self.clock.guessed += decision.guessed
        return decision


@dataclass(frozen=True)
class _GuardedPick:
    kind: str
    player: Indifferent
    clock: Clock

    def pick(self, alternatives: int) -> int:
        started = time.perf_counter()
        try:
            index = self.player.pick(alternatives)
        except RAISED as error:
            raise Misbehaved(f"raised {in_words(error)}", self.kind) from None
        finally:
            self.clock.decisions += 1
            self.clock.seconds += time.perf_counter() - started
        if not isinstance(index, int) or not 0 <= index < alternatives:
            raise Misbehaved(f"picked {shown(index)} of {alternatives} moves", self.kind)
        return index


@dataclass(frozen=True)
class _Broken:
    kind: str
    why: str

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        raise Misbehaved(self.why, self.kind)


def chosen(answer: object, observation: Observation) -> Move:
    """The move that an answer means: a decision, a move, a move's key, or its index in the observation."""
    moves = observation.moves
    if isinstance(answer, Decision):
        answer = answer.move
    if isinstance(answer, Move):
        found = next((move for move in moves if move == answer), None)
        name = told(answer.text) or told(answer.key)
    elif isinstance(answer, str):
        key = str.__str__(answer)  # without the methods of a class that may be derived from str
        found = next((move for move in moves if move.key == key), None)
        name = told(key) or shown(key)
    elif isinstance(answer, int) and not isinstance(answer, bool):
        index = int.__index__(answer)
        found = moves[index] if 0 <= index < len(moves) else None
        name = f"move {told(index)}"
    else:
        raise IllegalMove(f"answered with no move but {shown(answer)}")
    if found is None:
        raise IllegalMove(f"chose {name}, which is not among its {len(moves)} moves")
    return found


def in_words(error: BaseException) -> str:
    """An exception on one line, with where it was raised."""
    said, name = told(error), told(type(error).__name__)
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f" ({Path(place.tb_frame.f_code.co_filename).name} line {place.tb_lineno})" if place else ""
    return told(f"{name}: {said}" if said else name) + told(where, " ")


def told(words: object, before: str = "") -> str:
    """A player's own words on one line: not too long, and such that they can be written down."""
    try:
        text = str.__str__(str(words))
    except RAISED:
        text = f"(a {type(words).__name__} without words)"
    text = " ".join(text[: 20 * LONGEST].split()).encode("utf-8", "backslashreplace").decode()
    text = text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
    return before + text if text else ""


def shown(value: object) -> str:
    """The same of how Python writes a value."""
    try:
        return told(repr(value))
    except RAISED:
        return f"(a {type(value).__name__} without words)"
