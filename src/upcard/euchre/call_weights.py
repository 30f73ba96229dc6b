"""Typed definition and reader of `calls.json`, the learned weights of calls."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from upcard.euchre.hands import FEATURES, TRUMPS
from upcard.files.bounded import read_file
from upcard.files.decode import Key, Length, Range, decode
from upcard.files.json_text import json_errors_as, parse_json
from upcard.recycle.diagnostics import Refused

Row: TypeAlias = tuple[Annotated[float, Range(-1e6, 1e6)], ...]
ThreeNumbers: TypeAlias = Annotated[Row, Length(3, 3)]
FourNumbers: TypeAlias = Annotated[Row, Length(4, 4)]
HandRow: TypeAlias = Annotated[Row, Length(FEATURES, FEATURES)]
TrumpRow: TypeAlias = Annotated[Row, Length(TRUMPS, TRUMPS)]


@dataclass(frozen=True)
class FromFourHands:
    hands: tuple[HandRow, HandRow, HandRow, HandRow]
    leader: FourNumbers


@dataclass(frozen=True)
class FromOwnHand:
    hand: HandRow
    leader: FourNumbers
    taken: tuple[TrumpRow, TrumpRow, TrumpRow]


@dataclass(frozen=True)
class KnownHands:
    made: FromFourHands
    swept: FromFourHands


@dataclass(frozen=True)
class OwnHand:
    made: FromOwnHand
    swept: FromOwnHand


@dataclass(frozen=True)
class Calls:
    """The whole file. `passing` has a row per turn, first round first."""

    together: KnownHands
    alone: KnownHands
    own_together: Annotated[OwnHand, Key("own together")]
    own_alone: Annotated[OwnHand, Key("own alone")]
    passing: tuple[
        FourNumbers, FourNumbers, FourNumbers, FourNumbers, ThreeNumbers, ThreeNumbers, ThreeNumbers
    ]


def read_calls(path: Path) -> dict[str, Any]:
    """The file as it is written. Raises `Refused` for one that does not fit."""
    with json_errors_as(lambda sentence: Refused(f"{path}: {sentence}; install Upcard again"), "the file"):
        weights: dict[str, Any] = parse_json(read_file(path))
        decode(Calls, weights)
    return weights
