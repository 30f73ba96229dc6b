"""Guards a player: an exception or an illegal move forfeits the game with a clear message.

Only errors of the player are caught. Errors of the engine or of the game pass through, and so does Ctrl-C,
because an interrupt raised by a player in this process looks like one from the keyboard.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from upcard.engine.api import IllegalMove, Move, Observation
from upcard.parallel.job import on_this_machine
from upcard.players.protocol import Budget, Decision, Indifferent, Player
from upcard.players.registry import PlayerFactory
from upcard.recycle.diagnostics import Refused

LONGEST = 300
"""Characters of a player's message that are reported."""
RAISED = (Exception, SystemExit, GeneratorExit)
"""What a player in this process may raise without ending it."""


class Misbehaved(Refused):
    """A player that broke the protocol and forfeits; `why` is a clause that follows its name.

    >>> class Silent:
    ...     def choose(self, observation, budget):
    ...         return None
    >>> try:
    ...     upcard.Match("kuhn-poker", [Silent, "random"]).play()
    ... except upcard.Misbehaved as error:
    ...     print(error)
    Silent answered something that is not a move: None
    """

    is_answer = True

    def __init__(self, why: str, kind: str = "") -> None:
        super().__init__(why, kind)
        self.why, self.kind = why, kind

    def __str__(self) -> str:
        return f"{self.kind or 'a player'} {self.why}"


class NotStarted(OSError):
    """The machine lacks the resources for a player's process; nobody forfeits for that."""


@dataclass
class Clock:
    """Counts a player's decisions and the time they took."""

    decisions: int = 0
    seconds: float = 0.0
    guessed: int = 0
    """Decisions for which the player found no consistent history (`Decision.guessed`)."""


@dataclass(frozen=True)
class Guarded:
    """A factory of guarded players. A player whose constructor fails forfeits at its first decision."""

    kind: str
    make: PlayerFactory
    clock: Clock = field(default_factory=Clock, compare=False)

    def __call__(self, seed: int, deal: int, seat: int) -> Player | Indifferent:
        try:
            made = self.make(seed, deal, seat)
        except Misbehaved as error:
            return _Broken(self.kind, error.why)
        except NotStarted:
            raise
        except RAISED as error:
            return _Broken(self.kind, f"could not be created: {describe_error(error)}")
        if isinstance(made, Indifferent):
            return _GuardedPick(self.kind, made, self.clock)
        return _GuardedPlayer(self.kind, made, self.clock)

    def on_this_machine(self) -> Guarded:
        """The same factory, if another machine made it."""
        return replace(self, make=on_this_machine(self.make))

    def open_session(self) -> Guarded:
        """A factory for one deal or match: see `external_player.player_sessions`."""
        make: Any = self.make
        return replace(self, make=make.open_session()) if hasattr(make, "open_session") else self

    def close_session(self) -> None:
        make: Any = self.make
        if hasattr(make, "close_session"):
            make.close_session()


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
            raise Misbehaved(f"raised {describe_error(error)}", self.kind) from None
        finally:
            self.clock.decisions += 1
            self.clock.seconds += time.perf_counter() - started
        try:
            move = resolve_move(decision, observation)
        except IllegalMove as error:
            raise Misbehaved(str(error), self.kind) from None
        except RAISED as error:
            raise Misbehaved(
                f"answered with an object that raised {describe_error(error)}", self.kind
            ) from None
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
            raise Misbehaved(f"raised {describe_error(error)}", self.kind) from None
        finally:
            self.clock.decisions += 1
            self.clock.seconds += time.perf_counter() - started
        if not isinstance(index, int) or not 0 <= index < alternatives:
            raise Misbehaved(
                f"picked move {repr_excerpt(index)}, but there are only {alternatives}", self.kind
            )
        return index


@dataclass(frozen=True)
class _Broken:
    kind: str
    why: str

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        raise Misbehaved(self.why, self.kind)


def resolve_move(answer: object, observation: Observation) -> Move:
    """The move that an answer names: a decision, a move, a move's key, or its index in the observation."""
    moves = observation.moves
    if isinstance(answer, Decision):
        answer = answer.move
    if isinstance(answer, Move):
        found = next((move for move in moves if move == answer), None)
        name = excerpt(answer.text) or excerpt(answer.key)
    elif isinstance(answer, str):
        key = str.__str__(answer)  # without the methods of a class that may be derived from str
        found = next((move for move in moves if move.key == key), None)
        name = excerpt(key) or repr_excerpt(key)
    elif isinstance(answer, int) and not isinstance(answer, bool):
        index = int.__index__(answer)
        found = moves[index] if 0 <= index < len(moves) else None
        name = f"move {excerpt(index)}"
    else:
        raise IllegalMove(f"answered something that is not a move: {repr_excerpt(answer)}")
    if found is None:
        raise IllegalMove(f"chose {name}, which is not among its {len(moves)} moves")
    return found


def describe_error(error: BaseException) -> str:
    """An exception on one line, with the frame where it was raised."""
    message, name = excerpt(error), excerpt(type(error).__name__)
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    where = f" ({Path(frame.tb_frame.f_code.co_filename).name} line {frame.tb_lineno})" if frame else ""
    return excerpt(f"{name}: {message}" if message else name) + excerpt(where, " ")


def excerpt(value: object, prefix: str = "") -> str:
    """A player's text on one line, cut to `LONGEST` characters and safe to encode as UTF-8."""
    try:
        text = str.__str__(str(value))
    except RAISED:
        text = f"(a {type(value).__name__} that cannot be printed)"
    text = " ".join(text[: 20 * LONGEST].split()).encode("utf-8", "backslashreplace").decode()
    text = text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
    return prefix + text if text else ""


def repr_excerpt(value: object) -> str:
    """An excerpt of a value's `repr`."""
    try:
        return excerpt(repr(value))
    except RAISED:
        return f"(a {type(value).__name__} that cannot be printed)"
