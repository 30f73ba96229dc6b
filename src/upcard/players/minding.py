"""Players that are minded: whoever raises, or names a move that is none, is stopped with a sentence.

Only what the player does is caught here. What goes wrong in the engine or in the game is nobody's
misbehaviour and passes through.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from upcard.engine.contract import IllegalMove, Move, Observation
from upcard.players.protocol import Budget, Decision, Indifferent, Player
from upcard.players.registry import Maker
from upcard.recycle.diagnostics import Refused

LONGEST = 300
"""Characters of a player's own words that are told on."""


class Misbehaved(Refused):
    """A player that cannot go on; `why` is a clause that follows its name."""

    is_answer = True

    def __init__(self, why: str, kind: str = "") -> None:
        super().__init__(why, kind)
        self.why, self.kind = why, kind

    def __str__(self) -> str:
        return f"{self.kind or 'a player'} {self.why}"


@dataclass
class Clock:
    """What a player's decisions took."""

    decisions: int = 0
    seconds: float = 0.0
    guessed: int = 0
    """Decisions that the player took without having made sense of what it saw (`Decision.guessed`)."""


@dataclass(frozen=True)
class Minded:
    """Makes minded players of a kind. A player that cannot even be made misbehaves at its first decision."""

    kind: str
    make: Maker
    clock: Clock = field(default_factory=Clock, compare=False)

    def __call__(self, seed: int, deal: int, seat: int) -> Player | Indifferent:
        try:
            made = self.make(seed, deal, seat)
        except Misbehaved as error:
            return _Broken(self.kind, error.why)
        except Exception as error:
            return _Broken(self.kind, f"could not be made: {in_words(error)}")
        if isinstance(made, Indifferent):
            return _MindedPick(self.kind, made, self.clock)
        return _MindedPlayer(self.kind, made, self.clock)


@dataclass(frozen=True)
class _MindedPlayer:
    kind: str
    player: Player
    clock: Clock

    def choose(self, observation: Observation, budget: Budget) -> Decision:
        started = time.perf_counter()
        try:
            decision = self.player.choose(observation, budget)
        except Misbehaved as error:
            raise Misbehaved(error.why, self.kind) from None
        except Exception as error:
            raise Misbehaved(f"raised {in_words(error)}", self.kind) from None
        finally:
            self.clock.decisions += 1
            self.clock.seconds += time.perf_counter() - started
        try:
            move = chosen(decision, observation)
        except IllegalMove as error:
            raise Misbehaved(str(error), self.kind) from None
        if not isinstance(decision, Decision):
            return Decision(move)
        self.clock.guessed += decision.guessed
        return decision


@dataclass(frozen=True)
class _MindedPick:
    kind: str
    player: Indifferent
    clock: Clock

    def pick(self, alternatives: int) -> int:
        started = time.perf_counter()
        try:
            index = self.player.pick(alternatives)
        except Exception as error:
            raise Misbehaved(f"raised {in_words(error)}", self.kind) from None
        finally:
            self.clock.decisions += 1
            self.clock.seconds += time.perf_counter() - started
        if not isinstance(index, int) or not 0 <= index < alternatives:
            raise Misbehaved(f"picked {_short(index)} of {alternatives} moves", self.kind)
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
        told = answer.text or answer.key
    elif isinstance(answer, str):
        found = next((move for move in moves if move.key == answer), None)
        told = answer
    elif isinstance(answer, int) and not isinstance(answer, bool):
        found = moves[answer] if 0 <= answer < len(moves) else None
        told = f"move {answer}"
    else:
        raise IllegalMove(f"answered with no move but {_short(answer)}")
    if found is None:
        raise IllegalMove(f"chose {_short(told, str)}, which is not among its {len(moves)} moves")
    return found


def in_words(error: BaseException) -> str:
    """An exception on one line, with where it was raised."""
    said = " ".join(str(error).split())
    told = f"{type(error).__name__}: {said}" if said else type(error).__name__
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f" ({Path(place.tb_frame.f_code.co_filename).name} line {place.tb_lineno})" if place else ""
    return _short(told, str) + where


def _short(value: object, show: type = object) -> str:
    text = str(value) if show is str else repr(value)
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
