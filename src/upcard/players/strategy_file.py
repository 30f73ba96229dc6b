"""Strategy files, which `upcard solve` writes: for every information set the probability of each move."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from upcard.engine.api import Record
from upcard.files.bounded import MAX_RECORD, read_file
from upcard.files.decode import Check, Length, Mismatch, Range, bounded_name, shown
from upcard.files.decode import decode as decode_data
from upcard.files.json_text import json_errors_as, parse_json
from upcard.recycle.diagnostics import Refused
from upcard.storage.atomic_write import write_text

ALGORITHMS = ("cfr+", "dcfr", "pcfr+", "mccfr")

ROUNDING = 1e-6
"""By how much probabilities may miss their sum."""


class BadStrategy(Refused):
    """A file that holds no strategy, or one that does not fit.

    >>> issubclass(upcard.solve.BadStrategy, upcard.Refused)
    True
    """


def _known_algorithm(name: str) -> str:
    if name not in ALGORITHMS:
        raise Mismatch(f"must be one of {', '.join(ALGORITHMS)}, not {shown(name)}")
    return name


@dataclass(frozen=True)
class GamePart:
    """The game that was solved (`Game.identity`)."""

    game: Annotated[str, Check(bounded_name)]
    digest: str
    overrides: dict[str, Any]
    base: Annotated[int, Range(0, 1)]


@dataclass(frozen=True)
class ActionPart:
    text: str
    """For people."""
    keys: Annotated[tuple[str, ...], Length(1)]
    """`Move.key` of the moves that it stands for: several if the seat cannot tell them apart."""
    probability: Annotated[float, Range(0, 1)]


@dataclass(frozen=True)
class SetPart:
    """One information set."""

    key: str
    """`Observation.key`."""
    seat: Annotated[int, Range(0)]
    holding: str
    table: str
    history: tuple[str, ...]
    """What the seat holds, what lies open and what was done: for people."""
    actions: Annotated[tuple[ActionPart, ...], Length(1)]

    def validate(self) -> None:
        if abs(sum(action.probability for action in self.actions) - 1) > ROUNDING:
            raise Mismatch("must have probabilities whose sum is 1", "actions")


@dataclass(frozen=True)
class SeatProgress:
    """For each sequence of one seat what the algorithm has summed up."""

    regrets: tuple[float, ...]
    last: tuple[float, ...]
    total: tuple[float, ...]


@dataclass(frozen=True)
class ProgressPart:
    """What the solver needs to go on."""

    stream: Annotated[tuple[int, ...], Length(4, 4)]
    seats: tuple[SeatProgress, ...]


@dataclass(frozen=True)
class StrategyFile:
    do: Literal["strategy"]
    game: GamePart
    algorithm: Annotated[str, Check(_known_algorithm)]
    seed: int
    iterations: Annotated[int, Range(0)]
    value: tuple[float, ...]
    """What each seat gets if all follow the strategy."""
    exploitability: float
    sets: tuple[SetPart, ...]
    progress: ProgressPart

    def fits(self, identity: Record) -> bool:
        """Whether it is a strategy of this game with these rules; the game's name does not matter."""
        mine = asdict(self.game)
        return all(mine[key] == identity[key] for key in ("digest", "overrides", "base"))


def read_strategy(path: Path) -> StrategyFile:
    """Reads a file. Raises `BadStrategy`."""

    def error(why: str) -> BadStrategy:
        return BadStrategy(f"{path} is not a strategy: {why}; upcard solve GAME --output FILE writes one")

    with json_errors_as(error, "the file"):
        return decode_data(StrategyFile, parse_json(read_file(path, MAX_RECORD)))


def check_fits(path: Path, strategy: StrategyFile, identity: Record) -> None:
    if not strategy.fits(identity):
        raise BadStrategy(
            f"{path} is a strategy of {strategy.game.game} with another program or other rules; solve "
            f"{identity['game']} as it is now with upcard solve --output"
        )


def write_strategy(path: Path, strategy: StrategyFile) -> None:
    """Writes a file: a line for each information set."""
    data = asdict(strategy)
    sets = ",\n  ".join(json.dumps(one, ensure_ascii=False) for one in data.pop("sets"))
    head = ",\n ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in data.items())
    write_text(path, f'{{{head},\n "sets": [\n  {sets}\n ]}}\n')
